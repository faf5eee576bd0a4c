"""Budgets of the methods for each question: moments from the margins, a whole law, simulated tables."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from chancecorr.machine.budget import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method, as budgets: seconds are forecasts, and 0 of something says that it is not wanted."""

    name: str  # what the user calls it
    needs_moments: bool = False  # whether an index without moments from the margins is refused
    needs_law: bool = False  # whether an index is refused if its distribution does not fit the budget
    quadrature: bool = True  # whether moments are looked for beyond indices that are affine in T
    mean_seconds: float = 2.5  # for the mean of a sum over cells, or an index on listed tables
    cell_steps: float = 1e8  # up to 1 ns each, for the variance of a sum over cells, else unknown
    law_seconds: float = 0.0  # for the law of T
    law_tables: int = 0  # listed for the law of an index that T does not determine
    search_seconds: float = 0.0  # for splitting, if a p-value is below what the null distribution resolves
    mean_alone: bool = False  # whether no other moment is wanted
    # whether mean and p-value are those of simulated tables, whatever else is known: the published method
    only_tables: bool = False

    def within(self, budget: Budget) -> "Method":
        """Method with other limits, if seconds were given; with all of them if it is of moments or a law."""
        if budget.seconds is None:
            return self
        alone = self.needs_moments or self.needs_law

        def part(seconds: float) -> float:
            return budget.seconds if alone and budget.seconds is not None else budget.part(seconds)

        return replace(
            self,
            mean_seconds=part(self.mean_seconds),
            cell_steps=STEPS_A_SECOND * part(self.cell_steps / STEPS_A_SECOND) if self.cell_steps else 0.0,
            law_seconds=part(self.law_seconds) if self.law_seconds else 0.0,
            law_tables=int(min(TABLES_A_SECOND * part(self.law_tables / TABLES_A_SECOND), 1e9)),
            search_seconds=part(self.search_seconds) if self.search_seconds else 0.0,
        )


STEPS_A_SECOND = 1e9
"""Steps of the variance of a sum over cells."""

TABLES_A_SECOND = 100_000
"""Tables listed and evaluated."""

MethodName = Literal["auto", "search", "analytic", "exact", "monte-carlo"]
"""Names of `METHODS`, for type checkers and editors."""

AUTO = Method(name="auto", law_seconds=0.3, law_tables=17_000)
SEARCH = replace(AUTO, name="search", search_seconds=10.0)
ANALYTIC = Method(name="analytic", needs_moments=True, mean_seconds=60.0, cell_steps=1e9)
EXACT = Method(name="exact", needs_law=True, mean_seconds=60.0, law_seconds=60.0, law_tables=2_000_000)
MEAN_ONLY = Method(name="auto", cell_steps=1.0, mean_alone=True)
MONTE_CARLO = Method(name="monte-carlo", quadrature=False, cell_steps=0.0, only_tables=True)

METHODS: Mapping[str, Method] = MappingProxyType(
    {method.name: method for method in (AUTO, SEARCH, ANALYTIC, EXACT, MONTE_CARLO)}
)
