"""Objects from three Gaussian groups, for the tests of the clusterers."""

import numpy as np

MEANS = np.array([[0.0, 0.0, 0.0], [8.0, 0.0, 3.0], [0.0, 9.0, -6.0]])
VOLUMES = np.array([0.5, 1.0, 2.5])
PROPORTIONS = np.array([0.5, 0.3, 0.2])
SHAPE = np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.2], [0.0, 0.2, 1.0]])
SHAPE /= np.linalg.det(SHAPE) ** (1 / 3)


def sample(n, seed, spread=1.0):
    """Objects from three Gaussians with proportional covariances, and their groups."""
    rng = np.random.default_rng(seed)
    groups = rng.choice(3, n, p=PROPORTIONS)
    noise = rng.normal(size=(n, 3)) @ np.linalg.cholesky(SHAPE).T
    return MEANS[groups] * spread + noise * np.sqrt(VOLUMES[groups])[:, None], groups
