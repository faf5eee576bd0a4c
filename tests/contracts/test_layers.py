"""Imports go from a room to those below it: none up, none round, inside functions too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import chancecorr

ROOT = Path(chancecorr.__file__).parent

FLOORS = (
    ("machine",),
    ("tables",),
    ("indices",),
    ("exact",),
    ("sampling",),
    ("clusterings",),
    ("chance",),
    ("correction", "consensus_functions"),
    ("comparison", "ensembles", "prototypes"),
    ("plotting", "catalogue"),
    ("report",),
    ("__init__",),
    ("cli",),
    ("__main__",),
)
"""Rooms, the lowest first; those of one floor do not import each other, except for the lowest ones."""

FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def imports(path: Path) -> Iterator[str]:
    """Rooms of the package that a file imports; what only type checkers read is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
        if isinstance(node, ast.FunctionDef) and node.name == "plot":  # a picture is asked for by its result
            node.body = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for name in (module + alias.name for alias in node.names):
            package, *parts = name.split(".")
            if package == "chancecorr":
                yield parts[0] if parts and parts[0] in FLOOR_OF else "__init__"


def test_no_import_goes_up():
    up = [
        f"{path.relative_to(ROOT)} imports {other}"
        for path in sorted(ROOT.rglob("*.py"))
        if (room := path.relative_to(ROOT).parts[0].removesuffix(".py"))
        for other in imports(path)
        if other != room and FLOOR_OF[other] >= FLOOR_OF[room] > 0
    ]
    assert not up


def test_every_room_has_a_floor():
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert {path.stem for path in ROOT.glob("*.py")} | folders == FLOOR_OF.keys()
