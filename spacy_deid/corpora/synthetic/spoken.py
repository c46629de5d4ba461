"""Identifiers as people say them: digits in words, names letter by letter, in pieces.

`{s.saidphone}` is a telephone number said at once, `{s.saidphone1}` its first group,
`{s.saidphonelast}` its last four digits, `{s.saidphoneecho}` its first group as another
speaker repeats it. All of one number are one entity.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from ...data import facts
from ...schema import DIRECT, QUASI
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


@dataclass
class Manner:
    """How somebody speaks in one document."""

    rng: random.Random
    zero: str
    figures: float
    double: float
    pairs: float
    hesitates: float
    pause: str
    letter_pause: str
    capitals: bool
    alphabet: float

    @classmethod
    def draw(cls, rng: random.Random) -> Manner:
        """Anybody's."""
        return cls(
            rng,
            rng.choice(_WORDS["zeros"]),
            rng.choice([0, 0, 0, 0.15, 1]),
            rng.choice([0, 0.6, 1]),
            rng.choice([0, 0, 0.15, 0.5]),
            rng.choice([0, 0, 0.1, 0.25]),
            rng.choice(_WORDS["pauses"]),
            rng.choice(_WORDS["letter_pauses"]),
            rng.random() < 0.75,
            rng.choice([0, 0, 0.2, 0.5, 1]),
        )

    def number(self, chars: str) -> str:
        """A group of figures and letters, as it is said."""
        rng, said, i = self.rng, [], 0
        if self.figures == 1 and chars.isdigit():
            pause = rng.choice(["", "", self.pause, " "])
            return pause.join(chars)
        while i < len(chars):
            n, text = self._next(chars, i)
            said.append(text)
            i += n
        out = said[0]
        for text in said[1:]:
            hesitates = rng.random() < self.hesitates / 2
            out += (
                rng.choice(_WORDS["hesitations"]) if hesitates else self.pause
            ) + text
        return out

    def _next(self, chars: str, i: int) -> tuple[int, str]:
        """How many characters are said at once, and how."""
        rng, char = self.rng, chars[i]
        if char.isalpha():
            return 1, self.letter(char)
        times = len(re.match(rf"{char}+", chars[i:])[0])  # type: ignore[index]
        if times in (2, 3) and rng.random() < self.double:
            return times, f"{'double' if times == 2 else 'triple'} {self.digit(char)}"
        pair = chars[i : i + 2]
        two = len(pair) == 2 and pair.isdigit() and pair[0] != "0"
        if two and rng.random() < self.pairs:
            said = in_words(int(pair))
            return 2, said if rng.random() < 0.7 else said.replace("-", " ")
        if rng.random() < self.figures:
            return 1, char
        return 1, self.digit(char)

    def digit(self, char: str) -> str:
        """A digit in a word."""
        return self.zero if char == "0" else in_words(int(char))

    def letter(self, char: str) -> str:
        """A letter, perhaps with a word that begins with it."""
        shown = char.upper() if self.capitals else char.lower()
        if self.rng.random() >= self.alphabet:
            return shown
        word = speech("en").say(char.lower(), "alpha", ALPHABET)
        form = self.rng.choice(["{1}", "{0} for {1}", "{0} as in {1}", "{0} for {1}"])
        return form.format(
            shown, word if self.rng.random() < 0.6 else word.capitalize()
        )

    def name(self, text: str) -> str:
        """A name letter by letter."""
        rng, out, i = self.rng, "", 0
        while i < len(text):
            twice = text[i : i + 2].lower() == text[i].lower() * 2
            if twice and text[i].isalpha() and rng.random() < self.double:
                said, n = (
                    f"double {text[i].upper() if self.capitals else text[i].lower()}",
                    2,
                )
            elif text[i].isalpha():
                said, n = self.letter(text[i]), 1
            else:
                said, n = {"-": "hyphen", "'": "apostrophe"}.get(text[i], ""), 1
            if said:
                hesitates = i and rng.random() < self.hesitates / 3
                out += (
                    rng.choice(_WORDS["hesitations"])
                    if hesitates
                    else self.letter_pause
                    if out
                    else ""
                ) + said
            i += n
        return out

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

    @property
    def manner(self) -> Manner:
        """How they speak in this document."""
        if self._manner is None:
            self._manner = Manner.draw(self.rng)
        return self._manner

    _manner: Manner | None = None

    def person_form(self, person: Person, form: str, bare: bool = False) -> list[Piece]:
        match = _FORM.match(form)
        if match is None:
            return super().person_form(person, form, bare)
        kind, part = match.groups()
        if kind in _KINDS:
            return self._number_of(person, kind, part)
        return getattr(self, f"said_{kind}")(person, part)

    def _number_of(self, p: Person, kind: str, part: str) -> list[Piece]:
        """A number of a person's, or a group of it."""
        label, subtype, patterns = _KINDS[kind]
        groups = p.memo.get(f"said {kind}")
        if groups is None:
            pattern = self.rng.choice(patterns)
            groups = p.memo[f"said {kind}"] = self.fill(pattern).split()
        if part == "plain":
            text = " ".join(groups)
        elif part == "echo":
            again = Manner.draw(self.rng)
            again.hesitates = 0
            text = again.number(groups[0])
        elif part == "last":
            text = self.manner.number("".join(groups)[-4:])
        elif part:
            text = self.manner.number(groups[min(int(part), len(groups)) - 1])
        else:
            glue = self.rng.choice(
                [", ", " ", ", ", "... ", self.manner.pause, " dash "]
            )
            text = glue.join(map(self.manner.number, groups))
        ident = DIRECT if p.subject else QUASI
        key = f"said:{'address' if kind == 'house' else kind}:{p.role}"
        return [Piece(text, label, subtype, ident, key, p.role)]

    def _spelled(self, p: Person, name: str, subtype: str) -> list[Piece]:
        ident = DIRECT if p.subject else QUASI
        text = self.manner.name(ascii_fold(name) or name)
        return [Piece(text, "PERSON", subtype, ident, f"p:{p.role}", p.role)]

    def said_last(self, p: Person, part: str) -> list[Piece]:
        """The surname letter by letter; a first part of it, and the rest."""
        name = re.sub(r"[^\w'-]", "", p.last.split(" ")[-1])
        if part in ("1", "2") and len(name) > 4:
            cut = 3
            name = name[:cut] if part == "1" else name[cut:]
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
        ident = DIRECT if p.subject else QUASI
        return [Piece(text, "LOC", "ADDRESS", ident, f"said:address:{p.role}", p.role)]

    def _account(self, p: Person) -> str:
        """A name on the net that is easily said."""
        if "said name" not in p.memo:
            given, last = (
                ascii_fold(p.given).split(" ")[0],
                ascii_fold(p.last).split(" ")[-1],
            )
            given, last = (
                re.sub(r"[^a-z]", "", n.lower()) or "kim" for n in (given, last)
            )
            n, word = self.rng.randint(2, 99), self._text("w_handle").lower()
            forms = (
                f"{word}{n}",
                f"{given}_{last}",
                f"{given}.{last}",
                f"{word}_{n}",
                f"{given[0]}{last}{n}",
                f"{given}{n}",
                f"{given}-{word}",
            )
            p.memo["said name"] = re.sub(r"[^a-z0-9_.-]", "", self.rng.choice(forms))
        return p.memo["said name"]

    def said_user(self, p: Person, part: str) -> list[Piece]:
        return self._code(p, "USERNAME", "user", self.manner.address(self._account(p)))

    def said_handle(self, p: Person, part: str) -> list[Piece]:
        """The user name as it is written."""
        return self._code(p, "USERNAME", "user", self._account(p))

    def said_email(self, p: Person, part: str) -> list[Piece]:
        """The address; 1: what stands before the sign, 2: the provider."""
        host = p.memo.setdefault("said host", self._text("w_provider"))
        local = self.manner.address(self._account(p))
        dots = self.manner.address(host)
        if self.rng.random() < 0.2:
            dots = host
        text = {"1": local, "2": dots}.get(part, f"{local} at {dots}")
        return self._code(p, "EMAIL", "email", text)

    def said_dob(self, p: Person, part: str) -> list[Piece]:
        """The date of birth in numbers; 1 the day and month, 2 the year."""
        b, say = p.born, self.manner.number
        day, month, year = f"{b.day:02}", f"{b.month:02}", str(b.year)
        first, second = (day, month) if self.rng.random() < 0.6 else (month, day)
        pause = self.rng.choice([", ", " ", " - ", "... "])
        short = f"{say(first)}{pause}{say(second)}"
        century, rest = in_words(int(year[:2])), int(year[2:])
        spoken = {0: "hundred"}.get(
            rest, f"oh {in_words(rest)}" if rest < 10 else in_words(rest)
        )
        years = (
            f"{century} {spoken}"
            if year[:2] == "19"
            else f"two thousand and {in_words(rest)}"
            if rest
            else "two thousand"
        )
        years = self.rng.choice([years, years, say(year[2:]), year])
        text = {"1": short, "2": years}.get(part, f"{short}{pause}{years}")
        ident = DIRECT if p.subject else QUASI
        return [Piece(text, "DATETIME", "DATE", ident, f"said:dob:{p.role}", p.role)]

    def _code(self, p: Person, subtype: str, kind: str, text: str) -> list[Piece]:
        ident = DIRECT if p.subject else QUASI
        return [Piece(text, "CODE", subtype, ident, f"said:{kind}:{p.role}", p.role)]

    def slot_said_count(self) -> list[Piece]:
        """Counting aloud, or a list of numbers: nobody's."""
        start, step = self.rng.choice(
            [(1, 1), (1, 1), (10, -1), (5, 5), (2, 2), (0, 1)]
        )
        n = self.rng.randint(3, 9)
        numbers = [
            in_words(start + i * step) for i in range(n) if start + i * step >= 0
        ]
        return [Piece(self.rng.choice([", ", " ", "... "]).join(numbers))]

    def slot_said_letters(self) -> list[Piece]:
        """Letters that spell an ordinary word, or answers to a test."""
        word = self.rng.choice(_WORDS["spelled"])
        return [Piece(self.rng.choice(["-", ", ", " "]).join(word.upper()))]
