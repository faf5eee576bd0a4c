"""Polynomials in the pair counts with rational coefficients, as little as the certificates need.

The variables are a, b, c, d, none of which is negative. A polynomial with no negative coefficient is
therefore never negative, and on a face of the quarter space (some counts zero, the others positive) it
is positive exactly where it has a term without the counts that are zero.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

VARIABLES = "abcd"
Exponents = tuple[int, ...]
Face = frozenset[int]

FACES: tuple[Face, ...] = tuple(
    frozenset(each) for each in chain.from_iterable(combinations(range(4), k) for k in range(1, 5))
)
"""Which counts are positive, in all ways but none."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Coefficients by exponents, without zeros."""

    terms: Mapping[Exponents, Fraction]

    @classmethod
    def of(cls, terms: Iterable[tuple[Exponents, Fraction]]) -> "Polynomial":
        """Sum of terms."""
        found: dict[Exponents, Fraction] = {}
        for exponents, coefficient in terms:
            found[exponents] = found.get(exponents, Fraction(0)) + coefficient
        return cls({exponents: x for exponents, x in found.items() if x})

    @classmethod
    def number(cls, value: Fraction | int) -> "Polynomial":
        """A constant."""
        return cls.of([((0, 0, 0, 0), Fraction(value))])

    @classmethod
    def variable(cls, place: int) -> "Polynomial":
        """One of the counts."""
        return cls.of([(tuple(int(i == place) for i in range(4)), Fraction(1))])

    def __add__(self, other: "Polynomial") -> "Polynomial":
        """Sum."""
        return Polynomial.of(chain(self.terms.items(), other.terms.items()))

    def __neg__(self) -> "Polynomial":
        """Negative."""
        return Polynomial({exponents: -x for exponents, x in self.terms.items()})

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        """Difference."""
        return self + -other

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        """Product."""
        return Polynomial.of(
            (tuple(i + j for i, j in zip(one, two, strict=True)), x * y)
            for one, x in self.terms.items()
            for two, y in other.terms.items()
        )

    def __pow__(self, exponent: int) -> "Polynomial":
        """Whole power."""
        found = Polynomial.number(1)
        for _ in range(exponent):
            found = found * self
        return found

    def derivative(self, place: int) -> "Polynomial":
        """By one of the counts."""
        return Polynomial.of(
            (tuple(e - (i == place) for i, e in enumerate(exponents)), x * exponents[place])
            for exponents, x in self.terms.items()
            if exponents[place]
        )

    def exchanged(self) -> "Polynomial":
        """With b and c in each other's place."""
        return Polynomial({(a, c, b, d): x for (a, b, c, d), x in self.terms.items()})

    def on(self, face: Face) -> "Polynomial":
        """Where the counts outside the face are zero."""
        return Polynomial(
            {
                exponents: x
                for exponents, x in self.terms.items()
                if all(i in face for i, e in enumerate(exponents) if e)
            }
        )

    def at_independence(self) -> "Polynomial":
        """At a = pq, b = p(1 - q), c = (1 - p)q, d = (1 - p)(1 - q): p and q take the first two places."""
        p, q, one = Polynomial.variable(0), Polynomial.variable(1), Polynomial.number(1)
        counts = (p * q, p * (one - q), (one - p) * q, (one - p) * (one - q))
        found = Polynomial({})
        for exponents, x in self.terms.items():
            term = Polynomial.number(x)
            for count, exponent in zip(counts, exponents, strict=True):
                term = term * count**exponent
            found = found + term
        return found

    @property
    def is_zero(self) -> bool:
        """Whether it has no term."""
        return not self.terms

    @property
    def never_negative(self) -> bool:
        """Whether no coefficient is negative; then no value is."""
        return all(x > 0 for x in self.terms.values())

    @property
    def degrees(self) -> set[int]:
        """Total degrees of the terms."""
        return {sum(exponents) for exponents in self.terms}

    def value(self, counts: Iterable[int]) -> Fraction:
        """At given counts."""
        numbers = list(counts)
        total = Fraction(0)
        for exponents, x in self.terms.items():
            term = x
            for number, exponent in zip(numbers, exponents, strict=True):
                term *= number**exponent
            total += term
        return total
