"""A digest of what a user's function does: by it a checkpoint and a worker know the function again."""

import functools
import hashlib
import sys
from collections.abc import Iterable
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index

INSTALLED = {"chancecorr", "numpy", "scipy", "numba", "math", "sklearn"}
"""Packages whose functions are known by their names and the version of the package."""

PLAIN = (bool, int, float, complex, str, bytes, type(None))
"""Types of values that are their text."""

Digests = tuple[tuple[str, str, str], ...]
"""Module, name and digest of functions."""


def digest_of(function: Any, *, code_only: bool = False) -> str:
    """Digest of a function's code and of the values and functions that it reads from elsewhere.

    With `code_only`, arrays and other objects are known by their types: a cache may differ between processes.
    Other versions of Python have another bytecode, and so other digests.
    """
    return hashlib.sha256(repr(_described(function, code_only, [])).encode()).hexdigest()


def digests_by_name(indices: Iterable[Index]) -> Digests:
    """Digests of users' functions that are pickled by name: a worker may have another version."""
    digests = []
    for index in indices:
        for function in (index.function, index.link, index.from_cells):
            module, name = getattr(function, "__module__", "__main__"), getattr(function, "__qualname__", "")
            is_by_name = module != "__main__" and _found(module, name) is function
            if index.family == "user" and is_by_name:
                digests.append((module, name, digest_of(function, code_only=True)))
    return tuple(digests)


def check_digests(digests: Digests) -> None:
    """Raise where this process has imported another version of a function."""
    for module, name, digest in digests:
        __import__(module)
        if digest_of(_found(module, name), code_only=True) != digest:
            raise IndexEvaluationError(
                f"A worker has another version of the function {name!r} of the module {module!r} than the"
                " process that asked. Start the workers anew."
            )


def _found(module: str, name: str) -> Any:
    """The object with this name, or None."""
    try:
        return functools.reduce(getattr, name.split("."), sys.modules[module])
    except (KeyError, AttributeError):
        return None


def _described(value: Any, code_only: bool, seen: list[Any]) -> Any:
    """A value as nested tuples of text; a function that was `seen` before as its name."""
    value = getattr(value, "py_func", value)  # of a function that Numba has compiled

    def each_of(*values: Any) -> list[Any]:
        return [_described(each, code_only, seen) for each in values]

    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, tuple):
        return each_of(*value)
    if isinstance(value, frozenset):  # whose order differs between processes
        return sorted(map(repr, each_of(*value)))
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_varnames, each_of(*value.co_consts)
    if isinstance(value, functools.partial):
        return each_of(value.func, value.args, tuple(sorted(value.keywords.items())))
    if isinstance(value, MethodType):
        return each_of(value.__func__, value.__self__)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, FunctionType):
        name = f"{value.__module__}.{value.__qualname__}"
        if any(each is value for each in seen):
            return name
        seen.append(value)
        code, closure = value.__code__, [cell.cell_contents for cell in value.__closure__ or ()]
        if name.partition(".")[0] in INSTALLED:
            return name, each_of(*closure)
        names = sorted(_names_in(code) & value.__globals__.keys())
        defaults = value.__defaults__, tuple((value.__kwdefaults__ or {}).items())
        return names, each_of(code, *defaults, *closure, *(value.__globals__[name] for name in names))
    kind = value if hasattr(value, "__name__") else type(value)
    name = f"{getattr(kind, '__module__', '')}.{kind.__name__}"
    return name if kind is value or code_only else (name, _content(value), each_of(*_call_of(kind)))


def _names_in(code: CodeType) -> set[str]:
    """Names that code looks up, functions inside it included."""
    inner = (_names_in(each) for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*inner)


def _call_of(kind: type) -> list[Any]:
    """The method by which objects of a class of Python's are called."""
    call = vars(kind).get("__call__")
    return [call] if isinstance(call, FunctionType) else []


def _content(value: Any) -> str | None:
    """Hash of an object's content; None if it cannot be pickled."""
    import joblib

    try:
        return str(joblib.hash(value))
    except Exception:  # of any class's own pickling
        return None
