import json
import re

import pytest

from spacy_deid.corpora.brat import read_brat
from spacy_deid.corpora.readers import make_gold_docs, read_jsonl
from spacy_deid.corpora.report import Report
from spacy_deid.label_schemes import make_label_scheme

from ..cases import cases

TEXT = "Paciente: Ana Gil.\nVive en la Calle Mayor, 3\nde Madrid.\n"
ANN = """T1\tNOMBRE_SUJETO_ASISTENCIA 10 17\tAna Gil
T2\tCALLE 30 44\tCalle Mayor, 3
T3\tTERRITORIO 48 54\tMadrid
"""
MEDDOCAN = make_label_scheme("meddocan")
GOLD = [("Ana Gil", "NOMBRE_SUJETO_ASISTENCIA"), ("Calle Mayor, 3", "CALLE"),
        ("Madrid", "TERRITORIO")]  # fmt: skip
# Offsets of files with CRLF: both characters count, as in brat, or as one.
CRLF = TEXT.replace("\n", "\r\n")


def put(folder, name="a", text=TEXT, ann=ANN, encoding="utf-8"):
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, content in ((".txt", text), (".ann", ann)):
        if content is not None:
            (folder / (name + suffix)).write_bytes(content.encode(encoding))
    return folder


@pytest.fixture
def load(read):
    return lambda path, **options: read(read_brat, path, "meddocan", **options)


def test_pairs_of_files_become_documents(load, found, tmp_path):
    put(tmp_path / "one", "b.1")
    put(tmp_path, "a", ann="")
    docs, report = load(tmp_path)
    assert [found(doc) for doc in docs] == [[], GOLD]
    assert docs[1].text == TEXT and report.issues == []
    records = [r for rs in read_brat(tmp_path, Report()) for r in rs]
    assert [r["doc_id"] for r in records] == ["a", "one/b.1"]
    for suffix in (".txt", ".ann"):
        one, _ = load(tmp_path / "one" / f"b.1{suffix}")
        assert [found(doc) for doc in one] == [GOLD]


def test_other_lines_are_counted_and_pieces_share_an_entity(load, found, tmp_path):
    ann = ANN + "".join(cases(__file__, "other lines"))
    (doc,), report = load(put(tmp_path, ann=ann))
    assert found(doc) == GOLD
    counts = dict(report.counts)
    kinds = ("relation", "event", "attribute", "normalization", "note")
    assert [counts[k] for k in kinds] == [2, 1, 2, 1, 1] and not report.losses
    ann = "T7\tCALLE 30 41;43 44;48 54\tCalle Mayor 3 Madrid\n"
    (doc,), report = load(put(tmp_path, ann=ann))
    pieces = [(s.text, s.id_) for s in doc.spans["pii"]]
    assert pieces == [("Calle Mayor", "T7"), ("3", "T7"), ("Madrid", "T7")]
    (issue,) = report.issues
    assert (issue.kind, issue.start, issue.end) == ("discontinuous", 30, 54)
    # White space of the written text does not matter.
    ann = "T1\tCALLE 30 54\tCalle Mayor, 3 de Madrid\nT2\tPAIS 48 54\n"
    (doc,), report = load(put(tmp_path, ann=ann))
    assert [s.text for s in doc.spans["pii"]] == [TEXT[30:54], "Madrid"]
    assert not report.losses


@pytest.mark.parametrize("line, kind", cases(__file__, "broken"))
def test_broken_annotations_are_reported_by_line(load, found, tmp_path, line, kind):
    (doc,), report = load(put(tmp_path, ann=ANN + line + "\n"))
    assert found(doc) == GOLD
    assert {(i.kind, i.line) for i in report.issues if i.kind == kind} == {(kind, 4)}
    assert report.counts[kind] == report.losses > 0
    shown = json.dumps(report.to_json()) + report.table()
    assert "España" not in shown and "Paciente" not in shown


def shifted(n):
    """The annotations as a tool counts that adds n characters a line and before."""
    lines = []
    for head, start, end, said in re.findall(r"(.*) (\d+) (\d+)(\t.*\n)", ANN):
        add = n * (TEXT[: int(start)].count("\n"))
        lines.append(f"{head} {int(start) + add} {int(end) + add}{said}")
    return "".join(lines)


@pytest.mark.parametrize(
    "text,ann,kind,n",
    [(CRLF, shifted(1).replace("\n", "\r\n"), None, 2), (CRLF, ANN, "line_breaks", 1),
     ("\ufeff" + TEXT, ANN, None, 1)],
)  # fmt: skip
def test_line_breaks_and_byte_order_marks(load, found, tmp_path, text, ann, kind, n):
    (doc,), report = load(put(tmp_path, text=text, ann=ann))
    assert found(doc) == GOLD
    assert [i.kind for i in report.issues] == ([kind] if kind else [])
    assert doc.text.count("\r") == (3 if n == 2 else 0)


def test_files_without_their_other_half(load, found, tmp_path):
    put(tmp_path, "a")
    put(tmp_path, "no_ann", ann=None)
    put(tmp_path, "no_txt", text=None)
    docs, report = load(tmp_path)
    assert [found(doc) for doc in docs] == [GOLD]
    counts = report.counts
    assert counts["missing_annotation"] == counts["broken_document"] == 1
    assert counts["missing_text"] == 3 and counts["kept"] == 3
    places = {(i.kind, i.doc_id, i.line) for i in report.issues}
    missing = {("missing_annotation", "no_ann", None), ("missing_text", "no_txt", 2)}
    assert missing <= places


def test_what_cannot_be_read(load, tmp_path):
    (tmp_path / "a.pdf").touch()
    for name, told in cases(__file__, "errors"):
        with pytest.raises(ValueError, match=told):
            load(tmp_path / name)


def test_real_notes_come_back_from_stand_off(load, found, shared_data, nlp, tmp_path):
    path = shared_data / "meddocan" / "dev.jsonl"
    records = [r for rs in read_jsonl(path, Report()) for r in rs][:40]
    for record in records:
        lines = (
            f"T{i}\t{m['entity_type']} {m['start_offset']} {m['end_offset']}\t"
            f"{m['span_text']}\n"
            for i, m in enumerate(record["entity_mentions"], start=1)
        )
        put(tmp_path, record["doc_id"], record["text"], "".join(lines))
    docs, report = load(tmp_path)
    expected = make_gold_docs(nlp, ([r] for r in records), MEDDOCAN, Report())
    # Some texts begin with a byte order mark, which their offsets count.
    by_text = {doc.text.removeprefix("\ufeff"): found(doc) for doc in expected}
    assert {doc.text: found(doc) for doc in docs} == by_text
    assert report.counts["kept"] == sum(map(len, by_text.values())) > 500
    assert not report.losses
