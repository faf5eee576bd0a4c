"""The study: one worked example, and four sentences about the Rand index."""

import numpy as np

from experiments.common.printed import Printed
from experiments.common.protocol import claim, everywhere, example, mostly
from experiments.common.runs import Cell, Outcome, Study
from experiments.common.small import Judged, writer
from experiments.common.verdict import exact_or_cut
from experiments.rand_index_blog.unit import evaluate

PRINTED = {
    "pairs": "10", "a": "2", "b": "4", "RI": "0.6", "index": "2", "expected index": "1.6",
    "maximum index": "4", "ARI": "0.1666",
}  # fmt: skip


def judge(outcome: Outcome) -> Judged:
    """The numbers of the example, and its sentences on all pairs of partitions of five objects."""
    (record,) = outcome.records["example"]
    numbers = [
        exact_or_cut(Printed.read(text, table="example", row=name, column=""), record["example"][name])
        for name, text in PRINTED.items()
    ]
    rand, adjusted = np.array(record["rand"]), np.array(record["adjusted"])
    known = ~np.isnan(adjusted)
    steps = np.diff(record["by chance"])
    about = f"all {rand.size:,} pairs of partitions of five objects"
    higher = rand[known] > adjusted[known]
    claims = [
        claim(
            "the Rand index lies in 0 to 1, with 0 its lowest value",
            everywhere((rand >= 0) & (rand <= 1), f"{about}: from {rand.min():g} to {rand.max():g}"),
        ),
        claim(
            "with more clusters more pairs agree by chance",
            everywhere(
                steps > 0,
                "exact means, 60 objects in 2 to 30 clusters of equal sizes:"
                f" {record['by chance'][0]:.3f} to {record['by chance'][-1]:.3f}",
            ),
        ),
        claim(
            "typically the Rand index is higher than the adjusted one",
            mostly(higher, f"{about} of which it is defined; equal in {int((rand == adjusted).sum()):,}"),
        ),
        claim(
            "the adjusted Rand index can be negative",
            example(adjusted[known] < 0, f"{about}: down to {adjusted[known].min():.3f}"),
        ),
    ]
    agree = sum(each.word == "agrees" for each in numbers)
    cut = [each.printed.row for each in numbers if each.reason]
    answer = [
        f"{agree} of {len(numbers)} numbers of the worked example agree; {', '.join(cut)} is cut off after"
        f" its last digit, not rounded."
    ]
    return Judged(numbers={"the example": numbers}, claims=claims, answer=answer)


CELLS = (Cell(name="example", inputs={}, replicates=1),)
STUDY = Study(
    name="rand_index_blog",
    title="A tutorial on the Rand index: two clusterings of five objects",
    evaluate=evaluate,
    full=CELLS,
    quick=CELLS,
    write=writer(
        "A tutorial on the Rand index (blog)",
        "What are the Rand index and the adjusted Rand index of two clusterings of five objects?",
        "A post on similarity of clusterings, in a blog on data and learning. Pairs are counted one by one."
        " Written by `python -m experiments rand_index_blog`.",
        judge,
    ),
    seed=5,
)
