"""The commands of the command line, each for a function of the package."""

import itertools
import json
import os
import secrets
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import chancecorr
from chancecorr import catalogue
from chancecorr.cli.cells import Reading
from chancecorr.cli.columns import read_label_columns
from chancecorr.cli.counts import read_counts
from chancecorr.cli.options import FILES, LAYOUT, TABLES, Command, prepare, read_names
from chancecorr.cli.output import Answer, describe_method, print_reading, write
from chancecorr.cli.schema import INDEX_FIELDS, make_schema
from chancecorr.cli.sides import read_ratings, read_shares, read_sides, read_weights
from chancecorr.clusterings import segments
from chancecorr.clusterings.sums_over_pairs import count_clusters
from chancecorr.comparison import Comparison, DatasetScores, RaterAgreement
from chancecorr.correction import AdjustedScores
from chancecorr.indices.names import COMMON, is_found, put_common_first
from chancecorr.indices.registry import find_named
from chancecorr.machine.arguments import ArgumentValueError, suggest_name
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import escape_hidden, format_count, resolve_link, write_csv
from chancecorr.machine.text_table import TextTable

DEFAULT_INDICES = ("rand", "ami", "nmi")  # indices that are adjusted if none is named
INDICES_OF_COVERS = ("omega", "onmi_max")  # the same for clusters that overlap


def adjust(
    true: str,
    pred: str,
    data: str | None,
    form: str | None,
    soft: str | None,
    overlapped: Any,
    **options: Any,
) -> None:
    """Agreement of two clusterings of the same objects, corrected for chance.

    TRUE is the reference and PRED the candidate: files of text (CSV), Parquet, Arrow or NumPy,
    given as FILE if they hold one clustering, or as FILE:COLUMN; - is standard input. Row i of both is the
    same object; nodes in files of communities are matched by name. By default the adjusted Rand index, AMI
    and NMI are printed; --index selects others, and published stands for the nine of Amorim & Cardoso.

    For example:
      chancecorr adjust true.csv pred.csv
      chancecorr adjust labels.csv:species labels.csv:cluster --index rand,jaccard
      chancecorr adjust community.dat found.cmty --index onmi
      chancecorr adjust species cluster --data labels.parquet --noise singletons
      chancecorr adjust species cluster --data labels.csv --strata batch
      chancecorr adjust species --soft P1,P2,P3 --data shares.csv
    """
    if bool(pred) == bool(soft):
        rule = "must name a clustering, or --soft its columns" if not pred else "must be left out with --soft"
        raise ArgumentValueError("pred", f"{rule}; got {pred or 'none'!r}.")
    reading, seed = prepare(options)
    indices = read_names(options["index"])
    names = {"labels_true": true, "labels_pred": pred}
    strata = [("--strata", options.pop("strata"))] if options["strata"] else []
    weights = options.pop("weights")
    sources = [("TRUE", true), *([("PRED", pred)] if pred else []), *strata]
    labels_true, *parts = read_label_columns(sources, data, reading)
    labels_pred = parts.pop(0) if pred else read_shares(true, soft or "", data, reading)
    if isinstance(labels_true, list):  # segments
        labels_true, labels_pred, options["weights"] = segments(
            labels_true, labels_pred, overlapped=overlapped, gap=reading.gap_label
        )
        text = "an object is an interval of time with one label in each file"
        reading.notes.append(Note("format", text))
    else:
        _refuse_gap(reading, options)
    overlap = any(isinstance(side, chancecorr.Cover) for side in (labels_true, labels_pred))
    options["index"] = indices or (INDICES_OF_COVERS if overlap else DEFAULT_INDICES)
    options |= {**reading.keywords, **({"strata": parts[0]} if strata else {})}
    options |= {"weights": read_weights(true, weights, data, reading)} if weights else {}
    scores = chancecorr.adjust(labels_true, labels_pred, **options)
    _write_scores(
        scores, reading, options, form, seed, {name: f"`{source}`" for name, source in names.items()}
    )


def _refuse_gap(reading: Reading, options: Mapping[str, Any]) -> None:
    """Raise if a label of gaps is given, although neither a file nor the model has segments."""
    if reading.gap is not None and not isinstance(options["model"], chancecorr.Draws):
        rule = "must be left out without --model segments, or files of segments"
        raise ArgumentValueError("gap", f"{rule}; got {reading.gap!r}.")


def adjust_table(counts: str, form: str | None, **options: Any) -> None:
    """Agreement of two clusterings from a table of counts, corrected for chance.

    COUNTS is a text file (CSV) with a contingency table: clusters of the reference in rows, clusters of the
    candidate in columns, with or without their names; - is standard input. The table must not hold totals.

    For example:
      chancecorr adjust-table counts.csv
      chancecorr adjust-table counts.csv --index rand,purity --json
    """
    reading, seed = prepare(options)
    options["index"] = read_names(options["index"]) or DEFAULT_INDICES
    scores = chancecorr.adjust_table(read_counts(counts, reading), **options)
    _write_scores(scores, reading, options, form, seed, {})


def _write_scores(
    scores: AdjustedScores, reading: Reading, options: dict[str, Any], form: str | None, seed: int,
    names: Mapping[str, str],
) -> None:  # fmt: skip
    """Print scores, with `names` of the sides in the notes, and print the size of the input to stderr."""
    model: Any = next(iter(scores.values())).model
    table = getattr(model, "table", None)
    shape = getattr(model if table is None else table, "shape", None) or tuple(
        int(count_clusters(side))
        for side in (model.P, model.Q)  # a model that compares pairs of objects
    )
    print_reading(f"{model.n:,} objects, {shape[0]} x {shape[1]}", reading.notes)
    drawn = max(score.n_tables for score in scores.values())
    about = {"n": model.n, "shape": shape, "n_tables": drawn, "seed": seed if drawn else None}
    caption = f"n = {model.n:,}, {shape[0]} x {shape[1]} clusters, {describe_method(options, drawn, seed)}"
    (board,) = scores._tables()
    keywords = {"noise=": "`--noise`", "model=chancecorr.chance.segments()": "`--model segments`"}
    notes = [note.name_sides({**names, **keywords}) for note in board.notes]
    board = replace(board, caption=caption, notes=notes)
    write(
        form,
        Answer(
            record=lambda: about | {"scores": list(scores.to_dict().values())},
            csv=scores.to_csv,
            text=board.to_text,
        ),
    )


def compare(form: str | None, **options: Any) -> None:
    """Rank several clusterings by their agreement with a reference, with intervals and tests.

    TRUE is the reference, and CANDIDATES are compared with it, given as for chancecorr adjust. With --data
    all are columns of one file, and without CANDIDATES all columns except TRUE are compared. An asterisk
    marks the best candidate, and candidates that are not significantly worse. With --by each value of a
    column is a separate data set, and means over data sets are compared. The default index is rand.

    For example:
      chancecorr compare species --data labels.csv
      chancecorr compare true.csv kmeans.csv ward.csv dbscan.csv --noise singletons
      chancecorr compare species kmeans ward --data labels.parquet --index rand,jaccard --seed 1
      chancecorr compare species kmeans ward --data labels.csv --by site
      chancecorr compare species kmeans ward --data labels.csv --strata batch
    """
    comparison, drawn, seed = _compare(options)
    records = comparison.to_dict()
    if isinstance(comparison, DatasetScores):
        write(
            form,
            Answer(record=lambda: {"seed": seed} | records, csv=comparison.to_csv, text=comparison.to_text),
        )
        return
    about = describe_method(options, drawn, seed)
    boards = [replace(board, caption=f"{board.caption}, {about}") for board in comparison._tables()]
    write(
        form,
        Answer(
            record=lambda: {"n_tables": drawn, "seed": seed if drawn else None} | records,
            csv=comparison.to_csv,
            text=lambda: "\n\n".join(board.to_text() for board in boards),
        ),
    )


def _compare(options: dict[str, Any]) -> tuple[Comparison | DatasetScores, int, int]:
    """Compare the clusterings in the options; also return the largest number of tables and the seed."""
    reading, seed = prepare(options)
    _refuse_gap(reading, options)
    true, candidates, data, weights, *columns = (
        options.pop(name) for name in ("true", "candidates", "data", "weights", "by", "groups", "strata")
    )
    by, groups, strata = columns
    indices = read_names(options.pop("index"))
    if by and groups:
        raise ValueError("`--groups` must be left out with `--by`: data sets are the independent draws.")
    if by and len(indices) > 1:
        raise ValueError("`--index` must be one index with `--by`.")
    chosen = options.get("chosen")
    for name, given in (("--strata", strata), ("--weights", weights), ("--chosen", chosen)):
        if by and given:
            raise ValueError(f"`{name}` must be left out with `--by`.")
    of_objects = [
        (name, of) for name, of in zip(("--by", "--groups", "--strata"), columns, strict=True) if of
    ]
    (_, reference), *others = read_sides(
        [("TRUE", true), *of_objects], "CANDIDATES", candidates, data, reading
    )
    parts: dict[str, Any] = {name: others.pop(0)[1] for name, _ in of_objects}
    of_candidates = format_count(len(others), "candidate")
    if by and any(isinstance(labels, chancecorr.Cover) for labels in (reference, *dict(others).values())):
        raise ValueError("`--by` must be left out for clusters that overlap.")
    if by:
        rows: dict[Any, list[int]] = {}
        for k, part in enumerate(parts["--by"]):
            rows.setdefault(part, []).append(k)
        datasets = {
            part: (reference[of], {name: labels[of] for name, labels in others}) for part, of in rows.items()
        }
        for name in ("correction", "interval", "chosen"):
            del options[name]
        of_sets = chancecorr.comparison.compare_datasets(
            datasets, (indices or ["rand"])[0], **reading.keywords, **options
        )
        print_reading(
            f"{len(parts['--by']):,} objects, {of_candidates}, {len(rows)} data sets", reading.notes
        )
        return of_sets, _count_tables(of_sets.comparisons.values()), seed
    options |= {"index": indices} if indices else {}
    options |= {name.removeprefix("--"): of for name, of in parts.items()}
    options |= {"weights": read_weights(true, weights, data, reading)} if weights else {}
    comparison = chancecorr.compare(reference, dict(others), **reading.keywords, **options)
    print_reading(f"{comparison.n:,} objects, {of_candidates}", reading.notes)
    return comparison, _count_tables([comparison]), seed


def _count_tables(comparisons: Iterable[Comparison]) -> int:
    """Return the largest number of simulated tables over all indices."""
    return max(item.score.n_tables for one in comparisons for of in one.values() for item in of.values())


def pairwise(clusterings: list[str], data: str | None, form: str | None, **options: Any) -> None:
    """Agreement of every two of many clusterings, corrected for chance.

    CLUSTERINGS are given as for chancecorr adjust. With --data they are columns of one file, by default all
    columns. If the index is not symmetric, the row of a pair is the reference.

    For example:
      chancecorr pairwise --data labels.csv
      chancecorr pairwise kmeans ward dbscan --data labels.parquet --p-values --csv
    """
    reading, seed = prepare(options)
    if options["index"] and len(read_names([options["index"]])) > 1:
        raise ArgumentValueError("index", f"must be one index; got {options['index']!r}.")
    sides = dict(read_sides([], "CLUSTERINGS", clusterings, data, reading))
    scores = chancecorr.pairwise(sides, **reading.keywords, **options)
    print_reading(f"{scores.n:,} objects, {len(scores)} clusterings", reading.notes)
    about = f"{scores.index}, adjusted: {len(scores)} clusterings, n = {scores.n:,}"
    caption = f"{about}, {describe_method(options, 0, seed)}".removesuffix(", no tables")
    medoid = [] if scores.medoid is None else [Note("medoid", f"nearest to the others: {scores.medoid}")]
    board = replace(scores._tables()[0], caption=caption, notes=[*medoid, *scores.notes])
    write(
        form, Answer(record=lambda: {"seed": seed} | scores.to_dict(), csv=scores.to_csv, text=board.to_text)
    )


def agreement(
    clusterings: list[str], data: str | None, form: str | None, item: str | None, rater: str | None,
    label: str | None, groups: str | None, **options: Any,
) -> None:  # fmt: skip
    """Agreement of all raters, or of all of many clusterings, in one number, corrected for chance.

    CLUSTERINGS are given as for chancecorr adjust, one for each rater. With --data they are columns of one
    file, by default all columns. A file with a rating in each line has columns for --item, --rater and
    --label. With an index of agreement, such as cohen_kappa, labels mean the same for all raters.

    For example:
      chancecorr agreement ann bob cy --data ratings.csv --index cohen_kappa
      chancecorr agreement ann bob cy --data ratings.csv --index cohen_kappa --model pooled --missing drop
      chancecorr agreement --data long.csv --item item --rater rater --label label --index cohen_kappa
    """
    reading, _ = prepare(options)
    if options["index"] and len(read_names([options["index"]])) > 1:
        raise ArgumentValueError("index", f"must be one index; got {options['index']!r}.")
    ratings: Any
    columns = {"--item": item, "--rater": rater, "--label": label}
    of_groups = [("--groups", groups)] if groups else []
    if any(columns.values()):
        ratings, of_items = read_ratings(columns, of_groups, clusterings, data, reading)
    else:
        read = read_sides(of_groups, "CLUSTERINGS", clusterings, data, reading)
        of_items, ratings = (read[0][1], dict(read[1:])) if groups else (None, dict(read))
    found = chancecorr.comparison.agreement(ratings, groups=of_items, **reading.keywords, **options)
    sides = "raters" if isinstance(found, RaterAgreement) else "clusterings"
    print_reading(f"{found.scores.n:,} objects, {len(found.scores)} {sides}", reading.notes)
    write(form, Answer(record=found.to_dict, csv=found.to_csv, text=found.to_text))


def overlaps(
    true: str, pred: str, data: str | None, form: str | None, strata: str | None, **options: Any
) -> None:
    """Clusters that share more objects than expected by chance: p-values of all cells of the table.

    TRUE and PRED are given as for chancecorr adjust. The p-values are exact, also within --strata; with
    --draws they are simulated. The cells with the smallest p-values are printed; --csv has all.

    For example:
      chancecorr overlaps species cluster --data labels.csv
      chancecorr overlaps species cluster --data labels.csv --strata batch --correction fdr_bh --csv
    """
    reading, seed = prepare(options)
    of_strata = [("--strata", strata)] if strata else []
    sources = [("TRUE", true), ("PRED", pred), *of_strata]
    first, second, *parts = read_label_columns(sources, data, reading)
    options |= {"strata": parts[0]} if strata else {}
    found = chancecorr.comparison.overlaps(first, second, **reading.keywords, **options)
    print_reading(f"{int(found.observed.sum()):,} objects", reading.notes)
    record = {"seed": seed if found.n_draws else None}
    write(form, Answer(record=lambda: found.to_dict() | record, csv=found.to_csv, text=found.to_text))


def hard_scores(true: str, data: str | None, form: str | None, soft: str | None, **options: Any) -> None:
    """Scores of hard clusterings that are drawn from a soft one: mean, and limits of 95 % of them.

    TRUE is given as for chancecorr adjust. In each draw, each object gets one of the clusters with the
    probabilities in the columns of --soft. --csv and --json have the scores of all draws.

    For example:
      chancecorr hard-scores species --soft P1,P2,P3 --data shares.csv
      chancecorr hard-scores species --soft 'P*' --data shares.csv --index nmi_sum --n-draws 5000
    """
    if not soft:
        raise ArgumentValueError("soft", "must name the columns of the soft clustering; got none.")
    reading, _ = prepare(options)
    options |= {"index": options["index"] or "rand"}
    (labels,) = read_label_columns([("TRUE", true)], data, reading)
    found = chancecorr.comparison.hard_scores(labels, read_shares(true, soft, data, reading), **options)
    print_reading(f"{found.n:,} objects", reading.notes)
    write(form, Answer(record=found.to_dict, csv=found.to_csv, text=found.to_text))


def baseline(sizes: str, others: str, form: str | None, **options: Any) -> None:
    """Value of an index by chance if only cluster sizes are known, without any labels.

    SIZES are the cluster sizes of the reference, with commas between them. OTHERS are the sizes of the
    candidate, or only the number of its clusters. With --observed a raw value of the index, such as a
    published one, is corrected for chance.

    For example:
      chancecorr baseline 50,30,20 40,40,20 --observed 0.8
      chancecorr baseline 50,30,20 5 --index nmi_sum --observed 0.3
    """
    options["rng"] = secrets.randbits(32) if options["rng"] is None else options["rng"]
    options |= {"index": options["index"] or "rand"}
    sizes_true, sizes_pred = _read_sizes("sizes", sizes), _read_sizes("others", others)
    is_number = len(sizes_pred) == 1 and "," not in others
    found = chancecorr.comparison.baseline(sizes_true, sizes_pred[0] if is_number else sizes_pred, **options)
    write(form, Answer(record=found.to_dict, csv=found.to_csv, text=found.to_text))


def _read_sizes(name: str, text: str) -> list[int]:
    """Read cluster sizes with commas between them."""
    try:
        return [int(size) for size in text.rstrip(",").split(",")]
    except ValueError:
        rule = "must be whole numbers with commas between them"
        raise ArgumentValueError(name, f"{rule}; got {text!r}.") from None


def report(output: str, typed: list[str], **options: Any) -> None:
    """Write a comparison as one HTML page, to read, print, or pass on.

    TRUE and CANDIDATES are given as for chancecorr compare. The page shows the best candidate and candidates
    that are not significantly worse, forest plots, null distributions, contingency tables, differences, a
    methods paragraph for a paper, and the command that made it. With --by it shows means over data sets, as
    chancecorr compare does. It does not need other files or a network.

    For example:
      chancecorr report true.csv kmeans.csv ward.csv dbscan.csv --noise singletons
      chancecorr report species kmeans ward --data labels.parquet --index rand,jaccard --seed 1
      chancecorr report species kmeans ward --data labels.csv --by site
    """
    reference, output = options["true"], "-" if output == "/dev/stdout" else output
    _check_output(output, [options["data"]] if options["data"] else [reference, *options["candidates"]])
    from chancecorr.report import to_html

    is_seeded = options["rng"] is not None
    comparison, drawn, seed = _compare(options)
    with_seed = ["--seed", str(seed)] if drawn and not is_seeded else []
    page = to_html(
        comparison,
        None if output == "-" else output,
        reference=reference,
        seed=seed if drawn else None,
        command=shlex.join(["chancecorr", *typed, *with_seed]),
    )
    if page is not None:
        sys.stdout.buffer.write(page.encode())  # UTF-8, as the page says, whatever the terminal has
    else:
        indices = comparison.indices if isinstance(comparison, Comparison) else (comparison.index,)
        print(f"{escape_hidden(output)}: {format_count(len(comparison), 'candidate')}, {', '.join(indices)}")


def _check_output(output: str, sources: Sequence[str]) -> None:
    """Raise, before the work, if a report cannot be written, or would overwrite the labels."""
    folder = os.path.dirname(output) or "."
    is_open = output == "-" or (os.path.isdir(folder) and os.access(folder, os.W_OK))
    try:
        resolve_link(output)
    except PermissionError as error:
        rule = f"`--output` must be a file of your own; got {output!r}: {error.strerror}"
        raise ValueError(f"{rule}. Delete it, or name another file.") from None
    if os.path.isdir(output) or not is_open:
        raise ValueError(f"`--output` must be in a folder that can be written to; got {output!r}.")
    for path in (source if os.path.exists(source) else source.rpartition(":")[0] for source in sources):
        if os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            raise ValueError(f"`--output` must be another file than the labels; got {output!r}.")
    if os.path.splitext(output)[1].lower() not in ("", ".html", ".htm"):
        raise ValueError(f"`--output` must be a file of HTML, with the ending .html; got {output!r}.")
    if not (find_spec("jinja2") and find_spec("matplotlib")):
        raise ValueError(
            "`report` must have Jinja2 and matplotlib, which are not installed."
            " Run: pip install 'chancecorr[report]'"
        )


def indices(pattern: str, family: str | None, form: str | None) -> None:
    """List the catalogue, common indices first, or the indices with PATTERN in a name or source.

    A single match, or an exact name, is shown with all information about the index.

    For example:
      chancecorr indices
      chancecorr indices jaccard
      chancecorr indices 'Hubert & Arabie'
      chancecorr indices --csv
    """
    names = put_common_first(chancecorr.list_indices(family))
    names += [] if family else chancecorr.list_indices("agreement") + chancecorr.list_indices("clusterings")
    entries = list(map(chancecorr.get_index, names))
    meant = find_named(pattern)
    named = [entry for entry in entries if entry.name == meant and (meant == pattern or not entry.takes)]
    listed = [entry for entry in entries if entry in named or is_found(entry, pattern)]
    if not listed:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise LookupError(f"No index matches {pattern!r}{where}.{suggest_name(pattern, names)}")
    if len(named or listed) == 1:
        (entry,) = named or listed
        heading, *others = catalogue.describe_index(entry)
        board = TextTable(columns=heading, rows=others, caption=f"{entry.name} ({entry.family})", left=2)
    else:
        first = sum(entry.name in COMMON for entry in listed)
        caption = f"{len(listed)} of {len(entries)} indices"
        caption += f", the {first} common ones first" if first > 1 else ""
        pairs = [[entry.name, entry.about] for entry in listed]
        board = TextTable(columns=["name", "what it measures"], rows=pairs, caption=caption, left=2)
    write(
        form,
        Answer(
            record=lambda: [
                {field: getattr(entry, field) for field in INDEX_FIELDS}
                | {"equivalents": catalogue.equivalents(entry)}
                | {"larger_is_better": entry.larger_is_better, "exact": catalogue.describe_exact(entry)}
                for entry in listed
            ],
            csv=lambda: write_csv(
                [
                    ["name", "aliases", "family", "formula", "lowest", "highest", "best", "affine"],
                    *(
                        [e.name, " ".join(e.aliases), e.family, e.formula, *e.range, e.best, e.affine]
                        for e in listed
                    ),
                ]
            ),
            text=board.to_text,
        ),
    )


def cite(index: list[str], form: str | None) -> None:
    """Works to cite for an index: its source, the method of correction, and this software.

    INDEX is a name as in chancecorr indices; separate several names by commas or spaces. BibTeX has entries
    for the most cited works, the method and the software; other works are only in the text.

    For example:
      chancecorr cite jaccard
      chancecorr cite rand,jaccard --bibtex >> references.bib
    """
    works = catalogue.cite(read_names(index, "INDEX"))
    write(
        form,
        Answer(
            text=lambda: _escape_lines(works.text),
            record=works.to_dict,
            bibtex=lambda: _escape_lines(works.bibtex),
        ),
    )


def _escape_lines(text: str) -> str:
    """Escape hidden characters in each line of a text."""
    return "\n".join(map(escape_hidden, text.split("\n")))


def print_schema() -> None:
    """Print the JSON Schema of what the other commands print with --json.

    For example:
      chancecorr schema > chancecorr.schema.json
    """
    print(json.dumps(make_schema(), indent=2))


def compile_kernels() -> None:
    """Compile the simulation code in advance, for example when building a container image.

    For example:
      chancecorr compile
    """
    from chancecorr.machine import compiling
    from chancecorr.sampling.workers import show_progress

    compiling.FORCED = "compiled"
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
    print("The kernels of simulations are compiled.")


TABULAR = "json", "csv"  # forms of output of answers that are tables

COMMANDS = {
    "adjust": Command(
        adjust,
        ["TRUE", "PRED?"],
        of="adjust",
        more=("soft", "overlapped", "gap", *FILES, "draws", *TABLES, *TABULAR),
    ),
    "adjust-table": Command(adjust_table, ["COUNTS"], of="adjust_table", more=(*LAYOUT, *TABLES, *TABULAR)),
    "compare": Command(
        compare,
        ["TRUE", "CANDIDATES*"],
        of="compare",
        more=("gap", *FILES, "draws", "by", "precision", *TABULAR),
    ),
    "pairwise": Command(
        pairwise, ["CLUSTERINGS*"], of="pairwise", more=(*FILES, "draws", "precision", *TABULAR)
    ),
    "agreement": Command(
        agreement,
        ["CLUSTERINGS*"],
        of="comparison.agreement",
        more=("item", "rater", "label", *FILES, *TABULAR),
    ),
    "overlaps": Command(
        overlaps, ["TRUE", "PRED"], of="comparison.overlaps", more=(*FILES, "draws", *TABULAR)
    ),
    "hard-scores": Command(
        hard_scores, ["TRUE"], of="comparison.hard_scores", more=("soft", *FILES, *TABULAR)
    ),
    "baseline": Command(baseline, ["SIZES", "OTHERS"], of="comparison.baseline", more=TABULAR),
    "report": Command(
        report,
        ["TRUE", "CANDIDATES*"],
        of="compare",
        more=("gap", *FILES, "draws", "by", "precision", "output"),
    ),
    "indices": Command(indices, ["PATTERN?"], of="list_indices", more=TABULAR),
    "cite": Command(cite, ["INDEX+"], more=("bibtex", "json")),
    "schema": Command(print_schema, []),
    "compile": Command(compile_kernels, []),
}
"""The commands by name, in the order of the help."""
