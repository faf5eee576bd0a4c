"""How an index enters the catalogue: `entry` for one index, `family_entry` for one with numbers in its name.

A family of entries fills in by `functools.partial` what they have in common; an entry may say otherwise. Its
`exchange` says how much the index changes at most if two objects exchange their clusters.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from chancecorr.indices.from_cells import Summary
from chancecorr.indices.registry import F, Index, register_index
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import shared_with_kernels

Make = TypeVar("Make", bound=Callable[..., Index])

EXAMPLE_TABLE = ((2, 1), (0, 3))
"""The worked example of most entries: of its 15 pairs a = 4, b = 2, c = 3, d = 6."""


TWICE_BEST_PAIR_SUM: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "adjusted_rand": lambda A, B: A + B,
        "adjusted_wallace_1": lambda A, B: 2 * A,
        "adjusted_wallace_2": lambda A, B: 2 * B,
        "loevinger": lambda A, B: 2 * min(A, B),
        "braun_blanquet": lambda A, B: 2 * max(A, B),
    }
)
"""`Index.twice_best_pair_sum` of these indices, and of all others that are corrected as one of them."""


def entry(
    formula: str,
    *,
    needs: str,
    family: str,
    example: float,
    source: str,
    table: tuple[tuple[int, ...], ...] = EXAMPLE_TABLE,
    cell: Callable[..., float] | None = None,
    summary: Summary | None = None,
    **about: Any,
) -> Callable[[F], F]:
    """Register the decorated function: an index, the `link` of a sum of `cell`, or a formula of `summary`."""

    def decorate(function: F) -> F:
        target = about.get("corrected_as") or function.__name__
        fields = {
            "range": (0.0, 1.0),
            "link": function if cell else None,
            "twice_best_pair_sum": TWICE_BEST_PAIR_SUM.get(target),
        } | about
        evaluated: Callable[..., Any] = cell or function
        if summary is not None:
            function = shared_with_kernels(function)
            evaluated, fields["from_cells"] = summary(function)
            # Numba links machine code by this name, and keeps it under it
            evaluated.__name__ = evaluated.__qualname__ = function.__name__
            evaluated.__doc__ = function.__doc__
        register_index(
            function.__name__,
            evaluated,
            needs=needs,
            family=family,
            formula=formula,
            source=source,
            example=(table, example),
            **fields,
        )
        return function

    return decorate


def family_entry(*numbers: float, **about: Any) -> Callable[[Make], Make]:
    """Register a family by the function that makes members; its plain name is that with these numbers."""

    def decorate(make: Make) -> Make:
        register_index(dataclasses.replace(make(*numbers), name=make.__name__, make=make, **about))
        return make

    return decorate


def member(name: str, numbers: tuple[float, ...], formula: str, **about: Any) -> Index:
    """Member of a family, named like ``"f_beta(0.5)"``, from 0 to 1 unless it says otherwise."""
    shown = ", ".join(f"{number:.12g}" for number in numbers)
    twice = TWICE_BEST_PAIR_SUM.get(about.get("corrected_as", ""))
    fields: dict[str, Any] = {"range": (0.0, 1.0), "twice_best_pair_sum": twice} | about
    return Index(name=f"{name}({shown})", formula=formula, **fields)


def checked(name: str, number: float, rule: str, good: bool) -> float:
    """A member's number, if it is good."""
    if not good:
        raise ValueError(f"`{name}` must be {rule}; got {number!r}.")
    return float(number)


def above_zero(name: str, number: float) -> float:
    """A member's number, if it is above 0 and finite."""
    return checked(name, number, "above 0 and finite", 0.0 < number < math.inf)


def two_objects(row_totals: Integers, column_totals: Integers) -> float:
    """A number of objects that are largest in their row, or column, or matched."""
    return 2.0


def four_objects(row_totals: Integers, column_totals: Integers) -> float:
    """Such a number of rows and of columns together."""
    return 4.0


def two_shares(row_totals: Integers, column_totals: Integers) -> float:
    """Such a number as a share of all objects."""
    return 2.0 / max(int(row_totals.sum()), 1)


def information(row_totals: Integers, column_totals: Integers) -> float:
    """Mutual information in nats: ``x log x`` rises by ``m log m - (m - 1) log(m - 1)`` at most."""
    n, m = int(row_totals.sum()), min(int(row_totals.max(initial=0)), int(column_totals.max(initial=0)))
    if m < 2:
        return 0.0
    return 2.0 * (m * math.log(m) - (m - 1) * math.log(m - 1)) / n
