"""The same bits where a worker's processor has other instructions, for which NumPy has other logarithms.

The other processor is played by a process in which NumPy may use none but those that it always needs.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance.table_draws import TableDraws
from chancecorr.correction.options import read_options
from chancecorr.sampling.task import combine, evaluate_block
from tests.random_models import MODELS, sides_of_task
from tests.simulated import task_of

N_TABLES = 20
FIRST = 7
"""Number of the first table of the block."""

OTHER_PROCESSOR = """
import pickle, sys
import numpy as np
from chancecorr.sampling.task import combine, evaluate_block

numbers, tasks, first, n_tables = pickle.load(sys.stdin.buffer)
blocks = [evaluate_block(task, first, n_tables) for task in tasks]
there = [{} for _ in tasks]
for each in zip(tasks, blocks, there):
    combine(*each)
pickle.dump((np.log1p(numbers), blocks, there), sys.stdout.buffer)
"""


def share_in_place(labels_true, labels_pred):
    return (labels_true == labels_pred).mean()


def logarithm_of_link(total, row_totals, column_totals):
    return np.log1p(total) - np.log1p(row_totals).sum()


def logarithm_of_sizes(a, b, c, d, row_totals, column_totals):
    return np.log1p(a) / np.log1p(row_totals).sum()


OWN = (
    cc.indices.Index(name="in_place", function=share_in_place, needs="labels"),
    cc.indices.Index(name="linked", function=lambda x, r, c, n: x * x, needs="cells", link=logarithm_of_link),
    cc.indices.Index(name="sized", function=logarithm_of_sizes, needs="pairs", with_totals=True),
    cc.indices.Index(name="logarithm", function=lambda a, b, c, d: np.log1p(a / (d + 1.0)), needs="pairs"),
)
"""Indices of a user: all but the first call NumPy's logarithm."""


def indices():
    """All of the catalogue but sums over cells that have no link, and the user's own."""
    catalogue = [cc.get_index(name) for name in cc.list_indices()]
    return [index for index in catalogue if index.needs != "cells" or index.link is not None] + list(OWN)


def bits_of_joint(task, block, tallies=None):
    """Values with their counts and control variates, as bytes, by index name."""
    if tallies is None:
        combine(task, block, tallies := {})
    found = TableDraws(task, read_options(), tallies, N_TABLES).read(FIRST + N_TABLES)
    return {name: [array if array is None else np.asarray(array).tobytes() for array in joint]
            for name, joint in found.items()}  # fmt: skip


@pytest.mark.slow
def test_a_worker_with_another_processor_gives_the_same_bits(record_property):
    # The worker has none of what NumPy found here; all of it, if it is switched off here.
    instructions = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    margins = cc.Margins([30, 30, 40, 11], [20, 45, 46])
    cases = indices()
    names = [index.name for index in cases]
    centres = {"permutation": 3000}
    tasks = [task_of(cases, margins, 5, sides_of_task(name), centre=centres.get(name)) for name in MODELS]
    numbers = np.random.default_rng(1).random(1000)
    process = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESSOR], input=cloudpickle.dumps((numbers, tasks, FIRST, N_TABLES)),
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(instructions)},
        cwd=Path(__file__).parents[2], capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr.decode()
    logarithms, blocks, all_there = pickle.loads(process.stdout)
    if logarithms.tobytes() == np.log1p(numbers).tobytes():
        pytest.skip("NumPy has one logarithm for this processor")
    different = set()
    for model, task, block, there in zip(MODELS, tasks, blocks, all_there, strict=True):
        expected = bits_of_joint(task, evaluate_block(task, FIRST, N_TABLES))
        found = bits_of_joint(task, block)
        assert [name for name in names if found[name] != expected[name]] == [], model
        if task.sides is not None:  # negative control: all of it evaluated by the other processor
            different |= {name for name in names if bits_of_joint(task, block, there)[name] != expected[name]}
    assert different >= {"linked", "sized", "logarithm", "nmi_sum", "stiles"}
    assert "in_place" not in different
    record_property("indices", len(names))
    record_property("different", len(different))
