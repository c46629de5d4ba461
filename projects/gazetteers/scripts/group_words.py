"""Group the words of a lexicon by how they are used.

    python projects/gazetteers/scripts/group_words.py en ENCODER TEXTS...

Not needed to use the package. ENCODER is the folder of a pretrained encoder (`assets/encoder`),
TEXTS are JSON lines with a `text`. Adds `groups` to `spacy_deid/data/lang/LANG/lexicon.npz`. Needs
the extra `transformers`, scikit-learn, wordfreq and names (of the package index).

A word's vector is the mean of the encoder's middle layers over its occurrences in the texts; that
of a rare word is drawn towards what its own spelling, read alone, lets expect. K-means, weighted by
frequency, makes the fine groups, others by half of the columns, and of the centres the coarse ones.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import names
import numpy
import torch
import wordfreq
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from spacy.strings import hash_string
from transformers import AutoModel, AutoTokenizer

from spacy_deid.data import ROOT
from spacy_deid.gazetteers.lexicon import KEY_BITS, load_lexicon

# Fine groups; those by a part of the vector each; coarse groups; columns of a vector.
FINE, PARTLY, COARSE, WIDTH = 1024, (512, 256, 256, 128, 64, 64), 96, 64
# Words of a file at most, of a piece of text, and occurrences of a word that count.
MOST, PIECE, ENOUGH = 120_000, 120, 400
# As many occurrences as what the spelling lets expect counts for.
PRIOR = 8
LAYERS = 3, 4
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")


def known_words(lang: str) -> dict[str, float]:
    """Words that are in the lexicon, and how frequent they are."""
    keys = set(load_lexicon(lang).keys.tolist())
    counts = dict(wordfreq.get_frequency_dict(lang, "large"))
    for name in ("male.first", "female.first", "all.last"):
        lines = Path(names.__file__).with_name(f"dist.{name}").open(encoding="utf8")
        counts.update(
            {w: counts.get(w, 0.0) for w in (x.split()[0].lower() for x in lines)}
        )
    return {w: n for w, n in counts.items() if key_of(w) in keys}


def key_of(word: str) -> int:
    return hash_string(word) >> (64 - KEY_BITS)


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
    small = PCA(WIDTH, random_state=0).fit(mixed[counts >= 3]).transform(mixed)
    return small / (numpy.linalg.norm(small, axis=1, keepdims=True) + 1e-9)


def main(lang: str, folder: str, *paths: str) -> None:
    counted = known_words(lang)
    words = sorted(counted)
    encoder = Encoder(folder)
    alone = encoder.alone(words)
    found = vectors(alone, *encoder.in_texts(words, list(pieces(list(paths)))))
    zipf = numpy.array([math.log10(counted[w] + 1e-9) + 9 for w in words])
    weights = numpy.clip(zipf, 0.5, None) ** 1.5

    def grouped(rows: numpy.ndarray, n: int) -> KMeans:
        means = KMeans(n, n_init=1, max_iter=50, random_state=0, init="random")
        return means.fit(rows, sample_weight=weights)

    fine = grouped(found, FINE)
    columns = [fine.labels_]
    for seed, n in enumerate(PARTLY):
        half = numpy.random.default_rng(seed).choice(WIDTH, WIDTH // 2, replace=False)
        columns.append(grouped(found[:, half], n).labels_)
    coarse = AgglomerativeClustering(COARSE).fit_predict(fine.cluster_centers_)
    rows = numpy.stack([*columns, coarse[fine.labels_]], axis=1) + 1
    of = dict(zip(map(key_of, words), rows.tolist()))
    path = ROOT / "lang" / lang / "lexicon.npz"
    with numpy.load(path) as arrays:
        kept = {name: arrays[name] for name in ("keys", "classes")}
    none = [0] * rows.shape[1]
    groups = [of.get(key, none) for key in kept["keys"].tolist()]
    numpy.savez_compressed(path, **kept, groups=numpy.array(groups, "uint16"))
    print(f"{len(words)} of {len(groups)} words, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
