"""What the text of Fränti & Rezaei (2016) says of its results, held against the cells.

Words such as "usually" have no number in the paper; where one had to be chosen, it is in the rule. A sentence
about one clustering is held against ours as one draw of them is.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common import protocol
from experiments.common.protocol import (
    Check,
    Claim,
    Held,
    at_least,
    at_most,
    everywhere,
    example,
    fact,
    mostly,
)
from experiments.common.runs import Outcome
from experiments.common.verdict import LEVEL_OF_ONE
from experiments.franti_rezaei_2016.clusterings import truth
from experiments.franti_rezaei_2016.tables import operations, share
from experiments.franti_rezaei_2016.unit import LEVELS, WARD

S_SETS = ("s1", "s2", "s3", "s4")
WAYS = ("prototypes", "partition", "model")
STRAIGHT = 0.99
"""A curve whose squared correlation with a straight line is at least this is taken to be linear."""
AS_FAST = 2.0
"""Times within this factor are taken to be virtually the same."""


def claims_of(outcome: Outcome) -> list[Claim]:
    """A verdict on each sentence; "not reachable" where the run lacks cells."""
    return protocol.claims_of(CLAIMS, outcome)


def distribution(values: npt.NDArray[np.float64]) -> str:
    """Values with how often they occur."""
    return ", ".join(f"{int(value)} ({count})" for value, count in sorted(Counter(values.tolist()).items()))


def _small(name: str) -> npt.NDArray[np.bool_]:
    """Which classes of a data set have less than half as many objects as the mean class."""
    sizes = np.bincount(truth(name).labels)
    return np.asarray(sizes < sizes.mean() / 2)


def _k_means_fails(outcome: Outcome) -> Held:
    ci = outcome.values("unbalance/kmeans", "prototypes")
    return one_of({"k-means": ci}, {4}, f"CI of {ci.size} random starts: {distribution(ci)}")


def one_of(found: Mapping[str, npt.NDArray[np.float64]], values: set[float], evidence: str) -> Held:
    """For a sentence about one run of each clusterer: how often a run of ours has one of the values."""
    shares = {name: float(np.isin(each, list(values)).mean()) for name, each in found.items()}
    least = min(shares, key=shares.__getitem__)
    return at_least(
        shares[least], LEVEL_OF_ONE, f"{evidence}; share of ours, least: {shares[least]:.2f} ({least})"
    )


def _initial_centroids(_: Outcome) -> Held:
    data, small = truth("unbalance"), _small("unbalance")
    few = int(np.isin(data.labels, np.flatnonzero(small)).sum())
    n, k = len(data.labels), data.n_clusters
    none = math.comb(n - few, k) / math.comb(n, k)
    return at_least(
        none,
        0.5,
        f"{k} random objects are all from the bigger clusters with probability {none:.3f}; on average"
        f" {k * few / n:.2f} of them are from the {int(small.sum())} small ones",
    )


def _one_centroid_covers_five(outcome: Outcome) -> Held:
    small = _small("unbalance")
    covering = np.array(
        [np.count_nonzero(small[record["map_ab"]]) for record in outcome.records["unbalance/kmeans"]]
    )
    return mostly(
        covering == 1,
        f"centroids among the {int(small.sum())} small clusters at the end:"
        f" {distribution(covering.astype(float))}",
    )


def _four_left_empty(outcome: Outcome) -> Held:
    small = _small("unbalance")
    records = [each for each in outcome.records["unbalance/kmeans"] if each["prototypes"] == 4]
    missed = [
        np.setdiff1d(np.flatnonzero(small), record["map_ab"]).size == 4
        and set(np.flatnonzero(~small)) <= set(record["map_ab"])
        for record in records
    ]
    if not missed:
        raise KeyError("a clustering with CI = 4")
    return mostly(missed, f"four small clusters and no other missed in {share(missed)} with CI = 4")


def _good_algorithms(outcome: Outcome) -> Held:
    names = ("random_swap", "genetic")
    found = {name: outcome.values(f"unbalance/{name}", "prototypes") for name in names}
    others = {
        name: outcome.values(f"unbalance/{name}", "prototypes")
        for name in ("kmeans++", "repeated_kmeans", "ward")
        if f"unbalance/{name}" in outcome.records
    }
    shown = {**found, **others}
    return everywhere(
        np.concatenate([ci == 0 for ci in found.values()]),
        "CI = 0 in " + ", ".join(f"{share(ci == 0)} ({name})" for name, ci in shown.items()),
    )


def _random_swap_everywhere(outcome: Outcome) -> Held:
    cells = [f"{data}/random_swap" for data in (*S_SETS, "unbalance", "birch2")]
    values = {cell: outcome.values(cell, "prototypes") for cell in cells}
    return everywhere(
        np.concatenate([ci == 0 for ci in values.values()]),
        "CI = 0 in " + ", ".join(f"{share(ci == 0)} ({cell.split('/')[0]})" for cell, ci in values.items()),
    )


def _birch2_by_k_means(outcome: Outcome) -> Held:
    ci = outcome.values("birch2/kmeans", "prototypes")
    return everywhere(ci > 0, f"CI of {ci.size} random starts: {distribution(ci)}, of 100 clusters")


OTHERS = (
    ("rand", "ARI", "adjusted", 1),
    ("nmi_sum", "NMI", "observed", 1),
    ("purity", "purity", "observed", 1),
    ("normalized_van_dongen", "NVD", "observed", -1),
    ("criterion_h", "CH", "observed", -1),
    ("centroid_similarity", "CSI", "observed", 1),
)
"""Indices but CI: name in the catalogue and in the paper, form, and whether larger is better."""


def _others_react(outcome: Outcome) -> Held:
    """Of the indices but CI, whether all are worse for k-means than for random swap."""
    everything = np.ones(len(outcome.records["unbalance/random_swap"]), dtype=bool)
    worse, shown = _losses(outcome, "unbalance/random_swap", everything)
    return at_least(min(worse), 0.01, f"k-means with CI > 0 against random swap: {shown}")


def _losses(outcome: Outcome, cell: str, right: npt.NDArray[np.bool_]) -> tuple[list[float], str]:
    """By how much each index but CI is worse where k-means fails on Unbalance than in runs of a cell."""
    failed = outcome.values("unbalance/kmeans", "partition") > 0
    if not failed.any() or not right.any():
        raise KeyError("a failure and a success")
    worse, shown = [], []
    for index, name, form, sign in OTHERS:
        bad = float(outcome.values("unbalance/kmeans", form, index)[failed].mean())
        good = float(outcome.values(cell, form, index)[right].mean())
        worse.append(sign * (good - bad))
        shown.append(f"{name} {bad:.2f} against {good:.2f}")
    return worse, ", ".join(shown)


def _values_tell_little(outcome: Outcome) -> Held:
    """Whether an index is as good for the failure on Unbalance as for the right structure of S4."""
    right = outcome.values("s4/random_swap", "partition") == 0
    losses, shown = _losses(outcome, "s4/random_swap", right)
    as_good = [loss <= 0.0 for loss in losses]
    return example(
        as_good,
        f"{share(as_good)} indices are as good where k-means fails on Unbalance as where random swap finds"
        f" all of S4: {shown}",
    )


def _half_is_wrong(outcome: Outcome) -> Held:
    ci, K = outcome.values("unbalance/kmeans", "prototypes"), truth("unbalance").n_clusters
    relative = ci / K
    shown = ", ".join(f"{each:g} ({count})" for each, count in sorted(Counter(relative.tolist()).items()))
    return one_of({"k-means": relative}, {0.5}, f"CI / k: {shown}")


def _aggregation_by_k_means(outcome: Outcome) -> Held:
    """Whether k-means ever misses just two, and among them the smallest."""
    records = outcome.records["aggregation/kmeans"]
    sizes = np.bincount(truth("aggregation").labels)
    smaller = set(np.argsort(sizes)[:3].tolist())  # 34, 34 and 45 objects
    two = [len(each["missed"]) == 2 and set(each["missed"]) <= smaller for each in records]
    ci = outcome.values("aggregation/kmeans", "partition")
    return one_of(
        {"k-means": np.array(two, dtype=float)},
        {1},
        f"CI of {ci.size} random starts: {distribution(ci)}; {share(two)} miss two of the three smallest"
        " classes and no other",
    )


def _single_link(outcome: Outcome) -> Held:
    record = outcome.records["compound/single_link"][0]
    sizes = record["sizes"]
    counts = cc.contingency_table(truth("compound").labels, record["labels"]).dense_counts()
    home = counts.argmax(axis=1)  # the cluster that most of a class is in
    merged = home.size - np.unique(home).size
    return fact(
        (record["partition"], merged, sizes.count(1)) == (3, 3, 3),
        f"CI = {record['partition']}; {merged} times a real cluster shares one with another; sizes"
        f" {', '.join(map(str, sorted(sizes)))}",
    )


def _aggregation_is_found(outcome: Outcome) -> Held:
    dbscan, sam = (outcome.records[f"aggregation/{name}"][0] for name in ("dbscan", "sam"))
    grid = [row for row in dbscan["grid"] if row[4] == 0]
    forms = [ci for _, _, ci in sam["forms"]]
    holds = dbscan["partition"] == 0 and 0 < dbscan["outliers"] < 50 and sam["partition"] == 0
    return fact(
        holds,
        f"DBSCAN: CI = {dbscan['partition']} with {dbscan['outliers']} outliers, and 0 at {len(grid)} of"
        f" {len(dbscan['grid'])} parameters; split and merge: CI = {sam['partition']}, and 0 with"
        f" {forms.count(0)} of {len(forms)} forms of its criterion, the printed one not being known",
    )


COMPOUND = ("kmeans", "single_link", "dbscan", "sam")


def _compound_is_hard(outcome: Outcome) -> Held:
    found = {name: outcome.values(f"compound/{name}", "partition") for name in COMPOUND}
    forms = sorted({ci for _, _, ci in outcome.records["compound/sam"][0]["forms"]})
    by_centroids = distribution(outcome.values("compound/kmeans", "prototypes"))
    shown = "; ".join(f"{name} {distribution(ci)}" for name, ci in found.items())
    return one_of(
        found,
        {2, 3},
        f"CI by partitions: {shown}; k-means by centroids {by_centroids}; over the forms of split and merge"
        f" {', '.join(map(str, forms))}",
    )


def _compound_left_and_right(outcome: Outcome) -> Held:
    data = truth("compound")
    middle = float(np.median(data.X[:, 0]))
    missed, created = [], []
    for name in COMPOUND:
        for record in outcome.records[f"compound/{name}"]:
            missed += [data.centroids[k][0] < middle for k in record["missed"]]
            created += [record["centroids"][j][0] > middle for j in record["superfluous"]]
    both = mostly(missed, ""), mostly(created, "")
    weaker = next((each for each in both if each.word != "agrees"), both[1])
    return replace(
        weaker,
        evidence=f"left of the middle are {share(missed)} real clusters missed, right of it {share(created)}"
        " clusters too many; the rule is that of the weaker half",
    )


def _same_value(outcome: Outcome) -> Held:
    to_truth, runs = [], []
    for name in S_SETS:
        records = outcome.records[f"{name}/kmeans"]
        to_truth += [record["prototypes"] == record["partition"] for record in records]
        runs += [record["pair"]["prototypes"] == record["pair"]["partition"] for record in records]
    both = [*to_truth, *runs]
    return mostly(
        both,
        f"the same CI in {share(to_truth)} comparisons of k-means with the truth, and {share(runs)} of two"
        " runs of it",
    )


def _as_fast(outcome: Outcome) -> Held:
    seconds = {
        part: sum(outcome.seconds[f"{name}/kmeans"][part] for name in S_SETS)
        for part in ("CI by centroids", "CI by partitions")
    }
    ratio = seconds["CI by partitions"] / seconds["CI by centroids"]
    by_centroids, by_partitions = (verdict.ours for verdict in operations())
    return at_most(
        ratio,
        AS_FAST,
        f"{by_partitions / by_centroids:.0f} times as many operations by the count of section 3.1, and"
        f" {ratio:.1f} times the time in this run, of this package",
    )


def _cells_of(outcome: Outcome, kind: str) -> list[str]:
    """Names of the cells of a kind; a KeyError if there are none."""
    names = [cell.name for cell in outcome.cells if cell.name.startswith(f"{kind}/")]
    if not names:
        raise KeyError(kind)
    return names


def _mixtures_agree(outcome: Outcome) -> Held:
    parts, same, two = [], [], []
    for name in _cells_of(outcome, "mixtures"):
        ways = np.array([outcome.values(name, way) for way in WAYS])
        equal = (ways == ways[0]).all(axis=0)
        same += equal.tolist()
        two += (equal & (ways[0] == 2)).tolist()
        parts.append(f"{share(equal)} ({name.split('/')[1]})")
    return example(
        two,
        f"all three ways give the same value in {share(same)} pairs of mixtures: {', '.join(parts)}; it is 2"
        f" in {share(two)}",
    )


def _same_mapping(outcome: Outcome) -> Held:
    same = {
        name: [record["same"] for record in outcome.records[name]] for name in _cells_of(outcome, "mixtures")
    }
    shown = ", ".join(f"{share(each)} ({name.split('/')[1]})" for name, each in same.items())
    flat = [flag for each in same.values() for flag in each]
    return example(
        flat, f"means and Bhattacharyya distances map every component alike, both ways, in {shown}"
    )


def _ci_does_not_react(outcome: Outcome) -> Held:
    """The design of the paper is not known: three of ours."""
    shown, holds = [], []
    for name in _cells_of(outcome, "randomness"):
        zero, first = [], []
        for record in outcome.records[name]:
            majority, ci = np.array(record["majority"]), np.array(record["centroid_index"])
            zero += (ci[majority > 0.5] == 0).tolist()
            changed = np.flatnonzero(ci > 0)
            first.append(LEVELS[changed[0]] if changed.size else 1.0)
        holds.append(all(zero))
        shown.append(
            f"{name.split('/')[1]}: {share(zero)} partitions, first above 0 at {100 * min(first):.0f} to"
            f" {100 * max(first):.0f} % of random labels"
        )
    return example(
        holds, "CI = 0 where every cluster keeps more than half of its objects, " + "; ".join(shown)
    )


def _linear(outcome: Outcome) -> Held:
    """Likewise."""
    indices = {"normalized_van_dongen": "NVD", "criterion_h": "CH", "purity": "purity"}
    shown, holds = [], []
    for name in _cells_of(outcome, "randomness"):
        means = {index: np.mean([r[index] for r in outcome.records[name]], axis=0) for index in indices}
        straight = {index: float(np.corrcoef(LEVELS, mean)[0, 1] ** 2) for index, mean in means.items()}
        holds.append(min(straight.values()) >= STRAIGHT)
        each = ", ".join(f"{indices[index]} {value:.3f}" for index, value in straight.items())
        shown.append(f"{name.split('/')[1]}: {each}")
    return example(
        holds,
        f"squared correlation with the share of random labels, {'; '.join(shown)}; linear: {STRAIGHT:g}",
    )


def _numbers_do_not_tell(outcome: Outcome) -> Held:
    """Figure 2: whether some pair of unequal structure has a larger ARI than one of equal structure."""
    shown, found = [], []
    for partition in WARD:
        overlaps, least = [], {}
        for name in S_SETS:
            scores = [
                (each["centroid_index"], each["adjusted_rand"])
                for record in outcome.records[f"figure 2/{name}"]
                for each in record[partition].values()
            ]
            equal = [ari for ci, ari in scores if ci == 0]
            if equal:
                least[name] = min(equal)
                overlaps += [ari > least[name] for ci, ari in scores if ci > 0]
        found.append(overlaps)
        listed = ", ".join(f"{ari:.2f} ({name})" for name, ari in least.items())
        shown.append(
            f"Ward by {partition}: least ARI with CI = 0 {listed}; {share(overlaps)} pairs with CI > 0 on the"
            " same data are above it"
        )
    return example(found[-1], "; ".join(shown))


CLAIMS: dict[str, Check] = {
    "k-means on Unbalance has CI = 4": _k_means_fails,
    "random initialisation tends to select all centroids from the bigger clusters": _initial_centroids,
    "only one centroid will move to cover the five small clusters": _one_centroid_covers_five,
    "four other clusters are left empty": _four_left_empty,
    "half (4/8) of the clusters are wrongly allocated": _half_is_wrong,
    "Unbalance is easy for good algorithms": _good_algorithms,
    "most other indexes react to the failure of k-means": _others_react,
    "the exact values of other indexes tell little about how severe the error is": _values_tell_little,
    "random swap finds the structure of S1 to S4, Unbalance and Birch2": _random_swap_everywhere,
    "k-means does not find the structure of Birch2": _birch2_by_k_means,
    "k-means on Aggregation misses two smaller clusters": _aggregation_by_k_means,
    "DBSCAN and split and merge find the structure of Aggregation, DBSCAN with few outliers": (
        _aggregation_is_found
    ),
    "single link makes three errors on Compound, three false clusters of size one": _single_link,
    "on Compound all methods make 2 or 3 errors": _compound_is_hard,
    "on Compound the leftmost clusters are merged, and too many made on the right": _compound_left_and_right,
    "the values by centroids and by partitions are mostly the same": _same_value,
    "by partitions CI is virtually as fast as by centroids with two dimensions": _as_fast,
    "two mixtures, by SMEM and RSEM, have CI = 2 by all three ways": _mixtures_agree,
    "the ways map the components of two mixtures alike": _same_mapping,
    "the values of other indexes do not tell that the structure is the same": _numbers_do_not_tell,
    "CI does not react to randomness while most points keep their cluster": _ci_does_not_react,
    "NVD, CH and purity react linearly to randomness": _linear,
}
"""What the paper says, in our words, and what it is held against."""
