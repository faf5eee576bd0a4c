"""Each stored counterexample refutes its property, by the package's own scores and plain counting of
clusterings.

Nothing of `experiments.properties` is used here: what a property says is written a second time, on label
lists.
"""

import functools
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.catalogue import STATUSES, Property, property_definitions
from chancecorr.indices.registry import FAMILIES
from tests.indices.formulas import value
from tests.naive import count_partitions, integer_partitions

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
DATA = json.loads((Path(cc.catalogue.__file__).parent / "properties.json").read_text(encoding="utf-8"))
SEARCHED = {
    "minimal_agreement": (10,),
    "strongly_monotone": (10,),
    "monotone_in_counts": (10,),
    "asymptotic_constant_baseline": (0,),
    "linear_complexity": (0,),
}
"""Objects, or pairs, up to which there was a search; 8 or 9 for the others."""

FAR = 1e-8
"""How far apart two values must be to count as different, as a share of the larger; rounding is below
1e-12."""

ROUNDING = 1e-14
"""What is no more than this is 0: some values that should be are not, by rounding."""


def labels(text):
    return [int(character) for character in text]


@functools.cache
def score(name, u, v, adjusted):
    if adjusted:
        return cc.adjust(labels(u), labels(v), index=name, method="exact").adjusted
    return cc.score(labels(u), labels(v), name)


def sizes(text):
    return tuple(sorted((text.count(label) for label in set(text)), reverse=True))


@functools.cache
def expected(name, reference_sizes, cluster_sizes):
    """Mean over all clusterings with these sizes, by the package."""
    margins = cc.Margins(list(reference_sizes), list(cluster_sizes))
    return cc.null_distribution(margins, name, method="exact").mean


def expected_by_number(name, u, K):
    kinds = list(integer_partitions(len(u), K, len(u)))
    chances = np.array([count_partitions(kind) for kind in kinds], dtype=float)
    return float(chances @ [expected(name, sizes(u), kind) for kind in kinds] / chances.sum())


def differ(x, y):
    if math.isinf(x) or math.isinf(y):
        return x != y
    return abs(x - y) > max(FAR * max(abs(x), abs(y)), ROUNDING)


def better(name, x, y, adjusted):
    """Whether x stands for more agreement than y."""
    return differ(x, y) and (x > y) == (adjusted or cc.get_index(name).larger_is_better)


def is_trivial(text):
    return len(set(text)) in (1, len(text))


def together(text):
    return {(i, j) for i, j in itertools.combinations(range(len(text)), 2) if text[i] == text[j]}


def is_merge(u, v, w):
    """Whether W unites two clusters of V, all of whose objects are together in U."""
    new = together(w) - together(v)
    return together(v) < together(w) and len(set(w)) == len(set(v)) - 1 and new <= together(u)


def is_split(u, v, w):
    """Whether W parts a cluster of V in two, and no objects that are together in U."""
    parted = together(v) - together(w)
    return together(w) < together(v) and len(set(w)) == len(set(v)) + 1 and not parted & together(u)


def refutes(name, key, example, adjusted):
    """Whether a stored counterexample of clusterings says what it should; its values are compared
    elsewhere."""
    texts = example["clusterings"]
    assert len({len(text) for text in texts}) == 1
    value = {(i, j): score_ij for i, j, score_ij in example["scores"]}

    def as_good(x, y):
        return not better(name, y, x, adjusted)

    if key == "maximal_agreement":
        return refutes_maximal_agreement(texts, value, differ, as_good)
    if key == "symmetric":
        return differ(value[0, 1], value[1, 0])
    if key == "metric":
        if (1, 2) in value:
            (best,) = (x for (i, j), x in value.items() if i == j)
            direct, one, two = (abs(best - value[pair]) for pair in ((1, 2), (1, 0), (0, 2)))
            return direct > (one + two) * (1 + FAR)
        if (1, 0) in value:
            return differ(value[0, 1], value[1, 0])
        return refutes_maximal_agreement(texts, value, differ, as_good)
    u, v, *rest = texts
    if "monotone" in key:
        (w,) = rest
        moves = {"monotone_merging": [is_merge], "monotone_splitting": [is_split]}
        moved = moves.get(key, [is_merge, is_split])
        assert not is_trivial(u)
        assert any(kind(u, v, w) for kind in moved)
        worse = better(name, value[0, 1], value[0, 2], adjusted)
        return worse if key == "weakly_monotone" else not better(name, value[0, 2], value[0, 1], adjusted)
    assert not any(map(is_trivial, texts))
    first, second = value.values()
    if key == "constant_baseline_given_reference":
        assert all(i == 0 for i, _ in value)
    return differ(first, second)


def refutes_maximal_agreement(texts, value, differ, as_good):
    if (1, 1) in value:
        return differ(value[0, 0], value[1, 1])
    return texts[0] != texts[1] and as_good(value[0, 1], value[0, 0])


def recomputed(name, key, example, adjusted):
    texts = example["clusterings"]
    for i, j, stored in example["scores"]:
        u, v = texts[i], texts[j]
        if key.startswith("constant_baseline"):
            assert not adjusted
            found = expected(name, sizes(u), sizes(v))
        elif key == "free_of_cluster_number":
            assert not adjusted
            found = expected_by_number(name, u, len(set(v)))
        else:
            found = score(name, u, v, adjusted)
        yield found, stored


def test_each_counterexample_of_clusterings_refutes():
    for name, adjusted in itertools.product(NAMES, (False, True)):
        for key, known in cc.catalogue.properties(name, adjusted=adjusted).items():
            example = known.counterexample
            assert (example is not None) == (known.status == "refuted"), (name, key)
            if example is None or "counts" in example:
                continue
            assert refutes(name, key, example, adjusted), (name, key, adjusted, example)
            for found, stored in recomputed(name, key, example, adjusted):
                assert found == pytest.approx(stored, rel=1e-9, abs=1e-11), (name, key, adjusted, example)


def of_counts(name, counts, adjusted):
    """The index at four pair counts; corrected by its value at the expected ones, as it is affine in T."""
    entry = cc.get_index(name)
    if adjusted and entry.corrected_as:
        entry = cc.get_index(entry.corrected_as)

    raw = functools.partial(value, entry)
    a, b, c, d = (float(x) for x in counts)
    if not adjusted:
        return raw(a, b, c, d)
    P, Q, N = a + b, a + c, a + b + c + d
    mean = raw(P * Q / N, P * (N - Q) / N, (N - P) * Q / N, (N - P) * (N - Q) / N)
    best = entry.best
    if best is None:
        best = (raw(P, 0, 0, N - P) + raw(Q, 0, 0, N - Q)) / 2
    return (raw(a, b, c, d) - mean) / (best - mean)


def test_each_counterexample_of_pair_counts_refutes():
    for name, adjusted in itertools.product(NAMES, (False, True)):
        for key, known in cc.catalogue.properties(name, adjusted=adjusted).items():
            example = known.counterexample
            if example is None or "counts" not in example:
                continue
            one, two = example["counts"]
            x, y = (of_counts(name, counts, adjusted) for counts in (one, two))
            assert (x, y) == pytest.approx(example["values"], rel=1e-9, abs=1e-11), (name, key, adjusted)
            assert refutes_of_counts(name, key, (one, x), (two, y), adjusted), (name, key, adjusted, example)


def refutes_of_counts(name, key, first, second, adjusted):
    (one, x), (two, y) = first, second
    change = [after - before for before, after in zip(one, two, strict=True)]
    if key == "minimal_agreement":
        assert sum(one) == sum(two)
        assert one[0] == one[3] == 0
        return differ(x, y) if two[0] == two[3] == 0 else not better(name, y, x, adjusted)
    if key == "asymptotic_constant_baseline":
        a, b, c, d = one
        assert a * d == b * c
        assert two[0] * two[3] == two[1] * two[2]
        return abs(x - y) > 1e-4 * max(abs(x), abs(y)) or differ(x, y)
    if key == "strongly_monotone":
        assert sorted(change) == [0, 0, 0, 1]
        grown = change.index(1)
        assert (one[1] + one[2] if grown in (0, 3) else one[0] + one[3]) > 0
        return not better(name, y, x, adjusted) if grown in (0, 3) else not better(name, x, y, adjusted)
    assert key == "monotone_in_counts"
    assert sorted(change) == [-1, 0, 0, 1]
    assert (change.index(-1) in (1, 2), change.index(1) in (0, 3)) == (True, True)
    return not better(name, y, x, adjusted)


def test_a_wrong_counterexample_is_caught():
    """Rand's index is symmetric, a metric, and monotone: nothing refutes these."""
    values = [[0, 1, 1 / 3], [1, 0, 1 / 3]]
    assert not refutes("rand", "symmetric", {"clusterings": ("001", "011"), "scores": values}, False)
    detour = [[0, 0, 1.0], [1, 2, 1 / 3], [1, 0, 2 / 3], [0, 2, 2 / 3]]
    assert not refutes("rand", "metric", {"clusterings": ("000", "001", "010"), "scores": detour}, False)
    split = {"clusterings": ("001", "011", "012"), "scores": [[0, 1, 1 / 3], [0, 2, 2 / 3]]}
    assert not refutes("rand", "monotone_splitting", split, False)
    with pytest.raises(AssertionError):
        refutes("rand", "monotone_merging", split, False)


def test_the_data_are_those_of_the_catalogue():
    assert list(DATA["indices"]) == NAMES
    for name, adjusted in itertools.product(NAMES, (False, True)):
        known = cc.catalogue.properties(name, adjusted=adjusted)
        assert list(known) == list(property_definitions())
        for key, each in known.items():
            assert isinstance(each, Property)
            assert (each.name, each.status in STATUSES) == (key, True)
            assert each.n_max in SEARCHED.get(key, (8, 9))
            assert bool(each) == (each.status == "proved")
            assert each.reason or each.status not in ("proved", "not applicable"), (name, key)
