"""The forms that the results of this room have in common."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from chancecorr.correction.score_table import Exported
from chancecorr.machine.text_table import Tabulated
from chancecorr.tables.dataframes import import_pandas

if TYPE_CHECKING:
    import pandas


class Result(Exported, Tabulated):
    """A result with a row for each candidate, pair, level or cluster, which is printed and exported."""

    __slots__ = ()

    @abstractmethod
    def _write_plain(self) -> dict[str, Any]:
        """What `to_dict` gives."""

    @abstractmethod
    def _list_columns(self) -> Any:
        """What a data frame is made of."""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists.

        Returns
        -------
        dict
            The attributes by name, mappings and arrays as lists, and the remarks.
        """
        return self._write_plain()

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each candidate and index, pair, level, cluster or data set (needs pandas).

        Returns
        -------
        pandas.DataFrame
            A column for each number, or, of several data sets, for each candidate.
        """
        return import_pandas().DataFrame(self._list_columns())
