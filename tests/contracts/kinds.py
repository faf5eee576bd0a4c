"""Pairs of clusterings of every kind, the indices that may be named for them, and values of every keyword."""

import inspect
import math
from dataclasses import fields

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import chancecorr as cc
from chancecorr.clusterings import Biclusters

N, SEED, DRAWS = 10, 11, 25


def labels(rng, n=N):
    return rng.permutation(np.arange(n) % 3)


def membership(rng, n=N):
    return cc.Membership(rng.dirichlet([0.5] * 3, n))


def by_distance(rng, n=N):
    return cc.Membership(rng.dirichlet([0.5] * 3, n), by_distance=True)


def cover(rng, n=N):
    return cc.Cover(rng.integers(0, 2, (n, 3)))


def cover_of_sets(rng, n=N):
    return cc.Cover([{k, (k + 1) % n, int(rng.integers(n))} for k in range(n)])


def tree(rng, n=N):
    return cc.Tree(linkage(rng.normal(size=(n, 2)), "average"))


def similarity(rng, n=N):
    degrees = np.triu(rng.integers(0, 5, (n, n)) / 4, 1)
    return cc.Similarity(degrees + degrees.T + np.eye(n))


def distance(rng, n=N):
    return cc.Similarity(1.0 - similarity(rng, n).matrix, distance=True)


def biclusters(rng, n=N):
    return Biclusters(labels(rng, n), labels(rng, 6))


STRATA, WEIGHTS = np.arange(N) // 5, 0.5 + np.arange(N)
MODELS = ["fixed-k", "all-partitions", "multinomial"]
MODELS += [f"one-sided-{model}" for model in MODELS]
KINDS = [
    ("labels", (labels,) * 2, {}),
    ("labels in strata", (labels,) * 2, {"strata": STRATA}),
    ("labels with weights", (labels,) * 2, {"weights": WEIGHTS}),
    ("labels with equal clusters", (labels,) * 2, {"weights": "reference"}),
    *((f"labels, {model}", (labels,) * 2, {"model": model}) for model in MODELS),
    ("memberships", (membership,) * 2, {}),
    ("memberships by distance", (by_distance,) * 2, {}),
    ("covers", (cover,) * 2, {}),
    ("covers of sets", (cover_of_sets,) * 2, {}),
    ("trees", (tree,) * 2, {}),
    ("similarities", (similarity,) * 2, {}),
    ("distances", (distance,) * 2, {}),
    ("biclusters", (biclusters,) * 2, {}),
    ("labels and a membership", (labels, membership), {}),
    ("a cover and labels", (cover, labels), {}),
    ("a tree and labels", (tree, labels), {}),
    ("a similarity and a tree", (similarity, tree), {}),
    ("a membership and biclusters", (membership, biclusters), {}),
]
"""Name, what makes each side, and keywords of all calls."""
NO_ANSWER = {"a membership and biclusters"}
"""Kinds that no call has an answer for."""
KIND = {name: (sides, keywords) for name, sides, keywords in KINDS}


def pair_of(kind, seed=0, n=N):
    rng = np.random.default_rng(seed)
    return tuple(make(rng, n) for make in KIND[kind][0])


def own(first, second):
    """A user's function: of labels, how many cells are not empty; of others, a sum of products of numbers."""
    if first.ndim == second.ndim == 1:
        return len(set(zip(first.tolist(), second.tolist(), strict=True))) / len(first)
    size = min(first.size, second.size, N - 1)  # objects may have been left out
    return float(first.ravel()[:size] @ second.ravel()[:size])


LEFT_OUT = object()


def indices_of(kind):
    """Indices to name for a kind, by how they are named."""
    words = {make.__name__ for make in KIND[kind][0]}
    one, other = "rand", "jaccard"
    if words & {"cover", "cover_of_sets"}:
        one, other = "omega", "average_f1"
    elif "tree" in words:
        one, other = (
            "correlation",
            "element_centric_similarity" if words <= {"labels", "tree"} else "correlation",
        )
    named = {"left out": LEFT_OUT, "one": one, "another": other, "of cells": "nmi_sum"}
    return named | {"several": [one, other], "unknown": "rnad", "own": own}


NAMES = list(indices_of("labels"))

RIGHT = {
    "method": [
        *("auto", "search", "analytic", "exact", "monte-carlo"),
        *(cc.MonteCarlo(n_tables=DRAWS), cc.MonteCarlo(n_tables=DRAWS, only=False)),
        *(cc.MonteCarlo(n_tables=DRAWS, controls=flag, progress=False) for flag in (True, False)),
    ],
    "n_tables": [None, 1, 2, 5, 19, 40],
    "rng": [None, SEED, np.random.SeedSequence(SEED), np.random.default_rng(SEED)],
    "n_jobs": [None, 1, 2, -1],
    "model": ["permutation", *MODELS],
    "best": [None, 0.9, 2, "mean"],
    "alternative": [None, "greater", "less", "two-sided"],
    "budget": [None, 1e-9, 0.01, 5, math.inf, cc.Budget(seconds=5.0), cc.Budget(bytes=10**8)],
    "strata": [None, STRATA],
    "weights": [None, WEIGHTS, "reference"],
    "noise": [None, "keep", "drop", "singletons", {0: "drop"}, ({0: "singletons"}, None)],
    "missing": ["raise", "drop"],
}
WRONG = {
    "method": ["zzz", None, 3],
    "n_tables": [0, 2.5, "many", True],
    "rng": ["zzz", 1.5, -1],
    "n_jobs": [0, 1.5, "all"],
    "model": ["zzz", None],
    "best": ["zzz", math.nan, True, [1.0]],
    "alternative": ["zzz", 1],
    "budget": [0, -1.0, math.nan, "long", True],
    "strata": [STRATA[:-1], np.zeros((N, 2)), "a"],
    "weights": [-WEIGHTS, WEIGHTS[:-1], np.full(N, np.nan), "zzz"],
    "noise": ["zzz", {0: "zzz"}, {0: "drop", 1: "zzz"}, {}, 7],
    "missing": ["zzz", None],
}
ARGUMENTS = {*inspect.signature(cc.adjust).parameters, *(each.name for each in fields(cc.MonteCarlo))}


class RefusedError(Exception):
    """An argument was refused as the rules say: its name, and the message."""


def require_one_line(error):
    """The argument that an error names, if its message is one line that begins with it."""
    text, argument = str(error), getattr(error, "argument", None)
    assert argument in ARGUMENTS, f"raises {type(error).__name__} of `{argument}`: {text}"
    assert text.startswith(f"`{argument}` "), f"an error that does not begin with its argument: {text}"
    assert "\n" not in text, f"an error of several lines: {text}"
    return argument


def call(kind, index, **options):
    """Scores of a pair of this kind; `RefusedError` if an argument is, in one line that names it."""
    position = {} if index is LEFT_OUT else {"index": index}
    try:
        scores = cc.adjust(*pair_of(kind), **position, **KIND[kind][1] | {"rng": SEED} | options)
    except (ValueError, TypeError) as error:
        raise RefusedError(require_one_line(error), str(error)) from error
    return list(scores.values()) if isinstance(scores, cc.correction.AdjustedScores) else [scores]


def collect(broken, kind, index, options, then, refused=None):
    """Add to the list what is broken by the answer to a call, or by its refusal."""
    try:
        for score in call(kind, index, **options):
            then(score, index, options)
    except RefusedError as error:
        if refused is not None and not refused(*error.args):
            broken.append(f"{words_of(kind, index, options)}refused: {error.args[1]}")
    except Exception as error:
        text = str(error).split("\nassert ")[0].strip().split("\n")[0]
        broken.append(f"{words_of(kind, index, options)}{type(error).__name__}: {text}")


def words_of(kind, index, options):
    shown = ", ".join(f"{name}={value!r}".replace("\n", "") for name, value in options.items())
    name = "left out" if index is LEFT_OUT else getattr(index, "__name__", repr(index))
    return f"{kind} | index {name} | {shown} | "


def refuse_answer(score, index, options):
    raise AssertionError(f"an answer: {score!r}")


def require_none(broken):
    if broken:
        pytest.fail("\n".join([f"{len(broken)} broken:", *broken]), pytrace=False)
