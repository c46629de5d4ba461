import re

import pytest

from spacy_deid.surrogates.numbers import in_words, ordinal_in_words, read_words

KEYS = [b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("EUR 4,684.40", r"EUR \d,\d{3}\.\d0"),
        ("5,699.21 euros (EUR)", r"\d,\d{3}\.\d\d euros \(EUR\)"),
        ("TRL 30,000,000", r"TRL \d0,000,000"),
        ("11.590.000 Turkish Liras (TRL)", r"\d\d\.\d{2}0\.000 Turkish Liras \(TRL\)"),
        ("ten plots of land", r"[a-z-]+ plots of land"),
        ("30%", r"\d\d%"),
        ("100 %", r"\d{1,2} %"),
        ("15th", r"\d+(st|nd|rd|th)"),
        ("fourth", r"[a-z-]+(th|st|nd|rd)"),
        ("Twenty three hearings", r"[A-Z][a-z]+( [a-z]+)? hearings"),
        ("two hundred and fifty thousand", r"[a-z -]+ thousand"),
        (".983", r"\.\d{3}"),
        ("#182", r"#\d{3}"),
        ("1 000", r"\d 000"),
        ("twice", r"once|thrice|\w+ times"),
        ("5 ft 9 in (1.75 m)", r"\d ft \d{1,2} in \(\d\.\d\d m\)"),
        (
            "a hundred dollars",
            r"(one|two|three) hundred [a-z ]*dollars|[a-z-]+ dollars",
        ),
        ("a million dollars", r"(?!a )[a-z-]+ million dollars"),
        ("half a million euros", r"[a-z-]+ million euros"),
        ("several thousand pounds", r"several thousand [a-z ]+"),
    ],
)
def test_form_of_quantities(replace, text, shape, key):
    out = replace([(text, "QUANTITY")], key)[0]
    assert re.fullmatch(shape, out), out
    assert out != text


@pytest.mark.parametrize("key", KEYS)
def test_heights_agree_in_both_units(replace, key):
    out = replace([("5 ft 9 in (1.75 m)", "QUANTITY")], key)[0]
    feet, inches, metres = re.findall(r"[\d.]+", out)
    assert abs((int(feet) * 12 + int(inches)) * 0.0254 - float(metres)) < 0.01


@pytest.mark.parametrize("key", KEYS)
def test_percentages_stay_possible_and_ranges_in_order(replace, key):
    for text in ("97%", "12 per cent", "50 %"):
        assert (
            0
            < int(re.match(r"\d+", replace([(text, "QUANTITY")], key)[0]).group())
            <= 100
        )
    low, high = map(
        int, re.findall(r"\d+", replace([("$100–130 million", "QUANTITY")], key)[0])
    )
    assert low < high


def test_the_same_sum_is_the_same_everywhere(replace):
    out = replace([("EUR 4,684", "QUANTITY"), ("4,684 euros", "QUANTITY")])
    assert out[0].split()[1] == out[1].split()[0]


def test_small_numbers_stay_different(replace):
    words = ["two", "three", "four", "five", "six", "seven", "first", "second", "third"]
    out = replace([(w, "QUANTITY") for w in words])
    assert len(set(out)) == len(words) and not set(out) & set(words)


def test_a_currency_named_after_a_masked_country_changes(replace):
    out = replace(
        [("54,000 Turkish liras (TRL)", "QUANTITY"), ("Turkish", "DEM", "NATIONALITY")]
    )
    assert "Turkish" not in out[0] and re.match(r"\d\d,000 \w+", out[0])


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("36 years old", r"\d\d years old"),
        ("aged twelve", r"aged [a-z]+"),
        ("12-year-old", r"\d{1,2}-year-old"),
        ("sixty-three", r"[a-z-]+"),
        ("in his thirties", r"in his [a-z]+ies"),
        ("18 months old", r"\d\d months old"),
    ],
)
def test_form_of_ages(replace, text, shape, key):
    out = replace([(text, "DEM", "AGE")], key)[0]
    assert re.fullmatch(shape, out), out
    assert out != text


@pytest.mark.parametrize("key", KEYS)
def test_ages_move_together_and_minors_stay_minors(replace, key):
    out = replace(
        [("30", "DEM", "AGE"), ("45 years old", "DEM", "AGE"), ("16", "DEM", "AGE")],
        key,
    )
    assert int(out[1].split()[0]) - int(out[0]) == 15
    assert 1 <= int(out[2]) < 18


def test_words_for_numbers():
    for n in range(1000):
        assert read_words(in_words(n)) == n
    assert in_words(23, like="Twenty three") == "Twenty three"
    assert ordinal_in_words(23) == "twenty-third"
