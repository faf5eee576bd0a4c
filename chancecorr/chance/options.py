"""The options of a call, frozen, for all functions below the public ones.

A method is described by what it may spend on moments from the margins, on enumeration, and on simulation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np

from chancecorr.machine.arguments import Alternative, ArgumentValueError
from chancecorr.machine.budget import Budget
from chancecorr.machine.printing import format_seconds
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.seeding import make_seed_of_number


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Method:
    """A method: the forecast seconds that each step may take. 0 disables the step."""

    name: str  # name for the user
    needs_moments: bool = False  # True: refuse an index without moments from the margins
    needs_law: bool = False  # True: refuse an index whose distribution does not fit the budget
    quadrature: bool = True  # True: compute moments of indices that are not affine in T as well
    mean_seconds: float = 2.5  # for the mean of a sum over cells, or an index on listed tables
    cell_steps: float = 1e8  # steps, up to 1 ns each, for the variance of a sum over cells
    law_seconds: float = 0.0  # for the distribution of T
    law_tables: int = 0  # most tables listed for an index that T does not determine
    search_seconds: float = 0.0  # for splitting, if a p-value is below the resolution of the null
    mean_alone: bool = False  # True: only the mean is needed
    # True: mean and p-value come from simulated tables, whatever else is known: the published method
    only_tables: bool = False

    def within(self, budget: Budget) -> "Method":
        """Return the method with its limits scaled to the seconds of a budget."""
        alone = self.needs_moments or self.needs_law
        part = (lambda _: budget.find_seconds_left()) if alone else budget.limit_step
        return replace(
            self,
            mean_seconds=part(self.mean_seconds),
            cell_steps=STEPS_A_SECOND * part(self.cell_steps / STEPS_A_SECOND) if self.cell_steps else 0.0,
            law_seconds=part(self.law_seconds) if self.law_seconds else 0.0,
            law_tables=int(min(TABLES_A_SECOND * part(self.law_tables / TABLES_A_SECOND), 1e9)),
            search_seconds=part(self.search_seconds) if self.search_seconds else 0.0,
        )


STEPS_A_SECOND = 1e9  # steps for the variance of a sum over cells
TABLES_A_SECOND = 100_000  # tables listed and evaluated per second

MethodName = Literal["auto", "search", "analytic", "exact", "monte-carlo"]
"""Names of `METHODS`, for type checkers and editors."""

AUTO = Method(name="auto", law_seconds=0.3, law_tables=17_000)
SEARCH = replace(AUTO, name="search", search_seconds=10.0)
ANALYTIC = Method(name="analytic", needs_moments=True, mean_seconds=60.0, cell_steps=1e9)
EXACT = Method(name="exact", needs_law=True, mean_seconds=60.0, law_seconds=60.0, law_tables=2_000_000)
MEAN_ONLY = replace(AUTO, cell_steps=1.0, mean_alone=True)
MONTE_CARLO = Method(name="monte-carlo", quadrature=False, cell_steps=0.0, only_tables=True)

METHODS: Mapping[str, Method] = MappingProxyType(
    {method.name: method for method in (AUTO, SEARCH, ANALYTIC, EXACT, MONTE_CARLO)}
)


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model of chance for two partitions, by the name that users pass."""

    name: str
    about: str  # what chance means, as a clause after "where"
    make: Callable[..., Any]  # from margins, options, and the table and its objects if they are given
    treats_sides_alike: bool = True  # False if only the candidate is random


OwnBest = TypeVar("OwnBest", bound=float | None)

Best = float | Literal["mean"] | None  # type of `best`


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Options:
    """The checked keywords of `adjust`, for all functions below the public ones."""

    method: Method
    n_tables: int
    n_jobs: int | None
    model: NamedModel | Draws
    progress: bool | None
    precision: float | None
    controls: bool | None
    budget: Budget
    n_tables_is_limit: bool  # True if fewer tables may be drawn to keep within the budget
    whole_seed: int | None  # integer that repeats the draws if passed as `rng`; random without `rng`
    word_seed: np.uint64 | None  # 64 bits from an `rng` that is not a number
    checkpoint: str | None = None
    stop_after: int | None = None
    best: Best = None
    alternative: Alternative | None = None
    sharers: int = 1  # number of answers that share the seconds given by the user
    limits: Method = field(init=False)  # the method within the budget: what each step may take
    draws: Draws | None = field(init=False)  # the draws that the user passed as the model, or None

    def __post_init__(self) -> None:
        """Scale the limits of the method to the budget, and set `draws`."""
        limits = self.method if self.budget.seconds is None else self.method.within(self.budget)
        object.__setattr__(self, "limits", limits)
        object.__setattr__(self, "draws", self.model if isinstance(self.model, Draws) else None)

    @property
    def seed(self) -> np.uint64:
        """64-bit seed of all draws."""
        return make_seed_of_number(self.whole_seed) if self.word_seed is None else self.word_seed

    @property
    def named_seed(self) -> int:
        """The seed as an integer: given by the user, random, or 64 bits of the user's Generator."""
        return self.whole_seed if self.whole_seed is not None else int(self.seed)

    @property
    def rule(self) -> str:
        """Stopping rule as text, stored in the checkpoint."""
        if self.precision is None:
            return "a number of tables"
        most = f"at most {self.n_tables} tables, method {self.method.name}, controls {self.controls}"
        return f"precision {self.precision}, {most}"

    def choose_best(self, own: OwnBest) -> float | OwnBest:
        """Return `best` if it is a number, or the index's own best value if it is None; else raise."""
        if self.best is None or isinstance(self.best, Real):
            return own if self.best is None else float(self.best)
        raise ArgumentValueError(
            "best",
            f"must be a number or None (other values need two partitions with a table); got {self.best!r}.",
        )

    def split_budget(self, calls: int) -> "Options":
        """Return options with the seconds divided by the number of calls that share them."""
        if self.budget.seconds is None:
            return self
        return replace(self, budget=self.budget.split(calls), sharers=max(calls, 1) * self.sharers)

    def describe_budget(self, default: str) -> tuple[str, str]:
        """Return the seconds that the user gave as text, and a phrase on the answers that share them."""
        seconds = self.budget.find_seconds_left() * self.sharers
        shared = f" by {self.sharers:,} answers that share the budget" if self.sharers > 1 else ""
        return default if self.budget.seconds is None else format_seconds(seconds), shared
