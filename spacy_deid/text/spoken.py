"""Numbers, letters and signs as people say them: one reader, which also writes.

"double four", "oh", "S for sugar", "M, a, r, k", "dot", with hesitations, another
speaker's words and time stamps between. The words are in `data/lang/CODE/spoken.tsv`.
What is read has atoms: places in the text, each with the characters
that it means and with its form, so that others can be said in the same manner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

from ..data import ROOT, table
from .case import as_matched, like_first
from .folding import fold
from .words import tree_pattern, word_tree

# Forms of atoms.
DIGIT, NUMBER, FIGURES, TIMES = "digit", "number", "figures", "times"
LETTER, ALPHABET, MARK, WORD = "letter", "alphabet", "mark", "word"
LANGUAGES = tuple(sorted(path.parent.name for path in ROOT.glob("lang/*/spoken.tsv")))
# What may stand between two atoms beside fillers.
_PAUSE = r"[\s,.;…–—()\"'‘’“”?!/*_-]*"
_ONLY_PAUSE = re.compile(_PAUSE)
# Another speaker begins, perhaps with a time before.
_CLOCK = r"[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?[\])]?"
TURN = (
    rf"(?:\n|\A)[ \t>]*[-–—*•\"]?[ \t]*(?:{_CLOCK}[ \t]*[-–]?[ \t]*)?"
    r"(?:<[^\n<>]{1,30}>|\[[^\n\[\]]{1,30}\]|\**[^\W\d_][^\n:,.?!]{0,30}:\**(?!\S)|[A-Z]\.(?=[ \t]+[A-Z])|(?<=[\])\d][ \t]))"
    rf"(?:[ \t]*{_CLOCK})?"
)
_EDGE, _END = r"(?<![^\W_])(?<!\w['’])", r"(?![^\W_]|['’][^\W\d_])"
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Atom(NamedTuple):
    """The smallest thing that is said.

    start (int): First character.
    end (int): Character after the last.
    chars (str): What it means, in lower case.
    form (str): `digit`, `number` (of two or three digits), `figures`, `times` ("double
        four"), `letter`, `alphabet` ("sierra", "S for sugar"), `mark` or `word`.
    """

    start: int
    end: int
    chars: str
    form: str

    @property
    def numeric(self) -> bool:
        """Whether it means digits."""
        return self.chars.isdecimal()


class Run(NamedTuple):
    """Atoms that nothing but pauses and fillers keeps apart.

    atoms (tuple[Atom, ...]): In order, at least one.
    """

    atoms: tuple[Atom, ...]

    @property
    def start(self) -> int:
        """First character."""
        return self.atoms[0].start

    @property
    def end(self) -> int:
        """Character after the last."""
        return self.atoms[-1].end

    @property
    def chars(self) -> str:
        """What they mean together."""
        return "".join(atom.chars for atom in self.atoms)

    @property
    def compact(self) -> str:
        """As `chars`, without signs."""
        return "".join(ch for ch in self.chars if ch.isalnum())

    @property
    def spoken(self) -> bool:
        """Whether anything in it is said rather than written in figures."""
        return any(atom.form != FIGURES for atom in self.atoms)


class Speech:
    """Reader and writer of one language; see `speech`.

    lang (str): Code of the language.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._roles: dict[str, dict[str, str]] = {}
        # What a value is written as: the first word of its row.
        self._written: dict[tuple[str, str], str] = {}
        for row in table(f"lang/{lang}/spoken"):
            role, value = row["role"], row["value"]
            words = [word.replace("_", " ") for word in row["words"].split()]
            for word in words:
                # "dreißig" is looked up as "dreissig", and found as both.
                for key in (_key(word), word.lower()):
                    self._roles.setdefault(role, {})[key] = value
                self._written.setdefault((role, value), word)

    @cached_property
    def scanner(self) -> re.Pattern[str]:
        """Finds fillers and atoms, fillers first."""
        ones = [w for w, v in self._roles["digit"].items() if len(v) == 1]
        digit, hundred = _any(self._roles["digit"]), _any(self._roles["hundred"])
        # "One hundred" and "four" are one number only with "and", in some languages.
        and_ = "".join(rf"{_any([word])}\s{{1,2}}" for word in self.links)
        # "vierhundertzwölf" is one word.
        gap = r"\s{0,2}" if "joined" in self._roles else r"\s{1,2}"
        case, as_ = _any(self._roles["case"]), _any(self._roles["as"])
        mark = rf"(?P<mark>{_any(self._roles['mark'])}){_END}"
        parts = (
            rf"(?P<turn>{TURN})",
            rf"{_EDGE}(?:(?P<filler>{_any(self._roles['filler'])}){_END}"
            rf"|(?P<times>{_any(self._roles['times'])})[\s-]{{1,2}}(?:(?P<timed>"
            rf"{_any(ones)}|[^\W_])){_END}"
            rf"|(?P<number>(?P<hundreds>{hundred})(?:{gap}{and_}(?P<rest>{digit}))?){_END}"
            rf"|(?P<digit>{digit}){_END}"
            rf"|(?P<figures>[0-9]{{1,32}})(?![^\W_])"
            rf"|{mark}"
            rf"|(?P<alphabet>{_any(self._roles['alphabet'])}){_END}"
            rf"|(?:(?:{case})\s)?(?P<letter>{_any(self._roles['letter'])}{_END}|[^\W\d_])"
            rf"(?:\s?,?\s(?:{as_})\s(?P<as>[^\W\d_]{{2,15}}))?{_END})",
        )
        return re.compile("|".join(parts), re.I)

    def _atom(self, m: re.Match[str]) -> Atom | None:
        """What was found; None for what says nothing."""
        group = m.lastgroup
        if group == "filler" and len(m[0]) == 1 and m[0].isupper():
            # "Ч О П Ч И Я Н"
            return Atom(*m.span(), m[0].lower(), LETTER)
        if group in ("turn", "filler"):
            return None
        if group == "timed":
            value = int(self._roles["times"][_key(m["times"])])
            timed = self._roles["digit"].get(_key(m["timed"]), m["timed"].lower())
            return Atom(*m.span(), timed * value, TIMES)
        if group in ("letter", "as"):
            return self._read_letter(m)
        if group == NUMBER:
            value = int(self._roles["hundred"][_key(m["hundreds"])])
            rest = m["rest"] and self._roles["digit"][_key(m["rest"])]
            return Atom(*m.span(), str(value + int(rest or 0)), NUMBER)
        if group == FIGURES:
            return Atom(*m.span(), m[0], FIGURES)
        said = self._roles[group or ""][_key(m[0])]
        long = group == DIGIT and len(said) > 1
        return Atom(*m.span(), said, NUMBER if long else group or "")

    def _read_letter(self, m: re.Match[str]) -> Atom:
        letter = self._roles["letter"].get(_key(m["letter"]), m["letter"].lower())
        word = m["as"]
        if word and fold(word[:1]) != fold(letter):
            # "B for you".
            return Atom(m.start(), m.end("letter"), letter, LETTER)
        return Atom(*m.span(), letter, ALPHABET if word else LETTER)

    @cached_property
    def words(self) -> frozenset[str]:
        """First words of what it reads, but those that are mostly something else."""
        roles = ("digit", "hundred", "times", "letter", "alphabet")
        known = (word for role in roles for word in self._roles[role])
        return frozenset(re.split(r"[\s']", word)[0] for word in known)

    def numbers(self, role: str) -> dict[str, int]:
        """Words of a role that say numbers, the usual one of each first."""
        usual = {w: int(v) for (r, v), w in self._written.items() if r == role}
        return usual | {w: int(v) for w, v in self._roles[role].items()}

    @property
    def links(self) -> list[str]:
        """What stands between hundreds and the rest."""
        return [*self._roles.get("and", ())]

    @property
    def times(self) -> Iterable[str]:
        """Words that say how often a digit or letter is said."""
        return self._roles["times"]

    @cached_property
    def number_words(self) -> frozenset[str]:
        """Words that say digits, or how often one is said."""
        roles = ("digit", "times", "hundred")
        known = [word for role in roles for word in self._roles[role]]
        parts = (part for word in known for part in word.split())
        return frozenset((*known, *parts, *(word.replace(" ", "-") for word in known)))

    @cached_property
    def signs(self) -> frozenset[str]:
        """Words that say signs, how often what follows is said, or nothing."""
        roles = ("mark", "times", "filler")
        known = (word for role in roles for word in self._roles.get(role, ()))
        return frozenset(part for word in known for part in word.split())

    def runs(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Run]:
        """What is said in a text, in order.

        text (str): Any text.
        start (int): Where to begin.
        end (Optional[int]): Where to stop.
        YIELDS (Run): Runs of atoms; many are ordinary words ("a", "at", "one").
        """
        atoms: list[Atom] = []
        last = len(text) if end is None else end
        end = start
        for m in self.scanner.finditer(text, start, last):
            if atoms and not _ONLY_PAUSE.fullmatch(text, end, m.start()):
                yield Run(tuple(atoms))
                atoms = []
            atom = self._atom(m)
            end = m.end() if atom is None else atom.end
            if atom is not None:
                atoms.append(atom)
        if atoms:
            yield Run(tuple(atoms))

    def read(self, text: str, words: bool = False) -> Run | None:
        """What a piece of text says from end to end.

        text (str): The piece.
        words (bool): Whether other words count as the letters they have.
        RETURNS (Optional[Run]): None if something in it is not read.
        """
        atoms: list[Atom] = []
        end = 0
        for m in self.scanner.finditer(text):
            atom = self._atom(m)
            if m.start() < end or not self._between(text, end, m.start(), words, atoms):
                return None
            end = m.end() if atom is None else atom.end
            if atom is not None:
                atoms.append(atom)
        if not self._between(text, end, len(text), words, atoms):
            return None
        return Run(tuple(atoms)) if atoms else None

    def _between(
        self, text: str, start: int, end: int, words: bool, atoms: list[Atom]
    ) -> bool:
        """Add the words between two atoms; whether all is read."""
        if _ONLY_PAUSE.fullmatch(text, start, end):
            return True
        if not words and not _ONLY_PAUSE.fullmatch(_WORDS.sub("", text[start:end])):
            return False
        for m in _WORDS.finditer(text, start, end):
            letter = self._roles.get("inside", {}).get(_key(m[0]))
            if not words and letter is None:
                return False
            chars, form = (m[0].lower(), WORD) if words else (letter or "", LETTER)
            atoms.append(Atom(m.start(), m.end(), chars, form))
        return True

    def write(self, text: str, chars: str, run: Run | None = None) -> str:
        """Say other characters in the manner of a text.

        text (str): What was read.
        chars (str): New characters, without signs; where there are more or fewer than
            the old ones, they are said with the same pauses.
        run (Optional[Run]): What `read` gave for the text, if it is known.
        RETURNS (str): For example "M, a, r, k" and "anne" -> "A, n, n, e".
        RAISES (ValueError): If the text can't be read.
        """
        run = run or self.read(text)
        if run is None:
            raise ValueError("text that is no spoken number or name can't be rewritten")
        said = [atom for atom in run.atoms if atom.form != MARK]
        zeros = (a for a in said if a.chars == "0" and a.form == DIGIT)
        zero = next((text[a.start : a.end].lower() for a in zeros), "")
        if len(chars) != sum(len(atom.chars) for atom in said):
            return self._anew(text, chars, said, zero)
        out, end, at = [], 0, 0
        named = _named(text, said)
        for atom in said:
            part = chars[at : at + len(atom.chars)]
            new = self.say(part, named(atom), atom.form, zero)
            out += [text[end : atom.start], new]
            at, end = at + len(atom.chars), atom.end
        made = "".join([*out, text[end:]])
        again = self.read(made)
        # "twenty", "one" would be one number.
        fits = again is not None and again.compact == chars
        return made if fits else self._anew(text, chars, said, zero)

    def _anew(self, text: str, chars: str, said: Sequence[Atom], zero: str) -> str:
        """Characters one by one, with the pauses and forms of the first ones; one number
        for one."""
        if len(said) == 1 and chars.isdecimal():
            number = self.say(chars, text[said[0].start : said[0].end], NUMBER, zero)
            return text[: said[0].start] + number + text[said[0].end :]
        pauses = [text[a.end : b.start] for a, b in pairwise(said)] or [" "]
        named = _named(text, said)
        pieces: list[str] = []
        for i, char in enumerate(chars):
            like = said[min(i, len(said) - 1)]
            if i:
                pieces.append(pauses[min(i, len(pauses)) - 1])
            pieces.append(self.say(char, named(like), like.form, zero))
        return text[: said[0].start] + "".join(pieces) + text[said[-1].end :]

    def say(self, chars: str, like: str, form: str, zero: str = "") -> str:
        """One atom that means some characters, in the form of another.

        chars (str): Digits, a letter, or a word.
        like (str): The old atom's text.
        form (str): Its form.
        zero (str): The word for a zero, if it is known.
        """
        if form == WORD:
            return like_first(chars, like)
        if form == FIGURES:
            return chars
        if form == TIMES and len(set(chars)) == 1:
            lead, said = self._times(like)
            plain = LETTER if len(said) == 1 else DIGIT
            return lead + self.say(chars[0], said, plain, zero)
        if form == NUMBER and self._is_number(chars, like):
            return self._number(chars, like)
        each = (
            self._digit(char, like, zero)
            if char.isdecimal()
            else self._letter(char, like, form)
            for char in chars
        )
        first, *others = each
        if not like.isupper() and like != like.title():
            # "Double four" is "One two", too.
            others = [word.lower() if len(word) > 1 else word for word in others]
        return " ".join([first, *others])

    def _times(self, like: str) -> tuple[str, str]:
        """ "double " and "four" of "double four"."""
        match = re.match(r"\S+?[\s-]{1,2}(?=\S+\Z)", like)
        return (match[0], like[match.end() :]) if match else ("", like)

    def _is_number(self, chars: str, like: str) -> bool:
        """Whether some digits can be said as one number where such a one stood."""
        if len(chars) < 2 or chars[0] == "0":
            return False
        if len(chars) == 2 or "and" not in self._roles:
            return len(chars) < 4
        said = like.lower().split()
        return chars[1:] == "00" or not self._roles["and"].keys().isdisjoint(said)

    def _number(self, chars: str, like: str) -> str:
        """Two or three digits as one number."""
        rest = str(int(chars[-2:]))
        small = self._written["digit", rest]
        if " " in like and "-" not in like:
            small = small.replace("-", " ")
        if len(chars) == 2:
            return like_first(small, like)
        parts = [self._written["hundred", chars[0] + "00"]]
        if rest != "0":
            parts += [*self.links, small]
        return like_first(("" if "joined" in self._roles else " ").join(parts), like)

    def _digit(self, char: str, like: str, zero: str) -> str:
        if len(like) == 1 or like[1:2].isspace():
            # Among letters.
            return char
        if char == "0":
            return like_first(zero or self._written["digit", "0"], like)
        return like_first(self._written["digit", char], like)

    def _letter(self, char: str, like: str, form: str) -> str:
        """A letter by itself, or as a word that begins with it, "S for sugar" too."""
        if form == LETTER and like.isalpha() and len(like) > 1:
            return like_first(self._name(char), like)
        if form == ALPHABET and ("alphabet", char) not in self._written:
            char = fold(char)
        word = self._written.get(("alphabet", char), "")
        capital = like[-1:].isupper() if form == LETTER else like[:1].isupper()
        if form != ALPHABET or not word:
            stem = like[:-1] if like[-2:-1].isspace() else ""
            return stem + (char.upper() if capital else char)
        if (told := self._told.fullmatch(like)) is None:
            return like_first(word, like)
        old, last = told["letter"], like_first(word, told["word"])
        new = like_first(self._name(char), old)
        if len(old) == 1:
            new = char.upper() if old.isupper() else char
        return f"{told['lead']}{new}{told['as']}{last}"

    def _name(self, char: str) -> str:
        """What a letter is called, itself if it has no name."""
        names = {**self._roles.get("inside", {}), **self._roles["letter"]}
        char = char if char in names.values() else fold(char)
        found = (self._written.get((role, char)) for role in ("letter", "inside"))
        return next(filter(None, found), char)

    @cached_property
    def _told(self) -> re.Pattern[str]:
        """A letter with a word that begins with it."""
        names = (*self._roles["letter"], *self._roles.get("inside", ()))
        return re.compile(
            rf"(?P<lead>(?:(?:{_any(self._roles['case'])})\s)?)"
            rf"(?P<letter>{_any(names)}|[^\W\d_])"
            rf"(?P<as>\s?,?\s(?:{_any(self._roles['as'])})\s)(?P<word>[^\W\d_]+)",
            re.I,
        )

    def mark(self, sign: str) -> str:
        """The word for a sign ("dot"), the sign itself if it has none."""
        return self._written.get(("mark", sign), sign)


def _named(text: str, said: Sequence[Atom]) -> Callable[[Atom], str]:
    """What each atom is said like: a letter by its name where others are."""
    told = (text[a.start : a.end] for a in said if a.form == LETTER)
    name = next((x for x in told if len(x) > 1 and x.isalpha()), "")

    def like(atom: Atom) -> str:
        own = text[atom.start : atom.end]
        return like_first(name, own) if atom.form == LETTER and name else own

    return like


_SIGNS = {" ": r"[\s-]{1,2}", "'": "['’]"}


def _any(words: Iterable[str]) -> str:
    """Regex of some words."""
    plain = sorted(word.replace("-", " ") for word in words)
    return tree_pattern(word_tree(plain), _SIGNS)


def _key(found: str) -> str:
    return " ".join(as_matched(found).replace("’", "'").replace("-", " ").split())


@cache
def speech(lang: str) -> Speech:
    """The reader and writer of a language; of English for those without a table."""
    return Speech(lang if lang in LANGUAGES else "en")
