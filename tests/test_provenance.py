"""A pipeline says what it was made of, and a check says what has changed."""

import hashlib
import runpy
import shutil
import subprocess
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
import spacy
import srsly

from spacy_deid import provenance
from spacy_deid.about import __version__
from spacy_deid.assemble import main as assemble
from spacy_deid.pii_gazetteer import PATTERNS
from spacy_deid.provenance import hash_path, source_commit, versions

from .cases import cases

ROOT = Path(__file__).parents[1]
FILES = [("b.txt", "two"), ("a/c.txt", "three"), ("a.txt", "one"), ("ß.txt", "four")]
EMBEDDED = ROOT / "spacy_deid" / "pipelines" / "en_deid_sm"


def write(folder, files):
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf8")
    return folder


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_files_and_folders_are_hashed(tmp_path, monkeypatch):
    monkeypatch.setattr(provenance, "_BLOCK", 3)
    (tmp_path / "x").write_bytes(b"0123456789")
    assert hash_path(tmp_path / "x") == sha256("0123456789")
    one = hash_path(write(tmp_path / "one", FILES))
    assert hash_path(write(tmp_path / "other", FILES[::-1])) == one
    # What a machine adds by itself is none of it.
    write(tmp_path / "other", [(".DS_Store", "x"), ("a/.cache/y", "z")])
    assert hash_path(tmp_path / "other") == one
    for name, text in {"b.txt": "2", "new.txt": "", "a/b": "two"}.items():
        folder = write(tmp_path / f"changed-{text}", [*FILES, (name, text)])
        assert hash_path(folder) != one
    lines = [f"{sha256(text)}  {name}\n" for name, text in sorted(FILES)]
    assert one == sha256("".join(lines))
    (tmp_path / "empty").mkdir()
    for name in ("empty", "nowhere"):
        with pytest.raises(ValueError, match=f"{name}: no such file"):
            hash_path(tmp_path / name)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a package in it, taken for this one."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path / "source"
    files = [("setup.cfg", ""), ("spacy_deid/a.py", ""), ("spacy_deid/pipelines/m", "")]
    write(folder, files)
    monkeypatch.setattr(provenance, "ROOT", folder)

    def git(*args):
        somebody = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(folder), *somebody, *args]
        return subprocess.check_output(command, text=True).strip()

    for args in ("init -q", "add .", "commit -q -m one"):
        git(*args.split())
    return folder, git


def test_source_is_told_by_its_commit(repository):
    folder, git = repository
    commit = git("rev-parse", "HEAD")
    assert source_commit() == commit and len(commit) == 40
    # A pipeline that is put into the package is made by the source, and no part of it.
    write(folder, [("spacy_deid/pipelines/m", "new")])
    assert source_commit() == commit
    write(folder, [("spacy_deid/a.py", "x = 1")])
    assert source_commit() == f"{commit}-dirty"
    git("checkout", "-q", "--", ".")
    assert source_commit() == commit
    write(folder, [("spacy_deid/b.py", "x = 1")])
    assert source_commit() == f"{commit}-dirty"


def test_source_without_a_repository_is_told_by_its_version(repository, monkeypatch):
    folder, _ = repository
    # An environment within a repository of somebody else's.
    installed, nothing = folder / "env" / "site-packages", folder.parent / "nothing"
    write(installed, [("spacy_deid/a.py", "")])
    nothing.mkdir()
    for root in (installed, nothing, folder):
        monkeypatch.setattr(provenance, "ROOT", root)
        if root is folder:
            # Nor without git.
            monkeypatch.setenv("PATH", "")
        assert source_commit() == f"spacy-deid {__version__}"


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """Config of a pipeline that needs no training."""
    nlp = spacy.blank("en")
    config = {"terms": None, "patterns": dict.fromkeys(PATTERNS)}
    nlp.add_pipe("pii_gazetteer", config=config)
    path = tmp_path_factory.mktemp("rules") / "rules.cfg"
    nlp.config.to_disk(path)
    return str(path)


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "patients of Dr Quillfeather", FILES)


def options(data):
    return [f"--data=notes/b={data / 'b.txt'}", f"--data=notes={data}"]


def meta_of(folder):
    return srsly.read_json(folder / "meta.json")


def test_meta_says_what_was_given(rules, data, tmp_path, check, capsys):
    out, again = tmp_path / "out", tmp_path / "again"
    settings = ["--var", "steps=700", "--var", f"teacher={data}", "--var", "share=0.30"]
    assert assemble([rules, str(out), *options(data), *settings]) == 0
    found = meta_of(out)["provenance"]
    assert found["data"] == {"notes": hash_path(data), "notes/b": sha256("two")}
    assert found["vars"] == {"steps": "700", "teacher": data.name, "share": "0.30"}
    assert (found["commit"], found["versions"]) == (source_commit(), versions())
    assert found["versions"]["spacy"] == spacy.__version__
    assert {"python", "thinc", "numpy", "spacy-deid"} <= set(found["versions"])
    # But where the files were on this machine.
    assert str(tmp_path) not in (out / "meta.json").read_text("utf8")
    # It stays when scores are added, and when the pipeline is copied.
    assert assemble([str(out), str(again)]) == 0
    assert meta_of(again)["provenance"] == found
    assert spacy.load(again).meta["provenance"] == found
    # Nothing is said of what was not given.
    assert assemble([rules, str(tmp_path / "bare")]) == 0
    assert "provenance" not in meta_of(tmp_path / "bare")
    for name in ("bare", "nowhere"):
        assert check([str(tmp_path / name)]) == 1
    err = capsys.readouterr().err
    assert "assemble it with --data" in err and err.count("\n") == 2


def test_bad_options_are_one_line(rules, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(write(tmp_path, [("setup.cfg", "")]))
    for given, message in cases(__file__, "options"):
        assert assemble([rules, str(tmp_path / "out"), *given.split()]) == 1
        err = capsys.readouterr().err
        assert message in err and err.count("\n") == 1
        assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def check():
    return runpy.run_path(str(ROOT / "assets" / "check_pipeline.py"))["main"]


@pytest.fixture(scope="module")
def twins(rules, tmp_path_factory):
    """Folder of two pipelines that the same commands made, with scores."""
    folder = tmp_path_factory.mktemp("twins")
    data = options(write(folder / "data", FILES))
    scores = folder / "scores.json"
    srsly.write_json(scores, {"f1": 0.8, "per_type": {"LOC": {"recall": 0.5}}})
    for name in ("one", "other"):
        parts = ["--var", "steps=7", "--metrics", f"dev={scores}"]
        assert assemble([rules, str(folder / name), *data, *parts]) == 0
    return folder


@pytest.fixture
def made(twins, tmp_path):
    names = ("one", "other")
    return tuple(shutil.copytree(twins / name, tmp_path / name) for name in names)


def change_meta(folder, part, **values):
    meta = meta_of(folder)
    reduce(getitem, part.split(), meta).update(values)
    srsly.write_json(folder / "meta.json", meta)


def test_check_of_what_is_the_same(check, made, data, tmp_path, capsys):
    one, other, output = *map(str, made), tmp_path / "report.json"
    assert check([one, *options(data), "--made", other, "--output", str(output)]) == 0
    shown = capsys.readouterr().out
    assert "as its meta.json says" in shown and "differs" not in shown
    same = {"differences": [], "largest_difference_of_a_score": 0.0}
    assert srsly.read_json(output).items() >= same.items()
    # Other sources and versions are told.
    change_meta(made[0], "provenance", commit=f"{'0' * 40}-dirty")
    change_meta(made[0], "provenance versions", numpy="1.0")
    assert check([str(made[0])]) == 0
    shown = capsys.readouterr().out
    assert "made from files that differed from their commit" in shown
    assert f"no commit {'0' * 40} here" in shown and "numpy: 1.0 then" in shown


def test_check_names_what_differs(check, made, data, capsys):
    one, other = made
    (data / "b.txt").write_text("changed", "utf8")

    change_meta(other, "performance", dev_f1=0.78)
    change_meta(other, "provenance vars", steps="8")
    (other / "pii_gazetteer").mkdir(exist_ok=True)
    (other / "pii_gazetteer" / "more").write_text("x")
    extra = ["--data", f"more={data}", "--made", str(other), "--tolerance"]
    assert check([str(one), *options(data)[:1], *extra, "0.01"]) == 1
    assert {
        text.replace("OTHER", str(other)) for text in cases(__file__, "differences")
    } <= set(capsys.readouterr().out.splitlines())
    # Within the tolerance another score is none; other weights are told, no more.
    change_meta(other, "provenance vars", steps="7")
    assert check([str(one), "--made", str(other), "--tolerance", "0.03"]) == 0
    assert "largest difference of a score 0.0200" in capsys.readouterr().out


def test_the_embedded_pipeline_was_made_from_a_commit_and_the_documents_here():
    embedded = meta_of(EMBEDDED)["provenance"]
    assert len(bytes.fromhex(embedded["commit"])) == 20
    assert {"steps", "steps_fold", "o_threshold"} <= set(embedded["vars"])
    assert len(embedded["data"]) >= 10
    own = ROOT / "assets" / "corpora" / "en" / "train"
    if own.is_dir():
        assert hash_path(own) == embedded["data"]["own"]


def test_the_embedded_pipeline_was_trained_on_these_corpora(shared_data):
    data = meta_of(EMBEDDED)["provenance"]["data"]
    for name in ("tab", "wiki_biographies", "btc", "wnut17"):
        assert hash_path(shared_data / name / "train.jsonl") == data[name]
