"""Processes that tests start: how they tell what they do, and how a test waits for it."""

import threading
import time

TELLS_OF_THE_FIRST_BLOCK = """
import signal
from chancecorr.simulation import workers

# An interrupt is ignored by what a shell has started in the background; this undoes it.
signal.signal(signal.SIGINT, signal.default_int_handler)
evaluate_block, news = workers.evaluate_block, iter(["counting"])

def telling(*block):
    result = evaluate_block(*block)
    for word in news:  # once, whichever thread comes first
        print(word, flush=True)
    return result

workers.evaluate_block = telling
"""
"""First lines of a program that prints ``counting`` when the first block of tables is counted."""


def wait_for_line(process, line, timeout=120.0):
    """Wait until the process prints this line; after so many seconds it is killed, and the test fails."""
    watchdog = threading.Timer(timeout, process.kill)
    watchdog.start()
    try:
        assert process.stdout.readline() == f"{line}\n"
    finally:
        watchdog.cancel()


def wait_until(condition, process, timeout=120.0):
    """Wait until `condition()` holds; if the process ends before that, or time runs out, the test fails."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert process.poll() is None, "the process has ended before what it was to do"
        assert time.monotonic() < deadline, f"nothing has happened in {timeout} seconds"
        time.sleep(0.002)  # let others work between two looks
