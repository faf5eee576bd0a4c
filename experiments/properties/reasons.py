"""What proves what: certificates for pair-counting formulas, theorems and short derivations for the others.

A reason is written once for a class of indices. It is used only where the search has found no counterexample;
a reason against a counterexample stops the run.

Notation: U is the reference of sizes n_i, V the candidate of sizes m_j. A perfect merge takes columns
with all their objects in one row i to their sum; a perfect split parts a column so that no row has
objects in both parts.
"""

import functools
import math
from collections.abc import Sequence
from fractions import Fraction

from chancecorr.indices.registry import Index, get_index
from experiments.properties import certificates
from experiments.properties.applicable import WORDS
from experiments.properties.certificates import Pieces
from experiments.properties.corrected import FORMULAS, corrected_form
from experiments.properties.facts import FACTS
from experiments.properties.formulas import OtherFormError, form_of
from experiments.properties.polynomials import Face
from experiments.properties.regions import QUARTERS, WHOLE
from experiments.properties.texts import TEXTS

REASONS: dict[str, str] = {
    **WORDS,
    **TEXTS,
    "polynomials": "By polynomials in the pair counts that have no negative coefficient"
    " (experiments/properties/certificates.py).",
    "self_pairs": "By polynomials without negative coefficients: the formula of another index on the pair"
    " counts"
    " with self-pairs, a' = T, b' = A - T, c' = B - T, which a perfect merge or split changes alike.",
    "halves": "Monotone in merging and in splitting, each for its own reason.",
    "not_worse": "Monotone, hence weakly monotone.",
    "mean_0": "A score corrected for chance has mean 0 for all cluster sizes, by construction.",
    "same_raw": "The index, or the one with the same corrected scores, is symmetric, so that its mean and"
    " best value are.",
    "best_only": "The corrected score is 1 exactly where the index, or one with the same corrected"
    " scores, has its"
    " best value.",
}

TRANSFORMS = {
    "austin_colwell": "rand",
    "consonni_todeschini_1": "rand",
    "consonni_todeschini_2": "rand",
    "consonni_todeschini_3": "russell_rao",
    "chord": "fowlkes_mallows",
    "hellinger": "fowlkes_mallows",
    "correlation_distance": "phi",
    "pearson_2": "pearson_1",
    "gilbert_wells": "forbes_1",
    "yule_y": "goodman_kruskal",
    "digby": "goodman_kruskal",
    "tetrachoric_cosine": "goodman_kruskal",
    "baroni_urbani_buser_2": "baroni_urbani_buser_1",
    "kuder_richardson": "maxwell_pilliner",
}
"""Indices that are a strictly monotone function of another one, N being fixed; a test looks at their
order."""

SELF_PAIRS = {
    "rv": "fowlkes_mallows",
    "katz_powell": "phi",
    "morey_agresti": "adjusted_rand",
    "nmi_q": "fleiss",
    "vi_q": "arabie_boorman",
    "tsallis_mutual_information": "partition_difference",
}
"""Indices whose formula is that of another one on pairs that include each object with itself."""

MONOTONE = ("monotone", "monotone_merging", "monotone_splitting", "weakly_monotone")
OF_CHANCE = ("constant_baseline", "constant_baseline_given_reference", "free_of_cluster_number")


def reason_for(index: Index, key: str, *, adjusted: bool) -> str:
    """Key of `REASONS`, or a text, that proves a property of an index; empty where nothing does."""
    if key == "monotone":
        halves = [reason_for(index, half, adjusted=adjusted) for half in MONOTONE[1:3]]
        return "" if "" in halves else halves[0] if halves[0] == halves[1] else "halves"
    if key == "weakly_monotone" and reason_for(index, "monotone", adjusted=adjusted):
        return "not_worse"
    return _of_adjusted(index, key) if adjusted else _of_raw(index, key)


def _of_raw(index: Index, key: str) -> str:
    form = pieces_of(index)
    if form is not None and _certified(index, form, key, frozenset()):
        return "polynomials"
    by_form = form is not None and key in OF_CHANCE and index.affine
    if by_form and form is not None and certificates.asymptotic_constant_baseline(form):
        return "centred_form"
    if index.name in SELF_PAIRS and key in ("maximal_agreement", "symmetric", *MONOTONE):
        other = get_index(SELF_PAIRS[index.name])
        form = pieces_of(other)
        if form is not None and _certified(other, form, key, frozenset({certificates.A})):
            return "self_pairs"
    if index.name in TRANSFORMS and key not in (*OF_CHANCE, "metric", "linear_complexity"):
        base = TRANSFORMS[index.name]
        if _of_raw(get_index(base), key):
            return f"A strictly monotone function of {base}, for which it is proved."
    return next((name for name, facts in FACTS.items() if index.name in facts.get(key, ())), "")


def _of_adjusted(index: Index, key: str) -> str:
    if key in OF_CHANCE:
        return "mean_0"
    stands = get_index(index.corrected_as) if index.corrected_as else index
    alike = [index, stands]
    if key == "symmetric" and any(reason_for(each, key, adjusted=False) for each in alike):
        return "same_raw"
    if key == "maximal_agreement" and any(
        each.best is not None and reason_for(each, key, adjusted=False) for each in alike
    ):
        return "best_only"
    if key == "asymptotic_constant_baseline" and stands.affine:
        return "at_expectation"
    if stands.best == 1 and stands.name in FACTS["centred"]["constant_baseline"]:
        reason = _of_raw(stands, key)  # it is its own corrected score
        if reason:
            return reason
    form = corrected_pieces(stands)
    if form is not None and _certified_form(form, key, Fraction(1), Fraction(-1), frozenset()):
        return "polynomials"
    return next((name for name, facts in FACTS.items() if index.name in facts.get(f"adjusted {key}", ())), "")


def pieces_of(index: Index) -> Pieces | None:
    """The formula in exact algebra, larger for more agreement, or None where it is of another form."""
    if index.needs != "pairs" or index.with_totals:
        return None
    return _pieces(index.formula, 1 if index.larger_is_better else -1)


def corrected_pieces(index: Index) -> Pieces | None:
    """The corrected score of an index that stands for its class, in exact algebra, or None."""
    if index.name in FORMULAS:
        return _pieces(FORMULAS[index.name], 1)
    if index.needs != "pairs" or index.with_totals or not index.affine:
        return None
    return _corrected_pieces(index.name)


@functools.cache
def _corrected_pieces(name: str) -> Pieces | None:
    index = get_index(name)
    whole = pieces_of(index)
    if whole is None or len(whole.forms) > 1:
        return None
    form = corrected_form(index, whole.forms[0][0])
    return None if form is None else Pieces(((form, WHOLE),))


@functools.cache
def _pieces(formula: str, sign: int) -> Pieces | None:
    for regions in ((WHOLE,), QUARTERS):
        try:
            forms = [certificates.with_positive_denominators(form_of(formula, region)) for region in regions]
        except OtherFormError:
            continue
        known = [certificates.signed(form, sign) for form in forms if form is not None]
        return Pieces(tuple(zip(known, regions, strict=True))) if len(known) == len(forms) else None
    return None


def form_value(pieces: Pieces, counts: Sequence[int]) -> float | None:
    """Value at given counts; None where a denominator is 0."""
    for form, region in pieces.forms:
        variables = region.direction(counts)
        if min(variables) < 0:
            continue
        x, y = form.factor, form.root
        below = x.below.value(variables) * y.below.value(variables)
        if not below:
            return None
        return float(x.above.value(variables) / x.below.value(variables)) * math.sqrt(
            y.above.value(variables) / y.below.value(variables)
        )
    raise AssertionError("the regions hold all counts")


def _certified(index: Index, form: Pieces, key: str, always: Face) -> bool:
    sign = 1 if index.larger_is_better else -1
    best = None if index.best is None or not math.isfinite(index.best) else sign * Fraction(str(index.best))
    low = index.range[0] if sign > 0 else -index.range[1]
    return _certified_form(form, key, best, Fraction(str(low)) if math.isfinite(low) else None, always)


def _certified_form(
    form: Pieces, key: str, best: Fraction | None, worst: Fraction | None, always: Face
) -> bool:
    """Whether a certificate proves the property of a form; `always` are counts that are never zero."""
    if key == "symmetric":
        return certificates.is_symmetric(form)
    if key == "maximal_agreement":
        return best is not None and certificates.maximal_agreement(form, best, always)
    if key == "minimal_agreement":
        return worst is not None and certificates.minimal_agreement(form, worst)
    if key == "weakly_monotone":
        return certificates.monotone_merging(
            form, always, strictly=False
        ) and certificates.monotone_splitting(form, always, strictly=False)
    if key == "monotone_merging":
        return certificates.monotone_merging(form, always)
    if key == "monotone_splitting":
        return certificates.monotone_splitting(form, always)
    if key == "strongly_monotone":
        return certificates.strongly_monotone(form)
    if key == "monotone_in_counts":
        return certificates.monotone_in_counts(form)
    if key == "asymptotic_constant_baseline":
        return certificates.asymptotic_constant_baseline(form)
    return False
