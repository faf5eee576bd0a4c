"""Commands whose standard streams are closed, full, or left by their reader: no traceback, and a code."""

import os
import subprocess
import sys

import pytest

from tests.shares import small_and_full

COMMAND = f"{sys.executable} -m chancecorr"


def ended(command):
    """Exit code and what was written to stderr, of a line for the shell."""
    found = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    return found.returncode, found.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        pytest.param("indices jaccard >&-", 0, "", marks=pytest.mark.long),
        ("indices --csv >&- 2>&- <&-", 0, ""),
        ("adjust-table - --no-header --method monte-carlo --jobs 2 2>&- <<E\n4,1\n1,9\nE", 0, ""),
        ("adjust a b --data - <&-", 2, "`-` must begin with a line of column names"),
        ("indices zzzq >&-", 1, "No index matches 'zzzq'"),
        pytest.param("indices zzzq 2>&-", 1, "", marks=pytest.mark.long),
    ],
)
def test_closed(line, code, said):
    found, err = ended(f"{COMMAND} {line}")
    assert found == code
    assert err.count("\n") == (1 if said else 0)
    assert said in err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("line", small_and_full("indices zzzq", "indices --csv"))
def test_a_reader_of_both_that_has_left(line):
    code, err = ended(f"( {COMMAND} {line} 2>&1; echo $? >&3 ) 3>&2 | true")
    assert (code, err) == (0, "1\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
def test_a_full_disk_behind_the_output_is_named():
    code, err = ended(f"{COMMAND} indices --csv > /dev/full")
    assert (code, err) == (1, "Standard output cannot be written: No space left on device.\n")
