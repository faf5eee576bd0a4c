"""Checkpoints of models that give values by the numbers of draws: the same bits, whatever ended a run."""

import functools
import os
import signal
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import Draws, null_model, torus
from chancecorr.chance.permuted_objects import PermutedObjects
from chancecorr.clusterings.clustering import Partition
from chancecorr.clusterings.indices import find_pair_indices, list_indices_for
from chancecorr.correction import simulation
from chancecorr.correction.options import read_options
from chancecorr.sampling import workers
from tests.contracts.kinds import KIND, WEIGHTS, N, own, pair_of

RNG = np.random.default_rng(3)
PERMUTATIONS = RNG.permuted(np.tile(np.arange(N), (200, 1)), axis=1)
LABELS = PERMUTATIONS % 4
PLACES = RNG.normal(size=(N, 2))
SHARE = cc.indices.Index(name="share", function=lambda x, y: float(np.mean(x == y)), needs="labels")


def draw_places(rng):
    """A permutation; of draw 37 an error while the environment says so."""
    if rng.bit_generator.seed_seq.entropy[-1] == 37 and "NO_DRAW_37" in os.environ:
        raise OSError("no surrogate 37")
    return rng.permutation(N)


CASES = {
    "own permutations": ("labels", ["rand", "purity", SHARE], {"model": Draws(PERMUTATIONS)}),
    "own labels": ("labels", ["nmi_sum", "jaccard"], {"model": Draws(LABELS, kind="labels")}),
    "a callable": ("labels", ["rand", "ami"], {"model": Draws(draw_places)}),
    "a callable, pairs of objects": ("memberships", "rand", {"model": Draws(draw_places)}),
    "a group": ("labels", "rand", {"model": torus((2, 5))}),
    "covers": ("covers", ["omega", "average_f1"], {}),
    "covers of sets, a function": ("covers of sets", own, {}),
    "trees": ("trees", ["correlation", "element_centric"], {}),
    "similarities": ("similarities", ["rand", "correlation"], {}),
    "places": ("labels", cc.clusterings.spatial_rand(PLACES), {}),
    "weights": ("labels", ["rand", "nmi_sum"], {"weights": WEIGHTS}),
    "biclusters": ("biclusters", ["rand", "jaccard"], {}),
}


def ask(case, path=None, n_tables=200, **changes):
    """Bits of all scores: the numbers of a score, and its simulated values in order."""
    kind, index, options = CASES[case]
    pair, method = pair_of(kind), cc.MonteCarlo(n_tables=n_tables, checkpoint=path)
    scores = cc.adjust(*pair, **{"index": index, "rng": 5, "method": method, **options, **changes})
    scores = list(scores.values()) if isinstance(scores, cc.correction.AdjustedScores) else [scores]
    return [(each.to_json(), each.null.values.tobytes(), each.null.counts.tobytes()) for each in scores]


def read_kept(path):
    """Number of draws in a file, and what was kept of each."""
    with np.load(path) as file:
        return len(file["counts 0"]), file["values 0"]


def interrupt_at(patch, number, size):
    """Blocks of so many draws, and Ctrl-C in the one with this number."""
    run = null_model.evaluate_in_blocks

    def run_until(evaluate, take, numbers, **how):
        def evaluate_until(first, count):
            if first <= number < first + count:
                raise KeyboardInterrupt
            return evaluate(first, count)

        run(evaluate_until, take, numbers, **how | {"size": size, "is_timed": False})

    patch.setattr(null_model, "evaluate_in_blocks", run_until)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run"


@pytest.mark.parametrize("case", CASES)
def test_an_interrupted_run_ends_with_the_same_bits(case, path, monkeypatch):
    expected = ask(case)
    for number, size, kept in ((37, 10, 30), (31, 7, 30), (141, 7, 30 + 15 * 7), (199, 1, 199)):
        with monkeypatch.context() as patch:
            interrupt_at(patch, number, size)
            with pytest.raises(KeyboardInterrupt):
                ask(case, path)
        assert read_kept(path)[0] == kept
    assert ask(case, path) == expected
    content = path.read_bytes()
    assert ask(case, path) == expected
    assert path.read_bytes() == content


PLACED = [
    cc.clusterings.spatial_rand(RNG.normal(size=(150, 2))),
    cc.clusterings.graph_rand([(k, (7 * k + 1) % 150) for k in range(150)]),
]


@pytest.mark.parametrize(
    "kind", [name for name, (_, more) in KIND.items() if not more and "biclusters" not in name]
)
def test_numbers_do_not_depend_on_the_blocks_in_which_they_are_drawn(kind):
    """Of every index that takes the kind; 150 objects, so that sums round."""
    P, Q = (Partition(side) if isinstance(side, np.ndarray) else side for side in pair_of(kind, 1, 150))
    names = {"correlation", *(name for name in list_indices_for(P.word) if name in list_indices_for(Q.word))}
    names |= {"rand"} if "fuzzy_rand" in names else set()
    words = {P.word, Q.word}
    names |= {"mutual_information", "purity"} if "membership" in words <= {"membership", "labels"} else set()
    names -= {"dendrogram_purity"} if P.word == Q.word else set()
    named = [name for name in sorted(names) if " " not in name]
    indices = find_pair_indices(named + (PLACED if kind == "labels" else []), P, Q)
    entries = [index.entry for index in indices]
    model = PermutedObjects(P=P, Q=Q, options=read_options(rng=5))
    together = model.draw_values(entries, 0, 64)
    for size in (1, 3, 32):
        apart = [model.draw_values(entries, first, min(size, 64 - first)) for first in range(0, 64, size)]
        differ = (np.concatenate(apart) != together).any(axis=0)
        assert not differ.any(), [entry.name for entry, here in zip(entries, differ, strict=True) if here]


@pytest.mark.parametrize("case", CASES)
def test_more_draws_are_made_on_top(case, path):
    for n_tables in (60, 200):
        assert ask(case, path, n_tables) == ask(case, None, n_tables)
    with pytest.raises(ValueError, match=r"^`n_tables` must be at least 200, the number of tables in"):
        ask(case, path, 199)


@pytest.mark.parametrize("case", ["a callable", "a callable, pairs of objects"])
def test_a_callable_that_raises(case, path, monkeypatch):
    monkeypatch.setattr(workers, "BLOCK_SECONDS", 0.0)  # one draw a block
    with monkeypatch.context() as patch:
        patch.setenv("NO_DRAW_37", "1")
        with pytest.raises(OSError, match="no surrogate 37"):
            ask(case, path, n_jobs=1)
    assert read_kept(path)[0] == 37
    assert ask(case, path, n_jobs=2) == ask(case)


def test_the_file_holds_the_draws_in_their_order(path):
    """Compared with the candidate's labels taken to their places one draw after the other."""
    ask("own permutations", path, 90)
    x, y = pair_of("labels")
    values = [[cc.score(x, y[places], name) for name in ("rand", "purity")] for places in PERMUTATIONS[:90]]
    np.testing.assert_allclose(read_kept(path)[1][:, :2], values, rtol=1e-12)


def test_the_looks_at_a_precision_are_the_same(path, monkeypatch):
    looks, plan = [], simulation.plan_next_look
    monkeypatch.setattr(simulation, "plan_next_look", lambda m, needed: looks.append(m) or plan(m, needed))

    def mean(checkpoint=None):
        method = cc.MonteCarlo(precision=2e-3, checkpoint=checkpoint)
        null = cc.adjust(*pair_of("labels"), "rand", model=Draws(draw_places), method=method, rng=5).null
        return null.n_tables, null.mean.hex(), null.values.tobytes()

    expected, whole = mean(), looks.copy()
    assert whole
    looks.clear()
    for number in (50, whole[0] + 1):
        with monkeypatch.context() as patch:
            interrupt_at(patch, number, 10)
            with pytest.raises(KeyboardInterrupt):
                mean(path)
    assert mean(path) == expected
    assert looks == whole


SCRIPT = """
import os, signal, sys
import chancecorr as cc
from chancecorr.sampling import checkpoint, workers

checkpoint.SECONDS_BETWEEN_WRITES = workers.BLOCK_SECONDS = 0.0
SIDES = [cc.Cover([*map(set, clusters)]) for clusters in (["abcde", "defg", "hijkl"], ["abcg", "defhijkl"])]

def draw(rng):
    if rng.bit_generator.seed_seq.entropy[-1] == 37 and "NO_DRAW_37" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)
    return rng.permutation(12)

method = cc.MonteCarlo(n_tables=100, checkpoint=sys.argv[1] or None)
model = cc.Draws(draw, objects="abcdefghijkl")
score = cc.adjust(*SIDES, "omega", model=model, method=method, rng=1, n_jobs=1)
print(score.null.values.tobytes().hex())
"""


@pytest.mark.slow
def test_a_killed_process(path):
    """The next process takes the file of the first for its own, whatever its hashes of texts are."""

    def run(file, **more):
        command = [sys.executable, "-c", SCRIPT, file]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ | more, check=False)

    assert run(path, NO_DRAW_37="1", PYTHONHASHSEED="1").returncode == -signal.SIGKILL
    assert 0 < read_kept(path)[0] <= 37
    found, expected = run(path, PYTHONHASHSEED="2"), run("")
    assert found.stdout == expected.stdout != "", found.stderr


OTHER = PERMUTATIONS.copy()
OTHER[150, :2] = OTHER[150, 1::-1]
CHANGES = [
    ("own permutations", {"model": Draws(OTHER)}, "model"),
    ("own permutations", {"model": Draws(PERMUTATIONS, kind="labels")}, "model"),
    ("own permutations", {"model": Draws(PERMUTATIONS[:199])}, "model"),
    ("own labels", {"index": "nmi_sum"}, "indices"),
    ("own labels", {"rng": 6}, "seed"),
    ("a callable", {"model": Draws(lambda rng: rng.permutation(N)[::-1])}, "model"),
    ("a callable", {"model": Draws(functools.partial(draw_places))}, "model"),
    ("a group", {"model": torus((5, 2))}, "model"),
    ("covers", {"model": Draws(draw_places)}, "model"),
    ("covers of sets, a function", {"index": lambda first, second: 0.0}, "indices"),
    ("weights", {"weights": WEIGHTS + (np.arange(N) == 3)}, "clusterings"),
    ("weights", {"rng": 6}, "seed"),
]


@pytest.mark.parametrize(("case", "changes", "what"), CHANGES)
def test_another_run_is_refused(case, changes, what, path):
    ask(case, path, 150)
    content = path.read_bytes()
    with pytest.raises(ValueError, match=rf"which is of another run\. What differs: .*{what} \("):
        ask(case, path, 150, **changes)
    assert path.read_bytes() == content


@pytest.mark.parametrize("case", CASES)
def test_other_clusterings_are_refused(case, path, monkeypatch):
    ask(case, path, 50)
    monkeypatch.setitem(globals(), "pair_of", functools.partial(pair_of, seed=1))
    with pytest.raises(ValueError, match=r"What differs: clusterings \(10|What differs: clusterings \(60"):
        ask(case, path, 50)


def test_a_function_and_a_version_that_changed(path, monkeypatch):
    pair = pair_of("covers of sets")

    def run(function, name):
        """Functions of one name and with the same values."""
        function.__name__ = name
        cc.adjust(*pair, function, method=cc.MonteCarlo(n_tables=30, checkpoint=path), rng=1)

    run(lambda first, second: float((first == second).mean()), "same")
    with pytest.raises(ValueError, match=r"What differs: functions \("):
        run(lambda first, second: float((second == first).mean()), "same")
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0.0" if name == "numpy" else real(name))
    with pytest.raises(ValueError, match=r"What differs: version \(.*numpy 0\.0"):
        run(lambda first, second: float((first == second).mean()), "same")


def test_a_callable_whose_code_changed(path):
    ask("a callable", path, 50, model=Draws(lambda rng: rng.permutation(N)))
    assert ask("a callable", path, 60, model=Draws(lambda rng: rng.permutation(N)))
    with pytest.raises(ValueError, match=r"What differs: model \("):
        ask("a callable", path, 60, model=Draws(lambda rng: rng.permutation(N)[::-1]))


class Elsewhere:
    """A matrix that gives tiles and cannot be pickled."""

    def __init__(self, matrix):
        self.shape, self.dtype, self.take = matrix.shape, matrix.dtype, lambda place: matrix[place]

    def __getitem__(self, place):
        return self.take(place)


def test_a_matrix_that_has_no_hash_is_told_by_the_value_on_the_data(path):
    P, Q = pair_of("similarities")

    def run(matrix):
        side, method = cc.Similarity(Elsewhere(matrix)), cc.MonteCarlo(n_tables=50, checkpoint=path)
        return cc.adjust(side, Q, "correlation", method=method, rng=1).to_json()

    assert run(P.matrix) == run(P.matrix)
    other = P.matrix.copy()
    other[0, 1] = other[1, 0] = 1.0 - other[0, 1]
    with pytest.raises(ValueError, match=r"What differs: values on the data \("):
        run(other)


def test_a_file_that_was_cut_short(path):
    ask("weights", path, 50)
    content = path.read_bytes()
    for length in (0, 40, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="which is not a checkpoint, or is damaged"):
            ask("weights", path, 50)
        assert path.read_bytes() == content[:length]


def test_two_simulations_have_no_file_in_common(path):
    with pytest.raises(ValueError, match=r"^`checkpoint` must be None for indices of tables and of pairs"):
        ask("a callable", path, index=["rand", "omega"])
