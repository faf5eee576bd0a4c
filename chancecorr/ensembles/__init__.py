"""Consensus matrices of cluster ensembles."""
