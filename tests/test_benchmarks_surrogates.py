"""The benchmark of surrogates: both sides replace the same spans."""

import pytest

import spacy_deid

TEXT = "Mr Robert Murray came to Leeds on 6 May 2001. Mr Murray works for Acme Ltd."


@pytest.fixture(scope="module")
def bench(load_benchmark):
    pytest.importorskip("presidio_anonymizer", reason="the peer is not installed")
    return load_benchmark("surrogates")


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy_deid.load()
    nlp.get_pipe("pseudonymizer").set_key("k")
    return nlp


def test_both_sides_replace_all_spans(bench, nlp):
    with nlp.select_pipes(disable=["pseudonymizer"]):
        docs = list(nlp.pipe([TEXT]))
    spans = [span.text for span in docs[0].spans["pii"]]
    assert "Leeds" in spans and len(spans) > 3
    for run in (bench.make_presidio(docs), bench.make_ours(nlp, docs, "all")):
        (text,) = run()
        assert not any(span in text for span in spans)
        assert " came to " in text and " works for " in text


def test_report_is_of_the_seconds_measured(bench, nlp):
    found = bench.measure(nlp, [TEXT] * 3, rounds=1)
    seconds = found["seconds"]
    assert all(value > 0 for value in seconds.values())
    assert found["documents"] == 3 and found["spans"] % 3 == 0
    assert found["ratio"] == seconds["presidio"] / seconds["ours"]
    for mask, share in found["share_of_pipeline"].items():
        inside, whole = seconds[f"pseudonymizer_{mask}"], seconds[f"pipeline_{mask}"]
        assert share == inside / whole < 1
    shares = bench.shares([seconds, seconds])
    assert shares == pytest.approx(found["share_of_pipeline"])
    faster = {job: value / 2 for job, value in seconds.items()}
    faster["pseudonymizer_all"] = 0.0
    found_together = bench.shares([seconds, faster])
    assert found_together["all"] == pytest.approx(shares["all"] / 1.5)
    assert found_together["risky"] == pytest.approx(shares["risky"])
    rates = found["surrogates_per_s"]
    assert rates["spacy_deid"] / rates["presidio_faker"] == pytest.approx(
        found["ratio"]
    )


def test_documents_are_there_without_data(bench):
    (texts,) = bench.make_documents(None).values()
    assert len(texts) == 60 and all(texts)
