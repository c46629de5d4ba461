"""What surrogates of persons keep, over names put together from many parts."""

import re
import unicodedata

from hypothesis import assume
from hypothesis import strategies as st

from spacy_deid.gazetteers.names import nicknames

from ..cases import cases
from .properties import (
    LANGS,
    LATIN,
    deid,
    deid_each,
    deid_one,
    examples,
    for_address,
    genders,
    given,
    items,
    odd_given,
    plain,
    russian_stems,
    surnames,
)

# Those of men, and of women.
TITLES = dict(cases(__file__, "titles"))
AFTER = dict(cases(__file__, "around"))


def is_woman(name):
    """True or False if Faker's lists know the name for one gender alone."""
    if plain(name) in nicknames("de").full:
        return None
    found = genders().get(plain(name), set())
    return next(iter(found)) if len(found) == 1 else None


def person(draw, lang, female=None):
    female = draw(st.booleans()) if female is None else female
    first = draw(given(lang, female))
    if lang != "ru":
        return first, draw(surnames)
    stem = draw(russian_stems) + "ов"
    return first, stem + "а" * female


@examples(LATIN, female=st.booleans(), first=odd_given, last=surnames, data=st.data())
def test_titles_tell_gender(lang, female, first, last, key, data):
    title = data.draw(st.sampled_from(TITLES[lang][female]))
    new = deid_one(lang, f"{title} {first} {last}", "PERSON", key=key)
    assert new.startswith(f"{title} ")
    assert is_woman(new.removeprefix(title).split()[0]) in (female, None)


@examples(LANGS, data=st.data(), female=st.booleans())
def test_given_names_tell_gender(lang, data, female, key):
    first, last = person(data.draw, lang, female)
    new = deid_one(lang, f"{first} {last}", "PERSON", key=key).split()
    assert is_woman(new[0]) in (female, None) and first not in new
    if lang == "ru":
        assert new[1].endswith(("ова", "ева", "ина", "ая")) == female


@examples(LATIN, female=st.booleans(), first=odd_given, last=surnames)
def test_what_stands_around_tells_gender(lang, female, first, last, key):
    parts = [(f"{first} {last}", "PERSON"), AFTER[lang][female]]
    new = deid(lang, parts, key).texts[0]
    assert is_woman(new.split()[0]) in (female, None)


SCRIPTS = dict(cases(__file__, "scripts"))


@examples(LANGS, script=st.sampled_from(sorted(SCRIPTS)), data=st.data())
def test_script_stays(lang, script, data, key):
    text = data.draw(st.sampled_from(SCRIPTS[script]))
    new = deid_one(lang, text, "PERSON", key=key)
    letters = [ch for ch in new if ch.isalpha()]
    assert letters and all(unicodedata.name(ch).startswith(script) for ch in letters)
    assert not set(plain(new).split()) & set(plain(text).split())


@examples(LATIN, data=st.data())
def test_all_forms_follow_one_new_person(lang, data, key):
    """Nobody has linked them; the surname is nobody else's."""
    # Where German texts name Slavs, women have other surnames.
    female = lang != "de" and data.draw(st.booleans())
    first, last = person(data.draw, lang, female)
    # "D." is a title in Spanish.
    assume(first[0] not in ("D", last[0]) and plain(first) not in nicknames(lang).full)

    def forms(one, other):
        return [
            f"{one} {other}", f"{TITLES[lang][female][0]} {other}", f"{other}, {one}",
            f"{other.upper()}, {one}", f"{one[0]}. {other}", f"{one} {other}".upper(), one,
            other,
        ]  # fmt: skip

    mail = f"{plain(first)}.{plain(last)}@wexley-{plain(last)}.net"
    parts = items((text, "PERSON") for text in forms(first, last))
    *new, address = deid(lang, [*parts, "item: ", (mail, "CODE", "EMAIL")], key).texts
    one, other = new[0].split()
    assert new == forms(one, other)
    local = f"{for_address(one, lang)}.{for_address(other, lang)}"
    assert address.partition("@")[0] == local
    assert plain(last) not in address


SHAPES, ENGLISH = (dict(cases(__file__, x)) for x in ("shapes", "English shapes"))


@examples(LATIN, data=st.data())
def test_titles_suffixes_initials_and_hyphens_stay(lang, data, key):
    female = data.draw(st.booleans())
    first, last = person(data.draw, lang, female)
    second, more = data.draw(given(lang, female)), data.draw(surnames)
    assume(len({first, second}) == 2 and len({last, more}) == 2)
    initial = data.draw(st.sampled_from("BFGHKLMNPRSTW"))
    shapes = {**SHAPES, **(ENGLISH if lang == "en" else {})}
    form = data.draw(st.sampled_from(sorted(shapes)))
    text, shape = form.format(first, last, second, more, initial), shapes[form]
    new = deid_one(lang, text, "PERSON", key=key)
    pattern = re.sub(r"\bN\b", lambda _: r"(?:Mc|O['’])?[^\W\d_]['’\w]+", shape)
    pattern = re.sub(r"\bI\b(?=\\)", lambda _: r"[^\W\d_]", pattern)
    assert re.fullmatch(pattern, new), (text, new)
    for word in re.findall(r"[^\W\d_]{3,}", text):
        assert word in shape or word not in re.findall(r"\w+", new), (text, new)


@examples(LANGS, data=st.data(), style=st.sampled_from([str.upper, str.lower]))
def test_letter_case_stays(lang, data, key, style):
    text = style(" ".join(person(data.draw, lang)))
    new = deid_one(lang, text, "PERSON", key=key)
    assert new == style(new) and len(new.split()) == 2


@examples(data=st.data())
def test_english_possessives_and_plurals(data, key):
    first, last = person(data.draw, "en")
    assume(not last.endswith(("s", "x", "z")))
    parts = [(f"{first} {last}", "PERSON"), " came. "]
    parts += [(f"{last}'s", "PERSON"), " car. The ", (f"{last}s", "PERSON"), " left."]
    full, possessive, plural = deid("en", parts, key).texts
    family = full.split()[1]
    assert possessive == f"{family}'s"
    assert plural == family + ("es" if re.search("(?:[sxz]|[cs]h)$", family) else "s")


@examples(data=st.data())
def test_german_genitives(data, key):
    first, last = person(data.draw, "de")
    assume(not re.search("[sxzß]$", first + " " + last) and first[-1] not in "sxzß")
    parts = [(f"{first} {last}", "PERSON"), " kam. ", (f"{last}s", "PERSON")]
    full, family, given_ = deid(
        "de", [*parts, " Auto. ", (f"{first}s", "PERSON"), " Rad."], key
    ).texts
    assert family[:3] == full.split()[1][:3]
    # The surname alone may be a woman's.
    bare = family.removesuffix("’") if family[-1] == "’" else family[:-1]
    for name, form in ((full.split()[0], given_), (bare, family)):
        assert form == (f"{name}’" if name[-1] in "sxzß" else f"{name}s")


@examples(stem=russian_stems, data=st.data())
def test_russian_plurals_of_families(stem, key, data):
    first = data.draw(given("ru", False))
    parts = [(f"{first} {stem}ов", "PERSON"), " пришёл. ", (f"{stem}овы", "PERSON")]
    full, plural = deid("ru", [*parts, " ушли."], key).texts
    family = full.split()[1]
    assert plural in (f"{family}ы", re.sub("(?:ий|ой|ый)$", "ие", family))


NICKNAMES = dict(cases(__file__, "nicknames"))


WOMEN = ("Margaret", "Elizabeth", "Dolores", "Concepción", "Susanne")


@examples(LANGS, data=st.data())
def test_nicknames_go_with_full_names(lang, data, key):
    full, short = data.draw(st.sampled_from(NICKNAMES[lang]))
    last = data.draw(russian_stems) + "енко" if lang == "ru" else data.draw(surnames)
    texts = [f"{full} {last}", short, f"{short} {last}"]
    new, called, both = deid_each(lang, texts, "PERSON", key=key)
    assert both == f"{called} {new.split()[1]}"
    assert called not in (full, short, new.split()[0])
    # Friends shorten the same name in the same way.
    assert is_woman(new.split()[0]) in (full[-1] in "aая" or full in WOMEN, None)


@examples(LANGS, data=st.data())
def test_families_share_their_new_surname(lang, data, key):
    last = data.draw(russian_stems) + "енко" if lang == "ru" else data.draw(surnames)
    one = st.booleans().flatmap(lambda f: given(lang, f))
    firsts = data.draw(st.lists(one, min_size=2, max_size=4, unique_by=plain))
    stranger = "Ольга Гриценко" if lang == "ru" else "Olga Vandermeer"
    texts = [*(f"{first} {last}" for first in firsts), stranger]
    *family, other = (new.split() for new in deid_each(lang, texts, "PERSON", key=key))
    # "Stefánsson" and "Stefánsdóttir", "Novák" and "Nováková".
    forms = {new[1] for new in family}
    assert len({form[:3] for form in forms}) == 1 and family[0][1] != other[1]
    assert len(forms) == 1 or lang == "de"
    assert len({new[0] for new in family}) == len(family)
    assert family[0][1] != last


@examples(LANGS, data=st.data())
def test_two_persons_are_never_one(lang, data, key):
    draw = data.draw
    texts = set()
    for _ in range(draw(st.integers(2, 8))):
        first, last = person(draw, lang)
        form = draw(st.sampled_from(["{0} {1}", "{1}, {0}", "{2}. {1}"]))
        texts.add(form.format(first, last, first[0]))
    texts = sorted(texts)
    # As other persons in any case: "A. Berg" may be the Anna Berg beside it.
    parts = items((text, "PERSON", "", i) for i, text in enumerate(texts))
    new = deid(lang, parts, key).texts
    assert len(set(new)) == len(texts), list(zip(texts, new))
    assert not set(new) & set(texts)
