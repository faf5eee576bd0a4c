"""How far a simulation may go by the clock."""

import math
import time

from chancecorr.arguments import imported

FIRST_TABLES, SECOND_TABLES = 4, 16
"""Tables up to the first look at the clock, and up to the second one, or fewer where these take long."""

FIRST_SHARE_OF_SECONDS = 0.1
"""Share of the seconds that these take at most."""

GROWTH_BETWEEN_LOOKS = 16
"""From one look at the clock to the next the number of tables grows by this factor at most."""


class Clock:
    """How far a simulation may go until it looks at the clock again; without seconds it never does.

    What is compiled is not counted, and the first few tables, which are slow, not for the rate; nor is the
    time of the tables `before`, which are those of another run. `table` is the forecast of one.
    """

    def __init__(self, seconds: float | None, table: float = 0.0, before: int = 0) -> None:
        self.seconds, self.table = seconds, table
        self._counted_from, self._looks = before, 0
        self._began = 0.0 if seconds is None else read_clock()

    def next_look(self, m: int, target: int) -> int:
        """Number of tables up to which to go, at most the target; m where the time is over."""
        if self.seconds is None or math.isinf(self.seconds):
            return target
        self._looks += 1
        now = read_clock()
        elapsed, part = now - self._began, FIRST_SHARE_OF_SECONDS * self.seconds
        if self._looks == 1:
            return min(m + max(1, min(FIRST_TABLES, int(part / max(self.table, 1e-9)))), target)
        if self._looks == 2:
            rate = max(elapsed / (m - self._counted_from), 1e-9)
            self._counted_from, self._began, self.seconds = m, now, self.seconds - elapsed
            return min(m + max(1, min(SECOND_TABLES, int(part / rate))), target)
        drawn = m - self._counted_from
        fits = int(drawn * (self.seconds - elapsed) / max(elapsed, 1e-9))
        if fits < max(1, drawn // 20):
            return m
        # half of what fits, because the first tables may have come faster than the others will
        return min(
            target, m + max(1, min(GROWTH_BETWEEN_LOOKS * drawn, fits if m + fits >= target else fits // 2))
        )


def read_clock() -> float:
    """Seconds of a monotonic clock, less those of compilation."""
    machine_code = imported("chancecorr.machine.compiler")  # which imports Numba
    return time.monotonic() - (machine_code.seconds_compiling() if machine_code is not None else 0.0)
