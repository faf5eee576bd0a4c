"""What a report shows: names and numbers alone, so that a page can be made without a comparison."""

from dataclasses import dataclass

from chancecorr.machine.arrays import Floats, Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """A clustering by name.

    Attributes
    ----------
    name : str
        As the reader calls it.
    sizes : tuple of int
        Numbers of objects of its clusters, in any order.
    """

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """What an index takes under chance.

    Attributes
    ----------
    values, weights : ndarray of float64, shape (v,)
        Distinct values in ascending order and their probabilities; empty where only moments are known.
    mean, std, skewness : float
        Moments; nan where they are not known.
    n_tables : int
        Number of simulated tables; 0 for a law that was enumerated or is not known.
    """

    values: Floats
    weights: Floats
    mean: float
    std: float
    skewness: float
    n_tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """How well one candidate agrees with the reference by one index.

    Attributes
    ----------
    candidate : str
        Name of the candidate.
    observed, expected, best : float
        The raw index, its mean under chance, and its value at perfect agreement.
    adjusted : float
        0 at chance, 1 at best; nan where it is undefined, and `remark` says why.
    low, high : float
        Ends of the interval of `adjusted`; nan where there is none.
    z_score : float
        Observed less expected, in standard deviations of chance.
    p_value, p_corrected : str
        Probability that chance does as well, as text; the second corrected for the number of tests.
    rank : int or None
        1 for the best; None for a candidate without a score.
    p_of_difference : str
        Of the difference to the best candidate, corrected for the number of candidates; empty for the best,
        and where there are no intervals.
    among_best : bool or None
        Whether it is the best candidate or cannot be told from it; None where there are no intervals.
    law : Law
        What chance gives with these cluster sizes.
    remark, interval_remark : str
        Why there is no score, and what to know of its interval; mostly empty.
    """

    candidate: str
    observed: float
    expected: float
    best: float
    adjusted: float
    low: float
    high: float
    z_score: float
    p_value: str
    p_corrected: str
    rank: int | None
    p_of_difference: str
    among_best: bool | None
    law: Law
    remark: str = ""
    interval_remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Adjusted score of the first candidate less that of the second.

    Attributes
    ----------
    first, second : str
        Names of the candidates.
    difference, low, high : float
        The difference and the ends of its interval.
    p_value : str
        Of the hypothesis that there is none, as text.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexScores:
    """All candidates by one index.

    Attributes
    ----------
    index : str
        Its key.
    formula, source : str
        As in the catalogue.
    scores : tuple of Score
        One for each candidate, in the order in which they were given.
    differences : tuple of Difference
        Between pairs of candidates, each pair once at most; pairs may be left out.
    """

    index: str
    formula: str
    source: str
    scores: tuple[Score, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def ranked(self) -> tuple[Score, ...]:
        """The scores, the best first and those that are undefined last."""
        return tuple(sorted(self.scores, key=lambda score: (score.rank is None, score.rank or 0)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Objects counted by their clusters in the reference (rows) and in a candidate (columns).

    Attributes
    ----------
    candidate : str
        Name of the candidate.
    row_names, column_names : tuple of str
        Names of the clusters.
    rows, columns, counts : ndarray of int64, shape (C,)
        The cells that are not empty: where they are, and how many objects are there.
    """

    candidate: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    rows: Integers
    columns: Integers
    counts: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A publication.

    Attributes
    ----------
    text : str
        Authors, year and where it stands.
    doi : str
        Its identifier, without the resolver; empty if it has none.
    """

    text: str
    doi: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How the numbers can be had again.

    Attributes
    ----------
    versions : tuple of (str, str)
        Names and versions of the software.
    seed : int or None
        Of the random numbers; None where none were drawn.
    command : str
        What was typed; empty if the report was not made by a command.
    """

    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contents:
    """All that a report shows.

    Attributes
    ----------
    reference : Clustering
        What the candidates are compared with.
    candidates : tuple of Clustering
        In the order in which they were given.
    n : int
        Number of objects.
    level : float
        Confidence level of the intervals, such as 0.95.
    indices : tuple of IndexScores
        The first decides which candidate the report calls the best.
    tables : tuple of Table
        One for each candidate.
    method : tuple of str
        Paragraphs that a paper may take over.
    references : tuple of Reference
        What the paragraphs cite.
    correction : str
        How p-values were corrected for the number of candidates; empty if they were not.
    origin : Origin
        Versions, seed and command.
    notes : tuple of str
        What the reader has to know of the data, such as objects that were left out.
    """

    reference: Clustering
    candidates: tuple[Clustering, ...]
    n: int
    level: float
    indices: tuple[IndexScores, ...]
    tables: tuple[Table, ...]
    method: tuple[str, ...]
    references: tuple[Reference, ...]
    origin: Origin
    correction: str = ""
    notes: tuple[str, ...] = ()

    @property
    def has_intervals(self) -> bool:
        """Whether it is known which candidates can be told from the best."""
        return any(score.among_best is not None for each in self.indices for score in each.scores)
