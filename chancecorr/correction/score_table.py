"""One adjusted score or several as a table: text, Markdown, LaTeX, JSON or a data frame."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chancecorr import display
from chancecorr.arguments import warn_of_old_name
from chancecorr.correction.score_texts import latex_rows, markdown_rows, remarks_on, score_cells
from chancecorr.kinds import kind_of
from chancecorr.printing import for_json

if TYPE_CHECKING:
    import pandas

    from chancecorr.correction.intervals.interval import Interval
    from chancecorr.correction.scores import AdjustedScore

MOST_CELLS_OF_INTERVALS, MOST_CELLS_IF_SIMULATED = 10_000, 100
"""Non-empty cells of tables for which an interval is shown without being asked for."""


class ScoreTable:
    """The forms of a table with a row for each score."""

    __slots__ = ()

    def rows(self) -> "Sequence[AdjustedScore]":
        """Scores, in the order of the rows."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings."""
        raise NotImplementedError

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
        import pandas

        if interval is not None:
            warn_of_old_name("interval", "confidence")
            confidence = interval
        frame = pandas.DataFrame([score.to_dict() for score in self.rows()]).set_index("index")
        if confidence is not None:
            ends = [tuple(score.interval(confidence)) for score in self.rows()]
            place = frame.columns.get_loc("adjusted") + 1
            for k, name in enumerate(("low", "high")):
                frame.insert(place + k, name, [end[k] for end in ends])
        return frame

    def to_json(self) -> str:
        """`to_dict` as JSON: null for nan, ``"Infinity"`` for an infinite number.

        Returns
        -------
        str
            One object; of several scores, with one for each index.
        """
        return json.dumps(for_json(self.to_dict()))

    def to_text(self, *, wide: bool = False) -> str:
        """The table in plain text.

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
        intervals = intervals_at_hand(self.rows())
        lines = display.text_rows(score_cells(self.rows(), intervals, wide=wide))
        return "\n".join([*lines, *remarks_on(self.rows(), intervals)])

    def to_markdown(self, *, wide: bool = False) -> str:
        """The table in Markdown.

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
        r"""The table in LaTeX, for booktabs: ``\usepackage{booktabs}``.

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
        return score_cells(self.rows(), intervals_at_hand(self.rows()), wide=wide)


def intervals_at_hand(scores: "Sequence[AdjustedScore]") -> "dict[str, Interval | None]":
    """Intervals of 95 % that take no longer than a score; None where one would, or has no score."""
    return {score.index: score.interval() if _is_at_hand(score) else None for score in scores}


def _is_at_hand(score: "AdjustedScore") -> bool:
    """Whether an interval costs little: on small tables, or with an expected value that is not simulated."""
    if (
        score.source is None
        or score.remark
        or score.source.asked.model.strata
        or kind_of(score.source.index).name == "labels"
    ):
        return False
    cells = score.source.cells
    if score.method != "monte-carlo":
        return cells <= MOST_CELLS_OF_INTERVALS
    return cells <= MOST_CELLS_IF_SIMULATED and score.source.asked.model.is_permutation
