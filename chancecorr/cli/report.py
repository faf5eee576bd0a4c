"""The command that writes a report: ``chancecorr report``."""

import os
import shlex
from collections.abc import Sequence
from typing import Any

import click

from chancecorr.cli import options
from chancecorr.cli.many import compared
from chancecorr.printing import visible


@click.command(
    epilog=options.examples(
        "report true.csv kmeans.csv ward.csv dbscan.csv --noise singletons",
        "report species kmeans ward --data labels.parquet --index rand,jaccard --seed 1 --reference species",
    ),
)
@options.reference_and_candidates
@options.reading
@options.dropping
@options.comparing
@options.chance
@options.page
@click.pass_obj
def report(typed: Sequence[str] | None, /, output: str, reference: str | None, **asked: Any) -> None:
    """Write a comparison as one page of HTML, to be read, printed, and passed on.

    TRUE and CANDIDATES are given as for chancecorr compare. The page has the best candidate and those not
    significantly worse, forest plots, null distributions, contingency tables, differences, a paragraph on
    the method for a paper, and how it was made. It needs nothing beside it, and no network.
    """
    folder = os.path.dirname(output) or "."
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise click.UsageError(f"`--output` must be in a folder that can be written to; got {output!r}.")
    try:
        import jinja2  # noqa: F401  before the work, not after it
    except ImportError:
        raise click.UsageError(
            "`report` must have Jinja2, which is not installed. Run: pip install 'chancecorr[report]'"
        ) from None
    from chancecorr.report import to_html

    comparison, drawn, seed = compared(**asked)
    typed = ["chancecorr", *(typed or ())]
    if drawn and asked["rng"] is None:
        typed += ["--seed", str(seed)]
    about = {"reference": asked["true"] if reference is None else reference, "command": shlex.join(typed)}
    if output == "-":
        page = to_html(comparison, seed=seed, **about)
        click.echo((page or "").encode(), nl=False)  # UTF-8, as the page says, whatever the terminal has
    else:
        to_html(comparison, output, seed=seed, **about)
        candidates = f"{len(comparison)} candidate" + "s" * (len(comparison) > 1)
        click.echo(f"{visible(output)}: {candidates}, {', '.join(comparison.indices)}")
