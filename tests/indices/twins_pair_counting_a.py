"""Twins of pair-counting coefficients whose definition is not the catalogue's formula, from sets of pairs.

As a probability, as a mean over pairs, as (observed - expected) / (largest - expected), as a correlation of
0/1 variables. The printed formula is the twin of the others.
"""

import functools
import itertools
import math
from collections.abc import Callable
from fractions import Fraction

Pairs = frozenset[tuple[int, int]]
Number = Fraction | float


def over(above: Number, below: Number) -> Number:
    """Quotient with nan at 0/0 and an infinity at x/0."""
    if math.isnan(above) or math.isnan(below):
        return math.nan
    if below == 0:
        return math.nan if above == 0 else math.copysign(math.inf, above)
    exact = isinstance(above, int | Fraction) and isinstance(below, int | Fraction)
    return Fraction(above) / Fraction(below) if exact else float(above) / float(below)


def share(part: Pairs, whole: Pairs) -> Number:
    """Share of the pairs of `whole` that are in `part`."""
    return over(len(part & whole), len(whole))


def log(x: Number) -> float:
    if math.isnan(x):
        return math.nan
    if math.isinf(x):
        return math.inf
    return -math.inf if x == 0 else math.log(x)


def covariance(R: Pairs, C: Pairs, U: Pairs) -> Number:
    """Of the indicators of R and C over all pairs."""
    return share(R & C, U) - share(R, U) * share(C, U)


def variance(R: Pairs, U: Pairs) -> Number:
    return covariance(R, R, U)


def correlation(R: Pairs, C: Pairs, U: Pairs) -> Number:
    product = variance(R, U) * variance(C, U)
    return over(covariance(R, C, U), product if math.isnan(product) else math.sqrt(product))


def corrected(observed: Number, expected: Number, largest: Number = 1) -> Number:
    return over(observed - expected, largest - expected)


def agreement(R, C, U):
    return sum((pair in R) == (pair in C) for pair in U)


def rand(R, C, U):
    return over(agreement(R, C, U), len(U))


def rogot_goldberg(R, C, U):
    halves = [over(2 * len(r & c), len(r) + len(c)) for r, c in ((R, C), (U - R, U - C))]
    return sum(halves) / 2


def jaccards(R, C, U):
    return share(R & C, R | C), share((U - R) & (U - C), (U - R) | (U - C))


def harris_lahey(R, C, U):
    together, apart = jaccards(R, C, U)
    rate = (share(R, U) + share(C, U)) / 2
    return together * (1 - rate) + apart * rate


def austin_colwell(R, C, U):
    value = rand(R, C, U)
    return math.nan if math.isnan(value) else math.acos(1 - 2 * value) / math.pi


def adjusted_rand(R, C, U):
    by_chance = share(R, U) * share(C, U) + share(U - R, U) * share(U - C, U)
    return corrected(rand(R, C, U), by_chance)


def cole(R, C, U):
    joint, product = share(R & C, U), share(R, U) * share(C, U)
    if joint >= product:
        return over(joint - product, min(share(R, U), share(C, U)) - product)
    return over(joint - product, product - max(0, share(R, U) + share(C, U) - 1))


def cole_5(R, C, U):
    r = correlation(R, C, U)
    return math.sqrt(2) * math.sin(math.atan(r))


def kuder_richardson(R, C, U):
    items = variance(R, U) + variance(C, U)
    return 2 * (1 - over(items, items + 2 * covariance(R, C, U)))


def scott_pi(R, C, U):
    mean = (share(R, U) + share(C, U)) / 2
    return corrected(rand(R, C, U), mean**2 + (1 - mean) ** 2)


def adjusted_fowlkes_mallows(R, C, U):
    root = math.sqrt(len(R) * len(C))
    return corrected(over(float(len(R & C)), root), over(root, len(U)))


def odds(R, C, U):
    return len(R & C) * len(U - (R | C)), len(R - C) * len(C - R)


def bounded(agreeing, differing, power):
    return over(float(agreeing) ** power - float(differing) ** power, agreeing**power + differing**power)


def tetrachoric_cosine(R, C, U):
    colligation = bounded(*odds(R, C, U), 0.5)
    return math.nan if math.isnan(colligation) else math.sin(math.pi / 2 * colligation)


def chi_square(R, C, U):
    total = Fraction(0)
    for r, c in itertools.product((R, U - R), (C, U - C)):
        expected = over(len(r) * len(c), len(U))
        total += over((len(r & c) - expected) ** 2, expected)
    return total


def pearson_2(R, C, U):
    value = over(chi_square(R, C, U), chi_square(R, C, U) + len(U))
    return math.nan if math.isnan(value) else math.sqrt(value)


def stiles(R, C, U):
    # The four deviations from expectation are equal in size, each lessened by 1/2.
    deviation = abs(covariance(R, C, U)) * len(U) - Fraction(1, 2)
    corrected_square = over(deviation**2, len(U) * variance(R, U) * variance(C, U))
    return log(corrected_square) / math.log(10)


def gilbert(R, C, U):
    lucky = over(len(R) * len(C), len(U))
    return over(len(R & C) - lucky, len(R | C) - lucky)


def majority(x: Pairs, given: list[Pairs]) -> int:
    """Right guesses whether a pair is in x, when told in which of some classes it is."""
    return sum(max(len(x & part), len(part - x)) for part in given)


def lambda_of(x, told, U):
    blind = majority(x, [U])
    return over(majority(x, [told, U - told]) - blind, len(U) - blind)


def guesses(R, C, U):
    return majority(R, [C, U - C]) + majority(C, [R, U - R]), majority(R, [U]) + majority(C, [U])


def pair_lambda(R, C, U):
    told, blind = guesses(R, C, U)
    return over(told - blind, 2 * len(U) - blind)


def anderberg_d(R, C, U):
    told, blind = guesses(R, C, U)
    return over(told - blind, 2 * len(U))


def goodman_kruskal_lambda_r(R, C, U):
    one_guess = Fraction(max(len(R) + len(C), len(U - R) + len(U - C)), 2)
    return corrected(agreement(R, C, U), one_guess, len(U))


def kent_foster(R, C):
    """Jaccard index corrected with the shares of R and of C among the pairs in either; its limit at R = C."""
    either = R | C
    if R == C and R:
        return 0
    return corrected(share(R & C, either), share(R, either) * share(C, either))


Twin = Callable[[Pairs, Pairs, Pairs], Number]

TWINS_OF_PAIRS: dict[str, Twin] = {
    "rogot_goldberg": rogot_goldberg,
    "sokal_sneath_4": lambda R, C, U: (
        (share(C, R) + share(R, C) + share(U - C, U - R) + share(U - R, U - C)) / 4
    ),
    "clement": lambda R, C, U: share(C, R) * share(U - R, U) + share(U - C, U - R) * share(R, U),
    "harris_lahey": harris_lahey,
    "austin_colwell": austin_colwell,
    "adjusted_rand": adjusted_rand,
    "adjusted_wallace_1": lambda R, C, U: corrected(share(C, R), share(C, U)),
    "adjusted_wallace_2": lambda R, C, U: corrected(share(R, C), share(R, U)),
    "loevinger": lambda R, C, U: corrected(share(R & C, min(R, C, key=len)), share(max(R, C, key=len), U)),
    "cole": cole,
    "cole_5": cole_5,
    "phi": lambda R, C, U: correlation(R, C, U),
    "peirce_1": lambda R, C, U: share(C, R) - share(C, U - R),
    "peirce_2": lambda R, C, U: share(R, C) - share(R, U - C),
    "maxwell_pilliner": lambda R, C, U: over(2 * covariance(R, C, U), variance(R, U) + variance(C, U)),
    "kuder_richardson": kuder_richardson,
    "scott_pi": scott_pi,
    "adjusted_fowlkes_mallows": adjusted_fowlkes_mallows,
    "yule_y": lambda R, C, U: bounded(*odds(R, C, U), 0.5),
    "tetrachoric_cosine": tetrachoric_cosine,
    "pearson_1": lambda R, C, U: chi_square(R, C, U),
    "pearson_2": pearson_2,
    "stiles": stiles,
    "gilbert": gilbert,
    "guttman_lambda_a": lambda R, C, U: lambda_of(R, C, U),
    "guttman_lambda_b": lambda R, C, U: lambda_of(C, R, U),
    "pair_lambda": pair_lambda,
    "anderberg_d": anderberg_d,
    "goodman_kruskal_lambda_r": goodman_kruskal_lambda_r,
    "kent_foster_1": lambda R, C, U: kent_foster(R, C),
    "kent_foster_2": lambda R, C, U: kent_foster(U - R, U - C),
}


def of_labels(function: Twin, labels_true: list[int], labels_pred: list[int]) -> Number:
    """Value of a function of (pairs together in the reference, in the candidate, all pairs)."""
    every = frozenset(itertools.combinations(range(len(labels_true)), 2))
    R, C = (frozenset((i, j) for i, j in every if x[i] == x[j]) for x in (labels_true, labels_pred))
    return function(R, C, every)


TWINS: dict[str, Callable[[list[int], list[int]], Number]] = {
    name: functools.partial(of_labels, function) for name, function in TWINS_OF_PAIRS.items()
}
