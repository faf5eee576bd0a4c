"""Scores by the names of their indices."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from chancecorr.arguments import did_you_mean
from chancecorr.indices.registry import index_to_adjust

S = TypeVar("S")


def none_of(name: object, names: Iterable[Any], kind: str = "") -> str:
    """Text of an error about an unknown name: the first names of this kind, and the nearest one."""
    known = list(names)
    listed = ", ".join(map(repr, known[:20])) + ", ..." * (len(known) > 20)
    near = did_you_mean(name, [each for each in known if isinstance(each, str)])
    return f"{kind} must be one of {listed}; got {name!r}.{near}".lstrip()


def name_among(name: Any, names: Collection[str]) -> str | None:
    """The one of some names of indices that a name or an alias means; None if there is none."""
    if name in names:
        return str(name)
    try:
        own_name = index_to_adjust(name)[0].name
    except (TypeError, ValueError):
        return None
    return own_name if own_name in names else None


class ByIndex(Mapping[str, S], Generic[S]):
    """Scores by the names of their indices, in the order asked for; an alias finds its index too."""

    __slots__ = ("_scores",)

    def __init__(self, scores: Iterable[Any]) -> None:
        self._scores: dict[str, S] = {score.index: score for score in scores}

    def __getitem__(self, name: str) -> S:
        """Score by an index, called by its name, an alias, or the name of its adjusted score."""
        own_name = name_among(name, self._scores)
        if own_name is None:
            raise KeyError(none_of(name, self._scores, "index"))
        return self._scores[own_name]

    def __iter__(self) -> Iterator[str]:
        """Names of the indices, in the order asked for."""
        return iter(self._scores)

    def __len__(self) -> int:
        """Number of scores."""
        return len(self._scores)
