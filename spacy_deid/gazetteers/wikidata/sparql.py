"""Values that people bear on Wikidata, asked from a SPARQL endpoint.

First the values of each property with the number of people, then the labels of the
values, many at once. A query that takes too long is split by the last digits of the
people's ids, as often as it needs; the numbers of the parts add up. Every finished
answer stays in the cache, so that an interrupted run goes on where it stopped. Only
standard SPARQL 1.1 is used.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...data import facts
from ...processes import progress_bar
from .sparql_client import AnswerCache, Cell, QueryTooSlow, SparqlClient, SparqlError
from .values import (
    CITIZENSHIP,
    COUNTRY_CLASSES,
    DEMONYM,
    HUMAN,
    INSTANCE_OF,
    TERM_DATATYPES,
    Origin,
    Property,
    Value,
    get_languages,
    parse_languages,
)

MAX_DIGITS = 5

ENTITY = "http://www.wikidata.org/entity/"
ONTOLOGY = "http://wikiba.se/ontology#"
PREFIXES = f"""\
PREFIX wd: <{ENTITY}>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX wikibase: <{ONTOLOGY}>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
"""
_LABEL, _ALIAS = "rdfs:label", "skos:altLabel"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_FACTS = facts("sparql")
_LABEL_BATCH = 256
_COUNTRY_BATCH = 16


# Language, kind and text.
_Text = tuple[str, str, str]


class Part(NamedTuple):
    """A part of all people, by the end of their ids.

    digits (str): Last digits.
    singles (tuple[str, ...]): Ids too short to have one more digit, which belong to
        it as well.
    """

    digits: str = ""
    singles: tuple[str, ...] = ()

    def split(self) -> list[Part]:
        """Ten parts that together are this one."""
        singles = self.singles
        # Q7 ends with 7, but with none of 07, 17 ...
        if self.digits and not self.digits.startswith("0"):
            singles = (*singles, f"Q{self.digits}")
        return [Part(f"{d}{self.digits}", () if d else singles) for d in range(10)]

    def filter(self, variable: str) -> str:
        """SPARQL filter that holds for these people."""
        if not self.digits:
            return ""
        tests = [f'STRENDS(STR({variable}), "{self.digits}")']
        if self.singles:
            ids = ", ".join(f"wd:{single}" for single in self.singles)
            tests.append(f"{variable} IN ({ids})")
        return f" FILTER({' || '.join(tests)})"


def fetch_values(
    endpoint: str,
    properties: Iterable[Property],
    languages: Iterable[str] = ("en",),
    *,
    user_agent: str | None,
    cache: str | Path | None = None,
    aliases: bool = True,
    countries: bool = True,
    min_count: int = 1,
    progress: bool = False,
    origin: Origin | None = None,
    **patience: Any,
) -> Iterator[Value]:
    """Values that people bear, from a SPARQL endpoint.

    endpoint (str): Its URL, such as `https://query.wikidata.org/sparql`.
    properties (Iterable[Property]): Properties to ask for.
    languages (Iterable[str]): Languages of labels and aliases.
    user_agent (Optional[str]): Who asks, with an address; services insist on it.
    cache (Optional[Union[str, Path]]): Folder that keeps finished answers; without one
        an interrupted run starts anew.
    countries (bool): Whether to add countries and their demonyms, as values of P27.
    min_count (int): Values that fewer people bear are left out, except countries.
    origin (Optional[Origin]): Where counts of what is no term are added.
    **patience (Any): `timeout`, `delay`, `max_tries`, `max_wait`: see `SparqlClient`.
    RETURNS (Iterator[Value]): The values, in no order that means anything.
    RAISES (ValueError): If an argument won't do.
    RAISES (SparqlError): While iterating, if the endpoint gives no good answer.
    """
    origin = origin if origin is not None else Origin("sparql", endpoint)
    stack = contextlib.ExitStack()
    if cache is None:
        cache = stack.enter_context(tempfile.TemporaryDirectory(prefix="sparql-"))
    client = SparqlClient(endpoint, user_agent, AnswerCache(Path(cache)), **patience)
    codes = get_languages(parse_languages(languages))
    asked = (list(properties), codes, aliases, min_count, origin, progress)
    return _Fetcher(client, *asked).run(countries, stack)


@dataclass
class _Fetcher:
    """One run: the queries and what comes of them."""

    client: SparqlClient
    properties: Sequence[Property]
    languages: Sequence[str]
    aliases: bool
    min_count: int
    origin: Origin
    progress: bool
    # People of each item as a value of each property, by the numbers of both.
    items: Counter[tuple[int, int]] = field(default_factory=Counter)

    def run(self, countries: bool, stack: contextlib.ExitStack) -> Iterator[Value]:
        with stack, contextlib.closing(self.client):
            yield from self._fetch_properties()
            yield from self._fetch_labels()
            if countries:
                yield from self._fetch_countries()
            self.origin.date = self.client.oldest
            self.origin.details["queries"] = self.client.requests
            self.origin.details["queries_from_cache"] = self.client.cached

    def _fetch_properties(self) -> Iterator[Value]:
        types = self._fetch_datatypes(self.properties)
        with self._bar("properties", len(self.properties)) as step:
            for number, prop in enumerate(self.properties):
                step(prop.id, 0)
                datatype = types.get(prop.id, "")
                if datatype and datatype not in TERM_DATATYPES:
                    pattern = f"?h wdt:{INSTANCE_OF} wd:{HUMAN} ; wdt:{prop.id} ?v ."
                    for row in self._ask_parts(pattern, "", _describe(prop)):
                        self.origin.not_terms[datatype] += _number(row[0])
                else:
                    yield from self._fetch_property(number, prop)
                step(prop.id, 1)

    def _ask_halves(
        self,
        items: Sequence[str],
        query: Callable[[str], str],
        names: tuple[str, ...],
        what: str,
        hint: str,
    ) -> Iterator[list[Cell | None]]:
        """Rows on some items, which are parted as often as the time limit needs."""
        try:
            ids = " ".join(f"wd:{item}" for item in items)
            yield from self.client.ask(PREFIXES + query(ids), names, what)
            return
        except QueryTooSlow as error:
            if len(items) == 1:
                problem = f"{self.client.endpoint}, {what}: {error}{hint}"
                raise SparqlError(problem) from error
        half = len(items) // 2
        for part in (items[:half], items[half:]):
            yield from self._ask_halves(part, query, names, what, hint)

    def _fetch_datatypes(self, properties: Sequence[Property]) -> dict[str, str]:
        query = (
            "SELECT ?p ?t WHERE {{ VALUES ?p {{ {} }} ?p wikibase:propertyType ?t }}"
        )
        hint = ". The service is overloaded, or --timeout is too short"
        ids = sorted(p.id for p in properties)
        rows = self._ask_halves(ids, query.format, ("p", "t"), "data types", hint)
        found = {}
        for entity, kind in rows:
            if entity and kind:
                name = kind.value.removeprefix(ONTOLOGY)
                # `GlobeCoordinate` -> `globe-coordinate`: from RDF to the dump's name.
                plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
                id_ = entity.value.removeprefix(ENTITY)
                found[id_] = _FACTS["datatypes"].get(name) or plain
        return found

    def _fetch_property(self, number: int, prop: Property) -> Iterator[Value]:
        pattern = f"?h wdt:{INSTANCE_OF} wd:{HUMAN} ; wdt:{prop.id} ?v ."
        literals: Counter[tuple[str, str]] = Counter()
        for n_cell, cell in self._ask_parts(pattern, "?v", _describe(prop)):
            n = _number(n_cell)
            if cell is None:
                continue
            id_, kind = _item_of(cell)
            if id_:
                self.items[id_, number] += n
            elif kind:
                self.origin.not_terms[kind] += n
            elif cell.tag in self.languages:
                literals[cell.tag, cell.value] += n
            elif cell.tag in ("", _STRING):
                literals["", cell.value] += n
            else:
                self.origin.dropped["other_language"] += 1
        for (tag, text), n in literals.items():
            if self.origin.keeps(n, self.min_count):
                yield Value(prop.id, prop.type, "", n, {tag: [text]})

    def _ask_parts(
        self, pattern: str, group: str, what: str
    ) -> Iterator[list[Cell | None]]:
        """Counts of people, in as few queries as the time limit allows."""
        slow: Counter[int] = Counter()
        parts = [Part()]
        while parts:
            part = parts.pop()
            depth = len(part.digits)
            error: QueryTooSlow | None = None
            # After two that were too slow, others of their size are not tried.
            if slow[depth] < 2 or depth == MAX_DIGITS:
                query = (
                    f"{PREFIXES}SELECT (COUNT(?h) AS ?n) {group} WHERE "
                    f"{{ {pattern}{part.filter('?h')} }}"
                    + (f" GROUP BY {group}" if group else "")
                )
                names = ("n", group[1:]) if group else ("n",)
                try:
                    yield from self.client.ask(query, names, what)
                    continue
                except QueryTooSlow as reason:
                    slow[depth] += 1
                    error = reason
            if depth >= MAX_DIGITS:
                raise SparqlError(
                    f"{self.client.endpoint}, {what}: {error or ''}, "
                    f"even for one in {10**depth:,} people. Run the same command "
                    "again later, raise --timeout, use another endpoint or the dump, "
                    "or leave the property out with --exclude"
                ) from error
            parts.extend(reversed(part.split()))

    def _fetch_labels(self) -> Iterator[Value]:
        found: dict[int, list[tuple[int, int]]] = {}
        for (id_, number), n in sorted(self.items.items()):
            if self.origin.keeps(n, self.min_count):
                found.setdefault(id_, []).append((number, n))
        predicates = (_LABEL, _ALIAS) if self.aliases else (_LABEL,)
        with self._bar("labels", len(found)) as step:
            for batch in _batches(list(found), _LABEL_BATCH):
                texts = self._ask_labels(batch, predicates, "labels")
                for id_ in batch:
                    labels = _labels_of(texts.get(id_, []))
                    for number, n in found[id_]:
                        prop = self.properties[number]
                        yield Value(prop.id, prop.type, f"Q{id_}", n, labels)
                step("", len(batch))

    def _ask_labels(
        self, ids: Sequence[int], predicates: Sequence[str], what: str
    ) -> dict[int, list[_Text]]:
        kinds = " ".join("wdt:" + p if p == DEMONYM else p for p in predicates)
        tags = ", ".join(f'"{code}"' for code in sorted(self.languages))
        rows = self._ask_halves(
            [f"Q{id_}" for id_ in ids],
            lambda items: (
                f"SELECT ?v ?p ?l WHERE {{ VALUES ?v {{ {items} }} "
                f"VALUES ?p {{ {kinds} }} ?v ?p ?l . FILTER(LANG(?l) IN ({tags})) }}"
            ),
            ("v", "p", "l"),
            what,
            ", even for one item. Run the same command again later, or raise --timeout",
        )
        found: dict[int, list[_Text]] = {}
        for value, predicate, text in rows:
            if value and predicate and text:
                kind = _FACTS["predicates"].get(predicate.value, "")
                id_, _ = _item_of(value)
                found.setdefault(id_, []).append((text.tag, kind, text.value))
        return found

    def _fetch_countries(self) -> Iterator[Value]:
        ids: set[int] = set()
        for kind in COUNTRY_CLASSES:
            rows = self._ask_halves(
                [kind],
                lambda kind: f"SELECT ?v WHERE {{ ?v wdt:{INSTANCE_OF} {kind} }}",
                ("v",),
                "countries",
                ". Run the same command again later, or do without them with "
                "--no-countries",
            )
            ids.update(_item_of(cell)[0] for (cell,) in rows if cell)
        ids.discard(0)
        kinds = (_LABEL, _ALIAS, DEMONYM) if self.aliases else (_LABEL, DEMONYM)
        with self._bar("countries", len(ids)) as step:
            for batch in _batches(sorted(ids), _COUNTRY_BATCH):
                people = self._count_citizens(batch)
                texts = self._ask_labels(batch, kinds, "countries")
                for id_ in batch:
                    name, n = f"Q{id_}", people[id_]
                    found = texts.get(id_, [])
                    yield Value(CITIZENSHIP, "DEM", name, n, _labels_of(found))
                    demonyms = {(x, text) for x, kind, text in found if kind == DEMONYM}
                    for tag, text in sorted(demonyms):
                        yield Value(CITIZENSHIP, "DEM", name, n, {tag: [text]})
                step("", len(batch))

    def _count_citizens(self, ids: Sequence[int]) -> Counter[int]:
        items = " ".join(f"wd:Q{id_}" for id_ in ids)
        pattern = (
            f"VALUES ?v {{ {items} }} ?h wdt:{CITIZENSHIP} ?v ; "
            f"wdt:{INSTANCE_OF} wd:{HUMAN} ."
        )
        people: Counter[int] = Counter()
        for n, cell in self._ask_parts(pattern, "?v", "citizens of countries"):
            if cell:
                people[_item_of(cell)[0]] += _number(n)
        return people

    @contextlib.contextmanager
    def _bar(self, name: str, total: int) -> Iterator[Callable[[str, int], None]]:
        """A progress bar; what it yields takes a remark and a number of steps."""
        with progress_bar(name, total, self.progress) as bar:

            def step(remark: str, n: int) -> None:
                told = f"{remark} {self.client.requests} queries"
                bar.set_postfix_str(told.strip(), refresh=False)
                bar.update(n)

            self.client.on_wait = lambda seconds, reason: bar.set_postfix_str(
                f"{reason}: waiting for {seconds:.0f} s"
            )
            yield step
        self.client.on_wait = None


def _labels_of(texts: Iterable[_Text]) -> dict[str, list[str]]:
    """Label first, "" if there is none, then aliases, by language."""
    labels: dict[str, list[str]] = {}
    # Labels before aliases of a language, these by text: a graph has no order.
    for tag, kind, text in sorted(texts, key=lambda x: (x[0], x[1] != _LABEL, x[2])):
        if kind == _LABEL and tag not in labels:
            labels[tag] = [text]
        elif kind in (_LABEL, _ALIAS):
            labels.setdefault(tag, [""]).append(text)
    return labels


def _batches(ids: Sequence[int], size: int) -> Iterator[list[int]]:
    """Batches of about this size that end at ids of their own: one item more or less
    changes one batch only, and the answers for all others can be used again."""
    batch: list[int] = []
    for id_ in ids:
        batch.append(id_)
        # Knuth's multiplicative hash.
        ends = (id_ * 2654435761 % 2**32) >> 16
        if ends % size == 0 or len(batch) >= 2 * size:
            yield batch
            batch = []
    if batch:
        yield batch


def _item_of(cell: Cell) -> tuple[int, str]:
    """Number of an item, or 0; and what a value is that is neither item nor text."""
    if cell.type == "bnode":
        return 0, "somevalue"
    if cell.type == "literal":
        text = ":" not in cell.tag or cell.tag == _STRING
        return 0, "" if text else _FACTS["literals"].get(cell.tag, "literal")
    if cell.value.startswith(ENTITY):
        name = cell.value[len(ENTITY) :]
        if re.fullmatch(r"Q[1-9]\d*", name):
            return int(name[1:]), ""
        return 0, _FACTS["entities"].get(name[:1], "entity")
    if "/.well-known/genid/" in cell.value:
        return 0, "somevalue"
    return 0, "commonsMedia" if "Special:FilePath" in cell.value else "url"


def _number(cell: Cell | None) -> int:
    return int(float(cell.value)) if cell else 0


def _describe(prop: Property) -> str:
    return f"{prop.id} ({prop.label})" if prop.label else prop.id
