"""Correlation over the pairs: Mantel's of two matrices, the cophenetic one of two trees."""

import math

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.products import forecast_products, products


def agreement(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement with mean 0, and the variance of Mantel (1967)."""
    if P.n < 3:
        return no_agreement()
    found = products(P, Q)
    lengths = [space.of_objects + space.rest for space in found.spaces]
    scale = math.sqrt(lengths[0] * lengths[1])
    if scale == 0.0:
        return no_agreement()
    return Agreement(
        observed=found.above / scale,
        expected=0.0,
        variance=found.variance / scale**2,
        sums=found.sums,
        slope=1.0 / scale,
        nanoseconds=found.nanoseconds,
    )


CORRELATION = index_of_clusterings(
    name="correlation",
    aliases=("mantel", "cophenetic"),
    source="Mantel (1967), Cancer Research 27, 209-220; Sokal & Rohlf (1962), doi:10.2307/1217208",
    takes=(),
    range=(-1.0, 1.0),
    function=agreement,
    cost=forecast_products,
)
