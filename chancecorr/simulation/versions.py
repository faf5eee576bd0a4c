"""Whether workers have the functions as they are in the process that asked.

A function of a module is pickled by its name. A worker that lives on has imported the module before: where it
was changed and reloaded meanwhile, the worker would go on with the old function and say nothing.
"""

import functools
import hashlib
import importlib.util
import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.simulation.function_hash import PLAIN, names_in

Versions = tuple[tuple[str, str], ...]
"""Module and name of each function, with a hash of what it does."""


def versions_of(indices: tuple[Index, ...]) -> Versions:
    """The users' functions of some indices that go to workers by name, each with a hash of its version."""
    found = {}
    for index in indices:
        for function in (index.function, index.link, index.from_cells):
            plain = getattr(function, "py_func", function)
            if index.family != "user" or not isinstance(plain, FunctionType):
                continue
            if _named(plain.__module__, plain.__qualname__) is function and plain.__module__ != "__main__":
                found[f"{plain.__module__}:{plain.__qualname__}"] = _version(plain)
    return tuple(found.items())


def have_versions(versions: Versions) -> None:
    """Reload the modules of which this process has another version.

    Raises
    ------
    IndexEvaluationError
        Where it still has another one after that.
    """
    for path, version in versions:
        module, _, name = path.partition(":")
        error: Exception | None = None
        try:
            importlib.import_module(module)
            if _is_here(module, name, version):
                continue
            importlib.invalidate_caches()
            importlib.reload(importlib.import_module(module))
        except Exception as failure:
            error = failure
        if not _is_here(module, name, version):
            raise IndexEvaluationError(
                f"A worker has another version of the function {name!r} of the module {module!r} than the"
                " process that asked, and its file is no help. Start the workers anew, with the files as they"
                " are now."
            ) from error


def _is_here(module: str, name: str, version: str) -> bool:
    function = _named(module, name)
    plain = getattr(function, "py_func", function)
    return isinstance(plain, FunctionType) and _version(plain) == version


def _named(module: str, name: str) -> Any:
    try:
        return functools.reduce(getattr, name.split("."), sys.modules[module])
    except (KeyError, AttributeError):
        return None


def _version(function: FunctionType) -> str:
    """A hash of the code of a function and of those of its module that it calls, and of plain constants.

    Less than `function_hash`, which also looks into objects: those of a worker may be others by right, as
    a cache that has been filled. That of another Python, which has other bytecode, is another one.
    """
    said = (importlib.util.MAGIC_NUMBER, _said_of(function, set()))
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _said_of(function: FunctionType, seen: set[Callable[..., Any]]) -> tuple[Any, ...]:
    seen.add(function)
    said: list[Any] = [_said_of_code(function.__code__)]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    said.append([each for each in defaults if isinstance(each, PLAIN)])
    for name in sorted(names_in(function.__code__)):
        value = function.__globals__.get(name)
        plain = getattr(value, "py_func", value)
        if isinstance(value, PLAIN):
            said.append((name, value))
        elif (
            isinstance(plain, FunctionType) and plain.__module__ == function.__module__ and plain not in seen
        ):
            said.append((name, _said_of(plain, seen)))
    return tuple(said)


def _said_of_code(code: CodeType) -> tuple[Any, ...]:
    """What a code object does, wherever in a file it stands."""
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, _said_of_constant(code.co_consts)


def _said_of_constant(constant: Any) -> Any:
    if isinstance(constant, CodeType):
        return _said_of_code(constant)
    if isinstance(constant, tuple):
        return tuple(map(_said_of_constant, constant))
    if isinstance(constant, frozenset):  # whose order differs between processes
        return sorted(map(repr, constant))
    return constant
