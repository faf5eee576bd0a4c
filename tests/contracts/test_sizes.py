"""What keeps the house small: lines and files in all, lines of a function, and its parameters."""

import ast
from pathlib import Path

import chancecorr

ROOT = Path(chancecorr.__file__).parent
MOST_LINES, MOST_FILES = 38_017, 165
MOST_CODE_LINES, MOST_PARAMETERS = 40, 8
MOST_CODE_LINES_OF_A_KERNEL = 90  # `add_pair_counts`, with its last cell elsewhere, takes an eighth longer


def test_the_package_stays_small():
    files = list(ROOT.rglob("*.py"))
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    assert lines <= MOST_LINES
    assert len(files) <= MOST_FILES


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
