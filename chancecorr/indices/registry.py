"""Names as people type them: other spellings, and names that mean several indices, or a score, or none.

A name that means one index everywhere is an alias in the index's entry. The others have an advice here, which
the error gives.
"""

import copyreg
import dataclasses
import functools
import inspect
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, overload

from chancecorr.indices.index import FAMILIES as FAMILIES
from chancecorr.indices.index import FIELDS_OF_KIND as FIELDS_OF_KIND
from chancecorr.indices.index import OF_CLUSTERINGS
from chancecorr.indices.index import Index as Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, did_you_mean, one_of

Remedy = tuple[str, str, str]
"""An argument, the value to give it, and what that does; see `chancecorr.machine.arguments.ArgumentError`."""

ENDINGS: Mapping[str, bool | None] = MappingProxyType(
    dict.fromkeys(("score", "index", "coefficient"))
    | {"similarity": True, "distance": False, "metric": False}
)
"""Endings of names, and whether larger values are better for such an index; None for any index."""

ADJUSTED = ("adjusted", "adj", "corrected")
"""Beginnings of the names of adjusted scores."""


def squeezed(name: str) -> str:
    """A name without case, accents and all that is neither a letter nor a digit."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", name).lower())


def key_and_numbers(name: str) -> tuple[str, tuple[float, ...] | None]:
    """Key of a name, and the numbers in parentheses at its end, if any."""
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


def index_called(key: str, indices: Mapping[str, Index], names: Mapping[str, str]) -> str | None:
    """Canonical name of the index meant by a name, an alias, another spelling or a name with an ending."""
    if key in names:
        return names[key]
    owners: dict[str, str] = {}
    for known, owner in names.items():
        owners.setdefault(squeezed(known), owner)
    stem = squeezed(key)
    if stem in owners:
        return owners[stem]
    for ending, larger_is_better in ENDINGS.items():
        rest = stem.removesuffix(ending)
        found = index_called(rest, indices, names) if rest != stem else None
        if found and larger_is_better in (None, indices[found].larger_is_better):
            return found
    adjusted = f"adjusted_{_index_of_score(key, indices, names)}"
    return adjusted if adjusted in indices else None


def _index_of_score(key: str, indices: Mapping[str, Index], names: Mapping[str, str]) -> str | None:
    """Canonical name of the index whose adjusted score has this name, or None."""
    stem = squeezed(key)
    for beginning in ADJUSTED:
        rest = stem.removeprefix(beginning)
        if rest and rest != stem:
            return index_called(rest, indices, names)
    return None


def unknown_name(
    name: str, key: str, indices: Mapping[str, Index], names: Mapping[str, str]
) -> ArgumentValueError:
    """The error for a name that no index has: advice if the name is known elsewhere, else the nearest."""
    stem = squeezed(key)
    stems = [stem.removesuffix(ending) for ending in ("", "score", "index", "coefficient")]
    sentence, remedy = next((ADVICE[each] for each in stems if each in ADVICE), ("", None))
    if not sentence and (index := _index_of_score(key, indices, names)):
        sentence, remedy = _adjusted_score(index)
    # Among short names one other letter makes another: "smi" is no slip for "rmi", nor "ci" for "csi".
    cutoff = 0.6 if len(key) > 4 else 0.75 if len(key) > 2 else 0.9
    hint = f" {sentence}" if sentence else did_you_mean(key, names, cutoff)
    return ArgumentValueError("index", f"must be a registered index; got {name!r}.{hint}", remedy=remedy)


def meant_by_default(name: str, *, to_adjust: bool) -> tuple[str, str] | None:
    """Index that a name of several indices, or of an adjusted score, means, and a remark; else None."""
    key = squeezed(name)
    for ending in ("", "score"):
        for names, (index, remark, adjusted_alone) in MEANT_BY_DEFAULT.items():
            if key.removesuffix(ending) in names.split() and (to_adjust or not adjusted_alone):
                return index, f"{name} {remark}"
    return None


def _adjusted_score(index: str) -> tuple[str, Remedy]:
    """Advice for the name of an adjusted score of an index."""
    remedy = ("index", index, "get it from `adjust`, as the adjusted score")
    return f"This is the adjusted score of {index!r}.", remedy


_NMI = "nmi normalizedmi normalizedmutualinfo normalizedmutualinformation normalisedmutualinformation"
_AMI = "ami adjustedmi adjmi adjustedmutualinfo adjustedmutualinformation"
_PMI = "pmi pvalueadjustedmi pvalueadjustedmutualinfo pvalueadjustedmutualinformation"
_SMI = "smi standardizedmutualinfo standardizedmutualinformation standardisedmutualinformation"

# Squeezed names without endings such as "score" and "index", and the advice.
_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "mi": "Choose 'mutual_information', or 'mirkin' (MI in JuliaStats and tclust).",
        _AMI: (
            "Adjusted mutual information is the adjusted score of 'mutual_information' (the arithmetic mean"
            " of the entropies, scikit-learn's default), or of 'nmi_max', 'nmi_sqrt' or 'nmi_min'."
        ),
        _SMI: (
            "Standardized mutual information (Romano et al. 2014) is the z-score of 'mutual_information'."
        ),
        _PMI: (
            "P-value-adjusted mutual information (Klede et al. 2023) is the share of the null distribution of"
            " 'mutual_information' below the observed value, ties counting half."
        ),
        "nvi normalizedvi normalizedvariationofinformation normalisedvariationofinformation": (
            "Choose 'nvi_joint' (Vinh, Epps & Bailey 2010, aricode), 'nvi_sum', 'nvi_shares' (mclustcomp),"
            " 'nvi_reference', or 'vi_over_log_n'."
        ),
        "f1 f fscore fmeasure f1measure": (
            "Choose 'czekanowski' (F1 over pairs), 'bcubed_f', 'purity_f', 'average_f1', 'van_rijsbergen_f'"
            " or 'larsen_aone_f'."
        ),
        "b3 bcubed": "Choose 'bcubed_f', 'bcubed_precision' or 'bcubed_recall'.",
        "precision": "Choose 'wallace_2' (precision over pairs), 'bcubed_precision' or 'purity'.",
        "recall sensitivity": (
            "Choose 'wallace_1' (recall over pairs), 'bcubed_recall' or 'inverse_purity'."
        ),
        "accuracy acc": (
            "Choose 'maximum_matching_accuracy' (clusters matched one to one) or 'rand' (over pairs)."
        ),
        "der diarizationerrorrate": (
            "With one speaker at a time it is 'classification_error'; the JER is 'jaccard_error_rate'."
        ),
        "coverage": "In diarization it is 'inverse_purity'.",
        "mri modifiedrand": (
            "It is for objects that join or leave (Cugmas & Ferligoj 2018): compare those of both times by"
            " 'rand' and missing=\"drop\". 'mari' is another index."
        ),
        "fgari foregroundari foregroundadjustedrand": (
            'It is the adjusted score of \'rand\' with noise=({background: "drop"}, "keep").'
        ),
        "balancedari balancedadjustedrand": (
            "With weights=\"reference\" each class of the reference has the same weight in 'rand'."
        ),
        "cari coclusteringari coclusteringadjustedrand": (
            "Pass two `chancecorr.clusterings.Biclusters`, and 'rand'."
        ),
        "agri graphawarerand adjustedgraphawarerand": "Pass `chancecorr.clusterings.graph_rand(edges)`.",
        "spari spatialari spatiallyawareadjustedrand": (
            "Pass `chancecorr.clusterings.spatial_rand(coordinates)`."
        ),
        "arif rif fuzzyari": (
            "For two `chancecorr.Membership` take 'fuzzy_rand', or pass Campello's as a function of both."
        ),
        "silhouette silhouettesamples calinskiharabasz daviesbouldin dunn xiebeni": (
            "It sets one clustering against coordinates of objects; the indices here compare two clusterings."
        ),
    }
)

MEANT_BY_DEFAULT: Mapping[str, tuple[str, str, bool]] = MappingProxyType(
    {
        _NMI: (
            "nmi_sum",
            "is 'nmi_sum', with scikit-learn's default, the arithmetic mean of the entropies",
            False,
        ),
        _AMI: (
            "mutual_information",
            "is the adjusted score of 'mutual_information', with scikit-learn's default, the arithmetic mean"
            " of the entropies",
            True,
        ),
    }
)
"""By squeezed names: the index, what a result says of it, and whether it is the index's adjusted score."""

ADVICE: Mapping[str, tuple[str, Remedy | None]] = MappingProxyType(
    {name: (sentence, None) for names, sentence in _SENTENCES.items() for name in names.split()}
    | {name: (_SENTENCES[_AMI], _adjusted_score("mutual_information")[1]) for name in _AMI.split()}
    | {
        name: (_SENTENCES[names], ("index", "mutual_information", f"get it from `adjust`, {where}"))
        for names, where in ((_SMI, "as the z-score"), (_PMI, "by the null distribution"))
        for name in names.split()
    }
)
"""Advice by squeezed name, of names that are known and that no index has: a sentence, and a remedy if any."""

F = TypeVar("F", bound=Callable[..., Any])

AnyIndex = str | Index | Callable[..., float]
"""A name, an entry, or a function of two label vectors."""


class _Register(NamedTuple):
    """All indices. A change makes another register, so that a thread that reads never sees half of one."""

    indices: Mapping[str, Index]
    """By canonical name, in the order of registration."""

    names: Mapping[str, str]
    """Canonical names by name and alias."""


_register = _Register({}, {})
_lock = threading.Lock()
"""Held while `_register` is replaced."""


@overload
def register_index(index: Index, *, replace: bool = False) -> Index: ...
@overload
def register_index(
    index: str, function: None = None, *, needs: str, replace: bool = False, **about: Any
) -> Callable[[F], F]: ...
@overload
def register_index(
    index: str, function: Callable[..., Any], *, needs: str, replace: bool = False, **about: Any
) -> Index: ...
def register_index(
    index: Index | str,
    function: Callable[..., Any] | None = None,
    *,
    needs: str = "table",
    replace: bool = False,
    **about: Any,
) -> Any:
    """Make an index known by its name, from inside or outside the package.

    Parameters
    ----------
    index : str or Index
        The name, or a whole entry.
    function : callable, optional
        What computes it. Left out, the call is a decorator.
    needs : {"pairs", "cells", "table", "labels"}
        What the function is called with; see `Index`.
    replace : bool
        Whether an index of this name may be replaced.
    **about
        Further fields of `Index`: ``formula``, ``best``, ``range``, ``aliases``, ``affine``, ``link``, ...

    Returns
    -------
    Index, or the function when used as a decorator
        The entry.

    Raises
    ------
    ValueError
        If the name or an alias is taken, or a field does not fit.

    Examples
    --------
    >>> @register_index("together", needs="pairs", formula="a", range=(0, float("inf")))
    ... def together(a, b, c, d):
    ...     return a
    >>> get_index("together")
    Index('together': a)
    >>> unregister_index("together")
    """
    if isinstance(index, Index):
        return _add(index, replace)
    if function is not None:
        return _add(_entry(index, function, needs, about), replace)

    def decorate(decorated: F) -> F:
        _add(_entry(index, decorated, needs, about), replace)
        return decorated

    return decorate


def unregister_index(name: str) -> None:
    """Forget an index and its aliases.

    Parameters
    ----------
    name : str
        Name or alias of a registered index.

    Raises
    ------
    ValueError
        If no index has this name.

    Examples
    --------
    >>> entry = register_index("alone", lambda a, b, c, d: d, needs="pairs", formula="d")
    >>> unregister_index("alone")
    >>> "alone" in list_indices()
    False
    """
    global _register
    entry = get_index(name)
    with _lock:
        if entry.name not in _register.indices:  # another thread removed it
            raise unknown_name(entry.name, entry.name, *_register)
        indices, names = dict(_register.indices), dict(_register.names)
        for key in (entry.name, *indices.pop(entry.name).aliases):
            names.pop(key, None)
        _register = _Register(indices, names)


def get_index(name: AnyIndex) -> Index:
    r"""Entry of an index, by its name or an alias, whatever the case, spaces, hyphens and underscores.

    A name may end in "index", "score" or "coefficient"; in "similarity" or "distance" if the index is one.

    Parameters
    ----------
    name : str, Index or callable
        Name, alias, or a family with numbers, as in ``"f_beta(0.5)"``; an entry is returned as it is. A
        function ``f(labels_true, labels_pred)`` of two arrays of cluster numbers becomes an entry that needs
        labels.

    Returns
    -------
    Index
        The entry.

    Raises
    ------
    ValueError, TypeError
        If no index has this name, or several different ones have it; the message names the nearest.

    Examples
    --------
    >>> import chancecorr
    >>> get_index("dice").name, get_index("Rand Index").name, get_index("fowlkes_mallows_score").name
    ('czekanowski', 'rand', 'fowlkes_mallows')
    >>> get_index("f_beta(0.5)")
    Index('f_beta(0.5)': \frac{(1 + \beta^2) a}{(1 + \beta^2) a + \beta^2 b + c}, \quad \beta = 0.5)
    >>> get_index("jacard")
    Traceback (most recent call last):
        ...
    chancecorr.machine.arguments.ArgumentValueError: `index` must be a registered index; got 'jacard'.
    Did you mean 'jaccard'?
    >>> get_index("nmi").name  # as scikit-learn has it
    'nmi_sum'
    """
    return find_index(name, to_adjust=False)[0]


def find_index(name: AnyIndex, *, to_adjust: bool) -> tuple[Index, str]:
    """As `get_index`, also by the name of an adjusted score if asked, and what a result says of the name."""
    if isinstance(name, Index):
        return name, ""
    if callable(name) and not isinstance(name, type):
        return _of_labels(name), ""
    if not isinstance(name, str):
        raise ArgumentTypeError("index", f"must be a name, an Index or a function of labels; got {name!r}.")
    register, remark = _register, ""
    if name in register.indices:
        return register.indices[name], remark
    key, numbers = key_and_numbers(name)
    owner = index_called(key, *register)
    if owner is None and (meant := meant_by_default(name, to_adjust=to_adjust)):
        owner, remark = meant
    if owner is None:
        raise unknown_name(name, key, *register)
    entry = register.indices[owner]
    return entry if numbers is None else _member(entry, numbers, name), remark


def is_one(names: Any) -> bool:
    """Whether one index is asked for, not a list of them."""
    return isinstance(names, str | Index) or callable(names)


def find_registered(name: str) -> Index | None:
    """Entry of the index that has this name or alias; None if there is none."""
    register = _register
    owner = name if name in register.indices else index_called(key_and_numbers(name)[0], *register)
    return None if owner is None else register.indices[owner]


def indices_to_adjust(names: Any) -> tuple[tuple[Index, ...], dict[str, str]]:
    """Entries of one or several indices, each once, in the order given, and what a result says of a name."""
    entries: dict[str, Index] = {}
    remarks = {}
    for name in list_names(names):
        entry, remark = find_index(name, to_adjust=True)
        # members of a family may recur: they are made anew for each spelling
        if entries.setdefault(entry.name, entry) is not entry and entry.family in ("user", OF_CLUSTERINGS):
            raise ArgumentValueError("index", f"must have different names; got two called {entry.name!r}.")
        if remark:
            remarks[entry.name] = remark
    return tuple(entries.values()), remarks


def list_names(names: Any) -> list[Any]:
    """One or several indices, as they were given, in a list that is not empty."""
    if is_one(names):
        return [names]
    try:
        listed = list(names)
    except TypeError:  # an array of no dimension has a method to iterate, too
        raise ArgumentTypeError(
            "index", f"must be a name, an Index, or a list of them; got {names!r}."
        ) from None
    if not listed:
        raise ArgumentValueError("index", "must name at least one index; got none.")
    return listed


def list_indices(family: str | None = None) -> list[str]:
    """Sorted names of the registered indices of partitions, or of one family.

    Parameters
    ----------
    family : str, optional
        ``"pair_counting"``, ``"information"``, ``"set_matching"``, ``"cluster_level"``, ``"user"``, or
        ``"clusterings"``: indices of clusterings of any kind, which name the kinds that they take. Left out,
        all families but these.

    Returns
    -------
    list of str
        Canonical names, without aliases.

    Raises
    ------
    ValueError
        If there is no such family.

    Examples
    --------
    >>> import chancecorr
    >>> "jaccard" in list_indices("pair_counting")
    True
    """
    if family is not None:
        one_of("family", family, (*FAMILIES, OF_CLUSTERINGS))
    families = FAMILIES if family is None else (family,)
    return sorted(name for name, entry in _register.indices.items() if entry.family in families)


@functools.lru_cache(maxsize=64)
def _of_labels(function: Callable[..., float]) -> Index:
    """Entry of a function of two label vectors; always the same one."""
    name = getattr(function, "__name__", type(function).__name__).strip("<>")
    return _entry(name, function, "labels", {"family": "user", "formula": f"{name}(U, V)", "best": None})


@functools.lru_cache(maxsize=512)
def _member(entry: Index, numbers: tuple[float, ...], name: str) -> Index:
    """The member of a family with these numbers; always the same one, so that it is compiled once."""
    if entry.make is None:
        raise ArgumentValueError(
            "index", f"must be a name without numbers: {entry.name!r} has none; got {name!r}."
        )
    wanted = len(inspect.signature(entry.make).parameters)
    if len(numbers) != wanted:
        raise ArgumentValueError(
            "index", f"must have {wanted} number(s) behind {entry.name!r}; got {name!r}."
        )
    return dataclasses.replace(entry.make(*numbers), about=entry.about)


def _entry(name: str, function: Callable[..., Any], needs: str, about: dict[str, Any]) -> Index:
    """An entry with further fields, if `Index` has them."""
    of_init = [field.name for field in dataclasses.fields(Index) if field.init]
    allowed = [field for field in of_init if field not in ("name", "function", "needs")]
    for field in about:
        if field not in allowed:
            raise TypeError(f"`register_index` has no field {field!r}.{did_you_mean(field, allowed)}")
    return Index(name=name, function=function, needs=needs, **about)


def _add(entry: Index, replace: bool) -> Index:
    """Put an entry into the register, if its names are free."""
    keys = (entry.name, *entry.aliases)
    for key in keys:
        if not isinstance(key, str):
            raise ArgumentTypeError("index", f"must be a name or an Index; got {key!r}.")
        if not key.isidentifier() or key != key.lower():
            raise ArgumentValueError("index", f"must be named in snake_case; got {key!r}.")
    global _register
    with _lock:
        for key in keys:
            owner = _register.names.get(key)
            if owner is not None and not (replace and owner == entry.name):
                raise ArgumentValueError(
                    "index",
                    f"must have a name of its own; {key!r} already stands for {owner!r}."
                    " Pass replace=True to replace that entry.",
                )
        indices, names = dict(_register.indices), dict(_register.names)
        for key in indices.get(entry.name, entry).aliases:
            names.pop(key, None)  # of the entry that is replaced
        indices[entry.name] = entry
        names.update(dict.fromkeys(keys, entry.name))
        _register = _Register(indices, names)
    return entry


def _by_name_if_of_the_catalogue(index: Index) -> Any:
    """How an entry is pickled: one of the catalogue by its name, because every process has it."""
    entry = _register.indices.get(index.name.partition("(")[0])
    if index.family != "user" and entry is not None:
        if entry is not index and entry.make is not None:
            entry = get_index(index.name)  # a member; its name may have fewer digits than its number
        if entry is index:
            return get_index, (index.name,)
    return object.__reduce_ex__(index, 2)


copyreg.pickle(Index, _by_name_if_of_the_catalogue)
