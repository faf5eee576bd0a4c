"""A model: what is known of an index is computed once, at its first use; warnings lead to the caller."""

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.chance.models import make_model_of_margins
from chancecorr.chance.table_draws import plan_reductions
from chancecorr.correction.options import read_options
from chancecorr.correction.simulation import Plan, _count_draws_needed, _plan_first_look, draw_samples
from chancecorr.indices.registry import find_indices
from chancecorr.sampling.precision import bound_variance, count_tables_needed

MARGINS = cc.Margins([5, 4, 3], [6, 3, 3])


def model_and_index(index="jaccard", **options):
    return make_model_of_margins(MARGINS, read_options(**options)), cc.get_index(index)


def plan(n_draws):
    return Plan(n_draws=n_draws, wanted=n_draws, seconds=1e-6, allowed=1.0)


@pytest.mark.parametrize(
    ("index", "options", "settled"),
    [
        ("rand", {}, True),
        ("purity", {}, True),
        ("clustering_accuracy", {}, False),
        ("rand", {"method": "monte-carlo"}, False),
        ("rand", {"model": "fixed-k"}, True),
        ("jaccard", {"model": "fixed-k"}, False),
    ],
)
def test_a_mean_is_settled_if_the_margins_determine_it(index, options, settled):
    model, entry = model_and_index(index, **options)
    assert model.knows_mean(entry) is settled
    assert (model.find_controls(entry) is None) is (settled or bool(options))


def test_indices_of_one_sum_share_its_tally():
    """The normalized mutual informations are functions of the mutual information and the cluster sizes."""
    indices = [found.entry for found in find_indices(["purity", "nmi_sum", "rand", "nmi_max"])]
    keys = {each.index.name: each.key for each in plan_reductions(indices, with_controls=False)}
    assert keys["nmi_sum"] == keys["nmi_max"] == "nmi_sum"
    assert len(set(keys.values())) == len(keys) - 1


def test_the_first_look_is_after_the_tables_that_a_known_variance_needs():
    """The half-width of a 99 % interval of the mean of m values is ``2.576 std / sqrt(m)``."""
    model, index = model_and_index("rand", method=cc.MonteCarlo(precision=1e-3))
    m, std = _plan_first_look(model, [index], 1e-3), model.std(index)
    assert 2.5758293 * std / m**0.5 <= 1e-3 < 2.5758293 * std / (m - 1) ** 0.5


def test_tables_needed_go_by_the_variance_of_the_values_and_what_control_variates_save():
    model, index = model_and_index("purity", method=cc.MonteCarlo(precision=1e-3, controls=True))
    sample = draw_samples(model, [index], plan(2_000))[1]["purity"]
    values, reduction = np.repeat(sample.values.values, sample.values.counts), sample.mean.variance_reduction
    assert reduction > 1.05
    variance = bound_variance(values.var(), stats.kurtosis(values), values.size)
    needed = count_tables_needed(variance, 1.0, reduction, 1e-3)
    found = _count_draws_needed(model, [index], {"purity": sample}, values.size, 1e-3)
    assert found == pytest.approx(needed, rel=0.01)
