"""mkdocs hook: pages that are made of the program itself while the site is built.

`reference/cli.md` has the help of every command, `reference/registered/` a page for each
registry with the functions that the package puts into it.
"""

from __future__ import annotations

import configparser
import html
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from spacy.language import Language

from spacy_deid import cli, data

ROOT = Path(__file__).parents[2]
FOLDER = "reference/registered/"
# Entry points that no config names.
NO_REGISTRIES = ("spacy_cli", "spacy_displacy_colors", "console_scripts")


def on_config(config: MkDocsConfig) -> None:
    """Put the pages of the registries where the navigation names their folder."""

    def fill(nav: Any) -> Any:
        if isinstance(nav, list):
            return [fill(item) for item in nav]
        if isinstance(nav, dict):
            return {title: fill(item) for title, item in nav.items()}
        return [FOLDER + name for name in _registry_pages()] if nav == FOLDER else nav

    config.nav = fill(config.nav)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages."""
    pages = {FOLDER + name: text for name, text in _registry_pages().items()}
    for uri, text in {**pages, "reference/cli.md": _cli_page()}.items():
        files.append(File.generated(config, uri, content=text))


# --- registered functions ---


def registered() -> Iterator[tuple[str, str, str]]:
    """Registry, name and place of every function that the package registers."""
    for row in data.table("registered"):
        yield row["registry"], row["name"], row["place"]
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "setup.cfg", encoding="utf8")
    for group, lines in parser["options.entry_points"].items():
        for line in lines.strip().splitlines():
            name, _, place = map(str.strip, line.partition("="))
            if group not in NO_REGISTRIES:
                yield group.removeprefix("spacy_"), name, place


@cache
def _registry_pages() -> dict[str, str]:
    """Text of each page by its name."""
    bodies: dict[str, list[str]] = {}
    index = [
        "# Registered functions\n",
        "What a config can name, and what your own functions can stand in for: how is in"
        " [the stages and their settings](../../components.md).\n",
        "| name | registry | what |\n|---|---|---|",
    ]
    for registry, name, place in sorted(registered()):
        what, *_ = (inspect.getdoc(resolve_name(place)) or "").split("\n\n")
        index.append(f"| [{name}]({registry}.md#{name}) | {registry} | {_cell(what)} |")
        body = bodies.setdefault(registry, [f"# {registry}\n"])
        body.append(f"## {name} {{#{name}}}\n")
        body.append(f"```ini\n{_settings(registry, name, place)}\n```\n")
        body.append(f"::: {place.replace(':', '.')}\n    options:")
        body.append("      {show_root_heading: false, show_root_toc_entry: false}\n")
    pages = {f"{name}.md": "\n".join(lines) for name, lines in bodies.items()}
    return {"index.md": "\n".join(index), **pages}


def _settings(registry: str, name: str, place: str) -> str:
    """The block of a config, with the defaults of all settings."""
    own = {"factories": f'factory = "{name}"'}
    lines = [own.get(registry, f'@{registry} = "{name}"')]
    if registry == "deid_languages":
        lines = [f"# Found by its language: {name}"]
    defaults = Language.get_factory_meta(name).default_config if registry in own else {}
    for setting in inspect.signature(resolve_name(place)).parameters.values():
        if setting.name in ("nlp", "name") and registry in own:
            continue
        default = defaults.get(setting.name, setting.default)
        if setting.kind is setting.VAR_KEYWORD:
            continue
        if default is setting.empty:
            lines.append(f"# {setting.name} has to be given")
            continue
        try:
            lines.append(f"{setting.name} = {json.dumps(default, ensure_ascii=False)}")
        except TypeError:
            lines.append(f"# {setting.name} has a default that no config can write")
    return "\n".join(lines)


# --- the command line ---


def _cli_page() -> str:
    """The help of all commands."""
    group: Any = typer.main.get_group(cli.deid_app)
    context = group.make_context("python -m spacy deid", [], resilient_parsing=True)
    sections = ["# Command line\n", f"{group.help}\n"]
    for name in group.list_commands(context):
        sections += _command(group.get_command(context, name), name, context, 2)
    return "\n".join(sections)


def _command(command: Any, name: str, parent: Any, level: int) -> Iterator[str]:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"{'#' * level} {name}\n\n{_escape(inspect.cleandoc(command.help or ''))}\n"
    yield f"```\n{usage}\n```\n"
    records = [p.get_help_record(context) for p in command.get_params(context)]
    rows = [
        f"| <code>{_cell(option)}</code> | {_cell(text)} |"
        for option, text in filter(None, records)
        if option != "--help"
    ]
    if rows:
        yield "\n".join(["| argument or option | what |\n|---|---|", *rows, ""])
    for child in getattr(command, "commands", {}):
        yield from _command(command.commands[child], child, context, level + 1)


def _escape(text: str) -> str:
    return re.sub(r"([*\[\]])", r"\\\1", html.escape(text, quote=False))


def _cell(text: str) -> str:
    return " ".join(_escape(text).replace("|", "&#124;").split())
