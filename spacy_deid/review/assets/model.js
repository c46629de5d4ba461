
"use strict";
// What was found, what the reviewer makes of it, and what is exported: no elements here.

const readData = (id) => document.getElementById(id).textContent;
const FACTS = JSON.parse(readData("facts"));
const DOCS = readData("documents").split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
const STORE = `spacy-deid-review ${FACTS.page}`;
const MASKED = ["DIRECT", "QUASI"];

// Places count characters, JavaScript's count two for those beyond the first 65,536.
class Places {
  constructor(text) {
    this.wide = [];
    for (const found of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) this.wide.push(found.index);
  }
  before(test) {
    let low = 0, high = this.wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(this.wide[middle], middle)) low = middle + 1; else high = middle;
    }
    return low;
  }
  toUnits(point) { return point + this.before((unit, i) => unit - i < point); }
  toPoints(unit) { return unit - this.before((wide) => wide < unit); }
}

for (const doc of DOCS) {
  doc.text = FACTS.originals ? doc.old : doc.new;
  doc.places = new Places(doc.text);
  const fresh = FACTS.originals ? new Places(doc.new) : doc.places;
  doc.goldKnown = doc.missed !== undefined;
  doc.found = [
    ...doc.spans,
    ...(doc.missed ?? []).map((span) => ({ ...span, isGold: true })),
  ].map((span, i) => {
    const [start, end] = span.at.map((place) => doc.places.toUnits(place));
    const [from, till] = span.to.map((place) => fresh.toUnits(place));
    return { ...span, key: `s${i}`, start, end, from, till };
  }).sort((a, b) => a.start - b.start || a.end - b.end);
  // What was replaced, and all that was found, by place.
  doc.replaced = doc.found.filter((span) => MASKED.includes(span.decision) && !span.isGold);
  delete doc.spans;
}

function firstAfter(rows, place) {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].start <= place) low = middle + 1; else high = middle;
  }
  return low;
}

// Where a place of the text is in the new one; of a part of what was replaced nothing.
function newPlace(doc, place, isEnd) {
  const rows = doc.replaced;
  const row = rows[firstAfter(rows, isEnd ? place - 1 : place) - 1];
  if (!row) return place;
  if (place >= row.end) return row.till + place - row.end;
  return place === row.start ? row.from : row.till;
}

// --- corrections: by the number of the document; kept in the browser without any text

let work = {};
const past = [], future = [];
const copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const workOf = (i) => work[i] ?? { done: false, spans: {}, added: [] };

function change(numbers, act) {
  past.push(numbers.map((i) => [i, copy(work[i])]));
  future.length = 0;
  for (const i of numbers) {
    work[i] ??= { done: false, spans: {}, added: [] };
    act(work[i], DOCS[i], i);
  }
  forget(numbers);
}

function step(from, to) {
  const before = from.pop();
  if (!before) return null;
  to.push(before.map(([i]) => [i, copy(work[i])]));
  for (const [i, was] of before) {
    if (was === undefined) delete work[i]; else work[i] = was;
  }
  forget(before.map(([i]) => i));
  return before[0][0];
}

const known = new Map();
function forget(numbers) {
  for (const i of numbers) known.delete(Number(i));
  save();
}

let saving = 0;
function save() {
  clearTimeout(saving);
  saving = setTimeout(() => {
    try {
      localStorage.setItem(STORE, JSON.stringify(work));
    } catch {
      tell("The browser keeps nothing for this page: export before you close it.");
    }
  }, 200);
}

function restore() {
  try {
    work = JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    work = {};
  }
}

// --- marks: what was found or added, with the reviewer's corrections

const folded = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

function marksOf(i) {
  if (known.has(i)) return known.get(i);
  const doc = DOCS[i], { spans, added } = workOf(i);
  const marks = doc.found.map((span) => {
    const own = spans[span.key] ?? {};
    return {
      ...span, span, status: own.status ?? "",
      label: own.label ?? span.label, decision: own.decision ?? span.decision,
    };
  });
  added.forEach((row, number) => marks.push({
    ...row, key: `a${number}`, status: "added", span: null, source: "reviewer",
    from: newPlace(doc, row.start, false), till: newPlace(doc, row.end, true),
  }));
  // A rejected one under an added one is not shown.
  const over = marks.filter((mark) => !mark.span);
  const shown = marks.filter((mark) => mark.status !== "rejected"
    || !over.some((a) => a.start < mark.end && mark.start < a.end));
  shown.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const mark of shown) mark.text = doc.text.slice(mark.start, mark.end);
  known.set(i, shown);
  return shown;
}

const isOpenGold = (mark) => Boolean(mark.isGold) && mark.status === "";
const stands = (mark) => mark.status !== "rejected" && !isOpenGold(mark);

function entityOf(mark, marks) {
  if (mark.entity !== undefined && mark.entity !== null) return `e${mark.entity}`;
  const text = folded(mark.text);
  const same = marks.find((m) => m.entity !== undefined && m.entity !== null && folded(m.text) === text);
  return same ? `e${same.entity}` : `t${text}`;
}

function correct(i, mark, values) {
  change([i], (own) => put(own, mark, values));
}

function put(own, mark, values) {
  if (mark.span) {
    own.spans[mark.key] = { ...own.spans[mark.key], ...values };
  } else if (values.status === "rejected") {
    own.added = own.added.filter((row) => row.start !== mark.start || row.end !== mark.end);
  } else {
    const row = own.added.find((a) => a.start === mark.start && a.end === mark.end);
    const { status, ...rest } = values;
    Object.assign(row, rest);
  }
}

// A span that is added takes the place of those that it touches.
function place(own, doc, row, marks) {
  for (const mark of marks) {
    if (mark.start < row.end && row.start < mark.end) put(own, mark, { status: "rejected" });
  }
  own.added.push(row);
}

// What was decided of a mark, for others like it.
function decided(mark) {
  if (mark.status === "rejected") return { status: "rejected" };
  const values = { label: mark.label, decision: mark.decision };
  return { status: mark.status === "added" ? "changed" : mark.status || "accepted", ...values };
}

function applyToEntity(i, mark) {
  const marks = marksOf(i), entity = entityOf(mark, marks);
  const same = marks.filter((m) => m.key !== mark.key && entityOf(m, marks) === entity);
  change([i], (own) => same.forEach((m) => put(own, m, decided(mark))));
  return same.length;
}

function applyToCorpus(mark) {
  const text = folded(mark.text), plan = new Map();
  let n = 0;
  DOCS.forEach((doc, i) => {
    const marks = marksOf(i);
    const same = marks.filter((m) => m !== mark && folded(m.text) === text);
    const missed = stands(mark) && MASKED.includes(mark.decision);
    const fresh = missed ? occurrences(doc, mark.text, marks) : [];
    if (same.length + fresh.length) plan.set(i, { same, fresh });
    n += same.length + fresh.length;
  });
  if (!n) return 0;
  change([...plan.keys()], (own, doc, i) => {
    plan.get(i).same.forEach((m) => put(own, m, decided(mark)));
    for (const [start, end] of plan.get(i).fresh) {
      own.added.push({ start, end, label: mark.label, decision: mark.decision });
    }
  });
  return n;
}

// Where a text stands as words of its own and nothing is marked, whatever the blanks and the
// case; but a single word in lower case may be another one ("hope").
function occurrences(doc, text, marks) {
  const words = text.trim().split(/\s+/), plain = words.join(" ");
  if (!plain) return [];
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const edge = (char) => (/[\p{L}\p{N}_]/u.test(char) ? "[\\p{L}\\p{N}_]" : "(?!)");
  const start = `(?<!${edge(plain[0])})`, end = `(?!${edge(plain.at(-1))})`;
  const found = [];
  for (const { 0: other, index } of doc.text.matchAll(new RegExp(start + escaped.join("\\s+") + end, "giu"))) {
    const same = words.length > 1 || other === plain || other === other.toUpperCase();
    const till = index + other.length;
    if (same && !marks.some((m) => m.start < till && index < m.end)) found.push([index, till]);
  }
  return found;
}

// --- gold that differs

const differs = (mark) => isOpenGold(mark) || (Boolean(mark.gold) && mark.status === "");

function takeGold(i, mark) {
  if (mark.isGold) return correct(i, mark, { status: "accepted" });
  if (!mark.gold.length) return correct(i, mark, { status: "rejected" });
  const doc = DOCS[i], marks = marksOf(i);
  change([i], (own) => {
    for (const gold of mark.gold) {
      const [start, end] = (gold.at ?? []).map((p) => doc.places.toUnits(p));
      const values = { label: gold.label || mark.label, decision: gold.decision };
      const same = gold.at === undefined || (start === mark.start && end === mark.end);
      if (same) put(own, mark, { status: "changed", ...values });
      else place(own, doc, { start, end, ...values, entity: mark.entity }, marks.filter((m) => m.span));
    }
  });
}

// --- export and import

function lineOf(i) {
  const doc = DOCS[i], marks = marksOf(i), own = workOf(i);
  const [stratum, population, probability] = FACTS.drawn[i];
  const points = (a, b) => [doc.places.toPoints(a), doc.places.toPoints(b)];
  return {
    doc_id: ["string", "number"].includes(typeof doc.id) ? doc.id : String(doc.id ?? i),
    text: doc.text,
    annotator: "review",
    entity_mentions: mentionsOf(i).map(({ mark, entity }) => {
      const [start_offset, end_offset] = points(mark.start, mark.end);
      return {
        start_offset, end_offset, span_text: mark.text, entity_type: mark.label,
        identifier_type: mark.decision, entity_id: entity, subtype: mark.subtype || undefined,
      };
    }),
    masked: doc.replaced.map((span) => points(span.start, span.end)),
    review: {
      page: FACTS.page, document: i, by: FACTS.by, drawn: DOCS.length, stratum, population, probability,
      done: own.done, spans: own.spans, added: own.added,
    },
  };
}

function mentionsOf(i) {
  const marks = marksOf(i), names = new Map();
  return marks.filter(stands).map((mark) => {
    const key = entityOf(mark, marks);
    if (!names.has(key)) names.set(key, `e${names.size + 1}`);
    return { mark, entity: names.get(key) };
  });
}

const isTouched = (own) => own.done || own.added.length > 0 || Object.keys(own.spans).length > 0;
const touched = () => Object.keys(work).map(Number).filter((i) => isTouched(work[i]));
const finished = () => Object.keys(work).map(Number).filter((i) => work[i].done);
const linesOf = (numbers) => numbers.sort((a, b) => a - b).map((i) => `${JSON.stringify(lineOf(i))}\n`).join("");

// Read all or nothing: a broken file leaves the page as it was.
function importLines(text) {
  const read = new Map();
  for (const line of text.split("\n").filter((l) => l.trim())) {
    const { review } = JSON.parse(line);
    if (review?.page !== FACTS.page) throw new Error("it is of another page");
    if (!DOCS[review.document]) throw new Error("it has a document that the page does not have");
    const { done, spans, added } = review;
    if (!Array.isArray(added) || typeof spans !== "object" || spans === null) throw new Error("a line of it is broken");
    const inside = ({ start, end }) => start >= 0 && start < end && end <= DOCS[review.document].text.length;
    if (!added.every(inside)) throw new Error("a line of it is broken");
    read.set(review.document, { done: done === true, spans, added });
  }
  change([...read.keys()], (own, doc, i) => Object.assign(own, read.get(i)));
  return read.size;
}

// --- the estimate: as evaluation/missed.py has it, where its sources are named

const FUNCTION_WORDS = new Set(FACTS.function_words);

function contentTokens(text, start, end) {
  const words = [], content = [], rest = [];
  for (const match of text.slice(start, end).matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu)) {
    const piece = match[0], at = [start + match.index, start + match.index + piece.length];
    if (!/^[\p{L}\p{N}_]/u.test(piece)) {
      rest.push(at);
      if (/^\p{S}/u.test(piece)) content.push(at);
      continue;
    }
    words.push(at);
    const possessive = /^s$/i.test(piece) && ["'", "\u2019"].includes(text[at[0] - 1]);
    if (!possessive && !FUNCTION_WORDS.has(piece.toLowerCase())) content.push(at);
  }
  if (content.length) return content;
  return words.length ? words : rest.length ? rest : [[start, end]];
}

function countsOf(i) {
  const doc = DOCS[i], entities = new Map();
  const isCovered = ([start, end]) => {
    let reached = start;
    for (let n = Math.max(0, firstAfter(doc.replaced, start) - 1); n < doc.replaced.length; n++) {
      const row = doc.replaced[n];
      if (row.start > reached) break;
      reached = Math.max(reached, row.end);
    }
    return reached >= end;
  };
  for (const { mark, entity } of mentionsOf(i)) {
    if (!MASKED.includes(mark.decision)) continue;
    const row = entities.get(entity) ?? { direct: false, whole: true };
    row.direct ||= mark.decision === "DIRECT";
    row.whole &&= contentTokens(doc.text, mark.start, mark.end).every(isCovered);
    entities.set(entity, row);
  }
  const out = { direct: [0, 0], quasi: [0, 0] };
  for (const { direct, whole } of entities.values()) {
    const kind = out[direct ? "direct" : "quasi"];
    kind[0] += 1;
    kind[1] += whole ? 0 : 1;
  }
  return out;
}

const Z = 1.959963984540054;
const sum = (values) => values.reduce((a, b) => a + b, 0);

function varianceOf(values, weights, strata) {
  const rows = new Map();
  values.forEach((value, i) => {
    const row = [weights[i] * value, Math.max(0, 1 - 1 / weights[i])];
    rows.set(strata[i], [...(rows.get(strata[i]) ?? []), row]);
  });
  return sum([...rows.values()].map((group) => {
    const n = group.length, mean = n > 1 ? sum(group.map(([v]) => v)) / n : 0;
    return (sum(group.map(([v, left]) => left * (v - mean) ** 2)) * n) / Math.max(n - 1, 1);
  }));
}

function ratioOf(part, whole, weights, strata) {
  const total = sum(whole.map((x, i) => weights[i] * x));
  if (!total) return [null, null];
  const share = sum(part.map((y, i) => weights[i] * y)) / total;
  const unread = 1 - weights.length / sum(weights);
  if (unread <= 1e-12) return [share, [share, share]];
  const n = whole.filter((x) => x).length, other = share < 0.5 ? 1 : 0;
  const variance = varianceOf(part.map((y, i) => y - share * whole[i]), weights, strata) / total ** 2
    + unread * ((other - share) / n) ** 2;
  const plus = (share * n + other) / (n + 1);
  const cases = Math.min((plus * (1 - plus)) / variance, sum(whole) / unread);
  const middle = (share + (Z * Z) / (2 * cases)) / (1 + (Z * Z) / cases);
  const half = (Z / (1 + (Z * Z) / cases)) * Math.sqrt((share * (1 - share)) / cases + (Z * Z) / (4 * cases * cases));
  return [share, [Math.max(0, middle - half), Math.min(1, middle + half)]];
}

function estimate() {
  const numbers = finished(), counts = numbers.map(countsOf), drawn = numbers.map((i) => FACTS.drawn[i]);
  const sums = new Map(), strata = drawn.map((row) => row[0]);
  for (const [stratum, , chance] of drawn) sums.set(stratum, (sums.get(stratum) ?? 0) + 1 / chance);
  const weights = drawn.map(([stratum, population, chance]) => population / chance / sums.get(stratum));
  const out = { documents: numbers.length };
  for (const kind of ["direct", "quasi"]) {
    const whole = counts.map((row) => row[kind][0]), part = counts.map((row) => row[kind][1]);
    const [share, interval] = ratioOf(part, whole, weights, strata);
    const some = part.map((n) => Math.min(n, 1));
    const [documents_share, documents_interval] = ratioOf(some, whole.map(() => 1), weights, strata);
    const total = sum(weights), mean = sum(whole.map((x, i) => weights[i] * x)) / total;
    out[kind] = {
      entities: sum(whole), missed: sum(part), share, interval,
      per_document: share === null ? null : share * mean, documents_share, documents_interval,
    };
  }
  return out;
}
