"""What the site's page of a study says, as Markdown: its answer, counts, sentences, read from its summary."""

import re
from pathlib import Path
from typing import Any

from experiments.common.kept import ROOT, read_json
from experiments.common.protocol import MEANINGS, SECOND_AXIS
from experiments.common.summary import NAME, in_words


def summary(study: str, root: Path = ROOT) -> dict[str, Any]:
    """What the study wrote of itself."""
    return read_json(root / "experiments" / study / "results" / NAME)


def answer(study: str, root: Path = ROOT) -> str:
    """What was found, a list."""
    return "\n".join(f"- {sentence}" for sentence in summary(study, root)["answer"])


def counts(study: str, root: Path = ROOT) -> str:
    """How many printed numbers and sentences have which verdict."""
    found = summary(study, root)
    lines = [f"- {name}: {in_words(words)}." for name, words in found["numbers"].items()]
    if found["sentences"]:
        lines.append(f"- Sentences of the text: {in_words(found['sentences'])}.")
    return "Printed numbers and sentences, by {doc}`verdict <protocol>`:\n\n" + "\n".join(lines)


def sentences(study: str, *verdicts: str, root: Path = ROOT) -> str:
    """A list of what the paper says that has one of these verdicts, with the rule and what was found."""
    lines = []
    for each in summary(study, root)["claims"]:
        if each["word"] in verdicts:
            words = [each["word"]] if len(verdicts) > 1 else []
            about = "; ".join(part for part in (*words, each["axis"], each["rule"]) if part)
            cause = f" Cause: {each['cause']}." if each["cause"] else ""
            lines.append(
                f"- *{each['text']}*{f' ({about})' if about else ''}\n\n  {each['evidence']}{cause}\n"
            )
    return "\n".join(lines) or "None."


def protocol() -> str:
    """The words of all verdicts and what they mean."""
    return "\n".join([*(f"- **{word}**: {text}" for word, text in MEANINGS.items()), "", SECOND_AXIS])


def coverage(root: Path = ROOT) -> str:
    """The summary of the measured coverage of intervals, a paragraph each of scores, purity, differences."""
    text = (root / "experiments" / "coverage" / "results.md").read_text(encoding="utf-8")
    _, _, after = text.partition("## Summary\n")
    return re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0].strip()
