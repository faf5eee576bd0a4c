"""References of docstrings to names of chancecorr lead to a page, or are told."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("sphinx")

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "_ext"))

import own_references


@pytest.fixture
def told(monkeypatch):
    """Warnings that were given."""
    warnings = []
    monkeypatch.setattr(
        own_references.LOGGER, "warning", lambda text, *of, **about: warnings.append(text % of)
    )
    return warnings


def resolve(target, monkeypatch, *names, domain="py"):
    page = SimpleNamespace(docname="page", node_id="id")
    env = SimpleNamespace(get_domain=lambda name: SimpleNamespace(objects=dict.fromkeys(names, page)))
    monkeypatch.setattr(
        own_references, "make_refnode", lambda builder, source, to, node_id, content, title: title
    )
    node = {"refdomain": domain, "reftarget": target, "refdoc": "here"}
    return own_references.on_missing(SimpleNamespace(builder=None), env, node, None)


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("adjust", "chancecorr.adjust"),
        ("chancecorr.adjust", "chancecorr.adjust"),
        ("plot_null", "chancecorr.plotting.plot_null"),
        ("NullDistribution.rounding", "chancecorr.NullDistribution"),
    ],
)
def test_a_name_of_ours_leads_to_its_page(target, name, monkeypatch, told):
    assert resolve(target, monkeypatch, name) == name
    assert told == []


def test_one_without_a_page_is_told(monkeypatch, told):
    assert resolve("adjust", monkeypatch, "chancecorr.score") is None
    assert told == ["no page has 'adjust'"]


@pytest.mark.parametrize(
    ("target", "domain"), [("n_tables", "py"), ("numpy.histogram", "py"), ("adjust", "std")]
)
def test_what_is_not_ours_is_passed_over(target, domain, monkeypatch, told):
    assert resolve(target, monkeypatch, domain=domain) is None
    assert told == []
