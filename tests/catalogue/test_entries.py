"""Every index of the catalogue, tested from its own entry."""

import dataclasses
import re
from pathlib import Path

import catalogue_markdown
import pytest

import chancecorr as cc
from chancecorr.catalogue import check_index, describe_exact
from chancecorr.indices import Index
from chancecorr.indices.registry import FAMILIES

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
ENTRIES = [cc.get_index(name) for name in NAMES]
PAGE = Path(__file__).resolve().parents[2] / "CATALOGUE.md"


@pytest.mark.parametrize("name", NAMES)
def test_what_the_entry_claims(name):
    """Range, symmetry, direction, relabelling, 0/0, affine, constant, enumerated moments."""
    assert check_index(name) == []


def test_what_is_written():
    for entry in ENTRIES:
        assert entry.formula, entry.name
        assert re.search(r"\(\d{4}", entry.source), f"the source of {entry.name} has a year"
        assert entry.about.endswith("."), entry.name
        for alias in entry.aliases:
            assert cc.get_index(alias) is entry
        for text in (entry.formula, entry.about, entry.known_as, entry.source, entry.notes):
            assert text == text.strip(), entry.name


def by_number(table, row_totals, column_totals):
    total = 0.0
    for i in range(min(table.shape[0], table.shape[1])):
        total += table[i, i]
    return total / row_totals.sum()


def lopsided(a, b, c, d):
    return a / (a + b + 2 * c)


WRONG = Index(name="wrong", function=lopsided, needs="pairs", symmetric=True, range=(0, 1))


@pytest.mark.parametrize(
    ("entry", "change", "message"),
    [
        ("jaccard", {"range": (0.3, 1.0)}, r"range=\(0.3, 1.0\), but"),
        ("jaccard", {"symmetric": False}, "symmetric=False, but no table"),
        ("jaccard", {"attained": False}, "attained=False, but of 3"),
        ("jaccard", {"best": 0.9}, "attained=True, but of 3 clusterings with themselves 0 give 0.9"),
        ("jaccard", {"affine": True}, "affine=True, but in T"),
        ("jaccard", {"constant": True}, "constant=True, but on fixed cluster sizes it varies"),
        ("jaccard", {"best": 0.0, "range": (0.0, 1.0)}, "best=0.0, but clusters"),
        (WRONG, {"function": by_number, "needs": "table"}, "renumbered|with an empty cluster"),
        (WRONG, {}, "symmetric=True, but"),
    ],
)
def test_a_wrong_entry_is_found(entry, change, message):
    """Each claim fails for an entry that breaks it and nothing else."""
    refuted = check_index(dataclasses.replace(cc.get_index(entry), **change))
    assert any(re.search(message, line) for line in refuted)


def test_the_page_is_that_of_the_registry():
    assert PAGE.read_text(encoding="utf-8") == catalogue_markdown.write_page(), "run `make catalogue`"


def test_what_is_exact_is_what_the_methods_give():
    """What the page promises is what `null_distribution` does."""
    margins = cc.Margins([40, 30, 30], [50, 25, 25])
    for name in NAMES:
        promise = describe_exact(entry := cc.get_index(name))
        if promise.startswith(("mean, variance", "mean and variance")):
            if "where smooth" not in promise:
                assert cc.null_distribution(margins, entry, method="analytic").mean_from == "analytic", name
        elif promise.startswith("mean, by the largest"):
            assert cc.null_distribution(margins, entry, method="analytic").mean_from == "analytic", name
        elif "simulated otherwise" in promise:
            with pytest.raises(ValueError, match="got 'analytic'"):
                cc.null_distribution(margins, entry, method="analytic")
