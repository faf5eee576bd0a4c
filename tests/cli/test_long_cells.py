"""Cells, names and texts of 100,000 characters: no reader takes the square of their length."""

import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from tests.processes import limit_processor_time

N = 100_000
SECONDS = 1.0  # of processor, that one call may take; of short cells each takes about 0.02
CELLS = {
    "digits": "1" * N + "x",
    "a number": "1" * N,
    "decimals": "0." + "1" * N + "x",
    "zeros": "0." + "0" * N + "x",
    "an exponent": "1e-" + "1" * N + "x",
    "points": "." * N + "x",
    "signs": "-" * N + "1",
    "blanks": "a" + " " * N + "b",
    "tabs": "a" + "\t" * N + "b",
    "a path of modules": "1:" * (N // 2) + "x",
    "commas": ", " * (N // 2) + "x",
    "bars": "1|" * (N // 2) + "x",
    "letters and digits": "a1" * (N // 2),
    "quotes": "'" * N,
    "brackets": "[" * N,
    "parentheses": "(" * N,
    "comments": "#" * N,
    "names of an error": "`candidates['" * (N // 13),
    "ends of lines": "# " + "\r" * N,
}
FILES = {
    "labels": 't,p,q\n1,1,1\n2,"{}",1\n2,1,2\n1,2,1\n',
    "labels, blanks": "t p q\n1 1 1\n2 {} 1\n2 1 2\n1 2 1\n",
    "a header": 't,p,"{}"\n1,1,1\n2,2,1\n2,1,2\n1,1,1\n',
    "nodes": "a 1\nb {}\nc 2\nd 2\ne 2\nf 1\n",
    "a node": "{} 1\nb 1\nc 2\nd 2\ne 2\nf 1\n",
    "communities": "a b {}\nd e f\ng h i\n",
    "counts": ',a,b\nx,1,2\ny,"{}",4\n',
    "a name of counts": ',a,b\nx,1,2\n"{}",3,4\n',
    "segments": "SPEAKER f 1 0 {} <NA> <NA> A <NA> <NA>\nSPEAKER f 1 0 3 <NA> <NA> B <NA> <NA>\n",
}
COMMANDS = [
    ("labels", "adjust FILE:t FILE:p"),
    ("labels", "compare t --data FILE"),
    ("labels", "pairwise --data FILE"),
    ("labels", "adjust FILE:t other.csv:t --key p"),
    ("a header", "compare t --data FILE"),
    ("a header", "adjust FILE:t FILE:CELL"),
    ("labels, blanks", "compare t --data FILE"),
    *((name, "adjust FILE other.txt") for name in ("nodes", "a node", "communities", "segments")),
    ("nodes", "adjust FILE FILE --format nodes"),
    ("a node", "adjust FILE other.txt --format nodes"),
    ("communities", "adjust FILE FILE --format communities"),
    ("a name of counts", "adjust-table FILE"),
    ("counts", "adjust-table FILE"),
    ("labels", "adjust FILE:t FILE:q --index CELL"),
    ("labels", "adjust FILE:t FILE:q --method CELL"),
]


@pytest.fixture
def others(folder):
    (folder / "other.txt").write_text("a 1\nb 1\nc 2\nd 2\ne 2\nf 1\n")
    (folder / "other.csv").write_text("t,p\n1,a\n1,b\n2,c\n2,d\n")
    (folder / "short.csv").write_text("t,p\n1,1\n2,1\n")
    run(["adjust", "short.csv:t", "short.csv:p"])  # what a first call imports is no matter of its cells


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.usefixtures("others")
def test_a_command_takes_no_longer_for_long_cells(cell, folder, capsys):
    for file, command in COMMANDS:
        (folder / "file.txt").write_text(FILES[file].format(CELLS[cell]), newline="")
        typed = command.replace("FILE", "file.txt").split()
        with limit_processor_time(SECONDS):
            code = run([part.replace("CELL", CELLS[cell]) for part in typed])
        said = capsys.readouterr().err
        assert code in (0, 2), (file, command)
        assert code == 0 or said.count("\n") == 1, (file, command)


def refuse(function, *arguments, **keywords):
    """The error of a call that has no answer."""
    with pytest.raises(ValueError, match=r"must|Did you mean"):
        function(*arguments, **keywords)


DOORS = {
    "adjust": lambda text: cc.adjust([text, "b", text, "c"], ["a", text, text, "c"], "rand"),
    "score": lambda text: cc.score([text, "b", text, "c"], ["a", text, text, "c"], "rand"),
    "compare": lambda text: repr(cc.compare([0, 0, 1], {text: [0, 1, 1], "b": [0, 0, 1]}, "rand")),
    "pairwise": lambda text: cc.pairwise({text: [0, 1, 1], "b": [0, 0, 1]}, "rand").to_text(),
    "a mapping": lambda text: cc.adjust({text: 0, "b": 1, "c": 1}, {"b": 0, "c": 1, text: 1}, "rand"),
    "a cover": lambda text: cc.adjust(
        cc.Cover([{text, "b"}, {"c"}]), cc.Cover([{text}, {"b", "c"}]), "omega", n_tables=5, rng=1
    ),
    "a leaf": lambda text: refuse(cc.Tree, f"(({text},b),c"),
    "a quoted leaf": lambda text: cc.Tree("(('" + text.replace("'", "''") + "',b),c);"),
    "a text that is no tree": lambda text: refuse(cc.Tree, text),
    "an index": lambda text: refuse(cc.score, [0, 1], [0, 1], text),
    "a method": lambda text: refuse(cc.adjust, [0, 1], [0, 1], "rand", method=text),
    "a candidate": lambda text: refuse(cc.adjust, [0, 1], [0, 1], "rand", model=text),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_call_takes_no_longer_for_long_texts(door):
    DOORS[door]("short")  # what a first call imports is no matter of its texts
    for text in CELLS.values():
        with limit_processor_time(SECONDS):
            DOORS[door](text)


@pytest.mark.parametrize("n", [2_000, 20_000])
def test_trees_of_many_leaves_take_a_time_in_proportion(n):
    text = "(" * (n - 1) + "a0" + "".join(f",a{k})" for k in range(1, n)) + ";"
    with limit_processor_time(SECONDS):
        tree = cc.Tree(text)
    assert tree.n == n
    assert tree.linkage[:, 2].tolist() == [*range(1, n)]  # a branch without a length counts as one
    with limit_processor_time(SECONDS):
        refuse(cc.Tree, text.replace(f",a{n - 1})", ",a0)"))
