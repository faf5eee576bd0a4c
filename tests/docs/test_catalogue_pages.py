"""Pages of the catalogue that are made for the documentation: complete, linked, what the entries say."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

import chancecorr as cc

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import catalogue_pages  # noqa: E402
import catalogue_table  # noqa: E402
from catalogue_text import NAMES, link_names  # noqa: E402


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Text of each page by its place."""
    folder = tmp_path_factory.mktemp("reference")
    (folder / "indices").mkdir()
    (folder / "indices" / "gone.md").write_text("An index that is no more.")
    catalogue_pages.write_pages(folder)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}


def test_every_index_has_a_page(pages):
    assert set(pages) == {"catalogue.md", "same_once_corrected.md", *(f"indices/{name}.md" for name in NAMES)}
    for name in NAMES:
        text, entry = pages[f"indices/{name}.md"], cc.get_index(name)
        assert "\n# " + name.replace("_", r"\_") + "\n" in text
        assert f"$$\n{entry.formula.split(', ' + chr(92) + 'quad ')[0]}\n$$" in text
        assert all(f"`{alias}`" in text for alias in entry.aliases)
        assert f"`cc.score_table([[9, 2, 1], [1, 7, 0], [0, 3, 8]], '{name}')` is " in text
    assert "`rand_score` in scikit-learn, `adjusted_rand_score` in scikit-learn" in pages["indices/rand.md"]
    assert "tversky(0.7, 0.3)" in pages["indices/tversky.md"]
    assert "`nvi`, `normalizedvi`" in pages["indices/nvi_joint.md"]


def test_properties_are_shown(pages):
    text = pages["indices/jaccard.md"]
    rows = re.findall(r"^\| (.+) \| (.*) \| (.*) \|$", text, re.MULTILINE)
    assert len(rows) > 8
    refuted = next(raw for title, raw, _ in rows if title.startswith("Constant baseline"))
    assert re.match(r"\*\*refuted\*\*: .*`s\(\d+, \d+\) = ", refuted)


def test_links_lead_somewhere(pages):
    headings = re.findall(r"^## (.+)$", pages["same_once_corrected.md"].replace("\\_", "-"), re.MULTILINE)
    for place, text in pages.items():
        for target in re.findall(r"\]\((?!https://)([^)#]+)\)", text):
            generated = target.removeprefix("/reference/") in pages
            assert generated or (DOCS / target[1:]).is_file(), (place, target)
    for target, anchor in re.findall(r'href="([^"#]+)#?([^"]*)"', pages["catalogue.md"]):
        assert target.replace(".html", ".md") in pages
        assert not anchor or anchor in headings, anchor


def test_columns_say_what_the_entries_say():
    assert catalogue_table.describe_index(cc.get_index("jaccard")) == {
        "index": "jaccard", "family": "Pair counting", "kind": "similarity", "range": "0 to 1",
        "symmetric": "yes", "metric": "yes", "mean": "quadrature where smooth", "class": "jaccard",
    }  # fmt: skip
    for name, column, wanted in (
        ("rand", "mean", "closed form, linear in T"), ("nmi_max", "mean", "sums over cells, linear in I"),
        ("bcubed_recall", "mean", "sums over cells"), ("purity", "mean", "small tables only"),
        ("koppen_2", "mean", "constant"), ("mcnemar", "kind", "neither"),
        ("batagelj_bren", "range", "0 to ∞"), ("kulczynski_1", "class", "never adjusted"),
    ):  # fmt: skip
        assert catalogue_table.describe_index(cc.get_index(name))[column] == wanted


def test_text_of_an_entry_becomes_links():
    text = link_names("Like `purity`, with n_ij; see ari_x, doi:10.1000/x. `a / P`", but="rand")
    purity, doi = "[`purity`](/reference/indices/purity.md)", "[doi:10.1000/x](https://doi.org/10.1000/x)"
    assert text == rf"Like {purity}, with n\_ij; see ari\_x, {doi}. `a / P`"
    assert "](" not in link_names("`purity`", but="purity")
