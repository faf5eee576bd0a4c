"""One adjusted score or several as a table: text, Markdown, LaTeX, JSON or a data frame."""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chancecorr import display
from chancecorr.correction.score_texts import cells_and_remarks, latex_rows, markdown_rows
from chancecorr.printing import for_json
from chancecorr.tables.dataframes import import_pandas

if TYPE_CHECKING:
    import pandas


class Exported(ABC):
    """A result that JSON can hold."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings."""

    def to_json(self) -> str:
        """`to_dict` as JSON: null for nan, ``"Infinity"`` for an infinite number.

        Returns
        -------
        str
            One object; of several scores, with one for each index.
        """
        return json.dumps(for_json(self.to_dict()))


class ScoreTable(Exported):
    """The forms of a table with a row for each score."""

    __slots__ = ()

    @abstractmethod
    def _rows(self) -> Sequence[Any]:
        """Scores, in the order of the rows."""

    def to_frame(self, confidence: float | None = None) -> "pandas.DataFrame":
        """One row an index (needs pandas).

        Parameters
        ----------
        confidence : float, optional
            Level of the intervals in two more columns, ``low`` and ``high``, after ``adjusted``;
            left out, there are none. See `AdjustedScore.interval`.

        Returns
        -------
        pandas.DataFrame
            A column for each entry of `AdjustedScore.to_dict`, names of indices as rows.
        """
        pandas = import_pandas()

        frame = pandas.DataFrame([score.to_dict() for score in self._rows()]).set_index("index")
        if confidence is not None:
            ends = [tuple(score.interval(confidence)) for score in self._rows()]
            place = frame.columns.get_loc("adjusted") + 1
            for k, name in enumerate(("low", "high")):
                frame.insert(place + k, name, [end[k] for end in ends])
        return frame

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
        cells, remarks = cells_and_remarks(self._rows(), wide=wide)
        return "\n".join([*display.text_rows(cells), *remarks])

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
        return cells_and_remarks(self._rows(), wide=wide)[0]
