"""Time of the patterns on hostile texts: linear, and how long at most?

    python benchmarks/fuzz_patterns.py --limit 2
    python benchmarks/fuzz_patterns.py --family pipeline --chars 100000 --fragments 0

A million characters of repeated fragments (a list of nasty ones, then random ones of 1
to 40 characters) and of random soups go through each family of patterns alone, through
all of the default ones, through the tokenizer and through the component on a blank
pipeline. All texts are first read at a part of the length (`--screen`, 1: none); the
slowest and the ones that grow the fastest are then read at the full length and at half
of it. The table has the slowest text of each; a ratio near 2 means linear time. Times
are those of the process, not of the clock, and worth as much as the machine is fast: a
loop of additions is timed before and after. The family `pipeline`, the whole embedded
pipeline, is read only if it is asked for.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import string
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

# Between its runs the process takes at least this long, in seconds, to be looked at.
NOISE = 0.002

DIGITS = string.digits
SEPARATORS = " -./:,;#@_+&%=?!'\"|\\~*°§"
BRACKETS = "()[]{}<>"
LETTERS = string.ascii_letters
UNICODE = "٣४９𝟗०۵－／．＠：　éßÑØıİſжЖ中"
HIDDEN = "\u00a0\u00ad\u200b\u200d\u202f\u2009\u2011\u2066\ufeff\ufe0f"
BREAKS = "\n\t\r\x0b\x0c\u2028\u0085"
WORDS = (
    "phone tel fax call mobile no number nr ref case file account acct iban bic swift "
    "card visa amex expires ssn social security passport driver licence license plate "
    "reg vin born dob date of the on from until to and at by in street st avenue road "
    "lane apt suite flat po box rue de la calle via strasse str zip postcode code city "
    "Germany Berlin New York United Kingdom USA user username login password pass key "
    "token api secret ip mac address email mail dot http https www com org id nhs mrn "
    "patient record tax vat bitcoin eth wallet Monday mon 1st second third twenty one "
    "hundred thousand million and years old aged months ago January may march dec "
    "noon midnight o'clock am pm p.m. half past quarter EUR USD dollars pounds percent "
    "application applications judgment v. § article section version no. nos. N n. "
    "north west latitude longitude lat N E W S degrees coordinates"
).split()

# Fragments that hurt patterns of this kind, or are likely to.
_SHORT = (
    "1 2 12 1. 1- 1/ 1: 1, (1 1) 1.1 1-1- +1 +1- 0 00 007 00- 1e1 1x 1ext a1 1a "
    "A1 1A a a. a@ a@a a@a. a.a@ a-a. @ @a .. ... - -- --- _ / // :// http:// "
    "https://a. www. www.a. a.b.c. .com com. x.com/ ?a=b& %20 # ## #1 [1] (1) "
    "((((( ))))) [[[[ {{{{ <a <a> <a@ \"a 'a a' a:b a=b a;b a|b \\ : :: ::: 1: ff: "
    "ffff: ::1 0:0: 1::1 00:11:22: 00-11-22- 1.2.3. 1.2.3.4 1.1.1.1. 255. GB "
    "GB12 GB82WEST DE89 DE89370 4111 4111111111111111 4111-1111- 3782 1234-5678- "
    "123-45-6789 123-45- 123456789 078-05-1120, 0x 0xabc bc1 bc1q 1A1zP1 $ $1 "
    "$1, €1. 1€ £ 1% % %1 1m 1kg 10:00 10: 1am 12/12/ 1/1/ 2020- 2020-01-01 "
    "2020-01-01T 1.1. 01.01.2000 Jan Jan. Jan-1 1st 1-Jan- 31/ § §1 §§ no.1 No. "
    "nos. v. A.B. A.-B. A-B- AB12 AB12CDE AB-12- WDB 1HGCM82633A004352 W1A "
    "W1A1AA 12345- 12345-6789 1234AB D-12345 F-75001 00-950 Str. str.1 1Street, "
    "Rd, Apt#1 #1, I II IV. XIV é ß İ ı ſ 中 1 １ １－ ＠ 𝟗 aaaaaaaaaa "
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@ 1111111111111111111111111111111111111111 "
    "ABCDEFGHIJ a1b2c3d4 deadbeef sk_live_ ghp_ AKIA eyJ eyJhbGci. @@ @a@b@ a@@b"
).split()
# Those with blanks, separated by broken bars.
_PHRASES = (
    " ¦1 ¦12 ¦1 1-¦a ¦A ¦A a ¦(1) ¦+1 ¦1, 2 ¦1 of ¦the 1 ¦the ¦of ¦and ¦one ¦"
    "one hundred ¦twenty-one ¦first of ¦the first of ¦name at host dot ¦a at b ¦"
    "a dot ¦a [at] ¦phone ¦phone: ¦phone 1 ¦tel ¦tel. +¦ext. 1 ¦call 1-¦ssn ¦"
    "ssn: 1¦passport no ¦passport no. A1¦license ¦driver's ¦driver's license # ¦"
    "account number ¦account no. 1-¦user name ¦username: ¦password: ¦"
    "password is ¦password=a;¦iban ¦iban: GB¦bic ¦card ending ¦street ¦1 Street ¦"
    "1 A Street, ¦12 Main St, ¦Main ¦12 Main ¦Main Main Main ¦St. ¦Apt 1, ¦"
    "rue de la ¦1, rue de ¦via ¦calle ¦P.O. Box ¦PO Box 1, ¦New York, NY ¦NY 1¦"
    "United Kingdom, ¦Germany ¦Berlin, Germany, ¦A, B, C, ¦January ¦1 January ¦"
    "January 1, ¦Jan 1 ¦1 Jan - ¦from 1 to ¦from 1 January to ¦between 1 and ¦"
    "Monday, ¦Monday 1 ¦1 May 2 ¦2000 ¦2000-2001 ¦10:00 ¦10:00 - ¦at 1 ¦"
    "at 10 a.m. ¦half past ¦quarter to ¦1 year ¦1 years and ¦aged ¦aged 1 ¦"
    "years old ¦one year, two months, ¦$1 ¦$1.1 million ¦EUR ¦EUR 1 ¦1,000,¦"
    "1 000 ¦1.000.¦1 million ¦nos. 1/2, ¦nos. 1/2 and ¦no. ¦no. 1/¦"
    "application no. ¦applications nos. 1/1, ¦case C-1/¦file number ¦case no. ¦"
    "1.1, 1.1 ¦lat 1.1 ¦N 1 W ¦mac 00:¦wallet ¦0x1 ¦a@b.c ¦a@b.com,¦a@b.com;a@¦"
    'http://a ¦http://a.b/c?¦<http://a>¦@user ¦@user: ¦u/a r/b ¦key: ¦"key": "¦'
    "token=¦1|2|¦1;2;¦A. B. ¦A.B.C. ¦Mr. A "
).split("¦")
_ODD = [
    "@a ",
    "\n",
    "\t",
    "\r\n",
    "\x0b",
    "1\n",
    "a\n",
    "stra\xdfe ",
    "Kurstra\xdfe 1, ",
    "A\nB\n",
    "1 A\n",
    "12345 Berlin\n",
    "\xa7 1 ",
    "\xa7\xa7 1, ",
    "Article 1 \xa7 1 ",
    "1\xb0 1' 1\" ",
    "1\xb01'N ",
    "a: b\n",
    "id: 1\n",
    "1\t1\t",
    "\n\n",
    "1\n\n",
    "- 1\n",
    "\u200b1\u200b2",
    "1\xa01\xa0",
    "a\xada\xad@",
    "\u0661\u0662-",
    "\uff11\uff12\u3000",
    "\u202e1\u202c",
    "\u2066a@b\u2069",
    "a\xad",
    "1\xad",
    "\xad",
    "\u200b",
    "1\u200b",
    "\xa0",
    "1\xa0",
    "\u0663",
    "\u0663-",
    "\u0345",
    "a\u0300",
]
NASTY = [*_SHORT, *_PHRASES, *_ODD]


class Case(NamedTuple):
    """A hostile text.

    name (str): What it repeats.
    text (Callable): Gives the text of a length.
    """

    name: str
    text: Callable[[int], str]


class Result(NamedTuple):
    """Time of one family on one text.

    case (str): The text.
    seconds (float): Time at the full length.
    ratio (float): Time at the full length by that at half the length.
    """

    case: str
    seconds: float
    ratio: float


class TooSlow(Exception):
    """Raised when a run takes longer than the cap."""


def _repeat(fragment: str) -> Case:
    return Case(
        repr(fragment),
        lambda n: (fragment * (n // len(fragment) + 1))[:n],
    )


def _random_fragment(rng: random.Random) -> str:
    groups = [DIGITS, SEPARATORS, BRACKETS, LETTERS, UNICODE, HIDDEN, BREAKS, "     "]
    chosen = rng.sample(groups, rng.randrange(1, 4))
    size = rng.choice((rng.randrange(1, 8), rng.randrange(1, 41)))
    if rng.random() < 0.5:
        out = ""
        while len(out) < size:
            out += rng.choice(
                (rng.choice(WORDS), "".join(rng.choices("".join(chosen), k=2)))
            )
            out += rng.choice(("", " ", " ", ": ", ", "))
        return out[:40]
    return "".join(rng.choices("".join(chosen), k=size))


def _soup(rng: random.Random, number: int) -> Case:
    seed = rng.randrange(10**9)
    kinds = (
        ("digits and separators", list(DIGITS * 3 + SEPARATORS)),
        ("digits, brackets, blanks", list(DIGITS * 2 + BRACKETS + "   -")),
        ("letters, dots, at", list(LETTERS + "....@@@---")),
        ("words", [f"{w} " for w in WORDS]),
        ("words and digits", [f"{w} " for w in WORDS] + [f"{d} " for d in DIGITS * 8]),
        ("words, digits, marks", [*WORDS, *DIGITS * 9, *SEPARATORS * 3, *BREAKS]),
        ("upper case and digits", list(string.ascii_uppercase + DIGITS * 2 + " -")),
        ("hex and colons", list("0123456789abcdef" * 2 + ":::::::..")),
        (
            "all",
            [*LETTERS, *DIGITS, *SEPARATORS, *BRACKETS, *UNICODE, *HIDDEN, *BREAKS],
        ),
    )
    name, pieces = kinds[number % len(kinds)]

    def text(n: int) -> str:
        return "".join(random.Random(seed).choices(pieces, k=n))[:n]

    return Case(f"soup {number} of {name}", text)


def make_cases(fragments: int, seed: int) -> list[Case]:
    """Hostile texts.

    fragments (int): How many random fragments besides the fixed ones.
    seed (int): Seed of the random ones.
    RETURNS (list[Case]): The texts.
    """
    rng = random.Random(seed)
    fixed = list(dict.fromkeys(NASTY + WORDS))
    drawn = [_random_fragment(rng) for _ in range(fragments)]
    soups = [_soup(rng, i) for i in range(max(9, fragments // 10))]
    return [*map(_repeat, fixed), *map(_repeat, drawn), *soups, *_distinct(rng)]


MARKS = "   .,-'@0"


def _letters(first: int, last: int) -> str:
    """The characters that have a meaning between two code points."""
    return "".join(filter(str.isprintable, map(chr, range(first, last + 1))))


def _distinct(rng: random.Random) -> list[Case]:
    """Texts in which nothing is repeated, of several alphabets."""
    printable = string.ascii_letters + string.digits + string.punctuation + " "

    def name() -> str:
        word = "".join(rng.choices("aeiou", k=3) + rng.choices("bdlmnrst", k=4))
        return f"{word.title()} {word[::-1].title()} met "

    def phone() -> str:
        return f"+44 20 7946 {rng.randrange(10**4):04} or "

    def fill(make: Callable[[], str]) -> Callable[[int], str]:
        return lambda n: "".join(make() for _ in range(n // 5 + 1))[:n]

    def of(name: str, *alphabet: str) -> Case:
        chars = "".join(alphabet)
        return Case(f"random {name}", lambda n: "".join(rng.choices(chars, k=n)))

    some = [chr(code) for code in range(sys.maxunicode + 1)]
    return [
        of("Latin with accents", _letters(0xC0, 0x24F), LETTERS, MARKS),
        of("Greek", _letters(0x370, 0x3FF), MARKS),
        of("Cyrillic", _letters(0x400, 0x45F), MARKS),
        of("Arabic", _letters(0x620, 0x64A), "٠١٢٣٤٥٦٧٨٩", MARKS),
        of("Devanagari", _letters(0x900, 0x97F), MARKS),
        of("Chinese", _letters(0x4E00, 0x9FFF), "，。"),
        of("Japanese", _letters(0x3040, 0x30FF), _letters(0x4E00, 0x4FFF)),
        of("characters of many scripts", _letters(0xA0, 0x2FFF)),
        of("characters of all Unicode", *filter(str.isprintable, some)),
        Case("random printable", lambda n: "".join(rng.choices(printable, k=n))),
        Case("base64", lambda n: b64encode(rng.randbytes(n)).decode()[:n]),
        Case("invented names", fill(name)),
        Case("telephone numbers", fill(phone)),
    ]


def _hits(recognizer: Callable[[str], Iterable], text: str) -> list:
    return list(recognizer(text))


def make_families() -> dict[str, Callable[[str], object]]:
    """What is timed, by name: functions of a text."""
    import spacy

    import spacy_deid
    from spacy_deid.patterns.base import find_hits
    from spacy_deid.pii_gazetteer import PATTERNS
    from spacy_deid.registries import registry

    makers = dict(registry.deid_patterns.get_all())
    # A user's own: it needs to be told what to find.
    del makers["spacy_deid.regex_patterns.v1"]
    for reference in PATTERNS.values():
        name = reference["@deid_patterns"]
        makers.setdefault(name, registry.deid_patterns.get(name))
    recognizers = {
        name.removeprefix("spacy_deid.").removesuffix("_patterns.v1"): make()
        for name, make in sorted(makers.items())
    }
    out: dict[str, Callable[[str], object]] = {
        name: partial(_hits, recognizer) for name, recognizer in recognizers.items()
    }
    # Some families are registered only for configs of earlier versions.
    default = [registry.resolve({"r": r})["r"] for r in PATTERNS.values()]
    out["all"] = partial(find_hits, recognizers=default)
    nlp = spacy.blank(
        "en",
        config={"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}},
    )
    nlp.max_length = 10**9
    nlp.add_pipe("pii_gazetteer")
    out["tokenizer"] = nlp.make_doc
    out["component"] = nlp
    whole = spacy_deid.load()
    whole.max_length = 10**9
    whole.get_pipe("pseudonymizer").set_key(b"fuzz" * 8)
    out["pipeline"] = whole
    return out


@contextmanager
def _cap(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def yardstick() -> float:
    """Time of ten million additions: how fast this machine is at the moment."""
    start, total = time.process_time(), 0
    for i in range(10**7):
        total += i
    return time.process_time() - start


def measure(run: Callable[[str], object], text: str, cap: float) -> float:
    """Time of the process for one text; infinite if longer than the cap."""
    start = time.process_time()
    try:
        with _cap(cap):
            run(text)
    except TooSlow:
        return float("inf")
    return time.process_time() - start


def fuzz(
    run: Callable[[str], object],
    cases: list[Case],
    chars: int,
    screen: int,
    top: int,
    cap: float,
) -> list[Result]:
    """Time one family on many texts.

    run (Callable): Function of a text.
    cases (list[Case]): The texts.
    chars (int): Length of the texts.
    screen (int): Read all at this part of the length first; 1: read all at full length.
    top (int): How many are read at full length.
    cap (float): Stop a run after so many seconds.
    RETURNS (list[Result]): The slowest first.
    """
    chosen = cases
    if screen > 1:
        size = chars // screen
        long = [measure(run, case.text(size), cap) for case in cases]
        short = [measure(run, case.text(size // 2), cap) for case in cases]
        # Twice as long is taken as linear; what grows faster is extrapolated.
        expected = [
            a * screen * max(1.0, (a / b / 2 if b > NOISE else 1.0)) ** 3
            if a != float("inf")
            else a
            for a, b in zip(long, short)
        ]
        order = sorted(range(len(cases)), key=lambda i: -expected[i])
        chosen = [cases[i] for i in order[:top]]
    out = []
    for case in chosen:
        whole = measure(run, case.text(chars), cap)
        half = measure(run, case.text(chars // 2), cap)
        out.append(Result(case.name, whole, whole / max(half, NOISE)))
    return sorted(out, key=lambda r: -r.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fragments", type=int, default=200, help="random fragments")
    parser.add_argument("--chars", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--screen", type=int, default=16)
    parser.add_argument("--top", type=int, default=6)
    parser.add_argument("--show", type=int, default=3, help="rows of a family")
    parser.add_argument("--family", action="append", help="only this one; repeatable")
    parser.add_argument(
        "--cap", type=float, default=30, help="stop a run after seconds"
    )
    parser.add_argument("--limit", type=float, help="fail if anything takes longer")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()

    families = make_families()
    if unknown := set(args.family or ()) - families.keys():
        parser.error(f"no family {', '.join(sorted(unknown))}: {', '.join(families)}")
    cases = make_cases(args.fragments, args.seed)
    print(f"{len(cases)} texts of {args.chars:,} characters, seed {args.seed}")
    print(f"ten million additions take {yardstick():.2f} s")
    print(f"{'':14}{'seconds':>10}{'ratio':>8}  text")
    results, slow = {}, False
    for name in args.family or [f for f in families if f != "pipeline"]:
        run = families[name]
        run("Warm up on 1 January 2020 at 10:00: call +44 20 7946 0000, a@b.com.")
        found = fuzz(run, cases, args.chars, args.screen, args.top, args.cap)
        results[name] = [r._asdict() for r in found]
        for i, r in enumerate(found[: args.show]):
            print(
                f"{name if i == 0 else '':14}{r.seconds:10.2f}{r.ratio:8.1f}  {r.case}",
                flush=True,
            )
        slow |= args.limit is not None and found[0].seconds > args.limit
    print(f"ten million additions take {yardstick():.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MiB")
    if args.json:
        args.json.write_text(json.dumps(results, indent=2), encoding="utf8")
    sys.exit(slow)


if __name__ == "__main__":
    main()
