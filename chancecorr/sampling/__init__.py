"""Models of chance: the random models of a table."""
