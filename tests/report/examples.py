"""Contents of reports."""

import dataclasses
import functools
import math

import numpy as np

import chancecorr as cc
from chancecorr.comparison import compare_datasets
from chancecorr.report.contents import Origin, Reference, contents_of

SPECIES = ("setosa", "versicolor", "virginica")
NAMES = (
    "k-means, 3 clusters",
    "k-means, 4 clusters",
    "k-means, 8 clusters",
    "Ward, 3 clusters",
    "Ward, 5 clusters",
    "agglomerative with complete linkage on standardised data",
    "single linkage",
    "Gaussian mixture, full",
    "Gaussian mixture, diagonal",
    "DBSCAN, eps 0.5",
    "HDBSCAN",
    "spectral",
    "genie",
    "k-medoids",
    "all in one",
)
INDICES = ("rand", "jaccard", "mutual_information")


@functools.cache
def contents(
    n_candidates=15,
    indices=INDICES,
    n=150,
    clusters=3,
    seed=1,
    names=NAMES,
    rows=SPECIES,
    method="auto",
    interval="jackknife",
):
    """A report on candidates that move more and more objects of a reference elsewhere."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * clusters // n
    row_names = tuple(rows[k] if k < len(rows) else f"class {k + 1}" for k in range(clusters))
    found = {}
    for k in range(n_candidates):
        name = names[k] if k < len(names) else f"candidate {k + 1}"
        labels = truth.copy()
        moved = rng.random(n) < 0.06 + 0.0045 * k * k
        labels[moved] = rng.integers(0, clusters + k % 4, moved.sum())
        found[name] = labels * (name != "all in one")
    comparison = cc.compare(
        np.array(row_names, dtype=object)[truth],
        found,
        index=indices,
        rng=seed,
        method=method,
        interval=interval,
    )
    made = contents_of(
        comparison,
        reference="species",
        seed=seed,
        command="chancecorr report iris.csv:species kmeans.csv ward.csv genie.csv dbscan.csv"
        " --index rand,jaccard,mutual_information --seed 1 -o report.html",
    )
    notes = ("Objects with a missing label were left out.",)
    return dataclasses.replace(made, origin=dataclasses.replace(made.origin, seed=seed), notes=notes)


def undefined():
    """A report in which indices are undefined for a candidate."""
    made, name = contents(4, ("rand", "fowlkes_mallows")), NAMES[1]
    nothing = dict.fromkeys(("adjusted", "low", "high", "z_score"), math.nan) | {"rank": None}
    nothing |= {"among_best": False, "p_value": "–", "p_corrected": "–", "p_of_difference": ""}
    nothing |= {"remark": "the index is 0/0 on this table"}
    indices = []
    for each in made.indices:
        scores = (
            dataclasses.replace(score, **nothing) if score.candidate == name else score
            for score in each.scores
        )
        pairs = tuple(pair for pair in each.differences if name not in (pair.best, pair.other))
        indices.append(dataclasses.replace(each, scores=tuple(scores), differences=pairs))
    return dataclasses.replace(made, indices=tuple(indices))


def without_intervals():
    """A report on a comparison that was made without intervals."""
    return contents(4, interval=None)


def hostile(name):
    """A report in which every name, and every text that someone may have written, is this one."""
    made = contents(3, ("rand", "jaccard"), names=(name, "b", "c"))
    first = dataclasses.replace(made.indices[0], index=name, formula=name, source=name)
    scores = tuple(dataclasses.replace(score, remark="", interval_remark=name) for score in first.scores)
    tables = tuple(
        dataclasses.replace(
            table, row_names=(name,) * len(table.row_names), column_names=(name,) * len(table.column_names)
        )
        for table in made.tables
    )
    return dataclasses.replace(
        made,
        reference=dataclasses.replace(made.reference, name=name),
        indices=(dataclasses.replace(first, scores=scores), made.indices[1]),
        tables=tables,
        method=(name,),
        references=(Reference(text=name, doi="10.1/1"),),
        correction=name,
        origin=Origin(versions=((name, name),), seed=1, command=name),
        notes=(name,),
    )


def datasets(n_sets=6, names=("good", "poor", "chance"), shares=(0.9, 0.5, 0.0)):
    """The same candidates on several data sets."""
    rng = np.random.default_rng(0)
    sets = {}
    for k in range(n_sets):
        truth = rng.integers(0, 3, 90)
        candidates = {
            name: np.where(rng.random(90) < share, truth, rng.integers(0, 3, 90))
            for name, share in zip(names, shares, strict=True)
        }
        sets[f"set {k}"] = (truth, candidates)
    return compare_datasets(sets, rng=0)
