"""Numbers written out: for people with the digits that mean something, for programs as JSON can hold them."""

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

DIGITS = 5  # significant digits of a number without a standard error, and one more at most of one that has it
HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")  # of Unicode: control, format, surrogates, ends of lines
JOINERS = "\u200c\u200d"  # the characters of these that belong to words
FORMULA = re.compile("[\\s\\u200c\\u200d]*[-=+@＝＋－＠]")
"""How a cell starts that a spreadsheet computes, also behind spaces (OWASP, CSV Injection)."""

MOST_LINKS = 40  # that lead to each other, as in Linux
SMALLEST_NORMAL = 2.3e-308  # below, floats lose digits, and soon are 0


def format_rounded(number: float, standard_error: float = 0.0, *, undefined: str = "–") -> str:
    """Number as text, to two significant digits of its standard error, or to five of its own without one."""
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
    if last < -7 or first > 6:  # too many zeros, or figures, to read
        return f"{number:.{max(first - last, 0)}e}"
    text = f"{number:.{max(-last, 0)}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def format_fixed(number: float, digits: int) -> str:
    """Number with so many digits after the point, a dash for nan, and no sign on a rounded 0."""
    if math.isnan(number):
        return "–"
    text = f"{number:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def format_p_value(p_value: float, p_is_bound: bool = False, log_p_value: float = math.nan) -> str:
    """A p-value to two digits, with a sign if it is a bound; by its logarithm below the floats."""
    if math.isnan(p_value):
        return "–"
    if p_value < SMALLEST_NORMAL and math.isfinite(log_p_value):
        exponent, share = divmod(log_p_value / math.log(10.0), 1.0)
        mantissa = f"{10.0**share:.1f}"
        power = f"1.0e{exponent + 1:.0f}" if mantissa == "10.0" else f"{mantissa}e{exponent:.0f}"
        return ("≤" if p_is_bound else "") + power
    if p_value == 0.0:  # the smallest number above 0 that a float can be
        return "<5e-324"
    text = f"{p_value:.2g}"
    if not p_is_bound:
        return text
    if float(text) < p_value:  # a bound is rounded up
        text = f"{p_value + 0.5 * 10.0 ** (_find_place(p_value) - 1):.2g}"
    return f"≤{text}"


def write_p_value(p_value: float, p_is_bound: bool = False) -> str:
    """A p-value in a text, as the APA wants it: to three decimals, without a zero before the point."""
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
    """Number of bytes with a unit, to two digits."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return _format_two_digits(count / size, unit)
    return f"{count:.0f} bytes"


def format_seconds(seconds: float) -> str:
    """Time with the unit that people would take, to two digits."""
    for unit, size in (("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2.0 * size:
            return _format_two_digits(seconds / size, unit)
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def _format_two_digits(number: float, unit: str) -> str:
    """A number of at least 1 with its unit."""
    return f"{number:.1f} {unit}" if number < 9.95 else f"{number:,.0f} {unit}"


def format_count(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def escape_hidden(text: str) -> str:
    """Text with the characters escaped that a terminal obeys or hides; joiners of words and emoji stay."""
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
    """A file that takes the place of another when it is whole; a pipe is written to at once.

    The other's mode stays. An error of the disk names the file. A link is followed if `resolve_link` does.
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
    """Return the file that links lead to; an error of a link that another user has planted.

    In a folder that others may write to, a link is followed if it belongs to this user or to the owner of the
    folder: the rule that Linux has for folders such as ``/tmp``.
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
    """Whether stderr is read as it is written, in a terminal or a notebook; not with CHANCECORR_QUIET=1."""
    stream = sys.stderr
    if stream is None or os.environ.get("CHANCECORR_QUIET"):
        return False
    try:
        return stream.isatty() or ("ipykernel" in sys.modules and not stream.closed)
    except (AttributeError, ValueError):  # a stand-in with `write` alone; a closed file
        return False


def write_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV, in which no cell is a formula for a spreadsheet and no text steers a terminal."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    for row in rows:
        cells = [escape_hidden(cell) if isinstance(cell, str) else cell for cell in row]
        writer.writerow(f"'{x}" if isinstance(x, str) and FORMULA.match(x) else x for x in cells)
    return lines.getvalue()


def convert_for_json(value: Any) -> Any:
    """The value as JSON can hold it: null for nan, and ``"Infinity"`` or ``"-Infinity"`` for an infinity."""
    if isinstance(value, dict):
        return {str(key): convert_for_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [convert_for_json(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"


def _find_place(number: float, digits: int = DIGITS) -> int:
    """Power of ten of the first digit, after rounding to so many."""
    return int(f"{number:.{digits - 1}e}".partition("e")[2])
