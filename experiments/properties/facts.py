"""Theorems and short derivations, and for which indices each proves which property.

What they use: a perfect merge leaves the mutual information I and H(U|V) as they are and lowers H(V) and
H(V|U) by one amount above 0; a perfect split raises I and H(V) by one amount above 0 and leaves H(V|U).
Where U is not trivial and V has a cluster within one of U, as before any perfect merge, I is above 0.
"""

TEXTS: dict[str, str] = {
    "at_expectation": "Affine in T, so that the mean is the value at the expected pair counts: there the"
    " corrected"
    " score is 0.",
    "rows_as_columns": "Rows and columns enter the formula alike.",
    "geometric_mean": "The corrected score is 2 D / (sqrt(P Q) (P' + Q')); D is at most sqrt(P Q P' Q'), with"
    " equality only for b = c = 0, and sqrt(P' Q') at most (P' + Q') / 2.",
    "fowlkes_mallows_splits": "With r = sqrt(P Q) the derivative by sqrt(Q) has the sign of"
    " -((r - a)^2 + a (N - a)), which is below 0, as r > 0; a split lowers Q.",
    "fowlkes_mallows_merges": "With N = 1 and r = sqrt(P Q), a merge raises it where"
    " 2 Q (1 - r) > P Q + a (1 - 2 r): by a <= Q where 2 r <= 1; where 2 r > 1, by a >= P + Q - 1, the"
    " difference is at least (1 - P)(1 + Q - 2 r) > 0.",
    "same_reference_size": "As a / sqrt(P Q): a merge or a split leaves P as it is.",
    "term_by_term": "A merge turns pairs of b into pairs of a, with d > 0; a split those of c into pairs of"
    " d, with a + b > 0; the direction is seen from the formula term by term.",
    "baulieu_4": "With X = (a + 1/2)(d + 1/2) d k, one more in a or d adds more than X / N to X, and b + c"
    " - X < N unless a = d = 0.",
    "tau_merges": "1 - tau is (1 - R) / (1 - B / n^2), at most 1; a merge of x and y in row i lowers the"
    " numerator by 2 x y / (n n_i) and the denominator by less, 2 x y / n^2.",
    "tau_not_worse": "1 - tau is (1 - R) / (1 - B / n^2), at most 1; a merge lowers it; a split leaves R and"
    " lowers B.",
    "edits": "A merge leaves purity, and there is one cluster less; a split raises purity by 1 / n or more,"
    " and there is one cluster more.",
    "pairs_kept": "A merge raises the share of the pairs of a cluster of U that are together in V; a split"
    " changes none.",
    "model_cost": "A merge leaves H(U|V), and C(x + y + K - 1, K - 1) is below the product of the"
    " binomials of"
    " x and of y, for K > 1.",
    "centred": "a - P Q / N times a number that the cluster sizes give: the mean of a is P Q / N.",
    "centred_form": "Affine in T, so that the mean is the value at the expected pair counts, where the"
    " formula is one"
    " number (experiments/properties/certificates.py).",
    "mean_by_reference": "The mean goes by the sizes of U alone: it is the share P / N of the pairs that"
    " are together"
    " in U.",
    "mean_by_classes": "The mean is (K - 1) / (n - 1), K the number of clusters of U: E n_ij^2 = n_i m_j"
    " / n + n_i"
    " (n_i - 1) m_j (m_j - 1) / (n (n - 1)), summed.",
    "independent_pairs": "Where a d = b c, pairs together in U and pairs apart in U divide in the same"
    " proportion, and the"
    " value is one number.",
    "limit": "The value tends to one number as N grows, whatever the shares: its logarithms, or the"
    " powers of its"
    " counts, outweigh them.",
    "no_disagreement": "Best where b + c = 0, that is for U = V, and worse elsewhere, as is seen from the"
    " formula term by"
    " term.",
    "no_agreement": "Worst where a + d = 0 and better elsewhere, as is seen from the formula term by term.",
    "cosine": "A cosine of two vectors of pairs of objects, one for each clustering, or less than it: by"
    " Cauchy and Schwarz"
    " best only where they are proportional, that is for U = V.",
    "covariance_bound": "D <= min(P Q', Q P'), which is at most P P' and Q Q', with equality only for b ="
    " c = 0; and in"
    " the same way -D, with equality only for a = d = 0.",
    "all_predicted": "Perfect where b = c = 0, or else where a = d = 0, which two clusterings have only"
    " if both are trivial"
    " and the formula is 0/0.",
    "infinite": "Infinite only where b + c = 0, that is for U = V.",
    "apart": "The Jaccard distance of the sets of pairs apart, a metric (Marczewski & Steinhaus 1958).",
    "one_more": "The Jaccard distance of the sets of pairs together with one element more in both, a metric.",
    "jaccard_mean": "The mean of two Jaccard distances, of the sets of pairs together and of pairs apart.",
    "hamming": "A concave function, 0 at 0, of b + c, the number of pairs on which U and V differ, which is a"
    " metric; N is fixed.",
    "jaccard_distance": "A concave function, 0 at 0, of the Jaccard distance of the sets of pairs"
    " together, a metric"
    " (Marczewski & Steinhaus 1958).",
    "largest_set": "1 - |x and y| / max(|x|, |y|) is a metric on finite sets, here the pairs together:"
    " with z the"
    " largest of three, |x and z| + |z and y| <= |z| + |x and y|; with x or y largest it follows from the"
    " metric"
    " max(|x|, |y|) - |x and y|.",
    "largest_set_mean": "Mean over objects of 1 - |x and y| / max(|x|, |y|), a metric on the two clusters"
    " of an"
    " object.",
    "angle": "An angle between vectors of pairs, or the chord of one: a metric on unit vectors.",
    "meila": "The variation of information is a metric (Meilă 2007, doi:10.1016/j.jmva.2006.11.013); n is"
    " fixed.",
    "vinh": "A metric by Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854.",
    "van_dongen": "A metric by van Dongen (2000), Report INS-R0012; n is fixed.",
    "transfer": "The fewest objects to be moved, a metric: moves from U to W and on to V lead from U to V"
    " (Charon,"
    " Denœud, Guénoche & Hudry 2006).",
    "zero_distance": "Best minus value is a factor above 0 times a metric, or is itself one.",
    "information_bounds": "I is at most H(U) and at most H(V), and both only for U = V; the value is best"
    " only there.",
    "information_rises": "A perfect merge lowers H(V) and H(V|U) and leaves I > 0 and H(U|V); a perfect"
    " split raises I"
    " and H(V) by the same and leaves H(V|U); the value is better after either.",
    "information_merges": "A perfect merge lowers H(V) and H(V|U) and leaves I > 0.",
    "information_splits": "A perfect split raises I and H(V) by the same amount above 0 and leaves H(V|U).",
    "information_not_worse": "A perfect merge leaves I and lowers H(V); a perfect split raises I and H(V)"
    " by the same,"
    " with I <= H(V); neither makes the value worse.",
    "association_bound": "phi^2 <= min(K, K') - 1, and equal only where the clustering with fewer"
    " clusters is a"
    " function of the other; with K = K' they are identical.",
    "projections": "The squared distance of the projections on the clusters of U and of V, 0 only where"
    " these are the"
    " same.",
    "phi_splits": "A perfect split raises sum n_ij^2 / (n_i m_j), as m_j falls and the numerators stay; a"
    " perfect merge"
    " leaves it.",
    "phi_merges": "A perfect merge leaves sum n_ij^2 / (n_i m_j), which is above 1 for it, and lowers K'.",
    "both_refine": "One share is 1 only where V refines U, the other only where U refines V; both only"
    " for U = V.",
    "each_cluster": "1 only where every cluster has its equal on the other side, so that U = V.",
    "bcubed_merges": "A perfect merge raises sum n_ij^2 / n_i, as (x + y)^2 > x^2 + y^2, and leaves sum"
    " n_ij^2 / m_j.",
    "bcubed_splits": "A perfect split raises sum n_ij^2 / m_j, as m_j falls, and leaves sum n_ij^2 / n_i.",
    "maxima_split": "A perfect split raises sum_j max_i n_ij by the largest cell of the part that lacks"
    " the maximum, and"
    " leaves sum_i max_j n_ij.",
    "maxima_not_worse": "A perfect merge leaves sum_j max_i n_ij and does not lower sum_i max_j n_ij; a"
    " perfect split"
    " raises the former and leaves the latter.",
    "matching_not_worse": "A one-to-one matching of U and V gives one of no fewer objects after a perfect"
    " merge (one of"
    " the two columns is matched to their row, or none) and after a perfect split (the matched cell keeps"
    " its part).",
    "larger_clusters": "A perfect merge turns x^2 + y^2 into (x + y)^2 over the same n_i; in a perfect"
    " split the"
    " n_ij stay and max(n_i, m_j) does not rise.",
}

_VI = ("variation_of_information", "vi_over_log_n")
_HAMMING = (
    "rand", "mirkin", "arabie_boorman", "hamann", "vari", "inner_product", "vi_q", "euclid", "comembership",
    "rogers_tanimoto", "gower_legendre_t", "consonni_todeschini_2",
)  # fmt: skip
_VAN_DONGEN = ("van_dongen", "normalized_van_dongen", "split_join")
_TRANSFER = ("transfer_distance", "classification_error", "maximum_matching_accuracy")
_ENTROPY_SUM = ("nmi_sum", "v_measure", "nvi_sum")
_RISING = (
    *_VI, *_ENTROPY_SUM, "nmi_sqrt", "nmi_joint", "nvi_joint", "nvi_shares", "nvi_reference", "v_beta",
)  # fmt: skip
_BOTH_MAXIMA = (*_VAN_DONGEN, "purity_f", "geometric_accuracy")

_BASELINES = ("constant_baseline", "constant_baseline_given_reference", "free_of_cluster_number")
_CENTRED = (
    "adjusted_fowlkes_mallows", "kuhns_2", "kuhns_4", "kuhns_5", "kuhns_6", "loevinger",
    "standardized_binomial_2", "lerman", "normalized_lerman",
)  # fmt: skip

FACTS: dict[str, dict[str, tuple[str, ...]]] = {
    "geometric_mean": {"adjusted maximal_agreement": ("dennis", "kuhns_7")},
    "fowlkes_mallows_splits": {"monotone_splitting": ("adjusted_fowlkes_mallows",)},
    "fowlkes_mallows_merges": {"monotone_merging": ("adjusted_fowlkes_mallows",)},
    "same_reference_size": {
        "monotone_merging": ("fager_mcgowan",),
        "weakly_monotone": ("fager_mcgowan",),
    },
    "term_by_term": {
        "monotone_merging": (
            "andres_marzo",
            "baulieu_distance_4",
            "baulieu_distance_12",
            "consonni_todeschini_4",
            "consonni_todeschini_5",
            "baroni_urbani_buser_1",
        ),
        "monotone_splitting": (
            "andres_marzo",
            "baulieu_distance_4",
            "baulieu_distance_7",
            "consonni_todeschini_5",
            "fossum",
        ),
        "weakly_monotone": ("consonni_todeschini_4", "baroni_urbani_buser_1"),
        "monotone_in_counts": ("andres_marzo", "baulieu_distance_4"),
    },
    "baulieu_4": {
        "minimal_agreement": ("baulieu_distance_4",),
        "strongly_monotone": ("baulieu_distance_4",),
    },
    "tau_merges": {"monotone_merging": ("goodman_kruskal_tau_2",)},
    "tau_not_worse": {"weakly_monotone": ("goodman_kruskal_tau_2",)},
    "edits": {
        "monotone_merging": ("edit_distance_quality",),
        "weakly_monotone": ("edit_distance_quality",),
    },
    "pairs_kept": {
        "monotone_merging": ("clusterwise_wallace_1",),
        "weakly_monotone": ("clusterwise_wallace_1", "prediction_strength"),
    },
    "model_cost": {"monotone_merging": ("dom_q0", "dom_q2")},
    "rows_as_columns": {
        "symmetric": (
            "centroid_index",
            "centroid_similarity",
            "reduced_mutual_information",
            "adjusted_fowlkes_mallows",
            "anderberg_d",
            "andres_marzo",
            "austin_colwell",
            "average_f1",
            "average_jaccard",
            "baroni_urbani_buser_1",
            "baroni_urbani_buser_2",
            "baulieu_distance_10",
            "baulieu_distance_12",
            "baulieu_distance_13",
            "baulieu_distance_15",
            "baulieu_distance_4",
            "baulieu_distance_7",
            "bcubed_f",
            "braun_blanquet",
            "chi_square",
            "chord",
            "classification_error",
            "cole",
            "consonni_todeschini_1",
            "consonni_todeschini_2",
            "consonni_todeschini_3",
            "consonni_todeschini_4",
            "consonni_todeschini_5",
            "contingency_coefficient",
            "correlation_distance",
            "cramer_v",
            "criterion_h",
            "digby",
            "element_centric_similarity",
            "frobenius_distance",
            "geometric_accuracy",
            "gilbert_wells",
            "goodman_kruskal_lambda",
            "goodman_kruskal_lambda_r",
            "hellinger",
            "information_distance",
            "janson_vegelius",
            "joint_entropy",
            "katz_powell",
            "kuhns_2",
            "kuhns_4",
            "kuhns_5",
            "kuhns_6",
            "lerman",
            "loevinger",
            "mari",
            "maximum_matching_accuracy",
            "meila_heckerman",
            "moc",
            "morey_agresti",
            "mutual_information",
            "nid",
            "nmi_joint",
            "nmi_max",
            "nmi_min",
            "nmi_q",
            "nmi_sqrt",
            "nmi_sum",
            "normalized_lerman",
            "normalized_pivoted_accuracy",
            "normalized_van_dongen",
            "nvi_joint",
            "nvi_shares",
            "nvi_sum",
            "pair_lambda",
            "pair_sets_index",
            "pearson_2",
            "phi_square",
            "purity_f",
            "rv",
            "simpson",
            "simplified_pair_sets_index",
            "split_join",
            "standardized_binomial_2",
            "stiles",
            "tetrachoric_cosine",
            "transfer_distance",
            "tsallis_mutual_information",
            "tschuprow_t",
            "unclipped_pair_sets_index",
            "v_measure",
            "van_dongen",
            "variation_of_information",
            "vi_over_bound",
            "vi_over_log_k",
            "vi_over_log_n",
            "vi_q",
            "yule_y",
        ),
    },
    "hamming": {"metric": _HAMMING, "maximal_agreement": ("inner_product", "vi_q")},
    "jaccard_distance": {
        "metric": ("jaccard", "marczewski_steinhaus", "sokal_sneath_1", "gower_legendre_s"),
    },
    "largest_set": {"metric": ("braun_blanquet",), "maximal_agreement": ("braun_blanquet",)},
    "largest_set_mean": {
        "metric": ("element_centric_similarity",),
        "maximal_agreement": ("element_centric_similarity",),
    },
    "apart": {"metric": ("baulieu_distance_11",)},
    "one_more": {"metric": ("baulieu_distance_6",)},
    "jaccard_mean": {"metric": ("hawkins_dotson",)},
    "centred": dict.fromkeys((*_BASELINES, "asymptotic_constant_baseline"), _CENTRED),
    "mean_by_reference": dict.fromkeys(_BASELINES[1:], ("wallace_2", "clusterwise_wallace_2")),
    "mean_by_classes": dict.fromkeys(_BASELINES[1:], ("goodman_kruskal_tau_2",)),
    "independent_pairs": {
        "asymptotic_constant_baseline": (
            "ample",
            "cole",
            "guttman_lambda_a",
            "guttman_lambda_b",
            "pair_lambda",
            "anderberg_d",
        ),
    },
    "limit": {
        "asymptotic_constant_baseline": (
            "consonni_todeschini_1",
            "consonni_todeschini_2",
            "consonni_todeschini_3",
            "consonni_todeschini_4",
            "consonni_todeschini_5",
            "baulieu_distance_7",
            "baulieu_distance_13",
            "mountford",
        ),
    },
    "no_disagreement": {
        "maximal_agreement": (
            "andres_marzo",
            "baroni_urbani_buser_1",
            "baulieu_distance_7",
            "baulieu_distance_10",
            "baulieu_distance_12",
            "baulieu_distance_13",
            "baulieu_distance_15",
            "consonni_todeschini_4",
            "goodman_kruskal_lambda_r",
        ),
    },
    "no_agreement": {
        "minimal_agreement": (
            "mirkin",
            "euclid",
            "comembership",
            "baulieu_distance_6",
            "baulieu_distance_7",
            "baulieu_distance_10",
        ),
    },
    "cosine": {"maximal_agreement": ("adjusted_fowlkes_mallows", "janson_vegelius")},
    "covariance_bound": {
        "maximal_agreement": ("kuhns_5", "kuhns_6"),
        "minimal_agreement": ("kuhns_5", "kuhns_6"),
        "adjusted minimal_agreement": ("kuhns_5", "kuhns_6"),
    },
    "all_predicted": {
        "maximal_agreement": (
            "ample",
            "doolittle",
            "pearson_1",
            "guttman_lambda_a",
            "guttman_lambda_b",
            "pair_lambda",
        ),
    },
    "infinite": {"maximal_agreement": ("kulczynski_1", "mountford", "sokal_sneath_3")},
    "angle": {"metric": ("correlation_distance", "chord", "hellinger", "austin_colwell")},
    "meila": {"metric": _VI, "maximal_agreement": _VI},
    "vinh": {"metric": ("nid", "nmi_max", "information_distance", "nvi_joint", "nmi_joint")},
    "van_dongen": {"metric": _VAN_DONGEN, "maximal_agreement": _VAN_DONGEN},
    "transfer": {"metric": _TRANSFER, "maximal_agreement": _TRANSFER},
    "zero_distance": {
        "maximal_agreement": (
            "vi_over_log_k",
            "vi_over_bound",
            "nvi_reference",
            "nvi_sum",
            "goodman_kruskal_lambda",
        ),
    },
    "information_bounds": {
        "maximal_agreement": (
            "nmi_sum",
            "v_measure",
            "nmi_sqrt",
            "nmi_joint",
            "nmi_max",
            "nid",
            "information_distance",
            "nvi_joint",
            "nvi_shares",
            "v_beta",
            "fnmi",
        ),
    },
    "information_rises": {"monotone_merging": _RISING, "monotone_splitting": _RISING},
    "information_merges": {"monotone_merging": ("completeness", "conditional_entropy_2", "joint_entropy")},
    "information_splits": {
        "monotone_splitting": (
            "homogeneity",
            "conditional_entropy_1",
            "mutual_information",
            "nmi_max",
            "nid",
        ),
    },
    "information_not_worse": {
        "weakly_monotone": (
            "nmi_max",
            "nid",
            "nmi_min",
            "information_distance",
            "homogeneity",
            "completeness",
            "conditional_entropy_1",
            "conditional_entropy_2",
            "mutual_information",
            "joint_entropy",
        ),
    },
    "association_bound": {"maximal_agreement": ("tschuprow_t", "moc")},
    "projections": {"maximal_agreement": ("frobenius_distance",)},
    "phi_splits": {
        "monotone_splitting": (
            "phi_square",
            "chi_square",
            "contingency_coefficient",
        ),
        "weakly_monotone": ("phi_square", "chi_square", "contingency_coefficient"),
    },
    "phi_merges": {"monotone_merging": ("frobenius_distance", "tschuprow_t", "moc")},
    "both_refine": {
        "maximal_agreement": ("bcubed_f", "purity_f", "geometric_accuracy", "centroid_similarity"),
    },
    "each_cluster": {
        "maximal_agreement": (
            "average_f1",
            "average_jaccard",
            "clusterwise_jaccard_1",
            "clusterwise_jaccard_2",
            "larsen_aone_f",
            "van_rijsbergen_f",
            "meila_heckerman",
            "criterion_h",
            "normalized_clustering_accuracy",
            "normalized_pivoted_accuracy",
            "pair_sets_index",
            "simplified_pair_sets_index",
            "unclipped_pair_sets_index",
            "irm",
        ),
    },
    "bcubed_merges": {"monotone_merging": ("bcubed_f", "bcubed_recall")},
    "bcubed_splits": {"monotone_splitting": ("bcubed_f", "bcubed_precision", "goodman_kruskal_tau_1")},
    "bcubed_not_worse": {"weakly_monotone": ("bcubed_precision", "bcubed_recall", "goodman_kruskal_tau_1")},
    "maxima_split": {
        "monotone_splitting": (*_BOTH_MAXIMA, "purity", "split_join_2", "goodman_kruskal_lambda_1"),
    },
    "maxima_not_worse": {
        "weakly_monotone": (
            *_BOTH_MAXIMA,
            "purity",
            "split_join_2",
            "goodman_kruskal_lambda_1",
            "inverse_purity",
            "split_join_1",
        ),
    },
    "matching_not_worse": {"weakly_monotone": _TRANSFER},
    "larger_clusters": {
        "monotone_merging": ("element_centric_similarity",),
        "weakly_monotone": ("element_centric_similarity",),
    },
}
"""Indices by reason and property; ``"adjusted ..."`` for a corrected score."""
TEXTS["bcubed_not_worse"] = TEXTS["bcubed_merges"] + " " + TEXTS["bcubed_splits"]
