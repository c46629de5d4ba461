"""What is said: what shows that pieces belong together; see also `test_examples`."""

import pytest

from spacy_deid.patterns.spoken.groups import FIRST, MORE
from spacy_deid.patterns.spoken.spoken import make_spoken_patterns

RECOGNIZE = make_spoken_patterns()


def details(text):
    return [(h.subtype, h.source.removeprefix("pattern:")) for h in RECOGNIZE(text)]


def test_pieces_go_on_in_german_too():
    text = "Phone?\nB: oh two oh\nA: yes\nB: seven nine four six, and oh one double two"
    assert details(text) == [("PHONE", FIRST), ("PHONE", MORE), ("PHONE", MORE)]
    # Out of order, and said again.
    text = "My card ends in 4417 and starts with 5500, yes."
    assert details(text) == [("CARD", FIRST), ("CARD", MORE)]
    # Another subject closes it.
    text = "My phone is oh two oh. The price was five two."
    assert details(text) == [("PHONE", FIRST)]
    parts = details("Number eight, Abbey Lane.")
    assert parts == [("ADDRESS", FIRST), ("ADDRESS", MORE)]
    recognize = make_spoken_patterns(languages=["de"])
    text = "Meine Telefonnummer: null drei null, zwo drei eins zwo fünf, sechs null sieben."
    (h,) = recognize(text)
    assert h.subtype == "PHONE" and text[h.start : h.end].startswith("null")
    assert not list(recognize("Zwei Eier, drei Tassen Mehl und ein Löffel Salz."))
    with pytest.raises(ValueError, match="xx"):
        make_spoken_patterns(languages=["xx"])
