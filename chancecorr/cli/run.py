"""Run the command line: find the command, run it, and print an error as one line."""

import contextlib
import errno
import io
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

import chancecorr
from chancecorr.cli.commands import COMMANDS
from chancecorr.cli.options import Parser
from chancecorr.machine.arguments import ArgumentError, check_choice
from chancecorr.machine.printing import escape_hidden
from chancecorr.machine.text_table import TextTable
from chancecorr.sampling.workers import write_progress_lines

EXIT_CODE_OF_AN_INTERRUPT = 130  # exit code after Ctrl-C, as shells have it
ERRORS_OF_A_FULL_DISK = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}  # errors of writing when the disk is full

OTHER_NAMES = {
    "labels_true": "TRUE", "labels_pred": "PRED", "candidates": "CANDIDATES", "clusterings": "CLUSTERINGS",
    "datasets": "--by", "index": "INDEX", "sizes": "SIZES", "others": "OTHERS",
    "sizes_true": "SIZES", "sizes_pred": "OTHERS", "true": "TRUE", "pred": "PRED",
}  # fmt: skip
"""Command-line names of Python arguments in error messages; options replace their names themselves."""

ONE_OF_MANY = re.compile(r"`(?:candidates|clusterings)\['([^`]*)'\]`")
"""One of many clusterings in an error message; the command line shows only its name."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on arguments, by default the arguments of the process; return the exit code.

    With the arguments of the process, a warning is one line on stderr, and an interrupt ends the process.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by a shell, or a program without a console
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a dash that the terminal cannot show must not fail
    names = dict(OTHER_NAMES)
    with warnings.catch_warnings():
        if arguments is None:
            warnings.showwarning = lambda message, *_, **__: _say(f"Warning: {message}")
        try:
            _run_command(list(sys.argv[1:] if arguments is None else arguments), names)
            sys.stdout.flush()
            return 0
        except BrokenPipeError:  # the reader closed the pipe, as `head` does; the last flush must not fail
            _discard(sys.stdout)
            return 1
        except (Exception, KeyboardInterrupt) as error:
            message, code = _put_in_one_line(error, names)
            _say(message)
    if code == EXIT_CODE_OF_AN_INTERRUPT and arguments is None:
        os._exit(code)  # without waiting for threads that still compute
    return code


def _run_command(typed: list[str], names: dict[str, str]) -> None:
    """Run the command named by the first word, and add its options to the names of arguments."""
    first = typed[0] if typed else "--help"
    if first == "help" and len(typed) > 1:
        first, typed = typed[1], [typed[1], "--help"]
    if first in ("-h", "--help", "help"):
        rows = [[name, (one.run.__doc__ or "").partition("\n")[0]] for name, one in COMMANDS.items()]
        board = TextTable(columns=["command", "what it does; each has --help"], rows=rows, left=2)
        print("How much of the agreement between two clusterings is chance, for any index.\n")
        print(board.to_text())
    elif first in ("--version", "version"):
        print(f"chancecorr, version {chancecorr.__version__}")
    else:
        check_choice("chancecorr", first, COMMANDS)
        parser = Parser(first, COMMANDS[first])
        names |= parser.flags
        with contextlib.suppress(SystemExit):  # after the help
            options = parser.read(typed[1:])
            with write_progress_lines():
                COMMANDS[first].run(**options, **({"typed": typed} if first == "report" else {}))


def _put_in_one_line(error: BaseException, names: dict[str, str]) -> tuple[str, int]:
    """Return the message and the exit code of an expected error; raise other errors again."""
    match error:
        case KeyboardInterrupt():
            return "Interrupted.", EXIT_CODE_OF_AN_INTERRUPT
        case MemoryError():
            return "Not enough memory.", 1
        case LookupError() if type(error) is LookupError:  # nothing was found
            return str(error), 1
        case ArgumentError():
            text = error.in_words_of(names, option="{name} {value}")
            text = text.replace("one of None, ", "one of ").replace(", None;", ", 'none';")
            return ONE_OF_MANY.sub(r"`\1`", text), 2
        case OSError() if error.errno in ERRORS_OF_A_FULL_DISK:
            where = f"`{error.filename}`" if error.filename else "Standard output"
            return f"{where} cannot be written: {error.strerror}.", 1
        case OSError() if error.strerror and error.filename:
            return f"`{error.filename}` must be a file that can be read; got: {error.strerror}.", 2
        case OSError() | ValueError() | TypeError() | chancecorr.indices.IndexEvaluationError():
            return str(error), 2
    raise error


def _say(message: str) -> None:
    """Print a line on stderr, with control characters in names of files and columns escaped."""
    try:
        print(escape_hidden(" ".join(message.split())), file=sys.stderr, flush=True)
    except (OSError, ValueError):  # nobody reads it: the exit code says the rest
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Discard the text that a stream still holds, because its reader has closed it."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
