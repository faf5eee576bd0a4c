"""Which tests run together: usual, long, killing and damaging ones, those of archives; a plugin of pytest.

The plugin declares the markers that tell the groups apart, so that a group can be asked for where no test
is in it.
"""

import pytest

GROUPS = {
    "normal": "not long and not chaos and not dist and not browser",
    "long": "long and not chaos and not dist",
    "chaos": "chaos and not dist",
    "dist": "dist",
}
"""Expressions of markers, by the name of the group."""


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    for marker in ("long", "chaos", "dist", "browser"):
        config.addinivalue_line("markers", f"{marker}: see experiments/reliability/groups.py")
