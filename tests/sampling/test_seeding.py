"""Random numbers of the package: one place makes NumPy's generators, and a draw follows from its number."""

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison.agreement_of_many import _simulate_means
from chancecorr.comparison.clusterings import read_many
from chancecorr.sampling.seeding import make_generator, split_seed

ROOT = Path(cc.__file__).parent
MAKERS = {"default_rng", "RandomState", "SeedSequence", "Generator", "PCG64", "Philox"}
SEEDING = ROOT / "sampling" / "seeding.py"
"""The file that may make generators."""


def made_generators(path):
    """Calls of NumPy that make a generator, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS:
            yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def test_generators_are_made_in_one_file():
    others = {*ROOT.rglob("*.py")} - {SEEDING}
    assert [place for path in others for place in made_generators(path)] == []
    assert list(made_generators(SEEDING))


def test_draws_of_different_numbers_and_seeds_differ():
    cases = itertools.product((np.uint64(1), 2), range(4))
    assert len({tuple(make_generator(*case).integers(0, 2**63, 3)) for case in cases}) == 8
    assert make_generator(np.uint64(5), 3).random() == make_generator(5, 3).random()


def test_parts_of_a_seed_are_the_first_of_more_parts():
    assert split_seed(np.uint64(7), 5)[:2].tolist() == split_seed(np.uint64(7), 2).tolist()
    assert len(set(split_seed(np.uint64(7), 5).tolist())) == 5


def test_simulated_agreement_of_many_follows_from_the_numbers_of_the_draws():
    codes = np.random.default_rng(4).integers(0, 3, (3, 30))
    read = read_many("clusterings", list(codes))
    means = _simulate_means(read, cc.get_index("purity"), 8, 1)
    assert len(set(means)) > 4
    for number in (7, 2):
        permuted = [codes[0], *make_generator(1, number).permuted(codes[1:], axis=1)]
        scores = [cc.score(*pair, "purity") for pair in itertools.permutations(permuted, 2)]
        assert means[number] == pytest.approx(np.mean(scores), rel=1e-12)
