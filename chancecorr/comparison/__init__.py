"""Many clusterings at once."""
