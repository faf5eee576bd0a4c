"""What the text of Zhang, Wong & Shen (2012) says of its results, held against the cells.

Words such as "close to zero" have no number in the paper. Where one had to be chosen it is among the
constants of the modules of claims, and in the evidence.
"""

from experiments.common.runs import Outcome
from experiments.zhang_wong_shen_2012 import claims_of_chance, claims_of_data, claims_of_theory
from experiments.zhang_wong_shen_2012.held import Finding, finding

CLAIMS = (*claims_of_theory.CLAIMS, *claims_of_chance.CLAIMS, *claims_of_data.CLAIMS)
"""In the order of the paper."""


def findings_of(outcome: Outcome) -> list[Finding]:
    """A verdict on each claim; "not reachable" where the run lacks cells that it needs."""
    return [finding(each, outcome) for each in CLAIMS]
