"""A search engine on loopback that speaks as Google's and SearXNG's interfaces do."""

import json
import time
from urllib.parse import parse_qs, urlsplit

from ..loopback import Fault, Loopback


class SearchServer(Loopback):
    """Knows phrases and the addresses of the pages that hold them. `script` is a list of
    what happens to the next requests: {} answers, other values are those of a fault."""

    def __init__(self, pages=None, hits=None, page_size=10):
        super().__init__()
        self.pages, self.hits, self.page_size = pages or {}, hits or {}, page_size
        self.script, self.times, self.url = [], [], f"http://{self.host}"

    def handle(self, request, query):
        params = {k: v[0] for k, v in parse_qs(query).items()}
        path = urlsplit(request.path).path
        with self.lock:
            self.requests.append((request.command, path, params))
            self.times.append(time.monotonic())
            fault = Fault(**(self.script.pop(0) if self.script else {}))
        self.send(request, fault, lambda: json.dumps(self.answer(params)).encode())

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
        found = urls[start : start + self.page_size]
        return {
            "query": params["q"],
            "number_of_results": self.hits.get(phrase, 0),
            "results": [{"url": url, "title": "t"} for url in found],
            "unresponsive_engines": [],
        }
