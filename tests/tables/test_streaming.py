"""Tables of files, data sets, lazy frames and Dask frames, against those of columns in memory."""

import sys

import dask.dataframe
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest

import chancecorr as cc
from chancecorr.tables import contingency_table_from, streaming
from tests.tables.twins import assert_same, names

ROWS = 23
BATCH = 5

RNG = np.random.default_rng(0)
COLUMNS = {
    "integers": RNG.integers(-1, 4, ROWS),
    "texts": RNG.choice(["b", "a", "é", "-1"], ROWS).tolist(),
    "floats": RNG.choice([0.5, -0.0, 0.0, -1.0], ROWS),
    "booleans": RNG.choice([True, False], ROWS),
    "dates": RNG.choice(np.array(["2020-01-01", "2021-05-06"], dtype="datetime64[ns]"), ROWS),
    "with missing": [None if k % 7 == 3 else k % 3 - 1 for k in range(ROWS)],
}
PAIRS = [
    ("integers", "texts"), ("texts", "floats"), ("floats", "integers"), ("dates", "booleans"),
    ("booleans", "texts"), ("integers", "integers"),
]  # fmt: skip


def parquet(table, folder):
    path = folder / "labels.parquet"
    pa.parquet.write_table(table, path, row_group_size=7)
    return path


def several_files(table, folder):
    for k in range(3):
        pa.parquet.write_table(table.slice(8 * k, 8), folder / f"part{k}.parquet")
    return folder


def feather(table, folder):
    path = folder / "labels.feather"
    pa.feather.write_feather(table, path)
    return str(path)


def dask_frame(table, folder):
    return dask.dataframe.from_pandas(table.to_pandas(), npartitions=4)


SOURCES = {
    "path": parquet,
    "folder": several_files,
    "path of a Feather file": feather,
    "data set": lambda table, folder: pa.dataset.dataset(several_files(table, folder)),
    "batches of a ParquetFile": lambda table, folder: pa.parquet.ParquetFile(
        parquet(table, folder)
    ).iter_batches(),
    "RecordBatchReader": lambda table, folder: table.to_reader(max_chunksize=6),
    "LazyFrame": lambda table, folder: pl.from_arrow(table).lazy(),
    "LazyFrame of a file": lambda table, folder: pl.scan_parquet(parquet(table, folder)),
    "Dask frame": dask_frame,
    "frames of pandas": lambda table, folder: (table.slice(k, 6).to_pandas() for k in range(0, ROWS, 6)),
    "frames of polars": lambda table, folder: [pl.from_arrow(table.slice(k, 6)) for k in range(0, ROWS, 6)],
    "frame": lambda table, folder: table.to_pandas(),
    "table": lambda table, folder: table,
}
WITHOUT_POSITIONS = {"frame", "table"}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(streaming, "ROWS_AT_A_TIME", BATCH)


@pytest.mark.parametrize("source", SOURCES)
class TestColumns:
    def test_of_all_kinds(self, source, tmp_path):
        table = pa.table({name: pa.array(values) for name, values in COLUMNS.items()})
        for pair in PAIRS:
            found = contingency_table_from(SOURCES[source](table, tmp_path), *pair)
            expected = cc.contingency_table(*(COLUMNS[name] for name in pair))
            assert found == expected
            assert "dates" in pair or names(found) == names(expected)  # each library has its own dates

    def test_noise_and_missing_labels(self, source, tmp_path):
        pair = "with missing", "integers"
        table = pa.table({name: pa.array(COLUMNS[name]) for name in pair})
        for noise in (None, "drop", "singletons"):
            options = {"noise": noise, "missing": "drop"}
            found = contingency_table_from(SOURCES[source](table, tmp_path), *pair, **options)
            assert_same(found, cc.contingency_table(*(COLUMNS[name] for name in pair), **options))

    def test_missing_labels_are_refused(self, source, tmp_path):
        table = pa.table({"one missing": [0, 1, 1, None, *range(19)], "integers": COLUMNS["integers"]})
        data = SOURCES[source](table, tmp_path)
        where = "" if source in WITHOUT_POSITIONS else r" of chunk 0.*"
        match = f"`labels_true`{where} must not hold missing labels; got .* at position 3"
        with pytest.raises(ValueError, match=match):
            contingency_table_from(data, "one missing", "integers")

    def test_a_misspelt_name(self, source, tmp_path):
        table = pa.table({"truth": [0, 1], "cluster": [0, 0]})
        match = r"`labels_pred` must be the name of one column of `data`; got 'clutser' of .*mean 'cluster'"
        with pytest.raises(ValueError, match=match):
            contingency_table_from(SOURCES[source](table, tmp_path), "truth", "clutser")


class TestOtherData:
    def test_csv_in_chunks(self, tmp_path):
        path = tmp_path / "labels.csv"
        frame = pd.DataFrame({name: COLUMNS[name] for name in ("integers", "texts")})
        frame.to_csv(path, index=False)
        found = contingency_table_from(pd.read_csv(path, chunksize=4), "integers", "texts")
        assert_same(found, cc.contingency_table(frame["integers"], frame["texts"].tolist()))
        with pytest.raises(ValueError, match="`data` must be a Parquet or Arrow file if it is a path; got"):
            contingency_table_from(path, "integers", "texts")

    @pytest.mark.parametrize("data", [3, {"a": [0], "b": [1]}, None])
    def test_of_another_kind(self, data):
        with pytest.raises(TypeError, match="`data` must be a path"):
            contingency_table_from(data, "a", "b")

    def test_frames_of_another_kind(self):
        with pytest.raises(TypeError, match="`data` must hold frames of pandas, polars or Arrow; got a list"):
            contingency_table_from([[0, 1]], "a", "b")

    @pytest.mark.parametrize("noise", [None, ("singletons", "keep")])
    def test_older_versions_of_polars(self, noise, monkeypatch):
        monkeypatch.delattr(pl.LazyFrame, "collect_batches", raising=False)
        frame = pl.LazyFrame({name: COLUMNS[name] for name in ("integers", "texts")})
        found = contingency_table_from(frame, "integers", "texts", noise=noise)
        assert_same(found, cc.contingency_table(COLUMNS["integers"], COLUMNS["texts"], noise=noise))

    def test_an_error_counts_batches_and_objects_of_all_files(self, tmp_path):
        labels = [k if k != 19 else None for k in range(ROWS)]
        for k, rows in enumerate((slice(0, 13), slice(13, ROWS))):
            part = pa.table({"a": labels[rows], "b": COLUMNS["integers"][rows]})
            pa.parquet.write_table(part, tmp_path / f"part{k}.parquet", row_group_size=4)
        # The batches are the row groups, of 4, 4, 4, 1 and 4, 4, 2 rows.
        with pytest.raises(ValueError, match=r"chunk 5, from object 17 on, must not .* at position 2\."):
            contingency_table_from(tmp_path, "a", "b")

    def test_files_of_different_types(self, tmp_path):
        for k, kind in enumerate((pa.string(), pa.large_string())):
            part = pa.table({"a": pa.array(["x", "y"], kind), "b": [0, 1]})
            pa.parquet.write_table(part, tmp_path / f"part{k}.parquet")
        assert_same(
            contingency_table_from(tmp_path, "a", "b"), cc.contingency_table(list("xyxy"), [0, 1, 0, 1])
        )

    def test_without_pyarrow(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.delitem(sys.modules, "pyarrow.dataset", raising=False)
        with pytest.raises(ImportError, match=r"pip install 'chancecorr\[tables\]'"):
            contingency_table_from("labels.parquet", "a", "b")
