"""The corrected score of a pair-counting formula that is affine in T, in exact algebra."""

from fractions import Fraction

from chancecorr.indices.registry import Index
from experiments.properties import certificates
from experiments.properties.formulas import Form, Ratio
from experiments.properties.polynomials import Polynomial

MOST_TERMS = 60
"""Terms of the mean up to which the corrected score is worked with; beyond, products grow past use."""


FORMULAS = {
    "braun_blanquet": "(a - P Q/N) / (max(P, Q) - P Q/N)",
    "dennis": "2 D / (sqrt(P Q) (P' + Q'))",
    "kuhns_2": "2 D / (max(P, Q) (P' + Q'))",
    "kuhns_4": "2 D / (min(P, Q) (P' + Q'))",
    "loevinger": "D / min(P Q', Q P')",
    "kuhns_5": "D / max(P P', Q Q')",
    "kuhns_6": "D / min(P P', Q Q')",
}
"""Corrected scores with a maximum, a minimum, or best values from the sizes; a test compares them."""


def corrected_form(index: Index, form: Form | None) -> Form | None:
    """``(f - mean) / (best - mean)``, the mean being f at the expected counts; None if of another form.

    For a form, larger for more agreement, of an index that is affine in T. With a rational f of degree 0 the
    expected counts may be multiplied by N: ``P Q, P Q', P' Q, P' Q'``. A form with a root is taken only
    where it is 0 at the expected counts and its best value is 1: it is its own corrected score.
    """
    if form is None or not index.affine or index.best is None or abs(index.best) > 1e9:
        return None
    best = Fraction(str(index.best)) * (1 if index.larger_is_better else -1)
    if best == 1 and _is_centred(form):
        return form
    if not form.is_rational or len(form.factor.above.degrees | form.factor.below.degrees) != 1:
        return None
    mean = Ratio(_expected(form.factor.above), _expected(form.factor.below))
    constant = _constant(mean)
    if constant is not None:
        mean = Ratio(Polynomial.number(constant))
    if max(len(mean.above.terms), len(mean.below.terms)) > MOST_TERMS:
        return None
    room = Ratio(Polynomial.number(best)) + -mean
    return certificates.with_positive_denominators(Form((form.factor + -mean) * room.inverse()))


def _constant(ratio: Ratio) -> Fraction | None:
    """The number that a ratio is, or None."""
    if ratio.above.is_zero:
        return Fraction(0)
    exponents, x = next(iter(ratio.above.terms.items()))
    if exponents not in ratio.below.terms:
        return None
    value = x / ratio.below.terms[exponents]
    return value if ratio.equals(Ratio(Polynomial.number(value))) else None


def _is_centred(form: Form) -> bool:
    above = form.factor.above
    parts = [Polynomial({e: x for e, x in above.terms.items() if sum(e) == k}) for k in above.degrees]
    return all(part.at_independence().is_zero for part in parts)


def _expected(polynomial: Polynomial) -> Polynomial:
    a, b, c, d = (Polynomial.variable(k) for k in range(4))
    P, Q, rest, other = a + b, a + c, c + d, b + d
    counts = (P * Q, P * other, rest * Q, rest * other)
    found = Polynomial({})
    for exponents, x in polynomial.terms.items():
        term = Polynomial.number(x)
        for count, exponent in zip(counts, exponents, strict=True):
            term = term * count**exponent
        found = found + term
    return found
