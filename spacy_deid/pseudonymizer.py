"""Replaces what is to be masked and proves that nothing of it is left."""

from __future__ import annotations

import hashlib
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup

from .entities.sources import keys_of_recognizers, unread_entities
from .extensions import install_extensions
from .processes import reads_documents
from .registries import pack, registered_block, registry, unpack
from .risk.orders import DENY, FORCE, LEFT, TakesOrders, read_orders
from .risk.profiles import Profile
from .schema import (
    DEID_KEY,
    ENTS,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    read_decided,
    set_group,
    subtype_of,
    text_of,
)
from .settings import Part, Saved, Setting, in_bytes
from .surrogates.base import RandomFor, SurrogateMaker
from .surrogates.consistency import (
    KeyLike,
    KeySource,
    check_scope,
    derive_secret,
    number_entities,
    random_for_attempts,
)
from .surrogates.ordered import follow_orders, told, write_decisions
from .surrogates.strategies.base import Context, Strategy, epsilon_of, get_strategy
from .surrogates.strategies.by_order import with_named
from .surrogates.strategies.run import run_strategy
from .surrogates.sweep.document import DocumentSweep
from .surrogates.sweep.pieces import Item, Output, Region, offsets_of, whole_mention
from .text.fields import cut_at_fields
from .text.offsets import splice

MASKS = ("risky", "all")
SWEEP_SOURCE = "propagation:sweep"
# Rounds of the search for what a replacement laid bare.
MAX_ROUNDS = 30
_REGISTRIES = {"_strategy": "deid_strategies", "surrogates": "deid_surrogates"}


@Language.factory(
    "pseudonymizer",
    requires=["doc.spans"],
    assigns=["doc._.deid_text", "doc._.deid_offsets", "doc._.deid_epsilon"],
    default_config={
        # No block: names by type would be merged into it.
        "strategy": None,
        "surrogates": {"@deid_surrogates": "spacy_deid.language_surrogates.v1"},
        "mask": "risky",
        "scope": "document",
        "spans_key": PII_KEY,
        "mask_key": MASK_KEY,
        "key_env": None,
        "key": None,
        "recall": None,
        "profile": None,
        "types": [],
    },
)
def make_pseudonymizer(
    nlp: Language,
    name: str,
    strategy: Callable | str | dict[str, Any] | None,
    surrogates: Callable,
    mask: str,
    scope: str,
    spans_key: str,
    mask_key: str,
    key_env: str | None,
    key: Callable | None,
    recall: float | None,
    profile: Any,
    types: list[str],
) -> Pseudonymizer:
    """Make the component that writes the de-identified text.

    strategy (Union[Callable, str, dict, None]): How to replace, from the registry
        `deid_strategies`; or a name or names by type, see `get_strategy`; full entities
        if null.
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
    profile (Union[Profile, str, None]), types (List[str]): As those of `risk_scorer`, for
        pipelines without one.
    RETURNS (Pseudonymizer): The component.
    """
    component = Pseudonymizer(
        name,
        strategy="full_entity" if strategy is None else strategy,
        surrogates=surrogates,
        mask=mask,
        scope=scope,
        spans_key=spans_key,
        mask_key=mask_key,
        key_env=key_env,
        key=key,
        recall=recall,
        profile=profile,
        types=types,
        stop_words=nlp.Defaults.stop_words,
    )
    component._nlp = weakref.ref(nlp)
    return component


def _checked_mask(mask: str) -> str:
    if mask not in MASKS:
        raise ValueError(f"'mask' should be one of {', '.join(MASKS)}, not {mask!r}")
    return mask


def _checked_scope(scope: str) -> str:
    check_scope(scope)
    return scope


def _checked_recall(recall: float | None) -> float | None:
    if recall is not None and not 0.0 <= recall <= 1.0:
        raise ValueError(f"'recall' should be a number from 0 to 1, not {recall}")
    return recall


class Pseudonymizer(TakesOrders, Saved):
    """Replaces masked spans, and all else in the text that repeats them.

    The `Doc` keeps its text. The new text is `doc._.deid_text`, the two-way map
    between both `doc._.deid_offsets`, the replacements are `doc.spans["deid"]`.

    The arguments are those of `make_pseudonymizer`; `stop_words` are the function words
    of the pipeline's language.
    """

    # What to replace, "risky" or "all".
    mask = Setting(_checked_mask)
    # Where one entity has one surrogate, one of `SCOPES`.
    scope = Setting(_checked_scope)
    spans_key = Setting()
    mask_key = Setting()
    recall = Setting(_checked_recall)

    def __init__(
        self,
        name: str,
        *,
        strategy: Strategy | str | Mapping[str, Any],
        surrogates: SurrogateMaker,
        mask: str = "risky",
        scope: str = "document",
        spans_key: str = PII_KEY,
        mask_key: str = MASK_KEY,
        key_env: str | None = None,
        key: Callable[[], bytes | str] | None = None,
        recall: float | None = None,
        profile: str | Path | Profile | None = None,
        types: Iterable[str] = (),
        stop_words: Iterable[str] = (),
    ) -> None:
        install_extensions()
        self.name = name
        self.cfg: dict[str, Any] = {}
        self._key = KeySource(key_env, key)
        self.strategy = strategy  # type: ignore[assignment]
        self.surrogates = surrogates
        self.mask = mask
        self.scope = scope
        self.spans_key = spans_key
        self.mask_key = mask_key
        self.recall = recall
        self.set_orders(profile, types)
        self.stop_words = frozenset(stop_words)
        self._nlp: Callable[[], Language | None] | None = None
        # Deny lists of a pipeline that is in another process.
        self._denied: tuple[Callable[[str], bool], ...] = ()
        self._told = False
        # Only what is changed later is saved: the rest is in the pipeline's config,
        # where a user who loads it can still override it.
        self._built = self._settings()

    @property
    def strategy(self) -> Strategy:
        """How to replace. Set it to a strategy, to the name of one, or to names by type."""
        return self._strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | str | Mapping[str, Any]) -> None:
        if isinstance(strategy, str | Mapping):
            strategy = get_strategy(strategy)
        self._strategy = strategy

    @property
    def key_env(self) -> str | None:
        """Name of the environment variable that holds the secret key."""
        return self._key.env

    @key_env.setter
    def key_env(self, name: str | None) -> None:
        self._key.env = name

    def derive_secret(self, purpose: str) -> bytes:
        """A secret of its own for a purpose, from which nothing of the key is learnt.

        purpose (str): What it is for.
        RETURNS (bytes): 32 bytes; none if documents have a fresh key each.
        """
        return derive_secret(self._key, purpose)

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

    def _tell_what_is_unread(self, doc: Doc) -> None:
        """Warn once of entities of other recognizers, which would stay in the text."""
        if self._told:
            return
        nlp = self._nlp() if self._nlp is not None else None
        # A component from another pipeline knows that one only.
        ours = nlp if nlp is not None and nlp.vocab is doc.vocab else None
        keys = keys_of_recognizers(ours) if ours is not None else ()
        for key in unread_entities(doc, keys):
            self._told = True
            where, more = "doc.ents", ""
            if key != ENTS:
                where, more = f"doc.spans['{key}']", f', "spans_key": "{key}"'
            warnings.warn(
                f"nothing reads the entities in {where}: they stay in the text as they "
                "are. Name them in the config of a 'pii_gazetteer' behind the recognizer: "
                f'sources = {{"{key}": {{"@misc": "spacy_deid.entities.v1"{more}}}}}',
                stacklevel=2,
            )

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        # The pipeline itself stays where it is.
        state["_nlp"], state["_denied"] = None, self._deny_lists()
        for attr, kind in _REGISTRIES.items():
            # Local functions can't be pickled, their registered names can.
            state[attr] = pack(state[attr], registered_block(kind, state[attr]))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(unpack(state))
        install_extensions()

    @reads_documents
    def __call__(self, doc: Doc) -> Doc:
        """Write the de-identified text of a document to its extension attributes.

        doc (Doc): The document, which detectors have seen.
        RETURNS (Doc): The same document, its text unchanged.
        RAISES (ValueError): If no detector has run, a configured key is missing, or
            the scope needs a key or sentences that are not there.
        RAISES (RuntimeError): If the text can't be freed of what is masked.
        """
        self._tell_what_is_unread(doc)
        items = self._read_items(doc)
        if self.scope == "sentence" and not doc.has_annotation("SENT_START"):
            advice = "add a component that finds them, such as 'sentencizer'"
            problem = "the scope 'sentence' needs sentences"
            raise ValueError(f"{problem}: {advice}, before '{self.name}'")
        text = text_of(doc)
        # Draws that two texts shared would show which values were not replaced.
        digest = hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()
        about = doc._.deid_subject, digest
        random_for = random_for_attempts(self._key, self.scope, *about)
        if all(item.decision == NO_MASK for item in items):
            self._write(doc, Output([], [], [], text))
            return doc
        items = self._leave_by_chance(doc, text, digest, items, random_for(0))
        sweep = DocumentSweep(doc, items, self.stop_words, self._deny_lists())
        for _ in range(MAX_ROUNDS):
            regions = sweep.regions()
            output = self._replace(sweep, regions, random_for, digest)
            if output is not None:
                self._write(doc, sweep.with_kept(output))
                return doc
        places = ", ".join(f"{r.start_char}-{r.end_char}" for r in regions[:10])
        told = "(character offsets of the replacements): the document was left out"
        raise RuntimeError(f"masked text would survive at {places} {told}")

    def _leave_by_chance(
        self, doc: Doc, text: str, digest: str, items: list[Item], random_for: RandomFor
    ) -> list[Item]:
        """The spans, those marked that a strategy leaves as they are by chance."""
        if (keeps := getattr(self.strategy, "keeps", None)) is None:
            return items
        # Chance does not overrule an order.
        masked = [i for i, item in enumerate(items) if item.decision != NO_MASK]
        where = [i for i in masked if items[i].order.kind not in (DENY, FORCE)]
        mentions = [whole_mention(doc, text, items[i]) for i in where]
        answers = keeps(mentions, random_for, digest, self.recall)
        items = list(items)
        for i, kept in zip(where, answers, strict=True):
            items[i] = items[i]._replace(by_chance=bool(kept))
        return items

    def _group(self, doc: Doc) -> SpanGroup:
        for key in (self.mask_key, self.spans_key):
            if key in doc.spans:
                return doc.spans[key]
        raise ValueError(
            f"the document has neither a span group '{self.mask_key}' nor "
            f"'{self.spans_key}': add a detector (pii_gazetteer, pii_ner) before "
            f"'{self.name}'"
        )

    def _read_items(self, doc: Doc) -> list[Item]:
        """The spans to judge, in document order, entities numbered, orders followed."""
        found = cut_at_fields(doc, [*self._spans(doc)])
        ordered = self.has_orders(doc)
        items = follow_orders(doc, found, self) if ordered else found
        if any(item.entity_id < 0 for item in items):
            numbers = number_entities(
                [doc[item.start : item.end].text for item in items],
                [item.label for item in items],
                [item.entity_id for item in items],
            )
            items = [i._replace(entity_id=n) for i, n in zip(items, numbers)]
        items.sort()
        if ordered and [*map(told, items)] != [*map(told, sorted(found))]:
            write_decisions(doc, self.mask_key, self._group(doc), items)
        if self.mask == "all":
            items = [
                item._replace(decision=QUASI)
                if item.decision == NO_MASK and item.order.kind not in LEFT
                else item
                for item in items
            ]
        return items

    def _spans(self, doc: Doc) -> Iterator[Item]:
        """The spans as the stages before have left them."""
        orders = read_orders(self._group(doc))
        for d, order in zip(read_decided(doc, self.mask_key, self.spans_key), orders):
            if d.span.start >= d.span.end:
                continue
            yield Item(
                d.span.start,
                d.span.end,
                d.label or "MISC",
                # A Wikidata id would tell what the surrogate hides.
                subtype_of(d.subtype, d.source) if d.subtype else "",
                -1 if d.entity is None else int(d.entity),
                d.decision,
                1.0 if d.score is None else d.score,
                d.source,
                order=order,
            )

    def _replace(
        self,
        sweep: DocumentSweep,
        regions: list[Region],
        random_for: Callable[[int], RandomFor],
        digest: str,
    ) -> Output | None:
        """The new text; None if something masked is still there (the sweep then knows
        more to replace)."""
        if not (pieces := [piece for region in regions for piece in region.pieces]):
            return Output(regions, [], [], sweep.text)

        strategy = with_named(self.strategy, pieces, sweep.originals.masked)

        def context_for(attempt: int) -> Context:
            return Context(
                random_for(attempt),
                sweep.originals.refuses,
                self.surrogates,
                sweep.mark,
                digest,
                self.scope,
                sweep.doc.lang_,
            )

        if sweep.drawn and sweep.originals.patience_lost:
            # What has come to light since the last round is not worth another.
            texts = [sweep.drawn.get((p.start, p.end), sweep.mark) for p in pieces]
        else:
            texts = run_strategy(
                strategy,
                [sweep.mention(piece) for piece in pieces],
                sweep.units(pieces, self.scope),
                context_for,
                sweep.originals,
                lambda drawn: sweep.respell(pieces, drawn),
            )
        places = [(piece.start, piece.end) for piece in pieces]
        sweep.drawn = dict(zip(places, texts))
        drawn = zip(places, texts)
        texts = [sweep.mark if at in sweep.marked else text for at, text in drawn]
        new_texts, rows = sweep.render(regions, texts)
        offsets = offsets_of(regions, new_texts)
        edits = ((row[0], row[1], new) for row, new in zip(offsets, new_texts))
        text = splice(sweep.text, edits)
        if sweep.leaves_any(text, rows, pieces):
            return None
        return Output(regions, new_texts, offsets, text)

    def _write(self, doc: Doc, output: Output) -> None:
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
        # A strategy that a profile names may be another one.
        other = any(region.item.order.strategy for region in regions)
        extensions.deid_epsilon = float("inf") if other else self._epsilon()

    def _epsilon(self) -> float:
        if self.scope == "corpus" and getattr(self.strategy, "random", False):
            # The entity decides its surrogate: what is drawn depends on it.
            return float("inf")
        return float(epsilon_of(self.strategy, self.recall))

    def _settings(self) -> dict[str, Any]:
        config = getattr(self.strategy, "config", None)
        named = registered_block("deid_strategies", self.strategy)
        return {
            **self.cfg,
            "key_env": self.key_env,
            "saved_orders": self.saved_orders,
            "strategy": config() if callable(config) else named,
        }

    def _changed(self) -> bytes:
        """Settings changed since the component was made; no key is among them."""
        changed = {k: v for k, v in self._settings().items() if v != self._built.get(k)}
        return srsly.json_dumps(changed, sort_keys=True).encode("utf8")

    def _restore(self, changed: bytes) -> None:
        for key, value in srsly.json_loads(changed.decode("utf8")).items():
            if key != "strategy":
                setattr(self, key, value)
            elif value is not None:
                self.strategy = registry.resolve({"strategy": value})["strategy"]

    def parts(self, exclude: Iterable[str]) -> dict[str, Part]:
        """The settings changed since the component was made ("cfg")."""
        return {"cfg": in_bytes(self._changed, self._restore)}
