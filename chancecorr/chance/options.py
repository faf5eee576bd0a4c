"""How tables are simulated: what is passed as `method` for more than a number of tables."""

import os
from dataclasses import dataclass
import functools
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, TypedDict, TypeVar, cast, get_args
import numpy as np
from chancecorr.arguments import (
    Alternative,
    ArgumentTypeError,
    ArgumentValueError,
    above_zero,
    as_count,
    as_number,
    did_you_mean,
    one_of,
    yes_or_no,
)
from chancecorr.budget import Budget, as_budget
from chancecorr.chance.methods import METHODS, Method, MethodName
from chancecorr.null.models import Model, get_model
from chancecorr.null.seeding import RNG, as_entropy, seed_from, seed_of_number
from chancecorr.simulation.sequential import MOST_TABLES, PUBLISHED_TABLES
from chancecorr.simulation.workers import as_jobs
from chancecorr.tables.left_out import Missing, NoiseOfSides


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarlo:
    """Settings of a simulation, passed as ``method=MonteCarlo(...)``.

    Parameters
    ----------
    n_tables : int, optional
        Number of simulated tables, by default 17,000; with a `precision`, the most there may be, by default
        ten million.
    precision : float, optional
        Half-width of the 99 % confidence interval of the expected index, for each index, in place of a number
        of tables. A mean that is known exactly meets it at once; 17,000 tables then give the distribution.
    controls : bool, optional
        Whether a simulated mean is corrected by control variates with exact means, T or a sum over cells. By
        default where not everything is simulated.
    checkpoint : path, optional
        File that keeps a long simulation, for one process at a time: written every 10 s or so, at the end,
        and at Ctrl-C. The same call goes on from it, and gives the same bits as a call that was never
        interrupted; with a larger `n_tables`, or again with a `budget`, it draws more. It needs an `rng`. A
        file that is damaged or of another run is refused and left as it is.
    progress : bool, optional
        Progress bar on stderr; by default on a terminal if the work takes longer than a second.
    only : bool
        Whether mean and p-value are those of the tables, as in the published method (``"monte-carlo"``); else
        what is known exactly is taken as it is (``"auto"``), and tables give the rest.

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
    only: bool = True

    @property
    def name(self) -> str:
        """The method that these are settings of."""
        return "monte-carlo" if self.only else "auto"


F = TypeVar("F", bound=Callable[..., Any])

OwnBest = TypeVar("OwnBest", bound=float | None)

Best = float | Literal["mean"] | Model | None
"""What `best` asks for; ``"model"`` is the model itself."""


class NullOptions(TypedDict, total=False):
    """Keywords that say how a null distribution is found."""

    method: MethodName | MonteCarlo
    n_tables: int | None
    rng: RNG
    n_jobs: int | None
    model: str
    budget: float | Budget | None


class Options(NullOptions, total=False):
    """Keywords of a null distribution, and those that say how a score is compared with it."""

    best: Best
    alternative: Alternative | None


class ReadingOptions(TypedDict, total=False):
    """Keywords that say how labels are read."""

    noise: NoiseOfSides
    missing: Missing


class LabelOptions(Options, ReadingOptions, total=False):
    """All keywords of `adjust`."""

    strata: Any
    weights: Any


NULL_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"method": "auto", "n_tables": None, "rng": None, "n_jobs": None, "model": "permutation", "budget": None}
)
DEFAULTS: Mapping[str, Any] = MappingProxyType({**NULL_DEFAULTS, "best": None, "alternative": None})
MANY_DEFAULTS: Mapping[str, Any] = MappingProxyType({**DEFAULTS, "progress": None})
"""Keywords of functions of many clusterings."""
MEAN_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(("best", "n_tables", "rng", "n_jobs", "budget"))
)
READING_DEFAULTS: Mapping[str, Any] = MappingProxyType({"noise": None, "missing": "raise"})
ELSEWHERE: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("seed", "random_state"), "rng")
    | dict.fromkeys(("metric", "score", "measure"), "index")
    | dict.fromkeys(("n_permutations", "n_resamples", "n_samples", "n_iter"), "n_tables")
    | {"workers": "n_jobs", "level": "confidence", "confidence_level": "confidence"}
)
"""Keywords of other libraries, and ours."""
SIMULATION = ("precision", "controls", "checkpoint", "progress")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """All that is asked, as in `adjust`, checked; everything below the public functions takes this."""

    method: Method
    n_tables: int
    n_jobs: int | None
    model: Model
    progress: bool | None
    precision: float | None
    controls: bool | None
    budget: Budget
    n_tables_is_limit: bool  # whether tables may be fewer, to keep within the budget
    given_seed: int | np.uint64  # the number that `rng` is, drawn if it was left out; else 64 bits from it
    checkpoint: str | None = None
    best: Best = None
    alternative: Alternative | None = None
    sharers: int = 1  # answers among which the seconds that were given are divided

    @property
    def seed(self) -> np.uint64:
        """64-bit seed of all that is drawn."""
        return seed_of_number(self.given_seed) if isinstance(self.given_seed, int) else self.given_seed

    @property
    def whole_seed(self) -> int | None:
        """Number that, as `rng`, draws the same again."""
        return self.given_seed if isinstance(self.given_seed, int) else None

    def best_or(self, own: OwnBest) -> float | OwnBest:
        """`best` where it can be nothing but a number, or the best value that the index has of its own."""
        if self.best is None or isinstance(self.best, Real):
            return own if self.best is None else float(self.best)
        given = "model" if isinstance(self.best, Model) else self.best
        raise ArgumentValueError(
            "best", f"must be a number or None, unless two partitions have a table of counts; got {given!r}."
        )

    def split_budget(self, calls: int) -> "Request":
        """Request with its seconds divided by the number of calls that share them."""
        if self.budget.seconds is None:
            return self
        calls = max(calls, 1)
        budget = replace(self.budget, seconds=self.budget.seconds / calls)
        method = METHODS[self.method.name].within(budget)
        return replace(self, budget=budget, method=method, sharers=calls * self.sharers)


def request(options: Mapping[str, Any]) -> Request:
    """Request from the keywords of a public function, each checked by its name."""
    given = {**dict.fromkeys(SIMULATION), **DEFAULTS, **options}
    settings = given["method"]
    if isinstance(settings, MonteCarlo):
        fields = {name: getattr(settings, name) for name in ("n_tables", *SIMULATION)}
        given |= {name: value for name, value in fields.items() if value is not None}
        given["method"] = settings.name
    one_of("method", given["method"], METHODS)
    if given["alternative"] is not None:
        one_of("alternative", given["alternative"], get_args(Alternative))
    precision = above_zero("precision", given["precision"])
    budget = as_budget(given["budget"])
    n_tables, rng = given["n_tables"], given["rng"]
    if rng is None:
        rng = int.from_bytes(os.urandom(4))
    if n_tables is None:
        n_tables = PUBLISHED_TABLES if precision is None else MOST_TABLES
    model = get_model(given["model"])
    return Request(
        method=METHODS[given["method"]].within(budget),
        model=model,
        n_tables=as_count("n_tables", n_tables),
        n_jobs=as_jobs(given["n_jobs"]),
        progress=yes_or_no("progress", given["progress"]),
        precision=precision,
        controls=yes_or_no("controls", given["controls"]),
        budget=budget,
        n_tables_is_limit=budget.seconds is not None or (given["n_tables"] is None and precision is None),
        checkpoint=_as_checkpoint(given["checkpoint"], given["rng"]),
        best=_as_best(given["best"], model),
        alternative=given["alternative"],
        # last, because it advances a Generator
        given_seed=as_entropy(rng) if hasattr(rng, "__index__") else seed_from(rng),
    )


def require_no_settings(asked: Request, what: str) -> None:
    """Raise if a checkpoint or a precision is asked for, which are of tables of two partitions."""
    if asked.checkpoint is not None or asked.precision is not None:
        raise ArgumentValueError("method", f"must have no checkpoint and no precision for {what}.")


def request_of_many(options: Mapping[str, Any]) -> Request:
    """Request of a function of many clusterings, whose simulations cannot share a checkpoint."""
    asked = request(options)
    if asked.checkpoint is not None:
        raise ArgumentValueError("checkpoint", "must be None for many clusterings: it is of one simulation.")
    return asked


def keywords(defaults: Mapping[str, Any]) -> Callable[[F], F]:
    """Decorator for a function with ``**options``: these keywords, shown in its help, and no others."""

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        named = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        kind = inspect.Parameter.KEYWORD_ONLY
        listed = [inspect.Parameter(name, kind, default=default) for name, default in defaults.items()]
        signature = own.replace(parameters=[*named, *listed])

        @functools.wraps(function)
        def checked(*arguments: Any, **given: Any) -> Any:
            for name in given:
                if name not in signature.parameters:
                    known = ELSEWHERE.get(name, name)
                    near = did_you_mean(
                        known if known in signature.parameters else name, signature.parameters
                    )
                    if name in SIMULATION and "method" in defaults:
                        near = f" Pass method=MonteCarlo({name}=...)."
                    raise TypeError(f"`{function.__name__}` has no keyword {name!r}.{near}")
            return function(*arguments, **given)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        return cast(F, checked)

    return decorate


def _as_checkpoint(checkpoint: object, rng: RNG) -> str | None:
    """Path of a file in a folder that exists, or None; a seed has to come with it."""
    if checkpoint is None:
        return None
    if not isinstance(checkpoint, str | os.PathLike):
        raise ArgumentTypeError("checkpoint", f"must be the path of a file, or None; got {checkpoint!r}.")
    path = os.path.realpath(os.fsdecode(checkpoint))
    if not os.path.isdir(os.path.dirname(path)) or (os.path.exists(path) and not os.path.isfile(path)):
        raise ArgumentValueError(
            "checkpoint", f"must be a file in a folder that exists; got {os.fsdecode(checkpoint)!r}."
        )
    if rng is None:
        raise ArgumentValueError(
            "rng", "must be given with a `checkpoint`, so that the next call goes on with it.", "checkpoint"
        )
    return path


def _as_best(best: object, model: Model) -> Best:
    """A finite number, "mean", the model, or None."""
    if isinstance(best, Real) and not isinstance(best, bool):
        return as_number("best", best)
    if best is None or (isinstance(best, str) and best == "mean"):
        return cast(Best, best)
    if isinstance(best, str) and best == "model":
        return model
    error = ArgumentValueError if isinstance(best, str) else ArgumentTypeError
    raise error("best", f"must be a number, 'mean', 'model' or None; got {best!r}.")
