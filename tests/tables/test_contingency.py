"""Contingency tables from labels and from counts: structure, naive twin, invariance, policies, messages."""

import datetime
import enum
import itertools
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from chancecorr import ContingencyTable, Margins, contingency_table
from chancecorr.tables import PairCounts, contingency_table_from, crosstab
from chancecorr.tables.contingency import MAX_OBJECTS, as_margins
from tests.tables.twins import cells, names, twin

label_pairs = st.lists(st.tuples(st.integers(-3, 4), st.integers(-1, 6)), max_size=40).map(
    lambda pairs: ([row for row, _ in pairs], [column for _, column in pairs])
)


WHOLE = "must hold non-negative whole numbers; got"
LISTS = "must be an array, list or Series of labels; got"


def test_margins_hold_int64_read_only_copies():
    given_rows = np.array([2, 6], dtype=np.int64)
    margins = Margins(given_rows, [1.0, 3.0, 4.0])
    given_rows[0] = 99
    assert margins.row_totals.tolist() == [2, 6]
    assert margins.column_totals.tolist() == [1, 3, 4]
    assert margins.row_totals.dtype == margins.column_totals.dtype == np.int64
    assert (margins.n, type(margins.n)) == (8, int)
    assert margins == Margins((2.0, 6.0), (1, 3, 4)) != Margins([6, 2], [1, 3, 4])
    assert ContingencyTable([[1, 0]]) not in (ContingencyTable([[0, 1]]), ContingencyTable([[1]]), [[1, 0]])
    with pytest.raises(ValueError, match="read-only"):
        margins.row_totals[0] = 5
    with pytest.raises(AttributeError):
        margins.row_totals = given_rows


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([10], [11], "`row_totals` and `column_totals` must have the same sum; got 10 and 11."),
        ([2], [1.5, 0.5], f"`column_totals` {WHOLE} 1.5 at position 0."),
        ([np.inf], [1], f"`row_totals` {WHOLE} inf at position 0."),
        ([1, None], [1], f"`row_totals` {WHOLE} None at position 1."),
        ([[1]], [1], "`row_totals` must be one-dimensional; got shape (1, 1)."),
        ([[1], [1, 2]], [1], "`row_totals` must be one-dimensional; got rows of different lengths."),
        ([MAX_OBJECTS, 1], [1], "`row_totals` must sum to at most 3037000499; got 3037000500."),
        ([10**400], [1], f"`row_totals` must sum to at most 3037000499; got {10**400}."),
        ([1e300], [1], "`row_totals` must sum to at most 3037000499; got 1000000000000000052504"),
    ],
)
def test_margins_errors(rows, columns, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        Margins(rows, columns)


def test_as_margins():
    margins = Margins([2, 1], [3])
    assert as_margins(margins) is margins
    assert as_margins(ContingencyTable([[2], [1]])) == margins
    assert as_margins(([2, 1], [3])) == margins
    with pytest.raises(TypeError, match=r"^`margins` must be a Margins, a ContingencyTable, or a pair"):
        as_margins([2, 1])


COUNTS = [[3, 0, 1], [0, 0, 0], [2, 5, 0]]


@pytest.mark.parametrize(
    "counts",
    [
        COUNTS,
        np.array(COUNTS, dtype=np.uint8),
        np.array(COUNTS, dtype=float),
        np.array(COUNTS, dtype=object),
        pd.DataFrame(COUNTS, index=list("abc")),
        scipy.sparse.csr_array(COUNTS),
        scipy.sparse.csc_matrix(COUNTS),
        scipy.sparse.coo_array(np.array(COUNTS, dtype=np.float32)),
    ],
    ids=lambda counts: type(counts).__name__,
)
def test_table_from_counts_of_any_kind(counts):
    table = ContingencyTable(counts)
    assert scipy.sparse.issparse(table.counts) == scipy.sparse.issparse(counts)
    assert table.counts.dtype == np.int64
    assert table.dense_counts().tolist() == COUNTS
    assert table.margins == Margins([4, 0, 7], [5, 5, 1])
    assert (table.n, table.shape, table.sum_of_squares) == (11, (3, 3), 9 + 1 + 4 + 25)
    assert [part.tolist() for part in table.nonzero_cells] == [[0, 0, 2, 2], [0, 2, 0, 1], [3, 1, 2, 5]]
    assert all(part.dtype == np.int64 for part in table.nonzero_cells)
    assert table == ContingencyTable(COUNTS)
    assert hash(table) == hash(ContingencyTable(COUNTS))


def test_table_keeps_a_read_only_copy():
    dense = np.array(COUNTS)
    sparse = scipy.sparse.csr_array(dense)
    for counts, cell in ((dense, dense), (sparse, sparse.data)):
        table = ContingencyTable(counts)
        cell[...] = 7
        assert table.dense_counts().tolist() == COUNTS
    with pytest.raises(ValueError, match="read-only"):
        ContingencyTable(COUNTS).counts[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        ContingencyTable(scipy.sparse.csr_array(COUNTS)).counts.data[0] = 1


def test_sparse_counts_are_put_in_canonical_form():
    scattered = scipy.sparse.coo_array(([1, 2, 4, 0], ([1, 0, 1, 0], [0, 1, 0, 0])), shape=(2, 2))
    assert ContingencyTable(scattered).counts.nnz == 2
    assert ContingencyTable(scattered) == ContingencyTable([[0, 2], [5, 0]])
    unsorted = scipy.sparse.csr_array(([1, 2, 4], [1, 0, 1], [0, 3, 3]), shape=(2, 2))
    assert ContingencyTable(unsorted) == ContingencyTable([[2, 5], [0, 0]])
    assert unsorted.data.tolist() == [1, 2, 4]


def test_table_repr_is_short():
    assert repr(ContingencyTable([[2, 0], [1, 3]])) == "ContingencyTable([[2, 0], [1, 3]])"
    assert repr(ContingencyTable(np.ones((9, 2)))) == "<ContingencyTable of shape (9, 2), n = 18>"
    assert repr(ContingencyTable(scipy.sparse.eye_array(3))) == "<ContingencyTable of shape (3, 3), n = 3>"


@pytest.mark.parametrize("make", [np.zeros, lambda shape: scipy.sparse.csr_array(shape)])
@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (3, 0), (2, 2)])
def test_tables_of_no_objects(make, shape):
    table = ContingencyTable(make(shape))
    assert (table.n, table.shape, table.sum_of_squares) == (0, shape, 0)
    assert table.pair_counts == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("counts", "error", "message"),
    [
        ([], ValueError, "`counts` must be two-dimensional; got shape (0,)."),
        ([[1, 2], [3]], ValueError, "`counts` must be two-dimensional; got rows of different lengths."),
        ([[1, 2], [3, -4]], ValueError, f"{WHOLE} -4 at position (1, 1)."),
        ([[1, np.nan]], ValueError, f"{WHOLE} nan at position (0, 1)."),
        ([["1", "2"]], TypeError, f"`counts` {WHOLE} strings."),
        (pd.DataFrame({"x": ["a"], "y": [1]}), TypeError, "whole numbers; got 'a' at position (0, 0)."),
        (scipy.sparse.csc_array([[0, 0.5], [2, 0]]), ValueError, "got 0.5 at position (0, 1)."),
        (scipy.sparse.csr_array([[1j]]), TypeError, "whole numbers; got dtype complex128."),
        (scipy.sparse.coo_array([1, 2]), ValueError, "`counts` must be two-dimensional; got shape (2,)."),
    ],
)
def test_table_errors(counts, error, message):
    with pytest.raises(error, match=re.escape(message)):
        ContingencyTable(counts)


@pytest.mark.parametrize(
    "counts",
    [
        [[MAX_OBJECTS]],
        [[10**9, 10**9, 1], [7, 10**9, 0]],
        [[5 * 10**8, 5 * 10**8], [5 * 10**8 - 1, 5 * 10**8 + 1]],
    ],
)
@pytest.mark.parametrize("container", [np.array, scipy.sparse.csr_array])
def test_pair_counts_do_not_overflow(counts, container):
    row_totals, column_totals = map(sum, counts), map(sum, zip(*counts, strict=True))
    a, rows, columns, pairs = (
        sum(total * (total - 1) // 2 for total in totals)
        for totals in (itertools.chain(*counts), row_totals, column_totals, [sum(map(sum, counts))])
    )
    found = ContingencyTable(container(counts)).pair_counts
    assert found == PairCounts(a, rows - a, columns - a, pairs - rows - columns + a)
    assert all(type(number) is int for number in found)


def test_a_sparse_table_is_that_of_the_direct_count(monkeypatch):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 30, 200), rng.integers(0, 40, 200)
    direct = crosstab.cross_tabulate(x, y).counts
    monkeypatch.setattr(crosstab, "MAX_DIRECT_CELLS", 0)
    monkeypatch.setattr(crosstab, "MAX_DENSE_CELLS", 0)
    sparse = crosstab.cross_tabulate(x, y).counts
    assert isinstance(direct, np.ndarray)
    assert scipy.sparse.issparse(sparse)
    assert direct.tolist() == sparse.toarray().tolist() == twin(x.tolist(), y.tolist())


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


def name_codes(codes):
    return [f"c{code + 5:02d}" for code in codes]


KINDS = {
    "strings": name_codes,
    "string array": lambda codes: np.array(name_codes(codes), dtype="U3"),
    "StringDType": lambda codes: np.array(name_codes(codes), dtype=np.dtypes.StringDType()),
    "bytes": lambda codes: np.array([b"%02d" % (code + 5) for code in codes], dtype="S2"),
    "floats": lambda codes: [float(code) for code in codes],
    "halves": lambda codes: np.array(codes, dtype=np.float64) / 2,
    "float32": lambda codes: np.array(codes, dtype=np.float32),
    "large floats": lambda codes: np.array(codes, dtype=np.float64) * 2.0**70,
    "tuple": tuple,
    "tuples": lambda codes: [(code, "x") for code in codes],
    "object array": lambda codes: np.array(codes, dtype=object),
    "dates": lambda codes: [datetime.date(2020, 1, 10) + datetime.timedelta(code) for code in codes],
    "datetime64": lambda codes: np.datetime64("2020-01-10", "ns") + np.array(codes, dtype="m8[h]"),
    "Series": lambda codes: pd.Series(codes, index=range(len(codes), 0, -1), dtype="int64"),
    "Index": lambda codes: pd.Index(codes, dtype="int64"),
    "Int64": lambda codes: pd.Series(codes, dtype="Int64"),
    "str Series": lambda codes: pd.Series(name_codes(codes), dtype="str"),
    "category": lambda codes: pd.Series(codes, dtype="int64").astype("category"),
    "Categorical": lambda codes: pd.Categorical(map(str, codes), categories=[*map(str, range(-5, 9))]),
    "sparse Series": lambda codes: pd.Series(pd.arrays.SparseArray(np.array(codes, dtype=np.int64))),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(label_pairs)
def test_labels_of_any_kind_give_the_table_of_integers(kind, pair):
    codes, partner = pair
    labels = KINDS[kind](codes)
    in_rows, in_columns = contingency_table(labels, partner), contingency_table(partner, labels)
    assert in_rows.dense_counts().tolist() == twin(codes, partner)
    assert in_columns.dense_counts().tolist() == twin(partner, codes)
    has_items = hasattr(labels, "to_list") and kind != "Categorical"  # of which pandas 2 warns there
    item_of = dict(zip(codes, labels.to_list() if has_items else list(labels), strict=True))
    expected = [item_of[code] for code in sorted(set(codes))]
    assert list(in_rows.row_labels) == list(in_columns.column_labels) == expected


@pytest.mark.parametrize(
    ("labels", "others", "counts"),
    [
        ([1, "1", 1, "1"], [0, 0, 0, 1], [[2, 0], [1, 1]]),  # one and its name are different labels
        (["a", "a\0"], [0, 1], [[1, 0], [0, 1]]),
        (["b", 3, "a", "b"], [0, 1, 1, 0], [[2, 0], [0, 1], [0, 1]]),  # not sorted: in order of appearance
        ([True, 1, 1.0, "x"], [0, 0, 0, 0], [[3], [1]]),  # equal in Python
        ([True, False, True], np.array([True, False, False]), [[1, 0], [1, 1]]),
        ([Colour.RED, 1, Colour.BLUE], [0.0, -0.0, 1.0], [[2, 0], [0, 1]]),
        (  # categories keep their order, unused ones are dropped
            pd.Categorical(
                ["large", "small", "large"], categories=["small", "medium", "large"], ordered=True
            ),
            [0, 1, 1],
            [[0, 1], [1, 1]],
        ),
    ],
)
def test_what_is_one_label_and_in_which_order(labels, others, counts):
    assert cells(labels, others) == counts


def test_series_are_matched_by_their_indexes():
    labels_true = pd.Series([0, 0, 1], index=["x", "y", "z"])
    labels_pred = pd.Series([5, 6, 6], index=["z", "y", "x"])  # the same objects in another order
    assert cells(labels_true, labels_pred) == [[0, 2], [1, 0]]
    assert cells(labels_true.to_numpy(), labels_pred) == [[1, 1], [0, 1]]
    message = (
        "`labels_pred` must have the index of `labels_true`; got 0, not 'x', at position 0."
        " Match the objects, or pass arrays, as by `.to_numpy()`, if they are in the same order."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$") as caught:
        contingency_table(labels_true, labels_pred.reset_index(drop=True))
    assert caught.value.argument == "labels_pred"
    counted = pd.Series([0, 0, 1]), pd.Series([5, 6, 6], index=[2, 1, 0])  # maybe positions, maybe names
    with pytest.raises(ValueError, match=r"Pass `\.to_dict\(\)` of both to match the objects by their index"):
        contingency_table(*counted)
    assert cells(*(side.to_dict() for side in counted)) == [[0, 2], [1, 0]]
    with pytest.raises(ValueError, match=r"got 1 more, as 2, and 1 fewer, as 'z'\."):
        contingency_table(labels_true, pd.Series([5, 6, 6], index=["x", "y", 2]))
    with pytest.raises(ValueError, match=r"must have the index of `labels_true`; got 'y', not 'x', at pos"):
        contingency_table(
            pd.Series([0, 0, 1], index=["x", "x", "y"]), pd.Series([0, 0, 1], index=["y", "x", "x"])
        )


TEXT = pd.Series(["a", "b", "b", None], dtype="str")
MISSING = {
    "None": ([0, 1, 1, None], "None"),
    "NaN": ([0.0, 1.0, 1.0, np.nan], "nan"),
    "NaN beside halves": (np.array([0.5, 1.5, 1.5, np.nan]), "nan"),
    "NaN in objects": (["a", "b", "b", float("nan")], "nan"),
    "masked": (np.ma.array([0, 1, 1, 5], mask=[0, 0, 0, 1]), "None"),
    "NaT": (np.array(["2020", "2021", "2021", "NaT"], dtype="M8[D]"), "NaT"),
    "pandas.NaT": (pd.Series(pd.to_datetime(["2020", "2021", "2021", None], utc=True)), "NaT"),
    "pandas.NA": ([0, 1, 1, pd.NA], "<NA>"),
    "str": (TEXT, str(TEXT.iloc[3])),  # nan, and None before pandas 3
    "Categorical": (pd.Categorical(["a", "b", "b", None]), "nan"),
    "category": (pd.Series(["a", "b", "b", None], dtype="category", index=[3, 2, 1, 0]), "nan"),
}


@pytest.mark.parametrize(("labels", "shown"), MISSING.values(), ids=MISSING)
def test_missing_labels_are_refused_or_left_out(labels, shown):
    message = f"must not hold missing labels; got {shown} at position 3. "
    message += 'Pass missing="drop" to leave such objects out.'
    for name, sides in (("labels_pred", ([0, 0, 1, 1], labels)), ("labels_true", (labels, [0, 0, 1, 1]))):
        with pytest.raises(ValueError, match=re.escape(f"`{name}` {message}")):
            contingency_table(*sides)
    assert cells([0, 0, 1, 1], labels, missing="drop") == [[1, 1], [0, 1]]
    assert cells(labels, [0, 0, 1, 1], missing="drop") == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    "kind", ["tuple", "float32", "object array", "Series", "Int64", "category", "floats"]
)
def test_noise_policies_worked_by_hand(kind):
    # object       0  1  2   3   4  5   6
    labels_true = [0, 0, 1, -1, -1, 1, -1]
    labels_pred = [5, 5, 6, 6, -1, -1, -1]
    pair = KINDS[kind](labels_true), KINDS[kind](labels_pred)
    kept = [[2, 0, 1], [0, 2, 0], [1, 0, 1]]  # rows -1, 0, 1; columns -1, 5, 6
    assert cells(*pair) == kept
    assert cells(*pair, noise="keep") == kept
    assert cells(*pair, noise="drop") == [[2, 0], [0, 1]]  # objects 0, 1 | 2
    # rows 0, 1, then objects 3, 4, 6; columns 5, 6, then objects 4, 5, 6
    singletons = [[2, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]
    assert cells(*pair, noise="singletons") == singletons
    assert contingency_table(*pair, noise="singletons").pair_counts == (1, 1, 1, 18)


@pytest.mark.parametrize(
    ("labels", "noise_label"),
    [
        (np.array(["a", "noise", "b", "noise"]), "noise"),
        (pd.Categorical(["a", "noise", "b", "noise"]), "noise"),
        (np.array([1, 0, 2, 0], dtype=np.uint8), np.int64(0)),
        (np.array([1.5, -1.0, 2.5, -1.0]), -1),
        ([True, False, True, False], False),
        ([("a", 1), ("c", 1), ("b", 1), ("c", 1)], ("c", 1)),
    ],
)
def test_noise_label_of_any_kind(labels, noise_label):
    assert contingency_table([7, 7, 7, 7], labels, noise={noise_label: "drop"}).n == 2
    single = contingency_table([7, 7, 7, 7], labels, noise={noise_label: "singletons"})
    merged = contingency_table([7, 7, 7, 7], labels, noise={noise_label: "keep"})
    assert single.shape[1] == merged.shape[1] + 1
    assert cells(labels, [7, 8, 9, 9], noise={noise_label: "drop"})[-1][-1] == 1


def test_each_side_has_its_own_noise():
    sides = ["a", "b", "?", "?", "b"], [-1, 0, -1, 1, 1]
    table = contingency_table(*sides, noise=({"?": "singletons"}, {-1: "singletons"}))
    assert names(table) == (["a", "b", ("?", 2), ("?", 3)], [0, 1, (-1, 0), (-1, 2)])
    chunks = [[side[:3] for side in sides], [side[3:] for side in sides]]
    in_chunks = contingency_table_from(chunks, noise=({"?": "singletons"}, {-1: "singletons"}))
    assert (in_chunks, names(in_chunks)) == (table, names(table))
    assert names(contingency_table(*sides, noise=({"?": "drop"}, "keep"))) == (["a", "b"], [-1, 0, 1])
    assert names(contingency_table(*sides, noise=({"?": "keep"}, {0: "drop"}))) == (["?", "a", "b"], [-1, 1])
    both = contingency_table([0, 5, 5], [5, 5, 0], noise={0: "drop"})
    assert (both.n, names(both)) == (1, ([5], [5]))
    for boolean in (np.array([True, False]), pd.array([True, False], dtype="boolean")):
        assert contingency_table(boolean, [3, 4], noise={2**63: "drop"}).n == 2


def test_a_side_without_noise_is_untouched():
    for labels in (["x", "y"], np.array([0, 255], dtype=np.uint8), [0.5, 1.5], pd.Categorical(["x", "y"])):
        for noise in ("drop", "singletons"):
            assert cells(labels, labels, noise=noise) == [[1, 0], [0, 1]]
    assert contingency_table([-1, -1], [0, 0], noise="drop").shape == (0, 0)
    assert contingency_table([], [], noise="singletons").shape == (0, 0)


def test_singletons_of_noise_do_not_collide_at_the_end_of_the_range():
    top = 2**63 - 1
    assert cells([top, -1, -1, top], [0, 0, 0, 0], noise="singletons") == [[2], [1], [1]]
    narrow = np.array([100, 50, 0, -100], dtype=np.int8)  # 50 - -100 is not an int8
    assert cells(narrow, [3, 2, 1, 0], noise="singletons") == np.eye(4).tolist()
    assert cells([True, False, False], [7, 7, 7], noise={0: "singletons"}) == [[1], [1], [1]]


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([0] * 149, ValueError, "must have the same length as `labels_true`; got 149 and 1."),
        (np.zeros((3, 2, 1)), ValueError, "must be one-dimensional; got shape (3, 2, 1)."),
        (pd.DataFrame({"x": [1], "y": [2]}), ValueError, "must be one-dimensional; got shape (1, 2)."),
        (np.array(3), ValueError, "must be one-dimensional; got shape ()."),
        (b"abc", TypeError, f"{LISTS} a bytes."),
        (None, TypeError, f"{LISTS} a NoneType."),
        (iter([0]), TypeError, f"{LISTS} a list_iterator."),
        (["a", "b", ["c"]], TypeError, "must hold hashable labels; got a list at position 2."),
        ([(1, []), 0], TypeError, "must hold hashable labels; got a tuple at position 0."),
    ],
)
def test_label_errors(labels, error, message):
    with pytest.raises(error, match="^" + re.escape(f"`labels_pred` {message}")):
        contingency_table([0], labels)


def test_policy_errors():
    with pytest.raises(ValueError, match=r"^`noise` must be one of None, .*; got 'singleton'. Did you mean"):
        contingency_table([0], [0], noise="singleton")
    with pytest.raises(ValueError, match=r"^`missing` must be one of 'raise', .*; got 'ignore'\.$"):
        contingency_table([0], [0], missing="ignore")
    with pytest.raises(ValueError, match=r"^`noise` must have a label in a mapping; got {}\.$"):
        contingency_table([0], [0], noise=("keep", {}))
    for noise in ({-1: "dorp"}, ("keep", {-1: "dorp"})):
        with pytest.raises(ValueError, match=r"^`noise` must be one .*'dorp'\. Did you mean 'drop'\?$"):
            contingency_table([0], [0], noise=noise)
