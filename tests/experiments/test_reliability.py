"""The page of promises: every test that is named is there, the page lists them, and failures are noticed."""

import re
import xml.etree.ElementTree as ET

import pytest

from experiments.reliability import peers, run
from experiments.reliability.outcomes import ROOT, Case, cases_of, exists
from experiments.reliability.page import figures_of, problems_of, render, result_of, said
from experiments.reliability.peers import Said
from experiments.reliability.promises import ROOMS, Figure, Promise
from experiments.reliability.verdicts import judge

PROMISES = [promise for room in ROOMS.values() for promise in room]

TOY = """
import pytest

def test_passes(record_property):
    record_property("answer", 42)

@pytest.mark.parametrize("number", [1, 2, 3])
def test_fails_once(number, record_property):
    record_property("seconds", number / 4)
    assert number != 2

class TestSkips:
    @pytest.mark.skip(reason="as asked")
    def test_one(self):
        pass

    def test_other(self):
        pass

@pytest.mark.long
def test_takes_long(record_property):
    record_property("answer", 43)

@pytest.mark.chaos
def test_kills():
    pass
"""


def promise(*names, figures=(), **peers_of):
    tests = tuple(f"tests/test_toy.py::{name}" for name in names)
    return Promise(title=f"It holds: {names}.", tests=tests, figures=figures, peers=peers_of)


def case(name, outcome="passed", **properties):
    return Case(f"tests/test_toy.py::{name}", "", outcome, 0.1, tuple(properties.items()))


@pytest.fixture
def toy(tmp_path):
    """A folder of its own with a few tests."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_toy.py").write_text(TOY)
    (tmp_path / "tests" / "test_without.py").write_text("import pytest\npytest.importorskip('nowhere')\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    return tmp_path


@pytest.mark.parametrize("test", sorted({test for each in PROMISES for test in each.tests}))
def test_what_is_named_is_there(test):
    assert exists(test)


def test_what_is_not_there_is_missed():
    assert not exists("tests/experiments/test_reliability.py::test_of_another_name")
    assert not exists("tests/experiments/test_no_such_file.py")
    assert not exists("tests/experiments/test_reliability.py::TestThat::test_what_is_named_is_there")


def test_figures_are_recorded_by_a_test_that_is_named():
    for each in PROMISES:
        text = "".join((ROOT / test.partition("::")[0]).read_text(encoding="utf-8") for test in each.tests)
        for figure in each.figures:
            assert f'"{figure.name}"' in text, (each.title, figure.name)
            assert figure.sentence.count("{}") == 1


def test_titles_are_sentences_that_differ():
    titles = [each.title for each in PROMISES]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() and title.endswith(".") and len(title) <= 110 for title in titles)


def test_peers_are_known_and_cited_by_their_own_documentation():
    homes = {
        "scipy": "https://docs.scipy.org/",
        "numpy": "https://numpy.org/",
        "joblib": "https://joblib.readthedocs.io/",
        "dask": ("https://docs.dask.org/", "https://distributed.dask.org/"),
    }
    assert homes.keys() == peers.NAMES.keys()
    for each in PROMISES:
        for peer, sentences in each.peers.items():
            for one in (sentences,) if isinstance(sentences, Said) else sentences:
                assert one.page.startswith(homes[peer])


def test_the_page_lists_all_promises_in_their_order():
    page = run.PAGE.read_text(encoding="utf-8")
    listed = re.findall(r"^(?:## (.*)|\| (.*?) \| \[`.*)$", page, flags=re.MULTILINE)
    assert [room or title for room, title in listed] == [
        line for room, several in ROOMS.items() for line in (room, *(each.title for each in several))
    ]
    assert "**Not held:**" not in page


@pytest.mark.heavy
def test_a_run_notices_what_failed_was_skipped_and_is_missing(toy, capfd):
    rooms = {
        "First": (
            promise("test_passes", "test_takes_long", figures=(Figure("answer", "the answer is {}"),)),
            promise("test_fails_once", figures=(Figure("seconds", "{} s"),)),
            promise("TestSkips", scipy=Said("nothing", "https://docs.scipy.org/")),
        ),
        "Second": (
            promise("test_nowhere"),
            promise("test_kills"),
            Promise(title="A file.", tests=("tests/test_without.py",)),
        ),
    }
    page = toy / "page.md"
    assert run.main(["--page", str(page)], rooms, toy) == 1
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("Not held")]
    assert len(told) == 2
    text = page.read_text(encoding="utf-8")
    rows = [
        line.split(" | ")[2:4] for line in text.splitlines() if line.startswith("| It") or "A file." in line
    ]
    assert rows == [
        ["1 passed, 1 long not run", "the answer is 42"],
        ["2 passed, **1 failed**", "0.75 s"],
        ["1 passed, 1 skipped", "–"],
        ["**missing: `tests/test_toy.py::test_nowhere`**", "–"],
        ["1 chaos not run", "–"],
        ["1 skipped", "–"],
    ]
    assert "**Not held:**" in text
    good = {"First": rooms["First"][::2], "Second": rooms["Second"][1:]}
    assert run.main(["--page", str(page), "--long", "--chaos"], good, toy) == 0
    text = page.read_text(encoding="utf-8")
    assert "| 2 passed | the answer is 43 |" in text
    assert "not run" not in text
    assert "**Not held:**" not in text


def test_a_test_that_exists_but_did_not_run_is_missing(toy):
    verdict = judge(promise("test_passes"), [], {"long": []}, toy)
    assert verdict.missing == ("tests/test_toy.py::test_passes",)
    assert not verdict.is_held


def test_a_figure_that_no_test_recorded_is_noticed(toy):
    asked = promise("test_passes", figures=(Figure("answer", "{}"), Figure("question", "{}")))
    verdict = judge(asked, [case("test_passes", answer=42.0)], {}, toy)
    assert not verdict.is_held
    assert [line.rpartition(": ")[2] for line in problems_of(verdict)] == ["no test recorded `question`"]
    assert figures_of(verdict) == "42; **not recorded: question**"


@pytest.mark.parametrize(("over", "shown"), [("largest", "3.25"), ("least", "1"), ("sum", "6.25")])
def test_figures_over_several_cases(toy, over, shown):
    asked = promise("test_passes", "test_fails_once", figures=(Figure("x", "{}", over),))
    found = [case("test_passes", x=1.0), case("test_fails_once", x=2.0), case("test_fails_once", x=3.25)]
    found += [case("test_fails_once", "failed", x=100.0), case("test_kills", x=1000.0)]
    verdict = judge(asked, found, {}, toy)
    assert figures_of(verdict) == shown
    assert result_of(verdict) == "3 passed, **1 failed**"


def test_cases_of_classes_and_of_whole_files():
    document = ET.fromstring(
        '<testsuites><testsuite><testcase classname="tests.a.test_b.TestC" name="test_d[1-[x]]"'
        ' file="tests/a/test_b.py" time="0.5"><properties>'
        '<property name="n" value="3"/></properties></testcase>'
        '<testcase classname="" name="tests.a.test_e" time="0"><skipped/></testcase>'
        '<testcase classname="tests.a.test_b" name="test_f" file="tests/a/test_b.py"'
        ' time="1"><error/></testcase>'
        "</testsuite></testsuites>"
    )
    assert list(cases_of(document)) == [
        Case("tests/a/test_b.py::TestC::test_d", "1-[x]", "passed", 0.5, (("n", 3.0),)),
        Case("tests/a/test_e.py", "", "skipped", 0.0, ()),
        Case("tests/a/test_b.py::test_f", "", "failed", 1.0, ()),
    ]


def test_cells_of_the_page(toy):
    two = (Said("this", "https://a"), Said("that", "https://b"))
    assert said(two) == "[this](https://a); [that](https://b)"
    assert said(()) == "–"
    text = render(
        {"Room": [judge(promise("test_passes"), [case("test_passes")], {}, toy)]}, {"date": "now"}, []
    )
    assert text.splitlines()[-1].startswith(
        "| It holds: ('test_passes',). | [`test_passes`](../tests/test_toy.py) |"
    )
