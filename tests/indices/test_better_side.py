"""The side of better values belongs to the index: no kind of clustering and no weights exchange it."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import Membership
from chancecorr.clusterings.indices import find_pair_indices
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.indices.evaluation import loosen_range

U, V = [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 2, 2, 1]
ROWS = np.eye(3)[V]
SIDES = {
    "membership": Membership(ROWS),
    "cover": cc.Cover(ROWS),
    "similarity": cc.Similarity(ROWS @ ROWS.T),
}


@pytest.mark.parametrize("name", cc.list_indices())
def test_no_other_kind_and_no_weights_exchange_the_side(name):
    index = cc.get_index(name)
    assert loosen_range(index).better_side == index.better_side
    for side in SIDES.values():
        try:
            entry = find_pair_indices(index, *read_clusterings(U, side).sides)[0].entry
        except ValueError:
            continue
        assert entry.better_side == index.better_side


@pytest.mark.parametrize("index", ["baulieu_distance_12", "mirkin", "adjusted_rand"])
def test_p_value_of_the_same_clusterings_in_any_form(index):
    """24 of 1,680 candidates of these cluster sizes agree as well, or the shares that random ones tell."""
    p_value = cc.adjust(U, V, index, method="exact").p_value
    assert p_value < 0.02
    weighted = cc.adjust(U, V, index, weights=np.ones(9), rng=1)
    others = [cc.adjust(U, side, index, rng=1) for side in SIDES.values()]
    for score in (weighted, *others):
        assert score.p_value == pytest.approx(p_value, rel=0.3)


def test_a_distance_without_a_known_range_says_so():
    index = cc.indices.Index(
        name="apart", function=lambda a, b, c, d: (b + c) - 1.0, needs="pairs", best=-1.0, is_distance=True
    )
    assert not index.larger_is_better
    assert cc.adjust(U, V, index, method="exact").p_value < 0.02
