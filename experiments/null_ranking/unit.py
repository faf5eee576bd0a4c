"""The null distributions of all different adjusted scores on one pair of margins."""

import math

import numpy as np

import chancecorr as cc
from chancecorr.catalogue import list_classes
from experiments.common.units import Clock, Inputs, Record, generator

LARGEST_N, MOST_CLUSTERS = 1_000, 12
QUANTITIES = ("median", "spread", "skewness", "99 % point")


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """By index that stands for a class: `QUANTITIES` of its adjusted score by chance; nan where undefined.

    Inputs: ``tables``, random tables for each null distribution. The margins are drawn: 20 to 1,000 objects,
    log-uniform, in 2 to 12 clusters a side whose shares are uniform.
    """
    stream = generator(seed, "margins", replicate)
    n = round(math.exp(stream.uniform(math.log(20), math.log(LARGEST_N))))
    first, second = (labels(n, stream) for _ in range(2))
    table = cc.contingency_table(first, second)
    with clock("null distributions"):
        scores = cc.adjust_table(
            table, index=tuple(list_classes()), method="monte-carlo", n_tables=inputs["tables"],
            rng=generator(seed, "tables", replicate),
        )  # fmt: skip
        return {"n": n, "scores": {name: of_null(score) for name, score in scores.items()}}


def labels(n: int, stream: np.random.Generator) -> np.ndarray:
    """Labels of objects in at least two clusters."""
    while True:
        shares = stream.dirichlet(np.ones(stream.integers(2, MOST_CLUSTERS + 1)))
        found = np.asarray(stream.choice(shares.size, size=n, p=shares))
        if np.unique(found).size > 1:
            return found


def of_null(score: cc.correction.AdjustedScore) -> list[float]:
    """`QUANTITIES` of the adjusted score: its mean by chance is 0, whatever the index."""
    null = score.null
    room = score.best - score.expected
    if null is None or not math.isfinite(room) or room == 0.0 or not null.std > 0.0:
        return [math.nan] * len(QUANTITIES)
    low, middle, high = (float(null.quantile(q)) for q in (0.01, 0.5, 0.99))
    top = high if room > 0.0 else low
    return [
        (middle - score.expected) / room,
        null.std / abs(room),
        math.copysign(1.0, room) * null.skewness,
        (top - score.expected) / room,
    ]
