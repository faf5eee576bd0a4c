"""Cluster sizes of a random partition.

Exactly k clusters: the sizes ``s_i = 1 + y_i`` have weight ``1 / prod s_i!``. This is the marginal of ``prod
u_i**y_i / y_i!`` over weights u in the unit cube with density ``(sum u)**(n - k)``. The weights are proposed
with density ``exp(tilt * sum u)`` and accepted with probability ``(x exp(1 - x))**(n - k)``, ``x = tilt * sum
u / (n - k)``, which happens in 0.88 or more of the attempts; then ``n - k`` objects fall into urns in
proportion to u. Any number of clusters (Stam 1983, Journal of Combinatorial Theory A 35): the objects fall
into m equal urns, with ``P(m)`` proportional to ``m**n / m!``. Multinomial sizes: binomial draws, one cluster
after the other.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole
from chancecorr.machine.kernel import forecast_kernel, kernel
from chancecorr.sampling.kernels.hypergeometric import (
    MOST_MEAN_INVERTED,
    OFFSET_OF_WIDTH,
    REACH,
    SLOPE_OF_WIDTH,
)
from chancecorr.sampling.kernels.logarithms import exp, log, log1p, log_rise
from chancecorr.sampling.kernels.streams import (
    NANOSECONDS_OF_AN_OBJECT,
    Stream,
    draw_below,
    draw_uniform,
    open_stream,
)

NANOSECONDS_OF_A_BINOMIAL = 30_000.0  # time of a binomial draw in plain Python
# objects thrown one by one in the time of one binomial draw; changing it changes the bits of draws
OBJECTS_PER_BINOMIAL = 40


@kernel
def draw_binomial(trials: Whole, p: float, q: float, table: Integers, stream: Stream) -> tuple[Whole, Stream]:
    """Draw a binomial number, ``q = 1 - p``: by inversion if the mean is small, else by ratio of uniforms."""
    few = min(p, q)
    if trials == 0 or few <= 0.0:
        return 0 if p <= 0.0 else np.int64(trials), stream
    mean, x = trials * few, np.int64(0)
    odds = few / (1.0 - few)
    if mean <= MOST_MEAN_INVERTED:
        u, stream = draw_uniform(stream)
        probability = exp(trials * log1p(-few))
        u -= probability
        while u > 0.0 and x < trials:
            probability *= odds * (trials - x) / (x + 1.0)
            x += 1
            u -= probability
    else:
        centre = (trials + 1.0) * few
        scale = math.sqrt(centre * (1.0 - few))
        width = SLOPE_OF_WIDTH * scale + OFFSET_OF_WIDTH
        mode, log_odds = np.int64(centre), log(odds)
        low, high = max(0.0, centre - REACH * scale), min(np.float64(trials), centre + REACH * scale)
        while True:
            u, stream = draw_uniform(stream)
            v, stream = draw_uniform(stream)
            x = np.int64(math.floor(centre + width * ((v - 0.5) / u)))
            if x < low or x > high:
                continue
            d = x - mode
            t = d * log_odds - (log_rise(mode, d, table) + log_rise(trials - mode, -d, table))
            if 2.0 * log(u) <= t:
                break
    return x if few == p else trials - x, stream


@kernel
def draw_sizes_of_k(
    n: int, tilt: float, weights: Floats, table: Integers, sizes: Integers, first: int, stream: Stream
) -> None:
    """Draw the sizes of a uniform partition into exactly ``weights.size`` clusters, in random order."""
    k = weights.size
    rest = n - k
    for i in range(k):
        sizes[first + i] = 1
    if k < 2 or rest == 0:
        if k > 0:
            sizes[first] += rest
        return
    shrink = exp(-tilt) - 1.0
    while True:
        total = 0.0
        for i in range(k):
            v, stream = draw_uniform(stream)
            # by inversion of the law with density exp(tilt u) on (0, 1); above 0, because it is divided by
            weights[i] = max(1.0 + log1p((1.0 - v) * shrink) / tilt, 1e-17)
            total += weights[i]
        excess = total * tilt / rest - 1.0
        u, stream = draw_uniform(stream)
        if log(u) <= rest * (log1p(excess) - excess):
            break
    if rest <= OBJECTS_PER_BINOMIAL * (k - 1):
        # throw objects into urns in proportion to the weights, by rejection: no weight is above 1
        half = np.uint64(0)
        for _ in range(rest):
            while True:
                urn, half, stream = draw_below(np.uint64(k), half, stream)
                u, stream = draw_uniform(stream)
                if u < weights[urn]:
                    break
            sizes[first + np.int64(urn)] += 1
        return
    # a multinomial draw by binomial draws: of the remaining objects, how many fall into urn i and not into a
    # later urn
    for i in range(k - 2, -1, -1):
        weights[i] += weights[i + 1]  # weight of urn i and of all later urns
    for i in range(k - 1):
        q = weights[i + 1] / weights[i]
        x, stream = draw_binomial(rest, (weights[i] - weights[i + 1]) / weights[i], q, table, stream)
        sizes[first + i] += x
        rest -= int(x)
    sizes[first + k - 1] += rest


def forecast_sizes_of_k(n: int, k: int, n_tables: int) -> float:
    """Forecast the nanoseconds to draw the sizes of `n_tables` tables in plain Python."""
    return 2e4 * k * n_tables * (1.0 + min(OBJECTS_PER_BINOMIAL, n / max(k, 1)))


@forecast_kernel(
    lambda n, tilt, seed, first, weights, table, sizes: forecast_sizes_of_k(
        n, weights.size, sizes.size // max(weights.size, 1)
    )
)
def fill_sizes_of_k(
    n: int, tilt: float, seed: np.uint64, first: int, weights: Floats, table: Integers, sizes: Integers
) -> None:
    """Draw the sizes of partitions ``first, ...``, one after the other; `weights` (k,) is workspace."""
    k = weights.size
    for t in range(sizes.size // max(k, 1)):
        draw_sizes_of_k(n, tilt, weights, table, sizes, t * k, open_stream(seed, first + t))


@forecast_kernel(lambda n, *rest: NANOSECONDS_OF_AN_OBJECT * n * rest[-1].size)
def fill_sizes_of_any(
    n: int, fewest_urns: int, urn_law: Floats, seed: np.uint64, first: int, sizes: Integers, ends: Integers
) -> None:
    """Draw the sizes of partitions ``first, ...``; the sizes of partition t end at ``ends[t + 1]``."""
    ends[0] = 0
    for t in range(ends.size - 1):
        stream, half, start = open_stream(seed, first + t), np.uint64(0), ends[t]
        u, stream = draw_uniform(stream)
        low, high = 0, urn_law.size  # find the first position whose entry is at least u
        while low < high:
            middle = (low + high) // 2
            if urn_law[middle] < u:
                low = middle + 1
            else:
                high = middle
        n_urns = fewest_urns + low
        for i in range(n_urns):
            sizes[start + i] = 0
        for _ in range(n):
            urn, half, stream = draw_below(np.uint64(n_urns), half, stream)
            sizes[start + np.int64(urn)] += 1
        end = start
        for i in range(start, start + n_urns):
            if sizes[i] > 0:
                sizes[end] = sizes[i]
                end += 1
        ends[t + 1] = end


@forecast_kernel(lambda n, totals, *rest: NANOSECONDS_OF_A_BINOMIAL * totals.size * rest[-1].size)
def fill_multinomial_sizes(
    n: int, totals: Integers, seed: np.uint64, first: int, table: Integers, sizes: Integers, ends: Integers
) -> None:
    """Draw multinomial sizes of n objects; ``totals / n`` are the probabilities of the clusters.

    The sizes of partition ``first + t`` end at ``ends[t + 1]``. Empty clusters are left out.
    """
    ends[0] = 0
    for t in range(ends.size - 1):
        stream = open_stream(seed, first + t)
        rest, left, end = n, n, ends[t]
        for i in range(totals.size):
            x, stream = draw_binomial(rest, totals[i] / left, (left - totals[i]) / left, table, stream)
            rest -= int(x)
            left -= totals[i]
            if x > 0:
                sizes[end] = x
                end += 1
        ends[t + 1] = end
