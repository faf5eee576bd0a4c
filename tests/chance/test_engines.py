"""The four kinds: one value by every way to it, laws and moments against enumeration, what each cannot do."""

import math

import pytest

import chancecorr as cc
from chancecorr.chance.engines import ENGINES
from chancecorr.chance.options import ANALYTIC, AUTO, EXACT, METHODS, MONTE_CARLO
from chancecorr.exact.enumeration import list_table_law

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


@pytest.mark.slow
@pytest.mark.parametrize("needs", INDICES)
def test_one_value_by_every_way(needs):
    index, kind = INDICES[needs], ENGINES[needs]
    tables = cc.sample_tables(MARGINS, 20, rng=1)
    values = kind.values(index, tables, MARGINS)
    for table, value in zip(tables, values.tolist(), strict=True):
        assert kind.value(index, cc.ContingencyTable(table)) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("needs", INDICES)
def test_the_law_is_that_of_all_tables(needs):
    index, kind = INDICES[needs], ENGINES[needs]
    tables, probabilities = list_table_law(MARGINS, 1000)
    mean = math.fsum(probabilities * kind.values(index, tables, MARGINS))
    for method in (AUTO, EXACT):
        law = kind.law(index, MARGINS, method)
        assert math.fsum(law.probabilities * law.values) == pytest.approx(mean, rel=1e-12)
        assert math.fsum(law.probabilities) + law.lost_mass == pytest.approx(1.0, rel=1e-11)


@pytest.mark.parametrize("needs", INDICES)
def test_moments_where_there_are_some(needs):
    index, kind = INDICES[needs], ENGINES[needs]
    if needs in ("table", "labels"):
        assert kind.moments(index, MARGINS, ANALYTIC) is None
    else:
        known = kind.moments(index, MARGINS, ANALYTIC).moments
        tables, probabilities = list_table_law(MARGINS, 1000)
        values = kind.values(index, tables, MARGINS)
        mean = math.fsum(probabilities * values)
        assert known.mean == pytest.approx(mean, rel=1e-12)
        assert known.variance == pytest.approx(math.fsum(probabilities * (values - mean) ** 2), rel=1e-9)
        # the published method takes closed forms of T only
        assert (kind.moments(INDICES[needs], MARGINS, MONTE_CARLO) is None) or index.affine
    with_law = [method.name for method in METHODS.values() if method.law_seconds or method.law_tables]
    assert with_law == ["auto", "search", "exact"]


def test_moments_alone_give_a_bound_and_no_quantiles():
    score = cc.adjust_table([[30, 10, 5], [4, 40, 12], [9, 3, 50]], index="rand", method="analytic")
    assert (score.p_is_bound, score.p_value_from) == (True, "bound")
    with pytest.raises(ValueError, match="needs a full distribution") as caught:
        score.null.p_value(0.5)
    assert caught.value.argument == "p_value"
