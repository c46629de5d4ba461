"""What the tests of properties share: documents with given spans, and names from lists
that the package does not write itself."""

import datetime
import importlib
import json
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import hypothesis
import pytest
import spacy
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Span

from spacy_deid.data import table
from spacy_deid.text.names import title_gender
from spacy_deid.text.offsets import span_to_new

LANGS = ("en", "de", "es", "ru")
LATIN = ("en", "de", "es")

# Those of a key are the same in every run: what fails is found where it was made.
keys = st.integers(0, 99).map("key {}".format)
few = hypothesis.settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[
        hypothesis.HealthCheck.too_slow,
        hypothesis.HealthCheck.filter_too_much,
    ],
)


def examples(langs=(), n=12, **drawn):
    """A test with a few drawn arguments and keys, the same in every run; in each of some
    languages."""

    def decorate(test):
        test = hypothesis.given(**drawn, key=keys)(test)
        test = hypothesis.settings(few, max_examples=n)(test)
        return pytest.mark.parametrize("lang", langs)(test) if langs else test

    return decorate


class Replaced(NamedTuple):
    """The new text of each span, and the whole new text."""

    texts: list[str]
    whole: str


@cache
def pipeline(lang: str, config: str = "{}") -> Language:
    """A blank pipeline with a pseudonymizer, made once."""
    settings_ = json.loads(config)
    surrogates = {
        name: settings_.pop(name)
        for name in ("weekdays", "same_country")
        if name in settings_
    }
    if surrogates:
        name = "spacy_deid.language_surrogates.v1"
        settings_["surrogates"] = {"@deid_surrogates": name, **surrogates}
    nlp = spacy.blank(lang)
    if settings_.get("scope") == "sentence":
        nlp.add_pipe("sentencizer")
    nlp.add_pipe("pseudonymizer", config=settings_)
    return nlp


def deid(
    lang: str,
    parts: Iterable[str | tuple[Any, ...]],
    key: str = "key",
    subject: str | None = None,
    **config: Any,
) -> Replaced:
    """New texts of a text put together of strings and of spans: text, label, and perhaps
    subtype and entity number; with settings of the pseudonymizer or its surrogates."""
    text, rows = "", []
    for part in parts:
        if isinstance(part, str):
            text += part
        else:
            found, label, subtype, entity = (*part, *("", -1)[len(part) - 2 :])
            rows.append((len(text), len(text) + len(found), label, subtype, entity))
            text += found
    nlp = pipeline(lang, json.dumps(config, sort_keys=True))
    nlp.get_pipe("pseudonymizer").set_key(key.encode())
    doc = nlp.make_doc(text)
    spans = []
    for start, end, label, subtype, _ in rows:
        span = doc.char_span(start, end, alignment_mode="expand")
        spans.append(Span(doc, span.start, span.end, label=label, span_id=subtype))
    doc.spans["pii"] = spans
    doc.spans["pii"].attrs["entity_ids"] = [row[-1] for row in rows]
    if subject is not None:
        doc._.deid_subject = subject
    doc = nlp(doc)
    new = doc._.deid_text
    texts = []
    for start, end, *_ in rows:
        a, b = span_to_new(doc._.deid_offsets, start, end)
        texts.append(new[a:b])
    return Replaced(texts, new)


def items(
    rows: Iterable[tuple[Any, ...]], behind: str = "\n"
) -> list[str | tuple[Any, ...]]:
    """Spans in lines of their own."""
    return [part for row in rows for part in ("item: ", row, behind)]


def deid_each(
    lang: str, texts: Iterable[str], label: str, subtype: str = "", **config: Any
) -> list[str]:
    """New texts of spans of one label that stand in lines of their own."""
    rows = ((text, label, subtype) for text in texts)
    return deid(lang, items(rows), **config).texts


def deid_one(lang: str, text: str, label: str, subtype: str = "", **config: Any) -> str:
    """The new text of a span in a line of its own."""
    return deid_each(lang, [text], label, subtype, **config)[0]


# Letters whose marks do not come off.
MARKED = str.maketrans({"ß": "ss", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "æ": "ae"})


def plain(text: str) -> str:
    """Letters without marks, in lower case."""
    text = unicodedata.normalize("NFKD", text.lower().translate(MARKED))
    return "".join(ch for ch in text if not unicodedata.combining(ch))


def for_address(text: str, lang: str) -> str:
    """A name as addresses have it: Germans write umlauts with two letters."""
    if lang == "de":
        for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
            text = text.lower().replace(umlaut, letters)
    return plain(text)


_LOCALES = {
    "en": "en_GB en_US",
    "de": "de_DE de_AT",
    "es": "es_ES es_MX",
    "ru": "ru_RU",
}


@cache
def faker_names(lang: str, attr: str) -> frozenset[str]:
    """Names of Faker's lists of a language, single words alone."""
    found: set[str] = set()
    for locale in _LOCALES[lang].split():
        module = importlib.import_module(f"faker.providers.person.{locale}")
        values = getattr(module.Provider, attr, ())
        found.update(v for v in map(str, values) if v.isalpha())
    return frozenset(found)


@cache
def given_names(lang: str, female: bool) -> tuple[str, ...]:
    """Given names that only one gender has in any of the languages."""
    own, other = (f"first_names_{'fe' * of}male" for of in (female, not female))
    others = {plain(n) for code in _LOCALES for n in faker_names(code, other)}
    own_alone = (n for n in faker_names(lang, own) if plain(n) not in others)
    known = (n for n in own_alone if len(n) > 3 and title_gender(n) is None)
    return tuple(sorted(known))


@cache
def genders() -> dict[str, set[bool]]:
    """Whether names are those of women, by their plain forms."""
    found: dict[str, set[bool]] = {}
    for lang, female in product(_LOCALES, (True, False)):
        for name in faker_names(lang, f"first_names_{'fe' * female}male"):
            found.setdefault(plain(name), set()).add(female)
    for row in table("names/nicknames"):
        for name in row["nicknames"].split():
            found.setdefault(plain(name), set()).add(row["gender"] == "f")
    return found


def age_at(birth: datetime.date, day: datetime.date) -> int:
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


ONSETS = "B Br D Dr F G Gr H K Kl L M N P R S Sch St T Tr V W Z".split()
MIDDLES = "al an ar eb el en er ib il in ol on or ub ul un".split()
ENDS = "berg bold dorf feld gen horst kamp lin mond nik rath stedt wick zen".split()
# Surnames of no list.
surnames = st.tuples(*map(st.sampled_from, (ONSETS, MIDDLES, ENDS))).map("".join)
# Given names of no list, whose endings tell nothing.
odd_given = st.tuples(
    *map(st.sampled_from, (ONSETS, MIDDLES, "qvor trux mund zek vyr".split()))
).map("".join)
STEMS = "Бар Вел Гор Дор Жар Кад Лом Мур Нов Пес Род Сад Тур Хол Чер Шум".split()
russian_stems = st.tuples(
    st.sampled_from(STEMS), st.sampled_from("ас ел ик он ун ыш ом ан".split())
).map("".join)


def given(lang: str, female: bool) -> st.SearchStrategy[str]:
    """Known given names of one gender."""
    return st.sampled_from(given_names(lang, female))
