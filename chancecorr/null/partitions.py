"""Random models beside the permutation model: cluster sizes that vary (Gates & Ahn 2017, arXiv:1701.06508).

A table is drawn in two steps: the sizes of the random sides, from streams of their own, then the table given
all sizes as under the permutation model. So ``A = sum row**2`` and ``B = sum column**2`` vary too, and a pair
index is a function of ``(T, A, B)``. A model taken from the observed data, such as its number of clusters,
is itself random: an adjusted score is then no longer certain to be 0 by chance and 1 at best (Lippitt,
Bedrick & Carlson, arXiv:2601.10641).
"""

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count, one_of
from chancecorr.indices.evaluation import IndexEvaluationError, values_of_varying_tables
from chancecorr.indices.registry import Index
from chancecorr.null import permutation
from chancecorr.null.kernels import partitions as kernels
from chancecorr.null.kernels.partitions import SideLaw
from chancecorr.tables.contingency import Margins, as_margins

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MODELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "permutation": ("fixed", "fixed"),
        "fixed-k": ("fixed-k", "fixed-k"),
        "all-partitions": ("all-partitions", "all-partitions"),
        "one-sided-fixed-k": ("fixed", "fixed-k"),
        "one-sided-all-partitions": ("fixed", "all-partitions"),
    }
)
"""How the row sizes and the column sizes come about: as given, uniform over the partitions into as many
clusters as are non-empty, or uniform over all partitions."""

NANOSECONDS_PER_SIZE = 25.0
NANOSECONDS_PER_THROWN_OBJECT = 6.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelSampler:
    """How tables of a model are drawn: number of objects, laws of the sizes, forecast of a table's time."""

    n: int
    row_law: SideLaw
    column_law: SideLaw
    nanoseconds: float


def plan_model(margins: Margins, model: str) -> ModelSampler:
    """Plan of the draws under a model, the same on every machine; ValueError if there is no such model.

    Examples
    --------
    >>> plan_model(Margins([4, 2], [3, 3]), "one-sided-fixed-k").column_law.k
    2
    """
    one_of("model", model, MODELS)
    return _plan(as_margins(margins), model)


@functools.lru_cache(maxsize=32)
def _plan(margins: Margins, model: str) -> ModelSampler:
    n = margins.n
    rows, columns = MODELS[model]
    row_law = _law_of_side(rows, n, margins.row_totals)
    column_law = _law_of_side(columns, n, margins.column_totals)
    clusters = [min(n, law.fewest_urns + law.urn_law.size // 2) or law.k for law in (row_law, column_law)]
    draws = max(clusters[0] - 1, 0) * max(clusters[1] - 1, 0)
    shuffling = permutation.NANOSECONDS_PER_SHUFFLED_OBJECT + permutation.NANOSECONDS_PER_COPIED_OBJECT
    nanoseconds = min(permutation.NANOSECONDS_PER_DRAW * draws, shuffling * n)
    for law, count in zip((row_law, column_law), clusters, strict=True):
        thrown = n if law.kind == kernels.ALL else min(n - count, kernels.OBJECTS_PER_BINOMIAL * count)
        if law.kind != kernels.FIXED:
            nanoseconds += NANOSECONDS_PER_SIZE * count + NANOSECONDS_PER_THROWN_OBJECT * thrown
    return ModelSampler(n=n, row_law=row_law, column_law=column_law, nanoseconds=nanoseconds)


def model_pair_sums(
    margins: Margins, model: str, seed: np.uint64, first: int, n_tables: int
) -> tuple[Integers, Integers, Integers]:
    """Sums of squares ``(T, A, B)`` of tables number ``first, ..., first + n_tables - 1`` of this seed.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,), the reference, and column totals of shape (Q,). A model takes from them the
        number of objects, the numbers of non-empty clusters, and the sizes that it holds fixed.
    model : str
        A key of `MODELS`.
    seed : numpy.uint64
        Key of the tables' streams, as `seed_from` gives it.
    first, n_tables : int
        The range of table numbers.

    Returns
    -------
    tuple of three ndarray of int64, shape (n_tables,)
        ``T = sum n_ij**2``, ``A = sum row_i**2`` and ``B = sum column_j**2`` of the tables that
        `sample_model_tables` yields, at a fraction of its cost.

    Examples
    --------
    >>> T, A, B = model_pair_sums(Margins([4, 2], [2, 2, 2]), "one-sided-fixed-k", np.uint64(1), 0, 1000)
    >>> set(A.tolist()), sorted(set(B.tolist()))
    ({20}, [12, 14, 18])
    """
    sampler = plan_model(margins, model)
    laws = sampler.row_law, sampler.column_law
    log_factorials = permutation._log_factorials(sampler.n)
    costs = (
        permutation.NANOSECONDS_PER_DRAW
        if log_factorials is not None
        else permutation.NANOSECONDS_PER_DRAW_BEYOND_TABLE,
        permutation.NANOSECONDS_PER_SHUFFLED_OBJECT,
        permutation.NANOSECONDS_PER_COPIED_OBJECT,
        permutation.NANOSECONDS_PER_CELL,
    )
    out = np.empty((3, n_tables), dtype=np.int64)
    sizes = [np.empty(_places(law), dtype=np.int64) for law in laws]
    weights = np.empty(max(part.size for part in sizes))
    kernels.fill_pair_sums(
        *laws, costs, log_factorials, np.uint64(seed), first, weights, sizes[0], sizes[1], out
    )
    return out[0], out[1], out[2]


def sample_model_tables(
    margins: Margins, model: str, n_tables: int, seed: np.uint64, first: int = 0
) -> Iterator[Integers]:
    """Tables number ``first, ..., first + n_tables - 1`` of this seed, one by one, each of its own shape.

    Parameters
    ----------
    margins, model, seed, first, n_tables
        As in `model_pair_sums`. Table t depends on the seed and on t alone.

    Yields
    ------
    ndarray of int64, shape (K_t, Q_t)
        A new array. Rows and columns that the model draws are non-empty and their sizes in random order;
        those that it holds fixed are as in `margins`.

    Examples
    --------
    >>> margins = Margins([4, 2], [2, 2, 2])
    >>> [table.shape for table in sample_model_tables(margins, "fixed-k", 2, np.uint64(1))]
    [(2, 3), (2, 3)]
    """
    sampler = plan_model(margins, model)
    seed = np.uint64(seed)
    laws = sampler.row_law, sampler.column_law
    seeds = kernels.row_sizes_seed(seed), kernels.column_sizes_seed(seed)
    for t in range(first, first + n_tables):
        sizes = [_draw(law, key, t) for law, key in zip(laws, seeds, strict=True)]
        plan = permutation.plan_sampler(Margins(*sizes))
        table = np.zeros((1, *plan.shape), dtype=np.int64)
        permutation.fill_tables(plan, seed, t, table)
        yield table[0]


def sample_sizes(
    n: int, side: str, k: int | None = None, *, n_partitions: int = 1, seed: np.uint64, first: int = 0
) -> list[Integers]:
    """Cluster sizes of random partitions of n objects.

    Parameters
    ----------
    n : int
        Number of objects.
    side : {"fixed-k", "all-partitions"}
        Uniform over the partitions into exactly k non-empty clusters, or over all partitions.
    k : int, optional
        Number of clusters, for ``"fixed-k"`` only.
    n_partitions, first
        How many partitions, and the number of the first.
    seed : numpy.uint64
        Partition t has the row sizes of table t of this seed, so it depends on the two alone.

    Returns
    -------
    list of ndarray of int64
        The sizes of each partition, in random order.

    Raises
    ------
    ValueError
        If no partition of n objects has k clusters, or k is missing, or given where it has no meaning.

    Notes
    -----
    O(n), or O(k) for few large clusters. Method and sources: `chancecorr.null.kernels.partitions`.

    Examples
    --------
    >>> sizes, = sample_sizes(6, "fixed-k", 6, seed=np.uint64(1))
    >>> sizes
    array([1, 1, 1, 1, 1, 1])
    """
    n = as_count("n", n, minimum=0)
    one_of("side", side, ["fixed-k", "all-partitions"])
    if (k is None) == (side == "fixed-k"):
        raise ValueError(f'`k` must be given for "fixed-k" and only there; got {k} for "{side}".')
    k = n if k is None else as_count("k", k, minimum=0)
    if k > n or (k == 0 and n > 0):
        raise ValueError(f"`k` must be from {min(n, 1)} to `n`, here {n}; got {k}.")
    law = _law_of_k(n, k) if side == "fixed-k" else _law_of_any(n)
    key = kernels.row_sizes_seed(np.uint64(seed))
    return [_draw(law, key, t) for t in range(first, first + n_partitions)]


def values_of_pairs(index: Index, T: Integers, A: Integers, B: Integers, n: int) -> Floats:
    """Values of a ``"pairs"`` index on tables of n objects whose sums of squares are given.

    Parameters
    ----------
    index : Index
        One with ``needs="pairs"`` and nothing else.
    T, A, B, n
        Sums of squares of cells, rows and columns, int64 of shape (m,), and the number of objects.

    Returns
    -------
    ndarray of float64, shape (m,)
        The pair counts are exact integers before they become float64, so their products cannot overflow.

    Raises
    ------
    IndexEvaluationError
        If the index raises or returns something other than a number, with the pair counts where it does.

    Examples
    --------
    >>> from chancecorr.indices.registry import get_index
    >>> values_of_pairs(get_index("rand"), np.array([6, 12]), np.array([12, 20]), np.array([12, 18]), 6)
    array([0.6       , 0.53333333])
    """
    a, b, c = (T - n) // 2, (A - T) // 2, (B - T) // 2
    counts = a, b, c, n * (n - 1) // 2 - a - b - c
    try:
        floats = [count.astype(np.float64) for count in counts]
        return values_of_varying_tables(index, floats, (A, B), n)
    except Exception as error:
        for t in range(T.size if T.size > 1 else 0):
            values_of_pairs(index, T[t : t + 1], A[t : t + 1], B[t : t + 1], n)
        found = ", ".join(f"{name}={int(count[0])}" for name, count in zip("abcd", counts, strict=True))
        where = f"a table with {found}" if T.size == 1 else f"{T.size} tables together, not on each alone"
        raise IndexEvaluationError(
            f"Index {index.name!r} failed on {where}: {type(error).__name__}: {error}."
        ) from error


def _law_of_side(side: str, n: int, totals: Integers) -> SideLaw:
    if side == "fixed-k":
        return _law_of_k(n, int(np.count_nonzero(totals)))
    if side == "all-partitions":
        return _law_of_any(n)
    return SideLaw(kernels.FIXED, n, totals.size, totals.copy(), 1.0, 0, np.empty(0))


def _law_of_k(n: int, k: int) -> SideLaw:
    """Uniform over the partitions into k clusters; the tilt solves ``tilt / (1 - exp(-tilt)) = n / k``."""
    mean = n / k if k else 1.0
    tilt = mean
    for _ in range(60):  # Newton's method comes down to the root, and so never to 0
        tilt -= (tilt + mean * math.expm1(-tilt)) / (1.0 - mean * math.exp(-tilt)) if mean > 1.0 else 0.0
    return SideLaw(kernels.FIXED_K, n, k, np.empty(0, dtype=np.int64), tilt, 0, np.empty(0))


def _law_of_any(n: int) -> SideLaw:
    """Uniform over all partitions: ``P(m urns)`` proportional to ``m**n / m!``, 12 sd around its mode."""
    low, high = min(n, 1), max(n, 1)
    while low < high:  # the mode: the first m with no larger weight after it
        m = (low + high) // 2
        low, high = (m + 1, high) if m and n * math.log1p(1 / m) > math.log(m + 1) else (low, m)
    reach = 60 + int(12 * low / math.sqrt(n + low + 1))
    urns = np.arange(max(low - reach, min(n, 1)), low + reach + 1 if n else 1, dtype=np.float64)
    steps = n * np.log1p(1 / urns[:-1]) - np.log(urns[1:])
    log_weights = np.concatenate([[0.0], np.cumsum(steps)])
    law = np.cumsum(np.exp(log_weights - log_weights.max()))
    return SideLaw(kernels.ALL, n, 0, np.empty(0, dtype=np.int64), 1.0, int(urns[0]), law / law[-1])


def _places(law: SideLaw) -> int:
    """Room that the sizes need while they are drawn."""
    return law.fewest_urns + law.urn_law.size if law.kind == kernels.ALL else law.k


def _draw(law: SideLaw, key: np.uint64, t: int) -> Integers:
    sizes = np.empty(_places(law), dtype=np.int64)
    return sizes[: kernels.draw_sizes(law, np.uint64(key), t, np.empty(sizes.size), sizes)]
