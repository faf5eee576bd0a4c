"""The study: hand-calculated expected values, and the order of candidates under five models of chance."""

from collections.abc import Sequence

import numpy as np

from experiments.common.printed import Printed
from experiments.common.protocol import claim, example
from experiments.common.report import markdown_table, section
from experiments.common.runs import Cell, Outcome, Study
from experiments.common.small import Judged, writer
from experiments.common.verdict import exact
from experiments.gates_ahn_2017.unit import INDICES, MODELS, evaluate

PRINTED = {
    "rand": ("0.5", "0.5", "0.510204081632653", "0.5", "0.555555555555556", "0.5"),
    "mutual_information": (
        "0.311278124459133", "0.311278124459133", "0.309927805548467", "0.301825892084476",
        "0.611635721962606", "0.419448541053684",
    ),
}  # fmt: skip
"""Calculated by hand by A. J. Gates: tests/test_sim.py of CluSim, in the order of `MODELS`; MI in bits."""

CANDIDATES = 100


def judge(outcome: Outcome) -> Judged:
    """The expected values, and how often two models order two candidates differently."""
    (record,) = outcome.records["example"]
    numbers = [
        exact(Printed.read(text, table="test_sim", row=index, column=name), record[index][name])
        for index in INDICES
        for name, text in zip(MODELS, PRINTED[index], strict=True)
    ]
    differences = {
        model: outcome.values("candidates", "rand", model)[:, 0]
        - outcome.values("candidates", "rand", model)[:, 1]
        for model in dict.fromkeys(MODELS.values())
    }
    table, turned = _order(differences)
    m = len(next(iter(differences.values())))
    claims = [
        claim(
            "the choice of the random model changes the ranking of pairs of clusterings",
            example(
                turned,
                f"pairs of random candidates, of {m}, whose order by the adjusted Rand index under some model"
                " is not that under the permutation model",
            ),
        )
    ]
    agree = sum(each.word == "agrees" for each in numbers)
    rejected = [
        exact(each.printed, value).word == "differs"
        for each in numbers
        for name, value in record[each.printed.row].items()
        if MODELS[name] != MODELS[each.printed.column]
    ]
    return Judged(
        numbers={"expected values, calculated by hand": numbers},
        claims=claims,
        answer=[
            f"{agree} of {len(numbers)} expected values under five models agree to all printed digits; of"
            f" {len(rejected)} comparisons with another model's value these digits reject {sum(rejected)}.",
            f"Another model turns the order of two candidates in {int(turned.sum())} of {m} random cases.",
        ],
        sections=section(
            "## How often two models order two candidates differently",
            markdown_table(["", *differences], table),
        ),
    )


def _order(differences: dict[str, np.ndarray]) -> tuple[list[list[str]], np.ndarray]:
    """Cases in which two models disagree, as a table; and in which one disagrees with permutation."""
    signs = {model: np.sign(values) for model, values in differences.items()}
    table = [[one, *(str(int((signs[one] * signs[other] < 0).sum())) for other in signs)] for one in signs]
    turned = np.any([signs["permutation"] * each < 0 for each in signs.values()], axis=0)
    return table, np.asarray(turned)


def cells(candidates: int) -> Sequence[Cell]:
    """The example and some pairs of candidates."""
    return (
        Cell(name="example", inputs={"kind": "example"}, replicates=1),
        Cell(name="candidates", inputs={"kind": "candidates", "n": 60}, replicates=candidates),
    )


STUDY = Study(
    name="gates_ahn_2017",
    title="Gates & Ahn (2017): expected values under five models of chance",
    evaluate=evaluate,
    full=tuple(cells(CANDIDATES)),
    quick=tuple(cells(10)),
    write=writer(
        "Gates & Ahn (2017)",
        "What do the Rand index and the mutual information have by chance if not only the objects, but the"
        " sizes or the number of clusters are random?",
        "Of the paper the abstract and the opening were at hand, and the tests of its software, CluSim,"
        " read in"
        " full: what is judged are its expected values of two clusterings of four objects, calculated by"
        " hand,"
        " and one sentence of the abstract. The figures, the digits and the gene expression data are left"
        " out. Candidates are a reference of 60 objects, half of them clustered anew. Written by"
        " `python -m experiments gates_ahn_2017`.",
        judge,
    ),
    seed=2017,
)
