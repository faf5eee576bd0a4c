"""Names of columns behind an AnnData, or any object with `.obs`, stand for the columns."""

import types

import numpy as np
import pytest

import chancecorr as cc

pandas = pytest.importorskip("pandas")


def annotate(obs):
    """An AnnData with these columns, or a plain object where anndata is not installed."""
    try:
        from anndata import AnnData
    except ImportError:
        return types.SimpleNamespace(obs=obs)
    return AnnData(np.zeros((len(obs), 1)), obs=obs)


@pytest.fixture(scope="module")
def obs():
    rng = np.random.default_rng(0)
    kinds = pandas.Categorical(rng.choice(["B", "NK", "T"], 240))
    columns = {"kind": kinds, "fine": rng.integers(0, 5, 240), "coarse": kinds.codes // 2}
    columns |= {"donor": rng.integers(0, 12, 240), "w": rng.integers(1, 4, 240)}
    return pandas.DataFrame(columns, index=[f"cell {k}" for k in range(240)])


RAND, NAMED = ("kind", "fine", "rand"), {"labels_true": "kind", "labels_pred": "fine"}
CALLS = {
    "adjust": ("adjust", RAND, {"rng": 1}),
    "by keyword": ("adjust", (), {"rng": 1} | NAMED),
    "strata": ("adjust", RAND, {"rng": 1, "strata": "donor"}),
    "weights": ("adjust", RAND, {"rng": 1, "weights": "w"}),
    "weights of the reference": ("adjust", RAND, {"rng": 1, "weights": "reference"}),
    "score": ("score", ("kind", "fine", "nmi"), {}),
    "compare": ("compare", ("kind", ["fine", "coarse"], ["ari", "ami"]), {"groups": "donor", "rng": 1}),
    "one candidate": ("compare", ("kind", ["fine"]), {"rng": 1}),
    "pairwise": ("pairwise", (["kind", "fine"],), {}),
    "a table": ("contingency_table", ("kind", "coarse"), {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_names_are_the_columns(obs, name):
    def column(given):
        if not isinstance(given, (str, list)) or given in ("rand", "nmi", "reference", ["ari", "ami"]):
            return given
        return obs[given]

    function, sides, options = getattr(cc, CALLS[name][0]), *CALLS[name][1:]
    by_column = function(*map(column, sides), **{key: column(each) for key, each in options.items()})
    assert repr(function(annotate(obs), *sides, **options)) == repr(by_column)


def test_labels_beside_a_name_and_one_candidate_by_its_name(obs):
    x, kind, fine = annotate(obs), obs["kind"], obs["fine"]
    assert repr(cc.adjust(x, "kind", np.asarray(fine), rng=1)) == repr(cc.adjust(kind, fine, rng=1))
    assert repr(cc.compare(x, "kind", "fine", rng=1)) == repr(cc.compare(kind, obs[["fine"]], rng=1))


def test_a_wrong_name_lists_the_columns(obs):
    message = r"of `.obs`; got 'knd'\. Did you mean 'kind'\? Columns: 'kind', 'fine'"
    with pytest.raises(ValueError, match=message):
        cc.adjust(annotate(obs), "knd", "fine", rng=1)
    message = r"`groups` must name columns of `.obs`; got 'doner'\. Did you mean 'donor'"
    with pytest.raises(ValueError, match=message):
        cc.compare(annotate(obs), "kind", ["fine"], groups="doner", rng=1)
    with pytest.raises(TypeError, match="but 4 were given"):
        cc.adjust(annotate(obs), "kind", "fine", "rand", "exact")
