// The pictures of a portrait, a row for each system. A page says what their cells and bars lead to.

const CELLS = 15;  // From end to end of a picture, as in the plot for papers.
const TENTHS = Array.from({ length: 10 }, (_, n) => `${10 * n} to ${10 * n + 10} %`);
const LONG = 127;  // Words of the longest runs that have a cell of their own.

const PICTURES = [
  { title: "Copied", of: ["Coverage", "Density"], draw: drawCells, x: ["0", "coverage", "1"], y: "density",
    note: "Each cell has pairs. Further right more of their words are copied (coverage), further up in longer runs (density)." },
  { title: "Content words", of: ["Content words without a source"], draw: drawShares, x: ["0 %", "content words", "100 %"], whole: "content words",
    kind: "kind", parts: ["Content, copied", "Content, inflected", "Content, rewritten", "Content, unaligned"],
    names: ["copied", "inflected", "rewritten", "unaligned"], note: "How the content words of abstracts came from documents." },
  { title: "Order", of: ["Kendall's tau"], draw: drawCounts, x: ["−1 reversed", "Kendall’s tau", "1 same order"], y: "pairs",
    note: "Whether phrases stand in the order of the document: how many pairs have which tau." },
  { title: "Fusion", of: ["2 sources"], draw: drawShares, x: ["0 %", "abstract sentences", "100 %"], whole: "abstract sentences",
    kind: "number", parts: ["0 sources", "1 sources", "2 sources", "3+ sources"], names: ["none", "one", "two", "three and more"],
    note: "How many sources an abstract sentence has in the document." },
  { title: "Taken from", of: ["0 to 10 %", "Spread"], draw: drawMeans, x: ["start", "place in the document", "end"], y: "content words", parts: TENTHS,
    note: "From which tenths of documents linked content words come. The line is what chance gives." },
];
const SIZES = { title: "Size", of: [], draw: drawSizes, note: "How long both texts are.",
                parts: ["Document words", "Document sentences", "Abstract words", "Abstract sentences", "Compression"] };

function percent(share) {
  return Math.round(100 * share);
}

// Return the middle of the hexagon that a point is in. Hexagons are one wide.
function middleOf(x, y) {
  const height = Math.sqrt(3);
  const middles = [0, 0.5].map((by) => [Math.round(x - by) + by, (Math.round(y / height - by) + by) * height]);
  return middles.sort((one, other) => Math.hypot(x - one[0], y - one[1]) - Math.hypot(x - other[0], y - other[1]))[0];
}

// Put a picture beside its axis: the name of the axis, and ticks with their heights, from 0 to 1.
function graph(kind, name, ticks, picture) {
  const marks = ticks.map(([words, height]) => {
    const mark = make("span", {}, words);
    mark.style.bottom = `${100 * height}%`;
    return mark;
  });
  const axis = make("div", { class: "ticks", "aria-hidden": true }, ...marks);
  return make("div", { class: `graph ${kind}` }, make("span", { class: "y", "aria-hidden": true }, name), axis, picture);
}

function drawCells(system, { of, y: name }) {
  const top = 0.5 * CELLS;
  const [coverage, density] = of.map(columnOf);
  const scale = top / Math.log2(1 + LONG);
  const pairs = pairsWith(system, of);
  const cells = Map.groupBy(pairs, ({ figures }) =>
    String(middleOf(CELLS * figures[coverage], Math.min(scale * Math.log2(1 + figures[density]), top))));
  const picture = shape("svg", { viewBox: `-1.1 ${-top - 0.7} ${CELLS + 2.2} ${top + 1.4}` });
  const sides = Array.from({ length: 6 }, (_, n) => (n + 0.5) * (Math.PI / 3));
  for (const [middle, own] of cells) {
    const [x, y] = middle.split(",").map(Number);
    const points = sides.map((angle) => `${x + Math.cos(angle) / Math.sqrt(3)},${-y + Math.sin(angle) / Math.sqrt(3)}`);
    const label = `coverage about ${(x / CELLS).toFixed(2)}, density about ${(2 ** (y / scale) - 1).toFixed(1)}: ${own.length} of ${pairs.length} pairs`;
    const opacity = 0.25 + (0.75 * Math.log(own.length)) / Math.log(Math.max(pairs.length, 2));
    const link = leadTo(shape("a", {}), system, label, of, own);
    link.append(shape("polygon", { points: points.join(" "), "fill-opacity": opacity }));
    picture.append(link);
  }
  const ticks = [0, 1, 3, 7, 31, LONG].map((tick) => [String(tick), (scale * Math.log2(1 + tick) + 0.7) / (top + 1.4)]);
  return graph("cells", name, ticks, picture);
}

function drawShares(system, { parts, names, whole, kind }) {
  return make("div", { class: "shares" }, ...parts.map((title, n) => {
    const share = overview.portrait[system][title]?.mean ?? 0;
    const label = `${names[n]}: ${percent(share)} % of ${whole}`;
    const link = leadToMost(make("a", { class: `${kind}-${n}` }, share < 0.09 ? "" : `${percent(share)} %`), system, label, title);
    link.style.flexGrow = share;
    link.hidden = !share;
    return link;
  }));
}

function bar(link, height) {
  const inside = make("i");
  inside.style.height = `${100 * height}%`;
  link.append(inside);
  return link;
}

function drawCounts(system, { of, y }) {
  const column = columnOf(of[0]);
  const pairs = pairsWith(system, of);
  const at = ({ figures }) => Math.min(Math.floor(((figures[column] + 1) / 2) * CELLS), CELLS - 1);
  const bars = Array.from({ length: CELLS }, (_, n) => pairs.filter((summary) => at(summary) === n));
  const most = Math.max(...bars.map((own) => own.length), 1);
  const end = (n) => ((2 * n) / CELLS - 1).toFixed(2).replace("-", "−");
  const picture = make("div", { class: "bars" }, ...bars.map((own, n) => {
    const label = `Kendall’s tau ${end(n)} to ${end(n + 1)}: ${own.length} of ${pairs.length} pairs`;
    return bar(leadTo(make("a"), system, label, of, own), own.length / most);
  }));
  return graph("heights", y, [["0", 0], [thousands.format(most), 1]], picture);
}

function drawMeans(system, { parts, y }) {
  const all = overview.portrait.flatMap((figures) => parts.map((title) => figures[title]?.high ?? figures[title]?.mean ?? 0));
  const most = Math.max(...all, 0.2);
  const bars = parts.map((title) => {
    const { mean = 0, low, high } = overview.portrait[system][title] ?? {};
    const interval = intervalOf({ low, high }, percent);
    const label = `${title} of the document: ${percent(mean)} % of linked content words${interval}`;
    const link = bar(leadToMost(make("a"), system, label, title), mean / most);
    link.style.setProperty("--low", `${(100 * (low ?? 0)) / most}%`);
    link.style.setProperty("--high", `${(100 * (high ?? 0)) / most}%`);
    return link;
  });
  const chance = make("hr");
  chance.style.bottom = `${10 / most}%`;
  return graph("heights", y, [["0", 0], [`${percent(most)} %`, 1]], make("div", { class: "bars means" }, ...bars, chance));
}

// Return a small table of means that are no shares.
function drawSizes(system, { parts }) {
  const rows = parts.map((title) => {
    const { mean, ...bounds } = overview.portrait[system][title] ?? {};
    const shown = (value) => (value < 10 ? value.toFixed(1) : thousands.format(Math.round(value)));
    const cells = [title, typeof mean === "number" ? `${shown(mean)}${intervalOf(bounds, shown)}` : "–"];
    return make("tr", {}, make("th", { scope: "row" }, cells[0]), make("td", {}, cells[1]));
  });
  return make("table", {}, make("tbody", {}, ...rows));
}

// Say the interval of a mean; one pair has none.
function intervalOf({ low, high }, shown) {
  return typeof low === "number" ? ` [${shown(low)}, ${shown(high)}]` : "";
}

// Say the means of a system, with their intervals and the tests against the first one.
function saidOf(system, titles) {
  return titles.filter((title) => typeof overview.portrait[system][title]?.mean === "number").map((title) => {
    const { mean, p } = overview.portrait[system][title];
    const tested = typeof p === "number" ? `, p\u00a0${p < 0.001 ? "<\u00a0.001" : `=\u00a0${p.toFixed(3).replace(/^0/, "")}`}` : "";
    return `${title}: ${mean.toFixed(2)}${intervalOf(overview.portrait[system][title], (bound) => bound.toFixed(2))}${tested}`;
  }).join(" · ");
}

function makePicture(picture) {
  const { title, note, of, draw, x, names, kind } = picture;
  const head = make("h2", {}, title);
  const figure = make("figure", { role: "group", "aria-label": title }, head, make("p", {}, note));
  if (names) figure.append(make("p", { class: "key" }, ...names.map((name, n) => make("span", { class: `${kind}-${n}` }, name))));
  systems.forEach((name, system) => {
    const row = make("div", { class: "row" }, draw(system, picture));
    if (systems.length > 1) row.prepend(make("h3", {}, name));
    if (x) row.append(make("p", { class: "ends" }, ...x.map((words) => make("span", {}, words))));
    if (of.length) row.append(make("p", { class: "said" }, saidOf(system, of)));
    figure.append(row);
  });
  linksOf(figure).forEach((link, n) => link.setAttribute("tabindex", n ? -1 : 0));
  return figure;
}

function linksOf(figure) {
  return [...figure.querySelectorAll("a:not([hidden])")];
}

// Move the focus in a picture. One link of each can be reached with Tab, the others by arrows.
function movePart(by) {
  const links = linksOf(document.activeElement.closest("#portrait figure") ?? get("portrait"));
  const to = links[Math.min(Math.max(links.indexOf(document.activeElement) + by, 0), links.length - 1)];
  links.filter((link) => link.closest("figure") === to.closest("figure"))
    .forEach((link) => link.setAttribute("tabindex", link === to ? 0 : -1));
  to.focus();
}

// Several systems stand in rows of narrow pictures, a single one fills the page with its pictures.
function picturesOf(some) {
  return make("div", { class: systems.length > 1 ? "pictures" : "pictures single" }, ...some.map(makePicture));
}

const PORTRAIT_KEYS = { ArrowRight: () => movePart(1), ArrowLeft: () => movePart(-1) };
