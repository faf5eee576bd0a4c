"""Limits of a call in seconds and in bytes, checked before the work and during it."""

import math
import os
from dataclasses import dataclass, replace
from numbers import Integral

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, as_positive
from chancecorr.machine.printing import format_bytes, format_seconds

DEFAULT_SECONDS = 3.0  # forecast time of simulated tables if neither their number nor a budget is given
# compiled code: for a cell of a table that an index reads, or for an object that is read
NANOSECONDS_PER_CELL = 6.0
NANOSECONDS_PER_STEP = 1.0  # step of an enumeration, of dynamic programming, or of a sum over pairs
NANOSECONDS_PER_CALL = 50_000.0  # call of a Python function for one table, such as a user's function
SECONDS_OF_A_MINUTE = 60.0  # above this budget, all steps may take more time than by default, in proportion
SMALL_SHARE = 0.1  # largest share of a small budget for each step other than simulation
# work that cannot be interrupted may take this many seconds more than a budget, by forecast
SECONDS_BEYOND = 0.5


try:  # bytes for arrays if a budget does not limit them: half of the memory of this machine
    HALF_OF_MEMORY = 0.5 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
except (AttributeError, OSError, ValueError):  # the system does not tell its memory
    HALF_OF_MEMORY = float(2 << 30)


class TooCostlyError(ArgumentValueError):
    """An exact answer exceeds its budget; callers with another method catch only this error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a call.

    Parameters
    ----------
    seconds : float, optional
        Time of enumerations, by forecast, and of simulated tables, by forecast and by the clock; so the
        number of tables may depend on the machine. `math.inf` sets no limit. Work that cannot be interrupted
        is refused if its forecast is longer. By default, simulated tables take 3 s by forecast if `n_tables`
        is not given either, so that the answer depends only on the arguments. For a user's function there is
        then no forecast.
    bytes : int, optional
        Size of the largest array, or of arrays that are needed together; larger ones are refused. By default
        half of the memory of this machine. It also limits the number of simulated values that are kept, at
        400 bytes each and at most 2**24.

    Examples
    --------
    >>> Budget(seconds=5)
    Budget(seconds=5.0, bytes=None)
    """

    seconds: float | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        """Check `seconds` and `bytes`."""
        seconds, room = self.seconds, self.bytes
        if seconds is not None:
            object.__setattr__(
                self, "seconds", as_positive("budget", seconds, "a number of seconds", math.inf)
            )
        if room is not None:
            if isinstance(room, bool) or not (isinstance(room, Integral) or room == math.inf):
                raise ArgumentTypeError("budget", f"must have a whole number of bytes; got {room!r}.")
            if not room > 0:
                raise ArgumentValueError("budget", f"must have a number of bytes above 0; got {room!r}.")

    def find_seconds_left(self, spent: float = 0.0, default: float = math.inf) -> float:
        """Return the seconds that are left after `spent` of them; `default` if no number was given."""
        return default if self.seconds is None else max(self.seconds - spent, 0.0)

    def split(self, calls: int) -> "Budget":
        """Return the budget of each of several calls that share the seconds."""
        return self if self.seconds is None else replace(self, seconds=self.seconds / max(calls, 1))

    def limit_step(self, default: float) -> float:
        """Return the seconds for a step other than simulation, which takes at most `default` by default.

        Above a minute, a budget raises this in proportion; a small budget allows at most a tenth of its
        seconds.
        """
        if self.seconds is None:
            return default
        return max(min(default, SMALL_SHARE * self.seconds), default * self.seconds / SECONDS_OF_A_MINUTE)

    def check_bytes(self, argument: str, what: str, wanted: float) -> None:
        """Raise, with the argument to make smaller, if arrays for `what` need more memory than allowed."""
        allowed = HALF_OF_MEMORY if self.bytes is None else self.bytes
        if wanted > allowed:
            half = ", half of this machine's memory" if self.bytes is None else ""
            raise ArgumentValueError(
                argument,
                f"asks for {format_bytes(wanted)} for {what}; `budget` allows {format_bytes(allowed)}{half}.",
                "budget",
            )

    def check_seconds(self, what: str, seconds: float) -> None:
        """Raise if the forecast of `what`, which cannot be interrupted, exceeds the budget."""
        if self.seconds is not None and seconds > self.seconds + SECONDS_BEYOND:
            raise ArgumentValueError(
                "budget",
                f"must be at least {round_seconds_up(seconds)} (seconds) for {what};"
                f" got {format_seconds(self.seconds)}.",
            )


def as_budget(budget: float | Budget | None) -> Budget:
    """Return a `Budget` from the argument of a public function."""
    return budget if isinstance(budget, Budget) else Budget(seconds=budget)


def round_seconds_up(seconds: float) -> str:
    """Return a number of seconds that is enough, rounded up, as text."""
    return str(math.ceil(seconds)) if seconds > 1.0 else f"{1.05 * seconds:.2g}"
