"""Workers that are lost, stopped or late: the same bits, or a clear error in the time stated.

Each scenario states in `within` the seconds that the whole program may take; it takes 5 to 20 where the
machine has nothing else to do. No process may be left afterwards. Clocks are not set: that would need a
machine of its own. All waits of the package go by a clock that cannot be set (`time.monotonic`).
"""

import importlib.util
import signal
import sys

import pytest

from tests.chaos.scenario import disturbed, expected_bits, kill_one, stop_for

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra `dask` is not installed"
)
LOKY = """
with joblib.parallel_config(backend="loky"):
    told(answer)
"""

DASK = """
if __name__ == "__main__":
    with cluster_of(2) as (cluster, client):
        told(answer)
"""

DASK_WORKER = "from multiprocessing.spawn"
"""In the command of a worker of a local cluster; the nanny is a thread of the program."""


@pytest.fixture(scope="module")
def bits():
    return expected_bits()


@pytest.fixture
def run(tmp_path):
    def run(program, action=None, *, within=60.0):
        return disturbed(program, tmp_path, action, within=within)

    return run


def test_nothing_happens_to_threads(run, bits):
    assert run("THREADS = True\ntold(answer)")[:2] == ("bits", bits)


@pytest.mark.parametrize("program", [LOKY, pytest.param(DASK, marks=needs_dask)], ids=["loky", "dask"])
class TestWorkers:
    def test_one_is_killed(self, run, bits, program):
        """Dask evaluates again what is lost; a pool of processes is broken, and says so."""
        found = run(program, kill_one(signal.SIGKILL, DASK_WORKER if program is DASK else ""))
        if program is DASK:
            assert found[:2] == ("bits", bits)
        else:
            assert found.word == "IndexEvaluationError"

    def test_one_stands_still_for_a_while(self, run, bits, program):
        found = run(program, stop_for(4.0, DASK_WORKER if program is DASK else ""))
        assert found[:2] == ("bits", bits)


@needs_dask
class TestCluster:
    def test_the_scheduler_is_lost(self, run):
        """A scheduler of its own process, killed: an error in less than a minute."""
        program = """
            import subprocess, distributed
            address = os.path.join(FOLDER, "scheduler.json")

            def started(what, *options):
                code = f"from distributed.cli.dask_{what} import main; main()"
                line = [sys.executable, "-c", code, "--scheduler-file", address, *options]
                return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

            scheduler = started("scheduler", "--port", "0", "--no-dashboard")
            worker = started("worker", "--nworkers", "1", "--nthreads", "1", "--no-dashboard")
            try:
                with distributed.Client(scheduler_file=address, timeout=30) as client:
                    client.wait_for_workers(1, timeout=40)
                    threading.Timer(1.5, scheduler.kill).start()
                    with joblib.parallel_config(backend="dask"):
                        told(lambda: answer(n_tables=10**6))
            finally:
                worker.terminate()
                scheduler.kill()
                worker.wait(20)
            os._exit(0)
        """
        found = run(program, within=120.0)
        assert found.word in ("ConnectionError", "TimeoutError")
        assert "scheduler" in found.text

    @pytest.mark.parametrize(
        ("workers", "change"),
        [(1, "cluster.scale(3)"), (1, "cluster.scale(0); time.sleep(2); cluster.scale(2)")],
        ids=["late", "none for a while"],
    )
    def test_workers_come_and_go(self, run, bits, workers, change):
        program = f"""
            if __name__ == "__main__":
                with cluster_of({workers}) as (cluster, client):
                    def change():
                        time.sleep(1.0)
                        {change}
                    thread = threading.Thread(target=change)
                    thread.start()
                    told(answer)
                    thread.join()
        """
        assert run(program)[:2] == ("bits", bits)


def test_the_scenario_itself_finds_processes_that_are_left(tmp_path, monkeypatch):
    program = """
        import subprocess
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print("bits 0")
        os._exit(0)
    """
    monkeypatch.setattr("tests.chaos.scenario.GONE_SECONDS", 0.5)
    with pytest.raises(AssertionError, match="processes are left"):
        disturbed(program, tmp_path, within=30.0)
