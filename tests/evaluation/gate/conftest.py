import pytest
import spacy

from spacy_deid.evaluation.gate.released import compare, read_released
from spacy_deid.records.cleaning import Pseudonyms
from spacy_deid.records.declared import Declared
from spacy_deid.records.output import make_record
from spacy_deid.records.process import Record, process_records

PEOPLE = ("Robert Murray", "Ann Lee", "Delphine Vasseur", "Bartosz Nowak", "Tilda Osei")
TOWNS = ("Leeds", "Bristol", "Norwich", "Cardiff")
FIRMS = ("Plomgard Ltd", "Harker & Sons", "Velden Holdings")


@pytest.fixture(scope="session")
def texts():
    """Letters that name people, towns and firms."""
    return [
        f"{PEOPLE[i % 5]} of {TOWNS[i % 4]} wrote to {PEOPLE[(i + 2) % 5]} about "
        f"{FIRMS[i % 3]} and file 2804{i:02}/19. {PEOPLE[i % 5]} then left {TOWNS[i % 4]}."
        for i in range(24)
    ]


@pytest.fixture(scope="session")
def nlp():
    nlp = spacy.blank("en")
    find = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    kinds = {"PERSON": PEOPLE, "LOC": TOWNS, "ORG": FIRMS}
    rules = [{"label": k, "pattern": p} for k, names in kinds.items() for p in names]
    code = {"label": "CODE", "pattern": [{"TEXT": {"REGEX": r"^\d{6}/19$"}}]}
    find.add_patterns([*rules, code])
    decide = nlp.add_pipe("span_ruler", name="decide", config={"spans_key": "mask"})
    kinds = {"PERSON": "DIRECT", "LOC": "QUASI", "ORG": "QUASI", "CODE": "DIRECT"}
    decide.add_patterns([{**r, "label": kinds[r["label"]]} for r in [*rules, code]])
    nlp.add_pipe("pseudonymizer")
    return nlp


@pytest.fixture(scope="session")
def run(nlp, texts):
    """De-identifies the letters: records, beside their originals."""

    def run(key, strategy="full_entity", scope="document"):
        pipe = nlp.get_pipe("pseudonymizer")
        pipe.strategy, pipe.scope = strategy, scope
        pipe.set_key(key)
        declared = Declared(("text",))
        records = [Record({"text": text}, declared) for text in texts]
        done = process_records(nlp, records, Pseudonyms(b"salt"))
        pipe.strategy, pipe.scope = "full_entity", "document"
        pipe.set_key(None)
        rows = [make_record(d, f"d{i}", d.values)[0] for i, d in enumerate(done)]
        return [compare(read_released(r), t) for r, t in zip(rows, texts)]

    return run
