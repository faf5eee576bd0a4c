"""What a release goes by: workflows of a public host, the recipe of conda-forge, addresses of the project."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

in_a_checkout = pytest.mark.skipif(
    not WORKFLOWS, reason="what serves the repository alone is not in the sdist"
)


@in_a_checkout
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_hash_and_make_targets_exist(workflow):
    text = workflow.read_text(encoding="utf-8")
    uses = re.findall(r"uses: (\S+)(.*)", text)
    assert uses
    for action, comment in uses:
        assert re.fullmatch(r"[\w/.-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), f"the version of {action}"
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([\w-]+)", re.sub(r"#.*", "", text))) <= targets
    assert "permissions:\n  contents: read\n" in text


@in_a_checkout
def test_the_recipe_of_conda_has_version_and_dependencies_of_the_package():
    recipe = (ROOT / ".ci" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    run = re.search(r"  run:\n((?:    - .*\n)+)", recipe)[1]
    listed = [line.removeprefix("    - ").replace(" ", "") for line in run.splitlines()]
    assert listed[1:] == PROJECT["dependencies"]
    assert f'version: "{PROJECT["version"]}"' in recipe
    assert f'python_min: "{PROJECT["requires-python"].removeprefix(">=")}"' in recipe
