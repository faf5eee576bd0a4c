"""K-means as in SPSS: initial cases, iterations, what a cluster does that loses its cases."""

import numpy as np
import pytest

from experiments.clusterers.quick_cluster import initial_cases

SQUARE = {1: (1.0, 1.0), 2: (2.0, 2.0), 3: (1.0, 2.0), 4: (2.0, 1.0)}


@pytest.mark.parametrize(
    ("order", "centres"),
    [((1, 2, 3, 4), {1, 2}), ((4, 3, 2, 1), {3, 4}), ((1, 3, 2, 4), {1, 2})],
)
def test_square_of_a_user_of_spss(order, centres):
    """Source: SPSSX-L, April 2006, on the initial centres of QUICK CLUSTER in three orders of four points."""
    X = np.array([SQUARE[point] for point in order])
    assert {order[case] for case in initial_cases(X, 2)} == centres


def test_initial_centres_by_hand():
    # 0, 1, 2 first. 10: 8 from its closest, centres 1 apart, nearer to 1 than to 0: (a), for 1. Now 0, 10, 2.
    # 5: 3 from 2, the closest pair (0, 2) is 2 apart, nearer to 2: (a), for 2. Now 0, 10, 5.
    # 4: 1 from 5, less than 5; 4 from its second closest, 0, less than 5: stays out.
    # -1: 1 from 0; 6 from its second closest, 5, more than 0 is from 5: (b), for 0. Now -1, 10, 5.
    X = np.array([[0.0], [1.0], [2.0], [10.0], [5.0], [4.0], [-1.0]])
    for cases, chosen in [(3, (0, 1, 2)), (4, (0, 3, 2)), (5, (0, 3, 4)), (6, (0, 3, 4)), (7, (6, 3, 4))]:
        assert initial_cases(X[:cases], 3) == chosen
