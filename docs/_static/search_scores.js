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
  // Reports of the studies have all words of their subject; they come after the pages.
  score: ([page, , , , score]) => (page.startsWith("studies/generated/") ? score - 10 : score),
};
