"""The pages of functions: every public name in one list, and docstrings that numpydoc can show."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import chancecorr
import chancecorr.plotting
from chancecorr.clusterings.clustering import Clustering

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md"

ROOMS = [
    *("tables", "indices", "correction", "comparison", "clusterings", "ensembles"),
    *("chance", "prototypes", "catalogue", "plotting"),
]
PUBLIC = [f"chancecorr.{name}" for name in chancecorr.__all__] + [
    f"chancecorr.{room}.{name}"
    for room in ROOMS
    for name in importlib.import_module(f"chancecorr.{room}").__all__
    if name not in chancecorr.__all__
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


def test_every_public_name_is_in_exactly_one_list_and_only_what_results_hold_beside_them():
    names = listed(PAGE.read_text())
    assert sorted(set(PUBLIC) - set(names)) == []
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
    assert all(map(resolved, names))
    assert set(names) - set(PUBLIC) == set(listed(PAGE.read_text().split("## What results hold")[1]))


LEFT_OUT = {
    "ES01": "an extended summary, where the first line says it all",
    "SA01": "See Also: names in the text are links",
    "SS05": "an infinitive: a first line says what a thing is",
    "PR03": "the order of parameters: after the labels all are keywords, and are told by what they are for",
    "PR04": "a type for parameters that are as in another function",
    "EX01": "examples, which are asked for below",
}
"""Codes of numpydoc's validation that are not asked for, and why; all others are."""

OF_THE_ROAD = {"check_bytes", "check_seconds", "find_seconds_left", "limit_step", "split", "tables_with"}
"""Methods that functions of the package call, and users do not."""

EXAMPLES_ELSEWHERE = {"chancecorr.plotting": "their pictures are on the pages that explain"}


def methods_of(name):
    """Public methods and properties of a class, and nothing for a function."""
    thing = resolved(name)
    if not inspect.isclass(thing):
        return []
    kinds = (classmethod, staticmethod, property)
    return [
        f"{name}.{key}"
        for key, value in vars(thing).items()
        if not key.startswith("_")
        and key not in OF_THE_ROAD
        and (inspect.isfunction(value) or isinstance(value, kinds))
        if not hasattr(Clustering, key)  # what the engine asks of every kind is described there
    ]


CALLABLE = [name for name in PUBLIC if callable(resolved(name))]
DOCUMENTED = [each for name in CALLABLE for each in (name, *methods_of(name))]


def complaints(name):
    """What numpydoc finds wrong with a docstring, by code."""
    validate = pytest.importorskip("numpydoc.validate").validate
    return {
        code: text
        for code, text in validate(name)["errors"]
        if code not in LEFT_OUT
        and not (code == "PR01" and has_its_fields_as_attributes(name))
        and not (code == "RT01" and takes_nothing(name))
    }


def takes_nothing(name):
    """Whether this is a method without arguments: a sentence says all of it."""
    owner, _, key = name.rpartition(".")
    method = getattr(resolved(owner), key, None) if owner in CALLABLE else None
    return inspect.isfunction(method) and [*inspect.signature(method).parameters] == ["self"]


def has_its_fields_as_attributes(name):
    """Whether a class that only functions make says under Attributes what its fields are."""
    thing = resolved(name) if name in CALLABLE else None
    if not inspect.isclass(thing):
        return False
    fields = getattr(thing, "__dataclass_fields__", None) or getattr(thing, "_fields", None)
    if not fields:
        return False
    section = inspect.getdoc(thing).partition("Attributes\n----------\n")[2]
    described = re.findall(r"^([\w, ]+) :", section, re.MULTILINE)
    return set(fields) <= {each for line in described for each in line.split(", ")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings_are_as_numpydoc_wants_them(name):
    assert complaints(name) == {}


@pytest.mark.parametrize("name", CALLABLE)
def test_there_is_an_example(name):
    """What a result holds may be in the example of the result."""
    if not any(name.startswith(prefix) for prefix in EXAMPLES_ELSEWHERE):
        elsewhere = re.search(r"; see the example of `(\w+)`\.", inspect.getdoc(resolved(name)))
        shown_by = f"{name.rpartition('.')[0]}.{elsewhere[1]}" if elsewhere else name
        assert ">>> " in inspect.getdoc(resolved(shown_by))


@pytest.mark.parametrize("name", [name for name in CALLABLE if inspect.isfunction(resolved(name))])
def test_a_function_says_what_it_raises(name):
    assert "\nRaises\n------\n" in inspect.getdoc(resolved(name))
