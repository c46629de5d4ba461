"""Forms of Russian words, by pymorphy3 (extra `russian`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...data import facts
from ...schema import StrategyError
from ..inflection import Lexeme, key_of, pattern

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse

CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
GRAMMAR = facts("lang/ru/grammar")
_GOVERNED: dict[str, tuple[str, ...]] = {
    word: tuple(cases)
    for words, cases in GRAMMAR["governed"].items()
    for word in words.split()
}
_LATIN_KEYS = [(re.compile(pattern), new) for pattern, new in GRAMMAR["latin"]]
HARD = re.compile("[бвгджзклмнпрстфхцчшщ]$")
# Of fewer words with one pattern the new one could be guessed.
_LEAST_ALIKE = 4
# Short and long preposition, and what follows the long one.
_LONGER = GRAMMAR["longer"]
# "Гран-при" is no preposition.
_PREPOSITION = re.compile(r"(?<![\w-])([^\W\d_]+)\s+$")


def latin_key(word: str) -> str:
    """One key for the spellings of a Russian name in Latin letters.

    word (str): "khoroshevskaya", "horoshevskaja"; folded.
    RETURNS (str): Equal for both.
    """
    for pattern_, new in _LATIN_KEYS:
        word = pattern_.sub(new, word)
    return word


@lru_cache(maxsize=1)
def morphology() -> MorphAnalyzer:
    """The analyser, made once a process.

    RETURNS (MorphAnalyzer): Of pymorphy3, with its Russian dictionaries.
    RAISES (StrategyError): If pymorphy3 is not installed: names left without endings
        would not be believed, and a text half done would be worse than none.
    """
    try:
        import pymorphy3

        return pymorphy3.MorphAnalyzer(lang="ru")
    except (ImportError, ValueError):
        # ValueError: the package is there, its dictionaries are not.
        raise StrategyError(
            "surrogates in Russian need pymorphy3 and its dictionaries: install "
            "spacy-deid[russian], or choose another strategy"
        ) from None


@lru_cache(maxsize=4096)
def parses(word: str) -> tuple[Parse, ...]:
    """What the dictionary takes a word for, the likeliest first. Names come again and
    again in a text, and parsing takes longer than all else about them.

    word (str): A word in small letters.
    RETURNS (tuple[Parse, ...]): Of pymorphy3; empty for words that it cannot read.
    """
    analyzer = morphology()
    try:
        return tuple(analyzer.parse(word))
    except ValueError:
        # It asks for the Unicode name of letters, and not all have one ("𗀀").
        return ()


def paradigm(word: str, wanted: Collection[str] = ()) -> dict[str, str]:
    """The six singular cases of a noun.

    word (str): Nominative, or a plural that has no singular ("Мытищи").
    wanted (Collection[str]): Grammemes that it has ("Name", "femn").
    RETURNS (dict[str, str]): Form by case, capitals as in `word`; all forms alike if it
        is not declined or unknown.
    """
    key = key_of(word)
    for parse in parses(word.lower()):
        tag = parse.tag
        if "nomn" not in tag or not all(g in tag for g in wanted):
            continue
        if key_of(parse.word) != key or "Fixd" in tag:
            continue
        own, of = _by_gender(parse), noun_key(tag).split()[0]
        if all(f"{of} {case}" in own for case in CASES):
            return {c: capital(own[f"{of} {c}"].word, word) for c in CASES}
    return dict.fromkeys(CASES, word)


def in_cases(stem: str, endings: str) -> dict[str, str]:
    """The six cases of a name by its stem and their endings: "Риги", not "Ригы"."""
    if stem[-1:] in "гкхжчшщ":
        endings = endings.replace("ы", "и")
    return {case: stem + end for case, end in zip(CASES, endings.split(","))}


def adjective_forms(word: str) -> dict[str, str]:
    """All forms of an adjective by gender or "plur" and case.

    word (str): Masculine nominative, such as "московский".
    RETURNS (dict[str, str]): Form by keys such as "masc gent", "plur ablt".
    """
    for parse in parses(word.lower()):
        if "ADJF" in parse.tag and "nomn" in parse.tag and "masc" in parse.tag:
            return adjective_lexeme(parse, word)
    return {}


def adjective_lexeme(parse: Any, word: str) -> dict[str, str]:
    """The same of any form that was parsed, in the letter case of a word."""
    forms: dict[str, str] = {}
    # "Соединённые" is no "Соединившие".
    kind = parse.tag.POS, parse.tag.voice, parse.tag.tense
    for form in parse.lexeme:
        tag = form.tag
        alike = (tag.POS, tag.voice, tag.tense) == kind
        if alike and tag.case in CASES and "V-oy" not in tag:
            animacy = " anim" if tag.animacy == "anim" else ""
            key = f"{tag.gender or 'plur'} {tag.case}{animacy}"
            forms.setdefault(key, capital(form.word, word))
    return forms


def agreeing(adjective: Any, noun: Any, case: str, animacy: str = "") -> str | None:
    """An adjective in a case of the noun that it agrees with."""
    of = {"plur"} if "plur" in noun else {"sing", noun.gender}
    wanted = {grammeme for grammeme in (*of, case) if grammeme}
    found = animacy and adjective.inflect({*wanted, animacy})
    found = found or adjective.inflect(wanted)
    return found.word if found else None


def term_forms(words: str) -> dict[str, str]:
    """Forms of a noun by gender or "plur" and case, so that none stands for one of another
    gender; adjectives before it agree, what follows it stays ("рак лёгкого").

    words (str): Nominative singular, such as "детский врач".
    RETURNS (dict[str, str]): Form by keys such as "femn gent".
    """
    parts = words.split(" ")
    for i, head in _heads(parts):
        own = _by_gender(head)
        tags = {key.split()[0]: form.tag for key, form in own.items()}
        beside = {n: [_beside(w, tag) for w in parts[:i]] for n, tag in tags.items()}
        said = {key: form.word for key, form in own.items()}
        said["plur nomn"] = GRAMMAR["plurals"].get(parts[i], said.get("plur nomn", ""))
        return {
            f"{n} {case}": " ".join(
                [*(forms[case] for forms in beside[n]), word, *parts[i + 1 :]]
            )
            for (n, case), word in ((k.split(), w) for k, w in said.items() if w)
        }
    return {}


def named_forms(words: str) -> dict[str, str]:
    """The six cases of a name of words that are a term ("Голос Америки"), in its capitals."""
    old, out = words.split(" "), dict.fromkeys(CASES, words)
    for key, form in reversed(term_forms(words).items()):
        case = key.split()[1]
        if case in out:
            out[case] = " ".join(map(capital, form.split(" "), old))
    return out


def _heads(parts: Sequence[str]) -> list[tuple[int, Any]]:
    """Place and reading of the noun in the nominative that a term is about, one at most.
    "Заведующий складом" has no other."""
    read = [
        (i, parse)
        for i, part in enumerate(parts)
        for parse in parses(part.lower())
        if {"nomn", "sing"} in parse.tag
    ]
    beside = {i for i, parse in read if parse.tag.POS in ("ADJF", "PRTF")}
    named = {"Name", "Surn"}
    nouns = [x for x in read if "NOUN" in x[1].tag and not named & x[1].tag.grammemes]
    return ([x for x in nouns if x[0] not in beside] or nouns or read)[:1]


def _by_gender(head: Any) -> dict[str, Any]:
    """Forms of a reading by `noun_key`, those of its gender."""
    out: dict[str, Any] = {}
    for form in head.lexeme:
        tag = form.tag
        alike = tag.number == "plur" or tag.gender == head.tag.gender
        thing = tag.case == "accs" and "inan" in tag and "NOUN" not in tag
        # The first of two spellings ("Москвой", "Москвою") is the common one, but for some.
        rare = "V-oy" in tag or form.word in GRAMMAR["rare"]
        if alike and tag.case in CASES and not (thing or rare):
            out.setdefault(noun_key(tag), form)
    return out


def noun_key(tag: Any) -> str:
    """Key of a noun's form: gender or "plur", and case."""
    gender = tag.gender or "masc"
    return f"{'plur' if tag.number == 'plur' else gender} {tag.case}"


def verb_key(tag: Any) -> str:
    """Key of a verb's form: "pres sing 3per impf", "past sing masc perf"; "" for all others."""
    if "INFN" in tag:
        return f"infn {tag.aspect}"
    told = "VERB" in tag and tag.tense and "Impe" not in tag
    form = (tag.tense, tag.number, tag.person or tag.gender, tag.aspect)
    return " ".join(filter(None, form)) if told else ""


def verb_forms(words: str) -> dict[str, str]:
    """Forms of the verb of a phrase ("чинить обувь", "плохо видеть") by `verb_key`."""
    read = (parse for word in words.split() for parse in parses(word))
    verb = next(parse for parse in read if "INFN" in parse.tag)
    forms = {verb_key(p.tag): p.word for p in reversed(verb.lexeme)}
    return {key: words.replace(verb.word, form) for key, form in forms.items() if key}


def multiword(words: str) -> dict[str, str]:
    """The six cases of a name of several words ("Нижний Новгород", "Саудовская
    Аравия"): adjectives agree, what follows a hyphen or the noun stays."""
    *before, last = words.split()
    if not before:
        return paradigm(words)
    nouns = (p.tag for p in parses(last.lower()) if "NOUN" in p.tag)
    head = next((tag for tag in nouns if "nomn" in tag), None)
    if head is None:
        return dict.fromkeys(CASES, words)
    columns = [_beside(word, head) for word in before]
    columns.append(paradigm(last, {head.gender} if head.gender else ()))
    return {case: " ".join(column[case] for column in columns) for case in CASES}


def _beside(word: str, noun: Any) -> dict[str, str]:
    """The six cases of a word before a noun; one that does not agree with it stays."""
    forms: Mapping[str, str] = {}
    for parse in parses(word.lower()):
        tag = parse.tag
        agrees = tag.gender == noun.gender or tag.number == "plur"
        if agrees and {"ADJF", "PRTF"} & tag.grammemes and "nomn" in tag:
            forms = adjective_lexeme(parse, word)
            break
    of = "plur" if "plur" in noun else noun.gender
    own = {c: forms.get(f"{of} {c} {noun.animacy}") for c in CASES}
    return {c: own[c] or forms.get(f"{of} {c}") or word for c in CASES}


def like_pattern(lexemes: Sequence[Lexeme], forms: Mapping[str, str]) -> list[Lexeme]:
    """Those of the words with the pattern of another one; all if they are too few."""
    wanted = pattern(forms)
    fitting = [lex for lex in lexemes if pattern(lex.forms) == wanted]
    return fitting if len(fitting) >= _LEAST_ALIKE else list(lexemes)


def _preposition(before: str) -> str:
    """The last word before a mention if no hyphen joins it to another."""
    match = _PREPOSITION.search(before)
    return match.group(1).lower() if match else ""


def governed(before: str) -> tuple[str, ...]:
    """Cases that the preposition before a mention asks for; none if there is none."""
    return _GOVERNED.get(_preposition(before), ())


def narrowed(keys: Sequence[str], allowed: Sequence[str]) -> tuple[str, ...]:
    """Keys of a form that are among those allowed, in the order of these; all keys if
    none is, or if nothing is said. Keys may begin with a number or gender."""
    if not allowed:
        return tuple(keys)
    found = [k for case in allowed for k in keys if case in k.split()]
    return tuple(found) or tuple(keys)


def fits_preposition(text: str, before: str) -> bool:
    """Whether a word may stand after the preposition in its form: "во Францию", but not
    "во Москве"; "об Анне", but not "об Москве".

    text (str): Candidate.
    before (str): Text before the mention.
    RETURNS (bool): True also if there is no such preposition.
    """
    word = _preposition(before)
    for short, long, ahead in _LONGER:
        if word in (short, long):
            return (word == long) == bool(re.match(ahead, text.lower()))
    return True


def capital(form: str, like: str) -> str:
    """A form with the capitals of another one."""
    if "-" in like and "-" in form:
        return "-".join(map(capital, form.split("-"), like.split("-")))
    if like.isupper() and len(like) > 1:
        return form.upper()
    return form[:1].upper() + form[1:] if like[:1].isupper() else form
