"""E-mail addresses and user names that are said, and streets with their number apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...data import word_lists
from ...text.spoken import FIGURES, Speech
from ..base import Anchored, Hit, Text, hit
from ..contact.tlds import all_tlds
from .groups import FIRST, MORE
from .slots import Opening

_LISTS = word_lists("patterns/spoken_words")
_PROVIDERS = frozenset(_LISTS["provider"])
_STOPS = frozenset(_LISTS["stops"])
_LABEL = r"[^\W_](?:[\w-]{0,40}[^\W_])?"
_DOT = r"(?:\s?,?\sdot\s|\.)"
_HOST = re.compile(rf"(?i)(?:the\s)?(?P<host>{_LABEL}(?:{_DOT}{_LABEL}){{0,3}})(?!\w)")
_AT = Anchored(r"(?i:at)(?<=[\s,.…]at)(?:\ssign)?[\s,]{1,3}(?!\d)", "at")
_MARKS = {"dot", "underscore", "dash", "hyphen", "plus", "minus", "score"}
_TOKEN = re.compile(r"[^\W_](?:[\w'’.+-]{0,40}[\w])?|[^\w\s]")
_BACK, _CUE = 90, 220
_SPLIT = re.compile(_DOT, re.I)
# What stands between an opening and a name on the net.
_LEAD = re.compile(
    r"(?i)(?:[\s?:,.…-]|\b(?:is|it's|its|was|that's|as|uh|um|er|erm|so|well|okay|yeah|yes|sure|just|hang on|let me see|under|address)\b|['’]s\b|\n[^\n:]{0,30}:){0,12}"
)


# One of these has to be there.
_SAYS = re.compile(r"(?i)[:?,\n]|\b(?:is|it's|its|was|that's|as|under)\b|['’]s\b")


class _Word(NamedTuple):
    """A word of a name on the net."""

    start: int
    end: int
    # "mark", "atom" (digits, letters) or "word".
    kind: str


class NetNames:
    """Finds e-mail addresses and user names that are said.

    speech (Speech): The reader of numbers.
    """

    def __init__(self, speech: Speech) -> None:
        self._said = speech.number_words

    def __call__(self, text: Text, opened: list[Opening]) -> Iterator[Hit]:
        """Names on the net of a text.

        text (Text): Normalised text.
        opened (list[Opening]): Words that open slots, in order.
        YIELDS (Hit): Hits that may overlap.
        """
        mail = [o for o in opened if o.slot.name in ("email", "user")]
        for m in _AT.finditer(text):
            yield from self._address(text, m.start(), m.end(), mail)
        for opening in mail:
            yield from self._name(text, opening)

    def _address(
        self, text: Text, at: int, start: int, mail: list[Opening]
    ) -> Iterator[Hit]:
        host = _HOST.match(text, start)
        if host is None:
            return
        labels = _SPLIT.split(host["host"])
        end, public = _host_end(text, host, labels)
        if not end:
            return
        cued = any(0 <= at - o.end < _CUE for o in mail)
        words = self._before(text, at)
        dotted = end > host.start("host") + len(labels[0])
        odd = any(
            w.kind != "word" or not text[w.start : w.end].isalpha() for w in words
        )
        named = any(w.kind == "word" for w in words) or len(words) > 2
        if (
            words
            and named
            and (cued or (odd and (dotted or public)) or (public and dotted))
        ):
            yield hit(
                words[0].start,
                end,
                "CODE",
                "EMAIL",
                0.9,
                FIRST,
                "e-mail address that is said",
            )
        elif cued and dotted and (public or " dot " in host["host"]) and not words:
            yield hit(
                host.start("host"),
                end,
                "CODE",
                "EMAIL",
                0.8,
                MORE,
                "host of an e-mail address that is said",
            )

    def _before(self, text: Text, at: int) -> list[_Word]:
        """The words of the name before the sign."""
        left = max(0, at - _BACK)
        tokens = list(_TOKEN.finditer(text, left, at))
        taken: list[_Word] = []
        for i, m in reversed([*enumerate(tokens)]):
            word = m[0]
            if word == "," and (not taken or taken[-1].kind == "atom"):
                continue
            if (
                not word[0].isalnum()
                or "\n" in text[m.end() : taken[-1].start if taken else at]
            ):
                break
            kind = self._kind(word)
            marked = i > 0 and tokens[i - 1][0].lower() in _MARKS
            bare = word.lower().removesuffix("'s")
            stops = kind == "word" and bare in _STOPS and not marked
            if stops or (kind == "word" and taken and taken[-1].kind == "word"):
                break
            taken.append(_Word(*m.span(), kind))
        while taken and taken[-1].kind == "mark":
            taken.pop()
        return taken[::-1]

    def _kind(self, word: str) -> str:
        low = word.lower()
        if low in _MARKS:
            return "mark"
        if len(word) == 1 or word.isdigit():
            return "atom"
        return "atom" if low in self._said else "word"

    def _name(self, text: Text, opening: Opening) -> Iterator[Hit]:
        """A user name, or the name of an address, in words with digits or signs."""
        lead = _LEAD.match(text, opening.end)
        start = lead.end() if lead else opening.end
        words: list[_Word] = []
        for m in _TOKEN.finditer(text, start, min(len(text), start + _BACK)):
            word, kind = m[0], self._kind(m[0])
            apart = text[words[-1].end : m.start()] if words else ""
            if (
                not word[0].isalnum()
                or "\n" in apart
                or word.lower() in _STOPS
                or len(words) > 7
            ):
                break
            words.append(_Word(*m.span(), kind))
        while (
            words
            and words[-1].kind == "word"
            and len(words) > 1
            and words[-2].kind != "mark"
        ):
            words.pop()
        if words and words[-1].kind == "mark":
            words.pop()
        said = _SAYS.search(text, opening.end, start)
        if not said and all(w.kind != "mark" for w in words):
            return
        plain = [w for w in words if w.kind == "word"]
        signs = [w for w in words if w.kind != "word"]
        if not plain or not signs or len(plain) > len(signs) + 2:
            return
        if (
            words[0].kind == "atom"
            and text[words[0].start : words[0].end].lower() not in ("the",)
            and words[0].end - words[0].start > 1
        ):
            # "two cats"
            return
        slot = opening.slot
        yield hit(
            words[0].start,
            words[-1].end,
            slot.label,
            slot.subtype,
            0.85,
            FIRST,
            "name on the net that is said",
        )


def _host_end(text: Text, host: re.Match[str], labels: list[str]) -> tuple[int, bool]:
    """Where a host ends, 0 if it is none; whether anybody may have a mailbox there."""
    public = labels[0].lower() in _PROVIDERS
    end, at = 0, host.start("host")
    for i, label in enumerate(labels):
        at = text.index(label, at) + len(label)
        if i and label.lower() in all_tlds():
            end = at
    if not end and public:
        end = host.start("host") + len(labels[0])
    return end, public


_NUMBER_WORD = "|".join(_LISTS["number"]).replace(".", r"\.")
_STREET = re.compile(
    rf"(?<![\w-])(?:[A-Z][\w'’-]{{1,20}}\s){{1,3}}(?i:{'|'.join(_LISTS['street'])})(?![\w-]|\s[A-Z])"
)


class Streets:
    """Finds streets whose number is said apart.

    speech (Speech): The reader of numbers.
    """

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        names = " ".join(_LISTS["street"])
        self._kinds = Anchored(r"[^\W\d_]+", names)
        self._after = re.compile(
            rf"(?i)[^\n?!]{{0,60}}?(?:[?!.\n][^\n?!]{{0,50}}?){{0,2}}\b(?:{_NUMBER_WORD})\s(?:number\s)?(?P<n>[^\n.,;?!]{{1,24}})"
        )
        self._before = re.compile(
            rf"(?i)\b(?:{_NUMBER_WORD})\s(?:number\s)?(?P<n>[\w-]{{1,12}}(?:[\s-][\w-]{{1,10}})?)(?:[,.]|\son|\sof|\sin)?[^\n.?!]{{0,40}}\Z"
        )

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Streets and numbers of a text.

        text (Text): Normalised text.
        YIELDS (Hit): Hits that may overlap.
        """
        for m in self._kinds.finditer(text):
            street = _STREET.search(text, max(0, m.start() - 66), m.end())
            if street is None or street.end() != m.end():
                continue
            start = _without_stops(text, street)
            number = self._number(text, street)
            if number is None or start >= m.start():
                continue
            places = (start, m.end()), number
            for detail, place in zip((FIRST, MORE), sorted(places)):
                reason = "number of a street, said apart"
                reason = reason if place == number else "street with its number apart"
                yield hit(*place, "LOC", "ADDRESS", 0.95, detail, reason)

    def _number(self, text: Text, street: re.Match[str]) -> tuple[int, int] | None:
        after = self._after.match(text, street.end())
        if after is not None and (
            found := self._read(text, after.start("n"), after.end("n"))
        ):
            return found
        before = self._before.search(text, max(0, street.start() - 90), street.start())
        if before is not None:
            return self._read(text, before.start("n"), before.end("n"))
        return None

    def _read(self, text: Text, start: int, end: int) -> tuple[int, int] | None:
        """The number at the beginning of a stretch."""
        for run in self._speech.runs(text, start, end):
            if (
                run.start != start
                or not run.chars[:1].isdigit()
                or len(run.compact) > 5
            ):
                return None
            if all(a.form == FIGURES for a in run.atoms) and len(run.atoms) > 1:
                return None
            return run.start, run.end
        return None


def _without_stops(text: Text, street: re.Match[str]) -> int:
    """Where the name of a street begins: not with "That's" or "The"."""
    start = street.start()
    while (word := _TOKEN.match(text, start)) and word[0].lower().replace(
        "’", "'"
    ) in _STOPS:
        start = word.end() + 1
    return start
