"""A pipeline assembled from trained parts carries no string of their training."""

import json
from pathlib import Path

import numpy
import pytest
import spacy
from spacy.cli.train import train as spacy_train
from spacy.lookups import Table
from spacy.tokens import DocBin
from thinc.api import Config

from spacy_deid.assemble import _clean_config, assemble, clean, main, requirements, save
from spacy_deid.evaluation.leaks import find_strings
from spacy_deid.gazetteers.compiled import Compiler, Entry

from .canaries import CANARIES, planted, train

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(tmp_path_factory.mktemp("trained"))


def run(*words, code=0):
    """The program, and how it ends."""
    assert main([*map(str, words)]) == code


def test_canaries_stay_behind_and_annotations_stay_the_same(trained, tmp_path):
    # The trained pipeline itself does hold them, so the test can fail.
    assert find_strings(trained, CANARIES)
    config = spacy.load(trained).config.copy()
    parts = {name: {"source": str(trained)} for name in config["nlp"]["pipeline"]}
    config["components"] = parts
    nlp = assemble(config, {"name": "clean"})
    save(nlp, tmp_path)
    assert find_strings(tmp_path, CANARIES) == []
    assert not {*CANARIES} & {*nlp.vocab.strings}
    text = "Mr Zyxquorth of Vlimbarough wrote to a@b.org on 6 May 2001."
    docs = spacy.load(trained)(text), nlp(text)
    for key in ("pii", "mask"):
        groups = [doc.spans[key] for doc in docs]
        rows = [[(s.start, s.end, s.label_, s.id_) for s in group] for group in groups]
        assert rows[0] == rows[1] and groups[0].attrs == groups[1].attrs


@pytest.mark.parametrize("clean", [True, False])
def test_spacy_train_writes_a_clean_pipeline_itself(clean, tmp_path, capsys):
    folder = tmp_path / "patients of Dr Quillfeather"
    folder.mkdir()
    DocBin(docs=[planted(spacy.blank("en"))] * 20).to_disk(folder / "train.spacy")
    path = str(folder / "train.spacy")
    # The package's own config, smaller and with the callback or without.
    config = Config().from_disk(ROOT / "configs/pii_ner_tok2vec.cfg", interpolate=False)
    config["paths"].update(train=path, dev=path)
    config["training"].update(max_steps=4, eval_frequency=2)
    tok2vec = config["components"]["pii_ner"]["model"]["tok2vec"]
    tok2vec["embed"].update(width=16, rows=[50, 50, 50, 50])
    tok2vec["encode"].update(width=16, depth=1)
    callback = {"@callbacks": "spacy_deid.clean_vocab.v1"} if clean else None
    config["training"]["before_to_disk"] = callback
    config.to_disk(tmp_path / "config.cfg")
    spacy_train(tmp_path / "config.cfg", tmp_path / "out")
    for name in ("model-best", "model-last"):
        found = find_strings(tmp_path / "out" / name, [*CANARIES, "Quillfeather"])
        assert not found if clean else {leak.string for leak in found} >= {0, 1, 5}
    loaded = spacy.load(tmp_path / "out" / "model-best")
    assert "PERSON" in loaded.get_pipe("pii_ner").labels
    # The scores are numbers and stay.
    assert "pii_ner_f" in loaded.meta["performance"]


def test_every_place_where_text_can_hide(trained, tmp_path):
    nlp = spacy.load(trained)
    hide = dict(zip(("cache", "lookups", "vectors", "meta"), CANARIES))
    nlp.vocab[hide["cache"]].rank = 7
    nlp.vocab.lookups.add_table("lexeme_prob", {hide["lookups"]: -9.0})
    # No model reads them.
    nlp.vocab.set_vector(hide["vectors"], numpy.ones(4, dtype="f"))
    nlp.meta["_places"] = hide["meta"]
    nlp.meta["performance"] = {"pii_ner_f": 0.5, "worst": hide["meta"]}
    nlp.config["paths"]["train"] = f"/data/{CANARIES[0]}/train.spacy"
    nlp.config["initialize"]["vectors"] = f"corpora\\{CANARIES[4]}"
    nlp.config["corpora"]["train"]["path"] = f"corpora/{CANARIES[1]}.spacy"
    save(nlp, tmp_path / "dirty")
    found = {leak.string for leak in find_strings(tmp_path / "dirty", CANARIES)}
    assert found == set(range(len(CANARIES)))
    save(clean(nlp), tmp_path / "clean")
    assert find_strings(tmp_path / "clean", CANARIES) == []
    meta = json.loads((tmp_path / "clean" / "meta.json").read_text())
    assert meta["performance"] == {"pii_ner_f": 0.5} and meta["vectors"]["keys"] == 0


@pytest.mark.parametrize(
    "message,part",
    [("1 special cases", "tokenizer"), ("1 norms", "lookups"), ("3 word", "vectors")],
)
def test_what_results_depend_on_and_may_be_training_text_is_not_kept_unasked(
    message, part
):
    nlp = spacy.blank("xx")
    pieces = ["Zyx", "quorth"]
    if part == "tokenizer":
        nlp.tokenizer.add_special_case("Zyxquorth", [{"ORTH": x} for x in pieces])
    elif part == "lookups":
        table = Table(name="lexeme_norm", data={"zyxquorth": "vlimbarough"})
        nlp.vocab.lookups.set_table("lexeme_norm", table)
    else:
        for i, word in enumerate(["Bonn", "Leeds", "Zyxquorth"]):
            nlp.vocab.set_vector(word, numpy.full(4, i + 1, dtype="f"))
        static(nlp)
    with pytest.raises(ValueError, match=f"{message}.*--keep {part}"):
        clean(nlp)
    nlp("Something about Vlimbarough.")
    kept = clean(nlp, keep=[part])
    assert "Vlimbarough" not in kept.vocab.strings
    if part == "tokenizer":
        assert [token.text for token in kept("Zyxquorth")] == pieces
    elif part == "lookups":
        assert len(kept.vocab.lookups.get_table("lexeme_norm")) == 1
    else:
        assert kept.vocab["Leeds"].vector.tolist() == [2.0] * 4


def static(nlp):
    embed = {"@architectures": "spacy.MultiHashEmbed.v2", "width": 16, "attrs": ["NORM"],
             "rows": [100], "include_static_vectors": True}  # fmt: skip
    encode = {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 16, "depth": 1,
              "window_size": 1, "maxout_pieces": 2}  # fmt: skip
    tok2vec = {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode}
    model = {"@architectures": "spacy_deid.TokenTagger.v1", "tok2vec": tok2vec}
    nlp.add_pipe("pii_ner", config={"model": model}).add_label("PERSON")
    nlp.initialize()


def test_vectors_without_keys_and_labels_come_along():
    nlp = spacy.blank("xx")
    data = numpy.arange(40, dtype="f").reshape(10, 4)
    floret = {"mode": "floret", "minn": 3, "maxn": 4, "hash_count": 2}
    vectors = spacy.vectors.Vectors(strings=nlp.vocab.strings, data=data, **floret)
    nlp.vocab.vectors = vectors
    static(nlp)
    expected = nlp.vocab["Zyxquorth"].vector
    kept = clean(nlp)
    assert "Zyxquorth" not in kept.vocab.strings
    assert kept.vocab["Zyxquorth"].vector.tolist() == expected.tolist()
    nlp = spacy.blank("xx")
    tagger = nlp.add_pipe("tagger")
    for label in ("QQ1", "QQ2"):
        tagger.add_label(label)
    nlp.initialize()
    assert {token.tag_ for token in clean(nlp)("Anna came.")} <= {"QQ1", "QQ2"}


def test_what_components_need_of_this_machine_is_refused_or_left(tmp_path, nlp):
    path = tmp_path / "terms.txt"
    path.write_text("Zyxquorth\n")
    terms = {"@deid_gazetteers": "spacy_deid.term_file.v1", "path": str(path)}
    nlp = spacy.blank("xx")
    nlp.add_pipe("pii_gazetteer", config={"terms": terms})
    with pytest.raises(ValueError, match=r"reads a file .*initialize.components"):
        clean(nlp)
    # What a saved model does not need any more is left of them: the name.
    folder = tmp_path / "some" / "encoder"
    folder.mkdir(parents=True)
    nlp.add_pipe("pii_ner").add_label("PERSON")
    config = nlp.config.copy()
    config["paths"]["encoder"] = str(folder)
    config["components"]["pii_ner"]["model"]["name"] = "${paths.encoder}"
    cleaned = _clean_config(config)
    assert cleaned["components"]["pii_ner"]["model"]["name"] == "encoder"
    assert str(tmp_path) not in cleaned.to_str()


def test_requirements_have_extras_and_are_not_repeated(trained):
    nlp = spacy.blank("ru")
    nlp.add_pipe("pii_gazetteer")
    assert requirements(nlp)[0].startswith("spacy-deid>=")
    nlp.add_pipe("pseudonymizer")
    assert requirements(nlp)[0].startswith("spacy-deid[russian]>=")
    nlp = spacy.load(trained)
    nlp.meta["requirements"] = ["spacy_deid==0.0.1", "some-plugin>=2"]
    assert requirements(nlp)[1:] == ["some-plugin>=2"]
    assert requirements(nlp)[0].startswith("spacy-deid>=")


def test_settings_are_saved_and_unknown_ones_refused(trained, tmp_path, capsys):
    message, out = "expected COMPONENT.NAME=VALUE", tmp_path / "out"
    for option, value, said in (
        *(("--set", f"risk_scorer{more}", message) for more in ("", ".threshold")),
        ("--set", "threshold=1", message),
        # Those have no weights.
        *(("--half", name, f"--half: '{name}'") for name in ("pii_gazetteer", "no")),
    ):
        run(trained, out, option, value, code=1)
        assert said in capsys.readouterr().err and not out.exists()
    order = ["--set", "risk_scorer.combine.threshold=0.3"]
    config = spacy.load(trained).config
    combine = {"@deid_combinations": "spacy_deid.weighted.v1", "threshold": 0.1}
    block = {"factory": "risk_scorer", "combine": combine}
    config["components"] = {"risk_scorer": block}
    config["nlp"]["pipeline"] = ["risk_scorer"]
    config.to_disk(tmp_path / "some.cfg")
    run(tmp_path / "some.cfg", tmp_path / "out", *order)
    nlp = spacy.load(tmp_path / "out")
    told = nlp.config["components"]["risk_scorer"]["combine"]["threshold"]
    assert nlp.get_pipe("risk_scorer").combine.threshold == told == pytest.approx(0.3)


def test_paths_of_a_config_can_be_overridden(trained, tmp_path, capsys):
    config = spacy.load(trained).config
    config["paths"]["parts"] = "nowhere"
    config["components"]["pii_ner"] = {"source": "${paths.parts}"}
    config.to_disk(tmp_path / "config.cfg", interpolate=False)
    source, out = tmp_path / "config.cfg", tmp_path / "out"
    for words, said in (
        ((source, out), "nowhere"),
        ((source, out, "--parts", "x"), "No such option"),
        ((trained, out, "--paths.parts", "x"), "--paths.parts is for a config"),
    ):
        run(*words, code=1)
        assert said in capsys.readouterr().err and not out.exists()
    run(source, out, "--paths.parts", trained)
    assert spacy.load(out).get_pipe("pii_ner").labels


def test_gazetteers_of_a_config_are_saved_with_the_pipeline(tmp_path):
    compiled = tmp_path / "terms.gaz"
    compiler = Compiler()
    compiler.add(Entry("zither maker", "DEM", id="Q1"))
    compiled.write_bytes(compiler.to_bytes())
    config = ROOT / "configs" / "deid_lang.cfg"
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_ner").add_label("PERSON")
    nlp.initialize()
    nlp.to_disk(tmp_path / "ner")
    # Of that recognizer nothing is wanted.
    options = ["--paths.ner", str(tmp_path / "ner"), "--set", "pii_ner.o_threshold=0.0"]
    for name, given in (("with", [str(compiled)]), ("without", [])):
        gazetteers = ["--vars.gazetteers", json.dumps(given)]
        run(config, tmp_path / name, *options, *gazetteers)
    compiled.unlink()
    docs = {n: spacy.load(tmp_path / n)("A zither maker.") for n in ("with", "without")}
    found = {n: {s.text for s in doc.spans["pii"]} for n, doc in docs.items()}
    assert "zither maker" in found["with"] and "zither maker" not in found["without"]


def test_half_precision_takes_half_the_room_and_annotates_alike(trained, tmp_path):
    folders = {name: tmp_path / name for name in ("whole", "half")}
    for folder, options in zip(folders.values(), ([], ["--half", "pii_ner"])):
        run(trained, folder, *options)
    whole, half = (f / "pii_ner" / "model" for f in folders.values())
    assert half.stat().st_size < 0.6 * whole.stat().st_size
    docs = []
    for nlp in map(spacy.load, folders.values()):
        walk = nlp.get_pipe("pii_ner").model.walk()
        nodes = [(n, p) for n in walk for p in n.param_names if n.has_param(p)]
        assert {n.get_param(p).dtype for n, p in nodes} == {numpy.dtype("float32")}
        doc = nlp("Anna Schmidt lives in Leeds.")
        docs.append([(s.text, s.label_) for s in doc.spans["pii"]])
    assert docs[0] == docs[1]
    # A risk scorer, too, with its indicators.
    embedded = ROOT / "spacy_deid" / "pipelines" / "en_deid_sm"
    run(embedded, tmp_path / "half", "--half", "risk_scorer")
    text = "Mr Robert Murray was born in Leeds on 6 May 1961."
    docs = [spacy.load(path)(text) for path in (embedded, tmp_path / "half")]
    found = [[(s.text, s.label_) for s in doc.spans["mask"]] for doc in docs]
    assert found[0] == found[1] and ("Leeds", "QUASI") in found[0]
