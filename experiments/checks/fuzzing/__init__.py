"""Hostile inputs at random, a file a kind, and what counts as a finding."""
