"""The report on many data sets."""

import pytest

from chancecorr.report import to_html
from tests.report.examples import datasets
from tests.report.markup import read


def test_differences_and_tests_are_those_of_the_scores():
    scores = datasets()
    page = to_html(scores, reference="species")
    apart = scores.difference("good", "poor")
    assert f'<th scope="row">poor</th><td class="right">{apart.difference:.3f}</td>' in page
    assert f"{apart.low:.3f} to {apart.high:.3f}" in page
    assert "All others agree significantly less." in page
    assert f"are more than {scores.rank_test().critical_difference:.2f} apart" in page
    assert "Demšar, 2006" in page


def test_those_not_significantly_worse_are_named():
    page = to_html(datasets(names=("a", "b", "chance"), shares=(0.8, 0.8, 0.0)))
    assert "Not significantly worse: <b>" in page


def test_two_candidates_have_no_test_of_ranks():
    page = to_html(datasets(names=("a", "b"), shares=(0.8, 0.1)))
    assert "Friedman" not in page
    assert "Demšar" not in page


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a&b", "‮x"])
def test_names_are_text(name):
    page = to_html(datasets(names=(name, "b"), shares=(0.8, 0.1)), reference=name)
    assert "<script>" not in page
    assert "‮" not in page
    read(page)  # raises if markup is broken
