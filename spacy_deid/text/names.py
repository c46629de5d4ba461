"""The reader of personal names: titles, given names, particles, surnames, suffixes.

Words of names and beside names lie in `data/names/words.tsv`, folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from ..data import word_lists
from .calendars import month_index, weekday_index
from .folding import fold, normalise, strip_possessive

MALE, FEMALE, UNKNOWN = "m", "f", ""


def _set(name: str) -> frozenset[str]:
    return frozenset(word_lists("names/words")[name])


# Folded title, without its dots -> gender it implies.
TITLES: dict[str, str] = {
    word: gender
    for name, gender in (("title m", MALE), ("title f", FEMALE), ("title", UNKNOWN))
    for word in word_lists("names/words")[name]
}
# Words that may stand before or between titles but are none alone.
_TITLE_FILLERS = _set("title.filler")
# After a title, what it was given for: "Dr. rer. nat."
_TITLE_TAILS = _set("title.tail")
# Titles between given name and surname: "Ludwig Freiherr von Stetten".
_INNER_TITLES = _set("title.inner")
_NOBLE, _LADY = _set("noble"), _set("title.inner.sure")
# A title that a given name follows when one word does ("Sir Robert", "Sister Mary").
_GIVEN_TITLES = _set("title.given")
_NAMED_TITLES = _set("title.named")
# Folded without dots. The second set may be written with inner dots ("M.D.").
SUFFIXES = _set("generation")
POSTNOMINALS = _set("postnominal")
# Short ones that are surnames or initials, too.
_NAMELIKE = _set("postnominal.namelike")
# "wa Thiong'o", but "Kar Wa".
_SMALL_PARTICLES = _set("particle.small")
PARTICLES = _set("particle") | _SMALL_PARTICLES
# What forms call a surname and a given name: a text that ends in it.
SURNAME_LABEL, GIVEN_LABEL = (
    re.compile(
        rf"\b(?:{'|'.join(word_lists('names/words')[f'label {kind}'])})(?:\(n\))?[ \t:=|.\"'>\[]*$",
        re.I,
    )
    for kind in ("family", "given")
)
# Particles that are also common first names or words when capitalised at the start.
_NAME_LIKE_PARTICLES = _set("particle.namelike")
_CONNECTORS = _set("connector")
# Whom a transcript knows by a letter alone.
_LETTERED, _LETTERS = _set("lettered"), frozenset("abcdefghijklmnopqrstuvwxyz")
# Words that may stand in a person's mention and are no part of the name: before it,
# after it, and before the name that somebody was born with.
_LEADING = _set("leading")
_TRAILING = _set("trailing")
_BIRTH = _set("birth")
AND = _set("and")
LEGAL_FORMS, _LEADING_FORMS = _set("legal_form"), _set("legal_form.before")
# Countries of one word: as part of a person's name they are not followed up.
COUNTRIES = _set("country")
# Capitalised in much of the writing of courts, offices and firms, naming nobody.
GENERIC = _set("generic")
# English words that are also common names; in lower case they are taken as words.
EVERYDAY = _set("everyday")
# Pronouns and other English words that are no names even with a capital.
NOBODY = _set("nobody")
# What medicine calls after people: drains, lines, signs.
EPONYMS = _set("eponym")
# Words that join entities and are part of none at its ends.
JOINS = _set("join")
# "And another", "and others" behind the first party of a case.
OTHER_PARTIES = _set("other_parties")
# Words of grammar, of which alone no entity consists unless they are in title case
# ("An" is a surname, "AN" in capitals hardly is).
GRAMMAR = JOINS | _set("grammar")
# Who has an office is addressed by it: "Mr. Speaker".
OFFICES = _set("office")
# What everybody has: "mother", in small letters.
RELATIVES = _set("relative")
_WEST = ("en", "de", "fr", "es", "it", "nl", "pt")
# Months and weekdays; short forms of other languages may be names ("Sam").
CALENDAR = frozenset(
    fold(word)
    for names in (month_index(_WEST), weekday_index(_WEST))
    for word in names
    if len(word) > 3
).union(month_index(("en",)), weekday_index(("en",)))

# Slugs of names have underscores: "Lara_Wilkinson".
# "Ann_Lee", and "LEE^ANN^B" in messages.
_CHUNK = re.compile(r"[^\s_^]+")
_EDGE = "@#()[]{}<>\"“”„«»,;:!?*_/|-'"
_PIECE = re.compile(r"[^.]+\.?")


class NameParts(NamedTuple):
    """A person's name taken apart; each part as written, words joined by a space.

    titles (str): "Mr", "Prof. Dr.", or "".
    given (str): First given name or initial, or "".
    middle (str): Further given names or initials, or "".
    family (str): Surname with its particles ("van der Berg", "Smith-Jones"). A lone
        word without title counts as the surname.
    suffix (str): "Jr.", "III", "M.D.", or "".
    """

    titles: str
    given: str
    middle: str
    family: str
    suffix: str


class NameToken(NamedTuple):
    """A word of a person's name and what it is.

    start (int): First character in the text given.
    end (int): Character after the last.
    text (str): The word; an initial keeps its dot.
    role (str): One of `title`, `given`, `middle`, `family`, `suffix`.
    """

    start: int
    end: int
    text: str
    role: str


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    key: str  # folded, without dots


def title_gender(title: str) -> str | None:
    """Gender that a title implies.

    title (str): One word, any case, with or without dot.
    RETURNS (Optional[str]): "m", "f", "" if the title fits anyone, None if the word
        is no title.
    """
    return TITLES.get(fold(title).replace(".", "").strip("'"))


def leads_given(title: str) -> bool:
    """Whether a given name follows a title when one word does: "Sister Mary"."""
    return fold(title).replace(".", "") in _GIVEN_TITLES


def may_be_given(title: str) -> bool:
    """Whether a title is a given name as well, as often or more: "Prince"."""
    return fold(title).replace(".", "") in _NAMED_TITLES


def is_postnominal(text: str) -> bool:
    """Whether a text is what stands behind a name ("RN", "Ph.D.", "Esq.") and no name;
    False for those that are names or initials as well."""
    if len(text) > 9:
        return False
    key = fold(text).replace(".", "").strip(", ")
    if key not in POSTNOMINALS and key not in SUFFIXES:
        return False
    # "Md" and "Ed" are given names.
    return key not in _NAMELIKE and not (text.isalpha() and text[1:].islower())


def name_tokens(text: str) -> list[NameToken]:
    """A person's name word by word, in order of appearance.

    Knows titles, initials with and without spaces ("J.S. Bach"), particles, suffixes,
    surnames in capitals ("MURRAY Robert") and inverted names ("Smith, John", "SMITH^JOHN").

    text (str): The mention, possessive ending or not.
    RETURNS (list[NameToken]): Words with offsets into `text`; empty if there are none.
    """
    return list(_name_tokens(text))


def split_name(text: str) -> NameParts:
    """Take a person's name apart.

    "Dr. Anna Maria van der Berg Jr." gives ("Dr.", "Anna", "Maria", "van der Berg",
    "Jr."); "SMITH, JOHN" gives ("", "JOHN", "", "SMITH", ""); "J. Smith" gives
    ("", "J.", "", "Smith", ""); "Mr Murray’s" gives ("Mr", "", "", "Murray", "").

    text (str): The mention.
    RETURNS (NameParts): titles, given, middle, family, suffix; case as written.
    """
    parts: dict[str, list[str]] = {}
    for token in name_tokens(text):
        parts.setdefault(token.role, []).append(token.text)
    roles = ("title", "given", "middle", "family", "suffix")
    return NameParts(*(" ".join(parts.get(role, ())) for role in roles))


# Linking, the sweep and the surrogates of a document ask for all its names in turn.
@lru_cache(maxsize=1 << 14)
def _name_tokens(text: str) -> tuple[NameToken, ...]:
    words, comma = _words(text)
    for word in words[1:-1]:
        if word.key in _BIRTH and word.text.islower():
            return _with_birth_name(text, word)
    first = 0
    # "BISHOP, TREVOR": no comma is behind a title.
    while first + 1 != comma and _leads(words, first):
        first += 1
    last = len(words)
    while last - 1 > first and _trails(words, first, last - 1):
        last -= 1
    while last - 1 > first and _is_suffix(words[last - 1]):
        last -= 1
    if comma is not None and not first < comma < last:
        comma = None
    roles = [
        *["title"] * first,
        *_roles(words, first, last, _family_range(words, first, last, comma)),
        *["suffix"] * (len(words) - last),
    ]
    return tuple(NameToken(*word[:3], role) for word, role in zip(words, roles))


def _roles(
    words: Sequence[_Word], first: int, last: int, family: range
) -> Iterator[str]:
    """Roles of the words between titles and suffixes."""
    given = "given"
    for i in range(first, last):
        word, after = words[i], words[i + 1] if i + 1 < last else None
        # "Frau und Herr Dr. Weber", "Rua Dr. Falcão Filho"
        dotted = word.key in TITLES and len(word.key) > 1 and word.text[-1:] == "."
        if i in family:
            yield "family"
        elif after and (
            word.key in (_INNER_TITLES if after.key in _NOBLE else _LADY) or dotted
        ):
            yield "title"
        else:
            yield given
            given = "middle"


def _with_birth_name(text: str, born: _Word) -> tuple[NameToken, ...]:
    """ "Helen Brooks (née Walker)" has two names."""
    tokens = name_tokens(text[: born.start])
    tokens.append(NameToken(*born[:3], "suffix"))
    rest = name_tokens(text[born.end :])
    for token in rest:
        role = "family" if len(rest) == 1 else token.role
        start, end = token.start + born.end, token.end + born.end
        tokens.append(NameToken(start, end, token.text, role))
    return tuple(tokens)


def _leads(words: Sequence[_Word], i: int) -> bool:
    """Whether the word behind titles belongs to these, and no name."""
    # "M.D." and "J. P." are initials, not titles.
    if i >= len(words) - 1 or min(map(len, words[i][2:])) < 2:
        return False
    key, text = words[i].key, words[i].text
    near = (w.key in TITLES for w in words[i + 1 : i + 3])
    # "Witness A": no name has a letter for a surname.
    lettered = key in _LETTERED and words[-1].key in _LETTERS
    if any((key in TITLES, lettered, key in _TITLE_FILLERS and any(near))):
        return True
    if key in _LEADING:
        return i == 0 or key != "the"
    if not i or not text[0].islower():
        return False
    # "Dr. med.", and "Mr and Mrs Smith"
    couple = i < len(words) - 2 and key in AND and text.islower()
    return key in _TITLE_TAILS or (couple and words[i + 1].key in TITLES)


def _trails(words: Sequence[_Word], first: int, i: int) -> bool:
    """Whether what stands after a name is no part of it: "the Smith family", "Smith et
    al."."""
    key = words[i].key
    if not words[i].text.islower():
        return key in ("family", "families")
    if key in _TRAILING:
        return True
    # Each of the two words in turn.
    if key in ("al", "others", "colleagues"):
        return i - 1 > first and words[i - 1].key in AND
    return key in AND and i + 1 < len(words)


def _is_suffix(word: _Word) -> bool:
    # "Ba" is a surname, "BA" a degree.
    named = word.text.islower() or (word.key in _NAMELIKE and word.text[1:].islower())
    return word.key in SUFFIXES or (word.key in POSTNOMINALS and not named)


def _words(text: str) -> tuple[list[_Word], int | None]:
    """The words, and the index of the one after the first comma."""
    words: list[_Word] = []
    comma = None

    def add(start: int, end: int) -> None:
        word = text[start:end]
        if any(map(str.isalpha, word)):
            words.append(_Word(start, end, word, fold(word).replace(".", "")))

    for match in _CHUNK.finditer(text[: len(strip_possessive(text))]):
        chunk = match.group()
        start = match.start() + len(chunk) - len(chunk.lstrip(_EDGE))
        end = match.end() - (len(chunk) - len(chunk.rstrip(_EDGE)))
        inner = text[start:end]
        if "." not in inner[:-1] or (
            fold(inner).replace(".", "") in POSTNOMINALS
            and any(title_gender(w.text) is None for w in words)
        ):
            add(start, end)
        else:
            for piece in _PIECE.finditer(text, start, end):
                dashes = len(piece.group()) - len(piece.group().lstrip("-"))
                add(piece.start() + dashes, piece.end())
        behind = text[match.end() : match.end() + 1]
        if ("," in chunk or behind == "^") and comma is None and words:
            comma = len(words)
    return words, comma


def _family_range(
    words: Sequence[_Word], first: int, last: int, comma: int | None
) -> range:
    """Which words from `first` to `last` are the surname."""
    if last - first <= 1:
        given = first > 0 and words[first - 1].key in _GIVEN_TITLES
        # "ben" alone is no particle.
        small = (w.key for w in words[first:last] if w.text.islower())
        given |= not _NAME_LIKE_PARTICLES.isdisjoint(small)
        return range(first, first if given else last)
    if comma is not None:
        return range(first, comma)
    if _surname_in_capitals(words, first, last):
        return range(first, first + 1)
    start = _family_start(words, first, last)
    # "Smith J." and "Smith J.R.": the initials are the given names.
    is_initial = [len(word.key) == 1 for word in words]
    if start == last - 1 and is_initial[start] and not is_initial[first]:
        while start > first + 1 and is_initial[start - 1]:
            start -= 1
        return range(first, start)
    return range(start, last)


def _surname_in_capitals(words: Sequence[_Word], first: int, last: int) -> bool:
    """ "MURRAY Robert", but not "JP Smith"."""
    if len(words[first].key) < 3 or not words[first].text.isupper():
        return False
    return not any(len(w.key) > 1 and w.text.isupper() for w in words[first + 1 : last])


def _family_start(words: Sequence[_Word], first: int, last: int) -> int:
    """The first particle, what stands before "y" or "e", or the last word."""
    for i in range(first, last - 1):
        word = words[i]
        dotted = word.text.endswith(".")
        # "ben m."
        called = i == first and word.key in _NAME_LIKE_PARTICLES
        called = called and len(words[i + 1].key) == 1
        if leads_surname(word.text, i == first) and not (dotted or called):
            return i
        if i > first + 1 and word.key in _CONNECTORS and word.text.islower():
            return i - 1
    return last - 1


def leads_surname(word: str, first: bool) -> bool:
    """Whether a word stands before a surname: "van", "De", "Ní", but neither "Wa" nor,
    as the `first` of a name, "San" or "Do"."""
    key = fold(word)
    small = key in _SMALL_PARTICLES and not word.islower()
    named = key in _NAME_LIKE_PARTICLES and word.isascii() and word[0].isupper()
    return key in PARTICLES and not small and not (first and named)


def strip_legal_form(text: str) -> str:
    """An organisation's name, normalised, without its legal form."""
    words = normalise(text).split()
    while len(words) > 1 and words[-1] in LEGAL_FORMS:
        words.pop()
    # "d. o. o." and "S. A." with spaces.
    tail = len([*takewhile(lambda word: len(word) == 1, reversed(words[1:]))])
    if tail > 1 and "".join(words[-tail:]) in LEGAL_FORMS:
        words = words[:-tail]
    if len(words) > 1 and words[0] in _LEADING_FORMS:
        del words[0]
    return " ".join(words)
