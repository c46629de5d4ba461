"""Count everyday words: the table of Zipf values that comes with the package.

    python projects/gazetteers/scripts/count_words.py OUT GROUP...

Not needed to use the package. Each GROUP is JSON lines with a `text`, of one kind, commas between
the files: kinds count alike, whatever their sizes.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from spacy_deid.gazetteers.frequencies import count_words


def texts(group: str) -> Iterator[str]:
    for path in group.split(","):
        for line in Path(path).read_text("utf8").splitlines():
            yield json.loads(line)["text"]


def main(out: str, *groups: str) -> None:
    sums: Counter[str] = Counter()
    for group in groups:
        for word, value in count_words(texts(group), 3).items():
            sums[word] += 10**value  # type: ignore[assignment]
    means = {word: math.log10(total / len(groups)) for word, total in sums.items()}
    rows = sorted((-round(v, 1), w) for w, v in means.items() if v >= 3.3)
    lines = [f"{word}\t{-value:.1f}\n" for value, word in rows if len(word) > 1]
    note = (
        f"# Zipf values: mean over {len(groups)} kinds of text, lower-case words only\n"
    )
    Path(out).write_text(note + "".join(lines), encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
