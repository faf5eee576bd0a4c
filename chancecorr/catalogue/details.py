"""All that is known of an index, as headings and texts: for the command line and the documentation."""

import math

from chancecorr.catalogue.equivalences import corrected_classes, equivalents, reason
from chancecorr.chance.engine import engine_of
from chancecorr.indices.registry import Index


def what_is_exact(index: Index) -> str:
    """Properties of the null distribution known without simulation."""
    if index.constant:
        return "constant: the cluster sizes alone give the value, and nothing is left to correct for chance"
    return engine_of(index).exactly(index)


def same_once_corrected(index: Index) -> str:
    """Indices that have the same adjusted score, and why; empty where there are none."""
    others = equivalents(index)
    if not others:
        return ""
    stands = next(name for name, members in corrected_classes().items() if others[0] in members)
    return f"the same as {', '.join(others)}; {reason(stands)}"


def kind(index: Index) -> str:
    """Similarity or distance, range, best value, symmetry, in words."""
    low, high = (_number(bound) for bound in index.range)
    parts = ["similarity" if index.larger_is_better else "distance", f"{low} to {high}"]
    if index.best is None:
        parts.append("best value depends on the cluster sizes")
    elif math.isnan(index.best):
        parts[0] = "neither similarity nor distance"
        parts.append("no best value")
    else:
        parts.append(
            f"best {_number(index.best)}"
            + ("" if index.attained else ", not reached by all identical clusterings")
        )
    parts.append("symmetric" if index.symmetric else "not symmetric")
    if not math.isnan(index.undefined):
        parts.append(f"{_number(index.undefined)} at 0/0")
    return ", ".join(parts)


def details(index: Index) -> list[tuple[str, str]]:
    """Description of an index, as pairs of a heading and a text."""
    lines = [
        ("formula", index.formula),
        ("aliases", ", ".join(index.aliases)),
        ("names elsewhere", index.known_as),
        ("kind", kind(index)),
        ("exact", what_is_exact(index)),
        ("corrected for chance", same_once_corrected(index)),
        ("source", index.source),
        ("notes", index.notes),
    ]
    return [(heading, text) for heading, text in lines if text]


def _number(number: float) -> str:
    return {math.inf: "infinity", -math.inf: "-infinity"}.get(number) or f"{number:g}"
