"""Properties of pair-counting formulas, proved by polynomials without negative coefficients.

A formula is f = x sqrt(y), x and y rational functions of the counts a, b, c, d >= 0. Its derivative along a
direction has the sign of one polynomial, once the denominators, which must have no negative coefficients, are
cleared. Where that polynomial has no negative coefficient either, it is never negative, and it is positive on
exactly those faces (which of the counts are zero) that hold one of its terms. Every move between two counts
at which f is defined runs, its ends aside, in the inside of one face, on which f is defined too: where the
derivative is positive there, f rises. A certificate looks at all faces. None is a proof of the contrary.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from experiments.properties.formulas import Form, Ratio
from experiments.properties.polynomials import FACES, Face, Polynomial
from experiments.properties.regions import Direction, Region

A, B, C, D = range(4)

B_TO_A, B_TO_D, C_TO_A, C_TO_D = (1, -1, 0, 0), (0, -1, 0, 1), (1, 0, -1, 0), (0, 0, -1, 1)


def with_positive_denominators(form: Form) -> Form | None:
    """The same with denominators, and a root, that have no negative coefficient; None if it has some."""
    ratios = []
    for ratio in (form.factor, form.root):
        if ratio.below.never_negative:
            ratios.append(ratio)
        elif (-ratio.below).never_negative:
            ratios.append(Ratio(-ratio.above, -ratio.below))
        else:
            return None
    if not ratios[1].above.never_negative:
        return None
    return Form(*ratios)


def defined(form: Form, face: Face) -> bool:
    """Whether all denominators are positive on a face, which is where the formula has a value."""
    return not form.factor.below.on(face).is_zero and not form.root.below.on(face).is_zero


def slope(form: Form, direction: Direction) -> Polynomial:
    """A polynomial with the sign of the derivative, where the denominators and the root are positive.

    ``(x sqrt(y))' = (2 x' y + x y') / (2 sqrt(y))``.
    """
    x, y = form.factor, form.root
    found = Polynomial({})
    for place, step in enumerate(direction):
        if not step:
            continue
        # x' = x_n / below(x)**2, y' = y_n / below(y)**2
        by = Polynomial.number(2 * step) * x.derivative(place)
        if not form.is_rational:
            by = by * y.above * y.below
            by = by + Polynomial.number(step) * x.above * x.below * y.derivative(place)
        found = found + by
    return found


@dataclass(frozen=True, slots=True)
class Pieces:
    """A formula in each region, larger for more agreement, in the variables of that region."""

    forms: tuple[tuple[Form, Region], ...]

    def rise(self, step: Direction, holds: Callable[[Face], bool], *, strictly: bool = True) -> bool:
        """Whether f rises as the counts change by steps, wherever `holds` is true of the counts above 0.

        It has to hold inside of each move, where the counts that grow and those that shrink are positive.
        """
        for form, region in self.forms:
            polynomial = slope(form, region.direction(step))
            if not polynomial.never_negative:
                return False
            # where the root is zero the derivative is not finite, and nothing is said
            if strictly and any(
                polynomial.on(face).is_zero or form.root.above.on(face).is_zero
                for face in FACES
                if holds(region.face(face)) and defined(form, face)
            ):
                return False
        return True

    def everywhere(self, holds: Callable[[Face], bool], check: Callable[[Form, Face], bool]) -> bool:
        """Whether a check holds on all faces on which `holds` is true of the counts above 0."""
        return all(
            check(form, face) for form, region in self.forms for face in FACES if holds(region.face(face))
        )

    def defined_on(self, face: Face, *, somewhere: bool = False) -> bool:
        """Whether there is a value wherever exactly these counts are positive, or at least somewhere."""
        found = [
            defined(form, each) for form, region in self.forms for each in FACES if region.face(each) == face
        ]
        return any(found) if somewhere else all(found)


def signed(form: Form, sign: int) -> Form:
    """The form, or its negative for a distance: larger for more agreement."""
    return Form(Ratio(Polynomial.number(sign)) * form.factor, form.root)


def is_symmetric(pieces: Pieces) -> bool:
    """Whether b and c can be exchanged; known of a formula in one piece only."""
    if len(pieces.forms) > 1:
        return False
    x, y = pieces.forms[0][0].factor, pieces.forms[0][0].root
    return x.equals(x.exchanged()) and y.equals(y.exchanged())


def monotone_merging(pieces: Pieces, always: Face = frozenset(), *, strictly: bool = True) -> bool:
    """Whether it rises as pairs pass from b to a.

    At a perfect merge d is above 0: an object outside the cluster of the reference is apart from both
    parts in both clusterings. `always` are other counts that are never zero.
    """
    return pieces.rise(B_TO_A, lambda face: {A, B, D} | always <= face, strictly=strictly)


def monotone_splitting(pieces: Pieces, always: Face = frozenset(), *, strictly: bool = True) -> bool:
    """Whether it rises as pairs pass from c to d, some pairs being together in the reference."""
    return pieces.rise(
        C_TO_D, lambda face: {C, D} | always <= face and bool(face & {A, B}), strictly=strictly
    )


def monotone_in_counts(pieces: Pieces) -> bool:
    """Whether it rises as any pair passes from b or c to a or d."""
    return all(
        pieces.rise(step, functools.partial(frozenset.issubset, frozenset(ends)))
        for step, ends in ((B_TO_A, (A, B)), (B_TO_D, (B, D)), (C_TO_A, (A, C)), (C_TO_D, (C, D)))
    )


def strongly_monotone(pieces: Pieces) -> bool:
    """Whether it rises in a and in d where b + c > 0, and falls in b and in c where a + d > 0."""

    def holds(place: int, others: set[int]) -> Callable[[Face], bool]:
        return lambda face: place in face and bool(face & others)

    return all(
        pieces.rise(step, holds(place, others))
        for place, step, others in (
            (A, (1, 0, 0, 0), {B, C}),
            (D, (0, 0, 0, 1), {B, C}),
            (B, (0, -1, 0, 0), {A, D}),
            (C, (0, 0, -1, 0), {A, D}),
        )
    )


def is_number_on(form: Form, value: Fraction, face: Face) -> bool:
    """Whether it has this value wherever it is defined on a face."""
    if not defined(form, face):
        return True
    square = form.square()
    above, below = square.above.on(face), square.below.on(face)
    if not (above - Polynomial.number(value * value) * below).is_zero:
        return False
    own = form.factor.above.on(face)
    return value == 0 or (own if value > 0 else -own).never_negative


def _exceeds(form: Form, value: Fraction, face: Face, *, above: bool) -> bool:
    """Whether on the inside of a face f is above (or below) a value, where it is defined."""
    if not defined(form, face):
        return True
    sign = Polynomial.number(1 if above else -1)
    if form.is_rational:
        x = form.factor
        difference = sign * (x.above - Polynomial.number(value) * x.below)
    elif value == 0:
        difference = sign * form.factor.above * form.root.above
    elif (value > 0) != above:
        square = form.square()  # abs(f) < abs(value)
        difference = Polynomial.number(value * value) * square.below - square.above
    else:
        return False
    restricted = difference.on(face)
    return restricted.never_negative and not restricted.is_zero


def maximal_agreement(pieces: Pieces, best: Fraction, always: Face = frozenset()) -> bool:
    """Whether it is `best` where b = c = 0, and below it everywhere else; larger is better."""

    def outside(face: Face) -> bool:
        return always <= face and not face <= {A, D}

    if not pieces.everywhere(
        lambda face: always <= face <= {A, D}, lambda form, face: is_number_on(form, best, face)
    ):
        return False
    if pieces.everywhere(outside, lambda form, face: _exceeds(form, best, face, above=False)):
        return True
    # b passes to a and c to d: P and P' stay, and f rises to `best`
    return _ends_defined(pieces, outside, {B: A, C: D}) and _rise_both_ways(pieces)


def minimal_agreement(pieces: Pieces, worst: Fraction) -> bool:
    """Whether it is `worst` where a = d = 0, and above it everywhere else; larger is better."""

    def outside(face: Face) -> bool:
        return not face <= {B, C}

    if not pieces.everywhere(lambda face: face <= {B, C}, lambda form, face: is_number_on(form, worst, face)):
        return False
    if pieces.everywhere(outside, lambda form, face: _exceeds(form, worst, face, above=True)):
        return True
    # a passes to b and d to c: P and P' stay, and f falls to `worst`
    return _ends_defined(pieces, outside, {A: B, D: C}) and _rise_both_ways(pieces)


def _ends_defined(pieces: Pieces, holds: Callable[[Face], bool], passed: dict[int, int]) -> bool:
    """Whether, from wherever f is defined, it is so too at the end when all of some counts pass to others."""
    return all(
        pieces.defined_on(frozenset(passed.get(place, place) for place in face))
        for face in FACES
        if holds(face) and pieces.defined_on(face, somewhere=True)
    )


def _rise_both_ways(pieces: Pieces) -> bool:
    """Whether it rises strictly from b to a and from c to d on all faces that have both ends."""
    return pieces.rise(B_TO_A, lambda face: {A, B} <= face) and pieces.rise(
        C_TO_D, lambda face: {C, D} <= face
    )


def asymptotic_constant_baseline(pieces: Pieces) -> bool:
    """Whether it is one number at a = PQ/N and the other counts that follow; known of one piece only."""
    if len(pieces.forms) > 1:
        return False
    form = pieces.forms[0][0]
    x = form.factor
    if x.above.at_independence().is_zero:
        # the counts times N: every degree has to vanish
        parts = [Polynomial({e: v for e, v in x.above.terms.items() if sum(e) == k}) for k in x.above.degrees]
        return all(part.at_independence().is_zero for part in parts)
    square = form.square()
    if len(square.above.degrees | square.below.degrees) != 1:
        return False
    above, below = square.above.at_independence(), square.below.at_independence()
    half = (Fraction(1, 2), Fraction(1, 2), 0, 0)
    at_half = above.value(half), below.value(half)  # type: ignore[arg-type]
    if not at_half[1]:
        return False
    constant = Polynomial.number(at_half[0] / at_half[1])
    if not (above - constant * below).is_zero:
        return False
    if form.is_rational:
        return _constant(x)
    return x.above.never_negative or (-x.above).never_negative


def _constant(x: Ratio) -> bool:
    above, below = x.above.at_independence(), x.below.at_independence()
    half = (Fraction(1, 2), Fraction(1, 2), 0, 0)
    value = above.value(half) / below.value(half)  # type: ignore[arg-type]
    return (above - Polynomial.number(value) * below).is_zero
