"""New names for persons: one person, one name, each mention in its own form."""

from __future__ import annotations

import operator
import random
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import NamedTuple

from ..gazetteers.frequencies import everyday_words
from ..text import names
from ..text.names import FEMALE, MALE, NameToken
from .base import (
    Draws,
    Mention,
    invent_word,
    is_acronym,
    listed,
    match_case,
    normalise,
    shuffled,
    starts_with_vowel_sound,
)
from .coined import LEAST_NAMES, SHARE, coined_names
from .sweep.name_words import written_out

# The words of a document's names are asked for again and again.
_fold = lru_cache(maxsize=256)(names.fold)

MALE_BIT, FEMALE_BIT = 1, 2

# Language of the names -> Faker locales whose lists are joined. A language is only
# guessed from names that stand in its lists or carry its letters or endings.
_LATIN: dict[str, tuple[str, ...]] = {
    "en": ("en_GB", "en_US"),
    "tr": ("tr_TR",),
    "de": ("de_DE", "de_AT"),
    "fr": ("fr_FR", "fr_BE"),
    "es": ("es_ES", "es_MX"),
    "it": ("it_IT",),
    "pt": ("pt_PT", "pt_BR"),
    "nl": ("nl_NL",),
    "sv": ("sv_SE",),
    "no": ("no_NO",),
    "da": ("da_DK",),
    "fi": ("fi_FI",),
    "pl": ("pl_PL",),
    "cs": ("cs_CZ",),
    "sk": ("sk_SK",),
    "hu": ("hu_HU",),
    "ro": ("ro_RO",),
    "hr": ("hr_HR",),
    "sl": ("sl_SI",),
    "lv": ("lv_LV",),
    "et": ("et_EE",),
    "in": ("en_IN",),
    "ar": ("fr_DZ",),
    "vi": ("vi_VN",),
    "ru": ("ru_RU",),
    "uk": ("uk_UA",),
    "bg": ("bg_BG",),
    "el": ("el_GR",),
    # Written in Latin letters in lists of this file alone.
    "zh": ("zh_CN",),
    "ko": ("ko_KR",),
    "ja": ("ja_JP",),
    "is": ("is_IS",),
}
_SCRIPTS: tuple[tuple[int, int, str], ...] = (
    (0x0370, 0x03FF, "el_GR"),
    (0x1F00, 0x1FFF, "el_GR"),
    (0x0400, 0x052F, "ru_RU"),
    (0x0530, 0x058F, "hy_AM"),
    (0x0590, 0x05FF, "he_IL"),
    (0x0600, 0x06FF, "ar_AA"),
    (0x0900, 0x097F, "hi_IN"),
    (0x0980, 0x09FF, "bn_BD"),
    (0x0A80, 0x0AFF, "gu_IN"),
    (0x0B80, 0x0BFF, "ta_IN"),
    (0x0E00, 0x0E7F, "th_TH"),
    (0x10A0, 0x10FF, "ka_GE"),
    (0x3040, 0x30FF, "ja_JP"),
    (0x4E00, 0x9FFF, "zh_CN"),
    (0xAC00, 0xD7AF, "ko_KR"),
)
_CJK = ("ja_JP", "zh_CN", "ko_KR")

_ROMAN = str.maketrans(
    dict(
        zip(
            "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
            listed(
                "a,b,v,g,d,e,e,zh,z,i,y,k,l,m,n,o,p,r,s,t,u,f,kh,ts,ch,sh,shch,"
                "',y,',e,yu,ya,i,yi,ye,g"
            ),
        )
    )
    | dict(
        zip(
            "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
            listed(
                "a, v, g, d, e, z, i, th, i, k, l, m, n, x, o, p, r, s, t, y, f, ch, "
                "ps, o, s, a, e, i, i, o, y, o, i, y, i, y"
            ),
        )
    )
)
_GREEK_PAIRS = (("ου", "ou"), ("ού", "ou"), ("αυ", "av"), ("ευ", "ef"), ("μπ", "b"))

_LETTER_HINTS = {
    **dict.fromkeys("ığşİ", ("tr",)),
    **dict.fromkeys("äß", ("de", "sv", "fi")),
    **dict.fromkeys("ü", ("de", "tr")),
    **dict.fromkeys("ö", ("de", "sv", "tr", "hu")),
    **dict.fromkeys("åÅ", ("sv", "no", "da")),
    **dict.fromkeys("çÇ", ("tr", "fr", "pt")),
    **dict.fromkeys("øæØ", ("no", "da")),
    **dict.fromkeys("łąęśźżńŁŚŻ", ("pl",)),
    **dict.fromkeys("ěřůŘ", ("cs",)),
    **dict.fromkeys("őű", ("hu",)),
    **dict.fromkeys("ñ", ("es",)),
    **dict.fromkeys("ãõ", ("pt",)),
    **dict.fromkeys("țșăȘȚ", ("ro",)),
    **dict.fromkeys("đćĐ", ("hr",)),
    **dict.fromkeys("āēīūģķļņ", ("lv",)),
    **dict.fromkeys("èêëçœ", ("fr",)),
    **dict.fromkeys("ươạảấầẩẫậắằẳặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", ("vi",)),
}
_ENDING_HINTS: tuple[tuple[str, str], ...] = (
    ("dóttir", "is"),
    ("dottir", "is"),
    ("oğlu", "tr"),
    ("oglu", "tr"),
    ("opoulos", "el"),
    ("opoulou", "el"),
    ("idis", "el"),
    ("akis", "el"),
    ("enko", "uk"),
    ("chuk", "uk"),
    ("ovich", "ru"),
    ("evich", "ru"),
    ("ovna", "ru"),
    ("evna", "ru"),
    ("skiy", "ru"),
    ("skaya", "ru"),
    ("yov", "ru"),
    ("ov", "ru"),
    ("ev", "ru"),
    ("ova", "ru"),
    ("eva", "ru"),
    ("lski", "pl"),
    ("lska", "pl"),
    ("ński", "pl"),
    ("ńska", "pl"),
    ("owski", "pl"),
    ("owska", "pl"),
    ("ewski", "pl"),
    ("ewska", "pl"),
    ("czyk", "pl"),
    ("wicz", "pl"),
    ("ová", "cs"),
    ("escu", "ro"),
    ("ović", "hr"),
    ("ević", "hr"),
    ("ssen", "no"),
    ("ström", "sv"),
    ("qvist", "sv"),
    ("nen", "fi"),
)
_HINTING_ENDINGS = tuple(ending for ending, _ in _ENDING_HINTS)
# Surnames that change with the bearer's gender; longest ending first.
_FEMININE: dict[str, tuple[tuple[str, str], ...]] = {
    "ru_RU": (
        ("ский", "ская"),
        ("ой", "ая"),
        ("ый", "ая"),
        ("ов", "ова"),
        ("ев", "ева"),
        ("ин", "ина"),
    ),
    "ru": (
        ("skiy", "skaya"),
        ("sky", "skaya"),
        ("oy", "aya"),
        ("ov", "ova"),
        ("ev", "eva"),
        ("yn", "yna"),
        ("in", "ina"),
    ),
    "bg": (("ski", "ska"), ("ov", "ova"), ("ev", "eva"), ("in", "ina")),
    "pl": (("ski", "ska"), ("cki", "cka"), ("dzki", "dzka")),
    "cs": (("ý", "á"), ("ek", "ková"), ("a", "ová"), ("o", "ová"), ("", "ová")),
    "sk": (("ý", "á"), ("ek", "ková"), ("a", "ová"), ("o", "ová"), ("", "ová")),
    "el": (("opoulos", "opoulou"), ("idis", "idou"), ("akis", "aki")),
    "is": (("son", "dóttir"),),
}

# Where Faker's lists have rare names or few: common ones to draw from.
_COMMON: dict[str, tuple[str, str, str]] = {
    "ar": (
        "Abdallah,Abdul,Abdullah,Abdulrahman,Adel,Adnan,Ahmad,Ahmed,Akram,Amin,Amir,Anwar,"
        "Ashraf,Ayman,Aziz,Bashir,Bilal,Faisal,Farid,Farouk,Fouad,Habib,Hamid,Hamza,Hasan,"
        "Hassan,Hussein,Ibrahim,Imran,Ismail,Jamal,Kamal,Karim,Khaled,Khalid,Mahmoud,Majid,"
        "Mansour,Marwan,Mohamed,Mohammad,Mohammed,Muhammad,Mustafa,Nabil,Naeem,Nasser,Omar,"
        "Osama,Qasim,Rafiq,Rahman,Rashid,Saeed,Said,Salah,Salim,Samir,Sharif,Tariq,Usman,"
        "Waleed,Walid,Yasin,Yasser,Youssef,Yousuf,Zahid,Ziad,Zubair",
        "Afaf,Aisha,Amal,Amina,Amira,Asma,Ayesha,Aziza,Bushra,Dalal,Farah,Farida,Fatima,"
        "Fatma,Habiba,Hafsa,Hala,Hanan,Hind,Huda,Iman,Jamila,Karima,Khadija,Latifa,Layla,"
        "Lubna,Maha,Malika,Manal,Maryam,Mariam,Najla,Nabila,Nadia,Naima,Nawal,Noor,Rabia,"
        "Rania,Rasha,Reem,Ruqayya,Saadia,Safiya,Salma,Samira,Sana,Shazia,Soraya,Sumaya,"
        "Tahira,Yasmin,Zahra,Zainab,Zaynab,Zeinab,Zubaida",
        "Abbas,Abbasi,Abdalla,Abdi,Abdullah,Ahmad,Ahmadi,Ahmed,Akhtar,Alam,Alavi,Ansari,"
        "Ashour,Awad,Aziz,Baghdadi,Bakr,Bashir,Butt,Chaudhry,Darwish,Fadel,Farooq,Fayed,"
        "Ghanem,Habib,Haddad,Hakim,Hamdan,Hamid,Haq,Hariri,Hasan,Hashemi,Hassan,Hussain,"
        "Hussein,Ibrahim,Iqbal,Ismail,Jabbar,Jaffer,Javed,Kabir,Karim,Kassem,Khalid,Khalil,"
        "Khan,Khatib,Mahmood,Mahmoud,Malik,Mansour,Masri,Mehmood,Mirza,Mohamed,Mubarak,Mustafa,"
        "Najjar,Nasser,Omar,Qadir,Qasim,Qureshi,Rahman,Rashid,Rehman,Saeed,Saleh,Salim,"
        "Sayed,Shah,Shaikh,Sharif,Sheikh,Siddiqui,Sultan,Suleiman,Tahir,Younis,Yousef,Zaman",
    ),
    "zh": (
        "Bin,Bo,Chao,Cheng,Feng,Gang,Guang,Guoqiang,Hai,Haoran,Haoyu,Jian,Jianguo,Jianhua,"
        "Jun,Junjie,Kun,Lei,Long,Ming,Peng,Qiang,Rui,Shaohua,Shun,Tao,Wei,Weiming,Wen,"
        "Xiaodong,Xiaoming,Yang,Yichen,Yong,Yuxuan,Zhigang,Zhihao,Zhiqiang,Zhiwei",
        "Ailing,Fang,Fen,Guiying,Hong,Hongmei,Hui,Jia,Jiayi,Jing,Juan,Jun,Lan,Lihua,Lijuan,"
        "Lili,Meiling,Mei,Meihua,Ming,Na,Ping,Qing,Shufen,Ting,Wei,Wen,Xia,Xiaoyan,Xiulan,"
        "Xiuying,Xue,Yan,Yi,Ying,Yuan,Yue,Yun,Yuhan,Zhen,Ziyi",
        "Bai,Cai,Cao,Chan,Chang,Chen,Cheung,Kwok,Leung,Ng,Tsang,Wong,Yip,Cheng,Deng,Ding,Dong,Du,Fan,Feng,Fu,Gao,Gong,Gu,Guo,He,Hou,"
        "Hu,Huang,Jia,Jiang,Jin,Kong,Lai,Lei,Liang,Liao,Lin,Liu,Lu,Luo,Lü,Ma,Mao,Meng,Pan,"
        "Peng,Qian,Qin,Qiu,Shao,Shen,Shi,Su,Sun,Tan,Tang,Tian,Wan,Wang,Wu,Xia,Xiang,Xiao,"
        "Xie,Xiong,Xu,Xue,Yan,Yang,Yao,Ye,Yin,Yu,Yuan,Zeng,Zhang,Zhao,Zheng,Zhong,Zhou,Zhu,"
        "Zou",
    ),
    "ko": (
        "Chang-min,Chul-soo,Dae-jung,Do-hyun,Dong-hyun,Eun-ho,Geon-woo,Hyun-woo,In-ho,Jae-won,"
        "Jae-hyun,Ji-ho,Ji-hoon,Jin-woo,Joon-ho,Jun-seo,Kyung-ho,Min-ho,Min-jae,Min-jun,"
        "Sang-hoon,Sang-woo,Seo-jun,Seong-min,Seung-ho,Si-woo,Sung-ho,Sung-jin,Tae-hyun,"
        "Woo-jin,Ye-jun,Yong-ho,Young-ho,Young-soo",
        "Bo-ra,Chae-won,Da-eun,Eun-ji,Eun-jung,Eun-young,Ha-eun,Ha-neul,Hye-jin,Hyun-jung,"
        "Hye-won,Ji-eun,Ji-hye,Ji-min,Ji-woo,Ji-young,Jung-hee,Kyung-hee,Mi-kyung,Mi-sook,"
        "Min-ji,Min-seo,Na-yeon,Seo-hyun,Seo-yeon,So-young,Soo-jin,Soo-yeon,Su-bin,Sun-hee,"
        "Ye-jin,Ye-rin,Yoo-jin,Young-hee,Yu-na",
        "Ahn,Bae,Baek,Bang,Byun,Cha,Chae,Cho,Choi,Chun,Chung,Do,Eom,Ha,Han,Heo,Hong,Hwang,"
        "Im,Jang,Jeon,Jeong,Jin,Ji,Jo,Joo,Jung,Kang,Kim,Koo,Kwak,Kwon,Lee,Lim,Ma,Min,Moon,"
        "Nam,No,Noh,Oh,Pak,Park,Ryu,Seo,Shim,Shin,Sohn,Son,Song,Suh,Sung,Um,Woo,Yang,Yeo,"
        "Yoo,Yoon,Yu",
    ),
    "ja": (
        "Akira,Atsushi,Daichi,Daiki,Daisuke,Hideki,Hiroki,Hiroshi,Hiroto,Ichiro,Isamu,Jiro,"
        "Jun,Katsumi,Kazuki,Kazuo,Kazuya,Keita,Kenichi,Kenji,Kenta,Koichi,Koji,Makoto,Manabu,"
        "Masahiro,Masaki,Masao,Masato,Minoru,Naoki,Noboru,Osamu,Ryo,Ryota,Satoshi,Shigeru,"
        "Shinji,Shota,Susumu,Tadashi,Takahiro,Takashi,Takeshi,Takuya,Taro,Tetsuya,Tomoya,"
        "Toshio,Tsubasa,Yasuhiro,Yoichi,Yosuke,Yuki,Yuta",
        "Aiko,Akane,Akemi,Akiko,Asami,Asuka,Atsuko,Ayaka,Ayumi,Chiyo,Chika,Emiko,Etsuko,Fumiko,"
        "Hanako,Haruka,Hiroko,Hitomi,Kana,Kaori,Kazuko,Keiko,Kumiko,Kyoko,Machiko,Mai,Manami,"
        "Mariko,Mayumi,Megumi,Michiko,Midori,Miho,Miki,Minako,Misaki,Miyuki,Momoko,Nanami,Naoko,"
        "Noriko,Reiko,Rika,Ryoko,Sachiko,Sakura,Satomi,Sayuri,Setsuko,Shizuka,Sumiko,Tomoko,"
        "Yoko,Yoshiko,Yui,Yuki,Yukiko,Yumi,Yumiko",
        "Abe,Aoki,Arai,Ando,Endo,Fujii,Fujita,Fujiwara,Fukuda,Goto,Hara,Harada,Hasegawa,"
        "Hashimoto,Hayashi,Hirano,Ikeda,Imai,Inoue,Ishida,Ishii,Ishikawa,Ito,Iwasaki,Kaneko,"
        "Kato,Kawaguchi,Kikuchi,Kimura,Kobayashi,Kojima,Kondo,Kudo,Maeda,Maruyama,Matsuda,"
        "Matsui,Matsumoto,Miura,Miyazaki,Mori,Morita,Murakami,Murata,Nakagawa,Nakajima,Nakamura,"
        "Nakano,Nakayama,Nishimura,Noguchi,Nomura,Ogawa,Okada,Okamoto,Ono,Ota,Otsuka,Saito,"
        "Sakai,Sakamoto,Sano,Sasaki,Sato,Shibata,Shimada,Shimizu,Sugawara,Sugiyama,Suzuki,"
        "Takagi,Takahashi,Takeda,Takeuchi,Tamura,Tanaka,Taniguchi,Uchida,Ueda,Ueno,Wada,"
        "Watanabe,Yamada,Yamaguchi,Yamamoto,Yamashita,Yamazaki,Yokoyama,Yoshida",
    ),
    "is": (
        "Árni,Ari,Arnar,Arnór,Ásgeir,Atli,Baldur,Birgir,Bjarki,Bjarni,Björgvin,Björn,Bragi,"
        "Einar,Eiríkur,Finnur,Friðrik,Geir,Gísli,Grétar,Guðjón,Guðmundur,Gunnar,Gylfi,Hafþór,"
        "Halldór,Haukur,Helgi,Hilmar,Hjalti,Hlynur,Hörður,Ingi,Ívar,Jóhann,Jón,Kjartan,Kristján,"
        "Magnús,Ólafur,Óskar,Páll,Pétur,Ragnar,Sigurður,Skúli,Snorri,Stefán,Steinar,Sveinn,"
        "Þór,Þórður,Vilhjálmur",
        "Anna,Arna,Ásdís,Ásta,Auður,Berglind,Birna,Björg,Björk,Bryndís,Dagný,Edda,Elín,Elísabet,"
        "Erla,Eva,Fanney,Freyja,Guðbjörg,Guðný,Guðrún,Gunnhildur,Halla,Harpa,Heiða,Helga,Hildur,"
        "Hrafnhildur,Hulda,Inga,Ingibjörg,Íris,Jóhanna,Katrín,Kolbrún,Kristín,Lilja,Margrét,"
        "Ólöf,Ragnheiður,Rakel,Rannveig,Salóme,Sigríður,Sigrún,Sólveig,Steinunn,Svava,Unnur,"
        "Valgerður,Þóra,Þórdís",
        "Andrésson,Árnason,Arnarsson,Ásgeirsson,Baldursson,Bjarnason,Björnsson,Einarsson,"
        "Eiríksson,Finnsson,Friðriksson,Gíslason,Guðjónsson,Guðmundsson,Gunnarsson,Halldórsson,"
        "Haraldsson,Hauksson,Helgason,Hilmarsson,Jóhannesson,Jóhannsson,Jónsson,Karlsson,"
        "Kristjánsson,Magnússon,Ólafsson,Óskarsson,Pálsson,Pétursson,Ragnarsson,Sigurðsson,"
        "Stefánsson,Steinarsson,Sveinsson,Vilhjálmsson,Þórðarson,Þórsson",
    ),
    "tr": (
        "Ahmet,Ali,Barış,Burak,Bülent,Cem,Cengiz,Cihan,Deniz,Emre,Engin,Erkan,Erol,Ersin,"
        "Fatih,Ferhat,Gökhan,Hakan,Haluk,Hüseyin,İlker,Kemal,Kerem,Levent,Mehmet,Metin,"
        "Murat,Mustafa,Necati,Oğuz,Onur,Orhan,Ömer,Ozan,Ramazan,Selim,Serkan,Sinan,"
        "Süleyman,Tamer,Tolga,Tuncay,Uğur,Umut,Volkan,Yavuz,Yusuf,Zafer",
        "Aslı,Ayla,Aylin,Ayşe,Banu,Başak,Belgin,Buket,Burcu,Canan,Ceren,Derya,Didem,Ebru,"
        "Elif,Emine,Esra,Fatma,Feride,Figen,Gizem,Gülay,Gülşen,Hatice,Hülya,Jale,Kader,"
        "Leyla,Meltem,Meral,Merve,Nalan,Neslihan,Nilgün,Nuray,Özge,Özlem,Pınar,Reyhan,"
        "Seda,Selin,Semra,Sevgi,Sibel,Şebnem,Tuğba,Tülay,Yasemin,Yeliz,Zeynep",
        "Acar,Akbulut,Aksoy,Aktaş,Akyol,Alkan,Altun,Arslan,Ateş,Aydın,Aydoğan,Balcı,Başaran,"
        "Bayram,Bilgin,Bozkurt,Bulut,Can,Candan,Ceylan,Çakır,Çelik,Çetin,Çiftçi,Coşkun,"
        "Demirel,Demirtaş,Doğan,Duman,Durmaz,Ekinci,Erdem,Ergin,Ersoy,Gündoğdu,Güneş,"
        "Gürbüz,Güven,Işık,Kaplan,Karaca,Karakaya,Kaya,Keskin,Kılıç,Koç,Korkmaz,Köse,"
        "Kurtuluş,Oktay,Öz,Özcan,Özdemir,Özkan,Öztürk,Polat,Sarı,Savaş,Sezer,Soylu,Şahin,"
        "Şen,Şimşek,Tekin,Toprak,Tunç,Türkmen,Uçar,Uysal,Uzun,Ünal,Vural,Yalçın,Yaşar,"
        "Yavuz,Yıldız,Yılmaz,Yiğit,Yücel,Zengin",
    ),
    "de": (
        "Achim,Alexander,Andreas,Armin,Arne,Axel,Benedikt,Benjamin,Bernd,Bernhard,Björn,Carsten,"
        "Christoph,Daniel,Detlef,Dieter,Dirk,Eberhard,Erich,Fabian,Felix,Florian,Frank,"
        "Friedrich,Georg,Gerhard,Günter,Hannes,Harald,Hartmut,Heiko,Heinrich,Helmut,Henning,"
        "Herbert,Holger,Ingo,Jakob,Jens,Joachim,Jochen,Johannes,Jonas,Jörg,Julian,"
        "Jürgen,Karsten,Klaus,Konrad,Kurt,Lars,Leon,Lothar,Lukas,Manfred,Marcel,Markus,Martin,"
        "Matthias,Michael,Moritz,Niklas,Norbert,Olaf,Oliver,Oskar,Patrick,Paul,Peter,Philipp,"
        "Rainer,Ralf,Reinhard,René,Robert,Roland,Rolf,Rüdiger,Sebastian,Siegfried,Simon,"
        "Stefan,Steffen,Sven,Theo,Thomas,Thorsten,Tilo,Tobias,Torben,Uwe,Volker,Walter,Werner,"
        "Wilhelm,Winfried,Wolfgang",
        "Andrea,Angela,Angelika,Anja,Anke,Anna,Anne,Annette,Antje,Astrid,Barbara,Beate,Bettina,"
        "Birgit,Brigitte,Britta,Carina,Carola,Christa,Christiane,Christina,Claudia,Cornelia,"
        "Dagmar,Daniela,Doris,Dorothea,Elfriede,Elisabeth,Elke,Erika,Esther,Eva,Franziska,"
        "Friederike,Gabriele,Gerda,Gertrud,Gisela,Gudrun,Hanna,Heike,Helga,Hildegard,Ilse,Imke,"
        "Ines,Inge,Ingrid,Irene,Iris,Jana,Johanna,Judith,Julia,Jutta,Karin,Katharina,Katja,"
        "Katrin,Kerstin,Klara,Kristin,Laura,Lena,Lisa,Lotte,Maike,Manuela,Maren,Margarete,"
        "Margit,Maria,Marianne,Marion,Marlene,Martina,Melanie,Michaela,Miriam,Monika,Nadine,"
        "Nele,Nicole,Nina,Pauline,Petra,Regina,Renate,Rosemarie,Ruth,Sabine,Sabrina,Sandra,"
        "Sibylle,Sigrid,Silke,Silvia,Simone,Sonja,Sophie,Stefanie,Susanne,Svenja,Tanja,Theresa,"
        "Ulrike,Ursula,Ute,Verena,Vera,Waltraud,Wiebke,Yvonne",
        "Meier,Meyer,Müller,Schmidt,Schmitz,Schmid,Schulze,Böttcher,Mayr,Bayer,Ackermann,Albrecht,Arnold,Bachmann,Bauer,Baumann,Beck,Becker,Behrens,Berger,Bergmann,"
        "Böhm,Brandt,Braun,Busch,Brinkmann,Diehl,Dietrich,Ebert,Eckert,Engel,Ernst,Fiedler,"
        "Fischer,Förster,Franke,Frey,Friedrich,Fröhlich,Fuhrmann,Gebhardt,Geiger,Graf,"
        "Grimm,Groß,Günther,Haas,Hagen,Hahn,Hartmann,Heinrich,Heller,Herrmann,Hesse,Hoffmann,"
        "Hofmann,Holzmann,Horn,Huber,Jansen,Jäger,Jung,Kaiser,Kaufmann,Keller,Kessler,Kirchner,"
        "Klein,Koch,Köhler,König,Kramer,Kraus,Krause,Krüger,Kruse,Kühn,Kuhn,Kunz,Lang,Lange,"
        "Lehmann,Lindner,Lorenz,Ludwig,Maier,Maurer,Mayer,Meißner,Möller,Mohr,Nagel,Neumann,"
        "Nowak,Ott,Otto,Peters,Petersen,Pfeiffer,Pohl,Raab,Rausch,Reuter,Richter,Riedel,Ritter,"
        "Rother,Roth,Sander,Sauer,Schäfer,Scherer,Schilling,Schlüter,Schmitt,Schneider,Scholz,"
        "Schreiber,Schröder,Schubert,Schulte,Schulz,Schumacher,Schuster,Schwarz,Seidel,Seifert,"
        "Simon,Sommer,Stahl,Stark,Stein,Steiner,Stephan,Thiel,Thomas,Ullrich,Unger,Vogel,Vogt,"
        "Voigt,Wagner,Walter,Walther,Weber,Weigel,Weiß,Wendt,Werner,Wiese,Wilke,Winkler,Winter,"
        "Witt,Wolf,Wolff,Zander,Ziegler,Zimmer,Zimmermann",
    ),
    "es": (
        "Adrián,Agustín,Alberto,Alejandro,Alfonso,Alfredo,Álvaro,Andrés,Ángel,Antonio,Arturo,"
        "Benito,Bernardo,Carlos,César,Claudio,Cristóbal,Daniel,David,Diego,Domingo,Eduardo,"
        "Emilio,Enrique,Ernesto,Esteban,Eugenio,Federico,Felipe,Félix,Fermín,Fernando,"
        "Francisco,Gabriel,Gerardo,Germán,Gonzalo,Gregorio,Guillermo,Gustavo,Héctor,Hugo,"
        "Ignacio,Ismael,Iván,Jacinto,Jaime,Javier,Jesús,Joaquín,Jorge,José,Juan,Julián,Julio,"
        "Leonardo,Leandro,Lorenzo,Lucas,Luis,Manuel,Marcelo,Marcos,Mariano,Mario,Martín,Mateo,"
        "Mauricio,Máximo,Miguel,Nicolás,Óscar,Pablo,Pascual,Patricio,Pedro,Rafael,Raimundo,"
        "Ramiro,Ramón,Raúl,Ricardo,Roberto,Rodrigo,Román,Rubén,Salvador,Samuel,Santiago,"
        "Saúl,Sebastián,Sergio,Simón,Tomás,Vicente,Víctor",
        "Adela,Adriana,Alba,Alicia,Almudena,Amalia,Amparo,Ana,Andrea,Ángela,Aurora,Beatriz,"
        "Begoña,Belén,Berta,Blanca,Carla,Carlota,Carmen,Carolina,Catalina,Cecilia,Celia,"
        "Clara,Claudia,Concepción,Consuelo,Cristina,Daniela,Diana,Dolores,Elena,Elisa,Elvira,"
        "Emilia,Emma,Encarnación,Esperanza,Estefanía,Esther,Eugenia,Eulalia,Eva,Fátima,"
        "Francisca,Gema,Gloria,Inés,Inmaculada,Irene,Isabel,Jimena,Josefa,Juana,Julia,Laura,"
        "Leonor,Leticia,Lidia,Lorena,Lourdes,Lucía,Luisa,Luz,Manuela,Margarita,María,Marina,"
        "Marta,Matilde,Mercedes,Mireia,Miriam,Mónica,Montserrat,Natalia,Noelia,Nuria,Olga,"
        "Paloma,Patricia,Paula,Petra,Pilar,Raquel,Rebeca,Remedios,Rocío,Rosa,Rosalía,Rosario,"
        "Sandra,Sara,Silvia,Sofía,Soledad,Sonia,Susana,Teresa,Valeria,Verónica,Victoria,"
        "Virginia,Yolanda",
        "Abad,Acosta,Aguado,Aguilar,Alonso,Álvarez,Aparicio,Aranda,Arias,Arroyo,Ávila,"
        "Ballesteros,Barroso,Bautista,Benítez,Bermejo,Blanco,Blasco,Bravo,Bueno,Caballero,"
        "Cabrera,Calvo,Campos,Cano,Carmona,Carrasco,Carretero,Castaño,Castillo,Castro,Conde,"
        "Cordero,Correa,Cortés,Costa,Crespo,Cuesta,Delgado,Díaz,Díez,Domínguez,Durán,Escobar,"
        "Escudero,Espinosa,Esteban,Estévez,Fernández,Ferrer,Flores,Franco,Fuentes,Galán,"
        "Gallardo,Gallego,García,Garrido,Gil,Gómez,González,Guerrero,Guillén,"
        "Gutiérrez,Heredia,Hernández,Herrera,Hidalgo,Hurtado,Ibáñez,Iglesias,Izquierdo,"
        "Jiménez,Jurado,Lara,León,Lorenzo,Lozano,Luna,Macías,Márquez,Marín,Martín,Martínez,"
        "Medina,Méndez,Merino,Miranda,Molina,Montero,Montoya,Mora,Morales,Moreno,Moya,Muñoz,"
        "Navarro,Nieto,Núñez,Ocaña,Olmedo,Ortega,Ortiz,Otero,Pacheco,Padilla,Palacios,Pardo,"
        "Parra,Pascual,Pastor,Peña,Peralta,Pérez,Plaza,Ponce,Prieto,Quintana,Ramírez,Ramos,Redondo,"
        "Reyes,Ríos,Rivas,Robles,Rodríguez,Roldán,Román,Romero,Rosales,Rubio,Ruiz,Sáez,"
        "Salas,Salazar,Salinas,Sánchez,Santana,Santiago,Santos,Sanz,Serrano,Silva,Soler,Soriano,"
        "Soto,Suárez,Tapia,Toledo,Torres,Trujillo,Valdés,Valero,Valverde,Vargas,Vázquez,"
        "Vega,Velasco,Vera,Vicente,Vidal,Villalba,Villanueva,Zamora",
    ),
}
# Given names that are words or months too would read as something else.
_UNFIT = frozenset(
    listed(
        "april, may, june, august, july, sir, guy, jan, will, bill, mark, "
        "christian, dale, dean, frank, grant, lance, chance, destiny, faith, "
        "grace, hope, joy, case, royal, king, major, baron, young, day, "
        "law, church, price, read, short, long, small, white, black, green, "
        "grey, brown, gray, moore, power, bird, bush, field, lane, street, "
        "wood, winter, england, french, welsh, scott, ireland, london, paris, "
        "jordan, georgia, chelsea, sydney, savannah, austin, dallas, houston, "
        "brooklyn, kent, york, lincoln, carolina, dakota, virginia, israel, "
        "kenya, india, asia, china, page"
    )
)
_KEPT = frozenset(
    listed(
        "and, or, &, née, nee, born, alias, aka, a.k.a, dit, dite, formerly, "
        "also, known, as, called, the, of, family, brothers, sisters, son, "
        "daughter, wife, husband, widow, estate, v, vs, et, al, others, "
        "another, mr., mrs., y, e, father, mother, brother, sister, dad, mum, mom, aunt, "
        "uncle, cousin, grandma, grandpa, nurse, judge, abuela, abuelo, tía, tío, "
        "neighbour, neighbor, friend"
    )
)
# Words of names in other languages that name nobody.
_KEPT_ABROAD: dict[str, frozenset[str]] = {
    "de": frozenset(
        listed(
            "und, die, der, den, dem, des, familie, geb, geborene, geborener, genannt, verw, verh, witwe, kollegin, kollege, bruder, schwester, oma, "
            "opa, tante, onkel, mutter, vater, eheleute, sen, jun, med, phil, jur, rer, nat, "
            "habil, mult, hc, dipl, ing, mag"
        )
    ),
    "es": frozenset(
        listed(
            "y, e, don, doña, d, dª, dña, sr, sra, srta, sres, dr, dra, señor, señora, señorita, hermana, "
            "hermano, madre, padre, hijo, hija, viuda, tío, tía, abuelo, abuela, niño, niña, "
            "familia, doctor, doctora, prof, lic, ing, fray, sor, hnos, hermanos, dn"
        )
    ),
}
# Written without their apostrophe in Faker's list.
_IRISH = re.compile(r"O(?:neal|neill|connor|connell|brien|donnell|keefe)$")
_COURTESY = frozenset(
    ["st", "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "mme", "herr", "frau"]
)
_HE = re.compile(r"\b(?:he|his|him|himself)\b", re.I)
_SHE = re.compile(r"\b(?:she|hers?|herself)\b", re.I)
# Names that tell no gender, whatever the lists have them for.
_UNISEX = frozenset(
    listed(
        "alex, ali, andrea, ariel, ash, ashley, bailey, billie, bobbie, cameron, camille, "
        "casey, charlie, chris, claude, corey, dana, dominique, drew, elliot, finley, "
        "frances, francis, frankie, harley, hayden, jackie, jaime, jamie, jan, jean, jess, "
        "jessie, jo, jody, jordan, jules, kai, kelly, kelsey, kerry, kim, kit, lee, leigh, "
        "leslie, lindsay, logan, lou, mackenzie, marion, mel, michele, morgan, nat, nicky, "
        "nicola, nikita, noel, pat, quinn, reese, ricky, riley, robbie, robin, ronnie, "
        "rowan, sacha, sam, sandy, sasha, shannon, shelby, sidney, simone, skyler, stevie, "
        "sydney, taylor, terry, tracy, val, yuki"
    )
)
_WOMEN = (
    "wife|mother|mum|mom|mummy|mama|daughter|sister|aunt|auntie|niece|widow|girlfriend"
    "|granddaughter|grandmother|grandma|granny|nana|fiancée|fiancee|stepmother"
    "|stepdaughter|stepsister|bride|(?:mother|sister|daughter)-in-law|abuela|tía|girl"
    "|woman|lady|actress|businesswoman|chairwoman|queen|princess|waitress|nun"
)
_MEN = (
    "husband|father|dad|daddy|papa|son|brother|uncle|nephew|widower|boyfriend|grandson"
    "|grandfather|grandpa|grandad|fiancé|stepfather|stepson|stepbrother|bridegroom"
    "|(?:father|brother|son)-in-law|abuelo|boy|man|king|prince|businessman|chairman"
    "|salesman|waiter|monk"
)
_KIN = re.compile(
    rf"\b(?:({_WOMEN})|({_MEN}))(?:\s+(?:called|named))?([\s,(“\"]*)$", re.I
)
# "Jo Stone, her husband": what stands after the name.
_KIN_AFTER = re.compile(
    r"\s*[,(]\s*(?:(?:his|her|my|your|our|their|the|an?)\s+|[^\W\d_]+['’]s\s+)?"
    rf"(?:[a-z-]+\s+)?(?:({_WOMEN})|({_MEN}))\b"
    r"|\s+(?:is|was)\s+(?:(?:his|her|my|your|our|their|the|an?)\s+)"
    rf"(?:[a-z-]+\s+)?(?:({_WOMEN})|({_MEN}))\b"
)
_TITLES_BEFORE = re.compile(r"((?:[^\W\d_]+\.?\s+(?:(?:and|&)\s+)?){1,3})$")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")
# Before the name that a person is called by, whoever it is.
_RELATION = (
    r"(?:wife|mother|mum|mom|mummy|daughter|sister|aunt|auntie|niece|girlfriend"
    r"|granddaughter|grandmother|grandma|fiancée|husband|father|dad|daddy|son|brother"
    r"|uncle|nephew|boyfriend|grandson|grandfather|grandpa|fiancé|step(?:mother"
    r"|daughter|father|son|sister|brother)|(?:mother|father|sister|brother|daughter|son)"
    r"-in-law|cousin|abuel[ao]|tí[ao]|friend|twin|baby|child|kid|toddler|boys?|girls?"
    r"|nurse|neighbour|neighbor|colleague|partner)"
)
_CALLED = re.compile(rf"\b{_RELATION}(?:\s+(?:called|named))?,?\s+$", re.I)
_CALLED_ABROAD = {
    "de": re.compile(
        r"\b(?:(?:[Ee]he(?:mann|frau)|Sohn|Tochter|Bruder|Schwester|Zwillingsbruder"
        r"|Zwillingsschwester|Enkel(?:in|sohn|tochter)?|Neffe|Nichte|Onkel|Tante|Opa|Oma"
        r"|Cousine?|Schwager|Schwägerin|Freund(?:in)?|Partner(?:in)?|Lebensgefährt(?:e|in)"
        r"|Verlobte|Baby|Säugling|Ehemann|Ehefrau|(?:Stief|Groß|Schwieger)(?:vater|mutter"
        r"|sohn|tochter))(?:e?[ns]|es)?|(?:[MmDdSs]ein|[Ii]hr|[Uu]nser|[Ee]ur)\w*\s(?:Mann|Frau|Vater"
        r"|Mutter|Kind|Junge|Mädchen)(?:e?s)?)(?:\snamens)?,?\s+$"
    ),
    "es": re.compile(
        r"\b(?:marido|espos[oa]|mujer|hij[oa]|herman[oa]|padre|madre|abuel[oa]|tí[oa]|niet[oa]"
        r"|sobrin[oa]|prim[oa]|novi[oa]|pareja|amig[oa]|cuñad[oa]|yerno|nuera|suegr[oa]|bebé"
        r"|niñ[oa]|gemel[oa])(?:\s(?:mayor|menor|pequeñ[oa]))?(?:\sllamad[oa])?,?\s+$",
        re.I,
    ),
}
_ADDRESSED = re.compile(
    r"\b(?:called|named|nicknamed)\s+[“\"‘']?$"
    r"|\b(?:hi|hey|hello|thanks|cheers|dear|love from|thank you),?\s+$"
    r"|(?:regards|wishes|love|sincerely|truly|thanks|cheers),?\s*\n\s*$",
    re.I,
)
# Which word has to stand last before a name for one of these to match: it is looked at
# before a search through all that stands there.
_LAST_OF_RELATION = re.compile(rf"{_RELATION}|called|named", re.I)
_LAST_OF_KIN = re.compile(rf"{_WOMEN}|{_MEN}|called|named", re.I)
_LAST_OF_ADDRESS = re.compile(
    r"called|named|nicknamed|hi|hey|hello|thanks|cheers|dear|from|you", re.I
)
# Letters with the vowel signs and marks that some scripts write after them.
_LETTER = (
    r"(?:[^\W\d_]|[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f"
    r"\u0900-\u0963\u0970-\u09e3\u0a00-\u0a63\u0a80-\u0ae3\u0b00-\u0b63\u0b80-\u0be3"
    r"\u0d81-\u0ddf\u0eb1-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"
    r"\u0c00-\u0c63\u0c80-\u0ce3\u0d00-\u0d63\u0e31-\u0e4e\u200c\u200d])"
)
_WORD = re.compile(rf"\d+|{_LETTER}+(?:['’ʼ]{_LETTER}+)*")
_PLAIN = re.compile(rf"{_LETTER}+(?:['’ʼ]{_LETTER}+)*")
# Stuck to a title ("1986.Lt Gen"): numbers are no part of a name.
_YEARS = re.compile(r"\d{2,}")
_SOFT = "aeiouyаеёиоуыэюяйь"
_PATRONYMIC = re.compile(r"(?:..)([oe]vich|[oe]vna|[ое]вич|[ое]вна)$")


# Languages whose names are theirs wherever else they are listed, with the exceptions.
_FAR = ("ar", "zh", "ko", "ja")
_NEAR = frozenset(
    listed(
        "park, lee, kim, young, song, long, son, moon, han, oh, no, do, an, ma, he, min, jo, "
        "ha, him, du, fan, lu, su, tan, pan, ye, shah, chung, lin, jung, lang, lan, hong, "
        "nadia, yasmin, bo, gang, bin, juan, jin, kai, mai, yuki, mei, na, jia, xia, farah, "
        "noor, rose, miki, mori, sung, lim, abe, ari, kana, hind, hara, ota, amina, karim, "
        "omar, samir, ali, ming, kong, cha, ping, ting"
    )
)
# Surnames of Spanish that are in English lists, without their accents.
_HISPANIC = frozenset(
    listed(
        "acosta, aguilar, alvarez, avila, benitez, cabrera, campos, castillo, castro, cortez, "
        "delgado, diaz, dominguez, estrada, fernandez, flores, fuentes, garcia, gomez, gonzales, "
        "gonzalez, guerrero, gutierrez, guzman, hernandez, herrera, jimenez, juarez, lopez, "
        "maldonado, marquez, martinez, medina, mejia, mendez, mendoza, molina, morales, moreno, "
        "munoz, navarro, nunez, ortega, ortiz, padilla, pena, perez, ramirez, ramos, reyes, "
        "rios, rivera, rodriguez, rojas, romero, ruiz, salazar, salinas, sanchez, sandoval, "
        "santiago, serrano, soto, suarez, torres, valdez, vargas, vasquez, vazquez, vega, "
        "velasquez, velazquez, villarreal, zamora"
    )
)
# Languages whose names are often written without their marks in English texts.
_UNMARKED = frozenset(("es", "tr", "is", "zh", "vi", "pt"))
_IRISH_STEMS = listed(
    "Boyle,Brien,Byrne,Callaghan,Carroll,Casey,Connell,Connor,Dea,Doherty,Donnell,Donoghue,"
    "Donovan,Dowd,Driscoll,Dwyer,Farrell,Flaherty,Flynn,Gara,Grady,Halloran,Hanlon,Hara,"
    "Keefe,Kelly,Kane,Leary,Loughlin,Mahony,Malley,Meara,Neill,Regan,Reilly,Riordan,Rourke,"
    "Shaughnessy,Shea,Sullivan,Toole"
)
_SCOTTISH_STEMS = listed(
    "Allister,Alpine,Andrew,Arthur,Bride,Cabe,Cann,Carthy,Caskill,Clean,Cluskey,Connell,"
    "Cormack,Cormick,Court,Coy,Cready,Cullough,Dermott,Donald,Dougall,Dowell,Elroy,Fadden,"
    "Farlane,Gee,Gill,Gowan,Grath,Gregor,Guire,Hugh,Innes,Intyre,Kay,Kenna,Kenzie,Kinley,"
    "Lachlan,Laren,Laughlin,Lean,Leod,Mahon,Manus,Master,Millan,Nally,Namara,Neil,Phee,"
    "Pherson,Quade,Queen,Rae,Shane,Sweeney,Tavish,Vey,Whirter"
)


@cache
def _far_names() -> frozenset[str]:
    """Names that belong to one of the far languages and to no other."""
    far = {
        name.lower() for key in _FAR for part in _COMMON[key] for name in listed(part)
    }
    return frozenset(far - _NEAR)


class _Lists(NamedTuple):
    """Names of one language."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    family: tuple[str, ...]


def _provider(locale: str) -> type:
    import importlib

    return importlib.import_module(f"faker.providers.person.{locale}").Provider


def _names_of(provider: type, *attrs: str) -> tuple[str, ...]:
    """The first of a provider's lists that is one; single words only, with a capital
    where the script has them and the list has not ("petek")."""
    for attr in attrs:
        values = getattr(provider, attr, None)
        if values is None or isinstance(values, property) or len(values) < 5:
            continue
        return tuple(
            dict.fromkeys(
                v[:1].title() + v[1:] if v.islower() else v
                for v in map(str, values)
                if (len(v) > 1 or not v.isascii()) and _PLAIN.fullmatch(v)
            )
        )
    return ()


@cache
def _lists_of(locale: str) -> _Lists:
    provider = _provider(locale)
    return _Lists(
        _names_of(provider, "first_names_male", "first_names"),
        _names_of(provider, "first_names_female", "first_names"),
        _names_of(
            provider,
            "last_names_male",
            "unisex_last_names",
            "last_names",
            "first_names",
        ),
    )


def romanise(name: str) -> str:
    """A Cyrillic or Greek name in Latin letters.

    name (str): One name.
    RETURNS (str): With a capital; letters of other scripts stay.
    """
    name = unicodedata.normalize("NFC", name.lower())
    for pair, latin in _GREEK_PAIRS:
        name = name.replace(pair, latin)
    return name.translate(_ROMAN).replace("'", "").capitalize()


@cache
def _lists(language: str) -> _Lists:
    """Names of a language in Latin letters."""
    parts = [_lists_of(locale) for locale in _LATIN[language]]
    joined = []
    for names_of_kind in zip(*parts):
        values = [v for names_ in names_of_kind for v in names_]
        if language in ("ru", "uk", "bg", "el"):
            values = [r for v in values if (r := romanise(v)).isascii()]
        if language == "en":
            far = _far_names() | _HISPANIC
            values = [v for v in values if v.lower() not in far]
            values = [
                re.sub(r"^Mc[a-z]", lambda m: "Mc" + m.group()[-1].upper(), v)
                for v in values
                if v.lower() not in _UNFIT
                and v.isascii()
                and v.isalpha()
                and not _IRISH.match(v)
            ]
        joined.append(tuple(dict.fromkeys(v for v in values if len(v) > 2)))
    lists = _Lists(*joined)
    own = _COMMON.get(language)
    return _Lists(*map(listed, own)) if own else lists


@cache
def _surnames_of(language: str) -> frozenset[str]:
    """Surnames of a language, to look one up."""
    return frozenset(_lists(language).family)


@cache
def _clear(language: str, female: bool) -> tuple[str, ...]:
    """Given names of a language that only one gender has, if there are enough."""
    lists = _lists(language)
    gender, own = _index().gender, FEMALE_BIT if female else MALE_BIT
    pool = lists.female if female else lists.male
    clear = tuple(
        name
        for name in pool
        if gender[name.lower()] == own and name.lower() not in _UNISEX
    )
    return clear if len(clear) >= 40 else pool


@cache
def _folded(language: str) -> frozenset[str]:
    """All names of a language without their marks."""
    return frozenset(_fold(name) for part in _lists(language) for name in part)


class _Index(NamedTuple):
    """Which languages a name belongs to, and whose given name it is."""

    given: dict[str, int]
    family: dict[str, int]
    gender: dict[str, int]
    rare: set[str]


_LANGUAGES = tuple(_LATIN)
_BIT = {language: 1 << i for i, language in enumerate(_LANGUAGES)}


def _always(_: str) -> bool:
    return True


@lru_cache(maxsize=1)
def _index() -> _Index:
    given: dict[str, int] = {}
    family: dict[str, int] = {}
    gender: dict[str, int] = {}
    rare: set[str] = set()
    far = _far_names() | _HISPANIC
    family.update(dict.fromkeys(_HISPANIC, _BIT["es"]))
    for language, bit in _BIT.items():
        lists = _lists(language)
        own_far = language in _FAR
        # Faker's German given names are those of people in Germany, from anywhere.
        german = frozenset(lists.male + lists.female) if language == "de" else None
        own = _always if german is None else german.__contains__
        if language in _COMMON:
            for locale in _LATIN[language]:
                lists = _Lists(*map(operator.add, lists, _lists_of(locale)))
        for values, sex in ((lists.male, MALE_BIT), (lists.female, FEMALE_BIT)):
            for name in values:
                key = name.lower()
                gender[key] = gender.get(key, 0) | sex
                if own_far or key not in far:
                    given[key] = given.get(key, 0) | (bit if own(name) else 0)
                if language == "ko":
                    for form in (key.replace("-", ""), key.replace("-", " ")):
                        given[form] = given.get(form, 0) | bit
                        gender[form] = gender.get(form, 0) | sex
        for name in lists.family:
            key = name.lower()
            if own_far or key not in far:
                family[key] = family.get(key, 0) | bit
    # A long list without origin: it tells gender and that a name is known in English.
    for attr, sex in (
        ("first_names_male", MALE_BIT),
        ("first_names_female", FEMALE_BIT),
    ):
        for name in _names_of(_provider("en"), attr):
            key = name.lower()
            if key not in gender:
                gender[key] = sex
                rare.add(key)
    for table in map(_nicknames, _NICKNAMES):
        for short, fulls in table.full.items():
            sexes = {table.gender[full] for full in fulls}
            if short not in gender:
                gender[short] = MALE_BIT * (MALE in sexes)
                gender[short] |= FEMALE_BIT * (FEMALE in sexes)
                rare.add(short)
    return _Index(given, family, gender, rare)


def is_given_name(word: str) -> bool:
    """Whether a word is known as a given name and not better as a surname.

    word (str): One word, any case.
    RETURNS (bool): True for "Helen", False for "Murray".
    """
    index = _index()
    key = word.lower()
    if key not in index.given:
        return key in index.rare and key not in index.family
    if key not in index.family:
        return True
    return index.given[key].bit_count() > index.family[key].bit_count()


@cache
def _far_given() -> Mapping[str, int]:
    """Given names of all of Faker's lists in any language, in lower case, that no list
    has as surnames, and whose they are."""
    import pkgutil

    import faker.providers.person as providers

    found: dict[str, int] = {}
    family: set[str] = set()
    sexes = (
        ("first_names_male", MALE_BIT),
        ("first_names_female", FEMALE_BIT),
        ("first_names", 0),
    )
    for module in pkgutil.iter_modules(providers.__path__):
        provider = _provider(module.name)
        for attr, sex in sexes:
            for name in map(str.lower, _names_of(provider, attr)):
                found[name] = found.get(name, 0) | sex
        family.update(map(str.lower, _names_of(provider, "last_names")))
    return {name: sex for name, sex in found.items() if name not in family}


def _is_far_given(word: str) -> bool:
    """Whether a word that stands in none of the lists is a given name elsewhere."""
    key = word.lower()
    index = _index()
    return key not in index.family and key not in index.given and key in _far_given()


def is_called(mention: Mention, lang: str = "en") -> bool:
    """Whether what stands before a name tells that somebody is called by it.

    mention (Mention): Mention of a name.
    lang (str): Language of the text.
    RETURNS (bool): True after "his wife", "a boy called" or "Hi".
    """
    before = mention.before
    related = _CALLED_ABROAD.get(lang)
    if related is not None and related.search(before[-40:]):
        # "la hermana García" may be a nun.
        key = mention.text.lower()
        return key in _index().given or key not in _index().family
    return is_related(mention) or (
        ("\n" in before or _may_end(before, _LAST_OF_ADDRESS))
        and _ADDRESSED.search(before) is not None
    )


def is_related(mention: Mention) -> bool:
    """Whether a name stands after a word for a relation ("his wife")."""
    before = mention.before
    return _may_end(before, _LAST_OF_RELATION) and _CALLED.search(before) is not None


def _may_end(before: str, last: re.Pattern[str]) -> bool:
    """Whether the last word before a name may be one of those asked for.

    before (str): Text before the name.
    last (Pattern): The words.
    RETURNS (bool): False if it is plainly another one.
    """
    rest = before.rstrip(" \n,(“\"‘'")
    word = rest[rest.rfind(" ") + 1 :]
    if word.isalpha():
        return last.fullmatch(word) is not None
    return word[-1:].isalpha() or word[-1:].isspace()


def is_full_name(text: str) -> bool:
    """Whether a text is a known given name and a known surname, nothing else.

    text (str): Two or three words.
    RETURNS (bool): True for "Comfort Balogun" if both are known.
    """
    words = text.split()
    if not 2 <= len(words) <= 3:
        return False
    index = _index()
    first, last = words[0].lower(), words[-1].lower()
    return (
        is_given_name(first)
        and last in index.family
        and first not in _UNFIT
        and last not in _UNFIT
    )


def _is_name(word: str) -> bool:
    """Whether a word is in a list of names."""
    index = _index()
    key = word.lower()
    return key in index.given or key in index.family or key in index.rare


def _script(text: str) -> str:
    """Faker locale of the script of a name, "" for Latin."""
    if text.isascii():
        return ""
    for ch in text:
        code = ord(ch)
        if code > 0x02FF and ch.isalpha():
            for first, last, locale in _SCRIPTS:
                if first <= code <= last:
                    if locale == "ru_RU" and any(c in "іїєґІЇЄҐ" for c in text):
                        return "uk_UA"
                    return locale
            return ""
    return ""


def guess_language(words: Sequence[str], home: str = "en") -> str:
    """Language whose names these are; that of the text unless another one is likelier.

    words (Sequence[str]): Parts of one person's name.
    home (str): Language of the text, a key of the name lists.
    RETURNS (str): A key of the name lists, such as "tr".
    """
    index = _index()
    scores = {home: 0.0}
    abroad = home != "en"
    for word in words:
        key = word.lower()
        bits = index.given.get(key, 0) | index.family.get(key, 0)
        if not bits and "-" in key:
            # "al-Hakim", "Murray-Smith"
            for part in key.split("-"):
                bits |= index.given.get(part, 0) | index.family.get(part, 0)
        weight = 1.0 / (bits.bit_count() or 1)
        left = bits
        while left:
            number = left.bit_length() - 1
            left ^= 1 << number
            language = _LANGUAGES[number]
            known = abroad and language == home
            scores[language] = scores.get(language, 0.0) + (1.0 if known else weight)
        if key in index.rare and not bits:
            scores[home] += 0.3
        if not word.isascii():
            for letter in set(word):
                hinted = _LETTER_HINTS.get(letter) or _LETTER_HINTS.get(letter.lower())
                for language in hinted or ():
                    more = 0.8 / len(hinted or " ")
                    scores[language] = scores.get(language, 0.0) + more
        if len(key) > 4 and not bits & _BIT[home] and key.endswith(_HINTING_ENDINGS):
            for ending, language in _ENDING_HINTS:
                if key.endswith(ending):
                    scores[language] = scores.get(language, 0.0) + 0.7
                    break
    most = max(scores.values())
    if not most > scores[home] + 0.25:
        return home
    # Of equals the first of the languages.
    return min((x for x in scores if scores[x] == most), key=_BIT.__getitem__)


def _masculine(surname: str) -> str:
    """One key for both forms of a surname ("ivanova" and "ivanov")."""
    if not surname.endswith(("a", "dottir", "а", "ская")):
        return surname
    for ending, stem in (
        ("ova", "ov"),
        ("eva", "ev"),
        ("ina", "in"),
        ("ова", "ов"),
        ("ева", "ев"),
        ("ина", "ин"),
    ):
        if len(surname) > 5 and surname.endswith(ending):
            return surname[: -len(ending)] + stem
    for ending, stem in (
        ("skaya", "skiy"),
        ("dottir", "son"),
        ("owska", "owski"),
        ("ewska", "ewski"),
        ("ская", "ский"),
    ):
        if surname.endswith(ending):
            return surname[: -len(ending)] + stem
    return surname


def _feminine(surname: str, language: str) -> str:
    for ending, new in _FEMININE.get(language, ()):
        if surname.endswith(ending):
            return surname[: len(surname) - len(ending)] + new
    return surname


_FIRST_PARTS = listed(
    "Ash, Beck, Brad, Bran, Carl, Cliff, Cole, Crom, Dal, Den, East, Edge, "
    "Elm, Fair, Fen, Gar, Glen, Hal, Ham, Hart, Haw, Hol, Kel, Lang, Lin, "
    "Mar, Mel, Nor, Oak, Pen, Ply, Rad, Red, Rock, Sel, Shel, Stan, Stock, "
    "Sut, Thorn, Wal, War, West, Whit, Win, Wood"
)
_LAST_PARTS = listed(
    "bourne, bury, by, combe, cote, dale, den, don, field, ford, gate, ham, "
    "hurst, land, ley, low, man, more, ridge, shaw, stead, stone, ton, "
    "wall, ward, way, well, wick, worth"
)


_PARTS_ABROAD: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "de": (
        listed(
            "Alten,Berg,Birken,Blumen,Brand,Buch,Dorn,Eichen,Eisen,Fels,Gold,Grün,Hasel,Heiden,"
            "Hirsch,Holz,Kirch,Kron,Linden,Mühl,Neu,Ober,Rosen,Sand,Schön,Silber,Sonnen,Stein,"
            "Tannen,Wald,Weiden,Wiesen"
        ),
        listed(
            "bach,bauer,berg,born,brink,feld,hausen,heim,hofer,horst,kamp,mann,reiter,thal"
        ),
    ),
    "es": (
        listed(
            "Alb,Alm,Arand,Bal,Barr,Bel,Cald,Carr,Cast,Cor,Fal,Gal,Gran,Lar,Mal,Mar,Med,Mir,"
            "Mont,Mor,Nav,Ol,Pal,Per,Quint,Rob,Sal,Seg,Tor,Val,Vill,Zar"
        ),
        listed("ález,ar,arejo,edo,ejo,eros,ero,ido,iel,ino,ondo,oso,uelo,uera,illo"),
    ),
}


def _invented(kind: str, rng: random.Random, lang: str = "en") -> Iterator[str]:
    first, last = _PARTS_ABROAD.get(lang, (_FIRST_PARTS, _LAST_PARTS))
    if kind == "family":
        for _ in range(60):
            yield rng.choice(first) + rng.choice(last)
    for _ in range(60):
        yield invent_word(rng)
    while True:
        yield invent_word(rng) + invent_word(rng).lower()


# Full names and what friends call their bearers; men, then women.
_NICKNAMES: dict[str, tuple[str, str]] = {
    "en": (
        "Robert:Bob Rob Bobby Robbie,William:Bill Will Billy Willie,Richard:Dick Rick Ricky"
        " Rich,James:Jim Jamie Jimmy Jem,John:Jack Johnny,Michael:Mike Mick Mickey,Thomas:Tom"
        " Tommy,Edward:Ted Ed Eddie Ned,Charles:Charlie Chuck Chaz,Joseph:Joe Joey Jo,"
        "Anthony:Tony Ant,David:Dave Davey,Daniel:Dan Danny,Matthew:Matt Matty,Andrew:Andy"
        " Drew,Stephen:Steve Stevie,Steven:Steve Stevie,Gregory:Greg,Kenneth:Ken Kenny,"
        "Ronald:Ron Ronnie,Timothy:Tim Timmy,Lawrence:Larry Laurie,Gerald:Gerry Jerry,"
        "Raymond:Ray,Peter:Pete,Nicholas:Nick Nicky Nico,Jeffrey:Jeff,Geoffrey:Geoff,"
        "Benjamin:Ben Benny Benji,Samuel:Sam Sammy,Alexander:Alex Al Sandy,Christopher:Chris"
        " Kit,Frederick:Fred Freddie,Henry:Harry Hal,George:Georgie,Patrick:Pat Paddy,"
        "Philip:Phil Pip,Phillip:Phil Pip,Leonard:Len Lenny,Donald:Don Donnie,Douglas:Doug"
        " Dougie,Francis:Frank Frankie,Jonathan:Jon Jonny,Joshua:Josh,Zachary:Zach Zack,"
        "Nathaniel:Nate Nat,Nathan:Nate Nat,Albert:Bert Al Bertie,Arthur:Art Artie,Walter:Walt"
        " Wally,Theodore:Theo Teddy,Victor:Vic,Vincent:Vince Vinnie,Harold:Harry Hal,"
        "Terence:Terry Tel,Martin:Marty,Stanley:Stan,Eugene:Gene,Jacob:Jake,Maxwell:Max,"
        "Dominic:Dom,Simon:Si,Graham:Gray,Russell:Russ,Clifford:Cliff,Alfred:Alf Fred Alfie,"
        "Bernard:Bernie,Gabriel:Gabe,Louis:Lou Louie,Mitchell:Mitch,Bradley:Brad",
        "Elizabeth:Liz Beth Betty Lizzie Eliza Betsy Libby,Margaret:Peggy Maggie Meg Marge"
        " Madge,Katherine:Kate Kathy Katie Kat Kitty,Catherine:Kate Cathy Katie Cath Kitty,"
        "Kathleen:Kath Kathy Katie,Patricia:Patty Pat Trish Tricia,Susan:Sue Susie Suzy,"
        "Deborah:Debbie Deb Debs,Barbara:Barb Babs Barbie,Jennifer:Jenny Jen Jenna,"
        "Rebecca:Becky Becca Bex,Victoria:Vicky Tori Vic,Pamela:Pam Pammy,Judith:Judy Jude,"
        "Cynthia:Cindy,Amanda:Mandy Manda,Samantha:Sam Sammy,Christine:Chris Chrissie Tina,"
        "Christina:Chris Chrissie Tina,Kimberly:Kim Kimmy,Kimberley:Kim Kimmy,Jacqueline:Jackie"
        " Jacqui,Alexandra:Alex Sandra Lexi,Dorothy:Dot Dottie Dolly,Frances:Fran Frankie"
        " Franny,Stephanie:Steph Stevie,Jessica:Jess Jessie,Abigail:Abby Gail,Madeleine:Maddie"
        " Maddy,Josephine:Jo Josie,Joanna:Jo Joey,Joanne:Jo Joey,Theresa:Terri Tess Tessa,"
        "Teresa:Terri Tess Tessa,Isabella:Bella Izzy Issy,Eleanor:Ellie Nell Nora Nellie,"
        "Caroline:Carrie Caro,Charlotte:Lottie Charlie,Gillian:Gill Jilly,Valerie:Val,"
        "Sandra:Sandy,Angela:Angie Ange,Natalie:Nat Nattie,Nicole:Nikki Nic,Philippa:Pippa"
        " Pip,Penelope:Penny Pen,Georgina:Georgie Gina,Florence:Flo Florrie,Lillian:Lily Lil,"
        "Lucille:Lucy,Michelle:Shelly Mich,Olivia:Liv Livvy,Rosemary:Rosie Rose,Veronica:Ronnie"
        " Vera,Virginia:Ginny Ginger,Winifred:Winnie Fred,Beatrice:Bea Trixie,Harriet:Hattie,"
        "Jillian:Jill Jilly,Marjorie:Marge Margie,Gwendolyn:Gwen Gwennie,Melissa:Mel Missy,"
        "Melanie:Mel,Danielle:Dani,Gabrielle:Gabby Elle,Constance:Connie,Henrietta:Hetty Etta,"
        "Imogen:Immy,Annabel:Bel Annie,Tabitha:Tabby,Millicent:Millie,Matilda:Tilly Tilda",
    ),
    "de": (
        "Johannes:Hannes,Michael:Michi,Stefan:Steff,Sebastian:Basti,Alexander:Alex,"
        "Joachim:Achim,Wolfgang:Wolfi,Andreas:Andi,Matthias:Matze,Maximilian:Max,Tobias:Tobi,"
        "Christoph:Stoffel,Benjamin:Benni,Thorsten:Totti,Konrad:Conny,Siegfried:Siggi",
        "Katharina:Kathi,Susanne:Susi,Elisabeth:Lisbeth,Ulrike:Uli,Christina:Tina,"
        "Gabriele:Gabi,Stefanie:Steffi,Brigitte:Gitta,Angelika:Geli,Margarete:Grete,"
        "Johanna:Hanni,Franziska:Franzi,Theresa:Resi,Rosemarie:Rosi,Waltraud:Traudl",
    ),
    "es": (
        "José:Pepe,Francisco:Paco,Ignacio:Nacho,Manuel:Manolo,Antonio:Toño,Enrique:Quique,"
        "Rafael:Rafa,Fernando:Nando,Javier:Javi,Santiago:Santi,Eduardo:Edu,Alberto:Berto,"
        "Guillermo:Guille,Ricardo:Richi,Sebastián:Sebas,Joaquín:Quino",
        "Dolores:Lola,Concepción:Concha,Rosario:Charo,Mercedes:Merche,Pilar:Pili,"
        "Montserrat:Montse,Francisca:Paqui,Consuelo:Chelo,Inmaculada:Inma,Encarnación:Encarni,"
        "Isabel:Isa,Beatriz:Bea,Teresa:Tere,Remedios:Reme,Verónica:Vero,Susana:Susi",
    ),
}


class _Nicknames(NamedTuple):
    """Nicknames of a language by full name, and full names by nickname, folded."""

    short: dict[str, tuple[str, ...]]
    full: dict[str, tuple[str, ...]]
    gender: dict[str, str]
    # Full names by their folded form.
    names: dict[str, str]


@cache
def _nicknames(lang: str) -> _Nicknames:
    found = _Nicknames({}, {}, {}, {})
    for pairs, gender in zip(_NICKNAMES.get(lang, ()), (MALE, FEMALE)):
        for pair in listed(pairs):
            full, _, short = pair.partition(":")
            found.short[full] = tuple(short.split())
            for name in short.split():
                key = _fold(name)
                found.full[key] = (*found.full.get(key, ()), full)
            found.gender[full] = gender
            found.names[_fold(full)] = full
    return found


@cache
def _with_nicknames(lang: str, gender: str) -> tuple[str, ...]:
    """Full names of a gender that have nicknames."""
    return tuple(n for n, g in _nicknames(lang).gender.items() if g == gender)


_NOBLE = listed(
    "Arnsberg,Bergen,Bülow,Dalberg,Ehrenfels,Falkenstein,Greifenau,Hohenfels,Lindenau,"
    "Mansfeld,Oertzen,Reichenau,Rosenthal,Stauffenau,Steinach,Sternberg,Thalheim,Waldau,"
    "Wallwitz,Winterfeld"
)
# What stands behind particles: "de la Fuente", but not "de la García".
_AFTER_PARTICLE: dict[tuple[str, str], tuple[str, ...]] = {
    **{("de", particle): _NOBLE for particle in ("von", "zu", "von und zu", "vom")},
    ("es", "de la"): listed(
        "Calle,Cruz,Cuesta,Fuente,Hoz,Iglesia,Mata,Morena,Parra,Peña,Plaza,Puente,Rocha,"
        "Rosa,Serna,Sierra,Torre,Vega,Viña"
    ),
    ("es", "del"): listed(
        "Álamo,Amo,Barrio,Campo,Castillo,Cerro,Hoyo,Moral,Olmo,Palacio,Pino,Pozo,Prado,"
        "Río,Rosal,Toro,Valle"
    ),
    ("es", "de los"): listed(
        "Ángeles,Arcos,Mozos,Olivos,Palacios,Pinos,Reyes,Ríos,Santos"
    ),
    ("es", "de las"): listed("Casas,Cuevas,Fuentes,Heras,Peñas,Viñas,Vegas"),
    ("es", "de"): listed(
        "Andrés,Antonio,Benito,Blas,Castro,Diego,Francisco,Gracia,Jesús,Juan,León,Lucas,"
        "Luis,Marcos,Mena,Miguel,Pablo,Paz,Pedro,Santiago,Vicente"
    ),
}


# Given names after "María", by their particle; and what begins such names in their
# stead: "Rosa del Pilar".
_DEVOTIONS: dict[str, tuple[str, ...]] = {
    "del": listed("Carmen,Pilar,Rosario,Rocío,Socorro,Consuelo,Mar,Amparo,Valle"),
    "de la": listed("Concepción,Luz,Paz,Soledad,Esperanza,Encarnación,Asunción"),
    "de los": listed("Ángeles,Dolores,Milagros,Remedios,Desamparados,Reyes,Llanos"),
    "de las": listed("Mercedes,Nieves,Angustias,Virtudes,Gracias,Candelas"),
    "de": listed("Lourdes,Fátima,Guadalupe,Jesús,Montserrat,Begoña"),
}
_DEVOUT = listed(
    "María,Ana,Rosa,Luz,Josefa,Juana,Isabel,Teresa,Francisca,Catalina,Elena"
)
# "José de Jesús", "Francisco de Paula"
_DEVOUT_MEN = listed("Jesús,Dios,Asís,Paula,Borja,Sales")


@cache
def _devotions() -> frozenset[tuple[str, str]]:
    """Particles and the names after them, folded."""
    return frozenset(
        (particle, _fold(name)) for particle, row in _DEVOTIONS.items() for name in row
    )


class _Person:
    """What the mentions of one entity tell, and the new name."""

    def __init__(
        self, draws: Draws, key: str, gender: str, language: str, turn: int = 0
    ):
        self.draws = draws
        self.key = key
        self.gender = gender
        self.language = language
        # Language of the nicknames.
        self.called = language if language in _NICKNAMES else draws.lang
        # Names are drawn again if the first ones cannot be used; families keep theirs
        # as long as another given name will do.
        self.turn = turn
        self.salt = f"|{turn}" if turn else ""
        self.family_salt = ""
        # Whether no mention has marks on its letters.
        self.unmarked = False
        self.letters: dict[str, str] = {}
        self.given: dict[str, str] = {}
        self.family: dict[str, str] = {}
        # Surname -> the particles before it.
        self.particles: dict[str, str] = {}
        # All words of the name, folded.
        self.words: frozenset[str] = frozenset()

    def new_given(self, word: str) -> str:
        """New given name for one of the original's."""
        token = _fold(word)
        known = self.given.get(token)
        if known is not None:
            return known
        if not _script(word):
            self._call(token)
        if token not in self.given:
            script = _script(word)
            language = self.language_of(token, family=False)
            lists = _lists_of(script) if script else _lists(language)
            patronymic = _PATRONYMIC.search(token)
            female = not patronymic and self.gender == FEMALE
            pool = lists.female if female else lists.male
            if not script and self.draws.lang == "en":
                pool = _clear(language, female)
            if self.draws.lang == "es":
                pool = self._compound(token, female) or pool
            if patronymic:
                pool = tuple(n for n in pool if n[-1] not in _SOFT) or pool
            new = _draw(
                self.draws, "given", token, f"{self.key}|{token}{self.salt}", pool
            )
            if patronymic and new[-1] not in _SOFT:
                new += patronymic.group(1)
            if "-" in new and "-" not in word:
                new = new.replace("-", "")
            self.given[token] = self.written(new, language)
        return self.given[token]

    def _compound(self, token: str, female: bool) -> tuple[str, ...]:
        """Names for a part of a given name such as "María del Carmen"; none for other
        names.

        token (str): The part, folded.
        female (bool): Whether it is a woman's.
        RETURNS (tuple[str, ...]): Names that stand behind the particle or before it.
        """
        particle = self.particles.get(token, "")
        if not female:
            return _DEVOUT_MEN if particle == "de" else ()
        known = _devotions()
        if (particle, token) in known:
            return _DEVOTIONS[particle]
        parts = [(p, t) for t, p in self.particles.items() if (p, t) in known]
        return _DEVOUT if token in self.words and parts and not particle else ()

    def language_of(self, token: str, family: bool) -> str:
        """Language of one of the names: "Jessica Zhang" has two.

        token (str): The name, folded.
        family (bool): Whether it is a surname.
        RETURNS (str): A key of the name lists.
        """
        index = _index()
        bits = (index.family if family else index.given).get(token, 0)
        if not bits or bits & _BIT[self.language]:
            return self.language
        if self.language in _UNMARKED and token in _folded(self.language):
            return self.language
        home = self.draws.lang
        if bits & _BIT.get(home, 0):
            return home
        far = bits.bit_count() == 1 and home == "en"
        return _LANGUAGES[bits.bit_length() - 1] if far else self.language

    def written(self, name: str, language: str) -> str:
        """A name without the marks that the original's letters do not have either."""
        if name.isascii() or not self.unmarked or language not in _UNMARKED:
            return name
        plain = unicodedata.normalize("NFKD", name.translate(_PLAIN_LETTERS))
        return "".join(ch for ch in plain if not unicodedata.combining(ch))

    def full_name(self, token: str) -> str:
        """The full given name that a word is, or is short for; "" if there is none.

        token (str): A given name, folded.
        RETURNS (str): A key of the nicknames.
        """
        table = _nicknames(self.called)
        full = table.names.get(token)
        fulls = (full,) if full else table.full.get(token, ())
        if (
            full
            and self.called != self.language
            and self.language_of(token, family=False) == self.language
        ):
            # "Robert" is a French name, too.
            return ""
        fulls = tuple(f for f in fulls if table.gender[f] == self.gender)
        for known in fulls:
            if _fold(known) in self.words:
                return known
        return fulls[0] if fulls else ""

    def _call(self, token: str) -> None:
        """New names for a nickname and the full name it belongs to: "Bob" of Robert
        becomes "Bill" of William."""
        full = self.full_name(token)
        if not full:
            return
        pool = _with_nicknames(self.called, self.gender)
        key = _fold(full)
        if key not in self.given:
            short = _nicknames(self.called).short[full]
            # Of short lists only if the nickname shows.
            if len(pool) < 40 and self.words.isdisjoint(map(_fold, short)):
                return
            self.given[key] = _draw(
                self.draws, "given", key, f"{self.key}|{key}{self.salt}", pool
            )
        if token != key:
            self.given[token] = self.nickname(full, token)

    def nickname(self, full: str, token: str) -> str:
        """What friends call the new person, for what they call the original; the new
        full name if it has no nickname.

        full (str): The original's full given name.
        token (str): Its nickname, folded.
        RETURNS (str): The new nickname.
        """
        table = _nicknames(self.called)
        new = self.given[_fold(full)]
        forbidden = self.draws.forbidden
        found = [n for n in table.short.get(new, ()) if not forbidden(n)]
        at = [_fold(n) for n in table.short[full]].index(token)
        at = min(at, max(len(found) - 1, 0))
        found = found[at:] + found[:at]
        others = [n for n in found if _fold(n)[0] != token[0]]
        return (others or found or [new])[0]

    def new_family(self, word: str) -> str:
        """New surname; keyed by the old one alone, so that families keep theirs."""
        token = _fold(word)
        known = self.family.get(token)
        if known is not None:
            return known
        if token not in self.family:
            stem = _masculine(token)
            script = _script(word)
            language = self.language_of(token, family=True)
            salt = self.family_salt
            new = self.draws.families.get(stem + salt)
            if new is None:
                pool = (_lists_of(script) if script else _lists(language)).family
                particle = self.particles.get(token, "")
                pool = _AFTER_PARTICLE.get((self.draws.lang, particle)) or pool
                start, bare, pool = _clan(token, pool)
                new = start + _draw(self.draws, "family", bare, stem + salt, pool)
                self.draws.families[stem + salt] = new
            if stem != token or self.gender == FEMALE:
                if token not in self.particles:
                    language = self.home_of(new, language)
                new = _feminine(new, script or language)
            if "’" in word:
                new = new.replace("'", "’")
            new = self.written(new, language)
            self.family[token] = new
        return self.family[token]

    def home_of(self, surname: str, language: str) -> str:
        """Language that a drawn surname is of: perhaps another one's of the family.

        surname (str): A new surname.
        language (str): Language of this person's names.
        RETURNS (str): A key of the name lists; "" if it is in none that matters.
        """
        for key in (language, self.draws.lang, *_FEMININE):
            if key in _LATIN and surname in _surnames_of(key):
                return key
        return ""

    def initial(self, letter: str, role: str) -> str:
        """First letter of the new name that belongs to an initial."""
        key = _fold(letter)
        known, other = self.given, self.family
        if role == "family":
            known, other = other, known
        for mapping in (known, other):
            for token, new in mapping.items():
                if token.startswith(key):
                    return new[0]
        letter = letter.upper()
        if letter not in self.letters:
            self.letters[letter] = _new_letter(self.draws, letter, self.turn)
        return self.letters[letter]


def _clan(token: str, pool: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """What a surname such as "O'Brien" begins with, the rest of it, and what may
    stand there; the whole name and all others for most.

    token (str): The surname, folded.
    pool (Tuple[str, ...]): What surnames are drawn from.
    RETURNS (tuple): Beginning, rest, names.
    """
    if len(token) > 4 and token[0] == "o" and token[1] == "'":
        return "O'", token[2:], _IRISH_STEMS
    if len(token) > 5 and token.startswith("mc"):
        return "Mc", token[2:], _SCOTTISH_STEMS
    return "", token, pool


# Letters that no decomposition takes apart.
_PLAIN_LETTERS = str.maketrans("ıøØłŁđĐðÐ", "ioOlLdDdD") | {222: "Th", 254: "th"}
# Articles before Arabic names, in any letter case.
_BOUND = frozenset(("al", "el", "ad", "as", "az", "ash", "ar", "ur", "ul"))


# Letters that many names begin with, and the others.
_LETTERS = "ABCDEFGHJKLMNPRSTW", "IOQUVXYZ"


@cache
def _alphabet(script: str) -> str:
    return "".join(sorted({name[0].upper() for name in _lists_of(script).family}))


def _new_letter(draws: Draws, letter: str, turn: int = 0) -> str:
    """New initial of somebody of whom no more is known, no two letters getting the
    same one as long as there are enough.

    draws (Draws): The document's draws.
    letter (str): The initial, a capital.
    turn (int): How many others have been tried.
    RETURNS (str): Another capital of the same script.
    """
    known = draws.letters.get(letter + "|" * turn)
    if known:
        return known
    common, rare = _LETTERS
    script = _script(letter)
    own = _alphabet(script) if script else rare if letter in rare else common
    more = "" if script else common if letter in rare else rare
    order: list[str] = []
    for part in (own, more):
        ring = draws.rings.get(part)
        if ring is None:
            ring = draws.rings[part] = list(part)
            draws.random_for("person-letters", part).shuffle(ring)
        at = (ring.index(letter) if letter in ring else 0) + 1
        order += ring[at:] + ring[:at]
    order = [new for new in order if new != letter]
    taken = draws.own_letters.union(draws.letters.values())
    article = draws.articles.get(_fold(letter), "")
    order.sort(
        key=lambda new: (
            new in taken,
            bool(article) and (article == "an") != starts_with_vowel_sound(new),
        )
    )
    forbidden = draws.forbidden
    new = next((new for new in order if not forbidden(new)), order[0])
    if turn and new in taken:
        free = [new for new in order if not forbidden(new)] or order
        new = free[turn % len(free)]
    draws.letters[letter + "|" * turn] = new
    return new


def _is_word(word: str) -> bool:
    """Whether a word in lower case is a name of a list, or an everyday word."""
    index = _index()
    return (
        word in index.family
        or word in index.given
        or word in index.rare
        or word in everyday_words("en")
    )


def _surnames(pool: tuple[str, ...], rng: random.Random, lang: str) -> Iterator[str]:
    """Surnames in the order in which they are tried."""
    # Of texts in other languages nobody has measured how many are in no list.
    can_coin = lang == "en" and len(pool) >= LEAST_NAMES and not _script(pool[0])
    if can_coin and rng.random() < SHARE:
        yield from coined_names(pool, rng, _is_word)
    yield from shuffled(pool, rng)


def _draw(draws: Draws, kind: str, token: str, key: str, pool: tuple[str, ...]) -> str:
    """Draw a name that no other original of the document has been given."""
    rng = draws.random_for(f"person-{kind}", key)
    owner = f"{kind} {key}"
    initial = token[:1]
    article = draws.articles.get(token) if draws.articles else None
    spare = other = ""
    candidates = shuffled(pool, rng)
    if kind == "family":
        candidates = _surnames(pool, rng, draws.lang)
    for i, name in enumerate(candidates):
        if i > (400 if article else 40):
            break
        folded = _fold(name)
        # The first letter, too, tells something about the original.
        if folded[:1] == initial or draws.forbidden(name):
            continue
        if article and (article == "an") != starts_with_vowel_sound(name):
            if not other and draws.name_owners.get(folded, owner) == owner:
                other = name
            continue
        if draws.name_owners.setdefault(folded, owner) == owner:
            return name
        spare = spare or name
    if other:
        draws.name_owners[_fold(other)] = owner
        return other
    # Two persons may share a given name, but not a surname.
    if kind == "given" and spare and len(token) > 1:
        return spare
    name = ""
    for _, name in zip(range(400), _invented(kind, rng, draws.lang)):
        folded = _fold(name)
        if (
            folded[:1] != initial
            and not draws.forbidden(name)
            and draws.name_owners.setdefault(folded, owner) == owner
        ):
            break
    return name


_TITLES_ABROAD: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "de": (
        re.compile(r"\b(?:Herrn?|Kollege|Bruder|Onkel|Opa|Vater)\b"),
        re.compile(r"\b(?:Frau|Fräulein|Kollegin|Schwester|Tante|Oma|Mutter)\b"),
    ),
    "es": (
        re.compile(r"\b(?:[Ss]r|[Dd]on|[Ss]eñor|[Dd]octor|Dr|D)\b"),
        re.compile(
            r"\b(?:[Ss]ra|[Ss]rta|[Dd]oña|[Ss]eñor(?:a|ita)|[Dd]octora|Dra|Dña|Dª)(?!\w)"
        ),
    ),
}
_PRONOUNS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "en": (_HE, _SHE),
    "de": (
        re.compile(
            r"\b(?:er|seine?[nmrs]?|ihn|ihm|Ehemann|Vater|Sohn|Bruder|Herrn?)\b"
        ),
        re.compile(r"\b(?:ihre?[nmrs]?|Ehefrau|Mutter|Tochter|Schwester|Frau|sie)\b"),
    ),
    "es": (
        re.compile(
            r"\b(?:él|marido|padre|hijo|hermano|el paciente|varón|don|señor)\b", re.I
        ),
        re.compile(
            r"\b(?:ella|esposa|madre|hija|hermana|la paciente|mujer|doña|señora)\b",
            re.I,
        ),
    ),
}


def _gender_abroad(group: Sequence[Mention], lang: str) -> str:
    """Gender by the titles of a language, in the mentions or just before them."""
    patterns = _TITLES_ABROAD.get(lang)
    if patterns is None:
        return ""
    for mention in group:
        if lang == "es" and re.match(r"M\.?\s?[aª](?!\w)", mention.text):
            # Short for María; "José M.ª" is a man.
            return FEMALE
        place = mention.before[-14:].rpartition(",")[2] + mention.text
        she, he = patterns[1].search(place), patterns[0].search(place)
        if she or he:
            return FEMALE if she else MALE
    return ""


def _title_gender(
    group: Sequence[Mention], parsed: Mapping[str, list[NameToken]]
) -> str:
    """Gender by titles: in the mentions first, then just before them."""
    for text in dict.fromkeys(m.text for m in group):
        for token in parsed.get(text) or names.name_tokens(text):
            if token.role != "title":
                break
            gender = names.title_gender(token.text)
            if gender:
                return gender
    for mention in group:
        before = mention.before
        if not before[-1:].isspace():
            continue
        word = before.rstrip(" .")
        word = word[word.rfind(" ") + 1 :]
        if word.isalpha() and not (
            word[0].isupper() and names.title_gender(word) is not None
        ):
            continue
        match = _TITLES_BEFORE.search(before)
        # "Mrs Dr", but not "his sister said Dr".
        for word in reversed(match.group().split() if match else ()):
            gender = names.title_gender(word) if word[0].isupper() else None
            if gender is None:
                break
            if gender:
                return gender
    return ""


def _kin_gender(group: Sequence[Mention], sure: bool) -> str:
    """Gender by words for relations around the mentions.

    group (Sequence[Mention]): All mentions of the person.
    sure (bool): Whether only a word that the name follows at once counts; behind a
        comma another person may follow.
    RETURNS (str): "m", "f" or "".
    """
    for mention in group:
        before = mention.before
        match = _KIN.search(before) if _may_end(before, _LAST_OF_KIN) else None
        if match and (not sure or not match.group(3).strip()):
            return FEMALE if match.group(1) else MALE
    if not sure:
        for mention in group:
            match = _KIN_AFTER.match(mention.after)
            if match:
                return FEMALE if match.group(1) or match.group(3) else MALE
    return ""


def _pronoun_gender(group: Sequence[Mention], lang: str) -> str:
    """Gender by pronouns: of the same sentence after a mention, then further on, then
    before it."""
    his, hers = _PRONOUNS.get(lang, (_HE, _SHE))
    same, later, earlier = [], [], []
    for mention in group:
        end = _SENTENCE_END.search(mention.after)
        cut = end.start() if end else len(mention.after)
        same.append(mention.after[:cut])
        later.append(mention.after[cut:])
        earlier.append(mention.before)
    for parts in (same, later, earlier):
        part = "\n".join(parts)
        he, she = len(his.findall(part)), len(hers.findall(part))
        if he != she:
            return MALE if he > she else FEMALE
    return ""


def _given_bits(name: str) -> int:
    """Whose given name it is by lists, or by its ending in scripts where that tells."""
    bits = _index().gender.get(name.lower(), 0)
    if not bits and (name.isascii() or not _script(name)):
        bits = _far_given().get(name.lower(), 0)
    if bits or name.isascii():
        return bits
    script = _script(name)
    if not script:
        return 0
    lists = _lists_of(script)
    bits = MALE_BIT * (name in lists.male) | FEMALE_BIT * (name in lists.female)
    if bits or script not in _ENDING_TELLS:
        return bits
    return FEMALE_BIT if name.lower().endswith(_ENDING_TELLS[script]) else MALE_BIT


# Endings of women's given names in scripts whose other names are men's.
_ENDING_TELLS = {"el_GR": ("α", "η", "ω", "ά", "ή", "ώ"), "ru_RU": ("а", "я")}
_WOMENS_SURNAMES = ("dóttir", "dottir", "skaya", "ovna", "evna", "ová", "owska", "ская")


def _gender(
    group: Sequence[Mention],
    given: Sequence[str],
    language: str,
    lang: str = "en",
    parsed: Mapping[str, list[NameToken]] = MappingProxyType({}),
) -> str:
    """Gender of an entity by titles, words for relations, given names that only one
    has, then pronouns around it; `parsed` has words of the mentions that are known."""
    told = _gender_abroad(group, lang) if lang != "en" else ""
    told = told or _title_gender(group, parsed) or _kin_gender(group, sure=True)
    if told:
        return told
    unsure = ""
    parts = [p for word in given for p in dict.fromkeys((word, *word.split("-")))]
    for name in parts:
        bits = _given_bits(name)
        known = bits in (MALE_BIT, FEMALE_BIT)
        if not known and bits:
            # Languages disagree about some names ("Andrea", "Jan").
            lists = _lists(language)
            male, female = name in lists.male, name in lists.female
            known = male != female
            bits = MALE_BIT if male else FEMALE_BIT
        if known:
            told = MALE if bits == MALE_BIT else FEMALE
            if lang != "en" or name.lower() not in _UNISEX:
                return told
            unsure = unsure or told
    told = _kin_gender(group, sure=False) or _pronoun_gender(group, lang)
    if told:
        return told
    for mention in group:
        if mention.text.lower().endswith(_WOMENS_SURNAMES):
            return FEMALE
    if unsure:
        return unsure
    for name in given:
        if name.lower().endswith("a"):
            return FEMALE
        if name.lower().endswith("o") and language in ("es", "it", "pt"):
            return MALE
    return ""


def _as_names(
    parsed: dict[str, list[NameToken]],
) -> dict[str, list[NameToken]]:
    """A suffix that stands inside another form of the name is a name ("Júnior")."""
    if not [t for tokens in parsed.values() for t in tokens if t.role == "suffix"]:
        return parsed
    inner = {
        _fold(t.text)
        for tokens in parsed.values()
        for t in tokens
        if t.role in ("given", "middle", "family")
    }
    return {
        text: [
            t._replace(role="family")
            if t.role == "suffix" and _fold(t.text) in inner
            else t
            for t in tokens
        ]
        for text, tokens in parsed.items()
    }


def _is_kept(token: NameToken, lang: str = "en") -> bool:
    """Whether a word of a mention is no name: title, suffix, particle, "and"."""
    _, _, text, role = token
    if role in ("title", "suffix"):
        return True
    key = _fold(text).rstrip(".")
    if lang != "en" and key in _kept_abroad(lang):
        # "D." before a name is a title in Spanish, an initial elsewhere.
        if key in names.JOINS:
            return text.islower()
        return text[-1:] == "." or len(key) > 1
    if text.islower():
        return key in _KEPT or (role == "family" and key in names.PARTICLES)
    return text == "&" or (key in _COURTESY and text[0].isupper())


_MARIA = re.compile("M\\.?[aª]\\.?")


@cache
def _kept_abroad(lang: str) -> frozenset[str]:
    return frozenset(map(_fold, _KEPT_ABROAD.get(lang, ())))


_SURNAMES_FOLLOW = re.compile(r"\bapellidos?\s*:?\s*$", re.I)


def _read_name(
    text: str, lang: str, known: frozenset[str], before: str = ""
) -> list[NameToken]:
    """Words of a name with the roles they have in a language.

    text (str): The mention.
    lang (str): Language of the text.
    known (frozenset[str]): Words of all names of the document, folded.
    before (str): Text before the mention.
    RETURNS (list[NameToken]): In order of appearance; a German genitive ending is no
        part of its word.
    """
    tokens = names.name_tokens(text)
    if lang == "es":
        return _spanish_roles(tokens, _SURNAMES_FOLLOW.search(before) is not None)
    if lang == "de":
        if text[:9].lower() == "familien ":
            # "Familien Schulze und Meier"
            family = {"given": "family", "middle": "family"}
            tokens = [t._replace(role=family.get(t.role, t.role)) for t in tokens]
        if len(tokens) == 1 and _fold(text[:-1]) in known and text.isalpha():
            # Also where "Meyers" is a name by itself.
            token = tokens[0]
            if text[-1] == "s" and len(text) > 3:
                return [token._replace(text=text[:-1], end=token.end - 1)]
        # The last word of a name has the ending: "Adis" in "Adis Berg" is one by itself.
        last = len(tokens) - 1
        return [
            _without_genitive(token, known)
            if i == last or _fold(tokens[i + 1].text) in names.JOINS
            else token
            for i, token in enumerate(tokens)
        ]
    if lang == "en":
        named = [i for i, t in enumerate(tokens) if not _is_kept(t)]
        if len(named) == 1:
            i = named[0]
            token = tokens[i]
            if token.text[-1] in "sS":
                the = text[:4].lower() == "the " or _THE.search(before) is not None
                tokens[i] = _without_plural(token, known, the)
        elif named:
            _find_initials(tokens, named)
            if len(named) < 4 and "," not in text:
                _find_surname_first(tokens, named)
    return tokens


_THE = re.compile(r"\bthe\s+(?:[a-z]+\s+)?$", re.I)


def _without_plural(token: NameToken, known: frozenset[str], the: bool) -> NameToken:
    """A surname without its plural ending ("the Hendersons").

    token (NameToken): The only name of a mention.
    known (frozenset[str]): Words of all names of the document, folded.
    the (bool): Whether an article stands before.
    RETURNS (NameToken): Perhaps shorter.
    """
    key = _fold(token.text)
    if len(key) < 4 or key[-1] != "s" or not token.text.isalpha():
        return token
    whole = _is_name(key)
    for cut in (2, 1):
        stem = key[:-cut]
        if cut == 2 and not (
            key.endswith("es") and stem.endswith(("s", "x", "z", "ch", "sh"))
        ):
            continue
        # "Williams" and "Peters" are names by themselves.
        if (stem in known and (the or not whole)) or (
            the and not whole and _is_name(stem)
        ):
            return token._replace(
                text=token.text[:-cut], end=token.end - cut, role="family"
            )
    return token


def _find_surname_first(tokens: list[NameToken], named: Sequence[int]) -> None:
    """Give names of East Asia in their own order ("Park Min-jun") their roles.

    tokens (list[NameToken]): The words of a mention, which are changed.
    named (Sequence[int]): Which of them are names.
    """
    if tokens[named[-1]].role != "family":
        return
    index = _index()
    first = tokens[named[0]].text.lower()
    if not index.family.get(first, 0) & _EAST:
        return
    rest = " ".join(tokens[i].text.lower() for i in named[1:])
    if index.family.get(rest, 0) & _EAST:
        return
    if index.given.get(rest, 0) & _EAST or _SYLLABLES.fullmatch(tokens[named[-1]].text):
        for k, i in enumerate(named):
            role = ("family", "given", "middle")[k]
            tokens[i] = tokens[i]._replace(role=role)


_EAST = _BIT["zh"] | _BIT["ko"] | _BIT["ja"]
_SYLLABLES = re.compile(r"[A-Z][a-z]{1,5}-[a-z]{1,5}")


def _find_initials(tokens: list[NameToken], named: Sequence[int]) -> None:
    """Give initials written together ("Carter AB", "JP Carter") their role.

    tokens (list[NameToken]): The words of a mention, which are changed.
    named (Sequence[int]): Which of them are names.
    """
    first, last = tokens[named[0]], tokens[named[-1]]
    if first.text.isupper() == last.text.isupper():
        return
    index = _index()
    for i, token, other in ((named[-1], last, first), (named[0], first, last)):
        text, key = token.text, token.text.lower()
        if not (2 <= len(text) <= 3 and text.isupper() and text.isalpha()):
            continue
        behind = token is last
        if not behind and (key in index.given or key in index.rare):
            continue
        # "Mei NG" has a surname in capitals.
        if behind and key in index.family and is_given_name(other.text):
            continue
        tokens[i] = token._replace(role="initials")
        if behind:
            for k in named[:-1]:
                tokens[k] = tokens[k]._replace(role="family")


def split_genitive(word: str, known: frozenset[str]) -> tuple[str, str]:
    """A German name and its genitive ending ("Müllers" is "Müller" and "s").

    word (str): A word of a person's name.
    known (frozenset[str]): Names that stand elsewhere without ending, folded.
    RETURNS (tuple[str, str]): The name, and "s" or "".
    """
    key = _fold(word)
    if len(key) < 4 or not key.endswith("s") or _is_name(word):
        # "Peters" is a name by itself.
        return word, ""
    stem = word[:-1]
    if _fold(stem) in known or _is_name(stem):
        return stem, word[-1]
    return word, ""


def _without_genitive(token: NameToken, known: frozenset[str]) -> NameToken:
    if token.role in ("title", "suffix") or not token.text.replace("-", "").isalpha():
        return token
    # Of "Ebner-Eschenbachs" the last part has the ending.
    ending = split_genitive(token.text.rpartition("-")[2], known)[1]
    base = token.text[: len(token.text) - len(ending)]
    return token._replace(text=base, end=token.end - len(ending))


@cache
def _spanish_surnames() -> frozenset[str]:
    lists = (_lists("es"), _lists_of("es_ES"), _lists_of("es_MX"))
    given = {_fold(n) for part in lists for n in (*part.male, *part.female)}
    surnames_ = {_fold(n) for part in lists for n in part.family}
    return frozenset(surnames_ - given)


def _is_devotion(tokens: Sequence[NameToken], named: Sequence[int]) -> bool:
    """Whether the second name of a woman is part of her given name: "María del Carmen".

    tokens (Sequence[NameToken]): The words of a mention.
    named (Sequence[int]): Which of them are names, two at least.
    RETURNS (bool): False for "Ana de la Fuente".
    """
    first, second = named[0], named[1]
    particle = " ".join(_fold(t.text) for t in tokens[first + 1 : second])
    name = _fold(tokens[second].text)
    return (particle, name) in _devotions() and _fold(tokens[first].text) in set(
        map(_fold, _DEVOUT)
    )


def _spanish_roles(tokens: list[NameToken], surnames: bool) -> list[NameToken]:
    """Given names first, then one or two surnames: "María García López".

    tokens (list[NameToken]): The words of a mention.
    surnames (bool): Whether the text says that these are surnames.
    RETURNS (list[NameToken]): The words with roles.
    """
    named = [
        i
        for i, t in enumerate(tokens)
        if not _is_kept(t, "es")
        and not (
            _fold(t.text) in names.PARTICLES
            and (t.text.islower() or (i == 0 and len(tokens) > 1))
        )
    ]
    roles = {i: tokens[i].role for i in named}
    if len(named) > 1 and tokens[named[0]].role != "family":
        index, spanish = _index(), _BIT["es"]
        first = _fold(tokens[named[0]].text)
        # "De Miguel Rivera", "García López": surnames alone.
        particle = named[0] and _fold(tokens[0].text) in names.PARTICLES
        surname = surnames or first in _spanish_surnames()
        count = 0 if particle or surname else 1
        while 0 < count < len(named) - 1:
            text = tokens[named[count]].text
            key = text.lower()
            between = tokens[named[count - 1]].end, tokens[named[count]].start
            given = index.given.get(key, 0) & spanish or key in index.rare
            initial = len(text.strip(".")) == 1
            # "Rosa María Jiménez Rodríguez", but "Marta García Torrelles".
            is_given = given and not index.family.get(key, 0) & spanish
            short = len(named) - count <= 2 and not (is_given and is_given_name(text))
            if not (initial or given) or (short and not initial):
                break
            if between[1] - between[0] > 5 and not initial:
                break
            count += 1
        count = max(count, len(named) - 2)
        if count == 1 and not surname and not particle:
            count += _is_devotion(tokens, named)
        for n, i in enumerate(named):
            roles[i] = "family" if n >= count else "middle" if n else "given"
    # "M.ª José", "Mª Carmen": the first is short for María.
    for i, token in enumerate(tokens):
        text = token.text + (tokens[i + 1].text if i + 1 < len(tokens) else "")
        cut = len(token.text) < 3 and not _MARIA.fullmatch(token.text)
        if _MARIA.fullmatch(text if cut else token.text):
            for k in (i, i + 1) if cut else (i,):
                roles.pop(k, None)
                tokens[k] = tokens[k]._replace(role="title")
    out = []
    for i, token in enumerate(tokens):
        if i in roles:
            token = token._replace(role=roles[i])
        elif (
            _is_kept(token, "es")
            or _MARIA.fullmatch(token.text)
            or not token.text.islower()
        ):
            # "De" at the start stays as "de" does inside.
            token = token._replace(role="title")
        else:
            token = token._replace(role="family")
        out.append(token)
    return out


def _roles(
    parsed: dict[str, list[NameToken]],
    called: Collection[str] = (),
    lang: str = "en",
    surnames: Collection[str] = (),
) -> tuple[dict[str, str], list[str], list[str]]:
    """Role of every word over all mentions, given names, and all names, in order.

    parsed (dict): Words of each text.
    called (Collection[str]): Lone names that the text gives as what somebody is called
        by, folded.
    lang (str): Language of the text.
    surnames (Collection[str]): Surnames of the document's full names, folded.
    RETURNS (tuple): Roles, given names, names.
    """
    roles: dict[str, str] = {}
    given: dict[str, str] = {}
    words: dict[str, str] = {}
    for tokens in sorted(parsed.values(), key=len, reverse=True):
        named = [t for t in tokens if not _is_kept(t, lang)]
        lone = len(named) == len(tokens) == 1
        for token in named:
            key = _fold(token.text)
            role = token.role
            if lone and len(key) > 1 and key not in roles:
                role = "family"
                if key in called or (
                    key not in surnames
                    and (is_given_name(token.text) or _is_far_given(token.text))
                ):
                    role = "given"
            roles.setdefault(key, role)
            words.setdefault(key, token.text)
            if roles[key] in ("given", "middle") and len(key.strip(".")) > 1:
                given.setdefault(key, token.text)
    return roles, list(given.values()), list(words.values())


def _render(
    text: str,
    tokens: list[NameToken],
    roles: dict[str, str],
    person: _Person,
) -> str:
    """A mention with its names replaced; everything else stays as it is written."""
    out = []
    position = 0
    # Full names before initials, which take the first letter of a full name.
    lang = person.draws.lang
    ready = [t for t in tokens if not _is_kept(t, lang)]
    if len(ready) > 1:
        ready.sort(key=lambda t: sum(map(str.isalpha, t.text)) < 2)
    new = {t.start: _new_token(t, roles, person) for t in ready}
    starts = {t.start for t in tokens}
    for token in tokens:
        if token.start in new:
            out += [text[position : token.start], new[token.start]]
            position = token.end
            # The second of two initials is no ending of the first: "H.S. Greve".
            if text[position : position + 1] in ("", " ") or position in starts:
                continue
            ending = lang == "en" and _PLURAL.match(text, position)
            if ending:
                out.append(_plural_ending(new[token.start], ending.group()))
                position = ending.end()
            if lang == "de" and text[position : position + 1] in (
                "s",
                "S",
            ):
                out.append(_genitive_ending(new[token.start], text[position]))
                position += 1
    out.append(text[position:])
    made = "".join(out)
    if _YEARS.search(made) is None:
        return made
    rng = person.draws.random_for("person-digits", person.key)
    return _YEARS.sub(
        lambda m: "".join(rng.choice("123456789") for _ in m.group()), made
    )


# Cut off a name by `_read_name`: letters do not follow a word otherwise.
_PLURAL = re.compile(r"e?s(?![^\W_])", re.I)


def _plural_ending(name: str, ending: str) -> str:
    """Of an English name that stood in the plural."""
    new = "es" if name.lower().endswith(("s", "x", "z", "ch", "sh")) else "s"
    return new.upper() if ending.isupper() and name.isupper() else new


def _genitive_ending(name: str, ending: str) -> str:
    """Of a German name that stood with "s"."""
    return "’" if name[-1:].lower() in tuple("sßxz") else ending


def _new_token(token: NameToken, roles: dict[str, str], person: _Person) -> str:
    role = roles.get(_fold(token.text), token.role)
    capitals = _initials_of(token.text, person)
    if capitals:
        return capitals
    if role == "initials":
        return "".join(person.initial(ch, "given") for ch in token.text)
    text = token.text
    if len(text) > 1 and text.isascii() and text.isalpha():
        # One plain word, as most are.
        new = person.new_family(text) if role == "family" else person.new_given(text)
        return match_case(new, text)

    def replace(match: re.Match[str]) -> str:
        word = match.group()
        if word.isdecimal():
            rng = person.draws.random_for("person-digits", _fold(token.text))
            return "".join(rng.choice("0123456789") for _ in word)
        base = names.strip_possessive(word)
        tail = word[len(base) :]
        cjk = _is_cjk(base)
        if text[match.end() : match.end() + 1] == "-":
            key = _fold(word)
            if key in _BOUND or (word.islower() and key in names.PARTICLES):
                # "al-Hakim"
                return word
        if len(base) == 1 and not cjk:
            letter = person.initial(base, role)
            return (letter.lower() if base.islower() else letter.upper()) + tail
        if cjk:
            return person.new_family(base[0]) + person.new_given(base[1:] or base)
        if role == "family":
            new = person.new_family(base)
        else:
            new = person.new_given(base)
        return match_case(new, base) + tail

    if role in ("given", "middle") and text.count("-") == 1 and text.isascii():
        key = _fold(text)
        if person.language_of(key, family=False) == "ko" and text[1:].islower():
            # "Min-jun" is one name.
            return person.new_given(text)
    if person.draws.lang == "es" and re.fullmatch(r"[^\W\d_]{2,5}\.", text):
        # "Fco." is short for Francisco; the new name is written out.
        text = text[:-1]
    return _WORD.sub(replace, text)


def _initials_of(text: str, person: _Person) -> str:
    """New initials for glued ones ("RM") of a person whose full name is known."""
    if not 2 <= len(text) <= 4 or not text.isupper() or not text.isalpha():
        return ""
    known = iter([*person.given.items(), *person.family.items()])
    out = []
    for ch in map(_fold, text):
        new = next((new for token, new in known if token.startswith(ch)), "")
        if not new:
            return ""
        out.append(new[0].upper())
    return "".join(out)


def _particles(parsed: Iterable[Sequence[NameToken]]) -> dict[str, str]:
    """Small words before each name, folded."""
    found: dict[str, str] = {}
    for tokens in parsed:
        run: list[str] = []
        for token in tokens:
            key = _fold(token.text)
            if key in names.PARTICLES and (token.text.islower() or not run):
                run.append(key)
            else:
                if run:
                    found.setdefault(key, " ".join(run))
                run = []
    return found


def _is_cjk(word: str) -> bool:
    return not word.isascii() and _script(word) in _CJK


def replace_persons(mentions: Sequence[Mention], draws: Draws) -> list[str]:
    """New names for the persons of a document.

    mentions (Sequence[Mention]): All mentions of persons, in document order.
    draws (Draws): The document's draws; `name_map` is filled with old and new names.
    RETURNS (list[str]): One text a mention.
    """
    groups: dict[int, list[Mention]] = {}
    called: dict[int, set[str]] = {}
    lang = draws.lang
    home = lang if lang in _LATIN else "en"
    texts = dict.fromkeys(m.text for m in mentions)
    known = frozenset(map(_fold, set(_WORD.findall(" ".join(texts)))))
    draws.own_letters = frozenset(w.upper() for w in known if len(w) == 1)
    for i, mention in enumerate(mentions):
        groups.setdefault(mention.entity_id, []).append(mention)
        if " " in mention.text.strip():
            continue
        if (
            mention.subtype == "GIVEN_NAME"
            or is_called(mention, lang)
            or _is_nickname(mention.text, home, known)
        ):
            called.setdefault(mention.entity_id, set()).add(_fold(mention.text))
        elif mention.after[:1].isspace() and i + 1 < len(mentions):
            # A name that has been cut in two: the surname follows.
            rest = mention.after.lstrip()
            following = mentions[i + 1].text[: len(rest)]
            if len(following) > 1 and rest.startswith(following):
                called.setdefault(mention.entity_id, set()).add(_fold(mention.text))
    new: dict[tuple[int, str], str] = {}
    given_of: dict[str, _Person] = {}
    # Surname -> genders of those who are named in full.
    sexes: dict[str, str] = {}
    # Lone given names last: they may belong to somebody named in full.
    parsed_groups = [
        (
            entity_id,
            group,
            _as_names(
                {
                    text: _read_name(text, lang, known, m.before)
                    for text, m in {m.text: m for m in group}.items()
                }
            ),
        )
        for entity_id, group in groups.items()
    ]
    same, parsed_groups = _join_initials(parsed_groups, lang)
    parsed_groups.sort(key=lambda item: -max(map(len, item[2].values())))
    doubles, surnames_ = _full_names(parsed_groups, lang)
    for entity_id, group, parsed in parsed_groups:
        if all(map(is_acronym, group)) and not any(
            _is_name(m.text) or len(draws.name_map.get(_fold(m.text), "")) > 0
            for m in group
        ):
            short = {m.text: draws.acronym(m) for m in group}
            if None not in short.values():
                new.update(((entity_id, text), str(t)) for text, t in short.items())
                continue
        whole = _double_of(parsed, doubles, surnames_, lang)
        if whole:
            called.setdefault(entity_id, set()).update(whole)
            parsed = {
                text: [
                    t._replace(role="given") if _fold(t.text) in whole else t
                    for t in tokens
                ]
                for text, tokens in parsed.items()
            }
        roles, given, words = _roles(parsed, called.get(entity_id, ()), lang, surnames_)
        folded = list(map(_fold, words))
        key = _person_key(folded, roles, home)
        person = None
        if len(words) == 1 or whole:
            person = given_of.get(folded[0])
        latin = [w for w in words if not _script(w)]
        language, gender = "", ""
        if person is None:
            language = guess_language(latin, home)
            # In Spanish other words count as titles there.
            titled = {} if lang == "es" else parsed
            gender = _gender(group, given, language, lang, titled)
            if not gender:
                # A surname alone is that of somebody named in full.
                told = {g for w in words for g in sexes.get(_fold(w), "")}
                gender = told.pop() if len(told) == 1 else ""
            if not gender:
                coin = draws.random_for("person-gender", key)
                gender = MALE if coin.random() < 0.5 else FEMALE
        else:
            language, gender = person.language, person.gender
        if given:
            for word in words:
                if roles[_fold(word)] == "family":
                    token = _fold(word)
                    sexes[token] = sexes.get(token, "") + gender
        # Who has nothing but a surname has to get another one if it is taken.
        surname = all(roles[token] == "family" for token in folded)
        order = sorted(
            zip(words, [roles[token] for token in folded]),
            key=lambda item: item[1] == "family",
        )
        rendered: dict[str, str] = {}
        done = False
        for turn in range(_TURNS):
            if person is None or turn:
                person = _Person(draws, key, gender, language, turn)
                if surname or turn > _TURNS // 2:
                    person.family_salt = person.salt
            person.words |= frozenset(folded)
            person.words |= _shown_nicknames(words, home, known)
            person.unmarked = lang == "en" and all(map(str.isascii, latin))
            if lang != "en":
                person.particles.update(_particles(parsed.values()))
            for word, role in order:
                # "K.-H." follows "Karl-Heinz", wherever that stands.
                for part in word.split("-"):
                    if (
                        len(part.strip(".")) < 2
                        or role == "initials"
                        or not _PLAIN.fullmatch(part)
                    ):
                        continue
                    if role == "family":
                        person.new_family(part)
                    elif not _is_cjk(part):
                        person.new_given(part)
            rendered = {
                text: _render(text, tokens, roles, person)
                for text, tokens in parsed.items()
            }
            # A title may itself be masked elsewhere ("President").
            refused = False
            for text, tokens in parsed.items():
                if not draws.forbidden(rendered[text]):
                    continue
                refused = True
                named = [t for t in tokens if not _is_kept(t, lang)]
                cut = named[0].start if named else 0
                end = named[-1].end if named else len(text)
                if end < len(text) and draws.forbidden(text[end:]):
                    # So may what stands behind ("Jesse Mason, MD").
                    tokens = [t for t in tokens if t.end <= end]
                    rendered[text] = _render(text[:end], tokens, roles, person)
                    if not draws.forbidden(rendered[text]):
                        continue
                if cut and (turn > _TURNS // 2 or draws.forbidden(text[:cut])):
                    shorter = [
                        t._replace(start=t.start - cut, end=t.end - cut) for t in named
                    ]
                    rendered[text] = _render(text[cut:], shorter, roles, person)
            if (
                not refused or not any(map(draws.forbidden, rendered.values()))
            ) and not any(
                _is_taken(draws, person, text, new) for text, new in rendered.items()
            ):
                done = True
                break
        assert person is not None
        for word in given:
            _remember(given_of, person, _fold(word))
        for text, result in rendered.items():
            key = normalise(text)
            form = normalise(result)
            if form == key or (not done and _is_taken(draws, person, text, result)):
                result = draws.invent("person", key, like=text)
                form = normalise(result)
            draws.persons.setdefault(form, (person, key))
            new[entity_id, text] = result
        for mapping in (person.given, person.family):
            for token, name in mapping.items():
                if len(token) > 1:
                    if lang == "de":
                        # No address has umlauts: "mueller" for Müller.
                        name = written_out(name)
                    draws.name_map.setdefault(token, _fold(name))
        for token in person.family:
            letters = draws.bearers.setdefault(token, {})
            for first, name in (*person.given.items(), *person.letters.items()):
                letters.setdefault(_fold(first)[:1], _fold(name)[:1])
    draws.nickname = partial(_nickname_of, given_of)
    return [new[same.get(m.entity_id, m.entity_id), m.text] for m in mentions]


_Parsed = list[tuple[int, list[Mention], dict[str, list[NameToken]]]]


def _parts_of(
    tokens: Sequence[NameToken], lang: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given names and surnames of a mention, folded and without particles."""
    given, family = [], []
    for token in tokens:
        key = _fold(token.text).strip(".")
        if token.role in ("given", "middle"):
            if not _is_kept(token, lang):
                given.append(key)
        elif token.role == "initials":
            given += key.replace(".", "")
        elif token.role == "family" and key not in names.PARTICLES:
            family.append(key)
    return tuple(given), tuple(family)


def _full_names(
    groups: _Parsed, lang: str
) -> tuple[frozenset[tuple[str, ...]], frozenset[str]]:
    """Given names of those who have a surname too, and these surnames, folded."""
    doubles: set[tuple[str, ...]] = set()
    surnames_: set[str] = set()
    for _, _, parsed in groups:
        for tokens in parsed.values():
            given, family = _parts_of(tokens, lang)
            if given and family and all(len(name) > 1 for name in given):
                doubles.add(given)
                surnames_.update(family)
    for given in doubles:
        surnames_.difference_update(given)
    return frozenset(doubles), frozenset(surnames_)


def _double_of(
    parsed: dict[str, list[NameToken]],
    doubles: frozenset[tuple[str, ...]],
    surnames_: frozenset[str],
    lang: str,
) -> tuple[str, ...]:
    """The given names of somebody else that are all a person is called by: "José Luis"
    beside "José Luis Pérez", "Jean-Luc" beside "Jean-Luc Fournier"."""
    if len(parsed) > 1:
        return ()
    tokens = next(iter(parsed.values()))
    words = tuple(_fold(t.text) for t in tokens)
    if words not in doubles or not surnames_.isdisjoint(words):
        return ()
    return () if any(_is_kept(t, lang) for t in tokens) else words


def _join_initials(groups: _Parsed, lang: str) -> tuple[dict[int, int], _Parsed]:
    """Groups with those of initials and a surname ("M. Meyer") put to the one person of
    the document with that surname and a given name that fits ("Maria Meyer").

    groups (list): Entities with their mentions and the words of each text.
    lang (str): Language of the text.
    RETURNS (tuple): The entity that another one is part of, and the groups.
    """
    full: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
    short: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
    for i, (_, _, parsed) in enumerate(groups):
        pairs = [_parts_of(tokens, lang) for tokens in parsed.values()]
        written = [(g, f) for g, f in pairs if f and any(len(name) > 1 for name in g)]
        for given, family in written:
            # Of two surnames the first alone may be written.
            for surname in dict.fromkeys((family, family[:1])):
                full.setdefault(surname, {}).setdefault(given, i)
        if not written and pairs and all(g and f for g, f in pairs):
            short.append((i, *max(pairs)))
    same: dict[int, int] = {}
    for i, initials, family in short:
        fitting = {
            given: k
            for given, k in full.get(family, {}).items()
            if all(a[0] == b[0] for a, b in zip(initials, given))
        }
        # "Maria Meyer" and "Maria L. Meyer" may be one, Maria and Markus are two.
        if len({given[0] for given in fitting}) == 1:
            target = groups[min(fitting.values())]
            same[groups[i][0]] = target[0]
            target[1].extend(groups[i][1])
            target[2].update(groups[i][2])
    return same, [group for group in groups if group[0] not in same]


# How often the names of a person are drawn again if they cannot be used.
_TURNS = 16


def _is_nickname(word: str, lang: str, known: frozenset[str]) -> bool:
    """Whether a word is short for a given name of the document."""
    table = _nicknames(lang)
    fulls = table.full.get(_fold(word), ())
    return bool(fulls) and not known.isdisjoint(map(_fold, fulls))


def _shown_nicknames(
    words: Sequence[str], lang: str, known: frozenset[str]
) -> frozenset[str]:
    """Nicknames of these given names that stand anywhere in the document, folded."""
    table = _nicknames(lang)
    full = (table.names.get(_fold(word), "") for word in words)
    short = (_fold(s) for name in full for s in table.short.get(name, ()))
    return known.intersection(short)


def _person_key(keys: Sequence[str], roles: dict[str, str], lang: str) -> str:
    """One key for the orders and forms of a name: "Smith, Bob" and "Robert Smith".

    keys (Sequence[str]): All words of a person's name, folded.
    roles (dict[str, str]): Their roles, by their folded form.
    lang (str): Language whose nicknames count.
    RETURNS (str): The full words in their order in the alphabet; all words if none is
        longer than an initial.
    """
    full = _nicknames(lang).full
    long = []
    for key in keys:
        if len(key.strip(".")) > 1:
            fulls = full.get(key, ()) if roles[key] != "family" else ()
            long.append(_fold(fulls[0]) if fulls else key)
    return " ".join(sorted(long) or keys)


def _is_taken(draws: Draws, person: _Person, text: str, new: str) -> bool:
    """Whether a new name stands for another person's, written otherwise."""
    owner = draws.persons.get(normalise(new))
    return owner is not None and owner[0] is not person and owner[1] != normalise(text)


def _remember(given_of: dict[str, _Person], person: _Person, token: str) -> None:
    """Note whose given name a word is, with its full form and its nicknames."""
    given_of.setdefault(token, person)
    full = person.full_name(token) if _fold(token) in person.given else ""
    if full and _fold(full) in person.given:
        given_of.setdefault(_fold(full), person)
        for short in _nicknames(person.called).short[full]:
            given_of.setdefault(_fold(short), person)


def _nickname_of(given_of: dict[str, _Person], token: str) -> str | None:
    """What the new person is called for whom a word is short, folded.

    given_of (dict): Persons by their given names and what these are short for.
    token (str): A word of an address or a user name, folded.
    RETURNS (Optional[str]): None if it is nobody's.
    """
    person = given_of.get(token)
    full = person.full_name(token) if person is not None else ""
    if person is None or _fold(full) not in person.given:
        return None
    if _fold(full) == token:
        return _fold(person.given[token])
    return _fold(person.nickname(full, token))


def surnames() -> tuple[str, ...]:
    """English surnames, which many organisations are named after."""
    return _lists("en").family


def given_names() -> tuple[str, ...]:
    """English given names."""
    lists = _lists("en")
    return lists.male + lists.female


@cache
def drawn_names() -> frozenset[str]:
    """All names that surrogates are drawn from, in all languages and scripts, folded."""
    lists = [_lists(language) for language in _LATIN]
    lists += [_lists_of(locale) for _, _, locale in _SCRIPTS]
    return frozenset(_fold(name) for part in lists for kind in part for name in kind)


def gender_of(group: Sequence[Mention], lang: str = "en") -> str:
    """Gender of a person by titles, given names and what stands around.

    group (Sequence[Mention]): All mentions of the person.
    lang (str): Language of the text; in Russian a name's case would have to be known.
    RETURNS (str): "m", "f", or "" if nothing tells.
    """
    parsed = _as_names({m.text: names.name_tokens(m.text) for m in group})
    _, given, words = _roles(parsed)
    language = guess_language([w for w in words if not _script(w)])
    return _gender(group, [] if lang == "ru" else given, language, lang)
