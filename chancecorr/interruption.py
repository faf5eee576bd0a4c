"""Ctrl-C on the command line: one line and exit code 130, soon, whatever is running.

The package is imported before any code of a command can catch an interrupt, and Python notices none while
it runs compiled code. So there are two parts. While the package is imported, an interrupt ends the process.
While a command runs, an interrupt raises KeyboardInterrupt as always; a thread ends the process where that
takes too long.
"""

import contextlib
import itertools
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

EXIT_CODE = 130
"""Of a process that was interrupted, as shells have it."""

PATIENCE = 1.0
"""Seconds after which a command that does not end of its own accord is ended."""


def is_command_line() -> bool:
    """Whether this process was started as ``python -m chancecorr``, or by the script ``chancecorr``."""
    if sys.argv[:1] == ["-m"]:  # what runs modules is still looking for it, and imports the package for that
        pairs = itertools.pairwise(sys.orig_argv)
        return any(name == "chancecorr" and option[:1] + option[-1:] == "-m" for option, name in pairs)
    script = os.path.basename(sys.argv[0]) if sys.argv else ""
    return script.partition(".")[0].removesuffix("-script") == "chancecorr"  # in all forms that Windows has


def end_at_interrupt() -> None:
    """Until a command runs, end the process at Ctrl-C."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, _end)


@contextlib.contextmanager
def raising_at_interrupt() -> Iterator[list[int]]:
    """Raise KeyboardInterrupt at Ctrl-C; end the process if the context is not left in `PATIENCE` seconds.

    Compiled code leaves other threads free to run; the signal itself wakes one of them. Where the interrupt
    is raised in what cannot pass it on, as in functions that Numba's compiler calls back, it ends at once.
    Yields a list that holds something once there was an interrupt: code on the way may catch it, and raise
    another error in its place.
    """
    heard: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield heard
        return
    import socket

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    handler = signal.getsignal(signal.SIGINT)
    if handler is _end:
        handler = signal.default_int_handler
    if handler is signal.default_int_handler:  # else it is ignored, or whoever calls has one
        signal.signal(signal.SIGINT, hear)
    left = threading.Event()
    reading, writing = socket.socketpair()
    writing.setblocking(False)

    def watch() -> None:
        while byte := reading.recv(1):
            if byte[0] == signal.SIGINT and not left.wait(PATIENCE):
                _end()

    def end_if_lost(about: Any) -> None:
        if about.exc_type is KeyboardInterrupt:
            _end()
        hook(about)

    watcher = threading.Thread(target=watch, daemon=True)
    with reading, writing:
        before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        hook, sys.unraisablehook = sys.unraisablehook, end_if_lost
        try:
            watcher.start()
            yield heard
        finally:
            if handler is signal.default_int_handler:
                signal.signal(signal.SIGINT, handler)
            left.set()
            sys.unraisablehook = hook
            signal.set_wakeup_fd(before)
            writing.close()
            watcher.join()


def end() -> None:
    """End the process now, without what Python does at its end: that takes seconds beside busy threads."""
    os._exit(EXIT_CODE)


def _end(*_: int | FrameType | None) -> None:
    """Say so and end the process."""
    os.write(2, b"Interrupted.\n")
    end()
