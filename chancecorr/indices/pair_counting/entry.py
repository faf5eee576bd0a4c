"""What the entries of pair-counting indices have in common."""

import functools

from chancecorr.indices.entry import entry, member

pair_index = functools.partial(entry, needs="pairs", family="pair_counting", symmetric=True)
"""Entry of a pair-counting index, a symmetric similarity unless it says otherwise."""

affine_index = functools.partial(pair_index, affine=True)
"""Entry of an index of the L family: affine in T once the cluster sizes are given."""

distance = functools.partial(pair_index, best=0.0)
"""Entry of a pair-counting distance."""

pair_member = functools.partial(member, needs="pairs", family="pair_counting", symmetric=True)
"""Member of a family of pair-counting indices, symmetric unless it says otherwise."""

CHOI = "Choi, Cha & Tappert (2010), Journal of Systemics, Cybernetics and Informatics 8(1), 43-48"
