"""Twins of the pair-counting coefficients, from sets of pairs of objects: shares, rates, correlations.

Each is written from another definition than the catalogue's formula where there is one: as a probability,
as a mean over pairs, as (observed - expected) / (largest - expected), as a correlation of 0/1 variables.
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


def mountford(R, C, U):
    together, product = len(R & C), len(R - C) * len(C - R)
    return over(2 * together, together * len(R ^ C) + 2 * product)


def fager_mcgowan(R, C, U):
    product = share(C, R) * share(R, C)
    return math.nan if math.isnan(product) else math.sqrt(product) - 1 / (2 * math.sqrt(len(R)))


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


def baroni_urbani_buser(R, C, U):
    product = len(R & C) * len(U - (R | C))
    agreeing = len(R & C) + math.sqrt(product)
    return over(agreeing, agreeing + len(R ^ C))


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


def ratio(R, C, U):
    return over(share(R & C, U), share(R, U) * share(C, U))


def excess(R, C, U):
    return len(U) * covariance(R, C, U)


def gilbert(R, C, U):
    lucky = over(len(R) * len(C), len(U))
    return over(len(R & C) - lucky, len(R | C) - lucky)


def kuhns_3(R, C, U):
    joined, expected = len(R) + len(C), over(len(R) * len(C), len(U))
    below = (1 - over(len(R & C), joined)) * (joined - expected)
    return over(excess(R, C, U), below)


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


def consonni_todeschini_5(R, C, U):
    agreeing, differing = odds(R, C, U)
    return over(math.log(Fraction(1 + agreeing, 1 + differing)), math.log(1 + Fraction(len(U) ** 2, 4)))


Twin = Callable[[Pairs, Pairs, Pairs], Number]

TWINS_OF_PAIRS: dict[str, Twin] = {
    # Pairs together in both against pairs together in one
    "intersection": lambda R, C, U: len(R & C),
    "wallace_1": lambda R, C, U: share(C, R),
    "wallace_2": lambda R, C, U: share(R, C),
    "kulczynski_2": lambda R, C, U: (share(C, R) + share(R, C)) / 2,
    "johnson": lambda R, C, U: share(C, R) + share(R, C),
    "mcconnaughey": lambda R, C, U: share(C, R) + share(R, C) - 1,
    "sorgenfrei": lambda R, C, U: share(C, R) * share(R, C),
    "simpson": lambda R, C, U: share(R & C, min(R, C, key=len)),
    "braun_blanquet": lambda R, C, U: share(R & C, max(R, C, key=len)),
    "van_der_maarel": lambda R, C, U: 2 * over(2 * len(R & C), len(R) + len(C)) - 1,
    "three_w_jaccard": lambda R, C, U: over(3 * len(R & C), 2 * len(R & C) + len(R | C)),
    "kulczynski_1": lambda R, C, U: over(len(R & C), len(R ^ C)),
    "mountford": mountford,
    "fager_mcgowan": fager_mcgowan,
    # Both kinds of agreement
    "inner_product": lambda R, C, U: agreement(R, C, U),
    "partition_difference": lambda R, C, U: len(U - (R | C)),
    "hamann": lambda R, C, U: over(sum(1 if (pair in R) == (pair in C) else -1 for pair in U), len(U)),
    "faith": lambda R, C, U: (share(R & C, U) + rand(R, C, U)) / 2,
    "fleiss": lambda R, C, U: over(2 * len((U - R) & (U - C)), len(U - R) + len(U - C)),
    "rogot_goldberg": rogot_goldberg,
    "sokal_sneath_4": lambda R, C, U: (
        (share(C, R) + share(R, C) + share(U - C, U - R) + share(U - R, U - C)) / 4
    ),
    "clement": lambda R, C, U: share(C, R) * share(U - R, U) + share(U - C, U - R) * share(R, U),
    "hawkins_dotson": lambda R, C, U: sum(jaccards(R, C, U)) / 2,
    "harris_lahey": harris_lahey,
    "rogers_tanimoto": lambda R, C, U: over(rand(R, C, U), 2 - rand(R, C, U)),
    "sokal_sneath_3": lambda R, C, U: over(rand(R, C, U), 1 - rand(R, C, U)),
    "baroni_urbani_buser_1": lambda R, C, U: baroni_urbani_buser(R, C, U),
    "baroni_urbani_buser_2": lambda R, C, U: 2 * baroni_urbani_buser(R, C, U) - 1,
    "andres_marzo": lambda R, C, U: over(agreement(R, C, U) - 2 * math.sqrt(len(R - C) * len(C - R)), len(U)),
    "austin_colwell": austin_colwell,
    # Association
    "adjusted_rand": adjusted_rand,
    "adjusted_wallace_1": lambda R, C, U: corrected(share(C, R), share(C, U)),
    "adjusted_wallace_2": lambda R, C, U: corrected(share(R, C), share(R, U)),
    "fleiss_1975": lambda R, C, U: (
        (corrected(share(C, R), share(C, U)) + corrected(share(R, C), share(R, U))) / 2
    ),
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
    "michael": lambda R, C, U: over(4 * covariance(R, C, U), rand(R, C, U) ** 2 + (1 - rand(R, C, U)) ** 2),
    # Odds and chi-square
    "yule_y": lambda R, C, U: bounded(*odds(R, C, U), 0.5),
    "digby": lambda R, C, U: bounded(*odds(R, C, U), 0.75),
    "tetrachoric_cosine": tetrachoric_cosine,
    "doolittle": lambda R, C, U: over(covariance(R, C, U) ** 2, variance(R, U) * variance(C, U)),
    "pearson_1": lambda R, C, U: chi_square(R, C, U),
    "pearson_2": pearson_2,
    "stiles": stiles,
    # Independence
    "forbes_1": lambda R, C, U: ratio(R, C, U),
    "gilbert_wells": lambda R, C, U: log(ratio(R, C, U)),
    "fossum": lambda R, C, U: over(len(U) * (len(R & C) - Fraction(1, 2)) ** 2, len(R) * len(C)),
    "tarwid": lambda R, C, U: over(ratio(R, C, U) - 1, ratio(R, C, U) + 1),
    "gilbert": gilbert,
    "dennis": lambda R, C, U: over(excess(R, C, U), math.sqrt(over(len(R) * len(C), len(U)))),
    "eyraud": lambda R, C, U: over(covariance(R, C, U), variance(R, U) * variance(C, U)),
    "pearson_a": lambda R, C, U: over(covariance(R, C, U), variance(R, U) * variance(C, U) * len(U) ** 2),
    "baulieu_1": lambda R, C, U: rand(R, C, U) + (share(R, U) - share(C, U)) ** 2,
    "baulieu_2": lambda R, C, U: covariance(R, C, U),
    "kuhns_1": lambda R, C, U: over(excess(R, C, U), Fraction(len(U), 2)),
    "kuhns_2": lambda R, C, U: over(excess(R, C, U), max(len(R), len(C))),
    "kuhns_3": kuhns_3,
    "kuhns_4": lambda R, C, U: over(excess(R, C, U), min(len(R), len(C))),
    "kuhns_5": lambda R, C, U: over(covariance(R, C, U), max(variance(R, U), variance(C, U))),
    "kuhns_6": lambda R, C, U: over(covariance(R, C, U), min(variance(R, U), variance(C, U))),
    "kuhns_7": lambda R, C, U: over(excess(R, C, U), math.sqrt(len(R) * len(C))),
    # Prediction
    "guttman_lambda_a": lambda R, C, U: lambda_of(R, C, U),
    "guttman_lambda_b": lambda R, C, U: lambda_of(C, R, U),
    "pair_lambda": pair_lambda,
    "anderberg_d": anderberg_d,
    "goodman_kruskal_lambda_r": goodman_kruskal_lambda_r,
    "ample": lambda R, C, U: abs(share(C, R) - share(C, U - R)),
    "tarantula": lambda R, C, U: over(share(C, R), share(C, R) + share(C, U - R)),
    "kent_foster_1": lambda R, C, U: kent_foster(R, C),
    "kent_foster_2": lambda R, C, U: kent_foster(U - R, U - C),
    # Logarithms
    "consonni_todeschini_1": lambda R, C, U: over(math.log(1 + agreement(R, C, U)), math.log(1 + len(U))),
    "consonni_todeschini_2": lambda R, C, U: over(
        math.log(Fraction(1 + len(U), 1 + len(R ^ C))), math.log(1 + len(U))
    ),
    "consonni_todeschini_3": lambda R, C, U: over(math.log(1 + len(R & C)), math.log(1 + len(U))),
    "consonni_todeschini_4": lambda R, C, U: over(math.log(1 + len(R & C)), math.log(1 + len(R | C))),
    "consonni_todeschini_5": consonni_todeschini_5,
}


def of_labels(function: Twin, labels_true: list[int], labels_pred: list[int]) -> Number:
    """Value of a function of (pairs together in the reference, in the candidate, all pairs)."""
    every = frozenset(itertools.combinations(range(len(labels_true)), 2))
    R, C = (frozenset((i, j) for i, j in every if x[i] == x[j]) for x in (labels_true, labels_pred))
    return function(R, C, every)


TWINS: dict[str, Callable[[list[int], list[int]], Number]] = {
    name: functools.partial(of_labels, function) for name, function in TWINS_OF_PAIRS.items()
}
