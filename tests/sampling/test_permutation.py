"""Tables under fixed margins: structure, law against enumeration, and samplers that must fail."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import Margins
from chancecorr.sampling import permutation
from chancecorr.sampling.permutation import draw_pair_sums, draw_tables, plan_sampler
from tests.naive import SMALL_MARGINS, law_of_tables
from tests.sampling.fits import COMPILED, fit_of_tables, plan

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

ROOT = Path(__file__).resolve().parents[2]
SEED = np.uint64(20_140_106)
METHODS = ["conditional", "shuffle"]
M = 10_000 if COMPILED else 100  # uncompiled, the tests are of bounds and overflow
FEW = 50 if COMPILED else 8


def draw(margins, m, method="auto", seed=SEED, first=0):
    sampler = plan(margins, method)
    out = np.zeros((m, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, seed, first, out)
    return out


ALL_KINDS = [
    *(Margins(rows, columns) for rows, columns in SMALL_MARGINS),
    Margins([], []),
    Margins([0], [0]),
    Margins([0, 0], [0]),
    Margins([1], [1]),
    Margins([5], [5]),
    Margins([1, 1, 1], [3]),
    Margins([0, 3, 0], [2, 0, 1]),
    Margins([240, 240, 320], [100, 700]),
    Margins([1] * 40, [1] * 40),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("margins", ALL_KINDS, ids=repr)
def test_margins_are_exact_and_cells_not_negative(margins, method):
    tables = draw(margins, FEW, method, first=7)
    assert (tables >= 0).all()
    assert (tables.sum(axis=2) == margins.row_totals).all()
    assert (tables.sum(axis=1) == margins.column_totals).all()
    assert (draw_pair_sums(plan(margins, method), SEED, 7, FEW) == (tables**2).sum(axis=(1, 2))).all()


# Chance that one of these tests fails for a right sampler: 70 * 1e-6.
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rows_columns", SMALL_MARGINS, ids=str)
def test_law_equals_enumeration(rows_columns, method, record_property):
    tables = draw(Margins(*rows_columns), M, method)
    p = fit_of_tables(tables, law_of_tables(*rows_columns))
    record_property("tables", len(tables))
    record_property("least_p", p)
    assert p > 1e-6


def never_in_place(margins, m):
    """A shuffle that is off by one: an object is swapped with a later one, never left where it is."""
    rng = np.random.default_rng(1)
    fresh = np.repeat(np.arange(margins.column_totals.size), margins.column_totals)
    rows = np.repeat(np.arange(margins.row_totals.size), margins.row_totals)
    tables = np.zeros((m, margins.row_totals.size, margins.column_totals.size), dtype=np.int64)
    for table in tables:
        labels = fresh.copy()
        for i in range(labels.size - 1):
            j = rng.integers(i + 1, labels.size)
            labels[i], labels[j] = labels[j], labels[i]
        np.add.at(table, (rows, labels), 1)
    return tables


def uniform_over_tables(margins, m):
    """Every possible table equally likely: the right margins, the wrong law."""
    rng = np.random.default_rng(1)
    possible = np.array([table for table, _ in law_of_tables(margins.row_totals, margins.column_totals)])
    return possible[rng.integers(len(possible), size=m)]


@pytest.mark.skipif(not COMPILED, reason="of laws, not of bounds")
@pytest.mark.parametrize("wrong", [never_in_place, uniform_over_tables])
def test_negative_control_a_wrong_sampler_fails(wrong, record_property):
    rows, columns = (3, 2), (3, 2)
    law = law_of_tables(rows, columns)
    p = fit_of_tables(wrong(Margins(rows, columns), 10_000), law)
    record_property("wrong_p", p)
    assert p < 1e-12
    assert fit_of_tables(draw(Margins(rows, columns), 10_000), law) > 1e-6


@pytest.mark.skipif(not COMPILED, reason="takes long; uncompiled, `test_dealing` has as many objects")
def test_a_billion_objects():
    rows, columns = [300_000_000, 300_000_000, 400_000_000], [200_000_000, 350_000_000, 450_000_000]
    margins = Margins(rows, columns)
    tables = draw(margins, 5000)
    assert (tables.sum(axis=2) == rows).all()
    assert (tables.sum(axis=1) == columns).all()
    sums = draw_pair_sums(plan_sampler(margins), SEED, 0, 100)
    for table, total in zip(tables, sums, strict=False):
        assert int(total) == sum(int(x) ** 2 for x in table.ravel())


def test_shape_dtype_seed_and_number_of_tables():
    margins = Margins([2, 6], [1, 3, 4])
    tables = cc.sample_tables(margins, 17, rng=3)
    assert (tables.shape, tables.dtype) == ((17, 2, 3), np.int64)
    assert (tables == cc.sample_tables(margins, 17, rng=3)).all()
    assert (tables[:5] == cc.sample_tables(margins, 5, rng=3)).all()
    assert (tables != cc.sample_tables(margins, 17, rng=4)).any()
    for n_tables in (0, -3, 1.5):
        with pytest.raises((TypeError, ValueError), match=r"`n_tables` must be .*; got"):
            cc.sample_tables(margins, n_tables)


SHAPES = [
    ([240, 240, 320], [240, 240, 320], 3000),
    ([1000] * 10, [1000] * 10, 600),
    ([333_333, 333_333, 333_334], [10, 400_000, 599_990], 600),  # by Stirling's series
    ([2**29, 2**29, 2**30 - 1], [2**28, 2**30, 3 * 2**28 - 1], 300),
    ([1, 1, 1, 40], [20, 23], 600),  # inverted
    ([900, 5_000_000], [20_000, 4_980_900], 600),
    ([1] * 30 + [500, 900], [3] * 10 + [700, 700], 600),  # some rows are dealt
    ([7] * 30, [2] * 105, 300),  # listed
]


def digest():
    """Hash of tables of several shapes, for a process to print."""
    found = hashlib.sha256()
    for rows, columns, m in SHAPES:
        found.update(draw(Margins(rows, columns), m).tobytes())
    return found.hexdigest()


def digest_in_process(**environment):
    code = "from tests.sampling.test_permutation import digest; print(digest())"
    how = {"env": os.environ | environment, "cwd": ROOT, "capture_output": True, "text": True, "check": True}
    return subprocess.run([sys.executable, "-c", code], **how).stdout.strip()


@pytest.mark.skipif(not COMPILED, reason="compares machine code")
@pytest.mark.long
def test_other_processors_give_the_same_bits(tmp_path):
    # It has vectors of 128 bits, where most have 256 or 512, and no fused multiplication and addition.
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert digest_in_process(**generic) == digest()


@pytest.mark.skipif(not COMPILED, reason="compares machine code with Python")
@pytest.mark.parametrize(("rows", "columns", "m"), SHAPES)
def test_what_is_compiled_never_shows(rows, columns, m):
    margins, few = Margins(rows, columns), max(2, m // 100)
    compiled = draw(margins, few)
    kernels = permutation.kernels
    with pytest.MonkeyPatch.context() as patch:
        for name in ("draw_tables", "list_cells"):
            patch.setattr(kernels, name, getattr(kernels, name).call_as_python)
        assert (draw(margins, few) == compiled).all()
        assert (draw_pair_sums(plan_sampler(margins), SEED, 0, few) == (compiled**2).sum(axis=(1, 2))).all()
