"""Many tables side by side are those drawn one by one, to the last bit, on any processor."""

import hashlib
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chancecorr.sampling import permutation
from chancecorr.sampling.kernels import workspace as lanes
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, TABLE_BEYOND
from chancecorr.sampling.kernels.side_by_side import FEWEST_IN_LANES
from chancecorr.sampling.kernels.tables import draw_side_by_side, draw_singly
from chancecorr.sampling.permutation import draw_pair_sums, draw_tables, make_workspace, plan_sampler
from chancecorr.tables.contingency import Margins
from tests.sampling.fits import COMPILED, plan

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(1997)
ROOT = Path(__file__).resolve().parents[2]


def kinds_of_margins():
    """Margins for all that a lane can meet: narrow and wide laws, with a table and by formula, empty rows."""
    rng = np.random.default_rng(5)
    kinds = [
        ([3, 4], [2, 5]),  # narrow laws
        ([1, 1, 1, 40], [20, 23]),
        ([0, 3, 0, 9], [2, 0, 10]),
        ([30, 30, 30], [30, 30, 30]),
        ([60, 60, 60], [30, 70, 80]),
        ([40, 40, 40, 120], [72, 72, 96]),  # means of 12: narrow in some lanes
        ([6000, 6000, 2_988_000], [6000, 1_000_000, 1_994_000]),
        ([240, 240, 320], [100, 700]),
        ([5, 300, 4000], [70, 800, 3435]),
        ([LOG2_TABLE_LIMIT - 2 * 40_000, 40_000, 40_000], [1, LOG2_TABLE_LIMIT - 1]),
        ([2, 60_000, 71_075], [3, 500, 40_000, 90_574]),  # one object beyond the table
        ([10**6, 2 * 10**6, 3 * 10**6], [7, 10**5, 5_899_993]),  # by formula
        ([2**29, 2**29, 2**30 - 1], [2**29, 3 * 2**29 - 1]),  # as many as go into lanes
    ]
    for most in (50, 1000, 20_000, 10**6, 10**9) if COMPILED else ():
        for _ in range(6):
            K, Q = rng.integers(2, 6, 2)
            rows = np.exp(rng.uniform(0, np.log(most), K)).astype(np.int64)
            columns = np.floor(rng.dirichlet(np.full(Q, 0.7)) * rows.sum()).astype(np.int64)
            columns[rng.integers(Q)] += rows.sum() - columns.sum()
            kinds.append((rows.tolist(), columns.tolist()))
    if not COMPILED:  # tables of many log-factorials take long then, and formulas are met by the largest
        kinds = [kind for kind in kinds if sum(kind[0]) < 10_000 or sum(kind[0]) > 2**28]
    return [Margins(*kind) for kind in kinds]


KINDS = kinds_of_margins()


def side_by_side(sampler, used, work=None, *, first=0):
    """Tables of `used` lanes, flat."""
    beyond = True if sampler.margins.n >= TABLE_BEYOND else None
    return drawn(draw_side_by_side, sampler, used, work, first, beyond)


def one_by_one(sampler, used, work=None, *, first=0):
    """The same tables, drawn one after the other."""
    return drawn(draw_singly, sampler, used, work, first, 1)


def drawn(kernel, sampler, used, work, first, way):
    order, work = sampler.order, work or make_workspace(sampler)
    out = np.full((used, order.rows.size * order.columns.size), -1, dtype=np.int64)
    kernel(order, work, way, SEED, first, True, out, np.zeros(0, np.int64))
    return out


def draw(sampler, first, m):
    tables = np.empty((m, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, SEED, first, tables)
    return tables


@pytest.mark.parametrize("margins", KINDS, ids=lambda m: f"{m.row_totals.size}x{m.column_totals.size},{m.n}")
def test_lanes_equal_tables_drawn_one_by_one(margins):
    sampler = plan(margins, "conditional")
    sizes = [FEWEST_IN_LANES, 16, 17, 255, 256] if COMPILED else [5]
    expected = one_by_one(sampler, max(sizes))
    work = make_workspace(sampler)
    for used in sizes:
        assert (side_by_side(sampler, used, work) == expected[:used]).all()
    tables = expected.reshape(-1, *sampler.shape)
    assert (tables.sum(axis=2) == margins.row_totals).all()
    assert (tables.sum(axis=1) == margins.column_totals).all()


@pytest.mark.heavy
@pytest.mark.skipif(not COMPILED, reason="takes a million draws")
@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([60, 60, 80], [40, 80, 80]),
        ([10**6, 10**6, 10**6], [900_000, 10**6, 1_100_000]),
        ([7, 7, 30], [5, 9, 30]),  # narrow laws
        ([5000, 4000, 8_000_000], [9000, 1000, 7_999_000]),
    ],
)
def test_lanes_equal_tables_drawn_one_by_one_in_close_decisions(rows, columns):
    # One attempt in 3,000 has a height within CLEAR of the law, one in 100,000 within what formulas tell; one
    # place in 10,000 is within NEAR of a sum of a narrow law.
    sampler = plan(Margins(rows, columns), "conditional")
    work = make_workspace(sampler)
    for first in range(0, 500 * lanes.LANES, lanes.LANES):
        expected = one_by_one(sampler, lanes.LANES, work, first=first)
        assert (side_by_side(sampler, lanes.LANES, work, first=first) == expected).all()


@pytest.mark.parametrize("margins", KINDS[:6] + KINDS[8:9], ids=repr)
def test_neither_batch_nor_first_table_shows(margins):
    sampler = plan(margins, "conditional")
    m, first = (600, 12_345) if COMPILED else (6, 12_345)
    whole = draw(sampler, first, m)
    cuts = [0, 1, 3, 4, 20, 36, 292, 300, 557, 600] if COMPILED else [0, 1, 6]
    for begin, end in itertools.pairwise(cuts):
        part = draw(sampler, first + begin, end - begin)
        assert (part == whole[begin:end]).all()
        sums = draw_pair_sums(sampler, SEED, first + begin, end - begin)
        assert (sums == (part**2).sum(axis=(1, 2))).all()


SHAPES = [
    ([240, 240, 320], [240, 240, 320], 3000),
    ([1000] * 10, [1000] * 10, 600),
    ([333_333, 333_333, 333_334], [10, 400_000, 599_990], 600),  # by formula
    ([2**29, 2**29, 2**30 - 1], [2**28, 2**30, 3 * 2**28 - 1], 300),
    ([1, 1, 1, 40], [20, 23], 600),  # narrow laws
    ([900, 5_000_000], [20_000, 4_980_900], 600),  # and by formula
    ([1] * 30 + [500, 900], [3] * 10 + [700, 700], 600),  # mixed
    ([7] * 30, [2] * 105, 300),  # dealt object by object
    ([5000] * 4, [5000] * 3 + [2] * 2500, 20),
]


@pytest.mark.skipif(not COMPILED, reason="nothing waits to be compiled")
@pytest.mark.parametrize(("rows", "columns", "m"), SHAPES)
def test_what_is_compiled_never_shows(monkeypatch, rows, columns, m):
    sampler = plan_sampler(Margins(rows, columns))
    found = []
    for at_hand, limit in ((True, 2**20), (False, 2**20), (False, 0)):  # in lanes, in arrays, one by one
        monkeypatch.setattr(permutation, "pays", lambda *_, at_hand=at_hand: at_hand)
        monkeypatch.setattr(permutation, "LOG2_TABLE_LIMIT", limit)
        found.append(draw(sampler, 0, m))
        assert (draw_pair_sums(sampler, SEED, 0, m) == (found[-1] ** 2).sum(axis=(1, 2))).all()
    assert (found[0] == np.stack(found)).all()


def digest():
    """Hash of tables of several shapes, for a process to print."""
    found = hashlib.sha256()
    for rows, columns, m in SHAPES:
        found.update(draw(plan_sampler(Margins(rows, columns)), 0, m).tobytes())
    return found.hexdigest()


@pytest.mark.skipif(not COMPILED, reason="compares machine code")
@pytest.mark.long
def test_other_processors_give_the_same_bits(tmp_path):
    # It has vectors of 128 bits, where most have 256 or 512, and no fused multiplication and addition.
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    code = "from tests.sampling.test_lanes import digest; print(digest())"
    how = {"env": os.environ | generic, "cwd": ROOT, "capture_output": True, "text": True, "check": True}
    done = subprocess.run([sys.executable, "-c", code], **how)
    assert done.stdout.strip() == digest()
