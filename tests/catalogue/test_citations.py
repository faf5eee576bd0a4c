"""What to cite, over the whole catalogue; entries are read back by a parser of BibTeX."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.catalogue import citations
from chancecorr.catalogue.citations import METHOD, Reference, distinct, references_in
from tests.cli.test_commands import fail, succeed

ROOT = Path(__file__).resolve().parents[2]
NAMES = cc.list_indices()


def entries_of(bibtex):
    """Kind, key and fields of each entry: a value goes from its brace to the one that closes it."""
    found, at = [], 0
    while (start := bibtex.find("@", at)) >= 0:
        kind, _, rest = bibtex[start + 1 :].partition("{")
        body, end = braced("{" + rest)
        key, _, body = body.partition(",")
        fields = {}
        while "=" in body:
            name, _, body = body.partition("=")
            value, length = braced(body.lstrip())
            name = name.strip(" ,\n")
            assert name not in fields
            fields[name] = value
            body = body.lstrip()[length:]
        assert body.strip(" ,\n") == ""
        found.append((kind, key, fields))
        at = start + 1 + len(kind) + end
    return found


def braced(text):
    """What is between the first brace and the one that closes it, and where that ends."""
    assert text[0] == "{"
    depth = 0
    for k, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if not depth:
            return text[1:k], k + 1
    raise AssertionError("a brace is left open")


def test_the_parser():
    assert entries_of("@misc{a_1,\n  author = {{A B} and C},\n  year = {2},\n}\n\n@misc{b,\n}") == [
        ("misc", "a_1", {"author": "{A B} and C", "year": "2"}),
        ("misc", "b", {}),
    ]
    with pytest.raises(AssertionError, match="left open"):
        entries_of("@misc{a, note = {b}")


class TestTheWholeCatalogue:
    @pytest.mark.heavy
    def test_text_and_entries(self):
        for name in NAMES:
            source, citation = cc.get_index(name).source, cc.cite(name)
            assert citation.indices == (name,)
            assert citation.text.startswith(f"{name}: {source}\n")
            found = entries_of(citation.bibtex)
            assert len({key for _, key, _ in found}) == len(found) >= 3, name
            assert all(re.fullmatch(r"[a-z0-9_]+", key) for _, key, _ in found), name
            *of_index, method, software = found
            assert method[1:2] == ("amorim_cardoso_2014",)
            assert software[1] == "chancecorr"
            for kind, _, fields in of_index:
                assert kind == "misc"
                assert {"author", "year", "note"} <= fields.keys()
                assert "title" not in fields
                assert fields["note"].replace("\\", "") in source, name

    @pytest.mark.heavy
    def test_every_year_and_identifier_of_the_source_is_in_an_entry(self):
        for name in NAMES:
            source = cc.get_index(name).source
            found = entries_of(cc.cite(name).bibtex)
            years = set(re.findall(r"\((1[89]\d\d|20\d\d)\)", source))
            assert years, name
            assert years <= {fields["year"] for _, _, fields in found}, name
            for key, pattern in (("doi", r"doi:(\S*[^\s,;])"), ("eprint", r"arXiv:([\d.]+\d)")):
                assert set(re.findall(pattern, source)) <= {fields.get(key) for _, _, fields in found}, name

    def test_authors_are_those_before_the_year(self):
        for source in (cc.get_index(name).source for name in NAMES):
            for reference in references_in(source):
                names = reference.fields["author"].replace("{", "").replace("}", "").split(" and ")
                before = [n for n in names if n != "others"]
                assert all(n[0].isupper() or n.split()[0] in ("van", "de", "von") for n in before), source
                shown = ", ".join(before[:-1]) + " & " * (len(before) > 1) + before[-1]
                shown += " et al." if "others" in names else ""
                assert f"{shown} ({reference.fields['year']})" in source

    def test_all_at_once(self):
        found = entries_of(cc.cite(NAMES).bibtex)
        keys = [key for _, key, _ in found]
        assert len(set(keys)) == len(keys)
        places = [
            (fields["author"], fields["year"], fields.get("doi") or fields.get("howpublished"))
            for kind, _, fields in found
            if kind == "misc"
        ]
        assert len(set(places)) == len(places)
        assert len(cc.cite(NAMES).text.splitlines()) == len(NAMES) + 2


class TestOneSource:
    @pytest.mark.parametrize(
        ("source", "authors", "rest"),
        [
            ("Rand (1971), doi:10.1/a_b", ["Rand"], {"doi": "10.1/a_b"}),
            ("as in Bagga & Baldwin (1998), COLING", ["Bagga and Baldwin"], {"howpublished": "COLING"}),
            ("F: van Rijsbergen (1979), Information Retrieval, chapter 7", ["{van Rijsbergen}"],
             {"howpublished": "Information Retrieval, chapter 7"}),
            ("Martín Andrés & Femia Marzo (2004), X 57, 1-19", ["{Martín Andrés} and {Femia Marzo}"],
             {"howpublished": "X 57, 1-19"}),
            ("Severiano et al. (2011), doi:10.1128/JCM.00624-11, equation 4", ["Severiano and others"],
             {"doi": "10.1128/JCM.00624-11"}),
            ("Gösgens, Tikhonov & Prokhorenkova (2021), arXiv:1911.04773, and their code",
             ["Gösgens and Tikhonov and Prokhorenkova"], {"eprint": "1911.04773", "archiveprefix": "arXiv"}),
            ("Köppen (1870), in Goodman & Kruskal (1959), Y 54", ["Köppen", "Goodman and Kruskal"],
             {}),
            ("Dennis (1965), in Stevens & Heilprin (eds.), Methods, 61-148", ["Dennis"],
             {"howpublished": "in Stevens & Heilprin (eds.), Methods, 61-148"}),
        ],
    )  # fmt: skip
    def test_parts(self, source, authors, rest):
        found = references_in(source)
        assert [each.fields["author"] for each in found] == authors
        assert {k: v for k, v in found[0].fields.items() if k not in ("author", "year", "note")} == rest

    def test_a_source_without_authors_is_left_to_people(self):
        (found,) = references_in("our own, see the notes")
        assert found.fields == {"note": "our own, see the notes"}
        assert references_in("  ") == ()

    def test_what_tex_takes_for_its_own(self):
        reference = Reference(key="a", text="", kind="misc", fields={"note": "A & B, 5 %", "doi": "10.1/a_b"})
        assert reference.bibtex == "@misc{a,\n  note = {A \\& B, 5 \\%},\n  doi = {10.1/a_b},\n}"


class TestSeveral:
    def test_a_work_is_there_once(self):
        assert [each.key for each in cc.cite(["rand", "Rand Index", "hamann"]).references] == [
            "rand_1971", "hamann_1961", "amorim_cardoso_2014", "chancecorr",
        ]  # fmt: skip

    def test_two_works_of_a_year_get_letters(self):
        """Pearson (1900) in Philosophical Magazine, and the one with a doi."""
        keys = [each.key for each in cc.cite(["chi_square", "phi"]).references]
        assert keys[:2] == ["pearson_1900a", "pearson_1900b"]

    def test_a_work_without_a_place_is_the_one_that_has_one(self):
        found = distinct([*references_in("SS2 in Rand (1971)"), *references_in("Rand (1971), doi:10.1/a")])
        assert [(each.key, each.fields["doi"]) for each in found] == [("rand_1971", "10.1/a")]

    def test_the_method_is_cited_once(self):
        assert "Amorim" in cc.get_index("sokal_sneath_1").source
        assert [each for each in cc.cite("sokal_sneath_1").references if "amorim" in each.key] == [METHOD]

    def test_unknown_names(self):
        with pytest.raises(ValueError, match="`index` must be a registered index; got 'jacard'"):
            cc.cite("jacard")
        with pytest.raises(ValueError, match="`index` must name at least one index"):
            cc.cite([])


def test_an_index_of_a_user():
    cc.register_index("cited", lambda a, b, c, d: a, needs="pairs")
    try:
        citation = cc.cite("cited")
        assert citation.text.startswith("cited: no source is registered\n")
        assert citation.references == (METHOD, citations.software())
    finally:
        cc.unregister_index("cited")


def test_members_of_families_are_cited_as_the_family():
    for name in NAMES:
        entry = cc.get_index(name)
        if entry.make is not None:
            member = f"{name}({', '.join(['0.7'] * entry.make.__code__.co_argcount)})"
            assert cc.get_index(member).source == entry.source


def test_what_is_printed_is_the_text():
    citation = cc.cite("jaccard")
    assert repr(citation) == str(citation) == citation.text
    assert json.loads(json.dumps(citation.to_dict()))["indices"] == ["jaccard"]


class TestThisSoftware:
    def project(self):
        return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def cff(self):
        """Plain ``key: value`` lines of the outermost level."""
        text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        return dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', text, re.MULTILINE))

    def test_versions_and_names_agree(self):
        found = self.cff()
        assert found["version"] == self.project()["version"]
        assert found["license"] == self.project()["license"]
        assert f"name: {self.project()['authors'][0]['name']}" in (ROOT / "CITATION.cff").read_text(
            encoding="utf-8"
        )
        assert found["date-released"].startswith(str(citations.RELEASED))
        assert f"## [{found['version']}] - {found['date-released']}" in (ROOT / "CHANGELOG.md").read_text(
            encoding="utf-8"
        )

    def test_the_method_is_that_of_the_file(self):
        text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        assert f"doi: {METHOD.fields['doi']}" in text
        assert METHOD.fields["doi"] in METHOD.text
        assert re.search(r"^    title: (.+)$", text, re.MULTILINE)[1] in METHOD.text
        for name in METHOD.fields["author"].split(" and "):
            family, given = name.split(", ")
            assert f"family-names: {family}\n        given-names: {given}\n" in text


class TestOnTheCommandLine:
    def test_text(self, capsys):
        assert succeed(capsys, "cite", "jaccard") == cc.cite("jaccard").text + "\n"
        assert succeed(capsys, "cite", "Rand Index,jaccard") == cc.cite(["rand", "jaccard"]).text + "\n"
        assert (
            succeed(capsys, "cite", "rand", "tversky(0.5,1)").splitlines()[1].startswith("tversky(0.5, 1):")
        )

    def test_bibtex(self, capsys):
        assert succeed(capsys, "cite", "rand", "--bibtex") == cc.cite("rand").bibtex + "\n"

    def test_json(self, capsys):
        assert json.loads(succeed(capsys, "cite", "rand", "--json")) == cc.cite("rand").to_dict()

    def test_errors(self, capsys):
        message = "`INDEX` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"
        assert fail(capsys, "cite", "jacard") == message
        assert fail(capsys, "cite", "rand,,") == "`INDEX` must be names separated by commas; got 'rand,,'."
        assert fail(capsys, "cite") == "Missing argument 'INDEX,INDEX,...'."

    def test_a_source_cannot_steer_the_terminal(self, capsys):
        cc.register_index("cited", lambda a, b, c, d: a, needs="pairs", source="Evil (1999), \x1b[2J")
        try:
            for form in ([], ["--bibtex"]):
                assert "\x1b" not in succeed(capsys, "cite", "cited", *form)
        finally:
            cc.unregister_index("cited")
