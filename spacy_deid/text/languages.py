"""In which language a text is written, by py3langid (Lui and Baldwin 2012)."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

# What is read of a text; letters that tell enough, and how sure it has to be: of 1,158
# English documents of many kinds none is another then. Letters that are not Latin tell
# more, and what they leave open are languages close to each other.
_READ = 1000
_LEAST, _SURE = 100, 0.99
_LEAST_ELSEWHERE, _SURE_ELSEWHERE = 15, 0.7
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


@cache
def _identifier() -> LanguageIdentifier | None:
    # Takes half a second, and unpacks the model to a temporary file: a full disk is told
    # where something is written that matters.
    with suppress(OSError):
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return None


def language_of(text: str) -> str:
    """The language of a text.

    text (str): Of any length; its first thousand characters are read.
    RETURNS (str): Its code in ISO 639-1; "" for a text that is too short to tell, or may
        be in several.
    """
    words = " ".join(_WORD.findall(text[:_READ]))
    letters = len(words) - words.count(" ")
    latin = 2 * len(_LATIN.findall(words)) > letters
    if letters < (_LEAST if latin else _LEAST_ELSEWHERE):
        return ""
    if (identifier := _identifier()) is None:
        return ""
    language, sure = identifier.classify(words)
    return language if sure >= (_SURE if latin else _SURE_ELSEWHERE) else ""
