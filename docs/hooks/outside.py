"""mkdocs hook: files outside docs/ that pages link to become part of the site, and pages
may show a part of one (`<!-- part README.md#Limits -->`) or the sources of a pipeline
(`<!-- sources META.json -->`).

GitHub follows a link such as `../README.md`, a site cannot. A Markdown file becomes a page
under `outside/`, any other file is copied there.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS, OUTSIDE = "docs/", "outside/"
LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)#\s]+)(?=[)#])")
PART = re.compile(r"<!-- part ([^#\n]+)#(.+?) -->")
SOURCES = re.compile(r"<!-- sources (\S+) -->")
# Python-Markdown wants a blank line before a list, GitHub does not.
TIGHT_LIST = re.compile(r"(?m)^(?![-|#\s])(.+)\n(?=- )")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what pages and the navigation name, and what these name in turn."""
    waiting = [
        (DOCS + file.src_uri, file.content_string)
        for file in files.documentation_pages()
    ]
    waiting += [
        ("", f"]({name})")
        for name in re.findall(rf"{OUTSIDE}([\w./-]+)", str(config.nav))
    ]
    while waiting:
        place, text = waiting.pop()
        for path in _paths(place, _with_parts(place, text)):
            if path.startswith(DOCS) or files.get_file_from_path(OUTSIDE + path):
                continue
            if (ROOT / path).is_file():
                source = str(ROOT / path)
                new = File.generated(config, OUTSIDE + path, abs_src_path=source)
                if new.is_documentation_page():
                    new = File.generated(config, OUTSIDE + path, content=_read(path))
                    new.inclusion = InclusionLevel.NOT_IN_NAV
                    waiting.append((path, new.content_string))
                files.append(new)
    return files


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Show the parts, and lead links to where their files are in the site."""
    place = _place(page.file.src_uri)
    here = posixpath.dirname(page.file.src_uri)
    # The name of a fence may be followed by a word for the tests only.
    markdown = re.sub(r"(?m)^```(\w+) \w+$", r"```\1", _with_parts(place, markdown))

    def lead(match: re.Match[str]) -> str:
        path = _resolve(place, match[1])
        new = path.removeprefix(DOCS) if path.startswith(DOCS) else OUTSIDE + path
        return (
            posixpath.relpath(new, here) if files.get_file_from_path(new) else match[1]
        )

    return LINK.sub(lead, markdown)


def _place(uri: str) -> str:
    """Path of a page's source from the root of the repository."""
    return uri.removeprefix(OUTSIDE) if uri.startswith(OUTSIDE) else DOCS + uri


def _resolve(place: str, link: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(place), link))
    # docs/project.md is written by a program for the root of the repository.
    return path if (ROOT / path).exists() or not (ROOT / link).exists() else link


def _paths(place: str, text: str) -> list[str]:
    return [_resolve(place, link) for link in LINK.findall(text)]


def _read(path: str) -> str:
    return TIGHT_LIST.sub(r"\1\n\n", (ROOT / path).read_text("utf8"))


def _with_parts(place: str, text: str) -> str:
    """The text with the sections and tables that its comments name."""

    def section(match: re.Match[str]) -> str:
        path, heading = match[1], match[2]
        found = re.search(
            rf"(?ms)^(#+) {re.escape(heading)}\n+(.*?)(?=^#{{1,2}} |\Z)", _read(path)
        )
        if not found:
            raise ValueError(f"{place}: {path} has no section '{heading}'")
        # Its links are those of another place.
        back = posixpath.relpath(path, posixpath.dirname(place) or ".")
        folder = posixpath.dirname(back)
        return LINK.sub(lambda m: posixpath.join(folder, m[1]), found[2]).rstrip()

    def sources(match: re.Match[str]) -> str:
        meta = json.loads((ROOT / match[1]).read_text("utf8"))
        rows = []
        for source in meta["sources"]:
            name, url = source["name"], source["url"]
            named = f"[{name}]({url})" if url else name
            rows.append(f"| {named} | {source['author']} | {source['license']} |")
        return "\n".join(["| data | by | licence |", "|---|---|---|", *rows])

    return SOURCES.sub(sources, PART.sub(section, text))
