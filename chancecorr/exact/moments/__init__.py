"""Moments from the margins alone: no table is drawn or listed."""
