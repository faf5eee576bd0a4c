"""The README's examples print what the README shows, and its figures are those of the benchmarks."""

import doctest
import json
import re
from pathlib import Path

import chancecorr as cc
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
        cc.indices.unregister_index(name)
    assert result.failed == 0, "".join(report)


def test_figures_are_those_that_the_benchmarks_wrote():
    path = ROOT / "experiments" / "benchmarks" / "results.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_headline(readme, document["results"], document["environment"]) == readme
    assert document["environment"]["scale"] == 1.0
