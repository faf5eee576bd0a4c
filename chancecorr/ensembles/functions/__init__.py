"""Consensus functions: one partition from several of the same objects."""
