"""How telephone numbers are written, and the words around them and other numbers."""

from __future__ import annotations

import re

from ...data import table
from ..base import Anchored, word_trie
from ..tables import word_set, words

# One gap between groups; two blanks or a tab are the gap between columns.
SEP = r"(?:[ ]|[ ]?[()./-](?:[()./-]|[ ]-)?[ ]?)?"
EXTENSION = (
    r"(?:x|ext|extn|xtn|extension|poste|durchwahl|dw|nst|app|apdo|anexo|interno|int|ramal"
    r"|toestel|tst|wew|vnútorná|linka|kl|mellék|доб|вн)\.?:?\s?\#?"
)
TAIL = re.compile(
    rf"(?i:[\s,;]{{0,2}}(?:(?:{EXTENSION}|\#\s?)[0-9]{{1,6}}(?![0-9])|\({EXTENSION}[0-9]{{1,6}}\)))?"
)
TAIL_START = re.compile(r"[\s,;]{0,2}\(?[A-Za-z#доб]")

# What forms start with: at a digit, bracket or plus that nothing is glued to.
INTERNATIONAL = re.compile(
    r"[+(0](?:(?<=\+)(?<![A-Za-z_+]\+)|(?<=\()(?<!\w\()(?:\+|00(?=[ -]?[1-9]))"
    r"|(?<=0)(?<![\w.+#=$-]0)(?<![0-9]:0)(?<!//0)(?<!\w\*0)"
    r"(?:0(?=[ -]?[1-9])|11(?=[ -][1-9])))\s?\(?[0-9]"
    rf"(?:{SEP}[0-9]){{5,23}}"
)
TRUNK = re.compile(
    r"[(0](?:(?<=\()(?<!\w\()0|(?<=0)(?<![\w.+#=$€£§_\\-]0)(?<![0-9]:0)(?<!//0)(?<!\w\*0))"
    rf"(?:{SEP}[0-9]){{7,27}}"
)
BRACKETED = re.compile(
    r"(?:[178][ .-]?)?\((?<![A-Za-z_]\()[0-9]{1,5}\)[ ./-]{0,2}[0-9](?:[ .-]{0,2}[0-9]){4,9}"
)


# Ways of writing national numbers without zero or bracket before.
FORMS = table("patterns/phones")
FORM = re.compile(
    "|".join(f"(?P<f{i}>(?:{f['form']})(?![0-9]))" for i, f in enumerate(FORMS))
)
FORM_START = re.compile(
    r"[1-9](?<![\w.+#=$€£§_\\-][1-9])(?<!//[1-9])(?<![0-9]:[1-9])(?<!\w\*[1-9])(?=(?:[ ./-]?[0-9]){6})"
)
PLAIN = re.compile(
    r"[0-9](?<![\w./+#=$€£§_\\@&%-][0-9])(?<![0-9]:[0-9])(?<!\w\*[0-9])[0-9]{8,12}(?![\w@%]|[.,:/-][0-9]|\s?[%€$£°])"
)
PHONE_WORDS = words("names.PHONE")
PHONE_CONTEXT = Anchored(word_trie(*PHONE_WORDS), *PHONE_WORDS)
# What one also does to people and places: weaker evidence.
VERBS = word_set("phone.verb")
# Words that say so only beside others.
NUMBER_WORDS = word_set("phone.number")
OWN_NUMBER = re.compile(
    r"\b(?:my|his|her|our|your|their|the|new|this|direct|home|work|office|emergency|private"
    r"|personal|toll-free|business|daytime|evening|contact|phone|fax|mobile|cell|whatsapp"
    r"|meine|mein|mijn|mon|mi|meu|moje|moj|mój|min|mit|mitt|su|il|mio|мой)\s(?:own\s)?(?:number|numbers|nummer|numéro|número|numero|номер)\Z"
    r"|\bcontact\Z|(?:^|\n|[,;(]\s?)numbers?\Z"
)
# Labels that need their colon, or a plus or bracket after them.
LABEL = Anchored(
    r"(?:[A-Za-z](?<!\w.)(?:ome|ork|ffice|irect|ain|ay|vening|rivate|usiness|mergency|oll[ -]free|uro|rivat))"
    r"(?:\s(?:line|no|number|phone))?\.?\s?[:=]\s?",
    "home work office direct main day evening private business emergency toll büro privat",
)
GAP = re.compile(r"[^0-9\n+(]{0,28}\n?[^0-9\n+(]{0,6}(?=[+(0-9])")
ZONE = re.compile(
    r"[+(0-9](?<![\w+][+(0-9])(?<![0-9][,:_*=#-][+(0-9])(?<![$€£#§][+(0-9])"
    r"(?:(?<=\+)\s?\(?[0-9]|(?<=\()\+?[0-9]|(?<=[0-9]))"
    rf"(?:{SEP}[0-9]){{4,26}}"
)
CHAIN = re.compile(
    r"\s?(?:,|;|/|\||&|\+(?=\s)|or|and|und|oder|et|ou|y|o|e|to|bis|-)\s?(?:[a-z]{2,8}[.:]?\s)?"
    r"|\s?\([a-z]{2,8}\)[,;]?\s?(?:or\s|and\s)?|\s",
    re.I,
)
NAMED_AFTER = re.compile(
    r" (?:is|was) (?:my|his|her|our|their|your|the)(?: [a-z]{1,10}){0,2}"
    r" (?:number|phone|mobile|cell|fax|landline)\b"
    r"|[ ]?\((?:home|mobile|cell|work|office|fax|tel|phone|direct|landline|h|m|w|c|o|f)\)"
)
# What may become a number, tried where a group of digits begins.
HEAD = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][ ./()-][0-9])(?<![0-9]\)\([0-9])(?=(?:[ ()./-]{0,3}[0-9]){6})"
)
# What may stand before a number in the same row of digits.
LEAD = re.compile(
    r"(?:[0-9]{3}-[0-9]{2}-[0-9]{4}|[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4}"
    r"|[0-9]{1,5})[ .-]?(?=[(0-9])"
)
# The end of a line within a number.
BROKEN = re.compile(r"\n(?<=[0-9)./-]\n)(?=[0-9(][0-9 ()./-]{2,16}(?![\w-]))")
# A line that holds nothing but another number.
BELOW = re.compile(
    r"[ \t]{0,3}\n(?P<v>[+(]{0,2}[0-9][0-9 ()./-]{5,18}[0-9])[ \t]*(?=\n|\Z)"
)
BETWEEN = re.compile(r"[ ]?/?[ ]?(?=[(0-9])")
CAPITALS = re.compile("[A-Z]{3}")


# What a number is instead when one of these stands before it.
OTHER_NUMBERS = word_set("phone.other")
# Before amounts and years; forms that nothing else has stand against them.
APPROXIMATE = word_set("phone.approximate")
GENERIC = word_set("phone.generic")
# What follows amounts and measures.
NOT_PHONE_AFTER = re.compile(
    r"\s?(?:[%€$£¥°²³]|(?:eur|usd|gbp|chf|pln|euros?|dollars?|pounds?|yen|rupees?|roubles?|rubles?"
    r"|francs?|crowns?|kroner|kronor|zlotys?|zł|kč|forints?|people|persons|inhabitants|residents|votes|rows|lines|records|files|requests|messages|entries"
    r"|copies|units|items|shares|users|times|years?|months?|days|hours?|hrs?|minutes?|mins?|seconds?|secs?|bytes"
    r"|[kmgt]i?b|ms|us|ns|km|kg|cm|mm|ml|mg|hz|[kmg]hz|kwh|mwh|rpm|psi|miles|acres|hectares|tons"
    r"|tonnes|metres|meters|million|billion|thousand|percent|points|pixels|px|results|views|followers"
    r"|particles|cells|atoms|stars|barrels|gallons|litres|liters|degrees)\b)"
)
RIGHT_BAD = re.compile(r"\w|[.:/-][0-9]|@|\s?[%€$£°²³]")
DECIMALS = re.compile(r",[0-9]")
# A comma after a field of a table, not within a number.
FIELD_LEFT = re.compile(r"[^\s,;]{4,},\Z")
# Weak forms count something else after these.
COUNTED = re.compile(
    r"\b(?:magnitude|population|inhabitants|residents|copies|votes|lines|rows|pages|columns"
    r"|records|estimated|figure|average|median|circulation|revenue|turnover|results|shares)\b"
)
# "NHC: 2456034157": the name of another kind of number; places go before telephones too.
ACRONYM = re.compile(
    r"(?<![A-Za-z])([A-Z][a-z]?[A-Z]{1,5}|[A-Z]{1,2}[a-zº°.]{1,3}[A-Z][A-Za-z]{0,5})"
    r"(?:[ ]?[:#.=][ ]{0,2}|[ ])(?:[0-9]{1,5}[ ])?\Z"
)
PLACES = word_set("phone.places")
COLON = re.compile(r"[A-Za-z]:\s?\Z")
CELL_LEFT = re.compile(r"(?:^|[\n\t|;,\"]\s?)\Z")
CELL_RIGHT = re.compile(r"\s?(?:\Z|[\n\t|;,\"])")
# After a date or a time a number may begin.
DATE_LEFT = re.compile(
    r"(?:[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4}"
    r"|[0-9]{1,2}:[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{4})[ ]\Z"
)
LONE_LEFT = re.compile(r"(?:^|[^\w\s./,-]\s{0,3}|\n|[A-Za-z,;:]\s{1,3})[0-9]{1,5}[ ]\Z")
MORE = re.compile(r"[ ](?=[0-9(+])|[ ]?[/-][ ]?(?=[0-9(+])")
DATE = re.compile(
    r"(?:(?:19|20)[0-9]{2}(?P<a>[-./ ])[01]?[0-9](?P=a)[0-3]?[0-9]"
    r"|[0-3]?[0-9](?P<b>[-./ ])[0-3]?[0-9](?P=b)(?:19|20)[0-9]{2}"
    r"|[0-3]?[0-9](?P<c>[-./])[0-3]?[0-9](?P=c)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}\s?[-/]\s?(?:19|20)?[0-9]{2})(?![0-9]|[-./][0-9])"
)
YEARS = re.compile(r"(?:1[5-9]|20)[0-9]{2}(?:[ ./-]{1,3}(?:1[5-9]|20)[0-9]{2})+\Z")
YEAR_FIRST = re.compile(r"\((?:1[5-9]|20)[0-9]{2}\)")
# Groups of other things: social security, post codes, cards.
OTHER_GROUPS = re.compile(
    r"[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}|[0-9]{5}-[0-9]{4}|[0-9]{4}(?:[ -][0-9]{4}){2,3}"
    r"|[0-9]{2}-[0-9]{2}-[0-9]{2}(?:[ -][0-9]{8})?|[1-9][0-9]-[0-9]{7}|97[89][- ][0-9- ]{10,14}"
    r"|[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,7}-[0-9]|[0-9]+\.[0-9]+"
)
OTHER_START = re.compile(
    r"(?:[0-9]{3}-[0-9]{2}-[0-9]{4}|[0-9]{4}(?:[ -][0-9]{4}){3})(?![\w-])"
)
SLASHES = re.compile(r"[0-9]+(?:/[0-9]+){2,5}")
DECIMAL = re.compile(r"\+ ?[0-9]{1,3}\.[0-9]+")
THREE_THREE_FOUR = re.compile(r"[0-9]{3}([.-])[0-9]{3}\1[0-9]{4}")
SHORT_TRUNK = re.compile(
    r"\A\(?0[5689]0|[0-9]-[0-9]{2,3} [0-9]{2} [0-9]{2}\Z|\A0[0-9] [0-9]{3} [0-9]{3}\Z"
)
GROUP = re.compile("[0-9]+")
RUN = re.compile(r"[0-9 ()./+-]*")
# What may stand before the first digit.
PREFIX = re.compile(r"(?<![\w+.,-])[178][ .-]?\(\Z|(?:\(?\+\s?)?\(?\Z")
ZONE_AFTER = re.compile(r"[0-9][0-9 ()./-]{5,22}[0-9](?:\s?x[0-9]{1,5})?")
YEAR = re.compile(r"(?:19|20)[0-9]{2}").fullmatch
TWICE_FOUR = re.compile(r" ?[0-9]{4}[ -][0-9]{4}").fullmatch
BOOKS = frozenset(("isbn", "isbn-10", "isbn-13"))
