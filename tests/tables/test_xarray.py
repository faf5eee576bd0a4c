"""Arrays of xarray are matched by the coordinates of their dimension, if it has some."""

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.clusterings import spatial_rand

NAMES, ORDER = list("abcdefgh"), [4, 2, 7, 0, 1, 6, 3, 5]
TRUE, PRED = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 0]
WEIGHTS, PARTS = [1.0, 2.0, 5.0, 1.0, 3.0, 1.0, 4.0, 2.0], [0, 1, 0, 1, 1, 0, 0, 1]
PLACES = np.array([[k % 3, k * k] for k in range(8)], dtype=float)


class Stand:
    """What of an array of xarray is read, where that is not installed."""

    def __init__(self, values, coordinates=None, dims=("cell",), name=None):
        self.values = np.asarray(values)
        self.dims, self.name, self.indexes = (*dims, "axis")[: self.values.ndim], name, {}
        if coordinates is not None:
            self.indexes = {"cell": pd.Index(coordinates)}

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    @property
    def ndim(self):
        return self.values.ndim

    @property
    def shape(self):
        return self.values.shape

    @property
    def dtype(self):
        return self.values.dtype


Stand.__module__ = "xarray.stand"


def make_array(values, coordinates=None):
    xarray = pytest.importorskip("xarray")
    values = np.asarray(values)
    coords = None if coordinates is None else {"cell": coordinates}
    return xarray.DataArray(values, dims=("cell", "axis")[: values.ndim], coords=coords)


DOORS = {
    "labels": lambda x, y, w, s, p: cc.adjust(x, y).adjusted,
    "score": lambda x, y, w, s, p: cc.score(x, y),
    "compare": lambda x, y, w, s, p: cc.compare(x, {"y": y}, "rand")["y"]["rand"].score.adjusted,
    "pairwise": lambda x, y, w, s, p: cc.pairwise([x, y]).adjusted[0, 1],
    "contingency_table": lambda x, y, w, s, p: cc.contingency_table(x, y).sum_of_squares,
    "weights": lambda x, y, w, s, p: cc.adjust(x, y, weights=w).adjusted,
    "strata": lambda x, y, w, s, p: cc.adjust(x, y, strata=s).expected,
    "groups": lambda x, y, w, s, p: cc.adjust(x, y).interval(groups=s).standard_error,
    "places": lambda x, y, w, s, p: cc.adjust(x, y, spatial_rand(p), rng=1).adjusted,
}
KINDS = {"stand": Stand, "xarray": make_array}
VALUES = (TRUE, PRED, WEIGHTS, PARTS, PLACES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", DOORS)
def test_coordinates_name_objects(door, kind):
    make = KINDS[kind]
    expected = DOORS[door](*VALUES)
    for beside in (make, lambda values, names: pd.DataFrame(values, index=names).squeeze(axis=1)):
        sides = [make(TRUE, NAMES)]
        for values in VALUES[1:]:
            sides.append(beside([values[k] for k in ORDER], [NAMES[k] for k in ORDER]))
        assert DOORS[door](*sides) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", DOORS)
def test_without_coordinates_by_position(door, kind):
    make = KINDS[kind]
    assert DOORS[door](*map(make, VALUES)) == pytest.approx(DOORS[door](*VALUES), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_other_coordinates_are_refused(kind):
    make = KINDS[kind]
    with pytest.raises(
        ValueError, match=r"^`labels_pred` must name the objects of `labels_true`; got 8 more"
    ):
        cc.adjust(make(TRUE, NAMES), make(PRED, list("ijklmnop")))
