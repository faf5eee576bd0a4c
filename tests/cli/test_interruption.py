"""Ctrl-C on the command line: one line and exit code 130 in every phase, and soon."""

import pytest

from tests.interruption import interrupted, telling

LAW = ["adjust-table", "{counts}", "--index", "jaccard", "--method", "exact"]

PHASES = {
    "law": ("exact.enumeration", "run_in_background", LAW),
    "pairwise": ("sampling.workers", "evaluate_block", ["pairwise", "--data", "{small}"]),
    "compare": ("sampling.workers", "evaluate_block", ["compare", "a", "--data", "{small}"]),
}
"""What is called when the phase begins, and a command that would take minutes from there on."""

ENDLESS = ["--method", "monte-carlo", "--index", "variation_of_information", "--n-tables", "1000000000"]

SOON = 15.0
"""Seconds in which the process must end; it takes 1 or so where the machine has nothing else to do."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "small.csv").write_text("a,b,c,d\n" + "0,1,2,0\n1,1,0,2\n2,0,1,0\n" * 20)
    (folder / "counts.csv").write_text("13,13,13,13\n13,14,13,13\n13,13,14,14\n13,14,14,14\n")
    return {"small": str(folder / "small.csv"), "counts": str(folder / "counts.csv")}


COMMAND = """
import sys
import chancecorr.cli.run as cli
sys.exit(cli.run())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phase", "jobs"), [("pairwise", "2"), ("compare", "1"), pytest.param("law", "1", marks=pytest.mark.long)]
)
def test_in_every_phase(files, phase, jobs, record_property):
    module, name, command = PHASES[phase]
    command = [word.format_map(files) for word in command]
    command += [*(ENDLESS if name == "evaluate_block" else []), "--jobs", jobs]
    code, out, err, seconds = interrupted(telling(f"chancecorr.{module}", name) + COMMAND, arguments=command)
    assert (code, out, err.strip()) == (130, "", "Interrupted.")
    record_property("seconds_to_the_end", seconds)
    assert seconds < SOON
