"""Tables with a large ``sum f(n_ij)``, f convex, dealt row by row; branches that fall short are left out.

``worth[x] = f(x)`` in whole numbers, ``f(0) = 0``: ``C(x, 2)`` for T, ``x log x`` in small units for the
mutual information. A state is what is left of the column totals, in descending order, with the worth so far;
branches that meet in both are one. The rest is worth most if each column is filled by the largest rows first,
or each row by the largest columns (both majorize every other way; the smaller sum counts), and least if
totals are spread evenly. A branch is left out if the most is too little, and counted at once if the least is
enough.
"""

import math

from chancecorr.exact.laws.kernels.dynamic_programming import sort_rest
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel

FULL = -1
"""In place of the number of states: there is no room for them."""

HASHED = (1 << 40) - 1
"""Bits of a hash that are kept, so that its product with a million does not overflow."""

STOPPED = -2
"""In place of the number of states: they take more work than allowed."""


@kernel
def most_worth(total: int, parts: Integers, first: int, worth: Integers) -> int:
    """Most that a total is worth, shared out over parts of these sizes, descending, from `first` on."""
    found = 0
    for place in range(first, parts.size):
        taken = min(total, parts[place])
        found += worth[taken]
        total -= taken
        if total == 0:
            break
    return found


@kernel
def fill_most_worth(parts: Integers, first: int, worth: Integers, out: Integers) -> None:
    """``out[s]``: the most that a total of s is worth."""
    for s in range(out.size):
        out[s] = most_worth(s, parts, first, worth)


@kernel
def least_worth(total: int, parts: int, worth: Integers) -> int:
    """Worth of a total spread evenly over so many parts."""
    each, over = total // parts, total % parts
    return int(over * worth[each + 1] + (parts - over) * worth[each])


@kernel
def add_logs(a: float, b: float) -> float:
    """``log(exp(a) + exp(b))``."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))


@kernel
def bounds_of_rest(
    state: Integers, rows: Integers, most_of_columns: Integers, worth: Integers
) -> tuple[int, int]:
    """Least and most that rows of these totals, descending, can be worth in a state."""
    by_rows = by_columns = least_by_rows = least_by_columns = filled = 0
    for s in state:
        if s > 0:
            filled += 1
            by_columns += most_of_columns[s]
            least_by_columns += least_worth(s, rows.size, worth)
    for r in rows:
        by_rows += most_worth(r, state, 0, worth)
        least_by_rows += least_worth(r, filled, worth)
    return max(least_by_rows, least_by_columns), min(by_rows, by_columns)


@kernel
def place_of(
    state: Integers, gained: int, count: int, states: Integers, so_far: Integers, slots: Integers
) -> int:
    """Number of a state among the `count` there are, or of one put at their end; `FULL` without room."""
    h = (gained ^ (gained >> 40)) & HASHED
    for s in state:
        h = (h * 1_000_003 + s) & HASHED
    slot = (h ^ (h >> 17)) & (slots.size - 1)
    while slots[slot] >= 0:
        found = slots[slot]
        same = so_far[found] == gained
        j = 0
        while same and j < state.size:
            same = states[found, j] == state[j]
            j += 1
        if same:
            return int(found)
        slot = (slot + 1) & (slots.size - 1)
    if count == states.shape[0]:
        return FULL
    slots[slot] = count
    states[count] = state
    so_far[count] = gained
    return count


@kernel
def deal_row(
    total: int,
    rows: Integers,
    worth: Integers,
    wanted: int,
    most_before: Integers,
    most_after: Integers,
    log_factorials: Floats,
    m: int,
    states: Integers,
    so_far: Integers,
    logs: Floats,
    slots: Integers,
    workspace: Integers,
    weights: Floats,
    out_states: Integers,
    out_so_far: Integers,
    out_logs: Floats,
    most_work: int,
) -> tuple[int, float, int]:
    """Deal a row of this total from each of the m states; `rows` are those after it, at least one.

    Return the number of states it leads to, the log of the probability of the branches that are sure to reach
    what is `wanted`, and the work. ``most_before[s]`` and ``most_after[s]`` are the most that a column with s
    objects left is worth, before and after this row.

    The cells of a row are walked depth-first, as in the dynamic programming over columns: along columns with
    equal remainders they do not increase, and such a row stands for all its rearrangements among them.
    """
    Q = states.shape[1]
    last = Q - 1
    cells, rest, gained, limit, place, run, left, target = (
        workspace[0], workspace[1], workspace[2], workspace[3], workspace[4], workspace[5], workspace[6],
        workspace[7],
    )  # fmt: skip
    count = work = 0
    sure = -math.inf
    for number in range(m):
        state = states[number]
        objects = after = 0
        work += Q + rows.size
        for s in state:
            objects += s
        for r in rows:
            after += most_worth(r, state, 0, worth)
        left[last] = 0  # objects in the columns after column j, and the most that those are worth
        limit[last] = 0
        for j in range(last - 1, -1, -1):
            left[j] = left[j + 1] + state[j + 1]
            limit[j] = limit[j + 1] + most_before[state[j + 1]]
        for j in range(Q):
            place[j] = place[j - 1] + 1 if j > 0 and state[j - 1] == state[j] else 1
        start = logs[number] - (
            log_factorials[objects] - log_factorials[total] - log_factorials[objects - total]
        )
        j = 0
        entering = True
        while j >= 0:
            work += 1
            if work > most_work:
                return STOPPED, sure, work
            if entering:
                rest[j] = total if j == 0 else rest[j - 1] - cells[j - 1]
                cells[j] = min(state[j], rest[j])
                if place[j] > 1:
                    cells[j] = min(cells[j], cells[j - 1])
            else:
                cells[j] -= 1
            k = cells[j]
            if k < 0 or rest[j] - k > left[j]:
                j -= 1
                entering = False
                continue
            entering = False
            # worth of the cells dealt so far, and with the most that their columns are worth after this row
            own = worth[k] + (gained[j - 1] if j > 0 else so_far[number])
            both = worth[k] + most_after[state[j] - k] + (target[Q + j - 1] if j > 0 else so_far[number])
            if both + limit[j] < wanted:
                continue
            if own + most_worth(rest[j] - k, state, j + 1, worth) + after < wanted:
                continue
            gained[j], target[Q + j] = own, both
            run[j] = run[j - 1] + 1 if place[j] > 1 and k == cells[j - 1] else 1
            weight = log_factorials[state[j]] - log_factorials[k] - log_factorials[state[j] - k]
            weight += start if j == 0 else weights[j - 1]
            if place[j] > 1:
                weight += math.log(place[j] / run[j])
            weights[j] = weight
            if j < last:
                j += 1
                entering = True
                continue
            work += Q + rows.size
            sort_rest(state, cells, target)
            fewest, most = bounds_of_rest(target[:Q], rows, most_after, worth)
            if own + most < wanted:
                continue
            if own + fewest >= wanted:
                sure = add_logs(sure, weight)
                continue
            found = place_of(target[:Q], own, count, out_states, out_so_far, slots)
            if found == FULL:
                return FULL, sure, work
            if found == count:
                out_logs[found] = weight
                count += 1
            else:
                out_logs[found] = add_logs(out_logs[found], weight)
    return count, sure, work
