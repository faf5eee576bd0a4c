"""The JSON of every command, held to `chancecorr/cli/schema.json`, which programs in other languages read."""

import importlib.resources
import json

import jsonschema
import pytest

from chancecorr.cli.commands import COMMANDS, run

SCHEMA = json.loads((importlib.resources.files("chancecorr.cli") / "schema.json").read_text(encoding="utf-8"))

CALLS = {
    "adjust": ["{labels}:truth", "{labels}:a", "--index", "rand,nmi_sum,purity"],
    "adjust-table": ["{counts}"],
    "cite": ["rand", "purity"],
    "compare": ["{labels}:truth", "{labels}:a", "{labels}:b"],
    "compare --by": ["{labels}:truth", "{labels}:a", "{labels}:b", "--by", "{labels}:site"],
    "indices": [],
    "pairwise": ["{labels}:truth", "{labels}:a", "{labels}:one"],
}


def printed(capsys, command, arguments):
    assert run([command.split()[0], *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def check(command, value):
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{command}"}).validate(value)


def test_every_command_that_prints_json_has_a_definition():
    with_json = {name for name, command in COMMANDS.items() if "json" in command.more}
    assert with_json == {call.split()[0] for call in CALLS}
    assert set(CALLS) <= set(SCHEMA["$defs"])
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("command", CALLS)
def test_what_a_command_prints_is_as_the_schema_says(command, tmp_path, capsys):
    files = {"labels": tmp_path / "labels.csv", "counts": tmp_path / "counts.csv"}
    files["labels"].write_text(
        "truth,a,b,one,site\nx,1,1,0,i\nx,1,2,0,i\ny,2,2,0,i\ny,2,2,0,j\ny,1,3,0,j\nz,3,3,0,j\n"
    )
    files["counts"].write_text("3,1\n0,4\n")
    value = printed(capsys, command, [argument.format(**files) for argument in CALLS[command]])
    check(command, value)
    broken = value[0] if isinstance(value, list) else value
    broken.pop(next(iter(SCHEMA["$defs"][command].get("required", broken))))  # its first field
    with pytest.raises(jsonschema.ValidationError):
        check(command, value)
