"""Synthetic German documents: names, places, numbers and dates as German writes them.

Titles and forms of address ("Frau Dr.") stand outside a person's mention, articles
outside a place's. A genitive is labelled as a whole ("Annas"), and so is a compound
with a name in it ("Merkel-Besuch").
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import ClassVar

from ...schema import DIRECT, NO_MASK, QUASI
from .german_words import (
    Noun,
    article,
    compound,
    demonym,
    genitive,
    inflect,
    lexicon,
    noun_phrase,
    pick_adjective,
    pick_noun,
    read_table,
    weak_verb,
)
from .grammar import Part, Piece
from .names import (
    Culture,
    Person,
    Place,
    ascii_fold,
    coin_name,
    cultures,
    make_faker,
    name_parts,
    romanize,
    street_parts,
)
from .rough import Roughness
from .world import World

KINDS: dict[str, float] = {
    "email": 11,
    "letter": 5,
    "clinical": 8,
    "court": 6,
    "ticket": 5,
    "form": 5,
    "chat": 5,
    "essay": 5,
    "post": 6,
    "news": 24,
    "encyclopedia": 28,
    "product": 4,
    "manual": 4,
}

MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()
DAYS = "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()
_ONES = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
    "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
).split()
_TENS = "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()


def in_words(n: int) -> str:
    """A number below one hundred in German words."""
    if n < 20:
        return _ONES[n]
    if n >= 100:
        return str(n)
    ones = _ONES[n % 10].removesuffix("s") if n % 10 == 1 else _ONES[n % 10]
    return (f"{ones}und" if n % 10 else "") + _TENS[n // 10]


DATE_FORMATS: dict[str, Callable[[date], str]] = {
    "dots": lambda d: f"{d.day:02}.{d.month:02}.{d.year}",
    "long": lambda d: f"{d.day}. {MONTHS[d.month - 1]} {d.year}",
    "dots_bare": lambda d: f"{d.day}.{d.month}.{d.year}",
    "dots_short": lambda d: f"{d.day:02}.{d.month:02}.{d.year % 100:02}",
    "long_short": lambda d: f"{d.day}. {MONTHS[d.month - 1][:3]}. {d.year}",
    "spaced": lambda d: f"{d.day}. {d.month}. {d.year}",
    "iso": lambda d: d.isoformat(),
    "zero": lambda d: f"{d.day:02}. {MONTHS[d.month - 1]} {d.year}",
    "slash": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
}
DAY_FORMATS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d.day}. {MONTHS[d.month - 1]}",
    lambda d: f"{d.day:02}.{d.month:02}.",
    lambda d: f"{d.day}.{d.month}.",
    lambda d: f"{d.day:02}. {MONTHS[d.month - 1]}",
    lambda d: f"{d.day}. {MONTHS[d.month - 1][:3]}",
)

# Given name -> what friends call the person.
NICKNAMES = {
    "Alexander": "Alex", "Alexandra": "Alex", "Andreas": "Andi", "Angelika": "Geli",
    "Anna": "Anni", "Barbara": "Babsi", "Benjamin": "Benni", "Bernhard": "Berni",
    "Christian": "Chris", "Christine": "Tine", "Daniel": "Dani", "Daniela": "Dani",
    "Dominik": "Domi", "Elisabeth": "Lisi", "Florian": "Flo", "Franziska": "Franzi",
    "Friederike": "Rike", "Gabriele": "Gabi", "Günther": "Günni", "Hannelore": "Hanni",
    "Johanna": "Hanna", "Johannes": "Hannes", "Josef": "Sepp", "Julia": "Jule",
    "Karl-Heinz": "Kalle", "Katharina": "Kathi", "Klaus": "Klausi", "Ludwig": "Wiggerl",
    "Manfred": "Manni", "Maria": "Mia", "Markus": "Max", "Matthias": "Matze",
    "Maximilian": "Maxi", "Michael": "Micha", "Michaela": "Michi", "Nicole": "Nici",
    "Oliver": "Olli", "Patrick": "Pat", "Philipp": "Phil", "Reinhard": "Reini",
    "Sabine": "Bine", "Sandra": "Sandi", "Sebastian": "Basti", "Simone": "Moni",
    "Stefan": "Steff", "Stefanie": "Steffi", "Susanne": "Susi", "Thomas": "Tom",
    "Tobias": "Tobi", "Ulrich": "Uli", "Ursula": "Uschi", "Veronika": "Vroni",
    "Wolfgang": "Wolfi",
}  # fmt: skip

PRONOUNS = {
    "er": ("er", "sie"), "ihm": ("ihm", "ihr"), "ihn": ("ihn", "sie"),
    "sein": ("sein", "ihr"), "seine": ("seine", "ihre"), "seinen": ("seinen", "ihren"),
    "seinem": ("seinem", "ihrem"), "seiner": ("seiner", "ihrer"),
    "seines": ("seines", "ihres"), "der": ("der", "die"), "den": ("den", "die"),
    "dem": ("dem", "der"), "des": ("des", "der"), "ein": ("ein", "eine"),
    "einen": ("einen", "eine"), "einem": ("einem", "einer"), "in": ("", "in"),
    "en_in": ("en", "in"), "e": ("", "e"), "r": ("r", ""), "n": ("n", ""), "er_e": ("er", "e"),
    "herr": ("Herr", "Frau"), "herrn": ("Herrn", "Frau"), "m": ("m", "w"),
    "geehrt": ("geehrter Herr", "geehrte Frau"), "lieb": ("lieber", "liebe"),
    "mann": ("Mann", "Frau"), "junge": ("Junge", "Mädchen"),
    "ehemann": ("Ehemann", "Ehefrau"), "vater": ("Vater", "Mutter"),
    "sohn": ("Sohn", "Tochter"), "bruder": ("Bruder", "Schwester"),
    "witwer": ("Witwer", "Witwe"), "enkel": ("Enkel", "Enkelin"),
    "onkel": ("Onkel", "Tante"), "neffe": ("Neffe", "Nichte"),
    "maennlich": ("männlich", "weiblich"), "neuer": ("neuer", "neue"),
}  # fmt: skip

# Cyrillic as German newspapers write it, where that differs from the passports.
_GERMAN_CYRILLIC = (
    ("Yev", "Jew"), ("yev", "jew"), ("shch", "schtsch"), ("Shch", "Schtsch"),
    ("kh", "ch"), ("Kh", "Ch"), ("ts", "z"), ("Ts", "Z"), ("zh", "sch"), ("Zh", "Sch"),
    ("sh", "sch"), ("Sh", "Sch"), ("ch", "tsch"), ("Ch", "Tsch"), ("yu", "ju"),
    ("Yu", "Ju"), ("ya", "ja"), ("Ya", "Ja"), ("ye", "je"), ("Ye", "Je"), ("v", "w"),
    ("V", "W"), ("z", "s"), ("Z", "S"), ("y", "i"),
)  # fmt: skip
_CYRILLIC_TOKEN = re.compile(
    "|".join(sorted({a for a, _ in _GERMAN_CYRILLIC}, key=len, reverse=True))
)


def german_cyrillic(name: str) -> str:
    """A name in Cyrillic as German newspapers write it."""
    change = dict(_GERMAN_CYRILLIC)
    text = _CYRILLIC_TOKEN.sub(lambda m: change[m.group()], romanize(name))
    return re.sub(r"ii$", "i", text)


@cache
def pools() -> dict[str, Culture]:
    """Names by culture in German spelling: Faker's, the common lists and those of
    `templates/de/names.txt`."""
    found = dict(cultures())
    for culture in ("ru", "uk", "bg"):
        fake = make_faker({"ru": "ru_RU", "uk": "uk_UA", "bg": "bg_BG"}[culture])
        fake.random = random.Random(0)
        makers = (fake.first_name_male, fake.first_name_female, fake.last_name)
        found[culture] = Culture(
            *([german_cyrillic(make()) for _ in range(300)] for make in makers)
        )
    provider = make_faker("de_CH").get_providers()
    swiss = next(p for p in provider if hasattr(p, "last_names"))
    found["de_CH"] = Culture(
        list(swiss.first_names_male), list(swiss.first_names_female),
        list(swiss.last_names),
    )  # fmt: skip
    for names, *cells in read_table("names"):
        added = Culture(*(cell.split(",") for cell in cells))
        for name in names.split(","):
            old = found.get(name, Culture((), (), ()))
            # A short list stands beside Faker's with a weight of its own.
            factor = max(1, len(old.last) // (2 * len(added.last)))
            found[name] = Culture(
                *([*a, *list(b) * factor] for a, b in zip(old, added, strict=True))
            )
    return found


@cache
def geography() -> dict[str, list[str]]:
    """Towns, regions, rivers and so on from `templates/de/geography.txt`, and towns of
    the German-speaking countries that Faker knows."""
    found = {kind: names.split(",") for kind, names in read_table("geography")}
    known = dict.fromkeys(found["stadt"])
    for locale in ("de_DE", "de_AT", "de_CH"):
        for provider in make_faker(locale).get_providers():
            known.update(dict.fromkeys(getattr(provider, "cities", ())))
    found["stadt"] = [town for town in known if town and not town.endswith(".")]
    return found


@cache
def figures() -> list[str]:
    """Names used as they are: rulers, saints, figures of fiction, stage names."""
    return [name for (line,) in read_table("figures") for name in line.split(",")]


@cache
def jobs() -> tuple[list[str], list[str]]:
    """Occupations of men and of women."""
    provider = make_faker("de_AT").get_providers()
    source = next(p for p in provider if hasattr(p, "jobs_male"))
    plain = re.compile(r"[^\W\d_]+(-[^\W\d_]+)?")
    return (
        [job for job in source.jobs_male if plain.fullmatch(job)],
        [job for job in source.jobs_female if plain.fullmatch(job)],
    )


def split_article(name: str) -> tuple[str, str]:
    """The article before a place's name."""
    first, _, rest = name.partition(" ")
    if first not in ("der", "die", "das") or not rest:
        return "", name
    plural = re.search(r"(Staaten|USA|Niederlande|Philippinen|Emirate|Alpen|Anden|"
                       r"Karpaten|Vogesen|Pyrenäen|Dolomiten|Mountains|Élysées)$", rest)  # fmt: skip
    gender = {"der": "m", "die": "f", "das": "n"}[first]
    return ("p" if plural else gender), rest


def decline_place(name: str, case: str) -> str:
    """A place's name after its article in a case: "im Schwarzen Meer"."""
    words = name.split(" ")
    if case in ("dat", "gen") and len(words) > 1:
        words = [
            re.sub(r"(?<=[a-zß])(er|es|e)$", "en", word)
            if re.search(r"(?:[a-z]te|sche|gelbe|indische|nahe|mittlere|ferne|alte|"
                         r"schwarze|weiße|rote|hohe|persische|kaspische|lübecker)"
                         r"[rs]?$", word.lower()) and word[0].isupper()
            else word
            for word in words[:-1]
        ] + words[-1:]  # fmt: skip
    return " ".join(words)


# Preposition -> case, and its contractions with the article.
_CONTRACTIONS = {
    "in dem": "im", "an dem": "am", "zu dem": "zum", "zu der": "zur", "von dem": "vom",
    "bei dem": "beim", "in das": "ins", "an das": "ans",
}  # fmt: skip


class GermanWorld(World):
    """Everybody and everything in one German document.

    rng (random.Random): Source of randomness.
    kind (str): Kind of document, names the template file.
    locales (Sequence[str]): Faker locales that persons and places come from.
    """

    folder = "de"
    kinds: Mapping[str, float] = KINDS
    pronouns = PRONOUNS
    nicknames = NICKNAMES
    date_formats = DATE_FORMATS
    day_formats = DAY_FORMATS
    long_formats: Mapping[str, float] = {"long": 6, "dots": 5, "zero": 1}
    months = MONTHS
    days = DAYS
    titles: Mapping[str, Sequence[str]] = {"m": ("", ""), "f": ("", "")}
    role_titles: Mapping[str, Sequence[str]] = {
        "d": ("Dr.", "Dr. med.", "Prof. Dr.", "Dr.", "Prof. Dr. med.", "PD Dr."),
        "j": ("Dr.", "", "", ""),
    }
    rare_titles: Sequence[str] = ("Dr.", "Prof.", "Prof. Dr.", "Dr.", "Dipl.-Ing.")
    ranks: Sequence[str] = (
        "Präsident|Bundeskanzler|Ministerpräsident|Außenminister|Innenminister|"
        "Finanzminister|Bürgermeister|Oberbürgermeister|Kanzler|Trainer|Regisseur|"
        "Schauspieler|Schriftsteller|Senator|Staatssekretär|Kommissar|Pfarrer|Bischof|"
        "Papst|König|Kaiser|Herzog|General|Professor|Architekt|Autor|Sänger|Torhüter|"
        "Stürmer|Kapitän|Parteichef|Fraktionschef|Vorstandschef|Geschäftsführer|Richter|"
        "Sprecher|Rechtsanwalt|Komponist|Maler|Dirigent|Moderator|Bundestrainer|"
        "Verteidigungsminister|Generalsekretär|Abgeordneter".split("|")
    )
    degrees: Sequence[str] = ("M.A.", "B.Sc.", "M.Sc.", "MBA", "LL.M.", "Dipl.-Kfm.")
    roughness: Mapping[str, Roughness] = {
        "chat": Roughness(lower=0.5, typos=0.6, drop_punct=0.4, wrap=0.0, curly=0.1),
        "post": Roughness(lower=0.3, caps_all=0.03, typos=0.4, drop_punct=0.3, wrap=0.0,
                          spaced=0.3),
        "court": Roughness(lower=0.03, caps_names=0.1, typos=0.1, drop_punct=0.02),
        "encyclopedia": Roughness(lower=0.02, caps_names=0.01, caps_all=0.005, typos=0.08,
                                  drop_punct=0.02, wrap=0.05, spaced=0.4),
        "news": Roughness(lower=0.03, caps_names=0.02, typos=0.08, drop_punct=0.02,
                          wrap=0.05, spaced=0.4),
        "clinical": Roughness(lower=0.1, caps_names=0.15, caps_all=0.03, typos=0.4),
        "form": Roughness(lower=0.06, caps_names=0.15, caps_all=0.04, wrap=0.02),
        "essay": Roughness(lower=0.08, typos=0.4, wrap=0.1),
        "ticket": Roughness(lower=0.15, typos=0.5, wrap=0.05),
        "email": Roughness(lower=0.12, typos=0.35),
    }  # fmt: skip

    # Share of documents and of people at home in the German-speaking countries.
    home = 0.6
    # Share of places that are among the most frequent of their kind.
    famous = 0.25
    _mixed: ClassVar[frozenset[str]] = frozenset({"news", "encyclopedia", "post"})

    def __init__(
        self, rng: random.Random, kind: str, locales: Sequence[str] = ()
    ) -> None:
        super().__init__(rng, kind, locales)
        if not locales and rng.random() < self.home:
            self.place = rng.choices(self.places[:3], (8, 1, 1))[0]

    def pools(self) -> dict[str, Culture]:
        return pools()

    def in_words(self, n: int) -> str:
        return in_words(n)

    # People

    def person(self, role: str) -> Person:
        """The person in a role; roles `f...` are women and `m...` men."""
        while role not in self.people:
            person = self._make_person(role)
            if role[0] not in "fm" or role[0] == person.gender:
                self.people[role] = person
        return self.people[role]

    def _origin(self, subject: Person | None) -> tuple[Place, str]:
        place, culture = super()._origin(subject)
        if subject is None and place is self.places[0] and self.rng.random() < 0.04:
            culture = "noble"
        return place, culture if culture in pools() else "en_US"

    def _given_variant(self, given: str, names: Sequence[str], culture: str) -> str:
        if culture.startswith("de_") and self.rng.random() < 0.06:
            other = self.rng.choice(names)
            if "-" not in given + other:
                return f"{given}-{other}"
        if self.kind in self._mixed and self.rng.random() < 0.02:
            return f"{given[0]}."
        return given

    def _surname(self, pool: Culture, culture: str) -> str:
        rng = self.rng
        last = rng.choice(pool.last)
        draw = rng.random()
        if culture == "noble":
            return last
        if draw < 0.15 and culture.startswith("de_"):
            return coin_name(rng, pool.last)
        if draw < 0.2:
            return coin_name(rng, pool.last)
        if draw < 0.23 and " " not in last and "-" not in last:
            other = rng.choice(pool.last)
            return last if " " in other or "-" in other else f"{last}-{other}"
        return last

    def _patronymic(self, pool: Culture, gender: str) -> str:
        base = self.rng.choice(pool.male)
        if base[-1] in "aeiouyj":
            return base[:-1] + ("jewitsch" if gender == "m" else "jewna")
        return base + ("owitsch" if gender == "m" else "owna")

    def person_form(self, person: Person, form: str) -> list[Piece]:
        before = self._before(person, form)
        if before is None:
            return super().person_form(person, form)
        rest = "last" if form == "anrede" else form[1:]
        name = self._named(person, getattr(self, f"name_{rest}")(person), form)
        return [Piece(before), *name] if before else name

    def _before(self, p: Person, form: str) -> str | None:
        """What stands before a name and is no part of it."""
        if form == "anrede":
            return f"{p.title} " if p.title else ""
        if form == "dlast":
            return f"{p.title or self.rng.choice(self.role_titles['d'])} "
        if form[1:] not in ("last", "full", "plain", "init") or form[0] not in "thr":
            return None
        if form[0] == "r":
            return f"{self._gendered_rank(p)} "
        word = PRONOUNS["herrn" if form[0] == "h" else "herr"][p.female]
        return " ".join(filter(None, (word, p.title))) + " "

    def _named(self, person: Person, text: str, form: str) -> list[Piece]:
        last_only = form.endswith("last") or form == "anrede"
        subtype = "FAMILY_NAME" if last_only else "FULL_NAME"
        ident = DIRECT if person.subject else QUASI
        parts = name_parts(person, text)
        key = f"p:{person.role}"
        return [Piece(text, "PERSON", subtype, ident, key, person.role, parts, text)]

    def _gendered_rank(self, p: Person) -> str:
        rank = self._rank()
        if not p.female:
            return rank
        if rank == "Abgeordneter":
            return "Abgeordnete"
        if rank in ("Papst", "Rechtsanwalt"):
            return "Rechtsanwältin"
        return f"{rank}in"

    def _any_form(self, p: Person) -> str:
        forms = ("last", "tlast", "first", "full", "plain", "init")
        if "any" not in p.memo:
            p.memo["any"] = self.rng.choices(forms, (5, 4, 4, 2, 3, 0.5))[0]
        return p.memo["any"] if self.rng.random() < 0.7 else self.rng.choice(forms)

    def _also(self, p: Person, base: str, text: str) -> str:
        """Let the parts of a mention know another form of a name."""
        known = p.others if base == p.last else p.nicks
        if text not in known:
            known.append(text)
        return text

    def name_glast(self, p: Person) -> str:
        return self._also(p, p.last, genitive(p.last))

    def name_gfirst(self, p: Person) -> str:
        return self._also(p, p.given, genitive(p.given))

    def name_gplain(self, p: Person) -> str:
        if p.family_first:
            return f"{p.last} {self.name_gfirst(p)}"
        return f"{p.given} {self.name_glast(p)}"

    def name_family(self, p: Person) -> str:
        """The family as a whole: "die Meyers"."""
        return self._also(p, p.last, genitive(p.last))

    def name_alias(self, p: Person) -> str:
        last = self.name_maiden(p).split()[-1]
        return f"{self.name_nick(p)} {last}"

    def name_quoted(self, p: Person) -> str:
        nick = self.rng.choice(list(self.nicknames.values()))
        return f"{p.given} „{nick}“ {p.last}"

    def datum_job(self, p: Person) -> list[Piece]:
        text = self.rng.choice(jobs()[p.female])
        return self._dem(text, "OCCUPATION", QUASI if p.subject else NO_MASK)

    def datum_nat(self, p: Person) -> list[Piece]:
        return self._people(p.place, p.female, p.subject)

    def _people(self, place: Place, female: bool, subject: bool) -> list[Piece]:
        word = place.demonym.split("/")[2 if female else 1]
        return self._dem(word, "NATIONALITY", QUASI if subject else NO_MASK)

    def _adjective(self, place: Place, ending: str) -> list[Piece]:
        return self._dem(place.demonym.split("/")[0] + ending, "NATIONALITY")

    def datum_nationality(self, p: Person) -> list[Piece]:
        return self._adjective(p.place, "")

    def datum_aged(self, p: Person) -> list[Piece]:
        return self._dem(f"{p.memo['years_old']}-jährige", "AGE", QUASI)

    def datum_years(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = in_words(age) if self.rng.random() < 0.15 else str(age)
        return self._dem(f"{text} Jahre alt", "AGE", QUASI)

    def datum_yo(self, p: Person) -> list[Piece]:
        age = p.memo["years_old"]
        text = self.rng.choice(
            [f"{age} J.", f"{age}J", f"{age}-jährig", f"{age}jährig"]
        )
        return self._dem(text, "AGE", QUASI)

    def datum_country(self, p: Person) -> list[Piece]:
        return self._with_article(p.place.country, "nom", "COUNTRY")

    # Numbers of persons and things

    def _phone(self, place: Place) -> str:
        rng = self.rng
        d = "".join(rng.choices("0123456789", k=12))
        area = rng.choice(
            "30 40 69 89 211 221 228 231 341 351 511 711 2151 3641 4321 5121 6221 7071 "
            "8031 9131 33203 4822".split()
        )
        if place.demonym.startswith("österr"):
            code, area = "+43", rng.choice("1 316 512 662 732 664 676 699".split())
        elif place.demonym.startswith("schweiz"):
            code, area = "+41", rng.choice("44 31 61 22 71 76 78 79".split())
        else:
            code = "+49"
        mobile = rng.choice(
            "151 152 157 160 162 170 171 172 173 175 176 177 179".split()
        )
        number = d[: rng.randint(5, 8)]
        return rng.choice(
            [
                f"0{area} {number}", f"0{area}/{number}", f"0{area}-{number}",
                f"(0{area}) {number}", f"{code} {area} {number}",
                f"{code} (0){area} {number}", f"{code}{area}{number}",
                f"00{code[1:]} {area} {d[:3]} {d[3:6]}",
                f"0{area} / {d[:2]} {d[2:4]} {d[4:6]}", f"0{area} {d[:4]}-{d[4:6]}",
                f"0{mobile} {d[:7]}", f"0{mobile}/{d[:8]}", f"0{mobile}-{d[:7]}",
                f"+49 {mobile} {d[:7]}", f"0{mobile} {d[:3]} {d[3:5]} {d[5:7]}",
            ]
        )  # fmt: skip

    def _nid(self) -> str:
        return self._digits(
            self.rng.choice(
                ["%# ### ### ###", "%##########", "%# ###### ? ###", "%#######?###",
                 "%### ######", "756.%###.####.##", "L%?##?????"]
            )
        )  # fmt: skip

    def datum_nid(self, p: Person) -> list[Piece]:
        return self._code(p, self._nid(), "NATIONAL_ID", DIRECT)

    def datum_taxid(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["%# ### ### ###", "%##########", "%##/###/#####"])
        return self._code(p, self._digits(pattern), "TAX_ID", DIRECT)

    def slot_vatid(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["DE%########", "DE %## ### ###", "ATU%#######", "CHE-%##.###.### MWST"]
        )
        return self._code(None, self._digits(pattern), "TAX_ID")

    def slot_hrb(self) -> list[Piece]:
        pattern = self.rng.choice(["HRB %####", "HRB %###", "HRA %####", "VR %###"])
        return self._code(None, self._digits(pattern), "RECORD_NUMBER")

    def datum_kvnr(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["?%########", "? ### ### ###"])
        return self._code(p, self._digits(pattern), "HEALTH_ID", DIRECT)

    def datum_mrn(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["%#######", "%######", "20##-%####", "P-%#####"])
        return self._code(p, self._digits(pattern), "HEALTH_ID", DIRECT)

    def datum_plate(self, p: Person) -> list[Piece]:
        district = self.rng.choice(
            "B HH M K F S D DO E HB L DD H N DU BO W BI BN MS MA KA A WI MG GE BS AC KI "
            "C HAL MD FR KR ER MZ HL EF HRO KS HA P SB WES RE MTK OF LB ES TÜ FN".split()
        )
        letters = self._digits(self.rng.choice(["?", "??"]))
        sep = self.rng.choice(["-", " ", "-", ":"])
        digits = self._digits(self.rng.choice(["%#", "%##", "%###"]))
        return self._code(p, f"{district}{sep}{letters} {digits}", "PLATE", DIRECT)

    def datum_iban(self, p: Person) -> list[Piece]:
        locale = self.rng.choice(["de_DE", "de_DE", "de_DE", "de_AT", "de_CH"])
        text = self._fake(locale).iban()
        if self.rng.random() < 0.6:
            text = " ".join(text[i : i + 4] for i in range(0, len(text), 4))
        return self._code(p, text, "IBAN", DIRECT)

    def datum_account(self, p: Person) -> list[Piece]:
        pattern = self.rng.choice(["%#########", "%######", "%## ### ###", "KD-%#####"])
        return self._code(p, self._digits(pattern), "ACCOUNT", DIRECT)

    def slot_caseno(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["%# O %##/##", "% U %##/##", "? ZR %#/##", "% StR %##/##", "%## C %###/##",
             "% K %##/##", "?? ? %/##", "% AZR %##/##", "S %# AS %###/##", "% BvR %##/##",
             "%## Js %####/##", "%# F %##/##", "? S %##/##"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "CASE_NUMBER", DIRECT)

    def slot_fileno(self) -> list[Piece]:
        pieces = self.slot_caseno()
        return self._code(None, pieces[0].text, "FILE_NUMBER")

    def slot_ref(self) -> list[Piece]:
        pattern = self.rng.choice(
            ["RE-20##-%###", "%######", "KD-%####", "AB%#####", "20##/%###", "T-%####",
             "INC%######", "RG%#####", "B-%###-##", "%########"]
        )  # fmt: skip
        return self._code(None, self._digits(pattern), "RECORD_NUMBER")

    # Addresses

    def _street(self, place: Place) -> str:
        if place not in self.places[:4] and self.rng.random() < 0.5:
            return super()._street(place)
        return f"{self._street_name()} {self._house_number()}"

    def _house_number(self) -> str:
        n = self.rng.randint(1, 190)
        return self.rng.choice(
            [f"{n}", f"{n}", f"{n}", f"{n}{self.rng.choice('abcdef')}",
             f"{n} {self.rng.choice('abc')}", f"{n}-{n + 2}", f"{n}/{n % 7 + 1}"]
        )  # fmt: skip

    def _street_name(self) -> str:
        rng = self.rng
        pool = pools()["de_DE"]
        person = rng.choice([*pool.last[:400], *pool.male[:100]])
        ending = rng.choice(
            "straße straße straße str. str. weg weg gasse allee platz ring damm ufer "
            "steig strasse stieg markt".split()
        )
        capital = ending[:1].upper() + ending[1:]
        simple = rng.choice(
            "Haupt Bahnhof Garten Schul Berg Linden Kirch Wald Ring Post Dorf Wiesen "
            "Feld Mühlen Rosen Birken Eichen Tannen Ahorn Buchen Sonnen Blumen Park "
            "Friedhofs Markt Schloss Burg Brunnen Mozart Schiller Goethe Beethoven Bach "
            "Bismarck Kant Lessing Hebel Uhland Brüder Königs Kaiser Turm Hafen Industrie "
            "Gewerbe Mittel Nord Süd Ost West Lange Stein Sand Drossel Amsel Finken "
            "Lerchen Meisen Eschen Erlen Kastanien Ulmen Flieder Tulpen Veilchen".split()
        )
        from_town = demonym(self._town()) or "Berliner"
        return rng.choice(
            [
                f"{simple}{ending}", f"{simple}{ending}", f"{simple}{ending}",
                f"{from_town} {capital}", f"{person}{ending}",
                f"{rng.choice(pool.male[:100])}-{person}-{capital}",
                f"Am {simple}{rng.choice('berg bach hof tor feld hang weiher'.split())}",
                f"An der {simple}{rng.choice('mühle brücke kirche wiese au'.split())}",
                f"{rng.choice('Alte Neue Obere Untere Lange Hohe'.split())} "
                f"{rng.choice(['Straße', 'Gasse', 'Allee'])}",
                f"{rng.choice(['Im', 'Zum', 'Auf dem', 'Unter den', 'Hinter dem'])} "
                f"{compound(rng).word}",
            ]
        )  # fmt: skip

    def datum_town(self, p: Person) -> list[Piece]:
        city = self._loc(self._home_town(p.place), "CITY", role=p.role)
        code = self._loc(self._postcode(p.place), "POSTCODE", role=p.role)
        return [*code, Piece(" "), *city]

    def datum_addr(self, p: Person) -> list[Piece]:
        street, city = self._street(p.place), self._home_town(p.place)
        code = self._postcode(p.place)
        sep = self.rng.choice([", ", ", ", " in ", "\n"])
        text = f"{street}{sep}{code} {city}"
        start = len(street + sep)
        parts = [
            *street_parts(street),
            Part(start, start + len(code), "POSTCODE"),
            Part(start + len(code) + 1, len(text), "CITY"),
        ]
        ident = DIRECT if p.subject else QUASI
        return self._loc(text, "ADDRESS", ident, p.role, tuple(sorted(parts)))

    def datum_city(self, p: Person) -> list[Piece]:
        return self._loc(self._home_town(p.place), "CITY", role=p.role)

    datum_born_in = datum_city

    def _home_town(self, place: Place) -> str:
        """A town of a country: those of Germany are many."""
        if place is self.places[0] and self.rng.random() < 0.8:
            known = self.rng.random() < 0.6
            return (
                self.rng.choice(geography()["stadt"]) if known else self._coined_town()
            )
        return self.rng.choice(place.cities)

    def _postcode(self, place: Place) -> str:
        digits = "%###" if place in self.places[1:4] else "#%###"
        prefix = self.rng.choice(["", "", "", "", "D-", "DE-"])
        if digits == "%###":
            prefix = self.rng.choice(["", "", "", "A-", "CH-"])
        return prefix + self._digits(digits)

    # Places

    def _town(self) -> str:
        rng = self.rng
        names = geography()
        if rng.random() < self.famous:
            return self._prominent("weltstadt")
        draw = rng.random()
        if draw < 0.35:
            return rng.choice(names["stadt"])
        if draw < 0.5:
            return rng.choice(self.place.cities)
        if draw < 0.72:
            return rng.choice(rng.choice(self.places).cities)
        if draw < 0.78:
            return rng.choice(names["viertel"])
        if draw < 0.8:
            locale = rng.choice(["it_IT", "pl_PL", "fr_FR", "es_ES", "en_GB"])
            return self._fake(locale).city()
        return self._coined_town()

    def _prominent(self, kind: str) -> str:
        """A name of a list in order of frequency: the chance falls with the rank."""
        names = geography()[kind]
        return self.rng.choices(names, [1 / (i + 3) for i in range(len(names))])[0]

    def _country(self) -> str:
        if self.rng.random() < self.famous:
            return self._prominent("weltland")
        return self.rng.choice(self.places).country

    def _coined_town(self) -> str:
        rng, names = self.rng, geography()
        town = rng.choice(names["stamm"]) + rng.choice(names["endung"])
        if rng.random() < 0.08:
            town += " " + rng.choice(names["zusatz"])
        elif rng.random() < 0.05:
            town = f"Bad {town}"
        return town

    def _area(self) -> tuple[str, str, str]:
        """Anything but a town: its name with article, subtype and preposition."""
        rng, names = self.rng, geography()
        kind = rng.choices(
            ("region", "country", "gebiet", "fluss", "gewaesser", "berg", "bau"),
            (8, 12, 2, 3, 2, 2, 2),
        )[0]
        if kind == "country":
            return self._country(), "COUNTRY", "in"
        if kind == "region" and rng.random() < self.famous:
            return self._prominent("weltregion"), "REGION", "in"
        name = rng.choice(names[kind])
        where = {"fluss": "an", "gewaesser": "an", "berg": "in", "bau": "an"}
        return name, "REGION", where.get(kind, "in")

    def _with_article(self, name: str, case: str, subtype: str) -> list[Piece]:
        """A place, after its article if it has one, which is not labelled."""
        gender, bare = split_article(name)
        ident = NO_MASK if subtype == "COUNTRY" else QUASI
        if not gender:
            text = genitive(bare) if case == "gen" else bare
            return self._loc(text, subtype, ident)
        text = decline_place(bare, case)
        if (
            case == "gen"
            and gender in "mn"
            and " " not in text
            and text[-1] not in "sxz"
        ):
            text += "s"
        return [Piece(article(gender, case) + " "), *self._loc(text, subtype, ident)]

    def _any_place(self, case: str) -> list[Piece]:
        if self.rng.random() < 0.55:
            return self._with_article(self._town(), case, "CITY")
        name, subtype, _ = self._area()
        return self._with_article(name, case, subtype)

    def _at(self, preposition: str, case: str, pieces: list[Piece]) -> list[Piece]:
        """A preposition before a place, contracted with the article."""
        if pieces[0].label:
            return [Piece(f"{preposition} "), *pieces]
        both = f"{preposition} {pieces[0].text.strip()}"
        return [Piece(_CONTRACTIONS.get(both, both) + " "), *pieces[1:]]

    def slot_city(self) -> list[Piece]:
        return self._loc(self._town(), "CITY")

    def slot_fernort(self) -> list[Piece]:
        """A town far away, from the lists of Faker or of neither."""
        locale = self.rng.choice(
            "it_IT pl_PL fr_FR es_ES en_GB fi_FI sv_SE cs_CZ hu_HU pt_PT nl_NL ro_RO "
            "hr_HR sl_SI no_NO da_DK tr_TR".split()
        )
        return self._loc(self._fake(locale).city(), "CITY")

    def slot_w_letters(self) -> list[Piece]:
        """Letters of an abbreviation."""
        return self._plain(self._digits("?" * self.rng.randint(2, 5)))

    def slot_n_given(self) -> list[Piece]:
        """A given name inside a mention, which knows what it is."""
        pool = self.pools()[self.rng.choice(self.place.cultures)]
        if self.rng.random() < 0.5:
            return [Piece(self.rng.choice(pool.male), subtype="MALE")]
        return [Piece(self.rng.choice(pool.female), subtype="FEMALE")]

    def slot_n_last(self) -> list[Piece]:
        """A surname inside a mention."""
        return [Piece(self.slot_w_surname()[0].text, subtype="FAMILY_NAME")]

    def slot_homecity(self) -> list[Piece]:
        return self._loc(self.rng.choice(self.place.cities), "CITY")

    def slot_gcity(self) -> list[Piece]:
        return self._loc(genitive(self._town()), "CITY")

    def slot_w_city(self) -> list[Piece]:
        town = self._town()
        return [Piece(town if len(town) < 24 else "Berlin")]

    def slot_w_region(self) -> list[Piece]:
        return [Piece(self.rng.choice(geography()["region"][:60]))]

    def slot_land(self) -> list[Piece]:
        """A country without its article."""
        name = split_article(self._country())[1]
        return self._loc(name, "COUNTRY", NO_MASK)

    slot_country = slot_land

    def slot_homeland(self) -> list[Piece]:
        return self._with_article(self.place.country, "nom", "COUNTRY")

    def slot_w_country(self) -> list[Piece]:
        return [Piece(split_article(self.place.country)[1])]

    def slot_ortn(self) -> list[Piece]:
        return self._any_place("nom")

    def slot_orta(self) -> list[Piece]:
        return self._any_place("acc")

    def slot_ortd(self) -> list[Piece]:
        return self._any_place("dat")

    def slot_ortg(self) -> list[Piece]:
        return self._any_place("gen")

    def slot_in(self) -> list[Piece]:
        """Where: "in Berlin", "in der Türkei", "am Rhein"."""
        if self.rng.random() < 0.55:
            return self._at("in", "dat", self._loc(self._town(), "CITY"))
        name, subtype, preposition = self._area()
        if name in ("Sylt", "Rügen", "Kreta", "Mallorca", "Sizilien", "Usedom", "Ibiza",
                    "Malta", "Zypern", "Korsika", "Teneriffa", "Helgoland"):  # fmt: skip
            preposition = "auf"
        return self._at(preposition, "dat", self._with_article(name, "dat", subtype))

    def slot_nach(self) -> list[Piece]:
        """Where to: "nach Berlin", "in die Türkei"."""
        if self.rng.random() < 0.55:
            return self._at("nach", "acc", self._loc(self._town(), "CITY"))
        name, subtype, preposition = self._area()
        place = self._with_article(name, "acc", subtype)
        return self._at(preposition if not place[0].label else "nach", "acc", place)

    def slot_aus(self) -> list[Piece]:
        """Where from: "aus Berlin", "von der Elbe"."""
        if self.rng.random() < 0.55:
            return self._at("aus", "dat", self._loc(self._town(), "CITY"))
        name, subtype, preposition = self._area()
        preposition = "aus" if preposition == "in" else "von"
        return self._at(preposition, "dat", self._with_article(name, "dat", subtype))

    def _dem_town(self) -> str:
        for _ in range(8):
            word = demonym(self._town())
            if word:
                return word
        return "Berliner"

    def slot_cdem(self) -> list[Piece]:
        """A word like "Hamburger"."""
        return self._dem(self._dem_town(), "NATIONALITY")

    def slot_w_cdem(self) -> list[Piece]:
        return [Piece(self._dem_town())]

    def slot_w_demonym(self) -> list[Piece]:
        stem = self.place.demonym.split("/")[0]
        return [Piece(stem[:1].upper() + stem[1:])]

    def _random_place(self) -> Place:
        return self.place if self.rng.random() < 0.4 else self.rng.choice(self.places)

    def slot_nat(self) -> list[Piece]:
        return self._adjective(self._random_place(), "e")

    def slot_natr(self) -> list[Piece]:
        return self._adjective(self._random_place(), "er")

    def slot_natn(self) -> list[Piece]:
        return self._adjective(self._random_place(), "en")

    def slot_nats(self) -> list[Piece]:
        return self._adjective(self._random_place(), "es")

    def slot_nat0(self) -> list[Piece]:
        return self._adjective(self._random_place(), "")

    def slot_people(self) -> list[Piece]:
        """An inhabitant: "Franzose"."""
        return self._people(self._random_place(), self.rng.random() < 0.3, False)

    def slot_peoples(self) -> list[Piece]:
        """Inhabitants: "Franzosen"."""
        word = self._random_place().demonym.split("/")[1]
        if word.endswith("e"):
            word += "n"
        elif word == "Deutscher":
            word = "Deutsche"
        return self._dem(word, "NATIONALITY")

    def slot_street(self) -> list[Piece]:
        return self._loc(self._street(self.place), "ADDRESS")

    def slot_streetname(self) -> list[Piece]:
        return self._loc(self._street_name().replace("str.", "straße"), "ADDRESS")

    def slot_figure(self) -> list[Piece]:
        return self._figure(self.rng.choice(figures()))

    def slot_gfigure(self) -> list[Piece]:
        return self._figure(genitive(self.rng.choice(figures())))

    def _figure(self, text: str) -> list[Piece]:
        return [Piece(text, "PERSON", "FULL_NAME", QUASI, f"PERSON:{text.lower()}")]

    def slot_job(self) -> list[Piece]:
        """An occupation, which is a common noun unless it is somebody's."""
        male, female = jobs()
        return [Piece(self.rng.choice(male if self.rng.random() < 0.6 else female))]

    def slot_mjob(self) -> list[Piece]:
        return [Piece(self.rng.choice(jobs()[0]))]

    # Dates, times and quantities

    def slot_day(self) -> list[Piece]:
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        return self._when(self.rng.choice(self.day_formats)(day), "DATE")

    def slot_wday(self) -> list[Piece]:
        day = self.today + timedelta(days=self.rng.randint(-40, 40))
        name = DAYS[day.weekday()]
        dated = f"{day.day}. {MONTHS[day.month - 1]}"
        text = self.rng.choice(
            [
                f"{name}, {dated} {day.year}", f"{name}, den {dated}",
                f"{name}, den {day.day}.{day.month}.", f"{name[:2]}, {day:%d.%m.%Y}",
                f"{name}, {day:%d.%m.%Y}", f"{name}, den {day.day}.", f"{name}, {dated}",
                f"{name[:2]}., {day:%d.%m.}",
            ]
        )  # fmt: skip
        return self._when(text, "DATE")

    def slot_weekday(self) -> list[Piece]:
        return self._when(self.rng.choice([*DAYS, "Sonnabend"]), "WEEKDAY", NO_MASK)

    def slot_month(self) -> list[Piece]:
        day = self._some_day()
        prefix = self.rng.choice(["", "", "", "Anfang ", "Ende ", "Mitte "])
        return self._when(f"{prefix}{MONTHS[day.month - 1]} {day.year}", "DATE")

    def slot_monthonly(self) -> list[Piece]:
        return self._when(self.rng.choice(MONTHS), "DATE")

    def slot_partmonth(self) -> list[Piece]:
        prefix = self.rng.choice(["Anfang", "Ende", "Mitte"])
        return self._when(f"{prefix} {self.rng.choice(MONTHS)}", "DATE")

    def slot_oldyear(self) -> list[Piece]:
        year = self.rng.choice(
            [self.rng.randint(1850, 1999), self.rng.randint(1000, 1950)]
        )
        return self._when(str(year), "YEAR")

    def slot_lifespan(self) -> list[Piece]:
        start = self.rng.randint(1000, 1960)
        sep = self.rng.choice(["–", "–", "-", " – ", " bis "])
        return self._when(
            f"{start}{sep}{start + self.rng.randint(20, 85)}", "DATE_RANGE"
        )

    def slot_oldday(self) -> list[Piece]:
        day = date(self.rng.randint(1700, 1990), self.rng.randint(1, 12), 1)
        day += timedelta(days=self.rng.randint(0, 27))
        return self._date(day, style="long")

    def slot_decade(self) -> list[Piece]:
        decade = self.rng.choice(range(1900, 2020, 10))
        text = self.rng.choice(
            [f"{decade}er Jahre", f"{decade % 100:02}er Jahre", f"{decade}ern"]
        )
        return self._when(text, "YEAR")

    def slot_century(self) -> list[Piece]:
        return self._when(f"{self.rng.randint(9, 21)}. Jahrhundert", "YEAR", NO_MASK)

    def slot_time(self) -> list[Piece]:
        hour, minute = self.rng.randint(0, 23), self.rng.choice([0, 15, 30, 45, 5, 50])
        text = self.rng.choice(
            [
                f"{hour:02}:{minute:02} Uhr", f"{hour}.{minute:02} Uhr", f"{hour} Uhr",
                f"{hour:02}:{minute:02}", f"{hour:02}.{minute:02} Uhr", f"{hour}h",
                f"{hour} Uhr {minute or 30}", f"{hour:02}:{minute:02} Uhr",
            ]
        )  # fmt: skip
        return self._when(text, "TIME")

    def _moment(self) -> datetime:
        start = datetime(self.today.year, self.today.month, self.today.day)
        return start + timedelta(seconds=self.rng.randint(0, 86399))

    def slot_stamp(self) -> list[Piece]:
        form = self.rng.choice(
            ["%d.%m.%Y %H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y, %H:%M", "%d.%m.%y %H:%M"]
        )
        return self._when(self._moment().strftime(form), "DATE")

    def slot_maildate(self) -> list[Piece]:
        moment = self._moment()
        name, month = DAYS[moment.weekday()], MONTHS[moment.month - 1]
        text = self.rng.choice(
            [
                f"{name}, {moment.day}. {month} {moment:%Y %H:%M}",
                f"{moment:%d.%m.%Y %H:%M}",
                f"{moment.day}. {month} {moment.year} um {moment:%H:%M} Uhr",
                f"{name[:2]}., {moment.day}. {month[:3]}. {moment.year} um {moment:%H:%M}",
                f"{name}, {moment:%d.%m.%Y, %H:%M}",
                f"{moment.day}. {month} {moment.year} {moment:%H:%M:%S} MESZ",
            ]
        )
        return self._when(text, "DATE")

    def slot_dur(self) -> list[Piece]:
        """How long, after a preposition with the dative or alone."""
        n = self.rng.randint(2, 24)
        unit = self.rng.choice(
            ["Tagen", "Wochen", "Monaten", "Jahren", "Stunden", "Jahren"]
        )
        number = in_words(n) if n < 13 or self.rng.random() < 0.2 else str(n)
        return self._when(f"{number} {unit}", "DURATION", NO_MASK)

    def slot_dura(self) -> list[Piece]:
        pieces = self.slot_dur()
        for piece in pieces:
            piece.text = re.sub(r"(Tage|Monate|Jahre)n$", r"\1", piece.text)
            piece.key = f"DATETIME:{piece.text}"
        return pieces

    def _figure_of(self, amount: int, cents: bool) -> str:
        text = f"{amount:,}".replace(",", ".")
        return f"{text},{self.rng.randint(0, 99):02}" if cents else text

    def slot_money(self) -> list[Piece]:
        rng = self.rng
        amount = rng.choice(
            [
                rng.randint(5, 999),
                rng.randint(10, 900) * 100,
                rng.randint(1, 90) * 10000,
            ]
        )
        figure = self._figure_of(amount, rng.random() < 0.4)
        text = rng.choice(
            [
                f"{figure} €", f"{figure} Euro", f"{figure} EUR", f"€ {figure}",
                f"EUR {figure}", f"{figure}€", f"{figure} Euro", f"CHF {figure}",
                f"{amount},- €", f"{rng.randint(2, 90)} Millionen Euro",
                f"{rng.randint(1, 9)},{rng.randint(1, 9)} Milliarden Euro",
                f"{figure} Dollar", f"{figure} Mark", f"{figure} Franken",
                f"Fr. {figure}", f"{figure} DM",
            ]
        )  # fmt: skip
        return [Piece(text, "QUANTITY", "MONEY", QUASI, f"QUANTITY:{text.lower()}")]

    def slot_percent(self) -> list[Piece]:
        n = self.rng.randint(1, 99)
        text = self.rng.choice([f"{n} Prozent", f"{n} %", f"{n},{n % 9 + 1} Prozent",
                                f"{n}%"])  # fmt: skip
        return [Piece(text, "QUANTITY", "PERCENT", NO_MASK, f"QUANTITY:{text}")]

    def slot_measure(self) -> list[Piece]:
        r = self.rng.randint
        return self._measure(
            self.rng.choice(
                [f"{r(45, 130)} kg", f"{r(150, 200)} cm", f"{r(2, 400)} Kilometer",
                 f"{r(2, 900)} Meter", f"{r(2, 900)} m", f"{r(2, 90)} km",
                 f"{r(20, 900)} Quadratmeter", f"1,{r(50, 98)} m", f"{r(1, 9)},{r(1, 9)} km",
                 f"{r(2, 90)} Hektar", f"{r(2, 90)} Tonnen"]
            )
        )  # fmt: skip

    def slot_height(self) -> list[Piece]:
        cm = self.rng.randint(148, 202)
        return self._measure(
            self.rng.choice([f"{cm} cm", f"{cm}cm", f"{cm // 100},{cm % 100:02} m"])
        )

    def slot_weight(self) -> list[Piece]:
        kg = self.rng.randint(45, 130)
        return self._measure(self.rng.choice([f"{kg} kg", f"{kg}kg", f"{kg},5 kg"]))

    def slot_people_count(self) -> list[Piece]:
        """Inhabitants of a place: a number that is no entity in itself."""
        return [Piece(self._figure_of(self.rng.randint(180, 900000), False))]

    # Words that identify nobody

    def _words(self, low: int, high: int) -> list[str]:
        rng, words = self.rng, lexicon()
        out = []
        for _ in range(rng.randint(low, high)):
            draw = rng.random()
            if draw < 0.45:
                out.append(pick_noun(rng).word)
            elif draw < 0.6:
                out.append(inflect(rng.choice(words.adjectives), "e"))
            elif draw < 0.75:
                out.append(rng.choice(words.adverbs))
            elif draw < 0.85:
                out.append(rng.choice(words.infinitives))
            else:
                out.append(
                    rng.choice("und oder mit für ohne auf in von nicht zu".split())
                )
        return out

    def _plain(self, text: str) -> list[Piece]:
        return [Piece(text)]

    def _noun(self) -> Noun:
        return pick_noun(self.rng)

    def slot_noun(self) -> list[Piece]:
        return self._plain(self._noun().word)

    def slot_nouns(self) -> list[Piece]:
        return self._plain(self._noun().plural)

    def slot_compound(self) -> list[Piece]:
        return self._plain(compound(self.rng).word)

    def slot_compounds(self) -> list[Piece]:
        return self._plain(compound(self.rng).plural)

    def slot_w_head(self) -> list[Piece]:
        """The second part of a compound with a hyphen: "Besuch"."""
        noun = self.rng.choice(lexicon().heads).word
        return self._plain(noun[:1].upper() + noun[1:])

    def slot_nps(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "nom"))

    def slot_npa(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "acc"))

    def slot_npd(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "dat"))

    def slot_npg(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "gen"))

    def slot_npp(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "nom", plural=True))

    def slot_nppd(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "dat", plural=True))

    def slot_hum(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "nom", human=True))

    def slot_huma(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "acc", human=True))

    def slot_humd(self) -> list[Piece]:
        return self._plain(noun_phrase(self.rng, "dat", human=True))

    def slot_humbare(self) -> list[Piece]:
        """A person without article, as before a name: "Verteidiger"."""
        return self._plain(pick_noun(self.rng, human=True).word)

    def _verb(self, kind: str, index: int) -> list[Piece]:
        return self._plain(self.rng.choice(lexicon().verbs[kind])[index])

    def slot_vt(self) -> list[Piece]:
        if self.rng.random() < 0.4:
            verb = weak_verb(self.rng, separable=False)
            return self._plain(verb.finite(self.rng.random() < 0.6))
        return self._verb("verbt", self.rng.choice((0, 1)))

    def slot_vtp(self) -> list[Piece]:
        if self.rng.random() < 0.5:
            return self._plain(weak_verb(self.rng).participle)
        return self._verb("verbt", 2)

    def slot_vs(self) -> list[Piece]:
        return self._verb("verbs", self.rng.choice((0, 1)))

    def slot_vi(self) -> list[Piece]:
        return self._verb("verbi", self.rng.choice((0, 1)))

    def slot_vip(self) -> list[Piece]:
        """Participle with its auxiliary: "gestorben ist"."""
        return self._verb("verbi", 2)

    def slot_inf(self) -> list[Piece]:
        return self._plain(
            weak_verb(self.rng).infinitive
            if self.rng.random() < 0.6
            else self.rng.choice(lexicon().infinitives)
        )

    def slot_adv(self) -> list[Piece]:
        return self._plain(self.rng.choice(lexicon().adverbs))

    def slot_adj(self) -> list[Piece]:
        return self._plain(pick_adjective(self.rng))

    def slot_adje(self) -> list[Piece]:
        return self._plain(inflect(pick_adjective(self.rng), "e"))

    def slot_adjen(self) -> list[Piece]:
        return self._plain(inflect(pick_adjective(self.rng), "en"))

    def slot_zuinf(self) -> list[Piece]:
        return self._plain(weak_verb(self.rng).to_infinitive)

    def slot_vend(self) -> list[Piece]:
        """A finite verb as at the end of a clause: "aufbaute"."""
        return self._plain(weak_verb(self.rng).finite(self.rng.random() < 0.6))

    def slot_vendp(self) -> list[Piece]:
        return self._plain(weak_verb(self.rng).finite(self.rng.random() < 0.6, True))

    def slot_vtpl(self) -> list[Piece]:
        """A finite verb of a main clause in the plural."""
        verb = weak_verb(self.rng, separable=False)
        return self._plain(verb.finite(self.rng.random() < 0.6, True))

    def slot_nprel(self) -> list[Piece]:
        """A noun phrase and the relative pronoun that refers to it."""
        noun = pick_noun(self.rng)
        word = f"{article(noun.gender, 'nom')} {noun.word}"
        return self._plain(f"{word}, {article(noun.gender, 'nom')}")

    def _domain(self) -> str:
        name = ascii_fold(self.expand("w_brand")[0].text) or "beispiel"
        if self.rng.random() < 0.3:
            name += self.rng.choice(["-online", "-gmbh", "net", "-praxis", "-verein"])
        ending = self.rng.choice("de de de de at ch com net org eu info".split())
        return f"{name}.{ending}"
