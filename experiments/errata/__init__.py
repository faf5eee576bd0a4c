"""Misprints of papers and disagreements of software with the formulas that they cite, as a page."""
