"""Consensus matrices, soft and overlapping clusterings: comparisons by pairs of objects, without a table."""
