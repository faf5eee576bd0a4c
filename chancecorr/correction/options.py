"""Check the keywords of `adjust` once: method, budget, seed, workers, model, best value."""

import os
from dataclasses import dataclass
from numbers import Real
from typing import Any, get_args

from chancecorr.chance.models import MODELS
from chancecorr.chance.options import METHODS, Best, MethodName, Options
from chancecorr.machine.arguments import (
    Alternative,
    ArgumentTypeError,
    ArgumentValueError,
    as_bool,
    as_count,
    as_entropy,
    as_number,
    as_positive,
    check_choice,
)
from chancecorr.machine.budget import Budget, as_budget
from chancecorr.machine.printing import resolve_link
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.precision import MOST_TABLES, PUBLISHED_TABLES
from chancecorr.sampling.seeding import RNG, make_seed
from chancecorr.sampling.workers import as_jobs

UNLIMITED = Budget()  # budget without limits


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarlo:
    """Settings of a simulation, passed as ``method=MonteCarlo(...)``.

    Parameters
    ----------
    n_tables : int, optional
        Number of simulated tables, by default 17,000. With a `precision`, the largest number of tables, by
        default ten million.
    precision : float, optional
        Half-width of the 99 % confidence interval for the expected value of each index, instead of a number
        of tables. If the mean is known exactly, 17,000 tables are drawn for the distribution.
    controls : bool, optional
        True to correct a simulated mean by control variates with exact means (T or a sum over cells). By
        default True if not everything is simulated.
    checkpoint : path, optional
        File that stores a long simulation, for one process at a time. It is written about every 10 s, at the
        end, and at Ctrl-C. The same call continues from the file, with the same result as without an
        interruption. With a larger `n_tables`, or another call with a `budget`, more tables are drawn. It
        needs an `rng`. A file that is damaged or belongs to another run is refused and not changed.
    progress : bool, optional
        Progress bar on stderr; by default on a terminal if the work takes longer than a second.
    stop_after : int, optional
        Stop the simulation of one index when this number of draws are as extreme as the data; for slow
        functions. With 10, a p-value of 0.5 takes about 20 draws. The p-value of Besag & Clifford (1991),
        Biometrika 78, 301-304, is valid at any level, because the rule is fixed before the first draw;
        Fischer & Ramdas (2025), arXiv:2401.07365, allow a stop at any time. The mean, and so the adjusted
        score, also comes from these few draws.
    only : bool
        True: mean and p-value come from the tables, as in the published method (``"monte-carlo"``). False:
        numbers that are known exactly are used (``"auto"``), and the tables give the rest.

    Examples
    --------
    >>> from chancecorr import adjust_table
    >>> score = adjust_table([[10, 2], [3, 9]], "jaccard", method=MonteCarlo(n_tables=1000), rng=0)
    >>> score.n_tables, score.method
    (1000, 'monte-carlo')
    """

    n_tables: int | None = None
    precision: float | None = None
    controls: bool | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: bool | None = None
    stop_after: int | None = None
    only: bool = True

    def __post_init__(self) -> None:
        """Check each setting by its name."""
        for name, check in (
            ("n_tables", as_count), ("precision", as_positive), ("controls", as_bool),
            ("progress", as_bool), ("stop_after", as_count),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, check(name, value))
        if self.only not in (True, False):
            raise ArgumentTypeError("only", f"must be True or False; got {self.only!r}.")
        if self.checkpoint is not None and self.stop_after is not None:  # extreme draws are not kept
            raise ArgumentValueError("stop_after", "must be None with a `checkpoint`.", "checkpoint")

    @property
    def name(self) -> str:
        """The name of the method: ``"monte-carlo"`` or ``"auto"``."""
        return "monte-carlo" if self.only else "auto"


def read_options(
    *,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str | Draws = "permutation",
    best: Any = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
) -> Options:
    """Return options from the keywords of a public function; each keyword is checked."""
    precision = controls = checkpoint = stop_after = None
    name: Any = method
    if isinstance(method, MonteCarlo):
        name, precision, controls, stop_after = (
            method.name, method.precision, method.controls, method.stop_after
        )  # fmt: skip
        checkpoint = _as_checkpoint(method.checkpoint, rng)
        if n_tables is not None and method.n_tables is not None:
            raise ArgumentValueError(
                "n_tables", "must be None with `method=MonteCarlo(n_tables=...)`, which sets it.", "method"
            )
        n_tables = n_tables if method.n_tables is None else method.n_tables
        progress = progress if method.progress is None else method.progress
    check_choice("method", name, METHODS)
    if callable(model) and not isinstance(model, Draws):
        rule = "must be the name of a model or `Draws`; got a function. Pass `chancecorr.Draws(function)`."
        raise ArgumentTypeError("model", rule)
    if not isinstance(model, Draws):
        check_choice("model", model, MODELS)
    if alternative is not None:
        check_choice("alternative", alternative, get_args(Alternative))
    limits = UNLIMITED if budget is None else as_budget(budget)
    if n_tables is not None:
        most = as_count("n_tables", n_tables)
    else:
        most = PUBLISHED_TABLES if precision is None else MOST_TABLES
    if rng is None:
        rng = int.from_bytes(os.urandom(4))
    return Options(
        method=METHODS[name],
        model=model if isinstance(model, Draws) else MODELS[model],
        n_tables=most,
        n_jobs=None if n_jobs is None else as_jobs(n_jobs),
        progress=None if progress is None else as_bool("progress", progress),
        precision=precision,
        controls=controls,
        budget=limits,
        n_tables_is_limit=limits.seconds is not None or (n_tables is None and precision is None),
        checkpoint=checkpoint,
        stop_after=stop_after,
        best=None if best is None else _as_best(best),
        alternative=alternative,
        # last, because it advances a Generator
        whole_seed=as_entropy(rng) if hasattr(rng, "__index__") else None,
        word_seed=None if hasattr(rng, "__index__") else make_seed(rng),
    )


def refuse_checkpoint(options: Options) -> None:
    """Raise if a checkpoint is given to a function of many clusterings, which runs many simulations."""
    if options.checkpoint is not None:
        raise ArgumentValueError("checkpoint", "must be None for many clusterings: it keeps one simulation.")


def _as_checkpoint(checkpoint: object, rng: RNG) -> str | None:
    """Return the path of a checkpoint in an existing folder, or None; raise if a seed is missing."""
    if checkpoint is None:
        return None
    if not isinstance(checkpoint, str | os.PathLike):
        raise ArgumentTypeError("checkpoint", f"must be the path of a file, or None; got {checkpoint!r}.")
    path = os.path.realpath(os.fsdecode(checkpoint))
    try:
        resolve_link(os.fsdecode(checkpoint))
    except PermissionError as error:
        rule = f"must be a file of your own; got {os.fsdecode(checkpoint)!r}: {error.strerror}"
        raise ArgumentValueError("checkpoint", f"{rule}. Delete it, or name another file.") from None
    if not os.path.isdir(os.path.dirname(path)) or (os.path.exists(path) and not os.path.isfile(path)):
        raise ArgumentValueError(
            "checkpoint", f"must be a file in a folder that exists; got {os.fsdecode(checkpoint)!r}."
        )
    if rng is None:
        raise ArgumentValueError(
            "rng", "must be given with a `checkpoint`, so that the next call continues it.", "checkpoint"
        )
    return path


def _as_best(best: object) -> Best:
    """Return `best` as a finite number, "mean" or None; raise for other values."""
    if isinstance(best, Real) and not isinstance(best, bool):
        return as_number("best", best)
    if isinstance(best, str) and best == "mean":
        return "mean"
    error = ArgumentValueError if isinstance(best, str) else ArgumentTypeError
    raise error("best", f"must be a number, 'mean' or None; got {best!r}.")
