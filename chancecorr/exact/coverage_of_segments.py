"""Probability that a sample of a series has a label, if segments with given lengths are placed at random.

All placements without overlap are equally likely, with the segments in a given order or in any order. Li,
Rosé, Yuan & Zhou (2024, arXiv:2407.11371) use this model for annotations of sequences. The expected count of
each cell is a sum of these probabilities, and so is the mean of an index that is linear in the cells.

Let m segments leave F samples free. The gap before the segment that has k others before it is the sum of the
first k + 1 of m + 1 gaps, whose placements are the ways to write F as a sum of m + 1 whole numbers from 0 on:

``P(gap = b) = C(b + k, k) C(F - b + m - 1 - k, m - 1 - k) / C(F + m, m)``.

In any order, a segment has each number k of others before it with probability 1 / m, and then each set of k
others. The sum of their lengths is counted by adding one segment after another.
"""

import math
from collections.abc import Iterator

import numpy as np

from chancecorr.machine.arrays import Floats, Integers

MOST_SEGMENTS = 500  # numbers of subsets of more segments are not finite
MOST_NUMBERS = 10_000_000  # most numbers in a matrix of labels or segments by samples: 80 MB


def forecast_coverage(lengths: Integers, free: int, n_labels: int, *, in_order: bool) -> float:
    """Return the forecast seconds of `compute_coverage`; infinite if it takes too much memory."""
    m, total = lengths.size, int(lengths.sum())
    if max(n_labels, m) * (total + free + 1) > MOST_NUMBERS or (m > MOST_SEGMENTS and not in_order):
        return math.inf
    distinct, nanoseconds = np.unique(lengths).size, 20.0 * m * (free + 1) + 5.0 * n_labels * (total + free)
    if not in_order:
        nanoseconds += 0.6 * (1 + math.ceil(math.log2(max(distinct, 1)))) * m * m * total
        nanoseconds += (12.0 if free else 3.0) * distinct * m * (total + free)
    return 1e-9 * nanoseconds


def compute_coverage(
    lengths: Integers, labels: Integers, free: int, n_labels: int, *, in_order: bool
) -> Floats:
    """Return the probability that each sample has each label, shape (labels, samples).

    The segments have these lengths and labels; the samples in gaps have no label here.
    """
    m, n = lengths.size, int(lengths.sum()) + free
    changes, gaps = np.zeros((n_labels, n + 1)), list_gap_laws(m, free)

    def add(label: int, length: int, first: int, starts: Floats) -> None:
        """Add the coverage of a segment whose start has these probabilities, from the first sample on."""
        changes[label, first : first + starts.size] += starts
        changes[label, first + length : first + length + starts.size] -= starts

    if in_order or not m:
        firsts = (np.cumsum(lengths) - lengths).tolist()
        for label, length, first, gap in zip(labels.tolist(), lengths.tolist(), firsts, gaps, strict=True):
            add(label, length, first, gap)
        return np.cumsum(changes, axis=1)[:, :n]
    distinct, times = np.unique(lengths, return_counts=True)
    segments = list(zip(distinct.tolist(), times.tolist(), strict=True))
    of_subsets = np.array([m * math.comb(m - 1, k) for k in range(m)], dtype=np.float64)
    nothing = np.zeros((m, int(lengths.sum()) + 1))
    nothing[0, 0] = 1.0
    size = 1 << n.bit_length()  # of the transforms that convolve sums of lengths and gaps
    of_gaps = np.fft.rfft(gaps, size) if free else None
    for length, counts in count_sums_without_one(segments, nothing):
        of_sums = counts[:, : n - free - length + 1] / of_subsets[:, np.newaxis]
        starts = of_sums.sum(axis=0)
        if of_gaps is not None:
            transform = (np.fft.rfft(of_sums, size) * of_gaps).sum(axis=0)
            starts = np.fft.irfft(transform, size)[: n - length + 1]
        for label, number in enumerate(np.bincount(labels[lengths == length]).tolist()):
            if number:
                add(label, length, 0, number * starts)
    return np.cumsum(changes, axis=1)[:, :n]


def list_gap_laws(m: int, free: int) -> Floats:
    """Return the probabilities of the total gap before each of m segments in order, shape (m, free + 1)."""
    k, b = np.arange(m)[:, np.newaxis], np.arange(free)
    logs = np.zeros((m, free + 1))
    ratios = (b + 1.0 + k) / (b + 1.0) * (free - b) / (free - b + m - 1.0 - k)
    np.cumsum(np.log(ratios), axis=1, out=logs[:, 1:])
    laws = np.exp(logs - logs.max(axis=1, keepdims=True, initial=0.0))
    return np.asarray(laws / laws.sum(axis=1, keepdims=True))


def count_sums_without_one(segments: list[tuple[int, int]], counts: Floats) -> Iterator[tuple[int, Floats]]:
    """Yield each distinct length, with numbers of subsets of the others by their size and total length.

    The segments are distinct lengths with the times that each occurs; `counts` has the subsets of the
    segments that were added before. Each half of the segments shares the sums of the other half.
    """
    if len(segments) == 1:
        ((length, times),) = segments
        yield length, _add_segments(counts, length, times - 1)
        return
    halves = segments[: len(segments) // 2], segments[len(segments) // 2 :]
    for half, others in (halves, halves[::-1]):
        with_others = counts
        for length, times in others:
            with_others = _add_segments(with_others, length, times)
        yield from count_sums_without_one(half, with_others)


def _add_segments(counts: Floats, length: int, times: int) -> Floats:
    """Return the numbers of subsets after segments of one length are added."""
    counts = counts.copy()
    for _ in range(times):
        counts[1:, length:] += counts[:-1, :-length]
    return counts
