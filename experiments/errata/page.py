"""The page of errata: ``python -m experiments.errata.page`` writes ``docs/errata.md``.

It calls the packages that it is about, and so shows what the versions give that are installed.
"""

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from experiments.common.kept import ROOT, write_whole
from experiments.errata import chance, other_fields, papers, python_packages, read_sources
from experiments.errata.erratum import Erratum, Numbers

PATH = ROOT / "docs" / "errata.md"

Sections = Mapping[str, tuple[Erratum, ...]]

RUN = "computed when this page was written"
ONCE = "run once at this version"
READ = "read, not run"
LABELS = {"run": RUN, "once": ONCE, "read": READ}

INTRODUCTION = """# Errata

What papers print and what software computes, where arithmetic says something else. Every work of this size
has errors; ours are in the [changelog](../CHANGELOG.md). Each entry has what is printed or computed, with its
edition or version, the arithmetic, what is right, and the test that shows it.

*Computed* means that the number that is right, and for software the one that it gives, were computed when
this page was written, and are by the tests. *Run once* means that the software was run at the version that is
named and gave the number that is shown, which the formula in its source gives, too. *Read, not run* means
that a text, or a source at the commit that is named, was read; where such an entry has numbers, the formula
was evaluated as it was read. Later versions may be others. Conventions at 0/0 are entries only where the
clusterings are identical.

Names that mean different indices in different places are no errors: the
[catalogue](../CATALOGUE.md) has them with each index. So are printed results that simulation does not
confirm: the [studies](studies/index.md) have those.

This page is written by `python -m experiments.errata.page`; changes made here are lost.
"""

STUDIES = (
    "Amorim & Cardoso (2014)", "Rajasekhara & Pujari (2010)", "Zhang, Wong & Shen (2012)",
    "Fränti & Rezaei (2016)",
)  # fmt: skip

KINDS = ("Papers", "Software", "Chance")


def sections(kind: str) -> Sections:
    """Errata of a kind, by paper or package."""
    if kind == "Papers":
        of_studies = (papers.of_amorim, papers.of_rajasekhara, papers.of_zhang, papers.of_franti)
        found = {name: tuple(errata()) for name, errata in zip(STUDIES, of_studies, strict=True)}
        return found | {"Choi, Cha & Tappert (2010)": tuple(read_sources.of_choi())}
    if kind == "Software":
        return {
            "scikit-learn": tuple(python_packages.of_scikit_learn()),
            "clusim": tuple(python_packages.of_clusim()),
            "genieclust": tuple(python_packages.of_genieclust()),
            "igraph": tuple(python_packages.of_igraph()),
            "pycm": tuple(read_sources.of_pycm()),
            "Packages for R": tuple(read_sources.of_r_packages()),
            "Other Python code": tuple(read_sources.of_other_python()),
            "Software of other fields": tuple(other_fields.of_other_fields()),
        }
    return {
        "P-values and variances": (*chance.of_laws(), *chance.of_balance()),
        "Random tables": tuple(chance.of_scipy()),
        "Biclusters, and objects on a map": tuple(chance.of_other_kinds()),
    }


def every_erratum() -> list[Erratum]:
    """All entries in the order of the page."""
    return [each for kind in KINDS for errata in sections(kind).values() for each in errata]


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield INTRODUCTION
    by_kind = {kind: sections(kind) for kind in KINDS}
    yield "| | entries | computed | run once | read, not run |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for kind, found in by_kind.items():
        words = Counter(each.status for errata in found.values() for each in errata)
        yield f"| {kind} | {sum(words.values())} | {words['run']} | {words['once']} | {words['read']} |"
    for kind, found in by_kind.items():
        yield f"\n## {kind}"
        for name, errata in found.items():
            yield f"\n### {name}"
            for each in errata:
                yield from entry(each)


def entry(erratum: Erratum) -> Iterator[str]:
    """Lines of one entry."""
    numbers = erratum.numbers() if erratum.numbers else None
    yield ""
    yield from _wrapped(f"**{_escaped(erratum.where)}** ({_escaped(with_versions(erratum.version))})")
    yield ""
    said = {
        "printed" if erratum.version.startswith(("doi:", "ICVGIP", "Journal")) else "computed": (
            _filled(erratum.printed, numbers and numbers.found, erratum.digits)
        ),
        "arithmetic": _with_ratio(erratum.arithmetic, numbers),
        "right": _filled(erratum.right, numbers and numbers.right, erratum.digits),
    }
    for heading, text in said.items():
        if text:
            yield from _wrapped(f"- {heading}: {_escaped(text)}", "  ")
    file, _, name = erratum.test.partition("::")
    about = f"; index [`{erratum.index}`](../CATALOGUE.md#{erratum.index})" if erratum.index else ""
    yield f"- {LABELS[erratum.status]}: [`{name}`](../{file}){about}"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, 110, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def with_versions(text: str) -> str:
    """Names of packages in braces give way to the versions that are installed."""
    return re.sub(r"\{([\w-]+)\}", lambda found: version(found[1]), text)


def _filled(text: str, number: float | None, digits: int) -> str:
    return text if number is None else text.format(shown(number, digits))


def _with_ratio(text: str, numbers: Numbers | None) -> str:
    return text.format(ratio=numbers.right / numbers.found) if numbers and "{ratio" in text else text


def shown(number: float, digits: int) -> str:
    """A number with so many significant digits.

    Examples
    --------
    >>> shown(0.0416666, 5), shown(1.0, 5), shown(float("nan"), 5), shown(float("inf"), 5)
    ('0.041667', '1', 'nan', 'infinite')
    """
    return "infinite" if math.isinf(number) else f"{number:.{digits}g}"


def _escaped(text: str) -> str:
    """Text without what Markdown takes for markup; what is between backticks stays."""
    parts = text.split("`")
    return "`".join(
        re.sub(r"([*<_\\])", r"\\\1", part) if k % 2 == 0 else part for k, part in enumerate(parts)
    )


def write(path: Path = PATH) -> None:
    """Write the page."""
    write_whole(path, page())


if __name__ == "__main__":
    write()
