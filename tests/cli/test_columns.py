"""Damage that Arrow does not look for."""

import pytest

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
