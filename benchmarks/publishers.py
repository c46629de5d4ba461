"""A mirror of the corpora's publishers on this machine: their files' layouts, but what they
say is invented. Served to the tests of `assets/prepare.py` and to `empty_folder.py`."""

import csv
import gzip
import hashlib
import io
import json
import re
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import spacy
import srsly
from spacy.tokens import DocBin, Span


def as_json(value):
    return json.dumps(value, ensure_ascii=False)


def as_lines(*lines):
    return "\n".join(lines) + "\n"


def as_tokens(*sentences, columns="{token}\t{tag}"):
    """Sentences of words, each with `/TAG` behind it unless it is outside."""
    out = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), start=1):
            token, _, tag = word.partition("/")
            out.append(columns.format(n=number, token=token, tag=tag or "O"))
        out.append("")
    return as_lines(*out)


def as_csv(*rows):
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def gold(label, start, end, **more):
    return {"entity_type": label, "start_offset": start, "end_offset": end, **more}


def annotated(doc_id, text, **annotators):
    layers = {name: {"entity_mentions": found} for name, found in annotators.items()}
    return {"annotations": layers, "doc_id": doc_id, "text": text, "meta": {"year": 1}}


def direct(label, start, end, **more):
    return gold(label, start, end, identifier_type="DIRECT", edit_type="check", **more)


def frame(acts, *slots):
    keys = ("slot", "start", "exclusive_end")
    actions = [{"act": act, "slot": ""} for act in acts]
    return {"actions": actions, "slots": [dict(zip(keys, slot)) for slot in slots]}


def dialogue(dialogue_id, *turns):
    """A dialogue of texts and their frames."""
    rows = [
        {"speaker": "USER", "utterance": text, "frames": frames}
        for text, *frames in turns
    ]
    return {"dialogue_id": dialogue_id, "turns": rows}


def make_spacy():
    nlp = spacy.blank("en")
    docs = [nlp("Heard by Ida Quist ."), nlp("Nobody came .")]
    docs[0].ents = [Span(docs[0], 2, 4, "JUDGE")]
    return DocBin(docs=docs).to_bytes()


CASES = [
    annotated(
        "001-1",
        "Mr Ole Brandt complained.",
        annotator1=[direct("PERSON", 0, 13, confidential_status="NOT_CONFIDENTIAL")],
        annotator2=[direct("PERSON", 3, 13)],
    ),
    annotated("001-2", "The court sat in Bergen.", annotator3=[gold("LOC", 17, 23)]),
]
REPLACED = {"replacement": {"generalizations": {"heuristics": ["PERSON 1"]}}}
LIVES = [
    annotated(
        f"life-{i}", "Ada Holm sang.", annotator5=[direct("PERSON", 0, 8, **REPLACED)]
    )
    for i in range(402)
]
TREEBANK = as_lines(
    "# newdoc id = email-one",
    "# sent_id = email-one-0001",
    "# newpar id = email-one-p0001",
    "# text = Don't call Bo Lund.",
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_",
    "1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_",
    "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_",
    "3\tcall\tcall\tVERB\tVB\t_\t0\troot\t_\t_",
    "4\tBo\tBo\tPROPN\tNNP\t_\t3\tobj\t_\t_",
    "5\tLund\tLund\tPROPN\tNNP\t_\t4\tflat\t_\tSpaceAfter=No",
    "6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_",
    "",
    "# sent_id = email-one-0002",
    "# text = Thanks!",
    "1\tThanks\tthanks\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No",
    "2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_",
    "",
    "# sent_id = email-one-0003",
    "# newpar id = email-one-p0002",
    "# text = Bye",
    "1\tBye\tbye\tINTJ\tUH\t_\t0\troot\t_\t_",
    "",
    *(
        line
        for kind in ("answers", "newsgroup", "reviews", "weblog")
        for line in (
            f"# newdoc id = {kind}-one",
            "# text = Ok",
            "1\tOk" + "\t_" * 8,
            "",
        )
    ),
)
TAGS = as_lines(
    "# newdoc id = email-one",
    "# sent_id = email-one-0001",
    "# text = Don't call Bo Lund.",
    "1\tDo\tO\t-\t-",
    "2\tn't\tO\t-\t-",
    "3\tcall\tO\t-\t-",
    "4\tBo\tB-PER\t-\tanna",
    "5\tLund\tI-PER\t-\tanna",
    "6\t.\tO\t-\t-",
    "",
)
GUM_TREE = as_lines(
    "# newdoc id = GUM_bio_example",
    "# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity",
    "# meta::genre = bio",
    "# newpar",
    "# newpar_block = p (1 s)",
    "# sent_id = GUM_bio_example-1",
    "# text = The poet Eva Torp of Oslo left Lund University in May.",
    "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tEntity=(1-person-new-nnnnn-cf1-2-coref",
    "2\tpoet\tpoet\tNOUN\tNN\t_\t7\tnsubj\t_\t_",
    "3\tEva\tEva\tPROPN\tNNP\t_\t2\tappos\t_\tEntity=(1-person-new-nnnnn-cf1-1,2-coref",
    "4\tTorp\tTorp\tPROPN\tNNP\t_\t3\tflat\t_\t_",
    "5\tof\tof\tADP\tIN\t_\t6\tcase\t_\t_",
    "6\tOslo\tOslo\tPROPN\tNNP\t_\t3\tnmod\t_\tEntity=(2-place-new-nnnnn-cf2-1-sgl-Oslo)1)1)",
    "7\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_",
    "8\tLund\tLund\tPROPN\tNNP\t_\t9\tcompound\t_\tEntity=(3-organization-new-nnnnn-cf3-1,2-sgl",
    "9\tUniversity\tUniversity\tPROPN\tNNP\t_\t7\tobj\t_\tEntity=3)",
    "10\tin\tin\tADP\tIN\t_\t11\tcase\t_\t_",
    "11\tMay\tMay\tPROPN\tNNP\t_\t7\tobl\t_\tEntity=(4-time-new-nnnnn-cf4-1-sgl)|SpaceAfter=No",
    "12\t.\t.\tPUNCT\t.\t_\t7\tpunct\t_\t_",
    "",
    "# text = Critic Mu Li wept.",
    "1\tCritic\tcritic\tNOUN\tNN\t_\t4\tnsubj\t_\tEntity=(5-person-new-nnnnn-cf1-1,2,3-sgl",
    "2\tMu\tMu\tPROPN\tNNP\t_\t1\tflat\t_\t_",
    "3\tLi\tLi\tPROPN\tNNP\t_\t1\tflat\t_\tEntity=5)",
    "4\twept\tweep\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No",
    "5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_",
    "",
    "# newdoc id = GUM_fiction_example",
    "# text = No",
    "1\tNo" + "\t_" * 8,
    "",
)
AVRO = {
    "id": "notice-2",
    "text": {"string": "😉 Ulla Berg"},
    "conceptMentions": {
        "array": [
            # Java counts the first sign as two.
            {"span": {"start": 3, "end": 12}, "type": {"string": "PERSON"}},
            {"span": {"start": 0, "end": 2}, "type": {"string": "TRIGGER"}},
        ]
    },
}
PLAIN = {
    "id": "notice-1",
    "text": "Stau bei Ulm",
    "conceptMentions": [{"span": {"start": 9, "end": 12}, "type": "location-city"}],
}
META = (
    "dataset",
    "encounter_id",
    "doctor_name",
    "patient_firstname",
    "patient_familyname",
)
CHINOOK = {
    "Customer": [
        {"CustomerId": i, "FirstName": "Nils", "LastName": "O'Dell", "City": "Umeå"}
        for i in range(80)
    ],
    "Genre": [{"GenreId": 1, "Name": "Rock"}],
}
QUESTIONS = as_lines(
    *("Question_ID\tO", ":\tO", "17\tO", "\t", "Question_URL\tO", ":\tO", "x\tO", "\t"),
    *("Ask\tO", "Mads\tB-User_Name", "\t"),
    *(
        "Answer_to_Question_ID\tO",
        ":\tO",
        "17\tO",
        "\t",
        "Use\tO",
        "SQL\tB-Language",
        "\t",
    ),
)
SECTION = (
    '<section xmlns="https://code.example/dc-library"><num>1-2</num><heading>Fees.</heading>'
    "<text>There are fees:</text><para><num>(a)</num><text>one; and</text></para>"
    "<annotations><annotation>History by Mr Ole Brandt</annotation></annotations></section>"
)
MODULE = (
    '<document xmlns="http://cnx.example/cnxml"><title>Study</title><metadata><title>no'
    "</title></metadata><content><para>Read\n\t <emphasis>slowly</emphasis>.</para>"
    "<list><item>Rest.</item></list></content></document>"
)
QUESTION = (
    '<Document><QAPairs><QAPair><Question qid="1-1">What is it ?</Question><Answer>A cold.'
    "</Answer></QAPair><QAPair><Question>Why ?</Question><Answer/></QAPair></QAPairs></Document>"
)
SIMPLE = "He met/O Rut/B-person Dahl/I-person ."
DOMAIN = as_tokens("At 2001/B-election polls/I-election , Per/B-politician won .")

PUBLISHED = {
    "tab/echr_train.json": as_json(CASES),
    "tab/echr_dev.json": as_json(CASES[1:]),
    "wiki_biographies/wiki_train.json": as_json(LIVES),
    "wiki_biographies/Wiki553_public.json": as_json(
        {"ada-holm": " Early life", "x": None}
    ),
    "echr_unlabelled/TAB_all_public.json": as_json(
        {"1": "\ufeff\nFIRST", "2": "SECOND"}
    ),
    "echr_unlabelled/TAB_test_public.json": as_json({"2": "SECOND"}),
    **{f"btc/{x}.conll": as_tokens(f"{x} @/B-ORG NewsCo/B-ORG '") for x in "abeg"},
    "btc/h.conll": as_tokens(*(f"tweet {i} # tag" for i in range(1003))),
    "wnut17/wnut17train.conll": as_tokens(SIMPLE, "# tag"),
    "wnut17/emerging.dev.conll": as_tokens(SIMPLE),
    "ewt/en_ewt-ud-train.conllu": TREEBANK,
    "ewt/en_ewt-ud-dev.conllu": TREEBANK,
    "uner_en_ewt/en_ewt-ud-dev.iob2": TAGS,
    "gum/en_gum-ud-train.conllu": GUM_TREE,
    "gum/en_gum-ud-dev.conllu": GUM_TREE,
    **{
        f"crossner/{domain}_{part}.txt": DOMAIN
        for domain in ("politics", "science", "music", "literature", "ai")
        for part in ("train", "dev")
    },
    **{
        f"tweebank_ner/{part}.bio": "-DOCSTART- -X- -X- O\n\n"
        + as_tokens("RT @USER1 : Aske/B-PER !", columns="{token}\t-\t-\t{tag}")
        for part in ("train", "dev")
    },
    **{
        f"ncbi_disease/NCBI{part}_corpus.txt": "\n7|t|On colds.\n7|a|A cold is mild. \n"
        "7\t12\t16\tcold\tSpecificDisease\tD1\n\n8|t|None.\n8|a|Nothing.\n"
        for part in ("trainset", "developset")
    },
    "qmsum/val.jsonl": as_json(
        {
            "meeting_transcripts": [
                {
                    "speaker": "Chair",
                    "content": "Good {vocalsound} morning , Dr Falk .",
                },
                {"speaker": "Clerk", "content": "Noted."},
            ]
        }
    ),
    "college_success/repository.zip": {
        "modules/m1/index.cnxml": MODULE,
        "media/a.png": "no",
    },
    "mts_dialog/MTS-Dialog-TrainingSet.csv": as_csv(
        ("ID", "section_header", "section_text", "dialogue"),
        ("0", "PLAN", "Rest, and tea.", "Doctor: Rest.\nPatient: Yes."),
    ),
    # The second sentence has a name that lacks its type here.
    "fewnerd_complete/dev.txt": as_tokens(
        "The Lake/B-location_lake in May the dog .",
        "Then Ragna met Ivo/B-person_other .",
    ),
    "wikigold/wikigold.conll.txt": "-DOCSTART- O\n"
    + as_tokens("Tove/I-PER sang .", "So did Knut/I-PER .", columns="{token} {tag}")
    + "-DOCSTART- O\n\n-DOCSTART- O\n"
    + as_tokens("Oslo/I-LOC", columns="{token} {tag}"),
    "sec_filings/FIN5.txt": "-DOCSTART- -X- O O\n\n"
    + as_tokens("Lender/I-PER and Inga/I-PER Moe/I-PER", columns="{token} NN - {tag}"),
    "indian_legal_ner/dev.spacy": make_spacy(),
    "stackoverflow_ner/train.txt": QUESTIONS,
    "tasteset/TASTEset.csv": as_csv(
        ("ingredients", "ingredients_entities"),
        (
            "2 eggs\n",
            as_json([{"start": 0, "end": 1, "type": "QUANTITY", "entity": "2"}]),
        ),
    ),
    "us_addresses/labeled.xml": "<AddressCollection><AddressString><Recipient>Bo</Recipient> "
    "<Recipient>Ek,</Recipient> <AddressNumber>7</AddressNumber>\n <StreetName>Elm"
    "</StreetName></AddressString></AddressCollection>",
    "name_strings/person_labeled.xml": "<NameCollection><Name><PrefixOther>Dr</PrefixOther> "
    "<GivenName>Liv</GivenName> <Nickname>(Li)</Nickname> <Surname>Aas,</Surname> "
    "<SuffixOther>MD</SuffixOther></Name></NameCollection>",
    "name_strings/company_labeled.xml": "<NameCollection><Name><CorporationName>Aas"
    "</CorporationName> <CorporationLegalType>Ltd</CorporationLegalType></Name></NameCollection>",
    "tables_chinook/ChinookData.json": "\ufeff" + as_json(CHINOOK),
    **{
        f"aci_bench/{part}.csv": as_csv(
            ("dataset", "encounter_id", "dialogue", "note"),
            (
                *("aci", part),
                *("hi karl , dr. lind here\r\ngood", "Karl Good is a 50-year-old man."),
            ),
        )
        for part in ("train", "valid")
    },
    **{
        f"aci_bench/{part}_metadata.csv": as_csv(
            META, ("aci", part, "", "Karl ", "Good")
        )
        for part in ("train", "valid")
    },
    "litbank/repository.zip": {
        "coref/brat/1_a_brat.txt": 'The " Red " man .\nHere is Odd .',
        "coref/brat/1_a_brat.ann": as_lines(
            'T1\tNOM_PER 0 15\tThe " Red " man', "T2\tPROP_PER 26 29\tOdd"
        ),
        "entities/brat/1_a_brat.txt": "no",
    },
    "wetlab_protocols/repository.zip": {
        "data/train_data/Standoff_Format/protocol_1.txt": "Heat the flask.",
        "data/train_data/Standoff_Format/protocol_1.ann": "T1\tDevice 9 14\tflask\nE1\tAction:T1\n",
        "data/test_data/Standoff_Format/protocol_2.txt": "no",
    },
    "anem/repository.zip": {
        "original-data/standoff/PMID-1.txt": "A bone.",
        "original-data/standoff/PMID-1.ann": "T1\tTissue 2 6\tbone\n",
    },
    "nlupp/repository.zip": {
        "nlupp/data/banking/fold0.json": as_json(
            [
                {
                    "text": "I am Pia Ro",
                    "intents": ["greet"],
                    "slots": {"person_name": {"text": "Pia Ro", "span": [5, 11]}},
                }
            ]
        ),
        "nlupp/data/ontology.json": "{}",
    },
    **dict.fromkeys(
        [
            "sgd/dev/dialogues_014.json",
            *(f"sgd/train/dialogues_{i}.json" for i in ("030", "064", "100", "110")),
        ],
        as_json(
            [
                dialogue(
                    "1_0",
                    (
                        "Call Pia Ro at 6 pm.",
                        frame(["SELECT", "INFORM"], ("name", 5, 11)),
                        frame(["INFORM"], ("time", 15, 19)),
                    ),
                    ("Who?", frame(["REQUEST"])),
                ),
                dialogue("1_1", ("Bye.", frame([]))),
            ]
        ),
    ),
    "choosealicense/repository.zip": {
        "_licenses/mit.txt": "---\ntitle: MIT\n---\n\nMIT License\n\nAs is.\n"
    },
    "medquad/repository.zip": {"1_A_QA/0001.xml": QUESTION},
    "recipes/repository.zip": {
        "content/soup.md": '---\ntitle: "Soup"\n---\n\n![Soup](/pix/s.webp)\n\nBoil [it](/it).\n'
    },
    "redis_doc/repository.zip": {
        "docs/a/b/deep.md": "---\ntitle: x\n---\nDeep.\n",
        "commands/get.md": "Get.",
    },
    "rust_book/repository.zip": {"src/ch01.md": "# One\n"},
    "tldr/repository.zip": {
        "pages/common/ls.md": "# ls\n",
        "pages.de/common/ls.md": "no",
    },
    "pyiem/repository.zip": {"data/product_examples/A.txt": "WIND\n"},
    "dc_code/repository.zip": {
        "us/dc/council/code/titles/1/sections/1-2.xml": SECTION,
    },
    "logs/lnav.zip": {"test/logfile_a.0": b"one \xff\n", "test/other": "no"},
    "logs/apache_logs": as_lines(*("GET / HTTP/1.0" for _ in range(600))),
    "germeval2014/NER-de-dev.tsv": "#\thttp://example.org/1\t[2010-07-04]\n"
    + as_tokens('Sie sah " Ida/B-PER # "', columns="{n}\t{token}\t{tag}\tO"),
    "meddocan/repository.zip": {
        f"corpus/{part}/brat/S1.{suffix}": content
        for part in ("train", "dev", "test")
        for suffix, content in (
            ("txt", "\ufeffNombre: Inés.\nHoy.\n"),
            ("ann", "T1\tNOMBRE_SUJETO_ASISTENCIA 9 13\tInés\n"),
        )
    },
    # So many that some can be held back.
    "factrueval2016/repository.zip": {
        f"devset/book_{i}.{suffix}": content
        for i in range(6)
        for suffix, content in (
            ("txt", "Юрий Лужков\r\nв мэрии Москвы" + " ." * i),
            (
                "spans",
                "1 name 0 4 10 1 # 10 Юрий\n2 surname 5 6 11 1  # 11 Лужков\n"
                "3 org_descr 15 5 12 1  # x\n4 loc_name 21 6 13 1  # x\n",
            ),
            ("objects", "9 Person 1 2 # Юрий Лужков\n8 Org 3 4 # мэрии Москвы\n"),
        )
    }
    | {"testset/book_9.txt": "no"},
    "smartdata_de/mobie_dev.jsonl.gz": gzip.compress(as_json(PLAIN).encode()),
    "smartdata_de/smartdata_v3_dev.json.gz": gzip.compress(
        f"{json.dumps(AVRO, indent=2)}\n{as_json(PLAIN)}".encode()
    ),
    "smartdata_de/smartdata_v1_train.json.gz": gzip.compress(b""),
    **{
        f"europeana_{name}": as_tokens(
            " ".join([*(["wort"] * 400), "Karl/B-PER", "Ahn/I-PER"] * 2),
            columns="{token} {tag}",
        )
        for name in ("de/enp_DE.lft.bio", "fr/enp_FR.bnf.bio")
    },
    **{
        f"treebanks/{name}-ud-{part}.conllu": TREEBANK
        for name in ("de_gsd", "es_gsd", "ru_taiga", "ru_gsd", "fr_gsd", "it_markit")
        for part in ("dev", "test")
    },
    "treebanks/it_markit-ud-train.conllu": TREEBANK,
    "wikiner_ru/train.txt": "Юхан X B-X I-PER\nМо X B-X I-PER\nпел X B-X O\n. X B-X O\n\n",
    "wikiner_ru/dev.txt": "Осло X B-X I-LOC\n\n",
    "wikiner_ru/test.txt": "Он X B-X O\nпел X B-X O\n\n",
}

# --- a server of them ---


def pack(members, repository, commit):
    """An archive as a host of repositories makes it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = commit.encode()
        for name, content in members.items():
            archive.writestr(f"{repository}-{commit}/{name}", content)
    return stream.getvalue()


class Mirror:
    """Serves files of publishers by their path below `assets/sources`. `files`: what is
    served at which path of an address; `broken` are those after half of which the
    connection ends."""

    def __init__(self, published):
        self.published = published
        self.files = {}
        self.broken = set()
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                content = mirror.files.get(self.path)
                if content is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.path in mirror.broken:
                    content = content[: len(content) // 2]
                self.wfile.write(content)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def serve_projects(self, folder):
        """Publish what the projects in a folder fetch, and point them to here."""
        for file in [folder / "project.yml", *folder.glob("projects/*/project.yml")]:
            config = srsly.read_yaml(file)
            for asset in config.get("assets", ()):
                if "url" in asset and not asset.get("extra"):
                    self.serve(asset)
            srsly.write_yaml(file, config)

    def serve(self, asset):
        """Publish an asset of a project, and point the asset to here."""
        place = asset["dest"].partition("assets/sources/")[2]
        path = re.sub(r"https?://[^/]+", "", asset["url"])
        content = self.published[place]
        if isinstance(content, dict):
            repository, commit = path.split("/")[2::2]
            content = pack(content, repository, commit)
        elif isinstance(content, str):
            content = content.encode("utf8")
        self.files[path] = content
        asset["url"] = self.address + path
        if "checksum" in asset:
            asset["checksum"] = hashlib.md5(content).hexdigest()
        if "git_blob" in asset:
            blob = b"blob %d\0" % len(content) + content
            asset["git_blob"] = hashlib.sha1(blob).hexdigest()
