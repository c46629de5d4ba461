import gzip
import json
import re
import tracemalloc
from collections import Counter

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.wikidata import sparql, sparql_client
from spacy_deid.gazetteers.wikidata.dump import DumpSource
from spacy_deid.gazetteers.wikidata.sparql import Part, SparqlError, fetch_values
from spacy_deid.gazetteers.wikidata.values import Origin, load_properties, write_terms

from ..cases import cases
from . import sparql_server
from .sparql_server import Fault, quads
from .world import World, as_table, to_dump

AGENT = "Tests/1.0 (tests@example.org)"
ITEMS = ("P39", "P106", "P140", "P166")
OTHERS = ("P2043:MISC", "P569:MISC", "P625:MISC", "P18:MISC", "P856:MISC", "P2002")
SLOW = dict(cases(__file__, "slow"))
people = st.lists(st.integers(1, 10**9), unique=True, max_size=40)


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
    return running


class Fetch:
    def __init__(self, server, cache):
        self.server, self.cache, self.waits = server, cache, []

    def __call__(self, ids=ITEMS, languages=("en",), **settings):
        settings = {
            "user_agent": AGENT, "cache": self.cache, "countries": False, "delay": 0,
            "max_tries": 4, "sleep": self.waits.append, **settings,
        }  # fmt: skip
        args = self.server.url, load_properties(ids=ids), languages
        return as_table(fetch_values(*args, **settings))

    def pauses(self):
        return [wait for wait in self.waits if wait]


@pytest.fixture
def fetch(server, tmp_path):
    return Fetch(server, tmp_path / "cache")


def truth(world, ids=ITEMS, languages=("en",), **settings):
    settings = {"countries": False, **settings}
    return as_table(world.values(load_properties(ids=ids), languages, **settings))


def is_count(query, depth=99):
    """Whether it counts people, of ids told apart by fewer digits."""
    return "COUNT" in query and digits(query) < depth


def digits(query):
    found = re.search(r'STRENDS\(STR\(\?h\), "(\d+)"\)', query)
    return len(found[1]) if found else 0


def depths(server):
    """How many counts of each number of digits were asked for."""
    return Counter(digits(q) for q in server.queries if is_count(q))


def read_fault(row):
    body = {"body": row["body"].encode("latin-1")} if "body" in row else {}
    return Fault(**{**row, **body})


@pytest.fixture
def fails(server):
    def fails(fault, when=lambda n, query: True):
        server.script = lambda n, query: fault if when(n, query) else None

    return fails


@pytest.mark.parametrize("languages", [("en",), ("de", "ru"), ("es", "fr"), ("de-at",)])
def test_values_labels_people_and_countries(world, fetch, languages):
    ids = (*ITEMS, "P1449", "P1353")
    found = fetch(ids, languages, countries=True)
    assert found == truth(world, ids, languages, countries=True)
    labels = [json.loads(row[4]).values() for row in found]
    texts = {text for by_tag in labels for some in by_tag for text in some}
    if languages == ("de", "ru"):
        assert {"Ärztin", "политик", "Старик"} <= texts
        assert "Kicker" not in texts and "Politika" not in texts
    assert any(row[2] == "Q11513337" and row[4] == "{}" for row in found)
    countries = {row[2]: row[3] for row in found if row[0] == "P27"}
    assert countries["Q686"] == 0 and "Q27306" not in countries


def test_what_is_no_term_is_counted(world, fetch):
    origin = Origin("sparql", "x")
    assert fetch((*OTHERS, "P140"), origin=origin) == truth(world, ("P140",))
    humans = world.humans()
    bearers = sum("P2002" in e["claims"] for e in humans)
    religions = [c["mainsnak"] for e in humans for c in e["claims"].get("P140", ())]
    unknown = sum(snak["snaktype"] == "somevalue" for snak in religions)
    assert bearers and unknown
    kinds = "external-id quantity time globe-coordinate commonsMedia url".split()
    assert origin.not_terms == {**dict.fromkeys(kinds, bearers), "somevalue": unknown}
    assert origin.date.startswith("20")


def test_rare_values_and_aliases_are_not_asked_for(world, server, fetch):
    origin = Origin("sparql", "x")
    found = fetch(min_count=100, aliases=False, origin=origin)
    assert {row[2] for row in found} == {"Q11696", "Q30185"}
    labels = [json.loads(row[4])["en"] for row in found]
    assert labels == [["President of the United States"], ["mayor"]]
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
    work, out = tmp_path / "work", tmp_path / "two.jsonl"
    with DumpSource(tmp_path / "dump.json", work, properties, **settings) as dump:
        dump.run()
        two = write_terms(dump.values(), out, dump.origin, **settings)
    first, second = ((tmp_path / f"{x}.jsonl").read_bytes() for x in ("one", "two"))
    assert first == second and one["terms"] > 30
    for key in ("sha256", "terms", "values", "counts", "filters"):
        assert one[key] == two[key], key


def test_one_connection_one_query_at_a_time(server, fetch):
    fetch(delay=0.25, timeout=20, countries=True)
    n = len(server.requests)
    assert n > 6 and fetch.waits == [0.25] * (n - 1)
    assert server.most_at_once == 1
    assert len({port for _, _, port in server.requests}) == 1
    for _, headers, _ in server.requests:
        assert headers["User-Agent"].startswith(AGENT)
        assert headers["X-BIGDATA-MAX-QUERY-MILLIS"] == "18000"


def test_user_agent_and_endpoint_have_to_be_some(server, fetch):
    for agent in (None, "", "  ", "python-requests/2.32", "curl/8", "Bär"):
        with pytest.raises(ValueError, match="User-Agent"):
            fetch(user_agent=agent)
    assert not server.requests
    told = [*map(sparql_client.names_contact, (AGENT, "Tests/1.0"))]
    assert told == [True, False]
    for endpoint in ("", "query.wikidata.org", "ftp://x/sparql", "http:/x"):
        with pytest.raises(ValueError, match="endpoint"):
            fetch_values(endpoint, load_properties(), user_agent=AGENT)


@pytest.mark.parametrize(("fault", "least", "most"), cases(__file__, "faults"))
def test_every_query_fails_once(world, server, fetch, fails, fault, least, most):
    fails(read_fault(fault), lambda n, query: n % 2 == 0)
    ids = ("P106", "P1449")
    assert fetch(ids, countries=True) == truth(world, ids, countries=True)
    n = len(server.requests)
    assert n % 2 == 0 and server.queries[::2] == server.queries[1::2]
    waits = fetch.pauses()
    assert len(waits) == n // 2
    assert least <= min(waits) and max(waits) <= most


def test_pauses_grow_and_end(server, fetch, fails):
    fails(Fault(503, body=b""))
    with pytest.raises(SparqlError) as error:
        fetch(max_tries=7)
    assert len(server.requests) == 7
    waits = fetch.pauses()
    assert [0 <= wait - 2 ** (n + 1) <= 1 for n, wait in enumerate(waits)] == [True] * 6
    text = str(error.value)
    assert server.url in text and "7 tries" in text and "HTTP 503" in text
    assert "same command again" in text


def test_what_waiting_does_not_mend_is_not_tried_again(server, fetch, fails):
    for status, headers, message in cases(__file__, "hopeless"):
        server.forget()
        fails(Fault(status, headers, b"no"))
        with pytest.raises(SparqlError, match=message):
            fetch()
        assert len(server.requests) == 1 and not fetch.waits


def test_nobody_there(fetch):
    with sparql_server.SparqlServer() as server:
        pass
    fetch.server = server
    with pytest.raises(SparqlError, match="Connection refused"):
        fetch()
    assert len(fetch.pauses()) == 3


# How an answer tells that it was too slow changes nothing of the parts.
@pytest.mark.parametrize("name,depth", [*zip(SLOW, [1] * len(SLOW)), ("error", 2)])
def test_parts_of_slow_queries_add_up(world, server, fetch, fails, name, depth):
    # Oxigraph counts too fast: no more than some people at a time.
    fails(read_fault(SLOW[name]), lambda n, query: is_count(query, depth))
    ids = ("P106", "P1449", "P2002")
    origin = Origin("sparql", "x")
    wanted = truth(world, ("P106", "P1449"), countries=True)
    assert fetch(ids, countries=True, origin=origin) == wanted
    bearers = sum("P2002" in e["claims"] for e in world.humans())
    assert origin.not_terms["external-id"] == bearers
    sizes = depths(server)
    # Three properties and the countries, each split on its own; after two failures no
    # other part of the same size is tried.
    jobs = len({digits_free(q) for q in server.queries if is_count(q)})
    assert jobs >= 4
    assert sizes[0] == jobs and sizes[depth] == jobs * 10**depth
    if depth == 2:
        assert sizes[1] == 2 * jobs
    assert not fetch.pauses()


def digits_free(query):
    return re.sub(r" FILTER\(STRENDS.*?\)( GROUP| \}|$)", r"\1", query.split(" }")[0])


def test_an_answer_that_does_not_come_is_split(world, server, fetch, fails):
    fails(Fault(hang=True), lambda n, query: is_count(query, 1))
    assert fetch(("P39",), timeout=1) == truth(world, ("P39",))
    assert depths(server) == {0: 1, 1: 10}


def test_a_long_answer_is_split(world, server, fetch, fails, monkeypatch):
    monkeypatch.setattr(sparql_client, "_LONG", 100)
    fails(Fault(keep=0.5, cut=True), lambda n, query: is_count(query, 1))
    assert fetch(("P39",)) == truth(world, ("P39",)) and depths(server) == {0: 4, 1: 10}
    # The next run tries again: perhaps it was the connection.
    assert not list(fetch.cache.glob("*.slow"))


def test_an_outage_is_not_taken_for_slow_queries(world, server, fetch, fails):
    fails(Fault(504, body=b""), lambda n, query: n > 1)
    with pytest.raises(SparqlError, match="again later"):
        fetch(("P106", "P39"))
    assert len(server.requests) == 2 + sparql.MAX_DIGITS + 1
    server.forget()
    assert fetch(("P106", "P39")) == truth(world, ("P106", "P39"))
    assert [digits(q) for q in server.queries] == [0, 0]
    server.forget()
    fails(Fault(503, body=b"upstream connect error, reset reason: connection timeout"))
    with pytest.raises(SparqlError, match="HTTP 503"):
        fetch(cache=None, max_tries=3)
    assert len(server.requests) == 3


def test_label_queries_are_halved(world, server, fetch, fails):
    def asks_labels(query, least=1):
        return "skos:altLabel }" in query and n_items(query) >= least

    fails(Fault(504, body=b""), lambda n, query: asks_labels(query, 2))
    assert fetch() == truth(world)
    sizes = [n_items(q) for q in server.queries if asks_labels(q)]
    assert sizes.count(1) == len({row[2] for row in truth(world)})


def n_items(query):
    return len(re.findall(r"wd:Q\d+", re.search(r"VALUES \?v \{(.*?)\}", query)[1]))


def test_what_stays_too_slow_is_named(server, fetch, fails):
    fails(Fault(504, body=b""), lambda n, query: "wdt:P106 " in query)
    with pytest.raises(SparqlError) as error:
        fetch(("P39", "P106"), timeout=33)
    text = str(error.value)
    for part in (server.url, "P106 (occupation)", "33 s", "--timeout", "--exclude"):
        assert part in text
    # One of each size down to the smallest part, not all of them.
    assert sum("wdt:P106 " in q for q in server.queries) == sparql.MAX_DIGITS + 1
    for part, message, more in (
        ("altLabel", "even for one item", {"ids": ("P39",)}),
        ("?v wdt:P31 wd:Q6256", "countries: .*--no-countries", {"countries": True}),
    ):
        fails(Fault(504, body=b""), lambda n, query, part=part: part in query)
        with pytest.raises(SparqlError, match=message):
            fetch(cache=None, **more)


@settings(max_examples=50, deadline=None)
@given(people, st.lists(st.integers(0, 99), max_size=6))
def test_each_person_is_in_one_part(numbers, choices):
    numbers = {*numbers, 1, 7, 10, 42, 107}
    parts = [Part()]
    for choice in choices:
        parts.extend(parts.pop(choice % len(parts)).split())
    store, name = ox.Store(), ox.NamedNode("http://example.org/p")
    for n in numbers:
        store.add(ox.Quad(ox.NamedNode(f"{sparql.ENTITY}Q{n}"), name, ox.Literal(n)))
    found = Counter()
    for part in parts:
        query = f"SELECT ?h WHERE {{ ?h {name} ?n .{part.filter('?h')} }}"
        found.update(row["h"].value for row in store.query(f"{sparql.PREFIXES}{query}"))
    assert found == {f"{sparql.ENTITY}Q{n}": 1 for n in numbers}


def test_a_second_run_asks_nothing(server, fetch):
    first = fetch(countries=True)
    server.forget()
    assert fetch(countries=True) == first and not server.requests
    # Another endpoint has other answers.
    fetch.server = type("Other", (), {"url": server.url + "?x=1"})
    assert fetch(countries=True) == first and server.requests


@pytest.mark.parametrize("last", [0, 1, 3, 5, 7])
def test_a_failed_run_goes_on_where_it_stopped(world, server, fetch, fails, last):
    ids = (*ITEMS, "P1449")
    settings = {"countries": True, "max_tries": 2}
    fails(Fault(503, body=b""), lambda n, query: n >= last)
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
        if is_count(query, 1):
            return Fault(504, body=b"")
        return None if n < 5 else Fault(400, body=b"")

    server.script = script
    with pytest.raises(SparqlError):
        fetch(("P106",))
    server.forget()
    found = fetch(("P106",))
    assert set(depths(server)) == {1}
    # Whoever has more time asks again.
    server.forget()
    assert fetch(("P106",), timeout=300) == found
    assert [digits(q) for q in server.queries] == [0]


def one_row_less(data):
    lines = gzip.decompress(data).splitlines(keepends=True)
    return gzip.compress(b"".join([*lines[:-2], lines[-1]]))


def test_a_damaged_answer_is_asked_for_again(world, server, fetch):
    fetch()
    paths = sorted(fetch.cache.glob("*.jsonl.gz"))
    assert len(paths) == len(server.requests)
    other = (lambda _: b"x" * 40, lambda _: b"", lambda data: data[:-9])
    for damage in (*other, one_row_less):
        for path in paths:
            path.write_bytes(damage(path.read_bytes()))
        server.forget()
        assert fetch() == truth(world) and len(server.requests) >= len(paths) - 1


def test_nothing_half_done_stays_in_the_cache(fetch, fails):
    fails(Fault(keep=0.5, cut=True), lambda n, query: n)
    with pytest.raises(SparqlError):
        fetch(("P140",))
    assert [path.suffixes for path in fetch.cache.iterdir()] == [[".jsonl", ".gz"]]


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
        rows = sparql_client.read_bindings(chunks(n))
        assert sum(found == {"v": cell} for found in rows) == n
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


@pytest.mark.timeout(30)
def test_a_body_that_drips_is_too_slow(server, fails, tmp_path):
    fails(Fault(body=b"{" + b" " * 10_000, drip=0.02))
    settings = {"timeout": 0.4, "delay": 0, "max_tries": 1, "max_wait": 1}
    cache = sparql_client.AnswerCache(tmp_path)
    client = sparql_client.SparqlClient(server.url, AGENT, cache, **settings)
    with pytest.raises(sparql_client.QueryTooSlow, match=r"no answer within 0.4 s"):
        client.ask("SELECT", ("a",), "test")
    assert not list(tmp_path.glob("*.gz"))
