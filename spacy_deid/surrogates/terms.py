"""New demographic terms: nationalities, occupations, religions, diseases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice

from ..data import word_lists
from ..lang.base import last_word
from ..lang.inflection import Lexeme, Lexicon, in_form, key_of, like_capitals
from ..text.countries import countries, demonym, index
from ..text.names import fold, strip_possessive
from .base import (
    Mention,
    article_before,
    by_longest,
    fits_article,
    in_place_of,
    is_acronym,
    match_case,
    preferred_first,
    shuffled,
    told_by,
    with_articles,
    without_article,
)
from .cases import Case, World, acronym, by_lexicon, by_tables, replace_each
from .frame import NAME, Frame, known, like_adjective
from .geography import Geography
from .numbers import figure_in_name, is_said, other_said
from .predicates import activities, clauses, is_ill, told_otherwise
from .rules import Rule, candidates
from .term_rows import (
    by_ending,
    is_person_word,
    is_relative,
    is_term,
    most_alike,
    plural,
    row_like,
    row_of,
    rows_by_subtype,
    several,
    sex_of,
    spoken_language,
)
from .things import MORE, anything, everyday, is_everyday

# Rows that a word in no list may be of, if nothing else tells what it says.
_KIND_OF_ROW = re.compile(r"term:(?P<kind>OCCUPATION|DISEASE):")
_LISTS = word_lists("lang/en/vague")
# "a president of the students" has its head elsewhere.
_SINGULAR_S = re.compile(r"\b(?:of|in|for|at|with|and)\b|(?:sis|ics|itis|ess)$", re.I)
_DEMONYM_FORM = re.compile(
    r"[A-Z][a-z]{2,}(?:ese|ian|ish|ean|[a-z]an|i)(?:-[A-Z][a-z]+)?"
)
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
# Kept in phrases beside a term that is exchanged.
_PHRASE_FRAME = frozenset(_LISTS["phrase_frame"])
# Who does what, if nothing tells of a subtype: "harmonium repairer".
_AGENT = re.compile(rf"(?:{told_by('agent_ending')})s?$", re.I)
# What a phrase of these subtypes is about stands first.
_HEADED = ("OCCUPATION",)
# Few words, the first with figures, or little with some: "12 weeks", "9R", "yr 2".
_FIGURES = re.compile(r"\d\S*(?: \S+){0,2}|(?=\D*\d).{2,6}")
_FIGURE = re.compile(r"\d+(?:(?:st|nd|rd|th)\b)?")
_PREPOSITION = re.compile(r"\b(?:in|on|at|of|from|with|for|near|by|to|under)\s+$", re.I)
# What tells that a word is about somebody: "she is a", and "my" before a single one.
_OWNERS = told_by("owner")
_SOMEBODY = re.compile(
    rf"(?:{told_by('being')})\s+(?:(?:an?|the|{_OWNERS})\s+)?$", re.I
)
_ABOUT = re.compile(rf"{_SOMEBODY.pattern}|\b(?:{_OWNERS})\s+$", re.I)
_NOUN = re.compile(r"\s+([a-z]{3,})")
# Where a noun of several words says what somebody is or has: "I work as a", "Occupation:".
_NAMES_ONE = re.compile(r"(?:\b(?:an?|as(?: the)?)\s+|[:|\t(]\s*|^|\n\s*)$", re.I)
_BEING = re.compile(rf"(?:{told_by('being')})\s+(?:[a-z]+ly\s+)?$", re.I)
_ADJECTIVE = re.compile(rf"[a-z-]{{3,}}(?:{told_by('adjective_ending')})")

# What follows the name of an illness and belongs to that one alone.
_KIND_OF_ILLNESS = re.compile(
    r"(?i)(?:\s+(?:mellitus|insipid[ua]s?|gestacional))?"
    r"(?:[\s,-]+(?:del?\s+)?(?:tipo|typ|type|typs|grado|grad|типа?)[\s-]*(?:\d|[IVX]+)[ab]?)?$"
)
# Articles and owners, which stay; no letter that tells ("A positive").
_LED = re.compile(
    r"(?:(?:an?|the|[Tt]he|my|[Mm]y|our|your|his|her|its|their)\s+(?=[a-z])"
    r"|(?:A|AN|THE|MY|OUR|YOUR|HIS|HER)\s+(?=[A-Z]{2,}\s+[A-Z]{2}))+"
)
_NATIONAL = frozenset("national nationals citizen citizens resident residents".split())


def siblings_by_rows(
    geography: Geography, term: str, before: str, attempt: int = 0
) -> Iterator[str]:
    """Terms of the English rows that may stand for one, best first."""
    base = strip_possessive(term)
    found, tail = row_of(base), term[len(base) :]
    if found is None:
        yield from (text + tail for text in geography.nationality(base))
        return
    row, many = found
    key = fold(base)
    rng = geography.draws.random_for("term", key)
    others = (t for t in shuffled(row.terms, rng) if fold(t) != key)
    # "Anorexia" had better not stand for "anorexia nervosa".
    items = preferred_first(others, lambda t: key not in fold(t) and fold(t) not in key)
    items = preferred_first(items, lambda t: sex_of(t) == sex_of(key))
    if article_before(before):
        items = preferred_first(items, lambda t: fits_article(t, before))
    for item in islice(items, attempt, None):
        text = several(item) if many else item
        if not many or fold(text) != key:
            yield cased(text, base) + tail


def phrase_by_rows(geography: Geography, text: str, attempt: int) -> str | None:
    """A phrase with every known term in it exchanged; None if others remain."""
    size = len(_WORD.findall(text))
    if size > 14:
        return None
    changed = 0
    left = size

    def make(start: int, end: int) -> str | None:
        nonlocal changed, left
        part = text[start:end]
        words = len(_WORD.findall(part))
        new: str | None = part
        if words > 1 or size == 1 or part.lower() not in _PHRASE_FRAME:
            following = _WORD.search(text, end)
            word = following.group().lower() if following else ""
            new = _in_phrase(geography, part, text[:start], word, attempt)
            changed += new is not None
        left -= words if new is not None else 0
        return new

    new = by_longest(text, _WORD, make)
    return with_articles(new) if changed and not left else None


def _in_phrase(
    geography: Geography, part: str, before: str, following: str, attempt: int
) -> str | None:
    """One term of a phrase exchanged: a place, people, or one of a row; a word of its
    own may also be a person's name."""
    ix = index()
    name = strip_possessive(part)
    key = fold(name) if part[:1].isupper() else ""
    if key and (key in ix.by_name or key in ix.by_city or key in ix.by_region):
        if key in ix.by_name and following in _NATIONAL:
            return geography.adjective_for(name)
        return geography.name_for(name)
    place, dash, rest = part.rpartition("-")
    if rest.lower() in ("based", "born") and place and not demonym(place):
        return geography.name_for(place) + dash + rest
    if place and all(demonym(p) or p == "born" for p in part.split("-")):
        # "Turkish-born", "Polish-American"
        people = (next(geography.nationality(p), p) for p in part.split("-"))
        return "-".join(people)
    new = next(siblings_by_rows(geography, part, before, attempt), None)
    known = geography.draws.name_map.get(key)
    if new is None and known is not None and len(_WORD.findall(part)) == 1:
        new = match_case(known.capitalize(), part)
    return new


def cased(new: str, old: str) -> str:
    """Case of the old term; a term in Title Case gets one, too."""
    if old[:1].isupper() and not old.isupper() and new[:1].islower():
        if " " in old and all(w[:1].isupper() or len(w) < 4 for w in old.split()):
            return " ".join(
                w[:1].upper() + w[1:] if len(w) > 2 else w for w in new.split(" ")
            )
        return new[:1].upper() + new[1:]
    if old.islower():
        # Names keep their capitals ("Parkinson's disease").
        return new
    return match_case(new, old)


class TermCase(Case):
    """A mention of a term, and what the rules for it share."""

    @cached_property
    def last(self) -> str:
        """What several words say something of, "" for one: "judge" in "a judge at fairs"."""
        words = MORE.split(self.text, 1)[0].split()
        return words[-1] if words and " " in self.text else ""

    @cached_property
    def many(self) -> bool:
        """Whether it looks like a plural."""
        text = self.text
        return (
            len(text) > 3
            and re.search(r"[^su]s\.?$", text) is not None
            and len(text.split()) < 4
            and not _SINGULAR_S.search(text)
        )

    def of_row(self, terms: Sequence[str]) -> Iterator[str]:
        """Terms of a row in the number of this one, those that fit the same people first:
        no "needlewoman" for a "washer operator"."""
        sex = sex_of(self.text)
        drawn = shuffled(terms, self.rng)
        for item in preferred_first(drawn, lambda x: sex_of(x) in ("", sex)):
            yield cased(several(item) if self.many else item, self.text)


def sentence_case(phrase: str, old: str) -> str:
    """A phrase that keeps its own capitals, with one more at the start if the old text
    has one."""
    if old.isupper() and len(old) > 3:
        return phrase.upper()
    return phrase[:1].upper() + phrase[1:] if old[:1].isupper() else phrase


def _without_capitals(case: TermCase) -> str:
    """A phrase in small letters, "NO SABE ESCRIBIR": capitals tell no names; "" for others."""
    text, small = case.text.lower(), case.small_words
    if case.pack.capital_nouns:
        text = NAME.sub(lambda m: m[0] if m[0] in small else m[0].title(), text)
    return text if case.last and case.text.isupper() and not text.isupper() else ""


def replace_terms(mentions: Sequence[Mention], world: World) -> list[str]:
    """New demographic terms for a document.

    mentions (Sequence[Mention]): Mentions of nationality, occupation and so on.
    world (World): The document's countries.
    RETURNS (list[str]): One text a mention.
    """

    by_rows = isinstance(world, Geography)

    def make(mention: Mention) -> str:
        led = _LED.match(mention.text) if by_rows else None
        if led:
            text, before = mention.text[led.end() :], mention.before + led[0]
            mention = mention._replace(text=text, before=before)
        case = TermCase(mention, world, "term-draw")
        if text := "" if by_rows else _without_capitals(case):
            return make(mention._replace(text=text)).upper()
        short = len(mention.text) <= 120
        found = case.pick(candidates(_RULES, case), 60) if short else None
        found = found or case.pick(candidates(_VAGUE, case), 60)
        found = found or case.last_resort("term")
        return with_articles(led[0] + found) if led else found

    # The text for all mentions of a term is drawn where an article asks for its sound.
    out = replace_each(mentions, world, make, lambda m: not article_before(m.before))
    for i, mention in enumerate(mentions):
        if by_rows and not fits_article(out[i], mention.before):
            out[i] = make(mention)
    return out


def _is_language(case: TermCase) -> bool:
    mention = case.mention
    if mention.subtype in ("", "ETHNICITY", "NATIONALITY"):
        # Annotators have no other type for what is spoken.
        return spoken_language(mention)
    return mention.subtype == "LANGUAGE"


def _languages(case: TermCase) -> Iterator[str]:
    rows = rows_by_subtype()["LANGUAGE"]
    # Of the same part of the world, else of any.
    own = (row for row in rows if case.text.lower() in map(str.lower, row.terms))
    for item in chain(*(shuffled(row.terms, case.rng) for row in (*own, rows[-1]))):
        if item.lower() != case.text.lower():
            yield match_case(item, case.text)


def siblings(case: TermCase, text: str) -> Iterator[str]:
    """Terms of the same row, or of the country that stands for a text's own; those that
    may stand before the next word where a list tells: nobody is "widowed to" anybody."""
    if isinstance(case.world, Frame):
        return known(case.mention._replace(text=text), text, case.world)
    made = siblings_by_rows(case.world, text, case.before)
    following = _WORD.search(case.mention.after)
    fit = _LISTS.get(f"before {following[0].lower()}", ()) if following else ()
    return (x for x in made if text.lower() not in fit or x.lower() in fit)


def _sex(case: TermCase) -> Iterator[str]:
    """Another letter for a sex."""
    other: dict[str, str] = case.pack.words.get("sexes", {"M": "F", "F": "M"})
    yield match_case(other.get(case.text[0].upper(), "X"), case.text[0]) + case.text[1:]


def _dotted(case: TermCase) -> Iterator[str]:
    """Others of the row of letters that have points here, with points."""
    points = re.fullmatch(r"(?:[A-Za-z]{1,4}\.){2,4}", case.text)
    found = row_of(case.text.replace(".", "")) if points else None
    for item in shuffled(found[0].terms, case.rng) if found else ():
        if item.isalpha() and len(item) < 7:
            yield re.sub(r"([A-Z][a-z]*)", r"\1.", item)


def _illness(case: TermCase) -> Iterator[str]:
    """No other illness is one "mellitus" or of that type."""
    bare = _KIND_OF_ILLNESS.sub("", case.text)
    if bare and bare != case.text:
        yield from siblings(case, bare)


def _short_illness(case: TermCase) -> Iterator[str]:
    if case.mention.subtype == "DISEASE":
        yield from shuffled(_LISTS["ailments_short"], case.rng)


def _by_first_word(case: TermCase) -> Iterator[str]:
    """For a phrase in no row, another of a row that holds its first word: what says more
    of it goes ("médico rural", "fractura de cadera", "vendía hielo")."""
    head, own = _first_of(case.text), f"term:{case.mention.subtype}"
    lexicon = case.pack.lexicon()
    for word, keys in _by_first_words(lexicon).get(head, ()):
        if word.row.startswith(own):
            others = [x for x in lexicon.rows[word.row] if x is not word]
            drawn = shuffled(others, case.rng)
            best = sorted(drawn, key=lambda x: _first_of(x.name) != head)
            yield from in_form(best, keys, case.text)


@lru_cache(maxsize=8)
def _by_first_words(lexicon: Lexicon) -> dict[str, list[tuple[Lexeme, list[str]]]]:
    """Terms by the first word of their forms, with the keys of these forms."""
    found: dict[str, dict[int, tuple[Lexeme, list[str]]]] = {}
    for row, words in lexicon.rows.items():
        for word in words if row.startswith("term:") else ():
            for key, form in word.forms.items():
                same = found.setdefault(_first_of(form), {})
                same.setdefault(id(word), (word, []))[1].append(key)
    return {head: list(same.values()) for head, same in found.items()}


@lru_cache(maxsize=8)
def _rows_by_ending(lexicon: Lexicon) -> dict[str, str]:
    """Rows of terms by the endings of single words' forms."""
    return by_ending(
        (key_of(form), row)
        for row, words in lexicon.rows.items()
        if _KIND_OF_ROW.match(row)
        for word in words
        for form in word.forms.values()
        if " " not in form
    )


def _first_of(text: str) -> str:
    return key_of(text).partition(" ")[0]


def _phrases(case: TermCase) -> Iterator[str]:
    if isinstance(case.world, Frame):
        yield phrase_abroad(case)
        return
    for attempt in range(4):
        yield phrase_by_rows(case.world, case.text, attempt) or ""


def phrase_abroad(case: Case) -> str:
    """A phrase with every known term in it exchanged; "" if there is none, or a noun that
    might be a name is left."""
    text, frame = case.text, case.frame
    nouns: list[str] = []

    def make(start: int, end: int) -> str | None:
        part = text[start:end]
        mention = Mention(part, "DEM", "", 0, case.before + text[:start], text[end:])
        # "als" is no "ALS".
        small = part in case.small_words
        new = None if small else next(known(mention, part, frame), None)
        if new is None and not (start or small) and case.mention.subtype in _HEADED:
            # "esclusera jubilada": what tells most must not stay.
            nouns.extend([part] * bool(frame.pack.noun_keys(part, case.before)))
        told = not start or frame.pack.is_kind(part)
        if new is None and part[:1].isupper() and not told:
            if frame.pack.capital_nouns:
                nouns.append(part)
            else:
                new = next(frame.unknown(part, mention.before), None)
        return new

    made = by_longest(text, NAME, make, most=1)
    return made if made != text and max(map(len, nouns), default=0) < 3 else ""


def _is_unknown_nationality(case: TermCase) -> bool:
    asked = case.mention.subtype in ("", "NATIONALITY", "ETHNICITY")
    inflects = isinstance(case.world, Frame)
    return asked and (inflects or _DEMONYM_FORM.fullmatch(case.text) is not None)


def _nationalities(case: TermCase) -> Iterator[str]:
    if isinstance(case.world, Frame):
        yield from like_adjective(case.text, case.mention, case.world, case.rng)
        return
    for country in shuffled(countries(), case.rng):
        if country.name not in case.geography.used:
            yield match_case(country.adjective, case.text)


def _head(case: TermCase) -> Iterator[str]:
    """What may stand for the head of a phrase."""
    found = row_of(case.last) if case.last else None
    kinds = (case.mention.subtype or "OCCUPATION", "FAMILY")
    if found and (len(case.text.split()) < 4 or found[0].subtype in kinds):
        for item in siblings_by_rows(case.geography, case.last, case.before):
            yield sentence_case(item, case.text)


def _alike(case: TermCase) -> Iterator[str]:
    named = not _tells_by_things(case)
    head = MORE.split(case.text, 1)[0]
    agent = "OCCUPATION" if _AGENT.search(head) else ""
    row = row_like(head, case.mention.subtype or agent) if named else None
    return case.of_row(row.terms if row is not None else ())


def _head_of(case: TermCase) -> tuple[str, Sequence[str]]:
    """The noun that a phrase is about, behind adjectives or before all else, and the keys
    of its form; a single adjective where no noun follows: "глухой на одно ухо"."""
    pack, (first, *more) = case.pack, case.text.split(" ")
    head, keys = first, pack.noun_keys(first, case.before)
    while more and not keys and not pack.kind_first and pack.adjectives(head):
        head = more.pop(0)
        keys = pack.noun_keys(head, case.before)
    return (head, keys) if keys else (first, pack.adjectives(first))


def _heads_of(case: TermCase) -> Iterator[str]:
    """What a phrase may be about: the ends of its words where nouns make one word, else
    the noun that all else says more of, or what that begins with."""
    if case.pack.joins_nouns:
        words = NAME.findall(case.text)
        # "depressive Episode" is not about its adjective.
        nouns = [word for word in words if word[:1].isupper()] or words
        for word in nouns if case.pack.capital_nouns else words:
            ends = (word[i:] for i in range(len(word) - 3))
            yield from (like_capitals(end, word) for end in ends)
        return
    head, keys = _head_of(case)
    # "Машинист-пенсионер" is of the row of his first word.
    yield from (head, head.partition("-")[0]) if keys else ()


def by_head(case: TermCase, subtype: str) -> Iterator[str]:
    """For a phrase in no row, a term of the row of its head: what else it says tells, too,
    and fits no other ("дирижёр духового оркестра", "Waggonlackierer")."""
    if case.pack.kind_first:
        return _by_first_word(case)
    own = (f"term:{subtype}:",)
    head = next((x for x in _heads_of(case) if case.frame.find(x, own)), "")
    return siblings(case, head) if head else iter(())


def _doings(case: TermCase) -> Iterator[str]:
    """Another doing in the form of the verb, "печёт хлеб" for "теорию узлов читает", or
    another phrase behind the small word that one begins with: "на почте"."""
    own, rows = f"term:{case.mention.subtype or 'FAMILY'}:", case.pack.lexicon().rows
    keys = case.pack.verb_keys(case.text)
    words = [x for row in rows if row.startswith(own) for x in rows[row]]
    yield from in_form(shuffled(words, case.rng), keys, case.text)
    if not keys and _first_of(case.text) in case.small_words:
        yield from _by_first_word(case)


def _tells_by_doing(case: TermCase) -> bool:
    return " " in case.text and not case.pack.kind_first


def _is_no_age(case: TermCase) -> bool:
    """Another stage of life might contradict an age that stands beside it."""
    return case.mention.subtype != "AGE"


def _nouns(case: TermCase) -> Iterator[str]:
    """Any word of the subtype in the form of a noun in no list, or of the one that a
    phrase is about: "afilador ambulante"."""
    head, keys = _head_of(case)
    lexicon = case.pack.lexicon()
    rows, like = lexicon.rows, most_alike(_rows_by_ending(lexicon), key_of(head)) or ""
    told = _KIND_OF_ROW.match(like) if not case.mention.subtype else None
    subtype = told["kind"] if told else case.mention.subtype or "OCCUPATION"
    adjective = bool(case.pack.adjectives(head))
    own = list(shuffled([r for r in rows if f":{subtype}:" in r], case.rng))

    def fits(new: str) -> bool:
        return case.pack.prefers(new, case.before)

    def unlike(row: str) -> tuple[bool, bool]:
        shape = case.pack.noun_keys(rows[row][0].name, case.before)
        return row != like, shape != keys

    # The row of the term that ends most alike comes first: "hepatitis" for "colangitis".
    for row in sorted(own, key=unlike):
        # No noun stands for "лежачий".
        if keys and bool(case.pack.adjectives(rows[row][0].name)) == adjective:
            yield from in_form(shuffled(rows[row], case.rng), keys, case.text, fits)


_RULES: tuple[Rule[TermCase], ...] = (
    by_tables("another language", _languages, _is_language),
    by_tables(
        "what somebody does",
        activities,
        # "has broken ribs"
        lambda case: not (is_ill(case) and row_of(case.text)),
    ),
    by_lexicon(
        "what else is told in a clause",
        clauses,
        # "vende pan" goes by its head first.
        lambda c: not (c.pack.kind_first and c.mention.subtype == "OCCUPATION"),
    ),
    Rule(
        "another number in words",
        lambda case: other_said(case.text, case.draws.lang, case.rng),
        lambda case: is_said(case.text, case.draws.lang),
    ),
    Rule("a term of the same row", lambda case: siblings(case, case.text)),
    Rule("another sex", _sex, lambda c: bool(re.fullmatch(r"(?i)[MHFVW]\.?", c.text))),
    by_lexicon("another illness", _illness),
    by_tables("letters with points: 'D.V.M.'", _dotted),
    by_tables(
        "another illness that is told by its capitals",
        _short_illness,
        lambda case: case.text.isupper() and case.text.isalpha() and len(case.text) < 6,
    ),
    Rule("other capitals", acronym, lambda case: is_acronym(case.mention)),
    by_lexicon(
        "a term for a phrase by its head",
        lambda case: by_head(case, case.mention.subtype),
        lambda case: bool(case.mention.subtype),
    ),
    by_lexicon("what somebody does, told in a clause", clauses),
    by_lexicon("what somebody does, or is at", _doings, _tells_by_doing),
    Rule("each term of a phrase exchanged", _phrases),
    Rule("a nationality for one in no list", _nationalities, _is_unknown_nationality),
    by_lexicon("any noun of the subtype", _nouns, _is_no_age),
    # What says more of it goes: "non-churchgoing Anglican".
    by_tables("the row of the head: 'ballet dancers'", _head),
    by_tables(
        "the row of what ends alike: 'bryologist'",
        _alike,
        lambda case: bool(case.mention.subtype),
    ),
)


def _tells_by_things(case: TermCase) -> bool:
    """Whether a phrase says what somebody is without naming it: "tiny drawers with Latin"."""
    text, subtype = case.text, case.mention.subtype
    if case.mention.label == "PERSON" or _is_said_age(case):
        return False
    thing = is_everyday(text) and subtype in ("", "AGE")
    named = is_ill(case) or is_term(text) or _names_somebody(case)
    long = len(text.split()) > 2 or thing
    tells = long or not (_is_about_somebody(case) or _is_adjective(case))
    return text.islower() and tells and (thing or not named)


def _is_said_age(case: TermCase) -> bool:
    """Whether an age is told of somebody as an adjective is: "as old as the bridge"."""
    told = _BEING.search(case.mention.before)
    return case.mention.subtype == "AGE" and told is not None


def _names_somebody(case: TermCase) -> bool:
    """Whether a phrase is the name of what somebody is, by its head or by where it stands."""
    text, mention = case.last or case.text, case.mention
    found = row_of(text)
    if is_person_word(text) or _AGENT.fullmatch(text):
        return True
    if found is not None and found[0].subtype == mention.subtype:
        return True
    apart = mention.before.endswith(", ") and mention.after[:1] in (",", "\n", ".")
    stands = apart or _NAMES_ONE.search(mention.before) is not None
    return stands and mention.subtype not in ("", "AGE")


def _any_row(case: TermCase) -> Iterator[str]:
    if isinstance(case.world, Frame):
        lexicon, prefers = case.pack.lexicon(), case.pack.prefers
        own = f"term:{case.mention.subtype or '-'}:"
        like = most_alike(_rows_by_ending(lexicon), key_of(case.text))
        named = [row for row in lexicon.rows if row.startswith(own)]
        rows = sorted(named, key=lambda row: row != like)
        drawn = (x.name for r in rows for x in shuffled(lexicon.rows[r], case.rng))
        # "ein Herzfehler", "eine Grippe"
        for name in preferred_first(drawn, lambda x: prefers(x, case.before)):
            yield like_capitals(name, case.text)
        return
    found = rows_by_subtype().get(case.mention.subtype, ())
    pools = [row.terms for row in found if len(row.terms) > 5]
    if case.mention.subtype == "DISEASE":
        # Any that all may have, behind "a" one that is counted.
        one = article_before(case.mention.before)
        pools = [tuple(_LISTS["ailments_one" if one else "ailments"])]
    for terms in pools:
        yield from case.of_row(terms)


def _other_figures(case: TermCase) -> Iterator[str]:
    for _ in range(20):
        yield _FIGURE.sub(lambda m: figure_in_name(m.group(), case.rng), case.text)


def _pool(case: TermCase) -> str:
    """The list of `vague.tsv` that a term's attributes are drawn from."""
    text = case.text
    if _is_said_age(case):
        return "age_vague"
    if case.mention.subtype == "AGE" or case.mention.label == "PERSON":
        return "person_vague"
    if is_ill(case):
        if re.search(r"(?:problem|condition|issue|injurie|wound|disorder)s$", text):
            return "complaints"
        # Bare like most names of illnesses ("of pneumonia and type 1 diabetes").
        return "ailments" if len(text) < 40 else "health_vague"
    if " " in text.strip() and text[:1].islower() and len(text.split()) > 3:
        return "dem_vague"
    if _is_adjective(case):
        return "adjectives"
    # Nobody is "born in a farmer", or sits on one.
    return "person_vague" if _is_about_somebody(case) else "things"


def _is_adjective(case: TermCase) -> bool:
    """Whether a word has the ending of an adjective, and stands like one, or stands
    before a relative: "my late wife"."""
    following = _NOUN.match(case.mention.after)
    if following and is_relative(following[1]):
        return " " not in case.text
    alone = article_before(case.mention.before) and not following
    return _ADJECTIVE.fullmatch(case.text) is not None and not alone


def _is_about_somebody(case: TermCase) -> bool:
    """Whether a word in no list says what somebody is, or whose it is."""
    mention = case.mention
    if mention.subtype or mention.label == "PERSON" or _AGENT.search(case.text):
        return True
    if case.many and is_person_word(MORE.split(case.text, 1)[0].split()[-1]):
        return True
    *owner, what = re.split(r"(?<=\w )", case.text, maxsplit=1)
    told = _SOMEBODY if " " in what else _ABOUT
    return told.search(mention.before + "".join(owner)) is not None


def _vaguely(case: TermCase) -> Iterator[str]:
    if isinstance(case.world, Frame):
        small = case.small_words
        # "de situación parecida" is no noun that "de" could stand before.
        behind = last_word(f"{case.before} ") in small
        people = case.pack.people
        nouns = [x for x in people if not (behind and x.split()[0] in small)]
        for phrase in shuffled(nouns, case.rng):
            yield in_place_of(phrase, case.mention)
        return
    name = _pool(case)
    again = ("in ", "of ") if _PREPOSITION.search(case.mention.before) else ()
    fitting = [item for item in _LISTS[name] if not item.startswith(again)]
    for item in shuffled(fitting, case.rng):
        item = without_article(item, case.before)
        item = plural(item) if case.many and name == "person_vague" else item
        yield in_place_of(item, case.mention)


_VAGUE: tuple[Rule[TermCase], ...] = (
    by_tables("other circumstances, events or feats", told_otherwise),
    by_tables(
        "who does something else: 'harmonium repairer'",
        _alike,
        # "lung cancer"
        lambda case: not is_ill(case),
    ),
    Rule(
        "other figures",
        _other_figures,
        lambda case: _FIGURES.fullmatch(case.text) is not None,
    ),
    by_tables(
        "an everyday thing of the kind of one, or any",
        lambda case: chain(everyday(case, case.text), anything(case, case.text)),
        _tells_by_things,
    ),
    Rule("any term of the subtype", _any_row, _is_no_age),
    Rule("something vague", _vaguely),
)
