"""Clusterings of any kind: how much each pair of objects is together, and indices over the pairs."""
