"""A digest of what a user's function does, by which a checkpoint knows the function again."""

import functools
import hashlib
from types import CodeType, FunctionType, MethodType
from typing import Any

INSTALLED = {"chancecorr", "numpy", "scipy", "numba", "math", "sklearn"}
"""Packages whose functions are identified by name and version of the package."""


def digest_of(function: Any) -> str:
    """Digest of a function's code, in this Python's bytecode, and of what it reads from elsewhere."""
    return hashlib.sha256(repr(_described(function, [])).encode()).hexdigest()


def _described(value: Any, seen: list[Any]) -> Any:
    """A value as nested tuples of text; a function that was `seen` before as its name."""
    value = getattr(value, "py_func", value)  # of a function that Numba has compiled

    def each_of(*values: Any) -> list[Any]:
        return [_described(each, seen) for each in values]

    if isinstance(value, functools.partial):
        value = value.func, value.args, tuple(sorted(value.keywords.items()))
    if isinstance(value, MethodType):
        value = value.__func__, value.__self__
    if isinstance(value, tuple):
        return each_of(*value)
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_varnames, each_of(*value.co_consts)
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
    if hasattr(value, "__name__"):  # a module, a class, or a function that is not of Python
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    call = vars(type(value)).get("__call__")
    return type(value).__name__, _content(value), call and _described(call, seen)


def _names_in(code: CodeType) -> set[str]:
    """Names that code looks up, including those of nested functions."""
    inner = (_names_in(each) for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*inner)


def _content(value: Any) -> str | None:
    """Hash of an object's content, the same in all processes; None if it cannot be pickled."""
    import joblib

    try:
        return str(joblib.hash(value))
    except Exception:  # of any class's own pickling
        return None
