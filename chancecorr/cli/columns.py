"""Read columns of labels from files and standard input, and match the rows of several files."""

import contextlib
import fnmatch
import functools
import io
import itertools
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chancecorr.cli.cells import NA_VALUES, NO_LABELS, Column, Reading, encode_arrow, read_labels
from chancecorr.cli.communities import Found, TextFile, match_by_name, read_communities
from chancecorr.cli.rows import NUMBER, is_counting, load_array, open_text, read_rows, read_whole_number
from chancecorr.clusterings.membership import Cover
from chancecorr.machine.arguments import ArgumentValueError, suggest_name
from chancecorr.machine.arrays import Floats
from chancecorr.machine.notes import Note
from chancecorr.tables.crosstab import MISSING_MARKS
from chancecorr.tables.streaming import FILES, read_schema

MAX_COLUMNS_NOT_NAMED = 2_000  # candidates that the command does not name

NAMES_OF_ROW_NAMES = re.compile(r"\s*|Unnamed: [0-9]+|__index_level_[0-9]+__")
"""Names of columns that hold row names: empty, or made by pandas."""

NO_MISSING_LABEL = "no missing label"  # code of a note
COLUMNS_LEFT_OUT = "columns left out"  # code of a note
AS_THEY_STAND = "none"  # the key that matches the rows of files by their order

Names = Sequence[str | None]
Keys = Mapping[str, Sequence[str]]


def read_label_columns(sources: Sequence[tuple[str, str]], data: str | None, reading: Reading) -> list[Any]:
    """Read the labels of clusterings from their names in the command and their sources; read each file once.

    Rows of several files are matched by the key. Without a key, it is an error if the files share a column of
    identifiers in different orders.
    """
    places = [(data, source) if data else locate(argument, source) for argument, source in sources]
    wanted: dict[str, list[str | None]] = {}
    for path, name in places:
        wanted.setdefault(path, []).append(name)
    if wanted.get("-", []).count(None) > 1 and not data:
        raise ArgumentValueError(
            sources[[path for path, _ in places].index("-")][0],
            "must be the only source on standard input; for several columns pass -:COLUMN.",
        )
    if reading.key is not None and len(wanted) < 2:
        raise ValueError("`--key` must come with several files, whose rows it matches; got one.")
    contents = {
        path: _read(path, names, reading, with_keys=len(wanted) > 1) for path, names in wanted.items()
    }
    for one, other in itertools.combinations(contents.items() if reading.key is None else (), 2):
        _refuse_other_order(one[0], one[1][1], other[0], other[1][1])
    columns = {path: iter(columns) for path, (columns, _) in contents.items()}
    keys = {path: keys for path, (_, keys) in contents.items()}
    as_they_stand = reading.key == AS_THEY_STAND and not all(AS_THEY_STAND in of for of in keys.values())
    key = None if as_they_stand else reading.key
    reading.notes.extend([Note("key", f"matched by {key!r}")] if key is not None else [])
    sides = [_name_rows(path, keys[path], key, next(columns[path])[1]) for path, _ in places]
    paths = [path for path, _ in places]
    sides, notes = match_by_name(
        paths, sides, reading.missing, has_draws=reading.has_draws, overlap=reading.overlap
    )
    reading.notes.extend([*notes, *_note_missing(sides, reading)])
    return sides


def read_all_columns(path: str, names: Names, reading: Reading) -> list[tuple[str, Any]]:
    """Read names and labels of columns of one file, and then of all other columns that hold labels."""
    columns, _ = _read(path, names, reading, with_others=True)
    left_out = [note for note in reading.notes if note.code == COLUMNS_LEFT_OUT]
    if len(columns) == len(names) and left_out:
        rule = f"`{path}` must have a column of labels besides the named ones"
        raise ValueError(f"{rule}; {left_out[-1]}.")
    reading.notes.extend(_note_missing([labels for _, labels in columns], reading))
    return columns


def read_numbers(argument: str, path: str, names: Sequence[str], reading: Reading) -> Floats:
    """Read columns of numbers of one file, with a decimal point or comma; shape (rows, columns)."""
    is_arrow = os.path.splitext(path.lower())[1] in FILES
    with contextlib.nullcontext() if is_arrow else open_text(path, reading.encoding) as text:
        read = functools.partial(_read_text, text) if text else _read_arrow
        _, places, chosen, _ = read(path, names, reading, False, False)
    out = np.empty((len(chosen[places[0]].codes), len(places)))
    for k, (name, place) in enumerate(zip(names, places, strict=True)):
        cells = [(cell or "").strip() for cell in chosen[place].code_of]
        wrong = next((cell for cell in cells if not NUMBER.fullmatch(cell)), None)
        if wrong is not None:
            raise ArgumentValueError(argument, f"must name columns of numbers; got {wrong!r} in {name!r}.")
        out[:, k] = np.array([float(cell.replace(",", ".")) for cell in cells])[np.array(chosen[place].codes)]
    return out


def expand_names(path: str, names: Sequence[str], others: Sequence[str], reading: Reading) -> list[str]:
    """Replace ranges such as ``sol2:sol13`` and patterns such as ``sol*`` by names of columns of a file.

    Patterns leave out the columns in `others`.
    """
    if not any(set(name) & set("*?[:") for name in names):
        return list(names)
    kind = FILES.get(os.path.splitext(path.lower())[1])
    if kind:
        columns = list(read_schema(path, kind).names)
    else:
        with open_text(path, reading.encoding) as text:
            rows = read_rows(path, text, reading.separator, reading.header)
            first = next(rows, [])
            rows.close()
        columns = first if reading.header is not False else [str(k) for k in range(1, len(first) + 1)]
    found: list[str] = []
    for name in names:
        first_name, colon, last_name = name.partition(":")
        if name in columns:
            found.append(name)
        elif colon and first_name in columns and last_name in columns:
            found += columns[columns.index(first_name) : columns.index(last_name) + 1]
        else:
            matching = [column for column in fnmatch.filter(columns, name) if column not in others]
            found += matching or [name]
    return found


def _note_missing(sides: Sequence[Any], reading: Reading) -> list[Note]:
    """Note that no label is missing, if an option about missing labels was given."""
    are_labels = all(isinstance(side, np.ndarray) for side in sides)
    if reading.missing == "raise" or not are_labels or any(None in side.tolist() for side in sides):
        return []
    return [Note(NO_MISSING_LABEL, f"no object lacks a label (--missing {reading.missing})")]


def locate(argument: str, source: str) -> tuple[str, str | None]:
    """Split a source into file and column."""
    path, name = source, None
    while path != "-" and not os.path.exists(path):
        path, colon, _ = path.rpartition(":")
        if not colon:
            raise ArgumentValueError(
                argument,
                f"must be an existing FILE or FILE:COLUMN, or - for standard input; got {source!r}. Names of"
                " columns need --data FILE.",
            )
        name = source[len(path) + 1 :]
    return path, name


_Contents = tuple[list[str], list[int], dict[int, Column], dict[int, Column]]
"""Names of all columns, positions of the chosen ones, and chosen columns and possible keys by position."""


def _read(
    path: str, names: Names, reading: Reading, *, with_others: bool = False, with_keys: bool = False
) -> tuple[list[tuple[str, Any]], dict[str, list[str]]]:
    """Read names and labels of columns of one file, and the texts of columns that may identify objects.

    With `with_others`, all other columns that hold labels are read, too. The name None is the whole file.
    """
    is_arrow, is_whole = os.path.splitext(path.lower())[1] in FILES, {*names} == {None}
    if reading.layout not in (None, "table") and (is_arrow or not is_whole):
        raise ValueError(f"`--format {reading.layout}` must come with files of text, given without a column.")
    if path.lower().endswith(".npy") and is_whole:
        return [("", _read_array(path, reading))] * len(names), {}
    with contextlib.nullcontext() if is_arrow else open_text(path, reading.encoding) as text:
        if text and is_whole:
            file = TextFile(path, text.read(), reading.layout, reading.header, reading.separator)
            text.seek(0)
            found = read_communities(file)
            if found is not None:
                return [("", _label_nodes(path, found, reading))] * len(names), {}
        read = functools.partial(_read_text, text) if text else _read_arrow
        columns, places, chosen, keys = read(path, names, reading, with_others, with_keys)
    out: dict[int, str] = {}
    for place in places[len(names) :]:
        is_named = not NAMES_OF_ROW_NAMES.fullmatch(columns[place])
        reason = chosen[place].explain_no_labels() if is_named else "no name"
        out |= {place: reason} if reason else {}
    if out:
        listed = ", ".join(f"{columns[place]!r} ({reason})" for place, reason in out.items())
        reading.notes.append(Note(COLUMNS_LEFT_OUT, f"left out unless named: {listed}"))
    kept = [place for place in places if place not in out]
    labels = {place: read_labels(path, columns[place], chosen[place], reading) for place in {*kept}}
    texts = {columns[k]: of.texts() for k, of in keys.items() if columns[k] == reading.key or of.names_rows()}
    return [(columns[place], labels[place]) for place in kept], texts


def _label_nodes(path: str, found: Found, reading: Reading) -> Any:
    """Return labels by node, a cover if a node is in several communities, or segments with start and end."""
    if found.are_segments:
        return _label_segments(path, found, reading)
    reading.notes.append(Note("format", found.how, path))
    no_labels = NO_LABELS if reading.missing == "raise" else NO_LABELS.union(MISSING_MARKS)
    of_nodes: dict[str | int, dict[str, None]] = {}
    for name, *labels in found.rows:
        number = read_whole_number(name := name.rstrip(":"))
        present = dict.fromkeys(label for label in labels if label not in no_labels)
        of_nodes.setdefault(name if number is None else number, {}).update(present)
    if max(map(len, of_nodes.values())) > 1:
        sets: dict[str, set[str | int]] = {}
        for node, label in ((node, label) for node, labels in of_nodes.items() for label in labels):
            sets.setdefault(label, set()).add(node)
        return Cover([*sets.values()], path, origin=path)
    column = Column((next(iter(labels), None) for labels in of_nodes.values()), is_text=False)
    return dict(zip(of_nodes, read_labels(path, "community", column, reading).tolist(), strict=True))


def _label_segments(path: str, found: Found, reading: Reading) -> list[tuple[float, float, str | None]]:
    """Return start, end and speaker of each segment; None for a missing speaker, if allowed."""
    rows, is_rttm = found.rows, found.how == "RTTM"
    unknown = [start for start, _, speaker in rows if speaker in NO_LABELS]
    if len(unknown) == len(rows) or (unknown and reading.missing == "raise"):
        what = "speaker in field 8 of" if is_rttm else "label in"
        ways = ["Add the missing field before it, if a field is missing"] * is_rttm
        ways += ["pass --missing drop to leave such segments out"] * (len(unknown) < len(rows))
        advice = ", or ".join(ways)
        raise ValueError(
            f"`{path}` must name a {what} each line; got none for the segment at {unknown[0]}."
            + f" {advice[:1].upper()}{advice[1:]}." * bool(ways)
        )
    read = ((float(start), float(length), speaker) for start, length, speaker in rows)
    return [
        (start, start + length, None if speaker in NO_LABELS else speaker) for start, length, speaker in read
    ]


def _read_array(path: str, reading: Reading) -> Any:
    """Read labels from an array that NumPy saved."""
    array = load_array(path, path)
    if array.ndim != 1 or array.dtype.kind not in "biuU":
        raise ValueError(
            f"`{path}` must hold one whole number or text for each object; got shape {array.shape}."
        )
    return read_labels(path, "labels", Column(map(str, array.tolist()), is_text=False), reading)


def _read_text(
    text: io.TextIOWrapper, path: str, names: Names, reading: Reading, with_others: bool, with_keys: bool
) -> _Contents:
    """Read columns of a text file row by row."""
    with contextlib.closing(read_rows(path, text, reading.separator, reading.header)) as rows:
        first = next(rows, [])
        if not first:
            raise ValueError(f"`{path}` must begin with a line of column names; got an empty line or file.")
        is_pajek = first[0].lower().startswith("*vertices ")
        header = reading.header is not False or is_pajek
        columns = first if header else [str(number) for number in range(1, len(first) + 1)]
        places = _find_places(path, columns, names, with_others)
        chosen = {place: Column() for place in places}
        keys = {k: Column() for k in range(len(first)) if k not in chosen} if with_keys else {}
        for number, row in enumerate(rows if header else itertools.chain([first], rows), 1):
            for place, column in (*chosen.items(), *keys.items()):
                column.add(row[place] if row else "")
            if keys and number & (number - 1) == 0 and number > 63:  # when the number of rows has doubled
                keys = {k: key for k, key in keys.items() if columns[k] == reading.key or key.names_rows()}
    if not chosen[places[0]].codes:
        raise ValueError(f"`{path}` must hold labels; got no line below the column names.")
    if is_pajek and first[0].split()[1:] != [str(len(chosen[0].codes))]:
        raise ValueError(f"`{path}` must have a row for each vertex, with its cluster; got {first[0]!r}.")
    if reading.header is None:
        _refuse_doubtful_header(path, first, names, chosen)
    reading.notes.append(Note("header", "header in line 1" if header else "no header"))
    return columns, places, chosen, keys


def _read_arrow(path: str, names: Names, reading: Reading, with_others: bool, with_keys: bool) -> _Contents:
    """Read columns of a Parquet or Arrow file as texts."""
    kind = FILES[os.path.splitext(path.lower())[1]]
    try:
        import pyarrow
        from pyarrow import feather, parquet, types
    except ImportError:
        raise ValueError(
            f"`{path}` must be a text file, because pyarrow, which reads {kind}, is not installed."
            " Run: pip install 'chancecorr[tables]'"
        ) from None
    open(path, "rb").close()  # raises for a folder, which would be read as a data set
    try:
        schema = read_schema(path, kind)
        columns = list(schema.names)
        places = _leave_out_lists(
            path, schema, _find_places(path, columns, names, with_others), names, reading
        )
        times = Counter(columns)
        others = [
            k
            for k, column in enumerate(schema if with_keys else [])
            if k not in places and times[columns[k]] == 1
            if not (types.is_nested(column.type) or types.is_floating(column.type))
        ]
        read = parquet.read_table if kind == "Parquet" else feather.read_table
        wanted = dict.fromkeys(columns[k] for k in (*places, *others))
        table = read(path, columns=list(wanted), memory_map=False)
        table.validate(full=True)
        if not table.num_rows:
            raise ValueError(f"`{path}` must hold labels; got no rows.")
        chosen, keys = (
            {k: encode_arrow(table.column(columns[k])) for k in some} for some in (places, others)
        )
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:  # OSError of a damaged file
        raise ValueError(f"`{path}` must be a file of {kind}; got: {error}") from None
    return columns, places, chosen, keys


def _leave_out_lists(path: str, schema: Any, places: list[int], names: Names, reading: Reading) -> list[int]:
    """Leave out the positions of columns of lists; raise if such a column is named."""
    from pyarrow import types

    lists = [place for place in places if types.is_nested(schema.field(place).type)]
    named = [place for place in places[: len(names)] if place in lists]
    if named:
        field = schema.field(named[0])
        raise ValueError(
            f"`{path}` must have one label for each object; got {field.type} in column {field.name!r}."
            " Write one label of each list to a separate column."
        )
    if lists:
        listed = ", ".join(repr(schema.field(place).name) for place in lists)
        reading.notes.append(Note(COLUMNS_LEFT_OUT, f"left out, lists: {listed}"))
    return [place for place in places if place not in lists]


def _find_places(path: str, columns: list[str], names: Names, with_others: bool) -> list[int]:
    """Find the positions of columns in a file."""
    others = [name for name in columns if name not in names] if with_others else []
    if len(others) > MAX_COLUMNS_NOT_NAMED:
        raise ValueError(
            f"`{path}` must have at most {MAX_COLUMNS_NOT_NAMED:,} columns besides the named ones;"
            f" got {len(others):,}. Name the candidates."
        )
    place_of, times = {name: place for place, name in enumerate(columns)}, Counter(columns)
    listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
    places = []
    for name in [*names, *others]:
        if name is None and len(columns) != 1:
            raise ValueError(
                f"`{path}` must have one column or be given as FILE:COLUMN; got {len(columns)}: {listed}."
                " If its lines are communities, links, segments, or nodes with communities, pass --format"
                " communities, links, segments or nodes."
            )
        if name is not None and times[name] != 1:
            hint = suggest_name(name, columns) if not times[name] else ""
            if name.isdigit() and 0 < int(name) <= len(columns):
                hint = " Pass --no-header if that is a label, or to name columns by their numbers."
            many = f"must have one column {name!r}; got {times[name]}." if times[name] else None
            raise ValueError(f"`{path}` {many or f'has no column {name!r}. Columns: {listed}.'}{hint}")
        places.append(0 if name is None else place_of[name])
    return places


def _refuse_doubtful_header(path: str, first: list[str], names: Names, chosen: dict[int, Column]) -> None:
    """Raise if the first line may be labels: numbers, or texts that differ from others only in digits."""
    numbered = {str(number) for number in range(1, len(first) + 1)}
    if not first[0].strip() or any(name is not None and name not in numbered for name in names):
        return
    values = [cell.strip() in NA_VALUES[1:] or NUMBER.fullmatch(cell.strip()) for cell in first]
    again = [place for place, column in chosen.items() if first[place] in column.code_of]
    doubtful = [0] if all(values) else again
    if not all(values[place] for place in chosen):
        forms = {
            place: {re.sub("[0-9]+", "0", cell or "") for cell in chosen[place].code_of} for place in chosen
        }
        texts = [place for place in chosen if not values[place] and first[place]]
        doubtful = [place for place in texts if re.sub("[0-9]+", "0", first[place]) in forms[place]]
    if doubtful:
        cell = first[doubtful[0]]
        below = ", which occurs again below" if doubtful[0] in again and not values[doubtful[0]] else ""
        raise ValueError(
            f"`{path}` must begin with a column name; got {cell!r}{below}."
            " Pass --no-header if that is a label, or --header if it is the name."
        )


def _name_rows(path: str, keys: Keys, key: str | None, labels: Any) -> Any:
    """Return labels by the key of their row if there is a key; labels of communities are by node already."""
    if key is None or not isinstance(labels, np.ndarray):
        return labels
    if key not in keys:
        raise ValueError(f"`{path}` must have a column {key!r} of text or whole numbers, as --key says.")
    name, times = Counter(keys[key]).most_common(1)[0]
    if times > 1 or "" in keys[key]:
        what = f"{name!r} twice" if times > 1 else f"nothing in row {keys[key].index('') + 1}"
        raise ValueError(f"`{path}` must have different values in the key {key!r}; got {what}.")
    return dict(zip(keys[key], labels.tolist(), strict=True))


def _refuse_other_order(path: str, keys: Keys, other: str, others: Keys) -> None:
    """Raise if two files have columns of identifiers for the same objects in different orders.

    These are columns with the same name, or with the same values. It is not an error if both columns count
    the rows, or if another column of both files agrees row by row.
    """
    pairs = [
        (a, b, keys[a], others[b])
        for a in keys
        for b in others
        if a == b or (set(keys[a]) == set(others[b]) and not (is_counting(keys[a]) or is_counting(others[b])))
    ]
    if any(one == two and not is_counting(one) for *_, one, two in pairs):
        return
    for a, b, one, two in pairs:
        if one == two or (is_counting(one) and is_counting(two)):
            continue
        shared = min(len(one), len(two))
        row = next((k for k in range(shared) if one[k] != two[k]), shared)
        got = f"{two[row]!r}, not {one[row]!r}," if row < shared else "another end"
        renamed = "" if a == b else f" (rename {a!r} of `{path}`)"
        raise ValueError(
            f"`{other}` must have the rows of `{path}` in its order; got {got} in column {b!r}, row"
            f" {row + 1}. Pass --key {b!r}{renamed} to match rows by it, or --key {AS_THEY_STAND} to"
            " match rows by their order."
        )
