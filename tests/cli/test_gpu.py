import pytest
import spacy

from ..cases import cases

COMMANDS = [row.split() for row in cases(__file__, "commands")]


@pytest.mark.parametrize("order", COMMANDS, ids=lambda order: order[0])
def test_the_gpu_is_taken_before_a_model_is_loaded(
    deid, refused, order, monkeypatch, tmp_path, write_jsonl
):
    """GPU 0 is there, and no other."""
    happened = []

    def require_gpu(gpu_id=0):
        happened.append(gpu_id)
        if gpu_id:
            raise ValueError("No GPU devices detected")
        return True

    def load(name, **kwargs):
        happened.append(name)
        raise OSError(name)

    monkeypatch.setattr(spacy, "require_gpu", require_gpu)
    monkeypatch.setattr("spacy_deid.embedded.load_pipeline", load)
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "in.jsonl", [{"text": "Leeds", "entity_mentions": []}])
    for more, wanted in ((("-g", 0), [0, "model"]), ((), ["model"])):
        deid(*order, *more, code=1)
        assert happened == wanted
        happened.clear()
    told = "--gpu-id 3: no such GPU, or a package for it is missing"
    refused(told, *order, "--gpu-id", 3)
    assert happened == [3]
    if order[0] in ("run", "silver"):
        happened.clear()
        told = "--gpu-id and --n-process: a GPU serves one process"
        refused(told, *order, "-g", 0, "--n-process", 2)
        assert happened == []
