"""A hash of the files of all kernels, which the cache and checkpoints carry.

Numba takes a compiled function from its cache as long as the file of the function is unchanged, though the
machine code contains the functions that it calls, too, whatever their files.
"""

_modules = {"chancecorr.machine.kept_code", "chancecorr.machine.kernel", "chancecorr.machine.options"}


def goes_into_kernels(module: str) -> None:
    """Register a module that holds kernels, or constants that they read."""
    _modules.add(module)


def modules_of_kernels() -> list[str]:
    """Names of the modules of this package that go into kernels, sorted."""
    return sorted(name for name in _modules if name.partition(".")[0] == "chancecorr")


def hash_of_kernels() -> str:
    """Hash of the names and contents of `modules_of_kernels` on disk, 16 hexadecimal digits."""
    import hashlib
    import pkgutil

    digest = hashlib.sha256()
    for name in modules_of_kernels():
        package, _, module = name.rpartition(".")
        source = pkgutil.get_data(package, f"{module}.py") or b""  # also from a zip archive
        digest.update(f"{name}\0".encode() + hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]
