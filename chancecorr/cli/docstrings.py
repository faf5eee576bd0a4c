"""Read docstrings in the format of numpydoc: the parameters that a function describes."""

import inspect
import itertools
from typing import Any, NamedTuple


class Parameter(NamedTuple):
    """A parameter as its docstring describes it."""

    kind: str  # empty if another function describes the parameter
    text: str  # the description on one line

    @property
    def sentence(self) -> str:
        """The first sentence, without a reference to another page at its end."""
        sentence = self.text.replace("``", "").partition(". ")[0].rstrip(".")
        return f"{sentence.partition('; see ')[0]}."

    @property
    def referred(self) -> str:
        """The first name in backquotes: the function that describes a parameter without a type."""
        return self.text.partition("`")[2].partition("`")[0]


def read_parameters(documented: Any) -> dict[str, Parameter]:
    """Read the section on parameters of a function's or a class's docstring; parameters by name."""
    lines = (inspect.getdoc(documented) or "").split("\n")
    heads = [k for k, (_, rule) in enumerate(itertools.pairwise(lines)) if rule and not rule.strip("-")]
    start = next((k for k in heads if lines[k] == "Parameters"), len(lines))
    end = next((k for k in heads if k > start), len(lines))
    parameters: dict[str, Parameter] = {}
    names: list[str] = []
    for line in filter(None, lines[start + 2 : end]):
        if line[0] != " ":  # a name, or several names, and the type
            listed, _, kind = line.partition(" : ")
            names = listed.split(", ")
            parameters |= dict.fromkeys(names, Parameter(kind, ""))
        else:
            for name in names:
                known = parameters[name]
                parameters[name] = known._replace(text=f"{known.text} {line.strip()}".strip())
    return parameters
