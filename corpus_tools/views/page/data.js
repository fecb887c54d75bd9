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
    ({ number, abstract: [aStart, aEnd], document: [dStart, dEnd], probability, status, color: colorOf(number, status),
       component: overview.components[component], share }));
  return pair;
}

const AGREEING = [0, 2, 5];  // Colours that are far from those of missing and extra links.

function colorOf(number, status) {
  return status === "agrees" ? AGREEING[number % AGREEING.length] : number % COLORS;
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
