"""Configuration of Sphinx: ``make docs`` writes the site to ``docs/_build/html``."""

import functools
import hashlib
import os
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.search.en import SearchEnglish

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "_ext"), str(ROOT)]

from tests.compile_cache import compile_cache_folder  # noqa: E402

if "NUMBA_CACHE_DIR" not in os.environ:  # inherited by the kernels of pages; the tests use the same
    os.environ["NUMBA_CACHE_DIR"] = str(compile_cache_folder(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")  # pages are read in parallel; more threads would wait

project = "chancecorr"
author = "The chancecorr developers"
copyright = author
version = release = version_of("chancecorr")

extensions = [
    "command_options",
    "catalogue_pages",
    "forked_kernels",
    "myst_nb",
    "numpydoc",
    "own_references",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
    "sphinx_design",
    "study_pages",
]
# Names of other packages in docstrings; stored here, so that the build does not need a network.
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable/", "_inventories/numpy.inv"),
    "scipy": ("https://docs.scipy.org/doc/scipy/", "_inventories/scipy.inv"),
    "joblib": ("https://joblib.readthedocs.io/en/stable/", "_inventories/joblib.inv"),
}
exclude_patterns = ["_build", "_ext", "_static", "**.ipynb_checkpoints"]
templates_path = ["_templates"]
default_role = "py:obj"  # a name in a docstring is a link to its page, if it has one

# Pages are Markdown. Those with a kernel in their front matter are executed; an error in one stops the build.
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_render_markdown_format = "myst"  # outputs in Markdown have roles and tables, as pages do


def _sources() -> str:
    """Return a hash of the files on which outputs depend; a changed page is executed again anyway."""
    files = (path for folder in ("chancecorr", "experiments") for path in (ROOT / folder).rglob("*"))
    kept = sorted(path for path in files if path.suffix in {".py", ".json", ".html", ".css"})
    kept.append(HERE / "matplotlibrc")
    digest = hashlib.sha256()
    for path in kept:
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


nb_execution_cache_path = str(HERE / "_build" / "executed" / _sources())
os.environ["MATPLOTLIBRC"] = str(HERE / "matplotlibrc")
os.environ["CHANCECORR_QUIET"] = "1"  # pages do not show messages about compiling
os.environ["COLUMNS"] = "80"  # width of the terminal for commands
# Kernels only print errors. A failed command stops the build, unless the cell prints its exit code (`$?`).
KERNEL_CONFIGURATION = '''
c.IPKernelApp.log_level = "ERROR"
c.IPKernelApp.exec_lines = ["""
def _run_command(command, run=get_ipython().system):
    run(command)
    if get_ipython().user_ns["_exit_code"]:
        raise RuntimeError(f"a command failed: {command}")

get_ipython().system = _run_command
"""]
'''
_profile = HERE / "_build" / "ipython" / "profile_default"
_profile.mkdir(parents=True, exist_ok=True)
(_profile / "ipython_kernel_config.py").write_text(KERNEL_CONFIGURATION, encoding="utf-8")
os.environ["IPYTHONDIR"] = str(_profile.parent)
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

autosummary_generate = True
toc_object_entries_show_parents = "hide"  # on the page of a class, its methods without its name
autodoc_typehints = "none"  # the docstrings describe the types
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

smartquotes = False  # text in quotes is mostly code

html_search_scorer = str(HERE / "_static" / "search_scores.js")
SearchEnglish.stem = functools.cache(SearchEnglish.stem)  # a word recurs hundreds of times

html_theme = "pydata_sphinx_theme"
html_title = "chancecorr"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css", "catalogue.css"]
html_js_files = [("catalogue.js", {"defer": "defer"})]
html_show_sourcelink = False
html_sidebars = {  # pages that stand alone
    "errata": [], "gallery": [], "reference/catalogue": [], "reference/command_line": [], "start/install": [],
}  # fmt: skip
html_copy_source = False
html_theme_options = {
    "logo": {"text": "chancecorr"},
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 9,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}


def _make_references_list_items(
    app: Any, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """Give works in a list of references the role that screen readers expect in a list."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Any) -> None:
    """Declare to Sphinx that the MathJax extension is safe for parallel reading and writing."""
    app.connect("html-page-context", _make_references_list_items)
    mathjax = app.extensions["sphinx-mathjax-offline"]
    mathjax.parallel_read_safe = mathjax.parallel_write_safe = True
