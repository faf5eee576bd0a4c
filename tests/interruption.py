"""Programs that are interrupted: what they run, and how they end."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time

from tests.processes import wait_for_line

SECONDS = 60.0
"""Within which an interrupted process must end where the machine has much else to do; else it takes 2."""

HEARS_INTERRUPTS = """
import signal
# An interrupt is ignored by what a shell has started in the background; this undoes it.
signal.signal(signal.SIGINT, signal.default_int_handler)
"""


def telling(module, name, call=1):
    """Lines of a program that print ``begun`` at the first call of a function of a module, or a later one."""
    return f"""
import importlib
import itertools
module = importlib.import_module({module!r})
original, calls = getattr(module, {name!r}), itertools.count(1)

def told(*arguments, **named):
    if next(calls) == {call}:
        print("begun", flush=True)
    return original(*arguments, **named)

module.{name} = told
"""


def interrupted(program, after=0.3, arguments=()):
    """How a program ends that is interrupted a while after it prints ``begun``; see `interrupted_process`."""
    code = HEARS_INTERRUPTS + textwrap.dedent(program)
    return interrupted_process([sys.executable, "-c", code, *arguments], after)


def interrupted_process(command, after=0.3, **surroundings):
    """Exit code, output after ``begun``, errors, and the seconds that it took to end.

    The pipes close when no process is left that has them: those that it has started are gone, too.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **pipes, **surroundings) as process:
        try:
            wait_for_line(process, "begun")
            time.sleep(after)
            assert process.poll() is None, "the program has ended before it was interrupted"
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, out, err, time.monotonic() - began
