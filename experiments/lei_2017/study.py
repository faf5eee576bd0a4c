"""The study: ground-truth bias of all indices of pair counts, by exact moments."""

from experiments.common.protocol import Claim, claim, everywhere, fact
from experiments.common.report import markdown_table, section
from experiments.common.runs import Cell, Outcome, Study
from experiments.common.small import Judged, writer
from experiments.lei_2017.unit import LEVEL, NUMBERS, evaluate, pair_indices

REFERENCES = {
    "balanced": [30] * 4,
    "one cluster of 0.7": [84, 12, 12, 12],
    "one cluster of 0.8": [96, 8, 8, 8],
}
N = 120


def together(sizes: list[int]) -> float:
    """Share of the pairs that are together."""
    return sum(size * (size - 1) for size in sizes) / (N * (N - 1))


def judge(outcome: Outcome) -> Judged:
    """Sentences of the abstract."""
    (record,) = outcome.records["references"]
    directions = {
        name: dict(zip(REFERENCES, each["directions"], strict=True)) for name, each in record.items()
    }
    rand, jaccard = directions["rand"], directions["jaccard"]
    biased = [name for name, each in directions.items() if {"up", "down"} <= set(each.values())]
    of_rand = [name for name, each in record.items() if each["of_rand"]]
    shares = ", ".join(f"{together(sizes):.3f} ({name})" for name, sizes in REFERENCES.items())
    claims = [
        claim(
            "the Rand index has a monotone bias towards more clusters",
            fact(
                directions["rand"]["balanced"] == "up",
                f"balanced reference: {directions['rand']['balanced']}",
            ),
        ),
        claim(
            "the Jaccard index has a monotone bias towards fewer clusters",
            everywhere([each == "down" for each in jaccard.values()], _shown(jaccard)),
        ),
        claim(
            "skewing the reference changes the bias of the Rand index from more to fewer clusters",
            fact(
                rand["one cluster of 0.8"] == "down",
                f"{_shown(rand)}; pairs together in the reference: {shares}; its mean is exactly"
                " 1 - p + (2p - 1) q, which turns at p = 1/2",
            ),
        ),
        claim(
            "indices whose bias is turned by the reference are functions of the Rand index (held against the"
            " whole catalogue)",
            everywhere(
                [name in of_rand for name in biased],
                f"{len(biased)} of {len(record)} indices are turned: {', '.join(biased)}",
            ).because("the catalogue has more indices than the 26 of the paper"),
        ),
        Claim(
            text="5 of 26 indices of pair counts are turned by the reference",
            word="not reachable",
            evidence=f"the list of the 26 was not at hand; here {len(biased)} of {len(record)}, among them"
            f" {len(set(of_rand) & set(biased))} of the {len(of_rand)} functions of Rand",
        ),
    ]
    others = [name for name in biased if name not in of_rand]
    left = [name for name in pair_indices() if name not in record]
    answer = [
        f"By exact moments, of {len(record)} indices of pair counts {len(biased)} prefer more clusters with"
        f" one"
        f" reference and fewer with another; {len(biased) - len(others)} of them are functions of the Rand"
        f" index, {len(others)} are not{': ' + ', '.join(others) if others else ''}."
    ]
    rows = [[name, *each.values(), "yes" if name in of_rand else ""] for name, each in directions.items()]
    rows.sort(key=lambda row: (row[0] not in biased, row[0]))
    return Judged(
        claims=claims,
        answer=answer,
        sections=section(
            "## All indices",
            f"Which way the exact mean goes from {NUMBERS[0]} to {NUMBERS[-1]} clusters, better being up, in"
            f" steps of more than {LEVEL:g} standard deviations; {N} objects. Without exact moments, and left"
            f" out: {', '.join(left) or 'none'}.",
            markdown_table(["index", *REFERENCES, "function of Rand"], rows),
        ),
    )


def _shown(directions: dict[str, str]) -> str:
    return ", ".join(f"{name}: {way}" for name, way in directions.items())


CELLS = (Cell(name="references", inputs={"references": list(REFERENCES.values())}, replicates=1),)
STUDY = Study(
    name="lei_2017",
    title="Lei et al. (2017): ground-truth bias of indices of pair counts",
    evaluate=evaluate,
    full=CELLS,
    quick=CELLS,
    write=writer(
        "Lei et al. (2017)",
        "Does the reference decide whether an index prefers candidates with many or with few clusters?",
        "Of the paper (doi:10.1016/j.patcog.2016.12.003, arXiv 1606.05596) the abstract was at hand; its"
        " design"
        " and its list of indices were not. Here all indices of pair counts of the catalogue are held against"
        " three references, by exact moments instead of simulation. Written by"
        " `python -m experiments lei_2017`.",
        judge,
    ),
    seed=2017,
)
