"""The JSON of every command, held to the schema that `chancecorr schema` prints."""

import json

import jsonschema
import pytest

from chancecorr.cli.commands import COMMANDS
from chancecorr.cli.run import run
from chancecorr.cli.schema import make_schema

SCHEMA = make_schema()

CALLS = {
    "adjust": ["labels.csv:truth", "labels.csv:a", "--index", "rand,nmi_sum,purity"],
    "adjust-table": ["counts.csv"],
    "agreement": ["labels.csv:truth", "labels.csv:a", "labels.csv:one"],
    "agreement of raters": ["labels.csv:a", "labels.csv:b", "--index", "cohen_kappa"],
    "baseline": ["50,30,20", "40,40,20", "--observed", "0.8"],
    "cite": ["rand", "purity"],
    "compare": ["labels.csv:truth", "labels.csv:a", "labels.csv:b"],
    "compare --by": ["labels.csv:truth", "labels.csv:a", "labels.csv:b", "--by", "labels.csv:site"],
    "hard-scores": ["labels.csv:truth", "--soft", "p,q", "--n-draws", "5"],
    "indices": [],
    "overlaps": ["labels.csv:truth", "labels.csv:a"],
    "pairwise": ["labels.csv:truth", "labels.csv:a", "labels.csv:one"],
}


def check(command, value):
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{command}"}).validate(value)


def test_every_command_that_prints_json_has_a_definition():
    with_json = {name for name, command in COMMANDS.items() if "json" in command.more}
    assert with_json == {call.split()[0] for call in CALLS}
    assert set(CALLS) <= set(SCHEMA["$defs"])
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_command_prints_the_schema(capsys):
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA


@pytest.mark.parametrize("command", CALLS)
def test_what_a_command_prints_is_as_the_schema_says(command, folder, capsys):
    (folder / "labels.csv").write_text(
        "truth,a,b,one,site,p,q\nx,1,1,0,i,1,0\nx,1,2,0,i,.5,.5\ny,2,2,0,i,0,1\ny,2,2,0,j,0,1\n"
        "y,1,3,0,j,.5,.5\nz,3,3,0,j,1,0\n"
    )
    (folder / "counts.csv").write_text("3,1\n0,4\n")
    assert run([command.split()[0], *CALLS[command], "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    check(command, value)
    of_items = SCHEMA["$defs"][command].get("items", SCHEMA["$defs"][command])
    if "properties" in of_items:
        assert {*of_items["properties"]} == {*(value[0] if isinstance(value, list) else value)}
    for record in [] if command == "compare --by" or not isinstance(value, dict) else value.get("scores", []):
        assert {*record} == {*SCHEMA["$defs"]["candidate" if command == "compare" else "score"]["properties"]}
    broken = value[0] if isinstance(value, list) else value
    broken.pop(next(iter(broken)))  # its first field
    with pytest.raises(jsonschema.ValidationError):
        check(command, value)
