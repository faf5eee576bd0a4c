"""Options of the commands, made from signatures and docstrings of public functions."""

import argparse
import codecs
import inspect
import operator
import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import chancecorr
from chancecorr.chance import segments
from chancecorr.chance.models import MODELS
from chancecorr.cli.cells import Reading
from chancecorr.cli.communities import FORMATS
from chancecorr.cli.docstrings import read_parameters
from chancecorr.cli.output import FORMS
from chancecorr.cli.rows import SEPARATORS, load_array
from chancecorr.indices.registry import FAMILIES, find_index
from chancecorr.machine.arguments import suggest_name
from chancecorr.sampling.segment_draws import Keep

FLAGS = {"rng": "--seed", "n_jobs": "--jobs", "layout": "--format"}  # other name than the keyword

PYTHON_ONLY = "drop", "progress"  # keywords without an option

NAMES_OF_SIDES = (
    "ref", "reference", "hyp", "hypothesis", "true", "truth", "gold", "pred", "predicted", "prediction",
    "system", "response", "labels-true", "labels-pred", "labels_true", "labels_pred",
)  # fmt: skip
"""Options of other programs for the files of the two sides, which have no option here."""

HELP = {
    "index": "Index of agreement; see chancecorr indices.",
    "family": f"One of {', '.join(FAMILIES)}.",
    "method": "auto: the most exact affordable method; search: the same, and a search for small p-values;"
        " analytic: moments only; exact: the whole null distribution; monte-carlo: simulation.",
    "model": f"Model of chance: {', '.join(MODELS)}; or, for rows in the order of time, segments,"
    " segments(labels) or segments(order), which put the segments of the candidate elsewhere.",
    "noise": "Objects with the noise label: keep (as a cluster), drop (leave them out), singletons (a cluster"
        " for each); two words with a comma between them are for TRUE and for the others.",
    "n_draws": "Number of hard clusterings that are drawn, by default 1,000.",
    "n_jobs": "Number of workers, as in joblib: -1 for all processors.",
    "rng": "The same seed gives the same result; by default a seed is drawn.",
}  # fmt: skip
"""Help of options whose docstring is about Python; other options show the docstring's first sentence."""


def _read_separator(text: str) -> str:
    """Return the mark between cells, given as itself or by its name."""
    mark = SEPARATORS.get(text, {"\\t": "\t"}.get(text, text))
    if mark not in SEPARATORS.values():
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(SEPARATORS)}; got {text!r}")
    return mark


def _read_encoding(text: str) -> str:
    """Return the name of an encoding that Python knows."""
    try:
        return codecs.lookup(text).name
    except LookupError:
        raise argparse.ArgumentTypeError(
            f"must be an encoding, such as utf-8 or cp1252; got {text!r}"
        ) from None


OTHER_VALUES = {"checkpoint": "FILE", "noise": "keep|drop|singletons"}
"""What an option takes if its annotation does not say it."""

OF_COMMANDS: dict[str, dict[str, Any]] = {
    "data": {"metavar": "FILE",
        "help": "One file with all clusterings; the arguments are then names of its columns."},
    "header": {"action": argparse.BooleanOptionalAction,
        "help": "The first line of text files has the column names; --no-header: columns are named 1, 2, ..."
        " [default: --header; an error if the line may hold labels]"},
    "layout": {"metavar": "|".join(FORMATS), "choices": FORMATS,
        "help": "Content of a text file without a named column: labels, a community in each line, links (two"
        " objects), nodes with their communities, or segments (start, end, label). [default: recognized; an"
        " error if ambiguous]"},
    "overlap": {"action": "store_true",
        "help": "Communities overlap, although no file has more than one node in several of them; an index"
        " for overlapping clusters implies this option."},
    "sep": {"metavar": "|".join(SEPARATORS), "type": _read_separator,
        "help": "Mark between the cells of text files, or its name. [default: recognized]"},
    "encoding": {"metavar": "NAME", "default": "utf-8", "type": _read_encoding,
        "help": "Encoding of text files, such as cp1252 for CSV that Excel saved on Windows."},
    "key": {"metavar": "COLUMN",
        "help": "Column that matches the rows of several files, such as a barcode; none matches rows by their"
        " order."},
    "noise_label": {"metavar": "LABEL", "default": "-1", "help": "The noise label, as DBSCAN uses it."},
    "draws": {"metavar": "FILE.npy",
        "help": "Random versions of the candidate, used instead of --model: an array that numpy.save wrote."
        " Each row is a permutation of the objects or new labels, with objects in the order of the table."},
    "gap": {"metavar": "LABEL",
        "help": "Label of time without a segment, for --model segments and for files of segments, where such"
        " time gets this label."},
    "soft": {"metavar": "COLUMN,COLUMN,...",
        "help": "The candidate as a soft clustering, in place of PRED: columns with the share of each object"
        " in each cluster; a range such as P1:P4 and a pattern such as 'P*' name several."},
    "overlapped": {"metavar": "raise|drop", "choices": ("raise", "drop"), "default": "raise",
        "help": "Time with several labels in a file of segments: drop leaves it out, together with --missing"
        " drop."},
    "item": {"metavar": "COLUMN", "help": "The item of each rating, in a file with one rating in each line."},
    "rater": {"metavar": "COLUMN", "help": "The rater of each rating, with --item."},
    "label": {"metavar": "COLUMN", "help": "The label of each rating, with --item."},
    "by": {"metavar": "COLUMN", "help": "The data set of each object; means over data sets are compared."},
    "output": {"metavar": "FILE", "default": "report.html",
        "help": "Where to write; - is standard output."},
}  # fmt: skip
"""Options that the public functions do not have, without the forms of output."""

LAYOUT = "header", "sep", "encoding"
MODELS_OF_TIME: dict[str, Keep] = {
    "segments": "lengths", "segments(labels)": "labels", "segments(order)": "order",
}  # fmt: skip
"""What the models of segments keep, by the names of the models on the command line."""

FILES = "data", "layout", "overlap", *LAYOUT, "key", "noise_label"
TABLES = "precision", "checkpoint"


@dataclass(frozen=True, slots=True)
class Command:
    """A function that takes options by name, and the sources of its options and help."""

    run: Callable[..., None]
    arguments: Sequence[str]  # names; a last ?, * or + gives the allowed number, as in argparse
    of: str = ""  # the public function whose keywords are options
    more: Sequence[str] = ()  # names of settings of `MonteCarlo`, of `OF_COMMANDS` and of `FORMS`


class Parser(argparse.ArgumentParser):
    """Parser for the words of one command; it prints only its help."""

    def __init__(self, name: str, command: Command) -> None:
        about, heading, examples = (inspect.getdoc(command.run) or "").partition("For example:\n")
        super().__init__(
            prog=f"chancecorr {name}",
            description=about.rstrip(),
            epilog=heading + examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self._negative_number_matcher = re.compile(r"-\d|-:.")  # -:COLUMN is not an option
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
            if name in FORMS:
                form = {"action": "store_const", "const": name, "dest": "form"}
                setting = form | {"help": FORMS[name].help}
            elif name in settings:
                setting = _describe_keyword(chancecorr.MonteCarlo, settings[name])
            else:
                setting = OF_COMMANDS[name]
            self._add_option(name, **setting)

    def _add_option(self, name: str, **about: Any) -> None:
        """Add an option, with its default in its help."""
        self.flags[name] = FLAGS.get(name, f"--{name.replace('_', '-')}")
        default = about.get("default")
        shown = f" [default: {default}]" if default else ""
        about["help"] = (about["help"] + shown).replace("%", "%%")
        short = ["-o"] if name == "output" else []
        self.add_argument(*short, self.flags[name], **{"dest": name} | about)

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the values of all arguments and options by name; their order is free."""
        forms = [f"--{name}" for name in FORMS if f"--{name}" in words]
        if len(forms) > 1:
            raise ValueError(f"`{forms[1]}` must be left out with `{forms[0]}`.")
        for word in words:
            if word.startswith("--") and word[2:].partition("=")[0] in NAMES_OF_SIDES:
                order = " ".join(f"{action.metavar}" for action in self._get_positional_actions())
                raise ValueError(
                    f"No option {word!r}. Clusterings are given by position: {self.prog} {order}."
                )
        options, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            hint = suggest_name(unknown[0], self.flags.values())
            if any(word.endswith(",") for word in words):
                hint = " Names stand between commas without blanks."
            hint = " `chancecorr compare` has it." if unknown[0].startswith("--groups") else hint
            raise ValueError(f"No option or argument {unknown[0]!r}.{hint} Try '{self.prog} --help'.")
        return vars(options)

    def error(self, message: str) -> Any:
        """Raise the error that `run` prints in one line."""
        rule = re.fullmatch(r"argument (?:-\w/)?(--[\w-]+): (must be .*)", message)
        if rule:
            raise ValueError(f"`{rule[1]}` {rule[2]}.")
        raise ValueError(f"{message[:1].upper()}{message[1:]}. Try '{self.prog} --help'.")


def _describe_keyword(public: Any, keyword: inspect.Parameter) -> dict[str, Any]:
    """Make the arguments of `add_argument` from the annotation and the docstring of a keyword."""
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
        return about | {"type": _read_integer, "metavar": "N"}
    if float in kinds:
        read = _read_number if words else _read_real
        return about | {"type": read, "metavar": "|".join(["NUMBER", *words])}
    if words and keyword.default is not None and type(None) in kinds:
        metavar = "|".join([*words, "none"])
        return about | {"type": lambda text: None if text == "none" else text, "metavar": metavar}
    if Any in kinds:
        return about | {"metavar": "COLUMN"}
    if any(get_origin(kind) is Sequence for kind in kinds):
        return about | {"action": "append", "default": [], "metavar": "NAME,NAME,..."}
    return about | {"metavar": "|".join(words) or OTHER_VALUES.get(keyword.name, "NAME")}


def _find_sentence(public: Any, name: str) -> str:
    """Find the first sentence on a parameter in a function's docstring, or in a docstring it refers to."""
    described = read_parameters(public)[name]
    if not described.kind:
        return _find_sentence(getattr(chancecorr, described.referred), name)
    return described.sentence


def _read_integer(text: str) -> int:
    """Return a text as a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number; got {text!r}") from None


def _read_real(text: str) -> float:
    """Return a text as a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number; got {text!r}") from None


def _read_number(text: str) -> float | str:
    """Return a text as a number if possible, else the text, which is checked later."""
    try:
        return float(text)
    except ValueError:
        return text


def read_names(texts: Sequence[str], called: str = "--index") -> list[str]:
    """Split texts into names at commas outside of parentheses; an error calls them `called`."""
    names = [name.strip() for text in texts for name in [*_split_outside_parentheses(text)][::-1]]
    if not all(names):
        raise ValueError(f"`{called}` must be names separated by commas; got {' '.join(texts)!r}.")
    published = {"published": chancecorr.PUBLISHED_INDICES}
    return [item for name in names for item in published.get(name, (name,))]


def _split_outside_parentheses(text: str) -> Iterator[str]:
    """Yield the parts of a text between commas outside of parentheses, the last part first."""
    end, mark = len(text), ""
    for place in range(len(text) - 1, -1, -1):
        if text[place] in "()":
            mark = text[place]
        elif text[place] == "," and mark != ")":
            yield text[place + 1 : end]
            end = place
    yield text[:end]


def _is_of_covers(index: str | Sequence[str] | None) -> bool:
    """Return True if an index in the list is for overlapping clusters, such as omega and ONMI.

    An unknown index is an error before a file is read.
    """
    names = read_names([index] if isinstance(index, str) else index or [])
    return any("cover" in find_index(name, to_adjust=True).entry.takes for name in names)


def prepare(options: dict[str, Any]) -> tuple[Reading, int]:
    """Remove the reading options from `options`, and return a `Reading` and the seed, drawn if not given.

    Options of simulated tables become a method.
    """
    separator, noise = options.pop("sep"), options.pop("noise", None)
    reading = Reading(
        header=options.pop("header"),
        separator=separator,
        encoding=options.pop("encoding"),
        missing=options.pop("missing", "raise"),
        noise=tuple(noise.split(",")) if noise else (),
        noise_label=options.pop("noise_label", "-1"),
        key=options.pop("key", None),
        layout=options.pop("layout", None),
        gap=options.pop("gap", None),
        has_draws=options.get("draws") is not None,
        overlap=_is_of_covers(options.get("index")) | options.pop("overlap", False),
    )
    draws = options.pop("draws", None)
    if draws is not None:
        rows = load_array(draws, "--draws")
        options["model"] = chancecorr.Draws(rows, name=os.path.basename(draws))
    elif options.get("model") in MODELS_OF_TIME:
        options["model"] = segments(keep=MODELS_OF_TIME[options["model"]], gap=reading.gap_label)
    settings = {name: options.pop(name, None) for name in ("precision", "checkpoint")}
    settings = {name: value for name, value in settings.items() if value is not None}
    if options["rng"] is None:
        if "checkpoint" in settings:
            raise ValueError("`--seed` must be given with `--checkpoint`, so that the next run has the same.")
        options["rng"] = secrets.randbits(32)
    if settings:
        if options["method"] not in ("auto", "monte-carlo"):
            raise ValueError(
                f"`--{next(iter(settings))}` needs simulated tables; got --method {options['method']}."
            )
        options["method"] = chancecorr.MonteCarlo(**settings, only=options["method"] == "monte-carlo")
    return reading, int(options["rng"])
