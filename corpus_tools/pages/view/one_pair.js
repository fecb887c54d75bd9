// One pair by itself: its links, its support and its portrait.

const systems = [""];  // The portrait has one column.
const VIEWS = { texts: get("texts"), pair: main, support: get("support"), portrait: get("portrait") };
const ADDRESSES = { texts: "#texts", pair: "#links", support: "#support", portrait: "#portrait" };
const OF_ONE = ["Content words", "Fusion", "Taken from"];  // The pictures that say something of one pair.

let answer = null;  // What the program says of the pair, or null.
let view = null;

const viewOf = (address) => Object.keys(ADDRESSES).find((name) => ADDRESSES[name] === address && VIEWS[name]);

function showView(asked) {
  view = asked;
  for (const [name, element] of Object.entries(VIEWS)) {
    document.body.classList.toggle(name, name === view);
    if (element) element.hidden = name !== view;
    const tab = get(`to-${name}`);
    if (tab) tab.ariaCurrent = name === view ? "page" : null;
  }
  get("status").textContent = "";
  // Lines are drawn for the width of the view.
  if (view === "pair" && pair) showLinks();
}

// Show what the program says of a pair, or that it says nothing yet.
function showAnswer(given) {
  answer = given;
  for (const name of ["pair", "support", "portrait"]) get(`to-${name}`).toggleAttribute("aria-disabled", !given);
  get("gist").textContent = given ? gistOf(given) : "";
  get("notes").replaceChildren(...(given?.notes ?? []).map((note) => make("li", {}, note)));
  if (!given) return;
  overview.components = given.components;
  overview.portrait = [Object.fromEntries(given.portrait.map(([title, , , , value]) => [title, { mean: value }]))];
  showTexts(withPlaces(structuredClone(given.pair)));
  get("supported").innerHTML = given.support_html;
  const pictures = picturesOf(PICTURES.filter(({ title }) => OF_ONE.includes(title)));
  VIEWS.portrait.replaceChildren(pictures, tableOf(given.portrait));
}

const shareOf = (title) => `${percent(overviewOf(title))} %`;
const overviewOf = (title) => answer.portrait.find(([each]) => each === title)[4] ?? 0;

function gistOf({ language, support, conflicts }) {
  const parts = [language, support === null ? "no claim" : `support ${support.toFixed(2)}`];
  if (conflicts) parts.push(`${conflicts} conflict${conflicts > 1 ? "s" : ""}`);
  return [...parts, `copied ${shareOf("Copied")}`, `rewritten ${shareOf("Rewritten")}`, `unaligned ${shareOf("Unaligned")}`].join(" · ");
}

// Return all figures of a portrait, a table for each group.
function tableOf(figures) {
  const groups = Map.groupBy(figures, ([, group]) => group);
  return make("div", { class: "figures" }, ...[...groups].map(([group, own]) => {
    const rows = own.map(([title, , meaning, digits, value]) =>
      make("tr", { title: meaning }, make("th", { scope: "row" }, title), make("td", {}, value === null ? "–" : value.toFixed(digits))));
    return make("table", {}, make("caption", {}, group), make("tbody", {}, ...rows));
  }));
}

// Bars of one pair lead nowhere: they only say what they are.
function leadToMost(link, system, said) {
  link.setAttribute("role", "img");
  link.setAttribute("aria-label", said);
  return link;
}

function goTo(asked) {
  if (!VIEWS[asked] || (asked !== "texts" && !answer)) return false;
  showView(asked);
  history.replaceState(null, "", ADDRESSES[asked]);
  return true;
}

const GENERAL_KEYS = { t: () => goTo("texts"), k: () => goTo("pair"), s: () => goTo("support"), o: () => goTo("portrait") };

function keysOfView() {
  if (view === "pair") return KEYS;
  return view === "portrait" ? PORTRAIT_KEYS : {};
}

document.addEventListener("keydown", (event) => {
  if (isHeld(event) || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") closeDetails();
  if (event.key === "Escape" && event.target.matches("textarea, select")) event.target.blur();
  // Letters choose in the list of models.
  if (event.target.matches("select")) return;
  const keys = { ...GENERAL_KEYS, ...keysOfView() };
  const key = printedOn(event, keys);
  if (needsKey(event) || key === null) return;
  if (keys[key]() !== false) event.preventDefault();
});
document.querySelector("nav").addEventListener("click", (event) => {
  const tab = event.target.closest("a");
  if (!tab) return;
  event.preventDefault();
  goTo(viewOf(tab.hash));
});
VIEWS.support.addEventListener("click", leadToSource);
for (const kind of ["pointerover", "focusin"]) {
  VIEWS.portrait.addEventListener(kind, ({ target }) => { get("status").textContent = target.closest("a")?.getAttribute("aria-label") ?? ""; });
}
document.addEventListener("pointerdown", (event) => closeDetails(event.target));
if (overview.pair) {
  showAnswer(overview.pair);
  showView(viewOf(location.hash) ?? "pair");
}
