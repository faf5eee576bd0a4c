"""Small studies: quick runs through the door, and what they hold of their papers."""

import itertools
import json

import pytest

from experiments import __main__ as door
from experiments.common.kept import ROOT
from experiments.gates_ahn_2017 import study as gates
from experiments.lei_2017 import unit as lei


@pytest.mark.parametrize("study", ["rand_index_blog", "gates_ahn_2017", "lei_2017", "null_ranking"])
def test_a_quick_run(study, tmp_path, request):
    if study != "rand_index_blog":  # that one by a worker process
        request.getfixturevalue("in_this_process")
    folders = ["--folder", str(tmp_path / "results"), "--cache", str(tmp_path / "kept"), "--jobs", "1"]
    assert door.main([study, "--quick", *folders]) == 0
    summary = json.loads((tmp_path / "results" / "summary.json").read_text())
    for words in summary["numbers"].values():
        assert set(words) == {"agrees"}
    page = (tmp_path / "results" / "README.md").read_text()
    assert all(sentence in page for sentence in summary["answer"])
    assert "nan" not in page.replace("dominance", "")


def test_which_models_the_printed_values_reject():
    """A value rejects that of another model which does not round to it; of Rand, three do to 0.5."""
    rejected = []
    for values in gates.PRINTED.values():
        printed = zip(gates.MODELS.values(), values, strict=True)
        for (model, text), (another, other) in itertools.permutations(printed, 2):
            if model != another:
                rejected.append(round(float(other), len(text.partition(".")[2])) != float(text))
    summary = json.loads((ROOT / "experiments/gates_ahn_2017/results/summary.json").read_text())
    found = f"of {len(rejected)} comparisons with another model's value these digits reject {sum(rejected)}"
    assert found in summary["answer"][0]


def test_the_mean_of_rand_turns_at_half_of_the_pairs():
    """Exactly 1 - p + (2p - 1) q, p and q the shares of pairs that are together."""
    assert lei.direction("rand", [30] * 4) == "up"
    assert lei.direction("rand", [96, 8, 8, 8]) == "down"
    assert lei.direction("adjusted_rand", [96, 8, 8, 8]) == "none"


def test_which_indices_are_functions_of_rand():
    assert all(lei.is_function_of_rand(name) for name in ("rand", "mirkin", "rogers_tanimoto", "hamann"))
    assert not any(lei.is_function_of_rand(name) for name in ("jaccard", "fowlkes_mallows", "faith"))
