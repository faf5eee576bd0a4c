"""Worked examples of a tutorial on the Rand index."""
