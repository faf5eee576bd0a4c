"""Small errors that somebody may make in two rooms of the package, made by Cosmic Ray one at a time."""

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOMS = ("chancecorr/correction", "chancecorr/exact")
SEED = 35

ALIKE = (
    {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"},
    {"BitAnd", "BitOr", "BitXor"},
    {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
)
"""Operators that replace each other."""


class Mutant(NamedTuple):
    """A changed file, and where it is changed; the key stays when other lines change."""

    key: str
    file: str
    line: int
    change: str
    text: str


def is_used(operator: str) -> bool:
    """Whether an operator of Cosmic Ray makes an error that somebody may make."""
    family, *ends = operator.removeprefix("core/").split("_")
    if ends:
        return ends[0] == "Delete" or any(set(ends) <= kind for kind in ALIKE)
    return not family.startswith(("Variable", "RemoveDecorator"))


def left_out(node: ast.AST) -> Iterator[ast.expr | None]:
    """Parts of a node in which no change can change a result.

    Type hints, and the condition of imports that serve them, are read by type checkers. A decorator decides
    how a class stores its fields, or how many results are kept. `strict` of `zip` asks for an error if
    lengths differ, which they do in no right program.
    """
    yield from (getattr(node, "annotation", None), getattr(node, "returns", None))
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node.value
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield node.test


def mutants(root: Path) -> Iterator[Mutant]:
    """One mutant of each place, in the order of the seed."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    found = []
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        seen: Counter[str] = Counter()
        for (line, column, family), options in sorted(_places(text).items()):
            place = f"{SEED} {file} {family} {column} {text.splitlines()[line - 1].strip()}"
            key = hashlib.sha256(f"{place} {seen[place]}".encode()).hexdigest()
            seen[place] += 1
            found.append((key, file, line, options[int(key, 16) % len(options)], text))
    for key, file, line, (operator, occurrence), text in sorted(found):
        changed = mutate_code(text, get_operator(operator)(), occurrence)
        with suppress(SyntaxError):
            if ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text)):
                pairs = zip(text.splitlines(), changed.splitlines(), strict=False)
                change = next(f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new)
                yield Mutant(key[:16], file, line, change, changed)


def _places(text: str) -> dict[tuple[int, int, str], list[tuple[str, int]]]:
    """Operators and their occurrences by line, column and family, except for what is left out."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    out = [part for node in ast.walk(ast.parse(text)) for part in left_out(node) if part is not None]
    nodes, places = list(ast_nodes(get_ast(text))), defaultdict(list)
    for name in filter(is_used, operator_names()):
        operator = get_operator(name)()
        positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, at in enumerate(positions):
            if not any((e.lineno, e.col_offset) <= at < (e.end_lineno, e.end_col_offset) for e in out):
                places[*at, name.partition("_")[0]].append((name, occurrence))
    return places
