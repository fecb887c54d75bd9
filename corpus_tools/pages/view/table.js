// The table of all pairs. Only the rows in sight are made.

const ROWS = { wide: 30, narrow: 46 };  // Pixels of a row, as in table.css.
const SPARE = 10;  // Rows that are made above and below those in sight, chosen by hand.
const EXCERPT = 160;  // Characters, chosen by hand: as many as a wide screen shows.

const pane = get("table");
const excerpts = new Map();

const narrow = matchMedia("(max-width: 720px)");

let current = 0;  // The row that Tab leads to.
let present = [];  // The first row that there is, and the end of the rows.
let scrolled = 0;  // Where the table stood when it was left.

function rowHeight() {
  return narrow.matches ? ROWS.narrow : ROWS.wide;
}

function shownFigure(column, figure) {
  if (figure === null) return "–";
  return columns[column].digits ? figure.toFixed(columns[column].digits) : thousands.format(figure);
}

// Head

let shownColumns = columns.map((_, column) => column).filter((column) => columns[column].is_shown);

function makeHead() {
  const titles = [ID, ...shownColumns].map((column) => {
    const { title, meaning } = columns[column] ?? { title: "Pair", meaning: "id and beginning of the abstract" };
    return make("th", { scope: "col" }, make("button", { type: "button", title: meaning, "data-column": column }, title));
  });
  const clear = make("button", { type: "button", id: "clear" }, "Clear filters");
  const filters = shownColumns.map(histogramOf).map((bars) => {
    const [least, most] = ["least", "most"].map((end) => make("input", {
      type: "number", step: 1 / bars.unit, placeholder: bars[end] / bars.unit, "data-column": bars.column,
      "data-end": end, "aria-label": `${columns[bars.column].title}, ${end === "least" ? "from" : "to"}`,
    }));
    return make("td", {}, makeHistogram(bars), make("div", {}, least, "–", most));
  });
  pane.querySelector("thead").replaceChildren(
    make("tr", { "aria-rowindex": 1 }, ...titles), make("tr", { "aria-rowindex": 2 }, make("td", {}, clear), ...filters));
  pane.querySelector("table").style.setProperty("--columns", shownColumns.length);
  const meanings = shownColumns.map((column) => columns[column]);
  get("meanings").replaceChildren(...meanings.flatMap(({ title, meaning }) => [make("dt", {}, title), make("dd", {}, meaning)]));
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
  pane.querySelectorAll(".histogram").forEach((box, n) => showHistogram(box, histogramOf(shownColumns[n])));
  get("clear").disabled = !picked && !columns.some((_, column) => isFiltered(column));
}

// Sort by a column: first with what a reader looks for at the top, then the other way, then as the pairs were given.
function sortBy(column) {
  const descendingFirst = column !== ID && !columns[column].lowest_first;
  if (order?.column !== column) order = { column, descending: descendingFirst };
  else if (order.descending === descendingFirst) order = { column, descending: !descendingFirst };
  else order = null;
  showChoice();
}

// Rows

function makeRow(position) {
  const { id, index, figures, system } = chosen[position];
  const link = make("a", { href: addressOf(chosen[position]), tabindex: position === current ? 0 : -1 }, id);
  const name = systems.length > 1 ? make("span", { class: "of-system" }, systems[system]) : "";
  const excerpt = make("span", { class: "excerpt", dir: "auto" }, excerptOf(index));
  const head = make("th", { scope: "row" }, link, " ", name, " ", excerpt);
  return make("tr", { "aria-rowindex": position + 3, "data-position": position },
    head, ...shownColumns.map((column) => make("td", {}, shownFigure(column, figures[column]))));
}

// Return how the abstract of a pair begins, as far as the pairs are read.
function excerptOf(index) {
  if (!lines.length) return "";
  if (!excerpts.has(index)) excerpts.set(index, abstractOf(readLine(index)).slice(0, EXCERPT));
  return excerpts.get(index);
}

function firstInSight() {
  return Math.ceil(pane.scrollTop / rowHeight());
}

function rowsInSight() {
  return Math.ceil((pane.clientHeight - pane.querySelector("thead").offsetHeight) / rowHeight());
}

// Make the rows in sight and some more. Those that are there stay, with the focus if they have it.
function makeRows() {
  present = rowsToMake();
  const [first, end] = present;
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
  get("above").style.height = `${first * rowHeight()}px`;
  get("below").style.height = `${(chosen.length - end) * rowHeight()}px`;
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
  if (String(present) !== String(rowsToMake())) makeRows();
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
  // What a picture leads to may be ordered by a column that is not in sight.
  if (picked) pane.querySelector("[aria-sort]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (!chosen.length) tellNothingMatches();
  else get("status").textContent = picked?.label ?? "";
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
  const top = current * rowHeight();
  const height = pane.clientHeight - pane.querySelector("thead").offsetHeight;
  if (top < pane.scrollTop) pane.scrollTop = top;
  else if (top + rowHeight() > pane.scrollTop + height) pane.scrollTop = top + rowHeight() - height;
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

function clearFilters() {
  picked = null;
  bounds.fill(NO_BOUNDS);
  showChoice();
}

makeHead();
pane.addEventListener("scroll", showRows, { passive: true });
addEventListener("resize", showRows);
narrow.addEventListener("change", remakeRows);
pane.querySelector("thead").addEventListener("click", ({ target }) => {
  if (target.id === "clear") clearFilters();
  else if (target.matches("button[data-column]")) sortBy(Number(target.dataset.column));
});
pane.querySelector("thead").addEventListener("input", ({ target }) => {
  const { column, end } = target.dataset;
  bounds[column] = { ...bounds[column], [end]: Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber };
  showChoice();
});
get("rows").addEventListener("click", ({ target }) => {
  if (!target.closest("a") && getSelection().isCollapsed) target.closest("tr").querySelector("a").click();
});
get("search").addEventListener("keydown", ({ key }) => { if (key === "Enter" && isInTable()) goToRow(0); });
