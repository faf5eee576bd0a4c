"""Scores by the names of their indices."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from chancecorr.arguments import did_you_mean
from chancecorr.indices.registry import get_index

S = TypeVar("S")


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
            listed = ", ".join(map(repr, self._scores))
            near = did_you_mean(name, self._scores)
            raise KeyError(f"{name!r} is none of the indices {listed}.{near}") from None

    def __iter__(self) -> Iterator[str]:
        """Names of the indices, in the order asked for."""
        return iter(self._scores)

    def __len__(self) -> int:
        """Number of scores."""
        return len(self._scores)
