"""German words for surrogates, and how they are put in form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ...surrogates.base import last_word, listed
from ..base import Tongue, coded, terms
from ..inflection import Lexeme, Lexicon

# Town / what comes from there : first figures of its post codes.
_HOME_CITIES = """
Aachen/Aachener:52,Augsburg:86,Bamberg:96,Bayreuth:95,Berlin:10,Bielefeld:33,Bochum:44,
Bonn:53,Braunschweig:38,Bremen/Bremer:28,Chemnitz:09,Cottbus:03,Darmstadt/Darmstädter:64,
Dortmund:44,Dresden/Dresdner:01,Duisburg:47,Düsseldorf:40,Erfurt:99,Erlangen/Erlanger:91,
Essen/Essener:45,Esslingen/Esslinger:73,Flensburg:24,Frankfurt am Main/Frankfurter:60,
Freiburg:79,Fulda/Fuldaer:36,Gera/Geraer:07,Gießen/Gießener:35,Göttingen/Göttinger:37,
Hagen/Hagener:58,Halle/Hallenser:06,Hamburg:20,Hamm/Hammer:59,Hannover/Hannoveraner:30,
Heidelberg:69,Heilbronn:74,Hildesheim:31,Ingolstadt/Ingolstädter:85,Jena/Jenaer:07,
Karlsruhe/Karlsruher:76,Kassel/Kasseler:34,Kiel:24,Koblenz:56,Konstanz:78,Köln:50,
Krefeld:47,Landshut:84,Leipzig:04,Leverkusen/Leverkusener:51,Lübeck:23,Ludwigsburg:71,
Lüneburg:21,Magdeburg:39,Mainz:55,Mannheim:68,Marburg:35,Mönchengladbach:41,
München/Münchner:80,Münster/Münsteraner:48,Neuss/Neusser:41,Nürnberg:90,Oldenburg:26,
Osnabrück:49,Paderborn:33,Passau:94,Pforzheim:75,Potsdam:14,Regensburg:93,Reutlingen/Reutlinger:72,
Rosenheim:83,Rostock:18,Saarbrücken/Saarbrücker:66,Salzgitter:38,Schwerin:19,
Schweinfurt:97,Siegen/Siegener:57,Solingen/Solinger:42,Straubing:94,Stuttgart:70,Trier:54,
Tübingen/Tübinger:72,Ulm:89,Weimar/Weimarer:99,Wiesbaden/Wiesbadener:65,
Wolfsburg:38,Wuppertal:42,Würzburg:97,Zwickau:08
"""
_HOME_REGIONS = listed(
    "Bayern,Brandenburg,Hessen,Niedersachsen,Nordrhein-Westfalen,Rheinland-Pfalz,Sachsen,"
    "Sachsen-Anhalt,Schleswig-Holstein,Thüringen,Baden-Württemberg,Mecklenburg-Vorpommern,"
    "Franken,Westfalen,Schwaben,Oberbayern,Niederbayern,Ostfriesland"
)
# Country; its article (n none, f die, m der, p plural); stem of the adjective; how its
# people are called (e Türke, r Italiener, d Deutscher); towns.
_COUNTRIES = """
Deutschland;n;deutsch;d:Deutsch;
Österreich;n;österreichisch;r:Österreicher;Wien,Graz,Linz,Salzburg,Innsbruck,Klagenfurt,Villach,Wels,Dornbirn,Steyr,Leoben/Leobener,Krems/Kremser,Bregenz,Eisenstadt/Eisenstädter,Wolfsberg,Kapfenberg,Feldkirch,Hallein,Amstetten/Amstettner,Traun,Leonding,Bludenz,Spittal,Kufstein,Judenburg,Mödling
Liechtenstein;n;liechtensteinisch;r:Liechtensteiner;Vaduz,Schaan,Triesen
Luxemburg;n;luxemburgisch;r:Luxemburger;Luxemburg,Differdingen,Düdelingen,Ettelbrück
Belgien;n;belgisch;r:Belgier;Brüssel,Antwerpen,Gent,Brügge,Lüttich,Namur,Löwen,Eupen
Bulgarien;n;bulgarisch;e:Bulgar;Sofia,Plowdiw,Warna,Burgas,Russe
Dänemark;n;dänisch;e:Dän;Kopenhagen,Aarhus,Odense,Aalborg,Esbjerg,Kolding
Estland;n;estnisch;e:Est;Tallinn,Tartu,Narva,Pärnu
Finnland;n;finnisch;e:Finn;Helsinki,Tampere,Turku,Oulu,Lahti
Frankreich;n;französisch;x:Franzos;Paris,Lyon,Marseille,Toulouse,Nizza,Nantes,Bordeaux,Lille,Straßburg,Dijon
Griechenland;n;griechisch;e:Griech;Athen,Thessaloniki,Patras,Heraklion,Larisa,Volos
Großbritannien;n;britisch;e:Brit;London,Birmingham,Leeds,Bristol,Sheffield,Nottingham,Leicester,Norwich
England;n;englisch;r:Engländer;London,Manchester,Liverpool,Newcastle,Southampton,Coventry
Irland;n;irisch;e:Ir;Dublin,Cork,Galway,Limerick,Waterford
Italien;n;italienisch;r:Italiener;Rom,Mailand,Neapel,Turin,Bologna,Florenz,Verona,Genua,Bari,Parma
Kroatien;n;kroatisch;e:Kroat;Zagreb,Split,Rijeka,Osijek,Zadar
Lettland;n;lettisch;e:Lett;Riga,Daugavpils,Liepāja,Jelgava
Litauen;n;litauisch;r:Litauer;Vilnius,Kaunas,Klaipėda,Šiauliai
Norwegen;n;norwegisch;r:Norweger;Oslo,Bergen,Trondheim,Stavanger,Drammen
Polen;n;polnisch;e:Pol;Warschau,Krakau,Danzig,Breslau,Posen,Lodz,Lublin,Stettin,Thorn
Portugal;n;portugiesisch;e:Portugies;Lissabon,Porto,Braga,Coimbra,Faro
Rumänien;n;rumänisch;e:Rumän;Bukarest,Klausenburg,Temeswar,Hermannstadt,Kronstadt
Russland;n;russisch;e:Russ;Moskau,Sankt Petersburg,Kasan,Samara,Omsk,Perm,Woronesch
Schweden;n;schwedisch;e:Schwed;Stockholm,Göteborg,Malmö,Uppsala,Örebro,Linköping
Serbien;n;serbisch;e:Serb;Belgrad,Novi Sad,Niš,Kragujevac
Slowenien;n;slowenisch;e:Slowen;Ljubljana,Maribor,Celje,Koper
Spanien;n;spanisch;r:Spanier;Madrid,Barcelona,Valencia,Sevilla,Saragossa,Málaga,Bilbao
Tschechien;n;tschechisch;e:Tschech;Prag,Brünn,Ostrau,Pilsen,Olmütz,Budweis
Ungarn;n;ungarisch;r:Ungar;Budapest,Debrecen,Szeged,Pécs,Győr
Albanien;n;albanisch;r:Albaner;Tirana,Durrës,Vlora
Ägypten;n;ägyptisch;r:Ägypter;Kairo,Alexandria,Luxor,Assuan
Äthiopien;n;äthiopisch;r:Äthiopier;Addis Abeba,Gondar,Jimma
Algerien;n;algerisch;r:Algerier;Algier,Oran,Constantine
Argentinien;n;argentinisch;r:Argentinier;Buenos Aires,Córdoba,Rosario,Mendoza
Australien;n;australisch;r:Australier;Sydney,Melbourne,Brisbane,Perth,Adelaide
Brasilien;n;brasilianisch;r:Brasilianer;Brasília,São Paulo,Recife,Salvador,Curitiba
Chile;n;chilenisch;e:Chilen;Santiago,Valparaíso,Concepción
China;n;chinesisch;e:Chines;Peking,Shanghai,Nanking,Wuhan,Chengdu
Georgien;n;georgisch;r:Georgier;Tiflis,Kutaissi,Batumi
Ghana;n;ghanaisch;r:Ghanaer;Accra,Kumasi,Tamale
Indien;n;indisch;r:Inder;Neu-Delhi,Mumbai,Chennai,Kalkutta,Pune
Indonesien;n;indonesisch;r:Indonesier;Jakarta,Surabaya,Bandung
Island;n;isländisch;r:Isländer;Reykjavík,Akureyri
Israel;n;israelisch;r:Israeli;Tel Aviv,Haifa,Netanja,Aschdod
Japan;n;japanisch;r:Japaner;Tokio,Osaka,Kyoto,Nagoya,Sapporo
Kanada;n;kanadisch;r:Kanadier;Ottawa,Toronto,Montreal,Calgary,Winnipeg
Kasachstan;n;kasachisch;e:Kasach;Astana,Almaty,Schymkent
Kenia;n;kenianisch;r:Kenianer;Nairobi,Mombasa,Kisumu
Kolumbien;n;kolumbianisch;r:Kolumbianer;Bogotá,Medellín,Cali
Marokko;n;marokkanisch;r:Marokkaner;Rabat,Casablanca,Marrakesch,Fès
Mexiko;n;mexikanisch;r:Mexikaner;Mexiko-Stadt,Guadalajara,Monterrey,Puebla
Neuseeland;n;neuseeländisch;r:Neuseeländer;Wellington,Auckland,Christchurch
Nigeria;n;nigerianisch;r:Nigerianer;Abuja,Lagos,Ibadan,Kano
Pakistan;n;pakistanisch;r:Pakistaner;Islamabad,Karatschi,Lahore,Peschawar
Afghanistan;n;afghanisch;e:Afghan;Kabul,Herat,Kandahar
Peru;n;peruanisch;r:Peruaner;Lima,Arequipa,Cusco
Syrien;n;syrisch;r:Syrer;Damaskus,Aleppo,Homs,Latakia
Tunesien;n;tunesisch;r:Tunesier;Tunis,Sfax,Sousse
Vietnam;n;vietnamesisch;e:Vietnames;Hanoi,Da Nang,Hue
Südafrika;n;südafrikanisch;r:Südafrikaner;Pretoria,Kapstadt,Durban,Johannesburg
Schweiz;f;schweizerisch;r:Schweizer;Zürich/Zürcher,Genf,Basel/Basler,Bern,Lausanne,Luzern,Winterthur,St. Gallen,Chur
Slowakei;f;slowakisch;e:Slowak;Pressburg,Kaschau,Nitra,Trenčín
Türkei;f;türkisch;e:Türk;Ankara,Istanbul,Izmir,Bursa,Antalya,Adana,Konya,Trabzon
Ukraine;f;ukrainisch;r:Ukrainer;Kiew,Charkiw,Lwiw,Odessa,Dnipro,Poltawa
Mongolei;f;mongolisch;e:Mongol;Ulan-Bator,Erdenet
Irak;m;irakisch;r:Iraker;Bagdad,Basra,Mossul,Erbil
Iran;m;iranisch;r:Iraner;Teheran,Isfahan,Schiras,Täbris
Libanon;m;libanesisch;e:Libanes;Beirut,Tripoli,Sidon
Sudan;m;sudanesisch;e:Sudanes;Khartum,Omdurman,Kassala
Jemen;m;jemenitisch;e:Jemenit;Sanaa,Aden
USA;p;amerikanisch;r:Amerikaner;Chicago,Houston,Denver,Seattle,Boston,Atlanta,Portland,New York,Los Angeles
Vereinigten Staaten;p;amerikanisch;r:Amerikaner;
Holland;n;holländisch;r:Holländer;Haarlem,Leiden,Delft,Alkmaar,Gouda
Niederlande;p;niederländisch;r:Niederländer;Amsterdam,Rotterdam,Utrecht,Eindhoven,Groningen,Tilburg
Philippinen;p;philippinisch;r:Filipino;Manila,Cebu,Davao
Malediven;p;maledivisch;r:Malediver;Malé,Addu,Kulhudhuffushi
Seychellen;p;seychellisch;r:Seycheller;Victoria,Anse Royale,Cascade
Bahamas;p;bahamaisch;r:Bahamaer;Nassau,Freeport,George Town
"""
_TERMS = """
OCCUPATION; - s n in innen; Lehrer,Bäcker,Gärtner,Schreiner,Maler,Schlosser,Metzger,Tischler,Schneider,Apotheker,Elektriker,Mechaniker,Informatiker,Buchhalter,Übersetzer,Krankenpfleger,Altenpfleger,Erzieher,Taxifahrer,Busfahrer,Kellner,Verkäufer,Makler,Programmierer,Richter,Politiker,Musiker,Schauspieler,Trainer,Handwerker,Unternehmer,Schriftsteller,Wissenschaftler,Künstler,Rentner,Schüler,Physiker,Chemiker,Techniker,Bauarbeiter
OCCUPATION; - en in innen; Journalist,Polizist,Florist,Jurist,Architekt,Patient,Student,Präsident,Assistent,Fotograf,Philosoph,Biolog,Dirigent,Produzent,Pianist
OCCUPATION; e en in innen; Biolog,Geolog,Psycholog,Soziolog,Pädagog,Archäolog,Kardiolog,Theolog
OCCUPATION; - s en in innen; Professor,Direktor,Autor,Lektor,Redaktor,Moderator,Restaurator
OCCUPATION; - s e in innen; Ingenieur,Friseur,Redakteur,Monteur,Regisseur,Notar,Bibliothekar
OCCUPATION; - ; Krankenschwester,Hausfrau,Hebamme,Sekretärin,Putzfrau,Arzthelferin,Schneiderin
OCCUPATION; - es s; Rechtsanwalt,Arzt,Koch,Landwirt
RELIGION; - e er en em es; katholisch,evangelisch,protestantisch,jüdisch,muslimisch,orthodox,buddhistisch,hinduistisch,lutherisch,freikirchlich
RELIGION; - en in innen; Katholik,Protestant,Buddhist,Hinduist,Methodist,Baptist
FAMILY; - ; Ehefrau,Schwester,Tochter,Mutter,Tante,Nichte,Großmutter,Enkelin,Schwägerin,Cousine
FAMILY; - ; Ehemann,Bruder,Sohn,Vater,Onkel,Neffe,Großvater,Enkel,Schwager,Cousin
FAMILY; - ; verheiratet,ledig,geschieden,verwitwet,getrennt lebend
GENDER; - ; männlich,weiblich,divers
GENDER; - es s ; Mann,Junge,Bursche
GENDER; - ; Frau,Mädchen,Dame
ETHNICITY; - e er en em es; kurdisch,arabisch,slawisch,baskisch,katalanisch,bretonisch,sorbisch,friesisch
DISEASE; - ; Asthma,Bronchitis,Lungenentzündung,Grippe,Tuberkulose,Keuchhusten
DISEASE; - ; Diabetes,Gicht,Anämie,Hypothyreose,Adipositas,Zöliakie
DISEASE; - ; Depression,Angststörung,Schizophrenie,Schlafstörung,Essstörung,Burn-out
DISEASE; - ; Herzinsuffizienz,Bluthochdruck,Schlaganfall,Herzinfarkt,Thrombose,Vorhofflimmern
DISEASE; - ; Epilepsie,Migräne,Demenz,Multiple Sklerose,Parkinson,Neuralgie
DISEASE; - ; Brustkrebs,Lungenkrebs,Darmkrebs,Leukämie,Melanom,Lymphom
DISEASE; - ; Arthrose,Rheuma,Osteoporose,Skoliose,Ischialgie,Bursitis
DISEASE; - ; Hepatitis,Leberzirrhose,Gastritis,Kolitis,Blinddarmentzündung,Pankreatitis
MISC; - ; Euro,Dollar,Franken,Pfund,Yen,Kronen
MISC; - ; Erster Weltkrieg,Zweiter Weltkrieg,Kalter Krieg,Dreißigjähriger Krieg
MISC; - s es; Erste Weltkrieg,Zweite Weltkrieg,Kalte Krieg,Siebenjährige Krieg
MISC; - ; Ersten Weltkrieg,Zweiten Weltkrieg,Kalten Krieg,Siebenjährigen Krieg
MISC; - s; Ersten Weltkriegs,Zweiten Weltkriegs,Kalten Kriegs,Siebenjährigen Kriegs
MISC; - ; Linux,Windows,Android,macOS
ORG; - ; CDU,SPD,FDP,CSU,AfD
ORG; - ; ARD,ZDF,RTL,Sat.1,ProSieben
ORG; - ; dpa,AP,AFP,Reuters,epd
ORG; - ; EU,UNO,NATO,OECD,OSZE
ORG; - ; UEFA,FIFA,IOC,FIA
ORG; - ; IBM,Google,Microsoft,Apple,Facebook,Amazon,Oracle,Intel,Nokia,SAP
ORG; - ; Siemens,Porsche,Daimler,Volkswagen,Audi,Bosch,Continental,Opel
ORG; - ; Spiegel,Stern,Focus,Handelsblatt,Zeit,Tagesspiegel
ORG; - ; Bundestag,Bundesrat,Bundesversammlung,Landtag
ORG; - ; Bundesgerichtshof,Bundesverfassungsgericht,Bundesarbeitsgericht,Bundesfinanzhof,Bundessozialgericht
ORG; - ; Landgericht,Amtsgericht,Arbeitsgericht,Sozialgericht,Verwaltungsgericht,Finanzgericht,Oberlandesgericht
ORG; - ; Bundesministerium der Finanzen,Bundesministerium der Justiz,Bundesministerium des Innern,Bundesministerium der Verteidigung
ORG; - ; Polizei,Feuerwehr,Staatsanwaltschaft,Stadtverwaltung
ORG; - ; Grünen,Liberalen,Sozialdemokraten,Christdemokraten,Linken
ORG; - ; Sparkasse,Volksbank,Raiffeisenbank,Genossenschaftsbank
LAND; - ; Europa,Asien,Afrika,Nordamerika,Südamerika,Australien
LAND; - s es; Rhein,Main,Neckar,Inn,Lech,Regen
LAND; - ; Elbe,Weser,Spree,Mosel,Isar,Donau,Oder,Saale,Lahn,Fulda
LAND; - s es; Harz,Odenwald,Spessart,Taunus,Hunsrück,Westerwald
LAND; - ; Nordsee,Ostsee,Adria,Ägäis
"""
_ADJECTIVE = "- e er en em es".split()
_OF_TOWN = "- n s in innen".split()
_SIBILANT = re.compile("(?:s|ß|x|z|ce)$", re.I)


def genitive(name: str) -> str:
    """A name in the genitive: "Berlins", "Mainz’"."""
    return f"{name}’" if _SIBILANT.search(name) else f"{name}s"


def _town(item: str, home: str) -> list[Lexeme]:
    """A town and what comes from there."""
    name = coded(item)[0]
    adjective = item.partition(":")[0].partition("/")[2] or name + "er"
    forms = {"-": name, "s": genitive(name)}
    of_town = {ending: adjective + ending.strip("-") for ending in _OF_TOWN}
    town = Lexeme(name, "city", forms, home)
    return [town, Lexeme(name, "ofcity", of_town, home)]


def _people(kind: str, stem: str, country: str) -> list[Lexeme]:
    if kind == "d":
        man = dict(zip(("sg", "pl", "dat", "obl"), (f"{stem}er", *[f"{stem}en"] * 3)))
        return [
            Lexeme(man["sg"], "man", man, country),
            Lexeme(f"{stem}e", "woman", {"sg": f"{stem}e", "pl": f"{stem}en"}, country),
        ]
    if kind in ("e", "x"):
        other = dict.fromkeys(("pl", "dat", "gen", "obl"), f"{stem}en")
        man = {"sg": f"{stem}e", **other}
    else:
        plural = f"{stem}s" if stem[-1] in "io" else stem
        man = {"sg": stem, "pl": plural, "obl": stem, "gen": f"{stem}s"}
        man["dat"] = plural if stem[-1] in "io" else f"{stem}n"
    if stem == "Ungar":
        man = {"sg": stem, **dict.fromkeys(("pl", "dat", "gen", "obl"), "Ungarn")}
    female = "Französ" if kind == "x" else stem
    if stem in ("Israeli", "Filipino"):
        women = {"sg": stem, "pl": stem + "s"}
    else:
        women = {"sg": f"{female}in", "pl": f"{female}innen"}
    return [
        Lexeme(man["sg"], "man", man, country),
        Lexeme(women["sg"], "woman", women, country),
    ]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """All German words for surrogates in their forms."""
    out: list[Lexeme] = []
    towns: list[Lexeme] = []
    for line in _COUNTRIES.strip().splitlines():
        name, article, adjective, people, cities = line.split(";")
        if article == "p":
            # "in den Niederlanden"
            dative = name if name.endswith(("n", "s", "A")) else name + "n"
            forms = {"-": name, "dat": dative}
        else:
            forms = {"-": name, "s": genitive(name)}
        out.append(Lexeme(name, f"country:{article}", forms, name))
        endings = {e: adjective + e.strip("-") for e in _ADJECTIVE}
        out.append(Lexeme(adjective, "adj", endings, name))
        kind, _, stem = people.partition(":")
        out += _people(kind, stem, name)
        items = _HOME_CITIES if name == "Deutschland" else cities
        for item in listed(items):
            towns += _town(item, name)
    for region in _HOME_REGIONS:
        forms = {"-": region, "s": genitive(region)}
        towns.append(Lexeme(region, "region", forms, "Deutschland"))
    return Lexicon([*out, *towns, *terms(_TERMS)])


def _narrow(keys: Sequence[str], before: str) -> tuple[str, ...]:
    """The likelier number and case by the article."""
    article = last_word(before)
    order: tuple[str, ...] = ()
    if article in ("den", "mit", "von", "unter", "bei", "zwischen"):
        order = ("dat", "obl", "pl")
    elif article in ("die", "viele", "zwei", "drei", "einige", "der"):
        order = ("pl", "sg")
    elif article in ("des", "eines"):
        order = ("gen", "s", "obl")
    elif article in ("dem", "einem", "einen"):
        order = ("obl",)
    found = tuple(k for k in order if k in keys)
    return (*found, *(k for k in keys if k not in found))


_ADJECTIVE_FORM = re.compile(r"[a-zäöüß]{3,}(?:isch|deutsch)(|e|er|en|em|es)")


def _adjective_keys(word: str) -> tuple[str, ...]:
    """Ending of an adjective like those of countries ("preußische")."""
    match = _ADJECTIVE_FORM.fullmatch(word)
    return (match.group(1) or "-",) if match else ()


_WOMAN = re.compile(r"[A-ZÄÖÜ]\w{2,}(?<![aeilmsz])in(nen)?")


def _noun_keys(word: str, before: str) -> tuple[str, ...]:
    """Ending of what a woman is that stands in no list: "Ärztin", "Köchinnen"."""
    match = _WOMAN.fullmatch(word)
    return () if match is None else ("innen",) if match[1] else ("in",)


def _forms(name: str) -> Mapping[str, str]:
    return {"-": name, "s": genitive(name)}


_KEPT = (
    r"(?i:\w*(?:klinik(?:um|en)?|krankenhaus|hospital|universität|hochschule|akademie|institut"
    r"|schule|gymnasium|kolleg|bank|sparkasse|kasse|versicherung|ministerium|amt|behörde"
    r"|direktion|präsidium|inspektion|polizei|gericht|gerichts|gerichtshof|anwaltschaft"
    r"|kanzlei|praxis|apotheke|verein|verband|bund|gesellschaft|genossenschaft|stiftung"
    r"|partei|fraktion|union|liga|klub|club|zeitung|rundschau|anzeiger|nachrichten"
    r"|verlag|rundfunk|sender|theater|museum|orchester|chor|kirche|gemeinde|pfarrei|bistum"
    r"|werke?|werk|betrieb|betriebe|gruppe|holding|konzern|handel|dienst|dienste|zentrum"
    r"|zentrale|rat|kammer|kommission|ausschuss|agentur|büro|hotel|gasthof|restaurant"
    r"|stelle|landkreis|kreis|bezirk|freistaat|republik|regierung|senat|parlament"
    r"|armee|marine|feuerwehr|bahn(?:en)?|post|telekom|lotterie|motoren|werft|bahnhof|flughafen|brücke|schloss|stadion|arena)s?"
    r"|stadt|land|markt|heim|haus|park|platz|burg|dom|turm|see|bach|berg|tal|wald|insel|halle"
    r"|rechtsanwälte?|anwälte|steuerberater|mbb|söhne|partner|kollegen|gebrüder|gebr\.?|töchter"
    r"|gmbh|ag|kg|ohg|gbr|ug|mbh|se|kgaa|e\.?v\.?|e\.?k\.?|co\.?|\&|und|für|der|die|das|des|dem|den"
    r"|von|vom|zu|zur|zum|am|an|im|in|bei|beim|auf|mit|aus|ob|vor|st\.?|sankt|ober|unter"
    r"|alt|neu|groß|klein|nord|süd|ost|west|nördlich\w*|südlich\w*|deutsche[rsn]?|allgemeine[rsn]?"
    r"|städtische[rsn]?|staatliche[rsn]?|freie[rsn]?|evangelische[rsn]?|katholische[rsn]?"
    r"|technische[rsn]?|vereinigte[rsn]?|oberste[rsn]?|höchste[rsn]?|erste[rsn]?|zweite[rsn]?|neue[rsn]?|1\.)"
)
GERMAN = Tongue(
    lang="de",
    home="Deutschland",
    lexicon=lexicon,
    neighbours=("Österreich",),
    spoken=("Österreich", "Schweiz"),
    cities=_HOME_CITIES,
    postcode=re.compile(r"\b(?:D-)?\d{5}\b"),
    streets=listed(
        "Ahorn,Birken,Buchen,Eichen,Erlen,Feld,Flieder,Garten,Goethe,Hasel,Kastanien,Kiefern,"
        "Kirch,Lerchen,Linden,Mozart,Mühlen,Quellen,Rosen,Schiller,Schul,Sonnen,Tannen,Ulmen,"
        "Veilchen,Wald,Weiden,Wiesen,Ziegel"
    ),
    subjects=listed(
        "Gesundheit,Verkehr,Umwelt,Energie,Statistik,Landwirtschaft,Kultur,Bildung,Sport,"
        "Forschung,Wirtschaft,Soziales,Finanzen,Migration,Justiz"
    ),
    streets_after={
        "am": listed(
            "Anger,Bach,Brunnen,Damm,Hang,Kirchplatz,Mühlbach,Stadtpark,Waldrand,Weiher"
        ),
        "im": listed("Grund,Winkel,Wiesengrund,Tal,Feld,Hof,Brühl"),
        "an der": listed("Aue,Kirche,Mühle,Linde,Brücke,Quelle,Schule"),
    },
    street_people=listed(
        "Anne-Frank,Albert-Einstein,Clara-Schumann,Friedrich-Ebert,Geschwister-Scholl,"
        "Heinrich-Heine,Käthe-Kollwitz,Robert-Koch,Sophie-Scholl,Thomas-Mann,Theodor-Heuss"
    ),
    street=re.compile(
        r"(?P<name>\b[^\W\d_]+(?:[ -](?=[^\W\d_]+-[Ss]tr|[Ss]tr)[^\W\d_]+)*?-?\s?)"
        r"(?P<kind>(?i:stra(?:ß|ss)e|str\.?|weg|allee|platz|gasse|ring|damm|ufer|steig|pfad))(?!\w)"
    ),
    kept=re.compile(_KEPT),
    noun_keys=_noun_keys,
    companies=listed(
        "Altvater,Bergfeld,Brandhorst,Dornbach,Eckstein,Falkenried,Grünwerk,Hanseform,Hellmark,"
        "Ilmtec,Jadehaus,Kernbau,Lindhorst,Marktreiter,Nordlicht,Oderwerk,Parnass,Quarzon,"
        "Rheinblick,Salvea,Sternberg,Talheim,Uferwerk,Vogtland,Weserkontor,Ziegelei,Alpina,"
        "Baltica,Cedra,Delvia,Elbtal,Florena,Gera,Helvion,Innova,Kastell,Lumina,Merkana,Novalis,"
        "Orbita,Primus,Rotunda,Solaris,Tessera,Unitas,Verona,Westra"
    ),
    patrons=listed(
        "St. Elisabeth,St. Marien,St. Josef,St. Georg,St. Vinzenz,St. Anna,St. Barbara,St. Franziskus,"
        "Martin Luther,Paul Gerhardt,Albert Schweitzer,Robert Koch,Bethanien,Maria Hilf,"
        "Schiller,Lessing,Humboldt,Pestalozzi,Heinrich Heine,Hildegardis"
    ),
    titles=listed(
        "Das stille Ufer,Die gläserne Stadt,Der lange Weg,Unter den Linden,Nordwind,"
        "Briefe aus dem Süden,Das letzte Licht,Die Salzstraße,Abendstunden,Der Garten am Fluss,"
        "Winterreise ans Meer,Zwischen zwei Brücken,Das verlorene Haus,Stimmen im Regen,"
        "Die Uhrmacherin,Hinter dem Deich,Ein neuer Morgen,Sommergäste,Kaltes Land,Wegweiser"
    ),
    phrases=listed(
        "eine andere Angelegenheit,ein weiterer Punkt,eine ähnliche Sache,ein anderes Thema,"
        "ein bestimmter Umstand,eine weitere Einzelheit,ein vergleichbarer Fall,eine Nebensache,"
        "ein privates Anliegen,ein anderer Vorgang"
    ),
    people=listed(
        "berufstätig,selbständig,angestellt,alleinstehend,ortsansässig,zugezogen,"
        "in ähnlicher Lage,aus anderen Verhältnissen,von anderer Herkunft"
    ),
    lands=listed("die Gegend,die Region,die Umgebung,der Ort,das Umland"),
    age_words=re.compile(r"\balt\b|jährig|\bAlter\b", re.I),
    ages=re.compile(
        r"\d{1,3}|.{0,12}\d{1,3}[\s-]?(?:jährige?[nrms]?|Jahren?(?:\salt)?|Monaten?(?:\salt)?)"
        r"|(?:im\s)?Alter\s(?:von\s)?.{1,20}|.{0,20}(?:zwanzig|dreißig|vierzig|fünfzig|sechzig"
        r"|siebzig|achtzig)jährige?[nrms]?|(?:Anfang|Mitte|Ende)\s(?:\d0|\w+zig)",
        re.I,
    ),
    narrow=_narrow,
    forms=_forms,
    adjectives=_adjective_keys,
    keys=lambda word, before: (
        ("s",) if word.endswith("s") and re.search(r"\bdes\s+$", before) else ("-",)
    ),
)
