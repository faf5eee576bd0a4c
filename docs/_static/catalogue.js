// The table of the catalogue: searched and filtered where it stands, by what the address asks for at first, as in #q=rand.
(() => {
  "use strict";

  const form = document.getElementById("catalogue-form");
  if (!form) return;
  const table = document.getElementById("catalogue-table");
  const keys = [...table.tHead.rows[0].cells].map((heading) => heading.dataset.key);
  const rows = [...table.tBodies[0].rows];
  const search = document.getElementById("catalogue-search");
  const selects = [...form.querySelectorAll("select")];

  // Every word must be among the names or in the source, one of up to three letters as a whole word.
  // `is_found` in chancecorr/catalogue is the same rule.
  function matches(row, typed) {
    const text = row.dataset.text;
    const words = text.split(/[^\p{L}\p{N}]+/u);
    return typed.every((word) =>
      /^[\p{L}\p{N}]{1,3}$/u.test(word)
        ? words.includes(word)
        : text.includes(word) || text.includes(word.replaceAll("-", "_"))
    );
  }

  function filter() {
    const typed = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = selects.filter((select) => select.value);
    for (const row of rows) {
      const isChosen = chosen.every((each) => row.cells[keys.indexOf(each.name)].textContent === each.value);
      row.hidden = !(isChosen && matches(row, typed));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("catalogue-count").textContent = `${shown} of ${rows.length} indices`;
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter)); // the fields are empty only after this event
  search.value = new URLSearchParams(location.hash.slice(1)).get("q") ?? "";
  filter();
  form.hidden = false;
})();
