"""What tests of pictures share."""

import pytest


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures that a test leaves open."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    yield
    pyplot.close("all")
