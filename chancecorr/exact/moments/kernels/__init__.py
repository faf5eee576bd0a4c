"""Compiled parts of the exact moments; arguments were checked before."""
