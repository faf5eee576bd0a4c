"""Runs that go on from a file: the same bits, whatever ended them; files that are not fit are refused."""

import dataclasses
import errno
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tracemalloc
import warnings
from importlib import metadata

import numba
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction import simulation
from chancecorr.sampling import checkpoint as checkpoints
from chancecorr.sampling import workers
from chancecorr.sampling.checkpoint import Checkpoint, _describe
from tests.processes import limit_processor_time, wait_for_line
from tests.simulated import with_settings

adjust_table = with_settings(cc.adjust_table)
null_distribution = with_settings(cc.null_distribution)

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])
LARGE = cc.Margins([300, 300, 400], [200, 450, 350])
"""Their tables are too many to be listed, and an index that goes by none of the exact ways is simulated."""

null = functools.partial(null_distribution, method="monte-carlo", rng=1)


def same_labels(labels_true, labels_pred):
    return float((labels_true == labels_pred).mean())


LABELS = cc.indices.Index(name="same labels", function=same_labels, needs="labels")


def assert_same_bits(found, expected):
    for name in ("mean", "variance_reduction"):
        assert getattr(found, name).hex() == getattr(expected, name).hex()
    assert (found.n_tables, found.values.tobytes()) == (expected.n_tables, expected.values.tobytes())
    np.testing.assert_array_equal(found.counts, expected.counts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run"


def interrupted_after(monkeypatch, calls, block=100):
    """Small blocks, and Ctrl-C in place of the one behind so many."""
    left, evaluate = [calls], workers.evaluate_block

    def interrupted(*arguments):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return evaluate(*arguments)

    monkeypatch.setattr(workers, "MOST_TABLES_A_BLOCK", block)
    monkeypatch.setattr(workers, "evaluate_block", interrupted)


WAYS = {
    "pairs": {"index": "jaccard"},
    "labels": {"index": LABELS},
    "control variates": {"index": "classification_error", "margins": LARGE, "method": "auto"},
    "a model": {"index": "jaccard", "model": "fixed-k"},
    "two threads": {"index": "nmi_sum", "n_jobs": 2},
}


class TestGoingOn:
    @pytest.mark.parametrize("way", WAYS)
    def test_an_interrupted_run_ends_with_the_same_bits(self, way, path, monkeypatch):
        options = {"margins": MARGINS, "n_tables": 1000, **WAYS[way]}
        expected = null(**options)
        for calls in (3, 2):  # two interruptions
            with monkeypatch.context() as patch:
                interrupted_after(patch, calls)
                with pytest.raises(KeyboardInterrupt):
                    null(**options, checkpoint=path)
        if way != "two threads" or path.exists():  # a thread may be interrupted before any block is taken
            assert 0 < Checkpoint(str(path), run_in(path)).n_tables < 1000
        assert_same_bits(null(**options, checkpoint=path), expected)

    @pytest.mark.parametrize("calls", [1, 25])
    @pytest.mark.parametrize("index", ["jaccard", "classification_error"])
    def test_the_looks_at_a_precision_are_the_same(self, index, calls, path, monkeypatch):
        options = {"margins": LARGE, "index": index, "precision": 3e-5 if index == "jaccard" else 1e-3}
        looks, needed = [], simulation._count_draws_needed

        def looking(model, indices, samples, m, precision):
            looks.append(m)
            return needed(model, indices, samples, m, precision)

        monkeypatch.setattr(simulation, "_count_draws_needed", looking)
        expected = null(**options)
        assert expected.n_tables > 2500
        whole = looks.copy()
        looks.clear()
        with monkeypatch.context() as patch:
            interrupted_after(patch, calls)
            with pytest.raises(KeyboardInterrupt):
                null(**options, checkpoint=path)
        assert_same_bits(null(**options, checkpoint=path), expected)
        assert looks == whole

    def test_what_is_half_added_is_not_kept(self, path, monkeypatch):
        """Ctrl-C between two tallies of a block: the file that was there before is right, and stays."""
        options = {"index": ["jaccard", "nmi_sum"], "rng": 1, "method": "monte-carlo", "n_tables": 600}
        table = [[20, 5, 6], [4, 30, 5], [1, 2, 9]]
        adjust_table(table, **options | {"n_tables": 100}, checkpoint=path)
        content, left, add = path.read_bytes(), [3], workers.Tally.add

        def interrupted(*arguments):
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            add(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(workers, "MOST_TABLES_A_BLOCK", 100)
            patch.setattr(workers.Tally, "add", interrupted)
            with pytest.raises(KeyboardInterrupt):
                adjust_table(table, **options, checkpoint=path)
        assert path.read_bytes() == content
        found = adjust_table(table, **options, checkpoint=path)
        for name, expected in adjust_table(table, **options).items():
            assert_same_bits(found[name].null, expected.null)

    def test_a_finished_run_answers_at_once_and_leaves_its_file(self, path, monkeypatch):
        expected = null(MARGINS, "nmi_sum", n_tables=500, checkpoint=path)
        content = path.read_bytes()
        monkeypatch.setattr(workers, "evaluate_block", lambda *_: pytest.fail("a table was drawn"))
        monkeypatch.setattr(Checkpoint, "save", lambda _: pytest.fail("it was written"))
        assert_same_bits(null(MARGINS, "nmi_sum", n_tables=500, checkpoint=path), expected)
        assert path.read_bytes() == content
        assert os.listdir(path.parent) == [path.name]

    @pytest.mark.slow
    def test_each_call_with_seconds_draws_for_as_long(self, path):
        ask = functools.partial(null, MARGINS, LABELS, n_tables=10**7, budget=0.3)
        first = ask(checkpoint=path)
        second = ask(checkpoint=path)
        assert first.n_tables < second.n_tables < 10**7
        assert str(second.notes[0]).startswith(f"only {second.n_tables:,} of 10,000,000 tables were drawn")
        assert_same_bits(second, null(MARGINS, LABELS, n_tables=second.n_tables))


KILLED = """
import sys
import chancecorr as cc
from chancecorr.sampling import checkpoint, workers

checkpoint.SECONDS_BETWEEN_WRITES = 0.0
workers.MOST_TABLES_A_BLOCK = 200
replace, left = checkpoint.os.replace, [5]

def telling(*names):
    replace(*names)
    left[0] -= 1
    if left[0] == 0:
        print("begun", flush=True)

checkpoint.os.replace = telling
cc.null_distribution(cc.Margins([30, 30, 40], [20, 45, 35]), "nmi_sum", rng=1,
                     method=cc.MonteCarlo(n_tables=10**8, checkpoint=sys.argv[1]), n_jobs=2)
"""


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(path):
    with subprocess.Popen([sys.executable, "-c", KILLED, path], stdout=subprocess.PIPE, text=True) as process:
        try:
            wait_for_line(process, "begun")
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    counted = Checkpoint(str(path), run_in(path)).n_tables
    assert counted >= 5
    n_tables = counted + 3000
    found = null(MARGINS, "nmi_sum", n_tables=n_tables, checkpoint=path)
    assert_same_bits(found, null(MARGINS, "nmi_sum", n_tables=n_tables))


def run_in(path):
    """What the file says that it is of."""
    with np.load(path) as file:
        return json.loads(file["about"].item())["run"]


def content_of(checkpoint):
    """All that a run takes from its checkpoint."""
    tallies = {key: [part.tobytes() for part in each.result()] for key, each in checkpoint.tallies.items()}
    return checkpoint.n_tables, checkpoint.wanted, tallies


REFUSED = r"^`checkpoint` must be a checkpoint of this run; got .*run(\.npz)?', which is not a checkpoint, or"


def ask_tables(path):
    """Numbers of a run that counts tables."""
    found = null(MARGINS, "nmi_sum", n_tables=300, checkpoint=path)
    return found.mean, found.std


def ask_draws(path):
    """Numbers of a run that keeps the numbers of all draws."""
    labels = np.arange(30) % 4
    method = cc.MonteCarlo(n_tables=300, checkpoint=path)
    score = cc.adjust(labels, labels[::-1] // 2, "rand", model=cc.Draws(draw), method=method, rng=1)
    return score.expected, score.p_value


def draw(rng):
    return rng.permutation(30)


RUNS = {"tables": ask_tables, "draws": ask_draws}


def change(name, alter):
    """A change of an array."""

    def forge(about, arrays):
        arrays[name] = alter(arrays[name])

    return forge


FORGED = {
    **{
        f"tables {value!r}": lambda about, _, value=value: about.update(tables=value)
        for value in (2**70, -1, 299.5, "300", None, True, [300])
    },
    **{
        f"wanted {value!r}": lambda about, _, value=value: about.update(wanted=value)
        for value in (2**70, -1, float("nan"), "300", None)
    },
    **{
        f"keys {value!r}"[:20]: lambda about, _, value=value: about.update(keys=value)
        for value in (["x"], [], None, "x", [["a"]], [1], {"a": 1}, ["k"] * 1000)
    },
    "another key more": lambda about, arrays: (
        about["keys"].append("x"),
        arrays.update({"values 1": arrays["values 0"], "counts 1": arrays["counts 0"]}),
    ),
    **{
        f"run {value!r}": lambda about, _, value=value: about.update(run=value)
        for value in ([], None, "run", 1, [1])
    },
    "no run": lambda about, _: about.pop("run"),
    "values nan": change("values 0", lambda values: values * np.nan),  # one nan at most, counted, in a tally
    "values as text": change("values 0", lambda values: values.astype(str)),
    "complex values": change("values 0", lambda values: values + 0j),
    "whole values": change("values 0", lambda values: values.astype(np.int32)),
    "values of another shape": change("values 0", lambda values: values[..., np.newaxis]),
    "values of no shape": change("values 0", lambda values: values.ravel()[0]),
    "a value less": change("values 0", lambda values: values[1:]),
    "counts below 0": change("counts 0", lambda counts: np.append(-counts[:1], counts[1:])),
    "counts of 0": change("counts 0", lambda counts: np.append(counts[:1] * 0, counts[1:])),
    "counts as numbers": change("counts 0", lambda counts: counts * 1.0),
    "counts of another shape": change("counts 0", lambda counts: counts[:, np.newaxis]),
    "counts in halves": change("counts 0", lambda counts: np.full(counts.size, counts.sum() / counts.size)),
    "no counts": lambda _, arrays: arrays.pop("counts 0"),
    "objects": change("values 0", lambda values: values.astype(object)),
}


class TestRefused:
    @pytest.fixture
    def written(self, path):
        null(MARGINS, "nmi_sum", n_tables=300, checkpoint=path)
        return path

    @pytest.mark.slow
    def test_one_flipped_bit_anywhere(self, written):
        """Refused, unless it is in what nobody reads, such as the time of an entry of the archive."""
        content, rng, run = written.read_bytes(), np.random.default_rng(1), run_in(written)
        expected, refused = content_of(Checkpoint(str(written), run)), 0
        for place in rng.permutation(len(content))[:100]:
            damaged = bytearray(content)
            damaged[place] ^= 1 << int(rng.integers(8))
            written.write_bytes(damaged)
            try:
                found = content_of(Checkpoint(str(written), run))
            except ValueError as error:
                refused += str(error).startswith("`checkpoint` must be a checkpoint of this run")
            else:
                assert found == expected
            assert written.read_bytes() == damaged
        assert refused > 70

    def test_a_part_of_a_file_and_a_file_of_another_kind(self, written):
        content = written.read_bytes()
        refused = r"^`checkpoint` must be a checkpoint of this run; got .*run', which is not a checkpoint, or"
        cut = [content[:length] for length in (0, 5, 40, len(content) // 2, len(content) - 1)]
        for other in [*cut, b"a,b\n1,2\n" * 100]:
            written.write_bytes(other)
            with pytest.raises(ValueError, match=refused):
                null(MARGINS, "nmi_sum", n_tables=300, checkpoint=written)
            assert written.read_bytes() == other
        for name, arrays in {"other": {"a": [1]}, "pickled": {"about": np.array([{}], dtype=object)}}.items():
            np.savez(written.with_name(name), **arrays)
            with pytest.raises(ValueError, match="which is not a checkpoint, or is damaged"):
                null(MARGINS, "nmi_sum", n_tables=300, checkpoint=written.with_name(f"{name}.npz"))

    @pytest.mark.parametrize("forged", FORGED)
    @pytest.mark.parametrize("run", RUNS)
    def test_what_no_run_has_written_is_refused(self, path, run, forged):
        if (run, forged) == ("draws", "values nan"):
            pytest.skip("an index of the user may be undefined on each draw")
        ask = functools.partial(RUNS[run], path)
        expected = ask()
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays["about"].item())
        held = path.read_bytes()
        FORGED[forged](about, arrays)
        arrays["about"] = np.array(json.dumps(about))
        np.savez(path.with_suffix(".npz"), **arrays)
        path.with_suffix(".npz").rename(path)
        forged_bytes = path.read_bytes()
        with limit_processor_time(1.0), pytest.raises(ValueError, match=REFUSED):
            ask()
        assert path.read_bytes() == forged_bytes  # it is left as it is
        path.write_bytes(held)
        assert ask() == expected

    def test_what_is_small_on_disk_is_not_large_in_memory(self, written):
        with np.load(written) as file:
            arrays = {name: file[name] for name in file.files}
        arrays["values 0"] = arrays["counts 0"] = np.zeros(30_000_000)
        np.savez_compressed(written.with_suffix(".npz"), **arrays)
        tracemalloc.start()
        try:
            with pytest.raises(ValueError, match=REFUSED):
                null(MARGINS, "nmi_sum", n_tables=300, checkpoint=written.with_suffix(".npz"))
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()

    def test_a_link_beside_is_not_followed(self, path, tmp_path):
        other = tmp_path / "other"
        other.write_text("mine")
        path.with_name("run.new").symlink_to(other)
        null(MARGINS, "nmi_sum", n_tables=300, checkpoint=path)
        assert other.read_text() == "mine"

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"rng": 2}, r"What differs: seed \(1; now 2\)\."),
            ({"margins": cc.Margins([30, 31, 39], [20, 45, 35])}, r"differs: cluster sizes \(100 objects"),
            ({"model": "fixed-k"}, r"model \(permutation; now fixed-k\)"),
            ({"index": "nmi_joint"}, r"indices \(nmi_sum; now nmi_joint\)"),
            ({"precision": 0.1}, r"What differs: rule \(a number of tables; now precision 0\.1"),
        ],
    )
    def test_another_run(self, written, change, said):
        content = written.read_bytes()
        options = {"index": "nmi_sum", "rng": 1, "margins": MARGINS, "n_tables": 300} | change
        with pytest.raises(ValueError, match="which is of another run.*" + said):
            null_distribution(**options, method="monte-carlo", checkpoint=written)
        assert written.read_bytes() == content

    def test_a_function_that_was_changed_under_its_name(self, path):
        ask = functools.partial(null, MARGINS, n_tables=50, checkpoint=path)
        ask(LABELS)
        ask(dataclasses.replace(LABELS, function=same_labels))
        other = dataclasses.replace(LABELS, function=lambda x, y: float((x != y).mean()))
        with pytest.raises(ValueError, match="What differs: functions"):
            ask(other)

    def test_another_version(self, written, monkeypatch):
        real = metadata.version
        monkeypatch.setattr(metadata, "version", lambda name: "0.0" if name == "numpy" else real(name))
        with pytest.raises(ValueError, match=r"What differs: version \(.*numpy 0\.0"):
            null(MARGINS, "nmi_sum", n_tables=300, checkpoint=written)

    def test_fewer_tables_than_there_are_or_without_those_that_were_extreme(self, written):
        with pytest.raises(ValueError, match=r"^`n_tables` must be at least 300, the number of tables in"):
            null(MARGINS, "nmi_sum", n_tables=299, checkpoint=written)
        with pytest.raises(ValueError, match=r"^`stop_after` must be None with a `checkpoint`"):
            cc.null_distribution(MARGINS, rng=1, method=cc.MonteCarlo(stop_after=5, checkpoint=written))

    def test_numbers_that_are_no_distinct_values_in_order_are_refused(self, written, path):
        with np.load(written) as file:
            arrays = {name: file[name] for name in file.files}
        for order in ([1, 0], [0, 0]):
            values = arrays["values 0"].copy()
            values[:2] = values[order]
            np.savez(path.with_suffix(".npz"), **{**arrays, "values 0": values})
            with pytest.raises(ValueError, match=REFUSED):
                null(MARGINS, "nmi_sum", n_tables=300, checkpoint=path.with_suffix(".npz"))

    def test_what_is_no_path_or_has_no_seed(self, tmp_path):
        with pytest.raises(TypeError, match=r"^`checkpoint` must be the path of a file, or None; got 3\."):
            null(MARGINS, checkpoint=3)
        for wrong in (tmp_path, tmp_path / "none" / "run"):
            with pytest.raises(ValueError, match=r"^`checkpoint` must be a file in a folder that"):
                null(MARGINS, checkpoint=wrong)
        with pytest.raises(ValueError, match=r"^`rng` must be given with a `checkpoint`"):
            null_distribution(MARGINS, checkpoint=tmp_path / "run")
        with pytest.raises(ValueError, match="`checkpoint` must be None for many clusterings"):
            with_settings(cc.compare)([0, 0, 1], [[0, 1, 1], [0, 0, 1]], rng=1, checkpoint=tmp_path / "run")


class TestWriting:
    def test_where_nothing_is_simulated_nothing_is_written(self, path):
        null_distribution(MARGINS, "jaccard", rng=1, checkpoint=path)
        assert not path.exists()

    def test_a_full_disk_is_said_once_and_the_run_goes_on(self, path, monkeypatch):
        def full(*_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(checkpoints, "SECONDS_BETWEEN_WRITES", 0.0)
        monkeypatch.setattr(workers, "MOST_TABLES_A_BLOCK", 100)
        expected = null(MARGINS, "nmi_sum", n_tables=1000)
        monkeypatch.setattr(os, "fsync", full)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            method = cc.MonteCarlo(n_tables=1000, checkpoint=path)
            found = cc.null_distribution(MARGINS, "nmi_sum", method=method, rng=1)
        (told,) = [each for each in caught if "checkpoint" in str(each.message)]
        assert re.search("cannot write the checkpoint.*No space left on device", str(told.message))
        assert told.filename == __file__
        assert_same_bits(found, expected)
        assert not os.listdir(path.parent)


def made(source, **names):
    exec(source, names)
    return names["f"]


def test_digests_of_functions():
    """What differs in code, closures, arguments, or globals that are read, has another digest."""

    def shifted(by):
        return lambda x: x + by

    source = "def f(x):\n    return [g(y) * SCALE for y in x]"
    different = [
        shifted(1), shifted(2), shifted(np.arange(3)), shifted(np.arange(4)), np.log, np.exp,
        functools.partial(max, 1), functools.partial(max, 2), made(source, SCALE=1, g=abs),
        made(source, SCALE=2, g=abs), made(source, SCALE=1, g=lambda y: y),
        made("def f(x):\n    return f(x - 1) if x else 0"),
        *(functools.partial(max, dataclasses.replace(LABELS, function=lambda x, y=y: y)) for y in (1, 2)),
    ]  # fmt: skip

    def digest_of(function):
        return repr(_describe(function, []))

    assert len(set(map(digest_of, different))) == len(different)
    assert digest_of(shifted(1)) == digest_of(shifted(1))
    assert digest_of(made(source, SCALE=1, g=abs, UNUSED=1)) == digest_of(different[8])
    assert digest_of(numba.njit(shifted)) == digest_of(shifted)
