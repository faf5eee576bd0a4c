"""Tables of counts, right ones and wrong ones."""

import decimal
from typing import Any

import numpy as np
import pandas
import scipy.sparse

import chancecorr as cc
from experiments.checks.fuzzing.trial import SLACK, Trial

NUMBERS = (0, 1, 2, 3, 10, 1000)
HOSTILE: tuple[Any, ...] = (
    -1, 0.5, 2.0, 1e9, 1e10, 1e19, 1e300, float("nan"), float("inf"), -float("inf"), -0.0, True, None,
    "1",
    2**31, 3_037_000_499, 3_037_000_500, 2**62, 2**63 - 1, 2**63, 2**64, 10**400, 1j, b"1", [1],
    pandas.NA,
    decimal.Decimal(1), decimal.Decimal("NaN"), decimal.Decimal("0.5"), np.float32(1), np.uint64(2**63),
    object(),
    pandas.NaT, np.datetime64("NaT"), np.longdouble(3), (1, 2), {},
)  # fmt: skip
SPARSE = (
    "csr_array", "csc_array", "coo_array", "dok_array", "lil_array", "bsr_array", "dia_array", "csr_matrix",
    "coo_matrix",
)  # fmt: skip
DTYPES = ("?", "i1", "u1", "i8", "u8", ">i4", "f2", "f4", "f8", "g", "D", "O", "U3", "S3", "M8[D]", "m8[s]")
METHODS = ("auto", "analytic", "monte-carlo", "exact")
UNDER_TEST: list[str] = []
"""Names of all indices that any input may be given to; filled when first asked for."""


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """A table through the functions that take such."""
    try:
        counts = _counts(rng)
    except Exception:  # what cannot be made is no input
        return
    options = {}
    if rng.random() < 0.15:
        options["row_labels"] = _one(
            rng, [["a", "b"], [1, 1], [None, 1], [[1], [2]], "ab", 3, range(2), [1, "1"]]
        )
    table = trial.call(cc.ContingencyTable, counts, **options)
    if table is None:
        return
    if int(table.row_totals.sum()) != table.n or int(table.column_totals.sum()) != table.n:
        trial.find("the totals do not sum to the number of objects")
    index = cc.get_index(any_index(rng))
    value = trial.call(cc.score_table, table, index)
    if value is not None:
        trial.check_value(index, value)
        other = trial.call(cc.score_table, cc.ContingencyTable(table.dense_counts().T), index)
        if index.symmetric and not same(value, other):
            trial.find(f"{index.name} is {value!r}, and {other!r} the other way round")
    small = table.n <= 60 and max(table.shape) <= 6
    method = str(_one(rng, METHODS)) if small else "monte-carlo"
    score = trial.call(
        cc.adjust_table, table, index=index, n_tables=50, method=method, rng=int(rng.integers(9))
    )
    if score is not None:
        trial.check_score(score)
        if rng.random() < 0.1:
            trial.call(score.interval)
    trial.call(repr, table)
    if rng.random() < 0.2:
        trial.call(table._repr_html_)
        trial.call(table.to_frame)


def any_index(rng: np.random.Generator) -> str:
    """Name of any index of the catalogue."""
    if not UNDER_TEST:
        UNDER_TEST.extend(cc.list_indices())
    return str(_one(rng, UNDER_TEST))


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, rounding aside."""
    if one is None or other is None or (np.isnan(one) and np.isnan(other)):
        return True
    return bool(one == other or abs(one - other) <= SLACK * max(1.0, abs(one)))


def _counts(rng: np.random.Generator) -> Any:
    shape = tuple(map(int, rng.integers(0, 6, size=2)))
    if rng.random() < 0.3:
        shape = (max(shape[0], 1), max(shape[1], 1))
    plain = rng.choice(NUMBERS, size=shape)
    if rng.random() < 0.3:
        plain = np.minimum(plain, 3)
    what = int(rng.integers(10))
    if what < 3:
        return plain.tolist() if what else plain
    if what == 3:
        with np.errstate(all="ignore"):
            return plain.astype(str(_one(rng, DTYPES)))
    if what == 4 and plain.size:
        wrong = plain.astype(object)
        for _ in range(int(rng.integers(1, 3))):
            wrong[tuple(int(rng.integers(size)) for size in shape)] = _one(rng, HOSTILE)
        return wrong if rng.random() < 0.3 else wrong.tolist()
    if what == 5:
        huge = rng.choice([0, 1, 10**6, 10**9, 3_037_000_499, 2**62, 2**63 - 1], size=shape)
        return huge.astype(np.uint64) if rng.random() < 0.3 else huge
    if what == 6:
        numbers = plain.astype(str(_one(rng, ["i8", "f8", "i1", "u8", "?", "f4"])))
        if numbers.size and rng.random() < 0.2:
            numbers[0, 0] = _one(rng, [-1, 0, 1])
        return getattr(scipy.sparse, str(_one(rng, SPARSE)))(numbers)
    if what == 7:
        frame = pandas.DataFrame(plain)
        if rng.random() < 0.4:
            frame.index = pandas.Index(
                _one(rng, [list("ab") * 3, [None] * 6, [1.5] * 6, list(range(6))])[: shape[0]]
            )
        if rng.random() < 0.4:
            frame = frame.astype(
                str(_one(rng, ["Int64", "float", "object", "string", "category", "boolean"]))
            )
        return frame
    if what == 8:
        return _one(
            rng,
            [
                None, 3, "ab", b"ab", [], [[]], [[[1]]], [[1], [1, 2]], [1, 2], {}, {1: 2}, {(1, 2)},
                object(),
                np.array(1), np.zeros((2, 2, 2)), np.zeros((0, 3)), np.ma.array(plain, mask=plain == 1),
                iter([[1]]),
                np.matrix([[1, 2]]), np.rec.array([(1, 2)]), range(3), (x for x in ([1],)),
                pandas.Series([1]),
                [[1, 2], "ab"], [["1", "2"]], Ellipsis, int, np.float64(1), [[np.array([1])]], lambda: 1,
                scipy.sparse.csr_array(np.zeros((0, 0))), scipy.sparse.coo_array(np.array([1, 2])),
            ],
        )  # fmt: skip
    sizes = rng.integers(1, 40, size=2)
    return rng.poisson(float(rng.choice([0.05, 1.0, 50.0])), size=sizes)


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]
