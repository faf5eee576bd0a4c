"""The README's examples print what the README shows."""

import doctest
import re
from pathlib import Path

import chancecorr as cc

ROOT = Path(__file__).resolve().parents[2]


def test_examples_print_what_is_shown():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))
    assert blocks.count(">>>") >= 6
    test = doctest.DocTestParser().get_doctest(blocks, {}, "README.md", "README.md", 0)
    before = set(cc.list_indices())
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    for name in set(cc.list_indices()) - before:
        cc.indices.unregister_index(name)
    assert result.failed == 0, "".join(report)


def test_the_number_of_indices():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"one of {len(cc.list_indices())} indices" in text
