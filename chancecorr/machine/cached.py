"""A property that is computed once for each object, without a lock.

`functools.cached_property` of Python 3.11 holds one lock for all objects of a class while it computes:
threads wait for each other's simulations, and a forked child for a thread that it does not have.
"""

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  named as the other
        """Property that is kept among the attributes of its object; two threads may both compute it."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """The value, computed at the first use."""
            if instance is None:
                return self
            if self.attrname not in instance.__dict__:
                instance.__dict__[self.attrname] = self.func(instance)
            return instance.__dict__[self.attrname]
