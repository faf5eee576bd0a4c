"""K-means as the QUICK CLUSTER procedure of IBM SPSS Statistics runs it by default.

One start and no random numbers: the initial centres are well separated cases found in one pass through the
data, so that the answer depends on the order of the cases. Then cases are assigned and centres updated in
turn, at most ten times.

What is documented, and where:

- IBM SPSS Statistics documentation, QUICK CLUSTER, subcommands CRITERIA and METHOD: initial centres are
  cases chosen in a pass through the data, MXITER is 10 and CONVERGE 0 by default, iteration stops when the
  largest change of any centre is at most CONVERGE times the least distance between initial centres, and
  centres are recalculated after all cases are assigned: METHOD=KMEANS(NOUPDATE).
  https://www.ibm.com/docs/en/spss-statistics/31.0.0?topic=cluster-method-subcommand-quick-command
- The two conditions under which a case replaces an initial centre: IBM SPSS Statistics Algorithms, chapter
  QUICK CLUSTER, which was not at hand. The manual of the R package clusterSim (``initial.Centers``) retells
  it, after Hartigan (1975), Clustering Algorithms. Its second condition compares the distance to the
  *closest* centre, and so can never hold once the first has failed. With the *second* closest it can, and
  only so does the procedure choose the corners of a square that a user of SPSS says it chooses (list
  SPSSX-L, April 2006): see the tests.

Uncertain: what a tie does (here a case that is as near to both replaces the later one, and a case between
two centres goes to the earlier), a cluster that loses all its cases (here its centre stays), whether cases
are assigned once more after the tenth update (here they are), and the order of the cases in the published
study.
"""

from dataclasses import dataclass
from math import dist, inf

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist, pdist

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuickCluster:
    """A k-means clustering."""

    labels: npt.NDArray[np.int64]
    centres: Floats
    initial_cases: tuple[int, ...]
    iterations: int
    converged: bool


def initial_cases(X: Floats, n_clusters: int) -> tuple[int, ...]:
    """Cases that serve as initial centres, found in one pass.

    Returns K different cases, in the order of the centres.

    The first K cases, then for each further case x: (a) if x is farther from its closest centre than the
    two closest centres are from each other, it replaces the one of these two that is nearer to it; (b)
    otherwise, if x is farther from its *second* closest centre than its closest centre is from the centre
    next to it, it replaces its closest centre. Source: IBM SPSS Statistics Algorithms, QUICK CLUSTER; see
    the top of this file.
    """
    cases: list[list[float]] = X.tolist()
    chosen = list(range(n_clusters))
    if n_clusters == 1:
        return (0,)
    apart = [[inf if i == j else dist(cases[i], cases[j]) for j in chosen] for i in chosen]
    for case in range(n_clusters, len(cases)):
        away = [dist(cases[case], cases[centre]) for centre in chosen]
        closest = away.index(min(away))
        nearest_neighbours = [min(row) for row in apart]
        first = nearest_neighbours.index(min(nearest_neighbours))
        second = apart[first].index(nearest_neighbours[first])
        if away[closest] > nearest_neighbours[first]:
            replaced = first if away[first] < away[second] else second
        elif min(away[:closest] + away[closest + 1 :]) > nearest_neighbours[closest]:
            replaced = closest
        else:
            continue
        chosen[replaced] = case
        for other, distance in enumerate(away):
            apart[replaced][other] = apart[other][replaced] = inf if other == replaced else distance
    return tuple(chosen)


def quick_cluster(
    X: Floats, n_clusters: int, *, max_iterations: int = 10, convergence: float = 0.0
) -> QuickCluster:
    """K-means from the centres of `initial_cases`."""
    chosen = initial_cases(X, n_clusters)
    centres = X[list(chosen)]
    allowed = convergence * float(pdist(centres).min()) if n_clusters > 1 else 0.0
    iterations, converged = 0, False
    labels = _closest(X, centres)
    while iterations < max_iterations and not converged:
        updated = _means(X, labels, centres)
        converged = bool(np.sqrt(((updated - centres) ** 2).sum(axis=1)).max() <= allowed)
        centres = updated
        labels = _closest(X, centres)
        iterations += 1
    return QuickCluster(
        labels=labels, centres=centres, initial_cases=chosen, iterations=iterations, converged=converged
    )


def _closest(X: Floats, centres: Floats) -> npt.NDArray[np.int64]:
    """The closest centre of each case, the first where several are."""
    return np.asarray(cdist(X, centres, "sqeuclidean").argmin(axis=1), dtype=np.int64)


def _means(X: Floats, labels: npt.NDArray[np.int64], centres: Floats) -> Floats:
    """The mean of each cluster; the centre of an empty one stays."""
    K = len(centres)
    sizes = np.bincount(labels, minlength=K)
    sums = np.column_stack([np.bincount(labels, weights=column, minlength=K) for column in X.T])
    return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centres)
