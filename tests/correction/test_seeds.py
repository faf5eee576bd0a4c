"""One seed is one stream of random numbers; a Generator gives every call its own."""

import numpy as np

import chancecorr as cc

SIMILAR = [cc.Margins([40, 30 + k, 30 - k], [50, 25, 25]) for k in range(30)]


def errors(rngs):
    """Simulated mean of Rand less the exact one, in standard errors, for similar margins."""
    found = []
    for margins, rng in zip(SIMILAR, rngs, strict=True):
        null = cc.null_distribution(margins, "rand", method="monte-carlo", n_tables=500, rng=rng)
        exact = cc.null_distribution(margins, "rand", method="analytic").mean
        found.append((null.mean - exact) / null.monte_carlo_error)
    return np.array(found)


def test_one_seed_makes_similar_margins_err_alike():
    """What the docstring says: the mean of 30 errors is far from the 0 that independent ones would have."""
    assert max(abs(errors([seed] * 30).mean()) * np.sqrt(30) for seed in range(4)) > 3.0


def test_a_generator_makes_them_independent():
    z = errors([np.random.default_rng(2014)] * 30)
    assert abs(z.mean()) * np.sqrt(30) < 4.0
    assert 0.5 < z.std() < 1.6
