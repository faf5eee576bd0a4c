"""Models of chance: two clusterings, and what is known or drawn of an index of them under each model."""
