"""Expected values under five models of chance, and how models change the order of candidates."""

import math

import numpy as np

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record, generator

MODELS = {
    "perm": "permutation", "perm1": "permutation", "num": "fixed-k", "num1": "one-sided-fixed-k",
    "all": "all-partitions", "all1": "one-sided-all-partitions",
}  # fmt: skip
"""Names of CluSim and of this package; with one side fixed, permuting both or one is the same."""

FIRST, SECOND = (0, 1, 1, 0), (0, 1, 1, 1)
"""The two clusterings of the example; the second is the one that stays as it is."""

INDICES = ("rand", "mutual_information")


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """The example, or a pair of candidates: ``inputs["kind"]``."""
    if inputs["kind"] == "example":
        with clock("example"):
            return {index: {name: expected(index, name) for name in MODELS} for index in INDICES}
    with clock("candidates"):
        stream = generator(seed, "candidates", replicate)
        reference, one, other = (candidate(inputs["n"], stream) for _ in range(3))
        return {
            index: {
                model: [
                    float(cc.adjust(reference, each, index, model=model, method="analytic").adjusted)
                    for each in (noisy(reference, one), noisy(reference, other))
                ]
                for model in dict.fromkeys(MODELS.values())
            }
            for index in INDICES[:1]
        }


def expected(index: str, name: str) -> float:
    """Mean by chance in the example; mutual information in bits."""
    mean = float(cc.adjust(SECOND, FIRST, index, model=MODELS[name], method="analytic").expected)
    return mean / math.log(2.0) if index == "mutual_information" else mean


def candidate(n: int, stream: np.random.Generator) -> np.ndarray:
    """Labels of 2 to 10 clusters whose shares are drawn."""
    k = int(stream.integers(2, 11))
    return np.asarray(stream.choice(k, size=n, p=stream.dirichlet(np.ones(k))))


def noisy(reference: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The reference, of which the second half has the labels of another clustering."""
    half = reference.size // 2
    return np.concatenate([reference[:half], labels[half:]])
