// Finding words of the abstract in the document: the longest run first, as the guidelines ask.

let found = null;  // What was looked for, which of its places was shown, and what is selected there.

const selected = () => NAMES.map(chosenPhrase).join(" ");

// Select the next place in the document that has the selected words of the abstract, or the word of the caret.
function findWords() {
  if (!selection.abstract) return;
  const again = found?.selected === selected();
  const wanted = again ? found.wanted : chosenPhrase("abstract") ?? phraseOf([selection.abstract.caret]);
  const places = placesOf(wanted);
  if (!places.length) { tell("The document does not have these words."); return; }
  const number = again ? (found.number + 1) % places.length : 0;
  for (const name of NAMES) choose(name, places[number][name]);
  showSelection();
  found = { wanted, number, selected: selected() };
  tell(`${get("status").textContent} (place ${number + 1} of ${places.length})`);
}

// Return all places of a phrase of the abstract: the longest runs first; words that stand apart, the closest first.
function placesOf(wanted) {
  const [abstract, document] = NAMES.map((name) => pair[name].tokens.map((token) => token.toLowerCase()));
  const same = (a, d) => abstract[a] !== undefined && abstract[a] === document[d];
  const startsOf = ([start, end]) => document.map((_, d) => d)
    .filter((d) => tokensOf([start, end]).every((a) => same(a, d + a - start)));
  const [span, ...others] = spansIn(wanted);
  const places = startsOf(span).map((start) =>
    (others.length ? apart(wanted, start, startsOf) : grown(span, start, same)));
  const words = ({ document: phrase }) => tokensOf(phrase).length;
  const extent = ({ document: phrase }) => tokensOf(phrase).at(-1) - tokensOf(phrase)[0];
  return places.filter(Boolean).sort((x, y) => words(y) - words(x) || extent(x) - extent(y));
}

// Take the runs of a phrase one behind the other, the first one from a start on; return null if one is missing.
function apart(wanted, from, startsOf) {
  const words = [];
  for (const span of spansIn(wanted)) {
    const start = startsOf(span).find((each) => each >= (words.length ? words.at(-1) + 1 : from));
    if (start === undefined) return null;
    words.push(...tokensOf([start, start + span[1] - span[0]]));
  }
  return { abstract: wanted, document: phraseOf(words) };
}

// Grow words that both sides have by the words around them that both have, if these are open in the abstract.
function grown([start, end], at, same) {
  const open = new Set(openWords());
  const both = (token) => open.has(token) && same(token, token + at - start);
  let [first, last] = [start, end];
  while (both(first - 1)) first -= 1;
  while (both(last)) last += 1;
  return { abstract: [first, last], document: [first + at - start, last + at - start] };
}
