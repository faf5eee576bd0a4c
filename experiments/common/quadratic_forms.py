"""Law of a quadratic form in independent normals, ``Q = sum(a z**2 + 2 b z)``, the a of any sign."""

from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr

FloatArray = npt.NDArray[np.float64]

END = 80.0  # t = h sinh(v), v to 80: an integrand that falls as slowly as t**-0.5 is over by then
STEP = 0.125  # first step in v; halved until two sums agree
GRIDS = np.arange(0.0, 8.0, STEP), np.arange(0.0, END, STEP)  # nearly every integrand is over by the first
MOST_HALVINGS = 9
LEANS = np.outer(0.7 * 2.0 ** -np.arange(12.0), (1.0, -1.0)).ravel()  # below 1: linear terms die too
LOG_ZERO = np.log(1e-40)  # a smaller tail counts as 0
NEGLIGIBLE = 1e-17  # a term with this share of the standard deviation is left out


def quadratic_form_cdf(curvatures: npt.ArrayLike, slopes: npt.ArrayLike, x: float) -> float:
    """Probability that ``sum(a z**2 + 2 b z) <= x`` for independent standard normal z.

    In [0, 1]; absolute error about 1e-12, small values to about that relative to themselves. When every a and
    b is 0 the form is a constant, and ``x = 0`` gives 0.5.

    With ``K(s) = sum(-log(1 - 2 s a)/2 + 2 s**2 b**2/(1 - 2 s a))``, the cumulant function of Q, the upper
    tail is the integral of ``exp(K(s) - s x)/(2 pi i s)`` along any line from below to above that crosses the
    real axis between 0 and the first singularity; to the left of 0 it is minus the lower tail. The line goes
    through the saddlepoint and its arms lean, as a hyperbola, to the side where the integrand dies. Source:
    Imhof (1961), doi:10.1093/biomet/48.3-4.419, for the law; Daniels (1987), doi:10.2307/1403269, for the
    saddlepoint. One term and the purely linear form have closed forms.
    """
    a, b = np.asarray(curvatures, dtype=np.float64), np.asarray(slopes, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"`slopes` must have the shape of `curvatures`, (p,); got {b.shape} and {a.shape}.")
    if not (np.isfinite(a).all() and np.isfinite(b).all() and np.isfinite(x)):
        raise ValueError(f"`curvatures`, `slopes` and `x` must be finite; got {a}, {b} and {x}.")
    spread = float(np.sqrt((2 * a**2 + 4 * b**2).sum()))
    if spread == 0.0:
        return 0.5 + 0.5 * float(np.sign(x))
    kept = 2 * a**2 + 4 * b**2 > (NEGLIGIBLE * spread) ** 2
    return _standardised_cdf(a[kept] / spread, b[kept] / spread, float(x) / spread)


def _standardised_cdf(a: FloatArray, b: FloatArray, x: float) -> float:
    """The same for a form of variance 1."""
    if np.abs(a).max() < NEGLIGIBLE:
        return float(ndtr(x))
    if a.size == 1:
        return _one_term_cdf(float(a[0]), float(b[0]), x)
    if x >= a.sum():
        return 1.0 - _upper_tail(a, b, x)
    return _upper_tail(-a, -b, -x)


def _one_term_cdf(a: float, b: float, x: float) -> float:
    """``P(a z**2 + 2 b z <= x)``, a not 0: between or outside the roots."""
    square = b * b + a * x
    if square <= 0:
        return 0.0 if a > 0 else 1.0
    far = -(b + np.copysign(np.sqrt(square), b)) / a
    roots = sorted((far, -x / (a * far)))
    inside = _interval(roots[0], roots[1])
    return inside if a > 0 else float(ndtr(roots[0]) + ndtr(-roots[1]))


def _interval(low: float, high: float) -> float:
    """``P(low < z <= high)`` without cancellation in the upper tail."""
    return float(ndtr(-low) - ndtr(-high)) if low > 0 else float(ndtr(high) - ndtr(low))


def _exponent(
    s: npt.NDArray[np.complex128], a: FloatArray, b: FloatArray, x: float
) -> npt.NDArray[np.complex128]:
    """``K(s) - s x``; where ``s a`` is large, ``b**2 s/a`` and ``s x`` may cancel: joined first."""
    large = np.abs(a) * np.abs(s[:, None]) > 1.0
    divisor = 1.0 - 2.0 * s[:, None] * a
    safe = np.where(a == 0.0, 1.0, a)
    ratio = b**2 / safe
    quadratic = np.where(large, s[:, None] * ratio / divisor, 2.0 * (s[:, None] * b) ** 2 / divisor)
    right = x + np.where(large, ratio, 0.0).sum(axis=1)
    return np.asarray((quadratic - 0.5 * np.log(divisor)).sum(axis=1) - s * right)


def _saddlepoint(a: FloatArray, b: FloatArray, x: float) -> tuple[float, float]:
    """Where ``K(s) - s x - log s`` is least on (0, first singularity), and its curvature there."""

    def slope(s: float) -> float:
        divisor = 1.0 - 2.0 * s * a
        return float((a / divisor + 4.0 * s * b**2 * (1.0 - s * a) / divisor**2).sum()) - x - 1.0 / s

    wall = 0.5 / a.max() if a.max() > 0 else np.inf
    low, high = min(1.0, 0.5 * wall), min(1.0, 0.5 * wall)
    while slope(low) > 0:
        low /= 4.0
    while slope(high) < 0:
        high = min(4.0 * high, 0.5 * (high + wall))
    c = brentq(slope, low, high, xtol=1e-300, rtol=1e-6) if low < high else low
    divisor = 1.0 - 2.0 * c * a
    return float(c), float((2.0 * a**2 / divisor**2 + 4.0 * b**2 / divisor**3).sum() + 1.0 / c**2)


def _upper_tail(a: FloatArray, b: FloatArray, x: float) -> float:
    """``P(Q > x)`` for x at or above the mean of a form of variance 1."""
    if (a < 0).all() and x - (b**2 / -a).sum() >= -1e-16 * (abs(x) + (b**2 / -a).sum()):
        return 0.0  # above the largest value of the form
    c, second = _saddlepoint(a, b, x)
    h = 1.0 / np.sqrt(second)
    bound = float(_exponent(np.array([c + 0j]), a, b, x)[0].real)
    if bound < LOG_ZERO:  # Chernoff: the tail is below exp(bound)
        return 0.0
    centre = bound - np.log(c)

    def integrand(v: FloatArray, bend: float) -> npt.NDArray[np.complex128]:
        """Relative to its value at ``v = 0``, as a function of v."""
        t = h * np.sinh(v)
        radius = np.hypot(t, c)
        s = c + 1j * t + bend * (radius - c)
        along = (1.0 - 1j * bend * t / radius) * np.cosh(v)
        return np.asarray(np.exp(_exponent(s, a, b, x) - np.log(s) - centre) * along)

    for bend, grid in product((*LEANS, 0.0), GRIDS):
        with np.errstate(over="ignore", invalid="ignore"):
            values = integrand(grid, bend)
            size = np.abs(values)
        died = np.flatnonzero(size < 1e-18)
        if died.size and size[: died[0]].max() < 4.5:
            break
    else:
        raise ArithmeticError(
            f"no contour for the law of a quadratic form: curvatures {a}, slopes {b}, x {x}."
        )
    last = int(died[0]) + 1
    step, total = STEP, values[:last].real.sum() - 0.5 * values[0].real
    for _ in range(MOST_HALVINGS):
        previous = total * step
        middle: FloatArray = np.arange(float(last)) * step + 0.5 * step
        total += integrand(middle, bend).real.sum()
        step, last = 0.5 * step, 2 * last
        if abs(total * step - previous) <= 1e-12 * abs(previous) + 1e-17:
            return float(np.clip(total * step * h / np.pi * np.exp(centre), 0.0, 1.0))
    raise ArithmeticError(f"the law of a quadratic form does not settle: curvatures {a}, slopes {b}, x {x}.")
