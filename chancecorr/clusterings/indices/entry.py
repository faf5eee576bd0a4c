"""What the indices of clusterings of any kind have in common."""

import functools
import math

import numpy as np

from chancecorr.clusterings.index import Agreement
from chancecorr.indices.registry import Index

clustering_index = functools.partial(Index, needs="clusterings", family="clusterings", range=(0.0, 1.0))
"""Entry of an index of clusterings, from 0 to 1 unless it says otherwise."""


def no_agreement() -> Agreement:
    """Agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )
