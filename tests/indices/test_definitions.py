"""Every index against its definition, and formulas of pair counts at numbers of any size."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices.formulas import write_plain
from tests.indices.definitions import DEFINITIONS, FORMULAS
from tests.indices.formulas import of_pairs
from tests.naive import tables_to_labels

TABLES = [
    ((2, 1), (0, 3)), ((5, 0, 1), (1, 4, 0), (0, 2, 6)), ((1, 1, 1), (1, 1, 1)), ((7, 0), (0, 7)),
    ((0, 4, 4), (4, 0, 4)), ((10, 1), (1, 1), (0, 9)), ((3, 0, 0, 1), (0, 2, 2, 0)),
    ((4,), (2,), (1,)),  # one candidate cluster
    ((4, 2, 1),),  # one reference cluster
    ((1, 0), (1, 0), (0, 1), (0, 1)),  # singletons in the reference
    ((1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),  # singletons in the candidate
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),  # singletons on both sides
    ((5,),),  # one cluster on both sides
    ((1,),),  # one object
]  # fmt: skip


def is_trivial(table):
    """Whether both clusterings are one cluster, or both singletons."""
    sizes = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    return all(len(side) == 1 for side in sizes) or all(max(side) == 1 for side in sizes)


def random_tables(count, seed, largest=6):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        table = rng.integers(0, rng.integers(2, largest), rng.integers(1, 6, 2)) * rng.integers(0, 2)
        table += rng.integers(0, 2, table.shape)
        if table.sum() > 1:
            yield table


@pytest.mark.slow
def test_the_value_is_that_of_the_definition():
    small = [table for table in random_tables(60, seed=11) if table.sum() < 20]
    wrong = []
    names = [name for name in cc.list_indices() if name != "irm"]  # its ties have a file of their own
    for name, table in itertools.product(names, [*map(np.array, TABLES), *small]):
        entry = cc.get_index(name)
        occupied = table[table.any(axis=1)][:, table.any(axis=0)].tolist()
        expected = float(DEFINITIONS[name](*tables_to_labels(occupied)))
        if math.isnan(expected):
            expected = entry.best if is_trivial(occupied) and entry.best is not None else entry.undefined
        found = cc.score_table(table, entry)
        if found != pytest.approx(expected, rel=1e-11, abs=1e-13, nan_ok=True):
            wrong.append((name, table.tolist(), found, expected))
    assert wrong == []


BILLION = (3.0 * 10**16 + 1, 10.0**16 + 7, 2.0 * 10**16 + 3, 4.0 * 10**17 + 9)
"""Pair counts near 10**17, products of four of which are near 10**68."""


COUNTS = [(4.0, 2.0, 3.0, 6.0), (9.0, 5.0, 2.0, 20.0), (31.5, 12.25, 7.5, 80.75), BILLION]


@pytest.mark.parametrize("counts", COUNTS)
def test_the_printed_formula_also_between_whole_numbers(counts):
    """Quadrature evaluates the indices there."""
    arrays = [np.array([count]) for count in counts]
    for name, formula in FORMULAS.items():
        expected, tolerance = of_pairs(formula, *counts), 1e-12 if counts is BILLION else 1e-13
        with np.errstate(all="ignore"):
            found = float(cc.get_index(name).function(*arrays)[0])
        assert found == pytest.approx(expected, rel=tolerance), name
        assert math.isfinite(found)


def test_another_formula_is_found():
    for name, wrong in (("jaccard", r"\frac{a}{a + b + 2 c}"), ("loevinger", r"\frac{D}{\max(P Q', Q P')}")):
        value = of_pairs(FORMULAS[name], 4.0, 2.0, 3.0, 6.0)
        assert value != pytest.approx(of_pairs(wrong, 4.0, 2.0, 3.0, 6.0), rel=1e-9)


@pytest.mark.parametrize("counts", COUNTS[:3])
def test_the_formula_in_plain_text_has_the_value_of_the_formula(counts):
    letters = str.maketrans({"α": "alpha", "β": "beta", "θ": "theta", "π": "pi"})
    for name, formula in FORMULAS.items():
        plain = write_plain(formula)
        if "|" not in plain:
            text = plain.translate(letters).replace("; ", r", \quad ")
            assert of_pairs(text, *counts) == pytest.approx(of_pairs(formula, *counts), rel=1e-13), name


def test_no_formula_in_plain_text_has_commands():
    for name in cc.list_indices():
        plain = write_plain(cc.get_index(name).formula)
        assert not set(plain) & set("\\{}&"), name
        assert plain.count("(") == plain.count(")"), name
    assert write_plain(r"\frac{2 D}{P Q' + Q P'}") == "2 D / (P Q' + Q P')"
    assert write_plain(r"\sum_{i,j} \frac{n_{ij}}{n (m_j - 1)}") == "sum_ij (n_ij / (n (m_j - 1)))"
