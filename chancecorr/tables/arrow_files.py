"""Files that pyarrow reads: Parquet files, and Arrow files (Feather), which may be damaged.

Arrow files are read one batch after another by pyarrow's reader of such files. Its data sets read ahead in
threads, and end the process on some files whose batches do not begin as they should.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

FILES = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow"}
"""Kinds of file that pyarrow reads, by the ending of the name."""

ROWS_AT_A_TIME = 1_048_576
"""Rows that are read at a time: two columns of int64 take 16 MB then, and a table of a million cells is added
in no more time than they are read in."""


def schema_of(path: str | os.PathLike[str], kind: str) -> Any:
    """Names and types of the columns of a file, or of a folder of Parquet files."""
    from pyarrow import dataset, ipc

    if kind == "Parquet":
        return dataset.dataset(path, format="parquet").schema
    with ipc.open_file(os.fspath(path)) as file:
        return file.schema


def column_names(path: str | os.PathLike[str], kind: str) -> list[str]:
    """Names of the columns of a file, or of a folder of Parquet files."""
    return list(schema_of(path, kind).names)


def record_batches(path: str | os.PathLike[str], columns: list[str]) -> Iterator[Any]:
    """Record batches of these columns of an Arrow file, of at most `ROWS_AT_A_TIME` rows."""
    from pyarrow import ipc

    places = [column_names(path, "Arrow").index(name) for name in columns]
    with ipc.open_file(os.fspath(path), options=ipc.IpcReadOptions(included_fields=places)) as file:
        for batch in map(file.get_batch, range(file.num_record_batches)):
            yield from (
                batch.slice(first, ROWS_AT_A_TIME) for first in range(0, batch.num_rows, ROWS_AT_A_TIME)
            )


def valid(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches in turn; an ArrowException if one is damaged."""
    for batch in batches:
        batch.validate(full=True)
        yield batch
        del batch  # before the next one is read
