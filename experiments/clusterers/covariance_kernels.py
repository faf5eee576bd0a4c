"""The covariance matrices of a Gaussian mixture that maximise the likelihood, for each family of them.

Celeux & Govaert (1995) write the covariance of component k as ``lambda_k D_k A_k D_k'``: a volume lambda_k, a
shape A_k, diagonal of determinant 1, and an orientation D_k, orthogonal. A family says which of the three
are the same for all components. Given the weights n_k and the scatters W_k, the M step minimises

    F = sum_k tr(W_k Sigma_k^-1) + n_k log det Sigma_k,  Sigma_k = D_k diag(v_k) D_k'.

It falls into two questions, answered here one after the other, by turns where they hang together:

- Given the axes D_k, only the spreads ``s_k = diag(D_k' W_k D_k)`` matter, and the variances v_k follow
  from them by `_variances`, alike for every orientation.
- Given the variances, the axes are those of the variables; or the eigenvectors of each W_k; or common ones,
  which are the eigenvectors of ``sum_k W_k / lambda_k`` where the shape is common too, and else those that
  `_turn_common_axes` finds.

Every step lowers F or leaves it, so that EM never lowers the likelihood. Data come by columns, one variable
after another, and posteriors by components, so that the inner loops run along memory. No routine of BLAS or
LAPACK is called, so that bits do not depend on a number of threads.
"""

import numpy as np

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import kernel

ROUND, EQUAL, FREE = 0, 1, 2
"""Of a shape: a sphere; the same for all components; one for each. Of a volume, the last two."""

ALONG_VARIABLES, COMMON, OWN = 0, 1, 2
"""Of the axes: those of the variables; the same for all components; each component has its own."""

TOLERANCE = 1e-10
"""Alternations end when no variance changes by more than this share."""

CYCLES = 1000
"""Largest number of alternations; ten are usual."""

SMALLEST_SHARE = 1e-8
"""A component has collapsed that has less than this share of the variance of all objects along an axis."""


def covariances_of(
    weights: Floats,
    means: Floats,
    scatters: Floats,
    volume: int,
    shape: int,
    orientation: int,
    axes: Floats,
    variances: Floats,
) -> bool:
    """Axes and variances that minimise F, from those given on; false if a component has collapsed.

    It is no kernel, so that only those of the orientation are compiled.
    """
    K, d = variances.shape
    spreads = np.empty((K, d))
    if orientation == COMMON:
        _alternate(weights, scatters, volume, shape, axes, spreads, variances)
    else:
        if orientation == OWN:
            for k in range(K):
                _eigen(scatters[k], axes[k], spreads[k])
        else:
            axes[:] = np.eye(d)
            spreads[:] = np.diagonal(scatters, axis1=1, axis2=2)
        _variances(weights, spreads, volume, shape, variances)
    return not _has_collapsed(weights, means, scatters, axes, variances)


@kernel
def _variances(weights: Floats, spreads: Floats, volume: int, shape: int, variances: Floats) -> float:
    """Variances v_kj that minimise sum_kj s_kj / v_kj + n_k log v_kj; returns the largest relative change.

    Loops and no expressions of arrays, here and below: each of these takes Numba half a second.
    """
    K, d = spreads.shape
    before = variances.copy()
    n = weights.sum()
    if shape == ROUND:
        pooled = 0.0
        for k in range(K):
            variances[k] = spreads[k].mean() / weights[k]
            pooled += variances[k, 0] * weights[k]
        if volume == EQUAL:
            variances[:] = pooled / n
    elif shape == FREE and volume == FREE:
        for k in range(K):
            for j in range(d):
                variances[k, j] = spreads[k, j] / weights[k]
    elif shape == FREE:
        total = 0.0
        for k in range(K):
            geometric_mean = _geometric_mean(spreads[k])
            for j in range(d):
                variances[k, j] = spreads[k, j] / geometric_mean
            total += geometric_mean
        for k in range(K):
            for j in range(d):
                variances[k, j] *= total / n
    elif volume == EQUAL:
        for j in range(d):
            variances[:, j] = spreads[:, j].sum() / n
    else:
        _volumes_and_common_shape(weights, spreads, variances)
    change = 0.0
    for k in range(K):
        for j in range(d):
            change = max(change, abs(variances[k, j] / before[k, j] - 1.0))
    return change


@kernel
def _geometric_mean(values: Floats) -> float:
    """Exponential of the mean logarithm."""
    total = 0.0
    for j in range(len(values)):
        total += np.log(values[j])
    return float(np.exp(total / len(values)))


@kernel
def _volumes_and_common_shape(weights: Floats, spreads: Floats, variances: Floats) -> None:
    """Variances lambda_k a_j: ``lambda_k = sum_j s_kj / a_j / (d n_k)``, ``a_j ~ sum_k s_kj / lambda_k``.

    By turns, from the shape given. It is iterative proportional fitting, of the table of the s_kj to sums
    d n_k of its rows and n of its columns, and so has one solution.
    """
    K, d = spreads.shape
    n = weights.sum()
    volumes, common = np.zeros(K), variances[0].copy()
    for _ in range(CYCLES):
        change = 0.0
        for k in range(K):
            total = 0.0
            for j in range(d):
                total += spreads[k, j] / common[j]
            volume = total / (d * weights[k])
            change = max(change, abs(volumes[k] / volume - 1.0))
            volumes[k] = volume
        if change <= TOLERANCE:
            break
        for j in range(d):
            total = 0.0
            for k in range(K):
                total += spreads[k, j] / volumes[k]
            common[j] = total / n
    for k in range(K):
        for j in range(d):
            variances[k, j] = volumes[k] * common[j]


@kernel
def _alternate(
    weights: Floats,
    scatters: Floats,
    volume: int,
    shape: int,
    axes: Floats,
    spreads: Floats,
    variances: Floats,
) -> None:
    """Common axes given the variances, and variances given the axes, by turns."""
    K, d = variances.shape
    common = axes[0].copy()
    pooled, eigenvalues = np.empty((d, d)), np.empty(d)
    for _ in range(CYCLES):
        if shape == EQUAL:
            pooled[:] = 0.0
            for k in range(K):
                volume_of_k = _geometric_mean(variances[k])
                for a in range(d):
                    for b in range(d):
                        pooled[a, b] += scatters[k, a, b] / volume_of_k
            _eigen(pooled, common, eigenvalues)
        else:
            _turn_common_axes(scatters, variances, common)
        for k in range(K):
            for j in range(d):
                spreads[k, j] = _quadratic_form(scatters[k], common[:, j])
        if _variances(weights, spreads, volume, shape, variances) <= TOLERANCE:
            break
    axes[:] = common


@kernel
def _turn_common_axes(scatters: Floats, variances: Floats, axes: Floats) -> None:
    """Axes d_j of smaller sum_kj d_j' W_k d_j / v_kj, two at a time, each two turned to their best.

    In the plane of d_p and d_q the sum is ``d_p' R d_p`` and a constant, ``R = sum_k (1 / v_kp - 1 / v_kq)
    W_k``, so that the best d_p there is the eigenvector of R's block with the least eigenvalue.
    Source: Flury & Gautschi (1986), SIAM Journal on Scientific and Statistical Computing 7, 169-184,
    doi:10.1137/0907013, their algorithm G.
    """
    K, d = variances.shape
    weighted = np.empty((d, d))
    for p in range(d):
        for q in range(p + 1, d):
            weighted[:] = 0.0
            for k in range(K):
                share = 1.0 / variances[k, p] - 1.0 / variances[k, q]
                for a in range(d):
                    for b in range(d):
                        weighted[a, b] += share * scatters[k, a, b]
            mixed = 0.0
            for a in range(d):
                for b in range(d):
                    mixed += axes[a, p] * weighted[a, b] * axes[b, q]
            difference = _quadratic_form(weighted, axes[:, q]) - _quadratic_form(weighted, axes[:, p])
            angle = 0.5 * np.arctan2(-2.0 * mixed, difference)
            _turn_columns(axes, p, q, np.cos(angle), np.sin(angle))


@kernel
def _eigen(matrix: Floats, axes: Floats, values: Floats) -> None:
    """Eigenvectors, as columns, and eigenvalues in decreasing order, by the rotations of Jacobi."""
    d = len(matrix)
    rest = matrix.copy()
    unsorted = np.eye(d)
    for _ in range(60):  # five are usual
        turned = False
        for p in range(d):
            for q in range(p + 1, d):
                if abs(rest[p, q]) > 1e-15 * np.sqrt(abs(rest[p, p] * rest[q, q])):
                    turned = True
                    ratio = 0.5 * (rest[q, q] - rest[p, p]) / rest[p, q]
                    tangent = -1.0 / (abs(ratio) + np.sqrt(1.0 + ratio * ratio))
                    if ratio < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
                    _turn_columns(rest, p, q, cosine, tangent * cosine)
                    _turn_rows(rest, p, q, cosine, tangent * cosine)
                    _turn_columns(unsorted, p, q, cosine, tangent * cosine)
        if not turned:
            break
    taken = np.zeros(d, np.bool_)
    for j in range(d):
        largest = -1
        for a in range(d):
            if not taken[a] and (largest < 0 or rest[a, a] > rest[largest, largest]):
                largest = a
        taken[largest] = True
        values[j] = rest[largest, largest]
        for a in range(d):
            axes[a, j] = unsorted[a, largest]


@kernel
def _turn_columns(array: Floats, p: int, q: int, cosine: float, sine: float) -> None:
    """Columns p and q become ``c p + s q`` and ``c q - s p``."""
    for a in range(len(array)):
        at_p, at_q = array[a, p], array[a, q]
        array[a, p] = cosine * at_p + sine * at_q
        array[a, q] = cosine * at_q - sine * at_p


@kernel
def _turn_rows(array: Floats, p: int, q: int, cosine: float, sine: float) -> None:
    """Rows p and q become ``c p + s q`` and ``c q - s p``."""
    for a in range(array.shape[1]):
        at_p, at_q = array[p, a], array[q, a]
        array[p, a] = cosine * at_p + sine * at_q
        array[q, a] = cosine * at_q - sine * at_p


@kernel
def _quadratic_form(matrix: Floats, vector: Floats) -> float:
    """Value of the form, x' M x."""
    total = 0.0
    for a in range(len(vector)):
        for b in range(len(vector)):
            total += vector[a] * matrix[a, b] * vector[b]
    return total


@kernel
def _has_collapsed(weights: Floats, means: Floats, scatters: Floats, axes: Floats, variances: Floats) -> bool:
    """Whether a variance is nan, or too small a share of that of all objects along the same axis."""
    K, d = variances.shape
    n = weights.sum()
    centre = np.zeros(d)
    for k in range(K):
        for a in range(d):
            centre[a] += weights[k] / n * means[k, a]
    scatter = np.zeros((d, d))
    for k in range(K):
        for a in range(d):
            for b in range(d):
                scatter[a, b] += scatters[k, a, b]
                scatter[a, b] += weights[k] * (means[k, a] - centre[a]) * (means[k, b] - centre[b])
    for k in range(K):
        for j in range(d):
            overall = _quadratic_form(scatter, axes[k, :, j]) / n
            if not variances[k, j] > SMALLEST_SHARE * overall:
                return True
    return False


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
