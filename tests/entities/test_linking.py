import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.schema import Candidate

from .samples import LINK, NLP, documents, gold


def linked(label, *texts, ids=()):
    """Entities of the texts, one a line of a document, all of them candidates."""
    labels = [label] * len(texts) if isinstance(label, str) else label
    words, spaces, candidates = [], [], []
    for text, type_, subtype in itertools.zip_longest(texts, labels, ids, fillvalue=""):
        doc, start = NLP.make_doc(text), len(words)
        end = start + len(doc)
        candidates.append(Candidate(start, end, type_, subtype, 0.8, "ner:pii_ner"))
        words += [*(t.text for t in doc), "\n\n"]
        spaces += [*(bool(t.whitespace_) for t in doc), False]
    return LINK(Doc(NLP.vocab, words=words, spaces=spaces), candidates)


# A type, a form, and forms of the same entity, or of others.
ONE = """
PERSON | Robert Murray | Murray | Robert | Mr Murray | R. Murray | R.M. | R. M.
PERSON | Robert Murray | Murray's | Murray’s | MURRAY | MURRAY Robert
PERSON | Robert Murray | Murray, Robert | ROBERT MURRAY | MR MURRAY | robert murray
PERSON | Robert Murray | Robert John Murray | Robert J. Murray
PERSON | Robert Murray | Mr. Robert Murray Jr. | Robert M.
PERSON | Murray | Mr Robert Murray
PERSON | John Smith | SMITH, JOHN | J. Smith | J.S. | Smith J.
PERSON | Dr. Anna Smith-Jones | Mrs Jones | Ms Smith-Jones | Anna Smith Jones
PERSON | Vincent van der Berg | van der Berg | Mr van der Berg | V. van der Berg
PERSON | Mr O. Demades | Demades
PERSON | Judge Costa | Costa
PERSON | Judge J.-P. Costa | Costa
PERSON | Hans Müller | MULLER | Mueller
PERSON | Zoë Quinn | Zoe Quinn
PERSON | Gabriel García Márquez | García Márquez
PERSON | Ms Gülizar Tuncer Güneş | Tuncer
PERSON | Sithu Aung | Si Thu Aung
PERSON | Yida Huang | Huáng Yìdá
PERSON | Maria Garcia-Lopez | GARCIA LOPEZ | Ms Garcia Lopez | M.G.L.
PERSON | Anna Schmidt | @annaschmidt
ORG | Acme Ltd | Acme
ORG | Acme GmbH | ACME
ORG | Barilla S.p.A. | Barilla
ORG | Acme Inc. | Acme, Inc
ORG | Murray plc | the Murray
ORG | Alfa d.o.o. | Alfa
ORG | Siemens AG | Siemens's
ORG | European Court of Human Rights (ECHR) | ECHR
ORG | European Court of Human Rights | ECHR | E.C.H.R.
ORG | the European Court of Human Rights | European Court of Human Rights
ORG | PKK (the Kurdistan Workers' Party) | Kurdistan Workers’ Party
ORG | State Railways (hereinafter “the Railways”) | Railways
ORG | Labour Court | Labour Court’s
ORG | Zentrox Packaging | Zentrox
CODE | 28045/02 | no. 28045/02 | 28045-02 | 28045 02 | 2804502 | ٢٨٠٤٥/٠٢
CODE | AB-123 c | ab123C
CODE | DE89 3704 0044 0532 0130 00 | DE89370400440532013000
CODE | Ann@Example.org | ann@example.org
CODE | https://www.example.org/ | www.example.org
CODE | +44 20 7946 0000 | 020 7946 0000 | 0044 20 79460000
CODE | +44 (0)20 7946 0000 | (020) 7946-0000
DATETIME | 1 March 2001 | March 1, 2001 | 2001-03-01 | 1st of March 2001
DATETIME | 1 March 2001 | Thursday, 1 March 2001
DATETIME | 25/12/2001 | 25 December 2001
DATETIME | 12/25/2001 | 25 December 2001
DATETIME | 01.03.2001 | 1. März 2001
DATETIME | 3/3/2001 | 3 March 2001
DATETIME | 25/12/99 | 25 December 1999
LOC | İzmir | Izmir
LOC | the Netherlands | Netherlands
LOC | city of Vienna | Vienna
LOC | Vienna's | VIENNA
QUANTITY | EUR 4,000 | 4,000 euros
QUANTITY | €4000 | EUR 4,000.00
QUANTITY | 4.000 euros | 4,000 EUR
QUANTITY | 1.5 million dollars | $1,500,000
QUANTITY | 5 % | 5 per cent
DEM | co-operative | cooperative
DEM | software engineer | Software engineers
MISC | Land-Rover | land rover
MISC | bounties | bounty
"""

TWO = """
PERSON | Anna Smith | Peter Smith | Mr Smith | the Smiths
PERSON | Mr John Smith | Mrs Smith
PERSON | Robert Murray | Robert Miller | J. Murray | J.S.
PERSON | Mr Smith | Mr and Mrs Smith
PERSON | John A. Smith | John B. Smith
PERSON | John Smith Jr. | John Smith Sr.
PERSON | Mr Necmettin Alkan | Ms L. Alkan
PERSON | Mr K. | Mr L.
PERSON | Jean-Paul Costa | Jean-Pierre Costa
ORG | Acme Ltd | Apex Ltd
ORG | Zentrox Packaging | Zentrox Foods
ORG | Supreme Court | 8th Section of the Supreme Court
CODE | 12/345 | 123/45
CODE | ann@example.org | anne@example.org
CODE | +44 20 7946 0000 | 020 7946 0001
DATETIME | 01/03/2001 | 1 March 2001
DATETIME | 1 March 2001 | 1 March 2002
DATETIME | March 2001 | 1 March 2001
DATETIME | 1991-2000 | 1991
LOC | Vienna | Varna
QUANTITY | EUR 4,000 | 4,000 dollars
QUANTITY | 1.5 % | 15 %
QUANTITY | 5 % | 5
DEM | boss | bos
"""


def pairs(table):
    for line in table.strip().splitlines():
        label, first, *others = line.split(" | ")
        yield from ((label, first, other) for other in others)


@pytest.mark.parametrize("same, table", [(True, ONE), (False, TWO)])
def test_forms_of_entities(same, table):
    for label, a, b in pairs(table):
        expected = [0, 0] if same else [0, 1]
        assert linked(label, a, b) == expected, (a, b)
        assert linked(label, b, a) == expected, (b, a)


def test_a_coined_word_of_two_names_is_neither():
    names = ("Zentrox Packaging", "Zentrox Foods", "Zentrox")
    assert linked("ORG", *names) == [0, 1, 2]


def test_title_decides_between_namesakes():
    texts = ("Anna Smith", "Peter Smith", "Mrs Smith", "Mr Smith")
    assert linked("PERSON", *texts) == [0, 1, 0, 1]


def test_else_the_nearest_before():
    assert linked("PERSON", "Anna Smith", "Peter Smith", "Smith") == [0, 1, 1]
    assert linked("PERSON", "Smith", "Anna Smith", "Peter Smith") == [0, 0, 1]


def test_short_form_never_joins_two_full_names():
    ids = linked("PERSON", "Anna Smith", "A. Smith", "Agnes Smith", "Smith", "Ms Smith")
    assert ids[0] != ids[2]


def test_line_breaks_within_a_name():
    assert linked("PERSON", "Robert Murray", "Robert\nMurray") == [0, 0]


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
    for i in range(20_000):
        given_name = "".join(rnd.choices("abcdefgh", k=4)).title()
        surname = rnd.choice(["Smith", "Murray", f"Name{i % 9000}"])
        words += [given_name, surname, "said"]
        candidates.append(Candidate(3 * i, 3 * i + 2, "PERSON"))
    start = time.process_time()
    ids = LINK(Doc(NLP.vocab, words=words), candidates)
    # A second or two; all pairs would take minutes.
    assert len(ids) == 20_000 and time.process_time() - start < 15


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
