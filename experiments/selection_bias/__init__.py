"""How often an index prefers which number of clusters, where all candidates are random."""
