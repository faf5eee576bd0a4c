"""Consensus matrices of ensembles of partitions, and their agreement.

An entry of a consensus matrix is the share of partitions that put two objects together. A matrix is read
once, by square tiles ``numpy.asarray(matrix[i:j, k:l])``: memory maps, HDF5 and Zarr data sets and Dask
arrays need not fit into memory.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.clusterings.clustering import OBJECTS_A_TILE, Clustering, Similarity
from chancecorr.clusterings.indices.pair_counts import agree_by_counts
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.exact.summary import compute_adjusted_score
from chancecorr.indices.registry import get_index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, explain_call, name_kind
from chancecorr.machine.arrays import Floats, refuse_masked
from chancecorr.machine.budget import Budget, as_budget
from chancecorr.tables.inputs import read_input, read_inputs
from chancecorr.tables.objects import number_parts
from chancecorr.tables.reading import Missing, encode_inputs, read_side

__all__ = [
    "arimm",
    "arimp",
    "consensus_matrix",
]


def __dir__() -> list[str]:
    return __all__


@explain_call
def consensus_matrix(
    partitions: Any,
    *,
    missing: Missing = "raise",
    budget: Budget | None = None,
) -> Floats:
    """Compute the consensus matrix: the share of partitions that put objects i and j together.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n), or iterable of label vectors of shape (n,)
        Hashable labels of any kind, as in `contingency_table`; a noise label is treated as a cluster.
    missing : {"raise", "drop"}, default "raise"
        ``"raise"``: missing labels are refused. ``"drop"``: an object with a missing label is not in the
        partition, as with subsamples; shares are then among the partitions that have both objects.
    budget : Budget, optional
        Limit on the bytes of the matrix; by default half of the memory.

    Returns
    -------
    ndarray of float64, shape (n, n)
        In [0, 1], symmetric, ones on the diagonal. Rows and columns are in the order of the objects in the
        first partition; sorted if it is sets.

    Raises
    ------
    TypeError, ValueError
        If there are no partitions, labels are missing or unhashable, lengths differ, no partition has both of
        two objects, or the matrix is larger than allowed.

    Notes
    -----
    Zhang, Wong & Shen (2012), eq. 1-2, doi:10.1016/j.patcog.2011.11.017; with objects missing Monti, Tamayo,
    Mesirov & Golub (2003), doi:10.1023/A:1023949509487. Time: n_partitions n**2 comparisons of labels.

    Examples
    --------
    >>> consensus_matrix([["a", "a", "b"], [0, 0, 0]])
    array([[1. , 1. , 0.5],
           [1. , 1. , 0.5],
           [0.5, 0.5, 1. ]])
    >>> consensus_matrix([[1, 1, 2], [1, None, 1]], missing="drop")[0]  # one of two has objects 0 and 2 apart
    array([1. , 1. , 0.5])
    """
    codes = number_partitions(partitions, missing)
    n_partitions, n = codes.shape
    as_budget(budget).check_bytes("partitions", f"a matrix of {n:,} by {n:,} in memory", 8.0 * n * n)
    matrix = np.empty((n, n))
    step = max(1, OBJECTS_A_TILE**2 // max(n, 1))
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        shared = np.zeros((rows.stop - start, n), dtype=np.min_scalar_type(n_partitions))
        present = np.zeros_like(shared) if missing == "drop" else np.float64(n_partitions)
        for labels in codes:
            together = labels[rows, None] == labels
            if missing == "drop":
                both = (labels[rows, None] >= 0) & (labels >= 0)
                together &= both
                present += both
            shared += together
        if not np.all(present):
            i, j = map(int, np.argwhere(present == 0)[0])
            rule = "must have every two objects in one of them; got none with objects"
            raise ArgumentValueError("partitions", f"{rule} {start + i} and {j}.")
        matrix[rows] = np.divide(shared, present, dtype=np.float64)
    return matrix


@explain_call
def arimm(consensus_p: Any, consensus_q: Any) -> float:
    """Compute the adjusted Rand index of two consensus matrices, or other similarities in [0, 1] (ARImm).

    Parameters
    ----------
    consensus_p, consensus_q : array-like of shape (n, n)
        Symmetric matrices with entries in [0, 1], both up to 1e-6; data frames are matched by their index. An
        object with ``shape`` and ``dtype`` is read by tiles ``matrix[i:j, k:l]`` of up to 1024 x 1024, each
        tile once. The diagonal is not used. For a Dask array, call `rechunk` with 1024 first, because Dask
        computes all chunks that overlap a tile.

    Returns
    -------
    float
        In [-1, 1]; the mean over all permutations of the objects of one side is 0. A matrix compared with
        itself gives 1 if all entries are 0 or 1, and less if entries are uncertain. nan for 0/0 (all entries
        1, or all 0, on both sides), and for ``n < 2``.

    Raises
    ------
    TypeError, ValueError
        If a matrix is not square, not symmetric, or has entries outside [0, 1] or nan, or if shapes differ.

    See Also
    --------
    chancecorr.adjust : Compute the same score of two `Similarity` objects, with a variance and a p-value.

    Notes
    -----
    ``(sum P Q - E) / ((sum P + sum Q) / 2 - E)`` with ``E = sum P sum Q / C(n, 2)``, sums over i < j. E is
    the mean of ``sum P_ij Q_s(i)s(j)`` over all permutations s of the objects. Zhang, Wong & Shen (2012),
    eq. 14-15, doi:10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> sure, unsure = [[1, 1, 0], [1, 1, 0], [0, 0, 1]], [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    >>> arimm(sure, sure), round(arimm(unsure, unsure), 12)
    (1.0, 0.4)
    """
    names = "consensus_p", "consensus_q"
    P, Q = (
        Similarity(consensus_p, name=names[0], bounded=True),
        Similarity(consensus_q, name=names[1], bounded=True),
    )
    if P.n != Q.n:
        p, q = tuple(P.matrix.shape), tuple(Q.matrix.shape)
        raise ArgumentValueError("consensus_q", f"must have the shape of `consensus_p`; got {q} and {p}.")
    return _score_rand(P, Q, names)


@explain_call
def arimp(consensus: Any, labels: Any) -> float:
    """Compute the adjusted Rand index of a consensus matrix and a partition (ARImp).

    Parameters
    ----------
    consensus : array-like of shape (n, n)
        Symmetric, entries in [0, 1]; in memory or not, see `arimm`. The diagonal is not used.
    labels : array-like of shape (n,), Series, {object: label}, or sets of objects
        Hashable labels, as in `contingency_table`, matched by name with the index of a data frame; a noise
        label is treated as a cluster.

    Returns
    -------
    float
        As in `arimm`.

    Raises
    ------
    TypeError, ValueError
        As in `arimm`; also if labels are missing or unhashable, or their number is not n.

    Notes
    -----
    Equal to `arimm` with the co-membership matrix of the partition as second matrix, which is made tile by
    tile. If `consensus` is the `consensus_matrix` of a single partition, the result is the adjusted Rand
    index of the two partitions. Zhang, Wong & Shen (2012), eq. 12-13 and proposition 1,
    doi:10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> consensus = consensus_matrix([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> round(arimp(consensus, ["x", "x", "y", "y"]), 12)
    0.470588235294
    """
    P, given = Similarity(consensus, name="consensus", bounded=True), read_input("labels", labels)
    side, _ = read_side("labels", given)
    if side.codes.size != P.n:
        raise ArgumentValueError(
            "labels",
            f"must have one label per row of `consensus`; got {side.codes.size} labels and shape"
            f" {tuple(P.matrix.shape)}.",
        )
    number_parts("labels", side)  # raises if a label is missing
    return _score_rand(P, given, ("consensus", "labels"))


def _score_rand(P: Clustering, Q: Any, names: tuple[str, str]) -> float:
    """Return the adjusted Rand score of two sides, as in `adjust`, after matching them by name."""
    rand = agree_by_counts(get_index("rand"), *read_clusterings(P, Q, names=names).sides)
    if rand.adjusted is not None:
        return rand.adjusted
    return compute_adjusted_score(rand.observed, 1.0, rand.expected)


def number_partitions(partitions: Any, missing: Missing = "raise") -> npt.NDArray[Any]:
    """Return cluster numbers of shape (n_partitions, n) in the smallest integer type; -1 if missing."""
    if hasattr(partitions, "__array__"):
        refuse_masked("partitions", partitions)
        partitions = np.asarray(partitions)
        if partitions.ndim != 2:
            raise ArgumentValueError("partitions", f"must be two-dimensional; got shape {partitions.shape}.")
    if isinstance(partitions, str) or not isinstance(partitions, Iterable):
        raise ArgumentTypeError(
            "partitions", f"must be an array or a list of label vectors; got {name_kind(partitions)}."
        )
    sides = [(f"partitions[{k}]", labels) for k, labels in enumerate(partitions)]
    if not sides:
        raise ArgumentValueError("partitions", "must hold at least one partition; got none.")
    names = [name for name, _ in sides]
    codes = [
        number_parts(name, side, missing=missing)[0]
        for name, side in zip(names, encode_inputs(names, read_inputs(sides))[0], strict=True)
    ]
    largest = max(int(labels.max(initial=0)) for labels in codes)
    narrow = np.min_scalar_type(largest if missing == "raise" else -largest - 1)
    return np.array([labels.astype(narrow) for labels in codes])
