"""Consensus matrices and their indices: loops over pairs, the source's numbers, enumeration, memory maps."""

import itertools
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import Budget
from chancecorr.clusterings import clustering
from chancecorr.ensembles import arimm, arimp, consensus_matrix
from tests import naive

# Zhang, Wong & Shen (2012), section 4.3; the second matrix is printed with 0.5 at (2, 2) in place of (2, 1)
SURE = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
UNSURE = [[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]


def random_matrix(rng, n, levels=None):
    """Symmetric matrix in [0, 1]; with `levels`, of whole multiples of ``1 / levels``."""
    upper = np.triu(rng.random((n, n)) if levels is None else rng.integers(0, levels + 1, (n, n)) / levels)
    return upper + np.triu(upper, 1).T


def naive_consensus(partitions):
    n = len(partitions[0])
    return [
        [Fraction(sum(p[i] == p[j] for p in partitions), len(partitions)) for j in range(n)] for i in range(n)
    ]


def naive_arimm(P, Q):
    """Equations 14 and 15 as printed: sums over i != j, halved."""
    n = len(P)
    pairs = [(Fraction(P[i][j]), Fraction(Q[i][j])) for i, j in itertools.permutations(range(n), 2)]
    t0, t1, t2 = (sum(terms) / 2 for terms in ((p * q for p, q in pairs), *zip(*pairs, strict=True)))
    t3 = 2 * t1 * t2 / (n * (n - 1))
    return (t0 - t3) / ((t1 + t2) / 2 - t3)


def naive_arimp(M, labels):
    """Equations 12 and 13 as printed: clusters one by one."""
    n, s0, s2 = len(M), Fraction(0), Fraction(0)
    for cluster in set(labels):
        members = [i for i in range(n) if labels[i] == cluster]
        s0 += sum(Fraction(M[i][j]) / 2 for i, j in itertools.permutations(members, 2))
        s2 += math.comb(len(members), 2)
    s1 = sum(Fraction(M[i][j]) / 2 for i, j in itertools.permutations(range(n), 2))
    s3 = 2 * s1 * s2 / (n * (n - 1))
    return (s0 - s3) / ((s1 + s2) / 2 - s3)


@pytest.mark.parametrize(
    ("n_partitions", "n", "k"), [(2, 0, 1), (1, 1, 1), (1, 5, 2), (7, 12, 3), (3, 20, 20)]
)
def test_consensus_matrix_is_the_share_of_partitions(n_partitions, n, k):
    partitions = np.random.default_rng(n).integers(-2, k - 2, (n_partitions, n))
    matrix = consensus_matrix(partitions)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[float(x) for x in row] for row in naive_consensus(partitions.tolist())]
    assert matrix.tolist() == matrix.T.tolist()
    assert (matrix.diagonal() == 1.0).all()


@pytest.mark.slow
def test_a_matrix_larger_than_memory_is_refused_before_it_is_laid_out():
    labels = np.zeros(10**7, dtype=np.int8)
    message = r"^`partitions` asks for 800 TB for a matrix of 10,000,000 by 10,000,000 in memory;"
    with pytest.raises(ValueError, match=message + " `budget` allows .*half of this machine's memory"):
        consensus_matrix([labels])
    partitions = [[0, 0, 1]] * 2
    assert consensus_matrix(partitions, budget=Budget(bytes=72)).shape == (3, 3)
    with pytest.raises(ValueError, match=r"asks for 72 bytes.*`budget` allows 71 bytes"):
        consensus_matrix(partitions, budget=Budget(bytes=71))


@pytest.mark.parametrize("tile", [1, 5, 1024])
def test_equals_a_loop_over_pairs(monkeypatch, tile):
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", tile)
    rng = np.random.default_rng(tile)
    for n in (3, 5, 11):
        P, Q = random_matrix(rng, n), random_matrix(rng, n, levels=3)
        expected = float(naive_arimm(P.tolist(), Q.tolist()))
        assert arimm(P, Q) == pytest.approx(expected, rel=1e-12)
        assert arimm(P.tolist(), Q.tolist()) == arimm(P, Q)
        labels = rng.integers(0, 3, n)
        assert arimp(P, labels) == pytest.approx(float(naive_arimp(P.tolist(), labels.tolist())), rel=1e-12)


@pytest.mark.parametrize("seed", range(1, 4))
def test_proposition_1(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    n = 3 + 4 * seed
    true, pred = rng.integers(0, 2 + seed, n), rng.integers(0, 3, n)
    a, b, c, _ = naive.pair_counts(true.tolist(), pred.tolist())
    expected = (a + b) * (a + c) / math.comb(n, 2)
    ari = (a - expected) / ((a + b + a + c) / 2 - expected)
    together_true, together_pred = consensus_matrix([true]), consensus_matrix([pred])
    values = arimp(together_true, pred), arimp(together_pred, true), arimm(together_true, together_pred)
    assert (*values, metrics.adjusted_rand_score(true, pred)) == pytest.approx([ari] * 4, abs=1e-12)


def test_worked_values_of_section_4_3():
    assert arimm(SURE, SURE) == 1.0
    assert arimm(UNSURE, UNSURE) == pytest.approx(0.4, abs=1e-12)
    assert arimp(SURE, [0, 0, 1]) == 1.0


def test_matrices_near_one_and_near_zero_keep_their_digits():
    """Near 1 as many as the room between the mean and the best value has."""
    rng, n = np.random.default_rng(6), 8
    for scale in (1e-6, 1e-9):
        P, Q = random_matrix(rng, n, levels=4) * scale, random_matrix(rng, n, levels=4) * scale
        for pair, error in (((P, Q), 1e-13 * scale), ((1 - P, 1 - Q), 1e-15 / scale), ((P, 1 - Q), 1e-15)):
            expected = float(naive_arimm(*(side.tolist() for side in pair)))
            assert arimm(*pair) == pytest.approx(expected, rel=1e-12, abs=error)


def test_zero_over_zero():
    together, apart, half = np.ones((4, 4)), np.eye(4), np.full((4, 4), 0.3)
    for trivial, labels in ((together, [0, 0, 0, 0]), (apart, [0, 1, 2, 3])):
        assert math.isnan(arimm(trivial, trivial))
        assert math.isnan(arimp(trivial, labels))
    assert arimm(together, apart) == arimp(together, [0, 1, 2, 3]) == 0.0  # not 0/0
    assert arimm(half, half) == pytest.approx(0.0, abs=1e-15)  # neither


class Rows:
    """What h5py and Zarr give: a shape, a dtype, slices; and a note of what was read."""

    def __init__(self, matrix):
        self.matrix, self.shape, self.dtype = matrix, matrix.shape, matrix.dtype
        self.reads = np.zeros(matrix.shape, dtype=np.int64)
        self.largest = 0

    def __getitem__(self, key):
        self.reads[key] += 1
        self.largest = max(self.largest, self.matrix[key].size)
        return self.matrix[key]


def test_each_cell_is_read_once_and_by_tiles(monkeypatch):
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", 4)
    rng = np.random.default_rng(1)
    P, Q, labels = random_matrix(rng, 11), random_matrix(rng, 11), rng.integers(0, 3, 11)
    p, q = Rows(P), Rows(Q)
    assert arimm(p, q) == arimm(P, Q)
    assert (p.reads == 1).all()
    assert (q.reads == 1).all()
    assert p.largest == q.largest == 16
    p = Rows(P)
    assert arimp(p, labels) == arimp(P, labels)
    assert (p.reads == 1).all()


@pytest.mark.slow
def test_dask_array():
    da = pytest.importorskip("dask.array")
    rng = np.random.default_rng(3)
    P, Q, labels = random_matrix(rng, 40), random_matrix(rng, 40), rng.integers(0, 3, 40)
    p, q = da.from_array(P, chunks=(16, 7)), da.from_array(Q, chunks=(11, 40))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clustering, "OBJECTS_A_TILE", 15)
        assert arimm(p, q) == arimm(P, Q)
        assert arimp(p, labels) == arimp(P, labels)
        with pytest.raises(ValueError, match=r"`consensus` must hold numbers in .*; got nan at position"):
            arimp(da.where(p > 0.9, np.nan, p), labels)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_matrix(tmp_path, monkeypatch, record_property):
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", 128)
    n = 2048
    partitions = np.random.default_rng(7).integers(0, 5, (3, n))
    tracemalloc.start()
    try:
        out = np.lib.format.open_memmap(tmp_path / "m.npy", mode="w+", dtype=np.float64, shape=(n, n))
        tracemalloc.reset_peak()
        for i, label in enumerate(partitions[1]):
            out[i] = partitions[1] == label
        arimp(out, partitions[0])
        arimm(out, out)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    record_property("peak_mib", peak / 2**20)
    record_property("matrix_mib", out.nbytes / 2**20)
    assert peak < 16 * 128 * 128 * 8  # 2 MB; the matrix has 32 MB


OK, NAN, UNEQUAL = np.eye(3), np.eye(3), np.eye(3)
NAN[0, 2] = NAN[2, 0] = np.nan
UNEQUAL[0, 2], UNEQUAL[2, 0] = 0.25, 0.75
MATRIX_ERRORS = [
    (np.zeros((3, 4)), ValueError, r"must be square; got shape \(3, 4\)\."),
    ([[1, 0], [0]], ValueError, r"must be square; got rows of different lengths\."),
    (OK * 1.5, ValueError, r"must hold numbers in \[0, 1\]; got 1\.5 at position \(0, 0\)\."),
    (NAN, ValueError, r"must hold numbers in \[0, 1\]; got nan at position \(0, 2\)\."),
    (
        UNEQUAL,
        ValueError,
        r"must be symmetric; got 0\.25 at position \(0, 2\) and 0\.75 at position \(2, 0\)",
    ),
    (OK.astype(object), TypeError, r"must be an array of real numbers; got dtype object\."),
]


@pytest.mark.parametrize(("matrix", "error", "message"), MATRIX_ERRORS)
def test_matrix_errors(monkeypatch, matrix, error, message):
    for tile in (1, 1024):
        monkeypatch.setattr(clustering, "OBJECTS_A_TILE", tile)
        with pytest.raises(error, match="^`consensus` " + message):
            arimp(matrix, [0, 1, 2])
        with pytest.raises(error, match="^`consensus_p` " + message):
            arimm(matrix, OK)
        with pytest.raises(error, match="^`consensus_q` " + message):
            arimm(OK, matrix)


def test_other_errors():
    shapes = r"`consensus_q` must have the shape of `consensus_p`; got \(4, 4\) and \(3, 3\)\."
    with pytest.raises(ValueError, match=shapes):
        arimm(OK, np.eye(4))
    pd = pytest.importorskip("pandas")
    first, second = pd.Series([0, 0, 1], index=[7, 8, 9]), pd.Series([1, 0, 0], index=[9, 8, 7])
    assert consensus_matrix([first, second]).tolist() == consensus_matrix([[0, 0, 1]]).tolist()
    with pytest.raises(ValueError, match=r"^`partitions\[1\]` must name the objects of .*; got 1 more, as 6"):
        consensus_matrix([first, second.rename({9: 6})])


LABELS, VECTORS = r"`labels` must ", r"`partitions\[1\]` must "
ERRORS = [
    (lambda: arimp(OK, [0, 1]), LABELS + r"have one label per row of `consensus`; got 2 labels and shape"),
    (lambda: arimp(OK, [0, None, 1]), LABELS + r"not hold missing labels; got None at position 1\."),
    (lambda: arimp(OK, [[0], [1, 2], [1]]), LABELS + r"be one-dimensional; got nested lists\."),
    (lambda: arimp(OK, [0, [1], 1]), LABELS + r"hold hashable labels; got a list at position 1\."),
    (lambda: consensus_matrix([]), r"`partitions` must hold at least one partition; got none\."),
    (lambda: consensus_matrix(np.zeros(3)), r"`partitions` must be two-dimensional; got shape \(3,\)\."),
    (lambda: consensus_matrix("aab"), r"`partitions` must be an array or a list of label vectors; got a str"),
    (lambda: consensus_matrix([0, 0]), r"`partitions\[0\]` must be an array, list or Series of labels"),
    (lambda: consensus_matrix([[0, 1, 1], [0, 1]]), VECTORS + r"have the same length as `partitions\[0\]`"),
    (lambda: consensus_matrix([[0, 1], [0, None]]), VECTORS + r"not hold missing labels; got None at"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_errors_of_labels(call, message):
    with pytest.raises((TypeError, ValueError), match="^" + message):
        call()


def test_clusterings_that_lack_objects():
    """Monti et al. (2003): co-memberships over co-presences, pair by pair."""
    stream = np.random.default_rng(5)
    partitions = [
        [None if stream.random() < 0.3 else int(stream.integers(3)) for _ in range(9)] for _ in range(40)
    ]
    matrix = cc.ensembles.consensus_matrix(partitions, missing="drop")
    for i, j in itertools.product(range(9), repeat=2):
        same = [each[i] == each[j] for each in partitions if None not in (each[i], each[j])]
        assert matrix[i, j] == np.mean(same)
    assert -1.0 <= cc.ensembles.arimp(matrix, [0, 1, 2] * 3) <= 1.0
    with pytest.raises(ValueError, match=r"got none with objects 0 and 1"):
        cc.ensembles.consensus_matrix([[0, None], [None, 0]], missing="drop")
    with pytest.raises(ValueError, match=r"`partitions\[0\]` must not hold missing labels"):
        cc.ensembles.consensus_matrix([[0, None]])
