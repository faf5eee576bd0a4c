"""The directive ``command-options``: usage, arguments and options of a command, as click knows them."""

import inspect
from typing import Any

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from chancecorr.cli.commands import main


def describe_command(name: str) -> str:
    """Usage, description and a table of the options of a command, by their groups, in Markdown."""
    command = main.commands[name]
    context = click.Context(command, info_name=f"chancecorr {name}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    groups: dict[str, list[tuple[str, str]]] = {}
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record and isinstance(option, click.Option):
            groups.setdefault(getattr(option, "group", "Other"), []).append(record)
    rows = ["| option | what it does |", "| --- | --- |"]
    for title, records in groups.items():
        rows.append(f"| **{title}** | |")
        rows += [f"| `{_put_in_cell(spelling)}` | {_put_in_cell(text)} |" for spelling, text in records]
    return "\n".join([f"```text\n{usage}\n```", "", inspect.cleandoc(command.help or ""), "", *rows])


def _put_in_cell(text: str) -> str:
    """Text on one line, in which no bar ends a cell."""
    return " ".join(text.split()).replace("|", r"\|")


class CommandOptions(SphinxDirective):
    """Usage, description and options of the command that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Nodes of the description."""
        name = self.arguments[0]
        if name not in main.commands:
            raise self.error(f"no command is called {name!r}; there are {', '.join(main.commands)}")
        return [
            nodes.container(
                "", *self.parse_text_to_nodes(describe_command(name)), classes=["command-options"]
            )
        ]


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("command-options", CommandOptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
