// The pairs of a page: their figures, which of them are chosen, and which one is shown, or the table of all.
// A page defines `showPair(row)`, `showNothing()`, `abstractOf(row)`, `documentOf(row)` and the keys of its own, `KEYS`.

const { columns, systems = [""] } = overview;
// The system and the document of a pair are numbers: of a name, and of the first pair that has the document.
const summaries = overview.pairs.map(([id, ...figures], index) =>
  ({ index, id, figures, system: overview.systemOf?.[index] ?? 0, document: overview.documentOf?.[index] ?? index }));
const hasSeveral = summaries.length > 1;
const titleOfTable = document.title;
const kind = titleOfTable.split(" · ").at(-1);

// The texts of the pairs stand below this script, so that the table does not wait for them.
let lines = [];
const whenRead = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", () => {
    lines = get("pairs").textContent.split("\n");
    resolve();
  });
});

// Return a pair as it stands in the page: a line of JSON, which is parsed when the pair is looked at.
function readLine(index) {
  const row = JSON.parse(lines[index]);
  if (typeof row.document === "number") row.document = readLine(row.document).document;
  return row;
}

// Choice

const ID = -1;  // The column of the ids.
const NO_BOUNDS = { least: null, most: null };
const bounds = columns.map(() => NO_BOUNDS);
const collator = new Intl.Collator("en", { numeric: true });

let picked = null;  // What a picture of the portrait leads to: its pairs and what they are, or null.
let order = overview.order === null ? null : { column: overview.order, descending: false };
let chosen = order ? summaries.toSorted(inOrder) : summaries;

// Choose the pairs that the search finds and the filters let pass, and put them in order.
function choosePairs() {
  const found = searchedPairs();
  const filtered = columns.map((_, column) => column).filter(isFiltered);
  chosen = summaries.filter((summary) => found(summary.index) && (picked?.pairs.has(summary) ?? true)
    && filtered.every((column) => isWithin(summary.figures[column], column)));
  if (order) chosen.sort(inOrder);
}

function isFiltered(column) {
  return bounds[column].least !== null || bounds[column].most !== null;
}

function isWithin(figure, column) {
  const { least, most } = bounds[column];
  return figure !== null && (least === null || figure >= least) && (most === null || figure <= most);
}

// Pairs without a figure stand at the end in both directions.
function inOrder(first, second) {
  const { column, descending } = order;
  const sign = descending ? -1 : 1;
  if (column === ID) return sign * collator.compare(first.id, second.id);
  const [x, y] = [first.figures[column], second.figures[column]];
  return x === null || y === null ? (x === null) - (y === null) : sign * (x - y);
}

// What is shown

let shown = null;  // The number of the pair, null in the table and the portrait.

const VIEWS = { portrait: get("portrait"), table: get("table"), pair: document.querySelector("main") };
const TABLE = "#view=table";  // The address of the table.
const isIn = (view) => document.body.classList.contains(view);
const isInTable = () => isIn("table");

function showView(view) {
  for (const [each, element] of Object.entries(VIEWS)) {
    document.body.classList.toggle(each, each === view);
    if (element) element.hidden = each !== view;
  }
  for (const tab of document.querySelectorAll("nav a")) tab.ariaCurrent = tab.id === `to-${view}` ? "page" : null;
}

// Return the address of a pair, with its system where there are several.
function addressOf({ id, system }) {
  return `#${new URLSearchParams(systems.length > 1 ? { id, system: systems[system] } : { id })}`;
}

function openPair(index) {
  if (isInTable()) leaveTable();
  showView("pair");
  shown = index;
  const { id } = summaries[index];
  get("shown").textContent = id;
  document.title = `${id} · ${kind}`;
  history.replaceState(null, "", addressOf(summaries[index]));
  const position = chosen.findIndex((summary) => summary.index === index);
  get("previous").disabled = position <= 0;
  get("next").disabled = position === chosen.length - 1;
  const of = chosen.length < summaries.length ? `${thousands.format(chosen.length)} chosen` : thousands.format(chosen.length);
  get("count").textContent = `${position < 0 ? "none" : thousands.format(position + 1)} of ${of}`;
  showPair(readLine(index), index);
}

// Show that no pair is chosen, in place of a pair.
function openNothing() {
  shown = null;
  get("shown").textContent = "";
  get("count").textContent = "none";
  get("previous").disabled = get("next").disabled = true;
  showNothing();
  tellNothingMatches();
}

function tellNothingMatches() {
  get("status").textContent = "No pair matches the search and the filters.";
}

// Show the portrait or the table, whichever the address names.
function openTab() {
  const last = shown;
  if (isInTable()) leaveTable();
  shown = null;
  document.title = titleOfTable;
  showView(location.hash === TABLE || !VIEWS.portrait ? "table" : "portrait");
  if (isInTable()) enterTable(last);
  else get("count").textContent = `${thousands.format(summaries.length)} pairs`;
}

function showChoice() {
  choosePairs();
  if (isIn("portrait")) location.hash = TABLE;
  else if (isInTable()) showTable();
  else if (!chosen.length) openNothing();
  else openPair((chosen.find(({ index }) => index === shown) ?? chosen[0]).index);
}

// Show the pair that the address names, or a tab where it names none.
function showAsked() {
  const id = idOfAddress();
  const asked = summaries.find((summary) => addressOf(summary) === `#${new URLSearchParams(location.hash.slice(1))}`)
    ?? summaries.find((summary) => summary.id === id);
  if (asked) openPair(asked.index);
  else if (id === null || shown === null) (hasSeveral ? openTab : showChoice)();
  if (!asked && id !== null) get("status").textContent = noSuchPair(id);
}

// Show the first tab at once, a pair as soon as its texts are there.
function start() {
  if (!hasSeveral || idOfAddress() !== null) whenRead.then(showAsked);
  else {
    openTab();
    whenRead.then(remakeRows);
  }
}

function step(by) {
  if (isInTable()) return moveRow(by);
  if (isIn("portrait")) return;
  // Abstracts of one document are shown together: a step leads to another one.
  const isSame = (position) => chosen[position]?.document === summaries[shown].document;
  let position = chosen.findIndex(({ index }) => index === shown) + by;
  while (systems.length > 1 && isSame(position)) position += by;
  if (chosen[position]) openPair(chosen[position].index);
}

// Keys

const COMMON_KEYS = {
  n: () => step(1),
  p: () => step(-1),
  t: () => get("to-table")?.click(),
  o: () => get("to-portrait")?.click(),
  "/": () => get("search").focus(),
};

function onKey(event) {
  if (isHeld(event) || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") closeDetails();
  if (event.key === "Escape" && event.target.matches("input, select")) event.target.blur();
  const keys = { ...COMMON_KEYS, ...(isInTable() ? TABLE_KEYS : isIn("portrait") ? PORTRAIT_KEYS : KEYS) };
  const key = printedOn(event, keys);
  if (needsKey(event) || key === null) return;
  if (keys[key]() !== false) event.preventDefault();
}

document.addEventListener("keydown", onKey);
document.addEventListener("pointerdown", (event) => closeDetails(event.target));
get("next").addEventListener("click", () => step(1));
get("previous").addEventListener("click", () => step(-1));
addEventListener("hashchange", () => whenRead.then(showAsked));
if (!hasSeveral) document.querySelectorAll("nav a").forEach((tab) => tab.remove());
