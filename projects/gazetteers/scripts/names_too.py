"""Names that are words of a language, too: python names_too.py LANG DATA > FILE

What `build_lexicon.py` takes for a name alone, because texts hardly ever write it small: it is the
word all the same where it stands in small letters, or behind an article. A word is one that the
dictionary (simplemma, MIT) has in small letters or, of German nouns, with a plural of their own; of given names
those alone that texts write small for something else, none in English.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import wordfreq
from simplemma import is_known, lemmatize
from simplemma.strategies.dictionaries.dictionary_factory import (
    DefaultDictionaryFactory,
)

from spacy_deid.corpora.inline import read_inline
from spacy_deid.corpora.report import Report
from spacy_deid.gazetteers.lexicon import FAMILY, GIVEN, LOWER, PLACE, class_of
from spacy_deid.text.words import WORD

CORPORA = Path(__file__).parents[3] / "assets/corpora"


def small_words(lang: str, data: Path) -> set[str]:
    """Words that texts write small for what is no name."""
    found: set[str] = set()
    for path in (CORPORA / lang).glob("*/*.txt"):
        for record in (r for records in read_inline(path, Report()) for r in records):
            text, end = record["text"], 0
            for m in record.get("entity_mentions", ()):
                found.update(WORD.findall(text[end : m["start_offset"]]))
                end = max(end, m["end_offset"])
            found.update(WORD.findall(text[end:]))
    for path in [
        *data.glob(f"raw/{lang}_*.jsonl"),
        *data.glob(f"raw/*_{lang}_*.jsonl"),
    ]:
        for line in path.open(encoding="utf8"):
            found.update(WORD.findall(json.loads(line)["text"]))
    return {word for word in found if word.islower()}


def names_too(lang: str, data: Path) -> list[str]:
    forms: dict[str, set[str]] = defaultdict(set)
    for form, lemma in DefaultDictionaryFactory().get_dictionary(lang).items():
        forms[_text(lemma)].add(_text(form))
    small, out = small_words(lang, data), []
    for word in wordfreq.get_frequency_dict(lang, "large"):
        known = class_of(word, lang)
        if len(word) < 3 or not word.isalpha() or known & LOWER:
            continue
        if not known & (GIVEN | FAMILY | PLACE) or not is_known(word, lang=lang):
            continue
        # English texts in small letters write given names small.
        if lang == "en" and known & GIVEN:
            continue
        lemma = lemmatize(word, lang=lang)
        same = lemma == word or lemma in (word[:-1], word[:-2])
        others = forms[word.capitalize()] | forms[word]
        own = {f for f in others if not f.lower().startswith(word)} or {
            f for f in others if f.lower() in (word + "e", word + "es", word + "en")
        }
        told = (same and lemma.islower()) or (lang == "de" and own)
        if told and (word in small or (lang != "en" and others and not known & GIVEN)):
            out.append(word)
    return sorted(out)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


if __name__ == "__main__":
    print(
        "# Names that are words of the language, too, in lower case: made by "
        "projects/gazetteers/scripts/names_too.py. Dictionary: simplemma (MIT); "
        "frequencies: wordfreq (CC BY-SA 4.0)."
    )
    print("\n".join(names_too(sys.argv[1], Path(sys.argv[2]))))
