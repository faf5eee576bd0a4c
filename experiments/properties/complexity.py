"""How many steps a value takes, from what the entry needs."""

from typing import Any

from chancecorr.indices.registry import Index, get_index
from chancecorr.indices.set_matching import matching_time

SORTED = ("irm",)
"""Indices of non-empty cells in order, which have to be sorted."""

MATCHED = ("centroid_index", "centroid_index_1", "centroid_index_2")
"""Indices of a matching of the clusters, beside those whose entry has the time of an assignment."""

COSTS = {
    "linear_counts": "The pair counts follow from the cluster sizes and the non-empty cells, at most n of"
    " each.",
    "linear_cells": "Sums and maxima over the non-empty cells and the clusters, at most n of each.",
    "linear_mean": "Affine in T: the mean follows from the sums of squared cluster sizes.",
    "cost_sorted": "The non-empty cells have to be sorted.",
    "cost_matched": "A matching of the clusters is needed; the assignment takes O(K^3).",
    "cost_mean_cells": "The mean of a sum over cells takes a sum over the values of a cell for each pair"
    " of sizes.",
    "cost_mean": "No closed form of the mean is known here: it is summed over tables, or estimated.",
}


def linear_complexity(index: Index, *, adjusted: bool) -> dict[str, Any]:
    """Status and reason."""
    proved = {"status": "proved", "reason": ""}
    if adjusted:
        stands = get_index(index.corrected_as) if index.corrected_as else index
        if index.affine or (stands.needs == "pairs" and stands.affine):
            return proved | {"reason": "linear_mean"}
        sums = stands.needs == "cells"
        return {"status": "open", "reason": "cost_mean_cells" if sums else "cost_mean"}
    if index.name in MATCHED or index.nanoseconds is matching_time:
        return {"status": "open", "reason": "cost_matched"}
    if index.name in SORTED:
        return {"status": "open", "reason": "cost_sorted"}
    return proved | {"reason": "linear_counts" if index.needs == "pairs" else "linear_cells"}
