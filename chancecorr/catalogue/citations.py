"""What to cite for an index: its source, the method of correction, and this software.

An entry's `source` is text: authors, year, and where to find it. It is taken apart as far as it says so, and
no further: entries of BibTeX have no titles, since the catalogue holds none, and carry the text as a note.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from chancecorr.indices.registry import Index, get_indices

RELEASED = 2026
"""Year of this version."""

_WORD = r"[A-ZÀ-ÖØ-ÞČĐŁŃŘŚŠŻŽ][\w’'-]+"
_NAME = rf"(?:(?:van der|Van der|van|von|de) )?{_WORD}(?: {_WORD})?"
WORK = re.compile(rf"(?P<authors>{_NAME}(?:, {_NAME})*(?: & {_NAME}| et al\.)?) \((?P<year>\d{{4}})\)")
"""Authors and a year, as in ``"Bagga & Baldwin (1998)"``."""

DOI = re.compile(r"doi:(10\.\S+?)(?=[,;]?(?:\s|$))")
ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")


REMARK = re.compile(r"(?:equation \d+|with reference to|in|and their code|there for covers)$")
"""What stands behind a work and is no place where to find it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Something to cite.

    Attributes
    ----------
    key : str
        For BibTeX: authors and year, lower case, ASCII.
    text : str
        For people.
    kind : str
        Type of the BibTeX entry.
    fields : mapping of str to str
        Those of the BibTeX entry.
    """

    key: str
    text: str
    kind: str
    fields: Mapping[str, str]

    @property
    def bibtex(self) -> str:
        """The entry, UTF-8."""
        lines = (f"  {name} = {{{_latex(name, value)}}}," for name, value in self.fields.items())
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


METHOD = Reference(
    key="amorim_cardoso_2014",
    text="Amorim & Cardoso (2014), Paired indices for clustering evaluation - Correction for agreement by"
    " chance, doi:10.5220/0004868301640170",
    kind="inproceedings",
    fields=MappingProxyType(
        {
            "author": "Amorim, Maria José and Cardoso, Margarida G. M. S.",
            "year": "2014",
            "title": "Paired Indices for Clustering Evaluation - Correction for Agreement by Chance",
            "booktitle": "Proceedings of the 16th International Conference on Enterprise Information Systems",
            "pages": "164--170",
            "doi": "10.5220/0004868301640170",
        }
    ),
)
"""The method of correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What to cite for some indices; printed, the text of it.

    Attributes
    ----------
    indices : tuple of str
        Canonical names.
    sources : mapping of str to str
        Where each was defined, by name; an empty text where its entry does not say.
    references : tuple of Reference
        Of the indices, of the method of correction, of the software; each once.

    Examples
    --------
    >>> citation = cite("jaccard")
    >>> [reference.key for reference in citation.references]
    ['jaccard_1908', 'amorim_cardoso_2014', 'chancecorr']
    """

    indices: tuple[str, ...]
    sources: Mapping[str, str]
    references: tuple[Reference, ...]

    @property
    def text(self) -> str:
        """A line for each index, one for the method and one for the software."""
        unknown = "no source is registered"
        lines = [f"{name}: {source or unknown}" for name, source in self.sources.items()]
        *_, software = self.references
        return "\n".join([*lines, f"correction for chance: {METHOD.text}", f"software: {software.text}"])

    @property
    def bibtex(self) -> str:
        """Entries for a bibliography, UTF-8; those of indices have no titles, and the text as a note."""
        return "\n\n".join(reference.bibtex for reference in self.references)

    def to_dict(self) -> dict[str, Any]:
        """Plain types, for JSON.

        Returns
        -------
        dict
            Names, sources, and for each reference its key, text and entry of BibTeX.
        """
        return {
            "indices": list(self.indices),
            "sources": dict(self.sources),
            "references": [
                {"key": each.key, "text": each.text, "bibtex": each.bibtex} for each in self.references
            ],
        }

    def __repr__(self) -> str:
        """The text."""
        return self.text


def cite(index: str | Index | Sequence[str | Index]) -> Citation:
    r"""What to cite for an index, or for several: sources, the method, and the software.

    Parameters
    ----------
    index : str, Index, or sequence of these
        See `list_indices`.

    Returns
    -------
    Citation
        Its text says where each index was defined, who proposed the correction, and which version of this
        software was used; `bibtex` has the same for a bibliography.

    Raises
    ------
    ValueError
        If a name is not registered.

    Examples
    --------
    >>> citation = cite("jaccard")
    >>> print(*citation.text.splitlines()[:2], sep="\n")
    jaccard: Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270
    correction for chance: Amorim & Cardoso (2014), Paired indices for clustering evaluation - Correction for
    agreement by chance, doi:10.5220/0004868301640170
    >>> print(citation.references[0].bibtex)
    @misc{jaccard_1908,
      author = {Jaccard},
      year = {1908},
      howpublished = {Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270},
      note = {Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270},
    }
    """
    entries = get_indices(index)
    of_indices = [reference for entry in entries for reference in references_in(entry.source)]
    return Citation(
        indices=tuple(entry.name for entry in entries),
        sources=MappingProxyType({entry.name: entry.source for entry in entries}),
        references=(*distinct(of_indices), METHOD, software()),
    )


def references_in(source: str) -> tuple[Reference, ...]:
    """The works that the source of an index names, as far as it tells their authors and years.

    A source without any is one reference, to be read by people; an empty one is none.
    """
    if not source.strip():
        return ()
    found = tuple(_works(source))
    return found or (Reference(key=_ascii(source)[:40], text=source, kind="misc", fields={"note": source}),)


def distinct(references: Sequence[Reference]) -> tuple[Reference, ...]:
    """Each work once, with a letter behind its key where authors have several works of a year.

    A work without a place is taken to be the one of the same authors and year that has one. The method is
    left out, which is cited anyway.
    """
    works: dict[str, dict[str, Reference]] = {}
    for each in sorted(references, key=lambda each: not _place(each)):  # those that have a place first
        of_year = works.setdefault(each.key, {})
        if _place(each) or not of_year:
            of_year.setdefault(_place(each), each)
    return tuple(
        replace(each, key=each.key + (chr(ord("a") + k) if len(of_year) > 1 else ""))
        for key, of_year in works.items()
        if key != METHOD.key
        for k, each in enumerate(of_year.values())
    )


def _place(reference: Reference) -> str:
    """What tells a work from others of its authors and year."""
    return next(
        (reference.fields[name] for name in ("doi", "eprint", "howpublished") if name in reference.fields), ""
    )


def software() -> Reference:
    """The software itself, in the version that is installed."""
    from importlib.metadata import version

    number = version("chancecorr")
    return Reference(
        key="chancecorr",
        text=f"The chancecorr developers ({RELEASED}), chancecorr {number}",
        kind="misc",
        fields=MappingProxyType(
            {
                "author": "{The chancecorr developers}",
                "year": str(RELEASED),
                "title": "chancecorr: how much of the agreement between two clusterings is chance",
                "note": f"Version {number}",
            }
        ),
    )


def _works(source: str) -> Iterator[Reference]:
    for part in source.split("; "):
        matches = list(WORK.finditer(part))
        for k, match in enumerate(matches):
            after = part[match.end() : matches[k + 1].start() if k + 1 < len(matches) else None]
            fields = {"author": _authors(match["authors"]), "year": match["year"]}
            fields |= dict(_where(after))
            key = "_".join([*map(_ascii, _names(match["authors"])), match["year"]])
            yield Reference(key=key, text=part, kind="misc", fields=MappingProxyType(fields | {"note": part}))


def _names(authors: str) -> list[str]:
    return re.split(r", | & ", authors.removesuffix(" et al."))


def _authors(authors: str) -> str:
    """As BibTeX separates them; a name of several words is a family name as a whole."""
    names = [f"{{{name}}}" if " " in name else name for name in _names(authors)]
    return " and ".join([*names, *(["others"] if authors.endswith(" et al.") else [])])


def _where(text: str) -> Iterator[tuple[str, str]]:
    """Where a work is to be found, from what stands behind its year."""
    said = re.split(r",\s*", ARXIV.sub("", DOI.sub("", text)))
    rest = ", ".join(each for each in map(str.strip, said) if each and not REMARK.match(each))
    if rest:
        yield "howpublished", rest
    for number in DOI.findall(text)[:1]:
        yield "doi", number
    for number in ARXIV.findall(text)[:1]:
        yield "eprint", number
        yield "archiveprefix", "arXiv"


_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ł": "l", "Ł": "L", "Ø": "O"})


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_LIGATURES)).encode("ascii", "ignore").decode()
    return re.sub(r"\W+", "_", plain.lower()).strip("_")


def _latex(name: str, value: str) -> str:
    """A value without characters that TeX takes for its own; identifiers and years stay as they are."""
    return value if name in ("doi", "eprint", "author") else re.sub(r"([&%$#_])", r"\\\1", value)
