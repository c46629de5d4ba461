"""Generalization in Russian: nouns in the case of what they replace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...lang.base import last_word
from ...lang.inflection import Found, key_of
from ...lang.ru.forms import (
    CASES,
    adjective_forms,
    fits_preposition,
    governed,
    multiword,
    narrowed,
    parses,
    term_forms,
)
from ...lang.ru.persons import given_names, patronymic
from ...text.dates import is_finer_than_year, years_in
from ...text.names import FEMALE, MALE
from ..base import Mention
from ..frame import NAME
from .phrases import Phrases, decades, in_sentence


class Russian(Phrases):
    """See `Phrases`."""

    def noun(self, name: str, mention: Mention, rest: str = "", case: str = "") -> str:
        word = self.words["nouns"].get(name) or self.words["codes"][name]
        made = multiword(word)[case or _cases(mention)[0]]
        return in_sentence(f"{made} {rest}".rstrip(), mention)

    def plain(self, name: str, mention: Mention) -> str:
        return self.noun(name, mention, case=(governed(mention.before) or ("nomn",))[0])

    def person(self, mention: Mention, gender: str) -> Iterator[str]:
        gender = gender or _gender(mention.text)
        # "человека" is right for two cases, "мужчину" for one.
        if gender == MALE and {"gent", "accs"} <= set(_cases(mention)):
            gender = ""
        yield from super().person(mention, gender)

    def address_in(self, town: str, mention: Mention) -> Iterator[str]:
        found = self.lexicon.in_row(town, ("city",))
        # One in other letters is not declined.
        forms = found[0].lexeme.forms if found else dict.fromkeys(CASES, town)
        inside = forms["loct"]
        if re.search(r"[:\n]\s*$|^$", mention.before):
            yield forms["nomn"]
        if last_word(mention.before) in ("в", "во"):
            yield inside if fits_preposition(inside, mention.before) else ""
            return
        where = f"{'в' if fits_preposition(inside, 'в ') else 'во'} {inside}"
        case = "" if governed(mention.before) else "nomn"
        yield self.noun("address", mention, where, case)

    def when(self, mention: Mention) -> Iterator[str]:
        last = last_word(mention.before)
        years = years_in(mention.text)
        asked = governed(mention.before)
        follows = re.match(r"\s+г(?:од|\.)", mention.after) is not None
        if len(years) == 1 and is_finer_than_year(mention.text):
            year = years[0]
            if follows:
                stands = last in ("в", "с", "до", "после")
                yield str(year) if stands else f"в {year}"
            elif last in ("в", "во", "к", "по"):
                yield f"{year} году"
            elif "gent" in asked:
                yield f"{year} года"
            else:
                yield in_sentence(f"в {year} году", mention)
        if follows:
            some = {"loct": "некотором", "gent": "некоторого"}
            yield some.get(asked[0] if asked else "", "некоторый")
        elif years:
            spoken = f"{decades(years)[0]}-е годы"
            if last in ("в", "во"):
                yield spoken
            elif not asked:
                yield in_sentence(f"в {spoken}", mention)
        yield self.plain("time", mention)

    def attribute(
        self, mention: Mention, found: Found | None, subtype: str, keys: Sequence[str]
    ) -> Iterator[str]:
        text = mention.text
        if found is not None:
            yield self._of_row(found, mention)
        adjective = self.pack.adjectives(text)
        if not keys and not adjective:
            keys = self.pack.noun_keys(text, mention.before)
        if text.islower() and adjective:
            agreed = self.pack.agree(adjective, mention.after)
            asked = governed(mention.before)
            yield from self.declined(["определённый"], narrowed(agreed, asked))
        for word in self.said_of(subtype, text) if keys else ():
            yield _inflected(word, keys, mention)
        if subtype == "FAMILY":
            yield "в определённом семейном положении"
        if subtype == "LANGUAGE":
            yield self.noun("language", mention)
        yield self.noun("person", mention)

    def _of_row(self, found: Found, mention: Mention) -> str:
        """A word for all of a row: "иностранец", "родственница"."""
        row, rows = found.lexeme.row, self.words["rows"]
        word = rows.get(row) or rows.get(self.lexicon.rows[row][0].name, "")
        same = key_of(mention.text) == key_of(word)
        if same or not word or found.lexeme.home == self.pack.home:
            return ""
        return _inflected(word, found.keys, mention)

    def declined(self, cells: Iterable[str], keys: Sequence[str]) -> Iterator[str]:
        for forms in map(adjective_forms, cells):
            yield next((forms[key] for key in keys if key in forms), "")


def _cases(mention: Mention) -> tuple[str, ...]:
    """Cases that a mention may stand in, the likelier first: by its words, and by the
    preposition before."""
    asked = governed(mention.before)
    own: set[str] = set()
    for match in list(NAME.finditer(mention.text))[:4]:
        word = match.group()
        if len(word) < 2 or not re.fullmatch("[а-яё-]+", word, re.I):
            continue
        if mention.label == "PERSON":
            # The dictionary has "Анне" for a name that is not declined.
            given = {k for f in given_names().find(word) for k in f.keys}
            if given:
                own = own & given or own or given
                continue
        every = [p for p in parses(word.lower()) if p.tag.case in CASES]
        if any("Fixd" in p.tag for p in every[:1]):
            continue
        one = {p.tag.case for p in every if p.tag.number != "plur" and p.score > 0.01}
        found = one or {p.tag.case for p in every}
        own = own & found or own or found
    order = asked or ("nomn", "gent", "accs", "datv", "ablt")
    fitting = tuple(case for case in order if case in own)
    return fitting or order[:1]


def _gender(text: str) -> str:
    for match in NAME.finditer(text):
        word = match.group()
        father = patronymic(word)
        if father is not None and father.feminine:
            return FEMALE
        rows = {f.lexeme.row[0] for f in given_names().find(word)}
        if len(rows) == 1:
            return FEMALE if rows == {"f"} else MALE
    return ""


def _inflected(word: str, keys: Sequence[str], mention: Mention) -> str:
    """A noun in the number and case that keys say ("plur datv"), of its own gender."""
    forms = {_number_and_case(key): form for key, form in term_forms(word).items()}
    found = (forms[n] for n in map(_number_and_case, keys) if n in forms)
    return in_sentence(next(found, ""), mention)


def _number_and_case(key: str) -> tuple[bool, str]:
    return key.startswith("plur"), key.rpartition(" ")[2]
