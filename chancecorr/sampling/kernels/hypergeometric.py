"""One hypergeometric draw: of `draws` objects out of a population, how many are among the `good` ones.

``f(x) = C(good, x) C(population - good, draws - x) / C(population, draws)``. By symmetry both numbers become
at most half of the population. A law of a small mean is inverted from 0 on. Any other is drawn by ratio of
uniforms (Stadlober 1990, doi:10.1016/0377-0427(90)90349-5): a point of a rectangle gives ``x = floor(centre +
width (v - 1/2) / u)``, which is taken if ``u**2 <= f(x) / f(mode)``. In total variation the error is below
1e-11 for up to a million objects and below 1e-8 for 3 * 10**9: see "Tables under fixed margins" in
docs/explanation/derivations.md.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import inlined_kernel
from chancecorr.sampling.kernels.logarithms import UNIT, exp, log, log_rise, rise_beyond
from chancecorr.sampling.kernels.streams import Stream, draw_uniform

MOST_MEAN_INVERTED = 8  # mean up to which steps from 0 take less than a proposal
SLOPE_OF_WIDTH, OFFSET_OF_WIDTH = 2.0 * math.sqrt(2.0 / math.e), 3.0 - 2.0 * math.sqrt(3.0 / math.e)
"""Width of the rectangle: ``SLOPE_OF_WIDTH sqrt(variance + 1/2) + OFFSET_OF_WIDTH``, of Stadlober."""

REACH = 16.0  # such standard deviations, beyond which no value is drawn: their probability is below 1e-50


@inlined_kernel
def invert(
    population: Whole, good: Whole, draws: Whole, table: Integers, stream: Stream
) -> tuple[Whole, Stream]:
    """Draw x by subtracting f(0), f(1), ... from a uniform number."""
    u, stream = draw_uniform(stream)
    rest = population - good - draws
    if population < table.size:
        units = table[np.uint64(population - good)] + table[np.uint64(population - draws)]
        p = exp(np.float64(units - table[np.uint64(population)] - table[np.uint64(rest)]) * UNIT)
    else:
        few = min(good, draws)
        p = exp(log_rise(population, -few, table) + log_rise(population - max(good, draws) - few, few, table))
    x, most = 0, min(good, draws)
    u -= p
    while u > 0.0 and x < most:
        p *= np.float64((good - x) * (draws - x)) / np.float64((x + 1) * (rest + x + 1))
        x += 1
        u -= p
    return x, stream


@inlined_kernel
def propose(
    population: Whole, good: Whole, draws: Whole, table: Integers, stream: Stream
) -> tuple[Whole, Stream]:
    """Draw x by ratio of uniforms."""
    total, drawn = np.float64(population), np.float64(draws)
    # What does not depend on the value before, which `draws` does, is computed while that is waited for.
    share = good * (1.0 / total)
    centre = drawn * share + 0.5
    scale = math.sqrt((total - drawn) * drawn * (share * (1.0 - share) / (total - 1.0)) + 0.5)
    width = SLOPE_OF_WIDTH * scale + OFFSET_OF_WIDTH
    mode = np.int64((drawn + 1.0) * ((good + 1.0) / (total + 2.0)))
    rest = population - good - draws
    low = np.int64(max(0.0, centre - REACH * scale))
    high = min(np.int64(min(good, draws)), np.int64(centre + REACH * scale))
    # all four factorials are in the table, or all but the largest one, or not even these
    has_all, has_three = rest + min(good, draws) < table.size, max(good, draws) < table.size
    at_mode, log_rest = np.int64(0), 0.0
    if has_three:
        at_mode = table[np.uint64(mode)] + table[np.uint64(good - mode)] + table[np.uint64(draws - mode)]
        if has_all:
            at_mode += table[np.uint64(rest + mode)]
        else:
            log_rest = log(np.float64(rest + mode))
    while True:
        u, stream = draw_uniform(stream)
        v, stream = draw_uniform(stream)
        proposed = np.int64(math.floor(centre + width * ((v - 0.5) / u)))
        x = min(max(proposed, low), high)
        if has_three:
            units = at_mode - (table[np.uint64(x)] + table[np.uint64(good - x)] + table[np.uint64(draws - x)])
            if has_all:
                t = float(np.float64(units - table[np.uint64(rest + x)]) * UNIT)
            else:
                t = float(np.float64(units) * UNIT - rise_beyond(rest + mode, x - mode, log_rest))
        else:
            d = x - mode
            t = -(log_rise(mode, d, table) + log_rise(good - mode, -d, table))
            t -= log_rise(draws - mode, -d, table) + log_rise(rest + mode, d, table)
        if (x == proposed) & (2.0 * log(u) <= t):  # one branch: each that is guessed wrong costs a proposal
            return x, stream


@inlined_kernel
def draw_hypergeometric(
    population: Whole, good: Whole, draws: Whole, table: Integers, stream: Stream
) -> tuple[Whole, Stream]:
    """Draw x for any numbers, 0 included; `table` is that of `log_factorials`."""
    few_good, few_draws = min(good, population - good), min(draws, population - draws)
    x: Whole = np.int64(0)
    if few_good > 0 and few_draws > 0:
        if few_good * few_draws <= MOST_MEAN_INVERTED * population:
            x, stream = invert(population, few_good, few_draws, table, stream)
        else:
            x, stream = propose(population, few_good, few_draws, table, stream)
    if few_good != good:
        x = few_draws - x
    if few_draws != draws:
        x = good - x
    return x, stream
