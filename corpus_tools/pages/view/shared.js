"use strict";
// What the pages of alignments share: what the program says of all pairs, the tokens of a side, its phrases, elements.

const COLORS = 6;
const UNLIKELY = 0.5;  // Null is more likely than a link below.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const get = (id) => document.getElementById(id);
const thousands = new Intl.NumberFormat("en");
const overview = JSON.parse(get("overview").textContent);

// Return [start, end) of each token, from the steps between them and their lengths.
function spansOf(steps) {
  const spans = [];
  let end = 0;
  for (let i = 0; i < steps.length; i += 2) {
    const start = end + steps[i];
    end = start + steps[i + 1];
    spans.push([start, end]);
  }
  return spans;
}

// Return the spans of a phrase. It is [start, end), or a list of these if its words stand apart.
function spansIn(phrase) {
  return Array.isArray(phrase[0]) ? phrase : [phrase];
}

// Return the tokens of a phrase.
function tokensOf(phrase) {
  return spansIn(phrase).flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index));
}

// Return the text of a phrase, as it stands in the side.
function wordsOf(side, phrase) {
  return spansIn(phrase).map(([start, end]) => side.text.slice(side.spans[start][0], side.spans[end - 1][1])).join(" … ");
}

// Return the sentences that have tokens: their numbers and their tokens [start, end).
function sentencesOf(side) {
  const numbered = side.sentences.slice(1).map((end, number) => [number, [side.sentences[number], end]]);
  return numbered.filter(([, [start, end]]) => start < end);
}

// Return words between quotes. Isolates keep their direction from that of the sentence around them.
function inQuotes(words) {
  return `“\u2068${words}\u2069”`;
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Return the line of a sentence, without its words. A paragraph begins where the text has the end of a line.
// Numbers count from that of the first sentence.
function lineOf(side, number, start, first = 0) {
  const line = make("span", { class: "sentence", "data-sentence": number - first + 1 });
  line.classList.toggle("paragraph", between(side, start, false).includes("\n"));
  return line;
}

// Leave room in a pane for the numbers of the sentences of a side.
function fitNumbers(pane, side) {
  pane.style.setProperty("--digits", Math.max(2, String(side.sentences.length - 1).length));
}

// Make an element of a drawing.
function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Return for each token of a side the numbers of its links.
function linksOfTokens(pair, name) {
  const linksAt = pair[name].spans.map(() => []);
  for (const link of pair.links) {
    for (const token of tokensOf(link[name])) linksAt[token].push(link.number);
  }
  return linksAt;
}

// Cut the tokens from start to end into the longest runs that have the same links.
function segmentsOf(linksAt, start, end) {
  const segments = [];
  for (let token = start; token < end; token++) {
    const before = segments.at(-1);
    if (before && String(linksAt[before[0]]) === String(linksAt[token])) before[1] = token + 1;
    else segments.push([token, token + 1]);
  }
  return segments;
}

// Return the characters before a token. Those before a sentence stand outside of it.
function between(side, token, atSentenceStart) {
  if (atSentenceStart) return "";
  return side.text.slice(token ? side.spans[token - 1][1] : 0, side.spans[token][0]);
}

// Tell whether the control that has the focus needs a key itself. All others are commands of the page.
function needsKey(event) {
  const control = event.target.closest("input, textarea, select, summary, button");
  if (!control) return false;
  if (control.matches("textarea, input:not([type=checkbox])")) return true;
  if (control.matches("select") && (isOpen(control) || /^Arrow(Up|Down)$/.test(event.key))) return true;
  return event.key === "Enter" || event.key === " ";
}

// Return what is printed on a key: its letter whatever Caps Lock says, and the digit that takes Shift on some keyboards.
// On keyboards of other scripts the place of the key decides.
function printedOn(event, keys) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (Object.hasOwn(keys, key)) return key;
  const place = event.code.replace(/^(Key|Digit|Numpad)/, "").toLowerCase();
  const isByPlace = key.length === 1 && (key > "~" || (/^Digit/.test(event.code) && !event.shiftKey));
  return isByPlace && Object.hasOwn(keys, place) ? place : null;
}

// Tell whether a key is held that makes a command of the browser. AltGr, and a Mac's Option, only choose a character.
function isHeld(event) {
  const isOption = event.altKey && !event.ctrlKey && !event.metaKey && /^[[\]/?]$/.test(event.key);
  return !isOption && !event.getModifierState("AltGraph") && (event.ctrlKey || event.metaKey || event.altKey);
}

function isOpen(select) {
  return CSS.supports("selector(:open)") && select.matches(":open");
}

// Close Help, but not where it holds an element.
function closeDetails(element) {
  for (const details of document.querySelectorAll("details[open]")) {
    if (!details.contains(element)) details.open = false;
  }
}

// Close a dialog when the pointer is pressed outside of it, which is on its backdrop.
function closeOutside(dialog) {
  dialog.addEventListener("pointerdown", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = left <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
}

// Return the id of the pair that the address of the page names, or null.
function idOfAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("id");
}

function noSuchPair(id) {
  return `There is no pair with the id ${inQuotes(id)}.`;
}

// Scroll a pane to an element that is not in sight.
function scrollTo(pane, element) {
  if (!element) return;
  const [box, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top >= box.top && inner.bottom <= box.bottom) return;
  const top = pane.scrollTop + inner.top - box.top - box.height / 3;
  pane.scrollTo({ top, behavior: calm.matches ? "auto" : "smooth" });
}
