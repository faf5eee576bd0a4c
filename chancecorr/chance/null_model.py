"""A model of chance: two clusterings of n objects, and how chance changes them.

Each kind of clustering and each meaning of "by chance" is one `NullModel`, in a file of its own.
`correction.adjust` calls the methods below in this order, and never asks which model it has: a method returns
None if the model has no answer. To add a model, write its file and name it in `chance.models`.
"""

import contextlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar

import numpy as np

from chancecorr.chance.engines import Law
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import NamedModel, Options
from chancecorr.exact.summary import Known, score_index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.sampling.precision import ControlledMean, compute_controlled_mean
from chancecorr.sampling.task import Joint, Record
from chancecorr.sampling.workers import count_tables_in_block, evaluate_in_blocks
from chancecorr.tables.contingency import ContingencyTable, Margins

if TYPE_CHECKING:
    from chancecorr.sampling.checkpoint import Checkpoint

V = TypeVar("V")

Side = Literal["greater", "less"]  # side on which values of an index, or of T, are extreme


class PartScores(NamedTuple):
    """Adjusted scores of all objects, and after removing each part of them."""

    whole: float
    without: Floats
    best: float  # value at which the score is 1; nan if it depends on the objects
    cost: float  # largest share of a part


class Sampling(Protocol):
    """Values of several indices on draws number 0, 1, ... of a model."""

    checkpoint: "Checkpoint | None"
    n_draws: int  # draws that an interrupted run has made before
    wanted: int  # number of draws at which that run would have checked its precision, else 0

    def add(self, first: int, count: int) -> None:
        """Draw number ``first, ..., first + count - 1``."""

    def read(self, n_draws: int) -> dict[str, Joint]:
        """Return the values of all draws so far, by index name."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NullModel(ABC):
    """Base class of models: two clusterings of n objects, how chance changes them, and the options."""

    options: Options
    margins: Margins | None = None  # cluster sizes of the data, if both clusterings are partitions
    _computed: dict[Any, Any] = field(default_factory=dict, repr=False)  # results, by question or index

    draw_word: ClassVar[str] = "table"
    """The word for one draw, in notes and errors."""

    @property
    def name(self) -> str:
        """The name of the model in results."""
        return self.options.model.name

    @property
    def about(self) -> str:
        """The meaning of chance, as a clause after "where"."""
        assert isinstance(self.options.model, NamedModel)
        return self.options.model.about

    @property
    def has_data(self) -> bool:
        """True if the model has two clusterings, and not only their cluster sizes."""
        return True

    has_moments_alone: ClassVar[bool] = False
    """True if only moments are known, and nothing is drawn."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for pickling, without the computed results."""
        return {**self.__dict__, "_computed": {}}

    methods_with_values: ClassVar[str] = "'auto' or 'monte-carlo'"
    """The methods that give a whole distribution, for errors."""

    @property
    def kept_table(self) -> ContingencyTable | None:
        """The table of the data, if all draws keep its margins and all objects are matched at random."""
        return None

    def compute_once(self, question: str, index: Any, compute: Callable[[], V]) -> V:
        """Return the result of `compute`, which is called only once for each question and index."""
        key = question, "" if index is None else index.name
        if key not in self._computed:
            self._computed[key] = compute()
        return self._computed[key]  # type: ignore[no-any-return]

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of objects."""

    @property
    def place(self) -> str:
        """A phrase for errors that says under which model an index is evaluated."""
        return ""

    def check(self, indices: Sequence[Any]) -> None:
        """Raise, before the work, if an option does not apply to this model and these indices."""
        return

    @abstractmethod
    def observed(self, index: Any) -> float:
        """Return the value of the index on the data."""

    @abstractmethod
    def best(self, index: Any) -> float:
        """Return the value of the index at which the adjusted score is 1."""

    def find_moments(self, index: Any) -> Known | None:
        """Compute the moments without draws, within the limits of the method; None if they are unknown."""
        return None

    def moments(self, index: Any) -> Known | None:
        """Return the known moments; None if they are unknown, or if the method draws everything."""
        if self.options.method.only_tables:
            return None
        return self.compute_once("moments", index, lambda: self.find_moments(index))

    def moments_beside_draws(self, index: Any) -> Known | None:
        """Return the known moments that are shown beside simulated moments, or None."""
        return self.moments(index)

    def knows_mean(self, index: Any) -> bool:
        """Return True if the mean is known precisely, so that draws are only for the distribution."""
        known = self.moments(index)
        return known is not None and not known.error > (self.options.precision or math.inf)

    def mean(self, index: Any) -> float | None:
        """Return the expected value without draws, by the cheapest computation; None if it is unknown."""
        known = self.moments(index)
        return None if known is None else known.moments.mean

    def law(self, index: Any) -> Law | None:
        """Return all values with their probabilities; None if this costs more than the method allows."""
        return None

    def forecast_lost_mass(self, index: Any) -> float:
        """Return the probability of the values that `law` would leave out.

        0 if it gives all values, or if the value on the data is too near the mean to be left out.
        """
        return 0.0

    def bound_tail(self, index: Any, side: Side, null: NullDistribution | None = None) -> float | None:
        """Return the log of a proven bound of the p-value of the data, or None.

        By default the bound of Cantelli (1928), from mean and variance. `null` may give a simulated mean.
        """
        known = self.moments(index)
        if known is None or math.isnan(known.moments.mean) or math.isnan(known.moments.variance):
            return None
        above = self.observed(index) - known.moments.mean
        above = above if side == "greater" else -above
        if not above > 0.0 or not known.moments.variance > 0.0:
            return 0.0
        return -math.log1p(above * above / known.moments.variance)

    def side_of_pair_sum(self, index: Any, side: Side) -> Side | None:
        """Return the side with the extreme values of T; None if T does not determine the index."""
        return None

    def forecast(self, indices: Sequence[Any]) -> float:
        """Return the forecast seconds of a draw with the values of the indices on it; 0 if unknown."""
        return 0.0

    def seconds_spent(self, indices: Sequence[Any]) -> float:
        """Return the seconds of the budget that the values on the data took."""
        return 0.0

    def most_draws(self, indices: Sequence[Any]) -> int:
        """Return the largest number of draws if the user did not give their number."""
        return self.options.n_tables

    def open_draws(self, indices: Sequence[Any]) -> Sampling:
        """Open a simulation; if a checkpoint is given, continue from it."""
        options = self.options
        if options.checkpoint is None:
            return DrawnValues(self, indices, None)
        from chancecorr.sampling.checkpoint import hash_content, open_checkpoint

        named = {x.name for x in fields(self) if x.name[0] != "_"} - {"options", "draws"}
        own = [getattr(self, name) for name in sorted(named)]
        about = {
            "clusterings": f"{self.n} objects, {hash_content(*own)}",
            # because a matrix that is not in memory may have no hash
            "values on the data": ", ".join(str(self.observed(index)) for index in indices),
            "model": f"{self.name} {hash_content(options.draws)}",
            "rule": options.rule,
        }
        checkpoint = open_checkpoint(
            options.checkpoint, options.named_seed, indices, about, Record, ["draws"]
        )
        return DrawnValues(self, indices, checkpoint)

    draw_values: ClassVar[Callable[..., Floats]]
    """Return what is stored for the draws ``first, ..., first + count - 1``: shape (count, indices)."""

    def find_block_size(self, indices: Sequence[Any]) -> int:
        """Return the number of draws in a block; a user's function that is timed may get smaller blocks."""
        return count_tables_in_block(1e9 * self.forecast(indices))

    def calls_user(self, indices: Sequence[Any]) -> bool:
        """Return True if each draw calls a user's function, which is timed and does not run in threads."""
        return False

    def draw_blocks(self, indices: Sequence[Any], take: Callable[[Floats], object], numbers: range) -> None:
        """Evaluate draws in blocks, on workers, and pass each block to `take` in order."""
        is_timed = self.calls_user(indices)
        evaluate_in_blocks(
            partial(self.draw_values, indices), take, numbers,
            names=", ".join(repr(index.name) for index in indices), size=self.find_block_size(indices),
            is_timed=is_timed, in_threads=not is_timed, n_jobs=self.options.n_jobs,
            progress=self.options.progress, unit=f"{self.draw_word}s",
        )  # fmt: skip

    def read_values(self, index: Any, numbers: Floats, counts: Integers) -> Joint:
        """Return the values of all draws from number 0 on, computed from the stored numbers."""
        return Joint(numbers, None, counts)

    def controlled_mean(self, index: Any, values: Joint) -> ControlledMean | None:
        """Return the mean of simulated values and its error; None if the plain mean is used."""
        if self.options.precision is None or self.knows_mean(index):
            return None
        return compute_controlled_mean(values.values, values.counts, [], determined=False)

    def exact_score(self, index: Any) -> float | None:
        """Return a score that is more exact than the formula of three rounded values.

        None if it is unknown, if the user gives `best`, or if the mean is simulated.
        """
        return None

    def is_constant(self, index: Any) -> bool:
        """Return True if the moments that are known without draws show that the index is constant."""
        known = self.moments(index)
        return known is not None and known.moments.variance == 0.0

    def score_by_mean(self, index: Any, mean: float) -> float:
        """Return the adjusted score of the data, given only the expected value."""
        observed, best, exactly = self.observed(index), self.best(index), self.exact_score(index)
        return score_index(index, observed, best, mean, constant=self.is_constant(index), exactly=exactly)

    def compares_the_same(self) -> bool:
        """Return True if the two clusterings are the same."""
        return False

    def direction(self, index: Any) -> int:
        """Return 1 if the index rises strictly with T on all draws, -1 if it falls, else 0."""
        return 0

    def std(self, index: Any) -> float | None:
        """Return the standard deviation, from which draws for a precision are counted; None if unknown."""
        return None

    removes_from_cells: ClassVar[bool] = False
    """True if intervals remove an object of each cell of the table in turn, instead of parts."""

    def score_parts(self, index: Any, null: NullDistribution, groups: Any) -> PartScores:
        """Return the adjusted scores after removing each part of the objects, or each of the groups."""
        raise ArgumentValueError(
            "score", f"has no interval: no interval is available under model {self.name!r}."
        )

    def forecast_parts(self, index: Any, *, is_simulated: bool) -> float:
        """Return the forecast seconds of `score_parts`; infinite if it takes longer than the score did."""
        return math.inf


class DrawnValues:
    """A simulation by a model with `draw_values`: it stores the numbers of all draws."""

    def __init__(self, model: NullModel, indices: Sequence[Any], checkpoint: "Checkpoint | None") -> None:
        self._model, self._indices, self.checkpoint = model, indices, checkpoint
        self.n_draws, self.wanted = (checkpoint.n_tables, checkpoint.wanted) if checkpoint else (0, 0)
        nothing = np.empty((0, len(indices))), np.empty(0, dtype=np.int64)
        self._drawn = (checkpoint.tallies if checkpoint else {}).setdefault("draws", Record(nothing))

    def add(self, first: int, count: int) -> None:
        if self.checkpoint is not None:
            self.checkpoint.wanted = self.wanted
        self._model.draw_blocks(self._indices, self._take, range(first, first + count))

    def _take(self, numbers: Floats) -> None:
        """Store the numbers of a block."""
        ones = np.ones(len(numbers), dtype=np.int64)
        with self.checkpoint.adding(ones.size) if self.checkpoint else contextlib.nullcontext():
            self._drawn.add(numbers, ones)

    def read(self, n_draws: int) -> dict[str, Joint]:
        numbers, counts = self._drawn.result()
        columns = zip(self._indices, numbers.T, strict=True)
        return {index.name: self._model.read_values(index, column, counts) for index, column in columns}
