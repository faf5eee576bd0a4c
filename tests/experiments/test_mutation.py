"""Mutation testing and coverage: tests of a mutant, sums by room, a reason for each mutant that lives."""

from pathlib import Path

import pytest

from experiments.checks import executed, mutation
from experiments.common.kept import read_json

TEXT = """\
LIMIT = 3


def of(
    x,
):
    if (
        x > LIMIT
    ):
        return (
            x
            + 1
        )
    return x
"""


def mutant(line):
    return mutation.Mutant("room/file.py", line, "", TEXT)


@pytest.mark.parametrize(
    ("line", "found"), [(1, {"a", "b", "c"}), (5, {"a", "b", "c"}), (8, {"a"}), (12, {"b"}), (14, {"c"})]
)
def test_a_mutant_gets_the_tests_of_its_statement(line, found):
    lines = {"1": [], "7": [], "8": ["a"], "9": [], "10": ["b"], "14": ["c"]}
    recorded = {"lines": {"room/file.py": lines}, "seconds": dict.fromkeys("abc", 1.0)}
    assert set(mutation.tests_of(mutant(line), recorded, 20.0)) == found


def test_each_function_comes_first_with_its_quickest_case_within_the_time():
    seconds = {"f[1]": 1.0, "f[2]": 2.0, "g[1]": 3.0, "h": 13.5}
    recorded = {"lines": {"room/file.py": {"14": sorted(seconds)}}, "seconds": seconds}
    assert mutation.tests_of(mutant(14), recorded, 20.0) == ["f[1]", "g[1]", "h", "f[2]"]
    seconds["h"] += 1.0
    assert mutation.tests_of(mutant(14), recorded, 20.0) == ["f[1]", "g[1]", "h"]


def test_operators_are_replaced_by_those_of_their_kind():
    assert mutation.is_used("core/ReplaceBinaryOperator_Add_Sub")
    assert mutation.is_used("core/NumberReplacer")
    assert not mutation.is_used("core/ReplaceBinaryOperator_Add_BitOr")
    assert not mutation.is_used("core/RemoveDecorator")


def test_type_hints_are_found():
    text = "x: int = 1\ndef f(y: float | None) -> str: ...\n"
    assert sorted(mutation._hints(text)) == [((1, 3), (1, 6)), ((2, 9), (2, 21)), ((2, 26), (2, 29))]


def test_most_are_found_and_the_others_have_a_reason():
    mutants = read_json(mutation.KEPT)["mutants"]
    lost = [each for each in mutants if not each["found_by"]]
    equal = sum(each["why"].startswith("equivalent") for each in lost)
    assert len(mutants) - len(lost) >= 0.85 * (len(mutants) - equal)
    for each in lost:
        assert each["why"].partition(":")[0] in ("equivalent", "cost", "rounding"), each


def test_coverage_is_summed_over_the_files_of_a_room():
    counts = dict(zip(executed.COUNTS, (10, 9, 4, 3), strict=True))
    files = {
        str(Path("chancecorr", *place)): {"summary": counts}
        for place in (("a", "x.py"), ("a", "deep", "y.py"), ("text.py",))
    }
    assert executed.by_room(files) == {"a": {key: 2 * n for key, n in counts.items()}, "flat files": counts}
