"""Columns of pandas, polars and Arrow: every label stays what it is, missing ones beside it or not."""

import datetime
import re
from decimal import Decimal

import numpy as np
import pytest

from chancecorr import contingency_table
from tests.tables.twins import cells, twin

NEAR = 2**60  # at this size float64 holds every 256th whole number only
MOMENT = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)

LABELS = {
    "int64": [NEAR + 1, NEAR + 2, -NEAR, NEAR + 1, NEAR + 2, NEAR + 3],
    "uint64": [2**64 - 1, 2**64 - 2, 0, 2**64 - 1, 2**64 - 2, 2**64 - 3],
    "int8": [1, 2, -7, 1, 2, 3],
    "bool": [True, False, False, True, False, True],
    "float64": [0.5, 0.25, -1.0, 0.5, 0.25, 2.0**70],
    "decimal": [Decimal(NEAR + each).scaleb(-2) for each in (1, 2, -9, 1, 2, 3)],
    "string": ["NA", "na", "", "NA", "na", "nan"],
    "date": [datetime.date(2020, 1, day) for day in (1, 2, 9, 1, 2, 3)],
    "datetime": [MOMENT + datetime.timedelta(microseconds=each) for each in (1, 2, 9, 1, 2, 3)],
    "duration": [datetime.timedelta(20_000, 0, each) for each in (1, 2, 9, 1, 2, 3)],
    "time": [datetime.time(12, 0, 0, each) for each in (1, 2, 9, 1, 2, 3)],
}
PARTNER = [0, 0, 1, 1, 2, 2, 0, 1]


def arrow(kind, labels):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    types = {"decimal": pa.decimal128(30, 2), "datetime": pa.timestamp("us", "UTC"), "bool": pa.bool_(),
             "date": pa.date32(), "duration": pa.duration("us"), "time": pa.time64("us"),
             }  # fmt: skip
    return pa.array(labels, type=types[kind] if kind in types else getattr(pa, kind)())


def chunked(kind, labels):
    whole = arrow(kind, labels)
    return pytest.importorskip("pyarrow").chunked_array([whole[:3], whole[3:3], whole[3:]])


def dictionary(kind, labels):
    return arrow(kind, labels).dictionary_encode()


def pandas_arrow(kind, labels):
    pd = pytest.importorskip("pandas", reason="needs pandas")
    return pd.Series(pd.arrays.ArrowExtensionArray(arrow(kind, labels)))


def pandas_own(kind, labels):
    """The nullable type of pandas itself."""
    pd = pytest.importorskip("pandas", reason="needs pandas")
    types = {"int64": "Int64", "uint64": "UInt64", "int8": "Int8", "bool": "boolean", "float64": "Float64",
             "string": "string", "datetime": "datetime64[ns, UTC]", "duration": "timedelta64[ns]",
             }  # fmt: skip
    return pd.Series(labels, dtype=types.get(kind, object))


def polars(kind, labels):
    pl = pytest.importorskip("polars", reason="needs polars")
    types = {"int64": pl.Int64, "uint64": pl.UInt64, "int8": pl.Int8, "bool": pl.Boolean,
             "float64": pl.Float64, "decimal": pl.Decimal(30, 2), "string": pl.String, "date": pl.Date,
             "datetime": pl.Datetime("us", "UTC"), "duration": pl.Duration("us"), "time": pl.Time,
             }  # fmt: skip
    return pl.Series(labels, dtype=types[kind])


CONTAINERS = [arrow, chunked, dictionary, pandas_arrow, pandas_own, polars]


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_columns_against_python_objects(container, kind):
    for gaps in [(), (2, 7)]:
        labels = [*LABELS[kind], LABELS[kind][0], LABELS[kind][1]]
        for position in gaps:
            labels[position] = None
        column, expected = container(kind, labels), twin(labels, PARTNER)
        assert cells(column, PARTNER, missing="drop") == expected, gaps
        assert np.transpose(cells(PARTNER, column, missing="drop")).tolist() == expected, gaps
        if gaps:
            with pytest.raises(ValueError, match=rf"missing labels; got .* at position {gaps[0]}\."):
                contingency_table(column, PARTNER)
        else:
            assert cells(column, PARTNER) == expected, gaps
        if kind in ("int64", "bool", "string", "decimal"):
            kept = [None if label == labels[1] else label for label in labels]
            partner = [label + 50 for label in PARTNER]  # no noise there: False would equal 0
            without = cells(column, partner, missing="drop", noise={labels[1]: "drop"})
            assert without == twin(kept, partner), gaps


@pytest.mark.parametrize("unit", ["ns", "us"])
@pytest.mark.parametrize("kind", ["timestamp", "duration", "time64"])
def test_nanoseconds_stay_apart(kind, unit):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    labels = [10**9 + 1, 10**9 + 2, None, 10**9 + 1]
    pl = pytest.importorskip("polars", reason="needs polars")
    types = {"timestamp": pl.Datetime(unit), "duration": pl.Duration(unit), "time64": pl.Time}
    own = pl.Series(labels, dtype=pl.Int64).cast(types[kind])
    for column in (pa.array(labels, type=getattr(pa, kind)(unit)), own):
        assert cells(column, [0, 1, 1, 0], missing="drop") == twin(labels, [0, 1, 1, 0])


def test_integers_of_128_bits():
    pl = pytest.importorskip("polars", reason="needs polars")
    labels = [2**100, 2**100 + 1, None, 2**100]
    found = cells(pl.Series(labels, dtype=pl.Int128), [0, 1, 1, 0], missing="drop")
    assert found == twin(labels, [0, 1, 1, 0])


NESTED = "`labels_pred` must hold one plain label per object; got {} of nested type {}. Take one field of it,"


@pytest.mark.parametrize(
    ("labels", "shown"), [([[1], [2, 3]], "list<item: int64>"), ([{"x": 1}, {"x": 2}], "struct<x: int64>")]
)
def test_nested_arrow_is_refused_by_its_type(labels, shown):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    message = re.escape(NESTED.format("an Arrow array", shown))
    with pytest.raises(TypeError, match=message):
        contingency_table([0, 1], pa.array(labels))
    pd = pytest.importorskip("pandas", reason="needs pandas")
    with pytest.raises(TypeError, match=message):
        contingency_table([0, 1], pd.Series(pd.arrays.ArrowExtensionArray(pa.array(labels))))
