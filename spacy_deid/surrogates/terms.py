"""Siblings for terms: nationalities, occupations, religions, diseases, works, events."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ..text.names import GENERIC, fold, strip_possessive
from ..text.numbers import WORDS_PATTERN
from .base import (
    Draws,
    Mention,
    article_before,
    fits_article,
    in_place_of,
    is_acronym,
    listed,
    match_case,
    preferred_first,
    shuffled,
    with_articles,
)
from .places import WITH_ARTICLE, Country, Geography, countries, demonym, index

# Terms of one row may stand for one another. Several rows make a subtype.
_ROWS: dict[str, tuple[str, ...]] = {
    "OCCUPATION": (
        """accountant,actuary,architect,archivist,auctioneer,bookkeeper,estate agent,economist,
        editor,engineer,illustrator,insurance broker,interpreter,journalist,land surveyor,
        librarian,optician,quantity surveyor,statistician,surveyor,translator,tax adviser,
        underwriter,web designer,graphic designer,software developer,data analyst,
        software entrepreneur,consultant,office manager,project manager""",
        """baker,blacksmith,bricklayer,butcher,carpenter,electrician,farmer,fisherman,florist,
        gardener,glazier,joiner,locksmith,mason,mechanic,miller,miner,painter,plasterer,plumber,
        potter,roofer,shepherd,tailor,tiler,upholsterer,weaver,welder""",
        """bus driver,cashier,cleaner,cook,courier,delivery driver,factory worker,hairdresser,
        hotel porter,lorry driver,postman,receptionist,sales assistant,security guard,
        private security guard,shop assistant,taxi driver,train driver,waiter,warehouse worker,
        tram driver,usher,housing officer,landlord,innkeeper""",
        """anaesthetist,cardiologist,dentist,dermatologist,general practitioner,midwife,
        neurologist,nurse,oncologist,paediatrician,pharmacist,physician,physiotherapist,
        psychiatrist,psychologist,radiologist,surgeon,veterinarian,doctor,paramedic""",
        """primary school teacher,secondary school teacher,lecturer,nursery teacher,teacher,
        tutor,headmaster,professor,university lecturer,music teacher,language teacher,
        assistant professor,associate professor,schoolteacher""",
        """advocate,attorney,barrister,judge,lawyer,magistrate,notary,prosecutor,solicitor,
        legal adviser,paralegal,public prosecutor,state prosecutor,registrar,bailiff,
        investigating judge,district judge""",
        """actor,composer,conductor,dancer,drummer,guitarist,musician,novelist,painter,
        photographer,pianist,playwright,poet,screenwriter,sculptor,singer,songwriter,violinist,
        writer,author,film director,film producer,radio presenter,set decorator,cellist,
        essayist,compiler,columnist""",
        "actress,film actress,stage actress,songstress,ballerina,radio actress",
        """badminton player,boxer,cricketer,cyclist,fencer,footballer,goalkeeper,golfer,gymnast,
        handball player,ice dancer,jockey,judoka,marathon runner,rower,rugby player,sailor,
        skier,sprinter,swimmer,tennis player,weightlifter,wrestler,athlete,basketball player,
        volleyball player,hurdler,assistant trainer,trainer,coach""",
        """politician,mayor,councillor,senator,deputy,member of parliament,minister,ambassador,
        diplomat,governor,civil servant,trade unionist,president,vice president,premier,
        chancellor,congressman,party leader,party secretary""",
        """chief executive officer,chief financial officer,chief operating officer,chairman,
        managing director,board member,executive,director,co-founder,founder,treasurer,
        company secretary,shareholder,entrepreneur,industrialist,banker,businessman,merchant,
        investor,broker,trader,manager""",
        "research assistant,teaching assistant,laboratory assistant,technical assistant",
        "CEO,CFO,COO,CTO,CIO",
        "chairwoman,businesswoman,headmistress,directress,manageress",
        """captain,corporal,lance corporal,lieutenant,lieutenant commander,major,sergeant,
        colonel,general,private,soldier,sailor,pilot,naval officer,infantryman,flying ace,
        commander,admiral,brigadier,staff sergeant""",
        "house minority leader,house majority leader,senate majority leader,senate minority leader",
        "fisherwoman,milkmaid,seamstress,housewife,laundress,charwoman",
        "sage,hermit,monk,ascetic,mystic,seer,pilgrim",
        "police officer,detective,constable,customs officer,firefighter,prison officer,inspector",
        """chief public prosecutor,military public prosecutor,deputy public prosecutor,
        senior public prosecutor,state attorney""",
        "biologist,botanist,chemist,geologist,historian,mathematician,physicist,zoologist,"
        "astronomer,archaeologist,philosopher,sociologist,linguist,anthropologist",
        "unemployed,retired,self-employed,a student,on sick leave,a pensioner",
        "student,pupil,apprentice,trainee,undergraduate,postgraduate",
        "billionaire,millionaire,heir,philanthropist,landowner,tycoon",
    ),
    "RELIGION": (
        "Anglican,Baptist,Buddhist,Catholic,Christian,Hindu,Jew,Lutheran,Methodist,Muslim,"
        "Orthodox Christian,Presbyterian,Protestant,Quaker,Sikh,Mormon,Pentecostal,Jain",
        "Anglicanism,Buddhism,Catholicism,Christianity,Hinduism,Islam,Judaism,Lutheranism,"
        "Methodism,Protestantism,Sikhism,Jainism",
        "Jewish,Islamic,Roman Catholic,Greek Orthodox,Russian Orthodox,Sunni,Shia,Alevi,Evangelical",
        "atheist,agnostic,humanist,freethinker",
        "Jehovah's Witness,Seventh-day Adventist,Unitarian,Adventist",
        "Jehovah's Witnesses,Seventh-day Adventists,Unitarians,Adventists",
    ),
    "LANGUAGE": (),
    "NATIONALITY": (),
    "DEGREE": (
        "bachelor's degree,master's degree,doctorate,diploma,foundation degree,teaching diploma",
        "BA,BSc,MA,MSc,MBA,PhD,LLB,LLM,MPhil,BEd",
        "MD,DO,RN,DDS,DVM,PharmD,MBBS,FRCS",
        "QC,KC,SC",
        "Q.C.,K.C.,S.C.",
        "Esq.,J.D.,LL.B.",
        "M.D.,D.O.,R.N.,D.D.S.,Ph.D.",
        "B.A.,B.Sc.,M.A.,M.Sc.,Ph.D.,M.Phil.,B.Ed.",
        "Bachelor of Arts,Bachelor of Science,Master of Arts,Master of Science,Bachelor of Laws,"
        "Master of Laws,Bachelor of Education,Master of Business Administration",
        "high school diploma,school-leaving certificate,vocational certificate,A levels",
    ),
    "FAMILY": (
        "wife,sister,mother,daughter,aunt,niece,grandmother,granddaughter,cousin,stepmother,"
        "stepdaughter,mother-in-law,sister-in-law,daughter-in-law,great-granddaughter,"
        "great great granddaughter,godmother,goddaughter,widow",
        "husband,brother,father,son,uncle,nephew,grandfather,grandson,stepfather,stepson,"
        "father-in-law,brother-in-law,son-in-law,great-grandson,godfather,godson,widower",
        "parent,sibling,child,spouse,partner,cousin,grandparent,grandchild,relative,guardian",
        "girlfriend,fiancée,bride",
        "boyfriend,fiancé,bridegroom",
        "married,divorced,widowed,single,separated,engaged",
        "breadwinner,homemaker,carer,caregiver",
    ),
    "ETHNICITY": (
        "Arab,Berber,Kurd,Slav,Tamil,Tatar,Yoruba,Zulu,Basque,Breton,Catalan,Sami,Inuit,Maori",
        "Kurdish,Arabic,Slavic,Nordic,Baltic,Hispanic,Latino,Celtic,Roma,Sinti,Romany,Catalan",
        "black,white,Asian,mixed-race,brown",
        "African American,Asian American,Native American,Hispanic American,Pacific Islander",
        "black woman,white woman,Asian woman,mixed-race woman",
        "black man,white man,Asian man,mixed-race man",
        "immigrant,emigrant,refugee,asylum seeker,expatriate,migrant",
    ),
    "GENDER": (
        "man,woman,person",
        "male,female,non-binary",
        "boy,girl,child",
        "gay,lesbian,bisexual,heterosexual,homosexual,queer",
        "transgender,cisgender,intersex",
        "gentleman,lady",
    ),
    "DISEASE": (
        "anxiety,depression,insomnia,bipolar disorder,panic disorder,schizophrenia,anorexia,"
        "obsessive-compulsive disorder,post-traumatic stress disorder,bulimia,burnout,psychosis",
        "asthma,bronchitis,pneumonia,tuberculosis,emphysema,pleurisy,influenza,sinusitis,whooping cough",
        "diabetes,gout,hypothyroidism,hyperthyroidism,anaemia,obesity,coeliac disease,rickets",
        "arthritis,osteoporosis,sciatica,rheumatism,scoliosis,fibromyalgia,bursitis,lumbago",
        "cancer,leukaemia,lymphoma,melanoma,breast cancer,lung cancer,bowel cancer,prostate cancer",
        "hypertension,angina,arrhythmia,heart failure,heart attack,stroke,thrombosis,atrial fibrillation",
        "epilepsy,migraine,multiple sclerosis,Parkinson's disease,dementia,Alzheimer's disease,neuralgia",
        "hepatitis,cirrhosis,gastritis,pancreatitis,colitis,appendicitis,Crohn's disease,ulcer",
        "HIV,AIDS,syphilis,malaria,measles,mumps,chickenpox,shingles,scarlet fever,typhoid",
        "myopia,cataract,glaucoma,astigmatism,conjunctivitis,hyperopia,blindness,eye problems,"
        "eye problem,hearing loss,deafness,tinnitus",
        "disability,impairment,chronic illness,handicap",
        "fracture,concussion,sprain,dislocation,burn,laceration,contusion",
        "reconstructive operations,plastic surgery,skin grafts,orthopaedic operations",
        "alcoholism,drug addiction,substance abuse,gambling addiction",
        "diabetic,asthmatic,epileptic,arthritic,anaemic,hypertensive,rheumatic,allergic",
        "deaf,blind,visually impaired,hard of hearing,partially sighted,mute",
    ),
    "OTHER": (
        "Marxist-Leninist,Trotskyist,Maoist,anarchist,syndicalist,social democrat",
        "Republican,Democrat,Liberal,Conservative,Libertarian,Green",
        "Republican,Democratic,Liberal,Conservative,Progressive,Libertarian",
        "socialist,communist,liberal,conservative,nationalist,feminist,pacifist",
        "left-wing,right-wing,centrist",
        "vegetarian,vegan,teetotaller,pescatarian",
        "European,African,Asian,Scandinavian,Mediterranean,Caribbean,Oceanian",
        "member,supporter,fellow,associate,delegate",
        "member of the board,member of the council,member of the committee",
    ),
    "MISC": (
        "gold medal,silver medal,bronze medal,team medal,relay medal",
        "flyweight,bantamweight,featherweight,lightweight,light-welterweight,welterweight,"
        "middleweight,light-heavyweight,cruiserweight,heavyweight",
        "election,referendum,by-election,runoff,primary",
        "presidential,parliamentary,municipal,regional,gubernatorial",
        "imprisonment,detention,probation,community service,house arrest",
        "death penalty,life sentence,suspended sentence,prison sentence",
        "Academy Award,Golden Globe,Emmy Award,Tony Award,Palme d'Or,Golden Bear,Silver Lion",
        "Best Art Direction,Best Cinematography,Best Sound Editing,Best Costume Design",
        "Cold War,First World War,Second World War,Great Depression,Suez Crisis,Space Race",
        "World War I,World War II,Korean War,Vietnam War,Crimean War,Gulf War",
        "Winter Olympics,Summer Olympics,Commonwealth Games,World Championships,"
        "European Championships,Universiade",
        "opening goal,winning goal,equaliser,penalty",
        "tenure,term,mandate,presidency,premiership,office",
        "diamorphine,morphine,cocaine,cannabis,ecstasy,methadone,amphetamine,ketamine",
        "romance,comedy,drama,thriller,western,mystery,documentary",
        "epics,sagas,hymns,chronicles,ballads",
        "fraud,theft,burglary,forgery,perjury,bribery,arson,smuggling",
        "State pension,Widow's Bereavement Allowance,Widowed Parent's Allowance,"
        "Bereavement Payment,Housing Benefit,Child Benefit,Carer's Allowance,Winter Payment,"
        "Maternity Grant,Attendance Allowance,Sickness Benefit,Disability Allowance",
        "Vedas,Puranas,Upanishads,Mahabharata,Ramayana,Bhagavad Gita",
        "Nightfall,Vanishing Point,Moonrise,Silent Harbour,Broken Compass,Paper Lanterns",
        "Christmas,Easter,Ramadan,Diwali,Hanukkah",
        "traditional,classical,modern,folk,contemporary",
        "German Shepherd,Labrador,Golden Retriever,Border Collie,Poodle,Beagle",
        "iPhone,Android phone,laptop,tablet",
        "Windows,Linux,macOS,Android",
    ),
}
_PERSON_VAGUE = listed(
    "professional,specialist,practitioner,employee,official,worker,associate,colleague,"
    "representative,expert,assistant,officer,adviser,organiser"
)
# "a president of the students" has its head elsewhere.
_SINGULAR_S = re.compile(r"\b(?:of|in|for|at|with|and)\b|(?:sis|ics|itis|ess)$", re.I)
_AILMENTS = listed(
    "bronchitis,hypertension,arthritis,migraine,gastritis,sinusitis,sciatica,anaemia,"
    "osteoporosis,hypothyroidism,tinnitus,eczema,psoriasis,chronic fatigue,gout,"
    "pancreatitis,hepatitis,pleurisy,insomnia,glaucoma"
)
_COMPLAINTS = listed(
    "ailments,complaints,medical conditions,illnesses,chronic conditions,old injuries,"
    "respiratory problems,digestive problems,joint problems"
)
_HEALTH_VAGUE = listed(
    "a medical condition,an unspecified illness,a health complaint,an old injury,"
    "a chronic complaint,an undisclosed ailment,a lasting impairment,a recurring illness"
)
_HEALTH = re.compile(
    r"(?:health (?:problem|issue|condition)|disease|syndrome|disorder|illness|injur|operation|surgery|complication|pain|tumou?r|"
    r"disab|symptom|infection|wound|fracture|opia\b|itis\b|osis\b|aemia\b|emia\b|loss of|"
    r"\beyes?\b|\bears?\b|blood|heart|medical|treatment|therapy|diagnos)",
    re.I,
)
_ILLNESS = re.compile(
    r"(?:cancer|diabet|asthma|epilep|stroke|anorexia|bulimia|infarct|fibrillation"
    r"|arrhythmia|insufficiency|failure|sclerosis|palsy|anaemia|leuk|lymph|dementia"
    r"|depress|psycho|schizo|bipolar|autis|alcohol(?:ism|ic)|addict|hyper\w+|hypo\w+|hiv\b|aids\b"
    r"|hernia|ulcer|migraine|alz|parkinson|pregnan|cirrho|allerg|seizure|lupus|copd"
    r"|influenza|pneumonia|covid|malaria|tubercul|[a-z]{3}(?:itis|osis|oma|pathy|algia"
    r"|emia|uria|plegia|phobia|trophy|ectomy)\b)",
    re.I,
)
_CHURCH = re.compile(
    r"(?:Dutch|German|Christian|Free|Scottish|Hungarian|Swiss)\s(?:Reformed|Presbyterian)"
    r"|(?:Roman|Greek|Old)\sCatholic|(?:Greek|Russian|Serbian|Romanian|Bulgarian|Eastern"
    r"|Coptic)\sOrthodox|Seventh[- ]day\sAdventist|(?:Evangelical|Free)\sLutheran"
    r"|(?:Southern|Free)\sBaptist|Latter[- ]day\sSaints?"
)
_DEMONYM_FORM = re.compile(
    r"[A-Z][a-z]{2,}(?:ese|ian|ish|ean|[a-z]an|i)(?:-[A-Z][a-z]+)?"
)
_SPOKEN = re.compile(
    r"\b(?:speaks?|spoke|spoken|speaking|fluent in|languages?:?|learn(?:s|ed|t|ing)?"
    r"|translated (?:in)?to|native|interpreter for|knows?|understands?|written in)"
    r"(?:\s+(?:no|some|only|little|good|fluent|broken|any|both))?\s+$",
    re.I,
)
_DEM_VAGUE = listed(
    "a personal circumstance,of another background,in a similar position,of similar standing,"
    "an ordinary background,of modest means,in other circumstances,of mixed background"
)
_TITLES = listed(
    "A Distant Shore,Beneath the Maple Trees,Letters from the Coast,Northern Passage,"
    "Silver Lining,The Clockmaker's Garden,The Glass Orchard,The Hollow Lantern,"
    "The Last Ferry,The Long Meadow,The Paper Kingdom,The Salt Road,The Winter Market,"
    "Tomorrow's Harvest,Voices in the Rain,Waiting for Autumn,Where the River Bends,"
    "An Evening in Spring,Across the Quiet Valley,Under Another Sky,Every Second Summer,"
    "Island of Echoes,Old Bridges,Amber and Ash,Open Windows"
)
_WARS = listed(
    "Balkan War,Winter War,Boer War,Crimean War,Peninsular War,Chaco War,Civil War,"
    "Continuation War,War of Independence,Border War,Great Northern War"
)
_EVENTS = listed(
    "Northern Cup,Spring Festival,Harbour Games,Lakeside Trophy,Meridian Prize,Silver Oak Award,"
    "Continental Shield,Autumn Festival,Founders' Medal,Anniversary Games,Unity Cup,"
    "Horizon Award,Eastern Open,Emerald Trophy"
)
_LAWS = listed(
    "Civil Procedure Act,Public Order Act,Administrative Code,Criminal Procedure Code,"
    "Social Insurance Act,Land Registry Act,Public Health Act,Companies Act,Employment Code,"
    "Inheritance Act"
)
_SHORT = listed(
    "Amberfall,Brightwater,Caldera,Driftwood,Elderflower,Firebrand,Greystone,Hinterland,"
    "Ironbark,Lodestar,Moonstone,Nightjar,Overture,Palisade,Quicksilver,Ricochet,Stargazer,"
    "Tidewater,Undertow,Waypoint"
)
_PHRASES = listed(
    "an earlier matter,a related matter,another aspect,a certain detail,a further point,"
    "an additional element,a particular item,the matter in question,a similar case,"
    "an unrelated issue,a minor point,another subject,an ordinary thing,a private matter"
)
# What stands for the name of a thing, by what the sentence leaves room for: one behind
# an article or an adjective, several, or none of these ("a bottle of").
_THINGS = listed(
    "item,thing,matter,piece,example,instance,particular item,particular thing,certain item,"
    "certain matter,ordinary item,usual thing"
)
_SEVERAL_THINGS = listed(
    "items,things,matters,pieces,examples,instances,certain items,certain things,"
    "particular items,ordinary things"
)
_STUFF = listed(
    "material,stuff,matter,certain material,ordinary material,everyday stuff,such material"
)
_DETERMINED = re.compile(
    r"\b(?:an?|the|this|that|these|those|his|her|its|their|my|our|your|every|each|any|some|no"
    r"|another|one|(?P<adjective>[a-z-]{3,}))\s+$",
    re.I,
)
_NO_ADJECTIVES = frozenset(
    "and but for from into with without about over under after before between during "
    "like near off onto out per than through until upon via was were are has had have did "
    "does can may will would should could must not also then when while where who which "
    "because nor yet only just very using used take takes took taking buy bought uses use "
    "eat ate eating drink drank drinking read reads reading wear wore wearing given gave "
    "give gives found had having bring brought got get gets made make makes saw see".split()
)
_BEGINS_WITH_ARTICLE = re.compile(r"(?:an?|the|this|that|his|her|their|my|our)\s", re.I)
_EVENT_WORDS = re.compile(
    r"\b(?:cup|championships?|games|award|prize|medal|festival|trophy|open|tournament|league"
    r"|olympics|marathon|tour)\b",
    re.I,
)
_LAW_WORDS = re.compile(
    r"\b(?:act|code|law|amendment|accords?|treaty|regulations?|article|directive|statute|section"
    r"|balken|convention|constitution|order)\b",
    re.I,
)
_MINISTER = re.compile(
    r"(?P<head>.*?\b(?:minister|secretary|commissioner|director|head|chief|professor|department)"
    r"(?:\s+of\s+state)?\s+(?:of|for)\s+)(?P<subject>.+)",
    re.I | re.S,
)
_SUBJECTS = listed(
    "Agriculture,Culture,Energy,Environment,Finance,Fisheries,Health,Housing,Industry,Justice,"
    "Labour,Public Works,Science,Sport,Tourism,Trade,Transport,Economic Affairs"
)
_OF_PLACE = re.compile(
    r"(?P<head>.+?\b(?:of|from|in)\s+)(?P<place>(?:the\s+)?[A-Z].*)", re.S
)
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_LONG = re.compile(r"[^\W\d_]{3,}")
_NUMBERS = re.compile(rf"\d|\b{WORDS_PATTERN}\b", re.I)
# Kept in phrases beside a term that is exchanged.
_PHRASE_FRAME = frozenset(
    "a an the of and or in on at by for to from with as his her their its former first "
    "national nationals citizen citizens origin descent born resident speaking speaker based "
    "language languages nationality religion faith community man woman men women people "
    "professional amateur senior junior assistant deputy head retired young old part-time "
    "full-time runs business who is was degree level school subject subjects ex "
    "devout devoted practising practicing lapsed strict observant born-again converted "
    "qualified trained experienced only heavy chronic severe mild".split()
)
# "mother of three": who has children, and how many.
_PARENT_OF = re.compile(
    rf"(?P<who>(?:\w+ )?(?:grand|step|god)?(?P<kind>mother|father|parent))(?P<of> of )"
    rf"(?P<many>\d{{1,2}}|{WORDS_PATTERN})(?P<rest>(?: [a-z]+)?)",
    re.I,
)
_PARENTS = {
    "mother": listed("grandmother,stepmother,godmother,foster mother,mother"),
    "father": listed("grandfather,stepfather,godfather,foster father,father"),
    "parent": listed("grandparent,foster parent,step-parent,parent"),
}
_CHILDREN = listed("two,three,four,five,six")
# What is said of a person behind "is", where nothing of the same kind is known.
_ADJECTIVES = listed(
    "easy-going,reserved,talkative,punctual,well-read,early-rising,soft-spoken,"
    "good-natured,thoughtful,well-travelled"
)
_ADJECTIVE = re.compile(
    r"[a-z-]{3,}(?:ed|ic|al|ous|ent|ant|ive|less|ful|able|ible|ish|ary|free|prone)"
)
_OPENING = re.compile(r"[\W_]*")
_CAPITALS = re.compile(r"[A-Z]{2,6}")
_VERSUS = re.compile(r"(.+?)(\s+(?:v|vs|c)\.?\s+)(.+?)((?:\s*\[GC\])?)")
_NATIONAL = frozenset("national nationals citizen citizens resident residents".split())
_FEMININE = re.compile(r"(?:woman|women|ess|esses|wife|maid)$", re.I)


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, list[tuple[str, ...]]], dict[str, tuple[str, ...]]]:
    """Rows by subtype, and the first row of each term."""
    by_subtype: dict[str, list[tuple[str, ...]]] = {}
    by_term: dict[str, tuple[str, ...]] = {}
    for subtype, rows in _ROWS.items():
        by_subtype[subtype] = [listed(row) for row in rows]
        for row in by_subtype[subtype]:
            for term in row:
                by_term.setdefault(fold(term), row)
    languages = tuple(dict.fromkeys(c.language for c in countries()))
    by_subtype["LANGUAGE"] = [languages]
    return by_subtype, by_term


def plural(term: str) -> str:
    """Plural of a noun.

    term (str): "witness", "lady", "businessman".
    RETURNS (str): "witnesses", "ladies", "businessmen".
    """
    for ending, new in (
        ("woman", "women"),
        ("man", "men"),
        ("child", "children"),
        ("wife", "wives"),
    ):
        if term.lower().endswith(ending):
            return term[: len(term) - len(ending)] + match_case(
                new, term[-len(ending) :]
            )
    if re.search(r"(?:s|x|ch|sh|z)$", term):
        return term + "es"
    if re.search(r"[^aeiou]y$", term):
        return term[:-1] + "ies"
    return term + "s"


def _singulars(term: str) -> Iterator[str]:
    if term.endswith("men"):
        yield term[:-3] + "man"
    if term.endswith("ies"):
        yield term[:-3] + "y"
    if term.endswith("wives"):
        yield term[:-5] + "wife"
    if term.endswith("children"):
        yield term[:-3]
    if term.endswith("es"):
        yield term[:-2]
    if term.endswith("s"):
        yield term[:-1]


def _row_of(term: str) -> tuple[tuple[str, ...], bool] | None:
    """The row of a term, and whether the term is a plural."""
    _, by_term = _rows()
    key = fold(strip_possessive(term))
    row = by_term.get(key)
    if row is None and "-" in key:
        row = by_term.get(key.replace("-", " "))
    if row is not None:
        return row, False
    if key[-1:] not in ("s", "n"):
        # No plural: "nurses", "women", "children".
        return None
    for singular in _singulars(key):
        row = by_term.get(singular)
        if row is not None:
            return row, True
    return None


def term_row(term: str) -> tuple[str, ...] | None:
    """The row of a capitalised term ("Widow's Allowance"); None if it is in none."""
    found = _row_of(term) if term[:1].isupper() and " " in term else None
    return found[0] if found else None


_HEAD_ENDINGS = re.compile(
    r"(?:ologist|ician|istrian|counsel+or|surgeon|teacher|engineer|driver|worker|officer"
    r"|manager|director|assistant|inspector|technician|keeper|trainer|dancer|nurse)s?$",
    re.I,
)


def is_term(text: str) -> bool:
    """Whether a text is a known term, or plainly an illness or an occupation.

    text (str): One to four words.
    RETURNS (bool): True for "anorexia nervosa", "Dutch Reformed", False for names.
    """
    if text.islower():
        if _row_of(text) is not None:
            return True
        if " " not in text:
            return bool(_ILLNESS.search(text))
        last = text.rpartition(" ")[2]
        return bool(
            _HEALTH.search(text)
            or _ILLNESS.search(text)
            or _HEAD_ENDINGS.search(last)
            or _head_row(text)
        )
    return " " in text and (fold(text) in _rows()[1] or bool(_CHURCH.fullmatch(text)))


def _head_row(text: str) -> tuple[tuple[str, ...], bool] | None:
    """Row of the last word of an occupation of several words ("ballet dancers")."""
    head = text.rpartition(" ")[2]
    found = _row_of(head) if head != text else None
    if found is None or found[0] not in _occupations():
        return None
    return found


@lru_cache(maxsize=1)
def _occupations() -> frozenset[tuple[str, ...]]:
    return frozenset(_rows()[0]["OCCUPATION"])


_COUNTED = re.compile(
    r"(?:disorder|fracture|concussion|sprain|dislocation|burn|laceration|contusion|cancer"
    r"|lymphoma|melanoma|stroke|heart attack|migraine|ulcer|cataract|problem|impairment"
    r"|disability|illness|handicap|failure|disease|infection|allergy|injury)"
)


@lru_cache(maxsize=1)
def _uncounted() -> frozenset[str]:
    """Illnesses that have no plural: "insomnia"."""
    rows = _rows()[0]["DISEASE"]
    every = (item for row in rows for item in row)
    return frozenset(
        x for x in every if not _COUNTED.fullmatch(x.rpartition(" ")[2] or x)
    ) - {"heart attack"}


def _several(term: str) -> str:
    """The plural of a term, where it has one."""
    return term if term in _uncounted() else plural(term)


class _Terms:
    """New terms of one document: the same term is replaced alike."""

    def __init__(self, draws: Draws, geography: Geography, main: Country | None):
        self.draws = draws
        self.geography = geography
        self.main = main
        # What has been found out about texts: phrases are tried again and again.
        self._known: dict[str, tuple[str, tuple[tuple[str, ...], bool] | None, bool]]
        self._known = {}

    def _look_up(
        self, term: str
    ) -> tuple[str, tuple[tuple[str, ...], bool] | None, bool]:
        """A term without possessive ending, its row, and whether it is a nationality
        if it is in none."""
        known = self._known.get(term)
        if known is None:
            base = strip_possessive(term)
            found = _row_of(base)
            known = base, found, found is None and demonym(base) is not None
            self._known[term] = known
        return known

    def sibling(self, term: str, before: str, attempt: int) -> str | None:
        """The first of the terms that may stand for one."""
        _, found, people = self._look_up(term)
        if found is None and not people:
            return None
        return next(self.siblings(term, before, attempt), None)

    def siblings(self, term: str, before: str, attempt: int = 0) -> Iterator[str]:
        """Terms that may stand for one, best first."""
        base, found, people = self._look_up(term)
        tail = term[len(base) :]
        if found is not None:
            row, many = found
            key = fold(base)
            rng = self.draws.random_for("term", key)
            items: Iterator[str] = (t for t in shuffled(row, rng) if fold(t) != key)
            if article_before(before):
                items = preferred_first(items, lambda t: fits_article(t, before))
            for item in islice(items, attempt, None):
                text = _several(item) if many else item
                if many and fold(text) == key:
                    continue
                yield _cased(text, base) + tail
        elif people:
            for text in self.geography.nationality(base):
                yield text + tail

    def phrase(self, text: str, attempt: int) -> str | None:
        """A phrase with every known term in it exchanged; None if others remain."""
        matches = list(_WORD.finditer(text))
        if len(matches) > 14:
            return None
        out = []
        position = 0
        changed = False
        i = 0
        ix = index()
        while i < len(matches):
            for j in range(min(len(matches), i + 4), i, -1):
                start, end = matches[i].start(), matches[j - 1].end()
                part = text[start:end]
                before = text[:start]
                new: str | None = None
                if j - i == 1 and part.lower() in _PHRASE_FRAME and len(matches) > 1:
                    new = part
                else:
                    capital = part[:1].isupper()
                    key = fold(strip_possessive(part)) if capital else ""
                    if capital and (
                        key in ix.by_name or key in ix.by_city or key in ix.by_region
                    ):
                        name = strip_possessive(part)
                        following = (
                            matches[j].group().lower() if j < len(matches) else ""
                        )
                        if key in ix.by_name and following in _NATIONAL:
                            new = self.geography.adjective_for(name)
                        else:
                            new = self.geography.name_for(name, self.main)
                        changed = True
                    elif "-" in part and part.lower().endswith(("-based", "-born")):
                        place, dash, rest = part.rpartition("-")
                        new = self.geography.name_for(place, self.main) + dash + rest
                        changed = True
                    elif "-" in part and all(demonym(p) for p in part.split("-")):
                        new = "-".join(
                            next(self.geography.nationality(p)) for p in part.split("-")
                        )
                        changed = True
                    else:
                        new = self.sibling(part, before, attempt)
                        changed = changed or new is not None
                    if (
                        new is None
                        and j - i == 1
                        and capital
                        and key in self.draws.name_map
                    ):
                        new = match_case(self.draws.name_map[key].capitalize(), part)
                        changed = True
                if new is not None:
                    out += [text[position:start], new]
                    position = end
                    i = j
                    break
            else:
                return None
        out.append(text[position:])
        return with_articles("".join(out)) if changed else None


def _cased(new: str, old: str) -> str:
    """Case of the old term; a term in Title Case gets one, too."""
    if old[:1].isupper() and not old.isupper() and new[:1].islower():
        if " " in old and all(w[:1].isupper() or len(w) < 4 for w in old.split()):
            return " ".join(
                w[:1].upper() + w[1:] if len(w) > 2 else w for w in new.split(" ")
            )
        return new[:1].upper() + new[1:]
    if old.islower():
        # Names keep their capitals ("Parkinson's disease").
        return new
    return match_case(new, old)


def replace_terms(
    mentions: Sequence[Mention],
    draws: Draws,
    geography: Geography,
    main: Country | None,
) -> list[str]:
    """New demographic terms for a document.

    mentions (Sequence[Mention]): Mentions of nationality, occupation and so on.
    draws (Draws): The document's draws.
    geography (Geography): The document's countries.
    main (Optional[Country]): The country the document is about.
    RETURNS (list[str]): One text a mention.
    """
    terms = _Terms(draws, geography, main)
    # One text for all mentions of a term: drawn where an article asks for its sound.
    asking: dict[str, Mention] = {}
    for mention in mentions:
        first = asking.setdefault(mention.text, mention)
        if article_before(mention.before) and not article_before(first.before):
            asking[mention.text] = mention
    new = {text: _term(mention, terms, draws) for text, mention in asking.items()}
    return [
        new[mention.text]
        if fits_article(new[mention.text], mention.before)
        else _term(mention, terms, draws)
        for mention in mentions
    ]


def _term(mention: Mention, terms: _Terms, draws: Draws) -> str:
    text, key = mention.text, terms.geography.key(mention.text)
    drawn: list[random.Random] = []
    by_subtype, _ = _rows()

    def rng() -> random.Random:
        if not drawn:
            drawn.append(draws.random_for("term-draw", key))
        return drawn[0]

    def candidates() -> Iterator[str]:
        if len(text) <= 120:
            if mention.subtype == "LANGUAGE" or (
                not mention.subtype
                and fold(text) in index().by_language
                and (
                    _SPOKEN.search(mention.before)
                    or mention.after.startswith(":")
                    or demonym(text) is None
                )
            ):
                for item in shuffled(by_subtype["LANGUAGE"][0], rng()):
                    if item.lower() != text.lower():
                        yield match_case(item, text)
            yield from terms.siblings(text, mention.before)
            if is_acronym(mention):
                made = draws.acronym(mention)
                if made is not None:
                    yield made
            match = _MINISTER.fullmatch(text)
            if match is not None:
                for item in shuffled(_SUBJECTS, rng()):
                    yield match.group("head") + match_case(item, match.group("subject"))
            parent = _PARENT_OF.fullmatch(text)
            if parent is not None:
                for who in shuffled(_PARENTS[parent["kind"].lower()], rng()):
                    if who != parent["who"].lower():
                        figures = parent["many"].isdecimal()
                        numbers = "23456" if figures else _CHILDREN
                        many = next(
                            n
                            for n in shuffled(numbers, rng())
                            if n != parent["many"].lower()
                        )
                        yield _cased(f"{who}{parent['of']}{many}", text)
            for attempt in range(4):
                changed = terms.phrase(text, attempt)
                if changed is not None:
                    yield changed
            if _DEMONYM_FORM.fullmatch(text) and mention.subtype in (
                "",
                "NATIONALITY",
                "ETHNICITY",
            ):
                # A nationality that is in no list.
                for country in shuffled(countries(), rng()):
                    if country.name not in terms.geography.used:
                        yield match_case(country.adjective, text)
            last = text.rpartition(" ")[2]
            if last != text and _row_of(last) and len(text.split()) < 4:
                # What says more of it goes: "non-churchgoing Anglican".
                yield from terms.siblings(last, mention.before)
            head = _head_row(text)
            if head is not None and mention.subtype in ("", "OCCUPATION"):
                last = text.rpartition(" ")[2]
                for item in terms.siblings(last, mention.before):
                    yield match_case(item, text) if text.isupper() else item
            match = _OF_PLACE.fullmatch(text)
            if match is not None:
                place = match.group("place")
                for name in terms.geography.cities(place, terms.main):
                    yield match.group("head") + name
                    break

    def vague() -> Iterator[str]:
        many = (
            len(text) > 3
            and re.search(r"[^su]s\.?$", text) is not None
            and len(text.split()) < 4
            and not _SINGULAR_S.search(text)
        )
        for row in by_subtype.get(mention.subtype, ()):
            if len(row) > 5:
                for item in shuffled(row, rng()):
                    yield _cased(_several(item) if many else item, text)
        if _CHURCH.fullmatch(text):
            for item in shuffled(by_subtype["RELIGION"][2], rng()):
                yield item
        if (
            mention.subtype == "DISEASE"
            or _HEALTH.search(text[:200])
            or _ILLNESS.search(text[:200])
        ):
            # Bare like most names of illnesses ("of pneumonia and type 1 diabetes").
            pool: Sequence[str] = _AILMENTS if len(text) < 40 else _HEALTH_VAGUE
            if re.search(r"(?:problem|condition|issue|injurie|wound|disorder)s$", text):
                pool = _COMPLAINTS
        elif " " in text.strip() and text[:1].islower() and len(text.split()) > 3:
            pool = _DEM_VAGUE
        elif _ADJECTIVE.fullmatch(text) and not article_before(mention.before):
            pool = _ADJECTIVES
        else:
            pool = _PERSON_VAGUE
        article = article_before(mention.before)
        if text[:1].isdecimal() and len(text.split()) < 4:
            for _ in range(20):
                yield re.sub(r"\d", lambda m: rng().choice("123456789"), text)
        for item in shuffled(pool, rng()):
            if article and item.startswith(("a ", "an ")):
                item = item.partition(" ")[2]
            yield in_place_of(
                plural(item) if many and pool is _PERSON_VAGUE else item, mention
            )

    found = draws.pick(candidates(), key, mention.before, 60)
    if found is None:
        found = draws.pick(vague(), key, mention.before, 60)
    return found or draws.invent("term", key, mention.before, text)


def replace_misc(
    mentions: Sequence[Mention],
    draws: Draws,
    geography: Geography,
    main: Country | None,
) -> list[str]:
    """New texts for whatever is of no other kind, by their form.

    mentions (Sequence[Mention]): Works, events, laws, phrases.
    draws (Draws): The document's draws.
    geography (Geography): The document's countries.
    main (Optional[Country]): The country the document is about.
    RETURNS (list[str]): One text a mention.
    """
    terms = _Terms(draws, geography, main)
    new: dict[str, str] = {}
    for mention in mentions:
        if mention.text not in new:
            new[mention.text] = _misc(mention, terms, draws)
    return [new[m.text] for m in mentions]


def _misc(mention: Mention, terms: _Terms, draws: Draws) -> str:
    from .numbers import Numbers

    text, key = mention.text, terms.geography.key(mention.text)
    numbers = Numbers(draws)
    # Quotation marks and brackets stay outside.
    match = _OPENING.match(text)
    assert match is not None
    opening = match.group()
    core = text[len(opening) :].rstrip("”\"'’.,;:»")
    while core[-1:] in (")", "]") and core.count(core[-1]) > core.count(
        "(" if core[-1] == ")" else "["
    ):
        core = core[:-1].rstrip("”\"'’.,;:»")
    closing = text[len(opening) + len(core) :]
    if opening.strip() and not closing.strip():
        # Quotation marks that close inside the phrase go with it.
        opening = opening.rstrip("“‘\"'«([")

    def candidates() -> Iterator[str]:
        rng: random.Random | None = None
        if core and len(core) <= 120:
            for item in terms.siblings(core, mention.before):
                yield opening + item + closing
            versus = _VERSUS.fullmatch(core)
            if versus is not None:
                for attempt in range(6):
                    yield opening + _case_name(versus, terms, attempt) + closing
            if core == text and is_acronym(mention):
                found = draws.acronym(mention)
                if found is not None:
                    yield found
            if 2 <= len(core) <= 6 and core.isascii() and _CAPITALS.fullmatch(core):
                rng = draws.random_for("misc", key)
                for _ in range(20):
                    made = "".join(rng.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in core)
                    yield opening + made + closing
            numbered = _NUMBERS.search(core) is not None
            for attempt in range(4):
                part = numbers.replace(core, bool(attempt)) if numbered else core
                changed = terms.phrase(part, attempt)
                if changed is not None:
                    yield opening + changed + closing
                elif numbered and all(fold(w) in GENERIC for w in _LONG.findall(core)):
                    # "8th District": its words say nothing by themselves.
                    yield opening + part + closing
        rng = rng or draws.random_for("misc", key)
        if core.islower():
            for item in _things(core, mention.before, rng):
                yield opening + in_place_of(item, mention) + closing
        for item in _by_shape(core, rng):
            if article_before(mention.before) and item.startswith(("a ", "an ")):
                item = item.partition(" ")[2]
            cased = item if item[:1].isupper() else in_place_of(item, mention)
            yield opening + match_case(cased, core) + closing

    found = draws.pick(candidates(), key, mention.before, 80)
    return found or draws.invent("misc", key, mention.before, text)


def _things(text: str, before: str, rng: random.Random) -> Iterator[str]:
    """Neutral nouns for a thing that has no name ("mineral water", "inhalers"), in the
    form that the sentence asks for.

    text (str): The mention, in small letters.
    before (str): Text before it.
    YIELDS: None for longer phrases, and for those that have an article of their own.
    """
    words = text.split()
    if not 0 < len(words) <= 3 or _BEGINS_WITH_ARTICLE.match(text):
        return
    if not all(word.replace("-", "").isalpha() for word in words):
        return
    found = _DETERMINED.search(before)
    determined = found is not None and found["adjective"] not in _NO_ADJECTIVES
    last = words[-1]
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        yield from shuffled(_SEVERAL_THINGS, rng)
    elif determined:
        yield from shuffled(_THINGS, rng)
    else:
        yield from shuffled(_STUFF, rng)


def _by_shape(text: str, rng: random.Random) -> Iterator[str]:
    """Works, events and laws for names; neutral phrases for anything else."""
    if text.endswith(("War", "Wars", "\n")) and re.search(r"\bWars?$", text):
        for item in shuffled(_WARS, rng):
            yield item
    capitals = [w for w in text.split() if w[:1].isupper()]
    named = bool(capitals) and (len(capitals) * 2 >= len(text.split()))
    if named and _LAW_WORDS.search(text):
        yield from shuffled(_LAWS, rng)
    if named and _EVENT_WORDS.search(text):
        year = re.search(r"\b(?:19|20)\d\d\b", text)
        for item in shuffled(_EVENTS, rng):
            yield f"{int(year.group()) - rng.randint(1, 6)} {item}" if year else item
    if named:
        yield from shuffled(_SHORT if len(text.split()) == 1 else _TITLES, rng)
        yield from shuffled(_TITLES, rng)
    yield from shuffled(_PHRASES, rng)


def _case_name(match: re.Match[str], terms: _Terms, attempt: int) -> str:
    """ "Stec and Others v. the United Kingdom": other parties to a case."""
    from .persons import surnames

    left, versus, right, rest = match.groups()

    def party(text: str) -> str:
        the = "the " if text.startswith("the ") else ""
        name = text[len(the) :]
        if fold(name) in index().by_name:
            new = terms.geography.name_for(name, terms.main)
            return the + new if new in WITH_ARTICLE or not the else new

        def replace(word: re.Match[str]) -> str:
            old = word.group()
            if not old[0].isupper() or old in ("Others", "Another", "Ors", "Ltd", "Co"):
                return old
            known = terms.draws.name_map.get(fold(old))
            if known:
                return known.capitalize()
            rng = terms.draws.random_for("party", f"{fold(old)}{attempt or ''}")
            return match_case(next(shuffled(surnames(), rng)), old)

        return _WORD.sub(replace, text)

    return party(left) + versus + party(right) + rest


def rows_of(term: str) -> Iterator[tuple[str, int, bool]]:
    """Where a term or the last word of one stands: subtype, number of the row in it,
    and whether the term is a plural.

    term (str): "ballet dancers".
    YIELDS (tuple): The best first.
    """
    for text in (term, term.rpartition(" ")[2]):
        found = _row_of(text)
        if found is not None:
            for subtype, rows in _rows()[0].items():
                for i, row in enumerate(rows):
                    if row == found[0]:
                        yield subtype, i, found[1]
                        break


def spoken_language(mention: Mention) -> bool:
    """Whether a mention is a language and not a nationality, by what stands before."""
    return fold(mention.text) in index().by_language and (
        _SPOKEN.search(mention.before) is not None or demonym(mention.text) is None
    )
