"""What each method may spend on each question: moments from the margins, a whole law, simulated tables."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from chancecorr.budget import DEFAULT_SECONDS, Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method, as budgets.

    Attributes
    ----------
    name : str
        What the user calls it.
    needs_moments : bool
        Whether an index without moments from the margins is refused.
    needs_law : bool
        Whether an index is refused if its distribution does not fit the budget.
    quadrature : bool
        Whether moments are looked for beyond the closed forms of indices that are affine in T.
    mean_seconds : float
        Seconds, by their forecast, that the mean of a sum over cells may take, or an index on listed tables.
    cell_steps : float
        Steps that the variance of a sum over cells may take, up to 1 ns each; where it needs more, only the
        mean is known. 0: no moments are wanted.
    law_seconds : float
        Seconds, by their forecast, that the law of T may take. 0: none is wanted.
    law_tables : int
        Tables that may be listed for the law of an index that T does not determine. 0: none is wanted.
    only_tables : bool
        Whether mean and p-value are those of simulated tables, whatever else is known: the published method.
    """

    name: str
    needs_moments: bool = False
    needs_law: bool = False
    quadrature: bool = True
    mean_seconds: float = DEFAULT_SECONDS
    cell_steps: float = 1e8
    law_seconds: float = 0.0
    law_tables: int = 0
    only_tables: bool = False

    def within(self, budget: Budget) -> "Method":
        """Method with other limits, if a number of seconds was given.

        All of them where the method is one of moments or of a law alone.
        """
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
            law_tables=_tables(part(self.law_tables / TABLES_A_SECOND)) if self.law_tables else 0,
        )


STEPS_A_SECOND = 1e9
"""Steps of the variance of a sum over cells."""

TABLES_A_SECOND = 100_000
"""Tables listed and evaluated."""


def _tables(seconds: float) -> int:
    return int(min(TABLES_A_SECOND * seconds, 1e9))


MethodName = Literal["auto", "analytic", "exact", "monte-carlo"]
"""Names of `METHODS`, for type checkers and editors."""

AUTO = Method(name="auto", law_seconds=0.3, law_tables=17_000)
ANALYTIC = Method(name="analytic", needs_moments=True, cell_steps=1e9)
EXACT = Method(name="exact", needs_law=True, law_seconds=60.0, law_tables=2_000_000)
MEAN_ONLY = Method(name="auto", cell_steps=1.0)
MONTE_CARLO = Method(name="monte-carlo", quadrature=False, cell_steps=0.0, only_tables=True)

METHODS: Mapping[str, Method] = MappingProxyType(
    {method.name: method for method in (AUTO, ANALYTIC, EXACT, MONTE_CARLO)}
)
