"""Blocks of simulated tables: evaluated by workers, reduced to tallies."""
