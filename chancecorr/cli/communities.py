"""Read files of community detection: nodes with communities, a community in each line, trees of modules.

The files contain names of nodes, and clusterings are matched by these. An ambiguous file is an error.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise, takewhile
from typing import Any

import numpy as np

from chancecorr.cli.rows import LIST_MARKS, NUMBER, is_counting, lacks_corner, read_whole_number
from chancecorr.clusterings.membership import Cover
from chancecorr.tables.names import explain_unlike_names

FORMATS = "table", "communities", "nodes"

RTTM = "SPEAKER"  # first word; then recording, channel, start, length, two unused fields and speaker
FIELDS_OF_RTTM = 8, 9, 10

SEVERAL_CELLS = re.compile(r"[^\s,;][ \t,;]+[^\s,;]")  # in a line
TIME = re.compile(r"[0-9]{1,15}(\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?|\.[0-9]{1,30}")
PATH = re.compile(r"(\d+:)+\d+ ")  # path of a node in a tree of modules, as infomap writes it
NAME_OF_A_LINE = re.compile(r"[^\s,;:]+:(\s+|$)")  # before a community, as CFinder and OrthoFinder write it
REAL_NUMBER = re.compile(r"[-+]?(\d*[.,]0*[1-9]\d*([eE][-+]?\d+)?|\d+([.,]\d+)?[eE]-\d+)")  # not 7.0
COLUMN_NAMES = {"node_id", "node"}, {"module", "cluster", "community"}  # in the comments of infomap

Rows = list[list[str]]


def read_communities(
    path: str, text: io.TextIOWrapper, layout: str | None, header: bool | None, separator: str | None
) -> tuple[Rows, str] | None:
    """Read rows of a node and its communities, and describe the format; None for a table of labels."""
    whole = text.read()
    text.seek(0)
    if layout == "table" or not whole.strip() or not (layout or SEVERAL_CELLS.search(whole, 0, 1 << 16)):
        return None
    lines = [line for line in map(str.strip, whole.split("\n")) if line]
    segments = _read_segments(path, whole)
    if segments:
        return segments, RTTM
    kept = [line for line in lines if line[0] not in "#%"] or lines
    comment = lines[lines.index(kept[0]) - 1].lower().strip("#%: ").split() if lines[0] != kept[0] else []
    named = [[k for k, name in enumerate(comment) if name in some] for some in COLUMN_NAMES]
    fitting = (mark for are in (all, any) for mark in "\t;," if are(mark in line for line in kept))
    mark = separator or next(fitting, " ")
    rows = members = _split(kept, mark)
    widths = {*map(len, rows)}
    tree = list(takewhile(lambda row: not row[0].startswith("*"), _split(kept, " ")))  # links follow
    if PATH.match(kept[0]) and len({*map(len, tree)}) == 1:
        node = named[0][0] if named[0] and len(comment) == len(tree[0]) else -1
        return [[row[node], row[0].rpartition(":")[0]] for row in tree], "the finest modules of a tree"
    if all(named) and widths == {len(comment)}:
        return [[row[of[0]] for of in named] for row in rows], f"columns {' '.join(comment)}"
    if all(map(NAME_OF_A_LINE.match, kept)) and not all(map(NAME_OF_A_LINE.fullmatch, kept)):
        parted = [line.partition(":") for line in kept if not NAME_OF_A_LINE.fullmatch(line)]  # not empty
        members = _split([rest.strip() for *_, rest in parted], mark)
        rows = [[name, *cells] for (name, *_), cells in zip(parted, members, strict=True)]
    if layout == "nodes" or (layout is None and _are_nodes(rows)):
        return _read_nodes(path, rows, header, mark)
    if layout == "communities" or _are_communities(members):
        how = "a community in each line" + " after its name" * (members is not rows)
        return _turn_communities(path, members), how + _remark_on_names(members)
    is_open = all(map(NUMBER.fullmatch, chain(*rows))) if mark == " " else len(widths) > 1
    if widths != {1} and (is_open or len(rows) == 1):
        raise ValueError(f"`{path}` has an ambiguous format. Pass --format communities, nodes or table.")
    return None


def _read_segments(path: str, whole: str) -> Rows:
    """Read start, length and speaker of each line of RTTM; decimal commas become points."""
    lines = [(number, line.strip()) for number, line in enumerate(whole.split("\n"), 1)]
    read = [
        (number, [cell.strip() for cell in line.split("\t")] if line.count("\t") >= 7 else line.split())
        for number, line in lines
        if line[: len(RTTM)] == RTTM and line[len(RTTM) :][:1].isspace()
    ]
    rows: Rows = []
    for number, row in read:  # first for all lines, because a missing field shifts the others
        if len(row) not in FIELDS_OF_RTTM or len(row) != len(read[0][1]):
            others = "" if len(row) == len(read[0][1]) else f", and {len(read[0][1])} in line {read[0][0]}"
            raise ValueError(
                f"`{path}` must have 10 fields in each line of RTTM, or 9; got {len(row)} in line"
                f" {number}{others}. A name may have blanks only if tabs separate the fields."
            )
    for number, row in read:
        times = [cell.replace(",", ".") for cell in row[3:5]]
        if not all(map(TIME.fullmatch, times)):
            raise ValueError(
                f"`{path}` must have numbers as start and length, in fields 4 and 5; got {row[3]!r} and"
                f" {row[4]!r} in line {number}."
            )
        rows.append([*times, row[7]])
    recordings = [*dict.fromkeys(row[1] for _, row in read)]
    if len(recordings) > 1:
        got = f"{recordings[0]!r} and {recordings[1]!r}"
        raise ValueError(f"`{path}` must hold segments of one recording; got {got}. Pass one file for each.")
    return rows


def _remark_on_names(members: Rows) -> str:
    """Remark on first words of lines that look like names of communities; empty text if they do not.

    Such words have one form with a number, like C1 and C2, and other words of the file do not have this form.
    """
    forms = {re.sub("[0-9]+", "0", row[0]) for row in members}
    others = {re.sub("[0-9]+", "0", cell) for row in members for cell in row[1:]}
    form = next(iter(forms))
    are_names = len(members) > 1 and len(forms) == 1 and "0" in form and form != "0" and form not in others
    return f" (the first word of a line, as {members[0][0]!r}, is a member)" if are_names else ""


def _split(lines: list[str], mark: str) -> Rows:
    """Split lines into cells, without an empty last cell."""
    rows = csv.reader(lines, delimiter=mark, skipinitialspace=True)
    parted = ([cell.strip() for cell in row] for row in rows if row)
    return [row[:-1] if len(row) > 1 and not row[-1] else row for row in parted]


def _are_nodes(rows: Rows) -> bool:
    """Return True if lines are distinct names, each with one of few labels or with a list of numbers."""
    rows = _complete_header(rows)
    if len(rows) < 2 or {*map(len, rows)} != {2}:
        return False
    names, labels = zip(*rows, strict=True)  # maybe below a header
    distinct = {*labels[1:]}
    are_labels = 2 * len(distinct) < len(labels) or _are_lists(distinct)
    return are_labels and len({*names}) == len(names) and not any(map(REAL_NUMBER.fullmatch, names))


def _complete_header(rows: Rows) -> Rows:
    """Add the missing corner cell to a header, and remove a column that numbers the rows."""
    first, *others = rows
    first = [""] * lacks_corner(rows) + first
    is_numbered = first[0] == "" and len(first) == 3 and is_counting([row[0] for row in others])
    return [row[1:] for row in (first, *others)] if is_numbered else [first, *others]


def _are_lists(labels: Iterable[str]) -> bool:
    """Return True if labels are lists of whole numbers, and some lists have several numbers."""
    lists = [LIST_MARKS.split(label) for label in labels]
    return max(map(len, lists)) > 1 and None not in map(read_whole_number, chain(*lists))


def _are_communities(rows: Rows) -> bool:
    """Return True if lines can only be communities: at least two members on average, no repeats in a line.

    Members are not real numbers. If all lines have the same length, no member is in two lines, and all
    members are numbers or none is a number.
    """
    members = list(chain(*rows))
    distinct, is_ragged = {*members}, len({*map(len, rows)}) > 1
    numbers = {*filter(NUMBER.fullmatch, distinct)}
    if any(map(REAL_NUMBER.fullmatch, numbers)) or any(len({*row}) < len(row) for row in rows):
        return False
    is_partition = len(distinct) == len(members) and numbers in (distinct, set())
    return 1 < len(rows) <= len(distinct) // 2 and (is_ragged or is_partition)


def _read_nodes(path: str, rows: Rows, header: bool | None, mark: str) -> tuple[Rows, str]:
    """Read rows of a node and its communities, without a header, and describe the format."""
    first, *others = _complete_header(rows)
    if first == ["0", "1"] and header is None and mark != " ":
        raise ValueError(f"`{path}` must say if '0' and '1' are a header. Pass --header or --no-header.")
    if header is None:  # two words, and the second has another form than the labels below
        forms = {re.sub("[0-9]+", "0", label) for label in {row[1] for row in others if len(row) > 1}}
        are_words = len(first) > 1 and not any(map(NUMBER.fullmatch, first[:2]))
        header = are_words and re.sub("[0-9]+", "0", first[1]) not in forms
    header = bool(header) or rows[0][0] == "" or lacks_corner(rows)
    rows = others if header else [first, *others]
    if {*map(len, rows)} == {2} and _are_lists({label for _, label in rows}):
        rows = [[node, *LIST_MARKS.split(label)] for node, label in rows]
    reals = list(filter(REAL_NUMBER.fullmatch, dict.fromkeys(chain(*(row[1:] for row in rows)))))
    if reals:
        raise ValueError(f"`{path}` must name communities after each node; got the real number {reals[0]!r}.")
    if sum(row[0] == "0" for row in rows) > 1 and all(
        b in (0, (a or 0) + 1) for a, b in pairwise([-1, *(read_whole_number(row[0]) for row in rows)])
    ):
        raise ValueError(f"`{path}` must be one level of Louvain's hierarchy, as `hierarchy -l` writes it.")
    return rows, f"nodes with their communities, {'header in line 1' if header else 'no header'}"


def _turn_communities(path: str, rows: Rows) -> Rows:
    """Return rows of a node and a community from the members of each community."""
    for number, members in enumerate(rows, 1):
        if len({*members}) < len(members) or members[0][:1] in ("[", "{", "("):
            got = f"{Counter(members).most_common(1)[0][0]!r} in community {number}"
            raise ValueError(
                f"`{path}` must have members, each once and no brackets, in each line; got {got}."
            )
    return [[member, str(number)] for number, members in enumerate(rows, 1) for member in members]


def match_by_name(
    paths: Sequence[str],
    sides: Sequence[Any],
    missing: str,
    *,
    has_draws: bool = False,
    overlap: bool = False,
) -> tuple[list[Any], list[str]]:
    """Match sides by the names of objects; return labels in one order or covers, and remarks.

    Rows of files without names are numbered from 0 or 1, like the nodes of the other files. Draws need the
    names 0, 1, 2, ..., because other names do not have an order.
    """
    nodes = [{*getattr(side, "objects", side)} for side in sides if not isinstance(side, np.ndarray)]
    first = int(not any(0 in of_side for of_side in nodes))
    if first == 0 and any(of_side == {*range(1, len(of_side) + 1)} for of_side in nodes):
        raise ValueError("Files must number their nodes alike; got numbers from 0 in one, from 1 in another.")
    named = [
        dict(enumerate(side.tolist(), first)) if isinstance(side, np.ndarray) else side for side in sides
    ]
    are_named = nodes and not any(isinstance(side, list) for side in named)  # segments of RTTM are lists
    all_names = [[*getattr(side, "objects", side)] for side in named] if are_named else []
    for path, names in zip(paths[1:], all_names[1:], strict=False):
        unlike = explain_unlike_names(names, all_names[0])
        if unlike:
            got = f"got {names[0]!r}, and there {all_names[0][0]!r}"
            raise ValueError(f"`{path}` must name the nodes of `{paths[0]}`; {got}. {unlike}.")
    together = dict.fromkeys(chain(*all_names))
    other = next((name for name in together if name not in range(len(together))), None)
    if has_draws and other is not None:
        raise ValueError(
            f"`--draws` must be left out if objects are matched by name, such as {other!r} of"
            f" `{paths[0]}`: draws have them by position. Pass columns of one table, in the order of the"
            " draws."
        )
    if not nodes or not all(isinstance(side, dict) for side in named):
        if not are_named:
            return (named if nodes else [*sides]), []
        covers = {path: side for path, side in zip(paths, named, strict=True) if isinstance(side, Cover)}
        if not overlap:
            _refuse_lone_overlap(covers)
        n_nodes = len({*chain(*all_names)})
        without = {path: n_nodes - len(side.objects) for path, side in covers.items()}
        remarks = [f"{path}: {n:,} of {n_nodes:,} nodes in no community" for path, n in without.items() if n]
        return named, remarks  # covers are matched later, when they are compared
    objects = dict.fromkeys(chain(*named))
    if has_draws:  # the names are 0, 1, 2, ...
        objects = dict.fromkeys(range(len(objects)))
    for path, side in zip(paths, named, strict=True):
        lacking = [name for name in objects if name not in side]
        if lacking and missing == "raise":
            rule = f"`{path}` must have a label for each object of the others; got none for {lacking[0]!r}"
            raise ValueError(f"{rule}. Pass --missing drop to leave such objects out, or singletons.")
    return [np.array([side.get(name) for name in objects], dtype=object) for side in named], []


def _refuse_lone_overlap(covers: Mapping[str, Cover]) -> None:
    """Raise if no file has more than one node in several communities: a typing error or a cut file."""
    lone: dict[str, Any] = {}
    for path, cover in covers.items():
        places = np.flatnonzero(cover.rows.sum(axis=1) > 1)
        if places.size > 1:
            return
        if places.size:
            lone[path] = cover.objects[places[0]]
    for path, node in lone.items():
        raise ValueError(
            f"`{path}` must have each node in one community, or several nodes in more; got only {node!r} of"
            f" {covers[path].n:,} in more than one. Is the file cut off, or a name mistyped? If communities"
            " overlap, pass --overlap."
        )
