"""Texts linked by BM25 and by the vectors of a pretrained encoder, beside
`spacy_deid.evaluation.linkage`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy


class Bm25Matcher:
    """Similarity of texts to known ones by BM25 of words (Robertson and Zaragoza 2009,
    "The Probabilistic Relevance Framework", 3.1): for each word of the text
    idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length)).

    known (Sequence[str]): What is known of each candidate.
    RAISES (ValueError): If there are no words in them.
    RAISES (ImportError): Without scikit-learn.
    """

    def __init__(self, known: Sequence[str], k1: float = 1.2, b: float = 0.75) -> None:
        from sklearn.feature_extraction.text import CountVectorizer

        self._vectorizer = CountVectorizer(
            strip_accents="unicode", stop_words="english"
        )
        counts = self._vectorizer.fit_transform(known).astype("float64").tocoo()
        n, lengths = counts.shape[0], numpy.asarray(counts.sum(axis=1)).ravel()
        norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-9))
        saturated = counts.data * (k1 + 1) / (counts.data + norm[counts.row])
        found = numpy.bincount(counts.col, minlength=counts.shape[1])
        idf = numpy.log1p((n - found + 0.5) / (found + 0.5))
        counts.data = saturated * idf[counts.col]
        self._weights = counts.tocsr()

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray:
        """Similarities."""
        queries = self._vectorizer.transform(texts)
        return (queries @ self._weights.T).toarray()


class DenseMatcher:
    """Similarity of texts to known ones by an encoder: the highest cosine of two of their
    windows, each the mean of its word pieces (Reimers and Gurevych 2019, 3).

    known (Sequence[str]): What is known of each candidate.
    name (str): Encoder: a local folder, or a name that transformers can find.
    window (int): Word pieces of a window.
    RAISES (ImportError): Without the extra `transformers`.
    RAISES (OSError): If there is no such encoder.
    """

    def __init__(
        self, known: Sequence[str], name: str, window: int = 128, batch: int = 32
    ) -> None:
        import transformers

        self._tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        self._model = transformers.AutoModel.from_pretrained(name).eval()
        self._window, self._batch = window, batch
        self._known, self._owners = self._encode(known)
        self._n = len(known)

    def _encode(self, texts: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Unit vectors of windows, and the text that each is of."""
        import torch

        cut = self._tokenizer(
            list(texts),
            truncation=True,
            max_length=self._window,
            return_overflowing_tokens=True,
            padding=True,
            return_tensors="pt",
        )
        vectors = []
        with torch.no_grad():
            for i in range(0, len(cut["input_ids"]), self._batch):
                rows = slice(i, i + self._batch)
                mask = cut["attention_mask"][rows]
                used = int(mask.sum(axis=1).max())
                ids, mask = cut["input_ids"][rows, :used], mask[:, :used]
                hidden = self._model(input_ids=ids, attention_mask=mask)[0]
                mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
                vectors.append(torch.nn.functional.normalize(mean).numpy())
        return numpy.concatenate(vectors), cut["overflow_to_sample_mapping"].numpy()

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray:
        """Similarities."""
        found, owners = self._encode(texts)
        each = found @ self._known.T
        out = numpy.full((len(texts), self._n), -1.0)
        for row, owner in zip(each, owners):
            best = numpy.full(self._n, -1.0)
            numpy.maximum.at(best, self._owners, row)
            numpy.maximum(out[owner], best, out=out[owner])
        return out
