import copy
import itertools
import logging
import multiprocessing
import pickle
import sqlite3
import stat
import threading
import time
import traceback
from contextlib import closing
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from spacy_deid.registries import registry
from spacy_deid.risk.search.base import SearchError, SearchResult, page_key
from spacy_deid.risk.search.cache import AnswerCache
from spacy_deid.risk.search.engines import GoogleSearch, SearxNG
from spacy_deid.risk.search.web import CONSENT

from ..cases import cases

PHRASE = "Zenobia Quist"
PAGES = [f"https://site{i}.example/zq" for i in range(35)]
SECRET, API_KEY = "s3cret-of-the-cache", "k3y-of-google"
QUICK = {"interval": 0.0, "first_wait": 0.01}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("SPACY_DEID_KEY", SECRET)
    monkeypatch.setenv("GOOGLE_KEY", API_KEY)


def searxng(server, **settings):
    consent = CONSENT.format(server.host)
    return SearxNG(url=server.url, consent=consent, **{**QUICK, **settings})


def google(server, **settings):
    consent = CONSENT.format(server.host)
    endpoint = f"{server.url}/customsearch/v1"
    given = {**QUICK, "consent": consent, "endpoint": endpoint, **settings}
    return GoogleSearch(engine_id="cx1", api_key_env="GOOGLE_KEY", **given)


both = pytest.mark.parametrize("make", [searxng, google])


@pytest.fixture
def server(make_server):
    return make_server({PHRASE.casefold(): PAGES})


def failure_of(backend, phrase=PHRASE):
    with pytest.raises(SearchError) as info:
        backend.search(phrase, 20)
    return info


def test_nothing_is_made_without_consent_or_with_wrong_settings():
    google = {"engine_id": "x", "api_key_env": "GOOGLE_KEY"}
    for name, config, host in (
        ("searxng", {"url": "https://search.example"}, "search.example"),
        ("google_search", google, "www.googleapis.com"),
    ):
        make = registry.get("deid_search", f"spacy_deid.{name}.v1")
        wrong = [None, "", "yes", "true", CONSENT, CONSENT.format("other.example")]
        for consent in wrong:
            with pytest.raises(ValueError) as error:
                make(consent=consent, **config)
            assert "\n" not in str(error.value)
            words = str(error.value).partition('consent = "')[2].rstrip('"')
            assert words == CONSENT.format(host)
        assert make(consent=words, **config).host == host
    url, consent = "https://search.example", CONSENT.format("search.example")
    for wrong, message in cases(__file__, "refused addresses"):
        with pytest.raises(ValueError, match=message) as error:
            SearxNG(**{"url": url, "consent": consent, **wrong})
        assert "pw" not in str(error.value).replace("passwords", "")
    settings = {"consent": consent, "allow_http": True}
    assert SearxNG(url="http://search.example", **settings).host == "search.example"


def test_api_keys_are_those_of_variables_that_are_set(server, monkeypatch):
    consent = CONSENT.format("www.googleapis.com")
    with pytest.raises(ValueError, match="api_key_env") as error:
        GoogleSearch(engine_id="cx", api_key_env="AIza-Sy", consent=consent)
    assert "AIza-Sy" not in str(error.value)
    monkeypatch.delenv("GOOGLE_KEY")
    with pytest.raises(ValueError, match="'GOOGLE_KEY'"):
        google(server).search(PHRASE, 20)
    assert server.requests == []


def test_google_gets_the_phrase_in_quotes_and_searxng_in_the_body(server):
    backend = searxng(server, engines="a,b", language="en")
    assert backend.search(PHRASE, 20) == (tuple(PAGES[:20]), 10)
    server.hits[PHRASE.casefold()] = 1234
    assert google(server).search(PHRASE, 20) == (tuple(PAGES[:20]), 1234)
    first, second, third, fourth = server.requests
    asked = {"q": f'"{PHRASE}"', "format": "json", "pageno": "1", "safesearch": "0"}
    assert first == ("POST", "/search", {**asked, "engines": "a,b", "language": "en"})
    asked = {"key": API_KEY, "cx": "cx1", "q": f'"{PHRASE}"', "num": "10"}
    assert third == ("GET", "/customsearch/v1", {**asked, "start": "1"})
    assert (second[2]["pageno"], fourth[2]["start"]) == ("2", "11")


@both
def test_only_as_many_requests_as_needed_and_recovers_from_faults(make, server):
    backend = make(server)
    for phrase, top, found, requests in cases(__file__, "requests"):
        assert len(backend.search(phrase, top).urls) == found
        assert len(server.requests) == requests
    for fault in (*cases(__file__, "spoilt answers"), {"body": "[" * 100_000}):
        if "body" in fault:
            fault["body"] = fault["body"].encode()
        server.script, server.requests = [fault, fault], []
        assert make(server).search(PHRASE, 10).urls == tuple(PAGES[:10]), fault
        assert len(server.requests) == 3


@both
def test_gives_up_after_all_tries_and_at_once_where_it_is_refused(make, server):
    server.script = [{"status": 500}] * 9
    info = failure_of(make(server, tries=3))
    assert str(info.value) == f"{server.host}: no answer after 3 tries: HTTP 500"
    assert len(server.requests) == 3
    for status in (400, 401, 403, 404, 501):
        server.script = [{"status": status, "body": PHRASE.encode()}]
        # What to do is said in brackets.
        assert f"HTTP {status} (" in str(failure_of(make(server)).value)
        assert server.script == []
    assert len(server.requests) == 8


def test_retry_after_is_honoured_as_seconds_and_as_date(server):
    server.script = [{"status": 429, "headers": {"Retry-After": "1"}}]
    searxng(server).search(PHRASE, 5)
    assert server.times[1] - server.times[0] >= 1.0
    later = datetime.now(timezone.utc) + timedelta(seconds=3)
    dates = {"Retry-After": format_datetime(later, usegmt=True)}
    server.script = [{"status": 503, "headers": dates}]
    searxng(server).search(PHRASE, 5)
    assert 1.0 <= server.times[3] - server.times[2] < 30
    # Not if it is asked to wait too long.
    server.script = [{"status": 429, "headers": {"Retry-After": "3600"}}]
    started = time.monotonic()
    info = failure_of(searxng(server))
    assert time.monotonic() - started < 30
    assert "HTTP 429; it asks to wait for 3,600 s" in str(info.value)
    assert "one try" in str(info.value)


@both
def test_redirects_are_not_followed(make, server, make_server):
    other = make_server({PHRASE.casefold(): PAGES})
    places = (f"{other.url}/search", "/new/?q=z", "http://[::1")
    for status, location in itertools.product((301, 302, 303, 307, 308), places):
        server.script = [{"status": status, "headers": {"Location": location}}]
        assert "it has moved" in str(failure_of(make(server)).value)
    assert other.requests == [] and len(server.requests) == 15


def test_slow_answers_fail_in_time_and_those_of_nobody_are_not_empty(server):
    for fault in ({"delay": 1.5}, {"drip": 0.1}):
        server.script = [fault] * 2
        started = time.monotonic()
        info = failure_of(searxng(server, timeout=0.4, tries=2))
        assert "no answer within 0.4 s" in str(info.value)
        assert time.monotonic() - started < 30
    # Engines that did not look.
    answer = b'{"results": [], "unresponsive_engines": [["google", "timeout"]]}'
    server.script = [{"body": answer}]
    assert len(searxng(server).search(PHRASE, 5).urls) == 5
    server.script = [{"body": answer}] * 2
    failure_of(searxng(server, tries=2))


@both
def test_no_query_and_no_key_in_errors_and_logs(make, server, caplog):
    moved = {"Location": "https://zenobia-quist.example/?q=Quist"}
    quoting = [{"status": n, "body": PHRASE.encode()} for n in (500, 400, 200)]
    for fault in (*quoting, {"delay": 1.0}, {"status": 302, "headers": moved}):
        server.script = [fault] * 5
        with caplog.at_level(logging.DEBUG):
            info = failure_of(make(server, timeout=0.4, tries=2))
        shown = "".join(traceback.format_exception(info.type, info.value, info.tb))
        assert info.value.__cause__ is None and info.value.__context__ is None
        for text in (str(info.value), shown, caplog.text, repr(make(server))):
            assert "quist" not in text.lower() and API_KEY not in text


def test_no_query_in_logs_of_good_searches_while_others_log(server, caplog):
    other, stop = logging.getLogger("urllib3.connectionpool"), threading.Event()

    def talk():
        while not stop.wait(0.0005):
            other.debug("something else")

    thread = threading.Thread(target=talk)
    with caplog.at_level(logging.DEBUG):
        thread.start()
        try:
            for i in range(20):
                google(server).search(f"{PHRASE} {i}", 20)
        finally:
            stop.set()
            thread.join()
        assert len(server.requests) == 20
    assert "something else" in caplog.text
    assert "Quist" not in caplog.text and API_KEY not in caplog.text


def test_rate_limit(server):
    backend = searxng(server, interval=0.2)
    started = time.monotonic()
    for i in range(4):
        backend.search(f"phrase {i}", 5)
    assert server.times[-1] - started >= 0.6
    # Answers that are known do not wait.
    assert all(backend.search("phrase 0", 5).urls == () for _ in range(5))
    assert len(server.requests) == 4


def test_processes_share_a_cache(server, tmp_path):
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork on this system")
    backend = searxng(server, cache_path=str(tmp_path / "cache"))
    expected = backend.search(PHRASE, 5)
    jobs = [(phrase, 5) for phrase in (PHRASE, "one", "two", "three", PHRASE)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.starmap(backend.search, jobs, chunksize=1)
    nothing = SearchResult((), 0)
    assert results == [expected, nothing, nothing, nothing, expected]
    assert len(server.requests) == 4


@both
def test_pickles_without_keys_and_answers(make, server, tmp_path):
    backend = make(server, cache_path=str(tmp_path / "cache"))
    expected = backend.search(PHRASE, 10)
    data = pickle.dumps(backend)
    for secret in (SECRET, API_KEY, "site1.example", "quist", "Quist"):
        assert secret.encode() not in data
    for other in (pickle.loads(data), copy.deepcopy(backend)):
        assert other.search(PHRASE, 10) == expected
    assert len(server.requests) == 1


def test_cache_is_private_and_unreadable(server, tmp_path):
    path = tmp_path / "cache"
    path.touch(0o644)
    expected = searxng(server, cache_path=str(path)).search(PHRASE, 20)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    data = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    for word in (b"quist", b"zenobia", b"site1", b"example", b"127.0.0.1"):
        assert word not in data.lower()
    assert SECRET.encode() not in data
    again = searxng(server, cache_path=str(path))
    n = len(server.requests)
    assert again.search(PHRASE.upper(), 20) == expected
    assert again.search(PHRASE, 3).urls == expected.urls[:3]
    assert len(server.requests) == n and len(again.search(PHRASE, 25).urls) == 25
    # Another instance, other settings: other answers.
    searxng(server, cache_path=str(path), language="de").search(PHRASE, 20)
    assert len(server.requests) > n + 3


def test_cache_needs_its_key_and_to_be_whole(server, tmp_path, monkeypatch):
    path = str(tmp_path / "cache")
    searxng(server, cache_path=path).search(PHRASE, 5)
    monkeypatch.setenv("SPACY_DEID_KEY", "another")
    searxng(server, cache_path=path).search(PHRASE, 5)
    assert len(server.requests) == 2
    with monkeypatch.context() as patch:
        patch.delenv("SPACY_DEID_KEY")
        with pytest.raises(ValueError, match="'SPACY_DEID_KEY'"):
            searxng(server, cache_path=path).search(PHRASE, 5)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"no database " * 1000)
    info = failure_of(searxng(server, cache_path=str(damaged)))
    assert str(damaged) in str(info.value) and "delete it" in str(info.value)
    assert len(server.requests) == 2


def test_old_answers_are_deleted_and_changed_ones_not_believed(tmp_path):
    path = tmp_path / "cache"
    found = SearchResult(("https://a.example",), 3)
    cache = AnswerCache(path, "SPACY_DEID_KEY", 1.0)
    cache.put("engine", "phrase", 5, found)
    assert cache.get("engine", "phrase", 5) == found
    assert cache.get("engine", "phrase", 6) is None
    assert cache.get("engine", "other", 5) is None
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE answers SET at = at - 90000")
    assert cache.get("engine", "phrase", 5) is None
    cache.close()
    assert AnswerCache(path, "SPACY_DEID_KEY", 1.0).get("e", "p", 1) is None
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (0,)
    cache = AnswerCache(path, "SPACY_DEID_KEY", 1.0)
    for phrase in ("a", "b"):
        cache.put("engine", phrase, 5, SearchResult((phrase,), 1))
    with closing(sqlite3.connect(path)) as db, db:
        (other,) = db.execute("SELECT answer FROM answers LIMIT 1").fetchone()
        db.execute("UPDATE answers SET answer = ?", (other,))
    found = [cache.get("engine", phrase, 5) for phrase in ("a", "b")]
    # The one whose own it is.
    assert sorted(r is None for r in found) == [False, True]


def test_addresses_of_pages():
    for a, b, same in cases(__file__, "pages"):
        assert (page_key(a) == page_key(b)) is same, a
