import codecs
import json
import pickle
import string
import warnings
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin
from spacy.training import Example

from spacy_deid.corpora import readers
from spacy_deid.corpora.corpus import JsonlCorpus, TabCorpus, read_documents
from spacy_deid.corpora.files import InputError, find_files, read_json, read_lines
from spacy_deid.corpora.report import KINDS, LOSSES, OUTCOMES, Report
from spacy_deid.label_schemes import gold_labels, make_label_scheme
from spacy_deid.models.trainable import gold_spans

from ..annotated import record
from ..cases import cases

TEXT = "Mr Robert Murray was born in Leeds."
MENTIONS = cases(__file__, "gold")
TAB = make_label_scheme("tab")
LONG = ('{"text": ' + "1" * 5000 + "}", ".*a number has too many digits")
PLAIN = st.none() | st.booleans() | st.integers() | st.text()
PLAIN |= st.floats(allow_nan=False, allow_infinity=False)
JSON_VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
DEEP = [("[" * 100_000, "nested too deeply"), ('{"a":' * 100_000, "nested too deeply")]


def write(path, *records):
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf8")
    return path


def spans(doc, key):
    return [(s.start_char, s.end_char, s.label_, s.id_) for s in doc.spans[key]]


def test_gold_stands_in_the_keys_of_predictions_a_group_an_annotator(nlp, tmp_path):
    other = [{**MENTIONS[0], "identifier_type": "QUASI"}]
    path = write(
        tmp_path / "a.jsonl",
        {"doc_id": "a", "text": TEXT, "annotator": "x", "entity_mentions": MENTIONS},
        {"doc_id": "b", "text": "It rains.", "entity_mentions": []},
        {"doc_id": "a", "text": TEXT, "annotator": "y", "entity_mentions": other},
    )
    first, second = readers.read_docs(nlp, path, TAB)
    assert spans(first, "pii") == [(0, 16, "PERSON", "e1"), (29, 34, "LOC", "e2")]
    assert spans(first, "mask") == [(0, 16, "DIRECT", "e1"), (29, 34, "QUASI", "e2")]
    assert spans(first, "mask:y") == [(0, 16, "QUASI", "e1")]
    assert "covers" not in first.spans["pii"].attrs and spans(second, "pii") == []


@pytest.mark.parametrize("line,message", [*cases(__file__, "lines"), LONG])
def test_broken_lines_are_named(tmp_path, line, message):
    (tmp_path / "a.jsonl").write_text(f'{{"text": "x"}}\n{line}\n', encoding="utf8")
    with pytest.raises(ValueError, match=f"a.jsonl, line 2: {message}") as info:
        list(readers.read_records(tmp_path))
    assert "Xy" not in str(info.value)


@given(st.lists(JSON_VALUES, max_size=5), st.sampled_from([None, 0, 3]), st.booleans())
@settings(max_examples=80, deadline=None)
def test_json_is_read(tmp_path_factory, values, indent, ascii):
    folder = tmp_path_factory.mktemp("files")
    array, lines = folder / "array.json", folder / "lines.jsonl"
    array.write_text(json.dumps(values, indent=indent, ensure_ascii=ascii), "utf-8")
    lines.write_text("".join(json.dumps(v) + "\r\n" for v in values), "utf-8")
    assert [v for _, v in read_json(array)] == values
    # A list on the first line is read as an array.
    if not (values and isinstance(values[0], list)):
        assert list(read_json(lines)) == list(enumerate(values, start=1))


@pytest.mark.parametrize("content,message", [*cases(__file__, "files"), *DEEP])
def test_broken_json_is_named_by_line(tmp_path, content, message):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        list(read_json(path))


def test_wrong_encodings_are_named_and_folders_searched(tmp_path):
    path = tmp_path / "a.conll"
    path.write_bytes("eins\nzwei\nMünchen\n".encode("latin-1"))
    with pytest.raises(ValueError, match="a.conll, line 3: not utf-8") as e:
        list(read_lines(path))
    assert "M" not in str(e.value).partition("line")[2]
    lines = list(read_lines(path, "latin-1"))
    assert lines == [(1, "eins"), (2, "zwei"), (3, "München")]
    with pytest.raises(ValueError, match="unknown encoding 'utf-99'"):
        list(read_lines(path, "utf-99"))
    # Byte order marks.
    path.write_bytes(codecs.BOM_UTF8 + "é\r\n\u2028x".encode())
    assert list(read_lines(path)) == [(1, "é"), (2, "\u2028x")]
    path.write_bytes("é\nb".encode("utf-16"))
    with pytest.raises(ValueError, match="line 1: not utf-8.*utf-16"):
        list(read_lines(path))
    assert list(read_lines(path, "utf-16")) == [(1, "é"), (2, "b")]
    for name in ("b/x.jsonl", "a.JSONL", ".c.jsonl", ".d/x.jsonl", "e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [f.relative_to(tmp_path).as_posix() for f in find_files(tmp_path, ".jsonl")]
    assert names == ["a.JSONL", "b/x.jsonl"]
    with pytest.raises(ValueError, match="no .ann file in this folder"):
        find_files(tmp_path, ".ann")


def annotate(start, end, label="PERSON", **more):
    return {"start_offset": start, "end_offset": end, "entity_type": label, **more}


def read_one(nlp, mentions, scheme="tab", text=TEXT):
    report = Report()
    row = {"doc_id": "d", "text": text, "entity_mentions": mentions}
    return readers.make_gold_doc(nlp, [row], make_label_scheme(scheme), report), report


@pytest.mark.parametrize("mention,kind", cases(__file__, "mentions"))
def test_broken_annotations_are_counted_and_placed(nlp, mention, kind):
    doc, report = read_one(nlp, [mention, annotate(10, 16)])
    assert [s.text for s in doc.spans["pii"]] == ["Murray"]
    assert report.counts["kept"] == 1 and report.counts[kind] == 1
    assert [i.kind for i in report.issues] == [kind]
    assert report.issues[0].doc_id == "d" and report.losses == 1
    assert "Robert" not in json.dumps(report.to_json()) + report.table()
    with pytest.raises(ValueError, match=kind.replace("_", " ")) as info:
        readers.make_gold_doc(nlp, [{"text": TEXT, "entity_mentions": [mention]}], TAB)
    assert "Robert" not in str(info.value)


def test_remarks_lose_nothing_and_a_report_counts_all(nlp):
    mentions = [annotate(2, 10, span_text=" Robert\n"), annotate(3, 9)]
    mentions += [annotate(3, 16, "ORG"), annotate(30, 33, "LOC")]
    doc, report = read_one(nlp, mentions)
    kept = [(3, 9, "PERSON", ""), (3, 16, "ORG", ""), (29, 34, "LOC", "")]
    assert spans(doc, "pii") == kept
    counts = report.counts
    assert (counts["trimmed"], counts["duplicate"], counts["expanded"]) == (1, 1, 1)
    assert report.losses == 0 and report.overlaps == {"PERSON under ORG": 1}
    assert report.to_json()["labels"]["PERSON"]["overlapping"] == 1
    report = Report(max_issues=2)
    row = {"text": TEXT, "entity_mentions": [annotate(0, 99)] * 5}
    readers.make_gold_doc(nlp, [row], TAB, report)
    made = report.to_json()
    assert made["counts"]["out_of_bounds"] == made["losses"] == 5
    assert len(made["issues"]) == 2 and made["issues_left_out"] == 3
    assert "out of bounds        5" in report.table() and set(LOSSES) < set(KINDS)


NLP, OTHER = spacy.blank("en"), spacy.blank("en")
PLACES = st.integers(-2, 40)
ANY_KIND = st.builds(
    annotate, PLACES, PLACES, st.sampled_from(["PER", "PER", "LOC", "MISC", "NOPE", ""]),
    identifier_type=st.sampled_from(["DIRECT", "QUASI", "NO_MASK", "X", None]),
    entity_id=st.sampled_from(["1", "2", None]),
    span_text=st.sampled_from([None, "Murray"]),
)  # fmt: skip
LAYERS = st.lists(ANY_KIND | st.sampled_from([None, 3, {}]), max_size=12)
LETTERS = string.ascii_letters + "  .@\n"


@given(st.text(LETTERS, max_size=35), st.lists(LAYERS, min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_each_annotation_has_one_outcome(text, layers):
    records = [{"doc_id": 1, "text": text, "entity_mentions": m} for m in layers]
    report = Report()
    doc = readers.make_gold_doc(NLP, records, make_label_scheme("conll"), report)
    counts = report.counts
    assert counts["spans"] == sum(map(len, layers))
    assert counts["spans"] == sum(counts[kind] for kind in OUTCOMES)
    further = sum(len(g) for k, g in doc.spans.items() if k.startswith("mask:"))
    assert counts["kept"] == len(doc.spans["pii"]) + further
    assert len(report.issues) == sum(counts[k] for k in KINDS if KINDS[k].listed)
    # What is reported as overlapping is what the recognizer leaves out.
    learned = gold_spans(Example(NLP.make_doc(text), doc))
    assert len(learned) == len(doc.spans["pii"]) - counts["overlapping"]
    data = DocBin(docs=[doc], store_user_data=False).to_bytes()
    (copy,) = DocBin().from_bytes(data).get_docs(OTHER.vocab)
    assert set(copy.spans) == set(doc.spans)
    for key in doc.spans:
        assert spans(copy, key) == spans(doc, key)
        assert dict(copy.spans[key].attrs) == dict(doc.spans[key].attrs)


def test_ids_that_come_again(tmp_path, nlp):
    one = {"doc_id": "a", "text": "One.", "entity_mentions": []}
    bare = {"text": "No id.", "entity_mentions": []}
    last = {"doc_id": "b", "text": "Not annotated."}
    path = tmp_path / "a.jsonl"
    write(path, one, {**one, "text": "Two."}, bare, bare, one, last)
    report = Report()
    texts = sorted(r[0]["text"] for r in readers.read_jsonl(path, report))
    assert texts == ["No id.", "No id.", "One.", "Two."]
    lines = {"duplicate_id": 2, "duplicate_document": 5, "missing_annotation": 6}
    assert {i.kind: i.line for i in report.issues} == lines and len(report.issues) == 3
    assert len(list(readers.group_annotators(readers.read_records(path)))) == 4


def test_corpora_pickle_limit_and_tell_losses_and_changes_once(nlp, tmp_path):
    broken = {"text": TEXT, "entity_mentions": [*MENTIONS, annotate(9, 99)]}
    path = write(tmp_path / "a.jsonl", broken, broken)
    corpus = pickle.loads(pickle.dumps(JsonlCorpus(str(path), limit=1)))
    with pytest.warns(UserWarning, match="out of bounds 1") as caught:
        assert len(list(corpus(nlp))) == 1
    assert len(caught) == 1
    with pytest.raises(ValueError, match="limit must be 0 or more"):
        JsonlCorpus(path, limit=-1)
    with pytest.raises(ValueError, match="unknown label scheme 'nope'"):
        JsonlCorpus(path, scheme="nope")
    # The second ends inside of a token and lies across the first.
    changed = {"text": TEXT, "entity_mentions": [*MENTIONS, annotate(14, 20)]}
    path = write(tmp_path / "a.jsonl", changed, changed)
    corpus = JsonlCorpus(str(path))
    with pytest.warns(UserWarning) as caught:
        first = [spans(eg.reference, "pii") for eg in corpus(nlp)]
        # The next epoch.
        assert [spans(eg.reference, "pii") for eg in corpus(nlp)] == first
    (message,) = (str(w.message) for w in caught)
    assert "a.jsonl: " in message and "changed: expanded 2, overlapping 2." in message
    assert "lost" not in message and "Murray" not in message
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = write(tmp_path / "b.jsonl", {"text": TEXT, "entity_mentions": MENTIONS})
        assert len(list(JsonlCorpus(str(path))(nlp))) == 1


def test_published_benchmark(nlp):
    """Several annotators, none, an id that comes again, and what was checked."""
    path = Path(__file__).with_name("published.json")
    make = spacy.registry.readers.get("spacy_deid.TabCorpus.v1")
    assert make is TabCorpus
    with pytest.warns(UserWarning, match="missing annotation 1"):
        docs = [eg.reference for eg in make(path)(nlp)]
    assert len(docs) == 2
    assert spans(docs[0], "mask:annotator7") == [(29, 34, "DIRECT", "e2")]
    assert docs[0].spans["mask"].attrs["annotator"] == "annotator1"
    report = Report()
    checked = list(read_documents("tab", path, report, quality_checked=True))
    assert [records[0]["doc_id"] for records in checked] == ["001-2", "001-1"]
    assert {i.kind: i.doc_id for i in report.issues} == {"missing_annotation": "001-3"}


@pytest.mark.parametrize("annotations,kinds", cases(__file__, "annotations"))
def test_annotations_of_other_shapes(nlp, tmp_path, annotations, kinds):
    path = write(tmp_path / "a.jsonl", {"text": TEXT, "annotations": annotations})
    for name in ("jsonl", "tab"):
        report = Report()
        documents = read_documents(name, path, report)
        docs = list(readers.make_gold_docs(nlp, documents, TAB, report))
        assert [i.kind for i in report.issues] == kinds
        assert len(docs) == (kinds != ["missing_annotation"])


def test_covered_types_labels_of_other_schemes_and_what_a_mark_joins(nlp, tmp_path):
    row = record("[Ann Lee](PERSON), Leeds", covers=["PERSON"])
    doc = readers.make_gold_doc(nlp, [row], TAB)
    assert doc.spans["pii"].attrs["covers"] == ["PERSON"]
    for covers in ("PERSON", ["PERSN"], [1], None, [["PERSON"]]):
        file = write(tmp_path / "a.jsonl", record("x"), record("Ann", covers=covers))
        with pytest.raises(InputError, match="line 2: 'covers' must be a list"):
            list(readers.read_jsonl(file, Report()))
    # A mark joins only what stands after it.
    mentions = [annotate(6, 7), annotate(0, 3), annotate(6, 7), annotate(5, 10)]
    doc, report = read_one(nlp, mentions, text="rob @ @ rob_m")
    assert [span[:2] for span in spans(doc, "pii")] == [(6, 7), (0, 3), (6, 13)]
    assert report.counts["joined"] == 0 and report.counts["kept"] == 3
    mentions = [annotate(3, 9, "MALE"), annotate(29, 34, "CITY")]
    group = read_one(nlp, mentions, "emails")[0].spans["pii"]
    told = {
        "scheme": "emails", "native": ["MALE", "CITY"], "subtypes": ["GIVEN_NAME", "CITY"],
        "covers": ["PERSON", "CODE", "LOC", "ORG", "DATETIME"],
    }  # fmt: skip
    assert {name: group.attrs[name] for name in told} == told
    others = gold_labels(group, make_label_scheme("meddocan"))
    assert others == ["NOMBRE_SUJETO_ASISTENCIA", "TERRITORIO"]
