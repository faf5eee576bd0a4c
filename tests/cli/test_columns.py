"""Damage that Arrow does not look for, what parts the cells of text, and long and wide files."""

import os
import tracemalloc

import pytest

from chancecorr.cli import columns
from tests.cli.test_commands import fail


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


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_what_parts_the_cells_is_seen_in_the_first_line(tmp_path, mark):
    path = tmp_path / "labels.csv"
    path.write_text(f"true{mark}pred\n" + f"1,5{mark}a\n".replace("1,5", '"1,5"') * 2)
    assert as_rows(path) == [("true", ["1,5", "1,5"]), ("pred", ["a", "a"])]


def as_rows(path):
    reading = columns.Reading(header=True, missing="raise", noise=None, noise_label="-1")
    names = ["true", "pred"]
    found = columns.read_label_columns([("TRUE", name) for name in names], str(path), reading)
    return [(name, list(labels)) for name, labels in zip(names, found, strict=True)]


def test_rows_are_not_kept(tmp_path):
    n = 30_000
    path = tmp_path / "labels.csv"
    path.write_text("true,pred,other\n" + "".join(f"{k % 7},name {k % 5},{k}\n" for k in range(n)))
    size = path.stat().st_size
    tracemalloc.start()
    found = as_rows(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found[1][1][:6] == ["name 0", "name 1", "name 2", "name 3", "name 4", "name 0"]
    # the file, two codes of 4 bytes, labels of 8 twice, and what `list` adds; a cell of text takes 50 or more
    assert peak < 1.2 * size + 60 * n


def test_very_many_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MAX_COLUMNS_NOT_NAMED", 30_000)
    path = tmp_path / "labels.csv"
    m = 30_000
    path.write_text(",".join(f"c{k}" for k in range(m)) + "\n" + (",".join("0" * m) + "\n") * 2)
    reading = columns.Reading(header=True, missing="raise", noise=None, noise_label="-1")
    found = columns.read_all_columns(str(path), ["c7"], reading)  # hours, if each were looked for
    assert [name for name, _ in found[:3]] == ["c7", "c0", "c1"]
    assert len(found) == m


def test_bytes_that_are_no_text_are_not_read_on(capsys):
    """A device that never ends; its first bytes tell that it is no text."""
    if not os.path.exists("/dev/zero"):
        pytest.skip("needs a device of zeros")
    assert fail(capsys, "adjust", "--data", "/dev/zero", "a", "b") == (
        "`/dev/zero` must be a CSV file in UTF-8; got bytes that are no text."
    )


def test_more_than_can_be_held_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("chancecorr.cli.rows.MAX_BYTES", 1 << 20)
    (tmp_path / "long.csv").write_bytes(b"a,b\n" + b"1,2\n" * (1 << 18))
    said = fail(capsys, "adjust", "--data", str(tmp_path / "long.csv"), "a", "b")
    assert said.endswith("must have at most 0 GiB; got more.")


def test_very_many_columns_are_no_candidates_unless_named(tmp_path, capsys):
    names = ",".join(f"c{k}" for k in range(2_002))
    (tmp_path / "wide.csv").write_text(f"{names}\n" + "\n".join(",".join([x] * 2_002) for x in "aabb"))
    said = fail(capsys, "compare", "c0", "--data", str(tmp_path / "wide.csv"))
    assert said.endswith("at most 2,000 columns besides those named; got 2,001. Name the candidates.")
