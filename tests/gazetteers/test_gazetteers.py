import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid import gazetteers
from spacy_deid.gazetteers import Term, TermStore, make_seed_terms, read_terms
from spacy_deid.gazetteers.readers import SEED, SEED_LISTS
from spacy_deid.registries import registry
from spacy_deid.schema import SEMANTIC_TYPES
from spacy_deid.text.words import pluralize

from ..cases import cases


def texts(store, text):
    return [text[m.start : m.end] for m in store.find(text)]


@pytest.fixture(scope="module")
def seed():
    return TermStore(make_seed_terms())


@pytest.mark.parametrize("terms,text,expected", cases(__file__, "spellings"))
def test_variants_and_spellings(terms, text, expected):
    store = TermStore(Term(term, "DEM", "OCCUPATION") for term in terms)
    assert texts(store, text) == expected


@pytest.mark.parametrize("term,match,text,expected", cases(__file__, "conditions"))
def test_conditions(term, match, text, expected):
    kind = ("DEM", "LANGUAGE") if term == "Iban" else ("LOC", "COUNTRY")
    assert texts(TermStore([Term(term, *kind, match=match)]), text) == expected


def test_roles_count_where_somebody_is_one(seed):
    for text, found in cases(__file__, "roles"):
        assert any("lawyer" in t for t in texts(seed, text)) is found, text


def test_pluralize():
    for key, *plural in cases(__file__, "plurals"):
        assert pluralize(key) == plural


def test_terms_come_before_plurals_and_first_before_later():
    rows = [("guard", "DEM", "OCCUPATION", "a"), ("guards", "ORG", "", "b"),
            ("Guard", "MISC", "", "c")]  # fmt: skip
    store = TermStore(Term(*row) for row in rows)
    assert [m.kind.source for m in store.find("guard guards")] == ["a", "b"]
    store.add([Term("guard", "MISC", "", "d")], override=True)
    assert [m.kind.source for m in store.find("guard guards")] == ["d", "b"]


def test_bytes_are_deterministic_and_complete(seed):
    terms = list(make_seed_terms())
    data = seed.to_bytes()
    assert TermStore(terms).to_bytes() == data
    again = TermStore([Term("other", "MISC")]).from_bytes(data)
    assert again.to_bytes() == data
    assert "other" not in again and "nurses" in again
    text = "A Polish nurse in the US, once a lawyer of the European Court"
    assert list(again.find(text)) == list(seed.find(text))
    assert TermStore(terms[:2][::-1]).to_bytes() == TermStore(terms[:2]).to_bytes()


def test_bad_terms_are_refused():
    for row in ("...", "MISC"), ("x", "NOPE"), ("x", "MISC", "", "", "odd"):
        with pytest.raises(ValueError, match="term 0"):
            TermStore([Term(*row)])


def test_lists_by_name():
    make = registry.deid_gazetteers.get("spacy_deid.seed_terms.v1")
    assert {t.source for t in make()} == set(SEED_LISTS)
    assert {t.id for t in make(lists=["religions"])} == {"RELIGION"}
    with pytest.raises(ValueError, match="nope"):
        make(lists=["nope"])
    names = gazetteers.load_names()
    assert gazetteers.load_names() is names
    assert (names.given["mary"], names.given["robert"]) == ("female", "male")
    assert {"smith", "garcía", "müller", "kowalski"} <= names.family
    assert set(names.given.values()) == {"male", "female", "any"}


def test_seed_lists_are_sound():
    seen = {}
    for term in make_seed_terms():
        assert term.label in SEMANTIC_TYPES and term.term == term.term.strip()
        key = gazetteers.normalize_term(term.term)
        assert seen.setdefault(key, term.source) == term.source
    readme = (SEED / "README.md").read_text("utf8")
    for name in SEED_LISTS:
        assert f"`{name}`" in readme


def test_seed_finds_its_terms_and_leaves_everyday_words(seed):
    for text, id_ in cases(__file__, "seed terms"):
        assert [match.kind.id for match in seed.find(text)] == [id_], text
    for text, found in cases(__file__, "everyday words"):
        assert texts(seed, text) == found


def test_term_files(tmp_path):
    jsonl, tsv, plain = (tmp_path / f"list.{s}" for s in ("jsonl", "tsv", "txt"))
    jsonl.write_text('{"term": "Foo", "label": "ORG", "id": "Q1"}\n"Bar"\n', "utf8")
    tsv.write_text("term\tlabel\tmatch\nFoo\tORG\texact\nBar\t\t\n", "utf8")
    plain.write_text("Foo\n\n Bar \n", "utf8")
    wanted = [Term("Foo", "ORG", "Q1", "list"), Term("Bar", "MISC", "", "list")]
    assert list(read_terms(jsonl)) == wanted
    first, second = read_terms(tsv, id="Q2")
    assert first == Term("Foo", "ORG", "Q2", "list", "exact")
    assert second == Term("Bar", "MISC", "Q2", "list")
    kind = ("LOC", "CITY", "x")
    made = registry.deid_gazetteers.get("spacy_deid.term_file.v1")(plain, *kind)
    assert made == (Term("Foo", *kind), Term("Bar", *kind))
    for line in ('{"label": "ORG"}', '{"term": "a", "colour": "b"}'):
        jsonl.write_text(line, "utf8")
        with pytest.raises(ValueError, match=r"list\.jsonl, term 1: needs 'term'"):
            list(read_terms(jsonl))


@given(st.text(max_size=60))
def test_any_text(seed, text):
    end = 0
    for match in seed.find(text):
        assert end <= match.start < match.end <= len(text)
        end = match.end


@given(st.lists(st.text("abC-' É", min_size=1, max_size=8), max_size=6))
def test_terms_are_found_in_their_own_spelling(terms):
    terms = [t for t in terms if gazetteers.normalize_term(t) and "  " not in t]
    store = TermStore(Term(t, "MISC") for t in terms)
    for term in terms:
        assert term in store


@pytest.mark.linear
def test_a_long_text(seed):
    line = "The applicant, a Polish nurse, was born in Warsaw and lives with her son. "
    assert sum(1 for _ in seed.find(line * 8000)) == 24_000
