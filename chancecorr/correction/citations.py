"""Works to cite for an index or a score: its source, the method of correction, and this software.

An entry's `source` is text: authors, year, and where to find it. For the works that are cited most, the file
`works.bib` has complete entries; for the others BibTeX gets the text as a note, with the authors as one name.
"""

import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from chancecorr.indices.registry import Index, indices_to_adjust

RELEASED = 2026
"""Year of this version."""

WORK = r"(?:[^(]*(?:\b(?:in|of|clusterings)|:) )?(?P<author>[^(]+?) \((?P<year>\d{4})\)"
"""Authors and a year, behind words on what they gave."""

PLACES: Mapping[str, str] = MappingProxyType(
    {
        "doi": r"doi:(10\.\S+?)(?=[,;]?(?:\s|$))",
        "eprint": r"arXiv:(\d{4}\.\d{4,5})",
    }
)
"""Identifiers in the text of a source."""


ENTRY = r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},\n)*)\}"
FIELD = r"(?m)^  (\w+) = \{(.*)\},$"
"""An entry of `works.bib`, and a field of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Something to cite."""

    key: str  # for BibTeX: authors and year, lower case, ASCII
    text: str  # for people
    kind: str  # of the BibTeX entry
    fields: Mapping[str, str]

    @property
    def bibtex(self) -> str:
        """The entry, UTF-8."""
        lines = (f"  {name} = {{{_latex(name, value)}}}," for name, value in self.fields.items())
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


AFFINE = "Hubert & Arabie (1985), doi:10.1007/BF01908075"
"""Where the expected value of an index affine in T was derived."""

INFORMATION = "Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854"
"""Where that of the mutual information was."""

SIMULATION = (
    "Amorim & Cardoso (2014), Paired indices for clustering evaluation - Correction for agreement by"
    " chance, doi:10.5220/0004868301640170"
)
"""Where the correction of any index by simulated tables was proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Works to cite for some indices, printed as text.

    Attributes
    ----------
    indices : tuple of str
        Canonical names.
    sources : mapping of str to str
        Where each was defined, by name; an empty text where its entry does not say.
    corrections : tuple of str
        How the expected value was found: works on it; none where this software alone knows it.
    references : tuple of Reference
        Of the indices, of the correction, of the software; each once.

    Examples
    --------
    >>> citation = cite("jaccard")
    >>> [reference.key for reference in citation.references]
    ['jaccard_1908', 'amorim_cardoso_2014', 'chancecorr']
    """

    indices: tuple[str, ...]
    sources: Mapping[str, str]
    corrections: tuple[str, ...]
    references: tuple[Reference, ...]

    @property
    def text(self) -> str:
        """A line for each index, for each work on the correction, and for the software."""
        unknown = "no source is registered"
        lines = [f"{name}: {source or unknown}" for name, source in self.sources.items()]
        *_, software = self.references
        lines += [f"correction for chance: {text}" for text in self.corrections]
        return "\n".join([*lines, f"software: {software.text}"])

    @property
    def bibtex(self) -> str:
        """Entries for a bibliography, UTF-8; those of rare indices have no titles, and the text as a note."""
        return "\n\n".join(reference.bibtex for reference in self.references)

    def to_dict(self) -> dict[str, Any]:
        """Plain types, for JSON.

        Returns
        -------
        dict
            Names, sources, and for each reference its key, text and entry of BibTeX.
        """
        references = [{"key": each.key, "text": each.text, "bibtex": each.bibtex} for each in self.references]
        return {"indices": list(self.indices), "sources": dict(self.sources), "references": references}

    def __repr__(self) -> str:
        """The text."""
        return self.text


def cite(index: str | Index | Sequence[str | Index]) -> Citation:
    r"""Works to cite for an index, or for several: sources, the method, and the software.

    Parameters
    ----------
    index : str, Index, or sequence of these
        See `list_indices`.

    Returns
    -------
    Citation
        Its text says where each index was defined, where its expected value under chance was derived or,
        failing that, who proposed to simulate it, and which version of this software was used; `bibtex` has
        the same for a bibliography. `AdjustedScore.cite` cites what a score made use of.

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
    @article{jaccard_1908,
      author = {Jaccard, Paul},
      title = {Nouvelles recherches sur la distribution florale},
      journal = {Bulletin de la Société Vaudoise des Sciences Naturelles},
      year = {1908},
      volume = {44},
      pages = {223--270},
    }
    """
    entries, _ = indices_to_adjust(index)
    return citation_of(entries, [derivation_of(entry) or SIMULATION for entry in entries])


def citation_of(entries: Sequence[Index], corrections: Sequence[str]) -> Citation:
    """Citation of indices and of works on their correction."""
    texts = [entry.source for entry in entries] + list(corrections)
    return Citation(
        indices=tuple(entry.name for entry in entries),
        sources=MappingProxyType({entry.name: entry.source for entry in entries}),
        corrections=tuple(dict.fromkeys(corrections)),
        references=(*distinct([each for text in texts for each in references_in(text)]), software()),
    )


def derivation_of(entry: Index) -> str:
    """Where the expected value of an index was derived; empty if nowhere, as far as we know."""
    if entry.affine:
        return AFFINE
    return INFORMATION if entry.family == "information" and entry.needs == "cells" else ""


def references_in(source: str) -> tuple[Reference, ...]:
    """The works of a source, which semicolons separate; the whole text where it names no authors and year."""
    found = []
    for part in source.split("; "):
        if work := re.match(WORK, part):
            fields = {"author": f"{{{work['author']}}}", "year": work["year"]}
            fields |= {name: match[1] for name, at in PLACES.items() if (match := re.search(at, part))}
            found.append((_ascii(f"{work['author']} {work['year']}"), part, fields))
    found = found or [(_ascii(source)[:40], source, {})] * bool(source.strip())
    return tuple(_reference(*each) for each in found)


def _reference(key: str, text: str, fields: dict[str, str]) -> Reference:
    """A work with its complete entry, if there is one."""
    kind, complete = works().get(key, ("misc", fields | {"note": text}))
    return Reference(key=key, text=text, kind=kind, fields=MappingProxyType(complete))


@functools.cache
def works() -> dict[str, tuple[str, dict[str, str]]]:
    """Kind and fields of complete entries, by key."""
    from pathlib import Path

    text = Path(__file__).with_name("works.bib").read_text(encoding="utf-8")
    return {key: (kind, dict(re.findall(FIELD, fields))) for kind, key, fields in re.findall(ENTRY, text)}


def distinct(references: Sequence[Reference]) -> tuple[Reference, ...]:
    """Each work once, with a letter behind its key where several have one key."""
    by_key: dict[str, dict[str, Reference]] = {}
    for each in references:
        by_key.setdefault(each.key, {}).setdefault(each.key if each.kind != "misc" else each.text, each)
    return tuple(
        replace(each, key=key + (chr(ord("a") + k) if len(texts) > 1 else ""))
        for key, texts in by_key.items()
        for k, each in enumerate(texts.values())
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


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"\W+", "_", plain.lower()).strip("_")


def _latex(name: str, value: str) -> str:
    """A value without characters that TeX takes for its own; identifiers and years stay as they are."""
    return value if name in ("doi", "eprint") else re.sub(r"([&%$#_])", r"\\\1", value)
