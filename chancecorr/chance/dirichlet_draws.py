"""Two memberships: chance draws the rows of both anew, from Dirichlet laws that are fitted to them or flat.

DeWolfe & Andrews (2025), doi:10.1007/s11634-025-00625-w. Everything is sampled.
"""

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.null_model import Draws, NullModel, draw_values
from chancecorr.clusterings.dirichlet import drawing
from chancecorr.clusterings.membership import Membership
from chancecorr.indices.registry import Index
from chancecorr.simulation.precision import read_clock

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
        super().check(indices)
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

    def open_draws(self, indices: Sequence[Index]) -> AbstractContextManager[Draws]:
        """Memberships in place of both sides."""
        options = self.options
        draw = drawing(indices, self.P, self.Q, self.options.model.name, options.seed, options.n_jobs)
        return draw_values([index.name for index in indices], draw)

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
