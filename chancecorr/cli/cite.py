"""The command that says what to cite: ``chancecorr cite``."""

import click

import chancecorr
from chancecorr.arguments import ArgumentError
from chancecorr.cli import options
from chancecorr.cli.output import print_json
from chancecorr.printing import visible


@click.command(
    cls=options.Grouped,
    epilog=options.examples("cite jaccard", "cite rand,jaccard --bibtex >> references.bib"),
)
@options.to_cite
@options.references
def cite(names: tuple[str, ...], form: str | None) -> None:
    """What to cite for an index: its source, the method of correction, and this software.

    INDEX is a name as in chancecorr indices; several stand between commas or spaces. Entries of BibTeX are
    made from the text of the source, and have no titles, which the catalogue does not hold.
    """
    try:
        found = chancecorr.cite(options.index_names(names, "INDEX"))
    except ArgumentError as error:
        raise click.UsageError(error.in_words_of({"index": "INDEX"}, option="{name} {value}")) from None
    if form == "json":
        print_json(found.to_dict())
    else:
        text = found.bibtex if form == "bibtex" else found.text
        click.echo("\n".join(map(visible, text.split("\n"))))
