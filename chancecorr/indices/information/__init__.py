"""Information-theoretic indices, and those of association in contingency tables."""
