"""New names for persons in Russian text: the form of every word stays.

A surname is exchanged for one that is declined alike, so its ending is kept as it is and
no case has to be known. Given names are declined by pymorphy3.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ...surrogates.base import Draws, Mention, listed, match_case, normalise, shuffled
from ...text.names import fold
from ..inflection import Lexeme, Lexicon, in_form, key_of
from .forms import CASES, governed, latin_key, like_pattern, narrowed, paradigm, parses

# Names that many have; Faker's list has those of saints and princes, too.
_MALE = listed(
    "Александр,Алексей,Анатолий,Андрей,Антон,Аркадий,Артём,Артур,Борис,Вадим,Валентин,"
    "Валерий,Василий,Виктор,Виталий,Владимир,Владислав,Вячеслав,Геннадий,Георгий,Герман,"
    "Глеб,Григорий,Денис,Дмитрий,Евгений,Егор,Иван,Игорь,Илья,Кирилл,Константин,Лев,"
    "Леонид,Максим,Матвей,Михаил,Никита,Николай,Олег,Павел,Пётр,Роман,Руслан,Семён,Сергей,"
    "Станислав,Степан,Тимофей,Тимур,Фёдор,Эдуард,Юрий,Яков,Ярослав,Захар,Назар,Ренат"
)
_FEMALE = listed(
    "Александра,Алина,Алла,Анастасия,Ангелина,Анна,Антонина,Вера,Вероника,Валентина,"
    "Валерия,Варвара,Виктория,Галина,Дарья,Диана,Евгения,Екатерина,Елена,Елизавета,Жанна,"
    "Зинаида,Зоя,Инна,Ирина,Карина,Кира,Клавдия,Ксения,Лариса,Лидия,Лилия,Любовь,Людмила,"
    "Маргарита,Марина,Мария,Милана,Надежда,Наталья,Нина,Оксана,Олеся,Ольга,Полина,Раиса,"
    "Регина,Римма,Светлана,Софья,Таисия,Тамара,Татьяна,Ульяна,Юлия,Яна,Эльвира,Наталия"
)
# Full name and what its bearer is called among friends.
_SHORT_MALE = dict(
    pair.split(":")
    for pair in listed(
        "Александр:Саша,Алексей:Лёша,Анатолий:Толя,Борис:Боря,Василий:Вася,Виктор:Витя,"
        "Владимир:Вова,Геннадий:Гена,Григорий:Гриша,Дмитрий:Дима,Евгений:Женя,Иван:Ваня,"
        "Константин:Костя,Леонид:Лёня,Михаил:Миша,Николай:Коля,Павел:Паша,Пётр:Петя,"
        "Роман:Рома,Сергей:Серёжа,Степан:Стёпа,Фёдор:Федя,Юрий:Юра,Яков:Яша"
    )
)
_SHORT_FEMALE = dict(
    pair.split(":")
    for pair in listed(
        "Анастасия:Настя,Анна:Аня,Галина:Галя,Дарья:Даша,Екатерина:Катя,Елена:Лена,"
        "Елизавета:Лиза,Зинаида:Зина,Ирина:Ира,Ксения:Ксюша,Людмила:Люда,"
        "Мария:Маша,Надежда:Надя,Наталья:Наташа,Ольга:Оля,Светлана:Света,Тамара:Тома,"
        "Татьяна:Таня,Юлия:Юля,Варвара:Варя,Полина:Поля,Раиса:Рая"
    )
)
_ABROAD_MALE = listed(
    "Альберт,Джеймс,Джозеф,Джон,Дэвид,Карл,Клаус,Кристофер,Майкл,Мартин,Оливер,Питер,"
    "Пол,Ральф,Ричард,Роберт,Стивен,Стюарт,Томас,Уильям,Фрэнк,Фредерик,Хьюго,Эдвард,"
    "Эндрю,Эрик,Юрген,Вальтер,Генри,Джордж,Тони,Энтони,Гарри,Фредди,Марио,Пабло"
)
_ABROAD_FEMALE = listed(
    "Барбара,Вивиан,Дебора,Джейн,Дженнифер,Джудит,Карен,Кейт,Кэролайн,Лаура,Лиза,Линда,"
    "Маргарет,Марта,Мишель,Мэри,Николь,Пегги,Патриция,Сандра,Сара,Софи,Сьюзан,Ханна,Хелен,"
    "Хлоя,Шарлотта,Элис,Эмили,Эмма,Эрика,Дорис"
)
# How a surname is declined -> surnames that are declined alike, the masculine or only form.
_SURNAMES: dict[str, tuple[str, ...]] = {
    "sky": listed(
        "Вишневский,Островский,Каменский,Заборовский,Левицкий,Дубровский,Белинский,Сосновский,"
        "Садовский,Яворский,Рудницкий,Соколовский,Полонский,Загорский,Верховский,Ясинский,"
        "Раевский,Калиновский,Липский,Янковский,Савицкий,Городецкий,Озерский,Лозовский"
    ),
    "hard": listed(
        "Кравчук,Мельник,Ковальчук,Гончар,Бойчук,Савчук,Романюк,Ткачук,Марчук,Панчук,Шевчук,"
        "Климчук,Гаврилюк,Остапчук,Захарчук,Полещук,Костюк,Середюк,Билык,Данилюк,Онищук,Лукьянчук"
    ),
    "abroad": listed(
        "Смит,Браун,Миллер,Уилсон,Тейлор,Андерсон,Вебер,Шмидт,Фишер,Кларк,Купер,Паркер,"
        "Вагнер,Беккер,Гарсон,Симмонс,Нельсон,Картер,Хантер,Бейкер,Штейнер,Новак,Линдберг,"
        "Томпсон,Коллинз,Мюллер,Нойман,Хоффман,Дюваль,Лоран,Бергман,Йохансон,Робинсон,Фостер"
    ),
    "ich": listed(
        "Мицкевич,Ковалевич,Станкевич,Юркевич,Лукашевич,Янкевич,Павлович,Томашевич,Бабич,"
        "Радкевич,Горбович,Зенкевич,Карпович,Сенкевич,Петкевич,Маркович"
    ),
    "soft": listed(
        "Коваль,Бондарь,Кобзарь,Цимбаль,Шинкарь,Токарь,Кухарь,Кисель,Король,Лебедь"
    ),
    "a": listed(
        "Калина,Верба,Скиба,Лобода,Гайда,Берёза,Ярига,Дубина,Кривошапа,Паланта,Голота,"
        "Рябина,Долина,Галаба"
    ),
    "ko": listed(
        "Шевченко,Бондаренко,Ткаченко,Кравченко,Лысенко,Марченко,Руденко,Савченко,Петренко,"
        "Коваленко,Гончаренко,Павленко,Тимошенко,Харченко,Мельниченко,Юрченко,Назаренко,"
        "Клименко,Сидоренко,Левченко,Семененко,Власенко,Пономаренко,Остапенко"
    ),
    "yh": listed(
        "Черных,Седых,Долгих,Белых,Русских,Малых,Крутых,Сухих,Гладких,Красных"
    ),
    "oy": listed("Береговой,Луговой,Полевой,Боровой,Лесной,Степной,Садовой,Яровой"),
    "yy": listed("Верный,Заречный,Северный,Ясный,Озёрный,Славный,Вольный,Привольный"),
    "fixed": listed(
        "Росси,Конти,Моретти,Риччи,Галли,Сантини,Морено,Ромеро,Такахаси,Судзуки,Белуччи,"
        "Ферри,Маттеи,Алигьери,Дюма,Прево,Моро,Гюго,Ривера-и-Соло"
    ),
}
_TITLES = frozenset(
    key_of(w)
    for w in (
        "господин господина господину господином господине госпожа госпожи госпоже госпожу "
        "госпожой г-н г-на г-ну г-ном г-же г-жа г-жи гр доктор доктора доктору профессор "
        "профессора профессору профессором проф др д-р товарищ тов гражданин гражданка "
        "президент президента президенту президентом министр министра судья судьи врач "
        "врача пациент пациентка дядя тётя тетя дедушка бабушка сэр мистер миссис мисс мсье "
        "мадам герр фрау пан пани князь король королева папа отец мать сестра брат святой"
    ).split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CYRILLIC = re.compile("[Ѐ-ӿ]")
_OV = re.compile(r"(.+(?:ов|ев|ин|ын))(|а|у|ым|е|ой|ы|ых|ыми)")
_SKY = re.compile(r"(.+[сц]к)(ий|ого|ому|им|ом|ая|ой|ую|ие|их|ими)")
_MASCULINE_PATRONYMIC = re.compile(r"(.{2,}?)(ович|евич|ич)(|а|у|ем|ом|е)")
_FEMININE_PATRONYMIC = re.compile(r"(.{2,}?)(овн|евн|иничн|ичн)(а|ы|е|у|ой|ою)")
# Cases of a masculine surname's ending, and of a feminine one's.
_ENDING_CASES = {
    "masc": {"": "nomn", "а": "gent accs", "у": "datv", "ым": "ablt", "е": "loct"},
    "femn": {"а": "nomn", "ой": "gent datv ablt loct", "у": "accs"},
}
_SHE = re.compile(
    r"\b(?:она|её|ее|ей|жена|женой|мать|дочь|сестра|тётя|госпожа|г-жа|пациентка|гражданка|"
    r"сказала|заявила|сообщила|родилась|отметила|добавила)\b",
    re.I,
)


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    # "title", "initial", "given", "patronymic" or "family".
    role: str


class _Patronymic(NamedTuple):
    """What a patronymic says of the father's name, whose it is, and its ending."""

    father: str
    feminine: bool
    ending: str


class _Surname(NamedTuple):
    """A surname taken apart: the stem tells who bears it, the ending its form."""

    stem: str
    kind: str
    ending: str


@lru_cache(maxsize=1)
def given_names() -> Lexicon:
    """Given names in all cases; rows `m`, `f`, and with "/short" or "/abroad"."""
    rows = (
        ("m", "masc", _MALE),
        ("f", "femn", _FEMALE),
        ("m/short", "", tuple(_SHORT_MALE.values())),
        ("f/short", "", tuple(_SHORT_FEMALE.values())),
        ("m/abroad", "masc", _ABROAD_MALE),
        ("f/abroad", "femn", _ABROAD_FEMALE),
        ("m/rare", "masc", _of_faker("first_names_male")),
        ("f/rare", "femn", _of_faker("first_names_female")),
    )
    out = []
    for row, gender, names in rows:
        for name in names:
            wanted = ["Name", gender] if gender else ["Name"]
            out.append(Lexeme(name, row, paradigm(name, wanted)))
    return Lexicon(out)


def _of_faker(attr: str) -> tuple[str, ...]:
    from faker.providers.person.ru_RU import Provider

    known = frozenset(map(key_of, _MALE + _FEMALE))
    names = (str(name) for name in getattr(Provider, attr))
    return tuple(n for n in dict.fromkeys(names) if key_of(n) not in known)


@lru_cache(maxsize=1)
def _ov_surnames() -> tuple[str, ...]:
    return tuple(s for s in _of_faker("last_names_male") if _OV.fullmatch(key_of(s)))


# Stems that both patronymics are made of: "Петров" + "ич", "на".
_FATHERS = listed(
    "Александров,Алексеев,Анатольев,Андреев,Антонов,Аркадьев,Борисов,Вадимов,Валентинов,"
    "Валерьев,Васильев,Викторов,Витальев,Владимиров,Вячеславов,Геннадьев,Георгиев,"
    "Григорьев,Денисов,Дмитриев,Евгеньев,Егоров,Иванов,Игорев,Кириллов,Константинов,"
    "Леонидов,Львов,Максимов,Матвеев,Михайлов,Николаев,Олегов,Павлов,Петров,Романов,"
    "Семёнов,Сергеев,Станиславов,Степанов,Тимофеев,Фёдоров,Эдуардов,Юрьев,Яковлев"
)


# Names that lose or change letters before the ending of a patronymic.
_BEFORE_ENDING = {
    "павел": "павл",
    "лев": "льв",
    "яков": "яковл",
    "михаил": "михайл",
    "петр": "петр",
    "дмитрий": "дмитри",
    "георгий": "георги",
    "илья": "иль",
}


def father_stem(name: str) -> str:
    """What a father's name is in patronymics: "серге" for Сергей.

    name (str): Given name in the nominative.
    RETURNS (str): As in `_Patronymic.father`.
    """
    key = key_of(name)
    if key in _BEFORE_ENDING:
        return _BEFORE_ENDING[key]
    if key.endswith("ий"):
        return key[:-2] + "ь"
    return re.sub("[йьая]$", "", key)


@lru_cache(maxsize=1)
def _of_fathers() -> dict[str, str]:
    """What both patronymics are made of, by the father's stem."""
    found = {}
    for stem in _FATHERS:
        made = patronymic(stem + "ич")
        assert made is not None
        found[made.father] = stem
    return found


def patronymic(word: str) -> _Patronymic | None:
    """A patronymic in any case taken apart; None for words that are made otherwise."""
    key = key_of(word)
    match = _FEMININE_PATRONYMIC.fullmatch(key)
    feminine = match is not None
    match = match or _MASCULINE_PATRONYMIC.fullmatch(key)
    return _Patronymic(match[1], feminine, match[3]) if match else None


@lru_cache(maxsize=1024)
def _given(word: str) -> tuple[tuple[Lexeme, tuple[str, ...]], ...]:
    """Given names that a word may be a form of, with the cases."""
    found = [(f.lexeme, f.keys) for f in given_names().in_row(word, ("m", "f"))]
    if found or not word[:1].isupper():
        return tuple(found)
    # Names in no list: what the dictionary knows as one.
    by_name: dict[tuple[str, str], list[str]] = {}
    for parse in parses(word.lower()):
        tag = parse.tag
        if "Name" in tag and parse.is_known and "plur" not in tag and tag.case in CASES:
            gender = "f" if tag.gender == "femn" else "m"
            by_name.setdefault((parse.normal_form, gender), []).append(tag.case)
    for (name, gender), cases in by_name.items():
        forms = paradigm(name.capitalize(), ["Name"])
        found.append((Lexeme(name, f"{gender}/abroad", forms), tuple(cases)))
    return tuple(found)


def _is_given(word: str) -> bool:
    return bool(_given(word))


class _Names:
    """New names of one document, the same for a name wherever it stands."""

    def __init__(self, draws: Draws, mentions: Sequence[Mention]) -> None:
        self.draws = draws
        self.words = {
            key_of(m.group())
            for mention in mentions
            for m in _WORD.finditer(mention.text)
        }
        self.surnames: dict[str, _Surname] = {}
        self.given: dict[str, Lexeme] = {}
        self.stems: dict[str, str] = {}
        self.fathers: dict[str, str] = {}
        # Fathers' stems of the patronymics of the text, and its men by such stems.
        self.named_fathers: set[str] = set()
        self.men: dict[str, Lexeme] = {}
        # Stem of a surname -> full given names and fathers of its bearers.
        self.bearers: dict[str, list[tuple[str, str]]] = {}

    def tokens(self, text: str) -> list[_Token]:
        """Words of a mention and what they are."""
        matches = list(_WORD.finditer(text))
        roles: list[str] = []
        for i, match in enumerate(matches):
            word = match.group()
            dot = text[match.end() : match.end() + 1] == "."
            if key_of(word) in _TITLES or (word.islower() and not text.islower()):
                hyphen = text[match.end() : match.end() + 1] == "-"
                roles.append("title" if len(matches) > 1 or not hyphen else "family")
            elif len(word) == 1 or (len(word) == 2 and dot):
                roles.append("initial")
            elif i and patronymic(word) and self._is_father(matches, i):
                roles.append("patronymic")
            elif len(matches) == 1 and _is_fathered_woman(word):
                # "Ивановна", as one who is known well is called.
                roles.append("patronymic")
            else:
                roles.append("")
        open_ = [i for i, role in enumerate(roles) if not role]
        given = [i for i in open_ if _is_given(matches[i].group())]
        if len(open_) > 1 and len(given) == len(open_):
            # "Иван Роман": one of them is the surname, more likely the last.
            given = given[:-1]
        elif "initial" in roles and len(open_) == 1:
            given = []
        elif len(open_) > 1 and not given:
            # A name in no list before a surname: "Юрген Клинсман".
            first, last = matches[open_[0]], matches[open_[-1]]
            apart = text[first.end() : first.end() + 1].isspace()
            given = open_[:1] if apart and _surname_like(last.group()) else []
        for i in open_:
            roles[i] = "given" if i in given else "family"
        return [
            _Token(m.start(), m.end(), m.group(), role)
            for m, role in zip(matches, roles)
        ]

    @staticmethod
    def _is_father(matches: Sequence[re.Match[str]], i: int) -> bool:
        """Whether a word like a patronymic is one: the third of a name, one with the
        surname behind it, or one that is made of a common name ("Янукович" is not)."""
        if i >= 2 or i + 1 < len(matches):
            return True
        return _is_given(matches[0].group()) and _father_known(matches[i].group())

    def surname(self, word: str) -> _Surname:
        """A surname's stem, how it is declined, and its ending."""
        key = key_of(word)
        if key not in self.surnames:
            self.surnames[key] = self._surname(key)
        return self.surnames[key]

    def _surname(self, key: str) -> _Surname:
        for pattern, kind in ((_OV, "ov"), (_SKY, "sky")):
            match = pattern.fullmatch(key)
            if match and len(match[1]) > 3:
                return _Surname(match[1], kind, match[2])
        if key.endswith("ко"):
            return _Surname(key, "ko", "")
        if re.fullmatch(".{2,}[ыи]х", key):
            return _Surname(key, "yh", "")
        return self._declined(key)

    def _declined(self, key: str) -> _Surname:
        nouns = [
            p
            for p in parses(key)
            if "NOUN" in p.tag or "ADJF" in p.tag or "Surn" in p.tag
        ]
        # The nominative stands somewhere in the text, or it is a surname's form.
        order = sorted(
            nouns,
            key=lambda p: (
                key_of(p.normal_form) not in self.words or p.normal_form == key,
                "Surn" not in p.tag,
                "anim" not in p.tag,
            ),
        )
        for parse in order:
            if "plur" in parse.tag or "Fixd" in parse.tag:
                continue
            base = key_of(parse.normal_form)
            if re.search("[бвгджзклмнпрстфхцчшщ]$", base) and key.startswith(base):
                ending = key[len(base) :]
                if ending in ("", "а", "у", "ом", "ем", "е"):
                    kind = "ich" if base.endswith("ич") else "hard"
                    return _Surname(base, kind, ending)
            if base.endswith("ь") and key.startswith(base[:-1]):
                ending = key[len(base) - 1 :]
                if ending in ("ь", "я", "ю", "ем", "е"):
                    return _Surname(base[:-1], "soft", ending)
            if base.endswith("а") and key.startswith(base[:-1]):
                ending = key[len(base) - 1 :].replace("и", "ы")
                if ending in ("а", "ы", "е", "у", "ой"):
                    return _Surname(base[:-1], "a", ending)
            for end, kind in (("ой", "oy"), ("ый", "yy"), ("ий", "yy")):
                if base.endswith(end) and key.startswith(base[:-2]):
                    ending = key[len(base) - 2 :]
                    masculine = ending in (end, "ого", "ому", "ым", "им", "ом")
                    if masculine or ending in ("ая", "ой", "ую"):
                        ending = ending.replace("им", "ым").replace("ий", "ый")
                        return _Surname(base[:-2], kind, ending)
        return _Surname(key, "fixed", "")

    def new_surname(self, word: str, abroad: bool) -> str:
        """The new surname in the form of the old one."""
        old = self.surname(word)
        new = self.stems.get(old.stem)
        if new is None:
            new = self.stems[old.stem] = self._draw_surname(old, abroad)
        nominative = _NOMINATIVE.get(old.kind, "")
        stem = new[: len(new) - len(nominative)] if nominative else new
        return stem + old.ending

    def _draw_surname(self, old: _Surname, abroad: bool) -> str:
        kind = "abroad" if abroad and old.kind == "hard" else old.kind
        key = old.stem
        known = self.draws.families.get(f"ru {key}")
        if known is not None:
            return known
        rng = self.draws.random_for("person-family", f"ru {key}")
        pool = _ov_surnames() if kind == "ov" else _SURNAMES[kind]
        options = chain(shuffled(pool, rng), self._made(kind, rng))
        new = self._free(options, f"family ru {key}", key)
        self.draws.families[f"ru {key}"] = new
        return new

    def _free(self, options: Iterable[str], owner: str, key: str) -> str:
        """The first name that nobody else of the document has been given; the last of
        all if there is none."""
        name = ""
        for name in options:
            folded = key_of(name)
            if folded[:1] == key[:1] or self.draws.forbidden(name):
                continue
            if self.draws.name_owners.setdefault(folded, owner) == owner:
                break
        return name

    @staticmethod
    def _made(kind: str, rng: random.Random) -> Iterator[str]:
        """Surnames that sound like others, for documents with very many."""
        for length in range(1, 8):
            for _ in range(60):
                stem = "".join(rng.choice(_STEMS) for _ in range(length))
                yield _title(stem.lower() + rng.choice(_MADE_ENDINGS[kind]))

    def new_given(self, lexeme: Lexeme) -> Lexeme:
        """The new given name for one of the original's. Who is called by a short name
        somewhere gets a name that has one, too."""
        known = self.given.get(key_of(lexeme.name))
        if known is not None:
            return known
        full, short = self._full(lexeme)
        gender = lexeme.row[0]
        pairs = _SHORT_MALE if gender == "m" else _SHORT_FEMALE
        rows = given_names().rows
        new = self.given.get(key_of(full))
        if new is None:
            row = f"{gender}/abroad" if lexeme.row.endswith("abroad") else gender
            pool = rows[row]
            if full in pairs:
                pool = [lex for lex in rows[gender] if lex.name in pairs]
                lexeme = next(lex for lex in rows[gender] if lex.name == full)
            father = gender == "m" and father_stem(full) in self.named_fathers
            if father:
                # His children are called after him.
                pool = [x for x in rows["m"] if father_stem(x.name) in _of_fathers()]
            new = (
                self._pick(full, like_pattern(pool, lexeme.forms))
                or self._pick(full, rows[f"{gender}/rare"])
                or self._pick(full, rows[gender], taken=True)
                or rows[gender][0]
            )
            self.given[key_of(full)] = new
        if short is None:
            return new
        called = next(
            (x for x in rows[f"{gender}/short"] if x.name == pairs.get(new.name)), new
        )
        if any(map(self.draws.forbidden, called.forms.values())):
            called = new
        self.given[key_of(short)] = called
        return called

    @staticmethod
    def _full(lexeme: Lexeme) -> tuple[str, str | None]:
        """Full name and, if this is one, the short one."""
        if lexeme.row.endswith("short"):
            pairs = _SHORT_MALE if lexeme.row[0] == "m" else _SHORT_FEMALE
            full = next(f for f, s in pairs.items() if s == lexeme.name)
            return full, lexeme.name
        return lexeme.name, None

    def _pick(
        self, old: str, pool: Sequence[Lexeme], taken: bool = False
    ) -> Lexeme | None:
        key = key_of(old)
        owner = f"given ru {key}"
        rng = self.draws.random_for("person-given", f"ru {key}")
        for lexeme in shuffled(pool, rng):
            name = fold(lexeme.name)
            if name[:1] == key[:1] or any(
                self.draws.forbidden(form) for form in set(lexeme.forms.values())
            ):
                continue
            if taken or self.draws.name_owners.setdefault(name, owner) == owner:
                return lexeme
        return None

    def new_patronymic(self, word: str) -> str:
        """The new patronymic in the form of the old one."""
        old = patronymic(word)
        assert old is not None
        father = old.father
        if father not in self.fathers and father in self.men:
            name = self.new_given(self.men[father]).name
            full = next((f for f, s in _SHORT_MALE.items() if s == name), name)
            stem = _of_fathers().get(father_stem(full))
            if stem is not None:
                self.fathers[father] = stem
        if father not in self.fathers:
            rng = self.draws.random_for("person-father", f"ru {father}")
            options = [
                name
                for name in shuffled(_FATHERS, rng)
                if key_of(name)[:1] != father[:1]
                and not self.draws.forbidden(f"{name}ич")
                and not self.draws.forbidden(f"{name}на")
            ]
            taken = {
                *self.fathers.values(),
                *(_of_fathers().get(father_stem(x.name)) for x in self.given.values()),
            }
            free = [name for name in options if name not in taken]
            self.fathers[father] = (free or options or list(_FATHERS))[0]
        stem = self.fathers[father]
        ending = old.ending.replace("ом", "ем")
        return stem + ("н" if old.feminine else "ич") + ending

    def initial(self, letter: str, stem: str, role: str) -> str:
        """The first letter of the new name that an initial stands for."""
        key = key_of(letter)[:1]
        for given, father in self.bearers.get(stem, ()):
            old = given if role == "given" else father
            if old.startswith(key):
                if role == "given":
                    new = self.given.get(old)
                    if new is not None:
                        return new.name[0]
                elif old in self.fathers:
                    return self.fathers[old][0]
        rng = self.draws.random_for("person-initial", f"ru {stem} {role} {key}")
        letters = [ch for ch in "АБВГДЕИКЛМНОПРСТФЭЮ" if ch.lower() != key]
        return rng.choice(letters)


_NOMINATIVE = {"sky": "ий", "soft": "ь", "a": "а", "oy": "ой", "yy": "ый"}
# Of women, where surnames have a form for them.
_NOMINATIVES_OF_WOMEN = {
    "ov": ("а",),
    "sky": ("ая",),
    "oy": ("ая",),
    "yy": ("ая",),
}
_STEMS = listed(
    "Гав,Дуб,Зар,Кал,Лаз,Луг,Мар,Нор,Рад,Руд,Сав,Сил,Тар,Тих,Чел,Шад,Яр,Бер,Вер,Гор,Кор,"
    "Лип,Мал,Пол,Род,Сад,Стар,Том,Храп,Цвет"
)


_MADE_ENDINGS: dict[str, tuple[str, ...]] = {
    "ov": ("ов", "ин"),
    "sky": ("овский", "инский"),
    "hard": ("чук", "юк"),
    "abroad": ("сон", "ман", "берг"),
    "ich": ("евич", "кевич"),
    "soft": ("арь", "ель"),
    "a": ("ина", "ода", "уба"),
    "ko": ("енко", "ченко"),
    "yh": ("ых",),
    "oy": ("овой",),
    "yy": ("ный",),
    "fixed": ("етти", "ини"),
}


def _father_known(word: str) -> bool:
    found = patronymic(word)
    if found is None:
        return False
    start = found.father[:3]
    return any(key_of(name).startswith(start) for name in _MALE) or start in (
        "ник",
        "луки",
        "фом",
        "кузь",
    )


def _is_fathered_woman(word: str) -> bool:
    found = patronymic(word)
    if found is None or not found.feminine:
        return False
    # No surname of a village: "Ивановна", but not "Дубовна".
    return any(father_stem(name) == found.father for name in _MALE)


def _surname_like(word: str) -> bool:
    return word[:1].isupper() and len(word) > 2


def _cases_of(surname: _Surname, female: bool) -> tuple[str, ...]:
    if surname.kind not in ("ov", "hard", "abroad", "ich"):
        return ()
    table = _ENDING_CASES["femn" if female else "masc"]
    ending = surname.ending.replace("ом", "ым").replace("ем", "ым")
    return tuple(table.get(ending, "").split())


def replace_persons(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New names for the persons of a Russian document.

    Names in Cyrillic letters keep gender, case, order and initials; others are replaced
    as `persons.replace_persons` does.

    mentions (Sequence[Mention]): All mentions of persons, in document order.
    draws (Draws): The document's draws; `name_map` is filled with old and new names in
        Latin letters, for addresses.
    RETURNS (list[str]): One text a mention.
    """
    from ...surrogates import persons

    latin = [i for i, m in enumerate(mentions) if not _CYRILLIC.search(m.text)]
    out = [""] * len(mentions)
    if latin:
        found = persons.replace_persons([mentions[i] for i in latin], draws)
        for i, text in zip(latin, found):
            out[i] = text
    where = [i for i in range(len(mentions)) if not out[i]]
    names = _Names(draws, [mentions[i] for i in where])
    parsed = {i: names.tokens(mentions[i].text) for i in where}
    _note_bearers(names, parsed.values())
    by_text: dict[tuple[str, str], str] = {}
    # The longest first: initials follow full names.
    for i in sorted(where, key=lambda i: -len(mentions[i].text)):
        mention = mentions[i]
        key = mention.text, " ".join(governed(mention.before))
        if key not in by_text:
            by_text[key] = _render(mention, parsed[i], names)
        out[i] = by_text[key]
    for token, lexeme in names.given.items():
        _map(draws, token, lexeme.name)
    for old in {surname.stem: surname for surname in names.surnames.values()}.values():
        new = names.stems.get(old.stem)
        if new is None:
            continue
        # Addresses have nominatives, of men and of women.
        ending = _NOMINATIVE.get(old.kind, "")
        stem = new[: len(new) - len(ending)] if ending else new
        for end in (ending, *_NOMINATIVES_OF_WOMEN.get(old.kind, ())):
            _map(draws, old.stem + end, stem + end)
        _map(draws, old.stem, new)
    return out


def _map(draws: Draws, old: str, new: str) -> None:
    from ...surrogates.persons import romanise

    name_map = draws.name_map
    name_map.setdefault(old, new)
    latin, new = fold(romanise(old)), fold(romanise(new))
    name_map.setdefault(latin, new)
    name_map.setdefault(latin_key(latin), new)
    first, new_first = fold(romanise(old[:1])), fold(romanise(new[:1]))
    if len(first) > 1:
        # "Ю." is "yu." in addresses.
        name_map.setdefault(first, new_first)
        name_map.setdefault(latin_key(first), new_first)


def _note_bearers(names: _Names, parsed: Iterable[Sequence[_Token]]) -> None:
    for tokens in parsed:
        stem = given = father = ""
        for token in tokens:
            if token.role == "family":
                stem = names.surname(token.text).stem
            elif token.role == "given" and not given:
                found = _given(token.text)
                given = key_of(found[0][0].name) if found else ""
                for lexeme, _ in found:
                    if lexeme.row.startswith("m"):
                        full = next(
                            (f for f, s in _SHORT_MALE.items() if s == lexeme.name),
                            lexeme.name,
                        )
                        names.men.setdefault(father_stem(full), lexeme)
            elif token.role == "patronymic":
                made = patronymic(token.text)
                father = made.father if made else ""
                names.named_fathers.add(father)
        if stem and (given or father):
            names.bearers.setdefault(stem, []).append((given, father))


def _render(mention: Mention, tokens: Sequence[_Token], names: _Names) -> str:
    text = mention.text
    families = [t for t in tokens if t.role == "family"]
    found = [_given(t.text) for t in tokens if t.role == "given"]
    rows = {lexeme.row for options in found for lexeme, _ in options[:1]}
    female = any(row[0] == "f" for row in rows) or bool(
        not rows and _SHE.search(mention.before + " | " + mention.after)
    )
    stem = names.surname(families[-1].text).stem if families else ""
    home = all(names.surname(t.text).kind in ("ov", "sky") for t in families)
    fathered = any(t.role == "patronymic" for t in tokens)
    abroad = not (
        fathered or any("/" not in row for row in rows) or (home and families)
    )
    if not rows and families:
        # A lone surname: as foreign as its ending.
        key = names.surname(families[-1].text).stem
        abroad = not re.search("(?:[чнл][уюи]к|ич|ар|як)$", key)
    allowed = governed(mention.before)
    new: dict[int, str] = {}
    for token in sorted(tokens, key=lambda t: t.role == "initial"):
        if token.role == "family":
            made = names.new_surname(token.text, abroad)
        elif token.role == "patronymic":
            made = names.new_patronymic(token.text)
        elif token.role == "given":
            made = _render_given(token, names, families, female, allowed)
        elif token.role == "initial":
            seen = [t for t in tokens if t.role == "initial" and t.start < token.start]
            role = "given" if not seen and not found else "father"
            made = names.initial(token.text, stem, role)
        else:
            continue
        new[token.start] = match_case(_title(made), token.text)
    pieces = []
    position = 0
    for token in tokens:
        if token.start in new:
            pieces += [text[position : token.start], new[token.start]]
            position = token.end
    result = "".join([*pieces, text[position:]])
    if normalise(result) == normalise(text) or names.draws.forbidden(result):
        return _again(mention, tokens, names)
    return result


def _again(mention: Mention, tokens: Sequence[_Token], names: _Names) -> str:
    """Another name where the first one may not be used: without title or patronymic,
    the name drawn anew."""
    kept = [t for t in tokens if t.role in ("given", "family")] or list(tokens)
    key = normalise(mention.text)
    rng = names.draws.random_for("russian-person/again", key)
    for _ in range(40):
        words = []
        for token in kept:
            old = names.surname(token.text)
            kind = "ov" if token.role == "given" else old.kind
            pool = _ov_surnames() if kind == "ov" else _SURNAMES[kind]
            stem = rng.choice(pool)
            cut = len(_NOMINATIVE.get(kind, ""))
            stem = stem[: len(stem) - cut] if cut else stem
            words.append(stem + (old.ending if kind == old.kind else ""))
        made = " ".join(words)
        if names.draws.usable(made, key):
            return names.draws.claim(made, key)
    return names.draws.invent("person", key, like=mention.text)


def _render_given(
    token: _Token,
    names: _Names,
    families: Sequence[_Token],
    female: bool,
    allowed: Sequence[str],
) -> str:
    options = _given(token.text)
    if not options:
        return _unknown_given(token, names, families, female, allowed)
    # Surname and preposition tell cases apart that look alike, and "Александра" (she)
    # from "Александра" (of him).
    best: tuple[int, Lexeme, tuple[str, ...]] | None = None
    for lexeme, keys in options:
        fits = 0
        for family in families:
            cases = _cases_of(names.surname(family.text), lexeme.row[0] == "f")
            if set(cases) & set(keys):
                keys, fits = narrowed(keys, cases), fits + 2
        if set(allowed) & set(keys):
            keys, fits = narrowed(keys, allowed), fits + 1
        name = key_of(lexeme.name)
        if name != key_of(token.text) and (name in names.words or name in names.given):
            # Somebody of that name is there: "Александра" is his.
            fits += 2
        if "nomn" in keys and "/" not in lexeme.row:
            fits += 1
        if best is None or fits > best[0]:
            best = fits, lexeme, keys
    assert best is not None
    _, lexeme, keys = best
    new = names.new_given(lexeme)
    return next(in_form([new], keys))


def _unknown_given(
    token: _Token,
    names: _Names,
    families: Sequence[_Token],
    female: bool,
    allowed: Sequence[str],
) -> str:
    """A name in no list, declined by its ending."""
    key = key_of(token.text)
    cases: tuple[str, ...] = ()
    for family in families:
        cases = cases or _cases_of(names.surname(family.text), female)
    cases = cases or ("nomn",)
    if allowed:
        cases = narrowed(cases, allowed)
    stem = re.sub("(?:ом|ем|ой|ей|а|у|ы|и|е|я|ю|ь|й)$", "", key) or key
    forms = dict.fromkeys(CASES, token.text)
    row = ("f" if female else "m") + "/abroad"
    new = names.new_given(Lexeme(stem, row, forms))
    return next(in_form([new], cases))


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]
