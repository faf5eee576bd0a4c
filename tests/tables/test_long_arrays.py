"""Long arrays of integers: noise is left out after counting, and no second array of all labels is made."""

import tracemalloc

import numpy as np
import pytest

import chancecorr as cc

CODES = np.random.default_rng(3).integers(0, 5, 203)
OTHER = np.where(CODES == 0, 1, np.random.default_rng(4).integers(-1, 3, CODES.size)).astype(np.int8)
SIDES = {
    "int8": (CODES - 1).astype(np.int8),
    "bool": CODES > 2,
    "wide int64": (CODES - 1) * 10**17,
    "uint64 beyond int64": CODES.astype(np.uint64) * np.uint64(2**62),
    "swapped": (CODES - 1).astype(">i4"),
    "noise alone": np.full(CODES.size, -1),
}


@pytest.mark.parametrize("noise_label", [-1, -1.0, 0, True, 2**63, 9, "a"])
@pytest.mark.parametrize("kind", SIDES)
def test_dropped_noise(kind, noise_label):
    """Some rows are of noise objects alone. Lists are read another way."""
    for sides in ((SIDES[kind], OTHER), (OTHER, SIDES[kind])):
        options = {"noise": "drop", "noise_label": noise_label}
        found = cc.contingency_table(*sides, **options)
        expected = cc.contingency_table(*(side.tolist() for side in sides), **options)
        assert found == expected
        for axis in ("row_labels", "column_labels"):
            assert getattr(found, axis).tolist() == getattr(expected, axis).tolist()


@pytest.mark.heavy
def test_memory_is_that_of_the_table(record_property):
    labels = np.random.default_rng(5).integers(0, 4, 2_000_000).astype(np.int8)
    cc.contingency_table(labels[:300_000], labels[:300_000])  # compiles
    tracemalloc.start()
    try:
        table = cc.contingency_table(labels, labels)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.n == labels.size
    record_property("peak_mib", peak / 2**20)
    record_property("labels", labels.size)
    assert peak < 2**20
