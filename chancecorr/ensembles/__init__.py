"""Consensus matrices, soft and overlapping clusterings: what goes by pairs of objects and not by a table."""
