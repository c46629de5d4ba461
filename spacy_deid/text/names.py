"""Forms of names: titles, particles, suffixes, legal forms, normal forms of text.

Everything here is pure and imports nothing but the standard library; what needs the
lists of given names loads them on first use.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse
from typing import NamedTuple

MALE, FEMALE, UNKNOWN = "m", "f", ""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Folded title, without its dots -> gender it implies.
TITLES: dict[str, str] = {
    **dict.fromkeys(
        _set(
            "mr mister messrs sir lord master mast king prince baron count viscount father fr "
            "brother uncle grandfather grandpa herr herrn hr monsieur mm senor don "
            "senor signor signore sig dhr meneer mijnheer senhor pan gospodin father padre dom "
            "abbe imam rabbi sheikh sultan emperor bey efendi freiherr excmo ilmo"
        ),
        MALE,
    ),
    **dict.fromkeys(
        _set(
            "mrs ms miss mx madam madame mme mlle mademoiselle lady dame sister aunt auntie "
            "grandmother grandma granny queen princess baroness countess viscountess mother "
            "frau fraulein senora sra senorita srta dona signora "
            "signorina sigra mevrouw mevr mw senhora pani hanim empress nun midwife dra dna "
            "profa freifrau freiin excma ilma"
        ),
        FEMALE,
    ),
    **dict.fromkeys(
        _set(
            "dr drs doctor doc prof professor docent judge justice magistrate advocate "
            "attorney solicitor barrister counsel president vice-president chancellor "
            "premier minister senator congressman congresswoman representative deputy mp "
            "governor mayor councillor councilor ambassador consul secretary commissioner "
            "director chairman chairwoman chairperson registrar notary prosecutor officer "
            "constable pc dc wpc ds di dci dcs inspector superintendent detective sheriff "
            "marshal agent sergeant sgt corporal cpl private pte lance lieutenant lt captain "
            "capt major maj colonel col general gen brigadier commander cmdr commodore "
            "admiral adm marshal private warden reverend rev revd pastor vicar bishop "
            "archbishop cardinal canon deacon chaplain pope saint nurse matron sr coach "
            "engineer ing dipl dipl-ing mag avv dott dottssa avvocato lic maitre me hon "
            "honourable honorable excellency ayatollah mullah sri shri smt"
        ),
        UNKNOWN,
    ),
}
TITLES["mx"] = UNKNOWN
TITLES["smt"] = FEMALE
TITLES["congressman"] = TITLES["chairman"] = MALE
TITLES["congresswoman"] = TITLES["chairwoman"] = FEMALE

# Words that may stand before or between titles but are none alone.
_TITLE_FILLERS = _set(
    "the his her my our your their right most very chief senior junior vice"
)
# After a title, what it was given for: "Dr. rer. nat."
_TITLE_TAILS = _set("med phil jur rer nat pol oec habil mult dent theol")
# Titles between given name and surname: "Ludwig Freiherr von Stetten".
_INNER_TITLES = _set("freiherr freifrau freiin graf grafin edler edle ritter")
_NOBLE = _set("von zu vom zum")
# A title that a given name follows when one word does ("Sir Robert", "Sister Mary").
_GIVEN_TITLES = _set(
    "sir dame sister brother father mother aunt auntie uncle king queen prince "
    "princess pope saint don dona grandma grandpa master"
)
# Folded without dots. The second set may be written with inner dots ("M.D.").
SUFFIXES = _set("jr jnr junior sr snr senior ii iii iv esq esquire")
POSTNOMINALS = _set(
    "phd md qc kc sc obe mbe cbe kbe jp mp mep ba ma bsc msc llb llm mba rn dds dvm dphil "
    "facp facs frcp frcs jd cpa mrcp mrcs mrcgp frcgp frcog frcpath frcpsych mrcpsych "
    "facc facog faan pharmd psyd edd dnp bsn msn aprn crna lcsw msw mph mha rph dpm "
    "pa-c rn-bc mbbs mbchb bchir dclin acca"
)
PARTICLES = _set(
    "van von vom der den dem des de da das do dos di del della dello delle degli dei du "
    "d la le las los lo ter ten te tot op 't zu zum zur auf af av bin ibn ben bint abu "
    "abd al el ul ur st saint san santa mac mc ap ab dal dalla nic ni ua o"
)
# Particles that are also common first names or words when capitalised at the start.
_NAME_LIKE_PARTICLES = _set("al ben abu abd ur saint san santa mac o d la lo ni do te")
_CONNECTORS = _set("y e i und")
# Words that may stand in a person's mention and are no part of the name: before it,
# after it, and before the name that somebody was born with.
_LEADING = _set(
    "the familie familia famille famiglia familien eheleute ehepaar geschwister gebruder "
    "fam"
)
_TRAILING = _set("family families household brothers sisters siblings twins")
_BIRTH = _set("nee ne born geb geborene geborener formerly")
_AND = _set("and und y et e")

LEGAL_FORMS = _set(
    "ltd limited inc incorporated corp corporation co company llc llp lp plc pllc gmbh "
    "mbh ag kg ohg kgaa gbr ug se ev eg sa sas sarl sasu sci snc spa srl sapa scarl sl "
    "slu sau bv nv vof cv bvba sprl asbl vzw as asa aps ab oy oyj hb kb doo dd ad ood eood "
    "zao oao ooo pao ao tov pat kft zrt nyrt bt rt sro sp spzoo zoo spj spk oo ehf hf "
    "lda ltda sarl cie kk yk pte pty bhd sdn pvt tbk pt cc eirl gie rlc"
)

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio januari janeiro ene gen",
            "february feb februar fevrier febrero febbraio februari fevereiro fev febr",
            "march mar marz mars marzo maart marco",
            "april apr avril abril aprile avr abr",
            "may mai mayo maggio mei maio mag",
            "june jun juni juin junio giugno junho giu",
            "july jul juli juillet julio luglio julho lug",
            "august aug aout agosto augustus ago",
            "september sep sept septembre septiembre settembre setembro set",
            "october oct oktober octobre octubre ottobre outubro okt ott",
            "november nov novembre noviembre novembro",
            "december dec dezember decembre diciembre dicembre dezembro dez dic",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = _set(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur "
    "thurs fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend "
    "sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles "
    "jueves viernes sabado domingo"
)
# Countries of one word: as part of a person's name they are not followed up.
COUNTRIES = _set(
    "afghanistan albania algeria andorra angola argentina armenia australia austria "
    "azerbaijan bahamas bahrain bangladesh barbados belarus belgium belize benin bhutan "
    "bolivia bosnia botswana brazil britain brunei bulgaria burundi cambodia cameroon "
    "canada chad chile china colombia congo croatia cuba cyprus denmark djibouti dominica "
    "ecuador egypt england eritrea estonia ethiopia europe fiji finland france gabon "
    "gambia georgia germany ghana greece grenada guatemala guinea guyana haiti holland "
    "honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan "
    "jordan kazakhstan kenya kosovo kuwait kyrgyzstan laos latvia lebanon lesotho liberia "
    "libya liechtenstein lithuania luxembourg macedonia madagascar malawi malaysia mali "
    "malta mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar "
    "namibia nepal netherlands nicaragua niger nigeria norway oman pakistan palestine "
    "panama paraguay peru philippines poland portugal qatar romania russia rwanda samoa "
    "scotland senegal serbia singapore slovakia slovenia somalia spain sudan suriname "
    "sweden switzerland syria taiwan tajikistan tanzania thailand togo tonga tunisia "
    "turkey turkmenistan uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen "
    "yugoslavia zambia zimbabwe america africa asia"
)
# Capitalised in much of the writing of courts, offices and firms, naming nobody.
GENERIC = _set(
    "court courts tribunal chamber section government state states republic kingdom union "
    "commission council committee board ministry minister department office agency "
    "authority authorities bureau administration parliament senate assembly congress "
    "convention protocol treaty act code law laws constitution article articles rule rules "
    "regulation regulations directive annex appendix paragraph chapter part parties party "
    "applicant applicants respondent defendant defendants claimant plaintiff appellant "
    "registry registrar registrars president judge justice prosecutor agent counsel "
    "university college school institute institution hospital clinic centre center bank "
    "company corporation group association society foundation federation league club "
    "police army navy force forces church city town village county district province "
    "region municipality street road avenue square north south east west northern southern "
    "eastern western central national international federal regional local supreme high "
    "general public private civil criminal administrative constitutional european english "
    "procedure facts case cases decision judgment order appeal application report number "
    "page table figure date name address phone fax email mail subject dear hello regards "
    "sincerely yes no ok thanks please internet web world war day week month year today "
    "tomorrow yesterday mother father son daughter wife husband sister brother family"
)
# English words that are also common names; in lower case they are taken as words.
EVERYDAY = _set(
    "able ace angel april art ash august autumn baker bank banks barber bay beach "
    "bean bell berry best bill bird bishop black blue bond bone bonus boy branch "
    "brand bread bridge bridges bright brook brown buck buddy bull burn burns bush "
    "butcher butler camp cannon carpenter case cash chance chase chief china "
    "church clark clay clean cliff close cloud common cook corn cotton crane cross "
    "cruise crystal daisy dawn day dean dear dew diamond dick dollar dove drill "
    "duke earl early east eve fair faith fall farmer fast field fields finch fine "
    "fish fisher flood flower flowers ford forest fork fortune foster fox frank "
    "free french friend frost full game garden gardener gay gentle glass gold "
    "golden good grace grant grave graves gray great green grey guy hall ham hand "
    "hard hardy harm harmony harp hart hawk hay head heart heather hero high hill "
    "hills holiday holly home honest honor hood hook hope horn hot house huge "
    "hunger hunt hunter ice iron jet jewel job joy judge june just justice keen "
    "key kid kind king knight lake lamb land lane large last late law lawyer leaf "
    "lean lee left light like lily line link lion little live lock loft long lord "
    "loud love low luck lucky main major man marble march mark market marks marsh "
    "mast mat may meadow meal mean mercy merry might miles mill mills mint model "
    "mood moon moor moore more morning mount mountain mouse must nail near need "
    "never new nice night noble noon north note now oak ocean odd old olive only "
    "open out over own pack page pain paint painter palm paris park parks pat "
    "patience pay peace pearl pen penny pepper person pick pilot pin pink piper "
    "plain plant play plum point pole pool poor pop pope porter post potter pound "
    "power pray price pride prime prince queen quick race rage rail rain ram "
    "ranger read reading real red reef rest rice rich right ring rise river rivers "
    "road rock roll rome root rose rough round royal rule run sad safe sage sail "
    "salt sand save saw say scholar school sea seal seat see self serene shade "
    "shall sharp shepherd ship shore short show side sign silver sin singer sir "
    "six skill sky slim small smart smile snow soft sole son song sorrow soul "
    "sound south spark speed spice spirit spring stack stain star stay steel stern "
    "still stone store storm story strange street strong style sugar summer sun "
    "sunny sure sweet swift tailor tall tea temple ten test the then thin thing "
    "thorn tiger time tin tiny tool top tower town toy trade train tree trip true "
    "trust truth turn use vale van victor victory view violet virtue voice wake "
    "walk wall walls war ward warm warner water waters wave way weather weeks well "
    "wells west wet wheat wheel white wide wild will willow win wind window wine "
    "wing winter wise wish wolf wood woods word work world worm worth yard young"
)

_DASH = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_APOSTROPHE = "\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\uff07\u2032"
# Words that join entities and are part of none at its ends.
JOINS = frozenset(("and", "or", "und", "oder", "y", "o", "e", "и", "или"))
# Words of grammar, of which alone no entity consists unless they are in title case
# ("An" is a surname, "AN" in capitals hardly is).
GRAMMAR = JOINS.union(
    "a am an are as at be been being but by did do does for from had has have he her "
    "him his i if in is its me my nor not of on our she so that the their them these "
    "they this those to was we were with you your "
    "auf aus bei das dem den der des die durch ein eine einem einen einer eines er es "
    "für habe haben hat hatte ich ihr im ist mit sein sich sie sind um von vor war "
    "waren wir wird wurde zu zum zur "
    "al con de del el ella en era es está la las los por que se su una uno".split()
)
DASHES = frozenset(_DASH)
APOSTROPHES = frozenset(_APOSTROPHE)
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"
_TRANSLATE = str.maketrans(
    {
        **dict.fromkeys(DASHES, "-"),
        **dict.fromkeys(APOSTROPHES, "'"),
        **dict.fromkeys(_INVISIBLE, None),
        **dict(zip("øØłŁđĐħĦıŧŦŋŊ", "oOlLdDhHitTnN")),
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ə": "e",
        "Ə": "E",
    }
)
# Signs that tell amounts apart.
_KEPT = frozenset("%‰$€£¥₺₽₹§")
_POSSESSIVE = frozenset("'\u2019\u02bc\uff07`\u00b4")
_CHUNK = re.compile(r"\S+")
_EDGE = '@#()[]{}<>"“”„«»,;:!?*_/|'
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


def fold(text: str) -> str:
    """Case, diacritics and typographic variants removed; words and punctuation stay.

    text (str): Any text.
    RETURNS (str): For example "Müller’s  İzmir" gives "muller's izmir".
    """
    if text.isascii():
        text = text.lower()
        return text if text.isalnum() else " ".join(text.split())
    # Dotted I casefolds to two characters, so marks go after folding.
    text = unicodedata.normalize("NFKC", text).translate(_TRANSLATE).casefold()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(filterfalse(unicodedata.combining, plain))
        if not text.isascii():
            text = text.translate(_TRANSLATE).casefold()
    return " ".join(text.split())


def strip_possessive(text: str) -> str:
    """Remove a possessive ending: "Murray's", "Murray’s", "Williams'".

    text (str): A word or name.
    RETURNS (str): The text without it.
    """
    stripped = text.rstrip()
    if stripped[-1:] in _POSSESSIVE:
        return stripped[:-1] or stripped
    if stripped[-2:-1] in _POSSESSIVE and stripped[-1] in "sS":
        return stripped[:-2] or stripped
    return stripped


def normalise(text: str) -> str:
    """The form under which equal names are equal: folded, without possessive, with
    hyphens and punctuation as spaces and without a leading article.

    text (str): A span's text, line breaks included.
    RETURNS (str): For example "the MÜLLER-Meier’s" gives "muller meier". Empty if
        there is neither letter nor digit.
    """
    folded = strip_possessive(fold(text).strip(" .,;:"))
    if folded.isalnum():
        return folded
    out = []
    for i, ch in enumerate(folded):
        if ch.isalnum() or ch in _KEPT:
            out.append(ch if ch.isalnum() else f" {ch} ")
        elif ch == "'" or (ch == "." and not folded[i + 1 : i + 2].isdigit()):
            continue
        else:
            out.append(" ")
    parts = "".join(out).split()
    if len(parts) > 1 and parts[0] == "the":
        del parts[0]
    return " ".join(parts)


def title_gender(title: str) -> str | None:
    """Gender that a title implies.

    title (str): One word, any case, with or without dot.
    RETURNS (Optional[str]): "m", "f", "" if the title fits anyone, None if the word
        is no title.
    """
    return TITLES.get(fold(title).replace(".", "").strip("'"))


# Short ones that are surnames or initials, too.
_NAMELIKE = _set("ma ba sc jp mp jd sr ii iii iv jr jnr junior snr senior")


def is_postnominal(text: str) -> bool:
    """Whether a text is what stands behind a name ("RN", "Ph.D.", "Esq.") and no name.

    text (str): A mention.
    RETURNS (bool): False for those that are names or initials as well.
    """
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
    surnames in capitals ("MURRAY Robert") and inverted names ("Smith, John").

    text (str): The mention, possessive ending or not.
    RETURNS (list[NameToken]): Words with offsets into `text`; empty if there are none.
    """
    return list(_name_tokens(text))


# Linking, the sweep and the surrogates of a document ask for the same names.
@lru_cache(maxsize=64)
def _name_tokens(text: str) -> tuple[NameToken, ...]:
    words, comma = _words(text)
    n = len(words)
    keys = [fold(text[a:b]).replace(".", "") for a, b in words]
    born = _birth_name(text, words, keys)
    if born:
        # "Helen Brooks (née Walker)" has two names.
        cut = words[born][0]
        rest = name_tokens(text[words[born][1] :])
        offset = words[born][1]
        tokens = name_tokens(text[:cut])
        tokens.append(NameToken(*words[born], text[slice(*words[born])], "suffix"))
        single = len(rest) == 1
        tokens += [
            t._replace(
                start=t.start + offset,
                end=t.end + offset,
                role="family" if single else t.role,
            )
            for t in rest
        ]
        return tuple(tokens)
    roles = [""] * n
    first = 0
    while first < n - 1 and (
        keys[first] in TITLES
        or (keys[first] in _TITLE_FILLERS and _filler_before_title(keys, first))
        or (first and keys[first] in _TITLE_TAILS and text[words[first][0]].islower())
        or (keys[first] in _LEADING and (first == 0 or keys[first] != "the"))
        or (first and _couple(text, words, keys, first))
    ):
        # "M.D." and "J. P." are initials, not titles.
        if words[first][1] - words[first][0] < 2 or len(keys[first]) < 2:
            break
        roles[first] = "title"
        first += 1
    last = n
    while last - 1 > first and _trails(text, words, keys, first, last - 1):
        last -= 1
        roles[last] = "suffix"
    while last - 1 > first and (
        keys[last - 1] in SUFFIXES or keys[last - 1] in POSTNOMINALS
    ):
        if keys[last - 1] in POSTNOMINALS and text[slice(*words[last - 1])].islower():
            break
        last -= 1
        roles[last] = "suffix"
    if comma is not None and not first < comma < last:
        comma = None
    family = _family_range(text, words, keys, first, last, comma=comma)
    seen_given = False
    for i in range(first, last):
        if i in family:
            roles[i] = "family"
        elif i + 1 < last and keys[i] in _INNER_TITLES and keys[i + 1] in _NOBLE:
            roles[i] = "title"
        else:
            roles[i] = "middle" if seen_given else "given"
            seen_given = True
    rows = zip(words, roles)
    return tuple([NameToken(a, b, text[a:b], role) for (a, b), role in rows])


def _birth_name(text: str, words: list[tuple[int, int]], keys: list[str]) -> int:
    """Index of the word that says that a name of birth follows; 0 if there is none."""
    for i in range(1, len(words) - 1):
        if keys[i] in _BIRTH and text[slice(*words[i])].islower():
            return i
    return 0


def _couple(text: str, words: list[tuple[int, int]], keys: list[str], i: int) -> bool:
    """Whether a word joins two titles: "Mr and Mrs Smith"."""
    return (
        0 < i < len(keys) - 2
        and keys[i] in _AND
        and keys[i + 1] in TITLES
        and text[slice(*words[i])].islower()
    )


def _trails(
    text: str, words: list[tuple[int, int]], keys: list[str], first: int, i: int
) -> bool:
    """Whether what stands after a name is no part of it: "the Smith family", "Smith et
    al."."""
    if not text[slice(*words[i])].islower():
        return keys[i] in ("family", "families")
    if keys[i] in _TRAILING:
        return True
    # Each of the two words in turn.
    if keys[i] in ("al", "others", "colleagues"):
        return i - 1 > first and keys[i - 1] in _AND
    return keys[i] in _AND and i + 1 < len(keys)


def _filler_before_title(keys: list[str], i: int) -> bool:
    """Whether one of the two words after a filler is a title."""
    return any(key in TITLES for key in keys[i + 1 : i + 3])


def _words(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """Offsets of the words, and the index of the word after the first comma."""
    words: list[tuple[int, int]] = []
    comma = None
    end_of_name = len(strip_possessive(text))
    for match in _CHUNK.finditer(text[:end_of_name]):
        chunk = match.group()
        if chunk.isalpha():
            words.append(match.span())
            continue
        start = match.start() + len(chunk) - len(chunk.lstrip(_EDGE + "-'"))
        end = match.end() - (len(chunk) - len(chunk.rstrip(_EDGE + "-'")))
        if any(ch.isalpha() for ch in text[start:end]):
            dotless = fold(text[start:end]).replace(".", "")
            if "." not in text[start : end - 1] or (
                dotless in POSTNOMINALS and _has_name_word(text, words)
            ):
                words.append((start, end))
            else:
                for piece in _PIECE.finditer(text, start, end):
                    a = (
                        piece.start()
                        + len(piece.group())
                        - len(piece.group().lstrip("-"))
                    )
                    if any(ch.isalpha() for ch in text[a : piece.end()]):
                        words.append((a, piece.end()))
        if "," in chunk and comma is None and words:
            comma = len(words)
    return words, comma


def _has_name_word(text: str, words: list[tuple[int, int]]) -> bool:
    return any(title_gender(text[slice(*word)]) is None for word in words)


def _family_range(
    text: str,
    words: list[tuple[int, int]],
    keys: list[str],
    first: int,
    last: int,
    *,
    comma: int | None,
) -> range:
    n = last - first
    if n <= 0:
        return range(first, first)
    if n == 1:
        given = first > 0 and keys[first - 1] in _GIVEN_TITLES
        return range(first, first if given else last)
    if comma is not None:
        return range(first, comma)
    # "MURRAY Robert", but not "JP Smith".
    if (
        len(keys[first]) > 2
        and text[slice(*words[first])].isupper()
        and not any(
            len(keys[i]) > 1 and text[slice(*words[i])].isupper()
            for i in range(first + 1, last)
        )
    ):
        return range(first, first + 1)
    start = last - 1
    for i in range(first, last - 1):
        if keys[i] not in PARTICLES and keys[i] not in _CONNECTORS:
            continue
        word = text[slice(*words[i])]
        if keys[i] in PARTICLES and not word.endswith("."):
            if i == first and (keys[i] in _NAME_LIKE_PARTICLES and word[0].isupper()):
                continue
            start = i
            break
        if i > first + 1 and keys[i] in _CONNECTORS and word.islower():
            start = i - 1
            break
    # "Smith J." and "Smith J.R.": the initials are the given names.
    if start == last - 1 and _is_initial(keys[start]) and not _is_initial(keys[first]):
        while start > first + 1 and _is_initial(keys[start - 1]):
            start -= 1
        return range(first, start)
    return range(start, last)


def _is_initial(key: str) -> bool:
    return len(key) == 1


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
    return NameParts(
        *(
            " ".join(parts.get(role, ()))
            for role in ("title", "given", "middle", "family", "suffix")
        )
    )


def strip_legal_form(text: str) -> str:
    """An organisation's name, normalised, without its legal form.

    text (str): "Murray & Sons (UK) Ltd.", "ACME S.p.A.".
    RETURNS (str): "murray sons uk", "acme"; never empty if `text` has a letter or digit.
    """
    words = normalise(text).split()
    while len(words) > 1 and words[-1] in LEGAL_FORMS:
        words.pop()
    # "d. o. o." and "S. A." with spaces.
    tail = 0
    while tail < len(words) - 1 and len(words[-1 - tail]) == 1:
        tail += 1
    if tail > 1 and "".join(words[-tail:]) in LEGAL_FORMS:
        words = words[:-tail]
    if len(words) > 1 and words[0] in ("gmbh", "pt", "ooo", "oao", "zao", "pao", "ao"):
        del words[0]
    return " ".join(words)


@lru_cache(maxsize=1)
def _given_names() -> dict[str, str]:
    """Folded given name -> gender, from the name lists of Faker."""
    import importlib

    genders: dict[str, set[str]] = {}
    for locale in (
        "en_US",
        "en_GB",
        "de_DE",
        "fr_FR",
        "es_ES",
        "it_IT",
        "nl_NL",
        "pl_PL",
    ):
        try:
            module = importlib.import_module(f"faker.providers.person.{locale}")
        except ImportError:
            continue
        provider = module.Provider
        for attr, gender in (
            ("first_names_male", MALE),
            ("first_names_female", FEMALE),
        ):
            for name in getattr(provider, attr, ()):
                genders.setdefault(fold(name), set()).add(gender)
    return {n: next(iter(g)) if len(g) == 1 else UNKNOWN for n, g in genders.items()}


def given_name_gender(name: str) -> str | None:
    """Gender of a given name by name lists.

    name (str): One given name.
    RETURNS (Optional[str]): "m", "f", "" if used for both, None if the name is unknown.
    """
    return _given_names().get(fold(name))


def acronym(text: str) -> str:
    """Initials of the capitalised words of an organisation's name.

    text (str): "European Court of Human Rights".
    RETURNS (str): "ECHR".
    """
    return "".join(
        word[0]
        for word in re.split(r"[\s\-/]+", text.translate(_TRANSLATE))
        if word[:1].isupper()
    ).upper()
