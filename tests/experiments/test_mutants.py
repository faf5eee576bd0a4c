"""One kept error is found by the tests, and what is no error is not."""

import json

import pytest

from experiments import mutants


def test_the_kept_errors_are_errors():
    kept = json.loads(mutants.KEPT.read_text(encoding="utf-8"))
    assert all(line != changed for line, changed in kept)
    assert len({tuple(each) for each in kept}) == len(kept)
    assert len(list(mutants.find_mutants())) <= len(kept)


@pytest.mark.slow
@pytest.mark.parametrize(("changed", "found"), [("VALUE = 2", True), ("VALUE = 1  # the same", False)])
def test_an_error_is_found_in_a_copy(changed, found, tmp_path, monkeypatch):
    for folder in (tmp_path / "here", tmp_path / "copy"):
        (folder / "package" / "exact").mkdir(parents=True)
        (folder / "package" / "exact" / "value.py").write_text("VALUE = 1\n")
        (folder / "tests" / "exact").mkdir(parents=True)
        test = "from package.exact.value import VALUE\ndef test_value():\n    assert VALUE == 1\n"
        (folder / "tests" / "exact" / "test_value.py").write_text(test)
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "here")
    mutant = mutants.Mutant(mutants.Path("package/exact/value.py"), "VALUE = 1", changed)
    assert mutants.is_found(mutant, tmp_path / "copy") is found
    assert (tmp_path / "copy" / "package" / "exact" / "value.py").read_text() == "VALUE = 1\n"
