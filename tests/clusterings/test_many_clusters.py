"""Memberships of many objects in many clusters are laid out: what does not fit is refused before that."""

import json
import tracemalloc

import numpy as np
import pytest
import scipy.sparse

import chancecorr as cc
from chancecorr.cli.run import run
from tests.processes import limit_processor_time

N = 200_000
SINGLES = [{k} for k in range(0, N, 2)] + [{k, k - 1} for k in range(1, N, 2)]  # they overlap
FEW = [set(range(N // 2)), set(range(N // 3, N))]
LABELS = np.arange(N)
SAID = (
    r"must have fewer objects or clusters: two sides of 200,000 objects in 200,000 clusters take 960 GB; half"
    r" of this machine's memory is 13 GB\. Leave out the smallest clusters\.$"
)
DOORS = {
    "Cover": lambda: cc.Cover(SINGLES),
    "Cover, sparse": lambda: cc.Cover(scipy.sparse.eye_array(N, dtype=np.int8).tocsr()),
    "Membership, sparse": lambda: cc.Membership(scipy.sparse.eye_array(N).tocsr()),
    "adjust": lambda: cc.adjust(SINGLES, FEW, "omega", rng=1),
    "score": lambda: cc.score(FEW, SINGLES, "omega"),
    "compare": lambda: cc.compare(FEW, {"a": SINGLES}, "omega", rng=1),
    "pairwise": lambda: cc.pairwise([SINGLES, FEW], "omega", rng=1),
    **{
        f"labels, {index}": lambda index=index: cc.score(LABELS, cc.Cover(FEW), index)
        for index in ("onmi_max", "average_f1", "bcubed_f1")
    },
}


@pytest.fixture(autouse=True)
def memory(monkeypatch):
    monkeypatch.setattr("chancecorr.clusterings.membership.HALF_OF_MEMORY", 13e9, raising=False)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_not_held_is_refused_before_it_is_laid_out(door):
    tracemalloc.start()
    try:
        with limit_processor_time(10.0), pytest.raises(ValueError, match=SAID):
            DOORS[door]()
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
    finally:
        tracemalloc.stop()


def test_a_file_of_many_communities_is_refused_in_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.txt").write_text("".join(f"{k} {(k + 1) % 40_000}\n" for k in range(40_000)))
    command = ["adjust", "many.txt", "many.txt", "--index", "omega", "--format", "communities"]
    assert run(command) == 2
    said = capsys.readouterr().err
    assert said.startswith("`many.txt` must have fewer objects or clusters: two sides of 40,000 objects in ")
    assert said.count("\n") == 1


def test_memory_that_is_not_there_is_told_as_well(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("numpy.zeros", full)
    with pytest.raises(
        ValueError, match=r"`rows` must have fewer .* 96 bytes; this is more than the free memory\."
    ):
        cc.Cover([{"a", "b"}, {"b"}])


def test_sparse_and_dense_are_the_same():
    rng = np.random.default_rng(1)
    dense = rng.integers(0, 2, (20, 4))
    for kind in (np.int8, np.float32, np.float64, np.bool_):
        sparse = scipy.sparse.csr_array(dense.astype(kind))
        assert cc.Cover(sparse).rows.tolist() == cc.Cover(dense).rows.tolist() == dense.tolist()
    shares = rng.dirichlet([0.5] * 3, 20)
    assert cc.Membership(scipy.sparse.coo_array(shares)).rows.tolist() == cc.Membership(shares).rows.tolist()
    with pytest.raises(TypeError, match="must be an array of real numbers; got dtype complex"):
        cc.Membership(scipy.sparse.csr_array(shares + 0j))
    assert json.dumps(cc.score(LABELS[:20] % 3, cc.Cover(dense), "average_f1"))
