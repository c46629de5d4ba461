"""The option --gpu-id, the same for all commands that predict."""

import pytest
import spacy

COMMANDS = {
    "run": ["in.jsonl", "out.jsonl", "--model", "model"],
    "evaluate": ["model", "in.jsonl", "--output", "out.json"],
    "curve": ["model", "in.jsonl", "--output", "out.json"],
    "calibrate": ["model", "in.jsonl", "out"],
    "silver": ["in.jsonl", "out.jsonl", "--model", "model"],
}
MISSING = "Error: --gpu-id 3: no such GPU, or a package for it is missing"


@pytest.fixture
def gpus(monkeypatch, tmp_path, write_jsonl):
    """GPU 0 is there. Gives the order of what happens."""
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
    return happened


@pytest.mark.parametrize("command", COMMANDS)
def test_the_gpu_is_taken_before_a_model_is_loaded(deid, gpus, command):
    deid(command, *COMMANDS[command], "-g", 0, code=1)
    assert gpus == [0, "model"]
    gpus.clear()
    deid(command, *COMMANDS[command], code=1)
    assert gpus == ["model"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_gpu_that_is_not_there_ends_in_one_line(deid, gpus, tmp_path, command):
    result = deid(command, *COMMANDS[command], "--gpu-id", 3, code=1)
    assert gpus == [3]
    assert result.stderr.startswith(MISSING) and result.stderr.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize("command", ["run", "silver"])
def test_a_gpu_serves_one_process(deid, gpus, command):
    result = deid(command, *COMMANDS[command], "-g", 0, "--n-process", 2, code=1)
    assert gpus == []
    assert "--gpu-id and --n-process: a GPU serves one process" in result.stderr
