"""Tables of more labels than NumPy counts by itself: every type against a dict, at the kernels' limits."""

import re
from collections import Counter

import numpy as np
import pytest

from chancecorr.tables import crosstab
from chancecorr.tables.crosstab import WITHOUT_KERNELS
from chancecorr.tables.kernels import count_in_range
from chancecorr.tables.reading import contingency_table
from tests.tables.twins import twin

MANY = WITHOUT_KERNELS + 1
TYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def cells(*sides, **keywords):
    """Dense counts as a nested list."""
    return contingency_table(*sides, **keywords).dense_counts().tolist()


def drawn(values, n=MANY, seed=0):
    """Array of values drawn at random, each in it."""
    values = np.asarray(values)
    codes = np.random.default_rng(seed).integers(0, len(values), n)
    codes[: len(values)] = np.arange(len(values))
    return values[codes]


def ends(dtype):
    """Few labels at the lower end and few at the upper end of the range of a type."""
    if dtype is np.bool_:
        return np.array([False, True]), np.array([True])
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([low, low + 1, low + 5], dtype=dtype), np.array([high - 6, high - 1, high], dtype=dtype)


PARTNER = drawn([-3, 0, 1, 4], seed=1)


# integers


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_at_both_ends_of_its_range(dtype):
    for values in ends(dtype):
        for n in (50, MANY):
            labels, partner = drawn(values, n), PARTNER[:n]
            assert cells(labels, labels[::-1].copy()) == twin(labels.tolist(), labels[::-1].tolist())
            expected = twin(labels.tolist(), partner.tolist())
            assert cells(labels, partner) == expected
            assert np.transpose(cells(partner, labels)).tolist() == expected


def test_unsigned_labels_on_both_sides_of_the_signed_range():
    for values in ([2**64 - 1, 0, 1], [2**63, 2**63 - 1], [2**64 - 1, 2**63], [2**64 - 1, 2**64 - 3]):
        for n in (1_000, MANY):
            labels, partner = drawn(np.array(values, dtype=np.uint64), n), PARTNER[:n]
            expected = twin(labels.tolist(), partner.tolist())
            for order in "<>":
                assert cells(labels.astype(f"{order}u8"), partner) == expected
                assert np.transpose(cells(partner, labels.astype(f"{order}u8"))).tolist() == expected


@pytest.mark.parametrize("n", [WITHOUT_KERNELS, MANY, MANY + 1, MANY + 2, 391 * 256])
def test_sizes_around_the_limits(n):
    labels, partner = drawn([5, 7, 8], n), drawn([0, 1, 2], n, seed=2)
    expected = twin(labels.tolist(), partner.tolist())
    assert cells(labels, partner) == expected
    assert cells(labels.astype(np.int16), partner) == expected


@pytest.mark.heavy
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (32, 64), (32, 65), (256, 256), (300, 1340)])
def test_tables_around_the_limits(rows, columns):
    labels, partner = drawn(range(rows)), drawn(range(columns), seed=2)
    expected = twin(labels.tolist(), partner.tolist())
    assert cells(labels, partner) == expected
    assert cells(np.sort(labels), np.sort(partner)) == twin(sorted(labels.tolist()), sorted(partner.tolist()))


@pytest.mark.parametrize("position", [1, 256, MANY - 1])
@pytest.mark.parametrize(
    "outliers", [(-9, 0), (9, 0), (0, -9), (0, 9), (-7, 30), (40_000, 40_000), (10**15, 0)]
)
def test_a_label_that_the_sample_does_not_show(outliers, position):
    assert position % (MANY // crosstab.SAMPLE + 1) != 0
    labels, partner = drawn([0, 1, 2]), drawn([0, 1, 2], seed=2)
    labels[position], partner[position] = outliers
    assert cells(labels, partner) == twin(labels.tolist(), partner.tolist())


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
    expected = twin(labels.tolist(), PARTNER.tolist())
    arranged = LAYOUTS[layout](labels)
    assert arranged.tolist() == labels.tolist()
    assert cells(arranged, PARTNER) == expected
    assert np.transpose(cells(PARTNER, arranged)).tolist() == expected
    assert labels.flags.writeable
    assert np.array_equal(labels, before)


# text, bytes and floats


@pytest.mark.parametrize("width", [1, 3, 4, 8, 16])
@pytest.mark.parametrize("kind", "US")
def test_text_of_every_width(kind, width):
    names = ["", "a", "b", "ab", "ba", "a" * width, "a" * (width - 1) + "b", "é"[: kind == "U"] + "z"]
    labels = drawn(np.array(names, dtype=f"{kind}{width}"))
    assert cells(labels, PARTNER) == twin(labels.tolist(), PARTNER.tolist())
    noise = labels.tolist()[1]
    kept = [None if label == noise else label for label in labels.tolist()]
    found = cells(labels, PARTNER, noise="drop", noise_label=noise)
    assert found == twin(kept, PARTNER.tolist())


@pytest.mark.heavy
def test_thousands_of_distinct_labels():
    for make in (str, lambda k: k / 7, lambda k: k * 10**15):
        labels = drawn([make(k) for k in range(-3_000, 3_000)])
        assert cells(labels, PARTNER) == twin(labels.tolist(), PARTNER.tolist())
    pairs = Counter(zip(labels.tolist(), labels[::-1].tolist(), strict=True))
    sparse = contingency_table(labels, labels[::-1])
    assert sparse.nonzero_cells[2].tolist() == [pairs[pair] for pair in sorted(pairs)]


@pytest.mark.heavy
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floats_of_every_width(dtype):
    values = np.array([0.5, -0.0, 0.0, -1.5, np.inf, -np.inf, 3.0], dtype=dtype)
    labels = drawn(values)
    assert cells(labels, PARTNER) == twin(labels.tolist(), PARTNER.tolist())
    gaps = labels.copy()
    gaps[[4, 77_777]] = np.nan, -np.nan
    kept = [None if label != label else label for label in gaps.tolist()]
    assert cells(gaps, PARTNER, missing="drop") == twin(kept, PARTNER.tolist())
    with pytest.raises(ValueError, match=r"must not hold missing labels; got nan at position 4\."):
        contingency_table(gaps, PARTNER)
    without_zero = [None if label is None or label == 0 else label for label in kept]
    found = cells(gaps, PARTNER + 10, missing="drop", noise="drop", noise_label=0)
    assert found == twin(without_zero, (PARTNER + 10).tolist())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_whole_floats_with_gaps(dtype):
    labels = drawn(np.array([-2, 0, 5, 1024], dtype=dtype))
    assert cells(labels, PARTNER) == twin(labels.tolist(), PARTNER.tolist())
    labels[[3, 20_000]] = np.nan
    kept = [None if label != label else label for label in labels.tolist()]
    assert cells(labels, PARTNER, missing="drop") == twin(kept, PARTNER.tolist())
    with pytest.raises(ValueError, match=r"must not hold missing labels; got nan at position 3\."):
        contingency_table(labels, PARTNER)


def test_a_label_out_of_range_ends_the_count_before_its_chunk():
    x, y = np.zeros((2, 40), dtype=np.int64)
    lanes, places = np.zeros((4, 6), dtype=np.uint32), np.empty(16, dtype=np.uint32)
    for side, wrong in ((x, -1), (x, 2), (y, -(2**63)), (y, 2**63 - 1)):
        side[20] = wrong
        with np.errstate(over="ignore"):
            assert count_in_range(x, y, 0, 1, 0, 2, places, lanes) == 16
        side[20] = 0
    assert lanes.sum(axis=1).tolist() == [16, 16, 16, 16]
    assert count_in_range(x, y, 0, 1, 0, 2, places, lanes[:1]) == 40
    assert lanes[0].tolist() == [56, 0, 0, 0, 0, 0]


def test_few_labels_call_no_kernel(monkeypatch):
    def called(*arguments):
        raise AssertionError("a kernel")

    monkeypatch.setattr(crosstab, "count_in_range", called)
    for values in ([0, 1], ["a", "b"], [0.0, 0.5], [0, 10**15]):
        few = drawn(values, WITHOUT_KERNELS)
        assert contingency_table(few, few).n == WITHOUT_KERNELS
    with pytest.raises(AssertionError, match="a kernel"):
        contingency_table(drawn([0, 1]), drawn([0, 1]))


# objects and columns


def test_columns_of_objects_keep_every_label_what_it_is():
    pd = pytest.importorskip("pandas", reason="needs pandas")
    texts = ["b", "a", "a\0", "a\0b", "", "nan", "é", "z"]
    labels = [*texts, *texts, "b"]
    partner = np.arange(len(labels)) % 3
    expected = twin(labels, partner.tolist())
    kinds = (object, "str", "string", pd.StringDtype("python"))
    assert cells(np.array(labels, dtype=object), partner) == expected
    for kind in kinds:
        assert cells(pd.Series(labels, dtype=kind), partner) == expected
        for missing in (None, np.nan, pd.NA):
            gaps = [*labels[:5], missing, *labels[6:]]
            kept = [None if label is missing else label for label in gaps]
            column = pd.Series(gaps, dtype=kind)
            assert cells(column, partner, missing="drop") == twin(kept, partner.tolist())
            message = f"got {column[5]} at position 5."
            with pytest.raises(ValueError, match=re.escape(message)):
                contingency_table(column, partner)
            found = cells(column, partner, missing="drop", noise="drop", noise_label="a")
            kept = [None if label in (None, "a") else label for label in kept]
            assert found == twin(kept, partner.tolist())
        assert contingency_table(pd.Series([None, None], dtype=kind), [0, 1], missing="drop").n == 0


def test_objects_that_are_no_texts_are_compared_as_python_does():
    labels = np.array([1, "1", True, 1.0, "1", None, np.nan, b"1"], dtype=object)
    assert cells(labels, [0] * 8, missing="drop") == [[3], [2], [1]]  # in order of appearance
    gaps = np.array(["b", float("nan"), None, "a", np.float64("nan")], dtype=object)
    assert cells(gaps, [0] * 5, missing="drop") == [[1], [1]]
    with pytest.raises(ValueError, match=r"got nan at position 1\."):
        contingency_table(gaps, [0] * 5)


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
        found = cells(column, np.array(partner) + 50, missing="drop", noise="drop", noise_label=noise)
        assert found == twin(kept, partner)
    empty = pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))
    assert contingency_table(empty, []).n == 0
    gaps = pa.array([None, None], pa.dictionary(pa.int32(), pa.string()))
    assert contingency_table(gaps, [0, 1], missing="drop").n == 0


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
        kept = [None if label == "b" else label for label in labels]
        found = cells(column, partner, missing="drop", noise="drop", noise_label="b")
        assert found == twin(kept, partner)
        gaps = pl.Series([None, None], dtype=pl.String).cast(kind)
        assert contingency_table(gaps, [0, 1], missing="drop").n == 0
        assert contingency_table(column[:0], []).n == 0
        halves = pl.concat([column[:3], column[3:]], rechunk=False)
        assert cells(halves, partner, missing="drop") == twin(labels, partner)
