"""Cluster sizes of a random partition, and ``T = sum n_ij**2`` of the table between two such partitions.

Exactly k clusters: the sizes ``s_i = 1 + y_i`` have weight ``1 / prod s_i!``, the marginal of ``prod u_i**y_i
/ y_i!`` over weights u in the unit cube with density ``(sum u)**(n - k)``. These are proposed with density
``exp(tilt * sum u)`` and accepted with ``(x exp(1 - x))**(n - k)``, ``x = tilt * sum u / (n - k)``, in 0.88
or more of the attempts; then ``n - k`` objects fall into urns in proportion to u. Any number of clusters
(Stam 1983, Journal of Combinatorial Theory A 35): the objects fall into m urns alike, with ``P(m)``
proportional to ``m**n / m!``. By shares: binomial draws, one cluster after the other.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chancecorr.exact.kernels.hypergeometric import log_binomial
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel
from chancecorr.sampling.kernels.streams import Stream, draw_below, draw_uniform, open_stream
from chancecorr.sampling.kernels.tables import draw_singly, sum_squares_sparsely
from chancecorr.sampling.kernels.workspace import Labels, Order, Workspace, choose_small, is_transposed

RATIO_SLOPE = 2.0 * math.sqrt(2.0 / math.e)
RATIO_OFFSET = 3.0 - 2.0 * math.sqrt(3.0 / math.e)
"""The hat of ratio of uniforms (Stadlober 1990, doi:10.1016/0377-0427(90)90349-5) is
``RATIO_SLOPE sqrt(variance + 1/2) + RATIO_OFFSET`` wide."""

OBJECTS_PER_BINOMIAL = 40  # thrown one by one in the time of one binomial draw; it decides the bits


@kernel
def accepted(u: float, t: float) -> bool:
    """Whether ``u**2 <= exp(t)``; ``u - 1/u <= 2 log u <= u (4 - u) - 3`` for u up to 1 decides most."""
    if u * (4.0 - u) - 3.0 <= t:
        return True
    return u * (u - t) < 1.0 and 2.0 * math.log(u) <= t


@kernel
def draw_binomial(trials: int, p: float, q: float, stream: Stream) -> tuple[int, Stream]:
    """One binomial draw, ``q = 1 - p``: a narrow law by inversion from its mode, a wide one by ratio."""
    if trials == 0 or p <= 0.0:
        return 0, stream
    if q <= 0.0:
        return trials, stream
    mean = trials * p
    mode = min(int((trials + 1.0) * p), trials)
    variance = mean * q
    log_mode = log_binomial(mode, trials, p, q)
    if variance < 9.0:  # where inversion beats ratio of uniforms
        return _invert_binomial(mode, trials, p / q, math.exp(log_mode), stream)
    centre = mean + 0.5
    width = RATIO_SLOPE * math.sqrt(variance + 0.5) + RATIO_OFFSET
    while True:
        u, stream = draw_uniform(stream)
        v, stream = draw_uniform(stream)
        position = centre + width * (v - 0.5) / u
        if position < 0.0 or position >= trials + 1.0:
            continue
        x = int(position)
        if accepted(u, log_binomial(x, trials, p, q) - log_mode):
            return x, stream


@kernel
def _invert_binomial(
    mode: int, trials: int, odds: float, p_mode: float, stream: Stream
) -> tuple[int, Stream]:
    """Walk up and down from the mode in turn; draw again where rounding left the probabilities below 1."""
    negligible = 1e-18 * p_mode
    while True:
        u, stream = draw_uniform(stream)
        u -= p_mode
        if u <= 0.0:
            return mode, stream
        p_up = p_down = p_mode
        up = down = mode
        while p_up + p_down > negligible:
            p_up *= odds * (trials - up) / (up + 1.0)
            up += 1
            u -= p_up
            if u <= 0.0:
                return up, stream
            p_down *= down / (odds * (trials - down + 1.0))
            down -= 1
            u -= p_down
            if u <= 0.0:
                return down, stream


@kernel
def draw_sizes_of_k(n: int, tilt: float, weights: Floats, sizes: Integers, stream: Stream) -> Stream:
    """Sizes of a uniform partition into exactly ``sizes.size`` clusters, in random order."""
    k = sizes.size
    rest = n - k
    for i in range(k):
        sizes[i] = 1
    if k < 2 or rest == 0:
        if k > 0:
            sizes[0] += rest
        return stream
    shrink = math.expm1(-tilt)
    while True:
        total = 0.0
        for i in range(k):
            v, stream = draw_uniform(stream)
            # the inverse of the law with density exp(tilt u) on (0, 1); above 0, to be divided by
            weights[i] = max(1.0 + math.log1p((1.0 - v) * shrink) / tilt, 1e-17)
            total += weights[i]
        excess = total * tilt / rest - 1.0
        u, stream = draw_uniform(stream)
        if math.log(u) <= rest * (math.log1p(excess) - excess):
            break
    if rest <= OBJECTS_PER_BINOMIAL * (k - 1):
        # urns in proportion to their weights, by rejection: no weight is above 1
        for _ in range(rest):
            while True:
                urn, stream = draw_below(k, stream)
                u, stream = draw_uniform(stream)
                if u < weights[urn]:
                    break
            sizes[urn] += 1
        return stream
    # a multinomial draw as binomial ones: what of the rest falls into urn i and not into a later one
    for i in range(k - 2, -1, -1):
        weights[i] += weights[i + 1]  # now the weight of urn i and of all after it
    for i in range(k - 1):
        q = weights[i + 1] / weights[i]
        x, stream = draw_binomial(rest, (weights[i] - weights[i + 1]) / weights[i], q, stream)
        sizes[i] += x
        rest -= x
    sizes[k - 1] += rest
    return stream


@forecast_kernel(
    lambda n, tilt, seed, first, weights, sizes: (
        1e4 * sizes.size * (2.0 + min(3.0, n / max(sizes.shape[1], 1)))
    )
)
def fill_sizes_of_k(
    n: int, tilt: float, seed: np.uint64, first: int, weights: Floats, sizes: Integers
) -> None:
    """Row t of `sizes` (m, k): the sizes of partition ``first + t``; `weights` (k,) is workspace."""
    for t in range(sizes.shape[0]):
        draw_sizes_of_k(n, tilt, weights, sizes[t], open_stream(seed, first + t))


@forecast_kernel(lambda n, *rest: 3_000.0 * n * rest[-1].size)
def fill_sizes_of_any(
    n: int, fewest_urns: int, urn_law: Floats, seed: np.uint64, first: int, sizes: Integers, ends: Integers
) -> None:
    """Sizes of partitions ``first, ...`` one after the other; those of t end at ``ends[t + 1]``."""
    ends[0] = 0
    for t in range(ends.size - 1):
        stream = open_stream(seed, first + t)
        u, stream = draw_uniform(stream)
        n_urns = fewest_urns + int(np.searchsorted(urn_law, u))
        urns = sizes[ends[t] : ends[t] + n_urns]
        for i in range(n_urns):
            urns[i] = 0
        for _ in range(n):
            urn, stream = draw_below(n_urns, stream)
            urns[urn] += 1
        count = 0
        for i in range(n_urns):
            if urns[i] > 0:
                urns[count] = urns[i]
                count += 1
        ends[t + 1] = ends[t] + count


@forecast_kernel(lambda n, totals, *rest: 30_000.0 * totals.size * rest[-1].size)
def fill_multinomial_sizes(
    n: int, totals: Integers, seed: np.uint64, first: int, sizes: Integers, ends: Integers
) -> None:
    """Sizes of n objects that are each in a cluster by the shares of these totals, which add up to n.

    Those of partition ``first + t`` end at ``ends[t + 1]``; clusters that are left empty are forgotten.
    """
    ends[0] = 0
    for t in range(ends.size - 1):
        stream = open_stream(seed, first + t)
        rest, left, end = n, n, ends[t]
        for i in range(totals.size):
            x, stream = draw_binomial(rest, totals[i] / left, (left - totals[i]) / left, stream)
            rest -= x
            left -= totals[i]
            if x > 0:
                sizes[end] = x
                end += 1
        ends[t + 1] = end


@kernel
def fill_deck(totals: Integers, first: int, fresh: Labels, labels: Labels) -> None:
    """The deck that `workspace.deck_of` makes of the totals from `first` on."""
    place = 0
    for i in range(first, totals.size):
        for _ in range(totals[i] if i < totals.size - 1 else 1):
            fresh[place] = labels[place] = i - first
            place += 1


@kernel
def sum_of_squares(totals: Integers) -> int:
    """Sum of the squares of cluster sizes."""
    total = 0
    for i in range(totals.size):
        total += totals[i] * totals[i]
    return total


class SizesOfBoth(NamedTuple):
    """Row sizes of several tables, one after the other, and where those of each end; so of the columns."""

    rows: Integers
    row_ends: Integers
    columns: Integers
    column_ends: Integers


class PartitionRoom(NamedTuple):
    """Arrays to draw the largest of several tables with: decks of n labels, and what clusters need."""

    work: Workspace
    met: Integers
    counts: Integers
    places: Integers


class Layout(NamedTuple):
    """Rows for tables of one shape, all 0, of at most ``4 n`` cells, or no tables; places of their lines."""

    tables: Integers
    row_orders: Integers
    column_orders: Integers


def forecast_pair_sums(n: int, *rest: Any) -> float:
    """Nanoseconds that sums take as Python: of a cell at a time, or of an object of small clusters."""
    *_, sizes, out, _ = rest
    m = max(out.shape[1], 1)
    rows, columns = (float(ends[-1]) / m for ends in (sizes.row_ends, sizes.column_ends))
    return float(m * (3e4 + min(3e4 * rows * columns, 4e3 * n)))


@forecast_kernel(forecast_pair_sums)
def fill_pair_sums(
    n: int, room: PartitionRoom, seed: np.uint64, numbers: Integers, sizes: SizesOfBoth, out: Integers,
    layout: Layout,
) -> None:  # fmt: skip
    """Rows ``T, A, B`` of `out`, each table in the order that `permutation.plan_sampler` takes for its sizes.

    The sizes of each table are in ascending order. T is left out where tables are laid out.
    """
    work, met, counts, places = room
    row_sizes, row_ends, column_sizes, column_ends = sizes
    tables, row_orders, column_orders = layout
    lay_out = tables.size > 0
    for t in range(out.shape[1]):
        rows = row_sizes[row_ends[t] : row_ends[t + 1]]
        columns = column_sizes[column_ends[t] : column_ends[t + 1]]
        out[1, t] = sum_of_squares(rows)
        out[2, t] = sum_of_squares(columns)
        if rows.size == 0 or columns.size == 0:
            out[0, t] = 0
            continue
        transposed = is_transposed(rows, columns)
        if transposed:
            rows, columns = columns, rows
        K, Q = rows.size, columns.size
        row_places, row_offsets = places[0, :K], places[1, :K]
        # T does not depend on where a cell stands
        column_places = column_offsets = places[2, :Q]
        for k in range(K):
            row_places[k] = row_offsets[k] = k * Q
        for q in range(Q):
            column_places[q] = q
        if lay_out:
            of_rows, column_places = row_orders[t], column_orders[t]
            if transposed:
                of_rows, column_places = column_places, of_rows
            column_offsets = places[2, :Q]
            for k in range(K):
                row_places[k] = of_rows[k] * Q
                row_offsets[k] = of_rows[k] * (1 if transposed else Q)
            for q in range(Q):
                column_offsets[q] = column_places[q] * (K if transposed else 1)
        small_rows, small_columns = choose_small(rows, columns, n)
        if small_rows > 0:
            fill_deck(columns, 0, work.column_deck.fresh, work.column_deck.labels)
        if small_columns > 0:
            fill_deck(rows, small_rows, work.row_deck.fresh, work.row_deck.labels)
        order = Order(
            n, transposed, rows, columns, small_rows, small_columns, row_places, column_places, row_offsets,
            column_offsets,
        )  # fmt: skip
        sums = out[0, t : t + 1]
        if small_rows == K - 1 and small_rows > 0 and 4 * n < K * Q:
            sum_squares_sparsely(order, work, seed, numbers[t], counts, met, sums)
        else:
            draw_singly(order, work, 1, seed, numbers[t], lay_out, tables[t : t + 1], sums)
