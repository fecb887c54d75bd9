// The boxes: pairs that somebody pastes one after another, and what the program answers.

const SIDES = ["abstract", "document"];
const boxes = { abstract: get("given-abstract"), document: get("given-document") };
const STORED = "pairs";  // What the tab keeps over a reload: the texts of all pairs, and which one is shown.

const pasted = [];  // The pairs: texts, model, and the answer once there is one.
let at = 0;         // The number of the pair that is shown.
let examples = 0;   // So many examples were shown.
let waiting = null; // The pair that is being answered.
let isReady = overview.ready;

const isBlank = (one) => SIDES.every((name) => !one[name].trim());
const blankPair = () => ({ abstract: "", document: "", model: get("model").value, answer: null, problem: "" });

// Show a pair: its answer if there is one, or its texts in the boxes.
function showPasted(number, asked = view) {
  at = number;
  const own = pasted[at];
  for (const name of SIDES) if (boxes[name].value !== own[name]) boxes[name].value = own[name];
  get("model").value = own.model;
  get("problem").textContent = own.problem;
  showAnswer(own.answer);
  goTo(own.answer && asked !== "texts" ? asked : "texts");
  showCount();
  showWaiting();
}

function showCount() {
  get("count").textContent = pasted.length > 1 ? `${at + 1} of ${pasted.length}` : "";
  get("previous").disabled = at === 0;
  get("next").disabled = at === pasted.length - 1;
  get("pairs").classList.toggle("single", pasted.length < 2);
  for (const control of [get("save"), ...get("copy").querySelectorAll("button")]) control.disabled = !pasted[at].answer;
  get("copy").toggleAttribute("inert", !pasted[at].answer);
}

// Say that the program works, and why the first answer takes longer.
function showWaiting() {
  const isWaiting = waiting === pasted[at];
  get("show").disabled = waiting !== null;
  get("texts").classList.toggle("waiting", isWaiting);
  const first = "The program is being compiled and loaded, once: this takes up to a minute. ";
  if (isWaiting) get("status").textContent = `${isReady ? "" : first}Aligning…`;
  else if (!isReady && view === "texts") get("status").textContent = `${first}Paste your texts meanwhile.`;
}

// Ask the program. Returns its answer, or tells what is wrong and returns null.
async function ask(address, own) {
  const { document, abstract, model } = own;
  const body = JSON.stringify({ document, abstract, model });
  try {
    const response = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (response.ok) return response;
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    own.problem = isJson ? (await response.json()).error : `The program failed: ${(await response.text()).trim()}`;
  } catch {
    own.problem = "The program does not answer: was it ended? Start semihmm view again. Your texts stay here; copy them to its new page.";
  }
  return null;
}

async function submit() {
  if (waiting) return;
  const own = pasted[at];
  own.problem = problemOf(own);
  get("problem").textContent = own.problem;
  if (own.problem) return;
  own.answer = null;
  waiting = own;
  showWaiting();
  store();
  const response = await ask("pairs", own);
  const given = response && await response.json();
  waiting = null;
  own.answer = given;
  if (pasted[at] === own) {
    get("status").textContent = "";
    showPasted(at, "pair");
    if (given) get("to-pair").focus();
  }
  showWaiting();
  store();
}

// Return what is wrong with the texts of a pair, in words for the person who pasted it.
function problemOf(own) {
  const { longest } = overview;
  const length = own.abstract.length + own.document.length;
  if (length > longest) return `These texts are too long: ${thousands.format(length)} characters, and ${thousands.format(longest)} can be read.`;
  return isBlank(own) ? "Paste a text into each box, drop files, or try an example." : "";
}

// Open empty boxes, unless those that are open are empty.
function openBlank() {
  if (!isBlank(pasted[at])) pasted.push(blankPair());
  showPasted(pasted.length - 1, "texts");
  boxes.abstract.focus();
}

// Fill boxes. Texts that stand there stay, as another pair.
function fill(texts) {
  const isTaken = Object.keys(texts).some((name) => pasted[at][name].trim());
  if (isTaken) pasted.push(blankPair());
  const number = isTaken ? pasted.length - 1 : at;
  Object.assign(pasted[number], texts, { answer: null, problem: "" });
  showPasted(number, "texts");
}

function onInput(name) {
  const own = pasted[at];
  own[name] = boxes[name].value;
  // The answer was for other texts.
  own.problem = "";
  get("problem").textContent = "";
  if (own.answer) {
    own.answer = null;
    showAnswer(null);
    showCount();
  }
}

// Files

// Read a dropped file: a text in UTF-8, or in UTF-16 with its mark. Returns null, and tells why, for anything else.
async function readFile(file) {
  if (file.size > 4 * overview.longest) return refuse(`${file.name} is too long: ${thousands.format(file.size)} bytes.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark] ?? "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Said below.
  }
  return refuse(`${file.name} is no plain text: save it as text in UTF-8, or copy its text and paste it.`);
}

function refuse(problem) {
  pasted[at].problem = problem;
  get("problem").textContent = problem;
  return null;
}

// Take one file for the box on which it was dropped. Of two files the longer one is the document.
async function onDrop(event) {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault();
  if (files.length > 2) { refuse("Drop one file or two. semihmm view FILE... shows whole corpora."); return; }
  const names = files.length > 1 ? SIDES : [SIDES.find((name) => boxes[name].closest("p").contains(event.target)) ?? "document"];
  files.sort((one, other) => one.size - other.size);
  const texts = await Promise.all(files.map(readFile));
  if (!texts.includes(null)) fill(Object.fromEntries(names.map((name, n) => [name, texts[n]])));
}

// What is taken along

async function copyJson(kind) {
  const text = pasted[at].answer.json[kind];
  try {
    await navigator.clipboard.writeText(text);
    get("status").textContent = "Copied.";
  } catch {
    get("status").textContent = "The browser does not let pages copy: allow it for this page.";
  }
}

async function savePage() {
  const own = pasted[at];
  const response = await ask("page", own);
  if (!response) { get("status").textContent = own.problem; return; }
  const link = make("a", { href: URL.createObjectURL(await response.blob()), download: `pair-${at + 1}.html` });
  link.click();
  // The browser has the address by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  get("status").textContent = `Saved as ${link.download}, where your browser saves downloads.`;
}

// Keep the texts over a reload, as long as the tab is open.
function store() {
  const texts = pasted.map(({ abstract, document, model, answer: given }) => ({ abstract, document, model, isAnswered: given !== null }));
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ at, texts }));
  } catch {
    // Too much for the browser: the boxes have it still.
  }
}

function restore() {
  const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
  const models = [...get("model").options].map((option) => option.value);
  for (const { isAnswered, ...texts } of stored?.texts ?? []) {
    pasted.push({ ...blankPair(), ...texts, model: models.includes(texts.model) ? texts.model : models[0] });
  }
  if (!pasted.length) pasted.push(blankPair());
  showPasted(Math.min(stored?.at ?? 0, pasted.length - 1), "texts");
  if (stored?.texts[at]?.isAnswered) submit();
}

Object.assign(GENERAL_KEYS, {
  n: () => get("next").click(),
  p: () => get("previous").click(),
});
for (const name of SIDES) boxes[name].addEventListener("input", () => onInput(name));
get("texts").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
get("texts").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); submit(); }
});
get("model").addEventListener("change", () => { pasted[at].model = get("model").value; });
get("example").addEventListener("click", () => {
  const [document, abstract] = overview.examples[examples++ % overview.examples.length];
  fill({ document, abstract });
});
get("new").addEventListener("click", openBlank);
get("previous").addEventListener("click", () => showPasted(at - 1));
get("next").addEventListener("click", () => showPasted(at + 1));
get("save").addEventListener("click", savePage);
get("copy").addEventListener("click", ({ target }) => {
  if (!target.dataset.json) return;
  closeDetails();
  copyJson(target.dataset.json);
});
// A file that is dropped beside a box would replace the page.
addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
addEventListener("drop", onDrop);
addEventListener("pagehide", store);
addEventListener("hashchange", () => goTo(viewOf(location.hash)) || goTo(view));
if (!isReady) {
  fetch("ready").then(() => {
    isReady = true;
    get("status").textContent = "";
    showWaiting();
  }, () => {});
}
restore();
