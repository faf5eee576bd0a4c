"""The README's examples print what the README shows, and its figures are those of the benchmarks."""

import doctest
import json
import re
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.catalogue.common import CHOICES
from experiments.benchmarks.headline import with_headline

ROOT = Path(__file__).resolve().parents[1]


def test_examples_print_what_is_shown():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))
    assert blocks.count(">>>") >= 7
    test = doctest.DocTestParser().get_doctest(blocks, {}, "README.md", "README.md", 0)
    before = set(cc.list_indices())
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    for name in set(cc.list_indices()) - before:
        cc.unregister_index(name)
    assert result.failed == 0, "".join(report)


def test_is_short_and_answers_which_index():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 130
    assert all(f'| {each.question} | `"{each.call}"`, {each.title}' in text for each in CHOICES)


def test_the_picture_is_that_of_the_example(tmp_path):
    """The words and numbers in it, and its size; where its lines are depends on the version of Matplotlib."""
    pytest.importorskip("matplotlib")
    from experiments.demo.picture import FOUND, PICTURE, TRUTH, draw

    def texts(path):
        return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))

    draw(tmp_path / "picture.svg")
    assert texts(tmp_path / "picture.svg") == texts(PICTURE) != []
    assert PICTURE.stat().st_size < 60_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    score = cc.adjusted_score(TRUTH, FOUND, "rand")
    assert f"{100 * score:.0f} % of the way from the expected to the best](docs/picture.svg)" in readme


def test_figures_are_those_that_the_benchmarks_wrote():
    path = ROOT / "experiments" / "benchmarks" / "results.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_headline(readme, document["results"], document["environment"]) == readme
    assert document["environment"]["scale"] == 1.0
