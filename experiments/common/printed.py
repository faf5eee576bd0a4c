"""A number as a paper prints it: how many digits it shows, where it stands, and what is wrong with it."""

import math
from dataclasses import dataclass
from typing import Literal, Self

Remark = Literal["", "misprint", "contradictory", "unreadable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """One number of a paper.

    Attributes
    ----------
    value : float
        As printed, errors included; nan where it cannot be read.
    digits : int
        Decimals shown, so that it stands for every number within `half_unit` of it.
    table, row, column : str
        Where it stands.
    remark : {"", "misprint", "contradictory", "unreadable"}
        "misprint" where the paper's own other numbers, or arithmetic on what it states, prove it wrong;
        "contradictory" where they contradict it and do not say which of them is wrong.
    arithmetic : str
        What shows that it is a misprint.
    """

    value: float
    digits: int
    table: str
    row: str
    column: str
    remark: Remark = ""
    arithmetic: str = ""

    @classmethod
    def read(
        cls, text: str, *, table: str, row: str, column: str, remark: Remark = "", arithmetic: str = ""
    ) -> Self:
        """A number from its text; one with arithmetic is a misprint unless another remark is given."""
        value = math.nan if remark == "unreadable" else float(text)
        return cls(
            value=value,
            digits=len(text.partition(".")[2]),
            table=table,
            row=row,
            column=column,
            remark=remark or ("misprint" if arithmetic else ""),
            arithmetic=arithmetic,
        )

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit."""
        return float(0.5 * 10.0**-self.digits)

    @property
    def text(self) -> str:
        """The number with the digits that are printed."""
        return "?" if math.isnan(self.value) else f"{self.value:.{self.digits}f}"
