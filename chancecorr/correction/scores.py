"""The results of `adjust`: an `AdjustedScore`, or several by the names of their indices."""

import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Generic, TypeVar

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel
from chancecorr.correction.citations import SIMULATION, Citation, find_derivation, make_citation
from chancecorr.correction.interval import Interval, make_interval
from chancecorr.correction.jackknife import leave_out
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.score_table import (
    KNOWN_NAMES,
    ScoreTable,
    draw_bar,
    draw_card,
    explain_no_score,
    name_draws,
    round_adjusted,
    round_to_zero,
    write_interval,
)
from chancecorr.exact.summary import UNKNOWN, bound_rounding
from chancecorr.indices.calling import is_of_the_catalogue
from chancecorr.indices.registry import find_index, get_index
from chancecorr.machine.arguments import ArgumentValueError, as_level, suggest_name
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_p_value, format_rounded
from chancecorr.machine.text_table import TextTable

S = TypeVar("S", bound=Any)
R = TypeVar("R")


def describe_unknown_name(name: object, names: Iterable[Any], kind: str = "") -> str:
    """Write the error message about an unknown name: lists the first known names and the nearest one."""
    known = list(names)
    listed = ", ".join(map(repr, known[:20])) + ", ..." * (len(known) > 20)
    near = suggest_name(name, [known_name for known_name in known if isinstance(known_name, str)])
    return f"{kind} must be one of {listed}; got {name!r}.{near}".lstrip()


def name_among(name: Any, names: Collection[str]) -> str | None:
    """Return the name in `names` that `name` is equal to or an alias of, or None."""
    if name in names:
        return str(name)
    try:
        own_name = find_index(name, to_adjust=True).entry.name
    except (TypeError, ValueError):
        return None
    return own_name if own_name in names else None


class ByIndex(Mapping[str, S], Generic[S]):
    """Mapping from index names to scores, in the order requested; aliases are accepted as keys."""

    __slots__ = ("_rows", "_scores")

    def __init__(self, scores: Iterable[Any]) -> None:
        self._scores: dict[str, S] = {score.index: score for score in scores}
        self._rows = tuple(self._scores.values())

    def __getitem__(self, name: str) -> S:
        own_name = name_among(name, self._scores)
        if own_name is None:
            labels = [str(score.asked_as) for score in self._rows]
            raise KeyError(describe_unknown_name(name, labels, "index"))
        return self._scores[own_name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)


def _apply(operation: Callable[[float, float], Any], kind: Callable[[Any], R]) -> Callable[[Any, Any], R]:
    """Make a method that applies this operation to the adjusted score and another number."""
    return lambda self, other: kind(operation(float(self), float(other)))


SCORE_FIELDS = (
    *("index", "n", "observed", "expected", "variance", "std", "monte_carlo_error", "adjusted", "remark"),
    *("adjusted_monte_carlo_error", "best", "z_score", "p_value", "log_p_value", "p_is_bound", "p_upper"),
    *("p_relative_error", "p_value_from", "asked_as", "adjusted_name"),
)
"""Attributes of a score in `AdjustedScore.to_dict`; the attributes of its null distribution follow."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdjustedScore(ScoreTable):
    """An index of two clusterings, with its null distribution, adjusted score and p-value.

    Attributes
    ----------
    index, asked_as : str
        Name of the index, and the name that the user gave for it, such as ``"ami"``.
    observed : float
        The raw index.
    best : float
        The value of the index at perfect agreement.
    adjusted : float
        ``(observed - expected) / (best - expected)``: 0 if no better than chance, 1 at best. nan if
        `expected` equals `best` or a number is undefined (`remark` says why).
    p_value : float
        Probability of at least this agreement by chance, or a bound of it; nan if neither is known. If none
        of m simulated tables is as extreme, it is ``1 / (m + 1)``: a valid p-value of a test, but not a
        bound.
    log_p_value, p_is_bound, p_upper, p_relative_error, p_value_from : float, bool, float, float, str
        Logarithm of the p-value; True if it is a proven bound, shown as ``≤1.7e-06``; upper limit of the
        probability; relative error; origin. As the attributes of `Tail`.
    null : NullDistribution
        The null distribution, as far as the score needed it: only moments if the p-value is a bound. See
        `compute_null`.
    reading_notes : tuple of Note
        Notes on objects that are left out, labels that may not mean a cluster, and names of indices; usually
        empty.
    seed : int or None
        Integer that gives the same draws if passed as `rng`; None if nothing was drawn, or a Generator was
        passed.
    printed_interval : Interval or None
        95 % interval in the printed table of several indices; None if it takes longer than the score.
    model, entry : NullModel or None, Index or None
        The model of chance with the clusterings and the options; the index. `interval` needs them.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> score = adjust([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    >>> round(score.expected, 12), round(score.p_value, 12)  # 432 of the 720 orders of the objects
    (0.56, 0.6)
    >>> f"{score:.3f}", round(score, 2)
    ('0.242', 0.24)
    """

    _picture = "plot_null"

    index: str
    asked_as: str
    observed: float
    best: float
    adjusted: float
    p_value: float
    log_p_value: float
    p_is_bound: bool
    p_upper: float
    p_relative_error: float
    p_value_from: str | None
    null: NullDistribution
    reading_notes: Notes = ()
    seed: int | None = None
    printed_interval: Interval | None = None
    model: NullModel | None = None
    entry: Any = None

    @property
    def _rows(self) -> tuple["AdjustedScore"]:
        """Return the score itself, in a sequence of length 1."""
        return (self,)

    def compute_null(self) -> NullDistribution:
        """Return the whole null distribution, if the budget allows; draw the tables if necessary."""
        if self.null.values_from is not None or self.model is None:
            return self.null
        return find_nulls(self.model, (self.entry,))[self.index]

    @property
    def adjusted_name(self) -> str:
        """What people call `adjusted`: ``"ARI"``, ``"AMI"``, or empty if it has no name of its own."""
        is_usual = self.null.model == "permutation" and self.null.margins is not None
        if self.entry is None or not is_usual or self.remark:
            return ""
        return KNOWN_NAMES.get(self.entry.corrected_as or self.index, "")

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.null.n

    @property
    def expected(self) -> float:
        """Expected value of the index under chance."""
        return self.null.moments.mean

    @property
    def variance(self) -> float:
        """Variance of the index under chance."""
        return self.null.moments.variance

    @property
    def std(self) -> float:
        """Standard deviation of the index under chance."""
        return self.null.moments.std

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of a simulated `expected`; otherwise 0, and `null.error` bounds its error."""
        return self.null.monte_carlo_error

    @property
    def adjusted_monte_carlo_error(self) -> float:
        """Standard error of `adjusted` if simulated: `monte_carlo_error` times the derivative.

        The derivative is ``|best - observed| / (best - expected)**2``.
        """
        room = self.best - self.null.mean
        if not room:
            return math.nan
        if not 1e-150 < abs(room) < 1e150:  # its square would underflow or overflow
            return abs((self.best - self.observed) / room / room) * self.null.monte_carlo_error
        return abs(self.best - self.observed) / room**2 * self.null.monte_carlo_error

    @property
    def z_score(self) -> float:
        """``(observed - expected) / std``; nan if the index is constant under chance, up to rounding."""
        if not self.std > bound_rounding(self.observed, self.expected):
            return math.nan
        return (self.observed - self.expected) / self.std

    @property
    def remark(self) -> str:
        """Reason for a missing adjusted score; empty if the score is known."""
        if math.isfinite(self.adjusted):
            return ""
        if math.isinf(self.null.error) and not math.isnan(self.observed):
            return "the index may be infinite on some table with these cluster sizes"
        if math.isnan(self.observed) and self.entry and not is_of_the_catalogue(self.entry.function):
            return "the function returned nan"
        return explain_no_score(self.observed, self.expected, self.best, self.null)

    @property
    def notes(self) -> Notes:
        """Notes on the labels, the null distribution, and a p-value that is only a limit; usually empty."""
        of_p_value: Notes = ()
        if not self.p_is_bound and math.isinf(self.p_relative_error):
            text = "splitting did not reach the observed value: the probability is smaller, by its estimate"
            if self.p_value_from == "monte-carlo":
                limit = f"the probability is below {self.p_upper:.2g} with 95 % confidence"
                text = f"none of {self.n_tables:,} {name_draws(self.null)} is as extreme: {limit}"
            of_p_value = (Note("p-value limit", text),)
        return (*self.reading_notes, *self.null.notes, *of_p_value)

    @property
    def method(self) -> str:
        """Origin of `expected` and `variance`: ``"exact"``, ``"analytic"`` or ``"monte-carlo"``."""
        return self.null.mean_from

    @property
    def n_tables(self) -> int:
        """Number of simulated tables."""
        return self.null.n_tables

    def interval(self, confidence: float = 0.95, *, groups: Any = None) -> Interval:
        """Compute a confidence interval for the adjusted score in the population of the objects.

        Parameters
        ----------
        confidence : float
            Level, in (0, 1).
        groups : array-like of shape (n,), optional
            Group of each object, such as its donor or its document. Groups are then the independent draws,
            and the objects of a group may be alike. By default the objects are treated as independent.

        Returns
        -------
        Interval
            Unpacks as ``low, high``. `remark` says if a limit is unknown, if it comes from a special rule,
            and if the observed score is outside the interval.

        Raises
        ------
        ValueError, TypeError
            If an argument is invalid, or the cluster sizes vary under the model and the expected value of the
            index is not known.

        Notes
        -----
        The interval uses the jackknife: the adjusted scores after removing each object, or each group; see
        ``chancecorr.correction.interval.make_interval``. Objects, or groups, are treated as independent draws
        from a population, and the clusterings as given: the interval does not include the variation between
        runs of the algorithms. Near 1 and near 0 the interval is not symmetric, and near chance it is wider
        than necessary. With `groups` it uses Student's t, and a remark is given with fewer than ten groups.
        With fewer than ten objects no interval is given.

        The score of a sample is biased for all indices other than the adjusted Rand index: with 20 classes
        and 300 objects, purity by chance is three times as large as in the population. The interval is
        corrected for this bias. If the bias is more uncertain than half of the standard error, no interval is
        given, and `remark` says how many objects are enough.

        Examples
        --------
        >>> from chancecorr import adjust_table
        >>> adjust_table([[40, 5], [10, 45]]).interval()
        Interval(0.23, 0.67, confidence=0.95)
        """
        as_level("confidence", confidence)
        if self.model is None:
            raise ArgumentValueError("score", "must come from `adjust` or `adjust_table` for an interval.")
        return make_interval(leave_out(self.model, self.entry, self.null, groups), confidence)

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary of plain numbers (nan if unknown) and strings, without the null's values."""
        null = self.null
        analytic, simulated = null.analytic or UNKNOWN, null.simulated or UNKNOWN
        return {name: getattr(self, name) for name in SCORE_FIELDS} | {
            "mean_from": null.mean_from,
            "values_from": null.values_from,
            "error": null.error,
            "n_tables": self.n_tables,
            "seed": self.seed,
            "analytic_expected": analytic.mean,
            "analytic_std": analytic.std,
            "simulated_expected": simulated.mean,
            "simulated_std": simulated.std,
            "z_of_difference": null.z_of_difference,
            "notes": [note.to_dict() for note in self.notes],
        }

    def summary(self) -> str:
        """Return the score, its interval and its p-value in one or two English sentences for a paper."""
        from chancecorr.correction.paragraphs import describe_notes, describe_result, find_interval

        interval = None if self.remark else find_interval(self)
        text = describe_result(self, interval, f" of {self.n:,} objects")
        return " ".join([text, *describe_notes(self.notes)])

    def cite(self) -> Citation:
        """Return the works to cite for this score: its index, the methods that it used, and this software.

        Examples
        --------
        >>> from chancecorr import adjust
        >>> print(*adjust([0, 0, 1, 1], [0, 0, 1, 2]).cite().corrections)
        Hubert & Arabie (1985), doi:10.1007/BF01908075
        """
        simulated = self.method == "monte-carlo"
        entry = get_index(self.index) if self.entry is None else self.entry
        derived = "" if simulated or self.null.margins is None else find_derivation(entry)
        works = [derived, SIMULATION if simulated or self.n_tables else ""]
        return make_citation((entry,), [text for text in works if text])

    def __float__(self) -> float:
        return float(self.adjusted)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdjustedScore | Real) and float(self) == float(other)

    def __hash__(self) -> int:
        return hash(float(self))

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))

    __lt__, __le__ = _apply(operator.lt, bool), _apply(operator.le, bool)
    __gt__, __ge__ = _apply(operator.gt, bool), _apply(operator.ge, bool)
    __add__ = __radd__ = _apply(operator.add, float)
    __mul__ = __rmul__ = _apply(operator.mul, float)
    __sub__, __truediv__ = _apply(operator.sub, float), _apply(operator.truediv, float)

    def __rsub__(self, other: Any) -> float:
        return float(other) - float(self)

    def __round__(self, digits: int | None = None) -> float:
        """Round `adjusted`, as in ``round(score, 2)``; without digits to a whole number, as a float."""
        return round(float(self.adjusted), digits or 0)

    def __format__(self, form: str) -> str:
        """Format `adjusted`, as in ``f"{score:.3f}"``; without a format the same as `str`."""
        return format(self.adjusted, form) if form else str(self)

    def _repr_html_(self) -> str:
        """Return HTML for a notebook: name, adjusted score, a bar from expected to best, and numbers."""
        header, row = self.cells(wide=True)
        shown = dict(zip(header, row, strict=True))
        name, adjusted = shown.pop("index"), shown.pop("adjusted")
        headline = f"adjusted {adjusted}" if math.isfinite(self.adjusted) else "not adjusted"
        first = {name: shown.pop(name) for name in ("observed", "expected")}
        shown = first | {"best": format_rounded(self.best)} | shown
        drawn = "" if self.remark else draw_bar(self.expected, self.observed, self.best, width=360, height=16)
        notes = [Note("not adjusted", self.remark)] * bool(self.remark) + list(self.notes)
        below = TextTable(columns=list(shown), rows=[list(shown.values())], notes=notes)
        return draw_card(name, headline, drawn, below.to_html())

    def __repr__(self) -> str:
        remark = f", remark={self.remark!r}" if self.remark else ""
        notes = f", notes={[*map(str, self.notes)]}" if self.notes else ""
        origin = f"method={self.null.mean_from!r}" + (f", seed={self.seed}" if self.seed is not None else "")
        error = self.null.monte_carlo_error
        numbers = {
            "adjusted": format_rounded(
                round_adjusted(self), error and self.adjusted_monte_carlo_error, undefined="nan"
            ),
            "observed": format_rounded(self.observed, undefined="nan"),
            "expected": format_rounded(round_to_zero(self), error, undefined="nan"),
            "p_value": format_p_value(self.p_value, self.p_is_bound, self.log_p_value),
        }
        listed = ", ".join(f"{name}={number}" for name, number in numbers.items())
        return f"AdjustedScore({self.asked_as!r}, {listed}, {origin}{remark}{notes})"


class AdjustedScores(ByIndex[AdjustedScore], ScoreTable):
    """Adjusted scores of several indices on the same table and the same simulated tables, by name.

    A mapping, in the order requested; aliases are accepted as keys.

    Parameters
    ----------
    scores : sequence of AdjustedScore
        One for each index.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> scores = adjust([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], index=["rand", "mirkin"])
    >>> list(scores), scores["Rand Index"].index
    (['rand', 'mirkin'], 'rand')
    >>> [round(score.adjusted, 12) for score in scores.values()]  # the same: both are affine in T
    [0.242424242424, 0.242424242424]
    """

    __slots__ = ()
    _picture = "plot_scores"

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return `AdjustedScore.to_dict` by index name, with the limits of the printed intervals."""
        return {score.index: score.to_dict() | write_interval(score) for score in self._rows}

    def _repr_html_(self) -> str:
        """Return an HTML table for a notebook, with bars from the expected to the best value."""
        bars = [
            "" if x.remark else draw_bar(x.expected, x.observed, x.best, width=140, height=12)
            for x in self._rows
        ]
        return self._tables()[0].to_html(bars=bars)

    @property
    def notes(self) -> Notes:
        """Notes of all scores, on missing scores, and on intervals; usually empty."""
        return tuple(self._tables()[0].notes)
