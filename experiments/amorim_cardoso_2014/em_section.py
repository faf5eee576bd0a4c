"""The part of the page on the EM of the paper: its family, its start, and fits that collapse."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

import chancecorr as cc
from experiments.amorim_cardoso_2014.clusterers import DESCRIPTIONS, EM_FAMILIES, THE_EM
from experiments.amorim_cardoso_2014.em_unit import OTHER_WAYS, corrected
from experiments.amorim_cardoso_2014.paper import DATASETS, PRINTED, WEIGHTS, Place
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, Scenario
from experiments.amorim_cardoso_2014.tables import FITS, SOURCES
from experiments.clusterers.gaussian_families import FAMILIES
from experiments.common.report import markdown_table, section
from experiments.common.runs import Outcome
from experiments.common.units import generator
from experiments.common.verdict import Verdict, judge, statistic_of, stretched

OF_THREE = tuple(scenario for scenario in SCENARIOS if scenario.groups == 3)
RESAMPLES = 2_000
MODERATE, POOR = "3-balanced-moderate", "3-unbalanced-poor"
"""The scenarios in which the family that stands for the paper's EM has numbers that differ."""

Verdicts = Mapping[str, Mapping[Place, Verdict]]


def em_section(outcome: Outcome) -> list[str]:
    """Tables and sentences; nothing where the run has no cells for them."""
    there = [scenario for scenario in OF_THREE if FITS + scenario.name in outcome.records]
    lines = ["## What the paper does not say of its EM", ""]
    return [*lines, *_ways(outcome, there)] if there else []


def on_em(outcome: Outcome, verdicts: Verdicts) -> list[str]:
    """What the hypotheses on the paper's EM come to, in sentences; none without their cells."""
    there = {each.name: each for each in OF_THREE if FITS + each.name in outcome.records}
    sentences = [held_out(verdicts)]
    if {MODERATE, POOR} <= set(there):
        moderate, poor = there[MODERATE], there[POOR]
        plain, one = (agreeing(outcome, moderate, THE_EM, k) for k in (0, 1))
        gains = sum(
            agreeing(outcome, moderate, name, 1) > agreeing(outcome, moderate, name) for name in EM_FAMILIES
        )
        truth, default = (agreeing(outcome, poor, way) for way in ("from the true groups", THE_EM))
        sentences += [
            f"Open: for {_in_words(MODERATE)} {plain} of {len(PRINTED_OF_EM) // len(OF_THREE)} numbers agree,"
            f" and {one} if one of the paper's fits had put all objects into one cluster; {gains} of"
            f" {len(EM_FAMILIES)} families gain by that as well. {collapses(outcome, list(there.values()))}",
            f"Open: for {_in_words(POOR)} the start of EM alone moves the numbers as far: {truth} agree if"
            f" EM begins at the true groups, {default} with Rmixmod's default.",
        ]
    return [sentence for sentence in sentences if sentence]


def _in_words(scenario: str) -> str:
    """A scenario's name as text."""
    return "{} {} groups of {} separation".format(*scenario.split("-"))


def held_out(verdicts: Verdicts) -> str:
    """The family with most agreement in four scenarios, tested on the other two, over all such splits."""
    fitted = [name for name in EM_FAMILIES if name in verdicts]
    counts = {name: by_scenario(verdicts[name]) for name in fitted}
    scenarios = list(counts[fitted[0]]) if fitted else []
    if len(fitted) < 2 or len(scenarios) < len(OF_THREE):
        return ""
    chosen, shares, default = [], [], []
    for test in itertools.combinations(scenarios, 2):
        best = max(fitted, key=lambda name: sum(counts[name][each] for each in scenarios if each not in test))
        chosen.append(best)
        shares.append(sum(counts[best][each] for each in test))
        default.append(np.mean([sum(counts[name][each] for each in test) for name in fitted]))
    of = 2 * len(PRINTED_OF_EM) // len(scenarios)
    return (
        f"If the family is chosen in four of the six scenarios and tested in the other two, it is"
        f" {FAMILIES[EM_FAMILIES[THE_EM]].name} in {chosen.count(THE_EM)} of {len(chosen)} splits; of the"
        f" {of} numbers that were held out, {np.mean(shares):.1f} agree on average (from {min(shares)} to"
        f" {max(shares)}), and {np.mean(default):.1f} with a family drawn at random."
    )


PRINTED_OF_EM = tuple(place for place in PRINTED if place.clusterer == "em")


def by_scenario(found: Mapping[Place, Verdict]) -> dict[tuple[str, str], int]:
    """Numbers that agree, by design and separation."""
    counts: dict[tuple[str, str], int] = {(place.design, place.separation): 0 for place in found}
    for place, verdict in found.items():
        counts[place.design, place.separation] += verdict.word == "agrees"
    return counts


def collapses(outcome: Outcome, there: Sequence[Scenario]) -> str:
    """The negative control: how often a fit puts all objects into one cluster."""
    largest = [
        size == scenario.n
        for scenario in there
        for record in outcome.records[FITS + scenario.name]
        for size in record["largest"].values()
    ]
    if not largest:
        return ""
    n, k = len(largest), sum(largest)
    bound = 1.0 - 0.05 ** (1.0 / n) if k == 0 else k / n
    chance = 1.0 - (1.0 - bound) ** DATASETS
    return (
        f"All objects are in one cluster in {k} of {n:,} fits, over all families, starts and scenarios"
        f" ({'below' if k == 0 else 'about'} {bound:.1e} of them{', with 95 % confidence' * (k == 0)}): one"
        f" of {DATASETS} such fits would collapse with a probability of {'at most ' * (k == 0)}{chance:.2f}."
    )


def agreeing(outcome: Outcome, scenario: Scenario, way: str, collapsed: int = 0) -> int:
    """How many printed numbers of a scenario agree if `collapsed` of the paper's fits found one cluster."""
    records = outcome.records[FITS + scenario.name]
    m, size = len(records), DATASETS - collapsed
    stream = generator(outcome.seed, "resamples of ways", scenario.name)
    chosen = stream.integers(m, size=(RESAMPLES, size))
    one = corrected(cc.ContingencyTable([[round(scenario.n * w)] for w in WEIGHTS[scenario.design]]))
    count = 0
    for place in PRINTED_OF_EM:
        if (place.design, place.separation) != (scenario.design, scenario.separation):
            continue
        source, statistic = SOURCES[place.quantity]
        values = np.array([record["scores"][way][source][place.index] for record in records], dtype=float)
        fixed = np.full((RESAMPLES, collapsed), float(one[source][place.index]))
        drawn = statistic_of(np.concatenate([values[chosen], fixed], axis=1), statistic)
        law = stretched(drawn, size / m)
        count += judge(PRINTED[place], float(np.nanmean(law)), law).word == "agrees"
    return count


def _ways(outcome: Outcome, there: Sequence[Scenario]) -> list[str]:
    """How many numbers agree by each way to fit, and with one or two fits of the paper collapsed."""
    rows = []
    shown = [each for each in there if each.name in (MODERATE, POOR)]
    for way in (*EM_FAMILIES, *OTHER_WAYS):
        counts = [agreeing(outcome, scenario, way) for scenario in there]
        pairs = [f"{agreeing(outcome, each, way, 1)}, {agreeing(outcome, each, way, 2)}" for each in shown]
        name = OTHER_WAYS.get(way) or DESCRIPTIONS[way].removeprefix("EM after Rmixmod, ")
        rows.append([name, str(sum(counts)), *map(str, counts), *pairs])
    rows.sort(key=lambda row: -int(row[1]))
    m = len(outcome.records[FITS + there[0].name])
    of = len(PRINTED_OF_EM) // len(OF_THREE)
    header = [
        "way to fit", "agree", *(f"{each.design} {each.separation}" for each in there),
        *(f"{each.design} {each.separation}, one or two of theirs collapsed" for each in shown),
    ]  # fmt: skip
    return section(
        f"Numbers that agree, of {of} in each scenario, over {m} data sets (so that fewer differ than with"
        f" the"
        f" full number). The last columns suppose that one, or two, of the paper's {DATASETS} fits put all"
        " objects into one cluster; which of the hypotheses is taken was looked for with the print in view,"
        " and families that are wrong gain by it as well:",
        markdown_table(header, rows),
    )
