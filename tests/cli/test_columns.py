"""Damage that Arrow does not look for, and what parts the cells of text."""

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
    found = columns.read_columns(str(path), ["true", "pred"], reading)
    return [(name, list(labels)) for name, labels in found]
