"""Where Numba keeps machine code while chancecorr is developed: a folder for each state of the kernels.

Numba takes a compiled function from its cache as long as the file that defines the function is unchanged. It
does not look at the files of the functions called there, whose code is part of the machine code too. So a
change to one kernel would go unnoticed in all kernels that call it. Here the name of the folder is a hash of
all files with kernels: when one of them changes, everything is compiled anew. When any other file changes,
such as one that only registers an index, Numba's own rule applies, and that file alone is compiled anew.

Set the environment variable NUMBA_CACHE_DIR to `compile_cache_folder(root)` before Numba is imported.
"""

import hashlib
import os
import re
import shutil
from pathlib import Path

WITH_KERNELS = re.compile(r"@(inlined_)?kernel\b|\bshared_with_kernels\b|\bnjit\b")
"""Found in a file that defines functions which Numba compiles into their callers, in `compiled.py` and in
`machine_code.py`."""

KEPT_FOLDERS = 3
"""How many folders stay: switching between two branches does not compile everything again."""


def kernel_files(package: Path) -> list[Path]:
    """Files of the package whose code may become part of functions compiled in other files, sorted."""
    files = sorted(package.rglob("*.py"))
    return [
        path
        for path in files
        if path.parent.name == "kernels" or WITH_KERNELS.search(path.read_text(encoding="utf-8"))
    ]


def compile_key(package: Path) -> str:
    """Hash of the names and contents of `kernel_files`, 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in kernel_files(package):
        digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def compile_cache_folder(root: Path) -> Path:
    """Folder for the kernels as they are now, made if it is new; the longest unused ones are removed.

    Parameters
    ----------
    root : Path
        The repository: it holds the package in ``chancecorr`` and gets the folders in ``.cache``.

    Returns
    -------
    Path
        ``root/.cache/numba-<compile_key>``.
    """
    folder = root / ".cache" / f"numba-{compile_key(root / 'chancecorr')}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    last_used = {other: other.stat().st_mtime for other in folder.parent.glob("numba-*") if other != folder}
    for other in sorted(last_used, key=last_used.__getitem__, reverse=True)[KEPT_FOLDERS - 1 :]:
        shutil.rmtree(other, ignore_errors=True)
    return folder
