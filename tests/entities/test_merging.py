import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy import registry

from spacy_deid.entities.merging import fold_into_pii, one_type
from spacy_deid.schema import Candidate, get_candidates, set_group

from ..annotated import places
from .samples import LINK, MERGE, NLP, PROPAGATE, documents


def content(doc, candidates):
    tokens = {t for c in candidates for t in doc[c.start : c.end]}
    return {t.i for t in tokens if any(map(str.isalnum, t.text)) and not t.is_stop}


def place(doc, text, label, score, source="ner:pii_ner", subtype=""):
    ((start, end),) = places(doc, (text,))
    return Candidate(start, end, label, subtype, score, source)


def rows_of(candidates):
    return [(c.start, c.end, c.label) for c in candidates]


def texts(doc, *candidates):
    return [doc[c.start : c.end].text for c in MERGE(doc, candidates)]


@given(documents())
def test_merge_keeps_what_is_covered(sample):
    doc, candidates = sample
    merged = MERGE(doc, candidates)
    for a, b in itertools.pairwise(merged):
        assert a.end <= b.start
    assert all(0 <= c.start < c.end <= len(doc) for c in merged)
    assert content(doc, candidates) == content(doc, merged)


@given(documents(), st.randoms(use_true_random=False))
def test_merge_idempotent_and_order_independent(sample, rnd):
    doc, candidates = sample
    merged = MERGE(doc, candidates)
    assert MERGE(doc, merged) == merged
    rnd.shuffle(candidates)
    assert MERGE(doc, candidates) == merged


def test_merge_priorities():
    doc = NLP.make_doc("Robert Murray of Acme Ltd left")
    long, short = Candidate(0, 2, "PERSON"), Candidate(1, 2, "LOC", score=1.0)
    assert MERGE(doc, [short, long]) == [long]
    ner = Candidate(0, 2, "PERSON", "", 0.9, "ner:x")
    pattern = Candidate(0, 2, "CODE", "", 0.1, "pattern:x")
    assert MERGE(doc, [ner, pattern]) == [pattern]
    weak = ner._replace(score=0.2, label="ORG")
    assert MERGE(doc, [weak, ner]) == [ner]
    custom = registry.misc.get("spacy_deid.merge_spans.v1")(priority=["ner", "pattern"])
    assert custom(doc, [ner, pattern]) == [ner]


@pytest.mark.parametrize(
    "name, kept", [("Iraqis", "DEM"), ("Malians", "DEM"), ("French", "PERSON")]
)
def test_a_people_is_no_person_but_where_persons_are_called_so(name, kept):
    doc = NLP.make_doc(f"{name} came")
    people = place(doc, name, "DEM", 0.7, "term:nationalities", "NATIONALITY")
    person = place(doc, name, "PERSON", 0.99)
    assert [c.label for c in MERGE(doc, [person, people])] == [kept]


def test_merge_keeps_the_rest_of_a_loser():
    doc = NLP.make_doc("Anna Smith Murray of Acme")
    left = Candidate(0, 3, "PERSON", "", 0.9, "ner:x")
    right = Candidate(2, 5, "ORG", "", 0.9, "pattern:x")
    assert rows_of(MERGE(doc, [left, right])) == [(0, 2, "PERSON"), (2, 5, "ORG")]


def test_no_name_holds_a_code():
    doc = NLP.make_doc("mail Ann Lee ann@acme.org Ben now")
    found = Candidate(1, 5, "PERSON", "", 0.9, "ner:x")
    code = Candidate(3, 4, "CODE", "EMAIL", 0.9, "pattern:x")
    names = [found._replace(end=3), found._replace(start=4)]
    assert MERGE(doc, [found, code]) == [names[0], code, names[1]]
    for other in (found._replace(source="user"), found._replace(label="LOC")):
        assert MERGE(doc, [other, code]) == [other]


@pytest.mark.parametrize("between", [", ", " and ", "; ", ",\n", " / "])
def test_items_of_a_list_are_entities_of_their_own(between):
    codes = ["12345/02", "6789/03", "2468/04"]
    doc = NLP.make_doc(f"nos. {between.join(codes)} were joined")
    items = [place(doc, c, "CODE", 0.9, "pattern:x", "CASE_NUMBER") for c in codes]
    whole = Candidate(items[0].start, items[-1].end, "CODE", "", 0.9, "ner:x")
    assert MERGE(doc, [whole, *items]) == items
    # Of another type, with a word of its own, or of a single item it is no list.
    for change in ({"label": "ORG"}, {"start": 0}, {"source": "user"}):
        other = whole._replace(**change)
        assert MERGE(doc, [other, *items]) == [other]
    assert MERGE(doc, [whole, items[1]]) == [whole]
    # One that its recognizer hardly believes in is a list whatever it takes it for.
    doubtful = whole._replace(label="LOC", score=0.1)
    assert MERGE(doc, [doubtful, *items]) == items
    assert MERGE(doc, [doubtful, items[1]]) == [doubtful]
    with_word = doubtful._replace(start=0)
    assert MERGE(doc, [with_word, *items]) == [with_word]


# A verb is none of an address; letters of no word may be.
@pytest.mark.parametrize(
    "text, more", [("Mail bo@x.org", []), ("bo@x.org QXZ", ["QXZ"])]
)
def test_a_doubtful_span_hangs_no_words_on_a_code(text, more):
    doc = NLP.make_doc(text)
    hit = place(doc, "bo@x.org", "CODE", 0.98, "pattern:EMAIL", "EMAIL")
    found = place(doc, text, "CODE", 0.01)
    assert texts(doc, found, hit) == ["bo@x.org", *more]
    assert texts(doc, found._replace(score=0.9), hit) == [text]


# Likelier than not, or than the rule, the longest wins.
@pytest.mark.parametrize("score, n_parts", [(0.01, 2), (0.6, 1)])
def test_a_doubtful_span_joins_no_other_numbers_to_a_date(score, n_parts):
    parts = {1: ["42-46, 11 October 2005"], 2: ["42-46", "11 October 2005"]}[n_parts]
    doc = NLP.make_doc("see §§ 42-46, 11 October 2005; and")
    date = place(doc, "11 October 2005", "DATETIME", 0.95, "pattern:DATE")
    found = place(doc, "42-46, 11 October 2005", "DATETIME", score)
    assert texts(doc, found, date) == parts
    # A given span is never taken apart, nor one that adds words alone.
    given = found._replace(source="user")
    assert MERGE(doc, [given, date]) == [given]
    doc = NLP.make_doc("since early October 2005")
    early = place(doc, "early October 2005", "DATETIME", score)
    date = place(doc, "October 2005", "DATETIME", 0.9, "pattern:DATE")
    assert MERGE(doc, [early, date]) == [early]


def test_a_number_of_a_provision_is_no_part_of_a_date():
    doc = NLP.make_doc("see § 22 - 23 , 4 August 2006")
    date = place(doc, "4 August 2006", "DATETIME", 0.95, "pattern:DATE")
    set_group(doc, "pii", [date])
    set_group(doc, "pii_ner", [place(doc, "23 , 4 August 2006", "DATETIME", 0.01)])
    fold_into_pii(doc, "pii_ner", MERGE, LINK)
    assert get_candidates(doc, "pii") == [date]


def test_a_case_is_no_organisation_around_its_party():
    doc = NLP.make_doc("CASE OF YOUNG v. MALTA")
    hit = place(doc, "YOUNG", "PERSON", 0.95, "pattern:named_field")
    found = place(doc, "YOUNG v. MALTA", "ORG", 0.9)
    assert texts(doc, found, hit) == ["YOUNG", "v. MALTA"]
    given = found._replace(source="user")
    assert MERGE(doc, [given, hit]) == [given]


def test_fold():
    doc = NLP.make_doc("Robert Murray came. Murray left for Acme.")
    set_group(doc, "pii", [Candidate(7, 8, "ORG", "", 0.5, "term:x")])
    set_group(doc, "pii_ner", [Candidate(0, 2, "PERSON", "", 0.9, "ner:pii_ner")])
    fold_into_pii(doc, "pii_ner", MERGE, LINK, PROPAGATE)
    before = get_candidates(doc, "pii")
    assert rows_of(before) == [(0, 2, "PERSON"), (4, 5, "PERSON"), (7, 8, "ORG")]
    assert doc.spans["pii"].attrs["entity_ids"] == [0, 0, 1]
    fold_into_pii(doc, "pii_ner", MERGE, LINK, PROPAGATE)
    assert get_candidates(doc, "pii") == before
    # Without a linker.
    doc = NLP.make_doc("Robert Murray")
    set_group(doc, "x", [Candidate(0, 1, "PERSON"), Candidate(1, 2, "PERSON")])
    fold_into_pii(doc, "x", MERGE)
    assert doc.spans["pii"].attrs["entity_ids"] == [0, 1]


def test_an_entity_has_the_type_of_its_best_evidence():
    found = [
        Candidate(0, 2, "MISC", "", 0.4, "ner:x"),
        Candidate(4, 5, "PERSON", "", 0.9, "ner:x"),
        Candidate(6, 7, "PERSON", "GIVEN_NAME", 0.8, "propagation:ner"),
        Candidate(8, 9, "DATETIME", "", 0.9, "pattern:DATE"),
        Candidate(10, 11, "ORG", "", 0.9, "ner:x"),
    ]
    doc = NLP.make_doc("Ann Lee met Lee and Ann on Monday at Acme Ltd in Leeds today")
    # What is said again and again is no further evidence.
    often = [found[0]._replace(score=0.5)] * 9 + [found[1]]
    # What lists and patterns found is what it is, and the type of a date is no name's.
    listed = [found[0]._replace(source="term:religion"), found[1]]
    for candidates, ids, labels in (
        (found, [0, 0, 0, 0, 1], ["PERSON"] * 3 + ["DATETIME", "ORG"]),
        (often, [0] * 10, ["PERSON"] * 10),
        (listed, [0, 0], ["MISC", "PERSON"]),
        (found[3:], [0, 0], ["DATETIME", "ORG"]),
    ):
        assert [c.label for c in one_type(doc, candidates, ids)] == labels


# Not where the recognizer is sure, and no other words: names, numbers.
@pytest.mark.parametrize(
    "more, score",
    [("states", 0.02), ("states", 0.6), ("Easter", 0.02), ("last year", 0.02)],
)
def test_no_word_hangs_behind_a_doubtful_date(more, score):
    date, kept = "1 March 1993", more != "states" or score > 0.5
    doc = NLP.make_doc(f"of {date} {more}: no")
    found = place(doc, f"{date} {more}", "DATETIME", score)
    rule = place(doc, date, "DATETIME", 0.95, "pattern:DATE", "DATE")
    assert texts(doc, found, rule) == [f"{date} {more}" if kept else date]


def test_a_title_before_a_name_is_no_fact_of_its_own():
    doc = NLP("HER HONOUR JUDGE PEVERELL asked a judge .")
    found = [
        place(doc, "JUDGE", "DEM", 0.6),
        place(doc, "PEVERELL", "PERSON", 0.9),
        place(doc, "judge", "DEM", 0.6),
    ]
    set_group(doc, "pii_ner", found)
    fold_into_pii(doc, "pii_ner", MERGE, LINK, None)
    left = [doc[c.start : c.end].text for c in get_candidates(doc, "pii")]
    assert left == ["PEVERELL", "judge"]
