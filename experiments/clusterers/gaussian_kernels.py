"""Sums over the objects that EM for Gaussian mixtures makes: posteriors, likelihood, scatters.

A covariance matrix is held as its axes D, the columns of an orthogonal matrix, and the variances v along
them: ``Sigma = D diag(v) D'``. So the inverse and the determinant are at hand. Data come by columns, one
variable after another, and posteriors by components, so that the inner loops run along memory. No routine of
BLAS or LAPACK is called: bits do not depend on a number of threads.

Kernels here call those of their own file only, because Numba's cache does not see that another one changed.
"""

import numpy as np

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import kernel


@kernel
def e_step(
    columns: Floats, proportions: Floats, means: Floats, axes: Floats, variances: Floats, posteriors: Floats
) -> float:
    """Posteriors t_ki = p_k f_k(x_i) / sum_l p_l f_l(x_i); returns sum_i log sum_k p_k f_k(x_i)."""
    d, n = columns.shape
    K = len(proportions)
    coordinates = np.empty(n)
    largest = np.full(n, -np.inf)
    for k in range(K):
        log_densities = posteriors[k]
        log_densities[:] = np.log(proportions[k]) - 0.5 * np.log(2.0 * np.pi * variances[k]).sum()
        for j in range(d):
            coordinates[:] = 0.0
            for a in range(d):
                share = axes[k, a, j]
                if share != 0.0:  # along the variables' own axes nearly all are
                    for i in range(n):
                        coordinates[i] += share * (columns[a, i] - means[k, a])
            half_precision = 0.5 / variances[k, j]
            for i in range(n):
                log_densities[i] -= half_precision * coordinates[i] * coordinates[i]
        for i in range(n):
            largest[i] = max(largest[i], log_densities[i])
    densities = np.zeros(n)  # in units of that of the most likely component, which may be too small to hold
    for k in range(K):
        for i in range(n):
            posteriors[k, i] = np.exp(posteriors[k, i] - largest[i])
        for i in range(n):
            densities[i] += posteriors[k, i]
    for k in range(K):
        for i in range(n):
            posteriors[k, i] /= densities[i]
    total = 0.0
    for i in range(n):
        total += largest[i] + np.log(densities[i])
    return total


@kernel
def _inner_product(x: Floats, y: Floats) -> float:
    """sum_i x_i y_i, in four sums side by side: one alone would wait for each addition to end."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    n = len(x)
    whole = n - n % 4
    for i in range(0, whole, 4):
        first += x[i] * y[i]
        second += x[i + 1] * y[i + 1]
        third += x[i + 2] * y[i + 2]
        fourth += x[i + 3] * y[i + 3]
    for i in range(whole, n):
        first += x[i] * y[i]
    return (first + second) + (third + fourth)


@kernel
def scatters_of(
    columns: Floats, posteriors: Floats, weights: Floats, means: Floats, scatters: Floats
) -> None:
    """Weights n_k = sum_i t_ki, means m_k, scatters W_k = sum_i t_ki (x_i - m_k)(x_i - m_k)'."""
    d, n = columns.shape
    ones = np.ones(n)
    deviations = np.empty((d, n))
    weighted = np.empty(n)
    for k in range(len(weights)):
        weights[k] = _inner_product(posteriors[k], ones)
        for a in range(d):
            means[k, a] = _inner_product(posteriors[k], columns[a]) / weights[k]
            for i in range(n):
                deviations[a, i] = columns[a, i] - means[k, a]
        for a in range(d):
            for i in range(n):
                weighted[i] = posteriors[k, i] * deviations[a, i]
            for b in range(a + 1):
                scatters[k, a, b] = scatters[k, b, a] = _inner_product(weighted, deviations[b])
