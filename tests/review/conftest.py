import json
import shutil

import pytest

from spacy_deid.review.page import Sampling, page_of

ALL = Sampling()


def build_document(doc_id, text, *found, **more):
    """A document as `make_document` has it. found: each a string of the text, in order,
    its label and decision, its surrogate, and what else is told of it."""
    spans, new, last = [], "", 0
    for string, label, decision, surrogate, told in found:
        start = text.index(string, last)
        new += text[last:start] + surrogate
        last = start + len(string)
        spans.append(
            {
                "at": [start, last], "to": [len(new) - len(surrogate), len(new)],
                "label": label, "subtype": "", "decision": decision, "risk": 0.5,
                "score": 0.9, "source": "ner:pii_ner", "entity": len(spans),
                "found": "recognizer", "reasons": "by type and context", **told,
            }
        )  # fmt: skip
    return {
        "id": doc_id, "old": text, "new": new + text[last:], "spans": spans,
        "risk": 0.1, "epsilon": None, "deid_k": 3.0, "deid_k_left": 2500.0, **more,
    }  # fmt: skip


@pytest.fixture(scope="session")
def document():
    return build_document


@pytest.fixture(scope="session")
def write_page(tmp_path_factory):
    """Writes a page of documents, and gives its path."""

    def write(documents, sampling=ALL, **facts):
        folder = tmp_path_factory.mktemp("page")
        lines, path = folder / "lines", folder / "page.html"
        rows = (json.dumps(d, ensure_ascii=False) + "\n" for d in documents)
        lines.write_text("".join(rows), encoding="utf-8")
        pieces = page_of(lines, sampling, {"originals": True, **facts})
        path.write_bytes(b"".join(pieces))
        return path

    return write


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium, of the system or the one that Playwright brought."""
    reason = "the browser tests need Playwright"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_api.sync_playwright() as playwright:
        try:
            args = {"executable_path": path, "args": ["--no-sandbox"]}
            found = playwright.chromium.launch(**args)
        except sync_api.Error:
            pytest.skip("the browser tests need Chromium (apt-get install chromium)")
        yield found
        found.close()


@pytest.fixture
def open_page(browser):
    """Opens a file; whatever it asks for, says or fails at ends the test."""
    contexts, problems = [], []

    def start(path, context=None, **settings):
        def check(request):
            if request.url != path.as_uri() and not request.url.startswith("blob:"):
                problems.append(request.url[:200])

        if context is None:
            size = {"width": 1360, "height": 820}
            context = browser.new_context(viewport=size, **settings)
            contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append("a dialog"))
        page.on("request", check)
        page.goto(path.as_uri())
        return page

    yield start
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture(scope="session")
def axe():
    """Checks a page for what people with impaired sight or without a mouse need."""
    reason = "accessibility is checked with axe-core"
    base = pytest.importorskip("axe_playwright_python.base", reason=reason)

    def check(page):
        page.evaluate(base.AXE_SCRIPT)
        return [
            (row["id"], node["html"][:150], node["failureSummary"])
            for row in page.evaluate("axe.run().then((r) => r.violations)")
            for node in row["nodes"]
        ]

    return check
