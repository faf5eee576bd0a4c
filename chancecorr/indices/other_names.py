"""Names as people type them: other spellings, and names that mean several indices, or a score, or none.

A name that means one index everywhere is an alias in the index's entry. The others have an advice here, which
the error gives.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.arguments import ArgumentValueError, did_you_mean
from chancecorr.indices.index import Index

Remedy = tuple[str, str, str]
"""An argument, the value to give it, and what that does; see `chancecorr.arguments.ArgumentError`."""

ENDINGS: Mapping[str, bool | None] = MappingProxyType(
    {
        "score": None,
        "index": None,
        "coefficient": None,
        "similarity": True,
        "distance": False,
        "metric": False,
    }
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
    sentence, remedy = _advice(key)
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


def _advice(name: str) -> tuple[str, Remedy | None]:
    """Advice on a name that no index has: a sentence, empty if none is known, and a remedy."""
    key = squeezed(name)
    for ending in ("", "score", "index", "coefficient"):
        if key.removesuffix(ending) in ADVICE:
            return ADVICE[key.removesuffix(ending)]
    return "", None


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
        "arif rif fuzzyari": 'For memberships of shape (n, K) the index is "campello_rand".',
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
