// The table of all pairs. Only the rows in sight are made.

const ROW = 30;  // Pixels, as in table.css.
const SPARE = 10;  // Rows that are made above and below those in sight, chosen by hand.
const EXCERPT = 160;  // Characters, chosen by hand: as many as a wide screen shows.

const thousands = new Intl.NumberFormat("en");
const pane = get("table");
const excerpts = new Map();

let current = 0;  // The row that Tab leads to.
let made = [];  // The first row that there is, and the end of the rows.
let scrolled = 0;  // Where the table stood when it was left.

function shownFigure(column, figure) {
  if (figure === null) return "–";
  return columns[column].share ? figure.toFixed(2) : thousands.format(figure);
}

// Head

function makeHead() {
  const heads = [{ title: "Pair", meaning: "id and beginning of the abstract" }, ...columns];
  const titles = heads.map(({ title, meaning }, n) =>
    make("th", { scope: "col" }, make("button", { type: "button", title: meaning, "data-column": n - 1 }, title)));
  const clear = make("button", { type: "button", id: "clear" }, "Clear filters");
  const filters = histograms.map((bars) => {
    const [least, most] = ["least", "most"].map((end) => make("input", {
      type: "number", step: bars.unit === 100 ? 0.01 : 1, placeholder: bars[end] / bars.unit, "data-column": bars.column,
      "data-end": end, "aria-label": `${columns[bars.column].title}, ${end === "least" ? "from" : "to"}`,
    }));
    return make("td", {}, makeHistogram(bars), make("div", {}, least, "–", most));
  });
  pane.querySelector("thead").replaceChildren(
    make("tr", { "aria-rowindex": 1 }, ...titles), make("tr", { "aria-rowindex": 2 }, make("td", {}, clear), ...filters));
  pane.querySelector("table").style.setProperty("--columns", columns.length);
  get("meanings").append(...columns.flatMap(({ title, meaning }) => [make("dt", {}, title), make("dd", {}, meaning)]));
}

function showHead() {
  for (const button of pane.querySelectorAll("thead [data-column]:is(button)")) {
    const isSorted = order !== null && Number(button.dataset.column) === order.column;
    if (isSorted) button.parentElement.ariaSort = order.descending ? "descending" : "ascending";
    else button.parentElement.ariaSort = null;
  }
  for (const input of pane.querySelectorAll("thead input")) {
    const bound = bounds[input.dataset.column][input.dataset.end];
    if (input !== document.activeElement) input.value = bound ?? "";
  }
  pane.querySelectorAll(".histogram").forEach((box, column) => showHistogram(box, histograms[column]));
  get("clear").disabled = bounds.every(({ least, most }) => least === null && most === null);
}

// Sort by a column: first with what a reader looks for at the top, then the other way, then as the pairs were given.
function sortBy(column) {
  const descendingFirst = column !== ID && !columns[column].share;
  if (order?.column !== column) order = { column, descending: descendingFirst };
  else if (order.descending === descendingFirst) order = { column, descending: !descendingFirst };
  else order = null;
  showChoice();
}

// Rows

function makeRow(position) {
  const { id, index, figures } = chosen[position];
  const link = make("a", { href: `#${new URLSearchParams({ id })}`, tabindex: position === current ? 0 : -1 }, id);
  const head = make("th", { scope: "row" }, link, " ", make("span", { class: "excerpt", dir: "auto" }, excerptOf(index)));
  return make("tr", { "aria-rowindex": position + 3, "data-position": position },
    head, ...figures.map((figure, column) => make("td", {}, shownFigure(column, figure))));
}

// Return how the abstract of a pair begins, as far as the pairs are read.
function excerptOf(index) {
  if (!lines.length) return "";
  if (!excerpts.has(index)) excerpts.set(index, abstractOf(readLine(index)).slice(0, EXCERPT));
  return excerpts.get(index);
}

function firstInSight() {
  return Math.ceil(pane.scrollTop / ROW);
}

function rowsInSight() {
  return Math.ceil((pane.clientHeight - pane.querySelector("thead").offsetHeight) / ROW);
}

// Make the rows in sight and some more. Those that are there stay, with the focus if they have it.
function makeRows() {
  made = rowsToMake();
  const [first, end] = made;
  // Tab leads to a row that is there.
  if (current < first || current >= end) current = Math.min(firstInSight(), end - 1);
  const rows = get("rows");
  for (const row of [...rows.children]) {
    if (row.dataset.position < first || row.dataset.position >= end) row.remove();
  }
  const [kept, afterKept] = rows.firstChild
    ? [Number(rows.firstChild.dataset.position), Number(rows.lastChild.dataset.position) + 1]
    : [end, end];
  rows.prepend(...rowsOf(first, kept));
  rows.append(...rowsOf(afterKept, end));
  get("above").style.height = `${first * ROW}px`;
  get("below").style.height = `${(chosen.length - end) * ROW}px`;
}

// Make all rows anew. They have excerpts when the texts are read.
function remakeRows() {
  const hadFocus = get("rows").contains(document.activeElement);
  get("rows").replaceChildren();
  makeRows();
  if (hadFocus) linkOf(current)?.focus({ preventScroll: true });
}

function rowsOf(first, end) {
  return Array.from({ length: Math.max(end - first, 0) }, (_, n) => makeRow(first + n));
}

function rowsToMake() {
  const first = Math.max(0, (Math.floor(firstInSight() / SPARE) - 1) * SPARE);
  return [first, Math.min(chosen.length, first + rowsInSight() + 3 * SPARE)];
}

function showRows() {
  if (String(made) !== String(rowsToMake())) makeRows();
}

function linkOf(position) {
  return get("rows").querySelector(`[data-position="${position}"] a`);
}

// Make the table anew, after a change of what is chosen.
function showTable() {
  const among = `${thousands.format(chosen.length)} of ${thousands.format(summaries.length)} pairs`;
  get("count").textContent = chosen.length < summaries.length ? among : `${thousands.format(summaries.length)} pairs`;
  pane.querySelector("table").ariaRowCount = chosen.length + 2;
  showHead();
  current = 0;
  pane.scrollTop = 0;
  remakeRows();
  if (!chosen.length) tellNothingMatches();
  else get("status").textContent = "";
}

// Show the table as it was left, with the focus on the pair that was looked at last.
function enterTable(index) {
  const position = chosen.findIndex((summary) => summary.index === index);
  const top = scrolled;
  showTable();
  pane.scrollTop = top;
  if (position >= 0) goToRow(position);
  else showRows();
}

function leaveTable() {
  scrolled = pane.scrollTop;
}

function goToRow(position) {
  current = Math.min(Math.max(position, 0), chosen.length - 1);
  const top = current * ROW;
  const height = pane.clientHeight - pane.querySelector("thead").offsetHeight;
  if (top < pane.scrollTop) pane.scrollTop = top;
  else if (top + ROW > pane.scrollTop + height) pane.scrollTop = top + ROW - height;
  showRows();
  get("rows").querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
  linkOf(current)?.setAttribute("tabindex", 0);
  linkOf(current)?.focus({ preventScroll: true });
}

// Move the focus by some rows. The first step goes to the first row in sight.
function moveRow(by) {
  if (get("rows").contains(document.activeElement)) goToRow(current + by);
  else goToRow(firstInSight());
}

const TABLE_KEYS = {
  ArrowDown: () => moveRow(1),
  ArrowUp: () => moveRow(-1),
  PageDown: () => moveRow(rowsInSight() - 1),
  PageUp: () => moveRow(1 - rowsInSight()),
  Home: () => goToRow(0),
  End: () => goToRow(chosen.length - 1),
};

makeHead();
pane.addEventListener("scroll", showRows, { passive: true });
addEventListener("resize", showRows);
pane.querySelector("thead").addEventListener("click", ({ target }) => {
  if (target.matches("button[data-column]")) sortBy(Number(target.dataset.column));
});
pane.querySelector("thead").addEventListener("input", ({ target }) => {
  const { column, end } = target.dataset;
  bounds[column] = { ...bounds[column], [end]: Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber };
  showChoice();
});
get("clear").addEventListener("click", () => {
  bounds.forEach((_, column) => { bounds[column] = { least: null, most: null }; });
  showChoice();
});
get("rows").addEventListener("click", ({ target }) => {
  if (!target.closest("a") && getSelection().isCollapsed) target.closest("tr").querySelector("a").click();
});
get("search").addEventListener("keydown", ({ key }) => { if (key === "Enter" && isInTable()) goToRow(0); });
