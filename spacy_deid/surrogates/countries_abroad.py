"""What countries are called in German, Spanish and Russian, and how a text says that
something lies there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..lang.inflection import key_of

_COLUMNS = ("de", "es", "ru")
# English; German; Spanish; Russian. Behind "=" stands what a place there is ("in der
# Schweiz", "del Reino Unido") if it is not what most countries have.
_TABLE = """
Afghanistan;Afghanistan;Afganistán;Афганистан
Albania;Albanien;Albania;Албания
Algeria;Algerien;Argelia;Алжир
Andorra;Andorra;Andorra;Андорра
Angola;Angola;Angola;Ангола
Argentina;Argentinien;Argentina;Аргентина
Armenia;Armenien;Armenia;Армения
Australia;Australien;Australia;Австралия
Austria;Österreich;Austria;Австрия
Azerbaijan;Aserbaidschan;Azerbaiyán;Азербайджан
Bahamas;Bahamas=auf den Bahamas;Bahamas=de las Bahamas;Багамы=на Багамах
Bahrain;Bahrain;Baréin;Бахрейн
Bangladesh;Bangladesch;Bangladés;Бангладеш
Barbados;Barbados=auf Barbados;Barbados;Барбадос=на Барбадосе
Belarus;Belarus;Bielorrusia;Белоруссия
Belgium;Belgien;Bélgica;Бельгия
Belize;Belize;Belice;Белиз
Benin;Benin;Benín;Бенин
Bhutan;Bhutan;Bután;Бутан
Bolivia;Bolivien;Bolivia;Боливия
Bosnia and Herzegovina;Bosnien und Herzegowina;Bosnia y Herzegovina;Босния и Герцеговина=в Боснии и Герцеговине
Botswana;Botsuana;Botsuana;Ботсвана
Brazil;Brasilien;Brasil;Бразилия
Brunei Darussalam;Brunei;Brunéi;Бруней
Bulgaria;Bulgarien;Bulgaria;Болгария
Burkina Faso;Burkina Faso;Burkina Faso;Буркина-Фасо
Burundi;Burundi;Burundi;Бурунди
Cambodia;Kambodscha;Camboya;Камбоджа
Cameroon;Kamerun;Camerún;Камерун
Canada;Kanada;Canadá;Канада
Cape Verde;Cabo Verde;Cabo Verde;Кабо-Верде
Central African Republic;Zentralafrikanische Republik=in der Zentralafrikanischen Republik;República Centroafricana=de la República Centroafricana;ЦАР
Chad;Tschad=im Tschad;Chad;Чад
Chile;Chile;Chile;Чили
China;China;China;Китай
Colombia;Kolumbien;Colombia;Колумбия
Comoros;Komoren=auf den Komoren;Comoras;Коморы=на Коморах
Congo;Kongo=im Kongo;Congo=del Congo;Конго
Costa Rica;Costa Rica;Costa Rica;Коста-Рика
Croatia;Kroatien;Croacia;Хорватия
Cuba;Kuba=auf Kuba;Cuba;Куба=на Кубе
Cyprus;Zypern=auf Zypern;Chipre;Кипр=на Кипре
Czech Republic;Tschechien;República Checa=de la República Checa;Чехия
Democratic Republic of the Congo;Kongo=im Kongo;República Democrática del Congo=de la República Democrática del Congo;ДР Конго
Denmark;Dänemark;Dinamarca;Дания
Djibouti;Dschibuti;Yibuti;Джибути
Dominica;Dominica;Dominica;Доминика
Dominican Republic;Dominikanische Republik=in der Dominikanischen Republik;República Dominicana=de la República Dominicana;Доминиканская Республика
Ecuador;Ecuador;Ecuador;Эквадор
Egypt;Ägypten;Egipto;Египет
El Salvador;El Salvador;El Salvador;Сальвадор
Equatorial Guinea;Äquatorialguinea;Guinea Ecuatorial;Экваториальная Гвинея
Eritrea;Eritrea;Eritrea;Эритрея
Estonia;Estland;Estonia;Эстония
Ethiopia;Äthiopien;Etiopía;Эфиопия
Federated States of Micronesia;Mikronesien;Micronesia;Микронезия
Fiji;Fidschi;Fiyi;Фиджи=на Фиджи
Finland;Finnland;Finlandia;Финляндия
France;Frankreich;Francia;Франция
Gabon;Gabun;Gabón;Габон
Gambia;Gambia;Gambia;Гамбия
Georgia;Georgien;Georgia;Грузия
Germany;Deutschland;Alemania;Германия
Ghana;Ghana;Ghana;Гана
Greece;Griechenland;Grecia;Греция
Grenada;Grenada;Granada;Гренада
Guatemala;Guatemala;Guatemala;Гватемала
Guinea;Guinea;Guinea;Гвинея
Guinea-Bissau;Guinea-Bissau;Guinea-Bisáu;Гвинея-Бисау
Guyana;Guyana;Guyana;Гайана
Haiti;Haiti;Haití;Гаити=на Гаити
Honduras;Honduras;Honduras;Гондурас
Hungary;Ungarn;Hungría;Венгрия
Iceland;Island;Islandia;Исландия
India;Indien;India=de la India;Индия
Indonesia;Indonesien;Indonesia;Индонезия
Iran;Iran=im Iran;Irán;Иран
Iraq;Irak=im Irak;Irak;Ирак
Ireland;Irland;Irlanda;Ирландия
Israel;Israel;Israel;Израиль
Italy;Italien;Italia;Италия
Ivory Coast;Elfenbeinküste=an der Elfenbeinküste;Costa de Marfil;Кот-д’Ивуар=в Кот-д’Ивуаре
Jamaica;Jamaika=auf Jamaika;Jamaica;Ямайка=на Ямайке
Japan;Japan;Japón;Япония
Jordan;Jordanien;Jordania;Иордания
Kazakhstan;Kasachstan;Kazajistán;Казахстан
Kenya;Kenia;Kenia;Кения
Kiribati;Kiribati;Kiribati;Кирибати
Kosovo;Kosovo=im Kosovo;Kosovo;Косово
Kuwait;Kuwait;Kuwait;Кувейт
Kyrgyzstan;Kirgisistan;Kirguistán;Киргизия
Laos;Laos;Laos;Лаос
Latvia;Lettland;Letonia;Латвия
Lebanon;Libanon=im Libanon;Líbano=del Líbano;Ливан
Lesotho;Lesotho;Lesoto;Лесото
Liberia;Liberia;Liberia;Либерия
Libya;Libyen;Libia;Ливия
Liechtenstein;Liechtenstein;Liechtenstein;Лихтенштейн
Lithuania;Litauen;Lituania;Литва
Luxembourg;Luxemburg;Luxemburgo;Люксембург
Madagascar;Madagaskar=auf Madagaskar;Madagascar;Мадагаскар=на Мадагаскаре
Malawi;Malawi;Malaui;Малави
Malaysia;Malaysia;Malasia;Малайзия
Maldives;Malediven=auf den Malediven;Maldivas;Мальдивы=на Мальдивах
Mali;Mali;Mali;Мали
Malta;Malta=auf Malta;Malta;Мальта=на Мальте
Marshall Islands;Marshallinseln=auf den Marshallinseln;Islas Marshall=de las Islas Marshall;Маршалловы Острова=на Маршалловых Островах
Mauritania;Mauretanien;Mauritania;Мавритания
Mauritius;Mauritius=auf Mauritius;Mauricio;Маврикий=на Маврикии
Mexico;Mexiko;México;Мексика
Moldova;Republik Moldau=in der Republik Moldau;Moldavia;Молдавия
Monaco;Monaco;Mónaco;Монако
Mongolia;Mongolei=in der Mongolei;Mongolia;Монголия
Montenegro;Montenegro;Montenegro;Черногория
Morocco;Marokko;Marruecos;Марокко
Mozambique;Mosambik;Mozambique;Мозамбик
Myanmar;Myanmar;Birmania;Мьянма
Namibia;Namibia;Namibia;Намибия
Nauru;Nauru;Nauru;Науру
Nepal;Nepal;Nepal;Непал
Netherlands;Niederlande=in den Niederlanden;Países Bajos=de los Países Bajos;Нидерланды
New Zealand;Neuseeland;Nueva Zelanda;Новая Зеландия
Nicaragua;Nicaragua;Nicaragua;Никарагуа
Niger;Niger=im Niger;Níger;Нигер
Nigeria;Nigeria;Nigeria;Нигерия
North Korea;Nordkorea;Corea del Norte;Северная Корея
North Macedonia;Nordmazedonien;Macedonia del Norte;Северная Македония
Norway;Norwegen;Noruega;Норвегия
Oman;Oman=im Oman;Omán;Оман
Pakistan;Pakistan;Pakistán;Пакистан
Palau;Palau;Palaos;Палау
Palestine;Palästina;Palestina;Палестина
Panama;Panama;Panamá;Панама
Papua New Guinea;Papua-Neuguinea;Papúa Nueva Guinea;Папуа-Новая Гвинея
Paraguay;Paraguay;Paraguay;Парагвай
Peru;Peru;Perú;Перу
Philippines;Philippinen=auf den Philippinen;Filipinas;Филиппины=на Филиппинах
Poland;Polen;Polonia;Польша
Portugal;Portugal;Portugal;Португалия
Qatar;Katar;Catar;Катар
Romania;Rumänien;Rumanía;Румыния
Russia;Russland;Rusia;Россия
Rwanda;Ruanda;Ruanda;Руанда
Samoa;Samoa;Samoa;Самоа=на Самоа
San Marino;San Marino;San Marino;Сан-Марино
Saudi Arabia;Saudi-Arabien;Arabia Saudí;Саудовская Аравия
Senegal;Senegal=im Senegal;Senegal;Сенегал
Serbia;Serbien;Serbia;Сербия
Seychelles;Seychellen=auf den Seychellen;Seychelles;Сейшелы=на Сейшелах
Sierra Leone;Sierra Leone;Sierra Leona;Сьерра-Леоне
Singapore;Singapur;Singapur;Сингапур
Slovakia;Slowakei=in der Slowakei;Eslovaquia;Словакия
Slovenia;Slowenien;Eslovenia;Словения
Solomon Islands;Salomonen=auf den Salomonen;Islas Salomón=de las Islas Salomón;Соломоновы Острова=на Соломоновых Островах
Somalia;Somalia;Somalia;Сомали
South Africa;Südafrika;Sudáfrica;ЮАР
South Korea;Südkorea;Corea del Sur;Южная Корея
Spain;Spanien;España;Испания
Sri Lanka;Sri Lanka;Sri Lanka;Шри-Ланка=на Шри-Ланке
Sudan;Sudan=im Sudan;Sudán;Судан
Suriname;Suriname;Surinam;Суринам
Swaziland;Eswatini;Esuatini;Эсватини
Sweden;Schweden;Suecia;Швеция
Switzerland;Schweiz=in der Schweiz;Suiza;Швейцария
Syria;Syrien;Siria;Сирия
Taiwan;Taiwan;Taiwán;Тайвань=на Тайване
Tajikistan;Tadschikistan;Tayikistán;Таджикистан
Tanzania;Tansania;Tanzania;Танзания
Thailand;Thailand;Tailandia;Таиланд
Togo;Togo;Togo;Того
Tonga;Tonga;Tonga;Тонга
Trinidad and Tobago;Trinidad und Tobago;Trinidad y Tobago;Тринидад и Тобаго=в Тринидаде и Тобаго
Tunisia;Tunesien;Túnez;Тунис
Turkey;Türkei=in der Türkei;Turquía;Турция
Turkmenistan;Turkmenistan;Turkmenistán;Туркмения
Tuvalu;Tuvalu;Tuvalu;Тувалу
Uganda;Uganda;Uganda;Уганда
Ukraine;Ukraine=in der Ukraine;Ucrania;Украина
United Arab Emirates;Vereinigte Arabische Emirate=in den Vereinigten Arabischen Emiraten;Emiratos Árabes Unidos=de los Emiratos Árabes Unidos;ОАЭ
United Kingdom;Vereinigtes Königreich=im Vereinigten Königreich;Reino Unido=del Reino Unido;Великобритания
United States;USA=in den USA;Estados Unidos;США
Uruguay;Uruguay;Uruguay;Уругвай
Uzbekistan;Usbekistan;Uzbekistán;Узбекистан
Vanuatu;Vanuatu;Vanuatu;Вануату
Vatican City;Vatikanstadt=in der Vatikanstadt;Ciudad del Vaticano=de la Ciudad del Vaticano;Ватикан
Venezuela;Venezuela;Venezuela;Венесуэла
Vietnam;Vietnam;Vietnam;Вьетнам
Yemen;Jemen=im Jemen;Yemen;Йемен
Zambia;Sambia;Zambia;Замбия
Zimbabwe;Simbabwe;Zimbabue;Зимбабве
"""
# Names of the lexicons that are not those of the table.
_ALSO = {
    "Großbritannien": "United Kingdom",
    "England": "United Kingdom",
    "Holland": "Netherlands",
    "Vereinigten Staaten": "United States",
    "Vereinigte Staaten": "United States",
    "Moldawien": "Moldova",
    "Inglaterra": "United Kingdom",
    "Gran Bretaña": "United Kingdom",
    "Holanda": "Netherlands",
    "EE.UU.": "United States",
    "EE. UU.": "United States",
    "Chequia": "Czech Republic",
    "Bolivia": "Bolivia",
    "Англия": "United Kingdom",
    "Беларусь": "Belarus",
    "Молдова": "Moldova",
    "Голландия": "Netherlands",
    "Соединённые Штаты": "United States",
    "Америка": "United States",
}


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, ...]]:
    """The columns of each country, by its English name."""
    rows = (line.split(";") for line in _TABLE.strip().splitlines())
    return {row[0]: tuple(row[1:]) for row in rows}


@lru_cache(maxsize=8)
def english_names(lang: str) -> Mapping[str, str]:
    """English names of countries by what they are called in a language.

    lang (str): "de", "es" or "ru".
    RETURNS (Mapping[str, str]): By the key of each form.
    """
    column = _COLUMNS.index(lang)
    found = {key_of(name): english for name, english in _ALSO.items()}
    for english, row in _rows().items():
        name = row[column].partition("=")[0]
        for form in _forms(name) if lang == "ru" else (name,):
            found.setdefault(key_of(form), english)
    return found


def _forms(name: str) -> tuple[str, ...]:
    from ..lang.ru.forms import multiword

    return tuple(multiword(name).values())


@lru_cache(maxsize=1024)
def lying_in(english: str, lang: str) -> str:
    """Where a place of a country is: "in Norwegen", "del Reino Unido", "во Франции".

    english (str): English name of the country.
    lang (str): "de", "es" or "ru".
    RETURNS (str): "" for a country that is not known.
    """
    row = _rows().get(english)
    if row is None:
        return ""
    name, _, where = row[_COLUMNS.index(lang)].partition("=")
    if where:
        return where
    if lang != "ru":
        return f"in {name}" if lang == "de" else f"de {name}"
    from ..lang.ru.forms import fits_preposition, multiword

    form = multiword(name)["loct"]
    return f"в {form}" if fits_preposition(form, "в ") else f"во {form}"
