import pytest
import spacy
from spacy.tokens import Span
from spacy.training import Example

COMPONENTS = [("pii_ner", "o_threshold"), ("risk_scorer", "threshold")]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    nlp = spacy.blank("xx")
    for name, _ in COMPONENTS:
        nlp.add_pipe(name)
    doc = nlp.make_doc("Anna came")
    doc.spans["pii"] = [Span(doc, 0, 1, label="PERSON")]
    doc.spans["mask"] = [Span(doc, 0, 1, label="DIRECT")]
    nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc)])
    folder = tmp_path_factory.mktemp("saved")
    nlp.to_disk(folder)
    return folder


@pytest.mark.parametrize("name,setting", COMPONENTS)
def test_settings_can_be_overridden_and_are_kept(name, setting, saved, tmp_path):
    nlp = spacy.load(saved, config={"components": {name: {setting: 0.25}}})
    assert getattr(nlp.get_pipe(name), setting) == 0.25
    setattr(nlp.get_pipe(name), setting, 0.75)
    nlp.to_disk(tmp_path)
    assert getattr(spacy.load(tmp_path).get_pipe(name), setting) == 0.75
    with pytest.raises(ValueError, match=r"0\.\.1"):
        setattr(nlp.get_pipe(name), setting, 1.5)
    # A damaged model is one clear error.
    model = tmp_path / name / "model"
    model.write_bytes(model.read_bytes()[: model.stat().st_size // 2])
    with pytest.raises(ValueError, match=f"'{name}' is damaged"):
        spacy.load(tmp_path)
