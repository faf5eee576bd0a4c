"""Share of lines and branches that the fast tests execute, by room: ``make coverage`` ends with it."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.common.kept import ROOT, read_json, write_json

REPORT = ROOT / ".cache" / "coverage" / "report.json"
KEPT = Path(__file__).with_name("executed.json")
COUNTS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def by_room(files: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Sums of coverage.py's counts over the files of each folder of the package."""
    rooms: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for name, file in sorted(files.items()):
        _, *folders, _ = Path(name).parts
        for count in COUNTS:
            rooms[folders[0] if folders else "flat files"][count] += file["summary"][count]
    return dict(rooms)


def main() -> None:
    """Print and keep the counts."""
    rooms = by_room(read_json(REPORT)["files"])
    for room, counts in rooms.items():
        print(f"{room:14}", *(f"{counts[each]:7,}" for each in COUNTS))
    write_json(KEPT, rooms)


if __name__ == "__main__":
    main()
