"""Formulas of indices: read from text into trees, and written in LaTeX."""
