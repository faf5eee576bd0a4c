"""Values that are the same but for rounding are one atom of an enumerated law."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.summary import merge_rounded_values

OTHERS = [name for name in cc.list_indices() if cc.get_index(name).needs != "pairs"]


def test_no_atom_is_split():
    for name in OTHERS:
        values = cc.null_distribution(cc.Margins([4, 3, 3], [5, 3, 2]), name, method="exact").values
        values = values[np.isfinite(values)]
        assert (np.diff(values) > 1e-12 * np.abs(values).max(initial=0.0)).all(), name


def test_infinite_and_undefined_values_stay():
    values = np.array([np.inf, 0.5, -np.inf, np.nan, np.inf, 0.5 + 1e-16, 0.5 + 2e-16])
    found, p = merge_rounded_values(values, np.array([0.1, 0.1, 0.1, 0.2, 0.2, 0.1, 0.2]))
    np.testing.assert_array_equal(found, [-np.inf, 0.5 + 2e-16, np.inf, np.nan])
    assert p == pytest.approx([0.1, 0.4, 0.3, 0.2])
