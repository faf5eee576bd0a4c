"""Compiled loops over pairs of objects."""
