"""The page of the command line has every command, and its tables every option."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from chancecorr.cli.commands import COMMANDS
from chancecorr.cli.options import Parser

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "command_line.md"
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import command_options  # noqa: E402


def test_every_command_is_on_the_page_with_an_example():
    text = PAGE.read_text()
    assert sorted(re.findall(r"```\{command-options\} ([\w-]+)", text)) == sorted(COMMANDS)
    for name in COMMANDS:
        assert f"\n! chancecorr {name} " in text


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_usage_text_and_every_option(name):
    text = command_options.describe_command(name)
    assert f"\nchancecorr {name} [OPTIONS]" in text
    assert " ".join(COMMANDS[name].run.__doc__.split()[:6]) in " ".join(text.split())
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", text, re.MULTILINE)
    assert all(described.strip() for _, described in rows)
    spelt = " ".join(spelling for spelling, _ in rows)
    for flag in Parser(name, COMMANDS[name]).flags.values():
        assert re.search(rf"(^|[\s,]){re.escape(flag)}\b", spelt), flag
