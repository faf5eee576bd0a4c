"""Contents of reports."""

import dataclasses
import functools
from types import SimpleNamespace

import numpy as np

import chancecorr as cc
from chancecorr.comparison import compare_datasets
from chancecorr.report import collect_contents

SPECIES = ("setosa", "versicolor", "virginica")
NAMES = (
    "k-means, 3 clusters", "k-means, 4 clusters", "k-means, 8 clusters", "Ward, 3 clusters",
    "Ward, 5 clusters", "agglomerative with complete linkage on standardised data", "single linkage",
    "Gaussian mixture, full", "Gaussian mixture, diagonal", "DBSCAN, eps 0.5", "HDBSCAN", "spectral",
    "genie", "k-medoids", "all in one",
)  # fmt: skip
INDICES = ("rand", "jaccard", "mutual_information")


def changed(thing, **new):
    """A part of the contents, or a score, with other values."""
    if dataclasses.is_dataclass(thing):
        return dataclasses.replace(thing, **new)
    return SimpleNamespace(**vars(thing) | new)


@functools.cache
def contents(
    n_candidates=15, indices=INDICES, *, n=150, clusters=3, names=NAMES, rows=SPECIES, alone="", **options
):
    """A report on candidates that move more and more objects of a reference elsewhere."""
    rng = np.random.default_rng(1)
    truth = np.arange(n) * clusters // n
    row_names = tuple(rows[k] if k < len(rows) else f"class {k + 1}" for k in range(clusters))
    found = {}
    for k in range(n_candidates):
        name = names[k] if k < len(names) else f"candidate {k + 1}"
        labels = truth.copy()
        moved = rng.random(n) < 0.06 + 0.0045 * k * k
        labels[moved] = rng.integers(0, clusters + k % 4, moved.sum())
        found[name] = np.arange(n) if name == alone else labels * (name != "all in one")
    named = np.array(row_names, dtype=object)[truth]
    comparison = cc.compare(named, found, index=indices, rng=1, **options)
    made = collect_contents(
        comparison,
        reference="species",
        seed=1,
        command="chancecorr report iris.csv:species kmeans.csv ward.csv genie.csv dbscan.csv"
        " --index rand,jaccard,mutual_information --seed 1 -o report.html",
    )
    return changed(made, notes=("Objects with a missing label were left out.",))


def undefined():
    """A report in which the first index is undefined for a candidate that has each object alone."""
    return contents(4, ("fowlkes_mallows", "rand"), alone=NAMES[1])


def without_intervals():
    """A report on a comparison that was made without intervals."""
    return contents(4, interval=None)


def hostile(name):
    """A report in which every name, and every text that someone may have written, is this one."""
    made = contents(3, ("rand", "jaccard"), names=(name, "b", "c"))
    first = changed(made.indices[0], index=name, formula=name, source=name)
    scores = tuple(changed(score, interval=changed(score.interval, remark=name)) for score in first.scores)
    sides = ("row_names", "column_names")
    tables = tuple(
        changed(each, **{side: (name,) * len(getattr(each, side)) for side in sides}) for each in made.tables
    )
    return changed(
        made,
        reference=changed(made.reference, name=name),
        indices=(changed(first, scores=scores), made.indices[1]),
        tables=tables,
        method=(name,),
        references=(f"{name}, doi:10.1/1",),
        correction=name,
        origin=SimpleNamespace(versions=((name, name),), seed=1, command=name),
        notes=(name,),
    )


def datasets(names=("good", "poor", "chance"), shares=(0.9, 0.5, 0.0)):
    """The same candidates on several data sets."""
    rng = np.random.default_rng(0)
    sets = {}
    for k in range(6):
        truth, candidates = rng.integers(0, 3, 90), {}
        for name, share in zip(names, shares, strict=True):
            candidates[name] = np.where(rng.random(90) < share, truth, rng.integers(0, 3, 90))
        sets[f"set {k}"] = (truth, candidates)
    return compare_datasets(sets, rng=0)
