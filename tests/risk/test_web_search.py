import json
import multiprocessing
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_deid.models.span_risk import SpanContext
from spacy_deid.registries import registry
from spacy_deid.risk.gold import gold_views
from spacy_deid.risk.search.base import SearchError, SearchResult, clean_phrase
from spacy_deid.risk.search.engines import SearxNG
from spacy_deid.risk.search.local_index import IndexWriter, LocalIndex
from spacy_deid.risk.search.web import CONSENT
from spacy_deid.risk.web_search import WebSearch, best_bounds, person_phrase
from spacy_deid.schema import DIRECT, MASK_KEY, NO_MASK, PII_KEY, QUASI, Candidate

from ..cases import cases
from ..models.learning import copies

BACKGROUND = cases(__file__, "background")
(TEXT,) = cases(__file__, "text")
SPANS = cases(__file__, "spans")
NLP = spacy.blank("en")
FEW = st.integers(0, 4)
GOLD = cases(__file__, "gold")
LEFT = "Zenobia Quist of Skerry left York."
LETTERS = st.text(st.sampled_from("ab éß中 \n'\"-"), max_size=12)


def build(path, documents=BACKGROUND):
    writer = IndexWriter(path)
    for url, title, text in documents:
        writer.add(url, title, text)
    writer.finish()
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return build(tmp_path_factory.mktemp("index") / "background.sqlite")


@pytest.fixture
def index(path):
    return LocalIndex(path)


def make_context(target=None, text=TEXT, spans=SPANS):
    doc = Doc(NLP.vocab, words=text.split())
    doc._.deid_target = target
    return SpanContext(doc, [Candidate(*s[:3]) for s in spans], [s[3] for s in spans])


def masked(votes):
    return {s[3] for s, v in zip(SPANS, votes) if v.decision == QUASI}


class Backend:
    def __init__(self, results=None, failing=()):
        self.results = results or {}
        self.failing = set(failing)
        self.asked = []

    def search(self, phrase, top):
        self.asked.append((phrase, top))
        if phrase in self.failing:
            raise SearchError("search.example: no answer after 5 tries: HTTP 500")
        urls = tuple(self.results.get(phrase, ()))
        return SearchResult(urls[:top], len(urls))


def test_votes_where_pages_are_shared_with_the_person(path):
    votes = WebSearch(index_path=str(path))(make_context("Quist, Zenobia"))
    expected = [1, 1, 1, 1, 0, 1, 0]
    assert [v.probability for v in votes] == expected
    assert [v.decision == QUASI for v in votes] == expected and votes[0] is votes[5]
    ann, york, amount = votes[3], votes[4], votes[6]
    assert ann.reason == "web search: shares 1 of 2 documents with the person"
    assert ann.details == ("https://news.example.net/zq",)
    assert york.reason == "web search: shares none of 1 document with the person"
    assert amount.reason == "web search: found in no document"
    assert york.details == amount.details == ()
    # Reasons name no host.
    urls = {url for v in votes for url in v.details}
    assert "https://zenobiaquist.example/me" in urls
    assert not any("example" in v.reason or "/" in v.reason for v in votes)


def test_each_entity_is_asked_once_by_its_longest_mention():
    backend = Backend()
    WebSearch(backend, method="hits", min_hits=1)(make_context())
    asked = "Zenobia Quist|woodturner|Skerry|Ann Lee|York|3,000".split("|")
    assert backend.asked == [(phrase, 0) for phrase in asked]
    # Equal phrases and the person are asked once, too.
    backend = Backend({"Zenobia Quist": ["https://a.example"]})
    spans = [(1, 3, "PERSON", 0), (13, 14, "LOC", 1), (13, 14, "ORG", 2)]
    WebSearch(backend, top=7)(make_context("ZENOBIA QUIST", spans=spans))
    assert [p.lower() for p, _ in backend.asked] == ["zenobia quist"]
    backend.results["ZENOBIA QUIST"] = ["https://a.example"]
    WebSearch(backend, top=7)(make_context("ZENOBIA QUIST", spans=spans))
    assert backend.asked[1:] == [("ZENOBIA QUIST", 7), ("York", 7)]
    # Nothing where no page is on the person.
    backend = Backend()
    votes = WebSearch(backend)(make_context("Zenobia Quist"))
    assert [phrase for phrase, _ in backend.asked] == ["Zenobia Quist"]
    assert {v.decision for v in votes} == {NO_MASK}
    assert votes[0].reason == "web search: no page on the person was found"
    assert not votes[0].abstains
    # Without a person there is no vote.
    backend = Backend()
    (vote,) = WebSearch(backend)(make_context(spans=[(7, 8, "LOC", 0)]))
    assert vote.abstains and vote.decision == NO_MASK
    assert "names no person" in vote.reason and backend.asked == []


def test_phrases_and_what_is_not_asked():
    for target, name in cases(__file__, "targets"):
        assert person_phrase(make_context(target)) == name
    for text, phrase in cases(__file__, "phrases"):
        assert clean_phrase(text) == phrase
    # Secrets, and what has no letter.
    backend = Backend()
    spans = [Candidate(3, 4, "CODE", "PASSWORD"), Candidate(5, 6, "MISC")]
    context = make_context("A B", "my code : hunter2 & *** x", [])
    context = context._replace(spans=spans, entity_ids=[0, 1])
    assert WebSearch(backend)(context) == [None, None] and backend.asked == []
    WebSearch(backend, method="hits", min_hits=1, skip=[])(context)
    assert [phrase for phrase, _ in backend.asked] == ["hunter2"]


def test_hits_within_bounds_and_settings_that_are_refused(index):
    for low, high, entities, reason in cases(__file__, "bounds"):
        bounds = {"min_hits": low, "max_hits": high}
        votes = WebSearch(index, method="hits", **bounds)(make_context())
        assert votes[0].reason == f"web search: found in 3 documents, {reason}"
        assert masked(votes) == {*entities}
        assert all(v.details == () and not v.abstains for v in votes)
    with pytest.raises(ValueError, match="min_hits"):
        WebSearch(index, method="hits")(make_context())
    for config in cases(__file__, "refused settings"):
        with pytest.raises(ValueError, match="web_search"):
            WebSearch(**{"backend": Backend(), **config})


def f1(rows, low, high):
    inside = [x for x in rows if x[0] is not None and low <= x[0] <= high]
    hit, wrong = sum(x[1] for x in inside), sum(x[2] for x in inside)
    return 2 * hit / (hit + wrong + sum(x[1] for x in rows)) if hit else 0.0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.none() | st.integers(0, 12), FEW, FEW), max_size=12))
def test_best_bounds_are_the_best(rows):
    values = [h for h, _, _ in rows if h is not None]
    best = max((f1(rows, a, b) for a in values for b in values), default=0.0)
    if best == 0.0:
        with pytest.raises(ValueError, match="no bounds to fit"):
            best_bounds(rows)
        return
    low, high = best_bounds(rows)
    high = float("inf") if high is None else high
    assert f1(rows, low, high) == pytest.approx(best)


def gold(words, rows, annotators=()):
    """Words, and (start, end, type, decision, entity) of the spans."""
    doc = Doc(NLP.vocab, words=words.split())
    labels = {PII_KEY: [row[2] for row in rows], MASK_KEY: [row[3] for row in rows]}
    labels |= {f"{MASK_KEY}:{name}": said for name, said in annotators}
    for key, said in labels.items():
        pairs = zip(rows, said)
        doc.spans[key] = [Span(doc, *row[:2], x, span_id=row[4]) for row, x in pairs]
    return doc


def fit(docs, index):
    web_search = WebSearch(index, method="hits")
    views = (view for doc in docs for view in gold_views(Example(doc.copy(), doc)))
    web_search.initialize(lambda: views, nlp=None)
    return web_search.min_hits, web_search.max_hits


def test_fits_bounds_on_gold_tokens(index):
    # Hits: Quist 3, woodturner 2, Skerry 2, York 1, 3,000 0.
    doc = gold(TEXT, GOLD)
    assert fit([doc], index) == (2, None)
    # To the second annotator the person's three tokens are nothing to mask.
    doc = gold(TEXT, GOLD, [("B", [NO_MASK, QUASI, QUASI, NO_MASK, NO_MASK, NO_MASK])])
    assert fit([doc], index) == (2, None)
    # Without anything to mask there is nothing to fit.
    for docs in ([], [gold(TEXT, [(*row[:3], NO_MASK, row[4]) for row in GOLD])]):
        with pytest.raises(ValueError, match="no bounds to fit"):
            fit(docs, index)
    rows = [(2, 0, 5), (10, 3, 0), (40, 2, 0), (100, 0, 9)]
    assert best_bounds(rows) == (3, 99) and best_bounds(rows[1:3]) == (0, None)
    # Bounds that are equally good: those that mask more.
    assert best_bounds([(1, 0, 0), (5, 4, 0), (9, 0, 0)]) == (0, None)


def test_failed_searches_and_missing_indexes_raise(tmp_path):
    backend = Backend({"Zenobia Quist": ["https://a.example"]}, {"Skerry"})
    with pytest.raises(SearchError, match="HTTP 500") as error:
        WebSearch(backend)(make_context())
    assert "Skerry" not in str(error.value)
    # What is no failed search is never swallowed.
    web_search = WebSearch(index_path=str(tmp_path / "none.sqlite"), on_error="abstain")
    with pytest.raises(ValueError, match="there is no such index"):
        web_search(make_context())


@pytest.mark.parametrize("config", [{}, {"method": "hits", "min_hits": 1}])
def test_a_failed_search_abstains_where_it_may(config):
    pages = ["https://a.example"]
    backend = Backend({"Zenobia Quist": pages, "woodturner": pages}, {"Skerry"})
    web_search = WebSearch(backend, on_error="abstain", **config)
    votes = web_search(make_context())
    assert {v.decision for v in votes[:2]} == {QUASI} and votes[5] == votes[0]
    for vote in (votes[2], votes[3], votes[4], votes[6]):
        assert vote.abstains and vote.decision == NO_MASK
        assert vote.reason.startswith("web search: no vote, the search failed (search.")
        assert "HTTP 500" in vote.reason
    # A service that is down is not asked for the rest of the document.
    assert backend.asked[-1][0] == "Skerry"
    # The next document starts anew.
    backend.failing.clear()
    assert not any(v.abstains for v in web_search(make_context()))


def test_both_methods_over_http(make_server, tmp_path, monkeypatch):
    monkeypatch.setenv("SPACY_DEID_KEY", "secret")
    shared = "https://en.example.org/wiki/x"
    pages = {"zenobia quist": [shared, "https://b.example"], "skerry": [shared]}
    hits = {"zenobia quist": 250, "skerry": 9_000, "york": 4_000_000}
    server = make_server(pages, hits)
    config = {"@deid_search": "spacy_deid.searxng.v1", "url": server.url}
    config |= {"consent": CONSENT.format(server.host), "interval": 0.0}
    config["cache_path"] = str(tmp_path / "cache")
    backend = registry.resolve({"backend": config})["backend"]
    assert type(backend) is SearxNG
    votes = WebSearch(backend)(make_context())
    assert masked(votes) == {0, 2}
    assert votes[2].reason == "web search: shares 1 of 1 page with the person"
    assert votes[2].details == (shared,)
    asked = len(server.requests)
    bounds = {"min_hits": 100, "max_hits": 10_000}
    votes = WebSearch(backend, method="hits", **bounds)(make_context())
    assert masked(votes) == {0, 2}
    assert votes[4].reason == "web search: found in 4,000,000 pages, more than 10,000"
    # All of it was in the cache.
    assert len(server.requests) == asked


def make_nlp(path, **config):
    nlp = spacy.blank("en")
    nlp.add_pipe("span_ruler", name="find", config={"spans_key": PII_KEY})
    backend = {"@deid_search": "spacy_deid.local_index.v1", "path": str(path)}
    indicator = {"@deid_indicators": "spacy_deid.web_search.v1", "backend": backend}
    indicators = {"web_search": {**indicator, **config}}
    nlp.add_pipe("risk_scorer", config={"indicators": indicators, "threshold": 1.0})
    rows = [(0, 2, "PERSON", DIRECT, "a"), (3, 4, "LOC", QUASI, "b")]
    rows.append((5, 6, "LOC", NO_MASK, "c"))
    doc = Doc(nlp.vocab).from_bytes(gold(f"{LEFT[:-1]} .", rows).to_bytes())
    nlp.initialize(lambda: [Example(Doc(nlp.vocab, words=LEFT.split()), doc)])
    # The ruler forgets what it knows when it is initialized.
    known = [("PERSON", "Zenobia Quist"), ("LOC", "Skerry"), ("LOC", "York")]
    patterns = [{"label": label, "pattern": text} for label, text in known]
    nlp.get_pipe("find").add_patterns(patterns)
    return nlp


def flags(doc):
    return [votes["web_search"] for votes in doc.spans[MASK_KEY].attrs["votes"]]


def test_initialize_fits_bounds_which_are_saved(path, tmp_path):
    nlp = make_nlp(path, method="hits")
    for made in (nlp, *copies(nlp, tmp_path)):
        own = made.get_pipe("risk_scorer").indicators["web_search"]
        assert (own.min_hits, own.max_hits) == (2, None)
        assert flags(made(LEFT)) == [True, True, False]
    # Nothing of the background documents travels with it.
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"woodturner" not in file.read_bytes()
    got = [flags(doc) for doc in nlp.pipe([LEFT] * 4, n_process=2, batch_size=1)]
    assert got == [[True, True, False]] * 4


def test_addresses_reach_the_evidence_and_not_the_reasons(path):
    nlp = make_nlp(path)
    doc = nlp.make_doc(LEFT)
    doc._.deid_target = "Zenobia Quist"
    doc = nlp(doc)
    group = doc.spans[MASK_KEY]
    assert flags(doc) == [True, True, False]
    assert [s.label_ != NO_MASK for s in group][:2] == [True, True]
    assert "web search: shares 2 of 2 documents" in group.attrs["reasons"][1]
    assert "example.org/zq" not in json.dumps(group.attrs["reasons"])
    evidence = [found.get("web_search", []) for found in group.attrs["evidence"]]
    assert "https://en.example.org/zq" in evidence[1] and evidence[2] == []


def hits(index, phrase):
    return index.search(phrase, 20).hits


def test_what_the_local_index_finds_in_processes_and_threads(index, path):
    assert index.search("Zenobia Quist", 20).urls[0] == "https://en.example.org/zq"
    assert len(index.search("Zenobia Quist", 2).urls) == 2
    assert hits(index, "zenobia QUIST") == 3 and hits(index, "Quist Zenobia") == 0
    # Whole words, side by side, in one field.
    assert hits(index, "Zenob") == hits(index, "city Leeds") == 0
    assert hits(index, "3 May 1951") == 1
    # No syntax of queries, no text at all.
    for phrase in ('Leeds" OR "York', "Leeds NEAR York", "title:York", "*", "", '"'):
        assert hits(index, phrase) == 0
    assert hits(index, "\0") == 0
    # It has no texts.
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT title, text FROM words").fetchall()
    assert rows == [(None, None)] * len(BACKGROUND)
    assert b"the only woodturner of" not in path.read_bytes()
    expected = index.search("Leeds", 20)
    assert expected.hits == 3 and len(expected.urls) == 3
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: index.search("Leeds", 20), range(4))
    assert list(found) == [expected] * 4
    if "fork" in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = pool.starmap(index.search, [("Leeds", 20)] * 4)
        assert results == [expected] * 4
    assert index.search("Leeds", 20) == expected


def test_spellings_and_parts_of_a_page(tmp_path):
    documents = [(str(i), "", text) for i, text in cases(__file__, "scripts")]
    index = LocalIndex(build(tmp_path / "i.sqlite", documents))
    for phrase, url in cases(__file__, "spellings"):
        assert index.search(phrase, 5) == ((str(url),), 1), phrase
    assert hits(index, "明王") == 0
    # Parts of a page have one address.
    pages = [("https://a.example/p", "", f"Skerry {i}") for i in range(5)]
    pages += [("https://a.example/q", "", "Skerry 9"), pages[0]]
    path = tmp_path / "parts.sqlite"
    writer = IndexWriter(path)
    assert [writer.add(*page) for page in pages] == [True] * 6 + [False]
    writer.finish()
    result = LocalIndex(path).search("Skerry", 20)
    assert result.hits == 6
    assert sorted(result.urls) == ["https://a.example/p", "https://a.example/q"]


@settings(max_examples=30, deadline=None)
@given(st.lists(LETTERS, min_size=1, max_size=6), st.data())
def test_every_run_of_words_is_found(tmp_path_factory, texts, data):
    path = tmp_path_factory.mktemp("i") / "i.sqlite"
    index = LocalIndex(build(path, [(str(i), "", t) for i, t in enumerate(texts)]))
    words = data.draw(st.sampled_from(texts)).split()
    start = data.draw(st.integers(0, len(words)))
    phrase = " ".join(words[start : start + 2])
    if any(map(str.isalnum, phrase)):
        assert hits(index, phrase) >= 1
    index.close()


@pytest.mark.parametrize("content", [b"", b"no database" * 999, "a table", "an index"])
def test_files_that_are_no_index(content, path, tmp_path):
    damaged = tmp_path / "x.sqlite"
    if content == "a table":
        with closing(sqlite3.connect(damaged)) as db, db:
            db.execute("CREATE TABLE t (x)")
    elif content == "an index":
        data = path.read_bytes()
        damaged.write_bytes(data[:4096].ljust(len(data), b"\x55"))
    else:
        damaged.write_bytes(content)
    with pytest.raises(ValueError, match=r"spacy deid index|damaged") as error:
        LocalIndex(damaged).search("Leeds", 20)
    assert str(damaged) in str(error.value) and "Leeds" not in str(error.value)
