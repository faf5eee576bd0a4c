"""One index asked about under chance, on given cluster sizes; each thing known of it is found once."""

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass

from chancecorr.arguments import ArgumentValueError
from chancecorr.budget import TooCostlyError
from chancecorr.chance.best import best_value
from chancecorr.chance.engine import Engine, Known, Law
from chancecorr.chance.engines import engine_of
from chancecorr.chance.methods import AUTO, MEAN_ONLY
from chancecorr.chance.options import Request
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.registry import Index
from chancecorr.machine.cached import cached_property
from chancecorr.null.permutation import plan_sampler
from chancecorr.null.strata import Sampler, plan_strata
from chancecorr.simulation.controls import PowerControls
from chancecorr.tables.contingency import ContingencyTable, Margins


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """An index and margins, and the request that says how its null distribution is found."""

    index: Index
    margins: Margins
    asked: Request

    @cached_property
    def name(self) -> str:
        """Name of the index."""
        return self.index.name

    @cached_property
    def kind(self) -> Engine:
        """Engine of the index."""
        return engine_of(self.index)

    @cached_property
    def sampler(self) -> Sampler:
        """Plan of the sampler of tables with these margins."""
        strata = self.asked.model.strata
        return plan_sampler(self.margins) if strata is None else plan_strata(self.margins, strata)

    @cached_property
    def direction(self) -> int:
        """1 if the index rises strictly with T on all tables with these margins, -1 if it falls, else 0."""
        return self.kind.direction(self.index, self.margins)

    @cached_property
    def best(self) -> float:
        """Value at which the adjusted score is 1."""
        return best_value(self.index, self.margins, self.asked.best)

    @cached_property
    def known(self) -> Known | None:
        """Moments from the margins alone, as far as the method goes; None if there are none."""
        method, model = self.asked.method, self.asked.model
        if model.is_permutation:
            return self.kind.moments(self.index, self.margins, method)
        if method.only_tables:
            return None
        if model.strata is not None:
            return self.kind.moments_within(self.index, self.margins, model.strata, method)
        try:
            mean = self.kind.mean_under(self.index, self.margins, model)
        except TooCostlyError:
            if method.needs_moments:
                raise
            return None
        return None if mean is None else Known(dataclasses.replace(UNKNOWN, mean=mean), 0.0)

    @cached_property
    def settled(self) -> bool:
        """Whether the mean is known, and as precisely as asked; tables then serve the distribution alone."""
        if self.asked.method.only_tables or self.known is None:
            return False
        return not self.known.error > (self.asked.precision or math.inf)

    @cached_property
    def mean(self) -> float | None:
        """Expected value from the margins alone, and nothing else; None if they do not determine it."""
        method, found = self.asked.method, None
        if not self.asked.model.is_permutation:
            found = self.known
        elif not (method.needs_moments or method.needs_law or method.only_tables):
            found = self.kind.moments(self.index, self.margins, MEAN_ONLY.within(self.asked.budget))
        return None if found is None else found.moments.mean

    @cached_property
    def law(self) -> Law | None:
        """Whole null distribution without tables drawn, with T if the index rises or falls strictly with it.

        None if it costs more than the method allows.
        """
        method, model = self.asked.method, self.asked.model
        if method.only_tables or not model.is_permutation:
            return None
        law = self.kind.law(self.index, self.margins, method)
        return law if law is None or self.direction else law._replace(pair_sums=None)

    @cached_property
    def law_ends(self) -> float:
        """Probability below which the whole null distribution tells nothing; 0 if it leaves out no table."""
        return self.kind.law_ends(self.margins, self.asked.method)

    @cached_property
    def controls(self) -> PowerControls | None:
        """Control variates of a simulated mean; None if it needs none, or if there are none."""
        wanted = not self.asked.method.only_tables if self.asked.controls is None else self.asked.controls
        if not wanted or self.settled or not self.asked.model.is_permutation:
            return None
        return self.kind.controls(self.index, self.margins)

    @cached_property
    def std(self) -> float | None:
        """Standard deviation from the margins, if a precision needs it to count tables; else None."""
        if self.asked.precision is None or self.settled or self.controls is not None:
            return None
        if not self.asked.model.is_permutation or not self.kind.goes_by_pair_sum:
            return None
        found = self.kind.moments(self.index, self.margins, AUTO)
        return found.moments.std if found is not None and math.isfinite(found.moments.std) else None

    def value(self, table: ContingencyTable) -> float:
        """Observed value of the index."""
        return self.kind.value(self.index, table)

    def require_known(self) -> Known:
        """The moments, of a method that has nothing else."""
        if self.known is not None:
            return self.known
        others = "'auto', 'exact' or 'monte-carlo'"
        why = "on these margins: its moments do not follow from them"
        if not self.asked.model.is_permutation:
            others = "'auto' or 'monte-carlo'"
            why = f"under model {self.asked.model.name!r}: its mean is not known there"
        raise ArgumentValueError(
            "method", f"must be {others} for index {self.name!r} {why}; got {self.asked.method.name!r}."
        )


def questions_about(margins: Margins, indices: Iterable[Index], asked: Request) -> tuple[Question, ...]:
    """One question for each index; refused if the method has no answer under the model."""
    if asked.method.needs_law and not asked.model.is_permutation:
        raise ArgumentValueError(
            "method",
            f"must be 'auto', 'analytic' or 'monte-carlo' under model {asked.model.name!r}, the distributions"
            f" of which are not enumerated; got {asked.method.name!r}.",
        )
    return tuple(Question(index=index, margins=margins, asked=asked) for index in indices)
