"""Commands on the catalogue: ``chancecorr indices``, ``chancecorr cite``, ``chancecorr recommend``."""

import re
from collections.abc import Sequence
from typing import Any

import click

import chancecorr
from chancecorr.arguments import ArgumentError, did_you_mean
from chancecorr.catalogue.details import details, what_is_exact
from chancecorr.catalogue.equivalents import corrected_classes, reason
from chancecorr.catalogue.needs import needs
from chancecorr.cli import options
from chancecorr.cli.output import print_csv, print_json, print_lines, print_table
from chancecorr.indices.registry import Index
from chancecorr.printing import visible


@click.command(
    cls=options.Grouped,
    epilog=options.examples(
        "indices", "indices jaccard", "indices 'Hubert & Arabie'", "indices --equivalents", "indices --csv"
    ),
)
@click.argument("pattern", default="")
@options.family
@options.equivalents
@options.form
def indices(pattern: str, family: str | None, equivalents: bool, form: str | None) -> None:
    """The catalogue of indices, or those with PATTERN in a name, the formula or the source.

    One that is found alone, or named exactly, is shown with all that is known of it. With --equivalents, the
    classes of those indices that have the same adjusted score as others, on all tables.
    """
    entries = [chancecorr.get_index(name) for name in chancecorr.list_indices(family)]
    found = [entry for entry in entries if _matches(entry, pattern)]
    if not found:
        names = [name for entry in entries for name in (entry.name, *entry.aliases)]
        where = f" in family {family!r}" if family else ""
        raise click.ClickException(f"No index matches {pattern!r}{where}.{did_you_mean(pattern, names)}")
    if equivalents:
        _print_classes(found, pattern, form)
        return
    if form == "json":
        print_json([_about(entry) for entry in found])
        return
    named = [entry for entry in found if pattern in (entry.name, *entry.aliases)]
    if form is None and len(named or found) == 1:
        (entry,) = named or found
        print_table(f"{entry.name} ({entry.family})", *map(list, details(entry)), left=2, folded=(1,))
        return
    if form == "csv":
        header = ["name", "aliases", "family", "formula", "lowest", "highest", "best", "affine"]
        print_csv(
            header,
            (
                [
                    each.name,
                    " ".join(each.aliases),
                    each.family,
                    each.formula,
                    *each.range,
                    each.best,
                    each.affine,
                ]
                for each in found
            ),
        )
        return
    pairs = [[entry.name, entry.formula] for entry in found]
    caption = f"{len(found)} of {len(entries)} indices"
    print_table(caption, ["name", "formula"], *pairs, left=2, folded=(1,), paged=True)


def _print_classes(found: Sequence[Index], pattern: str, form: str | None) -> None:
    """Classes of indices that are the same once corrected, those with any of these, the largest first."""
    names = {entry.name for entry in found}
    classes = [(name, members) for name, members in corrected_classes().items() if len(members) > 1]
    wanted = [(name, members) for name, members in classes if not names.isdisjoint(members)]
    wanted.sort(key=lambda each: -len(each[1]))
    if not wanted:
        raise click.ClickException(
            f"No index that matches {pattern!r} is the same as another one once corrected for chance."
        )
    header = ["class", "members", "reason"]
    if form == "json":
        rows = [(name, members, reason(name)) for name, members in wanted]
        print_json([dict(zip(header, row, strict=True)) for row in rows])
    elif form == "csv":
        print_csv(header, ((name, " ".join(members), reason(name)) for name, members in wanted))
    else:
        caption = f"{len(wanted)} of {len(classes)} classes of indices that are the same once corrected"
        texts = [[name, ", ".join(members), reason(name)] for name, members in wanted]
        print_table(caption, header, *texts, left=3, folded=(1, 2), paged=True)


def _matches(entry: Index, pattern: str) -> bool:
    """Whether names, formula or source hold the pattern; spaces and hyphens match underscores."""
    wanted = pattern.lower()
    key = re.sub("[ -]", "_", wanted)
    texts = (entry.formula, entry.known_as, entry.source)
    return any(key in name for name in (entry.name, *entry.aliases)) or any(
        wanted in text.lower() for text in texts
    )


def _about(entry: Index) -> dict[str, Any]:
    """Plain fields of an entry, and what of its null distribution is exact."""
    plain = [
        "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
        "symmetric", "constant", "undefined", "source", "notes",
    ]  # fmt: skip
    about = {field: getattr(entry, field) for field in plain}
    same = {"equivalents": chancecorr.equivalents(entry)}
    return about | same | {"larger_is_better": entry.larger_is_better, "exact": what_is_exact(entry)}


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


@click.command(
    cls=options.Grouped,
    epilog=options.examples(
        "recommend",
        "recommend constant_baseline monotone symmetric",
        "recommend constant_baseline symmetric --adjusted --family information",
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
