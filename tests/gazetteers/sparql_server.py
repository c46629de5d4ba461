"""A real SPARQL server for the small Wikidata of the tests, on loopback.

`SparqlServer` answers from Oxigraph; a script can spoil any of its answers.
"""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


def quads(world):
    """A world as RDF, by Wikidata's mapping."""
    for prop, datatype in DATATYPES.items():
        name = "".join(part[:1].upper() + part[1:] for part in datatype.split("-"))
        yield ox.Quad(
            ox.NamedNode(ENTITY + prop),
            ox.NamedNode(ONTOLOGY + "propertyType"),
            ox.NamedNode(ONTOLOGY + name),
        )
    for e in world:
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
