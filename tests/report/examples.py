"""Contents of reports: of real scores, with intervals that only look like ones."""

import dataclasses
import functools
import math

import numpy as np

import chancecorr as cc
from chancecorr.printing import p_text
from chancecorr.report.contents import (
    Clustering,
    Contents,
    Difference,
    IndexScores,
    Law,
    Origin,
    Reference,
    Score,
)
from chancecorr.report.from_comparison import table_of

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
    n_candidates=15, indices=INDICES, n=150, clusters=3, seed=1, names=NAMES, rows=SPECIES, method="auto"
):
    """A report on candidates that move more and more objects of a reference elsewhere."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * clusters // n
    row_names = tuple(rows[k] if k < len(rows) else f"class {k + 1}" for k in range(clusters))
    candidates, tables, results = [], [], []
    for k in range(n_candidates):
        name = names[k] if k < len(names) else f"candidate {k + 1}"
        labels = truth.copy()
        moved = rng.random(n) < 0.06 + 0.0045 * k * k
        labels[moved] = rng.integers(0, clusters + k % 4, moved.sum())
        if name == "all in one":
            labels[:] = 0
        table = cc.contingency_table(truth, labels)
        counts = table.dense_counts()
        candidates.append(Clustering(name=name, sizes=tuple(counts.sum(axis=0).tolist())))
        named = cc.ContingencyTable(counts, row_labels=row_names)
        tables.append(table_of(name, named))
        results.append(cc.adjust_table(table, index=list(indices), rng=seed, method=method))
    scored = tuple(
        _index_scores(
            index, [(each.name, found[index]) for each, found in zip(candidates, results, strict=True)], n
        )
        for index in indices
    )
    return Contents(
        reference=Clustering(name="species", sizes=tuple(np.bincount(truth).tolist())),
        candidates=tuple(candidates),
        n=n,
        level=0.95,
        indices=scored,
        tables=tuple(tables),
        method=(
            "Agreement with the reference was corrected for chance (Hubert & Arabie, 1985).",
            "Intervals only look like ones.",
        ),
        references=(
            Reference(text="Hubert & Arabie (1985)", doi="10.1007/BF01908075"),
            Reference(text="A book of 2014"),
        ),
        origin=Origin(
            versions=(("chancecorr", "0.1.0"), ("Python", "3.11.7"), ("NumPy", "2.4.6")),
            seed=seed,
            command="chancecorr report iris.csv:species kmeans.csv ward.csv genie.csv dbscan.csv"
            " --index rand,jaccard,mutual_information"
            " --seed 1 -o report.html",
        ),
        correction="Holm",
        notes=("Objects with a missing label were left out.",),
    )


def undefined():
    """A report in which an index is undefined for some candidates."""
    made = contents(4, ("rand", "fowlkes_mallows"), names=("good", "singletons", "fair", "all in one"))
    where = {
        "singletons": "the index is 0/0 on this table",
        "all in one": "there is nothing to correct for chance",
    }
    indices = []
    for each in made.indices:
        scores = tuple(
            score
            if score.candidate not in where
            else dataclasses.replace(
                score,
                adjusted=math.nan,
                low=math.nan,
                high=math.nan,
                z_score=math.nan,
                rank=None,
                among_best=False,
                p_value="–",
                p_corrected="–",
                p_of_difference="",
                remark=where[score.candidate],
            )
            for score in each.scores
        )
        pairs = tuple(pair for pair in each.differences if not where.keys() & {pair.first, pair.second})
        indices.append(dataclasses.replace(each, scores=scores, differences=pairs))
    return dataclasses.replace(made, indices=tuple(indices))


def without_intervals():
    """A report on a comparison that was made without intervals."""
    made = contents(4)
    indices = tuple(
        dataclasses.replace(
            each,
            differences=(),
            scores=tuple(
                dataclasses.replace(score, low=math.nan, high=math.nan, among_best=None, p_of_difference="")
                for score in each.scores
            ),
        )
        for each in made.indices
    )
    return dataclasses.replace(made, indices=indices)


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


def _index_scores(index, found, n):
    adjusted = [score.adjusted for _, score in found]
    order = sorted((k for k in range(len(found)) if math.isfinite(adjusted[k])), key=lambda k: -adjusted[k])
    ranks = {k: 1 + place for place, k in enumerate(order)}
    errors = [math.sqrt(max(1.0 - x * x, 0.02) / n) if math.isfinite(x) else math.nan for x in adjusted]
    best = order[0] if order else None
    scores = tuple(
        Score(
            candidate=name,
            observed=score.observed,
            expected=score.expected,
            best=score.best,
            adjusted=score.adjusted,
            low=score.adjusted - 1.96 * errors[k],
            high=min(score.adjusted + 1.96 * errors[k], 1.0) if math.isfinite(score.adjusted) else math.nan,
            z_score=score.z_score,
            p_value=p_text(score.p_value, score.p_is_bound, score.log_p_value),
            p_corrected=p_text(min(1.0, score.p_value * len(found)), score.p_is_bound),
            p_of_difference=""
            if k == best or k not in ranks
            else f"{math.exp(40.0 * (adjusted[k] - adjusted[best])):.2g}",
            rank=ranks.get(k),
            among_best=k in ranks and adjusted[best] - adjusted[k] < 3.5 * errors[k],
            law=Law(
                values=score.null.values,
                weights=score.null.weights,
                mean=score.null.mean,
                std=score.null.std,
                n_tables=score.n_tables,
            ),
            remark=score.remark,
        )
        for k, (name, score) in enumerate(found)
    )
    differences = []
    for i, one in enumerate(scores):
        for j, other in list(enumerate(scores))[i + 1 :]:
            gap, error = one.adjusted - other.adjusted, 0.8 * math.hypot(errors[i], errors[j])
            if math.isfinite(gap):
                differences.append(
                    Difference(
                        first=one.candidate,
                        second=other.candidate,
                        difference=gap,
                        low=gap - 1.96 * error,
                        high=gap + 1.96 * error,
                        p_value=f"{math.erfc(abs(gap) / error / 2**0.5):.2g}",
                    )
                )
    entry = cc.get_index(index)
    return IndexScores(
        index=index, formula=entry.formula, source=entry.source, scores=scores, differences=tuple(differences)
    )
