"""A pipeline assembled from trained parts carries no string of their training."""

import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from thinc.api import Config

from spacy_deid.assemble import assemble, main, save
from spacy_deid.pii_ner import DEFAULT_MODEL

# Strings that no vocabulary of a language could hold by itself.
CANARIES = ["Zyxquorth", "Vlimbarough", "QX-77431-ZZ", "zyxquorth@vlim.example"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    nlp = spacy.blank("en")
    model = Config().from_str(DEFAULT_MODEL)["model"]
    model["tok2vec"].update(width=32, depth=1, embed_size=100)
    nlp.add_pipe("pii_gazetteer")
    nlp.add_pipe("pii_ner", config={"model": model})
    nlp.add_pipe("risk_scorer")
    doc = Doc(nlp.vocab, words=["Mr", *CANARIES[:2], "has", *CANARIES[2:], "."])
    doc.spans["pii"] = SpanGroup(
        doc,
        spans=[Span(doc, 0, 3, label="PERSON"), Span(doc, 4, 5, label="CODE")],
    )
    doc.spans["mask"] = [Span(doc, 0, 3, label="DIRECT")]
    examples = [Example(nlp.make_doc(doc.text), doc)]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples, sgd=optimizer, annotates=["pii_ner"])
    nlp(doc.text)
    path = tmp_path_factory.mktemp("trained")
    nlp.to_disk(path)
    return path


def make_config(path):
    nlp = spacy.load(path)
    config = nlp.config.copy()
    config["components"] = {name: {"source": str(path)} for name in nlp.pipe_names}
    return config


def contents(folder):
    return b"".join(p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file())


def test_canaries_stay_behind(trained, tmp_path):
    # The trained pipeline itself does hold them, so the test can fail.
    assert any(c.encode() in contents(trained) for c in CANARIES)
    nlp = assemble(make_config(trained), {"name": "clean"})
    save(nlp, tmp_path / "clean")
    data = contents(tmp_path / "clean")
    for canary in CANARIES:
        assert canary.encode() not in data
        assert canary.lower().encode() not in data.lower()
        assert canary not in nlp.vocab.strings


def test_annotations_stay_the_same(trained):
    text = "Mr Zyxquorth of Vlimbarough wrote to a@b.org on 6 May 2001."
    before, after = spacy.load(trained)(text), assemble(make_config(trained))(text)
    for key in ("pii", "mask"):
        spans = [
            [(s.start, s.end, s.label_, s.id_) for s in doc.spans[key]]
            for doc in (before, after)
        ]
        assert spans[0] == spans[1]
        assert before.spans[key].attrs == after.spans[key].attrs


def test_meta_names_the_package_and_settings_hold(trained, tmp_path):
    nlp = assemble(
        make_config(trained), {"name": "x"}, {"risk_scorer": {"threshold": 0.125}}
    )
    save(nlp, tmp_path / "x")
    loaded = spacy.load(tmp_path / "x")
    assert loaded.get_pipe("risk_scorer").threshold == 0.125
    assert loaded.meta["name"] == "x"
    assert loaded.meta["requirements"][0].startswith("spacy-deid")


def test_command_fails_with_one_line_and_leaves_nothing(tmp_path, capsys):
    assert main([str(tmp_path / "none.cfg"), str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()
