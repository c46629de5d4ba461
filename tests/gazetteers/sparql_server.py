"""A real SPARQL server for the small Wikidata of the tests, on loopback.

`SparqlServer` answers from Oxigraph; a script can spoil any of its answers.
"""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs

import pyoxigraph as ox

from .world import DATATYPES, best

ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
ONTOLOGY = "http://wikiba.se/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
MISSING = "http://www.wikidata.org/.well-known/genid/"
MEDIA = "http://commons.wikimedia.org/wiki/Special:FilePath/"


def quads(world):
    """A world as RDF, by Wikidata's mapping."""
    for subject, predicate, node in _triples(world):
        yield ox.Quad(ox.NamedNode(subject), ox.NamedNode(predicate), node)


def _triples(world):
    for prop, datatype in DATATYPES.items():
        name = "".join(part[:1].upper() + part[1:] for part in datatype.split("-"))
        yield ENTITY + prop, ONTOLOGY + "propertyType", ox.NamedNode(ONTOLOGY + name)
    for e in world:
        subject = ENTITY + e["id"]
        texts = [(LABEL, text) for text in e["labels"].values()]
        texts += [(ALIAS, text) for some in e["aliases"].values() for text in some]
        for predicate, text in texts:
            node = ox.Literal(text["value"], language=text["language"])
            yield subject, predicate, node
        for prop, claims in e["claims"].items():
            for n, claim in enumerate(best(claims)):
                snak = claim["mainsnak"]
                if snak["snaktype"] == "somevalue":
                    name = f"{MISSING}{e['id']}-{prop}-{n}"
                    yield subject, DIRECT + prop, ox.NamedNode(name)
                elif snak["snaktype"] == "value":
                    node = _node(snak["datatype"], snak["datavalue"]["value"])
                    yield subject, DIRECT + prop, node


def _node(datatype, value):
    if datatype == "wikibase-item":
        return ox.NamedNode(ENTITY + value["id"])
    if datatype == "monolingualtext":
        return ox.Literal(value["text"], language=value["language"])
    if datatype == "quantity":
        return ox.Literal(value["amount"], datatype=ox.NamedNode(XSD + "decimal"))
    if datatype == "time":
        kind = ox.NamedNode(XSD + "dateTime")
        return ox.Literal(value["time"][1:], datatype=kind)
    if datatype == "globe-coordinate":
        kind = ox.NamedNode("http://www.opengis.net/ont/geosparql#wktLiteral")
        point = f"Point({value['longitude']} {value['latitude']})"
        return ox.Literal(point, datatype=kind)
    if datatype == "commonsMedia":
        return ox.NamedNode(MEDIA + value.replace(" ", "%20"))
    return ox.NamedNode(value) if datatype == "url" else ox.Literal(value)


class Fault(NamedTuple):
    """What comes in the place of an answer: another body than the true one, a share of
    it, whose headers may promise all, or byte by byte; or nothing, until the server is
    released."""

    status: int = 200
    headers: dict = {}  # noqa: RUF012
    body: bytes | None = None
    keep: float = 1.0
    cut: bool = False
    hang: bool = False
    drip: bool = False


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
        for piece in [bytes([byte]) for byte in part] if fault.drip else [part]:
            request.wfile.write(piece)
            request.wfile.flush()
            if fault.drip:
                self._release.wait(0.02)
        if fault.cut:
            request.close_connection = True
