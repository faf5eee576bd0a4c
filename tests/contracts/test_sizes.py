"""What keeps the house small: lines of a room, of a function, its parameters, and files outside of rooms."""

import ast
import re
from pathlib import Path

import chancecorr

ROOT = Path(chancecorr.__file__).parent
DESIGN = ROOT.parent / "docs" / "design.md"
MOST_CODE_LINES, MOST_PARAMETERS = 40, 8
MOST_CODE_LINES_OF_A_KERNEL = 90  # `add_pair_counts`, with its last cell elsewhere, takes an eighth longer


def budgets():
    """Lines by room, from the table of the design; the files outside of rooms have one together."""
    rows = re.findall(
        r"^\| (`(\w+)/`|flat files) \| (\d+) \|", DESIGN.read_text(encoding="utf-8"), flags=re.M
    )
    return {room or "flat files": int(lines) for _, room, lines in rows}


def lines_of(room):
    files = ROOT.glob("*.py") if room == "flat files" else (ROOT / room).rglob("*.py")
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def test_no_room_has_more_lines_than_its_budget():
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert budgets().keys() == rooms | {"flat files"}
    found = {room: (lines_of(room), budget) for room, budget in budgets().items()}
    assert {room: both for room, both in found.items() if both[0] > both[1]} == {}


def test_files_outside_of_rooms_are_few():
    assert len(list(ROOT.glob("*.py"))) <= 6


def code_lines(function, text):
    """Lines of a function's body that are not empty, a comment, or its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if not body:
        return 0
    lines = (line.strip() for line in text[body[0].lineno - 1 : function.end_lineno])
    return sum(bool(line) and not line.startswith("#") for line in lines)


def test_functions_are_short():
    """Kernels are longer and have more parameters: arrays are handed to them one by one."""
    long = []
    for path in ROOT.rglob("*.py"):
        source, in_kernels = path.read_text(encoding="utf-8"), "kernels" in path.parts
        for each in ast.walk(ast.parse(source)):
            if isinstance(each, ast.FunctionDef):
                n = code_lines(each, source.splitlines())
                parameters = len(each.args.posonlyargs + each.args.args)
                is_kernel = in_kernels or any("kernel" in ast.unparse(mark) for mark in each.decorator_list)
                if n > (MOST_CODE_LINES_OF_A_KERNEL if is_kernel else MOST_CODE_LINES):
                    long.append((path.name, each.name, n))
                if parameters > MOST_PARAMETERS and not is_kernel:
                    long.append((path.name, each.name, parameters))
    assert long == []
