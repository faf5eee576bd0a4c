"""Checks of arguments that several public functions share, and how they are worded."""

import difflib
import operator
from collections.abc import Iterable
from typing import Literal, SupportsIndex

Alternative = Literal["greater", "less", "two-sided"]
"""Which values of an index count as extreme."""


def as_count(name: str, value: SupportsIndex, minimum: int = 1) -> int:
    """Whole number not below `minimum`.

    Examples
    --------
    >>> as_count("n_tables", 0)
    Traceback (most recent call last):
        ...
    ValueError: `n_tables` must be at least 1; got 0.
    """
    if isinstance(value, bool):
        raise TypeError(f"`{name}` must be a whole number; got {value!r}.")
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` must be a whole number; got {value!r}.") from None
    if count < minimum:
        raise ValueError(f"`{name}` must be at least {minimum}; got {count}.")
    return count


def one_of(name: str, value: object, allowed: Iterable[str | None]) -> None:
    """Raise unless `value` is among the allowed words.

    Examples
    --------
    >>> one_of("missing", "drp", ["raise", "drop"])
    Traceback (most recent call last):
        ...
    ValueError: `missing` must be one of 'raise', 'drop'; got 'drp'. Did you mean 'drop'?
    """
    words = list(allowed)
    if value not in words:
        listed = ", ".join(repr(word) for word in words)
        raise ValueError(f"`{name}` must be one of {listed}; got {value!r}.{did_you_mean(value, words)}")


def did_you_mean(value: object, words: Iterable[str | None]) -> str:
    """`` Did you mean 'x'?`` with the nearest word, or nothing when none is near.

    Examples
    --------
    >>> did_you_mean("jacard", ["rand", "jaccard"])
    " Did you mean 'jaccard'?"
    """
    if not isinstance(value, str):
        return ""
    near = difflib.get_close_matches(value.lower(), [word for word in words if word], n=1, cutoff=0.6)
    return f" Did you mean {near[0]!r}?" if near else ""
