"""A new Doc of the de-identified text, with what was found and decided at its new places.

Tokens outside of the replacements are those of the original; a surrogate is cut into
tokens by itself. So every span that has a character in the new text has tokens of its
own there, and sentences stay where they were.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from .disclosure import as_number, middle, shown_source, shown_subtype, told_risk
from .schema import (
    DEID_KEY,
    DIRECT,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    get_candidates,
    set_group,
    with_attrs,
)
from .text.offsets import Offsets, span_to_new, to_new, trimmed
from .tokenizer import blank_pipeline

MAX_STRINGS = 100_000

# Cuts a string into tokens: a Doc, or anything that gives objects with `text`.
Tokenize = Callable[[str], Iterable[Any]]
# First character, text, and whether a sentence begins there.
_Word = tuple[int, str, bool]


class NewDoc:
    """A Doc rewritten: some of its text replaced by other text.

    old (Doc): The document.
    text (str): The new text.
    offsets (Sequence): Rows of [start, end, new_start, new_end], whole tokens.
    vocab (Optional[Vocab]): Of the new Doc; that of the old one by default.
    tokenize (Optional[Callable]): Cuts new text into tokens; by default the package's
        tokenizer for the language of the document.
    """

    def __init__(
        self,
        old: Doc,
        text: str,
        offsets: Offsets,
        *,
        vocab: Vocab | None = None,
        tokenize: Tokenize | None = None,
    ) -> None:
        self.offsets = offsets
        self.text = text
        self._old_text = old.text
        cut = tokenize or _tokenizer(old.lang_ or "xx")
        sents = old.has_annotation("SENT_START")
        words: list[_Word] = []
        starts, last = sents, None
        for token in old:
            starts = starts or (sents and bool(token.is_sent_start))
            row, before = self._replacement_at(token.idx), last
            last = row
            if row is not None and row is not before:
                new = _cut(text[row[2] : row[3]], row[2], starts, cut)
            elif row is None and not token.is_space:
                new = [(to_new(offsets, token.idx), token.text, starts)]
            else:
                continue
            words += new
            # What has no word hands its sentence's beginning on.
            starts = starts and not new
        # An empty vocab is false.
        shared = old.vocab if vocab is None else vocab
        self.doc = _make_doc(shared, text, words, sents)
        self._starts = {token.idx: token.i for token in self.doc}
        self._ends = {token.idx + len(token): token.i + 1 for token in self.doc}

    def _replacement_at(self, position: int) -> Sequence[int] | None:
        """The row of offsets that a position of the old text lies in."""
        i = bisect_right(self.offsets, position, key=lambda row: row[0]) - 1
        inside = i >= 0 and position < self.offsets[i][1]
        return self.offsets[i] if inside else None

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a span of the old text stands in the new Doc. One that touches a part of
        a replacement gets the whole surrogate."""
        words = trimmed(self._old_text, start, end)
        # White space alone may have been replaced, too.
        start, end = words if words[0] < words[1] else (start, end)
        first, last = trimmed(self.text, *span_to_new(self.offsets, start, end))
        if first == last:
            return None
        # A span that a user has cut through a token is there as the whole token.
        while first not in self._starts:
            first -= 1
        while last not in self._ends:
            last += 1
        return self._starts[first], self._ends[last]

    def place_inside(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a span within a longer replacement stands, if the surrogate has the
        words around it, too ("Leeds" of "Leeds University", become "Bath University").
        """
        start, end = trimmed(self._old_text, start, end)
        row = self._replacement_at(start)
        if start == end or row is None or end > row[1]:
            return None
        old_start, old_end, new_start, new_end = row
        new = self.text[new_start:new_end]
        before = self._old_text[old_start:start]
        after = self._old_text[end:old_end]
        first, last = new_start + len(before), new_end - len(after)
        same = new.startswith(before) and new.endswith(after) and first < last
        if same and first in self._starts and last in self._ends:
            return self._starts[first], self._ends[last]
        return None

    def is_exact(self, start: int, end: int) -> bool:
        """Whether a span of the old text neither begins nor ends within a replacement."""
        rows = ((at, self._replacement_at(at)) for at in (start, end))
        return all(row is None or row[0] == at for at, row in rows)


def make_deid_doc(
    doc: Doc,
    *,
    vocab: Vocab | None = None,
    tokenize: Tokenize | None = None,
    gold: bool = False,
) -> Doc:
    """Make a new Doc of the de-identified text of a document.

    `spans["pii"]` has all that was replaced, at the surrogates, and the spans that were
    left as they are; `spans["mask"]` the same with the decisions as labels. Types,
    subtypes, sources and entity ids are carried over, votes where nothing was replaced;
    risks are those of the decision, scores of what was left the middles of bands
    (`disclosure.middle`), those of masked spans 1; reasons, evidence and ids of terms,
    which speak of the original, are not carried over. A span whose surrogate is empty has no
    place in the new text: it is warned of, and listed in `attrs["unaligned"]` as
    [start, end, label], offsets being those of the original.

    doc (Doc): Processed by a pipeline with a `pseudonymizer`.
    vocab (Optional[Vocab]): Of the new Doc. By default it shares that of the document,
        whose string store knows the original text: `Doc.to_bytes` and `DocBin` store
        only the strings of the Doc itself, a pickle stores all of them.
    tokenize (Optional[Callable]): Cuts surrogates into tokens, for example
        `nlp.tokenizer`; by default the package's tokenizer for the document's language.
    gold (bool): Write groups as `spacy train` and `spacy evaluate` expect them of a
        reference: span ids are entity ids, and `attrs["subtypes"]` holds the subtypes.
    RETURNS (Doc): The new document.
    RAISES (ValueError): If no pseudonymizer has seen the document.
    """
    text, offsets = doc._.deid_text, doc._.deid_offsets
    if text is None or offsets is None or DEID_KEY not in doc.spans:
        raise ValueError("no pseudonymizer has seen the document: there is no new text")
    new = NewDoc(doc, text, offsets, vocab=vocab, tokenize=tokenize)
    rows, unaligned = _placed(new, doc)
    candidates = [candidate for candidate, *_ in rows]
    names = ("entity_ids", "risk", "votes")
    entity_ids, risk, votes = ([more[name] for *_, more in rows] for name in names)
    own: dict[str, Sequence[Any]] = {"entity_ids": entity_ids}
    if gold:
        own["subtypes"] = [c.id for c in candidates]
        candidates = [c._replace(id=str(e)) for c, e in zip(candidates, entity_ids)]
    groups = [set_group(new.doc, PII_KEY, candidates, **own)]
    own |= {"labels": [c.label for c in candidates], "risk": risk, "votes": votes}
    decided = [c._replace(label=row[1]) for c, row in zip(candidates, rows)]
    groups.append(set_group(new.doc, MASK_KEY, decided, **own))
    for group in groups:
        group.attrs["unaligned"] = unaligned
    _warn(unaligned)
    return new.doc


def _warn(unaligned: list[list[Any]]) -> None:
    if not unaligned:
        return
    places = ", ".join(f"{a}-{b} ({label})" for a, b, label in unaligned[:10])
    problem = "have no place in the new text, their surrogates are empty"
    told = f"{len(unaligned)} spans {problem}: {places} (offsets in the original)"
    warnings.warn(told, stacklevel=3)


# Span, decision, further attributes.
_Row = tuple[Candidate, str, dict[str, Any]]
_NOTHING: dict[str, Any] = {"risk": None, "votes": {}}


def _placed(new: NewDoc, doc: Doc) -> tuple[list[_Row], list[list[Any]]]:
    """The spans at their new places, and those that have none."""
    rows: list[_Row] = []
    unaligned: list[list[Any]] = []
    for candidate, decision, more in sorted(_found(doc), key=lambda row: row[0][:2]):
        span = doc[candidate.start : candidate.end]
        if (place := new.place(span.start_char, span.end_char)) is None:
            unaligned.append([span.start_char, span.end_char, candidate.label])
        else:
            # The score of a name would tell which it is.
            kept = decision == NO_MASK
            score = (middle(candidate.score) or 0.0) if kept else 1.0
            start, end = place
            candidate = candidate._replace(start=start, end=end, score=score, reason="")
            risk = as_number(told_risk(decision, more["risk"]))
            rows.append((candidate, decision, {**more, "risk": risk}))
    return rows, unaligned


def _found(doc: Doc) -> Iterator[_Row]:
    """What was replaced, and the spans that nothing of was replaced."""
    risks: dict[tuple[int, int], dict[str, Any]] = {}
    if MASK_KEY in doc.spans:
        for span, risk, votes in with_attrs(doc.spans[MASK_KEY], risk=None, votes={}):
            risks[span.start, span.end] = {"risk": risk, "votes": dict(votes or {})}
    done: set[tuple[int, int]] = set()
    replaced: set[int] = set()
    for key in (DEID_KEY, PII_KEY, MASK_KEY):
        if key not in doc.spans:
            continue
        attrs = {"decisions": QUASI, "labels": "", "entity_ids": -1}
        rows = zip(get_candidates(doc, key), with_attrs(doc.spans[key], **attrs))
        for candidate, (_, decision, label, entity_id) in rows:
            place = candidate.start, candidate.end
            tokens = range(*place)
            more = {**risks.get(place, _NOTHING), "entity_ids": entity_id}
            if key == DEID_KEY:
                replaced.update(tokens)
                decision = decision if decision in (DIRECT, QUASI) else QUASI
                id_ = shown_subtype(candidate.id, candidate.source)
                source = shown_source(candidate.source)
                candidate = candidate._replace(id=id_, source=source)
                more["votes"] = {}
            elif place in done or not replaced.isdisjoint(tokens):
                continue
            else:
                decision = NO_MASK
                if key == MASK_KEY:
                    candidate = candidate._replace(label=label or "MISC")
            done.add(place)
            yield candidate, decision, more


def _cut(text: str, start: int, begins: bool, cut: Tokenize) -> list[_Word]:
    """A surrogate's words with their places; the first may begin a sentence."""
    words: list[_Word] = []
    position = 0
    for token in cut(text):
        word = token.text
        if word.isspace() or not word:
            continue
        position = text.index(word, position)
        words.append((start + position, word, begins and not words))
        position += len(word)
    return words


def _make_doc(vocab: Vocab, text: str, places: Sequence[_Word], sents: bool) -> Doc:
    """A Doc with exactly this text: white space between words that is more than one blank
    becomes a token, as spaCy's tokenizer has it."""
    words: list[str] = []
    spaces: list[bool] = []
    starts: list[bool | int | None] = []
    position = 0
    for start, word, begins in (*places, (len(text), "", False)):
        if start > position and text[position] == " " and words:
            spaces[-1] = True
            position += 1
        if start > position:
            words.append(text[position:start])
            spaces.append(False)
            # The first token begins a sentence, whatever it is.
            starts.append(not starts and begins)
            begins = begins and not starts[-1]
        if word:
            words.append(word)
            spaces.append(False)
            starts.append(begins)
            position = start + len(word)
    doc = Doc(vocab, words=words, spaces=spaces, sent_starts=starts if sents else None)
    if doc.text != text:
        raise ValueError("the tokens of the new text do not make up that text")
    return doc


@cache
def _tokenizers(lang: str) -> Language:
    return blank_pipeline(lang)


def _tokenizer(lang: str) -> Tokenize:
    """The package's tokenizer for a language, with a vocab of its own."""
    nlp = _tokenizers(lang)
    # Nothing else ever forgets the strings that it has seen.
    if len(nlp.vocab.strings) > MAX_STRINGS:
        _tokenizers.cache_clear()
        nlp = _tokenizers(lang)
    return nlp.tokenizer
