"""Dask arrays and columns of Dask frames, counted partition by partition, against the table of all labels."""

import dask.array
import dask.dataframe
import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from tests.tables.test_streaming import COLUMNS, ROWS
from tests.tables.twins import assert_same


class TestPartitions:
    @pytest.mark.parametrize("chunks", [23, 1, 5, (20, 2, 1)])
    @pytest.mark.parametrize("pair", [("integers", "floats"), ("booleans", "integers")], ids=" and ".join)
    def test_arrays(self, chunks, pair):
        x, y = (np.asarray(COLUMNS[name]) for name in pair)
        chunks = (chunks,) if isinstance(chunks, tuple) else chunks
        found = cc.contingency_table(
            dask.array.from_array(x, chunks=chunks), dask.array.from_array(y, chunks=4)
        )
        assert_same(found, cc.contingency_table(x, y))

    def test_chunks_of_unknown_lengths(self):
        x = dask.array.from_array(COLUMNS["integers"], chunks=5)
        kept = x[x >= 0]
        found = cc.contingency_table(kept, kept % 2, noise="drop")
        plain = COLUMNS["integers"][COLUMNS["integers"] >= 0]
        assert_same(found, cc.contingency_table(plain, plain % 2))

    @pytest.mark.parametrize("noise", [None, "drop", "singletons"])
    def test_columns_of_frames(self, noise):
        frame = pd.DataFrame({name: COLUMNS[name] for name in ("integers", "texts")})
        parts = dask.dataframe.from_pandas(frame, npartitions=5)
        found = cc.contingency_table(parts["integers"], parts["texts"], noise=noise)
        assert_same(found, cc.contingency_table(frame["integers"], frame["texts"], noise=noise))

    def test_nothing_is_brought_together(self, monkeypatch):
        def whole(self, *arguments, **options):
            raise AssertionError("the whole array was asked for")

        x = dask.array.from_array(COLUMNS["integers"], chunks=5)
        for name in ("__array__", "compute"):
            monkeypatch.setattr(dask.array.Array, name, whole)
        assert cc.contingency_table(x, x).n == ROWS
        with pytest.raises(AssertionError, match="the whole array was asked for"):
            cc.contingency_table(x, COLUMNS["integers"])

    @pytest.mark.heavy
    @pytest.mark.filterwarnings("default")
    def test_on_a_distributed_client(self):
        distributed = pytest.importorskip("distributed")
        x, y = COLUMNS["integers"], np.asarray(COLUMNS["texts"])
        parts = dask.dataframe.from_pandas(pd.DataFrame({"x": x, "y": y}), npartitions=5)
        expected = cc.contingency_table(x, y.tolist())
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster, timeout=60),
        ):
            assert_same(cc.contingency_table(parts["x"], parts["y"]), expected)
            assert_same(cc.contingency_table_from(parts, "x", "y"), expected)
            arrays = (dask.array.from_array(side, chunks=5) for side in (x, y))
            assert_same(cc.contingency_table(*arrays), expected)

    def test_scores_take_them(self):
        x, y = COLUMNS["integers"], np.asarray(COLUMNS["booleans"])
        found = cc.adjust(
            dask.array.from_array(x, chunks=5), dask.array.from_array(y, chunks=5), method="analytic"
        )
        assert found.adjusted == cc.adjust(x, y, method="analytic").adjusted

    @pytest.mark.parametrize(
        ("x", "y", "match"),
        [
            (dask.array.zeros(6, chunks=2), dask.array.zeros(5, chunks=2), "must have the same length as"),
            (dask.array.zeros((6, 1)), dask.array.zeros(6), r"must be one-dimensional; got shape \(6, 1\)"),
            (
                dask.dataframe.from_pandas(pd.Series(range(6)), npartitions=2),
                dask.dataframe.from_pandas(pd.Series(range(6)), npartitions=3),
                "must have the partitions of `labels_true`; got .* Repartition one of them",
            ),
            (
                dask.array.from_array(np.array([0, 0, np.nan]), chunks=2),
                dask.array.zeros(3, chunks=2),
                "`labels_true` of partition 1 must not hold missing labels; got nan at position 0",
            ),
        ],
    )
    def test_what_does_not_fit(self, x, y, match):
        with pytest.raises(ValueError, match=match):
            cc.contingency_table(x, y)
