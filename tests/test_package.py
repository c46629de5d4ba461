"""The package as a whole: entry points, import cost, shipped files."""

import configparser
import json
import re
import runpy
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name

import pytest
import spacy
import srsly
from catalogue import REGISTRY, RegistryError

import spacy_deid
from spacy_deid import data
from spacy_deid.registries import registry

ROOT = Path(__file__).parents[1]
HEAVY = (
    "torch transformers faker phonenumbers stdnum sklearn pandas polars pyarrow pyspark "
    "datasets"
).split()


def run_python(code: str) -> str:
    return subprocess.check_output([sys.executable, "-c", code], text=True).strip()


def own() -> list[tuple[str, str, str]]:
    """What the package's own registries hold, as entry points would be written."""
    rows = data.table("registered")
    return [(f"spacy_{r['registry']}", r["name"], r["place"]) for r in rows]


def declared() -> list[tuple[str, str, str]]:
    parser = configparser.ConfigParser()
    parser.optionxform = str
    parser.read(ROOT / "setup.cfg", encoding="utf8")
    groups = parser["options.entry_points"].items()
    groups = [(group, rows.strip().split("\n")) for group, rows in groups]
    lines = [(group, line) for group, rows in groups for line in rows]
    return [(group, *map(str.strip, line.split("=", 1))) for group, line in lines]


def test_every_entry_point_is_installed_and_loads():
    for group, name, value in declared():
        (point,) = [p for p in entry_points(group=group) if p.name == name]
        assert point.value == value
        assert callable(point.load()) or group in ("spacy_cli", "spacy_displacy_colors")


def test_every_registered_name_is_found_by_spacy_as_the_table_has_it():
    for group, name, _ in (*declared(), *own()):
        if group == "spacy_factories":
            assert spacy.blank("en").has_factory(name)
        elif group not in ("spacy_cli", "console_scripts"):
            assert registry.has(group.removeprefix("spacy_"), name), name
            # Language packs are found by the codes of their languages.
            languages = group == "spacy_deid_languages"
            assert len(name) == 2 if languages else name.startswith("spacy_deid")
    for group, name, value in own():
        kind = getattr(registry, group.removeprefix("spacy_"))
        assert kind.get(name) is resolve_name(value) is kind.get_all()[name], name
        assert name in kind and kind.find(name)["module"]


def test_what_users_register_stays_in_its_registry_and_is_used():
    before = dict(REGISTRY)
    registry.deid_strategies("test_spacy_deid.mine.v1")(run_python)
    assert registry.deid_strategies.get("test_spacy_deid.mine.v1") is run_python
    assert before == REGISTRY
    with pytest.raises(RegistryError, match="none_such"):
        registry.deid_strategies.get("none_such")

    class Mine:
        pass

    def pack(obj, chain=None):
        return "mine" if isinstance(obj, Mine) else chain(obj) if chain else obj

    assert srsly.msgpack_loads(srsly.msgpack_dumps([1])) == [1]
    for registered in (pack, lambda obj, chain=None: "other"):
        srsly.msgpack_encoders("test_spacy_deid.mine", func=registered)
        name = "mine" if registered is pack else "other"
        assert srsly.msgpack_loads(srsly.msgpack_dumps(Mine())) == name
    for key in [key for key in REGISTRY if key[-1] == "test_spacy_deid.mine"]:
        del REGISTRY[key]
    srsly.msgpack_encoders.known = None


def test_every_registered_name_is_named_in_a_test():
    """A name that no test mentions is a name that nothing checks."""
    files = [p for p in (ROOT / "tests").rglob("*") if p.suffix in (".py", ".tsv")]
    tests = "\n".join(path.read_text("utf8") for path in files)
    for group, name, value in [*declared(), *own()]:
        # By its full name, its short one ("redact"), its module's or the function's.
        module, _, function = value.partition(":")
        names = [name, function]
        if name.count(".") == 2:
            names.append(f'"{name.split(".")[1]}"')
        if group == "spacy_deid_patterns":
            names.append(f"patterns.{module.rpartition('.')[2]} ")
            # Or a row of a table is of the family.
            names.append(f"\n{name.split('.')[1].removesuffix('_patterns')}\t")
        assert any(n in tests for n in names), name


def test_import_has_no_side_effects_and_brings_nothing_heavy():
    out = run_python(
        "import spacy, sys\n"
        "from spacy.tokens import Doc, Span\n"
        "import warnings, logging\n"
        "filters, handlers = list(warnings.filters), list(logging.root.handlers)\n"
        "before = set(sys.modules)\n"
        "import spacy_deid\n"
        "assert warnings.filters == filters and logging.root.handlers == handlers\n"
        "assert not Doc.has_extension('deid_text') and not Span.has_extension('risk')\n"
        "print(sorted(m for m in set(sys.modules) - before if '.' not in m))\n"
        "nlp = spacy.blank('en')\n"
        # Other plug-ins of spaCy on this machine may import what they like.
        "others = {'presidio_analyzer', 'spacy_transformers'} & set(sys.modules)\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules and not others])"
    )
    assert out.splitlines() == ["['spacy_deid']", "[]"]


def test_load_prefers_the_users_own_path(tmp_path):
    nlp = spacy.blank("en")
    nlp.meta["name"] = "mine"
    nlp.to_disk(tmp_path / "en_deid_sm")
    assert spacy_deid.load(str(tmp_path / "en_deid_sm")).meta["name"] == "mine"
    with pytest.raises(OSError, match="no_such_pipeline"):
        spacy_deid.load("no_such_pipeline")


def test_embedded_pipeline_is_small_and_says_where_it_comes_from():
    folder = Path(spacy_deid.__file__).parent / "pipelines" / "en_deid_sm"
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) < 12_000_000
    meta = json.loads((folder / "meta.json").read_text("utf8"))
    pipes = ["pii_gazetteer", "pii_ner", "risk_scorer", "pseudonymizer"]
    assert meta["pipeline"] == pipes
    assert any(r.startswith("spacy-deid") for r in meta["requirements"])
    assert (meta["lang"], meta["name"]) == ("en", "deid_sm")
    assert meta["license"] and all(s["name"] and s["license"] for s in meta["sources"])


def test_readme_ci_and_citation_agree():
    readme = (ROOT / "README.md").read_text("utf8")
    assert sum("bin/pytest" in line for line in readme.splitlines()) == 1
    assert "grep -m1 'bin/pytest' README.md" in (ROOT / ".ci" / "run").read_text("utf8")
    citation = srsly.read_yaml(ROOT / "CITATION.cff")
    assert citation["version"] == spacy_deid.__version__
    assert citation["license"] == "MIT"


def test_the_long_description_has_no_links_into_the_repository(monkeypatch):
    """They lead nowhere on the page of a package index."""
    setuptools = pytest.importorskip("setuptools", reason="reads setup.py")
    given = {}
    monkeypatch.setattr(setuptools, "setup", given.update)
    runpy.run_path(str(ROOT / "setup.py"))
    text = given["long_description"]
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links and all(link.startswith("https://") for link in links)
    assert "profiles and orders" in text.lower() and "```python" in text
