"""Arrow files: batches of any size, and damage that ends the process where a data set reads them."""

import pytest

import chancecorr as cc

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
from pyarrow import feather, ipc  # noqa: E402

from chancecorr.tables import streaming  # noqa: E402


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labels.arrow"


def test_batches_are_cut_and_columns_come_as_asked(path, monkeypatch):
    monkeypatch.setattr(streaming, "ROWS_AT_A_TIME", 3)
    table = pa.table({"a": range(7), "b": list("tuvwxyz"), "c": [None] * 7})
    with ipc.new_file(path, table.schema) as file:
        file.write_table(table.slice(0, 5))
        file.write_table(table.slice(5, 0))
        file.write_table(table.slice(5))
    assert streaming.read_schema(path, "Arrow").names == ["a", "b", "c"]
    parts = [batch.to_pydict() for batch in streaming.read_batches(path, ["b", "a"])]
    assert [part["a"] for part in parts] == [[0, 1, 2], [3, 4], [5, 6]]
    assert [part["b"] for part in parts] == [["t", "u", "v"], ["w", "x"], ["y", "z"]]


def damage(path):
    """A byte too many before the second of several dictionaries."""
    text = pa.array(["a", "b", "a"]).dictionary_encode()
    feather.write_feather(pa.table({"t": text, "p": text, "x": text}), path, compression="uncompressed")
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
    feather.write_feather(table, path, compression="uncompressed")
    path.write_bytes(path.read_bytes().replace(b"needle", b"\x80eedle"))
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        cc.tables.contingency_table_from(path, "t", "p")
