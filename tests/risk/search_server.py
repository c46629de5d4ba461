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
        self.pages = pages or {}
        self.hits = hits or {}
        self.page_size = page_size
        self.script = []
        self.requests = []
        self.times = []
        self.lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.answer(parse_qs(urlsplit(self.path).query))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(parse_qs(body.decode("utf8")))

            def answer(self, params):
                params = {k: v[0] for k, v in params.items()}
                with owner.lock:
                    owner.requests.append(
                        (self.command, urlsplit(self.path).path, params)
                    )
                    owner.times.append(time.monotonic())
                    fault = owner.script.pop(0) if owner.script else None
                fault = fault or {}
                time.sleep(fault.get("delay", 0))
                body = fault.get("body")
                if body is None:
                    body = json.dumps(owner.answer(params)).encode("utf8")
                # Unlike `send_response` without a date of its own.
                self.send_response_only(fault.get("status", 200))
                for name, value in fault.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header(
                    "Content-Length", str(len(body) + fault.get("missing", 0))
                )
                self.end_headers()
                try:
                    if fault.get("drip"):
                        for byte in body:
                            self.wfile.write(bytes([byte]))
                            self.wfile.flush()
                            time.sleep(fault["drip"])
                    else:
                        self.wfile.write(body)
                except OSError:
                    pass  # the client has given up
                if fault.get("missing"):
                    self.close_connection = True

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.url = f"http://{self.host}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.05,))
        self.thread.start()

    def answer(self, params):
        phrase = params["q"].strip('"').casefold()
        urls = self.pages.get(phrase, [])
        hits = self.hits.get(phrase, len(urls))
        if "cx" in params:
            start = int(params["start"]) - 1
            found = urls[start : start + int(params["num"])]
            out = {"searchInformation": {"totalResults": str(hits)}, "queries": {}}
            if found:
                out["items"] = [{"link": url, "title": "t"} for url in found]
            if len(urls) > start + len(found):
                out["queries"]["nextPage"] = [{"startIndex": start + 11}]
            return out
        start = (int(params["pageno"]) - 1) * self.page_size
        found = urls[start : start + self.page_size]
        return {
            "query": params["q"],
            "number_of_results": self.hits.get(phrase, 0),
            "results": [{"url": url, "title": "t"} for url in found],
            "unresponsive_engines": [],
        }

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()
