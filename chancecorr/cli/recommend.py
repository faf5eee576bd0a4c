"""The command that finds indices by what is needed: ``chancecorr recommend``."""

import click

import chancecorr
from chancecorr.catalogue.needs import needs
from chancecorr.cli import options
from chancecorr.cli.output import print_csv, print_json, print_lines, print_table


@click.command(
    cls=options.Grouped,
    epilog=options.examples(
        "recommend",
        "recommend constant_baseline monotone symmetric",
        "recommend constant_baseline exact_mean --adjusted --family information",
        "recommend constant_baseline monotone --why-not nmi_sum",
    ),
)
@click.argument("wanted", nargs=-1, metavar="[NEED ...]")
@options.needed
@options.family
@options.form
def recommend(
    wanted: tuple[str, ...], adjusted: bool | None, open_counts: bool, why_not: str | None,
    family: str | None, form: str | None,
) -> None:  # fmt: skip
    """Indices that have all that is needed, raw or corrected for chance.

    NEED is a property that is proved or refuted for each index, or what a simulation shows; without any, all
    that can be asked is listed. Of indices with the same corrected score one is shown.
    """
    found = chancecorr.recommend(*wanted, adjusted=adjusted, open_counts=open_counts, family=family)
    if why_not is not None:
        if not wanted:
            raise click.UsageError("`NEED` must be given with `--why-not`.")
        print_lines(found.why_not(why_not, adjusted=adjusted).splitlines())
        return
    if not wanted:
        sentences = needs()
        if form == "json":
            print_json(dict(sentences))
        elif form == "csv":
            print_csv(["need", "meaning"], sentences.items())
        else:
            rows = [[need, sentence] for need, sentence in sentences.items()]
            print_table(f"{len(rows)} needs", ["need", "meaning"], *rows, left=2, folded=(1,), paged=True)
        return
    caption, (header, *rows) = found.table()
    if form == "json":
        print_json(found.to_dict())
    elif form == "csv":
        print_csv(header, rows)
    else:
        print_table(caption, header, *rows, left=len(header), folded=(len(header) - 1,), paged=True)
