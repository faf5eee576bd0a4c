"""Whole laws and their tails: enumeration, Pearson's curves, multilevel splitting."""
