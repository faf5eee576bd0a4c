"""The pages of functions: every public name in one list, and docstrings that numpydoc can show."""

import importlib
import re
from pathlib import Path

import pytest

import chancecorr
import chancecorr.plotting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md"

PUBLIC = [f"chancecorr.{name}" for name in chancecorr.__all__] + [
    f"chancecorr.plotting.{name}" for name in chancecorr.plotting.__all__
]


def listed(text):
    """Full names in the autosummary lists and data directives of a page, in order."""
    module, inside, names = "", False, []
    for line in text.splitlines():
        if found := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = found[1]
        elif found := re.match(r"```\{py:data\} (\S+)", line):
            names.append(found[1])
        elif line.startswith(".. autosummary::"):
            inside = True
        elif inside and (found := re.match(r"   (~?)([\w.]+)$", line)):
            names.append(found[2] if found[1] else f"{module}.{found[2]}")
        elif line and not line.startswith("   "):
            inside = False
    return names


def resolved(name):
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_every_public_name_is_in_exactly_one_list():
    names = listed(PAGE.read_text())
    assert sorted(set(PUBLIC) - set(names)) == []
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_every_listed_name_exists():
    for name in listed(PAGE.read_text()):
        resolved(name)


def test_only_what_results_hold_is_listed_beside_the_public_names():
    beside = set(listed(PAGE.read_text())) - set(PUBLIC)
    text = PAGE.read_text().split("## What results hold")[1]
    assert beside == set(listed(text))


def test_negative_control_a_name_left_out_or_listed_twice_is_found():
    text = PAGE.read_text()
    without = listed(text.replace("   adjust_table\n", ""))
    assert "chancecorr.adjust_table" in set(PUBLIC) - set(without)
    twice = listed(text.replace("   adjust_table\n", "   adjust_table\n   score\n"))
    assert twice.count("chancecorr.score") == 2
    with pytest.raises(AttributeError):
        resolved("chancecorr.adjusted_table")
