"""Mutation testing and coverage: tests of a mutant, sums by room, a reason for each mutant that lives."""

import ast
import math
import os
from pathlib import Path

import pytest

from experiments.checks import executed, mutants, mutation
from experiments.common.kept import read_json


def mutant(line):
    return mutants.Mutant("key", "room/file.py", line, "", "")


@pytest.mark.parametrize(
    ("line", "found"), [(1, {"a", "b"}), (3, {"a", "b"}), (8, {"a"}), (9, {"a"}), (10, {"b"}), (12, {"b"})]
)
def test_a_mutant_gets_the_tests_of_its_line_or_of_the_last_one_executed_before(line, found):
    """Lines 3 and 7 are executed by the import alone; line 9 by nothing."""
    lines = {3: [], 7: [], 8: ["a"], 10: ["b"]}
    recorded = {"lines": {"room/file.py": lines}, "seconds": dict.fromkeys("ab", 1.0)}
    assert set(mutation.tests_of(mutant(line), recorded, 20.0)) == found


def test_the_quickest_come_first_within_the_time():
    seconds = {"a": 3.0, "b": 1.0, "c": 13.5, "d": math.inf}
    recorded = {"lines": {"room/file.py": {14: sorted(seconds)}}, "seconds": seconds}
    assert mutation.tests_of(mutant(14), recorded, 18.0) == ["b", "a", "c"]
    assert mutation.tests_of(mutant(14), recorded, 17.0) == ["b", "a"]


def test_operators_are_replaced_by_those_of_their_kind():
    assert mutants.is_used("core/ReplaceBinaryOperator_Add_Sub")
    assert mutants.is_used("core/NumberReplacer")
    assert not mutants.is_used("core/ReplaceBinaryOperator_Add_BitOr")
    assert not mutants.is_used("core/RemoveDecorator")


def test_what_can_change_no_result_is_left_out():
    text = """\
@cache(1)
def f(x: int | None) -> str:
    y: float = 2
    if TYPE_CHECKING:
        import a
    return zip(x, 3, strict=True)
"""
    found = [part for node in ast.walk(ast.parse(text)) for part in mutants.left_out(node)]
    parts = sorted(ast.unparse(part) for part in found if part is not None)
    assert parts == ["TYPE_CHECKING", "True", "cache(1)", "float", "int | None", "str"]


@pytest.mark.parametrize(("text", "passes"), [("VALUE = 1", True), ("VALUE = 2", False), ("1 / 0", False)])
def test_a_child_has_the_changed_text_in_place_of_the_file(tmp_path, text, passes):
    file, test = tmp_path / "changed_in_a_child.py", tmp_path / "test_value.py"
    file.write_text("VALUE = 3\n")
    test.write_text("def test_value():\n    from changed_in_a_child import VALUE\n    assert VALUE == 1\n")
    changed = mutants.Mutant("key", str(file), 1, "", text)
    found = mutation.in_child(mutation.first_failure, changed, [str(test)], as_python=False, seconds=60)
    assert found == "" if passes else found.endswith("test_value.py::test_value")
    assert file.read_text() == "VALUE = 3\n"


@pytest.mark.parametrize(
    ("work", "found"), [(lambda: 7, 7), (lambda: os._exit(1), "crash, or processor time")]
)
def test_a_child_returns_a_value_or_its_end(work, found):
    assert mutation.in_child(work, as_python=False, seconds=60) == found


def test_most_are_found_and_the_others_have_a_reason():
    tried = read_json(mutation.KEPT)["mutants"].values()
    lost = [each for each in tried if not each["found_by"]]
    assert len(tried) >= 500
    assert len(lost) <= 0.1 * len(tried)
    for each in lost:
        assert each["why"].partition(":")[0] in ("equivalent", "cost", "rounding"), each


def test_coverage_is_summed_over_the_files_of_a_room():
    counts = dict(zip(executed.COUNTS, (10, 9, 4, 3), strict=True))
    files = {
        str(Path("chancecorr", *place)): {"summary": counts}
        for place in (("a", "x.py"), ("a", "deep", "y.py"), ("text.py",))
    }
    assert executed.by_room(files) == {"a": {key: 2 * n for key, n in counts.items()}, "flat files": counts}
