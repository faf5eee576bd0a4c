"""Users' functions on their way to workers: always the version that the caller has."""

import contextlib
import pickle
import sys
from collections.abc import Iterable
from typing import Any

from chancecorr.indices.registry import Index


def pickled_by_value(content: Any, indices: Iterable[Index]) -> bytes:
    """Pickle with the code of users' functions, with all that it calls in the modules of these functions.

    A worker that lives on may have imported a module before it was changed and reloaded here.
    """
    import cloudpickle

    functions = [f for each in indices for f in (each.function, each.link, each.from_cells)]
    names = {str(getattr(function, "__module__", "")) for function in functions}
    modules = [sys.modules[name] for name in names if _is_of_a_user(name)]
    before = cloudpickle.list_registry_pickle_by_value()
    try:
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        return bytes(cloudpickle.dumps(content))
    except (TypeError, pickle.PicklingError):  # such as of a lock among the globals: by name, then
        _forget(modules, before)
        return bytes(cloudpickle.dumps(content))
    finally:
        _forget(modules, before)


def _is_of_a_user(name: str) -> bool:
    """Whether a module is neither of this package nor of Python and NumPy."""
    others = {"chancecorr", "numpy", "scipy", "numba", "sklearn", "__main__"} | sys.stdlib_module_names
    return name in sys.modules and name.partition(".")[0] not in others


def _forget(modules: list[Any], before: set[str]) -> None:
    """Take back what was registered here."""
    import cloudpickle

    for module in modules:
        if module.__name__ not in before:
            with contextlib.suppress(ValueError):  # another thread has done so
                cloudpickle.unregister_pickle_by_value(module)
