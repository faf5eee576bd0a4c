"""The command line: what it reads, what it prints, how it fails."""

import csv
import io
import json
import re
import shlex
from importlib.util import find_spec

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import PUBLISHED_INDICES
from chancecorr.cli.cells import NA_VALUES, Reading
from chancecorr.cli.columns import read_label_columns
from chancecorr.cli.run import run
from chancecorr.indices.names import COMMON

TRUE = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
PRED = [0, 0, 0, 1, 1, 1, 1, 1, -1, 2, 2, 0]


@pytest.fixture
def files(folder):
    """A folder with the labels in every form."""
    write("both.csv", [["name", "true", "pred"], *zip("abcdefghijkl", TRUE, PRED, strict=True)])
    write("true.csv", [["true"], *([label] for label in TRUE)])
    write("pred.csv", [["pred"], *([label] for label in PRED)])
    return folder


def write(path, rows, mark=",", quote=False, beginning=""):
    cells = [[f'"{cell}"' if quote else str(cell) for cell in row] for row in rows]
    text = beginning + "".join(mark.join(row) + "\n" for row in cells)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def succeed(capsys, *arguments):
    """What a command prints when all is well; on stderr it says what it read, in one line."""
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert re.fullmatch(r"([\d,]+ objects, .*\n)?", captured.err)
    return captured.out


def fail(capsys, *arguments, code=2):
    """The one line on stderr of a command that refuses its input."""
    assert run([str(argument) for argument in arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("\n")
    assert captured.err.count("\n") == 1
    return captured.err[:-1]


def scores_of(capsys, *arguments):
    """Scores by index name, from the JSON of ``adjust`` with few tables and a seed."""
    options = ["--json", "--seed", "5", "--n-tables", "200", "--method", "monte-carlo"]
    options += [] if "--index" in arguments else ["--index", "published"]
    found = json.loads(succeed(capsys, "adjust", *arguments, *options), parse_constant=pytest.fail)
    return found, {score["index"]: score for score in found["scores"]}


def expected(**options):
    scores = cc.adjust(
        TRUE, PRED, index=PUBLISHED_INDICES, n_tables=200, rng=5, method="monte-carlo", **options
    )
    records = {}
    for name, score in scores.items():
        interval = score.interval()
        ends = {"low": interval.low, "high": interval.high, "confidence": 0.95}
        record = score.to_dict() | ends | {"interval_remark": interval.remark}
        records[name] = {key: None if value != value else value for key, value in record.items()}
    return records


@pytest.mark.parametrize(
    "arguments",
    [
        ["true.csv", "pred.csv"],
        ["both.csv:true", "both.csv:pred"],
        ["both.csv:true", "pred.csv"],
        ["true", "pred", "--data", "both.csv"],
    ],
)
@pytest.mark.usefixtures("files")
def test_labels_come_from_files_and_columns(capsys, arguments):
    found, scores = scores_of(capsys, *arguments)
    assert scores == expected()
    assert list(scores) == list(PUBLISHED_INDICES)
    assert (found["n"], found["shape"], found["n_tables"], found["seed"]) == (12, [3, 4], 200, 5)


def test_names_of_files_and_columns(files, capsys):
    for name, character in (("labels.TSV", "\t"), ("odd:name.csv", ",")):
        write(name, [["a:b", '"c,d"'], *zip(TRUE, PRED, strict=True)], character)
        assert scores_of(capsys, f"{name}:a:b", f"{name}:c,d")[1] == expected()
    text = "t,p\r\n" + "".join(f"{t},{p}\r\n" for t, p in zip(TRUE, PRED, strict=True))
    (files / "windows.csv").write_bytes(text.encode("utf-8-sig"))
    assert scores_of(capsys, "windows.csv:t", "windows.csv:p")[1] == expected()


def test_table_files_keep_integers_and_words(files, capsys):
    """64-bit integers beside a null, words that CSV files take for missing, and an Arrow file."""
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    feather = pytest.importorskip("pyarrow.feather", reason="needs pyarrow")
    large = [2**60 + label if label else None for label in TRUE]
    words = [["NA", "", "nan", "x"][label] for label in PRED]
    codes = [["1", "1.0", " 1", "1.00"][label] for label in PRED]
    nested = [[label] for label in TRUE]
    table = pyarrow.table({"large": large, "words": words, "codes": codes, "nested": nested})
    parquet.write_table(table, files / "labels.parquet")
    feather.write_feather(table, files / "labels.arrow")
    for name in ("labels.parquet", "labels.arrow"):
        pair = [f"{name}:large", f"{name}:words"]
        message = fail(capsys, "adjust", *pair)
        assert message == (
            f"`{name}` must not hold missing labels; got None in row 1 in column 'large'."
            " Pass --missing drop to leave such objects out, or singletons."
        )
        found, _ = scores_of(capsys, *pair, "--missing", "drop")
        assert (found["n"], found["shape"]) == (8, [2, 4])  # 2**60 + 1 and 2**60 + 2, four words
        assert scores_of(capsys, f"{name}:codes", "pred.csv")[0]["shape"] == [4, 4]
        assert "list<" in fail(capsys, "adjust", f"{name}:nested", "pred.csv")


@pytest.mark.parametrize("word", ["", "nan", "<NA>"])
def test_missing_cells(files, capsys, word):
    cells = [f"c{label}" for label in PRED]
    cells[2] = word
    write("gaps.csv", [["t", "p"], *((t, f'"{p}"') for t, p in zip(TRUE, cells, strict=True))])
    assert fail(capsys, "adjust", "gaps.csv:t", "gaps.csv:p") == (
        f"`gaps.csv` must not hold missing labels; got {word!r} in row 4 in column 'p'."
        " Pass --missing drop to leave such objects out, or singletons."
    )
    found, scores = scores_of(capsys, "gaps.csv:t", "gaps.csv:p", "--missing", "drop")
    kept = [k for k in range(len(PRED)) if k != 2]
    assert found["n"] == 11
    assert scores["rand"]["observed"] == cc.score([TRUE[k] for k in kept], [PRED[k] for k in kept])


def test_default_missing_cells_are_those_of_pandas():
    pytest.importorskip("pandas", reason="needs pandas")
    from pandas._libs.parsers import STR_NA_VALUES

    assert {*NA_VALUES} == {word.strip() for word in STR_NA_VALUES}


def test_no_objects_are_an_error(files, capsys):
    write("none.csv", [["t", "p"]])
    message = "`none.csv` must hold labels; got no line below the column names."
    assert fail(capsys, "adjust", "none.csv:t", "none.csv:p") == message
    write("gaps.csv", [["t", "p"], ["NA", 1], [1, "NA"]])
    assert fail(capsys, "adjust", "gaps.csv:t", "gaps.csv:p", "--missing", "drop") == (
        "`TRUE` must share an object with `PRED` that has a label and is not dropped as noise; got none."
    )


def feed(monkeypatch, content):
    """Standard input of these bytes."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_standard_input(files, capsys, monkeypatch):
    for file, *arguments in (
        ("both.csv", "true", "pred", "--data", "-"),
        ("true.csv", "-", "pred.csv"),
        ("pred.csv", "both.csv:true", "-"),
        ("both.csv", "-:true", "-:pred"),
        ("both.csv", "true.csv", "-:pred"),
    ):
        feed(monkeypatch, (files / file).read_bytes())
        assert scores_of(capsys, *arguments)[1] == expected()
    feed(monkeypatch, (files / "both.csv").read_bytes())
    assert "`-` must have one column or be" in fail(capsys, "adjust", "-", "pred.csv")


def test_an_empty_line_shifts_no_object(files, capsys):
    (files / "gap.csv").write_text("pred\n" + "\n".join(["0", "", *map(str, PRED[2:])]) + "\n\n\n")
    assert "in row 3 in column 'pred'" in fail(capsys, "adjust", "true.csv", "gap.csv")
    assert scores_of(capsys, "true.csv", "gap.csv", "--missing", "drop")[0]["n"] == 11


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["1", "01", "1"], ["1", "01", "1"]),  # codes stay text
        (["1.0", " -1", "10", ""], [1, -1, 10, None]),
        (["1.5", "2", "nan", ""], ["1.5", "2", None, None]),
        (["9" * 30, "1"], ["9" * 30, "1"]),
        (["9" * 18, "9" * 17 + "8", "NA"], [10**18 - 1, 10**18 - 2, None]),
        (["a", " a", ""], ["a", " a", None]),
        (["NA", ""], [None, None]),
    ],
)
def test_labels_are_numbers_if_all_are(tmp_path, cells, labels):
    write(tmp_path / "labels.csv", [["x", "y"], *((cell, 0) for cell in cells)])
    reading = Reading(header=True, missing="drop", noise=(), noise_label="-1")
    (found,) = read_label_columns([("TRUE", "x")], str(tmp_path / "labels.csv"), reading)
    assert list(found) == labels


def test_the_label_of_noise_is_an_option(files, capsys):
    write("numbers.csv", [["p"], *([k % 4 + 7] for k in range(12))])
    write("texts.csv", [["p"], *(["7" if k % 4 else "a"] for k in range(12))])
    write("words.csv", [["p"], *(["none" if k % 2 else "a"] for k in range(12))])
    for pred, label, n in (("numbers", "7", 9), ("texts", "7", 3), ("words", "none", 6), ("words", "7", 12)):
        for words, kept in (("drop", n), ("keep,drop", n), ("drop,keep", 12)):
            given = ("true.csv", f"{pred}.csv", "--noise", words, "--noise-label", label)
            assert scores_of(capsys, *given)[0]["n"] == kept


@pytest.mark.usefixtures("files")
def test_table(capsys):
    command = ["adjust", "true.csv", "pred.csv", "--seed", "1"]
    lines = succeed(capsys, *command, "--method", "monte-carlo").splitlines()
    assert lines[0] == "n = 12, 3 x 4 clusters, method monte-carlo, 17,000 tables, seed 1"
    assert lines[1].split() == ["index", "observed", "expected", "adjusted", "95", "%", "interval", "p"]
    assert [line.split("  ")[0] for line in lines[2:5]] == ["rand: ARI", "ami", "nmi: AMI"]
    assert lines[5] == "label -1 occurs 1 times in `pred.csv` and counts as a cluster; `--noise` changes that"
    assert succeed(capsys, *command[:3]).startswith("n = 12, 3 x 4 clusters, method auto, no tables\n")


def test_an_index_is_shown_with_its_equivalents(capsys):
    shown = succeed(capsys, "indices", "simpson")
    assert "corrected for chance  the same as loevinger; affine in T, 1 where a = min(P, Q)" in shown
    found = json.loads(succeed(capsys, "indices", "simpson", "--json"))
    assert [each["equivalents"] for each in found if each["name"] == "simpson"] == [["loevinger"]]
    for named in ("jaccard", "tanimoto"):  # others have jaccard in their names
        assert "similarity, 0 to 1, best 1, symmetric" in succeed(capsys, "indices", named)
    assert succeed(capsys, "indices", "Rajasekhara").startswith("irm (cluster_level)\n")  # by its source


@pytest.mark.usefixtures("files")
def test_several_indices_in_one_option(capsys):
    found = scores_of(capsys, "true.csv", "pred.csv", "--index", "rand, jaccard", "--index", "f_beta(0.5)")[1]
    assert list(found) == ["rand", "jaccard", "f_beta(0.5)"]
    assert fail(capsys, *FILES, "--index", "rand,,jaccard") == (
        "`--index` must be names separated by commas; got 'rand,,jaccard'."
    )


def test_examples_of_the_help_run(files, capsys, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    batches = [k % 2 for k in range(len(TRUE))]
    write("labels.csv", [["species", "cluster", "batch"], *zip(TRUE, PRED, batches, strict=True)])
    table = pyarrow.table({"species": TRUE, "cluster": PRED})
    pytest.importorskip("pyarrow.parquet").write_table(table, files / "labels.parquet")
    write("community.dat", enumerate(TRUE), "\t")
    shares = [[label, *((0.8, 0.1, 0.1)[(k - label) % 3] for k in range(3))] for label in TRUE]
    write("shares.csv", [["species", "P1", "P2", "P3"], *shares])
    (files / "found.cmty").write_text("0 1 2 3 4 5\n5 6 7 8 9 10 11\n")
    for command in ("adjust", "indices"):
        text = succeed(capsys, command, "--help")
        lines = text[text.index("For example:") :].splitlines()[1:]
        assert lines
        for line in lines:
            feed(monkeypatch, (files / "labels.csv").read_bytes())
            program, *words = shlex.split(line.partition("<")[0].partition(">")[0])
            assert program == "chancecorr"
            assert succeed(capsys, *words)


@pytest.mark.usefixtures("files")
def test_csv_reads_back(capsys):
    command = ["adjust", "true.csv", "pred.csv", "--index", "dice", "--index", "jaccard", "--seed", "5"]
    text = succeed(capsys, *command, "--csv", "--n-tables", "200", "--method", "monte-carlo")
    rows = {row["index"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert list(rows) == ["czekanowski", "jaccard"]
    for name, row in rows.items():
        for key, value in expected()[name].items():
            if key == "asked_as":
                assert (name, row[key]) in {("czekanowski", "dice"), ("jaccard", "jaccard")}
            elif key == "notes":
                of_name = ["dice is 'czekanowski'"] * (name == "czekanowski")
                assert row[key] == "; ".join([note["text"] for note in value] + of_name)
            elif isinstance(value, str | bool):
                assert row[key] == str(value)
            else:
                np.testing.assert_equal(float(row[key]), np.nan if value is None else value)


def test_json_of_undefined_numbers_is_valid(files, capsys):
    write("one.csv", [["a"], *(["x"] for _ in TRUE)])
    write("each.csv", [["a"], *([i] for i, _ in enumerate(TRUE))])
    _, scores = scores_of(capsys, "one.csv", "each.csv")
    assert scores["rand"]["observed"] == 0.0
    assert scores["goodman_kruskal"]["observed"] is scores["goodman_kruskal"]["adjusted"] is None
    assert "nan" in succeed(capsys, "adjust", "one.csv", "each.csv", "--csv")
    assert "–" in succeed(capsys, "adjust", "one.csv", "each.csv")


FILES = ["adjust", "true.csv", "pred.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*FILES, "--index", "jacard"],
         "`--index` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"),
        ([*FILES, "--method", "montecarlo"],
         "`--method` must be one of 'auto', 'search', 'analytic', 'exact', 'monte-carlo'; got 'montecarlo'."
         " Did you mean 'monte-carlo'?"),
        ([*FILES, "--n-tables", "0"], "`--n-tables` must be at least 1; got 0."),
        ([*FILES, "--missing", "dorp"],
         "`--missing` must be one of 'raise', 'drop', 'singletons'; got 'dorp'. Did you mean 'drop'?"),
        (["adjust", "true.csv", "short.csv"], "`PRED` must have the same length as `TRUE`; got 2 and 12."),
        (["adjust", "both.csv", "pred.csv"],
         "`both.csv` must have one column or be given as FILE:COLUMN; got 3: 'name', 'true', 'pred'."
         " If its lines are communities, links, segments, or nodes with communities, pass --format"
         " communities, links, segments or nodes."),
        (["adjust", "both.csv:treu", "pred.csv"],
         "`both.csv` has no column 'treu'. Columns: 'name', 'true', 'pred'."
         " Did you mean 'true'?"),
        (["adjust", "true.csv", "nowhere.csv:a"],
         "`PRED` must be an existing FILE or FILE:COLUMN, or - for standard input; got 'nowhere.csv:a'."
         " Names of columns need --data FILE."),
        (["adjust", "a", "b", "--data", "nowhere.csv"],
         "`nowhere.csv` must be a file that can be read; got: No such file or directory."),
        (["adjust", "folder", "pred.csv"], "`folder` must be a file that can be read; got: Is a directory."),
        pytest.param(
            ["adjust", "x.parquet", "pred.csv"],
            "`x.parquet` must be a file that can be read; got: Is a directory.",
            marks=pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow"),
        ),
        (["adjust", "empty.csv", "pred.csv"],
         "`empty.csv` must begin with a line of column names; got an empty line or file."),
        (["adjust", "ragged.csv:a", "pred.csv"],
         "`ragged.csv` must have 2 cells in each row; got 3 in row 3."),
        (["adjust", "twice.csv:a", "pred.csv"],
         "`twice.csv` must have one column 'a'; got 2."),
        (["adjust", "true.csv"],
         "`PRED` must name a clustering, or --soft its columns; got 'none'."),
        (["indices", "--family", "pairs"],
         "`--family` must be one of 'pair_counting', 'information', 'set_matching', 'cluster_level', 'user',"
         " 'agreement', 'clusterings'; got 'pairs'."),
    ],
)  # fmt: skip
def test_bad_input(files, capsys, arguments, message):
    write("short.csv", [["p"], [0], [1]])
    write("ragged.csv", [["a", "b"], [1, 2], [1, 2, 3]])
    write("twice.csv", [["a", "a"], [1, 2]])
    (files / "empty.csv").touch()
    (files / "folder").mkdir()
    (files / "x.parquet").mkdir()
    assert fail(capsys, *arguments) == message


@pytest.mark.usefixtures("files")
def test_best_alternative_model_and_precision(capsys):
    command = [*FILES, "--index", "jaccard", "--json"]

    def ask(*options):
        (score,) = json.loads(succeed(capsys, *command, *options))["scores"]
        return score

    score = ask("--best", "mean", "--alternative", "two-sided")
    expected = cc.adjust(TRUE, PRED, index="jaccard", best="mean", alternative="two-sided")
    assert (score["best"], score["p_value"]) == (expected.best, expected.p_value)
    assert ask("--best", "0.75")["best"] == 0.75
    score = ask("--seed", "2", "--method", "monte-carlo", "--precision", "0.01")
    margins = cc.contingency_table(TRUE, PRED).margins
    law = cc.null_distribution(margins, "jaccard", method=cc.MonteCarlo(precision=0.01, only=True), rng=2)
    assert (score["n_tables"], score["monte_carlo_error"]) == (law.n_tables, law.monte_carlo_error)
    assert 2.576 * law.monte_carlo_error <= 0.01
    score = ask("--model", "fixed-k", "--n-tables", "50", "--seed", "2")
    expected = cc.adjust(TRUE, PRED, index="jaccard", model="fixed-k", n_tables=50, rng=2)
    assert (score["n_tables"], score["expected"]) == (50, expected.expected)
    for option, value in (("best", "most"), ("alternative", "grater"), ("model", "x"), ("precision", "-1")):
        assert f"`--{option}` must be " in fail(capsys, *FILES, f"--{option}", value)


def test_a_checkpoint_keeps_tables_for_the_next_command(files, capsys, tmp_path):
    file = tmp_path / "run"
    without = [*FILES, "--index", "jaccard", "--method", "monte-carlo"]
    asked = [*without, "--seed", "1", "--json"]
    expected = succeed(capsys, *asked, "--n-tables", "900")
    succeed(capsys, *asked, "--n-tables", "300", "--checkpoint", file)
    assert succeed(capsys, *asked, "--n-tables", "900", "--checkpoint", file) == expected
    said = fail(capsys, *asked, "--seed", "3", "--checkpoint", file)
    assert said.startswith("`--checkpoint` must be a checkpoint of this run; got ")
    assert "What differs: seed" in said
    assert fail(capsys, *asked, "--n-tables", "5", "--checkpoint", file) == (
        "`--n-tables` must be at least 900, the number of tables in `--checkpoint`; got 5. Pass this number,"
        " or delete the file."
    )
    assert fail(capsys, *without, "--checkpoint", file) == (
        "`--seed` must be given with `--checkpoint`, so that the next run has the same."
    )
    said = fail(capsys, *asked, "--checkpoint", tmp_path / "none" / "run")
    assert said.startswith("`--checkpoint` must be a file in a folder that exists")
    file.write_bytes(file.read_bytes()[:-70])
    assert "or is damaged. Delete it" in fail(capsys, *asked, "--checkpoint", file)


@pytest.mark.parametrize("index", ["onmi", "omega", "onmi_lfk", "fuzzy_rand", "correlation"])
@pytest.mark.usefixtures("files")
def test_indices_of_pairs_of_objects(capsys, index):
    """Without a word of noise; the table of the labels gives the sizes."""
    command = f"adjust true pred --data both.csv --index {index},rand --n-tables 50 --seed 1".split()
    found = json.loads(succeed(capsys, *command, "--json"))
    expected = cc.adjust(TRUE, PRED, [index, "rand"], n_tables=50, rng=1)
    assert (found["n"], found["shape"]) == (12, [3, 4])
    assert [each["adjusted"] for each in found["scores"]] == [each.adjusted for each in expected.values()]
    assert "n = 12, 3 x 4 clusters" in succeed(capsys, *command)
    assert run([*command, "--noise", "drop"]) == 0


def test_common_indices_are_listed_first(capsys):
    rows = list(csv.reader(io.StringIO(succeed(capsys, "indices", "--csv"))))
    assert [row[0] for row in rows[1 : len(COMMON) + 1]] == list(COMMON)
    shown = succeed(capsys, "indices")
    assert shown.startswith(
        f"{len(rows) - 1} of {len(rows) - 1} indices, the {len(COMMON)} common ones first\n"
    )


def test_indices_of_clusterings_of_any_kind_are_in_the_list(capsys):
    names = cc.list_indices("clusterings")
    shown = json.loads(succeed(capsys, "indices", "--json"))
    assert [entry["name"] for entry in shown[-len(names) :]] == names
    assert all(entry["formula"] and entry["source"] and entry["symmetric"] for entry in shown[-len(names) :])
    assert all(cc.get_index(name).about for name in names)
    shown = succeed(capsys, "indices", "onmi").splitlines()[2:]
    assert [row.split()[0] for row in shown] == ["onmi_lfk", "onmi_max"]
    shown = succeed(capsys, "indices", "omega")
    assert shown.startswith("omega (clusterings)\n")
    assert "labels, cover" in shown


def test_draws_come_from_a_file(capsys, tmp_path):
    rows = np.array([np.random.default_rng(t).permutation(30) for t in range(99)])
    np.save(tmp_path / "draws.npy", rows)
    first, second = [i % 3 for i in range(30)], [i // 11 for i in range(30)]
    file = tmp_path / "labels.csv"
    file.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in zip(first, second, strict=True)))
    command = ["adjust", "a", "b", "--data", file, "--index", "rand", "--json", "--draws"]
    (score,) = json.loads(succeed(capsys, *command, tmp_path / "draws.npy"))["scores"]
    known = cc.adjust(first, second, "rand", model=cc.Draws(rows))
    assert (score["p_value"], score["expected"]) == (known.p_value, known.expected)
    assert "that numpy.save wrote; got " in fail(capsys, *command, file)
    command[0] = "pairwise"
    found = json.loads(succeed(capsys, *command, tmp_path / "draws.npy"))
    assert found["expected"][0][1] == known.expected


def write_night(path):
    """Two series with long runs, as columns."""
    rng = np.random.default_rng(9)
    night = [np.repeat(rng.integers(0, 3, 12), rng.integers(2, 9, 12))[:50] for _ in range(2)]
    path.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in zip(*night, strict=True)))
    return night


@pytest.mark.parametrize(
    ("options", "model"),
    [
        (["--model", "segments"], cc.chance.segments()),
        (["--model", "segments(labels)"], cc.chance.segments(keep="labels")),
        (["--model", "segments(order)", "--gap", "0"], cc.chance.segments(keep="order", gap=0)),
    ],
)
def test_segments_are_put_elsewhere(capsys, tmp_path, options, model):
    night = write_night(tmp_path / "night.csv")
    columns = ["a", "b", "--data", tmp_path / "night.csv", "--index", "rand", "--seed", "1", "--json"]
    (score,) = json.loads(succeed(capsys, "adjust", *columns, *options))["scores"]
    known = cc.adjust(*night, "rand", model=model, rng=1)
    assert (score["p_value"], score["expected"]) == (known.p_value, known.expected)
    (best,) = json.loads(succeed(capsys, "compare", *columns, *options))["scores"]
    assert best["p_value"] == known.p_value


def test_time_without_a_segment_may_have_a_label(capsys, tmp_path):
    said, heard = (
        [(0, 4, "ann"), (4.5, 10, "bob"), (12, 14, "ann")],
        [(0, 5, "x"), (6, 10, "y"), (11, 14, "x")],
    )
    for name, rows in (("said", said), ("heard", heard)):
        lines = [f"{start}\t{end}\t{label}\n" for start, end, label in rows]
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    files = [
        tmp_path / "said.txt",
        tmp_path / "heard.txt",
        "--gap",
        "silence",
        "--index",
        "rand",
        "--seed",
        "1",
    ]
    first, second, seconds = cc.clusterings.segments(said, heard, gap="silence")
    for options, model in (
        ([], "permutation"),
        (["--model", "segments"], cc.chance.segments(gap="silence")),
    ):
        (score,) = json.loads(succeed(capsys, "adjust", *files, *options, "--json"))["scores"]
        known = cc.adjust(first, second, "rand", weights=seconds, model=model, rng=1)
        assert (score["observed"], score["expected"]) == (known.observed, known.expected)
    assert "for a p-value, pass `--model segments`" in succeed(capsys, "adjust", *files)


def test_a_label_of_gaps_without_segments_is_refused(capsys, tmp_path):
    write_night(tmp_path / "night.csv")
    for command in ("adjust", "compare"):
        said = fail(capsys, command, "a", "b", "--data", tmp_path / "night.csv", "--gap", "0")
        assert said == "`--gap` must be left out without --model segments, or files of segments; got '0'."


class TestDrawsBesideNames:
    """A file of draws has the objects by position: names that files give have no order for it."""

    ROWS = np.array([np.random.default_rng(t).permutation(12) for t in range(60)])
    ORDER = (7, 2, 9, 0, 11, 4, 1, 10, 3, 8, 6, 5)

    def write_nodes(self, path, labels, name_node, order=range(12)):
        """A line for each node, with its community."""
        write(path, [[name_node(k), f"c{labels[k]}"] for k in order], mark="\t")
        return path

    @pytest.fixture(autouse=True)
    def draws(self, folder):
        np.save("draws.npy", self.ROWS)

    def ask(self, command):
        sides = ["true.dat", "pred.dat"]
        last = ["--output", "page.html"] if command == "report" else ["--json"]
        of_interval = ["--interval", "none"] if command in ("compare", "report") else []
        return [
            command, *sides, "--draws", "draws.npy", "--index", "rand", "--format", "nodes", "--no-header",
            *of_interval, *last,
        ]  # fmt: skip

    @pytest.mark.parametrize("command", ["adjust", "compare", "pairwise", "report"])
    @pytest.mark.parametrize("name_node", [lambda k: k + 1, lambda k: f"v{k}"], ids=["from 1", "texts"])
    def test_names_are_refused(self, capsys, command, name_node):
        self.write_nodes("true.dat", TRUE, name_node, self.ORDER)
        self.write_nodes("pred.dat", PRED, name_node)
        shown = fail(capsys, *self.ask(command))
        assert re.match(r"`--draws` must be left out if .* by name, such as (12|'v7') of `true.dat`", shown)

    def test_numbers_from_0_on_are_positions(self, capsys):
        self.write_nodes("true.dat", TRUE, str, self.ORDER)
        self.write_nodes("pred.dat", PRED, str, self.ORDER[::-1])
        (score,) = json.loads(succeed(capsys, *self.ask("adjust")))["scores"]
        known = cc.adjust(TRUE, PRED, "rand", model=cc.Draws(self.ROWS))
        assert (score["observed"], score["expected"]) == (known.observed, known.expected)

    @pytest.mark.parametrize("first", [0, 1])
    def test_covers(self, capsys, first):
        sides = [[{0, 1, 2, 3, 4, 5, 6}, {6, 7, 8, 9, 10, 11}], [{0, 1, 2, 3}, {3, 4, 5, 6, 7, 8, 9, 10, 11}]]
        for path, sets in zip(("t.txt", "p.txt"), sides, strict=True):
            write(path, [[k + first for k in sorted(members, reverse=True)] for members in sets], mark=" ")
        command = [
            "adjust", "t.txt", "p.txt", "--draws", "draws.npy", "--index", "omega", "--format", "communities",
            "--json",
        ]  # fmt: skip
        if first:
            assert "such as 12 of `t.txt`: draws have them by position" in fail(capsys, *command)
        else:
            (score,) = json.loads(succeed(capsys, *command))["scores"]
            known = cc.adjust(*map(cc.Cover, sides), "omega", model=cc.Draws(self.ROWS))
            assert score["expected"] == pytest.approx(known.expected, rel=1e-12)

    def test_rows_that_are_matched_by_a_key_are_refused(self, capsys):
        for path, labels, order in (("t.csv", TRUE, range(12)), ("p.csv", PRED, self.ORDER)):
            write(path, [["id", "x"], *([f"r{k}", labels[k]] for k in order)])
        command = ["adjust", "t.csv:x", "p.csv:x", "--key", "id", "--draws", "draws.npy"]
        assert "`--draws` must be left out if objects are matched by name" in fail(capsys, *command)
