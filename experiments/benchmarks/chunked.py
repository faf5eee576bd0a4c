"""Time and memory of a contingency table of a Parquet file of 10^8 rows, against DuckDB and polars.

`contingency_table_from` against the same counts by DuckDB (``select ... count(*) ... group by``)
and by polars (``group_by(...).len()``, its streaming engine), on two columns of int32 in 10 x 10 and in
1000 x 1000 clusters, of which half of the objects agree, and on two columns of text, of 10^7 rows. chancecorr
reads the path by Arrow, and a `polars.LazyFrame`. Each runs in a process of its own, with two threads; "peak"
is its resident memory above that of the process when the libraries were imported and the kernels compiled.
A time is the least of three; the ratio is the other's least time over that of chancecorr. The file lies in a
temporary folder and is deleted. A peer that is not installed is left out, with a row that says so.
"""

import importlib.util
import json
import tempfile
from pathlib import Path

import numpy as np

from experiments.benchmarks.timing import Row, repeats_at, run, run_python, scaled

OBJECTS = 100_000_000
TEXTS = 10_000_000
ROW_GROUP = 1_048_576
THREADS = 2
CASES = (("int32", 10, OBJECTS), ("int32", 1000, OBJECTS), ("text", 10, TEXTS), ("text", 1000, TEXTS))

PREPARE_OURS = """
import numpy as np
import chancecorr as cc
from chancecorr.tables import contingency_table_from
import pyarrow.dataset
few = np.arange(200_000, dtype=np.int32) % 7
cc.contingency_table(few, few)
cc.contingency_table(few * 10**8, few)
"""
SIDES = {
    "chancecorr, path": (
        "pyarrow",
        PREPARE_OURS,
        "contingency_table_from(path, 'truth', 'cluster').n",
    ),
    "chancecorr, LazyFrame": (
        "polars",
        PREPARE_OURS + "import polars as pl",
        "contingency_table_from(pl.scan_parquet(path), 'truth', 'cluster').n",
    ),
    "DuckDB": (
        "duckdb",
        f"import duckdb\nconnection = duckdb.connect(config={{'threads': {THREADS}}})\n"
        "connection.execute('set enable_progress_bar = false')",  # it goes to the standard output
        "int(connection.sql(f\"select truth, cluster, count(*) as n from '{path}' group by truth, cluster\")"
        ".fetchnumpy()['n'].sum())",
    ),
    "polars": (
        "polars",
        "import polars as pl",
        "int(pl.scan_parquet(path).group_by('truth', 'cluster').len().collect(engine='streaming')['len']"
        ".sum())",
    ),
}
"""By name: the package that is needed, what is done before, and the call, which counts the objects."""

CODE = """
import json, os, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{threads}])
def memory(key):
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(key)) / 1024
    except (OSError, StopIteration):
        return 0.0
path = {path!r}
{prepare}
before = memory("VmHWM")
seconds = []
for _ in range({repeats}):
    began = time.perf_counter()
    n = {call}
    seconds.append(time.perf_counter() - began)
print(json.dumps([n, min(seconds), memory("VmHWM") - before]))
"""


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each kind of labels and each side: its seconds, its peak, and its time by that of ours."""
    rows: list[Row] = []
    for kind, clusters, full in CASES:
        n = scaled(full, scale, minimum=1_000)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.parquet"
            write(path, n, clusters, kind)
            found = {side: of_one_side(side, path, n, repeats_at(scale, 3)) for side in SIDES}
        ours = [found[side] for side in SIDES if side.startswith("chancecorr")]
        for side, (seconds, peak) in found.items():
            row: Row = {"labels": f"{kind}, {clusters:,} x {clusters:,}", "n": n, "counted by": side}
            row |= {"s": seconds, "above the imports, MiB": peak}
            for name, (own, _) in zip(("path", "LazyFrame"), ours, strict=True):
                if isinstance(seconds, str) or isinstance(own, str):
                    row[f"s / s of {name}"] = "–"
                else:
                    row[f"s / s of {name}"] = seconds / own
            rows.append(row)
    return rows


def of_one_side(side: str, path: Path, n: int, repeats: int) -> tuple[float, float] | tuple[str, str]:
    """Least seconds and MiB at the peak; why there are none, where the package is not installed."""
    package, prepare, call = SIDES[side]
    if importlib.util.find_spec(package) is None:
        return f"no {package}", "–"
    code = CODE.format(path=str(path), threads=THREADS, prepare=prepare, repeats=repeats, call=call)
    threads = {"POLARS_MAX_THREADS": str(THREADS), "OMP_NUM_THREADS": str(THREADS)}
    counted, seconds, peak = json.loads(run_python(code, threads)[1])
    if counted != n:
        raise ValueError(f"{side} counted {counted} objects of {n}.")
    return seconds, peak


def write(path: Path, n: int, clusters: int, kind: str) -> None:
    """Parquet file of two columns, row group by row group."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    names = np.array([f"cluster {k}" for k in range(clusters)], dtype=object)
    type_ = pa.string() if kind == "text" else pa.int32()
    schema = pa.schema([("truth", type_), ("cluster", type_)])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n, ROW_GROUP):
            size = min(ROW_GROUP, n - start)
            x, other = rng.integers(0, clusters, (2, size), dtype=np.int32)
            y = np.where(rng.random(size) < 0.5, x, other)
            columns = [pa.array(names[side] if kind == "text" else side, type_) for side in (x, y)]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
