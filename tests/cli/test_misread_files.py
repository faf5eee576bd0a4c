"""Files that can be read in two ways, damaged and large ones: read rightly, or refused in one line."""

import gzip
import io
import json
import os
import pickle
import re
import sys

import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from tests.cli.test_commands import fail, write

MARKS = {"comma": ",", "semicolon": ";", "tab": "\t", "blank": " "}
COUNTS = [[50, 0, 0], [0, 48, 2], [0, 14, 36]]
NAMES = ["setosa", "versicolor", "virginica"]
TRUE = ["B", "B", "B", "T", "T", "T"]
PRED = ["x", "x", "y", "y", "y", "y"]


def read(capsys, *arguments):
    """What a command finds, and what it says on stderr that it read."""
    code = run([*arguments, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out), captured.err


def adjusted(capsys, *arguments):
    """The adjusted Rand index that a command finds, and the number of objects."""
    found, _ = read(capsys, *arguments, "--index", "rand")
    return found["n"], found["scores"][0]["adjusted"]


IRIS = (150, cc.adjust_table(COUNTS).adjusted)
SIX = (6, cc.adjust(TRUE, PRED).adjusted)


class TestFirstLine:
    """A first line that is a label."""

    @pytest.mark.parametrize("beginning", ["", "\ufeff"], ids=["", "BOM"])
    @pytest.mark.parametrize("quote", [False, True])
    def test_a_label_that_occurs_again(self, capsys, quote, beginning):
        write("a.txt", [[x] for x in TRUE], quote=quote, beginning=beginning)
        write("b.txt", [[x] for x in PRED], quote=quote)
        assert "got 'B', which occurs again below. Pass --no-header if that is a label, or --header" in fail(
            capsys, "adjust", "a.txt", "b.txt"
        )
        assert adjusted(capsys, "adjust", "a.txt", "b.txt", "--no-header") == SIX
        assert adjusted(capsys, "adjust", "a.txt", "b.txt", "--header")[0] == 5

    @pytest.mark.parametrize("first", ["1", "1.0", "0.5", "1.000000000000000000e+00", "-1", "NA"])
    def test_a_number_or_nothing(self, capsys, first):
        write("a.txt", [[first], *([x] for x in TRUE)])
        assert "Pass --no-header if that is a label, or --header" in fail(capsys, "adjust", "a.txt", "a.txt")

    def test_a_label_that_occurs_once_and_has_the_form_of_all_others(self, capsys):
        for first, others in (
            ("c1", ["c2", "c10"]),
            ("cluster 0", ["cluster 1", "cluster 2"]),
            ("0_a", ["1_a"]),
        ):
            write("a.csv", [[first], *([x] for x in others * 3)])
            said = fail(capsys, "adjust", "a.csv", "a.csv", "--sep", "comma")
            assert f"got {first!r}. Pass --no-header" in said
        write("a.csv", [["cluster"], *([f"cluster{k % 2}"] for k in range(6))])
        assert adjusted(capsys, "adjust", "a.csv", "a.csv") == (6, 1.0)

    @pytest.mark.parametrize("first", ["11", "12", "B1", "Bx"])
    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_columns_by_number(self, capsys, mark, first):
        write("two.csv", [first, *zip("12233", "12222", strict=True)], mark)
        assert "Pass --no-header if that is a label" in fail(capsys, "adjust", "two.csv:1", "two.csv:2")
        assert adjusted(capsys, "adjust", "two.csv:1", "two.csv:2", "--no-header")[0] == 6

    def test_a_name_in_the_command_is_a_header(self, capsys):
        write("named.csv", [["B", "x"], *zip(TRUE, PRED, strict=True)])
        assert adjusted(capsys, "adjust", "B", "x", "--data", "named.csv") == SIX


class TestSeparator:
    @pytest.mark.parametrize("names_of_rows", [False, True])
    @pytest.mark.parametrize("mark", MARKS)
    def test_as_r_writes_it(self, capsys, mark, names_of_rows):
        """Quoted text; with names of rows the header has a cell less."""
        rows = [["true", "pred"], *map(list, zip(TRUE, PRED, strict=True))]
        if names_of_rows:
            rows[1:] = [[str(k), *row] for k, row in enumerate(rows[1:], 1)]
        write("r.txt", rows, MARKS[mark], quote=True)
        assert adjusted(capsys, "adjust", "true", "pred", "--data", "r.txt") == SIX
        assert adjusted(capsys, "adjust", "true", "pred", "--data", "r.txt", "--sep", mark) == SIX
        found, said = read(capsys, "compare", "true", "--data", "r.txt")
        assert [each["candidate"] for each in found["scores"]] == ["pred"]
        assert ("'' (no name)" in said) == names_of_rows

    @pytest.mark.parametrize("blanks", [" ", "   "])
    def test_blanks_without_quotes_are_asked_about(self, capsys, blanks):
        write("r.txt", [["true", "pred"], *zip(TRUE, PRED, strict=True)], blanks)
        said = fail(capsys, "adjust", "true", "pred", "--data", "r.txt")
        assert "got 1 columns by comma and 2 by blank. Pass --sep comma or --sep blank." in said
        assert adjusted(capsys, "adjust", "true", "pred", "--data", "r.txt", "--sep", "blank") == SIX


class TestCounts:
    @pytest.mark.parametrize("first", [0, 1])
    @pytest.mark.parametrize("corner", ["species", "", "row_0", "t"])
    @pytest.mark.parametrize("numbered", [False, True], ids=["names", "numbers"])
    @pytest.mark.parametrize("mark", MARKS.values())
    def test_a_crosstab(self, capsys, mark, numbered, corner, first):
        names = ["0", "1", "2"] if numbered else NAMES
        rows = [[name, *row] for name, row in zip(names, COUNTS, strict=True)]
        if mark == " " and not corner:
            corner = '""'
        write("t.csv", [[corner, *range(first, first + 3)], *rows], mark)
        assert adjusted(capsys, "adjust-table", "t.csv") == IRIS
        assert adjusted(capsys, "adjust-table", "t.csv", "--header") == IRIS

    def test_more_crosstabs(self, capsys):
        write("t.csv", [["k1", "k2", "k3"], *COUNTS])
        assert adjusted(capsys, "adjust-table", "t.csv") == IRIS
        for names in (["-1", "0", "1"], ["1.0", "2.0", "3.0"], ["a", "b", "c"], ["1", "2", "noise"]):
            rows = [[name, *row] for name, row in zip(NAMES, COUNTS, strict=True)]
            write("t.csv", [["species", *names], *rows])
            assert adjusted(capsys, "adjust-table", "t.csv") == IRIS
        wide = [*COUNTS[0], *range(1, 9)], [*COUNTS[1], *range(8)]
        names = sorted(map(str, range(11)))  # as text: 0, 1, 10, 2, ...
        write("t.csv", [["species", *names], ["setosa", *wide[0]], ["virginica", *wide[1]]])
        assert adjusted(capsys, "adjust-table", "t.csv")[1] == cc.adjust_table(wide).adjusted

    @pytest.mark.parametrize("quote", [False, True])
    def test_a_table_of_r(self, capsys, quote):
        """``write.table(table(species, cluster))``: the header has a cell less."""
        rows = [["1", "2", "3"], *([name, *row] for name, row in zip(NAMES, COUNTS, strict=True))]
        write("t.txt", rows, " ", quote)
        assert adjusted(capsys, "adjust-table", "t.txt") == IRIS

    @pytest.mark.parametrize(
        ("text", "header", "bare"),
        [
            ("a,1,2\nb,3,4\nc,5,6\n", [[3, 4], [5, 6]], [[1, 2], [3, 4], [5, 6]]),
            ("cat,1,2\ndog,3,4\n", None, [[1, 2], [3, 4]]),
            ("c1,1,2\nc2,3,4\nc3,5,7\n", [[3, 4], [5, 7]], [[1, 2], [3, 4], [5, 7]]),
            ("species,3,7\nsetosa,9,4\nvirginica,5,6\n", [[9, 4], [5, 6]], [[3, 7], [9, 4], [5, 6]]),
            ("0,1,2\n50,0,0\n0,48,2\n", [[50, 0, 0], [0, 48, 2]], [[0, 1, 2], [50, 0, 0], [0, 48, 2]]),
            ("1,2\n5,3\n4,8\n", [[5, 3], [4, 8]], [[1, 2], [5, 3], [4, 8]]),
        ],
    )
    def test_open_cases_are_asked_about(self, capsys, text, header, bare):
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write(text)
        assert "Pass --header if it holds the names of columns, or --no-header" in fail(
            capsys, "adjust-table", "t.csv"
        )
        for option, counts in (("--header", header), ("--no-header", bare)):
            if counts is not None:
                expected = cc.adjust_table(counts)
                assert adjusted(capsys, "adjust-table", "t.csv", option) == (expected.n, expected.adjusted)

    @pytest.mark.parametrize("mark", MARKS.values())
    @pytest.mark.parametrize("header", [["species", "cluster", "n"], ["Var1", "Var2", "Freq"], None])
    @pytest.mark.parametrize("numbered", [False, True], ids=["names", "numbers"])
    def test_long_form(self, capsys, numbered, header, mark):
        rows = [[i if numbered else NAMES[i], j, COUNTS[i][j]] for i in range(3) for j in range(3)]
        for listed in (rows, [row for row in rows if row[2]]):
            write("long.csv", [header, *listed] if header else listed, mark)
            assert re.search("long form.*pandas.pivot_table", fail(capsys, "adjust-table", "long.csv"))

    def test_numbers_that_may_be_names_of_rows(self, capsys):
        for first, said in (
            ([1, 2], "Leave the first cell of the file empty"),
            ([2, 5, 9], "Leave the first cell of the file empty"),
            ([-1, 0], None),
        ):
            write("t.csv", [["cluster", "a", "b"], *([name, 50, 2] for name in first)])
            if said:
                assert said in fail(capsys, "adjust-table", "t.csv")
            else:
                assert adjusted(capsys, "adjust-table", "t.csv")[0] == 104
        write("t.csv", [["", "a", "b"], [1, 50, 2], [2, 3, 48]])
        assert adjusted(capsys, "adjust-table", "t.csv")[0] == 103

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ([["x", "a", "a"], ["r", 1, 2], ["s", 3, 4]], "different names of columns; got 'a' 2 times"),
            ([[0, 0], [0, 0]], "must hold counts of at least one object"),
            ([[-3, 1], [2, 2]], "must"),
            ([["a", 10, 2], ["b", 3.5, 9]], "must hold whole numbers; got '3.5' in row 2"),
        ],
    )
    def test_what_is_no_table(self, capsys, rows, said):
        write("t.csv", rows)
        assert said in fail(capsys, "adjust-table", "t.csv")

    @pytest.mark.parametrize(
        ("text", "has_totals"),
        [
            ("x,a,b,All\nr,3,1,4\ns,0,5,5\nAll,3,6,9\n", True),
            ("a,b,All\n3,1,4\n0,5,5\n3,6,9\n", True),
            ("3,1,4\n0,5,5\n3,6,9\n", True),
            ("x,a,All\nr,3,3\nAll,3,3\n", True),
            ("x,a,b,c\nr,3,1,4\ns,0,5,5\nt,3,6,9\n", False),
            ("1,1\n1,1\n", False),
            ("3,1,4\n0,5,5\n3,6,8\n", False),
        ],
    )
    def test_totals(self, folder, capsys, text, has_totals):
        """Without names a table of two rows may be its own totals; with other names the last is a cluster."""
        (folder / "t.csv").write_text(text)
        assert run(["adjust-table", "t.csv"]) == (2 if has_totals else 0)
        said = capsys.readouterr().err
        assert ("must not hold totals; got sums in the last row and column" in said) == has_totals

    def test_the_default_indices_are_those_people_know(self, capsys):
        write("t.csv", COUNTS)
        found, _ = read(capsys, "adjust-table", "t.csv")
        assert [each["index"] for each in found["scores"]] == ["rand", "mutual_information", "nmi_sum"]
        found, _ = read(capsys, "adjust-table", "t.csv", "--index", "published")
        assert [each["index"] for each in found["scores"]] == list(cc.PUBLISHED_INDICES)
        message = fail(capsys, "adjust-table", "t.csv", "--method", "exact", "--precision", "0.1")
        assert "`--precision` needs simulated tables; got --method exact." in message


KEYS = ["AAC", "AAG", "ACA", "ACC", "AGG", "ATT"]
ORDER = [3, 0, 5, 2, 1, 4]


def write_pair(name, keys, mark, order=ORDER):
    """The labels in two files, the second in another order."""
    for file, labels, rows in (("p.csv", TRUE, range(6)), ("q.csv", PRED, order)):
        write(file, [[name, "k"], *([keys[row], labels[row]] for row in rows)], mark)


class TestKey:
    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    @pytest.mark.parametrize("name", ["barcode", ""])
    @pytest.mark.parametrize("keys", [KEYS, list(range(6)), [f"{k}.0" for k in range(1, 7)]])
    def test_other_orders_are_refused_or_matched(self, capsys, keys, name, mark):
        write_pair(name, keys, mark)
        pair = ["adjust", "p.csv:k", "q.csv:k"]
        said = fail(capsys, *pair)
        first = str(keys[3]).removesuffix(".0")
        assert f"`q.csv` must have the rows of `p.csv` in its order; got '{first}'" in said
        assert f"Pass --key {name!r} to match rows by it" in said
        assert adjusted(capsys, *pair, "--key", name) == SIX
        as_they_stand = cc.adjust(TRUE, [PRED[k] for k in ORDER]).adjusted
        assert adjusted(capsys, *pair, "--key", "none") == (6, as_they_stand)

    def test_the_same_order_and_other_names(self, capsys):
        write_pair("barcode", KEYS, ",", range(6))
        assert adjusted(capsys, "adjust", "p.csv:k", "q.csv:k") == SIX
        write("q.csv", [["cell", "k"], *([KEYS[k], PRED[k]] for k in ORDER)])
        said = "Pass --key 'cell' (rename 'barcode' of `p.csv`)"
        assert said in fail(capsys, "adjust", "p.csv:k", "q.csv:k")

    def test_numbers_of_rows_are_no_key(self, capsys):
        """Rows that are counted from 0 in one file and from 1 in the other."""
        write("p.csv", [["", "k"], *enumerate(TRUE)])
        write("q.csv", [["", "k"], *enumerate(PRED, 1)])
        assert adjusted(capsys, "adjust", "p.csv:k", "q.csv:k") == SIX

    def test_keys_that_overlap_partly(self, capsys):
        write("p.csv", [["id", "k"], *zip(KEYS, TRUE, strict=True)])
        write("q.csv", [["id", "k"], *([KEYS[k], PRED[k]] for k in ORDER[1:]), ["CCC", "x"]])
        other = {KEYS[k]: PRED[k] for k in ORDER[1:]} | {"CCC": "x"}
        pair = ["adjust", "p.csv:k", "q.csv:k"]
        assert "Pass --key 'id'" in fail(capsys, *pair)
        assert "Pass --missing drop" in fail(capsys, *pair, "--key", "id")
        common = sorted(ORDER[1:])
        expected = cc.adjust([TRUE[k] for k in common], [PRED[k] for k in common]).adjusted
        assert adjusted(capsys, *pair, "--key", "id", "--missing", "drop") == (5, expected)
        said = read(capsys, *pair, "--key", "id", "--missing", "drop")[1]
        assert said == "5 objects, 2 x 2, header in line 1, matched by 'id'\n"
        expected = cc.adjust(dict(zip(KEYS, TRUE, strict=True)), other, missing="singletons").adjusted
        assert adjusted(capsys, *pair, "--key", "id", "--missing", "singletons") == (7, expected)

    def test_keys_that_name_no_object(self, capsys):
        write_pair("id", KEYS, ",")
        pair = ["adjust", "p.csv:k", "q.csv:k", "--key"]
        assert "must have a column 'ids'" in fail(capsys, *pair, "ids")
        for last, said in (("AAC", "got 'AAC' twice"), ("", "got nothing in row 6")):
            write("q.csv", [["id", "k"], *zip([*KEYS[:5], last], PRED, strict=True)])
            assert said in fail(capsys, *pair, "id")
        assert "must come with several files" in fail(
            capsys, "adjust", "id", "k", "--data", "p.csv", "--key", "id"
        )


@pytest.mark.parametrize(
    "cells",
    [["1 2 ", "1", "2"], ["1 2", "3 4", "5 6"], ["1|2", "1", "2"], ["1,2", "1", "2"], ["A; B", "B", "A"]],
)
def test_several_clusters_of_one_object(capsys, cells):
    write("t.dat", [[k, f'"{cell}"'] for k, cell in enumerate(cells)], "\t")
    write("p.dat", [[k, 1] for k in range(3)], "\t")
    assert re.search(
        "must have one label for each object.*pass the file without a column, and --format nodes",
        fail(capsys, "adjust", "t.dat:2", "p.dat:2", "--no-header"),
    )


class TestCandidates:
    COLUMNS = {  # noqa: RUF012
        "": list(range(40)),
        "Unnamed: 0": [k % 5 for k in range(40)],
        "__index_level_0__": [k % 7 for k in range(40)],
        "barcode": [f"c{k}" for k in range(40)],
        "pct": [k % 4 / 8 for k in range(40)],
        "species": [k // 10 for k in range(40)],
        "a": [(k + 1) // 10 for k in range(40)],
        "whole": [f"{k // 20}.0" for k in range(40)],
    }
    OUT = ("'' (no name)", "'barcode' (all values differ)", "'pct' (real numbers)")

    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_only_labels_enter_the_correction(self, capsys, mark):
        write("obs.csv", [[*self.COLUMNS], *zip(*self.COLUMNS.values(), strict=True)], mark)
        found, said = read(capsys, "compare", "species", "--data", "obs.csv")
        assert {each["candidate"] for each in found["scores"]} == {"a", "whole"}
        assert all(part in said for part in self.OUT)
        expected = cc.compare(self.COLUMNS["species"], {name: self.COLUMNS[name] for name in ("a", "whole")})
        best = found["scores"][0]
        assert best["p_corrected"] == expected[best["candidate"]]["rand"].p_corrected
        named, said = read(capsys, "compare", "species", "a", "pct", "barcode", "--data", "obs.csv")
        assert (len(named["scores"]), "left out" in said) == (3, False)


def test_standard_input_is_read_once(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"k\n1\n2\n1\n")))
    assert "must be the only source on standard input" in fail(capsys, "adjust", "-", "-")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04rest", "got a workbook or another archive; save the sheet as CSV, or an array of NumPy"),
        (b"MATLAB 5.0 MAT-file, Platform", "got a file of MATLAB; write its labels as CSV"),
        (pickle.dumps([1, 2]), "got a pickle of Python; write its labels as CSV."),
        (b"$FL2@(#) SPSS DATA FILE", "got a file of SPSS; save it as CSV."),
        (b"@relation iris\n@data\n", "got an ARFF file of Weka; save it as CSV."),
        ("a,b\n1,2\n".encode("utf-16"), "got text in UTF-16; save it in UTF-8."),
        (b"a,b\n\xff,1\n", "must be a CSV file in UTF-8; got: 'utf-8' codec"),
        (b"\x93NUMPY\x01\x00", "an array of NumPy"),
        (b"II*\x00\x08", "a TIFF image"),
        (b"\x89HDF\r\n", "an HDF5 file"),
        (b"((a:1,b:1):0.5,c:1.5);", "a tree in Newick format; read it in Python as `Tree`"),
        (b"#begin document (a)\na 0 0 w NN (0)\n", "got CoNLL; read its clusters in Python"),
        (b"label\tnumOtus\tOtu1\n0.03\t1\ts1,s2\n", "a list of mothur"),
        (gzip.compress(b"k\n1\n2\n", mtime=0), "a compressed file; give its name the ending .gz, or"),
    ],
)  # fmt: skip
def test_files_of_the_field_are_named(capsys, folder, content, said):
    (folder / "labels.txt").write_bytes(content)
    for command in (["adjust", "labels.txt", "labels.txt"], ["adjust-table", "labels.txt"]):
        assert said in fail(capsys, *command)


def test_a_parquet_file_with_a_broken_head(tmp_path, capsys):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"t": ["a", "b"], "p": [1, 2]}), "labels.parquet")
    content = bytearray((tmp_path / "labels.parquet").read_bytes())
    content[4] = 0x1F  # the first type of the first page
    (tmp_path / "labels.parquet").write_bytes(content)
    assert fail(capsys, "adjust", "t", "p", "--data", "labels.parquet").startswith(
        "`labels.parquet` must be a file of Parquet; got: "
    )


def test_bytes_that_are_no_text_are_not_read_on(capsys):
    """A device that never ends; its first bytes tell that it is no text."""
    if not os.path.exists("/dev/zero"):
        pytest.skip("needs a device of zeros")
    assert fail(capsys, "adjust", "--data", "/dev/zero", "a", "b") == (
        "`/dev/zero` must be a CSV file in UTF-8; got bytes that are not text."
    )


def test_more_than_can_be_held_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("chancecorr.cli.rows.MAX_BYTES", 1 << 20)
    (tmp_path / "long.csv").write_bytes(b"a,b\n" + b"1,2\n" * (1 << 18))
    said = fail(capsys, "adjust", "--data", str(tmp_path / "long.csv"), "a", "b")
    assert said.endswith("must have at most 0 GiB; got more.")


def test_very_many_columns_are_no_candidates_unless_named(tmp_path, capsys):
    names = ",".join(f"c{k}" for k in range(2_002))
    (tmp_path / "wide.csv").write_text(f"{names}\n" + "\n".join(",".join([x] * 2_002) for x in "aabb"))
    said = fail(capsys, "compare", "c0", "--data", str(tmp_path / "wide.csv"))
    assert said.endswith("at most 2,000 columns besides the named ones; got 2,001. Name the candidates.")
