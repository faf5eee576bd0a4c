"""Which files of the package hold kernels, and a hash of them: machine code is as old as what went into it.

Numba takes a compiled function from its cache as long as the file that defines the function is unchanged. It
does not look at the files of the functions called there, whose code is part of the machine code too. So what
is kept carries this hash as well (`chancecorr.kept_code`).
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

IN_FILES_WITH_KERNELS = (b"@kernel", b"@inlined_kernel", b"shared_with_kernels", b"njit")
"""Found in a file that defines functions which Numba compiles into their callers, in `compiled.py` and in
`machine_code.py`. Plain words: a regular expression would take three times as long as reading the files."""


def kernel_files(package: Path) -> list[Path]:
    """Files of the package whose code may become part of functions compiled in other files, sorted."""
    return sorted(path for path, _ in _found(package))


def hash_of_kernels(package: Path) -> str:
    """Hash of the names and contents of `kernel_files`, 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path, content in sorted(_found(package)):
        digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]


def _found(package: Path) -> Iterator[tuple[Path, bytes]]:
    """Each of `kernel_files` and its content, in no order. Nothing, where the package is in an archive."""
    for folder, _, names in os.walk(package):
        in_kernels = os.path.basename(folder) == "kernels"
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    content = file.read()
                if in_kernels or any(word in content for word in IN_FILES_WITH_KERNELS):
                    yield Path(path), content
