"""Families of pair-counting indices: functions that make a member from its numbers.

``get_index("tversky(1, 0.5)")`` is ``tversky(1.0, 0.5)``. The plain name of a family is the member with the
numbers in its formula.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chancecorr.indices.entry import check_number, check_positive, pair_member, register_family
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers


def _power_mean(x: Floats, y: Floats, r: float) -> Floats:
    """Return ``((x**r + y**r) / 2) ** (1/r)`` without overflow; its limits for r = 0 and r = +-inf."""
    low, high = np.minimum(x, y), np.maximum(x, y)
    if r == 0.0:
        geometric: Floats = np.sqrt(low * high)
        return geometric
    if math.isinf(r):
        return high if r > 0.0 else low
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.exp(np.log1p(0.5 * np.expm1(abs(r) * np.log(low / high))) / r)
    return (high if r > 0.0 else low) * ratio


# fmt: off

@register_family(0.7, 0.3,
    known_as="tversky(1, 1) is Jaccard, (1/2, 1/2) Czekanowski, (2, 2) Sokal-Sneath 1, (1, 0) a / P, (0,"
    " 1) a / Q",
    notes="Affine in T where alpha + beta = 1: then it is f_beta with beta^2 = alpha / (1 - alpha).")
def tversky(alpha: float, beta: float) -> Index:
    """Ratio model of Tversky: `alpha` and `beta` weigh pairs of one clustering only."""
    for name, number in (("alpha", alpha), ("beta", beta)):
        check_number(name, number, "0 or above and finite", 0.0 <= number < math.inf)
    if alpha == beta == 0.0:
        raise ValueError(
            f"`alpha` and `beta` must not both be 0; got {alpha} and {beta}. All values would be 1."
        )
    special = {
        (0.5, 0.5): "adjusted_rand", (1.0, 0.0): "adjusted_wallace_1", (0.0, 1.0): "adjusted_wallace_2",
        (1 / 3, 1 / 3): "three_w_jaccard", (1.0, 1.0): "jaccard", (1.0, 2.0): "baulieu_distance_14",
        (2.0, 2.0): "sokal_sneath_1", (3.0, 3.0): "gower_legendre_s", (0.8, 0.2): "f_beta",
    }
    return pair_member("tversky", {r"\alpha": alpha, r"\beta": beta}, r"\frac{a}{a + \alpha b + \beta c}",
        function=lambda a, b, c, d: a / (a + alpha * b + beta * c),
        affine=abs(alpha + beta - 1.0) <= 4e-16, symmetric=alpha == beta,
        corrected_as=special.get((alpha, beta), ""),
        source="Tversky (1977), doi:10.1037/0033-295X.84.4.327")


@register_family(2.0,
    known_as="Pair F-measure; f_beta(1) is Czekanowski. Other F-measures match clusters, not pairs")
def f_beta(beta: float) -> Index:
    """F-measure over pairs: precision ``a / Q``, and recall ``a / P`` of `beta` times its importance."""
    length = math.hypot(1.0, check_positive("beta", beta))
    weight, other = (beta / length) ** 2, (1.0 / length) ** 2
    return pair_member("f_beta", {r"\beta": beta}, r"\frac{(1 + \beta^2) a}{(1 + \beta^2) a + \beta^2 b + c}",
        function=lambda a, b, c, d: a / (a + weight * b + other * c),
        affine=True, symmetric=beta == 1.0, corrected_as="adjusted_rand" if beta == 1.0 else "",
        source="van Rijsbergen (1979), Information Retrieval, chapter 7")


@register_family(3.0,
    known_as="S_theta; theta = 1 is Jaccard, 1/2 Czekanowski, 2 Sokal-Sneath 1",
    notes="Its members are increasing functions of each other, and so rank tables alike.")
def gower_legendre_s(theta: float) -> Index:
    """Family S of Gower and Legendre: pairs together in both against `theta` times those together in one."""
    theta = check_positive("theta", theta)
    special = {0.5: "adjusted_rand", 1 / 3: "three_w_jaccard", 1.0: "jaccard", 2.0: "sokal_sneath_1"}
    return pair_member("gower_legendre_s", {r"\theta": theta}, r"\frac{a}{a + \theta (b + c)}",
        function=lambda a, b, c, d: a / (a + theta * (b + c)),
        affine=theta == 0.5, corrected_as=special.get(theta, ""),
        source="Gower & Legendre (1986), doi:10.1007/BF01896809")


@register_family(3.0,
    known_as="T_theta; theta = 1 is Rand, 1/2 `gower_legendre`, 2 Rogers-Tanimoto",
    notes="Its members are increasing functions of each other, and so rank tables alike.")
def gower_legendre_t(theta: float) -> Index:
    """Family T of Gower and Legendre: agreement against `theta` times disagreement."""
    theta = check_positive("theta", theta)
    special = {1.0: "adjusted_rand", 0.5: "gower_legendre", 2.0: "rogers_tanimoto"}
    return pair_member("gower_legendre_t", {r"\theta": theta}, r"\frac{a + d}{a + d + \theta (b + c)}",
        function=lambda a, b, c, d: (a + d) / (a + d + theta * (b + c)),
        affine=theta == 1.0, corrected_as=special.get(theta, ""),
        source="Gower & Legendre (1986), doi:10.1007/BF01896809")


def _make_power_mean(
    name: str, r: float, formula: str, special: Sequence[str], corrected: Sequence[str], **fields: Any
) -> Index:
    """Make a power mean; `special`: formulas for r = -inf, 0, inf; `corrected`: for -inf, -1, 0, 1, inf."""
    check_number("r", r, "a number, inf or -inf", not math.isnan(r))
    formula = dict(zip((-math.inf, 0.0, math.inf), special, strict=True)).get(r, formula)
    corrected_as = dict(zip((-math.inf, -1.0, 0.0, 1.0, math.inf), corrected, strict=True)).get(r, "")
    return pair_member(name, {"r": r}, formula, affine=True, corrected_as=corrected_as, **fields)


@register_family(2.0,
    known_as="r = 1 is Kulczynski 2, 0 Fowlkes-Mallows, -1 Czekanowski, -inf Braun-Blanquet, inf Simpson",
    notes="Power means of such shares were studied by Cailliez & Kuntz (1996), Psychometrika 61, 241-253.")
def wallace_mean(r: float) -> Index:
    """Power mean, of exponent `r`, of the two Wallace coefficients ``a / P`` and ``a / Q``."""
    return _make_power_mean("wallace_mean", r, r"\left(\frac{(a / P)^r + (a / Q)^r}{2}\right)^{1 / r}",
        (r"\frac{a}{\max(P, Q)}", r"\frac{a}{\sqrt{P Q}}", r"\frac{a}{\min(P, Q)}"),
        ("braun_blanquet", "adjusted_rand", "adjusted_fowlkes_mallows", "kulczynski_2", "loevinger"),
        function=lambda a, b, c, d: a / _power_mean(a + b, a + c, -r),
        source="a / P and a / Q: Wallace (1983), Journal of the American Statistical Association 78, 569-576")


@register_family(2.0,
    known_as="r = 0 is `phi`, -1 `maxwell_pilliner`, 1 is 2 S - 1 with S = `sokal_sneath_4`",
    notes="The published form has two more constants, here c0 = 0 and c2 = 1; for c0 = 1/2, r = 1 is S.")
def gosgens_generalized(r: float) -> Index:
    """Power mean, of exponent `r`, of ``D / (P P')`` and ``D / (Q Q')``, with the sign of D.

    Notes
    -----
    Published, with ``p = P / N <= q = Q / N`` and ``x = a / N``, as ``M_r(p / q, (1 - q) / (1 - p)) (x - p q)
    / (p (1 - q))``. If the divisor is taken into the mean, this is ``(x - p q) M_r(1 / (q (1 - q)), 1 / (p (1
    - p)))`` with ``x - p q = D / N**2``: it does not matter if p or q is the smaller.
    """
    return _make_power_mean("gosgens_generalized", r,
        r"D \left(\frac{(P P')^{-r} + (Q Q')^{-r}}{2}\right)^{1 / r}",
        (r"\frac{D}{\max(P P', Q Q')}", r"\frac{D}{\sqrt{P P' Q Q'}}", r"\frac{D}{\min(P P', Q Q')}"),
        ("kuhns_5", "maxwell_pilliner", "phi", "sokal_sneath_4", "kuhns_6"),
        function=lambda a, b, c, d: (a * d - b * c) / _power_mean((a + b) * (c + d), (a + c) * (b + d), -r),
        range=(-1.0, 1.0),
        source="Gösgens, Tikhonov & Prokhorenkova (2021), ICML, arXiv:1911.04773")


@functools.lru_cache(maxsize=64)
def _share_tuples(k: int) -> Callable[..., float]:
    """Return a cell's share in the sets of k objects, as the same function for every index of this k."""

    def share_of_cell(x: float, row: float, column: float, n: float) -> float:
        """Share of the sets of k objects inside a cell: ``C(x, k) / C(n, k)``."""
        share = 1.0 if x >= k else 0.0
        for i in range(k if x >= k else 0):
            share *= (x - i) / (n - i)
        return share

    share_of_cell.__qualname__ += f"({k})"  # Numba links machine code by this name
    return share_of_cell


@register_family(3.0,
    known_as="k = 2 is Rand",
    notes="A larger k gives more weight to the largest clusters; clusters of fewer than k objects count as"
    " apart. Counts of k-tuples as in Gates (2025); agreement is defined as for pairs.")
def tuple_rand(k: float) -> Index:
    """Share of the sets of k objects that are within one cluster in both clusterings, or in neither."""
    share = _share_tuples(int(check_number("k", k, "a whole number from 2 to 1,000", k in range(2, 1_001))))

    def link(both: Floats, rows: Integers, columns: Integers) -> Floats:
        n = float(rows.sum())
        one = sum(share(size, size, size, n) for totals in (rows, columns) for size in totals.tolist())
        return 1.0 - (one - 2.0 * both) if n >= k else np.full_like(both, math.nan)

    return pair_member("tuple_rand", {"k": k},
        r"1 - \frac{\sum_i \binom{n_{i\cdot}}{k} + \sum_j \binom{n_{\cdot j}}{k} - 2 \sum_{i,j}"
        r" \binom{n_{ij}}{k}}{\binom{n}{k}}",
        function=share, needs="cells", link=link, corrected_as="adjusted_rand" if k == 2 else "",
        source="Rand (1971), doi:10.1080/01621459.1971.10482356, for pairs; counts of k-tuples: Gates (2025),"
        " arXiv:2511.03000")
