import hashlib
import random

import pytest

from spacy_deid.evaluation.gate import attack
from spacy_deid.evaluation.gate.released import Released, Replaced
from spacy_deid.gazetteers.names import load_names

OWN = hashlib.sha256(b"of these tests").hexdigest()


def made_letter(i, given, family, odd=False):
    """A document of three people that no other one names."""
    out = Released(f"d{i}", "", "")
    for j in range(3 * i, 3 * i + 3):
        old = f"{given[j]} {family[j]}"
        old = f"Zq{'xvk'[j % 3]}{j}zz {'Ghr' * (1 + j % 2)}wq{j}" if odd else old
        new = f"{given[200 + j]} {family[200 + j]}"
        a, b = len(out.original), len(out.text)
        row = (a, a + len(old), b, b + len(new), "PERSON", "", "DIRECT", "ner")
        out.replaced.append(Replaced(*row))
        out.original += f"{old} wrote again. "
        out.text += f"{new} wrote again. "
    return out


@pytest.fixture(scope="module")
def corpus(run):
    return run(OWN)


def test_originals_are_put_back_with_all_their_mentions(corpus):
    released = corpus[0]
    everything = attack.hide(released, (1.0, 1.0), random.Random(0))
    nothing = attack.hide(released, (0.0, 0.0), random.Random(0))
    assert nothing.text == released.text
    assert all(name.original for name in everything.names)
    assert not any(name.original for name in nothing.names)
    for each in (everything, nothing):
        texts = [each.text[n.start : n.end] for n in each.names]
        assert len(texts) == sum(r.label != "CODE" for r in released.replaced)
        assert all(any(map(str.isupper, text)) for text in texts)
    texts = [everything.text[n.start : n.end] for n in everything.names]
    assert texts.count("Robert Murray") == 2
    # Codes are no names: they stay as they were.
    assert "280400/19" not in everything.text


def test_marks_do_not_hide_and_names_do(run, corpus):
    pytest.importorskip("sklearn")
    marks = attack.measure_hiding(run(OWN, "typed_placeholder"))
    assert marks.value is None and "marks do not hide" in marks.of
    # Who is named everywhere would be known by heart.
    assert attack.measure_hiding(corpus).value is None
    given = sorted(n.title() for n in load_names().given)[::7]
    family = sorted(n.title() for n in load_names().family)[::7]
    found = attack.measure_hiding([made_letter(i, given, family) for i in range(30)])
    low, high = found.interval
    assert 0 <= low <= found.value <= high <= 1
    # Originals that look like nothing that surrogates are made of give themselves away.
    odd = [made_letter(i, given, family, odd=True) for i in range(30)]
    assert attack.measure_hiding(odd).interval[0] > found.value
    assert attack.measure_hiding(corpus[:3]).value is None


def test_a_key_that_was_used_twice_and_words_that_are_left(run, corpus):
    assert attack.measure_shared(corpus, run(OWN)).value == 1
    others = run("another-key-of-somebody-else-1234567")
    assert attack.measure_shared(corpus, others).value == 0
    assert attack.measure_shared(run(OWN, "redact"), corpus).value is None
    pytest.importorskip("sklearn")
    own = {r.doc_id: r.original for r in corpus}
    unlike = {r.doc_id: f"word{i} thing{i}" for i, r in enumerate(corpus)}
    same = attack.measure_linking(corpus, {r.doc_id: r.text for r in corpus})
    assert same.value > 0.9 and same.interval[0] < 1
    other = attack.measure_linking(corpus, unlike)
    assert other.value < same.value and other.interval[1] > 0
    assert attack.measure_linking(corpus, {"elsewhere": "a text"}).value is None
    assert attack.measure_linking(corpus, own).of == "24 documents among 24 texts"
