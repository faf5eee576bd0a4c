"""What rows and columns are called: of every kind of labels, through copies, frames and pages."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from chancecorr import ContingencyTable, contingency_table
from tests.tables.test_dataframes import CONTAINERS, LABELS
from tests.tables.twins import names

PARTNER = [0, 0, 0, 1, 1, 1, 1]

INTEGER_TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


class TestFoundByCounting:
    @pytest.mark.parametrize("container", CONTAINERS)
    def test_columns_of_dataframes(self, container):
        as_pandas = {
            "date": pd.Timestamp,
            "datetime": lambda label: pd.Timestamp(label).tz_localize(None),  # NumPy's times are those of UTC
            "duration": pd.Timedelta,
        }
        for kind in LABELS:
            labels = [LABELS[kind][0], *LABELS[kind]]
            found = contingency_table(container(kind, labels), PARTNER).row_labels.tolist()
            if kind in as_pandas:
                assert [*map(as_pandas[kind], found)] == sorted(set(map(as_pandas[kind], labels))), kind
            else:
                assert found == sorted(set(labels)), kind
                assert all(isinstance(each, type(labels[0])) for each in found), kind

    @pytest.mark.parametrize("dtype", [*INTEGER_TYPES, np.bool_, ">i4", ">u8"])
    def test_integers_keep_their_type(self, dtype):
        dtype = np.dtype(dtype)
        low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        for labels in ([low, high, high, low], [low, low, low, low], [high] * 4):
            table = contingency_table(np.array(labels, dtype=dtype), [0, 1, 1, 2])
            assert table.row_labels.tolist() == sorted(set(labels))
            assert table.row_labels.dtype == dtype.newbyteorder("=")

    def test_sparse_tables_and_gaps(self):
        side = np.arange(2001)
        table = contingency_table(side * 10**6 - 3, side[::-1] * 3)
        assert scipy.sparse.issparse(table.counts)
        assert names(table) == ((side * 10**6 - 3).tolist(), (side * 3).tolist())


class TestGiven:
    def test_by_keyword(self):
        table = ContingencyTable([[2, 0], [1, 3]], row_labels=["cat", "owl"], column_labels=(1.5, "x"))
        assert names(table) == (["cat", "owl"], [1.5, "x"])
        assert names(ContingencyTable([[2, 0], [1, 3]])) == ([0, 1], [0, 1])
        assert names(ContingencyTable([[2], [1]], row_labels=[(1, 2), (3, 4)])) == ([(1, 2), (3, 4)], [0])

    def test_a_copy_is_kept_and_it_is_read_only(self):
        given = np.array([4, 5])
        table = ContingencyTable([[2, 0], [1, 3]], row_labels=given)
        given[0] = 99
        assert table.row_labels.tolist() == [4, 5]
        for labels in (table.row_labels, table.column_labels, contingency_table([1], ["a"]).column_labels):
            with pytest.raises(ValueError, match="read-only"):
                labels[0] = 7

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            (["a"], "`row_labels` must hold one label for each of the 2 rows; got 1."),
            (["a", "a"], "`row_labels` must hold every label once; got 'a' again."),
            ([1, 1.0], "`row_labels` must hold every label once; got 1 again."),
            (["a", None], "`row_labels` must not hold missing labels; got None at position 1."),
            ([[1], [2]], "`row_labels` must hold hashable labels; got a list at position 0."),
            ("ab", "`row_labels` must be an array, list or Series of labels; got a str."),
            (np.eye(2), "`row_labels` must be one-dimensional; got shape (2, 2)."),
        ],
    )
    def test_errors(self, labels, message):
        with pytest.raises((TypeError, ValueError), match="^" + re.escape(message) + "$"):
            ContingencyTable([[2, 0, 1], [1, 3, 1]], row_labels=labels)

    def test_a_dataframe_brings_its_own(self):
        frame = pd.crosstab(pd.Series(["b", "a", "b"]), pd.Series([4, 4, 9]))
        assert names(ContingencyTable(frame)) == (["a", "b"], [4, 9])
        assert names(ContingencyTable(frame, row_labels=[7, 8])) == ([7, 8], [4, 9])
        assert names(ContingencyTable(frame.set_axis(["a", "a"]))) == ([0, 1], [4, 9])
        assert names(ContingencyTable(frame.set_axis([np.nan, 1.0]))) == ([0, 1], [4, 9])


TABLES = {
    "found": contingency_table(["owl", "cat", "cat"], [0.5, 2.5, 2.5]),
    "given": ContingencyTable([[2, 0], [1, 3]], row_labels=["cat", "owl"]),
    "sparse": ContingencyTable(scipy.sparse.csr_array([[2, 0], [1, 3]]), column_labels=["cat", "owl"]),
    "singletons": contingency_table([0, -1, -1], [-1, 0, -1], noise="singletons"),
}


@pytest.mark.parametrize("duplicate", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_copies_have_the_same_labels(table, duplicate):
    twin = duplicate(duplicate(table))
    assert twin == table
    assert names(twin) == names(table)
    assert not twin.row_labels.flags.writeable


class TestFrame:
    @pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
    def test_there_and_back(self, table):
        back = ContingencyTable(table.to_frame())
        assert back == table
        assert names(back) == names(table)


class TestPlainText:
    @pytest.mark.parametrize("name", ["found", "given", "singletons"])
    def test_it_can_be_evaluated(self, name):
        twin = eval(repr(TABLES[name]))
        assert twin == TABLES[name]
        assert names(twin) == names(TABLES[name])
