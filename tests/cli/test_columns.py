"""Files that are made to harm: long rows, and damage that Arrow does not look for."""

import gzip
import tracemalloc

import pytest

from chancecorr.cli import columns
from chancecorr.cli.columns import Reading, read_columns
from tests.cli.test_commands import fail, succeed

LINE = b"x" * 2**20
RULE = r"`.*bomb.*` must have rows of at most 1,048,576 characters; got a longer one"


def write_gzip(path, *parts):
    with gzip.open(path, "wb", compresslevel=9) as file:
        for part in parts:
            file.write(part)


def peak_of(function):
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "parts",
    [
        [b"t,p\n1,1\n", *[LINE] * 64],
        [*[LINE] * 64],
        [b"t,p\n1,1\n", *[b'"\n",' * 2**18] * 64],
    ],
    ids=["a row", "the header", "a row of many lines"],
)
def test_a_row_without_end_is_refused_before_it_is_in_memory(tmp_path, monkeypatch, parts, record_property):
    monkeypatch.setattr(columns, "LONGEST_ROW", 2**20)  # memory is counted slowly
    path = tmp_path / "bomb.csv.gz"
    write_gzip(path, *parts)
    assert path.stat().st_size < 300_000

    def read():
        with pytest.raises(ValueError, match=RULE):
            read_columns(str(path), ["t", "p"], Reading())

    peak, in_all = peak_of(read), sum(map(len, parts))
    record_property("peak_mib", peak / 2**20)
    record_property("whole_mib", in_all / 2**20)
    assert peak < 32 * 2**20 < in_all / 2 + 1


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_the_longest_row(tmp_path, monkeypatch, more, is_read):
    """Line ends count; the next row begins anew."""
    monkeypatch.setattr(columns, "LONGEST_ROW", 20)
    path = tmp_path / "bomb.csv"
    path.write_text("t,p\n" + 3 * ('1,"two\n' + "x" * (11 + more) + '"\n'))
    reading = Reading()
    if is_read:
        assert read_columns(str(path), ["t"], reading) == [[1, 1, 1]]
        return
    with pytest.raises(ValueError, match=r"`.*` must have rows of at most 20 characters"):
        read_columns(str(path), ["t"], reading)


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_gzip(tmp_path / "bomb.csv.gz", b"t,p\n", *[LINE] * 32)
    said = fail(capsys, "adjust", "t", "p", "--data", "bomb.csv.gz")
    assert said.startswith("`bomb.csv.gz` must have rows of at most 16,777,216 characters; got a longer one.")


@pytest.mark.parametrize("rows", ["1,2\n2,2\n" * 100, "1,2\n" + "\n" * 200 + "2,2\n"], ids=["full", "empty"])
def test_many_short_rows_are_no_long_one(tmp_path, capsys, monkeypatch, rows):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(columns, "LONGEST_ROW", 100)
    (tmp_path / "labels.csv").write_text("t,p\n" + rows)
    succeed(capsys, "adjust", "t", "p", "--data", "labels.csv", "--missing", "drop")


def test_texts_of_a_damaged_arrow_file(tmp_path, capsys, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather

    monkeypatch.chdir(tmp_path)
    table = pyarrow.table({"t": ["needle", "b"], "p": [1, 2]})
    feather.write_feather(table, "labels.feather", compression="uncompressed")
    content = (tmp_path / "labels.feather").read_bytes()
    assert content.count(b"needle") == 1
    (tmp_path / "labels.feather").write_bytes(content.replace(b"needle", b"\x80eedle"))
    said = fail(capsys, "adjust", "t", "p", "--data", "labels.feather")
    assert said.startswith("`labels.feather` must be a file of Arrow; got: ")
    assert "UTF8" in said


def test_a_parquet_file_with_a_broken_head(tmp_path, capsys, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    monkeypatch.chdir(tmp_path)
    parquet.write_table(pyarrow.table({"t": ["a", "b"], "p": [1, 2]}), "labels.parquet")
    content = bytearray((tmp_path / "labels.parquet").read_bytes())
    content[4] = 0x1F  # the first type of the first page
    (tmp_path / "labels.parquet").write_bytes(content)
    said = fail(capsys, "adjust", "t", "p", "--data", "labels.parquet")
    assert said.startswith("`labels.parquet` must be a file of Parquet; got: ")


def test_an_encoding_that_refuses_all_text(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("t,p\n1,2\n")
    said = fail(capsys, "adjust", "t", "p", "--data", "labels.csv", "--encoding", "undefined")
    assert said == "`--encoding` must be an encoding that Python knows; got 'undefined'."
