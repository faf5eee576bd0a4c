"""Draws go by the names of the objects if they have any, else by position, which sets do not have."""

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.chance import blocks, segments, shifts, spins, torus

NAMES = list("abcdef")
TRUE, PRED = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0]
ROWS = np.array([[1, 2, 0, 4, 3, 5], [3, 1, 2, 5, 0, 4], [2, 0, 1, 5, 4, 3]])
LABELS = np.array([[0, 1, 1, 2, 0, 0], [1, 1, 0, 0, 0, 1]])
GROUPS = [0, 1, 0, 2, 1, 2]
PLACES = np.random.default_rng(3).normal(size=(6, 3))
HALVES = [0, 1, 1, 0, 0, 1]
OTHER_ORDER = [3, 0, 5, 1, 4, 2]


def permuted(rows):
    """The same permutations of objects in another order."""
    number = np.argsort(OTHER_ORDER)
    return number[rows[:, OTHER_ORDER]]


def series(values, order=range(6)):
    return pd.Series([values[k] for k in order], index=[NAMES[k] for k in order])


def frame(values):
    return pd.DataFrame(values, index=NAMES).iloc[OTHER_ORDER]


def by_name(rows):
    return pd.DataFrame(rows, columns=[NAMES[k] for k in OTHER_ORDER])


MODELS = {
    "places": (lambda: cc.Draws(ROWS), lambda: cc.Draws(by_name(permuted(ROWS)))),
    "labels": (lambda: cc.Draws(LABELS), lambda: cc.Draws(by_name(LABELS[:, OTHER_ORDER]))),
    "objects": (
        lambda: cc.Draws(ROWS),
        lambda: cc.Draws(permuted(ROWS), objects=[NAMES[k] for k in OTHER_ORDER]),
    ),
    "function": (
        lambda: cc.Draws(lambda rng: LABELS[rng.integers(2)]),
        lambda: cc.Draws(lambda rng: LABELS[rng.integers(2)], objects=NAMES),
    ),
    "blocks": (lambda: blocks(GROUPS), lambda: blocks(series(GROUPS))),
    "spins": (lambda: spins(PLACES), lambda: spins(pd.DataFrame(PLACES, index=NAMES))),
    "halves": (
        lambda: spins(PLACES, hemispheres=HALVES),
        lambda: spins(pd.DataFrame(PLACES, index=NAMES), hemispheres=series(HALVES, OTHER_ORDER)),
    ),
}
DOORS = {
    "adjust": lambda x, y, model: cc.adjust(x, y, "rand", model=model, rng=1).expected,
    "pairs": lambda x, y, model: cc.adjust(x, y, "omega", model=model, rng=1).expected,
    "a list": lambda x, y, model: cc.adjust(x, y, ["nmi"], model=model, rng=1)["nmi"].expected,
    "compare": lambda x, y, model: (
        cc.compare(x, {"y": y}, "rand", model=model, rng=1, interval=None)["y"]["rand"].score.expected
    ),
    "pairwise": lambda x, y, model: cc.pairwise([x, y], "rand", model=model, rng=1).expected[0, 1],
}
SIDES = {
    "mappings": lambda labels: dict(series(labels, OTHER_ORDER[::-1])),
    "Series": lambda labels: series(labels, OTHER_ORDER[::-1]),
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("door", DOORS)
def test_draws_with_names_are_matched_by_them(door, kind, side):
    if kind in ("labels", "function") and door in ("pairs", "pairwise"):
        return  # of permutations alone, or of one candidate
    plain, named = MODELS[kind]
    expected = DOORS[door](TRUE, PRED, plain())
    found = DOORS[door](SIDES[side](TRUE), SIDES[side](PRED), named())
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "model", [shifts(6), torus((2, 3)), cc.Draws(ROWS), blocks(GROUPS), spins(PLACES), segments()]
)
@pytest.mark.parametrize("door", DOORS)
def test_draws_by_position_are_refused_beside_names_without_an_order(door, model):
    expected = DOORS[door](TRUE, PRED, model)
    assert DOORS[door](series(TRUE), series(PRED), model) == expected  # a Series has one
    assert DOORS[door](series(TRUE), PRED, model) == expected
    assert DOORS[door](dict(enumerate(TRUE)), dict(enumerate(PRED)), model) == expected
    sets = [{name for name, label in zip(NAMES, TRUE, strict=True) if label == k} for k in (0, 1)]
    for first, second in (
        (SIDES["mappings"](TRUE), SIDES["mappings"](PRED)),
        (sets, series(PRED).to_dict()),
        (series(TRUE), series(PRED, OTHER_ORDER)),
    ):
        with pytest.raises(
            ValueError, match=r"^`model` must name the objects as `.*` does, which has no"
        ) as no:
            DOORS[door](first, second, model)
        assert "Pass labels as arrays or Series in the order of the draws" in str(no.value)


def test_other_names_are_refused():
    model = cc.Draws(ROWS, objects="uvwxyz")
    with pytest.raises(ValueError, match=r"^`model` must name the objects of `labels_true`; got 6 more"):
        cc.adjust(series(TRUE), series(PRED), model=model)
    assert cc.adjust(TRUE, PRED, model=model).expected == cc.adjust(TRUE, PRED, model=cc.Draws(ROWS)).expected
    by_position = cc.adjust(pd.Series(TRUE), pd.Series(PRED), model=model)  # their index is 0 to 5
    assert by_position.expected == cc.adjust(TRUE, PRED, model=cc.Draws(ROWS)).expected
