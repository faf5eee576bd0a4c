"""Adjusted scores: an index on one table, against what chance gives with the same margins."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chancecorr import display
from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.against import rounding
from chancecorr.correction.by_index import ByIndex
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.interval import Interval, check_level, jackknife_interval
from chancecorr.correction.intervals.leave_one_out import leave_one_out
from chancecorr.correction.intervals.source import Source
from chancecorr.printing import p_text, rounded

if TYPE_CHECKING:
    import pandas


def error_of_mean(null: NullDistribution, form: str) -> str:
    """How far the expected value may be off, as text: by chance, or at most, or 0, or a dash.

    The standard error of a simulated mean. One that is not simulated has none: shown is the bound of its
    error, with ``≤`` before it, or 0 if the mean is known up to rounding. A dash if it is not finite.
    """
    if not math.isfinite(null.mean):
        return "–"
    if null.mean_from == "monte-carlo":
        return format(null.standard_error, form)
    if null.error <= rounding(null.mean, null.std if math.isfinite(null.std) else 0.0):
        return "0"
    return f"≤{null.error:{form}}"


def why_not_adjusted(observed: float, expected: float, best: float) -> str:
    """Why these numbers have no adjusted score between them, in words.

    Examples
    --------
    >>> why_not_adjusted(0.5, 0.25, math.inf)
    'the index has no finite value at perfect agreement'
    """
    if math.isnan(observed):
        return "the index is 0/0 on this table"
    if not math.isfinite(expected):
        return "the index is 0/0 or infinite on some table that chance can give"
    if not math.isfinite(best):
        return "the index has no finite value at perfect agreement"
    if all(abs(each - expected) > rounding(each, expected, constant=True) for each in (observed, best)):
        return f"chance alone gives {expected:.5g} on average, beyond the best value, {best:.5g}"
    return "the cluster sizes alone give the index: there is nothing to correct for chance"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdjustedScore:
    """An index on one table, against what chance gives with the same margins.

    Attributes
    ----------
    index : str
        Name of the index.
    observed : float
        The raw index.
    best : float
        Its value at perfect agreement.
    adjusted : float
        ``(observed - expected) / (best - expected)``: 0 when no better than chance, 1 at best; nan where
        `expected` equals `best` or anything is undefined, and `remark` says why.
    p_value : float
        Probability that chance agrees at least as well, or a bound of it; nan if neither is known.
    log_p_value : float
        Its natural logarithm, finite also where the p-value is too small for a float.
    p_is_bound : bool
        Whether `p_value` is a proven bound: the probability is at most this. Shown as ``≤1.7e-06``.
    p_upper : float
        The probability is at most this: proven for a bound, else as sure as `p_relative_error` is. If none of
        m simulated tables is as extreme, `p_value` is ``1 / (m + 1)``, a valid p-value of a test but no bound
        of the probability, and this is its 95 % limit, about ``3 / m``.
    p_relative_error : float
        How far `p_value` may be off, as a share of it: at most (``"exact"``), by an estimate of the terms
        that are cut off (``"cumulants"``), by experience (``"pearson"``), or in 95 of 100 cases
        (``"splitting"``, ``"monte-carlo"``); inf for a bound, and if no simulated table is as extreme.
    p_value_from : {"exact", "cumulants", "pearson", "splitting", "moments", "monte-carlo", None}
        Where the p-value comes from; None where there is none.
    known : NullDistribution
        The null distribution, as far as the score needed it: moments alone where the p-value is a bound.
    reading_note : str
        How many objects are left out, or what labels may mean something else than a cluster; mostly empty.
    source : Source or None
        The index, the table and the request that this was made from; `interval` needs it.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> score = adjust([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    >>> round(score.expected, 12), round(score.p_value, 12)  # 432 of the 720 orders of the objects
    (0.56, 0.6)
    >>> f"{score:.3f}", round(score, 2)
    ('0.242', 0.24)
    """

    index: str
    observed: float
    best: float
    adjusted: float
    p_value: float
    log_p_value: float
    p_is_bound: bool
    p_upper: float
    p_relative_error: float
    p_value_from: str | None
    known: NullDistribution
    reading_note: str = ""
    source: Source | None = None

    @property
    def null(self) -> NullDistribution:
        """The whole null distribution; its tables are drawn when it is first asked for."""
        waits = self.known.values_from is None and not self.known.note and self.source is not None
        return self.source.null if waits and self.source else self.known

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.known.margins.n

    @property
    def expected(self) -> float:
        """Expected value of the index under chance."""
        return self.known.mean

    @property
    def variance(self) -> float:
        """Variance of the index under chance."""
        return self.known.variance

    @property
    def std(self) -> float:
        """Standard deviation of the index under chance."""
        return self.known.std

    @property
    def standard_error(self) -> float:
        """Standard error of `expected`; 0 where it is not simulated: `null.error` then bounds its error."""
        return self.known.standard_error

    @property
    def adjusted_standard_error(self) -> float:
        """What `standard_error` makes of `adjusted`: times ``|best - observed| / (best - expected)**2``."""
        room = self.best - self.expected
        if not room:
            return math.nan
        if not 1e-150 < abs(room) < 1e150:  # its square is 0, or beyond all floats
            return abs((self.best - self.observed) / room / room) * self.standard_error
        return abs(self.best - self.observed) / room**2 * self.standard_error

    @property
    def z_score(self) -> float:
        """``(observed - expected) / std``; nan when the index is constant under chance, rounding aside."""
        if not self.std > rounding(self.observed, self.expected):
            return math.nan
        return (self.observed - self.expected) / self.std

    @property
    def remark(self) -> str:
        """Why there is no adjusted score; empty where there is one."""
        if math.isfinite(self.adjusted):
            return ""
        if math.isinf(self.known.error) and not math.isnan(self.observed):
            return "it is not known whether the index is infinite on some table with these cluster sizes"
        return why_not_adjusted(self.observed, self.expected, self.best)

    @property
    def p_note(self) -> str:
        """What to know of a p-value that is only a limit; else empty."""
        if self.p_is_bound or not math.isinf(self.p_relative_error):
            return ""
        if self.p_value_from == "monte-carlo":
            limit = f"the probability is below {self.p_upper:.2g} with 95 % confidence"
            return f"none of {self.n_tables:,} simulated tables is as extreme: {limit}"
        return "splitting did not get as far: the probability is smaller, as far as it can tell"

    @property
    def notes(self) -> list[str]:
        """Notes on the labels, the null distribution and the p-value; mostly empty."""
        return [note for note in (self.reading_note, self.known.note, self.p_note) if note]

    @property
    def method(self) -> str:
        """Where `expected` and `variance` come from: ``"exact"``, ``"analytic"`` or ``"monte-carlo"``."""
        return self.known.mean_from

    @property
    def p_method(self) -> str | None:
        """Alias of `p_value_from`."""
        return self.p_value_from

    @property
    def n_tables(self) -> int:
        """Number of simulated tables."""
        return self.known.n_tables

    def interval(self, level: float = 0.95) -> Interval:
        """Confidence interval of the adjusted score of the population that the objects are a sample of.

        Parameters
        ----------
        level : float
            Confidence level, in (0, 1).

        Returns
        -------
        Interval
            Unpacks as ``low, high``; `remark` says where an end is not known, or by which rule it is, and
            where the score of the sample lies outside.

        Raises
        ------
        ValueError, TypeError
            If an argument breaks its rule, or the expected value of the index is not known under a model in
            which the cluster sizes vary.

        Notes
        -----
        By the jackknife: from the adjusted scores without one object each.

        The objects are taken for independent draws from a population; the clusterings are taken as given, so
        that what another run of the algorithms would change is not in it. The cluster sizes vary from sample
        to sample, and the expected value with them. Near 1 and near 0 the interval is not symmetric; see
        ``chancecorr.correction.intervals.interval.jackknife_interval``.

        The score of a sample is biased: with 20 classes and 300 objects, chance gives purity more than three
        times as much as it does in the population. The interval has this bias taken off. With so few objects
        that the bias is not known to half of the standard error, there is no interval.

        Examples
        --------
        >>> from chancecorr import adjust_table
        >>> adjust_table([[40, 5], [10, 45]]).interval()
        Interval(0.23, 0.67, level=0.95)
        """
        if self.source is None:
            raise ArgumentValueError(
                "score", "must come from `adjust` or `adjust_table` for an interval; it has no table."
            )
        check_level(level)
        index, table, asked = self.source.index, self.source.table, self.source.asked
        return jackknife_interval(
            leave_one_out((index,), table, asked, {index.name: self.known})[index.name], level
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings, without the null distribution's values.

        Returns
        -------
        dict
            What the score and its null distribution have, by name; nan where there is no number.
        """
        null = self.known
        return {
            "index": self.index,
            "n": self.n,
            "observed": self.observed,
            "expected": self.expected,
            "variance": self.variance,
            "std": self.std,
            "standard_error": self.standard_error,
            "adjusted": self.adjusted,
            "remark": self.remark,
            "adjusted_standard_error": self.adjusted_standard_error,
            "best": self.best,
            "z_score": self.z_score,
            "p_value": self.p_value,
            "log_p_value": self.log_p_value,
            "p_is_bound": self.p_is_bound,
            "p_upper": self.p_upper,
            "p_relative_error": self.p_relative_error,
            "p_value_from": self.p_value_from,
            "mean_from": null.mean_from,
            "values_from": null.values_from,
            "error": null.error,
            "n_tables": self.n_tables,
            "analytic_expected": null.analytic.mean if null.analytic else math.nan,
            "analytic_std": null.analytic.std if null.analytic else math.nan,
            "simulated_expected": null.simulated.mean if null.simulated else math.nan,
            "simulated_std": null.simulated.std if null.simulated else math.nan,
            "z_of_difference": null.z_of_difference,
            "note": "; ".join(self.notes),
        }

    def to_frame(self, interval: float | None = None) -> "pandas.DataFrame":
        """One row, as in `AdjustedScores.to_frame` (needs pandas).

        Parameters
        ----------
        interval : float, optional
            Confidence level of an interval in two more columns; left out, there is none.

        Returns
        -------
        pandas.DataFrame
            A column for each entry of `to_dict`, the name of the index as row.
        """
        return AdjustedScores([self]).to_frame(interval)

    def __float__(self) -> float:
        """`adjusted`."""
        return float(self.adjusted)

    def __round__(self, digits: int | None = None) -> float:
        """`adjusted`, rounded, as by ``round(score, 2)``: to a whole number, as a float, without digits."""
        return round(float(self.adjusted), digits or 0)

    def __format__(self, form: str) -> str:
        """`adjusted` in this form, as in ``f"{score:.3f}"``; without a form the same as `str`."""
        return format(self.adjusted, form) if form else str(self)

    def _repr_html_(self) -> str:
        """Name, adjusted score, the way from the expected to the best value, and numbers, for a notebook."""
        header, row = AdjustedScores([self]).cells()
        shown = dict(zip(header, row, strict=True))
        name, adjusted = shown.pop("index"), shown.pop("adjusted")
        headline = f"adjusted {adjusted}" if math.isfinite(self.adjusted) else "not adjusted"
        first = {name: shown.pop(name) for name in ("observed", "expected")}
        shown = first | {"best": rounded(self.best)} | shown
        drawn = (
            "" if self.remark else display.bar(self.expected, self.observed, self.best, width=360, height=16)
        )
        below = display.table([list(shown), list(shown.values())])
        return display.card(
            name, headline, drawn, below + display.remarks([x for x in (self.remark, *self.notes) if x])
        )

    def __repr__(self) -> str:
        """Name, adjusted score and what it was made of."""
        numbers = {
            "adjusted": rounded(self.adjusted, self.adjusted_standard_error, undefined="nan"),
            "observed": rounded(self.observed, undefined="nan"),
            "expected": rounded(self.expected, self.standard_error, undefined="nan"),
            "p_value": p_text(self.p_value, self.p_is_bound, self.log_p_value),
        }
        listed = ", ".join(f"{name}={number}" for name, number in numbers.items())
        remark = f", remark={self.remark!r}" if self.remark else ""
        note = f", note={'; '.join(self.notes)!r}" if self.notes else ""
        return f"AdjustedScore({self.index!r}, {listed}, method={self.method!r}{remark}{note})"


class AdjustedScores(ByIndex[AdjustedScore]):
    """Adjusted scores of several indices on the same table and the same simulated tables, by name.

    A mapping, in the order asked for; an alias finds its index too.

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

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Plain numbers and strings, by index name.

        Returns
        -------
        dict
            `AdjustedScore.to_dict` of each.
        """
        return {name: score.to_dict() for name, score in self.items()}

    def to_frame(self, interval: float | None = None) -> "pandas.DataFrame":
        """One row an index (needs pandas).

        Parameters
        ----------
        interval : float, optional
            Confidence level of the intervals in two more columns, ``low`` and ``high``, after ``adjusted``;
            left out, there are none. See `AdjustedScore.interval`.

        Returns
        -------
        pandas.DataFrame
            A column for each entry of `AdjustedScore.to_dict`, names of indices as rows.
        """
        import pandas

        frame = pandas.DataFrame([score.to_dict() for score in self.values()]).set_index("index")
        if interval is not None:
            ends = [tuple(score.interval(interval)) for score in self.values()]
            place = frame.columns.get_loc("adjusted") + 1
            for k, name in enumerate(("low", "high")):
                frame.insert(place + k, name, [end[k] for end in ends])
        return frame

    def __repr__(self) -> str:
        """The scores as a table in plain text."""
        return "\n".join([*display.text_rows(self.cells()), *self.remarks()])

    def _repr_html_(self) -> str:
        """Table for a notebook, with the way from the expected to the best value as bars."""
        bars = [
            ""
            if score.remark
            else display.bar(score.expected, score.observed, score.best, width=140, height=12)
            for score in self.values()
        ]
        return display.table(self.cells(), bars=bars) + display.remarks(self.remarks())

    def remarks(self) -> list[str]:
        """For each score that is not adjusted a line that says why, and the notes of null distributions.

        Returns
        -------
        list of str
            Mostly empty.
        """
        lines = [f"{name}: not adjusted; {score.remark}" for name, score in self.items() if score.remark]
        notes: dict[str, list[str]] = {}
        for name, score in self.items():
            for note in score.notes:
                notes.setdefault(note, []).append(name)
        return lines + [f"{', '.join(names)}: {note}" for note, names in notes.items()]

    def cells(self) -> list[list[str]]:
        """Rounded numbers as text, a header and a row for each score; a dash where a number is undefined.

        The column ``std.err.`` is of the expected value, see `error_of_mean`.

        If simulated moments and moments from the margins are both there, two more columns compare them.

        Returns
        -------
        list of list of str
            A header and a row for each score, of equal lengths.
        """
        checked = any(score.known.counts is not None and score.known.analytic for score in self.values())
        rows = [["index", "observed", "expected", "std.err.", "adjusted", "z", "p", "by"]]
        rows[0] += ["analytic", "z.diff."] if checked else []
        for score in self.values():
            null = score.known
            row = [
                score.index,
                rounded(score.observed),
                rounded(score.expected, score.standard_error),
                error_of_mean(null, ".1e"),
                rounded(score.adjusted, score.adjusted_standard_error),
                _signed(score.z_score, ".1f" if abs(score.z_score) < 1000.0 else ".0f"),
                p_text(score.p_value, score.p_is_bound, score.log_p_value),
                null.mean_from
                if score.p_value_from in (null.mean_from, None)
                else f"{null.mean_from}/{score.p_value_from}",
            ]
            if checked:
                row.append(rounded(null.analytic.mean) if null.analytic else "")
                row.append(_signed(null.z_of_difference, "+.2f") if null.analytic else "")
            rows.append(row)
        return rows


def _signed(number: float, form: str) -> str:
    """Number of standard errors as text, a dash for nan, and no sign on a rounded 0."""
    if math.isnan(number):
        return "–"
    text = format(number, form)
    return text.removeprefix("-") if float(text) == 0.0 else text
