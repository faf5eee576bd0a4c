"""Corrections of many p-values: against SciPy, and against hand-computed and slow ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from chancecorr import compare
from chancecorr.comparison.compare import correct_p_values
from chancecorr.comparison.comparison import CORRECTIONS

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


class TestHolm:
    def test_by_hand(self):
        # ascending 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, which is raised to 0.06
        found = correct_p_values([0.01, 0.04, 0.03, 0.005], "holm")
        np.testing.assert_allclose(found, [0.03, 0.06, 0.06, 0.02], rtol=1e-12)

    @given(P_VALUES, st.floats(1e-6, 1.0))
    def test_rejects_what_holms_steps_reject(self, p_values, level):
        m, rejected = len(p_values), set()
        for k, place in enumerate(sorted(range(m), key=lambda i: p_values[i])):
            if p_values[place] * (m - k) > level:  # the first that stays ends the steps
                break
            rejected.add(place)
        assert {i for i, p in enumerate(correct_p_values(p_values, "holm")) if min(p, 1.0) <= level} == (
            rejected if level < 1.0 else set(range(m))
        )


class TestBenjaminiHochberg:
    @given(P_VALUES)
    def test_as_scipy(self, p_values):
        np.testing.assert_allclose(
            correct_p_values(p_values, "fdr_bh"), false_discovery_control(p_values), rtol=1e-12
        )


@pytest.mark.parametrize("correction", CORRECTIONS)
class TestBoth:
    def test_nan_is_no_test(self, correction):
        found = correct_p_values([0.01, math.nan, 0.04, math.nan, 0.03], correction)
        assert np.isnan(found[[1, 3]]).all()
        assert found[[0, 2, 4]].tolist() == correct_p_values([0.01, 0.04, 0.03], correction).tolist()


@pytest.mark.parametrize("correction", [*CORRECTIONS, None])
class TestLogarithms:
    @given(st.lists(st.floats(1e-300, 1.0), min_size=1, max_size=30))
    def test_as_the_p_values(self, correction, p_values):
        """Two roundings and a logarithm of up to 700 apart."""
        found = correct_p_values(np.log(p_values), correction, as_logarithms=True)
        expected = np.log(correct_p_values(p_values, correction))
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)

    def test_below_all_floats(self, correction):
        found = correct_p_values([-5000.0, math.nan, -4000.0, -4000.0], correction, as_logarithms=True)
        factors = {"holm": (3, 2, 2), "fdr_bh": (3, 1, 1), None: (1, 1, 1)}[correction]
        expected = [-5000.0 + math.log(factors[0]), *(-4000.0 + math.log(each) for each in factors[1:])]
        np.testing.assert_allclose(found[[0, 2, 3]], expected, rtol=1e-15)
        assert math.isnan(found[1])


def test_a_corrected_p_value_below_all_floats_is_shown():
    """Of two candidates the better one has twice its p-value, both beyond floats."""
    reference = np.repeat(np.arange(20), 200)
    comparison = compare(
        reference, {"same": reference, "half": reference // 2}, index="mutual_information", interval=None
    )
    score = comparison["same"].score
    assert score.p_value < 1e-323
    assert comparison["same"].log_p_corrected == pytest.approx(score.log_p_value + math.log(2.0), rel=1e-15)
    row = next(row for row in comparison.boards()[0].rows if row[0] == "same")
    exponents = [int(text.partition("e")[2]) for text in row[-2:]]
    assert exponents[0] < -400
    assert exponents[1] - exponents[0] in (0, 1)
