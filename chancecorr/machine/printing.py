"""Numbers as text: for people with their significant digits, for programs as JSON."""

import contextlib
import csv
import errno
import io
import math
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

DIGITS = 5  # significant digits of a number without a standard error; with a standard error at most one more
# Unicode categories: control, format, surrogates, ends of lines
HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
JOINERS = "\u200c\u200d"  # hidden characters that belong to words
FORMULA = re.compile("[\\s\\u200c\\u200d]*[-=+@＝＋－＠]")
"""First characters of cells that a spreadsheet computes, also after spaces (OWASP, CSV Injection)."""

MOST_LINKS = 40  # longest chain of links, as in Linux
SMALLEST_NORMAL = 2.3e-308  # smaller floats lose digits


def format_rounded(number: float, standard_error: float = 0.0, *, undefined: str = "–") -> str:
    """Format a number to two significant digits of its standard error, or to five digits without one."""
    if math.isnan(number):
        return undefined
    if number == 0.0 or math.isinf(number):
        return f"{number + 0.0:g}"
    first = _find_place(number)
    last = first - DIGITS + 1
    if 0.0 < standard_error < math.inf:
        last = max(_find_place(standard_error, 2) - 1, last - 1)
    if last < -7 and first < last:  # far below its standard error
        return "0" if abs(number) < 0.5 * 10.0**last else f"{math.copysign(10.0**last, number):.0e}"
    if last < -7 or first > 6:  # too many zeros or digits to read
        return f"{number:.{max(first - last, 0)}e}"
    text = f"{number:.{max(-last, 0)}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def format_interval(low: float, high: float, standard_error: float) -> str:
    """Format the limits of an interval to two digits of the standard error; a dash for nan."""
    if math.isnan(low):
        return "–"
    return " to ".join(format_rounded(limit, standard_error) for limit in (low, high))


def format_fixed(number: float, digits: int) -> str:
    """Format a number with `digits` digits after the point; a dash for nan, no sign for a rounded 0."""
    if math.isnan(number):
        return "–"
    text = f"{number:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def format_p_value(p_value: float, p_is_bound: bool = False, log_p_value: float = math.nan) -> str:
    """Format a p-value to two digits, with "≤" for a bound; from its logarithm if it underflows."""
    if math.isnan(p_value):
        return "–"
    if p_value < SMALLEST_NORMAL and math.isfinite(log_p_value):
        exponent, share = divmod(log_p_value / math.log(10.0), 1.0)
        mantissa = f"{10.0**share:.1f}"
        power = f"1.0e{exponent + 1:.0f}" if mantissa == "10.0" else f"{mantissa}e{exponent:.0f}"
        return ("≤" if p_is_bound else "") + power
    if p_value == 0.0:  # use the smallest float above 0
        return "<5e-324"
    text = f"{p_value:.2g}"
    if not p_is_bound:
        return text
    if float(text) < p_value:  # a bound is rounded up
        text = f"{p_value + 0.5 * 10.0 ** (_find_place(p_value) - 1):.2g}"
    return f"≤{text}"


def write_p_value(p_value: float, p_is_bound: bool = False) -> str:
    """Format a p-value for a text in APA style: three decimals without a zero before the point."""
    if math.isnan(p_value):
        return "p not known"
    if p_value < 0.001:
        return "p < .001"
    text = f"{p_value:.3f}"
    if p_is_bound and float(text) < p_value:  # a bound is rounded up
        text = f"{p_value + 0.0005:.3f}"
    if float(text) == 1.0:
        return "p ≤ 1" if p_is_bound else "p > .999"
    return f"p {'≤' if p_is_bound else '='} {text.removeprefix('0')}"


def format_bytes(count: float) -> str:
    """Format a number of bytes with a unit, to two digits."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return _format_two_digits(count / size, unit)
    return f"{count:.0f} bytes"


def format_seconds(seconds: float) -> str:
    """Format a time with a suitable unit, to two digits."""
    for unit, size in (("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2.0 * size:
            return _format_two_digits(seconds / size, unit)
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def _format_two_digits(number: float, unit: str) -> str:
    """Format a number of at least 1 with its unit."""
    return f"{number:.1f} {unit}" if number < 9.95 else f"{number:,.0f} {unit}"


def format_count(count: int, noun: str) -> str:
    """Format a count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def escape_hidden(text: str) -> str:
    """Escape characters that a terminal obeys or hides; joiners of words and of emoji are kept."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repr(character)[1:-1]
        if unicodedata.category(character) in HIDDEN_CATEGORIES and character not in JOINERS
        else character
        for character in text
    )


@contextlib.contextmanager
def open_replacement(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` when it is completely written; write to a pipe directly.

    The mode of the replaced file is kept. An error of the disk names the file. A link is followed if
    `resolve_link` follows it.
    """
    target = resolve_link(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            yield file
        return
    beside = f"{target}.{os.urandom(4).hex()}"
    try:
        with open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(beside, target)
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


PLANTED = "it is a link that another user made in a folder that others may write to"


def resolve_link(path: str | os.PathLike[str]) -> str:
    """Return the file to which links lead; raise for a link that another user may have planted.

    In a folder to which other users may write, a link is followed only if it belongs to this user or to the
    owner of the folder, which is Linux's rule for folders such as ``/tmp``.
    """
    target = os.fspath(path)
    for _ in range(MOST_LINKS):
        if not os.path.islink(target):
            break
        folder = os.path.dirname(target) or os.curdir
        link, around = os.lstat(target), os.stat(folder)
        is_shared = around.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
        if hasattr(os, "getuid") and is_shared and link.st_uid not in (os.getuid(), around.st_uid):
            raise PermissionError(errno.EPERM, PLANTED, os.fspath(path))
        target = os.path.join(folder, os.readlink(target))
    else:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    return os.path.abspath(target)


def is_watched() -> bool:
    """Return True if stderr is a terminal or notebook; False with CHANCECORR_QUIET=1."""
    stream = sys.stderr
    if stream is None or os.environ.get("CHANCECORR_QUIET"):
        return False
    try:
        return stream.isatty() or ("ipykernel" in sys.modules and not stream.closed)
    except (AttributeError, ValueError):  # a stand-in that has only `write`, or a closed file
        return False


def write_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Write rows as CSV without cells that a spreadsheet computes and without control characters."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    for row in rows:
        cells = [escape_hidden(cell) if isinstance(cell, str) else cell for cell in row]
        writer.writerow(f"'{x}" if isinstance(x, str) and FORMULA.match(x) else x for x in cells)
    return lines.getvalue()


def convert_for_json(value: Any) -> Any:
    """Convert a value for JSON: null for nan, ``"Infinity"`` or ``"-Infinity"`` for an infinite number."""
    if isinstance(value, dict):
        return {str(key): convert_for_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [convert_for_json(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"


def _find_place(number: float, digits: int = DIGITS) -> int:
    """Return the power of ten of a number's first digit after rounding to `digits` digits."""
    return int(f"{number:.{digits - 1}e}".partition("e")[2])
