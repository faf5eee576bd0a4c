"""Labels read as what they are, and the contingency table of two clusterings."""

from chancecorr.tables.contingency import ContingencyTable, Margins, PairCounts
from chancecorr.tables.reading import contingency_table
from chancecorr.tables.streaming import contingency_table_from

__all__ = ["ContingencyTable", "Margins", "PairCounts", "contingency_table", "contingency_table_from"]


def __dir__() -> list[str]:
    return __all__
