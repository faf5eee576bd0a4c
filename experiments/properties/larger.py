"""Counterexamples of more objects than all clusterings of which are searched.

They were found by trying families and at random, and need not be the smallest. Each is evaluated by the
package when the data are written, and again by a test.
"""

import chancecorr as cc
from chancecorr.indices.registry import Index
from experiments.properties.searches import Counterexample


def _singled_out(n: int) -> tuple[str, str, str]:
    """Two objects of n in a cluster each, the one alone, the other alone: U, V and W."""
    rest = "0" * (n - 2)
    return rest + "12", rest + "01", rest + "10"


DETOURS: dict[tuple[str, bool], tuple[str, str, str]] = {
    ("frobenius_distance", False): ("011213140", "012321210", "011012030"),
    ("sokal_sneath_1", True): _singled_out(13),
    ("baulieu_distance_15", True): _singled_out(18),
    ("gower_legendre_s", True): _singled_out(19),
}
"""By index, and whether corrected: U, V and W with the distance of V and W above those to U together."""


def known_detour(index: Index, *, adjusted: bool) -> Counterexample | None:
    """The detour of `DETOURS`, with its scores; None where none is known."""
    texts = DETOURS.get((index.name, adjusted))
    if texts is None:
        return None
    places = ((0, 0), (1, 2), (1, 0), (0, 2))
    values = [_score(index, texts[i], texts[j], adjusted=adjusted) for i, j in places]
    direct, *detour = (abs(values[0] - value) for value in values[1:])
    if not direct > sum(detour) * (1 + 1e-9):
        raise AssertionError(f"{index.name}: {texts} with {values} refute nothing")
    return Counterexample(texts, tuple((i, j, x) for (i, j), x in zip(places, values, strict=True)))


def _score(index: Index, u: str, v: str, *, adjusted: bool) -> float:
    if adjusted:
        return float(cc.adjust(list(u), list(v), index=index, method="exact").adjusted)
    return cc.score(list(u), list(v), index)
