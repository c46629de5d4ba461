"""From templates to pieces of text: what every document and language shares."""

from __future__ import annotations

import bisect
import random
import string
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from ...schema import DIRECT, NO_MASK, QUASI
from .calendar import DATE_FORMATS, DAY_FORMATS, DAYS, LONG_FORMATS, MONTHS, in_words
from .grammar import PART_KINDS, Alt, Labelled, Node, Part, Piece, Ref, Rule, grammar
from .names import (
    LOCALE_CULTURES,
    NICKNAMES,
    PRONOUNS,
    Culture,
    Person,
    Place,
    cultures,
    make_faker,
    places,
    select_places,
)


class Expander:
    """Expands the templates of one document; what they may ask for is added by the
    classes below: `People`, `Facts` and `World`.

    rng (random.Random): Source of randomness.
    kind (str): Kind of document, names the template file.
    locales (Sequence[str]): Faker locales that persons and places come from; all that
        the language's `places.txt` knows if empty.
    """

    # What another language overrides, see `languages.LANGUAGES`.
    folder = "en"
    pronouns: Mapping[str, tuple[str, str]] = PRONOUNS
    nicknames: Mapping[str, str] = NICKNAMES
    date_formats: Mapping[str, Callable[[date], str]] = DATE_FORMATS
    day_formats: Sequence[Callable[[date], str]] = DAY_FORMATS
    # Formats of kinds that write dates out, with their shares.
    long_formats: Mapping[str, float] = dict(zip(LONG_FORMATS, (6, 4, 0.7, 0.5, 0.5)))
    # Faker locale -> name of the culture in `places.txt`, where they differ.
    locale_cultures: Mapping[str, str] = LOCALE_CULTURES
    months: Sequence[str] = MONTHS
    days: Sequence[str] = DAYS

    def __init__(
        self, rng: random.Random, kind: str, locales: Sequence[str] = ()
    ) -> None:
        self.rng = rng
        self.kind = kind
        self.rules = grammar(kind, self.folder)
        self.common = grammar("common", self.folder)
        known = places(self.folder)
        self.places = select_places(known, locales, self.locale_cultures) or known
        self.people: dict[str, Person] = {}
        self.memo: dict[str, list[Piece]] = {}
        self.used: dict[str, set[int]] = {}
        self.place = rng.choice(self.places)
        if rng.random() < 0.4:
            # The language's own countries stand first.
            self.place = rng.choice(self.places[:5])
        span = 45 if kind in ("court", "biography") else 25
        self.today = date(2026, 1, 1) - timedelta(days=rng.randint(1, 365 * span))
        self.clock = self.today - timedelta(days=rng.randint(200, 2500))
        self.date_format = rng.choice(list(self.date_formats))
        if kind in ("court", "biography", "letter", "essay"):
            formats, shares = list(self.long_formats), list(self.long_formats.values())
            self.date_format = rng.choices(formats, shares)[0]

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
            elif isinstance(node, Alt):
                out.extend(self.render(self.rng.choice(node.options)))
            elif isinstance(node, Labelled):
                out.append(self._mention(node))
            else:
                out.extend(self.reference(node))
        return out

    def _mention(self, node: Labelled) -> Piece:
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
        known = tuple(parts)
        return Piece(text, node.label, node.subtype, node.ident, key, "", known, text)

    def pools(self) -> dict[str, Culture]:
        """Names by culture, from which persons take theirs."""
        return cultures()

    def article(self, text: str) -> str:
        """The indefinite article before a text, with a space."""
        return "an " if text[:1].lower() in "aeiou" else "a "

    def in_words(self, n: int) -> str:
        """A number below one hundred in words."""
        return in_words(n)

    def reference(self, ref: Ref) -> list[Piece]:
        """Expand a slot or rule with its modifiers."""
        memo_key = f"{ref.name}#{ref.tag}"
        if ref.tag and memo_key in self.memo:
            pieces = [Piece(**vars(p)) for p in self.memo[memo_key]]
        else:
            pieces = []
            for i in range(self.rng.randint(ref.low, ref.high)):
                if i:
                    pieces.append(Piece(ref.sep))
                pieces.extend(self.expand(ref.name))
            if ref.tag:
                self.memo[memo_key] = [Piece(**vars(p)) for p in pieces]
        for mod in ref.mods:
            if mod == "^":
                for piece in pieces:
                    piece.text = piece.text.upper()
            elif mod == "_":
                for piece in pieces:
                    piece.text = piece.text.lower()
            elif mod == "+" and pieces:
                pieces[0].text = pieces[0].text[:1].upper() + pieces[0].text[1:]
            elif mod == "-":
                pieces = [Piece(p.text) for p in pieces]
            elif mod == "&" and pieces:
                pieces.insert(0, Piece(self.article(pieces[0].text)))
        return pieces

    def expand(self, name: str) -> list[Piece]:
        """Expand a name once: a rule, a person's form or a slot."""
        rule = self.rules.get(name) or self.common.get(name)
        if rule is not None:
            return self.render(rule.options[self.pick(name, rule)])
        role, dot, form = name.partition(".")
        if dot:
            return self.form_of(role, form)
        slot = getattr(self, f"slot_{name}", None)
        if slot is None:
            raise KeyError(f"templates '{self.kind}': nothing named '{name}'")
        return slot()

    def pick(self, name: str, rule: Rule) -> int:
        """Choose an expansion not used yet in this document."""
        used = self.used.setdefault(name, set())
        weights = [0.0 if i in used else w for i, w in enumerate(rule.weights)]
        if not any(weights):
            used.clear()
            weights = list(rule.weights)
        total = []
        running = 0.0
        for weight in weights:
            running += weight
            total.append(running)
        index = bisect.bisect_right(total, self.rng.random() * running)
        index = min(index, len(rule.options) - 1)
        # An option that only points to another rule may come again and again.
        option = rule.options[index]
        if len(option) != 1 or not isinstance(option[0], Ref):
            used.add(index)
        return index

    def form_of(self, role: str, form: str) -> list[Piece]:
        """What the template `{role.form}` stands for."""
        raise NotImplementedError

    # Pieces of each type

    def _code(
        self, p: Person | None, text: str, subtype: str, ident: str = ""
    ) -> list[Piece]:
        ident = ident or (DIRECT if p is not None and p.subject else QUASI)
        role = "" if p is None else p.role
        return [Piece(text, "CODE", subtype, ident, f"CODE:{text.lower()}", role)]

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

    def _date(
        self,
        day: date,
        ident: str = QUASI,
        subtype: str = "DATE",
        style: str | None = None,
    ) -> list[Piece]:
        if style is None:
            style = self.date_format
            if self.rng.random() < 0.1 and self.kind != "court":
                style = self.rng.choice(list(self.date_formats))
        text = self.date_formats[style](day)
        return [Piece(text, "DATETIME", subtype, ident, f"DATETIME:{day}")]

    def _when(self, text: str, subtype: str, ident: str = QUASI) -> list[Piece]:
        return [Piece(text, "DATETIME", subtype, ident, f"DATETIME:{text.lower()}")]

    def _measure(self, text: str) -> list[Piece]:
        return [Piece(text, "QUANTITY", "MEASURE", QUASI, f"QUANTITY:{text}")]

    def _digits(self, pattern: str) -> str:
        """`#` a digit, `?` a capital letter, `%` a digit but zero, `x` hexadecimal."""
        make = {
            "#": string.digits,
            "?": string.ascii_uppercase,
            "%": "123456789",
            "~": "0123456789abcdef",
        }
        return "".join(self.rng.choice(make[c]) if c in make else c for c in pattern)

    def _locale(self, place: Place, wanted: Sequence[str]) -> str:
        options = [c for c in place.cultures if c in wanted]
        return self.rng.choice(options or ["en_US", "en_GB"])

    def _fake(self, locale: str) -> Any:
        fake = make_faker(locale)
        fake.random = self.rng
        return fake
