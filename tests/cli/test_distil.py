"""A recognizer learns from what another one thinks, where the gold leaves it open."""

import numpy
import pytest
import spacy
from spacy.tokens import DocBin, Span
from spacy.training import Example
from thinc.api import Config

from spacy_deid.corpora.augment import EntitySwap
from spacy_deid.corpora.distil import Teachers, find_teacher
from spacy_deid.models.distillation import TAGS, read_tags, write_tags
from spacy_deid.pii_ner import DEFAULT_MODEL
from spacy_deid.schema import NER_KEY, PII_KEY

from ..cases import cases

TRAIN = cases(__file__, "train")
RAW = [text for text, _ in TRAIN] + ["Anna Kowalska and Robert Murray met in Leeds ."]


def untrained(labels, model=DEFAULT_MODEL, **config):
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    model = Config().from_str(model)["model"]
    model["tok2vec"].update(width=32, depth=2, embed_size=200)
    nlp.add_pipe("pii_ner", config={"model": model, **config})
    sample = Example(nlp.make_doc(RAW[0]), gold(nlp, *TRAIN[0]))
    nlp.get_pipe("pii_ner").initialize(lambda: [sample], nlp=nlp, labels=labels)
    return nlp


def gold(nlp, text, spans, covers=None):
    doc = nlp.make_doc(text)
    doc.spans[PII_KEY] = [Span(doc, s, e, label=label) for s, e, label in spans]
    if covers is not None:
        doc.spans[PII_KEY].attrs["covers"] = covers
    return doc


def learn(nlp, references, steps=60):
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in references]
    optimizer = nlp.create_optimizer()
    for _ in range(steps):
        nlp.update(examples, sgd=optimizer)
    return nlp


def found(nlp, texts):
    docs = list(nlp.pipe(texts))
    return [[(s.text, s.label_) for s in doc.spans[NER_KEY]] for doc in docs]


@pytest.fixture(scope="module")
def teacher():
    nlp = untrained(["PERSON", "LOC"])
    return learn(nlp, [gold(nlp, *row) for row in TRAIN])


@pytest.fixture
def taught(teacher):
    return lambda docs: list(Teachers([find_teacher(teacher)]).teach(docs))


def test_a_student_learns_what_its_teacher_finds_or_what_the_gold_says(teacher, taught):
    # In another order, as a student's labels may be.
    student = untrained(["LOC", "PERSON"])
    docs = taught([student.make_doc(text) for text in RAW])
    learn(student, docs)
    assert found(student, RAW) == found(teacher, RAW)
    assert ("Anna Kowalska", "PERSON") in found(student, RAW)[-1]
    mine = student.get_pipe("pii_ner").tag_probabilities([student.make_doc(RAW[0])])
    theirs = read_tags(docs[0].spans[PII_KEY], ["LOC", "PERSON"])
    assert numpy.abs(mine[0] - theirs).max() < 0.2
    # Its annotators marked places alone; in the one case they took persons for such,
    # and in the other the teacher says who is one.

    def learnt(keep):
        student = untrained(["PERSON", "LOC"])
        kept = ([(*s[:2], "LOC") for s in spans if keep(s)] for _, spans in TRAIN)
        rows = zip(RAW, kept)
        return learn(student, taught([gold(student, *row, ["LOC"]) for row in rows]))

    student = learnt(lambda span: span[2] != "LOC")
    names = [[x for x in row if x[1] == "LOC"] for row in found(student, RAW[:2])]
    assert names == [[("Robert Murray", "LOC")], [("Anna Kowalska", "LOC")]]
    student = learnt(lambda span: span[2] == "LOC")
    assert found(student, RAW) == found(teacher, RAW)


def test_several_teachers_say_what_they_think_on_average(teacher):
    other = untrained(["LOC", "PERSON"])
    doc = other.make_doc(RAW[0])
    both = [find_teacher(teacher), find_teacher(other)]
    (mean,) = Teachers(both).teach([doc])
    rows = read_tags(mean.spans[PII_KEY], ["PERSON", "LOC"])
    (first,), (second,) = (ner.tag_probabilities([doc]) for ner in both)
    expected = (first + second[:, [0, 5, 6, 7, 8, 1, 2, 3, 4]]) / 2
    assert numpy.allclose(rows, expected, atol=1e-3)
    with pytest.raises(ValueError, match="different labels: PERSON, LOC; PERSON"):
        Teachers([both[0], find_teacher(untrained(["PERSON"]))])


def test_a_crf_learns_what_the_gold_says_of_sequences(taught):
    model = DEFAULT_MODEL.replace("TokenTagger", "CRFTagger")
    nlp = untrained(["PERSON", "LOC"], model)
    doc = gold(nlp, *TRAIN[0], ["LOC"])
    ner, example = nlp.get_pipe("pii_ner"), Example(nlp.make_doc(doc.text), doc)
    scores = ner.predict([example.predicted])
    before, _ = ner.get_loss([example], scores)
    taught([doc])
    after, _ = ner.get_loss([example], scores)
    assert after == before > 0


def test_changed_text_has_none_of_its_teachers_probabilities(taught):
    nlp = spacy.blank("en")
    (doc,) = taught([gold(nlp, *TRAIN[0])])
    swap = EntitySwap(level=1.0, recase=1.0)
    (changed,) = swap(nlp, Example(nlp.make_doc(doc.text), doc))
    assert changed.reference.text != doc.text
    assert TAGS not in changed.reference.spans[PII_KEY].attrs
    assert TAGS in doc.spans[PII_KEY].attrs


def test_probabilities_of_other_labels_or_tokens_are_left_alone():
    nlp = untrained(["PERSON", "LOC"])
    doc = gold(nlp, "Ann rests", [], [])
    write_tags(doc.spans[PII_KEY], ["PERSON"], numpy.full((2, 5), 0.2))
    assert read_tags(doc.spans[PII_KEY], ["PERSON", "LOC"]) is None
    write_tags(doc.spans[PII_KEY], ["PERSON", "LOC"], numpy.full((3, 9), 1 / 9))
    ner, example = nlp.get_pipe("pii_ner"), Example(nlp.make_doc(doc.text), doc)
    loss, _ = ner.get_loss([example], ner.predict([example.predicted]))
    assert loss == pytest.approx(0.0, abs=1e-5)


def test_what_the_command_writes(teacher, deid, tmp_path, write_jsonl):
    teacher.to_disk(tmp_path / "teacher")
    raw = write_jsonl(tmp_path / "raw.jsonl", [{"text": text} for text in RAW])
    out, again, marked = (tmp_path / f"{n}.spacy" for n in ("out", "again", "marked"))
    deid("distil", raw, out, "--teacher", tmp_path / "teacher")
    docs = list(DocBin().from_disk(out).get_docs(teacher.vocab))
    assert [doc.text for doc in docs] == RAW
    (rows,) = find_teacher(teacher).tag_probabilities([teacher.make_doc(RAW[0])])
    read = read_tags(docs[0].spans[PII_KEY], ["PERSON", "LOC"])
    assert numpy.allclose(read, rows, atol=1e-3)
    # Documents with gold keep it.
    DocBin(docs=[gold(teacher, *TRAIN[0])]).to_disk(marked)
    deid("distil", marked, again, "-t", tmp_path / "teacher", "--mix", out)
    doc, *mixed = DocBin().from_disk(again).get_docs(teacher.vocab)
    assert [other.text for other in mixed] == RAW
    assert [s.text for s in doc.spans[PII_KEY]] == ["Robert Murray", "Leeds"]
    assert TAGS in doc.spans[PII_KEY].attrs
