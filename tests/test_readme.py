"""The README's examples print what the README shows, and its figures are those of the benchmarks."""

import doctest
import importlib
import json
import re
import sys
from pathlib import Path

import chancecorr as cc

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


def test_figures_are_those_that_the_benchmarks_wrote(monkeypatch):
    folder = ROOT / "experiments" / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    headline = importlib.import_module("headline")
    document = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert headline.with_headline(readme, document["results"], document["environment"]) == readme
    assert document["environment"]["scale"] == 1.0
    for module in ("headline", "timing"):
        sys.modules.pop(module, None)
