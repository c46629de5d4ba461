"""What may not be left of what is masked, by regular expressions alone, and what holds
for the places of all replacements."""

import itertools
import re
import unicodedata

from spacy.lang.en.stop_words import STOP_WORDS

from spacy_deid.data import word_lists
from spacy_deid.gazetteers.lexicon import is_vocabulary
from spacy_deid.text.offsets import to_new, to_old

UNITS = word_lists("units")["measured"]


def plain(text):
    """Case, accents and invisible characters aside."""
    # "½" stays: its compatibility form "1/2" has a "1" that nobody wrote.
    for form in ("NFC", "NFKD"):
        text = "".join(
            ch if "\u2044" in unicodedata.normalize("NFKD", ch) else ch.casefold()
            for ch in unicodedata.normalize("NFC", text)
        )
        text = "".join(
            ch if "\u2044" in (n := unicodedata.normalize(form, ch)) else n
            for ch in text
        )
    return "".join(ch for ch in text if unicodedata.category(ch) not in ("Cf", "Mn"))


def is_one(match, needle, letter):
    """Whether a letter by itself is an occurrence of one that is masked: it may be an
    article, a pronoun, or what an apostrophe leaves."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if before.rstrip()[-1:].isdigit() and match.group() in UNITS:
        return False
    if match.group().islower():
        apart = before[-1:] in ("'", "’") or after[:1] in ("'", "’")
        return needle.islower() and letter not in STOP_WORDS and not apart
    goes_on = re.match(r"['’]| [^\W\d_]", after) and after[1:2] == after[1:2].lower()
    return letter not in STOP_WORDS or not goes_on


def occurs(needle, text, names=frozenset()):
    """Whether the runs of letters and digits of a string follow one another in a text, at
    most three other characters between them, nothing of the same kind at the edges.

    names (Collection[str]): What names a person, place or organisation: a word of the
        vocabulary in lower case is another word than the name that is spelt alike.
    """
    runs = re.findall(r"[^\W\d_]+|\d+", plain(needle))
    # "№" is "No" in compatibility form, but no letter.
    if not runs or not any(map(str.isalnum, needle)):
        return False

    def edge(run):
        return r"\d" if run[0].isdigit() else r"[^\W\d_]"

    # Joined, fewer than four characters of a kind are another word: "1 2" is no "12".
    short = sum(map(len, runs)) < 4
    pattern = re.escape(runs[0])
    for before, run in itertools.pairwise(runs):
        apart = short and before[0].isdigit() == run[0].isdigit()
        pattern += f"[\\W_]{{{int(apart)},3}}{re.escape(run)}"
    pattern = f"(?<!{edge(runs[0])}){pattern}(?!{edge(runs[-1])})"
    word = runs[0] if len(runs) == 1 else ""
    if word.isdigit() and len(word) < 3:
        # An age of "12" is no "12 mg".
        pattern += rf"(?!\s?(?:[°ºo]\s?[cf]\b|(?:{'|'.join(map(re.escape, map(plain, UNITS)))})(?!\w)))"
    # The exemptions: function words and the possessive ending in lower case.
    if word == "s" and not needle.islower():
        text = re.sub(r"(?<=[^\W\d_])['’]s(?![^\W_])", "", text)
    if len(word) == 1 and word.isalpha():
        found = re.finditer(pattern, text, re.IGNORECASE)
        return any(is_one(match, needle, word) for match in found)
    common = word in STOP_WORDS and not needle.islower()
    if common or (word and needle in names and is_vocabulary(word)):
        found = re.finditer(pattern, text, re.IGNORECASE)
        return not all(match.group().islower() for match in found)
    return re.search(pattern, plain(text)) is not None


def check_places(doc):
    """What is not replaced is in the new text, and places lead there and back."""
    text, new, offsets = doc.text, doc._.deid_text, doc._.deid_offsets
    position = new_position = 0
    for start, end, new_start, new_end in [*offsets, [len(text), 0, len(new), 0]]:
        assert position <= start and new_position <= new_start
        assert text[position:start] == new[new_position:new_start]
        for i in range(position, start):
            assert new[to_new(offsets, i)] == text[i]
            assert to_old(offsets, to_new(offsets, i)) == i
        assert to_new(offsets, start) == new_start
        position, new_position = end, new_end
    assert to_old(offsets, len(new)) == len(text)
    group = doc.spans["deid"]
    assert [[s.start_char, s.end_char] for s in group] == [row[:2] for row in offsets]
    assert group.attrs["surrogates"] == [new[c:d] for _, _, c, d in offsets]
