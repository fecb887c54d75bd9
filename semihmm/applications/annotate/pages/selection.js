// The words that are selected, which need not stand together, and how the caret moves.

let active = "abstract";
// { kept, anchor, caret, takes }: the words that are selected in any case; the run from anchor to caret, which is
// added or taken away; without an anchor the caret only moves.
const selection = { abstract: null, document: null };

// Return the words that are selected in a text, sorted.
function chosenWords(name) {
  const { kept, anchor, caret, takes } = selection[name] ?? { kept: [], anchor: null };
  const run = anchor === null ? [] : tokensOf([Math.min(anchor, caret), Math.max(anchor, caret) + 1]);
  if (takes) return kept.filter((token) => !run.includes(token));
  return [...new Set([...kept, ...run])].sort((x, y) => x - y);
}

// Return some sorted words as a phrase: [start, end), or a list of these.
function phraseOf(words) {
  const spans = [];
  for (const word of words) {
    if (spans.at(-1)?.[1] === word) spans.at(-1)[1] += 1;
    else spans.push([word, word + 1]);
  }
  return spans.length > 1 ? spans : spans[0];
}

// Return the phrase that is selected in a text, if any is.
function chosenPhrase(name) {
  return phraseOf(chosenWords(name));
}

const WAYS = {
  alone: (_, caret) => ({ kept: [], anchor: caret, caret, takes: false }),
  extend: (name, caret) => ({ ...selection[name], anchor: selection[name].anchor ?? selection[name].caret, caret }),
  toggle: (name, caret) => {
    const kept = chosenWords(name);
    return { kept, anchor: caret, caret, takes: kept.includes(caret) };
  },
  move: (name, caret) => ({ kept: chosenWords(name), anchor: null, caret, takes: false }),
};

function wayOf(event) {
  if (event.shiftKey) return "extend";
  return event.ctrlKey || event.metaKey ? "move" : "alone";
}

// Put the caret on a word, and select it in one of the ways above.
function select(name, caret, way = "alone") {
  if (!shown[name].length) return;
  selection[name] = WAYS[selection[name] ? way : "alone"](name, caret);
  active = name;
  showSelection();
}

// Select a phrase, the caret on its last word.
function choose(name, phrase) {
  const spans = spansIn(phrase);
  const [start, end] = spans.at(-1);
  selection[name] = { kept: tokensOf(spans.slice(0, -1)), anchor: start, caret: end - 1, takes: false };
  active = name;
}

// Show what is selected. One word of each text can be reached with Tab: the caret.
function showSelection() {
  for (const name of NAMES) {
    for (const element of panes[name].querySelectorAll(".selected")) mark(element, false);
    panes[name].querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    const chosen = new Set(chosenWords(name));
    for (const token of chosen) {
      mark(shown[name][token].word, true);
      if (chosen.has(token - 1) && shown[name][token].gap) mark(shown[name][token].gap, true);
    }
    shown[name][selection[name]?.caret ?? 0]?.word.setAttribute("tabindex", "0");
  }
  const own = selection[active] && shown[active][selection[active].caret]?.word;
  if (own && !get("help").open && !panesLeft()) own.focus({ preventScroll: true });
  // What was pressed is in sight, and must not move away under the pointer.
  if (own && !press) scrollTo(panes[active], own);
  light(selection[active] ? linksAt(active, selection[active].caret) : []);
  showDifference();
  // What is selected on one side may be out of sight: say what would be linked.
  const phrases = NAMES.map(chosenPhrase);
  if (phrases.every(Boolean)) {
    const [abstract, document] = NAMES.map((name, number) => quoted(name, phrases[number]));
    tell(`${abstract} and ${document}: ${keyFor("sure")} links them as sure, ${keyFor("possible")} as possible`);
  }
}

function tell(message) {
  get("status").textContent = message;
}

// Return what to press for a step: its key, or where no keys are shown what its button says.
function keyFor(id) {
  const key = get(id).querySelector("kbd");
  return key.checkVisibility() ? key.textContent : get(id).innerText.trim();
}

// Isolates keep the direction of the words from that of the sentence around them.
function quoted(name, phrase) {
  return `“\u2068${wordsOf(pair[name], phrase)}\u2069”`;
}

function mark(element, isSelected) {
  element.classList.toggle("selected", isSelected);
  if (element.role === "option") element.setAttribute("aria-selected", String(isSelected));
}

// Tell whether the user is elsewhere: in the note, in the list of pairs.
function panesLeft() {
  return document.activeElement?.matches("textarea, select");
}

function holds(phrase, token) {
  return spansIn(phrase).some(([start, end]) => start <= token && token < end);
}

function linksAt(name, token) {
  return pair.links.filter((link) => holds(link[name], token));
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
  // What people said stands in the line of the difference.
  tell(links.filter((link) => link.status !== "proposed").map(described).join(" · "));
}

function described(link) {
  const probability = link.probability === undefined ? "" : `, probability ${link.probability.toFixed(2)}`;
  return `${quoted("abstract", link.abstract)} ← ${quoted("document", link.document)}, ${link.said ?? link.status}${probability}`;
}

// Moving

function isRightToLeft(name) {
  return getComputedStyle(panes[name]).direction === "rtl";
}

function move(by, way) {
  const words = shown[active].length;
  if (!words) return;
  const caret = selection[active] ? selection[active].caret + by : 0;
  select(active, Math.min(Math.max(caret, 0), words - 1), way);
}

// Move to the word above or below: the nearest of the next line that has words.
function moveLine(by, way) {
  const from = selection[active] && shown[active][selection[active].caret].word.getBoundingClientRect();
  if (!from) { move(1, way); return; }
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
  if (best) select(active, best.token, way);
}

function moveSentence(by) {
  const starts = sentencesOf(pair[active]).map(([, [start]]) => start);
  const caret = selection[active]?.caret ?? -1;
  const start = by > 0 ? starts.find((each) => each > caret) : starts.findLast((each) => each < caret);
  if (start !== undefined) select(active, start);
}

// Go to what is selected in the other text, or select there what the caret's word is linked to.
function toOtherText() {
  const other = active === "abstract" ? "document" : "abstract";
  if (!shown[other].length) return;
  const partner = selection[active] && linksAt(active, selection[active].caret)[0]?.[other];
  if (!selection[other]) choose(other, partner ?? [0, 1]);
  active = other;
  showSelection();
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
