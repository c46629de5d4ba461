"""Check the project's own documents against docs/annotation.md, and count them.

    python assets/corpora/check.py assets/corpora [--agreement OTHER]

Lists by file and line what can't be read, and what contradicts itself: two decisions or
types of one entity, borders with white space, line breaks or titles in them; exit status 1
if there is any. Beside that what may be right: a name that is marked in one place and
not in another.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from spacy_deid.corpora.files import InputError
from spacy_deid.corpora.inline import read_inline
from spacy_deid.corpora.report import Report
from spacy_deid.gazetteers.lexicon import is_vocabulary

TITLE = re.compile(
    r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Dame|Judge|Rev|Sgt|Herr|Frau|Sr|Sra|Don|Doña)\b\.?\s"
)
EDGE = re.compile(r"^\s|\s$|\n|^\([^)]*$|^[\"“]|[,;:]$")
POSSESSIVE = re.compile(r"['’]s$")


def problems(record: dict) -> tuple[list[str], list[str]]:
    """What contradicts the guide, and what to look at, by line of the document."""
    text, out, look = record["text"], [], []
    seen: dict[str, tuple[str, str]] = {}
    marked: dict[str, str] = {}
    taken = [False] * len(text)
    for mention in record["entity_mentions"]:
        start, end = mention["start_offset"], mention["end_offset"]
        taken[start:end] = [True] * (end - start)
        string = text[start:end]
        line = text.count("\n", 0, start) + 1
        what = (mention["entity_type"], mention["identifier_type"])
        first = seen.setdefault(mention["entity_id"], what)
        if first != what:
            out.append(f"+{line}: entity {mention['entity_id']} is {first} and {what}")
        outside = POSSESSIVE.search(string) or TITLE.match(string)
        if EDGE.search(string) or (what[0] == "PERSON" and outside):
            out.append(f"+{line}: borders of '{string}'")
        if what[0] in ("PERSON", "CODE", "ORG") and len(string) > 2:
            marked[string] = mention["entity_id"]
    for string in marked:
        if string.islower() or is_vocabulary(string.lower()):
            continue  # may be a word elsewhere
        for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", text):
            if not any(taken[match.start() : match.end()]):
                line = text.count("\n", 0, match.start()) + 1
                look.append(f"+{line}: '{string}' is marked elsewhere, not here")
    return out, look


def agreement(first: Path, second: Path) -> str:
    """F1 of the second annotator's spans by the first one's, and agreement of decisions."""
    ours = {r["doc_id"]: r for [r] in read_inline(first, Report())}
    both = same = exact = touch = n_first = n_second = 0
    texts = 0
    for [theirs] in read_inline(second, Report()):
        mine = ours[theirs["doc_id"]]
        if mine["text"] != theirs["text"]:
            raise SystemExit(f"{theirs['doc_id']}: the two texts differ")
        texts += 1
        a = {
            (m["start_offset"], m["end_offset"], m["entity_type"]): m
            for m in mine["entity_mentions"]
        }
        b = {
            (m["start_offset"], m["end_offset"], m["entity_type"]): m
            for m in theirs["entity_mentions"]
        }
        n_first, n_second = n_first + len(a), n_second + len(b)
        exact += len(a.keys() & b.keys())
        touch += sum(any(s < e2 and s2 < e for s2, e2, _ in b) for s, e, _ in a)
        for key in a.keys() & b.keys():
            both += 1
            masks = [m[key]["identifier_type"] != "NO_MASK" for m in (a, b)]
            same += masks[0] == masks[1]
    f1 = 2 * exact / max(1, n_first + n_second)
    return (
        f"{texts} documents, {n_first} and {n_second} spans: exact F1 {f1:.3f}, "
        f"{touch / max(1, n_first):.3f} of the first one's touched, "
        f"masked or not the same in {same / max(1, both):.3f} of those exact"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--agreement", type=Path, help="the second annotation")
    args = parser.parse_args()
    if args.agreement:
        print(agreement(args.path, args.agreement))
        return 0
    bad = 0
    totals: Counter[str] = Counter()
    folders = [args.path] if args.path.is_file() else sorted(args.path.iterdir())
    languages = [args.path] if any(f.is_file() for f in folders) else folders
    for folder in languages:
        for file in [folder] if folder.is_file() else sorted(folder.rglob("*.txt")):
            counts: Counter[str] = Counter()
            try:
                for [record] in read_inline(file, Report()):
                    wrong, look = problems(record)
                    bad += len(wrong)
                    for problem in [*wrong, *(f"{x}?" for x in look)]:
                        print(f"{file}:{record['line']}{problem} ({record['doc_id']})")
                    masked = {
                        m["entity_id"]
                        for m in record["entity_mentions"]
                        if m["identifier_type"] != "NO_MASK"
                    }
                    counts["documents"] += 1
                    counts["words"] += len(record["text"].split())
                    counts["spans"] += len(record["entity_mentions"])
                    counts["impersonal"] += len(masked) <= 1
            except InputError as error:
                bad += 1
                print(error)
            totals.update({f"{folder.name} {k}": v for k, v in counts.items()})
            print(
                f"{folder.name}/{file.name}: "
                + ", ".join(f"{v} {k}" for k, v in counts.items())
            )
    print("; ".join(f"{k} {v}" for k, v in totals.items()))
    print(f"{bad} problems")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
