"""A ``"pairs"`` index as a function of ``T = sum n_ij**2``: the range of T, and the index over it.

An index of the L family is ``alpha + beta T`` (Albatineh, Niewiadomska-Bugaj & Mihalko 2006,
doi:10.1007/s00357-006-0017-z). The mean of an index is infinite if the index is infinite on some table. To
decide if a table with a given T exists is NP-hard in general. The answer is known for the T of equal
clusterings and for the T of clusterings without a common pair.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from chancecorr.exact.closed_laws import PairSumLaw
from chancecorr.exact.summary import EPSILON, Moments, bound_tie
from chancecorr.indices.calling import explain_failure
from chancecorr.indices.evaluation import (
    IndexEvaluationError,
    evaluate_pair_counts,
    evaluate_pair_sums,
    evaluate_varying_pairs,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins, double_pair_counts
from chancecorr.tables.pair_sum import PairSumMoments, compute_pair_sum_mean


@keep_recent
def bound_pair_sum(margins: Margins) -> tuple[int, int]:
    """Return bounds of ``T = sum(n_ij**2)`` of n's parity; the upper may exceed the largest T by 15 %."""
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    low, high = bound_pairs(rows, columns)
    return margins.n + 2 * low, margins.n + 2 * high


def bound_pairs(rows: Integers, columns: Integers) -> tuple[int, int]:
    """Return bounds of ``sum C(n_ij, 2)`` for totals above 0; equal with one row, one column or no object."""
    K, Q = rows.size, columns.size
    if K == 0:
        return 0, 0
    n = int(rows.sum())
    A, B = (sum(total * total for total in totals.tolist()) for totals in (rows, columns))
    projection = -((n * n - A * K - B * Q) // (K * Q))
    common = max(0, int(rows.max() + columns.max()) - n)
    low = max(
        -((n - projection) // 2),
        (A + B - n * n - n) // 2,
        math.comb(common, 2),
        int(spread_pairs(rows, Q).sum()),
        int(spread_pairs(columns, K).sum()),
    )
    sides = np.sort(rows).tolist(), np.sort(columns).tolist()
    high = min(sum(pack_squares(totals, others[::-1])) for totals, others in (sides, sides[::-1]))
    return low, (high - n) // 2


def spread_pairs(totals: Integers, parts: int) -> Integers:
    """Return ``sum C(n_ij, 2)`` for each total if it is spread evenly over `parts` cells."""
    each, rest = np.divmod(totals, parts)
    return np.asarray(parts * (each * (each - 1) // 2) + rest * each, dtype=np.int64)


def pack_squares(totals: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the largest ``sum n_ij**2`` of each total alone, if it fills places of limited sizes."""
    out = []
    full = filled = squares = 0  # number of filled places, sum of their sizes, sum of their squared sizes
    for total in totals:
        while full < len(places) and filled + places[full] <= total:
            filled += places[full]
            squares += places[full] * places[full]
            full += 1
        out.append(squares + (total - filled) ** 2)
    return out


# number of steps between the bounds of T; number of steps over all T without negative pair counts
STEPS, WIDE_STEPS = 512, 64


def find_direction(index: Index, margins: Margins) -> int:
    """Return 1 if a ``"pairs"`` index strictly rises with T over its range, -1 if it falls, else 0."""
    low, high = bound_pair_sum(margins)
    if low == high:
        return 0
    values = evaluate_pair_sums(index, _spread_pair_sums(low, high, STEPS), margins)
    with np.errstate(invalid="ignore"):  # nan between infinite values, neither a rise nor a fall
        steps = np.diff(values)
    if (steps > 0).all() or (steps < 0).all():
        return 1 if steps[0] > 0 else -1
    # With 10**8 objects and more, neighbouring values may round to the same float. The index is then
    # evaluated over all T without negative pair counts, except the ends, where it may be 0/0.
    slack = bound_tie(0.0, values)
    n, (A, B) = margins.n, margins.squares
    low, high = max(n, A + B - n * n), min(A, B)
    if high - low < 8:
        return 0
    with np.errstate(invalid="ignore"):
        at_wide = evaluate_pair_sums(index, _spread_pair_sums(low, high, WIDE_STEPS), margins)
        wide = np.diff(at_wide[1:-1])
    for sign in (1, -1):
        if (sign * wide > 0).all() and (sign * steps >= -slack).all():
            return sign
    return 0


def _spread_pair_sums(low: int, high: int, parts: int) -> Integers:
    """Return values of T from low to high in at most `parts` about equal steps."""
    parts = max(min((high - low) // 2, parts), 1)
    whole, rest = divmod((high - low) // 2, parts)
    i = np.arange(parts + 1, dtype=np.int64)
    return low + 2 * (whole * i + rest * i // parts)


_WINDOW_POINTS = 256


def find_obstacle_to_quadrature(
    index: Index, margins: Margins, window: tuple[Fraction, Fraction]
) -> str | None:
    """Return why a ``"pairs"`` index is not smooth in T, as text that follows its name, or None."""
    low, high = bound_pair_sum(margins)
    try:
        pair_sums, values = evaluate_over_range(index, margins)
    except IndexEvaluationError as error:
        return f"raised an error: {error}"
    if np.isnan(values).all():
        return None
    undefined = ~np.isfinite(values)
    if undefined.any():
        place = int(undefined.argmax())
        return f"is {values[place]} at T = {pair_sums[place]}, within the bounds {low} and {high} of T"
    sign, size = np.sign(values), np.abs(values)  # at a pole the size grows towards a change of sign
    crossing = (sign[1:-2] * sign[2:-1] < 0) & (size[:-3] < size[1:-2]) & (size[3:] < size[2:-1])
    poles = np.flatnonzero(crossing) + 1
    if poles.size:
        return f"has a pole between T = {pair_sums[poles[0]]} and {pair_sums[poles[0] + 1]}"
    return _compare_with_polynomial(index, margins, window)


def evaluate_over_range(index: Index, margins: Margins) -> tuple[Integers, Floats]:
    """Return up to 2049 values of T within `bound_pair_sum`, including both ends, and the index there."""
    pair_sums = _spread_pair_sums(*bound_pair_sum(margins), 2048)
    return pair_sums, evaluate_pair_sums(index, pair_sums, margins)


def evaluate_at(index: Index, margins: Margins, pair_sums: Iterable[Fraction | int]) -> Floats:
    """Return the index at T that need not be integers: exact pair counts, rounded once; shape (m,)."""
    return evaluate_pair_counts(index, compute_pair_counts_at(pair_sums, margins), margins)


def compute_pair_counts_at(pair_sums: Iterable[Fraction | int], margins: Margins) -> tuple[Floats, ...]:
    """Return pair counts a, b, c, d at each T, exact before rounding to float64; four arrays, shape (m,)."""
    sums, of_margins = (T.as_integer_ratio() for T in pair_sums), (*margins.squares, margins.n)
    counts = np.array([[twice / (2 * q) for twice in double_pair_counts(p, *of_margins, q)] for p, q in sums])
    return tuple(counts.T.copy())


@keep_recent
def _count_pairs_in_window(low: Fraction, high: Fraction, margins: Margins) -> tuple[Floats, ...]:
    """Return pair counts at the Chebyshev points of a window of T; cached for all indices."""
    cosines = np.cos(np.pi * np.arange(_WINDOW_POINTS + 1) / _WINDOW_POINTS)
    # Chebyshev points rounded to binary fractions, so that numerators stay short
    middle, reach = round((low + high) * 2**20), math.floor((high - low) * 2**20)
    points = [
        Fraction((middle << 40) + reach * x, 1 << 61) for x in np.rint(cosines * 2**40).astype(int).tolist()
    ]
    return compute_pair_counts_at(points, margins)


def _compare_with_polynomial(index: Index, margins: Margins, window: tuple[Fraction, Fraction]) -> str | None:
    """Return why no polynomial follows the index over the window, or None."""
    low, high = window
    try:
        kept = _count_pairs_in_window(low, high, margins)
        values = evaluate_pair_counts(index, tuple(column.copy() for column in kept), margins)
    except Exception as error:
        return f"raised an error at pair counts that are not whole: {type(error).__name__}: {error}"
    where = f"between T = {float(low):.6g} and {float(high):.6g}"
    if not np.isfinite(values).all():
        return f"is not finite everywhere {where}"
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return None
    values = values / largest  # neither sums nor differences of the values overflow
    # the k-th coefficient decreases like rho**-k if the function is smooth, and like k**-2 if it has a kink
    spectrum = np.abs(np.fft.rfft(np.concatenate([values, values[-2:0:-1]]))) / _WINDOW_POINTS
    tolerance = 1e-8 * float(np.ptp(values)) + 64 * EPSILON
    if spectrum[_WINDOW_POINTS // 2 :].max() > tolerance:
        return f"has a jump, a kink or a pole {where}"
    return None


def compute_affine_mean(index: Index, margins: Margins) -> float:
    """Return the exact mean of an L index, rounded once; nan if it is 0/0 for these margins."""
    return _compute_mean_and_slope(index, margins, compute_pair_sum_mean(margins))[0]


def compute_affine_moments(index: Index, margins: Margins, moments: PairSumMoments) -> Moments:
    """Return exact mean, variance and shape of an L index, rounded once; nan if it is 0/0 for the margins."""
    mean, slope = _compute_mean_and_slope(index, margins, moments.mean)
    if moments.variance == 0 or math.isnan(slope):
        variance = math.nan if math.isnan(mean) else 0.0
        return Moments(mean=mean, variance=variance, skewness=math.nan, kurtosis=math.nan)
    return Moments(
        mean=mean,
        variance=(slope * moments.std) ** 2,
        skewness=math.copysign(1.0, slope) * moments.skewness,
        kurtosis=moments.kurtosis,
    )


def _compute_mean_and_slope(index: Index, margins: Margins, mean: Fraction) -> tuple[float, float]:
    """Return the index at the mean of T, and its change per unit of T; nan if T is constant or it is 0/0."""
    # T within its range: further out, pair counts of a billion objects cancel in the index
    lowest, highest = bound_pair_sum(margins)
    halfway = Fraction(lowest + highest, 2)
    try:
        values = evaluate_at(index, margins, (mean, lowest, halfway, highest))
    except Exception as error:
        raise explain_failure(index, "pair counts at the mean of T, or at its ends", error) from error
    at_mean, at_lowest, at_halfway, at_highest = values.tolist()
    if highest == lowest or math.isnan(at_mean):
        return at_mean, math.nan
    apart = abs(at_halfway - (at_lowest + at_highest) / 2)
    # beyond a million objects an apparent curve may be the rounding of pair counts
    if margins.n < 1_000_000 and not apart <= 1e-9 * max(abs(at_lowest), abs(at_highest)):
        raise ValueError(
            f"`affine` must be False for index {index.name!r}: for these margins it is {at_lowest:.6g},"
            f" {at_halfway:.6g} and {at_highest:.6g} at equally spaced T."
        )
    return at_mean, (at_highest - at_lowest) / (highest - lowest)


def find_infinite_mean(index: Index, margins: Margins) -> float | None:
    """Return inf, -inf or nan if the index has that value on a table that surely exists, else None."""
    ends = _list_ends(margins)
    try:
        values = evaluate_pair_sums(index, ends, margins) if ends.size else np.empty(0)
    except IndexEvaluationError:
        return None
    infinite = values[~np.isfinite(values)]
    return float(infinite.sum()) if infinite.size else None


def list_left_out(index: Index, margins: Margins, law: PairSumLaw) -> tuple[Integers, Floats, bool]:
    """Return attained T left out by the law, the infinite values there, and True if others are finite."""
    none = np.empty(0, dtype=np.int64), np.empty(0), True
    if index.affine:
        return none
    least = max(sum(math.lgamma(x + 1) for x in side) for side in _sort_totals(margins))
    leaves_out = law.method in ("cumulants", "enumeration")
    # -650: log of a probability that float64 holds, including the intermediate products
    if not leaves_out and least - math.lgamma(margins.n + 1) > -650.0:
        return none
    sums, values = evaluate_over_range(index, margins)
    attained = [margins.n, *{margins.squares[0]} & {margins.squares[1]}]  # by `_list_ends`
    known = np.isin(sums, law.values) | np.isin(sums, attained) | np.isfinite(values)
    ends = np.setdiff1d(_list_ends(margins), law.values)
    at_ends = evaluate_pair_sums(index, ends, margins) if ends.size else np.empty(0)
    infinite = ~np.isfinite(at_ends)
    return ends[infinite], at_ends[infinite], bool(known.all() or np.isnan(values).all())


def _list_ends(margins: Margins) -> Integers:
    """List T of clusterings without a common pair (Gale 1957, Ryser 1957) and of equal ones, if possible."""
    low, high = bound_pair_sum(margins)
    rows, columns = _sort_totals(margins)
    # sum_j min(column_j, k) = sum over i up to k of the number of columns with at least i objects
    holding = len(columns) - np.searchsorted(np.array(columns), np.arange(1, len(rows) + 1))
    lowest = [low] if low == margins.n and (np.cumsum(rows[::-1]) <= np.cumsum(holding)).all() else []
    return np.array(lowest + [high] * (rows == columns), dtype=np.int64)


def _sort_totals(margins: Margins) -> tuple[list[int], list[int]]:
    """Return the row and column totals above 0 in ascending order."""
    rows, columns = margins.row_totals, margins.column_totals
    return sorted(rows[rows > 0].tolist()), sorted(columns[columns > 0].tolist())


SHARES_TRIED = np.array([split for split in itertools.product(range(7), repeat=4) if sum(split) == 6])
SHARES_TRIED = (SHARES_TRIED + 0.5) ** 4 / ((SHARES_TRIED + 0.5) ** 4).sum(axis=1, keepdims=True)
"""Shares of the pairs in a, b, c and d, also near 0, at which the linearity of an index is tested."""


def evaluate_linear(index: Index, counts: Floats, pairs: float) -> Floats | None:
    """Return the values of an index at non-integer pair counts; None if it is not linear in them."""
    corners = np.eye(4) * 0.6 + 0.1
    tried = _evaluate_at_counts(index, np.vstack([corners, SHARES_TRIED]) * pairs)
    # each row of shares is a mean of the corners with weights that sum to 1
    wanted = np.linalg.solve(corners.T, SHARES_TRIED.T).T @ tried[:4]
    if not (np.abs(wanted - tried[4:]) <= 1e-11 * np.abs(tried).max()).all():
        return None
    return _evaluate_at_counts(index, counts)


def _evaluate_at_counts(index: Index, counts: Floats) -> Floats:
    """Evaluate a ``"pairs"`` index at rows of pair counts that need not be integers."""
    nothing = np.zeros(len(counts), dtype=np.int64)
    return evaluate_varying_pairs(index, tuple(counts.T.copy()), (nothing, nothing), 2)
