"""Numbered states of the dynamic programming over columns, and the laws passed from column to column.

A state is the row totals that the columns dealt so far have left, in descending order. The states of a stage
are numbered in lexicographic order. The numbers come from ``counts[i, m, s]``, the number of states of the
rows i, i + 1, ... that have sum s, no row above its total, and all rows below m. It is ``counts[i, m - 1, s]
+ counts[i + 1, m, s - (m - 1)]``; the second term only if ``m - 1`` does not exceed the total of row i.
Float64 holds these numbers exactly up to 2**53.
"""

import math
from typing import NamedTuple, cast

from chancecorr.exact.kernels.dealing_in_arrays import deal_column_in_arrays, deal_rest_in_arrays
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import Kernel, forecast_kernel, kernel


@kernel
def number_of(state: Integers, left: int, counts: Floats) -> int:
    """Return the number of a state: how many states with the same sum `left` come before it."""
    number = 0.0
    for i in range(state.size):
        number += counts[i, state[i], left]
        left -= state[i]
    return int(number)


@kernel
def fill_state(number: int, left: int, counts: Floats, out: Integers) -> None:
    """Write the state of this number and sum: row by row, the largest remainder that fits the number."""
    rest = float(number)
    m = counts.shape[1] - 2
    for i in range(out.size):
        m = min(m, left)
        while counts[i, m, left] > rest:
            m -= 1
        out[i] = m
        rest -= counts[i, m, left]
        left -= m


@forecast_kernel(
    lambda columns, counts, state, *rest: 10_000.0 * state.size * float(columns.sum() + 32 * columns.size)
)
def count_transitions(columns: Integers, counts: Floats, state: Integers, ways: Floats, out: Floats) -> None:
    """Write ``out[j]``: states before column j times the mean number of columns that 32 of them allow.

    A group of g rows with remainder r allows the coefficients of ``prod_i (1 - z**(r + i)) / (1 - z**i)``.
    """
    left = columns.sum()
    for j in range(columns.size):
        column = columns[j]
        states = int(counts[0, counts.shape[1] - 1, left])
        looked_at = min(states, 32)
        total = 0.0
        for k in range(looked_at):
            fill_state((2 * k + 1) * states // (2 * looked_at), left, counts, state)
            ways[: column + 1] = 0.0
            ways[0] = 1.0
            place = 0
            for i in range(state.size):
                r = state[i]
                place = place + 1 if i > 0 and state[i - 1] == r else 1
                if r == 0:
                    break
                for s in range(column, r + place - 1, -1):  # multiply by 1 - z**(r + place): from old numbers
                    ways[s] -= ways[s - r - place]
                for s in range(place, column + 1):  # divide by 1 - z**place: from new numbers
                    ways[s] += ways[s - place]
            total += ways[column]
        # the last column is determined by the others
        out[j] = states * (total / looked_at) if j < columns.size - 1 else states
        left -= column


@forecast_kernel(lambda p, q, out: 300.0 * out.size)
def fill_binomials(p: float, q: float, out: Floats) -> None:
    """Write ``out[r, k] = C(r, k) p**k q**(r - k)``; k may end below r."""
    out[0, 0] = 1.0
    for r in range(1, out.shape[0]):
        out[r, 0] = out[r - 1, 0] * q
        for k in range(1, min(r + 1, out.shape[1])):
            out[r, k] = out[r - 1, k - 1] * p + out[r - 1, k] * q


@kernel
def describe_groups(state: Integers, place: Integers, alike: Integers, after: Integers) -> None:
    """Find the position of each row in its group of rows with equal remainders."""
    last = state.size - 1
    below = 0
    for i in range(last, -1, -1):
        same = i < last and state[i + 1] == state[i]
        alike[i] = alike[i + 1] + 1 if same else 0
        after[i] = after[i + 1] if same else below
        below += state[i]
    for i in range(last + 1):
        place[i] = place[i - 1] + 1 if i > 0 and state[i - 1] == state[i] else 1


class DealtColumn(NamedTuple):
    """A column that is dealt to all states: its total, the objects `left` before it, its binomials."""

    counts: Floats
    left: int
    total: int
    binomials: Floats
    scale: float
    offset: int
    steps: int  # work for each deal


@forecast_kernel(lambda *_: math.inf)
def deal_column(
    dealt: DealtColumn, workspace: Integers, weights: Floats, most_work: Integers, law: Floats,
    spans: Integers, out: Floats, out_spans: Integers,
) -> int:  # fmt: skip
    """Deal a column: ``out[r - k, pairs + sum C(k_i, 2)] += P(k | r) law[r, pairs]``; return the work.

    Along rows with equal remainders the cells do not increase. Such a column stands for ``g! / (u! v! ...)``
    columns, a product of ``place / run``. Laws are nonzero only in ``spans[r, 0] ... spans[r, 1] - 1``.
    Another thread may lower `most_work`, shape (1,).
    """
    counts, left, column, binomials = dealt.counts, dealt.left, dealt.total, dealt.binomials
    scale, offset, steps_per_column = dealt.scale, dealt.offset, dealt.steps
    state, place, alike, after = workspace[0], workspace[1], workspace[2], workspace[3]
    cells, lowest, rest = workspace[4], workspace[5], workspace[6]
    gained, run = workspace[7], workspace[8]
    last = state.size - 1
    work = 0
    for number in range(law.shape[0]):
        start, stop = spans[number, 0], spans[number, 1]
        fill_state(number, left, counts, state)
        describe_groups(state, place, alike, after)
        i = 0
        entering = True
        while i >= 0:
            if entering:
                rest[i] = column if i == 0 else rest[i - 1] - cells[i - 1]
                cells[i] = min(state[i], rest[i])
                if place[i] > 1:
                    cells[i] = min(cells[i], cells[i - 1])
                # the remaining objects must fit into the rows from here on, and the next cells of the group
                # are not larger; the last row takes exactly the remaining objects
                lowest[i] = max(0, -((after[i] - rest[i]) // (alike[i] + 1)))
            else:
                cells[i] -= 1
            if cells[i] < lowest[i]:
                i -= 1
                entering = False
                continue
            k = cells[i]
            weight = binomials[state[i], k] * (scale if i == 0 else weights[i - 1])
            run[i] = 1
            if place[i] > 1:
                if k == cells[i - 1]:
                    run[i] = run[i - 1] + 1
                weight *= place[i] / run[i]
            weights[i] = weight
            gained[i] = k * (k - 1) // 2 + (gained[i - 1] if i > 0 else 0)
            if i < last:
                i += 1
                entering = True
                continue
            entering = False
            sort_rest(state, cells, workspace[9])
            target = number_of(workspace[9], left - column, counts)
            shift = gained[last] + offset
            source, sums = law[number], out[target]
            for t in range(start, stop):
                sums[t + shift] += weight * source[t]
            work += stop - start + steps_per_column
            if work > most_work[0]:
                return int(work)
            if out_spans[target, 1] == 0:  # the first addition to this state
                out_spans[target, 0] = start + shift
            out_spans[target, 0] = min(out_spans[target, 0], start + shift)
            out_spans[target, 1] = max(out_spans[target, 1], stop + shift)
    return work


@kernel
def sort_rest(state: Integers, cells: Integers, out: Integers) -> None:
    """Subtract these cells from a state, and sort the remainders in descending order, by insertion."""
    for i in range(state.size):
        r = state[i] - cells[i]
        j = i
        while j > 0 and out[j - 1] < r:
            out[j] = out[j - 1]
            j -= 1
        out[j] = r


@forecast_kernel(lambda counts, left, law, *rest: 5_000.0 * len(law) + 2.0 * law.size)
def deal_rest(
    counts: Floats, left: int, law: Floats, spans: Integers, lowest: int, state: Integers, out: Floats
) -> None:
    """Deal the last column, which is the state itself: ``out[pairs + sum C(r_i, 2)] += law[r, pairs]``."""
    for number in range(law.shape[0]):
        fill_state(number, left, counts, state)
        shift = lowest
        for r in state:
            shift += r * (r - 1) // 2
        for t in range(spans[number, 0], spans[number, 1]):
            out[t + shift] += law[number, t]


# In plain Python, NumPy makes the same additions in the same order in a fiftieth of the time.
cast(Kernel, deal_column).plain = deal_column_in_arrays
cast(Kernel, deal_rest).plain = deal_rest_in_arrays
