// What the annotator does: choose a pair, press keys, point to words.

// Pairs

async function openPair(asked) {
  // A note that cannot be saved stays in sight.
  const isSaved = await saveNote();
  const sent = isSaved && sendTime();
  const opened = isSaved && await ask(`pairs/${asked}`);
  await sent;
  if (!opened?.state) {
    showAddress();
    return;
  }
  index = asked;
  pair = opened;
  for (const name of NAMES) {
    const side = pair[name];
    side.spans = spansOf(side.steps);
    side.tokens = side.spans.map(([start, end]) => side.text.slice(start, end));
    selection[name] = null;
    shown[name] = [];
    drawn[name] = [];
    panes[name].replaceChildren();
    panes[name].scrollTop = 0;
  }
  active = "abstract";
  openNote(annotation().note);
  document.title = `${pair.id} · annotation`;
  showAddress();
  showPair();
  get("strip").classList.toggle("mirrored", isRightToLeft("document"));
  if (!toOpenWord(-1)) select("abstract", 0);
}

// Name the pair in the address.
function showAddress() {
  if (pair) history.replaceState(null, "", `#${new URLSearchParams({ id: pair.id })}`);
}

// Show the pair anew, as it is after a step.
function showPair() {
  pair.links = shownLinks();
  NAMES.forEach(showWords);
  showStrip(get("strip"), pair);
  const open = openWords().length;
  get("abstract-title").dataset.words = `${pair.abstract.spans.length} words, ${open} open`;
  get("document-title").dataset.words = `${pair.document.spans.length} words`;
  get("undo").disabled = !pair.state.undo;
  get("redo").disabled = !pair.state.redo;
  get("decide").setAttribute("aria-pressed", String(annotation().decided));
  const { note, sent_back: sentBack } = annotation();
  get("note-state").textContent = sentBack ? "(sent back)" : note && "(written)";
  get("note-box").classList.toggle("sent-back", sentBack);
  showOverview();
  if (pair.abstract.spans.length) showSelection();
}

function showOverview() {
  const { pairs } = overview;
  const decided = pairs.filter((row) => row.is === "decided").length;
  get("decided").textContent = `${decided} of ${pairs.length} decided`;
  get("progress").max = pairs.length;
  get("progress").value = decided;
  const position = rowNumber(index);
  get("open-list").textContent = `${SIGNS[pairs[position].is]} ${pairs[position].id}`;
  get("previous").disabled = position === 0;
  get("next").disabled = position === pairs.length - 1;
  get("undecided").disabled = decided === pairs.length;
}

function rowNumber(asked) {
  return overview.pairs.findIndex((row) => row.index === asked);
}

async function stepPair(by) {
  const row = overview.pairs[rowNumber(index) + by];
  if (row) await openPair(row.index);
}

// Return the row of the next pair that is not decided, from the start again after the last one.
function nextUndecided(position) {
  const { pairs } = overview;
  const others = [...pairs.slice(position + 1), ...pairs.slice(0, Math.max(position, 0))];
  const rows = others.filter((row) => row.is !== "decided");
  return rows.find((row) => row.is === "sent back") ?? rows[0];
}

async function toUndecided() {
  const next = nextUndecided(rowNumber(index));
  if (next) await openPair(next.index);
  else if (annotation().decided) tell("All pairs are decided.");
}

// Keys

const REVERSED = { ArrowRight: "ArrowLeft", ArrowLeft: "ArrowRight" };

const COMMANDS = {
  ArrowRight: (event) => move(1, wayOf(event)),
  ArrowLeft: (event) => move(-1, wayOf(event)),
  ArrowDown: (event) => moveLine(1, wayOf(event)),
  ArrowUp: (event) => moveLine(-1, wayOf(event)),
  " ": () => select(active, selection[active]?.caret ?? 0, "toggle"),
  "]": () => moveSentence(1),
  "[": () => moveSentence(-1),
  Enter: toOtherText,
  Escape: () => { selection.document = null; if (selection.abstract) select("abstract", selection.abstract.caret); },
  f: findWords,
  w: () => { if (!toOpenWord(selection.abstract?.caret ?? -1)) tell("No word is open."); },
  1: () => link(true),
  2: () => link(false),
  0: () => nullWords(chosenWords("abstract")),
  x: remove,
  Delete: remove,
  Backspace: remove,
  a: acceptAll,
  r: () => nullWords(openWords()),
  z: () => step({ do: "undo" }),
  y: () => step({ do: "redo" }),
  d: decide,
  n: () => stepPair(1),
  p: () => stepPair(-1),
  u: toUndecided,
  e: writeNote,
  b: sendBack,
  l: openList,
  "?": () => get("help").showModal(),
  ...CHOICES,
};

const BUTTONS = {
  sure: "1", possible: "2", null: "0", remove: "x", accept: "a", rest: "r", undo: "z", redo: "y", decide: "d",
  previous: "p", next: "n", undecided: "u", "open-list": "l", "send-back": "b", "open-help": "?",
  "next-difference": "w",
};

// Return the name of the command of a key.
function commandOf(event) {
  if (REVERSED[event.key] && isRightToLeft(active) && !event.altKey) return REVERSED[event.key];
  const key = printedOn(event, COMMANDS);
  if (!isHeld(event)) return key;
  if (event.altKey) return null;
  if (key === "z") return event.shiftKey ? "y" : "z";
  return key === "y" || /^(Arrow.*| )$/.test(key) ? key : null;
}

function onKey(event) {
  if (document.querySelector("dialog[open]") || !pair) return;
  if (event.key === "Escape" && event.target.matches("textarea, select")) {
    event.target.blur();
    inOrder(showSelection);
    return;
  }
  if (needsKey(event)) return;
  const command = commandOf(event);
  if (!command) return;
  event.preventDefault();
  inOrder(() => COMMANDS[command](event));
}

// Pointer

function wordAt(event) {
  const word = event.target instanceof Element && event.target.closest("[data-word]");
  const name = word && NAMES.find((each) => panes[each].contains(word));
  return word && name ? { name, token: Number(word.dataset.word) } : null;
}

const TREMOR = 4;  // Pixels that a hand moves in a click, chosen by hand.
const HOLD = 500;  // Milliseconds after which a finger holds a word, as phones have it.
let press = null;  // Where the pointer was pressed, whether it drags since, and the word where it was last.

function onPointerDown(event) {
  const at = wordAt(event);
  if (!at || event.button !== 0) return;
  if (event.pointerType === "touch") {
    press = { ...at, timer: setTimeout(onHold, HOLD) };
    return;
  }
  event.preventDefault();
  press = { ...at, x: event.clientX, y: event.clientY, drags: false };
  document.activeElement?.blur();
  inOrder(() => select(at.name, at.token, wayOf(event) === "move" ? "toggle" : wayOf(event)));
}

// A finger that holds a word adds it, or takes it away.
function onHold() {
  const { name, token } = press;
  press.timer = null;
  inOrder(() => select(name, token, "toggle"));
}

// A finger that stays taps; one that scrolls is cancelled. A word beside the selected ones joins them.
function onPointerUp() {
  const { name, token, timer } = press ?? {};
  endPress();
  if (!timer) return;
  document.activeElement?.blur();
  inOrder(() => {
    const chosen = chosenWords(name);
    const joins = !chosen.includes(token) && (chosen.includes(token - 1) || chosen.includes(token + 1));
    select(name, token, joins ? "toggle" : "alone");
  });
}

function endPress() {
  clearTimeout(press?.timer);
  press = null;
}

// Words may move under a pointer that rests, for instance when a text scrolls: only a pointer that moves drags.
function onPointerMove(event) {
  if (!press || event.pointerType === "touch") return;
  press.drags ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > TREMOR;
  const at = wordAt(event);
  if (!press.drags || at?.name !== press.name || at.token === press.token) return;
  press.token = at.token;
  inOrder(() => select(at.name, at.token, "extend"));
}

function onPointerOver(event) {
  const at = wordAt(event);
  if (at && !press) hover(linksAt(at.name, at.token));
}

// Show what the pointer is over in the line below, without letting go of what the caret lights up.
function hover(links) {
  if (links.length) tell(links.map(described).join(" · "));
}

document.addEventListener("keydown", onKey);
document.addEventListener("pointermove", onPointerMove);
document.addEventListener("pointerup", onPointerUp);
document.addEventListener("pointercancel", endPress);
for (const name of NAMES) {
  panes[name].addEventListener("pointerdown", onPointerDown);
  panes[name].addEventListener("pointerover", onPointerOver);
  // Held words, and Ctrl-clicks on a Mac, are no wish for a menu.
  panes[name].addEventListener("contextmenu", (event) => { if (press) event.preventDefault(); });
  panes[name].addEventListener("focusin", (event) => {
    const at = wordAt(event);
    // Tab came here; what is selected in the text stays.
    if (at && active !== name) inOrder(() => { active = name; if (!selection[name]) select(name, at.token); });
  });
}
for (const [id, command] of Object.entries(BUTTONS)) {
  get(id)?.addEventListener("click", (event) => inOrder(() => COMMANDS[command](event)));
}

closeOutside(get("help"));

// Open the pair of the address, or the first one that is not decided.
async function openAsked() {
  const { pairs } = overview;
  const asked = idOfAddress();
  const found = pairs.find((row) => row.id === asked);
  const first = found ?? nextUndecided(-1) ?? pairs[0];
  if (first) await openPair(first.index);
  if (asked !== null && !found) tell(noSuchPair(asked));
}

addEventListener("hashchange", () => inOrder(openAsked));
inOrder(openAsked);
