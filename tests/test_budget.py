"""What a budget is, and what is refused for want of room."""

import numpy as np
import pytest

import chancecorr as cc


class TestBytes:
    def test_tables_that_no_machine_holds_are_refused_at_once(self):
        margins = cc.Margins([1000] * 10_000, [1000] * 10_000)
        with pytest.raises(ValueError, match=r"^`n_tables` asks for 14 TB for tables of 10,000 by 10,000;"):
            cc.sample_tables(margins, 17_000)


@pytest.mark.parametrize(("given", "error"), [(0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_bytes_that_are_none_are_refused(given, error):
    with pytest.raises(error, match=r"^`budget` must have a"):
        cc.Budget(bytes=given)


class TestIntervalsOfLists:
    """Of 2,000 objects in 40 x 40: an interval takes 3 ms by a pair index, 20 by a sum over cells."""

    NAMES = ("rand", "nmi_sum", "jaccard", "homogeneity", "dice", "completeness", "wallace_1", "v_measure")

    def adjust(self, budget):
        rng = np.random.default_rng(1)
        truth, other = rng.integers(40, size=(2, 2_000))
        found = np.where(rng.random(2_000) < 0.5, truth, other)
        scores = list(cc.adjust(truth, found, self.NAMES, budget=budget, rng=1).values())
        forecasts = [score.model.forecast_interval(score.entry, is_simulated=False) for score in scores]
        return [score.printed_interval is not None for score in scores], forecasts

    def test_all_have_one_if_no_budget_is_given(self):
        made, forecasts = self.adjust(None)
        assert all(made)
        assert 0.08 < sum(forecasts) < 0.1

    @pytest.mark.parametrize("budget", [0.004, 0.006, 0.02, 0.05, 0.08])
    def test_their_forecasts_keep_within_the_budget(self, monkeypatch, budget):
        monkeypatch.setattr("chancecorr.correction.adjust.read_clock", lambda: 0.0)
        made, forecasts = self.adjust(budget)
        left = budget
        for is_made, forecast in zip(made, forecasts, strict=True):
            assert is_made == (forecast <= left)
            left -= forecast if is_made else 0.0
        assert not all(made)

    def test_what_the_scores_took_is_spent(self, monkeypatch):
        clock = iter((0.0, 60.0))
        monkeypatch.setattr("chancecorr.correction.adjust.read_clock", lambda: next(clock))
        assert not any(self.adjust(59.999)[0])

    def test_weighted_and_permuted_objects_forecast_theirs(self):
        rng = np.random.default_rng(1)
        truth, found = rng.integers(4, size=(2, 300))
        weights = rng.random(300)
        weighted = cc.adjust(truth, found, ["rand"], weights=weights)["rand"]
        assert 0.0 < weighted.model.forecast_interval(weighted.entry, is_simulated=False) < 0.01
        sides = (cc.Membership(np.eye(4)[labels]) for labels in (truth, found))
        permuted = cc.adjust(*sides, ["correlation"], budget=0.0001, rng=1, n_tables=30)["correlation"]
        assert permuted.printed_interval is None
