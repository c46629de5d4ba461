"""Letter case of a new text beside the one that it replaces."""

from __future__ import annotations

from collections.abc import Iterable

# Small letters that are forms of another: "ſ" of "s", Greek and Cyrillic ones; but not
# the "ς" that ends words.
_FORMS = {
    ord(ch): ch.casefold()
    for ch in map(chr, range(0x100, 0x1D00))
    if ch.islower() and len(ch.casefold()) == 1 and ch.casefold().islower()
    if ch != "ς" and ch.casefold() != ch
}


def plain_letters(text: str) -> str:
    """A text with the common form of letters that have several, as long as it was."""
    return text if text.isascii() else text.translate(_FORMS)


def as_matched(word: str) -> str:
    """The form under which to look up a word that a regular expression found without
    regard to case: to it "ſ" is an "s", the Kelvin sign a "k", and "ı" and "İ" an "i".

    word (str): A word as it was found, or as a table has it.
    RETURNS (str): The same for all that such an expression takes for one word.
    """
    if word.isascii():
        return word.lower()
    return word.replace("İ", "i").casefold().replace("ı", "i")


def place_in(words: Iterable[str], word: str) -> int:
    """The place of a word in a list, whose words a regular expression has looked for
    without regard to case."""
    return [*map(as_matched, words)].index(as_matched(word))


def match_case(new: str, old: str) -> str:
    """Give `new` the letter case of `old`: ALL CAPS, lower case or its own.

    new (str): Text as it is written in a list.
    old (str): Text whose case is kept.
    RETURNS (str): `new`, perhaps in another case.
    """
    if not old or old.lower() == old.upper():
        return new
    if old.isupper():
        # One capital letter says nothing: "A" may begin any title.
        return new.upper() if sum(ch.isalpha() for ch in old) > 1 else new
    return new.lower() if old.islower() else new


def like_first(new: str, old: str) -> str:
    """As `match_case`, with a capital first if `old` has one."""
    if old[:1].isupper() and not old.isupper():
        return new[:1].upper() + new[1:]
    return match_case(new, old)
