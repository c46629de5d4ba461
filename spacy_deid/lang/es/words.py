"""Spanish words for surrogates, and how they are put in form."""

from __future__ import annotations

import re
from functools import lru_cache

from ...surrogates.base import listed
from ..base import Tongue, coded, terms
from ..inflection import Lexeme, Lexicon

# Town : first figures of its post codes, those of its province.
_HOME_CITIES = """
A Coruña:15,Albacete:02,Alcalá de Henares:28,Algeciras:11,Alicante:03,Almería:04,Ávila:05,
Avilés:33,Badajoz:06,Badalona:08,Barcelona:08,Bilbao:48,Burgos:09,Cáceres:10,Cádiz:11,
Cartagena:30,Castellón de la Plana:12,Ciudad Real:13,Córdoba:14,Cuenca:16,Donostia:20,
Elche:03,Ferrol:15,Getafe:28,Gijón:33,Girona:17,Granada:18,Guadalajara:19,Huelva:21,
Huesca:22,Jaén:23,Jerez de la Frontera:11,Leganés:28,León:24,Lleida:25,Logroño:26,Lugo:27,
Madrid:28,Málaga:29,Manresa:08,Mataró:08,Mérida:06,Móstoles:28,Murcia:30,Ourense:32,
Oviedo:33,Palencia:34,Palma de Mallorca:07,Pamplona:31,Ponferrada:24,Pontevedra:36,
Reus:43,Sabadell:08,Salamanca:37,San Sebastián:20,Santander:39,Santiago de Compostela:15,
Segovia:40,Sevilla:41,Soria:42,Talavera de la Reina:45,Tarragona:43,Terrassa:08,Teruel:44,
Toledo:45,Torrelavega:39,Tudela:31,Valencia:46,Valladolid:47,Vigo:36,Vitoria:01,Zamora:49,
Zaragoza:50
"""
_HOME_REGIONS = listed(
    "Andalucía,Aragón,Asturias,Cantabria,Castilla y León,Castilla-La Mancha,Cataluña,"
    "Extremadura,Galicia,La Rioja,Navarra,Vizcaya,Guipúzcoa,Álava,País Vasco,"
    "Comunidad Valenciana,Comunidad de Madrid,Región de Murcia,Islas Baleares,Islas Canarias"
)
# Country; gender of its name (m, f, p plural); national: o for -o/-a, n for consonant and
# -a (stem with accent / without), e for both genders; towns.
_COUNTRIES = """
España;f;n:español/español;
México;m;o:mexican;Ciudad de México,Guadalajara,Monterrey,Puebla,Mérida,Oaxaca,Querétaro,Toluca,León,Morelia,Xalapa,Culiacán,Hermosillo,Saltillo,Tampico,Tepic,Zacatecas,Pachuca,Torreón,Durango,Cuernavaca,Irapuato,Celaya
Argentina;f;o:argentin;Buenos Aires,Rosario,Mendoza,La Plata,Salta,Mar del Plata,San Juan,Tucumán,Neuquén,Paraná,Bahía Blanca,Posadas,Resistencia,Formosa,Río Cuarto,Rawson,Tandil,Ushuaia,Bariloche,Jujuy
Chile;m;o:chilen;Santiago,Valparaíso,Concepción,Temuco,Antofagasta,Valdivia,Iquique,Rancagua,Talca,Chillán,Osorno,Puerto Montt,Punta Arenas,La Serena,Coquimbo,Copiapó,Curicó,Calama,Quillota,Linares
Colombia;f;o:colombian;Bogotá,Medellín,Cali,Barranquilla,Pereira,Bucaramanga,Manizales,Cúcuta,Ibagué,Neiva,Pasto,Popayán,Tunja,Villavicencio,Montería,Valledupar,Sincelejo,Palmira,Buga,Tuluá
Perú;m;o:peruan;Lima,Arequipa,Trujillo,Cusco,Piura
Uruguay;m;o:uruguay;Montevideo,Salto,Paysandú,Rivera
Ecuador;m;o:ecuatorian;Quito,Guayaquil,Cuenca,Loja,Ambato
Bolivia;f;o:bolivian;La Paz,Sucre,Cochabamba,Oruro
Venezuela;f;o:venezolan;Caracas,Maracaibo,Valencia,Barquisimeto
Paraguay;m;o:paraguay;Asunción,Encarnación,Luque
Cuba;f;o:cuban;La Habana,Camagüey,Holguín,Santa Clara
Costa Rica;f;e:costarricense;San José,Alajuela,Cartago
Guatemala;f;o:guatemaltec;Quetzaltenango,Antigua
Honduras;f;o:hondureñ;Tegucigalpa,San Pedro Sula
Nicaragua;f;e:nicaragüense;Managua,León,Masaya
Panamá;m;o:panameñ;Colón,David
Alemania;f;n:alemán/aleman;Berlín,Hamburgo,Múnich,Colonia,Leipzig,Bremen,Hannover,Stuttgart
Francia;f;n:francés/frances;París,Lyon,Marsella,Toulouse,Nantes,Burdeos,Lille,Niza
Italia;f;o:italian;Roma,Milán,Nápoles,Turín,Bolonia,Florencia,Verona,Génova
Inglaterra;f;n:inglés/ingles;Londres,Mánchester,Liverpool,Newcastle,Southampton
Reino Unido;m;o:británic;Londres,Birmingham,Leeds,Bristol,Sheffield,Cardiff
Irlanda;f;n:irlandés/irlandes;Dublín,Cork,Galway,Limerick
Portugal;m;n:portugués/portugues;Lisboa,Oporto,Braga,Coimbra,Faro
Bélgica;f;e:belga;Bruselas,Amberes,Gante,Brujas,Lieja
Suiza;f;o:suiz;Zúrich,Ginebra,Basilea,Berna,Lausana
Austria;f;o:austriac;Viena,Graz,Linz,Salzburgo,Innsbruck
Holanda;f;n:holandés/holandes;Ámsterdam,Róterdam,Utrecht,Eindhoven
Dinamarca;f;n:danés/danes;Copenhague,Aarhus,Odense
Suecia;f;o:suec;Estocolmo,Gotemburgo,Malmö,Upsala
Noruega;f;o:norueg;Oslo,Bergen,Trondheim,Stavanger
Finlandia;f;n:finlandés/finlandes;Helsinki,Tampere,Turku
Polonia;f;o:polac;Varsovia,Cracovia,Gdansk,Poznan,Lublin
Rumanía;f;o:ruman;Bucarest,Timisoara,Constanza,Brasov
Bulgaria;f;o:búlgar;Sofía,Plovdiv,Varna
Grecia;f;o:grieg;Atenas,Tesalónica,Patras
Hungría;f;o:húngar;Budapest,Debrecen,Szeged
Rusia;f;o:rus;Moscú,San Petersburgo,Kazán,Samara
Ucrania;f;o:ucranian;Kiev,Odesa,Leópolis,Járkov
Turquía;f;o:turc;Ankara,Estambul,Esmirna,Bursa
Marruecos;m;e:marroquí/marroquíes;Rabat,Casablanca,Marrakech,Fez,Tánger
Argelia;f;o:argelin;Argel,Orán,Constantina
Túnez;m;o:tunecin;Sfax,Susa
Egipto;m;o:egipci;El Cairo,Alejandría,Luxor
Senegal;m;n:senegalés/senegales;Dakar,Thiès
Gambia;f;o:gambian;Banjul,Serekunda
Nigeria;f;o:nigerian;Abuya,Lagos,Ibadán
India;f;o:indi;Nueva Delhi,Bombay,Chennai,Calcuta
China;f;o:chin;Pekín,Shanghái,Nankín,Wuhan
Japón;m;n:japonés/japones;Tokio,Osaka,Kioto,Nagoya
Canadá;m;e:canadiense;Ottawa,Toronto,Montreal,Calgary
Brasil;m;o:brasileñ;Brasilia,São Paulo,Recife,Salvador
Estados Unidos;p;e:estadounidense;Chicago,Houston,Denver,Seattle,Boston,Nueva York,Miami
EE.UU.;p;o:norteamerican;
Países Bajos;p;n:neerlandés/neerlandes;Ámsterdam,Róterdam,La Haya
Filipinas;p;o:filipin;Manila,Cebú,Davao
Emiratos Árabes Unidos;p;e:emiratí/emiratíes;Dubái,Abu Dabi
"""
_TERMS = """
OCCUPATION; o a os as; abogad,maestr,camarer,carpinter,cociner,enfermer,fontaner,ingenier,jardiner,peluquer,panader,arquitect,bibliotecari,funcionari,médic,psicólog,farmacéutic,veterinari,obrer,ganader,zapater,cajer,administrativ,mecánic
OCCUPATION; or ora ores oras; profes,conduct,escrit,pint,agricult,pescad,vended,trabajad,entrenad,traduct,direct,administrad,repartid,programad
OCCUPATION; ista istas; period,dent,tax,electric,econom,recepcion,futbol,deport,oficin,art
OCCUPATION; - ; ama de casa,jubilada,estudiante,comerciante,dependienta,limpiadora
OCCUPATION; - s; jubilado,pensionista,estudiante,comerciante,dependiente,conserje
RELIGION; o a os as; católic,ortodox,luteran,evangélic,anglican,cristian
RELIGION; ista istas; bud,bapt,metod,advent
FAMILY; - s; madre,hermana,hija,tía,abuela,sobrina,prima,esposa,suegra,cuñada,nieta,mujer
FAMILY; - s; padre,hermano,hijo,tío,abuelo,sobrino,primo,esposo,suegro,cuñado,nieto,marido
FAMILY; - ; familia,parentela
FAMILY; - s; familiar,pariente
FAMILY; - es; familiar
FAMILY; o a os as; casad,solter,viud,divorciad,separad
FAMILY; o a os as; matern,patern
FAMILY; - s; pareja,compañera
GENDER; - ; varón,mujer
GENDER; - ; hombre,mujer
GENDER; o a os as; niñ,chic,muchach
GENDER; o a; masculin,femenin
GENDER; - ; hembra,macho
ETHNICITY; o a os as; gitan,mestiz,kurd,eslav,crioll,mulat
DISEASE; - ; asma,bronquitis,neumonía,gripe,tuberculosis
DISEASE; - ; diabetes,gota,anemia,hipotiroidismo,obesidad,celiaquía
DISEASE; - ; depresión,ansiedad,esquizofrenia,insomnio,anorexia
DISEASE; - ; hipertensión,infarto,ictus,arritmia,trombosis,insuficiencia cardiaca
DISEASE; - ; epilepsia,migraña,demencia,esclerosis múltiple,neuralgia
DISEASE; - ; cáncer de mama,cáncer de pulmón,cáncer de colon,leucemia,melanoma,linfoma
DISEASE; - ; artrosis,artritis,osteoporosis,escoliosis,ciática,lumbago
DISEASE; - ; hepatitis,cirrosis,gastritis,colitis,pancreatitis,apendicitis
DISEASE; - ; síndrome de Down,síndrome de Turner,síndrome de Marfan
MISC; - s; euro,dólar,franco,peso
ORG; - ; Hospital General,Hospital Provincial,Hospital Comarcal,Hospital Clínico,Hospital Universitario
ORG; - ; PSOE,PP,IU,PNV,CiU
ORG; - ; ONCE,UGT,CCOO,CSIC
ORG; - ; Pfizer,Merck,Novartis,Roche,Bayer,Lilly,Sanofi,Allergan,Schering
ORG; - ; Facultad de Medicina,Facultad de Odontología,Facultad de Farmacia,Facultad de Ciencias,Facultad de Derecho
ORG; - ; Tribunal Supremo,Tribunal Constitucional,Audiencia Nacional,Audiencia Provincial
ORG; - ; Guardia Civil,Policía Nacional,Policía Local
LAND; - ; Europa,Asia,África,América,Oceanía
LAND; - ; Ebro,Tajo,Duero,Guadiana,Júcar,Segura,Miño,Guadalquivir
LAND; - ; Latinoamérica,Centroamérica,Norteamérica,Sudamérica
"""


def _national(text: str, country: str) -> list[Lexeme]:
    kind, _, stem = text.partition(":")
    if kind == "o":
        forms = {"m": stem + "o", "f": stem + "a", "ms": stem + "os", "fs": stem + "as"}
    elif kind == "n":
        man, _, other = stem.partition("/")
        forms = {
            "m": man,
            "f": other + "a",
            "ms": other + "es",
            "fs": other + "as",
        }
    else:
        one, _, many = stem.partition("/")
        many = many or one + "s"
        forms = {"m": one, "f": one, "ms": many, "fs": many}
    return [Lexeme(forms["m"], "adj", forms, country)]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """All Spanish words for surrogates in their forms."""
    out: list[Lexeme] = []
    towns: list[Lexeme] = []
    for line in _COUNTRIES.strip().splitlines():
        name, gender, national, cities = line.split(";")
        out.append(Lexeme(name, f"country:{gender}", {"-": name}, name))
        out += _national(national, name)
        items = _HOME_CITIES if name == "España" else cities
        for item in listed(items):
            town = coded(item)[0]
            forms = {"-": town}
            towns.append(Lexeme(town, "city", forms, name))
    for region in _HOME_REGIONS:
        towns.append(Lexeme(region, "region", {"-": region}, "España"))
    towns.append(Lexeme("La Coruña", "city", {"-": "La Coruña"}, "España"))
    # A town that another country has, too, is taken for the home country's.
    towns.sort(key=lambda town: town.home != "España")
    return Lexicon([*out, *towns, *terms(_TERMS)])


def _prefers(text: str, before: str) -> bool:
    """ "y" and "o" stand before other sounds than "e" and "u"."""
    word = re.search(r"\b(y|e|o|u)\s+$", before, re.I)
    low = text.lower()
    if word is None:
        return True
    if word.group(1).lower() in "ye":
        return (word.group(1).lower() == "e") == bool(re.match("h?i(?!e)", low))
    return (word.group(1).lower() == "u") == bool(re.match("h?o", low))


_KEPT = re.compile(
    r"(?i:hospital(?:es)?|clínic[oa]s?|complejo|hospitalario|sanatorio|centro|ambulatorio|(?<=de )salud"
    r"|consultorio|universidad(?:es)?|universitari[oa]s?|facultad|escuela|colegio|instituto|academia"
    r"|departamento|servicio|unidad|sección|cátedra|laboratorios?|fundació[n]?|asociación|sociedad"
    r"|federación|confederación|sindicato|partido|unión|banco|caja|cooperativa|empresa|grupo"
    r"|compañía|organización|organismo|agencia|comisión|consejo|comité|cámara|oficina|instituciones"
    r"|mundial|internacional(?:es)?|europe[oa]|iberoamerican[oa]|american[oa]|investigaciones|científicas"
    r"|ministerio|consejería|ayuntamiento|diputación|gobierno|junta|generalitat|xunta"
    r"|tribunal|juzgado|audiencia|fiscalía|policía|guardia|civil|ejército|bufete|notaría"
    r"|periódico|diario|editorial|iglesia|parroquia|catedral|museo|teatro|biblioteca|club"
    r"|deportivo|atlético|hotel|restaurante|farmacia|residencia|aeropuerto|estación|puerto|río"
    r"|sierra|isla|islas|provincia|comarca|comunidad|carrera|transversal|municipio|ciudad|barrio|distrito|región"
    r"|república|estado|reino|mar|golfo|monte|valle|general|provincial|comarcal|regional"
    r"|nacional|municipal|autónom[oa]|central|materno-infantil|materno|infantil|clínico|médic[oa]s?"
    r"|quirúrgic[oa]|forense|cirugía|urología|oncología|pediatría|oftalmología"
    r"|ciencias|letras|seguridad|social|interior"
    r"|superior|supremo|constitucional|alto|bajo|nuev[oa]|gran|de|del|la|las|los|el|y|e"
    r"|en|para|por|a|al|con|c|cp|nº|núm|piso|puerta|esc|escalera|izda|izq|dcha|dupdo|bis|km"
    r"|s|n|s/n|apartado|correos|edificio|bloque|urb|urbanización|polígono|parcela|planta"
    r"|s\.?a\.?|s\.?l\.?u?|s\.?a\.?u|s\.?c\.?|primera|segunda|instancia|instrucción|penal|menores|mercantil|público|privad[oa]|pública|investigació|recerca|onco(?:lógico|logía)|dolor"
    r"|microbiología|virología|especialidades|primaria|atención|urgencias|hermanos|doctor|dr\.?)"
)
SPANISH = Tongue(
    lang="es",
    home="España",
    lexicon=lexicon,
    neighbours=("México", "Argentina", "Chile", "Colombia"),
    spoken=("México", "Argentina", "Chile", "Colombia", "Perú", "Venezuela"),
    cities=_HOME_CITIES,
    postcode=re.compile(r"\b(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\b"),
    streets=listed(
        "Alameda,Alcázar,Almendros,Amapolas,Cervantes,Goya,Isaac Peral,Jacinto Benavente,"
        "Jazmín,Lope de Vega,Luna,Magnolias,Mayor,Murillo,Nogales,Olivo,Olmos,Palomares,Pilar,"
        "Quevedo,Ramón y Cajal,Real,Rosales,San Isidro,San Roque,Santa Lucía,Sol,Tilos,Velázquez,"
        "Virgen del Carmen,Zurbarán,Arcos,Fuente Nueva,Molino,Encinas"
    ),
    subjects=listed(
        "Salud,Sanidad,Educación,Agricultura,Industria,Turismo,Justicia,Hacienda,Fomento,Cultura,"
        "Deporte,Trabajo,Vivienda,Medicina,Farmacia,Veterinaria,Enfermería,Derecho,Odontología"
    ),
    streets_after={
        "de la": listed(
            "Paz,Constitución,Libertad,Merced,Alameda,Fuente,Luna,Estación,Iglesia"
        ),
        "del": listed("Pilar,Carmen,Sol,Molino,Prado,Rosario,Mar,Olivo,Jardín"),
        "de los": listed("Olivos,Almendros,Tilos,Naranjos,Arcos,Reyes,Jardines"),
        "de las": listed("Flores,Acacias,Delicias,Rosas,Huertas,Fuentes"),
        "de": listed("Cervantes,Goya,Quevedo,Velázquez,Granados,Colón"),
        "las": listed("Flores,Acacias,Delicias,Rosas,Huertas"),
        "los": listed("Olivos,Almendros,Tilos,Naranjos,Arcos"),
        "la": listed("Paz,Merced,Fuente,Luna,Alameda"),
    },
    street=re.compile(
        r"(?P<kind>\b(?i:calle|c/|c\.|avda\.?|avenida|av\.?|paseo|pº|plaza|pza\.?|plza\.?"
        r"|camino|carretera|ctra\.?|ronda|travesía|rúa|carrer(?![^\W\d_])|glorieta|pasaje|vía|urbanización"
        r"|urb\.|barrio|c(?=\s[A-ZÁÉÍÓÚÑ]))\s*"
        r"(?i:(?:de\s+(?:l[ao]s?\s+)?|del\s+|d['’]|els?\s+|l[ao]s\s+)?))"
        r"(?P<name>(?:[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?)(?:\s(?!(?i:s/n|nº|n\.|km|bajo|esc|piso"
        r"|esquina)\b)[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?)*)"
    ),
    kept=_KEPT,
    companies=listed(
        "Albacora,Alcorisa,Almadraba,Aranova,Atalaya,Azahar,Bahía Blanca,Belmonte,Brisamar,"
        "Cantalar,Castrillo,Cenit,Cierzo,Cobalto,Dorsal,Ebrosa,Encinar,Faro Sur,Galerna,"
        "Hispalia,Iberlan,Jarama,Lagunar,Levantina,Litoral,Meridia,Miralta,Montalbo,Nervión,"
        "Novagraf,Ondara,Orbegozo,Peñalta,Pinares,Ribera Alta,Salinera,Serantes,Solana,"
        "Tajamar,Tramontana,Umbría,Valdelagua,Ventisca,Zafiro"
    ),
    patrons=listed(
        "San Rafael,San Gabriel,San Vicente,Santa Clara,Santa Lucía,San Jerónimo,Santa Inés,"
        "San Lorenzo,San Marcos,Santa Elena,San Bernardo,Virgen del Mar,Virgen de la Luz,"
        "Virgen de las Nieves,Nuestra Señora del Rosario,Nuestra Señora de la Paz,Miguel de Cervantes,"
        "Severo Ochoa,Santa Bárbara,San Telmo,San Eloy,Los Arcos,La Milagrosa,Río Claro"
    ),
    titles=listed(
        "La orilla tranquila,El jardín de cristal,Cartas del norte,La última estación,"
        "Bajo los tilos,Voces en la lluvia,El camino largo,La ciudad dormida,El faro lejano,"
        "Puentes de otoño,La casa del río,Noches de invierno,El reloj parado,Mar adentro,"
        "Las horas quietas,Un verano aparte,La sombra del olivo,Horizonte,Atardecer,Encuentros"
    ),
    phrases=listed(
        "otro asunto,una cuestión distinta,un dato diferente,un detalle menor,un caso parecido,"
        "otra circunstancia,un tema secundario,un aspecto particular,un hecho similar"
    ),
    people=listed(
        "residente en la zona,de otra procedencia,de origen distinto,persona activa,"
        "de situación parecida,sin cargas familiares,con estudios,de otra localidad"
    ),
    lands=listed("la zona,la comarca,la región,el municipio,los alrededores"),
    age_words=re.compile(r"\bedad\b", re.I),
    ages=re.compile(
        r"\d{1,3}|.{0,20}\d{1,3}\s?(?:años?|meses|mes|días|semanas|a\.)(?:\sde\sedad)?.{0,10}"
        r"|.{0,30}\s(?:años|meses)(?:\sde\sedad)?|.{0,8}edad\s.{1,20}",
        re.I,
    ),
    prefers=_prefers,
    forms=lambda name: {"-": name},
)
