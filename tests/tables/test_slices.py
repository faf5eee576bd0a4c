"""Long labels that are read slice by slice: the same tables as when read whole, and little memory."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import chancecorr as cc
from chancecorr.tables import contingency, slices

N = 203
SLICE = 16

RNG = np.random.default_rng(3)
CODES = RNG.integers(0, 5, N)
TEXTS = np.array(["b", "a", "é", "-1", "cluster"])[CODES]
FLOATS = np.where(CODES == 2, np.nan, CODES / 7)
SIDES = {
    "int8": (CODES - 1).astype(np.int8),
    "bool": CODES > 2,
    "wide int64": (CODES - 1) * 10**17,
    "uint64 beyond int64": CODES.astype(np.uint64) * np.uint64(2**62),
    "whole floats": CODES - 1.0,
    "floats": np.where(CODES == 2, -0.0, CODES / 7),
    "float32 with NaN": FLOATS.astype(np.float32),
    "text": TEXTS,
    "bytes": np.array([b"b", b"a", b"owl", b"-1", b""])[CODES],
    "strided": np.repeat(CODES, 2)[::2] * 10**6,
    "swapped": (CODES * 10**6).astype(">i4"),
    "swapped text": TEXTS.astype(TEXTS.dtype.newbyteorder()),
    "objects": TEXTS.astype(object),
    "objects with None": np.where(CODES == 0, None, TEXTS.astype(object)),
    "objects of two kinds": np.where(CODES == 0, 7, TEXTS.astype(object)),
    "masked": np.ma.masked_array(CODES, CODES == 1),
    "Series": pd.Series(CODES - 1.0),
    "Series of text": pd.Series(TEXTS.astype(object)),
    "Categorical": pd.Categorical(TEXTS, categories=["é", "b", "cluster", "-1", "a"]),
    "Arrow chunks": pa.chunked_array([CODES[:50] - 1, CODES[50:] - 1]),
    "Arrow text": pa.array([None if text == "a" else text for text in TEXTS.tolist()]),
    "pandas of Arrow": pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string())),
    "polars": pl.Series(CODES / 7),
    "few at first, then many": np.where(np.arange(N) < 40, 0.5, np.arange(N) / 7),
    "many": np.arange(N) / 7,
}
OTHER = RNG.integers(-1, 3, N).astype(np.int8)


@pytest.fixture
def _short_slices(monkeypatch):
    monkeypatch.setattr(slices, "SLICE", SLICE)
    monkeypatch.setattr(slices, "LABELS_PER_CELL", 0.5)
    monkeypatch.setattr(contingency, "LABELS_PER_CELL", 0.5)
    monkeypatch.setattr(contingency, "LONGEST_SLICE", 4 * SLICE)
    monkeypatch.setattr(slices, "is_of_small_range", lambda x, y: False)


def whole(x, y, **options):
    return contingency.read_labels(x, y, **{**READING, **options}).table()


READING = {"noise": None, "noise_label": -1, "missing": "raise", "align": "raise"}


def assert_alike(found, expected):
    assert found == expected
    assert isinstance(found.counts, np.ndarray) == isinstance(expected.counts, np.ndarray)
    for axis in ("row_labels", "column_labels"):
        labels, others = getattr(found, axis), getattr(expected, axis)
        assert labels.tolist() == others.tolist()
        assert list(map(type, labels.tolist())) == list(map(type, others.tolist()))
        assert labels.dtype.newbyteorder("=") == others.dtype.newbyteorder("=")


@pytest.mark.usefixtures("_short_slices")
class TestTables:
    @pytest.mark.parametrize("noise", [None, "keep", "drop", "singletons"])
    @pytest.mark.parametrize("kind", SIDES)
    def test_are_those_of_the_whole(self, kind, noise):
        noise_label = "-1" if "ext" in kind or "obj" in kind else -1
        options = {"noise": noise, "noise_label": noise_label, "missing": "drop"}
        for sides in ((SIDES[kind], OTHER), (OTHER, SIDES[kind]), (SIDES[kind], SIDES[kind])):
            assert_alike(cc.contingency_table(*sides, **options), whole(*sides, **options))

    @pytest.mark.parametrize("noise", ["drop", "singletons"])
    def test_of_integers_of_small_range(self, noise, monkeypatch):
        monkeypatch.setattr(slices, "is_of_small_range", lambda x, y: True)
        x, y = SIDES["int8"], np.where(CODES == 0, 1, OTHER)  # some rows are of noise objects alone
        assert_alike(cc.contingency_table(x, y, noise=noise), whole(x, y, noise=noise))
        assert_alike(
            cc.contingency_table(x, y, noise=noise, noise_label=9), whole(x, y, noise=noise, noise_label=9)
        )

    def test_of_noise_alone_are_empty(self):
        noise = np.full(N, -1.0)
        assert_alike(cc.contingency_table(noise, OTHER, noise="drop"), whole(noise, OTHER, noise="drop"))

    def test_missing_labels_are_named_by_their_place_among_all(self):
        with pytest.raises(ValueError, match="`labels_true` must not hold missing labels; got nan at pos"):
            cc.contingency_table(SIDES["float32 with NaN"], OTHER)
        late = np.where(np.arange(N) == 171, np.nan, CODES)
        with pytest.raises(ValueError, match=r"`labels_pred` must not hold .* at position 171"):
            cc.contingency_table(OTHER, late)

    def test_other_indexes_and_lengths_are_refused(self):
        first = pd.Series(CODES / 7)
        second = first.set_axis(first.index[::-1])
        with pytest.raises(ValueError, match="`labels_pred` must have the index of `labels_true`"):
            cc.contingency_table(first, second)
        assert cc.contingency_table(first, second, align="position") == cc.contingency_table(first, first)
        with pytest.raises(ValueError, match="`labels_pred` must have the same length"):
            cc.contingency_table(first, first[:-1])


class TestSlicedSides:
    @pytest.mark.parametrize(
        "kind", ["wide int64", "floats", "text", "objects", "Series of text", "Arrow text"]
    )
    @pytest.mark.usefixtures("_short_slices")
    def test_long_labels_are_sliced(self, kind):
        assert slices.sliced_sides(SIDES[kind], OTHER) is not None

    @pytest.mark.parametrize("kind", ["masked", "Categorical", "swapped text"])
    @pytest.mark.usefixtures("_short_slices")
    def test_others_are_not(self, kind):
        assert slices.sliced_sides(SIDES[kind], OTHER) is None

    def test_nor_are_short_ones(self):
        assert slices.sliced_sides(SIDES["floats"], OTHER) is None

    def test_integers_of_small_range_are_one_slice(self):
        x = np.arange(400_000, dtype=np.int32) % 7
        assert slices.slice_at_first(x, x, None) == x.size
        assert slices.slice_at_first(x, x, "singletons") == slices.SLICE
        assert slices.slice_at_first(x * 10**8, x, None) == slices.SLICE


@pytest.mark.heavy
@pytest.mark.parametrize("noise", [None, "drop"])
@pytest.mark.parametrize("kind", ["int8", "wide int32", "float64", "sevenths", "text", "Series of float32"])
def test_memory_is_that_of_a_few_slices(kind, noise, record_property):
    codes = np.random.default_rng(5).integers(0, 4, 2_000_000).astype(np.int8)
    x = {
        "int8": lambda: codes,
        "wide int32": lambda: codes * np.int32(5 * 10**8),
        "float64": lambda: codes.astype(np.float64),
        "sevenths": lambda: codes / 7,
        "text": lambda: np.array(["one", "two", "three", "four"])[codes],
        "Series of float32": lambda: pd.Series(codes.astype(np.float32)),
    }[kind]()
    options = {"noise": noise, "noise_label": "one" if kind == "text" else 0}
    cc.contingency_table(x[:300_000], x[:300_000], **options)  # compiles
    tracemalloc.start()
    try:
        table = cc.contingency_table(x, x, **options)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.n == (codes.size if noise is None else np.count_nonzero(codes))
    record_property("peak_mib", peak / 2**20)
    record_property("labels", codes.size)
    assert peak < 40 * slices.SLICE  # 10 MB; a copy of one side as int64 takes 16 MB
