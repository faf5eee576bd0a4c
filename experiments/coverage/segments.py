"""How often p-values are below 0.05 for two series of long segments.

Both series are drawn separately, by one process: segments with lengths of any label, two speakers who take
turns, three speakers with silence between the turns, nights of sleep, and nights with less deep sleep towards
their end. They are unrelated, or share a stretch of 20 % of the time. Chance permutes all samples, shifts the
candidate, or puts its segments elsewhere. ``python -m experiments.coverage.segments`` writes `segments.csv`,
in a quarter of an hour.
"""

import argparse
import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.chance import segments, shifts
from experiments.common.kept import write_whole

HERE = Path(__file__).parent
SAMPLES, DRAWS, SHARED = 960, 199, 0.2  # 8 hours of 30 seconds

Segments = Iterator[tuple[str, float]]
"""Label and mean length of one segment after another."""


def follow_any_label(rng: np.random.Generator) -> Segments:
    """Each of five labels follows each other label with equal probability; all lengths have one mean."""
    label = "?"
    while True:
        label = str(rng.choice([x for x in "abcde" if x != label]))
        yield label, 30.0


def take_turns(rng: np.random.Generator) -> Segments:
    """Two speakers without a gap; one of them speaks longer."""
    first = int(rng.integers(2))
    while True:
        yield "ab"[first], (20.0, 45.0)[first]
        first = 1 - first


def speak_with_gaps(rng: np.random.Generator) -> Segments:
    """Three speakers, with silence after each turn; a speaker may speak again."""
    while True:
        yield str(rng.choice(list("abc"), p=(0.5, 0.3, 0.2))), 40.0
        yield "silence", 25.0


FOLLOWING = {
    "wake": (("light", 1.0),),
    "light": (("wake", 0.2), ("deep", 0.5), ("rem", 0.3)),
    "deep": (("light", 0.9), ("wake", 0.1)),
    "rem": (("light", 0.6), ("wake", 0.4)),
}
"""Stages of sleep that follow a stage, with their probabilities."""


def sleep(rng: np.random.Generator, drift: float = 0.0) -> Segments:
    """Yield stages from wake on; with drift, deep sleep gets shorter and REM sleep longer towards the end."""
    stage, time = "wake", 0.0
    while True:
        tilt = drift * (1.0 - 2.0 * min(time / SAMPLES, 1.0))
        mean = {"wake": 12.0, "light": 25.0, "deep": 30.0 * 2.0**tilt, "rem": 30.0 * 2.0**-tilt}[stage]
        yield stage, mean
        time += mean
        stages, probabilities = zip(*FOLLOWING[stage], strict=True)
        stage = str(rng.choice(stages, p=probabilities))


class Case(NamedTuple):
    """A process, the label of its gaps, and the samples that are left out at its start."""

    name: str
    draw: Callable[[np.random.Generator], Segments]
    gap: str | None = None
    before: int = 1_000  # the series begins within a segment
    score: str = "rand"


CASES = (
    Case("any label follows", follow_any_label),
    Case("two speakers take turns", take_turns),
    Case("three speakers, silence", speak_with_gaps, "silence"),
    Case("nights", sleep, before=0, score="label_accuracy"),
    Case("nights that drift", lambda rng: sleep(rng, 2.0), before=0, score="label_accuracy"),
)


def draw_series(case: Case, rng: np.random.Generator) -> np.ndarray:
    """Return labels of samples; lengths are 1 and gamma variables of shape 2, rounded down."""
    labels: list[str] = []
    for label, mean in case.draw(rng):
        labels += [label] * (1 + int(rng.gamma(2.0, mean / 2.0)))
        if len(labels) >= case.before + SAMPLES:
            return np.array(labels[case.before : case.before + SAMPLES])
    raise AssertionError


def list_models(case: Case) -> dict[str, str | cc.Draws]:
    """Return the models of chance that suit the case, by name."""
    models: dict[str, str | cc.Draws] = {"permutation": "permutation", "shifts": shifts(SAMPLES)}
    for keep in ("lengths", "labels"):
        gap = case.gap if keep == "lengths" else None
        models[f"segments, {keep}"] = segments(keep=keep, gap=gap)
    if case.gap is not None:
        models["segments, order"] = segments(keep="order", gap=case.gap)
    return models


def measure_share(case: Case, shared: float, pairs: int) -> list[list[object]]:
    """Return rows of one case: the share of pairs with a p-value below 0.05, by model."""
    models = list_models(case)
    hits = dict.fromkeys(models, 0)
    for k in range(pairs):
        rng = np.random.default_rng([k, int(100 * shared), len(case.name)])
        x, y = draw_series(case, rng), draw_series(case, rng)
        start = int(rng.integers(SAMPLES - int(shared * SAMPLES) + 1))
        stretch = slice(start, start + int(shared * SAMPLES))
        y[stretch] = x[stretch]
        for name, model in models.items():
            n_tables = DRAWS if name.startswith("segments") else None
            p_value = cc.adjust(x, y, case.score, model=model, n_tables=n_tables, rng=k).p_value
            hits[name] += p_value <= 0.05
    return [[case.name, shared, name, pairs, hit / pairs] for name, hit in hits.items()]


def main() -> None:
    """Measure all cases and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=1_000, help="unrelated pairs a case; a fifth of others")
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args()
    rows: list[list[object]] = []
    for case in CASES:
        for shared in (0.0, SHARED):
            rows += measure_share(case, shared, options.pairs // (5 if shared else 1))
    text = io.StringIO()
    heading = ["case", "shared", "model", "pairs", "at most 0.05"]
    csv.writer(text, lineterminator="\n").writerows([heading, *rows])
    write_whole(options.folder / "segments.csv", text.getvalue())


if __name__ == "__main__":
    main()
