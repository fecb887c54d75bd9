// The portrait: five pictures of all pairs. A cell or a bar leads to the pairs behind it.

const choices = new Map();  // What each link of a picture leads to.

function columnOf(title) {
  return columns.findIndex((column) => column.title === title);
}

// Make a link to some pairs, with the figures that tell them from others: those of a cell, or all with the highest first.
function leadTo(link, system, said, titles, pairs, isOrdered = false) {
  const label = systems.length > 1 ? `${systems[system]}, ${said}` : said;
  link.setAttribute("href", TABLE);
  link.setAttribute("aria-label", label);
  choices.set(link, { picked: { label, pairs: new Set(pairs) }, titles, isOrdered });
  return link;
}

// Make a link to the pairs of a system in which a figure is not zero, the highest first.
function leadToMost(link, system, said, title) {
  const pairs = pairsWith(system, [title]).filter(({ figures }) => figures[columnOf(title)] > 0);
  return leadTo(link, system, said, [title], pairs, true);
}

// Return the pairs of a system that have all of some figures.
function pairsWith(system, titles) {
  const asked = titles.map(columnOf);
  return summaries.filter((summary) => summary.system === system && asked.every((column) => typeof summary.figures[column] === "number"));
}

// Choose the pairs behind a part of a picture. Its address leads to the table.
function pick(link) {
  const { titles, isOrdered, ...choice } = choices.get(link);
  const asked = titles.map(columnOf);
  bounds.fill(NO_BOUNDS);
  get("search").value = "";
  picked = choice.picked;
  if (isOrdered) order = { column: asked[0], descending: true };
  showColumns(asked);
  choosePairs();
}

if (VIEWS.portrait && hasSeveral) {
  const tell = ({ target }) => { get("status").textContent = target.closest("a")?.getAttribute("aria-label") ?? ""; };
  const tests = systems.length > 1 ? `; p is of the difference from ${systems[0]}` : "";
  VIEWS.portrait.append(make("p", {}, `Figures are means over pairs, with 95 % intervals${tests}.`),
                        picturesOf(systems.length > 1 ? PICTURES : [...PICTURES, SIZES]));
  for (const kind of ["pointerover", "focusin"]) VIEWS.portrait.addEventListener(kind, tell);
  VIEWS.portrait.addEventListener("click", ({ target }) => { if (target.closest("a")) pick(target.closest("a")); });
}
