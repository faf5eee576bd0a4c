"""What an adjusted score was made from; its interval is made from the same."""

from dataclasses import dataclass

from chancecorr.correction.request import Request
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """The index, the table and the request behind a score."""

    index: Index
    table: ContingencyTable
    asked: Request
