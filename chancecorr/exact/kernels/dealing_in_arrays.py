"""Columns dealt to all states at once, by NumPy: the same additions in the same order as the kernels.

This is fast for the law of T of a few hundred objects. Compiling `exact.kernels.dynamic_programming` would
take a second, and its loops in plain Python would take longer.
"""

from typing import TYPE_CHECKING

import numpy as np

from chancecorr.machine.arrays import Floats, Integers

if TYPE_CHECKING:
    from chancecorr.exact.kernels.dynamic_programming import DealtColumn

# approximate number of columns at a time, forecast from the columns of the states before
COLUMNS_AT_A_TIME = 100_000
NUMBERS_AT_A_TIME = 50_000  # numbers that are added at a time; they fit into the processor's caches


def deal_column_in_arrays(
    dealt: "DealtColumn", workspace: Integers, weights: Floats, most_work: Integers, law: Floats,
    spans: Integers, out: Floats, out_spans: Integers,
) -> int:  # fmt: skip
    """Do the same as `dynamic_programming.deal_column`, but without workspace; return the work."""
    work, first, states_at_a_time = 0, 0, 1
    lows = np.full(len(out), np.iinfo(np.int64).max)
    while first < len(law):
        numbers = np.arange(first, min(first + states_at_a_time, len(law)))
        states = list_states(numbers, dealt.left, dealt.counts)
        which, cells, of_columns, gained = list_columns(states, dealt)
        starts, stops = spans[numbers[which]].T
        work += int((stops - starts + dealt.steps).sum())
        if work > most_work[0]:
            break
        targets = number_states(-np.sort(cells - states[which]), dealt.left - dealt.total, dealt.counts)
        shifts = gained + dealt.offset
        np.minimum.at(lows, targets, starts + shifts)
        np.maximum.at(out_spans[:, 1], targets, stops + shifts)
        _add_laws(law, out, (numbers[which], targets, starts, stops, shifts), of_columns)
        first += numbers.size
        states_at_a_time = 1 + int(COLUMNS_AT_A_TIME * numbers.size / max(which.size, 1))
    out_spans[:, 0] = np.where(out_spans[:, 1] > 0, lows, 0)
    return work


def _add_laws(law: Floats, out: Floats, places: tuple[Integers, ...], weights: Floats) -> None:
    """Add ``weight * law[number, t]`` to ``out[target, t + shift]``, t from start to ``stop - 1``."""
    ends = np.cumsum(places[3] - places[2])
    first, flat = 0, out.reshape(-1)
    while first < ends.size:
        before = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + NUMBERS_AT_A_TIME, side="right")))
        numbers, targets, starts, stops, shifts = (place[first:last] for place in places)
        one = np.repeat(np.arange(last - first), stops - starts)
        t = np.arange(one.size) - (ends[first:last] - before - stops)[one]
        terms = weights[first:last][one] * law[numbers[one], t]
        np.add.at(flat, (targets * out.shape[1] + shifts)[one] + t, terms)
        first = last


def list_states(numbers: Integers, left: int, counts: Floats) -> Integers:
    """Return the states of these numbers and this sum, (states, K); see `dynamic_programming.fill_state`."""
    states = np.empty((numbers.size, counts.shape[0] - 1), dtype=np.int64)
    rests, lefts = numbers.astype(np.float64), np.full(numbers.size, left)
    most = np.full(numbers.size, counts.shape[1] - 2)
    for i in range(states.shape[1]):
        most = np.minimum(most, lefts)
        while (too_many := counts[i, most, lefts] > rests).any():
            most = most - too_many
        states[:, i] = most
        rests = rests - counts[i, most, lefts]
        lefts = lefts - most
    return states


def number_states(states: Integers, left: int, counts: Floats) -> Integers:
    """Return the numbers of states with this sum; see `dynamic_programming.number_of`."""
    numbers, lefts = np.zeros(len(states)), np.full(len(states), left)
    for i in range(states.shape[1]):
        numbers += counts[i, states[:, i], lefts]
        lefts = lefts - states[:, i]
    return numbers.astype(np.int64)


def list_columns(states: Integers, dealt: "DealtColumn") -> tuple[Integers, Integers, Floats, Integers]:
    """List all columns that each state allows: state, cells, weight, and number of pairs.

    The cells do not increase along rows with equal remainders. The columns of a state come in descending
    order.
    """
    place, alike, after = describe_all_groups(states)
    which, rests = np.arange(len(states)), np.full(len(states), dealt.total)
    k = run = gained = np.zeros(len(states), dtype=np.int64)
    weights, cells = np.full(len(states), dealt.scale), np.empty((len(states), 0), dtype=np.int64)
    for i in range(states.shape[1]):
        in_group = place[which, i] > 1
        most = np.minimum(states[which, i], rests)
        most = np.where(in_group, np.minimum(most, k), most)
        least = np.maximum(0, -((after[which, i] - rests) // (alike[which, i] + 1)))
        many = np.maximum(most - least + 1, 0)
        one = np.repeat(np.arange(many.size), many)
        before, in_group = k[one], in_group[one]
        k = most[one] - (np.arange(one.size) - (np.cumsum(many) - many)[one])
        which, rests, cells = which[one], rests[one] - k, np.column_stack([cells[one], k])
        run = np.where(in_group & (k == before), run[one] + 1, 1)
        weights = dealt.binomials[states[which, i], k] * weights[one]
        weights = np.where(in_group, weights * (place[which, i] / run), weights)
        gained = k * (k - 1) // 2 + gained[one]
    return which, cells, weights, gained


def describe_all_groups(states: Integers) -> tuple[Integers, Integers, Integers]:
    """Return positions of rows in groups of equal remainders: `dynamic_programming.describe_groups`."""
    place, alike, after = np.ones_like(states), np.zeros_like(states), np.zeros_like(states)
    below = np.zeros(len(states), dtype=np.int64)
    same = states[:, 1:] == states[:, :-1]
    for i in range(states.shape[1] - 1, -1, -1):
        if i < states.shape[1] - 1:
            alike[:, i] = np.where(same[:, i], alike[:, i + 1] + 1, 0)
            after[:, i] = np.where(same[:, i], after[:, i + 1], below)
        below += states[:, i]
    for i in range(1, states.shape[1]):
        place[:, i] = np.where(same[:, i - 1], place[:, i - 1] + 1, 1)
    return place, alike, after


def deal_rest_in_arrays(
    counts: Floats, left: int, law: Floats, spans: Integers, lowest: int, workspace: Integers, out: Floats
) -> None:
    """Do the same as `dynamic_programming.deal_rest`, but without workspace."""
    states = list_states(np.arange(len(law)), left, counts)
    shifts = lowest + (states * (states - 1) // 2).sum(axis=1)
    for row, shift, (start, stop) in zip(law, shifts.tolist(), spans.tolist(), strict=True):
        out[start + shift : stop + shift] += row[start:stop]
