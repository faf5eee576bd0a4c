"""Kernels for many clusterings at once."""
