"""What may be wrong with a page of the site, as JavaScript that a browser runs on it."""

WRONG = """() => {
  const said = [], all = selector => [...document.querySelectorAll(selector)];
  const say = (what, found) => { if (found.length) said.push(`${what}: ${found.slice(0, 5).join(' | ')}`); };
  if (document.documentElement.lang !== 'en') said.push('the language is not set');
  if (!document.title.replace('<no title>', '').trim()) said.push('there is no title');
  if (all('h1').length !== 1) said.push(`${all('h1').length} headings of the first level`);
  const address = e => e.src.slice(0, 200);
  say('pictures without a text', all('img').filter(e => !(e.alt || '').trim()).map(address));
  say('pictures not loaded', all('img').filter(e => e.complete && !e.naturalWidth).map(address));
  const unset = all('.math').filter(e => !e.querySelector('mjx-container'));
  say('formulas not set', unset.map(e => e.textContent));
  say('formulas with an error', all('mjx-merror, [data-mjx-error]').map(
    e => e.dataset.mjxError || e.title || e.textContent));
  return said;
}"""
"""Sentences that name each fault, in any window."""

BEYOND = """() => {
  const width = document.documentElement.clientWidth, said = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > width) said.push(`the page is ${wide} pixels wide in a window of ${width}`);
  // The theme lets the whole article scroll; here only a table or a block of code may.
  const article = document.querySelector('.bd-article-container');
  if (article.scrollWidth > article.clientWidth)
    said.push(`the article is ${article.scrollWidth} pixels wide in ${article.clientWidth}`);
  const scrolls = e => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);
  const inside = e => {
    for (let p = e.parentElement; p && p !== article; p = p.parentElement) if (scrolls(p)) return true;
    return false;
  };
  for (const e of article.querySelectorAll('*')) {
    const box = e.getBoundingClientRect();
    if (e.closest('mjx-assistive-mml, svg svg')) continue;
    if (box.width > 1 && box.right > width + 1 && !inside(e))
      said.push(`${e.tagName}.${e.className} ends at ${box.right | 0}: ${e.textContent.slice(0, 40)}`);
  }
  return said.slice(0, 6);
}"""
"""What is wider than the window, and does not scroll in a box of its own."""


CUT = """allowed => {
  const blocks = [...document.querySelectorAll('.bd-article :is(pre, table, .output)')];
  const hides = e => e.scrollWidth > e.clientWidth + 1 && !allowed.includes(getComputedStyle(e).overflowX);
  const cut = e => {
    for (let p = e; p && !p.matches('.bd-article'); p = p.parentElement) if (hides(p)) return true;
    return false;
  };
  return blocks.filter(e => e.offsetParent && cut(e)).map(
    e => `${e.tagName} ${e.scrollWidth}: ${e.innerText.slice(0, 60)}`);
}"""
"""Code, output and tables of which a reader sees a part only; by what `overflow-x` they may have."""

SMALL = """() => [...document.querySelectorAll('.bd-article :is(pre, th, td, li, p, code)')].filter(
  e => e.offsetParent && e.innerText.trim() && parseFloat(getComputedStyle(e).fontSize) < 12
).map(e => `${e.tagName} ${getComputedStyle(e).fontSize}: ${e.innerText.slice(0, 40)}`).slice(0, 6)"""
"""Text of fewer than 12 pixels."""


def serious(view, within=None):
    """What axe finds on a page, or a part of it, and would keep some reader from it, with the elements."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(view, context=within).response
    assert found["testEngine"]["name"] == "axe-core"
    grave = [each for each in found["violations"] if each["impact"] in ("serious", "critical", None)]
    return [f"{each['id']}: {' | '.join(node['html'][:200] for node in each['nodes'][:3])}" for each in grave]
