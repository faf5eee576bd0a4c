"""The command line: ``chancecorr adjust``, ``chancecorr null``, ``chancecorr indices``."""

import csv
import functools
import io
import json
import math
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeVar

import click

import chancecorr
from chancecorr.arguments import ArgumentError, did_you_mean
from chancecorr.catalogue.page import details, what_is_exact
from chancecorr.cli.columns import read_columns, read_labels, whole_number
from chancecorr.correction.scores import error_of_mean
from chancecorr.indices.registry import FAMILIES, Index
from chancecorr.kinds.methods import METHODS
from chancecorr.null.models import MODELS
from chancecorr.simulation.sequential import PUBLISHED_TABLES

F = TypeVar("F", bound=Callable[..., Any])

FOLDED_WIDTH = 14
"""Room that a column keeps on a narrow terminal if its cells may take several lines."""

QUANTILES = "0.01,0.05,0.5,0.95,0.99"

ON_THE_COMMAND_LINE = {
    "labels_true": "TRUE", "labels_pred": "PRED", "noise": "--noise", "missing": "--missing",
    "row_totals": "--rows", "column_totals": "--columns", "q": "--quantiles", "quantile": "--quantiles",
    "index": "--index", "method": "--method", "n_tables": "--n-tables", "rng": "--seed", "n_jobs": "--jobs",
    "family": "--family", "model": "--model", "best": "--best", "alternative": "--alternative",
    "precision": "--precision",
}  # fmt: skip
"""What an argument that an error message names is called here."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments, those of the process if left out, and return its exit code.

    0; 1 if nothing was found or memory ran out; 2 for a bad input; 130 if interrupted. Other than 0 comes
    with one line on stderr, save for a pipe that its reader closed.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a dash that the terminal cannot show is no reason to fail
    try:
        code = main.main(arguments, prog_name="chancecorr", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except BrokenPipeError:  # the reader has left, as `head` does; the last flush must not mind
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (click.Abort, KeyboardInterrupt):
        return _fail("Interrupted.", 130)
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    except MemoryError:
        return _fail("Not enough memory.", 1)
    except ArgumentError as error:
        return _fail(error.in_words_of(ON_THE_COMMAND_LINE, option="{name} {value}"), 2)
    except (OSError, ValueError, TypeError, chancecorr.IndexEvaluationError) as error:
        if isinstance(error, OSError) and error.strerror and error.filename:
            return _fail(f"`{error.filename}` must be a file that can be read; got: {error.strerror}.", 2)
        return _fail(str(error), 2)


def _fail(message: str, code: int) -> int:
    """One line on stderr."""
    click.echo(" ".join(message.split()), err=True)
    return code


class _Interrupted(click.ClickException):
    exit_code = 130


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C is caught here, before click puts an empty line on stderr."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted("Interrupted.") from None


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(chancecorr.__version__, prog_name="chancecorr")
@click.pass_context
def main(context: click.Context) -> None:
    """How much of the agreement between two clusterings is chance, for any index."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _options(*options: Callable[[F], F]) -> Callable[[F], F]:
    return lambda command: functools.reduce(lambda inner, option: option(inner), reversed(options), command)


_labels = _options(
    click.argument("true"),
    click.argument("pred"),
    click.option("--data", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
                 help="File of both; TRUE and PRED are then names of its columns."),
    click.option("--no-header", is_flag=True, help="CSV files have no header; columns are named 1, 2, ..."),
    click.option("--noise", metavar="keep|drop|singletons",
                 help="What a noise label means: a cluster, objects to leave out, or a cluster for each."),
    click.option("--noise-label", default="-1", show_default=True, metavar="LABEL"),
    click.option("--missing", default="raise", show_default=True, metavar="raise|drop",
                 help="Whether an empty cell is an error, or its object is left out."),
)  # fmt: skip

_simulation = _options(
    click.option("--method", default="auto", show_default=True, metavar="|".join(METHODS),
                 help="The most exact way affordable, moments only, the whole law, or simulation."),
    click.option("--n-tables", type=int, help=f"Tables drawn.  [default: {PUBLISHED_TABLES}]"),
    click.option("--seed", "rng", type=int, help="Same seed, same result; left out, one is drawn."),
    click.option("--precision", type=float, metavar="H",
                 help="Half-width of the 99 % interval of the mean, in place of a number of tables."),
    click.option("--model", default="permutation", show_default=True, metavar="NAME",
                 help="What chance means: " + ", ".join(MODELS) + "."),
    click.option("--jobs", "n_jobs", type=int, help="Workers, as in joblib: -1 for all processors."),
)  # fmt: skip

_output = _options(
    click.option("--json", "form", flag_value="json", help="Print JSON: null for nan and infinities."),
    click.option("--csv", "form", flag_value="csv", help="Print CSV with a header line."),
)


@main.command()
@_labels
@click.option("--index", "names", multiple=True, metavar="NAME", help="Repeat for several.  [default: nine]")
@click.option("--best", metavar="VALUE|mean|exact", help="What an adjusted score of 1 stands for.")
@click.option("--alternative", metavar="greater|less|two-sided", help="Which values the p-value counts.")
@_simulation
@_output
def adjust(
    true: str, pred: str, data: str | None, no_header: bool, noise: Any, noise_label: str, missing: Any,
    names: tuple[str, ...], best: str | None, rng: int | None, form: str | None, **options: Any,
) -> None:  # fmt: skip
    """Agreement of two clusterings of the same objects, corrected for chance.

    TRUE is the reference and PRED the candidate: CSV (.csv, .tsv, also .gz) or Parquet files, given as FILE
    if they have one column, or as FILE:COLUMN. Row i of both is the same object. The nine indices of the
    published method are adjusted, or those named.
    """
    header = not no_header
    if data is not None:
        labels = read_columns(data, [true, pred], header=header)
    else:
        labels = [read_labels("TRUE", true, header=header), read_labels("PRED", pred, header=header)]
    number = whole_number(noise_label)
    label = noise_label if number is None else number
    if noise is not None:  # one label of noise for both sides, where one may be text and the other numbers
        labels = [_with_noise(side, noise_label, label) for side in labels]
    table = chancecorr.contingency_table(*labels, noise=noise, noise_label=label, missing=missing)
    seed = secrets.randbits(32) if rng is None else rng
    scores = chancecorr.adjust_table(
        table, index=names or chancecorr.PUBLISHED_INDICES, rng=seed, best=_best(best), **options
    )
    records = [score.to_dict() for score in scores.values()]
    drawn = max(record["n_tables"] for record in records)
    if form == "json":
        about = {"n": table.n, "shape": table.shape, "n_tables": drawn, "seed": seed if drawn else None}
        _print_json(about | {"scores": records})
    elif form == "csv":
        _print_csv(records[0], (record.values() for record in records))
    else:
        _print_table(_caption(table.margins, options["method"], drawn, seed), *scores.cells())
        for remark in scores.remarks():
            click.echo(remark)


@main.command()
@click.option("--rows", required=True, metavar="N,N,...", help="Sizes of the clusters of the reference.")
@click.option("--columns", required=True, metavar="N,N,...", help="Sizes of the clusters of the candidate.")
@click.option("--index", default="rand", show_default=True, metavar="NAME")
@click.option("--quantiles", metavar="Q,Q,...", help=f"Shares in [0, 1].  [default: {QUANTILES}]")
@_simulation
@_output
def null(
    rows: str, columns: str, index: str, quantiles: str | None, rng: int | None, form: str | None,
    **options: Any,
) -> None:  # fmt: skip
    """What an index takes under chance, given the cluster sizes alone."""
    margins = chancecorr.Margins(
        _numbers("--rows", rows, int, "whole numbers"), _numbers("--columns", columns, int, "whole numbers")
    )
    shares = _numbers("--quantiles", quantiles or QUANTILES, float, "numbers")
    seed = secrets.randbits(32) if rng is None else rng
    law = chancecorr.null_distribution(margins, index, rng=seed, **options)
    if form == "csv" and not law.values_from:
        raise click.UsageError("`--csv` must have a law to list; got --method analytic.")
    found = (
        dict(zip(shares, law.quantile(shares).tolist(), strict=True)) if law.values_from or quantiles else {}
    )
    interval = law.confidence_interval(0.99)
    if form == "json":
        about = {"confidence_interval": interval, "quantiles": found, "seed": seed if law.n_tables else None}
        _print_json(law.to_dict() | about)
    elif form == "csv":
        _print_csv(["value", "weight"], zip(law.values.tolist(), law.weights.tolist(), strict=True))
    else:
        _print_table(
            _caption(margins, options["method"], law.n_tables, seed),
            [law.index, ""],
            ["mean", _text(law.mean)],
            ["std. error of mean", error_of_mean(law, ".6g")],
            ["99 % interval of mean", " to ".join(map(_text, interval))],
            ["std", _text(law.std)],
            ["skewness", _text(law.skewness)],
            ["excess kurtosis", _text(law.kurtosis)],
            *([f"quantile {share:g}", _text(value)] for share, value in found.items()),
        )


@main.command()
@click.argument("pattern", default="")
@click.option("--family", metavar="|".join(FAMILIES))
@_output
def indices(pattern: str, family: str | None, form: str | None) -> None:
    """The catalogue of indices, or those with PATTERN in a name, the formula or the source.

    One that is found alone, or named exactly, is shown with all that is known of it.
    """
    entries = [chancecorr.get_index(name) for name in chancecorr.list_indices(family)]
    found = [entry for entry in entries if _matches(entry, pattern)]
    if not found:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise click.ClickException(f"No index matches {pattern!r}{where}.{did_you_mean(pattern, names)}")
    fields = ["name", "aliases", "family", "formula", "range", "best", "affine"]
    if form == "json":
        _print_json([_about(entry) for entry in found])
        return
    named = [entry for entry in found if pattern in (entry.name, *entry.aliases)]
    if form is None and len(named or found) == 1:
        (entry,) = named or found
        _print_table(f"{entry.name} ({entry.family})", *map(list, details(entry)), left=2, folded=(1,))
        return
    rows = [[getattr(entry, field) for field in fields] for entry in found]
    if form == "csv":
        header = [*fields[:4], "lowest", "highest", *fields[5:]]
        _print_csv(header, ([a, " ".join(b), c, d, *e, f, g] for a, b, c, d, e, f, g in rows))
        return
    texts = (
        [
            a,
            ", ".join(b),
            c,
            d,
            "{:g} to {:g}".format(*e),
            "–" if f is None else f"{f:g}",
            "yes" if g else "no",
        ]
        for a, b, c, d, e, f, g in rows
    )
    _print_table(f"{len(found)} of {len(entries)} indices", fields, *texts, left=4, folded=(1, 3))


def _best(text: str | None) -> Any:
    """A number, or a word that is checked inside."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _numbers(option: str, text: str, kind: Callable[[str], Any], rule: str) -> list[Any]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"`{option}` must be {rule} separated by commas; got {text!r}.") from None


def _with_noise(labels: Any, text: str, label: int | str) -> Any:
    """Labels in which the noise label has one kind, also where a column of text writes its number."""
    return [label if each == text else each for each in labels] if isinstance(labels, list) else labels


def _matches(entry: Index, pattern: str) -> bool:
    """Whether names, formula or source hold the pattern; spaces and hyphens match underscores."""
    wanted = pattern.lower()
    key = re.sub("[ -]", "_", wanted)
    texts = (entry.formula, entry.known_as, entry.source)
    return any(key in name for name in (entry.name, *entry.aliases)) or any(
        wanted in text.lower() for text in texts
    )


def _about(entry: Index) -> dict[str, Any]:
    """Plain fields of an entry, and what of its null distribution is exact."""
    plain = [
        "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
        "symmetric", "constant", "undefined", "source", "notes",
    ]  # fmt: skip
    about = {field: getattr(entry, field) for field in plain}
    return about | {"larger_is_better": entry.larger_is_better, "exact": what_is_exact(entry)}


def _caption(margins: chancecorr.Margins, method: str, n_tables: int, seed: int) -> str:
    shape = f"{margins.row_totals.size} x {margins.column_totals.size}"
    tables = f"{n_tables:,} tables, seed {seed}" if n_tables else "no tables"
    return f"n = {margins.n:,}, {shape} clusters, method {method}, {tables}"


def _text(number: float) -> str:
    return "–" if math.isnan(number) else f"{number:.6g}"


def _print_json(value: Any) -> None:
    click.echo(json.dumps(_finite(value), allow_nan=False))


def _finite(value: Any) -> Any:
    """The value as JSON can hold it: null for nan and the infinities."""
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    click.echo(text.getvalue(), nl=False)


def _print_table(
    caption: str, header: list[str], *rows: list[str], left: int = 1, folded: tuple[int, ...] = ()
) -> None:
    """Caption and table: ruled and fitted on a terminal, bare and as wide as it is elsewhere.

    The first `left` columns are aligned to the left. Cells of those `folded` may take several lines; no other
    cell is cut, however narrow the terminal.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, highlight=False, emoji=False)
    if console.is_terminal:  # "std.err." over two lines, to fit 80 columns
        header = [re.sub(r"\.(?=.)", ".\n", name) for name in header]
    columns = zip(header, *rows, strict=True)
    lengths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = sum(min(length, FOLDED_WIDTH) if k in folded else length for k, length in enumerate(lengths))
    width = console.width if console.is_terminal else sum(lengths) + 2 * len(lengths)
    gap = 2 if least + 2 * (len(lengths) - 1) <= width else 1
    console.width = max(width, least + gap * (len(lengths) - 1))
    box, padding = (SIMPLE_HEAD, gap - 1) if console.is_terminal else (None, gap)  # the box draws one space
    table = Table(box=box, padding=(0, padding, 0, 0), pad_edge=False, show_edge=False)
    for k, name in enumerate(header):
        justify: Literal["left", "right"] = "left" if k < left else "right"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=k not in folded)
    for row in rows:
        table.add_row(*row)
    console.print(caption, soft_wrap=True)
    console.print(table)
