"""Read what the arguments of a command name: clusterings, weights, and shares of soft clusterings."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

import chancecorr
from chancecorr.cli.cells import Reading
from chancecorr.cli.columns import (
    NO_MISSING_LABEL,
    expand_names,
    locate,
    read_all_columns,
    read_label_columns,
    read_numbers,
)
from chancecorr.machine.arguments import ArgumentValueError

MAX_ROUNDING_OF_SHARES = 0.005  # of a share in a file, which may have two digits


def read_weights(true: str, weights: str, data: str | None, reading: Reading) -> Any:
    """Read the weights of the objects, a column of the file of the reference."""
    if weights == "reference":
        return weights
    [path], [name] = _find_columns("--weights", true, [weights], data, reading)
    return read_numbers("weights", path, [name], reading)[:, 0]


def read_shares(true: str, soft: str, data: str | None, reading: Reading) -> chancecorr.Membership:
    """Read a soft clustering: a column of shares for each cluster; rounded shares are scaled to sum to 1."""
    [path], _ = _find_columns("--soft", true, [], data, reading)
    names = expand_names(path, soft.split(","), [true], reading)
    shares = read_numbers("soft", path, names, reading)
    sums = shares.sum(axis=1, keepdims=True)
    if np.abs(sums - 1.0).max(initial=0.0) <= MAX_ROUNDING_OF_SHARES * len(names):
        shares = shares / sums
    return chancecorr.Membership(shares, name="soft")


def _find_columns(
    argument: str, true: str, sources: Sequence[str], data: str | None, reading: Reading
) -> tuple[list[str], list[str]]:
    """Return the file of the reference, and the names of columns in it."""
    if reading.key is not None:
        raise ValueError(f"`{argument}` must be left out with `--key`.")
    path = data or locate("TRUE", true)[0]
    places = [(path, source) if data else locate(argument, source) for source in sources]
    if any(file != path or name is None for file, name in places):
        raise ValueError(f"`{argument}` must be columns of the file of TRUE, {path!r}.")
    return [path], [name for _, name in places if name is not None]


def read_sides(
    first: list[tuple[str, str]], argument: str, others: Sequence[str], data: str | None, reading: Reading
) -> list[tuple[str, Any]]:
    """Read names and labels: first `first`, then the others, by default all columns of `data`."""
    if not others and data:
        return read_all_columns(data, [source for _, source in first], reading)
    if data:
        others = expand_names(data, others, [source for _, source in first], reading)
    if not others:
        raise ArgumentValueError(argument, "must name at least one clustering, or be left out with --data.")
    twice = next((name for k, name in enumerate(others) if name in others[:k]), None)
    if twice is not None:
        raise ArgumentValueError(argument, f"must be different clusterings; got {twice!r} twice.")
    sources = [*first, *((argument, source) for source in others)]
    labels = read_label_columns(sources, data, reading)
    if any(isinstance(side, list) for side in labels):
        raise ValueError("Segments must be compared by `chancecorr adjust`.")
    return [(source, side) for (_, source), side in zip(sources, labels, strict=True)]


def read_ratings(
    columns: Mapping[str, str | None], of_groups: list[tuple[str, str]], clusterings: Sequence[str],
    data: str | None, reading: Reading,
) -> tuple[dict[Hashable, list[Any]], list[Any] | None]:  # fmt: skip
    """Read the labels of each rater, and the group of each item, from a file with one rating in each line."""
    missing = [option for option, name in columns.items() if not name]
    if missing or clusterings or not data:
        rule = "must come together, with --data and without CLUSTERINGS"
        raise ValueError(f"`--item`, `--rater` and `--label` {rule}.")
    sources = [(option, name) for option, name in columns.items() if name]
    items, raters, labels, *groups = (
        list(side) for side in read_label_columns([*sources, *of_groups], data, reading)
    )
    reading.notes[:] = [
        note for note in reading.notes if note.code != NO_MISSING_LABEL
    ]  # some may lack a line
    for option, side in (("--item", items), ("--rater", raters)):
        if None in side:
            raise ValueError(f"`{option}` must not have empty cells; got one in row {side.index(None) + 1}.")
    place = {item: k for k, item in enumerate(dict.fromkeys(items))}
    ratings = {rater: [None] * len(place) for rater in dict.fromkeys(raters)}
    of_items: list[Any] = [None] * len(place)
    rated = set[tuple[Any, Any]]()
    for k, (item, rater, label) in enumerate(zip(items, raters, labels, strict=True)):
        if (item, rater) in rated:
            rule = "must have one rating of each item by each rater"
            raise ValueError(f"`{data}` {rule}; got two of item {item!r} by {rater!r}.")
        rated.add((item, rater))
        ratings[rater][place[item]] = label
        if groups:
            if of_items[place[item]] not in (None, groups[0][k]):
                raise ValueError(f"`--groups` must be the same in all rows of an item; got two of {item!r}.")
            of_items[place[item]] = groups[0][k]
    return ratings, of_items if groups else None
