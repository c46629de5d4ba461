"""What the two Wikidata sources share: properties, values, and the file of terms.

A source (`sparql.py`, `dump.py`) yields `Value`s, `write_terms` filters them and
writes `TERMS.jsonl` with its manifest. The order in which values come does not matter:
the same values give the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
import sqlite3
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ...data import read_table, table
from ...text.words import normalize_term
from ..readers import make_seed_terms

if TYPE_CHECKING:
    from spacy.language import Language

PROPERTIES = Path(__file__).with_name("properties.tsv")

HUMAN = "Q5"
INSTANCE_OF = "P31"
COUNTRY_CLASSES = ("Q6256", "Q3624078")  # country, sovereign state
CITIZENSHIP = "P27"
DEMONYM = "P1549"
# Labels that hold in every language, mostly of names.
ANY_LANGUAGE = "mul"

TYPES = ("DEM", "MISC")
# Data types of properties whose values are terms; the values of all others are
# counted under their data type's name.
TERM_DATATYPES = ("wikibase-item", "string", "monolingualtext")

# What a generic NER model finds without our help. NORP and LANGUAGE are missing: these
# are what the DEM gazetteer is for.
NAME_LABELS = frozenset(
    "PERSON PER ORG GPE LOC FAC EVENT PRODUCT WORK_OF_ART LAW".split()
)
MAX_CHARS = 100
MAX_WORDS = 12

_NUMBER = re.compile(r"P([1-9]\d*)")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,8})*")
# Direction marks, soft hyphens and byte order marks say nothing in a term.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_JOINERS = re.compile("[\u200c\u200d]")
_BATCH = 1000


class Property(NamedTuple):
    """A Wikidata property whose values are terms.

    id (str): Such as `P106`.
    label (str): English name.
    type (str): `DEM` or `MISC`.
    """

    id: str
    label: str
    type: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value that people bear, the seam between sources and output.

    A source yields each value of a property once: an item with its id, a literal
    (string or monolingual text) with the id "". For each country it yields an item of
    the property P27 and, for each of its demonyms, one more value of P27 with the
    country's id and the demonym in the place of the label. It yields the label and
    aliases in the languages of `get_languages`, and values without any as well.

    property (str): Property.
    type (str): `DEM` or `MISC`.
    id (str): Item, or "" for a literal.
    count (int): People who bear it, each counted once. Only statements of the best
        rank count, as in Wikidata's `wdt:`: the preferred ones of a person's
        statements with the property if there are any, the normal ones otherwise.
    labels (Mapping[str, Sequence[str]]): Label, "" if there is none, then aliases,
        by language; "" is the language of a string.
    """

    property: str
    type: str
    id: str
    count: int
    labels: Mapping[str, Sequence[str]]


@dataclass
class Origin:
    """Where values come from. The source fills in the counts while it yields values.

    source (str): `sparql` or `dump`.
    location (str): Endpoint or file name.
    date (str): Date of the data, ISO 8601.
    not_terms (Counter[str]): Values of people that are no terms, by data type
        (`quantity`, `time`, `external-id`, `wikibase-lexeme`, `somevalue` ...); a
        value of two people counts twice.
    dropped (Counter[str]): Values the source itself left out, by reason.
    details (dict[str, Any]): Anything else for the manifest.
    """

    source: str
    location: str
    date: str = ""
    not_terms: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    details: dict[str, Any] = field(default_factory=dict)

    def keeps(self, people: int, least: int) -> bool:
        """Whether enough people bear a value; one that is too rare is counted."""
        self.dropped["below_min_count"] += people < least
        return people >= least


def load_properties(
    path: str | Path | None = None,
    ids: Iterable[str] | None = None,
    exclude: Iterable[str] = (),
) -> list[Property]:
    """The properties of paper 3, appendix A (44 DEM and 196 MISC), or of a file.

    path (Optional[Union[str, Path]]): TSV file with the columns pid, label and type.
    ids (Optional[Iterable[str]]): Which of them, all by default. `P27:DEM` is a
        property that the file need not have.
    exclude (Iterable[str]): Which to leave out.
    RETURNS (list[Property]): The properties by number.
    RAISES (ValueError): If the file or an id is not as it should be.
    """
    path = Path(path) if path is not None else PROPERTIES
    known: dict[str, Property] = {}
    for n, row in enumerate(read_table(path), 2):
        found = Property(*(row.get(x, "").strip() for x in ("pid", "label", "type")))
        if not _NUMBER.fullmatch(found.id) or found.type not in TYPES:
            raise ValueError(
                f"{path.name}, line {n}: needs the columns pid (P106), label and "
                f"type ({' or '.join(TYPES)}), separated by tabs"
            )
        known[found.id] = found
    if not known:
        raise ValueError(f"{path.name}: there are no properties in it")
    chosen = dict(known) if ids is None else {p.id: p for p in _choose(known, ids)}
    exclude = list(exclude)
    for id_ in exclude:
        if not _NUMBER.fullmatch(id_):
            raise ValueError(f"'{id_}' is not the id of a property, such as P106")
        chosen.pop(id_, None)
    if not chosen:
        raise ValueError("all properties are left out")
    return sorted(chosen.values(), key=lambda p: _number(p.id))


def _choose(known: Mapping[str, Property], ids: Iterable[str]) -> Iterator[Property]:
    for item in ids:
        id_, _, kind = item.strip().partition(":")
        if not _NUMBER.fullmatch(id_) or (kind and kind not in TYPES):
            raise ValueError(
                f"'{item}' is not a property: write P106, or P27:DEM with the type"
            )
        if kind:
            yield Property(id_, known[id_].label if id_ in known else "", kind)
        elif id_ in known:
            yield known[id_]
        else:
            raise ValueError(
                f"{id_} is not in the list of properties: say its type, "
                f"{id_}:DEM or {id_}:MISC"
            )


def _number(id_: str) -> int:
    return int(id_[1:] or 0)


def parse_languages(text: str | Iterable[str]) -> tuple[str, ...]:
    """Language codes, in the order of preference."""
    parts = text.split(",") if isinstance(text, str) else text
    codes = [part.strip().lower().replace("_", "-") for part in parts]
    codes = [code for code in dict.fromkeys(codes) if code]
    for code in codes:
        if not _LANGUAGE.fullmatch(code):
            raise ValueError(f"'{code}' is not a language code, such as en or de")
    if not codes:
        raise ValueError("no language is asked for")
    return tuple(codes)


def get_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """The languages whose labels a source has to yield."""
    return tuple(dict.fromkeys((*languages, ANY_LANGUAGE)))


def clean_term(text: str) -> str:
    """A term as it is written: composed, without invisible characters, blanks single."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return " ".join(text.split())


def why_hopeless(term: str) -> str:
    """Why a text can't serve as a term."""
    if not term:
        return "empty"
    if len(term) > MAX_CHARS or term.count(" ") >= MAX_WORDS:
        return "too_long"
    # Joiners belong to the spelling of some languages.
    if not term.isprintable() and not _JOINERS.sub("", term).isprintable():
        return "unprintable"
    if not any(map(str.isalpha, term)):
        return "number" if any(map(str.isnumeric, term)) else "no_letters"
    # One ideograph is a word, one letter of an alphabet is not.
    if sum(map(str.isalnum, term)) == 1 and not any(
        unicodedata.category(char) == "Lo" and char >= "\u3040" for char in term
    ):
        return "single_letter"
    return ""


class _Row(NamedTuple):
    """A term on its way to the file; rows that differ only in the fields from `rank`
    on are one term."""

    term: str
    label: str
    property: int
    id: int
    rank: int
    language: str
    people: int
    # Country names and nationalities stay, whatever a NER model finds.
    keep: bool


def write_terms(
    values: Iterable[Value],
    path: str | Path,
    manifest: Origin,
    *,
    languages: Iterable[str] = ("en",),
    properties: Iterable[Property] | None = None,
    aliases: bool = True,
    exclude: Collection[str] = (),
    min_count: int = 1,
    drop_names: Language | None = None,
    countries: bool = True,
    country_terms: Mapping[str, Iterable[str]] | None = None,
) -> dict[str, Any]:
    """Write the terms of values and `NAME.manifest.json`, both whole or neither.

    values (Iterable[Value]): What a source yields.
    path (Union[str, Path]): Where to: JSON lines with term, label, id, property,
        count and, where it is known, lang.
    manifest (Origin): What the source says of itself, read after the last value.
    languages (Iterable[str]): Languages of the terms, in the order of preference.
    properties (Optional[Iterable[Property]]): Properties asked for, for the manifest.
    aliases (bool): Whether aliases are terms, or labels only.
    exclude (Collection[str]): Properties left out.
    min_count (int): Values that fewer people bear are left out, except countries.
    drop_names (Optional[Language]): Pipeline whose entities make terms superfluous: one
        in the pipeline's language is left out if the whole of it is one name.
    countries (bool): Whether P27 has country names and nationalities, which no filter
        takes out, and those that are known here but the source lacks (English, French).
    country_terms (Optional[Mapping[str, Iterable[str]]]): Those of other languages.
    RETURNS (dict[str, Any]): The manifest.
    RAISES (ValueError): If the languages or the pipeline don't fit.
    """
    path = Path(path)
    languages = parse_languages(languages)
    names = NameFilter(drop_names, languages) if drop_names is not None else None
    own = {**_own_country_terms(), **(country_terms or {})} if countries else {}
    maker = _TermMaker(languages, aliases, frozenset(exclude), min_count, own)
    summary = _Summary()
    made = _sorted_rows(maker.make_rows(values), path.parent)
    with made as in_order, atomic_file(path) as file:
        rows = _merge(in_order, maker.dropped)
        for row in names.drop(rows) if names is not None else rows:
            file.write(summary.add(row))
        report = {
            "source": manifest.source,
            "location": manifest.location,
            "date": manifest.date,
            **manifest.details,
            "file": path.name,
            **summary.report(),
            "values": maker.values,
            "languages": list(languages),
            "aliases": aliases,
            "properties": {p.id: [p.type, p.label] for p in properties or ()},
            "filters": _report_filters(maker, names, manifest),
        }
        with atomic_file(manifest_path(path)) as second:
            second.write(_as_json(report, indent=2))
    return report


def _as_json(record: dict[str, Any], indent: int | None = None) -> bytes:
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    return text.encode("utf8") + b"\n"


class _Summary:
    """What is in the file."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.properties: Counter[int] = Counter()
        self.labels: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()

    def add(self, row: _Row) -> bytes:
        """Count a term and give its line."""
        record = {
            "term": row.term,
            "label": row.label,
            "id": f"Q{row.id}" if row.id else "",
            "property": f"P{row.property}",
            "count": row.people,
            **({"lang": row.language} if row.language else {}),
        }
        line = _as_json(record)
        self.digest.update(line)
        self.properties[row.property] += 1
        self.labels[row.label] += 1
        self.languages[row.language or "none"] += 1
        return line

    def report(self) -> dict[str, Any]:
        """Its part of the manifest."""
        return {
            "sha256": self.digest.hexdigest(),
            "terms": self.labels.total(),
            "counts": {
                "property": {f"P{n}": k for n, k in sorted(self.properties.items())},
                "label": dict(sorted(self.labels.items())),
                "language": dict(sorted(self.languages.items())),
            },
        }


def _report_filters(
    maker: _TermMaker, names: NameFilter | None, origin: Origin
) -> dict[str, Any]:
    """The filters with what each took, for the manifest."""
    unfit, source = maker.dropped.copy(), origin.dropped.copy()
    rare = unfit.pop("below_min_count", 0) + source.pop("below_min_count", 0)
    return {
        "excluded_properties": sorted(maker.exclude, key=_number),
        "excluded_values": unfit.pop("excluded", 0),
        "min_count": maker.min_count,
        "below_min_count": rare,
        "without_label": unfit.pop("without_label", 0),
        "names_of": names.name if names is not None else None,
        "names": names.dropped if names is not None else 0,
        "countries": maker.countries,
        "seed_terms_added": maker.seeds,
        "duplicates": unfit.pop("duplicates", 0),
        "unfit_terms": dict(sorted(unfit.items())),
        "not_terms": dict(sorted(origin.not_terms.items())),
        "left_out_by_source": dict(sorted(source.items())),
    }


def manifest_path(path: Path) -> Path:
    """Where the manifest of a file of terms stands: `TERMS.manifest.json`."""
    return path.with_name(f"{path.stem}.manifest.json")


class _TermMaker:
    """Makes rows of values and counts what falls away."""

    def __init__(
        self,
        languages: Sequence[str],
        aliases: bool,
        exclude: Collection[str],
        min_count: int,
        country_terms: Mapping[str, Iterable[str]],
    ):
        # Strings have no language and hold in any.
        self.ranks = {code: n for n, code in enumerate((*get_languages(languages), ""))}
        self.aliases = aliases
        self.exclude = exclude
        self.min_count = min_count
        self.countries = bool(country_terms) and CITIZENSHIP not in exclude
        own = country_terms if self.countries else {}
        self.country_terms = {code: own[code] for code in own if code in languages}
        self.dropped: Counter[str] = Counter()
        self.values = self.seeds = 0

    def make_rows(self, values: Iterable[Value]) -> Iterator[_Row]:
        known: set[tuple[str, str]] = set()
        for value in values:
            if value.property in self.exclude:
                self.dropped["excluded"] += 1
                continue
            exempt = self.countries and value.property == CITIZENSHIP
            if value.count < self.min_count and not exempt:
                self.dropped["below_min_count"] += 1
                continue
            if not (rows := list(self._rows_of(value, exempt))):
                continue
            self.values += 1
            if exempt:
                known.update((row.language, normalize_term(row.term)) for row in rows)
            yield from rows
        number = _number(CITIZENSHIP)
        for code, terms in self.country_terms.items():
            for term in map(clean_term, terms):
                if (code, normalize_term(term)) in known or why_hopeless(term):
                    continue
                known.add((code, normalize_term(term)))
                self.seeds += 1
                yield _Row(term, "DEM", number, 0, self.ranks[code], code, 0, True)

    def _rows_of(self, value: Value, keep: bool) -> Iterator[_Row]:
        seen: set[str] = set()
        any_text = False
        ids = _number(value.property), _number(value.id)
        for code, rank in self.ranks.items():
            texts = value.labels.get(code) or ()
            for text in texts if self.aliases else texts[:1]:
                # An empty first text says that there is no label.
                if not text:
                    continue
                any_text = True
                term = clean_term(text)
                if reason := why_hopeless(term):
                    self.dropped[reason] += 1
                elif term not in seen:
                    seen.add(term)
                    yield _Row(term, value.type, *ids, rank, code, value.count, keep)
        if not any_text:
            self.dropped["without_label"] += 1


def _own_country_terms() -> dict[str, list[str]]:
    """Countries and nationalities of languages that have no pack of surrogates."""
    english = make_seed_terms(["countries", "nationalities"])
    own: dict[str, list[str]] = {"en": [term.term for term in english], "fr": []}
    for row in table("nationalities"):
        for code, terms in own.items():
            names = row["country"] * (code == "en"), *row[code].split(",")
            terms += filter(None, names)
    return own


def _merge(rows: Iterable[_Row], dropped: Counter[str]) -> Iterator[_Row]:
    """One row for each term of a value. Rows have to be sorted."""
    for _, group in itertools.groupby(rows, key=lambda row: row[:4]):
        same = list(group)
        dropped["duplicates"] += len(same) - 1
        # The people of two spellings of a literal are different ones.
        counts = [row.people for row in same]
        count = max(counts) if same[0].id else sum(counts)
        yield same[0]._replace(people=count, keep=any(row.keep for row in same))


@contextlib.contextmanager
def _sorted_rows(rows: Iterable[_Row], folder: Path) -> Iterator[Iterator[_Row]]:
    """More rows than memory holds, sorted by a database in a folder.

    RAISES (OSError): If there is no room for it.
    """
    columns = ", ".join([*_Row._fields, "number"])
    marks = ", ".join("?" * len(_Row._fields))
    with tempfile.TemporaryDirectory(prefix=".terms-", dir=folder) as work:
        db = sqlite3.connect(Path(work, "rows.sqlite"), isolation_level=None)
        try:
            # Nothing of it outlives a fault.
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA synchronous = OFF")
            key = f"PRIMARY KEY ({columns})"
            db.execute(f"CREATE TABLE rows ({columns}, {key}) WITHOUT ROWID")
            db.execute("BEGIN")
            insert = f"INSERT INTO rows VALUES ({marks}, ?)"
            db.executemany(insert, ((*row, n) for n, row in enumerate(rows)))
            found = db.execute(f"SELECT * FROM rows ORDER BY {columns}")
            yield (_Row(*values[:-1]) for values in found)
        except sqlite3.Error as error:
            raise OSError(f"{folder}: terms cannot be sorted there: {error}") from error
        finally:
            db.close()


class NameFilter:
    """Leaves out the terms that a pipeline takes for names as a whole.

    nlp (Language): Pipeline.
    languages (Sequence[str]): Languages of the terms.
    RAISES (ValueError): If the pipeline finds no entities or is of another language.
    """

    def __init__(self, nlp: Language, languages: Sequence[str]):
        self.nlp = nlp
        self.name = f"{nlp.lang}_{nlp.meta['name']}-{nlp.meta['version']}"
        assigned = (x for n in nlp.pipe_names for x in nlp.get_pipe_meta(n).assigns)
        if not {"doc.ents", "doc.spans"}.intersection(assigned):
            problem = f"the pipeline {self.name} has no component that finds names"
            raise ValueError(problem)
        # Parts of this package that only work on what was found.
        work_later = ("risk_scorer", "pseudonymizer")
        factories = {n: nlp.get_pipe_meta(n).factory for n in nlp.pipe_names}
        self.disable = [n for n, made in factories.items() if made in work_later]
        every = nlp.lang in ("xx", ANY_LANGUAGE)
        self.codes = {
            code
            for code in (*languages, ANY_LANGUAGE, "")
            if every or code in ("", ANY_LANGUAGE) or code.partition("-")[0] == nlp.lang
        }
        if not self.codes & set(languages):
            raise ValueError(
                f"the pipeline {self.name} reads '{nlp.lang}', the terms are in "
                f"{', '.join(languages)}"
            )
        self.dropped = 0

    def drop(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        rows = iter(rows)
        while batch := list(itertools.islice(rows, _BATCH)):
            asked = {r.term for r in batch if not r.keep and r.language in self.codes}
            names = self._find(sorted(asked))
            for row in batch:
                if row.term in names and not row.keep and row.language in self.codes:
                    self.dropped += 1
                else:
                    yield row

    def _find(self, terms: Sequence[str]) -> set[str]:
        docs = self.nlp.pipe(terms, disable=self.disable)
        return {doc.text for doc in docs if _is_name(doc)}


def _is_name(doc: Any) -> bool:
    return any(
        span.start == 0 and span.end == len(doc) and span.label_ in NAME_LABELS
        for span in [*doc.ents, *doc.spans.get("pii", ())]
    )


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes its name only when it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; these are no secret.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
