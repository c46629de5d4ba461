
// What is seen, and what keys do. Text of documents is put in as text, never as HTML.

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties, made = document.createElement(tag);
  for (const [name, value] of Object.entries(rest)) {
    if (name in made) made[name] = value; else made.setAttribute(name, value);
  }
  Object.assign(made.dataset, data);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function tell(text) { $("message").textContent = text; }

const TYPES = [...new Set([...FACTS.types, ...DOCS.flatMap((doc) => doc.found.map((span) => span.label))])].filter(Boolean);
const SHORT = { PERSON: "PERS", DATETIME: "DATE", QUANTITY: "QTY" };
const typeClass = (label) => `t${Math.max(0, TYPES.indexOf(label)) % 8}`;
const decisionClass = (decision) => (FACTS.decisions.includes(decision) ? decision : "");
const WORDS = { DIRECT: "masked, direct", QUASI: "masked, quasi", NO_MASK: "stays" };
const show = (value) => (typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value ?? "\u2013");
const people = (k) => (k === null || k === undefined ? "\u2013" : k < 1 ? "below 1" : Math.round(k).toLocaleString("en"));

let current = 0, chosen = null, chosenStart = 0, listed = [];

// --- filters and the list of documents

const filters = () => ({
  label: $("filter-label").value, decision: $("filter-decision").value,
  source: $("filter-source").value, status: $("filter-status").value,
  least: Number($("filter-least").value || 0), most: Number($("filter-most").value || 1),
  kept: $("only-kept").checked, low: $("only-low").checked,
});

const STATES = {
  open: (mark) => mark.status === "", corrected: (mark) => mark.status !== "" && mark.status !== "accepted",
  added: (mark) => mark.status === "added", rejected: (mark) => mark.status === "rejected",
  gold: differs,
};

const detectorOf = (mark) => String(mark.source ?? "").split(":")[0];

function passes(mark, f) {
  return (!f.label || mark.label === f.label)
    && (!f.decision || (mark.decision === f.decision && !isOpenGold(mark)))
    && (!f.source || detectorOf(mark) === f.source)
    && (!f.status || STATES[f.status](mark))
    && (!f.kept || (mark.decision === "NO_MASK" && !isOpenGold(mark)))
    && (!f.low || (mark.score ?? 1) < FACTS.low_score)
    && ((f.least <= 0 && f.most >= 1) || (typeof mark.score === "number" && mark.score >= f.least && mark.score <= f.most));
}

const isNarrow = (f) => Boolean(f.label || f.decision || f.source || f.status || f.kept || f.low || f.least > 0 || f.most < 1);

function relist() {
  const f = filters(), narrow = isNarrow(f), query = $("search").value.toLowerCase(), open = $("only-open").checked;
  listed = [];
  DOCS.forEach((doc, i) => {
    if (open && workOf(i).done) return;
    if (query) {
      doc.folded ??= `${doc.id}\n${doc.text}\n${doc.new}`.toLowerCase();
      if (!doc.folded.includes(query)) return;
    }
    if (narrow && !marksOf(i).some((mark) => passes(mark, f))) return;
    listed.push(i);
  });
  const order = $("sort").value;
  if (order === "risk") listed.sort((a, b) => DOCS[b].risk - DOCS[a].risk);
  if (order === "id") listed.sort((a, b) => String(DOCS[a].id).localeCompare(String(DOCS[b].id), "en", { numeric: true }));
  $("count").textContent = `${listed.length} of ${DOCS.length} documents`;
  $("list-inner").style.height = `${listed.length * HEIGHT}px`;
  drawList();
}

const HEIGHT = 46;

function drawList() {
  const list = $("list"), first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
  const rows = listed.slice(first, first + Math.ceil(list.clientHeight / HEIGHT) + 8);
  $("list-inner").replaceChildren(...rows.map((i, n) => {
    const doc = DOCS[i], own = workOf(i);
    const item = element("div", {
      id: `item-${i}`, className: "item", role: "option", "aria-selected": String(i === current),
      "aria-posinset": String(first + n + 1), "aria-setsize": String(listed.length), data: { doc: i },
    },
    element("span", { className: "id", textContent: `${own.done ? "\u2713 " : ""}${doc.id}` }),
    element("span", { className: "facts" }, meter(doc.risk),
      ...[`risk ${risk(doc)}`, `${doc.replaced.length} masked`, isTouched(own) && !own.done ? "begun" : ""]
        .map((textContent) => element("span", { textContent }))));
    item.style.top = `${(first + n) * HEIGHT}px`;
    return item;
  }));
  if (listed.includes(current) && $(`item-${current}`)) list.setAttribute("aria-activedescendant", `item-${current}`);
  else list.removeAttribute("aria-activedescendant");
}

const risk = (doc) => (FACTS.originals ? doc.risk.toFixed(2) : ["low", "medium", "high"][Math.min(2, Math.floor(doc.risk * 3))]);

function meter(value) {
  const bar = element("i", { className: value >= 2 / 3 ? "high" : "" });
  bar.style.width = `${Math.max(2, 100 * value)}%`;
  return element("span", { className: "meter", "aria-hidden": "true" }, bar);
}

function showInList() {
  const at = listed.indexOf(current), list = $("list");
  if (at >= 0 && (at * HEIGHT < list.scrollTop || (at + 1) * HEIGHT > list.scrollTop + list.clientHeight)) {
    list.scrollTop = at * HEIGHT - list.clientHeight / 3;
  }
  drawList();
}

// --- the text: rows of lines, so that both sides stay beside each other

const MAX_ROWS = 3000, MAX_PART = 2000;

function rowsOf(doc, marks) {
  const rows = [], least = doc.text.length / MAX_ROWS;
  let row = [], size = 0;
  const close = () => { if (row.length) rows.push(row); row = []; size = 0; };
  const put = (start, end, mark) => { row.push({ start, end, mark }); size += end - start; };
  const gap = (start, end) => {
    while (start < end) {
      const line = doc.text.indexOf("\n", start) + 1;
      let stop = Math.min(line > 0 ? line : end, end);
      if (stop - start > MAX_PART) {
        const space = doc.text.lastIndexOf(" ", start + MAX_PART) + 1;
        stop = space > start ? space : start + MAX_PART;
        if (/[\udc00-\udfff]/.test(doc.text[stop])) stop += 1;
      }
      put(start, stop, null);
      if ((doc.text[stop - 1] === "\n" && size >= least) || size >= MAX_PART) close();
      start = stop;
    }
  };
  let last = 0;
  for (const mark of marks) {
    if (mark.start < last) continue;
    gap(last, mark.start);
    put(mark.start, mark.end, mark);
    last = mark.end;
  }
  gap(last, doc.text.length);
  close();
  return rows;
}

function drawText() {
  const doc = DOCS[current], f = filters(), marks = marksOf(current);
  const sides = FACTS.originals ? ["old", "new"] : ["new"];
  const rows = rowsOf(doc, marks).map((row) => {
    const out = element("div", { className: "row" });
    for (const side of sides) out.append(cell(doc, row, side, side === sides[0], f));
    return out;
  });
  $("text").replaceChildren(...rows);
  drawTitle();
  // In place of one that is gone, what now stands there.
  const now = marks.find((mark) => mark.key === chosen) ?? marks.find((mark) => mark.end > chosenStart);
  choose(chosen && now ? now.key : null, false);
  drawFound();
}

function cell(doc, row, side, first, f) {
  const out = element("div", { className: `cell ${side}`, dir: "auto" });
  row.forEach(({ start, end, mark }, n) => {
    const shown = side === "old" || !FACTS.originals
      ? doc.text.slice(start, end)
      : mark && !mark.isGold ? doc.new.slice(mark.from, mark.till)
        : doc.new.slice(newPlace(doc, start, false), newPlace(doc, end, true));
    const text = n === row.length - 1 ? shown.replace(/\r?\n$/, "") : shown;
    out.append(mark ? markElement(mark, text, first, f) : element("span", { textContent: text, data: { start, end } }));
  });
  return out;
}

function markElement(mark, text, first, f) {
  const classes = ["mark", typeClass(mark.label), isOpenGold(mark) ? "gold" : decisionClass(mark.decision)];
  if (STATUSES.includes(mark.status)) classes.push(mark.status);
  if (differs(mark)) classes.push("differs");
  if (!passes(mark, f)) classes.push("out");
  if (first) classes.push("with-tag");
  const made = element("span", {
    className: classes.filter(Boolean).join(" "), textContent: text,
    data: { key: mark.key, start: mark.start, end: mark.end, tag: SHORT[mark.label] ?? mark.label },
  });
  if (first) {
    made.setAttribute("role", "button");
    made.tabIndex = -1;
    made.setAttribute("aria-label", `${text}: ${mark.label}, ${isOpenGold(mark) ? "only in the gold" : WORDS[mark.decision] ?? mark.decision}${mark.status ? `, ${mark.status}` : ""}`);
  }
  return made;
}

const STATUSES = ["accepted", "rejected", "changed", "added"];

function drawTitle() {
  const doc = DOCS[current], own = workOf(current);
  $("doc-id").textContent = String(doc.id);
  const facts = [`risk ${risk(doc)}`, `k ${people(doc.deid_k)} before, ${people(doc.deid_k_left)} after`,
    `\u03b5 ${doc.epsilon === null ? "not bounded" : show(doc.epsilon)}`];
  $("doc-facts").textContent = facts.join("  \u00b7  ");
  $("done").textContent = own.done ? "Reviewed \u2713" : "Mark as reviewed";
  $("done").className = own.done ? "" : "main";
  $("done").append(element("kbd", { textContent: "f" }));
}

function drawProgress() {
  const n = finished().length;
  $("progress").max = DOCS.length || 1;
  $("progress").value = n;
  $("progress-text").textContent = `${n} of ${DOCS.length} reviewed`;
  if ($("estimate-box").open) drawEstimate();
}

// Where the searched words are.
function drawFound() {
  if (!window.Highlight || !CSS.highlights) return;
  CSS.highlights.delete("found");
  const query = $("search").value.toLowerCase();
  if (!query) return;
  const ranges = [];
  const walk = document.createTreeWalker($("text"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && ranges.length < 500) {
    const text = walk.currentNode.data.toLowerCase();
    if (text.length !== walk.currentNode.data.length) continue;
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      const range = new Range();
      range.setStart(walk.currentNode, at);
      range.setEnd(walk.currentNode, at + query.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

function redraw() {
  relist();
  drawText();
  drawProgress();
}

function open(i, key = null) {
  if (i === undefined || i === null) return;
  current = i;
  chosen = key;
  cursor = null;
  $("text").scrollTop = 0;
  drawText();
  if (key) choose(key);
  showInList();
}

// --- the span

const elementsOf = (key) => $("text").querySelectorAll(`[data-key="${CSS.escape(key)}"]`);
const chosenMark = () => marksOf(current).find((mark) => mark.key === chosen);

function choose(key, scroll = true) {
  for (const old of $("text").querySelectorAll(".selected")) {
    old.classList.remove("selected");
    if (old.getAttribute("role")) old.tabIndex = -1;
  }
  chosen = key;
  chosenStart = chosenMark()?.start ?? 0;
  if (key) {
    for (const made of elementsOf(key)) made.classList.add("selected");
    const first = elementsOf(key)[0];
    if (first) {
      first.tabIndex = 0;
      if (scroll) first.scrollIntoView({ block: "nearest" });
    }
  }
  drawPanel();
}

function hover(key, on) {
  for (const made of elementsOf(key)) made.classList.toggle("hover", on);
  drawPanel(on ? marksOf(current).find((mark) => mark.key === key) : chosenMark());
}

function drawPanel(mark = chosenMark()) {
  const panel = $("panel");
  if (!mark) {
    panel.replaceChildren(element("p", { textContent: "No span is chosen. j and k go from span to span, ? shows all keys." }));
    return;
  }
  const doc = DOCS[current], marks = marksOf(current), entity = entityOf(mark, marks);
  const n = marks.filter((m) => entityOf(m, marks) === entity).length;
  const becomes = doc.new.slice(mark.from, mark.till);
  const facts = [
    ["state", isOpenGold(mark) ? "marked in the gold, not found" : mark.status || "not looked at"],
    ["found", mark.found], ["reason", mark.reasons],
    ["risk", show(mark.risk)], ["score", FACTS.originals ? show(mark.score) : null],
    ["source", mark.source], ["subtype", mark.subtype],
    ["entity", FACTS.originals ? `${entity.startsWith("e") ? entity.slice(1) : "\u2013"} (${n} mention${n === 1 ? "" : "s"})` : null],
    ["k", `${people(doc.deid_k)} people before, ${people(doc.deid_k_left)} after`],
    ["votes", Object.entries(mark.votes ?? {}).map(([name, vote]) => `${name} ${vote ? "yes" : "no"}`).join(", ")],
    ["evidence", Object.entries(mark.evidence ?? {}).map(([name, rows]) => `${name}: ${rows.join(", ")}`).join("; ")],
    ["gold", (mark.gold ?? []).map((g) => `${g.label || "\u2013"}, ${g.decision}${g.at ? ` at ${g.at[0]}\u2013${g.at[1]}` : ""}`).join("; ") || (mark.gold ? "nothing here" : null)],
    ["place", `${doc.places.toPoints(mark.start)}\u2013${doc.places.toPoints(mark.end)}`],
  ];
  const list = element("dl");
  for (const [name, value] of facts) {
    if (value) list.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
  }
  panel.replaceChildren(
    element("div", { className: "what", textContent: mark.text.slice(0, 300) }),
    element("div", { className: "becomes", textContent: FACTS.originals && becomes !== mark.text ? `\u2192 ${becomes.slice(0, 300)}` : "" }),
    element("div", { className: "choices" },
      choice("Type", TYPES, mark.label, (label) => set({ label })),
      choice("Decision", FACTS.decisions, mark.decision, (decision) => set({ decision }))),
    element("div", { className: "acts" }, ...PANEL_KEYS.filter((key) => key !== "y" || mark.gold || mark.isGold).map(button)),
    list);
}

function choice(title, values, value, act) {
  const made = element("select", {}, ...values.map((v) => element("option", { value: v, textContent: v, selected: v === value })));
  made.addEventListener("change", () => act(made.value));
  return element("label", {}, title, made);
}

function set(values) {
  const mark = chosenMark();
  if (!mark) return tell("Choose a span first (j).");
  correct(current, mark, { status: "changed", label: mark.label, decision: mark.decision, ...values });
  redraw();
  tell(`${Object.values(values).join(", ")}.`);
}

function judge(status) {
  const mark = chosenMark();
  if (!mark) return tell("Choose a span first (j).");
  correct(current, mark, mark.status === status && mark.span ? { status: "" } : { status });
  redraw();
  tell(status);
  if (status === "accepted") nextSpan(1, false);
}

function spread(act, where) {
  const mark = chosenMark();
  if (!mark) return tell("Choose a span first (j).");
  const n = act(mark);
  redraw();
  tell(`Applied to ${n} more mention${n === 1 ? "" : "s"} ${where}.`);
}

function nextSpan(way, across = true) {
  const f = filters(), marks = marksOf(current), fits = (mark) => passes(mark, f);
  const now = chosenMark(), at = marks.indexOf(now);
  const next = way > 0
    ? marks.slice(at + 1).find(fits)
    : marks.slice(0, now ? at : marks.length).findLast(fits);
  if (next) return choose(next.key);
  if (!across) return tell("That was the last span of the document.");
  const here = listed.indexOf(current);
  const rest = way > 0 ? listed.slice(here + 1) : listed.slice(0, Math.max(here, 0)).reverse();
  const i = rest.find((n) => marksOf(n).some((mark) => passes(mark, f)));
  if (i === undefined) return tell("There are no more spans that the filters let through.");
  const found = marksOf(i).filter((mark) => passes(mark, f));
  open(i, (way > 0 ? found[0] : found.at(-1)).key);
}

function nextDocument(way, openOnly = false) {
  const at = listed.indexOf(current);
  const rest = way > 0 ? listed.slice(at + 1) : listed.slice(0, Math.max(at, 0)).reverse();
  const next = rest.find((i) => !openOnly || !workOf(i).done);
  if (next === undefined) return tell("There are no more documents in the list.");
  open(next);
}

function finish() {
  const done = !workOf(current).done;
  change([current], (own) => { own.done = done; });
  redraw();
  tell(done ? "Reviewed." : "Not reviewed.");
  if (done) nextDocument(1, true);
}

// --- spans that were missed: what is selected, by mouse or word by word

let cursor = null;

function placeOf(node, offset) {
  const holder = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest?.("[data-start]");
  if (!holder || !$("text").contains(holder)) return null;
  const start = Number(holder.dataset.start), end = Number(holder.dataset.end);
  if (node.nodeType !== Node.TEXT_NODE) return offset === 0 ? start : end;
  const side = holder.closest(".new") && FACTS.originals;
  if (holder.dataset.key && side) return offset === 0 ? start : end;
  return Math.min(start + offset, end);
}

function selected() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return cursor;
  const range = selection.getRangeAt(0);
  const start = placeOf(range.startContainer, range.startOffset), end = placeOf(range.endContainer, range.endOffset);
  return start === null || end === null || start >= end ? cursor : [start, end];
}

function add() {
  const found = selected(), doc = DOCS[current];
  if (!found) return tell("Select the text of the missed span first (by mouse, or with w).");
  let [start, end] = found;
  while (start < end && /\s/.test(doc.text[start])) start += 1;
  while (start < end && /\s/.test(doc.text[end - 1])) end -= 1;
  if (start >= end) return tell("Only blanks are selected.");
  const marks = marksOf(current);
  const like = marks.find((m) => m.start < end && start < m.end) ?? marks.find((m) => folded(m.text) === folded(doc.text.slice(start, end)));
  const row = { start, end, label: like?.label || TYPES[0], decision: like && like.decision !== "NO_MASK" ? like.decision : "QUASI", entity: like?.entity };
  change([current], (own, d) => place(own, d, row, marks));
  getSelection().removeAllRanges();
  cursor = null;
  const key = marksOf(current).find((m) => !m.span && m.start === start && m.end === end)?.key;
  chosen = key ?? null;
  redraw();
  tell(`Added as ${row.label}, ${row.decision}. 1\u20138 change the type, d q n the decision.`);
}

const isWordAt = (text, at) => at >= 0 && at < text.length && /[\p{L}\p{N}_]/u.test(text[at]);

function wordFrom(text, at) {
  while (at < text.length && !isWordAt(text, at)) at += 1;
  let end = at;
  while (isWordAt(text, end)) end += 1;
  return at < text.length ? [at, end] : null;
}

function wordBefore(text, at) {
  while (at > 0 && !isWordAt(text, at - 1)) at -= 1;
  let start = at;
  while (isWordAt(text, start - 1)) start -= 1;
  return start < at ? [start, at] : null;
}

function word(way, grow) {
  const { text } = DOCS[current], mark = chosenMark();
  const now = cursor ?? (mark ? [mark.end, mark.end] : [0, 0]);
  const next = way > 0 ? wordFrom(text, now[1]) : wordBefore(text, grow ? now[1] : now[0]);
  if (!next) return;
  if (!grow) cursor = next;
  else cursor = way > 0 ? [now[0] === now[1] ? next[0] : now[0], next[1]] : [now[0], Math.max(wordFrom(text, now[0])[1], wordBefore(text, next[0])?.[1] ?? 0)];
  const from = pointOf(cursor[0], false), till = pointOf(cursor[1], true);
  if (!from || !till) return;
  const selection = getSelection();
  selection.setBaseAndExtent(from.node, from.at, till.node, till.at);
  from.node.parentElement.scrollIntoView({ block: "nearest" });
  tell(`Selected: ${text.slice(...cursor)}`);
}

function pointOf(place, isEnd) {
  const side = FACTS.originals ? ".old" : ".new";
  for (const holder of $("text").querySelectorAll(`${side} [data-start]`)) {
    const start = Number(holder.dataset.start), end = Number(holder.dataset.end);
    if ((isEnd ? start < place : start <= place) && (isEnd ? place <= end : place < end) && holder.firstChild) {
      return { node: holder.firstChild, at: Math.min(place - start, holder.firstChild.length) };
    }
  }
  return null;
}

// --- files

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  element("a", { href: url, download: name }).click();
  // A busy machine may take its time to fetch it.
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

function exportGold() {
  const numbers = finished(), begun = touched().length - numbers.length;
  if (!numbers.length) return tell("No document is marked as reviewed (f): only those are gold. Save work (e) keeps the rest.");
  download("reviewed.jsonl", linesOf(numbers));
  tell(`Exported ${numbers.length} reviewed documents.${begun ? ` ${begun} with corrections are not marked as reviewed and left out.` : ""}`);
}

function saveWork() {
  const numbers = touched();
  if (!numbers.length) return tell("There is nothing to save yet.");
  download("review-work.jsonl", linesOf(numbers));
  tell(`Saved ${numbers.length} documents to go on with.`);
}

async function importFile() {
  const file = $("file").files[0];
  if (!file) return;
  try {
    const n = importLines(await file.text());
    redraw();
    tell(`Imported ${n} documents.`);
  } catch (error) {
    tell(`Nothing was imported: ${error instanceof SyntaxError ? "it is not JSON lines" : error.message}.`);
  }
  $("file").value = "";
}

// --- the estimate

const percent = (value) => (value === null ? "\u2013" : `${(100 * value).toFixed(1)} %`);
const span = (edges) => (edges ? `${percent(edges[0])} to ${percent(edges[1])}` : "\u2013");

function drawEstimate() {
  const found = estimate(), rows = [];
  for (const kind of ["direct", "quasi"]) {
    const row = found[kind];
    rows.push([`${kind}: missed`, `${row.missed} of ${row.entities} read`],
      ["share missed", `${percent(row.share)} (${span(row.interval)})`],
      ["a document", row.per_document === null ? "\u2013" : row.per_document.toFixed(2)],
      ["documents with a miss", `${percent(row.documents_share)} (${span(row.documents_interval)})`]);
  }
  const drawn = FACTS.by === "all" ? "These documents are no sample: the estimate is of them alone." : `Drawn: ${FACTS.by}, ${DOCS.length} of ${FACTS.population} documents.`;
  $("estimate").replaceChildren(
    element("table", {}, element("tbody", {}, ...rows.map(([name, value]) => element("tr", {},
      element("th", { scope: "row", textContent: name }), element("td", { textContent: value }))))),
    element("p", { textContent: `${found.documents} documents read; 95 % intervals. ${drawn}` }));
}

// --- keys

const toggle = (id) => { $(id).checked = !$(id).checked; refilter(); };
const ACTIONS = [
  ["j", "next span", () => nextSpan(1), "ArrowDown"],
  ["k", "span before", () => nextSpan(-1), "ArrowUp"],
  ["J", "next document", () => nextDocument(1), "ArrowRight"],
  ["K", "document before", () => nextDocument(-1), "ArrowLeft"],
  ["g", "next document that is not reviewed", () => nextDocument(1, true)],
  ["a", "accept the span", () => judge("accepted"), null, "Accept"],
  ["r", "reject the span: nothing personal", () => judge("rejected"), null, "Reject"],
  ...TYPES.slice(0, 8).map((type, i) => [String(i + 1), `type ${type}`, () => set({ label: type })]),
  ["d", "decision DIRECT", () => set({ decision: "DIRECT" })],
  ["q", "decision QUASI", () => set({ decision: "QUASI" })],
  ["n", "decision NO_MASK", () => set({ decision: "NO_MASK" })],
  ["m", "the same for all mentions of the entity", () => spread((mark) => applyToEntity(current, mark), "of the entity"), null, "All mentions"],
  ["c", "the same for this text in the whole corpus", () => spread(applyToCorpus, "in the corpus"), null, "Whole corpus"],
  ["y", "take what the gold says", () => { const mark = chosenMark(); if (mark && (mark.gold || mark.isGold)) { takeGold(current, mark); redraw(); } }, null, "As in the gold"],
  ["w", "select the next word", () => word(1, false)],
  ["b", "select the word before", () => word(-1, false)],
  ["W", "one word more in the selection", () => word(1, true)],
  ["B", "one word less in the selection", () => word(-1, true)],
  ["s", "add the selected text as a missed span, or as new bounds of a span", add],
  ["f", "mark the document as reviewed, and go on", finish],
  ["u", "undo", () => back(past, future), null, "Undo"],
  ["U", "redo", () => back(future, past)],
  ["/", "search", () => $("search").focus()],
  ["o", "only NO_MASK", () => toggle("only-kept")],
  ["l", "only low confidence", () => FACTS.originals && toggle("only-low")],
  ["x", "export the reviewed documents as gold", exportGold, null, "Export"],
  ["e", "save work to go on with elsewhere", saveWork, null, "Save work"],
  ["i", "import what was exported or saved", () => $("file").click(), null, "Import"],
  ["z", "show the estimate of what was missed", () => { $("estimate-box").open = !$("estimate-box").open; drawProgress(); }],
  ["?", "show the keys", () => $("help").showModal(), null, "Keys"],
  ["Escape", "leave a field, drop the selection", leave],
];
const PANEL_KEYS = ["a", "r", "m", "c", "y"], PAGE_KEYS = ["u", "x", "e", "i", "?"];
const byKey = new Map(ACTIONS.flatMap(([key, , act, other]) => (other ? [[key, act], [other, act]] : [[key, act]])));

function button(key) {
  const [, description, act, , title] = ACTIONS.find((action) => action[0] === key);
  const made = element("button", { type: "button", title: description }, title, element("kbd", { textContent: key }));
  made.addEventListener("click", act);
  return made;
}

function back(from, to) {
  const i = step(from, to);
  if (i === null) return tell("There is nothing more.");
  if (!DOCS[current] || i !== current) current = i;
  redraw();
  showInList();
  tell(from === past ? "Undone." : "Done again.");
}

function leave() {
  document.activeElement?.blur?.();
  getSelection().removeAllRanges();
  cursor = null;
}

document.addEventListener("keydown", (event) => {
  if ($("help").open) return;
  const field = event.target.closest?.("input:not([type=checkbox]), select, textarea");
  if (event.key !== "Escape" && (field || event.altKey)) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "z") { event.preventDefault(); back(past, future); }
    if (event.key === "y" || event.key === "Z") { event.preventDefault(); back(future, past); }
    return;
  }
  const act = byKey.get(event.key);
  if (!act) return;
  event.preventDefault();
  act();
});

function refilter() {
  relist();
  drawText();
}

function fill(id, title, values) {
  $(id).append(element("option", { value: "", textContent: title }), ...values.map(([value, text]) => element("option", { value, textContent: text })));
}

function start() {
  restore();
  document.body.classList.toggle("single", !FACTS.originals);
  $("banner").textContent = `${FACTS.originals
    ? "This page holds the original texts: pass it on to nobody, and delete it after the review."
    : "This page holds masked texts only: what was not found still stands in them."} Corrections stay in this browser, as places and types, until you export them.`;
  $("buttons").append(...PAGE_KEYS.map(button));
  const same = (values) => values.map((value) => [value, value]);
  fill("filter-label", "all types", same(TYPES));
  fill("filter-decision", "all decisions", same(FACTS.decisions));
  fill("filter-source", "all sources", same([...new Set(DOCS.flatMap((doc) => doc.found.map(detectorOf)))].filter(Boolean).sort()));
  const hasGold = DOCS.some((doc) => doc.goldKnown);
  fill("filter-status", "all states", [["open", "not looked at"], ["corrected", "corrected"], ["added", "added"], ["rejected", "rejected"], ...(hasGold ? [["gold", "differs from gold"]] : [])]);
  if (!FACTS.originals) {
    $("scores").remove();
    $("low-label").remove();
    for (const id of ["filter-least", "filter-most", "only-low"]) document.body.append(element("input", { id, hidden: true, value: id === "filter-most" ? "1" : "", "aria-hidden": "true" }));
    $("heads").hidden = true;
  }
  $("keys").append(...ACTIONS.map(([key, description, , other]) => element("tr", {},
    element("td", {}, element("kbd", { textContent: key }), other ? element("kbd", { textContent: other.replace("Arrow", "") }) : null),
    element("td", { textContent: description }))));
  $("help-close").addEventListener("click", () => $("help").close());
  $("filters").addEventListener("input", refilter);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("clear").addEventListener("click", () => { $("filters").reset(); refilter(); });
  $("done").addEventListener("click", finish);
  $("file").addEventListener("change", importFile);
  $("estimate-box").addEventListener("toggle", drawProgress);
  $("list").addEventListener("scroll", drawList);
  addEventListener("resize", drawList);
  $("list").addEventListener("click", (event) => {
    const item = event.target.closest(".item");
    if (item) open(Number(item.dataset.doc));
  });
  const keyAt = (event) => event.target.closest?.("[data-key]")?.dataset.key;
  $("text").addEventListener("click", (event) => { if (keyAt(event) && getSelection().isCollapsed) choose(keyAt(event), false); });
  $("text").addEventListener("mouseover", (event) => { if (keyAt(event)) hover(keyAt(event), true); });
  $("text").addEventListener("mouseout", (event) => { if (keyAt(event)) hover(keyAt(event), false); });
  $("text").addEventListener("mousedown", (event) => {
    const side = event.target.closest?.(".cell");
    $("text").classList.toggle("from-old", Boolean(side?.classList.contains("old")));
    $("text").classList.toggle("from-new", Boolean(side?.classList.contains("new")));
    cursor = null;
  });
  relist();
  if (DOCS.length) open(listed[0]);
  drawProgress();
}

start();
