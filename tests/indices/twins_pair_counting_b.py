"""Naive twins of pair-counting distances, coefficients of the cluster sizes, and families.

From the definitions: over sets of object pairs, co-membership matrices, and all orders of the objects; in
fractions as far as there are no roots.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

Labels = list[int]
Number = Fraction | float


def together(labels: Labels) -> set[tuple[int, int]]:
    """Pairs of objects in one cluster, the smaller number first."""
    objects = range(len(labels))
    return {(i, j) for i, j in itertools.combinations(objects, 2) if labels[i] == labels[j]}


def counts(labels_true: Labels, labels_pred: Labels) -> tuple[int, int, int, int]:
    """(a, b, c, d) as sizes of sets."""
    reference, candidate = together(labels_true), together(labels_pred)
    everything = math.comb(len(labels_true), 2)
    return (
        len(reference & candidate),
        len(reference - candidate),
        len(candidate - reference),
        everything - len(reference | candidate),
    )


def ratio(above: Number, below: Number) -> Number:
    """Quotient; nan at 0/0, and infinite at x/0."""
    if math.isnan(above) or math.isnan(below):
        return math.nan
    if below == 0:
        return math.nan if above == 0 else math.copysign(math.inf, above)
    if isinstance(above, float) or isinstance(below, float):
        return float(above) / float(below)
    return Fraction(above) / below


def root(x: Number) -> float:
    return math.sqrt(x) if not math.isnan(x) else math.nan


def of_counts(function: Callable[[int, int, int, int], Number]) -> Callable[[Labels, Labels], Number]:
    return lambda labels_true, labels_pred: function(*counts(labels_true, labels_pred))


# distances


def correlation(a: int, b: int, c: int, d: int) -> Number:
    return ratio(a * d - b * c, root((a + b) * (a + c) * (c + d) * (b + d)))


def correlation_distance(a: int, b: int, c: int, d: int) -> float:
    """By the angle's tangent where the cosine would lose digits."""
    phi = correlation(a, b, c, d)
    squared = ratio((a * d - b * c) ** 2, (a + b) * (a + c) * (c + d) * (b + d))
    if math.isnan(phi):
        return math.nan
    return math.atan2(math.sqrt(1 - squared), phi) / math.pi


def one_less_cosine(a: int, b: int, c: int) -> float:
    """1 - a / sqrt(P Q) from its conjugate, in fractions."""
    squared = ratio(a * a, (a + b) * (a + c))
    return math.nan if math.isnan(squared) else float(1 - squared) / (1 + math.sqrt(squared))


DISTANCES: dict[str, Callable[[int, int, int, int], Number]] = {
    "correlation_distance": correlation_distance,
    "hellinger": lambda a, b, c, d: 2 * root(one_less_cosine(a, b, c)),
    "chord": lambda a, b, c, d: root(2 * one_less_cosine(a, b, c)),
    "baulieu_distance_1": lambda a, b, c, d: 1 - ratio(a * a, (a + b) * (a + c)),
    "baulieu_distance_2": lambda a, b, c, d: 1 - ratio((a * d) ** 2, (a + b) * (a + c) * (c + d) * (b + d)),
    # 0 without disagreement, at 0/0 too
    "baulieu_distance_12": lambda a, b, c, d: ratio(b + c, a + b + c - 1) if b + c else Fraction(0),
}


def shape_difference(labels_true: Labels, labels_pred: Labels) -> Number:
    """Variance over pairs of the difference of the two 0/1 vectors."""
    reference, candidate = together(labels_true), together(labels_pred)
    pairs = list(itertools.combinations(range(len(labels_true)), 2))
    if not pairs:
        return math.nan
    differences = [(pair in reference) - (pair in candidate) for pair in pairs]
    mean = Fraction(sum(differences), len(pairs))
    return sum((x - mean) ** 2 for x in differences) / len(pairs)


# coefficients of the cluster sizes


def memberships(labels: Labels) -> list[int]:
    """Co-membership matrix, row after row, the diagonal included."""
    return [int(x == y) for x in labels for y in labels]


def dot(x: Sequence[Number], y: Sequence[Number]) -> Number:
    return sum((p * q for p, q in zip(x, y, strict=True)), Fraction(0))


def centred(x: Sequence[Number]) -> list[Fraction]:
    mean = Fraction(sum(x), len(x)) if x else Fraction(0)
    return [value - mean for value in x]


def cosine(x: Sequence[Number], y: Sequence[Number]) -> Number:
    return ratio(dot(x, y), root(dot(x, x) * dot(y, y)))


def rv(labels_true: Labels, labels_pred: Labels) -> Number:
    return cosine(memberships(labels_true), memberships(labels_pred))


def katz_powell(labels_true: Labels, labels_pred: Labels) -> Number:
    return cosine(centred(memberships(labels_true)), centred(memberships(labels_pred)))


def janson_vegelius(labels_true: Labels, labels_pred: Labels) -> Number:
    """Dot products of the corners of a regular simplex: 1 at the same corner, -1 / (K - 1) at two."""
    corners = []
    for labels in (labels_true, labels_pred):
        clusters = len(set(labels))
        if clusters < 2:
            return math.nan
        apart = Fraction(-1, clusters - 1)
        corners.append([Fraction(1) if same else apart for same in memberships(labels)])
    return cosine(*corners)


def morey_agresti(labels_true: Labels, labels_pred: Labels) -> Number:
    """Agreement over all ordered pairs, against that of two independent draws with these shares."""
    n = len(labels_true)
    if n == 0:
        return math.nan
    x, y = memberships(labels_true), memberships(labels_pred)
    observed = Fraction(sum(p == q for p, q in zip(x, y, strict=True)), n * n)
    p, q = Fraction(sum(x), n * n), Fraction(sum(y), n * n)
    expected = p * q + (1 - p) * (1 - q)
    return ratio(observed - expected, 1 - expected)


def moments_of_a(labels_true: Labels, labels_pred: Labels) -> tuple[Fraction, Fraction]:
    """Mean and variance of a when the candidate's labels are permuted, from chances of pairs of pairs.

    Two pairs are together in a clustering, and independently in the other, with a chance that hangs on the
    number of objects that they share: 2, 1 or 0.
    """
    pairs = list(itertools.combinations(range(len(labels_true)), 2))
    sides = [together(labels_true), together(labels_pred)]
    kinds = Counter(len({*one, *two}) for one in pairs for two in pairs)
    second = Fraction(0)
    for objects, number in kinds.items():
        chances = Fraction(number)
        for side in sides:
            both = sum(len({*one, *two}) == objects for one in side for two in side)
            chances *= Fraction(both, number)
        second += chances
    mean = ratio(len(sides[0]) * len(sides[1]), len(pairs)) if pairs else Fraction(0)
    return Fraction(mean), second - Fraction(mean) ** 2


def lerman(labels_true: Labels, labels_pred: Labels) -> Number:
    mean, variance = moments_of_a(labels_true, labels_pred)
    return ratio(len(together(labels_true) & together(labels_pred)) - mean, math.sqrt(variance))


def normalized_lerman(labels_true: Labels, labels_pred: Labels) -> Number:
    selves = lerman(labels_true, labels_true) * lerman(labels_pred, labels_pred)
    return ratio(lerman(labels_true, labels_pred), root(selves))


def binomial(trials: int, chance: Number, a: int) -> Number:
    if math.isnan(chance):
        return math.nan
    return ratio(a - trials * chance, root(trials * chance * (1 - chance)))


def standardized_binomial_1(a: int, b: int, c: int, d: int) -> Number:
    N = a + b + c + d
    return binomial(N, ratio((a + b) * (a + c), N * N), a)


def standardized_binomial_2(a: int, b: int, c: int, d: int) -> Number:
    P, Q, N = a + b, a + c, a + b + c + d
    return binomial(min(P, Q), ratio(max(P, Q), N), a)


def comembership(labels_true: Labels, labels_pred: Labels) -> float:
    x, y = memberships(labels_true), memberships(labels_pred)
    return math.sqrt(sum((p - q) ** 2 for p, q in zip(x, y, strict=True)))


def mari(labels_true: Labels, labels_pred: Labels) -> Number:
    """The mean from the pairs of pairs that share no object, counted one by one."""
    if not labels_true:
        return math.nan
    reference, candidate = together(labels_true), together(labels_pred)
    if reference == candidate:
        return Fraction(1)
    disjoint = sum(not {*one} & {*two} for one in reference for two in candidate)
    mean = ratio(disjoint, math.comb(len(labels_true) - 2, 2))
    if math.isnan(mean):
        return math.nan
    most = Fraction(len(reference) + len(candidate), 2)
    return ratio(len(reference & candidate) - mean, most - mean)


def prediction_strength(labels_true: Labels, labels_pred: Labels) -> Number:
    shares = []
    for cluster in set(labels_true):
        members = [i for i, label in enumerate(labels_true) if label == cluster]
        pairs = list(itertools.combinations(members, 2))
        if pairs:
            shares.append(Fraction(sum(labels_pred[i] == labels_pred[j] for i, j in pairs), len(pairs)))
    return min(shares, default=math.nan)


# families, at the numbers of their plain names


def power_mean(x: Number, y: Number, r: float) -> float:
    """Of two numbers from 0, as the formula has it; inf where one of them is 0 and r below 0 gives 0."""
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if r == 0:
        return math.sqrt(x * y)
    if math.isinf(r):
        return float(max(x, y) if r > 0 else min(x, y))
    if r < 0 and min(x, y) == 0:
        return 0.0
    return float(((float(x) ** r + float(y) ** r) / 2) ** (1 / r))


def wallace_mean(r: float) -> Callable[[int, int, int, int], Number]:
    return lambda a, b, c, d: power_mean(ratio(a, a + b), ratio(a, a + c), r)


def f_beta(beta: Fraction) -> Callable[[int, int, int, int], Number]:
    """From precision and recall; their counts where one of them is 0/0 or both are 0."""

    def function(a: int, b: int, c: int, d: int) -> Number:
        precision, recall = ratio(a, a + c), ratio(a, a + b)
        if a == 0:
            return ratio(0, b + c)
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    return function


def gosgens_generalized(r: float) -> Callable[[int, int, int, int], Number]:
    """The published form: shares of the pairs, the smaller one first."""

    def function(a: int, b: int, c: int, d: int) -> Number:
        p, q = sorted(ratio(x, a + b + c + d) for x in (a + b, a + c))
        if math.isnan(p) or p == 0 or q == 1:
            return math.nan
        x = Fraction(a, a + b + c + d)
        return power_mean(p / q, (1 - q) / (1 - p), r) * float((x - p * q) / (p * (1 - q)))

    return function


TWINS: dict[str, Callable[[Labels, Labels], Number]] = {
    **{name: of_counts(function) for name, function in DISTANCES.items()},
    "shape_difference": shape_difference,
    "lerman": lerman,
    "normalized_lerman": normalized_lerman,
    "standardized_binomial_1": of_counts(standardized_binomial_1),
    "standardized_binomial_2": of_counts(standardized_binomial_2),
    "rv": rv,
    "katz_powell": katz_powell,
    "janson_vegelius": janson_vegelius,
    "morey_agresti": morey_agresti,
    "comembership": comembership,
    "mari": mari,
    "prediction_strength": prediction_strength,
    "f_beta": of_counts(f_beta(Fraction(2))),
    "wallace_mean": of_counts(wallace_mean(2.0)),
    "gosgens_generalized": of_counts(gosgens_generalized(2.0)),
}
