"""Finished units on disk: what a unit goes by, and files that are whole or not there.

A kept unit is used again only where everything that made it is the same: its inputs, the source of every
module of `experiments` that its evaluation imports, the data sets if it reads any, and the versions of the
libraries. Who changes the package itself without a new version says ``--fresh``.
"""

import ast
import hashlib
import importlib.util
import json
import os
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "experiments" / "data"
LIBRARIES = ("chancecorr", "numpy", "scipy", "scikit-learn", "numba")
"""Whose versions are part of the key."""

OF_MODULES = {"experiments.zhang_wong_shen_2012.clusterings": ("pymetis", "mtkahypar")}
"""Libraries whose versions are part of the key of what imports these modules; they need not be installed."""


def imported(module: str, package: str = "experiments") -> dict[str, Path]:
    """A module and all modules of the package that it imports, and they in turn: files by name, sorted.

    Read from the source text, so that an import inside a function counts, too.
    """
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or not (name == package or name.startswith(package + ".")):
            continue
        path = _file_of(name)
        if path is None:  # a name inside a module: ``from package.module import name``
            continue
        found[name] = path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return dict(sorted(found.items()))


def _file_of(name: str) -> Path | None:
    """Source file of a module, None if there is no such module."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a part of its name is a module, and no package
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


def fingerprint(evaluate: Callable[..., Any]) -> str:
    """Hash of all that makes a unit, but its inputs: sources, data sets, versions."""
    files = imported(evaluate.__module__)
    parts = [f"{name} {version(name)}" for name in LIBRARIES]
    parts += [f"{name} {_hash(path.read_bytes())}" for name, path in files.items()]
    parts += [
        f"{name} {_version(name)}"
        for module, names in OF_MODULES.items()
        if module in files
        for name in names
    ]
    if "experiments.common.data" in files:
        parts += [f"{path.name} {_hash(path.read_bytes())}" for path in sorted(DATA.rglob("*.csv*"))]
    return _hash("\n".join([f"{evaluate.__module__}.{evaluate.__qualname__}", *parts]).encode())


def _version(name: str) -> str:
    """Of a library that may be absent."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def key_of(about: Any) -> str:
    """Hash of something that JSON can hold, whatever the order of its keys."""
    return _hash(json.dumps(about, sort_keys=True).encode())


def path_of(folder: Path, key: str) -> Path:
    """File of the unit that is kept under a key."""
    return folder / key[:2] / key


def save(folder: Path, key: str, unit: Any) -> Any:
    """Keep a unit under its key, with a checksum; returns it as `load` will."""
    text = json.dumps(unit)
    write_whole(path_of(folder, key), f"{_hash(text.encode())}\n{text}\n")
    return json.loads(text)


def load(folder: Path, key: str) -> Any | None:
    """The unit kept under a key; None if there is none, or if its file is damaged."""
    try:
        checksum, text, _ = path_of(folder, key).read_text(encoding="utf-8").split("\n")
    except (FileNotFoundError, UnicodeDecodeError, ValueError):
        return None
    return json.loads(text) if _hash(text.encode()) == checksum else None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and move it there, so that a killed run leaves none half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(beside, path)


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write a mapping as JSON."""
    write_whole(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The mapping in a file that `write_json` wrote."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
