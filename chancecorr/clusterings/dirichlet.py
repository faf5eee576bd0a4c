"""Memberships by chance: the rows of both sides are independent draws from a Dirichlet law.

Permutations keep what a side says of its pairs of objects. Here a side keeps three things at most: the number
of its objects, that of its clusters, and the parameters of the law.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from chancecorr.clusterings.membership import Membership
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import make_generator
from chancecorr.simulation.workers import map_in_threads

CONCENTRATIONS = (1e-4, 1e6)
"""Sums of the parameters between which a fit is sought: of hard rows, and of rows that differ by 0.001."""


def fitted(rows: Floats) -> Floats:
    """Parameters of the largest likelihood, shape (K,); hard rows with the mean shares if a share is 0.

    The likelihood is largest at ``digamma(a_k) = digamma(a_0) + mean of log u_k`` with a_0 the sum of all a_k
    (Minka 2000, equation 9), which leaves one equation, for a_0. With a share of 0 it has no bound as all a_k
    near 0, and the authors take one cluster for each object.
    """
    from scipy.special import digamma

    used = rows[:, rows.any(axis=0)]
    if used.shape[1] < 2:
        return np.ones(used.shape[1])
    if not used.all():
        return np.asarray(CONCENTRATIONS[0] * used.mean(axis=0))
    logs = np.log(used).mean(axis=0)

    def above(concentration: float) -> float:
        return float(_inverse_digamma(digamma(concentration) + logs).sum() / concentration - 1.0)

    return _inverse_digamma(digamma(_where_zero(above)) + logs)


def symmetric(rows: Floats) -> Floats:
    """As many equal parameters of the largest likelihood, shape (K,); hard rows if a share is 0."""
    from scipy.special import digamma

    used = rows[:, rows.any(axis=0)]
    K = used.shape[1]
    if K < 2:
        return np.ones(K)
    if not used.all():
        return np.full(K, CONCENTRATIONS[0] / K)
    mean_log = float(np.log(used).mean())

    def above(concentration: float) -> float:
        return float(digamma(concentration) - digamma(concentration / K) + mean_log)

    return np.full(K, _where_zero(above) / K)


def flat(rows: Floats) -> Floats:
    """Parameters of 1, under which all memberships are equally likely, shape (K,)."""
    return np.ones(np.count_nonzero(rows.any(axis=0)))


DIRICHLET_MODELS: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {"dirichlet-fitted": fitted, "dirichlet-symmetric": symmetric, "dirichlet-flat": flat}
)
"""From memberships to the parameters of their law, by name; clusters without any share are left out."""


def drawing(
    indices: Sequence[Index], P: Membership, Q: Membership, model: str, seed: np.uint64, n_jobs: int | None
) -> Callable[[int, int], Floats]:
    """Function that draws memberships in place of both sides: values of indices, shape (draws, indices)."""
    laws = [(side, DIRICHLET_MODELS[model](side.rows)) for side in (P, Q)]

    def of_draw(number: int) -> list[float]:
        rng = make_generator(seed, number)
        sides = [replace(side, rows=rng.dirichlet(parameters, side.n)) for side, parameters in laws]
        return [index.function(*sides).observed for index in indices]

    def draw(first: int, count: int) -> Floats:
        return np.array(map_in_threads(of_draw, range(first, first + count), n_jobs), dtype=np.float64)

    return draw


def _where_zero(above: Callable[[float], float]) -> float:
    """Concentration at which a falling function is 0, or the nearest one that is allowed."""
    from scipy.optimize import brentq

    low, high = CONCENTRATIONS
    if above(high) > 0.0 or above(low) < 0.0:
        return high if above(high) > 0.0 else low
    return float(brentq(above, low, high, rtol=1e-13))


def _inverse_digamma(values: Floats) -> Floats:
    """Arguments at which digamma has these values, by Newton's method from Minka's start."""
    from scipy.special import digamma, polygamma

    x = np.where(values >= -2.22, np.exp(values) + 0.5, -1.0 / np.minimum(values - digamma(1.0), -1e-9))
    for _ in range(6):
        x = x - (digamma(x) - values) / polygamma(1, x)
    return np.asarray(x)
