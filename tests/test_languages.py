"""One config for every language: trained, assembled and run by overrides alone."""

import json
from pathlib import Path

import pytest
import spacy
import srsly

from spacy_deid.assemble import main as assemble
from spacy_deid.label_schemes import make_label_scheme

from .annotated import record
from .cases import cases

ROOT = Path(__file__).parents[1]
TRAIN = ROOT / "configs" / "pii_ner_tok2vec.cfg"
ASSEMBLE = ROOT / "configs" / "deid_lang.cfg"
KEY_ENV = "SPACY_DEID_LANGUAGES_TEST_KEY"

# Made-up documents: [text](label of the scheme).
DOCUMENTS = dict(cases(__file__, "documents"))
OVERRIDES = dict(cases(__file__, "overrides"))
SMALL = dict(cases(__file__, "small"))


def options(settings):
    return [x for k, v in settings.items() for x in (f"--{k}", json.dumps(v))]


@pytest.fixture(scope="module", params=sorted(DOCUMENTS))
def built(request, command, tmp_path_factory):
    """Language, scheme, records and the folder of the assembled pipeline."""
    lang = request.param
    scheme, documents = DOCUMENTS[lang]
    folder = tmp_path_factory.mktemp(lang)
    records = [record(markup, f"{lang}{i}") for i, markup in enumerate(documents)]
    srsly.write_jsonl(folder / "train.jsonl", records)
    corpus = folder / "train.spacy"
    command("deid", "convert", f"{scheme}:{folder / 'train.jsonl'}", corpus, "-l", lang)
    settings = {"nlp.lang": lang, "components.pii_ner.scheme": scheme, **SMALL}
    settings |= dict.fromkeys(("paths.train", "paths.dev"), str(corpus))
    command("train", TRAIN, "--output", folder / "ner", *options(settings))
    settings = {"nlp.lang": lang, "paths.ner": str(folder / "ner" / "model-last")}
    settings |= {"components.pseudonymizer.key_env": KEY_ENV, **OVERRIDES[lang]}
    command("assemble", ASSEMBLE, folder / "parts", *options(settings))
    meta = ROOT / "assets" / f"{lang}_deid_sm.json"
    target = folder / f"{lang}_deid_sm"
    assert assemble([str(folder / "parts"), str(target), "--meta", str(meta)]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_ENV, "a secret key for tests alone")
        yield lang, make_label_scheme(scheme), records, target


def test_finds_in_the_labels_of_its_scheme(built, load_benchmark):
    (lang, scheme, records, path), strict = built, load_benchmark("strict")
    nlp = spacy.load(path)
    assert nlp.lang == lang and nlp.meta["name"] == "deid_sm"
    assert nlp.get_pipe("pii_ner").scheme == scheme
    labels = {m["entity_type"] for r in records for m in r["entity_mentions"]}
    assert set(nlp.get_pipe("pii_ner").labels) == labels
    for row in records:
        doc = nlp(row["text"])
        gold = strict.gold_spans(row, lambda label: label)
        assert strict.found_spans(doc, "pii_ner", lambda label: label) == gold
        # Rules may find more, but cut nothing short.
        covered = {i for s in doc.spans["pii"] for i in range(s.start_char, s.end_char)}
        for span in gold:
            assert covered.issuperset(range(span.start, span.end))
    scores = strict.measure(nlp, records, scheme)
    assert scores["pii_ner, semantic"]["strict"]["f"] == 1
    assert scores["pii, semantic"]["strict"]["r"] > 0.8
    assert (f"pii_ner, {scheme.name}" in scores) == (scheme.name != "tab")


def test_nothing_found_is_left_and_no_name_of_training_is_saved(built):
    _, _, records, path = built
    nlp, names = spacy.load(path), set()
    saved = b"".join(p.read_bytes() for p in path.rglob("*") if p.is_file())
    for row in records:
        new = nlp(row["text"])._.deid_text
        assert new != row["text"]
        for mention in row["entity_mentions"]:
            text = row["text"][mention["start_offset"] : mention["end_offset"]]
            # "H" stands in other words too.
            assert len(text) == 1 or text not in new, mention
            if mention["entity_type"].startswith(("NOMBRE", "PERSON", "Person")):
                names.update(text.split())
    assert len(names) >= 4 and [name for name in names if name.encode() in saved] == []
