"""What the text of Rajasekhara & Pujari (2010) says, held against the study's cells.

The sentences about Figures 2 to 5 are held against our curves, since the pictures carry no numbers: the
deviation is the mean over the runs of accuracy less index, and its size where the text speaks of more or
less. "Better" is the smaller size. Words such as "similar" have no number in the paper; where one had to be
chosen it is among the constants below and in the evidence.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from experiments.common import protocol
from experiments.common.protocol import Check, Claim, Held, at_most, everywhere, fact, mostly
from experiments.common.runs import Outcome
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    DATASETS,
    FIGURES,
    FIRST,
    SHORT,
    Column,
)
from experiments.rajasekhara_pujari_2010.tables import (
    Floats,
    datasets_of,
    deviations,
    mean_without_nan,
    numbers_of,
    value_of_table_1,
    values_of,
)

SIMILAR = 0.05
"""Deviations that differ by at most this for every k are taken to be almost similar."""

INITIAL = 10
"""Values of k up to this are taken to be initial."""


class Curves:
    """Mean deviation of each index against the number of clusters, by data set."""

    @classmethod
    def by_chance(cls, corrected: Sequence[Corrected]) -> "Curves":
        """Of clusterings that know nothing of the classes: mean accuracy less mean index by chance."""
        curves = cls.__new__(cls)
        curves.numbers = {each.dataset: each.numbers for each in corrected}
        curves.signed = {
            each.dataset: {c: each.by_chance["accuracy"] - each.by_chance[c] for c in COLUMNS}
            for each in corrected
        }
        curves.least_adjusted_rand = np.nan
        return curves

    def __init__(self, outcome: Outcome) -> None:
        self.numbers: dict[str, np.ndarray] = {}
        self.signed: dict[str, dict[Column, Floats]] = {}
        for dataset in datasets_of(outcome):
            found = deviations(outcome, dataset)
            self.numbers[dataset] = numbers_of(outcome, dataset)
            self.signed[dataset] = {column: mean_without_nan(values) for column, values in found.items()}
        self.least_adjusted_rand = min(
            (float(np.nanmin(values_of(outcome, each)["adjusted_rand"])) for each in self.numbers),
            default=np.nan,
        )

    def size(self, dataset: str, column: Column) -> Floats:
        """Sizes, for each number of clusters; 0 where the index is 0/0 in all runs."""
        return np.nan_to_num(np.abs(self.signed[dataset][column]))

    def at(self, dataset: str, column: Column, number: int) -> float:
        """Size at a number of clusters."""
        return float(self.size(dataset, column)[number - self.numbers[dataset][0]])

    def best(self, dataset: str) -> list[Column]:
        """The index with the least size at each number of clusters."""
        return [
            min(COLUMNS, key=lambda column: self.size(dataset, column)[each])
            for each in range(len(self.numbers[dataset]))
        ]

    def first_of_irm(self, dataset: str) -> int | None:
        """The least k from which IRM has the least deviation at every k to the end; None if at none."""
        best = self.best(dataset)
        after = len(best)
        while after > 0 and best[after - 1] == "irm":
            after -= 1
        return int(self.numbers[dataset][after]) if after < len(best) else None

    def total(self, dataset: str, column: Column, first: int) -> float:
        """Sum of sizes from a number of clusters to the end."""
        return float(self.size(dataset, column)[self.numbers[dataset] >= first].sum())


def claims_of(outcome: Outcome) -> list[Claim]:
    """A verdict on each sentence; "not reachable" where the run lacks what it needs."""
    return protocol.claims_of(CLAIMS, Curves(outcome))


def _equidistant(_: Curves) -> Held:
    columns: tuple[Column, ...] = ("jaccard", "wallace", "adjusted_rand")
    pairs = {each: (value_of_table_1(each, "P1, P2"), value_of_table_1(each, "P1, P3")) for each in columns}
    shown = ", ".join(f"{SHORT[each]} {one:.4f} and {two:.4f}" for each, (one, two) in pairs.items())
    return everywhere([abs(one - two) < 1e-12 for one, two in pairs.values()], shown)


def _more_similar(_: Curves) -> Held:
    one, two = value_of_table_1("irm", "P1, P2"), value_of_table_1("irm", "P1, P3")
    others = [
        SHORT[each]
        for each in COLUMNS
        if each != "irm" and value_of_table_1(each, "P1, P2") > value_of_table_1(each, "P1, P3") + 1e-12
    ]
    return fact(one > two, f"IRM {one:.3f} and {two:.3f}; so do {', '.join(others)}")


def _negative_values(curves: Curves) -> Held:
    return fact(
        False,
        f"AR can, the least value of a run here is {curves.least_adjusted_rand:.4f}; NMI cannot, because"
        f" mutual information is never below 0",
    )


def _rand_of_australian(curves: Curves) -> Held:
    low, high = curves.at("australian", "rand", 2), curves.at("australian", "rand", 50)
    lowest = min(COLUMNS, key=lambda column: curves.at("australian", column, 2))
    return fact(
        low < high and lowest == "rand",
        f"{low:.3f} at k = 2 and {high:.3f} at k = 50; least at k = 2: {SHORT[lowest]},"
        f" {curves.at('australian', lowest, 2):.3f}",
    )


def _high_and_falling(dataset: str, *columns: Column) -> Check:
    """Above the mean of the six indices at the true k, and lower from there on."""

    def held(curves: Curves) -> Held:
        true = CLASSES[dataset]
        mean = float(np.mean([curves.at(dataset, column, true) for column in COLUMNS]))
        holds, shown = True, []
        for column in columns:
            start, middle, end = (curves.at(dataset, column, each) for each in (true, 25, 50))
            holds = holds and start > mean and start > middle > end
            shown.append(f"{SHORT[column]} {start:.3f} at k = {true}, {middle:.3f} at 25, {end:.3f} at 50")
        return fact(holds, "; ".join(shown) + f"; mean of the six at k = {true}: {mean:.3f}")

    return held


def _balanced(dataset: str, *columns: Column) -> Check:
    """Whether deviations vary over k by less than those of the six do on average."""

    def held(curves: Curves) -> Held:
        ranges = {column: float(np.ptp(curves.size(dataset, column))) for column in COLUMNS}
        mean = float(np.mean(list(ranges.values())))
        shown = ", ".join(
            f"{SHORT[column]} {ranges[column]:.3f}" for column in sorted(COLUMNS, key=ranges.__getitem__)
        )
        return everywhere(
            [ranges[column] < mean for column in columns],
            f"largest less least deviation over k, below the mean: {shown}; mean {mean:.3f}",
        )

    return held


def _least_in_sum(dataset: str) -> Check:
    def held(curves: Curves) -> Held:
        totals = {column: curves.total(dataset, column, CLASSES[dataset]) for column in COLUMNS}
        order = sorted(COLUMNS, key=totals.__getitem__)
        shown = ", ".join(f"{SHORT[column]} {totals[column]:.2f}" for column in order)
        return fact(order[0] == "irm", f"sums from k = {CLASSES[dataset]} to 50: {shown}")

    return held


def _similar_of_australian(curves: Curves) -> Held:
    apart = np.abs(curves.signed["australian"]["adjusted_rand"] - curves.signed["australian"]["nmi"])
    return at_most(
        float(apart.max()), SIMILAR, f"they differ by up to {apart.max():.3f}, on average {apart.mean():.3f}"
    )


def _rand_of_iris(curves: Curves) -> Held:
    best = curves.best("iris")
    worst = [max(COLUMNS, key=lambda column: curves.size("iris", column)[each]) for each in range(len(best))]
    numbers = curves.numbers["iris"] >= CLASSES["iris"]
    furthest = [each == "rand" for each, inside in zip(worst, numbers, strict=True) if inside]
    return mostly(furthest, f"Rand has the largest deviation at {sum(furthest)} of {len(furthest)} k")


def _ar_of_iris(curves: Curves) -> Held:
    numbers = range(CLASSES["iris"], INITIAL + 1)
    better = [curves.at("iris", "adjusted_rand", k) < curves.at("iris", "irm", k) for k in numbers]
    best = dict(zip(curves.numbers["iris"].tolist(), curves.best("iris"), strict=True))
    count = sum(best[k] == "adjusted_rand" for k in numbers)
    return mostly(
        better,
        f"of the {len(numbers)} k up to {INITIAL}, AR is nearer to accuracy than IRM at {sum(better)}, and"
        f" the nearest of the six at {count}",
    )


def _irm_below_jaccard(curves: Curves) -> Held:
    inside = curves.numbers["iris"] >= CLASSES["iris"]
    better = curves.size("iris", "irm")[inside] < curves.size("iris", "jaccard")[inside]
    return everywhere(better, f"IRM's deviation is the smaller one at {better.sum()} of {better.size} k")


def _smallest_throughout(curves: Curves) -> Held:
    best = curves.best("spect")
    others = [f"{SHORT[each]} at {best.count(each)}" for each in COLUMNS if each != "irm" and each in best]
    return everywhere(
        [each == "irm" for each in best],
        f"IRM has the least deviation at {best.count('irm')} of {len(best)} k"
        + (f"; {', '.join(others)}" if others else ""),
    )


def _liver(curves: Curves) -> Held:
    first = curves.first_of_irm("liver")
    start, end = curves.at("liver", "irm", 2), curves.at("liver", "irm", 50)
    return fact(
        end < start and first is not None,
        f"IRM's deviation is {start:.3f} at k = 2 and {end:.3f} at 50; it is the least of the six "
        + (f"from k = {first} on" if first is not None else "at no last stretch of k"),
    )


def _least_of_all(curves: Curves) -> Held:
    winners = {
        each: min(COLUMNS, key=lambda column: curves.total(each, column, FIRST[each])) for each in DATASETS
    }
    return _irm_wins(winners, "sums from the printed k1 to 50: IRM is the least")


def _irm_wins(winners: Mapping[str, Column], what: str) -> Held:
    """Whether the index with the least deviation is IRM on all data sets."""
    flags = [best == "irm" for best in winners.values()]
    others = ", ".join(f"{each} ({SHORT[best]})" for each, best in winners.items() if best != "irm")
    return everywhere(
        flags,
        f"{what} on {sum(flags)} of {len(winners)} data sets" + (f"; not on {others}" if others else ""),
    )


def _first_of_irm(curves: Curves) -> Held:
    found = {each: curves.first_of_irm(each) for each in DATASETS}
    shown = ", ".join(f"{each} {found[each] or 'none'} ({FIRST[each]})" for each in DATASETS)
    return everywhere(
        [found[each] == FIRST[each] for each in DATASETS],
        f"the least k from which IRM is the best at every k to 50, and k1 as printed: {shown}",
    )


def _towards_zero(curves: Curves) -> Held:
    columns: tuple[Column, ...] = ("jaccard", "adjusted_rand", "wallace", "irm")
    falling = {
        column: sum(
            curves.size(each, column)[-1] < curves.at(each, column, CLASSES[each]) for each in DATASETS
        )
        for column in columns
    }
    shown = ", ".join(f"{SHORT[column]} {count}" for column, count in falling.items())
    return everywhere(
        [count == len(DATASETS) for count in falling.values()],
        f"data sets of {len(DATASETS)} where the deviation at the last k is below that at the true k:"
        f" {shown}",
    )


def _large_numbers(curves: Curves) -> Held:
    best = {each: curves.best(each)[-1] for each in DATASETS}
    return _irm_wins(best, "IRM has the least deviation at the last k")


def _consistent_on_spect(curves: Curves) -> Held:
    """Acceptable: below the mean deviation of the six, in the sum from the true number of clusters."""
    totals = {column: curves.total("spect", column, CLASSES["spect"]) for column in COLUMNS}
    mean = float(np.mean(list(totals.values())))
    shown = ", ".join(f"{SHORT[column]} {total:.2f}" for column, total in totals.items())
    return everywhere(
        [totals[each] < mean for each in ("jaccard", "wallace", "irm")], f"{shown}; mean {mean:.2f}"
    )


def _consistent_with_accuracy(curves: Curves) -> Held:
    """Consistent: of the three data sets of figures 3 to 5 and the five indices but Rand."""
    shapes = [
        float(np.ptp(curves.size(dataset, column))) < float(np.ptp(curves.size(dataset, "rand")))
        for dataset in FIGURES
        for column in COLUMNS
        if column != "rand"
    ]
    return mostly(shapes, "index and data set whose deviation varies less over k than that of Rand")


CLAIMS: dict[str, Check] = {
    "Table 1: P1 is more similar to P2 than to P3, and IRM shows it": _more_similar,
    "Table 1: Jaccard, Wallace and AR find P2 and P3 equidistant from P1": _equidistant,
    "AR and NMI can take negative values": _negative_values,
    "Australian: the deviation of Rand is very low near k = 2 and jumps to high values": _rand_of_australian,
    "Australian: the deviation of NMI is very high at k = 2 and gradually falls": _high_and_falling(
        "australian", "nmi"
    ),
    "Australian: IRM and Wallace show much balanced behaviour": _balanced("australian", "irm", "wallace"),
    "Australian: IRM has less deviation": _least_in_sum("australian"),
    "Australian: AR and NMI are almost similar to each other": _similar_of_australian,
    "Iris: Rand is the furthest from accuracy": _rand_of_iris,
    "Iris: AR is better for initial values of k": _ar_of_iris,
    "Iris: IRM is balanced": _balanced("iris", "irm"),
    "Iris: IRM always supersedes Jaccard": _irm_below_jaccard,
    "Spect: AR and NMI deviate very much at the correct k, and less for higher k": (
        _high_and_falling("spect", "adjusted_rand", "nmi")
    ),
    "Spect: Jaccard, Wallace and IRM are acceptable": _consistent_on_spect,
    "all indices but Rand behave consistently with respect to accuracy": _consistent_with_accuracy,
    "Spect: IRM has the smallest deviation throughout": _smallest_throughout,
    "Liver: with increasing k IRM is much closer to accuracy": _liver,
    "Table 2: IRM has the smallest sum": _least_of_all,
    "Table 2: k1 is the number of clusters from which IRM is better": _first_of_irm,
    "the deviations of Jaccard, AR, Wallace and IRM tend to zero as k grows": _towards_zero,
    "IRM is an even better choice when the number of clusters is large": _large_numbers,
}
"""What the paper says, in our words, and what it is held against."""

NOT_OF_CURVES = (_more_similar, _equidistant, _negative_values)
OF_CURVES = {text: check for text, check in CLAIMS.items() if check not in NOT_OF_CURVES}
"""Those that can be held against the curves of clusterings by chance."""
