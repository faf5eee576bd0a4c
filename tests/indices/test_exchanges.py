"""How much an index changes at most if two objects exchange their clusters: by a random search."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance.engines import get_engine

NAMES = [name for name in cc.list_indices() if cc.get_index(name).exchange]


@pytest.mark.parametrize("name", NAMES)
def test_no_exchange_changes_more_and_some_change_half_as_much(name):
    rng, index = np.random.default_rng(7), cc.get_index(name)
    kind, nearest, is_known = get_engine(index), 0.0, False
    for _ in range(40):
        K, Q = rng.integers(2, 5, 2)
        table = rng.integers(0, int(rng.choice([2, 5, 30])), (K, Q)) + np.eye(K, Q, dtype=np.int64)
        margins = cc.ContingencyTable(table).margins
        most = kind.bound_change(index, margins)
        assert most is None or most >= 0.0
        if not most:
            continue
        is_known = True
        tables = [table]
        for first, second in np.argwhere(table)[rng.integers(0, (table > 0).sum(), (12, 2))]:
            other = table.copy()
            for (row, _), (_, column), (_, old) in ((first, second, first), (second, first, second)):
                other[row, old] -= 1
                other[row, column] += 1
            if (other >= 0).all():
                tables.append(other)
        values = kind.values(index, np.array(tables), margins)
        if np.isfinite(values).all():
            changes = np.abs(values - values[0])
            assert changes.max() <= most * (1.0 + 1e-9)
            nearest = max(nearest, changes.max() / most)
    assert nearest >= 0.5 or not is_known
