"""A study as named cells of many replicates, run by worker processes and kept unit by unit.

A unit is one replicate of one cell of one study. Units are independent: their random numbers come from the
seed and from what they are. Each finished one is kept on disk, so that a run that was killed goes on where it
stopped and ends with the same bits, whatever the number of workers.
"""

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from multiprocessing import get_context, parent_process
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from experiments.common import kept
from experiments.common.units import Clock, Inputs, Record

BATCH = 20
"""Units that a worker is given at a time."""

Evaluate = Callable[[Inputs, int, int, Clock], Record]
"""Gives the record of a unit from the inputs of its cell, its replicate, the seed, and a clock for parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Units that differ only in their random numbers.

    Attributes
    ----------
    name : str
        Tells the cell apart within its study, in words for files and the command line.
    inputs : mapping
        What its units are made from; see `experiments.common.units.Inputs`.
    replicates : int
        How many units.
    """

    name: str
    inputs: Inputs
    replicates: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What a run has given.

    Attributes
    ----------
    cells : tuple of Cell
    records : mapping
        Records of each cell by its name, in the order of the replicates.
    seconds : mapping
        By cell, then by part: seconds of work of all its units, those included that an earlier run has done.
    seed : int
    """

    cells: tuple[Cell, ...]
    records: Mapping[str, Sequence[Record]]
    seconds: Mapping[str, Mapping[str, float]]
    seed: int

    def values(self, cell: str, *path: str) -> npt.NDArray[np.float64]:
        """One number of each record of a cell, shape (replicates,); `path` are the keys that lead to it."""
        return np.array([reduce(getitem, path, record) for record in self.records[cell]], dtype=np.float64)

    def seconds_by_part(self) -> dict[str, float]:
        """Seconds of work over all cells."""
        total: dict[str, float] = {}
        for parts in self.seconds.values():
            for part, seconds in parts.items():
                total[part] = total.get(part, 0.0) + seconds
        return total


def run(
    evaluate: Evaluate, cells: Sequence[Cell], *, seed: int, jobs: int, folder: Path, label: str = "units"
) -> Outcome:
    """All units of the cells, whose names differ, by worker processes, of which any number gives the same.

    Finished units are kept in `folder`, beside ``log.txt``, which has a line for each finished cell; `label`
    is what the progress bar, on a terminal only, calls them.
    """
    made_from = kept.fingerprint(evaluate)
    units: dict[str, list[Any]] = {cell.name: [None] * cell.replicates for cell in cells}
    missing = {cell.name: cell.replicates for cell in cells}
    by_name = {cell.name: cell for cell in cells}
    folder.mkdir(parents=True, exist_ok=True)
    with (
        worker_processes(jobs) as pool,
        _progress(label, sum(missing.values())) as advance,
        open(folder / "log.txt", "a", encoding="utf-8", buffering=1) as log,
    ):
        if cells and jobs > 1:  # compiles once what every worker would compile for itself
            pool.submit(
                evaluate_batch, evaluate, dict(cells[0].inputs), range(1), seed, made_from, folder
            ).result()
        waiting: dict[Future[list[Any]], tuple[str, int]] = {}
        for cell in cells:
            for first in range(0, cell.replicates, BATCH):
                batch = range(first, min(first + BATCH, cell.replicates))
                future = pool.submit(
                    evaluate_batch, evaluate, dict(cell.inputs), batch, seed, made_from, folder
                )
                waiting[future] = cell.name, first
        for future in as_completed(list(waiting)):
            name, first = waiting.pop(future)
            batch_units = future.result()
            units[name][first : first + len(batch_units)] = batch_units
            missing[name] -= len(batch_units)
            advance(len(batch_units))
            if missing[name] == 0:
                log.write(_log_line(by_name[name], units[name], seed) + "\n")
    return Outcome(
        cells=tuple(cells),
        records={name: [unit["record"] for unit in found] for name, found in units.items()},
        seconds={name: _added(found) for name, found in units.items()},
        seed=seed,
    )


def evaluate_batch(
    evaluate: Evaluate, inputs: Inputs, replicates: range, seed: int, made_from: str, folder: Path
) -> list[Any]:
    """Some units of a cell, those that are kept from disk; each a record and the seconds of its parts."""
    units = []
    for replicate in replicates:
        key = kept.key_of([made_from, inputs, replicate, seed])
        unit = kept.load(folder, key)
        if unit is None:
            if kept.path_of(folder, key).exists():
                path = kept.path_of(folder, key)
                print(f"{path} is damaged; the unit is evaluated again.", file=sys.stderr, flush=True)
            clock = Clock()
            record = evaluate(inputs, replicate, seed, clock)
            unit = kept.save(folder, key, {"record": record, "seconds": clock.seconds})
        units.append(unit)
    return units


def _added(units: Iterable[Any]) -> dict[str, float]:
    """Seconds by part, in the order of the replicates."""
    total: dict[str, list[float]] = {}
    for unit in units:
        for part, seconds in unit["seconds"].items():
            total.setdefault(part, []).append(seconds)
    return {part: math.fsum(each) for part, each in total.items()}


def _log_line(cell: Cell, units: Sequence[Any], seed: int) -> str:
    parts = ", ".join(f"{part} {seconds:.1f} s" for part, seconds in _added(units).items())
    when = time.strftime("%Y-%m-%d %H:%M:%S")
    return f"{when}  {cell.name}  {cell.replicates} replicates, seed {seed}: {parts}"


@contextmanager
def _progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error where that is a terminal, else nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda count: None
        return
    columns = (
        TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left:"),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=total)
        yield lambda count: bar.advance(task, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A paper, reproduced.

    Attributes
    ----------
    name : str
        Its folder in `experiments`.
    title : str
        A line about it.
    evaluate : callable
        Gives the record of a unit; see `experiments.common.runs.Evaluate`. It stands in a module that imports
        what a unit is made from and nothing of what is written: kept units go by the source of all of it.
    full, quick : tuple of Cell
        Its cells in full, and in small: a quick run takes seconds and goes the same way.
    write : callable
        Writes the results of an outcome into a folder. It must do with any cells of the study.
    seed : int
        The seed of the results that stand beside the study.
    """

    name: str
    title: str
    evaluate: Evaluate
    full: tuple[Cell, ...]
    quick: tuple[Cell, ...]
    write: Callable[[Outcome, Path], None]
    seed: int


ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
}
"""What workers find in their environment: sums must not go by the number of processors."""


@contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """As many new processes, with one thread each for linear algebra.

    Leaving in an orderly way waits for what is submitted; leaving by an exception ends the workers at once.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield pool
    except BaseException:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        raise
    else:
        pool.shutdown()
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _begin() -> None:
    """Leave an interrupt to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
