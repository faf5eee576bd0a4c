"""One cluster, or singletons alone, on one side: all tables are one but for the order of equal rows."""

import time

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import Margins
from chancecorr.chance.engines import get_engine
from chancecorr.exact.enumeration import list_table_law

TRIVIAL = [([1] * 5, [2, 2, 1]), ([3, 2], [1] * 5), ([5], [2, 3]), ([1, 4], [5]), ([1] * 4, [1] * 4)]
NAMES = [name for name in cc.list_indices() if cc.get_index(name).needs != "pairs"]


@pytest.mark.parametrize("sides", TRIVIAL, ids=str)
@pytest.mark.slow
def test_every_index_of_the_catalogue_is_constant(sides):
    """Over the list of all tables, and equal to the one that stands for them."""
    margins = Margins(*sides)
    tables, _ = list_table_law(margins, 1000)
    for name in NAMES:
        index = cc.get_index(name)
        values = get_engine(index).values(index, tables, margins)
        null = cc.null_distribution(margins, index, method="exact")
        np.testing.assert_allclose(null.values, values[:1], rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(values, values[0], rtol=1e-12, atol=1e-12, err_msg=name)


def test_no_table_is_drawn():
    """It took 17,000 tables of one value: 45 s with 2,000 objects."""
    objects = np.arange(2000)
    cc.adjust(objects[:50], objects[:50] // 2, "purity")
    began = time.process_time()
    score = cc.adjust(objects, objects // 2, "purity")
    assert time.process_time() - began < 5.0
    assert (score.expected, score.variance, score.n_tables, score.p_value) == (0.5, 0.0, 0, 1.0)
    assert "same value" in score.remark or score.adjusted == 0.0


def test_a_function_of_a_user_may_know_clusters_by_their_places():
    def first(labels_true, labels_pred):
        return float(labels_true[0] == labels_pred[0])

    score = cc.adjust(np.arange(9), np.arange(9) // 2, first, n_tables=200, rng=1)
    assert score.variance > 0.0
