import itertools
import pickle

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from spacy_deid.gazetteers import Compiler, Entry, Gazetteer
from spacy_deid.models.span_risk import SpanContext
from spacy_deid.registries import registry
from spacy_deid.risk.base import Vote
from spacy_deid.risk.combination_risk import Value
from spacy_deid.schema import MASK_KEY, NO_MASK, PII_KEY, QUASI, Candidate, set_group

from ..cases import cases
from ..models.learning import copies

N = 1_000_000
INDICATOR = "spacy_deid.combination_risk.v1"
TEXT = "He is a Polish lawyer from Leeds, born in 1971, and met Anna Kowalska in 1999."
SPANS = cases(__file__, "spans")
people = st.sampled_from([1, 50, 1000, 40_000, N])
value = st.builds(Value, st.sampled_from("ABC"), st.sampled_from("xyz"), people)
values = st.lists(value, max_size=7, unique_by=lambda v: v[:2])
WORDS = "She is a Polish lawyer from Leeds . Leeds liked Anna Kowalska .".split()
ROWS = [(3, 4, "DEM"), (4, 5, "DEM"), (6, 7, "LOC"), (8, 9, "LOC"), (10, 12, "PERSON")]
FOUND = [Candidate(*row) for row in ROWS]


@pytest.fixture(scope="module")
def gazetteer():
    compiler = Compiler(humans=N)
    for entry in [Entry(*row) for row in cases(__file__, "people")]:
        assert compiler.add(entry)
    return Gazetteer(compiler.to_bytes())


def uncounted(**config):
    return registry.deid_indicators.get(INDICATOR)(**config)


@pytest.fixture
def make(gazetteer):
    def make(**config):
        made = uncounted(**config)
        made.count([gazetteer])
        return made

    return make


def context(nlp, text, *spans, ids=None):
    """Spans as (words, label) or (words, label, id, source)."""
    doc = nlp.make_doc(text)
    candidates = []
    for words, label, *more in spans:
        start = text.index(words)
        span = doc.char_span(start, start + len(words))
        assert span is not None, words
        id_, source = more or ("", "ner:x")
        candidates.append(Candidate(span.start, span.end, label, id_, 1.0, source))
    candidates.sort()
    return SpanContext(doc, candidates, ids or list(range(len(candidates))))


def test_k_by_hand_of_the_rarest_value_of_each_attribute(nlp, make):
    risk = make()
    values = risk.read(context(nlp, TEXT, *SPANS))
    # Of two meanings of a place the one that most people have.
    known = [("NATIONALITY", "Q36", 20_000), ("OCCUPATION", "Q40348", 50_000)]
    known += [("PLACE", "Q39121", 4_000), ("BIRTH", "1971", 14_000)]
    assert values == [*(Value(*row) for row in known), None, None]
    # A million times 2 %, 5 %, 0.4 % and 1.4 %.
    assert risk.people(values) == pytest.approx(1e6 * 0.02 * 0.05 * 0.004 * 0.014)
    assert risk.people(values[:3]) == pytest.approx(4.0) and risk.people([]) == N
    # The same value counts once, and the rarest of an attribute.
    text = "A Polish lawyer of Poland, once a beekeeper; lawyers, Leeds and Rome."
    spans = (("Polish", "DEM"), ("Poland", "LOC"), ("beekeeper", "DEM"),
             ("lawyers", "DEM"), ("Leeds", "LOC"), ("Rome", "LOC"))  # fmt: skip
    found = context(nlp, text, *spans)
    risk = make()
    # Plurals are seen through.
    ids = "Q36 Q36 Q852857 Q40348 Q39121 Q220".split()
    assert [v.id for v in risk.read(found)] == ids
    assert risk.people(risk.read(found)) == pytest.approx(1e6 * 0.02 * 1e-4 * 0.004)


def test_dates_of_birth_and_what_the_detector_knows(nlp, make):
    for text, span, share, parts in cases(__file__, "dates of birth"):
        (value,) = make().read(context(nlp, text, (span, "DATETIME")))
        assert (value is None) == (share is None), text
        if value is not None:
            assert value.attribute == "BIRTH"
            assert value.people == pytest.approx(share / parts * N)
    # Ages count as a year of birth.
    found = context(nlp, "aged 42, born in 1972", ("42", "DEM", "AGE", "pattern:AGE"),
                    ("1972", "DATETIME"))  # fmt: skip
    risk = make(birth_year=0.01)
    assert risk.people(risk.read(found)) == 0.01 * N
    # Found as a place of residence: with its own id, but of several counts.
    found = context(nlp, "in Leeds", ("Leeds", "LOC", "CITY", "term:cities"))
    assert make().read(found)[0].attribute == "PLACE"
    # Named as an organisation: no town.
    assert make().read(context(nlp, "for Leeds", ("Leeds", "ORG"))) == [None]
    # What nobody counted.
    found = context(nlp, "a falconer in Leeds",
                    ("falconer", "DEM", "OCCUPATION", "term:occupations"),
                    ("Leeds", "LOC"))  # fmt: skip
    assert make().read(found)[0] is None
    risk = make(unknown=10)
    value = risk.read(found)[0]
    assert (value.attribute, value.people) == ("OCCUPATION", 10)
    assert risk.people(risk.read(found)) == pytest.approx(10 * 0.004)


def test_fewest_values_for_the_threshold_and_their_reasons(nlp, make):
    found = context(nlp, TEXT, *SPANS)

    def hidden(**config):
        risk = make(last=False, **config)
        votes = risk(found)
        for value, vote in zip(risk.read(found), votes):
            assert (value is None) == (vote is None)
            # Even odds at the threshold.
            assert vote is None or (vote.probability > 0.5) == (vote.decision == QUASI)
        pairs = [(v, vote) for v, vote in zip(risk.read(found), votes) if vote]
        left = [v for v, vote in pairs if vote.decision == NO_MASK]
        assert risk.people(left) >= risk.threshold or not left
        return [i for i, v in enumerate(votes) if v is not None and v.decision == QUASI]

    # k is 0.056; without the town 14, without the year of birth too 1,000. At the end
    # more than there are: nothing can be left.
    wanted = {0.05: [], 14: [2], 15: [2, 3], 1001: [0, 2, 3], 2 * N: [0, 1, 2, 3]}
    for threshold, places in wanted.items():
        assert hidden(threshold=threshold) == places
    text = "A lawyer of Leeds, the beekeeper."
    found = context(nlp, text, ("lawyer", "DEM"), ("Leeds", "LOC"))
    votes = make(threshold=1000, last=False)(found)
    few = "only 200 people on record share this occupation and town"
    assert votes[1].reason == f"{few}; masked so that 1,000 do"
    many = "50,000 people on record share this occupation"
    assert votes[0].reason == f"{many}, as many as wanted"
    found = context(nlp, text, ("Leeds", "LOC"), ("beekeeper", "DEM"))
    votes = make(threshold=50, last=False)(found)
    assert votes[1].reason.startswith("less than one person on record is expected")
    for vote in votes:
        assert not any(w in vote.reason for w in ("Leeds", "beekeeper"))


def test_counts_and_settings_that_are_refused(nlp, gazetteer, tmp_path):
    risk, compiler, path = uncounted(), Compiler(), tmp_path / "x.gaz"
    compiler.add(Entry("Polish", "DEM", "Q36", "P27", 0))
    path.write_bytes(b"no gazetteer")
    latin, uncounted_terms = uncounted(languages=["la"]), Gazetteer(compiler.to_bytes())
    for message, call, args in (
        ("no counts of people", risk, {"context": context(nlp, TEXT, *SPANS)}),
        ("needs a compiled gazetteer with counts", risk.initialize, {"nlp": nlp}),
        ("needs a compiled gazetteer", risk.count, {"gazetteers": [uncounted_terms]}),
        ("must be a list", risk.initialize, {"gazetteers": "x.gaz"}),
        (r"x\.gaz: not a compiled", risk.initialize, {"gazetteers": [path]}),
        ("in la: give a compiled gazetteer", latin.initialize, {"nlp": nlp}),
    ):
        with pytest.raises(ValueError, match=message):
            call(**args)
    path.write_bytes(gazetteer.to_bytes())
    risk.initialize(gazetteers=[path])
    assert risk.people([]) == N
    with pytest.raises(ValueError, match="damaged"):
        risk.from_bytes(risk.to_bytes()[:-7])
    for name, value in cases(__file__, "refused"):
        with pytest.raises(ValueError, match=name):
            uncounted(**{name: value})


@given(values, st.sampled_from([0.5, 20, 3000, N]))
@settings(deadline=None)
def test_no_smaller_choice_is_enough(gazetteer, found, threshold):
    risk = uncounted(threshold=threshold)
    risk.count([gazetteer])
    chosen = risk.choose(found)

    def enough(hide):
        left = [v for v in found if v not in hide]
        return risk.people(left) >= threshold * (1 - 1e-6)

    assert chosen <= set(found) and enough(chosen)
    sizes = range(len(chosen))
    assert not any(enough(s) for n in sizes for s in itertools.combinations(found, n))


def pipeline(gazetteer, **config):
    nlp = spacy.blank("en")
    finder = nlp.add_pipe("pii_gazetteer", config={"patterns": {}, "terms": None})
    finder.add_gazetteer(gazetteer)
    block = {"@deid_indicators": INDICATOR, **config}
    # Nothing is masked by the classifier, whatever it says, but probabilities of 1.
    indicators = {"known_direct": None, "shared": block}
    nlp.add_pipe("risk_scorer", config={"threshold": 1.0, "indicators": indicators})
    nlp.initialize()
    return nlp


def decide(nlp):
    doc = Doc(nlp.vocab, words=WORDS)
    set_group(doc, PII_KEY, FOUND, entity_ids=[0, 1, 2, 2, 3])
    return nlp.get_pipe("risk_scorer")(doc)


def test_in_a_pipeline_it_masks_no_more_than_the_others_leave_necessary(gazetteer):
    doc = decide(pipeline(gazetteer))
    assert doc._.deid_k == doc._.deid_k_left == pytest.approx(4)
    assert {s.label_ for s in doc.spans[MASK_KEY]} == {NO_MASK}
    doc = decide(pipeline(gazetteer, threshold=900))
    # Both mentions of the town.
    decided = [s.label_ for s in doc.spans[MASK_KEY]]
    assert decided == [NO_MASK, NO_MASK, QUASI, QUASI, NO_MASK]
    assert (doc._.deid_k, doc._.deid_k_left) == pytest.approx((4, 1000))
    votes = [doc[a:b]._.risk_votes for a, b in ((8, 9), (10, 12))]
    assert votes == [{"classifier": False, "shared": voted} for voted in (True, False)]
    assert doc[8:9]._.risk == pytest.approx(900 / 904)
    wanted = "only 4 people on record share this nationality, occupation and town"
    assert wanted in doc.spans[MASK_KEY].attrs["reasons"][2]
    (copy,) = DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab)
    assert copy._.deid_k_left == doc._.deid_k_left
    job = Vote(decision=QUASI, probability=1.0, reason="job")

    def no_jobs(context):
        return [job if c.start == 4 else None for c in context.spans]

    def masked(last):
        nlp = pipeline(gazetteer, threshold=80, last=last)
        pipe = nlp.get_pipe("risk_scorer")
        pipe.indicators = {"no_jobs": no_jobs, **pipe.indicators}
        doc = decide(nlp)
        assert doc._.deid_k_left >= 80
        return [s.start for s in doc.spans[MASK_KEY] if s.label_ != NO_MASK]

    # With the occupation masked already, 80 share the rest.
    assert masked(last=True) == [4] and masked(last=False) == [4, 6, 8]


def test_counts_are_saved(gazetteer, tmp_path):
    nlp = pipeline(gazetteer, threshold=900)
    mine = decide(nlp)
    for other in copies(nlp, tmp_path):
        theirs = decide(other)
        assert theirs._.deid_k == pytest.approx(4)
        assert mine.spans[MASK_KEY].attrs == theirs.spans[MASK_KEY].attrs
    # Left out on request.
    nlp.to_disk(tmp_path / "b", exclude=["indicators"])
    plain = nlp.get_pipe("risk_scorer").to_bytes(exclude=["indicators"])
    assert len(plain) < len(nlp.get_pipe("risk_scorer").to_bytes())


def test_counts_that_come_with_the_package(nlp, gazetteer, tmp_path):
    text = "He was a writer, and she a lawyer and a beekeeper of Leeds."
    spans = (("writer", "DEM"), ("lawyer", "DEM"), ("beekeeper", "MISC"),
             ("Leeds", "LOC"))  # fmt: skip
    risk = uncounted(languages=["en"])
    risk.initialize(nlp=nlp)
    writer, lawyer, *others = risk.read(context(nlp, text, *spans))
    assert (writer.attribute, writer.id) == ("OCCUPATION", "Q36180")
    assert (lawyer.attribute, lawyer.id) == ("OCCUPATION", "Q40348")
    assert writer.people > 5000 > lawyer.people > 500
    # A town is not counted there; of a rare occupation few people are known or none.
    assert others[1] is None and (others[0] is None or others[0].people < 100)
    assert risk.people([writer, None]) == pytest.approx(writer.people)
    # They come with the package, not with the pipeline.
    assert risk.to_bytes() == b""
    other = pickle.loads(pickle.dumps(risk))
    assert other.read(context(nlp, text, *spans))[:2] == [writer, lawyer]
    # Those of a pipeline go before them.
    (tmp_path / "people.gaz").write_bytes(gazetteer.to_bytes())
    risk.initialize(nlp=nlp, gazetteers=[tmp_path / "people.gaz"])
    (lawyer,) = risk.read(context(nlp, "a lawyer", ("lawyer", "DEM")))
    assert lawyer.people == 50_000 and risk.to_bytes()
