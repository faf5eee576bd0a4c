"""Time and memory of a contingency table of a Parquet file of 10^8 rows, against DuckDB and polars.

Two columns of int32 in 10 x 10 and in 1,000 x 1,000 clusters, and of text, of 10^7 rows. Each side runs in a
process of its own, with two threads; seconds are the least of three, MiB the peak above that of the process
after its imports. A peer that is not installed is left out.
"""

import importlib.util
import json
import tempfile
from pathlib import Path

import numpy as np

from experiments.benchmarks.timing import Row, run, run_python, scale_count

MILLION = 1_000_000
CASES = [("int32", 10, 100), ("int32", 1_000, 100), ("text", 10, 10), ("text", 1_000, 10)]
ROWS_OF_A_GROUP = 1_048_576
THREADS = {"POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "2"}
OURS = "from chancecorr.tables import contingency_table_from as read\nimport pyarrow.dataset\n"
SQL = "select count(*) as n from '{path}' group by truth, cluster"
POLARS = "polars.scan_parquet(path)"
LAZY = f"{POLARS}.select('truth', 'cluster').collect_batches(chunk_size=1_048_576)"
SIDES = {
    "chancecorr, path": ("pyarrow", OURS, "read(path, 'truth', 'cluster').n"),
    "chancecorr, LazyFrame": ("polars", f"{OURS}import polars", f"read({LAZY}, 'truth', 'cluster').n"),
    "DuckDB": (
        "duckdb",
        "import duckdb\nconnection = duckdb.connect(config={'threads': 2})\n"
        "connection.sql('set enable_progress_bar = false')",
        f'int(connection.sql(f"{SQL}").fetchnumpy()["n"].sum())',
    ),
    "polars": (
        "polars",
        "import polars",
        f"int({POLARS}.group_by('truth', 'cluster').len().collect(engine='streaming')['len'].sum())",
    ),
}
"""By name: the package that is needed, what is done before, and the call, which counts the objects."""

CODE = """
import json, resource, time
path = {path!r}
{prepare}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{call}
seconds = []
for _ in range(3):
    began = time.perf_counter()
    n = {call}
    seconds.append(time.perf_counter() - began)
print(json.dumps([n, min(seconds), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024]))
"""


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each kind of labels and each side."""
    rows: list[Row] = []
    for kind, clusters, millions in CASES:
        n = scale_count(millions * MILLION, scale, 1_000)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.parquet"
            write_labels(path, n, clusters, kind)
            own = 0.0
            for side, (package, prepare, call) in SIDES.items():
                if importlib.util.find_spec(package) is None:
                    continue
                code = CODE.format(path=str(path), prepare=prepare, call=call)
                counted, seconds, peak = json.loads(run_python(code, THREADS)[1])
                if counted != n:
                    raise ValueError(f"{side} counted {counted} objects of {n}.")
                own = own or seconds
                labels = f"{kind}, {clusters:,} x {clusters:,}"
                row: Row = {"labels": labels, "n": n, "counted by": side, "s": seconds}
                rows.append(row | {"MiB": peak, "s / s of chancecorr by path": seconds / own})
    return rows


def write_labels(path: Path, n: int, clusters: int, kind: str) -> None:
    """Parquet file of two columns, row group by row group."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    names = np.array([f"cluster {k}" for k in range(clusters)], dtype=object)
    type_ = pa.string() if kind == "text" else pa.int32()
    schema = pa.schema([("truth", type_), ("cluster", type_)])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n, ROWS_OF_A_GROUP):
            x, other = rng.integers(0, clusters, (2, min(ROWS_OF_A_GROUP, n - start)), dtype=np.int32)
            y = np.where(rng.random(x.size) < 0.5, x, other)
            columns = [pa.array(names[side] if kind == "text" else side, type_) for side in (x, y)]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=ROWS_OF_A_GROUP)


if __name__ == "__main__":
    run(measure)
