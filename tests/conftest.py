"""What every test needs before Numba is imported."""

import os
from pathlib import Path

from experiments.common.compile_cache import compile_cache_folder

if "NUMBA_CACHE_DIR" not in os.environ:  # the parallel workers of one run inherit it
    os.environ["NUMBA_CACHE_DIR"] = str(compile_cache_folder(Path(__file__).resolve().parents[1]))
