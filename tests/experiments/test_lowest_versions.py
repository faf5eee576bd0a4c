"""Every requirement has a lower bound, one that `make lowest` can test and that the pinned versions meet."""

import re

from packaging.requirements import Requirement
from packaging.version import Version

from experiments.common.lowest_versions import ROOT, lowest, requirements

TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PINNED = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if "==" in line
)


def test_every_requirement_has_a_lower_bound_and_nothing_else():
    for wanted in requirements(TEXT):
        requirement = Requirement(wanted)
        if requirement.name != "chancecorr":
            assert re.fullmatch(r">=[\d.]+", str(requirement.specifier)), wanted


def test_pinned_versions_meet_the_bounds_and_are_not_all_that_does():
    """A bound that admits one release only is a pin, and breaks other people's environments."""
    bounds = {name: Version(version) for name, version in (line.split("==") for line in lowest(TEXT))}
    for name, bound in bounds.items():
        assert Version(PINNED[name]) >= bound, name
    at_the_bound = {name for name, bound in bounds.items() if Version(PINNED[name]) == bound}
    assert at_the_bound <= {"clusim"}  # of which there is no later release
