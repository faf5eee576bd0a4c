"""Limits of a call, in seconds and in bytes: checked before the work, and while it goes on."""

import math
import os
from dataclasses import dataclass
from numbers import Integral

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, as_positive
from chancecorr.machine.printing import format_bytes, format_seconds

DEFAULT_SECONDS = 3.0  # by their forecast, of simulated tables whose number and budget are left out
NANOSECONDS_PER_CELL = 6.0  # of a table that an index reads, or of an object that is read, by machine code
NANOSECONDS_PER_STEP = 1.0  # of an enumeration, of dynamic programming, or of a sum over pairs
NANOSECONDS_PER_CALL = 50_000.0  # of Python for one table, as of a user's function
SECONDS_OF_A_MINUTE = 60.0  # budget from which on shorter steps take more than by default, in proportion
SMALL_SHARE = 0.1  # of a small budget that each of the shorter steps may take at most
SECONDS_BEYOND = 0.5  # by their forecast, that work which is done as a whole may take beyond a budget


try:  # bytes that arrays may have where a budget names none: half of the memory of this machine
    HALF_OF_MEMORY = 0.5 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
except (AttributeError, OSError, ValueError):  # it does not say
    HALF_OF_MEMORY = float(2 << 30)


class TooCostlyError(ArgumentValueError):
    """An exact answer takes more than its budget; a caller that has another way catches this alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a call.

    Parameters
    ----------
    seconds : float, optional
        Time of enumerations, by forecast, and of simulated tables, also by the clock, so that their number
        may depend on the machine; `math.inf` for no limit. Work that is done as a whole is refused if its
        forecast is longer. Left out, simulated tables whose number is left out too take 3 s by forecast, so
        that the answer depends on the arguments alone. A user's function has no forecast then.
    bytes : int, optional
        Largest array, or arrays that belong together; what needs more is refused. Left out, half of the
        memory of this machine. It also says how many simulated values are held, at most 2**24, at 400 bytes.

    Examples
    --------
    >>> Budget(seconds=5)
    Budget(seconds=5.0, bytes=None)
    """

    seconds: float | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        """Check both."""
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

    def part(self, default: float) -> float:
        """Seconds of a step other than simulated tables, by the seconds that it takes at most by default.

        In proportion to a budget above a minute; a tenth of a small one if that is less than the default.
        """
        if self.seconds is None:
            return default
        return max(min(default, SMALL_SHARE * self.seconds), default * self.seconds / SECONDS_OF_A_MINUTE)

    def check_bytes(self, argument: str, what: str, wanted: float) -> None:
        """Raise, naming the argument to make smaller, where arrays for `what` are larger than allowed."""
        allowed = HALF_OF_MEMORY if self.bytes is None else self.bytes
        if wanted > allowed:
            half = ", half of this machine's memory" if self.bytes is None else ""
            raise ArgumentValueError(
                argument,
                f"asks for {format_bytes(wanted)} for {what}; `budget` allows {format_bytes(allowed)}{half}.",
                "budget",
            )

    def check_seconds(self, what: str, seconds: float) -> None:
        """Raise where `what` is done as a whole and takes longer than allowed, by its forecast."""
        if self.seconds is not None and seconds > self.seconds + SECONDS_BEYOND:
            raise ArgumentValueError(
                "budget",
                f"must be at least {round_seconds_up(seconds)} (seconds) for {what};"
                f" got {format_seconds(self.seconds)}.",
            )


def as_budget(budget: float | Budget | None) -> Budget:
    """Budget from what a public function was given."""
    return budget if isinstance(budget, Budget) else Budget(seconds=budget)


def round_seconds_up(seconds: float) -> str:
    """Seconds that are enough, as text."""
    return str(math.ceil(seconds)) if seconds > 1.0 else f"{1.05 * seconds:.2g}"
