"""Options of the commands, in the groups in which the help shows them, and what their values mean."""

import codecs
import contextlib
import functools
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from chancecorr.arguments import Alternative, one_of
from chancecorr.cli.columns import NA_VALUES, Reading
from chancecorr.comparison.family import CORRECTIONS
from chancecorr.indices.registry import FAMILIES, list_indices
from chancecorr.kinds.methods import METHODS
from chancecorr.null.models import MODELS
from chancecorr.simulation.sequential import PUBLISHED_TABLES

QUANTILES = "0.01,0.05,0.5,0.95,0.99"

F = TypeVar("F", bound=Callable[..., Any])


class Words(click.Choice[str]):
    """One of some words, which a shell completes; another is refused with the nearest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Word that is allowed."""
        one_of(param.opts[0] if param else "value", value, self.choices)
        return str(value)


class Grouped(click.Command):
    """A command of which the help lists the options by group."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups in the order of their first options; what is in none comes last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record and isinstance(param, click.Option):
                groups.setdefault(getattr(param, "group", "Other"), []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


class _Option(click.Option):
    def __init__(self, *args: Any, group: str, **attributes: Any) -> None:
        self.group = group
        super().__init__(*args, **attributes)


def _complete_indices(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of indices that go on after the last comma."""
    before, comma, begun = incomplete.rpartition(",")
    return [CompletionItem(before + comma + name) for name in list_indices() if name.startswith(begun)]


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator; the help lists them in this order."""
    return lambda command: functools.reduce(lambda inner, option: option(inner), reversed(options), command)


_sizes, _choice, _file, _label, _score, _chance, _output = (
    functools.partial(click.option, cls=_Option, group=group)
    for group in ("Cluster sizes", "Choice", "Files", "Labels", "Score", "Chance", "Output")
)

pair = _all(click.argument("true"), click.argument("pred"))

clusterings = click.argument("clusterings", nargs=-1)

reference_and_candidates = _all(click.argument("true"), click.argument("candidates", nargs=-1))

reading = _all(
    _file("--data", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE",
          help="One file of all; the arguments are then names of its columns."),
    _file("--no-header", is_flag=True, help="Files of text have no header; columns are named 1, 2, ..."),
    _file("--sep", metavar="CHARACTER",
          help="Between the cells of text; the word tab for tabs.  [default: tab in .tsv, else comma]"),
    _file("--encoding", metavar="NAME", default="utf-8", show_default=True,
          help="Encoding of text, as Python calls it."),
    _label("--na-values", metavar="WORD,WORD,...", default=",".join(NA_VALUES),
           help="Cells of text that are missing labels, besides empty ones."
           f"  [default: {', '.join(NA_VALUES)}]"),
    _label("--missing", type=Words(["raise", "drop"]), default="raise", show_default=True,
           help="Whether a missing label is an error, or its object is left out."),
    _label("--noise", type=Words(["keep", "drop", "singletons"]),
           help="What a noise label means: a cluster, objects to leave out, or a cluster for each."),
    _label("--noise-label", default="-1", show_default=True, metavar="LABEL",
           help="The label of noise, as DBSCAN gives it."),
)  # fmt: skip


def _several(default: str) -> Callable[[F], F]:
    """Option for the indices of a command that takes several."""
    return _score(
        "--index", "names", multiple=True, metavar="NAME,NAME,...", shell_complete=_complete_indices,
        help=f"What measures agreement; see chancecorr indices.  [default: {default}]",
    )  # fmt: skip


_read_as = (
    _score("--best", metavar="NUMBER|mean", help="What an adjusted score of 1 stands for."),
    _score("--alternative", type=Words(get_args(Alternative)), help="Which values the p-value counts."),
)

of_pairs = _all(
    _score("--p-values", is_flag=True, help="Find a p-value for each pair, which takes longer."), *_read_as
)

_tail = _score("--tail", type=Words(["bound", "search"]), default="bound", show_default=True,
               help="Whether small p-values are bounded, or searched for.")  # fmt: skip

scoring = _all(_several("nine"), *_read_as, _tail)

comparing = _all(
    _several("rand"),
    *_read_as,
    _score("--confidence", type=float, default=0.95, show_default=True, metavar="LEVEL",
           help="Level of the intervals; at 1 less that, candidates are told from the best."),
    _score("--correction", type=Words([*(name for name in CORRECTIONS if name), "none"]), default="holm",
           show_default=True, help="How p-values are corrected for the number of candidates."),
    _score("--interval", type=Words(["jackknife", "none"]), default="jackknife", show_default=True,
           help="How intervals are made, or that they are left out."),
    _tail,
)  # fmt: skip

cluster_sizes = _all(
    _sizes("--rows", required=True, metavar="N,N,...", help="Sizes of the clusters of the reference."),
    _sizes("--columns", required=True, metavar="N,N,...", help="Sizes of the clusters of the candidate."),
)

one_index = _score("--index", default="rand", show_default=True, metavar="NAME",
                   shell_complete=_complete_indices, help="See chancecorr indices.")  # fmt: skip

family = _choice("--family", type=Words(FAMILIES), metavar="NAME", help="One of " + ", ".join(FAMILIES) + ".")

equivalents = _choice("--equivalents", is_flag=True,
                      help="Those that are the same once corrected for chance, and why.")  # fmt: skip

needed = _all(
    _choice("--adjusted/--raw", "adjusted", default=None,
            help="Scores corrected for chance alone, or raw indices alone.  [default: both]"),
    _choice("--open", "open_counts", is_flag=True,
            help="An index also counts where something is neither proved nor refuted."),
    _choice("--why-not", metavar="INDEX", shell_complete=_complete_indices,
            help="Say of this index what it lacks, and show a counterexample."),
)  # fmt: skip

quantiles = _output("--quantiles", metavar="Q,Q,...", help=f"Shares in [0, 1].  [default: {QUANTILES}]")

chance = _all(
    _chance("--method", type=Words(METHODS), default="auto", show_default=True,
            help="The most exact way affordable, moments only, the whole law, or simulation."),
    _chance("--model", type=Words(MODELS), default="permutation", show_default=True, metavar="NAME",
            help="What chance means: " + ", ".join(MODELS) + "."),
    _chance("--n-tables", type=int, metavar="N", help=f"Tables drawn.  [default: {PUBLISHED_TABLES}]"),
    _chance("--precision", type=float, metavar="H",
            help="Half-width of the 99 % interval of the mean, in place of a number of tables."),
    _chance("--budget", type=float, metavar="SECONDS",
            help="Time that the answer may take: where it is short, fewer tables are drawn."
            "  [default: 60 for the tables, by forecast]"),
    _chance("--seed", "rng", type=int, metavar="N", help="Same seed, same result; left out, one is drawn."),
    _chance("--jobs", "n_jobs", type=int, metavar="N", help="Workers, as in joblib: -1 for all processors."),
)  # fmt: skip

checkpoint = _chance(
    "--checkpoint", type=click.Path(dir_okay=False), metavar="FILE",
    help="Keep the tables that are drawn here, so that the same command goes on after an interruption."
    " It needs --seed.",
)  # fmt: skip

wide = _output("--wide", is_flag=True, help="Print all columns, however wide the table gets.")

_help = click.help_option("-h", "--help", cls=_Option, group="Output")

form = _all(
    _output("--json", "form", flag_value="json",
            help='Print JSON: null for nan, "Infinity" and "-Infinity" for infinite numbers.'),
    _output("--csv", "form", flag_value="csv",
            help="Print CSV with a header line; text like a formula gets an apostrophe before it."),
    _help,
)  # fmt: skip

to_cite = click.argument(
    "names", metavar="INDEX,INDEX,...", nargs=-1, required=True, shell_complete=_complete_indices
)

references = _all(
    _output("--bibtex", "form", flag_value="bibtex", help="Print entries for a bibliography, in UTF-8."),
    _output("--json", "form", flag_value="json", help="Print JSON, with the text and the entries."),
    _help,
)

page = _all(
    _output("-o", "--output", type=click.Path(dir_okay=False, writable=True, allow_dash=True), metavar="FILE",
            default="report.html", show_default=True, help="Where to write; - is standard output."),
    _output("--reference", metavar="NAME", help="What the page calls the reference.  [default: TRUE]"),
    _help,
)  # fmt: skip


def index_names(texts: Sequence[str], called: str = "--index") -> list[str]:
    """Names in one text or several, between commas that stand outside parentheses.

    `called` is what an error calls them.
    """
    names = [name.strip() for text in texts for name in re.split(r",(?![^(]*\))", text)]
    if not all(names):
        given = " ".join(texts)
        raise click.UsageError(f"`{called}` must be names separated by commas; got {given!r}.")
    return names


def settle(asked: dict[str, Any]) -> int:
    """Seed of a command, drawn if there is none; `--best` becomes a number if it writes one."""
    if asked["rng"] is None:
        if asked.get("checkpoint") is not None:
            raise click.UsageError(
                "`--seed` must be given with `--checkpoint`, so that the next command has it."
            )
        asked["rng"] = secrets.randbits(32)
    with contextlib.suppress(ValueError):  # a word is checked inside
        if asked.get("best") is not None:
            asked["best"] = float(asked["best"])
    seed: int = asked["rng"]
    return seed


def numbers(option: str, text: str, kind: Callable[[str], Any], rule: str) -> list[Any]:
    """Numbers between commas."""
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"`{option}` must be {rule} separated by commas; got {text!r}.") from None


def take_reading(asked: dict[str, Any]) -> Reading:
    """How files are read, from the options that say so, which are taken out of those of a command."""
    separator, encoding = asked.pop("sep"), asked.pop("encoding")
    character = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if character is not None and (len(character) != 1 or character in '"\r\n'):
        raise click.UsageError(f"`--sep` must be one character, or tab; got {separator!r}.")
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise click.UsageError(
            f"`--encoding` must be an encoding that Python knows; got {encoding!r}."
        ) from None
    return Reading(
        header=not asked.pop("no_header"),
        na_values=frozenset(word.strip() for word in asked.pop("na_values").split(",")),
        separator=character,
        encoding="utf-8-sig" if name == "utf-8" else name,  # a byte order mark is no part of the labels
        missing=asked.pop("missing"),
        noise=asked.pop("noise"),
        noise_label=asked.pop("noise_label"),
    )


def examples(*commands: str) -> str:
    """The end of a help text: lines that are not filled."""
    return "\b\nExamples:\n" + "\n".join(f"  chancecorr {command}" for command in commands)
