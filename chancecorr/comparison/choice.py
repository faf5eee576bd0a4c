"""The score of the best of many candidates, corrected for the choice of the best.

The best adjusted score of many random clusterings is above 0. The reference is permuted, once for all
candidates, so that their dependence is kept: this gives the joint distribution of all scores by chance, and
the mean of the largest is what choosing alone contributes.
"""

import functools
import itertools
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import choose_model, place_model
from chancecorr.chance.options import Options
from chancecorr.chance.weighted_objects import WeightedLabels
from chancecorr.clusterings.pair_kernels import fill_permuted_tables
from chancecorr.correction.scores import AdjustedScore
from chancecorr.exact.summary import bound_rounding
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import is_worth_compiling
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.sampling.own_draws import (
    Draws,
    count_draws,
    find_kind,
    is_permutation,
    order_places,
    take_draw,
)
from chancecorr.sampling.seeding import make_generator
from chancecorr.sampling.segment_draws import SegmentDraws
from chancecorr.sampling.workers import show_progress
from chancecorr.tables.reading import Pair
from chancecorr.tables.union import number_over_union, spread_table

FIELDS_OF_A_CHOICE = (
    "candidate", "adjusted", "expected_maximum", "monte_carlo_error", "corrected", "p_value",
)  # fmt: skip
"""Fields of a `Choice` in JSON."""

PERMUTATIONS = 2_000  # of the reference, by default
MAX_OBJECTS_LISTED = 7  # up to this many objects, all permutations are listed
CELLS_AT_ONCE = 1 << 21  # cells of the tables that are evaluated together: 16 MB
NANOSECONDS_SPARED_BY_KERNEL = 3.0  # per object of a permuted table, compared with NumPy


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """The best of m candidates by one index, and what choosing it contributes by chance.

    Attributes
    ----------
    candidate, adjusted : hashable, float
        Name and adjusted score of the best candidate; the first given, if several are equal.
    expected_maximum, monte_carlo_error : float
        Mean of the largest adjusted score if the reference is permuted; and its standard error, 0 if all
        permutations, or all draws of a group, were listed.
    corrected : float
        ``(adjusted - expected_maximum) / (1 - expected_maximum)``: 0 if the best is as good as the best of
        the candidates by chance, 1 for perfect agreement.
    p_value : float
        Probability that the largest score by chance is at least `adjusted`. It allows for the choice, and for
        the dependence of the candidates.
    maxima : ndarray of float64, shape (n_permutations,)
        Largest adjusted score of each permutation.

    Examples
    --------
    >>> from chancecorr import compare
    >>> candidates = {"a": [0, 0, 1, 1, 1, 1], "b": [0, 1, 0, 1, 2, 2]}
    >>> choice = compare([0, 0, 0, 1, 1, 1], candidates, chosen="best").choice["rand"]
    >>> choice.candidate, round(choice.p_value, 6), choice.maxima.size
    ('a', 0.4, 720)
    """

    candidate: Hashable
    adjusted: float
    expected_maximum: float
    monte_carlo_error: float
    corrected: float
    p_value: float
    maxima: Floats

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers, without the scores of single permutations."""
        return {name: getattr(self, name) for name in FIELDS_OF_A_CHOICE} | {
            "n_permutations": self.maxima.size
        }


def describe_choice(choice: Choice, m: int) -> Note:
    """Return a note for m candidates."""
    numbers = (choice.adjusted, choice.expected_maximum, choice.corrected)
    best, by_choice, corrected = (format_fixed(number, 3) for number in numbers)
    return Note(
        "choice",
        f"best of {m:,}: {best}, of which {by_choice} is expected by choosing the best; corrected for the"
        f" choice {corrected}, p {format_p_value(choice.p_value)} ({choice.maxima.size:,} permutations of the"
        " reference)",
    )


def measure_choice(
    pairs: Mapping[Hashable, Pair], scores: Sequence[AdjustedScore], options: Options,
    strata: Integers | None = None, weights: Any = None,
) -> Choice | None:  # fmt: skip
    """Return the best candidate by one index, from a score for each pair; None if no pair has a score.

    With strata, their numbers for each object, the reference is permuted within them. Weights stay with the
    objects of the reference, and the user's draws have to be permutations.
    """
    counted = [k for k, score in enumerate(scores) if math.isfinite(score.adjusted)]
    if not counted:
        return None
    if any(pair.kept is not None and not pair.kept.all() for pair in pairs.values()):
        rule = "must be None if candidates leave out objects, so that no permutation is common to all of them"
        raise ArgumentValueError("chosen", f"{rule}; pass drop='common'.")
    options = place_model(options, next(iter(pairs.values())).objects)
    listed = [_lay_out(list(pairs.values())[k], scores[k], options, weights) for k in counted]
    n, n_draws, draws = listed[0].rows.size, options.n_tables, options.draws
    is_whole = draws is None and strata is None and n <= MAX_OBJECTS_LISTED
    if is_whole:
        everything = np.array(list(itertools.permutations(range(n))), dtype=np.int64)
        n_draws = len(everything)
    elif draws is not None:
        n_draws = count_draws(draws, n_draws, options.n_tables_is_limit)
        is_whole = draws.complete and draws.n_draws <= n_draws
        n_draws = draws.n_draws if is_whole else n_draws
    elif options.n_tables_is_limit:
        n_draws = min(n_draws, PERMUTATIONS)
    at_once = max(1, CELLS_AT_ONCE // max(n, *(math.prod(item.shape) for item in listed)))
    maxima = np.empty(n_draws)
    seconds = 1e-9 * NANOSECONDS_SPARED_BY_KERNEL * n * n_draws * len(listed)
    has_kernel = is_worth_compiling(fill_permuted_tables, seconds)
    with show_progress("permutations", n_draws, options.progress) as show:
        for start in range(0, n_draws, at_once):
            numbers = range(start, min(start + at_once, n_draws))
            if draws is not None:
                permuted = _take_permutations(draws, n, options.seed, numbers, in_order=is_whole)
            elif is_whole:
                permuted = everything[start : numbers.stop]
            else:
                permuted = _permute(n, strata, options.seed, numbers)
            of_candidates = [item.score_permuted(permuted, has_kernel) for item in listed]
            maxima[start : numbers.stop] = np.max(of_candidates, axis=0)
            show(numbers.stop)
    best = max(counted, key=lambda k: scores[k].adjusted)
    adjusted, error = scores[best].adjusted, 0.0
    reached = int(np.count_nonzero(maxima >= adjusted - bound_rounding(1.0)))
    p_value = reached / maxima.size
    if not is_whole:
        p_value = (1 + reached) / (1 + maxima.size)
        error = float(maxima.std(ddof=1)) / math.sqrt(maxima.size)
    expected = float(maxima.mean())
    return Choice(
        candidate=list(pairs)[best], adjusted=adjusted, expected_maximum=expected, monte_carlo_error=error,
        corrected=(adjusted - expected) / (1.0 - expected), p_value=p_value, maxima=maxima,
    )  # fmt: skip


class _Candidate(NamedTuple):
    """A candidate with a table: its score, the row and column of each object, and values of tables."""

    score: AdjustedScore
    shape: tuple[int, int]
    rows: Integers
    columns: Integers
    weights: Floats | None
    evaluate: Callable[[Any], Floats]

    def score_permuted(self, permutations: Integers, has_kernel: bool) -> Floats:
        """Return the adjusted scores for permutations of the objects, one in each row.

        The candidate is permuted: the same permutation of all candidates is the inverse one of the reference.
        """
        n_tables, size = len(permutations), math.prod(self.shape)
        shape = n_tables, *self.shape
        if has_kernel and self.weights is None:
            fill_permuted_tables(self.rows, self.columns, permutations, tables := np.empty(shape, np.int64))
        else:
            cells = self.columns[permutations] + self.rows * self.shape[1]
            cells += size * np.arange(n_tables)[:, np.newaxis]
            weights = None if self.weights is None else np.tile(self.weights, n_tables)
            tables = np.bincount(cells.ravel(), weights, size * n_tables).reshape(shape)
        expected, best = self.score.expected, self.score.best
        scores: Floats = (self.evaluate(tables) - expected) / (best - expected)
        return scores


def _lay_out(pair: Pair, score: AdjustedScore, options: Options, weights: Any) -> _Candidate:
    """Lay out the table of a candidate; it is square if the index compares labels by name."""
    if weights is not None:
        model, (index, *_), _ = choose_model(pair, score.entry, options, weights=weights)
        assert isinstance(model, WeightedLabels)
        of_weights = functools.partial(model.evaluate, index.entry)
        return _Candidate(score, model.shape, *model.objects, of_weights)
    table, members, _ = pair.tabulate()
    rows, columns = members.number()
    if score.entry.named:
        union = number_over_union(table)
        table, rows, columns = spread_table(table, union), union.rows[rows], union.columns[columns]
    margins, engine = table.margins, get_engine(score.entry)
    evaluate = functools.partial(engine.values, score.entry, margins=margins)
    return _Candidate(score, table.shape, rows, columns, None, evaluate)


def _take_permutations(draws: Draws, n: int, seed: Any, numbers: range, *, in_order: bool) -> Integers:
    """Return the user's draws, one in each row; raise if they are not permutations."""
    if not isinstance(draws, SegmentDraws) and find_kind(draws, n, seed) == "places":
        drawn = np.array([take_draw(draws, number, n, seed, in_order=in_order) for number in numbers])
        if is_permutation(drawn):
            return np.asarray(order_places(draws, drawn), dtype=np.int64)
    rule = "must be None if the draws are not permutations of the objects, the same for all candidates"
    raise ArgumentValueError("chosen", f"{rule}; got {draws.name!r}.", "model")


def _permute(n: int, strata: Integers | None, seed: Any, numbers: range) -> Integers:
    """Return random permutations of the objects, one in each row, within the strata if they are given."""
    permuted = np.empty((len(numbers), n), dtype=np.int64)
    by_stratum = None if strata is None else np.argsort(strata, kind="stable")
    for row, number in zip(permuted, numbers, strict=True):
        order = make_generator(seed, number).permutation(n)
        if strata is None or by_stratum is None:
            row[:] = order
        else:  # sorted by stratum, at random within each
            row[by_stratum] = order[np.argsort(strata[order], kind="stable")]
    return permuted
