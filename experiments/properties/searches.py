"""The searches for counterexamples among all clusterings of n objects.

U is the reference and V the candidate, s(U, V) the index. "Better" means larger where the largest value
stands for agreement, smaller for a distance. Pairs on which the index has no value (0/0) are left out. A
search returns the first counterexample in lexicographic order of the label texts, or None.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chancecorr.machine.arrays import Floats
from experiments.properties.classes import Ints, all_pairs, move_between, moves, table_of
from experiments.properties.values import View


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Clusterings that refute a property.

    Attributes
    ----------
    clusterings : tuple of str
        Labels of the objects.
    scores : tuple of (int, int, float)
        Places of a reference and a candidate in `clusterings`, and the score of the two, or, for a
        property of means, the mean that the statement speaks of.
    """

    clusterings: tuple[str, ...]
    scores: tuple[tuple[int, int, float], ...]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"clusterings": "|".join(self.clusterings), "scores": [list(each) for each in self.scores]}


def _score(view: View, r: int, v: int) -> float:
    return float(view.values[view.every.classes[r, v]])


def maximal_agreement(view: View) -> Counterexample | None:
    """Search for a V that is as good as U itself, or a V with another value at (V, V) than U at (U, U)."""
    every, good = view.every, view.good
    own = good[every.identical]
    own_of = np.full(every.labels.shape[0], -1)
    own_of[every.references] = own
    for r, u in enumerate(every.references.tolist()):
        if own[r] < 0:
            continue
        as_good = good[every.classes[r]] >= own[r]
        as_good[u] = False
        apart = (own_of >= 0) & (own_of != own[r])
        found = np.flatnonzero(as_good | apart)
        if found.size:
            v = int(found[0])
            scores = [(0, 0, _score(view, r, u))]
            if as_good[v]:
                scores.append((0, 1, _score(view, r, v)))
            else:
                scores.append((1, 1, _score(view, int(np.searchsorted(every.references, v)), v)))
            return Counterexample((every.text(u), every.text(v)), tuple(scores))
    return None


def symmetric(view: View) -> Counterexample | None:
    """Search for two clusterings whose order matters."""
    every, good = view.every, view.good
    matters = (good != good[every.swapped]) & (good >= 0) & (good[every.swapped] >= 0)
    found = np.flatnonzero(matters)
    if not found.size:
        return None
    k = int(found[0])  # classes are numbered as they first appear
    r, v = every.first[k].tolist()
    texts = every.text(int(every.references[r])), every.text(v)
    values = float(view.values[k]), float(view.values[every.swapped[k]])
    return Counterexample(texts, ((0, 1, values[0]), (1, 0, values[1])))


def metric(view: View) -> Counterexample | None:
    """Search for a distance of 0 between different clusterings, an order that matters, a short detour."""
    return maximal_agreement(view) or symmetric(view) or _detour(view)


def _detour(view: View) -> Counterexample | None:
    """U, V, W with d(V, W) > d(V, U) + d(U, W), where d(V, W) = abs(s(U, U) - s(V, W))."""
    every = view.every
    own = view.values[every.identical]
    own = own[np.isfinite(own)]
    if not own.size:
        return None
    distance = np.abs(view.values - own[0])
    between = all_pairs(every.n)
    for r, u in enumerate(every.references.tolist()):
        to = distance[every.classes[r]]
        for v in range(to.size):
            direct, detour = distance[between[v]], to[v] + to
            longer = (direct > detour) & view.differ(direct, detour)
            if longer.any():
                w = int(np.argmax(longer))
                values = [float(view.values[k]) for k in (between[v, w], between[v, u], between[u, w])]
                selves = [float(view.values[between[x, x]]) for x in (u, v, w)]
                k = next(i for i, value in enumerate(selves) if not np.isnan(value))
                scores = [(k, k, selves[k]), (1, 2, values[0]), (1, 0, values[1]), (0, 2, values[2])]
                return Counterexample((every.text(u), every.text(v), every.text(w)), tuple(scores))
    return None


def monotone(view: View) -> Counterexample | None:
    """Search for a perfect merge or split that does not make the index better."""
    return _first_move(view, _not_better(view, "merge") | _not_better(view, "split"))


def monotone_merging(view: View) -> Counterexample | None:
    """Search for a perfect merge that does not make the index better."""
    return _first_move(view, _not_better(view, "merge"))


def monotone_splitting(view: View) -> Counterexample | None:
    """Search for a perfect split that does not make the index better."""
    return _first_move(view, _not_better(view, "split"))


def weakly_monotone(view: View) -> Counterexample | None:
    """Search for a perfect merge or split that makes the index worse."""
    return _first_move(view, _not_better(view, "merge", slack=1) | _not_better(view, "split", slack=1))


Steps = set[tuple[str, int, int]]


def _not_better(view: View, kind: str, slack: int = 0) -> Steps:
    """Moves, as kind and classes before and after, that do not better the index, or with slack worsen it."""
    edges = moves(view.every.n)
    before, after = (edges.merges if kind == "merge" else edges.splits).T
    good = view.good
    wrong = (good[before] >= 0) & (good[after] >= 0) & (good[after] + slack <= good[before])
    return {(kind, int(x), int(y)) for x, y in zip(before[wrong], after[wrong], strict=True)}


def _first_move(view: View, wrong: Steps) -> Counterexample | None:
    """The first of these moves as clusterings U, V, V'."""
    if not wrong:
        return None
    every = view.every
    starts = np.unique([before for _, before, _ in wrong])
    for r, u in enumerate(every.references.tolist()):
        if every.trivial_sizes[r]:
            continue
        for v in np.flatnonzero(np.isin(every.classes[r], starts)).tolist():
            for w in range(every.labels.shape[0]):
                classes = (int(every.classes[r, v]), int(every.classes[r, w]))
                kinds = {kind for kind, *step in wrong if tuple(step) == classes}
                if kinds and move(every.labels[u], every.labels[v], every.labels[w]) in kinds:
                    scores = ((0, 1, _score(view, r, v)), (0, 2, _score(view, r, w)))
                    return Counterexample((every.text(u), every.text(v), every.text(w)), scores)
    raise AssertionError("a move between classes is one between clusterings")


def move(u: Ints, v: Ints, w: Ints) -> str:
    """Whether W comes from V by one perfect "merge" or "split" towards the reference U; else "".

    Examples
    --------
    >>> u, v, w = (np.array(each) for each in ([0, 0, 1], [0, 1, 2], [0, 0, 1]))
    >>> move(u, v, w), move(u, w, v), move(u, np.array([0, 0, 0]), w)
    ('merge', '', 'split')
    """
    if int(v.max()) == int(w.max()) + 1:
        kind, finer, coarser = "merge", v, w
    elif int(w.max()) == int(v.max()) + 1:
        kind, finer, coarser = "split", w, v
    else:
        return ""
    within = table_of(coarser, finer)
    parts = [[j for j, x in enumerate(row) if x] for row in within]
    if any(sum(1 for x in column if x) > 1 for column in zip(*within, strict=True)):
        return ""
    (pair,) = (each for each in parts if len(each) == 2)
    columns = list(zip(*table_of(u, finer), strict=True))
    return kind if move_between(columns[pair[0]], columns[pair[1]]) == kind else ""


def means_by_sizes(view: View) -> Floats:
    """Mean over all V with given sizes for each reference, shape (R, R), nan where one is trivial."""
    every = view.every
    R = every.references.size
    key = every.row_sizes * R + every.column_sizes
    weights = every.weights
    total = np.bincount(key, weights, minlength=R * R)
    with np.errstate(invalid="ignore"):
        found = (np.bincount(key, weights * view.values, minlength=R * R) / total).reshape(R, R)
    found[every.trivial_sizes] = np.nan
    found[:, every.trivial_sizes] = np.nan
    found[~np.isfinite(found)] = np.nan
    return found


def means_by_number(view: View) -> tuple[Floats, list[int]]:
    """Mean over all V with K clusters for each reference, shape (R, n - 2), and the first sizes of each K."""
    every = view.every
    means = means_by_sizes(view)
    own_sizes = [every.sizes[r] for r in every.references.tolist()]
    chance = np.bincount([every.references.tolist().index(r) for r in _reference_of_each(view)])
    columns, first = [], []
    for K in range(2, every.n):
        members = [s for s, sizes in enumerate(own_sizes) if len(sizes) == K]
        columns.append(means[:, members] @ chance[members] / chance[members].sum())
        first.append(members[0])
    return np.array(columns).T.reshape(means.shape[0], -1), first


def _reference_of_each(view: View) -> list[int]:
    number = {view.every.sizes[r]: r for r in view.every.references.tolist()}
    return [number[sizes] for sizes in view.every.sizes]


def constant_baseline(view: View) -> Counterexample | None:
    """Search for two sets of cluster sizes of U and V with other means."""
    means = means_by_sizes(view)
    known = np.argwhere(~np.isnan(means))
    found = _first_that_differ(view, means[tuple(known.T)])
    return _two_means(view, means, *known[list(found)].tolist()) if found else None


def constant_baseline_given_reference(view: View) -> Counterexample | None:
    """Search for two sets of cluster sizes of V with other means, U being the same."""
    means = means_by_sizes(view)
    for r in range(means.shape[0]):
        known = np.flatnonzero(~np.isnan(means[r]))
        found = _first_that_differ(view, means[r, known])
        if found:
            return _two_means(view, means, *[(r, int(known[k])) for k in found])
    return None


def free_of_cluster_number(view: View) -> Counterexample | None:
    """Search for two numbers of clusters of V with other means, U being the same."""
    means, first = means_by_number(view)
    for r in range(means.shape[0]):
        known = np.flatnonzero(~np.isnan(means[r]))
        found = _first_that_differ(view, means[r, known])
        if found:
            s, t = (int(known[k]) for k in found)
            texts = [view.every.text(int(view.every.references[x])) for x in (r, first[s], first[t])]
            scores = ((0, 1, float(means[r, s])), (0, 2, float(means[r, t])))
            return Counterexample(tuple(texts), scores)
    return None


def _first_that_differ(view: View, means: Floats) -> tuple[int, int] | None:
    """Places of the first two means that differ."""
    for i in range(means.size):
        apart = np.flatnonzero(view.differ(means[i], means[i + 1 :]))
        if apart.size:
            return i, i + 1 + int(apart[0])
    return None


def _two_means(view: View, means: Floats, one: Sequence[int], other: Sequence[int]) -> Counterexample:
    text = [view.every.text(int(r)) for r in view.every.references]
    x, y = float(means[tuple(one)]), float(means[tuple(other)])
    if one[0] == other[0]:
        return Counterexample((text[one[0]], text[one[1]], text[other[1]]), ((0, 1, x), (0, 2, y)))
    return Counterexample(
        (text[one[0]], text[one[1]], text[other[0]], text[other[1]]), ((0, 1, x), (2, 3, y))
    )
