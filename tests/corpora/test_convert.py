import json
import os
import re
import shutil
from inspect import getsource
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin, Span
from spacy.training import Corpus

from spacy_deid.cli.convert import convert_cli
from spacy_deid.corpora.convert import convert, parse_input, write_docbin, write_docbins
from spacy_deid.corpora.corpus import FORMATS, detect_format
from spacy_deid.corpora.report import KINDS, LOSSES, Report
from spacy_deid.label_schemes import TABLE as SCHEMES
from spacy_deid.label_schemes import gold_labels, make_label_scheme
from spacy_deid.registries import registry

from ..annotated import record
from ..cases import cases

TEXT = "Ann Lee wrote to Leeds"
# One document in every format, in files named after it.
FOLDER = Path(__file__).with_name("formats")
JSONL = json.loads((FOLDER / "jsonl.jsonl").read_text())
NLP = spacy.blank("en")
GOLD = [("Ann Lee", "PERSON"), ("Leeds", "LOC")]
# The file of each format, its reader, and the scheme of those that have none of their own.
WRITTEN = {name: row for name, *row in cases(__file__, "formats")}


@pytest.fixture
def corpora(tmp_path):
    folder = shutil.copytree(FOLDER, tmp_path / "corpora")
    write_docbin([make_ents_doc()], folder / "ents.spacy")
    return folder


def make_ents_doc(labels=("PERSON", "GPE")):
    doc = NLP(TEXT)
    doc.ents = [Span(doc, 0, 2, label=labels[0]), Span(doc, 4, 5, label=labels[1])]
    return doc


def load(path):
    return list(DocBin().from_disk(path).get_docs(NLP.vocab))


def found(doc):
    return [(s.text, s.label_) for s in doc.spans["pii"]]


@pytest.mark.parametrize("format", FORMATS)
def test_formats_are_recognised(corpora, format):
    path = corpora / WRITTEN[format][0]
    assert detect_format(path) == format
    # By content too, and one half of a pair.
    if path.suffix == ".json":
        path = path.rename(corpora / "other.jsonl")
        assert detect_format(path) == ("jsonl" if format == "tab" else format)
    if format == "conll":
        assert detect_format(path.rename(corpora / "eng.train")) == "conll"
    if format == "brat":
        assert detect_format(path / "a.txt") == detect_format(path / "a.ann") == format


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_becomes_a_docbin(corpora, run, tmp_path, format):
    out = tmp_path / "out.spacy"
    name, reader, scheme = WRITTEN[format]
    options = ["--scheme", scheme] if scheme else []
    for more in ([], ["--format", format]):
        run(corpora / name, out, *options, *more)
        (doc,) = load(out)
        assert doc.text == TEXT and found(doc) == GOLD
    # Readable by spaCy's own corpus reader.
    (example,) = Corpus(out)(NLP)
    assert found(example.reference) == GOLD
    # And read by the format's own.
    read = registry.readers.get(reader)
    (again,) = read(corpora / name, scheme=FORMATS[format].scheme or scheme)(NLP)
    assert found(again.reference) == GOLD and "pii" not in again.predicted.spans
    native = example.reference.spans["pii"].attrs.get("native")
    assert (native is None) == (format in ("jsonl", "tab", "inline"))
    assert ("mask" in doc.spans) == (format in ("jsonl", "tab", "inline"))


def test_corpora_are_mixed(corpora, run, tmp_path):
    out = tmp_path / "out.spacy"
    report = tmp_path / "report.json"
    inputs = [f"tab*3:{corpora / 'jsonl.jsonl'}", f"emails@brat:{corpora / 'brat'}"]
    inputs += [f"essays*2@essays:{corpora / 'essays.json'}", corpora / "news.conll"]
    run(*inputs, out, "--report", report)
    docs = load(out)
    assert len(docs) == 7 and all(found(doc) == GOLD for doc in docs)
    schemes = [doc.spans["pii"].attrs.get("scheme", "tab") for doc in docs]
    assert sorted(schemes) == ["conll", "emails", "essays", "essays"] + ["tab"] * 3
    assert schemes != sorted(schemes) or len(set(schemes)) == 1
    report = json.loads(report.read_text())
    assert report["counts"] == {"documents": 4, "annotators": 4, "spans": 8, "kept": 8}
    formats = [entry["format"] for entry in report["inputs"]]
    assert formats == ["jsonl", "brat", "essays", "conll"]
    assert report["inputs"][0]["copies"] == 3
    assert report["inputs"][0]["counts"]["kept"] == 2
    assert report["labels"]["FAMILY"] == {"kept": 1}


def write_many(path, n):
    records = ({**JSONL, "doc_id": i, "text": f"{TEXT} {i // 2}"} for i in range(n))
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    return path


def test_seeds_order_and_documents_that_are_held_back(run, tmp_path):
    path = write_many(tmp_path / "a.jsonl", 30)

    def texts(*options):
        out = tmp_path / "out.spacy"
        run(path, out, *options)
        return [doc.text for doc in load(out)]

    plain = texts("--no-shuffle")
    assert plain == [f"{TEXT} {i // 2}" for i in range(30)]
    assert texts() == texts("--seed", 0) != plain
    assert sorted(texts()) == sorted(plain) and texts("--seed", 1) != texts()
    assert texts("--limit", 4, "--no-shuffle") == plain[:4]
    path = write_many(tmp_path / "a.jsonl", 40)
    out, dev = tmp_path / "train.spacy", tmp_path / "dev.spacy"
    result = run(f"tab*3:{path}", out, "--dev", dev, "--dev-fraction", 0.25)
    train, held = ([doc.text for doc in load(p)] for p in (out, dev))
    # 20 different texts, each twice.
    assert len(held) == 10 and len(train) == 90 and not set(train) & set(held)
    result = run(path, out, "--dev", dev, "--dev-fraction", 1, code=1)
    assert "too few to hold some back" in result.output


def test_strict_and_a_wrong_scheme(run, tmp_path, corpora):
    broken = {"start_offset": 3, "end_offset": 99, "entity_type": "LOC"}
    row = {**JSONL, "entity_mentions": [*JSONL["entity_mentions"], broken]}
    path, out = tmp_path / "a.jsonl", tmp_path / "out.spacy"
    path.write_text(json.dumps(row))
    report = tmp_path / "report.json"
    result = run(path, out, "--strict", "--report", report, code=1)
    assert not out.exists()
    assert "--strict: out of bounds 1; nothing was written" in result.output
    (issue,) = json.loads(report.read_text())["issues"]
    place = {"file": str(path), "line": 1, "doc_id": "j", "start": 3, "end": 99}
    assert issue == {"kind": "out_of_bounds", **place, "label": "LOC"}
    assert issue["kind"] in LOSSES
    result = run(path, out)
    assert len(load(out)) == 1
    assert f"{path}, line 1, document j, 3-99, LOC" in result.output
    assert "Ann" not in result.output + report.read_text()
    out = tmp_path / "other.spacy"
    result = run(f"ontonotes:{corpora / 'essays.json'}", out, code=1)
    assert not out.exists()
    assert "essays.json, line 1, document 1, 0-7, NAME_STUDENT: none" in result.output
    assert "none of the labels is of the scheme 'ontonotes'" in result.output
    assert "--scheme (`scheme` in a config): essays\n" in result.output
    # A label of both: the other is counted.
    result = run(f"btc:{corpora / 'tab.json'}", out)
    assert found(load(out)[0]) == GOLD[1:]
    assert "unknown label        1" in result.output and ", PERSON" in result.output


@pytest.mark.parametrize("args, message", cases(__file__, "errors"))
def test_bad_input_ends_in_one_line(corpora, run, monkeypatch, args, message):
    monkeypatch.chdir(corpora)
    before = sorted(corpora.rglob("*"))
    result = run(*args, code=1)
    assert message in result.output and result.output.count("\n") == 1
    assert sorted(corpora.rglob("*")) == before


@pytest.mark.parametrize("name,content,options,message", cases(__file__, "empty"))
def test_no_documents(run, tmp_path, monkeypatch, name, content, options, message):
    monkeypatch.chdir(tmp_path)
    if not isinstance(content, str):
        array = json.dumps(content)
        lines = "".join(json.dumps(value) + "\n" for value in content)
        content = lines if name.endswith("l") else array
    Path(name).write_text(content)
    result = run(name, "out.spacy", *options, code=1)
    assert re.search(message, result.output), result.output
    assert result.output.count("\n") == 1 and "Ann" not in result.output
    assert os.listdir() == [name]


@pytest.mark.parametrize("encoding,message", cases(__file__, "encodings"))
@pytest.mark.parametrize("options", [[], ["--format", "jsonl"]])
def test_a_wrong_encoding_ends_in_one_line(run, tmp_path, encoding, message, options):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**JSONL, "doc_id": "ä"}, ensure_ascii=False), "utf-8")
    result = run(path, tmp_path / "out.spacy", "--encoding", encoding, *options, code=1)
    assert result.output.count("\n") == 1
    assert re.search(message, result.output) and "a.jsonl" in result.output
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_spacy_files_are_read_by_group_and_label_map(run, tmp_path):
    doc = make_ents_doc(("PERSON", "SHOP"))
    doc.spans["sc"] = [Span(doc, 0, 2, label="WHO"), Span(doc, 2, 3, label="VERB")]
    write_docbin([doc, NLP("Nobody looked at this")], tmp_path / "in.spacy")
    out, names = tmp_path / "out.spacy", tmp_path / "map.json"
    names.write_text('{"SHOP": "ORG:COMPANY", "WHO": "PERSON", "VERB": null}')
    options = [tmp_path / "in.spacy", out, "--scheme", "ontonotes"]
    result = run(*options, "--labels", names)
    (new,) = load(out)  # the document without annotation is left out
    assert found(new) == [("Ann Lee", "PERSON"), ("Leeds", "ORG")]
    assert new.spans["pii"].attrs["subtypes"] == ["", "COMPANY"]
    assert "scheme" not in new.spans["pii"].attrs
    assert re.search(r"missing annotation +1 ", result.output)
    result = run(*options, "--labels", names, "--spans-key", "sc")
    assert found(load(out)[0]) == [("Ann Lee", "PERSON")]
    # Without the map the label is a loss that is told.
    assert re.search(r"unknown label +1 ", run(*options).output)
    other = {**JSONL, "annotator": "b", "entity_mentions": [
        {**JSONL["entity_mentions"][0], "identifier_type": "QUASI"}]}  # fmt: skip
    lines = "".join(json.dumps(r) + "\n" for r in (JSONL, other))
    (tmp_path / "a.jsonl").write_text(lines)
    first, second = tmp_path / "one.spacy", tmp_path / "two.spacy"
    run(tmp_path / "a.jsonl", first)
    run(first, second)
    (one,), (two,) = load(first), load(second)
    assert set(one.spans) == set(two.spans) == {"pii", "mask", "mask:b"}
    for key in one.spans:
        groups = [doc.spans[key] for doc in (one, two)]
        rows = [[(s.text, s.label_, s.id_) for s in group] for group in groups]
        assert rows[0] == rows[1] != []


def test_a_corpus_without_a_path_or_a_gold_span_stops(tmp_path):
    read = registry.readers.get("spacy_deid.JsonlCorpus.v1")
    with pytest.raises(ValueError, match="no path .--paths.train"):
        list(read()(NLP))
    with pytest.raises(ValueError, match="line 1, .*none of the labels.*'essays'"):
        list(read(FOLDER / "jsonl.jsonl", scheme="essays")(NLP))
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**JSONL, "entity_mentions": []}))
    with pytest.raises(ValueError, match=r"a.jsonl: there is no gold span in 1 doc"):
        list(read(path)(NLP))


def test_files_are_written_together_and_long_documents_not_refused(tmp_path):
    good, bad = tmp_path / "a.spacy", tmp_path / "b" / "c.spacy"
    (tmp_path / "b").write_text("a file")
    good.write_text("before")
    with pytest.raises(OSError):
        write_docbins({good: [], bad: []})
    assert good.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.spacy", "b"]
    (tmp_path / "a.jsonl").write_text(json.dumps(record("word " * 250_000)))
    assert len(convert([parse_input(str(tmp_path / "a.jsonl"))]).train[0]) == 250_000


@pytest.mark.parametrize("folder, name, lang, n", cases(__file__, "corpora"))
def test_real_corpora_lose_nothing(shared_data, folder, name, lang, n):
    report = Report()
    source = parse_input(f"{name}:{shared_data / folder / 'dev.jsonl'}")
    limit = 60 if folder == "meddocan" else 0
    split = convert([source], lang, report=report, limit=limit)
    counts = report.counts
    if not limit:
        assert counts["spans"] == n
    scheme = make_label_scheme(name)
    gold = [label for d in split.train for label in gold_labels(d.spans["pii"], scheme)]
    assert len(gold) == counts["kept"] and None not in gold
    assert counts["kept"] + counts["joined"] + counts["duplicate"] == counts["spans"]
    assert not report.losses


def test_the_documentation_names_everything():
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    counted = set(KINDS) - {"documents", "annotators", "spans"}
    for name in {*counted, *FORMATS, *SCHEMES}:
        assert f"`{name}`" in text, name
    for scheme in map(make_label_scheme, SCHEMES):
        assert f"| `{scheme.name}` | {len(scheme.labels)} |" in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    for kind in counted:
        (row,) = (r for r in rows if f"`{kind}`" in r.split(" | ")[0])
        assert row.endswith("| yes |") == KINDS[kind].loss, kind
    for option in re.findall(r"(?<=\")--[a-z-]+", getsource(convert_cli)):
        assert f"`{option}" in text, option
