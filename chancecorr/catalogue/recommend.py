"""Which indices have what is needed, and why another has not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chancecorr.arguments import ArgumentValueError, did_you_mean, one_of, yes_or_no
from chancecorr.catalogue.equivalents import corrected_classes
from chancecorr.catalogue.needs import Answer, answer, is_its_own_correction, needs
from chancecorr.indices.pair_counting.published import PUBLISHED_INDICES
from chancecorr.indices.registry import FAMILIES, get_index, list_indices

MOST_SHOWN = 20
"""Indices that a table shows; `found` has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended:
    """An index that has what is needed, raw or corrected for chance.

    Attributes
    ----------
    index : str
        Name from `list_indices`.
    adjusted : bool
        Whether the score corrected for chance is meant.
    answers : tuple of Answer
        To each need, in the order in which they were asked.
    equivalents : tuple of str
        Other indices that have the same corrected score; empty where the raw index is meant.

    Examples
    --------
    >>> (mirkin,) = (each for each in recommend("metric").found if each.index == "mirkin")
    >>> mirkin.name, mirkin.answers[0].status
    ('mirkin, raw', 'proved')
    """

    index: str
    adjusted: bool
    answers: tuple[Answer, ...]
    equivalents: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name, with a word that says whether it is corrected."""
        return f"{self.index}, {'adjusted' if self.adjusted else 'raw'}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recommendation:
    """Indices that have all that is needed, shown as a short table.

    Attributes
    ----------
    needs : tuple of str
        What was asked.
    found : tuple of Recommended
        Those about which least is open come first, then by name; one of those with the same corrected score.
    asked : int
        How many were looked at, raw and corrected, each class of equal corrected scores once; so is an index
        that is the same corrected and raw.

    Examples
    --------
    >>> found = recommend("metric")
    >>> {"mirkin, raw", "van_dongen, raw"} <= set(found.names), "nmi_sum, raw" in found.names
    (True, False)
    """

    needs: tuple[str, ...]
    found: tuple[Recommended, ...]
    asked: int

    def __len__(self) -> int:
        """How many were found."""
        return len(self.found)

    @property
    def names(self) -> tuple[str, ...]:
        """What was found, by name."""
        return tuple(each.name for each in self.found)

    def why_not(self, index: str, *, adjusted: bool | None = None) -> str:
        """Which of the needs an index does not have, with a counterexample where there is one.

        Parameters
        ----------
        index : str
            See `list_indices`.
        adjusted : bool, optional
            Corrected for chance, or raw; left out, both.

        Returns
        -------
        str
            A line for each need that is not there.
        """
        lines = []
        for each in self._answered(index, adjusted):
            missing = [_line(each, one) for one in each.answers if not one.holds]
            lines += missing or [f"{each.name}: has all of it"]
        return "\n".join(lines)

    def why(self, index: str, *, adjusted: bool | None = None) -> str:
        """What is known of an index about each need, and why: as `why_not`, with what it does have.

        Parameters
        ----------
        index : str
            See `list_indices`.
        adjusted : bool, optional
            Corrected for chance, or raw; left out, both.

        Returns
        -------
        str
            A line for each need.
        """
        found = self._answered(index, adjusted)
        return "\n".join(_line(each, one) for each in found for one in each.answers)

    def _answered(self, index: str, adjusted: bool | None) -> list[Recommended]:
        """An index with its answers, raw, corrected or both."""
        entry = get_index(index)
        yes_or_no("adjusted", adjusted)
        forms = (False, True) if adjusted is None else (adjusted,)
        return [
            Recommended(
                index=entry.name,
                adjusted=form,
                answers=tuple(answer(need, entry.name, adjusted=form) for need in self.needs),
            )
            for form in forms
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON.

        Returns
        -------
        dict
            What was asked, how many were looked at, and each that was found with its answers.
        """
        return {
            "needs": list(self.needs),
            "asked": self.asked,
            "found": [
                {
                    "index": each.index,
                    "adjusted": each.adjusted,
                    "answers": {
                        one.need: {"status": one.status, "reason": one.reason} for one in each.answers
                    },
                    "equivalents": list(each.equivalents),
                }
                for each in self.found
            ],
        }

    def table(self) -> tuple[str, list[list[str]]]:
        """Caption, and rows below a header: the name, the status of each need, how many are the same.

        Returns
        -------
        (str, list of list of str)
            All rows have as many cells as the header.
        """
        caption = f"{len(self.found)} of {self.asked} have " + ", ".join(self.needs)
        rows = [["index", *self.needs, "same once corrected"]]
        for each in self.found:
            rows.append([each.name, *(one.status for one in each.answers), _shortened(each.equivalents)])
        return caption, rows

    def __repr__(self) -> str:
        """A short table; what can be asked, where nothing was."""
        if not self.needs:
            return "\n".join(f"{need}: {sentence}" for need, sentence in needs().items())
        caption, rows = self.table()
        shown, left = rows[: MOST_SHOWN + 1], len(rows) - 1 - MOST_SHOWN
        if len(rows) == 1:
            return caption
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in shown
        ]
        return "\n".join([caption, *lines, *([f"... and {left} more"] if left > 0 else [])])


def _line(each: Recommended, one: Answer) -> str:
    return f"{each.name}: {one.need} is {one.status}" + (f": {one.reason}" if one.reason else "")


def _shortened(names: Sequence[str]) -> str:
    """The first two names, those of the published method before others, and the number of others."""
    first = sorted(names, key=lambda name: (name not in PUBLISHED_INDICES, name))
    return ", ".join(first[:2]) + (f" and {len(first) - 2} more" if len(first) > 2 else "")


def recommend(
    *wanted: str, adjusted: bool | None = None, open_counts: bool = False, family: str | None = None
) -> Recommendation:
    """Indices that have all that is needed, raw or corrected for chance, with what is known of each.

    Parameters
    ----------
    *wanted : str
        What is needed: keys of the properties that the catalogue proves or refutes, such as ``"monotone"``,
        and ``"bounded"``, ``"exact_mean"``, ``"exact_law"``, ``"unbiased_selection"``. With none, the result
        shows what can be asked.
    adjusted : bool, optional
        Scores corrected for chance alone, or raw indices alone; left out, both.
    open_counts : bool
        Whether an index also counts where something is open: neither proved nor refuted.
    family : str, optional
        Indices of one family; see `list_indices`.

    Returns
    -------
    Recommendation
        A short table; its `why_not` tells of any index what it lacks.

    Raises
    ------
    ValueError
        If there is no such need, or no such family.

    Notes
    -----
    An index counts by what is proved, refuted by a counterexample, or measured. The statements are
    those of Gösgens, Tikhonov & Prokhorenkova (2021), PMLR 139, and others that `needs` spells out; how
    ``"unbiased_selection"`` was measured, `experiments/selection_bias` says.

    Examples
    --------
    >>> found = recommend("exact_mean", "exact_law", "symmetric", "constant_baseline", adjusted=True)
    >>> found.names[0]
    'adjusted_fowlkes_mallows, adjusted'
    >>> print(found.why_not("jaccard", adjusted=True))
    jaccard, adjusted: exact_mean is refuted: by quadrature, with a bound of its error, where it is smooth;
    simulated elsewhere
    """
    known = needs()
    for need in wanted:
        if need not in known:
            listed = ", ".join(map(repr, known))
            raise ArgumentValueError(
                "need", f"must be one of {listed}; got {need!r}.{did_you_mean(need, known)}"
            )
    yes_or_no("adjusted", adjusted)
    if family is not None:
        one_of("family", family, FAMILIES[:-1])
    families = FAMILIES[:-1] if family is None else (family,)
    looked_at = _all_of(families, adjusted)
    if not wanted:
        return Recommendation(needs=(), found=(), asked=len(looked_at))
    found = []
    for index, form, equal in looked_at:
        answers = tuple(answer(need, index, adjusted=form) for need in wanted)
        if all(each.may_hold if open_counts else each.holds for each in answers):
            found.append(Recommended(index=index, adjusted=form, answers=answers, equivalents=equal))
    found.sort(key=lambda each: (sum(not one.holds for one in each.answers), each.index, each.adjusted))
    return Recommendation(needs=tuple(wanted), found=tuple(found), asked=len(looked_at))


def _all_of(families: Sequence[str], adjusted: bool | None) -> list[tuple[str, bool, tuple[str, ...]]]:
    """Raw indices, and one corrected for each class of equal scores, with the others of its class.

    Where both are asked for, an index that is the same corrected and raw is there once, corrected.
    """
    found: list[tuple[str, bool, tuple[str, ...]]] = []
    if adjusted is not True:
        names = [name for each in families for name in list_indices(each)]
        found += [
            (name, False, ())
            for name in names
            if adjusted is False or not is_its_own_correction(get_index(name))
        ]
    if adjusted is not False:
        classes: Mapping[str, tuple[str, ...]] = corrected_classes(families)
        for name, members in classes.items():
            first = name if name in members else members[0]
            found.append((first, True, tuple(member for member in members if member != first)))
    return found
