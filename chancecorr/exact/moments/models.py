"""Exact means under the random models, from what two objects do or from single cells.

The two clusterings are independent, and at least one is matched at random. So of the N pairs of objects
``N p q`` are together in both on average, p and q being the chances that two objects are together on either
side; and the cell of a row of size s and a column of size r is hypergeometric, whatever the other sizes are.
Both need one number or law of each side, which the model's sides know (`chancecorr.null.models`). Whether an
index is linear in the pair counts, or its `link` one line for all cluster sizes, is tried at many points, for
piecewise linear ones in every corner. Source: Vinh, Epps & Bailey (2010) for given sizes; Gates & Ahn (2017),
arXiv:1701.06508, and Sundqvist, Chiquet & Rigaill (2023) for the other models.
"""

import numpy as np

from chancecorr.budget import TooCostlyError
from chancecorr.exact.moments.additive import expected_in_cells
from chancecorr.indices.evaluation import link_totals, total_of_cells, values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.models import Model, Side
from chancecorr.null.seeding import make_generator
from chancecorr.tables.contingency import Margins

MOST_PAIRS_OF_SIZES = 10_000_000
"""Pairs of a row's and a column's size over which an exact mean of a cell is taken."""


def expected_linear(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a ``"pairs"`` index that is linear in the pair counts; None for others, and below 2 objects."""
    n = margins.n
    if n < 2:
        return None
    N = n * (n - 1) // 2
    if linear_at(index, np.empty((0, 4)), N) is None:
        return None
    _require_few_objects(margins, model)
    p = model.rows.chance_together(margins.row_totals, n)
    q = model.columns.chance_together(margins.column_totals, n)
    expected = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    found = linear_at(index, np.array([[float(N * share) for share in expected]]), N)
    return None if found is None else float(found[0])


def linear_at(index: Index, counts: Floats, pairs: float) -> Floats | None:
    """Values of a ``"pairs"`` index at rows of pair counts, not whole, with this sum; None if not linear."""
    shares = make_generator(0).dirichlet([0.5] * 4, 256)
    corners = np.eye(4) * 0.6 + 0.1
    found = _at_counts(index, np.vstack([corners, shares]) * pairs)
    # a share is a mean of the corners with weights that sum to 1
    wanted = np.linalg.solve(corners.T, shares.T).T @ found[:4]
    if not (np.abs(wanted - found[4:]) <= 1e-11 * np.abs(found).max()).all():
        return None
    return _at_counts(index, counts)


def expected_sum(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a sum over cells whose `link` is a line, n alone deciding which; None for others.

    Of the clusters of a side ``n P(s) / s`` have size s on average, P(s) being the probability that a random
    object is in one of size s.
    """
    n = margins.n
    line = _line_of_link(index, n)
    if line is None:
        return None
    _require_few_objects(margins, model)
    row_sizes, p = model.rows.cluster_of_an_object(margins.row_totals, n)
    column_sizes, q = model.columns.cluster_of_an_object(margins.column_totals, n)
    if row_sizes.size * column_sizes.size > MOST_PAIRS_OF_SIZES:
        raise TooCostlyError(
            "margins", f"must have fewer sizes under the model {model.name!r}. Sample instead."
        )
    means = expected_in_cells(index, row_sizes, column_sizes, n)
    return line[0] + line[1] * float((n * p / row_sizes) @ means @ (n * q / column_sizes))


def linear_with_itself(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a linear ``"pairs"`` index of a random clustering with itself, over both sides; else None."""
    n, N = margins.n, margins.n * (margins.n - 1) // 2
    together = [side.chance_together(totals, n) for side, totals in _sides(margins, model)]
    counts = [[float(N * p), 0.0, 0.0, float(N * (1 - p))] for p in together]
    found = linear_at(index, np.array(counts), N)
    return None if found is None else float(found.mean())


def sum_with_itself(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean as in `linear_with_itself` of a sum over cells; None unless its `link` is one line."""
    n, line, means = margins.n, _line_of_link(index, margins.n), []
    if line is None:
        return None
    for side, totals in _sides(margins, model):
        sizes, p = side.cluster_of_an_object(totals, n)
        cell = np.zeros(1, dtype=np.int64)
        alone = [  # a cluster against itself
            total_of_cells(index, cell, cell, np.array([s]), Margins([s, n - s], [s, n - s]))
            for s in sizes.tolist()
        ]
        means.append(float(np.sum(n * p / sizes * alone)))
    return line[0] + line[1] * (means[0] + means[1]) / 2


def _line_of_link(index: Index, n: int) -> tuple[float, float] | None:
    """Intercept and slope of a link that is one line for all cluster sizes, tried at some of them."""
    if n < 2:
        return None
    sizes = ([n], [n - 1, 1], [(n + 1) // 2, n // 2], [1] * min(n, 7) + [n - 7] * (n > 7))
    totals = np.array([0.0, 0.31, 1.0])
    lines = np.array(
        [link_totals(index, totals, Margins(rows, columns)) for rows in sizes for columns in sizes]
    )
    first, _, last = lines[0].tolist()
    wanted = first + totals * (last - first)
    if not (np.abs(lines - wanted) <= 1e-12 * np.abs(wanted).max()).all():
        return None
    return first, last - first


def _at_counts(index: Index, counts: Floats) -> Floats:
    """Values of a ``"pairs"`` index at rows of pair counts that need not be whole."""
    nothing = np.zeros(len(counts), dtype=np.int64)
    return values_of_varying_pairs(index, tuple(counts.T.copy()), (nothing, nothing), 2)


def _sides(margins: Margins, model: Model) -> tuple[tuple[Side, Integers], tuple[Side, Integers]]:
    """Each side with its totals, of few objects: refused is what exact recursions cannot serve in time."""
    _require_few_objects(margins, model)
    return (model.rows, margins.row_totals), (model.columns, margins.column_totals)


def _require_few_objects(margins: Margins, model: Model) -> None:
    """Refuse what the exact recursions of a side cannot serve in time."""
    for side, totals in ((model.rows, margins.row_totals), (model.columns, margins.column_totals)):
        most = side.most_objects(totals)
        if most is not None and margins.n > most:
            raise TooCostlyError(
                "margins",
                f"must hold at most {most} objects for exact expectations under the model {model.name!r};"
                f" got {margins.n}. Sample instead.",
            )
