"""Commands on the catalogue: ``chancecorr indices`` and ``chancecorr cite``."""

import click

from chancecorr import catalogue, get_index, list_indices
from chancecorr.catalogue import describe_exact, describe_index
from chancecorr.cli.options import FORMS, list_examples, read_names, takes, write
from chancecorr.indices.names import COMMON, is_found, put_common_first
from chancecorr.indices.registry import find_named
from chancecorr.machine.arguments import ArgumentError, suggest_name
from chancecorr.machine.printing import escape_hidden
from chancecorr.machine.text_table import TextTable

FIELDS = (
    "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
    "symmetric", "constant", "undefined", "source", "notes",
)  # fmt: skip
"""What JSON has of the entry of an index, besides what follows from it."""


@click.command(
    epilog=list_examples("indices", "indices jaccard", "indices 'Hubert & Arabie'", "indices --csv")
)
@click.argument("pattern", default="")
@takes("family", *FORMS)
def indices(pattern: str, family: str | None, form: str | None) -> None:
    """The catalogue, common indices first, or those with PATTERN in a name or the source.

    One that is found alone, or named exactly, is shown with all that is known of it.
    """
    entries = [get_index(name) for name in put_common_first(list_indices(family))]
    meant = find_named(pattern)
    named = [entry for entry in entries if entry.name == meant]
    listed = [entry for entry in entries if entry in named or is_found(entry, pattern)]
    if not listed:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise click.ClickException(f"No index matches {pattern!r}{where}.{suggest_name(pattern, names)}")
    if len(named or listed) == 1:
        (entry,) = named or listed
        heading, *others = describe_index(entry)
        board = TextTable(columns=heading, rows=others, caption=f"{entry.name} ({entry.family})", left=2)
    else:
        first = sum(entry.name in COMMON for entry in listed)
        caption = f"{len(listed)} of {len(entries)} indices"
        caption += f", the {first} common ones first" if first > 1 else ""
        pairs = [[entry.name, entry.about] for entry in listed]
        board = TextTable(columns=["name", "what it measures"], rows=pairs, caption=caption, left=2)
    write(
        form,
        record=lambda: [
            {field: getattr(entry, field) for field in FIELDS}
            | {"equivalents": catalogue.equivalents(entry)}
            | {"larger_is_better": entry.larger_is_better, "exact": describe_exact(entry)}
            for entry in listed
        ],
        rows=lambda: [
            ["name", "aliases", "family", "formula", "lowest", "highest", "best", "affine"],
            *([e.name, " ".join(e.aliases), e.family, e.formula, *e.range, e.best, e.affine] for e in listed),
        ],
        text=board.to_text,
    )


@click.command(epilog=list_examples("cite jaccard", "cite rand,jaccard --bibtex >> references.bib"))
@click.argument("names", metavar="INDEX,INDEX,...", nargs=-1, required=True)
@takes("bibtex", "json")
def cite(names: tuple[str, ...], form: str | None) -> None:
    """Works to cite for an index: its source, the method of correction, and this software.

    INDEX is a name as in chancecorr indices; several stand between commas or spaces. BibTeX has
    entries of the works that are cited most, of the method and of the software; others are in the text alone.
    """
    try:
        works = catalogue.cite(read_names(names, "INDEX"))
    except ArgumentError as error:
        raise click.UsageError(error.in_words_of({"index": "INDEX"}, option="{name} {value}")) from None
    text = works.bibtex if form == "bibtex" else works.text
    write(form, record=works.to_dict, rows=list, text=lambda: "\n".join(map(escape_hidden, text.split("\n"))))
