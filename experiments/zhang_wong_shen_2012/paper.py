"""What Zhang, Wong & Shen (2012) print: numbers of their text and of table 2.

Source: doi 10.1016/j.patcog.2011.11.017.

Most results of the paper are curves and grey levels in figures 2 to 10, of which no number is printed.
"""

from experiments.common.printed import Printed

DATA_SETS = (
    "UCI-chart", "UCI-glass", "UCI-iris", "UCI-pima", "UCI-wine", "UCI-vehicle", "UCI-BCW-O", "UCI-BCW-D",
)  # fmt: skip
"""Names in the order of table 2."""

COLUMNS = ("Class", "Instance", "Dimension")

_TABLE_2 = """
6 600 60
6 214 9
3 150 4
2 768 8
3 178 13
4 846 18
2 699 9
2 569 30
"""

SIZES = {
    (name, column): Printed.read(text, table="2", row=name, column=column)
    for name, line in zip(DATA_SETS, _TABLE_2.split("\n")[1:-1], strict=True)
    for column, text in zip(COLUMNS, line.split(), strict=True)
}
"""Table 2, by data set and column."""

MATRIX_1 = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
MATRIX_2 = ((0.0, 0.5, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.0))
"""The two consensus matrices of section 4.3, as printed."""

MATRIX_2_MEANT = ((0.0, 0.5, 0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0))
"""The second as its description has it: x1 and x2 together with probability 0.5, x3 apart."""

_EXAMPLE = "sect. 4.3"
_NOT_SYMMETRIC = (
    "A consensus matrix is symmetric, and entry (1, 2) is 0.5; with entries (2, 1) and (2, 2) exchanged the"
    " printed ARImm of 0.4 follows, with them as printed 5/11 = 0.4545."
)

EXAMPLE = {
    "M1": Printed.read("1", table=_EXAMPLE, row="ARImm(M1, M1)", column="value"),
    "M2": Printed.read("0.4", table=_EXAMPLE, row="ARImm(M2, M2)", column="value"),
    "M2 (2, 1)": Printed.read("0", table=_EXAMPLE, row="M2", column="(2, 1)", arithmetic=_NOT_SYMMETRIC),
    "M2 (2, 2)": Printed.read("0.5", table=_EXAMPLE, row="M2", column="(2, 2)", arithmetic=_NOT_SYMMETRIC),
}
"""Numbers of the worked example."""

CORRELATION = 0.95
"""Above which most correlations of ARImm and PNMI are said to be, section 5.2.2."""

N_CLUSTERINGS = 600
N_SAMPLED = 50
N_TRIALS = 20
PROPORTIONS = tuple(round(0.1 * step, 1) for step in range(1, 10))
"""Sizes of the experiments of section 5.2."""
