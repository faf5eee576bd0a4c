"""Slow twins of the information indices: sets of objects, sums over objects, cells and pairs of objects."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar

Labels = Sequence[int]
Number = Fraction | float
Twin = Callable[[list[int], list[int]], Number]


def clusters(labels: Labels) -> list[frozenset[int]]:
    """The clusters, as sets of objects."""
    return [
        frozenset(k for k, other in enumerate(labels) if other == label) for label in dict.fromkeys(labels)
    ]


def meet(u: Labels, v: Labels) -> list[frozenset[int]]:
    """The non-empty intersections of a cluster of u and a cluster of v."""
    return [A & B for A in clusters(u) for B in clusters(v) if A & B]


def ratio(above: Number, below: Number) -> Number:
    """Quotient; nan at 0/0, infinite at x/0."""
    if below == 0:
        return math.nan if above == 0 else math.copysign(math.inf, above)
    return above / below


def shannon(parts: Sequence[frozenset[int]], n: int) -> float:
    """Entropy of a partition."""
    return sum((len(A) / n * math.log(Fraction(n, len(A))) for A in parts), 0.0)


def entropy(labels: Labels) -> float:
    return shannon(clusters(labels), len(labels)) if labels else math.nan


def joint(u: Labels, v: Labels) -> float:
    return shannon(meet(u, v), len(u)) if u else math.nan


def conditional(u: Labels, v: Labels) -> float:
    """H(u|v), the mean over the clusters of v of the entropy of u within them."""
    if not u:
        return math.nan
    within = ((B, [A & B for A in clusters(u) if A & B]) for B in clusters(v))
    return sum(len(B) / len(u) * shannon(parts, len(B)) for B, parts in within)


def information(u: Labels, v: Labels) -> float:
    """Mean over the objects of log(P(cell) / (P(row) P(column)))."""
    n = len(u)
    of_u = {k: A for A in clusters(u) for k in A}
    of_v = {k: B for B in clusters(v) for k in B}
    surplus = (Fraction(n * len(of_u[k] & of_v[k]), len(of_u[k]) * len(of_v[k])) for k in range(n))
    return math.fsum(math.log(x) for x in surplus) / n if n else math.nan


def variation(u: Labels, v: Labels) -> float:
    return conditional(u, v) + conditional(v, u)


def v_weighted(beta: float) -> Twin:
    def twin(u: list[int], v: list[int]) -> Number:
        """Weighted harmonic mean, 0 where one of its terms is 0, nan for one cluster against one."""
        if not u or entropy(u) == entropy(v) == 0:
            return math.nan
        if information(u, v) == 0:
            return 0.0
        h, c = information(u, v) / entropy(u), information(u, v) / entropy(v)
        return (1 + beta) / (1 / h + beta / c)

    return twin


def fnmi(u: list[int], v: list[int]) -> Number:
    if not u:
        return math.nan
    K, Q = len(set(u)), len(set(v))
    return ratio(2 * information(u, v), (entropy(u) + entropy(v)) * math.exp(abs(K - Q) / K))


def vi_over(bound: Callable[[int, int], float]) -> Twin:
    def twin(u: list[int], v: list[int]) -> Number:
        if not u:
            return math.nan
        return ratio(variation(u, v), bound(len(u), max(len(set(u)), len(set(v)))))

    return twin


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


def reduced(u: list[int], v: list[int]) -> Number:
    if not u:
        return math.nan
    above = math.prod(math.factorial(len(cell)) for cell in meet(u, v)) * math.factorial(len(u))
    below = math.prod(math.factorial(len(A)) for A in clusters(u) + clusters(v))
    return (math.log(Fraction(above, below)) - log_omega(u, v)) / len(u)


def class_counts_cost(u: Labels, sizes: Sequence[int]) -> float:
    """Nats per object that tell how clusters of these sizes divide into the clusters of u."""
    classes = len(set(u))
    return sum(math.log(math.comb(size + classes - 1, classes - 1)) for size in sizes) / len(u)


def dom_q0(u: list[int], v: list[int]) -> Number:
    return conditional(u, v) + class_counts_cost(u, [len(B) for B in clusters(v)]) if u else math.nan


def dom_q2(u: list[int], v: list[int]) -> Number:
    return ratio(class_counts_cost(u, [len(A) for A in clusters(u)]), dom_q0(u, v)) if u else math.nan


def apart(*labelings: Labels) -> Fraction | float:
    """Share of the n^2 ordered pairs, self-pairs included, that some of the labelings separates: H_2."""
    n = len(labelings[0])
    pairs = itertools.product(range(n), repeat=2)
    count = sum(any(labels[k] != labels[m] for labels in labelings) for k, m in pairs)
    return Fraction(count, n * n) if n else math.nan


def tsallis(q: float, *labelings: Labels) -> float:
    """Tsallis entropy of order q of the clusters of one labeling, or the cells of two."""
    n = len(labelings[0])
    sizes = Counter(zip(*labelings, strict=True)).values()
    return (1 - math.fsum((size / n) ** q for size in sizes)) / (q - 1)


def phi_square(u: list[int], v: list[int]) -> Number:
    """``sum (observed - expected)^2 / expected`` over all cells, per object."""
    n = len(u)
    total = Fraction(0)
    for A, B in itertools.product(clusters(u), clusters(v)):
        expected = Fraction(len(A) * len(B), n)
        total += (len(A & B) - expected) ** 2 / expected
    return total / n if n else math.nan


def over_root(squared: Number, bound: float) -> Number:
    if bound == 0 or math.isnan(squared):
        return math.nan
    return math.sqrt(squared / bound)


def frobenius(u: list[int], v: list[int]) -> Number:
    """Squared entries of the difference of the matrices ``1/size`` for objects together, 0 for others."""
    if not u:
        return math.nan
    size_u, size_v = Counter(u), Counter(v)
    total = Fraction(0)
    for k, m in itertools.product(range(len(u)), repeat=2):
        projector_u = Fraction(u[k] == u[m], size_u[u[k]])
        projector_v = Fraction(v[k] == v[m], size_v[v[k]])
        total += (projector_u - projector_v) ** 2
    return total


def tau(u: list[int], v: list[int]) -> Number:
    """Share of the errors in guessing u that are spared when guesses are drawn within the cluster of v."""
    n = len(u)
    if n == 0:
        return math.nan
    alone = Fraction(sum(u[k] != u[m] for k in range(n) for m in range(n)), n * n)
    peers = [[m for m in range(n) if v[m] == v[k]] for k in range(n)]
    knowing = sum(Fraction(sum(u[k] != u[m] for m in peers[k]), len(peers[k])) for k in range(n)) / n
    return ratio(alone - knowing, alone)


def errors(u: Labels) -> int:
    """Objects outside the largest cluster."""
    return len(u) - max(Counter(u).values(), default=0)


def errors_within(u: Labels, v: Labels) -> int:
    """Objects outside the largest part of u in their cluster of v."""
    return sum(errors([u[k] for k in B]) for B in clusters(v))


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
    found = minimize_scalar(nats, bounds=between, method="bounded", options={"xatol": 1e-8}).fun
    pure = len(set(zip(u, v, strict=True))) == len(set(v))  # alpha = 0: the first of each urn, and no other
    return min(float(found), (len(set(v)) if pure else len(u)) * math.log(len(set(u))))


def saved(u: Labels, v: Labels) -> float:
    return (nats_of_urns(u, [0] * len(u)) - nats_of_urns(u, v)) / len(u) if u else math.nan


def share_saved(u: list[int], v: list[int]) -> Number:
    return saved(u, v) / saved(u, u) if u and saved(u, u) > 0.0 else math.nan


TWINS: dict[str, Twin] = {
    "dirichlet_reduced_information": saved,
    "reduced_nmi": share_saved,
    "mutual_information": information,
    "joint_entropy": joint,
    "conditional_entropy_1": conditional,
    "conditional_entropy_2": lambda u, v: conditional(v, u),
    "nmi_sum": lambda u, v: ratio(2 * information(u, v), entropy(u) + entropy(v)),
    "nmi_sqrt": lambda u, v: ratio(information(u, v), math.sqrt(entropy(u) * entropy(v))),
    "nmi_max": lambda u, v: ratio(information(u, v), max(entropy(u), entropy(v))),
    "nmi_min": lambda u, v: ratio(information(u, v), min(entropy(u), entropy(v))),
    "nmi_joint": lambda u, v: ratio(information(u, v), joint(u, v)),
    "homogeneity": lambda u, v: ratio(information(u, v), entropy(u)),
    "completeness": lambda u, v: ratio(information(u, v), entropy(v)),
    "v_measure": v_weighted(1),
    "v_beta": v_weighted(2),
    "fnmi": fnmi,
    "variation_of_information": variation,
    "vi_over_log_n": vi_over(lambda n, k: math.log(n)),
    "vi_over_log_k": vi_over(lambda n, k: 2 * math.log(k)),
    "vi_over_bound": vi_over(lambda n, k: min(math.log(n), 2 * math.log(k))),
    "nvi_joint": lambda u, v: ratio(variation(u, v), joint(u, v)),
    "nvi_sum": lambda u, v: ratio(variation(u, v), entropy(u) + entropy(v)),
    "nvi_shares": lambda u, v: (
        (ratio(conditional(u, v), entropy(u)) + ratio(conditional(v, u), entropy(v))) / 2
    ),
    "nvi_reference": lambda u, v: ratio(variation(u, v), entropy(u)) if entropy(u) > 0 else entropy(v),
    "information_distance": lambda u, v: max(conditional(u, v), conditional(v, u)),
    "nid": lambda u, v: ratio(max(conditional(u, v), conditional(v, u)), max(entropy(u), entropy(v))),
    "reduced_mutual_information": reduced,
    "dom_q0": dom_q0,
    "dom_q2": dom_q2,
    "tsallis_mutual_information": lambda u, v: apart(u) + apart(v) - apart(u, v),
    "nmi_q": lambda u, v: ratio(2 * (apart(u) + apart(v) - apart(u, v)), apart(u) + apart(v)),
    "vi_q": lambda u, v: 2 * apart(u, v) - apart(u) - apart(v),
    "phi_square": phi_square,
    "chi_square": lambda u, v: len(u) * phi_square(u, v),
    "cramer_v": lambda u, v: over_root(phi_square(u, v), min(len(set(u)), len(set(v))) - 1),
    "tschuprow_t": lambda u, v: over_root(
        phi_square(u, v), math.sqrt(max(len(set(u)) - 1, 0) * max(len(set(v)) - 1, 0))
    ),
    "contingency_coefficient": lambda u, v: over_root(phi_square(u, v), 1 + phi_square(u, v)),
    "moc": lambda u, v: ratio(phi_square(u, v), math.sqrt(len(set(u)) * len(set(v))) - 1),
    "frobenius_distance": frobenius,
    "goodman_kruskal_tau_1": tau,
    "goodman_kruskal_tau_2": lambda u, v: tau(v, u),
    "goodman_kruskal_lambda_1": lambda u, v: ratio(Fraction(errors(u) - errors_within(u, v)), errors(u)),
    "goodman_kruskal_lambda_2": lambda u, v: ratio(Fraction(errors(v) - errors_within(v, u)), errors(v)),
    "goodman_kruskal_lambda": lambda u, v: ratio(
        Fraction(errors(u) + errors(v) - errors_within(u, v) - errors_within(v, u)), errors(u) + errors(v)
    ),
}
"""Twins by name; of a family, the member of the entry itself."""
