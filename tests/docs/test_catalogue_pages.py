"""Pages of the catalogue that are made for the documentation: complete, linked, what the entries say."""

import doctest
import importlib
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from formulas.latex import cases_latex
from formulas.reading import read_formula

import chancecorr as cc
from chancecorr.catalogue.recommendations import CHOICES, COMMON, common_first
from chancecorr.indices.registry import FAMILIES

pytest.importorskip("docutils")  # of the documentation's dependencies

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
catalogue_pages = importlib.import_module("catalogue_pages")
catalogue_table = importlib.import_module("catalogue_table")
catalogue_text = importlib.import_module("catalogue_text")
common_choices = importlib.import_module("common_choices")
index_page = importlib.import_module("index_page")
Properties = importlib.import_module("catalogue_properties").Properties

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
VOID = {"input", "path", "line"}


class Elements(HTMLParser):
    """All elements in order, as tag, attributes and text; checks that they are closed in order."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.found, self.open = [], []
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), []))
        if tag not in VOID:
            self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def all(self, tag):
        return [(attributes, "".join(text)) for name, attributes, text in self.found if name == tag]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("computed")


@pytest.fixture(scope="module")
def reference(tmp_path_factory, cache):
    folder = tmp_path_factory.mktemp("reference")
    assert catalogue_pages.write_pages(folder, cache) == len(NAMES) + 2
    return folder


@pytest.fixture(scope="module")
def table(reference):
    return Elements(raw_html((reference / "catalogue.md").read_text(encoding="utf-8")))


def raw_html(page):
    return "\n".join(re.findall(r"^```\{raw\} html\n(.*?)\n```$", page, flags=re.DOTALL | re.MULTILINE))


@pytest.mark.heavy
class TestThePages:
    def test_every_index_has_one(self, reference):
        assert {path.stem for path in (reference / "indices").glob("*.md")} == set(NAMES)
        for name in NAMES:
            text = (reference / "indices" / f"{name}.md").read_text(encoding="utf-8")
            entry = cc.get_index(name)
            assert "\n# " + name.replace("_", r"\_") + "\n" in text
            assert f"`{entry.formula}`" in text
            assert all(f"`{alias}`" in text for alias in entry.aliases)

    def test_three_lines_come_first(self, reference):
        """What it rewards, when to take it, names elsewhere; all else is folded."""
        for name in NAMES:
            text = (reference / "indices" / f"{name}.md").read_text(encoding="utf-8")
            before, *folded = text.split("\n::::{dropdown} ")
            first, when, elsewhere = before.strip().splitlines()[-3:]
            assert first.startswith(
                "- **What it rewards**: " if name in COMMON else "- **What it measures**: "
            )
            assert when.startswith("- **When to take it**: ")
            assert elsewhere.startswith("- **Elsewhere**: ")
            assert min(map(len, (first, when, elsewhere))) > 20
            assert folded[0].startswith("Formula\n:open:\n")
            assert all(part.rstrip().endswith("\n::::") for part in folded)
        text = (reference / "indices" / "rand.md").read_text(encoding="utf-8")
        assert "`rand_score` in scikit-learn, `adjusted_rand_score` in scikit-learn" in text
        assert "`adjustedRandIndex` in mclust" in text

    def test_formulas_are_mathematics(self, reference):
        for name in NAMES:
            formula = read_formula(cc.get_index(name).formula, NAMES)
            text = (reference / "indices" / f"{name}.md").read_text(encoding="utf-8")
            if not any(isinstance(part, str) for case in formula.cases for part in case[:1]):
                assert f"```{{math}}\n{cases_latex(formula)}\n```" in text

    def test_links_lead_somewhere(self, reference):
        headings = {
            line[3:].replace("\\_", "-")
            for line in (reference / "same_once_corrected.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("## ")
        }
        pages = list(reference.rglob("*.md"))
        n_links = 0
        for path in pages:
            text = path.read_text(encoding="utf-8")
            for target in re.findall(r"\]\((?!https://)([^)#]+)\)", text):
                place = path.parent / target
                if target.startswith("/"):
                    generated = target.startswith("/reference/")
                    place = reference / target[len("/reference/") :] if generated else DOCS / target[1:]
                assert place.is_file(), (path.name, target)
                n_links += 1
            for attributes, _ in Elements(raw_html(text)).all("a"):
                target, _, anchor = attributes["href"].partition("#")
                assert (path.parent / target).with_suffix(".md").is_file(), (path.name, target)
                assert not anchor or anchor in headings, anchor
        assert n_links > 3 * len(NAMES)

    @pytest.mark.parametrize("name", ["jaccard", "nmi_max", "purity", "irm", "kulczynski_1"])
    def test_examples_are_what_python_prints(self, reference, name):
        text = (reference / "indices" / f"{name}.md").read_text(encoding="utf-8")
        (example,) = re.findall(r"```\{code-block\} pycon\n(.*?)\n```", text, flags=re.DOTALL)
        test = doctest.DocTestParser().get_doctest(example + "\n", {}, name, None, None)
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
        assert len(test.examples) == 3


@pytest.mark.heavy
class TestTheTable:
    def test_has_a_row_for_every_index(self, table):
        rows = [attributes["id"] for attributes, _ in table.all("tr") if "id" in attributes]
        assert rows == common_first(NAMES)
        assert {attributes["href"] for attributes, _ in table.all("a")} >= {
            f"indices/{name}.html" for name in NAMES
        }

    def test_what_is_searched(self, table):
        texts = {row["id"]: row["data-text"] for row, _ in table.all("tr") if "id" in row}
        for name in NAMES:
            entry = cc.get_index(name)
            for text in (name, *entry.aliases, entry.known_as, entry.formula):
                assert text.lower() in texts[name]

    def test_every_control_has_a_label_and_every_filter_its_values(self, table):
        labels = {attributes["for"] for attributes, _ in table.all("label")}
        controls = [attributes for tag in ("input", "select") for attributes, _ in table.all(tag)]
        assert {attributes["id"] for attributes in controls} == labels
        values = {
            attributes["data-value"]
            for tag in ("td", "th")
            for attributes, _ in table.all(tag)
            if "data-value" in attributes
        }
        options = {attributes["value"] for attributes, _ in table.all("option")}
        assert options - {""} == values - {""}

    def test_hooks(self, table):
        ids = [attributes["id"] for _, attributes, _ in table.found if "id" in attributes]
        assert len(ids) == len(set(ids))
        assert {"catalogue-search", "catalogue-table", "catalogue-count"} <= set(ids)
        script = (DOCS / "_static" / "catalogue.js").read_text(encoding="utf-8")
        for wanted in re.findall(r'getElementById\("([^"]+)"\)', script):
            assert wanted in ids
        (count,) = [text for attributes, text in table.all("p") if attributes.get("id") == "catalogue-count"]
        assert count == f"{len(NAMES)} of {len(NAMES)} indices"


def test_columns_say_what_the_entries_say():
    def row(name):
        return {
            key: cell.value or cell.html
            for key, cell in catalogue_table.cells(cc.get_index(name), Properties()).items()
        }

    assert row("jaccard") | {"name": ""} == {
        "name": "", "family": "Pair counting", "kind": "similarity", "range": "0 to 1", "symmetric": "yes",
        "metric": "", "linear": "no", "mean": "quadrature where smooth", "law": "enumeration of T",
        "class": "jaccard",
        "source": "Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270",
    }  # fmt: skip
    assert row("rand")["linear"] == "T"
    assert row("nmi_max")["linear"] == "mutual information"
    assert row("nmi_joint")["linear"] == "no"
    assert row("bcubed_recall")["linear"] == "another sum over cells"
    assert row("purity")["mean"] == "small tables only"
    assert row("koppen_2")["law"] == "constant"
    assert row("mcnemar")["kind"] == "neither"
    assert row("batagelj_bren")["range"] == "0 to ∞"
    assert row("kulczynski_1")["class"] == "never adjusted"


def test_properties_are_shown_where_there_are_files(tmp_path):
    about = {"title": "Symmetry", "statement": "s(U, V) = s(V, U).", "source": "doi:10.1000/x", "n_max": 6}
    found = {
        "status": "refuted",
        "reason": "r",
        "counterexample": {"clusterings": "001|011", "scores": [[0, 1, 0.5]]},
    }
    counts = {"counts": [[0, 0, 2, 0], [0, 0, 1, 1]], "values": [0.0, "inf"]}
    raw = {
        "symmetric": {"status": "proved", "reason": "b and c | alike"},
        "metric": {"status": "refuted", "counterexample": counts},
    }
    data = {
        "properties": {"symmetric": about, "metric": about | {"title": "Metric", "source": ""}},
        "indices": {"jaccard": {"raw": raw, "adjusted": {"symmetric": found}}},
        "reasons": {"r": "Like `purity`."},
    }  # fmt: skip
    (tmp_path / "properties.json").write_text(json.dumps(data), encoding="utf-8")
    bias = {"jaccard": {"raw": {"prefers": "few"}, "adjusted": {"prefers": "none"}}}
    (tmp_path / "selection_bias.json").write_text(json.dumps(bias), encoding="utf-8")
    properties = importlib.import_module("catalogue_properties").read_properties(tmp_path)
    assert properties.table("jaccard").splitlines()[2:] == [
        r"| Symmetry | **proved**: b and c \| alike | **refuted**: Like"
        " [`purity`](/reference/indices/purity.md); `s(001, 011) = 0.5` |",
        "| Metric | **refuted**: `s(0, 0, 2, 0) = 0`, `s(0, 0, 1, 1) = inf` |  |",
    ]
    assert properties.table("rand") == properties.preference("rand") == ""
    assert catalogue_table.cells(cc.get_index("jaccard"), properties)["metric"].value == "no"
    assert "metric" in {column.key for column in catalogue_table.columns(properties)}
    assert "metric" not in {column.key for column in catalogue_table.columns(Properties())}
    assert properties.preference("jaccard").endswith(
        "as it is it prefers few clusters, adjusted it prefers no number."
    )
    assert "[doi:10.1000/x](https://doi.org/10.1000/x)" in properties.definitions()


def test_names_that_clash_are_said():
    assert next(iter(index_page.clashes("nvi_joint").values()))[:2] == ["nvi", "normalizedvi"]
    assert index_page.clashes("jaccard") == {}


def test_which_index_is_the_first_screen():
    """On its page before any other text, and on the landing page."""
    directive = "```{which-index}\n```"
    page = (DOCS / "explanation" / "which_index.md").read_text(encoding="utf-8")
    assert page.partition("# Which index?\n\n")[2].startswith(directive)
    assert directive in (DOCS / "index.md").read_text(encoding="utf-8")
    rows = common_choices.table().splitlines()[2:]
    assert len(rows) == len(CHOICES) == 6
    for row, choice in zip(rows, CHOICES, strict=True):
        assert row.startswith(f"| {choice.question} | [{choice.title}](")
        assert f'index="{choice.call}"' in row
        assert row.endswith(f"| {choice.why} |")
