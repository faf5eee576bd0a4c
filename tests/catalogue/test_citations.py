"""Works to cite, over the whole catalogue; entries are read back from BibTeX."""

import re
import tomllib
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.correction import citations
from tests.cli.test_commands import fail, succeed

ROOT = Path(__file__).resolve().parents[2]
NAMES = cc.list_indices()
TEXTS = [*(cc.get_index(name).source for name in NAMES), citations.AFFINE, citations.INFORMATION]
TEXTS += [citations.SIMULATION]
ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},\n)*)\}")


def entries_of(bibtex):
    """Kind, key and fields of each entry; between them only empty lines."""
    assert ENTRY.sub("", bibtex).strip() == ""
    field = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
    return [(kind, key, dict(field.findall(fields))) for kind, key, fields in ENTRY.findall(bibtex)]


def test_text_and_entries_of_every_index():
    for name in NAMES:
        source, citation = cc.get_index(name).source, cc.catalogue.cite(name)
        assert citation.indices == (name,)
        assert citation.text.startswith(f"{name}: {source}\n")
        assert citation.references[0].text == source
        keys = [key for _, key, _ in entries_of(citation.bibtex)]
        assert keys == [each.key for each in citation.references if each.key]
        assert keys[-1] == "chancecorr"
        assert {"hubert_arabie_1985", "vinh_epps_bailey_2010", "amorim_cardoso_2014"} & {*keys}


@pytest.mark.parametrize("mark", [mark for mark in citations.read_works() if mark not in citations.SOFTWARE])
def test_each_entry_is_that_of_a_work_of_the_catalogue(mark):
    """Authors, year, doi and pages stand in both; each mark is a whole list of authors."""
    ((kind, key, fields),) = entries_of(citations.read_works()[mark])
    place = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}
    assert {"author", "title", "year", place.get(kind, "institution")} <= fields.keys()
    authors, year = re.fullmatch(r"(.+) \((\d{4})\)", mark).groups()
    assert key.endswith(fields["year"])
    assert fields["year"] == year
    assert re.split(", | & ", authors) == [each.split(",")[0] for each in fields["author"].split(" and ")]
    parts = [part for text in TEXTS for part in text.split("; ") if mark in part]
    assert parts
    for part in parts:
        assert not re.search(r"(&|\w,) $", part[: part.index(mark)])
        if doi := re.search(r"doi:(10\.\S*[^\s,;])", part):
            assert fields["doi"] == doi[1]
        elif pages := re.search(r"\b(\d+)-(\d+)$", part):
            assert fields.get("pages", fields.get("number")) in (f"{pages[1]}--{pages[2]}", pages[0])


def test_a_score_cites_what_it_made_use_of():
    labels = [0, 0, 1, 1, 2, 2] * 20, [0, 1, 1, 1, 2, 0] * 20

    def works(index, **options):
        return [each.key for each in cc.adjust(*labels, index, rng=1, **options).cite().references[:-1]]

    assert works("rand") == ["rand_1971", "hubert_arabie_1985"]
    assert works("rand", method="monte-carlo") == ["rand_1971", "amorim_cardoso_2014"]
    assert works("ami")[-1] == "vinh_epps_bailey_2010"
    assert works("purity") == ["zhao_karypis_2001", "amorim_cardoso_2014"]
    small = cc.adjust([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], "purity").cite()
    assert small.corrections == ()
    assert "correction" not in small.text
    assert cc.catalogue.cite("ami").references == cc.catalogue.cite("mutual_information").references


def test_an_index_of_a_user(capsys):
    cc.register_index("cited", lambda a, b, c, d: a, needs="pairs")
    cc.register_index("evil", lambda a, b, c, d: a, needs="pairs", source="Evil (1999), \x1b[2J")
    try:
        citation = cc.catalogue.cite("cited")
        assert citation.text.startswith("cited: no source is registered\n")
        method, software = citation.references
        assert (method.text, software) == (citations.SIMULATION, cc.catalogue.cite("rand").references[-1])
        assert software.text == citations.SOFTWARE.format(version=cc.__version__)
        assert f"  note = {{Version {cc.__version__}}},\n" in software.bibtex
        for form in ([], ["--bibtex"]):
            assert "\x1b" not in succeed(capsys, "cite", "evil", *form)
    finally:
        cc.indices.unregister_index("cited")
        cc.indices.unregister_index("evil")


def test_versions_and_names_of_this_software_agree():
    files = ("CITATION.cff", "pyproject.toml", "CHANGELOG.md")
    cff, project, changes = ((ROOT / name).read_text(encoding="utf-8") for name in files)
    project = tomllib.loads(project)["project"]
    found = dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', cff, re.MULTILINE))
    assert (found["version"], found["license"]) == (project["version"], project["license"])
    assert f"name: {project['authors'][0]['name']}" in cff
    assert f"({found['date-released'][:4]})" in citations.SOFTWARE
    assert f"## [{found['version']}] - {found['date-released']}" in changes


def test_on_the_command_line(capsys):
    assert succeed(capsys, "cite", "jaccard") == f"{cc.catalogue.cite('jaccard')!r}\n"
    assert succeed(capsys, "cite", "Rand Index,jaccard") == cc.catalogue.cite(["rand", "jaccard"]).text + "\n"
    assert succeed(capsys, "cite", "rand", "--bibtex") == cc.catalogue.cite("rand").bibtex + "\n"
    message = "`INDEX` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"
    assert fail(capsys, "cite", "jacard") == message
    assert fail(capsys, "cite", "rand,,") == "`INDEX` must be names separated by commas; got 'rand,,'."
    message = "The following arguments are required: INDEX. Try 'chancecorr cite --help'."
    assert fail(capsys, "cite") == message
