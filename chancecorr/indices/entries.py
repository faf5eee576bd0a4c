"""Every entry of the catalogue: importing this module registers them all."""

from chancecorr.indices import cluster_level, information, irm, one_to_one, pair_counting, set_matching

FILES = (pair_counting, information, set_matching, one_to_one, cluster_level, irm)
"""In the order of the families."""
