import itertools
import random

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy import registry
from spacy.tokens import Doc

from spacy_deid.entities.linking import make_link_entities
from spacy_deid.entities.merging import fold_into_pii as fold_group
from spacy_deid.entities.merging import make_merge_spans
from spacy_deid.entities.propagation import make_propagate_names
from spacy_deid.gazetteers.names import given_name_gender
from spacy_deid.schema import Candidate, get_candidates, set_group
from spacy_deid.text.names import (
    name_tokens,
    normalise,
    split_name,
    strip_legal_form,
    strip_possessive,
)

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
    ("Maria Garcia-Lopez", "GARCIA LOPEZ"),
    ("Maria Garcia-Lopez", "Ms Garcia Lopez"),
    ("Maria Garcia-Lopez", "M.G.L."),
    ("Anna Schmidt", "@annaschmidt"),
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


@pytest.mark.parametrize("cue", ["born", "née", "also known as", "aka"])
def test_name_at_birth(cue):
    start = f"Anna Smith ({cue}"
    doc = NLP.make_doc(f"{start} Maria Jones, in 1947) met Eva Berg.")
    first = len(NLP.make_doc(start))
    candidates = [
        Candidate(0, 2, "PERSON"),
        Candidate(first, first + 2, "PERSON"),
        Candidate(first + 7, first + 9, "PERSON"),
    ]
    assert doc[first : first + 2].text == "Maria Jones"
    assert doc[first + 7 : first + 9].text == "Eva Berg"
    assert LINK(doc, candidates) == [0, 0, 1]


def test_persons_in_parentheses_stay_apart():
    doc = NLP.make_doc("Anna Smith (daughter of Peter Smith)")
    candidates = [Candidate(0, 2, "PERSON"), Candidate(5, 7, "PERSON")]
    assert LINK(doc, candidates) == [0, 1]


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


@pytest.mark.parametrize("between", [", ", " and ", "; ", ",\n", " / "])
def test_items_of_a_list_are_entities_of_their_own(between):
    codes = ["12345/02", "6789/03", "2468/04"]
    doc = NLP.make_doc(f"nos. {between.join(codes)} were joined")
    spans = [
        doc.char_span(start, start + len(code))
        for code in codes
        for start in [doc.text.index(code)]
    ]
    items = [
        Candidate(s.start, s.end, "CODE", "CASE_NUMBER", 0.9, "pattern:x")
        for s in spans
    ]
    whole = Candidate(items[0].start, items[-1].end, "CODE", "", 0.9, "ner:x")
    assert MERGE(doc, [whole, *items]) == items
    # Of another type, with a word of its own, or of a single item it is no list.
    for other in (
        whole._replace(label="ORG"),
        whole._replace(start=0),
        whole._replace(source="user"),
    ):
        assert MERGE(doc, [other, *items]) == [other]
    assert MERGE(doc, [whole, items[1]]) == [whole]


@pytest.mark.parametrize(
    "score,parts",
    [
        (0.01, ["42-46", "11 October 2005"]),
        # Likelier than not, or than the rule: the longest wins.
        (0.6, ["42-46, 11 October 2005"]),
    ],
)
def test_a_doubtful_span_joins_no_other_numbers_to_a_date(score, parts):
    doc = NLP.make_doc("see §§ 42-46, 11 October 2005; and")

    def candidate(text, source, score):
        span = doc.char_span(doc.text.index(text), doc.text.index(text) + len(text))
        return Candidate(span.start, span.end, "DATETIME", "", score, source)

    date = candidate("11 October 2005", "pattern:DATE", 0.95)
    found = candidate("42-46, 11 October 2005", "ner:pii_ner", score)
    merged = MERGE(doc, [found, date])
    assert [doc[c.start : c.end].text for c in merged] == parts
    # A given span is never taken apart, nor one that adds words alone.
    given = found._replace(source="user")
    assert MERGE(doc, [given, date]) == [given]
    doc = NLP.make_doc("since early October 2005")
    early = candidate("early October 2005", "ner:pii_ner", score)
    assert MERGE(doc, [early, candidate("October 2005", "pattern:DATE", 0.9)]) == [
        early
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
    for form in (normalise, strip_legal_form, strip_possessive):
        assert isinstance(form(text), str)
    assert normalise(normalise(text)) == normalise(text) or "the" in normalise(text)


def test_small_forms():
    assert strip_possessive("Murray’s") == "Murray"
    assert strip_possessive("Williams'") == "Williams"
    assert strip_possessive("'s") == "'s"
    assert strip_legal_form("Murray & Sons (UK) Ltd.") == "murray sons uk"
    assert strip_legal_form("Ltd") == "ltd"
    assert normalise("the MÜLLER-Meier’s") == "muller meier"
    assert normalise("1.5") != normalise("15")
    assert given_name_gender("Anna") == "f"
    assert given_name_gender("Xyzzy") is None


# Propagation

PROPAGATE = make_propagate_names()


def find(text, *entities, label="PERSON", source="ner:pii_ner"):
    """Texts found when the first occurrence of each entity is known."""
    doc = NLP.make_doc(text)
    candidates = []
    for entity in entities:
        start = text.index(entity)
        span = doc.char_span(start, start + len(entity), alignment_mode="expand")
        candidates.append(Candidate(span.start, span.end, label, "", 1.0, source))
    found = PROPAGATE(doc, candidates)
    assert found == sorted(found)
    return [doc[c.start : c.end].text for c in found]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("Robert Murray came. Murray left.", ["Murray"]),
        ("Robert Murray came. Then Robert left.", ["Robert"]),
        ("Robert Murray came. Murray's car and Murray’s bike.", ["Murray", "Murray"]),
        ("Robert Murray came. ROBERT MURRAY left.", ["ROBERT MURRAY"]),
        ("Robert Murray came. MURRAY left.", ["MURRAY"]),
        ("Robert Murray came. So did robert murray.", ["robert murray"]),
        ("Robert Murray came. So did murray.", ["murray"]),
        ("Robert Murray came. Mr Murray left.", ["Mr Murray"]),
        ("Robert Murray came. MR MURRAY left.", ["MR MURRAY"]),
        ("Robert Murray came. Mr. R. Murray left.", ["Mr. R. Murray"]),
        ("Robert Murray came. R. Murray left.", ["R. Murray"]),
        ("Robert Murray came. Prof. Dr. Murray left.", ["Prof. Dr. Murray"]),
        ("Robert Murray came. MURRAY Robert left.", ["MURRAY Robert"]),
        ("Robert Murray came. Then Robert\nMurray left.", ["Robert\nMurray"]),
        ("Robert Murray came. Then Robert Mur-\nray left.", ["Robert Mur-\nray"]),
        ("Anna Smith-Jones came. Anna Smith Jones left.", ["Anna Smith Jones"]),
        ("Anna Smith Jones came. Anna Smith-Jones left.", ["Anna Smith-Jones"]),
        ("Hans Müller came. Then MULLER left.", ["MULLER"]),
        ("Si Thu Aung came. Then Sithu Aung left.", ["Sithu Aung"]),
        ("Vincent van der Berg came. Van der Berg left.", ["Van der Berg"]),
        ("Robert Murray came. Murrays do not.", []),
        ("Will Court came. It will be May in court, the Court says.", []),
        ("April May came. In April and May it may rain.", []),
        ("Will Hunt came. Will you hunt?", []),
        ("Will Hunt came. Then Will left.", ["Will"]),
        ("Robert Murray came. R.M. left.", ["R.M."]),
        ("Robert Murray came. R. M. said r.m. and RM", ["R. M."]),
        ("Jean-Luc Picard came. Then Jean Luc. Picard too.", ["Jean", "Luc", "Picard"]),
        ("Anna Schmidt came. See annaschmidt there.", ["annaschmidt"]),
        ("Maria Garcia came. M.G.L. left.", []),
        (
            "Maria Garcia-Lopez came. M.G.L. left. m. garcia-lopez.",
            ["M.G.L.", "m. garcia-lopez"],
        ),
        ("Jack Brown came. A brown dog met Brown.", ["Brown"]),
        ("Michael Jordan came. He left for Jordan.", []),
        ("Michael Jordan came. He left for Jordan with Mr Jordan.", ["Mr Jordan"]),
        ("Martin King came. The King met M. King.", ["M. King"]),
        ("Aria and Leo came. Aria left Leo.", ["Aria", "Leo"]),
        ("Mr and Mrs Kowal came. KOWAL left, Mrs Kowal too.", ["KOWAL", "Mrs Kowal"]),
        ("April May came. In May Ms May left.", ["Ms May"]),
        ("Mr Robert Murray came. The mr was Robert.", ["Robert"]),
    ],
)
def test_propagate_persons(text, expected):
    name = text.split(" came")[0]
    assert find(text, name) == expected


@pytest.mark.parametrize(
    "label,text,entity,expected",
    [
        ("ORG", "Acme Trading won. Later ACME TRADING lost.", "Acme Trading", ["ACME TRADING"]),
        ("ORG", "Acme won. Acme's rival lost.", "Acme", ["Acme"]),
        ("ORG", "The Social Board (“the SB-Z”) or SOB.", "Social Board", ["SB-Z"]),
        ("ORG", "The Social Insurance Board (ZUS) paid. ZUS wrote, zus.", "Social Insurance Board", ["ZUS", "ZUS"]),
        ("ORG", "A PKK (Workers' Party) and the PKK.", "PKK (Workers' Party)", ["PKK"]),
        ("ORG", "The Government said that Government", "Government", []),
        ("ORG", "The High Court and a high court, High Court", "High Court", ["High Court"]),
        ("CODE", "See 28045/02 and 28045-02 and 28045 02.", "28045/02", ["28045-02", "28045 02"]),
        ("CODE", "Key DE89 3704 0044 is DE8937040044.", "DE89 3704 0044", ["DE8937040044"]),
        ("CODE", "Call +44 20 7946 0000, 020 7946 0000!", "+44 20 7946 0000", ["020 7946 0000"]),
        ("CODE", "Call +44 20 7946 0000, 442079460000!", "+44 20 7946 0000", ["442079460000"]),
        ("DATETIME", "In 2001 and 2001", "2001", []),
        ("DATETIME", "On 1 March 2001, and 1\nMarch 2001", "1 March 2001", ["1\nMarch 2001"]),
        ("QUANTITY", "Of 30 and 30", "30", []),
        ("LOC", "From Oslo to oslo and OSLO", "Oslo", ["OSLO"]),
        ("LOC", "From Turkey to TURKEY", "Turkey", ["TURKEY"]),
        ("DEM", "A Turkish man, turkish", "Turkish", ["turkish"]),
    ],
)  # fmt: skip
def test_propagate_others(label, text, entity, expected):
    assert find(text, entity, label=label) == expected


def test_lower_case_documents():
    text = "hi i am anna lee and my friend is bob. later anna said to lee hi"
    assert find(text, "anna lee") == ["anna"]


def test_propagated_candidates():
    doc = NLP.make_doc("Robert Murray came. Mr Murray left. Robert too.")
    given_one = Candidate(0, 2, "PERSON", "FULL_NAME", 0.5, "user:me")
    first, second = PROPAGATE(doc, [given_one])
    assert first[:4] == (4, 6, "PERSON", "FAMILY_NAME")
    assert second[:4] == (8, 9, "PERSON", "GIVEN_NAME")
    assert first.score == pytest.approx(0.45)
    assert first.source == "propagation:user"
    half = make_propagate_names(decay=0.5)(doc, [given_one])
    assert half[0].score == pytest.approx(0.25)
    whole = PROPAGATE(NLP.make_doc("Robert Murray, Robert Murray"), [given_one])
    assert whole[0][:4] == (3, 5, "PERSON", "FULL_NAME")


def test_propagation_twice_adds_nothing():
    doc = NLP.make_doc("Robert Murray came. Mr Murray left. Robert too.")
    merged = MERGE(doc, [Candidate(0, 2, "PERSON")])
    merged = MERGE(doc, [*merged, *PROPAGATE(doc, merged)])
    assert PROPAGATE(doc, merged) == []


def test_a_longer_name_around_a_shorter_candidate():
    doc = NLP.make_doc("Robert Murray came. Robert Murray left.")
    partly = [Candidate(0, 2, "PERSON"), Candidate(5, 6, "PERSON", score=0.9)]
    assert doc[4:6].text == "Robert Murray"
    merged = MERGE(doc, [*partly, *PROPAGATE(doc, partly)])
    assert [(c.start, c.end) for c in merged] == [(0, 2), (4, 6)]


def test_given_name_inside_another_persons_name():
    text = "Robert Murray met Anna Robert. Robert left. Anna Robert too."
    assert find(text, "Robert Murray", "Anna Robert") == ["Robert", "Anna Robert"]


def test_name_in_an_address():
    doc = NLP.make_doc("Robert Murray wrote from robert.murray@example.org yesterday")
    (found,) = PROPAGATE(doc, [Candidate(0, 2, "PERSON")])
    assert (found.label, found.id) == ("CODE", "EMAIL")
    assert "@" in doc[found.start : found.end].text


@given(documents())
def test_propagation_invariants(sample):
    doc, candidates = sample
    merged = MERGE(doc, candidates)
    found = PROPAGATE(doc, merged)
    assert found == PROPAGATE(doc, merged)
    for a, b in itertools.pairwise(found):
        assert a.end <= b.start
    for c in found:
        assert 0 <= c.start < c.end <= len(doc)
        assert 0 <= c.score <= 1
        assert c.source.startswith("propagation:")
        assert not any(m.start <= c.start and c.end <= m.end for m in merged)
        for m in merged:
            apart = c.end <= m.start or m.end <= c.start
            assert apart or (c.start <= m.start and m.end <= c.end)


@given(
    st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(1, 4), LABELS), max_size=6),
)
def test_any_text(words, spans):
    doc = Doc(NLP.vocab, words=words)
    candidates = [
        Candidate(start, min(start + size, len(doc)), label)
        for start, size, label in spans
        if start < len(doc)
    ]
    merged = MERGE(doc, candidates)
    assert len(LINK(doc, merged)) == len(merged)
    assert len(LINK(doc, candidates)) == len(candidates)
    for c in PROPAGATE(doc, merged):
        assert 0 <= c.start < c.end <= len(doc)


NAMES = st.sampled_from(
    "Kowalczyk Murray Szafrański Achleitner Öcalan Necatigil".split()
)
GIVEN = st.sampled_from("Robert Tomasz Gisela Józef Anna Mehmet".split())


@given(GIVEN, NAMES, st.sampled_from([str.upper, str.lower, str.title, str]))
def test_planted_repeats_are_found(first, last, change):
    text = f"{first} {last} was heard. The others saw {change(last)} there, alone."
    found = find(text, f"{first} {last}")
    assert found == [change(last)]
    text = f"{first} {last} was heard. They asked {change(first + ' ' + last)} there."
    assert find(text, f"{first} {last}") == [change(first + " " + last)]


def test_nothing_to_propagate():
    assert PROPAGATE(NLP.make_doc(""), []) == []
    assert PROPAGATE(NLP.make_doc("Robert Murray"), [Candidate(0, 2, "PERSON")]) == []
    assert PROPAGATE(NLP.make_doc("*** ***"), [Candidate(0, 1, "MISC")]) == []


def test_propagation_in_a_long_document():
    rnd = random.Random(0)
    words = [rnd.choice(["alpha", "beta", "gamma"]) for _ in range(200_000)]
    candidates = []
    for i in range(0, 100_000, 50):
        name = "".join(rnd.choices("abcdefgh", k=6)).title()
        words[i : i + 2] = [name, "Murray"]
        words[i + 100_000] = name.upper()
        candidates.append(Candidate(i, i + 2, "PERSON"))
    found = PROPAGATE(Doc(NLP.vocab, words=words), candidates)
    assert len(found) == len(candidates)


def test_repetitive_document():
    doc = Doc(NLP.vocab, words=["a"] * 20_000)
    candidates = [Candidate(0, 10_000, "ORG"), Candidate(10_000, 10_020, "CODE")]
    assert LINK(doc, candidates) == [0, 1]
    assert isinstance(PROPAGATE(doc, candidates), list)


# Folding


def test_fold():
    doc = NLP.make_doc("Robert Murray came. Murray left for Acme.")
    set_group(doc, "pii", [Candidate(7, 8, "ORG", "", 0.5, "term:x")])
    set_group(doc, "pii_ner", [Candidate(0, 2, "PERSON", "", 0.9, "ner:pii_ner")])
    fold_group(doc, "pii_ner", MERGE, LINK, PROPAGATE)
    assert [(c.start, c.end, c.label) for c in get_candidates(doc, "pii")] == [
        (0, 2, "PERSON"),
        (4, 5, "PERSON"),
        (7, 8, "ORG"),
    ]
    assert doc.spans["pii"].attrs["entity_ids"] == [0, 0, 1]
    before = get_candidates(doc, "pii")
    fold_group(doc, "pii_ner", MERGE, LINK, PROPAGATE)
    assert get_candidates(doc, "pii") == before


def test_fold_without_linker():
    doc = NLP.make_doc("Robert Murray")
    set_group(doc, "x", [Candidate(0, 1, "PERSON"), Candidate(1, 2, "PERSON")])
    fold_group(doc, "x", MERGE)
    assert doc.spans["pii"].attrs["entity_ids"] == [0, 1]


@pytest.mark.parametrize(
    "name", ["merge_spans", "link_entities", "propagate_names"]
)  # fmt: skip
def test_registered(name):
    assert callable(registry.misc.get(f"spacy_deid.{name}.v1")())


# Real documents


def gold(shared_data, name):
    for line in srsly.read_jsonl(shared_data / name / "dev.jsonl"):
        doc = NLP.make_doc(line["text"])
        candidates, entities = [], []
        for m in line["entity_mentions"]:
            span = doc.char_span(
                m["start_offset"], m["end_offset"], alignment_mode="expand"
            )
            candidates.append(Candidate(span.start, span.end, m["entity_type"]))
            entities.append(m["entity_id"])
        yield doc, candidates, entities


@pytest.mark.parametrize("corpus", ["tab", "wiki_biographies"])
def test_linking_of_real_names(shared_data, corpus):
    both = mine = theirs = 0
    for doc, candidates, entities in gold(shared_data, corpus):
        ids = LINK(doc, candidates)
        chosen = [i for i, c in enumerate(candidates) if c.label in ("PERSON", "CODE")]
        for i, j in itertools.combinations(chosen, 2):
            a, b = ids[i] == ids[j], entities[i] == entities[j]
            both += a and b
            mine += a
            theirs += b
    assert both / mine >= 0.95
    # Some of the biographies' persons have several unlike names.
    assert both / theirs >= (0.9 if corpus == "tab" else 0.7)


@pytest.mark.parametrize("corpus", ["tab", "wiki_biographies"])
def test_propagated_names_are_names(shared_data, corpus):
    right = total = 0
    for doc, candidates, entities in gold(shared_data, corpus):
        longest = {}
        for c, entity in zip(candidates, entities):
            if c.label == "PERSON":
                longest[entity] = max(
                    longest.get(entity, c), c, key=lambda c: c.end - c.start
                )
        marked = {i for c in candidates for i in range(c.start, c.end)}
        for c in PROPAGATE(doc, list(longest.values())):
            total += 1
            right += not marked.isdisjoint(range(c.start, c.end))
    assert right >= 0.9 * total


@pytest.mark.parametrize(
    "text,handle,expected",
    [
        ("tomasz_w: hi. did Tomasz call? tomasz did", "tomasz_w", ["Tomasz", "tomasz"]),
        ("write to jwalsh7@mail.org , Walsh said", "jwalsh7@mail.org", ["Walsh"]),
        ("sales@mail.org : the Sales department", "sales@mail.org", []),
        ("mark_it: please Mark the box", "mark_it", []),
    ],
)
def test_names_in_handles_are_found_elsewhere(text, handle, expected):
    doc = spacy.blank("en")(text)
    start = text.index(handle)
    span = doc.char_span(start, start + len(handle), alignment_mode="expand")
    subtype = "EMAIL" if "@" in handle else "USERNAME"
    found = make_propagate_names()(
        doc, [Candidate(span.start, span.end, "CODE", subtype, 1.0, "pattern:X")]
    )
    assert [doc[c.start : c.end].text for c in found] == expected
    assert all(c.label == "PERSON" for c in found)
