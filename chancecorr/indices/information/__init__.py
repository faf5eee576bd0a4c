"""Information-theoretic indices, and those of association in contingency tables.

Each module registers its entries.
"""

from chancecorr.indices.information import association, distances, generalized, shared_information

__all__ = ["association", "distances", "generalized", "shared_information"]
