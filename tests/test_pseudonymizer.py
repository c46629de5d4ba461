import gc
import json
import math
import pickle
import re
import secrets
from collections import Counter

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.lang.en.stop_words import STOP_WORDS
from spacy.tokens import Doc, Span

from spacy_deid import schema
from spacy_deid.pii_gazetteer import PATTERNS
from spacy_deid.pseudonymizer import Pseudonymizer
from spacy_deid.registries import registry
from spacy_deid.schema import IDENTIFIER_TYPES, Candidate, set_group
from spacy_deid.surrogates.base import invent_word, match_case, normalise
from spacy_deid.surrogates.strategies.base import SHORT_NAMES, get_strategy
from spacy_deid.surrogates.strategies.random_replacement import RandomReplacement

from .annotated import places
from .cases import cases
from .models.learning import copies
from .second_opinion import check_places, occurs

DIRECT, QUASI, NO_MASK = IDENTIFIER_TYPES
STOP = sorted(STOP_WORDS)
CONFIG = {"surrogates": {"@deid_surrogates": "spacy_deid_tests.invented.v1"}}
NLP = spacy.blank("en")
ANNA = ("Anna", "PERSON", DIRECT)
WORDS = st.sampled_from(cases(__file__, "words")) | st.text(min_size=1, max_size=5)
SEPARATORS = st.sampled_from(" | | |-||\n|, |  | (|) |'s ".split("|"))
FAMILY = "Anna met Bob. Anna left. Bob saw Anna."
BOB = ("Bob", "PERSON", DIRECT)
FOUND = {"Anna Nowak": "PERSON", "Nowak": "PERSON", "Oslo": "LOC"}
FOUND["3 May 1990"] = "DATETIME"
RULES = [{"label": label, "pattern": text} for text, label in FOUND.items()]
TEXTS = [
    "Anna Nowak left Oslo on 3 May 1990. NOWAK is back.", "Nowak wrote to Anna Nowak.",
    "", "Nothing here.", "oslo, Oslo's streets, OSLO.",
]  # fmt: skip
ADDRESS = "12 Park Row, Leeds LS1 5HD"


def invented(mentions, random_for, forbidden):
    """Surrogates that depend on nothing else in the package: invented words."""
    out = []
    for mention in mentions:
        rng = random_for(mention.label, normalise(mention.text))
        for _ in range(50):
            word = match_case(invent_word(rng), mention.text)
            if not forbidden(word):
                break
        out.append(word)
    return out


@registry.deid_surrogates("spacy_deid_tests.invented.v1")
def make_invented():
    return invented


def build(strategy="full_entity", key=b"secret", **settings):
    parts = {"surrogates": invented, "stop_words": STOP, **settings}
    pipe = Pseudonymizer("pseudonymizer", strategy=get_strategy(strategy), **parts)
    if key is not None:
        pipe.set_key(key)
    return pipe


def mark(doc, *spans):
    """Spans as (start, end, label, decision[, subtype[, entity_id]])."""
    rows = [(*span, *("", -1)[len(span) - 4 :]) for span in spans]
    found = [Candidate(a, b, what, subtype) for a, b, _, what, subtype, _ in rows]
    told = {"labels": [row[2] for row in rows], "entity_ids": [row[5] for row in rows]}
    set_group(doc, "mask", found, **told)
    return doc


def deid(text, *spans, pipe=None, strategy="redact", **settings):
    """The de-identified document; spans as (text, label, decision[, subtype]) that
    stand for their first occurrence."""
    doc = NLP.make_doc(text)
    return (pipe or build(strategy, **settings))(mark(doc, *places(doc, *spans)))


def check_contract(doc, masked_texts):
    """What holds for every output."""
    check_places(doc)
    named = ("PERSON", "LOC", "ORG")
    names = {without_ending(s.text) for s in doc.spans["deid"] if s.label_ in named}
    # A span that is replaced with others names somebody too.
    spans = doc.spans.get("mask", [])
    labels = zip(spans, spans.attrs["labels"] if spans else [])
    names |= {without_ending(s.text) for s, label in labels if label in named}
    for masked in masked_texts:
        assert not occurs(masked, doc._.deid_text, names)


@st.composite
def marked_docs(draw):
    words = draw(st.lists(st.tuples(WORDS, SEPARATORS), max_size=14))
    doc = NLP.make_doc("".join(w + s for w, s in words))
    n = len(doc)
    kinds = st.sampled_from(schema.SEMANTIC_TYPES), st.sampled_from(IDENTIFIER_TYPES)
    span = st.tuples(st.integers(0, n), st.integers(0, 3), *kinds)
    spans = draw(st.lists(span, max_size=6))
    rows = [(a, min(a + k, n), label, what) for a, k, label, what in spans]
    return mark(doc, *rows), rows


def without_ending(text):
    """A possessive ending is no part of what is masked, unless little else is there."""
    bare = re.sub(r"['’][sS]?$", "", text)
    return bare if sum(map(str.isalnum, bare)) > 1 else text


def cores(doc, rows):
    """The texts of spans, endings left out where they are none of a code."""
    texts = [(doc[a:b].text, label) for a, b, label, *_ in rows if a < b]
    return [text if label == "CODE" else without_ending(text) for text, label in texts]


@pytest.mark.parametrize("strategy", SHORT_NAMES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(marked=marked_docs())
def test_nothing_masked_survives(strategy, marked):
    doc, rows = marked
    doc = build(strategy)(doc)
    check_contract(doc, cores(doc, [row for row in rows if row[3] != NO_MASK]))
    replaced = {i for s in doc.spans["deid"] for i in range(s.start, s.end)}
    masked = [(a, b) for a, b, _, what in rows if what != NO_MASK and a < b]
    for start, end, label, what in rows:
        hit = replaced.intersection(range(start, end))
        # Kept as a whole or, where something masked is in it, masked as a whole; of
        # some types only what repeats something masked elsewhere goes.
        overlaps = any(a < end and start < b for a, b in masked)
        if what != NO_MASK:
            assert len(hit) == end - start
        elif overlaps or label in ("PERSON", "CODE", "DATETIME", "QUANTITY"):
            assert not hit or len(hit) == end - start
    new = doc._.deid_text
    assert build(strategy)(Doc(doc.vocab).from_bytes(doc.to_bytes()))._.deid_text == new


@pytest.mark.parametrize(
    "text, spans, made, new, decisions", cases(__file__, "documents")
)
def test_a_document(text, spans, made, new, decisions):
    doc = deid(text, *spans, **made)
    assert doc._.deid_text == new
    check_places(doc)
    assert (text == new) == (doc._.deid_offsets == [])
    assert decisions in (None, doc.spans["deid"].attrs["decisions"])


def test_a_reader_meets_one_town_in_a_kept_span_and_outside():
    text = "Born in {}. She wrote to the {} Town Council. {} Town Council answered."
    spans = ("Oslo", "LOC", QUASI), ("Oslo Town Council", "ORG", NO_MASK)
    doc = deid(text.format(*["Oslo"] * 3), *spans, strategy="full_entity")
    shape = text.replace(".", r"\.").format("(.+)", "(.+)", r"\2")
    town, council = re.fullmatch(shape, doc._.deid_text).groups()
    assert town == council != "Oslo"
    assert [s.text for s in doc.spans["deid"]] == ["Oslo"] * 3


def of_words(words, *spans, strategy="redact"):
    """Of words with blanks between, a "~" behind those without one."""
    words = words.split(" ")
    spaces = [not word.endswith("~") for word in words]
    doc = Doc(NLP.vocab, words=[word.strip("~") for word in words], spaces=spaces)
    return build(strategy)(mark(doc, *spans))


def test_tokens_without_blanks():
    # Part of a token keeps the rest.
    doc = of_words("Anna x/Anna/y~", (0, 1, "PERSON", DIRECT))
    assert doc._.deid_text == "*** x/***/y"
    assert doc._.deid_offsets == [[0, 4, 0, 3], [5, 13, 4, 11]]
    # "ab" and "cd" come to stand together when what parts them shrinks to a mark.
    spans = (0, 3, "MISC", QUASI), (4, 6, "MISC", QUASI)
    check_contract(of_words("ab~ -~ cd ab~ --~ zzzz~ cd~", *spans), ["ab-cd"])
    # "foo" is part of "foobar" until "bar" is replaced.
    doc = of_words("foo x foo~ bar~", (0, 1, "MISC", QUASI), (3, 4, "MISC", QUASI))
    assert "foo" not in doc._.deid_text
    doc = of_words("a \n b", (1, 2, "MISC", QUASI), strategy="full_entity")
    assert len(doc._.deid_offsets) == 1
    # A quotation mark in a token stays one.
    words = "('Emma~ '~ , 'Hoxton 12b'~ , 5)~"
    doc = of_words(words, (3, 5, "LOC", DIRECT), strategy="full_entity")
    assert doc._.deid_text.endswith("', 5)")


def test_no_surrogate_is_an_original_or_holds_one():
    def unlucky(mentions, random_for, forbidden):
        """Gives originals at first, as a generator that ignores `forbidden` would."""
        rng = random_for("x", "y")
        return [rng.choice(["Anna", "Bob", "Carl 7"]) for _ in mentions]

    pipe = build(surrogates=unlucky)
    spans = (ANNA, ("7", "CODE", QUASI), ("Bob", "PERSON", NO_MASK))
    doc = deid("Anna met Bob, no. 7, and Dora.", *spans, pipe=pipe)
    assert doc._.deid_text == "*** met Bob, no. ***, and Dora."


def test_an_apostrophe_in_or_beside_the_span_fits_the_new_name():
    for lang, words, shape in (
        ("en", "Williams ' house", r"(\w+s' house|\w+[^sxz\W]'s house|\w+[xz]' house)"),
        ("de", "Hans ' Haus", r"(\w+[sxzß]' ?Haus|\w+[^sxzß\W]s ?Haus)"),
    ):
        nlp = spacy.blank(lang)
        pipe = nlp.add_pipe("pseudonymizer")
        for key in range(12):
            pipe.set_key(bytes([key + 1]))
            doc = Doc(nlp.vocab, words=words.split(), spaces=[False, True, False])
            mark(doc, (0, 2, "PERSON", DIRECT))
            assert re.fullmatch(shape, pipe(doc)._.deid_text)
    # Beside the span.
    text = "DANIELS'S CAR, DANIELS' DOG. Mr Daniels' cat; the Danielses’ house."
    new = deid(text, ("DANIELS", "PERSON", DIRECT), strategy="full_entity")._.deid_text
    name = new.partition("'")[0]
    end, plural = ("'", "es") if name[-1] in "SXZ" else ("'S", "s")
    title = name.capitalize()
    assert new == (
        f"{name}'S CAR, {name}{end} DOG. Mr {title}{end.lower()} cat; "
        f"the {title}{plural}’ house."
    )
    # A quotation mark is no possessive ending.
    for text in ("He said 'I met Daniels' and left.", "‘Daniels’ he"):
        doc = deid(text, ("Daniels", "PERSON", DIRECT), strategy="full_entity")
        head, _, tail = text.partition("Daniels")
        new = doc._.deid_text
        assert "s'" not in new and new.startswith(head) and new.endswith(tail)


def test_groups_that_are_set_by_hand():
    """Without judgements all is masked, and so is what is decided otherwise."""
    candidates = [Candidate(0, 1, "PERSON"), Candidate(2, 3, "LOC", "CITY")]
    doc = NLP.make_doc("Anna in Oslo")
    set_group(doc, "pii", candidates, entity_ids=[4, 9])
    build("typed_placeholder")(doc)
    assert doc._.deid_text == "[PERSON 1] in [LOC 1]"
    assert doc.spans["deid"].attrs["decisions"] == [QUASI, QUASI]
    assert doc.spans["deid"].attrs["entity_ids"] == [4, 9]
    assert [(s.label_, s.id_) for s in doc.spans["deid"]][1] == ("LOC", "CITY")
    # The types of a group of decisions are those of what was found.
    doc.spans["mask"] = [Span(doc, 0, 1, DIRECT), Span(doc, 2, 3, NO_MASK)]
    assert build("typed_placeholder")(doc)._.deid_text == "[PERSON 1] in Oslo"
    doc.spans["mask"] = [Span(doc, 0, 1, "PERSON"), Span(doc, 2, 3, "whatever")]
    assert build("redact")(doc)._.deid_text == "*** in ***"
    with pytest.raises(ValueError, match="span group"):
        build()(NLP.make_doc("Anna"))


@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_missing_key_fails_closed(monkeypatch, scope):
    pipe = build(key=None, key_env="DEID_TEST_KEY", scope=scope)
    doc = mark(NLP.make_doc("Anna"), (0, 1, "PERSON", DIRECT))
    monkeypatch.delenv("DEID_TEST_KEY", raising=False)
    for _ in ("missing", "empty"):
        with pytest.raises(ValueError, match="DEID_TEST_KEY"):
            pipe(doc)
        monkeypatch.setenv("DEID_TEST_KEY", "")
    for text in ("Anna", "nobody"):
        with pytest.raises(ValueError, match="key_env.*set_key"):
            deid(text, (text, "PERSON", DIRECT), key=None, scope="corpus")
    assert doc._.deid_text is None
    monkeypatch.setenv("DEID_TEST_KEY", "secret-secret")
    own = build(key="secret-secret", scope=scope)(doc)._.deid_text
    assert pipe(doc)._.deid_text == own


def test_bad_settings_are_refused_and_failing_strategies_tell_no_text():
    """Its own errors say what they will, those of others are swallowed, as the tests of
    the pipeline have it."""

    def without_values(mentions, context):
        raise schema.StrategyError(f"no values of type '{mentions[0].label}'")

    pipe = build()
    strategies = {"type 'PERSON'": without_values, "one str": lambda *_: []}
    for told, pipe.strategy in strategies.items():
        with pytest.raises(ValueError, match=told) as info:
            deid("Annabella left", ("Annabella", "PERSON", DIRECT), pipe=pipe)
        assert "Annabella" not in str(info.value)
    bad = {"mask": "none", "recall": 2.0, "strategy": "nothing", "scope": "world"}
    for setting, value in bad.items():
        with pytest.raises(ValueError):
            setattr(build(), setting, value)


def test_epsilon():
    def epsilon(strategy, **settings):
        return deid("Anna", ANNA, strategy=strategy, **settings)._.deid_epsilon

    assert epsilon("redact") == epsilon("word_by_word") == 0.0
    assert epsilon("redact", recall=0.9) == math.inf
    assert epsilon("typed_placeholder") == epsilon("full_entity") == math.inf
    assert 0.0 < epsilon("word_by_word", recall=0.9) < 10.0
    assert isinstance(epsilon("named_placeholder"), float)
    pipe = build()
    pipe.strategy = lambda mentions, context: ["x"] * len(mentions)
    assert deid("Anna", ANNA, pipe=pipe)._.deid_epsilon == math.inf
    for scope, told in (("corpus", math.inf), ("document", 0.0), ("mention", 0.0)):
        assert epsilon("word_by_word", scope=scope) == told
    # It says nothing in any scope.
    assert epsilon("redact", scope="corpus") == 0.0


def two_people(text=FAMILY):
    """Anna and Bob wherever they are named, the first and the second entity."""
    doc = NLP.make_doc(text)
    for i, token in enumerate(doc):
        token.is_sent_start = i == 0 or doc[i - 1].text == "."
    names = ["Anna", "Bob"]
    at = [(t.i, names.index(t.text)) for t in doc if t.text in names]
    return mark(doc, *((i, i + 1, "PERSON", DIRECT, "", entity) for i, entity in at))


def family(scope, key=b"secret", strategy="full_entity", text=FAMILY):
    """What Anna and what Bob became."""
    doc = build(strategy, key=key, scope=scope)(two_people(text))
    check_contract(doc, ["Anna", "Bob"])
    group = doc.spans["deid"]
    new = list(zip(map(str, group), group.attrs["surrogates"]))
    return [[b for a, b in new if a == name] for name in ("Anna", "Bob")]


def test_scopes():
    annas, bobs = family("mention")
    assert len({*annas, *bobs}) == 5
    assert family("mention") == [annas, bobs] != family("mention", key=b"other")
    # Other documents draw anew.
    assert family("mention", text=FAMILY.replace("met", "saw"))[0][0] != annas[0]
    # One in a sentence, another in the next.
    annas, bobs = family("sentence", text="Anna met Anna. Anna left. Bob saw Bob.")
    assert annas[0] == annas[1] != annas[2] and bobs[0] == bobs[1]
    with pytest.raises(ValueError, match="sentencizer"):
        deid("Anna left.", ANNA, scope="sentence")
    annas, bobs = family("document")
    assert len(set(annas)) == len(set(bobs)) == 1 and annas != bobs
    assert build().scope == "document"
    annas, bobs = family("corpus")
    assert len(set(annas)) == len(set(bobs)) == 1 and annas[0] != bobs[0]
    other = deid("So Bob wrote.", BOB, scope="corpus", strategy="full_entity")
    assert other._.deid_text == f"So {bobs[0]} wrote."
    assert family("corpus", key=b"other") != [annas, bobs]


def test_placeholders_of_a_corpus_have_numbers_of_the_key():
    annas, bobs = family("corpus", strategy="typed_placeholder")
    assert len({*annas, *bobs}) == 2 and re.fullmatch(r"\[PERSON \d+\]", annas[0])
    again = deid("Bob!", BOB, scope="corpus", strategy="typed_placeholder")
    assert again._.deid_text == f"{bobs[0]}!"
    _, bobs = family("sentence", strategy="typed_placeholder")
    assert bobs == ["[PERSON 2]", "[PERSON 1]"]
    # Words of a corpus are consistent, those of a document are not.
    for scope, alike in (("corpus", True), ("document", False)):
        annas, _ = family(scope, strategy="word_by_word")
        assert (len(set(annas)) == 1) == alike


@pytest.mark.parametrize("scope", ["document", "mention", "sentence", "corpus"])
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(marked=marked_docs(), data=st.data())
def test_nothing_survives_in_any_scope(scope, marked, data):
    doc, rows = marked
    for token in doc:
        token.is_sent_start = token.i == 0 or token.i % 4 == 0
    build(data.draw(st.sampled_from(SHORT_NAMES)), scope=scope)(doc)
    check_contract(doc, cores(doc, [row for row in rows if row[3] != NO_MASK]))
    # All of it masked, by English surrogates.
    pipe = ENGLISH.get_pipe("pseudonymizer")
    pipe.mask, pipe.scope = "all", scope
    pipe.set_key(b"secret")
    pipe(doc)
    check_contract(doc, cores(doc, rows))


def by_chance(p, key=b"secret"):
    pipe = build(key=key)
    # Both names are in the lexicon that comes with the package.
    pipe.strategy = RandomReplacement(p)
    return pipe(two_people("Anna met Bob, not Anna."))


def test_what_chance_leaves_looks_like_a_replacement():
    left = Counter()
    for i in range(60):
        doc = by_chance(0.5, key=bytes([i]))
        new = doc.spans["deid"].attrs["surrogates"]
        assert len(new) == 3 and new[0] == new[2]
        assert doc.spans["deid"].attrs["decisions"] == [DIRECT] * 3
        check_contract(doc, {"Anna", "Bob"} - {*new})
        left.update({"Anna", "Bob"} & {*new[:2]})
        assert 0.0 < doc._.deid_epsilon < math.inf
    assert 15 < left["Anna"] < 45 and 15 < left["Bob"] < 45
    # A probability of one leaves nothing.
    for i in range(20):
        check_contract(by_chance(1.0, key=bytes([i])), ["Anna", "Bob"])
    assert by_chance(1.0)._.deid_epsilon == 0.0
    assert by_chance(0.99)._.deid_text == by_chance(0.99)._.deid_text
    # What chance leaves goes all the same if a masked entity holds it.
    for i in range(30):
        pipe = build(key=bytes([i]))
        pipe.strategy = RandomReplacement(0.3)
        doc = NLP.make_doc("Anna came. Anna Nowak left.")
        pipe(mark(doc, (0, 1, "PERSON", QUASI, "", 0), (3, 5, "PERSON", DIRECT, "", 1)))
        # "Anna Nowak" is in no list, so she is always replaced.
        assert not re.search("Nowak|Anna", doc._.deid_text)


def english(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("span_ruler", config={"spans_key": "pii"}).add_patterns(RULES)
    nlp.add_pipe("pseudonymizer", config=config)
    return nlp


def pipeline(**config):
    return english(**CONFIG, **config)


def output(doc):
    group = doc.spans["deid"]
    spans = [(s.start, s.end, s.label_, s.id_) for s in group]
    # DocBin reads lists back as tuples.
    offsets = [list(row) for row in doc._.deid_offsets]
    return doc._.deid_text, offsets, doc._.deid_epsilon, group.attrs, spans


def outputs(docs):
    return [*map(output, docs)]


def test_serialisation(monkeypatch, tmp_path):
    monkeypatch.setenv("DEID_TEST_KEY", "hunter2-hunter2")
    keyed = pipeline(key_env="DEID_TEST_KEY")
    keyed.to_disk(tmp_path / "model")
    changed = {"mask": "all", "strategy": {"@deid_strategies": "spacy_deid.redact.v1"}}
    config = {"components": {"pseudonymizer": changed}}
    nlp = spacy.load(tmp_path / "model", config=config)
    assert nlp.get_pipe("pseudonymizer").mask == "all"
    assert nlp(TEXTS[1])._.deid_text == "*** wrote to ***."
    pipe = keyed.get_pipe("pseudonymizer")
    own = {"mask": "all", "strategy": "typed_placeholder", "scope": "mention"}
    for name, value in {**own, "recall": 0.9}.items():
        setattr(pipe, name, value)
    expected = outputs(keyed.pipe(TEXTS))
    for nlp in copies(keyed, tmp_path / "model"):
        assert outputs(nlp.pipe(TEXTS)) == expected
        made = nlp.get_pipe("pseudonymizer")
        assert (made.mask, made.scope) == ("all", "mention")
    excluded = pipeline().from_bytes(keyed.to_bytes(), exclude=["pseudonymizer"])
    assert excluded.get_pipe("pseudonymizer").mask == "risky"
    plain = build(mask="all")
    assert build().from_bytes(plain.to_bytes(exclude=["cfg"])).mask == "risky"
    plain.to_disk(tmp_path / "plain", exclude=["cfg"])
    assert not (tmp_path / "plain" / "cfg").exists()
    assert build().from_disk(tmp_path / "plain", exclude=["cfg"]).mask == "risky"


def test_secrets_and_originals_are_nowhere(tmp_path, monkeypatch):
    secret = "s3cret" + secrets.token_hex(8)
    monkeypatch.setenv("DEID_TEST_KEY", secret)
    for is_given in (False, True):
        nlp = pipeline(key_env="DEID_TEST_KEY")
        pipe = nlp.get_pipe("pseudonymizer")
        if is_given:
            pipe.set_key(secret)
        doc = nlp(TEXTS[0])
        nlp.to_disk(tmp_path / str(is_given))
        told = repr((pipe, vars(pipe), pipe._key, nlp.config.to_str(), nlp.meta))
        written = [thing.to_bytes() for thing in (nlp, pipe, doc)]
        written += [pickle.dumps(nlp), pickle.dumps(pipe), told.encode()]
        written += [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
        assert not any(secret.encode() in data for data in written)
    # Nor does the document hold an original.
    told = json.dumps([doc._.deid_text, doc._.deid_offsets, doc.spans["deid"].attrs])
    assert not re.search("nowak|oslo|1990", told, re.IGNORECASE)


@registry.deid_strategies("spacy_deid_tests.angle.v1")
def make_angle():
    return lambda mentions, context: [f"<{mention.label}>" for mention in mentions]


@registry.deid_strategies("spacy_deid_tests.with.v1")
def make_with(text: str):
    return lambda mentions, context: [text] * len(mentions)


def test_local_functions_travel_by_name():
    pipe = build()
    pipe.strategy = "spacy_deid_tests.angle.v1"
    for copy in (pickle.loads(pickle.dumps(pipe)), build().from_bytes(pipe.to_bytes())):
        copy.set_key(b"k")
        assert deid("Anna left", ANNA, pipe=copy)._.deid_text == "<PERSON> left"
    pipe.strategy = make_with("x")
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(pipe)


def test_english_surrogates_are_the_default(monkeypatch):
    monkeypatch.setenv("DEID_TEST_KEY", "hunter2-hunter2")
    nlp = english(key_env="DEID_TEST_KEY")
    docs = list(nlp.pipe(TEXTS))
    for doc in docs:
        check_contract(doc, [span.text for span in doc.spans["pii"]])
    shape = r"\w+ \w+ left [\w .'-]+ on \d+ \w+ \d{4}\. [\w'-]+ is back\."
    assert re.fullmatch(shape, docs[0]._.deid_text)
    assert outputs(pickle.loads(pickle.dumps(nlp)).pipe(TEXTS)) == outputs(docs)
    assert outputs(nlp.pipe(TEXTS, n_process=2, batch_size=2)) == outputs(docs)


ENGLISH = english()


@pytest.mark.linear
def test_a_long_document_takes_linear_time():
    words = [f"w{i % 997}x {i % 89}" for i in range(40_000)]
    words[::400] = [f"Person{i} Name{i}" for i in range(100)]
    doc = NLP.make_doc(" ".join(words))
    at = [i for i, t in enumerate(doc) if t.text.startswith("Person")]
    mark(doc, *((i, i + 2, "PERSON", DIRECT) for i in at))
    build("redact")(doc)
    assert len(doc._.deid_offsets) == 100


def test_no_surrogate_is_on_a_deny_list(monkeypatch, tmp_path):
    """What was drawn freely is put on the list, and is never drawn again."""
    monkeypatch.setenv("DEID_TEST_KEY", "hunter2-hunter2")
    nlp = english(key_env="DEID_TEST_KEY")
    config = {"terms": None, "patterns": dict.fromkeys(PATTERNS)}
    pipe = nlp.add_pipe("pii_gazetteer", config=config, first=True)

    def drawn(nlp, **kwargs):
        docs = nlp.pipe(TEXTS[:2], **kwargs)
        return " ".join(s for d in docs for s in d.spans["deid"].attrs["surrogates"])

    for _ in range(3):
        new = re.findall(r"[A-Z][a-z]{3,}", drawn(nlp))
        assert new and not {*new} & {entry["term"] for entry in pipe.deny.entries}
        pipe.add_to_lists(deny=sorted({*new}))
    denied = [entry["term"] for entry in pipe.deny.entries]
    used = [drawn(nlp), drawn(nlp, n_process=2, batch_size=1)]
    for new in (*used, *map(drawn, copies(nlp, tmp_path))):
        assert new.strip() and not re.search(rf"\b({'|'.join(denied)})\b", new)


def in_english(text, *spans, **settings):
    pipe = spacy.blank("en").add_pipe("pseudonymizer", config=settings)
    pipe.set_key(b"secret")
    return deid(text, *spans, pipe=pipe)._.deid_text


def test_parts_of_a_masked_address_are_found_elsewhere():
    text = f"She lives at {ADDRESS}. Leeds is far; Park Row and LS1 5HD are known."
    out = in_english(text, (ADDRESS, "LOC", DIRECT, "ADDRESS"))
    street, town, code, *again = re.fullmatch(
        r"She lives at \d+ (.+ Row), (.+) ([A-Z]+\d+ \d[A-Z]{2})\. "
        r"(.+) is far; (.+ Row) and (.+) are known\.",
        out,
    ).groups()
    assert again == [town, street, code]
    for part in ("Leeds", "Park Row", "LS1 5HD"):
        assert part not in out
    # Everyday words are none of its parts.
    address = "3 The Close, Bath BA1 2AB"
    rest = " At the close of day a bath in Bath; The Close was read in Reading."
    out = in_english(address + "." + rest, (address, "LOC", DIRECT, "ADDRESS"))
    assert out.endswith(rest)
    # A town that may be named is no secret.
    text = f"{ADDRESS}. He is from Leeds."
    address = (ADDRESS, "LOC", DIRECT, "ADDRESS")
    assert "Leeds" not in in_english(text, address, ("from", "MISC", NO_MASK))
    # The town alone: "from" is left out of the two.
    doc = NLP.make_doc(text)
    (whole, (start, end, *rest)) = places(doc, address, ("from Leeds", "LOC", NO_MASK))
    mark(doc, whole, (start + 1, end, *rest))
    pipe = spacy.blank("en").add_pipe("pseudonymizer")
    pipe.set_key(b"secret")
    assert pipe(doc)._.deid_text.endswith("He is from Leeds.")


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_nothing_of_a_document_waits_for_the_garbage_collector(lang):
    nlp = spacy.blank(lang)
    component = nlp.add_pipe("pseudonymizer", config={"mask": "all"})
    people = "Robert Murray|Ann Ford|Bob".split("|")
    spans = [*((name, "PERSON") for name in people), ("Leeds", "LOC")]
    spans.append(("r.murray@mail.org", "CODE"))

    def make():
        text = "{} met {} in Leeds. {} wrote to {}."
        doc = nlp.make_doc(text.format(*people, spans[-1][0]))
        doc.spans["pii"] = [Span(doc, *row) for row in places(doc, *spans)]
        return doc

    component(make())
    gc.collect()
    gc.disable()
    try:
        doc = component(make())
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = [o for o in gc.garbage if type(o).__module__.startswith("spacy_deid")]
        held = [o for o in gc.garbage if "Murray" in repr(o)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert "Murray" not in doc._.deid_text and left == [] and held == []


def test_ages_of_documents_move_apart():
    """One known age must not reverse those of all documents under the key."""
    moved, span = set(), ("40 years old", "DEM", QUASI, "AGE")
    for i in range(20):
        out = in_english(f"Note {i}: the patient is 40 years old.", span)
        moved.add(re.search(r"is (\d+) years", out)[1])
    assert len(moved) > 3 and "40" not in moved
