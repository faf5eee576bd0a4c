"""States of the dynamic programming over columns, numbered, and the laws that a column hands on."""

from chancecorr.compiled import Floats, Integers, kernel


@kernel
def count_states(totals: Integers, out: Floats) -> None:
    """``out[i, m, s]``: states of rows i, i + 1, ... with sum s: within totals, below m, not increasing."""
    K = totals.size
    out[K, :, 0] = 1.0
    left = 0
    for i in range(K - 1, -1, -1):
        left += totals[i]
        for m in range(1, out.shape[1]):
            r = m - 1
            out[i, m, : left + 1] = out[i, m - 1, : left + 1]
            if r <= totals[i]:
                for s in range(r, left + 1):
                    out[i, m, s] += out[i + 1, m, s - r]


@kernel
def number_of(state: Integers, left: int, counts: Floats) -> int:
    """Number of a state among those with its sum `left`."""
    number = 0.0
    for i in range(state.size):
        number += counts[i, state[i], left]
        left -= state[i]
    return int(number)


@kernel
def fill_state(number: int, left: int, counts: Floats, out: Integers) -> None:
    """State of this number and this sum."""
    rest = float(number)
    m = counts.shape[1] - 2
    for i in range(out.size):
        m = min(m, left)
        while counts[i, m, left] > rest:
            m -= 1
        out[i] = m
        rest -= counts[i, m, left]
        left -= m


@kernel
def count_transitions(columns: Integers, counts: Floats, state: Integers, ways: Floats, out: Floats) -> None:
    """``out[j]``: states before column j times the mean number of columns that each allows; 32 are looked at.

    Not increasing columns of g rows with remainder r are counted by ``prod (1 - z**(r + i)) / (1 - z**i)``,
    i = 1, ..., g; the groups' series are multiplied.
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
                for s in range(column, r + place - 1, -1):
                    ways[s] -= ways[s - r - place]
                for s in range(place, column + 1):
                    ways[s] += ways[s - place]
            total += ways[column]
        out[j] = states * (total / looked_at) if j < columns.size - 1 else states
        left -= column


@kernel
def fill_binomials(p: float, q: float, out: Floats) -> None:
    """``out[r, k] = C(r, k) p**k q**(r - k)``; k may stop short of r."""
    out[0, 0] = 1.0
    for r in range(1, out.shape[0]):
        out[r, 0] = out[r - 1, 0] * q
        for k in range(1, min(r + 1, out.shape[1])):
            out[r, k] = out[r - 1, k - 1] * p + out[r - 1, k] * q


@kernel
def deal_column(
    counts: Floats,
    left: int,
    column: int,
    binomials: Floats,
    scale: float,
    offset: int,
    law: Floats,
    spans: Integers,
    workspace: Integers,
    weights: Floats,
    out: Floats,
    out_spans: Integers,
    steps_per_column: int,
) -> int:
    """One column from every state: ``out[r - k, pairs + sum C(k_i, 2)] += P(k | r) law[r, pairs]``.

    Binomial numbers of equal p, given their sum, are hypergeometric: with p = column / left neither their
    product nor `scale`, the inverse probability of the sum, is extreme. Return the work done, in additions.
    """
    state, after, cells, lowest, rest = workspace[0], workspace[1], workspace[2], workspace[3], workspace[4]
    gained, place, alike, run = workspace[5], workspace[6], workspace[7], workspace[8]
    last = state.size - 1
    work = 0
    for number in range(law.shape[0]):
        start, stop = spans[number, 0], spans[number, 1]
        fill_state(number, left, counts, state)
        below = 0
        for i in range(last, -1, -1):
            same = i < last and state[i + 1] == state[i]
            alike[i] = alike[i + 1] + 1 if same else 0
            after[i] = after[i + 1] if same else below  # what the rows after this group still take
            below += state[i]
        for i in range(last + 1):
            place[i] = place[i - 1] + 1 if i > 0 and state[i - 1] == state[i] else 1
        i = 0
        entering = True
        while i >= 0:
            if entering:
                rest[i] = column if i == 0 else rest[i - 1] - cells[i - 1]
                cells[i] = min(state[i], rest[i])
                if place[i] > 1:
                    cells[i] = min(cells[i], cells[i - 1])
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
            target = target_of(state, cells, left - column, counts, workspace[9])
            shift = gained[last] + offset
            source, sums = law[number], out[target]
            for t in range(start, stop):
                sums[t + shift] += weight * source[t]
            work += stop - start + steps_per_column
            if out_spans[target, 1] == 0:
                out_spans[target, 0] = start + shift
            out_spans[target, 0] = min(out_spans[target, 0], start + shift)
            out_spans[target, 1] = max(out_spans[target, 1], stop + shift)
    return work


@kernel
def target_of(state: Integers, cells: Integers, left: int, counts: Floats, out: Integers) -> int:
    """Number of the state that a column leaves; the state itself, sorted, into `out`."""
    for i in range(state.size):
        r = state[i] - cells[i]
        j = i
        while j > 0 and out[j - 1] < r:
            out[j] = out[j - 1]
            j -= 1
        out[j] = r
    return number_of(out, left, counts)


@kernel
def deal_rest(
    counts: Floats, left: int, law: Floats, spans: Integers, lowest: int, state: Integers, out: Floats
) -> None:
    """The last column is the state itself: ``out[pairs + sum C(r_i, 2)] += law[r, pairs]``."""
    for number in range(law.shape[0]):
        fill_state(number, left, counts, state)
        shift = lowest
        for r in state:
            shift += r * (r - 1) // 2
        for t in range(spans[number, 0], spans[number, 1]):
            out[t + shift] += law[number, t]
