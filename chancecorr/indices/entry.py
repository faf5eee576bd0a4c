"""How an index enters the catalogue: `entry` for one index, `family_entry` for one with numbers in its name.

A family fills in once, by `functools.partial`, what its entries have in common; an entry may say otherwise::

    pair_index = functools.partial(entry, needs="pairs", family="pair_counting", symmetric=True)

    @pair_index("a / (a + b + c)", example=4 / 9, source="Jaccard (1908), ...")
    def jaccard(a, b, c, d):
        return a / (a + b + c)
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any, TypeVar

from chancecorr.indices.registry import F, Index, register_index

Make = TypeVar("Make", bound=Callable[..., Index])

EXAMPLE_TABLE = ((2, 1), (0, 3))
"""The worked example of most entries: of its 15 pairs a = 4, b = 2, c = 3, d = 6."""


def entry(
    formula: str,
    *,
    needs: str,
    family: str,
    example: float,
    source: str,
    table: tuple[tuple[int, ...], ...] = EXAMPLE_TABLE,
    cell: Callable[..., float] | None = None,
    **about: Any,
) -> Callable[[F], F]:
    """Register the decorated function as an index, or as the `link` of a sum of `cell` over the cells."""

    def decorate(function: F) -> F:
        fields = {"range": (0.0, 1.0), "link": function if cell else None} | about
        register_index(
            function.__name__,
            cell or function,
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
    return Index(name=f"{name}({shown})", formula=formula, **({"range": (0.0, 1.0)} | about))


def checked(name: str, number: float, rule: str, good: bool) -> float:
    """A member's number, if it is good."""
    if not good:
        raise ValueError(f"`{name}` must be {rule}; got {number!r}.")
    return float(number)


def above_zero(name: str, number: float) -> float:
    """A member's number, if it is above 0 and finite."""
    return checked(name, number, "above 0 and finite", 0.0 < number < math.inf)
