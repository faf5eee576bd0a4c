"""The command line: how it runs and fails, and its commands, of which each is a function of the package."""

import contextlib
import errno
import io
import itertools
import math
import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TextIO

import click

import chancecorr
from chancecorr.cli import catalogue
from chancecorr.cli.columns import Reading, read_all_columns, read_label_columns
from chancecorr.cli.counts import read_counts
from chancecorr.cli.options import (
    CANDIDATES,
    CHANCE,
    FORMS,
    LAYOUT,
    READING,
    SCORES,
    describe_method,
    describe_sizes,
    list_examples,
    prepare,
    print_reading,
    read_names,
    takes,
    write,
)
from chancecorr.comparison import Comparison, DatasetScores
from chancecorr.correction.score_table import lay_out
from chancecorr.machine.arguments import ArgumentError, ArgumentValueError
from chancecorr.machine.printing import escape_hidden, format_count
from chancecorr.machine.text_table import TextTable

Names = Sequence[str]

DEFAULT_INDICES = ("rand", "ami", "nmi")  # indices that are adjusted if none is named
EXIT_CODE_OF_AN_INTERRUPT = 130  # exit code after Ctrl-C, as shells have it
ERRORS_OF_A_FULL_DISK = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}  # errors of a file that finds no more room

OTHER_NAMES = {
    "labels_true": "TRUE", "labels_pred": "PRED", "candidates": "CANDIDATES", "clusterings": "CLUSTERINGS",
    "index": "--index", "datasets": "--by",
}  # fmt: skip
"""Names, on the command line, of arguments that error messages name, unless an option has their name."""

ONE_OF_MANY = re.compile(r"`(?:candidates|clusterings)\['(.*?)'\]`")
"""How an error names one of many clusterings; the command line has its name alone."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on these arguments, those of the process if left out, and return its exit code.

    With those of the process a warning is one line on stderr, and an interrupt ends the process here.
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
            message, code = _put_in_one_line(error)
            _say(message)
    if code == EXIT_CODE_OF_AN_INTERRUPT and arguments is None:
        os._exit(code)  # without waiting for threads that still compute
    return code


def _put_in_one_line(error: BaseException) -> tuple[str, int]:
    """What is said of an error on the command line, and the exit code; any other error is raised again."""
    match error:
        case click.Abort() | KeyboardInterrupt():
            return "Interrupted.", EXIT_CODE_OF_AN_INTERRUPT
        case click.MissingParameter():
            command = error.ctx.command_path if error.ctx else "chancecorr"
            return f"{error.format_message()} Try '{command} --help'.", error.exit_code
        case click.ClickException():
            return error.format_message(), error.exit_code
        case MemoryError():
            return "Not enough memory.", 1
        case ArgumentError():
            options = [item for command in main.commands.values() for item in command.params]
            names = {str(item.name): item.opts[0] for item in options if isinstance(item, click.Option)}
            text = error.in_words_of(names | OTHER_NAMES, option="{name} {value}")
            return ONE_OF_MANY.sub(r"`\1`", text), 2
        case OSError() if error.errno in ERRORS_OF_A_FULL_DISK:
            where = f"`{error.filename}`" if error.filename else "Standard output"
            return f"{where} cannot be written: {error.strerror}.", 1
        case OSError() if error.strerror and error.filename:
            return f"`{error.filename}` must be a file that can be read; got: {error.strerror}.", 2
        case OSError() | ValueError() | TypeError() | chancecorr.indices.IndexEvaluationError():
            return str(error), 2
    raise error


def _say(message: str) -> None:
    """Print a line on stderr, in which names of files and columns cannot steer the terminal."""
    try:
        click.echo(escape_hidden(" ".join(message.split())), err=True)
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


for command in (catalogue.indices, catalogue.cite):
    main.add_command(command)


@main.command(
    epilog=list_examples(
        "adjust true.csv pred.csv",
        "adjust labels.csv:species labels.csv:cluster --index rand,jaccard",
        "adjust species cluster --data labels.parquet --noise singletons",
        "adjust species cluster --data labels.csv --strata batch",
    )
)
@takes("true", "pred", "strata", *READING, *SCORES)
def adjust(
    true: str, pred: str, data: str | None, names: Names, form: str | None, strata: str | None, **options: Any
) -> None:
    """Agreement of two clusterings of the same objects, corrected for chance.

    TRUE is the reference and PRED the candidate: files of text (CSV), Parquet or Arrow files,
    given as FILE if they have one column, or as FILE:COLUMN; - is standard input. Row i of both is the same
    object. The adjusted Rand index, AMI and NMI are printed, or the indices named.
    """
    reading, seed = prepare(options)
    indices = tuple(read_names(names) or DEFAULT_INDICES)
    columns = [("TRUE", true), ("PRED", pred), *([("--strata", strata)] if strata else [])]
    labels_true, labels_pred, *others = read_label_columns(columns, data, reading)
    options |= reading.keywords
    scores = chancecorr.adjust(labels_true, labels_pred, indices, strata=next(iter(others), None), **options)
    table = getattr(next(iter(scores.values())).model, "table", None)
    if table is None:  # of an index of pairs of objects
        table = chancecorr.contingency_table(labels_true, labels_pred, **reading.keywords)
    if not table.n:
        raise click.UsageError("`TRUE` and `PRED` must hold a label of one object at least; got none.")
    _write_scores(scores, table, reading, options, form, seed)


@main.command(
    epilog=list_examples("adjust-table counts.csv", "adjust-table counts.csv --index rand,purity --json")
)
@takes("counts", *LAYOUT, *SCORES)
def adjust_table(counts: str, names: Names, form: str | None, **options: Any) -> None:
    """Agreement shown by a table of counts, corrected for chance.

    COUNTS is a file of text (CSV) with the numbers of objects that two clusters share: clusters of the
    reference in rows, those of the candidate in columns, with or without their names; - is standard input.
    Totals are refused.
    """
    reading, seed = prepare(options)
    indices = tuple(read_names(names) or DEFAULT_INDICES)
    table = chancecorr.ContingencyTable(read_counts(counts, reading))
    _write_scores(chancecorr.adjust_table(table, indices, **options), table, reading, options, form, seed)


def _write_scores(
    scores: chancecorr.correction.AdjustedScores,
    table: chancecorr.ContingencyTable,
    reading: Reading,
    options: dict[str, Any],
    form: str | None,
    seed: int,
) -> None:
    """Print scores of a table, and on stderr what was read."""
    print_reading(f"{table.n:,} objects, {table.shape[0]} x {table.shape[1]}", reading.remarks)
    records = [score.to_dict() for score in scores.values()]
    if form:
        for record, score in zip(records, scores.values(), strict=True):
            low, high = score.printed_interval or (math.nan, math.nan)
            record |= {"low": low, "high": high, "confidence": 0.95}
    drawn = max(record["n_tables"] for record in records)
    about = {"n": table.n, "shape": table.shape, "n_tables": drawn, "seed": seed if drawn else None}
    caption = describe_sizes(table.margins, options, drawn, seed)
    write(
        form,
        record=lambda: about | {"scores": records},
        rows=lambda: [records[0], *(record.values() for record in records)],
        text=lambda: replace(lay_out(tuple(scores.values())), caption=caption).to_text(),
    )


@main.command(
    epilog=list_examples(
        "compare species --data labels.csv",
        "compare true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "compare species kmeans ward --data labels.parquet --index rand,jaccard --seed 1",
        "compare species kmeans ward --data labels.csv --by site",
    )
)
@takes(*CANDIDATES, *FORMS)
def compare(form: str | None, by: str | None, **options: Any) -> None:
    """Which of several clusterings agrees best with a reference, and how sure that is.

    TRUE is the reference, and CANDIDATES are compared with it, given as for chancecorr adjust. With --data
    all are columns of one file, and CANDIDATES may be left out: all columns but TRUE are. The best
    candidate, and those not significantly worse, are marked by an asterisk. With --by each value of a
    column is a data set of its own, and means over data sets are compared.
    """
    if by is not None:
        scores, seed = _compare_datasets(by, **options)
        rows = zip(scores.comparisons, scores.scores.tolist(), strict=True)
        write(
            form,
            record=lambda: {"seed": seed} | scores.to_dict(),
            rows=lambda: [["dataset", *map(str, scores.candidates)], *([name, *row] for name, row in rows)],
            text=lambda: repr(scores),
        )
        return
    comparison, drawn, seed = _compare(**options)
    records = comparison.to_dict()
    more = describe_method(options, drawn, seed)
    boards = [replace(board, caption=f"{board.caption}, {more}") for board in comparison.boards()]
    write(
        form,
        record=lambda: {"n_tables": drawn, "seed": seed if drawn else None} | records,
        rows=lambda: [records["scores"][0], *(record.values() for record in records["scores"])],
        text=lambda: "\n\n".join(board.to_text() for board in boards),
    )


def _compare(
    true: str, candidates: Names, data: str | None, names: Names, groups: str | None, **options: Any
) -> tuple[Comparison, int, int]:
    """A comparison of what the arguments name, the number of tables that were drawn, and the seed."""
    reading, seed = prepare(options)
    for name in ("correction", "interval"):
        options[name] = None if options[name] == "none" else options[name]
    indices = read_names(names) or ["rand"]
    first = [("TRUE", true), *([("--groups", groups)] if groups else [])]
    (_, reference), *others = _read(first, "CANDIDATES", candidates, data, reading)
    options |= {"groups": others.pop(0)[1] if groups else None, **reading.keywords}
    comparison = chancecorr.compare(reference, dict(others), index=indices, **options)
    print_reading(f"{comparison.n:,} objects, {format_count(len(others), 'candidate')}", reading.remarks)
    return comparison, _count_tables([comparison]), seed


def _compare_datasets(
    by: str, true: str, candidates: Names, data: str | None, names: Names, **options: Any
) -> tuple[DatasetScores, int]:
    """Scores on the data sets that the column `by` names, and the seed."""
    reading, seed = prepare(options)
    if options.pop("groups") is not None:
        raise click.UsageError(
            "`--groups` must be left out with `--by`: data sets are the independent draws."
        )
    for name in ("correction", "interval"):
        options.pop(name)
    index, *more = read_names(names) or ["rand"]
    if more:
        raise click.UsageError("`--index` must be one index with `--by`.")
    first = [("TRUE", true), ("--by", by)]
    (_, reference), (_, places), *others = _read(first, "CANDIDATES", candidates, data, reading)
    rows: dict[Any, list[int]] = {}
    for k, place in enumerate(places):
        rows.setdefault(place, []).append(k)
    datasets = {
        place: (reference[of], {name: labels[of] for name, labels in others}) for place, of in rows.items()
    }
    size = f"{len(places):,} objects, {len(others)} candidates, {len(rows)} data sets"
    scores = chancecorr.comparison.compare_datasets(datasets, index, **reading.keywords, **options)
    print_reading(size, reading.remarks)
    return scores, seed


def _read(
    first: list[tuple[str, str]], argument: str, others: Names, data: str | None, reading: Reading
) -> list[tuple[str, Any]]:
    """Names and labels of clusterings: the first ones, and then the others, all of `data` if left out."""
    if not others and data:
        return read_all_columns(data, [source for _, source in first], reading)
    if not others:
        raise ArgumentValueError(argument, "must name a clustering at least, or be left out with --data.")
    twice = next((name for k, name in enumerate(others) if name in others[:k]), None)
    if twice is not None:
        raise ArgumentValueError(argument, f"must be different clusterings; got {twice!r} twice.")
    sources = [*first, *((argument, source) for source in others)]
    labels = read_label_columns(sources, data, reading)
    return [(source, side) for (_, source), side in zip(sources, labels, strict=True)]


def _count_tables(comparisons: Iterable[Comparison]) -> int:
    """Number of simulated tables of the index with most."""
    return max(item.score.n_tables for one in comparisons for of in one.values() for item in of.values())


@main.command(
    epilog=list_examples(
        "pairwise --data labels.csv", "pairwise kmeans ward dbscan --data labels.parquet --p-values --csv"
    )
)
@takes("clusterings", *READING, "index", "p-values", "best", "alternative", *CHANCE, *FORMS)
def pairwise(clusterings: Names, data: str | None, form: str | None, **options: Any) -> None:
    """Agreement of every two of many clusterings, corrected for chance.

    CLUSTERINGS are given as for chancecorr adjust. With --data they are columns of one file, all of them if
    left out. Of each pair the row is the reference, where that matters.
    """
    reading, seed = prepare(options)
    sides = dict(_read([], "CLUSTERINGS", clusterings, data, reading))
    scores = chancecorr.pairwise(sides, **reading.keywords, **options)
    print_reading(f"{scores.n:,} objects, {len(scores)} clusterings", reading.remarks)
    columns, *cells = scores.cells()
    about = f"{scores.index}, adjusted: {len(scores)} clusterings, n = {scores.n:,}"
    caption = f"{about}, {describe_method(options, 0, seed)}".removesuffix(", no tables")
    medoid = [] if scores.medoid is None else [f"nearest to the others: {scores.medoid}"]
    board = TextTable(columns=columns, rows=cells, caption=caption, notes=[*medoid, *scores.remarks()])
    write(
        form,
        record=lambda: {"seed": seed} | scores.to_dict(),
        rows=lambda: [scores.pairs(), *zip(*scores.pairs().values(), strict=True)],
        text=board.to_text,
    )


@main.command(
    epilog=list_examples(
        "report true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "report species kmeans ward --data labels.parquet --index rand,jaccard --seed 1",
        "report species kmeans ward --data labels.csv --by site",
    )
)
@takes(*CANDIDATES, "output")
@click.pass_obj
def report(typed: Sequence[str] | None, /, output: str, by: str | None, **options: Any) -> None:
    """Write a comparison as one page of HTML, to be read, printed, and passed on.

    TRUE and CANDIDATES are given as for chancecorr compare. The page has the best candidate and those not
    significantly worse, forest plots, null distributions, contingency tables, differences, a paragraph on
    the method for a paper, and how it was made. With --by it has means over data sets, as chancecorr compare.
    It needs no other file, and no network.
    """
    _check_output(output, [options["data"]] if options["data"] else [options["true"], *options["candidates"]])
    from chancecorr.report import to_html

    comparison: Comparison | DatasetScores
    if by is None:
        comparison, drawn, seed = _compare(**options)
    else:
        comparison, seed = _compare_datasets(by, **options)
        drawn = _count_tables(comparison.comparisons.values())
    with_seed = ["--seed", str(seed)] if drawn and options["rng"] is None else []
    page = to_html(
        comparison,
        None if output == "-" else output,
        reference=options["true"],
        seed=seed if drawn else None,
        command=shlex.join(["chancecorr", *(typed or ()), *with_seed]),
    )
    if page is not None:
        click.echo(page.encode(), nl=False)  # UTF-8, as the page says, whatever the terminal has
    else:
        indices = comparison.indices if isinstance(comparison, Comparison) else (comparison.index,)
        click.echo(
            f"{escape_hidden(output)}: {format_count(len(comparison), 'candidate')}, {', '.join(indices)}"
        )


def _check_output(output: str, sources: Sequence[str]) -> None:
    """Raise, before the work, if a report could not be written, or would take the place of the labels."""
    folder = os.path.dirname(output) or "."
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise click.UsageError(f"`--output` must be in a folder that can be written to; got {output!r}.")
    for path in (source if os.path.exists(source) else source.rpartition(":")[0] for source in sources):
        if os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            raise click.UsageError(f"`--output` must be another file than the labels; got {output!r}.")
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError:
        raise click.UsageError(
            "`report` must have Jinja2 and matplotlib, which are not installed."
            " Run: pip install 'chancecorr[report]'"
        ) from None


@main.command(name="compile", epilog=list_examples("compile"))
def compile_kernels() -> None:
    """Compile ahead what simulations use, as for the image of a container: about a minute, once."""
    from chancecorr.machine import tiers
    from chancecorr.sampling.workers import show_progress

    tiers.FORCED = "compiled"
    large, small = [k % 3 for k in range(600)], [k // 2 for k in range(60)]
    pairs = ((large, large[1:] + large[:1]), (large[:60], small), (small, small[1:] + small[:1]))
    names = [*chancecorr.PUBLISHED_INDICES, "ami", "purity", "maximum_matching_accuracy"]
    with show_progress("kernels", len(pairs) * len(names) + 1, True) as show:
        for done, (pair, name) in enumerate(itertools.product(pairs, names), start=1):
            chancecorr.adjust(*pair, name, method="monte-carlo", n_tables=100, rng=1)
            show(done)
        chancecorr.adjust(*pairs[0], names, model="fixed-k", n_tables=100, rng=1)
        chancecorr.adjust(*pairs[0], names, rng=1)
        show(done + 1)
    click.echo("The kernels of simulations are compiled.")
