"""A simulation on disk, so that a run that ended early goes on where it was.

Tallies of tables add up exactly, and a table depends on the seed and its number alone. So the tallies and the
numbers of the tables that are in them are all that has to be kept: a run that goes on has the same bits in
the end as one that was never interrupted.

A file is a line that says what it is, a line of JSON (the run, the tables, the tallies), the values and the
counts of each tally as little-endian numbers, and the SHA-256 of all this in hexadecimal digits. It holds no
code. It is written beside its place and moved there, so that a killed run leaves the one before.
"""

import contextlib
import hashlib
import json
import os
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentValueError
from chancecorr.compiled import levels_to_the_caller
from chancecorr.indices.registry import Index
from chancecorr.kernel_sources import hash_of_kernels
from chancecorr.simulation.function_hash import function_hash
from chancecorr.simulation.tally import MOST_VALUES, VALUE_AND_PAIR_SUM, Tally
from chancecorr.simulation.task import Task

FIRST_LINE = b"chancecorr checkpoint 1\n"

SECONDS = 10.0
"""Between two times of writing, at least."""

SHARE = 20.0
"""And so many times what the last writing took, so that a large file does not hold up the run."""

LITTLE_ENDIAN: Mapping[str, npt.DTypeLike] = {
    "value": "<f8",
    "pair sum": "<i8",
    "value and pair sum": [("value", "<f8"), ("pair_sum", "<i8")],
}
"""How the values of a tally are kept, by what they are."""

IN_MEMORY: Mapping[str, npt.DTypeLike] = {
    "value": np.float64,
    "pair sum": np.int64,
    "value and pair sum": VALUE_AND_PAIR_SUM,
}

Range = tuple[int, int]
"""Numbers of tables, from the first to the one behind the last."""


class Checkpoint:
    """What a run has counted, in memory, and its file.

    Used as a context, it writes the file at the end, also where the end is Ctrl-C or another error.

    Parameters
    ----------
    path : str
        Of the file, which need not exist.
    run : mapping
        What tells this run from others: what it is, and a text for it.
    most_values : int
        As in `Task`.

    Raises
    ------
    ValueError
        If the file is damaged, or is of another run.

    Attributes
    ----------
    tallies : dict
        Tallies by key, to which the run adds.
    wanted : int
        Tables after which the run looks at its precision next; 0 where it has not begun.
    is_whole : bool
        Whether the tallies hold all of the tables that are in them, and not just the values for some keys.
    """

    def __init__(self, path: str, run: Mapping[str, str], *, most_values: int = MOST_VALUES) -> None:
        self.path, self.run = Path(path), dict(run)
        self._most = most_values
        self.tallies: dict[str, Tally] = {}
        self.wanted = 0
        self.is_whole = True
        self._done: list[Range] = []
        self._has_news = self._is_told = False
        self._waits, self._saved_at = SECONDS, time.monotonic()
        if self.path.exists():
            self._load()

    @property
    def n_tables(self) -> int:
        """Number behind that of the last table which was counted."""
        return max((end for _, end in self._done), default=0)

    def missing(self) -> list[Range]:
        """Tables that were not counted before the last one was: workers may return theirs in any order."""
        ends = [0, *(end for _, end in self._done)]
        firsts = [first for first, _ in self._done]
        return [(end, first) for end, first in zip(ends, firsts, strict=False) if end < first]

    def counted(self, first: int, n_tables: int) -> None:
        """Take note that these tables were added to the tallies, and write the file where it is time."""
        self._done = _added(self._done, (first, first + n_tables))
        self._has_news = self.is_whole = True
        if time.monotonic() - self._saved_at >= self._waits:
            self.save()

    def save(self) -> None:
        """Write the file; where that fails, warn once, and let the run go on."""
        began = time.monotonic()
        beside = self.path.with_name(self.path.name + ".new")
        try:
            try:
                _write(beside, self._content())
                os.replace(beside, self.path)
            except BaseException:
                with contextlib.suppress(OSError):
                    beside.unlink()
                raise
            _flush_folder(self.path.parent)
            self._has_news = False
        except OSError as error:
            if not self._is_told:
                self._is_told = True
                warnings.warn(
                    f"chancecorr cannot write the checkpoint {os.fspath(self.path)!r}"
                    f" ({error.strerror or error}). The run goes on, and tries again later.",
                    RuntimeWarning,
                    stacklevel=levels_to_the_caller(),
                )
        self._saved_at = time.monotonic()
        self._waits = max(SECONDS, SHARE * (self._saved_at - began))

    def __enter__(self) -> "Checkpoint":
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is new. What an interrupt left half added is not: the file before it is right."""
        if self._has_news and self.is_whole:
            self.save()

    def _content(self) -> Iterator[bytes]:
        """The file but for its checksum, in pieces."""
        arrays: list[npt.NDArray[Any]] = []
        listed = []
        for key, tally in self.tallies.items():
            values, counts = tally.result()
            kind = next(name for name, dtype in IN_MEMORY.items() if values.dtype == dtype)
            listed.append({"key": key, "kind": kind, "size": values.size, "exponent": tally.exponent})
            arrays += [values.astype(LITTLE_ENDIAN[kind], copy=False), counts.astype("<i8", copy=False)]
        about = {"run": self.run, "tables": self._done, "wanted": self.wanted, "tallies": listed}
        yield FIRST_LINE
        yield json.dumps(about).encode() + b"\n"
        for array in arrays:
            yield array.tobytes()

    def _load(self) -> None:
        content = self.path.read_bytes()
        body, checksum = content[:-64], content[-64:]
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            if not content.startswith(FIRST_LINE[:10]):
                raise self._refused("which is no checkpoint, or a damaged one. Name another file.")
            raise self._refused("which is damaged. Delete it to count its tables anew.")
        if not body.startswith(FIRST_LINE):
            raise self._refused("which another version of chancecorr has written. Delete it to begin anew.")
        text, _, numbers = body[len(FIRST_LINE) :].partition(b"\n")
        about = json.loads(text)
        kept = about["run"]
        different = [name for name in (*self.run, *kept) if self.run.get(name) != kept.get(name)]
        if different:
            said = "; ".join(
                f"{name} ({kept.get(name, 'none')}; now {self.run.get(name, 'none')})"
                for name in dict.fromkeys(different)
            )
            raise self._refused(
                f"which is of another run. What differs: {said}. Name another file, or delete this one."
            )
        self._done = [(first, end) for first, end in about["tables"]]
        self.wanted = about["wanted"]
        n_tables, at = sum(end - first for first, end in self._done), 0
        for each in about["tallies"]:
            values, at = _array(
                numbers, at, each["size"], LITTLE_ENDIAN[each["kind"]], IN_MEMORY[each["kind"]]
            )
            counts, at = _array(numbers, at, each["size"], "<i8", np.int64)
            if int(counts.sum()) != n_tables:
                raise self._refused("which is damaged. Delete it to count its tables anew.")
            self.tallies[each["key"]] = Tally((values, counts), most=self._most, exponent=each["exponent"])

    def _refused(self, text: str) -> ArgumentValueError:
        return ArgumentValueError(
            "checkpoint", f"must be a checkpoint of this run; got {os.fspath(self.path)!r}, {text}"
        )


def open_checkpoint(path: str, task: Task, rule: str) -> Checkpoint:
    """Checkpoint of the run of a task in a file, empty where there is no such file.

    `rule` is what says how many tables are drawn, where their values do.
    """
    return Checkpoint(path, _run_of(task, rule), most_values=task.most_values)


def _run_of(task: Task, rule: str) -> dict[str, str]:
    """What tells a run from others, in words."""
    from importlib.metadata import version  # it takes a third of the time of the import

    margins = task.sampler.margins
    totals = hashlib.sha256()
    for side in (margins.row_totals, margins.column_totals):
        totals.update(f"{side.size} ".encode() + side.astype("<i8").tobytes())
    K, Q = margins.row_totals.size, margins.column_totals.size
    # Beside the kernels, those whose versions may change the last bits of what functions give.
    made_by = [f"{name} {version(name)}" for name in ("chancecorr", "numpy", "numba")]
    return {
        "seed, as 64 bits": str(int(task.seed)),
        "cluster sizes": f"{margins.n} objects, {K} x {Q} clusters, {totals.hexdigest()[:16]}",
        "model": task.model.name,
        "indices": ", ".join(each.index.name for each in task.reductions),
        "functions": _hash_of(task),
        "rule": rule,
        "distinct values": f"at most {task.most_values}",
        "version": ", ".join([*made_by, f"kernels {hash_of_kernels(Path(__file__).parents[1])}"]),
    }


def _hash_of(task: Task) -> str:
    """Hash of the functions of the indices, and of what is tallied for each."""
    parts = [f"T from {task.pair_sum_centre}"]
    for each in task.reductions:
        parts += [each.key, str(each.beside_pair_sum), *_told(each.index)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _told(index: Index) -> list[str]:
    functions = (index.function, index.link, index.from_cells)
    return [index.name, index.needs, str(index.with_totals), *map(function_hash, functions)]


def _added(done: list[Range], new: Range) -> list[Range]:
    """Ranges with one more, those that touch made one."""
    result: list[Range] = []
    for first, end in sorted([*done, new]):
        if result and first == result[-1][1]:
            result[-1] = result[-1][0], end
        else:
            result.append((first, end))
    return result


def _array(
    content: bytes, at: int, size: int, kept: npt.DTypeLike, wanted: npt.DTypeLike
) -> tuple[npt.NDArray[Any], int]:
    """An array from bytes at a place, and the place behind it."""
    found = np.frombuffer(content, dtype=kept, count=size, offset=at)
    return found.astype(wanted), at + found.nbytes


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    """A file of these pieces and their checksum, on the disk when this returns."""
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
        file.write(digest.hexdigest().encode())
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Bring the new name of a file to the disk, where the system has a way to."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
