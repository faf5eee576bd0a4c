"""The command that writes a report: ``chancecorr report``."""

import os
import shlex
from collections.abc import Sequence
from typing import Any

import click

from chancecorr.cli import options
from chancecorr.cli.many import compared, over_datasets, tables_drawn
from chancecorr.comparison import Comparison, DatasetScores
from chancecorr.printing import visible


@click.command(
    epilog=options.examples(
        "report true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "report species kmeans ward --data labels.parquet --index rand,jaccard --seed 1 --reference species",
        "report species kmeans ward --data labels.csv --by site",
    )
)
@options.reference_and_candidates
@options.reading
@options.dropping
@options.comparing
@options.by
@options.chance
@options.page
@click.pass_obj
def report(
    typed: Sequence[str] | None, /, output: str, reference: str | None, by: str | None, **asked: Any
) -> None:
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
    except ImportError:
        raise click.UsageError(
            "`report` must have Jinja2, which is not installed. Run: pip install 'chancecorr[report]'"
        ) from None
    from chancecorr.report import to_html

    found: Comparison | DatasetScores
    if by is None:
        found, drawn, seed = compared(**asked)
    else:
        found, seed = over_datasets(by, **asked)
        drawn = max(tables_drawn(each) for each in found.comparisons.values())
    typed = ["chancecorr", *(typed or ())]
    if drawn and asked["rng"] is None:
        typed += ["--seed", str(seed)]
    about = {"reference": asked["true"] if reference is None else reference, "command": shlex.join(typed)}
    if output == "-":
        page = to_html(found, seed=seed if drawn else None, **about)
        click.echo((page or "").encode(), nl=False)  # UTF-8, as the page says, whatever the terminal has
    else:
        to_html(found, output, seed=seed if drawn else None, **about)
        candidates = f"{len(found)} candidate" + "s" * (len(found) > 1)
        indices = found.indices if isinstance(found, Comparison) else (found.index,)
        click.echo(f"{visible(output)}: {candidates}, {', '.join(indices)}")
