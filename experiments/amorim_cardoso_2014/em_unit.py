"""One unit on the paper's EM: a data set of a scenario, fitted in ways that the paper does not exclude.

All 14 families as Rmixmod starts them by default, and for the family that stands for the paper's other
starts, equal proportions, and the family that the BIC chooses for each data set anew.
"""

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.amorim_cardoso_2014.approximations import approximate
from experiments.amorim_cardoso_2014.clusterers import EM_FAMILIES, THE_EM
from experiments.amorim_cardoso_2014.scenarios import data_of
from experiments.clusterers.gaussian_families import FAMILIES, from_centres, maximisation
from experiments.clusterers.mixmod import RMIXMOD, Fit, Strategy, fit, run_em
from experiments.common.mixtures import Mixture
from experiments.common.units import Clock, Inputs, Record, generator

Floats = npt.NDArray[np.float64]
LONG_RUNS = 8
FAMILY = FAMILIES[EM_FAMILIES[THE_EM]]
EQUAL = replace(FAMILY, equal_proportions=True)
OTHER_WAYS = {
    "from the true groups": f"{FAMILY.name}, EM begun at the true groups",
    "long runs": f"{FAMILY.name}, the best of {LONG_RUNS} long runs from random centres",
    "one start": f"{FAMILY.name}, one long run from random centres",
    "equal proportions": f"{EQUAL.name}, proportions equal",
    "by BIC": "of the 14 families that of the least BIC, for each data set",
}
"""Ways to fit besides the families with Rmixmod's default strategy."""


def fits_of(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A data set and all its fits.

    Inputs: ``scenario``, ``mixture`` and ``n`` as in `unit.evaluate`.

    Returns by family ("em_lk_b") and by other way: ``scores``, what `corrected` gives; ``largest``, objects
    of the largest cluster.
    """
    scenario = inputs["scenario"]
    mixture = Mixture.from_dict(inputs["mixture"])
    X, groups = data_of(mixture, inputs["n"], scenario, replicate, seed)
    K = len(mixture.weights)
    fits: dict[str, Fit] = {}
    with clock("clustering"):
        for name, key in EM_FAMILIES.items():
            stream = generator(seed, "clustering", scenario, name, replicate)
            fits[name] = fit(X, K, stream, family=key)
        fits["from the true groups"] = from_groups(X, groups, K)
        stream = generator(seed, "starts", scenario, replicate)
        fits["long runs"] = max(_long_runs(X, K, stream), key=lambda each: each.log_likelihood)
        fits["one start"] = _long_runs(X, K, stream)[0]
        fits["equal proportions"] = fit(X, K, stream, family=EQUAL)
        fits["by BIC"] = fits[min(EM_FAMILIES, key=lambda name: bic(fits[name], EM_FAMILIES[name]))]
    with clock("correction"):
        tables = {name: cc.contingency_table(groups, each.labels) for name, each in fits.items()}
        return {
            "scores": {name: corrected(table) for name, table in tables.items()},
            "largest": {name: int(table.margins.column_totals.max()) for name, table in tables.items()},
        }


def bic(found: Fit, key: str) -> float:
    """Bayesian information criterion: ``-2 log L + parameters log n``, the less the better."""
    n, K = found.posteriors.shape
    parameters = FAMILIES[key].n_parameters(K, found.parameters.means.shape[1])
    return float(-2.0 * found.log_likelihood + parameters * np.log(n))


def from_groups(X: Floats, groups: npt.NDArray[np.int64], K: int) -> Fit:
    """EM begun with the M step of the true groups."""
    start = maximisation(X, np.eye(K)[groups], FAMILY, from_centres(X, X[:K], FAMILY))
    if start is None:
        raise ValueError("a true group has no more than a point")
    return run_em(X, start, FAMILY, iterations=RMIXMOD.iterations)


def _long_runs(X: Floats, K: int, rng: np.random.Generator) -> list[Fit]:
    """Runs from random objects to their end, as many that do not degenerate."""
    strategy = Strategy(short_runs=1, short_iterations=0)
    runs: list[Fit] = []
    while len(runs) < LONG_RUNS:
        with suppress(ValueError):  # a component degenerated
            runs.append(fit(X, K, rng, family=FAMILY, strategy=strategy))
    return runs


def corrected(table: cc.ContingencyTable) -> Record:
    """The nine indices, corrected by their means over all tables with these margins."""
    nulls = {name: null_of(table.margins, name) for name in cc.PUBLISHED_INDICES}
    observed = {name: cc.score_table(table, name) for name in cc.PUBLISHED_INDICES}
    return {
        "observed": observed,
        "expected": {name: null.mean for name, null in nulls.items()},
        "deviation": {name: null.std for name, null in nulls.items()},
        "adjusted": {name: adjusted(observed[name], null.mean) for name, null in nulls.items()},
        "approximate": approximate(table.margins),
    }


def null_of(margins: cc.Margins, name: str) -> cc.correction.NullDistribution:
    """Moments by quadrature or in closed form; by the exact law where an index is not smooth enough."""
    try:
        return cc.null_distribution(margins, name, method="analytic")
    except ValueError:
        return cc.null_distribution(margins, name, method="exact")


def adjusted(observed: float, expected: float) -> float:
    """Equation 7 of the paper, ``(observed - expected) / (1 - expected)``; nan where expected is 1."""
    return math.nan if expected == 1.0 else (observed - expected) / (1.0 - expected)
