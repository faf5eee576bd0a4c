"""The page of promises: every test that it names is there."""

import re

from tests.named_tests import ROOT, exists


def test_what_is_named_is_there():
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    links = re.findall(r"\[`([\w.]+)`\]\(\.\./(tests/[\w/]+\.py)\)", page)
    assert len(links) > 100
    tests = [file if name.endswith(".py") else f"{file}::{name.replace('.', '::')}" for name, file in links]
    assert [test for test in tests if not exists(test)] == []
    assert not exists(tests[0] + "_of_another_name")
