"""A small Wikidata made for the tests, and a real SPARQL server for it on loopback.

`World` holds entities as Wikidata's JSON dump has them, gives the same as RDF by
Wikidata's mapping, and knows by itself, in plain Python, what people bear.
`SparqlServer` answers from Oxigraph; a script can spoil any of its answers.
"""

import json
import random
import threading
from collections import Counter, defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph as ox

ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
ONTOLOGY = "http://wikiba.se/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_WORLD = json.loads(Path(__file__).with_name("world.json").read_text("utf8"))
# Item: labels and aliases by language; country: classes, labels, demonyms.
ITEMS, COUNTRIES = _WORLD["items"], _WORLD["countries"]
DATATYPES = _WORLD["datatypes"]
MISSING = "http://www.wikidata.org/.well-known/genid/"


def statement(prop, value, rank="normal", snak="value"):
    datatype = DATATYPES[prop]
    main = {"snaktype": snak, "property": prop, "datatype": datatype}
    if snak == "value":
        main["datavalue"] = _datavalue(datatype, value)
    return {"mainsnak": main, "type": "statement", "rank": rank}


def _datavalue(datatype, value):
    if datatype == "wikibase-item":
        content = {"entity-type": "item", "id": value, "numeric-id": int(value[1:])}
        return {"type": "wikibase-entityid", "value": content}
    if datatype == "monolingualtext":
        content = {"language": value[0], "text": value[1]}
        return {"type": "monolingualtext", "value": content}
    if datatype == "quantity":
        return {"type": "quantity", "value": {"amount": f"+{value}", "unit": "1"}}
    if datatype == "time":
        return {"type": "time", "value": {"time": f"+{value}T00:00:00Z"}}
    if datatype == "globe-coordinate":
        content = {"latitude": value[0], "longitude": value[1]}
        return {"type": "globecoordinate", "value": content}
    return {"type": "string", "value": value}


def entity(id_, labels=None, claims=()):
    texts = labels or {}
    by_property = defaultdict(list)
    for claim in claims:
        by_property[claim["mainsnak"]["property"]].append(claim)
    return {
        "type": "item",
        "id": id_,
        "labels": {
            k: {"language": k, "value": v[0]} for k, v in texts.items() if v and v[0]
        },
        "aliases": {
            k: [{"language": k, "value": text} for text in v[1:]]
            for k, v in texts.items()
            if len(v) > 1
        },
        "claims": dict(by_property),
    }


def best(claims):
    """Statements of the best rank, as in `wdt:`."""
    preferred = [c for c in claims if c["rank"] == "preferred"]
    return preferred or [c for c in claims if c["rank"] == "normal"]


class World:
    """Entities of the tests.

    people (int): How many.
    seed (int): Of the random choices.
    """

    def __init__(self, people=400, seed=0):
        choose = random.Random(seed)
        self.entities = [entity(id_, labels) for id_, labels in ITEMS.items()]
        for id_, (classes, labels, demonyms) in COUNTRIES.items():
            claims = [statement("P31", c) for c in classes]
            claims += [
                statement("P1549", (tag, text))
                for tag, texts in demonyms.items()
                for text in texts
            ]
            self.entities.append(entity(id_, labels, claims))
        # Short ids too: they have fewer digits than a deep split looks at.
        ids = [1, 2, 3, 7, 10, 17, 42, 100, 107, 1007]
        while len(ids) < people:
            number = choose.choice((choose.randrange(10**4), choose.randrange(10**8)))
            if number and f"Q{number}" not in {*ITEMS, *COUNTRIES}:
                ids.append(number)
        for number in sorted(set(ids)):
            self.entities.append(self._make_human(choose, f"Q{number}"))
        # Others who bear the same values, and must not be counted.
        for n in range(50):
            claims = [
                statement("P31", "Q95074"),
                statement("P106", "Q33999"),
                statement("P106", "Q144"),
                statement("P27", "Q183"),
            ]
            self.entities.append(entity(f"Q{2 * 10**8 + n}", claims=claims))
        not_human = [
            [statement("P31", "Q5", "deprecated"), statement("P31", "Q95074")],
            [statement("P31", "Q5"), statement("P31", "Q95074", "preferred")],
            [statement("P31", "Q5", snak="somevalue")],
        ]
        for n, claims in enumerate(not_human):
            claims.append(statement("P106", "Q36180"))
            self.entities.append(entity(f"Q{3 * 10**8 + n}", claims=claims))

    def _make_human(self, choose, id_):
        claims = [statement("P31", "Q5")]
        jobs = ["Q82955", "Q36180", "Q39631", "Q937857", "Q11900058", "Q11513337"]
        for job in choose.sample(jobs, choose.randrange(4)):
            rank = choose.choice(["normal"] * 6 + ["preferred", "deprecated"])
            claims.append(statement("P106", job, rank))
        for _ in range(choose.randrange(3)):
            # Twice in office: still one person.
            claims.append(statement("P39", choose.choice(["Q11696", "Q30185"])))
        if choose.random() < 0.5:
            claims.append(statement("P140", choose.choice(["Q432", "Q7066", "Q9268"])))
        if choose.random() < 0.1:
            claims.append(statement("P140", None, snak="somevalue"))
            claims.append(statement("P140", None, snak="novalue"))
        if choose.random() < 0.2:
            prize = choose.choice(["Q7191", "Q999001", "Q999002"])
            claims.append(statement("P166", prize))
        nation = choose.choice(["Q183", "Q142", "Q159", "Q27306", None])
        if nation:
            claims.append(statement("P27", nation))
        if choose.random() < 0.3:
            tag = choose.choice(["en", "de", "de-at", "ru"])
            name = choose.choice(["Bob", "Старик", "Der Große", "Q"])
            claims.append(statement("P1449", (tag, name)))
        if choose.random() < 0.2:
            claims.append(statement("P1353", choose.choice(["Æthelred", "Jhon", "17"])))
        if choose.random() < 0.2:
            claims.append(statement("P2002", f"user{id_}"))
            claims.append(statement("P2043", choose.choice(["1.8", "1.7"])))
            claims.append(statement("P569", "1950-01-01"))
            claims.append(statement("P18", f"Face {id_}.jpg"))
            claims.append(statement("P856", f"https://example.org/{id_}"))
            claims.append(statement("P625", (1.5, 2.5)))
        # As in Wikidata, people have labels that are nobody's term.
        return entity(id_, {"en": [f"Person {id_}"]}, claims)

    def write_dump(self, path):
        """Write the entities as a JSON dump."""
        lines = [json.dumps(e, ensure_ascii=False) for e in self.entities]
        path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf8")

    def quads(self):
        """The same as RDF."""
        for prop, datatype in DATATYPES.items():
            name = "".join(part[:1].upper() + part[1:] for part in datatype.split("-"))
            yield ox.Quad(
                ox.NamedNode(ENTITY + prop),
                ox.NamedNode(ONTOLOGY + "propertyType"),
                ox.NamedNode(ONTOLOGY + name),
            )
        for e in self.entities:
            subject = ox.NamedNode(ENTITY + e["id"])
            for text in e["labels"].values():
                yield _text(subject, LABEL, text)
            for texts in e["aliases"].values():
                for text in texts:
                    yield _text(subject, ALIAS, text)
            for prop, claims in e["claims"].items():
                for n, claim in enumerate(best(claims)):
                    node = _node(claim["mainsnak"], f"{e['id']}-{prop}-{n}")
                    if node is not None:
                        yield ox.Quad(subject, ox.NamedNode(DIRECT + prop), node)

    def humans(self):
        for e in self.entities:
            classes = [
                c["mainsnak"]["datavalue"]["value"]["id"]
                for c in best(e["claims"].get("P31", []))
                if "datavalue" in c["mainsnak"]
            ]
            if "Q5" in classes:
                yield e

    def counts(self, prop):
        """People by value: an item's id, or language and text."""
        people = Counter()
        for e in self.humans():
            values = set()
            for claim in best(e["claims"].get(prop, [])):
                data = claim["mainsnak"].get("datavalue")
                if data is None:
                    continue
                value = data["value"]
                if data["type"] == "wikibase-entityid":
                    values.add(value["id"])
                elif data["type"] == "monolingualtext":
                    values.add((value["language"], value["text"]))
                elif data["type"] == "string":
                    values.add(("", value))
                else:
                    values.add(json.dumps(value))
            people.update(values)
        return people

    def labels(self, id_, languages):
        """Label, "" if there is none, and aliases by language."""
        found = next(e for e in self.entities if e["id"] == id_)
        texts = {}
        for tag in languages:
            label = found["labels"].get(tag, {}).get("value", "")
            aliases = sorted({a["value"] for a in found["aliases"].get(tag, [])})
            if label or aliases:
                texts[tag] = [label, *aliases]
        return texts


def _text(subject, predicate, text):
    literal = ox.Literal(text["value"], language=text["language"])
    return ox.Quad(subject, ox.NamedNode(predicate), literal)


def _node(snak, name):
    if snak["snaktype"] == "somevalue":
        return ox.NamedNode(MISSING + name)
    if snak["snaktype"] == "novalue":
        return None
    value = snak["datavalue"]["value"]
    datatype = snak["datatype"]
    if datatype == "wikibase-item":
        return ox.NamedNode(ENTITY + value["id"])
    if datatype == "monolingualtext":
        return ox.Literal(value["text"], language=value["language"])
    if datatype == "quantity":
        return ox.Literal(value["amount"], datatype=ox.NamedNode(XSD + "decimal"))
    if datatype == "time":
        time = value["time"][1:]
        return ox.Literal(time, datatype=ox.NamedNode(XSD + "dateTime"))
    if datatype == "globe-coordinate":
        kind = ox.NamedNode("http://www.opengis.net/ont/geosparql#wktLiteral")
        point = f"Point({value['longitude']} {value['latitude']})"
        return ox.Literal(point, datatype=kind)
    if datatype == "commonsMedia":
        place = "http://commons.wikimedia.org/wiki/Special:FilePath/"
        return ox.NamedNode(place + value.replace(" ", "%20"))
    if datatype == "url":
        return ox.NamedNode(value)
    return ox.Literal(value)


class Fault:
    """What comes in the place of an answer.

    status (int): HTTP status.
    headers (dict): Headers.
    body (bytes): The body, or None for the true answer.
    keep (float): Share of the body that is sent.
    cut (bool): Whether the headers promise all of it.
    hang (bool): No answer at all, until the server is released.
    """

    def __init__(
        self, status=200, headers=(), body=None, keep=1.0, cut=False, hang=False
    ):
        self.status, self.headers, self.body = status, dict(headers), body
        self.keep, self.cut, self.hang = keep, cut, hang


class SparqlServer:
    """A SPARQL endpoint.

    quads (iterable): Its graph.
    """

    def __init__(self, quads=()):
        self.store = ox.Store()
        self.store.extend(quads)
        # Takes number and query of a request, gives a Fault or None.
        self.script = lambda n, query: None
        self.requests = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._release = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                outer.handle(self)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/sparql"
        # Polls often: stopping it should not take long.
        self.thread = threading.Thread(
            target=self.http.serve_forever, args=(0.01,), daemon=True
        )

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *args):
        self._release.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    @property
    def queries(self):
        return [query for query, _, _ in self.requests]

    def forget(self):
        self.requests.clear()
        self.script = lambda n, query: None

    def handle(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        query = parse_qs(body.decode())["query"][0]
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            n = len(self.requests)
            port = request.client_address[1]
            self.requests.append((query, dict(request.headers), port))
        try:
            fault = self.script(n, query) or Fault()
            if fault.hang:
                self._release.wait(30)
                request.close_connection = True
                return
            self._send(request, fault, self._answer(query, fault))
        except (BrokenPipeError, ConnectionResetError):
            request.close_connection = True
        finally:
            with self._lock:
                self._at_once -= 1

    def _answer(self, query, fault):
        if fault.body is not None:
            return fault.body
        results = self.store.query(query)
        return results.serialize(format=ox.QueryResultsFormat.JSON)

    def _send(self, request, fault, body):
        part = body[: int(len(body) * fault.keep)]
        request.send_response_only(fault.status)
        headers = {"Content-Type": "application/sparql-results+json", **fault.headers}
        for name, value in headers.items():
            request.send_header(name, value)
        length = len(body) if fault.cut else len(part)
        request.send_header("Content-Length", str(length))
        request.end_headers()
        request.wfile.write(part)
        request.wfile.flush()
        if fault.cut:
            request.close_connection = True
