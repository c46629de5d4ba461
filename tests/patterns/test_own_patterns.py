"""A user's own identifiers: regex, terms, words around, check; in Python and config."""

import json
import pickle

import pytest
import spacy
from spacy.language import Language

import spacy_deid
from spacy_deid.patterns.own import OwnPattern, read_pattern
from spacy_deid.registries import registry

TEXT = (
    "Staff number ST-100009 and ST-100010; parcel ST-100016 came. Ward Larch is full."
)
BADGE = r"ST-\d{6}"


@spacy_deid.pattern("CODE", "STAFF_BADGE", regex=r"ST-(?P<value>\d{6})", window=20)
def badge_number(value):
    return int(value) % 7 == 0


def make(**settings):
    return registry.deid_patterns.get("spacy_deid.regex_patterns.v1")(
        "CODE", "STAFF_BADGE", **settings
    )


def found(pattern, text=TEXT):
    return [text[h.start : h.end] for h in pattern(text)]


def test_regex_check_group_and_terms():
    numbers, hits = ("100009", "100010", "100016"), [*badge_number(TEXT)]
    assert found(make(regex=BADGE)) == [f"ST-{number}" for number in numbers]
    fit = [n for n in numbers if int(n) % 7 == 0]
    assert [TEXT[h.start : h.end] for h in hits] == fit
    assert {(h.label, h.subtype) for h in hits} == {("CODE", "STAFF_BADGE")}
    # Through digits of other scripts and hidden characters, with the text's own places.
    odd = "ST-१०००\u200b०९"
    assert [odd[h.start : h.end] for h in badge_number(odd)] == ["१०००\u200b०९"]
    ward = OwnPattern("ORG", "WARD", terms=["ward larch", "Ward Oak"])
    assert found(ward) == ["Ward Larch"]
    assert found(ward, "toward larch, Ward Oakham") == []
    card = make(regex=r"\b\d{16}\b", check="luhn")
    assert found(card, "4111111111111111 4111111111111112") == ["4111111111111111"]


def test_words_around():
    settings = {"regex": BADGE, "context": ["staff number", "badge"], "window": 15}
    assert found(make(**settings)) == ["ST-100009"]
    scores = [h.score for h in make(**settings, score_alone=0.3)(TEXT)]
    assert scores == [0.9, 0.3, 0.3]
    assert "near 'staff number'" in next(iter(make(**settings)(TEXT))).reason
    assert found(make(**settings), "ST-100009, my badge") == ["ST-100009"]


def test_what_makes_no_sense():
    wrong = {"no regex": {}, "no regular": {"regex": "(x"}, "fits no": {"regex": "x*"}}
    for what, config in {
        **wrong,
        "label should be": {"label": "X", "regex": "x"},
    }.items():
        with pytest.raises(ValueError, match=what):
            OwnPattern(**{"label": "CODE", **config})
    own = OwnPattern("CODE", "STAFF", regex="x1", check=lambda value: True)
    nlp = pipeline()
    with pytest.raises(ValueError, match="decorator"):
        nlp.get_pipe("pii_gazetteer").add_pattern(own)


def pipeline(**patterns):
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer", config={"patterns": patterns, "terms": None})
    strategy = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    return nlp


def masked(nlp: Language) -> str:
    return nlp(TEXT)._.deid_text.partition(";")[0]


def test_in_a_config_saved_and_always_masked(tmp_path):
    block = {"@deid_patterns": "spacy_deid.regex_patterns.v1", "label": "CODE"}
    block |= {"subtype": "STAFF_BADGE", "regex": BADGE, "context": ["staff number"]}
    nlp = pipeline(staff=block)
    nlp.to_disk(tmp_path)
    assert masked(nlp) == "Staff number [CODE 1] and [CODE 2]"
    assert masked(spacy.load(tmp_path)) == masked(nlp)
    # Whatever is judged.
    nlp = spacy_deid.load(patterns=[read_pattern("MISC:WARD=Ward Larch")])
    doc = nlp("Ward Larch is full. It rained.")
    assert "Larch" not in doc._.deid_text
    (span,) = [s for s in doc.spans["mask"] if s.text == "Ward Larch"]
    assert span.label_ == "DIRECT"


def test_added_to_a_pipeline(tmp_path):
    for number, own in enumerate((badge_number, make(regex=r"ST-\d{6}"))):
        nlp = pipeline()
        pipe = nlp.get_pipe("pii_gazetteer")
        pipe.add_pattern(own)
        nlp.to_disk(tmp_path / str(number))
        wanted = masked(nlp)
        assert "[CODE 1]" in wanted
        assert masked(spacy.load(tmp_path / str(number))) == wanted
        again = pickle.loads(pickle.dumps(own))
        assert [*again(TEXT)] == [*own(TEXT)]
    docs = [doc._.deid_text for doc in nlp.pipe([TEXT] * 2, n_process=2)]
    assert docs == [nlp(TEXT)._.deid_text] * 2
    again = pickle.loads(pickle.dumps(pipe))
    assert [*again.patterns["STAFF_BADGE"](TEXT)] == [*own(TEXT)]


def test_on_the_command_line(tmp_path, command):
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"text": TEXT}) + "\n", "utf8")
    args = ("deid", "run", source, "-", "--strategy", "typed_placeholder", "--pattern")
    result = command(*args, r"CODE:STAFF=ST-\d{6}")
    assert "ST-" not in json.loads(result.stdout)["text"]
    assert "--pattern: should be like" in command(*args, "STAFF", code=1).stderr
