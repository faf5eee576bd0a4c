"""Candidates compared with a reference: scores with intervals and ranks, and the differences between them."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from chancecorr.arguments import ArgumentValueError, did_you_mean
from chancecorr.comparison.candidate import CandidateScore, CandidateScores, board_of
from chancecorr.comparison.shared import Evaluation
from chancecorr.correction.interval import Difference
from chancecorr.correction.score_table import Exported
from chancecorr.correction.scores import name_among, none_of
from chancecorr.show import Pictured, TextTable
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.dataframes import import_pandas

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Exported, Pictured, Mapping[Hashable, CandidateScores]):
    """Candidates compared with a reference: ``comparison[candidate][index]`` is a `CandidateScore`.

    Attributes
    ----------
    scores : mapping
        Scores by candidate, and by index within.
    tables : mapping
        Contingency table of each candidate: clusters of the reference in rows.
    n : int
        Number of objects, those aside that are left out of all candidates; ``score.n`` has that of each.
    confidence : float
        Level of the intervals; its complement is that of the tests between candidates.
    correction : {"holm", "fdr_bh", None}
        How `CandidateScore.p_corrected` was corrected over the candidates.
    evaluations : mapping
        What intervals and differences are made of, by candidate.
    notes : tuple of str
        Which candidates leave out how many objects, and what else to know of the labels; mostly empty.

    Examples
    --------
    >>> from chancecorr import compare
    >>> comparison = compare([0, 0, 0, 1, 1, 1], {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> comparison.candidates, comparison.indices, comparison.best().candidate
    (('a', 'b'), ('rand',), 'a')
    """

    scores: Mapping[Hashable, CandidateScores]
    tables: Mapping[Hashable, ContingencyTable]
    n: int
    confidence: float
    correction: str | None
    evaluations: Mapping[Hashable, Evaluation]
    notes: tuple[str, ...] = ()

    def __getitem__(self, candidate: Hashable) -> CandidateScores:
        """Scores of a candidate."""
        if candidate not in self.scores:
            raise KeyError(none_of(candidate, self.candidates, "candidate"))
        return self.scores[candidate]

    def __iter__(self) -> Iterator[Hashable]:
        """Names of the candidates, in the order given."""
        return iter(self.scores)

    def __len__(self) -> int:
        """Number of candidates."""
        return len(self.scores)

    @property
    def with_intervals(self) -> bool:
        """Whether intervals, and tests between candidates, were asked for."""
        return any(evaluation.without_one for evaluation in self.evaluations.values())

    @property
    def candidates(self) -> tuple[Hashable, ...]:
        """Names of the candidates, in the order given."""
        return tuple(self.scores)

    @property
    def indices(self) -> tuple[str, ...]:
        """Names of the indices, in the order asked for."""
        return tuple(next(iter(self.scores.values())))

    def ranked(self, index: str | None = None) -> list[CandidateScore]:
        """Scores by an index, the best first, those without an adjusted score last.

        Parameters
        ----------
        index : str, optional
            Name or alias; may be left out if there is one index only.

        Returns
        -------
        list of CandidateScore
            One for each candidate.
        """
        name = self._index_name(index)
        scores = [self[candidate][name] for candidate in self]
        return sorted(scores, key=lambda score: len(scores) + 1 if score.rank is None else score.rank)

    def best(self, index: str | None = None) -> CandidateScore:
        """Score of the best candidate by an index; of several with the same score, the first given.

        Parameters
        ----------
        index : str, optional
            Name or alias; may be left out if there is one index only.

        Returns
        -------
        CandidateScore
            That of rank 1.

        Raises
        ------
        ValueError
            If no candidate has an adjusted score.
        """
        first = self.ranked(index)[0]
        if first.rank is None:
            raise ArgumentValueError(
                "index",
                f"must have an adjusted score for some candidate; got {first.index!r}: {first.remark}.",
            )
        return first

    def difference(self, first: Hashable, second: Hashable, *, index: str | None = None) -> Difference:
        """How much more one candidate reaches than another, on the objects that both have.

        Parameters
        ----------
        first, second : hashable
            Names of two candidates.
        index : str, optional
            Name or alias; may be left out if there is one index only.

        Returns
        -------
        Difference
            The first's adjusted score less the second's, its interval and its p-value, which is not
            corrected.

        Raises
        ------
        ValueError
            If a name is unknown, or the comparison was made without intervals.

        Examples
        --------
        >>> from chancecorr import compare
        >>> comparison = compare([0, 0, 0, 1, 1, 1], {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
        >>> round(comparison.difference("a", "b").difference, 12)
        0.757575757576
        """
        name = self._index_name(index)
        for argument, candidate in (("first", first), ("second", second)):
            if candidate not in self.scores:
                raise ArgumentValueError(argument, none_of(candidate, self.candidates))
        if not self.with_intervals:
            raise ArgumentValueError(
                "interval", "must be 'jackknife' in `compare`, for differences to have intervals; got None."
            )
        return self.evaluations[first].difference(self.evaluations[second], name, self.confidence)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings: what was asked, and a record for each candidate and index.

        Returns
        -------
        dict
            ``n``, ``confidence``, ``correction``, ``notes``, and the list ``scores`` of
            `CandidateScore.to_dict`.
        """
        return {
            "n": self.n,
            "confidence": self.confidence,
            "correction": self.correction,
            "notes": list(self.notes),
            "scores": [self[candidate][index].to_dict() for candidate in self for index in self.indices],
        }

    def to_frame(self) -> "pandas.DataFrame":
        """One row a candidate and index (needs pandas).

        Returns
        -------
        pandas.DataFrame
            A column for each entry of `CandidateScore.to_dict`.
        """
        pandas = import_pandas()

        return pandas.DataFrame(self.to_dict()["scores"])

    def _index_name(self, index: str | None) -> str:
        """Name of an index of the comparison, from the name or an alias, or of the only one."""
        if index is None and len(self.indices) == 1:
            return self.indices[0]
        name = None if index is None else name_among(index, self.indices)
        if name is None:
            listed = ", ".join(map(repr, self.indices))
            near = did_you_mean(index, self.indices)
            raise ArgumentValueError("index", f"must be one of {listed}; got {index!r}.{near}")
        return name

    def boards(self) -> list[TextTable]:
        """A leaderboard for each index.

        Returns
        -------
        list of TextTable
            Captions, rows of texts and notes.
        """
        found = [board_of(self.ranked(x), self.n, self.confidence, self.correction) for x in self.indices]
        return [*found[:-1], replace(found[-1], notes=[*found[-1].notes, *self.notes])]

    def to_markdown(self) -> str:
        """Leaderboards in Markdown.

        Returns
        -------
        str
            For each index a caption, a table and its notes.
        """
        return "\n\n".join(board.to_markdown() for board in self.boards())

    def to_latex(self) -> str:
        """Leaderboards in LaTeX, for booktabs.

        Returns
        -------
        str
            A ``tabular`` for each index, captions and notes as comments.
        """
        return "\n\n".join(board.to_latex() for board in self.boards())

    def __repr__(self) -> str:
        """A leaderboard for each index."""
        return "\n\n".join(board.to_text() for board in self.boards())

    def _repr_html_(self) -> str:
        """A leaderboard for each index, for a notebook."""
        return "".join(board.to_html() for board in self.boards())
