"""Options of the commands, made from signatures and docstrings of public functions, and what they mean."""

import argparse
import inspect
import operator
import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import chancecorr
from chancecorr.cli.columns import Reading
from chancecorr.cli.communities import FORMATS
from chancecorr.cli.rows import SEPARATORS, load_array
from chancecorr.indices.registry import FAMILIES, find_named, find_registered
from chancecorr.machine.arguments import suggest_name
from chancecorr.sampling.models import MODELS

FLAGS = {"rng": "--seed", "n_jobs": "--jobs", "layout": "--format"}  # not called as the keyword is

PYTHON_ONLY = "drop", "progress", "weights"  # keywords that are no options

HELP = {
    "index": "What measures agreement; see chancecorr indices.",
    "family": f"One of {', '.join(FAMILIES)}.",
    "method": "The most exact way affordable, the same with a search for small p-values, moments only, the"
        " whole law, or simulation.",
    "model": f"What chance means: {', '.join(MODELS)}.",
    "noise": "What a noise label means: keep (a cluster), drop (objects to leave out), singletons (a cluster"
        " for each); two words with a comma are of TRUE and of the others.",
    "n_jobs": "Workers, as in joblib: -1 for all processors.",
    "rng": "Same seed, same result; left out, one is drawn.",
}  # fmt: skip
"""What options mean whose docstring speaks to Python; for all others its first sentence is taken."""

OF_COMMANDS: dict[str, dict[str, Any]] = {
    "data": {"metavar": "FILE", "help": "One file of all; the arguments are then names of its columns."},
    "header": {"action": argparse.BooleanOptionalAction,
        "help": "Whether the first line of files of text holds names of columns, which are 1, 2, ... without."
        " [default: it does; an error if it may hold labels]"},
    "layout": {"metavar": "|".join(FORMATS), "choices": FORMATS,
        "help": "What a file of text without a named column holds: labels, a community in each line, or nodes"
        " with their communities. [default: looked for; an error if it may be several]"},
    "overlap": {"action": "store_true",
        "help": "Communities overlap, although no file has more than one node in several; so says an index of"
        " clusters that overlap, too."},
    "sep": {"metavar": "|".join(SEPARATORS), "choices": SEPARATORS,
        "help": "What parts the cells of files of text. [default: looked for]"},
    "key": {"metavar": "COLUMN",
        "help": "The column by which rows of several files are matched, such as a barcode; none takes rows as"
        " they stand."},
    "noise_label": {"metavar": "LABEL", "default": "-1", "help": "The label of noise, as DBSCAN gives it."},
    "draws": {"metavar": "FILE.npy",
        "help": "Draws of the candidate in place of a model: rows of an array that numpy.save wrote, each a"
        " permutation of the objects or new labels, in the order of the rows of a table."},
    "by": {"metavar": "COLUMN", "help": "The data set of each object; means over data sets are compared."},
    "json": {"action": "store_const", "const": "json", "dest": "form",
        "help": 'Print JSON: null for nan, "Infinity" and "-Infinity" for infinite numbers.'},
    "csv": {"action": "store_const", "const": "csv", "dest": "form",
        "help": "Print CSV with a header line; text like a formula gets an apostrophe before it."},
    "bibtex": {"action": "store_const", "const": "bibtex", "dest": "form",
        "help": "Print entries for a bibliography, in UTF-8."},
    "output": {"metavar": "FILE", "default": "report.html",
        "help": "Where to write; - is standard output."},
}  # fmt: skip
"""Options that no public function has: of files, and of what is printed."""

LAYOUT = "header", "sep"
FILES = "data", "layout", "overlap", *LAYOUT, "key", "noise_label"
TABLES = "precision", "checkpoint"
FORMS = "json", "csv"


@dataclass(frozen=True, slots=True)
class Command:
    """A function that takes options by name, and what its options and its help are made of."""

    run: Callable[..., None]
    arguments: Sequence[str]  # names, in which a last ? or * or + says how many there may be
    of: str = ""  # the public function whose keywords are options
    more: Sequence[str] = ()  # names of settings of `MonteCarlo` and of `OF_COMMANDS`


class Parser(argparse.ArgumentParser):
    """Reads the words of one command; what it prints is its help alone."""

    def __init__(self, name: str, command: Command) -> None:
        about, heading, examples = (inspect.getdoc(command.run) or "").partition("For example:\n")
        super().__init__(
            prog=f"chancecorr {name}",
            description=about.rstrip(),
            epilog=heading + examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self._negative_number_matcher = re.compile(r"-\d|-:.")  # -:COLUMN is no option either
        self.flags: dict[str, str] = {}  # by the keyword
        for argument in command.arguments:
            number = argument[-1] if argument[-1] in "?*+" else None
            metavar = argument.rstrip("?*+")
            self.add_argument(
                metavar.lower(), metavar=metavar, nargs=number, default="" if number == "?" else None
            )
        public: Any = operator.attrgetter(command.of)(chancecorr) if command.of else None
        keywords = inspect.signature(public).parameters if public else {}
        for name, keyword in keywords.items():
            if keyword.default is not keyword.empty and name not in PYTHON_ONLY:
                self._add_option(name, **_describe_keyword(public, keyword))
        settings = inspect.signature(chancecorr.MonteCarlo).parameters
        for name in command.more:
            of_tables = name in settings and _describe_keyword(chancecorr.MonteCarlo, settings[name])
            self._add_option(name, **(of_tables or OF_COMMANDS[name]))

    def _add_option(self, name: str, **about: Any) -> None:
        """An option, whose default is added to its help."""
        self.flags[name] = FLAGS.get(name, f"--{name.replace('_', '-')}")
        default = about.get("default")
        shown = f" [default: {default}]" if default else ""
        about["help"] = (about["help"] + shown).replace("%", "%%")
        short = ["-o"] if name == "output" else []
        self.add_argument(*short, self.flags[name], **{"dest": name} | about)

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Values of all arguments and options by name, which may stand in any order."""
        options, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            hint = suggest_name(unknown[0], self.flags.values())
            hint = " `chancecorr compare` has it." if unknown[0].startswith("--groups") else hint
            raise ValueError(f"No option or argument {unknown[0]!r}.{hint} Try '{self.prog} --help'.")
        return vars(options)

    def error(self, message: str) -> Any:
        """Raise what `run` prints in one line."""
        raise ValueError(f"{message[:1].upper()}{message[1:]}. Try '{self.prog} --help'.")


def _describe_keyword(public: Any, keyword: inspect.Parameter) -> dict[str, Any]:
    """What `add_argument` takes for a keyword of a public function, by its annotation and its docstring."""
    about = {
        "default": keyword.default,
        "help": HELP.get(keyword.name) or _find_sentence(public, keyword.name),
    }
    kind = keyword.annotation
    kinds = (kind,) if get_origin(kind) in (None, Literal) else get_args(kind)
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    if bool in kinds:
        return about | {"action": "store_true"}
    if int in kinds or keyword.name == "rng":
        return about | {"type": int, "metavar": "N"}
    if float in kinds:
        return about | {"type": _read_number if words else float, "metavar": "|".join(["NUMBER", *words])}
    if words and keyword.default is not None and type(None) in kinds:
        metavar = "|".join([*words, "none"])
        return about | {"type": lambda text: None if text == "none" else text, "metavar": metavar}
    if Any in kinds:
        return about | {"metavar": "COLUMN"}
    if any(get_origin(kind) is Sequence for kind in kinds):
        return about | {"action": "append", "default": [], "metavar": "NAME,NAME,..."}
    return about | {"metavar": "|".join(words) or {"checkpoint": "FILE"}.get(keyword.name, "NAME")}


def _find_sentence(public: Any, name: str) -> str:
    """The first sentence on a parameter in the docstring of a function, or in the one that it refers to."""
    text = inspect.getdoc(public) or ""
    found = re.search(rf"^(?:\w+, )*{name}(?:, \w+)*(?: :.*)?\n((?:    .*\n)+)", text, re.MULTILINE)
    text = " ".join(found[1].split()).replace("``", "") if found else ""
    text = re.sub(r"; see `\w+`", "", text)
    other = re.match(r"As in `(\w+)`", text)
    if other:
        return _find_sentence(getattr(chancecorr, other[1]), name)
    return f"{text.partition('. ')[0].rstrip('.')}."


def _read_number(text: str) -> float | str:
    """A number if the text writes one; else the word, which is checked inside."""
    try:
        return float(text)
    except ValueError:
        return text


def read_names(texts: Sequence[str], called: str = "--index") -> list[str]:
    """Names between commas outside of parentheses in some texts; an error names them as `called`."""
    names = [name.strip() for text in texts for name in [*_split_outside_parentheses(text)][::-1]]
    if not all(names):
        raise ValueError(f"`{called}` must be names separated by commas; got {' '.join(texts)!r}.")
    published = {"published": chancecorr.PUBLISHED_INDICES}
    return [item for name in names for item in published.get(name, (name,))]


def _split_outside_parentheses(text: str) -> Iterator[str]:
    """Parts of a text between commas that stand outside of parentheses, the last part first."""
    end, mark = len(text), ""
    for place in range(len(text) - 1, -1, -1):
        if text[place] in "()":
            mark = text[place]
        elif text[place] == "," and mark != ")":
            yield text[place + 1 : end]
            end = place
    yield text[:end]


def _is_of_covers(index: str | Sequence[str] | None) -> bool:
    """Return True if one of the indices named is made for clusters that overlap, as omega and ONMI are."""
    names = read_names([index] if isinstance(index, str) else index or [])
    entries = (find_registered(find_named(name) or name) for name in names)
    return any(entry is not None and "cover" in entry.takes for entry in entries)


def prepare(options: dict[str, Any]) -> tuple[Reading, int]:
    """How files are read, by options that are taken out of all, and the seed, drawn if there is none.

    What goes with simulated tables becomes a method.
    """
    separator, noise = options.pop("sep"), options.pop("noise", None)
    reading = Reading(
        header=options.pop("header"),
        separator=separator and SEPARATORS[separator],
        missing=options.pop("missing", "raise"),
        noise=tuple(noise.split(",")) if noise else (),
        noise_label=options.pop("noise_label", "-1"),
        key=options.pop("key", None),
        layout=options.pop("layout", None),
        has_draws=options.get("draws") is not None,
        overlap=options.pop("overlap", False) or _is_of_covers(options.get("index")),
    )
    draws = options.pop("draws", None)
    if draws is not None:
        rows = load_array(draws, "--draws")
        options["model"] = chancecorr.Draws(rows, name=os.path.basename(draws))
    settings = {name: options.pop(name, None) for name in ("precision", "checkpoint")}
    settings = {name: value for name, value in settings.items() if value is not None}
    if options["rng"] is None:
        if "checkpoint" in settings:
            raise ValueError("`--seed` must be given with `--checkpoint`, so that the next command has it.")
        options["rng"] = secrets.randbits(32)
    if settings:
        if options["method"] not in ("auto", "monte-carlo"):
            raise ValueError(
                f"`--{next(iter(settings))}` is of simulated tables; got --method {options['method']}."
            )
        options["method"] = chancecorr.MonteCarlo(**settings, only=options["method"] == "monte-carlo")
    return reading, int(options["rng"])
