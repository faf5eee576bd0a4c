"""Checks at full size of what the package claims; run as modules."""
