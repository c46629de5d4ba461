"""A user's orders are law: what is denied survives in no form, what is allowed stays."""

import json
import re
from pathlib import Path

import pytest
import spacy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin

import spacy_deid
from spacy_deid.data import read_table
from spacy_deid.embedded import give_orders
from spacy_deid.patterns.user_lists import AllowList, DenyList, read_entries
from spacy_deid.schema import Candidate, set_group
from spacy_deid.text.offsets import uncovered

from .cases import cases

LOOSE = {"deadline": None, "suppress_health_check": list(HealthCheck)}
QUICK = settings(max_examples=40, **LOOSE)
TERMS = read_table(Path(__file__).with_name("orders_terms.tsv"))
REDACT = {"strategy": {"@deid_strategies": "spacy_deid.redact.v1"}}
PLACES = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5)


@pytest.fixture(scope="module")
def nlp():
    return spacy_deid.load()


@pytest.fixture
def order(nlp):
    pipe, last = nlp.get_pipe("pii_gazetteer"), nlp.get_pipe("pseudonymizer")

    def give(mask="risky", allow=(), deny=()):
        pipe.allow, pipe.deny, last.mask = list(allow), list(deny), mask
        return nlp

    yield give
    give()


def letters(text):
    return re.sub(r"[\W_]", "", text).lower()


@st.composite
def spellings(draw, words=("project", "nightjar")):
    """A term in any case and hyphenation, broken over a line, joined, and inflected."""
    out = []
    for word in words:
        at = draw(st.integers(2, len(word) - 2))
        cut = draw(st.sampled_from(["", "", "-", "-\n", "\u2010\n", "\u00ad", "‑"]))
        case = draw(st.sampled_from([str.lower, str.upper, str.title, str.swapcase]))
        out.append(case(word[:at] + cut + word[at:]))
    gap = draw(st.sampled_from([" ", "  ", "\n", "-", "_", "\u00a0", "", "-\n", "/"]))
    return gap.join(out) + draw(st.sampled_from(["", "s", "'s", "’s", "s'", "S"]))


@QUICK
@example(term="pr\u00adoject nightjar's", frame="{}")
@example(term="pr\u2060oject nightjar's", frame="{}")
@given(
    term=spellings(), frame=st.sampled_from(cases(__file__, "frames of denied terms"))
)
def test_nothing_denied_survives_in_any_form(order, term, frame):
    nlp = order(deny=["Project Nightjar"])
    doc = nlp(frame.format(term))
    assert "nightjar" not in letters(doc._.deid_text)
    assert not nlp.get_pipe("pii_gazetteer").deny(doc._.deid_text)
    covering = [s for s in doc.spans["mask"] if "nightjar" in letters(s.text)]
    assert covering and {s.label_ for s in covering} == {"DIRECT"}


def test_forms_of_denied_words_and_names_that_are_allowed(order):
    for text in cases(__file__, "forms of a word"):
        doc = order(deny=["nightjar"])(text)
        assert "nightjar" not in letters(doc._.deid_text)
        assert "DIRECT" in {s.label_ for s in doc.spans["mask"]}, text
    for allow, text, stays, gone in cases(__file__, "allowed names"):
        out = order(allow=[allow])(text)._.deid_text
        assert stays in out and not re.search(gone, out), text


@pytest.mark.parametrize("row", TERMS, ids=lambda row: row["text"])
def test_terms_of_every_kind(row):
    term, text, found = map(json.loads, row.values())
    places = [text[start:end] for start, end, *_ in DenyList([term]).places(text)]
    assert places == ([found] if found else [])


def test_deny_beats_allow_profile_types_and_chance(nlp):
    own = spacy_deid.load(deny=["Leeds"], allow=["Leeds General Infirmary"])
    text = "They met at Leeds General Infirmary."
    assert "Leeds" not in own(text)._.deid_text
    give_orders(own, profile="contacts", types=["PERSON"])
    assert "Leeds" not in own(text)._.deid_text
    chance = {"@deid_strategies": "spacy_deid.random_replacement.v1", "p": 0.01}
    own.replace_pipe("pseudonymizer", "pseudonymizer", config={"strategy": chance})
    for i in range(10):
        assert "Leeds" not in own(f"{text} {i}")._.deid_text


@QUICK
@given(
    phrase=st.sampled_from(
        ["Bob Smith", "Leeds General Infirmary", "12 March 2019", "Norwegian"]
    ),
    case=st.sampled_from([str, str.upper, str.lower, str.title]),
    gap=st.sampled_from([" ", "  ", "\n", "-", "\u00a0"]),
    frame=st.sampled_from(cases(__file__, "frames of allowed phrases")),
    mask=st.sampled_from(["risky", "all"]),
)
def test_what_is_allowed_stays_in_any_form(order, phrase, case, gap, frame, mask):
    written = case(phrase).replace(" ", gap)
    doc = order(mask, allow=[phrase])(frame.format(written))
    assert written in doc._.deid_text
    # What else is found is masked as ever; a surrogate may be called Jones elsewhere.
    for given_name, name in (("Ann", "Lee"), ("Bob", "Jones")):
        if f"{given_name} {name}" in doc.text:
            assert not re.search(rf"\b{name}\b", doc._.deid_text)


def test_no_detector_sweep_or_group_by_hand_touches_what_is_allowed():
    nlp = spacy.blank("en")
    patterns = [{"label": "PERSON", "pattern": "Leeds General"}]
    nlp.add_pipe("entity_ruler").add_patterns(patterns)
    sources = {"ruler": {"@misc": "spacy_deid.entities.v1"}}
    config = {"sources": sources, "allow": ["Leeds General Infirmary"]}
    nlp.add_pipe("pii_gazetteer", config=config)
    nlp.add_pipe("pseudonymizer", config=REDACT)
    doc = nlp("Leeds General came. Leeds General Infirmary's gate, in Leeds.")
    assert doc._.deid_text == "*** came. Leeds General Infirmary's gate, in ***."
    nlp = spacy.blank("en")
    # A gazetteer that knows the lists alone is added.
    give_orders(nlp, deny=["zed"], allow=["Ann Lee"])
    nlp.add_pipe("pseudonymizer", config=REDACT)
    doc = nlp.get_pipe("pii_gazetteer")(nlp.make_doc("Zeds saw Ann Lee Brown and Tom."))
    set_group(doc, "pii", [Candidate(2, 5, "PERSON"), Candidate(6, 7, "PERSON")])
    doc = nlp.get_pipe("pseudonymizer")(doc)
    assert doc._.deid_text == "*** saw Ann Lee *** and ***."
    told = " ".join(f"{s.text}: {s.label_}." for s in doc.spans["mask"])
    assert told == "Zeds: DIRECT. Ann Lee: NO_MASK. Brown: QUASI. Tom: QUASI."


def test_lists_come_from_files(tmp_path):
    deny, allow = tmp_path / "deny.tsv", tmp_path / "allow.txt"
    deny.write_text("term\tlabel\tid\n# a note\nNightjar\tORG\tCOMPANY\nC++\n")
    allow.write_text("\ufeffBob Smith\n\nLeeds General Infirmary\n", encoding="utf8")
    nightjar = {"term": "Nightjar", "label": "ORG", "id": "COMPANY"}
    assert read_entries(deny) == [nightjar, {"term": "C++"}]
    assert "bob smith" in AllowList(allow)
    config = {"components.pii_gazetteer.deny": str(deny)}
    orders = {"deny": deny, "allow": [allow, "x"]}
    for lists in (orders, {"allow": str(allow), "config": config}):
        doc = spacy_deid.load(**lists)("Nightjar hired Bob Smith.")
        assert "Bob Smith" in doc._.deid_text and "Nightjar" not in doc._.deid_text
        span = doc.spans["pii"][0]
        assert (span.text, span.label_, span.id_) == ("Nightjar", "ORG", "COMPANY")
    bad = {b"a\tPLACE\n": "label", b"a\tORG\tX\ty\n": "line 1", b"\xff\xfe": "UTF-8"}
    for content, problem in bad.items():
        deny.write_bytes(content)
        with pytest.raises(ValueError, match=problem):
            DenyList(deny)
    with pytest.raises(ValueError, match="No such file"):
        DenyList(tmp_path / "nowhere.txt")
    with pytest.raises(ValueError, match="empty"):
        AllowList(["a", " "])


def test_orders_are_saved_and_travel(tmp_path):
    lists = {"deny": ["nightjar"], "allow": ["Bob Smith"]}
    nlp = spacy_deid.load(**lists, types=["PERSON"], threshold=0.5)
    nlp.get_pipe("pii_gazetteer").add_to_lists(deny=["zanzibarine"])
    nlp.to_disk(tmp_path / "own")
    again = spacy.load(tmp_path / "own")
    pipe, scorer = again.get_pipe("pii_gazetteer"), again.get_pipe("risk_scorer")
    assert pipe.deny.entries == [{"term": "nightjar"}, {"term": "zanzibarine"}]
    assert scorer.threshold == scorer.combine.threshold == 0.5
    assert scorer.types == ("PERSON",)
    text = "Bob Smith and Ann Lee of the Night-jar in Leeds."
    docs = [*again.pipe([text] * 2, n_process=2), again(text)]
    packed = DocBin(store_user_data=True, docs=docs).to_bytes()
    for doc in (*docs, *DocBin().from_bytes(packed).get_docs(again.vocab)):
        assert "Bob Smith" in doc._.deid_text and "Leeds" in doc._.deid_text
        assert not re.search("Lee\\b|jar", doc._.deid_text)
    copy = spacy.blank("en").add_pipe("pii_gazetteer")
    assert copy.from_bytes(pipe.to_bytes()).deny.entries == pipe.deny.entries


def test_threshold_decides():
    text = "The Norwegian plumber left Leeds in spring with two friends."
    for threshold, label in ((1.0, "NO_MASK"), (0.0, "QUASI")):
        doc = spacy_deid.load(threshold=threshold)(text)
        assert {s.label_ for s in doc.spans["mask"]} == {label}


def test_orders_without_sense_are_refused(nlp):
    before = nlp.get_pipe("pii_gazetteer").deny.entries
    for name, value, problem in cases(__file__, "refused orders"):
        with pytest.raises(ValueError, match=problem):
            give_orders(nlp, **{name: value})
    assert nlp.get_pipe("pii_gazetteer").deny.entries == before
    bare = spacy.blank("en")
    for name, value in (("threshold", 0.5), ("types", ["CODE"]), ("profile", "court")):
        with pytest.raises(ValueError, match=f"{name} needs a risk_scorer"):
            give_orders(bare, **{name: value})


@given(st.integers(0, 30), st.integers(0, 30), PLACES)
def test_uncovered_and_covered_make_the_whole(a, b, rows):
    start, end = min(a, b), max(a, b)
    places = sorted((s, s + n) for s, n in rows)
    places = [p for i, p in enumerate(places) if not i or p[0] >= places[i - 1][1]]
    free = {i for x, y in uncovered(start, end, places) for i in range(x, y)}
    assert free == set(range(start, end)) - {i for x, y in places for i in range(x, y)}


def test_no_surrogate_brings_a_word_of_a_denied_term_back():
    """One of the nine short titles that can be drawn is the second word of the term."""
    nlp = spacy_deid.load(deny=["Project Nightjar"])
    for i in range(30):
        nlp.get_pipe("pseudonymizer").set_key(bytes([i]) * 32)
        assert "nightjar" not in letters(nlp("see ProjectNIGHTJARs'.")._.deid_text)
