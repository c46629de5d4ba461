"""Towns with the region they lie in, the start of their post codes and their telephone
area: what has to agree in a new address.

Full tables for the countries where English texts are at home; of others the telephone
areas, which `codes` needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from ..text.names import fold
from .base import listed

UK, US = "United Kingdom", "United States"


class Locality(NamedTuple):
    """A town.

    town (str): Its name.
    country (str): As in the table of countries.
    region (str): County or state.
    part (str): Part of the country that has regions ("Wales"); "" for none.
    post (str): What its post codes begin with.
    area (str): Telephone area without the trunk prefix.
    """

    town: str
    country: str
    region: str
    part: str
    post: str
    area: str


# state; code; town : first figures of its ZIP codes : telephone area
_STATES = """
Alabama;AL;Birmingham:352:205,Huntsville:358:256,Mobile:366:251,Tuscaloosa:354:205
Alaska;AK;Anchorage:995:907,Fairbanks:997:907,Juneau:998:907
Arizona;AZ;Tucson:857:520,Mesa:852:480,Flagstaff:860:928,Scottsdale:852:480
Arkansas;AR;Little Rock:722:501,Fayetteville:727:479,Fort Smith:729:479
California;CA;Fresno:937:559,Sacramento:958:916,Bakersfield:933:661,Stockton:952:209,Riverside:925:951
Colorado;CO;Denver:802:303,Boulder:803:303,Pueblo:810:719,Fort Collins:805:970
Connecticut;CT;Hartford:061:860,New Haven:065:203,Stamford:069:203,Bridgeport:066:203
Delaware;DE;Wilmington:198:302,Dover:199:302,Newark:197:302
Florida;FL;Tampa:336:813,Orlando:328:407,Pensacola:325:850,Tallahassee:323:850,Sarasota:342:941
Georgia;GA;Atlanta:303:404,Savannah:314:912,Macon:312:478,Athens:306:706
Hawaii;HI;Honolulu:968:808,Hilo:967:808,Kailua:967:808
Idaho;ID;Boise:837:208,Pocatello:832:208,Nampa:836:208
Illinois;IL;Chicago:606:312,Peoria:616:309,Rockford:611:815,Naperville:605:630
Indiana;IN;Indianapolis:462:317,Fort Wayne:468:260,Evansville:477:812,South Bend:466:574
Iowa;IA;Des Moines:503:515,Cedar Rapids:524:319,Davenport:528:563,Dubuque:520:563
Kansas;KS;Wichita:672:316,Topeka:666:785,Salina:674:785,Olathe:660:913
Kentucky;KY;Louisville:402:502,Lexington:405:859,Bowling Green:421:270,Paducah:420:270
Louisiana;LA;New Orleans:701:504,Baton Rouge:708:225,Shreveport:711:318,Lafayette:705:337
Maine;ME;Bangor:044:207,Augusta:043:207,Lewiston:042:207
Maryland;MD;Baltimore:212:410,Annapolis:214:410,Rockville:208:301,Hagerstown:217:301
Massachusetts;MA;Boston:021:617,Worcester:016:508,Springfield:011:413,Lowell:018:978
Michigan;MI;Detroit:482:313,Grand Rapids:495:616,Lansing:489:517,Kalamazoo:490:269
Minnesota;MN;Minneapolis:554:612,Duluth:558:218,Rochester:559:507,Mankato:560:507
Mississippi;MS;Biloxi:395:228,Gulfport:395:228,Tupelo:388:662,Hattiesburg:394:601
Missouri;MO;St. Louis:631:314,Kansas City:641:816,Joplin:648:417,Columbia:652:573
Montana;MT;Billings:591:406,Missoula:598:406,Bozeman:597:406,Helena:596:406
Nebraska;NE;Omaha:681:402,Kearney:688:308,Bellevue:680:402
Nevada;NV;Las Vegas:891:702,Reno:895:775,Sparks:894:775,Carson City:897:775
New Hampshire;NH;Nashua:030:603,Concord:033:603,Keene:034:603
New Jersey;NJ;Trenton:086:609,Camden:081:856,Hoboken:070:201,Princeton:085:609
New Mexico;NM;Albuquerque:871:505,Santa Fe:875:505,Las Cruces:880:575,Roswell:882:575
New York;NY;New York:100:212,Albany:122:518,Buffalo:142:716,Syracuse:132:315,Yonkers:107:914,Utica:135:315
North Carolina;NC;Raleigh:276:919,Durham:277:919,Asheville:288:828,Greensboro:274:336
North Dakota;ND;Fargo:581:701,Bismarck:585:701,Minot:587:701
Ohio;OH;Columbus:432:614,Cleveland:441:216,Toledo:436:419,Akron:443:330,Dayton:454:937
Oklahoma;OK;Tulsa:741:918,Norman:730:405,Lawton:735:580,Stillwater:740:405
Oregon;OR;Portland:972:503,Eugene:974:541,Salem:973:503,Medford:975:541
Pennsylvania;PA;Pittsburgh:152:412,Philadelphia:191:215,Scranton:185:570,Allentown:181:610,Harrisburg:171:717
Rhode Island;RI;Providence:029:401,Cranston:029:401,Newport:028:401
South Carolina;SC;Charleston:294:843,Greenville:296:864,Spartanburg:293:864
South Dakota;SD;Sioux Falls:571:605,Rapid City:577:605,Pierre:575:605
Tennessee;TN;Memphis:381:901,Nashville:372:615,Knoxville:379:865,Chattanooga:374:423
Texas;TX;Austin:787:512,Dallas:752:214,Houston:770:713,San Antonio:782:210,El Paso:799:915,Lubbock:794:806,Waco:767:254
Utah;UT;Salt Lake City:841:801,Provo:846:801,Ogden:844:801
Vermont;VT;Burlington:054:802,Montpelier:056:802,Rutland:057:802
Virginia;VA;Richmond:232:804,Norfolk:235:757,Roanoke:240:540,Arlington:222:703
Washington;WA;Seattle:981:206,Tacoma:984:253,Spokane:992:509,Olympia:985:360
West Virginia;WV;Wheeling:260:304,Huntington:257:304,Morgantown:265:304
Wisconsin;WI;Milwaukee:532:414,Green Bay:543:920,Racine:534:262,Eau Claire:547:715
Wyoming;WY;Cheyenne:820:307,Casper:826:307,Laramie:820:307
"""
# county; part; town : area of its post codes : telephone area
_COUNTIES = """
Greater London;England;London:SW:20,Croydon:CR:20,Bromley:BR:20,Enfield:EN:20,Harrow:HA:20,Romford:RM:1708
Kent;England;Canterbury:CT:1227,Maidstone:ME:1622,Tonbridge:TN:1732,Ashford:TN:1233
Surrey;England;Guildford:GU:1483,Woking:GU:1483,Redhill:RH:1737,Epsom:KT:1372
Essex;England;Chelmsford:CM:1245,Colchester:CO:1206,Southend:SS:1702,Harlow:CM:1279
Norfolk;England;Norwich:NR:1603,Thetford:IP:1842,Great Yarmouth:NR:1493
Suffolk;England;Ipswich:IP:1473,Lowestoft:NR:1502,Bury St Edmunds:IP:1284
Devon;England;Exeter:EX:1392,Plymouth:PL:1752,Torquay:TQ:1803,Barnstaple:EX:1271
Cornwall;England;Truro:TR:1872,Falmouth:TR:1326,Penzance:TR:1736
Dorset;England;Dorchester:DT:1305,Bournemouth:BH:1202,Poole:BH:1202,Weymouth:DT:1305
Somerset;England;Taunton:TA:1823,Bath:BA:1225,Yeovil:BA:1935,Bridgwater:TA:1278
Wiltshire;England;Swindon:SN:1793,Salisbury:SP:1722,Chippenham:SN:1249
Gloucestershire;England;Gloucester:GL:1452,Cheltenham:GL:1242,Stroud:GL:1453
Hampshire;England;Southampton:SO:23,Portsmouth:PO:23,Winchester:SO:1962,Basingstoke:RG:1256
Berkshire;England;Reading:RG:118,Slough:SL:1753,Bracknell:RG:1344,Newbury:RG:1635
Oxfordshire;England;Oxford:OX:1865,Banbury:OX:1295,Abingdon:OX:1235
Buckinghamshire;England;Milton Keynes:MK:1908,Aylesbury:HP:1296,High Wycombe:HP:1494
Bedfordshire;England;Luton:LU:1582,Bedford:MK:1234,Dunstable:LU:1582
Hertfordshire;England;Watford:WD:1923,Stevenage:SG:1438,St Albans:AL:1727,Hertford:SG:1992
Cambridgeshire;England;Cambridge:CB:1223,Peterborough:PE:1733,Huntingdon:PE:1480
Northamptonshire;England;Northampton:NN:1604,Kettering:NN:1536,Corby:NN:1536
Leicestershire;England;Leicester:LE:116,Loughborough:LE:1509,Hinckley:LE:1455
Nottinghamshire;England;Nottingham:NG:115,Mansfield:NG:1623,Worksop:S:1909
Derbyshire;England;Derby:DE:1332,Chesterfield:S:1246,Buxton:SK:1298
Lincolnshire;England;Lincoln:LN:1522,Grantham:NG:1476,Boston:PE:1205,Scunthorpe:DN:1724
Staffordshire;England;Stafford:ST:1785,Lichfield:WS:1543,Tamworth:B:1827
Shropshire;England;Shrewsbury:SY:1743,Telford:TF:1952,Oswestry:SY:1691
West Midlands;England;Birmingham:B:121,Coventry:CV:24,Wolverhampton:WV:1902,Dudley:DY:1384
Worcestershire;England;Worcester:WR:1905,Kidderminster:DY:1562,Redditch:B:1527
Warwickshire;England;Warwick:CV:1926,Rugby:CV:1788,Nuneaton:CV:24
Herefordshire;England;Hereford:HR:1432,Leominster:HR:1568,Ledbury:HR:1531
Cheshire;England;Crewe:CW:1270,Warrington:WA:1925,Macclesfield:SK:1625
Merseyside;England;Liverpool:L:151,Southport:PR:1704,Birkenhead:CH:151
Greater Manchester;England;Manchester:M:161,Bolton:BL:1204,Stockport:SK:161,Oldham:OL:161
Lancashire;England;Blackpool:FY:1253,Lancaster:LA:1524,Burnley:BB:1282,Blackburn:BB:1254
Cumbria;England;Carlisle:CA:1228,Kendal:LA:1539,Penrith:CA:1768
West Yorkshire;England;Leeds:LS:113,Bradford:BD:1274,Wakefield:WF:1924,Huddersfield:HD:1484
South Yorkshire;England;Sheffield:S:114,Doncaster:DN:1302,Barnsley:S:1226,Rotherham:S:1709
North Yorkshire;England;York:YO:1904,Harrogate:HG:1423,Scarborough:YO:1723
East Yorkshire;England;Hull:HU:1482,Bridlington:YO:1262,Beverley:HU:1482
County Durham;England;Darlington:DL:1325,Durham:DH:191,Hartlepool:TS:1429
Tyne and Wear;England;Newcastle:NE:191,Sunderland:SR:191,Gateshead:NE:191
Northumberland;England;Morpeth:NE:1670,Hexham:NE:1434,Alnwick:NE:1665
East Sussex;England;Brighton:BN:1273,Hastings:TN:1424,Eastbourne:BN:1323
West Sussex;England;Worthing:BN:1903,Crawley:RH:1293,Chichester:PO:1243
Bristol;England;Bristol:BS:117
South Glamorgan;Wales;Cardiff:CF:29,Barry:CF:1446,Penarth:CF:29
West Glamorgan;Wales;Swansea:SA:1792,Neath:SA:1639,Port Talbot:SA:1639
Gwent;Wales;Newport:NP:1633,Cwmbran:NP:1633,Caldicot:NP:1291
Clwyd;Wales;Wrexham:LL:1978,Rhyl:LL:1745,Colwyn Bay:LL:1492
Powys;Wales;Brecon:LD:1874,Newtown:SY:1686,Welshpool:SY:1938
Midlothian;Scotland;Edinburgh:EH:131,Dalkeith:EH:131,Penicuik:EH:1968
Lanarkshire;Scotland;Glasgow:G:141,Motherwell:ML:1698,Airdrie:ML:1236
Ayrshire;Scotland;Kilmarnock:KA:1563,Ayr:KA:1292,Irvine:KA:1294
Fife;Scotland;Kirkcaldy:KY:1592,Dunfermline:KY:1383,St Andrews:KY:1334
Aberdeenshire;Scotland;Aberdeen:AB:1224,Peterhead:AB:1779,Fraserburgh:AB:1346
Perthshire;Scotland;Perth:PH:1738,Pitlochry:PH:1796,Crieff:PH:1764
Inverness-shire;Scotland;Inverness:IV:1463,Fort William:PH:1397,Aviemore:PH:1479
County Antrim;Northern Ireland;Belfast:BT:28,Ballymena:BT:28,Lisburn:BT:28
County Down;Northern Ireland;Newry:BT:28,Bangor:BT:28,Downpatrick:BT:28
County Tyrone;Northern Ireland;Omagh:BT:28,Cookstown:BT:28,Strabane:BT:28
"""
PARTS = listed("England,Scotland,Wales,Northern Ireland")
# Counties by other names, and areas of post codes that belong to a town by more letters.
_OTHER_NAMES = {
    "yorkshire": "West Yorkshire",
    "new york city": "New York",
    "hants": "Hampshire",
    "lancs": "Lancashire",
    "herts": "Hertfordshire",
    "wilts": "Wiltshire",
    "notts": "Nottinghamshire",
    "northants": "Northamptonshire",
}
_LONDON = frozenset(listed("E,EC,N,NW,SE,SW,W,WC"))

# Telephone areas of provinces, by the first figures of their post codes.
_SPANISH = (
    "01:945,02:967,03:965,04:950,05:920,06:924,07:971,08:93,09:947,10:927,11:956,12:964,"
    "13:926,14:957,15:981,16:969,17:972,18:958,19:949,20:943,21:959,22:974,23:953,24:987,"
    "25:973,26:941,27:982,28:91,29:95,30:968,31:948,32:988,33:98,34:979,35:928,36:986,"
    "37:923,38:922,39:942,40:921,41:95,42:975,43:977,44:978,45:925,46:96,47:983,48:94,"
    "49:980,50:976"
)
_RUSSIAN = (
    "Москва:495,Санкт-Петербург:812,Архангельск:818,Астрахань:851,Барнаул:385,Белгород:472,"
    "Брянск:483,Владивосток:423,Владимир:492,Волгоград:844,Вологда:817,Воронеж:473,"
    "Екатеринбург:343,Иваново:493,Ижевск:341,Иркутск:395,Казань:843,Калининград:401,"
    "Калуга:484,Кемерово:384,Киров:833,Кострома:494,Краснодар:861,Красноярск:391,Курган:352,"
    "Курск:471,Липецк:474,Магнитогорск:351,Мурманск:815,Нижний Новгород:831,Новгород:816,"
    "Новосибирск:383,Омск:381,Орёл:486,Оренбург:353,Пенза:841,Пермь:342,Петрозаводск:814,"
    "Псков:811,Ростов-на-Дону:863,Рязань:491,Самара:846,Саранск:834,Саратов:845,"
    "Смоленск:481,Сочи:862,Ставрополь:865,Сургут:346,Сызрань:846,Тамбов:475,Таганрог:863,"
    "Тверь:482,Тольятти:848,Томск:382,Тула:487,Тюмень:345,Улан-Удэ:301,Ульяновск:842,"
    "Уфа:347,Хабаровск:421,Чебоксары:835,Челябинск:351,Чита:302,Якутск:411,Ярославль:485"
)
# Only those that numbers are kept free in.
_GERMAN = "Berlin:30,Hamburg:40,Frankfurt am Main:69,Köln:221,München:89"
# Names in English of towns abroad that have such an area.
_GERMAN_IN_ENGLISH = "Cologne:221,Munich:89,Frankfurt:69"


class _Tables(NamedTuple):
    by_town: dict[str, Locality]
    # The same by country and town: some names are British and American.
    town_in: dict[tuple[str, str], Locality]
    by_region: dict[str, tuple[Locality, ...]]
    by_part: dict[str, tuple[Locality, ...]]
    by_country: dict[str, tuple[Locality, ...]]
    # Folded name or code of a state, county or part -> its name.
    containers: dict[str, str]
    codes: dict[str, str]
    country_of: dict[str, str]


@lru_cache(maxsize=1)
def tables() -> _Tables:
    """The towns by what they are found by; keys are folded."""
    rows: list[Locality] = []
    codes: dict[str, str] = {}
    containers: dict[str, str] = {}
    for line in _COUNTIES.strip().splitlines():
        region, part, towns = line.split(";")
        rows += [
            Locality(town, UK, region, part, post, area)
            for town, post, area in _items(towns)
        ]
        if region != "Bristol":
            containers[fold(region)] = region
    containers.update({fold(part): part for part in PARTS})
    for line in _STATES.strip().splitlines():
        state, code, towns = line.split(";")
        rows += [
            Locality(town, US, state, "", post, area)
            for town, post, area in _items(towns)
        ]
        codes[state] = code
        containers[fold(state)] = state
    containers.update(_OTHER_NAMES)
    by_town: dict[str, Locality] = {}
    for row in rows:
        # Of towns with one name the first counts: those of both countries are British.
        by_town.setdefault(fold(row.town), row)
    return _Tables(
        by_town,
        {(row.country, fold(row.town)): row for row in reversed(rows)},
        _grouped(rows, "region"),
        _grouped(rows, "part"),
        _grouped(rows, "country"),
        containers,
        codes,
        {name: row.country for row in rows for name in (row.region, row.part) if name},
    )


def _items(text: str) -> Iterable[list[str]]:
    return (item.split(":") for item in listed(text))


def _grouped(rows: Iterable[Locality], field: str) -> dict[str, tuple[Locality, ...]]:
    out: dict[str, list[Locality]] = {}
    for row in rows:
        if name := getattr(row, field):
            out.setdefault(name, []).append(row)
    return {name: tuple(group) for name, group in out.items()}


def state_of(code: str) -> str:
    """Name of the state with a code ("TX"); "" if there is none. The capital's district,
    which is in no table, is taken for the state around it."""
    return _state_names().get("MD" if code == "DC" else code, "")


@lru_cache(maxsize=1)
def _state_names() -> dict[str, str]:
    return {code: state for state, code in tables().codes.items()}


def town_with_post(code: str) -> Locality | None:
    """A town by the start of a post code.

    code (str): British or American post code.
    RETURNS (Optional[Locality]): None if no town has it.
    """
    found = _posts().get(code[:3]) if code[:3].isdecimal() else None
    if found is None:
        letters = "".join(ch for ch in code[:2].upper() if ch.isalpha())
        letters = "SW" if letters in _LONDON else letters
        found = _posts().get(letters)
    return found


@lru_cache(maxsize=1)
def _posts() -> dict[str, Locality]:
    out: dict[str, Locality] = {}
    for group in tables().by_country.values():
        for row in group:
            out.setdefault(row.post, row)
    return out


@lru_cache(maxsize=4)
def areas(country_code: str) -> Mapping[str, str]:
    """Telephone areas by folded town.

    country_code (str): "1", "44", "49" or "7"; the Spanish areas go by post code, see
        `spanish_area`.
    RETURNS (Mapping[str, str]): Empty for other countries.
    """
    if country_code in ("1", "44"):
        name = US if country_code == "1" else UK
        rows = reversed(tables().by_country[name])
        return {fold(row.town): row.area for row in rows}
    text = {"49": f"{_GERMAN},{_GERMAN_IN_ENGLISH}", "7": _RUSSIAN}.get(country_code)
    return {fold(town): area for town, area in _items(text)} if text else {}


@lru_cache(maxsize=1)
def spanish_areas() -> dict[str, str]:
    """Telephone areas of Spain by the first two figures of post codes."""
    return dict(_items(_SPANISH))  # type: ignore[arg-type]
