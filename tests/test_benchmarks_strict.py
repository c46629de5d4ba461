"""Strict scores count characters and labels, nothing else."""

import json
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import DocBin, Span, SpanGroup

from spacy_deid.label_schemes import make_label_scheme

PATH = Path(__file__).parents[1] / "benchmarks" / "strict.py"
TEXT = "Ana Gil, 41 años, vive en Lugo. Dra. Eva Sanz. Tel. 981 000 000"


@pytest.fixture(scope="module")
def bench(load_benchmark):
    return load_benchmark("strict")


def mention(text, label):
    start = TEXT.index(text)
    return {
        "start_offset": start,
        "end_offset": start + len(text),
        "entity_type": label,
    }


RECORD = {
    "text": TEXT,
    "entity_mentions": [
        mention("Ana Gil", "NOMBRE_SUJETO_ASISTENCIA"),
        mention("41 años", "EDAD_SUJETO_ASISTENCIA"),
        mention("Lugo", "TERRITORIO"),
        mention("Eva Sanz", "NOMBRE_PERSONAL_SANITARIO"),
    ],
}


@Language.factory("strict_test_marker", default_config={"scheme": "tab", "found": {}})
def make_marker(nlp, name, scheme, found):
    """Writes the spans it is told to, in the place of a recognizer."""
    table = make_label_scheme(scheme)

    def mark(doc):
        own, folded = [], []
        for text, label in found.items():
            start = doc.text.index(text)
            span = doc.char_span(start, start + len(text), label=label)
            own.append(span)
            type_ = table.to_tab(label)[0]
            folded.append(Span(doc, span.start, span.end, label=type_))
        doc.spans["pii_ner"] = SpanGroup(doc, name="pii_ner", spans=own)
        doc.spans["pii"] = SpanGroup(doc, name="pii", spans=folded)
        return doc

    return mark


def pipeline(found, scheme="meddocan"):
    nlp = spacy.blank("es")
    config = {"scheme": scheme, "found": found}
    nlp.add_pipe("strict_test_marker", "pii_ner", config=config)
    return nlp


FOUND = {
    "Ana Gil": "NOMBRE_SUJETO_ASISTENCIA",
    "41": "EDAD_SUJETO_ASISTENCIA",  # too short
    "Eva Sanz": "NOMBRE_SUJETO_ASISTENCIA",  # the right type, not the right label
    "Tel": "TERRITORIO",  # nothing there
}


def test_measure(bench):
    nlp = pipeline(FOUND)
    scores = bench.measure(nlp, [RECORD], make_label_scheme("meddocan"))
    assert scores["documents"] == 1
    native = scores["pii_ner, meddocan"]
    assert (native["found"], native["gold"]) == (4, 4)
    strict = native["strict"]
    assert {k: strict[k] for k in "prf"} == {"p": 0.25, "r": 0.25, "f": 0.25}
    person = strict["per_type"]["NOMBRE_SUJETO_ASISTENCIA"]
    assert person == {"p": 0.5, "r": 1.0, "f": 0.6667, "gold": 1}
    assert strict["per_type"]["NOMBRE_PERSONAL_SANITARIO"]["r"] == 0
    assert {k: native["overlap"][k] for k in "pr"} == {"p": 0.5, "r": 0.5}
    assert {k: native["any_label"][k] for k in "pr"} == {"p": 0.75, "r": 0.75}
    # Of six tokens found three are right: Ana, Gil, 41. Gold has seven.
    assert {k: native["token"][k] for k in "pr"} == {"p": 0.5, "r": round(3 / 7, 4)}
    assert native["token"]["per_type"]["TERRITORIO"]["gold"] == 1
    for layer in ("pii_ner, semantic", "pii, semantic"):
        assert scores[layer]["strict"]["f"] == 0.5
        assert scores[layer]["strict"]["per_type"]["PERSON"]["f"] == 1


def test_all_found(bench):
    found = {
        TEXT[m["start_offset"] : m["end_offset"]]: m["entity_type"]
        for m in RECORD["entity_mentions"]
    }
    scores = bench.measure(pipeline(found), [RECORD] * 3, make_label_scheme("meddocan"))
    assert scores["documents"] == 3
    for layer in ("pii_ner, meddocan", "pii_ner, semantic", "pii, semantic"):
        for kind in ("strict", "overlap", "any_label", "token"):
            assert scores[layer][kind]["f"] == 1


def test_gold_offsets_that_no_token_has(bench):
    """Half a token is annotated: the whole token is not right."""
    record = {"text": TEXT, "entity_mentions": [mention("Lug", "TERRITORIO")]}
    scores = bench.measure(
        pipeline({"Lugo": "TERRITORIO"}), [record], make_label_scheme("meddocan")
    )
    assert scores["pii_ner, meddocan"]["strict"]["f"] == 0
    assert scores["pii_ner, meddocan"]["overlap"]["f"] == 1


def test_types_and_foreign_schemes(bench):
    record = {
        "text": TEXT,
        "entity_mentions": [mention("Ana Gil", "PER"), mention("Lugo", "LOCderiv")],
    }
    germeval = make_label_scheme("germeval2014")
    scores = bench.measure(pipeline(FOUND), [record], germeval, ["PERSON"])
    # Its labels are others: only types can be compared.
    assert "pii_ner, meddocan" not in scores and "pii_ner, germeval2014" not in scores
    assert scores["pii, semantic"]["gold"] == 1
    assert scores["pii, semantic"]["found"] == 2
    # A corpus says nothing of types that it does not annotate: the age is no error.
    conll = {"text": TEXT, "entity_mentions": [mention("Ana Gil", "PER")]}
    scores = bench.measure(pipeline(FOUND), [conll], make_label_scheme("conll"))
    assert set(scores["pii, semantic"]["strict"]["per_type"]) == {"PERSON", "LOC"}


def test_without_a_recognizer(bench):
    nlp = spacy.blank("es")
    scores = bench.measure(nlp, [RECORD], make_label_scheme("meddocan"))
    assert list(scores) == ["documents", "pii, semantic"]
    assert scores["pii, semantic"]["strict"]["p"] is None
    assert scores["pii, semantic"]["strict"]["r"] == 0


def test_tokens_count_for_the_longest_span_and_punctuation_for_none(bench):
    doc = spacy.blank("es")("Hotel Lugo, Gil (Ana)")
    spans = [(0, 10, "ORG"), (6, 10, "LOC"), (12, 21, "PER"), (12, 14, "MISC")]
    labels = bench.token_labels(doc, {bench.LabelledSpan(*span) for span in spans})
    # The last ends inside a token and is the shorter one there.
    assert [labels.get(token.i) for token in doc] == [
        "ORG", "ORG", None, "PER", None, "PER", None
    ]  # fmt: skip


def test_drop_inner(bench):
    spans = {
        bench.LabelledSpan(*span)
        for span in [
            (0, 12, "ORG"),
            (6, 12, "LOC"),
            (0, 5, "PER"),
            (12, 20, "PER"),
            (12, 20, "ORG"),
            (18, 25, "LOC"),
        ]
    }
    kept = bench.drop_inner(spans)
    assert spans - kept == {(6, 12, "LOC"), (0, 5, "PER")}
    mentions = [
        {"start_offset": s, "end_offset": e, "entity_type": label}
        for s, e, label in spans
    ]
    record = {"text": "x" * 25, "entity_mentions": mentions}
    assert bench.gold_spans(record, lambda label: label) == spans
    assert bench.gold_spans(record, lambda label: label, outermost=True) == kept


@pytest.mark.parametrize(
    "counts,expected",
    [
        ((0, 0, 0, 0), (None, None, None)),
        ((0, 3, 0, 2), (0, 0, 0)),
        ((2, 2, 1, 4), (1, 0.25, 0.4)),
    ],
)
def test_prf(bench, counts, expected):
    scores = bench.prf(*counts)
    assert tuple(scores[k] for k in "prf") == expected


def test_command(bench, tmp_path, capsys):
    nlp = spacy.blank("es")
    nlp.add_pipe("pii_gazetteer")
    nlp.to_disk(tmp_path / "rules")
    record = {
        "text": "Correo: eva.sanz@example.org",
        "entity_mentions": [
            {"start_offset": 8, "end_offset": 28, "entity_type": "CORREO_ELECTRONICO"}
        ],
    }
    srsly.write_jsonl(tmp_path / "gold.jsonl", [record])
    args = [str(tmp_path / "rules"), str(tmp_path / "gold.jsonl")]
    output = tmp_path / "metrics" / "scores.json"
    assert bench.main([*args, "--scheme", "meddocan", "--output", str(output)]) == 0
    scores = srsly.read_json(output)
    assert scores == json.loads(capsys.readouterr().out)
    assert scores["pii, semantic"]["strict"]["f"] == 1
    # Of two documents only the one that was held back counts.
    srsly.write_jsonl(tmp_path / "gold.jsonl", [record, RECORD])
    held_out = tmp_path / "dev.spacy"
    DocBin(docs=[nlp.make_doc(record["text"])]).to_disk(held_out)
    options = ["--scheme", "meddocan", "--held-out", str(held_out)]
    assert bench.main([*args, *options]) == 0
    assert json.loads(capsys.readouterr().out) == scores
    DocBin(docs=[nlp.make_doc("Otro.")]).to_disk(held_out)
    # One line that says what is wrong.
    for bad in (
        options,
        ["--scheme", "nothing"],
        ["--scheme", "btc", "--types", "CODE"],
    ):
        assert bench.main([*args, *bad]) == 1
        error = capsys.readouterr().err
        assert error.startswith("strict: ") and error.count("\n") == 1
    assert bench.main([args[0], str(tmp_path / "none.jsonl")]) == 1
