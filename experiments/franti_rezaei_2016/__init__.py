"""Fränti & Rezaei (2016), reproduced: the centroid index of data sets, mixtures, random partitions."""
