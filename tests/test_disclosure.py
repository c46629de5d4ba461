"""What outputs tell of masked text: no more than types, decisions and places."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spacy_deid
from spacy_deid import disclosure
from spacy_deid.gazetteers.lexicon import occupations
from spacy_deid.gazetteers.names import load_names
from spacy_deid.records.results import read_doc
from spacy_deid.risk.combination_risk import CombinationRisk, Value

from .cases import cases

TEMPLATES = cases(__file__, "templates")
CANDIDATES = 40
# What a reader has to be told, and can mostly see.
TOLD = ("start", "end", "label", "decision", "subtype")


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy_deid.load()
    nlp.get_pipe("pseudonymizer").set_key(b"x" * 32)
    return nlp


def candidates():
    """Names of one length, as an attacker who knows the offsets would try them."""
    rng, found = random.Random(1), set()
    lists = [
        [n.title() for n in sorted(known) if n.isascii() and n.isalpha()]
        for known in (load_names().given, load_names().family)
    ]
    while len(found) < CANDIDATES:
        name = " ".join(map(rng.choice, lists))
        found |= {name} if len(name) == 12 else set()
    return sorted(found)


def guessed(signatures):
    """How often who sees a signature guesses the right one of the candidates."""
    return len(set(signatures)) / len(signatures)


def test_the_output_does_not_tell_which_name_was_masked(nlp):
    """What the audit says tells every name, what the output says none but by the types
    and decisions themselves."""
    for template in TEMPLATES:
        texts = [template.replace("{}", name) for name in candidates()]
        records = [read_doc(doc) for doc in nlp.pipe(texts)]
        exact = [json.dumps([*r.explanations.values()]) for r in records]
        shown, told = [], []
        for spans in (record.spans for record in records):
            assert spans
            rows = [[(k, s[k]) for k in s if not k.startswith("new_")] for s in spans]
            shown.append(json.dumps(rows))
            told.append(json.dumps([[span[k] for k in TOLD] for span in spans]))
        assert guessed(exact) > 0.9 and guessed(shown) <= guessed(told) + 2 / CANDIDATES


def test_the_number_of_people_tells_no_more_than_its_magnitude(nlp):
    """What is masked of a combination is not found by trying all that are counted: of
    an occupation the output tells how many digits the number of its people has."""
    risk = CombinationRisk(languages=["en"])
    told, exact = {}, set()
    for word, people in occupations().items():
        k = risk.people([Value("OCCUPATION", word, people)])
        told.setdefault(disclosure.magnitude(k), set()).add(people)
        exact.add(k)
    assert len(told) <= 5 < len(exact) / 20
    for k, shared in told.items():
        # As many people at least as it says are as likely.
        assert k <= min(shared) <= max(shared) < 10 * k


def test_a_deid_doc_does_not_tell_it_either(nlp):
    texts = [TEMPLATES[0].replace("{}", name) for name in candidates()]
    found = []
    for new in (doc._.deid_doc for doc in nlp.pipe(texts)):
        groups = [new.spans[key].attrs.items() for key in ("pii", "mask")]
        attrs = [{k: v for k, v in group if k != "votes"} for group in groups]
        found.append(json.dumps([attrs, [s.label_ for s in new.spans["mask"]]]))
    assert guessed(found) <= 2 / CANDIDATES


@given(st.floats(0, 1), st.floats(0, 1e9), st.text("ab12 (;)[]", max_size=40))
def test_bands_magnitudes_and_no_figures(risk, count, reason):
    band, middle = disclosure.band(risk), disclosure.middle(risk)
    assert disclosure.BANDS.index(band) == min(int(3 * risk), 2)
    assert abs(middle - risk) <= 1 / 6 + 1e-3 and disclosure.band(middle) == band
    for told in (disclosure.band, disclosure.middle, disclosure.magnitude):
        assert told(None) is None
    told = disclosure.magnitude(count)
    assert told == 1 or told <= count < 10 * told
    assert not any(map(str.isdecimal, disclosure.without_figures(reason)))
    reason = "direct by type (risk 0.90; masked from 0.25); k is 12; looks so"
    assert disclosure.without_figures(reason) == "direct by type; looks so"


def test_ids_of_terms_are_not_shown():
    for id_, source, subtype, shown in cases(__file__, "ids"):
        assert disclosure.shown_subtype(id_, source) == subtype
        assert disclosure.shown_source(source) == shown
