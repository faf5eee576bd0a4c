"""Tables of more labels than NumPy counts by itself: every type against a dict, at the kernels' limits."""

import tracemalloc

import numpy as np
import pytest

from chancecorr import contingency_table
from chancecorr.tables import crosstab
from tests.tables.twins import cells, twin

LIMIT = 10_000
MANY = LIMIT + 1
TYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


@pytest.fixture(autouse=True)
def fewer_labels_without_kernels(monkeypatch):
    """A tenth of what the package counts by NumPy, so that the twins in Python end sooner."""
    assert crosstab.MAX_LABELS_WITHOUT_KERNELS == 10 * LIMIT
    monkeypatch.setattr(crosstab, "MAX_LABELS_WITHOUT_KERNELS", LIMIT)


def drawn(values, n=MANY, seed=0):
    """Array of values drawn at random, each in it."""
    values = np.asarray(values)
    codes = np.random.default_rng(seed).integers(0, len(values), n)
    codes[: len(values)] = np.arange(len(values))
    return values[codes]


def check(labels, partner, **options):
    """The table and its transpose are those of the twin; noise is left out of the labels by hand."""
    expected = twin(options.pop("kept", labels.tolist()), partner.tolist())
    assert cells(labels, partner, **options) == expected
    assert np.transpose(cells(partner, labels, **options)).tolist() == expected


def ends(dtype):
    """Few labels at the lower end and few at the upper end of the range of a type."""
    if dtype is np.bool_:
        return np.array([False, True]), np.array([True])
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([low, low + 1, low + 5], dtype=dtype), np.array([high - 6, high - 1, high], dtype=dtype)


PARTNER = drawn([-3, 0, 1, 4], seed=1)


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_at_both_ends_of_its_range(dtype):
    for values in ends(dtype):
        for n in (50, MANY):
            labels, partner = drawn(values, n), PARTNER[:n]
            check(labels, labels[::-1].copy())
            check(labels, partner)


def test_unsigned_labels_on_both_sides_of_the_signed_range():
    for values in ([2**64 - 1, 0, 1], [2**63, 2**63 - 1], [2**64 - 1, 2**63], [2**64 - 1, 2**64 - 3]):
        for n in (1_000, MANY):
            labels, partner = drawn(np.array(values, dtype=np.uint64), n), PARTNER[:n]
            for order in "<>":
                check(labels.astype(f"{order}u8"), partner)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "n"), [(1, 1, MANY + 1), (32, 64, MANY + 2), (32, 65, MANY), (300, 1340, 391 * 256)]
)
def test_tables_around_the_limits(rows, columns, n):
    labels, partner = drawn(range(rows), n), drawn(range(columns), n, seed=2)
    check(labels, partner)
    check(labels.astype(np.int16), partner)


def test_a_label_that_the_sample_does_not_show():
    for outliers in [(-9, 0), (0, 9), (0, -9), (40_000, 40_000), (10**15, 0), (-(2**63), 2**63 - 1)]:
        for position in (1, MANY - 1):
            assert position % (MANY // crosstab.LABELS_SAMPLED + 1) != 0
            labels, partner = drawn([0, 1, 2]), drawn([0, 1, 2], seed=2)
            labels[position], partner[position] = outliers
            check(labels, partner)


def unaligned(labels):
    """Same labels one byte off every multiple of their size."""
    room = np.zeros(labels.nbytes + 1, dtype=np.uint8)
    room[1:] = labels.view(np.uint8)
    return room[1:].view(labels.dtype)


LAYOUTS = {
    "read-only": lambda labels: np.frombuffer(labels.tobytes(), dtype=labels.dtype),
    "strided": lambda labels: np.repeat(labels, 2)[::2],
    "reversed": lambda labels: labels[::-1].copy()[::-1],
    "big-endian": lambda labels: labels.astype(labels.dtype.newbyteorder(">")),
    "strided big-endian": lambda labels: np.repeat(labels.astype(labels.dtype.newbyteorder(">")), 3)[::3],
    "unaligned": unaligned,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["i8", "u2", "f4", "U3", "S5"])
def test_strides_byte_order_and_flags_do_not_matter(layout, dtype):
    values = np.array([3, 1, 8], dtype=dtype) if dtype[0] != "f" else np.array([0.5, -2.5, 8], dtype=dtype)
    labels = drawn(values)
    before = labels.copy()
    arranged = LAYOUTS[layout](labels)
    assert arranged.tolist() == labels.tolist()
    check(arranged, PARTNER)
    assert labels.flags.writeable
    assert np.array_equal(labels, before)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floats_of_every_width(dtype):
    whole = drawn(np.array([-2, 0, 5, 1024], dtype=dtype))
    check(whole, PARTNER)
    labels = drawn(np.array([0.5, -0.0, 0.0, -1.5, np.inf, -np.inf, 3.0], dtype=dtype))
    check(labels, PARTNER)
    gaps = labels.copy()
    gaps[[4, 7_777]] = np.nan, -np.nan
    kept = [None if label != label else label for label in gaps.tolist()]
    check(gaps, PARTNER, missing="drop", kept=kept)
    with pytest.raises(ValueError, match=r"must not hold missing labels; got nan at position 4\."):
        contingency_table(gaps, PARTNER)
    without_zero = [None if label is None or label == 0 else label for label in kept]
    found = cells(gaps, PARTNER + 10, missing="drop", noise={0: "drop"})
    assert found == twin(without_zero, (PARTNER + 10).tolist())


@pytest.mark.slow
def test_memory_is_that_of_the_table(record_property):
    labels = np.random.default_rng(5).integers(0, 4, 2_000_000).astype(np.int8)
    contingency_table(labels[:300_000], labels[:300_000])  # compiles
    tracemalloc.start()
    try:
        table = contingency_table(labels, labels)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.n == labels.size
    record_property("peak_mib", peak / 2**20)
    record_property("labels", labels.size)
    assert peak < 2**20


def test_arrow_dictionaries_of_any_making():
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    places = pa.array([0, 1, None, 2, 3, 1, 4, 0], pa.int8())
    partner = [0, 0, 1, 1, 2, 2, 0, 1]
    values = {
        "repeated": pa.array(["b", "a", "b", "c", "a", "unused"]),
        "missing": pa.array(["b", None, "c", "a", "b"]),
        "in order": pa.array(["a", "b", "c", "d", "e"]),
        "integers": pa.array([7, -1, 2**60, 2**60 + 1, 7]),
        "floats": pa.array([0.5, -1.0, 2.0, None, 0.5]),
        "bytes": pa.array([b"b", b"a", b"\0", b"", b"b"]),
        "booleans": pa.array([True, False, True, None, False]),
    }
    for dictionary in values.values():
        column = pa.DictionaryArray.from_arrays(places, dictionary)
        labels = column.to_pylist()
        expected = twin(labels, partner)
        assert cells(column, partner, missing="drop") == expected
        others = pa.array(labels[3:], dictionary.type).dictionary_encode().cast(column.type)
        chunks = pa.chunked_array([column[:2], column[2:3], others])
        assert cells(chunks, partner, missing="drop") == expected
        with pytest.raises(ValueError, match=rf"got (None|nan) at position {labels.index(None)}\."):
            contingency_table(column, partner)
        noise = labels[0]
        kept = [None if label == noise else label for label in labels]
        found = cells(column, np.array(partner) + 50, missing="drop", noise={noise: "drop"})
        assert found == twin(kept, partner)
    kind = pa.dictionary(pa.int32(), pa.string())
    assert contingency_table(pa.chunked_array([], kind), []).n == 0
    assert contingency_table(pa.array([None, None], kind), [0, 1], missing="drop").n == 0


def test_arrow_dictionaries_of_text_views():
    """Arrow casts none of them, and takes nothing from them."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    if not hasattr(pa, "string_view"):
        pytest.skip("needs an Arrow with text views")

    def column(places, texts):
        return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(texts, pa.string_view()))

    whole, partner = column([0, 1, None, 2, 1], ["b", "a", "c"]), [0, 0, 1, 1, 2]
    chunks = pa.chunked_array([column([0, 1, None], ["b", "a"]), column([1, 0], ["a", "c"])])
    expected = twin(["b", "a", None, "c", "a"], partner)
    assert cells(whole, partner, missing="drop") == cells(chunks, partner, missing="drop") == expected
    with pytest.raises(ValueError, match=r"got None at position 2\."):
        contingency_table(chunks, partner)
    assert contingency_table(pa.chunked_array([], whole.type), []).n == 0


def test_polars_categories_are_texts():
    pl = pytest.importorskip("polars", reason="needs polars")
    labels = ["b", "a", None, "c", "a", "b\0", "", "b"]
    partner = [0, 0, 1, 1, 2, 2, 0, 1]
    order = ["unused", "c", "b", "", "a", "b\0"]
    own = [pl.Categorical(pl.Categories.random())] if hasattr(pl, "Categories") else []
    for kind in (pl.String, pl.Categorical, pl.Enum(order), *own):
        column = pl.Series(labels, dtype=pl.String).cast(kind)
        assert cells(column, partner, missing="drop") == twin(labels, partner)
        with pytest.raises(ValueError, match=r"got None at position 2\."):
            contingency_table(column, partner)
        gaps = pl.Series([None, None], dtype=pl.String).cast(kind)
        assert contingency_table(gaps, [0, 1], missing="drop").n == 0
        assert contingency_table(column[:0], []).n == 0
        halves = pl.concat([column[:3], column[3:]], rechunk=False)
        assert cells(halves, partner, missing="drop") == twin(labels, partner)
