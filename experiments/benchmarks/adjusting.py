"""Time from labels to adjusted indices, against scikit-learn, SciPy and clusim.

Labels of 800 objects, 240, 240 and 320 on either side: `chancecorr.adjust` by simulation with 17,000 tables,
for the nine published indices and for the Rand index, against the best that SciPy and NumPy offer: as many
tables of `scipy.stats.random_table`, and one line for the Rand index of all. For the purity one line, too. A
leaderboard of 15 candidates with intervals by `chancecorr.compare`, against `scipy.stats.bootstrap` of
`adjusted_rand_score` with its 9,999 resamples, of which some are timed. All pairs of 50 clusterings by
`chancecorr.pairwise`; the adjusted mutual information of 100 clusters; the Rand index under another model of
chance. Milliseconds of compiled code, on one thread.
"""

import itertools
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import bootstrap, random_table
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

import chancecorr as cc
from experiments.benchmarks.timing import Row, compare_times, run, scale_count, time_in_turn

TABLES = 17_000
RESAMPLES = 9_999

SECONDS_TO_WARM = 3.0  # of the same calls before they are timed: a first call is in `startup`


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each question."""
    rows: list[Row] = []
    for question, peer, ours, theirs, factor in list_questions(scale):
        seconds = time_in_turn(ours, theirs, repeats=scale_count(5, scale, 2), warm=SECONDS_TO_WARM * scale)
        extrapolated = [taken * factor for taken in seconds[1]]
        row: Row = {"question": question, "peer": peer}
        rows.append(row | compare_times(seconds[0], extrapolated, "peer, ms", 1e3))
    return rows


def list_questions(scale: float) -> Iterator[tuple[str, str, Callable[[], Any], Callable[[], Any], float]]:
    """What is asked, the peer, both calls, and how many times the work the peer's call would have."""
    rng = np.random.default_rng(1)
    x = np.repeat([0, 1, 2], [240, 240, 320])
    y = shuffle_some(x, 0.5, rng)
    tables = scale_count(TABLES, scale, 100)
    law = random_table(np.bincount(x), np.bincount(y))

    def draw(method: str) -> np.ndarray:
        return np.asarray(law.rvs(tables, method=method, random_state=1))

    method = min(("boyett", "patefield"), key=lambda method: time_in_turn(partial(draw, method), repeats=3))
    square = np.sum(np.bincount(x) ** 2.0) + np.sum(np.bincount(y) ** 2.0)
    lines = {
        "rand": lambda: (
            1.0 + ((draw(method) ** 2).sum(axis=(1, 2)) - square / 2) / (x.size * (x.size - 1) / 2)
        ),
        "purity": lambda: draw(method).max(axis=1).sum(axis=1) / x.size,
    }
    for index in ([*cc.PUBLISHED_INDICES], ["rand"], ["purity"]):
        ours = partial(cc.adjust, x, y, index, method="monte-carlo", n_tables=tables, rng=1, n_jobs=1)
        what = f"{', '.join(index) if len(index) < 9 else '9 adjusted indices'} by {tables:,} tables"
        yield what, "SciPy's tables, a line of NumPy", ours, lines.get(index[0], lines["rand"]), 1.0

    labels = rng.integers(0, 10, scale_count(1_000, scale, 50))
    candidates = {f"{k}": shuffle_some(labels, k / 20, rng) for k in range(1, 16)}
    resamples = scale_count(50, scale, 3)

    def resample() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            bootstrap(
                (labels, candidates["1"]), adjusted_rand_score, paired=True, vectorized=False,
                n_resamples=resamples, method="percentile", rng=1,
            )  # fmt: skip

    factor = RESAMPLES / resamples * len(candidates)
    board = partial(cc.compare, labels, candidates, index="rand", rng=1)
    yield "15 candidates with intervals", "bootstrap of adjusted_rand_score", board, resample, factor

    many = {f"{k}": rng.integers(0, 10, labels.size) for k in range(scale_count(50, scale, 4))}
    pairs = list(itertools.combinations(many.values(), 2))
    every_pair = partial(cc.pairwise, many, index="rand")
    yield f"{len(pairs):,} pairs", "adjusted_rand_score", every_pair, partial(score_pairs, pairs), 1.0

    sides = rng.integers(0, 100, (2, scale_count(100_000, scale, 1_000)))
    ami = partial(cc.adjusted_score, sides[0], sides[1], index="nmi_sum")
    yield (
        "AMI of 100 clusters",
        "adjusted_mutual_info_score",
        ami,
        partial(adjusted_mutual_info_score, *sides),
        1.0,
    )

    from clusim.clustering import Clustering
    from clusim.sim import adjrand_index

    with_clusim = [Clustering().from_membership_list(side.tolist()) for side in (x, y)]
    model = partial(cc.adjust, x, y, "rand", model="fixed-k", method="analytic")
    peer = partial(adjrand_index, *with_clusim, random_model="num")
    yield "Rand index, fixed numbers of clusters", "clusim", model, peer, 1.0


def score_pairs(pairs: list[tuple[Any, Any]]) -> None:
    """The adjusted Rand index of each pair by scikit-learn."""
    for first, second in pairs:
        adjusted_rand_score(first, second)


def shuffle_some(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Labels of which a share is permuted."""
    changed = labels.copy()
    places = rng.choice(labels.size, round(share * labels.size), replace=False)
    changed[places] = rng.permutation(changed[places])
    return changed


if __name__ == "__main__":
    run(measure)
