"""``python -m experiments.properties.run``: certifies all properties; ``--new`` those of new indices.

Writes `chancecorr/catalogue/properties.json`. It takes some minutes on one processor, half a minute for an
index, most of it for the triangle inequality on clusterings of 8 objects.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import chancecorr
from chancecorr.indices.registry import FAMILIES, get_index, list_indices
from experiments.properties.certify import N_MAX, certify, searched_further, with_new_reasons
from experiments.properties.complexity import COSTS
from experiments.properties.counts import MOST, SEARCHES
from experiments.properties.definitions import DEFINITIONS
from experiments.properties.reasons import REASONS

TARGET = Path(chancecorr.__file__).parent / "catalogue" / "properties.json"


def main() -> int:
    """Certify all indices, or those that are named; writes the data where all were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="*", default=[], help="names of indices: shown, and nothing is written"
    )
    parser.add_argument(
        "--n-max", type=int, default=N_MAX, help="objects up to which clusterings are searched"
    )
    parser.add_argument("--new", action="store_true", help="indices without data; those of others stay")
    parser.add_argument(
        "--reasons", action="store_true", help="the reasons anew, on what was searched before"
    )
    options = parser.parse_args()
    began = time.perf_counter()
    names = options.only or [name for family in FAMILIES[:-1] for name in list_indices(family)]
    found: dict[str, Any] = {}
    before = json.loads(TARGET.read_text(encoding="utf-8")) if options.reasons or options.new else {}
    for k, name in enumerate(names, 1):
        index = get_index(name)
        if options.new and name in before["indices"]:
            found[name] = before["indices"][name]
            continue
        if options.reasons:
            found[name] = with_new_reasons(index, before["indices"][name])
            searched_further(index, found[name])
            continue
        found[name] = certify(index, options.n_max)
        print(f"{k}/{len(names)} {name}, {time.perf_counter() - began:.0f} s", file=sys.stderr)
    if options.only:
        print(json.dumps(found, indent=1))
    else:
        TARGET.write_text(
            as_text(found, before["properties"]["metric"]["n_max"] if before else options.n_max),
            encoding="utf-8",
        )
    return 0


def as_text(found: dict[str, Any], n_max: int) -> str:
    """The data as JSON, a line for each property and two for each index."""
    about = {
        each.key: {
            "title": each.title,
            "statement": each.statement,
            "source": each.source,
            "n_max": n_max if each.search else MOST if each.key in SEARCHES else 0,
        }
        for each in DEFINITIONS
    }
    used = {cell.get("reason") for each in found.values() for side in each.values() for cell in side.values()}
    reasons = {key: text for key, text in (REASONS | COSTS).items() if key in used}
    parts = [f'"{name}":{_lines(each)}' for name, each in (("properties", about), ("reasons", reasons))]
    parts.append('"indices":' + _lines(found, nested=True))
    return "{" + ",\n".join(parts) + "}\n"


def _lines(mapping: dict[str, Any], *, nested: bool = False) -> str:
    lines = []
    for key, each in mapping.items():
        text = json.dumps(each, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if nested:
            text = "{" + ",\n ".join(f'"{side}":{_compact(cells)}' for side, cells in each.items()) + "}"
        lines.append(f'"{key}":{text}')
    return "{\n" + ",\n".join(lines) + "\n}"


def _compact(cells: dict[str, Any]) -> str:
    return json.dumps(cells, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


if __name__ == "__main__":
    sys.exit(main())
