"""Theorems and short derivations, in words, by the key under which `facts` says what each proves.

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
TEXTS["bcubed_not_worse"] = TEXTS["bcubed_merges"] + " " + TEXTS["bcubed_splits"]
"""What a key stands for."""
