"""Null distributions of adjusted scores, compared."""
