"""Small pipelines that learn a few documents by heart, and travel."""

import pickle

import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 24,
    "depth": 1, "embed_size": 200, "window_size": 1, "maxout_pieces": 2,
    "subword_features": True,
}  # fmt: skip


def named(name, **settings):
    """The block of an architecture of the package."""
    return {"@architectures": f"spacy_deid.{name}.v1", **settings}


def make_doc(nlp, words, **groups):
    """A document of words with groups of (start, end, label)."""
    doc = Doc(nlp.vocab, words=words.split())
    for key, rows in groups.items():
        doc.spans[key] = [Span(doc, s, e, label=label) for s, e, label in rows]
    return doc


def gold_examples(nlp, rows):
    """Examples of words and their spans."""
    docs = [make_doc(nlp, words, pii=spans) for words, spans in rows]
    return [Example(nlp.make_doc(doc.text), doc) for doc in docs]


def judged(nlp, words, rows, gold=True):
    """A document with spans (start, end, type, decision); the decisions are gold."""
    groups = {"pii": [row[:3] for row in rows]}
    if gold:
        groups["mask"] = [(s, e, decision) for s, e, _, decision in rows]
    return make_doc(nlp, words, **groups)


def overfit(nlp, examples, steps=60, learn_rate=0.01, drop=0.0):
    """Losses of the last component."""
    spacy.util.fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = learn_rate
    return [
        nlp.update(examples, sgd=optimizer, losses={}, drop=drop)[nlp.pipe_names[-1]]
        for _ in range(steps)
    ]


def copies(nlp, folder):
    """What comes back from a folder, bytes and a pickle."""
    nlp.to_disk(folder)
    blank = spacy.blank(nlp.lang).from_config(nlp.config)
    return [
        spacy.load(folder),
        blank.from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(nlp)),
    ]
