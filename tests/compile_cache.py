"""Where machine code is kept while chancecorr is developed: a folder for each state of the kernels.

When a kernel changes, the package compiles everything anew (`chancecorr.machine.kernel`) and puts it in
place of what was kept. With a folder for each state, switching between branches does not compile it again.

Set the environment variable NUMBA_CACHE_DIR to `compile_cache_folder(root)` before Numba is imported.
"""

import os
import shutil
from pathlib import Path

from chancecorr.machine.compiling import hash_of_kernels

KEPT_FOLDERS = 3
"""How many folders stay."""


def compile_cache_folder(root: Path) -> Path:
    """Folder for the kernels as they are now, made if it is new; the longest unused ones are removed.

    Returns ``root/.cache/numba-<hash_of_kernels>``.
    """
    folder = root / ".cache" / f"numba-{hash_of_kernels()}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    last_used = {other: other.stat().st_mtime for other in folder.parent.glob("numba-*") if other != folder}
    for other in sorted(last_used, key=last_used.__getitem__, reverse=True)[KEPT_FOLDERS - 1 :]:
        shutil.rmtree(other, ignore_errors=True)
    return folder
