"""Cells that hold no label, labels that look alike, and columns that are no clusterings, in files of text."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from tests.cli.test_commands import fail, write

TRUE = [0, 0, 0, 1, 1, 1, 2, 2]
PRED = [0, 0, 1, 1, 1, 0, 2, 2]
HOLE = 3
DROPPED = [side[:HOLE] + side[HOLE + 1 :] for side in (TRUE, PRED)]
WORDS = "#NULL!", "\\N", "NaT", "#VALUE!", "NA", "<NA>", "null"
MARKS = ".", "?", "-"


def run_and_read(capsys, *arguments):
    """What a command prints, and its line on stderr."""
    assert run([str(argument) for argument in arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr()


def adjusted(text, index="rand"):
    """The adjusted score in a printed table."""
    row = next(line for line in text.splitlines() if line.startswith(index))
    return float(row.removeprefix(f"{index}: ARI").removeprefix(index).split()[2])


@pytest.mark.parametrize("missing", ["drop", "singletons"])
@pytest.mark.parametrize("word", [*WORDS, *MARKS])
@pytest.mark.parametrize("kind", ["numbers", "texts"])
def test_words_for_no_label(capsys, kind, word, missing):
    pred = [str(label) if kind == "numbers" else f"k{label}" for label in PRED]
    pred[HOLE] = word
    write("t.csv", [["true", "pred"], *zip(TRUE, pred, strict=True)])
    pair = ["adjust", "true", "pred", "--data", "t.csv", "--index", "rand"]
    printed = run_and_read(capsys, *pair, "--missing", missing)
    with_none = [None if k == HOLE else label for k, label in enumerate(PRED)]
    expected = cc.adjust(TRUE, with_none, missing=missing)
    if missing == "drop":
        assert expected.adjusted == cc.adjust(*DROPPED).adjusted
    assert adjusted(printed.out) == pytest.approx(expected.adjusted, abs=1e-5)
    assert (f"pred: {word!r} counts as missing" in printed.err) == (word in MARKS)
    if word in MARKS:  # may be labels where nobody says that some are missing
        printed = run_and_read(capsys, *pair)
        kept = [-5 if k == HOLE else label for k, label in enumerate(PRED)]
        assert adjusted(printed.out) == pytest.approx(cc.adjust(TRUE, kept).adjusted, abs=1e-5)
        assert f"label {word!r} occurs 1 times in `pred` and counts as a cluster" in printed.out
    else:
        assert f"must not hold missing labels; got {word!r} in row 5" in fail(capsys, *pair)


@pytest.mark.parametrize("command", ["compare", "pairwise", "report"])
def test_words_for_no_label_in_many(capsys, command):
    pred, third = (["#NULL!", *PRED[1:]], [*PRED[:-1], "."])
    write("t.csv", [["true", "pred", "third"], *zip(TRUE, pred, third, strict=True)])
    sides = [] if command == "pairwise" else ["true"]
    printed = run_and_read(capsys, command, *sides, "--data", "t.csv", "--missing", "drop", "--jobs", 1)
    assert "third: '.' counts as missing" in printed.err
    assert "no object lacks a label" not in printed.err


def test_strands_are_labels(capsys):
    write("t.csv", [["gene", "strand"], *zip(TRUE, "++--+-+-", strict=True)])
    pair = ["adjust", "gene", "strand", "--data", "t.csv", "--index", "rand"]
    printed = run_and_read(capsys, *pair, "--missing", "drop")
    assert adjusted(printed.out) == pytest.approx(cc.adjust(TRUE, list("++--+-+-")).adjusted, abs=1e-5)
    assert "no object lacks a label (--missing drop)" in printed.err
    assert not cc.adjust(TRUE, list("++--+-+-")).notes


@pytest.mark.parametrize("missing", ["drop", "singletons"])
@pytest.mark.parametrize("command", ["adjust", "compare", "pairwise"])
def test_it_is_said_that_nothing_is_missing(capsys, command, missing):
    write("t.csv", [["true", "pred"], *zip(TRUE, PRED, strict=True)])
    arguments = [command, "true", "pred", "--data", "t.csv"]
    printed = run_and_read(capsys, *arguments, "--missing", missing)
    assert f"no object lacks a label (--missing {missing})" in printed.err
    assert "lacks a label" not in run_and_read(capsys, *arguments).err


def test_nodes_without_a_community(capsys, folder):
    (folder / "t.txt").write_text("".join(f"n{k}\tc{label}\n" for k, label in enumerate(TRUE)))
    for word in (*WORDS, *MARKS):
        labels = [word if k == HOLE else f"d{label}" for k, label in enumerate(PRED)]
        (folder / "p.txt").write_text("".join(f"n{k}\t{label}\n" for k, label in enumerate(labels)))
        pair = "adjust", "t.txt", "p.txt", "--format", "nodes", "--index", "rand"
        out = run_and_read(capsys, *pair, "--missing", "drop").out
        assert adjusted(out) == pytest.approx(cc.adjust(*DROPPED).adjusted, abs=1e-5)


ALIKE = ["T", "T ", " T", "T\xa0", "T\u200b"], ["CD4 T", "CD4\xa0T", "CD4  T"]


@pytest.mark.parametrize(
    "pair", [pair for some in ALIKE for pair in itertools.combinations(some, 2)], ids=ascii
)
def test_labels_that_differ_by_blanks_are_noted(capsys, pair):
    labels = [pair[0], pair[1], pair[0], "B", "B", "B", "C", "C"]
    note = "are different labels, by blanks alone"
    for make in (list, np.array, lambda x: np.array(x, object)):
        for sides, name in (((make(labels), PRED), "labels_true"), ((PRED, make(labels)), "labels_pred")):
            (said,) = [each for each in map(str, cc.adjust(*sides).notes) if note in each]
            assert f"in `{name}`" in said
            assert all(repr(label) in said for label in pair)
    many = {"a": labels, "b": TRUE, "c": PRED}
    for said in (
        cc.compare(PRED, many).notes,
        cc.pairwise(many).notes,
        cc.pairwise(many, "purity", rng=1).notes,
        cc.comparison.stability(list(many.values())).notes,
        cc.comparison.agreement(list(many.values())).notes,
    ):
        assert any(note in each for each in map(str, said))
    assert not any(note in each for each in map(str, cc.adjust(["T", "B", "C", "T"], [0, 0, 1, 1]).notes))
    if not {"\xa0", "\u200b"} & {*"".join(pair)} or pair[0] == "T":
        write("t.csv", [["t", "p"], *zip(labels, PRED, strict=True)])
        assert note in run_and_read(capsys, "adjust", "t", "p", "--data", "t.csv").out


IDS = [2**53, 2**53 + 1, 2**53 + 4, 2**53 + 4]


ROUNDED = {
    "doubles": np.array(IDS, float),
    "a list": [float(x) for x in IDS],
    "None beside": [float(2**53), None, None, 1.0],
    "objects": np.array([float(x) for x in IDS], object),
    "floats of 32 bits": np.array([2**24, 2**24 + 2, 1, 1], np.float32),
    "beyond 64 bits": np.array([1e300, 1.0, 1.0, np.nan]),
}


@pytest.mark.parametrize("labels", ROUNDED.values(), ids=ROUNDED)
def test_rounded_identifiers_are_noted(labels):
    for sides in ((labels, list("aabb")), (list("aabb"), labels)):
        (note,) = [
            each for each in map(str, cc.adjust(*sides, missing="drop").notes) if "floats from 2**" in each
        ]
        assert "read them as integers or as text" in note
    for door in (
        lambda x: cc.compare(list("aabb"), {"a": x}, missing="drop"),
        lambda x: cc.pairwise([list("aabb"), x], missing="drop"),
    ):
        assert any("floats from" in each for each in map(str, door(labels).notes))


def test_whole_numbers_and_small_floats_are_not_noted():
    for labels in (
        np.array(IDS, np.uint64),
        IDS,
        [float(2**53 - 1), 1.0, 1.0, 2.0],
        [np.inf, 1.0, 1.0, np.inf],
    ):
        assert not any("floats" in note for note in map(str, cc.adjust(labels, list("aabb")).notes))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_rounded_identifiers_in_files_are_noted(capsys, form):
    ids = [2**53, 2**53, 2**59, 2**59]
    if form == "csv":
        write("t.csv", [["a", "b", "c"], *zip("xxyy", map(float, ids), ids, strict=True)])
    else:
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame({"a": list("xxyy"), "b": map(float, ids), "c": ids}).to_parquet("t.parquet")
    said = "is a float of at least 2**53, to which several whole numbers are rounded"
    assert said in run_and_read(capsys, "adjust", "a", "b", "--data", f"t.{form}").err
    assert said not in run_and_read(capsys, "adjust", "a", "c", "--data", f"t.{form}").err


COLUMNS = {
    "timeset": [""] * 40,
    "na": ["NA"] * 40,
    "dots": ["."] * 40,
    "income": [17 * (k % 38) + 1000 for k in range(40)],
    "half": [k if k % 2 else "" for k in range(40)],
    "sas": [".", *(k // 2 / 8 for k in range(39))],
    "name": [f"p{k % 37}" for k in range(40)],
}


@pytest.mark.parametrize("command", ["compare", "pairwise"])
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_that_hold_no_labels_are_no_candidates(capsys, name, command):
    """Empty ones, and those of which nearly all values differ: measurements and names."""
    true, mod = [k // 10 for k in range(40)], [(k + 1) // 10 for k in range(40)]
    write("g.csv", [["true", name, "mod"], *zip(true, COLUMNS[name], mod, strict=True)])
    of_all = ["--data", "g.csv"]
    printed = run_and_read(capsys, *[command, *(["true"] if command == "compare" else []), *of_all])
    assert f"left out unless named: {name!r} (" in printed.err
    assert "1 candidate" in printed.err or "2 clusterings" in printed.err
    assert "\n" + name not in printed.out
    if name == "income":  # it is a candidate if it is named
        named = run_and_read(capsys, "compare", "true", name, *of_all)
        assert "1 candidate" in named.err


def test_many_small_clusters_are_candidates(capsys):
    true, otu = [k // 10 for k in range(40)], [min(k, 33) for k in range(40)]
    write("g.csv", [["true", "otu"], *zip(true, otu, strict=True)])
    assert "left out" not in run_and_read(capsys, "compare", "true", "--data", "g.csv").err


def test_columns_of_lists_are_no_candidates(capsys):
    pandas = pytest.importorskip("pandas")
    columns = {"a": [0, 0, 1, 1], "lists": [[0, 1], [1], [2], [2]], "b": [0, 1, 1, 1]}
    pandas.DataFrame(columns).to_parquet("t.parquet")
    printed = run_and_read(capsys, "compare", "a", "--data", "t.parquet")
    assert "1 candidate" in printed.err
    assert "left out, lists: 'lists'" in printed.err
    said = fail(capsys, "adjust", "a", "lists", "--data", "t.parquet")
    assert "must have one label for each object; got list<" in said
