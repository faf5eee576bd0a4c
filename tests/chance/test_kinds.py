"""The four kinds: one value by every way to it, laws and moments against enumeration, what each cannot do."""

import numpy as np
import pytest

import chancecorr as cc
from tests.naive import law_of_tables

MARGINS = cc.Margins([4, 3, 1], [4, 2, 2])


def trace(table, row_totals, column_totals):
    total = 0
    for i in range(min(table.shape[0], table.shape[1])):
        total += table[i, i]
    return total / row_totals.sum()


INDICES = {
    "pairs": cc.get_index("jaccard"),
    "cells": cc.get_index("nmi_sum"),
    "table": cc.indices.Index(name="trace", function=trace, needs="table"),
    "labels": cc.indices.Index(name="same", function=lambda u, v: (u == v).mean(), needs="labels"),
}


@pytest.mark.parametrize("needs", INDICES)
def test_law_and_moments_are_those_of_all_tables(needs):
    index = INDICES[needs]
    tables, p = zip(*law_of_tables(MARGINS.row_totals, MARGINS.column_totals), strict=True)
    values, p = np.array([cc.score_table(table, index) for table in tables]), np.array(p, dtype=float)
    for method in ("auto", "exact", *(["analytic"] if needs in ("pairs", "cells") else [])):
        null = cc.null_distribution(MARGINS, index, method=method)
        assert null.mean == pytest.approx(p @ values, rel=1e-12)
        assert null.variance == pytest.approx(p @ (values - p @ values) ** 2, rel=1e-9)
    if needs in ("table", "labels"):
        with pytest.raises(ValueError, match="its mean is not known without draws; got 'analytic'"):
            cc.null_distribution(MARGINS, index, method="analytic")
    sampled = cc.null_distribution(MARGINS, index, method="monte-carlo", n_tables=50, rng=1)
    assert sampled.analytic is None  # the published method takes closed forms of T only


def test_moments_alone_give_a_bound_and_no_quantiles():
    score = cc.adjust_table([[30, 10, 5], [4, 40, 12], [9, 3, 50]], index="rand", method="analytic")
    assert (score.p_is_bound, score.p_value_from) == (True, "bound")
    with pytest.raises(ValueError, match="needs a full distribution") as caught:
        score.null.p_value(0.5)
    assert caught.value.argument == "p_value"
