"""Record batches of Parquet files and of Arrow files (Feather), which may be damaged.

Arrow files are read one batch after another by pyarrow's reader of such files. Its data sets read ahead in
threads, and end the process on some files whose batches do not begin as they should.
"""

import os
from collections.abc import Iterator
from typing import Any

FILES = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow"}
"""What pyarrow reads, by how the name ends."""

BATCH = 1_048_576
"""Rows that are read at a time: two columns of int64 take 16 MB then, and a table of a million cells is added
in no more time than they are read in."""


def column_names(path: str | os.PathLike[str], kind: str) -> list[str]:
    """Names of the columns of a file, or of a folder of Parquet files."""
    from pyarrow import dataset, ipc

    if kind == "Parquet":
        return list(dataset.dataset(path, format="parquet").schema.names)
    with ipc.open_file(os.fspath(path)) as file:
        return list(file.schema.names)


def record_batches(path: str | os.PathLike[str], kind: str, columns: list[str]) -> Iterator[Any]:
    """Record batches of these columns, of at most `BATCH` rows; an ArrowException or OSError if damaged."""
    for batch in (_batches_of_parquet if kind == "Parquet" else _batches_of_arrow)(path, columns):
        batch.validate(full=True)
        yield batch
        del batch  # before the next one is read


def _batches_of_parquet(path: str | os.PathLike[str], columns: list[str]) -> Iterator[Any]:
    """Batches of the row groups in turn; text as places in the list of distinct texts of its row group."""
    from pyarrow import dataset, parquet, types

    for name in dataset.dataset(path, format="parquet").files:
        kinds = {field.name: field.type for field in parquet.read_schema(name)}
        texts = [column for column in columns if column in kinds and types.is_string(kinds[column])]
        with parquet.ParquetFile(name, read_dictionary=texts) as file:
            for k in range(file.num_row_groups):  # a batch of several would take more memory
                yield from file.iter_batches(BATCH, row_groups=[k], columns=columns, use_threads=False)


def _batches_of_arrow(path: str | os.PathLike[str], columns: list[str]) -> Iterator[Any]:
    """Batches of an Arrow file, cut if they are long."""
    from pyarrow import ipc

    places = [column_names(path, "Arrow").index(name) for name in columns]
    with ipc.open_file(os.fspath(path), options=ipc.IpcReadOptions(included_fields=places)) as file:
        for batch in map(file.get_batch, range(file.num_record_batches)):
            yield from (batch.slice(first, BATCH) for first in range(0, batch.num_rows, BATCH))
