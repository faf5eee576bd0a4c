"""The search for answers that take too long, on few cases."""

import numpy as np
import pytest

from experiments.checks import endless
from experiments.checks.endless import Case, Outcome

ONE_HUGE = ("huge", "huge")


def test_tables_have_the_margins_that_are_asked_for():
    for case in endless.random_cases(40, np.random.default_rng(1)):
        rows, columns = (
            endless.margins_of(shape, k, case.n) for shape, k in zip(case.shapes, case.clusters, strict=True)
        )
        assert (len(rows), len(columns)) == case.clusters
        assert sum(rows) == sum(columns) == case.n
        table = endless.table_of(rows, columns)
        assert (table.row_totals.tolist(), table.column_totals.tolist()) == (rows, columns)


def test_worst_first():
    case = Case(ONE_HUGE, (3, 3), 100, "rand", "auto")
    found = [
        Outcome(case, *rest) for rest in (("answer", 3.0), ("memory", 1.0), ("refusal", 4.0), ("killed", 2.0))
    ]
    assert [each.status for each in endless.worst_first(found)] == ["killed", "memory", "refusal", "answer"]


@pytest.mark.heavy
def test_small_search(record_property):
    margins = [((8, 8), 1000), ((3, 3), 500_000_000), ((1, 1), 10), ((40, 60), 1000)]
    cases = [
        Case(ONE_HUGE, clusters, n, index, method)
        for clusters, n in margins
        for index, method in (("rand", "auto"), ("jaccard", "auto"), ("purity", "auto"), ("rand", "analytic"))
    ]
    cases += [Case(ONE_HUGE, clusters, n, "purity", "exact") for clusters, n in margins]
    found = list(endless.outcomes(cases, seconds=60.0, gibibytes=2.0))
    assert [each.case for each in found] == cases
    assert {each.status for each in found} <= {"answer", "refusal"}
    assert all(each.status == "answer" for each in found if each.case.method == "auto")
    record_property("answers", len(found))
    record_property("slowest_seconds", max(each.seconds for each in found))


@pytest.mark.heavy
def test_what_takes_too_long_is_killed_and_the_next_case_answered():
    small = Case(("equal", "equal"), (3, 3), 30, "rand", "auto")
    long = Case(("equal", "equal"), (400, 400), 4_000_000, "purity", "monte-carlo")
    found = list(endless.outcomes([small, long, small], seconds=0.5, gibibytes=2.0))
    assert [each.status for each in found] == ["answer", "killed", "answer"]
