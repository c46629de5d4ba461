import itertools
import random

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy import registry
from spacy.tokens import Doc

from spacy_deid.entities import fold as fold_group
from spacy_deid.entities import (
    make_link_entities,
    make_merge_spans,

)
from spacy_deid.names import (
    given_name_gender,
    name_tokens,
    normalise,
    split_name,
    strip_legal_form,
    strip_possessive,
    strip_title,
)
from spacy_deid.schema import Candidate, get_candidates, set_group

NLP = spacy.blank("en")
LINK = make_link_entities()
MERGE = make_merge_spans()


def mentions(label, *texts, ids=()):
    """A document of the texts, one a line, and a candidate for each of them."""
    labels = [label] * len(texts) if isinstance(label, str) else label
    words, candidates = [], []
    for i, (text, type_) in enumerate(zip(texts, labels)):
        tokens = [t.text for t in NLP.make_doc(text)]
        subtype = ids[i] if ids else ""
        candidates.append(
            Candidate(
                len(words), len(words) + len(tokens), type_, subtype, 0.8, "ner:pii_ner"
            )
        )
        words += [*tokens, "\n\n"]
    spaces = [True] * len(words)
    parts = iter(texts)
    doc_words, doc_spaces = [], []
    for text in parts:
        for token in NLP.make_doc(text):
            doc_words.append(token.text)
            doc_spaces.append(bool(token.whitespace_))
        doc_words.append("\n\n")
        doc_spaces.append(False)
    assert doc_words == words and len(spaces) == len(doc_spaces)
    return Doc(NLP.vocab, words=doc_words, spaces=doc_spaces), candidates


def linked(label, *texts, ids=()):
    return LINK(*mentions(label, *texts, ids=ids))


SAME_PERSON = [
    ("Robert Murray", "Murray"),
    ("Robert Murray", "Robert"),
    ("Robert Murray", "Mr Murray"),
    ("Robert Murray", "R. Murray"),
    ("Robert Murray", "R.M."),
    ("Robert Murray", "R. M."),
    ("Robert Murray", "Murray's"),
    ("Robert Murray", "Murray’s"),
    ("Robert Murray", "MURRAY"),
    ("Robert Murray", "MURRAY Robert"),
    ("Robert Murray", "Murray, Robert"),
    ("Robert Murray", "ROBERT MURRAY"),
    ("Robert Murray", "MR MURRAY"),
    ("Robert Murray", "robert murray"),
    ("Robert Murray", "Robert John Murray"),
    ("Robert Murray", "Robert J. Murray"),
    ("Robert Murray", "Mr. Robert Murray Jr."),
    ("Robert Murray", "Robert M."),
    ("Murray", "Mr Robert Murray"),
    ("John Smith", "SMITH, JOHN"),
    ("John Smith", "J. Smith"),
    ("John Smith", "J.S."),
    ("John Smith", "Smith J."),
    ("Dr. Anna Smith-Jones", "Mrs Jones"),
    ("Dr. Anna Smith-Jones", "Ms Smith-Jones"),
    ("Dr. Anna Smith-Jones", "Anna Smith Jones"),
    ("Vincent van der Berg", "van der Berg"),
    ("Vincent van der Berg", "Mr van der Berg"),
    ("Vincent van der Berg", "V. van der Berg"),
    ("Mr O. Demades", "Demades"),
    ("Judge Costa", "Costa"),
    ("Judge J.-P. Costa", "Costa"),
    ("Hans Müller", "MULLER"),
    ("Hans Müller", "Mueller"),
    ("Zoë Quinn", "Zoe Quinn"),
    ("Gabriel García Márquez", "García Márquez"),
    ("Ms Gülizar Tuncer Güneş", "Tuncer"),
    ("Sithu Aung", "Si Thu Aung"),
    ("Yida Huang", "Huáng Yìdá"),
    ("Robert Murray", "Robert\nMurray"),
]


@pytest.mark.parametrize("a,b", SAME_PERSON)
def test_one_person(a, b):
    assert linked("PERSON", a, b) == [0, 0]
    assert linked("PERSON", b, a) == [0, 0]


@pytest.mark.parametrize(
    "a,b",
    [
        ("Anna Smith", "Peter Smith"),
        ("Anna Smith", "Mr Smith"),
        ("Mr John Smith", "Mrs Smith"),
        ("Robert Murray", "Robert Miller"),
        ("Robert Murray", "J. Murray"),
        ("Anna Smith", "the Smiths"),
        ("Mr Smith", "Mr and Mrs Smith"),
        ("John A. Smith", "John B. Smith"),
        ("John Smith Jr.", "John Smith Sr."),
        ("Mr Necmettin Alkan", "Ms L. Alkan"),
        ("Robert Murray", "J.S."),
        ("Mr K.", "Mr L."),
        ("Jean-Paul Costa", "Jean-Pierre Costa"),
    ],
)
def test_two_persons(a, b):
    assert linked("PERSON", a, b) == [0, 1]
    assert linked("PERSON", b, a) == [0, 1]


def test_title_decides_between_namesakes():
    texts = ("Anna Smith", "Peter Smith", "Mrs Smith", "Mr Smith")
    assert linked("PERSON", *texts) == [0, 1, 0, 1]


def test_else_the_nearest_before():
    assert linked("PERSON", "Anna Smith", "Peter Smith", "Smith") == [0, 1, 1]
    assert linked("PERSON", "Smith", "Anna Smith", "Peter Smith") == [0, 0, 1]


def test_short_form_never_joins_two_full_names():
    ids = linked("PERSON", "Anna Smith", "A. Smith", "Agnes Smith", "Smith", "Ms Smith")
    assert ids[0] != ids[2]


@pytest.mark.parametrize(
    "label,a,b",
    [
        ("ORG", "Acme Ltd", "Acme"),
        ("ORG", "Acme GmbH", "ACME"),
        ("ORG", "Barilla S.p.A.", "Barilla"),
        ("ORG", "Acme Inc.", "Acme, Inc"),
        ("ORG", "Murray plc", "the Murray"),
        ("ORG", "Alfa d.o.o.", "Alfa"),
        ("ORG", "Siemens AG", "Siemens's"),
        ("ORG", "European Court of Human Rights (ECHR)", "ECHR"),
        ("ORG", "European Court of Human Rights", "ECHR"),
        ("ORG", "European Court of Human Rights", "E.C.H.R."),
        ("ORG", "the European Court of Human Rights", "European Court of Human Rights"),
        ("ORG", "PKK (the Kurdistan Workers' Party)", "Kurdistan Workers’ Party"),
        ("ORG", "State Railways (hereinafter “the Railways”)", "Railways"),
        ("ORG", "Labour Court", "Labour Court’s"),
        ("CODE", "28045/02", "no. 28045/02"),
        ("CODE", "28045/02", "28045-02"),
        ("CODE", "28045/02", "28045 02"),
        ("CODE", "28045/02", "2804502"),
        ("CODE", "28045/02", "٢٨٠٤٥/٠٢"),
        ("CODE", "AB-123 c", "ab123C"),
        ("CODE", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("CODE", "Ann@Example.org", "ann@example.org"),
        ("CODE", "https://www.example.org/", "www.example.org"),
        ("CODE", "+44 20 7946 0000", "020 7946 0000"),
        ("CODE", "+44 20 7946 0000", "0044 20 79460000"),
        ("CODE", "+44 (0)20 7946 0000", "(020) 7946-0000"),
        ("DATETIME", "1 March 2001", "March 1, 2001"),
        ("DATETIME", "1 March 2001", "2001-03-01"),
        ("DATETIME", "1 March 2001", "1st of March 2001"),
        ("DATETIME", "1 March 2001", "Thursday, 1 March 2001"),
        ("DATETIME", "25/12/2001", "25 December 2001"),
        ("DATETIME", "12/25/2001", "25 December 2001"),
        ("DATETIME", "01.03.2001", "1. März 2001"),
        ("DATETIME", "3/3/2001", "3 March 2001"),
        ("DATETIME", "25/12/99", "25 December 1999"),
        ("LOC", "İzmir", "Izmir"),
        ("LOC", "the Netherlands", "Netherlands"),
        ("LOC", "city of Vienna", "Vienna"),
        ("LOC", "Vienna's", "VIENNA"),
        ("QUANTITY", "EUR 4,000", "4,000 euros"),
        ("QUANTITY", "€4000", "EUR 4,000.00"),
        ("QUANTITY", "4.000 euros", "4,000 EUR"),
        ("QUANTITY", "1.5 million dollars", "$1,500,000"),
        ("QUANTITY", "5 %", "5 per cent"),
        ("DEM", "co-operative", "cooperative"),
        ("DEM", "software engineer", "Software engineers"),
        ("MISC", "Land-Rover", "land rover"),
        ("MISC", "bounties", "bounty"),
    ],
)
def test_one_entity(label, a, b):
    assert linked(label, a, b) == [0, 0]
    assert linked(label, b, a) == [0, 0]


@pytest.mark.parametrize(
    "label,a,b",
    [
        ("ORG", "Acme Ltd", "Apex Ltd"),
        ("ORG", "Supreme Court", "8th Section of the Supreme Court"),
        ("CODE", "12/345", "123/45"),
        ("CODE", "ann@example.org", "anne@example.org"),
        ("CODE", "+44 20 7946 0000", "020 7946 0001"),
        ("DATETIME", "01/03/2001", "1 March 2001"),
        ("DATETIME", "1 March 2001", "1 March 2002"),
        ("DATETIME", "March 2001", "1 March 2001"),
        ("DATETIME", "1991-2000", "1991"),
        ("LOC", "Vienna", "Varna"),
        ("QUANTITY", "EUR 4,000", "4,000 dollars"),
        ("QUANTITY", "1.5 %", "15 %"),
        ("QUANTITY", "5 %", "5"),
        ("DEM", "boss", "bos"),
    ],
)
def test_two_entities(label, a, b):
    assert linked(label, a, b) == [0, 1]
    assert linked(label, b, a) == [0, 1]


def test_figures_are_read_as_the_document_writes_them():
    texts = ("25/12/2001", "01/03/2001", "1 March 2001", "January 3, 2001")
    assert linked("DATETIME", *texts) == [0, 1, 1, 2]
    texts = ("12/25/2001", "01/03/2001", "1 March 2001", "January 3, 2001")
    assert linked("DATETIME", *texts) == [0, 1, 2, 1]
    texts = ("12/25/2001", "25/12/2002", "01/03/2001", "1 March 2001")
    assert linked("DATETIME", *texts) == [0, 1, 2, 3]


def test_phone_with_two_possible_countries_stays_apart():
    texts = ("+44 20 7946 0000", "+49 20 7946 0000", "020 7946 0000")
    assert linked("CODE", *texts) == [0, 1, 2]


def test_equal_text_is_one_entity_whatever_its_type():
    assert linked(["PERSON", "ORG", "LOC"], "Murray", "MURRAY", "Murray’s") == [0, 0, 0]


def test_acronym_defined_beside_the_name():
    doc = NLP.make_doc("The Social Insurance Board (the ZUS) paid. ZUS wrote.")
    spans = [doc[1:4], doc[6:7], doc[10:11]]
    assert [s.text for s in spans] == ["Social Insurance Board", "ZUS", "ZUS"]
    candidates = [Candidate(s.start, s.end, "ORG") for s in spans]
    assert LINK(doc, candidates) == [0, 0, 0]


def test_name_in_another_script():
    doc = NLP.make_doc("Song Giwon (Korean: 송기원; born 1947) met Kim Su (a poet).")
    candidates = [
        Candidate(0, 2, "PERSON"),
        Candidate(5, 6, "PERSON"),
        Candidate(11, 13, "PERSON"),
    ]
    assert doc[5].text == "송기원"
    assert doc[11:13].text == "Kim Su"
    assert LINK(doc, candidates) == [0, 0, 1]


def test_link_nothing():
    assert LINK(NLP.make_doc(""), []) == []


def test_punctuation_only():
    assert linked("MISC", "***", "---", "***") == [0, 1, 0]


WORDS = st.sampled_from(
    "Anna Peter Robert Smith Murray J. R. Mr Mrs Dr. MURRAY smith's Ltd ECHR van der "
    "1 2001 March 01/03/2001 EUR 4,000 28045/02 ( ) , the court Müller Mueller ’s".split()
)
LABELS = st.sampled_from("PERSON ORG CODE DATETIME LOC QUANTITY DEM MISC".split())
SOURCES = st.sampled_from(["", "user:x", "pattern:EMAIL", "ner:pii_ner", "other:y"])


@st.composite
def documents(draw):
    words = draw(st.lists(WORDS, min_size=1, max_size=25))
    spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    doc = Doc(NLP.vocab, words=words, spaces=spaces)
    candidates = []
    for _ in range(draw(st.integers(0, 12))):
        start = draw(st.integers(0, len(words) - 1))
        end = draw(st.integers(start + 1, min(len(words), start + 5)))
        score = draw(st.sampled_from([0.1, 0.5, 1.0]))
        label, source = draw(LABELS), draw(SOURCES)
        candidates.append(Candidate(start, end, label, "", score, source))
    return doc, candidates


def partition(ids):
    groups = {}
    for i, number in enumerate(ids):
        groups.setdefault(number, set()).add(i)
    return groups


@given(documents(), st.randoms(use_true_random=False))
def test_linking_is_symmetric_and_deterministic(sample, rnd):
    doc, candidates = sample
    ids = LINK(doc, candidates)
    assert ids == LINK(doc, candidates)
    order = list(range(len(candidates)))
    rnd.shuffle(order)
    shuffled = LINK(doc, [candidates[i] for i in order])
    assert [shuffled[order.index(i)] for i in range(len(order))] == ids


@given(documents())
def test_entity_numbers(sample):
    doc, candidates = sample
    ids = LINK(doc, candidates)
    assert len(ids) == len(candidates)
    seen = []
    for _, number in sorted(zip(candidates, ids)):
        if number not in seen:
            seen.append(number)
    assert seen == list(range(len(seen)))
    by_text = {}
    for c, number in zip(candidates, ids):
        assert by_text.setdefault(doc[c.start : c.end].text, number) == number


def test_many_mentions():
    rnd = random.Random(0)
    words, candidates = [], []
    for i in range(50_000):
        given_name = "".join(rnd.choices("abcdefgh", k=4)).title()
        surname = rnd.choice(["Smith", "Murray", f"Name{i % 9000}"])
        words += [given_name, surname, "said"]
        candidates.append(Candidate(3 * i, 3 * i + 2, "PERSON"))
    ids = LINK(Doc(NLP.vocab, words=words), candidates)
    assert len(ids) == 50_000


# Merging


def content(doc, candidates):
    return {
        i
        for c in candidates
        for i in range(c.start, c.end)
        if any(ch.isalnum() for ch in doc[i].text) and not doc[i].is_stop
    }


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


def test_merge_keeps_the_rest_of_a_loser():
    doc = NLP.make_doc("Anna Smith Murray of Acme")
    left = Candidate(0, 3, "PERSON", "", 0.9, "ner:x")
    right = Candidate(2, 5, "ORG", "", 0.9, "pattern:x")
    merged = MERGE(doc, [left, right])
    assert [(c.start, c.end, c.label) for c in merged] == [
        (0, 2, "PERSON"),
        (2, 5, "ORG"),
    ]


# Names


@pytest.mark.parametrize(
    "text,parts",
    [
        (
            "Dr. Anna Maria van der Berg Jr.",
            ("Dr.", "Anna", "Maria", "van der Berg", "Jr."),
        ),
        ("SMITH, JOHN", ("", "JOHN", "", "SMITH", "")),
        ("Smith, Jr.", ("", "", "", "Smith", "Jr.")),
        ("J. Smith", ("", "J.", "", "Smith", "")),
        ("J.S. Bach", ("", "J.", "S.", "Bach", "")),
        ("J.S.", ("", "J.", "", "S.", "")),
        ("Smith J.", ("", "J.", "", "Smith", "")),
        ("Mr Murray’s", ("Mr", "", "", "Murray", "")),
        ("Sir Robert", ("Sir", "Robert", "", "", "")),
        ("Lord Denning", ("Lord", "", "", "Denning", "")),
        ("MURRAY Robert", ("", "Robert", "", "MURRAY", "")),
        ("Robert MURRAY", ("", "Robert", "", "MURRAY", "")),
        ("Prof. Dr. Hans Meier", ("Prof. Dr.", "Hans", "", "Meier", "")),
        ("Samuel L. Jackson", ("", "Samuel", "L.", "Jackson", "")),
        ("John Smith, M.D.", ("", "John", "", "Smith", "M.D.")),
        ("Dr. M.D.", ("Dr.", "M.", "", "D.", "")),
        ("Al Gore", ("", "Al", "", "Gore", "")),
        ("José Ortega y Gasset", ("", "José", "", "Ortega y Gasset", "")),
        ("Señora García", ("Señora", "", "", "García", "")),
        ("Mr.Smith", ("Mr.", "", "", "Smith", "")),
        ("张三", ("", "", "", "张三", "")),
        ("", ("", "", "", "", "")),
        ("...", ("", "", "", "", "")),
    ],
)
def test_split_name(text, parts):
    assert tuple(split_name(text)) == parts


@given(st.text(max_size=60))
def test_name_forms_take_any_text(text):
    tokens = name_tokens(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert [t.start for t in tokens] == sorted(t.start for t in tokens)
    for form in (normalise, strip_legal_form, strip_title, strip_possessive):
        assert isinstance(form(text), str)
    assert normalise(normalise(text)) == normalise(text) or "the" in normalise(text)


def test_small_forms():
    assert strip_title("Mr Robert Murray") == "Robert Murray"
    assert strip_title("Mr") == "Mr"
    assert strip_possessive("Murray’s") == "Murray"
    assert strip_possessive("Williams'") == "Williams"
    assert strip_possessive("'s") == "'s"
    assert strip_legal_form("Murray & Sons (UK) Ltd.") == "murray sons uk"
    assert strip_legal_form("Ltd") == "ltd"
    assert normalise("the MÜLLER-Meier’s") == "muller meier"
    assert normalise("1.5") != normalise("15")
    assert given_name_gender("Anna") == "f"
    assert given_name_gender("Xyzzy") is None
