"""The file of a simulation. A later call reads it and continues a run that ended early.

The file is an ``.npz`` archive without pickled objects. It holds the tallies, or the numbers of all draws,
and the number of draws. Its entry ``about`` is JSON. The file is written under another name and then renamed.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import time
import warnings
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import IO, Any

import numpy as np

from chancecorr.indices.index import Index
from chancecorr.machine.arguments import ArgumentValueError, count_levels_to_caller
from chancecorr.machine.compiling import hash_of_kernels
from chancecorr.machine.printing import open_replacement
from chancecorr.sampling.task import Counts, Tally, Task
from chancecorr.tables.objects import Strata

MakeTally = Callable[[Counts], Tally]

DAMAGED_FILE = "which is not a checkpoint, or is damaged. Delete it, or name another"

SECONDS_BETWEEN_WRITES = 10.0
MOST_TABLES_OF_A_RUN = 2**53

INSTALLED_PACKAGES = {"chancecorr", "numpy", "scipy", "numba", "math", "sklearn"}
"""Packages whose functions are identified by name and version of the package."""


class Checkpoint:
    """Tallies of the first `n_tables` tables of a run, and their file, written when the context ends.

    `wanted` is the number of tables after which the precision is checked next. The file of another run raises
    a ValueError.
    """

    def __init__(
        self,
        path: str,
        run: Mapping[str, str],
        make: MakeTally = Tally,
        keys: Collection[str] | None = None,
        columns: int = 1,
    ) -> None:
        self.path, self.run = Path(path), dict(run)
        self._keys, self._columns = keys, columns
        self.tallies: dict[str, Tally] = {}
        self.n_tables = self.wanted = 0
        self._is_whole, self._has_failed, self._saved_at = True, False, time.monotonic()
        if self.path.exists():
            self._load(make)
        self._n_saved = self.n_tables

    @contextlib.contextmanager
    def adding(self, n_tables: int) -> Iterator[None]:
        """Open a context for adding `n_tables` tables to the tallies; save at its end if it is time."""
        self._is_whole = False
        yield
        self._is_whole, self.n_tables = True, self.n_tables + n_tables
        if time.monotonic() - self._saved_at >= SECONDS_BETWEEN_WRITES:
            self.save()

    def save(self) -> None:
        """Write the file. If writing fails, warn once and continue the run."""
        about = {"run": self.run, "tables": self.n_tables, "wanted": self.wanted, "keys": [*self.tallies]}
        arrays: dict[str, Any] = {}
        for k, tally in enumerate(self.tallies.values()):
            arrays[f"values {k}"], arrays[f"counts {k}"] = tally.result()
        try:
            with open_replacement(self.path) as file:
                np.savez(file, about=np.array(json.dumps(about)), **arrays)
            self._n_saved = self.n_tables
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                warnings.warn(
                    f"chancecorr cannot write the checkpoint {os.fspath(self.path)!r}"
                    f" ({error.strerror or error}). The run continues, and tries again later.",
                    RuntimeWarning,
                    stacklevel=count_levels_to_caller(),
                )
        self._saved_at = time.monotonic()

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(self, *_: object) -> None:
        if self.n_tables > self._n_saved and self._is_whole:
            self.save()

    def _load(self, make: MakeTally) -> None:
        """Read the file; raise if it is damaged or is the file of another run."""
        try:
            with open(self.path, "rb") as opened:
                _require_plain_archive(opened)
                opened.seek(0)
                with np.load(opened, allow_pickle=False) as file:
                    about = json.loads(file["about"].item())  # each member has a CRC
                    run, keys = about["run"], about["keys"]
                    if not isinstance(run, dict) or not isinstance(keys, list):
                        raise ValueError("The run and its tallies have no names.")
                    self.n_tables, self.wanted = (_read_count(about[name]) for name in ("tables", "wanted"))
                    if run == self.run and self._keys is not None and sorted(keys) != sorted(self._keys):
                        raise ValueError("The file has tallies of other indices.")
                    for k, key in enumerate(keys):
                        values, counts = file[f"values {k}"], file[f"counts {k}"]
                        if counts.dtype != np.int64 or int(counts.sum()) != self.n_tables:
                            raise ValueError("The counts do not add up to the number of tables.")
                        self.tallies[key] = make((values, counts))
                        if run == self.run:
                            self.tallies[key].check(self._columns)
        except Exception as error:  # a damaged archive may raise anything
            raise self.refused(DAMAGED_FILE) from error
        differences = [f"{x} ({run.get(x)}; now {now})" for x, now in self.run.items() if run.get(x) != now]
        if differences or len(run) != len(self.run):
            what = f"What differs: {'; '.join(differences)}. Delete it, or name another"
            raise self.refused(f"which is of another run. {what}")

    def refused(self, reason: str) -> ArgumentValueError:
        """Return the error that says why the file is refused."""
        return ArgumentValueError(
            "checkpoint", f"must be a checkpoint of this run; got {os.fspath(self.path)!r}, {reason} file."
        )


def _require_plain_archive(file: IO[bytes]) -> None:
    """Raise if the archive holds compressed data, which may need far more memory than the file's size."""
    with zipfile.ZipFile(file) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("No member of a checkpoint is compressed.")


def _read_count(value: Any) -> int:
    """Return `value`, read from a file, if it is a number of tables; else raise."""
    if type(value) is not int or not 0 <= value <= MOST_TABLES_OF_A_RUN:
        raise ValueError("A number of tables must be a whole number from 0 to 2**53.")
    return value


def open_checkpoint(
    path: str,
    seed: int,
    indices: Sequence[Index],
    about: Mapping[str, str],
    make: MakeTally,
    keys: Collection[str],
) -> Checkpoint:
    """Open the checkpoint file of this run, or create it.

    `about` describes the run further; `keys` are the names of its tallies.
    """
    from importlib.metadata import version  # this import takes a third of the time of `import chancecorr`

    # Another version of one of these packages may change the last bits of values.
    made_by = [f"{name} {version(name)}" for name in ("chancecorr", "numpy", "numba")]
    functions = [(x.function, x.link, x.from_cells, x.needs, x.with_totals) for x in indices]
    run = {
        "seed": str(seed),
        **about,
        "indices": ", ".join(index.name for index in indices),
        "functions": hash_content(*functions),
        "version": ", ".join([*made_by, f"kernels {hash_of_kernels()}"]),
    }
    return Checkpoint(path, run, make, keys, len(indices))


def describe_tables(task: Task, model: str, strata: Strata | None) -> dict[str, str]:
    """Describe the margins and the model of a run's tables, and the way in which they are counted."""
    margins = task.sampler.margins
    totals = [side.tolist() for side in (margins.row_totals, margins.column_totals)]
    K, Q = map(len, totals)
    sides = () if strata is None else (strata.rows, strata.columns)
    numbers = [part.tolist() for side in sides for part in (side.indptr, side.indices, side.data)]
    kept = [(x.key, x.with_pair_sum) for x in task.reductions]
    return {
        "cluster sizes": f"{margins.n} objects, {K} x {Q} clusters, {hash_content(totals)}",
        "model": f"{model} {hash_content(numbers)}" if numbers else model,
        "tallies": f"at most {task.most_values} values, {hash_content(task.pair_sum_centre, *kept)}",
    }


def hash_content(*parts: Any) -> str:
    """Return a hash of numbers, texts and functions, each function with everything that it uses."""
    return hashlib.sha256(repr(_describe(parts, [])).encode()).hexdigest()[:16]


def _describe(value: Any, seen: list[Any]) -> Any:
    """Return a function's bytecode and all that it uses as nested texts; a function in `seen` by its name."""
    if value is None or isinstance(value, str | int | float):
        return value
    value = getattr(value, "py_func", value)  # the Python function of a function that Numba has compiled
    if isinstance(value, functools.partial):
        value = value.func, value.args, tuple(sorted(value.keywords.items()))
    if isinstance(value, MethodType):
        value = value.__func__, value.__self__
    if isinstance(value, tuple):
        return [_describe(part, seen) for part in value]
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_varnames, _describe(value.co_consts, seen)
    if isinstance(value, FunctionType):
        name = f"{value.__module__}.{value.__qualname__}"
        if any(earlier is value for earlier in seen):
            return name
        seen.append(value)
        code, closure = value.__code__, tuple(cell.cell_contents for cell in value.__closure__ or ())
        if name.partition(".")[0] in INSTALLED_PACKAGES:
            return name, _describe(closure, seen)
        names = sorted(_collect_names(code) & value.__globals__.keys())
        defaults = value.__defaults__, tuple((value.__kwdefaults__ or {}).items())
        read = tuple(value.__globals__[name] for name in names)
        return names, _describe((code, *defaults, *closure, *read), seen)
    if hasattr(value, "__name__"):  # a module, a class, or a function that is not written in Python
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    import joblib

    call, content = vars(type(value)).get("__call__"), None
    if dataclasses.is_dataclass(value):  # a dataclass, whose fields may be functions
        content = _describe(tuple(getattr(value, part.name) for part in dataclasses.fields(value)), seen)
    else:
        with contextlib.suppress(Exception):  # the class's pickling may raise any exception
            content = str(joblib.hash(value))  # equal in all processes
    return type(value).__name__, content, call and _describe(call, seen)


def _collect_names(code: CodeType) -> set[str]:
    """Return the names that the code and its nested functions look up."""
    inner = (_collect_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)
