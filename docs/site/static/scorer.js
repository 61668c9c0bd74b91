// What the search puts first: pages that explain, then Python and C++ by name. The numbers are Sphinx's own but for `score`.
var Scorer = {
  score: ([page, , , , score]) =>
      page.startsWith('reference/cpp/') ? score / 10 : page.startsWith('reference/') ? score / 4 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
