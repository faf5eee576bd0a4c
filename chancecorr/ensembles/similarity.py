"""The old door for clusterings that are no partition; `adjust` takes them now."""

from typing import Any, cast

from chancecorr.arguments import Alternative, ArgumentValueError, one_of, warn_of_old_name
from chancecorr.clusterings.cover import Cover
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.similarity import Similarity
from chancecorr.correction.adjust import adjust
from chancecorr.correction.scores import AdjustedScore

KINDS = ("labels", "membership", "similarity", None)


def adjust_similarity(
    P: Any,
    Q: Any,
    *,
    index: str = "rand",
    kind: Any = None,
    alternative: Alternative = "greater",
    n_permutations: int = 999,
    rng: Any = None,
    n_jobs: int | None = None,
) -> AdjustedScore:
    """Agreement of two clusterings of any kind, corrected for chance: `adjust` does this now.

    Parameters
    ----------
    P, Q : array-like
        Labels, memberships or similarities of the same objects.
    index : {"rand", "fuzzy_rand", "omega"}
        As in `adjust`.
    kind : {"labels", "membership", "similarity"}, or a pair of them, optional
        What a two-dimensional `P` or `Q` holds; `Membership`, `Cover` and `Similarity` say it now.
    alternative, n_permutations, rng, n_jobs
        As in `adjust`, where the number of permutations is `n_tables`.

    Returns
    -------
    AdjustedScore
        As of `adjust`.

    Raises
    ------
    ValueError, TypeError
        As by `adjust`.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     round(adjust_similarity([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]).adjusted, 12)
    0.242424242424
    """
    warn_of_old_name("adjust_similarity", "adjust")
    words = tuple(kind) if isinstance(kind, tuple | list) else (kind, kind)
    if len(words) != 2:
        raise ArgumentValueError("kind", f"must be one word, or two for `P` and `Q`; got {kind!r}.")
    for word in words:
        one_of("kind", word, list(KINDS))
    as_cover = index == "omega"
    made = {"membership": Cover if as_cover else Membership, "similarity": Similarity}
    sides = [
        made[word](side, name=name) if word in made and _is_matrix(side) else side
        for name, side, word in zip(("P", "Q"), (P, Q), words, strict=True)
    ]
    options: dict[str, Any] = {"n_tables": n_permutations} if n_permutations else {"method": "analytic"}
    options |= {"alternative": alternative, "rng": rng, "n_jobs": n_jobs}
    return cast(AdjustedScore, adjust(sides[0], sides[1], index, **options))


def _is_matrix(side: Any) -> bool:
    """Whether a side has two dimensions."""
    return len(getattr(side, "shape", ())) == 2 or (isinstance(side, list) and isinstance(side[0], list))
