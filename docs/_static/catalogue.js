// The table of the catalogue: searched, filtered and sorted where it stands. What is searched and how it is
// sorted is kept in the address, as in #q=rand&family=Pair+counting&sort=range&order=descending.
(() => {
  "use strict";

  const form = document.getElementById("catalogue-form");
  const table = document.getElementById("catalogue-table");
  const count = document.getElementById("catalogue-count");
  if (!form || !table || !count) return;

  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const keys = headings.map((heading) => heading.dataset.key);
  const rows = [...body.rows].map((element, place) => ({
    element,
    place,
    text: element.dataset.text,
    words: new Set(element.dataset.text.split(/[^\p{L}\p{N}]+/u)),
    values: Object.fromEntries(keys.map((key, k) => [key, element.cells[k].dataset.value])),
    orders: Object.fromEntries(
      keys.map((key, k) => [key, element.cells[k].dataset.order ?? element.cells[k].textContent])
    ),
  }));
  const selects = [...form.querySelectorAll("select")];
  const search = document.getElementById("catalogue-search");
  let sorted = { key: "", descending: false };

  // Every word must be in the name, an alias, a name elsewhere, the formula or the source, one of up to three
  // letters as a whole word; what has signs of a formula must be there as it stands, whatever its spaces.
  // `is_found` in chancecorr/catalogue/recommendations.py is the same rule.
  function matcherOf(typed) {
    const text = typed.toLowerCase().trim();
    if (/[()/^+=]/.test(text)) {
      const piece = text.replace(/\s+/g, "");
      return (row) => row.text.replace(/\s+/g, "").includes(piece);
    }
    const words = text.split(/\s+/).filter(Boolean);
    const isShort = (word) => /^[\p{L}\p{N}]{1,3}$/u.test(word);
    return (row) =>
      words.every((word) =>
        isShort(word)
          ? row.words.has(word)
          : row.text.includes(word) || row.text.includes(word.replaceAll("-", "_"))
      );
  }

  function filter() {
    const matches = matcherOf(search.value);
    let shown = 0;
    for (const row of rows) {
      row.element.hidden =
        !matches(row) || selects.some((each) => each.value && row.values[each.name] !== each.value);
      shown += row.element.hidden ? 0 : 1;
    }
    count.textContent = `${shown} of ${rows.length} indices`;
  }

  function sort() {
    const sign = sorted.descending ? -1 : 1;
    const ordered = [...rows];
    if (sorted.key) {
      ordered.sort(
        (one, other) =>
          sign * one.orders[sorted.key].localeCompare(other.orders[sorted.key], "en", { numeric: true }) ||
          one.place - other.place
      );
    }
    body.append(...ordered.map((row) => row.element));
    for (const heading of headings) {
      const direction = sorted.descending ? "descending" : "ascending";
      if (heading.dataset.key === sorted.key) heading.setAttribute("aria-sort", direction);
      else heading.removeAttribute("aria-sort");
    }
  }

  function writeAddress() {
    const state = new URLSearchParams();
    if (search.value.trim()) state.set("q", search.value.trim());
    for (const select of selects) if (select.value) state.set(select.name, select.value);
    if (sorted.key) {
      state.set("sort", sorted.key);
      if (sorted.descending) state.set("order", "descending");
    }
    const text = state.toString();
    const plain = location.pathname + location.search;
    history.replaceState(null, "", text ? `${plain}#${text}` : plain);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (text && !text.includes("=")) return; // the row of an index, or a heading
    const state = new URLSearchParams(text);
    search.value = state.get("q") ?? "";
    for (const select of selects) {
      const wanted = state.get(select.name) ?? "";
      select.value = [...select.options].some((option) => option.value === wanted) ? wanted : "";
    }
    const key = state.get("sort") ?? "";
    sorted = { key: keys.includes(key) ? key : "", descending: state.get("order") === "descending" };
  }

  function changed() {
    filter();
    writeAddress();
  }

  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    button.addEventListener("click", () => {
      const key = heading.dataset.key;
      sorted = { key, descending: sorted.key === key && !sorted.descending };
      sort();
      writeAddress();
    });
    heading.replaceChildren(button);
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    // The fields are empty only after this event.
    setTimeout(() => {
      sorted = { key: "", descending: false };
      sort();
      changed();
      search.focus();
    });
  });
  addEventListener("hashchange", () => {
    readAddress();
    filter();
    sort();
  });

  readAddress();
  filter();
  if (sorted.key) sort();
  form.hidden = false;
})();
