"""Every index but `irm` from its definition, slowly: over pairs of objects, objects, and clusters as sets.

A definition takes two lists of labels, of at least one object; what is 0/0 is nan. Those of pair counts alone
are the formulas of the catalogue, at pairs that are counted one by one. Of a family stands the member that
its plain name means.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.optimize import minimize_scalar

import chancecorr as cc
from tests.indices.formulas import of_exact_pairs
from tests.naive import pair_counts

Labels = Sequence[int]
Cluster = frozenset[int]
Number = Fraction | float
Definition = Callable[[Labels, Labels], Number]


def clusters(labels: Labels) -> list[Cluster]:
    """The clusters as sets of objects."""
    return [frozenset(k for k, x in enumerate(labels) if x == label) for label in sorted(set(labels))]


def meet(u: Labels, v: Labels) -> list[Cluster]:
    """The intersections of clusters that are not empty."""
    return [A & B for A in clusters(u) for B in clusters(v) if A & B]


def ratio(above: Number, below: Number) -> Number:
    """Quotient; nan at 0/0, infinite at x/0."""
    if math.isnan(above) or math.isnan(below):
        return math.nan
    if below == 0:
        return math.nan if above == 0 else math.copysign(math.inf, above)
    if isinstance(above, float) or isinstance(below, float):
        return float(above) / float(below)
    return Fraction(above) / below


def root(x: Number) -> float:
    return math.nan if math.isnan(x) else math.sqrt(x)


def mean(values: Iterable[Number]) -> Number:
    values = list(values)
    return sum(values, Fraction(0)) / len(values) if values else math.nan


def harmonic(p: Number, r: Number) -> Number:
    return 2 * p * r / (p + r) if p + r else math.nan


def swapped(definition: Definition) -> Definition:
    return lambda u, v: definition(v, u)


def both(definition: Definition, join: Callable[[Number, Number], Number]) -> Definition:
    """The value with the roles exchanged and the value, joined."""
    return lambda u, v: join(definition(v, u), definition(u, v))


def average(x: Number, y: Number) -> Number:
    return (x + y) / 2


def together(labels: Labels) -> set[tuple[int, int]]:
    """Pairs of objects in one cluster, the smaller number first."""
    return {(i, j) for i, j in itertools.combinations(range(len(labels)), 2) if labels[i] == labels[j]}


def tuple_rand(k: int) -> Definition:
    """Share of the sets of k objects on which it is agreed whether they are within one cluster."""

    def share(u: Labels, v: Labels) -> Number:
        whole = [
            [len({labels[i] for i in objects}) == 1 for labels in (u, v)]
            for objects in itertools.combinations(range(len(u)), k)
        ]
        return mean(Fraction(one == other) for one, other in whole)

    return share


def of_counts(function: Callable[[int, int, int, int], Number]) -> Definition:
    return lambda u, v: function(*pair_counts(u, v))


def correlation_distance(a: int, b: int, c: int, d: int) -> Number:
    """By the angle's tangent where the cosine would lose digits."""
    squared = ratio((a * d - b * c) ** 2, (a + b) * (a + c) * (c + d) * (b + d))
    if math.isnan(squared):
        return math.nan
    return math.atan2(math.sqrt(1 - squared), math.copysign(math.sqrt(squared), a * d - b * c)) / math.pi


def austin_colwell(a: int, b: int, c: int, d: int) -> Number:
    rand = ratio(a + d, a + b + c + d)
    return math.nan if math.isnan(rand) else math.acos(1 - 2 * rand) / math.pi


def tetrachoric_cosine(a: int, b: int, c: int, d: int) -> Number:
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


def power_mean(x: Number, y: Number, r: float) -> float:
    """Of two numbers from 0, as the formula has it; 0 where one of them is 0 and r is below 0."""
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if r == 0:
        return math.sqrt(x * y)
    if math.isinf(r):
        return float(max(x, y) if r > 0 else min(x, y))
    if r < 0 and min(x, y) == 0:
        return 0.0
    return float(((float(x) ** r + float(y) ** r) / 2) ** (1 / r))


def wallace_mean(r: float) -> Definition:
    return of_counts(lambda a, b, c, d: power_mean(ratio(a, a + b), ratio(a, a + c), r))


def gosgens_generalized(r: float) -> Definition:
    """The published form: shares of the pairs, the smaller one first."""

    def function(a: int, b: int, c: int, d: int) -> Number:
        p, q = sorted(ratio(x, a + b + c + d) for x in (a + b, a + c))
        if math.isnan(p) or p == 0 or q == 1:
            return math.nan
        x = Fraction(a, a + b + c + d)
        return power_mean(p / q, (1 - q) / (1 - p), r) * float((x - p * q) / (p * (1 - q)))

    return of_counts(function)


def matrix(labels: Labels) -> list[int]:
    """Co-membership matrix, row after row, the diagonal included."""
    return [int(x == y) for x in labels for y in labels]


def cosine(x: Sequence[Number], y: Sequence[Number]) -> Number:
    xy, xx, yy = (
        sum((p * q for p, q in zip(*pair, strict=True)), Fraction(0)) for pair in ((x, y), (x, x), (y, y))
    )
    return ratio(xy, root(xx * yy))


def katz_powell(u: Labels, v: Labels) -> Number:
    return cosine(*([x - mean(map(Fraction, side)) for x in side] for side in (matrix(u), matrix(v))))


def janson_vegelius(u: Labels, v: Labels) -> Number:
    """Dot products of the corners of a regular simplex: 1 at the same corner, -1 / (K - 1) at two."""
    if min(len(set(u)), len(set(v))) < 2:
        return math.nan
    return cosine(
        *([1 if same else Fraction(-1, len(set(side)) - 1) for same in matrix(side)] for side in (u, v))
    )


def morey_agresti(u: Labels, v: Labels) -> Number:
    """Agreement over all ordered pairs, against that of two independent draws with these shares."""
    x, y = matrix(u), matrix(v)
    observed = mean(Fraction(p == q) for p, q in zip(x, y, strict=True))
    p, q = mean(map(Fraction, x)), mean(map(Fraction, y))
    expected = p * q + (1 - p) * (1 - q)
    return ratio(observed - expected, 1 - expected)


def moments_of_a(u: Labels, v: Labels) -> tuple[Fraction, Fraction]:
    """Mean and variance of a when labels are permuted, from chances of pairs of pairs.

    Two pairs are together in a clustering, and independently in the other, with a chance that hangs on the
    number of objects that they share: 2, 1 or 0.
    """
    pairs = list(itertools.combinations(range(len(u)), 2))
    sides = [together(u), together(v)]
    kinds = Counter(len({*one, *two}) for one in pairs for two in pairs)
    second = Fraction(0)
    for objects, number in kinds.items():
        shares = (sum(len({*one, *two}) == objects for one in side for two in side) for side in sides)
        second += number * math.prod(Fraction(share, number) for share in shares)
    first = Fraction(len(sides[0]) * len(sides[1]), len(pairs)) if pairs else Fraction(0)
    return first, second - first**2


def lerman(u: Labels, v: Labels) -> Number:
    first, variance = moments_of_a(u, v)
    return ratio(len(together(u) & together(v)) - first, math.sqrt(variance))


def mari(u: Labels, v: Labels) -> Number:
    """The mean from the pairs of pairs that share no object, counted one by one."""
    reference, candidate = together(u), together(v)
    if reference == candidate:
        return Fraction(1)
    disjoint = sum(not {*one} & {*two} for one in reference for two in candidate)
    expected = ratio(disjoint, math.comb(len(u) - 2, 2))
    most = Fraction(len(reference) + len(candidate), 2)
    return ratio(len(reference & candidate) - expected, most - expected)


def shares_of_pairs(u: Labels, v: Labels) -> list[Fraction]:
    """Of the pairs of each cluster of u, the share that v has together."""
    pairs = [list(itertools.combinations(A, 2)) for A in clusters(u) if len(A) > 1]
    return [Fraction(sum(v[i] == v[j] for i, j in inside), len(inside)) for inside in pairs]


def apart(*labelings: Labels) -> Fraction:
    """Share of the n^2 ordered pairs, self-pairs included, that some of the labelings separates: H_2."""
    objects = range(len(labelings[0]))
    return mean(
        Fraction(any(side[k] != side[m] for side in labelings))
        for k, m in itertools.product(objects, objects)
    )


def entropy(parts: Sequence[Cluster]) -> float:
    n = sum(map(len, parts))
    return sum((len(A) / n * math.log(Fraction(n, len(A))) for A in parts), 0.0)


def H(*labelings: Labels) -> float:  # noqa: N802  the letter of the formulas
    """Entropy of the clusters of one labeling, or of the cells of two."""
    return entropy(meet(labelings[0], labelings[-1]))


def conditional(u: Labels, v: Labels) -> float:
    """H(u|v), the mean over the clusters of v of the entropy of u within them."""
    return sum(len(B) / len(u) * entropy([A & B for A in clusters(u) if A & B]) for B in clusters(v))


def information(u: Labels, v: Labels) -> float:
    """Mean over the objects of log(P(cell) / (P(row) P(column)))."""
    cells, rows, columns = Counter(zip(u, v, strict=True)), Counter(u), Counter(v)
    surplus = (Fraction(len(u) * cells[i, j], rows[i] * columns[j]) for i, j in zip(u, v, strict=True))
    return math.fsum(map(math.log, surplus)) / len(u)


def variation(u: Labels, v: Labels) -> float:
    return conditional(u, v) + conditional(v, u)


def v_weighted(beta: float) -> Definition:
    def definition(u: Labels, v: Labels) -> Number:
        """Weighted harmonic mean, 0 where one of its terms is 0, nan for one cluster against one."""
        if H(u) == H(v) == 0:
            return math.nan
        if information(u, v) == 0:
            return 0.0
        return (1 + beta) / (H(u) / information(u, v) + beta * H(v) / information(u, v))

    return definition


def fnmi(u: Labels, v: Labels) -> Number:
    K, Q = len(set(u)), len(set(v))
    return ratio(2 * information(u, v), (H(u) + H(v)) * math.exp(abs(K - Q) / K))


def vi_over(bound: Callable[[int, int], float]) -> Definition:
    return lambda u, v: ratio(variation(u, v), bound(len(u), max(len(set(u)), len(set(v)))))


def log_omega(u: Labels, v: Labels) -> float:
    """Newman, Cantwell & Young (2020), with R and S clusters of sizes a and b, as printed."""
    a, b = [len(A) for A in clusters(u)], [len(B) for B in clusters(v)]
    n, R, S = len(u), len(a), len(b)
    w = n / (n + R * S / 2)
    x = [(1 - w) / R + w * size / n for size in a]
    y = [(1 - w) / S + w * size / n for size in b]
    mu = (R + 1) / (R * sum(share**2 for share in y)) - 1 / R
    nu = (S + 1) / (S * sum(share**2 for share in x)) - 1 / S
    return (
        (R - 1) * (S - 1) * math.log(n + R * S / 2)
        + (R + nu - 2) / 2 * sum(map(math.log, y))
        + (S + mu - 2) / 2 * sum(map(math.log, x))
        + (math.lgamma(mu * R) + math.lgamma(nu * S)) / 2
        - S / 2 * (math.lgamma(nu) + math.lgamma(R))
        - R / 2 * (math.lgamma(mu) + math.lgamma(S))
    )


def reduced(u: Labels, v: Labels) -> Number:
    above = math.prod(math.factorial(len(cell)) for cell in meet(u, v)) * math.factorial(len(u))
    below = math.prod(math.factorial(len(A)) for A in clusters(u) + clusters(v))
    return (math.log(Fraction(above, below)) - log_omega(u, v)) / len(u)


def class_counts_cost(u: Labels, v: Labels) -> float:
    """Nats per object that tell how the clusters of v divide into those of u."""
    more = len(set(u)) - 1
    return sum(math.log(math.comb(len(B) + more, more)) for B in clusters(v)) / len(u)


def nats_of_urns(u: Labels, v: Labels) -> float:
    """Nats of the labels u drawn one by one, in the clusters v, after the objects before; the best alpha."""

    def nats(log_alpha: float) -> float:
        alpha, K, drawn, total = math.exp(log_alpha), len(set(u)), Counter[object](), 0.0
        for label, urn in zip(u, v, strict=True):
            total -= math.log((drawn[label, urn] + alpha) / (drawn[urn,] + K * alpha))
            drawn.update([(label, urn), (urn,)])
        return total

    grid = np.linspace(math.log(1e-4), math.log(1e4), 65)
    best = int(np.argmin([nats(x) for x in grid]))
    between = grid[max(best - 1, 0)], grid[min(best + 1, 64)]
    least = minimize_scalar(nats, bounds=between, method="bounded", options={"xatol": 1e-8}).fun
    pure = len(set(zip(u, v, strict=True))) == len(set(v))  # alpha = 0: the first of each urn, and no other
    return min(float(least), (len(set(v)) if pure else len(u)) * math.log(len(set(u))))


def saved(u: Labels, v: Labels) -> float:
    return (nats_of_urns(u, [0] * len(u)) - nats_of_urns(u, v)) / len(u)


def phi_square(u: Labels, v: Labels) -> Fraction:
    """``sum (observed - expected)^2 / expected`` over all cells, per object."""
    n, total = len(u), Fraction(0)
    for A, B in itertools.product(clusters(u), clusters(v)):
        expected = Fraction(len(A) * len(B), n)
        total += (len(A & B) - expected) ** 2 / expected
    return total / n


def frobenius(u: Labels, v: Labels) -> Number:
    """Squared entries of the difference of the matrices ``1/size`` for objects together, 0 for others."""
    sizes = [[Fraction(1, side.count(x)) for x in side for _ in side] for side in (list(u), list(v))]
    entries = zip(matrix(u), sizes[0], matrix(v), sizes[1], strict=True)
    return sum((p * x - q * y) ** 2 for p, x, q, y in entries)


def tau(u: Labels, v: Labels) -> Number:
    """Share of the errors in guessing u that are spared when guesses are drawn within the cluster of v."""
    knowing = mean(apart([u[m] for m in range(len(u)) if v[m] == x]) for x in v)
    return ratio(apart(u) - knowing, apart(u))


def errors(u: Labels) -> int:
    """Objects outside the largest cluster."""
    return len(u) - max(Counter(u).values())


def spared(*pairs: tuple[Labels, Labels]) -> Number:
    """Share of the errors about the first labels of each pair that the second ones spare."""
    within = sum(errors([u[k] for k in B]) for u, v in pairs for B in clusters(v))
    blind = sum(errors(u) for u, _ in pairs)
    return ratio(Fraction(blind - within), blind)


def jaccard(one: Cluster, other: Cluster) -> Fraction:
    return Fraction(len(one & other), len(one | other))


def f1(one: Cluster, other: Cluster) -> Fraction:
    return Fraction(2 * len(one & other), len(one) + len(other))


def common(one: Cluster, other: Cluster) -> int:
    return len(one & other)


def best_matches(similarity: Callable[[Cluster, Cluster], Number], u: Labels, v: Labels) -> list[Number]:
    return [max(similarity(A, B) for B in clusters(v)) for A in clusters(u)]


def mean_best(similarity: Callable[[Cluster, Cluster], Number]) -> Definition:
    return lambda u, v: mean(best_matches(similarity, u, v))


def purity(u: Labels, v: Labels) -> Fraction:
    return Fraction(sum(best_matches(common, v, u)), len(u))


def misplaced(u: Labels, v: Labels) -> int:
    """Objects outside the largest part that their cluster has in common with one of the others."""
    return len(u) - sum(best_matches(common, u, v))


def match(u: Labels, v: Labels, weigh: Callable[[Cluster, Cluster], Number], key: Callable = sum) -> Number:
    """Total of the one-to-one matching that is largest by `key`: each class tries every cluster left."""
    classes, others = clusters(u), clusters(v)

    @cache
    def find_best(i: int, free: Cluster) -> tuple[Number, ...]:
        if i == len(classes):
            return ()
        taken = [(weigh(classes[i], others[j]), *find_best(i + 1, free - {j})) for j in free]
        return max([(0, *find_best(i + 1, free)), *taken], key=key)

    return sum(find_best(0, frozenset(range(len(others)))))


def greedy(u: Labels, v: Labels) -> Number:
    """Overlaps of the matching whose overlaps, largest first, come last in the dictionary."""
    return match(u, v, common, key=lambda weights: sorted(weights, reverse=True))


def accuracy(u: Labels, v: Labels) -> Fraction:
    return Fraction(match(u, v, common), len(u))


def most_clusters(u: Labels, v: Labels) -> int:
    return max(len(set(u)), len(set(v)))


def pair_sets(u: Labels, v: Labels, chance: Number | None = None) -> Number:
    similarity = match(u, v, lambda A, B: Fraction(len(A & B), max(len(A), len(B))))
    if chance is None:
        sizes = (sorted(Counter(side).values(), reverse=True) for side in (u, v))
        chance = sum(Fraction(x * y, len(u) * max(x, y)) for x, y in zip(*sizes, strict=False))
    most = most_clusters(u, v)
    return math.nan if most == 1 else (similarity - chance) / (most - chance)


def home(k: int, labels: Labels) -> Cluster:
    """The cluster that object k is in."""
    return next(cluster for cluster in clusters(labels) if k in cluster)


def bcubed_precision(u: Labels, v: Labels) -> Number:
    return mean(Fraction(len(home(k, u) & home(k, v)), len(home(k, v))) for k in range(len(u)))


def panoptic_quality(u: Labels, v: Labels) -> Number:
    """Kirillov et al. (2019): segments are matched if their IoU is above 1/2."""
    matched = [(A, B) for A in clusters(u) for B in clusters(v) if jaccard(A, B) > Fraction(1, 2)]
    false_positives = len([B for B in clusters(v) if B not in [other for _, other in matched]])
    false_negatives = len([A for A in clusters(u) if A not in [other for other, _ in matched]])
    return ratio(
        sum((jaccard(A, B) for A, B in matched), Fraction(0)),
        len(matched) + Fraction(false_positives, 2) + Fraction(false_negatives, 2),
    )


def refinement_errors(u: Labels, v: Labels) -> list[Fraction]:
    """Martin et al. (2001), equation 1, of each object: its segment in u without its segment in v."""
    objects = range(len(u))
    return [Fraction(len(home(k, u) - home(k, v)), len(home(k, u))) for k in objects]


def element_centric_similarity(u: Labels, v: Labels) -> Number:
    """From the personalised page-rank vectors of Gates et al. (2019), alpha = 9/10."""
    alpha, objects = Fraction(9, 10), range(len(u))

    def rank(k: int, labels: Labels) -> list[Fraction]:
        own = home(k, labels)
        return [(1 - alpha) * (m == k) + alpha * Fraction(m in own, len(own)) for m in objects]

    def similarity(k: int) -> Fraction:
        return 1 - sum(abs(x - y) for x, y in zip(rank(k, u), rank(k, v), strict=True)) / (2 * alpha)

    return mean(map(similarity, objects))


def nearest(cluster: Cluster, others: list[Cluster]) -> list[int]:
    """Numbers of all the others that are nearest by Jaccard."""
    similarities = [jaccard(cluster, other) for other in others]
    return [k for k, similarity in enumerate(similarities) if similarity == max(similarities)]


def centroid_index_1(u: Labels, v: Labels) -> int:
    """The fewest orphans that any choice among the nearest leaves."""
    reached: set[Cluster] = {frozenset()}
    for cluster in clusters(u):
        reached = {done | {k} for done in reached for k in nearest(cluster, clusters(v))}
    return len(clusters(v)) - max(map(len, reached))


def count_shared_with_nearest(u: Labels, v: Labels) -> Fraction:
    others = clusters(v)
    return Fraction(sum(max(len(A & others[k]) for k in nearest(A, others)) for A in clusters(u)), len(u))


def links(u: Labels) -> int:
    """Fewest links that hold the entities together."""
    return sum(len(A) - 1 for A in clusters(u))


def muc_recall(u: Labels, v: Labels) -> Number:
    kept = sum(len(cell) - 1 for cell in meet(u, v))
    return ratio(kept, links(u)) if links(u) or not links(v) else Fraction(0)


def links_of(entity: Cluster) -> set[Cluster]:
    """Pairs of its mentions; a single mention has a link to itself."""
    return {frozenset(pair) for pair in itertools.combinations(entity, 2)} if len(entity) > 1 else {entity}


def lea_recall(u: Labels, v: Labels) -> Number:
    resolved = Fraction(0)
    for entity in clusters(u):
        kept = sum(len(links_of(entity) & links_of(other)) for other in clusters(v))
        resolved += Fraction(len(entity) * kept, len(links_of(entity)))
    return resolved / len(u)


def muc(u: Labels, v: Labels) -> Number:
    return ratio(2 * sum(len(cell) - 1 for cell in meet(u, v)), links(u) + links(v))


def ceaf_e(u: Labels, v: Labels) -> Number:
    return 2 * match(u, v, f1) / Fraction(len(clusters(u)) + len(clusters(v)))


def cluster_recall(u: Labels, v: Labels) -> Number:
    return mean(Fraction(entity in clusters(v)) for entity in clusters(u))


FORMULAS = {
    entry.name: entry.formula
    for entry in map(cc.get_index, cc.list_indices("pair_counting"))
    if entry.needs == "pairs" and not entry.with_totals and "cases" not in entry.formula
}
"""Those of a, b, c, d alone, in one piece."""


def as_printed(formula: str) -> Definition:
    return of_counts(lambda a, b, c, d: of_exact_pairs(formula, a, b, c, d, digits=60))


bcubed_f, entropies = both(bcubed_precision, harmonic), (lambda u, v: H(u) + H(v))

DEFINITIONS: dict[str, Definition] = {name: as_printed(formula) for name, formula in FORMULAS.items()} | {
    "correlation_distance": of_counts(correlation_distance),
    "austin_colwell": of_counts(austin_colwell),
    "tetrachoric_cosine": of_counts(tetrachoric_cosine),
    "cole": of_counts(cole),
    "kent_foster_1": of_counts(lambda a, b, c, d: kent_foster(a, b, c)),
    "kent_foster_2": of_counts(lambda a, b, c, d: kent_foster(d, b, c)),
    "wallace_mean": wallace_mean(2.0),
    "gosgens_generalized": gosgens_generalized(2.0),
    "lerman": lerman,
    "normalized_lerman": lambda u, v: ratio(lerman(u, v), root(lerman(u, u) * lerman(v, v))),
    "rv": lambda u, v: cosine(matrix(u), matrix(v)),
    "katz_powell": katz_powell,
    "janson_vegelius": janson_vegelius,
    "morey_agresti": morey_agresti,
    "mari": mari,
    "tuple_rand": tuple_rand(3),
    "prediction_strength": lambda u, v: min(shares_of_pairs(u, v), default=math.nan),
    "mutual_information": information,
    "joint_entropy": H,
    "conditional_entropy_1": conditional,
    "conditional_entropy_2": swapped(conditional),
    "nmi_sum": lambda u, v: ratio(2 * information(u, v), entropies(u, v)),
    "nmi_sqrt": lambda u, v: ratio(information(u, v), math.sqrt(H(u) * H(v))),
    "nmi_max": lambda u, v: ratio(information(u, v), max(H(u), H(v))),
    "nmi_min": lambda u, v: ratio(information(u, v), min(H(u), H(v))),
    "nmi_joint": lambda u, v: ratio(information(u, v), H(u, v)),
    "homogeneity": lambda u, v: ratio(information(u, v), H(u)),
    "completeness": lambda u, v: ratio(information(u, v), H(v)),
    "v_measure": v_weighted(1),
    "v_beta": v_weighted(2),
    "fnmi": fnmi,
    "variation_of_information": variation,
    "vi_over_log_n": vi_over(lambda n, k: math.log(n)),
    "vi_over_log_k": vi_over(lambda n, k: 2 * math.log(k)),
    "vi_over_bound": vi_over(lambda n, k: min(math.log(n), 2 * math.log(k))),
    "nvi_joint": lambda u, v: ratio(variation(u, v), H(u, v)),
    "nvi_sum": lambda u, v: ratio(variation(u, v), entropies(u, v)),
    "nvi_shares": both(lambda u, v: ratio(conditional(u, v), H(u)), average),
    "nvi_reference": lambda u, v: ratio(variation(u, v), H(u)) if H(u) > 0 else H(v),
    "information_distance": both(conditional, max),
    "nid": lambda u, v: ratio(max(conditional(u, v), conditional(v, u)), max(H(u), H(v))),
    "reduced_mutual_information": reduced,
    "dirichlet_reduced_information": saved,
    "reduced_nmi": lambda u, v: saved(u, v) / saved(u, u) if saved(u, u) > 0.0 else math.nan,
    "dom_q0": lambda u, v: conditional(u, v) + class_counts_cost(u, v),
    "dom_q2": lambda u, v: ratio(class_counts_cost(u, u), conditional(u, v) + class_counts_cost(u, v)),
    "tsallis_mutual_information": lambda u, v: apart(u) + apart(v) - apart(u, v),
    "nmi_q": lambda u, v: ratio(2 * (apart(u) + apart(v) - apart(u, v)), apart(u) + apart(v)),
    "vi_q": lambda u, v: 2 * apart(u, v) - apart(u) - apart(v),
    "phi_square": phi_square,
    "chi_square": lambda u, v: len(u) * phi_square(u, v),
    "cramer_v": lambda u, v: root(ratio(phi_square(u, v), min(len(set(u)), len(set(v))) - 1)),
    "tschuprow_t": lambda u, v: root(
        ratio(phi_square(u, v), math.sqrt((len(set(u)) - 1) * (len(set(v)) - 1)))
    ),
    "contingency_coefficient": lambda u, v: root(ratio(phi_square(u, v), 1 + phi_square(u, v))),
    "moc": lambda u, v: ratio(phi_square(u, v), math.sqrt(len(set(u)) * len(set(v))) - 1),
    "frobenius_distance": frobenius,
    "goodman_kruskal_tau_1": tau,
    "goodman_kruskal_tau_2": swapped(tau),
    "goodman_kruskal_lambda_1": lambda u, v: spared((u, v)),
    "goodman_kruskal_lambda_2": lambda u, v: spared((v, u)),
    "goodman_kruskal_lambda": lambda u, v: spared((u, v), (v, u)),
    "purity": purity,
    "inverse_purity": swapped(purity),
    "purity_f": both(purity, harmonic),
    "geometric_accuracy": both(purity, lambda x, y: math.sqrt(x * y)),
    "van_rijsbergen_f": lambda u, v: mean(max(f1(home(k, u), B) for B in clusters(v)) for k in range(len(u))),
    "covering": lambda u, v: mean(max(jaccard(home(k, u), B) for B in clusters(v)) for k in range(len(u))),
    "larsen_aone_f": mean_best(f1),
    "van_dongen": both(misplaced, lambda x, y: x + y),
    "normalized_van_dongen": lambda u, v: Fraction(misplaced(u, v) + misplaced(v, u), 2 * len(u)),
    "split_join": both(misplaced, lambda x, y: x + y),
    "split_join_1": misplaced,
    "split_join_2": swapped(misplaced),
    "edit_distance_quality": lambda u, v: 1 - Fraction(len(clusters(v)) + misplaced(v, u), len(u)),
    "maximum_matching_accuracy": accuracy,
    "classification_error": lambda u, v: 1 - accuracy(u, v),
    "transfer_distance": lambda u, v: len(u) - match(u, v, common),
    "meila_heckerman": lambda u, v: Fraction(greedy(u, v), len(u)),
    "criterion_h": lambda u, v: 1 - Fraction(greedy(u, v), len(u)),
    "normalized_pivoted_accuracy": lambda u, v: ratio(
        most_clusters(u, v) * accuracy(u, v) - 1, most_clusters(u, v) - 1
    ),
    "normalized_clustering_accuracy": lambda u, v: ratio(
        match(u, v, lambda A, B: Fraction(len(A & B), len(A))) - 1, len(set(u)) - 1
    ),
    "pair_sets_index": lambda u, v: max(pair_sets(u, v), 0),  # nan stays
    "unclipped_pair_sets_index": pair_sets,
    "simplified_pair_sets_index": lambda u, v: max(pair_sets(u, v, Fraction(1)), 0),
    "jaccard_error_rate": lambda u, v: 1 - match(u, v, jaccard) / Fraction(len(set(u))),
    "panoptic_quality": panoptic_quality,
    "global_consistency_error": both(lambda u, v: mean(refinement_errors(u, v)), min),
    "local_consistency_error": lambda u, v: mean(map(min, refinement_errors(u, v), refinement_errors(v, u))),
    "bcubed_precision": bcubed_precision,
    "bcubed_recall": swapped(bcubed_precision),
    "bcubed_f": bcubed_f,
    "k_measure": both(bcubed_precision, lambda p, r: math.sqrt(p * r)),
    "element_centric_similarity": element_centric_similarity,
    "centroid_index": both(centroid_index_1, max),
    "centroid_index_1": centroid_index_1,
    "centroid_index_2": swapped(centroid_index_1),
    "centroid_similarity": both(count_shared_with_nearest, average),
    "clusterwise_jaccard_1": mean_best(jaccard),
    "clusterwise_jaccard_2": swapped(mean_best(jaccard)),
    "average_jaccard": both(mean_best(jaccard), average),
    "average_f1": both(mean_best(f1), average),
    "closest_cluster_f": both(mean_best(jaccard), harmonic),
    "clusterwise_wallace_1": lambda u, v: mean(shares_of_pairs(u, v)),
    "clusterwise_wallace_2": lambda u, v: mean(shares_of_pairs(v, u)),
    "muc_recall": muc_recall,
    "muc_precision": swapped(muc_recall),
    "muc": muc,
    "merge_distance": both(lambda u, v: len(meet(u, v)) - len(clusters(u)), lambda x, y: x + y),
    "ceaf_e": ceaf_e,
    "lea_recall": lea_recall,
    "lea_precision": swapped(lea_recall),
    "lea": both(lea_recall, harmonic),
    "conll": lambda u, v: (muc(u, v) + bcubed_f(u, v) + ceaf_e(u, v)) / 3,
    "cluster_recall": cluster_recall,
    "cluster_precision": swapped(cluster_recall),
    "cluster_f": lambda u, v: Fraction(
        2 * len({*clusters(u)} & {*clusters(v)}), len(clusters(u)) + len(clusters(v))
    ),
    "group_accuracy": lambda u, v: mean(Fraction(home(k, u) == home(k, v)) for k in range(len(u))),
}  # fmt: skip
