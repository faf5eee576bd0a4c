"""Two partitions whose objects are matched at random within strata, such as batches or images.

Both clusterings keep their cluster sizes in each stratum, so that agreement which comes from the strata is
expected by chance. Some means are exact; everything else is sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from chancecorr.chance.engine import Known, Law, engine_of
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.sampling.permutation import Sampler, plan_strata
from chancecorr.sampling.precision import PowerControls
from chancecorr.tables.objects import Strata

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut
    from chancecorr.chance.null_distribution import NullDistribution


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansAlone(FixedMargins):
    """Two partitions under a model of which means are known at most; everything else is sampled."""

    keeps_margins: ClassVar[bool] = False

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index has no such best value, or the method no answer."""
        super().check(indices)
        if self.options.method.needs_law:
            raise ArgumentValueError(
                "method",
                f"must be 'auto', 'analytic' or 'monte-carlo' under model {self.options.model.name!r}, the"
                f" distributions of which are not enumerated; got {self.options.method.name!r}.",
            )

    def mean(self, index: Index) -> float | None:
        """Expected value under the model; None if it is not known."""
        known = self.moments(index)
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """None: the tables are not enumerated."""
        return None

    def find_controls(self, index: Index) -> PowerControls | None:
        """None: the moments of T are not those of fixed margins."""
        return None

    def std(self, index: Index) -> float | None:
        """None: it is not known."""
        return None

    def exact_score(self, index: Index) -> float | None:
        """None: the expected value has no closed form in A and B."""
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class WithinStrata(MeansAlone):
    """Margins, the table of the data, and the cluster sizes of each stratum."""

    strata: Strata

    def moments(self, index: Index) -> Known | None:
        """Mean, and variance where it is known, from the cluster sizes of the strata."""
        method = self.options.method
        if method.only_tables:
            return None
        of_strata = index, self.margins, self.strata, method
        return self._once("moments", index, lambda: engine_of(index).moments_within(*of_strata))

    def find_sampler(self) -> Sampler:
        """How sums of the tables of the strata are drawn."""
        return self._once("sampler", None, lambda: plan_strata(self.margins, self.strata))

    def interval_costs_little(self, index: Index, *, is_simulated: bool) -> bool:
        """No interval is known."""
        return False

    def score_random_tables(self, index: Index, n_tables: int) -> Floats:
        """Raise: random tables have no strata."""
        raise ArgumentValueError(
            "score", "must be of two partitions, without `weights` and `strata`, for scores by chance."
        )

    def leave_out(self, index: Index, null: "NullDistribution", groups: Any) -> "LeaveOneOut":
        """Raise: no interval is known."""
        raise ArgumentValueError(
            "strata", "must be None for an interval, which is not known where chance keeps to strata."
        )
