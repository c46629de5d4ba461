"""The documentation: pages, what they show, and the hooks that make a site of them.

`.ci/run` builds the site strictly: no link may be broken, nothing asked of another host.
"""

import re
from pathlib import Path

import pytest
import typer
from spacy.util import registry

from spacy_deid import cli, data
from spacy_deid.label_schemes import make_label_scheme

from .cases import cases
from .scripts import load_script

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
# Pages whose programs run as they are; that of tables.md is run by test_tables.py.
SHOWN = ("faq.md", "migration.md")


def load(name):
    """A hook of the site."""
    pytest.importorskip("mkdocs", reason="the extra docs")
    return load_script(DOCS / "hooks" / f"{name}.py")


def commands():
    """Commands and their options, by what is typed."""
    group = typer.main.get_group(cli.deid_app)
    context = group.make_context("deid", [], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield name, command
        for child, sub in getattr(command, "commands", {}).items():
            yield f"{name} {child}", sub


@pytest.mark.parametrize("name", SHOWN)
def test_programs_of_the_pages_run(name):
    text = (DOCS / name).read_text("utf8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) > 3
    functions = registry.deid_strategies.functions
    before = {*functions}
    try:
        for block in blocks:
            exec(compile(block, name, "exec"), {})
    finally:
        for added in functions.keys() - before:
            del functions[added]


def test_programs_and_entities_of_the_page_for_presidio():
    text = (DOCS / "migration.md").read_text("utf8")
    blocks = re.findall(r"^```python presidio\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) == 2 and all(compile(b, "presidio", "exec") for b in blocks)
    table = text.partition("## Entities")[2]
    rows = re.findall(r"^\| ([A-Z]+) \| ([A-Z_]*) ?\| (`.*`) \|$", table, re.M)
    told = {e: (t, s) for t, s, names in rows for e in re.findall(r"`(\w+)`", names)}
    scheme = make_label_scheme("presidio")
    assert told == {label: target for label, target in scheme.forward.items() if target}


def test_every_page_is_in_the_navigation_and_its_commands_exist():
    known = {}
    for name, command in commands():
        options = (o for p in command.params for o in p.opts + p.secondary_opts)
        known[name] = {"--help", *options}
    seen = set()
    for path in (*PAGES, ROOT / "README.md"):
        text = path.read_text("utf8").replace("\\\n", " ")
        for words in re.findall(r"python -m spacy deid ([^\n`|]+)", text):
            name = " ".join(re.findall(r"[\w-]+", words)[:2])
            name = name if name in known else name.split()[0]
            assert name in known, f"{path.name}: {words}"
            seen.add(name)
            for option in re.findall(r"(?<!\S)--[a-z][a-z-]+", words):
                assert option in known[name], f"{path.name}: {name} {option}"
    assert len(seen) > 10
    nav = (ROOT / "mkdocs.yml").read_text("utf8").partition("\nnav:")[2]
    named = re.findall(r"[\w/]+\.md", nav)
    assert len(named) == len(set(named))
    notebooks = (path.stem for path in (DOCS / "notebooks").glob("*.ipynb"))
    made = {"reference/cli.md", *(f"notebooks/{name}.md" for name in notebooks)}
    outside = {n for n in named if n.startswith("outside/")}
    assert all((ROOT / n.removeprefix("outside/")).is_file() for n in outside)
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES}
    assert set(named) - made - outside == pages


def test_the_reference_has_every_registered_function_command_and_option():
    pages = load("reference")._registry_pages()
    rows = [(r["registry"], r["name"], r["place"]) for r in data.table("registered")]
    rows.append(("factories", "risk_scorer", "spacy_deid.risk_scorer:make_risk_scorer"))
    place = "spacy_deid.evaluation.span_scores:SpanScorer"
    rows.append(("scorers", "spacy_deid.span_scorer.v1", place))
    for kind, name, place in rows:
        assert f"::: {place.replace(':', '.')}\n" in pages[f"{kind}.md"]
        # What it does in a line, from its docstring.
        told = rf"\[{re.escape(name)}\]\({kind}\.md#{re.escape(name)}\) \| {kind} \| \w.{{9}}"
        assert re.search(told, pages["index.md"]), name
    # Its settings with their defaults, as a config would have them.
    redact = '@deid_strategies = "spacy_deid.redact.v1"\nmark = "***"\n'
    assert redact in pages["deid_strategies.md"]
    assert "threshold = 0." in pages["factories.md"]
    assert "# label has to be given\n" in pages["deid_patterns.md"]
    page = load("reference")._cli_page()
    for name, command in commands():
        assert re.search(rf"(?m)^#+ {name.split()[-1]}$", page), name
        for parameter in command.params:
            for option in parameter.opts:
                assert not option.startswith("--") or option in page, option


def test_our_docstrings_are_read():
    griffe = pytest.importorskip("griffe", reason="the extra docs")
    code = (
        "def find(text: str, *, low: int = 0, high: int = 9, **rest: int) -> list[str]:\n"
        '    """Find things.\n\n'
        "    Note: not an argument.\n\n"
        "    text (str): What to read,\n"
        "        in one piece.\n"
        "    low, high, **rest (int): Bounds.\n"
        "    RETURNS (list[str]): What was found.\n"
        "    RAISES (ValueError): If nothing\n"
        '        was."""\n'
        "    return []\n"
    )
    extensions = griffe.load_extensions(load("docstrings").ExplosionStyle())
    style = {"docstring_parser": "google", "extensions": extensions}
    style["docstring_options"] = {"returns_named_value": False}
    files = {"__init__.py": code}
    with griffe.temporary_visited_package("pkg", files, **style) as package:
        text, arguments, returns, raises = package["find"].docstring.parsed
    assert text.value == "Find things.\n\nNote: not an argument."
    told = {a.name: (str(a.annotation), a.description) for a in arguments.value}
    bounds = dict.fromkeys(("low", "high", "**rest"), ("int", "Bounds."))
    assert told == {"text": ("str", "What to read,\nin one piece."), **bounds}
    assert returns.value[0].description == "What was found."
    assert str(raises.value[0].annotation) == "ValueError"


def test_parts_of_other_files_are_shown_and_no_other_host_is_asked():
    for code, asked in cases(__file__, "hosts"):
        assert bool(list(load("offline").foreign(code))) == asked, code
    outside = load("outside")
    part = "A\n\n<!-- part docs/profiles.md#The profiles -->"
    shown = outside._with_parts("docs/models/x.md", part)
    assert "hipaa_safe_harbor" in shown and "A table of your own" not in shown
    part = "<!-- part README.md#How well it works -->"
    shown = outside._with_parts("docs/x.md", part)
    # A link is led from where the part is shown.
    assert "](../docs/results.md)" in shown and "Limits" not in shown
    table = outside._with_parts("docs/x.md", "<!-- sources assets/es_deid_sm.json -->")
    assert "MEDDOCAN" in table and "CC BY 4.0" in table
    with pytest.raises(ValueError, match="no section 'None such'"):
        outside._with_parts("docs/x.md", "<!-- part README.md#None such -->")
