"""Replaces what is to be masked and proves that nothing of it is left."""

from __future__ import annotations

import hashlib
import re
import weakref
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from spacy import util
from spacy.attrs import IDX
from spacy.language import Language
from spacy.tokens import Doc

from .extensions import install_extensions
from .lang.name_forms import name_forms
from .registries import registry
from .schema import (
    DEID_KEY,
    IDENTIFIER_TYPES,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    StrategyError,
    group_attr,
    set_group,
    strictest,
    subtype_of,
    text_of,
)
from .surrogates.base import Mention, RandomFor, SurrogateMaker, match_case
from .surrogates.consistency import (
    SCOPES,
    KeyLike,
    KeySource,
    make_random_for,
    number_entities,
    salted,
    with_interval,
)
from .surrogates.strategies.base import Context, Strategy, get_strategy, has_content
from .surrogates.sweep.name_words import plural_ending
from .surrogates.sweep.occurrences import Hit, Sweep
from .surrogates.sweep.runs import Runs, compact, read_words
from .surrogates.sweep.spellings import USERNAME, Spellings
from .text.offsets import splice, to_old

MASKS = ("risky", "all")
SWEEP_SOURCE = "propagation:sweep"
CONTEXT_CHARS = 30
# Redraws before a surrogate that holds an original gives way to a mark, and rounds of
# the search for what a replacement laid bare.
MAX_REDRAWS = 3
MAX_ROUNDS = 30

_POSSESSIVE = re.compile(r"(?:['’ʼ＇`´][sS]?)$")
_POSSESSIVE_END = "sS'’ʼ＇`´"
_APOSTROPHES = ("'", "’")
# An apostrophe that is a possessive ending by itself: "Daniels' house".
_NO_WORD_BEHIND = re.compile(r"(?![\w'’])")
_BARE_ENDS = tuple("sSxXzZ")
_OPENING = re.compile(r"(?<!\w)['‘](?=\w)")
_MARK_CHARS = "*#_~=+-.•§"
# Spans to keep of these types go as a whole if a part of them has to go: half a name is
# nobody's, and dates and numbers are read as a whole. "Oslo Town Council" is "Bergen Town
# Council" where only the town is masked.
_WHOLE_LABELS = frozenset(("PERSON", "CODE", "DATETIME", "QUANTITY"))


class _Item(NamedTuple):
    """A span of the input: what it is and what shall become of it."""

    start: int
    end: int
    label: str
    subtype: str
    entity_id: int
    decision: str
    score: float
    source: str
    # Left as it is by a strategy that replaces with a probability.
    by_chance: bool = False


class _Piece(NamedTuple):
    """A stretch of text that one surrogate replaces; offsets are characters.

    What lies between `core_end` and `end` (a possessive or plural ending) is put
    behind the surrogate. `spelt` is the masked string that it is another spelling of,
    or "".
    """

    start: int
    core_end: int
    end: int
    item: _Item
    swept: bool
    plural: bool
    spelt: str = ""


class _Region(NamedTuple):
    """Whole tokens that change; the pieces in them are replaced."""

    start: int
    end: int
    start_char: int
    end_char: int
    item: _Item
    decision: str
    swept: bool
    pieces: list[_Piece]


class _Output(NamedTuple):
    """What is written to the document."""

    regions: list[_Region]
    new_texts: list[str]
    offsets: list[list[int]]
    text: str


@Language.factory(
    "pseudonymizer",
    requires=["doc.spans"],
    assigns=["doc._.deid_text", "doc._.deid_offsets", "doc._.deid_epsilon"],
    default_config={
        "strategy": {"@deid_strategies": "spacy_deid.full_entity.v1"},
        "surrogates": {"@deid_surrogates": "spacy_deid.language_surrogates.v1"},
        "mask": "risky",
        "scope": "document",
        "spans_key": PII_KEY,
        "mask_key": MASK_KEY,
        "key_env": None,
        "key": None,
        "recall": None,
    },
)
def make_pseudonymizer(
    nlp: Language,
    name: str,
    strategy: Callable,
    surrogates: Callable,
    mask: str,
    scope: str,
    spans_key: str,
    mask_key: str,
    key_env: str | None,
    key: Callable | None,
    recall: float | None,
) -> Pseudonymizer:
    """Make the component that writes the de-identified text.

    nlp (Language): The pipeline.
    name (str): Name of the component.
    strategy (Callable): How to replace, from the registry `deid_strategies`.
    surrogates (Callable): Surrogate generator, from the registry `deid_surrogates`.
    mask (str): "risky" replaces what is labelled DIRECT or QUASI, "all" every span.
    scope (str): Where one entity has one surrogate: "mention" (nowhere), "sentence",
        "document", or "corpus": key, type and normalised entity alone decide there, so
        that machines that share the key agree; it refuses to work without a key.
    spans_key (str): Span group of the detectors.
    mask_key (str): Span group of the risk scorer; `spans_key` is read without it.
    key_env (Optional[str]): Name of the environment variable that holds the secret
        key. Without one each document gets a fresh random key.
    key (Optional[Callable]): Registered function that gives the secret key, in place of
        an environment variable; it is asked for each document.
    recall (Optional[float]): The detectors' measured recall, which caps the
        probability of replacement in `doc._.deid_epsilon`.
    RETURNS (Pseudonymizer): The component.
    """
    component = Pseudonymizer(
        name,
        strategy=strategy,
        surrogates=surrogates,
        mask=mask,
        scope=scope,
        spans_key=spans_key,
        mask_key=mask_key,
        key_env=key_env,
        key=key,
        recall=recall,
        stop_words=nlp.Defaults.stop_words,
    )
    component._nlp = weakref.ref(nlp)
    return component


class Pseudonymizer:
    """Replaces masked spans, and all else in the text that repeats them.

    The `Doc` keeps its text. The new text is `doc._.deid_text`, the two-way map
    between both `doc._.deid_offsets`, the replacements are `doc.spans["deid"]`.

    name (str): Name of the component.
    strategy (Callable): How to replace.
    surrogates (Callable): Surrogate generator.
    mask (str): "risky" or "all".
    scope (str): "mention", "sentence", "document" or "corpus".
    spans_key (str): Span group of the detectors.
    mask_key (str): Span group of the risk scorer.
    key_env (Optional[str]): Environment variable that holds the secret key.
    key (Optional[Callable]): Function that gives the secret key.
    recall (Optional[float]): The detectors' measured recall.
    stop_words (Iterable[str]): Function words of the pipeline's language.
    """

    def __init__(
        self,
        name: str,
        *,
        strategy: Strategy,
        surrogates: SurrogateMaker,
        mask: str = "risky",
        scope: str = "document",
        spans_key: str = PII_KEY,
        mask_key: str = MASK_KEY,
        key_env: str | None = None,
        key: Callable[[], bytes | str] | None = None,
        recall: float | None = None,
        stop_words: Iterable[str] = (),
    ) -> None:
        install_extensions()
        self.name = name
        self._key = KeySource(key_env, key)
        self.strategy = strategy  # type: ignore[assignment]
        self.surrogates = surrogates
        self.mask = mask
        self.scope = scope
        self.spans_key = spans_key
        self.mask_key = mask_key
        self.recall = recall
        self.stop_words = frozenset(stop_words)
        self._nlp: Callable[[], Language | None] | None = None
        # Deny lists of a pipeline that is in another process.
        self._denied: tuple[Callable[[str], bool], ...] = ()
        # Only what is changed later is saved: the rest is in the pipeline's config,
        # where a user who loads it can still override it.
        self._built = self._settings()

    @property
    def strategy(self) -> Strategy:
        """How to replace. Set it to a strategy or to the name of one."""
        return self._strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | str) -> None:
        self._strategy = (
            get_strategy(strategy) if isinstance(strategy, str) else strategy
        )

    @property
    def mask(self) -> str:
        """What to replace: "risky" or "all"."""
        return self._mask

    @mask.setter
    def mask(self, mask: str) -> None:
        if mask not in MASKS:
            raise ValueError(
                f"'mask' should be one of {', '.join(MASKS)}, not {mask!r}"
            )
        self._mask = mask

    @property
    def scope(self) -> str:
        """Where one entity has one surrogate: "mention", "sentence", "document" or
        "corpus"."""
        return self._scope

    @scope.setter
    def scope(self, scope: str) -> None:
        if scope not in SCOPES:
            raise ValueError(
                f"'scope' should be one of {', '.join(SCOPES)}, not {scope!r}"
            )
        self._scope = scope

    @property
    def recall(self) -> float | None:
        """The detectors' measured recall."""
        return self._recall

    @recall.setter
    def recall(self, recall: float | None) -> None:
        if recall is not None and not 0.0 <= recall <= 1.0:
            raise ValueError(f"'recall' should be a number from 0 to 1, not {recall}")
        self._recall = recall

    @property
    def key_env(self) -> str | None:
        """Name of the environment variable that holds the secret key."""
        return self._key.env

    @key_env.setter
    def key_env(self, name: str | None) -> None:
        self._key.env = name

    def set_key(self, key: KeyLike | None) -> None:
        """Use a secret key, which is never saved, pickled or shown.

        A copy of the component in another process has to be given it again (or use
        `key_env`): it refuses to work rather than draw other surrogates.

        key (Union[bytes, str, Callable, None]): The key or a function that gives it;
            None to go back to `key_env` or the config's `key`.
        """
        self._key.set(key)

    def _deny_lists(self) -> tuple[Callable[[str], bool], ...]:
        """Deny lists of the pipeline's other components: their terms are always masked,
        so none may be put into a text."""
        nlp = self._nlp() if self._nlp is not None else None
        if nlp is None:
            return self._denied
        found = (getattr(pipe, "deny_list", None) for _, pipe in nlp.pipeline)
        return tuple(deny for deny in found if deny is not None)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        # The pipeline itself stays where it is.
        state["_nlp"], state["_denied"] = None, self._deny_lists()
        for attr, kind in _REGISTRIES.items():
            # Local functions can't be pickled, their registered names can.
            name = _registered_name(kind, state[attr])
            if name is not None:
                state[attr] = _ByName(kind, name)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for attr in _REGISTRIES:
            if isinstance(state[attr], _ByName):
                state[attr] = registry.get(*state[attr])()
        self.__dict__.update(state)
        install_extensions()

    def __call__(self, doc: Doc) -> Doc:
        """Write the de-identified text of a document to its extension attributes.

        doc (Doc): The document, which detectors have seen.
        RETURNS (Doc): The same document, its text unchanged.
        RAISES (ValueError): If no detector has run, a configured key is missing, or
            the scope needs a key or sentences that are not there.
        RAISES (RuntimeError): If the text can't be freed of what is masked.
        """
        items = self._read_items(doc)
        self._check_scope(doc)
        text = text_of(doc)
        digest = _digest(text)
        random_for_attempt = self._random_for_attempts(doc, digest)
        if all(item.decision == NO_MASK for item in items):
            self._write(doc, _Output([], [], [], text))
            return doc
        items = self._leave_by_chance(doc, text, digest, items, random_for_attempt(0))
        job = _Job(doc, text, digest, items, self.stop_words, self._deny_lists())
        for _ in range(MAX_ROUNDS):
            regions = job.regions()
            output = self._replace(job, regions, random_for_attempt)
            if output is not None:
                self._write(doc, job.with_kept(output))
                return doc
        raise RuntimeError(
            f"masked text would survive at {_places(regions)} (character offsets "
            f"of the replacements): the document was left out"
        )

    def _random_for_attempts(self, doc: Doc, digest: str) -> Callable[[int], RandomFor]:
        key = self._key.get()
        subject = self._subject(doc)
        first = make_random_for(key)
        interval = ""
        if subject is not None:
            interval = f"subject {subject}"
        elif self.scope != "corpus" and self._key.lasting:
            # A key serves many documents, and one interval would be easier to find.
            interval = f"document {digest}"
        fixed = subject is not None or self.scope == "corpus"

        def random_for(attempt: int) -> RandomFor:
            again = make_random_for(key, f"\0{attempt}") if attempt else first
            return with_interval(again, interval, first if fixed else None)

        return random_for

    def _subject(self, doc: Doc) -> str | None:
        subject = doc._.deid_subject
        if subject is None:
            return None
        # No bool: it is an int, and nobody's id.
        if isinstance(subject, bool) or not isinstance(subject, str | int):
            raise ValueError(
                "doc._.deid_subject should be a string or a number, not "
                f"{type(subject).__name__}"
            )
        if not self._key.lasting:
            raise ValueError(
                "doc._.deid_subject needs a secret key that all documents of the "
                "subject share: name its environment variable in 'key_env', or call "
                "set_key()"
            )
        return str(subject)

    def _check_scope(self, doc: Doc) -> None:
        if self.scope == "corpus" and not self._key.lasting:
            raise ValueError(
                "the scope 'corpus' needs a secret key that all documents share: name "
                "its environment variable in 'key_env', or call set_key()"
            )
        if self.scope == "sentence" and not doc.has_annotation("SENT_START"):
            raise ValueError(
                f"the scope 'sentence' needs sentences: add a component that finds "
                f"them, such as 'sentencizer', before '{self.name}'"
            )

    def _leave_by_chance(
        self,
        doc: Doc,
        text: str,
        digest: str,
        items: list[_Item],
        random_for: RandomFor,
    ) -> list[_Item]:
        """The spans, those marked that a strategy leaves as they are by chance."""
        keeps = getattr(self.strategy, "keeps", None)
        if keeps is None:
            return items
        where = [i for i, item in enumerate(items) if item.decision != NO_MASK]
        mentions = [_whole_mention(doc, text, items[i]) for i in where]
        answers = keeps(mentions, random_for, digest, self.recall)
        items = list(items)
        for i, kept in zip(where, answers, strict=True):
            items[i] = items[i]._replace(by_chance=bool(kept))
        return items

    def _read_items(self, doc: Doc) -> list[_Item]:
        """The spans to judge, in document order, entities numbered."""
        if self.mask_key in doc.spans:
            group = doc.spans[self.mask_key]
            decided = True
        elif self.spans_key in doc.spans:
            group = doc.spans[self.spans_key]
            decided = False
        else:
            raise ValueError(
                f"the document has neither a span group '{self.mask_key}' nor "
                f"'{self.spans_key}': add a detector (pii_gazetteer, pii_ner) before "
                f"'{self.name}'"
            )
        # What the risk scorer has written need not be looked up.
        known: dict[tuple[int, int], tuple[str, str, Any]] = {}
        if decided and not all(
            len(group.attrs.get(name) or ()) == len(group)
            for name in ("labels", "entity_ids")
        ):
            known = _detected(doc, self.spans_key)
        scores = group_attr(group, "scores", 1.0)
        sources = group_attr(group, "sources", "")
        entity_ids = group_attr(group, "entity_ids", None)
        labels = group_attr(group, "labels", "")
        items: list[_Item] = []
        unlinked = False
        for i, span in enumerate(group):
            start, end = span.start, span.end
            if start >= end:
                continue
            label, subtype, entity_id = span.label_, span.id_, entity_ids[i]
            decision = QUASI
            if decided:
                found = known.get((start, end), ("", "", None))
                if label in IDENTIFIER_TYPES:
                    decision, label = label, labels[i] or found[0]
                subtype = subtype or found[1]
                entity_id = found[2] if entity_id is None else entity_id
            if decision == NO_MASK and self.mask == "all":
                decision = QUASI
            number = -1 if entity_id is None else int(entity_id)
            # A Wikidata id would tell what the surrogate hides.
            if subtype:
                subtype = subtype_of(subtype, sources[i])
            unlinked = unlinked or number < 0
            kind = label or "MISC"
            items.append(
                _Item(
                    start, end, kind, subtype, number, decision, scores[i], sources[i]
                )
            )
        if unlinked:
            numbers = number_entities(
                [doc[item.start : item.end].text for item in items],
                [item.label for item in items],
                [item.entity_id for item in items],
            )
            items = [i._replace(entity_id=n) for i, n in zip(items, numbers)]
        return sorted(items)

    def _replace(
        self, job: _Job, regions: list[_Region], random_for: Callable[[int], RandomFor]
    ) -> _Output | None:
        """The new text; None if something masked is still there (the job then knows
        more to replace)."""
        pieces = [piece for region in regions for piece in region.pieces]
        if not pieces:
            return _Output(regions, [], [], job.text)
        surrogates = self._draw(job, pieces, random_for)
        new_texts, rows = job.render(regions, pieces, surrogates)
        offsets = _offsets(regions, new_texts)
        text = splice(job.text, offsets, new_texts)
        if job.check(text, rows, pieces):
            return None
        return _Output(regions, new_texts, offsets, text)

    def _draw(
        self,
        job: _Job,
        pieces: list[_Piece],
        random_for: Callable[[int], RandomFor],
    ) -> list[str]:
        """A surrogate for each piece, none with an original in it."""
        mentions = [job.mention(piece) for piece in pieces]
        units = job.units(pieces, self.scope)
        forbidden = job.forbidden
        texts: list[str] = []
        bad: set[int] = set()
        for attempt in range(MAX_REDRAWS + 1):
            context = Context(
                random_for(attempt),
                forbidden,
                self.surrogates,
                job.mark,
                job.digest,
                self.scope,
                job.doc.lang_,
            )
            drawn = job.respell(pieces, self._run_parts(mentions, units, context))
            if attempt == 0:
                texts = drawn
            else:
                # Dates move together, or their order and distances would be lost.
                labels = {mentions[i].label for i in bad} & {"DATETIME"}
                entities = {mentions[i].entity_id for i in bad}
                taken = {
                    compact(texts[i]): m.entity_id
                    for i, m in enumerate(mentions)
                    if m.entity_id not in entities and m.label not in labels
                }
                for i, m in enumerate(mentions):
                    again = m.entity_id in entities or m.label in labels
                    same = compact(drawn[i])
                    if again and taken.get(same, m.entity_id) == m.entity_id:
                        texts[i] = drawn[i]
            now = {i for i, text in enumerate(texts) if forbidden(text)}
            # A strategy without chance gives the same again.
            if not now or (attempt == 1 and now == bad and drawn == texts):
                bad = now
                break
            bad = now
        if bad or job.marked:
            for i, piece in enumerate(pieces):
                if i in bad or (piece.start, piece.end) in job.marked:
                    texts[i] = job.mark
        return texts

    def _run_parts(
        self, mentions: Sequence[Mention], units: Sequence[int], context: Context
    ) -> list[str]:
        """What the strategy gives for each part of the document by itself."""
        if self.scope not in ("mention", "sentence"):
            return self._run_strategy(mentions, context)
        parts: dict[int, list[int]] = {}
        for i, unit in enumerate(units):
            parts.setdefault(unit, []).append(i)
        out = [context.mark] * len(mentions)
        for unit, where in parts.items():
            part = f"{context.document} {unit}"
            drawn = self._run_strategy(
                [mentions[i] for i in where],
                context._replace(
                    random_for=salted(context.random_for, part), document=part
                ),
            )
            for i, text in zip(where, drawn):
                out[i] = text
        return out

    def _run_strategy(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        try:
            texts = list(self.strategy(mentions, context))
        except StrategyError:
            raise
        except Exception as err:
            # The message may quote the document, so only its kind is told.
            raise RuntimeError(
                f"the replacement strategy of '{self.name}' failed: "
                f"{type(err).__name__}"
            ) from None
        if len(texts) != len(mentions) or not all(isinstance(t, str) for t in texts):
            raise ValueError(
                f"the replacement strategy of '{self.name}' should give one str for "
                f"each of the {len(mentions)} mentions"
            )
        return texts

    def _write(self, doc: Doc, output: _Output) -> None:
        regions = output.regions
        set_group(
            doc,
            DEID_KEY,
            [
                Candidate(
                    region.start,
                    region.end,
                    region.item.label,
                    region.item.subtype,
                    region.item.score,
                    SWEEP_SOURCE if region.swept else region.item.source,
                )
                for region in regions
            ],
            entity_ids=[region.item.entity_id for region in regions],
            surrogates=output.new_texts,
            decisions=[region.decision for region in regions],
        )
        extensions = doc._
        extensions.deid_text = output.text
        extensions.deid_offsets = output.offsets
        extensions.deid_epsilon = self._epsilon()

    def _epsilon(self) -> float:
        epsilon = getattr(self.strategy, "epsilon", None)
        if not callable(epsilon):
            return float("inf")
        if self.scope == "corpus" and getattr(self.strategy, "random", False):
            # The entity decides its surrogate: what is drawn depends on it.
            return float("inf")
        return float(epsilon(self.recall))

    def _settings(self) -> dict[str, Any]:
        config = getattr(self.strategy, "config", None)
        return {
            "mask": self.mask,
            "scope": self.scope,
            "spans_key": self.spans_key,
            "mask_key": self.mask_key,
            "key_env": self.key_env,
            "recall": self.recall,
            "strategy": config() if callable(config) else _named(self.strategy),
        }

    def _changed(self) -> dict[str, Any]:
        settings = self._settings()
        return {k: v for k, v in settings.items() if v != self._built.get(k)}

    def _restore(self, changed: dict[str, Any]) -> None:
        for key, value in changed.items():
            if key == "strategy":
                if value is not None:
                    resolved = registry.resolve({"strategy": value})
                    self.strategy = resolved["strategy"]
            else:
                setattr(self, key, value)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialise the settings changed since the component was made.

        exclude (Iterable[str]): Names of parts to leave out ("cfg").
        RETURNS (bytes): The serialised form; no key is in it.
        """
        return util.to_bytes({"cfg": lambda: _json_bytes(self._changed())}, exclude)

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = ()
    ) -> Pseudonymizer:
        """Load settings that `to_bytes` has written.

        bytes_data (bytes): The serialised form.
        exclude (Iterable[str]): Names of parts to leave out ("cfg").
        RETURNS (Pseudonymizer): The component itself.
        """
        util.from_bytes(
            bytes_data, {"cfg": lambda b: self._restore(_from_json(b))}, exclude
        )
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings changed since the component was made.

        path (Union[str, Path]): Folder to write to.
        exclude (Iterable[str]): Names of parts to leave out ("cfg").
        """
        folder = util.ensure_path(path)
        folder.mkdir(parents=True, exist_ok=True)
        util.to_disk(
            folder,
            {"cfg": lambda p: _write_bytes(p, _json_bytes(self._changed()))},
            exclude,
        )

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = ()
    ) -> Pseudonymizer:
        """Load settings that `to_disk` has written.

        path (Union[str, Path]): Folder to read.
        exclude (Iterable[str]): Names of parts to leave out ("cfg").
        RETURNS (Pseudonymizer): The component itself.
        """
        util.from_disk(
            util.ensure_path(path),
            {"cfg": lambda p: self._restore(_from_json(p.read_bytes()))},
            exclude,
        )
        return self


_REGISTRIES = {"_strategy": "deid_strategies", "surrogates": "deid_surrogates"}


def _named(strategy: Strategy) -> dict[str, Any] | None:
    """Config block of a strategy that is a registered local function."""
    name = _registered_name("deid_strategies", strategy)
    return None if name is None else {"@deid_strategies": name}


class _ByName(NamedTuple):
    """Stands for what a registered function makes when called without arguments."""

    kind: str
    name: str


def _registered_name(kind: str, function: Callable) -> str | None:
    """Name under which the maker of a local function is registered; None if the
    function was made with settings, or is not local."""
    code = getattr(function, "__qualname__", "")
    if "<locals>" not in code or getattr(function, "__closure__", None):
        return None
    for name, maker in getattr(registry, kind).get_all().items():
        if maker.__module__ == function.__module__ and code.startswith(
            f"{maker.__qualname__}.<locals>."
        ):
            return name
    return None


class _Job:
    """One document on its way: what to replace in it grows until nothing masked is
    left in the output.

    doc (Doc): The document.
    text (str): Its text.
    digest (str): Of the text.
    items (Sequence[_Item]): Its spans, masked or not, in document order.
    stop_words (Iterable[str]): Function words of the language.
    denied (Sequence[Callable]): Whether a text has what no surrogate may have.
    """

    def __init__(
        self,
        doc: Doc,
        text: str,
        digest: str,
        items: Sequence[_Item],
        stop_words: Iterable[str],
        denied: Sequence[Callable[[str], bool]] = (),
    ) -> None:
        self.doc = doc
        self._denied = denied
        self.text = text
        self._starts = doc.to_array(IDX).tolist()
        self._runs = Runs(self.text)
        self.stop_words = stop_words
        self.digest = digest
        self.masked: list[_Item] = []
        self.kept: list[_Item] = []
        for item in items:
            stays = item.decision == NO_MASK or item.by_chance
            (self.kept if stays else self.masked).append(item)
        self.marked: set[tuple[int, int]] = set()
        self._kept_folded: frozenset[str] | None = None
        # Tokens that are possessive endings by themselves.
        self._bare = self._find_bare() if doc.lang_ == "en" else frozenset()
        self.sweep = Sweep(stop_words)
        self.owners: list[_Item] = []
        # Owner -> the masked string, where another spelling of it is looked for.
        self.spelt: dict[int, str] = {}
        self._spellings = Spellings(doc.lang_, text, self._runs)
        self.hits: list[tuple[int, int, Hit]] = []
        # Token -> 1 if a masked span covers it, 2 if only a hit does.
        self.covered = bytearray(len(doc))
        self._trimmed: dict[tuple[int, int, bool], tuple[int, int, int, int, str]] = {}
        self._originals: set[str] = set()
        # Originals that have neither letter nor digit.
        self._raw: set[str] = set()
        # Words of the spans' texts.
        self._words: dict[str, list[str]] = {}
        for item in items:
            core = self._core(item)
            if core in self._words:
                continue
            words = self._words[core] = read_words(core)
            if words:
                self._originals.add("".join(words))
            else:
                self._raw.add(core.casefold())
        # Answers of `forbidden`, which hold while no string is added.
        self._answers: dict[str, bool] = {}
        self._answered_for = 0
        self._swept: set[tuple[str, str]] = set()
        self._search(self.masked, self.sweep)
        self.mark = self._choose_mark()

    def _find_bare(self) -> frozenset[int]:
        found = set()
        for at in _places_of(self.text, _APOSTROPHES):
            if self.text[max(0, at - 1) : at] not in _BARE_ENDS:
                continue
            if not _NO_WORD_BEHIND.match(self.text, at + 1):
                continue
            # Behind an opening one it may close a quotation.
            line = self.text[max(0, at - 80) : at].rpartition("\n")[2]
            if not _OPENING.search(line):
                token = bisect_right(self._starts, at) - 1
                if self._starts[token] == at and len(self.doc[token]) == 1:
                    found.add(token)
        return frozenset(found)

    def _kept_texts(self) -> frozenset[str]:
        """Spans that stay as they are, folded."""
        if self._kept_folded is None:
            self._kept_folded = frozenset(compact(self._core(i)) for i in self.kept)
        return self._kept_folded

    def _chars(self, start: int, end: int) -> tuple[int, int]:
        """Offsets of the characters of tokens."""
        last = self._starts[end - 1]
        return self._starts[start], last + len(self.doc[end - 1])

    def _core(self, item: _Item) -> str:
        """Text of a span without space at its ends and possessive ending."""
        known = self._trimmed.get((item.start, item.end, item.label == "CODE"))
        return (known or self._trim(item.start, item.end, item.label))[4]

    def _trim(self, start: int, end: int, label: str) -> tuple[int, int, int, int, str]:
        """Offsets of the characters of tokens, of the core of what they hold, and that
        core."""
        key = start, end, label == "CODE"
        known = self._trimmed.get(key)
        if known is None:
            a, b = self._chars(start, end)
            first, last = _trim(self.text, a, b, label)
            known = self._trimmed[key] = a, b, first, last, self.text[first:last]
        return known

    def _choose_mark(self) -> str:
        """A mark of three characters that no masked string without letters holds."""
        used = "".join(raw for raw in self._raw if not has_content(raw))
        free = [ch for ch in _MARK_CHARS if ch not in used]
        return (free[0] if free else "\u2588") * 3

    def forbidden(self, text: str) -> bool:
        """Whether a text may not be put into the output: it is one of the document's
        originals, or has a masked one or a term of a deny list in it."""
        if self.sweep.size != self._answered_for:
            self._answers.clear()
            self._answered_for = self.sweep.size
        answer = self._answers.get(text)
        if answer is None:
            answer = self._answers[text] = self._forbidden(text)
        return answer

    def _forbidden(self, text: str) -> bool:
        words = read_words(text)
        if not words:
            held = text.strip().casefold() in self._raw
        else:
            held = "".join(words) in self._originals or self.sweep.found_in(text, words)
        if held or not self._denied:
            return held
        return any(denied(text) for denied in self._denied)

    def _search(self, items: Sequence[_Item], fresh: Sweep) -> None:
        """Mask these spans and find what repeats them; names, dates and numbers to keep
        that are touched come along.

        items (Sequence[_Item]): The spans.
        fresh (Sweep): An empty one, or the document's if it is empty.
        """
        pending = list(items)
        while pending:
            added = False
            sweeps = (fresh,) if fresh is self.sweep else (self.sweep, fresh)
            covered = self.covered
            for item in pending:
                covered[item.start : item.end] = b"\1" * (item.end - item.start)
                core = self._core(item)
                person = item.label == "PERSON"
                owner = len(self.owners)
                self.owners.append(item)
                # What is known already has been searched for.
                if (core, item.label) in self._swept:
                    continue
                self._swept.add((core, item.label))
                parts = self._spellings.parts(core) if person else ()
                words = self._words[core]
                for sweep in sweeps:
                    if sweep.add(core, owner, name=person, words=words):
                        added = True
                    if parts and sweep.add_parts(parts, owner):
                        added = True
                if not self._spellings.may_have_others(core, item.label, parts):
                    continue
                for form in self._spellings.others(core, item.label, parts):
                    other = owner
                    if form.label == "LOC" and compact(form.text) in self._kept_texts():
                        # A town that may be named is no secret of the address.
                        continue
                    if form.label or form.of:
                        other = len(self.owners)
                        label, subtype = form.label or item.label, form.subtype
                        self.owners.append(
                            item._replace(label=label, subtype=subtype)
                            if form.label
                            else item
                        )
                        self.spelt[other] = form.of
                    for sweep in sweeps:
                        if sweep.add(
                            form.text,
                            other,
                            name=person and not form.label,
                            part=form.part,
                            only=form.only,
                            written=form.written,
                        ):
                            added = True
            if added:
                hits = fresh.find(self.text, self._runs)
                self._add_hits(self._joined(hits))
            pending = self._touched()
            fresh = Sweep(self.stop_words)

    def _joined(self, hits: list[Hit]) -> Iterable[Hit]:
        """The hits; in languages that decline names the parts of one that stand side by
        side are one name, or nothing would tell surname from patronymic."""
        if not self._spellings.declined or len(hits) < 2:
            return hits
        hits = sorted(set(hits), key=lambda h: (h.start, -h.end))
        out: list[Hit] = []
        for hit in hits:
            last = out[-1] if out else None
            if last is not None and hit.end <= last.end:
                continue
            if (
                last is not None
                and self._side_by_side(last, hit)
                and not any(self._is_covered(h.start, h.end) for h in (last, hit))
            ):
                out[-1] = last._replace(end=hit.end, plural=0)
            else:
                out.append(hit)
        return out

    def _side_by_side(self, a: Hit, b: Hit) -> bool:
        first, second = self.owners[a.owner], self.owners[b.owner]
        return (
            first.label == second.label == "PERSON"
            and first.entity_id == second.entity_id
            and self.text[a.end : b.start] in (" ", "\u00a0", "-")
        )

    def _is_covered(self, start: int, end: int) -> bool:
        first, last = self._tokens(start, end)
        return any(self.covered[first:last])

    def _add_hits(self, hits: Iterable[Hit]) -> None:
        for hit in hits:
            start, end = self._tokens(hit.start, hit.end)
            covered = self.covered[start:end]
            # Most hits are the masked spans themselves.
            if 0 in covered or 2 in covered:
                self.covered[start:end] = covered.replace(b"\0", b"\2")
                self.hits.append((start, end, hit))

    def _touched(self) -> list[_Item]:
        """Spans to keep that a masked span overlaps, or a hit that leaves nothing of
        use in them, now masked."""
        touched, kept = [], []
        for item in self.kept:
            covered = self.covered[item.start : item.end]
            whole = item.by_chance or item.label in _WHOLE_LABELS
            if 1 in covered or (whole and 2 in covered):
                decision = item.decision if item.by_chance else QUASI
                touched.append(item._replace(decision=decision, by_chance=False))
            else:
                kept.append(item)
        self.kept = kept
        self.masked += touched
        return touched

    def _tokens(self, start: int, end: int) -> tuple[int, int]:
        """Tokens that cover these characters."""
        first = bisect_right(self._starts, start) - 1
        return first, bisect_left(self._starts, end, first + 1)

    def regions(self) -> list[_Region]:
        """What to replace, in document order, never overlapping."""
        inside = bytearray(len(self.doc))
        for item in self.masked:
            inside[item.start : item.end] = b"\1" * (item.end - item.start)
        ranges: list[tuple[int, int, _Item | None, Hit | None]] = [
            (item.start, item.end, item, None) for item in self.masked
        ]
        for start, end, hit in self.hits:
            if 0 in inside[start:end]:
                ranges.append((start, end, None, hit))
        if self._bare:
            # The ending goes with the name, whose surrogate may ask for another.
            ranges = [
                (a, b + (b in self._bare and not self.covered[b]), item, hit)
                for a, b, item, hit in ranges
            ]
        ranges.sort(key=itemgetter(0, 1))
        regions: list[_Region] = []
        group: list[tuple[int, int, _Item | None, Hit | None]] = []
        end = 0
        for entry in ranges:
            if group and entry[0] >= end:
                regions.append(self._region(group))
                group = []
            end = max(end, entry[1]) if group else entry[1]
            group.append(entry)
        if group:
            regions.append(self._region(group))
        return regions

    def _region(
        self, group: Sequence[tuple[int, int, _Item | None, Hit | None]]
    ) -> _Region:
        start, end, lead, _ = group[0]
        decision = "" if lead is None else lead.decision
        if len(group) > 1:
            end = max(entry[1] for entry in group)
            items = [item for _, _, item, _ in group if item is not None]
            if items:
                lead = min(
                    items,
                    key=lambda i: (i.start - i.end, IDENTIFIER_TYPES.index(i.decision)),
                )
                decision = strictest(i.decision for i in items)
        if lead is not None:
            a, b, first, core_end, _ = self._trim(start, end, lead.label)
            last = b
            while last > first and self.text[last - 1].isspace():
                last -= 1
            if first == core_end:  # white space alone
                first, core_end, last = a, b, b
            piece = _Piece(first, core_end, last, lead, False, False)
            return _Region(start, end, a, b, lead, decision, False, [piece])
        a, b = self._chars(start, end)
        hits = [hit for _, _, _, hit in group if hit is not None]
        pieces = self._hit_pieces(hits, a, b)
        lead = max(pieces, key=lambda p: p.end - p.start).item
        decision = strictest(piece.item.decision for piece in pieces)
        return _Region(start, end, a, b, lead, decision, True, pieces)

    def _hit_pieces(self, hits: Sequence[Hit], a: int, b: int) -> list[_Piece]:
        """Hits within a region as pieces that don't overlap; letters and digits stuck
        to one ("john1985") go with it."""
        merged: list[list[Any]] = []
        for hit in sorted(hits, key=lambda h: (h.start, -h.end)):
            if merged and hit.start < merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], hit.end)
                if hit.end - hit.start > merged[-1][2].end - merged[-1][2].start:
                    merged[-1][2] = hit
            else:
                merged.append([hit.start, hit.end, hit])
        pieces: list[_Piece] = []
        for k, (start, end, hit) in enumerate(merged):
            low = pieces[-1].end if pieces else a
            high = merged[k + 1][0] if k + 1 < len(merged) else b
            stuck = end
            while start > low and self.text[start - 1].isalnum():
                start -= 1
            while stuck < high and self.text[stuck].isalnum():
                stuck += 1
            plural = hit.plural if hit.end == end == stuck else 0
            bare = stuck + 1 == high == b and self.text[stuck:b] in _APOSTROPHES
            item = self.owners[hit.owner]
            if item.label == "PERSON" and not hit.part and item.subtype != USERNAME:
                item = self._as_user_name(item, start, end)
            spelt = self.spelt.get(hit.owner, "")
            if spelt and (start, end) != (hit.start, hit.end):
                spelt = ""
            # The figures of a user name are part of it.
            core_end = stuck if item.subtype == USERNAME else end - plural
            if bare and stuck == core_end:
                stuck += 1
            pieces.append(
                _Piece(start, core_end, stuck, item, True, bool(plural), spelt)
            )
        return pieces

    def _as_user_name(self, item: _Item, start: int, end: int) -> _Item:
        """A person's name of several words written as one is a user name."""
        if self.text[start:end].isalnum() and len(self._core(item).split()) > 1:
            return item._replace(label="CODE", subtype=USERNAME)
        return item

    def with_kept(self, output: _Output) -> _Output:
        """The output with what chance has left as it is among the replacements, which
        it must look like."""
        rows = list(zip(output.regions, output.new_texts))
        end = 0
        for item in self.kept:
            if item.by_chance and item.start >= end:
                end = item.end
                a, b = self._chars(item.start, end)
                region = _Region(item.start, end, a, b, item, item.decision, False, [])
                rows.append((region, self.text[a:b]))
        if len(rows) == len(output.regions):
            return output
        rows.sort(key=lambda row: row[0].start_char)
        regions = [region for region, _ in rows]
        new_texts = [text for _, text in rows]
        offsets = _offsets(regions, new_texts)
        return _Output(regions, new_texts, offsets, output.text)

    def units(self, pieces: Sequence[_Piece], scope: str) -> list[int]:
        """The part of the document that each piece belongs to, by the scope."""
        if scope == "mention":
            return list(range(len(pieces)))
        if scope != "sentence":
            return [0] * len(pieces)
        starts = [sent.start_char for sent in self.doc.sents]
        return [bisect_right(starts, piece.start) for piece in pieces]

    def mention(self, piece: _Piece) -> Mention:
        """What the strategy is told about a piece."""
        text, item = self.text, piece.item
        subtype = item.subtype
        if piece.swept and self._core(item) != text[piece.start : piece.core_end]:
            # A name part is no FULL_NAME.
            subtype = "" if item.label == "PERSON" else subtype
        found = text[piece.start : piece.core_end]
        return Mention(
            match_case(piece.spelt, found) if piece.spelt else found,
            item.label,
            subtype,
            item.entity_id,
            text[max(0, piece.start - CONTEXT_CHARS) : piece.start],
            text[piece.core_end : piece.core_end + CONTEXT_CHARS],
            item.decision,
        )

    def respell(self, pieces: Sequence[_Piece], surrogates: list[str]) -> list[str]:
        """Surrogates as what they stand for is spelt, where that is another form of a
        masked string."""
        if not self.spelt:
            return surrogates
        return [
            self._spellings.like(
                new,
                self.text[piece.start : piece.core_end],
                piece.spelt,
                self.text[max(0, piece.start - CONTEXT_CHARS) : piece.start],
            )
            if piece.spelt
            else new
            for piece, new in zip(pieces, surrogates)
        ]

    def render(
        self,
        regions: Sequence[_Region],
        pieces: Sequence[_Piece],
        surrogates: Sequence[str],
    ) -> tuple[list[str], list[list[int]]]:
        """New text of each region: surrogates, with what stands around the pieces.

        RETURNS (tuple): The texts, and the offsets of the pieces before and after.
        """
        new_texts: list[str] = []
        rows: list[list[int]] = []
        shift = 0
        following = iter(zip(pieces, surrogates))
        for region in regions:
            out: list[str] = []
            position = region.start_char
            for _ in region.pieces:
                piece, surrogate = next(following)
                new = surrogate
                if piece.core_end < piece.end or piece.plural:
                    new += self._ending(piece, surrogate)
                out += (self.text[position : piece.start], new)
                start = piece.start + shift
                rows.append([piece.start, piece.end, start, start + len(new)])
                shift += len(new) - (piece.end - piece.start)
                position = piece.end
            out.append(self.text[position : region.end_char])
            new_texts.append("".join(out))
        return new_texts, rows

    def _ending(self, piece: _Piece, surrogate: str) -> str:
        ending = self.text[piece.core_end : piece.end]
        if (piece.start, piece.end) in self.marked:
            return ""
        if piece.plural:
            if not surrogate[-1:].isalpha():
                return ""
            plural = plural_ending(surrogate)
            return plural.upper() if ending.isupper() else plural
        # What was stuck to a hit is part of an identifier, an ending is not.
        if piece.swept and ending not in _APOSTROPHES:
            return ""
        return name_forms(self.doc.lang_).possessive(ending, surrogate)

    def check(
        self, output: str, rows: list[list[int]], pieces: Sequence[_Piece]
    ) -> bool:
        """Whether something masked stands in the output; if so, what stands there is
        put down to be replaced.

        output (str): The new text.
        rows (list[list[int]]): Offsets of the pieces before and after.
        pieces (Sequence[_Piece]): The pieces.
        RETURNS (bool): True if another round is needed.
        """
        hits = self.sweep.find(output)
        if not hits:
            return False
        starts = [row[2] for row in rows]
        before = len(self.marked)
        for hit in hits:
            low = max(bisect_right(starts, hit.start) - 1, 0)
            for k in range(low, bisect_left(starts, hit.end)):
                _, _, start, end = rows[k]
                if has_content(output[max(start, hit.start) : min(end, hit.end)]):
                    self.marked.add((pieces[k].start, pieces[k].end))
        if len(self.marked) == before:
            # Not a surrogate but the text beside one, which belongs together now.
            for hit in hits:
                start, end = to_old(rows, hit.start), to_old(rows, hit.end - 1) + 1
                self._add_hits([hit._replace(start=start, end=end)])
            self._search(self._touched(), Sweep(self.stop_words))
        return True


def _places_of(text: str, signs: Iterable[str]) -> Iterator[int]:
    """Where any of these characters stands; faster than an expression, as they are
    few."""
    for sign in signs:
        at = text.find(sign)
        while at >= 0:
            yield at
            at = text.find(sign, at + 1)


def _digest(text: str) -> str:
    """Tells texts apart. Draws that two texts of one wording shared would show which of
    their values were not replaced, so the whole text decides; the secret key comes on
    top of it."""
    return hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()


def _whole_mention(doc: Doc, text: str, item: _Item) -> Mention:
    """A span as strategies see it."""
    span = doc[item.start : item.end]
    start, end = _trim(text, span.start_char, span.end_char, item.label)
    return Mention(
        text=text[start:end],
        label=item.label,
        subtype=item.subtype,
        entity_id=item.entity_id,
        decision=item.decision,
    )


def _trim(text: str, start: int, end: int, label: str) -> tuple[int, int]:
    """Offsets of a span without space at its ends and without a possessive ending."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    # "s" or an apostrophe at the end, or there is nothing to look for.
    if label != "CODE" and text[end - 1 : end] in _POSSESSIVE_END:
        match = _POSSESSIVE.search(text, max(start, end - 2), end)
        # What is left of "A's" would be a word like any other.
        if match and len(compact(text[start : match.start()])) > 1:
            end = match.start()
    return start, end


def _detected(doc: Doc, key: str) -> dict[tuple[int, int], tuple[str, str, Any]]:
    """Label, subtype and entity number of the detectors' spans, by token offsets."""
    if key not in doc.spans:
        return {}
    group = doc.spans[key]
    entity_ids = group_attr(group, "entity_ids", None)
    return {
        (span.start, span.end): (span.label_, span.id_, entity_id)
        for span, entity_id in zip(group, entity_ids)
    }


def _offsets(regions: Sequence[_Region], new_texts: Sequence[str]) -> list[list[int]]:
    """Rows of [start, end, new_start, new_end]."""
    rows = []
    shift = 0
    for region, new in zip(regions, new_texts):
        start = region.start_char + shift
        rows.append([region.start_char, region.end_char, start, start + len(new)])
        shift += len(new) - (region.end_char - region.start_char)
    return rows


def _places(regions: Sequence[_Region]) -> str:
    return ", ".join(f"{r.start_char}-{r.end_char}" for r in regions[:10])


def _json_bytes(data: dict[str, Any]) -> bytes:
    import srsly

    return srsly.json_dumps(data, sort_keys=True).encode("utf8")


def _write_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _from_json(data: bytes) -> dict[str, Any]:
    import srsly

    return srsly.json_loads(data)
