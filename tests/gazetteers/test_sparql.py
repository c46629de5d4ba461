import gzip
import json
import re
import threading
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.wikidata import sparql, sparql_client
from spacy_deid.gazetteers.wikidata.dump import DumpSource
from spacy_deid.gazetteers.wikidata.sparql import Part, SparqlError, fetch_values
from spacy_deid.gazetteers.wikidata.sparql_client import (
    AnswerCache,
    QueryTooSlow,
    SparqlClient,
    names_contact,
    read_bindings,
)
from spacy_deid.gazetteers.wikidata.values import Origin, load_properties, write_terms

from . import sparql_server
from .sparql_server import Fault, quads
from .world import World, as_table, to_dump

AGENT = "Tests/1.0 (tests@example.org)"
ITEMS = ("P39", "P106", "P140", "P166")
OTHERS = ("P2043:MISC", "P569:MISC", "P625:MISC", "P18:MISC", "P856:MISC", "P2002")
TIMEOUT_TRACE = b"""SPARQL-QUERY: queryStr=SELECT
java.util.concurrent.TimeoutException
\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)
"""


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def running(world):
    with sparql_server.SparqlServer(quads(world)) as server:
        yield server


@pytest.fixture
def server(running):
    running.forget()
    running.most_at_once = 0
    return running


class Fetch:
    """Fetches values, remembers pauses."""

    def __init__(self, server, cache):
        self.server, self.cache = server, cache
        self.waits = []

    def __call__(self, ids=ITEMS, languages=("en",), **settings):
        settings = {
            "user_agent": AGENT, "cache": self.cache, "countries": False, "delay": 0,
            "max_tries": 4, "sleep": self.waits.append, **settings,
        }  # fmt: skip
        values = fetch_values(
            self.server.url, load_properties(ids=ids), languages, **settings
        )
        return as_table(values)


@pytest.fixture
def fetch(server, tmp_path):
    return Fetch(server, tmp_path / "cache")


def truth(world, ids=ITEMS, languages=("en",), countries=False):
    """What has to come."""
    return as_table(
        world.values(load_properties(ids=ids), languages, countries=countries)
    )


def is_count(query):
    return "COUNT" in query


def digits(query):
    found = re.search(r'STRENDS\(STR\(\?h\), "(\d+)"\)', query)
    return len(found[1]) if found else 0


# What comes


@pytest.mark.parametrize("languages", [("en",), ("de", "ru"), ("es", "fr"), ("de-at",)])
def test_values_labels_and_people(world, fetch, languages):
    ids = (*ITEMS, "P1449", "P1353")
    found = fetch(ids, languages)
    assert found == truth(world, ids, languages)
    texts = {
        text for *_, labels in found for x in json.loads(labels).values() for text in x
    }
    if languages == ("de", "ru"):
        assert {"Ärztin", "политик", "Старик"} <= texts
        assert "Kicker" not in texts and "Politika" not in texts
    assert any(row[2] == "Q11513337" and row[4] == "{}" for row in found)


@pytest.mark.parametrize("languages", [("en",), ("ru", "de")])
def test_countries_and_demonyms(world, fetch, languages):
    found = fetch(("P140",), languages, countries=True)
    countries = [row for row in found if row[0] == "P27"]
    assert found == truth(world, ("P140",), languages, countries=True)
    assert any(row[2] == "Q686" and row[3] == 0 for row in countries)
    assert not any(row[2] == "Q27306" for row in countries)


def test_what_is_no_term_is_counted(world, fetch):
    origin = Origin("sparql", "x")
    assert fetch((*OTHERS, "P140"), origin=origin) == truth(world, ("P140",))
    humans = world.humans()
    bearers = sum("P2002" in e["claims"] for e in humans)
    unknown = sum(
        c["mainsnak"]["snaktype"] == "somevalue"
        for e in humans
        for c in e["claims"].get("P140", ())
    )
    assert bearers and unknown
    kinds = "external-id quantity time globe-coordinate commonsMedia url".split()
    assert origin.not_terms == {**dict.fromkeys(kinds, bearers), "somevalue": unknown}
    assert origin.date.startswith("20")


def test_rare_values_and_aliases_are_not_asked_for(world, server, fetch):
    origin = Origin("sparql", "x")
    found = fetch(min_count=100, aliases=False, origin=origin)
    assert {row[2] for row in found} == {"Q11696", "Q30185"}
    assert [json.loads(row[4]) for row in found] == [
        {"en": ["President of the United States"]},
        {"en": ["mayor"]},
    ]
    n = len(truth(world)) - 2
    assert n > 5 and origin.dropped["below_min_count"] == n
    labels = [q for q in server.queries if "rdfs:label }" in q]
    assert len(labels) == 1 and labels[0].count("wd:Q") == 2
    assert not any("{ rdfs:label skos:altLabel }" in q for q in server.queries)


@pytest.mark.parametrize("languages", [("en",), ("de", "ru", "fr", "es")])
@pytest.mark.parametrize("min_count", [1, 20])
def test_a_dump_gives_the_same_bytes(world, server, tmp_path, languages, min_count):
    (tmp_path / "dump.json").write_bytes(to_dump(map(json.dumps, world)))
    properties = load_properties(ids=(*ITEMS, *OTHERS, "P1449", "P1353"))
    settings = {"languages": languages, "min_count": min_count}
    origin = Origin("sparql", server.url)
    values = fetch_values(
        server.url, properties, user_agent=AGENT, cache=tmp_path / "cache", delay=0,
        origin=origin, **settings,
    )  # fmt: skip
    one = write_terms(values, tmp_path / "one.jsonl", origin, **settings)
    work = tmp_path / "work"
    with DumpSource(tmp_path / "dump.json", work, properties, **settings) as dump:
        dump.run()
        two = write_terms(
            dump.values(), tmp_path / "two.jsonl", dump.origin, **settings
        )
    first, second = ((tmp_path / f"{x}.jsonl").read_bytes() for x in ("one", "two"))
    assert first == second and one["terms"] > 30
    for key in ("sha256", "terms", "values", "counts", "filters"):
        assert one[key] == two[key], key


# Manners


def test_one_connection_one_query_at_a_time(server, fetch):
    fetch(delay=0.25, timeout=20, countries=True)
    n = len(server.requests)
    assert n > 6 and fetch.waits == [0.25] * (n - 1)
    assert server.most_at_once == 1
    assert len({port for _, _, port in server.requests}) == 1
    for _, headers, _ in server.requests:
        assert headers["User-Agent"].startswith(AGENT)
        assert headers["X-BIGDATA-MAX-QUERY-MILLIS"] == "18000"


@pytest.mark.parametrize(
    "agent", [None, "", "  ", "python-requests/2.32", "curl/8", "Bär"]
)
def test_user_agent_is_needed(server, fetch, agent):
    with pytest.raises(ValueError, match="User-Agent"):
        fetch(user_agent=agent)
    assert not server.requests
    assert names_contact(AGENT) and not names_contact("Tests/1.0")


@pytest.mark.parametrize(
    "endpoint", ["", "query.wikidata.org", "ftp://x/sparql", "http:/x"]
)
def test_endpoint_has_to_be_one(endpoint):
    with pytest.raises(ValueError, match="endpoint"):
        fetch_values(endpoint, load_properties(), user_agent=AGENT)


FAULTS = {
    "throttled": Fault(429, {"Retry-After": "7"}, b"slow down"),
    "throttled_without_time": Fault(429, body=b"slow down"),
    "throttled_nonsense": Fault(429, {"Retry-After": "soon"}, b""),
    "unavailable": Fault(503, body=b"<html>upstream connect error</html>"),
    "broken": Fault(500, body=b"java.lang.NullPointerException"),
    "bad_gateway": Fault(502, {"Retry-After": "3"}, b""),
    "cut": Fault(keep=0.6, cut=True),
    "cut_at_once": Fault(keep=0, cut=True),
    "truncated": Fault(keep=0.7),
    "truncated_by_little": Fault(keep=0.99),
    "empty": Fault(body=b""),
    "html": Fault(headers={"Content-Type": "text/html"}, body=b"<html>Oops</html>"),
    "other_json": Fault(body=b'{"error": "no space left"}'),
    "json_list": Fault(body=b"[]"),
    "no_rows": Fault(body=b'{"head": {"vars": []}}'),
    "rows_elsewhere": Fault(body=b'{"x": {"bindings": []}}'),
    "error_after_rows": Fault(body=b'{"results": {"bindings": []}, "error": "x"}'),
    "text_after_rows": Fault(body=b'{"results": {"bindings": []}} Exception'),
    "bad_bytes": Fault(body=b'{"results": {"bindings": [{"n": "\xff"}]}}'),
    "bad_cells": Fault(body=b'{"results": {"bindings": [{"n": 3}]}}'),
    "bad_gzip": Fault(headers={"Content-Encoding": "gzip"}, body=b"no gzip"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_every_query_fails_once(world, server, fetch, name):
    server.script = lambda n, query: FAULTS[name] if n % 2 == 0 else None
    assert fetch(("P106", "P1449"), countries=True) == truth(
        world, ("P106", "P1449"), countries=True
    )
    n = len(server.requests)
    assert n % 2 == 0 and server.queries[::2] == server.queries[1::2]
    waits = [wait for wait in fetch.waits if wait]
    assert len(waits) == n // 2
    if name == "throttled":
        assert set(waits) == {7}
    elif name == "bad_gateway":
        assert set(waits) == {3}
    elif name.startswith("throttled"):
        assert min(waits) >= 60
    else:
        assert min(waits) >= 2 and max(waits) <= 3


def test_pauses_grow_and_end(server, fetch):
    server.script = lambda n, query: Fault(503, body=b"")
    with pytest.raises(SparqlError) as error:
        fetch(max_tries=7)
    assert len(server.requests) == 7
    waits = [wait for wait in fetch.waits if wait]
    assert [0 <= wait - 2 ** (n + 1) <= 1 for n, wait in enumerate(waits)] == [True] * 6
    text = str(error.value)
    assert server.url in text and "7 tries" in text and "HTTP 503" in text
    assert "same command again" in text


def test_a_service_that_asks_for_a_long_pause_is_left_alone(server, fetch):
    server.script = lambda n, query: Fault(429, {"Retry-After": "3600"}, b"")
    with pytest.raises(SparqlError, match=r"wait for 3,600 s"):
        fetch()
    assert len(server.requests) == 1 and not fetch.waits


@pytest.mark.parametrize(
    "status, hint",
    [(400, "SPARQL"), (401, "User-Agent"), (403, "User-Agent"), (404, "address")],
)
def test_what_waiting_does_not_mend_is_not_tried_again(server, fetch, status, hint):
    server.script = lambda n, query: Fault(status, body=b"no")
    with pytest.raises(SparqlError, match=rf"HTTP {status}.*{hint}"):
        fetch()
    assert len(server.requests) == 1


def test_a_moved_endpoint_is_named(server, fetch):
    place = {"Location": "https://example.org/new"}
    server.script = lambda n, query: Fault(308, place, b"")
    with pytest.raises(SparqlError, match=r"moved to https://example.org/new"):
        fetch()


def test_nobody_there(fetch):
    with sparql_server.SparqlServer() as server:
        pass
    fetch.server = server
    with pytest.raises(SparqlError, match="Connection refused"):
        fetch()
    assert len([wait for wait in fetch.waits if wait]) == 3


# Splitting

SLOW = {
    "error": Fault(500, body=TIMEOUT_TRACE),
    "gateway": Fault(504, body=b""),
    "partial": Fault(206),
    "json": Fault(body=b'{"exception": "Operation timed out", "status": "ERROR"}'),
    "unavailable": Fault(503, body=b"Query exceeded its time limit"),
    "among_rows": Fault(
        body=b'{"results": {"bindings": [{"n": {"type": "uri", "value": "'
        + TIMEOUT_TRACE
    ),
}


# How an answer tells that it was too slow changes nothing of the parts.
@pytest.mark.parametrize(
    ("name", "depth"), [*((name, 1) for name in SLOW), ("error", 2)]
)
def test_slow_queries_are_split_and_the_parts_add_up(world, server, fetch, name, depth):
    def script(n, query):
        # Oxigraph counts too fast: no more than some people at a time.
        return SLOW[name] if is_count(query) and digits(query) < depth else None

    server.script = script
    ids = ("P106", "P1449", "P2002")
    origin = Origin("sparql", "x")
    assert fetch(ids, countries=True, origin=origin) == truth(
        world, ("P106", "P1449"), countries=True
    )
    assert origin.not_terms["external-id"] == sum(
        "P2002" in e["claims"] for e in world.humans()
    )
    sizes = Counter(digits(q) for q in server.queries if is_count(q))
    # Three properties and the countries, each split on its own; after two failures no
    # other part of the same size is tried.
    jobs = len({digits_free(q) for q in server.queries if is_count(q)})
    assert jobs >= 4
    assert sizes[0] == jobs and sizes[depth] == jobs * 10**depth
    if depth == 2:
        assert sizes[1] == 2 * jobs
    assert not [wait for wait in fetch.waits if wait]


def digits_free(query):
    return re.sub(r" FILTER\(STRENDS.*?\)( GROUP| \}|$)", r"\1", query.split(" }")[0])


def test_an_answer_that_does_not_come_is_split(world, server, fetch):
    def script(n, query):
        return Fault(hang=True) if is_count(query) and digits(query) < 1 else None

    server.script = script
    assert fetch(("P39",), timeout=1) == truth(world, ("P39",))
    assert Counter(digits(q) for q in server.queries if is_count(q)) == {0: 1, 1: 10}


def test_a_long_answer_that_never_arrives_whole_is_split(
    world, server, fetch, monkeypatch
):
    monkeypatch.setattr(sparql_client, "_LONG", 100)

    def script(n, query):
        return (
            Fault(keep=0.5, cut=True) if digits(query) < 1 and is_count(query) else None
        )

    server.script = script
    assert fetch(("P39",)) == truth(world, ("P39",))
    assert Counter(digits(q) for q in server.queries if is_count(q)) == {0: 4, 1: 10}
    # The next run tries again: perhaps it was the connection.
    assert not list(fetch.cache.glob("*.slow"))


def test_an_outage_is_not_taken_for_slow_queries(world, server, fetch):
    server.script = lambda n, query: Fault(504, body=b"") if n > 1 else None
    with pytest.raises(SparqlError, match="again later"):
        fetch(("P106", "P39"))
    assert len(server.requests) == 2 + sparql.MAX_DIGITS + 1
    server.forget()
    assert fetch(("P106", "P39")) == truth(world, ("P106", "P39"))
    assert [digits(q) for q in server.queries] == [0, 0]
    server.forget()
    body = b"upstream connect error, reset reason: connection timeout"
    server.script = lambda n, query: Fault(503, body=body)
    with pytest.raises(SparqlError, match="HTTP 503"):
        fetch(cache=None, max_tries=3)
    assert len(server.requests) == 3


def test_slow_countries_are_named(server, fetch):
    slow = "?v wdt:P31 wd:Q6256"
    server.script = lambda n, query: Fault(504, body=b"") if slow in query else None
    with pytest.raises(SparqlError, match="countries: .*--no-countries"):
        fetch(("P140",), countries=True)


def test_label_queries_are_halved(world, server, fetch):
    def script(n, query):
        return (
            Fault(504, body=b"")
            if "skos:altLabel }" in query and n_items(query) > 1
            else None
        )

    server.script = script
    assert fetch() == truth(world)
    sizes = [n_items(q) for q in server.queries if "skos:altLabel }" in q]
    assert sizes.count(1) == len({row[2] for row in truth(world)})


def n_items(query):
    return len(re.findall(r"wd:Q\d+", re.search(r"VALUES \?v \{(.*?)\}", query)[1]))


def test_what_stays_too_slow_is_named(server, fetch):
    def script(n, query):
        return Fault(504, body=b"") if "wdt:P106 " in query else None

    server.script = script
    with pytest.raises(SparqlError) as error:
        fetch(("P39", "P106"), timeout=33)
    text = str(error.value)
    for part in (server.url, "P106 (occupation)", "33 s", "--timeout", "--exclude"):
        assert part in text
    # One of each size down to the smallest part, not all of them.
    assert sum("wdt:P106 " in q for q in server.queries) == sparql.MAX_DIGITS + 1
    server.script = lambda n, query: (
        Fault(504, body=b"") if "altLabel" in query else None
    )
    with pytest.raises(SparqlError, match=r"even for one item"):
        fetch(("P39",), cache=None)


people = st.integers(1, 10**9)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(people, unique=True, max_size=40), st.lists(st.integers(0, 99), max_size=6)
)
def test_each_person_is_in_one_part(numbers, choices):
    numbers = {*numbers, 1, 7, 10, 42, 107}
    parts = [Part()]
    for choice in choices:
        parts.extend(parts.pop(choice % len(parts)).split())
    store = sparql_server.ox.Store()
    store.extend(
        sparql_server.ox.Quad(
            sparql_server.ox.NamedNode(f"{sparql.ENTITY}Q{n}"),
            sparql_server.ox.NamedNode("http://example.org/p"),
            sparql_server.ox.Literal(n),
        )
        for n in numbers
    )
    found = Counter()
    for part in parts:
        query = (
            f"{sparql.PREFIXES}SELECT ?h WHERE {{ ?h <http://example.org/p> ?n ."
            f"{part.filter('?h')} }}"
        )
        found.update(row["h"].value for row in store.query(query))
    assert found == {f"{sparql.ENTITY}Q{n}": 1 for n in numbers}


# Going on


def test_a_second_run_asks_nothing(server, fetch):
    first = fetch(countries=True)
    server.forget()
    assert fetch(countries=True) == first
    assert not server.requests
    # Another endpoint has other answers.
    fetch.server = type("Other", (), {"url": server.url + "?x=1"})
    assert fetch(countries=True) == first
    assert server.requests


@pytest.mark.parametrize("last", [0, 1, 3, 5, 7])
def test_a_failed_run_goes_on_where_it_stopped(world, server, fetch, last):
    ids = (*ITEMS, "P1449")
    settings = {"countries": True, "max_tries": 2}
    server.script = lambda n, query: Fault(503, body=b"") if n >= last else None
    with pytest.raises(SparqlError):
        fetch(ids, **settings)
    assert len(server.requests) == last + 2
    done = server.queries[:last]
    server.forget()
    found = fetch(ids, **settings)
    assert not set(done) & set(server.queries)
    rest = server.queries
    assert found == truth(world, ids, countries=True)
    server.forget()
    fetch(ids, cache=None, countries=True)
    assert server.queries == done + rest


def test_slow_queries_are_remembered(server, fetch):
    def script(n, query):
        slow = is_count(query) and digits(query) < 1
        return Fault(504, body=b"") if slow else None if n < 5 else Fault(400, body=b"")

    server.script = script
    with pytest.raises(SparqlError):
        fetch(("P106",))
    server.forget()
    found = fetch(("P106",))
    counts = [digits(q) for q in server.queries if is_count(q)]
    assert counts and set(counts) == {1}
    # Whoever has more time asks again.
    server.forget()
    assert fetch(("P106",), timeout=300) == found
    assert [digits(q) for q in server.queries] == [0]


@pytest.mark.parametrize("damage", ["cut", "garbage", "one_row_less", "empty"])
def test_a_damaged_answer_is_asked_for_again(world, server, fetch, damage):
    fetch()
    paths = sorted(fetch.cache.glob("*.jsonl.gz"))
    assert len(paths) == len(server.requests)
    for path in paths:
        data = path.read_bytes()
        if damage == "one_row_less":
            lines = gzip.decompress(data).splitlines(keepends=True)
            path.write_bytes(gzip.compress(b"".join([*lines[:-2], lines[-1]])))
        else:
            path.write_bytes(
                {"cut": data[:-9], "garbage": b"x" * 40, "empty": b""}[damage]
            )
    server.forget()
    assert fetch() == truth(world)
    assert len(server.requests) >= len(paths) - 1


def test_nothing_half_done_stays_in_the_cache(server, fetch):
    server.script = lambda n, query: Fault(keep=0.5, cut=True) if n else None
    with pytest.raises(SparqlError):
        fetch(("P140",))
    assert [path.suffixes for path in fetch.cache.iterdir()] == [[".jsonl", ".gz"]]


# Reading answers


def test_memory_does_not_grow_with_the_answer():
    cell = {"type": "literal", "value": "x" * 50}
    row = json.dumps({"v": cell}).encode()

    def chunks(n):
        yield b'{"results":{"bindings":['
        for i in range(n):
            yield (b"," if i else b"") + row
        yield b"]}}"

    peaks = []
    for n in (1_000, 10_000):
        tracemalloc.start()
        assert sum(found == {"v": cell} for found in read_bindings(chunks(n))) == n
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


@pytest.mark.timeout(30)
def test_a_body_that_drips_is_too_slow(tmp_path):
    import socket

    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def drip():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{")
            while not stop.wait(0.02):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    client = SparqlClient(
        f"http://127.0.0.1:{listener.getsockname()[1]}/sparql",
        AGENT, AnswerCache(tmp_path), timeout=0.4, delay=0, max_tries=1, max_wait=1,
    )  # fmt: skip
    try:
        with pytest.raises(QueryTooSlow, match=r"no answer within 0.4 s"):
            client.ask("SELECT", ("a",), "test")
    finally:
        stop.set()
        thread.join(5)
        listener.close()
    assert not list(tmp_path.glob("*.gz"))
