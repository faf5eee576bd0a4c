"""Files of community detection: matched by the names of nodes, or refused if they are ambiguous."""

import gzip
import json
import re
import subprocess

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from chancecorr.clusterings.segments_of_time import Durations
from tests.cli.test_commands import fail

TRUE = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b", 6: "b", 7: "b", 8: "c", 9: "c"}
PRED = {1: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 3}
SETS = [{1, 2, 3}, {3, 4, 5, 6, 7}, {7, 8, 9}]  # 3 and 7 are in two
TRUTH = "".join(f"{node}\t{label}\n" for node, label in TRUE.items())
MIXED = [4, 1, 9, 2, 3, 8, 7, 6, 5]  # another order of the nodes
PATHS = ["1:1:1", "1:1:2", "1:2:1", "1:2:2", "1:2:3", "2:1", "2:2", "2:3", "2:4"]  # finest modules: PRED
LINES = ["1 2", "3 4 5", "6 7 8 9"]  # of PRED
IN_ROWS = "".join(f"{label}\n" for label in PRED.values())


def write_nodes(mark="\t", quote="", order=tuple(MIXED)):
    """A line for each node, with its community."""
    return "".join(f"{quote}{node}{quote}{mark}{PRED[node]}\n" for node in order)


def number_lines(text):
    """The lines of a text with the numbers of rows that R and pandas write."""
    return "".join(f'"{k}",{line}\n' for k, line in enumerate(text.splitlines(), 1))


PARTITIONS = {
    "lfr.dat": write_nodes(),
    "louvain.txt": write_nodes(" "),
    "colons.txt": write_nodes(": "),
    "header.csv": "name,membership\n" + write_nodes(","),
    "r_names.csv": '"","x"\n' + write_nodes(",", '"'),
    "r_frame.csv": '"","name","membership"\n' + number_lines(write_nodes(",", '"')),
    "r_table.txt": '"name" "membership"\n' + number_lines(write_nodes(" ", '"')).replace(",", " "),
    "pandas.csv": ",0\n" + write_nodes(","),
    "snap.cmty.txt": "# Communities: 3\n" + "\n".join(LINES).replace(" ", "\t") + "\n\n",
    "mcl.txt": "\n".join(reversed(LINES)).replace(" ", "\t"),
    "commas.txt": "\n".join(LINES).replace(" ", ", "),
    "cfinder": "# created by CFinder\n" + "".join(f"{k}: {line} \n" for k, line in enumerate(LINES)),
    "oslom_tp": "".join(f"#module {k} size: {len(line)} bs: 0.01\n{line} \n" for k, line in enumerate(LINES)),
    "infomap.clu": "# v2.7\n# codelength 3.4 bits\n# node_id module flow\n"
    + "".join(f"{node} {PRED[node]} 0.1\n" for node in MIXED),
    "old.clu": "# node cluster flow:\n" + "".join(f"{node} {PRED[node]} 0.1\n" for node in MIXED),
    "infomap.tree": "# path flow name node_id\n"
    + "".join(f'{path} 0.1 "Node, {node}" {node}\n' for node, path in enumerate(PATHS, 1))
    + "*Links undirected\n#*Links path\n1 2 3\n",
    "old.tree": "# Codelength = 3.4 bits.\n"
    + "".join(f'{path} 0.1 "{node}"\n' for node, path in enumerate(PATHS, 1)),
    "pajek.clu": "*Vertices 9\r\n" + IN_ROWS.replace("\n", "\r\n"),
}

COVERS = {
    "lfr.dat": "1\t1 \n2\t1 \n3\t1 2 \n4\t2 \n5\t2 \n6\t2 \n7\t2 3 \n8\t3 \n9\t3 \n",
    "lists.csv": "1,1\n2,1\n3,1;2\n4,2\n5,2\n6,2\n7,2;3\n8,3\n9,3\n",
    "snap.cmty.txt": "# overlapping\n1\t2\t3\n3\t4\t5\t6\t7\n7\t8\t9\n",
    "cfinder": "0: 1 2 3 \n1: 3 4 5 6 7 \n2: 7 8 9 \n",
    "layers.tree": "# path flow name state_id node_id layer_id\n"
    + "".join(f'{k + 1}:{node} 0.1 "x" {node} {node} {k}\n' for k in range(3) for node in sorted(SETS[k])),
    "states.clu": "# state_id module flow node_id\n"
    + "".join(f"{k} {k % 3} 0.1 {node}\n" for k in range(3) for node in sorted(SETS[k])),
}


@pytest.fixture(autouse=True)
def _true(folder):
    (folder / "true.dat").write_text(TRUTH)


def adjust(capsys, *arguments):
    """Number of objects and of clusters, and the adjusted score by the only index."""
    assert run(["adjust", *arguments, "--json", "--seed", "1"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    return found["n"], found["shape"], found["scores"][0]["adjusted"]


@pytest.mark.parametrize("packed", [False, True], ids=["", "gz"])
@pytest.mark.parametrize("name", PARTITIONS)
def test_a_partition(folder, capsys, name, packed):
    content = PARTITIONS[name].encode()
    name += ".gz" * packed
    (folder / name).write_bytes(gzip.compress(content) if packed else content)
    assert adjust(capsys, "true.dat", name, "--index", "rand") == (9, [3, 3], cc.adjust(TRUE, PRED).adjusted)
    assert adjust(capsys, name, name, "--index", "rand")[2] == 1.0


@pytest.mark.parametrize("name", ["r_names.csv", "r_table.txt", "pajek.clu"])
def test_a_header_that_can_be_nothing_else(folder, capsys, name):
    (folder / name).write_bytes(PARTITIONS[name].encode())
    found = adjust(capsys, "true.dat", name, "--no-header", "--index", "rand")
    assert found == (9, [3, 3], cc.adjust(TRUE, PRED).adjusted)


def test_comments_above_a_table(folder, capsys):
    for name, text, n, *options in (
        ("t.csv", "# seed 1\n% run 2\nk,m\n1,1\n1,1\n2,1\n2,2\n", 4),
        ("t.txt", "# labels of run 3\n0\n0\n1\n", 3, "--no-header"),
        ("t.csv", "#k\n#1\n#1\n#2\n", 3, "--header"),  # no comments: names of colours begin so
    ):
        (folder / name).write_text(text)
        sides = [f"{name}:k", f"{name}:m"] if n == 4 else [name, name]
        assert adjust(capsys, *sides, *options, "--index", "rand")[0] == n


@pytest.mark.parametrize("name", COVERS)
def test_a_cover(folder, capsys, name):
    (folder / name).write_text(COVERS[name])
    both = cc.Cover([{1, 2, 3}, {4, 5, 6, 7}, {8, 9}]), cc.Cover(SETS)
    expected = cc.adjust(*both, ["omega", "onmi_max"], rng=1)
    for index in ("omega", "onmi"):
        found = adjust(capsys, "true.dat", name, "--index", index)
        assert found == (9, [3, 3], expected[index].adjusted)
    assert adjust(capsys, "true.dat", name)[2] == expected["omega"].adjusted  # the first of those by default


def test_lines_of_nodes_and_lists_are_read_if_asked_for(folder, capsys):
    pairs = "".join(f"{node} {k}\n" for k, members in enumerate(SETS) for node in sorted(members))
    wide = "".join(f"{node}: {' '.join(str(k) for k in range(3) if node in SETS[k])}\n" for node in TRUE)
    expected = cc.adjust(cc.Cover([{1, 2, 3}, {4, 5, 6, 7}, {8, 9}]), cc.Cover(SETS), "omega", rng=1).adjusted
    commas = "".join(f"{node}: {','.join(str(k) for k in range(3) if node in SETS[k])}\n" for node in TRUE)
    for text in (pairs, wide, commas):
        (folder / "nodes.txt").write_text(text)
        said = "Pass --format communities, links, nodes, segments or table."
        assert said in fail(capsys, "adjust", "true.dat", "nodes.txt")
        assert adjust(capsys, "true.dat", "nodes.txt", "--format", "nodes", "--index", "omega")[2] == expected


@pytest.mark.parametrize("first", [0, 1])
def test_rows_without_names_have_the_numbers_of_nodes(folder, capsys, first):
    expected = cc.adjust(TRUE, PRED).adjusted
    (folder / "nodes.txt").write_text("".join(f"{node - 1 + first} {PRED[node]}\n" for node in MIXED))
    (folder / "rows.csv").write_text("true\n" + "".join(f"{label}\n" for label in TRUE.values()))
    np.save("numbers.npy", np.array([ord(label) for label in TRUE.values()]))
    np.save("texts.npy", np.array(list(TRUE.values())))
    for name in ("rows.csv", "numbers.npy", "texts.npy"):
        assert adjust(capsys, name, "nodes.txt", "--index", "rand")[2] == expected
        assert adjust(capsys, name, "rows.csv", "--index", "rand")[2] == 1.0
    (folder / "rows.csv").write_text("true\na\na\n")
    assert "got none for" in fail(capsys, "adjust", "rows.csv", "nodes.txt")
    other = "".join(f"{node - first}\t{label}\n" for node, label in TRUE.items())
    (folder / "other.dat").write_text(other)  # numbers from 1 where the others start at 0: one node off
    for missing in ("raise", "drop"):
        said = fail(capsys, "adjust", "other.dat", "nodes.txt", "--missing", missing)
        assert said == "Files must number their nodes alike; got numbers from 0 in one, from 1 in another."


@pytest.mark.parametrize("missing", ["drop", "singletons"])
def test_nodes_that_a_file_lacks(folder, capsys, missing):
    (folder / "some.txt").write_text("alice red\nbob red\ncy blue\ndan blue\neve blue\n")
    (folder / "more.csv").write_text("node,group\nfay,1\neve,1\ndan,1\ncy,2\nbob,2\nalice,NA\n")
    some = {"alice": "red", "bob": "red", "cy": "blue", "dan": "blue", "eve": "blue"}
    more = {"fay": 1, "eve": 1, "dan": 1, "cy": 2, "bob": 2, "alice": None}
    assert "must not hold missing labels" in fail(capsys, "adjust", "some.txt", "more.csv")
    (folder / "less.csv").write_text("node,group\nfay,1\neve,1\ndan,1\ncy,2\nbob,2\n")
    said = "`some.txt` must have a label for each object of the others; got none for 'fay'"
    assert said in fail(capsys, "adjust", "some.txt", "less.csv")
    expected = cc.adjust(some, more, missing=missing)
    found = adjust(capsys, "some.txt", "more.csv", "--missing", missing, "--index", "rand")
    assert (found[0], found[2]) == (expected.n, expected.adjusted)


def test_many_files(folder, capsys):
    for name in ("lfr.dat", "mcl.txt", "infomap.clu"):
        (folder / name).write_text(PARTITIONS[name])
    assert run(["compare", "true.dat", "lfr.dat", "mcl.txt", "infomap.clu", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert [each["adjusted"] for each in found] == [cc.adjust(TRUE, PRED).adjusted] * 3
    assert run(["pairwise", "lfr.dat", "mcl.txt", "true.dat", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["adjusted"]
    assert np.allclose(found, cc.pairwise({"lfr": PRED, "mcl": PRED, "true": TRUE}).adjusted, rtol=0, atol=0)


def test_data_sets_are_of_labels(folder, capsys):
    (folder / "cover.txt").write_text(COVERS["lfr.dat"])
    said = fail(capsys, "compare", "true.dat", "cover.txt", "--by", "true.dat")
    assert said == "`--by` must be left out for clusters that overlap."
    (folder / "nodes.txt").write_text(write_nodes())
    (folder / "true.csv").write_text("true\n" + "".join(f"{label}\n" for label in TRUE.values()))
    (folder / "site.txt").write_text("".join(f"{node} {'ab'[node % 2]}\n" for node in TRUE))
    assert run(["compare", "true.dat", "nodes.txt", "true.csv", "--by", "site.txt", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    odd, even = (
        [{node: side[node] for node in side if node % 2 == k} for side in (TRUE, PRED)] for k in (1, 0)
    )
    assert found == {
        site: {"nodes.txt": pytest.approx(cc.adjust(*pair).adjusted), "true.csv": 1.0}
        for site, pair in (("b", odd), ("a", even))
    }


@pytest.mark.parametrize(
    "case",
    [
        ("0 0\n1 0\n2 1\n3 1\n0 0\n1 0\n", "must be one level of Louvain", "--format", "nodes"),
        ("1 1 0.25\n2 1 0.25\n3 2 0.5\n", "got the real number '0.25'", "--format", "nodes"),
        ("0,1\n1,3\n2,3\n3,4\n", "must say if '0' and '1' are a header", "--format", "nodes"),
        ("1 1 2 2 3 3\n", "has an ambiguous format"),  # labels in one row, or a community
        ("1 2\n1 3\n2 3\n", "has an ambiguous format"),  # edges, or nodes with their communities
        ("id,k\na,1\nb,1\nc\nd,2\n", "has an ambiguous format"),  # a damaged table
        ("1 2 3\n2 1\n3 1\n", "has an ambiguous format"),  # lists of neighbours
        ("1 0 0\n0 1 0\n0 0 1\n", "has an ambiguous format"),  # shares
        ("1 2 2 3 4 5\n6 7 8 9\n", "has an ambiguous format"),  # a member twice
        ("a\tb\tc\td\nd\te\tf\tg\n", "must have one column or be given as FILE:COLUMN; got 4"),
        ("a,0.5,17\nb,0.25,18\nc,0.75,19\n", "must have one column or be given as FILE:COLUMN; got 3"),
        ("species,kmeans\na,1\na,1\nb,2\n", "must have one column or be given as FILE:COLUMN; got 2"),
        ("[1, 2, 3]\n[4, 5]\n", "no brackets, in each line; got '[1'"),
        ('{"communities": [[1, 2], [3]]}', "JSON"),
        ("graph [\nnode [\nid 1\n]\n]\n", "GML"),
        ('*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2\n', "must have a row for each vertex"),
        ("(mclheader\nmcltype matrix\n)\n", "a matrix of MCL"),
        ("", "must begin with a line of column names"),
    ],
)
def test_files_that_are_refused(folder, capsys, case):
    content, said, *options = case
    (folder / "file.txt").write_text(content)
    assert said in fail(capsys, "adjust", "file.txt", "file.txt", *options)


@pytest.mark.parametrize(
    "content", [b"k\n1\n", gzip.compress(b"k\n1\n2\n", mtime=0)[:-9], gzip.compress(b"k\n\xff\n", mtime=0)]
)
def test_damaged_compressed_files(folder, capsys, content):
    (folder / "labels.csv.gz").write_bytes(content)
    for command in (["adjust", "labels.csv.gz", "labels.csv.gz"], ["adjust-table", "labels.csv.gz"]):
        assert "`labels.csv.gz` must be a CSV file in UTF-8; got: " in fail(capsys, *command)


def test_a_format_goes_with_whole_files(folder, capsys):
    (folder / "t.csv").write_text("k\n1\n2\n")
    said = fail(capsys, "adjust", "t.csv:k", "t.csv:k", "--format", "nodes")
    assert said == "`--format nodes` must come with files of text, given without a column."
    (folder / "t.txt").write_text("1 1 2\n")
    assert "got '1' in community 1" in fail(capsys, "adjust", "t.txt", "t.txt", "--format", "communities")


@pytest.mark.parametrize(
    "array", [np.eye(3, dtype=int), np.array([0.5, 1.5]), np.array([None, 1], dtype=object)]
)
def test_arrays_that_are_no_labels(capsys, array):
    np.save("bad.npy", array)
    assert run(["adjust", "bad.npy", "bad.npy"]) == 2
    assert "bad.npy" in capsys.readouterr().err


def test_labels_of_several_words_are_no_communities(folder, capsys):
    labels = ["CD4 T cell", "B cell", "NK", "CD4 T cell", "B cell", "NK", "NK", "B cell"]
    (folder / "types.txt").write_text("cell type\n" + "\n".join(labels))
    (folder / "k.txt").write_text("k\n" + "\n".join("11221122"))
    found = adjust(capsys, "types.txt", "k.txt", "--index", "rand")
    assert found == (8, [3, 2], cc.adjust(labels, [*"11221122"]).adjusted)


def write_rttm(*segments, recording="rec"):
    """Lines of RTTM from starts, lengths and speakers, with a comment above."""
    lines = (f"SPEAKER {recording} 1 {a} {b} <NA> <NA> {name} <NA> <NA>\n" for a, b, name in segments)
    return f"SPKR-INFO {recording} 1 <NA> <NA> <NA> unknown ann <NA>\n" + "".join(lines)


def test_segments_of_speakers(folder, capsys):
    """Weights are the lengths of the intervals between all boundaries: 0, 1.1, 2.5, 3, 4 and 6 seconds."""
    (folder / "true.rttm").write_text(write_rttm((3, 3, "bob"), (0, "1.10", "ann"), ("1.1", 1.4, "cy")))
    (folder / "pred.rttm").write_text(write_rttm((0, 2.5, "s1"), (2.5, "1.5", "s2"), (4, 2, "s1")))
    true, pred = ["ann", "cy", None, "bob", "bob"], ["s1", "s1", "s2", "s2", "s1"]
    pair = ["true.rttm", "pred.rttm", "--index", "rand"]
    for missing in ("drop", "singletons"):
        expected = cc.adjust(true, pred, weights=Durations([1.1, 1.4, 0.5, 1, 2]), missing=missing)
        n, shape, value = adjust(capsys, *pair, "--missing", missing)
        assert (n, shape) == (expected.n, [3 + (missing == "singletons"), 2])
        assert value == pytest.approx(expected.adjusted, rel=1e-9)
    before = adjust(capsys, *pair, "--missing", "drop")
    in_lines = (3, 1, "bob"), (4, 2, "bob"), (0, "1.10", "ann"), ("1.1", 1, "cy"), (2.1, 0.4, "cy")
    (folder / "true.rttm").write_text(write_rttm(*in_lines))
    assert adjust(capsys, *pair, "--missing", "drop") == before
    said = fail(capsys, "adjust", *pair)
    assert "`TRUE` must have a label at each time; it has none for 0.5 of 6 units of time." in said
    assert adjust(capsys, *pair, *re.findall(r"Pass (--\S+) (\S+) to", said)[0]) == before
    (folder / "both.rttm").write_text(write_rttm((0, 2.5, "s1"), (2, 2, "s2")))
    both = ["true.rttm", "both.rttm", "--index", "rand"]
    for word in ("one label at a time; got several for 0.5 of 6", "a label at each time; it has none for"):
        said = fail(capsys, "adjust", *both)
        assert word in said
        both += re.findall(r"Pass (--\S+) (\S+) to", said)[0]
    labels, times = (["ann", "ann", "cy", "bob"], ["s1", "s1", "s1", "s2"]), [1.1, 0, 0.9, 1]
    assert adjust(capsys, *both)[2] == pytest.approx(cc.adjusted_score(*labels, weights=Durations(times)))
    (folder / "two.rttm").write_text(write_rttm((0, 1, "a")) + write_rttm((0, 1, "b"), recording="rec2"))
    said = fail(capsys, "adjust", "true.rttm", "two.rttm")
    assert "segments of one recording; got 'rec' and 'rec2'" in said
    (way,) = re.findall(r"as by: (awk .*)$", said)
    one = subprocess.run(way, shell=True, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^SPEAKER (\S+)", one, re.MULTILINE) == ["rec"]
    assert "by `chancecorr adjust`" in fail(capsys, "compare", "true.rttm", "pred.rttm")
    for mixed in (["true.rttm", "true.dat"], ["true.dat", "true.rttm"]):
        assert run(["adjust", *mixed]) == 2


@pytest.mark.parametrize("missing", ["raise", "drop", "singletons"])
def test_files_that_share_no_node_are_refused(folder, capsys, missing):
    (folder / "a.txt").write_text("a b c d\ne f g\nh i\n")
    (folder / "b.txt").write_text("1 2 3\n4 5 6 7\n8 9\n")
    (folder / "c.txt").write_text("1 2 3 4\n4 5 6 7\n8 9\n")  # a cover
    for other in ("b.txt", "c.txt"):
        said = fail(capsys, "adjust", "a.txt", other, "--missing", missing, "--format", "communities")
        assert f"`{other}` must name the nodes of `a.txt`; got 1, and there 'a'. The sides share no" in said


@pytest.mark.parametrize("names", [("--ref", "--hyp"), ("--reference", "--hypothesis"), ("--true", "--pred")])
def test_options_of_other_programs_for_files_are_answered_by_the_order(folder, capsys, names):
    files = "true.rttm", "pred.rttm"
    for separator in (" ", "="):
        typed = " ".join(name + separator + file for name, file in zip(names, files, strict=True)).split()
        said = fail(capsys, "adjust", *typed)
        assert f"No option {typed[0]!r}. Clusterings are given by position: chancecorr" in said
        (order,) = re.findall(r"chancecorr adjust ([A-Z ]+)\.", said)
        for file in files:
            (folder / file).write_text(write_rttm((0, 2, "a"), (2, 3, "b"), (5, 1, "a")))
        given = [dict(zip(("TRUE", "PRED"), files, strict=True))[word] for word in order.split()]
        assert adjust(capsys, *given, "--index", "rand")[2] == 1.0


def test_an_unknown_index_is_answered_before_files_are_read(folder, capsys):
    for command in ("adjust", "compare"):
        said = fail(capsys, command, "missing.rttm", "none.rttm", "--index", "rand,der")
        assert said.startswith("`--index` must be a registered index; got 'der'. With one speaker at a time")


RTTM = [(0, "2.0", "ann"), ("2.0", "3.5", "bob"), ("5.5", "0.5", "ann")]
RTTM_FORMS = {
    "tabs": lambda text: text.replace(" ", "\t"),
    "tabs and blanks": lambda text: text.replace(" 1 ", "\t1 \t"),
    "decimal commas": lambda text: text.replace(".", ","),
    "blanks in names between tabs": lambda text: (
        text.replace(" ", "\t").replace("rec", "my rec").replace("ann", "ann b")
    ),
    "nine fields": lambda text: text.replace(" <NA> <NA>\n", " <NA>\n"),
}


@pytest.mark.parametrize("form", RTTM_FORMS)
def test_forms_of_rttm(folder, capsys, form):
    (folder / "true.rttm").write_text(write_rttm((0, "2.5", "s1"), ("2.5", "3.5", "s2")))
    (folder / "pred.rttm").write_text(RTTM_FORMS[form](write_rttm(*RTTM)))
    labels = ["s1", "s1", "s2", "s2"], ["ann", "bob", "bob", "ann"]
    expected = cc.adjust(*labels, weights=Durations([2, 0.5, 3, 0.5])).adjusted
    found = adjust(capsys, "true.rttm", "pred.rttm", "--index", "rand")
    assert found[:2] == (4, [2, 2])
    assert found[2] == pytest.approx(expected, rel=1e-9)


LINE = "SPEAKER rec 1 0.00 2.00 <NA> <NA> ann <NA> <NA>\n"
DAMAGED = {
    "a blank in a name": (LINE.replace("rec", "my rec"), "10 fields in each line of RTTM, or 9; got 11 in"),
    "a field less": (LINE.replace("<NA> ", "", 1), "got 10 in line 2, and 9 in line 1"),
    "a field less, at the start": (LINE.replace("rec ", ""), "got 10 in line 2, and 9 in line 1"),
    "a time of words": (LINE.replace("0.00", "start"), "fields 4 and 5; got 'start' and '2.00' in line 1"),
    "a time that is none": (LINE.replace("0.00", "nan"), "fields 4 and 5; got 'nan' and '2.00' in line 1"),
    "no speaker": (LINE.replace("ann", "<NA>"), "must name a speaker in field 8 of each line; got none"),
}  # fmt: skip


@pytest.mark.parametrize("fault", DAMAGED)
def test_damaged_lines_of_rttm_are_named(folder, capsys, fault):
    line, said = DAMAGED[fault]
    (folder / "true.rttm").write_text(LINE)
    (folder / "bad.rttm").write_text(line + LINE.replace("0.00 2.00", "2.00 2.00"))
    for pair in (["true.rttm", "bad.rttm"], ["bad.rttm", "true.rttm"]):
        refused = fail(capsys, "adjust", *pair)
        assert refused.startswith("`bad.rttm` must ")
        assert said in refused


def test_segments_without_a_speaker_are_left_out_if_asked_for(folder, capsys):
    (folder / "true.rttm").write_text(write_rttm((0, 2, "a"), (2, 3, "b"), (5, 1, "a")))
    (folder / "pred.rttm").write_text(write_rttm((0, 1, "x"), (1, 3, "y"), (4, 1, "<NA>"), (5, 1, "x")))
    expected = cc.adjust(["a", "a", "b", "a"], list("xyyx"), weights=Durations([1, 1, 2, 1])).adjusted
    found = adjust(capsys, "true.rttm", "pred.rttm", "--missing", "drop", "--index", "rand")
    assert found[2] == pytest.approx(expected, rel=1e-9)
    (folder / "none.rttm").write_text(LINE.replace("<NA> ", "", 1))  # the field of the speaker is another one
    for missing in ("raise", "drop", "singletons"):
        said = fail(capsys, "adjust", "true.rttm", "none.rttm", "--missing", missing)
        assert "must name a speaker in field 8" in said


LINKED = {"true": [("r1", "r2"), ("r2", "r3"), ("r4", "r5")], "pred": [("r1", "r2"), ("r4", "r6")]}
FORMS_OF_LINKS = {
    "dedupe": ("id_1,id_2\n", "{},{}\n", ()),
    "splink": ("match_probability,unique_id_l,unique_id_r\n", "0.9,{},{}\n", ()),
    "no header": ("", "{},{}\n", ("--format", "links")),
    "another header": ("from;to\n", "{};{}\n", ("--format", "links", "--header")),
}


@pytest.mark.parametrize("form", FORMS_OF_LINKS)
def test_files_of_links(folder, capsys, form):
    """Clusters by hand: r1 r2 r3, r4 r5, r6 against r1 r2, r4 r6, r3, r5."""
    head, line, options = FORMS_OF_LINKS[form]
    for name, links in LINKED.items():
        (folder / f"{name}.csv").write_text(head + "".join(line.format(*link) for link in links))
    expected = cc.adjusted_score([0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 3, 2])
    files = "true.csv", "pred.csv", *options, "--index", "rand"
    found = adjust(capsys, *files, "--missing", "singletons")
    assert found == (6, [3, 4], pytest.approx(expected, rel=1e-12))
    assert "must have a label for each object of the others" in fail(capsys, "adjust", *files)
    (folder / "true.csv").write_text(head + line.format("r1", "r2") + line.format("r3", ""))
    said = fail(capsys, "adjust", *files)
    assert said.startswith("`true.csv` must have two objects in each line")
    assert said.endswith(f"in line {2 + bool(head)}.")


def test_links_without_a_header_are_answered_by_their_format(folder, capsys):
    for name in ("true.csv", "pred.csv"):
        (folder / name).write_text("r1,r2\nr2,r3\nr4,r5\n")
    said = fail(capsys, "adjust", "true.csv", "pred.csv")
    assert "links" in re.findall(r"pass --format ([\w, ]+)", said)[0]
    assert adjust(capsys, "true.csv", "pred.csv", "--format", "links", "--index", "rand")[2] == 1.0


TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"
"""
KINDS = {
    "links.json": (
        json.dumps(LINKED["true"]),
        "JSON; write two linked objects, or a community, in each line",
    ),
    "rows.json": (json.dumps([{"id_1": 1, "id_2": 2}]), "JSON; write a table as CSV"),
    "one.TextGrid": (TEXTGRID, "TextGrid of Praat; write a line for each interval: start, end and label"),
}


@pytest.mark.parametrize("name", KINDS)
def test_files_of_other_kinds_are_named(folder, capsys, name):
    text, words = KINDS[name]
    (folder / name).write_text(text)
    assert words in fail(capsys, "adjust", name, name)


SAID, HEARD = (
    [(0, 2.5, "ann"), (2.5, 4, "bob"), (4, 7, "ann")],
    [(0, 2.25, "s1"), (2.25, 4.5, "s2"), (4.5, 7, "s1")],
)
FORMS_OF_SEGMENTS = {
    "Audacity": ("", "{:.6f}\t{:.6f}\t{}\n", ()),
    "names with blanks": ("", "{:.6f}\t{:.6f}\ta {}\n", ()),
    "lab": ("", "{} {} {}\n", ()),
    "decimal commas": ("", "{:.3f};{:.3f};{}\n", ()),
    "pandas": ("start,end,speaker\n", "{},{},{}\n", ()),
}


@pytest.mark.parametrize("form", FORMS_OF_SEGMENTS)
def test_rows_of_start_end_and_label(folder, capsys, form):
    """Weights by hand, between 0, 2.25, 2.5, 4, 4.5 and 7."""
    head, line, options = FORMS_OF_SEGMENTS[form]
    for name, rows in (("a.lab", SAID), ("b.lab", HEARD)):
        text = head + "".join(line.format(*row) for row in rows)
        (folder / name).write_text(text.replace(".", ",") if form == "decimal commas" else text)
    weights = Durations([2.25, 0.25, 1.5, 0.5, 2.5])
    expected = cc.adjusted_score(list("aabaa"), list("xyyyx"), weights=weights)
    assert adjust(capsys, "a.lab", "b.lab", *options, "--index", "rand")[2] == pytest.approx(
        expected, rel=1e-9
    )
    (folder / "b.rttm").write_text(write_rttm(*((start, end - start, who) for start, end, who in HEARD)))
    assert adjust(capsys, "a.lab", "b.rttm", "--index", "rand")[2] == pytest.approx(expected, rel=1e-9)


def test_whole_numbers_in_threes_are_segments_if_asked_for(folder, capsys):
    (folder / "a.txt").write_text("0 4 1\n4 10 2\n")
    assert run(["adjust", "a.txt", "a.txt"]) == 2
    capsys.readouterr()
    assert adjust(capsys, "a.txt", "a.txt", "--format", "segments", "--index", "rand")[2] == 1.0
    (folder / "a.txt").write_text("4 4 1\n4 10 2\n")
    said = fail(capsys, "adjust", "a.txt", "a.txt", "--format", "segments")
    assert "must have a start, an end after it, and a label in each line; got ['4', '4', '1']" in said
    (folder / "a.txt").write_text("0 2.5 NA\n2.5 10 2\n")
    said = fail(capsys, "adjust", "a.txt", "a.txt")
    assert said.startswith(
        "`a.txt` must name a label in each line; got none for the segment at 0. Pass --missing"
    )


NAMED_LINES = {
    "a blank": "OG0: 1 2\nOG1: 3 4 5\nOG2: 6 7 8 9\n",
    "tabs": "OG0:\t1\t2\nOG1:\t3\t4\t5\nOG2:\t6\t7\t8\t9\n",
    "commas": "OG0: 1, 2\nOG1: 3, 4, 5\nOG2: 6, 7, 8, 9\n",
    "a name of words": "first: 1 2\nsecond: 3 4 5\nlast: 6 7 8 9\n",
    "an empty one": "OG0: 1 2\nOG1: 3 4 5\nOG9:\nOG2: 6 7 8 9\n",
}


@pytest.mark.parametrize("form", NAMED_LINES)
@pytest.mark.parametrize("layout", [[], ["--format", "communities"]], ids=["", "format"])
def test_lines_that_begin_with_the_name_of_a_community(folder, capsys, form, layout):
    (folder / "groups.txt").write_text(NAMED_LINES[form])
    (folder / "true.txt").write_text("a: 1 2 3\nb: 4 5 6 7\nc: 8 9\n")
    for true in ("true.dat", "true.txt") if not layout else ("true.txt",):
        found = adjust(capsys, true, "groups.txt", *layout, "--index", "rand")
        assert found == (9, [3, 3], cc.adjust(TRUE, PRED).adjusted)
    assert run(["compare", "true.txt", "groups.txt", "--json", *layout]) == 0
    assert "a community in each line after its name" in capsys.readouterr().err


def test_first_words_that_may_be_names_are_named(folder, capsys):
    (folder / "c.txt").write_text("C1\ta\tb\nC2\tc\td\te\n")
    (folder / "d.txt").write_text("C1\ta\tb\tc\nC2\td\te\n")
    assert run(["adjust", "c.txt", "d.txt"]) == 0
    assert "(the first word of a line, as 'C1', is a member)" in capsys.readouterr().err
    (folder / "e.txt").write_text("g1\tg2\tg3\ng4\tg5\n")
    assert run(["adjust", "e.txt", "e.txt"]) == 0
    assert "the first word" not in capsys.readouterr().err


WHOLE = [range(1, 11), range(11, 21), range(21, 31), range(31, 41)]
CUT = [range(1, 11), [11, 12, 13, 14, 15, 16, 17, 1]]  # within the number 18


def write_lines(groups):
    return "\n".join(" ".join(map(str, members)) for members in groups) + "\n"


def write_clu(labels):
    return "# node_id module flow\n" + "".join(f"{node} {label} 0.1\n" for node, label in labels)


SLIPS = {
    "cut off": (write_lines(CUT), "got only 1 of 17"),
    "a mistyped node": (
        write_clu([(2 if node == 32 else node, (node - 1) // 10) for node in range(1, 41)]),
        "got only 2 of 39",
    ),
    "a mistyped node in a tree": (
        "# path flow name node_id\n"
        + "".join(
            f'{(node - 1) // 10 + 1}:{node} 0.1 "x" {2 if node == 32 else node}\n' for node in range(1, 41)
        ),
        "got only 2 of 39",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_lone_node_in_two_communities_is_asked_about(folder, capsys, slip):
    text, said = SLIPS[slip]
    (folder / "true.txt").write_text(write_lines(WHOLE))
    (folder / "slip.txt").write_text(text)
    for pair in (["true.txt", "slip.txt"], ["slip.txt", "true.txt"]):
        for command in (["adjust", *pair], ["adjust", *pair, "--index", "rand"], ["compare", *pair]):
            refused = fail(capsys, *command)
            assert refused.startswith(
                "`slip.txt` must have each node in one community, or several nodes in more;"
            )
            assert said in refused
            assert "If communities overlap, pass --overlap." in refused
    for meant in (["--overlap"], ["--index", "omega"], ["--index", "onmi"]):
        assert run(["adjust", "true.txt", "slip.txt", *meant, "--n-tables", "99"]) == 0
        n = 40 - int(said.split()[-1])
        printed = capsys.readouterr()
        assert f"slip.txt: {n} of 40 nodes in no community" in printed.err
        assert f"from slip.txt, {n} of 40 objects in none" in printed.out


def test_few_overlaps_beside_many_are_no_slip(folder, capsys):
    (folder / "true.txt").write_text(write_lines([range(1, 12), range(10, 21), range(20, 41)]))
    (folder / "found.txt").write_text(write_lines([range(1, 11), range(10, 41)]))
    assert run(["adjust", "true.txt", "found.txt", "--n-tables", "99"]) == 0
    assert "in no community" not in capsys.readouterr().err
