"""Label vectors of all kinds, right ones and wrong ones."""

import array
import collections
import contextlib
import datetime
import decimal
import fractions
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow

import chancecorr as cc
from experiments.checks.fuzzing.trial import SLACK, Trial

Maker = Callable[[np.random.Generator, int], Any]

PLAIN: tuple[Any, ...] = (
    0, 1, -1, 2, True, False, 7.0, 1.5, -0.0, "a", "b", "", "1", "é", b"a", (1, 2), frozenset({1}),
)  # fmt: skip
MISSING: tuple[Any, ...] = (
    None, float("nan"), np.nan, np.float32("nan"), pandas.NaT, pandas.NA, np.datetime64("NaT"),
    np.timedelta64("NaT"), decimal.Decimal("NaN"), complex("nan"), np.ma.masked,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    2**63, 2**64, -(2**63) - 1, 10**400, float("inf"), -float("inf"), 1e308, 5e-324, 1j, "\ud800", "\x00",
    "a\x00", "\x1b[31m", "\u202e", "x" * 1000, b"", b"\xff\x00", (), (1, float("nan")), (None,), ((1,),
    2),
    Ellipsis, int, len, NotImplemented, decimal.Decimal(1), fractions.Fraction(1, 3), range(3), slice(1),
    datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.timedelta(1), uuid.UUID(int=1),
    np.int8(3), np.uint64(2**64 - 1), np.float16(1.0), np.longdouble(1), np.str_("a"), np.bytes_(b"a"),
    np.bool_(True), np.datetime64("2020-01-01", "ns"), np.timedelta64(1, "s"), np.complex64(1),
    np.dtype("i4"),
    pandas.Timestamp("2020-01-01"), pandas.Timestamp("2020-01-01", tz="UTC"), pandas.Interval(0, 1),
    pandas.Period("2020-01"), decimal.Decimal("sNaN"), object(), memoryview(b"ab"),
)  # fmt: skip
UNHASHABLE: tuple[Any, ...] = (
    [1], {}, {1}, bytearray(b"a"), np.array([1, 2]), np.array(1), np.zeros(0), pandas.Series([1]), (1,
    [2]),
)  # fmt: skip
DTYPES = (
    "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8", ">f8", "f2", "f4", "f8", "g", "F",
    "D",
    "U3", ">U2", "S3", "O", "M8[ns]", "M8[D]", "m8[s]", "V4", "U0", "S0",
)  # fmt: skip
PANDAS = (
    "Int64", "UInt8", "boolean", "Float64", "string", "category", "object", "datetime64[ns]",
    "int64[pyarrow]",
    "string[pyarrow]", "timedelta64[ns]", "double[pyarrow]", "bool[pyarrow]", "Sparse[int]", "period[D]",
)  # fmt: skip
INDICES = ("rand", "jaccard", "nmi_sum", "purity", "adjusted_rand", "mutual_information", "czekanowski")
"""Those that labels go through, cheap ones of three kinds."""


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """Two label vectors through the functions that take such."""
    n = int(rng.choice([0, 1, 2, 3, 5, 8, 13, 40]))
    makers = [MAKERS[int(rng.integers(len(MAKERS)))] for _ in range(2)]
    if rng.random() < 0.5:  # plain against odd: else nearly all would be refused for both
        makers[int(rng.integers(2))] = _integers
    lengths = [n, n] if rng.random() < 0.9 else [n, n + int(rng.integers(0, 3))]
    try:
        first, second = (make(rng, length) for make, length in zip(makers, lengths, strict=True))
    except Exception:  # what cannot be made is no input
        return
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["noise"] = _one(rng, [None, "keep", "drop", "singletons", "dorp", 0, [], np.nan])
        with contextlib.suppress(TypeError):  # an unhashable label is no key
            if rng.random() < 0.5:
                options["noise"] = {_one(rng, [*PLAIN, *MISSING, *ODD]): options["noise"]}
    if rng.random() < 0.5:
        options["missing"] = _one(rng, ["drop"] * 8 + ["raise", None, "Drop", 1])
    if rng.random() < 0.2:
        options["align"] = _one(rng, ["position", "raise", None, "x"])
    table = trial.call(cc.contingency_table, first, second, **options)
    if table is None:
        return
    _check_table(trial, table, first, second, options)
    name = str(rng.choice(INDICES))
    index = cc.get_index(name)
    what = int(rng.integers(4))
    if what == 0:
        value = trial.call(cc.score, first, second, name, **options)
        if value is not None:
            trial.check_value(index, value)
            swapped = trial.call(cc.score_table, table.dense_counts().T.copy(), name)
            if index.symmetric and not _same(value, swapped):
                trial.find(f"{name} is {value!r}, and {swapped!r} the other way round")
    elif what == 1:
        value = trial.call(cc.adjusted_score, first, second, name, undefined="nan", **options)
        if value is not None and not (isinstance(value, float) and not np.isinf(value)):
            trial.find(f"{name} adjusted is {value!r}")
    elif what == 2:
        score = trial.call(
            cc.adjust, first, second, index=name, n_tables=50, method="monte-carlo", rng=0, **options
        )
        if score is not None:
            trial.check_score(score)
    else:
        trial.call(repr, table)
        trial.call(lambda: (table.row_labels, table.column_labels, table.pair_counts))
        trial.call(table.to_frame)
        chunks = [(first, second), (second, first)]
        trial.call(cc.ContingencyTable.from_chunks, chunks, **options)
        if rng.random() < 0.5:
            trial.call(cc.compare, first, {"a": second}, index=name, n_tables=20, rng=0, **options)


def _check_table(trial: Trial, table: cc.ContingencyTable, first: Any, second: Any, options: Any) -> None:
    """The table has the objects that were given; of two plain lists it is what a dictionary counts."""
    if table.n < 0 or (table.n > len(first)):
        trial.find(f"the table has {table.n} objects")
    if int(table.counts.sum()) != table.n:
        trial.find(f"the cells sum to {int(table.counts.sum())} of {table.n} objects")
    if options or not (isinstance(first, list) and isinstance(second, list)):
        return
    counted = Counter(zip(first, second, strict=True))
    cells = sorted(table.nonzero_cells[2].tolist())
    if cells != sorted(counted.values()):
        trial.find(f"the cells are {cells}, and {sorted(counted.values())} by a dictionary")


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]


def _some(rng: np.random.Generator, among: Any, n: int) -> list[Any]:
    return [_one(rng, among) for _ in range(n)]


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None or (np.isnan(one) and np.isnan(other)):
        return True
    return bool(one == other or abs(one - other) <= SLACK * max(1.0, abs(one)))


def _integers(rng: np.random.Generator, n: int) -> list[int]:
    return list(map(int, rng.integers(0, 3, size=n)))


def _plain(rng: np.random.Generator, n: int) -> list[Any]:
    return _some(rng, PLAIN, n)


def _mixed(rng: np.random.Generator, n: int) -> list[Any]:
    pool = [*PLAIN, *_some(rng, MISSING, 1), *_some(rng, ODD, 3)]
    return _some(rng, pool, n)


def _few_odd(rng: np.random.Generator, n: int) -> list[Any]:
    return _some(rng, _some(rng, [*PLAIN, *MISSING, *ODD, *UNHASHABLE], 2), n)


def _of_type(rng: np.random.Generator, n: int) -> Any:
    dtype = np.dtype(str(_one(rng, DTYPES)))
    if dtype.kind in "fFD" and rng.random() < 0.7:
        values = np.array(_some(rng, [0.0, -0.0, 1.0, 1.5, np.nan, np.inf, -np.inf, 1e30], n), dtype="f8")
        with np.errstate(all="ignore"):
            return values.astype(dtype)
    if dtype.kind in "iu" and rng.random() < 0.5:
        info = np.iinfo(dtype)
        return np.array(_some(rng, [info.min, info.max, 0, 1], n), dtype=dtype)
    if dtype.kind in "Mm":
        return rng.integers(0, 3, size=n).astype("i8").view("i8").astype(dtype)
    if dtype.kind == "O":
        return np.array([*_mixed(rng, n), None], dtype=object)[:-1]
    if dtype.kind == "V":
        return np.zeros(n, dtype=dtype)
    return rng.integers(0, 2, size=n).astype(dtype)


def _strange_array(rng: np.random.Generator, n: int) -> Any:
    numbers = rng.integers(0, 3, size=2 * n)
    return _one(
        rng,
        [
            numbers[::2], numbers[:n][::-1], numbers[:n].reshape(-1, 1), numbers[:n].reshape(1, -1),
            np.array(1), np.zeros((0, 3)), np.ma.array(numbers[:n], mask=numbers[:n] == 1),
            np.ma.array(numbers[:n].astype(float), mask=True), np.ma.array(numbers[:n].reshape(-1, 1)),
            np.rec.array(list(zip(numbers[:n], numbers[n:], strict=True)), dtype=[("a", "i4"), ("b",
            "i4")]),
            numbers[:n].astype("i8").view(np.matrix) if n else np.matrix([[]]),
            np.broadcast_to(np.int64(1), n), np.frombuffer(bytes(n), dtype=np.uint8),
        ],
    )  # fmt: skip


def _container(rng: np.random.Generator, n: int) -> Any:
    labels = _integers(rng, n)
    return _one(
        rng,
        [
            tuple(labels), range(n), collections.deque(labels), array.array("i", labels), bytes(labels),
            bytearray(labels), memoryview(bytes(labels)), iter(labels), (x for x in labels), set(labels),
            dict.fromkeys(labels), "abc" * n, None, 3, object(), collections.UserList(labels),
            np.array(labels).tolist() and np.array(labels)[0], [labels], [[x] for x in labels], map(int,
            labels),
            dict.fromkeys(labels).keys(), lambda: labels, Ellipsis, type,
        ],
    )  # fmt: skip


def _of_pandas(rng: np.random.Generator, n: int) -> Any:
    if rng.random() < 0.3:
        values = _mixed(rng, n)
        made: Any = _one(rng, [pandas.Series, pandas.Index, pandas.Categorical, pandas.array])(values)
    else:
        pool = _one(rng, [[0, 1, 2], [0, 1, None], ["a", "b"], ["a", None], [True, False, None], [0.5, 1.0]])
        made = pandas.Series(_some(rng, pool, n)).astype(str(_one(rng, PANDAS)))
    if rng.random() < 0.2 and isinstance(made, pandas.Series):
        made.index = rng.permutation(n)
    if rng.random() < 0.1:
        return pandas.DataFrame({"a": made})
    if rng.random() < 0.05:
        return pandas.MultiIndex.from_arrays([_integers(rng, n), _integers(rng, n)])
    return made


def _of_polars(rng: np.random.Generator, n: int) -> Any:
    kinds = (
        polars.Int8, polars.UInt64, polars.Float32, polars.String, polars.Boolean, polars.Categorical,
        polars.Date, polars.Datetime, polars.List(polars.Int64), polars.Null, polars.Binary,
        polars.Object,
        polars.Decimal(10, 2), polars.Time, polars.Duration, polars.Int128, polars.Enum(["a", "b"]),
        polars.Struct({"a": polars.Int64}), polars.Array(polars.Int64, 1),
    )  # fmt: skip
    pool = _one(rng, [[0, 1], [0, None], ["a", "b", None], [0.5, float("nan")], [None], [[1], None], [True]])
    series = polars.Series("a", _some(rng, pool, n), strict=False)
    if rng.random() < 0.7:
        series = series.cast(_one(rng, kinds), strict=False)
    return series.to_frame() if rng.random() < 0.05 else series


def _of_arrow(rng: np.random.Generator, n: int) -> Any:
    kinds = (
        pyarrow.int8(), pyarrow.uint64(), pyarrow.float16(), pyarrow.float64(), pyarrow.string(),
        pyarrow.large_string(), pyarrow.binary(), pyarrow.bool_(), pyarrow.date32(),
        pyarrow.timestamp("ns"),
        pyarrow.null(), pyarrow.list_(pyarrow.int64()), pyarrow.dictionary(pyarrow.int8(),
        pyarrow.string()),
        pyarrow.decimal128(10, 2), pyarrow.string_view(), pyarrow.duration("s"), pyarrow.time32("s"),
        pyarrow.struct([("a", pyarrow.int64())]), pyarrow.month_day_nano_interval(),
    )  # fmt: skip
    pool = _one(rng, [[0, 1], [0, None], ["a", "b", None], [0.5, float("nan")], [None], [[1], None], [True]])
    made = pyarrow.array(_some(rng, pool, n))
    if rng.random() < 0.7:
        made = made.cast(_one(rng, kinds))
    if rng.random() < 0.3:
        made = made.dictionary_encode()
    if rng.random() < 0.3:
        made = pyarrow.chunked_array([made, made[:0]]) if rng.random() < 0.5 else made[: n // 2]
    return made


MAKERS: tuple[Maker, ...] = (
    _integers, _plain, _mixed, _few_odd, _of_type, _of_type, _strange_array, _container, _of_pandas,
    _of_pandas,
    _of_polars, _of_arrow,
)  # fmt: skip
