"""How often p-values are below 0.05 where neighbours are alike.

Two maps of four levels on a torus of 32 x 32, smoothed; two such series of 256 in a ring; two maps of 200
places on a sphere, on a spiral or at random. They are unrelated, or share half of their variance. Chance
permutes all objects, or shifts, or spins. ``python -m experiments.coverage.neighbours`` writes
`neighbours.csv`, in an hour.
"""

import argparse
import csv
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import chancecorr as cc
from experiments.common.kept import write_whole

HERE = Path(__file__).parent
LEVELS, WIDTHS = (0.25, 0.5, 0.75), (0.0, 1.0, 2.0, 4.0)
UNEVEN = np.random.default_rng(1).normal(size=(200, 3))
UNEVEN /= np.linalg.norm(UNEVEN, axis=1, keepdims=True)
HEIGHTS = 1.0 - (2.0 * np.arange(200) + 1.0) / 200
TURNS = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(200)
EVEN = np.column_stack(
    [np.sqrt(1.0 - HEIGHTS**2) * trigonometric(TURNS) for trigonometric in (np.cos, np.sin)]
)
EVEN = np.column_stack([EVEN, HEIGHTS])


def smooth_grid(shape: tuple[int, ...], width: float) -> "Draw":
    """Draws Gaussian noise on a torus, smoothed by a Gaussian of this standard deviation in cells."""
    squares = sum(
        np.minimum(x, length - x) ** 2.0 for x, length in zip(np.indices(shape), shape, strict=True)
    )
    kernel = np.exp(-0.5 * squares / width**2) if width else (squares == 0.0).astype(float)
    transformed = np.fft.fftn(kernel / np.sqrt((kernel**2).sum()))
    return lambda rng: np.fft.ifftn(np.fft.fftn(rng.normal(size=shape)) * transformed).real.ravel()


def smooth_sphere(places: np.ndarray, width: float) -> "Draw":
    """Draws Gaussian noise on the places of a sphere; the width is in tenths of its radius."""
    angles = np.arccos(np.clip(places @ places.T, -1.0, 1.0))
    weights = np.exp(-0.5 * (10.0 * angles / width) ** 2) if width else np.eye(len(places))
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return lambda rng: weights @ rng.normal(size=len(places))


Draw = Callable[[np.random.Generator], np.ndarray]

CASES: dict[str, tuple[Callable[[float], Draw], cc.Draws, int | None]] = {
    "grid": (lambda width: smooth_grid((32, 32), width), cc.chance.torus((32, 32)), None),
    "series": (lambda width: smooth_grid((256,), 2.0 * width), cc.chance.shifts(256), None),
    "sphere": (partial(smooth_sphere, EVEN), cc.chance.spins(EVEN), 199),
    "sphere, uneven": (partial(smooth_sphere, UNEVEN), cc.chance.spins(UNEVEN), 199),
}


def measure_share(case: str, width: float, shared: float, pairs: int) -> list[list[object]]:
    """Rows of one case: the share of pairs with a p-value below 0.05, by what chance keeps."""
    make, own, n_tables = CASES[case]
    draw, hits = make(width), {"permutation": 0, own.name: 0}
    for k in range(pairs):
        rng = np.random.default_rng([k, int(width), int(100 * shared), len(case.partition(",")[0])])
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
    parser.add_argument(
        "--only", choices=CASES, nargs="+", default=list(CASES), help="others stay as they are"
    )
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args()
    file = options.folder / "neighbours.csv"
    rows: list[list[object]] = []
    if file.exists():
        with file.open(encoding="utf-8") as kept:
            rows += [list(row) for row in list(csv.reader(kept))[1:] if row[0] not in options.only]
    for case in options.only:
        for shared in (0.0, 0.5):
            for width in WIDTHS:
                pairs = options.pairs // (5 if shared else 1)
                rows += measure_share(case, width, shared, pairs)
    rows.sort(key=lambda row: list(CASES).index(str(row[0])))
    text = io.StringIO()
    heading = ["case", "width", "shared", "model", "pairs", "below 0.05"]
    csv.writer(text, lineterminator="\n").writerows([heading, *rows])
    write_whole(file, text.getvalue())


if __name__ == "__main__":
    main()
