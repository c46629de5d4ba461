"""Generalization in German: nouns that fit the article before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...lang.base import last_word
from ...lang.inflection import Found
from ...text.dates import is_finer_than_year, years_in
from ..base import Mention
from .phrases import Phrases, decades, in_sentence, without_list

# A noun for each gender that there is one for; "p" for several.
Nouns = Mapping[str, str]

_DATIVE = frozenset(
    "mit bei von zu nach aus seit in an auf gegenüber unter vor".split()
)
_ACCUSATIVE = frozenset("für durch gegen ohne um".split())
# What stands before -> genders that may follow, and the case.
_DETERMINERS: dict[str, tuple[str, str]] = {
    **dict.fromkeys("im am zum beim vom dem diesem jenem jedem".split(), ("mn", "dat")),
    **dict.fromkeys("das dieses jenes jedes".split(), ("n", "")),
    **dict.fromkeys(["des"], ("mn", "gen")),
    **dict.fromkeys(["den", "diesen", "jenen", "jeden"], ("mp", "acc")),
    **dict.fromkeys(["zur"], ("f", "dat")),
    **dict.fromkeys(["die", "diese", "jede", "jene"], ("fp", "")),
    **dict.fromkeys(["dieser", "jener", "jeder"], ("mf", "")),
}
for _stem in "ein kein mein dein sein ihr unser euer".split():
    _DETERMINERS[_stem] = ("mn", "")
    _DETERMINERS[_stem + "e"] = ("fp", "")
    _DETERMINERS[_stem + "en"] = ("m", "acc")
    _DETERMINERS[_stem + "em"] = ("mn", "dat")
    _DETERMINERS[_stem + "er"] = ("f", "dat")
    _DETERMINERS[_stem + "es"] = ("mn", "gen")
_ARTICLES = {
    "": {"m": "ein", "f": "eine", "n": "ein"},
    "acc": {"m": "einen", "f": "eine", "n": "ein"},
    "dat": {"m": "einem", "f": "einer", "n": "einem"},
}
_FEMININE = re.compile(
    r"(?:ung|heit|keit|schaft|ei|ion|tät|bank|kasse|klinik|schule|behörde|firma|partei"
    r"|kirche|stelle|post|bahn|agentur|union|liga|in)$",
    re.I,
)
_MASCULINE = re.compile(
    r"(?:verein|verband|bund|rundfunk|konzern|dienst|rat|klub|club|hof|betrieb|er|eur|ist"
    r"|loge|ent)$",
    re.I,
)
_IN_THE = re.compile(r"\b(?:in|mit|bei|von|aus|zu|nach|seit) den\s+$")
_ENDING = re.compile(r"[a-zäöüß]{2,}?(|e|er|en|em|es)")


def _determined(mention: Mention) -> tuple[str, str] | None:
    """Genders that the word before a mention allows, and the case; None if it is none
    that does."""
    last = last_word(mention.before)
    if last != "der":
        return _DETERMINERS.get(last)
    head = re.search(r"([^\W\d_]+)\W*$", mention.text)
    word = head[1] if head else ""
    if _FEMININE.search(word):
        return "f", "dat"
    if _MASCULINE.search(word):
        return "m", ""
    before = re.sub(r"\S+\s+$", "", mention.before)
    prior = re.search(r"([^\W\d_]+)\s+$", before)
    # "bei der Post", "die Leiterin der Post".
    after = prior is not None and (prior[1] in _DATIVE or prior[1][:1].isupper())
    return ("f", "dat") if after else ("m", "")


class German(Phrases):
    """See `Phrases`."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        codes = self.words["codes"].items()
        self.nouns: dict[str, Nouns] = {
            **self.words["nouns"],
            **{code: {"f": noun} for code, noun in codes},
        }

    def around(self, mention: Mention) -> Mention:
        return mention._replace(before=without_list(mention.before))

    def noun(self, name: str, mention: Mention, rest: str = "") -> str:
        return self._noun(self.nouns[name], mention, f" {rest}".rstrip())

    def _noun(
        self, nouns: Nouns, mention: Mention, rest: str = "", bare: bool = False
    ) -> str:
        """A noun with its article, or one that fits the word before; "" if none does."""
        found = _determined(mention)
        last = last_word(mention.before)
        if found is None:
            gender, noun = next(iter(nouns.items()))
            case = "dat" if last in _DATIVE else "acc" if last in _ACCUSATIVE else ""
            if not bare:
                if noun[:1].islower() and case == "dat":
                    adjective, _, tail = noun.partition(" ")
                    noun = f"{adjective}n {tail}"
                noun = f"{_ARTICLES[case][gender]} {noun}"
            return in_sentence(noun + rest, mention)
        genders, case = found
        if last == "den" and _IN_THE.search(mention.before):
            genders = "p"
        for gender, noun in nouns.items():
            if gender in genders:
                return _declined(noun, gender, genders, case) + rest
        return ""

    def says_where(self, rest: str, mention: Mention) -> bool:
        # "in der Nation", not "in der Nation in Europa".
        return _determined(mention) is None and super().says_where(rest, mention)

    def when(self, mention: Mention) -> Iterator[str]:
        last = last_word(mention.before)
        years = years_in(mention.text)
        if len(years) == 1 and is_finer_than_year(mention.text):
            if last == "am":
                yield f"besagten Tag des Jahres {years[0]}"
            else:
                yield f"Jahr {years[0]}" if last in ("im", "zum") else str(years[0])
        if years:
            spoken = f"{decades(years)[0]}er"
            if last in ("in", "den", "seit", "aus", "vor"):
                yield f"{'' if last == 'den' else 'den '}{spoken} Jahren"
            elif last not in ("im", "am", "jahr"):
                yield in_sentence(f"die {spoken} Jahre", mention)
        if last == "am":
            yield "besagten Tag"
        elif last in ("im", "zum"):
            yield "besagten Zeitraum"
        yield in_sentence("einige Zeit", mention)
        yield in_sentence("irgendwann", mention)

    def age(self, mention: Mention) -> Iterator[str]:
        age = self.age_of(mention)
        ending = re.search(r"jährig(\w*)$", mention.text)
        if ending:
            stem = "minderjährig" if age is not None and age < 18 else "erwachsen"
            yield stem + ending.group(1)
        elif age is not None and re.match(r"\s+(?:Jahre|alt)\b", mention.after):
            unit = " Jahre" if mention.after.startswith(" alt") else ""
            yield f"etwa {round(age, -1):.0f}{unit}"
        elif age is not None and 20 <= age < 100:
            yield f"in den {self.words['tens'][int(age) // 10 - 2]}"
        elif age is not None and age < 18:
            yield "minderjährig"
        yield "in einem gewissen Alter"

    def term(self, mention: Mention) -> Iterator[str]:
        text = mention.text
        found = self.term_found(mention)
        row = found.lexeme.row if found else ""
        keys = found.keys if found else ()
        subtype = self.subtype_of(mention, found)
        many = bool(set(keys) & {"pl", "n", "innen", "dat"}) and row != "adj"
        if found is not None and row in ("adj", "man", "woman"):
            subtype = "NATIONALITY"
            yield from self._national(found, mention, many)
            if row == "adj":
                return
        yield from self._attribute(subtype, mention, keys, many)
        if text[:1].isupper():
            yield self.noun("person" if found or subtype else "detail", mention)
            yield self.noun("person", mention)
            return
        if re.match(r"\s+[A-ZÄÖÜ]", mention.after):
            # An adjective before its noun.
            match = _ENDING.fullmatch(text.rpartition(" ")[2])
            yield "bestimmt" + (match[1] if match else "")
        yield "in bestimmter Lage"

    def _national(self, found: Found, mention: Mention, many: bool) -> Iterator[str]:
        foreign = found.lexeme.home != self.pack.home
        if found.lexeme.row == "adj":
            ending = found.keys[0].strip("-")
            continent = self.home_of(found.lexeme.home).continent
            if continent:
                yield self.words["of_continents"][continent] + ending
            yield ("ausländisch" if foreign else "bestimmt") + ending
        elif foreign and found.lexeme.row == "woman":
            one = self._noun(self.nouns["foreigner"], mention, bare=True)
            yield "Ausländerinnen" if many else one
        elif foreign:
            yield "Ausländer" + "n" * (many and found.keys[0] == "dat")

    def _attribute(
        self, subtype: str, mention: Mention, keys: tuple[str, ...], many: bool
    ) -> Iterator[str]:
        text = mention.text
        if subtype == "OCCUPATION" and not text[:1].islower():
            if many:
                yield "Fachleute"
            rest = " im Gesundheitswesen" if self.is_about("health", text) else ""
            force = "teacher" if self.is_about("teaching", text) else "worker"
            yield self._noun(self.nouns[force], mention, rest, bare=True)
        elif subtype in ("DISEASE", "LANGUAGE"):
            yield self.noun(subtype.lower(), mention)
        elif subtype == "FAMILY":
            named = text[:1].isupper()
            yield _relative(mention) if named else "in bestimmtem Familienstand"
        elif subtype == "RELIGION" and text[:1].islower():
            yield "gläubig" + (keys[0].strip("-") if keys else "")
        elif subtype == "RELIGION" and many:
            yield "Gläubige" + "n" * (keys[0] in ("dat", "en"))


def _declined(noun: str, gender: str, genders: str, case: str) -> str:
    """A noun behind its article."""
    if noun == "Mensch" and case:
        return f"{noun}en"
    if case == "gen":
        return noun + ("es" if len(noun) < 5 else "s")
    plural = gender == "p" and genders == "p" and noun[-1] != "n"
    return f"{noun}n" if plural else noun


def _relative(mention: Mention) -> str:
    """ "seine Angehörige", "sein Angehöriger", "dem Angehörigen"."""
    found = _determined(mention)
    last = last_word(mention.before)
    female = bool(
        re.search(
            r"(?:in|frau|schwester|mutter|tante|nichte|tochter)$", mention.text.lower()
        )
    )
    if found is None:
        return "Angehörige" if female else "Angehöriger"
    if found[1]:
        return "Angehörigen"
    strong = not female and last not in ("der", "dieser", "jener", "jeder")
    return "Angehöriger" if strong else "Angehörige"
