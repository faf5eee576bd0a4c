"""Processes that tests start: how they tell what they do, and how a test waits for it."""

import contextlib
import signal
import threading
import time

import pytest


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


class TookTooLongError(BaseException):
    """Raised in the middle of work that takes too much of the processor; nothing that it is in catches it."""


@contextlib.contextmanager
def limit_processor_time(seconds):
    """Context that fails the test if it takes more seconds of processor than these."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no timer of processor time")

    def stop(*_):
        raise TookTooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except TookTooLongError:
        pytest.fail(f"took more than {seconds} s of processor time")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
