import pytest
import spacy

from spacy_deid.models.span_risk import SpanContext
from spacy_deid.registries import registry
from spacy_deid.risk.base import Vote
from spacy_deid.risk.combinations import EntityVotes
from spacy_deid.schema import NO_MASK, QUASI, Candidate

make_doubt = registry.deid_indicators.get("spacy_deid.doubt.v1")


def test_what_no_detector_believes_counts_against_a_mask():
    doc = spacy.blank("en").make_doc("a widow sang that song in Leeds")
    rows = [(1, 2, "DEM", 0.9), (2, 5, "DEM", 0.0), (6, 7, "LOC", 0.0)]
    spans = [Candidate(a, b, label, "", p, "ner", "") for a, b, label, p in rows]
    votes = make_doubt()(SpanContext(doc, spans, [0, 1, 2]))
    assert [vote is None for vote in votes] == [True, False, True]
    # Of one entity the surest mention counts.
    assert make_doubt()(SpanContext(doc, spans, [0, 0, 2])) == [None] * 3
    weigh = registry.deid_combinations.get("spacy_deid.weighted.v1")
    combine = weigh(threshold=0.4, weights={"classifier": 1.0, "doubt": 0.1})
    likely = Vote(QUASI, 0.5, "")
    decided = [
        combine([EntityVotes({"classifier": likely, "doubt": vote})])[0].decision
        for vote in (None, votes[1])
    ]
    assert decided == [QUASI, NO_MASK]
    for settings in ({"labels": "DEM"}, {"least": 1.5}):
        with pytest.raises(ValueError, match="labels"):
            make_doubt(**settings)
