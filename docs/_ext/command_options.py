"""The directive ``command-options``: usage, arguments and options of a command, as click knows them."""

import inspect
from typing import Any

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from chancecorr.cli.commands import main


def usage(name: str) -> str:
    """How a command is called.

    Examples
    --------
    >>> usage("adjust")
    'chancecorr adjust [OPTIONS] TRUE PRED'
    """
    command = main.commands[name]
    context = click.Context(command, info_name=f"chancecorr {name}")
    return " ".join([context.command_path, *command.collect_usage_pieces(context)])


def paragraphs(name: str) -> list[str]:
    """What the help says of a command, a text for each paragraph."""
    parts = inspect.cleandoc(main.commands[name].help or "").split("\n\n")
    return [" ".join(part.split()) for part in parts]


def groups(name: str) -> dict[str, list[tuple[str, str]]]:
    """Options and what they do, by the groups in which the help shows them."""
    command = main.commands[name]
    context = click.Context(command, info_name=f"chancecorr {name}")
    found: dict[str, list[tuple[str, str]]] = {}
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record and isinstance(option, click.Option):
            text = " ".join(record[1].split())
            found.setdefault(getattr(option, "group", "Other"), []).append((record[0], text))
    return found


class CommandOptions(SphinxDirective):
    """Usage, description and options of the command that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Nodes: a literal block, paragraphs, and a table for all groups of options."""
        name = self.arguments[0]
        if name not in main.commands:
            raise self.error(f"no command is called {name!r}; there are {', '.join(main.commands)}")
        block = nodes.literal_block(usage(name), usage(name), language="text")
        described = [nodes.paragraph(text, text) for text in paragraphs(name)]
        return [block, *described, _table(groups(name))]


def _table(found: dict[str, list[tuple[str, str]]]) -> nodes.table:
    table = nodes.table(classes=["command-options"])
    group = nodes.tgroup(cols=2)
    group += [nodes.colspec(colwidth=35), nodes.colspec(colwidth=65)]
    head = nodes.thead()
    head += _row(nodes.Text("option"), nodes.Text("what it does"))
    body = nodes.tbody()
    for title, records in found.items():
        body += _row(nodes.strong(title, title))
        for option, text in records:
            body += _row(nodes.literal(option, option), nodes.Text(text))
    group += [head, body]
    table += group
    return table


def _row(*cells: nodes.Node) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        entry = nodes.entry()
        if len(cells) == 1:
            entry["morecols"] = 1
        paragraph = nodes.paragraph()
        paragraph += cell
        entry += paragraph
        row += entry
    return row


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("command-options", CommandOptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
