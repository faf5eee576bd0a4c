"""What a run says of each promise: how many cases held it, and its figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.reliability.outcomes import ROOT, Case, exists
from experiments.reliability.promises import Figure, Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of the tests of a promise; `figures` has None where no test that ran records one."""

    promise: Promise
    passed: int
    failed: int
    skipped: int
    left_out: Mapping[str, int]
    """Cases by groups of tests that did not run."""
    missing: tuple[str, ...]
    """Tests that are not there, or had no case."""
    figures: tuple[tuple[Figure, float | None], ...]

    @property
    def not_recorded(self) -> tuple[str, ...]:
        """Figures that should have come of the tests, which all ran and passed."""
        if self.failed or self.skipped or self.left_out or self.missing:
            return ()
        return tuple(figure.name for figure, value in self.figures if value is None)

    @property
    def is_held(self) -> bool:
        """False where a test failed or is missing, or a figure was not recorded."""
        return not (self.failed or self.missing or self.not_recorded)


def judge(
    promise: Promise, cases: Iterable[Case], left_out: Mapping[str, Sequence[str]], root: Path = ROOT
) -> Verdict:
    """What became of the tests of a promise; `left_out` has tests by groups that did not run."""
    own = [case for case in cases if any(belongs(case.test, test) for test in promise.tests)]
    waiting = {
        group: [each for each in tests if any(belongs(each, test) for test in promise.tests)]
        for group, tests in left_out.items()
    }
    seen = [case.test for case in own] + [test for tests in waiting.values() for test in tests]
    missing = [
        test
        for test in promise.tests
        if not exists(test, root) or not any(belongs(each, test) for each in seen)
    ]
    return Verdict(
        promise=promise,
        passed=sum(case.outcome == "passed" for case in own),
        failed=sum(case.outcome == "failed" for case in own),
        skipped=sum(case.outcome == "skipped" for case in own),
        left_out={group: len(tests) for group, tests in waiting.items() if tests},
        missing=tuple(missing),
        figures=tuple((figure, value_of(figure, own)) for figure in promise.figures),
    )


def belongs(test: str, named: str) -> bool:
    """Whether a test is the one that is named, or in it; or stands for the whole file of it."""
    return test == named or test.startswith(f"{named}::") or named.startswith(f"{test}::")


def value_of(figure: Figure, cases: Iterable[Case]) -> float | None:
    """The figure over all cases that passed and recorded it."""
    found = [
        value
        for case in cases
        if case.outcome == "passed"
        for name, value in case.properties
        if name == figure.name
    ]
    if not found:
        return None
    if figure.over_cases == "sum":
        return sum(found)
    return max(found) if figure.over_cases == "largest" else min(found)
