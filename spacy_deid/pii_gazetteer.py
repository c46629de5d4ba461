"""Rules: structured identifiers by patterns, kinds of words by term lists."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example

from .entities.linking import Linker
from .entities.listed import DENY_SOURCE, is_within, note_lists
from .entities.merging import MergePolicy, fold_into_pii, write_ents
from .entities.propagation import Propagator
from .entities.sources import Source, note_reading
from .entities.user_terms import Found, TakesLists, align
from .extensions import install_extensions
from .gazetteers import Gazetteer, SeedTerms, Term, TermStore, Words, read_terms
from .gazetteers.compiled import Evidence
from .gazetteers.wikidata.values import atomic_file
from .patterns.base import Recognizer, find_hits, normalize
from .patterns.user_lists import Entries
from .processes import reads_documents
from .registries import pack, unpack
from .schema import GAZETTEER_KEY, Candidate, set_group, text_of
from .settings import Part, Saved, in_bytes

PATTERNS = {
    name: {"@deid_patterns": f"spacy_deid.{name}_patterns.v1"}
    for name in "address case_number contact date finance named_field national_id network "
    "quantity record_number spoken username vehicle".split()
}

DEFAULT_CONFIG: dict[str, Any] = {
    "patterns": PATTERNS,
    "terms": {"@deid_gazetteers": "spacy_deid.seed_terms.v1"},
    "allow": [],
    "deny": [],
    "sources": {},
    "evidence": {"@misc": "spacy_deid.term_evidence.v1"},
    "term_threshold": 0.2,
    "spans_key": GAZETTEER_KEY,
    "write_ents": False,
    "merge": {"@misc": "spacy_deid.merge_spans.v1"},
    "link": {"@misc": "spacy_deid.link_entities.v1"},
    "propagate": {"@misc": "spacy_deid.propagate_names.v1"},
    "scorer": {"@scorers": "spacy_deid.span_scorer.v1", "spans_key": GAZETTEER_KEY},
}


@Language.factory("pii_gazetteer", assigns=["doc.spans"], default_config=DEFAULT_CONFIG)
def make_pii_gazetteer(
    nlp: Language,
    name: str,
    patterns: dict[str, Any],
    terms: Any,
    allow: list[str | dict[str, str]] | str,
    deny: list[str | dict[str, str]] | str,
    sources: dict[str, Any],
    evidence: Callable | None,
    term_threshold: float,
    spans_key: str,
    write_ents: bool,
    merge: Callable,
    link: Callable | None,
    propagate: Callable | None,
    scorer: Callable | None,
) -> PiiGazetteer:
    """Make the component that finds personal information by patterns and terms.

    patterns (dict[str, Optional[Recognizer]]): Families of patterns by name; a family
        that is null is off.
    terms (Optional[Iterable[Term]]): Terms to find.
    allow (Union[list, str]): Phrases that are never masked, whatever finds them or a
        part of them; or a file with one a line.
    deny (Union[list, str]): Terms that are always masked, in any form: strings (label
        MISC) or dicts with `term`, `label` and `id`; or a file, see `read_entries`.
    sources (dict[str, Callable]): Recognizers before this component whose entities count
        as well, for example `{"@misc": "spacy_deid.entities.v1"}` for `doc.ents`.
    evidence (Optional[Callable]): Tells how likely a term of a compiled gazetteer is
        meant as such where it stands ("may", "nurse" and "Polish" are also everyday
        words); all are taken if null. Terms of `terms` have conditions of their own.
    term_threshold (float): Least probability for terms of compiled gazetteers.
    spans_key (str): Span group for what this component found.
    write_ents (bool): Whether `doc.spans["pii"]` is also written to `doc.ents`.
    merge (Callable): How spans are merged into `doc.spans["pii"]`.
    link (Optional[Callable]): Numbers the entities of the merged spans.
    propagate (Optional[Callable]): Finds further mentions of the merged spans.
    scorer (Optional[Callable]): Scoring method.
    RETURNS (PiiGazetteer): The component.
    """
    install_extensions()
    component = PiiGazetteer(
        nlp.vocab,
        name,
        patterns=patterns,
        terms=terms or (),
        allow=allow,
        deny=deny,
        sources=sources,
        evidence=evidence,
        term_threshold=term_threshold,
        spans_key=spans_key,
        write_ents=write_ents,
        merge=merge,
        link=link,
        propagate=propagate,
        scorer=scorer,
    )
    component._nlp = weakref.ref(nlp)
    return component


class PiiGazetteer(TakesLists, Saved, Pipe):
    """Finds structured identifiers and listed terms.

    vocab (Vocab): The shared vocabulary.
    name (str): Name of the component.
    The other arguments are those of `make_pii_gazetteer`.
    """

    def __init__(
        self,
        vocab: Any,
        name: str = "pii_gazetteer",
        *,
        patterns: Mapping[str, Recognizer | None],
        terms: Iterable[Term] = (),
        allow: Entries = (),
        deny: Entries = (),
        sources: Mapping[str, Source | None] | None = None,
        evidence: Evidence | None = None,
        term_threshold: float = 0.0,
        spans_key: str = GAZETTEER_KEY,
        write_ents: bool = False,
        merge: MergePolicy,
        link: Linker | None = None,
        propagate: Propagator | None = None,
        scorer: Callable | None = None,
    ) -> None:
        self.vocab = vocab
        self.name = name
        self.patterns = dict(patterns)
        # Built when first needed: a saved pipeline brings its own.
        self._seed = terms if isinstance(terms, SeedTerms) else ()
        self._store = None if self._seed else TermStore(terms)
        if not 0 <= term_threshold <= 1:
            raise ValueError(f"'{name}': term_threshold must be from 0 to 1")
        self.gazetteers: list[Gazetteer] = []
        self.evidence = evidence
        self.term_threshold = term_threshold
        self.spans_key = spans_key
        self.write_ents = write_ents
        self.merge = merge
        self.link = link
        self.propagate = propagate
        self.scorer = scorer
        self._nlp: Callable[[], Language | None] | None = None
        self._blocks: dict[str, Any] = {}
        self.set_lists(allow, deny)
        self.sources = {name: s for name, s in (sources or {}).items() if s is not None}

    @property
    def store(self) -> TermStore:
        """The terms."""
        if self._store is None:
            self._store = TermStore(self._seed)
        return self._store

    def add_pattern(self, pattern: Recognizer, name: str = "") -> None:
        """Add a pattern, which is saved with the pipeline if it can say how it is made.

        pattern (Recognizer): Of `spacy_deid.pattern`, an `OwnPattern`, or any
            function of a text that yields hits.
        name (str): Name among the families of patterns; another one of it is replaced.
        """
        name = name or getattr(pattern, "subtype", "") or f"own_{len(self.patterns)}"
        self.patterns[name] = pattern
        nlp = self._nlp() if self._nlp is not None else None
        if nlp is not None and nlp.has_pipe(self.name) and hasattr(pattern, "config"):
            nlp.get_pipe_config(self.name)["patterns"][name] = pattern.config()

    def add_terms(self, terms: Iterable[Term]) -> None:
        """Add terms; they replace listed terms that are written the same.

        terms (Iterable[Term]): The terms.
        """
        self.store.add(terms, override=True)

    def add_gazetteer(self, gazetteer: str | Path | Gazetteer) -> None:
        """Add a compiled gazetteer. It is saved with the component, which then needs no
        other file.

        gazetteer (Union[str, Path, Gazetteer]): A file of `spacy deid gazetteer compile`,
            or what was loaded from one.
        RAISES (GazetteerError): If the file is no whole compiled gazetteer.
        """
        if not isinstance(gazetteer, Gazetteer):
            gazetteer = Gazetteer.load(gazetteer)
        # A damaged trie would end the process, not raise.
        gazetteer.check()
        self.gazetteers.append(gazetteer)

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]] | None = None,
        *,
        nlp: Language | None = None,
        terms: Any = None,
        gazetteers: Any = (),
    ) -> None:
        """Load further terms and gazetteers. They are saved with the component.

        get_examples (Callable): Not used.
        nlp (Language): Not used.
        terms (Union[Iterable[Term], str, Path, List[str]]): Terms, as a registered reader
            gives them, or one or more files (JSON lines, TSV or plain text).
        gazetteers (List[Union[str, Path]]): Compiled gazetteers; they replace those there
            are, so that a pipeline can be initialized again.
        """
        if isinstance(gazetteers, (str, Path)):
            raise ValueError(f"'{self.name}': gazetteers must be a list of files")
        if gazetteers:
            self.gazetteers = []
        for path in gazetteers:
            self.add_gazetteer(path)
        for item in [terms] if isinstance(terms, (str, Path)) else terms or ():
            found = read_terms(item) if isinstance(item, (str, Path)) else [item]
            self.add_terms(found)

    def find(self, doc: Doc) -> list[Candidate]:
        """Everything found in a document, overlaps included; changes nothing.

        doc (Doc): The document.
        RETURNS (list[Candidate]): Candidates in document order.
        """
        text = text_of(doc)
        normal = normalize(text)
        recognizers = [r for r in self.patterns.values() if r is not None]
        found: list[Found] = list(find_hits(text, recognizers, normal))
        listed = self._listed(normal.text)
        found += ((*normal.original(*row[:2]), *row[2:]) for row in listed)
        free = self.allowed(doc)
        own = [c for c in align(doc, text, found) if not is_within(c, free)]
        return sorted({*own, *self.denied(doc)})

    def _listed(self, text: str) -> Iterator[Found]:
        """Terms of the lists and the gazetteers."""
        words = Words(text)
        for start, end, kind in self.store.find(words):
            label, id_, source = kind
            reason = f"in the list '{source}'" if source else "a listed term"
            yield start, end, label, id_, TERM_SCORE, f"term:{source}", reason
        if not self.gazetteers:
            return
        whole = words.undivided()
        variants = [words] if whole is None else [words, whole]
        for gazetteer in self.gazetteers:
            for variant in variants:
                given = variant, self.evidence, self.term_threshold
                for start, end, entry, score in gazetteer.matches(*given):
                    source = f"term:{entry.property or gazetteer.name}"
                    reason = f"{gazetteer.describe(entry)}; probability {score:.2f}"
                    score = round(score, 3)
                    yield start, end, entry.label, entry.id, score, source, reason

    @reads_documents
    def __call__(self, doc: Doc) -> Doc:
        """Find personal information in a document.

        doc (Doc): The document.
        RETURNS (Doc): The document, with `doc.spans` set.
        """
        found = self.find(doc)
        own = set_group(doc, self.spans_key, found)
        if self.sources:
            note_reading(own, self.sources.values())
        # Of the list, and of patterns whose hits are always masked.
        free, denied = self.allowed(doc), [c for c in found if c.source == DENY_SOURCE]
        if free or denied:
            note_lists(own, free, denied)
        doc.spans[self.spans_key] = own
        for source in self.sources.values():
            found += [c for c in source(doc) if not is_within(c, free)]
        fold_into_pii(doc, self.spans_key, self.merge, self.link, self.propagate, found)
        if self.write_ents:
            write_ents(doc)
        return doc

    def parts(self, exclude: Iterable[str]) -> dict[str, Part]:
        """The terms, gazetteers and changed lists; all else stands in the config."""

        def load(rows: Iterable[tuple[str, bytes]]) -> None:
            self.gazetteers = [Gazetteer(data, name) for name, data in rows]

        return {
            "lists": Part(
                self.changed_lists, self.load_lists, self._save_lists, self._read_lists
            ),
            "terms": in_bytes(lambda: self.store.to_bytes(), self._load_terms),
            "gazetteers": Part(
                lambda: [[g.name, g.to_bytes()] for g in self.gazetteers],
                load,
                self._save_gazetteers,
                self._map_gazetteers,
            ),
        }

    def _save_lists(self, path: Path) -> None:
        if self.changed_lists():
            srsly.write_json(path, self.changed_lists())

    def _read_lists(self, path: Path) -> None:
        if path.is_file():
            self.load_lists(srsly.read_json(path))

    def _save_gazetteers(self, path: Path) -> None:
        plain = (re.sub(r"[^\w.-]+", "_", g.name)[:60] for g in self.gazetteers)
        if names := [f"{i:03}-{name}.gaz" for i, name in enumerate(plain)]:
            path.mkdir(exist_ok=True)
        # A file that is mapped into memory may be the one to write: it is replaced.
        for name, gazetteer in zip(names, self.gazetteers):
            with atomic_file(path / name) as file:
                file.write(gazetteer.to_bytes())
        for old in path.glob("*.gaz"):
            if old.name not in names:
                old.unlink()

    def _map_gazetteers(self, folder: Path) -> None:
        self.gazetteers = []
        for file in sorted(folder.glob("*.gaz")):
            self.add_gazetteer(Gazetteer.load(file, file.stem.partition("-")[2]))

    def _load_terms(self, data: bytes) -> None:
        self._store = TermStore().from_bytes(data)

    def _config_blocks(self) -> dict[str, Any]:
        """The config blocks that made the component's functions, where known."""
        nlp = self._nlp() if self._nlp is not None else None
        if nlp is None or not nlp.has_pipe(self.name):
            return self._blocks
        config = nlp.get_pipe_config(self.name)
        return {key: config.get(key) for key in _FUNCTIONS}

    def __reduce__(self) -> tuple:
        blocks = self._config_blocks()
        state = {k: v for k, v in self.__dict__.items() if k not in _OWN}
        functions = {key: pack(state.pop(key), blocks.get(key)) for key in _FUNCTIONS}
        state["_blocks"] = blocks
        terms = self.store.to_bytes()
        return _restore, (type(self), self.vocab, self.name, state, functions, terms)


# What a pickle leaves out.
_OWN = ("_nlp", "_store", "_seed")
# Made anew from their config: closures can't be pickled.
_FUNCTIONS = ("patterns", "sources", "evidence", "merge", "link", "propagate", "scorer")
TERM_SCORE = 0.7


def _restore(
    cls: type[PiiGazetteer],
    vocab: Any,
    name: str,
    state: dict[str, Any],
    functions: dict[str, Any],
    terms: bytes,
) -> PiiGazetteer:
    made = {key: unpack(function) for key, function in functions.items()}
    component = cls(vocab, name, **made)
    component.__dict__.update(state, vocab=vocab)
    component._load_terms(terms)
    return component
