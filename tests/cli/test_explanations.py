"""Why something is masked: in the output in words without originals, in the audit with
the evidence."""

import json

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Span
from spacy.training import Example

from spacy_deid.embedded import DEFAULT_PIPELINE
from spacy_deid.gazetteers import Compiler, Entry
from spacy_deid.records.results import PEOPLE_FIELDS, read_doc
from spacy_deid.schema import PII_KEY, Candidate, set_group

from ..cases import cases

TEXT = "Quentin Canaryman, a Polish lawyer, is in Leeds with 100 bees. Canaryman left."
SPANS = cases(__file__, "spans")


def candidates(doc):
    for words, label, _, id_, source, reason in SPANS:
        if words in doc.text:
            start = doc.text.index(words)
            span = doc.char_span(start, start + len(words))
            yield Candidate(span.start, span.end, label, id_, 1, source, reason)


@Language.component("explain_test_detector")
def detector(doc):
    found = [*candidates(doc)]
    set_group(doc, PII_KEY, found, entity_ids=list(range(len(found))))
    return doc


@Language.component("explain_test_scorer")
def scorer(doc):
    """As a risk scorer with somebody's indicators, one of which tells too much."""
    found = doc.spans[PII_KEY]
    decisions = {words: decision for words, _, decision, *_ in SPANS}
    masked = [decisions[s.text] != "NO_MASK" for s in found]
    told = {
        "entity_ids": list(range(len(found))), "labels": [s.label_ for s in found],
        "risk": [0.9 if m else 0.1 for m in masked],
        "votes": [{"rare": m, "web": False} for m in masked],
        "reasons": [f"100 people share {s.text}; canaryman knows" if m else "below 0.5"
                    for s, m in zip(found, masked)],
        "evidence": [{"web": [f"https://example.org/{s.text}"]} for s in found],
    }  # fmt: skip
    pairs = zip(candidates(doc), found)
    judged = [c._replace(label=decisions[s.text]) for c, s in pairs]
    set_group(doc, "mask", judged, **told)
    return doc


def make_model(path, *pipes):
    nlp = spacy.blank("en")
    for name in pipes:
        nlp.add_pipe(name)
    strategy = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    nlp.to_disk(path)
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m"
    return make_model(path, "explain_test_detector", "explain_test_scorer")


@pytest.fixture
def audited(run_rows, tmp_path, read_jsonl):
    def run(rows, *args, model):
        audit = tmp_path / "audit.jsonl"
        records, said = run_rows(rows, "--audit", audit, "--model", model, *args)
        return records, read_jsonl(audit), said

    return run


@pytest.fixture
def run(audited, model):
    def run(*args, fields=(), model=model):
        rows = [{"doc_id": "d", "text": TEXT, **dict(fields)}]
        (record,), (line,), said = audited(rows, *args, model=model)
        return record, line, said

    return run


def by_place(spans):
    return {TEXT[s["start"] : s["end"]]: s for s in spans}


def told_of(span, wanted):
    assert {name: span.get(name) for name in wanted} == wanted


def test_output_says_why_without_originals_or_their_places(run):
    record, _, said = run()
    spans = by_place(record["spans"])
    # What somebody's indicator quotes is taken out, what has figures goes as a whole.
    # Its item, its property, or how many people share it tell the term.
    for words, wanted in cases(__file__, "output"):
        told_of(spans[words], wanted)
    assert "found" not in spans["100"] and "votes" not in spans["Polish"]
    # The name alone was no span: it is masked as it repeats one.
    assert spans["Canaryman"]["reasons"].startswith("repeats something that is masked")
    written = (json.dumps(record) + said).lower()
    for original in ("quentin", "canaryman", "polish", "leeds", "example.org", "q36"):
        assert original not in written
    assert not any("evidence" in span for span in record["spans"])
    assert not set(PEOPLE_FIELDS) & set(record)
    with_them, without = (run(*args)[0] for args in ((), ("--no-original-offsets",)))
    assert without["spans"] != with_them["spans"]
    for span in with_them["spans"]:
        del span["start"], span["end"]
    assert without["spans"] == with_them["spans"]


def test_audit_and_extension_have_the_evidence(run, model):
    record, line, _ = run()
    spans = by_place(line["spans"])
    assert {"Quentin Canaryman", "Polish", "Leeds", "100", "Canaryman"} == set(spans)
    (kept,) = line["kept"]
    for words, wanted in cases(__file__, "audit"):
        told_of(kept if words == "lawyer" else spans[words], wanted)
    assert spans["Polish"]["found"].endswith("(P27, Q36); 20,000 people on record")
    assert spans["Canaryman"]["votes"] == spans["Quentin Canaryman"]["votes"]
    rows = (record["spans"], (*line["spans"], kept))
    shown, known = ({(s["start"], s["end"]) for s in spans} for spans in rows)
    assert shown == known
    doc = spacy.load(model)(TEXT)
    assert doc.char_span(0, 17)._.risk_reasons == doc.spans["mask"].attrs["reasons"][0]
    assert doc[0:1]._.risk_reasons == ""


def test_what_is_masked_though_not_risky_says_so(run, tmp_path):
    record, _, _ = run("--mask", "all")
    span = by_place(record["spans"])["lawyer"]
    assert span["decision"] == "QUASI"
    assert span["reasons"].startswith("masked nevertheless")
    assert "Q40348" not in json.dumps(record)
    # Without a risk scorer nobody says why.
    record, line, _ = run(model=make_model(tmp_path / "plain", "explain_test_detector"))
    assert by_place(record["spans"])["Polish"]["found"] == "a listed term"
    assert not any({"votes", "reasons"} & set(span) for span in record["spans"])
    assert not any({"votes", "evidence"} & set(span) for span in line["spans"])


def test_a_replacement_of_several_spans_has_the_reasons_of_all(nlp):
    doc = nlp("Ann Lee of Leeds")
    doc.spans["pii"] = [Span(doc, 0, 2, label="PERSON"), Span(doc, 3, 4, label="LOC")]
    told = {"votes": [{"a": True, "b": False}, {"a": False, "b": True}]}
    told |= {"reasons": ["one", "two"], "evidence": [{"a": ["x"]}, {"a": ["x", "y"]}]}
    both = [Candidate(0, 2, "DIRECT"), Candidate(3, 4, "QUASI")]
    set_group(doc, "mask", both, **told)
    set_group(doc, "deid", [Candidate(0, 4, "PERSON")], entity_ids=[0])
    doc._.deid_text, doc._.deid_offsets = "***", [[0, 16, 0, 3]]
    record = read_doc(doc)
    told = record.explanations[0, 16]
    assert told["votes"] == {"a": True, "b": True}
    assert record.spans[0]["reasons"] == told["reasons"] == "one; two"
    assert told["evidence"] == {"a": ["x", "y"]}


def test_people_who_share_it(run, deid, tmp_path, read_jsonl, key):
    """By a pipeline whose only indicator counts people: 1,000,000 · 2 % · 5 % = 1,000
    are Polish lawyers, 4 of them live in Leeds."""
    compiler = Compiler(humans=1_000_000)
    for row in cases(__file__, "people"):
        compiler.add(Entry(*row))
    (tmp_path / "people.gaz").write_bytes(compiler.to_bytes())
    nlp = spacy.blank("en")
    nlp.add_pipe("explain_test_detector")
    risk = "spacy_deid.combination_risk.v1"
    config = {
        "indicators": {"shared": {"@deid_indicators": risk, "threshold": 500}},
        "combine": {"@deid_combinations": "spacy_deid.any.v1", "among": ["shared"]},
    }
    scorer = nlp.add_pipe("risk_scorer", config=config)
    doc = detector(nlp.make_doc(TEXT))
    reference = doc.copy()
    reference.spans["mask"] = [Span(reference, 0, 2, label="DIRECT")]
    settings = {"shared": {"gazetteers": [tmp_path / "people.gaz"]}}
    examples = [Example(doc, reference)]
    scorer.initialize(lambda: examples, nlp=nlp, indicators=settings)
    strategy = {"@deid_strategies": "spacy_deid.redact.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    nlp.to_disk(tmp_path / "counting")
    vault, own = ("--vault", tmp_path / "v.vault"), {"deid_k": "canary", "n": 1}
    record, line, said = run(*vault, model=tmp_path / "counting", fields=own)
    spans, known = by_place(record["spans"]), by_place(line["spans"])["Leeds"]
    assert spans["Leeds"]["decision"] == "QUASI"
    assert spans["Polish"]["decision"] == "NO_MASK"
    assert "only 4 people on record share this" in known["reasons"]
    assert known["votes"]["shared"] is True
    # The names of the fields of the Doc; a field of the input gives way and is told.
    assert line["deid_k"] == pytest.approx(4)
    assert line["deid_k_left"] == pytest.approx(1000)
    # The output has powers of ten: a count tells who has the same lists.
    assert (record["deid_k"], record["deid_k_left"], record["n"]) == (1, 1000, 1)
    assert "deid_k 1" in said
    # What is restored is without the numbers.
    deid("restore", tmp_path / "out.jsonl", tmp_path / "back.jsonl", *vault)
    (whole,) = read_jsonl(tmp_path / "back.jsonl")
    assert whole == {"doc_id": "d", "text": TEXT, **own}


def test_the_embedded_pipeline_tells_how_many_people_share_it(audited):
    """Counts come with the package: of 97,000 people some thousand are writers, fewer
    are lawyers. Regression: k was never shown."""
    jobs = ("writer", "lawyer")
    texts = [f"Mr Karl Brenner, born in Poland, is a {job}." for job in jobs]
    texts.append("Please restart the service.")
    rows = [{"doc_id": str(i), "text": text} for i, text in enumerate(texts)]
    shown, exact, _ = audited(rows, model=DEFAULT_PIPELINE)
    writer, lawyer, nobody = (line["deid_k"] for line in exact)
    assert nobody == 97_000 and 5000 < writer < 10_000 and 500 < lawyer < 1000
    assert [record["deid_k"] for record in shown] == [1000, 100, 10_000]
    for record, line in zip(shown, exact):
        assert line["deid_k"] <= line["deid_k_left"] < 10 * record["deid_k_left"]


def test_embedded_pipeline_explains_every_span(audited):
    (text,) = cases(__file__, "text")
    (record,), (line,), _ = audited([{"text": text}], model=DEFAULT_PIPELINE)
    assert record["spans"]
    for span in record["spans"]:
        assert "of the person by type and context" in span["reasons"]
        assert span["risk"] in ("low", "medium", "high", None)
        assert not any(map(str.isdigit, span["reasons"] + span["found"]))
        assert "Canary" not in json.dumps(span)
        if span["decision"] != "NO_MASK":
            shown = json.dumps({k: span[k] for k in ("found", "reasons") if k in span})
            original = text[span["start"] : span["end"]]
            assert len(original) < 3 or original not in shown
    for span in (*line["spans"], *line["kept"]):
        # What the profile orders is a vote, too.
        voters = {"classifier", "doubt", "known_direct", "sequence", "shared"}
        assert set(span["votes"]) - {"orders"} == voters
        assert "(weighted probability 0." in span["reasons"]
    assert len(line["spans"]) + len(line["kept"]) == len(record["spans"])
