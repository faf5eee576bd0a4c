"""Corrections of many p-values: against SciPy, and against hand-computed and slow ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from chancecorr.comparison.family import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


class TestHolm:
    def test_by_hand(self):
        # ascending 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, which is raised to 0.06
        found = holm([0.01, 0.04, 0.03, 0.005])
        np.testing.assert_allclose(found, [0.03, 0.06, 0.06, 0.02], rtol=1e-12)

    @given(P_VALUES, st.floats(1e-6, 1.0))
    def test_rejects_what_holms_steps_reject(self, p_values, level):
        m, rejected = len(p_values), set()
        for k, place in enumerate(sorted(range(m), key=lambda i: p_values[i])):
            if p_values[place] * (m - k) > level:  # the first that stays ends the steps
                break
            rejected.add(place)
        assert {i for i, p in enumerate(holm(p_values)) if min(p, 1.0) <= level} == (
            rejected if level < 1.0 else set(range(m))
        )


class TestBenjaminiHochberg:
    @given(P_VALUES)
    def test_as_scipy(self, p_values):
        np.testing.assert_allclose(
            benjamini_hochberg(p_values), false_discovery_control(p_values), rtol=1e-12
        )


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
class TestBoth:
    def test_nan_is_no_test(self, correct):
        found = correct([0.01, math.nan, 0.04, math.nan, 0.03])
        assert np.isnan(found[[1, 3]]).all()
        assert found[[0, 2, 4]].tolist() == correct([0.01, 0.04, 0.03]).tolist()
