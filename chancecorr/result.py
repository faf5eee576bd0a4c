"""The base class of results: how a result is printed, exported and drawn."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from chancecorr.machine.arguments import UnknownNameError, find_attribute, import_pandas
from chancecorr.machine.printing import convert_for_json, open_replacement, write_csv
from chancecorr.machine.text_table import TextTable

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Result(ABC):
    """A result: printed and drawn, and exported for papers and programs as one or several tables."""

    __slots__ = ()
    _picture: ClassVar[str]  # name of the function of `chancecorr.plotting` that draws the result

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary of plain numbers, strings and lists; nan if a number is unknown."""

    @abstractmethod
    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed tables, with more columns if `wide`."""

    def _name_rows(self) -> Mapping[str, str]:
        """Return the LaTeX names of rows by their texts in the first column, if they differ."""
        return {}

    @abstractmethod
    def _list_columns(self) -> Any:
        """Return columns by name, or records of rows, with all digits."""

    def to_json(self) -> str:
        """Return `to_dict` as a JSON object: null for nan, ``"Infinity"`` for an infinite number."""
        import json

        return json.dumps(convert_for_json(self.to_dict()))

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return the rows of `to_frame` as CSV with all digits, without pandas; or write them to `path`.

        An apostrophe precedes each text that a spreadsheet would compute as a formula.
        """
        columns = self._list_columns()
        if isinstance(columns, Mapping):
            text = write_csv([columns, *zip(*columns.values(), strict=True)])
        else:
            text = write_csv([columns[0], *(record.values() for record in columns)])
        if path is None:
            return text
        with open_replacement(path) as file:
            file.write(text.encode())
        return None

    def to_frame(self) -> "pandas.DataFrame":
        """Return a pandas DataFrame of the rows of `to_csv`."""
        return import_pandas().DataFrame(self._list_columns())

    def to_text(self, *, wide: bool = False) -> str:
        """Return the table in plain text; in a terminal the lines fit its width.

        With `wide`, adjusted scores also have the standard error of a simulated mean or the limit of its
        error (``std.err.``), ``z``, and the methods of mean and p-value (``by``). For simulated tables there
        is also the mean from the margins, and its distance in standard errors.
        """
        return "\n\n".join(table.to_text() for table in self._tables(wide))

    def cells(self, *, wide: bool = False) -> list[list[str]]:
        """Return a header and the rows: rounded numbers as text, a dash for undefined ones."""
        table, *_ = self._tables(wide)
        return [list(row) for row in (table.columns, *table.rows)]

    def to_html(self) -> str:
        """Return the table in HTML, as in a notebook."""
        return self._repr_html_()

    def to_markdown(self, *, wide: bool = False) -> str:
        """Return the table in Markdown, between its caption and its notes."""
        return "\n\n".join(table.to_markdown() for table in self._tables(wide))

    def to_latex(self, *, wide: bool = False) -> str:
        r"""Return the table in LaTeX, for ``\usepackage{booktabs}``.

        The result is a ``table`` with the caption above and the notes below. Indices have names such as
        "Adjusted Rand index"; p-values below 1e-16 are ``$<10^{-16}$``.
        """
        names = self._name_rows()
        return "\n\n".join(table.to_latex(names) for table in self._tables(wide))

    @property
    def _drawn(self) -> Any:
        """The result that the picture shows."""
        return self

    def plot(self, *arguments: Any, ax: Any = None, color: Any = None, **options: Any) -> "Axes":
        """Draw the result with the function of `chancecorr.plotting` for its kind; arguments are passed on.

        For several indices the first panel is returned; ``ax.figure.axes`` has all panels.
        """
        from chancecorr import plotting

        draw: Callable[..., Axes] = getattr(plotting, self._picture)
        return draw(self._drawn, *arguments, ax=ax, color=color, **options)

    if not TYPE_CHECKING:  # for type checkers the attributes are those of the class

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # a property that failed: again, for its own error
                return object.__getattribute__(self, name)
            text = f"{type(self).__name__!r} has no attribute {name!r}."
            find_advice = (lambda _: "") if name.startswith("_") else partial(find_attribute, self)
            raise UnknownNameError(text, name, find_advice)

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        return "".join(table.to_html() for table in self._tables())
