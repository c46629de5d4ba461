"""What is told in a sentence of its own: what somebody does ("repairs the lift at the
bank"), and phrases of which hardly a word would change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..data import facts, table, word_lists
from ..gazetteers.lexicon import is_vocabulary
from ..text.case import like_first
from ..text.words import function_words
from .base import in_place_of, is_named, shuffled
from .cases import Case
from .term_rows import is_illness, is_person_word, is_relative, singulars

_WORDS = {k: frozenset(v.split()) for k, v in facts("lang/en/predicates").items()}
# What a verb is about, by itself or by the subtype.
_BY_VERB = ("death", "family")
_ABOUT = {"FAMILY": "family", "OCCUPATION": "work"}
# What each form may stand behind.
_SUBJECTS = {
    "past": "subjects", "gerund": "be", "third": "singular", "participle": "have",
}  # fmt: skip
_NEGATED = _WORDS["negated"] | _WORDS["negated_past"]
_NO_SUBJECTS = function_words("en") - _WORDS["singular"] - _WORDS["joined"]
_NOT_BARE = _WORDS["circumstances"] | _WORDS["be"] | _WORDS["have"]
_OBJECTS = _WORDS["objects"] | _WORDS["articles"]
_ADVERBIALS = _WORDS["objects"] | _WORDS["determiners"]
_LISTS = word_lists("lang/en/vague")
_FRAME = frozenset(_LISTS["phrase_frame"])
_LAST_WORD = re.compile(
    rf"([^\W\d_][\w'’]*)(,?)(?:\s+(?:{'|'.join(_WORDS['adverbs'])}))*\s*$"
)
_THE = re.compile(r"\b(?:the|an?)\s+$", re.I)
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
# Words that a surrogate may have in common with a phrase.
_MOST_SHARED = 2


def verb_form(text: str, before: str = "", after: str = "", job: bool = False) -> str:
    """The form of the verb that a text begins with.

    text (str): "repairs the lift", "made the eyes".
    before (str): What stands before it: a verb is told by its subject, too; a name and
        a comma may be one ("her father, Cem, cut coal").
    after (str): What stands behind it: by its object, too ("fished" and "it").
    job (bool): Whether it tells an occupation: if not as a noun, it needs no subject.
    RETURNS (str): "base", "third", "past", "participle" or "gerund"; "" for what is no
        predicate.
    """
    first, *_ = words = _in_small_letters(text, before, job)
    last, named = _subject(before)
    if first in _NEGATED:
        bare = "third" if last in _WORDS["joined"] | _WORDS["singular"] else "base"
        return "past" if first in _WORDS["negated_past"] else bare
    if not (first.isalpha() and first.islower()):
        return ""
    form = _form(first)
    if form == "past" and last in _WORDS["have"]:
        form = "participle"
    subject = form and last in _WORDS[_SUBJECTS[form]]
    if form and (subject or _is_told(words, form, last, named, after, job)):
        return form if _may_stand(form, words, last) else ""
    return "base" if _is_bare(first, form, last) else ""


def _is_told(
    words: list[str], form: str, last: str, named: bool, after: str, job: bool
) -> bool:
    """Whether more than a subject's pronoun tells a verb: its object, an occupation, a
    relative or a name before it."""
    if _is_object(words, after):
        return True
    if (job or last in _WORDS["joined"]) and _is_job(words, form, last):
        return True
    finite = form in ("third", "past") and _goes_on(words, after)
    finite = finite and not _names_anybody(words)
    by_name = named and (words[0] in _WORDS["past"] or (job and finite))
    return by_name or (finite and is_relative(last))


def _may_stand(form: str, words: list[str], last: str) -> bool:
    """Whether a verb may have a form behind a word: "divorced" behind "is" has none, and
    "has stones in the kidney" no other verb."""
    if form == "third":
        return last not in _NO_SUBJECTS
    passive = last in _WORDS["be"] or (words[0] in _WORDS["be"] and _is_done(words[1:]))
    return form not in ("past", "participle") or not passive


def _in_small_letters(text: str, before: str, job: bool) -> list[str]:
    """Words of a text, a verb that begins a sentence in small letters, too."""
    rest = text.partition(" ")[2]
    verb = not text[1:2].isupper() and (job or rest.split(" ")[0] in _WORDS["articles"])
    begins = verb and (before[-1:] == "\n" or _LAST_WORD.search(before) is None)
    small = text.lower() if text.isupper() else text[: int(begins)].lower()
    return (small + text[len(small) :]).replace("’", "'").split(" ")


def _is_job(words: list[str], form: str, last: str) -> bool:
    """Whether a verb tells an occupation by itself: "and makes wigs" names nobody, as "and
    retired postmen" would."""
    free = form in ("third", "past") and (not last or last in _WORDS["joined"])
    several = len(words) > 1 and words[1][:1].isalpha()
    return free and several and not _names_anybody(words)


def _names_anybody(words: list[str]) -> bool:
    """Whether some words are no predicate but a noun for somebody: "retired postmen"."""
    return words[0] in _FRAME or any(map(is_person_word, words))


def _is_bare(first: str, form: str, last: str) -> bool:
    """Whether a word is the bare form of a verb, by what stands before it."""
    other = form in ("third", "participle") or first in _NOT_BARE
    return last in _WORDS["plain"] and not other and is_vocabulary(first, "en")


def _subject(before: str) -> tuple[str, bool]:
    """The word before a verb, in lower case and "" behind a comma, and whether it is a
    name: "saw" and "cut" are verbs behind one."""
    match = _LAST_WORD.search(before)
    last, comma = match.groups() if match else ("", "")
    return "" if comma else last.lower().replace("’", "'"), last[:1].isupper()


def _goes_on(words: list[str], after: str) -> bool:
    """Whether more follows a verb: "baked" and "for the hospital"."""
    return len(words) > 1 or _next_word(after) in _WORDS["determiners"]


def _next_word(after: str) -> str:
    """The word behind a text, in lower case; "" if a sign is there."""
    found = re.match(r" ([\w'’]+)", after)
    return found[1].lower() if found else ""


def _is_done(words: list[str]) -> bool:
    """Whether a participle begins some words: "killed at Arnhem"."""
    return bool(words) and _form(words[0]) in ("past", "participle")


def _is_object(words: list[str], after: str) -> bool:
    """Whether an object or an adverbial follows the first of a predicate's words."""
    if len(words) > 1:
        return words[1] in _ADVERBIALS
    return _next_word(after) in _OBJECTS


def _form(word: str) -> str:
    """The form that a word has if it is a verb; "" if it may be the bare one."""
    if word in _WORDS["participle"]:
        return "participle"
    # "seaweed" is no verb.
    stems = {word[:-2], word[:-1], word[:-3], word.removesuffix("ied") + "y"}
    regular = word.endswith("ed") and len(word) > 4 and any(map(is_vocabulary, stems))
    if word in _WORDS["past"] or regular:
        return "past"
    if word.endswith("ing") and len(word) > 5:
        return "gerund"
    several = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    if several and any(is_vocabulary(bare, "en") for bare in singulars(word)):
        return "third"
    return ""


def activities(case: Case) -> Iterator[str]:
    """Other things that people do, in the form of the verb; who does them, and an adverb,
    stay: "I light the lamp" becomes "I drive a bus"."""
    words = case.text.split(" ")
    low = [word.lower() for word in words]
    # "one who read out the time"
    who = low[:4].index("who") + 1 if "who" in low[:4] else low[0] in _WORDS["subjects"]
    n = who + ([*low, ""][who] in _WORDS["adverbs"])
    text, job = " ".join(words[n:]), case.mention.subtype == "OCCUPATION"
    before = " ".join((case.before, *words[:who]))
    form = verb_form(text, before, case.mention.after, job)
    about = _ABOUT.get(case.mention.subtype, "health" if is_ill(case) else "work")
    about = next((k for k in _BY_VERB if text.partition(" ")[0] in _WORDS[k]), about)
    rows = [row for row in table("lang/en/activities") if row["about"] == about]
    for row in shuffled(rows, case.rng) if form else ():
        new = like_first(f"{row[form]} {row['rest']}", text)
        yield " ".join((*words[:n], new))


def clauses(case: Case) -> Iterator[str]:
    """What else somebody does or has, for a clause in a language with patterns of them:
    the same person and tense of another verb ("baut er Boote", "Boote gebaut")."""
    pack, text = case.pack, case.text
    around = case.before + case.mention.after
    capitals = text != text.lower() or any(map(str.isupper, around))
    known = case.frame.find(text.partition(" ")[0], ("term:", "city", "country"))
    if known or not (capitals or " " in text):
        return
    for before, form, template in pack.words.get("clauses", ()):
        told = re.search(before, case.before) and re.fullmatch(form, text)
        if told:
            rows = pack.rows("activities")
            own = [r for r in rows if r["subtype"] == case.mention.subtype]
            for row in shuffled(own, case.rng):
                new = template.format_map({**row, **told.groupdict()}).strip()
                yield new if capitals else new.lower()
            return


def passives(case: Case) -> Iterator[str]:
    """What else befell somebody, for "arrested with a ladle" behind a form of "be"."""
    first, _, rest = case.text.partition(" ")
    be, text = (first + " ", rest) if first in _WORDS["be"] else ("", case.text)
    told = _is_done(text.split(" "))
    pool = "deaths" if text.partition(" ")[0] in _WORDS["killed"] else "passives"
    for item in shuffled(_LISTS[pool], case.rng) if told else ():
        if is_said_of(case.before + be):
            yield be + in_place_of(item, case.mention)


def feats(case: Case) -> Iterator[str]:
    """What else somebody was the first or the only one to do or be."""
    words = case.text.lower().split(" ")
    first = words[0] in _WORDS["firsts"] or words[:2] == ["one", "of"]
    # "has the last herd of goats"
    behind = _subject(_THE.sub("", case.before))[0]
    told = first and behind not in _WORDS["circumstances"] | _WORDS["have"]
    # Titles have more capitals: "Last Tango in Paris".
    if told and len(words) > 2 and not is_named(case.text):
        for item in shuffled(_LISTS["feats"], case.rng):
            yield in_place_of(item, case.mention)


def is_ill(case: Case) -> bool:
    """Whether a term says anything of somebody's health; who "stands by the heart-lung
    machine" works there."""
    subtype = case.mention.subtype
    return subtype == "DISEASE" or (subtype != "OCCUPATION" and is_illness(case.text))


def is_said_of(before: str) -> bool:
    """Whether a form of "be" stands before."""
    return _subject(before)[0] in _WORDS["be"]


def circumstances(case: Case) -> Iterator[str]:
    """Other circumstances for those that a phrase tells: "in a canoe", "since the fit"."""
    told = case.text.partition(" ")[0].lower() in _WORDS["circumstances"]
    # Titles have more capitals: "Until I Find You".
    if told and not is_named(case.text.partition(" ")[2]):
        for item in shuffled(_LISTS["circumstances"], case.rng):
            yield in_place_of(item, case.mention)


def told_otherwise(case: Case) -> Iterator[str]:
    """Other circumstances, what else befell somebody, or another feat."""
    yield from chain(circumstances(case), passives(case), feats(case))


def says_as_much(new: str, old: str) -> bool:
    """Whether a new phrase has most of the words of the old one."""
    words = _told(old)
    shared = words & _told(new)
    return len(shared) > _MOST_SHARED and 2 * len(shared) >= len(words)


def _told(text: str) -> set[str]:
    return {word.lower() for word in _LONG_WORD.findall(text)} - _FRAME


def vaguely(case: Case) -> Iterator[str]:
    """What may stand for a phrase that has no surrogate of its kind."""
    yield from activities(case)
    pool = {"DEM": "dem_vague", "PERSON": "persons"}.get(case.mention.label, "phrases")
    for item in shuffled(_LISTS[pool], case.rng):
        yield in_place_of(item, case.mention)
