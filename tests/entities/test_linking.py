import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.schema import Candidate

from ..cases import cases
from .samples import LINK, NLP, documents, gold, link_lines


def linked(label, *texts):
    """Entities of the texts, one a line of a document, all of them candidates."""
    labels = [label] * len(texts) if isinstance(label, str) else label
    return link_lines((a, b, "", "ner:pii_ner") for a, b in zip(texts, labels))


@pytest.mark.parametrize("name, expected", [("one", [0, 0]), ("two", [0, 1])])
def test_forms_of_entities(name, expected):
    for line in cases(__file__, name):
        label, a, *others = line.split(" | ")
        for b in others:
            assert linked(label, a, b) == expected, (a, b)
            assert linked(label, b, a) == expected, (b, a)


@pytest.mark.parametrize("label, texts, ids", cases(__file__, "documents"))
def test_entities_of_a_document(label, texts, ids):
    assert linked(label, *texts) == ids


def test_short_form_never_joins_two_full_names():
    ids = linked("PERSON", "Anna Smith", "A. Smith", "Agnes Smith", "Smith", "Ms Smith")
    assert ids[0] != ids[2]


def linked_in(text, *spans):
    """Entities of parts of a text, each after the one before."""
    doc, candidates, at = NLP.make_doc(text), [], 0
    for label, part in spans:
        at = text.index(part, at)
        span = doc.char_span(at, at + len(part))
        candidates.append(Candidate(span.start, span.end, label))
        at += len(part)
    return LINK(doc, candidates)


def test_what_stands_beside_a_name():
    """Acronyms, other scripts, names at birth; relatives stay apart."""
    board = "The Social Insurance Board (the ZUS) paid. ZUS wrote."
    names = [("ORG", part) for part in ("Social Insurance Board", "ZUS", "ZUS")]
    assert linked_in(board, *names) == [0, 0, 0]

    def people(text, *names):
        return linked_in(text, *(("PERSON", name) for name in names))

    song = "Song Giwon (Korean: 송기원; born 1947) met Kim Su (a poet)."
    assert people(song, "Song Giwon", "송기원", "Kim Su") == [0, 0, 1]
    for cue in ("born", "née", "also known as", "aka"):
        text = f"Anna Smith ({cue} Maria Jones, in 1947) met Eva Berg."
        assert people(text, "Anna Smith", "Maria Jones", "Eva Berg") == [0, 0, 1]
    text = "Anna Smith (daughter of Peter Smith)"
    assert people(text, "Anna Smith", "Peter Smith") == [0, 1]
    assert linked_in("") == []


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
    seen = [*dict.fromkeys(number for _, number in sorted(zip(candidates, ids)))]
    assert seen == [*range(len(seen))]
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
