"""The code for R on the page by field runs, and gives the values of R's own packages."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "by_field.md"

CHECKS = """
stopifnot(is.numeric(score$adjusted), score$p_value < 1e-40)
if (requireNamespace("mclust", quietly = TRUE))
    stopifnot(all.equal(score$adjusted, mclust::adjustedRandIndex(truth, kmeans3), tolerance = 1e-14))

# What is handed over for NA: text for factors and texts, the least integer, nan
handed_over <- function(x) import_builtins()$repr(r_to_py(x))
stopifnot(handed_over(factor(c("a", NA))) == "['a', 'NA']", handed_over(c("a", NA)) == "['a', 'NA']")
stopifnot(handed_over(c(1L, NA)) == "[1, -2147483648]", handed_over(c(1, NA)) == "[1.0, nan]")
some <- factor(c("a", NA, "a", "b", "b")); other <- c(1L, 1L, 1L, 2L, 2L)
kept <- complete.cases(some, other)
stopifnot(cc$adjust(some, other, "rand", noise = dict("NA" = "drop"))$adjusted
    == cc$adjust(some[kept], other[kept], "rand")$adjusted)
"""


def has_reticulate():
    """Whether R and its package reticulate are installed."""
    rscript = shutil.which("Rscript")
    looks = [rscript or "", "-e", 'quit(status = !requireNamespace("reticulate", quietly = TRUE))']
    return rscript is not None and subprocess.run(looks, capture_output=True).returncode == 0


@pytest.mark.slow
def test_the_code_for_r(tmp_path):
    if not has_reticulate():
        pytest.skip("R with reticulate is not installed")
    (code,) = re.findall(r"```r\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    script = tmp_path / "page.R"
    script.write_text(f'Sys.setenv(RETICULATE_PYTHON = "{sys.executable}")\n{code}{CHECKS}', encoding="utf-8")
    run = subprocess.run(["Rscript", str(script)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
