import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span, SpanGroup

from spacy_deid.corpora import silver as silvering
from spacy_deid.corpora.silver import SilverAnnotator, find_scheme, make_gazetteer
from spacy_deid.gazetteers import Compiler, Entry
from spacy_deid.schema import Candidate

from ..cases import cases

TEXT, FORMULA, CASE = cases(__file__, "texts")
ENTS = dict(cases(__file__, "entities"))


def ruler(patterns=ENTS):
    nlp = spacy.blank("en")
    rules = [{"label": k, "pattern": p} for k, texts in patterns.items() for p in texts]
    if rules:
        nlp.add_pipe("entity_ruler").add_patterns(rules)
    return nlp


def annotate(silver, text):
    ((mentions, counts),) = silver.annotate([text])
    return mentions, counts


def shown(text, mentions):
    keys = ("start_offset", "end_offset", "entity_type", "subtype")
    rows = [[m[key] for key in keys] for m in mentions]
    return [(text[start:end], *rest) for start, end, *rest in rows]


def test_longest_span_wins_and_agreement_is_counted(tmp_path):
    compiler = Compiler()
    compiler.add(Entry("Computer Science", "MISC", "Q21198", "P101", 10))
    compiler.add(Entry("Leeds", "LOC", "Q39121", "P19", 10))
    compiler.write(tmp_path / "own.gaz")
    nlp, files = ruler(), [tmp_path / "own.gaz"]
    gazetteer = make_gazetteer(nlp, gazetteers=files, term_threshold=0.0)
    mentions, counts = annotate(SilverAnnotator(nlp, gazetteer), TEXT)
    found = {text: (label, sub) for text, label, sub in shown(TEXT, mentions)}
    # The pattern's date is longer than the recognizer's year.
    assert found["3 May 1980"] == ("DATETIME", "DATE")
    assert found["Computer Science"][0] == "MISC"
    assert found["lawyer"] == ("DEM", "OCCUPATION") and "1980" not in found
    for pair in ("DATETIME/overlap", "LOC/same", "PERSON/alone"):
        assert counts["agreement"][pair] == 1
    assert counts["sources"] == {"ner": 2, "pattern": 1, "term": 2}
    # A Wikidata id is no subtype.
    assert not [m for m in mentions if m["subtype"].startswith("Q")]


def test_parts_can_be_off_and_labels_without_a_place_are_counted():
    nlp = ruler()
    assert make_gazetteer(nlp, patterns=False, seed_terms=False) is None
    only_terms = make_gazetteer(nlp, patterns=False)
    mentions, _ = annotate(SilverAnnotator(ruler({}), only_terms), TEXT)
    assert {m["source"].partition(":")[0] for m in mentions} == {"term"}
    only_patterns = make_gazetteer(nlp, seed_terms=False)
    mentions, _ = annotate(SilverAnnotator(ruler({}), only_patterns), TEXT)
    assert shown(TEXT, mentions) == [("3 May 1980", "DATETIME", "DATE")]
    mentions, counts = annotate(SilverAnnotator(ruler()), "Rex came first -- to Leeds.")
    assert shown("Rex came first -- to Leeds.", mentions) == [("Leeds", "LOC", "")]
    assert counts["unknown"] == {"PET": 1}
    assert counts["dropped"] == {"not_personal": 1, "no_letter_or_digit": 1}
    assert counts["labels"] == {"PET": 1, "ORDINAL": 1, "CARDINAL": 1, "GPE": 1}


def test_span_group_with_scores():
    nlp = spacy.blank("en")

    @Language.component("silver_test_spans")
    def find(doc):
        spans = [Span(doc, 0, 2, "PER"), Span(doc, 3, 4, "LOC")]
        doc.spans["mine"] = SpanGroup(doc, spans=spans, attrs={"scores": [0.9, 0.31]})
        return doc

    nlp.add_pipe("silver_test_spans")
    settings = {"spans_key": "mine", "scheme": "conll"}
    mentions, _ = annotate(SilverAnnotator(nlp, **settings), "Ann Lee of Leeds.")
    rows = [(m["entity_type"], m["score"]) for m in mentions]
    assert rows == [("PERSON", 0.9), ("LOC", 0.31)]
    silver = SilverAnnotator(nlp, min_score=0.5, **settings)
    mentions, counts = annotate(silver, "Ann Lee of Leeds.")
    assert [m["entity_type"] for m in mentions] == ["PERSON"]
    assert counts["dropped"] == {"low_score": 1}
    with pytest.raises(ValueError, match="no span group 'other'; there are: 'mine'"):
        SilverAnnotator(nlp, spans_key="other").check_spans_key()


def test_propagation_and_long_texts_in_pieces():
    text = "\n\n".join(f"{i} Ann Lee lives in Leeds since 1980." for i in range(40))
    whole, _ = annotate(SilverAnnotator(ruler()), text)
    assert len(whole) == 120
    for size in (60, 97, 500):
        pieces, _ = annotate(SilverAnnotator(ruler(), max_piece=size), text)
        assert pieces == whole
    nlp = ruler()
    # It would raise, for no detector of its own ran: other components do not run.
    nlp.add_pipe("pseudonymizer")
    mentions, _ = annotate(SilverAnnotator(nlp), TEXT)
    assert "Lee" not in [text for text, *_ in shown(TEXT, mentions)]
    mentions, _ = annotate(SilverAnnotator(ruler(), propagate=True), TEXT)
    first, *_, last = mentions
    assert TEXT[last["start_offset"] : last["end_offset"]] == "Lee"
    assert last["source"].startswith("propagation")
    assert first["entity_id"] == last["entity_id"]


@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet="ab \n.!", max_size=200), size=st.integers(1, 50))
def test_cut_leaves_nothing_out(text, size):
    bounds = list(silvering.cut(text, size))
    assert "".join(text[a:b] for a, b in bounds) == text
    assert all(b - a <= size for a, b in bounds)
    assert all(a < b for a, b in bounds) or not text


def test_documents_of_the_evaluation_data_are_found():
    other = "Quite another matter about ships and the captains who sail them at night. "
    exclusion = silvering.Exclusion([CASE + FORMULA, other + FORMULA, CASE + FORMULA])
    assert exclusion.documents == 2
    assert exclusion.reason("He said: " + CASE.upper().replace(" ", "\n")) != ""
    assert exclusion.reason("In short, " + CASE[:100]) == "shared_run"
    # A formula that several have says nothing.
    assert exclusion.reason(FORMULA + " And quite other words follow it here.") == ""
    assert exclusion.reason("Nothing that was there before.") == ""
    assert exclusion.reason("") == ""


def test_docbin(tmp_path):
    silver = SilverAnnotator(ruler(), make_gazetteer(ruler()))
    texts = [TEXT, ""]
    rows = enumerate(zip(texts, [mentions for mentions, _ in silver.annotate(texts)]))
    records = [{"doc_id": i, "text": t, "entity_mentions": m} for i, (t, m) in rows]
    path = tmp_path / "silver.spacy"
    silvering.write_silver_docbin(records, path, "en")
    first, second = DocBin().from_disk(path).get_docs(spacy.blank("en").vocab)
    assert isinstance(first, Doc) and first.text == TEXT and len(second) == 0
    mentions = records[0]["entity_mentions"]
    group = first.spans["pii"]
    spans = [(s.start_char, s.end_char, s.label_, s.id_) for s in group]
    rows = list(zip(spans, group.attrs["scores"], group.attrs["sources"]))
    keys = ("start_offset", "end_offset", "entity_type", "entity_id")
    wanted = [tuple(m[key] for key in keys) for m in mentions]
    assert rows == [(w, m["score"], m["source"]) for w, m in zip(wanted, mentions)]
    assert len(rows) == len(group) == len(mentions)


def test_our_own_recognizer_is_recognized_and_agrees():
    nlp = spacy.blank("en")
    assert silvering.find_spans_key(nlp) == "ents"
    assert find_scheme(nlp, "ents") == "ontonotes"
    nlp.add_pipe("pii_ner", config={"spans_key": "found", "scheme": "conll"})
    assert silvering.find_spans_key(nlp) == "found"
    assert find_scheme(nlp, "found") == "conll"
    assert find_scheme(nlp, "pii") == "tab" and find_scheme(nlp, "ents") == "ontonotes"
    with pytest.raises(ValueError, match="unknown label scheme 'nothing'"):
        SilverAnnotator(nlp, scheme="nothing")
    merged = [Candidate(0, 2, "PERSON", source="ner:PER"), Candidate(4, 5, "LOC")]
    for *row, source, result in cases(__file__, "agreement"):
        other = Candidate(*row, source=source)
        assert silvering.agreements(merged, [*merged, other])[0] == result
