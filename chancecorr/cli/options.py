"""Options of the commands, what their values mean, and how answers are written."""

import contextlib
import csv
import functools
import inspect
import io
import json
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, get_args

import click

import chancecorr
from chancecorr.chance.options import METHODS
from chancecorr.cli.columns import Reading
from chancecorr.cli.rows import SEPARATORS
from chancecorr.comparison.comparison import CORRECTIONS
from chancecorr.indices.registry import FAMILIES
from chancecorr.machine.arguments import Alternative, check_choice
from chancecorr.machine.budget import DEFAULT_SECONDS
from chancecorr.machine.printing import convert_for_json, escape_hidden
from chancecorr.sampling.models import MODELS
from chancecorr.sampling.precision import PUBLISHED_TABLES

FORMULA = re.compile("[\\s\\u200c\\u200d]*[-=+@＝＋－＠]")
"""How a cell starts that a spreadsheet computes, also behind spaces (OWASP, CSV Injection)."""

F = TypeVar("F", bound=Callable[..., Any])


class Words(click.Choice):  # type: ignore[type-arg]  # no generic class before click 8.2
    """One of some words, which a shell completes; another is refused with the nearest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Word that is allowed."""
        check_choice(param.opts[0] if param else "value", value, self.choices)
        return str(value)


def _find_default(name: str) -> dict[str, Any]:
    """The default of an option is that of a keyword of `compare`, and its help shows it."""
    value = inspect.signature(chancecorr.compare).parameters[name].default
    return {"default": value, "show_default": True}


def _take_indices(default: str) -> Callable[[F], F]:
    """The option that names several indices."""
    about = f"What measures agreement; see chancecorr indices.  [default: {default}]"
    return click.option("--index", "names", multiple=True, metavar="NAME,NAME,...", help=about)


option, argument = click.option, click.argument

OPTIONS: dict[str, Callable[[Any], Any]] = {
    "true": argument("true"),
    "pred": argument("pred"),
    "candidates": argument("candidates", nargs=-1),
    "clusterings": argument("clusterings", nargs=-1),
    "counts": argument("counts"),
    "header": option("--header/--no-header", default=None,
        help="Whether the first line of files of text holds names of columns, which are 1, 2, ... without."
        "  [default: it does; an error if it may hold labels]"),
    "sep": option("--sep", "separator", type=Words(SEPARATORS), metavar="NAME",
        help=f"What parts the cells of files of text: {', '.join(SEPARATORS)}.  [default: looked for]"),
    "data": option("--data", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE",
        help="One file of all; the arguments are then names of its columns."),
    "key": option("--key", metavar="COLUMN",
        help="The column by which rows of several files are matched, such as a barcode; none takes rows as"
        " they stand."),
    "missing": option("--missing", type=Words(["raise", "drop"]), **_find_default("missing"),
        help="Whether a missing label (nothing, NA, nan, ...) is an error, or its object is left out."),
    "noise": option("--noise", metavar="WORD[,WORD]",
        help="What a noise label means: keep (a cluster), drop (objects to leave out), singletons (a"
        " cluster for each); two words are of TRUE and of the others."),
    "noise-label": option("--noise-label", default="-1", show_default=True, metavar="LABEL",
        help="The label of noise, as DBSCAN gives it."),
    "best": option("--best", metavar="NUMBER|mean", help="What an adjusted score of 1 stands for."),
    "alternative": option(
        "--alternative", type=Words(get_args(Alternative)), help="Which values the p-value counts."),
    "p-values": option("--p-values", is_flag=True, help="Find a p-value for each pair, which takes longer."),
    "of a pair": _take_indices("rand,ami,nmi; published: the nine of Amorim & Cardoso"),
    "of candidates": _take_indices("rand"),
    "index": option(
        "--index", default="rand", show_default=True, metavar="NAME", help="See chancecorr indices."),
    "confidence": option("--confidence", type=float, metavar="LEVEL", **_find_default("confidence"),
        help="Level of the intervals, and of the tests against the best."),
    "correction": option("--correction", type=Words([*CORRECTIONS, "none"]), **_find_default("correction"),
        help="How p-values are corrected for the number of candidates."),
    "interval": option("--interval", type=Words(["jackknife", "none"]), **_find_default("interval"),
        help="How intervals are made, or that they are left out."),
    "groups": option("--groups", metavar="COLUMN",
        help="The group of each object, such as its donor: FILE:COLUMN, or with --data COLUMN. Intervals"
        " and tests then take groups for independent, not objects."),
    "strata": option("--strata", metavar="COLUMN",
        help="The stratum of each object, such as its batch: FILE:COLUMN, or with --data COLUMN."
        " Chance then matches objects within strata only."),
    "by": option("--by", metavar="COLUMN",
        help="The data set of each object: FILE:COLUMN, or with --data COLUMN. Means over data sets are"
        " then compared."),
    "family": option(
        "--family", type=Words(FAMILIES), metavar="NAME", help="One of " + ", ".join(FAMILIES) + "."),
    "method": option("--method", type=Words(METHODS), **_find_default("method"),
        help="The most exact way affordable, the same with a search for small p-values, moments only, the"
        " whole law, or simulation."),
    "model": option("--model", type=Words(MODELS), metavar="NAME", **_find_default("model"),
        help="What chance means: " + ", ".join(MODELS) + "."),
    "n-tables": option(
        "--n-tables", type=int, metavar="N", help=f"Tables drawn.  [default: {PUBLISHED_TABLES}]"),
    "precision": option("--precision", type=float, metavar="H",
        help="Half-width of the 99 % interval of the mean, in place of a number of tables."),
    "budget": option("--budget", type=float, metavar="SECONDS",
        help="Time that the answer may take: where it is short, fewer tables are drawn."
        f"  [default: {DEFAULT_SECONDS:g} for the tables, by forecast]"),
    "seed": option(
        "--seed", "rng", type=int, metavar="N", help="Same seed, same result; left out, one is drawn."),
    "jobs": option(
        "--jobs", "n_jobs", type=int, metavar="N", help="Workers, as in joblib: -1 for all processors."),
    "checkpoint": option("--checkpoint", type=click.Path(dir_okay=False), metavar="FILE",
        help="Keep the tables that are drawn here, so that the same command goes on after an interruption."
        " It needs --seed."),
    "json": option("--json", "form", flag_value="json",
        help='Print JSON: null for nan, "Infinity" and "-Infinity" for infinite numbers.'),
    "csv": option("--csv", "form", flag_value="csv",
        help="Print CSV with a header line; text like a formula gets an apostrophe before it."),
    "bibtex": option(
        "--bibtex", "form", flag_value="bibtex", help="Print entries for a bibliography, in UTF-8."),
    "output": option(
        "-o", "--output", type=click.Path(dir_okay=False, writable=True, allow_dash=True), metavar="FILE",
        default="report.html", show_default=True, help="Where to write; - is standard output."),
}  # fmt: skip

LAYOUT = "header", "sep"
READING = "data", *LAYOUT, "key", "missing", "noise", "noise-label"
CHANCE = "method", "model", "n-tables", "precision", "budget", "seed", "jobs"
FORMS = "json", "csv"
SCORES = "of a pair", "best", "alternative", *CHANCE, "checkpoint", *FORMS
COMPARED = "of candidates", "best", "alternative", "confidence", "correction", "interval", "groups", "by"
CANDIDATES = "true", "candidates", *READING, *COMPARED, *CHANCE


def takes(*names: str) -> Callable[[F], F]:
    """Options and arguments of a command by their names in `OPTIONS`; the help lists them in this order."""
    return lambda command: functools.reduce(lambda made, name: OPTIONS[name](made), reversed(names), command)


def list_examples(*commands: str) -> str:
    """The end of a help text: lines that are not filled."""
    return "\b\nExamples:\n" + "\n".join(f"  chancecorr {command}" for command in commands)


def read_names(texts: Sequence[str], called: str = "--index") -> list[str]:
    """Names between commas outside of parentheses in some texts; an error names them as `called`."""
    names = [name.strip() for text in texts for name in re.split(r",(?![^(]*\))", text)]
    if not all(names):
        typed = " ".join(texts)
        raise click.UsageError(f"`{called}` must be names separated by commas; got {typed!r}.")
    published = {"published": chancecorr.PUBLISHED_INDICES}
    return [item for name in names for item in published.get(name, (name,))]


def prepare(options: dict[str, Any]) -> tuple[Reading, int]:
    """How files are read, by options that are taken out of all, and the seed, drawn if there is none.

    What goes with simulated tables becomes a method, and `--best` a number if it writes one.
    """
    noise, separator = options.pop("noise", None), options.pop("separator", None)
    reading = Reading(
        header=options.pop("header", None),
        separator=separator and SEPARATORS[separator],
        missing=options.pop("missing", "raise"),
        noise=tuple(noise.split(",")) if noise else (),
        noise_label=options.pop("noise_label", "-1"),
        key=options.pop("key", None),
    )
    settings = {name: options.pop(name, None) for name in ("precision", "checkpoint")}
    settings = {name: value for name, value in settings.items() if value is not None}
    if options["rng"] is None:
        if "checkpoint" in settings:
            raise click.UsageError(
                "`--seed` must be given with `--checkpoint`, so that the next command has it."
            )
        options["rng"] = secrets.randbits(32)
    if settings:
        if options["method"] not in ("auto", "monte-carlo"):
            raise click.UsageError(
                f"`--{next(iter(settings))}` is of simulated tables; got --method {options['method']}."
            )
        options["method"] = chancecorr.MonteCarlo(**settings, only=options["method"] == "monte-carlo")
    with contextlib.suppress(KeyError, TypeError, ValueError):  # none, or a word, which is checked inside
        options["best"] = float(options["best"])
    return reading, int(options["rng"])


def describe_method(options: dict[str, Any], drawn: int, seed: int) -> str:
    """Method of a command, and the tables that were drawn, as they stand above what is printed."""
    tables = f"{drawn:,} tables, seed {seed}" if drawn else "no tables"
    return f"method {getattr(options['method'], 'name', options['method'])}, {tables}"


def describe_sizes(margins: chancecorr.Margins, options: dict[str, Any], drawn: int, seed: int) -> str:
    """Sizes, method and number of tables, as they stand above what is printed."""
    shape = f"{margins.row_totals.size} x {margins.column_totals.size}"
    return f"n = {margins.n:,}, {shape} clusters, {describe_method(options, drawn, seed)}"


def write(
    form: str | None,
    *,
    record: Callable[[], Any],
    rows: Callable[[], Iterable[Iterable[Any]]],
    text: Callable[[], str],
) -> None:
    """Print an answer as strict JSON, as CSV below a header, in which no text is a formula, or for people."""
    if form == "json":
        click.echo(json.dumps(convert_for_json(record()), allow_nan=False))
    elif form == "csv":
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        for row in rows():
            cells = [escape_hidden(cell) if isinstance(cell, str) else cell for cell in row]
            writer.writerow(f"'{x}" if isinstance(x, str) and FORMULA.match(x) else x for x in cells)
        click.echo(lines.getvalue(), nl=False)
    else:
        click.echo(text())


def print_reading(size: str, remarks: Iterable[str]) -> None:
    """Say on stderr what was read: its size, and what was found while reading."""
    click.echo(escape_hidden(", ".join([size, *dict.fromkeys(remarks)])), err=True)
