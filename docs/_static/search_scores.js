// What a find counts in the search of the site: pages and their headings before names of functions and attributes.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 2,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 20,
  partialTitle: 12,
  term: 5,
  partialTerm: 2,
  // Reports of the studies, lists of options and derivations have all words; a page on the subject comes before them.
  score: ([page, , , , score]) =>
    page.startsWith("studies/generated/") ? score - 10
      : ["reference/command_line", "explanation/derivations"].includes(page) ? score - 2
        : score,
};
