"use strict";
// The data of the page. A pair is a line of JSON, which is read when the pair is looked at.

const overview = JSON.parse(document.getElementById("overview").textContent);
const lines = document.getElementById("pairs").textContent.split("\n");

const summaries = overview.pairs.map(
  ([id, errors, lowest, jump, abstractWords, documentWords], index) =>
    ({ index, id, errors, lowest, jump, abstractWords, documentWords }));

// Return a pair with the characters of its tokens and its links as objects.
function readPair(index) {
  const pair = JSON.parse(lines[index]);
  for (const side of [pair.abstract, pair.document]) {
    side.spans = spansOf(side.steps);
    side.tokens = side.spans.map(([start, end]) => side.text.slice(start, end));
  }
  pair.links = pair.links.map(([aStart, aEnd, dStart, dEnd, probability, status, component, share], number) =>
    ({ number, abstract: [aStart, aEnd], document: [dStart, dEnd], probability, status,
       component: overview.components[component], share }));
  return pair;
}

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

let searched = null;

// Return the texts of all pairs in the form in which they are searched.
function searchedTexts() {
  searched ??= lines.map((line) => {
    const pair = JSON.parse(line);
    return searchForm(`${pair.id}\n${pair.abstract.text}\n${pair.document.text}`);
  });
  return searched;
}

// Return a text as it is compared: without case, and without the ways to write one character.
function searchForm(text) {
  return text.normalize("NFKC").toLowerCase();
}

// Return the text of some tokens, as it stands in the side.
function wordsOf(side, [start, end]) {
  return side.text.slice(side.spans[start][0], side.spans[end - 1][1]);
}

// Return the sentences that have tokens: their numbers and their tokens [start, end).
function sentencesOf(side) {
  const numbered = side.sentences.slice(1).map((end, number) => [number, [side.sentences[number], end]]);
  return numbered.filter(([, [start, end]]) => start < end);
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
