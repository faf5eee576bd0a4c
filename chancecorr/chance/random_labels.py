"""Models with random labels that keep their names: uniform labels, and labels of both sides dealt anew.

They are for indices that compare labels by name. Under ``"uniform"``, each object has each of the K labels
with the same probability, on both sides: the adjusted accuracy is the coefficient of Brennan & Prediger
(1981), doi:10.1177/001316448104100307. Under ``"pooled"``, the labels of both sides are put together and
dealt anew: the adjusted accuracy is Krippendorff's alpha of nominal data, and the adjusted weighted agreement
is alpha with these weights, Hayes & Krippendorff (2007), doi:10.1080/19312450709336664. For many objects, the
adjusted accuracy approaches the pi of Scott (1955), doi:10.1086/266577.

Mean and variance are exact for weights that do not depend on the numbers of objects with each label; other
indices are sampled. The distribution under ``"uniform"`` is the distribution of a sum of n independent
weights; under ``"pooled"``, all tables are listed if they are few.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chancecorr.chance.engines import ENGINES, Law, check_size
from chancecorr.chance.fixed_margins import PERMUTATION, TableModel
from chancecorr.chance.options import NamedModel
from chancecorr.chance.random_partitions import MODELS_OF_PARTITIONS
from chancecorr.exact.agreement import (
    compute_law_of_uniform_labels,
    compute_moments_of_pooled_labels,
    compute_moments_of_uniform_labels,
    list_tables_of_pool,
)
from chancecorr.exact.means_without_object import remove_object_at
from chancecorr.exact.summary import UNKNOWN, Known, Moments, merge_rounded_values
from chancecorr.indices.agreement import find_fixed_weights
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import ContingencyTable, ManyMargins, count_table

NANOSECONDS_OF_A_DRAW, NANOSECONDS_OF_A_ROW, NANOSECONDS_OF_A_CELL = 150_000.0, 5_000.0, 50.0
"""Time of one table with its generator and the value of an index, and of its rows and cells."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RandomLabels(TableModel):
    """Base class of models whose random labels keep their names."""

    removes_from_cells: ClassVar[bool] = True

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index does not compare labels by name."""
        for index in indices:
            if not index.named:
                others = ", ".join(repr(model.name) for model in (PERMUTATION, *MODELS_OF_PARTITIONS))
                raise ArgumentValueError(
                    "model",
                    f"must be one of {others} for index {index.name!r}, which does not compare labels by"
                    f" name; got {self.name!r}.",
                )
            check_size(index, (self.margins.row_totals.size,) * 2)
        super().check(indices)

    def find_weights(self, index: Index) -> Floats | None:
        """Return the weights of all cells; None if they depend on the numbers of objects with each label."""
        size = self.margins.row_totals.size
        return self.compute_once("weights", index, lambda: find_fixed_weights(index, size))

    @abstractmethod
    def compute_moments(self, weights: Floats) -> Moments:
        """Return mean and variance of the mean weight."""

    def find_moments(self, index: Index) -> Known | None:
        if not self.n:
            return Known(UNKNOWN, 0.0)
        weights = self.find_weights(index)
        return None if weights is None else Known(self.compute_moments(weights), 0.0)

    @abstractmethod
    def draw_counts(self, rng: "np.random.Generator") -> Integers:
        """Draw the counts of a table."""

    def draw_tables(self, indices: Sequence[Index], numbers: range) -> Iterable[ContingencyTable]:
        """Yield the table of each draw, which depends on the seed and the draw's number alone."""
        for number in numbers:
            yield count_table(self.draw_counts(make_generator(self.options.seed, number)))

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the forecast seconds of one table, with the values of the indices."""
        K = self.margins.row_totals.size
        of_indices = sum(ENGINES[index.needs].nanoseconds(index, (K, K), self.n) for index in indices)
        return 1e-9 * (
            NANOSECONDS_OF_A_DRAW + NANOSECONDS_OF_A_ROW * K + NANOSECONDS_OF_A_CELL * K * K + of_indices
        )

    def find_mean_changes(self, index: Index) -> Floats:
        """Return the change of the mean when an object of each of the `nonzero_cells` is removed."""
        weights, table = self.find_weights(index), self.table
        assert table is not None
        if weights is None:
            raise ArgumentValueError(
                "model",
                f"must be 'permutation' for an interval of index {index.name!r}: the mean of the index is not"
                f" known under other models; got {self.name!r}.",
            )
        smaller = (
            remove_object_at(self.margins, *cell) for cell in zip(*table.nonzero_cells[:2], strict=True)
        )
        means = [self.on(less).compute_moments(weights).mean for less in smaller]
        return np.array(means) - self.compute_moments(weights).mean


class UniformLabels(RandomLabels):
    """Each object has each label with the same probability on both sides, independently."""

    def compute_moments(self, weights: Floats) -> Moments:
        return compute_moments_of_uniform_labels(weights, self.n)

    def law(self, index: Index) -> Law | None:
        weights, limits = self.find_weights(index), self.options.limits
        if weights is None or not self.n or not limits.law_seconds:
            return None

        def find_law() -> Law | None:
            law = compute_law_of_uniform_labels(weights, self.n, limits.law_seconds)
            return None if law is None else Law(*law, 0.0)

        return self.compute_once("law", index, find_law)

    def draw_counts(self, rng: "np.random.Generator") -> Integers:
        K = self.margins.row_totals.size
        return rng.multinomial(self.n, np.full(K * K, 1.0 / (K * K))).reshape(K, K)


class PooledLabels(RandomLabels):
    """The labels of both sides are put together, and two labels are dealt to each object."""

    @property
    def pool(self) -> Integers:
        """Number of labels of each kind on both sides together."""
        return self.margins.row_totals + self.margins.column_totals

    def compute_moments(self, weights: Floats) -> Moments:
        return compute_moments_of_pooled_labels(weights, self.pool)

    def law(self, index: Index) -> Law | None:
        method = self.options.limits
        if not self.n or not method.law_tables:
            return None

        def list_values() -> Law | None:
            try:
                tables, p = list_tables_of_pool(self.pool, method.law_tables)
            except TooCostlyError:
                return None
            margins = ManyMargins(tables.sum(axis=2), tables.sum(axis=1), self.n)
            return Law(*merge_rounded_values(ENGINES[index.needs].values(index, tables, margins), p), 0.0)

        return self.compute_once("law", index, list_values)

    def draw_counts(self, rng: "np.random.Generator") -> Integers:
        rows = rng.multivariate_hypergeometric(self.pool, self.n, method="marginals")
        left = self.pool - rows
        counts = np.empty((rows.size, rows.size), dtype=np.int64)
        for i, size in enumerate(rows.tolist()):
            counts[i] = rng.multivariate_hypergeometric(left, size, method="marginals")
            left -= counts[i]
        return counts


UNIFORM = NamedModel(
    "uniform",
    "each object has each label with the same probability on both sides, independently",
    UniformLabels,
)
POOLED = NamedModel(
    "pooled", "the labels of both sides are put together and dealt to the objects anew", PooledLabels
)
MODELS_OF_LABELS = (UNIFORM, POOLED)
