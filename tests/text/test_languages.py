import pytest

from spacy_deid.text.languages import language_of

TEXTS = {
    "en": "The patient was seen in the clinic on Tuesday, and was told to come back in "
    "two weeks if the pain in his left knee had not gone by then.",
    "de": "Der Patient stellte sich am Dienstag in der Ambulanz vor und soll in zwei "
    "Wochen wiederkommen, falls die Schmerzen im linken Knie nicht nachlassen.",
    "es": "El paciente acudió el martes a la consulta y debe volver dentro de dos "
    "semanas si el dolor de la rodilla izquierda no ha desaparecido.",
    "ru": "Пациент обратился во вторник и должен прийти через две недели, если боль в "
    "левом колене не пройдёт.",
    "zh": "病人周二来到诊所，医生告诉他如果左膝疼痛没有消失，两周后再来。",
}


@pytest.mark.parametrize("language", TEXTS)
def test_languages_of_texts(language):
    assert language_of(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text", ["", "OK", "Jürgen Müller, Köln", "bp 120/80 hr 72", "1234 5678 " * 50]
)
def test_nothing_is_said_of_what_is_too_short(text):
    assert language_of(text) == ""


def test_long_texts_are_read_to_a_part():
    assert language_of(TEXTS["de"] * 10 + "я" * 10**6) == "de"
