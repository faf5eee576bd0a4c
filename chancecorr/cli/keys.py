"""Rows of several files that are of the same objects, by a column that tells the objects apart."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chancecorr.tables.reading import Missing

AS_THEY_STAND = "none"
"""The key that takes the rows of files as they stand."""

Keys = Mapping[str, Sequence[str]]


def match_rows(files: Mapping[str, Keys], key: str | None, missing: Missing) -> dict[str, list[int]]:
    """Rows of the same objects in each file, from columns that may tell these apart, and the key among them.

    None if rows are taken as they stand, which is an error if files share such a column in other orders.
    """
    if key is None:
        for (path, keys), (other, others) in itertools.combinations(files.items(), 2):
            _refuse_other_order(path, keys, other, others)
    if key is None or (key == AS_THEY_STAND and not all(key in keys for keys in files.values())):
        return {}
    rows = {path: _rows_by_key(path, keys, key) for path, keys in files.items()}
    objects = dict.fromkeys(itertools.chain.from_iterable(rows.values()))
    common = [name for name in objects if all(name in of for of in rows.values())]
    if len(common) < len(objects) and missing == "raise":
        name, path = next((name, path) for name in objects for path, of in rows.items() if name not in of)
        raise ValueError(
            f"`{path}` must have a row for each object of the other files; got none with {name!r} in column"
            f" {key!r}. Pass --missing drop to leave such objects out."
        )
    if not common:
        raise ValueError(f"`--key` must be a column in which the files share values; got {key!r}.")
    return {path: [of[name] for name in common] for path, of in rows.items()}


def _rows_by_key(path: str, keys: Keys, key: str) -> dict[str, int]:
    """Row of each object of a file."""
    if key not in keys:
        raise ValueError(
            f"`{path}` must have a column {key!r} beside its labels, of text or whole numbers, as --key says."
        )
    rows: dict[str, int] = {}
    for row, name in enumerate(keys[key]):
        if not name or name in rows:
            what = f"{name!r} twice" if name else f"nothing in row {row + 1}"
            raise ValueError(f"`{path}` must have different values in the key {key!r}; got {what}.")
        rows[name] = row
    return rows


def _refuse_other_order(path: str, keys: Keys, other: str, others: Keys) -> None:
    """Raise if two files have columns that tell the same objects apart, in other orders.

    Columns of one name are such, and columns of the same values; not if both count the rows, and not if
    another column of both agrees row by row.
    """
    pairs = [
        (a, b)
        for a in keys
        for b in others
        if a == b or (set(keys[a]) == set(others[b]) and not (_counts(keys[a]) or _counts(others[b])))
    ]
    if any(keys[a] == others[b] and not _counts(keys[a]) for a, b in pairs):
        return
    for a, b in pairs:
        one, two = keys[a], others[b]
        if one == two or (_counts(one) and _counts(two)):
            continue
        shared = min(len(one), len(two))
        row = next((k for k in range(shared) if one[k] != two[k]), shared)
        got = f"{two[row]!r}, not {one[row]!r}," if row < shared else "another end"
        renamed = "" if a == b else f" (rename {a!r} of `{path}`)"
        raise ValueError(
            f"`{other}` must have the rows of `{path}` in its order; got {got} in column {b!r}, row"
            f" {row + 1}. Pass --key {b!r}{renamed} to match rows by it, or --key {AS_THEY_STAND} to take"
            " rows as they stand."
        )


def _counts(values: Sequence[str]) -> bool:
    """Whether values count rows: 0, 1, 2, ... or 1, 2, 3, ..."""
    return values[0] in ("0", "1") and all(value == str(k) for k, value in enumerate(values, int(values[0])))


def take_rows(labels: Any, rows: Sequence[int] | None) -> Any:
    """Labels of some rows, of all if None."""
    if rows is None:
        return labels
    if isinstance(labels, list):
        return [labels[row] for row in rows]
    return labels.take(np.asarray(rows))
