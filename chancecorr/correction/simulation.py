"""Simulate null distributions: plan the number of draws for a budget, and evaluate the draws.

The clock is read only if a number of seconds was given. Without a budget the number of draws follows from the
data, by forecasts that are constants.
"""

import contextlib
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from chancecorr.chance.null_distribution import NullDistribution, make_simulated_null
from chancecorr.chance.null_model import NullModel, Sampling
from chancecorr.exact.summary import Known, bound_rounding, compute_sample_moments
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.budget import DEFAULT_SECONDS, round_seconds_up
from chancecorr.machine.compiling import compile_at_once, count_seconds_as_python
from chancecorr.machine.kernel import read_clock
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_seconds
from chancecorr.sampling.precision import (
    BATCH_TABLES,
    MIN_DRAWS_OF_A_MEAN,
    NORMAL_QUANTILE,
    PUBLISHED_TABLES,
    ControlledMean,
    bound_variance,
    count_tables_for,
    count_tables_needed,
    plan_next_look,
)
from chancecorr.sampling.task import Joint

MIN_DRAWS_OF_A_LAW = 100  # fewest useful draws if the mean is known: p-values are multiples of 0.01

GRACE_SECONDS = 0.2
"""Seconds by which a budget may be exceeded to complete the minimum number of draws for a mean. The longest
step does not count, because it may have imported or compiled what all steps need."""

FIRST_TABLES, SECOND_TABLES = 4, 16
"""Most tables drawn before the first look at the clock, and between the first look and the second."""

FIRST_SHARE_OF_SECONDS = 0.1  # largest share of the seconds that the tables before each of these looks take
GROWTH_BETWEEN_LOOKS = 16  # most new tables between two looks at the clock, per table already drawn
A_CENTURY = 36_525.0 * 86_400.0  # seconds; a simulation that takes longer by its forecast is refused
Nulls = dict[str, NullDistribution]  # null distributions by index name


class Plan(NamedTuple):
    """Number of draws planned and wanted, forecast seconds per draw, and seconds allowed for all draws."""

    n_draws: int
    wanted: int
    seconds: float
    allowed: float


def plan_draws(model: NullModel, indices: Sequence[Index]) -> Plan:
    """Plan the number of draws that the budget allows, by the forecast for one thread."""
    options = model.options
    seconds = model.forecast(indices)
    allowed = options.budget.find_seconds_left(model.seconds_spent(indices), DEFAULT_SECONDS)
    wanted = model.most_draws(indices) if options.n_tables_is_limit else options.n_tables
    if not options.n_tables_is_limit and seconds * wanted > A_CENTURY:
        rule = f"must be smaller: {wanted:,} {model.draw_word}s take about {format_seconds(seconds * wanted)}"
        raise ArgumentValueError(
            "n_tables", f"{rule}. With a `budget` (seconds), as many as it allows are drawn."
        )
    n_draws = wanted
    if options.n_tables_is_limit and seconds * wanted > allowed:
        n_draws = int(allowed / seconds)
    return Plan(n_draws=n_draws, wanted=wanted, seconds=seconds, allowed=allowed)


def simulate(model: NullModel, indices: Sequence[Index], plan: Plan) -> Nulls:
    """Return null distributions from draws; only moments if the mean is known and the time ends early."""
    options, nulls = model.options, Nulls()
    fewest = 1 if options.stop_after else min(MIN_DRAWS_OF_A_MEAN, plan.wanted)
    if plan.n_draws < fewest:
        refuse_budget(model, indices[0].name, plan, fewest)
    start = read_clock()
    n_draws, samples = draw_samples(model, indices, plan)
    for index in indices:
        if n_draws >= fewest:
            moments = model.moments_beside_draws(index)
            nulls[index.name] = _make_null(model, index, samples[index.name], moments, n_draws, plan)
        elif model.knows_mean(index):
            note = note_fewer_draws(0, plan.wanted, what=model.draw_word)
            nulls[index.name] = make_null_of_moments(model, index, note)
        else:
            took = (read_clock() - start) / max(n_draws, 1)
            refuse_budget(model, index.name, plan._replace(seconds=max(plan.seconds, took)), fewest)
    return nulls


def make_null_of_moments(model: NullModel, index: Index, *notes: Note) -> NullDistribution:
    """Return a null distribution that has moments only."""
    known = model.moments(index)
    assert known is not None
    return NullDistribution(
        index=index.name, margins=model.margins, **known._asdict(), analytic=known.moments, notes=notes
    )


class Sample(NamedTuple):
    """Values of an index on the draws, and their mean by control variates if the mean is unknown."""

    values: Joint
    mean: ControlledMean | None


class Clock:
    """A clock that says up to which table a simulation may go before it reads the clock again.

    Without `seconds` it has no limit. The time of compilation and the tables `before` do not count; `table`
    is the forecast of one table in seconds.
    """

    def __init__(self, seconds: float | None, table: float = 0.0, before: int = 0) -> None:
        self.seconds, self.table = seconds, table
        self._counted_from, self._looks = before, 0
        self._began = 0.0 if seconds is None else read_clock()

    def find_next_look(self, m: int, target: int) -> int:
        """Return the number of tables at the next look, at most the target; m if the time is over."""
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
        # half of the tables that fit, because the first tables may have been faster than the next
        return min(
            target, m + max(1, min(GROWTH_BETWEEN_LOOKS * drawn, fits if m + fits >= target else fits // 2))
        )


def draw_samples(model: NullModel, indices: Sequence[Index], plan: Plan) -> tuple[int, dict[str, Sample]]:
    """Return the number of draws and the samples by index name; fewer than planned if time is over."""
    options, draws = model.options, model.open_draws(indices)
    with draws.checkpoint or contextlib.nullcontext():  # leaving the context writes the file
        m, most = draws.n_draws, plan.n_draws
        if options.budget.seconds is not None:  # the draws of a checkpoint do not count
            most = min(m + plan.n_draws, plan.wanted)
        if m > most:
            raise ArgumentValueError(
                "n_tables",
                f"must be at least {m}, the number of tables in `checkpoint`; got {most}. Pass this number,"
                " or delete the file.",
                "checkpoint",
            )
        wanted = most
        if options.precision is not None:
            wanted = min(draws.wanted or _plan_first_look(model, indices, options.precision), most)
        seconds = None if options.budget.seconds is None else plan.allowed
        fewest, grace = min(MIN_DRAWS_OF_A_MEAN, plan.wanted), plan.allowed + GRACE_SECONDS
        start, as_python = read_clock(), count_seconds_as_python()
        clock, longest = Clock(seconds, plan.seconds, m), 0.0

        def draw_until(look: int) -> int:
            nonlocal longest
            began = read_clock()
            draws.add(m, look - m)
            longest = max(longest, read_clock() - began)
            return look

        while True:
            draws.wanted = wanted
            stopped = None
            if options.stop_after is not None:
                m, stopped = _draw_until_extreme(model, indices, draws, wanted)
                wanted = most = m
            while m < wanted and (look := clock.find_next_look(m, wanted)) > m:
                m = draw_until(look)
            # seconds that kernels ran as Python do not count: the next call would compile them
            slowed = count_seconds_as_python() - as_python
            with compile_at_once():
                while m < min(fewest, wanted) and read_clock() - start - max(slowed, longest) < grace:
                    m = draw_until(m + 1)
            values = draws.read(m) if stopped is None else stopped
            means = {index.name: model.controlled_mean(index, values[index.name]) for index in indices}
            samples = {name: Sample(values[name], mean) for name, mean in means.items()}
            needed = 0.0
            if options.precision is not None:
                needed = _count_draws_needed(model, indices, samples, m, options.precision)
            if needed <= m or m >= most or m < wanted:
                return m, samples
            wanted = min(plan_next_look(m, needed), most)


def _draw_until_extreme(
    model: NullModel, indices: Sequence[Index], draws: Sampling, most: int
) -> tuple[int, dict[str, Joint]]:
    """Draw one by one until `stop_after` draws are as extreme as the data (Besag & Clifford 1991)."""
    if len(indices) != 1 or not model.has_data:
        got = f"{len(indices)} indices" if model.has_data else "margins only"
        raise ArgumentValueError("stop_after", f"works with one index and two clusterings; got {got}.")
    options, index = model.options, indices[0]
    observed, side = model.observed(index), options.alternative or index.better_side
    if side == "two-sided":
        raise ArgumentValueError("stop_after", "must be None for a two-sided p-value.", "alternative")
    values: dict[str, Joint] = {}
    slack, m = bound_rounding(observed), 0
    while m < most:
        draws.add(m, 1)
        further = draws.read(m + 1)
        of_index = further[index.name]
        above = of_index.values - observed if side == "greater" else observed - of_index.values
        # the last extreme draw is not counted, so that ``(b + 1) / (m + 1)`` equals their ``h / m``
        if m > 0 and of_index.counts[above >= -slack].sum() >= (options.stop_after or math.inf):
            break
        m, values = m + 1, further
    return m, values


def _plan_first_look(model: NullModel, indices: Sequence[Index], precision: float) -> int:
    """Return the number of draws before the precision is checked for the first time."""
    starts = []
    for index in indices:
        std = None if model.knows_mean(index) else model.std(index)
        if std is not None:
            starts.append(count_tables_for(std, precision))
        else:
            starts.append(PUBLISHED_TABLES if model.knows_mean(index) else BATCH_TABLES)
    return min(max(*starts, MIN_DRAWS_OF_A_MEAN), model.options.n_tables)


def _count_draws_needed(
    model: NullModel, indices: Sequence[Index], samples: Mapping[str, Sample], m: int, precision: float
) -> float:
    """Return the number of draws with which all simulated means would be precise enough."""
    needed = 0.0
    for index in indices:
        values, mean = samples[index.name].values, samples[index.name].mean
        if mean is None:
            continue
        if model.std(index) is not None:  # draws were planned with this; now use their standard error
            needed = max(needed, m * (NORMAL_QUANTILE * mean.standard_error / precision) ** 2)
            continue
        width = index.range[1] - index.range[0]
        kurtosis = compute_sample_moments(values.values, values.counts).kurtosis
        variance = bound_variance(mean.standard_error**2 * mean.variance_reduction * m, kurtosis, m)
        unit = width if math.isfinite(width) else 1.0
        needed = max(needed, count_tables_needed(variance, unit, mean.variance_reduction, precision))
    return needed


def _make_null(
    model: NullModel, index: Index, sample: Sample, known: Known | None, n_draws: int, plan: Plan
) -> NullDistribution:
    """Return the null distribution of a sample, with a note if fewer draws were made than wanted."""
    notes, values = list[Note](), sample.values
    if values.pair_sums is not None and not model.direction(index):
        values = values._replace(pair_sums=None)
    if n_draws < plan.wanted and model.options.precision is None and model.options.stop_after is None:
        notes.append(note_fewer_draws(n_draws, plan.wanted, what=model.draw_word))
    error = 0.0 if sample.mean is None else NORMAL_QUANTILE * sample.mean.standard_error
    if model.options.precision is not None and error > model.options.precision:
        wanted = f"{model.options.precision:.2g} requested"
        text = f"the expected value is known only to within {error:.2g} ({wanted})"
        notes.append(Note("precision", text))
    return make_simulated_null(
        index.name, model.margins, values, known, mean_is_known=model.knows_mean(index),
        controlled=sample.mean, notes=notes,
        what="simulated tables" if model.draw_word == "table" else f"{model.draw_word}s",
    )  # fmt: skip


def note_fewer_draws(n_draws: int, wanted: int, seconds: float | None = None, what: str = "table") -> Note:
    """Return the note on fewer draws than wanted; `seconds` is the forecast of one draw."""
    drawn = {0: "none", 1: "only 1"}.get(n_draws, f"only {n_draws:,}")
    verb = "was" if n_draws == 1 else "were"
    reason = "time limit"
    if seconds is not None:
        reason = f"they would take about {format_seconds(seconds * wanted)}"
    text = f"{drawn} of {wanted:,} {what}s {verb} drawn ({reason}); a larger budget draws more"
    return Note("few draws", text)


def refuse_budget(model: NullModel, name: str, plan: Plan, fewest: int) -> NoReturn:
    """Raise because a mean would come from too few draws."""
    options = model.options
    spent = max(options.budget.find_seconds_left(default=plan.allowed) - plan.allowed, 0.0)
    needed = (spent + fewest * plan.seconds) * options.sharers
    given, shared = options.describe_budget(f"none, which allows {DEFAULT_SECONDS:g} s of simulation")
    raise ArgumentValueError(
        "budget",
        f"must be at least {round_seconds_up(needed)} (seconds) for index {name!r}{model.place}; got {given}:"
        f" its mean has to be simulated{shared},"
        f" and a {model.draw_word} takes about {format_seconds(plan.seconds)}.",
    )
