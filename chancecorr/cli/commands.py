"""The command line: how it runs and fails, commands on a pair of clusterings and on the catalogue."""

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
from chancecorr.catalogue.details import details, what_is_exact
from chancecorr.catalogue.recommendations import COMMON, called, common_first, is_found
from chancecorr.cli import many, options
from chancecorr.cli.columns import Reading, read_label_columns
from chancecorr.cli.counts import read_counts
from chancecorr.cli.options import Asked, Names, print_csv, print_json, print_reading
from chancecorr.correction.score_table import error_of_mean, lay_out
from chancecorr.machine.arguments import ArgumentError, did_you_mean
from chancecorr.machine.printing import rounded, visible
from chancecorr.machine.text_table import TextTable

BY_DEFAULT = ("rand", "ami", "nmi")  # indices that are adjusted if none is named
INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it
FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}  # errors of a file that finds no more room

OTHER_NAMES = {
    "labels_true": "TRUE", "labels_pred": "PRED", "candidates": "CANDIDATES", "clusterings": "CLUSTERINGS",
    "row_totals": "--rows", "column_totals": "--columns", "q": "--quantiles", "quantile": "--quantiles",
    "index": "--index", "datasets": "--by", "need": "NEED",
}  # fmt: skip
"""Names, on the command line, of arguments that error messages name, unless an option has their name."""

FIELDS = (
    "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
    "symmetric", "constant", "undefined", "source", "notes",
)  # fmt: skip
"""What JSON has of the entry of an index, besides what follows from it."""

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


for command in (many.compare, many.pairwise, many.report):
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
@options.of_scores
def adjust(true: str, pred: str, data: Asked, names: Names, form: Asked, strata: Asked, **asked: Any) -> None:
    """Agreement of two clusterings of the same objects, corrected for chance.

    TRUE is the reference and PRED the candidate: files of text (CSV), Parquet or Arrow files,
    given as FILE if they have one column, or as FILE:COLUMN; - is standard input. Row i of both is the same
    object. The adjusted Rand index, AMI and NMI are printed, or the indices named.
    """
    reading, seed = options.prepare(asked)
    indices = tuple(options.index_names(names) or BY_DEFAULT)
    columns = [("TRUE", true), ("PRED", pred), *([("--strata", strata)] if strata else [])]
    labels_true, labels_pred, *others = read_label_columns(columns, data, reading)
    asked |= reading.keywords
    scores = chancecorr.adjust(labels_true, labels_pred, indices, strata=next(iter(others), None), **asked)
    table = getattr(next(iter(scores.values())).model, "table", None)
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
    form: Asked,
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
@options.of_scores
def adjust_table(counts: str, names: Names, form: Asked, **asked: Any) -> None:
    """Agreement shown by a table of counts, corrected for chance.

    COUNTS is a file of text (CSV) with the numbers of objects that two clusters share: clusters of the
    reference in rows, those of the candidate in columns, with or without their names; - is standard input.
    Totals are refused.
    """
    reading, seed = options.prepare(asked)
    indices = tuple(options.index_names(names) or BY_DEFAULT)
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
def null(rows: str, columns: str, index: str, quantiles: Asked, form: Asked, **asked: Any) -> None:
    """Null distribution of an index, given the cluster sizes."""
    _, seed = options.prepare(asked)
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


@main.command(
    epilog=options.examples("indices", "indices jaccard", "indices 'Hubert & Arabie'", "indices --csv")
)
@click.argument("pattern", default="")
@options.family
@options.form
def indices(pattern: str, family: str | None, form: str | None) -> None:
    """The catalogue, common indices first, or those with PATTERN in a name, the formula or the source.

    One that is found alone, or named exactly, is shown with all that is known of it.
    """
    entries = [chancecorr.get_index(name) for name in common_first(chancecorr.list_indices(family))]
    meant = called(pattern)
    named = [entry for entry in entries if entry.name == meant]
    found = [entry for entry in entries if entry in named or is_found(entry, pattern)]
    if not found:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise click.ClickException(f"No index matches {pattern!r}{where}.{did_you_mean(pattern, names)}")
    if form == "json":
        print_json(
            [
                {field: getattr(entry, field) for field in FIELDS}
                | {"equivalents": chancecorr.catalogue.equivalents(entry)}
                | {"larger_is_better": entry.larger_is_better, "exact": what_is_exact(entry)}
                for entry in found
            ]
        )
    elif form == "csv":
        header = ["name", "aliases", "family", "formula", "lowest", "highest", "best", "affine"]
        rows = ([e.name, " ".join(e.aliases), e.family, e.formula, *e.range, e.best, e.affine] for e in found)
        print_csv(header, rows)
    elif len(named or found) == 1:
        (entry,) = named or found
        heading, *others = details(entry)
        caption = f"{entry.name} ({entry.family})"
        click.echo(TextTable(columns=heading, rows=others, caption=caption, left=2).to_text())
    else:
        pairs = [[entry.name, entry.formula] for entry in found]
        first = sum(entry.name in COMMON for entry in found)
        caption = f"{len(found)} of {len(entries)} indices"
        caption += f", the {first} common ones first" if first > 1 else ""
        click.echo(TextTable(columns=["name", "formula"], rows=pairs, caption=caption, left=2).to_text())


@main.command(epilog=options.examples("cite jaccard", "cite rand,jaccard --bibtex >> references.bib"))
@options.to_cite
@options.references
def cite(names: tuple[str, ...], bibtex: bool, as_json: bool) -> None:
    """Works to cite for an index: its source, the method of correction, and this software.

    INDEX is a name as in chancecorr indices; several stand between commas or spaces. BibTeX has
    entries of the works that are cited most, of the method and of the software; others are in the text alone.
    """
    try:
        found = chancecorr.catalogue.cite(options.index_names(names, "INDEX"))
    except ArgumentError as error:
        raise click.UsageError(error.in_words_of({"index": "INDEX"}, option="{name} {value}")) from None
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo("\n".join(map(visible, (found.bibtex if bibtex else found.text).split("\n"))))


@main.command(epilog=options.examples("recommend", "recommend constant_baseline monotone symmetric"))
@click.argument("wanted", nargs=-1, metavar="[NEED ...]")
@options.needed
@options.family
@options.form
def recommend(
    wanted: tuple[str, ...], adjusted: bool | None, open_counts: bool, family: str | None, form: str | None
) -> None:
    """Indices with all properties asked for, raw or corrected for chance.

    NEED is a property that is proved or refuted for each index. Without any, an index is named for each of
    six questions, and all that can be asked is listed. Of indices with the same corrected score one is shown.
    """
    found = chancecorr.catalogue.recommend(*wanted, adjusted=adjusted, open_counts=open_counts, family=family)
    table = found.table()
    if form == "json":
        print_json(found.to_dict() if wanted else {need: meaning for need, meaning in table.rows})
    elif form == "csv":
        print_csv(table.columns, table.rows)
    else:
        click.echo(table.to_text() if wanted else repr(found))
