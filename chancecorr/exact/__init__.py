"""Exact and proven results about an index under chance, without sampling."""
