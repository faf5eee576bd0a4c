"""How many simulated tables a budget has room for: by their forecast beforehand, and by the clock.

The clock is looked at where a number of seconds was given, or no forecast is known (`seconds_allowed`).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chancecorr.arguments import ArgumentValueError, imported
from chancecorr.budget import DEFAULT_SECONDS
from chancecorr.chance.options import Request
from chancecorr.correction.question import Question
from chancecorr.null.partitions import forecast_laid_out, forecast_shape, forecast_table
from chancecorr.null.permutation import TableSampler
from chancecorr.printing import seconds_text
from chancecorr.simulation.task import tables_at_once
from chancecorr.simulation.workers import tables_in_block

T = TypeVar("T")

GUARD_SECONDS = 5.0
"""Seconds by the clock that permutations and weighted tables may take, and simulated tables for an index the
cost of which no forecast tells, where their number was left out. An answer that is ended so may have
another number of tables on another machine."""

LEAST_TABLES = 100
"""With fewer than these, a law is not simulated where the mean is known without: p-values would be multiples
of 0.01 or more."""

FEWEST_TABLES = 20
"""With fewer than these, a mean is not simulated."""

OVERHEAD_PER_TABLE_NS = 1e5
"""Nanoseconds more that an index takes on a table whose margins are its own."""

FIRST_TABLES, SECOND_TABLES = 4, 16
"""Tables up to the first look at the clock, and up to the second one, or fewer where these take long."""

FIRST_SHARE_OF_SECONDS = 0.1
"""Share of the seconds that these take at most."""

GROWTH_BETWEEN_LOOKS = 16
"""From one look at the clock to the next the number of tables grows by this factor at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many tables are drawn, the forecast of one in seconds, and the seconds that all may take."""

    n_tables: int
    seconds: float
    allowed: float


def plan_tables(questions: Sequence[Question]) -> Plan:
    """How many tables the budget has room for, by their forecast on one thread."""
    asked = questions[0].asked
    seconds = 1e-9 * _nanoseconds(questions)
    allowed = DEFAULT_SECONDS if asked.budget.seconds is None else asked.budget.seconds
    if not asked.n_tables_is_limit or seconds * asked.n_tables <= allowed:
        return Plan(n_tables=asked.n_tables, seconds=seconds, allowed=allowed)
    return Plan(n_tables=int(allowed / seconds), seconds=seconds, allowed=allowed)


def seconds_allowed(questions: Sequence[Question]) -> float | None:
    """Seconds by the clock, those of a budget; without one for functions of a user and matchings alone."""
    asked = questions[0].asked
    if asked.budget.seconds is not None or not asked.n_tables_is_limit:
        return asked.budget.seconds
    others = [each.index for each in questions if not each.kind.goes_by_pair_sum]
    return GUARD_SECONDS if any(each.family == "user" or each.nanoseconds for each in others) else None


def is_worth_it(plan: Plan, asked: Request) -> bool:
    """Whether as many tables are worth drawing for the law of an index, the mean of which is known."""
    return plan.n_tables >= min(LEAST_TABLES, asked.n_tables)


def note_of_fewer(n_tables: int, wanted: int, seconds: float | None = None, what: str = "table") -> str:
    """Note of a result with fewer tables, or others, than were wanted; `seconds` is the forecast of one."""
    drawn = {0: f"no {what}s were", 1: f"1 {what} was"}.get(n_tables, f"{n_tables:,} {what}s were")
    reason = "for which the time was too short"
    if seconds is not None:
        reason = f"which would take about {seconds_text(seconds * wanted)}"
    return f"{drawn} drawn in place of {wanted:,}, {reason}; a larger budget draws more"


def note_of_rounding(rounding: float) -> str:
    """Remark of a result whose distinct values were too many to be held as they are."""
    return f"the values are rounded, by {rounding:.2g} at most: those that differ were too many to be held"


def require_tables(question: Question, plan: Plan) -> None:
    """Raise if a mean would come from fewer tables than `FEWEST_TABLES`."""
    require_draws(question.name, plan.n_tables, question.asked, plan.seconds, "table", " on these margins")


def require_draws(
    name: str, drawn: int, asked: Request, seconds: float, what: str, where: str = "", spent: float = 0.0
) -> None:
    """Raise if a mean would come from fewer draws than `FEWEST_TABLES`; `seconds` is the time of one."""
    fewest = min(FEWEST_TABLES, asked.n_tables)
    if drawn >= fewest:
        return
    needed = (spent + fewest * seconds) * asked.sharers
    least = str(math.ceil(needed)) if needed > 1.0 else f"{1.05 * needed:.2g}"  # rounded up
    shared = f" by {asked.sharers:,} answers that share the budget" if asked.sharers > 1 else ""
    raise ArgumentValueError(
        "budget",
        f"must be at least {least} (seconds) for index {name!r}{where}: its mean has to be simulated{shared},"
        f" and a {what} takes about {seconds_text(seconds)}.",
    )


def draw_in_time(
    draw: Callable[[int, int], T], wanted: int, asked: Request, forecast: float, spent: float = 0.0
) -> list[T]:
    """Parts `draw(first, count)` of the draws number 0, 1, ..., as many as there is time for by the clock.

    The time is that of a budget, less what is `spent`; `GUARD_SECONDS` if neither it nor a number of draws is
    given. The forecast is that of one draw, in seconds.
    """
    seconds = asked.budget.seconds
    if seconds is not None:
        seconds -= spent
        wanted = wanted if seconds > 0.0 else 0
    elif asked.n_tables_is_limit:
        seconds = GUARD_SECONDS
    clock, m, parts = Clock(seconds, forecast), 0, []
    while m < wanted and (upto := clock.next_look(m, wanted)) > m:
        parts.append(draw(m, upto - m))
        m = upto
    return parts


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
    machine_code = imported("chancecorr.machine.options")  # which imports Numba
    return time.monotonic() - (machine_code.seconds_compiling() if machine_code is not None else 0.0)


def check_room(questions: Sequence[Question]) -> None:
    """Raise if one simulated table would be larger than the budget has bytes."""
    sampler = questions[0].sampler
    sums_alone = all(each.kind.goes_by_pair_sum for each in questions)
    if sampler.sparse or (sums_alone and isinstance(sampler, TableSampler)):
        return
    K, Q = sampler.shape
    questions[0].asked.budget.check_bytes("margins", f"one table of {K:,} by {Q:,}", 8.0 * K * Q)


def _nanoseconds(questions: Sequence[Question]) -> float:
    """Forecast of one table and of the indices on it."""
    margins, model = questions[0].margins, questions[0].asked.model
    others = [each for each in questions if not each.kind.goes_by_pair_sum]
    shape = questions[0].sampler.shape if model.keeps_margins else forecast_shape(margins, model)
    evaluated = sum(each.kind.nanoseconds(each.index, shape, margins.n) for each in others)
    if not model.keeps_margins:
        drawn = forecast_table(margins, model) + len(others) * OVERHEAD_PER_TABLE_NS + evaluated
        return drawn + (forecast_laid_out(shape, margins.n) if others else 0.0)
    sampler = questions[0].sampler
    together = tables_at_once(sampler) if others else tables_in_block(sampler.nanoseconds)
    return sampler.forecast(together) + evaluated
