"""What takes long as Python is shorter there."""

import pytest

from chancecorr.sampling.kernels import logarithms as log2_factorials
from tests.sampling.fits import COMPILED


@pytest.fixture(autouse=not COMPILED)
def short_table_of_log_factorials(monkeypatch):
    """The table ends sooner where there are more objects: Stirling's series is the nearest from 2,000 on."""
    monkeypatch.setattr(log2_factorials, "TABLE_BEYOND", 1 << 12)
