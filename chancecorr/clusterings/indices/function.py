"""Any function of two clusterings, under permutations of the objects of the second."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.indices.calling import failure_of, returning_a_number
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers, read_only


def of_function(function: Callable[[Any, Any], float]) -> Index:
    """A user's ``f(P, Q)``, called with labels, memberships, linkages or matrices that are read-only."""
    name = getattr(function, "__name__", "function")
    return index_of_clusterings(
        name=name,
        function=partial(agreement, name, function),
        range=(-math.inf, math.inf),
    )


def agreement(name: str, function: Callable[[Any, Any], float], P: Clustering, Q: Clustering) -> Agreement:
    """Agreement of which nothing but values is known."""
    number, first = returning_a_number(function), read_only(P.plain)

    def value(side: Clustering) -> float:
        try:
            with np.errstate(all="ignore"):
                return number(first, read_only(side.plain))
        except Exception as error:
            raise failure_of(name, "two clusterings", error) from error

    def sums(permutations: Integers) -> Floats:
        return np.array([value(Q.part(each)) for each in permutations])

    return Agreement(observed=value(Q), sums=sums)
