"""Commands on the catalogue: ``chancecorr indices``, ``chancecorr cite``, ``chancecorr recommend``."""

from typing import Any

import click

import chancecorr
from chancecorr.arguments import ArgumentError, did_you_mean
from chancecorr.catalogue.certified import property_definitions
from chancecorr.catalogue.details import details, what_is_exact
from chancecorr.catalogue.recommendations import COMMON, called, choice_lines, common_first, is_found
from chancecorr.cli import options
from chancecorr.cli.output import print_csv, print_json
from chancecorr.indices.registry import Index
from chancecorr.printing import visible
from chancecorr.show import TextTable


@click.command(
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
    found = [entry for entry in entries if entry.name == meant or is_found(entry, pattern)]
    if not found:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise click.ClickException(f"No index matches {pattern!r}{where}.{did_you_mean(pattern, names)}")
    if form == "json":
        print_json([_about(entry) for entry in found])
        return
    named = [entry for entry in found if entry.name == meant]
    if form is None and len(named or found) == 1:
        (entry,) = named or found
        heading, *others = details(entry)
        caption = f"{entry.name} ({entry.family})"
        click.echo(TextTable(columns=heading, rows=others, caption=caption, left=2).to_text())
        return
    if form == "csv":
        header = ["name", "aliases", "family", "formula", "lowest", "highest", "best", "affine"]
        rows = ([e.name, " ".join(e.aliases), e.family, e.formula, *e.range, e.best, e.affine] for e in found)
        print_csv(header, rows)
        return
    pairs = [[entry.name, entry.formula] for entry in found]
    first = sum(entry.name in COMMON for entry in found)
    caption = f"{len(found)} of {len(entries)} indices" + (
        f", the {first} common ones first" if first > 1 else ""
    )
    click.echo(TextTable(columns=["name", "formula"], rows=pairs, caption=caption, left=2).to_text())


def _about(entry: Index) -> dict[str, Any]:
    """Plain fields of an entry, and what of its null distribution is exact."""
    plain = [
        "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
        "symmetric", "constant", "undefined", "source", "notes",
    ]  # fmt: skip
    about = {field: getattr(entry, field) for field in plain}
    same = {"equivalents": chancecorr.catalogue.equivalents(entry)}
    return about | same | {"larger_is_better": entry.larger_is_better, "exact": what_is_exact(entry)}


@click.command(epilog=options.examples("cite jaccard", "cite rand,jaccard --bibtex >> references.bib"))
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


@click.command(epilog=options.examples("recommend", "recommend constant_baseline monotone symmetric"))
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
    if wanted:
        table = found.table()
    else:
        meanings = {need: each["statement"] for need, each in property_definitions().items()}
        caption, rows = f"{len(meanings)} needs", list(meanings.items())
        table = TextTable(columns=["need", "meaning"], rows=rows, caption=caption, left=2)
    if form == "json":
        print_json(found.to_dict() if wanted else meanings)
    elif form == "csv":
        print_csv(table.columns, table.rows)
    else:
        if not wanted:
            click.echo("\n".join([*choice_lines(), ""]))
        click.echo(table.to_text())
