"""``python -m experiments.selection_bias.run``: who wins, written to `results/` and to the catalogue.

It takes some seven minutes of one processor; with ``--only`` one of the designs is run again, with ``--new``
the indices that have no wins yet, in the design that has all.
"""

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import chancecorr as cc
from experiments.common.kept import read_json, write_json, write_whole
from experiments.selection_bias.designs import PAPERS
from experiments.selection_bias.fixed_sizes import SCORES, contests
from experiments.selection_bias.random_sizes import contests_of_pairs, contests_of_sums
from experiments.selection_bias.wins import expected_distance, preference

HERE = Path(__file__).parent
CATALOGUE = Path(cc.__file__).parent / "catalogue" / "selection_bias.json"
CLUSTERS = tuple(range(2, 23))
REFERENCES: Mapping[str, tuple[int, ...]] = {"balanced": (50,) * 10, "unbalanced": (275, *(25,) * 9)}
"""Cluster sizes of the reference, 500 objects; the number of objects and of clusters is that of the paper."""

DESIGNS = ("fixed_sizes", "random_sizes")


def fixed_sizes(trials: int, n_tables: int, seed: int, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The design with equal cluster sizes: wins of all indices, for both references."""
    chosen = cc.list_indices() if names is None else list(names)
    found: dict[str, Any] = {
        "about": "In each trial one random candidate for each number of clusters, with cluster sizes as equal"
        " as they can be; the best candidate wins, equals share the win.",
        "seed": seed,
        "trials": trials,
        "n_tables": n_tables,
        "clusters": list(CLUSTERS),
        "distance_of_a_fair_picker": round(expected_distance(len(CLUSTERS), trials), 4),
        "references": {},
    }
    for number, (name, sizes) in enumerate(REFERENCES.items()):
        wins = contests(sizes, CLUSTERS, chosen, trials=trials, n_tables=n_tables, seed=seed + number)
        found["references"][name] = {
            "sizes": list(sizes),
            "wins": _as_text(wins),
        }
    return found


def random_sizes(trials: int, seed: int) -> dict[str, Any]:
    """The designs with random cluster sizes: those of the papers' scripts, and all indices of pair counts."""
    found: dict[str, Any] = {
        "about": "In each trial one random candidate for each number of clusters k, every object in each of"
        " its k clusters with equal chances; the best candidate wins, equals share the win.",
        "seed": seed,
        "trials": trials,
        "papers": {},
        "pairs": {"clusters": list(CLUSTERS), "references": {}},
    }
    for number, (name, design) in enumerate(PAPERS.items()):
        wins = contests_of_sums(
            design["names"],
            objects=design["objects"],
            reference_clusters=design["reference_clusters"],
            clusters=design["clusters"],
            trials=trials,
            seed=seed + number,
        )
        found["papers"][name] = {**design, "wins": _as_text(wins)}
    names = [
        entry.name
        for entry in map(cc.get_index, cc.list_indices())
        if entry.needs == "pairs" and not entry.with_totals and not (entry.best and math.isnan(entry.best))
    ]
    for number, (name, sizes) in enumerate(REFERENCES.items()):
        wins = contests_of_pairs(names, sizes, clusters=CLUSTERS, trials=trials, seed=seed + 10 + number)
        found["pairs"]["references"][name] = {"sizes": list(sizes), "wins": _as_text(wins)}
    return found


def _as_text(wins: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Wins as they are written: numbers between spaces."""
    return {
        index: {key: " ".join(map(str, counts)) for key, counts in each.items()}
        for index, each in wins.items()
    }


def preferences(found: Mapping[str, Any], reference: str) -> dict[str, dict[str, dict[str, Any] | None]]:
    """For each index and each score, what its wins show; None where it has no such score."""
    clusters = found["clusters"]
    return {
        index: {
            key: _rounded(asdict(preference(clusters, wins_of(each[key])))) if key in each else None
            for key in SCORES
        }
        for index, each in found["references"][reference]["wins"].items()
    }


def wins_of(text: str) -> list[int]:
    """Wins as they are written in the results."""
    return [int(count) for count in text.split()]


def for_catalogue(found: Mapping[str, Any]) -> dict[str, Any]:
    """What the catalogue keeps: for each index what it prefers, under either reference."""
    sizes = {name: each["sizes"] for name, each in found["references"].items()}
    about = (
        f"{found['trials']:,} trials; in each one random candidate with {CLUSTERS[0]} to {CLUSTERS[-1]}"
        f" clusters of equal sizes, set against a reference of {sum(sizes['balanced'])} objects in"
        f' {len(sizes["balanced"])} clusters: all of {sizes["balanced"][0]} objects, and under "unbalanced"'
        f" one of {sizes['unbalanced'][0]}, the others of {sizes['unbalanced'][1]}. The candidate with the"
        " best raw, adjusted or standardised value, or the smallest p-value, wins. prefers: which third of"
        ' the numbers of clusters wins most, "ends" for the first and the last, "none" where a chi-square'
        " test sees no bias (level 1e-4). distance: total variation distance from equal shares (a fair"
        f" picker's: {found['distance_of_a_fair_picker']}). mean: mean number of clusters of the winners."
        " null: there is no such score. Made by python -m experiments.selection_bias.run."
    )
    balanced, unbalanced = (_short(preferences(found, name)) for name in ("balanced", "unbalanced"))
    return {"about": about} | {
        index: each | {"unbalanced": unbalanced[index]} for index, each in balanced.items()
    }


def _short(found: Mapping[str, Mapping[str, Mapping[str, Any] | None]]) -> dict[str, dict[str, Any]]:
    keys = ("prefers", "distance", "mean")
    return {
        index: {key: each and {k: each[k] for k in keys} for key, each in scores.items()}
        for index, scores in found.items()
    }


def _rounded(each: dict[str, Any]) -> dict[str, Any]:
    return {
        "prefers": each["prefers"],
        "distance": round(each["distance"], 3),
        "mean": round(each["mean"], 2),
        "p_value": float(f"{each['p_value']:.2g}") if not math.isnan(each["p_value"]) else None,
    }


def write_catalogue(path: Path, found: Mapping[str, Any]) -> None:
    """Write what the catalogue keeps, an index a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in for_catalogue(found).items()]
    write_whole(path, "{\n" + ",\n".join(lines) + "\n}\n")


def add_new(path: Path, catalogue: Path) -> None:
    """Wins of the indices that have none, on the tables that all others had; equals are shared out anew."""
    found = read_json(path)
    names = [name for name in cc.list_indices() if name not in found["references"]["balanced"]["wins"]]
    if not names:
        return
    more = fixed_sizes(found["trials"], found["n_tables"], found["seed"], names)
    for reference, each in found["references"].items():
        wins = each["wins"] | more["references"][reference]["wins"]
        each["wins"] = {name: wins[name] for name in sorted(wins)}
    write_json(path, found)
    write_catalogue(catalogue, found)


def main(arguments: list[str] | None = None) -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=5_000)
    parser.add_argument("--tables", type=int, default=50_000, help="of each null sample")
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--indices", nargs="+", help="some of the indices; the catalogue is then left alone")
    parser.add_argument("--new", action="store_true", help="indices without wins; those of others stay")
    parser.add_argument("--only", nargs="+", choices=DESIGNS, default=DESIGNS)
    parser.add_argument("--folder", type=Path, default=HERE / "results")
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.new:
        add_new(options.folder / "fixed_sizes.json", options.catalogue)
        return
    if "fixed_sizes" in options.only:
        found = fixed_sizes(options.trials, options.tables, options.seed, options.indices)
        write_json(options.folder / "fixed_sizes.json", found)
        if options.indices is None:
            write_catalogue(options.catalogue, found)
    if "random_sizes" in options.only:
        write_json(options.folder / "random_sizes.json", random_sizes(options.trials, options.seed))


if __name__ == "__main__":
    main()
