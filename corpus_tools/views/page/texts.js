// The running texts of a pair, cut where phrases begin and end.

// Fill an element with one side of a pair: "abstract" or "document".
function showText(element, pair, name) {
  if (pair.covered) showCovered(element, pair[name], pair.covered[name]);
  else showLinked(element, pair, name);
}

// Show a side word by word, with the words marked that the other side does not cover.
function showCovered(element, side, posteriors) {
  element.replaceChildren(...posteriors.flatMap((posterior, token) => {
    const word = make("span", { "data-covered": posterior.toFixed(2) }, side.tokens[token]);
    if (posterior < overview.leastCovered) word.className = "uncovered";
    return [between(side, token, false), word];
  }));
}

function showLinked(element, pair, name) {
  const side = pair[name];
  const linksAt = linksOfTokens(pair, name);
  const sentences = [];
  for (const [, [start, end]] of sentencesOf(side)) {
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

// Say how long a side is, and how much of it is not linked.
function describeSide(pair, name) {
  const side = pair[name];
  const words = `${side.spans.length} words`;
  if (pair.covered) {
    const uncovered = pair.covered[name].filter((posterior) => posterior < overview.leastCovered);
    return `${words}, ${uncovered.length} not covered`;
  }
  const linksAt = linksOfTokens(pair, name);
  if (name === "abstract") {
    const own = linksAt.filter((links) => links.some((number) => pair.links[number].status !== "missing"));
    return `${words}, ${linksAt.length - own.length} unaligned`;
  }
  const sentences = sentencesOf(side);
  const used = sentences.filter(([, [start, end]]) => linksAt.slice(start, end).some((links) => links.length));
  return `${words}, ${used.length} of ${sentences.length} sentences used`;
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
    "data-number": links.map((link) => link.number + 1).join(","),
    "data-color": links[0].number % COLORS,
  }, text);
  if (links.every((link) => link.probability !== null && link.probability < UNLIKELY)) element.classList.add("unlikely");
  return element;
}
