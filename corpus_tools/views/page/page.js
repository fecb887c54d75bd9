// What the user does: choose a pair, go through its phrases.

const get = (id) => document.getElementById(id);
const main = document.querySelector("main");
const panes = { abstract: get("abstract").querySelector(".text"), document: get("document").querySelector(".text") };

const FEW_LINKS = 30;  // So many numbers do not disturb a reader. Chosen by looking at pairs.
const FEW_WORDS = 200;  // So many fit on a screen over its whole width, in large letters. Chosen likewise.

let chosen = summaries;
let pair = null;
let numbered = null;  // Whether the reader wants the numbers of links; null until asked for: where there are few.

// Pairs

function showPair(index) {
  pair = readPair(index);
  for (const name of ["abstract", "document"]) {
    showText(panes[name], pair, name);
    panes[name].scrollTop = 0;
    get(`${name}-title`).dataset.words = describeSide(pair, name);
  }
  const words = pair.abstract.spans.length + pair.document.spans.length;
  main.classList.toggle("short", words <= FEW_WORDS);
  showNumbers();
  if (!pair.covered) showLinks();
  highlightSearch();
  get("list").value = String(index);
  const position = chosen.findIndex((summary) => summary.index === index);
  get("previous").disabled = position <= 0;
  get("next").disabled = position === chosen.length - 1;
  get("count").textContent = `${position + 1} of ${chosen.length}`;
  document.title = `${pair.id} · alignments`;
  history.replaceState(null, "", `#${new URLSearchParams({ id: pair.id })}`);
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

function showNothing() {
  pair = null;
  for (const element of [...Object.values(panes), get("strip"), get("links")]) element?.replaceChildren();
  get("count").textContent = "none";
  get("status").textContent = "No pair matches the search and the filters.";
  get("previous").disabled = get("next").disabled = true;
}

function step(by) {
  const position = chosen.findIndex((summary) => summary.index === Number(get("list").value)) + by;
  if (chosen[position]) showPair(chosen[position].index);
}

function choosePairs() {
  const asked = searchForm(get("search").value.trim());
  const texts = asked && searchedTexts();
  const is = (id) => Boolean(get(id)?.checked);
  chosen = summaries.filter((summary) =>
    (!asked || texts[summary.index].includes(asked))
    && (!is("errors") || summary.errors > 0)
    && (!is("unlikely") || (summary.lowest ?? 1) < get("probability").valueAsNumber)
    && (!is("jumping") || summary.jump >= get("distance").valueAsNumber));
  get("filters").classList.toggle("on", ["errors", "unlikely", "jumping"].some(is));
  get("list").replaceChildren(...chosen.map((summary) => make("option", { value: summary.index }, described(summary))));
  if (!chosen.length) showNothing();
  else showPair((chosen.find((summary) => summary.index === pair?.index) ?? chosen[0]).index);
}

function described({ id, errors }) {
  return overview.counted ? `${id}  (${errors} ${overview.counted})` : id;
}

// Mark what is searched, where the browser can. Other browsers only choose the pairs.
function highlightSearch() {
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete("search");
  const asked = get("search").value.trim().toLowerCase();
  if (!asked || !pair) return;
  const ranges = Object.values(panes).flatMap((pane) => rangesOf(pane, asked));
  CSS.highlights.set("search", new Highlight(...ranges));
}

function rangesOf(pane, asked) {
  const nodes = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  const starts = [];
  let text = "";
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    starts.push([text.length, node]);
    text += node.data;
  }
  const point = (offset) => {
    const [start, node] = starts.findLast(([first]) => first <= offset);
    return [node, offset - start];
  };
  // Few letters have another length in lower case; then the marks of a text would be beside it.
  const lower = text.toLowerCase();
  const ranges = [];
  if (lower.length !== text.length) return ranges;
  for (let at = lower.indexOf(asked); at >= 0; at = lower.indexOf(asked, at + asked.length)) {
    const range = new Range();
    range.setStart(...point(at));
    range.setEnd(...point(at + asked.length));
    ranges.push(range);
  }
  return ranges;
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
  const other = panes.abstract.contains(phrase) ? panes.document : panes.abstract;
  if (phrase) other.querySelector(".on")?.focus({ preventScroll: true });
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
  n: () => step(1),
  p: () => step(-1),
  ArrowRight: () => moveFocus(isRightToLeft() ? -1 : 1),
  ArrowLeft: () => moveFocus(isRightToLeft() ? 1 : -1),
  Enter: toPartner,
  " ": toPartner,
  Escape: () => { focused()?.blur(); light(null); },
  "/": () => get("search").focus(),
  l: () => get("numbers")?.click(),
  m: () => get("open-matrix")?.click(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
  if (event.key === "Escape") closeDetails();
  if (event.key === "Escape" && event.target.matches("input, select")) event.target.blur();
  if (needsKey(event) || !Object.hasOwn(KEYS, event.key)) return;
  if ((event.key === " " || event.key === "Enter") && !focused()) return;
  event.preventDefault();
  KEYS[event.key]();
}

function later(action, milliseconds) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(action, milliseconds); };
}

// Close Filters and Help, but for the one that holds an element.
function closeDetails(element) {
  for (const details of document.querySelectorAll("details[open]")) {
    if (!details.contains(element)) details.open = false;
  }
}

// Show the pair that the address names.
function showAsked(id) {
  const asked = summaries.find((summary) => summary.id === id);
  if (asked) showPair(asked.index);
  else if (id !== null) get("status").textContent = noSuchPair(id);
}

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
document.addEventListener("keydown", onKey);
document.addEventListener("pointerdown", (event) => closeDetails(event.target));
get("next").addEventListener("click", () => step(1));
get("previous").addEventListener("click", () => step(-1));
get("list").addEventListener("change", () => {
  get("list").blur();
  showPair(Number(get("list").value));
});
get("search").addEventListener("input", later(choosePairs, 150));
get("filters").addEventListener("input", choosePairs);
get("open-matrix")?.addEventListener("click", () => {
  const asked = focused()?.dataset.links.split(" ") ?? [];
  if (pair) openMatrix(pair, asked.map((number) => pair.links[number]));
});
if (dialog) closeOutside(dialog);
addEventListener("hashchange", () => showAsked(idOfAddress()));

const asked = idOfAddress();
choosePairs();
showAsked(asked);
