"""Blocks of simulated tables, who evaluates them, and what is kept of them."""
