"""A user's orders are law: what is denied survives in no form, what is allowed stays."""

import re

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin

import spacy_deid
from spacy_deid.embedded import give_orders
from spacy_deid.patterns.user_lists import AllowList, DenyList, read_entries
from spacy_deid.schema import Candidate, set_group
from spacy_deid.text.offsets import uncovered

QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def nlp():
    """The embedded pipeline with lists that are set anew by each test."""
    return spacy_deid.load()


@pytest.fixture
def order(nlp):
    pipe = nlp.get_pipe("pii_gazetteer")

    def give(**lists):
        for name, entries in lists.items():
            setattr(pipe, name, entries)
        return nlp

    yield give
    pipe.allow, pipe.deny = [], []
    nlp.get_pipe("pseudonymizer").mask = "risky"


def letters(text):
    return re.sub(r"[\W_]", "", text).lower()


def decisions(doc):
    mask = doc.spans["mask"]
    return {s.text: (s.label_, why) for s, why in zip(mask, mask.attrs["reasons"])}


# --- deny ---


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
    ending = draw(st.sampled_from(["", "s", "'s", "’s", "s'", "S"]))
    return gap.join(out) + ending


FRAMES = st.sampled_from(
    [
        "{}",
        "We spoke about {} yesterday.",
        "({}), as Ann Lee said",
        "Dear all,\n{}\nis over.",
        "In Leeds {} began; Leeds General Infirmary joined.",
        "see {}.",
    ]
)


@QUICK
@given(term=spellings(), frame=FRAMES)
def test_nothing_denied_survives_in_any_form(nlp, term, frame):
    pipe = nlp.get_pipe("pii_gazetteer")
    pipe.deny = ["Project Nightjar"]
    try:
        text = frame.format(term)
        doc = nlp(text)
        assert "nightjar" not in letters(doc._.deid_text)
        assert not pipe.deny(doc._.deid_text)
        covering = [s for s in doc.spans["mask"] if "nightjar" in letters(s.text)]
        assert covering and {s.label_ for s in covering} == {"DIRECT"}
    finally:
        pipe.deny = []


@pytest.mark.parametrize(
    "text",
    [
        "The Night-jar flew.",
        "NIGHTJAR",
        "n-i-g-h-t-j-a-r",
        "night-\r\n  jar's eggs",
        "two nightjars",
        "nightjar@example.org wrote",
        "the project_nightjar_v2 branch",
        "ｎｉｇｈｔｊａｒ",
        "Níghtjár",
    ],
)
def test_forms_of_a_word(order, text):
    doc = order(deny=["nightjar"])(text)
    assert "nightjar" not in letters(doc._.deid_text)
    assert "DIRECT" in {s.label_ for s in doc.spans["mask"]}


@pytest.mark.parametrize(
    "term,text,found",
    [
        ("Oak Hill", "oakhill", "oakhill"),
        ("foo bar", "at FOO  BAR's door", "FOO  BAR"),
        ("foo bar", "(foo\nbar)", "foo\nbar"),
        ("company", "the companies", "companies"),
        ("St. Mary's", "ST MARY'S", "ST MARY'S"),
        ("Marks & Spencer", "Marks Spencer", "Marks Spencer"),
        ("C++", "in c++.", "c++"),
        ("#42", "mail #42!", "#42"),
        ("28045/02", "no. 28045-02", "28045-02"),
        ("北京", "我住在北京市", "北京"),
        # Where folding changes the length of the text before.
        ("straße", "\u0130-1 STRASSE", "STRASSE"),
        # What is not seen, or written in another way, in the text or the term.
        ("Oak Hill", "Oak H\u00adill now", "Oak H\u00adill"),
        ("Oak Hill", "Oak\u200b Hill now", "Oak\u200b Hill"),
        ("Fo\u00adoqux", "ask Fooqux", "Fooqux"),
        ("Foo-Bar", "ask Foo\u2011Bar", "Foo\u2011Bar"),
        ("Blorg-Xyl", "ask Blorg-\nXyl now", "Blorg-\nXyl"),
        ("Zo\u00eb-Ann", "ask Zoe\u0308-Ann", "Zoe\u0308-Ann"),
        ("nightjar", "a Níghtjár", "Níghtjár"),
        ("C++/x", "ask C++/\u200bx", "C++/\u200bx"),
        # Other words.
        ("nightjar", "the night jar stood on the table", None),
        ("therapist", "the rapist", None),
        ("zed", "zedding", None),
        ("ab", "a b", None),
        ("C++", "C and c", None),
        ("at&t", "at t", None),
    ],
)
def test_terms_of_every_kind(term, text, found):
    places = [text[start:end] for start, end, *_ in DenyList([term]).places(text)]
    assert places == ([found] if found else [])


def test_denied_terms_are_direct_whoever_says_no(order):
    doc = order(deny=["project nightjar"])("project nightjar")
    assert decisions(doc)["project nightjar"][0] == "DIRECT"
    assert "on the deny list" in decisions(doc)["project nightjar"][1]
    assert "nightjar" not in doc._.deid_text


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


# --- allow ---

PHRASES = ["Bob Smith", "Leeds General Infirmary", "12 March 2019", "Norwegian"]


@QUICK
@given(
    phrase=st.sampled_from(PHRASES),
    case=st.sampled_from([str, str.upper, str.lower, str.title]),
    gap=st.sampled_from([" ", "  ", "\n", "-", "\u00a0"]),
    frame=st.sampled_from(
        [
            "{}",
            "Ann Lee saw {}.",
            "Dr. {} Jr. of Leeds, and Mr Smith, met in Bob's office",
            "({}), Leeds",
            "It was {}'s turn; Bob Jones left Leeds on 14 March 2019.",
            "Dear all,\n{}\nMarch",
        ]
    ),
    mask=st.sampled_from(["risky", "all"]),
)
def test_what_is_allowed_stays_in_any_form(nlp, phrase, case, gap, frame, mask):
    pipe, last = nlp.get_pipe("pii_gazetteer"), nlp.get_pipe("pseudonymizer")
    pipe.allow, last.mask = [phrase], mask
    try:
        written = case(phrase).replace(" ", gap)
        doc = nlp(frame.format(written))
        assert written in doc._.deid_text
        # What else is found is masked as ever.
        pipe.allow = []
        for name in ("Ann Lee", "Bob Jones"):
            # (A surrogate may be called Jones where no Jones was.)
            if name in doc.text:
                surname = name.split()[-1]
                assert not re.search(rf"\b{surname}\b", doc._.deid_text)
    finally:
        pipe.allow, last.mask = [], "risky"


def test_an_allowed_phrase_stays_whole_beside_what_is_masked(order):
    text = "Ann Lee came to Leeds General Infirmary from Leeds. Leeds is far."
    doc = order(allow=["Leeds General Infirmary"])(text)
    out = doc._.deid_text
    assert "Leeds General Infirmary" in out
    assert out.count("Leeds") == 1 and "Ann Lee" not in out
    label, why = decisions(doc)["Leeds General Infirmary"]
    assert label == "NO_MASK" and why.startswith("on the allow list")


@pytest.mark.parametrize(
    "allow,text,stays,gone",
    [
        # A longer name is another person, and a phrase is no person.
        (
            "bob smith",
            "Bob Smith met Bob Smith-Jones and Mr Smith.",
            "Bob Smith met ",
            r"Jones|Smith(?! met)",
        ),
        # Longer spans are cut.
        (
            "Bob Smith",
            "We wrote to Dr. Bob Smith Miller about it.",
            "Dr. Bob Smith ",
            "Miller",
        ),
        # An address is no place for a phrase.
        ("bob smith", "Mail bob.smith@example.org now.", " now.", "smith"),
        ("example.org", "Mail bob.smith@example.org now.", " now.", "smith"),
        ("bob-smith", "He saw Bob Smi\u00adth.", "Bob Smi\u00adth.", r"\*"),
    ],
)
def test_an_allowed_name_stays_and_nothing_besides(order, allow, text, stays, gone):
    out = order(allow=[allow])(text)._.deid_text
    assert stays in out and not re.search(gone, out)


def test_no_detector_and_no_sweep_touches_what_is_allowed():
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Leeds General"}])
    sources = {"ruler": {"@misc": "spacy_deid.entities.v1"}}
    config = {"sources": sources, "allow": ["Leeds General Infirmary"]}
    nlp.add_pipe("pii_gazetteer", config=config)
    strategy = {"@deid_strategies": "spacy_deid.redact.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    doc = nlp("Leeds General came. Leeds General Infirmary's gate, in Leeds.")
    assert doc._.deid_text == "*** came. Leeds General Infirmary's gate, in ***."


def test_groups_made_by_hand_obey():
    nlp = spacy.blank("en")
    give_orders(nlp, deny=["zed"], allow=["Ann Lee"])
    strategy = {"@deid_strategies": "spacy_deid.redact.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    doc = nlp.get_pipe("pii_gazetteer")(nlp.make_doc("Zeds saw Ann Lee Brown and Tom."))
    set_group(doc, "pii", [Candidate(2, 5, "PERSON"), Candidate(6, 7, "PERSON")])
    doc = nlp.get_pipe("pseudonymizer")(doc)
    assert doc._.deid_text == "*** saw Ann Lee *** and ***."
    told = [(s.text, s.label_) for s in doc.spans["mask"]]
    assert told == [
        ("Zeds", "DIRECT"),
        ("Ann Lee", "NO_MASK"),
        ("Brown", "QUASI"),
        ("Tom", "QUASI"),
    ]


# --- one home, however it is given ---


def test_lists_come_from_files(tmp_path):
    deny, allow = tmp_path / "deny.tsv", tmp_path / "allow.txt"
    deny.write_text("term\tlabel\tid\n# a note\nNightjar\tORG\tCOMPANY\nC++\n")
    allow.write_text("\ufeffBob Smith\n\nLeeds General Infirmary\n", encoding="utf8")
    assert read_entries(deny) == [
        {"term": "Nightjar", "label": "ORG", "id": "COMPANY"},
        {"term": "C++"},
    ]
    assert "bob smith" in AllowList(allow)
    text = "Nightjar hired Bob Smith."
    by_path = spacy_deid.load(deny=deny, allow=[allow, "x"])
    config = {"components.pii_gazetteer.deny": str(deny)}
    by_config = spacy_deid.load(allow=str(allow), config=config)
    for nlp in (by_path, by_config):
        doc = nlp(text)
        assert "Bob Smith" in doc._.deid_text and "Nightjar" not in doc._.deid_text
        span = doc.spans["pii"][0]
        assert (span.text, span.label_, span.id_) == ("Nightjar", "ORG", "COMPANY")


@pytest.mark.parametrize(
    "content,problem",
    [("a\tPLACE\n", "label"), ("a\tORG\tX\ty\n", "line 1"), (b"\xff\xfe", "UTF-8")],
)
def test_bad_files_are_refused(tmp_path, content, problem):
    path = tmp_path / "deny.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=problem):
        DenyList(path)
    with pytest.raises(ValueError, match="No such file"):
        DenyList(tmp_path / "nowhere.txt")
    with pytest.raises(ValueError, match="empty"):
        AllowList(["a", " "])


def test_orders_are_saved_and_travel(tmp_path):
    nlp = spacy_deid.load(
        deny=["nightjar"], allow=["Bob Smith"], types=["PERSON"], threshold=0.5
    )
    nlp.get_pipe("pii_gazetteer").add_to_lists(deny=["zanzibarine"])
    nlp.to_disk(tmp_path / "own")
    again = spacy.load(tmp_path / "own")
    pipe = again.get_pipe("pii_gazetteer")
    assert pipe.deny.entries == [{"term": "nightjar"}, {"term": "zanzibarine"}]
    scorer = again.get_pipe("risk_scorer")
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
    few = spacy_deid.load(threshold=1.0)(text)
    many = spacy_deid.load(threshold=0.0)(text)
    assert {s.label_ for s in many.spans["mask"]} == {"QUASI"}
    assert {s.label_ for s in few.spans["mask"]} == {"NO_MASK"}


@pytest.mark.parametrize(
    "orders,problem",
    [
        ({"threshold": 2}, "threshold"),
        ({"types": ["FOO"]}, "unknown type 'FOO'"),
        ({"types": "PERSON"}, "list"),
        ({"profile": "nope"}, "no profile 'nope'"),
        ({"deny": ["  "]}, "deny"),
        ({"allow": [""]}, "allow"),
        ({"deny": "nowhere.txt"}, "nowhere.txt: No such file"),
    ],
)
def test_orders_without_sense_are_refused(nlp, orders, problem):
    before = nlp.get_pipe("pii_gazetteer").deny.entries
    with pytest.raises(ValueError, match=problem):
        give_orders(nlp, **orders)
    assert nlp.get_pipe("pii_gazetteer").deny.entries == before


def test_pipelines_that_cannot_obey_say_so():
    nlp = spacy.blank("en")
    for name, value in [("threshold", 0.5), ("types", ["CODE"]), ("profile", "court")]:
        with pytest.raises(ValueError, match=f"{name} needs a risk_scorer"):
            give_orders(nlp, **{name: value})


@given(
    st.integers(0, 30),
    st.integers(0, 30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5),
)
def test_uncovered_and_covered_make_the_whole(a, b, rows):
    start, end = min(a, b), max(a, b)
    places = sorted((s, s + n) for s, n in rows)
    places = [p for i, p in enumerate(places) if not i or p[0] >= places[i - 1][1]]
    free = {i for x, y in uncovered(start, end, places) for i in range(x, y)}
    taken = {i for x, y in places for i in range(x, y)}
    assert free == set(range(start, end)) - taken


def test_no_surrogate_brings_a_word_of_a_denied_term_back():
    """One of the nine short titles that can be drawn is the second word of the term."""
    nlp = spacy_deid.load(deny=["Project Nightjar"])
    for i in range(30):
        nlp.get_pipe("pseudonymizer").set_key(bytes([i]) * 32)
        text = nlp("see ProjectNIGHTJARs'.")._.deid_text
        assert "nightjar" not in letters(text)
