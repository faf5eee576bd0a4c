"""Names as people type them: other spellings, and names that stand for several indices or for a score.

A name that means one index everywhere is an alias in the index's entry. Here is what an entry cannot hold:
names that mean now one index and now another, or the adjusted score of one, or nothing in the catalogue, each
with the advice that an error gives.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

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
"""What a name may end with, and whether larger values are better for an index so called; None for any."""

ADJUSTED = ("adjusted", "adj", "corrected")
"""What the name of an adjusted score begins with."""

STANDARDIZED = ("standardized", "standardised")
"""What the name of a z-score begins with."""


def squeezed(name: str) -> str:
    """A name without case, accents and all that is neither a letter nor a digit.

    Examples
    --------
    >>> squeezed("Cramér's V"), squeezed("adjusted_rand"), squeezed("adjustedRand")
    ('cramersv', 'adjustedrand', 'adjustedrand')
    """
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", name).lower())


def adjusted_score(index: str) -> tuple[str, Remedy]:
    """Advice for the name of an adjusted score of an index."""
    remedy = ("index", index, "get it from `adjust`, as the adjusted score")
    return f"This is the adjusted score of {index!r}.", remedy


def standardized_score(index: str) -> tuple[str, Remedy]:
    """Advice for the name of a z-score of an index."""
    return f"This is the z-score of {index!r}.", ("index", index, "get it from `adjust`, as the z-score")


def advice(name: str) -> tuple[str, Remedy | None]:
    """What to say of a name that no index has: a sentence, empty where there is nothing to say, and a remedy.

    Examples
    --------
    >>> advice("NMI")[0]
    "Choose 'nmi_sum' (scikit-learn's default), 'nmi_max', 'nmi_min' or 'nmi_sqrt'."
    """
    key = squeezed(name)
    for ending in ("", "score", "index", "coefficient"):
        if key.removesuffix(ending) in ADVICE:
            return ADVICE[key.removesuffix(ending)]
    return "", None


_AMI = "ami adjustedmi adjmi adjustedmutualinfo adjustedmutualinformation"
_SMI = "smi standardizedmutualinfo standardizedmutualinformation standardisedmutualinformation"
_OF_CLASSES = " Object by object it compares the labels of classes; the numbers of clusters mean nothing."

# Squeezed names without endings such as "score" and "index", and what to answer.
_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "nmi normalizedmi normalizedmutualinfo normalizedmutualinformation normalisedmutualinformation": (
            "Choose 'nmi_sum' (scikit-learn's default), 'nmi_max', 'nmi_min' or 'nmi_sqrt'."
        ),
        "mi": "Choose 'mutual_information', or 'mirkin' (MI in JuliaStats and tclust).",
        _AMI: (
            "Adjusted mutual information is the adjusted score of 'mutual_information' (the arithmetic mean"
            " of the entropies, scikit-learn's default), or of 'nmi_max', 'nmi_sqrt' or 'nmi_min'."
        ),
        _SMI: (
            "Standardized mutual information (Romano et al. 2014) is the z-score of 'mutual_information'."
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
        "balancedaccuracy": (
            "Over pairs it is (1 + J) / 2, J being 'peirce_1', of the same adjusted score." + _OF_CLASSES
        ),
        "kappa cohenkappa cohenskappa": "Over pairs it is 'adjusted_rand'." + _OF_CLASSES,
        "matthewscorrcoef": "Over pairs it is 'phi'." + _OF_CLASSES,
        "hamming hammingloss hammingdistance": (
            "Choose 'arabie_boorman' (share of pairs), 'mirkin' (number of pairs) or 'classification_error'"
            " (share of objects)."
        ),
        "zerooneloss classerror errorrate": (
            "Choose 'classification_error', for which clusters are matched one to one."
        ),
        "entropy": "Choose 'conditional_entropy_1' (of the classes within the clusters) or 'joint_entropy'.",
        "uncertainty theilsu theilu": (
            "Choose 'homogeneity', 'completeness', or 'nmi_sum' (the symmetric one)."
        ),
        "wallace": "Choose 'wallace_1' (a / P, of the reference) or 'wallace_2' (a / Q, of the candidate).",
        "adjustedwallace": "Choose 'adjusted_wallace_1' or 'adjusted_wallace_2'.",
        "kulczynski": "Choose 'kulczynski_2' (Kulczynski in clusterCrit) or 'kulczynski_1'.",
        "hubert": "Choose 'phi' (Hubert in clusterCrit) or 'hamann' (Hubert in Albatineh et al. 2006).",
        "sokalsneath": (
            "Choose 'sokal_sneath_1', 'gower_legendre' (Sokal_Sneath2 in clusterCrit), 'sokal_sneath_3',"
            " 'sokal_sneath_4' or 'sokal_sneath_5'."
        ),
        "sokalsneath2": (
            "Choose 'gower_legendre' (Sokal_Sneath2 in clusterCrit) or 'sokal_sneath_1' (SS2 in Amorim &"
            " Cardoso 2014)."
        ),
        "frobenius": (
            "Choose 'frobenius_distance' (Frobenius in aricode) or 'comembership' (of matrices of pairs)."
        ),
        "pearson pearsoncorrelation correlation": (
            "Choose 'phi' (the correlation over pairs), 'correlation_distance', or 'pearson_a' (Pearson in"
            " Albatineh et al. 2006 and clusim)."
        ),
        "meila": "Choose 'variation_of_information' (meila in igraph) or 'meila_heckerman'.",
        "omega": "Of clusterings without overlaps it is 'adjusted_rand'.",
        "lambda": "Choose 'goodman_kruskal_lambda' (of objects) or 'pair_lambda' (of pairs).",
        "silhouette silhouettesamples calinskiharabasz daviesbouldin dunn xiebeni": (
            "It sets one clustering against coordinates of objects; the indices here compare two clusterings."
        ),
    }
)

_REMEDIES = {
    _AMI: adjusted_score("mutual_information")[1],
    _SMI: standardized_score("mutual_information")[1],
}

ADVICE: Mapping[str, tuple[str, Remedy | None]] = MappingProxyType(
    {
        name: (sentence, _REMEDIES.get(names))
        for names, sentence in _SENTENCES.items()
        for name in names.split()
    }
)
"""What to answer to a squeezed name that is known and that no index has: a sentence, and a remedy if any."""
