"""A process forked while another thread holds a lock of the package: the child answers, bits as before."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork"),
]

SECONDS = 60.0
"""Within which a child must end; it takes 1 where the machine has nothing else to do."""

PROGRAM = f"""
import faulthandler, os, signal, threading, time
import chancecorr as cc

MARGINS = cc.Margins([12, 13, 14], [12, 13, 14])

def work():
    cc.register_index("mine", lambda a, b, c, d: a, needs="pairs")
    cc.unregister_index("mine")
    law = cc.null_distribution(MARGINS, "jaccard", method="exact")
    drawn = cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", n_tables=500, rng=1)
    return law.mean.hex() + drawn.mean.hex()

def forked(expected=None):
    child = os.fork()
    if not child:
        try:
            found = work()
            os._exit(0 if expected in (None, found) else 3)
        except BaseException:
            os._exit(4)
    deadline = time.monotonic() + {SECONDS}
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hang"
"""


def printed(program):
    command = [sys.executable, "-c", PROGRAM + textwrap.dedent(program)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=3 * SECONDS, check=False)
    assert found.stderr == ""
    return found.stdout.split()


def test_while_another_thread_holds_a_lock():
    """For as long as the child lives."""
    found = printed(
        """
        expected = work()

        from chancecorr.exact.laws.shared import place_of_law
        from chancecorr.machine.locks import Lock
        from chancecorr.indices import registry

        def hold(lock, held, over):
            with lock:
                held.set()
                over.wait()

        own = [Lock(), registry._lock, place_of_law(MARGINS).lock]
        for lock in own:
            held, over = threading.Event(), threading.Event()
            thread = threading.Thread(target=hold, args=(lock, held, over), daemon=True)
            thread.start()
            held.wait()
            print(forked(expected), flush=True)
            over.set()
            thread.join()
        print(work() == expected)
        """
    )
    assert found == ["0"] * 3 + ["True"]
