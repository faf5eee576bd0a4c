"""Properties of pair-counting formulas, proved by polynomials without negative coefficients.

A formula is f = x sqrt(y), x and y rational functions of the counts a, b, c, d >= 0. Its derivative along a
direction has the sign of one polynomial, once the denominators, which must have no negative coefficients, are
cleared. Where that polynomial has no negative coefficient either, it is never negative, and it is positive on
exactly those faces (which of the counts are zero) that hold one of its terms. Every move between two counts
at which f is defined runs, its ends aside, in the inside of one face, on which f is defined too: where the
derivative is positive there, f rises. A certificate looks at all faces. None is a proof of the contrary.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from experiments.properties.formulas import Form, Ratio
from experiments.properties.polynomials import FACES, Face, Polynomial

A, B, C, D = range(4)
Direction = tuple[int, int, int, int]

B_TO_A, B_TO_D, C_TO_A, C_TO_D = (1, -1, 0, 0), (0, -1, 0, 1), (1, 0, -1, 0), (0, 0, -1, 1)


def with_positive_denominators(form: Form) -> Form | None:
    """The same with denominators, and a root, that are never negative by their coefficients; None if not so."""
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


def rises(form: Form, direction: Direction, faces: Iterable[Face], *, strictly: bool = True) -> bool:
    """Whether f rises in a direction on the inside of these faces, where it is defined."""
    polynomial = slope(form, direction)
    if not polynomial.never_negative:
        return False
    if not strictly:
        return True
    # where the root is zero the derivative is not finite, and nothing is said
    return all(
        not polynomial.on(face).is_zero and not form.root.above.on(face).is_zero
        for face in faces
        if defined(form, face)
    )


def signed(form: Form, sign: int) -> Form:
    """The form, or its negative for a distance: larger for more agreement."""
    return Form(Ratio(Polynomial.number(sign)) * form.factor, form.root)


def _faces(holds: Callable[[Face], bool]) -> list[Face]:
    return [face for face in FACES if holds(face)]


def is_symmetric(form: Form) -> bool:
    """Whether b and c can be exchanged."""
    x, y = form.factor, form.root
    return x.equals(x.exchanged()) and y.equals(y.exchanged())


def monotone_merging(form: Form, always: Face = frozenset(), *, strictly: bool = True) -> bool:
    """Whether it rises as pairs pass from b to a, some pairs being apart in the reference.

    `always` are counts that are never zero.
    """
    faces = _faces(lambda face: {A, B} | always <= face and bool(face & {C, D}))
    return rises(form, B_TO_A, faces, strictly=strictly)


def monotone_splitting(form: Form, always: Face = frozenset(), *, strictly: bool = True) -> bool:
    """Whether it rises as pairs pass from c to d, some pairs being together in the reference."""
    faces = _faces(lambda face: {C, D} | always <= face and bool(face & {A, B}))
    return rises(form, C_TO_D, faces, strictly=strictly)


def monotone_in_counts(form: Form) -> bool:
    """Whether it rises as any pair passes from b or c to a or d."""
    return all(
        rises(form, direction, _faces(lambda face, ends=ends: ends <= face))  # type: ignore[misc]
        for direction, ends in (
            (B_TO_A, {A, B}),
            (B_TO_D, {B, D}),
            (C_TO_A, {A, C}),
            (C_TO_D, {C, D}),
        )
    )


def strongly_monotone(form: Form) -> bool:
    """Whether it rises in a and in d where b + c > 0, and falls in b and in c where a + d > 0."""
    upwards = all(
        rises(form, step, _faces(lambda face, k=k: k in face and bool(face & {B, C})))  # type: ignore[misc]
        for k, step in ((A, (1, 0, 0, 0)), (D, (0, 0, 0, 1)))
    )
    return upwards and all(
        rises(form, step, _faces(lambda face, k=k: k in face and bool(face & {A, D})))  # type: ignore[misc]
        for k, step in ((B, (0, -1, 0, 0)), (C, (0, 0, -1, 0)))
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


def maximal_agreement(form: Form, best: Fraction, always: Face = frozenset()) -> bool:
    """Whether it is `best` where b = c = 0, and below it everywhere else; larger is better."""
    inside = _faces(lambda face: always <= face <= {A, D})
    outside = _faces(lambda face: always <= face and not face <= {A, D})
    if not all(is_number_on(form, best, face) for face in inside):
        return False
    if all(_exceeds(form, best, face, above=False) for face in outside):
        return True
    # b passes to a and c to d: P and P' stay, and f rises to `best`
    ends = all(
        defined(form, (face - {B, C}) | ({A} if B in face else set()) | ({D} if C in face else set()))
        for face in outside
        if defined(form, face)
    )
    return ends and _rise_both_ways(form)


def minimal_agreement(form: Form, worst: Fraction) -> bool:
    """Whether it is `worst` where a = d = 0, and above it everywhere else; larger is better."""
    inside = _faces(lambda face: face <= {B, C})
    outside = _faces(lambda face: not face <= {B, C})
    if not all(is_number_on(form, worst, face) for face in inside):
        return False
    if all(_exceeds(form, worst, face, above=True) for face in outside):
        return True
    # a passes to b and d to c: P and P' stay, and f falls to `worst`
    ends = all(
        defined(form, (face - {A, D}) | ({B} if A in face else set()) | ({C} if D in face else set()))
        for face in outside
        if defined(form, face)
    )
    return ends and _rise_both_ways(form)


def _rise_both_ways(form: Form) -> bool:
    """Whether it rises strictly from b to a and from c to d on all faces that have both ends."""
    return rises(form, B_TO_A, _faces(lambda face: {A, B} <= face)) and rises(
        form, C_TO_D, _faces(lambda face: {C, D} <= face)
    )


def asymptotic_constant_baseline(form: Form) -> bool:
    """Whether it is one number at a = PQ/N and the other counts that follow, for all P and Q."""
    x, y = form.factor, form.root
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
    of_one_sign = x.above.never_negative or (-x.above).never_negative
    return (above - constant * below).is_zero and (form.is_rational and _constant(x) or of_one_sign)


def _constant(x: Ratio) -> bool:
    above, below = x.above.at_independence(), x.below.at_independence()
    half = (Fraction(1, 2), Fraction(1, 2), 0, 0)
    value = above.value(half) / below.value(half)  # type: ignore[arg-type]
    return (above - Polynomial.number(value) * below).is_zero
