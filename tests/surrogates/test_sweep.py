import time
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from spacy.lang.en.stop_words import STOP_WORDS
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_deid.gazetteers.lexicon import is_vocabulary
from spacy_deid.lang import name_forms
from spacy_deid.surrogates.sweep import name_words, occurrences
from spacy_deid.surrogates.sweep.disguises import PLAIN
from spacy_deid.surrogates.sweep.pieces import Tokens
from spacy_deid.surrogates.sweep.runs import Runs, compact, read_words
from spacy_deid.text.names import name_tokens

from ..cases import cases


def spans(runs):
    return list(zip(runs.starts, runs.ends))


def found(needle, text, *, name=False, parts=False, stop_words=STOP_WORDS):
    sweep = occurrences.Sweep(stop_words)
    if parts:
        sweep.add_parts(name_words.name_parts(needle))
    else:
        sweep.add(needle, name=name)
    return [text[hit.start : hit.end] for hit in sweep.find(text)]


@pytest.mark.parametrize("needle, text", cases(__file__, "spellings"))
def test_spellings(needle, text):
    assert found(needle, text) == [text]
    assert found(needle, f"({text})") == [text]
    assert found(text, needle) or "-\n" in text or text.isalnum()


@pytest.mark.parametrize("needle, text, kind, expected", cases(__file__, "found"))
def test_found(needle, text, kind, expected):
    kinds = {"name": kind == "name", "parts": kind == "parts"}
    assert found(needle, text, **kinds) == expected


def test_disguises():
    for text in cases(__file__, "disguises"):
        assert found("Robert", text, name=True) == [text.rstrip("*~")]
        assert found("Robert", f"a {text} b", name=True) == [text.rstrip("*~")]
        assert len(found("Robert Murray", f"{text} Murray", parts=True)) == 2
        assert found("Robin", text, name=True) == []


@given(
    st.lists(st.sampled_from(["", "", "\u200b", "\0", "*", "</i>", "_"]), min_size=5)
)
def test_whatever_divides_a_name(signs):
    text = "R" + "".join(sign + ch for sign, ch in zip(signs, "obert"))
    assert found("Robert", f"Mr {text}.", name=True) == [text]


def test_owners_and_what_is_far_apart():
    sweep = occurrences.Sweep()
    sweep.add("Murray", 7, name=True)
    (hit,) = sweep.find("Murrays")
    assert hit.plural == 1 and hit.owner == 7 and not hit.part
    assert occurrences.Sweep().find("") == []
    assert found("John Smith", "John " + "-" * occurrences.MAX_GAP + " Smith") == []
    assert found("US", "us", stop_words=()) == ["us"]


def test_name_parts():
    for name, parts in cases(__file__, "name parts"):
        assert name_words.name_parts(name) == parts
    assert is_vocabulary("brown") and not is_vocabulary("smith")


def test_add_tells_what_is_new():
    sweep = occurrences.Sweep()
    assert sweep.add("John Smith")
    assert not sweep.add("John-Smith")
    assert sweep.add_parts(name_words.name_parts("John Smith"))
    assert not sweep.add_parts(name_words.name_parts("John Smith"))
    assert not sweep.add("--")
    assert sweep.found_in("john smith") and not sweep.found_in("Jon")


def test_case_and_compatibility_forms_of_all_characters():
    for code in range(0x110000):
        ch = chr(code)
        if not ch.isalnum():
            continue
        forms = [ch.lower(), ch.upper(), ch.title(), ch.casefold()]
        forms += [unicodedata.normalize(f, ch) for f in ("NFC", "NFD", "NFKC", "NFKD")]
        # Most characters have no other form.
        for form in {*forms} - {ch}:
            assert compact(form) == compact(ch), hex(code)


@given(st.text(), st.sampled_from([str.lower, str.upper, str.title, str.casefold]))
def test_compact_is_blind_to_case(text, change):
    assert compact(change(text)) == compact(text)


@given(st.text())
def test_runs_cover_all_letters_and_digits(text):
    runs = Runs(text)
    inside = {i for start, end in spans(runs) for i in range(start, end)}
    assert inside >= {i for i, ch in enumerate(text) if compact(ch)}
    assert runs.heads[-1] == len(runs.compact)
    assert len(spans(runs)) == len(runs.words) == len(runs.heads) - 1
    assert runs.ends == sorted(runs.ends)


@example("", "0::::¼", "")
@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_a_string_is_found_between_separators(before, needle, after):
    text = f"{before} {needle} {after}"
    if compact(needle) and not (len(compact(needle)) == 1 and needle.islower()):
        # Marks may join what stands before, so only the place is compared.
        hits = occurrences.Sweep()
        hits.add(needle)
        starts = [hit.start for hit in hits.find(text)]
        at = len(before) + 1 + spans(Runs(needle))[0][0]
        assert at in starts


# Letters with marks, of several characters, of other scripts; quotes, raised figures.
MIXED = st.text(alphabet="aZé’“ßİſ½²№œ\u0301\u00ad\u200bЖñ1 9-\n.Ⅳªɟ١")


@example("“Œuvre”\u00a0n° 5 – naïve ½ ²\u0301")
@example("İzmir’de “Çağış” – §5 • Şıñ… éüöäáóí " * 9)
@given(st.one_of(MIXED, st.text()))
def test_words_are_those_of_the_runs(text):
    # Each character by itself, as it is read whatever stands around it.
    letters = [Runs(ch).compact for ch in unicodedata.normalize("NFC", text)]
    assert "".join(letters) == compact(unicodedata.normalize("NFC", text))
    runs = Runs(text)
    assert read_words(text) == runs.words
    assert compact(text) == runs.compact == "".join(runs.words)


@given(
    st.lists(MIXED.filter(compact), min_size=1, max_size=4),
    st.lists(st.tuples(st.booleans(), st.one_of(MIXED, st.just(""))), min_size=1),
)
def test_what_is_masked_is_left_out(needles, pieces):
    """Left out are the hits within masked tokens, and only these."""
    words = [word for _, word in pieces] + needles
    doc = Doc(Vocab(), words=[*filter(None, words)])
    masked = [flag for flag, word in pieces if word]
    covered = bytearray([*masked, *[0] * (len(doc) - len(masked))])
    sweep = occurrences.Sweep()
    for i, needle in enumerate(needles):
        sweep.add(needle, i, name=i % 2 == 0)
    tokens = Tokens(doc)
    hits = sweep.find(doc.text, disguises=PLAIN)
    places = [(*tokens.at(hit.start, hit.end), hit) for hit in hits]
    left = [row for row in places if not all(covered[row[0] : row[1]])]
    assert [*tokens.unmasked(hits, covered)] == left


@given(
    st.lists(MIXED.filter(compact), min_size=1, max_size=4),
    st.lists(st.one_of(MIXED, st.text()), max_size=4),
)
@example(["a"], ["\x1fAA\x1b" + "0" * 58 + "\x08"])
@example(["İ"], ["i\x1f"])
def test_a_text_without_occurrences_is_told_from_others(needles, pieces):
    sweep = occurrences.Sweep()
    for i, needle in enumerate(needles):
        sweep.add(needle, i, name=i % 2 == 0)
    for text in ("".join(pieces), " ".join([*pieces, *needles]), "\n".join(pieces)):
        hits = sweep.find(text, Runs(text))
        assert sweep.find(text) == hits
        assert sweep.found_in(text) == bool(hits)


@pytest.mark.parametrize(
    "needle, text",
    [
        ("0 " * 20_000, "0 " * 100_000 + "1"), ("0 " * 20_000 + "2", "0 " * 100_000 + "1"),
        ("a", "a " * 100_000), ("John Smith", "John" + " " * 500_000),
    ],
)  # fmt: skip
@pytest.mark.linear
def test_linear(needle, text):
    sweep = occurrences.Sweep()
    sweep.add(needle)
    start = time.process_time()
    assert all(hit[1] <= len(text) for hit in sweep.find(text))
    # Half a second; twenty at least where work is quadratic.
    assert time.process_time() - start < 8


@pytest.mark.linear
def test_many_strings_in_a_long_text():
    text = " ".join(f"word{i % 7919} line" for i in range(100_000))
    sweep = occurrences.Sweep()
    for i in range(5_000):
        sweep.add(f"Name{i} line{i}", i)
    sweep.add("word12 line", -1)
    hits = sweep.find(text)
    assert len(hits) == 13


@given(st.from_regex("[A-Z][a-z]{2,8}", fullmatch=True))
def test_plurals_of_all_names(name):
    plural = name + name_forms.plural_ending(name)
    for text in (plural, plural.upper()):
        assert found(name, f"the {text}!", name=True) == [text]
    assert found(name, plural) == []
    if not name.endswith(name_forms.SIBILANTS):
        assert found(name, name + "es", name=True) == []


@given(st.text(alphabet="aeoußäöüøåæÄÖÜØÅbknr -", max_size=20))
def test_written_out(text):
    new = name_words.written_out(text)
    assert not name_words.has_umlauts(new)
    assert name_words.written_out(new) == new
    assert compact(name_words.written_out(text.upper())) == compact(new)
    if not name_words.has_umlauts(text):
        assert new == text


@given(st.from_regex("[BDKLMR][äöübdklmnr]{2,7}", fullmatch=True))
def test_umlauts_and_digraphs(name):
    spelt = name_words.written_out(name)
    assume(1 <= sum(map(name_words.has_umlauts, name)) <= 3)
    options = name_words.with_umlauts(spelt)
    assert compact(name) in map(compact, options)
    assert all(compact(name_words.written_out(o)) == compact(spelt) for o in options)
    sweep = occurrences.Sweep()
    for option in options:
        sweep.add(option, written=compact(spelt))
    text = f"{name}, {name.upper()}"
    hits = sorted(set(sweep.find(text)))
    assert [text[hit.start : hit.end] for hit in hits] == [name, name.upper()]


def test_no_umlaut_where_the_text_has_none():
    sweep = occurrences.Sweep()
    for option in name_words.with_umlauts("Samuel"):
        sweep.add(option, written="samuel")
    assert not sweep.find("Samul samul") and sweep.find("Samül")
    assert (
        name_words.with_umlauts("Ann") == []
        and name_words.with_umlauts("aeoeueaa") == []
    )


def test_which_words_a_string_may_be():
    text = "Morel morel MOREL"
    for only, expected in (
        (occurrences.ANY, text), (occurrences.CAPITALISED, "Morel MOREL"), (occurrences.NOT_TITLE, "morel MOREL"),
    ):  # fmt: skip
        sweep = occurrences.Sweep()
        sweep.add("Morel", only=only)
        assert [text[h.start : h.end] for h in sweep.find(text)] == expected.split()


def test_joined_names():
    for name, users in cases(__file__, "user names"):
        assert {*users} <= {*name_words.joined_names(name_tokens(name))}
    for name in ("Whitfield", "Mr Whitfield", "", "Nora"):
        assert name_words.joined_names(name_tokens(name)) == []
    assert "devries" in name_words.joined_surnames(name_tokens("Anna de Vries"))
    assert name_words.joined_surnames(name_tokens("")) == []
    # Too short to be no accident.
    assert not {"tlee", "tomlee"} & {*name_words.joined_names(name_tokens("Tom Lee"))}
