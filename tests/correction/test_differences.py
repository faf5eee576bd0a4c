"""Differences of two candidates: the jackknife over the objects they share, object by object."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.interval import compute_difference
from chancecorr.correction.jackknife import leave_one_out
from tests.simulated import model_and_null


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(7)
    truth = rng.integers(3, size=80)
    first = np.where(rng.random(80) < 0.2, rng.integers(3, size=80), truth)
    second = np.where(rng.random(80) < 0.3, rng.integers(3, size=80), first)
    return truth, first, second


def compared(truth, first, second, name="rand", level=0.95):
    """The two scores and their difference, from the cells of the three-way table."""
    tables = [cc.contingency_table(truth, candidate) for candidate in (first, second)]
    scores = [leave_one_out(*model_and_null(name, table)) for table in tables]
    cells, counts = np.unique(np.stack([truth, first, second], axis=1), axis=0, return_counts=True)
    places = []
    for number, table in enumerate(tables, start=1):
        rows, columns, _ = table.nonzero_cells
        place = {pair: k for k, pair in enumerate(zip(rows.tolist(), columns.tolist(), strict=True))}
        places.append(np.array([place[cell[0], cell[number]] for cell in cells.tolist()]))
    return scores, compute_difference(*scores, *places, counts, level)


@pytest.mark.parametrize("name", ["rand", "nmi_sum"])
def test_every_object_left_out(labels, name):
    scores, found = compared(*labels, name=name)
    n, without = labels[0].size, []
    for k in range(n):
        truth, first, second = (np.delete(side, k) for side in labels)
        without.append(cc.adjusted_score(truth, first, name) - cc.adjusted_score(truth, second, name))
    error = math.sqrt((n - 1) / n * sum((each - np.mean(without)) ** 2 for each in without))
    assert found.interval.standard_error == pytest.approx(error, rel=1e-9)
    centre = found.difference - (n - 1) * (np.mean(without) - found.difference)
    centre -= scores[0].bias_left - scores[1].bias_left
    assert (found.interval.low + found.interval.high) / 2 == pytest.approx(centre, rel=1e-9)


@pytest.mark.slow
def test_biases_of_two_candidates_cancel_in_part():
    """What may be left of the bias of a difference is the difference of what may be left."""
    rng = np.random.default_rng(2)
    truth = rng.integers(10, size=100)
    first, second = (np.where(rng.random(100) < 0.3, rng.integers(10, size=100), truth) for _ in range(2))
    scores, found = compared(truth, first, second, name="nmi_sum")
    errors = [cc.adjust(truth, each, index="nmi_sum").interval().standard_error for each in (first, second)]
    assert all(map(math.isnan, errors))
    assert abs(scores[0].bias_left - scores[1].bias_left) < 0.5 * found.interval.standard_error
    assert found.interval.low < found.interval.high
    _, other = compared(truth, np.roll(truth, 1) % 10, truth, name="nmi_sum")
    assert "is uncertain" in other.interval.remark


def test_the_p_value_is_the_level_whose_interval_touches_zero(labels):
    _, found = compared(*labels)
    assert 0.0 < found.p_value < 1.0
    _, touching = compared(*labels, level=1.0 - found.p_value)
    assert min(abs(touching.interval.low), abs(touching.interval.high)) < 1e-9


def test_the_same_candidate_twice(labels):
    truth, first, _ = labels
    _, found = compared(truth, first, (first + 1) % 3)
    assert (found.difference, found.p_value) == (0.0, 1.0)
    alone = leave_one_out(*model_and_null("rand", cc.contingency_table(truth, first)))
    reach = -math.log(0.05) * alone.cost
    assert tuple(found.interval) == pytest.approx((-reach, reach))
    assert "the same score without any one of the objects" in found.interval.remark


def test_no_score(labels):
    truth, first, _ = labels
    _, found = compared(np.zeros_like(truth), first, np.zeros_like(truth))
    assert np.isnan([found.p_value, found.interval.low]).all()
    assert found.interval.remark != ""
