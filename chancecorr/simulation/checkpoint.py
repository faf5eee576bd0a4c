"""A simulation on disk, so that a run that ended early goes on where it was.

A table depends on the seed and its number alone, and tallies add up exactly. So the file holds the tallies
and how many tables are in them: a run that goes on ends with the bits of one that was never interrupted. It
is an ``.npz`` archive of NumPy without pickled objects; its entry ``about`` is JSON. It is written under
another name and then renamed, so that a killed run leaves the file before.
"""

import contextlib
import hashlib
import json
import os
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError, levels_to_the_caller
from chancecorr.indices.registry import Index
from chancecorr.machine.sources import hash_of_kernels
from chancecorr.simulation.digest import digest_of
from chancecorr.simulation.tally import MOST_VALUES, Tally
from chancecorr.simulation.task import Task

SECONDS = 10.0
"""Between two times of writing, at least."""

SHARE = 20.0
"""And so many times what the last writing took, so that a large file does not hold up the run."""


class Checkpoint:
    """Tallies of the first tables of a run, and their file, which the end of a context writes.

    Parameters
    ----------
    path : str
        Of the file, which need not exist.
    run : mapping
        What tells this run from others: names, each with a text.
    most_values : int
        As in `Task`.

    Raises
    ------
    ValueError
        If the file is damaged, or of another run.

    Attributes
    ----------
    tallies : dict
        Tallies by key, to which the run adds.
    n_tables : int
        Tables that are in the tallies.
    wanted : int
        Tables after which the run looks at its precision next; 0 where it has not begun.
    is_whole : bool
        Whether the tallies hold `n_tables` tables, and not some more for some keys.
    """

    def __init__(self, path: str, run: Mapping[str, str], *, most_values: int = MOST_VALUES) -> None:
        self.path, self.run = Path(path), dict(run)
        self.tallies: dict[str, Tally] = {}
        self.n_tables = self.wanted = self._n_saved = 0
        self.is_whole, self._has_failed = True, False
        self._waits, self._saved_at = SECONDS, time.monotonic()
        if self.path.exists():
            self._load(most_values)

    def counted(self, n_tables: int) -> None:
        """Take note that so many tables more are in the tallies, and write the file when it is time."""
        self.n_tables += n_tables
        self.is_whole = True
        if time.monotonic() - self._saved_at >= self._waits:
            self.save()

    def save(self) -> None:
        """Write the file; if that fails, warn once, and let the run go on."""
        began, new = time.monotonic(), self.path.with_name(self.path.name + ".new")
        try:
            try:
                with open(new, "wb") as file:
                    np.savez(file, **self._content())
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(new, self.path)
            except BaseException:
                with contextlib.suppress(OSError):
                    new.unlink()
                raise
            self._n_saved = self.n_tables
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
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
        """Write what is new, unless an interrupt left it half added: the file before is right."""
        if self.n_tables > self._n_saved and self.is_whole:
            self.save()

    def _content(self) -> dict[str, Any]:
        """Arrays of the file, by name."""
        keys = list(self.tallies)
        exponents = [tally.exponent for tally in self.tallies.values()]
        about = {"run": self.run, "tables": self.n_tables, "wanted": self.wanted}
        arrays: dict[str, Any] = {"about": json.dumps(about | {"keys": keys, "exponents": exponents})}
        for k, tally in enumerate(self.tallies.values()):
            arrays[f"values {k}"], arrays[f"counts {k}"] = tally.result()
        return arrays

    def _load(self, most_values: int) -> None:
        """Read the file, or refuse it."""
        with open(self.path, "rb") as opened:
            try:
                with np.load(opened, allow_pickle=False) as file:
                    arrays = {name: file[name] for name in file.files}  # of each of which there is a CRC
                about = json.loads(arrays["about"].item())
                run, self.n_tables, self.wanted = about["run"], about["tables"], about["wanted"]
                for k, (key, exponent) in enumerate(zip(about["keys"], about["exponents"], strict=True)):
                    seen = arrays[f"values {k}"], arrays[f"counts {k}"]
                    if int(seen[1].sum()) != self.n_tables:
                        raise ValueError("The counts are not those of the tables.")
                    self.tallies[key] = Tally(seen, most=most_values, exponent=exponent)
            except Exception as error:  # a damaged archive may raise anything
                reason = "which is no checkpoint, or a damaged one. Delete it, or name another"
                raise self._refused(reason) from error
        self._n_saved = self.n_tables
        names = [name for name in {**self.run, **run} if self.run.get(name) != run.get(name)]
        if names:
            found = [f"{name} ({run.get(name, 'none')}; now {self.run.get(name, 'none')})" for name in names]
            raise self._refused(
                f"which is of another run. What differs: {'; '.join(found)}. Delete it, or name another"
            )

    def _refused(self, reason: str) -> ArgumentValueError:
        """The error for a file that is not fit."""
        return ArgumentValueError(
            "checkpoint", f"must be a checkpoint of this run; got {os.fspath(self.path)!r}, {reason} file."
        )


def open_checkpoint(path: str, task: Task, rule: str) -> Checkpoint:
    """Checkpoint in a file, new if there is none, of a run that draws as many tables as the `rule` says."""
    return Checkpoint(path, _run_of(task, rule), most_values=task.most_values)


def _run_of(task: Task, rule: str) -> dict[str, str]:
    """What tells a run from others, in words."""
    from importlib.metadata import version  # it takes a third of the time of the import

    margins, totals = task.sampler.margins, hashlib.sha256()
    for side in (margins.row_totals, margins.column_totals):
        totals.update(f"{side.size} ".encode() + side.astype("<i8").tobytes())
    K, Q = margins.row_totals.size, margins.column_totals.size
    # Other versions of these may change the last bits of what functions give.
    made_by = [f"{name} {version(name)}" for name in ("chancecorr", "numpy", "numba")]
    return {
        "seed, as 64 bits": str(int(task.seed)),
        "cluster sizes": f"{margins.n} objects, {K} x {Q} clusters, {totals.hexdigest()[:16]}",
        "model": task.model.name,
        "indices": ", ".join(each.index.name for each in task.reductions),
        "functions": _hash_of(task),
        "rule": rule,
        "distinct values": f"at most {task.most_values}",
        "version": ", ".join([*made_by, f"kernels {hash_of_kernels()}"]),
    }


def _hash_of(task: Task) -> str:
    """Hash of the functions of the indices, and of what is tallied for each."""
    parts = [f"T from {task.pair_sum_centre}"]
    for each in task.reductions:
        parts += [each.key, str(each.beside_pair_sum), *_parts_of(each.index)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _parts_of(index: Index) -> list[str]:
    """What tells an index from others."""
    functions = (index.function, index.link, index.from_cells)
    return [index.name, index.needs, str(index.with_totals), *map(digest_of, functions)]
