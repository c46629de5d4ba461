"""Identifiers as people say them: digits in words, names letter by letter, in pieces.

`{s.saidphone}` is a telephone number said at once, `{s.saidphone1}` its first group,
`{s.saidphonelast}` its last four digits, `{s.saidphoneecho}` its first group as another
speaker repeats it. All of one number are one entity.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import takewhile

from ...data import facts
from ...text.number_words import in_words
from ...text.spoken import ALPHABET, speech
from .grammar import Piece
from .names import Person, ascii_fold
from .people import People

_FORM = re.compile(r"said([a-z]+?)(\d|last|echo|plain|)$")
# Kind -> label, subtype, groups of figures and letters (as of `Expander.fill`).
_WORDS = facts("lang/en/said")
_KINDS = {
    kind: (label, subtype, patterns)
    for kind, (label, subtype, *patterns) in _WORDS["kinds"].items()
}
_SIGNS = {"-": "hyphen", "'": "apostrophe"}


class Manner:
    """How somebody speaks in one document."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.zero: str = rng.choice(_WORDS["zeros"])
        self.figures = rng.choice([0, 0, 0, 0.15, 1])
        self.double = rng.choice([0, 0.6, 1])
        self.pairs = rng.choice([0, 0, 0.15, 0.5])
        self.hesitates = rng.choice([0, 0, 0.1, 0.25])
        self.pause: str = rng.choice(_WORDS["pauses"])
        self.letter_pause: str = rng.choice(_WORDS["letter_pauses"])
        self.capitals = rng.random() < 0.75
        self.alphabet = rng.choice([0, 0, 0.2, 0.5, 1])

    def number(self, chars: str) -> str:
        """A group of figures and letters, as it is said."""
        if self.figures == 1 and chars.isdigit():
            return self.rng.choice(["", "", self.pause, " "]).join(chars)
        return self._joined(self._said(chars), self.pause, self.hesitates / 2)

    def _joined(self, said: Iterable[str], pause: str, chance: float) -> str:
        """What is said one after the other, with a hesitation by chance."""
        out = ""
        for i, text in enumerate(said):
            if i:
                hesitates = self.rng.random() < chance
                out += self.rng.choice(_WORDS["hesitations"]) if hesitates else pause
            out += text
        return out

    def _said(self, chars: str) -> Iterator[str]:
        """What is said of figures, letters and signs, one after the other."""
        while chars:
            n, said = self._next(chars)
            chars = chars[n:]
            if said:
                yield said

    def _next(self, chars: str) -> tuple[int, str]:
        """How many characters are said at once, and how; "" of signs that are not."""
        rng, char = self.rng, chars[0]
        if not char.isalnum():
            return 1, _SIGNS.get(char, "")
        same = takewhile(lambda c: c.lower() == char.lower(), chars)
        times, say = len([*same]), self._shown if char.isalpha() else self.digit
        if times in (2, 3) and rng.random() < self.double:
            return times, f"{'double' if times == 2 else 'triple'} {say(char)}"
        if char.isalpha():
            return 1, self.letter(char)
        pair = chars[:2]
        two = len(pair) == 2 and pair.isdigit() and pair[0] != "0"
        if two and rng.random() < self.pairs:
            said = in_words(int(pair))
            return 2, said if rng.random() < 0.7 else said.replace("-", " ")
        return 1, char if rng.random() < self.figures else self.digit(char)

    def digit(self, char: str) -> str:
        """A digit in a word."""
        return self.zero if char == "0" else in_words(int(char))

    def _shown(self, char: str) -> str:
        return char.upper() if self.capitals else char.lower()

    def letter(self, char: str) -> str:
        """A letter, perhaps with a word that begins with it."""
        if self.rng.random() >= self.alphabet:
            return self._shown(char)
        word = speech("en").say(char.lower(), "alpha", ALPHABET)
        form = self.rng.choice(["{1}", "{0} for {1}", "{0} as in {1}", "{0} for {1}"])
        word = word if self.rng.random() < 0.6 else word.capitalize()
        return form.format(self._shown(char), word)

    def name(self, text: str) -> str:
        """A name letter by letter."""
        return self._joined(self._said(text), self.letter_pause, self.hesitates / 3)

    def address(self, text: str) -> str:
        """An e-mail address or user name: signs in words, digits mostly too."""
        write = speech("en")
        out = []
        for token in re.findall(r"[^\W\d_]+|\d|[^\w\s]|_", text):
            if token.isdigit():
                out.append(self.digit(token) if self.figures < 1 else token)
            elif token.isalpha():
                out.append(self.name(token) if len(token) == 1 else token)
            else:
                out.append(write.mark(token) if token != "@" else "at")
        return " ".join(out)


class Spoken(People):
    """Adds what people say of their data."""

    @cached_property
    def manner(self) -> Manner:
        """How they speak in this document."""
        return Manner(self.rng)

    def person_form(self, person: Person, form: str, bare: bool = False) -> list[Piece]:
        if (match := _FORM.match(form)) is None:
            return super().person_form(person, form, bare)
        kind, part = match.groups()
        if kind in _KINDS:
            return self._number_of(person, kind, part)
        return getattr(self, f"said_{kind}")(person, part)

    def _number_of(self, p: Person, kind: str, part: str) -> list[Piece]:
        """A number of a person's, or a group of it."""
        label, subtype, patterns = _KINDS[kind]
        if (groups := p.memo.get(f"said {kind}")) is None:
            pattern = self.rng.choice(patterns)
            groups = p.memo[f"said {kind}"] = self.fill(pattern).split()
        if part == "plain":
            text = " ".join(groups)
        elif part == "echo":
            again = Manner(self.rng)
            again.hesitates = 0
            text = again.number(groups[0])
        elif part == "last":
            text = self.manner.number("".join(groups)[-4:])
        elif part:
            text = self.manner.number(groups[min(int(part), len(groups)) - 1])
        else:
            pauses = [", ", " ", ", ", "... ", self.manner.pause, " dash "]
            text = self.rng.choice(pauses).join(map(self.manner.number, groups))
        kind = "address" if kind == "house" else kind
        return _said(p, label, subtype, kind, text)

    def _spelled(self, p: Person, name: str, subtype: str) -> list[Piece]:
        text = self.manner.name(ascii_fold(name) or name)
        return [Piece(text, "PERSON", subtype, p.ident, f"p:{p.role}", p.role)]

    def said_last(self, p: Person, part: str) -> list[Piece]:
        """The surname letter by letter; a first part of it, and the rest."""
        name = re.sub(r"[^\w'-]", "", p.last.split(" ")[-1])
        if part in ("1", "2") and len(name) > 4:
            name = name[:3] if part == "1" else name[3:]
        return self._spelled(p, name, "FAMILY_NAME")

    def said_given(self, p: Person, part: str) -> list[Piece]:
        return self._spelled(p, p.given.split(" ")[0], "GIVEN_NAME")

    def said_street(self, p: Person, part: str) -> list[Piece]:
        """A street without number; spelled where a part is asked for."""
        if "said street" not in p.memo:
            kind = self.rng.choice(_WORDS["streets"])
            p.memo["said street"] = f"{self._fake('en_GB').last_name()} {kind}"
        name = p.memo["said street"]
        text = name if not part else self.manner.name(name.split(" ")[0])
        return _said(p, "LOC", "ADDRESS", "address", text)

    def _account(self, p: Person) -> str:
        """A name on the net that is easily said."""
        if "said name" not in p.memo:
            names = (re.sub(r"\d", "", ascii_fold(n)) for n in (p.given, p.last))
            given, last = (name or "kim" for name in names)
            n, word = self.rng.randint(2, 99), self._text("w_handle").lower()
            made = self.rng.choice(_WORDS["accounts"]).format(
                word=word, n=n, given=given, initial=given[0], last=last
            )
            p.memo["said name"] = re.sub(r"[^a-z0-9_.-]", "", made)
        return p.memo["said name"]

    def said_user(self, p: Person, part: str) -> list[Piece]:
        text = self.manner.address(self._account(p))
        return _said(p, "CODE", "USERNAME", "user", text)

    def said_handle(self, p: Person, part: str) -> list[Piece]:
        """The user name as it is written."""
        return _said(p, "CODE", "USERNAME", "user", self._account(p))

    def said_email(self, p: Person, part: str) -> list[Piece]:
        """The address; 1: what stands before the sign, 2: the provider."""
        host = p.memo.setdefault("said host", self._text("w_provider"))
        local = self.manner.address(self._account(p))
        dots = self.manner.address(host)
        if self.rng.random() < 0.2:
            dots = host
        text = {"1": local, "2": dots}.get(part, f"{local} at {dots}")
        return _said(p, "CODE", "EMAIL", "email", text)

    def said_dob(self, p: Person, part: str) -> list[Piece]:
        """The date of birth in numbers; 1 the day and month, 2 the year."""
        b, say = p.born, self.manner.number
        day, month, year = f"{b.day:02}", f"{b.month:02}", str(b.year)
        first, second = (day, month) if self.rng.random() < 0.6 else (month, day)
        pause = self.rng.choice([", ", " ", " - ", "... "])
        short = f"{say(first)}{pause}{say(second)}"
        century, rest = in_words(int(year[:2])), int(year[2:])
        if year[:2] != "19":
            years = f"two thousand and {in_words(rest)}" if rest else "two thousand"
        elif rest:
            years = f"{century} {'oh ' * (rest < 10)}{in_words(rest)}"
        else:
            years = f"{century} hundred"
        years = self.rng.choice([years, years, say(year[2:]), year])
        text = {"1": short, "2": years}.get(part, f"{short}{pause}{years}")
        return _said(p, "DATETIME", "DATE", "dob", text)

    def slot_said_count(self) -> list[Piece]:
        """Counting aloud, or a list of numbers: nobody's."""
        ways = [(1, 1), (1, 1), (10, -1), (5, 5), (2, 2), (0, 1)]
        start, step = self.rng.choice(ways)
        n = self.rng.randint(3, 9)
        numbers = map(in_words, range(start, start + n * step, step))
        return [Piece(self.rng.choice([", ", " ", "... "]).join(numbers))]

    def slot_said_letters(self) -> list[Piece]:
        """Letters that spell an ordinary word, or answers to a test."""
        word = self.rng.choice(_WORDS["spelled"])
        return [Piece(self.rng.choice(["-", ", ", " "]).join(word.upper()))]


def _said(p: Person, label: str, subtype: str, kind: str, text: str) -> list[Piece]:
    """A mention of what a person has one of."""
    return [Piece(text, label, subtype, p.ident, f"said:{kind}:{p.role}", p.role)]
