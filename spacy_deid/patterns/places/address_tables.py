"""What addresses are made of, by country: words for streets and for parts of
buildings, forms of post codes, states and regions, countries."""

from __future__ import annotations

from typing import NamedTuple


class Streets(NamedTuple):
    """Words for streets of some countries, separated by blanks, in lower case.

    countries (str): ISO codes.
    last (str): End a street's name: "High Street", "Fő utca".
    weak (str): The same, but everyday words or parts of other names: "Hill View".
    first (str): Begin a street's name: "rue de la Paix", "Via Roma".
    suffix (str): End the only or last word of a name: "Hauptstraße", "Storgatan".
    weak_suffix (str): The same, but endings of other words, too: "Johannring".
    """

    countries: str
    last: str = ""
    weak: str = ""
    first: str = ""
    suffix: str = ""
    weak_suffix: str = ""


STREETS = (
    Streets(
        "US GB IE AU NZ CA ZA IN PK KE NG SG PH BD MY HK GH MT JM LK",
        last="""street st road rd avenue ave av lane ln drive dr terrace crescent cres
        boulevard blvd square sq mews parkway pkwy highway hwy expressway expy freeway fwy
        turnpike tpke motorway bypass causeway circle cir alley aly broadway embankment
        esplanade streets roads avenues drives stravenue trafficway throughway skyway
        driveway laneway roadway broadwalk boulevarde close grove marg chowk strasse""",
        weak="""court ct place pl way row walk gardens garden gdns hill hills park
        trail trl quay rise view views green loop plaza pike mall bridge crossing ridge
        heights hts hollow village station mills mill passage path promenade wharf strand
        parade byway canyon cape center centre cliff cliffs club common commons corner
        corners course courts cove coves creek crest curve dale dam divide estate estates
        extension extensions ext falls ferry field fields flat flats ford fords forest
        forge forges fork forks fort gateway glen glens greens groves harbor harbors
        harbour haven highlands inlet island islands isle junction junctions key keys
        knoll knolls lake lakes land landing light lights loaf lock locks lodge manor
        manors meadow meadows mission mount mountain mountains neck orchard oval overpass
        parks parkways pass pine pines plain plains plazas point points port ports
        prairie radial ramp ranch rapid rapids rest river route shoal shoals shore shores
        spring springs spur spurs squares stream summit trace track tunnel underpass
        union unions valley valleys viaduct viaducts ville villages vista walks wall ways
        well wells burg burgs bluff bluffs bottom branch bayou beach bend brook brooks
        camp circles crossroad crossroads fall run mountain motorways bypass quays
        sqare copse gully strip alleyway quad basin anchorage arcade approach boardwalk
        cutting deviation dell end entrance fairway foreshore gate gates hub interchange
        link lookout maze nook outlook parklands pathway pocket reach return ring
        rotary roundabout service siding slope steps subway tarn tor turn vale watch
        waters waterway wharf wynd yard gap folly nagar colony layout enclave vihar puram
        wadi zila path bazar bagh ganj sarani circus tunnel garth rigg brae loan vennel
        mead leys drove dene croft chase cloisters twitten ginnel hatch pightle
        umgwaqo indlela ithafa isitaladi indawo phase subdivision extensions sorok moor
        orchards stream lodge""",
        first="""highway hwy route interstate""",
    ),
    Streets(
        "DE AT CH LI LU",
        last="strasse straße str platz allee weg gasse ring damm ufer steig chaussee markt",
        suffix="""straße strasse str str. weg platz allee gasse chaussee gäßchen gässchen
        gaßl promenade stieg uferstraße""",
        weak_suffix="""ring damm ufer steig pfad markt graben stiege twiete redder zeile
        garten höhe hof berg feld kamp winkel grund wiese wiesen anger bogen brücke tor
        plan rain allée au leite halde""",
        first="""straße platz""",
    ),
    Streets(
        "NL BE",
        suffix="""straat laan plein gracht singel dijk kade steeg dreef plantsoen burgwal
        boulevard baan""",
        weak_suffix="""weg hof pad ring lei markt hoek park vaart haven hage erf veld kamp
        wal dam brug sloot""",
        last="straat laan plein weg gracht kade dijk singel",
    ),
    Streets(
        "SE",
        suffix="""gatan gata vägen väg gränd torget gränden stigen leden backen allén
        esplanaden""",
        weak_suffix="torg plan stig liden park kajen",
        last="gata gatan väg vägen gränd torg allé plan",
    ),
    Streets(
        "NO DK",
        suffix="""gaten gata veien vegen gade vej allé stræde plads vænget bakken stien
        svingen plassen faret stranda løkka stubben tjernet jordet parken torvet
        engen toften kroken tunet""",
        weak_suffix="""gate vei veg torv lia åsen skogen moen vika lunden kollen myra
        toppen vollen ringen haugen hagen berget bråten eggen ekra flata gjerdet grenda
        gropa havna holtet høgda lyngen marka roa røa skrenten spranget stykket boulevard
        enga lien dalen brinken krogen marken sti alléen""",
        last="gate gata vei veg gade vej plads allé boulevard plass",
    ),
    Streets(
        "FI",
        suffix="""katu kuja polku kaari raitti väylä esplanadi bulevardi
        kadun vägen gatan""",
        weak_suffix="tie rinne ranta tori piha kulma puisto aukio laita mäki portti rinteet",
        last="katu tie",
    ),
    Streets(
        "IS",
        suffix="""gata götu vegur vegi stígur stíg braut hlíð lundur gerði hagi
        strönd""",
        weak_suffix="holt tún mýri vogur sund grund hæð bær múli bakki sel ás",
        last="gata vegur",
    ),
    Streets(
        "FR BE CH LU CA MC DZ MA TN SN",
        first="""rue avenue av ave boulevard boul bd bld blvd place pl chemin ch allée
        allées impasse imp quai cours route rte passage square sq faubourg fbg ruelle
        esplanade sentier villa venelle chaussée résidence lotissement hameau cité rang
        montée côte rond-point voie promenade rues""",
    ),
    Streets(
        "ES MX AR CO CL PE EC VE UY BO PY CR PA GT DO CU",
        first="""calle c/ c./ cl cl. cll avenida avda avda. av av. plaza pza pza. pl paseo
        p.º pº camino ronda travesía carretera ctra ctra. carrer avinguda rambla callejón
        callejon alameda urbanización urb urb. cuesta vial pasadizo pasaje psje psje. acceso
        cañada glorieta vía via cruce carrera cra cra. cr cr. crr. kra. kr diagonal dg dg. transversal tv tv.
        circuito corredor retorno prolongación privada cerrada calzada eje andador
        ampliación boulevard blv blv. blvd bulevar calleja costanilla polígono sector
        barrio colonia continuación circunvalación periférico peatonal viaducto andén
        autopista autovía ruta bajada rotonda parque patio cerro""",
    ),
    Streets(
        "IT CH SM",
        first="""via viale piazza piazzale corso largo vicolo rotonda stretto contrada
        incrocio borgo canale strada galleria lungomare lungotevere salita piazzetta
        vico località frazione traversa circonvallazione v.le p.za p.zza c.so""",
    ),
    Streets(
        "PT BR AO MZ",
        first="""rua r r. avenida av av. alameda al. travessa tv. trav. praça praca pç. largo
        lgo estrada est. rodovia rod. beco viela ladeira quadra vila conjunto setor
        distrito fazenda favela feira jardim lago lagoa loteamento morro núcleo parque
        passarela pátio praia quinta recanto residencial sítio trecho trevo vale vereda
        via viaduto campo chácara colônia condomínio estação esplanada área aeroporto
        bairro caminho calçada azinhaga urbanização praceta""",
    ),
    Streets(
        "RO MD",
        first="""strada str str. bulevardul bd bd. b-dul bulevard calea aleea soseaua
        șoseaua sos. șos. intrarea piata piața drumul splaiul fundatura fundătura""",
    ),
    Streets(
        "PL",
        first="""ul ul. ulica al al. aleja aleje pl pl. plac os os. osiedle skwer rondo
        bulwar""",
    ),
    Streets(
        "CZ SK",
        last="ulice ulica nám. náměstí námestie třída trieda nábřeží nábrežie",
        first="""ul ul. ulice ulica nám nám. náměstí námestie tř tř. třída trieda nábř.
        nábřeží""",
    ),
    Streets(
        "HU",
        last="""utca utcája u. út útja tér tere körút krt. köz sétány sor dűlő fasor rakpart
        park lépcső sugárút sgt. telep liget lakótelep u""",
    ),
    Streets(
        "SI HR RS BA ME MK",
        last="""ulica cesta pot trg steza put odvojak prilaz ul. nabrežje prolaz avenija
        drevored naselje šetalište vijenac bulevar""",
        first="ulica ul. trg cesta put bulevar avenija obala trg. bul.",
    ),
    Streets(
        "EE LV LT",
        last="""tänav tn tn. tee puiestee pst pst. maantee mnt mnt. väljak põik iela bulvāris
        prospekts laukums gatve gatvė g. gatvė. prospektas pr. alėja aikštė""",
        suffix="iela gatvė",
        weak_suffix="tänav",
    ),
    Streets(
        "TR AZ CY",
        last="""caddesi cad cad. cd. sokak sokağı sok sok. sk sk. bulvarı blv blv. bulv.
        mahallesi mah mah. mh. küçəsi küç. prospekti pr. prospekt meydanı yolu""",
    ),
    Streets(
        "GR CY",
        last="str. street avenue",
        first="leoforos odos plateia leof. od. λεωφόρος οδός πλατεία",
    ),
    Streets(
        "RU UA BY KZ BG",
        first="""ул ул. улица пр пр. пр-т пр-кт просп. проспект пер пер. переулок наб наб.
        набережная ш ш. шоссе бул. б-р бульвар пл пл. площадь пл алл. аллея тракт проезд
        пр-д туп. тупик линия вул. вулиця ulitsa ul. prospekt pereulok ploshchad naberezhnaya
        bulvar prosp. per. shosse vulytsia""",
        last="улица проспект переулок ulitsa ul. ulitsa, prospekt pereulok street вул. шоссе",
    ),
    Streets(
        "ID MY BN",
        first="jalan jl jl. jln jln. gang gg gg. lorong lrg lrg. persiaran lebuh lebuhraya",
    ),
    Streets(
        "VN",
        first="đường phố hẻm ngõ số khu tổ ấp",
    ),
    Streets(
        "JP",
        suffix="-dori -chome -cho -machi -ku -shi",
        last="dori",
    ),
    Streets(
        "CN TW HK KR",
        last="lu jie dadao hutong ro gil daero -ro -gil",
        weak="",
    ),
)

# Words for parts of buildings; the number or letter follows.
UNITS = """apt apartment apartments app. appt appto apto aptº suite ste unit flat room rm
floor fl bldg building level lot plot block blk blok studio shop office villa tower phase
sector stage wing house holding ward door penthouse
int. interior edif edificio depto departamento dpto piso puerta pta. planta escalera esc.
portal oficina of. local bloque manzana mz. lote lt. casa bloco bl andar sala loja lj. fração
conjunto conj. quadra
appartamento piano scala sc. palazzina ap apart. apartamento et. etaj
bâtiment bât bât. escalier étage porte bte bus boîte appartement résidence
wohnung whg etage stock stiege tür top
lgh vån trappa bolig leil. leilighet
lok. m. lokal mieszkanie kl. klatka byt vchod patro em. emelet fszt. ajtó
кв. кв квартира корп. корп корпус к. стр. строение офис оф. подъезд эт. этаж литера пом.
помещение дом д. вл. владение
kv. kv korp. korpus d. dom str. podyezd
daire kat no no: no. b. mənzil bina hẻm ngõ khu tổ rd""".split()

STATES = {
    "US": (
        "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT "
        "NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR VI "
        "GU AS MP AA AE AP FM MH PW",
        "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida "
        "Georgia Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine "
        "Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska "
        "Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota "
        "Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota "
        "Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming "
        "District_of_Columbia Puerto_Rico",
    ),
    "CA": (
        "AB BC MB NB NL NS NT NU ON PE QC SK YT PQ",
        "Alberta British_Columbia Manitoba New_Brunswick Newfoundland Nova_Scotia "
        "Nunavut Ontario Prince_Edward_Island Quebec Québec Saskatchewan Yukon "
        "Northwest_Territories Newfoundland_and_Labrador",
    ),
    "AU": (
        "NSW VIC QLD WA SA TAS ACT NT",
        "New_South_Wales Victoria Queensland Western_Australia South_Australia Tasmania "
        "Northern_Territory Australian_Capital_Territory",
    ),
}

# Names of countries and nations as they end an address, beside the English ones.
COUNTRIES = """
USA; U.S.A.; US; U.S.; UK; U.K.; UAE; England; Scotland; Wales; Northern Ireland;
United States of America; Great Britain; Deutschland; Österreich; Schweiz; Suisse;
Svizzera; España; Espana; Italia; France; Belgique; België; Nederland; The Netherlands;
Holland; Sverige; Norge; Danmark; Suomi; Ísland; Polska; Česká republika; Česko;
Czechia; Slovensko; Slovenija; Hrvatska; Magyarország; Eesti; Latvija; Lietuva; România;
Portugal; Brasil; México; Türkiye; Россия; Российская Федерация; Россия; Україна;
Hellas; Greece; Hong Kong; Éire; Luxemburg; Puerto Rico; Viet Nam; Russian Federation;
Republic of Ireland; Czech Republic; South Korea; Korea; P.R. China; PRC; Taiwan;
Philippines; Indonesia; Singapore; Malaysia; Greenland; Iceland; Malta; Cyprus
"""


class PostCode(NamedTuple):
    """The form of post codes of some countries.

    countries (str): ISO codes.
    form (str): Regex of the code.
    says (str): What the form tells, for reasons.
    alone (float): Score without any context; 0 if it needs a word beside it.
    """

    countries: str
    form: str
    says: str
    alone: float = 0.0


POST_CODES = (
    PostCode(
        "GB",
        "(?:GIR ?0AA|(?:[A-PR-UWYZ][0-9][0-9A-HJKPSTUW]?"
        "|[A-PR-UWYZ][A-HK-Y][0-9][0-9ABEHMNPRVWXY]?) ?[0-9][ABD-HJLNP-UW-Z]{2})",
        "British post code",
        0.85,
    ),
    PostCode(
        "CA",
        "[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]",
        "Canadian post code",
        0.8,
    ),
    PostCode(
        "IE",
        "(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) ?[0-9AC-FHKNPRTV-Y]{4}",
        "Irish post code",
        0.7,
    ),
    PostCode("NL", "[1-9][0-9]{3} ?[A-Z]{2}", "Dutch post code", 0.6),
    PostCode("PT", "[0-9]{4}-[0-9]{3}", "Portuguese post code"),
    PostCode("BR", "[0-9]{2}\\.?[0-9]{3}-[0-9]{3}", "Brazilian post code", 0.6),
    PostCode("PL", "[0-9]{2}-[0-9]{3}", "Polish post code"),
    PostCode("JP", "[0-9]{3}-[0-9]{4}", "Japanese post code"),
    PostCode("US", "[0-9]{5}-[0-9]{4}", "zip code with four digits added"),
    PostCode("AR", "[A-HJ-NP-Z][0-9]{4}[A-Z]{3}", "Argentinian post code"),
    PostCode("SE CZ SK GR", "[0-9]{3} [0-9]{2}", "five digits in two groups"),
    PostCode("IN", "[0-9]{3} [0-9]{3}", "six digits in two groups"),
    PostCode("AZ", "AZ ?[0-9]{4}", "Azerbaijani post code"),
    PostCode("BR CL", "[0-9]{7,8}", "seven or eight digits"),
    PostCode("RU RO CN IN SG KZ CO VN BY", "[0-9]{6}", "six digits"),
    PostCode(
        "US DE FR IT ES MX FI HR EE TR UA KR MY ID TH SE CZ SK GR LT MA DZ SA PK VN",
        "[0-9]{5}",
        "five digits",
    ),
    PostCode(
        "AU NZ ZA AT CH BE DK NO HU SI LU LV PH BD AR BG CY GE NL PT VE LI",
        "[0-9]{4}",
        "four digits",
    ),
    PostCode("IS FO", "[0-9]{3}", "three digits"),
)

# Words after which a number is a post code.
POSTCODE_WORDS = """zip;zip code;zipcode;zip-code;postal code;post code;postcode;
postalcode;postal;plz;postleitzahl;code postal;cp;c.p.;c.p;código postal;codigo postal;
cep;cap;pin code;pincode;pin-code;postnummer;postnr;postnr.;kod pocztowy;psč;psc;eircode;
postinumero;irányítószám;irsz.;poštna številka;poštanski broj;postiindeks;indeks;индекс;
posta kodu;postcode and city;cod postal;codice postale;póstnúmer"""

# Small words inside names of streets and towns.
PARTICLES = frozenset(
    """de la le les des du d' l' del della delle dei degli di da do dos das el los las
    van der den het ter ten te op aan von vom zum zur am an im in der dem bei unter
    auf ob v na nad pod u pri y e i et sur sous lès en of the upon on le-
    al dels san st af og till på sura tal""".split()
)
# Words with a capital that begin no name of a street or town.
NOT_NAMES = frozenset(
    """the a an in on at of to for from with by and or but if is was are were be this
    that these those his her its their my our your i we you he she it they who which
    what when where why how as since until after before during under over between
    article articles section sections paragraph paragraphs rule rules protocol no nos
    chapter part vol volume annex appendix schedule figure fig table step
    version windows series season episode round match game grade class top channel
    question item line point points note exhibit order judgment decision law laws act
    acts decree directive regulation resolution recommendation convention bill code
    constitution case application applications appeal claim docket file ref reference
    january february march april may june july august september october november
    december jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun vivo vive moro mora abito abita bor woon woont wohne
    wohnt mieszkam bydlím lakom habite reside monday tuesday wednesday
    thursday friday saturday sunday summer winter spring autumn
    phone tel telephone fax email e-mail mobile cell date name mr mrs ms dr prof dear
    please thank thanks regards best sincerely yours hi hello re subject sent lives
    live living lived resides reside moved move address ship deliver send mail bill
    born age aged dob ssn id passport account number numbers nr num invoice total price
    amount usd eur gbp about around approximately nearly almost only more less than
    not all any some each per day days week weeks month months year years hour hours
    minute minutes second seconds people persons children men women others times
    january's century dollars euros pounds percent million billion thousand
    world cup euro boeing airbus apollo iphone android galaxy formula
    super bowl flight olympics olympic airlines airways hrs gmt rt eu uk us un ec eec nato echr court courts chamber judge judges government
    police commission committee council tribunal parliament ministry university
    category type model level mr. also both contact website web url customer client
    username user password ip mac card iban bic vat order orders ticket visit new-
    strasbourg's other further additional different local""".split()
)
# Words that end like names of streets.
NOT_SUFFIXED = frozenset(
    """brigade brigades renegade arcade decade blockade cascade colonnade facade lokalplan
    brigaden dekade norweg keinesweg durchweg hinweg ukraine territori""".split()
)
# Words that may follow an address in a sentence.
FOLLOWERS = frozenset(
    """last yesterday today tomorrow before after for on in please with since by until
    as at to from where is was but next this now thank thanks that which who while when
    because and or near during about has will within via so if right soon instead""".split()
)
# Words after or before which a name is one of a region.
REGIONS = frozenset(
    """region región regione région province provincia província estado county co
    district departamento oblast kota kabupaten canton prefecture shire tỉnh thành tp
    phường xã quận borough governorate voivodeship obl область край район""".split()
)
# Words that name a building after its own name.
BUILDINGS = (
    "House|Court|Tower|Towers|Building|Lodge|Cottage|Mansions?|Residency|Residences?"
    "|Apartments?|Heights|Complex|Plaza|Centre|Center|Hall|Villas?|Bldg\\.?|Rectory|Barn"
    "|Farm|Mill|Chambers|Condominium|Manor|Vicarage|Block|Park"
)
# Words for towns and districts of Russian and Azerbaijani addresses.
LOCALITIES = (
    "г|гор|п|пос|с|ст|д|дер|клх|к|пгт|х|обл|область|р-н|район|край|респ"
    "|rayonu|ray|ş|qəsəbəsi|kəndi|şəhəri"
)
# First words of streets that are hardly anything else.
SAFE_FIRST = frozenset(
    """rue calle avenida avda carrer piazza piazzale viale vicolo strada bulevardul
    soseaua șoseaua intrarea aleea ul ulica улица ул проспект переулок пер наб бульвар
    jalan jl jln gang lorong chemin allée impasse boulevard travessa rua alameda paseo
    callejón plaza praça c/ via corso largo contrada ronda leoforos odos avinguda
    pasadizo glorieta camino rambla carretera vicolo aleja plac str aleje os osiedle
    diagonal circuito prolongación retorno privada cerrada calzada andador blv av ave
    ulitsa prospekt strasse straße viela đường phố psje pasaje transversal dg cra cl
    carrera cr quai venelle chaussée incrocio borgo rotonda favela rodovia estrada
    vial cuesta acceso cañada urbanización travesía""".split()
)
# What stands before an address, in the small letters of the text before it.
CONTEXT = (
    r"(?:\b(?:liv(?:e|es|ed|ing)|resid(?:e|es|ed|ing)|stay(?:s|ed|ing)?|mov(?:e|es|ed|ing)"
    r"|relocat\w{1,4}|locat\w{1,4}|situated|ship(?:s|ped|ping|ment)?|deliver\w{0,4}|sen[dt]|mail\w{0,3}"
    r"|address(?:es|ed)?|office|home|house|property|flat|premises|shop|store|met|visit\w{0,3}|domiciled"
    r"|headquarter\w{0,3}|drop|pick(?:ed)?|residence|return(?:ed)?|forward(?:ed)?|invoice|parcel|package"
    r"|parked|towed|seen|found|stolen|arrested|work(?:s|ed|ing)?|moving|branch|apartment|meet|meeting|opened"
    r"|appointment|went|go|drive|taxi|cab|pickup)\b[^.!?\n]{0,34}?\b(?:at|to|in|on|is|was|are|near|from|by)"
    r"|\b(?:address|street|location|residence|domicile|ship to|bill to|deliver to|home|to|adress|adresse"
    r"|dirección|direccion|indirizzo|adres|adresa|anschrift|endereço|morada|адрес|cím|osoite|heimilisfang"
    r"|strasse|straße|rue|calle|via)(?:\s(?:line\s?)?[0-9])?\s?[:=|-]"
    r"|\b(?:wohn(?:e|t|haft)|lebe?t?)\b[^.!?\n]{0,20}\b(?:in|in der|am|an der|im)"
    r"|\b(?:bor|bo|bodde|bosatt)\b(?: på| i)|\b(?:woon|woont|wonen|wonende|gevestigd)\b(?: op| aan| in| te)"
    r"|\b(?:vivo|vive|reside|moro|mora|resido|abito|abita|residente)\b(?: en| na| no| in| em)"
    r"|\b(?:habite|demeure|domicilié|domiciliée|réside)(?: au| à)?|\b(?:адресу|проживает|живу)(?: по адресу)?"
    r"|\b(?:mieszkam|mieszka|zamieszkał[ya]?)\b(?: przy| na)|\b(?:bydlím|bydlí|bytem)(?: na| v)?"
    r")\s?[\"'(\[]?\s{0,24}\Z"
)
