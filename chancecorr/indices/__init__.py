"""What an index is, how it is evaluated, and the catalogue."""
