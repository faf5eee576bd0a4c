"""The fuzzy Rand index of Campello: pairs are together and apart to degrees by minimum and maximum."""

import math

import numpy as np

from chancecorr.clusterings.index import Agreement, PairIndex
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.kernels.fuzzy import add_pair_degrees
from chancecorr.clusterings.membership import as_memberships
from chancecorr.machine.arrays import Floats, Integers


def agreement(P: object, Q: object) -> Agreement:
    """Agreement ``(a + d) / (a + b + c + d)``, of which values are known alone.

    Two objects are together to the degree ``max_k min(u_ik, u_jk)`` and apart to ``max_{k != l} min(u_ik,
    u_jl)``; a, b, c, d are sums of the minima of the degrees of both clusterings.
    """
    first, second = (_with_tops(as_memberships(side).rows) for side in (P, Q))  # type: ignore[union-attr]
    n, K = first[0].shape
    if n < 2:
        return no_agreement()

    def sums(permutations: Integers) -> Floats:
        out = np.zeros((len(permutations), 4))
        add_pair_degrees(*first, *second, permutations, np.zeros((2, 2)), out)
        with np.errstate(invalid="ignore"):
            return np.asarray((out[:, 0] + out[:, 3]) / out.sum(axis=1))

    observed = float(sums(np.arange(n)[np.newaxis])[0])
    return Agreement(observed=observed, sums=sums, nanoseconds=math.comb(n, 2) * (6.0 + 1.5 * K))


def _with_tops(rows: Floats) -> tuple[Floats, Floats, Integers]:
    """Memberships, the two largest of each object, and the cluster of the largest."""
    padded = np.column_stack([rows, np.zeros(len(rows))])
    tops = np.ascontiguousarray(np.sort(padded, axis=1)[:, :-3:-1])
    return rows, tops, rows.argmax(axis=1).astype(np.int64)


CAMPELLO_RAND = PairIndex(
    name="campello_rand",
    source="Campello (2007), doi:10.1016/j.patrec.2006.11.010",
    takes=("labels", "membership"),
    agreement=agreement,
)
