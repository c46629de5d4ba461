"""mkdocs hook: a site that would ask something of another host is not built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

# Whatever a tag loads; a plain link asks only when a reader follows it.
LOADED = re.compile(
    r"<(?!a\b)\w[^>]*?\b(?:src|srcset|href|poster|data|action)\s*=\s*[\"']?"
    r"((?:https?:)?//[^\"'\s>]*)",
    re.IGNORECASE,
)
STYLED = re.compile(r"(?:url\(|@import\s)\s*[\"']?((?:https?:)?//[^\"')\s]*)", re.I)
# The theme loads the program for these from elsewhere.
FOREIGN_BLOCKS = re.compile(r"class=\"(mermaid)\"")
POLICY = 'http-equiv="Content-Security-Policy"'


def foreign(text: str) -> Iterator[str]:
    """What of another host a page or a style sheet loads."""
    for pattern in (LOADED, STYLED, FOREIGN_BLOCKS):
        yield from pattern.findall(text)


def on_post_build(config: MkDocsConfig) -> None:
    """Look through the pages and style sheets that were written."""
    site = Path(config.site_dir)
    for path in sorted(site.rglob("*")):
        if path.suffix not in (".html", ".css", ".svg"):
            continue
        text = path.read_text("utf8")
        place = path.relative_to(site)
        for address in foreign(text):
            raise PluginError(f"{place} loads {address} from another host")
        if path.suffix == ".html" and POLICY not in text:
            raise PluginError(f"{place} has no content security policy")
