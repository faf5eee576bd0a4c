"""The recipes for a kind of clustering and for an index of any kind, followed: one class, one function."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.clusterings import reading
from chancecorr.clusterings.clustering import Gathered, list_spans
from chancecorr.clusterings.index import Agreement
from chancecorr.clusterings.pair_kernels import MATRIX
from chancecorr.clusterings.products import sum_products


@dataclass(frozen=True, eq=False)
class OnALine:
    """Objects with places on a line: the nearer, the more are they together."""

    places: np.ndarray
    word: ClassVar[str] = "line"

    @property
    def n(self):
        return self.places.size

    @property
    def plain(self):
        return self.places

    def matrix(self):
        return -np.abs(np.subtract.outer(self.places, self.places))

    def tiles(self, tiles, *, is_checked=False):
        for rows, columns in list_spans(tiles):
            yield rows, columns, self.matrix()[rows, columns]

    def gather(self):
        return Gathered(MATRIX, matrix=self.matrix())

    def part(self, objects):
        return OnALine(self.places[objects])


def total(P, Q):
    """Sum of products over the pairs."""
    found = sum_products(P, Q)
    return Agreement(
        observed=found.mean + found.above,
        expected=found.mean,
        variance=found.variance,
        sums=found.sums,
        at_zero=found.mean,
        nanoseconds=found.nanoseconds,
    )


TOTAL = cc.indices.Index(
    name="total",
    function=total,
    needs="clusterings",
    family="clusterings",
    takes=("line", "labels"),
    best=0.0,
)


def test_a_new_kind_and_a_new_index(monkeypatch):
    monkeypatch.setattr(reading, "KINDS", (*reading.KINDS, OnALine))
    rng = np.random.default_rng(1)
    places, labels = rng.normal(size=6), rng.integers(0, 2, 6)
    line = OnALine(places)
    list(itertools.combinations(range(6), 2))
    law = [
        sum(
            line.matrix()[i, j]
            for i, j in itertools.combinations(range(6), 2)
            if labels[p[i]] == labels[p[j]]
        )
        for p in itertools.permutations(range(6))
    ]
    score = cc.adjust(line, labels, TOTAL)
    assert (score.observed, score.expected) == pytest.approx((law[0], np.mean(law)))
    assert score.variance == pytest.approx(np.var(law))
    assert score.p_value == pytest.approx(np.mean(np.array(law) >= law[0] - 1e-12))
    assert score.interval().confidence == 0.95
    with pytest.raises(ValueError, match="`index` must take a line; 'fuzzy_rand' takes"):
        cc.adjust(line, labels, "fuzzy_rand")
    matrix = cc.adjust(cc.Similarity(line.matrix()), labels, "correlation")
    assert cc.adjust(line, labels, "correlation").observed == pytest.approx(matrix.observed)
    mean = 6 * places.mean() * labels.mean()
    assert cc.adjust(line, labels, lambda x, y: float(x @ y)).expected == pytest.approx(mean)
