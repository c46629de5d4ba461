"""Propagation: further mentions of what was found in a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from spacy.lang.en.stop_words import STOP_WORDS
from spacy.tokens import Doc

from ..gazetteers.lexicon import is_vocabulary
from ..gazetteers.names import load_names
from ..registries import registry
from ..schema import Candidate, texts_of
from ..text.names import (
    CALENDAR,
    COUNTRIES,
    EVERYDAY,
    GENERIC,
    PARTICLES,
    TITLES,
    NameToken,
    fold,
    name_tokens,
)
from .doc_words import Case, DocWords, Shape
from .forms import word_lists
from .organisations import aliases, as_acronym, coined_words
from .persons import GROUP

Propagator = Callable[[Doc, Sequence[Candidate]], list[Candidate]]

# Why a propagated mention was found.
REPEATED = "another mention of what was found elsewhere in the document"


@registry.misc("spacy_deid.propagate_names.v1")
def make_propagate_names(decay: float = 0.9) -> Propagator:
    """Find the entities' other occurrences in the document.

    Looks for the text of every entity found (other case, spacing, hyphens, possessive
    included; everyday words, short numbers and the like left out), for each part of a
    person's name, with the initials and title that stand before it, and for acronyms
    defined in parentheses. One pass over the tokens, whatever the number of entities.

    decay (float): Factor from the score of the entity to that of a mention found here.
    RETURNS (Callable): Function of a Doc and candidates, giving further candidates:
        none lies within one given, and none of them overlap each other.
    """
    return partial(_propagate_names, decay=decay)


def _propagate_names(
    doc: Doc, candidates: Sequence[Candidate], *, decay: float
) -> list[Candidate]:
    """See `make_propagate_names`."""
    if not candidates:
        return []
    words = DocWords(doc)
    wanted = _Wanted(words, decay)
    ordered = sorted(candidates, key=lambda c: (-c.score, c))
    for c, text in zip(ordered, texts_of(doc, ordered)):
        wanted.add(c, text)
    return list(_Search(words, wanted, candidates).run())


# Longer spans are sentences, and their repetition none of our business; the bound keeps
# the search linear.
_LONGEST = 24
_LONGEST_CODE = 64
_NO_INITIALS = frozenset(word_lists["initials.none"])
_CURRENCIES = frozenset(word_lists["currency"])
# What stands before the "@" of a mailbox that belongs to nobody, if also a surname.
_MAILBOXES = frozenset(word_lists["mailbox"])
# Words after which "Will", "May" or "Mark" at the start of a sentence are no names.
_AFTER_VERB = frozenset(word_lists["after_verb"])
_NO_PART = CALENDAR | COUNTRIES | GENERIC | TITLES.keys()
_NO_ENTITY = _NO_PART | STOP_WORDS
_GENERIC = GENERIC | STOP_WORDS
# Titles that may be written small before a name.
_SMALL_TITLES = frozenset(("mr", "mrs", "ms", "dr", "prof"))
_LETTERS = re.compile(r"[^\W\d_]+")
# A whole text counts for more than a part of one. `generic`: a name of everyday words,
# taken where capitalised; `weak`: a part that is a name only after a title or initial.
_KINDS = ("text", "acronym", "generic", "part", "weak", "initials")


class _Target(NamedTuple):
    """A sequence of words to look for, and the candidate it makes."""

    label: str
    id: str
    score: float
    source: str
    kind: str  # one of _KINDS
    gaps: bool  # whether the entity's own words are parted by commas and the like


class _Wanted:
    """What to look for: words of entities in a trie, and characters of codes."""

    def __init__(self, words: DocWords, decay: float) -> None:
        self.words = words
        self.decay = decay
        # What ends at a node has the key "", which no word is.
        self.trie: dict[str, Any] = {}
        self.codes: dict[str, _Target] = {}
        self.prefixes: set[str] = set()
        self._added: set[tuple] = set()

    def put(self, words: Sequence[str], target: _Target) -> None:
        node = self.trie
        for word in words:
            node = node.setdefault(word, {})
        known = node.get("")
        if known is None or _KINDS.index(target.kind) < _KINDS.index(known.kind):
            node[""] = target

    def add(self, c: Candidate, text: str) -> None:
        """Look for an entity's text, the parts of its name and its acronym."""
        span = self.words.of(c)
        if not 0 < len(span) <= _LONGEST:
            return
        detector, _, found_by = c.source.partition(":")
        source = found_by if detector == "propagation" else detector or "user"
        # Of an organisation what follows counts as well.
        said = text, c.label, c.id, c.score, source
        if said in self._added and c.label != "ORG":
            return
        self._added.add(said)
        gaps = any(self.words.breaks[i] for i in span[1:])
        score = c.score * self.decay
        target = _Target(c.label, c.id, score, f"propagation:{source}", "text", gaps)
        if c.label == "PERSON":
            # "Aria and Leo" may come back as either.
            for one in GROUP.split(text):
                self._add_person(one, target)
            return
        words = self.words.words[span.start : span.stop]
        cases = self.words.cases[span.start : span.stop]
        if c.id in ("EMAIL", "USERNAME"):
            self._add_handle(text, target)
        if c.label == "CODE":
            self._add_code("".join(words), text, target)
        if self._worth(c.label, words, cases):
            if _GENERIC.issuperset(words):
                target = target._replace(kind="generic")
            self.put(words, target)
            self._add_base(text, target)
        if c.label == "ORG":
            self._add_acronym(c, text, target)
            # "Ineos" for "Ineos Acrylics": nothing else is called so.
            for word in coined_words(text, self.words.doc.lang_):
                self.put([word], target._replace(kind="part", gaps=False))

    def _add_handle(self, text: str, target: _Target) -> None:
        """Known names in an e-mail address or user name: "tomasz_w", "jdoe7"."""
        names, part = load_names(), target._replace(label="PERSON", id="", kind="part")
        for run in _LETTERS.findall(fold(text.lstrip("@").partition("@")[0])):
            # An initial may stand glued before the surname.
            for name in (run, run[1:]):
                known = name in names.family or (name == run and name in names.given)
                common = name in EVERYDAY or name in _MAILBOXES
                if len(name) >= 4 and known and not common and self._may_be_part(name):
                    self.put([name], part)
                    break

    def _add_code(self, compact: str, text: str, target: _Target) -> None:
        """Look for the characters of a code, whatever stands between them."""
        if not 5 <= len(compact) <= _LONGEST_CODE or not any(map(str.isdigit, compact)):
            return
        codes = [compact]
        if text.startswith("+") and compact.isdigit():
            # Country codes have one to three digits.
            cut = (compact[1:], compact[2:], compact[3:])
            codes += ["0" + number.lstrip("0") for number in cut if len(number) >= 9]
            codes.append("00" + compact)
        for code in codes:
            self.codes.setdefault(code, target)
            # The beginnings of one that is known are known, too.
            size = len(code)
            while size and code[:size] not in self.prefixes:
                self.prefixes.add(code[:size])
                size -= 1

    def _worth(self, label: str, words: list[str], cases: list[Case]) -> bool:
        """Whether a text says enough to be looked for by itself."""
        letters = sum(map(len, words))
        if any(map(str.isdigit, "".join(words))):
            # "30" or "2001" alone may count or date anything.
            return letters >= 5
        if label == "CODE":
            return letters >= 4
        content = [w for w in words if w not in STOP_WORDS and len(w) > 1]
        if len(content) != 1 or letters < 3:
            return bool(content) and letters >= 3
        word = content[0]
        if word in _NO_ENTITY and not (label == "LOC" and word in COUNTRIES):
            return False
        if cases[words.index(word)] == Case.LOWER and not self.words.mostly_lower:
            return len(word) >= 6 and not is_vocabulary(word, self.words.doc.lang_)
        return not self.words.common_here(word)

    def _add_base(self, text: str, target: _Target) -> None:
        """ "PKK" for "PKK (the Kurdistan Workers' Party)"."""
        if "(" not in text:
            return
        shapes = [Shape(word) for word in aliases(text)[0].split()]
        runs = [run for shape in shapes for run in shape.runs]
        cases = [case for shape in shapes for case in shape.cases]
        if runs and self._worth(target.label, runs, cases):
            self.put(runs, target._replace(gaps=False))

    def _add_person(self, text: str, target: _Target) -> None:
        shaped = ((t, Shape(t.text).runs) for t in name_tokens(text))
        named = [(t, runs) for t, runs in shaped if t.role != "title" and runs]
        flat = [run for _, runs in named for run in runs]
        # "J.S." as written, initials of at least two.
        if len(flat) > 1:
            self.put(flat, target)
        if all(len(run) == 1 for run in flat):
            return
        for joined in _joined_ways(flat):
            self.put(joined, target)
        names = [item for item in named if item[0].role != "suffix"]
        plain = [(t, runs) for t, runs in names if len("".join(runs)) > 1]
        self._add_orders(plain, target)
        for token, runs in plain:
            subtype = "FAMILY_NAME" if token.role == "family" else "GIVEN_NAME"
            own = target.id if len(names) == 1 else subtype
            self._add_parts(runs, target._replace(id=own))

    def _add_parts(self, runs: list[str], target: _Target) -> None:
        for run in runs:
            if len(run) > 1 and run.isalpha() and run not in PARTICLES:
                kind = "part" if self._may_be_part(run) else "weak"
                self.put([run], target._replace(kind=kind))

    def _add_orders(
        self, plain: Sequence[tuple[NameToken, list[str]]], target: _Target
    ) -> None:
        """The names of a person in other orders, in part, and as initials."""
        family = [run for t, runs in plain if t.role == "family" for run in runs]
        given = [run for t, runs in plain if t.role != "family" for run in runs]
        if given and family:
            for order in ([*given, *family], [*family, *given], [given[0], *family]):
                self.put(order, target)
        if len(family) > 1:
            self.put(family, target._replace(id="FAMILY_NAME"))
        first = [runs[0][0] for _, runs in plain]
        for initials in (first, [run[0] for _, runs in plain for run in runs]):
            if len(initials) > 1 and "".join(initials) not in _NO_INITIALS:
                self.put(initials, target._replace(kind="initials"))

    def _may_be_part(self, word: str) -> bool:
        if word in STOP_WORDS and word not in EVERYDAY:
            return False
        return word not in _NO_PART and not self.words.common_here(word)

    def _add_acronym(self, c: Candidate, text: str, target: _Target) -> None:
        """The short form in parentheses after or within an organisation's name."""
        doc = self.words.doc
        found = aliases(text)[1]
        if c.end < len(doc) and doc[c.end].text == "(":
            for i in range(c.end + 1, min(c.end + 10, len(doc))):
                if doc[i].text == ")":
                    found += aliases(doc[c.end : i + 1].text)[1]
                    break
        for alias in found:
            short = len(alias) > 2 and alias.upper() not in _CURRENCIES
            if short and as_acronym(alias) is not None:
                self.put(Shape(alias).runs, target._replace(kind="acronym", gaps=False))


def _joined_ways(words: list[str]) -> Iterator[list[str]]:
    """A name with two neighbouring words written as one: "Sithu Aung", "annaschmidt"."""
    if len(words) == 2 and len(words[0] + words[1]) >= 8:
        yield [words[0] + words[1]]
    if 2 < len(words) <= 6:
        for i in range(len(words) - 1):
            yield [*words[:i], words[i] + words[i + 1], *words[i + 2 :]]


class _Search:
    """One pass over the words of a document."""

    def __init__(
        self, words: DocWords, wanted: _Wanted, candidates: Sequence[Candidate]
    ) -> None:
        self.words = words
        self.wanted = wanted
        self.owner = {i: c for c in candidates for i in range(c.start, c.end)}
        self.done = 0  # first token after the last candidate made

    def run(self) -> Iterator[Candidate]:
        """Candidates for all occurrences that are not yet covered."""
        words, wanted = self.words, self.wanted
        for i, word in enumerate(words.words):
            if words.tokens[i] < self.done:
                continue
            made = self._match(i) if word in wanted.trie or i in words.joins else None
            if made is None and word in wanted.prefixes:
                made = self._match_code(i)
            if made is not None:
                yield made
                self.done = made.end

    def _match(self, i: int) -> Candidate | None:
        """The longest sequence from word i on that may stand as a mention."""
        words = self.words
        node, j = self.wanted.trie, i
        found: list[tuple[int, _Target]] = []
        broken = False
        while j < len(words.words):
            broken = broken or (j > i and words.breaks[j])
            word = words.words[j]
            if word not in node and j in words.joins and j + 1 < len(words.words):
                j += 1
                word += words.words[j]
            if word not in node:
                break
            node = node[word]
            j += 1
            if (target := node.get("")) is not None and (target.gaps or not broken):
                found.append((j, target))
        for end, target in reversed(found):
            fits = self._case_fits(i, end, target)
            if fits and (made := self._make(i, end, target)) is not None:
                return made
        return None

    def _match_code(self, i: int) -> Candidate | None:
        """A code whose characters are grouped in another way."""
        words, wanted = self.words, self.wanted
        if i and words.tokens[i - 1] == words.tokens[i]:
            return None
        text, j = "", i
        while j < len(words.words) and len(text) < _LONGEST_CODE:
            if j > i and words.breaks[j] and words.tokens[j] - words.tokens[j - 1] > 2:
                break
            text += words.words[j]
            if text not in wanted.prefixes:
                break
            j += 1
            ends = j == len(words.words) or words.tokens[j] != words.tokens[j - 1]
            if ends and text in wanted.codes:
                return self._make(i, j, wanted.codes[text])
        return None

    def _case_fits(self, i: int, end: int, target: _Target) -> bool:
        cases = self.words.cases[i:end]
        if target.kind == "acronym":
            return Case.LOWER not in cases
        if target.kind == "initials":
            return self._are_initials(i, end)
        if target.kind == "generic":
            words = self.words.words[i:end]
            return all(c != Case.LOWER or w in STOP_WORDS for c, w in zip(cases, words))
        if end - i > 1:
            words = self.words.words[i:end]
            initials = target.label == "PERSON" and all(len(w) == 1 for w in words)
            return not initials or Case.LOWER not in cases
        return self._word_fits(i, target.label)

    def _are_initials(self, i: int, end: int) -> bool:
        """ "J.S." and "J. S.", but neither "J S" nor "j.s."."""
        words = self.words
        last = words.tokens[end - 1]
        if i > words.first[words.tokens[i]] or end < words.first[last + 1]:
            return False
        text = words.doc[words.tokens[i] : last + 2].text
        return text.count(".") >= end - i and set(words.cases[i:end]) == {Case.TITLE}

    def _word_fits(self, i: int, label: str) -> bool:
        """Whether one word is written as a name of its type."""
        words = self.words
        word, case = words.words[i], words.cases[i]
        if label == "PERSON" and case == Case.LOWER:
            least = 3 if words.mostly_lower else 4
            return len(word) >= least and not is_vocabulary(word, words.doc.lang_)
        if label == "PERSON" and case == Case.TITLE and word in EVERYDAY:
            verb = _AFTER_VERB.intersection(words.words[i + 1 : i + 2])
            return not (verb and words.starts_sentence(i))
        if case == Case.LOWER and label in ("ORG", "LOC", "MISC"):
            known = is_vocabulary(word, words.doc.lang_)
            return not known and (words.mostly_lower or len(word) >= 5)
        return True

    def _make(self, i: int, end: int, target: _Target) -> Candidate | None:
        """The candidate, unless another one has its words."""
        words = self.words
        first, last = words.tokens[i], words.tokens[end - 1] + 1
        label, subtype = target.label, target.id
        if label == "PERSON":
            shape = words.shapes[first]
            if shape.whole and target.kind != "weak":
                label, subtype = "CODE", "EMAIL" if "@" in shape.text else "URL"
            else:
                first = self._extend(first)
                if target.kind == "weak" and first == words.tokens[i]:
                    return None
        if self._is_covered(first, last):
            return None
        return Candidate(
            first, last, label, subtype, target.score, target.source, REPEATED
        )

    def _is_covered(self, first: int, last: int) -> bool:
        """Whether candidates have the tokens, or one reaches beyond them."""
        own = self.owner.get(first)
        if own is not None and (own.start, own.end) == (first, last):
            return True  # most are what was looked for
        tokens = range(first, last)
        covering = {self.owner[t] for t in tokens if t in self.owner}
        places = {(c.start, c.end) for c in covering}
        if (first, last) in places or any(a < first or b > last for a, b in places):
            return True
        shapes = self.words.shapes
        return bool(covering) and all(t in self.owner for t in tokens if shapes[t].runs)

    def _is_free(self, token: int) -> bool:
        return token >= self.done and token not in self.owner

    def _extend(self, first: int) -> int:
        """Take in the initials and the title right before a name."""
        shapes = self.words.shapes
        start, token = first, first - 1
        while self._is_free(token) and start - token <= 2:
            if not shapes[token].parts_initials:
                if not self._are_dotted(token, shapes[first].cases[:1] == [Case.LOWER]):
                    break
                start = token
            token -= 1
        for _ in range(3):
            while token >= self.done and shapes[token].parts_initials:
                token -= 1
            if not self._is_free(token) or not _is_title(shapes[token]):
                break
            start = token
            token -= 1
        return start

    def _are_dotted(self, token: int, lower: bool) -> bool:
        """Whether a token is initials with dots, small ones or not."""
        shape, after = self.words.shapes[token], self.words.shapes[token + 1]
        dotted = "." in shape.text or after.text == "."
        # Not the number of a list.
        single = (len(run) == 1 and run.isalpha() for run in shape.runs)
        initials = bool(shape.runs) and all(single)
        alike = all((case == Case.LOWER) == lower for case in shape.cases)
        return dotted and initials and alike


def _is_title(shape: Shape) -> bool:
    if len(shape.runs) != 1 or len(shape.runs[0]) < 2 or shape.runs[0] not in TITLES:
        return False
    return shape.cases[0] != Case.LOWER or shape.runs[0] in _SMALL_TITLES
