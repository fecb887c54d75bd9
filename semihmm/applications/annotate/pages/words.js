// The words of a pair, and how they are shown.

const NAMES = ["abstract", "document"];
const panes = { abstract: get("abstract").querySelector(".text"), document: get("document").querySelector(".text") };

let pair = null;   // Texts, suggestions, state; links: what is shown, of the annotator and suggested.
const shown = { abstract: [], document: [] };  // Each word's element, with the gap before it.
const drawn = { abstract: [], document: [] };  // Each sentence's element, and what it shows.

function annotation() {
  return pair.state.annotation;
}

// Return what the page shows as links: the annotator's, then the suggestions that still stand, or what people said.
function shownLinks() {
  const own = annotation().links.map((link) => ({ ...link, status: link.sure ? "sure" : "possible" }));
  const links = [...own, ...standingSuggestions(own), ...proposedLinks()];
  // The colour of a link stays when others come and go.
  return links.map((link, number) => ({ ...link, number, color: tokensOf(link.abstract)[0] % COLORS }));
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
  sentencesOf(pair[name]).forEach(([sentence, span], number) => {
    const state = stateOf(name, span, known);
    const before = drawn[name][number];
    if (before?.state === state) return;
    drawn[name][number] = { state, element: shownSentence(name, sentence, span, known) };
    before?.element.replaceWith(drawn[name][number].element);
  });
  if (!first) return;
  fitNumbers(panes[name], pair[name]);
  panes[name].replaceChildren(...drawn[name].map(({ element }) => element));
}

// Return as text all that the look of a sentence depends on.
function stateOf(name, [start, end], { linksAt, open, nulls }) {
  const other = name === "abstract" ? "document" : "abstract";
  const of = (link) => [link.number, link.said ?? link.status, link[other]];
  const words = tokensOf([start, end]).map((token) =>
    [linksAt[token].map((number) => of(pair.links[number])), open.has(token), nulls.has(token)]);
  return words.some(([links, ...flags]) => links.length || flags.some(Boolean)) ? JSON.stringify(words) : "";
}

function shownSentence(name, number, [start, end], known) {
  const sentence = lineOf(pair[name], number, start);
  for (const [first, last] of segmentsOf(known.linksAt, start, end)) {
    const links = known.linksAt[first].map((number) => pair.links[number]);
    const phrase = links.length ? shownPhrase(links) : sentence;
    if (first > start) sentence.append(shownGap(name, first));
    if (phrase !== sentence) sentence.append(phrase);
    for (let token = first; token < last; token++) {
      if (token > first) phrase.append(shownGap(name, token));
      phrase.append(shownWord(name, token, known));
    }
    putLetters(phrase, links);
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

function shownWord(name, token, { linksAt, open, nulls }) {
  const word = make("span", { class: "word", role: "option", tabindex: "-1", "aria-selected": "false", "data-word": token },
                    pair[name].tokens[token]);
  if (open.has(token)) word.classList.add("open");
  if (nulls.has(token)) word.classList.add("nulled");
  const said = linksAt[token].map((number) => partnerOf(pair.links[number], name));
  if (nulls.has(token)) said.push("unaligned");
  if (open.has(token)) said.push("open");
  if (said.length) word.setAttribute("aria-description", said.join(", "));
  shown[name][token] = { ...shown[name][token], word };
  return word;
}

// Say for screen readers what a word is linked to.
function partnerOf(link, name) {
  const other = name === "abstract" ? "document" : "abstract";
  return `${link.said ?? link.status}: ${wordsOf(pair[other], link[other])}`;
}
