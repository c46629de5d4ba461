"""Documents of our own in the label schemes of the papers' experiments, as JSON lines.

    python prepare.py mails mails_de.txt OUTPUT.jsonl
    python prepare.py essays ../../assets/corpora/en OUTPUT.jsonl
    python prepare.py impersonal RAW.jsonl OUTPUT.jsonl
    python prepare.py encoder FOLDER OUTPUT

`mails` has the labels of e-mails where others have subtypes. `essays` are documents in which
somebody tells or is told of from school, study and applications; the names of the essays'
scheme are those of students, and here of everybody whom annotators call a direct identifier.
`impersonal` are pieces of a textbook as long as an essay. `encoder` keeps the first two layers
of an encoder, so that it learns in minutes on a CPU.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy_deid.corpora.inline import read_inline
from spacy_deid.corpora.readers import read_records
from spacy_deid.corpora.report import Report
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.schema import DIRECT

KINDS = (
    "dev/school_essay train/essay_feedback train/exam_paper train/application_letter "
    "train/cv train/diary train/profile_bio train/registration_form train/school_report "
    "train/tutoring_session train/travel_blog train/reference_letter"
).split()
# Words of a piece of a textbook.
WORDS = 220
LAYERS = 2


def mails(path: Path) -> Iterator[dict[str, Any]]:
    for (record,) in read_inline(path, Report()):
        for mention in record["entity_mentions"]:
            mention["entity_type"] = mention.pop("subtype")
            del mention["identifier_type"]
        yield record


def essays(folder: Path) -> Iterator[dict[str, Any]]:
    scheme = make_label_scheme("essays")
    for kind in KINDS:
        for (record,) in read_inline(folder / f"{kind}.txt", Report()):
            kept = []
            for mention in record["entity_mentions"]:
                if mention.pop("identifier_type") != DIRECT:
                    continue
                type_, subtype = mention["entity_type"], mention.pop("subtype")
                label = scheme.from_tab(type_, subtype)
                if label:
                    kept.append(mention | {"entity_type": label})
            # Rules know public top-level domains; of the same length, so that places hold.
            text = record["text"].replace(".example", ".company")
            yield record | {"text": text, "entity_mentions": kept}


def impersonal(path: Path) -> Iterator[dict[str, Any]]:
    for record in read_records(path):
        if record.get("name_like"):
            continue
        words = record["text"].split(" ")
        for i in range(0, len(words) - WORDS // 2, WORDS):
            text = " ".join(words[i : i + WORDS])
            yield {
                "doc_id": f"{record['doc_id']}-{i}",
                "text": text,
                "entity_mentions": [],
            }


def shorten(source: str, output: str) -> None:
    from transformers import AutoModel, AutoTokenizer

    AutoModel.from_pretrained(source, num_hidden_layers=LAYERS).save_pretrained(output)
    AutoTokenizer.from_pretrained(source).save_pretrained(output)


def main(what: str, source: str, output: str) -> None:
    if what == "encoder":
        shorten(source, output)
        return
    read = {"mails": mails, "essays": essays, "impersonal": impersonal}[what]
    part = Path(output + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf8") as file:
        for record in read(Path(source)):
            names = ("doc_id", "text", "entity_mentions")
            kept = {name: record[name] for name in names}
            file.write(json.dumps(kept, ensure_ascii=False) + "\n")
    part.rename(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
