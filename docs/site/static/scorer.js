// What the search puts first: pages that are named for what is asked, other pages that explain, then Python, sources and C++ by name. The numbers are
// Sphinx's own but for `score`: Sphinx gives every page with the words in one of its headings the same.
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    if (page.startsWith('reference/cpp/')) return score / 10;
    if (page.startsWith('reference/') || page.startsWith('source/')) return score / 4;
    const asked = new URLSearchParams(window.location.search).get('q') || '';
    return anchor === '' && title.toLowerCase().includes(asked.trim().toLowerCase()) ? 2 * score : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
