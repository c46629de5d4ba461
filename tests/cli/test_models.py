import os
import shutil

import pytest
import spacy

from spacy_deid.cli._languages import AUTO, Pipelines

from ..cases import cases

KEY = "k3" * 20
ENGLISH, GERMAN, CHINESE = cases(__file__, "texts")
INIT = """\
from spacy.util import load_model_from_init_py

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder with an installed German pipeline."""
    folder = tmp_path_factory.mktemp("packages")
    nlp = spacy.blank("de")
    nlp.meta.update(name="demo", version="0.0.1", description="A demonstration.")
    ruler = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    ruler.add_patterns([{"label": "PERSON", "pattern": "Jürgen Krause"}])
    nlp.add_pipe("pseudonymizer", config={"mask": "all"})
    package = folder / "de_demo"
    package.mkdir()
    nlp.to_disk(package / "de_demo-0.0.1")
    (package / "__init__.py").write_text(INIT)
    shutil.copy(package / "de_demo-0.0.1/meta.json", package / "meta.json")
    info = folder / "de_demo-0.0.1.dist-info"
    info.mkdir()
    metadata = "Metadata-Version: 2.1\nName: de_demo\nVersion: 0.0.1\n"
    (info / "METADATA").write_text(metadata)
    (info / "entry_points.txt").write_text("[spacy_models]\nde_demo = de_demo\n")
    return folder


def with_own(packages):
    return os.pathsep.join(filter(None, [str(packages), os.environ.get("PYTHONPATH")]))


@pytest.fixture
def folder(tmp_path):
    def write(*texts):
        (tmp_path / "in").mkdir()
        for i, text in enumerate(texts):
            (tmp_path / "in" / f"{i}.txt").write_text(text, encoding="utf8")
        return tmp_path / "in"

    return write


@pytest.mark.parametrize(
    "texts, foreign",
    [
        ([ENGLISH, GERMAN, GERMAN.replace("Krause", "Maier")], "de 2"),
        ([ENGLISH, "OK", "Jürgen Krause, Köln"], ""),
    ],
)
def test_texts_in_other_languages_are_told_of(deid, folder, tmp_path, texts, foreign):
    said = deid("run", folder(*texts), tmp_path / "out", with_model=False).stderr
    for told in ("another language than the pipeline's", "--model auto", foreign):
        assert (told in said) == bool(foreign) or not told
    assert "Krause" not in said


@pytest.mark.parametrize("n_process", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_pipeline_for_each_language(shell, packages, folder, tmp_path, n_process):
    out, options = tmp_path / "out", ("--model", AUTO, "--n-process", n_process)
    env = {"PYTHONPATH": with_own(packages), "SPACY_DEID_KEY": KEY}
    process = shell("run", folder(ENGLISH, GERMAN, CHINESE), out, *options, env=env)
    errors = process.communicate(timeout=120)[1].decode()
    # What no pipeline knows is left out, and named.
    assert process.returncode == 1, errors
    for told in ("2.txt", "'zh'", "spacy deid models"):
        assert told in errors
    assert "王" not in errors and not (out / "2.txt").exists()
    english, german = ((out / f"{i}.txt").read_text() for i in range(2))
    assert "Murray" not in english and "Leeds" not in english
    assert "Krause" not in german and german.endswith(GERMAN[-40:])
    assert "another language" not in errors


def test_the_pipelines_that_are_there_and_what_is_foreign_to_them(shell, packages):
    process = shell("models", env={"PYTHONPATH": with_own(packages)})
    out, errors = (part.decode() for part in process.communicate(timeout=60))
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["en_deid_sm", "de_demo"] and rows[0][2] == "en"
    assert rows[1][1:] == ["0.0.1", "de", "A demonstration."]
    assert "--vars.lang es`" in errors and "--vars.lang de`" not in errors
    assert Pipelines(spacy.blank("xx")).foreign(GERMAN) == ""
    assert Pipelines(spacy.blank("en")).foreign(GERMAN) == "de"
    assert Pipelines(spacy.blank("de")).foreign(GERMAN) == ""
