import spacy

from spacy_deid.models.span_risk import SpanContext
from spacy_deid.risk.base import Vote
from spacy_deid.risk.votes import make_cases
from spacy_deid.schema import NO_MASK, QUASI, Candidate

TEXT = "[19:02] Ann: hi\n[19:03] Ben: at 20:15\n[19:05] Ann: ok"


def test_times_that_open_lines_are_judged_alike():
    doc = spacy.blank("en").make_doc(TEXT)
    times = [t.i for t in doc if ":" in t.text and t.text[0].isdigit()]
    spans = [
        Candidate(i, i + 1, "DATETIME", "TIME", 0.9, "pattern:TIME") for i in times
    ]
    context = SpanContext(doc, spans, [*range(len(spans))])
    cast = [Vote(NO_MASK if p < 0.5 else QUASI, p, "") for p in (0.1, 0.2, 0.9, 0.8)]
    cases = make_cases(context, {"a": cast}, None, None)
    assert doc[times[2]].text == "20:15"
    assert [case.votes["a"].probability for case in cases] == [0.2, 0.2, 0.9, 0.2]
    # Two are no series.
    context = SpanContext(doc, spans[:3], [0, 1, 2])
    cases = make_cases(context, {"a": cast[:3]}, None, None)
    assert [case.votes["a"].probability for case in cases] == [0.1, 0.2, 0.9]
