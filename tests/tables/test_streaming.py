"""Tables of labels in chunks, files and iterables of frames equal the tables of the whole columns."""

import collections
import gc
import re
import sys
import weakref

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr import contingency_table
from chancecorr.tables import contingency_table_from, crosstab, streaming
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


SOURCES = {
    "path": parquet,
    "folder": several_files,
    "path of a Feather file": feather,
    "data set": lambda table, folder: pa.dataset.dataset(several_files(table, folder)).to_batches(
        batch_size=BATCH
    ),
    "batches of a ParquetFile": lambda table, folder: pa.parquet.ParquetFile(
        parquet(table, folder)
    ).iter_batches(),
    "RecordBatchReader": lambda table, folder: table.to_reader(max_chunksize=6),
    "LazyFrame": lambda table, folder: (
        pytest.importorskip("polars").from_arrow(table).lazy().collect_batches(chunk_size=BATCH)
    ),
    "frames of pandas": lambda table, folder: (table.slice(k, 6).to_pandas() for k in range(0, ROWS, 6)),
    "frames of polars": lambda table, folder: [
        pytest.importorskip("polars").from_arrow(table.slice(k, 6)) for k in range(0, ROWS, 6)
    ],
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
    def test_lazy_frames(self):
        self.test_of_another_kind(pytest.importorskip("polars").LazyFrame({"a": [0], "b": [1]}))

    @pytest.mark.parametrize("data", [3, {"a": [0], "b": [1]}, None])
    def test_of_another_kind(self, data):
        with pytest.raises(TypeError, match=r"`data` must be a path.* by `\.collect_batches\(\)`"):
            contingency_table_from(data, "a", "b")
        with pytest.raises(ValueError, match="`data` must be a Parquet or Arrow file if it is a path; got"):
            contingency_table_from("labels.csv", "a", "b")

    def test_frames_of_another_kind(self):
        with pytest.raises(TypeError, match="`data` must hold frames of pandas, polars or Arrow; got a list"):
            contingency_table_from([[0, 1]], "a", "b")

    def test_an_error_counts_batches_and_objects_of_all_files(self, tmp_path):
        labels = [k if k != 19 else None for k in range(ROWS)]
        for k, rows in enumerate((slice(0, 13), slice(13, ROWS))):
            part = pa.table({"a": labels[rows], "b": COLUMNS["integers"][rows]})
            pa.parquet.write_table(part, tmp_path / f"part{k}.parquet", row_group_size=4)
        with pytest.raises(ValueError, match=r"chunk \d, from object \d+ on, must not .* at") as caught:
            contingency_table_from(tmp_path, "a", "b")
        chunk, first, position = map(int, re.findall(r"\d+", str(caught.value)))
        assert (chunk > 1, first + position) == (True, 19)

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


# Arrow files: batches of any size, and damage that ends the process where a data set reads them


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labels.arrow"


def damage(path):
    """A byte too many before the second of several dictionaries."""
    text = pa.array(["a", "b", "a"]).dictionary_encode()
    pa.feather.write_feather(pa.table({"t": text, "p": text, "x": text}), path, compression="uncompressed")
    content = path.read_bytes()
    starts = [k for k in range(len(content)) if content[k : k + 4] == b"\xff\xff\xff\xff"]
    path.write_bytes(content[: starts[2] - 3] + b"x" + content[starts[2] - 3 :])


def test_a_damaged_file_is_an_error_each_time(path):
    damage(path)
    for _ in range(30):  # a data set of Arrow ended the process at one reading in three
        with pytest.raises((OSError, pa.ArrowException)):
            cc.tables.contingency_table_from(path, "t", "p")


def test_a_text_that_is_none_is_an_error(path):
    table = pa.table({"t": ["needle", "b"], "p": [1, 2]})
    pa.feather.write_feather(table, path, compression="uncompressed")
    path.write_bytes(path.read_bytes().replace(b"needle", b"\x80eedle"))
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        cc.tables.contingency_table_from(path, "t", "p")


# Labels that come in chunks, against one table of all


SORTABLE = {
    "integers": st.integers(-4, 4),
    "large integers": st.integers(-(2**70), 2**70),
    "integers beyond int64": st.sampled_from([-1, 2**63, 2**64 - 1]),
    "texts": st.text("ab\0é", max_size=3),
    "bytes": st.binary(max_size=2),
    "booleans": st.booleans(),
    "floats": st.sampled_from([-1.5, -0.0, 0.0, 1e300, 3.25]),
    "integers, booleans and floats": st.sampled_from([0, 1, 2, True, False, 1.0, 0.5, 2**53 + 1]),
    "tuples": st.tuples(st.integers(0, 2), st.text("ab", max_size=1)),
}
UNSORTABLE = st.sampled_from([0, 1, "0", "a", (-1, 2), b"a", 1.5, frozenset([3])])


def chunks_of(labels):
    chunk = st.integers(0, 8).flatmap(
        lambda n: st.tuples(
            st.lists(labels, min_size=n, max_size=n), st.lists(labels, min_size=n, max_size=n)
        )
    )
    return st.lists(chunk, max_size=5)


def put_together(chunks):
    return [label for a, _ in chunks for label in a], [label for _, b in chunks for label in b]


@pytest.mark.parametrize("kind", SORTABLE)
class TestAgainstOneTableOfAll:
    @settings(max_examples=20, deadline=None)
    @given(data=st.data())
    def test_labels_of_any_kind(self, kind, data):
        chunks = data.draw(chunks_of(SORTABLE[kind]))
        assert_same(contingency_table_from(iter(chunks)), contingency_table(*put_together(chunks)))

    @pytest.mark.slow
    @settings(max_examples=12, deadline=None)
    @given(data=st.data())
    def test_sparse_tables(self, kind, data):
        chunks = data.draw(chunks_of(SORTABLE[kind]).filter(lambda chunks: len(chunks) > 1))
        with pytest.MonkeyPatch.context() as patch:
            for module, name, limit in ((streaming, "MAX_DENSE_CELLS", 3), (crosstab, "MAX_DENSE_CELLS", 3),
                                        (crosstab, "MAX_DIRECT_CELLS", 0)):  # fmt: skip
                patch.setattr(module, name, limit)
            found = contingency_table_from(chunks)
        assert_same(found, contingency_table(*put_together(chunks)))
        assert scipy.sparse.issparse(found.counts) == (np.prod(found.shape) > max(3, 4 * found.n))


class TestChunks:
    @pytest.mark.slow
    @settings(max_examples=100, deadline=None)
    @given(chunks_of(UNSORTABLE))
    def test_labels_that_cannot_be_sorted_are_counted_the_same(self, chunks):
        found = contingency_table_from(chunks)
        rows, columns = names(found)
        counted = {(rows[i], columns[j]): count for i, j, count in zip(*found.nonzero_cells, strict=True)}
        assert counted == collections.Counter(zip(*put_together(chunks), strict=True))

    def test_arrays_of_different_types(self):
        for types in [(np.int8, np.uint64), (np.float32, np.int64), ("U1", "U3"), (object, np.int16)]:
            first, second = (np.array([1, 2, 3]).astype(kind) for kind in types)
            chunks = [(first, first), (second[1:], second[:2])]
            listed = [(x.tolist(), y.tolist()) for x, y in chunks]
            assert_same(contingency_table_from(chunks), contingency_table(*put_together(listed)))

    @pytest.mark.slow
    def test_one_chunk_at_a_time_is_in_memory(self):
        alive = []

        def chunks():
            for k in range(6):
                gc.collect()
                assert not any(each() is not None for each in alive)
                labels = np.arange(4) % (k + 1)
                alive.append(weakref.ref(labels))
                yield labels, [0, 0, 1, 1]
                del labels

        assert contingency_table_from(chunks()).n == 24

    def test_an_error_names_the_chunk_and_the_position(self):
        with pytest.raises(ValueError, match=r"`labels_pred` of chunk 0, .* must have the same length"):
            contingency_table_from([([0, 1], [0])])
        with pytest.raises(TypeError, match="`labels_true` of chunk 1, from object 1 on, must hold"):
            contingency_table_from([([0], [0]), ([[]], [0])])

    def test_what_is_no_pair_of_labels(self):
        with pytest.raises(TypeError, match="`data` must be an iterable of pairs of labels; got an int"):
            contingency_table_from(3)
        with pytest.raises(TypeError, match=r"`data` must hold pairs of labels, .* as chunk 1\."):
            contingency_table_from([([0], [0]), 4])
        frame = pd.DataFrame({"a": [0], "b": [1]})
        with pytest.raises(TypeError, match=r"`data` must .* named columns; got a DataFrame as chunk 0\."):
            contingency_table_from([frame])
        with pytest.raises(ValueError, match=r"`labels_true` must be the name of one column .* got None"):
            contingency_table_from(frame)

    def test_indexes_of_pandas(self):
        chunk = pd.Series([0, 1]), pd.Series([0, 1], index=[1, 0])
        with pytest.raises(ValueError, match=r"of chunk 0, .* must have the index of .* by `.to_numpy\(\)`"):
            contingency_table_from([chunk])
