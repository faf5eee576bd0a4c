"""Read files of community detection: nodes with communities, a community in each line, trees of modules.

The files contain names of nodes, and clusterings are matched by these. An ambiguous file is an error.
"""

import csv
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, takewhile
from typing import Any, NamedTuple

import numpy as np

from chancecorr.cli.rows import LIST_MARKS, NUMBER, is_counting, lacks_corner, read_whole_number
from chancecorr.clusterings.links import join_links
from chancecorr.clusterings.membership import Cover
from chancecorr.machine.notes import Note
from chancecorr.tables.mistakes import ENDS, STARTS, find_link_columns
from chancecorr.tables.names import explain_unlike_names

SEGMENT = re.compile(r"SPEAKER\s")  # then recording, channel, start, length, two unused fields and speaker
FIELDS_OF_RTTM = 8, 9, 10

SEVERAL_CELLS = re.compile(r"[^\s,;][ \t,;]+[^\s,;]")  # in a line
TIME = re.compile(r"[0-9]{1,15}(\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?|\.[0-9]{1,30}")
PATH = re.compile(r"(\d+:)+\d+ ")  # path of a node in a tree of modules, as infomap writes it
NAME_OF_A_LINE = re.compile(r"[^\s,;:]+:(\s+|$)")  # before a community, as CFinder and OrthoFinder write it
REAL_NUMBER = re.compile(r"[-+]?(\d*[.,]0*[1-9]\d*([eE][-+]?\d+)?|\d+([.,]\d+)?[eE]-\d+)")  # not 7.0
COLUMN_NAMES = {"node_id", "node"}, {"module", "cluster", "community"}  # in the comments of infomap

Rows = list[list[str]]


class Found(NamedTuple):
    """Rows of a node and its communities, or of start, length and speaker."""

    rows: Rows
    how: str  # what was read, for the line on stderr
    are_segments: bool = False


@dataclass(frozen=True)
class TextFile:
    """A text file that is given without a column, and the options for reading it."""

    path: str
    whole: str
    layout: str | None
    header: bool | None
    separator: str | None

    @cached_property
    def lines(self) -> list[str]:
        """Lines that are not empty, without blanks at their ends."""
        return [line for line in map(str.strip, self.whole.split("\n")) if line]

    @cached_property
    def kept(self) -> list[str]:
        """Lines that are not comments."""
        return [line for line in self.lines if line[0] not in "#%"] or self.lines

    @cached_property
    def comment(self) -> list[str]:
        """Words of the comment above the first line that is not a comment."""
        above = self.lines[self.lines.index(self.kept[0]) - 1] if self.lines[0] != self.kept[0] else ""
        return above.lower().strip("#%: ").split()

    @cached_property
    def columns(self) -> list[list[int]]:
        """Positions of the node and of the community among the names of columns in the comment."""
        return [[k for k, name in enumerate(self.comment) if name in some] for some in COLUMN_NAMES]

    @cached_property
    def mark(self) -> str:
        """The mark between cells."""
        fitting = (mark for are in (all, any) for mark in "\t;," if are(mark in line for line in self.kept))
        return self.separator or next(fitting, " ")

    @cached_property
    def rows(self) -> Rows:
        """Cells of the lines; the name of a line, if lines have names, is the first cell."""
        if not self.has_line_names:
            return _split(self.kept, self.mark)
        names = [line.partition(":")[0] for line in self.kept if not NAME_OF_A_LINE.fullmatch(line)]
        return [[name, *cells] for name, cells in zip(names, self.members, strict=True)]

    @cached_property
    def members(self) -> Rows:
        """Cells of the lines without the names of lines; a line with a name alone is left out."""
        if not self.has_line_names:
            return self.rows
        filled = [line for line in self.kept if not NAME_OF_A_LINE.fullmatch(line)]
        return _split([line.partition(":")[2].strip() for line in filled], self.mark)

    @cached_property
    def has_line_names(self) -> bool:
        """True if each line begins with a name and a colon, and some lines have members."""
        return all(map(NAME_OF_A_LINE.match, self.kept)) and not all(map(NAME_OF_A_LINE.fullmatch, self.kept))

    @cached_property
    def tree(self) -> Rows:
        """Cells of the lines above the links of a tree of modules."""
        return list(takewhile(lambda row: not row[0].startswith("*"), _split(self.kept, " ")))


class Format(NamedTuple):
    """A format of files of community detection."""

    name: str  # the word for the option --format; empty if files of this format are always recognised
    recognises: Callable[[TextFile], bool]
    read: Callable[[TextFile], Found]


def read_communities(file: TextFile) -> Found | None:
    """Read a file by the first format that recognises it; None for a table of labels."""
    many_cells = file.layout or SEVERAL_CELLS.search(file.whole, 0, 1 << 16)
    if file.layout == "table" or not file.whole.strip() or not many_cells:
        return None
    for of_file in FORMATS_OF_COMMUNITIES:
        if file.layout == of_file.name if file.layout and of_file.name else of_file.recognises(file):
            return of_file.read(file)
    widths = {*map(len, file.rows)}
    is_open = all(map(NUMBER.fullmatch, chain(*file.rows))) if file.mark == " " else len(widths) > 1
    if widths != {1} and (is_open or len(file.rows) == 1):
        formats = "communities, links, nodes, segments or table"
        raise ValueError(f"`{file.path}` has an ambiguous format. Pass --format {formats}.")
    return None


def _holds_segments(file: TextFile) -> bool:
    """Return True if a line is a segment of RTTM."""
    return any(map(SEGMENT.match, file.lines))


def _read_segments(file: TextFile) -> Found:
    """Read start, length and speaker of each line of RTTM; decimal commas become points."""
    path, lines = file.path, [(number, line.strip()) for number, line in enumerate(file.whole.split("\n"), 1)]
    read = [
        (number, [cell.strip() for cell in line.split("\t")] if line.count("\t") >= 7 else line.split())
        for number, line in lines
        if SEGMENT.match(line)
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
        way = f"""Write one file for each, as by: awk '$2 == "{recordings[0]}"' {shlex.quote(path)}"""
        raise ValueError(f"`{path}` must hold segments of one recording; got {got}. {way}")
    return Found(rows, "RTTM", are_segments=True)


def _find_times(file: TextFile) -> tuple[Rows, list[int]] | None:
    """Find the rows of segments, and the columns of start, end and label; None if rows are something else.

    Each row has three cells, and ends after it starts. Rows of three whole numbers may be communities.
    """
    names = [cell.lower() for cell in file.rows[0]]
    starts, ends = ([k for k, name in enumerate(names) if name in some] for some in (STARTS, ENDS))
    has_header = len(starts) == len(ends) == 1
    rows, places = (file.rows[1:], [starts[0], ends[0]]) if has_header else (file.rows, [0, 1])
    if not rows or {*map(len, rows)} != {3}:
        return None
    times = [[row[place].replace(",", ".") for place in places] for row in rows]
    if not all(map(TIME.fullmatch, chain(*times))) or any(float(start) >= float(end) for start, end in times):
        return None
    (label,) = {0, 1, 2} - {*places}
    are_numbers = any(NUMBER.fullmatch(row[label]) for row in rows)
    is_clear = has_header or not are_numbers or any(map(REAL_NUMBER.fullmatch, chain(*times)))
    return (rows, [*places, label]) if is_clear or file.layout == "segments" else None


def _read_times(file: TextFile) -> Found:
    """Read start, length and label of each row."""
    found = _find_times(file)
    if found is None:
        raise ValueError(
            f"`{file.path}` must have a start, an end after it, and a label in each line; got"
            f" {file.rows[0]!r} in line 1."
        )
    rows, (start, end, label) = found
    times = [[row[k].replace(",", ".") for k in (start, end)] for row in rows]
    segments = [
        [begin, repr(float(stop) - float(begin)), row[label]]
        for row, (begin, stop) in zip(rows, times, strict=True)
    ]
    return Found(segments, "rows of start, end and label", are_segments=True)


def _is_tree(file: TextFile) -> bool:
    """Return True if the file is a tree of modules, as infomap writes it."""
    return PATH.match(file.kept[0]) is not None and len({*map(len, file.tree)}) == 1


def _read_tree(file: TextFile) -> Found:
    """Read each node and its module of the finest level."""
    (nodes, _), rows = file.columns, file.tree
    node = nodes[0] if nodes and len(file.comment) == len(rows[0]) else -1
    return Found([[row[node], row[0].rpartition(":")[0]] for row in rows], "the finest modules of a tree")


def _has_named_columns(file: TextFile) -> bool:
    """Return True if a comment names the columns of nodes and of communities."""
    return all(file.columns) and {*map(len, _split(file.kept, file.mark))} == {len(file.comment)}


def _read_named_columns(file: TextFile) -> Found:
    """Read the two columns that the comment names."""
    (node, *_), (community, *_) = file.columns
    rows = [[row[node], row[community]] for row in _split(file.kept, file.mark)]
    return Found(rows, f"columns {' '.join(file.comment)}")


def _read_links(file: TextFile) -> Found:
    """Read pairs of linked objects from two columns, and join them into clusters."""
    first, *others = file.rows
    pair = find_link_columns(first)
    has_header = pair is not None if file.header is None else file.header
    rows = others if has_header else file.rows
    places = [first.index(name) for name in pair] if pair else [0, 1]
    number = next((k for k, row in enumerate(rows, 1 + has_header) if not _holds_link(row, places)), None)
    if number is not None or not rows or (pair is None and len(first) != 2):
        raise ValueError(
            f"`{file.path}` must have two objects in each line, or in columns such as id_1 and id_2; got"
            f" {(file.rows[number - 1] if number else first)!r} in line {number or 1}."
        )
    clusters = join_links([[row[place] for place in places] for row in rows])
    where = f" in columns {pair[0]} and {pair[1]}" if pair else ""
    how = f"{len(rows):,} links{where}; objects without a link are not in the file"
    return Found([[one, str(number)] for one, number in clusters.items()], how)


def _holds_link(row: list[str], places: list[int]) -> bool:
    """Return True if a row has an object at both places."""
    return len(row) > max(places) and all(row[place] for place in places)


def _describe_first_words(members: Rows) -> str:
    """Describe first words of lines that look like names of communities; empty text if they do not.

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


def _read_nodes(file: TextFile) -> Found:
    """Read rows of a node and its communities, without a header."""
    path, rows, header = file.path, file.rows, file.header
    first, *others = _complete_header(rows)
    if first == ["0", "1"] and header is None and file.mark != " ":
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
    return Found(rows, f"nodes with their communities, {'header in line 1' if header else 'no header'}")


def _read_members(file: TextFile) -> Found:
    """Read a community in each line, and return rows of a node and a community."""
    for number, members in enumerate(file.members, 1):
        if len({*members}) < len(members) or members[0][:1] in ("[", "{", "("):
            got = f"{Counter(members).most_common(1)[0][0]!r} in community {number}"
            raise ValueError(
                f"`{file.path}` must have members, each once and no brackets, in each line; got {got}."
            )
    rows = [[member, str(number)] for number, members in enumerate(file.members, 1) for member in members]
    how = "a community in each line" + " after its name" * file.has_line_names
    return Found(rows, how + _describe_first_words(file.members))


FORMATS_OF_COMMUNITIES = (
    Format("", _holds_segments, _read_segments),
    Format("", _is_tree, _read_tree),
    Format("", _has_named_columns, _read_named_columns),
    Format("segments", lambda file: _find_times(file) is not None, _read_times),
    Format("links", lambda file: find_link_columns(file.rows[0]) is not None, _read_links),
    Format("nodes", lambda file: _are_nodes(file.rows), _read_nodes),
    Format("communities", lambda file: _are_communities(file.members), _read_members),
)
"""Formats that `read_communities` tries, in this order. A new format is a new entry."""

FORMATS = "table", *sorted(of_file.name for of_file in FORMATS_OF_COMMUNITIES if of_file.name)
"""Words for the option --format."""


def match_by_name(
    paths: Sequence[str],
    sides: Sequence[Any],
    missing: str,
    *,
    has_draws: bool = False,
    overlap: bool = False,
) -> tuple[list[Any], list[Note]]:
    """Match sides by the names of objects; return labels in one order or covers, and notes.

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
        notes = [
            Note("in no community", f"{n:,} of {n_nodes:,} nodes in no community", path)
            for path, n in without.items()
            if n
        ]
        return named, notes  # covers are matched later, when they are compared
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
