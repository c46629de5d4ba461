import json

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_deid.risk.base import Vote
from spacy_deid.risk_scorer import RiskScorer
from spacy_deid.schema import DIRECT, MASK_KEY, NO_MASK, QUASI, Candidate, set_group

from .cases import cases
from .models.learning import copies, judged, overfit

# Words, and (start, end, type, decision) of the spans.
TRAIN = cases(__file__, "train")
CASE_NUMBER = ("CODE", "CASE_NUMBER")
WEIGHTED = {"combine": {"@deid_combinations": "spacy_deid.weighted.v1"}}


def make_doc(nlp, words, spans, decisions=True, second=None):
    """With what was decided, and what a second annotator says of all spans."""
    doc = judged(nlp, words, spans, gold=decisions)
    if second:
        other = [Span(doc, s, e, label=second) for s, e, *_ in spans]
        doc.spans[f"{MASK_KEY}:b"] = other
    return doc


def make_examples(nlp, **kwargs):
    return [
        Example(make_doc(nlp, *row, decisions=False), make_doc(nlp, *row, **kwargs))
        for row in TRAIN
    ]


def train(steps=60, gold=None, **config):
    nlp = spacy.blank("en")
    nlp.add_pipe("risk_scorer", config=config)
    return nlp, overfit(nlp, make_examples(nlp, **gold or {}), steps)


@pytest.fixture(scope="module")
def learnt():
    return train()


@pytest.fixture(scope="module")
def trained(learnt):
    return learnt[0]


def decide(nlp, words, spans, pipe=None, **attrs):
    doc = make_doc(nlp, words, spans, decisions=False)
    doc.spans["pii"].attrs.update(attrs)
    return (pipe or nlp.get_pipe("risk_scorer"))(doc)


def labels(doc):
    return [span.label_ for span in doc.spans[MASK_KEY]]


def alike(*pipelines):
    for row in TRAIN:
        one, other = (decide(nlp, *row).spans[MASK_KEY].attrs for nlp in pipelines)
        assert one == other


def test_overfits_and_explains(learnt, trained):
    nlp, losses = learnt
    assert losses[-1] < 0.1 * losses[0]
    for words, spans in TRAIN:
        doc = decide(nlp, words, spans)
        assert labels(doc) == [d for *_, d in spans]
        group = doc.spans[MASK_KEY]
        assert [(s.start, s.end) for s in group] == [(s, e) for s, e, *_ in spans]
        assert group.attrs["labels"] == [t for _, _, t, _ in spans]
        told = [group.attrs[key] for key in ("risk", "votes", "reasons")]
        for span, risk, votes, reason in zip(group, *told):
            assert 0.0 <= risk <= 1.0 and f"{risk:.2f}" in reason
            assert (span.label_ != NO_MASK) == (risk >= 0.5) == votes["classifier"]
            assert (span._.risk, span._.risk_votes) == (risk, votes)
            assert span._.identifier_type == span.label_
    # Context decides on names never seen.
    spans = [(2, 4, "PERSON", ""), (7, 8, "LOC", "")]
    doc = decide(trained, "The applicant Zoe Quist was born in Oslo .", spans)
    assert labels(doc) == [DIRECT, QUASI]


def test_threshold_moves_the_decision(trained, monkeypatch):
    pipe = trained.get_pipe("risk_scorer")
    masked = []
    for threshold in (0.0, 0.5, 1.0):
        monkeypatch.setattr(pipe, "threshold", threshold)
        docs = [decide(trained, words, spans) for words, spans in TRAIN]
        masked.append(sum(label != NO_MASK for d in docs for label in labels(d)))
    assert masked[0] == 10 > masked[1] == 4 >= masked[2]


def scored(nlp, words, *candidates):
    """A document with candidates, each an entity of its own."""
    doc = Doc(nlp.vocab, words=words)
    set_group(doc, "pii", candidates, entity_ids=list(range(len(candidates))))
    return nlp.get_pipe("risk_scorer")(doc)


def test_known_direct_identifiers_never_fall_below_direct(trained, monkeypatch):
    words = "The Court sits in X1 .".split()
    monkeypatch.setattr(trained.get_pipe("risk_scorer"), "threshold", 1.0)
    for subtype in ("EMAIL", "IBAN", "NATIONAL_ID", "PHONE"):
        doc = scored(trained, words, Candidate(4, 5, "CODE", subtype))
        (span,) = doc.spans[MASK_KEY]
        assert (span.label_, span.id_) == (DIRECT, subtype)
        assert "identifies one person" in doc.spans[MASK_KEY].attrs["reasons"][0]
    # Addresses of any network are nobody's.
    for address, direct in cases(__file__, "addresses"):
        doc = scored(trained, ["GET", "from", address], Candidate(2, 3, "CODE", "IP"))
        (vote,) = doc.spans[MASK_KEY].attrs["votes"]
        assert vote["known_direct"] == direct, address


def test_numbers_of_the_case_and_the_person_to_protect_are_direct(trained):
    words = (
        "Applications nos. 1/02 and 2/02 . Compare X v. Y , nos. 7/99 and 8/99 . "
        "\n He lodged another one ( no. 3/05 ) ."
    ).split(" ")
    at = [i for i, w in enumerate(words) if "/" in w]
    doc = scored(trained, words, *(Candidate(i, i + 1, *CASE_NUMBER) for i in at))
    votes = doc.spans[MASK_KEY].attrs["votes"]
    assert [v["known_direct"] for v in votes] == [True, True, False, False, True]
    assert labels(doc)[:2] == [DIRECT, DIRECT]
    words = "The Court sits under President Jean Costa with Mary Weber .".split()
    found = Candidate(5, 7, "PERSON"), Candidate(8, 10, "PERSON")
    doc = scored(trained, words, *found)
    for target, first in (("Jean-Paul COSTA", None), ("Costa, Jean", True)):
        doc._.deid_target = target
        trained.get_pipe("risk_scorer")(doc)
        votes = [v["known_direct"] for v in doc.spans[MASK_KEY].attrs["votes"]]
        assert first in (None, votes[0]) and not votes[1]
    assert labels(doc)[0] == DIRECT


def test_further_indicators_come_from_the_config():
    vote = Vote(QUASI, 0.8, "second word")

    @spacy.registry.deid_indicators("test_risk.second_word.v1")
    def make_indicator():
        return lambda context: [vote if c.start == 1 else None for c in context.spans]

    second = {"@deid_indicators": "test_risk.second_word.v1"}
    indicators = {"known_direct": None, "second": second}
    nlp, _ = train(steps=1, threshold=1.0, indicators=indicators)
    assert set(nlp.get_pipe("risk_scorer").indicators) == {"second"}
    doc = decide(nlp, *TRAIN[2])
    assert labels(doc) == [QUASI, NO_MASK, NO_MASK]
    assert doc.spans[MASK_KEY].attrs["risk"][0] == 0.8
    assert "second word" in doc.spans[MASK_KEY].attrs["reasons"][0]


def test_fails_closed(trained, nlp, voting):
    with pytest.raises(ValueError, match=r"doc.spans\['pii'\] is missing"):
        trained("Robert Murray was born in Leeds.")
    nlp.add_pipe("risk_scorer")
    with pytest.raises(ValueError, match="not initialized"):
        decide(nlp, *TRAIN[0])

    def use(*args, **indicators):
        decide(trained, *TRAIN[0], voting(*args, **indicators))

    def fit(*args):
        voting(*args).fit_combination([])

    for work, args, indicators, message in (
        (use, [None], {"short": lambda _: []}, "'short' gave 0 votes for 2 spans"),
        (use, [lambda entities: []], {}, "0 decisions for 2 entities"),
        (use, [None], {"classifier": always()}, "must not be named 'classifier'"),
        (use, [combine("at_least", k=3)], {"a": always()}, "3 votes, but 2 indicators"),
        (fit, [None], {}, "nothing to fit"),
        (fit, [combine("weighted")], {}, "no entity has both votes and gold"),
    ):
        with pytest.raises(ValueError, match=message):
            work(*args, **indicators)


# Indicators that always say the same of a span of some type, and what they say.
def always(**kinds):
    def indicator(context):
        return [kinds.get(c.label) for c in context.spans]

    return indicator


def yes(p=0.9, decision=QUASI, reason="yes", **more):
    return Vote(decision=decision, probability=p, reason=reason, **more)


def no(p=0.1):
    return Vote(decision=NO_MASK, probability=p, reason="no")


def combine(name, **config):
    return spacy.registry.deid_combinations.get(f"spacy_deid.{name}.v1")(**config)


@pytest.fixture
def voting(trained):
    """Makes a pipeline like `trained`, with indicators and a combination."""

    def make(combination, **indicators):
        model = trained.get_pipe("risk_scorer").model
        parts = {"indicators": indicators, "combine": combination}
        return RiskScorer(trained.vocab, model, threshold=0.5, **parts)

    return make


def test_the_default_combination_takes_the_strictest_vote(trained, voting):
    config = trained.config.copy()
    block = {"@deid_combinations": "spacy_deid.any.v1", "among": None}
    # A config of before this setting existed.
    assert config["components"]["risk_scorer"].pop("combine") == block
    old = spacy.blank("en").from_config(config)
    old.from_bytes(trained.to_bytes())
    alike(trained, old)
    # The classifier holds the place for a quasi identifier, or for nothing.
    pipe = voting(None, a=always(LOC=yes(0.3, DIRECT)), b=always(LOC=no(0.6)))
    assert labels(decide(trained, *TRAIN[0], pipe)) == [DIRECT, DIRECT]
    doc = decide(trained, *TRAIN[2], pipe)
    assert labels(doc) == [NO_MASK, DIRECT, NO_MASK]
    assert doc.spans[MASK_KEY].attrs["risk"][1] == 0.6


@pytest.mark.parametrize("name,config,expected", cases(__file__, "combinations"))
def test_combinations_decide(trained, voting, name, config, expected):
    votes = {"a": always(ORG=no(), LOC=yes(), PERSON=yes())}
    votes["b"] = always(ORG=no(), PERSON=yes())
    doc = decide(trained, *TRAIN[2], voting(combine(name, **config), **votes))
    assert labels(doc) == expected
    # Each vote is kept, whether it counted or not.
    voted = [(False, False), (True, False), (True, True)]
    assert [span._.risk_votes for span in doc.spans[MASK_KEY]] == [
        {"classifier": False, "a": a, "b": b} for a, b in voted
    ]
    assert "yes" in doc.spans[MASK_KEY].attrs["reasons"][1]


def test_mentions_share_the_decision_of_any_combination(trained, voting):
    def first_only(context):
        return [yes() if c.start == 4 else no() for c in context.spans]

    more = {"at_least": {"k": 1}, "policy": {"target": 0.5}}
    for name, config in {"any": {}, "weighted": {}, **more}.items():
        pipe = voting(combine(name, **config), x=first_only)
        doc = decide(trained, *TRAIN[2], pipe, entity_ids=[0, 1, 1])
        assert labels(doc)[1] == labels(doc)[2]
        attrs = doc.spans[MASK_KEY].attrs
        for key in ("risk", "votes", "reasons"):
            assert attrs[key][1] == attrs[key][2]
        assert attrs["votes"][2]["x"]


def test_abstentions_and_evidence_are_kept(trained, voting):
    silent = yes(1.0, DIRECT, "search failed", abstains=True)
    votes = {"a": always(LOC=yes()), "b": always(LOC=silent)}
    doc = decide(trained, *TRAIN[2], voting(combine("all", among=["a", "b"]), **votes))
    assert labels(doc) == [NO_MASK, QUASI, NO_MASK]
    attrs = doc.spans[MASK_KEY].attrs
    assert attrs["votes"][1] == {"classifier": False, "a": True, "b": False}
    assert "search failed" in attrs["reasons"][1] and attrs["risk"][1] == 0.9
    assert "evidence" not in attrs
    shown = yes(details=("https://a.org/x", "https://b.org"))
    doc = decide(trained, *TRAIN[2], voting(None, web=always(LOC=shown)))
    attrs = doc.spans[MASK_KEY].attrs
    assert attrs["evidence"] == [{}, {"web": ["https://a.org/x", "https://b.org"]}, {}]
    assert not any("a.org" in reason for reason in attrs["reasons"])


class Late:
    """Masks every person that nobody else does, and counts what is left."""

    def __call__(self, context):
        return [None] * len(context.spans)

    def finish(self, context, masked):
        left = [c.label == "PERSON" and not m for c, m in zip(context.spans, masked)]
        return [yes(0.7, reason="late") if late else no() for late in left]

    def report(self, context, masked):
        context.doc.user_data["left"] = masked.count(False)


def test_late_votes_see_what_the_others_leave(trained, voting):
    doc = decide(trained, *TRAIN[2], voting(combine("at_least", k=2), late=Late()))
    # One vote is not enough but for who comes last.
    assert labels(doc) == [NO_MASK, NO_MASK, QUASI]
    attrs = doc.spans[MASK_KEY].attrs
    assert attrs["votes"][2]["late"] and not attrs["votes"][1]["late"]
    assert attrs["risk"][2] == 0.7 and attrs["reasons"][2].endswith("late")
    assert doc.user_data["left"] == 2


@pytest.mark.parametrize("name", ["weighted", "policy"])
def test_what_was_fitted_is_saved(name, tmp_path):
    nlp, _ = train(combine={"@deid_combinations": f"spacy_deid.{name}.v1"})
    report = nlp.get_pipe("risk_scorer").fit_combination(make_examples(nlp) * 5)
    assert report["entities"] == 50 and report["weights"]["classifier"] > 0
    for row in TRAIN:
        assert labels(decide(nlp, *row)) == [d for *_, d in row[1]]
    if name == "policy":
        assert report["recall_direct"] == 1 and report["recall_quasi"] >= 0.95
        assert report["masked"] == 0.4
    for other in copies(nlp, tmp_path):
        alike(nlp, other)
    cfg = json.loads((tmp_path / "risk_scorer" / "cfg").read_text())
    assert cfg["combination"]["weights"] == report["weights"]
    assert "Murray" not in json.dumps(cfg)
    # Another combination, chosen when loading, starts afresh.
    other = {"@deid_combinations": "spacy_deid.any.v1"}
    plain = spacy.load(tmp_path, config={"components.risk_scorer.combine": other})
    assert labels(decide(plain, *TRAIN[0])) == [DIRECT, QUASI]
    assert "combination" not in plain.get_pipe("risk_scorer").changed_cfg()


def test_the_combination_is_fitted_by_a_callback(nlp):
    def read(nlp):
        for words, spans in TRAIN:
            reference = make_doc(nlp, words, spans)
            yield Example(Doc(nlp.vocab, words=words.split()), reference)

    ruler = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    nlp.add_pipe("risk_scorer", config=WEIGHTED)
    examples = make_examples(nlp)
    nlp.initialize(lambda: examples)
    # The one span that is found, whatever else is in the gold.
    ruler.add_patterns([{"label": "PERSON", "pattern": "Robert Murray"}])
    combination = nlp.get_pipe("risk_scorer").combine
    seen = []
    fit = combination.fit
    combination.fit = lambda *gold: seen.append(gold) or fit(*gold)
    make = spacy.registry.callbacks.get("spacy_deid.fit_combination.v1")
    assert make(read)(nlp) is nlp
    ((entities, masked, direct),) = seen
    assert (len(entities), masked, direct) == (1, [1.0], [1.0]) and combination.fitted


class Learner:
    """An indicator that counts the training documents' spans and remembers it."""

    def __init__(self):
        self.n, self.setting = 0, ""

    def __call__(self, context):
        return [None] * len(context.spans)

    def initialize(self, get_views, *, nlp, setting="none"):
        views = list(get_views())
        assert all(len(c.spans) == len(targets) for c, targets in views)
        self.n, self.setting = sum(len(c.spans) for c, _ in views), setting
        assert nlp is not None

    def to_bytes(self):
        return json.dumps([self.n, self.setting]).encode()

    def from_bytes(self, data):
        self.n, self.setting = json.loads(data)


spacy.registry.deid_indicators("test_risk.learner.v1", func=Learner)


def test_indicators_learn_and_are_saved(nlp, tmp_path):
    config = {"indicators": {"it": {"@deid_indicators": "test_risk.learner.v1"}}}
    nlp.add_pipe("risk_scorer", config=config)
    settings = {"indicators": {"it": {"setting": "some"}}}
    nlp.config["initialize"]["components"]["risk_scorer"] = settings
    examples = make_examples(nlp)
    nlp.initialize(lambda: examples)
    for other in (nlp, *copies(nlp, tmp_path)):
        # Ten spans, found and gold.
        learner = other.get_pipe("risk_scorer").indicators["it"]
        assert (learner.n, learner.setting) == (20, "some")
    assert spacy.load(tmp_path, exclude=["risk_scorer"]).pipe_names == []


def watched():
    """A combination, and the entities that it is asked about."""
    seen = []
    return seen, lambda entities: seen.extend(entities) or combine("any")(entities)


def test_what_a_mask_costs(trained, voting):
    """Words of all mentions without function words; names, places and codes are never
    too long or too frequent to be masked, single words only by what was not found."""
    seen, combination = watched()
    ((words, spans),) = cases(__file__, "costs")
    ids = [0, 1, 2, 0, 2, 3, 1, 4, 5, 5, 6, 7]
    decide(trained, words, spans, voting(combination), entity_ids=ids)
    # "Court" and "Appeal" twice; what is made of function words alone counts them; two
    # that were not found go with those that were, but "bears" are no "BEARS".
    assert [entity.words for entity in seen] == [1, 4, 1, 1, 2, 1, 3, 3]


@pytest.mark.parametrize("spans", [[(0, 2, "PERSON", "")], [(4, 5, "LOC", "")], []])
def test_whether_anybody_is_in_the_text(trained, voting, spans):
    """As sure as the classifier is of one direct identifier at least, in long texts that
    speak of nobody."""
    seen, combination = watched()
    for rest in ("", " and nothing else is told there" * 40):
        words = f"Robert Murray came to Leeds{rest}"
        seen.clear()
        doc = decide(trained, words, spans, voting(combination))
        nobody = numpy.prod([1 - entity.direct for entity in seen])
        assert len(seen) == len(spans)
        for entity in seen:
            expected = 1 - nobody * len(doc) / (len(doc) + 50)
            assert entity.presence == pytest.approx(expected)
            assert rest or entity.presence > 0.9
        seen.clear()
        decide(trained, f"{words} to her", spans, voting(combination))
        assert [entity.presence for entity in seen] == [1.0] * len(spans)


# The third is a surname that was taken for something else.
@pytest.mark.parametrize("mention,label,decision", cases(__file__, "often"))
def test_a_name_is_masked_however_often_it_stands_in_the_text(
    trained, voting, mention, label, decision
):
    """The one that a text is about is in it again and again."""
    weighted = combine("weighted", threshold=0.1, word_cost=1.0, among=["doubt"])
    pipe = voting(weighted, doubt=lambda context: [yes(0.45)] * len(context.spans))
    size = len(mention.split()) + 2
    spans = [(size * i, size * (i + 1) - 2, label, "") for i in range(30)]
    doc = decide(trained, f"{mention} flew . " * 30, spans, pipe, entity_ids=[0] * 30)
    assert set(labels(doc)) == {decision}


def test_several_annotators_give_a_probability_between_and_fit_shares(nlp):
    pipe = nlp.add_pipe("risk_scorer", config=WEIGHTED)
    examples = make_examples(nlp, second=NO_MASK) * 10
    nlp.initialize(lambda: examples)
    pipe.fit_combination(examples)
    # Four of ten spans are masked, by one of two: 20 %, whatever the untrained
    # classifier says.
    docs = [decide(nlp, *row) for row in TRAIN]
    risks = [risk for doc in docs for risk in doc.spans[MASK_KEY].attrs["risk"]]
    assert sum(risks) / len(risks) == pytest.approx(0.2, abs=0.03)
    nlp, _ = train(80, gold={"second": NO_MASK})
    doc = decide(nlp, *TRAIN[0])
    assert all(0.3 < risk < 0.7 for risk in doc.spans[MASK_KEY].attrs["risk"])
