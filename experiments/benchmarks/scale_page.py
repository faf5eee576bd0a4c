"""Tables of docs/scale.md from results.json: ``python -m experiments.benchmarks.scale_page``."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from experiments.benchmarks.timing import Row, markdown

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"


def growth(rows: Sequence[Row]) -> list[Row]:
    """How time and memory of each function grow."""
    return [
        {
            "function": row["function"],
            "grows with": row["grows with"],
            "up to": row["to"],
            "ms there": row["ms at most"],
            "time": f"{row['exponent of time']:.1f}",
            "stated": f"{row['exponent of time, stated']:g}",
            "MiB there": row["MiB at most"],
            "memory": f"{row['exponent of memory']:.1f}",
            "stated ": f"{row['exponent of memory, stated']:g}",
            "because of": row["because"],
        }
        for row in rows
    ]


def chunked(rows: Sequence[Row]) -> list[Row]:
    """Files counted by each side."""
    return [
        {
            "labels": row["labels"],
            "rows": row["n"],
            "counted by": row["counted by"],
            "s": row["s"],
            "MiB": row["above the imports, MiB"],
            "s / s of chancecorr by path": row["s / s of path"],
        }
        for row in rows
    ]


def dask_cluster(rows: Sequence[Row]) -> list[Row]:
    """Tables drawn by threads and on a cluster."""
    return list(rows)


TABLES: Mapping[str, Callable[[Sequence[Row]], list[Row]]] = {
    table.__name__: table for table in (growth, chunked, dask_cluster)
}


def page(text: str, results: Mapping[str, Sequence[Row]]) -> str:
    """Text of docs/scale.md with a table of the results between each pair of marks."""
    for name, table in TABLES.items():
        between = re.compile(f"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->\n)", re.DOTALL)
        found = list(between.finditer(text))
        if len(found) != 1:
            raise ValueError(f"docs/scale.md must have one pair of marks of {name}; got {len(found)}.")
        (old,) = found
        text = f"{text[: old.start()]}{old[1]}{markdown(table(results[name]))}\n{old[2]}{text[old.end() :]}"
    return text


def main() -> None:
    """Write the page."""
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))["results"]
    file = DOCS / "scale.md"
    file.write_text(page(file.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    main()
