"""Candidates against a reference: scores as those of `adjust`, ranks, corrections, tests against the best."""

import itertools
import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import chancecorr as cc
from chancecorr.comparison import evaluations
from chancecorr.comparison.compare import correct_p_values

N = 120
INDICES = ["rand", "jaccard", "mutual_information", "purity"]


def noisy(labels, share, seed):
    """Labels of which a share is drawn anew."""
    rng = np.random.default_rng(seed)
    changed = rng.random(labels.size) < share
    return np.where(changed, rng.integers(0, labels.max() + 1, labels.size), labels)


REFERENCE = np.random.default_rng(1).integers(0, 4, N)
CANDIDATES = {
    "good": noisy(REFERENCE, 0.2, 2),
    "fair": noisy(REFERENCE, 0.3, 3),
    "poor": noisy(REFERENCE, 0.8, 4),
    "noise": np.random.default_rng(5).integers(0, 4, N),
}


@pytest.fixture(scope="module")
def comparison():
    return cc.compare(REFERENCE, CANDIDATES, index=INDICES, rng=7)


class TestScores:
    @pytest.mark.parametrize("name", CANDIDATES)
    def test_are_those_of_adjust_to_the_bit(self, comparison, name):
        expected = cc.adjust(REFERENCE, CANDIDATES[name], index=INDICES, rng=7)
        for index in INDICES:
            assert repr(comparison[name][index].score.to_dict()) == repr(expected[index].to_dict())

    def test_all_keywords_of_adjust_arrive(self):
        options = {"method": "monte-carlo", "n_tables": 300, "alternative": "less", "best": 0.9}
        options |= {"model": "fixed-k", "rng": 7}
        found = cc.compare(REFERENCE, CANDIDATES, interval=None, **options)["good"]["rand"]
        assert found.score.to_dict() == cc.adjust(REFERENCE, CANDIDATES["good"], **options).to_dict()

    @pytest.mark.parametrize("keyword", ["strata", "weights"])
    @pytest.mark.parametrize("named", [False, True], ids=["by position", "by name"])
    def test_strata_and_weights_give_the_scores_of_adjust(self, keyword, named):
        of_objects = np.random.default_rng(8).integers(1, 4, N)
        reference, candidates = REFERENCE, CANDIDATES
        if named:
            names = [f"object {k}" for k in range(N)]
            reference = pd.Series(REFERENCE, names)
            candidates = {name: pd.Series(of, names)[::-1] for name, of in CANDIDATES.items()}
            of_objects = dict(zip(names[::-1], of_objects, strict=True))
        options = {keyword: of_objects, "n_tables": 200, "rng": 7, "index": ["rand", "purity"]}
        found = cc.compare(reference, candidates, **options)
        for name in CANDIDATES:
            expected = cc.adjust(reference, candidates[name], **options)
            for index in expected:
                assert repr(found[name][index].score.to_dict()) == repr(expected[index].to_dict())
                assert found[name][index].interval is None
        assert f"no intervals, no tests between candidates: none are known with {keyword}" in str(found)

    @pytest.mark.slow
    @pytest.mark.parametrize("n_jobs", [1, -1])
    def test_the_same_bits_for_any_number_of_threads(self, comparison, n_jobs):
        again = cc.compare(REFERENCE, CANDIDATES, index=INDICES, rng=7, n_jobs=n_jobs)
        assert repr(again.to_dict()) == repr(comparison.to_dict())  # nan as text, which equals itself

    def test_a_users_index_is_compared_too(self):
        def largest_cell(a, b):
            return float(np.bincount(np.asarray(a) * 10 + np.asarray(b)).max())

        mine = cc.indices.Index(name="largest_cell", function=largest_cell, needs="labels", best=N)
        found = cc.compare(REFERENCE, CANDIDATES, index=mine, n_tables=100, rng=0, n_jobs=2, interval=None)
        assert found["good"]["largest_cell"].observed == largest_cell(REFERENCE, CANDIDATES["good"])


class TestShared:
    def test_one_null_distribution_for_the_same_cluster_sizes_in_any_order(self, monkeypatch):
        models, find = [], evaluations.find_nulls
        monkeypatch.setattr(evaluations, "find_nulls", lambda *rest: models.append(rest) or find(*rest))
        rng = np.random.default_rng(0)
        shuffled = {k: rng.permutation([1, 3, 0, 2])[rng.permutation(CANDIDATES["good"])] for k in range(5)}
        found = cc.compare(REFERENCE, {"first": CANDIDATES["good"], **shuffled}, rng=1)
        assert len(models) == 1
        for name, labels in shuffled.items():
            expected = cc.adjust(REFERENCE, labels, rng=1)
            assert found[name]["rand"].adjusted == pytest.approx(expected.adjusted, rel=1e-12)
            assert found.tables[name] == cc.contingency_table(REFERENCE, labels)

    def test_the_same_clustering_by_other_names_has_the_same_numbers(self, monkeypatch):
        calls, original = [], evaluations.leave_out
        monkeypatch.setattr(evaluations, "leave_out", lambda *rest: calls.append(rest) or original(*rest))
        renamed = np.array([2, 0, 3, 1])[CANDIDATES["good"]]
        found = cc.compare(REFERENCE, {"a": CANDIDATES["good"], "b": renamed}, index=INDICES, rng=1)
        assert len(calls) == len(INDICES)  # of one candidate
        for index in INDICES:
            a, b = found["a"][index], found["b"][index]
            assert repr(a.score.to_dict()) == repr(b.score.to_dict())
            assert (a.rank, b.rank, a.among_best, b.among_best) == (1, 1, True, True)
            difference = found.difference("a", "b", index=index)
            assert (difference.difference, difference.p_value) == (0.0, 1.0)


def jackknife_of_objects(statistic, n):
    """Standard error of a statistic of the objects that are kept, each left out in turn."""
    without = np.array([statistic(np.arange(n) != i) for i in range(n)])
    return math.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())


class TestIntervals:
    @pytest.mark.slow
    def test_standard_errors_are_those_of_leaving_out_each_object(self, comparison):
        for name, labels in CANDIDATES.items():
            found = comparison[name]["rand"].interval
            expected = jackknife_of_objects(
                lambda kept, labels=labels: adjusted_rand_score(REFERENCE[kept], labels[kept]), N
            )
            assert found.standard_error == pytest.approx(expected, rel=1e-9)
            assert found.confidence == 0.95

    def test_differences_are_those_of_the_same_objects(self, comparison):
        good, fair = CANDIDATES["good"], CANDIDATES["fair"]

        def difference(kept):
            scores = [adjusted_rand_score(REFERENCE[kept], labels[kept]) for labels in (good, fair)]
            return scores[0] - scores[1]

        found = comparison.difference("good", "fair", index="rand")
        assert found.difference == pytest.approx(difference(np.full(N, True)), rel=1e-12)
        assert found.interval.standard_error == pytest.approx(jackknife_of_objects(difference, N), rel=1e-9)
        back = comparison.difference("fair", "good", index="rand")
        assert (back.difference, back.p_value) == pytest.approx((-found.difference, found.p_value))

    def test_none_leaves_them_out(self):
        found = cc.compare(REFERENCE, CANDIDATES, rng=7, interval=None)
        score = found["good"]["rand"]
        assert (score.interval, score.among_best, score.rank) == (None, None, 1)
        assert math.isnan(score.p_of_difference)
        with pytest.raises(ValueError, match=r"`interval` must be 'jackknife' in `compare`.*; got None"):
            found.difference("good", "fair")


class TestFamily:
    def test_the_tests_against_the_best_are_for_all_at_once(self, comparison):
        """No p-value is below that of its difference alone, nor above that of Bonferroni over all pairs."""
        for name in CANDIDATES:
            if name != "good":
                alone = comparison.difference("good", name, index="rand").p_value
                score = comparison[name]["rand"]
                assert alone <= score.p_of_difference <= min(1.0, 6 * alone * (1 + 1e-9))
                assert score.among_best == (score.p_of_difference > 0.05)
        assert comparison["good"]["rand"].among_best
        assert math.isnan(comparison["good"]["rand"].p_of_difference)
        assert [comparison[name]["rand"].among_best for name in ("poor", "noise")] == [False, False]


class TestRanks:
    def test_by_adjusted_score(self, comparison):
        for index in INDICES:
            ranked = comparison.ranked(index)
            assert [score.rank for score in ranked] == [1, 2, 3, 4]
            assert [s.adjusted for s in ranked] == sorted((s.adjusted for s in ranked), reverse=True)
            assert comparison.best(index) is ranked[0]

    def test_a_small_distance_is_the_best(self):
        found = cc.compare(REFERENCE, CANDIDATES, index="mirkin", rng=0, interval=None)
        assert found.best().candidate == "good"
        assert found.best().observed == min(found[name]["mirkin"].observed for name in CANDIDATES)


def test_ranks_of_ties_and_of_scores_that_are_undefined():
    fair, good = CANDIDATES["fair"], CANDIDATES["good"]
    candidates = {"a": fair, "b": range(N), "c": [(each, each) for each in fair], "d": good}
    found = cc.compare(REFERENCE, candidates, "wallace_2", interval=None)
    assert [found[name].rank for name in "abcd"] == [2, None, 2, 1]
    assert math.isnan(found["b"].low)


class TestDegenerate:
    def test_a_constant_candidate_agrees_by_chance(self):
        found = cc.compare(REFERENCE, {"constant": [0] * N, **CANDIDATES}, rng=7)
        score = found["constant"]["rand"]
        assert (score.adjusted, score.among_best) == (0.0, False)
        repr(found)

    @pytest.mark.parametrize("reference", [[0] * N, list(range(N))])
    def test_a_reference_of_one_cluster_or_of_singletons(self, reference):
        found = cc.compare(reference, {"a": CANDIDATES["good"], "same": reference}, rng=7)
        same = found["same"]["rand"]
        assert math.isnan(same.adjusted)
        assert (same.rank, same.among_best) == (None, False)
        assert "not adjusted" in repr(found)

    def test_one_object(self):
        found = cc.compare([0], {"a": [0], "b": [1]}, index=["rand", "jaccard"])
        for name, index in itertools.product("ab", ("rand", "jaccard")):
            score = found[name][index]
            assert math.isnan(score.adjusted)
            assert (score.rank, score.among_best, bool(score.remark)) == (None, False, True)
        message = r"`index` must have an adjusted score for some candidate; got 'rand'"
        with pytest.raises(ValueError, match=message):
            found.best("rand")
        assert math.isnan(found.difference("a", "b", index="rand").p_value)
        assert repr(found)
        assert found._repr_html_()

    def test_moments_alone_give_bounds(self):
        score = cc.compare(REFERENCE, CANDIDATES, method="analytic")["good"]["rand"]
        assert (score.score.p_is_bound, score.rank) == (True, 1)


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"candidates": {}}, r"`candidates` must hold at least 1 clustering; got none"),
            ({"candidates": 5}, r"`candidates` must be a dictionary of names and label vectors"),
            ({"candidates": {"a": [0, 1]}}, r"`candidates\['a'\]` must have the same .*; got 2 and 120"),
            (
                {"candidates": {"a": [None, *REFERENCE[1:]]}},
                r"`candidates\['a'\]` must not .*None at position 0",
            ),
            (
                {"candidates": pd.DataFrame([[0, 0]] * N, columns=["a", "a"])},
                r"`candidates` .*; got 'a' twice",
            ),
            ({"confidence": 1.0}, r"`confidence` must lie between 0 and 1; got 1.0"),
            ({"confidence": "high"}, r"`confidence` must be a number; got 'high'"),
            ({"correction": "fdr"}, r"`correction` must be one of .*; got 'fdr'. Did you mean 'fdr_bh'"),
            (
                {"weights": np.ones(N), "groups": REFERENCE},
                r"`groups` must be left out with `weights`",
            ),
            ({"strata": REFERENCE, "drop": "common"}, r"`drop` must be left out with `strata`"),
            ({"weights": np.ones(3)}, r"`weights` must have .*3"),
            ({"interval": "bootstrap"}, r"`interval` must be one of 'jackknife', None; got 'bootstrap'"),
            ({"index": "jacard"}, r"Did you mean 'jaccard'"),
            ({"confidense": 0.9}, "no keyword 'confidense'. Did you mean 'confidence'"),
            ({"n_jobs": 0}, r"`n_jobs` must be None or a whole number other than 0; got 0"),
        ],
    )
    def test_gets_a_line(self, options, message):
        with pytest.raises((ValueError, TypeError), match=message) as error:
            cc.compare(REFERENCE, **{"candidates": CANDIDATES, **options})
        assert "\n" not in str(error.value)

    def test_a_frame_with_another_index(self):
        frame = pd.DataFrame(CANDIDATES, index=range(1, N + 1))
        with pytest.raises(ValueError, match=r"`candidates\['good'\]` must have the index of `labels_true`"):
            cc.compare(pd.Series(REFERENCE), frame)
        found = cc.compare(REFERENCE, frame, rng=7)
        found = cc.compare(REFERENCE, frame, rng=7)["good"]["rand"]
        assert found.adjusted == cc.adjust(REFERENCE, CANDIDATES["good"], method="analytic").adjusted

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda found: found.difference("good", "fare", index="rand"), "`second` .*mean 'fair'"),
            (
                lambda found: found.difference(3, "good", index="rand"),
                "`first` must be one of 'good', .*; got 3",
            ),
            (
                lambda found: found.difference("good", "fair", index="jacard"),
                "`index` .*'jacard'. Did you mean",
            ),
            (lambda found: found.best(), "`index` must name one of the indices 'rand', .*; got None"),
            (lambda found: found["fare"], "candidate must be one of 'good', .*; got 'fare'.* mean 'fair"),
            (lambda found: found["good"]["dice_of_gods"], "dice_of_gods"),
        ],
    )
    def test_unknown_names(self, comparison, call, message):
        with pytest.raises((KeyError, ValueError), match=message):
            call(comparison)


class TestResult:
    def test_frame_has_a_row_for_each_candidate_and_index(self, comparison):
        frame = comparison.to_frame()
        assert len(frame) == 16
        row = frame.set_index(["candidate", "index"]).loc[("fair", "jaccard")]
        score = comparison["fair"]["jaccard"]
        assert (row["adjusted"], row["low"], row["rank"]) == (score.adjusted, score.interval.low, score.rank)
        assert list(frame.columns[:3]) == ["candidate", "index", "n"]

    def test_dict_is_plain(self, comparison):
        found = comparison.to_dict()
        assert (found["n"], found["confidence"], found["correction"]) == (N, 0.95, "holm")
        kinds = {type(value) for record in found["scores"] for value in record.values()}
        assert kinds == {str, int, float, bool, type(None)}  # None: not tested against the best

    def test_text_has_a_leaderboard_for_each_index(self, comparison):
        text = repr(comparison)
        for index in INDICES:
            of = {"rand": ": ARI of", "mutual_information": ": AMI of"}.get(index, ":")
            board = text[text.index(f"{index}{of} 4 candidates, n = 120") :].partition("\n\n")[0].splitlines()
            header = ["candidate", "rank", "adjusted", "95 % interval", "p", "p corrected"]
            assert re.split("  +", board[1]) == header
            assert [line.split()[0] for line in board[2:6]] == [s.candidate for s in comparison.ranked(index)]
            marks = [{"*": True, "?": None}.get(line[-1], False) for line in board[2:6]]
            assert marks == [score.among_best for score in comparison.ranked(index)]
            assert "p corrected: over the candidates, by Holm; *" in board[6]
            assert ("? not tested against the best" in board[6]) == (None in marks)

    def test_forms_for_papers_and_programs(self, comparison):
        parsed = json.loads(comparison.to_json(), parse_constant=pytest.fail)
        assert [each["candidate"] for each in parsed["scores"]][::4] == list(CANDIDATES)
        tables = comparison.to_latex().split("\n\n")
        assert len(tables) == len(comparison.to_markdown().split("rank |")) - 1 == len(INDICES)
        assert all("\\caption{" in table and table.endswith("\\end{table}") for table in tables)
        assert all(" $1$ & " in table for table in tables)
        assert "| candidate | rank | adjusted | 95 % interval |" in comparison.to_markdown()
        assert r"a\_b \& c & $1$ &" in cc.compare(REFERENCE, {"a_b & c": REFERENCE}).to_latex()

    def test_html_escapes_names(self):
        text = cc.compare(REFERENCE, {"<b>": REFERENCE}, method="analytic")._repr_html_()
        assert "<b>" not in text
        assert "&lt;b&gt;" in text

    def test_repr_of_a_score(self, comparison):
        text = repr(comparison["good"]["rand"])
        assert text.startswith("CandidateScore('good', 'rand', rank=1, adjusted=0.")
        assert f"{comparison['good']['rand']:.3f}" == f"{float(comparison['good']['rand']):.3f}"
        assert repr(comparison["good"]).count("\n") == 3


def test_a_family_with_a_bound_says_which_corrected_p_values_are_bounds():
    comparison = cc.compare(REFERENCE, CANDIDATES, "purity", rng=1, method="analytic")
    scores = [comparison[name]["purity"] for name in comparison]
    p_values = np.array([score.p_value for score in scores])
    known = ~np.isnan(p_values)
    bounds = np.array([score.p_is_bound for score in scores])
    assert bounds.any()
    rng, rising = np.random.default_rng(2), []
    for _ in range(200):  # any p-values below the bounds give corrected p-values that are not larger
        smaller = np.where(bounds, p_values * rng.random(p_values.size), p_values)
        rising.append(correct_p_values(smaller, "holm") <= [score.p_corrected for score in scores])
    assert np.all(np.array(rising)[:, known])
    for score, at_zero in zip(scores, correct_p_values(np.where(bounds, 0.0, p_values), "holm"), strict=True):
        assert score.p_corrected_is_bound == (at_zero < score.p_corrected)
        printed = next(line for line in repr(comparison).splitlines() if line.startswith(score.candidate))
        assert printed.count("≤") == score.p_is_bound + score.p_corrected_is_bound


def test_an_exact_p_value_beside_a_bound_may_be_corrected_to_a_bound():
    exact, bound = 0.01, 0.02  # the second may be far below the first, which then counts as the second
    assert correct_p_values([exact, bound], "holm")[0] == pytest.approx(0.02)
    assert correct_p_values([exact, 0.0], "holm")[0] == pytest.approx(0.01)
