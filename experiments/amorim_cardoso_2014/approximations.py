"""The column "approx" of tables 4 and 5: expected values of indices that are no linear function of the table.

GL is a function of R, and J and SS2 are functions of C, all of one family::

    f(x) = x / (1 + theta (1 - x)),   GL: x = R, theta = -1/2;   J: x = C, theta = 1;   SS2: x = C, theta = 3

and with the margins fixed the mean and the variance of R and C are known exactly. Albatineh &
Niewiadomska-Bugaj (2011), doi:10.1007/s11634-011-0090-y, approximate the mean of f from them, and the paper
prints such values. All 36 of them agree, to the last digit, with the least-squares parabola of f on [0, 1],

    f(x) ~ c0 + c1 x + c2 x**2,      E f ~ c0 + c1 E[x] + c2 (E[x]**2 + Var[x])

for J with ``c0 = 114 log 2 - 79``, ``c1 = 516 - 744 log 2``, ``c2 = 780 log 2 - 540``. The rule is inferred
from the printed numbers; the text of 2011 was not at hand, only its abstract, which names approximate
expectations and, as a second way, Taylor series. Of 27 other rules that were tried none came near the print.
None that averages f itself over a law with the right mean can reach it, by Jensen's inequality: f is convex
for J and SS2, concave for GL, and the printed values lie below f(E[C]) and, but for one cell, above f(E[R]).

The parabola is far worse than what it replaces. Errors of the mean, margins (240, 240, 320) on both sides:

    rule                          GL         J          SS2
    parabola, as printed          +4.7e-3    -8.9e-3    -2.8e-2
    f(E[x])                       +3.8e-7    -6.8e-7    -7.1e-7
    f(E[x]) + f''(E[x]) Var / 2   -3.1e-10   -7.6e-10   -1.3e-9
    17,000 tables: standard error 5.4e-6     7.0e-6     4.3e-6
"""

import functools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Legendre, Polynomial

import chancecorr as cc

FloatArray = npt.NDArray[np.float64]
Function = Callable[[FloatArray], FloatArray]

FUNCTION_OF = {
    "gower_legendre": ("rand", -0.5),
    "jaccard": ("czekanowski", 1.0),
    "sokal_sneath_1": ("czekanowski", 3.0),
}
"""The index that each of the three is a function of, and its theta."""

NODES = 64  # Gauss-Legendre nodes; the pole nearest to [0, 1] is at 4/3, so the error is below rounding


def relative(x: npt.ArrayLike, theta: float) -> FloatArray:
    """The value of ``x / (1 + theta (1 - x))``, elementwise."""
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(x / (1.0 + theta * (1.0 - x)))


@functools.cache
def least_squares_polynomial(theta: float, degree: int = 2) -> Polynomial:
    """The polynomial p with the least integral of ``(p - f)**2`` over [0, 1], f being `relative`.

    The sum of the projections on the Legendre polynomials P_k of [0, 1]: ``(2 k + 1) P_k integral(f P_k)``.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    x, weights = (nodes + 1.0) / 2.0, weights / 2.0
    projections = [
        (2 * k + 1) * float(weights @ (relative(x, theta) * Legendre.basis(k)(nodes)))
        for k in range(degree + 1)
    ]
    return Legendre(projections, domain=[0.0, 1.0]).convert(kind=Polynomial)


def approximate_mean(index: str, mean: npt.ArrayLike, variance: npt.ArrayLike = 0.0) -> FloatArray:
    """Approximate mean of GL, J or SS2 from the mean and variance of R or C."""
    if index not in FUNCTION_OF:
        raise ValueError(f"`index` must be one of {sorted(FUNCTION_OF)}; got {index!r}.")
    theta = FUNCTION_OF[index][1]
    mean, variance = np.asarray(mean, dtype=np.float64), np.asarray(variance, dtype=np.float64)
    c0, c1, c2 = least_squares_polynomial(theta).coef
    return np.asarray(c0 + c1 * mean + c2 * (mean**2 + variance))


def approximate(margins: cc.Margins) -> dict[str, float]:
    """Approximate means of GL, J and SS2 over the tables with these margins, by `approximate_mean`."""
    moments = {
        name: cc.null_distribution(margins, name, method="analytic") for name in ("rand", "czekanowski")
    }
    return {
        index: float(approximate_mean(index, moments[inner].mean, max(moments[inner].variance, 0.0)))
        for index, (inner, _) in FUNCTION_OF.items()
    }
