// The list of the pairs: it sorts by a column, shows those of a state, and leads to a pair.

const SIGNS = { "sent back": "↩", begun: "…", open: "○", decided: "✓" };
const STATES = Object.keys(SIGNS);  // In the order in which they ask for work.
const share = (row) => (row.words ? row.unaligned / row.words : 0);
const percent = (row) => (row.is === "open" ? "" : `${Math.round(100 * share(row))} %`);

// Each column has the value that sorts it, and the text that is shown.
const COLUMNS = [
  { name: "No.", value: (row) => row.number, text: (row) => row.number, kind: "number" },
  { name: "State", value: (row) => STATES.indexOf(row.is), text: (row) => row.is, kind: "state" },
  { name: "Pair", value: (row) => row.id, text: (row) => row.id, kind: "id" },
  { name: "Words", value: (row) => row.words, text: (row) => row.words, kind: "number" },
  overview.people.length
    ? { name: "Differences", value: (row) => row.differences, text: (row) => row.differences, kind: "number" }
    : { name: "Unaligned", value: share, text: percent, kind: "number" },
  { name: "Note", value: (row) => row.note, text: (row) => row.note, kind: "note" },
  { name: "Time", value: (row) => row.seconds, text: (row) => minutes(row.seconds), kind: "number" },
];
const inOrderOfText = new Intl.Collator(undefined, { numeric: true });
overview.pairs.forEach((row, position) => { row.number = position + 1; });
let sorted = { column: COLUMNS[0], descending: false };

function minutes(seconds) {
  const whole = Math.round(seconds);
  return whole ? `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` : "";
}

function compared(one, other) {
  if (typeof one === "string") return inOrderOfText.compare(one, other);
  return one - other;
}

function showList() {
  const state = get("states").value;
  const { column, descending } = sorted;
  const rows = overview.pairs
    .filter((row) => !state || row.is === state)
    .sort((one, other) => (descending ? -1 : 1) * compared(column.value(one), column.value(other)));
  get("rows").replaceChildren(...rows.map(rowOf));
  get("columns").querySelectorAll("th").forEach((head, number) => {
    const order = descending ? "descending" : "ascending";
    head.setAttribute("aria-sort", COLUMNS[number] === column ? order : "none");
  });
}

function rowOf(row) {
  const cells = COLUMNS.map(({ text, kind }) => {
    const cell = make("td", { role: "cell", class: kind });
    if (kind === "id") cell.append(make("a", { href: `#${new URLSearchParams({ id: row.id })}`, dir: "auto" }, row.id));
    else if (kind === "state") cell.append(make("span", { "aria-hidden": true }, SIGNS[row.is]), make("span", {}, ` ${row.is}`));
    else cell.append(text(row));
    return cell;
  });
  const attributes = row.index === index ? { "aria-current": true } : {};
  return make("tr", { role: "row", "data-index": row.index, ...attributes }, ...cells);
}

function openList() {
  const states = [...get("states").options];
  for (const one of states) {
    const number = overview.pairs.filter((row) => !one.value || row.is === one.value).length;
    one.textContent = `${one.value || "all"} (${number})`;
  }
  tick();
  overview.pairs[rowNumber(index)].seconds = pair.state.row.seconds + worked;
  get("list").showModal();
  showList();
  const current = get("rows").querySelector("[aria-current] a");
  current?.focus();
  current?.scrollIntoView({ block: "center" });
}

// Go to the pair of a row.
function openRow(event) {
  const row = event.target.closest("tr");
  if (!row || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  get("list").close();
  inOrder(() => openPair(Number(row.dataset.index)));
}

// Move from row to row.
function onListKey(event) {
  const by = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const row = event.target.closest("tr");
  if (!by || !row) return;
  event.preventDefault();
  row[by]?.querySelector("a").focus();
}

for (const column of COLUMNS) {
  const button = make("button", { type: "button" }, column.name);
  button.addEventListener("click", () => {
    sorted = { column, descending: sorted.column === column && !sorted.descending };
    showList();
  });
  get("columns").append(make("th", { role: "columnheader", class: column.kind }, button));
}
for (const state of ["", ...STATES]) get("states").append(make("option", { value: state }));
get("states").addEventListener("change", showList);
get("rows").addEventListener("click", openRow);
get("rows").addEventListener("keydown", onListKey);
closeOutside(get("list"));
