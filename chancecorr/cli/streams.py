"""Standard streams, where a process has none: ``>&-`` in a shell, or a program without a console."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Null streams in the place of those that are missing: nothing to read, and nobody who reads.

    Without them the next file that is opened gets the number of the missing stream, and with it what this
    process, or one that it starts, writes there.
    """
    with contextlib.ExitStack() as opened:
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                number = os.open(os.devnull, os.O_RDWR)  # the lowest that is free
                os.set_inheritable(number, number <= 2)
                stream = opened.enter_context(open(number, mode, encoding="utf-8"))
                opened.callback(setattr, sys, name, None)
                setattr(sys, name, stream)
        yield


def discard(stream: TextIO) -> None:
    """Let what a stream still holds, and what is written later, go nowhere: its reader has left."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
