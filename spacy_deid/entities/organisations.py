"""Linking organisations: legal forms, short forms and acronyms."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spacy.tokens import Doc

from ..gazetteers.lexicon import is_coined
from ..text.folding import acronym, fold, strip_possessive
from ..text.names import strip_legal_form
from .forms import Form, P, Pairs

_MARKS = ".,;:!?()[]'\"’"
QUOTES = "\"'“”„‘’«»"
# What follows these is another organisation than the whole.
_INNER_WORDS = frozenset(("of", "the", "for", "in", "and"))


def aliases(text: str) -> tuple[str, list[str]]:
    """A name without its parentheses, and what stands in them."""
    inner = []
    for match in P.parenthesis.finditer(text):
        alias = match.group(1).strip()
        for _ in range(4):
            alias = P.alias_lead.sub("", alias, count=1).strip(QUOTES + " ")
        if alias:
            inner.append(alias)
    return " ".join(P.parenthesis.sub(" ", text).split()), inner


def as_acronym(text: str) -> str | None:
    """The acronym that a text is ("E.C.H.R.", "the ECHR"), or None."""
    text = strip_possessive(P.alias_lead.sub("", text).strip(QUOTES + " "))
    if not P.acronym.fullmatch(text):
        return None
    upper = "".join(filter(str.isupper, text))
    most = len(upper) >= 2 and len(upper) * 2 > sum(map(str.isalpha, text))
    return upper if most else None


def _acronyms(text: str) -> set[str]:
    """Acronyms that a name of several words may have, upper case."""
    plain = text.split(",", maxsplit=1)[0]
    words = [w for w in re.split(r"[\s\-/]+", fold(plain)) if w and w[0].isalnum()]
    found = {acronym(plain)}
    for row in (words, strip_legal_form(plain).split()):
        found.add("".join(word[0] for word in row).upper())
    return {a for a in found if len(a) > 1}


def coined_words(text: str, lang: str) -> list[str]:
    """The words of an organisation's name that nothing else is called by, folded; none of
    a name of one word."""
    words = aliases(text)[0].split()
    plain = [word.strip(_MARKS) for word in words if word[:1].isupper()]
    return [fold(w) for w in plain if is_coined(w, lang)] if words[1:] else []


def link_organisations(doc: Doc, forms: list[Form]) -> Pairs:
    """Link organisations by their names without legal form, acronyms, and endings."""
    first: dict[str, str] = {}
    stripped: dict[str, Form] = {}
    by_acronym: dict[str, list[Form]] = {}
    at_start = {position: form for form in forms for position in form.positions}
    for form in forms:
        base, inner = aliases(form.text)
        for key in filter(None, map(strip_legal_form, (base, *inner))):
            yield first.setdefault(key, form.key), form.key
        stripped.setdefault(strip_legal_form(base), form)
        for short in _acronyms(base) if " " in form.key else ():
            by_acronym.setdefault(short, []).append(form)
    for form in forms:
        initials = None if " " in form.key else as_acronym(aliases(form.text)[0])
        meant = by_acronym.get(initials or "", [])
        if len({strip_legal_form(aliases(f.text)[0]) for f in meant}) == 1:
            yield meant[0].key, form.key
        yield from _defined_after(doc, form, at_start)
    yield from _shortened(stripped, doc.lang_)


def _defined_after(doc: Doc, form: Form, at_start: Mapping[int, Form]) -> Pairs:
    """ "Social Security Board (ZUS)" where the short form is a span of its own."""
    end = form.positions[0] + form.width
    if end >= len(doc) or doc[end].text != "(":
        return
    for i in range(end + 1, min(end + 6, len(doc))):
        if (other := at_start.get(i)) is not None:
            closing = [t.text for t in doc[i + other.width : i + other.width + 3]]
            if closing[:1] and closing[0] in QUOTES:
                del closing[0]
            if closing[:1] == [")"]:
                yield form.key, other.key
            return
        if doc[i].text in (")", ".", ";"):
            return


def _shortened(stripped: Mapping[str, Form], lang: str) -> Pairs:
    """ "Labour Court" is the "Söke Labour Court" if no other labour court is named, and
    "Ineos" is "Ineos Acrylics"."""
    longer: dict[str, list[Form]] = {}
    for key, form in stripped.items():
        words = key.split()
        for i in range(max(1, len(words) - 8), len(words) - 1):
            if words[i - 1] not in _INNER_WORDS:
                longer.setdefault(" ".join(words[i:]), []).append(form)
        for word in coined_words(form.text, lang):
            longer.setdefault(word, []).append(form)
    for key, form in stripped.items():
        found = longer.get(key, ())
        if len(found) == 1:
            yield found[0].key, form.key
