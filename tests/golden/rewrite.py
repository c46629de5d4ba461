"""Write the expected texts of the golden examples anew: `python tests/golden/rewrite.py`.

Read every change before it is committed: `git diff --word-diff tests/golden`.
"""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Span

FOLDER = Path(__file__).parent
LANGS = ("en", "de", "es", "ru")
KEY = b"golden"


def read(lang: str) -> list[dict[str, Any]]:
    """The examples of a language."""
    lines = (FOLDER / f"{lang}.jsonl").read_text(encoding="utf8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def pipeline(lang: str, config: str) -> Language:
    """A blank pipeline with a pseudonymizer of these settings and the fixed key."""
    nlp = spacy.blank(lang)
    settings = json.loads(config)
    if settings.get("scope") == "sentence":
        nlp.add_pipe("sentencizer")
    nlp.add_pipe("pseudonymizer", config=settings).set_key(KEY)
    return nlp


def make(lang: str, example: dict[str, Any]) -> str:
    """The new text of an example.

    lang (str): Language of the pipeline.
    example (dict): `text`; `spans`, in the order of the text, as text, label and
        perhaps subtype; `settings` of the pseudonymizer, of its surrogates
        (`same_country`), and `subject`.
    RETURNS (str): The de-identified text.
    """
    config = dict(example["settings"])
    subject = config.pop("subject", None)
    own = {name: config.pop(name) for name in ("same_country",) if name in config}
    config["surrogates"] = {
        "@deid_surrogates": "spacy_deid.language_surrogates.v1",
        **own,
    }
    nlp = pipeline(lang, json.dumps(config))
    doc = nlp.make_doc(example["text"])
    end, spans = 0, []
    for text, label, *subtype in example["spans"]:
        start = doc.text.index(text, end)
        end = start + len(text)
        found = doc.char_span(start, end, alignment_mode="expand")
        span_id = subtype[0] if subtype else ""
        spans.append(Span(doc, found.start, found.end, label=label, span_id=span_id))
    doc.spans["pii"] = spans
    if subject is not None:
        doc._.deid_subject = subject
    return nlp(doc)._.deid_text


def main(langs: list[str]) -> None:
    for lang in langs or LANGS:
        examples = read(lang)
        for example in examples:
            example["expected"] = make(lang, example)
        lines = (json.dumps(e, ensure_ascii=False) + "\n" for e in examples)
        (FOLDER / f"{lang}.jsonl").write_text("".join(lines), encoding="utf8")


if __name__ == "__main__":
    main(sys.argv[1:])
