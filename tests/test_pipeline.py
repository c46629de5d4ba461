"""The embedded pipeline as a whole keeps the promises of each stage, for any text."""

import csv
import itertools
import json
import logging
import re
import subprocess
import sys
import textwrap
import traceback
import unicodedata
from functools import cache
from pathlib import Path

import pytest
import spacy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span
from spacy.util import filter_spans

import spacy_deid
from spacy_deid.pseudonymizer import SWEEP_SOURCE
from spacy_deid.schema import DIRECT, IDENTIFIER_TYPES, NO_MASK, QUASI, SEMANTIC_TYPES

from .cases import cases
from .models.learning import copies
from .second_opinion import check_places, occurs

# Labels of news and tweets as OntoNotes has them.
GENERIC = {"PER": "PERSON", "person": "PERSON", "LOC": "LOC", "location": "LOC"}
FACTORIES = ["pii_gazetteer", "pii_ner", "risk_scorer", "pseudonymizer"]
KEY_ENV = "SPACY_DEID_PIPELINE_TEST_KEY"
SAMPLES = Path(__file__).parents[1] / "assets" / "samples"
WORDS = st.sampled_from(cases(__file__, "words"))
PIECES = st.one_of(WORDS, st.text(min_size=1, max_size=6))
GLUE = st.sampled_from(" | | |, |. |\n|-|| (|) ".split("|"))
ANY_TEXT = st.lists(st.tuples(PIECES, GLUE), max_size=12).map(
    lambda parts: "".join(a + b for a, b in parts)
)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
TRAVELLERS = ["letter.txt", "clinical_note.txt", "support_tickets.csv:0"]
CANARIES = ["Xanthippe", "Quorlbrand", "zylvrex", "4929557001342"]
CANARY_TEXT = (
    "Ms Xanthippe Quorlbrand (x.quorlbrand@zylvrex.example) of Leeds, born on 3 April "
    "1971, passport no. 4929557001342, wrote to her doctor. QUORLBRAND paid."
)


def read_samples():
    texts = {p.name: p.read_text("utf8") for p in sorted(SAMPLES.glob("*.txt"))}
    for path in sorted(SAMPLES.glob("*.csv")):
        with path.open(encoding="utf8", newline="") as file:
            rows = list(csv.DictReader(file))
        texts.update({f"{path.name}:{i}": r["text"] for i, r in enumerate(rows)})
    return texts


TEXTS = read_samples()
SENTENCE = (
    "Mr Robert Murray (rob@murray.org) was born in Leeds on 6 May 1961. MURRAY, a "
    "Scottish nurse aged 59, lives at 12 Mill Lane, Leeds, and was paid EUR 3,150 by "
    "Halden Insurance Ltd on 7 June 2020; ring 020 7946 0817."
)


@pytest.fixture(scope="module")
def key_env():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_ENV, "a secret key for tests alone")
        yield KEY_ENV


def load_keyed(**settings):
    config = {"key_env": KEY_ENV, **settings}
    return spacy_deid.load(config={"components": {"pseudonymizer": config}})


@pytest.fixture(scope="module")
def keyed(key_env):
    """The pipeline with a key: one text has one output."""
    return load_keyed()


@pytest.fixture(scope="module")
def strict(key_env):
    """The same, masking all that is found."""
    return load_keyed(mask="all")


@pytest.fixture(scope="module")
def sample_docs(keyed):
    return dict(zip(TEXTS, keyed.pipe(TEXTS.values())))


def result(doc):
    """All that a document has after the pipeline, as plain values."""
    groups = []
    for group in (doc.spans[key] for key in ("pii", "mask", "deid")):
        attrs = {
            name: [round(v, 3) if isinstance(v, float) else v for v in values]
            for name, values in group.attrs.items()
            if name not in ("scores", "risk", "reasons")
        }
        groups.append([[(s.start, s.end, s.label_, s.id_) for s in group], attrs])
    return doc.text, doc._.deid_text, doc._.deid_offsets, doc._.deid_epsilon, groups


def test_the_second_opinion_sees_what_it_should():
    for masked, text, found in cases(__file__, "the second opinion"):
        assert occurs(masked, text) is found, (masked, text)


def check(doc, nlp):
    """All promises about one document that has been through the pipeline."""
    new, offsets = doc._.deid_text, doc._.deid_offsets
    pii, mask, deid = doc.spans["pii"], doc.spans["mask"], doc.spans["deid"]
    mask_all = nlp.get_pipe("pseudonymizer").mask == "all"
    # Spans: never overlapping, known labels, one judgement each.
    assert all(a.end <= b.start for a, b in itertools.pairwise(pii))
    assert all(s.start < s.end and s.label_ in SEMANTIC_TYPES for s in pii)
    assert [(s.start, s.end) for s in mask] == [(s.start, s.end) for s in pii]
    assert {s.label_ for s in mask} <= set(IDENTIFIER_TYPES)
    assert len(pii.attrs["entity_ids"]) == len(pii)
    decisions = {}
    for span, entity in zip(mask, mask.attrs["entity_ids"]):
        assert decisions.setdefault(entity, span.label_) == span.label_
    check_places(doc)
    # Masked wholly, kept wholly, and nothing masked left.
    labels = mask.attrs["labels"]
    names = {s.text for s, n in zip(mask, labels) if n in ("PERSON", "LOC", "ORG")}
    replaced = {i for a, b, _, _ in offsets for i in range(a, b)}
    for span, label in zip(mask, labels):
        chars = range(span.start_char, span.end_char)
        hit = replaced.intersection(chars)
        if mask_all or span.label_ != NO_MASK:
            assert len(hit) == len(chars) and not occurs(span.text, new, names)
        elif label in ("PERSON", "CODE", "DATETIME", "QUANTITY"):
            # Of others only what repeats something masked is replaced.
            assert len(hit) in (0, len(chars))
    # In what the sweep found only a part of the tokens may be replaced.
    attrs = (deid.attrs[n] for n in ("entity_ids", "surrogates", "sources"))
    check_agreement(
        ((span.label_, span.text, entity), surrogate)
        for span, entity, surrogate, source in zip(deid, *attrs)
        if source != SWEEP_SOURCE
    )


def check_agreement(drawn):
    """One entity, one surrogate: "an" or "a", "mr" or "Mr" may fit the place."""
    given: dict = {}
    for entity, surrogate in drawn:
        assert given.setdefault(entity, surrogate).casefold() == surrogate.casefold()


@cache
def hundreds_of_characters():
    """All characters that mean something, of the largest blocks some."""
    known = [chr(c) for c in range(sys.maxunicode + 1)]
    known = [c for c in known if unicodedata.category(c) not in ("Cn", "Co", "Cs")]
    rows = enumerate(known)
    some = [c for i, c in rows if not c.isalpha() or c < "\u3000" or i % 40 == 0]
    return [some[i : i + 100] for i in range(0, len(some), 100)]


@pytest.mark.parametrize("shift", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_character_as_a_span(keyed, shift):
    """Each as a person or as a place; the other way round among the slow tests."""
    pipe = keyed.get_pipe("pseudonymizer")
    for some in hundreds_of_characters():
        doc = Doc(keyed.vocab, words=some)
        labels = ("PERSON", "LOC") * len(doc)
        spans = [Span(doc, i, i + 1, label=labels[i + shift]) for i in range(len(doc))]
        doc.spans["pii"] = spans
        new = pipe(doc)._.deid_text.split(" ")
        assert [c for c in new if c in some and c.isalnum()] == []


@pytest.mark.linear
def test_every_character(keyed):
    """No character raises or is slow, be it alone or among others: a name of 30 letters
    of an Indian script once took years."""
    pairs = ((" ".join(some), "".join(some)) for some in hundreds_of_characters())
    texts = [f"{apart} Robert Murray {close} Robert" for apart, close in pairs]
    docs = list(keyed.pipe(texts))
    assert len(docs) == len(texts) > 200
    # Among a hundred letters of a script a recognizer may err now and then.
    assert sum("Murray" in doc._.deid_text for doc in docs) <= len(docs) / 50


@settings(max_examples=120, deadline=None, suppress_health_check=SLOW)
@example(text="Mr Robert Murray 1 ¹¼ ")
@example(text="6 May 1961 anna 0 anna")
@given(text=ANY_TEXT)
def test_any_text(keyed, strict, text):
    doc = keyed(text)
    check(doc, keyed)
    assert keyed(text)._.deid_text == doc._.deid_text
    check(strict(text), strict)


@settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
@given(texts=st.lists(ANY_TEXT, max_size=4))
def test_batches_do_not_mix(keyed, texts):
    alone = [result(keyed(text)) for text in texts]
    assert [result(doc) for doc in keyed.pipe(texts)] == alone


@pytest.mark.parametrize("name", TEXTS)
def test_samples(keyed, strict, sample_docs, name):
    check(sample_docs[name], keyed)
    check(strict(TEXTS[name]), strict)


def test_no_name_part_survives_in_the_samples_and_entities_agree(sample_docs, keyed):
    """Stricter than `occurs`: single words of masked names, as names are written; and
    no test of samples holds because nothing was found."""
    titles = set(cases(__file__, "titles")[0].split())
    for name, doc in sample_docs.items():
        mask = doc.spans["mask"]
        people = [s for s, n in zip(mask, mask.attrs["labels"]) if n == "PERSON"]
        masked = " ".join(s.text for s in people if s.label_ != NO_MASK)
        for part in set(re.findall(r"[^\W\d_]{4,}", masked)):
            pattern = rf"(?<![^\W\d_])({part.title()}|{part.upper()})(?![^\W\d_])"
            if part.lower() not in titles and not part.islower():
                assert not re.search(pattern, doc._.deid_text), name
        assert len(doc.text) <= 600 or len(doc.spans["deid"]) >= 10, name
    found = {s.label_ for doc in sample_docs.values() for s in doc.spans["deid"]}
    assert found >= {"PERSON", "CODE", "LOC", "ORG", "DATETIME", "DEM"}
    decided = {s.label_ for doc in sample_docs.values() for s in doc.spans["mask"]}
    assert decided == {DIRECT, QUASI, NO_MASK}
    for doc in (*sample_docs.values(), keyed("MURRAY, MURRAY ")):
        group = doc.spans["deid"]
        entities = zip(group.attrs["entity_ids"], map(str, group))
        check_agreement(zip(entities, group.attrs["surrogates"]))


def test_no_key_gives_other_surrogates_that_still_agree(embedded):
    docs = [embedded(SENTENCE) for _ in range(3)]
    assert len({doc._.deid_text for doc in docs}) == 3
    for doc in docs:
        check(doc, embedded)
        surname = re.match(r"(?:Mr )?(?:.* )?(\S+) \(", doc._.deid_text).group(1)
        assert surname.upper() in doc._.deid_text


def test_pipelines_and_docs_travel(keyed, tmp_path):
    docs = [keyed(TEXTS[name]) for name in TRAVELLERS]
    expected = [*map(result, docs)]

    def run(nlp, **kwargs):
        return [*map(result, nlp.pipe(map(TEXTS.get, TRAVELLERS), **kwargs))]

    assert run(keyed, n_process=2, batch_size=1) == expected
    loaded, *others = copies(keyed, tmp_path / "model")
    loaded.to_disk(tmp_path / "again")
    for nlp in (loaded, *others, spacy.load(tmp_path / "again")):
        assert run(nlp) == expected
    packed = DocBin(docs=docs, store_user_data=True).to_bytes()
    vocab = spacy.blank("en").vocab
    unpacked = DocBin().from_bytes(packed).get_docs(vocab)
    assert [result(doc) for doc in unpacked] == expected
    assert [result(Doc(vocab).from_bytes(doc.to_bytes())) for doc in docs] == expected


@pytest.mark.parametrize(
    "text", [*cases(__file__, "odd texts"), "a" * 5000, "1" * 5000]
)
def test_odd_texts(keyed, strict, text):
    for nlp in (keyed, strict):
        doc = nlp(text)
        check(doc, nlp)
        if not text.strip():
            assert doc._.deid_text == text and len(doc.spans["deid"]) == 0
    assert "@example" not in text or "@example.jp" not in doc._.deid_text


def leaked(text):
    if isinstance(text, bytes):
        text = text.decode("utf8", "replace")
    return [c for c in CANARIES if c.casefold() in text.casefold()]


def test_nothing_in_new_texts_logs_and_errors(keyed, caplog, recwarn, capfd):
    assert leaked(CANARY_TEXT) == CANARIES
    caplog.set_level(logging.DEBUG)
    logging.getLogger("spacy").setLevel(logging.DEBUG)
    list(keyed.pipe([CANARY_TEXT, SENTENCE]))
    assert leaked(keyed(CANARY_TEXT)._.deid_text) == []
    out, err = capfd.readouterr()
    assert leaked(out + err + caplog.text) == []
    assert leaked(" ".join(str(w.message) for w in recwarn)) == []
    # Errors of wrong input have offsets alone.
    doc = keyed.make_doc(CANARY_TEXT)
    for name in ("risk_scorer", "pseudonymizer"):
        with pytest.raises(ValueError) as caught:
            keyed.get_pipe(name)(doc)
        assert leaked(str(caught.value)) == []


def test_who_has_no_name_in_the_text_is_somebody_all_the_same(embedded):
    """Dates, towns and ages of nobody stay; a patient is somebody."""
    text = "A 23-year-old Hispanic man from Vietnam has eczema. The patient came on 6 June 2005."
    for said in (text, text.replace("man", "one").replace("patient", "person of 23")):
        doc = embedded(f"{said} " * 6)
        masked = {s.text for s in doc.spans["mask"] if s.label_ != NO_MASK}
        assert ({"Vietnam", "6 June 2005", "23-year-old"} <= masked) is (said == text)


def quoting(*args, **kwargs):
    raise OSError(f"cannot work on {CANARY_TEXT}")


@pytest.mark.parametrize("part", ["strategy", "surrogates"])
def test_nothing_in_exceptions(embedded, part, monkeypatch):
    monkeypatch.setattr(embedded.get_pipe("pseudonymizer"), part, quoting)
    with pytest.raises(RuntimeError) as caught:
        embedded(CANARY_TEXT)
    assert leaked("".join(traceback.format_exception(caught.value))) == []


def test_a_failing_stage_lets_nothing_through():
    """No stage swallows the failure of one before it and writes an output."""
    nlp = spacy_deid.load()
    # The last one first: the others go before those that are broken already.
    for name in FACTORIES[2::-1]:
        pipe = nlp.get_pipe(name)
        method = "predict" if hasattr(type(pipe), "predict") else "__call__"

        def fail(*args, name=name, **kwargs):
            raise OSError(f"{name} cannot work on {CANARY_TEXT}")

        pipe.__class__ = type("Broken", (type(pipe),), {method: fail})
        with pytest.raises(OSError, match=name):
            nlp(CANARY_TEXT)
        with pytest.raises(OSError, match=name):
            list(nlp.pipe([CANARY_TEXT, SENTENCE]))


def test_nothing_stays_in_the_pipeline(key_env, tmp_path):
    nlp = load_keyed()
    clean = nlp.to_bytes()
    with nlp.memory_zone():
        texts = [doc._.deid_text for doc in nlp.pipe([CANARY_TEXT, CANARY_TEXT])]
        assert texts[0] == texts[1]
    assert leaked(" ".join(nlp.vocab.strings)) == []
    # And so there is no word in it.
    assert leaked(clean) == [] and nlp.to_bytes() == clean
    # spaCy itself keeps words of texts read outside a zone, the components do not.
    nlp(CANARY_TEXT)
    with pytest.warns(UserWarning, match="has processed documents") as warned:
        nlp.to_disk(tmp_path)
    assert leaked(" ".join(str(w.message) for w in warned)) == []
    for name in FACTORIES:
        assert leaked(nlp.get_pipe(name).to_bytes(exclude=["vocab"])) == []
        state = vars(nlp.get_pipe(name)).items()
        state = {k: v for k, v in state if k not in ("vocab", "model")}
        assert leaked(repr(state)) == []


def test_nothing_in_what_the_command_says(command, tmp_path, caplog):
    @spacy.Language.component("pipeline_test_bomb")
    def bomb(doc):
        if "BOMB" in doc.text:
            raise RuntimeError(f"cannot work on {doc.text}")
        return doc

    caplog.set_level(logging.DEBUG)
    nlp = spacy_deid.load()
    nlp.add_pipe("pipeline_test_bomb", before="pseudonymizer")
    nlp.to_disk(tmp_path / "model")
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    files = {
        "good.txt": CANARY_TEXT,
        "bad.txt": f"BOMB {CANARY_TEXT}",
        "broken.jsonl": f'{{"text": "{CANARY_TEXT}" "Quorlbrand"}}\n',
        "latin.txt": f"{CANARY_TEXT}\xe9",
        "columns.csv": f'title,body\nx,"{CANARY_TEXT}"\n',
    }
    for name, content in files.items():
        (folder / name).write_text(content, "latin-1")
    done = command("deid", "run", folder, out, "--model", tmp_path / "model", code=1)
    assert all(name in done.stderr for name in files if name != "good.txt")
    assert leaked(done.output + done.stderr + caplog.text) == []
    assert "Traceback" not in done.stderr
    assert [p.name for p in out.rglob("*") if p.is_file()] == ["good.txt"]
    assert leaked((out / "good.txt").read_bytes()) == []


def test_loads_without_torch_and_network():
    """No torch is there for the programs of tests: see `start_without_torch`."""
    code = """
    import socket, sys

    def refuse(*args, **kwargs):
        raise RuntimeError("no network here")

    socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
    import spacy_deid
    nlp = spacy_deid.load()
    doc = nlp("Mr Robert Murray (rob@murray.org) was born in Leeds on 6 May 1961.")
    assert "Murray" not in doc._.deid_text and "murray" not in doc._.deid_text
    assert not {"torch", "transformers", "tensorflow"} & {*sys.modules}
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    how = {"capture_output": True, "text": True, "timeout": 60}
    done = subprocess.run(command, check=False, **how)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("lang", ["en", "de", "xx"])
def test_every_subset_on_any_pipeline(embedded, lang):
    for names in [c for n in range(1, 5) for c in itertools.combinations(FACTORIES, n)]:
        nlp = spacy.blank(lang)
        for name in names:
            nlp.add_pipe(name, source=embedded)
        if not {"pii_gazetteer", "pii_ner"} & set(names):
            # Nobody has looked for anything: never "nothing to mask".
            with pytest.raises(ValueError, match="pii"):
                nlp(SENTENCE)
            continue
        doc = nlp(SENTENCE)
        found = {s.text.rstrip(".") for s in doc.spans["pii"]}
        # German has "1961." as one token, an ordinal: the date may be two spans.
        assert "rob@murray.org" in found, names
        assert "6 May 1961" in found or {"6 May", "1961"} <= found, names
        assert ("Robert Murray" in found) == ("pii_ner" in names)
        assert ("mask" in doc.spans) == ("risk_scorer" in names)
        assert (doc._.deid_text is not None) == ("pseudonymizer" in names)
        if "pseudonymizer" in names:
            assert "rob@murray.org" not in doc._.deid_text
            assert ("MURRAY" in doc._.deid_text) == ("pii_ner" not in names)
        assert nlp("").text == ""


@pytest.mark.parametrize("form", cases(__file__, "disguises"))
def test_what_is_masked_elsewhere_is_found_in_disguise(keyed, form):
    text = "Mr Robert Murray, a lawyer, was born on 6 May 1961. Seen again: {}, later."
    doc = keyed(text.format(form))
    assert form not in doc._.deid_text
    assert not set("Robert") <= set(doc._.deid_text.split("again: ")[1])


def read_entities(nlp, path, n):
    """The first documents of a corpus, with its labels in `doc.ents`."""
    for line in path.read_text("utf8").splitlines()[:n]:
        record = json.loads(line)
        doc, spans = nlp.make_doc(record["text"]), []
        for m in record["entity_mentions"]:
            label = GENERIC.get(m["entity_type"], "ORG")
            at = m["start_offset"], m["end_offset"]
            spans.append(doc.char_span(*at, label=label, alignment_mode="expand"))
        doc.ents = filter_spans([span for span in spans if span])
        yield doc


@pytest.mark.slow
def test_no_person_of_a_generic_recognizer_stays_in_clear(shared_data):
    """Of one that finds what people have marked in tweets and news."""
    nlp = spacy.blank("en")
    sources = {"ner": {"@misc": "spacy_deid.entities.v1"}}
    nlp.add_pipe("pii_gazetteer", config={"sources": sources})
    ours = spacy_deid.load()
    for name in ("risk_scorer", "pseudonymizer"):
        nlp.add_pipe(name, source=ours)
    n = 0
    for corpus in ("btc", "wnut17", "wiki_biographies"):
        for doc in read_entities(nlp, shared_data / corpus / "dev.jsonl", 40):
            new = nlp(doc)
            replaced = {i for s in new.spans["deid"] for i in range(s.start, s.end)}
            words = re.findall(r"\w+", new._.deid_text)
            for person in [e for e in new.ents if e.label_ == "PERSON"]:
                n += 1
                assert replaced.issuperset(range(person.start, person.end)), person
                assert person.text not in words
    assert n > 20
