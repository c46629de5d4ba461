import json
from pathlib import Path

import pytest
import spacy
import srsly
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.util import registry

CONFIG = {"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}}
ENGLISH = spacy.blank("en", config=CONFIG)


def test_examples_and_fine_is_a_setting():
    rows = Path(__file__).with_name("tokenizer_examples.tsv").read_text("utf8")
    for row in rows.splitlines()[2:]:
        lang, text, tokens = row.split("\t")
        nlp = ENGLISH if lang == "en" else spacy.blank(lang, config=CONFIG)
        assert [t.text for t in nlp(text)] == json.loads(tokens), row
    text = "Sex: H. MRN-150679"
    coarse = ["Sex", ":", "H.", "MRN-150679"]
    finer = ["Sex", ":", "H", ".", "MRN", "-", "150679"]
    again = spacy.blank("en", config=CONFIG).tokenizer
    for lang, fine, expected in [
        ("en", None, coarse), ("en", False, coarse), ("en", True, finer),
        ("es", None, finer), ("es", False, coarse),
    ]:  # fmt: skip
        nlp = spacy.blank(lang)
        nlp.tokenizer = registry.tokenizers.get("spacy_deid.tokenizer.v1")(fine)(nlp)
        assert [t.text for t in nlp(text)] == expected, (lang, fine)
        again.from_bytes(nlp.tokenizer.to_bytes())
        assert [t.text for t in again(text)] == expected


@pytest.mark.parametrize("lang", ["en", "xx", "de", "es", "ru", "fr", "sv"])
def test_any_language_and_round_trip(lang):
    nlp = spacy.blank(lang, config=CONFIG)
    text = "Tel:+49,Name:Bob(1980) x@example.org 18403/91 age:3"
    words = [t.text for t in nlp(text)]
    assert words[:4] == ["Tel", ":", "+49", ","]
    assert {"Bob", "1980", "x@example.org", "18403/91", "3"} <= set(words)
    again = spacy.blank(lang, config=CONFIG).from_bytes(nlp.to_bytes())
    assert [t.text for t in again(text)] == words


def test_gold_offsets_are_tokens(shared_data):
    """Strict scores need tokens that begin and end where the annotation does."""
    names = {"es": "meddocan", "de": "germeval2014", "ru": "factrueval2016"}
    for lang, name in names.items():
        nlp, found = spacy.blank(lang, config=CONFIG), []
        for record in srsly.read_jsonl(shared_data / name / "dev.jsonl"):
            doc, mentions = nlp.make_doc(record["text"]), record["entity_mentions"]
            places = ((m["start_offset"], m["end_offset"]) for m in mentions)
            found += [doc.char_span(*place) for place in places]
        assert found.count(None) < 0.002 * len(found), lang


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aB1 :=,;|()<>\"'@.-/\n", max_size=40))
def test_text_is_kept(text):
    assert ENGLISH(text).text == text


@pytest.mark.parametrize(
    "piece", "a: a@ http:// x@a.b, a.b- 1,a _ # ( $ : 's “ )(".split()
)
@pytest.mark.linear
def test_linear(piece):
    """spaCy's own patterns take minutes for 400,000 characters of `a:a:a:`, and hours for
    runs of signs."""
    text = piece * (400_000 // len(piece))
    assert ENGLISH.tokenizer(text).text == text
