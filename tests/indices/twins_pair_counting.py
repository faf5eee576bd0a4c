"""Naive twins of pair-counting indices that are no formula of a, b, c, d in one piece and without angles.

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


def austin_colwell(a: int, b: int, c: int, d: int) -> float:
    value = ratio(a + d, a + b + c + d)
    return math.nan if math.isnan(value) else math.acos(1 - 2 * value) / math.pi


def tetrachoric_cosine(a: int, b: int, c: int, d: int) -> float:
    """The sine of a quarter turn times Yule's coefficient of colligation."""
    agreeing, differing = math.sqrt(a * d), math.sqrt(b * c)
    colligation = ratio(agreeing - differing, agreeing + differing)
    return math.nan if math.isnan(colligation) else math.sin(math.pi / 2 * colligation)


def cole(a: int, b: int, c: int, d: int) -> Number:
    """From the share of pairs together in both, between the least and the largest for these P and Q."""
    N = a + b + c + d
    joint, p, q = ratio(a, N), ratio(a + b, N), ratio(a + c, N)
    if joint >= p * q:
        return ratio(joint - p * q, min(p, q) - p * q)
    return ratio(joint - p * q, p * q - max(0, p + q - 1))


def kent_foster(agree: int, b: int, c: int) -> Number:
    """Jaccard index corrected by the shares of the pairs in either; its limit at b = c = 0."""
    if agree and not b + c:
        return Fraction(0)
    either = agree + b + c
    expected = ratio((agree + b) * (agree + c), either * either)
    return ratio(ratio(agree, either) - expected, 1 - expected)


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
    "correlation_distance": of_counts(correlation_distance),
    "austin_colwell": of_counts(austin_colwell),
    "tetrachoric_cosine": of_counts(tetrachoric_cosine),
    "cole": of_counts(cole),
    "kent_foster_1": of_counts(lambda a, b, c, d: kent_foster(a, b, c)),
    "kent_foster_2": of_counts(lambda a, b, c, d: kent_foster(d, b, c)),
    "lerman": lerman,
    "normalized_lerman": normalized_lerman,
    "rv": rv,
    "katz_powell": katz_powell,
    "janson_vegelius": janson_vegelius,
    "morey_agresti": morey_agresti,
    "mari": mari,
    "prediction_strength": prediction_strength,
    "wallace_mean": of_counts(wallace_mean(2.0)),
    "gosgens_generalized": of_counts(gosgens_generalized(2.0)),
}
