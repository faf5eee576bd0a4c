"""Draws of the user's own: all permutations give the permutation model; levels where neighbours are alike."""

import itertools
import multiprocessing
import pickle
import threading
import time

import joblib
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import Draws, blocks, segments, shifts, spins, torus
from chancecorr.sampling import workers
from chancecorr.sampling.own_draws import take_draw
from chancecorr.sampling.seeding import make_seed

A, B = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
ALL = np.array(list(itertools.permutations(range(6))))
RNG = np.random.default_rng(5)
SHARES = [cc.Membership(RNG.dirichlet([1.0] * 3, size=6)) for _ in range(2)]
KINDS = [
    *((A, B, name) for name in ("rand", "jaccard", "purity", "ami", "nmi_sum", "mutual_information", "irm")),
    (*SHARES, "rand"),
    (A, B, "omega"),
    (A, B, cc.clusterings.graph_rand([(0, 1), (1, 2), (3, 4), (4, 5)])),
    (A, B, cc.indices.Index(name="same", function=lambda x, y: float(np.mean(x == y)), needs="labels")),
]


@pytest.mark.parametrize(("first", "second", "index"), KINDS, ids=lambda x: getattr(x, "name", str(x))[:12])
def test_all_permutations_are_the_permutation_model(first, second, index):
    own = cc.adjust(first, second, index, model=Draws(ALL, complete=True))
    known = cc.adjust(first, second, index, method="exact")
    for name in ("observed", "expected", "variance", "adjusted", "p_value"):
        assert getattr(own, name) == pytest.approx(getattr(known, name), rel=1e-12, abs=1e-12), name
    assert own.method == "exact"


def test_random_rows_count_the_data_as_one_draw():
    rows = ALL[RNG.integers(len(ALL), size=99)]
    score = cc.adjust(A, B, "rand", model=Draws(rows))
    values = np.array([cc.score(A, np.array(B)[row], "rand") for row in rows])
    assert score.expected == pytest.approx(values.mean(), rel=1e-12)
    assert score.p_value == (1 + (values >= score.observed - 1e-12).sum()) / 100


def test_a_simulation_draws_from_a_group_at_random():
    series = [0] * 15 + [1] * 5 + [2] * 10
    method = cc.MonteCarlo(n_tables=3_000)
    drawn = cc.adjust(series, series[2:] + series[:2], "rand", model=shifts(30), method=method, rng=1)
    known = cc.adjust(series, series[2:] + series[:2], "rand", model=shifts(30))
    assert abs(drawn.expected - known.expected) < 4 * known.std / np.sqrt(3_000)
    assert abs(drawn.p_value - known.p_value) < 4 * np.sqrt(known.p_value / 3_000)


def test_endless_draws_go_on_until_a_precision_is_met():
    model = Draws(lambda rng: rng.permutation(30))
    score = cc.adjust(A * 5, B * 5, "jaccard", model=model, method=cc.MonteCarlo(precision=0.001), rng=1)
    assert 2.576 * score.monte_carlo_error <= 0.001
    assert abs(score.expected - cc.adjust(A * 5, B * 5, "jaccard").expected) < 0.002


def draw_three_clusters(rng):
    while True:
        labels = rng.integers(3, size=6)
        if np.unique(labels).size == 3:
            return labels


def test_labels_of_other_sizes_are_fixed_k():
    own = cc.adjust(A, B, "rand", model=Draws(draw_three_clusters), n_tables=4_000, rng=1)
    known = cc.adjust(A, B, "rand", model="one-sided-fixed-k")
    assert abs(own.expected - known.expected) < 4 * own.std / np.sqrt(own.n_tables)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_seed_gives_the_same_draws_wherever_they_are_made(n_jobs):
    def answer():
        model = Draws(lambda rng: rng.permutation(30))
        score = cc.adjust(A * 5, B * 5, ["rand", "purity"], model=model, rng=3)
        return [(one.expected, one.p_value) for one in score.values()]

    (elsewhere,) = joblib.Parallel(n_jobs=n_jobs)([joblib.delayed(answer)()])
    assert elsewhere == answer()
    seed = int(make_seed(3))
    numbers = [np.random.default_rng([seed, t]).permutation(30) for t in range(999)]
    by_hand = np.mean([cc.score(A * 5, np.array(B * 5)[p], "rand") for p in numbers])
    assert answer()[0][0] == pytest.approx(by_hand, rel=1e-12)


def test_a_slow_first_draw_does_not_cut_their_number_without_a_budget():
    calls = []

    def draw(rng):
        calls.append(rng)
        time.sleep(0.5 if len(calls) == 1 else 0.0)
        return rng.permutation(6)

    assert cc.adjust(A, B, "rand", model=Draws(draw), rng=1).n_tables == 999


def test_candidates_are_compared_under_them():
    model = Draws(ALL, complete=True)
    comparison = cc.compare(A, {"b": B, "a": A}, ["rand", "purity"], model=model, interval=None)
    for name, labels in (("a", A), ("b", B)):
        alone = cc.adjust(A, labels, "rand", model=model)
        assert comparison[name]["rand"].score.p_value == alone.p_value
        assert comparison[name]["rand"].adjusted == pytest.approx(alone.adjusted, rel=1e-12)


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        (lambda: Draws([1, 2, 3]), "must be of shape"),
        (lambda: Draws([[1.0, np.nan]]), "must be finite"),
        (lambda: Draws([[0, 0]], complete=True), "must hold only permutations"),
        (lambda: Draws(lambda rng: [1], complete=True), "must be False for a callable"),
        (lambda: cc.adjust(A, B, model=Draws(ALL[:, :5])), "must draw 6 labels, one per object; got 5"),
        (lambda: cc.adjust(A, B, model=Draws(ALL), n_tables=1_000), "must be at most 720"),
        (lambda: cc.adjust(A, B, model=shifts(5)), "must be for 6 objects"),
        (lambda: cc.adjust(*SHARES, "rand", model=Draws(np.zeros((30, 6)))), "must draw permutations"),
        (lambda: cc.null_distribution(([3, 3], [2, 4]), model=Draws(ALL)), "must be a name"),
        (
            lambda: cc.adjust(A, B, model=Draws(ALL), method=cc.MonteCarlo(precision=0.1)),
            "not have a precision",
        ),
        (lambda: cc.adjust(A, B, model=Draws(np.full((9, 6), -1), kind="places")), "places from 0 to 5"),
        (lambda: cc.adjust(A, B, model=Draws(np.full((9, 6), 6), kind="places")), "places from 0 to 5"),
        (lambda: cc.adjust(A, B, model=Draws(np.full((9, 6), 0.5), kind="places")), "places from 0 to 5"),
        (lambda: cc.adjust(A, B, model=Draws([[None, 1, 1, 2, 2, 2]])), "`model`"),
        (lambda: blocks([0, 0, 1]), "two groups of equal size"),
        (lambda: spins([[0.0, 0.0, 0.0]]), "none at the centre"),
    ],
)
def test_refused(draws, message):
    with pytest.raises((ValueError, TypeError), match=message):
        draws()


def test_what_is_odd_about_rows_is_said():
    rows = [B, B, [7, 7, 7, 7, 7, 8]]
    said = repr(cc.adjust(A, B, "rand", model=Draws(rows, kind="labels")))
    assert "1 of 3 draws occur more than once" in said
    assert "the candidate itself is among the draws, 2 times" in said
    assert "1 of 3 draws have other cluster sizes" in said


@pytest.mark.parametrize(
    "model", [torus((2, 3)), blocks([0, 0, 1, 1, 2, 2]), spins(RNG.normal(size=(6, 3))), segments()]
)
def test_scores_can_be_pickled(model):
    score = cc.adjust(A, B, "rand", model=model, rng=1, n_tables=30)
    again = pickle.loads(pickle.dumps(score))
    assert (again.p_value, again.null.model) == (score.p_value, model.name)


def test_rows_of_labels_are_labels_even_if_one_is_a_permutation():
    rows = [[0, 1, 2], [0, 0, 1], [1, 1, 0]]
    values = [cc.score([0, 0, 1], row, "rand") for row in rows]
    assert cc.adjust([0, 0, 1], [0, 1, 1], "rand", model=Draws(rows)).expected == pytest.approx(
        np.mean(values)
    )


def test_tables_that_are_not_laid_out():
    first, second = np.arange(5_000), np.arange(5_000) // 2
    model = Draws(lambda rng: rng.permutation(5_000))
    drawn = cc.adjust(first, second, ["rand", "nmi_sum"], model=model, n_tables=20, rng=1)
    for score in drawn.values():  # one side alone in its clusters: every table has the same value
        assert (score.expected, score.std) == (pytest.approx(score.observed), pytest.approx(0.0, abs=1e-12))


def slow_permutation(rng):
    return rng.permutation(30)


def raises_elsewhere(rng):
    if multiprocessing.parent_process() is not None:
        raise FileNotFoundError("no such surrogate")
    return rng.permutation(30)


class TestWorkers:
    """Blocks of few draws, so that 200 of them are many blocks."""

    @pytest.fixture(autouse=True)
    def blocks_are_short(self, monkeypatch):
        monkeypatch.setattr(workers, "BLOCK_SECONDS", 0.001)

    def bits(self, source=slow_permutation, n_jobs=None):
        """Bytes of all draws of labels, of clusterings of other kinds, and of a user's function."""
        options = {"model": Draws(source), "n_tables": 200, "rng": 3, "n_jobs": n_jobs}
        share = cc.indices.Index(name="share", function=lambda x, y: float(np.mean(x == y)), needs="labels")
        own = cc.adjust(A * 5, B * 5, ["rand", "purity", "omega", share], **options)
        others = cc.adjust(*(cc.Membership(np.tile(side.rows, (5, 1))) for side in SHARES), **options)
        return [
            (score.null.values.tobytes(), score.null.counts.tobytes()) for score in [*own.values(), others]
        ]

    def test_threads(self, monkeypatch):
        threads, draw = set(), slow_permutation

        def noted(rng):
            threads.add(threading.get_ident())
            time.sleep(0.001)
            return draw(rng)

        assert self.bits(noted, n_jobs=2) == self.bits(n_jobs=1)
        assert len(threads) > 1

    @pytest.mark.slow
    def test_processes(self):
        expected = self.bits(n_jobs=1)
        with joblib.parallel_config(backend="loky"):
            assert self.bits(lambda rng: rng.permutation(30), n_jobs=2) == expected
            with pytest.raises(FileNotFoundError, match="no such surrogate"):
                self.bits(raises_elsewhere, n_jobs=2)

    @pytest.mark.slow
    def test_dask(self):
        distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
        expected = self.bits(n_jobs=1)
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
            ) as cluster,
            distributed.Client(cluster),
            joblib.parallel_config(backend="dask"),
        ):
            assert self.bits(lambda rng: rng.permutation(30)) == expected
            with pytest.raises(FileNotFoundError, match="no such surrogate"):
                self.bits(raises_elsewhere)

    def test_candidates_have_the_workers_one_after_the_other(self):
        def compared(n_jobs):
            comparison = cc.compare(
                A * 5,
                {"b": B * 5, "a": A * 5},
                model=Draws(slow_permutation),
                interval=None,
                rng=1,
                n_jobs=n_jobs,
            )
            return [comparison[name]["rand"].score.null.values.tobytes() for name in "ab"]

        assert compared(1) == compared(2)

    def test_a_bar_counts_them(self, capsys):
        method = cc.MonteCarlo(n_tables=200, progress=True)
        cc.adjust(A * 5, B * 5, model=Draws(slow_permutation), method=method, rng=1)
        assert "200/200" in capsys.readouterr().err


NAMED = {"a": A, "b": B, "c": [0, 1, 1, 1, 1, 2], "sizes of a": [2, 0, 1, 1, 0, 0]}


class TestPairwise:
    @pytest.mark.parametrize("index", ["rand", "nmi_sum", "purity"])
    def test_all_permutations_are_the_permutation_model(self, index):
        own = cc.pairwise(NAMED, index, model=Draws(ALL, complete=True), p_values=True)
        known = cc.pairwise(NAMED, index, method="exact", p_values=True)
        for name in ("observed", "expected", "adjusted", "p_value"):
            np.testing.assert_allclose(getattr(own, name), getattr(known, name), rtol=1e-12, atol=1e-12)

    def test_the_draws_are_of_the_columns_clustering(self):
        rows = ALL[[5, 100, 333]]
        found = cc.pairwise(NAMED, "jaccard", model=Draws(rows))
        for (i, first), (j, second) in itertools.product(enumerate(NAMED.values()), repeat=2):
            values = [cc.score(first, np.array(second)[row], "jaccard") for row in rows]
            assert found.expected[i, j] == pytest.approx(np.mean(values), rel=1e-12)
        assert not np.array_equal(found.expected, found.expected.T)

    def test_a_function_may_draw_labels(self):
        own = cc.pairwise(NAMED, model=Draws(draw_three_clusters), n_tables=2_000, rng=1, p_values=True)
        known = cc.pairwise(NAMED, model="one-sided-fixed-k", p_values=True)
        assert (abs(own.expected - known.expected) < 4 * 0.5 / np.sqrt(2_000)).all()

    def test_rows_of_labels_are_refused(self):
        with pytest.raises(ValueError, match="drawn labels replace one"):
            cc.pairwise(NAMED, model=Draws([A, B]))


class TestReady:
    def test_shifts_and_tori_are_groups(self):
        rows = {tuple(take_draw(torus((2, 3)), t, 6, 0, in_order=True)) for t in range(6)}
        assert rows == {
            tuple(np.roll(np.arange(6).reshape(2, 3), (i, j), (0, 1)).ravel())
            for i in range(2)
            for j in range(3)
        }
        turned = {
            tuple(take_draw(torus((2, 3), reflections=True), t, 6, 0, in_order=True)) for t in range(24)
        }
        closed = {tuple(np.array(p)[list(q)]) for p in turned for q in turned}
        assert closed == turned
        assert [list(take_draw(shifts(3), t, 3, 0, in_order=True)) for t in range(3)] == [
            [0, 1, 2],
            [2, 0, 1],
            [1, 2, 0],
        ]

    def test_blocks_keep_what_is_within(self):
        groups = np.repeat(["a", "b", "c", "d"], [2, 2, 3, 2])
        places = np.array([take_draw(blocks(groups), t, 9, np.uint64(1)) for t in range(400)])
        assert (places[:, 4:7] == [4, 5, 6]).all()
        assert (places[:, 1] == places[:, 0] + 1).all()
        firsts, counts = np.unique(places[:, 0], return_counts=True)
        assert firsts.tolist() == [0, 2, 7]
        assert counts.min() > 95  # of 133, by 3.6 standard deviations

    @pytest.mark.parametrize("halves", [None, [0] * 50 + [1] * 50])
    def test_spins_rotate(self, halves):
        points = RNG.normal(size=(100, 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        model = spins(points, hemispheres=halves, assignment="one-to-one")
        one = take_draw(model, 3, 100, np.uint64(1))
        assert sorted(one) == list(range(100))
        near = take_draw(spins(points, hemispheres=halves, assignment="nearest"), 3, 100, np.uint64(1))
        assert np.unique(near).size < 100
        # a rotation turns neighbours into neighbours
        close = np.argsort(-(points[:50] @ points[:50].T), axis=1)[:, 1]
        apart = np.linalg.norm(points[one[:50]] - points[one[close]], axis=1).mean()
        assert apart < 0.8 < np.linalg.norm(points[:50] - points[RNG.permutation(50)], axis=1).mean()


def smooth(rng, size, width):
    """Labels of four levels of a series whose neighbours are alike, without ends."""
    kernel = np.exp(-0.5 * (np.minimum(np.arange(size), size - np.arange(size)) / width) ** 2)
    series = np.fft.ifft(np.fft.fft(rng.normal(size=size)) * np.fft.fft(kernel)).real
    return np.searchsorted(np.quantile(series, [0.25, 0.5, 0.75]), series)


def test_shifts_hold_their_level_where_permutations_do_not():
    free, shifted = 0, 0
    for k in range(200):
        x, y = (smooth(np.random.default_rng([k, side]), 200, 5.0) for side in range(2))
        free += cc.adjust(x, y, "rand").p_value < 0.05
        shifted += cc.adjust(x, y, "rand", model=shifts(200)).p_value < 0.05
    assert free > 60
    assert shifted < 22  # 10 expected; 3.9 standard deviations


class TestStopAfter:
    def test_it_is_the_sequential_p_value(self):
        rng = np.random.default_rng(2)
        x, y = rng.integers(3, size=(2, 40))
        draws = Draws(lambda rng: rng.permutation(40))
        seed = int(make_seed(7))
        permutations = (np.random.default_rng([seed, t]).permutation(40) for t in range(999))
        every = [cc.score(x, y[one], "rand") for one in permutations]
        extreme = np.cumsum(np.array(every) >= cc.score(x, y, "rand") - 1e-12)
        m = int(np.argmax(extreme == 10)) + 1
        score = cc.adjust(x, y, "rand", model=draws, method=cc.MonteCarlo(stop_after=10), rng=7)
        assert (score.p_value, score.n_tables) == (pytest.approx(10 / m), m - 1)

    def test_it_is_that_of_other_clusterings_too(self):
        rng = np.random.default_rng(2)
        P, Q = (cc.Membership(rng.dirichlet([1.0] * 3, size=12)) for _ in range(2))
        draws, seed = Draws(lambda rng: rng.permutation(12)), int(make_seed(7))
        permutations = [np.random.default_rng([seed, t]).permutation(12) for t in range(200)]
        every = [cc.score(P, cc.Membership(Q.rows[one]), "rand") for one in permutations]
        extreme = np.cumsum(np.array(every) >= cc.score(P, Q, "rand") - 1e-12)
        m = int(np.argmax(extreme == 10)) + 1
        score = cc.adjust(P, Q, "rand", model=draws, method=cc.MonteCarlo(stop_after=10), rng=7)
        assert (score.p_value, score.n_tables) == (pytest.approx(10 / m), m - 1)

    def test_it_is_that_of_weighted_objects_too(self):
        """The more draws, the same numbers: those up to the tenth that is as extreme as the data."""
        rng = np.random.default_rng(4)
        x, y, weights = rng.integers(3, size=30), rng.integers(3, size=30), rng.random(30)
        how = {"weights": weights, "rng": 7}
        stopped = cc.adjust(x, y, "jaccard", method=cc.MonteCarlo(stop_after=10), **how)
        m = stopped.n_tables + 1
        scores = [cc.adjust(x, y, "jaccard", method="monte-carlo", n_tables=k, **how) for k in (m - 1, m)]
        extreme = [round(score.p_value * (score.n_tables + 1)) - 1 for score in scores]
        assert (extreme, stopped.p_value) == ([9, 10], pytest.approx(10 / m))

    def test_it_holds_its_level(self):
        p_values = []
        for k in range(300):
            rng = np.random.default_rng(k)
            P, Q = (cc.Membership(rng.dirichlet([1.0] * 3, size=12)) for _ in range(2))
            method = cc.MonteCarlo(stop_after=4, n_tables=99)
            p_values.append(cc.adjust(P, Q, "rand", method=method, rng=k).p_value)
        for level in (0.05, 0.2, 0.5):
            found = np.mean(np.array(p_values) <= level)
            assert abs(found - level) < 3.9 * np.sqrt(level * (1 - level) / 300) + 0.01

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda method: cc.adjust(A, B, ["irm", "purity"], method=method), "one index"),
            (lambda method: cc.null_distribution(([3, 3], [2, 4]), "irm", method=method), "one index"),
            (lambda method: cc.adjust(A, B, "irm", method=method, alternative="two-sided"), "two-sided"),
        ],
    )
    def test_refused(self, call, message):
        with pytest.raises(ValueError, match=message):
            call(cc.MonteCarlo(stop_after=10))


PARTITIONS_OF_FOUR = [(0, a, b, c) for a in range(2) for b in range(a + 2) for c in range(max(a, b) + 2)]


def test_a_draw_of_singletons_among_draws_of_labels_is_no_permutation():
    """One of the 15 partitions is 0, 1, 2, 3: labels, as in an array of all partitions."""

    def draw(rng):
        return np.array(PARTITIONS_OF_FOUR[rng.integers(15)])

    u = [0, 0, 1, 1]
    own, told = (
        cc.adjust(u, u, "rand", model=Draws(draw, kind=kind), rng=1, n_tables=3000)
        for kind in (None, "labels")
    )
    assert (own.expected, own.p_value) == (told.expected, told.p_value)
    assert own.expected == pytest.approx(
        cc.adjust(u, u, "rand", model=Draws(PARTITIONS_OF_FOUR)).expected, abs=0.02
    )


def test_a_function_that_draws_both_is_asked_for_its_kind():
    def draw(rng):
        return rng.permutation(4) if rng.random() < 0.97 else np.array([0, 0, 1, 1])

    with pytest.raises(ValueError, match=r"in the first ones and labels later\. Pass `kind` to"):
        cc.adjust([0, 0, 1, 1], [0, 1, 1, 1], "rand", model=Draws(draw), rng=2)


@pytest.mark.parametrize("index", ["rand", "purity"])
def test_candidates_are_compared_without_intervals(index):
    """The default call was refused, and told to pass what it had not been given."""
    candidates, ways = {"b": B, "a": A}, ({}, {"interval": None})
    found, told = (cc.compare(A, candidates, index, model=Draws(ALL), **how) for how in ways)
    assert found["b"][index].adjusted == cc.adjust(A, B, index, model=Draws(ALL)).adjusted
    assert "no intervals" in str(found.notes[-1])
    assert found.notes[:-1] == told.notes
