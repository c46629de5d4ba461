"""What of a written document is no text of its own: nothing masked may be in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .pieces import LeakError

# Shorter ones are in names of styles and in numbers by chance.
_MIN_LETTERS, _MIN_FIGURES = 4, 5
_WORD = re.compile(r"[^\W_]+")


def masked_pattern(
    masked: Sequence[tuple[str, str]], loose: bool = False
) -> re.Pattern[str] | None:
    """What finds masked strings, whatever signs stand between their words.

    masked (Sequence[tuple[str, str]]): Each with its type.
    loose (bool): Single words in any case: in what people name, not in what a format
        does ("black", "center").
    RETURNS (Optional[Pattern]): None if none is long enough to tell anything.
    """
    found = set()
    for text, label in masked:
        words = _WORD.findall(text)
        letters = "".join(words)
        if len(letters) < (_MIN_FIGURES if letters.isdigit() else _MIN_LETTERS):
            continue
        plain = len(words) == 1 and not loose and label != "CODE"
        if plain and letters.isalpha() and letters.islower():
            continue
        # Only this group minds the case.
        joined = r"[\W_]*".join(map(re.escape, words))
        found.add((-len(letters), joined if plain else f"(?i:{joined})"))
    if not found:
        return None
    choices = "|".join(words for _, words in sorted(found))
    return re.compile(rf"(?<![^\W_])(?:{choices})(?![^\W_])")


def check_rest(strings: Iterable[str], masked: Sequence[tuple[str, str]]) -> None:
    """Check strings of a document that are none of its text.

    RAISES (LeakError): If something masked is in one.
    """
    if (pattern := masked_pattern(masked)) and any(map(pattern.search, strings)):
        raise LeakError(
            "something masked is in the name of a style, a shape or the like: change that "
            "name, or write the text alone to a .jsonl file"
        )
