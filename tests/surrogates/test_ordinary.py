"""Words that are names, too, in documents of each language."""

from spacy_deid.surrogates.sweep.occurrences import Sweep
from spacy_deid.surrogates.sweep.ordinary import stands_for_person, stands_for_word

from .marked import table_of


def left(lang, name, text, articled=False):
    sweep = Sweep((), lang, articled)
    sweep.add_parts([name])
    return [text[hit.start : hit.end] for hit in sweep.find(text)]


def test_words_stay_and_names_go():
    """A capital is a name's in English, wherever it stands."""
    for row in table_of("words_and_names.tsv"):
        text = row["text"].replace(r"\n", "\n")
        assert len(left(row["lang"], row["name"], text)) == int(row["found"]), row
    # Where names have articles they tell nothing.
    assert left("de", "Winter", "Der Winter war da.", articled=True) == ["Winter"]


def test_names_in_small_letters():
    """The words around decide; where they tell nothing, a given name goes."""
    assert left("de", "stein", "im stein, frau stein, sagt stein") == ["stein"] * 2
    assert left("en", "Anna", "met anna, 0 anna, an anna") == ["anna"] * 3
    assert left("de", "Stein", "frau stein, wie ein stein") == ["stein"]


def test_what_tells_a_person():
    for text in ("Herr Stein", "\nStein\n", "Stein: Ja.", "Peter Stein", "Tante Stein"):
        start = text.index("Stein")
        assert stands_for_person(text, start, start + 5, "de"), text
        assert not stands_for_word(text, start, start + 5, "de")
    assert not stands_for_person("ein Stein im Weg", 4, 9, "de")
