import pytest
import spacy

from spacy_deid.evaluation.gate.released import compare, read_released
from spacy_deid.records.cleaning import Pseudonyms
from spacy_deid.records.declared import Declared
from spacy_deid.records.output import make_record
from spacy_deid.records.process import Record, process_records

from ...models.learning import PEOPLE, TOWNS, add_ruler

FIRMS = ("Plomgard Ltd", "Harker & Sons", "Velden Holdings")
TEXTS = [
    f"{PEOPLE[i % 5]} of {TOWNS[i % 4]} wrote to {PEOPLE[(i + 2) % 5]} about "
    f"{FIRMS[i % 3]} and file 2804{i:02}/19. {PEOPLE[i % 5]} then left {TOWNS[i % 4]}."
    for i in range(24)
]


@pytest.fixture(scope="session")
def nlp():
    nlp, codes = spacy.blank("en"), ([{"TEXT": {"REGEX": r"^\d{6}/19$"}}],)
    add_ruler(nlp, "pii", {"PERSON": PEOPLE, "LOC": TOWNS, "ORG": FIRMS, "CODE": codes})
    add_ruler(nlp, "mask", {"DIRECT": PEOPLE + codes, "QUASI": TOWNS + FIRMS})
    nlp.add_pipe("pseudonymizer")
    return nlp


@pytest.fixture(scope="session")
def run(nlp):
    """De-identifies the letters: records, beside their originals."""

    def run(key, strategy="full_entity", scope="document"):
        pipe = nlp.get_pipe("pseudonymizer")
        pipe.strategy, pipe.scope = strategy, scope
        pipe.set_key(key)
        records = [Record({"text": text}, Declared(("text",))) for text in TEXTS]
        done = process_records(nlp, records, Pseudonyms(b"salt"))
        pipe.strategy, pipe.scope = "full_entity", "document"
        pipe.set_key(None)
        rows = [make_record(d, f"d{i}", d.values)[0] for i, d in enumerate(done)]
        return [compare(read_released(r), t) for r, t in zip(rows, TEXTS)]

    return run
