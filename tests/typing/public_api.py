"""Code as a user writes it: `mypy --strict` has nothing to say of it (`.ci/run`)."""

from pathlib import Path

import spacy
from spacy.language import Language
from typing_extensions import assert_type

import spacy_deid
from spacy_deid.label_schemes import LabelScheme, make_label_scheme
from spacy_deid.patterns.own import OwnPattern
from spacy_deid.records.frames import Deidentified


@spacy_deid.pattern("CODE", "STAFF_NUMBER", regex=r"ST-\d{6}", context=["staff"])
def staff_number(value: str) -> bool:
    return int(value[3:]) % 7 == 0


def use(texts: list[str], terms: Path) -> list[str]:
    nlp = spacy_deid.load(
        deny=["Project Nightjar"],
        allow=terms,
        types=["PERSON"],
        threshold=0.3,
        profile="contacts",
        patterns=[staff_number],
    )
    assert_type(nlp, Language)
    assert_type(staff_number, OwnPattern)
    assert_type(spacy_deid.deidentify(texts, strategy="redact"), Deidentified)
    assert_type(make_label_scheme("presidio"), LabelScheme)
    assert_type(make_label_scheme("tab").from_tab("PERSON"), str | None)
    assert_type(spacy_deid.__version__, str)
    spacy_deid.install_extensions()
    spacy.blank("en").add_pipe("pii_gazetteer", source=nlp)
    return [doc._.deid_text for doc in nlp.pipe(texts)]
