"""Scores by the names of their indices."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from chancecorr.arguments import did_you_mean
from chancecorr.indices.registry import get_index

S = TypeVar("S")


def none_of(name: object, names: Iterable[Any], kind: str = "") -> str:
    """Text of an error about an unknown name: the first names of this kind, and the nearest one."""
    known = list(names)
    listed = ", ".join(map(repr, known[:20])) + ", ..." * (len(known) > 20)
    near = did_you_mean(name, [each for each in known if isinstance(each, str)])
    return f"{kind} must be one of {listed}; got {name!r}.{near}".lstrip()


class ByIndex(Mapping[str, S], Generic[S]):
    """Scores by the names of their indices, in the order asked for; an alias finds its index too."""

    __slots__ = ("_scores",)

    def __init__(self, scores: Iterable[Any]) -> None:
        self._scores: dict[str, S] = {score.index: score for score in scores}

    def __getitem__(self, name: str) -> S:
        """Score by an index, called by its name or an alias."""
        if name in self._scores:
            return self._scores[name]
        try:
            return self._scores[get_index(name).name]
        except (TypeError, ValueError):
            raise KeyError(none_of(name, self._scores, "index")) from None

    def __iter__(self) -> Iterator[str]:
        """Names of the indices, in the order asked for."""
        return iter(self._scores)

    def __len__(self) -> int:
        """Number of scores."""
        return len(self._scores)
