"""The sections of the site, in order, and the pages of docs/ in each.

A page is named without `.md`; a pattern stands for the pages that are not named elsewhere, by their titles. A page that is in
no section is an error, a name without a page is left out. What is made from the sources is named `reference/...`.
"""

from __future__ import annotations

SECTIONS: list[tuple[str, list[str]]] = [
    ("Start", ["start", "install", "tour", "demo-box", "viewer", "examples", "features", "readme"]),
    ("Concepts", ["concepts/README", "concepts/rows", "concepts/delassus-matrix", "concepts/trees-and-loops",
                  "concepts/condensed-tree", "concepts/damping-and-rank", "concepts/contact-laws", "concepts/operators",
                  "concepts/lanes-and-batches", "concepts/promises", "concepts/*", "which-call", "planner", "conventions",
                  "lifetimes", "arguments"]),
    ("Algorithms", ["papers", "where-to-read", "algorithms/condensed", "algorithms/limbs", "algorithms/lcaba", "algorithms/kkt",
                    "algorithms/matrix-free", "algorithms/pv-osim", "algorithms/pv-osimr", "algorithms/efpa", "algorithms/ltl",
                    "algorithms/kjr", "algorithms/chang-khatib", "algorithms/dense", "algorithms/constrained-dynamics",
                    "algorithms/derivatives", "algorithms/contact", "algorithms/contact-interior-point",
                    "algorithms/operational-space", "algorithms/*"]),
    ("How-to", ["how-to/*", "python", "simulation", "collision", "batch", "gpu", "learning", "sweeps", "study-go2-pushes",
                "sweeps-at-scale", "scenes-by-running", "generate", "microcontroller"]),
    ("Performance", ["performance", "operation-counts", "isa", "peers"]),
    ("Comparison", ["comparison", "migration"]),
    ("Reference", ["command", "reference/cpp/index", "reference/python/index", "c-api", "scene-format", "scenes",
                   "contributing", "changelog"]),
    ("Corrections", ["corrections"]),
    ("Questions", ["questions"]),
]
