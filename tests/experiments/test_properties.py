"""The stored properties beside a search of small clusterings; each stored counterexample has its own test."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices.registry import FAMILIES
from experiments import properties
from tests.shares import small_and_full

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
BELL = (2, 5, 15, 52, 203)  # OEIS A000110


@pytest.mark.parametrize("n", range(2, 7))
def test_there_are_as_many_clusterings_as_there_should_be(n):
    assert len(set(properties.list_clusterings(n))) == BELL[n - 2]


@pytest.mark.parametrize("name", ["jaccard", "nmi_sqrt", "purity_f", "irm", "mutual_information", "mari"])
def test_adjusted_values_are_those_of_the_package(name):
    labels, index = properties.list_clusterings(5), cc.get_index(name)
    adjusted = properties.adjust_values(index, properties.evaluate_pairs(index, 5), 5)
    for u, v in np.random.default_rng(2).integers(0, len(labels), (30, 2)):
        score = cc.adjust(labels[u], labels[v], index=name, method="exact")
        assert adjusted[u, v] == pytest.approx(score.adjusted, rel=1e-9, abs=1e-11, nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("objects", small_and_full(4, 5))
def test_small_clusterings_agree_with_what_is_stored(name, objects):
    """Nothing proved is refuted, and what was refuted by as few objects is refuted again."""
    for adjusted in (False, True):
        known = cc.catalogue.properties(name, adjusted=adjusted)
        refuted = properties.search_index(name, adjusted=adjusted, n_max=objects)
        for key in refuted:
            assert known[key].status in ("refuted", "not applicable"), (key, adjusted, refuted[key])
        for key, stored in known.items():
            example = stored.counterexample or {}
            if len(example.get("clusterings", ["x" * 99])[0]) <= objects:
                assert key in refuted, (key, adjusted, example)


def test_a_wrong_claim_is_refuted(capsys, monkeypatch):
    """Purity is not monotone in merging."""
    known = dict(cc.catalogue.properties("purity"))
    claim = {"status": "proved", "reason": "", "counterexample": None, "n_max": 8}
    known["monotone_merging"] = type(known["metric"])(name="monotone_merging", **claim)
    monkeypatch.setattr(cc.catalogue, "properties", lambda name, adjusted: known)
    assert properties.main(["purity", "--objects", "4"]) == 1
    assert "purity, raw, monotone_merging: stored as proved, refuted by" in capsys.readouterr().out
