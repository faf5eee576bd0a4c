"""Dask collections of labels, counted partition by partition, never brought together."""

import functools
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from chancecorr.arguments import ArgumentValueError

T = TypeVar("T")


def is_partitioned(labels: object) -> bool:
    """Whether labels are a Dask array, or a column or an index of a Dask frame."""
    array, frames = sys.modules.get("dask.array"), sys.modules.get("dask.dataframe")
    if array is not None and isinstance(labels, array.Array):
        return True
    return frames is not None and isinstance(labels, frames.Series | frames.Index)


def paired_partitions(labels_true: Any, labels_pred: Any) -> list[tuple[Any, Any]]:
    """Partitions of both, not yet computed, each with that of the same objects.

    The second of two arrays takes the chunks of the first; frames must have the same divisions already.
    """
    sides = [labels_true, labels_pred]
    for name, side in zip(("labels_true", "labels_pred"), sides, strict=True):
        if side.ndim != 1:
            raise ArgumentValueError(name, f"must be one-dimensional; got shape {side.shape}.")
    if all(hasattr(side, "chunks") and not math.isnan(side.shape[0]) for side in sides):
        lengths, rule = [side.shape[0] for side in sides], "must have the same length as `labels_true`"
        if lengths[0] == lengths[1]:
            sides[1] = labels_pred.rechunk(labels_true.chunks)
    else:
        known = all(getattr(side, "known_divisions", False) for side in sides)
        lengths = [side.divisions if known else side.npartitions for side in sides]
        rule = "must have the partitions of `labels_true`"
    if lengths[0] != lengths[1]:
        raise ArgumentValueError(
            "labels_pred",
            f"{rule}; got {lengths[1]} and {lengths[0]}." + (" Repartition one of them." * ("part" in rule)),
            "labels_true",
        )
    return list(zip(*(side.to_delayed() for side in sides), strict=True))


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
