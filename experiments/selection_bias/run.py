"""``python -m experiments.selection_bias.run``: who wins with indices that the catalogue has no wins of.

In each trial one random candidate for each number of clusters, with cluster sizes as equal as they can be;
the best candidate wins, equals share the win. Adds to `chancecorr/catalogue/selection_bias.json`, the first
entry of which says what its numbers are; ``--all`` makes it anew, in seven minutes of one processor.
"""

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chancecorr as cc
from chancecorr.machine.arrays import Integers
from experiments.common.kept import read_json, write_whole
from experiments.selection_bias.fixed_sizes import SCORES, contests
from experiments.selection_bias.wins import preference

CATALOGUE = Path(cc.__file__).parent / "catalogue" / "selection_bias.json"
CLUSTERS = tuple(range(2, 23))
REFERENCES: Mapping[str, tuple[int, ...]] = {"balanced": (50,) * 10, "unbalanced": (275, *(25,) * 9)}
"""Cluster sizes of the reference, 500 objects; the number of objects and of clusters is that of the paper."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description="Wins of indices that the catalogue has none of.")
    parser.add_argument("--trials", type=int, default=5_000)
    parser.add_argument("--tables", type=int, default=50_000, help="of each null sample")
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--all", action="store_true", help="of all indices")
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE)
    options = parser.parse_args(arguments)
    kept = read_json(options.catalogue)
    names = [name for name in cc.list_indices() if options.all or name not in kept]
    about = kept.pop("about")
    kept |= describe_preferences(names, trials=options.trials, n_tables=options.tables, seed=options.seed)
    found = {"about": about} | {name: kept[name] for name in sorted(kept)}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()]
    write_whole(options.catalogue, "{\n" + ",\n".join(lines) + "\n}\n")


def describe_preferences(
    names: Sequence[str], *, trials: int, n_tables: int, seed: int
) -> dict[str, dict[str, Any]]:
    """What the catalogue keeps: for each index what it prefers, under either reference."""
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    for number, (reference, sizes) in enumerate(REFERENCES.items()):
        wins = contests(sizes, CLUSTERS, names, trials=trials, n_tables=n_tables, seed=seed + number)
        for name in names:
            shown = {key: describe_wins(wins[name][key]) if key in wins[name] else None for key in SCORES}
            found[name] |= shown if reference == "balanced" else {reference: shown}
    return found


def describe_wins(wins: Integers) -> dict[str, Any]:
    """What the wins of each number of clusters show; see `Preference`."""
    each = preference(CLUSTERS, wins)
    mean = round(each.mean, 2) if math.isfinite(each.mean) else each.mean
    return {"prefers": each.prefers, "distance": round(each.distance, 3), "mean": mean}


if __name__ == "__main__":
    main()
