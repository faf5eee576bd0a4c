"""Benchmarks: each script times one thing; ``python -m experiments.benchmarks.run`` runs them all."""
