"""The page of the command line has every command, and its tables every option."""

import re
import sys
from pathlib import Path

import click
import pytest

pytest.importorskip("sphinx")

from chancecorr.cli.commands import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "command_line.md"
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import command_options  # noqa: E402


def test_every_command_is_on_the_page_with_an_example():
    text = PAGE.read_text()
    assert sorted(re.findall(r"```\{command-options\} ([\w-]+)", text)) == sorted(main.commands)
    for name in main.commands:
        assert f"\n! chancecorr {name} " in text


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_option_is_in_a_group(name):
    options = [each for each in main.commands[name].params if isinstance(each, click.Option)]
    listed = [record for records in command_options.groups(name).values() for record, _ in records]
    spelt = " ".join(listed)
    for option in options:
        assert all(re.search(rf"(^|[\s,]){re.escape(each)}\b", spelt) for each in option.opts), option.opts
    assert all(text for records in command_options.groups(name).values() for _, text in records)


def test_usage_and_paragraphs():
    assert command_options.usage("adjust") == "chancecorr adjust [OPTIONS] TRUE PRED"
    first = command_options.paragraphs("adjust")[0]
    assert first == "Agreement of two clusterings of the same objects, corrected for chance."
