import pickle
import warnings

import pytest
import spacy
from spacy.tokens import Span, SpanGroup

from spacy_deid.entities.sources import make_entities
from spacy_deid.schema import Candidate

KNOWN = "zaphod PERSON|first ORDINAL|magrathea CREW|marvin42 HANDLE".split("|")
PATTERNS = [dict(zip(("pattern", "label"), known.split())) for known in KNOWN]
PLACEHOLDER = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
LABELS = {"CREW": None, "HANDLE": "CODE:USER_NAME"}
SOURCE = {"@misc": "spacy_deid.entities.v1", "labels": LABELS}


def make_pipeline(sources, spans_key="", **config):
    """With an entity ruler, or a span ruler that writes a group."""
    nlp = spacy.blank("en")
    own = {"spans_key": spans_key} if spans_key else {}
    ruler = nlp.add_pipe("span_ruler" if own else "entity_ruler", config=own)
    ruler.add_patterns(PATTERNS)
    nlp.add_pipe("pii_gazetteer", config={"sources": sources, **config})
    nlp.add_pipe("pseudonymizer", config={"mask": "all", "strategy": PLACEHOLDER})
    return nlp


@pytest.fixture(scope="module")
def ruled():
    return make_pipeline({"ruler": SOURCE})


def spans(doc, key="pii"):
    return [(s.text, s.label_, s.id_) for s in doc.spans[key]]


def test_entities_become_candidates_by_scheme_and_map(ruled):
    doc = ruled("first zaphod left magrathea as marvin42 and Zaphod wrote")
    names = [("zaphod", "PERSON", ""), ("Zaphod", "PERSON", "")]
    assert spans(doc) == [names[0], ("marvin42", "CODE", "USER_NAME"), names[1]]
    new = doc._.deid_text.lower()
    assert "zaphod" not in new and "marvin42" not in new and "magrathea" in new
    assert doc.spans["pii"].attrs["sources"][0] == "ner:ents"
    assert doc.spans["pii"].attrs["scores"][0] == 0.9
    # Its own group has what the component itself found, nothing of the source.
    assert not doc.spans["pii_gazetteer"]


def test_an_unknown_label_is_an_error_that_says_what_to_do():
    nlp = make_pipeline({"ruler": {"@misc": "spacy_deid.entities.v1"}})
    message = r"'CREW' in label scheme 'ontonotes'.*'labels'"
    with pytest.raises(ValueError, match=message):
        nlp("to magrathea")


def test_settings_are_checked():
    for message, config in {
        "unknown label scheme 'nope'": {"scheme": "nope"},
        "'X' can't be 'NAME'": {"labels": {"X": "NAME"}},
        "from 0 to 1, not 1.5": {"score": 1.5},
    }.items():
        with pytest.raises(ValueError, match=message):
            make_entities(**config)


def test_span_groups_with_scores():
    doc = spacy.blank("en")("ford and arthur")
    source = make_entities(spans_key="sc", detector="term")
    with pytest.raises(ValueError, match="no span group 'sc' to read.*none"):
        source(doc)
    group = [Span(doc, 0, 1, label="PERSON"), Span(doc, 2, 3, label="ORG")]
    doc.spans["sc"] = SpanGroup(doc, spans=group, attrs={"scores": [0.4, 0.99]})
    rows = [(c.start, c.label, c.score, c.source) for c in source(doc)]
    assert rows == [(0, "PERSON", 0.4, "term:sc"), (2, "ORG", 0.99, "term:sc")]


def test_scores_in_an_extension_attribute():
    # GLiNER-spaCy writes `Span._.score`.
    Span.set_extension("sureness", default=0.0, force=True)
    doc = spacy.blank("en")("ford and arthur")
    doc.ents = [Span(doc, 0, 1, label="person"), Span(doc, 2, 3, label="person")]
    doc.ents[0]._.sureness = 0.25
    doc.spans["sc"] = doc.ents
    settings = {"labels": {"person": "PERSON"}, "score_attr": "sureness"}
    for key in ("ents", "sc"):
        source = make_entities(**settings, spans_key=key)
        assert [(c.start, c.score) for c in source(doc)] == [(0, 0.25), (2, 0.0)]
    Span.remove_extension("sureness")
    with pytest.raises(AttributeError, match="sureness"):
        source(doc)


def test_allowed_texts_stay_and_the_longer_span_wins():
    nlp = make_pipeline({"ruler": SOURCE}, allow=["Zaphod"], deny=["marvin42 of earth"])
    doc = nlp("zaphod met marvin42 of earth")
    assert [text for text, _, _ in spans(doc)] == ["marvin42 of earth"]


def test_pickles_processes_and_files(tmp_path):
    nlp = make_pipeline({"ruler": SOURCE, "off": None})
    texts = ["zaphod one", "two zaphod", "marvin42"]
    expected = [doc._.deid_text for doc in nlp.pipe(texts)]
    assert "zaphod" not in "".join(expected)
    nlp.to_disk(tmp_path / "nlp")
    for other in (pickle.loads(pickle.dumps(nlp)), spacy.load(tmp_path / "nlp")):
        assert [doc._.deid_text for doc in other.pipe(texts)] == expected
    assert [d._.deid_text for d in nlp.pipe(texts, n_process=2)] == expected


def test_a_config_from_before_there_were_sources_loads():
    nlp = make_pipeline({})
    config = nlp.config
    for name in ("sources", "write_ents"):
        del config["components"]["pii_gazetteer"][name]
    old = spacy.util.load_model_from_config(config, auto_fill=True)
    assert old.get_pipe("pii_gazetteer").sources == {}


def warned(nlp, texts=("zaphod",)):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(nlp.pipe(texts))
    return [str(w.message) for w in caught if "nothing reads" in str(w.message)]


def test_a_recognizer_that_nothing_reads_is_told_once():
    nlp = make_pipeline({})
    (message,) = warned(nlp, ["zaphod", "zaphod"])
    assert "doc.ents" in message and "spacy_deid.entities.v1" in message
    assert "zaphod" not in message and not warned(nlp)
    # A word where nothing would be left in clear would be one too many.
    assert not warned(make_pipeline({}, deny=["zaphod"]))
    assert not warned(make_pipeline({"ents": SOURCE}), ["to magrathea", "zaphod"])
    # The advice works as it is given.
    advice = {"ents": {"@misc": "spacy_deid.entities.v1"}}
    assert str(advice).replace("'", '"') in message
    nlp = make_pipeline(advice)
    assert not warned(nlp) and "zaphod" not in nlp("zaphod")._.deid_text


def test_components_of_another_pipeline_tell_as_well():
    own = make_pipeline({})
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)
    for name in ("pii_gazetteer", "pseudonymizer"):
        nlp.add_pipe(name, source=own)
    assert len(warned(nlp)) == 1


def test_span_rulers_are_read_by_their_key():
    nlp = make_pipeline({"a": {**SOURCE, "spans_key": "x"}}, "mine")
    with pytest.raises(ValueError, match="no span group 'x' to read.*'mine'"):
        nlp("zaphod")
    nlp.get_pipe("pii_gazetteer").sources = {"a": make_entities("tab", LABELS, "mine")}
    with pytest.raises(ValueError, match="'ORDINAL'"):
        nlp("first zaphod")
    assert not warned(nlp) and "zaphod" not in nlp("zaphod")._.deid_text
    assert len(warned(make_pipeline({}, "mine"))) == 1
    # What is written where the pseudonymizer reads is read.
    nlp = make_pipeline({}, "pii")
    assert not warned(nlp) and "zaphod" not in nlp("zaphod")._.deid_text


def test_sources_of_ones_own():
    def shouting(doc):
        upper = [t.i for t in doc if t.is_upper]
        return [Candidate(i, i + 1, "MISC", source="mine") for i in upper]

    nlp = make_pipeline({})
    nlp.get_pipe("pii_gazetteer").sources = {"mine": shouting}
    assert not warned(nlp)  # it may read anything
    assert spans(nlp("a SECRET word")) == [("SECRET", "MISC", "")]


def test_entities_are_written_on_request(ruled):
    nlp = make_pipeline({"ruler": SOURCE}, write_ents=True)
    doc = nlp("magrathea wrote to zaphod (a@b.org)")
    assert [(e.text, e.label_, e.id_) for e in doc.ents] == spans(doc)
    assert [e.label_ for e in doc.ents] == ["PERSON", "CODE"]
    doc = ruled("zaphod (a@b.org)")
    assert [e.text for e in doc.ents] == ["zaphod"]
