"""Other transports of IRM: by hand, and the best against all of them."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from experiments.rajasekhara_pujari_2010 import transport
from experiments.rajasekhara_pujari_2010.transport import best_transport, north_west, similarities, write


def transports(rows, columns):
    """All whole transports between clusters of two sizes, cell by cell."""
    shape = len(rows), len(columns)
    for cells in itertools.product(*(range(min(r, c) + 1) for r in rows for c in columns)):
        found = np.array(cells).reshape(shape)
        if (found.sum(axis=1) == rows).all() and (found.sum(axis=0) == columns).all():
            yield found


@pytest.mark.parametrize("table", [[[2, 0], [1, 3]], [[0, 2, 1], [2, 1, 0]], [[1, 1], [1, 1], [0, 2]]])
def test_transports_of_small_tables(table):
    table = np.array(table)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    values = [(similarities(table) * each).sum() / table.sum() for each in transports(rows, columns)]
    assert best_transport(table, rows, columns) == pytest.approx(max(values))
    irm = cc.score_table(table, "irm")
    assert min(values) - 1e-12 <= north_west(table, rows, columns) <= max(values) + 1e-12
    assert irm <= max(values) + 1e-12


def test_the_north_west_corner_hangs_on_the_numbers_of_clusters():
    table = np.array([[3, 0], [0, 3]])
    turned = table[::-1]
    sizes = np.array([3, 3])
    assert north_west(table, sizes, sizes) == 1.0
    assert north_west(turned, sizes, sizes) == 0.0


def test_both_tables_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(transport, "N_TABLES", 20)
    monkeypatch.setattr(transport, "N_RUNS", 3)
    write(tmp_path / "transport.md", ["lenses"])
    lines = (tmp_path / "transport.md").read_text().splitlines()
    assert sum(line.startswith("| lenses") for line in lines) == 7
