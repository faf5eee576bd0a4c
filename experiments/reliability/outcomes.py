"""How tests end, by pytest in a process of its own, read from the XML that it writes."""

import ast
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from experiments.reliability.groups import GROUPS

ROOT = Path(__file__).resolve().parents[2]


class Case(NamedTuple):
    """One test with one set of parameters."""

    test: str
    """Node id without parameters; that of the file where all of it was skipped or could not be imported."""
    parameters: str
    outcome: str
    """"passed", "failed" or "skipped"."""
    seconds: float
    properties: tuple[tuple[str, float], ...]


def run_group(group: str, tests: Sequence[str], root: Path = ROOT) -> list[Case]:
    """How the tests of a group end, of those that are named; pytest's own words go to the terminal."""
    if not tests:
        return []
    with tempfile.TemporaryDirectory() as folder:
        xml = Path(folder) / "junit.xml"
        options = ["-m", GROUPS[group], f"--junitxml={xml}", "-o", "junit_family=xunit1"]
        options += ["--continue-on-collection-errors"]
        done = _pytest([*options, *tests], root)
        if done.returncode not in (0, 1, 5):  # all passed, some failed, none in the group
            raise RuntimeError(f"pytest ended by {done.returncode} in the group {group!r}.")
        return list(cases_of(ET.parse(xml).getroot()))


def collected(group: str, tests: Sequence[str], root: Path = ROOT) -> list[str]:
    """Tests of a group among those that are named, one item for each set of parameters; none of them runs."""
    if not tests:
        return []
    done = _pytest(["--collect-only", "-m", GROUPS[group], *tests], root, stdout=subprocess.PIPE)
    lines = (done.stdout or "").splitlines()
    return [line.partition("[")[0] for line in lines if "::" in line and " " not in line.partition("[")[0]]


def _pytest(arguments: list[str], root: Path, stdout: int | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "experiments.reliability.groups", "-p"]
    command += ["no:cacheprovider", *arguments]
    places = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    surroundings = os.environ | {"PYTHONPATH": places}
    return subprocess.run(command, cwd=root, env=surroundings, stdout=stdout, text=True, check=False)


def cases_of(document: ET.Element) -> Iterator[Case]:
    """Cases of pytest's XML, of the family that names the file of a test."""
    for each in document.iter("testcase"):
        name, _, parameters = each.attrib["name"].partition("[")
        if not each.attrib["classname"]:  # what stands for a whole file
            test = name.replace(".", "/") + ".py"
        else:
            file = each.attrib["file"]
            module = file.removesuffix(".py").replace("/", ".")
            classes = each.attrib["classname"].removeprefix(module).strip(".")
            test = "::".join([file, *filter(None, classes.split(".")), name])
        yield Case(
            test=test,
            parameters=parameters.removesuffix("]"),
            outcome=_outcome(each),
            seconds=float(each.attrib.get("time", 0.0)),
            properties=tuple(_numbers(each)),
        )


def _outcome(element: ET.Element) -> str:
    if element.find("failure") is not None or element.find("error") is not None:
        return "failed"
    return "passed" if element.find("skipped") is None else "skipped"


def _numbers(element: ET.Element) -> Iterator[tuple[str, float]]:
    for each in element.iter("property"):
        yield each.attrib["name"], float(each.attrib["value"])


@cache
def names_of_file(path: Path) -> frozenset[str]:
    """Classes and tests of a file, as in node ids without the file: "TestThis", "TestThis::test_that"."""
    names = set()

    def visit(body: Iterable[ast.stmt], within: str) -> None:
        for each in body:
            if isinstance(each, ast.ClassDef):
                names.add(within + each.name)
                visit(each.body, f"{within}{each.name}::")
            elif isinstance(each, ast.FunctionDef):
                names.add(within + each.name)

    visit(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return frozenset(names)


def exists(test: str, root: Path = ROOT) -> bool:
    """Whether a file has the test or the class of tests that a node id names."""
    file, _, name = test.partition("::")
    return (root / file).is_file() and (not name or name in names_of_file(root / file))
