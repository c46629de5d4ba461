"""Where the spans of a recognizer begin and end: nothing hangs over, and what is none is
dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import takewhile

from spacy.tokens import Doc, Token

from ..gazetteers.lexicon import is_listed_name, is_vocabulary
from ..gazetteers.names import is_given_name
from ..schema import text_of
from ..text.address_words import UNITS
from ..text.cells import cell_ends
from ..text.countries import index
from ..text.folding import APOSTROPHES, DASHES
from ..text.names import (
    AND,
    EPONYMS,
    GENERIC,
    GRAMMAR,
    JOINS,
    LEGAL_FORMS,
    OFFICES,
    OTHER_PARTIES,
    PARTICLES,
    RELATIVES,
    fold,
    is_postnominal,
    may_be_given,
    title_gender,
)
from ..text.subdivisions import subdivisions
from .forms import word_lists

# No span begins or ends with these, as tokens of their own.
# Between the parties of a case.
_AGAINST = frozenset("v. vs. Vs Vs. VS VS. versus Versus VERSUS".split())
_NEVER_FIRST = frozenset(",;:.!?/|)]}") | JOINS | _AGAINST
# A title is one of the name that comes.
_TITLES = frozenset("Mr Mrs Ms Mx Dr Prof Mr. Mrs. Ms. Mx. Dr. Prof.".split())
_NEVER_LAST = frozenset(",;:/|-([{&") | DASHES | JOINS | _TITLES | _AGAINST
_WITH_OFFICES = OFFICES.union(RELATIVES, map(str.lower, _TITLES), ["madam", "madame"])
_PAIRS = {"(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{"}
# What has names, and the probability that a single word of the vocabulary needs to be one.
_NAMES = frozenset(("PERSON", "CODE", "LOC", "ORG", "MISC"))
_LIKELY = 0.3
_NOUNS = _NAMES - {"CODE"} | {"DEM"}
_HAD_BY_ALL = RELATIVES | GRAMMAR
# In small letters: "tel # for Mike", not "de la Cruz".
_BEFORE_NAMES = GRAMMAR - PARTICLES | {"#"}
_PARTS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Za-z][a-z]+")
_POST_CODE = re.compile(r"\d{4,6}(?:[-–]\d{3,4})?|\d{2,3}[ -]\d{2,3}")
_SENTENCE_ENDS = frozenset(".?!;")
# What has a point of its own, which is a token in most languages: "B.", "Дж.", "jr.".
_SHORTENED = re.compile(r"\w|[^\W\daeiouyаеёиоуыэюя]{2}", re.IGNORECASE)
_MARKS = APOSTROPHES | {"'"}
_SPEECH = frozenset('"“”„«»‹›')
_QUOTES = _SPEECH | APOSTROPHES
# Between two people; "e" and "y" are in the names of one, too.
_TWO = {word for word in AND if len(word) > 1} | {"&"}


def trim_spans(
    doc: Doc, spans: Iterable[tuple[int, int, str, float]]
) -> Iterator[tuple[int, int, str, float]]:
    """Spans without those of white space or punctuation only, trimmed at both ends.

    A span ends with its line and its cell of a table. Brackets and quotation marks stay if
    both of a pair are in the span, and a bracket that closes right behind it comes in.

    doc (Doc): The document.
    spans (Iterable[Tuple[int, int, str, float]]): Start and end token, label,
        probability.
    YIELDS (Tuple[int, int, str, float]): The spans that are left.
    """
    tokens = [token.text for token in doc]
    for start, end, label, score in _in_cells(doc, tokens, spans):
        if end < len(doc) and _closes(tokens, start, end):
            end += 1
        start, end = _edges(doc, tokens[start:end], start)
        while label == "PERSON" and end - start > 1 and tokens[start] in _BEFORE_NAMES:
            start += 1
        while end - start > 1 and (
            _goes_on(doc[end - 1], label)
            or (label == "PERSON" and _is_beside_name(doc[end - 1]))
        ):
            end -= 1
        if not _is_nothing(doc, tokens[start:end], start, label, score):
            yield start, end, label, score


def _in_cells(
    doc: Doc, tokens: list[str], spans: Iterable[tuple[int, int, str, float]]
) -> Iterator[tuple[int, int, str, float]]:
    """Spans cut where a line or a cell ends and between parties, a name of a person at a
    sentence's end, at a quotation mark without its other half, and between two people
    ("Susan, Joe", "Tom and Ann Lee")."""
    ends = cell_ends(text_of(doc))
    for start, end, label, score in spans:
        first = start
        cuts = _between_persons(tokens[start:end]) if label == "PERSON" else ()
        for i in range(start, end):
            text = tokens[i]
            if (
                _ends_field(tokens, i, label)
                or (text in cuts and not _belongs(tokens[first:i], text))
                or (text in _AGAINST and _are_parties(tokens[first:i], text))
                or (
                    text == ","
                    and label == "LOC"
                    and _is_largest(tokens, first, i, end)
                )
                or (ends and doc[i].idx in ends)
            ):
                yield first, i, label, score
                first = i + 1
        yield first, end, label, score


def _ends_field(tokens: list[str], i: int, label: str) -> bool:
    """Whether a sign stands between lines or cells, or the fields of a message: a name may
    have parts in HL7 ("HOPE^WILL"), and is in several fields in X12 ("HOPE*WILL")."""
    text = tokens[i]
    if text.isspace():
        return len(text) > 2 or bool(text.strip(" "))
    around = "".join(tokens[max(0, i - 1) : i + 2])
    signs = {"|": True, "^": label != "PERSON", "*": around.isupper()}
    return signs.get(text, False)


def _belongs(texts: list[str], sign: str) -> bool:
    """Whether a point is that of the initial or abbreviation before it, and "and" that of
    a title: "Mr and Mrs Lee"."""
    if not texts or sign not in _TWO | {"."}:
        return False
    last = texts[-1]
    return bool(_SHORTENED.fullmatch(last)) if sign == "." else last in _TITLES


def _are_parties(texts: list[str], sign: str) -> bool:
    """Whether a case is called after what stands before a sign: "v." is "von" in German
    names, of which hardly any is in capitals."""
    return bool(texts) and (sign != "v." or texts[-1].isupper())


def _is_largest(tokens: list[str], first: int, comma: int, end: int) -> bool:
    """Whether a country stands before a comma and no place that it may lie in behind it:
    "from the United States, Bennett served", not "Georgia, USA"."""
    known = index()
    before, behind = (
        fold(" ".join(part)).removeprefix("the ")
        for part in (tokens[first:comma], tokens[comma + 1 : end])
    )
    larger = behind in known.by_name or behind in known.by_region
    return before in known.by_name and not (larger or subdivisions().country_of(behind))


def _between_persons(texts: list[str]) -> frozenset[str]:
    """What no name of one person goes on behind: the end of a sentence, a lone quotation
    mark, "and", and a comma between two that somebody is called by."""
    two = len(texts) == 3 and is_given_name(texts[0]) and is_given_name(texts[2])
    quotes = [text for text in texts if text in _SPEECH]
    lone = quotes if len(quotes) == 1 else ()
    return _SENTENCE_ENDS.union(_TWO, lone, "," if two else "")


def _edges(doc: Doc, texts: list[str], start: int) -> tuple[int, int]:
    """First token of a span and the one after its last, without what hangs over."""
    first, last = 0, len(texts)
    while first < last and (
        _hangs_over(texts[first:last], texts[first], first=True)
        or _is_clitic(doc, texts[first], start + first)
    ):
        first += 1
    while last > first and _hangs_over(texts[first:last], texts[last - 1], first=False):
        last -= 1
    return start + first, start + last


def titles_around(texts: list[str]) -> tuple[int, int]:
    """How many tokens of a person's name are titles before and behind it, which are none
    of it. A title before it that is a given name more often stays ("King")."""
    before = _run(texts[:-1], is_title)
    behind = _run(texts[:before:-1], lambda text: text == "," or is_postnominal(text))
    left = "".join(texts[before : len(texts) - behind])
    return (before, behind) if any(map(str.isalpha, left)) else (0, 0)


def _run(texts: list[str], of: Callable[[str], bool]) -> int:
    return sum(1 for _ in takewhile(of, texts))


def is_title(text: str) -> bool:
    """Whether a token is a title, or the point of one."""
    return text == "." or (title_gender(text) is not None and not may_be_given(text))


def _is_nothing(
    doc: Doc, texts: list[str], start: int, label: str, score: float
) -> bool:
    """Whether a span is no entity: signs or grammar alone, a number of a provision, a
    part of a building, relatives as everybody has, an everyday word that is hardly taken
    for a name."""
    if not any(map(str.isalnum, "".join(texts))):
        return True
    if all(x.lower().strip(_DASHES) in GRAMMAR and not x.istitle() for x in texts):
        return True
    if score < 0.5 and is_provision(doc, start, texts):
        return True
    if label in _NAMES and len(texts) == 1 and _is_doubted(doc, start, label, score):
        return True
    figures = label == "LOC" and score < _LIKELY and _is_figures(doc, texts, start)
    return figures or _is_kind_alone(texts, label) or _is_title_alone(doc, texts, label)


def _is_title_alone(doc: Doc, texts: list[str], label: str) -> bool:
    """Whether a name is titles alone, of which not all are names: "a marquise"."""
    named = label in ("PERSON", "ORG", "LOC") and all(map(is_title, texts))
    return named and not all(is_listed_name(t.lower(), doc.lang_) for t in texts)


def _is_figures(doc: Doc, texts: list[str], start: int) -> bool:
    """Whether a place is figures alone, in the form of no post code."""
    text = doc[start : start + len(texts)].text
    return not any(map(str.isalpha, text)) and _POST_CODE.fullmatch(text) is None


def _is_kind_alone(texts: list[str], label: str) -> bool:
    """Whether a span says what something is and names none: "the LLC agreement", "flat",
    "her mother"."""
    small = [*map(str.lower, texts)]
    if label == "DEM":
        # "Sex: F" is had by half of all.
        text = "".join(texts).strip(".")
        return (len(text) == 1 and text.isalpha()) or _HAD_BY_ALL.issuperset(small)
    if label == "PERSON" and _WITH_OFFICES.issuperset(small):
        return True
    if label in ("ORG", "PERSON"):
        word = texts[0].lower().replace(".", "")
        return len(texts) == 1 and len(texts[0]) > 2 and word in LEGAL_FORMS
    return label == "LOC" and _units().issuperset(text.strip(".") for text in texts)


def _is_beside_name(token: Token) -> bool:
    """Whether the last token of a person's span is none of the name: somebody who goes on
    behind it ("Mike I see"), or what a person is in court ("Ann Lee Counsel")."""
    if token.text == "I" and token.doc[token.i + 1 :]:
        return token.nbor().is_lower
    office = token.lower_ in OFFICES
    return office and not is_listed_name(token.lower_, token.lang_)


def _goes_on(token: Token, label: str) -> bool:
    """Whether a token is a small word that asks for another ("de", "и"), or one with a
    capital behind a date, which begins what comes: "11:42 AM All"."""
    before, date = token.nbor(-1), label == "DATETIME"
    if not (date or label in _NOUNS) or len(before) < (2 if date else 4):
        return False
    written = token.is_title if date else token.is_lower and len(token) < 4
    small = written and token.is_alpha and token.is_stop and before.is_alpha
    # "grade two" is whole.
    return bool(small and not token.like_num)


def _is_doubted(doc: Doc, start: int, label: str, score: float) -> bool:
    """Whether a single word is hardly taken for a name, and may well be none."""
    text = doc[start].text
    nothing = GENERIC if label == "LOC" else EPONYMS
    if score < 0.5 and text.lower() in nothing:
        return True
    doubted = _is_key(doc, start) or _is_everyday(doc, text, start, label)
    return score < _LIKELY and doubted


def _is_key(doc: Doc, i: int) -> bool:
    """Whether a word says what the value behind it is: "sid=4471", "ISA*00*"."""
    last, word = i + 1 == len(doc), doc[i]
    sign = "" if last or word.whitespace_ else doc[i + 1].text
    return (sign == "=" and word.is_lower) or (sign == "*" and word.is_upper)


def _is_everyday(doc: Doc, text: str, start: int, label: str) -> bool:
    """Whether a word is one of the vocabulary, with a capital only where any has one, or
    made of such words."""
    if label != "CODE" and _is_field(text, doc.lang_):
        return True
    before = doc[start - 1] if start else None
    # A cell begins as a sentence does.
    opens = before is None or before.is_punct or before.is_space or before.text == "|"
    plain = text.islower() or (opens and text.istitle())
    return plain and is_vocabulary(text.lower(), doc.lang_)


def _is_field(text: str, lang: str) -> bool:
    """Whether a word is made of everyday words, as fields of a table are called that
    machines read: "FirstName", "WAFRuleID". "DJHope" may be somebody."""
    parts = _PARTS.findall(text)
    words = [part.lower() for part in parts if not part.isupper()]
    least = 2 if len(words) == len(parts) else 3
    made = len(parts) >= least and "".join(parts) == text
    return made and bool(words) and all(is_vocabulary(word, lang) for word in words)


# What the tokenizer leaves at a word: "206)—an observer".
_DASHES = "".join(DASHES) + "-"


@lru_cache(maxsize=1)
def _units() -> frozenset[str]:
    """Words for parts of buildings, in lower case ("my flat"), and marks of telephone
    numbers: no place by themselves."""
    # A full stop may be a token of its own, of which nothing is left.
    return frozenset(filter(str.isalpha, UNITS)) | {"Tel", "tel", "Fax", "fax", ""}


# Before numbers of provisions, and what may stand between two of them.
_PROVISIONS = frozenset(word_lists["provisions"])
# What stands in the names of provisions, and between their numbers.
_OF_LAW = _PROVISIONS.union(JOINS, ".,-–(c)abdef§", ["to", "bis", "§§"])


def is_provision(doc: Doc, start: int, texts: list[str]) -> bool:
    """Whether a span is provisions, or the last of their numbers: "Articles 8 and 13"."""
    numbers = [i for i, text in enumerate(texts, start) if text.isdigit()]
    said = all(text.isdigit() or text.lower() in _OF_LAW for text in texts)
    if not numbers or not said or len(doc[numbers[-1]]) > 4:
        return False
    for before in reversed(doc[max(0, numbers[-1] - 8) : numbers[-1]]):
        if before.lower_ in _PROVISIONS:
            return True
        if not before.is_digit and before.lower_ not in _OF_LAW:
            return False
    return False


def _is_clitic(doc: Doc, text: str, i: int) -> bool:
    """Whether a token is the ending of the one before: "'s" of "Ford's", "n't" of
    "haven't", not "'s" of "in 's-Hertogenbosch"."""
    if len(text) > 3 or not text[-1:].isalpha() or not _MARKS.intersection(text):
        return False
    return i > 0 and not doc[i - 1].whitespace_ and doc[i - 1].text[-1:].isalpha()


def _closes(tokens: list[str], start: int, end: int) -> bool:
    """Whether the token behind a span closes a bracket that opened inside."""
    text = tokens[end]
    if text not in (")", "]"):
        return False
    texts = tokens[start + 1 : end]
    return texts.count(_PAIRS[text]) > texts.count(text)


def _hangs_over(texts: list[str], text: str, first: bool) -> bool:
    """Whether a token at the edge of a span is none of it."""
    if text.isspace() or text in (_NEVER_FIRST if first else _NEVER_LAST):
        return True
    if text in _PAIRS:
        return _PAIRS[text] not in texts
    if text.lower() in OTHER_PARTIES:
        return True
    return text in _QUOTES and sum(other in _QUOTES for other in texts) == 1
