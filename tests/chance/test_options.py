"""The door: every keyword is checked by its name, with one line that says the rule; nothing else is taken."""

import inspect

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.options import read_options
from chancecorr.machine.arguments import ArgumentError
from tests.simulated import with_settings

X, Y = [0, 0, 1, 1], [0, 0, 1, 2]
MARGINS = cc.Margins([20, 30, 40], [25, 25, 40])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "exakt"}, ValueError, r"`method` must be one of .*'exakt'\. Did you mean 'exact'\?"),
        ({"method": ["exact"]}, ValueError, r"`method` must be one of .*; got \['exact'\]\."),
        ({"model": "fixed_k"}, ValueError, r"`model` must be one of .* Did you mean 'fixed-k'\?"),
        ({"n_tables": 0}, ValueError, r"`n_tables` must be at least 1; got 0\."),
        ({"n_tables": 1.5}, TypeError, r"`n_tables` must be a whole number; got 1\.5\."),
        ({"n_jobs": 0}, ValueError, r"`n_jobs` must be None or a whole number other than 0; got 0\."),
        ({"rng": "seed"}, TypeError, r"`rng` must be None, a whole number, a SeedSequence or a Generator"),
        ({"rng": -1}, ValueError, r"`rng` must not be negative; got -1\."),
        ({"progress": "yes"}, TypeError, r"`progress` must be True, False or None; got 'yes'\."),
        ({"controls": "yes"}, TypeError, r"`controls` must be True, False or None; got 'yes'\."),
        ({"precision": "a"}, TypeError, r"`precision` must be a number above 0, or None; got 'a'\."),
        ({"precision": 0.0}, ValueError, r"`precision` must be a number above 0, or None; got 0\.0\."),
        ({"precision": 10**400}, ValueError, "`precision` must be a number above 0, or None; got 1000"),
        ({"best": 10**400}, ValueError, r"`best` must be a number below 1\.8e308; got a larger one\."),
        ({"best": "meen"}, ValueError, r"`best` must be a number, 'mean' or None; got 'meen'"),
        ({"best": [1]}, TypeError, r"`best` must be a number, 'mean' or None; got \[1\]\."),
        ({"alternative": "greatr"}, ValueError, r"`alternative` must be one of .* Did you mean 'greater'\?"),
        ({"noise": "dropp"}, ValueError, r"`noise` must be one of .* Did you mean 'drop'\?"),
        ({"missing": "rais"}, ValueError, r"`missing` must be one of .* Did you mean 'raise'\?"),
    ],
)
def test_each_keyword_is_checked_by_name(options, error, message):
    with pytest.raises(error, match="^" + message) as caught:
        with_settings(cc.adjust)(X, Y, **options)
    assert isinstance(caught.value, ArgumentError)
    assert caught.value.argument == next(iter(options))


@pytest.mark.parametrize("function", [cc.adjust, cc.adjust_table, cc.null_distribution, cc.score])
def test_an_unknown_keyword_is_named(function):
    arguments = {cc.adjust: (X, Y), cc.score: (X, Y)}.get(function, (cc.contingency_table(X, Y),))
    with pytest.raises(TypeError, match="'sead'"):
        function(*arguments, sead=1)


def test_settings_of_a_simulation():
    settings = cc.MonteCarlo(n_tables=300, precision=0.1, controls=True, progress=False, only=False)
    asked = read_options(method=settings, rng=1)
    assert (asked.method.name, asked.n_tables, asked.precision) == ("auto", 300, 0.1)
    assert (asked.controls, asked.progress) == (True, False)
    assert read_options(method=cc.MonteCarlo(), rng=1) == read_options(method="monte-carlo", rng=1)
    assert read_options(method=cc.MonteCarlo(), n_tables=50).n_tables == 50
    keywords = [p for p in inspect.signature(cc.adjust).parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert len(keywords) <= 12  # two of them say which objects chance exchanges, and what these weigh


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"n_tables": -5}, ValueError, r"`n_tables` must be at least 1; got -5\."),
        ({"precision": "x"}, TypeError, r"`precision` must be a number above 0, or None; got 'x'\."),
        ({"only": "no"}, TypeError, "`only` must be True"),
        ({"only": None}, TypeError, "`only` must be True"),
        ({"stop_after": 0}, ValueError, r"`stop_after` must be at least 1; got 0\."),
        ({"controls": 2}, TypeError, "`controls` must be True"),
        (
            {"stop_after": 5, "checkpoint": "kept"},
            ValueError,
            "`stop_after` must be None with a `checkpoint`",
        ),
    ],
)
def test_settings_are_checked_when_they_are_made(settings, error, message):
    with pytest.raises(error, match="^" + message):
        cc.MonteCarlo(**settings)


def test_a_number_of_tables_is_given_once():
    """100 tables were drawn for `n_tables=500` without a word."""
    with pytest.raises(
        ValueError, match=r"^`n_tables` must be None with `method=MonteCarlo\(n_tables=\.\.\.\)`"
    ):
        cc.adjust(X, Y, method=cc.MonteCarlo(n_tables=100), n_tables=500)


def test_a_generator_is_not_advanced_by_a_bad_call():
    rng, same = np.random.default_rng(1), np.random.default_rng(1)
    with pytest.raises(ValueError, match="`model` must be"):
        cc.adjust(X, Y, rng=rng, model="none")
    assert rng.integers(1 << 40) == same.integers(1 << 40)


def test_calls_that_share_a_budget_have_a_part_each():
    assert read_options(budget=4.0).split_budget(4).budget.seconds == 1.0
    unlimited = read_options(budget=None)
    assert unlimited.split_budget(4) is unlimited


MODELS_OF_SIZES = ("permutation", "fixed-k", "all-partitions", "one-sided-fixed-k", "multinomial")


class TestEveryDoorTakesTheSameKeywords:
    FIRST, SECOND = np.random.default_rng(3).integers(3, size=(2, 30)).tolist()

    @pytest.mark.parametrize("index", ["rand", "purity", "nmi_sum"])
    @pytest.mark.parametrize("model", MODELS_OF_SIZES)
    def test_models(self, index, model):
        score = cc.adjust(self.FIRST, self.SECOND, index, model=model, rng=1)
        table = cc.contingency_table(self.FIRST, self.SECOND)
        assert cc.adjusted_score(self.FIRST, self.SECOND, index, model=model, rng=1) == score.adjusted
        assert cc.tail_probability(table, index, model=model, rng=1, method="auto").p_value == score.p_value

    def test_draws(self):
        model = cc.Draws([np.roll(np.arange(30), k) for k in range(30)])
        score = cc.adjust(self.FIRST, self.SECOND, "jaccard", model=model)
        assert cc.adjusted_score(self.FIRST, self.SECOND, "jaccard", model=model) == score.adjusted

    @pytest.mark.parametrize("index", ["rand", "purity", "nmi_sum"])
    def test_weights(self, index):
        """A weight of k is k objects, of an index that pairs of one object with itself do not enter."""
        weights = np.arange(30) % 4
        repeated = (np.repeat(side, weights) for side in (self.FIRST, self.SECOND))
        found = cc.score(self.FIRST, self.SECOND, index, weights=weights)
        assert (
            found == cc.adjust(self.FIRST, self.SECOND, index, weights=weights, rng=1, n_tables=30).observed
        )
        if index != "rand":
            assert found == pytest.approx(cc.score(*repeated, index), rel=1e-12)
        assert cc.score(self.FIRST, self.SECOND, index, weights=np.ones(30)) == pytest.approx(
            cc.score(self.FIRST, self.SECOND, index), rel=1e-12
        )
