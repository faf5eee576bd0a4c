"""Commands on many clusterings: ``chancecorr compare``, ``chancecorr pairwise``."""

import secrets
from collections.abc import Sequence
from typing import Any

import click

import chancecorr
from chancecorr.arguments import ArgumentValueError
from chancecorr.cli import options
from chancecorr.cli.columns import Reading, read_all, read_sides, with_noise
from chancecorr.cli.output import print_csv, print_json, print_lines, print_table


@click.command(
    cls=options.Grouped,
    epilog=options.examples(
        "compare species --data labels.csv",
        "compare true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "compare species kmeans ward --data labels.parquet --index rand,jaccard --seed 1",
        "compare labels.csv:species labels.csv:kmeans other.csv:ward --correction fdr_bh --csv",
    ),
)
@options.reference_and_candidates
@options.reading
@options.comparing
@options.chance
@options.form
def compare(form: str | None, **asked: Any) -> None:
    """Which of several clusterings agrees best with a reference, and how sure that is.

    TRUE is the reference, and CANDIDATES are compared with it: files of text (CSV, .tsv, also .gz), Parquet
    or Arrow files, given as FILE if they have one column, or as FILE:COLUMN; - is standard input. With --data
    all are columns of one file, and CANDIDATES may be left out: all columns but TRUE are. Row i of all is the
    same object. The best candidate, and those that cannot be told from it, are marked by an asterisk.
    """
    comparison, drawn, seed = compared(**asked)
    found = comparison.to_dict()
    if form == "json":
        print_json({"n_tables": drawn, "seed": seed if drawn else None} | found)
    elif form == "csv":
        print_csv(found["scores"][0], (record.values() for record in found["scores"]))
    else:
        tables = f"{drawn:,} tables, seed {seed}" if drawn else "no tables"
        for k, board in enumerate(comparison.boards()):
            if k:
                click.echo()
            caption = f"{board.caption}, method {asked['method']}, {tables}"
            print_table(caption, board.header, *board.rows, left=2)
            print_lines(board.notes)


def compared(
    true: str, candidates: tuple[str, ...], data: str | None, no_header: bool, sep: str | None,
    encoding: str | None, na_values: str, missing: Any, noise: Any, noise_label: str,
    names: tuple[str, ...], best: str | None, correction: Any, interval: Any, rng: int | None, **asked: Any,
) -> tuple[chancecorr.Comparison, int, int]:  # fmt: skip
    """A comparison of what the arguments name, the number of tables that were drawn, and the seed."""
    reading = options.as_reading(no_header, sep, encoding, na_values, missing)
    indices = options.index_names(names) or ["rand"]
    (_, reference), *others = _read([("TRUE", true)], "CANDIDATES", candidates, data, reading)
    labels, label = with_noise([reference, *(side for _, side in others)], noise_label, noise)
    seed = secrets.randbits(32) if rng is None else rng
    comparison = chancecorr.compare(
        labels[0],
        dict(zip((name for name, _ in others), labels[1:], strict=True)),
        index=indices,
        correction=None if correction == "none" else correction,
        interval=None if interval == "none" else interval,
        rng=seed,
        best=options.best_value(best),
        noise=noise,
        noise_label=label,
        missing=missing,
        **asked,
    )
    drawn = max(score.score.n_tables for of in comparison.values() for score in of.values())
    return comparison, drawn, seed


@click.command(
    cls=options.Grouped,
    epilog=options.examples(
        "pairwise --data labels.csv",
        "pairwise kmeans.csv ward.csv dbscan.csv --index ami --noise singletons",
        "pairwise kmeans ward dbscan --data labels.parquet --p-values --csv",
    ),
)
@options.clusterings
@options.reading
@options.one_index
@options.of_pairs
@options.chance
@options.form
def pairwise(
    clusterings: tuple[str, ...], data: str | None, no_header: bool, sep: str | None, encoding: str | None,
    na_values: str, missing: Any, noise: Any, noise_label: str, index: str, p_values: bool,
    best: str | None, rng: int | None, form: str | None, **asked: Any,
) -> None:  # fmt: skip
    """Agreement of every two of many clusterings, corrected for chance.

    CLUSTERINGS are files of text (CSV, .tsv, also .gz), Parquet or Arrow files, given as FILE if they have
    one column, or as FILE:COLUMN; - is standard input. With --data they are columns of one file, all of them
    if left out. Row i of all is the same object. Of each pair the row is the reference, where that matters.
    """
    reading = options.as_reading(no_header, sep, encoding, na_values, missing)
    sides = _read([], "CLUSTERINGS", clusterings, data, reading)
    labels, label = with_noise([side for _, side in sides], noise_label, noise)
    seed = secrets.randbits(32) if rng is None else rng
    scores = chancecorr.pairwise(
        dict(zip((name for name, _ in sides), labels, strict=True)),
        index=index,
        p_values=p_values,
        rng=seed,
        best=options.best_value(best),
        noise=noise,
        noise_label=label,
        missing=missing,
        **asked,
    )
    if form == "json":
        print_json({"seed": seed} | scores.to_dict())
    elif form == "csv":
        _print_pairs(scores)
    else:
        m = len(scores)
        caption = f"{scores.index}, adjusted: {m} clusterings, n = {scores.n:,}, method {asked['method']}"
        header, *rows = scores.cells()
        print_table(caption, header, *rows)
        medoid = [] if scores.medoid is None else [f"nearest to the others: {scores.medoid}"]
        print_lines([*medoid, *scores.remarks])


def _read(
    first: list[tuple[str, str]],
    argument: str,
    others: Sequence[str],
    data: str | None,
    reading: Reading,
) -> list[tuple[str, Any]]:
    """Names and labels of clusterings, those given `first` and then the others, all of `data` if left out."""
    if not others and data:
        return list(read_all(data, [source for _, source in first], reading).items())
    if not others:
        raise ArgumentValueError(argument, "must name a clustering at least, or be left out with --data.")
    twice = next((name for k, name in enumerate(others) if name in others[:k]), None)
    if twice is not None:
        raise ArgumentValueError(argument, f"must be different clusterings; got {twice!r} twice.")
    sources = [*first, *((argument, source) for source in others)]
    labels = read_sides(sources, data, reading)
    return [(source, side) for (_, source), side in zip(sources, labels, strict=True)]


def _print_pairs(scores: chancecorr.PairwiseScores) -> None:
    """A line for each pair of different clusterings, once where the order does not matter."""
    header = ["adjusted", "observed", "expected", "best"] + ["p_value"] * (scores.p_value is not None)
    once, m = scores.is_symmetric, len(scores)
    matrices = [getattr(scores, name).tolist() for name in header]
    print_csv(
        ["reference", "candidate", *header],
        (
            [scores.names[i], scores.names[j], *(matrix[i][j] for matrix in matrices)]
            for i in range(m)
            for j in range(i + 1 if once else 0, m)
            if i != j
        ),
    )
