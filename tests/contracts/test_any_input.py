"""Random input at the public doors gets an answer, or an error of one line that names what is wrong."""

import csv
import datetime
import decimal
import io
import json
import math
import re
import unicodedata

import numpy as np
import pandas
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.cli.run import run
from chancecorr.machine.arguments import ArgumentError

NOT_CHECKED = [HealthCheck.function_scoped_fixture]
RANDOM_INPUT = settings(max_examples=100, deadline=None, suppress_health_check=NOT_CHECKED)
ODD_LABELS = (
    0, 1, True, 7.0, -0.0, "a", "", "é", b"a", (1, 2), frozenset({1}), None, math.nan, pandas.NaT, pandas.NA,
    np.ma.masked, 2**64, 10**400, math.inf, 1j, "\ud800", "a\x00", "\x1b[31m", "x" * 500, (), (1, math.nan),
    Ellipsis, int, decimal.Decimal("NaN"), decimal.Decimal("sNaN"), datetime.date(2020, 1, 1), np.float16(1),
    np.str_("a"), np.datetime64("NaT"), np.timedelta64(1, "s"), object(), [1], {}, np.array(1),
)  # fmt: skip
DTYPES = ["?", "i1", "u8", ">i4", "f2", "f8", "g", "F", "U3", "S3", "O", "M8[ns]", "m8[s]", "V4"]
INDICES = ["rand", "jaccard", "nmi_sum", "purity", "adjusted_rand", "mutual_information"]


@st.composite
def sides(draw):
    """Labels of one side: plain ones, odd ones, arrays of any type, or no list at all."""
    labels = draw(st.lists(st.sampled_from([*range(3)] * 20 + list(ODD_LABELS)), max_size=8))
    kind = draw(st.sampled_from(["list", "tuple", "array", "series", "mapping", "one"]))
    if kind == "array":
        return np.array(draw(st.lists(st.integers(0, 3), max_size=8))).astype(draw(st.sampled_from(DTYPES)))
    if kind == "series":
        return pandas.Series(labels, dtype=object)
    if kind == "mapping":
        return dict(enumerate(labels))
    if kind == "one":
        return draw(st.sampled_from(ODD_LABELS))
    return labels if kind == "list" else tuple(labels)


def call(function, *arguments, **options):
    """What a call returns, or None if it is refused in one line that names an argument."""
    try:
        return function(*arguments, **options)
    except (ValueError, TypeError, cc.indices.IndexEvaluationError) as error:
        refusal = error
    text, own = str(refusal), isinstance(refusal, ArgumentError | cc.indices.IndexEvaluationError)
    assert not isinstance(refusal, UnicodeError), text
    assert own or text.startswith("`"), f"{type(refusal).__name__} names no argument: {text[:300]}"
    assert "\n" not in text or isinstance(refusal, cc.indices.IndexEvaluationError)
    return None


def check_score(score):
    assert not math.isnan(score.adjusted) or score.remark
    assert math.isnan(score.p_value) or 0.0 <= score.p_value <= 1.0
    assert not score.variance < 0.0
    low, high = cc.get_index(score.index).range
    assert math.isnan(score.observed) or low - 1e-9 <= score.observed <= high + 1e-9
    assert repr(score)
    json.dumps(score.to_dict(), default=str)


@example({}, np.ma.masked, "rand", "raise")  # neither has a length
@RANDOM_INPUT
@given(sides(), sides(), st.sampled_from(INDICES), st.sampled_from(["raise", "drop"]))
def test_labels(labels_true, labels_pred, index, missing):
    score = call(cc.adjust, labels_true, labels_pred, index, missing=missing, n_tables=20, rng=1)
    if score is not None:
        check_score(score)
        value = call(cc.score, labels_true, labels_pred, index, missing=missing)
        assert value == pytest.approx(score.observed, nan_ok=True)


ODD_CELLS = st.sampled_from([2**31, 2**62, 2**64, 1.0, 0.5, math.nan, math.inf, None, "1", True, 1j])
ODD_TABLES = [None, 1, "table", [], [[]], np.zeros((0, 3)), np.ones((2, 2, 2)), np.eye(2, dtype="O")]
TABLES = st.one_of(
    st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=3), min_size=1, max_size=3),
    st.lists(st.lists(st.one_of(st.integers(-1, 9), ODD_CELLS), max_size=3), max_size=3),
    st.sampled_from(ODD_TABLES),
)


@RANDOM_INPUT
@given(table=TABLES, index=st.sampled_from(INDICES))
def test_tables(table, index):
    score = call(cc.adjust_table, table, index, n_tables=20, rng=1)
    if score is not None:
        check_score(score)


LINES = ["t,p\n", "0,1\n", "1,1\n", "a,b\n", "NA,\n", "=1+1,@a\n", "\x1b[31m", "\u202e"]
FILE_PARTS = st.sampled_from([*LINES, *',"1é\n\r\t\x00'])
WORDS = ["--missing", "drop", "--noise", "keep", "--index", "nmi", "--no-header", "-h", "x"]
DAMAGE = st.sampled_from([b"", b"\xff", b"\x1f\x8b", b"PAR1", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00"])


@RANDOM_INPUT
@given(
    content=st.lists(FILE_PARTS, max_size=10),
    damage=st.tuples(DAMAGE, DAMAGE),
    ending=st.sampled_from([".csv", ".tsv", ".txt", ".parquet", ".feather", ""]),
    form=st.sampled_from([[], ["--json"], ["--csv"]]),
    rest=st.lists(st.sampled_from(WORDS), max_size=3),
)
def test_files_and_commands(content, damage, ending, form, rest, tmp_path, capfd):
    path = tmp_path / f"labels{ending}"
    path.write_bytes(damage[0] + "".join(content).encode() + damage[1])
    code = run(["adjust", "t", "p", "--data", str(path), "--n-tables", "20", *form, *rest])
    printed, said = capfd.readouterr()
    assert code in (0, 1, 2)
    if code:
        assert re.fullmatch(r"[`A-Z].*\n", said)
    for character in set(printed + said) - {"\n", "\u200c", "\u200d"}:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    if code == 0 and "-h" not in rest and form == ["--json"]:
        json.loads(printed, parse_constant=pytest.fail)
    if code == 0 and "-h" not in rest and form == ["--csv"]:
        rows = list(csv.reader(io.StringIO(printed, newline="")))
        assert len({len(row) for row in rows}) == 1
        assert not any(re.match(r"[=+@\t\r-](?![\d.]|inf)", cell) for row in rows for cell in row)
