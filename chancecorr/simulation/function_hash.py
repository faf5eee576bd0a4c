"""A hash of what a function does, as far as that can be told: by it a run on disk knows its indices again."""

import functools
import hashlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

PLAIN = (bool, int, float, complex, str, bytes, type(None))
"""Types of values that are told by their text."""


def function_hash(function: Any) -> str:
    """Hash of a function: its code, and what this reads from elsewhere, other functions among it.

    Functions of this package and of other modules that are installed go by their names: versions tell them.
    Objects of which nothing else is known go by their types, so that a change inside them is not seen.

    Examples
    --------
    >>> function_hash(functools.partial(pow, 2)) == function_hash(functools.partial(pow, 2))
    True
    >>> function_hash(functools.partial(pow, 2)) == function_hash(functools.partial(pow, 3))
    False
    """
    digest = hashlib.sha256()
    for part in _parts(function, set()):
        digest.update(f"{len(part)} ".encode() + part)
    return digest.hexdigest()[:32]


def _parts(value: Any, seen: set[int]) -> Iterator[bytes]:
    """What tells a value, in pieces; what was `seen` before is not gone through again."""
    value = getattr(value, "py_func", value)  # what Numba has compiled
    yield type(value).__name__.encode()
    if isinstance(value, PLAIN):
        yield repr(value).encode()
        return
    if isinstance(value, np.ndarray | np.generic) and not np.asarray(value).dtype.hasobject:
        yield f"{np.asarray(value).dtype.str} {np.asarray(value).shape}".encode()
        yield np.asarray(value).tobytes()
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, types.ModuleType | types.BuiltinFunctionType | type | np.ufunc):
        yield f"{getattr(value, '__module__', '')}.{value.__name__}".encode()
    elif isinstance(value, types.FunctionType):
        yield from _parts_of_function(value, seen)
    elif isinstance(value, types.CodeType):
        yield from _parts_of_code(value, seen)
    elif isinstance(value, types.MethodType):
        yield from _several([value.__func__, value.__self__], seen)
    elif isinstance(value, functools.partial):
        yield from _several([value.func, list(value.args), value.keywords], seen)
    elif isinstance(value, tuple | list):
        yield from _several(list(value), seen)
    elif isinstance(value, set | frozenset):
        yield from sorted(b" ".join(_parts(each, seen)) for each in value)
    elif isinstance(value, dict):
        yield from _several(list(value.items()), seen)
    else:
        yield f"{type(value).__module__}.{type(value).__qualname__}".encode()
        call = getattr(type(value), "__call__", None)  # noqa: B004 - the function is wanted
        yield from _several([call, vars(value) if hasattr(value, "__dict__") else None], seen)


def _several(values: list[Any], seen: set[int]) -> Iterator[bytes]:
    yield str(len(values)).encode()
    for each in values:
        yield from _parts(each, seen)


def _parts_of_function(function: types.FunctionType, seen: set[int]) -> Iterator[bytes]:
    cells = [_content(cell) for cell in function.__closure__ or ()]
    yield function.__qualname__.encode()
    yield from _several([function.__defaults__, function.__kwdefaults__, cells], seen)
    if _is_installed(function.__module__ or ""):
        yield function.__module__.encode()
        return
    yield from _parts_of_code(function.__code__, seen)
    for name in sorted(names_in(function.__code__)):
        if name in function.__globals__:
            yield name.encode()
            yield from _parts(function.__globals__[name], seen)


def _is_installed(module: str) -> bool:
    """Whether a function comes with this package, or with one of those on which it stands."""
    return module.partition(".")[0] in {"chancecorr", "numpy", "scipy", "numba", "math", "sklearn"}


def _parts_of_code(code: types.CodeType, seen: set[int]) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_argcount, code.co_flags)).encode()
    yield from _several(list(code.co_consts), seen)


def names_in(code: types.CodeType) -> set[str]:
    """Names that code looks up, that of functions inside it, too."""
    names = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            names |= names_in(each)
    return names


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
