"""Whether a test that a page or an entry names is there."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def names_of_file(path):
    """Classes and tests of a file, as in node ids without the file: "TestThis", "TestThis::test_that"."""
    names = set()
    for each in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(each, ast.ClassDef | ast.FunctionDef):
            names.add(each.name)
        if isinstance(each, ast.ClassDef):
            names |= {f"{each.name}::{test.name}" for test in each.body if isinstance(test, ast.FunctionDef)}
    return names


def exists(test):
    """Whether a node id without parameters names a test, a class of tests, or a file."""
    file, _, name = test.partition("::")
    return (ROOT / file).is_file() and (not name or name in names_of_file(ROOT / file))
