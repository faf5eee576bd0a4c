"""Compiled parts of the indices of tables: arrays in, numbers out."""
