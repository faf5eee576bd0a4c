"""Read what the arguments of a command name: clusterings, weights, and shares of soft clusterings."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import chancecorr
from chancecorr.cli.columns import (
    Reading,
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
    """Read names and labels of clusterings: first `first`, then the others, by default all columns of `data`."""
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
        raise ValueError("Segments of RTTM files must be compared by `chancecorr adjust`.")
    return [(source, side) for (_, source), side in zip(sources, labels, strict=True)]
