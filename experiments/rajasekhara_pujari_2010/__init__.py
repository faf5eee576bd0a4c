"""Rajasekhara & Pujari (2010), reproduced: the IRM index and five rivals, k-means, ten data sets."""
