"""Memberships drawn from Dirichlet laws: fits, moments, means in closed form, and what is refused."""

import math

import numpy as np
import pytest
from scipy.special import polygamma
from scipy.stats import dirichlet

import chancecorr as cc
from chancecorr.clusterings.dirichlet import CONCENTRATIONS, DIRICHLET_MODELS, fitted, flat, symmetric

MODELS = tuple(DIRICHLET_MODELS)
MOST_STANDARD_ERRORS = 4.5  # exceeded with a chance of 7e-6


def drawn(seed, parameters, n=60):
    return np.random.default_rng(seed).dirichlet(parameters, n)


@pytest.mark.parametrize(
    "parameters", [[0.5, 2.0, 5.0], [1.0, 1.0], [300.0, 100.0, 40.0], [0.3, 0.4, 0.5, 4]]
)
def test_fit_finds_the_parameters_of_drawn_rows(parameters):
    """Within the standard errors of Fisher's information; no nearby parameters are more likely."""
    a, n = np.array(parameters), 4000
    rows = drawn(1, a, n)
    found = fitted(rows)
    information = np.diag(polygamma(1, a)) - polygamma(1, a.sum())
    errors = np.sqrt(np.linalg.inv(information).diagonal() / n)
    assert np.abs((found - a) / errors).max() < MOST_STANDARD_ERRORS

    def likelihood(alpha):
        return dirichlet.logpdf(rows[:, :-1].T, alpha).sum()

    best = likelihood(found)
    for k in range(a.size):
        for factor in (0.98, 1.02):
            assert likelihood(np.where(np.arange(a.size) == k, factor, 1.0) * found) < best


def test_symmetric_fit():
    """Its parameter is where the derivative of the likelihood in one number is 0."""
    rows = drawn(2, [0.7] * 4, 4000)
    (found,) = set(symmetric(rows).tolist())
    k = 4
    error = 1 / math.sqrt(4000 * (k * polygamma(1, 0.7) - k**2 * polygamma(1, 0.7 * k)))
    assert abs(found - 0.7) < MOST_STANDARD_ERRORS * error
    uneven = drawn(3, [0.5, 3.0], 500)
    at, low, high = (
        sum(dirichlet.logpdf(row, [x, x]) for row in uneven[:, :-1])
        for x in symmetric(uneven)[0] * np.array([1.0, 0.99, 1.01])
    )
    assert at > max(low, high)


def test_shares_of_0_and_rows_that_are_equal():
    """With a share of 0 the likelihood has no bound: rows are then hard, with the mean shares."""
    rows = drawn(4, [0.2, 1.0, 1.0])
    hard = np.vstack([rows, [[0.0, 0.5, 0.5]]])
    assert fitted(hard) / fitted(hard).sum() == pytest.approx(hard.mean(axis=0), rel=1e-12)
    for of_hard in (fitted(hard), symmetric(hard)):
        purest = np.random.default_rng(1).dirichlet(of_hard, 1000).max(axis=1)
        assert np.mean(purest > 1 - 1e-9) > 0.99
    assert symmetric(hard).tolist() == [symmetric(hard)[0]] * 3
    for law in DIRICHLET_MODELS.values():
        assert law(np.column_stack([rows, np.zeros(60)])).tolist() == law(rows).tolist()
        assert law(np.ones((5, 1))).tolist() == [1.0]
    assert fitted(np.tile([0.3, 0.7], (5, 1))) == pytest.approx(
        np.array([0.3, 0.7]) * CONCENTRATIONS[1], rel=1e-4
    )
    assert flat(rows).tolist() == [1.0, 1.0, 1.0]


def test_flat_draws_have_the_moments_of_the_law():
    """Mean, mean square and mean product over all rows of all draws, of each side."""
    n, draws, seen = 10, 400, []

    def keep(P, Q):
        seen.append((P, Q))
        return 0.0

    cc.adjust(
        cc.Membership(drawn(5, [9, 1, 1], n)),
        cc.Membership(drawn(6, [1, 9], n)),
        keep,
        model="dirichlet-flat",
        n_tables=draws,
        rng=1,
    )
    sides = [np.vstack(side) for side in zip(*seen[-draws:], strict=True)]
    for rows, k in zip(sides, (3, 2), strict=True):
        assert rows.shape == (n * draws, k)
        mean, square = 1 / k, 2 / (k * (k + 1))
        fourth = math.prod(range(1, 5)) / math.prod(range(k, k + 4))
        for found, wanted, variance in [
            (rows[:, 0], mean, square - mean**2),
            (rows[:, 1] ** 2, square, fourth - square**2),
            (rows[:, 0] * rows[:, 1], square / 2, fourth / 6 - square**2 / 4),
        ]:
            assert abs(found.mean() - wanted) < MOST_STANDARD_ERRORS * math.sqrt(variance / (n * draws))
    assert abs(np.corrcoef(sides[0][:, 0], sides[1][:, 0])[0, 1]) < MOST_STANDARD_ERRORS / math.sqrt(
        n * draws
    )


@pytest.mark.parametrize("model", MODELS)
def test_mean_of_the_rand_index_in_closed_form(model):
    """Rows are independent: two are together to the degree ``sum of (a_k / a_0)**2`` on average."""
    P, Q = drawn(7, [1, 2, 3, 6]), drawn(8, [4, 1])
    p, q = (((a / a.sum()) ** 2).sum() for a in map(DIRICHLET_MODELS[model], (P, Q)))
    sides = cc.Membership(P), cc.Membership(Q)
    score = cc.adjust(*sides, model=model, rng=1)
    assert (score.n_tables, score.null.model) == (999, model)
    wanted = p * q + (1 - p) * (1 - q)
    assert abs(score.expected - wanted) < MOST_STANDARD_ERRORS * score.monte_carlo_error
    assert score.monte_carlo_error < 0.002
    assert score.observed == cc.adjust(*sides, n_tables=1, rng=1).observed
    assert score.adjusted == pytest.approx(
        (score.observed - score.expected) / (1 - score.expected), rel=1e-12
    )


A, B = [[0.34, 0.33, 0.33], [0.5, 0.5, 0], [0, 0.5, 0.5]], [[0.4, 0.6], [0.6, 0.4], [0.5, 0.5]]
C, HARD, TWO = [[0.4, 0.6], [0.4, 0.6], [0.5, 0.5]], np.eye(3), [[1, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("model", "sides", "printed"),
    [
        ("fitted", (A, B), 0.38),
        ("fitted", (HARD, B), 0.36),
        ("fitted", (B, HARD), 0.36),
        ("fitted", (TWO, HARD), 0.50),
        ("symmetric", (A, B), 0.36),
        ("symmetric", (HARD, C), 0.36),
        ("symmetric", (TWO, HARD), 0.50),
        ("flat", (A, B), 0.74),
        ("flat", (HARD, B), 0.74),
        ("flat", (TWO, HARD), 0.74),
    ],
)
def test_printed_by_the_authors(model, sides, printed):
    """Tests of FuzzyClusteringSimilarity.jl, two-sided, which are wide: within 0.05."""
    score = cc.adjust(
        *map(cc.Membership, sides), "fuzzy_rand", model=f"dirichlet-{model}", rng=1, n_tables=300
    )
    assert abs(score.expected - printed) < 0.05 + 4.5 * score.monte_carlo_error


def test_p_values_draws_and_several_indices():
    first = drawn(9, [1, 1, 1])
    P, Q = cc.Membership(first), cc.Membership(0.9 * first + 0.1 * drawn(10, [1, 1, 1]))
    options = {"model": "dirichlet-fitted", "rng": 3, "n_tables": 60}
    both = cc.adjust(P, Q, ["rand", "fuzzy_rand"], **options)
    for index in ("rand", "fuzzy_rand"):
        alone = cc.adjust(P, Q, index, n_jobs=2, **options)
        assert alone.to_dict() == both[index].to_dict()
        values = np.repeat(alone.null.values, alone.null.counts)
        assert values.size == 60
        other = cc.adjust(P, cc.Membership(drawn(12, [1, 1, 1])), index, **options)
        values, seen = np.repeat(other.null.values, other.null.counts), other.observed
        assert values.min() < seen < values.max()
        for side, reached in (("greater", values >= seen), ("less", values <= seen)):
            score = cc.adjust(P, cc.Membership(drawn(12, [1, 1, 1])), index, alternative=side, **options)
            assert score.p_value == (reached.sum() + 1) / 61
    assert both["fuzzy_rand"].p_value == 1 / 61
    assert "none of 60 draws" in str(both)
    assert cc.adjust(P, Q, **options | {"rng": 4}).expected != both["rand"].expected


P = cc.Membership(drawn(11, [1, 1]))
ERRORS = [
    ((P, P), {"model": "dirichlet-flt"}, "`model` must be one of 'permutation', .*; got 'dirichlet-flt'"),
    (
        (P, P),
        {"method": "exact"},
        "`method` must be 'auto' or 'monte-carlo' with model 'dirichlet-flat', .*'exact'",
    ),
    ((P, P), {"method": cc.MonteCarlo(precision=0.1)}, "`method` must have no checkpoint and no precision"),
]
ERRORS += [
    (sides, {}, "`model` must be 'permutation', .* unless both .* memberships; got 'dirichlet-flat'")
    for sides in [
        ([0, 1] * 30, [0, 1] * 30),
        (P, [0, 1] * 30),
        (cc.Cover(np.ones((60, 2))), P),
        (cc.Similarity(np.eye(60)), P),
        (cc.Tree([[0, 1, 0.5, 2]]), cc.Tree([[0, 1, 0.5, 2]])),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("sides", "options", "message"), ERRORS)
def test_errors(sides, options, message):
    with pytest.raises((TypeError, ValueError), match="^" + message):
        cc.adjust(*sides, **{"model": "dirichlet-flat"} | options)


def test_no_interval():
    with pytest.raises(ValueError, match=r"`model` must be 'permutation' for an interval.*'dirichlet-flat'"):
        cc.adjust(P, P, model="dirichlet-flat", n_tables=9, rng=1).interval()
