"""Patronymics: the father's name in them, whose they are, and how they are spoken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..inflection import key_of
from .forms import GRAMMAR, parses
from .name_lists import OWN, origin_of_father, read_given

_PATRONYMIC = re.compile(
    "(.{2,}?)(?:(?:ов|ев)?[иы]ч(|а|у|ем|ом|е)|(?:овн|евн|иничн|ичн)(а|ы|е|у|ой|ою))"
)
# As it is spoken: "Борисыч", "Прокопьич", but not "Ильич".
_SPOKEN = re.compile("(?:ы|[аеи]и|(?<!ил)ьи)ч(?:а|у|ем|ом|е|)")
SPEAKABLE = re.compile(
    "(?P<soft>.+[аеоь])ев|(?P<hard>.+[аеёиоуыя][бвгджзклмнпрстфх])ов"
)
# "Енович", whose father is in no list.
_OF_FATHER = re.compile("[ое]вич(?:а|у|ем|е)?$")


class Patronymic(NamedTuple):
    """What a patronymic says of the father's name, whose it is, and its ending."""

    father: str
    feminine: bool
    ending: str
    spoken: bool


def patronymic(word: str) -> Patronymic | None:
    """A patronymic in any case taken apart; None for words that are made otherwise."""
    match = _PATRONYMIC.fullmatch(key_of(word))
    if match is None:
        return None
    spoken = _SPOKEN.fullmatch(match[0], match.end(1) - 1) is not None
    spoken |= _SPOKEN.fullmatch(match[0], match.end(1)) is not None
    father = GRAMMAR["spoken_fathers"].get(match[1], match[1])
    return Patronymic(father, match[3] is not None, match[3] or match[2], spoken)


def _is_spoken(found: Patronymic, word: str) -> bool:
    """Whether a word that ends like a patronymic as it is spoken is one."""
    listed = origin_of_father(found.father) is not None
    return listed or any("Patr" in parse.tag for parse in parses(word))


def _is_behind_given(found: Patronymic, word: str, given: str) -> bool:
    """Whether one that stands behind a given name is one: "Вячеслав Енович"."""
    if _OF_FATHER.search(word) and not any("Surn" in p.tag for p in parses(word)):
        return True
    start = found.father[:3]
    common = any(key_of(name).startswith(start) for name in (*OWN["m"], "фома"))
    return common and bool(read_given(given))


def is_father(found: Patronymic, matches: Sequence[re.Match[str]], i: int) -> bool:
    """Whether a word like a patronymic is one: the third of a name, one with the surname
    behind it, or one that is made of a common name ("Янукович" is not)."""
    if i >= 2 or (i and (i + 1 < len(matches) or found.feminine)):
        return True
    word = matches[i].group().lower()
    if found.spoken and _is_spoken(found, word):
        return True
    if i:
        return _is_behind_given(found, word, matches[0].group())
    # "Ивановна", as one who is known well is called, but not "Дубовна".
    known = len(found.father) > 5 or origin_of_father(found.father) is not None
    return known and found.feminine and len(matches) == 1
