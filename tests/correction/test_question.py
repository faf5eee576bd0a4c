"""A question: each thing is found once, at its first use, and warnings lead to who asked."""

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.chance.options import request
from chancecorr.chance.pairs import Pairs
from chancecorr.correction.affordable import Plan
from chancecorr.correction.question import Question, questions_about
from chancecorr.correction.sampling import _first_look, _tables_needed, reductions_of, sample_values
from chancecorr.indices.registry import get_indices
from chancecorr.simulation.sequential import cautious, tables_needed

MARGINS = cc.Margins([5, 4, 3], [6, 3, 3])


def question(index="jaccard", **options):
    return questions_about(MARGINS, get_indices(index), request(options))[0]


def test_a_direction_is_looked_for_once(monkeypatch):
    seen = []
    monkeypatch.setattr(Pairs, "direction", lambda _, index, margins: seen.append(index.name) or 1)
    asked = question()
    assert (asked.direction, asked.direction, seen) == (1, 1, ["jaccard"])


@pytest.mark.parametrize(
    ("index", "options", "settled"),
    [
        ("rand", {}, True),
        ("purity", {}, False),
        ("rand", {"method": "monte-carlo"}, False),
        ("rand", {"model": "fixed-k"}, True),
        ("jaccard", {"model": "fixed-k"}, False),
    ],
)
def test_a_mean_is_settled_if_the_margins_determine_it(index, options, settled):
    asked = question(index, **options)
    assert asked.settled is settled
    assert (asked.controls is None) is (settled or bool(options))


@pytest.mark.heavy
def test_the_expected_value_alone_is_that_of_the_whole():
    for name in cc.list_indices():
        asked = question(name)
        if asked.mean is not None and np.isfinite(asked.mean):
            whole, error = cc.null_distribution(MARGINS, name), asked.known.error
            assert asked.mean == pytest.approx(whole.mean, rel=1e-12, abs=whole.error + error + 1e-15), name


@pytest.mark.heavy
def test_a_warning_leads_to_the_caller():
    def lists(table, row_totals, column_totals):
        return float(len({0: [table.max(), "two"]}))  # Numba refuses it

    index = cc.indices.Index(name="lists", function=lists, needs="table")
    with pytest.warns(RuntimeWarning, match="lists") as caught:
        cc.adjust_table(np.diag([3, 3]), index=index, n_tables=9, rng=0)
    assert caught[0].filename == __file__


def test_a_question_cannot_be_changed():
    with pytest.raises(AttributeError):
        Question(index=cc.get_index("rand"), margins=MARGINS, asked=request({})).asked = None


def test_indices_of_one_sum_share_its_tally():
    """The normalized mutual informations are functions of the mutual information and the cluster sizes."""
    questions = questions_about(MARGINS, get_indices(["purity", "nmi_sum", "rand", "nmi_max"]), request({}))
    keys = {each.index.name: each.key for each in reductions_of(questions, with_controls=False)}
    assert keys["nmi_sum"] == keys["nmi_max"] == "nmi_sum"
    assert len(set(keys.values())) == len(keys) - 1


def test_the_first_look_is_after_the_tables_that_a_known_variance_needs():
    """The half-width of a 99 % interval of the mean of m values is ``2.576 std / sqrt(m)``."""
    asked = question("rand", method=cc.MonteCarlo(precision=1e-3))
    m = _first_look([asked])
    assert 2.5758293 * asked.std / m**0.5 <= 1e-3 < 2.5758293 * asked.std / (m - 1) ** 0.5


def test_tables_needed_go_by_the_variance_of_the_values_and_what_control_variates_save():
    asked = question("purity", method=cc.MonteCarlo(precision=1e-3, controls=True))
    sample = sample_values([asked], Plan(n_tables=2_000, seconds=1e-6, allowed=1.0))["purity"]
    values, reduction = np.repeat(sample.joint.values, sample.joint.counts), sample.mean.variance_reduction
    assert reduction > 1.05
    variance = cautious(values.var(), stats.kurtosis(values), values.size)
    needed = tables_needed(variance, 1.0, reduction, 1e-3)
    assert _tables_needed([asked], {"purity": sample}, values.size) == pytest.approx(needed, rel=0.01)


def test_a_mean_that_is_known_leaves_the_others_what_they_need():
    questions = [question(name, method=cc.MonteCarlo(precision=1e-3)) for name in ("rand", "purity")]
    samples = sample_values(questions, Plan(n_tables=1_000, seconds=1e-6, allowed=1.0))
    alone = _tables_needed(questions[1:], samples, 1_000)
    assert questions[0].std is not None
    assert _tables_needed(questions, samples, 1_000) == alone > 1_000


def test_a_variance_that_is_not_finite_counts_no_tables():
    """Of equal clusterings ``a / (b + c)`` is 1/0."""
    asked = request({"method": cc.MonteCarlo(precision=0.1, controls=False)})
    margins = cc.Margins([5, 4, 3], [5, 4, 3])
    of_jaccard, of_kulczynski = questions_about(margins, get_indices(["jaccard", "kulczynski_1"]), asked)
    assert of_jaccard.std > 0.0
    assert of_kulczynski.std is None
