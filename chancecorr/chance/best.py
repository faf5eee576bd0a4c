"""The value of an index at which its adjusted score is 1, by definition or by the cluster sizes."""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Real

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.engines import engine_of
from chancecorr.chance.options import Best
from chancecorr.exact.index_of_pair_sum import values_at
from chancecorr.indices.registry import Index
from chancecorr.null.models import Model
from chancecorr.tables.contingency import ContingencyTable, Margins

MOST_DENSE_CLUSTERS = 1_000
"""Clusters up to which a table of a clustering against itself is laid out in full."""

FEW_OBJECTS = Margins([2, 2], [3, 1])
"""On which it is tried whether the best value under a model is known."""


def best_value(index: Index, margins: Margins, best: Best) -> float:
    """The value that `best` stands for on these margins."""
    if best is None:
        return self_agreement(index, margins) if index.best is None else float(index.best)
    if isinstance(best, Real):
        return float(best)
    check_best((index,), best)
    if isinstance(best, Model):
        if index.best is not None:
            return float(index.best)
        if best.keeps_margins or margins.n < 2:
            return self_agreement(index, margins)
        return _of_the_model(index, margins, best)
    return float(values_at(index, margins, [Fraction(sum(margins.squares), 2)])[0])


def check_best(indices: Sequence[Index], best: Best) -> None:
    """Raise where one of the indices has no such best value: before the work, not after it."""
    for index in indices:
        if isinstance(best, Model):
            if index.best is None and not best.keeps_margins:
                _of_the_model(index, FEW_OBJECTS, best)
        elif isinstance(best, str) and not engine_of(index).goes_by_pair_sum:
            raise ArgumentValueError(
                "best",
                f"must be a number for index {index.name!r}, which needs {index.needs!r} and not pairs;"
                f" got {best!r}.",
            )


def _of_the_model(index: Index, margins: Margins, model: Model) -> float:
    found = engine_of(index).mean_with_itself(index, margins, model)
    if found is None:
        raise ArgumentValueError(
            "best",
            f"must not be 'model' for index {index.name!r}, whose mean of random clusterings against"
            f" themselves is not known under model {model.name!r}. Leave it out, or give a number.",
        )
    return found


def self_agreement(index: Index, margins: Margins) -> float:
    """Mean of the values of an index at ``(U, U)`` and ``(V, V)``, U and V with these cluster sizes."""
    values = []
    for totals in (margins.row_totals, margins.column_totals):
        sizes = totals[totals > 0]
        if sizes.size <= MOST_DENSE_CLUSTERS:
            table = ContingencyTable(np.diag(sizes))
        else:
            from scipy.sparse import diags_array

            table = ContingencyTable(diags_array(sizes, format="csr", dtype=sizes.dtype))
        values.append(engine_of(index).value(index, table))
    return sum(values) / 2
