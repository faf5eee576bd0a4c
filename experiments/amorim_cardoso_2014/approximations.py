"""The column "approx" of tables 4 and 5: expected values of indices that are no linear function of the table.

GL is a function of R, and J and SS2 are functions of C, all of one family::

    f(x) = x / (1 + theta (1 - x)),   GL: x = R, theta = -1/2;   J: x = C, theta = 1;   SS2: x = C, theta = 3

and with the margins fixed the mean and the variance of R and C are known exactly. Albatineh &
Niewiadomska-Bugaj (2011), doi:10.1007/s11634-011-0090-y, approximate the mean of f from them, and the paper
prints such values. All 36 of them agree, to the last digit, with the least-squares parabola of f on [0, 1],

    f(x) ~ c0 + c1 x + c2 x**2,      E f ~ c0 + c1 E[x] + c2 (E[x]**2 + Var[x])

for J with ``c0 = 114 log 2 - 79``, ``c1 = 516 - 744 log 2``, ``c2 = 780 log 2 - 540``. The rule is inferred
from the printed numbers; the text of 2011 was not at hand, only its abstract, which names approximate
expectations and, as a second way, Taylor series. `tried` says how far 27 other rules stay from the print.
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
import itertools
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Legendre, Polynomial
from scipy.optimize import linprog

import chancecorr as cc
from experiments.amorim_cardoso_2014.paper import CLUSTERERS, DESIGNS, EXPECTATIONS, SEPARATIONS

FloatArray = npt.NDArray[np.float64]
Function = Callable[[FloatArray], FloatArray]
Rule = Literal["parabola", "taylor"]

FUNCTION_OF = {
    "gower_legendre": ("rand", -0.5),
    "jaccard": ("czekanowski", 1.0),
    "sokal_sneath_1": ("czekanowski", 3.0),
}
"""The index that each of the three is a function of, and its theta."""

NODES = 64  # Gauss-Legendre nodes; the pole nearest to [0, 1] is at 4/3, so the error is below rounding


def relative(x: npt.ArrayLike, theta: float) -> FloatArray:
    """The value of ``x / (1 + theta (1 - x))``, elementwise.

    Examples
    --------
    >>> relative([0.0, 0.5, 1.0], 1.0).round(4)  # J of C
    array([0.    , 0.3333, 1.    ])
    """
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(x / (1.0 + theta * (1.0 - x)))


def taylor_polynomial(theta: float, point: float, degree: int) -> Polynomial:
    """Taylor polynomial of `relative` about a point, in x itself.

    The k-th Taylor coefficient is ``(1 + theta) theta**(k - 1) / (1 + theta (1 - point))**(k + 1)``, k > 0.

    Examples
    --------
    >>> taylor_polynomial(1.0, 0.0, 2).coef  # C/2 + C**2/4
    array([0.  , 0.5 , 0.25])
    """
    scale = 1.0 + theta * (1.0 - point)
    coefficients = [float(relative(point, theta))]
    coefficients += [(1.0 + theta) * theta ** (k - 1) / scale ** (k + 1) for k in range(1, degree + 1)]
    return Polynomial(coefficients)(Polynomial([-point, 1.0]))


@functools.cache
def least_squares_polynomial(theta: float, degree: int = 2) -> Polynomial:
    """The polynomial p with the least integral of ``(p - f)**2`` over [0, 1], f being `relative`.

    The sum of the projections on the Legendre polynomials P_k of [0, 1]: ``(2 k + 1) P_k integral(f P_k)``.

    Examples
    --------
    >>> least_squares_polynomial(1.0).coef.round(4)
    array([0.0188, 0.2985, 0.6548])
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    x, weights = (nodes + 1.0) / 2.0, weights / 2.0
    projections = [
        (2 * k + 1) * float(weights @ (relative(x, theta) * Legendre.basis(k)(nodes)))
        for k in range(degree + 1)
    ]
    return Legendre(projections, domain=[0.0, 1.0]).convert(kind=Polynomial)


def approximate_mean(
    index: str, mean: npt.ArrayLike, variance: npt.ArrayLike = 0.0, *, rule: Rule = "parabola"
) -> FloatArray:
    """Approximate mean of GL, J or SS2 from the mean and variance of R or C.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> [approximate_mean(index, 0.339).round(3).item() for index in ("jaccard", "sokal_sneath_1")]
    [0.195, 0.086]
    """
    if index not in FUNCTION_OF:
        raise ValueError(f"`index` must be one of {sorted(FUNCTION_OF)}; got {index!r}.")
    theta = FUNCTION_OF[index][1]
    mean, variance = np.asarray(mean, dtype=np.float64), np.asarray(variance, dtype=np.float64)
    if rule == "parabola":
        c0, c1, c2 = least_squares_polynomial(theta).coef
        return np.asarray(c0 + c1 * mean + c2 * (mean**2 + variance))
    if rule == "taylor":
        half_of_second_derivative = (1.0 + theta) * theta / (1.0 + theta * (1.0 - mean)) ** 3
        return np.asarray(relative(mean, theta) + half_of_second_derivative * variance)
    raise ValueError(f"`rule` must be 'parabola' or 'taylor'; got {rule!r}.")


def approximate(margins: cc.Margins, *, rule: Rule = "parabola") -> dict[str, float]:
    """Approximate means of GL, J and SS2 over the tables with these margins, by `approximate_mean`.

    Examples
    --------
    >>> found = approximate(cc.Margins([240, 240, 320], [240, 240, 320]))
    >>> {index: round(value, 3) for index, value in found.items()}
    {'gower_legendre': 0.716, 'jaccard': 0.195, 'sokal_sneath_1': 0.086}
    """
    moments = {
        name: cc.null_distribution(margins, name, method="analytic") for name in ("rand", "czekanowski")
    }
    return {
        index: float(
            approximate_mean(index, moments[inner].mean, max(moments[inner].variance, 0.0), rule=rule)
        )
        for index, (inner, _) in FUNCTION_OF.items()
    }


def tried() -> dict[str, tuple[float, float, float]]:
    """How far each rule stays from the printed values: largest deviations for GL, J and SS2.

    At most 0.0005, half a unit of the last printed digit, is agreement. A printed cell is a mean over 30 data
    sets, whose E[C] differ. So each scenario has two unknowns, the mean of E[C] (within the rounding of the
    printed one) and its spread over the data sets; among the values of both that also give the *simulated* J
    and SS2 as printed, those that serve the rule best are taken, likewise R and GL. The spread is taken as
    two equal halves of the data sets at mean +- s, with s at most 0.01 where groups are balanced and well
    separated: there the clusters are nearly the groups, E[C] is nearly the sum of the squared shares, and its
    standard deviation over samples of 800 is 0.0035.

    Examples
    --------
    >>> deviations = tried()
    >>> [round(each, 4) for each in deviations["f(E)"]]
    [0.0045, 0.0092, 0.0275]
    >>> max(deviations["least squares on [0, 1], degree 2"]) <= 0.0005
    True
    """
    rules: dict[str, Callable[[float], Function]] = {
        "f(E)": lambda theta: partial(relative, theta=theta),
        "interpolation at 3 Chebyshev points": partial(
            _fitted, x=0.5 + np.cos(np.pi * np.array([1, 3, 5]) / 6) / 2
        ),
        "least largest error on [0, 1], degree 2": _least_largest_error,
    }
    for point, degree in itertools.product((0.0, 0.5, 1.0), range(1, 7)):
        rules[f"Taylor about {point:g}, degree {degree}"] = partial(
            taylor_polynomial, point=point, degree=degree
        )
    for degree in range(1, 5):
        rules[f"least squares on [0, 1], degree {degree}"] = partial(least_squares_polynomial, degree=degree)
    for points in (3, 11, 101):
        rules[f"least squares at {points} points, degree 2"] = partial(
            _fitted, x=np.linspace(0.0, 1.0, points)
        )
    return {name: _deviations(rule) for name, rule in rules.items()}


def _fitted(theta: float, x: FloatArray) -> Polynomial:
    """Least-squares parabola at some points."""
    return Polynomial.fit(x, relative(x, theta), 2).convert()


def _least_largest_error(theta: float) -> Polynomial:
    """Parabola with the least largest error on [0, 1], as a linear programme on 401 points."""
    x = np.linspace(0.0, 1.0, 401)
    powers, y = np.vander(x, 3, increasing=True), relative(x, theta)
    slack = -np.ones((x.size, 1))
    found = linprog(
        [0.0, 0.0, 0.0, 1.0],
        A_ub=np.block([[powers, slack], [-powers, slack]]),
        b_ub=np.concatenate([y, -y]),
        bounds=[(None, None)] * 4,
    )
    return Polynomial(np.asarray(found.x)[:3])


def _deviations(rule: Callable[[float], Function]) -> tuple[float, float, float]:
    """Largest deviations of a rule from the printed approximations of GL, J and SS2."""
    worst = dict.fromkeys(FUNCTION_OF, 0.0)
    for clusterer, design, separation in itertools.product(CLUSTERERS, DESIGNS, SEPARATIONS):
        cells = EXPECTATIONS[clusterer][design][separation]
        spread = np.linspace(0.0, 0.01 if (design, separation) == ("balanced", "well") else 0.08, 81)
        for inner in ("rand", "czekanowski"):
            outer = [index for index, (of, _) in FUNCTION_OF.items() if of == inner]
            mean = cells[inner].simulated + np.linspace(-5e-4, 5e-4, 41)[:, np.newaxis]
            possible = np.ones((mean.size, spread.size), dtype=bool)
            off = {}
            for index in outer:
                theta, printed = FUNCTION_OF[index][1], cells[index]
                assert printed.approximate is not None
                simulated = _over_datasets(partial(relative, theta=theta), mean, spread)
                possible &= np.abs(simulated - printed.simulated) <= 5e-4
                off[index] = np.abs(_over_datasets(rule(theta), mean, spread) - printed.approximate)
            assert possible.any(), "no mean and spread give the simulated values as printed"
            best = np.argmin(np.where(possible, np.max(list(off.values()), axis=0), np.inf))
            for index in outer:
                worst[index] = max(worst[index], float(off[index].flat[best]))
    return worst["gower_legendre"], worst["jaccard"], worst["sokal_sneath_1"]


def _over_datasets(function: Function, mean: FloatArray, spread: FloatArray) -> FloatArray:
    """Mean of a function over data sets, half of them at ``mean - spread``, half at ``mean + spread``."""
    return (function(mean - spread) + function(mean + spread)) / 2.0
