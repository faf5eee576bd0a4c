"""How often p-values are below 0.05 where neighbours are alike.

Two maps of four levels on a torus of 32 x 32, smoothed; two such series of 256 in a ring; two maps of 200
places on a sphere. They are unrelated, or share half of their variance. Chance permutes all objects, or
shifts, or spins. ``python -m experiments.coverage.neighbours`` writes `neighbours.csv`, in half an hour.
"""

import argparse
import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

import chancecorr as cc
from experiments.common.kept import write_whole

HERE = Path(__file__).parent
LEVELS, WIDTHS = (0.25, 0.5, 0.75), (0.0, 1.0, 2.0, 4.0)
POINTS = np.random.default_rng(1).normal(size=(200, 3))
POINTS /= np.linalg.norm(POINTS, axis=1, keepdims=True)


def smooth_grid(shape: tuple[int, ...], width: float) -> "Draw":
    """Draws Gaussian noise on a torus, smoothed by a Gaussian of this standard deviation in cells."""
    squares = sum(
        np.minimum(x, length - x) ** 2.0 for x, length in zip(np.indices(shape), shape, strict=True)
    )
    kernel = np.exp(-0.5 * squares / width**2) if width else (squares == 0.0).astype(float)
    transformed = np.fft.fftn(kernel / np.sqrt((kernel**2).sum()))
    return lambda rng: np.fft.ifftn(np.fft.fftn(rng.normal(size=shape)) * transformed).real.ravel()


def smooth_sphere(width: float) -> "Draw":
    """Draws Gaussian noise on the places of a sphere; the width is in tenths of its radius."""
    angles = np.arccos(np.clip(POINTS @ POINTS.T, -1.0, 1.0))
    weights = np.exp(-0.5 * (10.0 * angles / width) ** 2) if width else np.eye(len(POINTS))
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return lambda rng: weights @ rng.normal(size=len(POINTS))


Draw = Callable[[np.random.Generator], np.ndarray]

CASES: dict[str, tuple[Callable[[float], Draw], cc.Draws, int | None]] = {
    "grid": (lambda width: smooth_grid((32, 32), width), cc.chance.torus((32, 32)), None),
    "series": (lambda width: smooth_grid((256,), 2.0 * width), cc.chance.shifts(256), None),
    "sphere": (smooth_sphere, cc.chance.spins(POINTS), 199),
}


def measure_share(case: str, width: float, shared: float, pairs: int) -> list[list[object]]:
    """Rows of one case: the share of pairs with a p-value below 0.05, by what chance keeps."""
    make, own, n_tables = CASES[case]
    draw, hits = make(width), {"permutation": 0, own.name: 0}
    for k in range(pairs):
        rng = np.random.default_rng([k, int(width), int(100 * shared), len(case)])
        common, *sides = (draw(rng) for _ in range(3))
        fields = (np.sqrt(shared) * common + np.sqrt(1.0 - shared) * side for side in sides)
        x, y = (np.searchsorted(np.quantile(field, LEVELS), field) for field in fields)
        hits["permutation"] += cc.adjust(x, y, "rand").p_value < 0.05
        hits[own.name] += cc.adjust(x, y, "rand", model=own, n_tables=n_tables, rng=k).p_value < 0.05
    return [[case, width, shared, name, pairs, hit / pairs] for name, hit in hits.items()]


def main() -> None:
    """Measure all cases and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=1_000, help="unrelated pairs a case; a fifth of others")
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["case", "width", "shared", "model", "pairs", "below 0.05"])
    for case in CASES:
        for shared in (0.0, 0.5):
            for width in WIDTHS:
                rows.writerows(measure_share(case, width, shared, options.pairs // (5 if shared else 1)))
    write_whole(options.folder / "neighbours.csv", text.getvalue())


if __name__ == "__main__":
    main()
