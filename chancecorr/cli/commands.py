"""The command line: ``chancecorr adjust``, ``null``, and the commands of other files."""

import contextlib
import errno
import io
import math
import os
import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TextIO

import click

import chancecorr
from chancecorr.arguments import ArgumentError
from chancecorr.cli import catalogue, many, options
from chancecorr.cli.columns import Reading, read_label_columns
from chancecorr.cli.counts import read_counts
from chancecorr.cli.many import report
from chancecorr.cli.output import print_csv, print_json, print_reading
from chancecorr.correction.score_table import error_of_mean, lay_out
from chancecorr.printing import rounded, visible
from chancecorr.show import TextTable

COMMON = ("rand", "ami", "nmi")
"""Indices that are adjusted if none is named."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
"""Errors of a file that finds no more room."""

OTHER_NAMES = {
    "labels_true": "TRUE", "labels_pred": "PRED", "candidates": "CANDIDATES", "clusterings": "CLUSTERINGS",
    "row_totals": "--rows", "column_totals": "--columns", "q": "--quantiles", "quantile": "--quantiles",
    "index": "--index", "datasets": "--by", "need": "NEED",
}  # fmt: skip
"""Names, on the command line, of arguments that error messages name, unless an option has their name."""

ONE_OF_MANY = re.compile(r"`(?:candidates|clusterings)\['(.*?)'\]`")
"""How an error names one of many clusterings; the command line has its name alone."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments, those of the process if left out, and return its exit code.

    0; 1 if nothing was found, or memory or a disk is full; 2 for a bad input; 130 if interrupted. Other than
    0 comes with one line on stderr, unless the reader of a pipe has closed it. With the arguments of the
    process, a warning is one line on stderr as well, and an interrupt ends the process here.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by a shell, or a program without a console
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a dash that the terminal cannot show is no reason to fail
    with warnings.catch_warnings():
        if arguments is None:
            warnings.showwarning = lambda message, *_, **__: _say(f"Warning: {message}")
        try:
            typed = sys.argv[1:] if arguments is None else arguments
            code = main.main(arguments, prog_name="chancecorr", standalone_mode=False, obj=typed)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except BrokenPipeError:  # the reader has left, as `head` does; the last flush must not mind
            _discard(sys.stdout)
            return 1
        except (Exception, KeyboardInterrupt) as error:
            message, code = _in_one_line(error)
            _say(message)
    if code == INTERRUPTED and arguments is None:
        os._exit(code)  # without waiting for threads that still compute
    return code


def _in_one_line(error: BaseException) -> tuple[str, int]:
    """What is said of an error on the command line, and the exit code; any other error is raised again."""
    match error:
        case click.Abort() | KeyboardInterrupt():
            return "Interrupted.", INTERRUPTED
        case click.MissingParameter():
            command = error.ctx.command_path if error.ctx else "chancecorr"
            return f"{error.format_message()} Try '{command} --help'.", error.exit_code
        case click.ClickException():
            return error.format_message(), error.exit_code
        case MemoryError():
            return "Not enough memory.", 1
        case ArgumentError():
            parameters = [each for command in main.commands.values() for each in command.params]
            names = {str(each.name): each.opts[0] for each in parameters if isinstance(each, click.Option)}
            text = error.in_words_of(names | OTHER_NAMES, option="{name} {value}")
            return ONE_OF_MANY.sub(r"`\1`", text), 2
        case OSError() if error.errno in FULL:
            where = f"`{error.filename}`" if error.filename else "Standard output"
            return f"{where} cannot be written: {error.strerror}.", 1
        case OSError() if error.strerror and error.filename:
            return f"`{error.filename}` must be a file that can be read; got: {error.strerror}.", 2
        case OSError() | ValueError() | TypeError() | chancecorr.indices.IndexEvaluationError():
            return str(error), 2
    raise error


def _say(message: str) -> None:
    """One line on stderr, in which names of files and columns cannot steer the terminal."""
    try:
        click.echo(visible(" ".join(message.split())), err=True)
    except (OSError, ValueError):  # nobody reads it: the exit code says the rest
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Send elsewhere all that a stream still holds, because its reader has left."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(chancecorr.__version__, prog_name="chancecorr")
@click.pass_context
def main(context: click.Context) -> None:
    """How much of the agreement between two clusterings is chance, for any index."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (many.compare, many.pairwise, report, catalogue.indices, catalogue.cite, catalogue.recommend):
    main.add_command(command)


@main.command(
    epilog=options.examples(
        "adjust true.csv pred.csv",
        "adjust labels.csv:species labels.csv:cluster --index rand,jaccard",
        "adjust species cluster --data labels.parquet --noise singletons",
        "adjust species cluster --data labels.csv --strata batch",
    )
)
@options.pair
@options.strata
@options.reading
@options.scoring
@options.chance
@options.checkpoint
@options.wide
@options.form
def adjust(
    true: str,
    pred: str,
    data: str | None,
    names: tuple[str, ...],
    form: str | None,
    strata: str | None,
    **asked: Any,
) -> None:
    """Agreement of two clusterings of the same objects, corrected for chance.

    TRUE is the reference and PRED the candidate: files of text (CSV), Parquet or Arrow files,
    given as FILE if they have one column, or as FILE:COLUMN; - is standard input. Row i of both is the same
    object. The adjusted Rand index, AMI and NMI are printed, or the indices named.
    """
    reading, seed = options.take_reading(asked), options.settle(asked)
    indices = options.index_names(names) or COMMON
    columns = [("TRUE", true), ("PRED", pred), *([("--strata", strata)] if strata else [])]
    labels_true, labels_pred, *others = read_label_columns(columns, data, reading)
    within = others[0] if strata else None
    scores = chancecorr.adjust(
        labels_true, labels_pred, index=tuple(indices), strata=within, **reading.keywords, **asked
    )
    model = next(iter(scores.values())).model
    table = None if model is None else model.table
    if table is None:  # by an index of pairs of objects
        table = chancecorr.contingency_table(labels_true, labels_pred, **reading.keywords)
    if not table.n:
        raise click.UsageError("`TRUE` and `PRED` must hold a label of one object at least; got none.")
    _print_scores(scores, table, reading, asked, form, seed)


def _print_scores(
    scores: chancecorr.correction.AdjustedScores,
    table: chancecorr.ContingencyTable,
    reading: Reading,
    asked: dict[str, Any],
    form: str | None,
    seed: int,
) -> None:
    """Print scores of a table as JSON, as CSV, or for people, and on stderr what was read."""
    print_reading(f"{table.n:,} objects, {table.shape[0]} x {table.shape[1]}", reading.remarks)
    records = [score.to_dict() for score in scores.values()]
    if form in ("json", "csv"):
        for record, score in zip(records, scores.values(), strict=True):
            low, high = score.printed_interval or (math.nan, math.nan)
            record |= {"low": low, "high": high, "confidence": 0.95}
    drawn = max(record["n_tables"] for record in records)
    if form == "json":
        about = {"n": table.n, "shape": table.shape, "n_tables": drawn, "seed": seed if drawn else None}
        print_json(about | {"scores": records})
    elif form == "csv":
        print_csv(records[0], (record.values() for record in records))
    else:
        shown = lay_out(tuple(scores.values()), wide=form == "wide")
        click.echo(replace(shown, caption=_caption(table.margins, asked, drawn, seed)).to_text())


@main.command(
    epilog=options.examples("adjust-table counts.csv", "adjust-table counts.csv --index rand,purity --json")
)
@click.argument("counts")
@options.layout
@options.scoring
@options.chance
@options.checkpoint
@options.wide
@options.form
def adjust_table(counts: str, names: tuple[str, ...], form: str | None, **asked: Any) -> None:
    """Agreement shown by a table of counts, corrected for chance.

    COUNTS is a file of text (CSV) with the numbers of objects that two clusters share: clusters of the
    reference in rows, those of the candidate in columns, with or without their names; - is standard input.
    Totals are refused.
    """
    reading, seed = options.take_reading(asked), options.settle(asked)
    indices = tuple(options.index_names(names) or COMMON)
    table = chancecorr.ContingencyTable(read_counts(counts, reading))
    _print_scores(chancecorr.adjust_table(table, indices, **asked), table, reading, asked, form, seed)


@main.command(
    epilog=options.examples(
        "null --rows 240,240,320 --columns 400,400 --index jaccard",
        "null --rows 5,5,5 --columns 4,6,5 --method exact --csv > law.csv",
    )
)
@options.cluster_sizes
@options.one_index
@options.chance
@options.checkpoint
@options.quantiles
@options.form
def null(rows: str, columns: str, index: str, quantiles: str | None, form: str | None, **asked: Any) -> None:
    """Null distribution of an index, given the cluster sizes."""
    seed = options.settle(asked)
    margins = chancecorr.Margins(
        options.numbers("--rows", rows, int, "whole numbers"),
        options.numbers("--columns", columns, int, "whole numbers"),
    )
    shares = options.numbers("--quantiles", quantiles or options.QUANTILES, float, "numbers")
    law = chancecorr.null_distribution(margins, index, **asked)
    if form == "csv" and not law.values_from:
        raise click.UsageError("`--csv` must have a law to list; got --method analytic.")
    has_values = law.values_from is not None
    quantile = (
        dict(zip(shares, law.quantile(shares).tolist(), strict=True)) if has_values or quantiles else {}
    )
    interval = law.confidence_interval(0.99)
    if form == "json":
        about = {
            "confidence_interval": interval,
            "quantiles": quantile,
            "seed": seed if law.n_tables else None,
        }
        print_json(law.to_dict() | about)
    elif form == "csv":
        print_csv(["value", "weight"], zip(law.values.tolist(), law.weights.tolist(), strict=True))
    else:
        error = law.monte_carlo_error
        of_error = [
            ["std. error of mean", error_of_mean(law, ".6g")],
            ["99 % interval of mean", " to ".join(rounded(end, error) for end in interval)],
        ]
        lines = [
            ["mean", rounded(law.mean, error)],
            *(of_error if error else []),
            ["std", rounded(law.std)],
            ["skewness", rounded(law.skewness)],
            ["excess kurtosis", rounded(law.kurtosis)],
            *([f"quantile {share:g}", rounded(value)] for share, value in quantile.items()),
        ]
        caption = _caption(margins, asked, law.n_tables, seed)
        click.echo(TextTable(columns=[law.index, ""], rows=lines, caption=caption).to_text())


def _caption(margins: chancecorr.Margins, asked: dict[str, Any], drawn: int, seed: int) -> str:
    """Sizes, method and number of tables, as they stand above what is printed."""
    shape = f"{margins.row_totals.size} x {margins.column_totals.size}"
    return f"n = {margins.n:,}, {shape} clusters, {options.how(asked, drawn, seed)}"
