"""Contents of a report: names and numbers alone, so that a page can be made without a comparison."""

from dataclasses import dataclass

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.machine.arrays import Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """A clustering by name, and the numbers of objects of its clusters, in any order."""

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """How well a candidate agrees with the reference by one index, as `CandidateScore`, p-values as text."""

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
    law: NullDistribution
    remark: str = ""
    interval_remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Adjusted score of the best candidate less that of another one, its interval and p-value."""

    best: str
    other: str
    difference: float
    low: float
    high: float
    p_value: str
    remark: str = ""  # that both are the same clustering


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexScores:
    """All candidates by one index, in the order in which they were given, and how far the best is ahead."""

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
    """Objects counted by their largest clusters in the reference (rows) and in a candidate (columns)."""

    candidate: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    counts: Integers
    row_totals: Integers
    column_totals: Integers
    n_clusters: int  # all of the candidate
    n: int  # all objects in both
    remark: str = ""  # that clusters are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A publication: authors, year and place, and its DOI without the resolver, if it has one."""

    text: str
    doi: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How the numbers can be reproduced: versions of the software, the seed, if any, and what was typed."""

    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contents:
    """All that a report shows."""

    reference: Clustering
    candidates: tuple[Clustering, ...]
    n: int
    level: float
    indices: tuple[IndexScores, ...]  # the first decides which candidate is called the best
    tables: tuple[Table, ...]
    method: tuple[str, ...]  # paragraphs that a paper may take over
    references: tuple[Reference, ...]
    origin: Origin
    correction: str = ""  # how p-values were corrected over the candidates
    notes: tuple[str, ...] = ()

    @property
    def winners(self) -> dict[tuple[str, ...], list[str]]:
        """Indices by the candidates that are best by them, in order; those without any score are left out."""
        found: dict[tuple[str, ...], list[str]] = {}
        for each in self.indices:
            best = tuple(score.candidate for score in each.scores if score.rank == 1)
            found.setdefault(best, []).append(each.index)
        found.pop((), None)
        return found

    @property
    def has_intervals(self) -> bool:
        """Whether it is known which candidates are significantly worse than the best."""
        return any(score.among_best is not None for each in self.indices for score in each.scores)
