// The links of a pair, and what the user does with its phrases.

const main = document.querySelector("main");
const panes = { abstract: get("abstract").querySelector(".text"), document: get("document").querySelector(".text") };

const FEW_LINKS = 30;  // So many numbers do not disturb a reader. Chosen by looking at pairs.
const FEW_WORDS = 160;  // So many fit on a screen over its whole width, in large letters. Chosen likewise.

let pair = null;
let numbered = null;  // Whether the reader wants the numbers of links; null until asked for: where there are few.

// Show a pair that has its places.
function showTexts(asked) {
  pair = asked;
  for (const name of ["abstract", "document"]) {
    showText(panes[name], pair, name);
    panes[name].scrollTop = 0;
    const words = name === "abstract" && pair.heads ? `${pair.heads.length} systems` : describeSide(pair, name);
    get(`${name}-title`).dataset.words = words;
  }
  const words = pair.abstract.spans.length + pair.document.spans.length;
  main.classList.toggle("short", words <= FEW_WORDS);
  showNumbers();
  if (get("replacement")) get("replacement").hidden = !pair.links.some((link) => link.isReplacement);
  if (!pair.covered) showLinks();
  light(null);
}

function showLinks() {
  showStrip(get("strip"), pair);
  const { direction } = getComputedStyle(panes.document);
  get("strip").classList.toggle("mirrored", direction === "rtl");
  get("sources").dir = direction;
  listLinks(get("links"), main.classList.contains("short") ? pair : { links: [] });
}

function showNumbers() {
  const shown = numbered ?? pair.links.length <= FEW_LINKS;
  main.classList.toggle("numbered", shown);
  get("numbers")?.setAttribute("aria-pressed", String(shown));
}

function switchNumbers() {
  numbered = !main.classList.contains("numbered");
  if (pair) showNumbers();
}

function cutTokens(side) {
  side.spans = spansOf(side.steps);
  side.tokens = side.spans.map(([start, end]) => side.text.slice(start, end));
}

// Return a pair with the characters of its tokens and its links as objects.
function withPlaces(pair) {
  [pair.abstract, pair.document].forEach(cutTokens);
  pair.links = pair.links.map(([aStart, aEnd, dStart, dEnd, probability, status, component, share], number) =>
    ({ number, abstract: [aStart, aEnd], document: [dStart, dEnd], probability, status, color: colorOf(number, status),
       component: overview.components[component], share, isReplacement: pair.replacements?.includes(number) ?? false }));
  return pair;
}

const AGREEING = [0, 2, 5];  // Colours that are far from those of missing and extra links.

function colorOf(number, status) {
  return status === "agrees" ? AGREEING[number % AGREEING.length] : number % COLORS;
}

// Phrases

// Light up the links of a phrase, or of none. The other text scrolls to the partner.
function light(phrase) {
  if (pair?.covered) { lightWord(phrase); return; }
  const numbers = new Set(phrase ? phrase.dataset.links.split(" ") : []);
  document.body.classList.toggle("lit", numbers.size > 0);
  for (const element of document.querySelectorAll("main [data-links]")) {
    element.classList.toggle("on", element.dataset.links.split(" ").some((number) => numbers.has(number)));
  }
  get("status").textContent = phrase ? [...numbers].map((number) => describe(pair.links[number])).join(" · ") : "";
  if (!phrase) return;
  for (const [name, pane] of Object.entries(panes)) {
    if (!pane.contains(phrase)) scrollTo(pane, pane.querySelector(".on"));
  }
}

function phrasesOf(link) {
  const words = (name) => inQuotes(wordsOf(pair[name], link[name]));
  return `${words("abstract")} ← ${words("document")}`;
}

function describe(link) {
  const parts = [phrasesOf(link)];
  if (link.probability !== null) parts.push(`probability ${link.probability.toFixed(2)}`);
  if (link.component) parts.push(`by ${link.component} (${Math.round(100 * link.share)} %)`);
  if (link.isReplacement) parts.push("in the place of it: another number, or a word of other letters");
  if (link.status === "missing") parts.push(`missing: only ${overview.reference} has it`);
  if (link.status === "extra") parts.push(`extra: not in ${overview.reference}`);
  if (link.status === "agrees") parts.push(`agrees with ${overview.reference}`);
  return parts.join(", ");
}

function phraseOf(target) {
  return target instanceof Element ? target.closest("main [data-links]") : null;
}

function focused() {
  return phraseOf(document.activeElement);
}

// Move the focus in a text. One phrase of each text can be reached with Tab, the others by arrows.
function moveFocus(by) {
  const phrase = focused();
  const pane = Object.values(panes).find((each) => each.contains(phrase)) ?? panes.abstract;
  const phrases = [...pane.querySelectorAll("[role=button]")];
  const index = phrase ? phrases.indexOf(phrase) + by : 0;
  phrases[Math.min(Math.max(index, 0), phrases.length - 1)]?.focus();
}

function isRightToLeft() {
  const pane = Object.values(panes).find((each) => each.contains(focused())) ?? panes.abstract;
  return getComputedStyle(pane).direction === "rtl";
}

function toPartner() {
  const phrase = focused();
  if (!phrase) return false;
  const other = panes.abstract.contains(phrase) ? panes.document : panes.abstract;
  other.querySelector(".on")?.focus({ preventScroll: true });
  return true;
}

function onFocus(event) {
  const phrase = phraseOf(event.target);
  if (!phrase) return;
  const pane = Object.values(panes).find((each) => each.contains(phrase));
  pane?.querySelector("[role=button][tabindex='0']")?.setAttribute("tabindex", "-1");
  phrase.setAttribute("tabindex", "0");
  light(phrase);
}

// Keys

const KEYS = {
  ArrowRight: () => moveFocus(isRightToLeft() ? -1 : 1),
  ArrowLeft: () => moveFocus(isRightToLeft() ? 1 : -1),
  Enter: toPartner,
  " ": toPartner,
  Escape: () => { focused()?.blur(); light(null); },
  l: () => get("numbers")?.click(),
  m: () => get("open-matrix")?.click(),
};

main.addEventListener("pointerover", (event) => {
  const phrase = phraseOf(event.target);
  if (phrase) light(phrase);
});
main.addEventListener("pointerout", (event) => {
  if (phraseOf(event.target) && !phraseOf(event.relatedTarget)) light(focused());
});
main.addEventListener("focusin", onFocus);
main.addEventListener("focusout", (event) => { if (!phraseOf(event.relatedTarget)) light(null); });
// With the browser's caret in a text, too.
document.addEventListener("selectionchange", () => {
  const { anchorNode } = getSelection();
  if (main.contains(anchorNode)) light(phraseOf(anchorNode.parentElement) ?? focused());
});
get("numbers")?.addEventListener("click", switchNumbers);
get("strip")?.addEventListener("click", (event) => {
  const ribbon = phraseOf(event.target);
  if (ribbon) panes.abstract.querySelector(".on")?.focus();
});
get("open-matrix")?.addEventListener("click", () => {
  const asked = focused()?.dataset.links.split(" ") ?? [];
  if (pair?.posteriors) openMatrix(pair, asked.map((number) => pair.links[number]));
});
if (dialog) closeOutside(dialog);
