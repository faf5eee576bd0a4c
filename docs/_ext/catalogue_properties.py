"""What was proved, refuted or left open of each index, from the files of the package where there are any."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catalogue_text import code, escaped, paragraph, with_works

SIDES = {"raw": "as it is", "adjusted": "adjusted"}

PREFERRED = {
    "few": "few clusters",
    "middle": "neither few nor many",
    "many": "many clusters",
    "ends": "few or many clusters",
    "none": "no number",
}

EXPLAINED = (
    "Where one is refuted, s(U, V) is the score of two clusterings by the labels of their objects, or the"
    " mean of which it speaks, and s(a, b, c, d) that of pair counts."
)
"""What stands with the counterexamples."""


@dataclass(frozen=True)
class Properties:
    """Properties by key, and what is known of each index.

    Attributes
    ----------
    properties : mapping
        Title, statement, source and ``n_max`` by key.
    indices : mapping
        By name, by one of `SIDES` and by key: status, reason, counterexample.
    reasons : mapping
        Texts of the reasons that stand there by a key of their own.
    preferences : mapping
        By name and side: what an index ``prefers`` among random candidates.
    """

    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    indices: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    preferences: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def status(self, name: str, key: str, side: str = "raw") -> str:
        """Of a property of an index, "" where nothing is said."""
        about = self.indices.get(name, {}).get(side, {}).get(key)
        return about["status"] if about else ""

    def table(self, name: str) -> str:
        """All that is known of an index, in Markdown; empty where nothing is."""
        lines = []
        for key, about in self.properties.items():
            cells = [self._cell(self.indices.get(name, {}).get(side, {}).get(key), about) for side in SIDES]
            if any(cells):
                lines.append(f"| {escaped(about['title'])} | {' | '.join(cells)} |")
        if not lines:
            return ""
        return "\n".join([f"| property | {' | '.join(SIDES.values())} |", "| --- | --- | --- |", *lines])

    def preference(self, name: str) -> str:
        """What an index prefers among random candidates, in a sentence; empty where it is not known."""
        parts = []
        for side, called in SIDES.items():
            found = self.preferences.get(name, {}).get(side)
            if isinstance(found, dict) and "prefers" in found:
                prefers = str(found["prefers"])
                parts.append(f"{called} it prefers {PREFERRED.get(prefers, prefers)}")
        return f"Among random candidates of several numbers of clusters, {', '.join(parts)}." if parts else ""

    def definitions(self) -> str:
        """What each property is, in Markdown; empty without any."""
        lines = []
        for about in self.properties.values():
            source = f" ({with_works(about['source'])})" if about.get("source") else ""
            lines.append(f"- **{escaped(about['title'])}**: {paragraph(about['statement'])}{source}")
        return "\n".join(lines)

    def _cell(self, found: Mapping[str, Any] | None, about: Mapping[str, Any]) -> str:
        """The status of a property, and why; a bar within is escaped, as it stands in a table."""
        if not found:
            return ""
        key = found.get("reason", "")
        reason = paragraph(self.reasons.get(key, key)).removesuffix(".")
        parts = [reason] if reason else []
        if found.get("counterexample"):
            parts.append(_counterexample(found["counterexample"]))
        elif found["status"] == "open" and "n_max" in about:
            parts.append(f"no counterexample with up to {found.get('n_max', about['n_max'])} objects")
        why = "; ".join(parts).replace("|", r"\|")
        return f"**{found['status']}**" + (f": {why}" if why else "")


def _counterexample(found: Any) -> str:
    """Clusterings as label texts and their scores, or pair counts and values; else as they stand."""
    if isinstance(found, dict) and "clusterings" in found:
        texts = found["clusterings"].split("|")
        scores = (f"s({texts[i]}, {texts[j]}) = {_number(value)}" for i, j, value in found.get("scores", ()))
        return ", ".join(map(code, scores)) or ", ".join(map(code, texts))
    if isinstance(found, dict) and "counts" in found:
        values = found.get("values", [None] * len(found["counts"]))
        shown = (
            f"s{tuple(counts)}" + ("" if value is None else f" = {_number(value)}")
            for counts, value in zip(found["counts"], values, strict=True)
        )
        return ", ".join(map(code, shown))
    return code(json.dumps(found, ensure_ascii=False))


def _number(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


def read_properties(folder: Path) -> Properties:
    """What ``properties.json`` and ``selection_bias.json`` of a folder say, as far as they are there."""
    data = _read(folder / "properties.json")
    return Properties(
        properties=data.get("properties", {}),
        indices=data.get("indices", {}),
        reasons=data.get("reasons", {}),
        preferences=_read(folder / "selection_bias.json"),
    )


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
