"""List the works to cite for an index or a score: its source, the method of correction, and this software."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from chancecorr.indices.registry import Index, find_indices
from chancecorr.machine.arguments import explain_call

AFFINE = "Hubert & Arabie (1985), doi:10.1007/BF01908075"
INFORMATION = "Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854"
SIMULATION = (
    "Amorim & Cardoso (2014), Paired indices for clustering evaluation - Correction for agreement by"
    " chance, doi:10.5220/0004868301640170"
)
"""Sources of the expected value: of indices affine in T, of the mutual information, of simulated indices."""

SOFTWARE = "The chancecorr developers (2026), chancecorr {version}"


class Reference(NamedTuple):
    """A citation as text, with the key and the BibTeX entry of its work; both empty for rare works."""

    key: str
    text: str
    bibtex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Works to cite for some indices, printed as text; see the example of `cite`.

    Attributes
    ----------
    indices : tuple of str
        Canonical names.
    sources : mapping of str to str
        Work that defined each index, by name; empty if the entry of the index has no source.
    corrections : tuple of str
        Works on the expected value that was used; empty if only this software has derived it.
    """

    indices: tuple[str, ...]
    sources: Mapping[str, str]
    corrections: tuple[str, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        """Works on the indices and on the correction, and the software; each work once."""
        references: dict[str, Reference] = {}
        from importlib.metadata import version

        number = version("chancecorr")
        for text in (*self.sources.values(), *self.corrections, SOFTWARE.format(version=number)):
            entries = [entry for work, entry in read_works().items() if work in text] or [""]
            for entry in entries if text.strip() else []:
                key = entry.partition("{")[2].partition(",")[0]
                references.setdefault(entry or text, Reference(key, text, entry.replace("{version}", number)))
        return tuple(references.values())

    @property
    def text(self) -> str:
        """The citation as text: a line for each index, each work on the correction, and the software."""
        lines = [f"{name}: {source or 'no source is registered'}" for name, source in self.sources.items()]
        lines += [f"correction for chance: {text}" for text in self.corrections]
        return "\n".join([*lines, f"software: {self.references[-1].text}"])

    @property
    def bibtex(self) -> str:
        """The BibTeX entries, in UTF-8; rare works have no entry."""
        return "\n\n".join(reference.bibtex for reference in self.references if reference.bibtex)

    def to_dict(self) -> dict[str, Any]:
        """Return names, sources, and the key, text and BibTeX entry of each reference, for JSON."""
        references = [reference._asdict() for reference in self.references]
        return {"indices": list(self.indices), "sources": dict(self.sources), "references": references}

    def __repr__(self) -> str:
        return self.text


@explain_call
def cite(index: str | Index | Sequence[str | Index]) -> Citation:
    r"""List the works to cite for one or several indices: sources, the method, and the software.

    Parameters
    ----------
    index : str, Index, or sequence of these
        See `list_indices`.

    Returns
    -------
    Citation
        The works that defined each index; the works that derived its expected value by chance, or that
        proposed to simulate it; and this software with its version. `AdjustedScore.cite` cites the methods
        that a score used.

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
    >>> print(citation.references[0].bibtex.splitlines()[0])
    @article{jaccard_1908,
    """
    entries = [found.entry for found in find_indices(index)]
    return make_citation(entries, [find_derivation(entry) or SIMULATION for entry in entries])


def make_citation(entries: Sequence[Index], corrections: Sequence[str]) -> Citation:
    """Make the citation of some indices and of works on their correction."""
    return Citation(
        indices=tuple(entry.name for entry in entries),
        sources=MappingProxyType({entry.name: entry.source for entry in entries}),
        corrections=tuple(dict.fromkeys(corrections)),
    )


def find_derivation(entry: Index) -> str:
    """Return the source of the expected value of an index; empty if we know of no derivation."""
    if entry.affine:
        return AFFINE
    return INFORMATION if entry.family == "information" and entry.needs == "cells" else ""


@functools.cache
def read_works() -> Mapping[str, str]:
    """Read the entries of `works.bib`; the keys are authors and year, from the comment before each entry."""
    from importlib.resources import files

    text = files("chancecorr.correction").joinpath("works.bib").read_text(encoding="utf-8")
    return MappingProxyType(dict(part.strip().split("\n", 1) for part in text.split("% ")[1:]))
