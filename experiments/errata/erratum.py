"""An erratum: what is printed or computed somewhere, the arithmetic, what is right, and a test."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from experiments.common.printed import Printed

Status = Literal["run", "once", "read"]


class Numbers(NamedTuple):
    """What is printed, or what software gives, beside what is right."""

    found: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One entry of the page.

    Attributes
    ----------
    where : str
        Table, section or function; unique on the page within its section.
    version : str
        Of what: a doi, a release, a commit. ``"{name}"`` of an installed package stands for its version here.
    printed : str
        What is printed there, or what is computed; ``{}`` stands for the number `numbers` finds.
    arithmetic : str
        What shows it, in words and quotients; may be empty where the numbers do.
    right : str
        What it should be; ``{}`` stands for the right number.
    test : str
        The test that shows it, as pytest names it, without parameters.
    status : {"run", "once", "read"}
        "run" where the right number, and for software the one that it gives, are computed whenever the
        page is written; "once" where the software was run once at the version that is named, and `numbers`
        evaluates what it computes; "read" where a text or a source was read, and was not run.
    numbers : callable or None
        Computes both numbers now. None where the matter is one of words.
    digits : int
        Significant digits that the page shows.
    index : str
        The index of the catalogue that it is about, if any.
    """

    where: str
    version: str
    printed: str
    right: str
    test: str
    status: Status
    arithmetic: str = ""
    numbers: Callable[[], Numbers] | None = None
    digits: int = 5
    index: str = ""


def of_printed(
    printed: Printed,
    right: Callable[[], float],
    *,
    version: str,
    test: str,
    place: str = "Table",
    digits: int = 4,
    index: str = "",
) -> Erratum:
    """The erratum of a misprinted number that a study holds as data."""
    names = ", ".join(filter(None, [f"{place} {printed.table}".strip(), printed.row, printed.column]))
    return Erratum(
        where=names,
        version=version,
        printed=printed.text,
        arithmetic=printed.arithmetic,
        right="{}",
        test=test,
        status="run",
        numbers=lambda: Numbers(printed.value, right()),
        digits=digits,
        index=index,
    )
