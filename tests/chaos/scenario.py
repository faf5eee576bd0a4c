"""A program in a session of its own, disturbed from outside: how it ends, when, and what it leaves behind.

The program tells by files that workers evaluate, and what it found, the bits of its answer or the name of
the error. Its processes are found by its session, which a worker leaves only where it starts one of its own.
"""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import chancecorr as cc

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])
N_TABLES = 6000
GONE_SECONDS = 15.0
"""In which all processes of a program must be gone after its end."""

PRELUDE = f"""
import contextlib, multiprocessing, os, signal, sys, threading, time
import joblib, numpy as np
import chancecorr as cc

FOLDER = os.environ["CHAOS_FOLDER"]

def in_a_worker():
    return multiprocessing.parent_process() is not None

def mine(a, b):
    if in_a_worker() or THREADS:
        open(os.path.join(FOLDER, "begun"), "w").close()
    time.sleep(0.001)
    return float(np.bincount(a * 3 + b).max())

THREADS = False

def answer(n_jobs=2, n_tables={N_TABLES}):
    index = cc.indices.Index(name="mine", function=mine, needs="labels")
    law = cc.null_distribution(cc.Margins([30, 30, 40], [20, 45, 35]), index, method="monte-carlo",
                               n_tables=n_tables, rng=11, n_jobs=n_jobs)
    return law.values.tobytes().hex() + law.counts.tobytes().hex()

@contextlib.contextmanager
def cluster_of(n_workers=2, **options):
    import dask, distributed
    dask.config.set({{"distributed.comm.timeouts.connect": "10s"}})
    with distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, processes=True,
                                  dashboard_address=None, silence_logs=50, **options) as cluster:
        with distributed.Client(cluster) as client, joblib.parallel_config(backend="dask"):
            yield cluster, client

def told(call):
    try:
        found = "bits " + call()
    except Exception as error:
        found = type(error).__name__ + " " + str(error).replace(chr(10), " ")
    print(found, flush=True)
"""


class Ended(NamedTuple):
    word: str  # ``bits``, or the name of the error
    text: str  # the bits, or what the error says
    seconds: float


def expected_bits():
    """The same answer in this process alone."""

    def mine(a, b):
        import numpy as np

        return float(np.bincount(a * 3 + b).max())

    index = cc.indices.Index(name="mine", function=mine, needs="labels")
    law = cc.null_distribution(MARGINS, index, method="monte-carlo", n_tables=N_TABLES, rng=11)
    return law.values.tobytes().hex() + law.counts.tobytes().hex()


def processes_of(session):
    """Those of a session that have not ended, by number, with the number of the parent."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session and fields[0] != "Z":
                    found[int(folder.name)] = int(fields[1])
    return found


def command_of(number):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def workers_of(session, word=""):
    """Children and grandchildren of the program, without trackers of resources; youngest first."""
    helpers = ("resource_tracker", "forkserver")
    commands = {number: command_of(number) for number in processes_of(session) if number != session}
    found = [n for n, text in commands.items() if word in text and not any(each in text for each in helpers)]
    return sorted(found, reverse=True)


def kill_one(signal_number, word=""):
    """An action: a worker gets the signal."""
    return lambda session: os.kill(workers_of(session, word)[0], signal_number)


def stop_for(seconds, word=""):
    """An action: a worker stands still for so long."""

    def act(session):
        worker = workers_of(session, word)[0]
        os.kill(worker, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(worker, signal.SIGCONT)

    return act


def disturbed(program, folder, action=None, *, within):
    """How a program ends to which something is done once workers evaluate; `within` is the most seconds."""
    began, left = time.monotonic(), {}
    with open(folder / "err", "w") as err, open(folder / "out", "w") as out:
        where = {"stdout": out, "stderr": err, "env": {**os.environ, "CHAOS_FOLDER": str(folder)}}
        command = [sys.executable, "-c", PRELUDE + textwrap.dedent(program)]
        process = subprocess.Popen(command, start_new_session=True, **where)
        try:
            if action is not None:
                while not (folder / "begun").exists():
                    assert process.poll() is None, (folder / "err").read_text()
                    assert time.monotonic() - began < within, "no worker has begun"
                    time.sleep(0.01)
                time.sleep(0.3)
                action(process.pid)
            try:
                process.wait(timeout=max(within - (time.monotonic() - began), 1.0))
            except subprocess.TimeoutExpired:
                pytest.fail(f"It has not ended in {within:g} seconds.")
            seconds = time.monotonic() - began
            deadline = time.monotonic() + GONE_SECONDS
            while (left := processes_of(process.pid)) and time.monotonic() < deadline:
                time.sleep(0.05)
            left = {number: command_of(number) for number in left}
        finally:
            for number in [process.pid, *processes_of(process.pid)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            process.wait(timeout=10)
    assert not left, f"processes are left: {left}"
    word, _, text = (folder / "out").read_text().strip().partition(" ")
    assert word, (folder / "err").read_text()
    print(f"{word} after {seconds:.1f} s: {text[:200] if word != 'bits' else len(text)}")
    return Ended(word, text, seconds)
