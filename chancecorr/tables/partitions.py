"""Dask collections of labels, counted where their partitions are and never brought together."""

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from chancecorr.arguments import ArgumentValueError

T = TypeVar("T")


def is_partitioned(labels: Any) -> bool:
    """Whether labels are a Dask array, or a column or an index of a Dask frame."""
    array, frames = sys.modules.get("dask.array"), sys.modules.get("dask.dataframe")
    if array is not None and isinstance(labels, array.Array):
        return True
    return frames is not None and isinstance(labels, frames.Series | frames.Index)


def paired_partitions(labels_true: Any, labels_pred: Any) -> list[tuple[Any, Any]]:
    """Partitions of both, not yet computed, each beside that of the same objects.

    The second of two arrays takes the chunks of the first; frames must have the same divisions already.
    """
    sides = {"labels_true": labels_true, "labels_pred": labels_pred}
    for name, side in sides.items():
        if side.ndim != 1:
            raise ArgumentValueError(name, f"must be one-dimensional; got shape {side.shape}.")
    chunks = [side.chunks[0] for side in sides.values() if hasattr(side, "chunks")]
    if len(chunks) == len(sides) and not any(map(_unknown, chunks)):
        lengths = [sum(each) for each in chunks]
        if lengths[0] != lengths[1]:
            raise ArgumentValueError(
                "labels_pred",
                f"must have the same length as `labels_true`; got {lengths[1]} and {lengths[0]}.",
                "labels_true",
            )
        sides["labels_pred"] = labels_pred.rechunk(labels_true.chunks)
    divisions = [getattr(side, "divisions", (None,)) for side in sides.values()]
    known = all(None not in each for each in divisions)
    partitions = [list(side.to_delayed()) for side in sides.values()]
    if len(partitions[0]) != len(partitions[1]) or (known and divisions[0] != divisions[1]):
        raise ArgumentValueError(
            "labels_pred",
            "must have the partitions of `labels_true`; got"
            f" {divisions[1] if known else len(partitions[1])} and"
            f" {divisions[0] if known else len(partitions[0])}. Repartition one of them.",
            "labels_true",
        )
    return list(zip(*partitions, strict=True))


def computed_sum(
    partitions: Sequence[tuple[Any, ...]], count: Callable[..., T], add: Callable[[T, T], T]
) -> T | None:
    """Sum over the partitions of what `count` makes of each and its number, computed by Dask as a tree."""
    from dask.delayed import delayed

    sums = [delayed(functools.partial(count, number=k))(*each) for k, each in enumerate(partitions)]
    while len(sums) > 1:
        pairs = [delayed(add)(*sums[k : k + 2]) for k in range(0, len(sums) - 1, 2)]
        sums = [*pairs, sums[-1]] if len(sums) % 2 else pairs
    total: T | None = sums[0].compute() if sums else None
    return total


def _unknown(lengths: Sequence[float]) -> bool:
    """Whether Dask does not know how long some chunk is, and says NaN."""
    return any(length != length for length in lengths)
