"""Time of a leaderboard of candidates with intervals, against loops with scikit-learn and SciPy.

`chancecorr.compare` on candidates that err in more and more of the objects, ten clusters on either side:
scores, jackknife intervals, p-values corrected by Holm and tests against the best. "adjust, s" is a loop over
`chancecorr.adjust` with the same indices and tail, which has no intervals. The peer is the loop one would
write for the adjusted Rand index alone: `scipy.stats.bootstrap` of scikit-learn's `adjusted_rand_score` over
pairs of labels, by percentiles, for each candidate; some resamples of one candidate are timed and multiplied
up to the 9,999 that are SciPy's default, and to all candidates. It gives one interval a candidate, no p-value
and no test. The ratio is the peer's time over chancecorr's, however many indices that has. One thread.
"""

import statistics
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap
from sklearn.metrics import adjusted_rand_score

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

CASES = ((15, ("rand",), 1_000), (50, (*cc.PUBLISHED_INDICES, "mutual_information"), 10_000))
"""Numbers of candidates, indices, and numbers of objects."""

CLUSTERS = 10
RESAMPLES = 9_999
RESAMPLES_TIMED = 50

Labels = npt.NDArray[np.int64]


def candidates(m: int, n: int) -> tuple[Labels, dict[str, Labels]]:
    """A reference, and candidates in which ever more of the objects, a tenth to a half, are drawn anew."""
    rng = np.random.default_rng(1)
    reference = rng.integers(0, CLUSTERS, n)
    found = {}
    for k, share in enumerate(np.linspace(0.1, 0.5, m)):
        changed = rng.random(n) < share
        found[f"candidate {k}"] = np.where(changed, rng.integers(0, CLUSTERS, n), reference)
    return reference, found


def bootstrapped(reference: Labels, candidate: Labels, resamples: int) -> Any:
    """SciPy's interval for the adjusted Rand index."""
    return bootstrap(
        (reference, candidate), adjusted_rand_score, paired=True, vectorized=False, n_resamples=resamples,
        method="percentile", rng=np.random.default_rng(2),
    )  # fmt: skip


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each size."""
    timed = scaled(RESAMPLES_TIMED, scale, minimum=3)
    return [
        measured(
            scaled(m, scale, minimum=3), indices, scaled(n, scale, minimum=200), timed, repeats_at(scale, 3)
        )
        for m, indices, n in CASES
    ]


def measured(m: int, indices: tuple[str, ...], n: int, timed: int, repeats: int) -> Row:
    """Seconds of the three for m candidates of n objects, in turn."""
    reference, found = candidates(m, n)
    one = next(iter(found.values()))
    asked: dict[str, Any] = {"index": indices, "rng": 1, "n_jobs": 1}
    ours, alone, peer = interleaved(
        lambda: cc.compare(reference, found, **asked),
        lambda: [cc.adjust(reference, each, **asked) for each in found.values()],
        lambda: bootstrapped(reference, one, timed),
        repeats=repeats,
    )
    extrapolated = [seconds * m * RESAMPLES / timed for seconds in peer]
    row: Row = {
        "candidates": m,
        "indices": len(indices),
        "n": n,
        "chancecorr, s": statistics.median(ours),
        "adjust, s": statistics.median(alone),
        "resamples timed": timed,
        "SciPy and scikit-learn, 1 index, s (extrapolated)": statistics.median(extrapolated),
    }
    return row | compared(extrapolated, ours)


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
