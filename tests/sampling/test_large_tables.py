"""Tables under models with random sizes that are not laid out: the same tables, and the same values."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import chancecorr as cc
from chancecorr import ContingencyTable, Margins
from chancecorr.chance.engines import get_engine
from chancecorr.indices import Index
from chancecorr.sampling import sides as partitions
from tests.random_models import MODELS, sample_model_tables, sides_of

MARGINS = Margins([90, 80, 30] + [4] * 25, [100, 100] + [2] * 50)
FROM_CELLS = [name for name in cc.list_indices() if cc.get_index(name).from_cells]
VARYING = [name for name in MODELS if name != "permutation"]


def same_labels(true, pred):
    return float((true == pred).mean())


@pytest.mark.parametrize("name", VARYING)
def test_the_tables_are_the_same(name, monkeypatch):
    def tables_if(most_dense):
        monkeypatch.setattr(partitions, "MOST_CELLS_DENSE", most_dense)
        return sample_model_tables(MARGINS, name, 20, np.uint64(7), 3)

    for table, other in zip(tables_if(0), tables_if(1 << 62), strict=True):
        assert table.tolist() == other.tolist()
    monkeypatch.setattr(partitions, "MOST_CELLS_DENSE", 0)
    tables = partitions.draw_random_tables(MARGINS, sides_of(name), 20, np.uint64(7), 3)
    assert not all(isinstance(some, np.ndarray) for _, _, some in tables), "some of them are sparse"


@pytest.mark.parametrize("name", ["purity", "nmi_sum", "jaccard"])
def test_the_values_have_the_same_bits(name, monkeypatch):
    options = {"model": "all-partitions", "n_tables": 50, "rng": 1, "method": "monte-carlo"}
    dense = cc.null_distribution(MARGINS, name, **options)
    monkeypatch.setattr(partitions, "MOST_CELLS_DENSE", 0)
    sparse = cc.null_distribution(MARGINS, name, **options)
    assert np.array_equal(sparse.values, dense.values)
    assert np.array_equal(sparse.counts, dense.counts)


@pytest.mark.parametrize("name", FROM_CELLS)
def test_the_value_from_cells_is_that_of_the_table(name):
    index, rng = cc.get_index(name), np.random.default_rng(3)
    shapes = [(1, 1), (4, 6), (7, 3), (30, 40)]
    tables = [rng.poisson(mean, shape) for shape in shapes for mean in (0.3, 1.0, 5.0)]
    for counts in [*tables, np.zeros((2, 3), dtype=np.int64), np.eye(4, dtype=np.int64)]:
        laid_out = get_engine(index).value(index, ContingencyTable(counts))
        listed = get_engine(index).value(index, ContingencyTable(csr_array(counts)))
        # one-to-one matchings add the same fractions in another order
        assert listed == pytest.approx(laid_out, rel=1e-14, abs=1e-15, nan_ok=True)


def test_a_function_of_labels_takes_them_in_the_same_order():
    index = Index(name="same", function=same_labels, needs="labels")
    counts = np.array([[3, 0, 1], [0, 2, 0], [0, 0, 0]])
    both = ContingencyTable(counts), ContingencyTable(csr_array(counts))
    dense, sparse = (get_engine(index).value(index, table) for table in both)
    assert sparse == dense == 5 / 6


def largest_cell(table, row_totals, column_totals):
    return float(table.max())


WHOLE = Index(name="largest_cell", function=largest_cell, needs="table")


def test_random_tables_are_refused_at_once():
    message = r"dense tables of 87847 x 87847 clusters, 57.5 GiB each; got 'largest_cell'"
    with pytest.raises(ValueError, match=message) as caught:
        cc.null_distribution(Margins([10**6], [10**6]), WHOLE, model="all-partitions", n_tables=20)
    assert caught.value.argument == "index"


def test_a_table_in_hand_is_refused():
    counts = csr_array((np.ones(3, dtype=np.int64), ([0, 5, 9], [1, 2, 3])), shape=(100_000, 100_000))
    with pytest.raises(ValueError, match=r"dense tables of 100000 x 100000 clusters, 74.5 GiB each"):
        cc.score_table(counts, WHOLE)
    assert cc.score_table(counts, "purity") == 1.0
