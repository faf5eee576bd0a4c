"""Centroid index, centroid similarity index and the distance of Gaussian components."""

import itertools
import math

import numpy as np
import pytest

from chancecorr.prototypes import (
    GaussianComponents,
    centroid_index,
    centroid_similarity_index,
    map_prototypes,
    measure_between_mixtures,
)

TYPES = ["full", "tied", "diag", "spherical"]


def naive_map(A, B, distance=math.dist):
    """Number of the nearest in B for each in A; the first of equals."""
    return [min(range(len(B)), key=lambda j: distance(a, B[j])) for a in A]


def naive_orphans(nearest, K):
    return [j for j in range(K) if j not in nearest]


def naive_csi(A, B, labels_a, labels_b, best_only=False):
    """Equation 2 in both directions; with `best_only`, one of several clusters mapped to the same counts."""
    n = len(labels_a)
    total = 0
    for P, Q, p, q in [(A, B, labels_a, labels_b), (B, A, labels_b, labels_a)]:
        shared = {}
        for i, j in enumerate(naive_map(P, Q)):
            shared.setdefault(j, []).append(sum(p[x] == i and q[x] == j for x in range(n)))
        total += sum(max(counts) if best_only else sum(counts) for counts in shared.values())
    return total / (2 * n)


def textbook_bhattacharyya(m1, S1, m2, S2):
    """Equation 8 as printed, by inverse and determinants."""
    S = (S1 + S2) / 2
    mahalanobis = (m1 - m2) @ np.linalg.inv(S) @ (m1 - m2)
    ratio = np.linalg.det(S) / math.sqrt(np.linalg.det(S1) * np.linalg.det(S2))
    return mahalanobis / 8 + math.log(ratio) / 2


def random_components(rng, K, d):
    roots = rng.normal(size=(K, d, d))
    covariances = roots @ roots.swapaxes(1, 2) + 0.1 * np.eye(d)
    return GaussianComponents(rng.normal(scale=3, size=(K, d)), covariances)


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("grid", [False, True], ids=["no ties", "ties"])
def test_maps_equal_loops(seed, grid):
    rng = np.random.default_rng(seed)
    K_A, K_B, d = rng.integers(1, 9, size=3)
    A, B = ((rng.integers(0, 3, (K, d)) if grid else rng.normal(size=(K, d))) for K in (K_A, K_B))
    maps = map_prototypes(A, B)
    map_ab, map_ba = naive_map(A.tolist(), B.tolist()), naive_map(B.tolist(), A.tolist())
    assert (maps.map_ab.tolist(), maps.map_ba.tolist()) == (map_ab, map_ba)
    assert maps.orphans_b.tolist() == naive_orphans(map_ab, K_B)
    assert maps.orphans_a.tolist() == naive_orphans(map_ba, K_A)
    expected = max(len(naive_orphans(map_ab, K_B)), len(naive_orphans(map_ba, K_A)))
    assert centroid_index(A, B) == maps.centroid_index == expected
    assert abs(K_A - K_B) <= expected <= max(K_A, K_B) - 1


@pytest.mark.parametrize("seed", range(5))
def test_modes_equal_loops(seed):
    A, B = np.split(np.random.default_rng(seed).integers(0, 6, (9, 7)), [5])
    maps = map_prototypes(A, B, metric="hamming")
    hamming = lambda a, b: int((a != b).sum())  # noqa: E731
    nearest = [naive_map(*sides, hamming) for sides in ((A, B), (B, A))]
    assert [maps.map_ab.tolist(), maps.map_ba.tolist()] == nearest


@pytest.mark.parametrize("d", [1, 2, 5])
def test_bhattacharyya_equals_the_formula(d):
    rng = np.random.default_rng(d)
    A, B = random_components(rng, 4, d), random_components(rng, 3, d)
    distances = measure_between_mixtures(A, B)
    for i, j in itertools.product(range(4), range(3)):
        expected = textbook_bhattacharyya(A.means[i], A.covariances[i], B.means[j], B.covariances[j])
        assert distances[i, j] == pytest.approx(expected, rel=1e-10)
    assert (distances == measure_between_mixtures(B, A).T).all()
    assert (np.diag(measure_between_mixtures(A, A)) == 0).all()
    assert (distances > 0).all()


def test_all_forms_of_the_same_covariances_are_equal():
    rng = np.random.default_rng(0)
    means, variance, full = rng.normal(size=(3, 2)), 2.5, np.repeat(2.5 * np.eye(2)[np.newaxis], 3, axis=0)
    forms = {"full": full, "tied": variance * np.eye(2), "diag": np.full((3, 2), variance)}
    forms["spherical"] = np.full(3, variance)
    for form in TYPES:
        assert (GaussianComponents(means, forms[form], form).covariances == full).all()
    diagonal = GaussianComponents(means, [[1, 2], [3, 4], [5, 6]], "diag")
    assert diagonal.covariances.tolist() == [[[1, 0], [0, 2]], [[3, 0], [0, 4]], [[5, 0], [0, 6]]]


@pytest.mark.parametrize("seed", range(8))
def test_csi_equals_loops(seed):
    rng = np.random.default_rng(seed)
    K_A, K_B = rng.integers(1, 7, size=2)
    A, B = rng.normal(size=(K_A, 2)), rng.normal(size=(K_B, 2))
    labels_a, labels_b = rng.integers(0, K_A, 40), rng.integers(0, K_B, 40)
    value = centroid_similarity_index(A, B, labels_a, labels_b)
    assert value == naive_csi(A, B, labels_a, labels_b)
    assert value >= naive_csi(A, B, labels_a, labels_b, best_only=True)
    assert 0 <= value <= 1
    assert centroid_similarity_index(B, A, labels_b, labels_a) == value
    order_a, order_b = rng.permutation(K_A), rng.permutation(K_B)
    relabelled = np.argsort(order_a)[labels_a], np.argsort(order_b)[labels_b]
    assert centroid_similarity_index(A[order_a], B[order_b], *relabelled) == value


@pytest.mark.parametrize("form", TYPES)
@pytest.mark.parametrize("name", ["GaussianMixture", "BayesianGaussianMixture"])
def test_estimators_of_mixtures(name, form):
    mixture = pytest.importorskip("sklearn.mixture")
    X = pytest.importorskip("sklearn.datasets").load_iris().data
    options = {"covariance_type": form, "random_state": 0, "max_iter": 1000, "reg_covar": 1e-4}
    model, other = (getattr(mixture, name)(n_components=K, **options).fit(X) for K in (3, 2))
    by_hand = [GaussianComponents(m.means_, m.covariances_, form) for m in (model, other)]
    assert repr(map_prototypes(model, other)) == repr(map_prototypes(*by_hand))
    assert centroid_index(model, model) == 0
    assert centroid_index(model, other) == 1  # three irises against two
    assert centroid_index(model, other.means_, metric="euclidean") == 1
    labels = model.predict(X), other.predict(X)
    value = centroid_similarity_index(model, other, *labels)
    assert value == centroid_similarity_index(*by_hand, *labels)
    assert 0.5 < value <= 1


POINTS = [[0.0, 0.0], [1.0, 1.0]]
MIXTURE = GaussianComponents(POINTS, [1.0, 1.0], "spherical")
DIMENSIONS = "must be an array of 2 dimensions"
UNLIKE = "`metric` must be given to compare a Gaussian mixture with points"
LINE = GaussianComponents([[0.0]], [1.0], "spherical")


@pytest.mark.parametrize(
    ("A", "B", "metric", "kind", "message"),
    [
        (POINTS, [[0.0, 0, 0]], None, ValueError, "`B` must have as many columns as `A`; got 3 and 2."),
        ([1.0, 2.0], POINTS, None, ValueError, f"`A` {DIMENSIONS}, not empty; got shape (2,)."),
        (POINTS, np.zeros((0, 2)), None, ValueError, f"`B` {DIMENSIONS}, not empty; got"),
        (POINTS, [[1.0], [1.0, 2.0]], None, ValueError, f"`B` {DIMENSIONS}; got rows of"),
        (None, POINTS, None, ValueError, f"`A` {DIMENSIONS}, not empty; got a NoneType."),
        (POINTS, [[0, math.nan]], None, ValueError, "must hold finite numbers; got nan at position (0, 1)."),
        ([[1j, 0]], POINTS, None, TypeError, "`A` must hold numbers; got dtype complex128."),
        (POINTS, POINTS, "euclidian", ValueError, "euclidian. Did you mean 'euclidean'?"),
        (POINTS, POINTS, 3, TypeError, "`metric` must be a name or a callable; got 3."),
        (POINTS[:1], POINTS[:1], "mahalanobis", ValueError, "must suit scipy.spatial.distance.cdist"),
        (POINTS, POINTS, "cosine", ValueError, "must give finite numbers; got nan for A[0] and B[0]."),
        ([["a", "b"]], POINTS, "hamming", TypeError, "`A` must hold numbers; got dtype <U1."),
        (MIXTURE, POINTS, None, ValueError, UNLIKE),
        (POINTS, MIXTURE, None, ValueError, UNLIKE),
        (MIXTURE, LINE, None, ValueError, "`B` must have as many columns as `A`; got 1 and 2."),
    ],
)
def test_errors_of_prototypes(A, B, metric, kind, message):
    with pytest.raises(kind) as caught:
        centroid_index(A, B, metric=metric)
    assert message in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize("name", ["cluster.KMeans", "mixture.GaussianMixture", "cluster.DBSCAN"])
def test_estimators_without_prototypes(name):
    module, kind = name.split(".")
    model = getattr(pytest.importorskip(f"sklearn.{module}"), kind)()
    match = rf"^`B` must be prototypes or a fitted estimator that has them; got a {kind}\. Fit it, or pass"
    with pytest.raises(TypeError, match=match):
        centroid_index(POINTS, model)


@pytest.mark.parametrize(
    ("covariances", "form", "match"),
    [
        ([1.0], "spherical", r"must have shape \(2,\) for 2 means in 2 dimensions and .*; got \(1,\)"),
        (np.eye(3), "tied", r"must have shape \(2, 2\) for .*; got \(3, 3\)"),
        (np.eye(2), "full", r"`covariances` must be an array of 3 dimensions, not empty; got shape \(2, 2\)"),
        ([1.0, 0.0], "spherical", r"`covariances` must be positive definite; component 1 is not\. Add"),
        ([[1.0, -1.0], [1.0, 1.0]], "diag", r"must be positive definite; component 0 is not"),
        ([[1.0, 2.0], [2.0, 1.0]], "tied", r"must be positive definite; component 0 is not"),
        ([[1.0, 0.1], [0.1, 0.01]], "tied", r"must be positive definite; component 0 is not"),
        ([[1.0, 0.5], [0.4, 1.0]], "tied", r"must be symmetric matrices; component 0 is not symmetric"),
        ([1.0, math.nan], "spherical", r"`covariances` must hold finite numbers; got nan at position \(1,\)"),
        ([1.0, 1.0], "sphere", r"`covariance_type` must be one of .* Did you mean 'spherical'\?"),
    ],
)
def test_errors_of_covariances(covariances, form, match):
    with pytest.raises(ValueError, match=match):
        GaussianComponents(POINTS, covariances, form)


@pytest.mark.parametrize(
    ("arguments", "kind", "match"),
    [
        ([], TypeError, r"`labels_a` must be given if `A` has no `labels_`; got None\. Pass .*A\.predict"),
        ([[0]], TypeError, r"`labels_b` must be given if `B` has no `labels_`; got None"),
        ([[0], [0, 1]], ValueError, r"`labels_b` must be as long as `labels_a`; got 2 and 1"),
        ([[0, 2], [0, 1]], ValueError, r"`labels_a` must hold .* 0 to 1; got 2 at position 1"),
        ([[0, 1], [-1, 1]], ValueError, r"got -1 at position 0\. Leave such objects out"),
        ([[0.0], [0]], TypeError, r"`labels_a` must hold .* 0 to 1; got dtype float64"),
        ([[[0]], [0]], ValueError, r"`labels_a` must be one-dimensional; got shape \(1, 1\)"),
    ],
)
def test_errors_of_labels(arguments, kind, match):
    with pytest.raises(kind, match=match):
        centroid_similarity_index(POINTS, POINTS, *arguments)
