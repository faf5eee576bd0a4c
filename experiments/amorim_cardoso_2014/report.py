"""What the study writes: a page that begins with question and answer, tables, pictures, CSV for machines."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import chancecorr as cc
from chancecorr.catalogue import list_classes
from experiments.amorim_cardoso_2014 import pictures
from experiments.amorim_cardoso_2014.claims import claims_of
from experiments.amorim_cardoso_2014.clusterers import (
    DESCRIPTIONS,
    EM_FAMILIES,
    RMIXMODS_DEFAULT,
    THE_EM,
    THE_KMEANS,
    is_em,
)
from experiments.amorim_cardoso_2014.em_section import em_section, on_em
from experiments.amorim_cardoso_2014.paper import DATASETS, N_TABLES, OVERLAPS, QUANTITIES, SHORT, Place
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, mixture_of
from experiments.amorim_cardoso_2014.tables import (
    MeanOfGoodmanKruskal,
    Row,
    means_of_goodman_kruskal,
    p_value_rows,
    rows_of,
    verdicts_of,
)
from experiments.clusterers.gaussian_families import FAMILIES
from experiments.common import report
from experiments.common.kept import write_whole
from experiments.common.mixtures import average_overlap, maximum_overlap
from experiments.common.protocol import Claim
from experiments.common.report import number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict, exact

Verdicts = Mapping[str, Mapping[Place, Verdict]]
MAIN = (THE_KMEANS, THE_EM)
OF_TODAY = ("kmeans_best_of_10", "gmm_full", "gmm_diag")

QUESTION = (
    "What do nine indices of paired agreement say of k-means and EM on overlapping groups once each is"
    " corrected by the mean over simulated tables?"
)


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    verdicts, rows = verdicts_of(outcome), rows_of(outcome)
    overlaps = overlap_verdicts()
    groups = numbers_once(verdicts, overlaps)
    claims = claims_of(rows)
    found = [*answer(groups, verdicts, claims), *on_em(outcome, verdicts)]
    write_whole(folder / "cells.csv", report.as_csv(rows))
    write_whole(folder / "verdicts.csv", report.as_csv(_verdict_rows(verdicts)))
    write_whole(folder / "p_values.csv", report.as_csv(p_value_rows(outcome)))
    for number_of in sorted({row["groups"] for row in rows}):
        write_whole(folder / f"groups_{number_of}.md", tables_page(number_of, rows, verdicts))
    drawn = pictures.write(rows, verdicts, folder)
    page = (
        report.opening("Amorim & Cardoso (2014), reproduced", QUESTION, found, _about(outcome, rows)),
        _agreement(groups, verdicts),
        report.claims_in_short(claims),
        _families(rows, verdicts, drawn),
        report.pictures("Observed and adjusted", ["observed_adjusted.png"], drawn),
        report.pictures("Approximate expectations", ["approximations.png"], drawn),
        report.pictures("A null distribution", ["null_law.png"], drawn),
    )
    appendix = (
        report.section("## How printed numbers are judged", report.how_judged(f"{DATASETS} data sets")),
        report.section("## What the text says", report.claims_table(claims)),
        em_section(outcome),
        _overlaps(overlaps),
        _misprints(verdicts, overlaps),
        _columns(verdicts),
        _goodman_kruskal(means_of_goodman_kruskal(outcome)),
        _p_values(p_value_rows(outcome)),
        _the_same(),
    )
    report.write_pages(folder, page, appendix)
    write_summary(folder, title="Amorim & Cardoso (2014)", verdicts=groups, claims=claims, answer=found)


def numbers_once(
    verdicts: Verdicts, overlaps: Mapping[tuple[str, str, str], Verdict]
) -> dict[str, list[Verdict]]:
    """Each printed number with one verdict, in groups that say how its reading was found."""
    names = {
        THE_KMEANS: "k-means",
        THE_EM: f"EM, of a family chosen among {len(EM_FAMILIES)} with the print in view",
    }
    found = {words: list(verdicts[name].values()) for name, words in names.items() if name in verdicts}
    return {**found, "overlaps": list(overlaps.values())}


def answer(groups: Mapping[str, Sequence[Verdict]], verdicts: Verdicts, claims: Sequence[Claim]) -> list[str]:
    """What was found, in sentences."""
    looks = {(place.design, place.separation) for places in verdicts.values() for place in places}
    of_names = [
        f"{name} {_agreeing(group)} of {len(group)}" for name, group in groups.items() if name != "overlaps"
    ]
    small = [each for each in claims if "is minor" in each.text or "insignificant" in each.text]
    differ = sum(each.word == "differs" for each in small)
    taken = (
        f"{each.evidence.partition('; ')[2]} for {each.text.split()[1]} separated groups" for each in small
    )
    return [
        f"{differ} of {len(small)} sentences that call corrections small differ: of the observed value a"
        f" correction takes {', '.join(taken)}.",
        f"Printed numbers that agree: {'; '.join(of_names)}. The nine indices are functions of the same"
        f" tables, so that the numbers of a clusterer are {len(looks)} looks, one for each scenario.",
    ]


def overlap_verdicts() -> dict[tuple[str, str, str], Verdict]:
    """The printed overlaps against those of the printed parameters."""
    found: dict[tuple[str, str, str], Verdict] = {}
    for scenario in SCENARIOS:
        if scenario.groups == 3:
            mixture = mixture_of(scenario)
            for row, value in (("average", average_overlap(mixture)), ("maximum", maximum_overlap(mixture))):
                printed = OVERLAPS[scenario.design, scenario.separation, row]
                found[scenario.design, scenario.separation, row] = exact(printed, value)
    return found


def _about(outcome: Outcome, rows: list[Row]) -> str:
    sizes = sorted({cell.replicates for cell in outcome.cells})
    groups = sorted({row["groups"] for row in rows})
    pages = ", ".join(f"[{each} groups](groups_{each}.md)" for each in groups)
    simulated = max((row["simulated data sets"] for row in rows), default=0)
    return (
        f"{len(outcome.cells)} cells of {sizes[0]:,} to {sizes[-1]:,} data sets, seed {outcome.seed}; the"
        f" paper"
        f" has {DATASETS} in each. Expected values are means over all tables with the margins of a data set;"
        f" the {N_TABLES:,} simulated tables of the paper are drawn for {simulated} data sets a cell. Tables"
        f" with every printed number beside ours: {pages}. For machines: `cells.csv`, `verdicts.csv`,"
        " `p_values.csv`. [Times](times.md). Written by `python -m experiments amorim_cardoso_2014`."
    )


def _agreement(groups: Mapping[str, Sequence[Verdict]], verdicts: Verdicts) -> list[str]:
    others = {name: list(verdicts[name].values()) for name in OF_TODAY if name in verdicts}
    what = "What such a number can reject: the clusterers of today, held against the same print."
    return report.section(
        "## Printed numbers",
        report.counts(groups),
        *((what, report.counts(others)) if others else ()),
        "![Map of z](map.png)" if verdicts else "",
        [f"- {name}: {DESCRIPTIONS[name]}." for name in (*MAIN, *OF_TODAY) if name in verdicts],
    )


def _columns(verdicts: Verdicts) -> list[str]:
    """Counts by column of the paper."""
    groups = {
        f"{name}, {quantity}": [
            verdict for place, verdict in verdicts[name].items() if place.quantity == quantity
        ]
        for name in MAIN
        if name in verdicts
        for quantity in QUANTITIES
    }
    return report.section("## By column of the paper", report.counts(groups)) if groups else []


def _families(rows: list[Row], verdicts: Verdicts, drawn: set[str]) -> list[str]:
    """Which family of Gaussian mixtures the print is compatible with."""
    fitted = [name for name in EM_FAMILIES if name in verdicts]
    if len(fitted) < 2:
        return []
    counts = {name: _agreeing(verdicts[name].values()) for name in fitted}
    table = []
    for name in sorted(fitted, key=lambda name: -counts[name]):
        family = FAMILIES[EM_FAMILIES[name]]
        mean = _mean_of(rows, name, "unbalanced", "moderate", "rand")
        worst = max(abs(each.z) for each in verdicts[name].values() if each.word in ("agrees", "differs"))
        table.append(
            [
                family.name, family.description, str(family.n_parameters(3, 3)),
                f"{counts[name]} of {len(verdicts[name])}", f"{worst:.1f}", mean,
            ]
        )  # fmt: skip
    header = ["family", "covariances", "parameters", "agree", "largest abs(z)", "R, unbalanced moderate"]
    return report.section(
        "## Which Gaussian family the paper fitted",
        "The paper names the software of its EM, Rmixmod, and not the family of covariance matrices. All that"
        " were run, with Rmixmod's 50 short runs of 5 iterations and its absolute threshold of 0.001:",
        report.markdown_table(header, table),
        which_family(counts, verdicts),
        report.image("Families", "families.png", drawn),
    )


def which_family(counts: Mapping[str, int], verdicts: Verdicts) -> str:
    """Which family most printed numbers agree with, in a sentence."""
    best = max(counts, key=lambda name: counts[name])
    sentence = (
        f"Most printed numbers of EM, {counts[best]} of {len(verdicts[best])}, agree with the Gaussian family"
        f" {FAMILIES[EM_FAMILIES[best]].name}; it was found by looking, the best of {len(counts)} that were"
        " tried with the printed results in view."
    )
    if RMIXMODS_DEFAULT in counts and best != RMIXMODS_DEFAULT:
        default = FAMILIES[EM_FAMILIES[RMIXMODS_DEFAULT]]
        sentence += f" Rmixmod's default, {default.name}, has {counts[RMIXMODS_DEFAULT]}."
    return sentence


def _agreeing(verdicts: Iterable[Verdict]) -> int:
    return sum(verdict.word == "agrees" for verdict in verdicts)


def _mean_of(rows: list[Row], clusterer: str, design: str, separation: str, index: str) -> str:
    """Observed / adjusted mean of three groups; empty if there is no such row."""
    for row in rows:
        about = row["groups"], row["clusterer"], row["design"], row["separation"], row["index"]
        if about == (3, clusterer, design, separation, index):
            return f"{number(row['observed'])} / {number(row['adjusted'])}"
    return ""


def _goodman_kruskal(means: Sequence[MeanOfGoodmanKruskal]) -> list[str]:
    """How far the mean of GK by chance is from the 0 that is said of it."""
    if not means:
        return []
    table = [
        [
            each.kind, f"{each.data_sets:,}", f"{each.mean:.2g}", each.cell, ", ".join(map(str, each.sizes)),
            f"{each.relative_spread:.2g}",
        ]
        for each in means
    ]  # fmt: skip
    header = ["data sets with", "", "furthest mean", "cell", "cluster sizes", "sd / mean of ad + bc"]
    return report.section(
        "## The mean of GK by chance",
        "GK is (ad - bc) / (ad + bc). The numerator is N a - P Q, with N all pairs and P, Q those together in"
        " either clustering, so that its mean is 0. That of the ratio would be, if the denominator did not"
        " vary with the table.",
        report.markdown_table(header, table),
    )


def _p_values(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = [
        [
            str(row["groups"]), row["design"], row["separation"], row["clusterer"], str(row["data sets"]),
            f"{row['least log10 p']:.1f}", f"{row['median log10 p']:.1f}", f"{row['largest log10 p']:.1f}",
        ]
        for row in rows
    ]  # fmt: skip
    never = sum(row["largest log10 p"] < math.log10(0.01) for row in rows)
    return report.section(
        "## Is it chance at all?",
        "The probability that chance alone agrees with the true groups as well as the clusterer does, given"
        " all sizes, as a power of ten; a proven bound of it where it is far below that of any table that is"
        " drawn. All nine indices grow with the sum of the squared cells, so that it"
        f" is the same for all nine. In {never} of {len(rows)} cells it is below 0.01 for every data set.",
        report.markdown_table(
            ["groups", "design", "separation", "clusterer", "data sets", "least", "median", "largest"], table
        ),
    )


def _the_same() -> list[str]:
    """With which others each of the nine shares its adjusted score, whatever the clusterings."""
    table = []
    for index in cc.PUBLISHED_INDICES:
        same = cc.catalogue.equivalents(index)
        nine = [SHORT[each] for each in same if each in SHORT]
        table.append([SHORT[index], index, ", ".join(nine), ", ".join(same)])
    adjustable = sum(cc.get_index(each).can_be_adjusted for each in cc.list_indices())
    classes = list_classes()
    return report.section(
        "## The same once corrected",
        f"Of {len(cc.list_indices())} registered indices {adjustable} can be adjusted; they have"
        f" {len(classes)} different adjusted scores (`chancecorr.catalogue.equivalents`). Of the nine:",
        report.markdown_table(["", "index", "the same, of the nine", "of all"], table),
    )


def _overlaps(overlaps: Mapping[tuple[str, str, str], Verdict]) -> list[str]:
    table = []
    for scenario in SCENARIOS:
        mixture = mixture_of(scenario)
        row = [str(scenario.groups), scenario.design, scenario.separation]
        for name, value in (("average", average_overlap(mixture)), ("maximum", maximum_overlap(mixture))):
            row.append(number(value))
            if scenario.groups == 3:
                verdict = overlaps[scenario.design, scenario.separation, name]
                row.append(f"{verdict.printed.text} {verdict.word}")
            else:
                row.append("")
        table.append(row)
    return report.section(
        "## Overlaps",
        "Average and largest overlap of two groups. Parameters of three groups are those printed in tables 2"
        " and 3; those of two and four, of which the paper prints nothing, are drawn to the overlaps of three"
        " (`mixtures.json`), and their shares of the objects are chosen (`scenarios.py`).",
        report.markdown_table(
            ["groups", "design", "separation", "average", "printed", "maximum", "printed"], table
        ),
    )


def _misprints(verdicts: Verdicts, overlaps: Mapping[tuple[str, str, str], Verdict]) -> list[str]:
    first: dict[Place, Verdict] = {}
    for found in verdicts.values():
        for place, verdict in found.items():
            first.setdefault(place, verdict)
    lines = report.misprints([*first.values(), *overlaps.values()])
    return report.section("## Misprints", lines) if lines else []


def tables_page(groups: int, rows: list[Row], verdicts: Verdicts) -> str:
    """Tables 4 to 7, or their counterparts, for one number of groups."""
    chosen = [row for row in rows if row["groups"] == groups]
    about = "Means over the data sets; the paper prints no such tables."
    if groups == 3:
        about = (
            f"Ours [where 95 of 100 studies of {DATASETS} data sets fall] / the paper's; **bold** where they"
            " differ."
        )
    lines = report.section(f"# {groups} groups", f"{about} [Back](README.md).")
    for clusterer in DESCRIPTIONS:
        mine = [row for row in chosen if row["clusterer"] == clusterer]
        if not mine or (groups == 3 and clusterer in EM_FAMILIES and clusterer != THE_EM):
            continue
        tables = ("4", "6") if is_em(clusterer) else ("5", "7")
        lines += report.section(
            f"## {clusterer}", f"{DESCRIPTIONS[clusterer]}; {mine[0]['data sets']:,} data sets."
        )
        for title, table, quantities in (
            ("Expected by chance", tables[0], QUANTITIES[:3]),
            ("Observed and adjusted", tables[1], QUANTITIES[3:]),
        ):
            number_of = f"table {table}" if groups == 3 else f"as table {table}"
            header = ["design", "separation", "index", *quantities]
            if quantities == QUANTITIES[:3]:
                header.append("exact")
            body = [_cells(row, quantities, verdicts.get(clusterer, {})) for row in mine]
            lines += report.section(f"### {title} ({number_of})", report.markdown_table(header, body))
    return "\n".join(lines)


def _cells(row: Row, quantities: Sequence[str], verdicts: Mapping[Place, Verdict]) -> list[str]:
    cells = [row["design"], row["separation"], SHORT[row["index"]]]
    kind = "em" if is_em(row["clusterer"]) else "km"
    for quantity in quantities:
        place = Place(kind, row["design"], row["separation"], row["index"], quantity)  # type: ignore[arg-type]
        verdict = verdicts.get(place) if row["groups"] == 3 else None
        if verdict is not None:
            cells.append(report.beside(verdict))
        elif row["groups"] == 3 or quantity in ("simulated", "distributional"):
            cells.append("")
        else:
            cells.append(number(row[quantity]))
    if "simulated" in quantities:
        cells.append(number(row["expected"], 7))
    return cells


def _verdict_rows(verdicts: Verdicts) -> list[report.Row]:
    return [
        {"clusterer": clusterer, **report.verdict_row(verdict)}
        for clusterer, found in verdicts.items()
        for verdict in found.values()
    ]
