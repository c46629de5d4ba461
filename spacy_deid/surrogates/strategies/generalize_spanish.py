"""Generalization in Spanish."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...lang.base import last_word
from ...lang.inflection import Found
from ...text.dates import is_finer_than_year, years_in
from ..base import Mention
from .phrases import Phrases, decades, in_sentence

_TAKES_YEAR = frozenset("en de desde hasta a entre y antes después hacia año".split())
_ENDINGS = {"m": "o", "f": "a", "ms": "os", "fs": "as"}


class Spanish(Phrases):
    """See `Phrases`."""

    def when(self, mention: Mention) -> Iterator[str]:
        last = last_word(mention.before)
        years = years_in(mention.text)
        if len(years) == 1 and is_finer_than_year(mention.text):
            if last == "el":
                yield f"año {years[0]}"
            else:
                year = str(years[0])
                yield year if last in _TAKES_YEAR or not last else f"en {year}"
        if years:
            decade = decades(years)[0]
            if last in ("en", "desde", "hasta", "de"):
                yield f"la década de {decade}"
            elif last == "la":
                yield f"década de {decade}"
        yield "cierto momento" if last == "en" else self.noun("time", mention)
        yield in_sentence("algún tiempo", mention)

    def age(self, mention: Mention) -> Iterator[str]:
        last = last_word(mention.before)
        age = self.age_of(mention)
        if age is not None and re.match(r"\s+años", mention.after):
            yield f"unos {round(age, -1):.0f}"
        elif age is not None and age < 18:
            yield "menor de edad"
        elif age is not None:
            number = f"unos {int(age) // 10 * 10} años largos"
            yield number if last in ("de", "tiene", "con") else f"de {number}"
        yield "de cierta edad" if last != "de" else "cierta edad"

    def term(self, mention: Mention) -> Iterator[str]:
        found = self.term_found(mention)
        form = _form(mention.text, found.keys if found else ())
        if found is not None and found.lexeme.row == "adj":
            yield from self._national(found, _ENDINGS[form])
            return
        yield from self._attribute(self.subtype_of(mention, found), mention, form)
        if re.search(r"[^\W\d_]{4,}\s+$", mention.before) and mention.text.islower():
            # Behind its noun: "una mujer soltera".
            yield "determinad" + _ENDINGS[form]
        yield self.noun("thing", mention)

    def _national(self, found: Found, ending: str) -> Iterator[str]:
        continent = self.home_of(found.lexeme.home).continent
        if continent:
            yield self.words["of_continents"][continent] + ending
        foreign = found.lexeme.home != self.pack.home
        yield ("extranjer" if foreign else "determinad") + ending

    def _attribute(self, subtype: str, mention: Mention, form: str) -> Iterator[str]:
        text, many = mention.text, form[1:]
        if subtype == "OCCUPATION":
            if self.is_about("health", text):
                yield f"profesional{'es' * bool(many)} sanitari{_ENDINGS[form]}"
            elif self.is_about("teaching", text):
                yield f"docente{many}"
            yield "profesionales" if many else "profesional"
        elif subtype in ("DISEASE", "LANGUAGE"):
            yield self.noun(subtype.lower(), mention)
        elif subtype == "FAMILY" and re.search(r"(?:ad|solter|viud)[oa]s?$", text):
            yield "de cierto estado civil"
        elif subtype == "FAMILY":
            yield "familiares" if many else "familiar"
        elif subtype == "RELIGION":
            yield f"creyente{many}"
        elif subtype in ("GENDER", "ETHNICITY"):
            yield "personas" if many else "persona"


def _form(text: str, keys: tuple[str, ...]) -> str:
    """Whether a word is masculine or feminine, singular or plural: a key of _ENDINGS."""
    for key in keys:
        if key in _ENDINGS:
            return key
    many = "s" if re.search(r"[aeiouáéíóú]s$|es$", text) else ""
    return ("f" if re.search(r"as?$", text) else "m") + many
