"""Results that later results are made of: a flipped bit is found, and said in one line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.benchmarks import run as benchmarks
from experiments.common import sealed, summary
from experiments.coverage import run as coverage

ROOT = Path(__file__).resolve().parents[2]
SEALED = [
    *sorted(ROOT.glob("experiments/*/results/summary.json")),
    ROOT / "experiments" / "benchmarks" / "results.json",
    ROOT / "experiments" / "coverage" / "results.json",
]


@pytest.mark.parametrize("path", SEALED, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_committed_is_as_it_was_written(path):
    document = sealed.read_sealed(path, "")
    assert document == {k: v for k, v in json.loads(path.read_text("utf-8")).items() if k != "sha256"}


def test_one_flipped_bit_anywhere_changes_nothing_or_is_found(tmp_path):
    path = tmp_path / "results.json"
    document = {"a": [0.1, 2, float("nan")], "word": "é", "deep": {"x": None, "y": True}}
    sealed.write_sealed(path, document)
    content, found = path.read_bytes(), 0
    for place in range(len(content)):
        for bit in range(8):
            damaged = bytearray(content)
            damaged[place] ^= 1 << bit
            path.write_bytes(damaged)
            try:
                read = sealed.read_sealed(path, "Run it again.")
            except ValueError:
                found += 1
            else:  # a space for a line end
                assert json.dumps(read) == json.dumps(document)
    assert found > 0.9 * 8 * len(content)


def test_a_file_without_a_checksum_or_of_another_kind(tmp_path):
    path = tmp_path / "results.json"
    for text in ('{"a": 1}', "[1]", "", "\xff", '{"sha256": null, "a": 1}'):
        path.write_text(text, encoding="latin-1")
        with pytest.raises(ValueError, match="its checksum does not fit"):
            sealed.read_sealed(path, "")


def test_a_checksum_for_a_file_that_was_changed_by_hand(tmp_path):
    path = tmp_path / "results.json"
    path.write_text('{"b": 1, "a": 2}')
    subprocess.run(
        [sys.executable, "-m", "experiments.common.sealed", path], check=True, cwd=ROOT, timeout=60
    )
    assert list(sealed.read_sealed(path, "").items()) == [("b", 1), ("a", 2)]


def changed(path):
    """One digit of a number, in a copy."""
    text = path.read_text(encoding="utf-8")
    at = next(k for k in range(len(text) // 2, len(text)) if text[k] in "12345678")
    path.write_text(text[:at] + str(int(text[at]) ^ 1) + text[at + 1 :], encoding="utf-8")


@pytest.mark.parametrize("module", [benchmarks, coverage])
def test_a_run_of_a_part_refuses_damaged_results_of_the_others(module, tmp_path, monkeypatch, capsys):
    name = module.__name__.split(".")[1]
    shutil.copy(ROOT / "experiments" / name / "results.json", tmp_path)
    changed(tmp_path / "results.json")
    part = next(iter(module.SCRIPTS if module is benchmarks else module.PARTS))
    arguments = ["--only", part, "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["run", *arguments])
    with pytest.raises(SystemExit) as ended:
        module.main() if module is benchmarks else module.main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "results.json` must be as it was written" in said
    assert "again, without `--only`." in said


def test_the_table_of_studies_refuses_a_damaged_summary(tmp_path):
    study = SEALED[0].parent.parent.name
    folder = tmp_path / "experiments" / study / "results"
    folder.mkdir(parents=True)
    shutil.copy(SEALED[0], folder)
    assert len(summary.table_of_studies([study], tmp_path)) == 3
    path = folder / "summary.json"
    path.write_text(path.read_text("utf-8").replace('"agrees": ', '"agrees": 1', 1), "utf-8")
    with pytest.raises(ValueError, match=rf"does not fit\. Run `python -m experiments {study} --full` again"):
        summary.table_of_studies([study], tmp_path)
