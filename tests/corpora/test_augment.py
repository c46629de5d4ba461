"""Swapping entities changes what is annotated, and nothing else."""

import pickle
import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training import Corpus, Example

from spacy_deid.corpora.augment import EntitySwap
from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.gazetteers import make_seed_terms
from spacy_deid.registries import registry
from spacy_deid.surrogates.term_rows import rows_by_subtype
from spacy_deid.text.names import name_tokens

from ..cases import cases

NAME = "spacy_deid.entity_swap.v1"
(TEXT,) = cases(__file__, "text")
SPANS = cases(__file__, "spans")
WORDS = st.sampled_from(cases(__file__, "words"))
GAPS = st.sampled_from([" ", " ", ", ", "-", "", "'s ", "\n"])


@pytest.fixture(scope="module")
def english():
    return blank_pipeline("en")


@pytest.fixture(autouse=True)
def _same_draws():
    random.seed(0)


def make_doc(nlp, text, spans, **attrs):
    """Spans are found in order, each after the start of the one before."""
    doc = nlp.make_doc(text)
    found, start = [], 0
    for part, label, entity in spans:
        start = text.index(part, start)
        span = doc.char_span(start, start + len(part), alignment_mode="expand")
        found.append(Span(doc, span.start, span.end, label, span_id=entity))
        start += len(part)
    doc.spans["pii"] = SpanGroup(doc, name="pii", attrs=attrs, spans=found)
    return doc


def make_example(nlp, text=TEXT, spans=SPANS, **attrs):
    return Example(nlp.make_doc(text), make_doc(nlp, text, spans, **attrs))


def swap(nlp, example, **settings):
    return EntitySwap(1.0, **settings).swap(nlp, example)


def texts(example, key="pii"):
    return [span.text for span in example.reference.spans[key]]


def outside(doc):
    """The text between the spans, and their labels and ids."""
    pieces, last = [], 0
    for span in doc.spans["pii"]:
        pieces.append(doc.text[last : span.start_char])
        last = span.end_char
    return [*pieces, doc.text[last:]], [(s.label_, s.id_) for s in doc.spans["pii"]]


def test_names_agree_formats_stay_and_listed_words_are_of_the_same_list(english):
    known = {t.term.casefold() for t in make_seed_terms(["occupations"])}
    rows = rows_by_subtype()["OCCUPATION"]
    known |= {term.casefold() for row in rows for term in row.terms}
    for seed in range(20):
        random.seed(seed)
        new = texts(swap(english, make_example(english)))
        given, family = new[0].split()
        assert (new[4], new[7]) == (f"Ms {family}", family.upper())
        assert new[11] == f"{given} {family}".lower() and new[2].startswith("Dr. ")
        words = set(" ".join(new).lower().split())
        assert not {"maria", "meyer", "thomas", "weber"} & words
        for i, form in cases(__file__, "forms"):
            assert re.fullmatch(form, new[i])
        assert new[10].casefold() in known and new[12].isupper()
        # One text, one replacement, but for the case.
        assert new[12].casefold() == new[10].casefold()


def test_all_groups_attributes_ids_entities_and_categories_stay(english):
    attrs = {"scheme": "btc", "native": ["PER"] * len(SPANS), "covers": ["PERSON"]}
    example = make_example(english, **attrs)
    doc = example.reference
    spans = list(doc.spans["pii"])
    judged = [Span(doc, s.start, s.end, "QUASI", span_id=s.id_) for s in spans]
    doc.spans["mask"] = SpanGroup(doc, name="mask", spans=judged)
    # Another annotator took the name without its title, and a longer place.
    title = Span(doc, spans[2].start + 1, spans[2].end, "DIRECT", span_id="x")
    place = Span(doc, spans[3].start - 1, spans[3].end, "QUASI", span_id="y")
    doc.spans["mask:annotator2"] = SpanGroup(doc, spans=[title, place])
    doc.set_ents([Span(doc, s.start, s.end, "THING", kb_id="Q1") for s in spans[:2]])
    doc.cats = {"LETTER": 1.0}
    doc._.deid_target = "p1"
    doc.user_data["title"] = "A letter"
    new = swap(english, example).reference
    assert outside(new) == outside(doc)
    assert new.spans["pii"].attrs == doc.spans["pii"].attrs
    made = [span.text for span in new.spans["pii"]]
    assert [span.text for span in new.spans["mask"]] == made
    for key in ("mask", "mask:annotator2"):
        rows = [[(s.label_, s.id_) for s in d.spans[key]] for d in (new, doc)]
        assert rows[0] == rows[1]
    name, place = (span.text for span in new.spans["mask:annotator2"])
    assert (made[2], place) == (f"Dr. {name}", f"in {made[3]}") and "Thomas" not in name
    ents = [(e.text, e.label_, e.kb_id_) for e in new.ents]
    assert ents == [(text, "THING", "Q1") for text in made[:2]]
    assert new.cats == {"LETTER": 1.0}
    assert (new._.deid_target, new.user_data["title"]) == ("p1", "A letter")
    # The example itself is as it was.
    assert doc.text == TEXT and texts(example) == [text for text, _, _ in SPANS]


@pytest.mark.parametrize("lang, marked, pattern", cases(__file__, "languages"))
def test_other_languages(lang, marked, pattern):
    nlp = blank_pipeline(lang)
    spans = [(*found, "") for found in re.findall(r"\[(.+?)\|([A-Z]+)\]", marked)]
    text = re.sub(r"\[(.+?)\|[A-Z]+\]", r"\1", marked)
    for seed in range(5):
        random.seed(seed)
        new = swap(nlp, make_example(nlp, text, spans))
        assert re.fullmatch(pattern, new.reference.text)
        for (old, _, _), made in zip(spans, texts(new)):
            assert old != made


def test_config_corpus_and_pickle(english, tmp_path):
    path = tmp_path / "train.spacy"
    docs = [make_example(english).reference for _ in range(4)]
    DocBin(docs=docs).to_disk(path)
    surrogates = {"@deid_surrogates": "spacy_deid.english_surrogates.v1"}
    augmenter = {"@augmenters": NAME, "level": 1.0, "surrogates": surrogates}
    reader = {"@readers": "spacy.Corpus.v1", "path": str(path), "gold_preproc": False}
    corpus = registry.resolve({"train": {**reader, "augmenter": augmenter}})["train"]
    assert isinstance(corpus, Corpus)
    read = list(corpus(english))
    assert len(read) == 4 and len({example.reference.text for example in read}) == 4
    for example in read:
        assert outside(example.reference) == outside(docs[0])
    # Once used, it has loaded its lists.
    random.seed(1)
    before = texts(corpus.augmenter.swap(english, make_example(english)))
    augmenter = pickle.loads(pickle.dumps(corpus.augmenter))
    random.seed(1)
    assert texts(augmenter.swap(english, make_example(english))) == before


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(parts=st.lists(st.tuples(WORDS, GAPS), max_size=14), seed=st.integers(0, 2**16))
def test_invariants(english, parts, seed):
    words, spaces, spans, persons = [], [], [], set()
    for (text, label), gap in parts:
        tokens = [t.text_with_ws for t in english.make_doc(text)]
        start = len(words)
        for token in tokens:
            words.append(token.rstrip(" ") or token)
            spaces.append(token != words[-1])
        if label:
            spans.append((start, len(words), label))
        if label == "PERSON":
            names = (t.text for t in name_tokens(text) if t.role != "title")
            names = (n.casefold().strip(".") for n in names)
            persons.update(n for n in names if len(n) > 1)
        if gap.strip(" "):
            words.append(gap.strip(" "))
            spaces.append(gap.endswith(" "))
        elif spaces:
            spaces[-1] = gap == " "
    doc = Doc(english.vocab, words=words, spaces=spaces)
    attrs = {"native": [label for *_, label in spans]}
    spans = [Span(doc, a, b, label, span_id=str(a)) for a, b, label in spans]
    doc.spans["pii"] = SpanGroup(doc, attrs=attrs, spans=spans)
    example = Example(english.make_doc(doc.text), doc)
    random.seed(seed)
    new = swap(english, example)
    # Labels, ids, number of entities, and all other text.
    assert outside(new.reference) == outside(doc)
    assert new.reference.spans["pii"].attrs == doc.spans["pii"].attrs
    assert new.predicted.text == new.reference.text and "pii" not in new.predicted.spans
    # No person is left in a person's place.
    made = [s.text for s in new.reference.spans["pii"] if s.label_ == "PERSON"]
    for word in persons:
        pattern = rf"\b{re.escape(word)}\b"
        assert not any(re.search(pattern, text.casefold()) for text in made)


def test_levels_types_cases_and_ends_inside_tokens(english):
    example = make_example(english, covers=["PERSON"])
    cases = set()
    for _ in range(20):
        (other,) = EntitySwap(0.0, recase=1.0)(english, example)
        text = other.reference.text
        assert text in (TEXT.lower(), TEXT.upper()) and other.predicted.text == text
        cases.add(text.islower())
        found = [s.text.lower() for s in other.reference.spans["pii"]]
        assert found == [part.lower() for part, *_ in SPANS]
        assert [s.label_ for s in other.reference.spans["pii"]] == [x[1] for x in SPANS]
        assert other.reference.spans["pii"].attrs["covers"] == ["PERSON"]
    assert cases == {True, False}
    (same,) = EntitySwap(0.0)(english, example)
    assert same is example
    with pytest.raises(ValueError, match="recase"):
        EntitySwap(0.5, recase=2)
    example = make_example(english)
    assert list(EntitySwap(0.0)(english, example)) == [example]
    made = [next(iter(EntitySwap(0.3)(english, example))) for _ in range(40)]
    assert 2 < sum(new is not example for new in made) < 25
    new = texts(swap(english, example, types=["PERSON"]))
    for (old, label, _), made in zip(SPANS, new):
        assert (old != made) == (label == "PERSON")
    # The reference is tokenized more finely than the tokenizer would.
    words = ["call", "Meyer", "2020edition", "x", "Leeds", "er", "."]
    spaces = [True, False, True, True, False, False, False]
    doc = Doc(english.vocab, words=words, spaces=spaces)
    doc.spans["pii"] = [Span(doc, 1, 2, "PERSON"), Span(doc, 4, 5, "LOC")]
    example = Example(english.make_doc(doc.text), doc)
    for seed in range(10):
        random.seed(seed)
        new = swap(english, example).reference
        name, place = new.spans["pii"]
        assert new.text == f"call {name.text}2020edition x {place.text}er."
        assert name.text != "Meyer"
