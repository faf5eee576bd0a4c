"""Clusterers that several studies share: k-means, and EM for Gaussian mixtures."""
