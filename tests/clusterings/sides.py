"""Clusterings of all kinds for the tests, and slow twins of what is said of them."""

import itertools
from fractions import Fraction

import numpy as np

import chancecorr as cc
from chancecorr.clusterings.indices.pair_counts import make_entry_of_pairs


def labels(rng, n):
    return rng.integers(0, 3, n)


def soft(rng, n, k=3, levels=8):
    """Memberships that are multiples of 1/8, so that floats are exact."""
    cuts = np.sort(rng.integers(0, levels + 1, (n, k - 1)), axis=1)
    return np.diff(cuts, axis=1, prepend=0, append=levels) / levels


def cover(rng, n, k=4):
    return rng.integers(0, 2, (n, k))


def consensus(rng, n, levels=4):
    upper = np.triu(rng.integers(0, levels + 1, (n, n)) / levels, 1)
    return upper + upper.T + np.eye(n)


MAKE = {"labels": labels, "membership": soft, "similarity": consensus}
INDICES = ["rand", "fuzzy_rand", "omega"]
PAIRS_OF_KINDS = list(itertools.product(MAKE, MAKE))
CASES = [(index, kinds) for index in ("rand", "fuzzy_rand") for kinds in PAIRS_OF_KINDS]
CASES += [("omega", kinds) for kinds in itertools.product(("labels", "membership"), repeat=2)]


def sides_of(index, kinds, seed, n):
    rng = np.random.default_rng(seed)
    make = MAKE | ({"membership": cover} if index == "omega" else {})
    return tuple(make[kind](rng, n) for kind in kinds)


WRAPPED = {"membership": cc.Membership, "similarity": cc.Similarity, "cover": cc.Cover}


def adjusted(P, Q, index="rand", kinds=("labels", "labels"), **options):
    """Score of two sides of these kinds; memberships are covers for the Omega index."""
    words = ["cover" if index == "omega" and kind == "membership" else kind for kind in kinds]
    sides = [WRAPPED.get(word, np.asarray)(side) for word, side in zip(words, (P, Q), strict=True)]
    entry = cc.get_index(index)
    pair = make_entry_of_pairs(entry) if entry.needs == "pairs" else index
    return cc.adjust(*sides, pair, **{"n_tables": 999, "rng": 1} | options)


def numbers_of(score):
    """Numbers of a result, and its words, apart."""
    plain = score.to_dict()
    words = {name: plain.pop(name) for name, value in score.to_dict().items() if not isinstance(value, float)}
    return plain, words


def naive_similarity(index, kind, values):
    """Similarity of every two objects as fractions, from the definition."""
    n = len(values)
    rows = [[Fraction(float(x)) for x in row] for row in values] if kind != "labels" else None

    def of(i, j):
        if kind == "labels":
            return Fraction(int(values[i] == values[j]))
        if kind == "similarity":
            return rows[i][j]
        if index == "fuzzy_rand":
            return 1 - sum(abs(x - y) for x, y in zip(rows[i], rows[j], strict=True)) / 2
        return sum(x * y for x, y in zip(rows[i], rows[j], strict=True))

    return [[of(i, j) for j in range(n)] for i in range(n)]


COMPARED = {
    "rand": lambda p, q: p * q + (1 - p) * (1 - q),
    "fuzzy_rand": lambda p, q: 1 - abs(p - q),
    "omega": lambda p, q: Fraction(int(p == q)),
}


def naive_index(index, P, Q, permutation=None):
    s = permutation or range(len(P))
    pairs = itertools.combinations(range(len(P)), 2)
    values = [COMPARED[index](P[i][j], Q[s[i]][s[j]]) for i, j in pairs]
    return sum(values) / len(values)


def naive_law(index, P, Q):
    return [naive_index(index, P, Q, s) for s in itertools.permutations(range(len(P)))]
