"""Rules that each answer of `adjust` keeps: every kind of clustering, with every keyword and every index.

A call either has an answer that keeps the rules, or is refused in one line that names the argument.
"""

import inspect
import json
import math
import pickle
import re

import numpy as np
import pytest

import chancecorr as cc
from tests.contracts import kinds
from tests.contracts.kinds import DRAWS, KIND, NO_ANSWER, RIGHT, SEED, WRONG, call, collect, require_none

pytestmark = pytest.mark.slow


def test_all_keywords_are_here():
    keywords = {*inspect.signature(cc.adjust).parameters} - {"labels_true", "labels_pred", "index"}
    assert {*RIGHT} == {*WRONG} == keywords


def check_numbers(score):
    low, high = (-math.inf, math.inf) if score.index == "own" else cc.get_index(score.index).range
    for name in ("observed", "expected"):
        value = getattr(score, name)
        assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, f"{name} {value} is out of range"
    assert math.isfinite(score.adjusted) or score.remark, "no adjusted score, and no remark"
    assert math.isnan(score.p_value) or 0.0 < score.p_value <= 1.0, f"p-value {score.p_value}"
    assert not score.p_value > score.p_upper, f"p-value {score.p_value} above its limit {score.p_upper}"
    assert not score.std < 0.0
    if score.method == "monte-carlo":
        assert score.n_tables > 0, "a simulated mean without draws"


def check_simulated_p_value(score, alternative):
    if score.p_value_from != "monte-carlo":
        return
    m = score.n_tables
    reached = score.p_value * (m + 1) / (2 if alternative == "two-sided" else 1) - 1
    whole = abs(reached - round(reached)) < 1e-6 and 0 <= round(reached) <= m
    assert whole or (alternative == "two-sided" and score.p_value == 1.0), score.p_value


def check_draws(score, options):
    """The number of draws, and their seed."""
    method, wanted, m = options.get("method", "auto"), options.get("n_tables"), score.n_tables
    if isinstance(method, cc.MonteCarlo):
        wanted, method = (method.n_tables or wanted), ("monte-carlo" if method.only else "auto")
    if method == "monte-carlo":
        assert score.method == "monte-carlo", f"mean from {score.method}"
        assert score.p_value_from in ("monte-carlo", None), f"p-value from {score.p_value_from}"
    if wanted is not None:
        if options.get("budget") is None:
            assert m == wanted or (m == 0 and method != "monte-carlo"), f"{m} draws in place of {wanted}"
        assert m <= wanted
    if (wanted is None or wanted >= 20) and score.method == "monte-carlo":
        assert m >= 20, f"a mean of {m} draws"
    rng = options.get("rng", SEED)
    if isinstance(rng, int):
        assert score.seed == (rng if m else None), f"seed {score.seed} for {m} draws by {rng}"
    elif m:
        assert (score.seed is None) == isinstance(rng, np.random.Generator | np.random.SeedSequence)


def check_method(score, options):
    method = options.get("method", "auto")
    if method in ("analytic", "exact"):
        assert score.n_tables == 0, f"{score.n_tables} draws"
    if method == "exact":
        assert score.p_value_from in ("exact", "cumulants", None), f"p-value from {score.p_value_from}"
    if isinstance(options.get("best"), float | int):
        assert score.best == options["best"], f"best {score.best}"
    if options.get("noise") == {0: "drop"}:
        assert score.n < kinds.N, f"{score.n} objects"
    model = score.null.model if "model" in options else None
    assert model in (None, options.get("model"), "permutation within strata"), f"model {model}"


def check(score, index, options):
    """Raise if a score breaks a rule of the call that it is of."""
    names = [index] if isinstance(index, str) else [*np.ravel(index), "own"]
    assert index is kinds.LEFT_OUT or score.index in names
    check_numbers(score)
    check_simulated_p_value(score, options.get("alternative"))
    check_draws(score, options)
    check_method(score, options)


def methods_for(name, keyword):
    """Methods with which a keyword is tried: all where the index is named alone."""
    if keyword in ("method", "noise", "missing", "rng", "n_jobs"):
        return ("auto", "monte-carlo") if name == "one" and keyword != "method" else ("auto",)
    every = {"one": ("auto", "analytic", "exact", "monte-carlo"), "own": ("auto", "monte-carlo")}
    return every.get(name, ("auto",))


@pytest.mark.parametrize("keyword", RIGHT)
@pytest.mark.parametrize("kind", KIND)
def test_each_keyword(kind, keyword):
    broken = []
    for value in RIGHT[keyword]:
        for name, index in kinds.indices_of(kind).items():
            for method in methods_for(name, keyword):
                options = {"n_tables": DRAWS, "method": method} | {keyword: value}
                if options["method"] == "search" or (options["n_tables"] is None and name != "left out"):
                    options = {"budget": 0.02} | options
                collect(broken, kind, index, options, check)
    require_none(broken)


@pytest.mark.parametrize("keyword", WRONG)
@pytest.mark.parametrize("kind", KIND)
def test_a_wrong_value_is_refused(kind, keyword):
    def names_it(argument, text):
        return f"`{keyword}`" in text or argument in ("labels_true", "labels_pred")

    broken = []
    for value in WRONG[keyword]:
        for name, index in kinds.indices_of(kind).items():
            options = {"n_tables": DRAWS} | {keyword: value}
            collect(broken, kind, index, options, kinds.refuse_answer, names_it if name == "one" else None)
    require_none(broken)


@pytest.mark.parametrize("kind", KIND)
def test_names_of_indices(kind):
    """A name that no index has, none at all, the same one twice, and names in an array."""
    one = kinds.indices_of(kind)["one"]
    for index in ("rnad", ["rnad"], [one, "rnad"], [], 7):
        with pytest.raises(kinds.RefusedError) as refused:
            call(kind, index)
        assert refused.value.args[0] in ("index", "labels_true"), refused.value.args[1]
    if kind in NO_ANSWER:
        return
    (alone,) = call(kind, one, n_tables=DRAWS)
    for index in ([one], (one, one), np.array([one])):
        (score,) = call(kind, index, n_tables=DRAWS)
        assert score.to_json() == alone.to_json()


@pytest.mark.parametrize("kind", KIND)
def test_several_indices_have_what_each_alone_has(kind):
    indices = kinds.indices_of(kind)
    several = dict.fromkeys([*indices["several"], *([kinds.own] if kind.startswith("labels") else [])])
    for method in ("auto", "monte-carlo"):
        options = {"n_tables": DRAWS, "method": method}
        try:
            scores = call(kind, list(several), **options)
            alone = [call(kind, index, **options)[0] for index in several]
        except kinds.RefusedError as refused:
            assert refused.args[0] in ("index", "method", "weights", "labels_true")  # noqa: PT017
            continue
        for one, other in zip(scores, alone, strict=True):
            if method == "monte-carlo":
                assert one.to_json() == other.to_json()
            assert (one.observed, one.best, one.index) == (other.observed, other.best, other.index)


def forms_of(score, index, options):
    """Raise if a score cannot be printed, written, read again or given an interval."""
    for text in (repr(score), str(score), score.to_text(), score.to_text(wide=True), score.summary()):
        assert text.strip()
        assert "object at 0x" not in text
    numbers = score.to_dict()
    assert list(numbers) == list(json.loads(score.to_json(), parse_constant=pytest.fail))
    frame = score.to_frame()
    assert list(frame.index) == [score.asked_as]
    of_interval = ["confidence", "low", "high", "interval_remark"]
    assert list(frame.columns) == [name for name in numbers if name != "asked_as"] + of_interval
    again = pickle.loads(pickle.dumps(score))
    assert again.to_json() == score.to_json()
    try:
        low, high = score.interval()
    except ValueError as error:
        assert re.match(r"`\w+` must [^\n]*$", str(error))  # noqa: PT017
        return
    assert math.isnan(low) or math.isnan(high) or low <= high
    if index is not kinds.own:
        assert repr(again.interval()) == repr(score.interval())


@pytest.mark.parametrize("kind", KIND)
def test_each_form(kind):
    broken = []
    for name, index in kinds.indices_of(kind).items():
        for method in ("auto", "analytic", "exact", "monte-carlo") if name != "own" else ("auto",):
            collect(broken, kind, index, {"n_tables": DRAWS, "method": method}, forms_of)
    require_none(broken)


@pytest.mark.parametrize("name", kinds.NAMES)
@pytest.mark.parametrize("kind", KIND)
def test_a_seed_gives_the_same_bits(kind, name):
    index, broken = kinds.indices_of(kind)[name], []
    for method in ("auto", "analytic", "exact", "monte-carlo"):

        def same(score, index, options):
            for rng, n_jobs in ((SEED, None), (SEED, 2), (np.int64(SEED), 1)):
                again = call(kind, index, **options | {"rng": rng, "n_jobs": n_jobs})
                assert score.to_json() in [each.to_json() for each in again], f"rng={rng}, n_jobs={n_jobs}"

        collect(broken, kind, index, {"n_tables": DRAWS, "method": method}, same)
    require_none(broken)


@pytest.mark.parametrize("kind", KIND)
def test_seeds_of_each_kind(kind):
    """The seed that a score shows repeats it; SeedSequences and Generators repeat themselves."""
    index = kinds.indices_of(kind)["one"]
    options = {"n_tables": DRAWS, "method": "monte-carlo"}
    if kind in NO_ANSWER:
        return
    (score,) = call(kind, index, rng=None, **options)
    assert isinstance(score.seed, int)
    assert call(kind, index, rng=score.seed, **options)[0].to_json() == score.to_json()
    for make in (np.random.SeedSequence, np.random.default_rng):
        one, other, third = (call(kind, index, rng=make(k), **options)[0] for k in (1, 1, 2))
        assert one.to_json() == other.to_json() != third.to_json()
    generator = np.random.default_rng(1)
    first, second = (call(kind, index, rng=generator, **options)[0] for _ in range(2))
    assert first.to_json() != second.to_json()


@pytest.mark.parametrize("n_tables", [1, 2, 19, 20, 60])
@pytest.mark.parametrize("kind", KIND)
def test_simulation_draws_what_was_asked(kind, n_tables):
    broken = []
    for index in kinds.indices_of(kind).values():
        for method in ("monte-carlo", cc.MonteCarlo(n_tables=n_tables)):
            collect(broken, kind, index, {"n_tables": n_tables, "method": method}, check)
    require_none(broken)


@pytest.mark.parametrize("kind", KIND)
def test_a_checkpoint_is_written_or_refused(kind, tmp_path):
    for name, index in kinds.indices_of(kind).items():
        path = tmp_path / f"{name.replace(' ', '_')}.npz"
        options = {"n_tables": None, "method": cc.MonteCarlo(n_tables=300, checkpoint=path)}
        try:
            first = call(kind, index, **options)
        except kinds.RefusedError:
            assert not path.exists()
            continue
        assert path.exists()
        assert [each.n_tables for each in first] == [300] * len(first)
        assert [each.to_json() for each in call(kind, index, **options)] == [each.to_json() for each in first]


def reach(precision):
    """A rule of scores: the wanted half-width is reached, but for what a standard deviation may be off."""

    def reached(score, index, options):
        assert score.n_tables == 0 or score.n_tables >= 20, f"a mean of {score.n_tables} draws"
        error = 2.576 * score.monte_carlo_error
        said = f"half-width {error:.3g} after {score.n_tables} draws, and no note says so"
        assert error <= 1.25 * precision or score.notes, said

    return reached


@pytest.mark.parametrize("precision", [0.2, 0.02])
@pytest.mark.parametrize("kind", KIND)
def test_a_precision_is_reached_or_refused(kind, precision):
    broken = []
    for name, index in kinds.indices_of(kind).items():
        for only, most in ((True, 30), (False, 500)):
            method = cc.MonteCarlo(precision=precision, only=only, n_tables=None if name == "one" else most)
            collect(broken, kind, index, {"method": method}, reach(precision))
    require_none(broken)
