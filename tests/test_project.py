"""project.yml, configs, README and wheel: what is said is there, and it works."""

import json
import os
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.schemas import ConfigSchemaInit, ConfigSchemaTraining
from spacy.util import load_config, load_model, load_model_from_config, registry
from thinc.api import Config
from weasel.schemas import ProjectConfigSchema
from weasel.util import load_project_config

import spacy_deid.cli

from .gazetteers.world import entity, statement, to_dump

ROOT = Path(__file__).parents[1]
CONFIGS = sorted((ROOT / "configs").glob("*.cfg"))
EMBEDDED = Path(spacy_deid.__file__).parent / "pipelines" / "en_deid_sm"
# Made by the workflow's own commands, or fetched.
MADE = ("corpus/", "training/", "metrics/", "packages", "assets/data/",
        "assets/encoder", "assets/wikidata/")  # fmt: skip
PROJECTS = [ROOT, *sorted(p.parent for p in (ROOT / "projects").glob("*/project.yml"))]
# Variables that name any number of files.
LISTS = ("texts", "gold", "gold_train")
# Configs take parts of one pipeline, and what is in their weights doesn't matter.
load_once = cache(load_model)


@pytest.fixture(scope="module", params=PROJECTS, ids=lambda p: p.name)
def project(request):
    return {**load_project_config(request.param), "folder": request.param}


@pytest.fixture(scope="module")
def readme():
    return (ROOT / "README.md").read_text("utf8")


def from_root(project, path):
    """A path of a project as one from the root of the repository."""
    return Path(os.path.relpath(project["folder"] / path, ROOT)).as_posix()


def test_project_is_valid_and_every_command_says_what_it_needs_and_makes(project):
    for command in project["commands"]:
        assert command["help"], command["name"]
        assert command["deps"], command["name"]
        made = [*command.get("outputs", ()), *command.get("outputs_no_cache", ())]
        assert made, command["name"]
        # A reference alone before another becomes one string with it when it is read.
        assert not any(", " in path for path in (*command["deps"], *made))
        for line in command["script"]:
            # weasel runs no shell: none of these would do what it looks like.
            assert not re.search(r"[|&;<>*?`](?![0-9:])|\$\(", line), line
            assert line.startswith("python "), line
    # Unlike `load_project_config`, as it stands in the file.
    read = srsly.read_yaml(project["folder"] / "project.yml")
    ProjectConfigSchema.model_validate(read)
    names = [command["name"] for command in project["commands"]]
    assert len(set(names)) == len(names)
    for steps in project.get("workflows", {}).values():
        assert set(steps) <= set(names)


def outputs(project):
    for command in project["commands"]:
        for path in command.get("outputs", ()):
            yield from_root(project, path)


def reads(project, command):
    """Files that a command needs, from the root: its deps, and what its lines name of
    texts that no deps can name."""
    yield from (from_root(project, path) for path in command["deps"])
    values = " ".join(str(project["vars"].get(name, "")) for name in LISTS).split()
    for line in command["script"]:
        if "assets/prepare.py" not in line:
            yield from (from_root(project, v) for v in values if v in line.split())


def prepares(project, command):
    """Files that a command makes of those that publishers have."""
    table = (ROOT / "assets" / "prepare.tsv").read_text("utf8")
    for line in command["script"]:
        if "assets/prepare.py" in line:
            for word in re.findall(r"[\w.\-/]+\.jsonl", line):
                output = "/".join(word.removesuffix(".jsonl").split("/")[-2:])
                if f"\n{output}\t" in table:
                    yield from_root(project, word)


def test_workflows_start_from_an_empty_folder(project):
    """All that a step reads is in the repository, or made by a step before; what
    publishers have is fetched as an asset."""
    above = load_project_config(ROOT)
    commands = {command["name"]: command for command in project["commands"]}
    for name, workflow in project.get("workflows", {}).items():
        there = {asset["dest"] for asset in above["assets"] if "url" in asset}
        if project["folder"] != ROOT:
            # They go on from what the project above makes.
            there.update(outputs({**above, "folder": ROOT}))
        for step in workflow:
            there.update(prepares(project, commands[step]))
            for path in reads(project, commands[step]):
                if path.startswith(MADE):
                    assert path in there, f"{name}, {step}: nothing makes {path}"
                else:
                    assert (ROOT / path).exists(), f"{step}: {path} is not there"
            made = commands[step].get("outputs", ())
            there.update(from_root(project, path) for path in made)
    for command in commands.values():
        for path in command["deps"]:
            dep = from_root(project, path)
            assert dep.startswith(MADE) or (ROOT / dep).exists(), dep


def test_every_workflow_is_checked_from_an_empty_folder(load_benchmark, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    checked = load_benchmark("empty_folder").WORKFLOWS
    for folder in PROJECTS:
        workflows = load_project_config(folder).get("workflows", {})
        name = folder.relative_to(ROOT).as_posix()
        called = {workflow.split()[0] for workflow in checked.get(name, ())}
        assert called == set(workflows)


def test_commands_name_their_files_and_are_in_the_guide(project):
    """A file that a script reads or runs and does not name goes stale unnoticed."""
    # Texts are whatever a variable names, an encoder may be a name.
    named = [project["vars"].get(v, "") for v in ("data", "encoder", *LISTS)]
    named = " ".join(named).split()
    for command in project["commands"]:
        known = [*command["deps"], *command.get("outputs", ())]
        known += command.get("outputs_no_cache", ())
        for line in command["script"]:
            for word in re.findall(r"[\w.\-]+(?:/[\w.\-]+)+", line):
                # A script may be given a folder and its deps be the files in it; a
                # fraction is no path.
                if word in (*named, "../..") or re.fullmatch(r"[\d/]+", word):
                    continue
                named_so = [k for k in known if word == k or k.startswith(word)]
                assert named_so, f"{command['name']}: {word}"
    # The guide has them as `spacy project document . --output GUIDE` writes them.
    folder = project["folder"]
    guide = folder / ("docs/project.md" if folder == ROOT else "README.md")
    rows = re.findall(r"(?m)^\| `([\w-]+)` \| (.*) \|$", guide.read_text("utf8"))
    told = {c["name"]: c["help"] for c in project["commands"]}
    for name, steps in project.get("workflows", {}).items():
        told[name] = " &rarr; ".join(f"`{step}`" for step in steps)
    assert dict(rows) == told


def test_variables_can_be_overridden(project):
    """Those in use, which those of the help texts are among: a command takes the value
    given, and neither asks for the default nor writes it."""
    written = srsly.read_yaml(project["folder"] / "project.yml")
    for command in written["commands"]:
        for name in re.findall(r"--vars\.(\w+)", command["help"]):
            assert name in written["vars"], f"{command['name']}: {name}"
    overrides = {f"vars.{name}": f"given/{name}/value" for name in written["vars"]}
    other = load_project_config(project["folder"], overrides=overrides)
    for name, default in written["vars"].items():
        pairs = zip(written["commands"], other["commands"])
        used = f"${{vars.{name}}}"
        users = [p for p in pairs if used in json.dumps([p[0]["script"], p[0]["deps"]])]
        assert users, f"nothing reads {name}"
        for before, after in users:
            assert f"given/{name}/value" in json.dumps(after)
            for path in (*before["deps"], *before.get("outputs", ())):
                fixed = path == default or path.startswith(f"{default}/")
                assert not fixed, f"{before['name']}: {path} stays"


def test_documents_name_variables_that_there_are():
    """`project run COMMAND . --vars.NAME VALUE` in the guides."""
    known = {}
    for folder in PROJECTS:
        config = srsly.read_yaml(folder / "project.yml")
        names = [c["name"] for c in config["commands"]]
        known |= dict.fromkeys([*names, *config.get("workflows", ())], config["vars"])
    found = []
    for file in (*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"):
        for line in re.findall(r"project run .*--vars\..*", file.read_text("utf8")):
            command = line.split()[2]
            for name in re.findall(r"--vars\.(\w+)", line):
                found.append(name)
                assert name in known[command], f"{file.name}: {command}, {name}"
    assert found


def test_overrides_of_the_help_texts_run(command, tmp_path):
    """`gazetteer-dump . --vars.dump FILE` and `train-trf . --vars.encoder NAME`; and the
    paths of a project below the top are right."""
    for folder in ("gazetteers", "transformer"):
        shutil.copytree(ROOT / "projects" / folder, tmp_path / "projects" / folder)
    (tmp_path / "spacy_deid").symlink_to(ROOT / "spacy_deid")
    dump = tmp_path / "elsewhere.json"
    award = [statement("P31", "Q5"), statement("P166", "Q9")]
    entities = [entity("Q7", claims=award), entity("Q9", {"en": ["Order of Merit"]})]
    dump.write_bytes(to_dump(map(json.dumps, entities)))
    folder = tmp_path / "projects"
    run = ("project", "run")
    command(*run, "gazetteer-dump", folder / "gazetteers", "--vars.dump", dump)
    terms = srsly.read_jsonl(tmp_path / "corpus" / "terms_dump.jsonl")
    assert "Order of Merit" in {term["term"] for term in terms}
    given = ("--dry", "--vars.encoder", "roberta-base")
    done = command(*run, "train-trf", folder / "transformer", *given)
    assert "--paths.encoder roberta-base" in done.output
    assert "assets/encoder" not in done.output


def read(path):
    """A config whose trained parts come from the embedded pipeline."""
    parts = {"ner", "detectors", "risk"} & set(load_config(path).get("paths", {}))
    overrides = {f"paths.{name}": str(EMBEDDED) for name in parts}
    return load_config(path, overrides=overrides).interpolate()


def references(config):
    for key, value in config.items():
        if isinstance(key, str) and key.startswith("@"):
            yield key[1:], value
        if isinstance(value, dict):
            yield from references(value)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.name)
def test_config_fills_and_validates(path, monkeypatch):
    monkeypatch.setattr(spacy.util, "load_model", lambda name, **_: load_once(name))
    config = read(path)
    named = list(references(config))
    assert named and [row for row in named if not registry.has(*row)] == []
    if any("ransformer" in name for _, name in named):
        pytest.importorskip("spacy_transformers", reason="the extra transformers")
    nlp = load_model_from_config(config, auto_fill=True, validate=True)
    assert nlp.pipe_names == config["nlp"]["pipeline"]
    # Complete: nothing has to be filled in again.
    filled = nlp.config.interpolate()
    load_model_from_config(filled, auto_fill=False, validate=True)
    registry.resolve(filled["initialize"], schema=ConfigSchemaInit)
    if "training" in config:
        training = registry.resolve(filled["training"], schema=ConfigSchemaTraining)
        assert training["train_corpus"] and training["dev_corpus"]
        assert any(weight for weight in training["score_weights"].values())
        registry.resolve({"corpora": filled["corpora"]})


def code_blocks(readme, language):
    return re.findall(rf"^```{language}\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)


def test_programs_and_configs_of_the_readme_run(readme, capsys, monkeypatch):
    blocks = code_blocks(readme, "python")
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "Murray" not in out.splitlines()[0] and "[DATETIME" in out
    monkeypatch.setenv("SPACY_DEID_KEY", "a key for this test")
    blocks = code_blocks(readme, "ini")
    assert blocks
    for block in blocks:
        nlp = load_model_from_config(Config().from_str(block), auto_fill=True)
        doc = nlp("Her SSN is 219-09-9999; ask about Project Nightjar.")
        assert "219-09-9999" not in doc._.deid_text
        assert "Nightjar" not in doc._.deid_text


def test_commands_of_the_readme_run(readme, command, tmp_path, monkeypatch):
    """But for the two that set everything up, which are run on a fresh machine."""
    blocks = [b for b in code_blocks(readme, "bash") if "-m venv" not in b]
    assert blocks
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    for line in "".join(blocks).splitlines():
        name, words = re.fullmatch(r"(?:export (\w+)=\$\()?(.*?)\)?", line).groups()
        python, *words = shlex.split(words)
        assert (python, words[:2]) == ("python", ["-m", "spacy"]), line
        done = command(*words[2:])
        if name:
            monkeypatch.setenv(name, done.stdout.strip())
    letter = (ROOT / "assets" / "samples" / "letter.txt").read_text("utf8")
    assert (tmp_path / "originals" / "letter.txt").read_text("utf8") == letter
    assert srsly.read_json(tmp_path / "metrics.json")["entity_recall_direct"] > 0.5


def test_files_and_names_of_the_readme_exist(readme):
    folders = "spacy_deid|configs|assets|benchmarks"
    for path in re.findall(rf"`((?:{folders})/[^`\s]+)`", readme):
        # The corpora are put there by whoever trains.
        made = ("assets/data", "assets/wikidata")
        assert (ROOT / path).exists() or path.startswith(made), path
    for path, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", readme):
        assert not path or (ROOT / path).exists(), path
        text = (ROOT / path).read_text("utf8") if heading and path else readme
        headings = re.findall(r"^#+ (.*)", text, re.M)
        slugs = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
        assert not heading or heading in slugs, heading
    for kind, name in re.findall(r'"@(\w+)": "(spacy_deid\.[\w.]+)"', readme):
        assert registry.has(kind, name), name
