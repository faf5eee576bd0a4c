"""JSON files that carry a checksum of what they say, so that a flipped bit is found before it is in a result.

``python -m experiments.common.sealed FILE ...`` gives files their checksum, after a change that was meant.
"""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.kept import write_whole

FIELD = "sha256"


def write_sealed(path: Path, document: Mapping[str, Any], *, ascii_only: bool = False) -> None:
    """Write a mapping as JSON, its checksum as the first field."""
    sealed = {FIELD: _checksum(document), **document}
    write_whole(path, json.dumps(sealed, indent=1, ensure_ascii=ascii_only) + "\n")


def read_sealed(path: Path, remedy: str) -> dict[str, Any]:
    """The mapping in a file, without its checksum; `remedy` says how the file is made again.

    Raises
    ------
    ValueError
        If the file is not what was written.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        checksum = document.pop(FIELD)
    except (ValueError, KeyError, AttributeError, TypeError):  # no text, no JSON, no mapping, no checksum
        checksum = None
    if checksum is None or checksum != _checksum(document):
        raise ValueError(
            f"`{path}` must be as it was written; its checksum does not fit. {remedy} After a change that was"
            f" meant, run `python -m experiments.common.sealed {path}`."
        )
    return dict(document)


def _checksum(document: Mapping[str, Any]) -> str:
    """Hash of what a document says, whatever its line ends and spaces; the order of the fields counts."""
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()


def main(arguments: Sequence[str]) -> None:
    """Give files their checksum."""
    for name in arguments:
        path = Path(name)
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        document.pop(FIELD, None)
        write_sealed(path, document, ascii_only=text.isascii())


if __name__ == "__main__":
    main(sys.argv[1:])
