"""Pages of a small run held against those that are kept."""

import csv
import re

from experiments.common.kept import ROOT


def rows_of(path):
    """Rows of a CSV file: words by column."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def assert_sections_stand_as_kept(study, folder):
    """Headings of a small run are some of the kept page, in its order, and so those of the appendix."""
    for name in ("README.md", "appendix.md"):
        small, kept = (
            re.findall(r"^#+ .*", (each / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
            for each in (folder, ROOT / "experiments" / study / "results")
        )
        rest = iter(kept)
        assert [each for each in small if each not in rest] == [], name
