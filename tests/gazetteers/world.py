"""A small Wikidata made for the tests: entities as its JSON dump has them, and what
people bear, in plain Python."""

import json
import random
from collections import Counter
from pathlib import Path

from spacy_deid.gazetteers.wikidata import values as wikidata

_WORLD = json.loads(Path(__file__).with_name("world.json").read_text("utf8"))
# Item: labels and aliases by language; country: classes, labels, demonyms; what people
# bear: how many times, which values, of which ranks.
ITEMS, COUNTRIES, BORNE = (_WORLD[name] for name in ("items", "countries", "borne"))
DATATYPES, UNKNOWN = _WORLD["datatypes"], ("somevalue", "novalue")
# How values of other types than strings are written.
FORMS = {
    "wikibase-item": ("wikibase-entityid", lambda id_: {
        "entity-type": "item", "id": id_, "numeric-id": int(id_[1:])}),
    "monolingualtext": ("monolingualtext", lambda v: {"language": v[0], "text": v[1]}),
    "quantity": ("quantity", lambda v: {"amount": f"+{v}", "unit": "1"}),
    "time": ("time", lambda v: {"time": f"+{v}T00:00:00Z"}),
    "globe-coordinate": ("globecoordinate", lambda v: {
        "latitude": v[0], "longitude": v[1]}),
}  # fmt: skip


def statement(prop, value, rank="normal", snak="value"):
    datatype = DATATYPES[prop]
    main = {"snaktype": snak, "property": prop, "datatype": datatype}
    if snak == "value":
        form, make = FORMS.get(datatype, ("string", str))
        main["datavalue"] = {"type": form, "value": make(value)}
    return {"mainsnak": main, "type": "statement", "rank": rank}


def entity(id_, labels=None, claims=()):
    made = {"type": "item", "id": id_, "labels": {}, "aliases": {}, "claims": {}}
    for tag, texts in (labels or {}).items():
        label, *aliases = [{"language": tag, "value": text} for text in texts]
        if label["value"]:
            made["labels"][tag] = label
        if aliases:
            made["aliases"][tag] = aliases
    for claim in claims:
        made["claims"].setdefault(claim["mainsnak"]["property"], []).append(claim)
    return made


def best(claims):
    """Statements of the best rank, as in `wdt:`."""
    preferred = [c for c in claims if c["rank"] == "preferred"]
    return preferred or [c for c in claims if c["rank"] == "normal"]


def borne(entity, prop):
    """The terms of the best statements: an item's id, or language and text."""
    found = set()
    for claim in best(entity["claims"].get(prop, [])):
        snak = claim["mainsnak"]
        if snak["snaktype"] != "value":
            continue
        value = snak["datavalue"]["value"]
        if snak["datatype"] == "wikibase-item":
            found.add(value["id"])
        elif snak["datatype"] == "monolingualtext":
            found.add((value["language"], value["text"]))
        elif snak["datatype"] == "string":
            found.add(("", value))
    return found


def as_table(values):
    """Values in an order of their own; aliases as a set in effect."""
    rows = []
    for v in values:
        labels = {k: [t[0], *sorted(t[1:])] for k, t in sorted(v.labels.items())}
        rows.append((v.property, v.type, v.id, v.count, json.dumps(labels)))
    return sorted(rows)


def to_dump(lines, start="[\n", between=",\n", end="\n]\n"):
    return (start + between.join(lines) + end).encode()


class World(list):
    def __init__(self, people=400, seed=0):
        choose = random.Random(seed)
        super().__init__(entity(id_, labels) for id_, labels in ITEMS.items())
        for id_, (classes, labels, demonyms) in COUNTRIES.items():
            claims = [statement("P31", c) for c in classes]
            for tag, texts in demonyms.items():
                claims += [statement("P1549", (tag, text)) for text in texts]
            self.append(entity(id_, labels, claims))
        # Short ids too: they have fewer digits than a deep split looks at.
        ids = [1, 2, 3, 7, 10, 17, 42, 100, 107, 1007]
        while len(ids) < people:
            number = choose.choice((choose.randrange(10**4), choose.randrange(10**8)))
            if number and f"Q{number}" not in {*ITEMS, *COUNTRIES}:
                ids.append(number)
        for number in sorted(set(ids)):
            self.append(self._make_human(choose, f"Q{number}"))
        # Others who bear the same values, and must not be counted.
        for n in range(50):
            borne_too = [("P31", "Q95074"), ("P106", "Q33999"), ("P106", "Q144"),
                         ("P27", "Q183")]  # fmt: skip
            claims = [statement(*row) for row in borne_too]
            self.append(entity(f"Q{2 * 10**8 + n}", claims=claims))
        not_human = [
            [statement("P31", "Q5", "deprecated"), statement("P31", "Q95074")],
            [statement("P31", "Q5"), statement("P31", "Q95074", "preferred")],
            [statement("P31", "Q5", snak="somevalue")],
        ]
        for n, claims in enumerate(not_human):
            claims.append(statement("P106", "Q36180"))
            self.append(entity(f"Q{3 * 10**8 + n}", claims=claims))

    def _make_human(self, choose, id_):
        claims = [statement("P31", "Q5")]
        for prop, (numbers, values, ranks) in BORNE.items():
            # Some bear a value twice: still one person.
            for _ in range(choose.choice(numbers)):
                rank = choose.choice(ranks)
                claims.append(statement(prop, choose.choice(values), rank))
        if choose.random() < 0.1:
            claims += (statement("P140", None, snak=snak) for snak in UNKNOWN)
        if choose.random() < 0.2:
            others = {"P2002": f"user{id_}", "P2043": "1.8", "P569": "1950-01-01",
                      "P18": f"Face {id_}.jpg", "P625": (1.5, 2.5),
                      "P856": f"https://example.org/{id_}"}  # fmt: skip
            claims += [statement(*row) for row in others.items()]
        # As in Wikidata, people have labels that are nobody's term.
        return entity(id_, {"en": [f"Person {id_}"]}, claims)

    def humans(self):
        return [e for e in self if "Q5" in borne(e, "P31")]

    def counts(self, prop):
        return Counter(value for e in self.humans() for value in borne(e, prop))

    def labels(self, id_, languages):
        """Label, "" if there is none, and aliases by language."""
        found = next(e for e in self if e["id"] == id_)
        texts = {}
        for tag in languages:
            label = found["labels"].get(tag, {}).get("value", "")
            aliases = sorted({a["value"] for a in found["aliases"].get(tag, [])})
            if label or aliases:
                texts[tag] = [label, *aliases]
        return texts

    def values(self, properties, languages, min_count=1, countries=True):
        """What a source has to yield."""
        tags = wikidata.get_languages(languages)
        for p in properties:
            for value, n in self.counts(p.id).items():
                if n < min_count:
                    continue
                if isinstance(value, str):
                    labels = self.labels(value, tags)
                    yield wikidata.Value(p.id, p.type, value, n, labels)
                elif value[0] in ("", *tags):
                    yield wikidata.Value(p.id, p.type, "", n, {value[0]: [value[1]]})
        people = self.counts("P27")
        for e in self if countries else ():
            if borne(e, "P31") & {*wikidata.COUNTRY_CLASSES}:
                own = [self.labels(e["id"], tags)]
                own += [{k: [text]} for k, text in borne(e, "P1549") if k in tags]
                for labels in own:
                    yield wikidata.Value("P27", "DEM", e["id"], people[e["id"]], labels)
