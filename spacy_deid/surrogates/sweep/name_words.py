"""The words of a person's name by which somebody is called, and how people write them:
in the plural, without umlauts, as a user name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.folding import written_out
from ...text.names import AND, EVERYDAY, PARTICLES, SUFFIXES, NameToken, name_tokens
from .runs import compact

# Umlauts and what is written for them where the keys are missing.
_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü", "aa": "å"}
_DIGRAPH = re.compile("ae|oe|ue|aa", re.IGNORECASE)
# With the combining marks, and the sign of a unit that is an "Å".
_WITH_MARKS = "äöüøåæÄÖÜØÅÆ\u212b\u0308\u030a"
# More combinations than of so many are not tried.
_MAX_DIGRAPHS = 3
_HYPHENS = re.compile("[-\u2010-\u2015]")
# A surname of so many letters after an initial is no accident ("kdoyle"), and two
# whole names of so many together.
_MIN_SURNAME, _MIN_BOTH = 5, 8


def has_umlauts(text: str) -> bool:
    """Whether a text has any letter that `written_out` changes."""
    return not text.isascii() and any(map(text.__contains__, _WITH_MARKS))


def with_umlauts(word: str) -> list[str]:
    """Words that a word may be written for, with one or several of its digraphs as
    umlauts: "Krüger" for "Krueger"."""
    places = [match.span() for match in _DIGRAPH.finditer(word)]
    if len(places) > _MAX_DIGRAPHS:
        return []
    out = [""]
    last = 0
    for start, end in places:
        two = word[start:end]
        umlaut = _UMLAUTS[two.lower()]
        umlaut = umlaut.upper() if two[0].isupper() else umlaut
        out = [head + word[last:start] + new for head in out for new in (two, umlaut)]
        last = end
    return [head + word[last:] for head in out[1:]]


def name_parts(text: str) -> list[str]:
    """Words of a person's name that identify someone by themselves: given names and
    surnames, and the halves of double ones."""
    return parts_of(name_tokens(text))


def parts_of(tokens: Sequence[NameToken]) -> list[str]:
    """As `name_parts`, of a name that has been taken apart."""
    parts: list[str] = []
    for token, after in zip(tokens, (*tokens[1:], None)):
        # "Herrn und Frau T. und M." are no "und".
        if token.role in ("title", "suffix") or token.text in AND:
            continue
        inner = token.role == "family" and after is not None and after.role == "family"
        for part in dict.fromkeys([token.text, *_HYPHENS.split(token.text)]):
            letters = compact(part)
            # "Mª" is short for every María, and "Иванов-мл." no name of two.
            short = len(letters) < 2 or part[-1] in "ªº" or letters in SUFFIXES
            if short or letters.isdigit() or re.search(r"[./].", part):
                continue
            # "de" is a particle, "De" in "De Smet" and "Della" in "Della Rocca" are not
            # worth a sweep either.
            if not (inner or len(letters) < 4) or letters not in PARTICLES:
                parts.append(part)
    return parts


def _surnames(family: list[str]) -> list[str]:
    """A surname's words as one, folded. Particles are written or left out ("vandyk",
    "dyk"), and so are umlauts."""
    bare = [word for word in family if compact(word) not in PARTICLES] or family
    ways = (family, bare) if len(family) > 1 else (family,)
    found = [compact("".join(words)) for words in ways]
    if not "".join(family).isascii():
        found += [compact(written_out("".join(words))) for words in (family, bare)]
    return found


def joined_surnames(tokens: Sequence[NameToken]) -> list[str]:
    """A surname of several words written as one, folded: "devries" for "de Vries". Those
    that are everyday words ("delay") are left out."""
    family = [t.text for t in tokens if t.role == "family"]
    # It may be a surname, too: "García Torrelles".
    middle = [t.text for t in tokens if t.role == "middle" and len(t.text) > 2][-1:]
    if not family:
        return []
    found = _surnames(family) if len(family) > 1 else []
    found += _surnames(middle + family) if middle else []
    single = {compact(word) for word in family} | EVERYDAY
    long = (name for name in dict.fromkeys(found) if len(name) >= _MIN_SURNAME)
    return [name for name in long if name not in single]


def joined_names(tokens: Sequence[NameToken]) -> list[str]:
    """What user names are made of, folded: "kdoyle", "doylek", "karendoyle",
    "doylekaren". Those that are everyday words ("bright") are left out."""
    given = [t.text for t in tokens if t.role in ("given", "middle")]
    family = [t.text for t in tokens if t.role == "family"]
    if not given or not family:
        return []
    heads = [compact(given[0])]
    if not given[0].isascii():
        heads.append(compact(written_out(given[0])))
    heads.append(heads[0][:1])
    if len(given) > 1:
        heads.append("".join(compact(word)[:1] for word in given))
    out: dict[str, None] = {}
    for surname in dict.fromkeys(_surnames(family)):
        for head in filter(None, dict.fromkeys(heads)):
            long_head = len(head) > 2
            least = max(3, _MIN_BOTH - len(head)) if long_head else _MIN_SURNAME
            if len(surname) >= least:
                out |= dict.fromkeys((head + surname, surname + head))
    return [name for name in out if name not in EVERYDAY]
