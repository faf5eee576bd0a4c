"""Any function of two clusterings, under permutations of the objects of the second."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, PairIndex
from chancecorr.indices.calling import returning_a_number
from chancecorr.machine.arrays import Floats, Integers


def of_function(function: Callable[[Any, Any], float]) -> PairIndex:
    """A user's ``f(P, Q)``, called with labels, memberships, linkages or matrices."""
    return PairIndex(
        name=getattr(function, "__name__", "function"),
        source="",
        takes=(),
        agreement=partial(agreement, function),
    )


def agreement(function: Callable[[Any, Any], float], P: Clustering, Q: Clustering) -> Agreement:
    """Agreement of which nothing but values is known."""
    number = returning_a_number(function)

    def sums(permutations: Integers) -> Floats:
        return np.array([number(P.plain, Q.part(each).plain) for each in permutations])

    return Agreement(observed=number(P.plain, Q.plain), sums=sums)
