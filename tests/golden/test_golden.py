"""The same seed gives the same bits, and the public names are those promised, whatever is moved."""

import dataclasses
import inspect
import itertools
import json
from types import ModuleType

import pytest

import chancecorr as cc
from tests.golden import bits

GOLDEN = json.loads(bits.FILE.read_text())

NAMES = [
    "AdjustedScore", "AdjustedScores", "ContingencyTable", "GaussianComponents", "Index",
    "IndexEvaluationError", "Margins", "NullDistribution", "PUBLISHED_INDICES", "PairCounts",
    "PrototypeMaps", "adjust", "adjust_table", "arimm", "arimp", "centroid_index",
    "centroid_similarity_index", "consensus_matrix", "contingency_table", "get_index", "list_indices",
    "map_prototypes", "null_distribution", "register_index", "sample_tables", "score", "score_table",
    "unregister_index",
]  # fmt: skip

READING = {"noise": None, "missing": "raise"}
SIMULATING = {
    "method": "auto", "n_tables": None, "rng": None, "n_jobs": None, "model": "permutation",
}  # fmt: skip
ADJUSTING = {"index": "rand", **SIMULATING, "best": None, "alternative": None}
KEYWORDS = {
    "adjust": ADJUSTING | READING | {"index": None},  # the default depends on the kind of clustering
    "adjust_table": ADJUSTING,
    "null_distribution": SIMULATING,
    "score": READING,
    "contingency_table": READING,
    "sample_tables": {"rng": None},
}

ATTRIBUTES = {
    "AdjustedScore": "index observed expected variance std monte_carlo_error adjusted z_score p_value method"
    " n_tables null best p_value_from p_relative_error remark adjusted_monte_carlo_error to_dict",
    "AdjustedScores": "to_dict to_frame notes",
    "NullDistribution": "mean variance std skewness kurtosis monte_carlo_error confidence_interval quantile"
    " p_value values weights mean_from values_from n_tables moments error counts lost_mass analytic model"
    " to_dict",
    "ContingencyTable": "counts row_totals column_totals n margins pair_counts",
    "Margins": "row_totals column_totals n",
    "Index": "name aliases family needs range best formula source",
}


def public(name):
    """What a public name stands for, in the package or in one of its rooms."""
    rooms = ("tables", "indices", "correction", "comparison", "ensembles", "prototypes", "catalogue")
    places = cc, *(getattr(cc, room) for room in rooms)
    return next(getattr(place, name) for place in places if name in place.__all__)


@pytest.mark.parametrize("name", bits.MARGINS)
def test_sampled_tables_and_pair_sums(name):
    assert bits.tables_and_pair_sums(name) == GOLDEN["margins"][name]


def under_models():
    """Names of margins and models with one worker or two in turn, and the other number in the long run."""
    for k, (name, model) in enumerate(itertools.product(bits.UNDER_MODELS, bits.MODELS)):
        for n_jobs in (None, 2):
            marks = [pytest.mark.long] if (n_jobs is None) == k % 2 else []
            yield pytest.param(name, model, n_jobs, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "model", "n_jobs"), list(under_models()))
def test_every_kind_of_index_under_every_model(name, model, n_jobs):
    assert bits.every_kind(name, model, n_jobs) == GOLDEN["models"][f"{name}, {model}"]


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_tables_shared_by_workers(n_jobs):
    assert bits.many_tables(n_jobs) == GOLDEN["many tables"]


def test_nothing_is_kept_that_is_not_compared():
    assert GOLDEN["margins"].keys() == bits.MARGINS.keys()
    assert len(GOLDEN["models"]) == len(bits.UNDER_MODELS) * len(bits.MODELS)


def test_public_names():
    assert len(cc.__all__) <= 25
    assert all(hasattr(cc, name) for name in cc.__all__)
    assert set(cc.__all__) <= set(dir(cc))
    assert not [name for name in dir(cc) if name.startswith("_") and name != "__version__"]
    for name in dir(cc):
        if isinstance(getattr(cc, name), ModuleType):
            assert dir(getattr(cc, name)) == sorted(getattr(cc, name).__all__)
    with pytest.raises(AttributeError, match=r"It is `chancecorr.chance.shifts`"):
        cc.shifts  # noqa: B018
    for name in NAMES:
        if name not in cc.__all__:
            assert public(name) is not None
            assert not hasattr(cc, name)


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords_and_defaults(name):
    found = inspect.signature(getattr(cc, name)).parameters
    assert KEYWORDS[name].items() <= {each.name: each.default for each in found.values()}.items()


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes(name):
    kind = public(name)
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    assert set(ATTRIBUTES[name].split()) <= set(dir(kind)) | fields
