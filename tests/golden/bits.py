"""What the same seed has always given: hashes of sampled tables, of T, and of values of each kind of index.

``python -m tests.golden.bits`` writes `bits.json` anew: when a change of the bits is wanted, and said in the
changelog. A change of the layout leaves the file as it is. Whole numbers, and what follows from them by
correctly rounded operations, are hashed to the bit; logarithms, which libraries round differently, to ten
digits.
"""

import hashlib
import json
import math
from pathlib import Path

import numpy as np

import chancecorr as cc
from tests.random_models import MODELS

FILE = Path(__file__).parent / "bits.json"

MARGINS = {
    "no object": ([], []),
    "one object": ([1], [1]),
    "two objects": ([1, 1], [1, 1]),
    "one row": ([9], [2, 3, 4]),
    "one column": ([2, 3, 4], [9]),
    "empty clusters": ([0, 5, 0, 4], [3, 0, 6]),
    "singletons": ([1] * 8, [1] * 8),
    "singletons and clusters": ([1] * 12, [5, 4, 3]),
    "pairs": ([2] * 20, [2] * 20),
    "two by two": ([30, 70], [45, 55]),
    "two by two, unbalanced": ([998, 2], [997, 3]),
    "paper, balanced": ([240, 240, 320], [240, 240, 320]),
    "paper, unbalanced": ([100, 300, 400], [150, 250, 400]),
    "small": ([5, 4, 3], [6, 3, 3]),
    "small, oblong": ([4, 2], [2, 2, 2]),
    "tall": ([3] * 30, [40, 50]),
    "wide": ([40, 50], [3] * 30),
    "largest total in a column": ([20, 30, 25], [60, 10, 5]),
    "ten by ten, conditional": ([1000] * 10, [1000] * 10),
    "ten by ten, shuffled": ([10] * 10, [10] * 10),
    "thirty by thirty": ([100] * 30, [100] * 30),
    "listed cells": ([2] * 60, [3] * 40),
    "skewed": ([656, 9, 16, 115, 41, 65, 12, 86], [900, 50, 50]),
    "one cluster and singletons": ([100] + [1] * 50, [90, 60]),
    "many clusters": ([4] * 250, [200] * 5),
    "geometric": ([512, 256, 128, 64, 32, 16, 8, 4], [1000, 20]),
    "no two alike": ([11, 13, 17, 19, 23], [29, 31, 23]),
    "a million": ([333_333, 333_333, 333_334], [250_000, 250_000, 500_000]),
    "beyond the table of factorials": ([700_000, 700_001], [700_000, 700_001]),
    "a billion": ([10**8, 9 * 10**8], [5 * 10**8, 5 * 10**8]),
}
"""Cluster sizes of the reference and the candidate."""

UNDER_MODELS = ("one object", "singletons", "paper, balanced", "small", "small, oblong", "skewed", "pairs")
"""Margins of moderate size, on which every model and kind of index is tried."""


def weighted_cells(table, row_totals, column_totals):
    """A number that tells most tables from one another."""
    total = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            total += (3 * i + 7 * j + 1) * table[i, j] * table[i, j]
    return total % 65_521


def share_in_place(labels_true, labels_pred):
    """Share of objects with the same number on both sides."""
    return (labels_true == labels_pred).mean() if labels_true.size else 0.0


PAIRS_TOGETHER = cc.indices.Index(name="pairs_together", function=lambda a, b, c, d: a, needs="pairs")
KINDS = (
    PAIRS_TOGETHER,
    cc.get_index("jaccard"),
    cc.indices.Index(
        name="joint_entropy_by_cells", function=lambda x, a, b, n: -x / n * math.log(x / n), needs="cells"
    ),
    cc.indices.Index(
        name="linked", function=lambda x, row, column, n: x * x, needs="cells",
        link=lambda total, rows, columns: np.sqrt(total) / max(rows.sum(), 1),
    ),
    cc.indices.Index(name="weighted_cells", function=weighted_cells, needs="table", named=False),
    cc.indices.Index(name="share_in_place", function=share_in_place, needs="labels", named=False),
)  # fmt: skip
COMPILED = tuple(index for index in KINDS if index.needs != "labels")
ROUNDED = ("joint_entropy_by_cells",)


def digest(*arrays):
    """Hash of arrays, their types and shapes."""
    hashed = hashlib.sha256()
    for array in arrays:
        array = np.ascontiguousarray(array)
        hashed.update(f"{array.dtype.str}{array.shape}".encode())
        hashed.update(array.tobytes())
    return hashed.hexdigest()[:16]


def of_null(index, margins, n_tables, **options):
    """Hash of the simulated values and how often each came."""
    drawn = {"method": "monte-carlo", "n_tables": n_tables, "rng": 20_140_304}
    null = cc.null_distribution(margins, index, **drawn, **options)
    if index.name in ROUNDED:
        # equal to ten digits is equal here: how often each value came would go by the last digit
        values = np.repeat(null.values, null.counts)
        return digest(np.array([f"{value:.9e}" for value in values.tolist()]))
    return digest(null.values, null.counts)


def tables_and_pair_sums(name):
    """Hashes of sampled tables and of T for one set of margins."""
    margins = cc.Margins(*MARGINS[name])
    tables = digest(cc.sample_tables(margins, 40, rng=7))
    return {"tables": tables, "T": of_null(PAIRS_TOGETHER, margins, 300)}


def every_kind(name, model, n_jobs=None):
    """Hashes of the values of each kind of index under a model."""
    margins = cc.Margins(*MARGINS[name])
    return {index.name: of_null(index, margins, 200, model=model, n_jobs=n_jobs) for index in KINDS}


def many_tables(n_jobs=None):
    """Hashes over so many tables that two workers share them, for the kinds that are compiled."""
    margins = cc.Margins(*MARGINS["paper, balanced"])
    return {index.name: of_null(index, margins, 140_000, n_jobs=n_jobs) for index in COMPILED}


def all_bits():
    """Everything that is kept."""
    return {
        "many tables": many_tables(),
        "margins": {name: tables_and_pair_sums(name) for name in MARGINS},
        "models": {f"{name}, {model}": every_kind(name, model) for name in UNDER_MODELS for model in MODELS},
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(all_bits(), indent=1) + "\n")
