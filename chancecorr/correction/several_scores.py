"""Adjusted scores of several indices on the same table, as a mapping and as a table."""

from typing import Any

from chancecorr import display
from chancecorr.correction.by_index import ByIndex
from chancecorr.correction.score_table import ScoreTable
from chancecorr.correction.score_texts import cells_and_remarks
from chancecorr.correction.scores import AdjustedScore


class AdjustedScores(ByIndex[AdjustedScore], ScoreTable):
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

    def _rows(self) -> tuple[AdjustedScore, ...]:
        """Scores, in the order asked for."""
        return tuple(self.values())

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Plain numbers and strings, by index name.

        Returns
        -------
        dict
            `AdjustedScore.to_dict` of each.
        """
        return {name: score.to_dict() for name, score in self.items()}

    def __repr__(self) -> str:
        """The scores as a table in plain text."""
        return self.to_text()

    def _repr_html_(self) -> str:
        """Table for a notebook, with the way from the expected to the best value as bars."""
        bars = [
            "" if x.remark else display.bar(x.expected, x.observed, x.best, width=140, height=12)
            for x in self._rows()
        ]
        cells, remarks = cells_and_remarks(self._rows())
        return display.table(cells, bars=bars) + display.remarks(remarks)

    def remarks(self) -> list[str]:
        """For each score that is not adjusted a line that says why, and notes on distributions and intervals.

        Returns
        -------
        list of str
            Mostly empty.
        """
        return cells_and_remarks(self._rows())[1]
