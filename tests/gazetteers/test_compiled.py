import json
import pickle
from unittest.mock import Mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spacy_deid import gazetteers
from spacy_deid.gazetteers import Compiler, Entry, Gazetteer, GazetteerError, Words
from spacy_deid.gazetteers.compiled import MAX_WORDS
from spacy_deid.gazetteers.entries import read_entries
from spacy_deid.text.words import pluralize

from ..cases import cases

FORMS = st.sampled_from(
    ["nurse", "Nurse", "NURSE", "vice-president", "Vice President", "St. Lucia", "O'Neil",
     "McDonald's", "iPhone user", "Straße", "ÉCOLE", "北京", "a", "1st", "Ph.D."]
)  # fmt: skip
WORD = st.sampled_from(
    "nurse nurses member members of parliament the church churches city cities of state "
    "man men wife wives boss May a x".split()
)
GAP = st.sampled_from([" ", " ", " ", ", ", "-", "\n", ". ", "\n\n", "  "])
TERM = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
LISTS = st.lists(TERM, min_size=1, max_size=12)
TERMS = cases(__file__, "known")
TEXT = st.lists(st.builds(str.__add__, WORD, GAP), max_size=25).map("".join)


def make(*terms, languages=("en",), **kwargs):
    compiler = Compiler(languages=languages, **kwargs)
    for term in terms:
        compiler.add(Entry(term, "DEM", "", "P106") if isinstance(term, str) else term)
    return Gazetteer(compiler.to_bytes())


def texts(gazetteer, text):
    words = Words(text)
    spans = [(m.start, m.end) for m in gazetteer.matches(words)]
    whole = words.undivided()
    if whole is not None:
        spans += [(m.start, m.end) for m in gazetteer.matches(whole)]
    return [text[start:end] for start, end in sorted(set(spans))]


@pytest.mark.parametrize("text,expected", cases(__file__, "terms"))
def test_variants(text, expected):
    assert texts(make(*TERMS), text) == expected


@pytest.mark.parametrize("language,term,text", cases(__file__, "plurals"))
def test_plurals_of_other_languages(language, term, text):
    assert len(texts(make(term, languages=[language]), text)) == 1
    assert not texts(make(term, languages=["nb"]), text)


def test_longest_first():
    gazetteer = make("a b", "b c d", "a", "c", "x y z", "x y z u v", "z")
    assert texts(gazetteer, "a b c d") == ["a b", "c"]
    assert texts(gazetteer, "b c d") == ["b c d"]
    assert texts(gazetteer, "x y z u w") == ["x y z"]
    assert texts(gazetteer, "x y, z") == ["z"]


def test_entries():
    title, job = Entry("Mayor", "DEM", "Q1", "P39", 5), Entry("mayor", "DEM", "Q30185")
    job = job._replace(property="P106", people=7)
    vice = Entry("vice-mayor", "MISC", "CUSTOM")
    gazetteer = make(title, job, job._replace(people=3), vice, humans=1000)
    assert len(gazetteer) == 2 and gazetteer.get("MAYOR") == [job, title]
    assert gazetteer.get("Vice Mayor") == [vice] and gazetteer.get("nobody") == []
    assert sorted(e.people for e in gazetteer) == [0, 5, 7]
    assert gazetteer.counts("label") == {"DEM": 2, "MISC": 1}
    assert gazetteer.counts("property") == {"": 1, "P106": 1, "P39": 1}
    said = gazetteer.describe(gazetteer.get("mayor")[0])
    assert said == "listed as occupation (P106, Q30185); 7 people on record"


def test_plurals():
    lawyer = Entry("tax lawyer", "DEM", "Q1", "P106", 5)
    gazetteer = make(lawyer, Entry("news", "MISC", "Q2", "P101"))
    assert [e.id for e in gazetteer.get_plural("Tax Lawyers")] == ["Q1"]
    for no_plural in ("tax lawyer", "new", "lawyers", "tax", ""):
        assert gazetteer.get_plural(no_plural) == []
    # Inner ones are no terms of their own; proper names have none.
    head = Entry("head of state", "DEM", "Q48352", "P39", 12)
    gazetteer = make(head)
    assert len(gazetteer) == 1 and len(list(gazetteer)) == 1
    (match,) = gazetteer.matches(Words("two heads of state"))
    assert match.entry == head
    (found,) = gazetteer.find(Words("two heads of state"))
    assert found.plural
    gazetteer = make(Entry("The Rolling Stone", "MISC"), Entry("stone", "MISC"))
    assert texts(gazetteer, "the rolling stones") == ["stones"]


@given(st.lists(FORMS, min_size=1, max_size=8, unique=True))
def test_written_forms_come_back(terms):
    entries = [Entry(t, "MISC", f"Q{i + 1}", "P1", i) for i, t in enumerate(terms)]
    assert sorted(make(*entries)) == sorted(entries)


@settings(max_examples=120, deadline=None)
@given(LISTS, TEXT)
@example(["member of parliament"], "members of parliament")
def test_same_as_a_plain_search(terms, text):
    """The filters and the trie lose nothing and make nothing up."""
    gazetteer = make(*terms)
    words = Words(text)
    found = {(f.i, f.n) for f in gazetteer.find(words) if not f.plural}
    keys = {gazetteers.normalize_term(term) for term in terms}
    size = len(words.keys)
    places = {}
    for i in range(size):
        for n in range(1, min(MAX_WORDS, size - i) + 1):
            places[i, n] = " ".join(words.keys[i : i + n])
    assert found == {place for place, key in places.items() if key in keys}
    plurals = {plural for key in keys for plural in pluralize(key)} - keys
    with_plurals = {(f.i, f.n) for f in gazetteer.find(words)}
    assert with_plurals >= {place for place, key in places.items() if key in plurals}


@settings(max_examples=100, deadline=None)
@given(LISTS, TEXT)
def test_same_as_the_term_store(terms, text):
    """Both stores agree on what a term is, plurals aside."""
    store = gazetteers.TermStore(gazetteers.Term(term, "MISC") for term in terms)
    gazetteer = make(*(Entry(term, "MISC") for term in terms), languages=())
    expected = [text[m.start : m.end] for m in store.find(text)]
    assert [text[m.start : m.end] for m in gazetteer.matches(Words(text))] == expected


@given(st.text(max_size=300))
def test_any_text(text):
    gazetteer = make("nurse", "member of parliament", "北京", "é")
    last = 0
    for match in gazetteer.matches(Words(text)):
        assert last <= match.start < match.end <= len(text)
        last = match.end


def test_any_order_gives_the_same_file():
    forms = [Entry(t, "DEM", "Q1", "P106", 3) for t in ("Nurse", "nurse", "NURSE")]
    entries = [Entry(f"term {i % 50}", "DEM", f"Q{i + 1}", "P1", i) for i in range(200)]
    entries += forms
    files = set()
    for order in (entries, entries[::-1], entries[-2:] + entries[:-2]):
        compiler = Compiler()
        for entry in order:
            compiler.add(entry)
        files.add(compiler.to_bytes())
    assert len(files) == 1
    # The forms of a term are one.
    assert Gazetteer(files.pop()).get("nurse") == [forms[1]]


def test_many_terms(tmp_path):
    n = range(30_000)
    rows = ((f"name{i} of place{i % 977}", "MISC", f"Q{i + 1}", "P1", i) for i in n)
    (tmp_path / "x.gaz").write_bytes(make(*(Entry(*row) for row in rows)).to_bytes())
    gazetteer = Gazetteer.load(tmp_path / "x.gaz")
    gazetteer.check()
    for i in (0, 1, 29_999, 12_345):
        text = f"the name{i} of place{i % 977} and name{i} of place{i % 977 + 1000}"
        (match,) = gazetteer.matches(Words(text))
        assert match.entry.id == f"Q{i + 1}" and match.start == 4


def test_pickle_and_bytes():
    gazetteer = make("nurse", "vice president")
    assert list(pickle.loads(pickle.dumps(gazetteer))) == list(gazetteer)
    copy = Gazetteer(gazetteer.to_bytes())
    assert list(copy) == list(gazetteer) and texts(copy, "a nurse") == ["nurse"]


def test_damaged_files(tmp_path):
    path = tmp_path / "x.gaz"
    entries = (Entry(f"term {i}", "DEM", f"Q{i + 1}") for i in range(500))
    data = make(*entries).to_bytes()
    # Cut anywhere.
    for size in (0, 5, 30, 200, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(GazetteerError, match=r"x\.gaz: not a compiled gazetteer"):
            Gazetteer.load(path)
    for wrong in (b"hello" * 100, data[:40] + b"\0" * (len(data) - 40), data + b"x"):
        path.write_bytes(wrong)
        with pytest.raises(GazetteerError, match="compile"):
            Gazetteer.load(path)
    # A flipped byte that loading can't see.
    path.write_bytes(data[:-100] + bytes([data[-100] ^ 1]) + data[-99:])
    gazetteer = Gazetteer.load(path)
    with pytest.raises(GazetteerError, match="damaged"):
        gazetteer.check()
    path.write_bytes(data.replace(b'"version": 1', b'"version": 9'))
    with pytest.raises(GazetteerError, match="version 9"):
        Gazetteer.load(path)


def test_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "x.gaz"
    compiler = Compiler()
    compiler.add(Entry("nurse", "DEM"))
    compiler.write(path)
    old = path.read_bytes()
    compiler.add(Entry("pilot", "DEM"))
    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        compiler.write(path)
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["x.gaz"]


def test_wrong_entries():
    compiler = Compiler()
    with pytest.raises(GazetteerError, match="label 'THING' must be one of PERSON"):
        compiler.add(Entry("x", "THING"))
    for people in (-1, 1.5, "many"):
        with pytest.raises(GazetteerError, match="count must be"):
            compiler.add(Entry("x", "DEM", people=people))
    # What cannot be matched is skipped.
    assert not compiler.add(Entry("--", "MISC"))
    assert not compiler.add(Entry("word " * 40, "MISC")) and compiler.skipped == 2
    with pytest.raises(GazetteerError, match="no terms"):
        compiler.to_bytes()


def test_read_entries(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = [{"term": "nurse", "label": "DEM", "id": "Q1", "property": "P106", "count": 3},
            {"term": "x", "lang": "en"}]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf8")
    entries = Entry("nurse", "DEM", "Q1", "P106", 3), Entry("x", "MISC")
    assert list(read_entries(path)) == [*enumerate(entries, 1)]
    for name, lines, more in cases(__file__, "files of terms"):
        (tmp_path / name).write_text(lines, encoding="utf8")
        (_, nurse), (line, pine) = read_entries(tmp_path / name)
        assert (line, pine) == (3, Entry("Scots pine", "MISC"))
        assert nurse == Entry("nurse", *more)


def test_broken_lines_are_named(tmp_path):
    first = {"t.jsonl": '{"term": "a"}', "t.tsv": "a"}
    for name, line in cases(__file__, "broken lines"):
        path = tmp_path / name
        path.write_text(f"{first[name]}\n{line}\n", encoding="latin-1")
        with pytest.raises(GazetteerError, match=rf"{name}, line 2"):
            list(read_entries(path))
    path.write_bytes(b"a\xff")
    with pytest.raises(GazetteerError, match="not UTF-8"):
        list(read_entries(path))


@pytest.mark.parametrize("term", cases(__file__, "signs inside"))
def test_terms_with_signs_inside(term):
    for text in (term, term.upper(), f"the {term}, too", term.replace(" ", "\n")):
        assert len(texts(make(term), text)) == 1
    assert not texts(make("vice president"), "vice, president (vice) president")
