"""From templates to pieces of text: what every document and language shares."""

from __future__ import annotations

import string
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from ...schema import DIRECT, NO_MASK, QUASI
from ...text.number_words import in_words
from .calendar import ordinal, settings, write_date
from .grammar import (
    PART_KINDS,
    Alt,
    Digits,
    Labelled,
    Node,
    Number,
    Part,
    Piece,
    Ref,
    Rule,
    When,
    grammar,
)
from .names import (
    ADDRESS_LOCALES,
    FACTS,
    LOCALE_CULTURES,
    Culture,
    Person,
    Place,
    ascii_fold,
    cultures,
    make_faker,
    places,
    select_places,
)

# Kind of date -> the first and the last day that it may be, from the document's own.
DAYS: Mapping[str, tuple[int, int]] = FACTS["days"]
_DIGITS = {
    "#": string.digits,
    "?": string.ascii_uppercase,
    "%": "123456789",
    "~": "0123456789abcdef",
}
_IDENTS = {"D": DIRECT, "Q": QUASI, "N": NO_MASK}
# Kinds that write dates out, and those that may be older.
_LONG_DATES = ("court", "biography", "letter", "essay")
_LONG_AGO = ("court", "biography")


class Expander:
    """Expands the templates of one document; what they may ask for is added by the
    classes below: `People`, `Tables` and `World`."""

    # Code of the language: of its templates and of its data.
    folder = "en"
    # Slots that give unlabelled text.
    plain: Mapping[str, Callable[[Any], str]] = {}
    # Faker locale -> name of the culture in `places.txt`, where they differ.
    locale_cultures: Mapping[str, str] = LOCALE_CULTURES

    def __init__(self, rng: Random, kind: str, locales: Sequence[str] = ()) -> None:
        self.rng = rng
        self.kind = kind
        self.words = settings(self.folder)
        self.rules: Mapping[str, Rule] = ChainMap(
            grammar(kind, self.folder),
            grammar("common", self.folder),
            grammar("persons", self.folder),
            grammar("persons", ""),
            grammar("shared", ""),
        )
        known = places(self.folder)
        self.places = select_places(known, locales, self.locale_cultures) or known
        self.people: dict[str, Person] = {}
        # Whose rule is expanded.
        self.who: Person | None = None
        self.memo: dict[str, list[Piece]] = {}
        self.used: dict[str, set[int]] = {}
        self.place = rng.choice(self.places)
        if rng.random() < 0.4:
            # The language's own countries stand first.
            self.place = rng.choice(self.places[:5])
        span = 45 if kind in _LONG_AGO else 25
        self.today = date(2026, 1, 1) - timedelta(days=rng.randint(1, 365 * span))
        self.clock = self.today - timedelta(days=rng.randint(200, 2500))
        self.date_format = rng.choice(list(self.words["date_formats"]))
        if kind in _LONG_DATES:
            formats = self.words["long_formats"]
            self.date_format = rng.choices(list(formats), list(formats.values()))[0]

    @classmethod
    def locales(cls) -> set[str]:
        """Faker locales whose names and places the language's documents may have."""
        names = {culture: locale for locale, culture in cls.locale_cultures.items()}
        found = {c for place in places(cls.folder) for c in place.cultures}
        return {x for x in (names.get(c, c) for c in found) if "_" in x}

    # Grammar

    def render(self, nodes: Sequence[Node]) -> list[Piece]:
        """Expand a sequence of the grammar."""
        out: list[Piece] = []
        for node in nodes:
            if isinstance(node, str):
                out.append(Piece(node))
            else:
                out += getattr(self, f"_{type(node).__name__.lower()}")(node)
        return out

    def _text(self, name: str) -> str:
        """The text of an expansion, without labels."""
        return "".join(piece.text for piece in self.expand(name))

    def _alt(self, node: Alt) -> list[Piece]:
        return self.render(self.rng.choice(node.options))

    def _number(self, node: Number) -> list[Piece]:
        n = self.rng.randint(node.low, node.high)
        text = f"{n:0{node.width}}"
        if node.form == "w":
            text = in_words(n, lang=self.folder)
        elif node.form == "o":
            text = ordinal(n)
        elif node.form == ",":
            text = f"{n:,}".replace(",", self.words["thousands"])
        return [Piece(text)]

    def _digits(self, node: Digits) -> list[Piece]:
        return [Piece(self.fill(node.pattern))]

    def fill(self, pattern: str) -> str:
        """Digits and letters after a pattern."""
        choose = self.rng.choice
        return "".join(choose(_DIGITS[c]) if c in _DIGITS else c for c in pattern)

    def _when(self, node: When) -> list[Piece]:
        return [Piece(write_date(self.day(node.kind), node.form, self.folder))]

    def day(self, kind: str) -> date:
        """A date of one of DAYS, or the date of birth of the person spoken of."""
        if kind == "birth" and self.who is not None:
            return self.who.born
        day = self.today + timedelta(days=self.rng.randint(*DAYS[kind]))
        if kind != "now":
            return day
        moment = datetime(day.year, day.month, day.day)
        return moment + timedelta(seconds=self.rng.randint(0, 86399))

    def _labelled(self, node: Labelled) -> list[Piece]:
        """A mention in one piece, which knows its parts."""
        text = ""
        parts: list[Part] = []
        for piece in self.render(node.body):
            kind = piece.subtype if piece.subtype in PART_KINDS else ""
            inner = piece.parts or ((Part(0, len(piece.text), kind),) if kind else ())
            n = len(text)
            parts += [Part(n + p.start, n + p.end, p.kind) for p in inner]
            text += piece.text
        key = f"{node.label}:{text.lower()}"
        ident, role = self._ident(node), self.who.role if self.who is not None else ""
        made = Piece(text, node.label, node.subtype, ident, key, role, (*parts,), text)
        return [made]

    def _ident(self, node: Labelled) -> str:
        subject = self.who is not None and self.who.subject
        if node.ident == "S":
            return DIRECT if subject else QUASI
        if node.ident == "O":
            return QUASI if subject else NO_MASK
        return _IDENTS.get(node.ident) or (NO_MASK if node.label == "DEM" else QUASI)

    def pools(self) -> Mapping[str, Culture]:
        """Names by culture, from which persons take theirs."""
        return cultures()

    def article(self, text: str) -> str:
        """The indefinite article before a text, with a space."""
        return "an " if text[:1].lower() in "aeiou" else "a "

    def _ref(self, ref: Ref) -> list[Piece]:
        """Expand a slot or rule with its modifiers."""
        memo_key = f"{ref.name}#{ref.tag}"
        if ref.tag and memo_key in self.memo:
            pieces = [replace(p) for p in self.memo[memo_key]]
        else:
            pieces = []
            for i in range(self.rng.randint(ref.low, ref.high)):
                if i:
                    pieces.append(Piece(ref.sep))
                pieces.extend(self.expand(ref.name))
            if ref.tag:
                self.memo[memo_key] = [replace(p) for p in pieces]
        for mod in ref.mods:
            pieces = self._modified(mod, pieces)
        return pieces

    def _modified(self, mod: str, pieces: list[Piece]) -> list[Piece]:
        if mod == "-":
            return [Piece(p.text) for p in pieces]
        if mod == "&" and pieces:
            return [Piece(self.article(pieces[0].text)), *pieces]
        if mod == "+" and pieces:
            pieces[0].text = pieces[0].text[:1].upper() + pieces[0].text[1:]
        change = _CHANGES.get(mod, str)
        for piece in pieces:
            piece.text = change(piece.text)
        return pieces

    def expand(self, name: str) -> list[Piece]:
        """Expand a name once: a rule, a person's form, a kind of date or a slot."""
        if (rule := self.rules.get(name)) is not None:
            return self.render(rule.options[self.pick(name, rule)])
        role, dot, form = name.partition(".")
        if role.startswith("faker"):
            return [Piece(self._fake_text(role.removeprefix("faker").strip("_"), form))]
        if dot:
            return self.form_of(role, form)
        if name in DAYS:
            return self._date(self.day(name))
        if name in self.plain:
            return [Piece(self.plain[name](self))]
        if (slot := getattr(self, f"slot_{name}", None)) is None:
            raise KeyError(f"templates '{self.kind}': nothing named '{name}'")
        return slot()

    def pick(self, name: str, rule: Rule) -> int:
        """Choose an expansion not used yet in this document."""
        used = self.used.setdefault(name, set())
        weights = [0.0 if i in used else w for i, w in enumerate(rule.weights)]
        if not any(weights):
            used.clear()
            weights = list(rule.weights)
        index = self.rng.choices(range(len(weights)), weights)[0]
        # An option that only points to another rule may come again and again.
        option = rule.options[index]
        if len(option) != 1 or not isinstance(option[0], (Ref, Number)):
            used.add(index)
        return index

    def form_of(self, role: str, form: str) -> list[Piece]:
        """What the template `{role.form}` stands for."""
        raise NotImplementedError

    # Pieces of each type

    def _dem(self, text: str, subtype: str, ident: str = NO_MASK) -> list[Piece]:
        return [Piece(text, "DEM", subtype, ident, f"DEM:{text.lower()}")]

    def _loc(
        self,
        text: str,
        subtype: str,
        ident: str = QUASI,
        role: str = "",
        parts: tuple[Part, ...] = (),
    ) -> list[Piece]:
        key = f"LOC:{text.lower()}"
        return [Piece(text, "LOC", subtype, ident, key, role, parts, text)]

    def _date(self, day: date, ident: str = QUASI) -> list[Piece]:
        formats, style = self.words["date_formats"], self.date_format
        if self.rng.random() < 0.1 and self.kind != "court":
            style = self.rng.choice(list(formats))
        text = write_date(day, formats[style], self.folder)
        return [Piece(text, "DATETIME", "DATE", ident, f"DATETIME:{day}")]

    def _time(self, text: str, subtype: str) -> list[Piece]:
        return [Piece(text, "DATETIME", subtype, QUASI, f"DATETIME:{text.lower()}")]

    # Faker

    def _fake(self, locale: str) -> Any:
        fake = make_faker(locale)
        fake.random = self.rng
        return fake

    def _address_locale(self, place: Place) -> str:
        options = [c for c in place.cultures if c in ADDRESS_LOCALES]
        return self.rng.choice(options or ["en_US", "en_GB"])

    def _fake_text(self, locale: str, method: str) -> str:
        """What a method of Faker makes; by default in the country spoken of."""
        place = self.who.place if self.who is not None else self.place
        fake = self._fake(locale or self._address_locale(place))
        return str(getattr(fake, method)()).replace("\n", ", ")


_CHANGES: Mapping[str, Callable[[str], str]] = {
    "^": str.upper,
    "_": str.lower,
    "$": lambda text: text[:1],
    "!": lambda text: ascii_fold(text) or "x",
    ":": lambda text: " ".join(text[i : i + 4] for i in range(0, len(text), 4)),
}
