"""An index, a model and a method that are new: all that goes over a list of them goes on."""

import json
import subprocess
import sys

import pytest

from tests.contracts.new_entries import CALLS


@pytest.fixture(scope="module")
def failed():
    """Tracebacks of a process that has the three, by the name of the call."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.contracts.new_entries"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.rpartition("FAILED ")[2])


@pytest.mark.parametrize("name", [call.__name__ for call in CALLS])
def test_what_goes_over_a_list_goes_on(failed, name):
    assert name not in failed, failed[name]
