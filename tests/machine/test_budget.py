"""What a budget is, and what is refused for want of room."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.jackknife import forecast_interval, forecast_leaving_out, leave_out


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
        forecasts = [forecast_interval(score.model, score.entry, is_simulated=False) for score in scores]
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
        assert 0.0 < forecast_interval(weighted.model, weighted.entry, is_simulated=False) < 0.01
        sides = (cc.Membership(np.eye(4)[labels]) for labels in (truth, found))
        permuted = cc.adjust(*sides, ["correlation"], budget=0.0001, rng=1, n_tables=30)["correlation"]
        assert permuted.printed_interval is None


class TestManyCandidates:
    """A budget holds for the intervals of all candidates, and is refused or kept in every state alike."""

    @staticmethod
    def draw(objects, clusters, candidates):
        rng = np.random.default_rng(0)
        return rng.integers(clusters, size=objects), list(rng.integers(clusters, size=(candidates, objects)))

    @pytest.mark.parametrize("index", ["purity", "clustering_accuracy", "reduced_nmi", "irm", "conll"])
    def test_intervals_beyond_the_budget_are_refused(self, index):
        """Of 5,000 objects in 80 x 80 each leaves out one of about 3,500 cells in turn."""
        truth, found = self.draw(5_000, 80, 4)
        began = time.process_time()
        with pytest.raises(ValueError, match=r"^`budget` must be at least \d+ \(seconds\) for intervals, wh"):
            cc.compare(truth, found, index, budget=0.01, rng=1)
        assert time.process_time() - began < 1.0
        scores = cc.compare(truth, found, index, budget=0.5, interval=None, rng=1)
        assert all(np.isfinite(scores[name][index].adjusted) for name in scores)

    def test_intervals_that_are_not_computed_take_no_time(self):
        """Of tables beyond four million cells."""
        rng = np.random.default_rng(0)
        truth, found = rng.integers(3_000, size=(2, 6_000))
        scores = cc.compare(truth, [found], "purity", budget=5.0, rng=1)
        assert np.isfinite(scores[0]["purity"].adjusted)

    @pytest.mark.parametrize("index", ["purity", "reduced_nmi"])
    def test_intervals_within_the_budget_take_no_longer(self, index):
        truth, found = self.draw(1_000, 12, 3)
        score = cc.compare(truth, found, index, budget=3.0, rng=1)[1][index]
        taken = []
        for _ in range(2):
            began = time.thread_time()
            leave_out(score.model, score.entry, score.null, None)
            taken.append(time.thread_time() - began)
        assert min(taken) < 2.0 * forecast_leaving_out(score.model, score.entry)

    @pytest.mark.slow
    def test_every_call_of_every_process_is_answered(self, tmp_path):
        """Kernels that ran as Python, because each of 78 answers needs few tables, were too slow for it."""
        script = (
            "import numpy as np, chancecorr as cc\n"
            "runs = list(np.random.default_rng(1).integers(80, size=(12, 6_000)))\n"
            "for _ in range(2):\n"
            "    print(cc.comparison.stability(runs, 'stiles', budget=0.5, rng=1).mean_adjusted < 0.1)\n"
        )
        for _ in range(3):  # machine code is not on disk, or it is
            done = subprocess.run(
                [sys.executable, "-c", script], env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
                capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr[-500:]
            assert done.stdout.split() == ["True"] * 2


@pytest.mark.parametrize(
    ("given", "said"), [({}, "none, which allows 3 s of simulation"), ({"budget": 0.5}, "0.5 s")]
)
def test_a_refusal_says_which_budget_was_given(given, said):
    first, second = np.random.default_rng(0).integers(0, 1000, (2, 4000))
    with pytest.raises(ValueError, match=rf"`budget` must be at least .*; got {said}: its mean has to be"):
        cc.adjust(first, second, "irm", rng=1, **given)
    shared = " by 2 answers that share the budget" if given else ""
    with pytest.raises(ValueError, match=rf"; got {said}: its mean has to be simulated{shared}, and a table"):
        cc.compare(first, {"a": first, "b": second}, "irm", interval=None, rng=1, **given)
