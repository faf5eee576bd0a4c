"""The study: the designs of Romano et al. (2014, 2016), and what their abstracts say of selection bias."""

from collections.abc import Sequence

from experiments.common.report import markdown_table, section
from experiments.common.runs import Cell, Outcome, Study
from experiments.common.small import Judged, writer
from experiments.selection_bias.claims import KEYS, claims, found
from experiments.selection_bias.unit import PAPERS, evaluate


def judge(outcome: Outcome) -> Judged:
    """Sentences of the papers, and the wins behind them."""
    papers = {name: {**PAPERS[name], "wins": outcome.records[name][0]} for name in PAPERS}
    held = claims(papers)
    rows = [
        [name, index, *(_shown(papers[name], index, key) for key in KEYS)]
        for name in PAPERS
        for index in PAPERS[name]["names"]
    ]
    return Judged(
        claims=held,
        answer=[
            f"Adjusting an index for chance reduces its preference for many clusters or few objects, and"
            f" standardising removes nearly all of it: {held[2].evidence}."
            if held[2].word == "agrees"
            else f"Standardising does not reduce selection bias beyond adjusting: {held[2].evidence}."
        ],
        sections=section(
            "## Who wins",
            "Distance of the shares of the wins from equal ones, and which candidates are preferred: without"
            " correction, adjusted, standardised.",
            markdown_table(["design", "index", *KEYS], rows),
            "All indices of the catalogue, on fixed sizes, are in"
            " `chancecorr/catalogue/selection_bias.json`.",
        ),
    )


def _shown(design: dict[str, object], index: str, key: str) -> str:
    each = found(design, index, key)
    return f"{each.distance:.3f} ({each.prefers})"


def cells(trials: int) -> Sequence[Cell]:
    """A cell for each design."""
    return [
        Cell(name=name, inputs={**design, "trials": trials, "number": number}, replicates=1)
        for number, (name, design) in enumerate(PAPERS.items())
    ]


STUDY = Study(
    name="selection_bias",
    title="Romano et al. (2014, 2016): selection bias with random candidates",
    evaluate=evaluate,
    full=tuple(cells(5_000)),
    quick=tuple(cells(200)),
    write=writer(
        "Romano et al. (2014, 2016)",
        "Which number of clusters, or of objects, does an index prefer if all candidates are random?",
        "Romano, Bailey, Nguyen & Verspoor (2014), PMLR 32(2):1143-1151, and Romano, Nguyen, Bailey &"
        " Verspoor (2016), JMLR 17(134). Designs are those of the scripts that the authors published; of the"
        " texts the abstracts were at hand, and their results are pictures, so that no printed number is"
        " judged. Written by `python -m experiments selection_bias`.",
        judge,
    ),
    seed=2014,
)
