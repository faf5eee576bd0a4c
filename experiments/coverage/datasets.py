"""``python -m experiments.coverage.datasets``: coverage of mean scores over data sets.

Data sets are drawn from a population: classes, objects, and how good each of two candidates is there. The
population's mean and difference are those of 20,000 data sets. Counted is how often intervals of 95 %, of 5
and of 20 data sets, hold them. Writes `datasets.json` and `datasets.md`, in some minutes.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np

import chancecorr as cc
from chancecorr.machine.arrays import Integers
from experiments.common.kept import write_json

HERE = Path(__file__).parent
DATA_SETS_OF_THE_POPULATION = 20_000
NUMBERS = (5, 20)
INDICES = {"rand": "ARI", "nmi_sum": "AMI"}

Labels = tuple[Integers, dict[str, Integers]]

DESIGNS: dict[str, Callable[[np.random.Generator], float]] = {
    "normal": lambda rng: float(np.clip(rng.normal(0.65, 0.12), 0.0, 1.0)),
    "skew": lambda rng: float(rng.beta(6.0, 1.5)),
    "easy or hard": lambda rng: 0.9 if rng.random() < 0.5 else 0.4,
}
"""Share of the objects that the better candidate places right in a data set."""


def data_set(design: str, rng: np.random.Generator) -> Labels:
    """Reference and two candidates of one data set; the second is a little worse, more so in some."""
    n, classes = int(rng.integers(60, 400)), int(rng.integers(2, 9))
    reference = rng.choice(classes, n, p=rng.dirichlet(np.full(classes, 5.0)))
    share = DESIGNS[design](rng)
    shares = {"first": share, "second": share - 0.2 * float(rng.beta(2.0, 3.0))}
    found = {
        name: np.where(rng.random(n) < each, reference, rng.integers(0, classes, n))
        for name, each in shares.items()
    }
    return reference, found


def truth_of(design: str, index: str) -> tuple[float, float]:
    """Mean score of the first candidate in the population, and its mean difference to the second."""
    rng = np.random.default_rng(1)
    scores = np.empty((DATA_SETS_OF_THE_POPULATION, 2))
    for k in range(len(scores)):
        reference, candidates = data_set(design, rng)
        scores[k] = [cc.adjusted_score(reference, each, index) for each in candidates.values()]
    scores = scores[~np.isnan(scores).any(axis=1)]
    return float(scores[:, 0].mean()), float((scores[:, 0] - scores[:, 1]).mean())


def coverage(design: str, index: str, n_datasets: int, samples: int) -> dict[str, Any]:
    """How often the interval of the mean and that of the difference hold those of the population."""
    truth, apart = truth_of(design, index)
    rng = np.random.default_rng([n_datasets, len(design)])
    held = np.empty((samples, 2))
    for k in range(samples):
        drawn = {str(d): data_set(design, rng) for d in range(n_datasets)}
        found = cc.comparison.compare_datasets(drawn, index, rng=0, method="analytic")
        mean, difference = found["first"], found.difference("first", "second")
        held[k] = mean.low <= truth <= mean.high, difference.low <= apart <= difference.high
    of_mean, of_difference = held.mean(axis=0).tolist()
    return {
        "design": design,
        "index": INDICES[index],
        "datasets": n_datasets,
        "mean": of_mean,
        "difference": of_difference,
        "samples": samples,
    }


def page(rows: Sequence[Mapping[str, Any]]) -> str:
    """The results as a page of Markdown."""
    lines = [
        "# Coverage of means over data sets",
        "",
        f"Share of {rows[0]['samples']} intervals of 95 %, in percent, that hold the population's mean score,"
        " or the mean difference of two candidates. Written by `python -m experiments.coverage.datasets`.",
        "",
        "| population | data sets | index | mean | difference |",
        "| :-- | --: | :-- | --: | --: |",
    ]
    for row in rows:
        numbers = f"{100 * row['mean']:.1f} | {100 * row['difference']:.1f}"
        lines.append(f"| {row['design']} | {row['datasets']} | {row['index']} | {numbers} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    samples = parser.parse_args().samples
    cases = [(design, index, n) for design in DESIGNS for n in NUMBERS for index in INDICES]
    rows = joblib.Parallel(n_jobs=-1)(joblib.delayed(coverage)(*each, samples) for each in cases)
    write_json(HERE / "datasets.json", {"rows": rows})
    (HERE / "datasets.md").write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
