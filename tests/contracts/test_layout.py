"""The layout of the package: no import goes up or round."""

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
    ("plotting",),
    ("result",),
    ("chance",),
    ("correction",),
    ("comparison", "ensembles", "prototypes"),
    ("catalogue",),
    ("report",),
    ("__init__",),
    ("cli",),
    ("__main__",),
)
"""Rooms, the lowest first; those of one floor do not import each other."""

FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def list_imported_rooms(path: Path) -> Iterator[str]:
    """Rooms that a file imports, inside functions too; what only type checkers read is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for package, *parts in ((module + alias.name).split(".") for alias in node.names):
                if package == "chancecorr":
                    yield parts[0] if parts and parts[0] in FLOOR_OF else "__init__"


def test_no_import_goes_up():
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert {path.stem for path in ROOT.glob("*.py")} | folders == FLOOR_OF.keys()
    up = [
        f"{path.relative_to(ROOT)} imports {other}"
        for path in sorted(ROOT.rglob("*.py"))
        if (room := path.relative_to(ROOT).parts[0].removesuffix(".py"))
        for other in list_imported_rooms(path)
        if other != room and FLOOR_OF[other] >= FLOOR_OF[room]
    ]
    assert not up
