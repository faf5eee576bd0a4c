"""Adjusted scores of several indices on the same table, as a mapping and as a table."""

import json
from typing import TYPE_CHECKING, Any

from chancecorr import display
from chancecorr.correction.by_index import ByIndex
from chancecorr.correction.score_texts import frame_of, latex_rows, markdown_rows, remarks_on, score_cells
from chancecorr.correction.scores import AdjustedScore, intervals_at_hand
from chancecorr.printing import for_json

if TYPE_CHECKING:
    import pandas


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

    def to_frame(
        self, confidence: float | None = None, *, interval: float | None = None
    ) -> "pandas.DataFrame":
        """One row an index (needs pandas).

        Parameters
        ----------
        confidence : float, optional
            Level of the intervals in two more columns, ``low`` and ``high``, after ``adjusted``;
            left out, there are none. See `AdjustedScore.interval`.
        interval : float, optional
            Old name of `confidence`.

        Returns
        -------
        pandas.DataFrame
            A column for each entry of `AdjustedScore.to_dict`, names of indices as rows.
        """
        return frame_of(list(self.values()), confidence, interval)

    def to_json(self) -> str:
        """`to_dict` as JSON: null for nan, ``"Infinity"`` for an infinite number.

        Returns
        -------
        str
            One object, with one for each index.
        """
        return json.dumps(for_json(self.to_dict()))

    def to_text(self, *, wide: bool = False) -> str:
        """The table that is printed.

        Parameters
        ----------
        wide : bool
            Whether to add the standard error of a simulated mean or the limit of its error (``std.err.``),
            ``z``, and where mean and p-value come from (``by``); beside simulated tables also the mean from
            the margins, and how many standard errors the simulated one is away.

        Returns
        -------
        str
            A line for each score, and what there is to know of them.
        """
        intervals = intervals_at_hand(self.values())
        lines = display.text_rows(score_cells(list(self.values()), intervals, wide=wide))
        return "\n".join([*lines, *remarks_on(list(self.values()), intervals)])

    def to_markdown(self, *, wide: bool = False) -> str:
        """The table that is printed, in Markdown.

        Parameters
        ----------
        wide : bool
            As in `to_text`.

        Returns
        -------
        str
            A header, a rule, and a line for each score.
        """
        return markdown_rows(self.cells(wide=wide))

    def to_latex(self, *, wide: bool = False) -> str:
        r"""The table that is printed, in LaTeX, for booktabs: ``\usepackage{booktabs}``.

        Parameters
        ----------
        wide : bool
            As in `to_text`.

        Returns
        -------
        str
            A ``tabular``, with names such as "Adjusted Rand index"; p-values below 1e-16 as ``$<10^{-16}$``,
            characters of TeX's own escaped.
        """
        return latex_rows(self.cells(wide=wide))

    def __repr__(self) -> str:
        """The scores as a table in plain text."""
        return self.to_text()

    def _repr_html_(self) -> str:
        """Table for a notebook, with the way from the expected to the best value as bars."""
        bars = [
            ""
            if score.remark
            else display.bar(score.expected, score.observed, score.best, width=140, height=12)
            for score in self.values()
        ]
        intervals = intervals_at_hand(self.values())
        rows = score_cells(list(self.values()), intervals)
        return display.table(rows, bars=bars) + display.remarks(remarks_on(list(self.values()), intervals))

    def remarks(self) -> list[str]:
        """For each score that is not adjusted a line that says why, and notes on distributions and intervals.

        Returns
        -------
        list of str
            Mostly empty.
        """
        return remarks_on(list(self.values()), intervals_at_hand(self.values()))

    def cells(self, *, wide: bool = False) -> list[list[str]]:
        """Rounded numbers as text, a header and a row for each score; a dash where a number is undefined.

        Parameters
        ----------
        wide : bool
            As in `to_text`.

        Returns
        -------
        list of list of str
            A header and a row for each score, of equal lengths.
        """
        return score_cells(list(self.values()), intervals_at_hand(self.values()), wide=wide)
