"""What to cite, over the whole catalogue; entries are read back from BibTeX."""

import re
import tomllib
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.correction import citations
from chancecorr.correction.citations import Reference, references_in
from tests.cli.test_commands import fail, succeed

(METHOD,) = references_in(citations.SIMULATION)
ROOT = Path(__file__).resolve().parents[2]
NAMES = cc.list_indices()
ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},\n)*)\}")


def entries_of(bibtex):
    """Kind, key and fields of each entry; between them only empty lines."""
    assert ENTRY.sub("", bibtex).strip() == ""
    return [
        (kind, key, dict(re.findall(r"^  (\w+) = \{(.*)\},$", fields, re.MULTILINE)))
        for kind, key, fields in ENTRY.findall(bibtex)
    ]


@pytest.mark.heavy
def test_text_and_entries_of_every_index():
    for name in NAMES:
        source, citation = cc.get_index(name).source, cc.catalogue.cite(name)
        assert citation.indices == (name,)
        assert citation.text.startswith(f"{name}: {source}\n")
        *works, software = entries_of(citation.bibtex)
        assert software[1] == "chancecorr"
        assert {"hubert_arabie_1985", "vinh_epps_bailey_2010", "amorim_cardoso_2014"} & {
            key for _, key, _ in works
        }
        of_index = [each for each in works if each[0] == "misc"]
        for _, key, fields in of_index:
            assert re.fullmatch(r"[a-z0-9_]+", key), name
            assert fields["note"].replace("\\", "") in source, name
            shown = f"{fields['author'].strip('{}')} ({fields['year']})".replace("\\", "")
            assert shown in source, name
            assert shown[0].isupper() or shown.startswith(("van ", "de ", "von ")), name
        text = " ".join(each.text for each in citation.references)
        parts = [part for part in source.split("; ") if "(" in part]
        assert all(part in text or references_in(part)[0].kind != "misc" for part in parts), name
        for key, pattern in (("doi", r"doi:(\S*[^\s,;])"), ("eprint", r"arXiv:([\d.]+\d)")):
            assert {fields[key] for *_, fields in of_index if key in fields} <= set(
                re.findall(pattern, source)
            )


def test_complete_entries_agree_with_the_sources_of_the_catalogue():
    """Year, doi and last page stand in both; every entry is that of some index, or of a correction."""
    kinds = {
        "article": "journal",
        "inproceedings": "booktitle",
        "book": "publisher",
        "techreport": "institution",
    }
    texts = {}
    for text in (
        *(cc.get_index(name).source for name in NAMES),
        *(citations.AFFINE, citations.INFORMATION, citations.SIMULATION),
    ):
        for part in text.split("; "):
            for reference in references_in(part):
                texts.setdefault(reference.key, []).append(part)
    for key, (kind, fields) in citations.works().items():
        assert {"author", "title", "year", kinds[kind]} <= fields.keys(), key
        assert key.endswith(fields["year"])
        first = re.sub(r"\W", "", fields["author"].split(",")[0]).lower()
        assert citations._ascii(first).replace("_", "").startswith(key.split("_")[0][:3]), key
        for part in texts[key]:
            assert f"({fields['year']})" in part
            doi = re.search(r"doi:(10\.\S*[^\s,;])", part)
            pages = None if doi else re.search(r"\b(\d+)-(\d+)$", part)
            assert doi is None or fields["doi"] == doi[1], key
            assert pages is None or fields.get("pages", fields.get("number")) in (
                f"{pages[1]}--{pages[2]}", pages[0],
            ), key  # fmt: skip


def test_a_score_cites_what_it_made_use_of():
    labels = [0, 0, 1, 1, 2, 2] * 20, [0, 1, 1, 1, 2, 0] * 20

    def works(index, **options):
        return [each.key for each in cc.adjust(*labels, index, rng=1, **options).cite().references[:-1]]

    assert works("rand") == ["rand_1971", "hubert_arabie_1985"]
    assert works("rand", method="monte-carlo") == ["rand_1971", "amorim_cardoso_2014"]
    assert works("ami")[1:] == ["vinh_epps_bailey_2010"]
    assert works("purity") == ["zhao_karypis_2001", "amorim_cardoso_2014"]
    small = cc.adjust([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], "purity").cite()
    assert small.corrections == ()
    assert "correction" not in small.text
    assert cc.catalogue.cite("ami").references == cc.catalogue.cite("mutual_information").references


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("Scott (1955), doi:10.1/a_b", {"author": "{Scott}", "year": "1955", "doi": "10.1/a_b"}),
        ("F: van Rijsbergen (1979), chapter 7", {"author": "{van Rijsbergen}", "year": "1979"}),
        ("Köppen (1870), in Goodman & Kruskal (1959), Y 54", {"author": "{Köppen}", "year": "1870"}),
        ("Severiano et al. (2011), doi:10.1128/JCM.00624-11, equation 4",
         {"author": "{Severiano et al.}", "year": "2011", "doi": "10.1128/JCM.00624-11"}),
        ("Gösgens (2021), arXiv:1911.04773, and their code",
         {"author": "{Gösgens}", "year": "2021", "eprint": "1911.04773"}),
        ("our own, see the notes", {}),
    ],
)  # fmt: skip
def test_fields_of_a_source(source, fields):
    (found,) = references_in(source)
    assert found.fields == fields | {"note": source}
    assert references_in("  ") == ()


def test_what_tex_takes_for_its_own():
    reference = Reference(key="a", text="", kind="misc", fields={"note": "A & B, 5 %", "doi": "10.1/a_b"})
    assert reference.bibtex == "@misc{a,\n  note = {A \\& B, 5 \\%},\n  doi = {10.1/a_b},\n}"


def test_a_work_is_there_once_and_two_works_of_a_year_get_letters():
    def keys(*names):
        return [each.key for each in cc.catalogue.cite(list(names)).references]

    assert keys("rand", "Rand Index", "hamann") == [
        "rand_1971", "hamann_1961", "hubert_arabie_1985", "chancecorr",
    ]  # fmt: skip
    assert keys("chi_square", "phi")[:2] == ["pearson_1900a", "pearson_1900b"]
    assert "Amorim" in cc.get_index("sokal_sneath_1").source
    assert [each.key for each in cc.catalogue.cite("sokal_sneath_1").references if "amorim" in each.key] == [
        "amorim_cardoso_2014"
    ]


def test_unknown_names():
    with pytest.raises(ValueError, match="`index` must be a registered index; got 'jacard'"):
        cc.catalogue.cite("jacard")
    with pytest.raises(ValueError, match="`index` must name at least one index"):
        cc.catalogue.cite([])


def test_an_index_of_a_user(capsys):
    cc.register_index("cited", lambda a, b, c, d: a, needs="pairs")
    cc.register_index("evil", lambda a, b, c, d: a, needs="pairs", source="Evil (1999), \x1b[2J")
    try:
        citation = cc.catalogue.cite("cited")
        assert citation.text.startswith("cited: no source is registered\n")
        assert citation.references == (METHOD, citations.software())
        for form in ([], ["--bibtex"]):
            assert "\x1b" not in succeed(capsys, "cite", "evil", *form)
    finally:
        cc.indices.unregister_index("cited")
        cc.indices.unregister_index("evil")


class TestThisSoftware:
    CFF = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    def test_versions_and_names_agree(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        found = dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', self.CFF, re.MULTILINE))
        assert (found["version"], found["license"]) == (project["version"], project["license"])
        assert f"name: {project['authors'][0]['name']}" in self.CFF
        assert found["date-released"].startswith(str(citations.RELEASED))
        released = f"## [{found['version']}] - {found['date-released']}"
        assert released in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    def test_the_method_is_that_of_the_file(self):
        assert f"doi: {METHOD.fields['doi']}" in self.CFF
        assert METHOD.fields["doi"] in METHOD.text
        assert re.search(r"^    title: (.+)$", self.CFF, re.MULTILINE)[1] in METHOD.text


def test_on_the_command_line(capsys):
    assert succeed(capsys, "cite", "jaccard") == f"{cc.catalogue.cite('jaccard')!r}\n"
    assert succeed(capsys, "cite", "Rand Index,jaccard") == cc.catalogue.cite(["rand", "jaccard"]).text + "\n"
    assert succeed(capsys, "cite", "rand", "--bibtex") == cc.catalogue.cite("rand").bibtex + "\n"
    message = "`INDEX` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"
    assert fail(capsys, "cite", "jacard") == message
    assert fail(capsys, "cite", "rand,,") == "`INDEX` must be names separated by commas; got 'rand,,'."
    assert fail(capsys, "cite") == "Missing argument 'INDEX,INDEX,...'. Try 'chancecorr cite --help'."


def test_the_year_of_the_software_is_that_of_its_citation_file():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    year = re.search(r"^date-released: (\d{4})-", text, re.MULTILINE)[1]
    assert citations.software().fields["year"] == year
