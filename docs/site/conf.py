"""Sphinx on the pages that docs/site/build.py has gathered. Nothing is fetched, neither here nor by the pages."""

import os
import sys
from pathlib import Path

SITE = Path(os.environ["DELASSUS_SITE"])  # docs/site
sys.path.insert(0, str(SITE))
from pages import slug  # noqa: E402

project = "delassus"
copyright = "the delassus contributors"
release = version = os.environ["DELASSUS_VERSION"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_heading_anchors = 6
myst_heading_slug_func = slug
# Lists of constants and of names are no pages: what would number or index them is not needed.
html_use_index = False
html_domain_indices = False
python_use_unqualified_type_names = True
add_module_names = False
# Thousands of members would make up most of every table of contents, and of the time to build it.
toc_object_entries = False

html_theme = "furo"
html_title = f"delassus {version}"
html_static_path = [str(SITE / "static")]
html_css_files = ["site.css"]
html_favicon = str(SITE / "static/logo.svg")
html_logo = str(SITE / "static/logo.svg")
html_copy_source = False
html_show_sphinx = False
# From a file, a browser refuses to read other files, from which the summaries would come.
html_show_search_summary = False
html_search_scorer = str(SITE / "static/scorer.js")
highlight_language = "text"
pygments_style = "tango"
pygments_dark_style = "github-dark"
