"""A search engine on loopback that speaks as Google's and SearXNG's interfaces do; a
script can spoil any of its answers."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class SearchServer:
    """Knows phrases and the addresses of the pages that hold them.

    `script` is a list of what happens to the next requests: None answers, a dict
    spoils the answer (`status`, `headers`, `body`, `delay`, `drip`, `missing`).
    """

    def __init__(self, pages=None, hits=None, page_size=10):
        self.pages, self.hits, self.page_size = pages or {}, hits or {}, page_size
        self.script, self.requests, self.times = [], [], []
        self.lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                owner.handle(self, urlsplit(self.path).query)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                owner.handle(self, body.decode("utf8"))

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.url = f"http://{self.host}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.05,))
        self.thread.start()

    def handle(self, request, query):
        params = {k: v[0] for k, v in parse_qs(query).items()}
        path = urlsplit(request.path).path
        with self.lock:
            self.requests.append((request.command, path, params))
            self.times.append(time.monotonic())
            fault = (self.script.pop(0) if self.script else None) or {}
        time.sleep(fault.get("delay", 0))
        body = fault.get("body")
        if body is None:
            body = json.dumps(self.answer(params)).encode("utf8")
        missing = fault.get("missing", 0)
        headers = {
            **fault.get("headers", {}),
            "Content-Type": "application/json",
            "Content-Length": str(len(body) + missing),
        }
        # Unlike `send_response` without a date of its own.
        request.send_response_only(fault.get("status", 200))
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        try:
            for part in [bytes([b]) for b in body] if "drip" in fault else [body]:
                request.wfile.write(part)
                request.wfile.flush()
                time.sleep(fault.get("drip", 0))
        except OSError:
            pass  # the client has given up
        request.close_connection |= bool(missing)

    def answer(self, params):
        phrase = params["q"].strip('"').casefold()
        urls = self.pages.get(phrase, [])
        if "cx" in params:
            start = int(params["start"]) - 1
            found = urls[start : start + int(params["num"])]
            hits = str(self.hits.get(phrase, len(urls)))
            out = {"searchInformation": {"totalResults": hits}, "queries": {}}
            if found:
                out["items"] = [{"link": url, "title": "t"} for url in found]
            if len(urls) > start + len(found):
                out["queries"]["nextPage"] = [{"startIndex": start + 11}]
            return out
        start = (int(params["pageno"]) - 1) * self.page_size
        return {
            "query": params["q"],
            "number_of_results": self.hits.get(phrase, 0),
            "results": [
                {"url": url, "title": "t"}
                for url in urls[start : start + self.page_size]
            ],
            "unresponsive_engines": [],
        }

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()
