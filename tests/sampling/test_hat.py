"""The hat: above every hypergeometric law, laid in strips of equal area; see the page of derivations."""

import math

import numpy as np
import pytest

from chancecorr.machine.kernel import as_python
from chancecorr.sampling.kernels import draw as hat
from chancecorr.sampling.kernels.draw import bin_of, centre_and_scale, universal_hat
from chancecorr.sampling.kernels.logarithms import log2_factorials
from tests.sampling.fits import COMPILED, random_laws
from tests.shares import small_and_full

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

MOST = 2**17 if COMPILED else 2**10  # largest population whose laws are looked at cell by cell
RECORDS = universal_hat(2**62 if COMPILED else MOST).reshape(hat.BINS, hat.STRIPS, hat.RECORD)


def lowest_strip(strips, near, far):
    """Height of the lowest strip between two places on one side of the centre."""
    begin, rate, height = strips[-1, :3]
    strip = np.searchsorted(strips[:-1, hat.LEFT], far, side="right") - 1
    in_strips = np.minimum.accumulate(strips[:-1, hat.HEIGHT])[strip]
    in_tail = height * np.exp(-rate * np.maximum(far - begin, 0.0))
    return np.minimum(np.where(near < begin, in_strips, np.inf), np.where(far > begin, in_tail, np.inf))


def largest_excess(population, good, draws, records):
    """Largest ``f(x) / f(M)`` over the height below which x is proposed, for laws with ``tau**2 >= 2``.

    x is proposed by the strips over [x, x + 1); of them the lowest is taken. All x of all laws stand in one
    array, one law after the other.
    """
    laws = []
    for N, G, D in zip(population.tolist(), good.tolist(), draws.tolist(), strict=True):
        low, high = max(0, D + G - N), min(G, D)
        mode, phi, square = centre_and_scale(N, G, D)
        if square >= hat.LEAST_SQUARE:
            laws.append((N, G, D, mode, phi, math.sqrt(np.float32(square)), bin_of(square), low, high))
    N, G, D, mode, phi, tau, number, low, high = map(np.array, zip(*laws, strict=True))
    reach = (records[number, -1, hat.LEFT] + 53 * math.log(2) / records[number, -1, hat.WIDTH]) * tau
    first = np.maximum(low, np.floor(mode + phi - reach)).astype(np.int64)
    last = np.minimum(high, np.floor(mode + phi + reach)).astype(np.int64)
    sizes = last - first + 1
    law = np.repeat(np.arange(sizes.size), sizes)
    x = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
    N, G, D, mode, phi, tau, number = (each[law] for each in (N, G, D, mode, phi, tau, number))
    factorials = log2_factorials(int(N.max()))
    cells = ((of, G - of, D - of, N - G - D + of) for of in (mode, x))
    above, below = (sum(factorials[each] for each in four) for four in cells)
    ratio = np.exp2((above - below).astype(np.int64) * 2.0**-52)
    ends = np.abs((np.array([x, x + 1]) - mode - phi) / tau)
    near, far = ends.min(axis=0), ends.max(axis=0)
    bins = [(records[each], number == each) for each in np.unique(number)]
    excess = (ratio[here] / lowest_strip(strips, near[here], far[here]) for strips, here in bins)
    return max(each.max() for each in excess), len(laws)


def excess_over_all(count, records, seed):
    found, laws = [], 0
    while laws < count:
        excess, used = largest_excess(*random_laws(2000, MOST, seed), records)
        found.append(excess)
        laws, seed = laws + used, seed + 1
    return max(found)


@pytest.mark.heavy
@pytest.mark.parametrize("laws", small_and_full(8_000 if COMPILED else 1000, 25_000))
def test_the_hat_is_above_every_law(laws):
    assert excess_over_all(laws, RECORDS, seed=1) <= 1.0


def test_negative_control_a_hat_a_twentieth_lower_is_not():
    lower = RECORDS.copy()
    lower[:, :, hat.HEIGHT] *= 0.95
    assert excess_over_all(1000, lower, seed=1) > 1.0


@pytest.mark.heavy
def test_the_hat_is_above_every_law_of_few_objects():
    sizes = np.arange(1, 61 if COMPILED else 41)
    N, G, D = (each.ravel() for each in np.meshgrid(sizes, sizes, sizes, indexing="ij"))
    possible = (G <= N) & (D <= N)
    assert largest_excess(N[possible], G[possible], D[possible], RECORDS)[0] <= 1.0


@pytest.mark.skipif(not COMPILED, reason="of the formula, not of code")
def test_the_hat_is_above_laws_of_a_billion_objects():
    population, good, draws = random_laws(400, 3e9, 7, least=1e6)
    for N, G, D in zip(population.tolist(), good.tolist(), draws.tolist(), strict=True):
        mode, phi, square = centre_and_scale(N, G, D)
        if square < hat.LEAST_SQUARE:
            continue
        number, tau, rest = bin_of(square), math.sqrt(square), N - G - D
        for side, most in ((1, min(G, D) - mode), (-1, mode - max(0, -rest))):
            steps = np.arange(1, min(int(10 * tau), most) + 1)
            x = (mode + side * steps).astype(float)
            y = x if side > 0 else x + 1.0  # log f(x) / f(M) adds up those of f(y) / f(y - 1)
            ratio = np.exp(side * np.cumsum(np.log((G + 1 - y) / y * ((D + 1 - y) / (rest + y)))))
            ends = np.abs((np.array([x, x + 1]) - mode - phi) / tau)
            height = lowest_strip(RECORDS[number], ends.min(axis=0), ends.max(axis=0))
            assert (ratio <= height).all()


def test_areas_are_the_least_at_which_the_tail_is_no_larger():
    tail_excess, edges = as_python(hat.lay_strips), np.empty(hat.STRIPS)
    for number in range(hat.BINS):
        tau = math.sqrt(hat.LEAST_SQUARE * 2.0 ** (number // 4) * (1.0 + 0.25 * (number % 4)))
        area = as_python(hat.find_area)(number)
        assert tail_excess(area, tau, edges) <= 0.0 < tail_excess(area * (1.0 - 2.0**-10), tau, edges)
