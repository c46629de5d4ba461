"""What surrogate generators are given and give back, and helpers that all share."""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..data import table, word_lists
from ..lang.name_forms import possessive  # noqa: F401  (shared by the kinds)
from ..text.calendars import ENGLISH_MONTHS, ENGLISH_WEEKDAYS
from ..text.case import match_case
from ..text.offsets import splice
from ..text.shuffling import another, preferred_first, shuffled  # noqa: F401  (shared)


class Mention(NamedTuple):
    """One span to be replaced.

    text (str): The original text.
    label (str): Semantic type.
    subtype (str): Subtype (`EMAIL`, `CITY` ...) or "" if unknown.
    entity_id (int): Mentions of one entity share one.
    before (str): Up to about 30 characters of the text before the mention.
    after (str): Up to about 30 characters of the text after it.
    decision (str): `DIRECT` or `QUASI`; "" if nobody has judged.
    strategy (str): Name of the strategy that a profile asks for, or "".
    around (str): More of the text on both sides, where only that tells what it is.
    """

    text: str
    label: str
    subtype: str
    entity_id: int
    before: str = ""
    after: str = ""
    decision: str = ""
    strategy: str = ""
    around: str = ""


# (kind, normalised entity) -> generator, the same for the same secret key.
RandomFor = Callable[[str, str], random.Random]
# True if a text may not be used as a surrogate: it contains an original.
Forbidden = Callable[[str], bool]
# All mentions of one document, in document order -> one new text a mention.
SurrogateMaker = Callable[[Sequence[Mention], RandomFor, Forbidden], list[str]]

MAX_TRIES = 24
# Candidates of a document that may be refused before it gets few tries for each text:
# where single letters are masked hardly anything can be used.
PATIENCE = 2000

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_VOWEL_SOUND = re.compile(
    r"(?!eu|uni(?!n)|unesco|us[aeiu]|ut[eio]|ur[aeiu]|uk|ubi|uga|one\b|once\b|ouija|ew)[aeiou]"
    r"|hon(?:ou?r|est)|heir|hour|y(?![aeiouáéíóúäöü])",
    re.IGNORECASE,
)
# What is not read before the first word: brackets, quotes, and the sign of a sum.
_UNREAD = re.compile(r"[\"'“”‘’«»(\[{#*_~≈]*(?:[A-Z]{1,3}(?=[$€£¥])|)[$€£¥₹₺₽]?\s?")
_FIGURE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)")
_CAPITALS = re.compile(
    r"(?:([A-Z]{1,5})s?|((?:[A-Z]\.){1,5}[A-Z]?))(?![^\W_]|['’][^\W_])"
)
# Letters whose names begin with a vowel, and what makes an acronym a word.
_AN_LETTERS = frozenset("AEFHILMNORSX")
_SPELLED = re.compile(r"[^AEIOUY]{3}|^[AEIOUY]{3}")

# "U.T."
_DOTTED = re.compile(r"(?:[^\W\d_]\.){2,5}")
BEGINS_WITH_ARTICLE = re.compile(r"(?:an?|the|this|that|his|her|their|my|our)\s", re.I)
_LEADING_ARTICLE = re.compile(r"^(?:an?|the)\s", re.I)
_ARTICLE = re.compile(r"(?<![^\W_.])\b([aA])n?(\s+)(?=[^\W_])")


def told_by(name: str) -> str:
    """Words of a list of `data/lang/en/told_by.tsv`, as an expression for one of them."""
    return "|".join(word_lists("lang/en/told_by")[name])


def normalise(text: str) -> str:
    """One key for the spellings of an entity: case folded, in Turkish too, where "ŞİRAY"
    is "Şiray" and "IŞIL" is "Işıl", spaces collapsed."""
    low = text.casefold().replace("i\u0307", "i").replace("ı", "i")
    return " ".join(low.split())


def words(text: str) -> list[str]:
    """Words of letters and digits, case folded."""
    return [m.group().casefold() for m in _WORD.finditer(text)]


def is_named(text: str) -> bool:
    """Whether at least every second word has a capital, as in names and titles."""
    words = text.split()
    return 0 < len(words) <= 2 * sum(word[:1].isupper() for word in words)


def starts_with_vowel_sound(text: str) -> bool:
    """Whether the indefinite article before `text` would be "an".

    text (str): Text that follows the article.
    RETURNS (bool): True for "hour", "Austrian", "8", "MRI"; False for "European",
        "one", "UK".
    """
    ch = text[:1]
    if not ch.islower():
        if not ch.isalpha() or "$" in text[1:4]:
            match = _UNREAD.match(text)
            text = text[match.end() :] if match else text
            ch = text[:1]
        if ch.isdecimal():
            return _figure_has_vowel(text)
        capitals = _CAPITALS.match(text) if ch.isupper() else None
        if capitals is not None:
            letters = (capitals[1] or capitals[2]).replace(".", "")
            if len(letters) < 4 or capitals[2] or _SPELLED.search(letters[:4]):
                return ch in _AN_LETTERS
    if ch and not ch.isascii():
        text = unicodedata.normalize("NFD", ch)[0] + text[1:12]
    return _VOWEL_SOUND.match(text) is not None


def _figure_has_vowel(text: str) -> bool:
    """Whether a number is read with a vowel first: 8, 11, 18, 80 to 89, 800, 11,500,
    and years such as 1850."""
    match = _FIGURE.match(text)
    digits = match.group() if match else ""
    if digits[:1] == "8":
        return True
    lead = digits.replace(",", "")
    return lead[:2] in ("11", "18") and (
        len(lead) % 3 == 2 or (len(lead) == 4 and lead == digits)
    )


def article_before(text: str) -> str:
    """The indefinite article that `text` ends with: "a", "an" or ""."""
    if not text[-1:].isspace():
        return ""
    tail = text.rstrip().rpartition(" ")[2].lstrip("([{\"'“‘«*_").lower()
    return tail if tail in ("a", "an") else ""


def without_article(phrase: str, before: str) -> str:
    """A phrase without the article that it begins with where "a" or "an" stands before."""
    return _LEADING_ARTICLE.sub("", phrase) if article_before(before) else phrase


def _follows(text: str, article: str) -> bool:
    return (article == "an") == starts_with_vowel_sound(text)


def fits_article(text: str, before: str) -> bool:
    """Whether `text` may follow `before` without "a Austrian" or "an German"."""
    article = article_before(before)
    return not article or _follows(text, article)


def in_place_of(new: str, mention: Mention) -> str:
    """Give a phrase the case that its place asks for: as `match_case`, and a capital
    at the start of a sentence.

    new (str): Phrase as it is written inside a sentence.
    mention (Mention): What it replaces.
    RETURNS (str): `new`, perhaps with a capital.
    """
    old = mention.text
    if old[:1].isupper() and not old.isupper():
        before = mention.before.rstrip(" \t\"'“‘(")
        if not before or before[-1] in ".!?:\n•":
            return new[:1].upper() + new[1:]
        return new
    # Nouns keep their capitals where others have any: "am genannten Tag".
    if old.islower() and any(map(str.isupper, mention.before + mention.after)):
        return new
    return match_case(new, old)


def is_acronym(mention: Mention) -> bool:
    """Whether a mention is a short word in capitals among words that are not.

    mention (Mention): Mention of any type.
    RETURNS (bool): True for "COPD" in a sentence, False for "MURRAY v. UK" in a title.
    """
    text = mention.text
    if mention.label != "PERSON" and _DOTTED.fullmatch(text):
        text = text.replace(".", "")
    if not (2 <= len(text) <= 5 and text.isalpha() and text.isupper()):
        return False
    line = mention.before.rpartition("\n")[2], mention.after.partition("\n")[0]
    around = [word for part in line for word in _WORD.findall(part)]
    if not around:
        # A line of its own: a cell of a table, or the name above a letter.
        return mention.label != "PERSON"
    if mention.label != "PERSON":
        return any(not w.isupper() and not w.isdecimal() for w in around)
    if line[0].rstrip().endswith(" v.") or line[1].lstrip().startswith("v."):
        return False
    return any(len(w) > 2 and w.islower() for w in around)


def longest(
    text: str,
    words: re.Pattern[str],
    make: Callable[[int, int], str | None],
    most: int = 4,
) -> Iterator[tuple[int, int, str]]:
    """Find what stands in a text, several words before one.

    text (str): The text.
    words (Pattern): What finds its words.
    make (Callable): Start and end of one word or several -> what stands for them; None
        if nothing does.
    most (int): Words that are looked at together.
    YIELDS (Tuple[int, int, str]): Start, end, and what stands for it.
    """
    matches = list(words.finditer(text))
    i = 0
    while i < len(matches):
        start = matches[i].start()
        for j in range(min(len(matches), i + most), i, -1):
            new = make(start, matches[j - 1].end())
            if new is not None:
                yield start, matches[j - 1].end(), new
                i = j
                break
        else:
            i += 1


def by_longest(
    text: str,
    words: re.Pattern[str],
    make: Callable[[int, int], str | None],
    most: int = 4,
) -> str:
    """The text with what `longest` finds exchanged."""
    return splice(text, longest(text, words, make, most))


# Letters of Russian number plates, which look like Latin ones.
_PLATE_LETTERS = "АВЕКМНОРСТУХ"


def like(text: str, rng: random.Random, letters: str = "", first: bool = True) -> str:
    """Random characters of the same classes: digits for digits, letters for letters.

    text (str): The original.
    rng (Random): Source of the draw.
    letters (str): Capitals to draw from; "" for those of the same script.
    first (bool): Whether a number that has no zero first gets none.
    RETURNS (str): As long as `text`, in its case.
    """
    out = []
    for i, ch in enumerate(text):
        if ch.isdecimal():
            leading = first and ch != "0" and (i == 0 or not text[i - 1].isalnum())
            out.append(rng.choice("123456789" if leading else "0123456789"))
        elif not ch.isalpha():
            out.append(ch)
        else:
            own = _PLATE_LETTERS if "Ѐ" <= ch <= "ӿ" else string.ascii_uppercase
            letter = rng.choice(letters or own)
            out.append(letter if ch.isupper() else letter.lower())
    return "".join(out)


def acronym_like(text: str, rng: random.Random) -> str:
    """Other capitals for an acronym, vowels for vowels.

    text (str): The acronym.
    rng (Random): Source of the draw.
    RETURNS (str): As long as `text`.
    """
    vowels, others = "AEIOU", "BCDFGHKLMNPRSTVW"
    return "".join(
        rng.choice(vowels if ch in vowels else others) if ch.isalpha() else ch
        for ch in text
    )


def with_articles(text: str) -> str:
    """Make "a" and "an" inside a new text agree with what follows.

    text (str): A surrogate, such as "a eighth of it".
    RETURNS (str): "an eighth of it".
    """

    def fitting(match: re.Match[str]) -> str:
        n = "n" * starts_with_vowel_sound(text[match.end() : match.end() + 12])
        return f"{match[1]}{n}{match[2]}"

    return _ARTICLE.sub(fitting, text)


# Bounded on all sides: a run of 100,000 digits would be read from each of its places.
_RANGE = re.compile(
    r"(?<!\d)(\d{1,18})(\.?\s{0,3}(?:[-–—]|to|bis|a|до)\s{0,3})(\d{1,18})(?!\d)"
)
# Numbers no further apart are told as one thing.
_NEAR = 20


def in_order(new: str, old: str) -> str:
    """A new text whose ranges rise where those of the old one do: "§§ 16-57"; those of
    neighbours are as long.

    new (str): A surrogate with other numbers in the same places.
    old (str): The original.
    RETURNS (str): `new`, the ends of ranges perhaps exchanged or moved.
    """
    before, after = list(_RANGE.finditer(old)), list(_RANGE.finditer(new))
    if not before or len(before) != len(after):
        return new
    ranges = iter(before)

    def ordered(match: re.Match[str]) -> str:
        old_range, first, last = next(ranges), match[1], match[3]
        step = int(old_range[3]) - int(old_range[1])
        moved = f"{int(first) + step:0{len(first)}d}"
        width = {len(number) for number in (old_range[1], old_range[3], first, moved)}
        if 0 <= step <= _NEAR and width == {len(last)} and len(last) > 2:
            # "Nos. 1709-1710" are neighbours.
            return first + match[2] + moved
        if step >= 0 and int(first) > int(last):
            return last + match[2] + first
        return match[0]

    return _RANGE.sub(ordered, new)


def listed(text: str) -> tuple[str, ...]:
    """Items of a list written as one text with commas."""
    return tuple(item for part in text.split(",") if (item := " ".join(part.split())))


MONTHS, WEEKDAYS = ENGLISH_MONTHS, ENGLISH_WEEKDAYS
# What codes look like, by their kinds
CODE_FORMS = {row["code"]: re.compile(row["form"]) for row in table("code_forms")}

_ONSETS = listed("b,br,c,cl,d,dr,f,fl,g,gr,h,j,k,l,m,n,p,pr,r,s,st,t,tr,v,w")
_ENDINGS = listed("an,el,en,er,in,is,on,or,um,y")
_SOUNDS = _ONSETS, "aeiouaeo", ("l", "n", "r", "s", "x", ""), _ONSETS, _ENDINGS


def invent_word(rng: random.Random) -> str:
    """A pronounceable word that stands in no list, such as "Tralben"."""
    return "".join(rng.choice(sounds) for sounds in _SOUNDS).capitalize()


class Draws:
    """What has been drawn for one document; refuses what may not be used.

    Key of a draw: the original in its normal form. Two originals never share a
    surrogate; one original may be given the same one again.

    random_for (Callable): Gives the generator of a kind and an entity.
    forbidden (Callable): True for texts that contain an original.
    lang (str): Code of the text's language.
    """

    def __init__(self, random_for: RandomFor, forbidden: Forbidden, lang: str = "en"):
        self.lang = lang
        self.random_for = random_for
        self.forbidden = forbidden
        self.owners: dict[str, str] = {}
        self.word_owners: dict[str, str] = {}
        # What kinds tell one another: e-mail addresses are made from new names,
        # courts stand in new towns, nationalities follow countries.
        self.families: dict[str, str] = {}
        self.name_owners: dict[str, str] = {}
        self.name_map: dict[str, str] = {}
        # Surnames -> first letters of the bearers' given names -> those of the new ones.
        self.bearers: dict[str, dict[str, str]] = {}
        # Gives the new nickname for one of somebody named in full, both folded.
        self.nickname: Callable[[str], str | None] = lambda _: None
        # Initials of persons of whom nothing else is known, and who has which name.
        self.letters: dict[str, str] = {}
        self.rings: dict[str, list[str]] = {}
        self.own_letters: frozenset[str] = frozenset()
        self.persons: dict[str, tuple[object, str]] = {}
        # What stands behind "a" or "an" anywhere in the document: normal forms of
        # mentions, and first words of names.
        self.articles: dict[str, str] = {}
        # Whether a text may follow what `articles` has.
        self.follows: Callable[[str, str], bool] = _follows
        self.places: dict[str, str] = {}
        # Folded names of old towns, and the new ones: telephones and post codes follow.
        self.towns: dict[str, str] = {}
        # First figures of old provinces, and those of the new ones.
        self.figures: dict[str, str] = {}
        self.day_shift = 0
        # Dates as numbers of people have them, "790929", and what they became.
        self.days: dict[str, str] = {}
        # Years that ages and dates of birth move by; None if dates leave that open.
        # Candidates that could not be used.
        self.refused = 0
        self.age_step: int | None = None
        self.ages: tuple[str, ...] = ()
        self.weekdays = False
        self.domains: dict[str, str] = {}
        # Old and new names, whose web sites follow them.
        self.organisations: list[tuple[str, str]] = []
        # Old acronyms of organisations -> those of their new names.
        self.acronyms: dict[str, str] = {}

    def close(self) -> None:
        """Let go of the persons, who hold these draws: what a document has told would
        stay in memory until the garbage collector comes by, which takes its time."""
        self.nickname = lambda _: None
        self.persons.clear()

    def usable(self, text: str, key: str) -> bool:
        """Whether `text` may stand for the original with this key."""
        return self._free(text, normalise(text), key, self.owners)

    def _free(self, text: str, new: str, key: str, owners: dict[str, str]) -> bool:
        """As `usable`; `new` is the normal form of the text."""
        return owners.get(new, key) == key and new != key and not self.forbidden(text)

    def claim(self, text: str, key: str) -> str:
        """Note that `text` stands for this original; returns it."""
        self.owners[normalise(text)] = key
        return text

    def pick(
        self,
        candidates: Iterable[str],
        key: str,
        before: str = "",
        tries: int = MAX_TRIES,
        word: bool = False,
    ) -> str | None:
        """The first usable candidate, better one that fits an article before it.

        candidates (Iterable[str]): In order of preference.
        key (str): Normal form of the original.
        before (str): Text before the mention.
        tries (int): How many to look at.
        word (bool): Whether these are parts of surrogates, which are claimed apart.
        RETURNS (Optional[str]): Claimed for the key; None if none is usable.
        """
        reserve = None
        owners = self.word_owners if word else self.owners
        article = article_before(before) or self.articles.get(key, "")
        for i, text in enumerate(candidates):
            if i >= (tries if self.refused < PATIENCE else 2):
                break
            if not text:
                continue
            self.refused += 1
            new = normalise(text)
            if article and not self.follows(text, article):
                if reserve is None and self._free(text, new, key, owners):
                    reserve = text
                continue
            if self._free(text, new, key, owners):
                owners[new] = key
                self.refused -= 1
                return text
        if reserve is not None:
            owners[normalise(reserve)] = key
        return reserve

    def acronym(self, mention: Mention) -> str | None:
        """Another acronym for one, the same wherever it stands and whatever it has
        been taken for; None if there is none to use.

        mention (Mention): One that `is_acronym`.
        RETURNS (Optional[str]): Claimed for the key.
        """
        key = normalise(mention.text)
        known = self.acronyms.get(mention.text)
        if known is not None and self.usable(known, key):
            return self.claim(known, key)
        rng = self.random_for("acronym", key)
        made = (acronym_like(mention.text, rng) for _ in range(60))
        return self.pick(made, key, mention.before, 60)

    def word(self, made: Iterable[str], kind: str, key: str, tries: int = 60) -> str:
        """The first usable part of a surrogate, an invented word if none is."""
        found = self.pick(made, key, tries=tries, word=True)
        return found or self.invent(kind, key)

    def invent(self, kind: str, key: str, before: str = "", like: str = "") -> str:
        """A last resort that always gives a text: an invented word."""
        rng = self.random_for(kind + "/invented", key)
        words = (match_case(invent_word(rng), like) for _ in range(4 * MAX_TRIES))
        found = self.pick(words, key, before, tries=4 * MAX_TRIES)
        if found is not None:
            return found
        # Nothing pronounceable is left: letters, longer and longer.
        text = ""
        for length in range(6, 30):
            text = "".join(rng.choice("bcdfghjklmnpqrstvwxz") for _ in range(length))
            if self.usable(text, key):
                break
        return self.claim(text, key)
