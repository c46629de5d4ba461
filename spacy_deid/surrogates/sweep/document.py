"""One document on its way: what to replace in it grows until nothing masked is left in
the output."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from spacy.tokens import Doc

from ...entities.listed import allowed_in
from ...gazetteers.lexicon import is_vocabulary
from ...lang.name_forms import SIBILANT_ENDS, name_forms, plural_ending
from ...schema import IDENTIFIER_TYPES, NO_MASK, QUASI, strictest
from ...text import countries
from ...text.case import match_case, plain_letters
from ...text.folding import fold
from ...text.offsets import overlapping, to_old, trimmed, uncovered
from ..base import Mention
from .disguises import PLAIN, Disguises
from .occurrences import ANY, CAPITALISED, Hit, Sweep
from .ordinary import follows_article
from .pieces import APOSTROPHES, Item, Output, Piece, Region, Tokens, offsets_of
from .runs import Runs, compact, read_words
from .spellings import USERNAME, Form, Spellings, coined_parts

CONTEXT_CHARS, WIDE_CHARS = 30, 150
# Draws that may be refused in a document, beside one for two of its strings; a text of
# so many characters counts for one more.
PATIENCE = 2000
LONG_DRAW = 20
_TIME = re.compile(r"[Tt]\d\d(?::?\d\d|\b)")
_MARK_CHARS = "*#_~=+-.•§"
# Spans to keep of these types go as a whole if a part of them has to go: half a name is
# nobody's, and dates and numbers are read as a whole. "Oslo Town Council" is "Bergen Town
# Council" where only the town is masked.
_WHOLE_LABELS = frozenset(("PERSON", "CODE", "DATETIME", "QUANTITY"))


class _Range(NamedTuple):
    """Tokens to replace, for a masked span or for an occurrence of one."""

    start: int
    end: int
    item: Item | None
    hit: Hit | None


class Originals:
    """What no surrogate may be or hold: the document's originals, and terms of deny
    lists.

    cores (Iterable[str]): Texts of all spans.
    sweep (Sweep): The masked strings.
    denied (Sequence[Callable]): Whether a text has what no surrogate may have.
    """

    def __init__(
        self,
        cores: Iterable[str],
        sweep: Sweep,
        denied: Sequence[Callable[[str], bool]],
    ) -> None:
        self.sweep = sweep
        self._denied = denied
        self.words = {core: read_words(core) for core in cores}
        self._compact = {"".join(words) for words in self.words.values()} - {""}
        # Originals that have neither letter nor digit.
        self._raw = {core.casefold() for core, words in self.words.items() if not words}
        # Answers, which hold while no string is added.
        self._answers: dict[str, bool] = {}
        self._answered_for = 0
        self._patience = PATIENCE + len(self.words) // 2

    def mark(self) -> str:
        """A mark of three characters that no masked string without letters holds."""
        used = "".join(self._raw)
        return next((ch for ch in _MARK_CHARS if ch not in used), "\u2588") * 3

    def forbidden(self, text: str) -> bool:
        """Whether a text may not be put into the output."""
        if self.sweep.size != self._answered_for:
            self._answers.clear()
            self._answered_for = self.sweep.size
        answer = self._answers.get(text)
        if answer is None:
            answer = self._answers[text] = self._held(text) or any(
                denied(text) or getattr(denied, "repeats", lambda _: False)(text)
                for denied in self._denied
            )
        return answer

    def denied_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the terms of deny lists stand in a text."""
        for denied in self._denied:
            yield from getattr(denied, "places", lambda _: ())(text)

    def masked(self, text: str) -> bool:
        """Whether a text holds anything that is masked or denied."""
        words = read_words(text)
        held = self.sweep.found_in(text, words) if words else self._held(text)
        return held or any(denied(text) for denied in self._denied)

    def refuses(self, text: str) -> bool:
        """Whether a draw may not be used. Where nearly nothing may, as in random
        characters of which most are masked, draws are refused only so often: the rest
        of what is drawn in vain becomes a mark."""
        if self.patience_lost:
            return False
        refused = self.forbidden(text)
        self._patience -= refused * (1 + len(text) // LONG_DRAW)
        return refused

    @property
    def patience_lost(self) -> bool:
        """Whether draws are taken as they come."""
        return self._patience <= 0

    def _held(self, text: str) -> bool:
        words = read_words(text)
        if not words:
            return text.strip().casefold() in self._raw
        return "".join(words) in self._compact or self.sweep.found_in(text, words)


class DocumentSweep:
    """What is to be replaced in one document, and the proof that nothing is left.

    doc (Doc): The document.
    items (Sequence[Item]): Its spans, masked or not, in document order.
    stop_words (Iterable[str]): Function words of the language.
    denied (Sequence[Callable]): Whether a text has what no surrogate may have.
    """

    def __init__(
        self,
        doc: Doc,
        items: Sequence[Item],
        stop_words: Iterable[str],
        denied: Sequence[Callable[[str], bool]] = (),
    ) -> None:
        self.doc = doc
        self.tokens = Tokens(doc)
        self.text = self.tokens.text
        self._runs = Runs(self.text)
        self._disguises = Disguises(self.text)
        self.stop_words = stop_words
        self.masked: list[Item] = []
        self.kept: list[Item] = []
        for item in items:
            stays = item.decision == NO_MASK or item.by_chance
            (self.kept if stays else self.masked).append(item)
        # Pieces for which only a mark will do.
        self.marked: set[tuple[int, int]] = set()
        # The last surrogate of each piece.
        self.drawn: dict[tuple[int, int], str] = {}
        self._bare = self.tokens.bare_endings()
        # Characters that an order protects.
        chars = self.tokens.chars
        self._free = [chars(a, b) for a, b in allowed_in(doc)]
        starts = (chars(*i[:2])[0] for i in self.masked if i.label == "PERSON")
        self._articled = any(follows_article(self.text, at, doc.lang_) for at in starts)
        self.sweep = self._new_sweep()
        self.originals = Originals(map(self.tokens.core, items), self.sweep, denied)
        self.owners: list[Item] = []
        # Owner -> the masked string, where another spelling of it is looked for.
        self._spelt: dict[int, str] = {}
        self._spellings = Spellings(doc.lang_, self.text, self._runs)
        self.hits: list[tuple[int, int, Hit]] = []
        # Token -> 1 if a masked span covers it, 2 if only a hit does.
        self.covered = bytearray(len(doc))
        self._swept: set[tuple[str, str]] = set()
        self._search(self.masked, self.sweep)
        self.mark = self.originals.mark()

    # What repeats the masked spans

    def _search(self, items: Sequence[Item], fresh: Sweep) -> None:
        """Mask these spans and find what repeats them; names, dates and numbers to keep
        that are touched come along. `fresh` is an empty sweep, or the document's."""
        pending = list(items)
        while pending:
            sweeps = (fresh,) if fresh is self.sweep else (self.sweep, fresh)
            added = [self._look_for(item, sweeps) for item in pending]
            if any(added):
                hits = fresh.find(self.text, self._runs, self._disguises)
                self._add_hits(self._joined(hits))
            pending = self._touched()
            fresh = self._new_sweep()

    def _new_sweep(self) -> Sweep:
        return Sweep(self.stop_words, self.doc.lang_, self._articled)

    def _look_for(self, item: Item, sweeps: Sequence[Sweep]) -> bool:
        """Look for a masked string in any spelling; whether any is new."""
        self.covered[item.start : item.end] = b"\1" * (item.end - item.start)
        core, person = self.tokens.core(item), item.label == "PERSON"
        owner = len(self.owners)
        self.owners.append(item)
        # What is known already has been searched for.
        known = (core, item.label) in self._swept
        if known or self._spellings.says_nothing(core, item.label):
            return False
        self._swept.add((core, item.label))
        parts = self._spellings.parts(core) if person else ()
        if item.label == "ORG":
            parts = coined_parts(core, self.doc.lang_)
        words, low = self.originals.words[core], core.lower()
        # "Reading" is a town, "reading" is none.
        town = item.label in ("LOC", "ORG") and is_vocabulary(low, self.doc.lang_)
        only, added = CAPITALISED if town else ANY, False
        for sweep in sweeps:
            added |= sweep.add(core, owner, name=person, only=only, words=words)
            added |= bool(parts) and sweep.add_parts(parts, owner)
        for form in self._spellings.others(core, item.label, parts):
            # A town that stays elsewhere is no secret of the address.
            if form.label != "LOC" or compact(form.text) not in self._kept_texts:
                added |= self._look_for_form(form, item, owner, sweeps)
        return added

    def _look_for_form(
        self, form: Form, item: Item, owner: int, sweeps: Sequence[Sweep]
    ) -> bool:
        if form.label or form.of:
            owner = len(self.owners)
            if form.label:
                item = item._replace(label=form.label, subtype=form.subtype)
            self.owners.append(item)
            self._spelt[owner] = form.of
        name, (text, *_, part, only, written) = item.label == "PERSON", form
        added = [
            sweep.add(text, owner, name=name, part=part, only=only, written=written)
            for sweep in sweeps
        ]
        return any(added)

    @cached_property
    def _kept_texts(self) -> frozenset[str]:
        return frozenset(map(compact, map(self.tokens.core, self.kept)))

    def _joined(self, hits: list[Hit]) -> Iterable[Hit]:
        """The hits; in languages that decline names the parts of one that stand side by
        side are one name, or nothing would tell surname from patronymic."""
        if not self._spellings.declined or len(hits) < 2:
            return hits
        out: list[Hit] = []
        for hit in sorted(set(hits), key=lambda h: (h.start, -h.end)):
            last = out[-1] if out else None
            if last is not None and hit.end <= last.end:
                continue
            if last is not None and self._is_one_name(last, hit):
                out[-1] = last._replace(end=hit.end, plural=0)
            else:
                out.append(hit)
        return out

    def _is_one_name(self, a: Hit, b: Hit) -> bool:
        first, second = self.owners[a.owner], self.owners[b.owner]
        return (
            first.label == second.label == "PERSON"
            and first.entity_id == second.entity_id
            and self.text[a.end : b.start] in (" ", "\u00a0", "-")
            and not any(self.covered[slice(*self.tokens.at(a.start, a.end))])
            and not any(self.covered[slice(*self.tokens.at(b.start, b.end))])
        )

    def _outside(self, hit: Hit) -> Iterator[Hit]:
        """What of a hit is not protected and says anything."""
        for start, end in uncovered(hit.start, hit.end, self._free):
            if any(map(str.isalnum, self.text[start:end])):
                plural = hit.plural if end == hit.end else 0
                yield hit._replace(start=start, end=end, plural=plural)

    def _add_hits(self, hits: Iterable[Hit]) -> None:
        if self._free:
            hits = chain.from_iterable(map(self._outside, hits))
        # Most hits are the masked spans themselves.
        for start, end, hit in self.tokens.unmasked(hits, self.covered):
            covered = self.covered[start:end]
            self.covered[start:end] = covered.replace(b"\0", b"\2")
            self.hits.append((start, end, hit))

    def _touched(self) -> list[Item]:
        """Spans to keep that a masked span overlaps, or a hit that leaves nothing of
        use in them, now masked."""
        touched, kept = [], []
        for item in self.kept:
            covered = self.covered[item.start : item.end]
            if 1 in covered or (2 in covered and self._goes_whole(item)):
                decision = item.decision if item.by_chance else QUASI
                touched.append(item._replace(decision=decision, by_chance=False))
            else:
                kept.append(item)
        self.kept = kept
        self.masked += touched
        return touched

    def _goes_whole(self, item: Item) -> bool:
        """Whether a span to keep says nothing without a part of it: "United Kingdom of
        Great Britain" is no country without the first two words."""
        whole = item.by_chance or item.label in _WHOLE_LABELS
        return whole or fold(self.tokens.core(item)) in countries.index().by_name

    # What to replace

    def regions(self) -> list[Region]:
        """What to replace, in document order, never overlapping."""
        ranges = [_Range(item.start, item.end, item, None) for item in self.masked]
        masked = self.covered.count
        for start, end, hit in self.hits:
            if masked(1, start, end) < end - start:
                ranges.append(_Range(start, end, None, hit))
        if self._bare:
            # The ending goes with the name, whose surrogate may ask for another.
            bare = {end for end in self._bare if not self.covered[end]}
            ranges = [r._replace(end=r.end + 1) if r.end in bare else r for r in ranges]
        ranges.sort(key=itemgetter(0, 1))
        return [self._region(group) for group in overlapping(ranges)]

    def _region(self, group: Sequence[_Range]) -> Region:
        start, end = group[0].start, max(entry.end for entry in group)
        items = [entry.item for entry in group if entry.item is not None]
        # A name may be found around what was taken for something else in it.
        if items and not self._within_hit(group, start, end):
            rank = IDENTIFIER_TYPES.index
            lead = min(items, key=lambda i: (i.start - i.end, rank(i.decision)))
            decision = strictest(item.decision for item in items)
            a, b, first, core_end, _ = self.tokens.trimmed(start, end, lead.label)
            last = trimmed(self.text, first, b)[1]
            if first == core_end:  # white space alone
                first, core_end, last = a, b, b
            pieces = [Piece(first, core_end, last, lead)]
            return Region(start, end, a, b, lead, decision, False, pieces)
        a, b = self.tokens.chars(start, end)
        pieces = self._hit_pieces([e.hit for e in group if e.hit is not None], a, b)
        lead = max(pieces, key=lambda p: p.end - p.start).item
        decision = strictest(piece.item.decision for piece in pieces)
        return Region(start, end, a, b, lead, decision, True, pieces)

    def _within_hit(self, group: Sequence[_Range], start: int, end: int) -> bool:
        """Whether a hit, and no masked span, has all of some tokens."""
        chars = self.tokens.chars(start, end)
        return any(
            e.hit is not None and (e.hit.start, e.hit.end) == chars for e in group
        ) and not any(e.item and (e.start, e.end) == (start, end) for e in group)

    def _hit_pieces(self, hits: Sequence[Hit], a: int, b: int) -> list[Piece]:
        """Hits within a region as pieces that don't overlap; letters and digits stuck
        to one ("john1985") go with it."""
        if len(hits) == 1:  # as most regions have
            (hit,) = hits
            return [self._hit_piece(hit, hit.start, hit.end, a, b, b)]
        ordered = sorted(hits, key=lambda h: (h.start, -h.end))
        groups = [*overlapping(ordered)]
        starts = [*(group[0].start for group in groups), b]
        pieces: list[Piece] = []
        for group, start, high in zip(groups, starts, starts[1:]):
            end = max(hit.end for hit in group)
            widest = max(group, key=lambda h: h.end - h.start)
            low = pieces[-1].end if pieces else a
            pieces.append(self._hit_piece(widest, start, end, low, high, b))
        return pieces

    def _hit_piece(
        self, hit: Hit, start: int, end: int, low: int, high: int, b: int
    ) -> Piece:
        text, item = self.text, self.owners[hit.owner]
        while start > low and text[start - 1].isalnum():
            start -= 1
        stuck = self._stuck_end(end, high, item)
        plural = hit.plural if hit.end == end == stuck else 0
        if item.label == "PERSON" and not hit.part and item.subtype != USERNAME:
            # A person's name of several words written as one is a user name.
            joined = text[start:end].isalnum()
            if joined and len(self.tokens.core(item).split()) > 1:
                item = item._replace(label="CODE", subtype=USERNAME)
        exact = (start, end) == (hit.start, hit.end)
        spelt = self._spelt.get(hit.owner, "") if exact else ""
        # The figures of a user name are part of it.
        core_end = stuck if item.subtype == USERNAME else end - plural
        bare = stuck + 1 == high == b and text[stuck:b] in APOSTROPHES
        if bare and stuck == core_end:
            stuck += 1
        return Piece(start, core_end, stuck, item, True, bool(plural), spelt)

    def _stuck_end(self, end: int, high: int, item: Item) -> int:
        """Where the letters and digits that are stuck to a hit end."""
        # The time behind a date is told by itself: "2023-03-11T15:00Z".
        if item.label == "DATETIME" and _TIME.match(self.text, end):
            return end
        while end < high and self.text[end].isalnum():
            end += 1
        return end

    def with_kept(self, output: Output) -> Output:
        """The output with what chance has left as it is among the replacements, which
        it must look like."""
        rows = list(zip(output.regions, output.new_texts))
        end = 0
        for item in self.kept:
            if item.by_chance and item.start >= end:
                end = item.end
                a, b = self.tokens.chars(item.start, end)
                region = Region(item.start, end, a, b, item, item.decision, False, [])
                rows.append((region, self.text[a:b]))
        if len(rows) == len(output.regions):
            return output
        rows.sort(key=lambda row: row[0].start_char)
        regions = [region for region, _ in rows]
        new_texts = [new for _, new in rows]
        return Output(regions, new_texts, offsets_of(regions, new_texts), output.text)

    # Mentions for the strategy, and its surrogates in the text

    def units(self, pieces: Sequence[Piece], scope: str) -> list[int]:
        """The part of the document that each piece belongs to, by the scope."""
        if scope == "mention":
            return list(range(len(pieces)))
        if scope != "sentence":
            return [0] * len(pieces)
        starts = [sent.start_char for sent in self.doc.sents]
        return [bisect_right(starts, piece.start) for piece in pieces]

    def mention(self, piece: Piece) -> Mention:
        """What the strategy is told about a piece."""
        text, item = self.text, piece.item
        found = text[piece.start : piece.core_end]
        part = piece.swept and self.tokens.core(item) != found
        wide = WIDE_CHARS if item.label in ("MISC", "PERSON") else 0
        found = plain_letters(found)
        return Mention(
            match_case(piece.spelt, found) if piece.spelt else found,
            item.label,
            # A name part is no FULL_NAME.
            "" if part and item.label == "PERSON" else item.subtype,
            item.entity_id,
            text[max(0, piece.start - CONTEXT_CHARS) : piece.start],
            text[piece.core_end : piece.core_end + CONTEXT_CHARS],
            item.decision,
            item.order.strategy,
            text[max(0, piece.start - wide) : piece.core_end + wide] if wide else "",
        )

    def respell(self, pieces: Sequence[Piece], surrogates: list[str]) -> list[str]:
        """Surrogates as what they stand for is spelt, where that is another form of a
        masked string."""
        out = list(surrogates)
        for i, piece in enumerate(pieces):
            if piece.spelt:
                found = self.text[piece.start : piece.core_end]
                before = self.text[max(0, piece.start - CONTEXT_CHARS) : piece.start]
                out[i] = self._spellings.like(out[i], found, piece.spelt, before)
        return out

    def render(
        self, regions: Sequence[Region], surrogates: Iterable[str]
    ) -> tuple[list[str], list[list[int]]]:
        """New text of each region: surrogates, with what stands around the pieces; and
        the offsets of the pieces before and after."""
        new_texts: list[str] = []
        rows: list[list[int]] = []
        shift = 0
        following = iter(surrogates)
        for region in regions:
            out: list[str] = []
            position = region.start_char
            for piece in region.pieces:
                new = next(following)
                if piece.core_end < piece.end or piece.plural:
                    new += self._ending(piece, new)
                out += (self.text[position : piece.start], new)
                start = piece.start + shift
                rows.append([piece.start, piece.end, start, start + len(new)])
                shift += len(new) - (piece.end - piece.start)
                position = piece.end
            out.append(self.text[position : region.end_char])
            new_texts.append("".join(out))
        return new_texts, rows

    def _ending(self, piece: Piece, surrogate: str) -> str:
        found = self.text[piece.start : piece.core_end]
        ending = self.text[piece.core_end : piece.end]
        if (piece.start, piece.end) in self.marked:
            return ""
        if piece.plural:
            plural = plural_ending(surrogate) if surrogate[-1:].isalpha() else ""
            return plural.upper() if ending.isupper() else plural
        # What was stuck to a hit is part of an identifier, an ending is not.
        if piece.swept and ending not in APOSTROPHES:
            return ""
        if len(ending) == 1 and not found.lower().endswith(SIBILANT_ENDS):
            # It closes a quotation.
            return ending
        return name_forms(self.doc.lang_).possessive(ending, surrogate)

    def _before(self, hit: Hit, rows: list[list[int]]) -> Hit:
        """A hit in the output, at its place in the text."""
        start, end = to_old(rows, hit.start), to_old(rows, hit.end - 1) + 1
        return hit._replace(start=start, end=end)

    def _denied_in(
        self, output: str, rows: list[list[int]], pieces: Sequence[Piece]
    ) -> Iterator[tuple[int, int]]:
        """Pieces that make a denied term with what stands beside their surrogates."""
        starts = [row[2] for row in rows]
        for start, end in self.originals.denied_in(output):
            low = max(bisect_right(starts, start) - 1, 0)
            for k in range(low, bisect_left(starts, end)):
                place = pieces[k].start, pieces[k].end
                if rows[k][3] > start and place not in self.marked:
                    yield place

    def leaves_any(
        self, output: str, rows: list[list[int]], pieces: Sequence[Piece]
    ) -> bool:
        """Whether something masked stands in the output; if so, what stands there is
        put down to be replaced. `rows` are the pieces' offsets before and after."""
        # What is in disguise stands in the text itself, or nowhere.
        hits = self.sweep.find(output, disguises=None if self._disguises else PLAIN)
        if self._free:
            hits = [hit for hit in hits if any(self._outside(self._before(hit, rows)))]
        denied = [*self._denied_in(output, rows, pieces)]
        if not hits and not denied:
            return False
        starts = [row[2] for row in rows]
        before, loose = len(self.marked), []
        for hit in hits:
            low = max(bisect_right(starts, hit.start) - 1, 0)
            low += rows[low][3] <= hit.start
            among = range(low, bisect_left(starts, hit.end))
            if not among:
                loose.append(hit)
            for k in among:
                _, _, start, end = rows[k]
                held = output[max(start, hit.start) : min(end, hit.end)]
                if any(map(str.isalnum, held)):
                    self.marked.add((pieces[k].start, pieces[k].end))
        self.marked.update(denied)
        # Not a surrogate but the text beside one, which belongs together now.
        more = hits if len(self.marked) == before else loose
        if more:
            self._add_hits(self._before(hit, rows) for hit in more)
            self._search(self._touched(), self._new_sweep())
        return True
