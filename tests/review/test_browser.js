// What test_browser.py has a page do, by name.
({
  // Spans of a document, the one that is chosen, the document, those in the list.
  marks: (number) =>
    marksOf(number ?? 0).map((m) => [m.text, m.label, m.decision, m.status]),
  chosen: () => chosenMark()?.text,
  current: () => String(DOCS[current].id),
  listed: () => listed.map((i) => DOCS[i].id),

  // Whether the key that imports reaches the input of files. The dialog itself is the
  // browser's, which may refuse it, or keep silent, when it is busy.
  watchFile: () =>
    document.getElementById("file").addEventListener(
      "click",
      (event) => {
        event.preventDefault();
        event.target.dataset.asked = "yes";
      },
      { once: true },
    ),

  // Select a text with the mouse's means.
  select: ([side, text]) => {
    const walk = document.createTreeWalker(document.querySelector("#text"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const at = node.data.indexOf(text);
      if (at < 0 || !node.parentElement.closest("." + side)) continue;
      getSelection().setBaseAndExtent(node, at, node, at + text.length);
      return;
    }
    throw new Error("it is not there");
  },

  // From the letter before a mark into the mark.
  selectOver: (key) => {
    const [mark] = document.querySelectorAll(`.old [data-key=${key}]`);
    getSelection().setBaseAndExtent(mark.previousSibling.firstChild, 1, mark.firstChild, 5);
  },

  // The tops of the cells of all rows.
  tops: () =>
    [...document.querySelectorAll("#text .row")].map((row) =>
      [...row.children].map((cell) => cell.getBoundingClientRect().top),
    ),

  colours: (keys) =>
    keys.map((key) => {
      const style = getComputedStyle(document.querySelector(`.old [data-key=${key}]`));
      return [style.backgroundColor, style.borderBottomColor].join();
    }),

  // Nine of the documents are read, with names that were missed and decisions changed.
  review: () =>
    DOCS.forEach((doc, i) => {
      const start = doc.text.indexOf("Zelda");
      const end = start + 11;
      change([i], (own) => {
        own.done = i < 9;
        own.spans.s1 = { status: "changed", decision: i % 2 ? "QUASI" : "NO_MASK" };
        if (i % 3 === 0) own.added.push({ start, end, label: "PERSON", decision: "DIRECT" });
      });
    }),

  // Milliseconds, in the page, without the time that a test takes to talk to it.
  took: () => {
    const times = {};
    const time = (name, act) => {
      const start = performance.now();
      act();
      document.body.offsetHeight;
      times[name] = performance.now() - start;
    };
    const search = document.querySelector("#search");
    const kept = document.querySelector("#only-kept");
    time("next", () => nextDocument(1));
    time("span", () => nextSpan(1));
    time("accept", () => judge("accepted"));
    search.value = "999 ann";
    time("search", refilter);
    search.value = "";
    kept.checked = true;
    time("filter", refilter);
    kept.checked = false;
    time("all", refilter);
    time("corpus", () => spread(applyToCorpus, ""));
    return times;
  },
})
