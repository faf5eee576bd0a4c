"""What "by chance" means: the random models of a table."""
