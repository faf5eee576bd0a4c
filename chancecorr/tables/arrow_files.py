"""Record batches of Arrow files (Feather), which may be damaged.

They are read one after another by pyarrow's reader of such files. Its data sets read ahead in threads, and
end the process on some files whose batches do not begin as they should.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

FILES = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow"}
"""What pyarrow reads, by how the name ends."""


def column_names(path: str | os.PathLike[str]) -> list[str]:
    """Names of the columns of an Arrow file."""
    from pyarrow import ipc

    with ipc.open_file(os.fspath(path)) as file:
        return list(file.schema.names)


def record_batches(path: str | os.PathLike[str], places: Sequence[int], rows: int) -> Iterator[list[Any]]:
    """Columns of an Arrow file, by their places among all, at most so many rows at a time.

    Raises
    ------
    pyarrow.ArrowException or OSError
        If the file is damaged: what it holds may lie outside of memory, or be no text.
    """
    from pyarrow import ipc

    wanted = sorted(set(places))
    with ipc.open_file(os.fspath(path), options=ipc.IpcReadOptions(included_fields=wanted)) as file:
        for k in range(file.num_record_batches):
            batch = file.get_batch(k)
            batch.validate(full=True)
            for first in range(0, batch.num_rows, rows):
                part = batch.slice(first, rows)
                yield [part.column(wanted.index(place)) for place in places]
                del part
            del batch  # before the next one is read
