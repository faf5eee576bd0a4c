"""The table and the null distribution of an adjusted score, from which its interval is made."""

from dataclasses import dataclass
from functools import cached_property

from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.question import Question
from chancecorr.correction.request import Request
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """The index, the table and the request behind a score."""

    index: Index
    table: ContingencyTable
    asked: Request

    @cached_property
    def null(self) -> NullDistribution:
        """Null distribution with its values."""
        question = Question(index=self.index, margins=self.table.margins, asked=self.asked)
        return null_distributions((question,))[self.index.name]
