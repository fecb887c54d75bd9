// The words of a pair: how they are shown, and which are selected.

const overview = JSON.parse(document.getElementById("overview").textContent);
const get = (id) => document.getElementById(id);
const NAMES = ["abstract", "document"];
const panes = { abstract: get("abstract").querySelector(".text"), document: get("document").querySelector(".text") };

let pair = null;   // Texts, suggestions, state; links: what is shown, of the annotator and suggested.
let active = "abstract";
const selection = { abstract: null, document: null };  // { anchor, caret }: words.
const shown = { abstract: [], document: [] };  // Each word's element, with the gap before it.
const drawn = { abstract: [], document: [] };  // Each sentence's element, and what it shows.

function annotation() {
  return pair.state.annotation;
}

// Return what the page shows as links: the annotator's, then the suggestions that still stand.
function shownLinks() {
  const own = annotation().links.map((link) => ({ ...link, status: link.sure ? "sure" : "possible" }));
  const links = [...own, ...standingSuggestions(own)];
  // The colour of a link stays when others come and go.
  return links.map((link, number) => ({ ...link, number, color: link.abstract[0] % COLORS }));
}

const keyOf = (link) => `${link.abstract} ${link.document}`;

// A suggestion stands until it is accepted or dismissed, or the annotator says something else of its words.
function standingSuggestions(own) {
  if (annotation().decided) return [];
  const suggested = new Set(pair.suggestions.map(keyOf));
  const gone = new Set([...own, ...annotation().dismissed].map(keyOf));
  const taken = new Set(annotation().null);
  for (const link of own) if (!suggested.has(keyOf(link))) tokensOf(link.abstract).forEach((token) => taken.add(token));
  return pair.suggestions
    .filter((link) => !gone.has(keyOf(link)) && !tokensOf(link.abstract).some((token) => taken.has(token)))
    .map((link) => ({ ...link, status: "suggested" }));
}

function tokensOf([start, end]) {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

// Return the words of the abstract that are neither linked nor null.
function openWords() {
  const known = new Set(annotation().null);
  for (const link of annotation().links) tokensOf(link.abstract).forEach((token) => known.add(token));
  return pair.abstract.tokens.map((_, token) => token).filter((token) => !known.has(token));
}

// Show a side. Sentences of which nothing new is known stay as they are: a document may have many.
function showWords(name) {
  const known = {
    linksAt: linksOfTokens(pair, name),
    open: new Set(name === "abstract" ? openWords() : []),
    nulls: new Set(name === "abstract" ? annotation().null : []),
  };
  const first = !drawn[name].length;
  sentencesOf(pair[name]).forEach(([, span], number) => {
    const state = stateOf(name, span, known);
    const before = drawn[name][number];
    if (before?.state === state) return;
    drawn[name][number] = { state, element: shownSentence(name, span, known) };
    before?.element.replaceWith(drawn[name][number].element);
  });
  if (first) fillPane(name);
}

function fillPane(name) {
  const side = pair[name];
  const sentences = sentencesOf(side).map(([, [start]], number) => [between(side, start, false), drawn[name][number].element]);
  const last = side.spans.length ? side.spans.at(-1)[1] : 0;
  panes[name].replaceChildren(...sentences.flat(), side.text.slice(last));
}

// Return as text all that the look of a sentence depends on.
function stateOf(name, [start, end], { linksAt, open, nulls }) {
  const other = name === "abstract" ? "document" : "abstract";
  const of = (link) => [link.number, link.status, link[other]];
  const words = tokensOf([start, end]).map((token) =>
    [linksAt[token].map((number) => of(pair.links[number])), open.has(token), nulls.has(token)]);
  return words.some(([links, ...flags]) => links.length || flags.some(Boolean)) ? JSON.stringify(words) : "";
}

function shownSentence(name, [start, end], known) {
  const sentence = make("span", { class: "sentence" });
  for (const [first, last] of segmentsOf(known.linksAt, start, end)) {
    const links = known.linksAt[first].map((number) => pair.links[number]);
    const phrase = links.length ? shownPhrase(links) : sentence;
    if (first > start) sentence.append(shownGap(name, first));
    if (phrase !== sentence) sentence.append(phrase);
    for (let token = first; token < last; token++) {
      if (token > first) phrase.append(shownGap(name, token));
      phrase.append(shownWord(name, token, known));
    }
  }
  return sentence;
}

function shownPhrase(links) {
  const element = make("span", {
    class: `phrase ${[...new Set(links.map((link) => link.status))].join(" ")}`,
    "data-links": links.map((link) => link.number).join(" "),
    "data-color": links[0].color,
  });
  if (links.every((link) => link.status === "suggested" && link.probability < UNLIKELY)) element.classList.add("unlikely");
  return element;
}

function shownGap(name, token) {
  const gap = make("span", { class: "gap" }, between(pair[name], token, false));
  shown[name][token] = { ...shown[name][token], gap };
  return gap;
}

function shownWord(name, token, { open, nulls }) {
  const word = make("span", { class: "word", role: "option", tabindex: "-1", "aria-selected": "false", "data-word": token },
                    pair[name].tokens[token]);
  if (open.has(token)) word.classList.add("open");
  if (nulls.has(token)) word.classList.add("nulled");
  const said = descriptionOf(name, token, open, nulls);
  if (said) word.setAttribute("aria-description", said);
  shown[name][token] = { ...shown[name][token], word };
  return word;
}

// Say for screen readers what is known of a word.
function descriptionOf(name, token, open, nulls) {
  const other = name === "abstract" ? "document" : "abstract";
  const links = pair.links.filter((link) => token >= link[name][0] && token < link[name][1]);
  const said = links.map((link) => `${link.status}: ${wordsOf(pair[other], link[other])}`);
  if (nulls.has(token)) said.push("unaligned");
  if (open.has(token)) said.push("open");
  return said.join(", ");
}

// Selection

function spanOf(name) {
  const chosen = selection[name];
  return chosen && [Math.min(chosen.anchor, chosen.caret), Math.max(chosen.anchor, chosen.caret) + 1];
}

function select(name, caret, extend = false) {
  if (!shown[name].length) return;
  const anchor = extend && selection[name] ? selection[name].anchor : caret;
  selection[name] = { anchor, caret };
  active = name;
  showSelection();
}

// Show what is selected. One word of each text can be reached with Tab: the caret.
function showSelection() {
  for (const name of NAMES) {
    for (const element of panes[name].querySelectorAll(".selected")) mark(element, false);
    panes[name].querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    const span = spanOf(name);
    for (const token of span ? tokensOf(span) : []) {
      mark(shown[name][token].word, true);
      if (token > span[0] && shown[name][token].gap) mark(shown[name][token].gap, true);
    }
    shown[name][selection[name]?.caret ?? 0]?.word.setAttribute("tabindex", "0");
  }
  const own = selection[active] && shown[active][selection[active].caret]?.word;
  if (own && !get("help").open && !panesLeft()) own.focus({ preventScroll: true });
  // What was pressed is in sight, and must not move away under the pointer.
  if (own && !press) scrollTo(panes[active], own);
  light(selection[active] ? linksAt(active, selection[active].caret) : []);
  // What is selected on one side may be out of sight: say what would be linked.
  if (NAMES.every((name) => selection[name])) {
    const [abstract, document] = NAMES.map((name) => quoted(name, spanOf(name)));
    tell(`${abstract} and ${document}: 1 links them as sure, 2 as possible`);
  }
}

function tell(message) {
  get("status").textContent = message;
}

// Isolates keep the direction of the words from that of the sentence around them.
function quoted(name, span) {
  return `“\u2068${wordsOf(pair[name], span)}\u2069”`;
}

function mark(element, isSelected) {
  element.classList.toggle("selected", isSelected);
  if (element.role === "option") element.setAttribute("aria-selected", String(isSelected));
}

// Tell whether the user is elsewhere: in the note, in the list of pairs.
function panesLeft() {
  return document.activeElement?.matches("textarea, select");
}

function linksAt(name, token) {
  return pair.links.filter((link) => token >= link[name][0] && token < link[name][1]);
}

// Light up links in both texts, and bring the partners of the caret into sight.
function light(links) {
  const numbers = new Set(links.map((link) => String(link.number)));
  document.body.classList.toggle("lit", numbers.size > 0);
  for (const element of document.querySelectorAll("main [data-links]")) {
    element.classList.toggle("on", element.dataset.links.split(" ").some((number) => numbers.has(number)));
  }
  const other = active === "abstract" ? "document" : "abstract";
  if (numbers.size && !(other === "document" && selection.document)) scrollTo(panes[other], panes[other].querySelector(".on"));
  tell(links.map(described).join(" · "));
}

function described(link) {
  const probability = link.probability === undefined ? "" : `, probability ${link.probability.toFixed(2)}`;
  return `${quoted("abstract", link.abstract)} ← ${quoted("document", link.document)}, ${link.status}${probability}`;
}

// Moving

function isRightToLeft(name) {
  return getComputedStyle(panes[name]).direction === "rtl";
}

function move(by, extend) {
  const words = shown[active].length;
  if (!words) return;
  const caret = selection[active] ? selection[active].caret + by : 0;
  select(active, Math.min(Math.max(caret, 0), words - 1), extend);
}

// Move to the word above or below: the nearest of the next line that has words.
function moveLine(by, extend) {
  const from = selection[active] && shown[active][selection[active].caret].word.getBoundingClientRect();
  if (!from) { move(1, extend); return; }
  const middle = (box) => (box.left + box.right) / 2;
  let line = null;
  let best = null;
  for (let token = selection[active].caret + by; shown[active][token]; token += by) {
    const box = shown[active][token].word.getBoundingClientRect();
    if (by * (box.top - from.top) < from.height / 2) continue;
    line ??= box.top;
    if (Math.abs(box.top - line) > from.height / 2) break;
    const distance = Math.abs(middle(box) - middle(from));
    if (!best || distance < best.distance) best = { token, distance };
  }
  if (best) select(active, best.token, extend);
}

function moveSentence(by, extend) {
  const starts = sentencesOf(pair[active]).map(([, [start]]) => start);
  const caret = selection[active]?.caret ?? -1;
  const start = by > 0 ? starts.find((each) => each > caret) : starts.findLast((each) => each < caret);
  if (start !== undefined) select(active, start, extend);
}

function toOtherText() {
  const other = active === "abstract" ? "document" : "abstract";
  if (!shown[other].length) return;
  const partner = selection[active] && linksAt(active, selection[active].caret)[0]?.[other];
  if (selection[other]) select(other, selection[other].caret);
  else select(other, partner?.[0] ?? 0);
  if (partner && String(spanOf(other)) === String([partner[0], partner[0] + 1])) select(other, partner[1] - 1, true);
}

// Select the next open word of the abstract behind a word, or from the start again.
function toOpenWord(behind) {
  const open = openWords();
  const next = open.find((token) => token > behind) ?? open[0];
  if (next === undefined) return false;
  selection.document = null;
  select("abstract", next);
  return true;
}

// Select in the document, behind what is selected there, the words that are selected in the abstract.
function findWords() {
  const span = spanOf("abstract");
  if (!span) return;
  const lower = (side) => side.tokens.map((token) => token.toLowerCase());
  const wanted = lower(pair.abstract).slice(...span);
  const words = lower(pair.document);
  const starts = words.map((_, token) => token).filter((token) => wanted.every((word, index) => words[token + index] === word));
  const behind = spanOf("document")?.[0] ?? -1;
  const start = starts.find((token) => token > behind) ?? starts[0];
  if (start === undefined) { tell("The document does not have these words."); return; }
  select("document", start);
  select("document", start + wanted.length - 1, true);
}
