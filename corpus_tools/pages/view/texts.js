// The texts of a pair, a sentence a line, cut where phrases begin and end.

const SIGNS = { alone: "", agrees: "=", missing: "−", extra: "+" };

// Fill an element with one side of a pair: "abstract" or "document".
function showText(element, pair, name) {
  const side = pair[name];
  const linksAt = linksOfTokens(pair, name);
  const segments = (span) => (pair.covered ? tokensOf(span).map((token) => [token, token + 1]) : segmentsOf(linksAt, ...span));
  const shown = (segment) => (pair.covered ? shownWord(pair, name, segment[0]) : shownSegment(pair, name, segment, linksAt));
  const heads = (name === "abstract" && pair.heads) || [];
  const sentences = sentencesOf(side);
  const lines = sentences.map(([number, span]) => {
    const before = heads.findLast(({ first }) => first <= number)?.first ?? 0;
    const sentence = lineOf(side, number, span[0], before);
    const isUnused = name === "document" && !pair.covered && linksAt.slice(...span).every((links) => !links.length);
    sentence.classList.toggle("unused", isUnused);
    for (const segment of segments(span)) {
      sentence.append(between(side, segment[0], segment[0] === span[0]), shown(segment));
    }
    return sentence;
  });
  // From the last one on, so that the places of others stay.
  for (const { first, line } of heads.toReversed()) {
    const place = sentences.findIndex(([number]) => number >= first);
    lines.splice(place < 0 ? lines.length : place, 0, line);
  }
  element.replaceChildren(...lines);
  fitNumbers(element, side);
  element.querySelector("[role=button]")?.setAttribute("tabindex", "0");
}

// Say how long a side is, and how much of it is not linked.
function describeSide(pair, name) {
  const side = pair[name];
  if (pair.covered) return describeCovered(pair, name);
  const words = `${thousands.format(side.spans.length)} words`;
  const linksAt = linksOfTokens(pair, name);
  if (name === "abstract") {
    const own = linksAt.filter((links) => links.some((number) => pair.links[number].status !== "missing"));
    return `${words}, ${thousands.format(linksAt.length - own.length)} unaligned`;
  }
  const sentences = sentencesOf(side);
  const used = sentences.filter(([, [start, end]]) => linksAt.slice(start, end).some((links) => links.length));
  return `${words}, ${thousands.format(used.length)} of ${thousands.format(sentences.length)} sentences used`;
}

function shownSegment(pair, name, segment, linksAt) {
  const text = wordsOf(pair[name], segment);
  const links = linksAt[segment[0]].map((number) => pair.links[number]);
  if (!links.length) return name === "abstract" ? make("span", { class: "null", title: "unaligned" }, text) : text;
  const statuses = new Set(links.map((link) => link.status));
  const element = make("span", {
    class: `phrase ${[...statuses].join(" ")}`,
    role: "button",
    tabindex: "-1",
    "data-links": links.map((link) => link.number).join(" "),
    "data-number": links.map(numberOf).join(","),
    "data-color": links[0].color,
  }, text);
  element.classList.toggle("mark", isMark(text));
  element.classList.toggle("replacement", links.every((link) => link.isReplacement));
  if (links.every((link) => link.probability !== null && link.probability < UNLIKELY)) element.classList.add("unlikely");
  return element;
}

// Tell whether words are marks alone, such as a full stop: their links say little.
function isMark(words) {
  return !/[\p{L}\p{N}]/u.test(words);
}

// Return the number of a link as it stands behind its phrases: with a sign where there is a reference.
function numberOf(link) {
  return `${link.number + 1}${SIGNS[link.status]}`;
}

// List the links of a pair with their probabilities.
function listLinks(list, pair) {
  list.replaceChildren(...pair.links.map((link) => make("li", {
    class: isMark(wordsOf(pair.abstract, link.abstract)) ? `${link.status} mark` : link.status, "data-links": link.number, "data-number": numberOf(link), "data-color": link.color,
  }, [phrasesOf(link), link.probability?.toFixed(2), [link.component, link.isReplacement && "in the place of"].filter(Boolean).join(", ")].filter(Boolean).join(" "))));
}
