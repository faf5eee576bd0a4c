"""What the choice of the best of many clusterings adds to its score, and to its significance."""
