"""The progress bar of long work, on stderr: the only file that knows Rich's bar."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from chancecorr.printing import is_watched

PROGRESS_AFTER_SECONDS = 1.0


@contextlib.contextmanager
def progress_over(unit: str, total: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """A function that shows on stderr how many are done, if that is wanted, or watched and long."""
    is_open = sys.stderr is not None and not getattr(sys.stderr, "closed", False)
    shown = is_open and (is_watched() if progress is None else progress)
    began = time.monotonic()
    bar: Any = None

    def show(done: int) -> None:
        nonlocal bar
        if shown and bar is None and (progress or time.monotonic() - began > PROGRESS_AFTER_SECONDS):
            bar = _progress_bar(unit, total, keep=bool(progress))
        if bar is not None:
            bar.update(0, completed=done)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _progress_bar(unit: str, total: int, *, keep: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=not keep)
    bar.add_task(unit, total=total)
    bar.start()
    return bar
