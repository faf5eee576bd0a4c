"""Arguments of the kernels that draw tables: the order of work, and arrays to work in."""

from typing import NamedTuple

from chancecorr.machine.arrays import Floats, Integers, Words
from chancecorr.machine.kernel import goes_into_kernels
from chancecorr.null.kernels.lanes import LaneArrays, LaneCounts
from chancecorr.null.kernels.log2_factorials import Log2Factorials
from chancecorr.null.kernels.objects import Deck, Labels

goes_into_kernels(__name__)


class Order(NamedTuple):
    """Margins in the order of work, ascending: small clusters come first, the largest one last.

    Large are the rows from `small_rows` and the columns from `small_columns` on. Where the largest total is
    one of a column, the rows of work are the table's columns: then the order is `transposed`. Cell (k, q) of
    the work stands at ``row_places[k] + column_places[q]`` of the flat table of work, whose lines are in the
    order in which they were given, and at ``row_offsets[k] + column_offsets[q]`` of the table wanted.
    """

    n: int
    transposed: bool
    rows: Integers
    columns: Integers
    small_rows: int
    small_columns: int
    row_places: Integers
    column_places: Integers
    row_offsets: Integers
    column_offsets: Integers


class Workspace(NamedTuple):
    """Arrays that one thread draws tables with, made once for many calls.

    `rows`, `columns` and `cells` hold a number a lane, shapes (K, LANES), (Q, LANES), (Q, LANES); `table`
    holds one table of work, all 0 between calls; `left_of_rows` and `left_of_columns` what is left of them.
    `row_steps` and `column_steps` have room for the steps of `together` tables: no kernel throws for more.
    """

    hat: Floats
    factorials: Log2Factorials
    lanes: LaneArrays
    retry: LaneArrays
    retry_lanes: Integers
    pending: Integers
    rows: LaneCounts
    columns: LaneCounts
    cells: LaneCounts
    below: Integers
    squares: Integers
    words: Words
    together: int
    row_steps: Labels
    column_steps: Labels
    column_deck: Deck
    row_deck: Deck
    table: Labels
    taken: Integers
    left_of_rows: Integers
    left_of_columns: Integers
