"""Documents, candidates and the three steps as a pipeline has them."""

import spacy
import srsly
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.entities.linking import make_link_entities
from spacy_deid.entities.merging import make_merge_spans
from spacy_deid.entities.propagation import make_propagate_names
from spacy_deid.schema import Candidate

NLP = spacy.blank("en")
LINK = make_link_entities()
MERGE = make_merge_spans()
PROPAGATE = make_propagate_names()


def link_lines(rows):
    """Entities of (text, label, subtype, source), one a line of a document."""
    words, spaces, candidates = [], [], []
    for text, label, subtype, source in rows:
        doc, start = NLP.make_doc(text), len(words)
        end = start + len(doc)
        candidates.append(Candidate(start, end, label, subtype, 0.8, source))
        words += [*(t.text for t in doc), "\n\n"]
        spaces += [*(bool(t.whitespace_) for t in doc), False]
    return LINK(Doc(NLP.vocab, words=words, spaces=spaces), candidates)


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
