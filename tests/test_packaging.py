"""Wheels: built without a network, installed beside nothing else, loaded by name; and
none of them holds a word, number or hash of the training documents."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import venv
import warnings
import zipfile
import zlib
from functools import cache, partial
from importlib import metadata
from pathlib import Path

import pytest
import spacy
import spacy.cli
import srsly
from spacy.strings import get_string_id
from spacy.training import Example

from spacy_deid.assemble import clean
from spacy_deid.cli import package as packaging
from spacy_deid.cli._errors import CliError
from spacy_deid.cli.package import check_words
from spacy_deid.evaluation.leaks import Leak, find_strings, stands_in, training_only
from spacy_deid.gazetteers.compiled import Compiler, Entry
from spacy_deid.gazetteers.terms import Term
from spacy_deid.tokenizer import blank_pipeline

from .canaries import CANARIES, TEXT, TINY, planted, train
from .cases import cases

ROOT = Path(__file__).parents[1]
KEY = "c0ffee-the-secret-key-of-a-pseudonymizer"
SETUPTOOLS = [d.version for d in metadata.distributions(name="setuptools")] or ["0.0"]
builds = pytest.mark.skipif(
    tuple(map(int, SETUPTOOLS[0].split(".")[:2])) < (70, 1),
    reason="wheels are built with setuptools 70.1",
)
LOADED = """
import json, sys
import spacy, spacy_deid
import {name}
if __name__ == "__main__":
    nlp = spacy.load("{name}")
    texts = json.load(sys.stdin)
    rows = []
    for n_process in {processes}:
        docs = nlp.pipe(texts, n_process=n_process, batch_size=2)
        rows.append([
            [[s.start, s.end, s.label_, s.id_] for key in {keys!r} for s in doc.spans[key]]
            for doc in docs
        ])
    print(json.dumps([spacy_deid.__file__, {name}.__file__, *rows]))
"""


@pytest.fixture(scope="module")
def package(command):
    return partial(command, "deid", "package")


def write_record(path, text):
    path.write_text(json.dumps({"doc_id": "1", "text": text, "entity_mentions": []}))
    return path


@pytest.fixture(scope="module", autouse=True)
def package_words_are_read_once():
    """They are those of the package's own files, and take longer than all else."""
    read = cache(packaging.package_words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packaging, "package_words", lambda lang: set(read(lang)))
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A trained pipeline as `spacy train` leaves it, after use."""
    os.environ["SPACY_DEID_TEST_KEY"] = KEY
    folder = tmp_path_factory.mktemp("trained")
    train(folder / "model", key_env="SPACY_DEID_TEST_KEY")
    write_record(folder / "train.jsonl", TEXT)
    source = {"name": "Made up", "license": "CC0", "url": ""}
    meta = {"license": "MIT", "sources": [source]}
    (folder / "meta.json").write_text(json.dumps(meta))
    (folder / "dev.json").write_text('{"f5": 0.75, "per_type": {"PERSON": {}}}')
    return folder


@pytest.fixture(scope="module")
def wheel(package, trained, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheels")
    args = ["--name", "tiny", "--version", "1.2.3", "--train", trained / "train.jsonl"]
    args += ["--meta", trained / "meta.json"]
    args += ["--metrics", f"dev={trained / 'dev.json'}"]
    package(trained / "model", out, *args)
    (path,) = out.iterdir()
    return path


@pytest.fixture(scope="module")
def own_wheel(tmp_path_factory):
    """A wheel of this package, built from a copy: a build leaves files behind."""
    folder = tmp_path_factory.mktemp("own")
    for name in ("setup.cfg", "setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    ignored = shutil.ignore_patterns("__pycache__", ".mypy_cache")
    shutil.copytree(ROOT / "spacy_deid", folder / "spacy_deid", ignore=ignored)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", "dist", "."]
    command += ["--no-build-isolation"]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    (path,) = (folder / "dist").glob("*.whl")
    return path


def run(command, **how):
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def run_installed(wheels, name, texts, keys, folder, processes=(1, 2)):
    """Load by name in a new process whose only further packages are the wheels."""
    target = folder / "installed"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    command += ["--no-compile", "--target", str(target), *map(str, wheels)]
    subprocess.run(command, check=True, capture_output=True)
    script = folder / "run.py"
    script.write_text(LOADED.format(name=name, keys=keys, processes=processes))
    # A pipeline without a transformer needs no torch: see `start_without_torch`.
    hidden = [os.environ["PYTHONPATH"]] if "pii_ner" not in keys else []
    path = os.pathsep.join([str(target), *hidden])
    env = {**os.environ, "PYTHONPATH": path, "SPACY_DEID_TEST_KEY": KEY}
    how = {"cwd": folder, "env": env, "input": json.dumps(texts), "timeout": 240}
    done = run([sys.executable, str(script)], **how)
    assert done.returncode == 0, done.stderr[-2000:]
    own, theirs, *rows = json.loads(done.stdout.splitlines()[-1])
    assert Path(own).is_relative_to(target) and Path(theirs).is_relative_to(target)
    assert len(rows) == len(processes) and all(row == rows[0] for row in rows)
    return rows[0]


def test_a_used_pipeline_is_not_saved_or_packaged_without_a_warning(nlp, tmp_path):
    """Of the embedded one `test_nothing_stays_in_the_pipeline` says so."""
    nlp.add_pipe("pii_gazetteer")
    nlp.initialize()
    with nlp.memory_zone():
        nlp(TEXT)
    clean, made = tmp_path / "clean", tmp_path / "packages"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp.to_disk(clean)
    # spaCy copies what is saved, whatever is in it.
    made.mkdir()
    spacy.cli.package(clean, made, create_sdist=False, silent=True)
    assert list(made.rglob("config.cfg")) and find_strings(tmp_path, CANARIES) == []
    nlp(TEXT)
    with pytest.warns(UserWarning, match="has processed documents") as warned:
        nlp.to_disk(tmp_path / "used")
    assert not any(canary in str(w.message) for w in warned for canary in CANARIES)


@builds
def test_a_wheel_holds_all_and_a_package_index_takes_it(own_wheel):
    with zipfile.ZipFile(own_wheel) as archive:
        inside = {n for n in archive.namelist() if ".dist-info/" not in n}
    found = (ROOT / "spacy_deid").rglob("*")
    wanted = {p.relative_to(ROOT).as_posix() for p in found if p.is_file()}
    wanted = {name for name in wanted if "__pycache__" not in name}
    assert "spacy_deid/pipelines/en_deid_sm/pii_ner/model" in wanted
    assert "spacy_deid/py.typed" in wanted and wanted <= inside
    assert all(name.startswith("spacy_deid/") for name in inside)
    # Its metadata and its description can be read.
    pytest.importorskip("twine", reason="twine comes with the extra `dev`")
    done = run([sys.executable, "-m", "twine", "check", "--strict", str(own_wheel)])
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stdout + done.stderr


def spans_of(path, texts, keys):
    """What a pipeline finds, as LOADED prints it."""
    docs = map(spacy.load(path), texts)
    groups = [[s for key in keys for s in doc.spans[key]] for doc in docs]
    return [[[s.start, s.end, s.label_, s.id_] for s in spans] for spans in groups]


@builds
def test_installed_wheels_do_the_same(trained, wheel, own_wheel, tmp_path):
    texts = [TEXT, "Write to anna.kowalska@example.org by 6 May 2001.", ""]
    texts.append("Mr Quillfeather of Norvalbury came.")
    keys = ("pii", "mask")
    rows = run_installed([own_wheel, wheel], "en_tiny", texts, keys, tmp_path)
    assert any(rows) and rows == spans_of(trained / "model", texts, keys)


@builds
def test_a_wheel_says_what_it_needs(wheel, tmp_path):
    """An environment that has the wheel and nothing else."""
    venv.create(tmp_path / "env")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "wheel")
    python = tmp_path / "env" / "bin" / "python"
    how = {"cwd": tmp_path, "env": {"PYTHONPATH": str(tmp_path / "wheel")}}
    done = run([python, "-c", "import en_tiny; en_tiny.load()"], **how)
    assert done.returncode == 1
    version = metadata.version("spacy-deid")
    assert done.stderr.splitlines()[-1] == (
        "ImportError: en_tiny needs what is not installed: pip install "
        f"'spacy-deid>={version}'"
    )


@builds
def test_contents_of_a_wheel_without_canaries(wheel, trained):
    assert wheel.name == "en_tiny-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    info = files["en_tiny-1.2.3.dist-info/METADATA"].decode()
    names = {name.removeprefix("en_tiny/") for name in files if "dist-info" not in name}
    told = ("README.md", "LICENSES_SOURCES", "meta.json")
    inner = (files[f"en_tiny/en_tiny-1.2.3/{name}"] for name in told)
    readme, licences, meta = map(bytes.decode, inner)
    meta = json.loads(meta)
    assert {name.removeprefix("en_tiny-1.2.3/") for name in names} == {
        "__init__.py", "config.cfg", "tokenizer", *told, "pseudonymizer/cfg",
        *(f"vocab/{n}" for n in "key2row lookups.bin strings.json vectors vectors.cfg".split()),
        "pii_gazetteer/terms", "pii_ner/cfg", "pii_ner/model",
        "risk_scorer/cfg", "risk_scorer/model",
    }  # fmt: skip
    version = metadata.version("spacy-deid")
    assert meta["requirements"] == [f"spacy-deid>={version}"]
    assert f"Requires-Dist: spacy-deid>={version}" in info
    assert meta["license"] == "MIT" and "License: MIT" in info
    assert meta["sources"][0]["license"] == "CC0"
    assert meta["performance"] == {"dev_f5": 0.75}
    for text in ("spacy.load('en_tiny')", "Made up", "CC0", "75.00"):
        assert text in readme
    assert licences == "- Made up. CC0.\n"
    # The trained pipeline itself does hold them, so the test can fail.
    assert strings(trained / "model") == set(range(len(CANARIES)))
    assert find_strings(wheel, [*CANARIES, str(trained), str(ROOT), KEY]) == []


def strings(path, sought=CANARIES, **how):
    return {leak.string for leak in find_strings(path, sought, **how)}


@pytest.fixture
def contaminated(trained, tmp_path):
    """A pipeline whose list of terms was made of the training documents."""
    nlp = spacy.load(trained / "model")
    nlp.get_pipe("pii_gazetteer").add_terms([Term("Vlimbarough", "LOC")])
    nlp.to_disk(tmp_path / "model")
    return tmp_path / "model"


@builds
def test_a_word_of_training_stops_the_command(package, contaminated, trained, tmp_path):
    out = tmp_path / "out"
    result = package(contaminated, out, "--train", trained / "train.jsonl", code=1)
    assert "pii_gazetteer/terms (1)" in result.output
    assert "limbarough" not in result.output.lower() and list(out.iterdir()) == []


@pytest.mark.slow
def test_words_known_from_elsewhere_do_not_count(contaminated, trained, tmp_path):
    nlp = clean(spacy.load(contaminated))
    nlp.to_disk(tmp_path / "clean")
    asked = tmp_path / "clean", nlp, [trained / "train.jsonl"]
    for known in ("Vlimbarough\n", "Ann/Vlimbarough"):
        assert check_words(*asked, [known]) > 2
    # A name isn't known because a longer word begins with it.
    for known in ([], ["Vlimbaroughshire"], ["Vlimba rough"]):
        with pytest.raises(CliError, match=r"pii_gazetteer/terms \(1\)"):
            check_words(*asked, known)


def test_settings_and_addresses_of_sources_are_no_words(trained, tmp_path):
    """A number of the config and the host of a source, which documents have, too."""
    nlp = clean(spacy.load(trained / "model"))
    nlp.config["training"]["eval_frequency"] = 90817
    nlp.meta["sources"] = [{"name": "Made up", "url": "https://corpora.example/x"}]
    nlp.to_disk(tmp_path / "model")
    text = "See corpora.example, 90817 times."
    train = write_record(tmp_path / "train.jsonl", text)
    assert check_words(tmp_path / "model", nlp, [train], []) >= 0
    write_record(train, f"{text} Training data named corpora.example/secret-0451.")
    (tmp_path / "model" / "notes").write_text("corpora.example/secret-0451")
    with pytest.raises(CliError, match=r"notes \(1\)"):
        check_words(tmp_path / "model", nlp, [train], [])


@pytest.mark.parametrize("option, value, message", cases(__file__, "errors"))
def test_errors_are_one_line(package, trained, tmp_path, option, value, message):
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "broken.json").write_text('{"name": "x",\n,}')
    (tmp_path / "latin.txt").write_bytes("Zürich".encode("latin-1"))
    out = tmp_path / "out"
    if (tmp_path / value).exists():
        value = tmp_path / value
    result = package(trained / "model", out, option, value, code=1)
    assert message in result.output and "Traceback" not in result.output
    assert not out.exists() or list(out.iterdir()) == []


@builds
def test_embedded_pipeline_as_a_wheel_holds_no_training_word(
    package, shared_data, tmp_path
):
    """Neither of what people annotated nor of the raw text of the silver corpus."""
    files = [f"{n}/train.jsonl" for n in ("tab", "wiki_biographies", "btc", "wnut17")]
    files += ["echr_unlabelled/judgments.jsonl", "wiki_biographies/articles.jsonl"]
    train = [arg for name in files for arg in ("--train", shared_data / name)]
    embedded = ROOT / "spacy_deid" / "pipelines" / "en_deid_sm"
    result = package(embedded, tmp_path / "out", *train)
    assert "meta.json has no" not in result.output
    sought = re.search(r"none of ([\d,]+) words", result.output)
    assert int(sought[1].replace(",", "")) > 30_000
    (wheel,) = (tmp_path / "out").iterdir()
    assert wheel.stat().st_size < 12e6


@pytest.mark.slow
@builds
def test_transformer_pipeline(package, own_wheel, tiny_lm, tmp_path):
    pytest.importorskip("spacy_transformers")
    encoder = tmp_path / "secret_folder" / "tinybert"
    encoder.mkdir(parents=True)
    tiny_lm.save_bert(encoder, 512, head=False, large=False)
    nlp = spacy.blank("en")
    windows = {"@span_getters": "spacy-transformers.strided_spans.v1"}
    windows |= {"window": 24, "stride": 16}
    tok2vec = {
        "@architectures": "spacy-transformers.Tok2VecTransformer.v3", "name": str(encoder),
        "tokenizer_config": {"use_fast": True}, "transformer_config": {},
        "mixed_precision": False, "grad_scaler_config": {}, "get_spans": windows,
        "grad_factor": 1.0, "pooling": {"@layers": "reduce_mean.v1"},
    }  # fmt: skip
    model = {"@architectures": "spacy_deid.TokenTagger.v1", "tok2vec": tok2vec}
    nlp.add_pipe("pii_ner", config={"model": model})
    examples = [Example(nlp.make_doc(TEXT), planted(nlp))]
    nlp.update(examples, sgd=nlp.initialize(lambda: examples))
    nlp.to_disk(tmp_path / "model")
    # What only this machine knows must not be needed either.
    shutil.rmtree(encoder)
    out = tmp_path / "wheels"
    package(tmp_path / "model", out, "--name", "tiny_trf", "--version", "0.0.1")
    (wheel,) = out.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        meta = json.loads(archive.read("en_tiny_trf/meta.json"))
    names = [re.split("[<>]", requirement)[0] for requirement in meta["requirements"]]
    assert names == ["spacy-deid", "spacy-transformers", "torch"]
    assert find_strings(wheel, [*CANARIES, str(tmp_path), "secret_folder"]) == []
    texts = [TEXT, "Mr Quillfeather came."]
    # PyTorch's threads do not outlive a fork.
    asked = "en_tiny_trf", texts, ("pii_ner",), tmp_path, (1,)
    rows = run_installed([own_wheel, wheel], *asked)
    assert rows == spans_of(tmp_path / "model", texts, ("pii_ner",))


@pytest.mark.parametrize(
    "write",
    [
        lambda s: s.encode(),
        lambda s: s.lower().encode(),
        lambda s: s.encode("utf-16-le"),
        lambda s: json.dumps({"a": s}).encode(),
        lambda s: srsly.msgpack_dumps([1, {"b": [s]}]),
        lambda s: b"\x00\x01" + zlib.compress(b"x" * 50 + s.encode()),
        lambda s: b"b" + base64.b64encode(f"ab{s}cd".encode()),
        lambda s: get_string_id(s).to_bytes(8, "little"),
        lambda s: srsly.msgpack_dumps({get_string_id(s): 1}),
        lambda s: json.dumps([get_string_id(s.lower())]).encode(),
        lambda s: srsly.pickle_dumps({"a": (s, 1)}),
    ],
)
def test_search_sees_through_encodings(write, tmp_path):
    for i, canary in enumerate(CANARIES):
        (tmp_path / f"{i}.bin").write_bytes(b"\xff\x00\x80" * 999 + write(canary))
    found = find_strings(tmp_path, CANARIES)
    assert {leak.string for leak in found} == set(range(len(CANARIES)))
    assert all(leak.file == f"{leak.string}.bin" for leak in found)


def write_gazetteer(path, *terms):
    compiler = Compiler({}, ["en"])
    for number, term in enumerate(terms):
        compiler.add(Entry(term, "DEM", f"Q{number}"))
    compiler.write(path)


def test_search_looks_into_archives_and_gazetteers_and_for_whole_words(tmp_path):
    write_gazetteer(tmp_path / "a.gaz", "Vlimbarough")
    with zipfile.ZipFile(tmp_path / "b.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.json", '"Zyxquorth"')
        archive.write(tmp_path / "a.gaz", "inner.gaz")
    assert strings(tmp_path / "a.gaz") == {1}
    found = find_strings(tmp_path / "b.whl", CANARIES)
    assert Leak("inner.json", 0, "utf-8") in found
    at = {(leak.file, leak.string) for leak in found}
    assert at == {("inner.json", 0), ("inner.gaz", 1)}
    # Written one after the other, "major-general" twice has "generalmajor" in it.
    path = tmp_path / "a.gaz"
    terms = ("mAjor-generaL", "mAjor-generaL", "Vlimbarough meister", "zyxQuorth")
    write_gazetteer(path, *terms)
    assert b"generaLmAjor" in path.read_bytes()
    assert find_strings(path, ["generaLmAjor"], whole=True) == []
    words = ["Zyxquorth", "VLIMBAROUGH", "mAjor", "generaL"]
    assert strings(path, words, whole=True) == {0, 1, 2, 3}
    # For whole words.
    path, word = tmp_path / "a", "обязан"
    for content, sought, whole in (
        ("weights xweigh weighø".encode(), "weigh", False),
        (srsly.msgpack_dumps(["weigh"]), "weigh", True),
        # As JSON writes other letters.
        (json.dumps([f"{word}ности", f"не{word}", "x"]).encode(), word, False),
        (json.dumps([f"{word}ности", word]).encode(), word, True),
    ):
        path.write_bytes(content)
        assert bool(find_strings(path, [sought], whole=True)) == whole
        assert find_strings(path, [sought])
    # A known word stands by itself.
    assert stands_in("the war of 1939–1945; coups d'etat", "1939–1945")
    assert stands_in("the war of 1939–1945; coups d'etat", "d'etat")
    assert not stands_in("europastadt, neuropa", "europa")


def test_words_that_only_training_has(tmp_path):
    nlp = spacy.blank("en")
    words = training_only([f"We would {TEXT}"], nlp, known=["vlimbarough"])
    assert "Zyxquorth" in words and "Øyvindhåkr" in words and "numbers" in words
    assert "Vlimbarough" not in words and "would" not in words
    # Words of spaCy's own exceptions are known, one by one.
    nlp = spacy.blank("ru")
    words = training_only(["объект незавершенного строительства в Зюкхорте"], nlp)
    assert words == ["Зюкхорте"]
    # A piece of an abbreviation of the language is no alarm.
    nlp = spacy.blank("de")
    assert "l.n.r" in [token.text for token in nlp("siehe l.n.r oben")]
    nlp.add_pipe("pii_gazetteer")
    nlp = clean(nlp)
    nlp.to_disk(tmp_path / "model")
    path = write_record(tmp_path / "a.jsonl", "siehe l.n.r oben, Zyxquorth")
    assert check_words(tmp_path / "model", nlp, [path], []) == 3


@pytest.mark.slow
def test_words_of_labels_tokenizers_and_tables_are_no_alarm(
    package, tmp_path, monkeypatch
):
    """And neither does a folder `build` stand in the way, as `pip install .` makes it."""
    nlp = spacy.blank("es")
    nlp.tokenizer = blank_pipeline("es").tokenizer
    labels = ["SEXO_SUJETO_ASISTENCIA", "ID_TITULACION_PERSONAL_SANITARIO"]
    nlp.add_pipe("pii_ner", config={"scheme": "meddocan", "model": TINY})
    for label in labels:
        nlp.get_pipe("pii_ner").add_label(label)
    nlp.initialize()
    nlp.to_disk(tmp_path / "model")
    text = "sujeto asistencia titulacion sanitario NUMPY descr Zyxquorth"
    write_record(tmp_path / "a.jsonl", text)
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    result = package("model", "out", "--name", "tiny", "--train", "a.jsonl")
    assert "none of 1 words" in result.output
    # What is no part of a label is found as before.
    write_record(tmp_path / "b.jsonl", "sujetos Zyxquorth")
    nlp = spacy.load("model")
    nlp.add_pipe("pii_gazetteer", config={"deny": ["Zyxquorth"]})
    nlp.to_disk(tmp_path / "model")
    args = ("model", "out2", "--name", "tiny", "--train", "b.jsonl")
    assert "words that only the training" in package(*args, code=1).output
