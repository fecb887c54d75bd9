// Steps: each is sent to the server, and shown when it is saved.

let index = 0;
let waiting = Promise.resolve();  // What was asked for is done in its order.

function inOrder(task) {
  waiting = waiting.then(task).catch((error) => failed(`this page has an error: ${error.message}`));
  return waiting;
}

// Show the message that a step could not be made or saved until the next one is.
function failed(message) {
  get("saved").textContent = message;
  get("saved").classList.add("failed");
}

// Ask the server; return null if it does not answer.
async function ask(address, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  try {
    const response = await fetch(address, options);
    const text = await response.text();
    if (!response.headers.get("Content-Type").startsWith("application/json")) {
      failed(`${body ? "NOT SAVED: the" : "The"} server refused this: ${text.trim()}`);
      return null;
    }
    return { status: response.status, ...JSON.parse(text) };
  } catch {
    failed("NOT SAVED: the server does not answer. If it was started again, go on at the address that it printed then.");
    return null;
  }
}

// Make a step; return whether it was made.
async function step(action) {
  get("saved").textContent = "saving…";
  const seconds = countedSeconds();
  const answer = await ask(`pairs/${index}/steps`, { action, steps: pair.state.steps, seconds });
  if (answer?.error !== undefined || !answer?.state) worked += seconds;
  if (!answer?.state) return false;
  take(answer.state, answer.error === undefined && action.do === "note" ? action.text : undefined);
  if (answer.error === undefined) {
    get("saved").classList.remove("failed");
    get("saved").textContent = "saved";
    return true;
  }
  failed(answer.status === 400 || answer.status === 409 ? answer.error : `NOT SAVED: ${answer.error}`);
  return false;
}

// Take the state of the pair as the server has it. `note`: the one that was just saved, if one was.
function take(state, note) {
  pair.state = state;
  Object.assign(overview.pairs[rowNumber(index)], state.row);
  showPair();
  takeNote(state.annotation.note, note);
}

// Send a step that nobody waits for, and that outlives the page.
function send(action, seconds) {
  const body = JSON.stringify({ action, steps: pair.state.steps, seconds });
  return fetch(`pairs/${index}/steps`, { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true });
}

// Return the links that an action is about: of the words selected in both texts, or in the active one.
function chosenLinks(statuses) {
  const touches = (link, name) => chosenWords(name).some((token) => holds(link[name], token));
  const links = pair.links.filter((link) => statuses.includes(link.status));
  const both = links.filter((link) => NAMES.every((name) => touches(link, name)));
  return both.length ? both : links.filter((link) => touches(link, active));
}

const phrasesOf = ({ abstract, document }) => ({ abstract, document });

// Link the selected phrases; or accept a suggestion; or change what a link is.
async function link(sure) {
  const [abstract, document] = NAMES.map(chosenPhrase);
  let links = [];
  if (abstract && document) links = [linkAround(abstract, document) ?? { abstract, document }];
  else {
    const suggested = chosenLinks(["suggested"]);
    links = (suggested.length ? suggested : chosenLinks(["sure", "possible"])).map(phrasesOf);
  }
  if (!links.length) { tell("Select words of the document too, or a link."); return; }
  if (await step({ do: "link", links: links.map((one) => ({ ...one, sure })) })) goOn(links);
}

// Return the phrases of the link that holds the words of the abstract and has all those of the document.
function linkAround(abstract, document) {
  const around = pair.links.find((one) => one.status !== "proposed" && String(one.document) === String(document)
    && tokensOf(abstract).every((token) => holds(one.abstract, token)));
  return around && phrasesOf(around);
}

// Clear the selection in the document, and go to the next open word of the abstract.
function goOn(links) {
  selection.document = null;
  // The words between those of a phrase come next.
  const behind = Math.max(...links.map((one) => spansIn(one.abstract)[0][1] - 1));
  if (toOpenWord(behind)) return;
  select("abstract", selection.abstract?.caret ?? behind);
  if (!annotation().decided) tell(`All words are done. Press ${keyFor("decide")} to mark the pair as decided.`);
}

async function nullWords(words) {
  if (!words.length) { tell("Select words of the abstract."); return; }
  if (await step({ do: "null", words })) goOn([{ abstract: phraseOf(words) }]);
}

async function remove() {
  const links = chosenLinks(["sure", "possible"]).map(phrasesOf);
  const chosen = active === "abstract" ? chosenWords("abstract") : [];
  const words = annotation().null.filter((word) => chosen.includes(word));
  if (links.length || words.length) { await step({ do: "remove", links, words }); return; }
  const suggested = chosenLinks(["suggested"]).map(phrasesOf);
  if (suggested.length) await step({ do: "dismiss", links: suggested });
  else tell("There is nothing to delete here.");
}

async function acceptAll() {
  const links = pair.links.filter((one) => one.status === "suggested");
  if (!links.length) { tell("There are no suggestions left."); return; }
  const accepted = links.map((one) => ({ ...phrasesOf(one), sure: one.probability >= UNLIKELY }));
  if (await step({ do: "link", links: accepted })) goOn([{ abstract: [0, 0] }]);
}

async function decide() {
  const decided = !annotation().decided;
  const open = openWords();
  if (decided && open.length) {
    toOpenWord(-1);
    tell(`${open.length} words are still open. Press ${keyFor("rest")} to mark all of them as unaligned.`);
    return;
  }
  if (await step({ do: "decide", decided }) && decided) await toUndecided();
}

// Send the pair back to whoever decides it, who finds in the note what is to be done.
async function sendBack() {
  await saveNote();
  if (!annotation().note) {
    writeNote();
    tell("Write what is to be done, then send the pair back.");
    return;
  }
  if (await step({ do: "return" })) tell("The pair is sent back, and comes first among the undecided ones.");
}
