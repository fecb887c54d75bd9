// The running texts of a pair, cut where phrases begin and end.

const COLORS = 6;

// Fill an element with one side of a pair: "abstract" or "document".
function showText(element, pair, name) {
  const side = pair[name];
  const linksAt = linksOfTokens(pair, name);
  const sentences = [];
  for (let s = 0; s + 1 < side.sentences.length; s++) {
    const [start, end] = [side.sentences[s], side.sentences[s + 1]];
    if (start === end) continue;
    const sentence = make("span", { class: "sentence" });
    if (name === "document" && linksAt.slice(start, end).every((links) => !links.length)) {
      sentence.classList.add("unused");
    }
    for (const segment of segmentsOf(linksAt, start, end)) {
      sentence.append(between(side, segment[0], segment[0] === start), shownSegment(pair, name, segment, linksAt));
    }
    sentences.push(between(side, start, false), sentence);
  }
  const last = side.spans.length ? side.spans.at(-1)[1] : 0;
  element.replaceChildren(...sentences, side.text.slice(last));
  element.querySelector("[role=button]")?.setAttribute("tabindex", "0");
}

// Return for each token of a side the numbers of its links.
function linksOfTokens(pair, name) {
  const linksAt = pair[name].spans.map(() => []);
  for (const link of pair.links) {
    for (let token = link[name][0]; token < link[name][1]; token++) linksAt[token].push(link.number);
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

function shownSegment(pair, name, segment, linksAt) {
  const text = wordsOf(pair[name], segment);
  const links = linksAt[segment[0]].map((number) => pair.links[number]);
  if (!links.length) return name === "abstract" ? make("span", { class: "null", title: "from null" }, text) : text;
  const element = make("span", {
    class: `phrase ${mark(links)}`,
    role: "button",
    tabindex: "-1",
    "aria-describedby": "status",
    "data-links": links.map((link) => link.number).join(" "),
    "data-number": links.map((link) => link.number + 1).join(","),
    "data-color": links[0].number % COLORS,
  }, text);
  if (Math.max(...links.map((link) => link.probability ?? 1)) < 0.5) element.classList.add("unlikely");
  return element;
}

// Return the classes of a phrase: how its links compare with the reference.
function mark(links) {
  const statuses = [...new Set(links.map((link) => link.status))];
  // Nothing but the reference links these words: for the alignment itself they come from null.
  return statuses.join(" ");
}
