"""Time of a contingency table of ten million labels, against reading them and against scikit-learn.

`chancecorr.contingency_table` against `sklearn.metrics.cluster.contingency_matrix` on two random label
vectors in ten clusters, on one thread: integers and floats, text of a fixed width, and columns of pandas,
polars and Arrow where they are installed. "Reading" is `numpy.max` of both arrays, for text of the numbers of
its characters: less than what must be done, as every label has to be read. The floats are sevenths, not
whole. Text and columns are of 10^6 labels. polars finds distinct strings on threads of its own. The ratio is
scikit-learn's time over chancecorr's.
"""

import contextlib
import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics.cluster import contingency_matrix

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

OBJECTS = 10_000_000
TEXTS = 1_000_000
CLUSTERS = 10
TYPES = ("int64", "int32", "uint8", "float64")


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each kind of labels."""
    rows: list[Row] = []
    codes = random_codes(scaled(OBJECTS, scale, minimum=1_000))
    for dtype in TYPES:
        x, y = codes / 7 if dtype == "float64" else codes.astype(dtype)
        rows.append(compared_with_reading(dtype, x, y, (x, y), repeats_at(scale)))
    codes = random_codes(scaled(TEXTS, scale, minimum=1_000))
    names = np.array([f"cluster {k}" for k in range(CLUSTERS)])
    for kind, labels in (("NumPy text", names), ("NumPy bytes", names.astype(np.bytes_))):
        x, y = labels[codes]
        characters = np.uint32 if labels.dtype.kind == "U" else np.uint8
        read = x.view(characters), y.view(characters)
        rows.append(compared_with_reading(f"{kind}, {labels.dtype.str}", x, y, read, repeats_at(scale, 3)))
    for kind, x, y in columns(*names[codes]):
        ours, theirs = interleaved(
            partial(cc.contingency_table, x, y),
            partial(contingency_matrix, x, y),
            repeats=repeats_at(scale, 3),
        )
        row: Row = {"labels": kind, "n": len(x), **medians(ours, theirs)}
        rows.append(row | compared(theirs, ours))
    return rows


def random_codes(n: int) -> npt.NDArray[np.int64]:
    """Two label vectors of shape (2, n)."""
    return np.random.default_rng(1).integers(0, CLUSTERS, (2, n))


def compared_with_reading(
    kind: str, x: npt.NDArray[Any], y: npt.NDArray[Any], read: tuple[npt.NDArray[Any], ...], repeats: int
) -> Row:
    """Times of a table, of reading the arrays in `read`, and of scikit-learn's table, in turn."""
    ours, reading, theirs = interleaved(
        partial(cc.contingency_table, x, y),
        lambda: [part.max() for part in read],
        partial(contingency_matrix, x, y),
        repeats=repeats,
    )
    row: Row = {
        "labels": kind,
        "n": x.size,
        **medians(ours, theirs),
        "reading, s": statistics.median(reading),
        "chancecorr / reading": compared(ours, reading)["ratio"],
    }
    return row | compared(theirs, ours)


def medians(ours: list[float], theirs: list[float]) -> Row:
    """Median seconds of both sides."""
    return {"chancecorr, s": statistics.median(ours), "scikit-learn, s": statistics.median(theirs)}


def columns(*texts: npt.NDArray[np.str_]) -> Iterator[tuple[str, Any, Any]]:
    """Kinds of columns, and both label vectors as such."""
    objects = [side.astype(object) for side in texts]
    with contextlib.suppress(ImportError):
        import pandas as pd

        for dtype in ("object", "string", "category"):
            x, y = (pd.Series(side, dtype=dtype) for side in objects)
            yield f"pandas {dtype}", x, y
    with contextlib.suppress(ImportError):
        import polars as pl

        for kind in (pl.String, pl.Categorical):
            x, y = (pl.Series(side.tolist()).cast(kind) for side in texts)
            yield f"polars {kind}", x, y
    with contextlib.suppress(ImportError):
        import pyarrow as pa

        x, y = map(pa.array, objects)
        yield "Arrow string", x, y
        yield "Arrow dictionary", x.dictionary_encode(), y.dictionary_encode()


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
