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


CALLS = {
    "adjust": (
        lambda x: cc.adjust(x, "kind", "fine", "rand", rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], "rand", rng=1),
    ),
    "by keyword": (
        lambda x: cc.adjust(x, labels_true="kind", labels_pred="fine", rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], rng=1),
    ),
    "strata": (
        lambda x: cc.adjust(x, "kind", "fine", "rand", strata="donor", rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], "rand", strata=o["donor"], rng=1),
    ),
    "weights": (
        lambda x: cc.adjust(x, "kind", "fine", "rand", weights="w", rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], "rand", weights=o["w"], rng=1),
    ),
    "weights of the reference": (
        lambda x: cc.adjust(x, "kind", "fine", "rand", weights="reference", rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], "rand", weights="reference", rng=1),
    ),
    "score": (lambda x: cc.score(x, "kind", "fine", "nmi"), lambda o: cc.score(o["kind"], o["fine"], "nmi")),
    "compare": (
        lambda x: cc.compare(x, "kind", ["fine", "coarse"], ["ari", "ami"], groups="donor", rng=1),
        lambda o: cc.compare(o["kind"], o[["fine", "coarse"]], ["ari", "ami"], groups=o["donor"], rng=1),
    ),
    "one candidate": (
        lambda x: cc.compare(x, "kind", "fine", rng=1),
        lambda o: cc.compare(o["kind"], o[["fine"]], rng=1),
    ),
    "pairwise": (lambda x: cc.pairwise(x, ["kind", "fine"]), lambda o: cc.pairwise(o[["kind", "fine"]])),
    "labels beside a name": (
        lambda x: cc.adjust(x, "kind", np.asarray(x.obs["fine"]), rng=1),
        lambda o: cc.adjust(o["kind"], o["fine"], rng=1),
    ),
    "a table": (
        lambda x: cc.contingency_table(x, "kind", "coarse"),
        lambda o: cc.contingency_table(o["kind"], o["coarse"]),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_names_are_the_columns(obs, name):
    by_name, by_column = CALLS[name]
    assert repr(by_name(annotate(obs))) == repr(by_column(obs))


def test_a_wrong_name_lists_the_columns(obs):
    with pytest.raises(
        ValueError, match=r"of `.obs`; got 'knd'\. Did you mean 'kind'\? Columns: 'kind', 'fine'"
    ):
        cc.adjust(annotate(obs), "knd", "fine", rng=1)
    with pytest.raises(
        ValueError, match=r"`groups` must name columns of `.obs`; got 'doner'\. Did you mean 'donor'"
    ):
        cc.compare(annotate(obs), "kind", ["fine"], groups="doner", rng=1)
    with pytest.raises(TypeError, match="but 4 were given"):
        cc.adjust(annotate(obs), "kind", "fine", "rand", "exact")
