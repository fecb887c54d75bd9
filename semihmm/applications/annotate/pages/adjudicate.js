// Adjudication: what people said of the words on which they differ. One of them is followed, or others are linked.

const people = overview.people;  // Their names; none if there is nothing to adjudicate.
const LETTERS = "abcghijkm";  // Their keys; those of other commands are left out.

function letterOf(person) {
  return (LETTERS[person] ?? "").toUpperCase();
}

// Return the words of the difference that a word of the abstract belongs to.
function differenceAt(token) {
  return pair.differences.find((words) => words.includes(token));
}

function openDifferences() {
  const open = new Set(openWords());
  return (pair.differences ?? []).filter((words) => words.some((token) => open.has(token)));
}

// Return what a person said of some words; null if the person has not decided the pair.
function opinionOf(person, words) {
  const said = pair.people.find(({ name }) => name === people[person]);
  return said && {
    links: said.links.filter((one) => words.some((token) => holds(one.abstract, token))),
    null: said.null.filter((token) => words.includes(token)),
  };
}

// Return the links of all people in the differences that are open.
function proposedLinks() {
  const links = openDifferences().flatMap((words) => people.flatMap((name, person) =>
    (opinionOf(person, words)?.links ?? []).map((one) => ({ ...one, status: "proposed", person, name }))));
  return links.map((one) => ({ ...one, said: `${one.name}: ${one.sure ? "sure" : "possible"}` }));
}

// Write above a phrase the letters of those who link it, with a question mark where that is only possible.
function putLetters(phrase, links) {
  const proposed = links.filter((one) => one.status === "proposed");
  const letters = [...new Set(proposed.map((one) => letterOf(one.person) + (one.sure ? "" : "?")))].join(" ");
  if (!letters) return;
  phrase.dataset.letters = letters;
  // They are about three quarters as wide as the words' own letters.
  phrase.classList.toggle("cramped", letters.length > 1.3 * phrase.textContent.length + 1);
}

// Show the difference at the caret of the abstract: what each person said is a button.
function showDifference() {
  if (!people.length) return;
  const words = selection.abstract && differenceAt(selection.abstract.caret);
  const open = openDifferences();
  const all = pair.differences.length;
  const left = open.length ? `${open.length} left` : "none left";
  get("difference-title").textContent = words
    ? `Difference ${pair.differences.indexOf(words) + 1} of ${all}, ${left}: ${quoted("abstract", phraseOf(words))}`
    : `${all} differences, ${left}`;
  get("next-difference").disabled = !open.length;
  people.forEach((_, person) => showOpinion(person, words));
}

function showOpinion(person, words) {
  const button = get(`person-${person}`);
  const opinion = words && opinionOf(person, words);
  button.disabled = !opinion;
  button.setAttribute("aria-pressed", String(Boolean(opinion) && isFollowed(opinion, words)));
  const text = opinion ? opinionText(opinion) : words ? "has not decided this pair" : "";
  button.querySelector(".said").textContent = text;
  button.title = text;
}

function opinionText({ links, null: unaligned }) {
  const linked = links.map((one) => described({ ...one, status: one.sure ? "sure" : "possible" }));
  const rest = unaligned.length ? [`${quoted("abstract", phraseOf(unaligned))} unaligned`] : [];
  return [...linked, ...rest].join(" · ");
}

// Tell whether the adjudicator says the same of some words.
function isFollowed(opinion, words) {
  const own = {
    links: annotation().links.filter((one) => words.some((token) => holds(one.abstract, token))),
    null: annotation().null.filter((token) => words.includes(token)),
  };
  const key = ({ links, null: unaligned }) => [links.map((one) => `${keyOf(one)} ${one.sure}`).sort().join(), unaligned].join("|");
  return key(own) === key(opinion);
}

// Say of the words of a difference what a person said, and go on.
async function follow(person) {
  const words = selection.abstract && differenceAt(selection.abstract.caret);
  const opinion = words && opinionOf(person, words);
  if (!words) tell(openDifferences().length ? "There is no difference here: go to the next." : "No difference is left.");
  else if (!opinion) tell(`${people[person]} has not decided this pair.`);
  else if (await step({ do: "choose", words, ...opinion })) goOn([{ abstract: phraseOf(words) }]);
}

// Go to the next difference that is open, from the first one again after the last.
function toDifference() {
  const caret = selection.abstract?.caret ?? -1;
  const here = differenceAt(caret);
  const others = openDifferences().filter((words) => words !== here);
  const next = others.find((words) => words[0] > caret) ?? others[0];
  if (next) toOpenWord(next[0] - 1);
  else if (!toOpenWord(caret)) tell("No difference is left.");
}

const CHOICES = people.length ? { w: toDifference } : {};
people.forEach((name, person) => {
  const letter = letterOf(person);
  if (letter) CHOICES[letter.toLowerCase()] = () => follow(person);
  const button = make("button", { id: `person-${person}`, type: "button", "aria-keyshortcuts": letter.toLowerCase() },
                      make("b", {}, make("kbd", {}, letter), ` ${name} `), make("span", { class: "said" }));
  button.addEventListener("click", () => inOrder(() => follow(person)));
  get("people").append(button);
});
