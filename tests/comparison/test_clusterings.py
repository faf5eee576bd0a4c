"""Many clusterings of the same objects, however they are given, and what is refused."""

import itertools
import re

import numpy as np
import pytest

from chancecorr import contingency_table
from chancecorr.comparison.clusterings import read_many

A, B, C = [0, 0, 1, 1, 2], ["x", "y", "y", "z", "x"], [5, 5, 5, 5, 5]


def frame_of(kind, columns):
    if kind == "pandas":
        return pytest.importorskip("pandas").DataFrame(columns)
    if kind == "polars":
        return pytest.importorskip("polars").DataFrame(columns)
    table = pytest.importorskip("pyarrow").table(columns)
    return table if kind == "table" else table.to_batches()[0]


def check_tables(read, vectors, **reading):
    """Every pair has the table that its labels have."""
    for (i, first), (j, second) in itertools.product(enumerate(vectors), repeat=2):
        assert read.table(i, j) == contingency_table(first, second, **reading)


@pytest.mark.parametrize("kind", ["pandas", "polars", "table", "batch"])
def test_columns_of_a_frame(kind):
    columns = {"a": A, "b": B, "c": C}
    read = read_many("clusterings", frame_of(kind, columns))
    assert read.names == ("a", "b", "c")
    assert read.codes.tolist() == [[0, 0, 1, 1, 2], [0, 1, 1, 2, 0], [0, 0, 0, 0, 0]]
    assert read.codes.dtype == np.uint8
    assert [sizes.tolist() for sizes in read.sizes] == [[2, 2, 1], [2, 2, 1], [5]]
    assert (len(read), read.n) == (3, 5)
    check_tables(read, columns.values())


def test_dictionaries_lists_and_arrays():
    named = {"a": A, 7: B, ("b", 2): C}
    for names, given in ((tuple(named), named), ((0, 1, 2), [A, np.array(B), tuple(C)])):
        read = read_many("clusterings", given)
        assert read.names == names
        check_tables(read, [A, B, C])
    array = np.array([A, C, A[::-1]])
    for rows in (array, np.asfortranarray(array), *map(array.astype, (float, str, object))):
        read = read_many("clusterings", rows)
        assert read.names == (0, 1, 2)
        check_tables(read, [A, C, A[::-1]])


def test_the_reference_comes_first():
    read = read_many("candidates", {"b": B}, reference=("labels_true", A))
    assert read.names == ("labels_true", "b")
    check_tables(read, [A, B])


def test_objects_missing_anywhere_are_left_out_everywhere():
    vectors = [[0, None, 1, 1, 2, 2], [0.5, 0.5, np.nan, 1, 1, 1], ["a", "b", "c", "d", "d", "a"]]
    read = read_many("clusterings", vectors, missing="drop", drop="common")
    assert read.n == 4
    check_tables(read, [[each[k] for k in (0, 3, 4, 5)] for each in vectors])
    assert read.codes.max(axis=1).tolist() == [2, 1, 1]  # clusters that are left have numbers without gaps


@pytest.mark.parametrize("noise", [None, "keep", "singletons"])
def test_noise_in_each_clustering(noise):
    vectors = [[-1, 0, 0, -1, 1, 1], [0, 0, 0, 0, 1, 1], [2, -1, 2, 2, -1, -1]]
    read = read_many("clusterings", vectors, noise=noise)
    check_tables(read, vectors, noise=noise)
    n_clusters = {None: [3, 2, 2], "keep": [3, 2, 2], "singletons": [4, 2, 4]}[noise]
    assert [sizes.size for sizes in read.sizes] == n_clusters


def test_noise_dropped_anywhere_is_dropped_everywhere():
    vectors = [["-", "a", "a", "b", "b"], ["x", "x", "y", "y", "-"]]
    read = read_many("clusterings", vectors, noise={"-": "drop"}, drop="common")
    assert read.n == 3
    check_tables(read, [each[1:4] for each in vectors])


@pytest.mark.parametrize("drop", ["each", "common"])
def test_noise_objects_are_called_by_their_places_among_all(drop):
    vectors, reading = [[None, -1, 0, -1], [1, 1, -1, 0]], {"noise": "singletons", "missing": "drop"}
    table = read_many("clusterings", vectors, **reading, drop=drop).table(0, 1)
    assert table.row_labels.tolist() == [0, (-1, 1), (-1, 3)]
    assert table.column_labels.tolist() == [0, 1, (-1, 2)]


def test_one_object_and_none():
    assert read_many("clusterings", [[3], ["a"]]).codes.tolist() == [[0], [0]]
    nothing = read_many("clusterings", [[], []])
    assert (nothing.n, [sizes.size for sizes in nothing.sizes]) == (0, [0, 0])


ANY = (
    "`given` must be a dictionary of names and label vectors, a list of label vectors, an array of one"
    " clustering a row, or a data frame of one a column; got {}. Pass {{'name': labels}}."
)
REFUSED = [
    ({"a": A, "b": B[:4]}, ValueError,
     "`given['b']` must have the same length as `given['a']`; got 4 and 5."),
    ([A, B, A[:2]], ValueError, "`given[2]` must have the same length as `given[0]`; got 2 and 5."),
    ({"a": A}, ValueError, "`given` must hold at least two clusterings; got 1."),
    ({}, ValueError, "`given` must hold at least two clusterings; got none."),
    (np.zeros(4, dtype=int), ValueError,
     "`given` must have two dimensions, one clustering a row; got shape (4,). Pass {'name': labels}."),
    ([0, 0, 1], TypeError,
     "`given` must hold label vectors; got an int at position 0. Pass {'name': labels}."),
    ([A, "xyzzy"], TypeError,
     "`given` must hold label vectors; got a str at position 1. Pass {'name': labels}."),
    ("abcde", TypeError, ANY.format("a str")),
    (7, TypeError, ANY.format("an int")),
    ({"a": A, "b": 3}, TypeError, "`given['b']` must be an array, list or Series of labels; got an int."),
    ({"a": A, "b": [0, 1, None, 1, 0]}, ValueError,
     "`given['b']` must not hold missing labels; got None at position 2. Pass missing=\"drop\" to leave such"
     " objects out."),
    ([A, [[1], 2, 3, 4, 5]], TypeError, "`given[1]` must hold hashable labels; got a list at position 0."),
]  # fmt: skip


@pytest.mark.parametrize(("given", "error", "message"), REFUSED)
def test_errors(given, error, message):
    with pytest.raises(error, match="^" + re.escape(message) + "$") as caught:
        read_many("given", given, least=2)
    assert caught.value.argument == message.split("`")[1]


def test_missing_labels_of_a_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": A, "b": pd.array([0, 1, 1, pd.NA, 0], dtype="Int64")})
    message = "`given['b']` must not hold missing labels; got <NA> at position 3."
    with pytest.raises(ValueError, match=re.escape(message)):
        read_many("given", frame)
    dropped = read_many("given", frame, missing="drop", drop="common")
    assert dropped.codes.tolist() == [[0, 0, 1, 2], [0, 1, 1, 0]]


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_columns_of_one_name(kind):
    make = {
        "pandas": lambda names: pytest.importorskip("pandas").DataFrame(np.array([A, C, A]).T, columns=names),
        "arrow": lambda names: pytest.importorskip("pyarrow").table([A, C, A], names=names),
    }
    frame = make[kind](["a", "b", "a"])
    message = "`given` must have a different name for each column; got 'a' twice."
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        read_many("given", frame)


def test_different_indexes_are_matched_by_name():
    pd = pytest.importorskip("pandas")
    a, b = pd.Series([0, 0, 1], index=["x", "y", "z"]), pd.Series([5, 6, 6], index=["z", "y", "x"])
    matched = [[0, 0, 1], [1, 1, 0]]
    assert read_many("given", {"a": a, "b": b}).codes.tolist() == matched
    assert read_many("given", pd.DataFrame({"b": b}), reference=("labels_true", a)).codes.tolist() == matched
    with pytest.raises(TypeError, match=r"`given\['c'\]` must name the objects as `given\['a'\]` does"):
        read_many("given", {"a": a, "b": b, "c": [0, 0, 1]})  # no order goes for both
    b = pd.Series([5, 6, 6])
    message = (
        "`given['b']` must have the index of `given['a']`; got 0, not 'x', at position 0. Match the"
        " objects, or pass arrays, as by `.to_numpy()`, if they are in the same order."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        read_many("given", {"a": a, "b": b})
    message = "`given['b']` must have the index of `labels_true`; got 0, not 'x', at position 0."
    with pytest.raises(ValueError, match=re.escape(message)):
        read_many("given", pd.DataFrame({"b": b}), reference=("labels_true", a))
    assert read_many("given", {"a": a, "b": b.to_numpy()}).codes.tolist() == [[0, 0, 1], [0, 1, 1]]


def test_no_object_left():
    message = (
        "`given` must have an object that has a label and is not dropped as noise in every clustering; got"
        " none among 3."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        read_many("given", [[0, -1, -1], [-1, 0, 1]], noise="drop", drop="common")
    message = r"^`given\[1\]` must have an object that has a label and is not dropped .* got none among 3"
    with pytest.raises(ValueError, match=message):
        read_many("given", [[0, -1, -1], [-1, -1, -1]], noise="drop")
