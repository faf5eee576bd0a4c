"""Test which clusters of two clusterings share more objects, or fewer, than expected by chance.

If the objects are matched at random, the number of objects that a row and a column share is hypergeometric;
within strata it is a sum of independent hypergeometric counts, one for each stratum.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.drawn_candidates import DrawnPartitions
from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.models import choose_model
from chancecorr.chance.within_strata import compute_laws_of_cells
from chancecorr.comparison.compare import correct_p_values
from chancecorr.comparison.comparison import CORRECTIONS
from chancecorr.correction.options import read_options
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.own_draws import Draws, find_codes, find_kind, take_draw
from chancecorr.sampling.seeding import RNG
from chancecorr.sampling.workers import show_progress
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import add_cells
from chancecorr.tables.objects import Stratum, read_strata
from chancecorr.tables.reading import Missing, NoiseOfSides, read_labels

Direction = Literal["greater", "less"]

MAX_CELLS = 1_000_000  # of a table whose cells are tested
MAX_ROWS_SHOWN = 20  # cells that a printed table shows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Overlaps(Result):
    """Observed and expected counts of all cells of a table, with p-values; see the example of `overlaps`.

    Attributes
    ----------
    labels_true, labels_pred : ndarray of shape (K,) and (Q,)
        Labels of the rows and of the columns of all matrices.
    observed : ndarray of int64, shape (K, Q)
        Number of objects that two clusters share.
    expected, ratio : ndarray of float64, shape (K, Q)
        Mean of these numbers by chance, and ``observed / expected``; nan for 0/0.
    p_value, p_corrected : ndarray of float64, shape (K, Q)
        Probability that chance gives a number at least as large (``alternative="greater"``) or at most as
        large (``"less"``); and this probability corrected for the number of cells.
    alternative, correction, model : str, str or None, str
        As they were given; `model` is the name of the model.
    n_draws, seed : int
        Number of simulated draws, 0 if the p-values are exact, and the seed; pass it as `rng`.
    notes : tuple of Note
        Notes on the labels.
    """

    _picture = "plot_overlaps"

    labels_true: npt.NDArray[Any]
    labels_pred: npt.NDArray[Any]
    observed: Integers
    expected: Floats
    ratio: Floats
    p_value: Floats
    p_corrected: Floats
    alternative: Direction
    correction: str | None
    model: str
    n_draws: int
    seed: int | None
    notes: Notes

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        names = "alternative", "correction", "model", "n_draws", "seed"
        sides = {name: getattr(self, name).tolist() for name in ("labels_true", "labels_pred")}
        matrices = {name: getattr(self, name).tolist() for name in MATRICES}
        about = {name: getattr(self, name) for name in names}
        return about | sides | matrices | {"notes": [note.to_dict() for note in self.notes]}

    def _list_columns(self) -> dict[str, list[Any]]:
        """List the cells row by row."""
        rows, columns = (side.ravel() for side in np.indices(self.observed.shape))
        sides = {"labels_true": self.labels_true[rows], "labels_pred": self.labels_pred[columns]}
        matrices = {name: getattr(self, name).ravel() for name in MATRICES}
        return {name: values.tolist() for name, values in (sides | matrices).items()}

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: the cells with the smallest p-values, and notes."""
        order = np.argsort(self.p_value, axis=None, kind="stable")
        cells = np.stack(np.unravel_index(order[:MAX_ROWS_SHOWN], self.observed.shape), axis=1)
        more = order.size - len(cells)
        corrected = "" if self.correction is None else f", corrected by {CORRECTIONS[self.correction]}"
        rows = [
            [
                str(self.labels_true[i]), str(self.labels_pred[j]), f"{self.observed[i, j]:,}",
                format_fixed(float(self.expected[i, j]), 1), format_fixed(float(self.ratio[i, j]), 2),
                format_p_value(float(self.p_value[i, j])), format_p_value(float(self.p_corrected[i, j])),
            ]
            for i, j in cells.tolist()
        ]  # fmt: skip
        return [
            TextTable(
                columns=["true", "pred", "observed", "expected", "ratio", "p", "p corrected"],
                rows=rows, left=2,
                caption=f"Overlaps of {self.labels_true.size} x {self.labels_pred.size} clusters, p of counts"
                f" at {'least' if self.alternative == 'greater' else 'most'} as large{corrected}, model"
                f" {self.model}",
                notes=[*([Note("more", f"and {more:,} more cells")] if more else []), *self.notes],
            )
        ]  # fmt: skip


MATRICES = "observed", "expected", "ratio", "p_value", "p_corrected"
"""Names of the matrices with one number for each cell."""


@explain_call
def overlaps(
    labels_true: Any,
    labels_pred: Any,
    *,
    alternative: Direction = "greater",
    correction: Literal["holm", "fdr_bh"] | None = "holm",
    model: str | Draws = PERMUTATION.name,
    strata: Any = None,
    n_tables: int | None = None,
    rng: RNG = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Overlaps:
    """Test whether each pair of clusters shares more objects than expected by chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.
    alternative : {"greater", "less"}
        Test if two clusters share more objects, or fewer.
    correction : {"holm", "fdr_bh"} or None
        Correction of the p-values for the number of cells: Holm's, which bounds the probability of one false
        finding, or Benjamini & Hochberg's, which bounds the expected share of false findings.
    model : {"permutation"} or Draws
        Permutations of all objects, or, for objects whose neighbours are alike, draws such as ``shifts(n)``
        or ``spins(places)`` of ``chancecorr.chance``.
    strata : array-like of shape (n,), optional
        Objects are only permuted within their stratum, such as a batch.
    n_tables, rng, progress
        As in `adjust`: number and seed of the draws, if `model` holds draws.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    Overlaps
        Matrices of observed and expected counts, ratios and p-values; a row for each reference cluster.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, or the table has more than a million cells.

    Notes
    -----
    With permutations the p-value of a cell is exact: the hypergeometric tail, which is also Fisher's exact
    test of these two clusters against all others. The cells depend on each other: Holm's correction allows
    for that, and Benjamini & Hochberg's is proven for positive dependence.

    With spins of a brain map, the test of a cell is the test of two networks in the network correspondence
    toolbox [1]_: spins that match places one to one keep the sizes of both networks, and then Dice's
    coefficient, twice the count by the sum of the sizes, has the same p-value as the count.

    References
    ----------
    .. [1] Kong et al. (2025), A network correspondence toolbox for quantitative evaluation of novel
       neuroimaging results, Nat. Commun. 16, 2930, doi:10.1038/s41467-025-58176-9.

    Examples
    --------
    >>> labels_true = ["cat"] * 6 + ["dog"] * 6
    >>> labels_pred = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]
    >>> found = overlaps(labels_true, labels_pred)
    >>> found.observed
    array([[5, 1, 0],
           [0, 4, 2]])
    >>> found.p_value.round(4)
    array([[0.0076, 0.9924, 1.    ],
           [1.    , 0.1212, 0.2273]])
    """
    check_choice("alternative", alternative, ["greater", "less"])
    check_choice("correction", correction, [None, *CORRECTIONS])
    if not isinstance(model, Draws) and model != PERMUTATION.name:
        raise ArgumentValueError("model", f"must be 'permutation' or `Draws`; got {model!r}.")
    options = read_options(model=model, n_tables=n_tables, rng=rng, progress=progress)
    pair = read_labels(labels_true, labels_pred, noise=noise, missing=missing)
    table, members, notes = pair.tabulate()
    if table.row_totals.size * table.column_totals.size > MAX_CELLS:
        rule = f"must have a table of up to {MAX_CELLS:,} cells; got shape {table.shape}"
        raise ArgumentValueError("labels_true", f"{rule}.", "labels_pred")
    observed, n_draws = table.dense_counts().astype(np.int64), 0
    if isinstance(model, Draws):
        if strata is not None:
            raise ArgumentTypeError("strata", "must be None with `Draws`, which draw for all objects.")
        drawn = choose_model(pair, "rand", options).model
        assert isinstance(drawn, DrawnPartitions)
        expected, p_value, n_draws = _simulate(drawn, table, observed, alternative)
        means = drawn.find_cell_means()
        expected = expected if means is None else means
    else:
        whole = Stratum(table.margins, np.arange(table.shape[0]), np.arange(table.shape[1]))
        parts = [whole] if strata is None else read_strata(strata, members, table.shape)
        expected, p_value = np.zeros(table.shape), np.ones(table.shape)
        for (i, j), (first, p) in compute_laws_of_cells(parts).items():
            expected[i, j] = p @ np.arange(first, first + p.size)
            place = int(observed[i, j]) - first
            tail = p[max(place, 0) :][::-1] if alternative == "greater" else p[: max(place + 1, 0)]
            p_value[i, j] = tail.sum()
    p_value = np.minimum(p_value, 1.0)
    corrected = correct_p_values(p_value.ravel(), correction).reshape(table.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = observed / expected
    return Overlaps(
        labels_true=table.row_labels, labels_pred=table.column_labels, observed=observed, expected=expected,
        ratio=ratio, p_value=p_value, p_corrected=corrected, alternative=alternative, correction=correction,
        model=model.name if isinstance(model, Draws) else model if strata is None else f"{model} in strata",
        n_draws=n_draws, seed=options.whole_seed if n_draws else None, notes=tuple(notes),
    )  # fmt: skip


def _simulate(
    model: DrawnPartitions, table: ContingencyTable, observed: Integers, alternative: Direction
) -> tuple[Floats, Floats, int]:
    """Return the mean of each cell over the draws, its p-value, and the number of draws."""
    draws, seed, n_draws = model.draws, model.options.seed, model.most_draws(())
    is_whole = draws.complete and 0 < draws.n_draws <= n_draws  # each element of a group once
    n_draws = draws.n_draws if is_whole else n_draws
    kind = find_kind(draws, model.n, seed)
    sums, extreme = np.zeros(observed.shape), np.zeros(observed.shape)
    with show_progress("draws", n_draws, model.options.progress) as show:
        for number in range(n_draws):
            drawn = take_draw(draws, number, model.n, seed, in_order=is_whole)
            codes = find_codes(draws, kind, drawn, model.codes[1], table.column_labels)
            counts = add_cells(model.codes[0], codes, None, table.shape, True)
            sums += counts
            extreme += counts >= observed if alternative == "greater" else counts <= observed
            show(number + 1)
    if is_whole:
        return sums / n_draws, extreme / n_draws, n_draws
    return sums / n_draws, (extreme + 1.0) / (n_draws + 1.0), n_draws
