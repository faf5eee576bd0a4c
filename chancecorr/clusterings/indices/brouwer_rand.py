"""The fuzzy Rand index of Brouwer: pairs are together to the cosine of their memberships."""

from dataclasses import dataclass

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices import pair_counts
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import forecast_products
from chancecorr.indices.registry import get_index


@dataclass(frozen=True, slots=True, eq=False)
class Bonded(Membership):
    """Memberships of length 1, whose inner products are cosines."""

    def __post_init__(self) -> None:
        """Divide each row by its length."""
        lengths = np.linalg.norm(self.rows, axis=1, keepdims=True)
        object.__setattr__(self, "rows", self.rows / lengths)


def agreement(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement of the Rand index over cosines; mean and variance are exact."""
    sides = (Bonded(as_memberships(side).rows) for side in (P, Q))  # type: ignore[union-attr]
    return pair_counts.agreement(get_index("rand"), *sides)


BROUWER_RAND = index_of_clusterings(
    name="brouwer_rand",
    source="Brouwer (2009), doi:10.1007/s10844-008-0054-7",
    takes=("labels", "membership"),
    range=(0.0, 1.0),
    function=agreement,
    cost=forecast_products,
)
