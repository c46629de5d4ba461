"""A real SPARQL server for the small Wikidata of the tests, on loopback."""

from urllib.parse import parse_qs

import pyoxigraph as ox

from ..loopback import Fault, Loopback
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


class SparqlServer(Loopback):
    """A SPARQL endpoint that answers from Oxigraph."""

    def __init__(self, quads=()):
        super().__init__()
        self.store = ox.Store()
        self.store.extend(quads)
        self.url = f"http://{self.host}/sparql"
        self.at_once = 0
        self.forget()

    @property
    def queries(self):
        return [query for query, _, _ in self.requests]

    def forget(self):
        self.requests.clear()
        self.most_at_once = 0
        # Takes number and query of a request, gives a Fault or None.
        self.script = lambda n, query: None

    def handle(self, request, query):
        query = parse_qs(query)["query"][0]
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            n, port = len(self.requests), request.client_address[1]
            self.requests.append((query, dict(request.headers), port))
        try:
            fault = self.script(n, query) or Fault()
            results = "application/sparql-results+json"
            self.send(request, fault, lambda: self.answer(query), results)
        finally:
            with self.lock:
                self.at_once -= 1

    def answer(self, query):
        return self.store.query(query).serialize(format=ox.QueryResultsFormat.JSON)
