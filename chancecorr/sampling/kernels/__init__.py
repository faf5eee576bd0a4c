"""Compiled samplers: arrays in, arrays out; arguments were checked before."""
