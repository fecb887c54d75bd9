// The pairs of a page: their figures, which of them are chosen, and which one is shown, or the table of all.
// A page defines `showPair(row)`, `showNothing()`, `abstractOf(row)`, `documentOf(row)` and the keys of its own, `KEYS`.

const get = (id) => document.getElementById(id);
const overview = JSON.parse(get("overview").textContent);
const { columns } = overview;
const summaries = overview.pairs.map(([id, ...figures], index) => ({ index, id, figures }));
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
  return JSON.parse(lines[index]);
}

// Choice

const ID = -1;  // The column of the ids.
const bounds = columns.map(() => ({ least: null, most: null }));
const collator = new Intl.Collator("en", { numeric: true });

let order = overview.order === null ? null : { column: overview.order, descending: false };
let chosen = order ? summaries.toSorted(inOrder) : summaries;

// Choose the pairs that the search finds and the filters let pass, and put them in order.
function choosePairs() {
  const found = searchedPairs();
  chosen = summaries.filter(({ index, figures }) => found(index) && figures.every(isWithin));
  if (order) chosen.sort(inOrder);
}

function isWithin(figure, column) {
  const { least, most } = bounds[column];
  if (least === null && most === null) return true;
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

let shown = null;  // The number of the pair, null in the table.

const isInTable = () => document.body.classList.contains("table");

// Show the table, or the texts of a pair.
function showView(isTable) {
  document.body.classList.toggle("table", isTable);
  get("table").hidden = !isTable;
  document.querySelector("main").hidden = isTable;
}

function openPair(index) {
  if (isInTable()) leaveTable();
  showView(false);
  shown = index;
  const { id } = summaries[index];
  get("shown").textContent = id;
  document.title = `${id} · ${kind}`;
  history.replaceState(null, "", `#${new URLSearchParams({ id })}`);
  const position = chosen.findIndex((summary) => summary.index === index);
  get("previous").disabled = position <= 0;
  get("next").disabled = position === chosen.length - 1;
  const of = chosen.length < summaries.length ? `${thousands.format(chosen.length)} chosen` : thousands.format(chosen.length);
  get("count").textContent = `${position < 0 ? "none" : thousands.format(position + 1)} of ${of}`;
  showPair(readLine(index));
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

function openTable() {
  const last = shown;
  shown = null;
  showView(true);
  document.title = titleOfTable;
  enterTable(last);
}

function showChoice() {
  choosePairs();
  if (isInTable()) showTable();
  else if (!chosen.length) openNothing();
  else openPair((chosen.find(({ index }) => index === shown) ?? chosen[0]).index);
}

// Show the pair that the address names, or the table where it names none.
function showAsked() {
  const id = idOfAddress();
  const asked = summaries.find((summary) => summary.id === id);
  if (asked) openPair(asked.index);
  else if (id === null || shown === null) (hasSeveral ? openTable : showChoice)();
  if (!asked && id !== null) get("status").textContent = noSuchPair(id);
}

// Show the table at once, a pair as soon as its texts are there.
function start() {
  if (!hasSeveral || idOfAddress() !== null) whenRead.then(showAsked);
  else {
    openTable();
    whenRead.then(remakeRows);
  }
}

function step(by) {
  if (isInTable()) return moveRow(by);
  const next = chosen[chosen.findIndex(({ index }) => index === shown) + by];
  if (next) openPair(next.index);
}

// Keys

const COMMON_KEYS = {
  n: () => step(1),
  p: () => step(-1),
  t: () => get("to-table")?.click(),
  "/": () => get("search").focus(),
};

function onKey(event) {
  if (isHeld(event) || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") closeDetails();
  if (event.key === "Escape" && event.target.matches("input, select")) event.target.blur();
  const keys = { ...COMMON_KEYS, ...(isInTable() ? TABLE_KEYS : KEYS) };
  const key = printedOn(event, keys);
  if (needsKey(event) || key === null) return;
  if (keys[key]() !== false) event.preventDefault();
}

// Close Help, but not where it holds an element.
function closeDetails(element) {
  for (const details of document.querySelectorAll("details[open]")) {
    if (!details.contains(element)) details.open = false;
  }
}

document.addEventListener("keydown", onKey);
document.addEventListener("pointerdown", (event) => closeDetails(event.target));
get("next").addEventListener("click", () => step(1));
get("previous").addEventListener("click", () => step(-1));
addEventListener("hashchange", () => whenRead.then(showAsked));
if (!hasSeveral) get("to-table").remove();
