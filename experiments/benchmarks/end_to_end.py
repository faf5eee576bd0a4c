"""Time from two label vectors to adjusted indices, against a loop with scikit-learn.

800 objects in three clusters on either side (240, 240, 320; half of the objects agree by construction),
17,000 random tables, one thread: `chancecorr.adjust` with `method="monte-carlo"`, for the nine published
indices, and for the Rand index alone; and by the default method, `"auto"`, for the nine and a second
clustering that has nothing to do with the first, once the law of such tables is known from a call before. The
peer is the loop one would write with scikit-learn, `rand_score(x, rng.permutation(y))`: one index, 500
permutations timed and multiplied up to 17,000. The ratio is the loop's time over chancecorr's.
"""

import statistics

import numpy as np
from sklearn.metrics import rand_score

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

TABLES = 17_000
PERMUTATIONS_TIMED = 500


def two_clusterings() -> tuple[np.ndarray, np.ndarray]:
    """Labels of 800 objects, sizes 240, 240 and 320 on both sides, one half of the second shuffled."""
    rng = np.random.default_rng(1)
    x = np.repeat([0, 1, 2], [240, 240, 320])
    y = x.copy()
    half = rng.choice(x.size, x.size // 2, replace=False)
    y[half] = rng.permutation(y[half])
    return x, y


def measure(scale: float = 1.0) -> list[Row]:
    """One row for nine indices, one for the Rand index alone, one for nine by the default method."""
    x, y = two_clusterings()
    tables = scaled(TABLES, scale, minimum=100)
    timed = scaled(PERMUTATIONS_TIMED, scale, minimum=5)
    rng = np.random.default_rng(2)
    unrelated = rng.permutation(y)
    ours, alone, default, loop = interleaved(
        lambda: cc.adjust(
            x, y, index=cc.PUBLISHED_INDICES, method="monte-carlo", n_tables=tables, rng=1, n_jobs=1
        ),
        lambda: cc.adjust(x, y, index="rand", method="monte-carlo", n_tables=tables, rng=1, n_jobs=1),
        lambda: cc.adjust(x, unrelated, index=cc.PUBLISHED_INDICES, rng=1, n_jobs=1),
        lambda: [rand_score(x, rng.permutation(y)) for _ in range(timed)],
        repeats=repeats_at(scale, full=15),
    )
    peer = [seconds * tables / timed for seconds in loop]
    rows: list[Row] = []
    nine = len(cc.PUBLISHED_INDICES)
    for indices, method, seconds in (
        (nine, "monte-carlo", ours), (1, "monte-carlo", alone), (nine, "auto", default)
    ):  # fmt: skip
        row: Row = {
            "adjusted indices": indices,
            "method": method,
            "tables": tables,
            "chancecorr, ms": statistics.median(seconds) * 1e3,
            "permutations timed": timed,
            "scikit-learn, 1 index, ms (extrapolated)": statistics.median(peer) * 1e3,
        }
        rows.append(row | compared(peer, seconds))
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
