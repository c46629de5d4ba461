"""Group the words of a lexicon by how they are used.

    python projects/gazetteers/scripts/group_words.py en ENCODER TEXTS...

Not needed to use the package. ENCODER is the folder of a pretrained encoder (`assets/encoder`),
TEXTS are JSON lines with a `text`. Adds `groups` to `spacy_deid/data/lang/LANG/lexicon.npz`. Needs
the extra `transformers`, scikit-learn, wordfreq and names (of the package index).

A word's vector is the mean of the encoder's middle layers over its occurrences in the texts; that
of a rare word is drawn towards what its own spelling, read alone, lets expect.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import names
import numpy
import torch
import wordfreq
from grouping import in_lexicon, narrowed, write_groups
from sklearn.linear_model import Ridge
from transformers import AutoModel, AutoTokenizer

# Words of a file at most, of a piece of text, and occurrences of a word that count.
MOST, PIECE, ENOUGH = 120_000, 120, 400
# As many occurrences as what the spelling lets expect counts for.
PRIOR = 8
LAYERS = 3, 4
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")


def known_words(lang: str) -> dict[str, float]:
    """Words that are in the lexicon, and how frequent they are."""
    counts = dict(wordfreq.get_frequency_dict(lang, "large"))
    for name in ("male.first", "female.first", "all.last"):
        lines = Path(names.__file__).with_name(f"dist.{name}").open(encoding="utf8")
        counts.update(
            {w: counts.get(w, 0.0) for w in (x.split()[0].lower() for x in lines)}
        )
    return in_lexicon(lang, counts)


def pieces(paths: list[str]) -> Iterator[list[str]]:
    """Texts in pieces of so many words, each file's in random order."""
    for path in paths:
        lines = Path(path).read_text("utf8").splitlines()
        random.Random(0).shuffle(lines)
        size = 0
        for line in lines if size < MOST else ():
            words = _TOKEN.findall(json.loads(line)["text"])
            size += len(words)
            yield from (words[i : i + PIECE] for i in range(0, len(words), PIECE))
            if size > MOST:
                break


class Encoder:
    """A pretrained encoder: all of it for single words, its first layers for texts."""

    def __init__(self, folder: str) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder).eval()

    @torch.inference_mode()
    def alone(self, words: list[str]) -> numpy.ndarray:
        """Vectors of words without context, shape (words, width)."""
        out = numpy.zeros((len(words), self.model.config.hidden_size), "float32")
        order = sorted(range(len(words)), key=lambda i: len(words[i]))
        for start in range(0, len(words), 512):
            rows = order[start : start + 512]
            batch = self.tokenizer(
                [words[i] for i in rows], padding=True, return_tensors="pt"
            )
            mask = batch["attention_mask"].unsqueeze(-1)
            hidden = self.model(**batch).last_hidden_state * mask
            mean = hidden.sum(1) / mask.sum(1)
            out[rows] = torch.nn.functional.normalize(mean, dim=1).numpy()
        return out

    @torch.inference_mode()
    def in_texts(
        self, words: list[str], texts: list[list[str]]
    ) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Sums of the vectors of words' occurrences, shape (words, width), and their
        numbers."""
        place = {word: i for i, word in enumerate(words)}
        sums = numpy.zeros((len(words), self.model.config.hidden_size), "float32")
        counts = numpy.zeros(len(words), "int32")
        self.model.encoder.layer = self.model.encoder.layer[: max(LAYERS)]
        texts.sort(key=len)
        for start in range(0, len(texts), 48):
            batch = texts[start : start + 48]
            encoded = self.tokenizer(
                batch,
                is_split_into_words=True,
                padding=True,
                truncation=True,
                max_length=256,
                return_tensors="pt",
            )
            hidden = self.model(**encoded, output_hidden_states=True).hidden_states
            mean = torch.stack([hidden[k] for k in LAYERS]).mean(0).numpy()
            for k, text in enumerate(batch):
                found = [
                    (at, i)
                    for at, word in enumerate(encoded.word_ids(k))
                    if word is not None
                    and (i := place.get(text[word].lower())) is not None
                    and counts[i] < ENOUGH
                ]
                if found:
                    at, rows = map(list, zip(*found))
                    numpy.add.at(sums, rows, mean[k, at])
                    numpy.add.at(counts, rows, 1)
        return sums, counts


def vectors(
    alone: numpy.ndarray, sums: numpy.ndarray, counts: numpy.ndarray
) -> numpy.ndarray:
    """One vector of unit length a word."""
    means = sums / numpy.maximum(counts, 1)[:, None]
    often = counts >= 20
    means = (means - means[often].mean(0)) / (means[often].std(0) + 1e-6)
    expect = Ridge(10.0).fit(alone[often], means[often], numpy.sqrt(counts[often]))
    share = (counts / (counts + PRIOR))[:, None]
    mixed = share * means + (1 - share) * expect.predict(alone)
    return narrowed(mixed, counts >= 3)


def main(lang: str, folder: str, *paths: str) -> None:
    counted = known_words(lang)
    words = sorted(counted)
    encoder = Encoder(folder)
    alone = encoder.alone(words)
    found = vectors(alone, *encoder.in_texts(words, list(pieces(list(paths)))))
    write_groups(lang, words, counted, found)


if __name__ == "__main__":
    main(*sys.argv[1:])
