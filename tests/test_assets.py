"""Corpora from their publishers' files: fetched by `spacy project assets`, held against
their checksums, and turned into JSON lines. The files are served on this machine, in the
layouts of the real ones; what they say is invented."""

import csv
import re
import runpy
import shutil
import sys
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
import spacy
import srsly

from .annotated import record
from .cases import cases

ROOT = Path(__file__).parents[1]
PROJECTS = (".", "projects/languages", "projects/utility")
DATA = "assets/data"
# Output, and its first documents.
EXPECTED = dict(cases(__file__, "expected"))


@pytest.fixture(scope="module")
def publishers(load_benchmark):
    return load_benchmark("publishers")


@pytest.fixture(scope="module")
def published(publishers, tmp_path_factory):
    """The mirror and the projects in an empty folder, pointed to it: all that is in the
    repository, and no data."""
    folder = tmp_path_factory.mktemp("published")
    for name in ("assets", "projects"):
        ignore = shutil.ignore_patterns("data", "sources", "encoder", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    shutil.copy(ROOT / "project.yml", folder)
    mirror = publishers.Mirror(publishers.PUBLISHED)
    mirror.serve_projects(folder)
    yield mirror, folder
    mirror.close()


@pytest.fixture(scope="module")
def assets():
    """What the projects fetch."""
    files = {folder: ROOT / folder / "project.yml" for folder in PROJECTS}
    return {f: srsly.read_yaml(file)["assets"] for f, file in files.items()}


@pytest.fixture
def mirror(published):
    mirror, _ = published
    files = dict(mirror.files)
    yield mirror
    mirror.files = files
    mirror.broken.clear()


@pytest.fixture
def project(published, tmp_path, monkeypatch):
    shutil.copytree(published[1], tmp_path, dirs_exist_ok=True)
    for name in ("spacy_deid", "configs", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep_assets(project, assets, mirror, *places):
    """Leave only these assets of the project above, and nothing else."""
    shutil.rmtree(project / "projects")
    found = [dict(a) for a in assets["."] if a["dest"].endswith(places)]
    for asset in found:
        mirror.serve(asset)
    srsly.write_yaml(project / "project.yml", {"assets": found})
    return found


@pytest.fixture
def prepare(project, monkeypatch, capfd):
    """`python assets/prepare.py`, in this process: its exit status and what it said."""

    def prepare(*outputs):
        script = project / "assets" / "prepare.py"
        paths = [f"{DATA}/{output}.jsonl" for output in outputs]
        monkeypatch.setattr(sys, "argv", [str(script), *paths])
        monkeypatch.syspath_prepend(script.parent)
        capfd.readouterr()
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as end:
            return end.code, capfd.readouterr().err
        return 0, capfd.readouterr().err

    yield prepare
    # Other tests have a module of this name from elsewhere.
    for name in [n for n in sys.modules if n.partition(".")[0] == "layouts"]:
        del sys.modules[name]


def read(project, output):
    return list(srsly.read_jsonl(project / DATA / f"{output}.jsonl"))


def surfaces(record):
    text = record["text"]
    return {
        (m["entity_type"], text[m["start_offset"] : m["end_offset"]])
        for m in record.get("entity_mentions", ())
    }


def table():
    lines = (ROOT / "assets/prepare.tsv").read_text("utf8").splitlines()
    rows = [line for line in lines if not line.startswith("#")]
    return list(csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE))


OUTPUTS = list(dict.fromkeys(row["output"] for row in table()))


def test_addresses_are_those_of_files_whose_content_is_known(publishers, assets):
    dests = []
    for folder, fetched in assets.items():
        for asset in fetched:
            place = (folder / Path(asset["dest"])).as_posix()
            if "url" not in asset:
                # To be copied by hand.
                assert "/data/" in place and "no one address" in asset["description"]
                assert not any(place.endswith(f"/{o}.jsonl") for o in OUTPUTS)
                continue
            dests.append(asset["dest"].partition("assets/sources/")[2])
            # One file at one commit: of a repository, or of its archive.
            path = asset["url"].partition("://")[2].split("/")
            if path[0] == "raw.githubusercontent.com":
                assert re.fullmatch(r"[0-9a-f]{40}", path[3]) and len(path) > 4
                assert ("checksum" in asset) != ("git_blob" in asset)
            elif path[0] == "codeload.github.com":
                assert path[3] == "zip" and re.fullmatch(r"[0-9a-f]{40}", path[4])
                assert asset["dest"].endswith(".zip")
                assert re.search("no checksum|as above", asset["description"])
            else:
                assert "checksum" in asset
    assert len(set(dests)) == len(dests)
    # Nothing is fetched in vain, and nothing read that is not fetched.
    specs = {s.partition(":")[0] for row in table() for s in row["files"].split()}
    assert set(dests) - {"tab/echr_test.json"} == specs == publishers.PUBLISHED.keys()


def test_everything_is_fetched_and_prepared(
    project, publishers, prepare, command, capfd
):
    for folder in PROJECTS:
        assert "Checksum" not in command("project", "assets", folder).output
    # By the command of the project, and what is left by hand.
    for said in ("documents", "nothing changed"):
        done = command("project", "run", "prepare", ".")
        assert said in done.output + capfd.readouterr().out
    assert prepare(*OUTPUTS) == (0, "")
    for output in OUTPUTS:
        records = read(project, output)
        assert records, output
        for made in records:
            for m in made.get("entity_mentions", ()):
                start, end = m["start_offset"], m["end_offset"]
                assert 0 <= start < end <= len(made["text"])
                assert m["span_text"] == made["text"][start:end]
            if output.startswith("raw/"):
                assert made["entity_mentions"] == []
                assert isinstance(made["name_like"], bool)
        if output in EXPECTED:
            wanted = [*map(record, EXPECTED[output])]
            for new, row in zip(records, wanted, strict=False):
                assert (new["text"], surfaces(new)) == (row["text"], surfaces(row))
            assert len(records) >= len(wanted)
    assert not list((project / DATA).rglob("*.part"))

    for output, at, said in cases(__file__, "details"):
        assert reduce(getitem, at, read(project, output)) == said, (output, at)
    for output, n in cases(__file__, "sizes"):
        assert len(read(project, output)) == n, output
    # All annotators of a document, each a record.
    first, second, third = (made["doc_id"] for made in read(project, "tab/train"))
    assert first == second != third
    # Documents to develop by are not trained on.
    lives = [read(project, f"wiki_biographies/{part}") for part in ("train", "dev")]
    assert lives[0][0]["entity_mentions"][0]["generalizations"]
    assert not {r["doc_id"] for r in lives[0]} & {r["doc_id"] for r in lives[1]}
    # Long texts are cut at the ends of lines, and nothing of them is lost.
    logs = [r["text"] for r in read(project, "raw/logs")]
    assert logs[0] == "one \ufffd" and max(map(len, logs)) <= 6000
    assert "\n".join(logs[1:]) == publishers.PUBLISHED["logs/apache_logs"].rstrip()
    # A text without sentences is not cut in a name.
    parts = read(project, "europeana_de/train_lft")
    assert [surfaces(r) for r in parts] == [{("PER", "Karl Ahn")}] * 2

    tables = read(project, "tables_chinook/train")
    seen = {r["doc_id"].split("-")[1] for r in tables if "Customer" in r["doc_id"]}
    assert seen == {"csv", "tsv", "semi", "pipe", "kv", "json", "sql"}
    for row in tables:
        people = {text for label, text in surfaces(row) if label == "PERSON"}
        quoted = "O''Dell" if "-sql-" in row["doc_id"] else "O'Dell"
        assert people == ({"Nils", quoted} if "Customer" in row["doc_id"] else set())

    # They are read by what comes next.
    files = [f"{name}:{DATA}/{name}/train.jsonl" for name in ("tab", "btc")]
    command("deid", "convert", *files, "corpus/train.spacy", "--strict")
    command("project", "run", "open-corpora", ".")
    # Corpora without one address are named and passed by.
    assert "acknowledgements/train.jsonl" in capfd.readouterr().err
    opened = list(srsly.read_jsonl(project / "corpus/open.jsonl"))
    assert {"gum", "litbank", "raw"} <= {r["doc_id"].split("/")[0] for r in opened}


def test_a_copy_on_disk_is_taken_as_it_is(project, prepare):
    """Without any publisher's file."""
    copy = project / DATA / "tab" / "train.jsonl"
    copy.parent.mkdir(parents=True)
    copy.write_text("mine", encoding="utf8")
    # What has no row in the table can only be a copy, and what is not fetched is named.
    code, err = prepare("tab/train", "mine/train", "tab/dev", "meddocan/dev")
    assert code == 1 and copy.read_text("utf8") == "mine"
    first, second, third = err.splitlines()
    assert "mine/train.jsonl" in first and "put a copy" in first
    assert "tab/echr_dev.json" in second and "spacy project assets" in second
    assert "projects/languages" in third
    assert [p for p in (project / DATA).rglob("*") if p.is_file()] == [copy]


@pytest.mark.parametrize("place,output,how", cases(__file__, "differing"))
def test_a_file_that_differs_is_not_left_in_place(
    project, assets, publishers, mirror, command, prepare, place, output, how
):
    files = [row["files"] for row in table() if row["output"] == output]
    places = [s.partition(":")[0] for f in files for s in f.split()]
    found = keep_assets(project, assets, mirror, *places)
    (asset,) = (a for a in found if a["dest"].endswith(place))
    path = asset["url"].removeprefix(mirror.address)
    content = mirror.files[path]
    if how == "interrupted":
        mirror.broken.add(path)
    elif how == "damaged":
        start, end = len(content) // 5, len(content) // 2
        wrong = bytes(255 - byte for byte in content[start:end])
        mirror.files[path] = content[:start] + wrong + content[end:]
    elif path.endswith(".json"):
        mirror.files[path] = content + b"\n"
    else:
        mirror.files[path] = publishers.pack({"x": "y"}, "anem", "")
    fetched = project / "assets/sources" / place
    # What is left of it is taken for the file by the next call.
    for _ in range(2):
        command("project", "assets", ".", code=None)
    assert fetched.exists() and fetched.read_bytes() != content
    code, err = prepare(output)
    assert code == 1
    (line,) = err.splitlines()
    assert place in line and "removed" in line and "spacy project assets" in line
    assert not fetched.exists()
    assert not [p for p in (project / DATA).rglob("*") if p.is_file()]

    mirror.files[path] = content
    mirror.broken.clear()
    command("project", "assets", ".")
    assert prepare(output) == (0, "") and read(project, output)


def test_files_in_another_layout_give_one_line(project, assets, mirror, prepare):
    """Nobody checks a file that no project names."""
    keep_assets(project, assets, mirror, "nothing")
    for place, content, output, said in cases(__file__, "other layouts"):
        file = project / "assets/sources" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="latin-1")
        code, err = prepare(output)
        assert code == 1
        (line,) = err.splitlines()
        assert output in line and said in line
    assert not [p for p in (project / DATA).rglob("*") if p.is_file()]


def test_selections_are_taken_as_they_are(project, command, shared_data, capfd):
    """A folder of copies that lies elsewhere; nothing is written to it."""
    before = sorted(shared_data.rglob("*"))
    command("project", "run", "prepare", ".", "--vars.data", shared_data)
    assert capfd.readouterr().out.count("taken as it is") == 15
    assert sorted(shared_data.rglob("*")) == before


def test_raw_texts_are_gathered_cut_and_without_those_held_out(tmp_path):
    main = runpy.run_path(str(ROOT / "assets" / "gather_texts.py"))["main"]
    texts = [f"Line {i} of the text.\n" * 30 for i in range(20)]
    srsly.write_jsonl(tmp_path / "a.jsonl", [{"text": text} for text in texts])
    srsly.write_jsonl(tmp_path / "held.jsonl", [{"text": texts[3]}])
    (tmp_path / "b.txt").write_text("Alone.")
    out = tmp_path / "out.jsonl"
    paths = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.txt")]
    main([str(out), *paths, "--leave-out", str(tmp_path / "held.jsonl")])
    whole = [record["text"] for record in srsly.read_jsonl(out)]
    assert whole == [*texts[:3], *texts[4:], "Alone."]
    main([str(out), *paths, "--longest", "100", "--most", "1000"])
    pieces = list(srsly.read_jsonl(out))
    of_a = [r["text"] for r in pieces if r["corpus"].endswith("/a")]
    assert all(len(text) <= 100 for text in of_a) and 1000 < sum(map(len, of_a)) <= 1100
    assert any("Line 0 " not in text for text in of_a)
    assert pieces[-1] == {"corpus": pieces[-1]["corpus"], "text": "Alone."}


def test_the_mean_of_two_recognizers_and_what_both_know(tmp_path):
    average = runpy.run_path(str(ROOT / "assets" / "average_weights.py"))["main"]
    for name, value in (("one", 1.0), ("two", 4.0)):
        nlp = spacy.blank("en")
        nlp.add_pipe("pii_ner").add_label("PERSON")
        nlp.initialize()
        output = nlp.get_pipe("pii_ner").model.get_ref("output_layer")
        output.set_param("b", output.get_param("b") * 0 + value)
        nlp.to_disk(tmp_path / name)
    average(*(str(tmp_path / name) for name in ("out", "one", "two")))
    model = spacy.load(tmp_path / "out").get_pipe("pii_ner").model
    assert (model.get_ref("output_layer").get_param("b") == 2.5).all()
    nlp.get_pipe("pii_ner").cfg["labels"][:] = ["CODE"]
    nlp.to_disk(tmp_path / "other")
    with pytest.raises(SystemExit, match="different labels"):
        average(*(str(tmp_path / name) for name in ("no", "one", "other")))
    # One annotator alone is not believed; of two that agree the second has the bounds.
    agreed = runpy.run_path(str(ROOT / "assets" / "agreed.py"))["agreed"]

    def mention(start, end, label):
        return {"start_offset": start, "end_offset": end, "entity_type": label}

    known = [mention(0, 4, "LOC"), mention(6, 9, "PER"), mention(20, 24, "NUM")]
    found = [mention(0, 9, "ORG"), mention(12, 15, "PER"), mention(20, 24, "ORG")]
    made = {tuple(m.values()) for m in agreed(known, found)}
    assert made == {(0, 9, "ORG"), (12, 15, "?"), (20, 24, "ORG"), (20, 24, "NUM")}
    made = {tuple(m.values()) for m in agreed(known[:2], [])}
    assert made == {(0, 4, "?"), (6, 9, "?")}
