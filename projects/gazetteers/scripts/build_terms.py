"""The terms of Wikidata that come with the package, from files of terms by property.

    python scripts/build_terms.py FOLDER ../../spacy_deid/data/wikidata_terms.tsv

FOLDER has `P106.jsonl` and so on: lines with `term`, `label`, `id`, `property`, `count`
(how many of a sample of people bear the value, where known) and `lang`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

from spacy_deid.gazetteers.wikidata.values import CITIZENSHIP, load_properties

HEAD = """\
# What people bear on Wikidata: values of the properties of Papadopoulou et al. (2023),
# appendix A, and of P27, with labels and aliases. people: how many of about 97,000
# people in public extracts bear it; nothing: it stands here for its class. terms: the
# label, then aliases. CC0. Made by projects/gazetteers/scripts/build_terms.py.
property\tid\tpeople\tlang\tterms
"""
QUOTES = " '\"“”«»"


def main(folder: Path, output: Path) -> None:
    wanted = {p.id for p in load_properties()} | {CITIZENSHIP}
    rows: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    people: dict[tuple[str, str], int] = {}
    for path in sorted(folder.glob("P*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record["property"] not in wanted or not record.get("id"):
                continue
            value = record["property"], record["id"]
            people[value] = max(people.get(value, 0), record.get("count") or 0)
            terms = rows[(*value, record["lang"])]
            for term in (record["label"], record["term"]):
                text = " ".join(term.replace("|", " ").split()).strip(QUOTES)
                if text and text not in terms:
                    terms.append(text)
    with output.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for (property_, id_, lang), terms in sorted(rows.items()):
            n = str(people[property_, id_] or "")
            file.write("\t".join((property_, id_, n, lang, "|".join(terms))) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
