"""Kernels that draw stay within their arrays, whatever the number of tables and the rest of a block.

`make long` compiles them with Numba's check of every index; as plain Python NumPy checks each of them.
"""

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.sampling import permutation
from chancecorr.sampling.kernels.streams import add_shuffled, fill_permutations
from chancecorr.sampling.sides import draw_random_pair_sums
from chancecorr.tables.objects import Stratum
from tests.random_models import MODELS, sample_model_tables, sides_of
from tests.sampling.fits import COMPILED

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(1935)

FEW = [1, 2, 3, 16, 17, 18]
COUNTS = [*range(1, 21), *range(30, 34), *range(254, 260), *range(271, 290)] if COMPILED else FEW
"""Numbers of tables, of which some end a block."""


def many(*clusters):
    """Margins of clusters of given sizes, ``(size, how many)`` for each side."""
    return Margins(*(np.repeat(*np.transpose(side)) for side in clusters))


KINDS = {
    "conditional": Margins([30, 40, 50], [20, 100]),
    "shuffle": many([(1, 12), (30, 1)], [(2, 6), (30, 1)]),
    "small rows and columns": Margins([1, 2, 300, 400], [2, 1, 200, 500]),
    "transposed": Margins([30, 90], [1, 2, 3, 4, 110]),
    "sparse": many([(3, 60)], [(2, 90)]),
    "sparse, one large": many([(1, 40), (80, 1)], [(1, 60), (60, 1)]),
    "empty clusters": Margins([0, 3, 0, 9], [2, 0, 10]),
    "one object": Margins([1], [1]),
}
if COMPILED:  # more objects than are listed together, or have log-factorials in a table
    KINDS["sparse, of 70,000 dealt"] = many([(3, 30_000)], [(2, 45_000)])
    KINDS["conditional, by Stirling's series"] = Margins([10**6, 2 * 10**6], [7, 10**5, 2_899_993])
    KINDS["more than 32 bits hold"] = Margins([2**31, 5], [2**31 - 5, 10])


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_tables_stay_in_bounds(kind):
    margins = KINDS[kind]
    sampler = permutation.plan_sampler(margins)
    counts = COUNTS if margins.n < 10_000 else FEW
    laid_out = margins.row_totals.size * margins.column_totals.size < 10**6
    tables = np.zeros((max(counts), *sampler.shape) if laid_out else (0, 1, 1), dtype=np.int64)
    if laid_out:
        permutation.draw_tables(sampler, SEED, 0, tables)
        assert (tables.sum(axis=2) == margins.row_totals).all()
        assert (tables.sum(axis=1) == margins.column_totals).all()
    sums = permutation.draw_pair_sums(sampler, SEED, 0, max(counts))
    for count in counts:
        if laid_out:
            part = np.empty_like(tables[:count])
            permutation.draw_tables(sampler, SEED, 0, part)
            assert (part == tables[:count]).all()
            assert ((part.astype(object) ** 2).sum(axis=(1, 2)) == sums[:count]).all()
        assert (permutation.draw_pair_sums(sampler, SEED, 0, count) == sums[:count]).all()
    if sampler.sparse:
        for count in counts[:6]:
            listed = [x.sum_squares() for _, x in permutation.draw_listed_tables(sampler, SEED, 0, count)]
            assert np.concatenate(listed).tolist() == sums[:count].tolist()


def test_strata_stay_in_bounds():
    strata = (
        Stratum(margins=Margins([300, 400], [250, 450]), rows=np.array([0, 1]), columns=np.array([0, 1])),
        Stratum(margins=Margins([2, 3], [1, 4]), rows=np.array([0, 2]), columns=np.array([1, 2])),
    )
    margins = Margins([302, 400, 3], [250, 451, 4])
    sampler = permutation.plan_strata(margins, strata)
    tables = np.empty((max(COUNTS), 3, 3), dtype=np.int64)
    permutation.draw_tables(sampler, SEED, 0, tables)
    for count in COUNTS:
        part = np.empty((count, 3, 3), dtype=np.int64)
        permutation.draw_tables(sampler, SEED, 0, part)
        assert (part == tables[:count]).all()
        assert (permutation.draw_pair_sums(sampler, SEED, 0, count) == (part**2).sum(axis=(1, 2))).all()


@pytest.mark.parametrize("model", [name for name in MODELS if name != "permutation"])
@pytest.mark.parametrize("kind", ["conditional", "shuffle", "sparse", "one object"])
def test_random_partitions_stay_in_bounds(kind, model):
    margins = KINDS[kind]
    for count in COUNTS[:20]:
        T, *_ = draw_random_pair_sums(margins, sides_of(model), count, SEED)
        for t, table in enumerate(sample_model_tables(margins, model, count, SEED)):
            assert table.sum() == margins.n
            assert T[t] == (table**2).sum()


def test_shuffles_stay_in_bounds():
    rows, columns = np.repeat([0, 1, 2], [3, 4, 2]), np.repeat([0, 1], [5, 4])
    weights = np.linspace(0.5, 1.5, 9)
    tables, orders = np.zeros((max(COUNTS), 3, 2)), np.empty((max(COUNTS), 9), dtype=np.int64)
    ends = np.array([5, 9])
    add_shuffled(SEED, 0, rows, columns, weights, ends, columns.copy(), tables)
    fill_permutations(SEED, 0, orders)
    assert (np.sort(orders) == np.arange(9)).all()
    for count in COUNTS:
        some = np.zeros_like(tables[:count])
        add_shuffled(SEED, 0, rows, columns, weights, ends, columns.copy(), some)
        assert (some == tables[:count]).all()
        of_some = np.empty_like(orders[:count])
        fill_permutations(SEED, 0, of_some)
        assert (of_some == orders[:count]).all()
