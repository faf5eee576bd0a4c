"""The directive ``command-options``: usage, arguments and options of a command, from its parser."""

import re
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from chancecorr.cli.commands import COMMANDS
from chancecorr.cli.options import Parser


def describe_command(name: str) -> str:
    """Return usage, description and a table of the options of a command in Markdown."""
    parser = Parser(name, COMMANDS[name])
    rows = ["| option | what it does |", "| --- | --- |"]
    for option in parser._get_optional_actions():
        flag = " ".join([", ".join(option.option_strings), option.metavar or ""]).strip()
        rows.append(f"| `{_put_in_cell(flag)}` | {_put_in_cell((option.help or '').replace('%%', '%'))} |")
    usage = " ".join(parser.format_usage().split()).removeprefix("usage: ")
    usage = re.sub(r"\[-.*?\]( \[-.*?\])*", "[OPTIONS]", usage)
    return "\n".join([f"```text\n{usage}\n```", "", parser.description or "", "", *rows])


def _put_in_cell(text: str) -> str:
    """Return a text on one line, with bars escaped, which would end a cell."""
    return " ".join(text.split()).replace("|", r"\|")


class CommandOptions(SphinxDirective):
    """Usage, description and options of the command that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Nodes of the description."""
        name = self.arguments[0]
        if name not in COMMANDS:
            raise self.error(f"no command is called {name!r}; there are {', '.join(COMMANDS)}")
        return [
            nodes.container(
                "", *self.parse_text_to_nodes(describe_command(name)), classes=["command-options"]
            )
        ]


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("command-options", CommandOptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
