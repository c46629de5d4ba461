import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.text.number_words import read_words

BYTES = st.binary(min_size=1, max_size=4)


def test_heights_agree_in_both_units(replace, key):
    out = replace([("5 ft 9 in (1.75 m)", "QUANTITY")], key)[0]
    feet, inches, metres = re.findall(r"[\d.]+", out)
    assert abs((int(feet) * 12 + int(inches)) * 0.0254 - float(metres)) < 0.01


def test_ages_move_together_and_minors_stay_minors(replace, key):
    texts = ("30", "45 years old", "16")
    grown, older, minor = replace([(text, "DEM", "AGE") for text in texts], key)
    assert int(older.split()[0]) - int(grown) == 15 and 1 <= int(minor) < 18


def quantity(replace, text, key):
    return replace([(text, "QUANTITY")], key)[0]


UNITS = ["st lb 14", "lb oz 16", "hours minutes 60", "min s 60", "ft in 12"]
AMOUNTS = {"larger": st.integers(3, 40), "smaller": st.integers(0, 59)}


@given(**AMOUNTS, units=st.sampled_from(UNITS), key=BYTES)
@settings(max_examples=100, deadline=None)
def test_smaller_units_stay_below_the_larger(replace, larger, smaller, units, key):
    first, second, count = units.split()
    larger = larger % 7 + 3 if first == "ft" else larger
    text = f"{larger} {first} {smaller % int(count)} {second}"
    out = quantity(replace, text, key)
    match = re.fullmatch(rf"(\d+) {first} (\d+) {second}", out)
    assert match and int(match[2]) < int(count) and out != text


@pytest.mark.parametrize("text", ["5 ft 3", "6'4", "5′10″", "4 feet 11 inches"])
def test_people_stay_as_tall_as_people(replace, text, key):
    out = quantity(replace, text, key)
    assert re.sub(r"\d+", "9", out) == re.sub(r"\d+", "9", text)
    feet, inches = map(int, re.findall(r"\d+", out))
    old_feet, old_inches = map(int, re.findall(r"\d+", text))
    assert inches < 12 and 0 < abs(12 * feet + inches - 12 * old_feet - old_inches) <= 4


@given(cm=st.integers(140, 209), key=BYTES)
@settings(max_examples=60, deadline=None)
def test_metric_heights_change_a_little(replace, cm, key):
    for text, factor in ((f"{cm} cm", 1), (f"{cm / 100:.2f} m", 100)):
        out = quantity(replace, text, key)
        new = float(out.split()[0]) * factor
        assert 0.5 < abs(new - cm) < 8.5 and len(out) == len(text)


@given(tenths=st.integers(345, 428), fahrenheit=st.booleans(), key=BYTES)
@settings(max_examples=80, deadline=None)
def test_bodies_stay_alive(replace, tenths, fahrenheit, key):
    value = tenths / 10
    text = f"{value * 1.8 + 32:.1f} °F" if fahrenheit else f"{value:.1f}°C"
    out = quantity(replace, text, key)
    new = float(re.match(r"[\d.]+", out).group())
    new = (new - 32) / 1.8 if fahrenheit else new
    assert 34.9 <= new <= 42 and out != text
    assert re.sub(r"[\d.]+", "9", out) == re.sub(r"[\d.]+", "9", text)


FRACTIONS = "half third quarter fifth sixth seventh eighth ninth tenth".split()


def test_fractions_stay_below_one(replace, key):
    texts = "three-quarters|Four fifths|a third|one-half|five eighths|nine tenths"
    for text in texts.split("|"):
        out = quantity(replace, text, key)
        assert out != text and out[0].isupper() == text[0].isupper()
        match = re.fullmatch(r"(?:([a-z]+)[ -])?([a-z]+?)(s?)", out.lower())
        top = {"a": 1, "an": 1, None: 1}.get(match[1]) or read_words(match[1])
        assert top < FRACTIONS.index(match[2]) + 2
    for text in ("2/3", "1/5", "7/10"):
        top, bottom = map(int, quantity(replace, text, key).split("/"))
        assert 0 < top < bottom <= 10
