"""Labels read as what they are, and the contingency table of two clusterings."""
