"""Checks of arguments that several public functions share, and errors that name an argument."""

import functools
import json
import math
import operator
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, Literal, SupportsIndex, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
# a misspelling is looked for in texts up to this length, because that takes the square of the length
MAX_CHARACTERS_OF_A_WORD = 200
# values that count as extreme
Alternative = Literal["greater", "less", "two-sided"]


class ArgumentError(Exception):
    """An argument breaks a rule: ``"`argument` must <rule>; got <value>. <What to do.>"``.

    `text` follows the argument's name. `others` are further arguments that `text` names between backquotes.
    `remedy` is an argument, a value to pass for it, and the effect.
    """

    def __init__(
        self, argument: str, text: str, *others: str, remedy: tuple[str, str, str] | None = None
    ) -> None:
        text = " ".join(line.strip() for line in text.splitlines())  # a value's repr may have several lines
        self.argument, self.text, self.others, self.remedy = argument, text, others, remedy
        last = f' Pass {remedy[0]}="{remedy[1]}" to {remedy[2]}.' if remedy else ""
        super().__init__(f"`{argument}` {text}{last}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with all attributes, because workers return errors."""
        return functools.partial(type(self), remedy=self.remedy), (self.argument, self.text, *self.others)

    def in_words_of(self, names: dict[str, str], *, option: str) -> str:
        """Return the message with other names of arguments; `option` is a format such as "{name} {value}"."""
        text = f"`{self.argument}` {self.text}"
        for name in (self.argument, *self.others):
            text = text.replace(f"`{name}`", f"`{names.get(name, name)}`")
        if not self.remedy:
            return text
        argument, value, effect = self.remedy
        return f"{text} Pass {option.format(name=names.get(argument, argument), value=value)} to {effect}."


class ArgumentValueError(ArgumentError, ValueError):
    """An argument has a wrong value."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument has a wrong type."""


def as_count(name: str, value: SupportsIndex, minimum: int = 1) -> int:
    """Return a whole number not below `minimum`; floats such as 1e4 are accepted."""
    if isinstance(value, bool):
        raise ArgumentTypeError(name, f"must be a whole number; got {value!r}.")
    try:
        is_whole = isinstance(value, Real) and value == value // 1  # not for nan and inf
        count = int(value) if is_whole else operator.index(value)
    except TypeError:
        raise ArgumentTypeError(name, f"must be a whole number; got {value!r}.") from None
    if count < minimum:
        raise ArgumentValueError(name, f"must be at least {minimum}; got {count}.")
    return count


def as_positive(name: str, value: object, what: str = "a number", most: float = sys.float_info.max) -> float:
    """Return a number above 0 as a float."""
    rule = f"must be {what} above 0, or None; got {value!r}."
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ArgumentTypeError(name, rule)
    number: Any = value
    if not 0.0 < number <= most:
        raise ArgumentValueError(name, rule)
    return float(number)


def as_number(name: str, value: object) -> float:
    """Return a real number as a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ArgumentTypeError(name, f"must be a number; got {value!r}.")
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentValueError(name, "must be a number below 1.8e308; got a larger one.") from None
    if math.isnan(number):
        raise ArgumentValueError(name, f"must be a number; got {value!r}.")
    return number


def as_level(name: str, value: object) -> float:
    """Return a number strictly between 0 and 1, such as a confidence level."""
    number = as_number(name, value)
    if not 0.0 < number < 1.0:  # also False for nan
        raise ArgumentValueError(name, f"must lie between 0 and 1; got {value}.")
    return number


def as_bool(name: str, value: object) -> bool | None:
    """Return True, False or None."""
    if value is None or isinstance(value, bool):
        return value
    raise ArgumentTypeError(name, f"must be True, False or None; got {value!r}.")


def check_choice(name: str, value: object, allowed: Iterable[str | None]) -> None:
    """Raise if `value` is not among the allowed words."""
    words = list(allowed)
    if not (value is None or isinstance(value, str)) or value not in words:
        listed = ", ".join(repr(word) for word in words)
        meant = read_words()["values"].get(name, {}).get(value.lower()) if isinstance(value, str) else None
        hint = f" {meant}" if meant else suggest_name(value, words)
        raise ArgumentValueError(name, f"must be one of {listed}; got {value!r}.{hint}")


def suggest_name(value: object, words: Iterable[str | None], cutoff: float = 0.6) -> str:
    """Return " Did you mean 'x'?" with the nearest word, or an empty text if no word is near."""
    if not isinstance(value, str) or len(value) > MAX_CHARACTERS_OF_A_WORD:
        return ""
    import difflib

    near = difflib.get_close_matches(value.lower(), [word for word in words if word], n=1, cutoff=cutoff)
    return f" Did you mean {near[0]!r}?" if near else ""


OF_OBJECTS = ("labels_true", "labels_pred", "candidates", "clusterings", "groups", "strata", "weights")
"""Arguments that may be columns of a table with one row for each object."""


def explain_call(function: F) -> F:
    """Return the function, but with column names accepted after a frame or an AnnData (its ``.obs``).

    For an unknown keyword or a single clustering, the error says what to pass.
    """
    name, code = function.__name__, function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    needs_two = known[1:2] == ("labels_pred",) and code.co_argcount - len(function.__defaults__ or ()) > 1

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for word in keywords:
            if word not in known:
                raise TypeError(f"`{name}` has no keyword {word!r}.{_find_argument(word, known)}")
        # the frame whose columns are named by other arguments, and the frame's name in messages
        frame, where = None, ""
        first: Any = arguments[0] if arguments and known[0] in OF_OBJECTS else None
        if hasattr(getattr(first, "obs", None), "columns"):
            frame, where = first.obs, "`.obs`"
        elif hasattr(type(first), "columns") and len(getattr(first, "shape", ())) == 2:
            has_names = "labels_true" in keywords or any(isinstance(name, str) for name in arguments[1:2])
            if has_names and known[0] == "labels_true":
                frame, where = first, "the frame"
        if where:
            take = functools.partial(_take_columns, frame, where)
            arguments = tuple(map(take, known, arguments[1:]))
            keywords = {word: take(word, given) for word, given in keywords.items()}
        if len(arguments) == 1 and needs_two and not keywords.keys() & {*known[:2]}:
            counts = "`score_table`" if name == "score" else "`adjust_table`"
            raise TypeError(f"`{name}` must have two clusterings; got one. A table of counts: {counts}.")
        if known[1:2] == ("candidates",) and len(arguments) == 1 and "candidates" not in keywords:
            listed = ", ".join(map(repr, getattr(frame, "columns", ())[:20]))
            advice = f" Pass names of columns of {where}: {listed}." * bool(where)
            raise TypeError(f"`{name}` must have `candidates`; got a reference alone.{advice}")
        if known[:1] == ("margins",) and len(arguments) > 1 and isinstance(arguments[1], list | tuple):
            sizes = f"`{name}(({arguments[0]!r}, {arguments[1]!r}), ...)`"
            raise TypeError(f"`{name}` must have both sides' cluster sizes as one pair. Pass {sizes}.")
        return function(*arguments, **keywords)

    return cast(F, call)


def _take_columns(frame: Any, where: str, argument: str, given: Any) -> Any:
    """Return the columns of a data frame by their names; other arguments are returned unchanged."""
    names = [given] if isinstance(given, str) else given
    if argument not in OF_OBJECTS or (argument == "weights" and given == "reference"):
        return given
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        return given
    # test the type, because the frame may have a column of this name
    is_arrow = hasattr(type(frame), "column_names")
    columns = frame.column_names if is_arrow else frame.columns
    for name in names:
        if name not in columns:
            listed = ", ".join(map(repr, columns[:20]))
            hint = f"{suggest_name(name, map(str, columns))} Columns: {listed}."
            raise ArgumentValueError(argument, f"must name columns of {where}; got {name!r}.{hint}")
    if argument not in ("candidates", "clusterings"):
        return frame[given]
    return frame.select(list(names)) if is_arrow else frame[list(names)]


class UnknownNameError(AttributeError):
    """Error that looks for advice only when it is shown, so that `hasattr` does no work."""

    def __init__(self, text: str, name: str, find_advice: Callable[[str], str]) -> None:
        super().__init__(text, name=name)
        self._find_advice = find_advice

    def __str__(self) -> str:
        return f"{self.args[0]}{self._find_advice(str(self.name))}"

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def find_attribute(result: object, name: str) -> str:
    """Return a text that suggests the intended attribute of a result, or of the scores in it."""
    name = read_words()["attributes"].get(name, name)
    path, member = "", result
    while name not in dir(member) and isinstance(member, Mapping) and len(member):
        key = next(iter(member))
        path, member = f"{path}[{key!r}]", member[key]
    if name in dir(member):
        return f" Each score has one: `result{path}.{name}`." if path else f" Did you mean {name!r}?"
    return suggest_name(name, [word for word in dir(result) if not word.startswith("_")], 0.75)


def read_words() -> dict[str, Any]:
    """Read which words of other programs mean which keyword, function or value."""
    words: dict[str, Any] = json.loads(pkgutil.get_data("chancecorr.machine", "keywords.json") or "")
    return words


def _find_argument(word: str, known: Iterable[str]) -> str:
    """Return a text that suggests the intended argument, or names the function that has it."""
    words = read_words()
    if word in words["taken_by"]:
        return f" It is an argument of {words['taken_by'][word]}."
    meant = words["called_elsewhere"].get(word)
    return f" Did you mean {meant!r}?" if meant in known else suggest_name(word, known, 0.75)


def name_kind(value: object) -> str:
    """Return the type of a value with its article, for messages."""
    kind = type(value).__name__
    columns = ", whose columns are in `.obs`" * hasattr(value, "obs")  # an AnnData
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}{columns}"


def find_imported(name: str) -> Any:
    """Return an imported module, or None if it is not imported, or not completely."""
    module = sys.modules.get(name)
    return None if getattr(getattr(module, "__spec__", None), "_initializing", False) else module


def import_pandas() -> Any:
    """Import pandas, or raise an error that names the extra."""
    try:
        import pandas
    except ImportError:
        raise ImportError("A frame needs pandas: pip install 'chancecorr[pandas]'") from None
    return pandas


def count_levels_to_caller() -> int:
    """Count the calls up to the first frame outside the package, for `warnings.warn`."""
    level, frame = 1, sys._getframe(1)
    inside = ("chancecorr", "numba", "contextlib", "functools")
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        level, frame = level + 1, frame.f_back
    return level


def as_entropy(rng: object) -> int:
    """Return the whole number that `rng` is; raise if it is not one, or is below 0."""
    try:
        entropy = operator.index(rng)  # type: ignore[arg-type]
    except TypeError:
        is_legacy = type(rng).__name__ == "RandomState"
        way_out = " Pass `numpy.random.default_rng(seed)`." if is_legacy else ""
        raise ArgumentTypeError(
            "rng",
            "must be None, a whole number, a SeedSequence or a Generator; "
            f"got {rng!r} of type {type(rng).__name__}.{way_out}",
        ) from None
    if entropy < 0:
        raise ArgumentValueError("rng", f"must not be negative; got {entropy}.")
    return entropy
