"""Names of indices: spellings that people type, names for readers, and words for searching.

A name that means one index everywhere is an alias in the index's entry. The texts of ``names.json`` are for
names that mean several indices, a score, or no index. By names without case, signs and endings such as
"score", they hold the advice for errors and the remark of a result on a default meaning.
"""

import functools
import json
import pkgutil
import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from chancecorr.indices.index import Index
from chancecorr.machine.arguments import ArgumentValueError, suggest_name

Remedy = tuple[str, str, str]
"""An argument, the value to pass for it, and the effect; see `chancecorr.machine.arguments.ArgumentError`."""

ENDINGS: Mapping[str, bool | None] = MappingProxyType(
    dict.fromkeys(("score", "index", "coefficient"))
    | {"similarity": True, "distance": False, "metric": False}
)
"""Endings of names, and whether larger values are better for such an index; None for both."""

ADJUSTED = ("adjusted", "adj", "corrected")  # first words of the names of adjusted scores


@functools.lru_cache(maxsize=4096)
def squeeze_name(name: str) -> str:
    """Return a name in lower case with only letters and digits, without accents."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", name).lower())


def split_name(name: str) -> tuple[str, tuple[float, ...] | None]:
    """Return the key of a name, and the numbers in parentheses at its end, if any."""
    family, parenthesis, inside = name.partition("(")
    key = re.sub(r"[-\s]", "_", family.strip().lower())
    if not parenthesis:
        return key, None
    try:
        return key, tuple(float(number) for number in inside.rstrip().removesuffix(")").split(","))
    except ValueError:
        raise ArgumentValueError(
            "index", f"must have numbers only between its parentheses; got {name!r}."
        ) from None


def find_canonical_name(key: str, indices: Mapping[str, Index], names: Mapping[str, str]) -> str | None:
    """Return the canonical name of the index that a name, alias, other spelling or ending means, or None."""
    if key in names:
        return names[key]
    owners: dict[str, str] = {}
    for known, owner in names.items():
        owners.setdefault(squeeze_name(known), owner)
    stem = squeeze_name(key)
    if stem in owners:
        return owners[stem]
    for ending, larger_is_better in ENDINGS.items():
        rest = stem.removesuffix(ending)
        owner_of_rest = find_canonical_name(rest, indices, names) if rest != stem else None
        if owner_of_rest and larger_is_better in (None, indices[owner_of_rest].larger_is_better):
            return owner_of_rest
    adjusted = f"adjusted_{_find_index_of_score(key, indices, names)}"
    return adjusted if adjusted in indices else None


def _find_index_of_score(key: str, indices: Mapping[str, Index], names: Mapping[str, str]) -> str | None:
    """Return the canonical name of the index whose adjusted score has this name, or None."""
    stem = squeeze_name(key)
    for beginning in ADJUSTED:
        rest = stem.removeprefix(beginning)
        if rest and rest != stem:
            return find_canonical_name(rest, indices, names)
    return None


def explain_unknown_name(
    name: str, key: str, indices: Mapping[str, Index], names: Mapping[str, str]
) -> ArgumentValueError:
    """Return the error for an unknown name, with advice if it is known elsewhere, or the nearest name."""
    stem = squeeze_name(key)
    stems = [stem.removesuffix(ending) for ending in ("", "score", "index", "coefficient")]
    sentence, remedy = next((ADVICE[stem] for stem in stems if stem in ADVICE), ("", None))
    if not sentence and (index := _find_index_of_score(key, indices, names)):
        sentence = f"This is the adjusted score of {index!r}."
        remedy = ("index", index, "get it from `adjust`, as the adjusted score")
    for ending in ("index", "score", "coefficient"):  # half of all names end with one of these
        key = key.removesuffix(f"_{ending}") or key
    # Short names that differ by one letter are usually different names: "smi" is not a misspelling of "rmi",
    # and "ci" is not a misspelling of "csi".
    cutoff = 0.6 if len(key) > 4 else 0.75 if len(key) > 2 else 0.9
    near = suggest_name(key, indices, cutoff) or suggest_name(key, names, cutoff)
    hint = f" {sentence}" if sentence else near
    return ArgumentValueError("index", f"must be a registered index; got {name!r}.{hint}", remedy=remedy)


class Meaning(NamedTuple):
    """The meaning of a name that several indices have, or that is the name of an adjusted score."""

    owner: str  # name of the index
    remark: str
    is_score: bool


def find_default_meaning(name: str) -> Meaning | None:
    """Return the default meaning of a name, or None if the name has no default meaning."""
    key = squeeze_name(name.partition("(")[0])
    for ending in ("", "score"):
        for names, meaning in MEANT_BY_DEFAULT.items():
            if key.removesuffix(ending) in names.split():
                return meaning
    return None


_TEXTS: dict[str, dict[str, Any]] = json.loads(  # this also reads from a zip archive
    pkgutil.get_data("chancecorr.indices", "names.json") or ""
)

MEANT_BY_DEFAULT: Mapping[str, Meaning] = MappingProxyType(
    {names: Meaning(*meaning) for names, meaning in _TEXTS["meant_by_default"].items()}
)
"""Meanings by squeezed names, with blanks between the names."""

ADVICE: Mapping[str, tuple[str, Remedy | None]] = MappingProxyType(
    {
        name: (sentence, ("index", "mutual_information", f"get it from `adjust`, {where}") if where else None)
        for names, (sentence, where) in _TEXTS["advice"].items()
        for name in names.split()
    }
)
"""Advice by squeezed name, for known names that no index has: a sentence, and a remedy if any."""

ACRONYMS = ("irm", "lea", "muc", "nid", "nmi", "vi")

COMMON: Mapping[str, str] = MappingProxyType(_TEXTS["common"])
"""The indices that most papers report, with the names that people search for."""


def write_title(name: str, index: Index | None) -> str:
    """Return the title of an index, or make a title from its name if it has none."""
    words = " ".join(word.upper() if word in ACRONYMS else word for word in name.split("_"))
    return (index.title if index else "") or words[:1].upper() + words[1:]


def put_common_first(names: Iterable[str]) -> list[str]:
    """Sort names of indices: first the indices of `COMMON` in its order, then all others."""
    return sorted(names, key=lambda name: [*COMMON, name].index(name))


def list_searched_words(index: Index) -> str:
    """Return all words for searching an index, in lower case: names, names elsewhere, source."""
    also = [names for names, (name, _, _) in MEANT_BY_DEFAULT.items() if name == index.name]
    texts = (index.name, *index.aliases, write_title(index.name, index), COMMON.get(index.name, ""), *also)
    return " ".join([*texts, index.known_as, index.source]).lower()


def is_found(index: Index, pattern: str) -> bool:
    """Return True if the index has all typed words; words of up to three letters must match whole words."""
    text = list_searched_words(index)
    words = set(re.split(r"[\W_]+", text))
    return all(
        word in words if len(word) <= 3 and word.isalnum() else word in text or word.replace("-", "_") in text
        for word in pattern.lower().split()
    )
