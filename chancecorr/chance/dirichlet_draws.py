"""Two memberships: chance draws the rows of both anew, from Dirichlet laws that are fitted to them or flat.

DeWolfe & Andrews (2025), doi:10.1007/s11634-025-00625-w. Everything is sampled.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.chance.null_model import NullModel
from chancecorr.clusterings.dirichlet import DIRICHLET_MODELS
from chancecorr.clusterings.membership import Membership
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import read_clock
from chancecorr.sampling.seeding import make_generator
from chancecorr.sampling.workers import map_in_threads

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut
    from chancecorr.chance.null_distribution import NullDistribution

MOST_DRAWS = 999
"""Draws of both sides, if their number is not given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DirichletDraws(NullModel):
    """Two memberships of the same objects."""

    P: Membership
    Q: Membership

    draw_word: ClassVar[str] = "draw"

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.P.n

    def check(self, indices: Sequence[Any]) -> None:
        """Raise if the method needs moments or a law, of which there are none."""
        method = self.options.method
        if method.needs_moments or method.needs_law:
            raise ArgumentValueError(
                "method",
                f"must be 'auto' or 'monte-carlo' with model {self.options.model.name!r}, whose means are"
                f" sampled; got"
                f" {method.name!r}.",
            )

    def observed(self, index: Index) -> float:
        """Value of the index on the data."""
        return float(index.function(self.P, self.Q).observed)

    def best(self, index: Index) -> float:
        """Value of the index at which the adjusted score is 1."""
        return self.options.best_or(math.nan if index.best is None else index.best)

    def forecast(self, indices: Sequence[Index]) -> float:
        """Seconds of a draw: those that the values on the data take."""
        start = read_clock()
        for index in indices:
            self.observed(index)
        return read_clock() - start

    def most_draws(self, indices: Sequence[Index]) -> int:
        """Draws at most if their number is not given."""
        return min(self.options.n_tables, MOST_DRAWS)

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Values of the indices on memberships in place of both sides, shape (count, indices)."""
        find_parameters = DIRICHLET_MODELS[self.options.model.name]
        if "laws" not in self._computed:
            self._computed["laws"] = [(side, find_parameters(side.rows)) for side in (self.P, self.Q)]

        def evaluate(number: int) -> list[float]:
            rng = make_generator(self.options.seed, number)
            drawn = [
                replace(side, rows=rng.dirichlet(parameters, side.n))
                for side, parameters in self._computed["laws"]
            ]
            return [index.function(*drawn).observed for index in indices]

        values = map_in_threads(evaluate, range(first, first + count), self.options.n_jobs)
        return np.array(values, dtype=np.float64)

    def compares_the_same(self) -> bool:
        """Whether both sides say the same of every object."""
        return np.array_equal(self.P.plain, self.Q.plain)

    def leave_out(self, index: Index, null: "NullDistribution", groups: Any) -> "LeaveOneOut":
        """Raise: no interval is known."""
        raise ArgumentValueError(
            "model",
            "must be 'permutation' for an interval: a Dirichlet law is fitted to the objects and its mean"
            f" simulated, both anew for each part that is left out; got {self.options.model.name!r}.",
        )
