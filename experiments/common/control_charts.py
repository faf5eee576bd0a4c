"""Synthetic control charts: six kinds of curve, drawn from their published equations.

Source: Alcock & Manolopoulos (1999), Time-series similarity queries employing a feature-based approach, 7th
Hellenic Conference on Informatics, whose 600 curves are the UCI set Synthetic Control Chart Time Series,
doi:10.24432/C59G75. The curves here are other draws of the same law, not the curves of that file.
"""

import numpy as np
import numpy.typing as npt

KINDS = ("normal", "cyclic", "increasing", "decreasing", "upward shift", "downward shift")
"""In the order of the UCI file."""

MEAN, NOISE = 30.0, 2.0
"""m and s."""


def control_charts(
    rng: np.random.Generator, *, per_kind: int = 100, length: int = 60
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Curves of each kind, one after the other, and the kinds.

    Returns
    -------
    curves : numpy.ndarray
        Shape (6 per_kind, length).
    kinds : numpy.ndarray
        Numbers 0 to 5 of `KINDS`, int64, shape (6 per_kind,).

    ``y(t) = m + r(t) s`` with r uniform on [-3, 3], and to it ::

        cyclic             a sin(2 pi t / T)    a, T uniform on [10, 15]
        increasing          g t                 g uniform on [0.2, 0.5]
        decreasing         -g t
        upward shift        x  from t3 on       x uniform on [7.5, 20], t3 on [n / 3, 2 n / 3]
        downward shift     -x  from t3 on

    Each curve has its own a, T, g, x and t3, and each point its own r.
    """
    t = np.arange(1, length + 1)
    curves = MEAN + NOISE * rng.uniform(-3.0, 3.0, (len(KINDS), per_kind, length))
    amplitude, period = rng.uniform(10.0, 15.0, (2, per_kind, 1))
    curves[1] += amplitude * np.sin(2.0 * np.pi * t / period)
    for kind, sign in ((2, 1.0), (3, -1.0)):
        curves[kind] += sign * rng.uniform(0.2, 0.5, (per_kind, 1)) * t
    for kind, sign in ((4, 1.0), (5, -1.0)):
        height = rng.uniform(7.5, 20.0, (per_kind, 1))
        start = rng.uniform(length / 3.0, 2.0 * length / 3.0, (per_kind, 1))
        curves[kind] += sign * height * (t >= start)
    return curves.reshape(-1, length), np.repeat(np.arange(len(KINDS)), per_kind)
