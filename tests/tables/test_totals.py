"""Totals in a table of counts are refused at every door, and tables that only look so are not."""

import itertools

import numpy as np
import pytest
import scipy.sparse

import chancecorr as cc
from tests.cli.test_commands import fail, succeed, write

pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")

COUNTS = np.array([[50, 0, 0], [0, 48, 2], [0, 14, 36]])  # three species of iris, as k-means finds them
WITH_ROW = np.vstack([COUNTS, COUNTS.sum(axis=0)])
WITH_COLUMN = np.column_stack([COUNTS, COUNTS.sum(axis=1)])
WITH_BOTH = np.column_stack([WITH_ROW, WITH_ROW.sum(axis=1)])
WORDS = "Total", "total:", "Grand Total", "Sum", "All", "Gesamt", "Summe", "Somme", "Suma", "Итого", "合计"
DOORS = {
    "adjust_table": cc.adjust_table,
    "score_table": lambda counts: cc.score_table(counts, "rand"),
    "tail_probability": lambda counts: cc.tail_probability(counts, "rand"),
    "ContingencyTable": cc.ContingencyTable,
}


def name_rows(counts, last, *, column=None):
    """A frame of counts whose last row, and last column, are called so."""
    rows = [*"rstuvw"[: len(counts) - (last is not None)], *([] if last is None else [last])]
    width = counts.shape[1] - (column is not None)
    return pandas.DataFrame(counts, rows, [*"abcdef"[:width], *([] if column is None else [column])])


def adjust_by_hand(counts):
    """Adjusted Rand index from sums of squares in whole numbers."""
    n, T, A, B = (
        int(x)
        for x in (counts.sum(), (counts**2).sum(), (counts.sum(1) ** 2).sum(), (counts.sum(0) ** 2).sum())
    )
    expected = n + (A - n) * (B - n) / (n * (n - 1))
    return (T - expected) / ((A + B) / 2 - expected)


FORMS = {
    "list": lambda counts: counts.tolist(),
    "array": np.array,
    "floats": lambda counts: counts.astype(float),
    "sparse": scipy.sparse.csr_array,
    "frame": pandas.DataFrame,
    "polars": polars.DataFrame,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("form", FORMS)
def test_sums_on_both_sides_need_no_name(form, door):
    with pytest.raises(ValueError, match=r"^`counts` must not hold totals; got sums in the last row and col"):
        DOORS[door](FORMS[form](WITH_BOTH))
    counts = np.array([[2, 1], [0, 2]])
    for accepted in (counts, np.vstack([counts, [2, 3]]), np.column_stack([counts, [3, 2]])):  # one sum
        DOORS[door](FORMS[form](accepted))


def test_the_advice_gives_the_right_value():
    namespace = {"np": np, "ContingencyTable": cc.ContingencyTable}
    frames = [name_rows(WITH_ROW, "All"), name_rows(WITH_COLUMN, None, column="Sum")]
    frames.append(name_rows(WITH_BOTH, "Total", column="Total"))
    for counts in (*(make(WITH_BOTH) for make in FORMS.values()), *frames):
        with pytest.raises(ValueError, match="Pass `") as error:
            cc.adjust_table(counts)
        way = str(error.value).split("`")[3]
        score = cc.adjust_table(eval(way, namespace, {"counts": counts}))
        assert score.adjusted == pytest.approx(adjust_by_hand(COUNTS), rel=1e-12)
    assert adjust_by_hand(COUNTS) == pytest.approx(0.730238, abs=1e-6)
    table = cc.ContingencyTable(WITH_BOTH, row_labels=list("rstu"), column_labels=list("abcd"))
    assert table.n == 4 * COUNTS.sum()


@pytest.mark.parametrize("word", WORDS)
def test_a_word_for_totals_is_enough_on_one_side(word):
    for counts, where in (
        (name_rows(WITH_ROW, word), "row"),
        (name_rows(WITH_COLUMN, None, column=word), "column"),
        (polars.DataFrame(dict(zip(["a", "b", "c", word], WITH_COLUMN.T.tolist(), strict=True))), "column"),
    ):
        with pytest.raises(ValueError, match=rf"got sums of all others in {where} '{word}'"):
            cc.adjust_table(counts)
    labels = [*"rst", word]
    with pytest.raises(ValueError, match="must not hold totals"):
        cc.ContingencyTable(WITH_ROW, row_labels=labels)
    no_sums = WITH_ROW + np.eye(4, 3, -1, dtype=int)
    assert cc.adjust_table(name_rows(no_sums, word)).n == no_sums.sum()


def test_a_crosstab_with_margins_on_any_side():
    rows, columns = [np.repeat(axis, COUNTS.ravel()) for axis in np.indices((3, 3)).reshape(2, -1)]
    frame = pandas.crosstab(rows, columns, margins=True)
    for part in (frame, frame.iloc[:, :-1], frame.iloc[:-1]):
        with pytest.raises(ValueError, match="`counts` must not hold totals; got sums of all others in"):
            cc.adjust_table(part)
    assert cc.adjust_table(frame.iloc[:-1, :-1]).adjusted == pytest.approx(adjust_by_hand(COUNTS), rel=1e-12)


@pytest.mark.parametrize(
    "counts",
    [
        [[1, 1], [1, 1]],
        [[3, 1], [3, 1]],
        [[0, 0, 0], [0, 1, 1], [0, 1, 1]],
        [[1, 2, 0], [2, 1, 0], [0, 0, 0]],
    ],
    ids=str,
)
def test_a_lone_row_is_its_own_sum(counts):
    assert cc.adjust_table(counts).n == np.sum(counts)


def test_tables_that_are_counted_are_never_refused():
    """Labels, all that is derived from them, and margins whose tables may look like totals."""
    first = np.repeat([0, 1, 2], [6, 6, 12])
    second = np.repeat([0, 1, 2, 0, 1, 2, 0, 1, 2], [2, 1, 3, 1, 2, 3, 3, 3, 6])
    table = cc.contingency_table(first, second)
    assert table.counts.tolist() == [[2, 1, 3], [1, 2, 3], [3, 3, 6]]
    score = cc.adjust(first, second, "rand", rng=1)
    assert score.adjusted == pytest.approx(adjust_by_hand(table.counts), rel=1e-12)
    score.interval(groups=np.arange(24) % 6)
    cc.compare(first, {"a": second, "b": first}, rng=1)
    cc.adjust(first, second, "purity", model=cc.Draws(np.stack([np.arange(24), np.arange(24)[::-1]])))


@pytest.mark.parametrize("levels", [(2, 1), (1, 2), (2, 2)])
def test_names_of_several_levels(levels):
    keys = [[*itertools.product("ab", [1, 2])], [*itertools.product("xy", [3, 4])]]
    axes = [
        pandas.MultiIndex.from_tuples(pairs) if n == 2 else list("efgh")
        for pairs, n in zip(keys, levels, strict=True)
    ]
    counts = np.array([[3, 1, 0, 2], [1, 3, 1, 0], [0, 2, 5, 1], [2, 0, 1, 4]])
    frame = pandas.DataFrame(counts, *axes)
    assert cc.adjust_table(frame).adjusted == pytest.approx(adjust_by_hand(counts), rel=1e-12)
    assert cc.score_table(frame, "rand") == cc.score_table(counts, "rand")
    assert cc.tail_probability(frame, "rand") == cc.tail_probability(counts, "rand")
    table = cc.ContingencyTable(frame)
    for labels, pairs, n in zip((table.row_labels, table.column_labels), keys, levels, strict=True):
        assert labels.tolist() == (pairs if n == 2 else list("efgh"))


def test_a_crosstab_of_two_keys():
    first, second = [0, 0, 1, 1, 2, 2, 2, 0], ["u", "u", "v", "v", "v", "u", "w", "w"]
    batch = list("xyxyxyxy")
    both = [f"{a}{b}" for a, b in zip(first, batch, strict=True)]
    keys = [pandas.Series(first), pandas.Series(batch)]
    for frame, pair in (
        (pandas.crosstab(keys, pandas.Series(second)), (both, second)),
        (pandas.crosstab(pandas.Series(second), keys), (second, both)),
    ):
        assert cc.adjust_table(frame).adjusted == pytest.approx(cc.adjust(*pair).adjusted, rel=1e-12)
    with pytest.raises(ValueError, match=r"row \('All', ''\) and column 'All'"):
        cc.adjust_table(pandas.crosstab(keys, pandas.Series(second), margins=True))


@pytest.mark.parametrize("word", ["Total", "Gesamt", "Summe", "ALL"])
def test_files_are_refused_alike(word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    body = [[name, *row] for name, row in zip("rst", COUNTS.tolist(), strict=True)]
    plain = [["", *"abc"], *body]
    write("plain.csv", plain)
    assert "0.730 " in succeed(capsys, "adjust-table", "plain.csv", "--index", "rand")
    wide = [[*row, total] for row, total in zip(plain, [word, *COUNTS.sum(axis=1)], strict=True)]
    tall = [*plain, [word, *COUNTS.sum(axis=0)]]
    for rows, where in ((wide, "column"), (tall, "row")):
        write("t.csv", rows)
        said = (
            f"`t.csv` must not hold totals; got sums in the last {where}. Leave the last {where} out of the"
        )
        assert said in fail(capsys, "adjust-table", "t.csv")
        rows[-1 if where == "row" else 0][0 if where == "row" else -1] = "d"
        write("t.csv", rows)
        succeed(capsys, "adjust-table", "t.csv", "--index", "rand")
