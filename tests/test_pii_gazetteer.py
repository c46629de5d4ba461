import multiprocessing
import os
import pickle

import pytest
import spacy
import spacy.language
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.lang.en import English
from spacy.tokens import Doc
from spacy.training import Example

from spacy_deid.gazetteers import Compiler, Entry, Term
from spacy_deid.gazetteers.frequencies import everyday_words
from spacy_deid.patterns.base import Hit
from spacy_deid.pii_gazetteer import DEFAULT_CONFIG, PATTERNS
from spacy_deid.registries import registry

from .cases import cases
from .models.learning import copies

TEXT = (
    "Mr Bob Smith, born on 12 March 1980 in Boston, is a Polish nurse. "
    "Write to bob@example.com; he is one of Jehovah's Witnesses."
)
QUIET = {"patterns": dict.fromkeys(PATTERNS), "terms": None}
WORDS = (
    "Polish nurse Vice - President of the United States bob@example.com 12 March 1980 , "
    ". \n +44 20 7946 0958 New York GB82WEST12345698765432 ' zed É 北京"
).split(" ")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=25) | st.lists(st.text(max_size=60))
OWN_TEXT = "Vice\u00adadmirals, Vice\nAdmiral X, got the order of merit. We guard it."
GAZETTEER_FOUND = [("Vice\nAdmiral", "Q1"), ("order of merit", "Q2")]


@registry.deid_patterns("test_spacy_deid.closure_patterns.v1")
def make_closure_patterns(word: str = "x-ray", label: str = "CODE"):
    def recognize(text):
        start = text.find(word)
        while start >= 0:
            yield Hit(start, start + len(word), label, "VIN", 0.9, "pattern:TEST")
            start = text.find(word, start + len(word))

    return recognize


def quiet(nlp, **config):
    return nlp.add_pipe("pii_gazetteer", config={**QUIET, **config})


def found(doc, key="pii"):
    return [(s.text, s.label_, s.id_) for s in doc.spans[key]]


@pytest.fixture(scope="module")
def full():
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    return nlp


def test_finds_terms_and_patterns_and_is_scored(full):
    doc = full(TEXT)
    assert set(found(doc)) >= {*cases(__file__, "found")}
    group, pii = doc.spans["pii_gazetteer"], doc.spans["pii"]
    assert len(group.attrs["scores"]) == len(group.attrs["sources"]) == len(group)
    assert {"pattern:EMAIL", "term:cities"} <= set(group.attrs["sources"])
    assert len(pii.attrs["entity_ids"]) == len(pii) and doc.text == TEXT
    # Every argument has a default.
    config = full.get_pipe_config("pii_gazetteer")
    assert set(DEFAULT_CONFIG) == set(config) - {"factory"}
    assert found(English.from_config(full.config)(TEXT)) == found(full(TEXT))
    reference = full.make_doc(TEXT)
    reference.spans["pii"] = [reference.char_span(39, 45, label="LOC")]
    scores = full.evaluate([Example(full.make_doc(TEXT), reference)])
    assert scores["pii_gazetteer_r"] == 1.0


def test_what_is_off_and_what_is_empty(full, nlp):
    nlp.add_pipe("pii_gazetteer", config={"patterns": {"contact": None}})
    ids = {id_ for _, _, id_ in found(nlp(TEXT))}
    assert "EMAIL" not in ids and "DATE" in ids
    nlp = spacy.blank("en")
    pipe = quiet(nlp, link=None, propagate=None, scorer=None)
    doc = nlp(TEXT)
    assert not doc.spans["pii"] and not doc.spans["pii_gazetteer"]
    assert pipe.score([]) == {}
    for text in ("", " \n ", "."):
        assert found(full(text)) == []


def test_earlier_spans_and_overlapping_denied_terms(nlp):
    quiet(nlp, deny=["Boston"], propagate=None)
    doc = nlp.make_doc(TEXT)
    doc.spans["pii"] = [doc.char_span(3, 12, label="PERSON")]
    doc = nlp.get_pipe("pii_gazetteer")(doc)
    assert [t for t, _, _ in found(doc)] == ["Bob Smith", "Boston"]
    nlp = spacy.blank("en")
    quiet(nlp, deny=["new york", "york city", "a+b", "b+c"], propagate=None)
    covered = "".join(text for text, _, _ in found(nlp("New York City a+b+c")))
    assert covered.replace(" ", "") == "NewYorkCitya+b+c"


def test_whole_tokens_are_taken_and_no_addresses(nlp):
    own = {"@deid_patterns": "test_spacy_deid.closure_patterns.v1", "word": "47"}
    quiet(nlp, patterns={**QUIET["patterns"], "own": own})
    assert found(nlp("see a47b here")) == [("a47b", "CODE", "VIN")]
    doc = Doc(nlp.vocab, words=["ab4", "7cd"], spaces=[False, False])
    assert found(nlp.get_pipe("pii_gazetteer")(doc)) == [("ab47cd", "CODE", "VIN")]
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer", config={"patterns": QUIET["patterns"]})
    assert found(nlp("Polish@example.org and http://example.com/Boston")) == []
    assert found(nlp("non-Christian"))[-1][2] == "RELIGION"


def test_added_terms_override_the_seed_and_bad_lists_are_refused(nlp):
    gazetteer = nlp.add_pipe("pii_gazetteer", config={"patterns": QUIET["patterns"]})
    gazetteer.add_terms([Term("Polish", "MISC", "CLUB", "mine"), Term("Zorgon", "DEM")])
    new = [("Polish", "MISC", "CLUB"), ("Zorgon", "DEM", "")]
    assert found(nlp("Polish Zorgon")) == new
    label, colour = {"term": "x", "label": "NOPE"}, {"term": "x", "colour": "red"}
    for denied in (label, colour, {"label": "ORG"}, " "):
        with pytest.raises(ValueError, match="deny"):
            quiet(spacy.blank("en"), deny=[denied])


def test_initialize_loads_files_readers_and_gazetteers(tmp_path, gazetteer_file):
    path = tmp_path / "terms.jsonl"
    path.write_text('{"term": "Zorgon", "label": "DEM", "id": "ETHNICITY"}\n', "utf8")
    reader = {"@deid_gazetteers": "spacy_deid.term_file.v1", "path": str(path)}
    for terms in ([str(path)], reader):
        nlp = spacy.blank("en")
        quiet(nlp)
        nlp.config["initialize"]["components"]["pii_gazetteer"] = {"terms": terms}
        nlp.initialize()
        assert found(nlp("two Zorgons")) == [("Zorgons", "DEM", "ETHNICITY")]
    path.unlink()
    nlp.to_disk(tmp_path / "model")
    # The terms travel with the pipeline, the file need not.
    assert found(spacy.load(tmp_path / "model")("Zorgon"))[0][0] == "Zorgon"
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("pii_gazetteer")
    block = {"gazetteers": [str(gazetteer_file)]}
    nlp.config["initialize"]["components"]["pii_gazetteer"] = block
    nlp.initialize()
    nlp.initialize()
    assert len(pipe.gazetteers) == 1 and listed(nlp(OWN_TEXT)) == GAZETTEER_FOUND
    with pytest.raises(ValueError, match="list of files"):
        pipe.initialize(gazetteers=str(gazetteer_file))


@pytest.mark.parametrize("exclude", [[], ["terms"]])
def test_round_trips(tmp_path, exclude):
    nlp = spacy.blank("en")
    gazetteer = quiet(nlp)
    gazetteer.add_terms([Term("Zorgon", "DEM"), Term("abc", "ORG", match="exact")])
    data = gazetteer.to_bytes(exclude=exclude)
    gazetteer.to_disk(tmp_path / "g", exclude=exclude)
    fresh, disk = (quiet(spacy.blank("en")) for _ in range(2))
    fresh.from_bytes(data)
    disk.from_disk(tmp_path / "g", exclude=exclude)
    for other in (fresh, disk):
        assert len(other.store) == (0 if exclude else 2)
        assert exclude or other.to_bytes() == data
    texts = [text for text, _, _ in found(disk(nlp.make_doc("abc ABC zorgon")))]
    assert texts == ([] if exclude else ["zorgon"])


def test_pickle_makes_closures_anew(nlp):
    own = {"@deid_patterns": "test_spacy_deid.closure_patterns.v1"}
    config = {"patterns": {"own": own, "contact": None}, "deny": ["zed"]}
    gazetteer = nlp.add_pipe("pii_gazetteer", config={**config, "allow": ["nurse"]})
    gazetteer.add_terms([Term("Zorgon", "DEM")])
    text = f"{TEXT} x-ray zed Zorgon"
    spans = found(nlp(text))
    again = pickle.loads(pickle.dumps(nlp))
    twice = pickle.loads(pickle.dumps(again.get_pipe("pii_gazetteer")))
    # What is off stays off.
    assert twice.patterns["contact"] is None and twice.patterns["date"] is not None
    assert ("x-ray", "CODE", "VIN") in spans and again.to_bytes() == nlp.to_bytes()
    assert spans == found(again(text)) == found(twice(nlp.make_doc(text)))


def test_n_process(full, monkeypatch):
    """Spawned ones; forked ones have a gazetteer below."""
    # They get the path of this process: see `start_without_torch`.
    monkeypatch.syspath_prepend(os.environ["PYTHONPATH"].partition(os.pathsep)[0])
    monkeypatch.setattr(spacy.language, "mp", multiprocessing.get_context("spawn"))
    texts = [TEXT, "", "A German dentist"] * 3
    docs = list(full.pipe(texts, n_process=2, batch_size=2))
    assert [found(d) for d in docs] == [found(full(t)) for t in texts]
    assert docs[0].spans["pii"].attrs["sources"]


def test_errors_go_to_the_error_handler(nlp):
    gazetteer = quiet(nlp, deny=["zed"])
    failed = []

    def fail(doc, candidates):
        raise RuntimeError("merge")

    gazetteer.merge = fail
    with pytest.raises(RuntimeError, match="merge"):
        nlp("zed")
    gazetteer.set_error_handler(lambda name, proc, docs, e: failed.extend(docs))
    assert list(gazetteer.pipe([nlp.make_doc("zed")])) == [] and len(failed) == 1
    with pytest.raises(RuntimeError):
        gazetteer(nlp.make_doc("zed"))


@settings(max_examples=150, deadline=None)
@given(words=TEXTS, glue=st.sampled_from([" ", "", "\n"]))
def test_never_overlapping_and_deterministic(full, words, glue):
    text = glue.join(words)
    doc, again = full(text), full(text)
    taken = [i for span in doc.spans["pii"] for i in range(span.start, span.end)]
    assert len(taken) == len(set(taken))
    for key in ("pii", "pii_gazetteer"):
        assert found(doc, key) == found(again, key)
    assert doc.text == text


@pytest.fixture
def gazetteer_file(tmp_path):
    compiler = Compiler(everyday_words("en"))
    for i, term in enumerate(("vice admiral", "Order of Merit", "guard")):
        label = "MISC" if term[0] == "O" else "DEM"
        compiler.add(Entry(term, label, f"Q{i + 1}", "P106", 10 + i))
    path = tmp_path / "terms.gaz"
    compiler.write(path)
    return path


def listed(doc):
    rows = zip(doc.spans["pii"], doc.spans["pii"].attrs["sources"])
    return [(span.text, span.id_) for span, source in rows if source == "term:P106"]


def test_compiled_gazetteer_travels_with_the_pipeline(gazetteer_file, tmp_path):
    nlp = spacy.blank("en")
    quiet(nlp).add_gazetteer(gazetteer_file)
    from_disk, *others = copies(nlp, tmp_path / "nlp")
    gazetteer_file.unlink()
    # Over the files that are mapped into memory.
    from_disk.to_disk(tmp_path / "nlp")
    for other in (nlp, from_disk, *others, spacy.load(tmp_path / "nlp")):
        assert listed(other(OWN_TEXT)) == GAZETTEER_FOUND
    for doc in nlp.pipe([OWN_TEXT] * 4, n_process=2):
        assert listed(doc) == GAZETTEER_FOUND
    # One that was taken away is gone from the folder too.
    from_disk.get_pipe("pii_gazetteer").gazetteers.clear()
    from_disk.to_disk(tmp_path / "nlp")
    assert listed(spacy.load(tmp_path / "nlp")(OWN_TEXT)) == []


def test_threshold_lists_reasons_and_ids_of_wikidata(gazetteer_file):
    def found(**config):
        nlp = spacy.blank("en")
        quiet(nlp, **config).add_gazetteer(gazetteer_file)
        pii = nlp("We guard the Order of Merit.")._.pii
        return {d["subtype"]: d["source"] for d in pii}

    for config, wanted in cases(__file__, "settings"):
        assert found(**config) == wanted, config
    with pytest.raises(ValueError, match="term_threshold"):
        found(term_threshold=2)
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("pii_gazetteer", config={"deny": ["Xyz"]})
    pipe.add_gazetteer(gazetteer_file)
    doc = nlp("Xyz, a German, got the Order of Merit on 1 May 2001.")
    denied, listed, counted, date = (d["reason"] for d in doc._.pii)
    assert (denied, listed) == ("on the deny list", "in the list 'nationalities'")
    said = "listed as occupation (P106, Q2); 11 people on record; probability 0."
    assert counted.startswith(said) and date and "May" not in date
    # The id of a value tells what the surrogate hides.
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer").add_gazetteer(gazetteer_file)
    strategy = {"@deid_strategies": "spacy_deid.full_entity.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    doc = nlp("She got the Order of Merit.")
    assert [s.id_ for s in doc.spans["pii"]] == ["Q2"]
    assert [s.id_ for s in doc.spans["deid"]] == ["OCCUPATION"]
    assert "Order of Merit" not in doc._.deid_text
