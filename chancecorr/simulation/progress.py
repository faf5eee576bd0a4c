"""The progress bar of long work, on stderr: the only file that knows Rich's bar."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from chancecorr.printing import is_terminal

PROGRESS_AFTER_SECONDS = 1.0


@contextlib.contextmanager
def progress_over(unit: str, total: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """A function that shows how many of the total are done, by a bar on stderr until the context ends.

    The bar appears where `progress` is True, and where it is None and stderr is a terminal when the work is
    long. It stays if it was asked for.
    """
    shown = _is_open(sys.stderr) and (bool(progress) or (progress is None and is_terminal(sys.stderr)))
    began = time.monotonic()
    bar: Any = None

    def show(done: int) -> None:
        nonlocal bar
        if shown and bar is None and (progress or time.monotonic() - began > PROGRESS_AFTER_SECONDS):
            bar = _progress_bar(unit, total, shown=shown, keep=bool(progress))
        if bar is not None:
            bar.update(0, completed=done)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _is_open(stream: TextIO | None) -> bool:
    return stream is not None and not getattr(stream, "closed", False)


def _progress_bar(unit: str, total: int, *, shown: bool, keep: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn(unit),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=not keep,
        disable=not shown,
    )
    bar.add_task(unit, total=total)
    bar.start()
    return bar
