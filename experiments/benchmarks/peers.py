"""Other libraries' random tables with fixed margins: SciPy, NumPy and R, each with a limit of time.

For some margins SciPy's samplers do not come to an end, and nothing stops them from outside. So they work in
a process of their own, which times itself and is ended when it does not answer.
"""

import contextlib
import multiprocessing
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from scipy.stats import random_table

from experiments.benchmarks.timing import seconds_of

SCIPY_METHODS = ("patefield", "boyett")

MOST_SHUFFLED = 1_000_000
"""Objects beyond which SciPy's method of Boyett, which shuffles all of them, is not tried."""

START_SECONDS = 60.0
PILOT_TABLES = 1_000


class SciPy:
    """SciPy's sampler in a child process, started when it is first asked and again after it was ended."""

    def __init__(self) -> None:
        self._process: Any = None
        self._connection: Any = None

    def seconds(
        self, rows: Sequence[int], columns: Sequence[int], tables: int, method: str, limit: float
    ) -> float | None:
        """Time that so many tables take, laid out in one new array; None if they take longer than `limit`."""
        if self._process is None:
            self._start()
        self._connection.send((list(rows), list(columns), tables, method))
        if self._connection.poll(limit):
            return float(self._connection.recv())
        self.end()
        return None

    def pilot(
        self, rows: Sequence[int], columns: Sequence[int], budget: float, limit: float
    ) -> tuple[str, float] | None:
        """SciPy's faster method here and its seconds a table, by short calls; None if none came to an end."""
        least = {}
        for method in SCIPY_METHODS:
            if method == "boyett" and sum(rows) > MOST_SHUFFLED:
                continue
            one = self.seconds(rows, columns, 1, method, limit)
            if one is None:
                continue
            m = max(1, min(PILOT_TABLES, int(budget / 3 / one)))
            found = [self.seconds(rows, columns, m, method, limit) for _ in range(3)]
            finished = [seconds / m for seconds in found if seconds is not None]
            if len(finished) == len(found):
                least[method] = min(finished)
        if not least:
            return None
        fastest = min(least, key=least.__getitem__)
        return fastest, least[fastest]

    def end(self) -> None:
        """End the child, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        if not self._connection.poll(START_SECONDS):
            raise RuntimeError("The process that runs SciPy did not start.")
        self._connection.recv()


@contextlib.contextmanager
def scipy_in_a_child() -> Iterator[SciPy]:
    """SciPy in a child process that does not outlive this block."""
    peer = SciPy()
    try:
        yield peer
    finally:
        peer.end()


def _serve(connection: Connection) -> None:
    """Answer with times until the parent is gone."""
    for method in SCIPY_METHODS:
        random_table([1, 2], [1, 2]).rvs(1, method=method, random_state=1)
    connection.send("ready")
    with contextlib.suppress(EOFError):
        while True:
            rows, columns, tables, method = connection.recv()
            law = random_table(rows, columns)
            connection.send(seconds_of(lambda: law.rvs(tables, method=method, random_state=1)))  # noqa: B023


def numpy_chain(rows: Sequence[int], columns: Sequence[int], tables: int) -> None:
    """Tables row by row, each from NumPy's multivariate hypergeometric law given those before it."""
    rng = np.random.default_rng(1)
    out = np.empty((tables, len(rows), len(columns)), dtype=np.int64)
    for table in out:
        left = np.array(columns, dtype=np.int64)
        for k, total in enumerate(rows[:-1]):
            table[k] = rng.multivariate_hypergeometric(left, total, method="marginals")
            left -= table[k]
        table[-1] = left


def r_seconds(rows: Sequence[int], columns: Sequence[int], tables: int, limit: float) -> float | None:
    """Time of R's `r2dtable`; None where R is not installed, cannot count so far or does not answer."""
    program = shutil.which("Rscript")
    if program is None or sum(rows) >= 2**31:
        return None
    code = (
        f"r <- c({','.join(map(str, rows))}); k <- c({','.join(map(str, columns))}); set.seed(1);"
        f" invisible(r2dtable(1, r, k)); cat(system.time(r2dtable({tables}, r, k))[['elapsed']])"
    )
    try:
        done = subprocess.run(
            [program, "-e", code], stdout=subprocess.PIPE, text=True, check=True, timeout=limit
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return float(done.stdout)
