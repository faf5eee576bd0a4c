"""The kernels as plain Python: every index is checked against its bounds, and overflow cannot hide."""

import os
import subprocess
import sys
from pathlib import Path

WITH_KERNELS = (
    "tests/null",
    "tests/exact/moments/test_additive.py",
    "tests/indices/test_assignment.py",
    "tests/indices/test_cluster_level.py",
    "tests/indices/test_irm.py",
)


def test_kernels_pass_their_tests_uncompiled():
    root = Path(__file__).resolve().parents[1]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *WITH_KERNELS],
        cwd=root,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout
