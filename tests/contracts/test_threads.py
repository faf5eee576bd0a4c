"""Calls from several threads, from event loops, and from threads other than the main one."""

import asyncio
import functools
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import chancecorr as cc
from tests.shares import one_in

RNG = np.random.default_rng(5)
X, Y = RNG.integers(0, 4, 60), RNG.integers(0, 3, 60)


def answer(x=X, y=Y, **options):
    scores = cc.adjust(x, y, index=["jaccard", "mutual_information", "rand"], n_tables=300, rng=3, **options)
    return repr(scores.to_dict())


WHILE_IMPORTING = """
import sys, threading, time
import chancecorr as cc
from tests.shares import one_in
importing = threading.Thread(target=__import__, args=(sys.argv[1],))
cc.contingency_table([0, 0, 1, 1], [0, 1, 1, 1])
importing.start()
calls = 0
while importing.is_alive():
    cc.contingency_table([0, 0, 1, 1], [0, 1, 1, 1])
    calls += 1
    time.sleep(0.0001)  # else the import waits for this loop at each file that it reads
print(calls)
"""


@pytest.mark.parametrize("module", one_in(2, ["pandas", "polars", "scipy.sparse", "pyarrow"]))
def test_another_thread_may_be_importing_what_labels_come_in(module):
    """A module that is half imported has no `Series` yet: nearly all of these calls failed."""
    pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-c", WHILE_IMPORTING, module], capture_output=True, text=True)
    assert done.stderr == ""
    assert int(done.stdout) > 3


@pytest.fixture
def busy_switching():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.slow
def test_the_register_is_read_while_others_change_it(busy_switching):
    """For half a second; without one register for each state, this failed within that a dozen times."""
    over, failures = threading.Event(), []

    def change(place):
        while not over.is_set():
            cc.register_index(f"mine_{place}", max, needs="table", aliases=(f"own_{place}",))
            cc.indices.unregister_index(f"own_{place}")

    def read(call):
        while not over.is_set():
            try:
                call()
            except ValueError:  # not registered at this moment
                pass
            except Exception as error:
                failures.append(error)

    named = [functools.partial(cc.get_index, name) for name in ("own 1 score", "mine_0", "jacard")]
    threads = [threading.Thread(target=change, args=(place,)) for place in range(2)]
    threads += [threading.Thread(target=read, args=(call,)) for call in (cc.list_indices, *named)]
    before = cc.list_indices()
    for thread in threads:
        thread.start()
    over.wait(0.5)
    over.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert cc.list_indices() == before


@pytest.mark.slow
def test_eight_threads_with_empty_caches():
    """The first answers of a process, at once, on equal and on other margins, as one thread gives them."""
    program = """
        import sys, threading
        import numpy as np
        import chancecorr as cc

        def answer(place):
            rng = np.random.default_rng(place // 2)
            x, y = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
            asked = {"index": ["jaccard", "mutual_information"], "n_tables": 300, "rng": 3}
            found = [repr(cc.adjust(x, y, method=method, **asked).to_dict())
                     for method in ("auto", "monte-carlo")]
            law = cc.null_distribution(cc.Margins([9, 8, 7], [8, 8, 8]), "rand", method="exact")
            return found + [law.weights.tobytes()]

        sys.setswitchinterval(1e-5)
        found, together = {}, threading.Barrier(8)

        def call(place):
            together.wait()
            found[place] = answer(place)

        threads = [threading.Thread(target=call, args=(place,), daemon=True) for place in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), "a deadlock"
        for function in [f for name, m in list(sys.modules.items()) if name.startswith("chancecorr")
                         for f in vars(m).values() if hasattr(f, "cache_clear")]:
            function.cache_clear()
        print([found[place] == answer(place) for place in range(8)])
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (found.stderr, found.stdout) == ("", f"{[True] * 8}\n")


def test_in_an_event_loop_and_in_a_thread_of_it():
    async def both():
        return answer(), await asyncio.to_thread(answer), await asyncio.to_thread(lambda: answer(n_jobs=2))

    assert asyncio.run(both()) == (answer(),) * 3


FORKED_BESIDE = """
import os, threading, time
import numpy as np
import chancecorr as cc

rng = np.random.default_rng(0)
P, Q = (cc.Membership(rng.dirichlet([1, 1, 1], 200)) for _ in range(2))
A, B = (cc.Cover((rng.random((200, 8)) < 0.2).astype(float)) for _ in range(2))
CALLS = [lambda k: cc.adjust(P, Q, "fuzzy_rand", rng=k, n_tables=1000),
         lambda k: cc.adjust(A, B, "omega", rng=k, n_tables=1000)]
over = threading.Event()

def keep_busy(call):
    k = 0
    while not over.is_set():
        call(k := k + 1)

for call in CALLS:
    call(0)  # compiled before
threads = [threading.Thread(target=keep_busy, args=(call,)) for call in CALLS]
for thread in threads:
    thread.start()
for call in CALLS * 2:
    time.sleep(0.2)
    child = os.fork()
    if child == 0:
        call(1)
        os._exit(0)
    end = time.monotonic() + 30
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            os.kill(child, 9)
            print("a child hangs")
            break
        time.sleep(0.05)
over.set()
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_child_that_is_forked_beside_busy_threads_answers():
    """A lock that a thread holds while it computes is held in the child for ever."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED_BESIDE]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
