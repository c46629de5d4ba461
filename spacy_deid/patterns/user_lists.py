"""A user's own terms: those that are always found, and those that never are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ..gazetteers import Term, TermStore, normalize_term
from ..schema import SEMANTIC_TYPES
from ..text.words import WORD
from .base import normalize

# A letter of a script that puts spaces between words.
_LETTER = r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"


class AllowList:
    """Texts that are never found.

    texts (Iterable[str]): The texts; case, blanks, hyphens and the kind of apostrophe
        don't matter.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        both = (form for text in texts for form in (_plain(text), _simple(text)))
        self.forms = frozenset(filter(None, both))

    def __contains__(self, text: str) -> bool:
        return _plain(text) in self.forms or _simple(text) in self.forms

    def __bool__(self) -> bool:
        return bool(self.forms)


class DenyList:
    """Terms that are always masked.

    entries (Iterable): Strings (label MISC), or dicts with `term` and perhaps `label`
        and `id`; case doesn't matter.
    RAISES (ValueError): If an entry is none of these.
    """

    def __init__(self, entries: Iterable[str | Mapping[str, str]]) -> None:
        words: list[Term] = []
        others: dict[str, tuple[str, str]] = {}
        for i, item in enumerate(entries):
            entry = {"term": item} if isinstance(item, str) else dict(item)
            term = normalize(entry.pop("term", "").strip()).text.strip()
            label, id_ = entry.pop("label", "MISC"), entry.pop("id", "")
            if not term or label not in SEMANTIC_TYPES or entry:
                raise ValueError(
                    f"entry {i} of deny must be a term or have the keys 'term', "
                    f"'label' (one of {', '.join(SEMANTIC_TYPES)}) and 'id'"
                )
            if _simple(term):
                words.append(Term(term, label, id_, "deny"))
            else:
                others[term] = (label, id_)
        longest_first = sorted(others, key=lambda term: (-len(term), term))
        self._words = TermStore(words)
        self._others = _pattern(longest_first)
        self._kinds = [others[term] for term in longest_first]

    def __bool__(self) -> bool:
        return bool(self._words) or self._others is not None

    def find(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """Start, end, label and id of each term in a text.

        text (str): A text after `patterns.base.normalize`.
        YIELDS (tuple): Overlapping ones too.
        """
        for start, end, kind in self._words.find(text, overlap=True):
            yield start, end, kind.label, kind.id
        if self._others is not None:
            for m in self._others.finditer(text):
                group = m.lastindex or 0
                yield m.start(group), m.end(group), *self._kinds[group - 1]

    def __call__(self, text: str) -> bool:
        """Whether a text has any of the terms in it.

        text (str): Any text.
        RETURNS (bool): True at the first one.
        """
        return next(self.find(normalize(text).text), None) is not None


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split())


def _simple(text: str) -> str:
    """The words of a text that has nothing but words, blanks and hyphens, as term lists
    compare them; "" for any other text."""
    text = normalize(text).text
    return "" if re.search(r"[^\s-]", WORD.sub("", text)) else normalize_term(text)


def _pattern(terms: list[str]) -> re.Pattern[str] | None:
    """One expression for terms that aren't just words: a group for each, all in a
    look-ahead so that matches may overlap."""
    parts = []
    for term in terms:
        body = r"\s{1,8}".join(
            "".join("['\u2019]" if c in "'\u2019" else re.escape(c) for c in word)
            for word in term.split()
        )
        # A boundary only where a word would go on.
        left = rf"(?<!{_LETTER})" if re.match(_LETTER, term) else ""
        right = rf"(?!{_LETTER})" if re.match(_LETTER, term[-1]) else ""
        parts.append(f"({left}{body}{right})")
    return re.compile(f"(?={'|'.join(parts)})", re.IGNORECASE) if parts else None
