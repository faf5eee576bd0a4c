"""Tables and picture of docs/scale.md from results.json: ``python -m experiments.benchmarks.scale_page``."""

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


def draw(rows: Sequence[Row], path: Path) -> None:
    """Measured exponents beside the stated ones, as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names = [f"{row['function']}: {row['grows with']}" for row in rows]
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "growth", "font.size": 8}):
        figure = Figure(figsize=(9, 0.19 * len(rows) + 1), layout="constrained")
        for axes, what in zip(figure.subplots(1, 2, sharey=True), ("time", "memory"), strict=True):
            places = range(len(rows))
            stated = [float(row[f"exponent of {what}, stated"]) for row in rows]
            found = [float(row[f"exponent of {what}"]) for row in rows]
            axes.hlines(places, found, stated, color="0.8")
            axes.plot(stated, places, "|", color="black", markersize=9, label="stated")
            axes.plot(found, places, "o", color="#0072b2", markersize=4, label="measured")
            axes.set(title=f"exponent of {what}", xlim=(min(-0.25, *found) - 0.1, 4.25))
            axes.set_yticks(places, names)
            axes.grid(axis="x", color="0.9")
            axes.spines[["top", "right", "left"]].set_visible(False)
            axes.tick_params(left=False)
        axes.invert_yaxis()
        axes.legend(loc="lower right")
        figure.savefig(path, metadata={"Date": None, "Creator": None})


def main() -> None:
    """Write both."""
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))["results"]
    file = DOCS / "scale.md"
    file.write_text(page(file.read_text(encoding="utf-8"), results), encoding="utf-8")
    draw(results["growth"], DOCS / "growth.svg")


if __name__ == "__main__":
    main()
