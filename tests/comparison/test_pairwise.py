"""Matrices of pairwise scores: every entry is what `adjust` says of that pair, and what is made of them."""

import itertools
import math
import pickle
import re

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

import chancecorr as cc
from chancecorr import get_index
from chancecorr.comparison import clusterings as module
from chancecorr.comparison.clusterings import read_many
from chancecorr.exact.quadrature import compute_means_of_pairs, compute_smooth_moments


def clusterings_of(n, *, m=5, seed=3, clusters=4):
    """Clusterings that agree more or less, of different cluster sizes; names "a", "b", ..."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, clusters, n)
    labels = [np.where(rng.random(n) < k / m, base, rng.integers(0, 2 + k, n)) for k in range(m)]
    return dict(zip("abcdefghij", labels, strict=False))


SMALL, LARGE = clusterings_of(40), clusterings_of(3_000)


def pairs_of(clusterings, symmetric=True):
    """Places and labels of every two, each once if the order does not matter."""
    for (i, reference), (j, candidate) in itertools.product(enumerate(clusterings.values()), repeat=2):
        if i <= j or not symmetric:
            yield i, j, reference, candidate


@pytest.fixture
def own_index():
    """Function that registers an index for the time of the test."""
    names = []

    def register(name, function, **about):
        names.append(name)
        return cc.register_index(name, function, **about)

    yield register
    for name in names:
        cc.indices.unregister_index(name)


def assert_as_adjust(scores, clusterings, *, rel=0.0, **options):
    """Every entry is that of `adjust`; below the diagonal the mirrored one where nothing is drawn."""
    for i, j, *sides in pairs_of(clusterings, symmetric=False):
        expected = cc.adjust(*sides, **options)
        for field in ("adjusted", "observed", "expected", "best"):
            found, wanted = getattr(scores, field)[i, j], getattr(expected, field)
            assert found == pytest.approx(wanted, rel=rel, abs=rel, nan_ok=True), (i, j, field)
            if rel == 0.0 and i <= j:
                assert found == wanted or math.isnan(found)


OF_PAIRS = ["rand", "jaccard", "fowlkes_mallows", "wallace_1", "sokal_sneath_1", "mcconnaughey"]


@pytest.mark.parametrize("index", [*OF_PAIRS, "mutual_information"])
def test_entries_are_those_of_adjust_by_closed_forms_and_quadrature(index):
    scores = cc.pairwise(SMALL, index=index, method="analytic")
    assert scores.names == tuple("abcde")
    assert (scores.index, scores.n, len(scores)) == (get_index(index).name, 40, 5)
    assert_as_adjust(scores, SMALL, index=index, method="analytic", rel=1e-13)
    for i, j, reference, candidate in pairs_of(SMALL):
        entry = cc.adjust(reference, candidate, index=index, method="analytic")
        # a sum over cells is added up in another order
        error = 1e-14 if index == "mutual_information" else 0.0
        assert scores.adjusted[i, j] == pytest.approx(entry.adjusted, rel=0.0, abs=error)
        assert scores.expected[i, j] == pytest.approx(entry.expected, rel=0.0, abs=error)


@pytest.mark.parametrize("index", ["purity", "nmi_sum", "van_dongen", "edit_distance_quality"])
@pytest.mark.parametrize("method", ["auto", "monte-carlo"])
def test_entries_without_moments_are_those_of_adjust(index, method):
    few = {name: SMALL[name] for name in "ace"}
    options = {"index": index, "method": method, "n_tables": 300, "rng": 4}
    scores = cc.pairwise(few, **options)
    for i, j, reference, candidate in pairs_of(few, get_index(index).symmetric):
        wanted = cc.adjust(reference, candidate, **options)
        error = 1e-12 if method == "auto" else 0.0  # added up in another order, or over listed tables
        assert scores.adjusted[i, j] == pytest.approx(wanted.adjusted, rel=0.0, abs=error)
        assert scores.expected[i, j] == pytest.approx(wanted.expected, rel=0.0, abs=error)


@pytest.mark.parametrize("n", [20, 250, 3_000])
def test_means_by_three_and_five_nodes_are_those_by_six(n):
    """Of all ratios, also beside clusterings of the same sizes, of one cluster, of singletons."""
    labels = list(clusterings_of(n, m=6, seed=n).values())
    labels += [np.random.default_rng(1).permutation(labels[0]), np.zeros(n), np.arange(n)]
    sizes = read_many("clusterings", labels).sizes
    rows, columns = np.triu_indices(len(labels))
    for index in map(get_index, cc.list_indices("pair_counting")):
        if index.linear is None or index.affine:
            continue
        means, known = compute_means_of_pairs(index, sizes, rows, columns)
        assert known.any() or n == 20
        for i, j, mean in zip(rows[known], columns[known], means[known], strict=True):
            wanted = compute_smooth_moments(index, cc.Margins(sizes[i], sizes[j])).moments
            assert abs(mean - wanted.mean) <= 1e-12 * wanted.std + 1e-14 * abs(wanted.mean), (index, i, j)


def test_an_index_that_is_not_symmetric_has_two_triangles():
    options = {"index": "purity", "n_tables": 200, "rng": 1, "method": "monte-carlo"}
    scores = cc.pairwise(SMALL, **options)
    assert not scores.is_symmetric
    assert_as_adjust(scores, SMALL, **options)


def test_a_symmetric_index_has_one_but_under_a_one_sided_model():
    assert cc.pairwise(SMALL, index="jaccard").is_symmetric
    model = {"model": "one-sided-fixed-k", "index": "rand"}
    scores = cc.pairwise(SMALL, **model)
    assert not scores.is_symmetric
    assert_as_adjust(scores, SMALL, **model, method="analytic")


@pytest.mark.slow
def test_an_index_of_the_users_own(own_index):
    largest = own_index("largest_cell", lambda table, rows, columns: table.max() / rows.sum(), needs="table")
    own_index("same_label", lambda x, y: float(np.mean(x == y)), needs="labels")
    own_index("half_jaccard", lambda a, b, c, d: 0.5 * a / (a + b + c), needs="pairs", best=0.5)
    for index in (largest, "same_label", "half_jaccard"):
        options = {"index": index, "n_tables": 50, "rng": 2, "method": "monte-carlo"}
        assert_as_adjust(cc.pairwise(SMALL, **options), SMALL, **options)
    large = {name: labels for name, labels in LARGE.items() if name < "d"}
    assert_as_adjust(cc.pairwise(large, index="half_jaccard"), large, index="half_jaccard", rel=1e-11)


def test_an_index_that_hardly_varies(own_index):
    """What is no more than rounding where T is constant is a score where it varies."""
    own_index("flat", lambda a, b, c, d: 1.0 - 1e-11 * (b + c) / (a + b + c + d), needs="pairs", affine=True)
    scores = cc.pairwise(SMALL, index="flat")
    for i, j, *sides in pairs_of(SMALL, symmetric=False):
        assert scores.adjusted[i, j] == cc.adjusted_score(*sides, "flat")
    assert np.isfinite(scores.adjusted).all()


def test_an_infinite_mean_is_found_however_improbable(own_index):
    """Where two clusterings have the same sizes, b + c = 0 is possible, and a / (b + c) infinite there."""
    own_index("ratio", lambda a, b, c, d: a / (b + c), needs="pairs", symmetric=True, best=100.0)
    sizes = np.repeat(np.arange(4), 500)
    clusterings = {"a": sizes, "b": np.roll(sizes, 7), "c": np.minimum(sizes, 2)}
    scores = cc.pairwise(clusterings, index="ratio")
    assert scores.expected[0, 1] == math.inf
    assert math.isfinite(scores.expected[0, 2])
    for j, other in ((1, "b"), (2, "c")):
        wanted = cc.adjusted_score(clusterings["a"], clusterings[other], "ratio")
        assert scores.adjusted[0, j] == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_an_index_that_is_not_affine_must_not_say_so(own_index):
    own_index("bent", lambda a, b, c, d: a / (a + b + c), needs="pairs", affine=True)
    with pytest.raises(ValueError, match=r"^`affine` must be False for index 'bent'"):
        cc.pairwise(SMALL, index="bent")


@pytest.mark.parametrize("index", ["rand", "jaccard", "purity"])
def test_p_values(index):
    options = {"index": index, "n_tables": 400, "rng": 8}
    scores = cc.pairwise(SMALL, p_values=True, **options)
    for i, j, reference, candidate in pairs_of(SMALL, get_index(index).symmetric):
        wanted = cc.adjust(reference, candidate, **options)
        for field in ("p_value", "p_is_bound", "adjusted"):
            assert getattr(scores, field)[i, j] == getattr(wanted, field)
    assert scores.p_value.shape == (5, 5)
    assert cc.pairwise(SMALL, index=index, n_tables=50).p_value is None


@pytest.mark.parametrize("direct_cells", [100, 65_536])
def test_pair_sums_are_those_of_the_tables(monkeypatch, direct_cells):
    monkeypatch.setattr(module, "MAX_CELLS_OF_AN_ARRAY", direct_cells)
    rng = np.random.default_rng(0)
    labels = [rng.integers(0, k, 90) for k in (1, 2, 5, 40, 300, 2)]
    sums = read_many("clusterings", labels).pair_sums()
    for i, j in itertools.product(range(6), repeat=2):
        assert sums[i, j] == cc.contingency_table(labels[i], labels[j]).sum_of_squares


INDICES = ["rand", "jaccard", "mutual_information", "nmi_sum", "purity", "f_beta(0.5)"]


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("n", [1, 2, 6, 30])
def test_constant_identical_and_singleton_clusterings(index, n):
    half = [k * 2 // n for k in range(n)]
    clusterings = {"flat": [0] * n, "single": list(range(n)), "half": half, "same": half}
    scores = cc.pairwise(clusterings, index=index, n_tables=50, rng=0)
    assert_as_adjust(scores, clusterings, index=index, n_tables=50, rng=0, rel=1e-12)
    for i, j in np.argwhere(np.isnan(scores.adjusted)).tolist():
        entry = cc.adjust(*(list(clusterings.values())[k] for k in (i, j)), index=index, n_tables=50, rng=0)
        assert any(note.endswith(entry.remark) for note in map(str, scores.notes))
    if np.isnan(scores.adjusted).any():
        assert scores.notes
    assert repr(scores)
    scores.linkage()


def test_notes_count_the_pairs():
    scores = cc.pairwise({"flat": [0, 0, 0, 0], "other": [1, 1, 1, 1], "half": [0, 0, 1, 1]})
    assert [*map(str, scores.notes)] == [
        "3 of 6 pairs not adjusted, 'flat' with 'flat' the first; undefined: every table with"
        " these cluster sizes has the same value"
    ]
    assert scores.adjusted[2, 2] == 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cc.pairwise({"a": [0, 1]}), ValueError,
         "`clusterings` must hold at least two clusterings; got 1."),
        (lambda: cc.pairwise([[0, 1], [0, 1, 2]]), ValueError,
         "`clusterings[1]` must have the same length as `clusterings[0]`; got 3 and 2."),
        (lambda: cc.pairwise(SMALL, index="jacard"), ValueError,
         "`index` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"),
        (lambda: cc.pairwise(SMALL, index=["rand"]), TypeError,
         "`index` must be a name, an Index or a function of labels; got ['rand']."
         " `adjust` and `compare` take several."),
        (lambda: cc.pairwise(SMALL, p_values=1), TypeError, "`p_values` must be True or False; got 1."),
        (lambda: cc.pairwise(SMALL, metod="exact"), TypeError,
         "`pairwise` has no keyword 'metod'. Did you mean 'method'?"),
        (lambda: cc.pairwise(SMALL, index="irm", method="analytic"), ValueError,
         "`method` must be 'auto', 'exact' or 'monte-carlo' for index 'irm' on these margins: its mean"
         " is not known without draws; got 'analytic'."),
    ],
)  # fmt: skip
def test_errors(call, error, message):
    with pytest.raises(error, match="^" + re.escape(message) + "$"):
        call()


def test_linkage_is_scipys_of_one_minus_the_scores():
    scores = cc.pairwise(SMALL, index="jaccard")
    full = 1.0 - scores.adjusted
    np.fill_diagonal(full, 0.0)
    assert np.array_equal(scores.linkage(), linkage(squareform(full), "average"))


def test_distance_of_pairs_without_a_score_and_beyond_the_best():
    scores = cc.pairwise({"flat": [0] * 4, "also": [0] * 4, "half": [0, 0, 1, 1]})
    assert scores.distances().tolist() == [1.0, 1.0, 1.0]
    beyond = cc.pairwise(SMALL, best=0.8)  # a best value that some pairs exceed
    assert (beyond.adjusted[np.triu_indices(5, 1)] > 1.0).any() or beyond.distances().min() > 0.0
    assert beyond.distances().min() >= 0.0
    beyond.linkage()


@pytest.mark.parametrize("best", [0.9, "mean"])
def test_best_values(best):
    few = {name: labels[:12] for name, labels in SMALL.items()}
    options = {"best": best, "method": "analytic"}
    assert_as_adjust(cc.pairwise(few, **options), few, **options, rel=1e-13)


def test_frames():
    pd = pytest.importorskip("pandas")
    scores = cc.pairwise(pd.DataFrame(SMALL), index="jaccard")
    long = scores.to_frame()
    assert len(long) == 10
    row = long[(long["reference"] == "b") & (long["candidate"] == "d")].iloc[0]
    assert (row["adjusted"], row["observed"]) == (scores.adjusted[1, 3], scores.observed[1, 3])
    assert len(cc.pairwise(SMALL, index="purity", n_tables=50, rng=0).to_frame()) == 20


def test_what_is_shown():
    scores = cc.pairwise({"a": [0, 0, 1, 1], "<b>": [0, 1, 0, 1], "flat": [0, 0, 0, 0]})
    assert repr(scores).splitlines() == [
        "PairwiseScores('rand', 3 clusterings of 4 objects, adjusted from -0.500 to 0.000, medoid 'flat')",
        "           a     <b>   flat",
        "a      1.000  -0.500  0.000",
        "<b>   -0.500   1.000  0.000",
        "flat   0.000   0.000      –",
        *map(str, scores.notes),
    ]
    long = cc.pairwise({f"k-means, seed {k}": labels for k, labels in enumerate(SMALL.values())})
    _, heads, *lines = str(long).splitlines()
    assert heads.split() == [str(k) for k in range(1, len(SMALL) + 1)]
    for k, line in enumerate(lines[: len(SMALL)]):
        assert line.startswith(f"{k + 1} k-means, seed {k} ")
        assert len(line) == len(heads) <= 80
    shown = scores._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert shown.count("<tr>") == 4
    many = cc.pairwise(np.random.default_rng(0).integers(0, 3, (50, 30)))
    assert len(repr(many).splitlines()) == 1
    assert "<table>" not in many._repr_html_()


def test_the_result_is_closed_and_can_be_pickled():
    scores = cc.pairwise(SMALL, index="jaccard")
    with pytest.raises(ValueError, match="read-only"):
        scores.adjusted[0, 0] = 3.0
    assert np.array_equal(pickle.loads(pickle.dumps(scores)).adjusted, scores.adjusted)
    assert (scores.to_dict()["names"], scores.to_dict()["p_value"]) == (list("abcde"), None)


def test_a_name_gives_the_scores_of_that_clustering():
    """A name of two letters was taken for a pair of names."""
    labels = {"ab": [0, 0, 1, 1, 2], "a": [0, 1, 1, 1, 0], "b": [0, 0, 0, 1, 2], ("a", "b"): [0, 0, 1, 1, 1]}
    scores = cc.pairwise(labels, "rand")
    assert scores["ab"] == dict(zip(labels, scores.adjusted[0].tolist(), strict=True))
    assert scores["ab", "b"] == scores["ab"]["b"] == scores.adjusted[0, 2]
    assert scores["a", "b"] == dict(zip(labels, scores.adjusted[3].tolist(), strict=True))
    with pytest.raises(KeyError, match="got 'c'"):
        scores["c"]


def test_an_unknown_name_gets_the_nearest_one():
    scores = cc.pairwise({"kmeans": [0, 0, 1], "ward": [0, 1, 1]})
    with pytest.raises(KeyError, match=r"must be one of 'kmeans', 'ward'; got 'wrd'. Did you mean 'ward'"):
        scores["kmeans", "wrd"]
