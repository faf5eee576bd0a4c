"""Commands on many clusterings: ``chancecorr compare``, ``chancecorr pairwise``, ``chancecorr report``."""

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import click

import chancecorr
from chancecorr.cli import options
from chancecorr.cli.columns import Reading, read_all_columns, read_label_columns
from chancecorr.cli.options import Asked, Names, print_csv, print_json, print_reading
from chancecorr.comparison import Comparison, DatasetScores
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.printing import counted, visible
from chancecorr.machine.text_table import TextTable


@click.command(
    epilog=options.examples(
        "compare species --data labels.csv",
        "compare true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "compare species kmeans ward --data labels.parquet --index rand,jaccard --seed 1",
        "compare species kmeans ward --data labels.csv --by site",
    )
)
@options.of_candidates
@options.form
def compare(form: Asked, by: Asked, **asked: Any) -> None:
    """Which of several clusterings agrees best with a reference, and how sure that is.

    TRUE is the reference, and CANDIDATES are compared with it: files of text (CSV), Parquet
    or Arrow files, given as FILE if they have one column, or as FILE:COLUMN; - is standard input. With --data
    all are columns of one file, and CANDIDATES may be left out: all columns but TRUE are. Row i of all is the
    same object. The best candidate, and those not significantly worse, are marked by an asterisk. With --by
    each value of a column is a data set of its own, and means over data sets are compared.
    """
    if by is not None:
        of_sets, seed = over_datasets(by, **asked)
        if form == "json":
            print_json({"seed": seed} | of_sets.to_dict())
        elif form == "csv":
            rows = zip(of_sets.comparisons, of_sets.scores.tolist(), strict=True)
            print_csv(["dataset", *map(str, of_sets.candidates)], ([name, *row] for name, row in rows))
        else:
            click.echo(repr(of_sets))
        return
    comparison, drawn, seed = compared(**asked)
    found = comparison.to_dict()
    if form == "json":
        print_json({"n_tables": drawn, "seed": seed if drawn else None} | found)
    elif form == "csv":
        print_csv(found["scores"][0], (record.values() for record in found["scores"]))
    else:
        more = options.how(asked, drawn, seed)
        boards = [replace(board, caption=f"{board.caption}, {more}") for board in comparison.boards()]
        click.echo("\n\n".join(board.to_text() for board in boards))


def over_datasets(
    by: str, true: str, candidates: Names, data: Asked, names: Names, **asked: Any
) -> tuple[DatasetScores, int]:
    """Scores on the data sets that the column `by` names, and the seed."""
    reading, seed = options.prepare(asked)
    if asked.pop("groups") is not None:
        raise click.UsageError(
            "`--groups` must be left out with `--by`: data sets are the independent draws."
        )
    for name in ("correction", "interval", "drop"):
        asked.pop(name)
    index, *more = options.index_names(names) or ["rand"]
    if more:
        raise click.UsageError("`--index` must be one index with `--by`.")
    first = [("TRUE", true), ("--by", by)]
    (_, reference), (_, places), *others = _read(first, "CANDIDATES", candidates, data, reading)
    rows: dict[Any, list[int]] = {}
    for k, place in enumerate(places):
        rows.setdefault(place, []).append(k)
    datasets = {
        place: ([reference[k] for k in of], {name: [labels[k] for k in of] for name, labels in others})
        for place, of in rows.items()
    }
    size = f"{len(places):,} objects, {len(others)} candidates, {len(rows)} data sets"
    scores = chancecorr.comparison.compare_datasets(datasets, index, **reading.keywords, **asked)
    print_reading(size, reading.remarks)
    return scores, seed


def compared(
    true: str, candidates: Names, data: Asked, names: Names, groups: Asked, **asked: Any
) -> tuple[Comparison, int, int]:
    """A comparison of what the arguments name, the number of tables that were drawn, and the seed."""
    reading, seed = options.prepare(asked)
    for name in ("correction", "interval"):
        asked[name] = None if asked[name] == "none" else asked[name]
    indices = options.index_names(names) or ["rand"]
    first = [("TRUE", true), *([("--groups", groups)] if groups else [])]
    (_, reference), *others = _read(first, "CANDIDATES", candidates, data, reading)
    asked |= {"groups": others.pop(0)[1] if groups else None, **reading.keywords}
    comparison = chancecorr.compare(reference, dict(others), index=indices, **asked)
    print_reading(f"{comparison.n:,} objects, {counted(len(others), 'candidate')}", reading.remarks)
    return comparison, _tables_drawn([comparison]), seed


def _tables_drawn(comparisons: Iterable[Comparison]) -> int:
    """Number of simulated tables of the index with most."""
    return max(each.score.n_tables for one in comparisons for of in one.values() for each in of.values())


@click.command(
    epilog=options.examples(
        "pairwise --data labels.csv", "pairwise kmeans ward dbscan --data labels.parquet --p-values --csv"
    )
)
@options.clusterings
@options.reading
@options.dropping
@options.one_index
@options.of_pairs
@options.chance
@options.form
def pairwise(clusterings: Names, data: Asked, form: Asked, **asked: Any) -> None:
    """Agreement of every two of many clusterings, corrected for chance.

    CLUSTERINGS are files of text (CSV), Parquet or Arrow files, given as FILE if they have
    one column, or as FILE:COLUMN; - is standard input. With --data they are columns of one file, all of them
    if left out. Row i of all is the same object. Of each pair the row is the reference, where that matters.
    """
    reading, seed = options.prepare(asked)
    sides = dict(_read([], "CLUSTERINGS", clusterings, data, reading))
    scores = chancecorr.pairwise(sides, **reading.keywords, **asked)
    print_reading(f"{scores.n:,} objects, {len(scores)} clusterings", reading.remarks)
    if form == "json":
        print_json({"seed": seed} | scores.to_dict())
    elif form == "csv":
        pairs = scores.pairs()
        print_csv(pairs, zip(*pairs.values(), strict=True))
    else:
        about = f"{scores.index}, adjusted: {len(scores)} clusterings, n = {scores.n:,}"
        caption = f"{about}, {options.how(asked, 0, seed)}".removesuffix(", no tables")
        columns, *rows = scores.cells()
        medoid = [] if scores.medoid is None else [f"nearest to the others: {scores.medoid}"]
        notes = [*medoid, *scores.remarks()]
        click.echo(TextTable(columns=columns, rows=rows, caption=caption, notes=notes).to_text())


def _read(
    first: list[tuple[str, str]], argument: str, others: Names, data: Asked, reading: Reading
) -> list[tuple[str, Any]]:
    """Names and labels of clusterings, those given `first` and then the others, all of `data` if left out."""
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


@click.command(
    epilog=options.examples(
        "report true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "report species kmeans ward --data labels.parquet --index rand,jaccard --seed 1 --reference species",
        "report species kmeans ward --data labels.csv --by site",
    )
)
@options.of_candidates
@options.page
@click.pass_obj
def report(typed: Sequence[str] | None, /, output: str, reference: Asked, by: Asked, **asked: Any) -> None:
    """Write a comparison as one page of HTML, to be read, printed, and passed on.

    TRUE and CANDIDATES are given as for chancecorr compare. The page has the best candidate and those not
    significantly worse, forest plots, null distributions, contingency tables, differences, a paragraph on
    the method for a paper, and how it was made. With --by it has means over data sets, as chancecorr compare.
    It needs no other file, and no network.
    """
    folder = os.path.dirname(output) or "."
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise click.UsageError(f"`--output` must be in a folder that can be written to; got {output!r}.")
    sources = [asked["data"]] if asked["data"] else [asked["true"], *asked["candidates"]]
    for path in (each if os.path.exists(each) else each.rpartition(":")[0] for each in sources):
        if os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            raise click.UsageError(f"`--output` must be another file than the labels; got {output!r}.")
    try:
        import jinja2  # noqa: F401  before the work, not after it
        import matplotlib  # noqa: F401
    except ImportError:
        raise click.UsageError(
            "`report` must have Jinja2 and matplotlib, which are not installed."
            " Run: pip install 'chancecorr[report]'"
        ) from None
    from chancecorr.report import to_html

    found: Comparison | DatasetScores
    if by is None:
        found, drawn, seed = compared(**asked)
    else:
        found, seed = over_datasets(by, **asked)
        drawn = _tables_drawn(found.comparisons.values())
    typed = ["chancecorr", *(typed or ()), *(["--seed", str(seed)] if drawn and asked["rng"] is None else [])]
    page = to_html(
        found,
        None if output == "-" else output,
        reference=asked["true"] if reference is None else reference,
        seed=seed if drawn else None,
        command=shlex.join(typed),
    )
    if page is not None:
        click.echo(page.encode(), nl=False)  # UTF-8, as the page says, whatever the terminal has
    else:
        indices = found.indices if isinstance(found, Comparison) else (found.index,)
        click.echo(f"{visible(output)}: {counted(len(found), 'candidate')}, {', '.join(indices)}")
